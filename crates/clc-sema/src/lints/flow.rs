//! What the lints of control and data flow look at.

use crate::flow::graph::{Graph, Variable};
use crate::flow::values::Values;
use crate::hir::FuncId;

/// A body with its flow.
pub(super) struct Flow<'f> {
    pub function: FuncId,
    pub graph: &'f Graph,
    pub variables: &'f [Variable],
    pub values: &'f Values,
}
