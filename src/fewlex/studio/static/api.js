// Asks the server. A problem document becomes an Error whose message is the server's own explanation.

export class Problem extends Error {
  constructor(status, content) {
    super(content.detail || content.title || `the server answered ${status}`);
    this.status = status;
    this.line = content.line ?? null;
    this.where = content.where ?? null;
  }
}

async function ask(method, path, { query, body, signal } = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null) search.set(name, value);
  }
  const address = search.size ? `${path}?${search}` : path;
  const options = { method, signal, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { detail: "The studio does not answer. Is `fewlex studio` still running?" });
  }
  const text = await answer.text();
  let content = {};
  try {
    content = text ? JSON.parse(text) : {};
  } catch {
    content = { detail: text.slice(0, 300) };
  }
  if (!answer.ok) throw new Problem(answer.status, content);
  return content;
}

export const get = (path, query, signal) => ask("GET", path, { query, signal });
export const post = (path, body, signal) => ask("POST", path, { body, signal });
export const remove = (path, query) => ask("DELETE", path, { query });

// Only the newest of several questions counts: asking again gives up the earlier ones.
export function newest(question) {
  let controller = null;
  const ask = async (...values) => {
    controller?.abort();
    const mine = (controller = new AbortController());
    try {
      const answer = await question(mine.signal, ...values);
      return mine.signal.aborted ? null : answer;
    } catch (error) {
      if (error.name === "AbortError" || mine.signal.aborted) return null;
      throw error;
    }
  };
  ask.forget = () => controller?.abort();  // whatever comes now comes too late
  return ask;
}
