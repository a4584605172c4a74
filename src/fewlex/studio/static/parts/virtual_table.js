// A table of any length: only the rows that can be seen exist, and pages of rows are fetched when they come into view.

import { fill, h } from "../dom.js";

const PAGE = 200;
const KEPT_PAGES = 40;
const ROW = 38;
const SPARE = 8;

// columns: [{ name, sort, class, cell(row, i) }]; load(offset, limit) → page with `matching`; rows(page); onKey(event, row)
export function virtualTable({ label, kind = "", columns, load, rows: rowsOf = (page) => page.rows, onKey, empty }) {
  const pages = new Map();
  const drawn = new Map();  // rows that exist stay as they are: one that is replaced under the pointer would lose the click
  const waiting = new Map();
  let total = 0;
  let active = 0;
  let generation = 0;
  let sort = { key: "", order: "up" };

  const head = h("div", { class: "v-row v-head", role: "row", "aria-rowindex": 1 });
  const body = h("div", { class: "v-body", role: "rowgroup" });
  const view = h("div", { class: "v-view", role: "presentation" }, body);
  const grid = h("div", { class: `v-table ${kind}`, role: "grid", "aria-label": label, tabindex: "0", "aria-rowcount": 1 },
    h("div", { role: "rowgroup" }, head), view);
  const note = h("p", { class: "soft v-empty", hidden: true }, empty);
  view.addEventListener("scroll", () => requestAnimationFrame(render), { passive: true });
  grid.addEventListener("keydown", keyed);
  const watch = new ResizeObserver(() => render());
  watch.observe(view);

  function drawHead() {
    fill(head, columns.map((column) => {
      const sorted = column.sort && sort.key === column.sort;
      return h("div", {
        class: `v-cell ${column.class || ""}`, role: "columnheader",
        "aria-sort": column.sort ? (sorted ? (sort.order === "up" ? "ascending" : "descending") : "none") : undefined,
      }, column.sort
        ? h("button", { type: "button", class: "quiet tiny", onclick: () => resort(column.sort) },
            column.name, h("span", { "aria-hidden": "true" }, sorted ? (sort.order === "up" ? " ↑" : " ↓") : ""))
        : column.name);
    }));
  }

  function resort(key) {
    sort = { key, order: sort.key === key && sort.order === "up" ? "down" : "up" };
    drawHead();
    reload();
    head.querySelector(`[aria-sort="ascending"] button, [aria-sort="descending"] button`)?.focus();
  }

  async function fetchPage(number) {
    if (pages.has(number) || waiting.has(number)) return;
    const mine = generation;
    waiting.set(number, true);
    try {
      const answer = await load(number * PAGE, PAGE);
      if (mine !== generation) return;
      pages.set(number, rowsOf(answer));
      total = answer.matching;
      while (pages.size > KEPT_PAGES) pages.delete(pages.keys().next().value);
    } finally {
      if (mine === generation) waiting.delete(number);
    }
    resized();
    render();
  }

  function resized() {
    body.style.height = `${total * ROW}px`;
    head.style.paddingRight = `${6 + view.offsetWidth - view.clientWidth}px`;  // where the body has its scroll bar
    grid.setAttribute("aria-rowcount", total + 1);
    note.hidden = total > 0;
    active = Math.min(active, Math.max(0, total - 1));
  }

  function rowAt(i) {
    return pages.get(Math.floor(i / PAGE))?.[i % PAGE];
  }

  function range() {
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - SPARE);
    return [first, Math.min(total, first + Math.ceil(view.clientHeight / ROW) + 2 * SPARE)];
  }

  function render() {
    const [first, last] = range();
    for (let page = Math.floor(first / PAGE); page <= Math.floor(Math.max(first, last - 1) / PAGE); page++) {
      if (total) fetchPage(page);
    }
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    for (const [i, { element, row }] of drawn) {
      if (i >= first && i < last && row === rowAt(i)) continue;
      element.remove();
      drawn.delete(i);
    }
    for (let i = first; i < last; i++) {
      if (!drawn.has(i)) drawn.set(i, { row: rowAt(i), element: drawRow(i) });
      const { element } = drawn.get(i);
      const place = body.children[i - first] ?? null;
      if (element !== place) body.insertBefore(element, place);
      element.classList.toggle("active", i === active);
      element.setAttribute("aria-selected", String(i === active));
    }
    if (focused && !body.contains(document.activeElement)) body.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    grid.setAttribute("aria-activedescendant", total ? `${grid.id}-${active}` : "");
  }

  function drawRow(i) {
    const row = rowAt(i);
    const element = h("div", {
      class: "v-row", role: "row", id: `${grid.id}-${i}`, "aria-rowindex": i + 2,
      onclick: () => { active = i; render(); },
    }, columns.map((column) => h("div", { class: `v-cell ${column.class || ""}`, role: "gridcell" }, row ? column.cell(row, i) : "…")));
    element.style.top = `${i * ROW}px`;
    return element;
  }

  function keyed(event) {
    if (event.target !== grid) return;
    const jump = Math.max(1, Math.floor(view.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: jump, PageUp: -jump, Home: -total, End: total };
    if (event.key in steps) {
      event.preventDefault();
      active = Math.max(0, Math.min(total - 1, active + steps[event.key]));
      const top = active * ROW;
      if (top < view.scrollTop) view.scrollTop = top;
      else if (top + ROW > view.scrollTop + view.clientHeight) view.scrollTop = top + ROW - view.clientHeight;
      render();
    } else if (rowAt(active)) {
      onKey(event, rowAt(active));
    }
  }

  // Asks for the rows again, after an edit, another search or another order.
  async function reload({ keepPlace = false } = {}) {
    generation += 1;
    pages.clear();
    waiting.clear();
    if (!keepPlace) { view.scrollTop = 0; active = 0; }
    await fetchPage(Math.floor(view.scrollTop / ROW / PAGE));
  }

  grid.id = `grid-${Math.random().toString(36).slice(2)}`;
  drawHead();
  return { element: h("div", {}, grid, note), grid, reload, sorted: () => sort, count: () => total, stop: () => watch.disconnect() };
}
