//! Where things end in a text: line splices, comments, literals, punctuators.

use crate::token::Punctuator;

/// What bytes can begin or continue.
pub mod class {
    pub const STRAY: u8 = 0;
    pub const BLANK: u8 = 1;
    pub const NEWLINE: u8 = 2;
    pub const LETTER: u8 = 3;
    pub const DIGIT: u8 = 4;
    pub const QUOTE: u8 = 5;
    pub const PUNCTUATOR: u8 = 6;
    pub const SLASH: u8 = 7;
    pub const BACKSLASH: u8 = 8;
    pub const UNICODE: u8 = 9;
}

pub const CLASS: [u8; 256] = {
    let mut table = [class::STRAY; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | 0x0b | 0x0c => class::BLANK,
            b'\n' | b'\r' => class::NEWLINE,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => class::LETTER,
            b'0'..=b'9' => class::DIGIT,
            b'"' | b'\'' => class::QUOTE,
            b'/' => class::SLASH,
            b'\\' => class::BACKSLASH,
            b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'.' | b'-' | b'+' | b'&' | b'*' | b'~'
            | b'!' | b'%' | b'<' | b'>' | b'=' | b'^' | b'|' | b'?' | b':' | b';' | b',' | b'#' => {
                class::PUNCTUATOR
            }
            0x80.. => class::UNICODE,
            _ => class::STRAY,
        };
        byte += 1;
    }
    table
};

/// Bytes at which skipping a line in a false group must look closer.
pub const SKIP_STOP: [bool; 256] = {
    let mut table = [false; 256];
    table[b'\n' as usize] = true;
    table[b'\r' as usize] = true;
    table[b'/' as usize] = true;
    table[b'\\' as usize] = true;
    table[b'"' as usize] = true;
    table[b'\'' as usize] = true;
    table
};

pub fn is_identifier_byte(byte: u8) -> bool {
    matches!(CLASS[byte as usize], class::LETTER | class::DIGIT)
}

/// The byte at `at`, 0 behind the end.
#[inline]
pub fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The length of the line end at `at`, 0 if there is none.
pub fn newline(bytes: &[u8], at: usize) -> usize {
    match byte(bytes, at) {
        b'\n' => 1,
        b'\r' if byte(bytes, at + 1) == b'\n' => 2,
        b'\r' => 1,
        _ => 0,
    }
}

/// The length of a line splice at `at`: a backslash and a line end, with blanks allowed between
/// (as every compiler does). 0 if there is none.
pub fn splice(bytes: &[u8], at: usize) -> usize {
    if byte(bytes, at) != b'\\' {
        return 0;
    }
    let mut end = at + 1;
    while CLASS[byte(bytes, end) as usize] == class::BLANK {
        end += 1;
    }
    match newline(bytes, end) {
        0 => 0,
        length => end + length - at,
    }
}

/// Steps over line splices.
pub fn past_splices(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match splice(bytes, at) {
            0 => return at,
            length => at += length,
        }
    }
}

/// `raw` without its line splices.
pub fn without_splices(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut text = String::with_capacity(raw.len());
    let mut from = 0;
    let mut at = 0;
    while at < bytes.len() {
        match splice(bytes, at) {
            0 => at += 1,
            length => {
                text.push_str(&raw[from..at]);
                at += length;
                from = at;
            }
        }
    }
    text.push_str(&raw[from..]);
    text
}

/// The end of a block comment whose `/*` ends at `at`, or an error at the end of the text.
pub fn block_comment_end(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    while at < bytes.len() {
        if bytes[at] == b'*' {
            let next = past_splices(bytes, at + 1);
            if byte(bytes, next) == b'/' {
                return Ok(next + 1);
            }
        }
        at += 1;
    }
    Err(bytes.len())
}

/// The end of a line comment: its line end, which is not part of it.
pub fn line_comment_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\n' | b'\r' => return at,
            b'\\' => at += splice(bytes, at).max(1),
            _ => at += 1,
        }
    }
    at
}

/// The end of a character constant or string literal that begins at `at`, or where its line ends
/// without the closing quote.
pub fn literal_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let quote = byte(bytes, at);
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' | b'\r' => return Err(at),
            b'\\' => match splice(bytes, at) {
                0 => {
                    at = past_splices(bytes, at + 1);
                    if newline(bytes, at) == 0 && at < bytes.len() {
                        at += 1;
                    }
                }
                length => at += length,
            },
            other => {
                at += 1;
                if other == quote {
                    return Ok(at);
                }
            }
        }
    }
    Err(bytes.len())
}

