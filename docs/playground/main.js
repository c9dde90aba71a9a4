// The page: what is asked for (source, target, options), and what the compiler answers.

import { Client } from "./client.js";
import { goTo, positions, setText, showProblems, sourceEditor, viewer } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { ir, json, openclC, spirv } from "./languages.js";
import { problemItem } from "./problems.js";
import { decode, encode } from "./share.js";

const NAME = "kernel.cl";
const TABS = ["text", "passes", "reflection", "problems"];
const PAUSE = 150;

const by = (id) => document.getElementById(id);
const [exampleBox, targetBox, optionsBox] = ["example", "target", "options"].map(by);

let tab = "text";
let timer = 0;
let patience = 0;
/// The last answer, and the source it is of.
let shown = null;
let moduleUrl = null;

const client = new Client(globalThis.started, take);
const source = sourceEditor(by("source"), { onChange: () => changed(PAUSE), onRun: () => changed(0) });
const views = {
  text: viewer(by("panel-text"), "The module as text"),
  passes: viewer(by("panel-passes"), "Intermediate representation"),
  reflection: viewer(by("panel-reflection"), "Reflection, in JSON"),
};

const state = () => ({
  source: source.state.doc.toString(),
  target: targetBox.value,
  options: optionsBox.value,
});

// What is asked

function changed(pause) {
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
}

function ask() {
  clearTimeout(timer);
  clearTimeout(patience);
  if (shown) patience = setTimeout(() => say("Compiling…"), 400);
  const now = state();
  // What the line says counts, for it comes last.
  const options = `--target-env=${now.target} ${now.options}`;
  client.compile({ name: NAME, source: now.source, options, passes: tab === "passes" });
}

function restore({ source: text, target, options }) {
  if ([...targetBox.options].some((option) => option.value === target)) targetBox.value = target;
  optionsBox.value = options;
  setText(source, text);
  changed(0);
}

exampleBox.append(new Option("choose…", ""), ...EXAMPLES.map(({ name }, index) => new Option(name, index)));
exampleBox.addEventListener("change", () => {
  const example = EXAMPLES[exampleBox.value];
  if (!example) return;
  history.replaceState(null, "", location.pathname + location.search);
  restore(example);
});
targetBox.addEventListener("change", () => changed(0));
optionsBox.addEventListener("input", () => changed(PAUSE));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") changed(0);
});

