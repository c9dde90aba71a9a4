//! The text as words and signs, comments and directives too.
//!
//! The compiler's lexer drops what an editor still needs, and gives nothing where macros are skipped.
//! This one looks at characters alone, never fails, and is right about where comments, strings and
//! lines of directives begin and end.

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character constant, closed or not; the name in `#include <…>` too.
    Text,
    /// `// …` or `/* … */`
    Comment,
    /// One character of an operator or separator.
    Sign(u8),
}

/// A stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexemeKind,
    /// Its first byte.
    pub start: u32,
    /// The first byte behind it.
    pub end: u32,
    /// It is in the line of a directive.
    pub in_directive: bool,
}

/// Cuts a text; white space is left out.
pub fn scan(text: &str) -> Vec<Lexeme> {
    let bytes = text.as_bytes();
    let mut lexemes: Vec<Lexeme> = Vec::with_capacity(bytes.len() / 4);
    let (mut at, mut line_start, mut in_directive) = (0, true, false);
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' | b'\r' => {
                (line_start, in_directive) = (true, false);
                at += 1;
                continue;
            }
            b' ' | b'\t' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'\\' if matches!(byte(at + 1), b'\n' | b'\r') => {
                at += if byte(at + 1) == b'\r' && byte(at + 2) == b'\n' { 3 } else { 2 };
                continue;
            }
            b'/' if byte(at + 1) == b'/' => {
                at = end_of_line(bytes, at);
                LexemeKind::Comment
            }
            b'/' if byte(at + 1) == b'*' => {
                let rest = &bytes[at + 2..];
                let close = rest.windows(2).position(|pair| pair == b"*/");
                at = close.map_or(bytes.len(), |close| at + close + 4);
                LexemeKind::Comment
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    // A line that goes on in the next does so in a string too.
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + usize::from(byte(at) == quote)).min(bytes.len());
                LexemeKind::Text
            }
            b'<' if in_directive && is_include(text, &lexemes) => {
                let line = end_of_line(bytes, at);
                let close = bytes[at..line].iter().position(|&byte| byte == b'>');
                at = close.map_or(line, |close| at + close + 1);
                LexemeKind::Text
            }
            b'0'..=b'9' => {
                at = end_of_number(bytes, at);
                LexemeKind::Number
            }
            b'.' if byte(at + 1).is_ascii_digit() => {
                at = end_of_number(bytes, at);
                LexemeKind::Number
            }
            first if is_word(first) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                LexemeKind::Word
            }
            sign => {
                in_directive |= sign == b'#' && line_start;
                at += 1;
                LexemeKind::Sign(sign)
            }
        };
        // Comments may stand before the `#` of a directive (C99 6.10).
        line_start &= kind == LexemeKind::Comment;
        at = at.min(bytes.len());
        lexemes.push(Lexeme { kind, start: start as u32, end: at as u32, in_directive });
    }
    lexemes
}

/// Letters, digits, `_`, `$`, and everything outside of ASCII, so that no character is cut.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn end_of_number(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let is_exponent = matches!(bytes[at], b'e' | b'E' | b'p' | b'P');
        if is_exponent && matches!(bytes.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if is_word(bytes[at]) || bytes[at] == b'.' {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Where the line ends, and those it goes on in.
fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        let joins = bytes[at] == b'\\' && matches!(bytes.get(at + 1), Some(b'\n' | b'\r'));
        at += if joins && bytes.get(at + 1) == Some(&b'\r') { 3 } else { 1 + usize::from(joins) };
    }
    at.min(bytes.len())
}

fn is_include(text: &str, before: &[Lexeme]) -> bool {
    let Some(last) = before.last() else { return false };
    matches!(last.text(text), "include" | "include_next" | "import") && last.in_directive
}

impl Lexeme {
    /// What is written.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Whether it is this sign.
    pub fn is(&self, sign: u8) -> bool {
        self.kind == LexemeKind::Sign(sign)
    }
}

/// The name that an offset is in or at the end of.
pub fn word_at(text: &str, offset: u32) -> Option<std::ops::Range<u32>> {
    let bytes = text.as_bytes();
    let offset = (offset as usize).min(bytes.len());
    let start = bytes[..offset].iter().rposition(|&byte| !is_word(byte)).map_or(0, |at| at + 1);
    let behind = bytes[offset..].iter().position(|&byte| !is_word(byte));
    let end = behind.map_or(bytes.len(), |at| offset + at);
    let first = bytes.get(start..end)?.first()?;
    (!first.is_ascii_digit()).then_some(start as u32..end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        scan(text).iter().map(|lexeme| lexeme.text(text)).collect()
    }

    #[test]
    fn text_is_cut_where_c_cuts_it() {
        assert_eq!(
            words("a+=b /*c*/ \"d\\\"\" // e"),
            ["a", "+", "=", "b", "/*c*/", "\"d\\\"\"", "// e"]
        );
        assert_eq!(words("1.5e+3f .5 x.y"), ["1.5e+3f", ".5", "x", ".", "y"]);
        assert_eq!(words("#include <a b.h>\n<x>"), ["#", "include", "<a b.h>", "<", "x", ">"]);
        assert_eq!(words("/* open"), ["/* open"]);
        assert_eq!(words("'x\ny"), ["'x", "y"]);
        assert_eq!(words("ä\u{1f600}"), ["ä\u{1f600}"]);
        assert_eq!(words("\\"), ["\\"]);
        assert_eq!(words("\"\\"), ["\"\\"]);
    }

    #[test]
    fn directives_end_with_their_line() {
        let text = "#define A \\\n b\n c # d";
        let in_directive: Vec<bool> = scan(text).iter().map(|lexeme| lexeme.in_directive).collect();
        assert_eq!(in_directive, [true, true, true, true, false, false, false]);
    }

    #[test]
    fn words_are_found_at_both_ends() {
        assert_eq!(word_at("a bc d", 2), Some(2..4));
        assert_eq!(word_at("a bc d", 4), Some(2..4));
        assert_eq!(word_at("a  d", 2), None);
        assert_eq!(word_at("12", 1), None);
        assert_eq!(word_at("", 7), None);
    }
}
