//! Integer, floating, character and string literals (C99 6.4.4, 6.4.5; OpenCL C 6.3.1).

use clc_base::diagnostic::counted;
use clc_base::{Diagnostic, Span, Symbol, Version};
use clc_builtins::{Scalar, features};

use crate::context::Sema;
use crate::diagnostics::expressions::*;
use crate::folding;
use crate::hir::{self, ExprKind};
use crate::types::TypeTable;

impl Sema<'_> {
    /// An integer constant: the first type of its list that holds it (C99 6.4.4.1).
    pub(crate) fn integer_literal(&mut self, spelling: Symbol, span: Span) -> hir::ExprId {
        let text = self.interner.resolve(spelling);
        let Some((value, scalar)) = parse_integer(text) else {
            let (message, label) = match split_integer(text) {
                Some(_) => (
                    format!("the integer constant `{text}` is too large for any type"),
                    "more than 64 bits".to_owned(),
                ),
                None => (
                    format!("`{text}` is not an integer constant"),
                    wrong_in_number(text).unwrap_or_else(|| "no such number".to_owned()),
                ),
            };
            let mut diagnostic = Diagnostic::new(&E0410, span, message).at(label);
            if let Some((digits, 10, _)) = split_integer(text)
                && digits.len() < 40
            {
                diagnostic =
                    diagnostic.note("the largest value is 18446744073709551615, in type `ulong`");
            }
            self.report(diagnostic);
            return self.error_expr(span);
        };
        if value > i64::MAX as u64
            && scalar == Scalar::ULong
            && matches!(split_integer(text), Some((_, 10, suffix)) if !suffix.contains(['u', 'U']))
        {
            let message =
                format!("`{text}` does not fit into `long`; it is taken as a `ulong` constant");
            self.report(
                Diagnostic::new(&W0410, span, message)
                    .at("larger than 9223372036854775807")
                    .help("write the suffix: `ul`"),
            );
        }
        let ty = self.module.types.scalar(scalar);
        self.push_expr(ExprKind::Constant(value), ty, span)
    }

    /// A floating constant. Without suffix it is `double`, or `float` where there is no `double`
    /// or with `-cl-single-precision-constant`.
    pub(crate) fn float_literal(&mut self, spelling: Symbol, span: Span) -> hir::ExprId {
        let text = self.interner.resolve(spelling);
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let number = match text.as_bytes().last() {
            // In a hexadecimal constant the exponent is decimal: a final `f` is a suffix.
            Some(b'f' | b'F' | b'h' | b'H' | b'l' | b'L') => &text[..text.len() - 1],
            _ => text,
        };
        let single = self.options.float.single_precision_constant;
        let scalar = match &text[number.len()..] {
            "f" | "F" => Scalar::Float,
            "h" | "H" => Scalar::Half,
            _ if self.doubles_enabled() && !single => Scalar::Double,
            _ => Scalar::Float,
        };
        if scalar == Scalar::Half && !self.has_half() {
            let message = format!("the constant `{text}` of type `half` needs `cl_khr_fp16`");
            let diagnostic = Diagnostic::new(&E0411, span, message)
                .at("`half` is only a storage format here")
                .help(self.help_with_half("use a `float` constant"));
            self.report(diagnostic);
            return self.error_expr(span);
        }
        let Some(bits) = folding::parse_float(number, scalar) else {
            let label = match hexadecimal && !text.contains(['p', 'P']) {
                true => "no exponent".to_owned(),
                false => wrong_in_number(text).unwrap_or_else(|| "no such number".to_owned()),
            };
            let mut diagnostic =
                Diagnostic::new(&E0411, span, format!("`{text}` is not a floating constant"))
                    .at(label);
            if hexadecimal && !text.contains(['p', 'P']) {
                diagnostic =
                    diagnostic.note("a hexadecimal floating constant needs an exponent: `p0`");
            }
            self.report(diagnostic);
            return self.error_expr(span);
        };
        let infinity = match scalar {
            Scalar::Half => 0x7c00,
            Scalar::Float => u64::from(f32::INFINITY.to_bits()),
            _ => f64::INFINITY.to_bits(),
        };
        if bits == infinity {
            let message =
                format!("`{text}` is too large for type `{}` and becomes infinity", scalar.name());
            self.report(
                Diagnostic::new(&W0411, span, message)
                    .at(format!("larger than every finite `{}`", scalar.name())),
            );
        }
        let ty = self.module.types.scalar(scalar);
        self.push_expr(ExprKind::Constant(bits), ty, span)
    }

    /// Whether `double` may be used at this point of the program.
    fn doubles_enabled(&self) -> bool {
        match self.options.version {
            Version::V1_0 | Version::V1_1 => self.extensions.contains(features::FP64),
            Version::V1_2 | Version::V2_0 | Version::V3_0 | Version::V3_1 => self.has_double(),
        }
    }

    /// A character constant, of type `int` (C99 6.4.4.4).
    pub(crate) fn char_literal(&mut self, spelling: Symbol, span: Span) -> hir::ExprId {
        let mut bytes = Vec::new();
        if !self.unquote(spelling, '\'', span, &mut bytes) {
            return self.error_expr(span);
        }
        let value = match bytes[..] {
            [] => {
                self.report(
                    Diagnostic::new(&E0412, span, "a character constant is empty")
                        .at("nothing stands between the quotes"),
                );
                return self.error_expr(span);
            }
            [byte] => i128::from(byte as i8),
            _ => {
                let text = self.interner.resolve(spelling);
                let message = format!("the character constant {text} has several characters");
                self.report(
                    Diagnostic::new(&W0412, span, message)
                        .at(counted(bytes.len(), "character"))
                        .note("its value is the last four bytes, the first one most significant"),
                );
                let value = bytes.iter().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
                i128::from(value as i32)
            }
        };
        let bits = folding::wrap(Scalar::Int, value);
        self.push_expr(ExprKind::Constant(bits), TypeTable::INT, span)
    }

    /// The bytes of adjacent string literals, joined, without the final zero.
    pub(crate) fn string_bytes(&mut self, pieces: &[Symbol], span: Span) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &piece in pieces {
            if !self.unquote(piece, '"', span, &mut bytes) {
                break;
            }
        }
        bytes
    }

    /// Appends what stands between the quotes of `spelling`, escapes replaced. `false` if it had
    /// to be reported.
    fn unquote(&mut self, spelling: Symbol, quote: char, span: Span, bytes: &mut Vec<u8>) -> bool {
        let text = self.interner.resolve(spelling);
        let Some((prefix, rest)) = text.split_once(quote) else {
            bytes.extend_from_slice(text.as_bytes());
            return true;
        };
        if !prefix.is_empty() {
            let message = format!("OpenCL C has no literals with prefix `{prefix}`");
            self.report(
                Diagnostic::new(&E0413, span, message)
                    .at(format!("prefix `{prefix}`"))
                    .help("leave the prefix out"),
            );
            return false;
        }
        let body = rest.strip_suffix(quote).unwrap_or(rest);
        if let Err(problem) = unescape(body.as_bytes(), bytes) {
            self.report(Diagnostic::new(&E0413, span, problem).at("not a valid literal"));
            return false;
        }
        true
    }
}

