//! A walk over the instructions of a module.

use super::{HEADER_WORDS, place};

/// The instructions of a module or of some of its words, each with all its words.
#[derive(Clone, Debug)]
pub(crate) struct Instructions<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Instructions<'a> {
    /// Those of a module.
    pub fn of(module: &'a [u32]) -> Instructions<'a> {
        Instructions { words: module, at: HEADER_WORDS.min(module.len()) }
    }

    /// Those of a part of a module, which begins with one.
    #[cfg(feature = "validate")]
    pub fn in_words(words: &'a [u32]) -> Instructions<'a> {
        Instructions { words, at: 0 }
    }

    /// What has not been read: nothing after the last instruction of well-formed words.
    pub fn rest(&self) -> &'a [u32] {
        &self.words[self.at..]
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = &'a [u32];

    fn next(&mut self) -> Option<&'a [u32]> {
        let place = place(self.words, self.at)?;
        self.at = place.end;
        Some(&self.words[place])
    }
}
