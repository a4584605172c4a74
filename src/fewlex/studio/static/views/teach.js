// Teach: a word by its translation, or by a sentence; before it is saved, what it would change.

import { newest, post } from "../api.js";
import { debounce, field, fill, h, notice, plural, toast, word } from "../dom.js";
import { changedTable } from "../parts/diff.js";
import { evaluationFile, sourcesOf } from "../parts/sentences.js";

const MOST = 1000;

export function mount(root, { run, path, params }) {
  let state = run;
  let way = "pair";
  const source = h("input", { value: params.get("source") || "", autocomplete: "off", dir: "auto", spellcheck: "false" });
  const target = h("input", { autocomplete: "off", dir: "auto", spellcheck: "false" });
  const like = h("input", { autocomplete: "off", spellcheck: "false" });
  const hints = h("p", { class: "soft small" });
  const save = h("button", { class: "primary", disabled: true }, "Teach");
  const undo = h("button", { type: "button", disabled: !state.can_undo, onclick: takeBack }, "Undo the last edit");
  const preview = h("section", { class: "panel", "aria-label": "What would change", "aria-live": "polite" });
  const file = evaluationFile(path, () => look());
  const [sourceField, targetField] = [field("Source", source), field("Target", target)];

  const ways = h("fieldset", { class: "ways" }, h("legend", {}, "How"),
    [["pair", "a word and its translation"], ["example", "a sentence with one new word, and its translation"]].map(([value, text]) =>
      h("label", { class: "check" }, h("input", { type: "radio", name: "way", value, checked: value === way, onchange: () => { way = value; describe(); look(); } }), text)));

  fill(root,
    h("h1", {}, "Teach"),
    h("p", { class: "lead" }, "One pair is enough: no retraining. What was known about the word before is replaced, and Undo brings it back."),
    run.caveat && notice(`Note: ${run.caveat}`, "warn"),
    h("div", { class: "columns" },
      h("form", { class: "panel", onsubmit: teach }, ways, hints,
        h("div", { class: "halves" }, sourceField, targetField),
        field("Like (may be empty)", like, "A known source word that behaves the same."),
        h("div", { class: "row form-end" }, save, undo)),
      h("section", { class: "panel", "aria-label": "Evaluation file" }, h("h2", {}, "Try it on"), file.element)),
    preview);

  const ask = newest((signal, body) => post("/v1/teach", body, signal));
  const look = debounce(300, async () => {
    save.disabled = !ready();
    if (!ready()) return idle();
    try {
      const answer = await ask(body(true));
      if (answer) show(answer);
    } catch (error) {
      save.disabled = true;
      fill(preview, h("h2", {}, "What would change"), notice(error.message, "bad"));
    }
  });
  for (const input of [source, target, like]) input.addEventListener("input", look);
  describe();
  look();

  function ready() {
    return Boolean(source.value.trim() && target.value.trim());
  }

  function describe() {
    fill(hints, way === "pair" ? "For instance: blork and I_BLORK." : "For instance: zup fep and YELLOW YELLOW YELLOW. The studio finds out which word is new.");
    sourceField.querySelector("label").textContent = way === "pair" ? "Source word" : "Source sentence";
    targetField.querySelector("label").textContent = way === "pair" ? "Its translation" : "Its translation, whole";
  }

  function body(isPreview) {
    const lesson = { source: source.value, target: target.value, like: like.value };
    const sentences = isPreview ? sourcesOf(file.current(), MOST) : [];
    return { run: run.run, preview: isPreview, sentences, ...(way === "pair" ? { lessons: [lesson] } : { example: lesson }) };
  }

  function idle() {
    fill(preview, h("h2", {}, "What would change"), h("p", { class: "soft" }, "Give a source and a target: the sentences of the evaluation file whose output would change appear here, before anything is saved."));
  }

  function show(answer) {
    const [lesson] = answer.lessons;
    fill(preview, h("h2", {}, "What would change"),
      h("p", {}, h("span", { class: "lesson" }, word(lesson.source, { class: "token written" }), " → ", word(lesson.target, { class: "token translated" })),
        ` changes the output of ${answer.changed.length} of ${plural(answer.compared, "sentence")}.`),
      answer.caveat && notice(answer.caveat, "warn"),
      changedTable(answer.changed));
  }

  async function teach(event) {
    event.preventDefault();
    if (!ready()) return;
    try {
      const answer = await post("/v1/teach", body(false));
      state = answer.state;
      undo.disabled = !state.can_undo;
      const [lesson] = answer.lessons;
      toast(answer.edit?.total ? `Taught: ${lesson.source} → ${lesson.target}` : "Unchanged: the lexicon says so already");
      source.value = target.value = like.value = "";
      save.disabled = true;
      idle();
      source.focus();
    } catch (error) {
      fill(preview, h("h2", {}, "What would change"), notice(error.message, "bad"));
    }
  }

  async function takeBack() {
    try {
      const answer = await post("/v1/undo", { run: run.run });
      state = answer.state;
      undo.disabled = !state.can_undo;
      const names = [...answer.edit.changes.map((change) => change.source), ...answer.edit.rule_changes.map((change) => change.name)];
      toast(`Taken back: ${names.join(", ")}`);
      look();
    } catch (error) {
      toast(error.message, "bad");
    }
  }
}
