//! The lexer: text to preprocessing tokens (C99 6.4), translation phases 2 and 3.
//!
//! Line splices are stepped over wherever they stand, also inside tokens; a token that has one
//! takes a slower path that cleans its spelling. White space and comments become the flag
//! [`SPACE`] of the next token.

use clc_base::{Diagnostic, Interner, Span, Symbol};

use crate::diagnostics::preprocessor as codes;
use crate::token::Punctuator;

mod pp_token;
mod scan;

pub(crate) use pp_token::{
    LINE_START, NO_EXPAND, NO_SYMBOL, PASTE, PpKind, PpToken, SPACE, STRINGIFY,
};
pub(crate) use scan::is_float;
use scan::{
    CLASS, SKIP_STOP, block_comment_end, byte, class, is_identifier_byte, line_comment_end,
    literal_end, newline, past_splices, punctuator, splice, without_splices,
};

/// What the lexer writes to.
pub(crate) struct LexContext<'a> {
    pub interner: &'a mut Interner,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl LexContext<'_> {
    /// Warnings beyond some thousands are of no use and would fill the memory.
    fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() || self.diagnostics.len() < 4000 {
            self.diagnostics.push(diagnostic);
        }
    }
}

/// A position in a text. The text itself is passed to each call, so that the owner of both can
/// borrow both.
#[derive(Debug)]
pub(crate) struct Lexer {
    at: usize,
    /// Global position of the text's first byte.
    base: u32,
    /// Line ends are tokens.
    pub in_directive: bool,
    line_start: bool,
    /// Byte ranges of the text, ascending, that stand for invalid UTF-8.
    invalid: Vec<(usize, usize)>,
    reported_invalid: [bool; 2],
}

impl Lexer {
    pub fn new(base: u32, invalid: Vec<(usize, usize)>) -> Lexer {
        Lexer {
            at: 0,
            base,
            in_directive: false,
            line_start: true,
            invalid,
            reported_invalid: [false; 2],
        }
    }

    fn position(&self, at: usize) -> u32 {
        self.base + at as u32
    }

    /// The global position of what comes next.
    pub fn here(&self) -> u32 {
        self.position(self.at)
    }

    fn note_invalid(&mut self, from: usize, to: usize, comment: bool, cx: &mut LexContext<'_>) {
        if self.reported_invalid[usize::from(comment)] {
            return;
        }
        let index = self.invalid.partition_point(|&(_, end)| end <= from);
        let Some(&(lo, hi)) = self.invalid.get(index).filter(|&&(lo, _)| lo < to) else { return };
        self.reported_invalid[usize::from(comment)] = true;
        let span = Span::new(self.position(lo), self.position(hi));
        cx.report(if comment {
            Diagnostic::new(&codes::INVALID_UTF8_COMMENT, span, "comment is not valid UTF-8")
                .at("these bytes are not UTF-8")
        } else {
            Diagnostic::new(&codes::INVALID_UTF8, span, "literal is not valid UTF-8")
                .at("these bytes are replaced by U+FFFD")
        });
    }

    fn comment_end(&mut self, text: &str, open: usize, cx: &mut LexContext<'_>) -> Option<usize> {
        let bytes = text.as_bytes();
        let next = past_splices(bytes, open + 1);
        let end = match byte(bytes, next) {
            b'/' => line_comment_end(bytes, next + 1),
            b'*' => match block_comment_end(bytes, next + 1) {
                Ok(end) => end,
                Err(end) => {
                    let span = Span::new(self.position(open), self.position(next + 1));
                    cx.report(
                        Diagnostic::new(&codes::UNTERMINATED_COMMENT, span, "unterminated comment")
                            .at("no `*/` follows"),
                    );
                    end
                }
            },
            _ => return None,
        };
        if !self.invalid.is_empty() {
            self.note_invalid(open, end, true, cx);
        }
        Some(end)
    }

