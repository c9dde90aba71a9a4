// Drives the built page in a browser: `node test.mjs PAGE CHROMIUM CLC [SCREENSHOTS]`, as `cargo xtask web --test`
// does. What the page compiles must be, byte for byte, what the command makes of the same source and options.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { Compiler, CompilerEnded } from "./compiler.js";
import { EXAMPLES } from "./examples.js";

const [folder, executablePath, clc, screenshots] = process.argv.slice(2);
// Pictures are made of the page that is given away; the other tests have one that was compiled in a short time.
const isOptimized = Boolean(screenshots);
if (screenshots) mkdirSync(screenshots, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "clc-playground-"));

// A server as any for static files.
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const path = join(folder, new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html"));
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, LD_LIBRARY_PATH: process.env.CHROMIUM_LIBRARIES ?? process.env.LD_LIBRARY_PATH ?? "" },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/// A new page, which has compiled something; fails at the end if it said or asked for anything odd.
const opened = [];
async function open(fragment = "", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  await context.addInitScript(notePosts);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && origin !== new URL(address).origin) {
      complaints.push(`asks for ${request.url()}`);
    }
  });
  opened.push(complaints);
  await page.goto(address + fragment);
  await page.waitForFunction(() => document.body.dataset.answered);
  return page;
}

/// Runs in the page: what was asked of the compiler last, and how often it was asked.
function notePosts() {
  const { postMessage } = Worker.prototype;
  globalThis.posted = { count: 0 };
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.request) globalThis.posted = { ...message.request, count: globalThis.posted.count + 1 };
    return postMessage.call(this, message, ...rest);
  };
}

/// Does something that makes the page compile, and waits for the answer: the one to what the page shows then, for
/// on a busy machine the parts of an action may be compiled one by one.
async function answered(page, action) {
  const before = await page.evaluate(() => document.body.dataset.answered);
  await action();
  await page.waitForFunction((number) => {
    const { posted, playground } = globalThis;
    const [target, options] = ["target", "options"].map((id) => document.getElementById(id).value);
    return document.body.dataset.answered !== number && (!posted ||
      (posted.count === Number(document.body.dataset.answered) &&
        posted.source === playground.source.state.doc.toString() &&
        posted.options === `--target-env=${target} ${options}`));
  }, before);
  return page.locator("#status").textContent();
}

async function write(page, text) {
  await page.locator("#source .cm-content").click();
  await page.keyboard.press("Control+a");
  return answered(page, () => page.keyboard.insertText(text));
}

const sourceOf = (page) =>
  page.evaluate(() => globalThis.playground.source.state.doc.toString());

async function moduleOf(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  return readFileSync(await download.path());
}

function native(source, target, options) {
  const [input, output] = [join(scratch, "kernel.cl"), join(scratch, "kernel.spv")];
  writeFileSync(input, source);
  execFileSync(clc, [`--target-env=${target}`, ...options.split(" ").filter(Boolean), input, "-o", output],
    { stdio: ["ignore", "ignore", "ignore"] });
  return readFileSync(output);
}

const shot = (page, name, options = {}) =>
  screenshots && page.screenshot({ path: join(screenshots, `${name}.png`), ...options });

