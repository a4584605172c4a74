// A derivation as a tree: each rule with the source words that it covers, and below it what fills its holes.

import { h, percent, word } from "../dom.js";

export function derivation(told) {
  const tree = told?.tree ?? told;
  if (!tree || typeof tree !== "object") return null;
  const source = told.source || [];
  return h("div", { class: "tree" },
    Number.isFinite(told.confidence) && h("p", { class: "small soft" }, `The rules are right in ${percent(told.confidence)} of such cases.`),
    h("ul", { "aria-label": "Derivation" }, node(tree, source)));
}

function node(content, source) {
  if (content.word !== undefined) {
    return h("li", {}, word(content.word, { class: "tree-source" }), arrow(), word((content.target || []).join(" "), { class: "tree-target" }));
  }
  const covered = source.slice(content.start, content.end).join(" ");
  const line = [word(content.rule ?? "", { class: "tree-rule" }), word(content.text ?? ""), covered && word(covered, { class: "tree-source soft" })];
  const children = content.children || [];
  if (!children.length) return h("li", {}, line);
  return h("li", {}, h("details", { open: true }, h("summary", {}, line), h("ul", {}, children.map((child) => node(child, source)))));
}

function arrow() {
  return h("span", { class: "soft" }, h("span", { "aria-hidden": "true" }, " → "), h("span", { class: "hidden-text" }, " becomes "));
}
