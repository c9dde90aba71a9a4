//! Comparisons and conditions whose result is not what it looks like.

use clc_base::Diagnostic;
use clc_builtins::Scalar;

use super::context::Lints;
use super::ranges::Range;
use super::walker::Walker;
use crate::diagnostics::lints::*;
use crate::hir::{CompareOp, ExprId, ExprKind, LogicalOp};
use crate::types::Type;

/// A comparison of scalars or vectors.
pub(super) fn check(
    walker: &mut Walker<'_, '_>,
    op: CompareOp,
    left: ExprId,
    right: ExprId,
    expr: ExprId,
) {
    super::conversions::compared(walker, left, right);
    let is_dead = walker.is_dead;
    let lints = &mut *walker.lints;
    let ty = lints.ty(left);
    if matches!(lints.module.types.get(ty), Type::Pointer { .. }) {
        null_comparison(lints, op, left, right, expr);
        return;
    }
    let is_constant =
        |side| matches!(lints.kind(side), ExprKind::Constant(_) | ExprKind::ConstantValue(_));
    if is_constant(left) && is_constant(right) {
        return;
    }
    if lints.is_float(ty) {
        if matches!(op, CompareOp::Equal | CompareOp::NotEqual)
            && !is_constant(left)
            && !is_constant(right)
            && !lints.same(left, right)
        {
            let message = "floating-point numbers are compared for equality";
            lints.report(
                Diagnostic::new(&W0841, lints.span(expr), message)
                    .at("rounding decides what comes out")
                    .help("compare their difference with a tolerance"),
            );
        }
        self_comparison(lints, op, left, right, expr, true);
        return;
    }
    if !is_dead && self_comparison(lints, op, left, right, expr, false) {
        return;
    }
    if lints.module.types.is_vector(ty) {
        return;
    }
    if !is_dead && constant_out_of_range(lints, op, left, right, expr) {
        return;
    }
    signs(lints, op, left, right);
}

/// `x == x`; for floats only the orders: `x == x` and `x != x` ask for NaN.
fn self_comparison(
    lints: &mut Lints<'_>,
    op: CompareOp,
    left: ExprId,
    right: ExprId,
    expr: ExprId,
    is_float: bool,
) -> bool {
    if is_float && !matches!(op, CompareOp::Less | CompareOp::Greater) {
        return false;
    }
    if !lints.is_on(&W0834)
        || !is_named(lints, left)
        || !lints.same(left, right)
        || !lints.is_written(left, right, &['=', '<', '>'])
    {
        return false;
    }
    let always = match op {
        CompareOp::Equal | CompareOp::LessEqual | CompareOp::GreaterEqual => "true",
        CompareOp::NotEqual | CompareOp::Less | CompareOp::Greater => "false",
    };
    lints.report(
        Diagnostic::new(
            &W0834,
            lints.span(expr),
            format!("this compares a value with itself and is always {always}"),
        )
        .at("both sides are the same"),
    );
    true
}

/// Whether a value is what a variable, a member or an element holds.
fn is_named(lints: &Lints<'_>, expr: ExprId) -> bool {
    matches!(lints.kind(lints.below_implicit(expr)), ExprKind::Load(_))
}

