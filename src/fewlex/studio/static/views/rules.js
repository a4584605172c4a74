// Rules: the same table as for the lexicon, for runs that have learned rules.

import { get } from "../api.js";
import { debounce, field, fill, h, notice, plural, visible, word } from "../dom.js";
import { virtualTable } from "../parts/virtual_table.js";

export function mount(root, { run }) {
  const box = h("div", {});
  fill(root, h("h1", {}, "Rules"),
    h("p", { class: "lead" }, "What the run has learned about building long outputs from short ones."), box);
  get("/v1/rules", { run: run.run }).then(({ rules }) => table(box, rules)).catch((error) => {
    fill(box, error.status === 404 ? notice(error.message) : notice(error.message, "bad"));
  });
}

// Rules are few (hundreds), so they come at once; what they consist of is shown as the server tells it.
function table(box, rules) {
  const search = h("input", { type: "search" });
  const keys = [...new Set(rules.flatMap((rule) => Object.keys(rule)))].slice(0, 6);
  const text = (value) => (Array.isArray(value) ? value.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ") : typeof value === "object" && value ? JSON.stringify(value) : String(value ?? ""));
  let shown = rules;
  const grid = virtualTable({
    label: "Rules",
    empty: "No rule matches.",
    columns: keys.map((key) => ({ name: visible(key), sort: key, class: "wide", cell: (rule) => word(text(rule[key])) })),
    load: async (offset, limit) => {
      const { key, order } = grid.sorted();
      const sign = order === "up" ? 1 : -1;
      const sorted = key ? [...shown].sort((a, b) => sign * (typeof a[key] === "number" ? a[key] - b[key] : text(a[key]).localeCompare(text(b[key])))) : shown;
      return { matching: sorted.length, rows: sorted.slice(offset, offset + limit) };
    },
    onSort: () => {},
    onKey: () => {},
  });
  search.addEventListener("input", debounce(150, () => {
    const wanted = search.value.toLowerCase();
    shown = rules.filter((rule) => keys.some((key) => text(rule[key]).toLowerCase().includes(wanted)));
    grid.reload();
  }));
  fill(box, h("div", { class: "row end toolbar" }, h("div", { class: "grow" }, field("Search", search)), h("p", { class: "soft" }, plural(rules.length, "rule"))), grid.element);
  grid.reload();
}
