//! Integer, floating, character and string literals (C99 6.4.4, 6.4.5).

use clc_base::{Span, Symbol};

use crate::context::Sema;

impl Sema<'_> {
    /// The bytes of adjacent string literals, joined, without the final zero.
    pub(crate) fn string_bytes(&mut self, pieces: &[Symbol], span: Span) -> Vec<u8> {
        let _ = (pieces, span);
        Vec::new()
    }
}
