//! Diagnostics for people: source excerpts with labels, drawn by ariadne.
//!
//! Ariadne never sees a whole file. For each diagnostic an excerpt is made of the lines that carry
//! labels, cleaned (a control character must not reach a terminal, and ariadne splits lines at
//! form feeds and U+2028 where the compiler does not) and cut (one line of a generated file can be
//! longer than a screenful of screens).

use std::collections::BTreeMap;

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use clc_base::{Diagnostic, FileId, Fix, Severity, SourceMap, Span};

use super::{MacroStep, include_chain, macro_chain, severity_name, shorten};

/// Stands around a number in the headings of excerpts; no cleaned text has it.
const OFFSET: char = '\u{1}';
/// Lines longer than this many bytes are cut around their labels.
const LONG_LINE: usize = 320;
/// What is kept of a cut line before and after the start of its first label.
const KEPT_BEFORE: usize = 80;
const KEPT_AFTER: usize = 200;
/// More steps than this of a chain of macro expansions are counted, not shown.
const MACRO_STEPS: usize = 4;

/// Appends the drawing.
pub fn render(out: &mut String, diagnostic: &Diagnostic, map: &SourceMap, color: bool) {
    let paint = match diagnostic.severity {
        Severity::Note => Color::Cyan,
        Severity::Warning => Color::Yellow,
        Severity::Error | Severity::Fatal => Color::Red,
    };
    let title = format!("{}[{}]", severity_name(diagnostic.severity), diagnostic.code.id);
    let kind = ReportKind::Custom(&title, paint);
    let marks = collect_marks(diagnostic, map);
    let mut excerpts = excerpts(&marks, map);

    let primary = marks.first().and_then(|mark| excerpts.locate(mark));
    let anchor = primary.clone().unwrap_or((FileId(u32::MAX), 0..0));
    let config = Config::default()
        .with_color(color)
        .with_index_type(IndexType::Byte)
        .with_label_attach(ariadne::LabelAttach::Start)
        .with_tab_width(4);
    let mut report =
        Report::build(kind, anchor).with_config(config).with_message(one_line(&diagnostic.message));

    // Ariadne opens a new excerpt whenever the order of labels leaves a file or goes back in it.
    let mut order: Vec<usize> = (0..marks.len()).collect();
    let home = marks.first().map(|mark| mark.file);
    order.sort_by_key(|&i| {
        let mark = &marks[i];
        (Some(mark.file) != home, mark.file, mark.end_line, i)
    });
    for (position, &i) in order.iter().enumerate() {
        let mark = &marks[i];
        let Some(place) = excerpts.locate(mark) else { continue };
        let ink = match mark.role {
            Role::Primary => paint,
            Role::Explains => Color::Cyan,
            Role::Macro => Color::Fixed(245),
        };
        let label = Label::new(place)
            .with_message(one_line(&mark.message))
            .with_order(position as i32)
            .with_color(ink)
            .with_priority(if mark.role == Role::Primary { 10 } else { 0 });
        report = report.with_label(label);
    }

    for note in extra_notes(diagnostic, map, &excerpts) {
        report = report.with_note(note);
    }
    for help in &diagnostic.helps {
        report = report.with_help(clean_text(help));
    }
    if let Some(fix) = &diagnostic.fix {
        let mut message = clean_text(&fix.message);
        if let Some(line) = changed_line(fix, map) {
            message.push_str(&format!("\n{line}"));
        }
        report = report.with_help(message);
    }

    if marks.is_empty() {
        // Nothing to draw: the words alone.
        without_excerpt(out, diagnostic, &title);
        return;
    }
    let mut buffer = Vec::new();
    // Writing to a vector cannot fail, and every label lies in a line of its excerpt.
    let _ = report.finish().write(&mut excerpts, &mut buffer);
    append(out, &String::from_utf8_lossy(&buffer), excerpts.missing_digits(), color);
}

/// The line that an edit changes, as it is behind the edit. An edit in a macro's body or over
/// several lines is shown in words alone.
fn changed_line(fix: &Fix, map: &SourceMap) -> Option<String> {
    let resolved = map.resolve(fix.span)?;
    let file = map.file(resolved.file);
    let (line, start) = file.line_at(resolved.start);
    let end = file.line_end(line);
    if !resolved.expanded_from.is_empty() || resolved.end > end || fix.replacement.contains('\n') {
        return None;
    }
    let before = file.text[start as usize..resolved.start as usize].trim_start();
    let after = file.text[resolved.end as usize..end as usize].trim_end();
    let from = before.ceil_char_boundary(before.len().saturating_sub(KEPT_BEFORE));
    let to = after.floor_char_boundary(KEPT_AFTER.min(after.len()));
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let text = format!(
        "{}{}{}{}{}",
        cut(from > 0),
        &before[from..],
        fix.replacement,
        &after[..to],
        cut(to < after.len())
    );
    let text: String = text.chars().map(same_width).collect();
    Some(format!("{} │ {}", line + 1, text.replace('\t', " ").trim()))
}