/// A comparison with a constant that decides nothing.
fn constant_out_of_range(
    lints: &mut Lints<'_>,
    op: CompareOp,
    left: ExprId,
    right: ExprId,
    expr: ExprId,
) -> bool {
    let (value, constant, op) = match (lints.integer(left), lints.integer(right)) {
        (None, Some(constant)) => (left, constant, op),
        (Some(constant), None) => (right, constant, mirrored(op)),
        _ => return false,
    };
    // Only what the type says: what a calculation cannot reach is often a matter of the moment.
    let operand = lints.below_implicit(value);
    if !is_named(lints, value) {
        return false;
    }
    let Some(scalar) = lints.scalar(operand).filter(|scalar| scalar.is_integer()) else {
        return false;
    };
    if matches!(lints.module.types.get(lints.ty(operand)), Type::Enum(_)) || scalar == Scalar::Bool
    {
        return false;
    }
    let range = Range::of(scalar);
    // A signed number that became unsigned can be any of the lower half and the upper.
    if lints.range(value).is_none_or(|converted| converted != range) && operand != value {
        let kept = lints.range(value);
        if kept.is_none_or(|kept| kept.low > range.low || kept.high < range.high) {
            return false;
        }
    }
    let outcome = match op {
        CompareOp::Equal if constant < range.low || constant > range.high => false,
        CompareOp::NotEqual if constant < range.low || constant > range.high => true,
        CompareOp::Less if range.high < constant => true,
        CompareOp::Less if range.low >= constant => false,
        CompareOp::LessEqual if range.high <= constant => true,
        CompareOp::LessEqual if range.low > constant => false,
        CompareOp::Greater if range.low > constant => true,
        CompareOp::Greater if range.high <= constant => false,
        CompareOp::GreaterEqual if range.low >= constant => true,
        CompareOp::GreaterEqual if range.high < constant => false,
        _ => return false,
    };
    let at_edge = constant == range.low || constant == range.high;
    let text = lints.type_text(lints.ty(operand));
    let is_zero = constant == 0 && range.low == 0;
    let (code, message) = if is_zero {
        (&W0836, format!("this is always {outcome}: `{text}` is never less than 0"))
    } else if at_edge {
        // `x <= UINT_MAX`: true, and often written for its symmetry.
        return false;
    } else {
        let message = format!(
            "this is always {outcome}: `{text}` is never {}",
            relation(op, constant, outcome)
        );
        (&W0835, message)
    };
    let span = lints.span(expr);
    if is_zero && lints.in_macro(span) {
        return true;
    }
    lints.report(
        Diagnostic::new(code, span, message)
            .at("decided by the type alone")
            .label(lints.span(value), format!("this is `{text}`, {} to {}", range.low, range.high)),
    );
    true
}

fn relation(op: CompareOp, constant: i128, outcome: bool) -> String {
    let text = match (op, outcome) {
        (CompareOp::Equal | CompareOp::NotEqual, _) => "",
        (CompareOp::Less, true) | (CompareOp::GreaterEqual, false) => "as great as ",
        (CompareOp::Less, false) | (CompareOp::GreaterEqual, true) => "less than ",
        (CompareOp::LessEqual, true) | (CompareOp::Greater, false) => "greater than ",
        (CompareOp::LessEqual, false) | (CompareOp::Greater, true) => "as small as ",
    };
    format!("{text}{constant}")
}

/// The operator with its sides exchanged.
fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Equal | CompareOp::NotEqual => op,
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
    }
}

/// A signed number that may be negative, compared as an unsigned one.
fn signs(lints: &mut Lints<'_>, op: CompareOp, left: ExprId, right: ExprId) {
    if !lints.is_on(&W0830) {
        return;
    }
    let Some(common) = lints.scalar(left).filter(|common| common.is_integer()) else { return };
    if common.is_signed() {
        return;
    }
    let signed = |side: ExprId| {
        let operand = lints.implicit_operand(side)?;
        let scalar = lints.scalar(operand)?;
        // A negative number in the type that it converts from.
        (scalar.is_signed() && lints.range(operand)?.low < 0).then_some(operand)
    };
    let (operand, other) = match (signed(left), signed(right)) {
        (Some(operand), None) => (operand, right),
        (None, Some(operand)) => (operand, left),
        _ => return,
    };
    // A negative number never equals one of the lower half.
    let bits = common.bits();
    if matches!(op, CompareOp::Equal | CompareOp::NotEqual)
        && lints.range(other).is_some_and(|range| range.high < 1i128 << (bits - 1))
    {
        return;
    }
    let unsigned = lints.below_implicit(other);
    let text = lints.type_text(lints.ty(operand));
    let other_text = match lints.kind(unsigned) {
        ExprKind::Intrinsic { .. } if lints.ty(unsigned) == lints.module.types.size_type() => {
            "size_t".to_owned()
        }
        _ => lints.type_text(lints.ty(unsigned)),
    };
    let message =
        format!("`{text}` is compared with `{other_text}`: a negative number becomes a large one");
    lints.report(
        Diagnostic::new(&W0830, lints.span(operand), message)
            .at(format!("this is `{text}`"))
            .label(lints.span(unsigned), format!("this is `{other_text}`"))
            .help(format!("convert the other side: `({text})`, or declare both alike")),
    );
}

