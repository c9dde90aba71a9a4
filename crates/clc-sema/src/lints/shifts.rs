//! Shift counts that are not below the width.

use clc_base::{Diagnostic, Span};

use super::walker::Walker;
use crate::diagnostics::lints::{W0831, W0832};
use crate::hir::{BinaryOp, ExprId};

/// A shift, also by `<<=` and `>>=`.
pub(super) fn check(walker: &mut Walker<'_, '_>, op: BinaryOp, left: ExprId, count: ExprId) {
    if walker.is_dead || !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        return;
    }
    let lints = &mut *walker.lints;
    let Some(value) = lints.integer(lints.below_implicit(count)) else { return };
    let Some((scalar, width)) = lints.module.types.as_arithmetic(lints.ty(left)) else { return };
    // Scalars are promoted first, vectors are not.
    let bits = if width == 1 { scalar.bits().max(32) } else { scalar.bits() };
    let ty = lints.type_text(lints.ty(left));
    let found = diagnostic(value, bits, lints.span(count), lints.span(left), &ty);
    found.into_iter().for_each(|diagnostic| lints.report(diagnostic));
}

/// What there is to say of a constant count; constants that are shifted ask when they fold.
pub(crate) fn diagnostic(
    value: i128,
    bits: u32,
    count: Span,
    shifted: Span,
    ty: &str,
) -> Option<Diagnostic> {
    let bits = i128::from(bits);
    if (0..bits).contains(&value) {
        return None;
    }
    let (code, message) = if value < 0 {
        (&W0832, format!("this shift count, {value}, is negative"))
    } else {
        (&W0831, format!("a shift by {value} is as wide as `{ty}` or wider"))
    };
    Some(
        Diagnostic::new(code, count, message)
            .at(format!("a count of {value}"))
            .label(shifted, format!("this is `{ty}`, with {bits} bits"))
            .note(format!(
                "the count is taken modulo {bits} (OpenCL C 6.3, operator j): this shifts by {}",
                value.rem_euclid(bits)
            )),
    )
}
