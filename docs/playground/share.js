// The state of the page as the fragment of its address: JSON, deflated, in base64 for addresses. A server
// never sees it.

const VERSION = "1.";

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/// `{ source, target, options }` as a fragment without its `#`.
export async function encode(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const deflated = await through(new CompressionStream("deflate-raw"), bytes);
  let text = "";
  for (const byte of deflated) text += String.fromCharCode(byte);
  return VERSION + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/// What `encode` made, or null for anything else.
export async function decode(fragment) {
  if (!fragment.startsWith(VERSION)) return null;
  try {
    const text = atob(fragment.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const deflated = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const bytes = await through(new DecompressionStream("deflate-raw"), deflated);
    const state = JSON.parse(new TextDecoder().decode(bytes));
    const isText = (value) => typeof value === "string";
    return isText(state.source) && isText(state.target) && isText(state.options) ? state : null;
  } catch {
    return null;
  }
}