let [passed, failed] = [0, 0];
async function test(name, work) {
  const start = performance.now();
  try {
    const said = await work();
    passed += 1;
    console.log(`ok ${name}${said ? `: ${said}` : ""} (${Math.round(performance.now() - start)} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}

const page = await open();

await test("the page loads and compiles within a moment", async () => {
  const times = [];
  for (let turn = 0; turn < (isOptimized ? 5 : 2); turn++) {
    const fresh = await open();
    times.push(await fresh.evaluate(() => Math.round(performance.getEntriesByName("first answer")[0].startTime)));
    await fresh.context().close();
  }
  // A machine that does other things besides takes several times as long.
  assert(Math.min(...times) < 3000, `${times} ms`);
  return `first answer after ${times.join(", ")} ms`;
});

await test("every example gives the bytes of the command, for both targets", async () => {
  for (const [index, { name, source, target, options, mistakes }] of EXAMPLES.entries()) {
    const said = await answered(page, () => page.locator("#example").selectOption(name));
    assert.equal(await sourceOf(page), source);
    if (mistakes) {
      assert.match(said, /errors/);
      continue;
    }
    for (const environment of [target, target.startsWith("vulkan") ? "opencl3.0" : "vulkan1.3"]) {
      if ((await page.locator("#target").inputValue()) !== environment) {
        await answered(page, () => page.locator("#target").selectOption(environment));
      }
      const [here, there] = [await moduleOf(page), native(source, environment, options)];
      assert(here.equals(there), `${name} (${index}) for ${environment}: ${here.length} and ${there.length} bytes`);
    }
  }
});

await test("options are read as the command reads them", async () => {
  await answered(page, () => page.locator("#example").selectOption(EXAMPLES[6].name));
  await answered(page, () => page.locator("#options").fill("-O0 -DBINS=64"));
  assert((await moduleOf(page)).equals(native(EXAMPLES[6].source, "opencl3.0", "-O0 -DBINS=64")));
  await page.locator("#options").fill("-cl-turbo");
  await page.getByRole("alert").filter({ hasText: "unknown option `-cl-turbo`" }).waitFor();
  assert.equal(await page.locator("#options").getAttribute("aria-invalid"), "true");
  await answered(page, () => page.locator("#options").fill("--emit=ast"));
  assert.match(await page.locator("#panel-text .cm-content").textContent(), /histogram/);
  await answered(page, () => page.locator("#options").fill(""));
  assert(await page.locator("#refusal").isHidden());
});

await test("an error shows its message, its place and its explanation, and a click applies its fix", async () => {
  await write(page, "kernel void f(global int *p)\n{\n    /* ü€😀 */ p[0] = 1\n}\n");
  await page.getByRole("tab", { name: /Diagnostics/ }).click();
  const item = page.locator("#problems > li").first();
  assert.match(await item.textContent(), /error E\d{4}.*3:\d+/s);
  await page.locator("#source .cm-lintRange-error, #source .cm-lintPoint-error").first()
    .waitFor({ state: "attached" });
  await item.locator("summary").click();
  assert.match(await item.locator("pre").textContent(), /./);
  await item.locator("button.place").first().click();
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Source in OpenCL C");
  const said = await answered(page, () => item.locator("button.fix").click());
  assert.match(said, /bytes of SPIR-V/);
  assert.match(await sourceOf(page), /p\[0\] = 1;/);
  assert.match(await page.locator("#problems").textContent(), /No errors/);
});

await test("passes show the IR behind them, changed lines marked", async () => {
  await answered(page, () => page.locator("#example").selectOption(EXAMPLES[0].name));
  await answered(page, () => page.getByRole("tab", { name: "Passes" }).click());
  const box = page.locator("#pass");
  const few = await box.locator("option").count();
  await page.locator("#only-changes").uncheck();
  const all = await box.locator("option").count();
  assert(few > 3 && all > few, `${few} of ${all}`);
  await page.locator("#only-changes").check();
  assert.match(await page.locator("#panel-passes .cm-content").textContent(), /function .*"sum"/);
  await page.locator("#pass-behind").click();
  assert.equal(await box.evaluate((box) => box.selectedIndex), 1);
  assert(await page.locator("#panel-passes .changed-line").count() > 0);
  assert.notEqual(await page.locator("#pass-description").textContent(), "");
  await shot(page, "passes");
});

await test("reflection is that of the command", async () => {
  await answered(page, () => page.locator("#example").selectOption(EXAMPLES[2].name));
  await page.getByRole("tab", { name: "Reflection" }).click();
  const file = join(scratch, "reflection.cl");
  writeFileSync(file, EXAMPLES[2].source);
  const output = execFileSync(clc, ["--target-env=vulkan1.3", "--emit=reflection", file, "-o", "-"]);
  const table = await page.locator("#panel-reflection .cm-content").textContent();
  assert.match(table, /accelerate/);
  await shot(page, "reflection");
  await page.locator("#as-json").check();
  const here = await page.evaluate(() =>
    globalThis.playground.views.reflection.view.state.doc.toString());
  assert.deepEqual(JSON.parse(here), JSON.parse(output));
  await shot(page, "reflection-json");
  await page.locator("#as-json").uncheck();
});

await test("a link restores source, target and options", async () => {
  const source = "kernel void g(global float *p) { *p += N; } // ü€😀 #%&\n";
  await write(page, source);
  await answered(page, () => page.locator("#target").selectOption("vulkan1.2"));
  await answered(page, () => page.locator("#options").fill("-DN=4 -O0"));
  await page.locator("#share").click();
  await page.locator("#status").filter({ hasText: "copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, page.url());
  const other = await open(new URL(link).hash);
  assert.equal(await sourceOf(other), source);
  assert.equal(await other.locator("#target").inputValue(), "vulkan1.2");
  assert.equal(await other.locator("#options").inputValue(), "-DN=4 -O0");
  assert((await moduleOf(other)).equals(native(source, "vulkan1.2", "-DN=4 -O0")));
  await other.context().close();
  const damaged = await open("#1.AAAA");
  assert.equal(await sourceOf(damaged), EXAMPLES[0].source);
  await damaged.context().close();
});

await test("what nests too deep is said, and the next compilation works", async () => {
  await answered(page, () => page.locator("#options").fill(""));
  const insert = (expression) => answered(page, () => page.evaluate((expression) => {
    const view = globalThis.playground.source;
    const insert = `kernel void f(global int *p) { *p = ${expression}; }`;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
  }, expression));
  // The functions of a module that is not optimized take more of the stack, which may end before the limit.
  const nested = async (depth, expected) => {
    const said = await insert(`${"(".repeat(depth)}1${")".repeat(depth)}`);
    if (isOptimized || !/nests deeper than the stack/.test(said)) await expected(said);
  };
  await nested(1_000_000, async () =>
    assert.match(await page.locator("#problems").textContent(), /nested more than 200 levels deep/));
  await nested(190, (said) => assert.match(said, /bytes of SPIR-V/));
  // What has no limit ends the instance, where the stack ends.
  const terms = isOptimized ? 1_000_000 : 50_000;
  const said = await insert("p[1]+".repeat(terms) + "1");
  // As long as it may take, where it is slow.
  assert.match(said, isOptimized ? /nests deeper than the stack/ : /nests deeper than the stack|stopped after/);
  assert.match(await write(page, EXAMPLES[0].source), /bytes of SPIR-V/);
});

await test("a compilation that does not end is stopped, and the next one works", async () => {
  const context = await browser.newContext();
  let asked = 0;
  await context.route("**/worker.js", (route) => (asked++ ? route.continue() : route.fulfill({
    contentType: "text/javascript",
    body: "self.onmessage = () => { for (;;); }; self.postMessage({ ready: true });",
  })));
  const slow = await context.newPage();
  await slow.goto(address);
  await slow.locator("#status").filter({ hasText: "stopped after 10 seconds" }).waitFor();
  assert.match(await answered(slow, () => slow.locator("#target").selectOption("vulkan1.3")), /bytes of SPIR-V/);
  await context.close();
});

await test("a compiler that cannot be loaded is said", async () => {
  const context = await browser.newContext();
  await context.route("**/clc.wasm", (route) => route.fulfill({ status: 404 }));
  const without = await context.newPage();
  await without.goto(address);
  await without.locator("#status").filter({ hasText: "cannot be loaded: /clc.wasm: 404" }).waitFor();
  await context.close();
});

await test("a panic is told and ends the instance, not the module", async () => {
  const module = await WebAssembly.compile(readFileSync(join(folder, "clc.wasm")));
  const { instantiate } = WebAssembly;
  // A wrong length is the one way to make a correct compiler panic.
  WebAssembly.instantiate = async (...given) => {
    const { exports } = await instantiate(...given);
    const clc_web_compile = (at, length) => exports.clc_web_compile(at, length - 64);
    return { exports: { ...exports, clc_web_compile } };
  };
  const request = { name: "kernel.cl", source: EXAMPLES[0].source, options: "-cl-std=CL2.0" };
  const broken = await Compiler.of(module);
  WebAssembly.instantiate = instantiate;
  assert.throws(() => broken.compile(request), (error) =>
    error instanceof CompilerEnded && /assertion failed.*dlmalloc/.test(error.message));
  assert.equal((await Compiler.of(module)).compile(request).status, 0);
});

await test("the keyboard alone reaches everything", async () => {
  const fresh = await open();
  const seen = [];
  for (let i = 0; i < 12; i++) {
    await fresh.keyboard.press("Tab");
    const where = await fresh.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label"));
    seen.push(where);
    if (where === "Source in OpenCL C") await fresh.keyboard.press("Escape");
  }
  for (const id of ["example", "target", "options", "share", "Source in OpenCL C", "tab-text", "The module as text", "download"]) {
    assert(seen.includes(id), `${id} is not in ${seen}`);
  }
  await fresh.locator("#tab-text").focus();
  await fresh.keyboard.press("ArrowLeft");
  assert.equal(await fresh.evaluate(() => document.activeElement.id), "tab-problems");
  assert(await fresh.locator("#panel-problems").isVisible());
  const unnamed = await fresh.evaluate(() =>
    [...document.querySelectorAll("select, input, button")].filter((each) => each.checkVisibility() &&
      !each.labels?.length && !each.textContent.trim() && !each.ariaLabel && !each.closest(".cm-editor")).length);
  assert.equal(unnamed, 0);
  await fresh.context().close();
});

await test("wide and narrow, light and dark: nothing is wider than the window", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const [form, viewport] of [["wide", { width: 1360, height: 800 }], ["narrow", { width: 390, height: 844 }]]) {
      const view = await open("", { colorScheme, viewport });
      await shot(view, `${form}-${colorScheme}`);
      await answered(view, () => view.locator("#example").selectOption(EXAMPLES[1].name));
      await view.getByRole("tab", { name: /Diagnostics/ }).click();
      await shot(view, `${form}-${colorScheme}-mistakes`);
      if (form === "narrow") {
        await shot(view, `${form}-${colorScheme}-all`, { fullPage: true });
      }
      const [inner, outer] = await view.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert(inner <= outer, `${form}: ${inner} of ${outer}`);
      await view.context().close();
    }
  }
});

await test("nothing was complained of, and nothing outside of the page was asked for", () => {
  assert.deepEqual(opened.flat(), []);
});

await browser.close();
server.close();
rmSync(scratch, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