/// A diagnostic that is about no place in a source: `clc link`, options.
fn without_excerpt(out: &mut String, diagnostic: &Diagnostic, title: &str) {
    out.push_str(&format!("{title}: {}\n", one_line(&diagnostic.message)));
    for note in &diagnostic.notes {
        out.push_str(&format!("  note: {}\n", clean_text(note)));
    }
    let fix = diagnostic.fix.as_ref().map(|fix| &fix.message);
    for help in diagnostic.helps.iter().chain(fix) {
        out.push_str(&format!("  help: {}\n", clean_text(help)));
    }
}

/// Appends ariadne's text without blanks at the ends of lines, without the escape sequences that it
/// writes for the kind of a report even when it is to use no colours, and with the numbers that
/// lines have in the file, in a margin that is `wider`.
fn append(out: &mut String, text: &str, wider: usize, color: bool) {
    let mut offset = 0;
    for (index, line) in text.lines().enumerate() {
        let start = out.len();
        if index == 0 {
            // The message.
            push_plain(out, line, color);
        } else if let Some((before, rest)) = line.split_once(OFFSET)
            && let Some((number, after)) = rest.split_once(OFFSET)
        {
            offset = number.parse().unwrap_or(0);
            out.extend(std::iter::repeat_n(' ', wider));
            push_plain(out, before, color);
            push_plain(out, after, color);
        } else if let Some((before, number, after)) = margin_number(line) {
            let width = number.len() + wider;
            let number = number.trim_start().parse().unwrap_or(0u32) + offset;
            push_plain(out, before, color);
            out.push_str(&format!("{number:>width$}"));
            push_plain(out, after, color);
        } else {
            // The margin's last line is a rule.
            let (before, after) = line.split_at(line.find(['─', ' ']).unwrap_or(0));
            push_plain(out, before, color);
            let fill = after.chars().next().unwrap_or(' ');
            out.extend(std::iter::repeat_n(fill, wider));
            push_plain(out, after, color);
        }
        let end = start + out[start..].trim_end().len();
        out.truncate(end);
        out.push('\n');
    }
}

/// Appends a part of a line, without escape sequences if there are to be no colours.
fn push_plain(out: &mut String, part: &str, color: bool) {
    if color {
        out.push_str(part);
        return;
    }
    for (index, part) in part.split('\x1b').enumerate() {
        let plain = match part.split_once('m') {
            Some((_, plain)) if index > 0 => plain,
            _ => part,
        };
        out.push_str(plain);
    }
}

/// The number in the margin of a line, with the blanks before it, between what stands around it.
fn margin_number(line: &str) -> Option<(&str, &str, &str)> {
    let inside = line.strip_prefix(' ')?;
    let color = match inside.strip_prefix('\x1b') {
        Some(sequence) => sequence.find('m')? + 2,
        None => 0,
    };
    let (number, _) = inside.get(color..)?.split_once(" │")?;
    let digits = number.trim_start_matches(' ');
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (before, rest) = line.split_at(1 + color);
    let (number, after) = rest.split_at(number.len());
    Some((before, number, after))
}

/// Facts without a place: the diagnostic's own, then how the source came here.
fn extra_notes(diagnostic: &Diagnostic, map: &SourceMap, excerpts: &Excerpts) -> Vec<String> {
    let mut notes: Vec<String> = diagnostic.notes.iter().map(|note| clean_text(note)).collect();
    let span = diagnostic.primary.span;
    let depth = macro_chain(map, span).len();
    if depth > MACRO_STEPS {
        notes.push(format!("{} more macro expansions lie between", depth - MACRO_STEPS));
    }
    let chain = include_chain(map, span);
    if !chain.is_empty() {
        notes.push(format!("included from {}", chain.join(", from ")));
    }
    if let (Some((name, line)), Some(location)) = (map.presumed(span.lo), map.location(span.lo))
        && !span.is_none()
    {
        if line != location.line || name != map.file(location.file).name {
            notes.push(format!("`#line` calls this place {}:{line}", clean_text(name)));
        }
        if excerpts.is_cut(location.file, location.line - 1) {
            notes.push(format!("the line is cut; the place is at column {}", location.column));
        }
    }
    notes
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Primary,
    Explains,
    Macro,
}

