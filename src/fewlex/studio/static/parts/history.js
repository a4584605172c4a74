// Undo and redo over the journal of a run, which has the edits of the lexicon and of the rules in one order.

import { post } from "../api.js";
import { h, plural, toast } from "../dom.js";

export function history(run, onStep) {
  const undo = h("button", { type: "button", onclick: () => step("undo") }, "Undo");
  const redo = h("button", { type: "button", onclick: () => step("redo") }, "Redo");

  function update(state) {
    undo.disabled = !state.can_undo;
    redo.disabled = !state.can_redo;
  }

  async function step(verb) {
    try {
      const { state, edit } = await post(`/v1/${verb}`, { run: run.run });
      update(state);
      const what = edit.of === "rules" ? plural(edit.total, "rule or word", "rules or words") : plural(edit.total, "word");
      toast(`${verb === "undo" ? "Taken back" : "Made again"}: ${edit.action}, ${what}`);
      await onStep(state);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  update(run);
  return { undo, redo, update };
}
