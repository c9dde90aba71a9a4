// A diagnostic as an item of the list.

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/// Text in which parts in backticks are code.
function prose(name, className, text) {
  const made = element(name, className);
  for (const [index, part] of text.split("`").entries()) {
    made.append(index % 2 ? element("code", "", part) : part);
  }
  return made;
}

function button(className, text, onClick) {
  const made = prose("button", className, text);
  made.type = "button";
  made.addEventListener("click", onClick);
  return made;
}

/// `onPlace` is called with a part that `isHere`, `onFix` is null without a fix.
export function problemItem(diagnostic, { explanation, isHere, onPlace, onFix }) {
  const item = element("li");
  const place = (part) => {
    const text = `${part.line}:${part.column}`;
    return isHere(part)
      ? button("place", text, () => onPlace(part))
      : element("span", "place", `${part.file}:${text}`);
  };
  const head = element("div", "problem-head");
  const title = `${diagnostic.severity} ${diagnostic.code}`;
  head.append(element("b", diagnostic.severity === "warning" ? "" : "error", title));
  const primary = diagnostic.spans.find((part) => part.primary);
  if (primary) head.append(place(primary));
  item.append(head, prose("p", "message", diagnostic.message));

  for (const part of diagnostic.spans.filter(({ label }) => label)) {
    const line = prose("p", "note", part.label);
    if (!part.primary) line.prepend(place(part), " ");
    item.append(line);
  }
  for (const text of diagnostic.notes) item.append(prose("p", "note", text));
  for (const text of diagnostic.helps) item.append(prose("p", "note", text));
  if (onFix) item.append(button("fix", `Fix: ${diagnostic.fix.message}`, onFix));
  if (explanation) {
    const details = element("details");
    details.append(element("summary", "", `What ${diagnostic.code} means`));
    details.append(element("pre", "excerpt", explanation.trim()));
    item.append(details);
  }
  return item;
}