by("share").addEventListener("click", async () => {
  history.replaceState(null, "", `#${await encode(state())}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link was copied, and is the address of this page.");
  } catch {
    say("The link is the address of this page.");
  }
});

async function fromAddress() {
  const fragment = location.hash.slice(1);
  const linked = fragment && (await decode(fragment));
  restore(linked || EXAMPLES[0]);
  exampleBox.value = linked ? "" : 0;
  if (fragment && !linked) say("The link is damaged: this is an example.", true);
}
addEventListener("hashchange", fromAddress);

// What is answered

function say(text, isFailure = false) {
  by("status").textContent = text;
  by("status").classList.toggle("failed", isFailure);
}

function take(message) {
  clearTimeout(patience);
  show(message);
  // For tests, and to see how long the page took to load.
  if (!document.body.dataset.answered) performance.mark("first answer");
  document.body.dataset.answered = String(Number(document.body.dataset.answered ?? 0) + 1);
}

function show({ answer, request, milliseconds, ended, stopped, unusable }) {
  if (!answer) {
    document.body.classList.add("stale");
    const reason = unusable
      ? `The compiler cannot be loaded: ${unusable}`
      : stopped
        ? `The compilation was stopped after ${stopped} seconds.`
        : /call stack/.test(ended)
          ? "The source nests deeper than the stack of this browser."
          : `The compiler ended with an internal error, which is a bug: ${ended}`;
    say(reason, true);
    download(null);
    return;
  }
  if (answer.refusal !== undefined) {
    refuse(answer.refusal);
    document.body.classList.add("stale");
    download(null);
    say("The options are wrong.", true);
    return;
  }
  refuse(answer.warnings.join("\n"), true);
  const isFirst = shown === null;
  shown = { answer, source: request.source };
  problems();
  const errors = answer.diagnostics.filter(({ severity }) => severity !== "warning").length;
  const warnings = answer.diagnostics.length - errors;
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const time = `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  const found = [errors && count(errors, "error"), warnings && count(warnings, "warning")].filter(Boolean);
  if (answer.status === 0) {
    const size = answer.isModule ? `${answer.module.length.toLocaleString("en")} bytes of SPIR-V` : "compiled";
    say([size, ...found, time].join(" · "));
  } else if (errors) {
    say([...found, time].join(" · "), true);
  } else {
    say(answer.log, true);
  }
  download(answer.isModule ? answer.module : null);
  if (answer.status === 0 || isFirst) results();
  document.body.classList.toggle("stale", answer.status !== 0);
}

function refuse(text, isWarning = false) {
  by("refusal").textContent = text;
  by("refusal").hidden = !text;
  optionsBox.setAttribute("aria-invalid", String(Boolean(text) && !isWarning));
}

function download(bytes) {
  if (moduleUrl) URL.revokeObjectURL(moduleUrl);
  moduleUrl = bytes && URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = by("download");
  link.hidden = !bytes;
  if (bytes) Object.assign(link, { href: moduleUrl, download: "kernel.spv" });
}

// The four tabs

function results() {
  const { answer } = shown;
  const text = answer.text ?? "";
  const language = answer.isModule || text.startsWith("; SPIR-V") ? spirv
    : text.startsWith("module ") ? ir
    : openclC;
  views.text.show(text, language);
  reflection();
  if (answer.passes.length) passes();
}

function reflection() {
  const { reflection: facts, table } = shown.answer;
  if (!by("as-json").checked) views.reflection.show(table ?? "", []);
  else views.reflection.show(facts ? JSON.stringify(facts, null, 2) + "\n" : "", json);
}
by("as-json").addEventListener("change", () => shown && reflection());

const passBox = by("pass");
/// Of each pass its name, its description and the text behind it and before it.
let steps = [];

function passes() {
  const chosen = passBox.value;
  let before;
  steps = shown.answer.passes.map(({ name, description, ir: text }) => {
    const step = { name, description, before, text: text ?? before, changes: text !== null };
    before = step.text;
    return step;
  });
  const only = by("only-changes").checked;
  const seen = new Map();
  const options = steps.flatMap(({ name, changes }, index) => {
    const turn = (seen.get(name) ?? 0) + 1;
    seen.set(name, turn);
    const label = `${index + 1}. ${name}${turn > 1 ? ` (${turn})` : ""}${changes ? "" : " (no change)"}`;
    return changes || !only ? [new Option(label, `${name} ${turn}`)] : [];
  });
  options.forEach((option) => (option.dataset.index = Number(option.label.split(".")[0]) - 1));
  passBox.replaceChildren(...options);
  if (options.some(({ value }) => value === chosen)) passBox.value = chosen;
  pass();
}

function pass() {
  const option = passBox.selectedOptions[0];
  const step = option && steps[option.dataset.index];
  by("pass-before").disabled = passBox.selectedIndex <= 0;
  by("pass-behind").disabled = passBox.selectedIndex >= passBox.length - 1;
  by("pass-description").textContent = step?.description ?? "";
  views.passes.show(step?.text ?? "", ir, step?.before);
}

passBox.addEventListener("change", pass);
by("only-changes").addEventListener("change", () => shown && passes());
for (const [id, direction] of [["pass-before", -1], ["pass-behind", 1]]) {
  by(id).addEventListener("click", () => {
    passBox.selectedIndex += direction;
    pass();
  });
}

function problems() {
  const { answer, source: text } = shown;
  const place = positions(text);
  const isHere = (part) => part && part.file === NAME;
  const range = (part) => [place(part.byte_start), place(part.byte_end)];
  const apply = (fix) => {
    // Another edit may have come between.
    if (source.state.doc.toString() !== text) return changed(0);
    const [from, to] = range(fix);
    source.dispatch({ changes: { from, to, insert: fix.replacement }, userEvent: "input.fix" });
    goTo(source, from, from + fix.replacement.length);
    changed(0);
  };

  const marks = [];
  const items = answer.diagnostics.map((diagnostic) => {
    const at = diagnostic.spans.find(({ primary }) => primary);
    const fix = isHere(diagnostic.fix) ? diagnostic.fix : null;
    if (isHere(at) && source.state.doc.toString() === text) {
      const [from, to] = range(at);
      marks.push({
        from,
        to: Math.max(to, from),
        severity: diagnostic.severity === "warning" ? "warning" : "error",
        message: [diagnostic.message, at.label].filter(Boolean).join("\n"),
        actions: fix ? [{ name: fix.message, apply: () => apply(fix) }] : [],
      });
    }
    return problemItem(diagnostic, {
      explanation: answer.explanations[diagnostic.code],
      isHere,
      onPlace: (part) => goTo(source, ...range(part)),
      onFix: fix && (() => apply(fix)),
    });
  });
  showProblems(source, marks);
  by("problems").replaceChildren(...items);
  if (!items.length) {
    const item = document.createElement("li");
    item.className = "good";
    item.textContent = "No errors and no warnings.";
    by("problems").append(item);
  } else {
    by("problems").append(asTheCommand(answer.log));
  }
  const count = by("count");
  count.hidden = !answer.diagnostics.length;
  count.textContent = answer.diagnostics.length;
  count.classList.toggle("errors", answer.diagnostics.some(({ severity }) => severity !== "warning"));
}

function asTheCommand(log) {
  const item = document.createElement("li");
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "As the command shows them";
  const text = document.createElement("pre");
  text.className = "excerpt";
  text.textContent = log;
  details.append(summary, text);
  item.append(details);
  return item;
}

function select(name, focus = false) {
  const needsPasses = name === "passes" && !shown?.answer.passes.length;
  tab = name;
  for (const each of TABS) {
    const button = by(`tab-${each}`);
    button.setAttribute("aria-selected", String(each === name));
    button.tabIndex = each === name ? 0 : -1;
    by(`panel-${each}`).hidden = each !== name;
  }
  if (focus) by(`tab-${name}`).focus();
  views[name]?.view.requestMeasure();
  if (needsPasses) changed(0);
}

for (const name of TABS) by(`tab-${name}`).addEventListener("click", () => select(name));
by("tabs").addEventListener("keydown", ({ key }) => {
  const at = TABS.indexOf(tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + TABS.length, Home: 0, End: TABS.length - 1 }[key];
  if (to !== undefined) select(TABS[to % TABS.length], true);
});

// For tests, and for who looks around in the console.
globalThis.playground = { source, views };

fromAddress();
