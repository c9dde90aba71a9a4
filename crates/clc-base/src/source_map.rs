//! Files and macro expansions in one global position space.
//!
//! Position 0 belongs to nothing, so [`Span::NONE`] is never a real place. Each file takes a range
//! as long as its text plus one (so that its end is a position too); each macro expansion takes a
//! range as long as the macro's replacement list, so that the positions of an expansion map back
//! to the replacement list by subtraction. Arguments of a macro keep the positions they were
//! written at.

use std::sync::Arc;

use crate::{Span, define_id};

define_id!(
    /// A file, or any other named text.
    FileId,
    "file"
);

/// A text and where it lies.
#[derive(Debug)]
pub struct SourceFile {
    /// As the user or the include directive named it; shown in diagnostics.
    pub name: String,
    /// The text as positions count it, in UTF-8.
    pub text: Arc<str>,
    /// Position of the first byte.
    pub lo: u32,
    /// The `#include` that brought it in.
    pub included_from: Option<Span>,
    /// Byte offset of each line's start.
    line_starts: std::sync::OnceLock<Vec<u32>>,
    /// Number of characters before each multiple of [`STEP`] bytes.
    characters: std::sync::OnceLock<Vec<u32>>,
    /// The `#line` directives in it, in ascending order.
    line_directives: Vec<LineDirective>,
}

/// Columns in longer lines than this many bytes are not counted from the start of the line: a line
/// with a thousand diagnostics would be read a thousand times.
const STEP: usize = 1024;

/// Number of characters that begin in a part of a text.
fn characters(part: &[u8]) -> u32 {
    part.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
}

impl SourceFile {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            std::iter::once(0)
                .chain(
                    self.text
                        .bytes()
                        .enumerate()
                        .filter(|&(at, byte)| {
                            byte == b'\n'
                                || (byte == b'\r'
                                    && self.text.as_bytes().get(at + 1) != Some(&b'\n'))
                        })
                        .map(|(at, _)| at as u32 + 1),
                )
                .collect()
        })
    }

    /// Zero-based line and the byte offset of its start, for a byte offset into the text.
    pub fn line_at(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset) - 1;
        (line as u32, starts[line])
    }

    /// Where the text of a zero-based line ends: the byte offset of its line end.
    pub fn line_end(&self, line: u32) -> u32 {
        let starts = self.line_starts();
        let Some(&next) = starts.get(line as usize + 1) else { return self.text.len() as u32 };
        let text = self.text.as_bytes().get(..next as usize).unwrap_or_default();
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text).len() as u32
    }

    /// Number of characters between the start of a line and a byte offset in it.
    pub fn column_at(&self, offset: u32) -> u32 {
        let (_, start) = self.line_at(offset);
        let offset = (offset as usize).min(self.text.len());
        if offset - (start as usize).min(offset) <= STEP {
            let part = self.text.as_bytes().get(start as usize..offset);
            return characters(part.unwrap_or_default());
        }
        self.characters_before(offset) - self.characters_before(start as usize)
    }

    fn characters_before(&self, offset: usize) -> u32 {
        let bytes = self.text.as_bytes();
        let known = self.characters.get_or_init(|| {
            let mut count = 0;
            let mut known = vec![0];
            for part in bytes.chunks_exact(STEP) {
                count += characters(part);
                known.push(count);
            }
            known
        });
        let before = known.get(offset / STEP).copied().unwrap_or(0);
        before + characters(bytes.get(offset / STEP * STEP..offset).unwrap_or_default())
    }
}

/// One use of a macro.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// First position of the range that the expansion occupies.
    pub lo: u32,
    /// Position where the macro's replacement list begins in its file.
    pub spelling_lo: u32,
    /// Where the macro was used; may itself lie in an expansion.
    pub call_site: Span,
    /// Where the macro's name stands in its `#define`.
    pub definition: Span,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    File(FileId),
    Expansion(u32),
}

/// A position for people: file, one-based line and one-based column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// A `#line` directive: from `from` on, lines of its file are counted anew.
#[derive(Clone, Debug)]
pub struct LineDirective {
    /// Position just after the directive's line.
    pub from: u32,
    /// The number of the line that begins at `from`.
    pub line: u32,
    /// The file name; without one, that of the directive before in the same file.
    pub name: Option<String>,
}

/// What a [`Span`] resolves to: a byte range of one file, and the macro uses on the way there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The file that a reader is shown.
    pub file: FileId,
    /// Byte range in the file's text.
    pub start: u32,
    /// The first byte behind the range.
    pub end: u32,
    /// For each macro expansion that was walked out of, innermost first: the place inside the
    /// macro's replacement list, as a span of a file.
    pub expanded_from: Vec<Span>,
}

/// All files and macro expansions of a compilation, in one space of positions.
#[derive(Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    /// Start position of each entry, ascending, parallel to `entries`.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    next: u32,
}

/// The position space (4 GiB) is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceExhausted;

