// Train: dropped data and what is wrong with it, the lexicon it would teach, a training to watch, curves to compare.

import { get, newest, post } from "../api.js";
import { field, fill, h, notice, number, plural, toast, visible } from "../dom.js";
import { asBase64, dropZone } from "../parts/drop_zone.js";
import { redraw } from "../parts/chart.js";
import { reading } from "../parts/reading.js";
import { FIGURES, watchTraining } from "../parts/training.js";
import { freeName } from "./runs.js";

const MOST_CURVES = 6;

export function mount(root, { cards, params, refresh }) {
  let data = null;
  let files = [];
  let passes = "";
  const read = h("div", { "aria-live": "polite" });
  const dataset = h("select", {}, h("option", { value: "" }, "the dropped file"), h("option", { value: "colors" }, "Colors (comes with fewlex)"),
    ["jump", "around_right", "length"].map((name) => h("option", { value: `scan:${name}` }, `SCAN, ${name.replace("_", " ")}`)));
  const name = h("input", { autocomplete: "off", required: true, pattern: "[A-Za-z0-9_][\\w.\\-]{0,63}" });
  const preset = h("select", {}, [["auto", "auto: what follows from the data"], ["fast", "fast"], ["rules", "rules alone, in seconds"], ["paper", "paper"], ["transformer", "transformer"], ["syntactic_attention", "syntactic attention"]].map(([value, text]) => h("option", { value }, text)));
  const budget = h("select", {}, [["", "no limit"], ["1m", "1 minute"], ["5m", "5 minutes"], ["20m", "20 minutes"], ["1h", "1 hour"]].map(([value, text]) => h("option", { value }, text)));
  const epochs = h("input", { type: "number", min: 1, max: 10000, placeholder: "as the preset says" });
  const networks = h("select", {}, [["1", "one"], ["2", "two that answer together, twice the time"], ["4", "four that answer together, four times the time"]].map(([value, text]) => h("option", { value }, text)));
  const rules = h("input", { type: "checkbox" });
  const start = h("button", { class: "primary" }, "Start training");
  const problem = h("div", {});
  const job = h("div", {});
  const curves = h("section", { class: "panel", "aria-label": "Learning curves of finished runs" });

  fill(root,
    h("h1", {}, "Train"),
    h("p", { class: "lead" }, "Drop pairs of sentences: one .tsv, .csv, .json or .jsonl file, two parallel text files, or train.tsv with test.tsv. Nothing leaves this machine."),
    job,
    h("section", { class: "panel", "aria-label": "Data" }, h("h2", {}, "Data"),
      dropZone("Drop your data here", ".tsv,.csv,.json,.jsonl,.txt,.src,.trg", check, { multiple: true }), read),
    h("form", { class: "panel", onsubmit: begin, "aria-label": "Training" }, h("h2", {}, "Training"),
      h("div", { class: "fields" }, field("Data", dataset), field("Name of the run", name), field("Preset", preset),
        field("Time budget", budget), field("Passes over the data", epochs), field("Networks", networks)),
      h("label", { class: "check" }, rules, "Learn rules too; they answer first where they are sure"),
      problem, h("div", { class: "row form-end" }, start)),
    curves);

  dataset.addEventListener("change", () => { suggestName(); suggestPasses(); });
  preset.addEventListener("change", suggestPasses);
  suggestName();
  const training = watchTraining(job, params.get("job") || "", async () => {
    cards = await refresh();
    suggestName();
    offerCurves();
  });
  offerCurves();

  function suggestName() {
    const wanted = dataset.value ? dataset.value.replace(":", "-") : (files[0]?.name || "mine").replace(/\.\w+$/, "").replace(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9_]+/, "") || "mine";
    name.value = freeName(wanted.slice(0, 50), cards);
  }

  // Presets that do not look at the data would train a small file too briefly.
  function suggestPasses() {
    epochs.value = dataset.value || ["auto", "rules"].includes(preset.value) ? "" : passes;
  }

  const askWhatItIs = newest(async (signal, dropped) => {
    const content = await Promise.all(dropped.map(async (file) => ({ name: file.name, base64: await asBase64(file) })));
    return post("/studio/check", { files: content }, signal);
  });

  async function check(dropped) {
    files = dropped;
    fill(read, h("p", { class: "soft" }, "Reading …"));
    try {
      const answer = await askWhatItIs(files);
      if (!answer) return;
      data = answer.data || null;
      dataset.value = "";
      suggestName();
      passes = answer.suggested_epochs;
      suggestPasses();
      fill(read, reading(files.map((file) => file.name), answer, files.length === 2 ? () => check([files[1], files[0]]) : null));
      if (data) await previewLexicon();
    } catch (error) {
      data = null;
      fill(read, notice(error.message, "bad"));
    }
  }

  async function previewLexicon() {
    const box = h("div", {}, h("p", { class: "soft" }, "Learning the lexicon …"));
    read.append(box);
    const found = await post("/studio/lexicon", { data });
    fill(box, h("h3", {}, "The lexicon it would learn"),
      h("p", {}, `${plural(found.total, "entry", "entries")} for ${found.covered} of ${plural(found.words, "source word")}, by ${visible(found.method)}, in ${number(found.seconds, 2)} s.`),
      found.entries.length > 0 && h("div", { class: "scroll-x tall", tabindex: "0", role: "region", "aria-label": "Learned lexicon" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Source"), h("th", { scope: "col" }, "Target"), h("th", { scope: "col", class: "number" }, "Weight"))),
        h("tbody", {}, found.entries.map((row) => h("tr", {}, h("td", {}, h("bdi", {}, visible(row.source))), h("td", {}, h("bdi", {}, visible(row.target))), h("td", { class: "number" }, number(row.weight, 2))))))));
  }

  async function begin(event) {
    event.preventDefault();
    fill(problem);
    const chosen = dataset.value || data;
    if (!chosen) return fill(problem, notice("There is no data yet. Drop a file, or choose a data set.", "bad"));
    try {
      const body = { name: name.value, data: chosen, preset: preset.value, budget: budget.value, networks: Number(networks.value), rules: rules.checked };
      if (epochs.value) body.epochs = Number(epochs.value);
      const { name: started } = await post("/studio/train", body);
      training.follow(started);
      scrollTo({ top: 0 });
    } catch (error) {
      fill(problem, notice(error.message, "bad"));
    }
  }

  function offerCurves() {
    const finished = cards.filter((card) => card.state === "finished");
    if (!finished.length) return fill(curves, h("h2", {}, "Learning curves"), h("p", { class: "soft" }, "Finished runs are compared here."));
    const picture = h("div", {});
    const boxes = finished.slice(0, 40).map((card, i) => h("label", { class: "check" },
      h("input", { type: "checkbox", value: card.path, checked: i < 2, onchange: draw }), visible(card.path)));
    fill(curves, h("h2", {}, "Learning curves"), h("fieldset", { class: "row ways" }, h("legend", {}, `Runs to compare, up to ${MOST_CURVES}`), boxes), picture);
    const ask = newest((signal, paths) => Promise.all(paths.map(async (path) => ({ name: path, rows: (await get("/studio/curve", { path }, signal)).rows }))));
    draw();

    async function draw() {
      const chosen = boxes.map((box) => box.firstChild).filter((box) => box.checked).slice(0, MOST_CURVES);
      try {
        const series = await ask(chosen.map(({ value }) => value));
        if (!series) return;
        redraw(picture, series.filter(({ rows }) => rows.length), FIGURES);
        const without = series.filter(({ rows }) => !rows.length).map(({ name: run }) => visible(run));
        if (without.length) picture.append(h("p", { class: "small soft" }, `Without a curve, since rules are learned at once: ${without.join(", ")}.`));
      } catch (error) {
        toast(error.message, "bad");
      }
    }
  }

  return training.stop;
}
