// Two outputs side by side, with the tokens that differ marked by colour, sign and words for screen readers.

import { h, plural, visible, word } from "../dom.js";

const SHOWN = 200;

// Sentences with both outputs; each of them shows only its own tokens, with those that the other lacks marked.
export function changedTable(changed) {
  if (!changed.length) return null;
  return [
    h("div", { class: "scroll-x fits", tabindex: "0", role: "region", "aria-label": "Outputs before and after" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Sentence", "Before", "After"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, changed.slice(0, SHOWN).map(changedRow)))),
    changed.length > SHOWN && h("p", { class: "small soft" }, `and ${plural(changed.length - SHOWN, "more sentence")}`),
  ];
}

function changedRow({ sentence, before, after }) {
  const parts = compare(before, after);
  const side = (text, hidden) => (text ? diffParts(parts.filter(({ op }) => op !== hidden)) : h("span", { class: "soft" }, "(nothing)"));
  return h("tr", {}, h("td", {}, word(sentence)), h("td", {}, side(before, "extra")), h("td", {}, side(after, "missing")));
}

export function diffParts(parts) {
  return h("span", { class: "diff" }, parts.map(({ op, tokens }) => {
    const text = tokens.map(visible).join(" ");
    if (op === "same") return h("bdi", {}, text, " ");
    const [tag, sign, told] = op === "missing" ? ["del", "−", "missing:"] : ["ins", "+", "extra:"];
    return [h(tag, { class: op }, h("span", { class: "hidden-text" }, told), h("span", { "aria-hidden": "true" }, sign), h("bdi", {}, text)), " "];
  }));
}

// The longest common subsequence of two token lists, as parts; sentences are short, so the plain way is fast enough.
export function compare(before, after) {
  const [a, b] = [before.split(/\s+/).filter(Boolean), after.split(/\s+/).filter(Boolean)];
  const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const parts = [];
  const push = (op, token) => {
    if (parts.at(-1)?.op === op) parts.at(-1).tokens.push(token);
    else parts.push({ op, tokens: [token] });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { push("same", a[i]); i++; j++; }
    else if (j >= b.length || (i < a.length && best[i + 1][j] >= best[i][j + 1])) push("missing", a[i++]);
    else push("extra", b[j++]);
  }
  return parts;
}
