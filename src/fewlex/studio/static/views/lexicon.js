// Lexicon: every row of it, searched, sorted, edited; each edit goes into the run's journal and can be undone.

import { get, post, Problem, remove } from "../api.js";
import { debounce, dialog, field, fill, h, notice, number, plural, toast, visible, word } from "../dom.js";
import { remember } from "../state.js";
import { history } from "../parts/history.js";
import { heatPanel } from "../parts/heat_panel.js";
import { importDialog } from "../parts/import_dialog.js";
import { meter } from "../parts/stage.js";
import { virtualTable } from "../parts/virtual_table.js";

const HEAT_ROWS = 600;
const IMPORT = {
  title: "Import a lexicon",
  about: "The table has a header: source, target, weight, and if you like origin, dice and like, with tabs between them.",
  drop: "Drop a .tsv or .json lexicon here",
  accept: ".tsv,.json,.txt",
  path: "/v1/lexicon/import",
  thing: "row",
  replaces: "Replace the whole lexicon",
  columns: [["Source"], ["Target"], ["Weight", "number"]],
  format: (name) => (name.endsWith(".json") ? "json" : "tsv"),
  rows: (answer) => [
    ...answer.added.map((row) => ["added", word(row.source), word(row.target), number(row.weight, 2)]),
    ...answer.changed.map(({ before, after }) => ["changed", word(after.source), word(after.target), `${number(before.weight, 2)} → ${number(after.weight, 2)}`]),
    ...answer.removed.map((row) => ["removed", word(row.source), word(row.target), number(row.weight, 2)]),
  ],
};

export function mount(root, { run, params }) {
  const search = h("input", { type: "search", value: params.get("q") || "", placeholder: "part of a word" });
  const count = h("p", { class: "soft small", role: "status" });
  const steps = history(run, (state) => changed(state));
  const heat = heatPanel({
    title: "Heat map",
    empty: "No row matches.",
    load: async (signal) => (await get("/v1/lexicon", { run: run.run, search: search.value, limit: HEAT_ROWS }, signal)).rows,
  });

  const table = virtualTable({
    label: "Lexicon. Arrow keys move, Enter edits, Delete removes.",
    empty: "No row matches.",
    columns: [
      { name: "Source", sort: "source", class: "wide", cell: (row) => word(row.source) },
      { name: "Target", sort: "target", class: "wide", cell: (row) => word(row.target) },
      { name: "Weight", sort: "weight", class: "number", cell: (row) => number(row.weight, 2) },
      { name: "Confidence", sort: "probability", class: "phone-off", cell: (row) => row.probability === null ? "–" : meter(row.probability, row.probability.toFixed(2)) },
      { name: "Who says so", sort: "origin", class: "phone-off", cell: (row) => [visible(row.origin), row.like && [" · like ", word(row.like)]] },
      { name: "Change", class: "actions", cell: (row, i) => [
        h("button", { type: "button", class: "quiet tiny", "data-focus": `e${i}`, "aria-label": `Edit ${visible(row.source)} ${visible(row.target)}`, onclick: () => edit(row) }, "Edit"),
        h("button", { type: "button", class: "quiet tiny", "data-focus": `d${i}`, "aria-label": `Delete ${visible(row.source)} ${visible(row.target)}`, onclick: () => drop(row) }, "Delete")] },
    ],
    load: async (offset, limit) => {
      const { key, order } = table.sorted();
      const page = await get("/v1/lexicon", { run: run.run, search: search.value, sort: key || "file", order, offset, limit });
      fill(count, search.value ? `${plural(page.matching, "row")} of ${number(page.total)} match` : plural(page.total, "row"));
      return page;
    },
    onKey: (event, row) => {
      if (event.key === "Enter") edit(row);
      else if (event.key === "Delete") drop(row);
      else return;
      event.preventDefault();
    },
  });

  fill(root,
    h("h1", {}, "Lexicon"),
    h("p", { class: "lead" }, "What each source word can become, and who says so. Every change counts from the next sentence on."),
    h("div", { class: "row end toolbar" },
      h("div", { class: "grow" }, field("Search", search)),
      h("button", { type: "button", class: "primary", onclick: () => edit(null) }, "Add"), steps.undo, steps.redo,
      h("button", { type: "button", onclick: () => importDialog(run.run, IMPORT, changed) }, "Import"),
      h("a", { class: "button", href: `/v1/lexicon/export?${new URLSearchParams({ run: run.run, format: "tsv" })}`, download: "lexicon.tsv" }, "Export"),
      heat.button),
    count, table.element, heat.element);

  search.addEventListener("input", debounce(150, () => {
    remember({ q: search.value });
    table.reload().catch(told);
    heat.reload();
  }));
  table.reload().catch(told);

  function changed(newState, message) {
    steps.update(newState);
    if (message) toast(message);
    heat.reload();
    return table.reload({ keepPlace: true }).catch(told);
  }

  function edit(row) {
    dialog(row ? "Edit a translation" : "Add a translation", (close) => {
      const source = h("input", { value: row?.source ?? search.value, required: true, disabled: Boolean(row), autocomplete: "off", dir: "auto" });
      const target = h("input", { value: row?.target ?? "", required: true, autocomplete: "off", dir: "auto" });
      const weight = h("input", { type: "number", step: "any", value: row?.weight ?? 1, required: true });
      const like = h("input", { value: row?.like ?? "", autocomplete: "off" });
      const problem = h("div", {});
      const save = async (event) => {
        event.preventDefault();
        try {
          const body = { run: run.run, source: source.value, target: target.value, weight: Number(weight.value), like: like.value };
          if (row && row.target !== target.value) body.replaces = row.target;
          const { state: now } = await post("/v1/lexicon", body);
          close();
          await changed(now, `Saved: ${source.value} → ${target.value}`);
        } catch (error) {
          fill(problem, notice(error.message, "bad"));
        }
      };
      return h("form", { onsubmit: save }, field("Source", source), field("Target", target),
        h("div", { class: "halves" }, field("Weight", weight, "Larger is better within a row."), field("Like", like, "A known word that behaves the same; may be empty.")),
        problem, h("div", { class: "row" }, h("button", { class: "primary" }, "Save"), h("button", { type: "button", onclick: close }, "Cancel")));
    });
  }

  async function drop(row) {
    try {
      const { state: now } = await remove("/v1/lexicon", { run: run.run, source: row.source, target: row.target });
      await changed(now, `Deleted: ${row.source} → ${row.target}. Undo brings it back.`);
      if (document.activeElement === document.body) table.grid.focus();  // the button that had the focus went with its row
    } catch (error) {
      told(error);
    }
  }

  function told(error) {
    if (!(error instanceof Problem)) throw error;
    toast(error.message, "bad");
  }

  return () => { table.stop(); heat.stop(); };
}
