// Lines over time, drawn as SVG: one chart for each figure, one line for each run.

import { fill, h, svg, visible } from "../dom.js";

const [WIDTH, HEIGHT] = [560, 220];
const PAD = { left: 44, right: 12, top: 12, bottom: 30 };
export const COLORS = 6;
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "4 2", "1 4"];

// series: [{ name, rows: [{ seconds, … }] }]; figures: [{ key, name, top? }]
export function charts(series, figures) {
  return h("div", { class: "halves charts" }, figures.map((figure) => chart(series, figure)));
}

export function chart(series, { key, name, top }) {
  const lines = series.map(({ rows, name: run }, i) => ({
    run, i, points: rows.filter((row) => Number.isFinite(row[key])).map((row) => [row.seconds, row[key]]),
  })).filter(({ points }) => points.length);
  if (!lines.length) return h("figure", {}, h("figcaption", {}, name), h("p", { class: "soft small" }, `No ${name.toLowerCase()} is recorded.`));
  const right = Math.max(1, ...lines.flatMap(({ points }) => points.map(([x]) => x)));
  const high = top ?? nice(Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y))));
  const x = (value) => PAD.left + (value / right) * (WIDTH - PAD.left - PAD.right);
  const y = (value) => HEIGHT - PAD.bottom - (Math.min(value, high) / high) * (HEIGHT - PAD.top - PAD.bottom);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(name, lines) });
  for (let i = 0; i <= 4; i++) {
    const value = (high * i) / 4;
    picture.append(svg("line", { x1: PAD.left, x2: WIDTH - PAD.right, y1: y(value), y2: y(value), class: "grid-line" }),
      svg("text", { x: PAD.left - 6, y: y(value) + 4, class: "tick end" }, label(value)));
  }
  for (let i = 0; i <= 4; i++) picture.append(svg("text", { x: x((right * i) / 4), y: HEIGHT - 8, class: `tick ${i === 4 ? "end" : i ? "middle" : "start"}` }, `${label((right * i) / 4)} s`));
  for (const { points, i } of lines) {
    const path = points.map(([a, b], n) => `${n ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
    picture.append(svg("path", { d: path, class: `curve c${i % COLORS}`, "stroke-dasharray": DASHES[i % DASHES.length] }));
    const [a, b] = points.at(-1);
    picture.append(svg("circle", { cx: x(a), cy: y(b), r: 3.5, class: `dot c${i % COLORS}` }));
  }
  return h("figure", {}, h("figcaption", {}, name), picture);
}

export function chartLegend(series) {
  return h("ul", { class: "legend" }, series.map(({ name }, i) => {
    const sample = svg("svg", { viewBox: "0 0 34 10", width: 34, height: 10, "aria-hidden": "true" },
      svg("path", { d: "M0 5H34", class: `curve c${i % COLORS}`, "stroke-dasharray": DASHES[i % DASHES.length] }));
    return h("li", {}, sample, visible(name));
  }));
}

export function redraw(box, series, figures) {
  fill(box, series.length > 1 && chartLegend(series), charts(series, figures));
}

function summary(name, lines) {
  return `${name} over time. ${lines.map(({ run, points }) => `${visible(run)}: from ${label(points[0][1])} to ${label(points.at(-1)[1])} after ${label(points.at(-1)[0])} seconds`).join(". ")}.`;
}

function nice(value) {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((n) => n * unit).find((n) => n >= value);
}

function label(value) {
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
}
