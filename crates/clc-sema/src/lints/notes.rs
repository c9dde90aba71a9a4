//! What the analysis tells the lints beside the typed tree.

use clc_base::Span;
use rustc_hash::FxHashSet;

/// What the analysis noted for the lints, because the typed tree does not tell.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Names of things that were declared with `__attribute__((unused))`.
    pub(crate) marked_unused: FxHashSet<Span>,
    /// Types that blocks declare, where the name stands.
    pub(crate) local_typedefs: Vec<Span>,
    /// Those that were used.
    pub(crate) used_typedefs: FxHashSet<Span>,
    /// Variables of functions that hide others.
    pub(crate) hiding: Vec<Hiding>,
}

/// A variable whose name is that of another one in sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hiding {
    pub name: Span,
    pub hidden: Span,
    /// The hidden one is of program scope.
    pub is_global: bool,
}