/// The longest punctuator at the start of four bytes: which, its length, and whether it is spelled
/// as a digraph.
pub fn punctuator(bytes: [u8; 4]) -> (Punctuator, usize, bool) {
    use Punctuator::*;
    let plain = |which, length| (which, length, false);
    match bytes {
        [b'[', ..] => plain(LeftBracket, 1),
        [b']', ..] => plain(RightBracket, 1),
        [b'(', ..] => plain(LeftParen, 1),
        [b')', ..] => plain(RightParen, 1),
        [b'{', ..] => plain(LeftBrace, 1),
        [b'}', ..] => plain(RightBrace, 1),
        [b'.', b'.', b'.', _] => plain(Ellipsis, 3),
        [b'.', ..] => plain(Dot, 1),
        [b'-', b'>', ..] => plain(Arrow, 2),
        [b'-', b'-', ..] => plain(MinusMinus, 2),
        [b'-', b'=', ..] => plain(MinusEqual, 2),
        [b'-', ..] => plain(Minus, 1),
        [b'+', b'+', ..] => plain(PlusPlus, 2),
        [b'+', b'=', ..] => plain(PlusEqual, 2),
        [b'+', ..] => plain(Plus, 1),
        [b'&', b'&', ..] => plain(AndAnd, 2),
        [b'&', b'=', ..] => plain(AmpersandEqual, 2),
        [b'&', ..] => plain(Ampersand, 1),
        [b'*', b'=', ..] => plain(StarEqual, 2),
        [b'*', ..] => plain(Star, 1),
        [b'~', ..] => plain(Tilde, 1),
        [b'!', b'=', ..] => plain(NotEqual, 2),
        [b'!', ..] => plain(Exclamation, 1),
        [b'/', b'=', ..] => plain(SlashEqual, 2),
        [b'/', ..] => plain(Slash, 1),
        [b'%', b':', b'%', b':'] => (HashHash, 4, true),
        [b'%', b':', ..] => (Hash, 2, true),
        [b'%', b'>', ..] => (RightBrace, 2, true),
        [b'%', b'=', ..] => plain(PercentEqual, 2),
        [b'%', ..] => plain(Percent, 1),
        [b'<', b'<', b'=', _] => plain(ShiftLeftEqual, 3),
        [b'<', b'<', ..] => plain(ShiftLeft, 2),
        [b'<', b'=', ..] => plain(LessEqual, 2),
        [b'<', b':', ..] => (LeftBracket, 2, true),
        [b'<', b'%', ..] => (LeftBrace, 2, true),
        [b'<', ..] => plain(Less, 1),
        [b'>', b'>', b'=', _] => plain(ShiftRightEqual, 3),
        [b'>', b'>', ..] => plain(ShiftRight, 2),
        [b'>', b'=', ..] => plain(GreaterEqual, 2),
        [b'>', ..] => plain(Greater, 1),
        [b'=', b'=', ..] => plain(EqualEqual, 2),
        [b'=', ..] => plain(Equal, 1),
        [b'^', b'=', ..] => plain(CaretEqual, 2),
        [b'^', ..] => plain(Caret, 1),
        [b'|', b'|', ..] => plain(OrOr, 2),
        [b'|', b'=', ..] => plain(BarEqual, 2),
        [b'|', ..] => plain(Bar, 1),
        [b'?', ..] => plain(Question, 1),
        [b':', b'>', ..] => (RightBracket, 2, true),
        [b':', ..] => plain(Colon, 1),
        [b';', ..] => plain(Semicolon, 1),
        [b',', ..] => plain(Comma, 1),
        [b'#', b'#', ..] => plain(HashHash, 2),
        // The callers pass bytes of class PUNCTUATOR or SLASH only.
        _ => plain(Hash, 1),
    }
}

/// Whether the spelling of a pp-number is a floating constant's.
pub(crate) fn is_float(spelling: &[u8]) -> bool {
    if let [b'0', b'x' | b'X', digits @ ..] = spelling {
        digits.iter().any(|byte| matches!(byte, b'.' | b'p' | b'P'))
    } else {
        spelling.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    }
}
