// The page's side of the worker: one request at a time, of which only the last that waits is kept, and a
// limit of time, after which the worker is replaced.

const LIMIT = 10_000;

export class Client {
  #worker = null;
  #running = null;
  #waiting = null;
  #number = 0;
  #timer = 0;
  #isReady = false;

  /// `started` is what `start.js` has begun. `onAnswer` is called with what the worker says of a request,
  /// `{ answer, milliseconds }`, `{ ended }` or `{ unusable }`, or with `{ stopped }`, the limit in seconds; and with
  /// the request.
  constructor({ worker, first }, onAnswer) {
    this.onAnswer = onAnswer;
    this.#listen(worker);
    first.then((message) => this.#said(message));
  }

  compile(request) {
    this.#waiting = request;
    this.#next();
  }

  #start() {
    this.#isReady = false;
    const url = new URL("worker.js", import.meta.url);
    this.#listen(new Worker(url, { type: "module" }));
  }

  #listen(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#said(data);
    worker.onerror = (event) => this.#said({ unusable: event.message || "the worker did not start" });
  }

  #next() {
    // The time to load is not the compiler's.
    if (this.#running !== null || this.#waiting === null || !this.#isReady) return;
    this.#running = { number: ++this.#number, request: this.#waiting };
    this.#timer = setTimeout(() => this.#stop(), LIMIT);
    this.#worker.postMessage(this.#running);
    this.#waiting = null;
  }

  #said(message) {
    if (message.ready) {
      this.#isReady = true;
    } else if (message.number === undefined || message.number === this.#running?.number) {
      this.#answered(message);
    }
    this.#next();
  }

  #stop() {
    this.#worker.terminate();
    this.#start();
    this.#answered({ stopped: LIMIT / 1000 });
  }

  #answered(message) {
    clearTimeout(this.#timer);
    const request = this.#running?.request;
    this.#running = null;
    this.onAnswer({ ...message, request });
  }
}
