// The frame of the page: which run, which view, light or dark.

import { get, post, Problem } from "./api.js";
import { fill, h, notice, toast, visible } from "./dom.js";
import { go, here, link, onMove, remember } from "./state.js";

const VIEWS = {
  runs: () => import("./views/runs.js"),
  try: () => import("./views/try.js"),
  lexicon: () => import("./views/lexicon.js"),
  rules: () => import("./views/rules.js"),
  teach: () => import("./views/teach.js"),
  evaluate: () => import("./views/evaluate.js"),
  train: () => import("./views/train.js"),
};
const NEEDS_RUN = new Set(["try", "lexicon", "rules", "teach", "evaluate"]);
const TITLES = {
  runs: "Runs", try: "Try", lexicon: "Lexicon", rules: "Rules", teach: "Teach", evaluate: "Evaluate", train: "Train",
};

const main = document.getElementById("main");
const picker = document.getElementById("run");
let leave = () => {};
let shown = 0;
let visited = false;

async function show() {
  const { view: wanted, params } = here();
  const cards = await listRuns();
  const run = params.get("run") || "";
  const usable = cards.filter((card) => card.state === "finished");
  if (!wanted) return go(usable.length ? "try" : "runs", { run: run || usable[0]?.path });
  const view = VIEWS[wanted] ? wanted : "runs";
  if (NEEDS_RUN.has(view) && !run) return usable.length ? go(view, { run: usable[0].path }) : go("runs");
  for (const item of document.querySelectorAll("nav.views a")) {
    item.href = link(item.dataset.view);
    if (item.dataset.view === view) {
      item.setAttribute("aria-current", "page");
      item.scrollIntoView({ block: "nearest", inline: "nearest" });  // on a phone the bar is wider than the screen
    } else item.removeAttribute("aria-current");
  }
  document.title = `${TITLES[view]} · fewlex studio`;
  const mine = ++shown;
  leave();
  leave = () => {};
  const patience = setTimeout(() => {
    if (mine === shown) fill(main, h("h1", {}, TITLES[view]), h("p", { class: "soft", role: "status" }, `Opening ${visible(run)} …`));
  }, 400);
  try {
    const info = NEEDS_RUN.has(view) ? (await post("/studio/open", { path: run })).run : null;
    const module = await VIEWS[view]();
    clearTimeout(patience);
    if (mine !== shown) return;
    fill(main);
    leave = module.mount(main, { run: info, path: run, cards, params, refresh: listRuns }) || (() => {});
  } catch (error) {
    clearTimeout(patience);
    if (!(error instanceof Problem)) reportError(error);  // a mistake of ours belongs into the console as well
    if (mine !== shown) return;
    fill(main, h("h1", {}, TITLES[view]), notice(error.message, "bad"),
      h("p", {}, h("a", { class: "button", href: "#/runs" }, "All runs")));
  }
  if (visited) main.focus({ preventScroll: true });
  visited = true;
}

async function listRuns() {
  const { runs } = await get("/studio/runs");
  const chosen = here().params.get("run") || "";
  const usable = runs.filter((card) => card.state === "finished");
  const options = usable.map((card) =>
    h("option", { value: card.path, selected: card.path === chosen }, visible(card.path)));
  if (!chosen || !usable.some((card) => card.path === chosen)) {
    options.unshift(h("option", { value: "", selected: true }, usable.length ? "Choose a run" : "No run yet"));
  }
  fill(picker, options);
  picker.disabled = usable.length === 0;
  return runs;
}

picker.addEventListener("change", () => {
  const { view } = here();
  if (picker.value) go(NEEDS_RUN.has(view) ? view : "try", { run: picker.value });
});

// The colours of the system, unless the user has chosen otherwise.
const dark = matchMedia("(prefers-color-scheme: dark)");
const themeSwitch = document.getElementById("theme");

function paint() {
  const chosen = localStorage.getItem("fewlex-theme");
  const isDark = chosen ? chosen === "dark" : dark.matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  themeSwitch.setAttribute("aria-pressed", String(isDark));
  dispatchEvent(new Event("repaint"));
}

themeSwitch.addEventListener("click", () => {
  const isDark = document.documentElement.dataset.theme === "dark";
  localStorage.setItem("fewlex-theme", isDark ? "light" : "dark");
  paint();
});
dark.addEventListener("change", paint);
paint();

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();  // the address says where the user is, so it must not become #main
  main.focus();
});

function moved() {
  for (const box of document.querySelectorAll("dialog")) box.close();  // it belongs to the view that is left
  show().catch((error) => toast(error.message, "bad"));
}

onMove(moved);
remember({});
moved();
