//! Calculations that only hold where all work-groups have one size.

use clc_base::{Diagnostic, Version};
use clc_builtins::Intrinsic;

use super::walker::Walker;
use crate::diagnostics::lints::W0883;
use crate::hir::{BinaryOp, ExprId, ExprKind};

/// `get_group_id(0) * get_local_size(0)`
pub(super) fn product(
    walker: &mut Walker<'_, '_>,
    op: BinaryOp,
    left: ExprId,
    right: ExprId,
    expr: ExprId,
) {
    let lints = &mut *walker.lints;
    if op != BinaryOp::Mul
        || lints.uniform_work_groups
        || lints.module.version < Version::V2_0
        || !lints.is_on(&W0883)
    {
        return;
    }
    // With a required size of one the size is always that.
    let kernel = lints.module.functions[walker.id].kernel.as_ref();
    let dimension = |expr: ExprId, wanted: Intrinsic| {
        let mut expr = expr;
        while let ExprKind::Convert { operand, .. } = *lints.kind(expr) {
            expr = operand;
        }
        match lints.kind(expr) {
            ExprKind::Intrinsic { intrinsic, arguments } if *intrinsic == wanted => {
                arguments.first().and_then(|&argument| lints.integer(argument))
            }
            _ => None,
        }
    };
    let pair = |first: Intrinsic| {
        let along = |a, b| {
            let dim = dimension(a, first)?;
            (dimension(b, Intrinsic::GetLocalSize) == Some(dim)).then_some(dim)
        };
        along(left, right).or_else(|| along(right, left))
    };
    let (dim, what, help) = if let Some(dim) = pair(Intrinsic::GetGroupId) {
        (
            dim,
            "the beginning of the work-group",
            format!("write `get_enqueued_local_size({dim})`, or use `get_global_id({dim})`"),
        )
    } else if let Some(dim) = pair(Intrinsic::GetNumGroups) {
        (dim, "the global size", format!("write `get_global_size({dim})`"))
    } else {
        return;
    };
    let required = kernel.and_then(|kernel| kernel.reqd_work_group_size);
    if let Some(size) = required
        && usize::try_from(dim).ok().and_then(|dim| size.get(dim)) == Some(&1)
    {
        return;
    }
    let message = format!("this is not {what} if the last work-group is smaller than the others");
    let call = |side: ExprId| dimension(side, Intrinsic::GetLocalSize).is_some();
    let size = if call(left) { left } else { right };
    lints.report(
        Diagnostic::new(&W0883, lints.span(expr), message)
            .at("wrong in the last work-group")
            .label(lints.span(size), "the size of the own work-group")
            .help(help)
            .help("`-cl-uniform-work-group-size` promises that all have one size"),
    );
}
