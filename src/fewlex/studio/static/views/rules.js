// Rules: the same table as for the lexicon, for runs that have learned rules.

import { get, newest, post, remove } from "../api.js";
import { debounce, dialog, field, fill, h, notice, number, percent, plural, toast, visible, word } from "../dom.js";
import { remember } from "../state.js";
import { changedTable } from "../parts/diff.js";
import { heatPanel } from "../parts/heat_panel.js";
import { history } from "../parts/history.js";
import { importDialog } from "../parts/import_dialog.js";
import { evaluationFile, sourcesOf } from "../parts/sentences.js";
import { virtualTable } from "../parts/virtual_table.js";

const TRIED = 200;
const HEAT_RULES = 60;
const IMPORT = {
  title: "Import rules",
  about: "One rule a line, as Export writes them: _ twice -> #0 #0. What you did not change keeps what was learned about it.",
  drop: "Drop a .txt or .json file of rules here",
  accept: ".txt,.json",
  path: "/v1/rules/import",
  thing: "rule",
  replaces: "Replace all rules",
  columns: [["Name"], ["Before"], ["After"]],
  format: (name) => (name.endsWith(".json") ? "json" : "txt"),
  rows: (answer) => answer.changes.map(({ name, before, after }) => [
    before === null ? "added" : after === null ? "removed" : "changed", word(name), said(before), said(after)]),
};

function said(text) {
  return text === null ? "–" : word(text, { class: "mono" });
}

export function mount(root, { run, path, params }) {
  const box = h("div", {});
  let stop = () => {};
  fill(root, h("h1", {}, "Rules"),
    h("p", { class: "lead" }, "How the run builds long outputs from short ones. A hole is written _ in the source and #0, #1 … in the target."), box);
  if (run.has_rules) stop = table(box, run, path, params);
  else fill(box, notice("This run has no rules. Train with the preset rules, or choose “Learn rules too”."));
  return () => stop();
}

