// Try: a sentence, its output as it is typed, and for each token of the output the reason why it is there.

import { get, newest, post } from "../api.js";
import { debounce, field, fill, h, notice, number, visible, word } from "../dom.js";
import { link, remember } from "../state.js";
import { legend, lexiconRow, meter, ruleBehind, stage, tokenDetails } from "../parts/stage.js";
import { derivation } from "../parts/tree.js";

const WAIT = 150;
const N_BEST = 5;

export function mount(root, { run, path, params }) {
  const sentence = h("textarea", { class: "sentence", rows: 2, spellcheck: "false", autocapitalize: "off", dir: "auto", value: params.get("s") || "" });
  const answer = h("div", { class: "answer", "aria-live": "polite", "aria-atomic": "true" });
  const picture = h("div", {});
  const details = h("div", { class: "panel details" });
  const others = h("div", {});
  const samples = h("div", { class: "row samples" });
  const by = h("select", {}, [["both", "the rules, then the network"], ["rules", "the rules alone"], ["network", "the network alone"]].map(([value, text]) => h("option", { value, selected: value === params.get("by") }, text)));
  const chips = h("div", { class: "panel" }, field("Sentence", sentence, "The output follows as you type."), samples,
    run.has_rules && run.has_network && h("div", { class: "who" }, field("Who is asked", by)));
  let current = null;

  fill(root,
    h("h1", {}, "Try"),
    h("p", { class: "lead" }, "Type a sentence. The colour of a token says who made it; hover it, or move to it with the keyboard, to see why."),
    run.caveat && notice(`Teaching: ${run.caveat}`, "warn"),
    chips,
    h("div", { class: "columns tried" },  // on a phone the reason of a token comes right below it
      h("section", { class: "panel", "aria-label": "Output" }, answer, picture, legend()), details, others));
  explainNothing();

  const translate = newest((signal, text) =>
    post("/v1/translate", { run: run.run, texts: [text], n_best: N_BEST, beam: Math.max(N_BEST, run.beam || 1), by: by.value, explain: true }, signal));
  const lookUp = newest((signal, term) =>
    get("/v1/lexicon", { run: run.run, search: term, limit: 50, sort: "probability", order: "down" }, signal));

  const update = async () => {
    const text = sentence.value.replace(/\s+/g, " ").trim();
    remember({ s: text, by: by.value === "both" ? "" : by.value });
    if (!text) {
      translate.forget();
      current?.stop();
      current = null;
      fill(answer, h("p", { class: "soft" }, "The output appears here."));
      fill(picture);
      fill(others);
      explainNothing();
      return;
    }
    try {
      const result = await translate(text);
      if (result) showOutputs(result.translations[0].outputs);
    } catch (error) {
      fill(answer, notice(error.message, "bad"));
      fill(picture);
      fill(others);
    }
  };
  sentence.addEventListener("input", debounce(WAIT, update));
  by.addEventListener("change", update);
  update();
  offerSamples();

  function showOutputs(outputs) {
    const [best] = outputs;
    current?.stop();
    fill(answer, h("p", { class: "output-text" }, h("span", { class: "hidden-text" }, "Output: "), word(best.text || "(nothing)")),
      best.by === "nobody" && notice("Nobody could answer: this run has rules alone, and they derive nothing here.", "warn"));
    current = best.explanation ? stage(best, (i) => explain(best, i)) : null;
    fill(picture, current?.element, best.explanation?.derivation && [h("h2", {}, "Derivation"), derivation(best.explanation.derivation)]);
    explainNothing();
    fill(others, outputs.length > 1 && h("section", { class: "panel", "aria-label": "Other outputs" },
      h("h2", {}, `The ${outputs.length} best outputs`), nBest(outputs)));
  }

  async function explain(output, i) {
    const origin = output.explanation.origins?.[i];
    const rule = ruleBehind(output, i);
    const isWord = origin && origin.how !== "rule";
    const row = h("div", {}, h("h3", {}, "Lexicon"), h("p", { class: "soft" }, "Looking it up …"));
    const links = [
      rule && h("a", { class: "button", href: link("rules", { q: rule.text }) }, "Open in the rules"),
      isWord && h("a", { class: "button", href: link("lexicon", { q: origin.source }) }, "Open in the lexicon"),
      isWord && h("a", { class: "button", href: link("teach", { source: origin.source }) }, "Teach another meaning"),
    ];
    fill(details, tokenDetails(output, i), isWord && row, links.some(Boolean) && h("p", { class: "row after" }, links));
    lookUp.forget();
    if (!isWord) return;
    try {
      const page = await lookUp(origin.source);
      if (page) fill(row, lexiconRow(origin.source, page.rows, output.explanation.tokens[i]));
    } catch (error) {
      fill(row, notice(error.message, "bad"));
    }
  }

  function explainNothing() {
    fill(details, h("h2", {}, "Why?"), h("p", { class: "soft" }, "Choose a token of the output: its attention, its gate, and the row of the lexicon or the rule behind it appear here."));
  }

  async function offerSamples() {
    const { samples: found } = await get("/studio/samples", { path }).catch(() => ({ samples: [] }));
    if (!found.length) return;
    const step = Math.max(1, Math.floor(found.length / 5));
    fill(samples, h("span", { class: "small soft" }, "For instance"), found.filter((_, i) => i % step === 0).slice(0, 5).map((sample) =>
      h("button", { type: "button", class: "tiny", onclick: () => { sentence.value = sample.source; update(); } }, word(sample.source))));
    // Who has begun to type, or is about to, is not interrupted.
    if (!sentence.value.trim() && document.activeElement !== sentence) { sentence.value = found[0].source; update(); }
  }

  return () => current?.stop();
}

function nBest(outputs) {
  return h("div", { class: "scroll-x fits", tabindex: "0", role: "region", "aria-label": "The best outputs" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "#"), h("th", { scope: "col" }, "Output"),
      h("th", { scope: "col" }, "By"), h("th", { scope: "col", class: "number" }, "log p"), h("th", { scope: "col" }, "p"))),
    h("tbody", {}, outputs.map((output, i) => h("tr", {},
      h("td", { class: "number" }, i + 1),
      h("td", {}, word(output.text || "(nothing)")),
      h("td", {}, visible(output.by)),
      h("td", { class: "number" }, number(output.log_prob, 2)),
      h("td", {}, output.log_prob === null ? "–" : meter(Math.exp(output.log_prob), Math.exp(output.log_prob).toFixed(3))))))));
}
