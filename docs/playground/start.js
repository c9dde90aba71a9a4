// Starts to load the compiler, while the page itself is still being loaded.

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
/// The worker, and the first thing that it says.
globalThis.started = {
  worker,
  first: new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve({ unusable: event.message || "the worker did not start" });
  }),
};
