//! Diagnostics as text: for people ([`human`]), for editors and tests ([`short`]) and for tools
//! ([`json`], [`sarif`]).
//!
//! A renderer appends to a `String` and never fails; where the text goes is the caller's affair.

pub mod human;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "json")]
pub mod sarif;
pub mod short;

use std::fmt::Write as _;

use clc_base::{Diagnostic, Severity, SourceMap, Span};

/// `--message-format`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// Source excerpts with labels.
    #[default]
    Human,
    /// `path:line:col: error[E0312]: text`
    Short,
    /// One JSON object a line.
    #[cfg(feature = "json")]
    Json,
    /// One SARIF 2.1.0 document for all.
    #[cfg(feature = "json")]
    Sarif,
}

/// How to render.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// `--message-format`
    pub format: MessageFormat,
    /// ANSI colours (human format only).
    pub color: bool,
}

/// Appends one diagnostic, with its line end.
pub fn render(out: &mut String, diagnostic: &Diagnostic, map: &SourceMap, style: Style) {
    match style.format {
        MessageFormat::Human => human::render(out, diagnostic, map, style.color),
        MessageFormat::Short => short::render(out, diagnostic, map),
        #[cfg(feature = "json")]
        MessageFormat::Json => json::render(out, diagnostic, map),
        #[cfg(feature = "json")]
        MessageFormat::Sarif => {
            out.push_str(&sarif::render_all(std::slice::from_ref(diagnostic), map));
        }
    }
}

/// All of `diagnostics`, and for people a closing line that counts them.
pub fn render_all(diagnostics: &[Diagnostic], map: &SourceMap, style: Style) -> String {
    #[cfg(feature = "json")]
    if style.format == MessageFormat::Sarif {
        return sarif::render_all(diagnostics, map);
    }
    let mut out = String::new();
    for diagnostic in diagnostics {
        render(&mut out, diagnostic, map, style);
    }
    if style.format == MessageFormat::Human
        && let Some(line) = summary(diagnostics)
    {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// `2 errors and 1 warning`
fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let warnings = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match (errors, warnings) {
        (0, 0) => None,
        (0, _) => Some(count(warnings, "warning")),
        (_, 0) => Some(count(errors, "error")),
        _ => Some(format!("{} and {}", count(errors, "error"), count(warnings, "warning"))),
    }
}

/// `text` with the middle of very long words left out: a generated name of a megabyte is not read.
pub(crate) fn shorten(text: &str) -> std::borrow::Cow<'_, str> {
    const LONG: usize = 160;
    const KEPT: usize = 60;
    if text.len() <= LONG || text.split_whitespace().all(|word| word.len() <= LONG) {
        return text.into();
    }
    let mut out = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        if word.len() <= LONG {
            out.push_str(word);
        } else {
            let head = word.floor_char_boundary(KEPT);
            let tail = word.ceil_char_boundary(word.len() - KEPT);
            out.push_str(&word[..head]);
            out.push('…');
            out.push_str(&word[tail..]);
        }
    }
    out.into()
}

/// The word that names a severity in every format.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
        Severity::Fatal => "fatal error",
    }
}

/// Where a span is in its file, walked out of macros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The name of the file, without regard to `#line`.
    pub file: &'a str,
    /// Lines and columns count from 1, columns in characters.
    pub line: u32,
    /// Of the first character.
    pub column: u32,
    /// Of the end.
    pub end_line: u32,
    /// One behind the last character.
    pub end_column: u32,
    /// Bytes of the file's text in front of the span.
    pub byte_start: u32,
    /// Bytes in front of its end.
    pub byte_end: u32,
}

/// Where `span` is; nowhere for [`Span::NONE`].
pub fn place(span: Span, map: &SourceMap) -> Option<Place<'_>> {
    let resolved = map.resolve(span)?;
    let file = map.file(resolved.file);
    let position = |offset: u32| (file.line_at(offset).0 + 1, file.column_at(offset) + 1);
    let (line, column) = position(resolved.start);
    let (end_line, end_column) = position(resolved.end);
    let (byte_start, byte_end) = (resolved.start, resolved.end);
    Some(Place { file: &file.name, line, column, end_line, end_column, byte_start, byte_end })
}

/// A step out of a macro expansion.
pub(crate) struct MacroStep<'a> {
    /// The place inside the macro's replacement list, as a span of a file.
    pub place: Span,
    /// The macro's name, if the source shows it (`-D` macros show it too).
    pub name: Option<&'a str>,
}

/// The macros that `span` begins inside of, innermost first.
pub(crate) fn macro_chain(map: &SourceMap, span: Span) -> Vec<MacroStep<'_>> {
    let mut steps = Vec::new();
    let (mut lo, mut hi) = (span.lo, span.hi);
    while let Some(expansion) = map.expansion_at(lo) {
        let same = map.expansion_at(hi).is_some_and(|other| other.lo == expansion.lo);
        let start = map.spelling(lo);
        let end = if same { map.spelling(hi).max(start) } else { start };
        steps.push(MacroStep {
            place: Span::new(start, end),
            name: map.text(expansion.definition).filter(|name| !name.is_empty()),
        });
        (lo, hi) = (expansion.call_site.lo, expansion.call_site.hi);
    }
    steps
}

/// The `#include`s on the way to the file of `span`, innermost first.
pub(crate) fn include_steps(map: &SourceMap, span: Span) -> Vec<Span> {
    // Deeper chains than this are an include loop, and the loop is what the error is about.
    const SHOWN: usize = 8;
    let mut steps = Vec::new();
    let mut at = map.resolve(span).map(|resolved| resolved.file);
    while let Some(include) = at.and_then(|file| map.file(file).included_from) {
        if steps.len() > SHOWN {
            break;
        }
        steps.push(include);
        at = map.location(include.lo).map(|location| location.file);
    }
    steps
}

/// `file:line:column` of each `#include` on the way to the file of `span`, innermost first.
pub(crate) fn include_chain(map: &SourceMap, span: Span) -> Vec<String> {
    const SHOWN: usize = 8;
    let steps = include_steps(map, span);
    let shown = steps.iter().take(SHOWN).filter_map(|include| {
        let location = map.location(include.lo)?;
        let name = &map.file(location.file).name;
        Some(format!("{name}:{}:{}", location.line, location.column))
    });
    let mut chain: Vec<String> = shown.collect();
    if steps.len() > SHOWN {
        chain.push("…".to_owned());
    }
    chain
}
