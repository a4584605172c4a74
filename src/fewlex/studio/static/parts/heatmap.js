// A lexicon, or what fills the holes of rules, as a picture: one line for each source, one column for each target, darker =
// more probable.

import { fill, h, plural, visible } from "../dom.js";

const CELL = 22;
const MOST = 60;

export function heatmap(rows, [line, column] = ["source word", "target word"]) {
  const sources = unique(rows.map((row) => row.source)).slice(0, MOST);
  const targets = unique(rows.filter((row) => sources.includes(row.source)).map((row) => row.target)).slice(0, MOST);
  const shares = new Map(rows.map((row) => [`${row.source}\t${row.target}`, row.probability ?? 1]));
  const canvas = h("canvas", { role: "img", tabindex: "0", "aria-label":
    `Heat map with ${plural(sources.length, "line")}, one for each ${line}, and ${plural(targets.length, "column")}, one for each ${column}. The table above has the same content. Move with the arrow keys.` });
  const told = h("p", { class: "small", "aria-live": "polite" }, "Point at a cell, or move with the arrow keys.");
  let at = [0, 0];
  const left = 8 + Math.max(...sources.map(width), 40);
  const top = 8 + Math.max(...targets.map(width), 40);

  function draw() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const scale = devicePixelRatio || 1;
    const size = [left + targets.length * CELL + 2, top + sources.length * CELL + 2];
    [canvas.width, canvas.height] = size.map((length) => Math.ceil(length * scale));
    canvas.style.width = `${size[0]}px`;
    canvas.style.height = `${size[1]}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.fillStyle = color("--text");
    pen.textAlign = "right";
    sources.forEach((text, i) => pen.fillText(short(text), left - 6, top + (i + 0.5) * CELL));
    pen.textAlign = "left";
    targets.forEach((text, j) => {
      pen.save();
      pen.translate(left + (j + 0.5) * CELL, top - 6);
      pen.rotate(-Math.PI / 2);
      pen.fillText(short(text), 0, 0);
      pen.restore();
    });
    sources.forEach((source, i) => targets.forEach((target, j) => {
      const share = shares.get(`${source}\t${target}`);
      pen.globalAlpha = 1;
      pen.fillStyle = color("--sunken");
      pen.fillRect(left + j * CELL + 1, top + i * CELL + 1, CELL - 2, CELL - 2);
      if (share === undefined) return;
      pen.globalAlpha = 0.12 + 0.88 * share;
      pen.fillStyle = color("--translated");
      pen.fillRect(left + j * CELL + 1, top + i * CELL + 1, CELL - 2, CELL - 2);
    }));
    pen.globalAlpha = 1;
    pen.strokeStyle = color("--focus");
    pen.lineWidth = 2;
    pen.strokeRect(left + at[1] * CELL, top + at[0] * CELL, CELL, CELL);
  }

  function tell(i, j) {
    if (!(sources[i] && targets[j])) return;
    at = [i, j];
    const share = shares.get(`${sources[i]}\t${targets[j]}`);
    fill(told, `${visible(sources[i])} → ${visible(targets[j])}: ${share === undefined ? "no entry" : share.toFixed(3)}`);
    draw();
  }

  canvas.addEventListener("mousemove", (event) =>
    tell(Math.floor((event.offsetY - top) / CELL), Math.floor((event.offsetX - left) / CELL)));
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    tell(at[0] + step[0], at[1] + step[1]);
  });
  addEventListener("repaint", draw);
  requestAnimationFrame(draw);
  const element = h("div", {}, told, h("div", { class: "heatmap" }, canvas),
    rows.length > 0 && sources.length === MOST && h("p", { class: "small soft" }, `Only the first ${MOST} lines are drawn; search to see others.`));
  return { element, stop: () => removeEventListener("repaint", draw) };
}

function unique(values) {
  return [...new Set(values)];
}

function short(text) {
  const seen = visible(text);
  return seen.length > 18 ? `${seen.slice(0, 17)}…` : seen;
}

function width(text) {
  return short(text).length * 9;
}
