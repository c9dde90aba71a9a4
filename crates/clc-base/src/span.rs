//! Half-open ranges of positions in the global space of a [`SourceMap`](crate::SourceMap).

use std::fmt;

/// A range `lo..hi` of byte positions in the global position space.
///
/// The two ends may lie in different files or macro expansions: `a + M`, where `M` is a macro,
/// begins in a file and ends in an expansion. [`SourceMap::resolve`](crate::SourceMap::resolve)
/// finds the range of one file that a reader should be shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub lo: u32,
    /// The first byte behind the range.
    pub hi: u32,
}

impl Span {
    /// The span of things that no source text wrote (predefined names, for instance).
    pub const NONE: Span = Span { lo: 0, hi: 0 };

    /// The range `lo..hi`.
    pub const fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi }
    }

    /// From the start of `self` to the end of `end`. [`Span::NONE`] is neutral.
    pub fn to(self, end: Span) -> Span {
        if self.is_none() {
            end
        } else if end.is_none() {
            self
        } else {
            Span { lo: self.lo, hi: end.hi }
        }
    }

    /// The empty span just behind `self`.
    pub fn end(self) -> Span {
        Span { lo: self.hi, hi: self.hi }
    }

    /// The empty span at the start of `self`.
    pub fn start(self) -> Span {
        Span { lo: self.lo, hi: self.lo }
    }

    /// Whether it is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self == Span::NONE
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}