function table(box, run, path, params) {
  const search = h("input", { type: "search", value: params.get("q") || "", placeholder: "part of a rule" });
  const count = h("p", { class: "soft small", role: "status" });
  const trust = h("div", {});
  const steps = history(run, (state) => changed(state));
  const heat = heatPanel({
    title: "What fills the holes",
    empty: "No hole has been filled.",
    axes: ["hole", "class of words or rule"],
    load: async (signal) => {
      const page = await get("/v1/rules", { run: run.run, search: search.value, limit: HEAT_RULES }, signal);
      return page.rules.flatMap((rule) => rule.fillers.flatMap((fillers, hole) => shares(rule.name, hole, fillers)));
    },
  });
  const file = evaluationFile(path, () => {});
  const wordsCount = h("p", { class: "soft small", role: "status" });
  const grid = virtualTable({
    label: "Rules. Arrow keys move, Enter edits, Delete removes.",
    kind: "v-rules",
    empty: "No rule matches.",
    columns: [
      { name: "Name", sort: "name", cell: (rule) => word(rule.name) },
      { name: "Rule", sort: "rule", cell: (rule) => word(rule.rule, { class: "mono", title: visible(rule.rule) }) },
      { name: "What it does", sort: "does", class: "phone-off", cell: (rule) => h("span", { title: rule.does }, visible(rule.does)) },
      { name: "Used", sort: "count", class: "number phone-off", cell: (rule) => number(rule.count) },
      { name: "Example", sort: "example", class: "phone-off", cell: (rule) => word(rule.example) },
      { name: "Who says so", sort: "origin", class: "phone-off", cell: (rule) => visible(rule.origin) },
      { name: "Change", class: "actions", cell: (rule, i) => [
        h("button", { type: "button", class: "quiet tiny", "data-focus": `e${i}`, "aria-label": `Edit ${visible(rule.name)}`, onclick: () => edit(rule) }, "Edit"),
        h("button", { type: "button", class: "quiet tiny", "data-focus": `d${i}`, "aria-label": `Delete ${visible(rule.name)}`, onclick: () => drop(rule) }, "Delete")] },
    ],
    load: async (offset, limit) => {
      const { key, order } = grid.sorted();
      const page = await get("/v1/rules", { run: run.run, search: search.value, sort: key || "file", order, offset, limit });
      fill(trust, page.silence ? notice(page.silence, "warn") : trustLine(page.trust));
      fill(count, search.value ? `${plural(page.matching, "rule")} of ${number(page.total)} match` : plural(page.total, "rule"));
      return page;
    },
    rows: (page) => page.rules,
    onKey: (event, rule) => {
      if (event.key === "Enter") edit(rule);
      else if (event.key === "Delete") drop(rule);
      else return;
      event.preventDefault();
    },
  });
  const words = virtualTable({
    label: "Words of the rules",
    kind: "v-words",
    empty: "No word matches.",
    columns: [
      { name: "Word", sort: "source", cell: (row) => word(row.source) },
      { name: "Stands for", sort: "target", cell: (row) => word(row.target || "(nothing)") },
      { name: "Class", sort: "kind", cell: (row) => word(row.kind) },
      { name: "Who says so", sort: "origin", class: "phone-off", cell: (row) => visible(row.origin) },
    ],
    load: async (offset, limit) => {
      const { key, order } = words.sorted();
      const page = await get("/v1/rules/words", { run: run.run, search: search.value, sort: key || "file", order, offset, limit });
      fill(wordsCount, search.value ? `${plural(page.matching, "word")} of ${number(page.total)} match` : plural(page.total, "word"));
      return page;
    },
    rows: (page) => page.words,
    onKey: () => {},
  });

  fill(box, h("div", { class: "row end toolbar" }, h("div", { class: "grow" }, field("Search", search)),
    h("button", { type: "button", class: "primary", onclick: () => edit(null) }, "Add"), steps.undo, steps.redo,
    h("button", { type: "button", onclick: () => importDialog(run.run, IMPORT, changed) }, "Import"),
    h("a", { class: "button", href: `/v1/rules/export?${new URLSearchParams({ run: run.run, format: "txt" })}`, download: "rules.txt" }, "Export"),
    heat.button),
  trust, count, grid.element, heat.element,
  h("h2", {}, "Words that fill the holes"),
  h("p", { class: "soft small" }, "Words of one class fill the same holes. Teach another word in the view Teach, or add it here like a word that is known."),
  wordsCount, words.element);
  search.addEventListener("input", debounce(150, () => {
    remember({ q: search.value });
    reload();
  }));
  reload();

  function reload(options) {
    heat.reload();
    return Promise.all([grid.reload(options), words.reload(options)]).catch(told);
  }

  function changed(state, message) {
    steps.update(state);
    if (message) toast(message);
    return reload({ keepPlace: true });
  }

  function edit(rule) {
    dialog(rule ? `Edit the rule ${visible(rule.name)}` : "Add a rule", (close) => {
      const text = h("input", { value: rule?.rule ?? "", required: true, autocomplete: "off", spellcheck: "false", class: "mono" });
      const like = h("input", { autocomplete: "off", spellcheck: "false" });
      const problem = h("div", {});
      const preview = h("div", { "aria-live": "polite" });
      const body = (more) => ({ run: run.run, rule: text.value, like: like.value, ...(rule ? { replaces: rule.name } : {}), ...more });
      const ask = newest((signal) => post("/v1/rules", body({ preview: true, sentences: sourcesOf(file.current(), TRIED) }), signal));
      const look = debounce(300, async () => {
        fill(problem);
        if (!text.value.trim() || text.value === rule?.rule) return fill(preview);
        try {
          const answer = await ask();
          if (answer) fill(preview, h("p", {}, `This changes the output of ${answer.changed.length} of ${plural(answer.compared, "sentence")}.`), changedTable(answer.changed));
        } catch {
          fill(preview);  // the rule may be half written; Save says what is wrong with it
        }
      });
      for (const input of [text, like]) input.addEventListener("input", look);
      const save = async (event) => {
        event.preventDefault();
        try {
          const { state } = await post("/v1/rules", body({}));
          close();
          await changed(state, `Saved: ${text.value}`);
        } catch (error) {
          fill(problem, notice(error.message, "bad"));
        }
      };
      return h("form", { onsubmit: save }, field("Rule", text, "For instance: _ thrice -> #0 #0 #0"),
        !rule && field("Like", like, "A rule whose holes take the same things, or a known word for a new word; may be empty."), problem, preview,
        h("div", { class: "row" }, h("button", { class: "primary" }, "Save"), h("button", { type: "button", onclick: close }, "Cancel")));
    });
  }

  async function drop(rule) {
    try {
      const { state } = await remove("/v1/rules", { run: run.run, name: rule.name });
      await changed(state, `Deleted: ${rule.rule}. Undo brings it back.`);
      if (document.activeElement === document.body) grid.grid.focus();  // the button that had the focus went with its row
    } catch (error) {
      told(error);
    }
  }

  function told(error) {
    toast(error.message, "bad");
  }

  return () => { grid.stop(); words.stop(); heat.stop(); };
}

// Each kind that has filled a hole, with its share of all that have.
function shares(name, hole, fillers) {
  const all = Object.values(fillers).reduce((sum, n) => sum + n, 0);
  return Object.entries(fillers).map(([kind, n]) => ({ source: `${name} #${hole}`, target: kind, probability: n / all }));
}

function trustLine(trust) {
  if (!trust.pairs) return null;
  const checked = trust.precision === null || !trust.checked ? "" : ` On ${plural(trust.checked, "held-out case")}, ${percent(trust.precision)} of their surest answers were right (a cautious estimate).`;
  return h("p", { class: "small" }, `The rules derive ${percent(trust.derived)} of ${plural(trust.pairs, "training pair")}.${checked}`);
}
