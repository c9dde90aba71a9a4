//! Variables that an expression changes and uses once more, without an order between the two
//! (C99 6.5 paragraph 2).
//!
//! Each full expression is walked by itself. The accesses of an operand are joined with those of its
//! neighbours: operands without an order between them must not share a variable that one of them
//! changes. An assignment comes after the value computations of its operands, so only side effects
//! that may still be pending conflict with it.

use clc_base::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Lints;
use crate::diagnostics::lints::*;
use crate::hir::{ExprId, ExprKind, FuncId, GlobalId, LocalId, LogicalOp};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Object {
    Local(LocalId),
    Global(GlobalId),
}

/// All components of a vector, or a whole variable of another type.
const WHOLE: u16 = u16::MAX;

/// The value computations and side effects of an operand that access one variable.
#[derive(Clone, Copy, Debug)]
struct Access {
    /// Components that are read, and where.
    read: u16,
    read_at: Span,
    /// Components that are changed, and where.
    changed: u16,
    changed_at: Span,
    /// Those whose change may be incomplete when the operand's value is known.
    pending: u16,
}

impl Default for Access {
    fn default() -> Access {
        let (read_at, changed_at) = (Span::NONE, Span::NONE);
        Access { read: 0, read_at, changed: 0, changed_at, pending: 0 }
    }
}

/// What an operand does with each variable that it accesses.
type Accesses = FxHashMap<Object, Access>;

/// Looks at a full expression of a function.
pub(super) fn check(lints: &mut Lints<'_>, function: FuncId, expr: ExprId) {
    if !lints.is_on(&W0845) {
        return;
    }
    let mut changes = Changes { objects: FxHashSet::default(), count: 0 };
    // Most full expressions have one side effect, which comes last.
    let is_change = matches!(
        lints.kind(expr),
        ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PtrAssign { .. }
            | ExprKind::IncDec { .. }
    );
    changes.collect(lints, expr);
    if changes.count <= usize::from(is_change) {
        return;
    }
    let mut walk = Walk { lints, function, objects: changes.objects, reported: Vec::new() };
    walk.expr(expr);
}

/// The variables that an expression changes.
struct Changes {
    objects: FxHashSet<Object>,
    /// Changes of anything, whether a variable or not.
    count: usize,
}

impl Changes {
    fn collect(&mut self, lints: &Lints<'_>, expr: ExprId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            if let ExprKind::Assign { lvalue, .. }
            | ExprKind::CompoundAssign { lvalue, .. }
            | ExprKind::PtrAssign { lvalue, .. }
            | ExprKind::IncDec { lvalue, .. } = lints.kind(expr)
            {
                self.count += 1;
                self.objects.extend(variable(lints, *lvalue).map(|(object, _)| object));
            }
            let mut parts = Vec::new();
            operands(lints.kind(expr), &mut parts);
            parts.into_iter().for_each(|part| self.collect(lints, part));
        });
    }
}

/// The variable that an lvalue denotes, or whose components it denotes.
fn variable(lints: &Lints<'_>, lvalue: ExprId) -> Option<(Object, u16)> {
    match lints.kind(lvalue) {
        ExprKind::Local(local) => Some((Object::Local(*local), WHOLE)),
        ExprKind::Global(global) => Some((Object::Global(*global), WHOLE)),
        ExprKind::Swizzle { base, swizzle } => {
            let (object, all) = variable(lints, *base)?;
            if all != WHOLE {
                return None;
            }
            let components = swizzle.as_slice().iter();
            let mask = components.filter(|&&n| n < 16).fold(0, |mask, &n| mask | 1u16 << n);
            Some((object, mask))
        }
        // Members and elements are objects of their own.
        _ => None,
    }
}

