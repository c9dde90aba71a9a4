//! Preprocessing tokens (C99 6.4) and what the preprocessor adds to them.

use clc_base::{Interner, Span, Symbol};

use crate::token::Punctuator;

/// A preprocessing token. Small, because macros copy them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PpToken {
    pub lo: u32,
    pub hi: u32,
    /// The spelling; [`NO_SYMBOL`] for punctuators in their usual spelling. For parameters in a
    /// replacement list: their index.
    pub symbol: Symbol,
    pub kind: PpKind,
    pub flags: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PpKind {
    Identifier,
    /// A pp-number without point or exponent.
    Integer,
    Float,
    Char,
    String,
    /// A quote without its partner, to the end of the line.
    Unterminated,
    /// `<...>` or `"..."` after `#include`.
    HeaderName,
    Punctuator(Punctuator),
    /// Characters that begin no token.
    Stray,
    /// A pragma for later stages; the symbol is its normalised text.
    Pragma,
    /// The end of a directive's line.
    EndOfLine,
    EndOfFile,
    /// The end of a list of tokens that is expanded on its own (an argument, a directive).
    EndOfList,
    /// Nothing, as an operand of `##` (C99 6.10.3.3).
    Placemarker,
    /// In replacement lists: a parameter, by index.
    Parameter,
    /// In replacement lists: `#parameter`.
    Stringify,
    /// In replacement lists: `__VA_OPT__(`; the symbol is the distance to its `VaOptEnd`.
    VaOptStart,
    VaOptEnd,
}

/// White space, a comment or a line end stands before the token.
pub(crate) const SPACE: u8 = 1;
/// The first token of a line.
pub(crate) const LINE_START: u8 = 2;
/// Named a macro inside that macro's own expansion: never expanded again (C99 6.10.3.4).
pub(crate) const NO_EXPAND: u8 = 4;
/// In replacement lists: `##` follows.
pub(crate) const PASTE: u8 = 8;
/// In replacement lists: `#` stands before `__VA_OPT__`.
pub(crate) const STRINGIFY: u8 = 16;

pub(crate) const NO_SYMBOL: Symbol = Symbol(u32::MAX);

impl PpToken {
    pub fn span(self) -> Span {
        Span::new(self.lo, self.hi)
    }

    pub fn is(self, punctuator: Punctuator) -> bool {
        self.kind == PpKind::Punctuator(punctuator)
    }

    pub fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether this ends a file, a line of a directive or a list.
    pub fn is_end(self) -> bool {
        matches!(self.kind, PpKind::EndOfLine | PpKind::EndOfFile | PpKind::EndOfList)
    }

    pub fn spelling(self, interner: &Interner) -> &str {
        match self.kind {
            PpKind::Punctuator(punctuator) if self.symbol == NO_SYMBOL => punctuator.as_str(),
            PpKind::EndOfLine
            | PpKind::EndOfFile
            | PpKind::EndOfList
            | PpKind::Placemarker
            | PpKind::Parameter
            | PpKind::Stringify
            | PpKind::VaOptStart
            | PpKind::VaOptEnd => "",
            _ if self.symbol == NO_SYMBOL => "",
            _ => interner.resolve(self.symbol),
        }
    }
}