/// Replaces the escape sequences of C99 6.4.4.4 and GNU's `\e`.
fn unescape(mut text: &[u8], bytes: &mut Vec<u8>) -> Result<(), String> {
    while let Some((&first, rest)) = text.split_first() {
        text = rest;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let Some((&escape, rest)) = text.split_first() else {
            return Err("a backslash ends the literal".into());
        };
        text = rest;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'f' => bytes.push(12),
            b'v' => bytes.push(11),
            b'e' | b'E' => bytes.push(27),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(escape),
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let Some((&digit @ b'0'..=b'7', rest)) = text.split_first() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    text = rest;
                }
                bytes.push(
                    u8::try_from(value).map_err(|_| {
                        format!("the escape sequence `\\{value:o}` is out of range")
                    })?,
                );
            }
            b'x' => {
                let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                if digits == 0 {
                    return Err("`\\x` is not followed by hexadecimal digits".into());
                }
                let mut value = 0u32;
                for &digit in &text[..digits] {
                    let digit = char::from(digit).to_digit(16).unwrap_or(0);
                    value = value.saturating_mul(16).saturating_add(digit);
                }
                text = &text[digits..];
                bytes
                    .push(u8::try_from(value).map_err(|_| {
                        "a hexadecimal escape sequence is out of range".to_string()
                    })?);
            }
            b'u' | b'U' => {
                let length = if escape == b'u' { 4 } else { 8 };
                let character = text
                    .get(..length)
                    .and_then(|digits| std::str::from_utf8(digits).ok())
                    .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                    .and_then(char::from_u32)
                    .ok_or("a universal character name is not valid")?;
                text = &text[length..];
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            // As other compilers have it: the character itself.
            other => bytes.push(other),
        }
    }
    Ok(())
}

