//! What the walk over a body knows and notes, and what it hands to the lints that it asks.

use clc_base::Arena;
use rustc_hash::FxHashSet;

use super::context::Lints;
use crate::hir::{ExprId, FuncId, LocalId, Module};

/// How a body uses one of its variables.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LocalUse {
    /// Its value is needed.
    pub is_read: bool,
    pub is_written: bool,
    /// Its address is taken, so that anything may happen to it.
    pub is_exposed: bool,
}

/// What the walk saw of one function.
#[derive(Debug)]
pub(super) struct Body {
    pub function: FuncId,
    pub locals: Arena<LocalId, LocalUse>,
    /// Assignments to its variables whose value nothing takes.
    pub assignments: FxHashSet<ExprId>,
    /// The values it returns.
    pub returns: Vec<ExprId>,
    /// A variable of one piece begins without a value.
    pub has_unset_local: bool,
    /// Variables in `local` memory are used by name.
    pub has_shared: bool,
    /// Something stands where control may not come.
    pub has_jump: bool,
}

/// What the walk saw.
#[derive(Debug)]
pub(super) struct Uses {
    pub bodies: Vec<Body>,
}

/// What becomes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Value,
    /// Nothing takes the value.
    Discarded,
    /// Tested against zero.
    Condition,
}

pub(super) struct Walker<'l, 'a> {
    pub lints: &'l mut Lints<'a>,
    pub module: &'a Module,
    pub id: FuncId,
    pub(super) body: Body,
    /// Constant conditions keep control away from here; what would be wrong does not happen.
    pub is_dead: bool,
    /// The pointer that is visited next is dereferenced.
    pub(super) is_accessed: bool,
}
