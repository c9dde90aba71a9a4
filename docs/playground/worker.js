// The thread that compiles. Takes requests of `Compiler.compile` with a number, answers in order.

import { Compiler, CompilerEnded } from "./compiler.js";

const url = new URL("clc.wasm", self.location.href);

async function load() {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: ${response.status} ${response.statusText}`);
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

const loaded = load();
let compiler = null;

self.onmessage = async ({ data: { number, request } }) => {
  try {
    compiler ??= await Compiler.of(await loaded);
    const start = performance.now();
    const answer = compiler.compile(request);
    self.postMessage({ number, answer, milliseconds: performance.now() - start });
  } catch (error) {
    const ended = error instanceof CompilerEnded;
    if (ended) compiler = null;
    self.postMessage({ number, [ended ? "ended" : "unusable"]: error.message });
  }
};

loaded.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ unusable: error.message }),
);