impl Default for SourceMap {
    fn default() -> Self {
        SourceMap::new()
    }
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap {
            files: Vec::new(),
            expansions: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            next: 1,
        }
    }

    fn reserve(&mut self, len: usize, entry: Entry) -> Result<u32, SpaceExhausted> {
        let lo = self.next;
        let len = u32::try_from(len).map_err(|_| SpaceExhausted)?;
        self.next = lo
            .checked_add(len)
            .and_then(|next| next.checked_add(1))
            .filter(|&next| next < u32::MAX)
            .ok_or(SpaceExhausted)?;
        self.starts.push(lo);
        self.entries.push(entry);
        Ok(lo)
    }

    /// Adds a file behind all positions that are taken; an error where none are left (4 GiB).
    pub fn add_file(
        &mut self,
        name: impl Into<String>,
        text: impl Into<Arc<str>>,
        included_from: Option<Span>,
    ) -> Result<FileId, SpaceExhausted> {
        let text = text.into();
        let id = FileId(self.files.len() as u32);
        let lo = self.reserve(text.len(), Entry::File(id))?;
        self.files.push(SourceFile {
            name: name.into(),
            text,
            lo,
            included_from,
            line_starts: std::sync::OnceLock::new(),
            characters: std::sync::OnceLock::new(),
            line_directives: Vec::new(),
        });
        Ok(id)
    }

    /// Reserves a range for one use of a macro whose replacement list occupies `spelling` in a
    /// file, and returns the first position of the range: the token spelled at position `p` of
    /// the replacement list is at `returned + (p - spelling.lo)` in this expansion.
    pub fn add_expansion(
        &mut self,
        spelling: Span,
        call_site: Span,
        definition: Span,
    ) -> Result<u32, SpaceExhausted> {
        let index = self.expansions.len() as u32;
        let len = spelling.hi.saturating_sub(spelling.lo) as usize;
        let lo = self.reserve(len, Entry::Expansion(index))?;
        self.expansions.push(Expansion { lo, spelling_lo: spelling.lo, call_site, definition });
        Ok(lo)
    }

    /// Adds a `#line` directive; those of one file must come in ascending order of `from`.
    /// Ignored if `from` lies in no file.
    pub fn add_line_directive(&mut self, mut directive: LineDirective) {
        if let Some(id) = self.file_at(directive.from) {
            let directives = &mut self.files[id.0 as usize].line_directives;
            if directive.name.is_none() {
                // The name given before holds on.
                directive.name = directives.last().and_then(|before| before.name.clone());
            }
            directives.push(directive);
        }
    }

    /// How many positions are not taken yet.
    pub fn remaining(&self) -> u32 {
        u32::MAX - self.next
    }

    /// A file of this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order of their ids.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The span of a whole file.
    pub fn file_span(&self, id: FileId) -> Span {
        let file = self.file(id);
        Span::new(file.lo, file.lo + file.text.len() as u32)
    }

    fn entry(&self, position: u32) -> Option<Entry> {
        let index = self.starts.partition_point(|&start| start <= position);
        Some(self.entries[index.checked_sub(1)?])
    }

    /// The file a position lies in, if it does not lie in a macro expansion.
    pub fn file_at(&self, position: u32) -> Option<FileId> {
        match self.entry(position)? {
            Entry::File(id) => Some(id),
            Entry::Expansion(_) => None,
        }
    }

    /// The macro expansion a position lies in, if any.
    pub fn expansion_at(&self, position: u32) -> Option<&Expansion> {
        match self.entry(position)? {
            Entry::File(_) => None,
            Entry::Expansion(index) => Some(&self.expansions[index as usize]),
        }
    }

    /// Where the character at `position` is spelled: for a position in an expansion, the place in
    /// the macro's replacement list.
    pub fn spelling(&self, position: u32) -> u32 {
        match self.expansion_at(position) {
            Some(expansion) => expansion.spelling_lo + (position - expansion.lo),
            None => position,
        }
    }

    /// The text a span covers, if both ends lie in one file or one expansion.
    pub fn text(&self, span: Span) -> Option<&str> {
        let lo = self.spelling(span.lo);
        let hi = self.spelling(span.hi);
        let file = self.file(self.file_at(lo)?);
        file.text.get((lo - file.lo) as usize..hi.checked_sub(file.lo)? as usize)
    }

    /// The range of one file to show for `span`, walking out of macro expansions until both ends
    /// lie in the same file. `None` for [`Span::NONE`].
    pub fn resolve(&self, span: Span) -> Option<Resolved> {
        if span.is_none() {
            return None;
        }
        let mut expanded_from = Vec::new();
        let mut lo = span.lo;
        let mut inner = span;
        while let Some(expansion) = self.expansion_at(lo) {
            let start = self.spelling(lo);
            let same = self.expansion_at(inner.hi).is_some_and(|other| other.lo == expansion.lo);
            let end = if same { self.spelling(inner.hi) } else { start };
            expanded_from.push(Span::new(start, end.max(start)));
            inner = expansion.call_site;
            lo = inner.lo;
        }
        let mut hi = span.hi;
        while let Some(expansion) = self.expansion_at(hi) {
            hi = expansion.call_site.hi;
        }
        let file = self.file_at(lo)?;
        let file_lo = self.file(file).lo;
        let len = self.file(file).text.len() as u32;
        let start = (lo - file_lo).min(len);
        // Ends in different files (a construct that spans an include): show where it begins.
        let end = match self.file_at(hi) {
            Some(other) if other == file => (hi - file_lo).clamp(start, len),
            _ => start,
        };
        Some(Resolved { file, start, end, expanded_from })
    }

    /// The line and column of a position, walking out of macro expansions to the use in a file.
    /// Lines are those of the text; `#line` is not applied.
    pub fn location(&self, position: u32) -> Option<Location> {
        let resolved = self.resolve(Span::new(position.max(1), position.max(1)))?;
        let file = self.file(resolved.file);
        let (line, _) = file.line_at(resolved.start);
        let column = file.column_at(resolved.start) + 1;
        Some(Location { file: resolved.file, line: line + 1, column })
    }

    /// File name and line of a position as `#line` directives present them (`__FILE__`,
    /// `__LINE__`, `OpLine`).
    pub fn presumed(&self, position: u32) -> Option<(&str, u32)> {
        let location = self.location(position)?;
        let file = self.file(location.file);
        let offset = self.resolve(Span::new(position, position))?.start;
        let at = file.lo + offset;
        let directives = &file.line_directives;
        let index = directives.partition_point(|directive| directive.from <= at);
        let Some(directive) = directives[..index].last() else {
            return Some((&file.name, location.line));
        };
        let (first_line, _) = file.line_at(directive.from - file.lo);
        let line = directive.line.wrapping_add(location.line - 1 - first_line);
        Some((directive.name.as_deref().unwrap_or(&file.name), line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_resolve_to_their_use_and_remember_the_way() {
        let mut map = SourceMap::new();
        let text = "#define ONE 1\nint x = ONE + 2;\n";
        let file = map.add_file("a.cl", text, None).unwrap();
        let lo = map.file(file).lo;
        let body = Span::new(lo + 12, lo + 13);
        let call = Span::new(lo + 22, lo + 25);
        let expansion = map.add_expansion(body, call, Span::new(lo + 8, lo + 11)).unwrap();
        let one = Span::new(expansion, expansion + 1);
        assert_eq!(map.text(one), Some("1"));
        let resolved = map.resolve(one.to(Span::new(lo + 28, lo + 29))).unwrap();
        assert_eq!(&text[resolved.start as usize..resolved.end as usize], "ONE + 2");
        assert_eq!(resolved.expanded_from.len(), 1);
        let location = map.location(one.lo).unwrap();
        assert_eq!((location.line, location.column), (2, 9));
    }

    #[test]
    fn columns_count_characters_in_long_lines_too() {
        let mut map = SourceMap::new();
        let long = "aé€😀".repeat(700);
        let text = format!("x\r\n{long}\ré\n\n{long}");
        let file = map.add_file("a.cl", text.as_str(), None).unwrap();
        let file = map.file(file);
        let mut line_start = 0;
        for (offset, c) in text.char_indices() {
            let expected = text[line_start..offset].chars().count() as u32;
            assert_eq!(file.column_at(offset as u32), expected, "at {offset}");
            if c == '\n' || c == '\r' && !text[offset..].starts_with("\r\n") {
                line_start = offset + 1;
            }
        }
        assert_eq!(file.column_at(text.len() as u32), 4 * 700);
        let ends: Vec<u32> = (0..5).map(|line| file.line_end(line)).collect();
        let len = long.len() as u32;
        assert_eq!(ends, [1, 3 + len, 3 + len + 3, 3 + len + 4, 3 + 2 * len + 5]);
    }

    #[test]
    fn line_directives_concern_their_own_file() {
        let mut map = SourceMap::new();
        let outer = map.add_file("a.cl", "#include\n\nb\n", None).unwrap();
        let inner = map.add_file("b.cl", "x\ry\r\nz\n", None).unwrap();
        let (outer, inner) = (map.file(outer).lo, map.file(inner).lo);
        map.add_line_directive(LineDirective { from: inner + 2, line: 40, name: None });
        map.add_line_directive(LineDirective { from: outer + 9, line: 70, name: None });
        assert_eq!(map.presumed(inner), Some(("b.cl", 1)));
        assert_eq!(map.presumed(inner + 5), Some(("b.cl", 41)));
        assert_eq!(map.presumed(outer), Some(("a.cl", 1)));
        assert_eq!(map.presumed(outer + 10), Some(("a.cl", 71)));
    }

    #[test]
    fn line_directives_renumber_what_follows() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.cl", "a\nb\nc\nd\n", None).unwrap();
        let lo = map.file(file).lo;
        map.add_line_directive(LineDirective { from: lo + 4, line: 70, name: Some("x".into()) });
        map.add_line_directive(LineDirective { from: lo + 6, line: 90, name: None });
        assert_eq!(map.presumed(lo + 2), Some(("a.cl", 2)));
        assert_eq!(map.presumed(lo + 4), Some(("x", 70)));
        assert_eq!(map.presumed(lo + 6), Some(("x", 90)));
    }
}
