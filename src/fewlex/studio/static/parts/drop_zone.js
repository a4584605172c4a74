// A place to drop files on, which is also a button that opens the file dialog.

import { h, toast } from "../dom.js";

export function dropZone(text, accept, onFiles, { multiple = false } = {}) {
  const input = h("input", { type: "file", accept, multiple, hidden: true });
  const button = h("button", { type: "button", onclick: () => input.click() }, multiple ? "Choose files" : "Choose a file");
  const zone = h("div", { class: "drop" }, h("span", {}, text), h("span", { class: "soft small" }, "or"), button, input);

  async function take(files) {
    if (!files.length) return;
    try {
      await onFiles([...files]);
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  input.addEventListener("change", async () => {
    await take(input.files);
    input.value = "";
  });
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files);
  });
  return zone;
}

// The bytes of a file, since a text would hide what is wrong with its encoding.
export async function asBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
