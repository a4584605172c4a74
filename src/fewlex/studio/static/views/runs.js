// Runs: everything below the folder of the studio, and the Colors demo for who has none.

import { post } from "../api.js";
import { fill, h, notice, number, toast, visible } from "../dom.js";
import { go } from "../state.js";

export function mount(root, { cards }) {
  const demo = h("button", { type: "button", class: "primary", onclick: startDemo }, "Train the Colors demo");
  fill(root,
    h("h1", {}, "Runs"),
    h("p", { class: "lead" }, "A run is a trained model with its lexicon. Choose one, or train another."),
    h("section", { class: "panel demo", "aria-label": "Demo" },
      h("h2", {}, "New here? Learn Colors from 14 examples"),
      h("p", {}, "Four colour words and three functions, in the words of nobody's language. The word ", h("em", {}, "zup"),
        " occurs once, alone. Half a minute of training later you can ask for it in sentences."),
      h("p", { class: "row" }, demo, h("a", { class: "button", href: "#/train" }, "Train on your own data"))),
    cards.length ? table(cards) : notice("There is no run below this folder yet."));

  async function startDemo() {
    demo.disabled = true;
    try {
      const { name } = await post("/studio/train", { name: freeName("colors", cards), data: "colors", preset: "fast" });
      go("train", { job: name });
    } catch (error) {
      demo.disabled = false;
      toast(error.message, "bad");
    }
  }
}

export function freeName(wanted, cards) {
  const taken = new Set(cards.map((card) => card.path));
  let name = wanted;
  for (let i = 2; taken.has(name); i++) name = `${wanted}-${i}`;
  return name;
}

function table(cards) {
  return h("section", { class: "panel", "aria-label": "All runs" }, h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Table of runs" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Run", "Data", "Preset", "State"].map((name) => h("th", { scope: "col" }, name)),
      ["Updates", "Seconds"].map((name) => h("th", { scope: "col", class: "number" }, name)))),
    h("tbody", {}, cards.map((card) => h("tr", {},
      h("td", {}, card.state === "finished"
        ? h("a", { href: `#/try?run=${encodeURIComponent(card.path)}` }, visible(card.path))
        : visible(card.path)),
      h("td", {}, visible(card.data)), h("td", {}, visible(card.preset)),
      h("td", {}, card.problem ? visible(card.problem) : card.state,
        card.state !== "finished" && !card.problem && [" · ", h("a", { href: `#/train?job=${encodeURIComponent(card.path)}` }, "go on or keep")]),
      h("td", { class: "number" }, number(card.updates, 0)), h("td", { class: "number" }, number(card.seconds, 0))))))));
}