/// `&x == 0`
fn null_comparison(
    lints: &mut Lints<'_>,
    op: CompareOp,
    left: ExprId,
    right: ExprId,
    expr: ExprId,
) {
    let pointer = match (lints.kind(left), lints.kind(right)) {
        (_, ExprKind::Null) => left,
        (ExprKind::Null, _) => right,
        _ => return,
    };
    let Some(what) = never_null(lints, pointer) else { return };
    // A pointer as a boolean is compared with null, too, where it stands.
    if lints.span(expr) == lints.span(pointer) {
        address_as_boolean(lints, pointer, what);
        return;
    }
    let outcome = op == CompareOp::NotEqual;
    let message = format!("{what} is never null: this is always {outcome}");
    lints.report(
        Diagnostic::new(&W0837, lints.span(expr), message).at("an address is compared with null"),
    );
}

/// What makes a pointer never null: that it is an array or the address of a variable.
fn never_null(lints: &Lints<'_>, pointer: ExprId) -> Option<&'static str> {
    let variable = |mut lvalue: ExprId| loop {
        match *lints.kind(lvalue) {
            ExprKind::Local(_) | ExprKind::Global(_) => return true,
            ExprKind::Member { base, .. } => lvalue = base,
            _ => return false,
        }
    };
    match *lints.kind(pointer) {
        ExprKind::Decay(lvalue) if variable(lvalue) => Some("an array"),
        ExprKind::AddressOf(lvalue) if variable(lvalue) => Some("the address of a variable"),
        _ => None,
    }
}

fn address_as_boolean(lints: &mut Lints<'_>, pointer: ExprId, what: &str) {
    let span = lints.span(pointer);
    if lints.in_macro(span) {
        return;
    }
    let message = format!("{what} as a condition is always true");
    lints.report(Diagnostic::new(&W0838, span, message).at("an address, not a value"));
}

/// A value that is tested against zero.
pub(super) fn condition(walker: &mut Walker<'_, '_>, expr: ExprId) {
    super::conversions::narrow_use(walker, expr);
    let lints = &mut *walker.lints;
    if let Some(what) = never_null(lints, expr) {
        address_as_boolean(lints, expr, what);
    }
}

/// `flags && 4`
pub(super) fn logical(walker: &mut Walker<'_, '_>, op: LogicalOp, left: ExprId, right: ExprId) {
    let lints = &mut *walker.lints;
    if walker.is_dead || !lints.is_on(&W0839) {
        return;
    }
    let operator = match op {
        LogicalOp::And => "&",
        LogicalOp::Or => "|",
    };
    let Some(value) = lints.integer(right) else { return };
    let is_boolean = matches!(
        lints.kind(left),
        ExprKind::Compare { .. } | ExprKind::Logical { .. } | ExprKind::Unary { .. }
    );
    if matches!(value, 0 | 1) || is_boolean || lints.scalar(left).is_none_or(Scalar::is_float) {
        return;
    }
    let span = lints.span(right);
    // Constants with names are switches of the program.
    if lints.in_macro(span) {
        return;
    }
    let message =
        format!("`{operator}{operator}` only asks whether {value} is zero, which it is not");
    lints.report(
        Diagnostic::new(&W0839, span, message)
            .at(format!("this is {value}"))
            .help(format!("`{operator}` combines the bits of two numbers")),
    );
}
