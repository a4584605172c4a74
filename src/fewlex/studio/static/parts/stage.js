// Source words above, output tokens below, and lines from a token to what it looked at.

import { fill, h, percent, svg, visible, word } from "../dom.js";

const HOW = {
  written: { name: "written", told: "The network wrote this token." },
  translated: { name: "translated", told: "The lexicon translated this token." },
  remembered: { name: "remembered", told: "This token followed in training sentences like this one." },
  rule: { name: "rule", told: "A rule made this token." },
};
const SHOWN = 0.02;
const ROWS = 6;

export function kindOf(output, i) {
  const how = output.explanation?.origins?.[i]?.how ?? (output.by === "rules" ? "rule" : "written");
  return HOW[how] ? how : "written";
}

export function legend() {
  return h("ul", { class: "legend", "aria-label": "What the colours mean" },
    h("li", {}, h("span", { class: "token written", "aria-hidden": "true" }, "A"), "written by the network"),
    h("li", {}, h("span", { class: "token translated", "aria-hidden": "true" }, "A"), "translated by the lexicon"),
    h("li", {}, h("span", { class: "token remembered", "aria-hidden": "true" }, "A"), "remembered from training"),
    h("li", {}, h("span", { class: "token rule", "aria-hidden": "true" }, "A"), "made by a rule"));
}

export function stage(output, onChoose) {
  const { source = [], tokens = [], attention = [] } = output.explanation || {};
  const words = source.map((text, i) => h("li", { class: "source-word", "data-index": i }, word(text)));
  const buttons = tokens.map((text, i) => {
    const kind = kindOf(output, i);
    return h("li", {}, h("button", {
      type: "button",
      class: `token ${kind}`,
      "aria-pressed": "false",
      tabindex: i ? "-1" : "0",  // one stop of the Tab key; the arrow keys move among the tokens
      "aria-label": `${visible(text)}, ${HOW[kind].name}`,
      onmouseenter: () => point(i),
      onfocus: () => point(i),
      onclick: () => point(i),
      onkeydown: (event) => walk(event, i),
    }, word(text)));
  });
  const lines = svg("svg", { class: "lines", "aria-hidden": "true", focusable: "false" });
  const box = h("div", { class: "stage" }, lines,
    h("ol", { class: "source-words", "aria-label": "Source words" }, words),
    h("ol", { class: "tokens", "aria-label": "Output tokens. Arrow keys move, and what a token comes from is told beside." }, buttons));
  let pointed = -1;

  function walk(event, i) {
    const place = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: buttons.length - 1 }[event.key];
    const next = buttons[place];
    if (!next) return;
    event.preventDefault();
    next.firstChild.focus();
  }

  function point(i) {
    pointed = i;
    buttons.forEach((item, j) => {
      item.firstChild.classList.toggle("pointed", i === j);
      item.firstChild.setAttribute("aria-pressed", String(i === j));
      item.firstChild.tabIndex = i === j ? 0 : -1;
    });
    draw();
    onChoose(i);
  }

  function draw() {
    fill(lines);
    words.forEach((item) => item.classList.remove("seen", "most-seen"));
    if (pointed < 0 || !box.isConnected) return;
    const frame = box.getBoundingClientRect();
    lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const looked = attention[pointed] || [];
    const end = buttons[pointed].firstChild.getBoundingClientRect();
    const most = Math.max(...looked, 0);
    looked.forEach((share, i) => {
      if (share < SHOWN || !words[i]) return;
      const start = words[i].getBoundingClientRect();
      const [x1, y1] = [start.left + start.width / 2 - frame.left, start.bottom - frame.top];
      const [x2, y2] = [end.left + end.width / 2 - frame.left, end.top - frame.top];
      const middle = (y1 + y2) / 2;
      lines.append(svg("path", {
        d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`,
        class: kindOf(output, pointed), "stroke-width": 1 + 7 * share, "stroke-opacity": 0.35 + 0.65 * share,
      }));
      words[i].classList.add(share === most ? "most-seen" : "seen");
    });
  }

  const watch = new ResizeObserver(draw);
  watch.observe(box);
  return { element: box, point, stop: () => watch.disconnect() };
}

export function tokenDetails(output, i) {
  const explanation = output.explanation;
  const token = explanation.tokens[i];
  const kind = kindOf(output, i);
  const origin = explanation.origins?.[i];
  const looked = (explanation.attention?.[i] || [])
    .map((share, j) => ({ share, text: explanation.source[j] }))
    .sort((a, b) => b.share - a.share)
    .filter(({ share }) => share >= SHOWN)
    .slice(0, 6);
  const gate = explanation.write_gate?.[i];
  const rule = ruleBehind(output, i);
  return [
    h("h2", {}, word(token, { class: `token ${kind}` })),
    h("p", {}, output.by === "rules" && kind === "translated" ? "A word of the rules made this token." : HOW[kind].told, origin && kind !== "rule" ? [" It comes from ", word(origin.source, { class: "quoted" }), "."] : ""),
    output.by === "network" && gate !== undefined && [
      h("h3", {}, "Gate"),
      meter(gate, `${percent(gate)} written, ${percent(1 - gate)} translated`),
    ],
    output.by === "network" && looked.length > 0 && [
      h("h3", {}, "Attention"),
      h("ul", { class: "bars" }, looked.map(({ share, text }) => h("li", {}, word(text), meter(share, percent(share))))),
    ],
    rule && [h("h3", {}, "Rule: ", word(rule.rule)), h("p", {}, word(rule.text, { class: "mono" }))],
  ];
}

// The rule that brings a token, or that has a hole for the word which brings it.
export function ruleBehind(output, i) {
  const told = output.explanation?.derivation;
  const name = told?.makers?.[i];
  const find = (node) => (node.rule === name ? node : (node.children || []).map(find).find(Boolean));
  return name ? find(told.tree) : null;
}

// What the lexicon has for a source word; `found` may hold rows of other words that contain it.
export function lexiconRow(source, found, token) {
  const rows = found.filter((row) => row.source === source);
  if (!rows.length) return [h("h3", {}, "Lexicon"), h("p", { class: "soft" }, "It has no row for ", word(source, { class: "quoted" }), ".")];
  return [
    h("h3", {}, "Lexicon: ", word(source)),
    h("ul", { class: "bars" }, rows.slice(0, ROWS).map((row) => h("li", {},
      h("span", {}, word(row.target, { class: row.target === token ? "quoted" : "" }), h("span", { class: "small soft" }, ` by ${visible(row.origin)}`)),
      row.probability === null ? h("span", { class: "small soft" }, "not used") : meter(row.probability, row.probability.toFixed(2))))),
    rows.length > ROWS && h("p", { class: "small soft" }, `and ${rows.length - ROWS} more`),
  ];
}

export function meter(share, text) {
  const bar = h("span", { class: "meter-fill" });
  bar.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return h("span", { class: "meter-row" }, h("span", { class: "meter", "aria-hidden": "true" }, bar), h("span", { class: "small" }, text));
}
