// Rules: the same table as for the lexicon, for runs that have learned rules.

import { get } from "../api.js";
import { debounce, download, field, fill, h, notice, number, plural, visible, word } from "../dom.js";
import { virtualTable } from "../parts/virtual_table.js";

const COLUMNS = [
  { name: "Name", sort: "name", cell: (rule) => word(rule.name) },
  { name: "Rule", sort: "rule", cell: (rule) => word(rule.rule, { class: "mono" }) },
  { name: "Used", sort: "count", class: "number", cell: (rule) => number(rule.count ?? 0) },
  { name: "Example", sort: "example", class: "phone-off", cell: (rule) => word(rule.example ?? "") },
  { name: "Who says so", sort: "origin", class: "phone-off", cell: (rule) => visible(rule.origin ?? "learned") },
];

export function mount(root, { run }) {
  const box = h("div", {});
  let grid = null;
  fill(root, h("h1", {}, "Rules"),
    h("p", { class: "lead" }, "How the run builds long outputs from short ones. A hole is written _ in the source and #0, #1 … in the target."), box);
  if (!run.has_rules) {
    fill(box, notice("This run has no rules: it was trained without them."));
  } else {
    get("/v1/rules", { run: run.run }).then((book) => { grid = table(box, book); }).catch((error) => fill(box, notice(error.message, "bad")));
  }
  return () => grid?.stop();
}

// Rules are few, so they come at once.
function table(box, book) {
  const rules = book.rules || [];
  const search = h("input", { type: "search" });
  const count = h("p", { class: "soft small", role: "status" }, plural(rules.length, "rule"));
  let shown = rules;
  const grid = virtualTable({
    label: "Rules. Arrow keys move.",
    kind: "v-rules",
    empty: "No rule matches.",
    columns: COLUMNS,
    load: async (offset, limit) => {
      const { key, order } = grid.sorted();
      const sign = order === "up" ? 1 : -1;
      const compare = (a, b) => (key === "count" ? (a.count ?? 0) - (b.count ?? 0) : String(a[key] ?? "").localeCompare(String(b[key] ?? "")));
      const sorted = key ? [...shown].sort((a, b) => sign * compare(a, b)) : shown;
      return { matching: sorted.length, rows: sorted.slice(offset, offset + limit) };
    },
    onKey: () => {},
  });
  search.addEventListener("input", debounce(150, () => {
    const wanted = search.value.toLowerCase();
    shown = rules.filter((rule) => `${rule.name} ${rule.rule} ${rule.example ?? ""}`.toLowerCase().includes(wanted));
    fill(count, `${plural(shown.length, "rule")} of ${number(rules.length)} match`);
    grid.reload();
  }));
  fill(box, h("div", { class: "row end toolbar" }, h("div", { class: "grow" }, field("Search", search)),
    h("button", { type: "button", onclick: () => download("rules.json", JSON.stringify(book, null, 1), "application/json") }, "Export")), count, grid.element);
  grid.reload();
  return grid;
}
