//! Diagnostics as data of C.

use std::ffi::c_char;
use std::ptr;

use clc::render::place;
use clc::{Diagnostic, Severity, SourceMap, Span};

use crate::text::Strings;

/// How bad a problem is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum clc_severity {
    /// A remark.
    Note = 0,
    /// The source is compiled.
    Warning = 1,
    /// There is no output.
    Error = 2,
    /// An error behind which nothing was looked at.
    Fatal = 3,
}

/// A part of a file, walked out of macros; `#line` is not applied. Nowhere, if `file` is null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct clc_place {
    /// The name of the file.
    pub file: *const c_char,
    /// From 1 on.
    pub line: u32,
    /// In characters, from 1 on.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// One behind the last character.
    pub end_column: u32,
    /// Bytes in front of it in the file.
    pub byte_start: u32,
    /// Bytes in front of its end.
    pub byte_end: u32,
}

/// A place, and what to say about it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct clc_label {
    /// Where.
    pub place: clc_place,
    /// What is wrong with this very part, or what it has to do with the problem.
    pub message: *const c_char,
}

/// An edit that makes the problem go away.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct clc_fix {
    /// What is replaced; empty to insert.
    pub place: clc_place,
    /// The new text.
    pub replacement: *const c_char,
    /// The edit in words.
    pub message: *const c_char,
}

/// An error or a warning. Later versions may have more behind the last field, so it is never copied.
/// Strings are never null, but for the file of a place that is nowhere.
#[repr(C)]
#[derive(Debug)]
pub struct clc_diagnostic {
    /// "E0312", "W0107": it never changes; `clc --explain` explains it.
    pub code: *const c_char,
    /// What `-W` calls a warning; for an error a title of the same form.
    pub name: *const c_char,
    /// How bad it is.
    pub severity: clc_severity,
    /// One sentence without a full stop.
    pub message: *const c_char,
    /// The place that is wrong, and why.
    pub primary: clc_label,
    /// The number of places that explain.
    pub label_count: usize,
    /// The places that explain.
    pub labels: *const clc_label,
    /// The number of facts without a place.
    pub note_count: usize,
    /// Facts without a place.
    pub notes: *const *const c_char,
    /// The number of ways out that are no edit.
    pub help_count: usize,
    /// The ways out that are no edit.
    pub helps: *const *const c_char,
    /// The way out that is an edit, or null.
    pub fix: *const clc_fix,
}

/// Diagnostics with all that they point to. Vectors are not changed once something points into them, and
/// moving one does not move its elements.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    all: Vec<clc_diagnostic>,
    strings: Strings,
    labels: Vec<Vec<clc_label>>,
    lists: Vec<Vec<*const c_char>>,
    fixes: Vec<Vec<clc_fix>>,
}

impl Diagnostics {
    pub(crate) fn new(diagnostics: &[Diagnostic], sources: &SourceMap) -> Diagnostics {
        let mut made = Diagnostics::default();
        for diagnostic in diagnostics {
            let one = made.convert(diagnostic, sources);
            made.all.push(one);
        }
        made
    }

    pub(crate) fn all(&self) -> &[clc_diagnostic] {
        &self.all
    }

    fn convert(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) -> clc_diagnostic {
        let labels: Vec<clc_label> = diagnostic
            .labels
            .iter()
            .map(|label| self.label(label.span, &label.message, sources))
            .collect();
        let (label_count, labels) = keep(&mut self.labels, labels);
        let notes = diagnostic.notes.iter().map(|note| self.strings.add(note)).collect();
        let (note_count, notes) = keep(&mut self.lists, notes);
        let helps = diagnostic.helps.iter().map(|help| self.strings.add(help)).collect();
        let (help_count, helps) = keep(&mut self.lists, helps);
        let fix = diagnostic.fix.iter().map(|fix| clc_fix {
            place: self.place(fix.span, sources),
            replacement: self.strings.add(&fix.replacement),
            message: self.strings.add(&fix.message),
        });
        let fix: Vec<clc_fix> = fix.collect();
        let (_, fix) = keep(&mut self.fixes, fix);
        let primary = &diagnostic.primary;
        clc_diagnostic {
            code: self.strings.add(diagnostic.code.id),
            name: self.strings.add(diagnostic.code.name),
            severity: match diagnostic.severity {
                Severity::Note => clc_severity::Note,
                Severity::Warning => clc_severity::Warning,
                Severity::Error => clc_severity::Error,
                Severity::Fatal => clc_severity::Fatal,
            },
            message: self.strings.add(&diagnostic.message),
            primary: self.label(primary.span, &primary.message, sources),
            label_count,
            labels,
            note_count,
            notes,
            help_count,
            helps,
            fix,
        }
    }

    fn label(&mut self, span: Span, message: &str, sources: &SourceMap) -> clc_label {
        clc_label { place: self.place(span, sources), message: self.strings.add(message) }
    }

    fn place(&mut self, span: Span, sources: &SourceMap) -> clc_place {
        match place(span, sources) {
            Some(place) => clc_place {
                file: self.strings.add(place.file),
                line: place.line,
                column: place.column,
                end_line: place.end_line,
                end_column: place.end_column,
                byte_start: place.byte_start,
                byte_end: place.byte_end,
            },
            None => clc_place {
                file: ptr::null(),
                line: 0,
                column: 0,
                end_line: 0,
                end_column: 0,
                byte_start: 0,
                byte_end: 0,
            },
        }
    }
}

/// Puts a list where it stays; gives its length, and where it begins or null if it is empty.
fn keep<T>(kept: &mut Vec<Vec<T>>, list: Vec<T>) -> (usize, *const T) {
    if list.is_empty() {
        return (0, ptr::null());
    }
    let found = (list.len(), list.as_ptr());
    kept.push(list);
    found
}
