// Two outputs side by side, with the tokens that differ marked by colour, sign and words for screen readers.

import { h, visible } from "../dom.js";

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
