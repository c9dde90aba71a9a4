//! Implicit conversions that lose something, or cost something.

use clc_base::{Diagnostic, Span};
use clc_builtins::Scalar;

use super::context::Lints;
use super::walker::Walker;
use crate::diagnostics::lints::*;
use crate::folding;
use crate::hir::{ExprId, ExprKind, UnaryOp};
use crate::types::Type;

/// A conversion between numbers, explicit or not.
pub(super) fn check(walker: &mut Walker<'_, '_>, expr: ExprId, operand: ExprId) {
    let lints = &mut *walker.lints;
    let types = &lints.module.types;
    let (Some((from, _)), Some((to, _))) =
        (types.as_arithmetic(lints.ty(operand)), types.as_arithmetic(lints.ty(expr)))
    else {
        return;
    };
    if from == Scalar::Double && to != Scalar::Double {
        narrow_use(walker, operand);
    }
    let lints = &mut *walker.lints;
    if lints.implicit_operand(expr) != Some(operand) {
        return;
    }
    let span = lints.span(expr);
    let (from_text, to_text) = (from.name(), to.name());
    let (code, loss) = match (from.is_float(), to.is_float()) {
        (true, true) if from.size() > to.size() => {
            // To `half` is what a program with `half` in memory does everywhere.
            if from != Scalar::Double || !has_genuine_double(lints, operand) {
                return;
            }
            (&W0852, "loses precision")
        }
        (true, true) => {
            if to == Scalar::Double {
                promotion(lints, expr, operand);
            }
            return;
        }
        (true, false) => (&W0854, "loses the fraction"),
        (false, true) => {
            let Some(range) = lints.range(operand) else { return };
            let exact = 1i128 << precision(to);
            if -exact <= range.low && range.high <= exact {
                return;
            }
            (&W0858, "may lose precision")
        }
        (false, false) => {
            if to == Scalar::Bool || from == Scalar::Bool {
                return;
            }
            let Some(range) = lints.range(operand) else { return };
            if folding::fits(to, range.low) && folding::fits(to, range.high) {
                return;
            }
            if to.size() < from.size() {
                let is_half = from.size() == 8 && to.size() == 4;
                (if is_half { &W0855 } else { &W0856 }, "may lose digits")
            } else {
                (&W0857, "may change its sign")
            }
        }
    };
    let message = format!("`{from_text}` {loss} when it becomes `{to_text}`");
    lints.report(
        Diagnostic::new(code, span, message)
            .at(format!("this is `{from_text}`"))
            .help(format!("if that is meant, write the conversion: `({to_text})`")),
    );
}

/// Bits of the significand.
fn precision(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Half => 11,
        Scalar::Float => 24,
        _ => 53,
    }
}

/// An integer constant that became a floating-point one; called where the conversion is made,
/// since nothing else remembers it. `None` if the number is kept.
pub(crate) fn inexact_constant(bits: u64, from: Scalar, to: Scalar) -> Option<(i128, String)> {
    if !from.is_integer() || !to.is_float() {
        return None;
    }
    let number = folding::integer_value(from, bits);
    let magnitude = number.unsigned_abs();
    if magnitude == 0 {
        return None;
    }
    let significant = 128 - magnitude.leading_zeros() - magnitude.trailing_zeros();
    let too_large = to == Scalar::Half && magnitude >= 65520;
    if significant <= precision(to) && !too_large {
        return None;
    }
    let converted = folding::convert(folding::convert(bits, from, to), to, Scalar::Double);
    Some((number, format!("{}", f64::from_bits(converted))))
}

/// A `float` that becomes `double` because of the other operand.
fn promotion(lints: &mut Lints<'_>, expr: ExprId, operand: ExprId) {
    if !lints.is_on(&W0851) || matches!(lints.kind(operand), ExprKind::Constant(_)) {
        return;
    }
    let (from, to) = (lints.type_text(lints.ty(operand)), lints.type_text(lints.ty(expr)));
    let message = format!("`{from}` is converted to `{to}`");
    lints.report(
        Diagnostic::new(&W0851, lints.span(expr), message)
            .at(format!("this is `{from}`"))
            .help(format!("if that is meant, write the conversion: `({to})`")),
    );
}

