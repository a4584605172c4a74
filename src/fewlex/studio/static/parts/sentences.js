// The evaluation file that the page works with: dropped by the user, or the sentences of the run's own data.

import { get } from "../api.js";
import { fill, h, plural, visible } from "../dom.js";
import { dropZone } from "./drop_zone.js";

const kept = new Map();  // by run, so that a file dropped in one view is there in the next

export function evaluationFile(path, onChange) {
  const told = h("p", { role: "status" });
  const zone = dropZone("Drop an evaluation file here (.tsv, .csv, .json, .jsonl)", ".tsv,.csv,.json,.jsonl,.txt", async ([file]) => {
    keep({ name: file.name, content: await file.text() });
  });

  function keep(found) {
    kept.set(path, found);
    say();
    onChange(found);
  }

  function say() {
    const found = kept.get(path);
    fill(told, found ? [h("strong", {}, visible(found.name)), found.pairs ? `, ${plural(found.pairs.length, "sentence")}` : ""] : "No evaluation file yet.");
  }

  say();
  if (!kept.has(path)) {
    get("/studio/samples", { path }).then(({ samples }) => {
      if (samples.length && !kept.has(path)) keep({ name: "the run's own evaluation data", pairs: samples });
    }).catch(() => {});
  }
  return { element: h("div", {}, told, zone), current: () => kept.get(path) || null };
}

// The source sentences of an evaluation file, for trying a lesson on them.
export function sourcesOf(file, limit) {
  if (!file) return [];
  if (file.pairs) return file.pairs.slice(0, limit).map((pair) => pair.source);
  const lines = file.content.replace(/^\ufeff/, "").split(/\r?\n/).filter(Boolean).slice(0, limit);
  return lines.map((line) => {
    if (!line.startsWith("{")) return line.split(/\t|\s\|\|\|\s/)[0];
    try {
      return String(JSON.parse(line).source ?? "");
    } catch {
      return "";
    }
  }).filter(Boolean);
}
