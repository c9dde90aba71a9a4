//! The tree that an initializer list is sorted into, and the list as it is used up.

use clc_builtins::Scalar;
use clc_syntax::ast::InitializerItem;

use crate::hir::ExprId;

/// Elements of one range designator, and of one list with gaps.
pub(super) const MAX_ELEMENTS: u64 = 1 << 24;

/// What an object, or a part of one, is initialised with.
#[derive(Clone, Debug)]
pub(super) enum Init {
    /// Nothing: zero.
    Empty,
    /// A value of the part's type.
    Value(ExprId),
    /// Parts of a vector, in order: scalars of its element type and shorter vectors.
    Components(Vec<ExprId>),
    /// A string literal in an array of characters, as long as the array or shorter.
    Bytes(Vec<u8>),
    /// Elements or fields, ascending.
    Parts(Vec<(u64, Init)>),
}

/// The items of one pair of braces, some of them used up.
pub(super) struct Items<'a> {
    pub(super) list: &'a [InitializerItem],
    pub(super) next: usize,
    /// The value of item `next`, once its type was asked for.
    pub(super) pending: Option<ExprId>,
}

impl<'a> Items<'a> {
    pub(super) fn peek(&self) -> Option<&'a InitializerItem> {
        self.list.get(self.next)
    }

    pub(super) fn advance(&mut self) {
        self.next += 1;
        self.pending = None;
    }

    /// Whether an aggregate without braces of its own may take the next item.
    pub(super) fn continues(&self) -> bool {
        self.pending.is_some() || self.peek().is_some_and(|item| item.designators.is_empty())
    }
}

/// How a part of an aggregate is initialised from a list.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// By one expression.
    Single,
    Vector(Scalar, u8),
    /// By as many parts; a union has one.
    Aggregate(u64),
}
