// The training that is under way: its curves as they grow, and stop, go on, keep.

import { get, post } from "../api.js";
import { fill, h, notice, number, percent, toast, visible } from "../dom.js";
import { remember } from "../state.js";
import { redraw } from "./chart.js";

const PAUSE = 700;
export const FIGURES = [
  { key: "loss", name: "Loss of a target token" },
  { key: "validation_accuracy", name: "Validation accuracy", top: 1 },
];
const STATES = { running: "is being trained", finished: "is finished", stopped: "was stopped", failed: "has failed", unfinished: "is not finished" };

export function watchTraining(box, asked, onEnd) {
  let rows = [];
  let shown = { name: "", state: "" };
  let timer = 0;
  let over = false;

  async function poll() {
    clearTimeout(timer);
    if (over) return;
    try {
      const news = await get("/studio/train", { since: rows.length });
      if (over) return;
      if (news.name !== shown.name) rows = news.next > news.metrics.length ? [] : rows;
      if (news.name && news.next < rows.length) rows = [];
      if (news.name) take(news);
    } catch (error) {
      toast(error.message, "bad");
    }
    if (!over && (shown.state === "running" || !shown.name)) timer = setTimeout(poll, shown.name ? PAUSE : 4 * PAUSE);
  }

  function take(news) {
    rows = rows.concat(news.metrics);
    const before = shown;
    shown = { name: news.name, state: news.state };
    draw(news, before.name !== shown.name || before.state !== shown.state);
    if (before.state === "running" && news.state !== "running") onEnd();
  }

  const title = h("span", { role: "status" });
  const buttons = h("div", { class: "row" });
  const problem = h("div", {});
  const figures = h("p", { class: "figures-line", "aria-live": "off" });
  const progress = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  const picture = h("div", {});
  const panel = h("section", { class: "panel job", "aria-label": "Training under way" },
    h("div", { class: "row spread" }, h("h2", {}, title), buttons), problem, progress, figures, picture);

  function draw(news, isNew) {
    if (!panel.isConnected) fill(box, panel);
    const last = rows.at(-1);
    if (isNew) {
      fill(title, h("bdi", {}, visible(news.name)), ` ${STATES[news.state]}`);
      fill(buttons, controls(news));
      fill(problem, news.log && (news.state === "failed" ? notice(news.log, "bad")
        : news.state === "finished" && h("details", {}, h("summary", {}, "What fewlex train has said"), h("pre", { class: "small" }, visible(news.log).replaceAll("⟨U+000A⟩", "\n")))));
    }
    progress.value = news.state === "finished" ? 1 : last?.share ?? 0;
    if (!last) return fill(figures, news.state === "running" ? "Starting …" : "");
    const accuracy = rows.findLast((row) => row.validation_accuracy !== undefined)?.validation_accuracy;
    fill(figures, `epoch ${last.epoch + 1} · update ${number(last.update)} · loss ${number(last.loss, 3)}`,
      accuracy === undefined ? "" : ` · validation ${percent(accuracy)}`, ` · ${number(Math.round(last.seconds))} s`);
    redraw(picture, [{ name: news.name, rows: thinned(rows) }], rows.some((row) => row.validation_accuracy !== undefined) ? FIGURES : FIGURES.slice(0, 1));
  }

  function controls(news) {
    const button = (text, verb, kind = "") => h("button", { type: "button", class: kind, onclick: (event) => order(event.target, verb, news.name) }, text);
    if (news.state === "running") return button("Stop", "stop", "danger");
    if (news.state === "finished") return h("a", { class: "button", href: `#/try?run=${encodeURIComponent(news.name)}` }, "Try it");
    return [button("Go on", "resume"), news.has_checkpoint && button("Keep it as it is", "keep")];
  }

  async function order(pressed, verb, name) {
    pressed.disabled = true;
    if (verb === "stop") fill(pressed, "Stopping …");  // it takes a moment: the last checkpoint is written first
    try {
      await post(`/studio/train/${verb}`, { name });
      if (verb === "keep") {
        await onEnd();
        shown = { name, state: "finished" };
        draw({ name, state: "finished" }, true);
        return;
      }
      if (verb === "resume") shown = { name: "", state: "" };
      rows = [];
      poll();
    } catch (error) {
      pressed.disabled = false;
      toast(error.message, "bad");
    }
  }

  // A run that an earlier studio has left unfinished: there is no process to ask, but it can go on.
  async function offer(name) {
    const { runs } = await get("/studio/runs");
    const card = runs.find((run) => run.path === name);
    if (!card || card.state === "finished" || shown.name) return;
    shown = { name, state: "unfinished" };
    rows = (await get("/studio/curve", { path: name })).rows;
    draw({ name, state: "unfinished", has_checkpoint: card.has_checkpoint }, true);
  }

  poll().then(() => (asked && asked !== shown.name && shown.state !== "running" ? offer(asked) : null)).catch((error) => toast(error.message, "bad"));
  return {
    follow(name) {
      rows = [];
      shown = { name: "", state: "" };
      remember({ job: name });
      poll();
    },
    stop() {
      over = true;
      clearTimeout(timer);
    },
  };
}

function thinned(rows) {
  const step = Math.ceil(rows.length / 400) || 1;
  return rows.filter((_, i) => i % step === 0 || i === rows.length - 1);
}
