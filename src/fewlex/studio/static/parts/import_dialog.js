// Import: a file, and what it would change before it changes anything. The lexicon and the rules share it.

import { newest, post } from "../api.js";
import { dialog, field, fill, h, notice, plural, visible } from "../dom.js";
import { dropZone } from "./drop_zone.js";

const SHOWN = 100;

// kind: { title, about, drop, accept, path, thing, replaces, columns, rows(answer) → [[what, cell, cell …]], format(name) }
export function importDialog(run, kind, onDone) {
  dialog(kind.title, (close) => {
    const preview = h("div", { "aria-live": "polite" });
    const mode = h("select", {}, h("option", { value: "merge" }, `Add to the ${kind.thing}s that are there`), h("option", { value: "replace" }, kind.replaces));
    const save = h("button", { type: "button", class: "primary", disabled: true, onclick: () => bring() }, "Import");
    let file = null;

    const ask = async (isPreview, signal) =>
      post(kind.path, { run, content: await file.text(), format: kind.format(file.name), mode: mode.value, preview: isPreview }, signal);
    const askPreview = newest((signal) => ask(true, signal));

    async function show() {
      if (!file) return;
      save.disabled = true;
      try {
        const answer = await askPreview();
        if (!answer) return;
        const any = answer.totals.added + answer.totals.removed + answer.totals.changed;
        save.disabled = !any;
        fill(preview, h("h3", {}, visible(file.name)),
          notice(any ? `This would change ${told(answer.totals, kind.thing)}.` : "This would change nothing."), changes(kind, answer, any));
      } catch (error) {
        refuse(error);
      }
    }

    async function bring() {
      save.disabled = mode.disabled = true;
      askPreview.forget();
      try {
        const answer = await ask(false);
        close();
        onDone(answer.state, `Imported: ${told(answer.totals, kind.thing)}`);
      } catch (error) {
        mode.disabled = false;
        refuse(error);
      }
    }

    function refuse(error) {
      fill(preview, h("h3", {}, visible(file.name)), notice(named(error, file), "bad"));
    }

    const drop = dropZone(kind.drop, kind.accept, ([first]) => {
      file = first;
      return show();
    });
    mode.addEventListener("change", show);
    return h("form", { onsubmit: (event) => event.preventDefault() },
      h("p", { class: "soft" }, kind.about), drop, field("What to do with it", mode), preview,
      h("div", { class: "row" }, save, h("button", { type: "button", onclick: close }, "Cancel")));
  });
}

// The server knows the file by a name of its own; the user knows it by the name on the disk.
function named(error, file) {
  const text = error.message.replace(/^import\.\w+(?=:)/, file.name);
  return error.line && text === error.message ? `Line ${error.line}: ${text}` : text;
}

function told({ added, removed, changed }, thing) {
  return `${plural(added, `new ${thing}`)}, ${plural(changed, `changed ${thing}`)}, ${plural(removed, `removed ${thing}`)}`;
}

function changes(kind, answer, all) {
  const rows = kind.rows(answer).slice(0, SHOWN);
  if (!rows.length) return null;
  return [
    h("div", { class: "scroll-x tall", tabindex: "0", role: "region", "aria-label": "What would change" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "What happens")),
        kind.columns.map(([name, type]) => h("th", { scope: "col", class: type }, name)))),
      h("tbody", {}, rows.map(([what, ...cells]) => h("tr", {}, h("td", { class: `what ${what}` }, what),
        cells.map((cell, i) => h("td", { class: kind.columns[i][1] }, cell))))))),
    all > rows.length && h("p", { class: "small soft" }, `and ${plural(all - rows.length, `more ${kind.thing}`)}`),
  ];
}