/// What a `double` consists of.
#[derive(Default)]
struct Leaves {
    /// Something that was declared as `double`, or cast to it.
    is_genuine: bool,
    /// A constant without suffix beside an operand that was a `float`.
    literals: Vec<(ExprId, ExprId)>,
}

/// Looks through the arithmetic below a `double`. `is_promoted` tells of a `float` operand.
fn leaves(lints: &Lints<'_>, expr: ExprId, found: &mut Leaves, budget: &mut u32) {
    // Chains to the left are as long as the program writes them.
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if *budget == 0 || lints.scalar(expr) != Some(Scalar::Double) {
            found.is_genuine = true;
            return;
        }
        *budget -= 1;
        match *lints.kind(expr) {
            ExprKind::Constant(_) => {}
            ExprKind::Convert { .. } => {
                let is_float = lints
                    .implicit_operand(expr)
                    .and_then(|operand| lints.scalar(operand))
                    .is_some_and(|scalar| scalar != Scalar::Double);
                found.is_genuine |= !is_float;
            }
            ExprKind::Unary { op: UnaryOp::Negate, operand } => pending.push(operand),
            ExprKind::Binary { left, right, .. } => {
                literal_beside_float(lints, left, right, found);
                literal_beside_float(lints, right, left, found);
                pending.extend([left, right]);
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                literal_beside_float(lints, then, otherwise, found);
                literal_beside_float(lints, otherwise, then, found);
                pending.extend([then, otherwise]);
            }
            // `sqrt(f * 2.0)`: a function of the library is double for the sake of its operands.
            ExprKind::Intrinsic { intrinsic, ref arguments } if intrinsic.effects().is_pure() => {
                for &argument in arguments {
                    for &other in arguments {
                        literal_beside_float(lints, argument, other, found);
                    }
                }
                pending.extend(arguments);
            }
            _ => found.is_genuine = true,
        }
    }
}

fn literal_beside_float(lints: &Lints<'_>, literal: ExprId, other: ExprId, found: &mut Leaves) {
    if matches!(lints.kind(literal), ExprKind::Constant(_)) && is_promoted_float(lints, other) {
        found.literals.push((literal, other));
    }
}

/// Whether an operand is a `float` that was converted, or arithmetic on such.
fn is_promoted_float(lints: &Lints<'_>, expr: ExprId) -> bool {
    lints
        .implicit_operand(expr)
        .and_then(|operand| lints.scalar(operand))
        .is_some_and(|scalar| scalar.is_float() && scalar != Scalar::Double)
}

const BUDGET: u32 = 256;

fn has_genuine_double(lints: &Lints<'_>, expr: ExprId) -> bool {
    let mut found = Leaves::default();
    leaves(lints, expr, &mut found, &mut BUDGET.clone());
    found.is_genuine
}

/// A value that is used as something other than a `double`: if it became a `double` only because
/// of constants without suffix, those are reported.
pub(super) fn narrow_use(walker: &mut Walker<'_, '_>, expr: ExprId) {
    let lints = &mut *walker.lints;
    if walker.is_dead || !lints.is_on(&W0850) || lints.scalar(expr) != Some(Scalar::Double) {
        return;
    }
    let mut found = Leaves::default();
    leaves(lints, expr, &mut found, &mut BUDGET.clone());
    if found.is_genuine {
        return;
    }
    for (literal, other) in found.literals {
        report_literal(lints, literal, other);
    }
}

/// Both sides of a comparison, as [`narrow_use`].
pub(super) fn compared(walker: &mut Walker<'_, '_>, left: ExprId, right: ExprId) {
    let lints = &mut *walker.lints;
    if walker.is_dead || !lints.is_on(&W0850) || lints.scalar(left) != Some(Scalar::Double) {
        return;
    }
    let mut found = Leaves::default();
    literal_beside_float(lints, left, right, &mut found);
    literal_beside_float(lints, right, left, &mut found);
    leaves(lints, left, &mut found, &mut BUDGET.clone());
    leaves(lints, right, &mut found, &mut BUDGET.clone());
    if found.is_genuine {
        return;
    }
    for (literal, other) in found.literals {
        report_literal(lints, literal, other);
    }
}

