// Builds the page. Text from a run or a person only ever becomes text: nothing here parses HTML.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === "input" || tag === "textarea") element.maxLength = MOST_TYPED;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value") element.value = String(value).slice(0, MOST_TYPED);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return add(element, children);
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return add(element, children);
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

// Characters that are not seen, or that turn the direction of what follows, are told by their number.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const MARKS = /(\p{M}{3})(\p{M}+)/gu;
const MOST_SHOWN = 4000;
export const MOST_TYPED = 10000;  // more than the server takes, so that it says what is too long, and not so much that the page stalls

export function visible(text) {
  const whole = String(text);
  const rest = whole.length - MOST_SHOWN;
  if (rest > 0) return `${visible(whole.slice(0, MOST_SHOWN))}⟨+${rest.toLocaleString("en")} characters⟩`;
  return whole
    .replace(MARKS, (all, kept, rest) => `${kept}⟨+${[...rest].length} marks⟩`)
    .replace(UNSEEN, (character) => `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

// A word of a run: harmless to look at, and no neighbour of it changes its direction.
export function word(text, attributes = {}) {
  return h("bdi", attributes, visible(text));
}

export function number(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(digits);
}

export function percent(value) {
  return value === null || value === undefined ? "–" : `${(100 * value).toFixed(1)} %`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export function notice(text, kind = "") {
  return h("p", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : undefined }, visible(text));
}

let ids = 0;
export function field(label, input, hint = "") {
  input.id ||= `field-${++ids}`;
  const parts = [h("label", { for: input.id }, label), input];
  if (hint) {
    const id = `${input.id}-hint`;
    input.setAttribute("aria-describedby", id);
    parts.push(h("div", { id, class: "small soft" }, hint));
  }
  return h("div", { class: "field" }, parts);
}

export function toast(text, kind = "") {
  const box = h("div", { class: `toast ${kind}` }, visible(text));
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), kind === "bad" ? 12000 : 5000);
}

export function debounce(wait, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}

export function download(name, text, type = "text/tab-separated-values") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// A dialog that gives the focus back to where it came from, as the browser does for `showModal`.
export function dialog(title, build) {
  const box = h("dialog", { "aria-label": title });
  const close = () => box.close();
  fill(box, h("h2", {}, title), build(close));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}
