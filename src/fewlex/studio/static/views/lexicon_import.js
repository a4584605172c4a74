// Import: a table from a file, and what it would change before it changes anything.

import { post } from "../api.js";
import { dialog, field, fill, h, notice, number, plural, visible, word } from "../dom.js";
import { dropZone } from "../parts/drop_zone.js";

const SHOWN = 100;

export function importDialog(run, onDone) {
  dialog("Import a lexicon", (close) => {
    const preview = h("div", { "aria-live": "polite" });
    const mode = h("select", {}, h("option", { value: "merge" }, "Add to the rows that are there"), h("option", { value: "replace" }, "Replace the whole lexicon"));
    const save = h("button", { type: "button", class: "primary", disabled: true, onclick: () => send(false) }, "Import");
    let file = null;

    async function send(isPreview) {
      if (!file) return;
      save.disabled = true;
      try {
        const format = file.name.endsWith(".json") ? "json" : "tsv";
        const answer = await post("/v1/lexicon/import", { run, content: await file.text(), format, mode: mode.value, preview: isPreview });
        if (!isPreview) {
          close();
          return onDone(answer.state, `Imported: ${told(answer.totals)}`);
        }
        const any = answer.totals.added + answer.totals.removed + answer.totals.changed;
        save.disabled = !any;
        fill(preview, h("h3", {}, visible(file.name)), notice(any ? `This would change ${told(answer.totals)}.` : "This would change nothing."), changes(answer));
      } catch (error) {
        fill(preview, h("h3", {}, visible(file.name)), notice(named(error, file), "bad"));
      }
    }

    const drop = dropZone("Drop a .tsv or .json lexicon here", ".tsv,.json,.txt", ([first]) => {
      file = first;
      return send(true);
    });
    mode.addEventListener("change", () => send(true));
    return h("form", { onsubmit: (event) => event.preventDefault() },
      h("p", { class: "soft" }, "The table has a header: source, target, weight, and if you like origin, dice and like, with tabs between them."),
      drop, field("What to do with it", mode), preview,
      h("div", { class: "row" }, save, h("button", { type: "button", onclick: close }, "Cancel")));
  });
}

// The server knows the file by a name of its own; the user knows it by the name on the disk.
function named(error, file) {
  const text = error.message.replace(/^import\.\w+(?=:\d+:)/, file.name);
  return error.line && text === error.message ? `Line ${error.line}: ${text}` : text;
}

function told({ added, removed, changed }) {
  return `${plural(added, "new row")}, ${plural(changed, "changed row")}, ${plural(removed, "removed row")}`;
}

function changes(answer) {
  const rows = [
    ...answer.added.map((row) => ["added", row, null]),
    ...answer.changed.map(({ before, after }) => ["changed", after, before]),
    ...answer.removed.map((row) => ["removed", row, null]),
  ];
  if (!rows.length) return null;
  return [
    h("div", { class: "scroll-x tall", tabindex: "0", role: "region", "aria-label": "Rows that would change" }, h("table", {},
      h("thead", {}, h("tr", {}, ["", "Source", "Target"].map((name) => h("th", { scope: "col" }, name || h("span", { class: "hidden-text" }, "What happens"))), h("th", { scope: "col", class: "number" }, "Weight"))),
      h("tbody", {}, rows.slice(0, SHOWN).map(([what, row, before]) => h("tr", {}, h("td", { class: `what ${what}` }, what),
        h("td", {}, word(row.source)), h("td", {}, word(row.target)),
        h("td", { class: "number" }, before ? `${number(before.weight, 2)} → ` : "", number(row.weight, 2))))))),
    rows.length > SHOWN && h("p", { class: "small soft" }, `and ${plural(rows.length - SHOWN, "more row")}`),
  ];
}