/// The operands that are evaluated with an expression, in the order of the source.
fn operands(kind: &ExprKind, out: &mut Vec<ExprId>) {
    match kind {
        ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Constant(_)
        | ExprKind::ConstantValue(_)
        | ExprKind::Null
        | ExprKind::Block { .. }
        // Its statements are full expressions of their own.
        | ExprKind::Statements(_)
        | ExprKind::Error => {}
        ExprKind::Deref(operand)
        | ExprKind::Member { base: operand, .. }
        | ExprKind::Swizzle { base: operand, .. }
        | ExprKind::CompoundLiteral { value: operand, .. }
        | ExprKind::Load(operand)
        | ExprKind::AddressOf(operand)
        | ExprKind::Decay(operand)
        | ExprKind::Unary { operand, .. }
        | ExprKind::IncDec { lvalue: operand, .. }
        | ExprKind::Convert { operand, .. }
        | ExprKind::Splat(operand)
        | ExprKind::Reinterpret(operand)
        | ExprKind::SpaceCast(operand)
        | ExprKind::SpaceQuery(operand)
        | ExprKind::IntToPtr(operand)
        | ExprKind::PtrToInt(operand)
        | ExprKind::ToVoid(operand)
        | ExprKind::EnqueuedBlock { block: operand, .. } => out.push(*operand),
        ExprKind::VectorElement { base: left, index: right }
        | ExprKind::Binary { left, right, .. }
        | ExprKind::Compare { left, right, .. }
        | ExprKind::Logical { left, right, .. }
        | ExprKind::PtrAdd { pointer: left, index: right, .. }
        | ExprKind::PtrDiff { left, right }
        | ExprKind::Assign { lvalue: left, value: right }
        | ExprKind::CompoundAssign { lvalue: left, value: right, .. }
        | ExprKind::PtrAssign { lvalue: left, index: right, .. } => out.extend([*left, *right]),
        ExprKind::Conditional { condition, then, otherwise }
        | ExprKind::VectorSelect { condition, then, otherwise } => {
            out.extend([*condition, *then, *otherwise]);
        }
        ExprKind::BlockCall { function: _, operands } => {
            out.push(operands.block);
            out.extend(&operands.arguments);
        }
        ExprKind::Call { arguments: parts, .. }
        | ExprKind::Intrinsic { arguments: parts, .. }
        | ExprKind::VectorBuild(parts)
        | ExprKind::Comma(parts) => out.extend(parts),
        ExprKind::Aggregate(parts) => out.extend(parts.iter().map(|&(_, part)| part)),
    }
}

struct Walk<'l, 'a> {
    lints: &'l mut Lints<'a>,
    function: FuncId,
    /// Only these can conflict.
    objects: FxHashSet<Object>,
    reported: Vec<Object>,
}

