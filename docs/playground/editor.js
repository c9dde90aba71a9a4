// The two editors: the source, and the text that was made of it.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars,
  keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { openclC } from "./languages.js";

// Colours are variables of the style sheet, which has them for light and dark.
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.definitionKeyword], color: "var(--code-keyword)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: [tags.number, tags.atom, tags.bool], color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.meta, color: "var(--code-meta)" },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-definition)" },
]);

const shared = [
  lineNumbers(),
  highlightSpecialChars(),
  drawSelection(),
  syntaxHighlighting(colours),
  bracketMatching(),
  search({ top: true }),
  highlightSelectionMatches(),
];

/// The editor of the source. `onChange` is called whenever its text has changed, `onRun` for Ctrl+Enter.
export function sourceEditor(parent, { onChange, onRun }) {
  const run = { key: "Mod-Enter", preventDefault: true, run: () => (onRun(), true) };
  return new EditorView({
    parent,
    extensions: [
      shared,
      openclC,
      indentUnit.of("    "),
      history(),
      indentOnInput(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      lintGutter(),
      keymap.of([run, ...searchKeymap, ...lintKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Source in OpenCL C", "aria-describedby": "keys" }),
      EditorView.updateListener.of((update) => update.docChanged && onChange()),
    ],
  });
}

/// Replaces the whole text; as an edit, which can be undone, or as the beginning.
export function setText(view, text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/// The place in an editor of a byte of the text in UTF-8. Diagnostics count bytes.
export function positions(text) {
  // Most sources are ASCII, where the two are the same.
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => Math.min(byte, text.length);
  const places = [];
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0);
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let i = 0; i < bytes; i++) places.push(at);
    at += character.length;
  }
  return (byte) => places[byte] ?? text.length;
}

/// Shows problems `{ from, to, severity, message, actions }` in the source.
export function showProblems(view, problems) {
  view.dispatch(setDiagnostics(view.state, problems));
}

/// Selects a part of the source, as far as it is still there, and goes there.
export function goTo(view, ...range) {
  const [from, to] = range.map((place) => Math.min(place, view.state.doc.length));
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

const setChanged = StateEffect.define();
const changedLine = Decoration.line({ class: "changed-line" });
const changedLines = StateField.define({
  create: () => Decoration.none,
  update: (marks, transaction) =>
    transaction.effects.reduce((found, effect) => (effect.is(setChanged) ? effect.value : found), marks),
  provide: (field) => EditorView.decorations.from(field),
});

/// A text to read. `show(text, language, before)` marks the lines that are not in `before`.
export function viewer(parent, label) {
  const language = new Compartment();
  const view = new EditorView({
    parent,
    extensions: [
      shared,
      language.of([]),
      changedLines,
      keymap.of([...searchKeymap, ...defaultKeymap]),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label }),
    ],
  });
  const show = (text, of, before) => {
    if (view.state.doc.toString() !== text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        effects: language.reconfigure(of),
        // Where one reads, one goes on reading, as far as there is text.
        selection: { anchor: 0 },
      });
    } else {
      view.dispatch({ effects: language.reconfigure(of) });
    }
    const marks = [];
    if (before !== undefined) {
      const known = new Set(before.split("\n"));
      const { doc } = view.state;
      for (let number = 1; number <= doc.lines; number++) {
        const line = doc.line(number);
        if (line.text.trim() && !known.has(line.text)) marks.push(changedLine.range(line.from));
      }
    }
    view.dispatch({ effects: setChanged.of(Decoration.set(marks)) });
  };
  return { view, show };
}
