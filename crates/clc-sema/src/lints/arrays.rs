//! Constant indices outside of arrays.

use clc_base::Diagnostic;

use super::walker::Walker;
use crate::diagnostics::lints::W0833;
use crate::hir::{ExprId, ExprKind};
use crate::types::Type;

/// `pointer + index` and, through it, `pointer[index]`.
pub(super) fn bounds(
    walker: &mut Walker<'_, '_>,
    pointer: ExprId,
    index: ExprId,
    negate: bool,
    is_accessed: bool,
) {
    if walker.is_dead {
        return;
    }
    let lints = &mut *walker.lints;
    let ExprKind::Decay(array) = *lints.kind(pointer) else { return };
    let Some(value) = lints.integer(index) else { return };
    let &Type::Array { len: Some(len), .. } = lints.module.types.get(lints.ty(array)) else {
        return;
    };
    // The last member of a struct may stand for as many elements as there are.
    if matches!(lints.kind(array), ExprKind::Member { .. }) && len <= 1 {
        return;
    }
    let value = if negate { -value } else { value };
    let last = i128::from(len) + i128::from(!is_accessed) - 1;
    if (0..=last).contains(&value) {
        return;
    }
    let text = lints.type_text(lints.ty(array));
    let side = match (value < 0, is_accessed) {
        (true, _) => "before the beginning",
        (false, _) => "behind the end",
    };
    let message = format!("index {value} lies {side} of the array");
    let mut diagnostic = Diagnostic::new(&W0833, lints.span(index), message)
        .at(format!("index {value}"))
        .label(lints.span(array), format!("this is `{text}`"));
    if len > 0 {
        diagnostic = diagnostic.note(format!("its elements are 0 to {}", len - 1));
    }
    lints.report(diagnostic);
}