    /// Steps over blanks, comments and splices, and over line ends unless in a directive.
    /// Returns whether there were any.
    fn skip_space(&mut self, text: &str, cx: &mut LexContext<'_>) -> bool {
        let bytes = text.as_bytes();
        let start = self.at;
        let mut spliced = 0;
        loop {
            match CLASS[byte(bytes, self.at) as usize] {
                class::BLANK => self.at += 1,
                class::NEWLINE => {
                    if self.in_directive {
                        break;
                    }
                    self.at += newline(bytes, self.at);
                    self.line_start = true;
                }
                class::SLASH => match self.comment_end(text, self.at, cx) {
                    Some(end) => self.at = end,
                    None => break,
                },
                class::BACKSLASH => match splice(bytes, self.at) {
                    0 => break,
                    length => {
                        if CLASS[byte(bytes, self.at + 1) as usize] == class::BLANK {
                            let span =
                                Span::new(self.position(self.at), self.position(self.at + 1));
                            cx.report(
                                Diagnostic::new(
                                    &codes::BACKSLASH_NEWLINE_SPACE,
                                    span,
                                    "blanks between the backslash and the end of the line",
                                )
                                .at("blanks follow it"),
                            );
                        }
                        self.at += length;
                        spliced += length;
                    }
                },
                _ => break,
            }
        }
        self.at - start > spliced
    }

    /// The next token.
    pub fn next(&mut self, text: &str, cx: &mut LexContext<'_>) -> PpToken {
        let bytes = text.as_bytes();
        let mut flags = 0;
        // Most tokens follow another or a single blank.
        if byte(bytes, self.at) == b' ' {
            self.at += 1;
            flags = SPACE;
        }
        if matches!(
            CLASS[byte(bytes, self.at) as usize],
            class::BLANK | class::NEWLINE | class::SLASH | class::BACKSLASH
        ) && self.skip_space(text, cx)
        {
            flags = SPACE;
        }
        if self.line_start {
            flags |= LINE_START;
        }
        let start = self.at;
        let first = byte(bytes, start);
        let mut symbol = NO_SYMBOL;
        let kind = match CLASS[first as usize] {
            class::LETTER => {
                let mut end = start + 1;
                while is_identifier_byte(byte(bytes, end)) {
                    end += 1;
                }
                self.at = end;
                let stop = byte(bytes, end);
                if stop >= 0x80 || (stop == b'\\' && splice(bytes, end) != 0) {
                    self.continue_slowly(text, start, cx.interner, &mut symbol, false);
                } else {
                    symbol = cx.interner.intern(&text[start..end]);
                }
                PpKind::Identifier
            }
            class::DIGIT => self.number(text, start, cx.interner, &mut symbol),
            class::QUOTE => self.literal(text, start, cx, &mut symbol),
            class::PUNCTUATOR | class::SLASH => {
                let next = past_splices(bytes, start + 1);
                if first == b'.' && byte(bytes, next).is_ascii_digit() {
                    self.number(text, start, cx.interner, &mut symbol)
                } else {
                    PpKind::Punctuator(self.punctuator(bytes, start, cx.interner, &mut symbol))
                }
            }
            class::NEWLINE => {
                // Only in a directive; the line end itself is stepped over by the next call.
                self.in_directive = false;
                return self.token(start, start, PpKind::EndOfLine, NO_SYMBOL, flags);
            }
            class::UNICODE if self.is_letter(text, start) => {
                self.continue_slowly(text, start, cx.interner, &mut symbol, false);
                PpKind::Identifier
            }
            _ if start >= bytes.len() => {
                if self.in_directive {
                    self.in_directive = false;
                    return self.token(start, start, PpKind::EndOfLine, NO_SYMBOL, flags);
                }
                return self.token(start, start, PpKind::EndOfFile, NO_SYMBOL, flags);
            }
            _ => {
                self.stray(text, start);
                symbol = cx.interner.intern(&text[start..self.at]);
                PpKind::Stray
            }
        };
        self.line_start = false;
        self.token(start, self.at, kind, symbol, flags)
    }

    fn token(&self, lo: usize, hi: usize, kind: PpKind, symbol: Symbol, flags: u8) -> PpToken {
        PpToken { lo: self.position(lo), hi: self.position(hi), symbol, kind, flags }
    }

    /// Whether a letter stands at `at`, a character that may begin an identifier.
    fn is_letter(&self, text: &str, at: usize) -> bool {
        text[at..].chars().next().is_some_and(char::is_alphabetic) && !self.is_invalid(at)
    }

    fn is_invalid(&self, at: usize) -> bool {
        let index = self.invalid.partition_point(|&(_, end)| end <= at);
        self.invalid.get(index).is_some_and(|&(lo, _)| lo <= at)
    }