/// A label on its way to ariadne, in bytes of its file.
struct Mark {
    role: Role,
    file: FileId,
    start: u32,
    end: u32,
    start_line: u32,
    end_line: u32,
    message: String,
}

/// The primary place first.
fn collect_marks(diagnostic: &Diagnostic, map: &SourceMap) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut push = |role: Role, span: Span, message: String| {
        let Some(resolved) = map.resolve(span) else { return };
        let file = map.file(resolved.file);
        let (start_line, _) = file.line_at(resolved.start);
        // The end is exclusive: a span that ends behind a line end belongs to the line before.
        let last = resolved.end.saturating_sub(1).max(resolved.start);
        let (end_line, _) = file.line_at(last);
        let mark = Mark {
            role,
            file: resolved.file,
            start: resolved.start,
            end: resolved.end,
            start_line,
            end_line,
            message,
        };
        let repeats = |other: &Mark| {
            (other.file, other.start, other.end) == (mark.file, mark.start, mark.end)
                && other.message == mark.message
        };
        if !marks.iter().any(repeats) {
            marks.push(mark);
        }
    };
    // What is wrong with a token of a macro's body is said there; the use of the macro is where
    // the way to it begins.
    let own_chain = macro_chain(map, diagnostic.primary.span);
    let innermost = own_chain.first().filter(|step| step.place.hi > step.place.lo);
    let primary = match (innermost, own_chain.last()) {
        (Some(_), Some(MacroStep { name: Some(name), .. })) => {
            format!("the macro `{name}` is used here")
        }
        (Some(_), _) => "a macro is used here".to_owned(),
        _ => diagnostic.primary.message.to_string(),
    };
    let is_said_inside = innermost.is_some();
    push(Role::Primary, diagnostic.primary.span, primary);
    for label in &diagnostic.labels {
        push(Role::Explains, label.span, label.message.to_string());
    }
    // Most often the primary place; when only an explaining place lies in a macro, that one.
    let chain = std::iter::once(&diagnostic.primary)
        .chain(&diagnostic.labels)
        .map(|label| macro_chain(map, label.span))
        .find(|chain| !chain.is_empty())
        .unwrap_or_default();
    for (index, step) in chain.iter().take(MACRO_STEPS).enumerate() {
        let mut message = match step.name {
            Some(name) => format!("in the expansion of macro `{name}`"),
            None => "in a macro expansion".to_owned(),
        };
        if index == 0 && is_said_inside {
            message = format!("{}, {message}", diagnostic.primary.message);
        }
        push(Role::Macro, step.place, message);
    }
    marks
}

/// One line of an excerpt: a cleaned part of a line of the file.
struct ShownLine {
    /// Where the line begins in the excerpt's text.
    at: usize,
    /// The part of the file it shows, in bytes.
    start: u32,
    end: u32,
    /// Bytes put before the part (the ellipsis of a cut line).
    lead: usize,
    cut: bool,
}

struct Excerpt {
    source: Source<String>,
    lines: BTreeMap<u32, ShownLine>,
}

struct Excerpts {
    files: BTreeMap<FileId, (String, Excerpt)>,
    empty: Source<String>,
}

impl Excerpts {
    /// Where a mark lies in its excerpt.
    fn locate(&self, mark: &Mark) -> Option<(FileId, std::ops::Range<usize>)> {
        let (_, excerpt) = self.files.get(&mark.file)?;
        let place = |line: u32, offset: u32| {
            let shown = excerpt.lines.get(&line)?;
            let inside = offset.clamp(shown.start, shown.end) - shown.start;
            Some(shown.at + shown.lead + inside as usize)
        };
        let start = place(mark.start_line, mark.start)?;
        let end = place(mark.end_line, mark.end)?.max(start);
        Some((mark.file, start..end))
    }

    /// How much wider the margin has to be for the numbers that lines have in their files: ariadne
    /// makes it wide enough for those in the excerpts.
    fn missing_digits(&self) -> usize {
        let (mut in_files, mut in_excerpts) = (0, 0);
        for (_, excerpt) in self.files.values() {
            let Some((&last, _)) = excerpt.lines.last_key_value() else { continue };
            let first = excerpt.source.display_line_offset() as u32;
            in_files = in_files.max(last + 1);
            in_excerpts = in_excerpts.max(last - first + 1);
        }
        let digits = |number: u32| number.max(1).ilog10() as usize;
        digits(in_files) - digits(in_excerpts)
    }

