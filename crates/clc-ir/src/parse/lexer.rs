//! Words, strings and signs of the text form.

use super::error::{Parse, ParseError};
use crate::{Type, TypePool};

#[derive(Clone, Debug, PartialEq)]
pub enum Token<'a> {
    Word(&'a str),
    Text(String),
    Sign(char),
    Line,
    End,
}

pub fn tokens(text: &str) -> Parse<Vec<(Token<'_>, usize)>> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            if first == ';' {
                break;
            }
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let length = if is_word(first) {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                tokens.push((Token::Word(&rest[..length]), number));
                length
            } else if first == '"' {
                let (text, length) = string(rest)
                    .ok_or_else(|| ParseError { line: number, message: "bad string".into() })?;
                tokens.push((Token::Text(text), number));
                length
            } else {
                tokens.push((Token::Sign(first), number));
                first.len_utf8()
            };
            rest = rest[length..].trim_start();
        }
        if !matches!(tokens.last(), None | Some((Token::Line, _))) {
            tokens.push((Token::Line, number));
        }
    }
    tokens.push((Token::End, text.lines().count()));
    Ok(tokens)
}

/// A string as Rust's `Debug` writes it, and how long it is with its quotes.
fn string(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    loop {
        let (at, c) = chars.next()?;
        match c {
            '"' => return Some((out, at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                '0' => out.push('\0'),
                'u' => {
                    let mut code = 0u32;
                    loop {
                        match chars.next()?.1 {
                            '{' => {}
                            '}' => break,
                            digit => code = code.checked_mul(16)? + digit.to_digit(16)?,
                        }
                    }
                    out.push(char::from_u32(code)?);
                }
                other => out.push(other),
            },
            c => out.push(c),
        }
    }
}

pub fn scalar(word: &str) -> Option<Type> {
    Some(match word {
        "void" => TypePool::VOID,
        "bool" => TypePool::BOOL,
        "i8" => TypePool::I8,
        "i16" => TypePool::I16,
        "i32" => TypePool::I32,
        "i64" => TypePool::I64,
        "f16" => TypePool::F16,
        "f32" => TypePool::F32,
        "f64" => TypePool::F64,
        _ => return None,
    })
}

/// The number of an id such as `b12`.
pub fn id(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