impl Walk<'_, '_> {
    fn expr(&mut self, expr: ExprId) -> Accesses {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr))
    }

    fn expr_inner(&mut self, expr: ExprId) -> Accesses {
        let module = self.lints.module;
        let kind = &module.exprs[expr].kind;
        match kind {
            ExprKind::Load(lvalue) => {
                let mut accesses = self.lvalue(*lvalue);
                if let Some((object, mask)) = self.variable(*lvalue) {
                    let access = accesses.entry(object).or_default();
                    access.read |= mask;
                    access.read_at = module.exprs[*lvalue].span;
                }
                accesses
            }
            ExprKind::Assign { lvalue, value } => {
                let before = self.expr(*value);
                let of_lvalue = self.lvalue(*lvalue);
                let accesses = self.join(before, of_lvalue);
                self.change(accesses, *lvalue)
            }
            ExprKind::CompoundAssign { lvalue, value, .. }
            | ExprKind::PtrAssign { lvalue, index: value, .. } => {
                let before = self.expr(*value);
                let old = self.old_value(*lvalue);
                let accesses = self.join(before, old);
                self.change(accesses, *lvalue)
            }
            ExprKind::IncDec { lvalue, .. } => {
                let old = self.old_value(*lvalue);
                self.change(old, *lvalue)
            }
            // A sequence point stands behind the first operand (C99 6.5.13 to 6.5.15).
            ExprKind::Logical { op, left, right } if self.is_scalar(*left) => {
                let outcome = self.lints.constant_condition(*left);
                let left = self.expr(*left);
                let is_dead = match op {
                    LogicalOp::And => outcome == Some(false),
                    LogicalOp::Or => outcome == Some(true),
                };
                if is_dead {
                    return left;
                }
                let right = self.expr(*right);
                self.follow(left, right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let outcome = self.lints.constant_condition(*condition);
                let condition = self.expr(*condition);
                // One of them is evaluated.
                let sides = match outcome {
                    Some(true) => self.expr(*then),
                    Some(false) => self.expr(*otherwise),
                    None => {
                        let (then, otherwise) = (self.expr(*then), self.expr(*otherwise));
                        unite(then, otherwise)
                    }
                };
                self.follow(condition, sides)
            }
            ExprKind::Comma(parts) => {
                let mut accesses = Accesses::default();
                for &part in parts {
                    let part = self.expr(part);
                    accesses = self.follow(accesses, part);
                }
                accesses
            }
            // The arguments are complete when the function begins (C99 6.5.2.2 paragraph 10).
            ExprKind::Call { .. } | ExprKind::Intrinsic { .. } | ExprKind::BlockCall { .. } => {
                complete(self.unordered(kind))
            }
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::Swizzle { .. }
            | ExprKind::VectorElement { .. }
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Constant(_)
            | ExprKind::ConstantValue(_)
            | ExprKind::Null
            | ExprKind::AddressOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Compare { .. }
            | ExprKind::Logical { .. }
            | ExprKind::PtrAdd { .. }
            | ExprKind::PtrDiff { .. }
            | ExprKind::VectorSelect { .. }
            | ExprKind::Convert { .. }
            | ExprKind::Splat(_)
            | ExprKind::Reinterpret(_)
            | ExprKind::SpaceCast(_)
            | ExprKind::SpaceQuery(_)
            | ExprKind::IntToPtr(_)
            | ExprKind::PtrToInt(_)
            | ExprKind::ToVoid(_)
            | ExprKind::Block { .. }
            | ExprKind::EnqueuedBlock { .. }
            | ExprKind::VectorBuild(_)
            | ExprKind::Aggregate(_)
            | ExprKind::Statements(_)
            | ExprKind::Error => self.unordered(kind),
        }
    }

    fn is_scalar(&self, expr: ExprId) -> bool {
        !matches!(self.lints.module.types.get(self.lints.ty(expr)), crate::types::Type::Vector(..))
    }

    /// What is evaluated to know which object an lvalue denotes.
    fn lvalue(&mut self, lvalue: ExprId) -> Accesses {
        let module = self.lints.module;
        self.unordered(&module.exprs[lvalue].kind)
    }

    /// The same and reading the object.
    fn old_value(&mut self, lvalue: ExprId) -> Accesses {
        let mut accesses = self.lvalue(lvalue);
        if let Some((object, mask)) = self.variable(lvalue) {
            let access = accesses.entry(object).or_default();
            access.read |= mask;
            access.read_at = self.lints.span(lvalue);
        }
        accesses
    }

    fn variable(&self, lvalue: ExprId) -> Option<(Object, u16)> {
        variable(self.lints, lvalue).filter(|(object, _)| self.objects.contains(object))
    }

    /// Operands without an order between them.
    fn unordered(&mut self, kind: &ExprKind) -> Accesses {
        let mut parts = Vec::new();
        operands(kind, &mut parts);
        let mut accesses = Accesses::default();
        for part in parts {
            let part = self.expr(part);
            accesses = self.join(accesses, part);
        }
        accesses
    }

    /// Two operands without an order between them.
    fn join(&mut self, a: Accesses, b: Accesses) -> Accesses {
        let (small, large) = if a.len() < b.len() { (&a, &b) } else { (&b, &a) };
        for (&object, one) in small {
            let Some(other) = large.get(&object) else { continue };
            if one.changed & other.changed != 0 {
                self.report(object, one.changed_at, other.changed_at, true);
            } else if one.changed & other.read != 0 {
                self.report(object, one.changed_at, other.read_at, false);
            } else if one.read & other.changed != 0 {
                self.report(object, other.changed_at, one.read_at, false);
            }
        }
        unite(a, b)
    }

    /// `b` is evaluated when `a` is complete.
    fn follow(&self, a: Accesses, b: Accesses) -> Accesses {
        unite(complete(a), b)
    }

    /// Adds the side effect of an assignment to the accesses of its operands.
    fn change(&mut self, mut accesses: Accesses, lvalue: ExprId) -> Accesses {
        let Some((object, mask)) = self.variable(lvalue) else { return accesses };
        let at = self.lints.span(lvalue);
        let access = accesses.entry(object).or_default();
        let earlier = (access.pending & mask != 0).then_some(access.changed_at);
        access.changed |= mask;
        access.changed_at = at;
        access.pending |= mask;
        if let Some(earlier) = earlier {
            self.report(object, at, earlier, true);
        }
        accesses
    }

    fn report(&mut self, object: Object, at: Span, other: Span, is_change: bool) {
        if self.reported.contains(&object) {
            return;
        }
        self.reported.push(object);
        let name = match object {
            Object::Local(local) => self.lints.local_name(self.function, local),
            Object::Global(global) => {
                let name = &self.lints.module.globals[global].name;
                name.rsplit('.').next().unwrap_or(name)
            }
        };
        let (first, second) = if at.lo <= other.lo { (at, other) } else { (other, at) };
        let diagnostic = if is_change {
            let message = format!("`{name}` is changed twice here, and nothing orders the two");
            Diagnostic::new(&W0845, first, message)
                .at("one change")
                .label(second, "the other change")
        } else {
            let message = format!("`{name}` is changed and read here, and nothing orders the two");
            Diagnostic::new(&W0845, at, message).at("the change").label(other, "the other use")
        };
        self.lints.report(diagnostic.help("make statements of their own of the changes"));
    }
}

/// What either does.
fn unite(a: Accesses, b: Accesses) -> Accesses {
    let (small, mut large) = if a.len() < b.len() { (a, b) } else { (b, a) };
    for (object, one) in small {
        let other = large.entry(object).or_default();
        if other.read == 0 {
            other.read_at = one.read_at;
        }
        if other.changed == 0 {
            other.changed_at = one.changed_at;
        }
        other.read |= one.read;
        other.changed |= one.changed;
        other.pending |= one.pending;
    }
    large
}

/// After a sequence point all side effects are complete.
fn complete(mut accesses: Accesses) -> Accesses {
    accesses.values_mut().for_each(|access| access.pending = 0);
    accesses
}