/// Digits, base and suffix.
fn split_integer(text: &str) -> Option<(&str, u32, &str)> {
    let (rest, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        [b'0', b'0'..=b'9', ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    let digits = rest.bytes().take_while(|byte| char::from(*byte).is_digit(base)).count();
    let (digits, suffix) = rest.split_at(digits);
    let known = matches!(
        suffix,
        "" | "u"
            | "U"
            | "l"
            | "L"
            | "ll"
            | "LL"
            | "ul"
            | "uL"
            | "Ul"
            | "UL"
            | "lu"
            | "lU"
            | "Lu"
            | "LU"
            | "ull"
            | "uLL"
            | "Ull"
            | "ULL"
            | "llu"
            | "llU"
            | "LLu"
            | "LLU"
            | "z"
            | "uz"
            | "zu"
    );
    (known && !digits.is_empty()).then_some((digits, base, suffix))
}

/// Value and type of an integer constant. `long` has 64 bits, so `ll` adds nothing.
fn parse_integer(text: &str) -> Option<(u64, Scalar)> {
    let (digits, base, suffix) = split_integer(text)?;
    let value = u64::from_str_radix(digits, base).ok()?;
    let unsigned = suffix.contains(['u', 'U']);
    let long = suffix.contains(['l', 'L', 'z']);
    let scalar = if unsigned {
        if !long && value <= u64::from(u32::MAX) { Scalar::UInt } else { Scalar::ULong }
    } else if !long && value <= i32::MAX as u64 {
        Scalar::Int
    } else if !long && base != 10 && value <= u64::from(u32::MAX) {
        Scalar::UInt
    } else if value <= i64::MAX as u64 {
        Scalar::Long
    } else {
        Scalar::ULong
    };
    Some((value, scalar))
}

/// What of a malformed number does not belong to it.
fn wrong_in_number(text: &str) -> Option<String> {
    if text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let wrong = text.chars().find(|digit| matches!(digit, '8' | '9'))?;
        return Some(format!("`{wrong}` is no octal digit"));
    }
    let digits = match text.get(..2) {
        Some("0x" | "0X") => "0123456789abcdefABCDEF.pP",
        Some("0b" | "0B") => "01",
        _ => "0123456789.eE",
    };
    let head = if digits.len() > 13 || digits.len() < 10 { 2 } else { 0 };
    let rest = text[head..].trim_start_matches(|c| digits.contains(c));
    (!rest.is_empty() && rest.len() < 40).then(|| format!("`{rest}` does not belong to a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_constants_take_the_first_type_that_holds_them() {
        use Scalar::*;
        for (text, value, scalar) in [
            ("0", 0, Int),
            ("2147483647", 2147483647, Int),
            ("2147483648", 2147483648, Long),
            ("0x7fffffff", 0x7fffffff, Int),
            ("0x80000000", 0x80000000, UInt),
            ("037777777777", 0xffffffff, UInt),
            ("0x100000000", 0x100000000, Long),
            ("0xffffffffffffffff", u64::MAX, ULong),
            ("18446744073709551615", u64::MAX, ULong),
            ("5u", 5, UInt),
            ("5ul", 5, ULong),
            ("4294967296U", 4294967296, ULong),
            ("5L", 5, Long),
            ("0b101", 5, Int),
            ("1ULL", 1, ULong),
        ] {
            assert_eq!(parse_integer(text), Some((value, scalar)), "{text}");
        }
        for text in ["18446744073709551616", "08", "0x", "1f", "12abc", "1lul", "0b2"] {
            assert_eq!(parse_integer(text), None, "{text}");
        }
    }

    #[test]
    fn escapes_are_replaced() {
        let replace = |text: &str| {
            let mut bytes = Vec::new();
            unescape(text.as_bytes(), &mut bytes).map(|()| bytes)
        };
        assert_eq!(replace(r#"a\n\x41\101\0\\\"\u00e9"#), Ok("a\nAA\0\\\"é".into()));
        assert!(replace(r"\400").is_err());
        assert!(replace(r"\x100").is_err());
        assert!(replace(r"\xg").is_err());
        assert!(replace("\\").is_err());
    }
}
