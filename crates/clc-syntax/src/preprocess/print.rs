//! `-E`: tokens as text that preprocesses to the same tokens again.

use std::fmt::Write;

use clc_base::{FileId, Interner, SourceMap};

use super::interface::Output;
use crate::token::{Punctuator, Token, TokenKind};

/// Line distances up to this are printed as empty lines, longer ones as a line marker.
const MAX_EMPTY_LINES: u32 = 8;

/// The spelling of a token. Keywords with several spellings are printed as the source has them.
fn spelling<'a>(token: &Token, map: &'a SourceMap, interner: &'a Interner) -> &'a str {
    match token.kind {
        TokenKind::Identifier(symbol)
        | TokenKind::Integer(symbol)
        | TokenKind::Float(symbol)
        | TokenKind::Char(symbol)
        | TokenKind::String(symbol)
        | TokenKind::Pragma(symbol) => interner.resolve(symbol),
        TokenKind::Punctuator(punctuator) => punctuator.as_str(),
        TokenKind::Keyword(keyword) => match map.text(token.span) {
            Some(text) if crate::token::KEYWORDS.contains(&(text, keyword)) => text,
            _ => keyword.as_str(),
        },
    }
}

/// Whether two tokens printed side by side could be read as other tokens.
fn would_join(left: &str, right: &str) -> bool {
    let (Some(&last), Some(&first)) = (left.as_bytes().last(), right.as_bytes().first()) else {
        return false;
    };
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let begins_number = left.as_bytes()[0].is_ascii_digit()
        || (left.len() > 1 && left.starts_with('.') && left.as_bytes()[1].is_ascii_digit());
    match first {
        _ if word(last) && (word(first) || matches!(first, b'"' | b'\'')) => true,
        b'.' => begins_number || last == b'.',
        b'0'..=b'9' => last == b'.',
        b'+' | b'-' if begins_number => matches!(last, b'e' | b'E' | b'p' | b'P'),
        b'=' => matches!(
            last,
            b'=' | b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^'
        ),
        b'+' | b'&' | b'|' | b'#' | b'<' => last == first,
        b'-' => last == b'-',
        b'>' => matches!(last, b'>' | b'-' | b'%' | b':'),
        b':' => matches!(last, b'<' | b'%'),
        b'%' => matches!(last, b'<' | b':'),
        b'/' | b'*' => last == b'/',
        _ => false,
    }
}

/// The text of `output` with line markers (`# 12 "file" 1`, where 1 means that the file begins,
/// 2 that it is returned to). Needs [`Options::keep_layout`](super::Options::keep_layout).
pub fn print_preprocessed(output: &Output, map: &SourceMap, interner: &Interner) -> String {
    let mut text = String::with_capacity(output.tokens.len() * 6);
    let mut printer = Printer { map, open: Vec::new(), line: 0, presumed: (String::new(), 0) };
    if let Some(main) = output.main {
        printer.go_to(&mut text, map.file(main).lo);
    }
    let mut before = "";
    for (token, layout) in output.tokens.iter().zip(&output.layout) {
        // `#` at the start of a line would be a directive.
        let hash =
            matches!(token.kind, TokenKind::Punctuator(Punctuator::Hash | Punctuator::HashHash));
        let new_line = (!hash || before.is_empty()) && printer.go_to(&mut text, layout.position);
        if new_line {
            before = "";
        }
        let spelled = spelling(token, map, interner);
        if let TokenKind::Pragma(_) = token.kind {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
                printer.presumed.1 += 1;
            }
            text.push_str("#pragma ");
            text.push_str(spelled);
            text.push('\n');
            printer.pragma_ended();
            before = "";
            continue;
        }
        if new_line {
            // Indentation helps a reader to find the line in the source.
            if layout.space {
                text.push_str(&" ".repeat(printer.indentation(layout.position)));
            }
        } else if (layout.space || would_join(before, spelled)) && !text.ends_with(['\n', ' ']) {
            text.push(' ');
        }
        text.push_str(spelled);
        before = spelled;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn marker(text: &mut String, line: u32, name: &str, flag: &str) {
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "# {line} \"{quoted}\"{flag}");
}

struct Printer<'a> {
    map: &'a SourceMap,
    /// The files that are open for who reads the markers: the last, and those that include it. Who reads them may check
    /// that a file is left for the one that it was entered from, so that none is left out.
    open: Vec<FileId>,
    /// Zero-based line of the text in the last of them.
    line: u32,
    /// What a reader of the output takes the line being written for.
    presumed: (String, u32),
}

impl Printer<'_> {
    /// Moves to the line of `position`; tells whether a new line of output began.
    fn go_to(&mut self, text: &mut String, position: u32) -> bool {
        let Some(id) = self.map.file_at(position) else { return false };
        let file = self.map.file(id);
        let (line, _) = file.line_at(position - file.lo);
        let is_current = self.open.last() == Some(&id);
        if is_current && self.line == line {
            return false;
        }
        let (name, presumed) = self.map.presumed(position).unwrap_or((&file.name, line + 1));
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
            self.presumed.1 += 1;
        }
        let ahead = presumed.checked_sub(self.presumed.1);
        match ahead {
            Some(lines @ 0..=MAX_EMPTY_LINES) if is_current && name == self.presumed.0 => {
                text.extend(std::iter::repeat_n('\n', lines as usize));
            }
            _ => {
                let flag = self.enter(text, id);
                marker(text, presumed, name, flag);
            }
        }
        self.line = line;
        name.clone_into(&mut self.presumed.0);
        self.presumed.1 = presumed;
        true
    }

    /// Opens `id`, with markers for the files between it and the one that is open; returns the flag of the marker that
    /// follows, its own.
    fn enter(&mut self, text: &mut String, id: FileId) -> &'static str {
        let including = |id: FileId| Some(self.map.file(id).included_from?.lo);
        let mut path: Vec<FileId> =
            std::iter::successors(Some(id), |&id| self.map.file_at(including(id)?)).collect();
        path.reverse();
        let common = path.iter().zip(&self.open).take_while(|(a, b)| a == b).count();
        // Nothing includes what the command line names: there is nothing to return to.
        if common == 0 {
            self.open.clear();
        }
        let mut flag = "";
        while self.open.len() > common
            && let Some(left) = self.open.pop()
        {
            flag = " 2";
            if let (true, Some(at)) = (self.open.last() != Some(&id), including(left))
                && let Some((name, line)) = self.map.presumed(at)
            {
                marker(text, line + 1, name, flag);
            }
        }
        for &file in &path[common..] {
            flag = if self.open.is_empty() { "" } else { " 1" };
            self.open.push(file);
            if file != id {
                marker(text, 1, &self.map.file(file).name, flag);
            }
        }
        flag
    }

    /// A pragma took a line of its own; what follows must be placed anew, even if it stood on
    /// the same line.
    fn pragma_ended(&mut self) {
        self.presumed.1 += 1;
        self.line = u32::MAX;
    }

    fn indentation(&self, position: u32) -> usize {
        let Some(id) = self.map.file_at(position) else { return 0 };
        let file = self.map.file(id);
        let (_, start) = file.line_at(position - file.lo);
        let before = &file.text[start as usize..(position - file.lo) as usize];
        let blanks = before.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if blanks == before.len() { blanks.min(64) } else { 1 }
    }
}
