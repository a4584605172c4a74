// Evaluate: how often the run is right on a file, by category, and each of its mistakes with the reason.

import { newest, post } from "../api.js";
import { download, fill, h, notice, number, percent, plural, visible, word } from "../dom.js";
import { link } from "../state.js";
import { diffParts } from "../parts/diff.js";
import { evaluationFile } from "../parts/sentences.js";
import { meter } from "../parts/stage.js";

const ERRORS = 1000;
const SHOWN = 100;

export function mount(root, { run, path }) {
  const result = h("div", { "aria-live": "polite" });
  const start = h("button", { type: "button", class: "primary", disabled: true, onclick: evaluate }, "Evaluate");
  const file = evaluationFile(path, () => { start.disabled = false; });
  start.disabled = !file.current();
  fill(root,
    h("h1", {}, "Evaluate"),
    h("p", { class: "lead" }, "Source, tab, target on each line, and maybe a category. Mistakes come first, each with what is missing, what is too much, and why."),
    h("section", { class: "panel", "aria-label": "Evaluation file" }, file.element, h("p", { class: "row form-end" }, start)),
    result);

  const ask = newest((signal, body) => post("/v1/evaluate", body, signal));

  async function evaluate() {
    const chosen = file.current();
    fill(result, h("p", { class: "soft" }, "Translating …"));
    start.disabled = true;
    try {
      const data = chosen.pairs ? { pairs: chosen.pairs } : { content: chosen.content, name: chosen.name };
      const answer = await ask({ run: run.run, errors: ERRORS, ...data });
      if (answer) show(answer);
    } catch (error) {
      fill(result, notice(error.line ? `Line ${error.line}: ${error.message}` : error.message, "bad"));
    }
    start.disabled = false;
  }

  function show({ scores, errors, total_errors: total }) {
    fill(result,
      h("section", { class: "figures", "aria-label": "Scores" },
        figure("Exact match", percent(scores.exact_match), `${scores.examples - total} of ${plural(scores.examples, "sentence")}`),
        figure("BLEU", number(100 * scores.bleu, 1), "of tokens"),
        figure("Token F1", percent(scores.token_f1), "tokens as bags")),
      categories(scores.by_category),
      h("section", { class: "panel", "aria-label": "Mistakes" },
        h("div", { class: "row spread" }, h("h2", {}, total ? plural(total, "mistake") : "No mistake"),
          total > 0 && h("button", { type: "button", onclick: () => download("mistakes.tsv", asTsv(errors)) }, "Export TSV")),
        total > 0 && mistakes(errors)));
  }

  function mistakes(errors) {
    return [h("p", { class: "small soft" }, "− was expected and not said, + was said and not expected."), h("ol", { class: "mistakes" }, errors.slice(0, SHOWN).map((error) => h("li", {},
      h("p", { class: "row spread" },
        h("a", { href: link("try", { s: error.source }) }, word(error.source)),
        h("span", { class: "small soft" }, `line ${error.number}`, error.category && [" · ", visible(error.category)])),
      h("p", { class: "mono" }, diffParts(error.diff)),
      error.reasons.length > 0 && h("ul", { class: "small reasons" }, error.reasons.map((reason) => h("li", {}, visible(reason))))))),
    errors.length > SHOWN && h("p", { class: "small soft" }, `and ${plural(errors.length - SHOWN, "more mistake")}: export them to see all`)];
  }
}

function figure(name, value, told) {
  return h("div", { class: "panel figure" }, h("div", { class: "small soft" }, name), h("div", { class: "figure-value" }, value), h("div", { class: "small soft" }, told));
}

function categories(shares) {
  const names = Object.entries(shares || {}).sort((a, b) => a[1] - b[1]);
  if (!names.length) return null;
  return h("section", { class: "panel", "aria-label": "By category" }, h("h2", {}, "Exact match by category"),
    h("ul", { class: "bars" }, names.map(([name, share]) => h("li", {}, word(name), meter(share, percent(share))))));
}

function asTsv(errors) {
  const cell = (text) => String(text).replace(/[\t\r\n]+/g, " ");
  const rows = errors.map((error) => [error.number, error.source, error.target, error.output, error.category, error.reasons.join("; ")]);
  return [["line", "source", "target", "output", "category", "reasons"], ...rows].map((row) => row.map(cell).join("\t")).join("\n") + "\n";
}
