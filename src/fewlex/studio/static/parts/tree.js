// A derivation as a tree: which rule built which part of the output from which part of the source.

import { h, word } from "../dom.js";

// Nodes come from the server; names differ between kinds of rules, so the first one that is there is shown.
const NAMES = ["rule", "name", "label", "text"];

export function derivation(tree) {
  if (!tree || typeof tree !== "object") return null;
  return h("div", { class: "tree" }, h("ul", { "aria-label": "Derivation" }, node(Array.isArray(tree) ? { children: tree, label: "all" } : tree)));
}

function node(content) {
  if (typeof content === "string") return h("li", {}, word(content));
  const name = NAMES.map((key) => content[key]).find((value) => typeof value === "string") ?? "";
  const source = words(content.source);
  const target = words(content.target ?? content.output);
  const children = content.children || content.parts || [];
  const line = [
    name && word(name, { class: "tree-rule" }),
    source && word(source, { class: "tree-source" }),
    target && [h("span", { "aria-hidden": "true", class: "soft" }, " → "), word(target, { class: "tree-target" })],
  ];
  if (!children.length) return h("li", {}, line);
  return h("li", {}, h("details", { open: true }, h("summary", {}, line), h("ul", {}, children.map(node))));
}

function words(value) {
  return Array.isArray(value) ? value.map((part) => (typeof part === "string" ? part : "…")).join(" ") : value ?? "";
}
