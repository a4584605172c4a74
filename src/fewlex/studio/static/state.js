// Where the user is: the view, the run and what belongs to the view, all of it in the address, so that it can be sent on.

const listeners = new Set();

export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path, params: new URLSearchParams(query) };
}

export function link(view, changes = {}) {
  const kept = new URLSearchParams();
  const run = here().params.get("run");
  if (run) kept.set("run", run);
  for (const [name, value] of Object.entries(changes)) {
    if (value) kept.set(name, value);
    else kept.delete(name);
  }
  return `#/${view}${kept.size ? `?${kept}` : ""}`;
}

export function go(view, changes = {}) {
  location.hash = link(view, changes);
}

const MOST_KEPT = 4000;

// Changes the address without leaving the view, and without a new step in the history. What is too long for an address
// is not kept.
export function remember(changes) {
  const { view, params } = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value && value.length <= MOST_KEPT) params.set(name, value);
    else params.delete(name);
  }
  history.replaceState(null, "", `#/${view}${params.size ? `?${params}` : ""}`);
}

export function onMove(listener) {
  listeners.add(listener);
}

addEventListener("hashchange", () => {
  for (const listener of listeners) listener();
});
