//! The formats of a module, and what their conversions are.

use rustc_hash::FxHashMap;

use crate::reflection::{PrintfArgument, PrintfFormat};

/// Every format that is printed, and every string that `%s` prints, once for each list of arguments.
#[derive(Debug, Default)]
pub(super) struct Formats {
    pub list: Vec<PrintfFormat>,
    known: FxHashMap<(Vec<u8>, Vec<PrintfArgument>), u32>,
}

impl Formats {
    /// The id of a format. 0 is none's.
    pub fn id(&mut self, text: &[u8], arguments: &[PrintfArgument]) -> u32 {
        let next = self.list.len() as u32 + 1;
        let id = *self.known.entry((text.to_vec(), arguments.to_vec())).or_insert(next);
        if id == next {
            let (string, arguments) = (text.to_vec(), arguments.to_vec());
            self.list.push(PrintfFormat { id, string, arguments });
        }
        id
    }
}

/// The letters of the conversions that take an argument, in order.
pub(super) fn letters(format: &[u8]) -> Vec<u8> {
    let mut letters = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[start + 1..];
        // Flags, width, precision, vector and length.
        let is_before = |byte: &u8| byte.is_ascii_digit() || b"-+ #.vhlzt".contains(byte);
        let count = rest.iter().take_while(|byte| is_before(byte)).count();
        let Some(&letter) = rest.get(count) else { break };
        if letter != b'%' {
            letters.push(letter);
        }
        rest = &rest[count + 1..];
    }
    letters
}

/// What a format without conversions prints.
pub(super) fn without_escapes(format: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(format.len());
    let mut bytes = format.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        text.push(byte);
        if byte == b'%' {
            bytes.next_if_eq(&b'%');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_found_behind_everything() {
        assert_eq!(letters(b"plain 100%%\n"), b"");
        assert_eq!(letters(b"%d:%-08.3lx %+#v4hlf,%s %zu%%%p%"), b"dxfsup");
        assert_eq!(letters(b"%hh"), b"");
    }

    #[test]
    fn an_escaped_percent_sign_is_one() {
        assert_eq!(without_escapes(b"plain"), b"plain");
        assert_eq!(without_escapes(b"100%%, %%%%"), b"100%, %%");
        assert_eq!(without_escapes(b"%"), b"%");
    }

    #[test]
    fn equal_strings_are_one_for_equal_arguments() {
        let mut formats = Formats::default();
        assert_eq!(formats.id(b"a", &[]), 1);
        assert_eq!(formats.id(b"%s", &[PrintfArgument::STRING]), 2);
        assert_eq!(formats.id(b"a", &[]), 1);
        assert_eq!(formats.id(b"%s", &[PrintfArgument::POINTER]), 3);
        assert_eq!(formats.list.len(), 3);
        assert_eq!(formats.list[2].id, 3);
    }
}
