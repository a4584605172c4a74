// What was read of dropped files, and what is wrong with them, line by line.

import { h, notice, number, plural, visible, word } from "../dom.js";

export function reading(names, answer, swap) {
  const splits = Object.entries(answer.splits).map(([split, count]) => `${split}: ${plural(count, "pair")}`).join(", ");
  return [
    h("h3", {}, names.map(visible).join(" and ")),
    swap && h("p", { class: "row small" }, `Source: ${visible(names[0])}. Target: ${visible(names[1])}.`, h("button", { type: "button", class: "tiny", onclick: swap }, "Swap")),
    answer.pairs > 0 && h("dl", { class: "facts" },
      fact("Read", splits),
      fact("Source words", `${number(answer.source_words)}, ${number(answer.seen_once)} of them seen once`),
      fact("Target words", number(answer.target_words)),
      fact("Longest", `${answer.longest_source} source and ${answer.longest_target} target tokens`),
      answer.repeated > 0 && fact("Repeated pairs", number(answer.repeated))),
    answer.total_problems > 0 && problems(answer),
    answer.pairs === 0 && notice("No pair could be read, so there is nothing to train on.", "bad"),
    answer.first.length > 0 && h("details", {}, h("summary", {}, "The first pairs, as they were read"),
      h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "First pairs" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Source"), h("th", { scope: "col" }, "Target"))),
        h("tbody", {}, answer.first.map((pair) => h("tr", {}, h("td", {}, word(pair.source)), h("td", {}, word(pair.target)))))))),
  ];
}

function fact(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}

function problems(answer) {
  const rest = answer.total_problems - answer.problems.length;
  return h("div", { class: "notice bad", role: "alert" },
    h("strong", {}, `${plural(answer.total_problems, "line")} cannot be used`, answer.pairs > 0 ? " and would be left out:" : ":"),
    h("ul", { class: "problems" }, answer.problems.map((problem) => h("li", {},
      problem.line !== null && h("code", {}, `${visible(problem.file)}:${problem.line} `), visible(problem.text)))),
    rest > 0 && h("p", {}, `and ${plural(rest, "more line")}`));
}
