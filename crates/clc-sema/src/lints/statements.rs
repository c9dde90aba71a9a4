//! Statements that do nothing, or not what they seem to do.

use clc_base::diagnostic::counted;
use clc_base::{Diagnostic, Span};

use super::context::Lints;
use super::walker::Walker;
use crate::diagnostics::lints::*;
use crate::flow::graph;
use crate::hir::{Case, CaseId, ExprId, ExprKind};

/// An expression whose value nothing takes; `whole` is the statement that it is.
pub(super) fn unused_value(walker: &mut Walker<'_, '_>, expr: ExprId, whole: Span) {
    let lints = &mut *walker.lints;
    if !lints.is_on(&W0808) {
        return;
    }
    let mut expr = expr;
    let what = loop {
        match lints.kind(expr) {
            ExprKind::Compare { .. } => break "the result of this comparison is not used",
            ExprKind::Load(lvalue) if lints.module.exprs[*lvalue].ty.quals.is_volatile => return,
            ExprKind::Load(_)
            | ExprKind::Constant(_)
            | ExprKind::ConstantValue(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Block { .. }
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::Swizzle { .. }
            | ExprKind::VectorElement { .. } => break "this value is not used",
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff { .. }
            | ExprKind::VectorBuild(_)
            | ExprKind::VectorSelect { .. } => break "the result of this operation is not used",
            ExprKind::Convert { operand, .. }
            | ExprKind::Splat(operand)
            | ExprKind::Reinterpret(operand)
            | ExprKind::SpaceCast(operand)
            | ExprKind::IntToPtr(operand)
            | ExprKind::PtrToInt(operand) => expr = *operand,
            ExprKind::Intrinsic { intrinsic, .. } if intrinsic.effects().is_pure() => {
                break "the result of this call is not used, and it does nothing else";
            }
            // The sides may do something; what they do is looked at by itself.
            ExprKind::Logical { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Comma(_)
            | ExprKind::Statements(_)
            | ExprKind::Call { .. }
            | ExprKind::BlockCall { .. }
            | ExprKind::EnqueuedBlock { .. }
            | ExprKind::Intrinsic { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PtrAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::ToVoid(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::SpaceQuery(_)
            | ExprKind::Null
            | ExprKind::Error => return,
        }
    };
    let span = lints.span(expr);
    // Macros may be expressions for some callers and statements for others.
    if lints.in_macro(span) || lints.in_macro(whole) {
        return;
    }
    let mut diagnostic = Diagnostic::new(&W0808, span, what).at("it is computed and dropped");
    if let ExprKind::Compare { op: crate::hir::CompareOp::Equal, .. } = lints.kind(expr) {
        diagnostic = diagnostic.help("`=` assigns");
    }
    lints.report(diagnostic);
}

/// `x = x`
pub(super) fn self_assignment(
    walker: &mut Walker<'_, '_>,
    lvalue: ExprId,
    value: ExprId,
    expr: ExprId,
) {
    let lints = &mut *walker.lints;
    if !lints.is_on(&W0840) {
        return;
    }
    let ExprKind::Load(source) = *lints.kind(value) else { return };
    if !lints.same(lvalue, source)
        || lints.module.exprs[lvalue].ty.quals.is_volatile
        || !lints.is_written(lvalue, source, &['='])
    {
        return;
    }
    lints.report(
        Diagnostic::new(&W0840, lints.span(expr), "this assigns a variable to itself")
            .at("stores what is there already")
            .label(lints.span(source), "the same"),
    );
}

/// A `switch` over an enumeration that leaves some of it out.
pub(super) fn missing_enumerators(
    walker: &mut Walker<'_, '_>,
    selector: ExprId,
    cases: &[Case],
    default: Option<CaseId>,
) {
    let lints = &mut *walker.lints;
    if default.is_some() || !lints.is_on(&W0842) {
        return;
    }
    let operand = lints.below_implicit(selector);
    let Some(missing) = graph::missing_enumerators(lints.module, selector, cases) else { return };
    let missing: Vec<&str> = missing.iter().map(|name| lints.interner.resolve(*name)).collect();
    let message = match missing[..] {
        [] => return,
        [one] => format!("this `switch` has no case for `{one}`"),
        [one, other] => format!("this `switch` has no cases for `{one}` and `{other}`"),
        [one, other, ..] => format!(
            "this `switch` has no cases for {} enumerators: `{one}`, `{other}`, …",
            missing.len()
        ),
    };
    lints.report(
        Diagnostic::new(&W0842, lints.span(operand), message)
            .at(format!("{} without a `case`", counted(missing.len(), "enumerator")))
            .help("add them, or a `default` if nothing is to be done"),
    );
}

/// `return &x;`
pub(super) fn returned_address(walker: &mut Walker<'_, '_>, value: ExprId) {
    let function = walker.id;
    let lints = &mut *walker.lints;
    let Some(local) = address_of_local(lints, value) else { return };
    let name = lints.local_name(function, local);
    let what = if name.is_empty() { "a temporary".to_owned() } else { format!("`{name}`") };
    let declared = lints.module.functions[function].locals[local].span;
    let message = format!("the address of {what} is returned, which ends with the function");
    lints.report(
        Diagnostic::new(&W0844, lints.span(value), message)
            .at("points into memory that is gone then")
            .label(declared, "declared here"),
    );
}

/// Whether a value is certainly the address of a variable of its function.
pub(super) fn is_local_address(lints: &Lints<'_>, value: ExprId) -> bool {
    address_of_local(lints, value).is_some()
}

fn address_of_local(lints: &Lints<'_>, value: ExprId) -> Option<crate::hir::LocalId> {
    let mut expr = value;
    loop {
        match *lints.kind(expr) {
            ExprKind::AddressOf(lvalue) | ExprKind::Decay(lvalue) => {
                let mut lvalue = lvalue;
                loop {
                    match *lints.kind(lvalue) {
                        ExprKind::Local(local) => return Some(local),
                        ExprKind::CompoundLiteral { local, .. } => return Some(local),
                        ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => {
                            lvalue = base;
                        }
                        // An element of an array: the array as a pointer, stepped.
                        ExprKind::Deref(pointer) => {
                            expr = pointer;
                            break;
                        }
                        _ => return None,
                    }
                }
            }
            ExprKind::PtrAdd { pointer, .. }
            | ExprKind::SpaceCast(pointer)
            | ExprKind::Reinterpret(pointer) => expr = pointer,
            _ => return None,
        }
    }
}
