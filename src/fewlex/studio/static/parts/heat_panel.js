// A heat map that a button shows and hides; it is drawn only while it is to be seen.

import { newest, Problem } from "../api.js";
import { fill, h, toast } from "../dom.js";
import { heatmap } from "./heatmap.js";

// `load(signal)` gives the cells, `axes` are the names of lines and columns.
export function heatPanel({ title, empty, axes, load }) {
  let picture = null;
  const ask = newest(load);
  const element = h("section", { class: "panel", hidden: true, "aria-label": "Heat map" });
  const button = h("button", { type: "button", "aria-pressed": "false", onclick: toggle }, "Heat map");

  async function toggle() {
    element.hidden = !element.hidden;
    button.setAttribute("aria-pressed", String(!element.hidden));
    await reload();
  }

  async function reload() {
    if (element.hidden) return;
    picture?.stop();
    const cells = await ask().catch(told);
    if (!cells) return;
    picture = cells.length ? heatmap(cells, axes) : null;
    fill(element, h("h2", {}, title), picture ? picture.element : h("p", { class: "soft" }, empty));
  }

  function told(error) {
    if (!(error instanceof Problem)) throw error;
    toast(error.message, "bad");
  }

  return { element, button, reload, stop: () => picture?.stop() };
}
