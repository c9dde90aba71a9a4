//! Files as they are read.

use std::rc::Rc;
use std::sync::Arc;

use clc_base::Symbol;

/// The three forms of `#include`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IncludeForm {
    Plain,
    /// `#include_next`
    Next,
    /// `#import`
    Once,
}

impl IncludeForm {
    pub(super) fn directive(self) -> &'static str {
        match self {
            IncludeForm::Plain => "include",
            IncludeForm::Next => "include_next",
            IncludeForm::Once => "import",
        }
    }
}

/// A file's text, once it was read.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub text: Arc<str>,
    /// Byte ranges of `text` that stand for invalid UTF-8.
    pub invalid: Rc<[(usize, usize)]>,
    pub system: bool,
    /// It was included at least once.
    pub used: bool,
    /// `#pragma once` was met in it.
    pub once: bool,
    /// The macro that guards the whole file.
    pub guard: Option<Symbol>,
}

impl Loaded {
    pub fn from_text(text: impl Into<Arc<str>>) -> Loaded {
        Loaded {
            text: text.into(),
            invalid: Rc::new([]),
            system: false,
            used: false,
            once: false,
            guard: None,
        }
    }
}

/// Makes text of bytes: drops a byte order mark, replaces invalid UTF-8 (remembering where) and,
/// if asked to, trigraphs. An error names the encoding that a byte order mark tells.
pub(super) fn decode(mut bytes: Vec<u8>, trigraphs: bool) -> Result<Loaded, &'static str> {
    match bytes.as_slice() {
        [0xFF, 0xFE, 0, 0, ..] => return Err("UTF-32"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => return Err("UTF-16"),
        [0xEF, 0xBB, 0xBF, ..] => drop(bytes.drain(..3)),
        _ => {}
    }
    let mut invalid = Vec::new();
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let mut text = String::new();
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    let start = text.len();
                    text.push('\u{FFFD}');
                    invalid.push((start, text.len()));
                }
            }
            text
        }
    };
    if trigraphs && text.contains("??") {
        text = replace_trigraphs(&text, &mut invalid);
    }
    Ok(Loaded { invalid: invalid.into(), ..Loaded::from_text(text) })
}

/// C99 5.2.1.1. The text shown in diagnostics is the replaced one.
fn replace_trigraphs(text: &str, invalid: &mut [(usize, usize)]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    let mut next_invalid = 0;
    while let Some(at) = rest.find("??") {
        let replacement = match rest.as_bytes().get(at + 2) {
            Some(b'=') => Some('#'),
            Some(b'(') => Some('['),
            Some(b'/') => Some('\\'),
            Some(b')') => Some(']'),
            Some(b'\'') => Some('^'),
            Some(b'<') => Some('{'),
            Some(b'!') => Some('|'),
            Some(b'>') => Some('}'),
            Some(b'-') => Some('~'),
            _ => None,
        };
        let taken = if replacement.is_some() { at + 3 } else { at + 1 };
        let removed = text.len() - rest.len() - result.len();
        let end = text.len() - rest.len() + taken;
        while let Some(range) = invalid.get_mut(next_invalid).filter(|range| range.0 < end) {
            *range = (range.0 - removed, range.1 - removed);
            next_invalid += 1;
        }
        match replacement {
            Some(char) => {
                result.push_str(&rest[..at]);
                result.push(char);
            }
            None => result.push_str(&rest[..taken]),
        }
        rest = &rest[taken..];
    }
    let removed = text.len() - rest.len() - result.len();
    for range in invalid.iter_mut().skip(next_invalid) {
        *range = (range.0 - removed, range.1 - removed);
    }
    result.push_str(rest);
    result
}