    fn is_cut(&self, file: FileId, line: u32) -> bool {
        self.files
            .get(&file)
            .and_then(|(_, excerpt)| excerpt.lines.get(&line))
            .is_some_and(|shown| shown.cut)
    }
}

impl ariadne::Cache<FileId> for &mut Excerpts {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl std::fmt::Debug> {
        Ok::<_, std::convert::Infallible>(match self.files.get(id) {
            Some((_, excerpt)) => &excerpt.source,
            None => &self.empty,
        })
    }

    /// The name, and before it what [`append`] adds to the numbers of lines.
    fn display<'a>(&self, id: &'a FileId) -> Option<impl std::fmt::Display + 'a> {
        self.files.get(id).map(|(name, excerpt)| {
            format!("{OFFSET}{}{OFFSET}{name}", excerpt.source.display_line_offset())
        })
    }
}

fn excerpts(marks: &[Mark], map: &SourceMap) -> Excerpts {
    // For each line that carries a label, the offset to keep in view when it must be cut.
    let mut wanted: BTreeMap<FileId, BTreeMap<u32, u32>> = BTreeMap::new();
    for mark in marks {
        let lines = wanted.entry(mark.file).or_default();
        lines.entry(mark.start_line).or_insert(mark.start);
        lines.entry(mark.end_line).or_insert(mark.end.saturating_sub(1));
    }
    let files = wanted
        .into_iter()
        .map(|(file, lines)| {
            let name = one_line(&map.file(file).name);
            (file, (name, excerpt(&map.file(file).text, &lines, map.file(file))))
        })
        .collect();
    Excerpts { files, empty: Source::from(String::new()) }
}

fn excerpt(
    text: &str,
    wanted: &BTreeMap<u32, u32>,
    file: &clc_base::source_map::SourceFile,
) -> Excerpt {
    let first = wanted.keys().next().copied().unwrap_or(0);
    let mut shown_text = String::new();
    let mut line_of_text = 0;
    let mut lines = BTreeMap::new();
    for (&line, &keep) in wanted {
        let number = line - first;
        while line_of_text < number {
            shown_text.push('\n');
            line_of_text += 1;
        }
        let (_, start) = file.line_at(keep);
        let content = &text[start as usize..file.line_end(line) as usize];
        let (mut from, mut to) = (0, content.len());
        if content.len() > LONG_LINE {
            let keep = ((keep - start) as usize).min(content.len());
            from = content.floor_char_boundary(keep.saturating_sub(KEPT_BEFORE));
            to = content.floor_char_boundary((keep + KEPT_AFTER).min(content.len()));
        }
        let at = shown_text.len();
        let lead = if from > 0 { "…".len() } else { 0 };
        if from > 0 {
            shown_text.push('…');
        }
        shown_text.extend(content[from..to].chars().map(same_width));
        if to < content.len() {
            shown_text.push('…');
        }
        lines.insert(
            line,
            ShownLine {
                at,
                start: start + from as u32,
                end: start + to as u32,
                lead,
                cut: content.len() > LONG_LINE,
            },
        );
    }
    // A label at the very end of the text needs a position there.
    shown_text.push('\n');
    let source = Source::from(shown_text).with_display_line_offset(first as usize);
    Excerpt { source, lines }
}

/// A harmless character of the same length in UTF-8, so that byte offsets stay.
fn same_width(c: char) -> char {
    match c {
        '\t' => '\t',
        '\x0b' | '\x0c' | '\r' => ' ',
        c if c.is_ascii_control() => '?',
        // C1 controls (two bytes) reach terminals as escape sequences.
        '\u{80}'..='\u{9f}' => '¿',
        // Line separators (three bytes), which ariadne would split at.
        '\u{2028}' | '\u{2029}' => '␤',
        // Bidirectional controls reorder what is shown.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c => c,
    }
}

fn one_line(text: &str) -> String {
    shorten(text)
        .chars()
        .map(|c| if c == '\n' || c == '\t' { ' ' } else { same_width(c) })
        .collect()
}

/// Notes may have several lines.
fn clean_text(text: &str) -> String {
    shorten(text).chars().map(|c| if c == '\n' { c } else { same_width(c) }).collect()
}