/// `f *= 2.0`
pub(super) fn compound(walker: &mut Walker<'_, '_>, expr: ExprId) {
    let lints = &mut *walker.lints;
    let ExprKind::CompoundAssign { lvalue, value, compute, .. } = *lints.kind(expr) else { return };
    let lvalue_scalar = lints.scalar(lvalue);
    let is_float =
        lvalue_scalar.is_some_and(|scalar| scalar.is_float() && scalar != Scalar::Double);
    if walker.is_dead || !is_float || lints.module.types.as_scalar(compute) != Some(Scalar::Double)
    {
        return;
    }
    let mut found = Leaves::default();
    leaves(lints, value, &mut found, &mut BUDGET.clone());
    if found.is_genuine {
        let (from, to) = ("double", lvalue_scalar.map_or("", Scalar::name));
        let message = format!("`{from}` loses precision when it becomes `{to}`");
        lints.report(
            Diagnostic::new(&W0852, lints.span(expr), message)
                .at(format!("the result is stored as `{to}`"))
                .label(lints.span(value), "this is `double`")
                .help("if that is meant, write the conversion: `(float)`"),
        );
        return;
    }
    if matches!(lints.kind(value), ExprKind::Constant(_)) {
        found.literals.push((value, lvalue));
    }
    for (literal, other) in found.literals {
        report_literal(lints, literal, other);
    }
}

fn report_literal(lints: &mut Lints<'_>, literal: ExprId, other: ExprId) {
    let span = lints.span(literal);
    let written = written(lints, span);
    let other_ty = lints.type_text(lints.ty(lints.below_implicit(other)));
    let shown = if written.is_empty() || written.len() > 32 {
        "this constant".to_owned()
    } else {
        format!("`{written}`")
    };
    let message =
        format!("{shown} is a `double`: the `{other_ty}` beside it is converted to `double`, too");
    let mut diagnostic = Diagnostic::new(&W0850, span, message)
        .at("this is `double`")
        .label(lints.span(other), format!("this is `{other_ty}`"));
    if is_plain_literal(written) {
        let better = format!("{written}f");
        diagnostic = diagnostic.help(format!("write `{better}`"));
        if !lints.in_macro(span) {
            diagnostic =
                diagnostic.fix(Span::new(span.hi, span.hi), "f", format!("write `{better}`"));
        }
    } else if is_name(written) && written.starts_with("M_") {
        diagnostic = diagnostic.help(format!("write `{written}_F`"));
        if let Some(location) = lints.sources.resolve(span) {
            let at = lints.sources.file(location.file).lo + location.end;
            let message = format!("write `{written}_F`");
            diagnostic = diagnostic.fix(Span::new(at, at), "_F", message);
        }
    } else {
        diagnostic = diagnostic.help("give the constants the suffix `f`");
    }
    lints.report(diagnostic);
}

/// The text of a constant: what the program wrote, or its own name for one of the language's.
fn written<'a>(lints: &Lints<'a>, span: Span) -> &'a str {
    let used = lints.sources.resolve(span).and_then(|location| {
        lints.sources.file(location.file).text.get(location.start as usize..location.end as usize)
    });
    match used {
        Some(name) if is_name(name) && name.starts_with("M_") => name,
        _ => lints.sources.text(span).or(used).unwrap_or_default(),
    }
}

fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Whether a text is one decimal floating constant without suffix.
fn is_plain_literal(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim_start_matches(['+', '-']))),
        None => (text, None),
    };
    let Some((whole, fraction)) = mantissa.split_once('.') else {
        return exponent.is_some_and(digits) && !mantissa.is_empty() && digits(mantissa);
    };
    digits(whole) && digits(fraction) && exponent.is_none_or(digits) && text.len() > 1
}

/// `(int)pointer`
pub(super) fn pointer_to_integer(walker: &mut Walker<'_, '_>, expr: ExprId, operand: ExprId) {
    let lints = &mut *walker.lints;
    let Some(scalar) = lints.scalar(expr) else { return };
    let pointer_size = lints.module.types.pointer_size;
    let is_pointer = matches!(lints.module.types.get(lints.ty(operand)), Type::Pointer { .. });
    if !is_pointer || scalar == Scalar::Bool || scalar.size() >= pointer_size {
        return;
    }
    let message = format!(
        "a pointer has {} bits and is cut to the {} of `{}`",
        pointer_size * 8,
        scalar.bits(),
        scalar.name()
    );
    lints.report(
        Diagnostic::new(&W0843, lints.span(expr), message)
            .at(format!("cut to {} bits", scalar.bits()))
            .help("cast it to `uintptr_t`"),
    );
}