    /// An identifier or number from `start` on, with line splices or letters beyond ASCII in it.
    fn continue_slowly(
        &mut self,
        text: &str,
        start: usize,
        interner: &mut Interner,
        symbol: &mut Symbol,
        number: bool,
    ) {
        let bytes = text.as_bytes();
        let mut spelling = String::new();
        let mut at = start;
        loop {
            let next = past_splices(bytes, at);
            let current = byte(bytes, next);
            let after_exponent =
                matches!(spelling.as_bytes().last(), Some(b'e' | b'E' | b'p' | b'P'));
            if is_identifier_byte(current)
                || (number
                    && (current == b'.' || (matches!(current, b'+' | b'-') && after_exponent)))
            {
                spelling.push(current as char);
                at = next + 1;
            } else if current >= 0x80 && !self.is_invalid(next) {
                let Some(letter) = text[next..].chars().next().filter(|c| c.is_alphanumeric())
                else {
                    break;
                };
                spelling.push(letter);
                at = next + letter.len_utf8();
            } else {
                break;
            }
        }
        self.at = at;
        *symbol = interner.intern(&spelling);
    }

    fn number(
        &mut self,
        text: &str,
        start: usize,
        interner: &mut Interner,
        symbol: &mut Symbol,
    ) -> PpKind {
        let bytes = text.as_bytes();
        let mut end = start + 1;
        loop {
            match byte(bytes, end) {
                b'e' | b'E' | b'p' | b'P' if matches!(byte(bytes, end + 1), b'+' | b'-') => {
                    end += 2
                }
                b'.' => end += 1,
                other if is_identifier_byte(other) => end += 1,
                stop if (stop == b'\\' && splice(bytes, end) != 0)
                    || (stop >= 0x80 && self.is_letter(text, end)) =>
                {
                    self.continue_slowly(text, start, interner, symbol, true);
                    let float = is_float(interner.resolve(*symbol).as_bytes());
                    return if float { PpKind::Float } else { PpKind::Integer };
                }
                _ => break,
            }
        }
        self.at = end;
        *symbol = interner.intern(&text[start..end]);
        if is_float(&bytes[start..end]) { PpKind::Float } else { PpKind::Integer }
    }

    fn literal(
        &mut self,
        text: &str,
        start: usize,
        cx: &mut LexContext<'_>,
        symbol: &mut Symbol,
    ) -> PpKind {
        let bytes = text.as_bytes();
        let (end, kind) = match literal_end(bytes, start) {
            Ok(end) if bytes[start] == b'"' => (end, PpKind::String),
            Ok(end) => (end, PpKind::Char),
            Err(end) => (end, PpKind::Unterminated),
        };
        self.at = end;
        let raw = &text[start..end];
        *symbol = if raw.contains(['\n', '\r']) {
            let cleaned = without_splices(raw);
            cx.interner.intern(&cleaned)
        } else {
            cx.interner.intern(raw)
        };
        if !self.invalid.is_empty() {
            self.note_invalid(start, end, false, cx);
        }
        kind
    }

    fn punctuator(
        &mut self,
        bytes: &[u8],
        start: usize,
        interner: &mut Interner,
        symbol: &mut Symbol,
    ) -> Punctuator {
        let mut window = [bytes[start], 0, 0, 0];
        let mut ends = [start + 1; 5];
        for index in 1..4 {
            let at = past_splices(bytes, ends[index]);
            window[index] = byte(bytes, at);
            ends[index + 1] = at + 1;
        }
        let (which, length, digraph) = punctuator(window);
        self.at = ends[length].min(bytes.len());
        if digraph {
            // Digraphs are ASCII.
            let spelling: String = window[..length].iter().map(|&b| b as char).collect();
            *symbol = interner.intern(&spelling);
        }
        which
    }

    /// Steps over characters that begin no token.
    fn stray(&mut self, text: &str, start: usize) {
        let bytes = text.as_bytes();
        let mut at = start;
        while at < bytes.len() {
            match CLASS[bytes[at] as usize] {
                class::STRAY => at += 1,
                class::BACKSLASH if at == start || splice(bytes, at) == 0 => at += 1,
                class::UNICODE => {
                    let Some(char) = text[at..].chars().next() else { break };
                    if char.is_alphabetic() && !self.is_invalid(at) {
                        break;
                    }
                    at += char.len_utf8();
                }
                _ => break,
            }
        }
        self.at = at;
    }

