// Rules: the same table as for the lexicon, for runs that have learned rules.

import { get, post, remove } from "../api.js";
import { debounce, dialog, download, field, fill, h, notice, number, plural, toast, visible, word } from "../dom.js";
import { history } from "../parts/history.js";
import { virtualTable } from "../parts/virtual_table.js";

export function mount(root, { run }) {
  const box = h("div", {});
  let grid = null;
  fill(root, h("h1", {}, "Rules"),
    h("p", { class: "lead" }, "How the run builds long outputs from short ones. A hole is written _ in the source and #0, #1 … in the target."), box);
  if (run.has_rules) grid = table(box, run);
  else fill(box, notice("This run has no rules. Train with the preset rules, or choose “Learn rules too”."));
  return () => grid?.stop();
}

// Rules are few, so they come at once, and the page itself searches and sorts them.
function table(box, run) {
  let book = { rules: [] };
  let shown = [];
  const search = h("input", { type: "search", placeholder: "part of a rule" });
  const count = h("p", { class: "soft small", role: "status" });
  const silence = h("div", {});
  const steps = history(run, refresh);
  const grid = virtualTable({
    label: "Rules. Arrow keys move, Enter edits, Delete removes.",
    kind: "v-rules",
    empty: "No rule matches.",
    columns: [
      { name: "Name", sort: "name", cell: (rule) => word(rule.name) },
      { name: "Rule", sort: "rule", cell: (rule) => word(rule.rule, { class: "mono" }) },
      { name: "What it does", sort: "does", class: "phone-off", cell: (rule) => visible(rule.does) },
      { name: "Used", sort: "count", class: "number", cell: (rule) => number(rule.count) },
      { name: "Example", sort: "example", class: "phone-off", cell: (rule) => word(rule.example) },
      { name: "Who says so", sort: "origin", class: "phone-off", cell: (rule) => visible(rule.origin) },
      { name: "Change", class: "actions", cell: (rule, i) => [
        h("button", { type: "button", class: "quiet tiny", "data-focus": `e${i}`, "aria-label": `Edit ${visible(rule.name)}`, onclick: () => edit(rule) }, "Edit"),
        h("button", { type: "button", class: "quiet tiny", "data-focus": `d${i}`, "aria-label": `Delete ${visible(rule.name)}`, onclick: () => drop(rule) }, "Delete")] },
    ],
    load: async (offset, limit) => {
      const { key, order } = grid.sorted();
      const sign = order === "up" ? 1 : -1;
      const compare = (a, b) => (key === "count" ? a.count - b.count : String(a[key]).localeCompare(String(b[key]), "en", { numeric: true }));
      const sorted = key ? [...shown].sort((a, b) => sign * compare(a, b)) : shown;
      return { matching: sorted.length, rows: sorted.slice(offset, offset + limit) };
    },
    onKey: (event, rule) => {
      if (event.key === "Enter") edit(rule);
      else if (event.key === "Delete") drop(rule);
      else return;
      event.preventDefault();
    },
  });
  search.addEventListener("input", debounce(150, () => select()));
  fill(box, h("div", { class: "row end toolbar" }, h("div", { class: "grow" }, field("Search", search)),
    h("button", { type: "button", class: "primary", onclick: () => edit(null) }, "Add"), steps.undo, steps.redo,
    h("button", { type: "button", onclick: () => download("rules.json", JSON.stringify(book, null, 1), "application/json") }, "Export")),
  silence, count, grid.element);
  refresh();

  async function refresh() {
    try {
      book = await get("/v1/rules", { run: run.run });
      fill(silence, book.silence && notice(book.silence, "warn"));
      select(true);
    } catch (error) {
      fill(silence, notice(error.message, "bad"));
    }
  }

  function select(keepPlace = false) {
    const wanted = search.value.toLowerCase();
    shown = book.rules.filter((rule) => `${rule.name} ${rule.rule} ${rule.example}`.toLowerCase().includes(wanted));
    fill(count, wanted ? `${plural(shown.length, "rule")} of ${number(book.rules.length)} match` : plural(shown.length, "rule"));
    grid.reload({ keepPlace });
  }

  function edit(rule) {
    dialog(rule ? `Edit the rule ${visible(rule.name)}` : "Add a rule", (close) => {
      const text = h("input", { value: rule?.rule ?? "", required: true, autocomplete: "off", spellcheck: "false", class: "mono" });
      const like = h("input", { autocomplete: "off", spellcheck: "false" });
      const problem = h("div", {});
      const save = async (event) => {
        event.preventDefault();
        try {
          const { state } = await post("/v1/rules", { run: run.run, rule: text.value, like: like.value, ...(rule ? { replaces: rule.name } : {}) });
          close();
          steps.update(state);
          toast(`Saved: ${text.value}`);
          await refresh();
        } catch (error) {
          fill(problem, notice(error.message, "bad"));
        }
      };
      return h("form", { onsubmit: save }, field("Rule", text, "For instance: _ thrice -> #0 #0 #0"),
        field("Like", like, "A rule whose holes take the same things; may be empty."), problem,
        h("div", { class: "row" }, h("button", { class: "primary" }, "Save"), h("button", { type: "button", onclick: close }, "Cancel")));
    });
  }

  async function drop(rule) {
    try {
      const { state } = await remove("/v1/rules", { run: run.run, name: rule.name });
      steps.update(state);
      toast(`Deleted: ${rule.rule}. Undo brings it back.`);
      await refresh();
      grid.grid.focus();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  return grid;
}
