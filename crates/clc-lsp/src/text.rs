//! Positions as the protocol counts them: lines, and UTF-16 code units in a line.

use std::ops::Range;

use lsp_types::{Position, Range as LspRange, TextDocumentContentChangeEvent};

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    starts: Vec<u32>,
    /// Where a byte is a character.
    is_ascii: bool,
}

impl Lines {
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Lines { starts, is_ascii: text.is_ascii() }
    }

    /// The byte of a position; what lies behind a line or the text is its end.
    pub fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len() as u32;
        };
        let next = self.starts.get(position.line as usize + 1);
        let end = next.map_or(text.len(), |&next| next as usize);
        let line = text.get(start as usize..end).unwrap_or("").trim_end_matches(['\n', '\r']);
        if self.is_ascii {
            return start + position.character.min(line.len() as u32);
        }
        let mut units = 0;
        for (at, character) in line.char_indices() {
            // A position inside of a surrogate pair is that of the pair.
            if units + character.len_utf16() as u32 > position.character {
                return start + at as u32;
            }
            units += character.len_utf16() as u32;
        }
        start + line.len() as u32
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = offset.min(text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let start = self.starts[line];
        let character = match self.is_ascii {
            true => offset - start,
            false => {
                let mut end = offset as usize;
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                let line = text.get(start as usize..end).unwrap_or("");
                line.chars().map(|character| character.len_utf16() as u32).sum()
            }
        };
        Position { line: line as u32, character }
    }

    /// The range of bytes.
    pub fn range(&self, text: &str, range: &Range<u32>) -> LspRange {
        LspRange {
            start: self.position(text, range.start),
            end: self.position(text, range.end.max(range.start)),
        }
    }
}

/// Does what the editor did. Ranges that do not fit are cut to the text.
pub(super) fn apply(text: &mut String, changes: Vec<TextDocumentContentChangeEvent>) {
    for change in changes {
        match change.range {
            None => *text = change.text,
            Some(range) => {
                let lines = Lines::new(text);
                let start = lines.offset(text, range.start) as usize;
                let end = lines.offset(text, range.end) as usize;
                text.replace_range(start.min(end)..start.max(end), &change.text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_are_utf16_code_units() {
        let text = "a\u{1f600}b\r\nä\rc";
        let lines = Lines::new(text);
        for (position, offset) in [
            (at(0, 0), 0),
            (at(0, 1), 1),
            (at(0, 3), 5),
            (at(0, 4), 6),
            (at(1, 1), 10),
            (at(2, 1), 12),
        ] {
            assert_eq!(lines.offset(text, position), offset);
            assert_eq!(lines.position(text, offset), position);
        }
        assert_eq!(lines.offset(text, at(0, 2)), 1, "in a surrogate pair");
        assert_eq!(lines.offset(text, at(0, 99)), 6, "behind the line");
        assert_eq!(lines.offset(text, at(9, 0)), text.len() as u32, "behind the text");
        assert_eq!(lines.position(text, 3), at(0, 1), "in a character");
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let mut text = "one\ntwo".to_owned();
        let change = |start, end, text: &str| TextDocumentContentChangeEvent {
            range: Some(LspRange { start, end }),
            range_length: None,
            text: text.to_owned(),
        };
        apply(&mut text, vec![change(at(0, 0), at(0, 3), "1"), change(at(0, 1), at(1, 0), "\n\n")]);
        assert_eq!(text, "1\n\ntwo");
        apply(&mut text, vec![change(at(2, 99), at(1, 5), "")]);
        assert_eq!(text, "1\n");
    }
}
