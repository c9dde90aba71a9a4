//! OpSource, OpString and OpLine.

use clc_base::{FileId, Span};
use clc_ir::debug::Location;
use clc_legalise::DebugLevel;
use rustc_hash::FxHashMap;
use spirv::{Op, SourceLanguage};

use super::{FunctionEmitter, Id, ModuleEmitter};

/// The position that instructions are marked with at the moment.
#[derive(Debug, Default)]
pub(super) struct DebugState {
    files: FxHashMap<String, Id>,
    /// The presumed file and line of lines of the text.
    lines: FxHashMap<(FileId, u32), (Id, u32)>,
    /// Result of the last position lookup; neighbours come from the same statement mostly.
    last: Option<(u32, Line)>,
    current: Line,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    /// 0 if there is no position.
    file: Id,
    line: u32,
    column: u32,
}

impl ModuleEmitter<'_> {
    /// OpSource: `OpenCL C` and its version as the translators between SPIR-V and LLVM write it,
    /// 1.2 as 102000; the name of the first file where lines are wanted. Its text stays out:
    /// Intel's runtime misreads modules that hold it.
    pub(super) fn source(&mut self) {
        let number = self.language_version.number();
        let version = number / 100 * 100_000 + number / 10 % 10 * 1_000;
        let mut operands = vec![SourceLanguage::OpenCL_C as u32, version];
        if self.options.debug != DebugLevel::None
            && let Some(file) = self.source_map.files().first()
        {
            let name = file.name.clone();
            operands.push(self.file(&name));
        }
        self.strings.op(Op::Source, &operands);
    }

    /// OpSourceExtension; no instruction depends on it.
    pub(super) fn source_extension(&mut self, text: &str) {
        let start = self.strings.begin(Op::SourceExtension);
        self.strings.string(text);
        self.strings.end(start);
    }

    /// OpString; not de-duplicated.
    pub(super) fn string(&mut self, text: &str) -> Id {
        let id = self.fresh_id();
        let start = self.strings.begin(Op::String);
        self.strings.push(id);
        self.strings.string(text);
        self.strings.end(start);
        id
    }

    fn file(&mut self, name: &str) -> Id {
        if let Some(&id) = self.debug.files.get(name) {
            return id;
        }
        let id = self.string(name);
        self.debug.files.insert(name.to_owned(), id);
        id
    }

    fn position(&mut self, span: Span) -> Line {
        if span.is_none() {
            return Line::default();
        }
        if let Some((at, line)) = self.debug.last
            && at == span.lo
        {
            return line;
        }
        let line = self.locate(span).unwrap_or_default();
        self.debug.last = Some((span.lo, line));
        line
    }

    /// The presumed file, line and column of a position.
    pub(super) fn locate_name(&mut self, span: Span) -> Option<(String, u32, u32)> {
        let source_map = self.source_map;
        let place = source_map.resolve(span)?;
        let (_, start) = source_map.file(place.file).line_at(place.start);
        let (name, line) = source_map.presumed(span.lo)?;
        Some((name.to_owned(), line, place.start - start + 1))
    }

    /// Columns count bytes, and `#line` is looked up once for a line of source: both keep this
    /// independent of the length of lines.
    fn locate(&mut self, span: Span) -> Option<Line> {
        let source_map = self.source_map;
        let place = source_map.resolve(Span::new(span.lo, span.lo))?;
        let (line, start) = source_map.file(place.file).line_at(place.start);
        let column = place.start - start + 1;
        if let Some(&(file, line)) = self.debug.lines.get(&(place.file, line)) {
            return Some(Line { file, line, column });
        }
        let (name, presumed) = source_map.presumed(span.lo)?;
        let file = self.file(name);
        self.debug.lines.insert((place.file, line), (file, presumed));
        Some(Line { file, line: presumed, column })
    }
}

impl FunctionEmitter<'_, '_> {
    /// OpLine, if lines are wanted and the next instruction comes from another place than the
    /// one before it.
    pub(super) fn line(&mut self, location: Location) {
        let span = location.span;
        self.span = span;
        if self.module.options.debug == DebugLevel::None {
            return;
        }
        if self.module.has_debug_info() && self.debug_location(location) {
            return;
        }
        let line = self.module.position(span);
        if line == self.module.debug.current {
            return;
        }
        self.module.debug.current = line;
        match line.file {
            0 => self.module.code.op(Op::NoLine, &[]),
            file => self.module.code.op(Op::Line, &[file, line.line, line.column]),
        }
    }

    /// A block ends the reach of its lines.
    pub(super) fn end_lines(&mut self) {
        self.module.debug.current = Line::default();
        self.end_debug_locations();
    }
}