    /// After `#include` or `__has_include(`: `<...>` or `"..."` taken literally, if one follows.
    pub fn header_name(&mut self, text: &str, cx: &mut LexContext<'_>) -> Option<PpToken> {
        let space = self.skip_space(text, cx);
        let bytes = text.as_bytes();
        let start = self.at;
        let close = match byte(bytes, start) {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let length = bytes[start + 1..]
            .iter()
            .position(|&b| b == close || b == b'\n' || b == b'\r')
            .filter(|&length| bytes[start + 1 + length] == close)?;
        self.at = start + length + 2;
        self.line_start = false;
        let symbol = cx.interner.intern(&text[start..self.at]);
        let flags = if space { SPACE } else { 0 };
        Some(self.token(start, self.at, PpKind::HeaderName, symbol, flags))
    }

    /// To the end of the directive's line, which is not stepped over.
    pub fn finish_line(&mut self, text: &str, cx: &mut LexContext<'_>) {
        self.skip_line(text, cx);
        self.in_directive = false;
    }

    /// The rest of the line up to a comment, trimmed, for messages; steps over the whole rest.
    pub fn rest_of_line(&mut self, text: &str, cx: &mut LexContext<'_>) -> (String, Span) {
        let keep = self.in_directive;
        self.in_directive = true;
        self.skip_space(text, cx);
        let start = self.at;
        let comment = self.skip_line(text, cx);
        self.in_directive = keep;
        let raw = text[start..comment.unwrap_or(self.at)].trim_end();
        let span = Span::new(self.position(start), self.position(start + raw.len()));
        (without_splices(raw), span)
    }

    /// Returns where the first comment stood.
    fn skip_line(&mut self, text: &str, cx: &mut LexContext<'_>) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut at = self.at;
        let mut comment = None;
        loop {
            while at < bytes.len() && !SKIP_STOP[bytes[at] as usize] {
                at += 1;
            }
            match byte(bytes, at) {
                b'\n' | b'\r' => break,
                b'/' => match self.comment_end(text, at, cx) {
                    Some(end) => {
                        comment = comment.or(Some(at));
                        at = end;
                    }
                    None => at += 1,
                },
                b'\\' => at += splice(bytes, at).max(1),
                b'"' | b'\'' => at = literal_end(bytes, at).unwrap_or_else(|end| end),
                _ => {
                    if at >= bytes.len() {
                        break;
                    }
                    at += 1;
                }
            }
        }
        self.at = at;
        comment
    }

    /// In a false group: steps behind the `#` of the next directive. `false` at the end.
    pub fn skip_to_directive(&mut self, text: &str, cx: &mut LexContext<'_>) -> bool {
        let bytes = text.as_bytes();
        self.in_directive = false;
        loop {
            self.skip_space(text, cx);
            if self.at >= bytes.len() {
                return false;
            }
            if self.line_start {
                if bytes[self.at] == b'#' && byte(bytes, self.at + 1) != b'#' {
                    self.at += 1;
                    self.line_start = false;
                    return true;
                }
                if bytes[self.at] == b'%' && byte(bytes, self.at + 1) == b':' {
                    self.at += 2;
                    self.line_start = false;
                    return true;
                }
            }
            self.line_start = false;
            self.skip_line(text, cx);
        }
    }

    /// Whether the next character that is no white space, comment or line end is `(`. Consumes
    /// nothing.
    pub fn peek_left_paren(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let mut at = self.at;
        loop {
            match CLASS[byte(bytes, at) as usize] {
                class::BLANK => at += 1,
                class::NEWLINE if self.in_directive => return false,
                class::NEWLINE => at += 1,
                class::SLASH => {
                    let next = past_splices(bytes, at + 1);
                    match byte(bytes, next) {
                        b'/' => at = line_comment_end(bytes, next + 1),
                        b'*' => match block_comment_end(bytes, next + 1) {
                            Ok(end) => at = end,
                            Err(_) => return false,
                        },
                        _ => return false,
                    }
                }
                class::BACKSLASH => match splice(bytes, at) {
                    0 => return false,
                    length => at += length,
                },
                _ => return byte(bytes, at) == b'(',
            }
        }
    }
}

/// The one token that `text` spells, if it spells exactly one.
pub(crate) fn single_token(text: &str, interner: &mut Interner) -> Option<(PpKind, Symbol)> {
    let mut unheard = Vec::new();
    let mut cx = LexContext { interner, diagnostics: &mut unheard };
    let mut lexer = Lexer::new(0, Vec::new());
    lexer.in_directive = true;
    let token = lexer.next(text, &mut cx);
    let whole = lexer.at == text.len() && token.lo == 0 && unheard.is_empty();
    (whole && !token.is_end() && token.kind != PpKind::Unterminated)
        .then_some((token.kind, token.symbol))
}
