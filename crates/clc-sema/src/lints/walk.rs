//! One walk over each body: which names it reads, writes and takes the address of, and the lints of
//! single expressions and statements, each asked once about what it is for.

use clc_base::{AddressSpace, Arena, Code, Id};
use rustc_hash::FxHashSet;

use super::context::{Lints, number};
use super::walker::{Body, Context, LocalUse, Uses, Walker};
use super::{arrays, comparisons, conversions, shifts, statements, unsequenced, work_groups};
use crate::diagnostics::lints::*;
use crate::hir::{
    BlockOperands, ExprId, ExprKind, FuncId, LocalId, StatementExpression, StmtId, StmtKind,
};
use crate::types::Type;

/// Lints that are on by default; they are looked for at a glance first, see [`at_a_glance`].
const DEFAULT: [&Code; 10] =
    [&W0808, &W0833, &W0834, &W0835, &W0837, &W0838, &W0839, &W0842, &W0843, &W0844];

/// Walks every body where something is to be said.
pub(super) fn module(lints: &mut Lints<'_>) -> Uses {
    let module = lints.module;
    let mut bodies = Vec::new();
    let asked = lints.on & !DEFAULT.iter().fold(0, |all, code| all | 1u128 << number(code));
    let asks_only_default =
        asked & !OF_SYNTAX.iter().fold(0, |all, code| all | 1u128 << number(code)) == 0;
    let is_cheap = asks_only_default && !lints.has_errors;
    let suspects = is_cheap.then(|| at_a_glance(lints));
    for index in 0..module.functions.len() {
        let id = FuncId::from_index(index);
        let function = &module.functions[id];
        let Some(body) = function.body else { continue };
        if suspects.as_ref().is_some_and(|suspects| !suspects[index]) {
            continue;
        }
        let mut locals = Arena::new();
        for _ in 0..function.locals.len() {
            locals.push(LocalUse::default());
        }
        let body_facts = Body {
            function: id,
            locals,
            assignments: FxHashSet::default(),
            returns: Vec::new(),
            has_unset_local: false,
            has_shared: false,
            has_jump: false,
        };
        let mut walker =
            Walker { lints, module, id, body: body_facts, is_dead: false, is_accessed: false };
        walker.stmt(body);
        bodies.push(walker.body);
    }
    Uses { bodies }
}

/// Lints that need no walk over the typed tree.
const OF_SYNTAX: [&Code; 10] =
    [&W0811, &W0820, &W0821, &W0822, &W0823, &W0824, &W0825, &W0826, &W0828, &W0853];

/// The functions for which a lint that is on by default may have something to say: asks it about
/// each node by itself, without walking. In most programs there are none, and a walk over a large one
/// takes long.
fn at_a_glance(lints: &mut Lints<'_>) -> Vec<bool> {
    let module = lints.module;
    let count = module.functions.len();
    let mut suspects = vec![false; count];
    let before = lints.found.len();
    let mut walker = Walker {
        lints,
        module,
        id: FuncId(0),
        body: Body {
            function: FuncId(0),
            locals: Arena::new(),
            assignments: FxHashSet::default(),
            returns: Vec::new(),
            has_unset_local: false,
            has_shared: false,
            has_jump: false,
        },
        is_dead: false,
        is_accessed: false,
    };
    for statement in module.stmts.values() {
        let is_suspect = match &statement.kind {
            StmtKind::Expr(expr) => {
                statements::unused_value(&mut walker, *expr, statement.span);
                false
            }
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. } => {
                comparisons::condition(&mut walker, *condition);
                false
            }
            StmtKind::For { condition, step, .. } => {
                if let Some(condition) = condition {
                    comparisons::condition(&mut walker, *condition);
                }
                if let Some(step) = step {
                    statements::unused_value(&mut walker, *step, module.exprs[*step].span);
                }
                false
            }
            StmtKind::Switch { selector, cases, default, .. } => {
                statements::missing_enumerators(&mut walker, *selector, cases, *default);
                false
            }
            StmtKind::Return(Some(value)) => statements::is_local_address(walker.lints, *value),
            _ => false,
        };
        // Statements do not say whose they are.
        if is_suspect || walker.lints.found.len() > before {
            walker.lints.found.truncate(before);
            return vec![true; count];
        }
    }
    for (function, range) in walker.lints.owned {
        for index in range.clone() {
            let expr = ExprId(index);
            match &module.exprs[expr].kind {
                ExprKind::Compare { op, left, right } => {
                    comparisons::check(&mut walker, *op, *left, *right, expr);
                }
                ExprKind::Logical { op, left, right } => {
                    comparisons::logical(&mut walker, *op, *left, *right);
                    comparisons::condition(&mut walker, *left);
                    comparisons::condition(&mut walker, *right);
                }
                ExprKind::Conditional { condition, .. } => {
                    comparisons::condition(&mut walker, *condition);
                }
                ExprKind::PtrAdd { pointer, index, negate } => {
                    arrays::bounds(&mut walker, *pointer, *index, *negate, true);
                }
                ExprKind::PtrToInt(operand) => {
                    conversions::pointer_to_integer(&mut walker, expr, *operand);
                }
                ExprKind::Comma(parts) => {
                    for &part in &parts[..parts.len().saturating_sub(1)] {
                        statements::unused_value(&mut walker, part, module.exprs[expr].span);
                    }
                }
                _ => {}
            }
            if walker.lints.found.len() > before {
                walker.lints.found.truncate(before);
                suspects[function.index()] = true;
                break;
            }
        }
    }
    suspects
}

/// What happens to an lvalue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Write,
    ReadWrite,
    Expose,
}

impl<'a> Walker<'_, 'a> {
    fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.stmt_inner(stmt));
    }

    fn stmt_inner(&mut self, stmt: StmtId) {
        let module = self.module;
        let statement = &module.stmts[stmt];
        match &statement.kind {
            StmtKind::Null | StmtKind::FpContract(_) => {}
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => self.body.has_jump = true,
            StmtKind::Expr(expr) => {
                statements::unused_value(self, *expr, statement.span);
                self.full_expression(*expr, Context::Discarded);
            }
            StmtKind::Declare { local, initializer } => {
                let ty = module.functions[self.id].locals[*local].ty.ty;
                self.body.has_unset_local |= initializer.is_none()
                    && !matches!(module.types.get(ty), Type::Array { .. } | Type::Record(_));
                if let Some(initializer) = initializer
                    && !self.is_self_initialization(*local, *initializer)
                {
                    self.full_expression(*initializer, Context::Value);
                }
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|&stmt| self.stmt(stmt)),
            StmtKind::If { condition, then, otherwise } => {
                self.full_expression(*condition, Context::Condition);
                let (no_then, no_otherwise) = self.dead_sides(*condition);
                self.within(no_then, |walker| walker.stmt(*then));
                if let Some(otherwise) = otherwise {
                    self.within(no_otherwise, |walker| walker.stmt(*otherwise));
                }
            }
            StmtKind::While { condition, body, .. } => {
                self.full_expression(*condition, Context::Condition);
                let (dead, _) = self.dead_sides(*condition);
                self.within(dead, |walker| walker.stmt(*body));
            }
            StmtKind::DoWhile { body, condition, .. } => {
                self.stmt(*body);
                self.full_expression(*condition, Context::Condition);
            }
            StmtKind::For { initial, condition, step, body, .. } => {
                if let Some(initial) = initial {
                    self.stmt(*initial);
                }
                let mut dead = false;
                if let Some(condition) = condition {
                    self.full_expression(*condition, Context::Condition);
                    dead = self.dead_sides(*condition).0;
                }
                if let Some(step) = step {
                    statements::unused_value(self, *step, module.exprs[*step].span);
                    self.full_expression(*step, Context::Discarded);
                }
                self.within(dead, |walker| walker.stmt(*body));
            }
            StmtKind::Switch { selector, body, cases, default } => {
                statements::missing_enumerators(self, *selector, cases, *default);
                self.full_expression(*selector, Context::Value);
                self.stmt(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Label { body, .. } => self.stmt(*body),
            StmtKind::Return(value) => {
                self.body.has_jump = true;
                self.body.returns.extend(value);
                if let Some(value) = value {
                    statements::returned_address(self, *value);
                    self.full_expression(*value, Context::Value);
                }
            }
        }
    }

    /// `int x = x;`, which says that `x` has no value on purpose.
    fn is_self_initialization(&self, local: LocalId, initializer: ExprId) -> bool {
        let ExprKind::Load(lvalue) = self.module.exprs[initializer].kind else { return false };
        matches!(self.module.exprs[lvalue].kind, ExprKind::Local(other) if other == local)
    }

    fn within(&mut self, is_dead: bool, visit: impl FnOnce(&mut Self)) {
        let before = self.is_dead;
        self.is_dead |= is_dead;
        visit(self);
        self.is_dead = before;
    }

    /// Which side of a condition is never taken: true, false.
    fn dead_sides(&self, condition: ExprId) -> (bool, bool) {
        match self.lints.constant_condition(condition) {
            Some(outcome) => (!outcome, outcome),
            None => (false, false),
        }
    }

    /// An expression that is not part of another one (C99 6.8 paragraph 4).
    fn full_expression(&mut self, expr: ExprId, context: Context) {
        unsequenced::check(self.lints, self.id, expr);
        self.expr(expr, context);
    }

    fn condition(&mut self, expr: ExprId) {
        self.expr(expr, Context::Condition);
    }

    fn value(&mut self, expr: ExprId) {
        self.expr(expr, Context::Value);
    }

    fn expr(&mut self, expr: ExprId, context: Context) {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expr_inner(expr, context));
    }

    fn expr_inner(&mut self, expr: ExprId, context: Context) {
        let module = self.module;
        if context == Context::Condition {
            comparisons::condition(self, expr);
        }
        match &module.exprs[expr].kind {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral { .. } => self.lvalue(expr, Access::Read),
            ExprKind::Member { base, .. } => self.base(*base, Access::Read),
            ExprKind::Swizzle { base, .. } => self.base(*base, Access::Read),
            ExprKind::VectorElement { base, index } => {
                self.base(*base, Access::Read);
                self.value(*index);
            }
            ExprKind::Constant(_)
            | ExprKind::ConstantValue(_)
            | ExprKind::Null
            | ExprKind::Error => {}
            ExprKind::Load(lvalue) => self.lvalue(*lvalue, Access::Read),
            ExprKind::AddressOf(lvalue) | ExprKind::Decay(lvalue) => {
                self.lvalue(*lvalue, Access::Expose);
            }
            ExprKind::Unary { operand, .. } => self.value(*operand),
            ExprKind::Binary { op, left, right } => {
                shifts::check(self, *op, *left, *right);
                work_groups::product(self, *op, *left, *right, expr);
                self.value(*left);
                self.value(*right);
            }
            ExprKind::Compare { op, left, right } => {
                comparisons::check(self, *op, *left, *right, expr);
                self.value(*left);
                self.value(*right);
            }
            ExprKind::Logical { op, left, right } => {
                comparisons::logical(self, *op, *left, *right);
                self.condition(*left);
                let dead = match (op, self.lints.constant_condition(*left)) {
                    (crate::hir::LogicalOp::And, Some(outcome)) => !outcome,
                    (crate::hir::LogicalOp::Or, Some(outcome)) => outcome,
                    (_, None) => false,
                };
                self.within(dead, |walker| walker.condition(*right));
            }
            ExprKind::PtrAdd { pointer, index, negate } => {
                arrays::bounds(self, *pointer, *index, *negate, self.is_accessed);
                self.is_accessed = false;
                self.value(*pointer);
                self.value(*index);
            }
            ExprKind::PtrDiff { left, right } => {
                self.value(*left);
                self.value(*right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.condition(*condition);
                let (no_then, no_otherwise) = self.dead_sides(*condition);
                let inner = if context == Context::Condition { Context::Value } else { context };
                self.within(no_then, |walker| walker.expr(*then, inner));
                self.within(no_otherwise, |walker| walker.expr(*otherwise, inner));
            }
            ExprKind::VectorSelect { condition, then, otherwise } => {
                self.value(*condition);
                self.value(*then);
                self.value(*otherwise);
            }
            ExprKind::Assign { lvalue, value } => {
                statements::self_assignment(self, *lvalue, *value, expr);
                self.assignment(expr, context);
                self.value(*value);
                self.lvalue(*lvalue, Access::Write);
            }
            ExprKind::CompoundAssign { op, lvalue, value, .. } => {
                shifts::check(self, *op, *lvalue, *value);
                conversions::compound(self, expr);
                self.assignment(expr, context);
                self.value(*value);
                self.update(*lvalue, context);
            }
            ExprKind::PtrAssign { lvalue, index, .. } => {
                self.value(*index);
                self.update(*lvalue, context);
            }
            ExprKind::IncDec { lvalue, .. } => self.update(*lvalue, context),
            ExprKind::Convert { operand, .. } => {
                conversions::check(self, expr, *operand);
                self.value(*operand);
            }
            ExprKind::PtrToInt(operand) => {
                conversions::pointer_to_integer(self, expr, *operand);
                self.value(*operand);
            }
            ExprKind::Splat(operand)
            | ExprKind::Reinterpret(operand)
            | ExprKind::SpaceCast(operand)
            | ExprKind::SpaceQuery(operand)
            | ExprKind::IntToPtr(operand)
            | ExprKind::ToVoid(operand) => self.value(*operand),
            ExprKind::Block { function } => {
                let block = module.functions[*function].block.as_ref();
                for capture in block.iter().flat_map(|block| &block.captures) {
                    self.value(capture.value);
                }
            }
            ExprKind::BlockCall { function: _, operands } => {
                let BlockOperands { block, arguments } = &**operands;
                self.value(*block);
                arguments.iter().for_each(|&argument| self.value(argument));
            }
            ExprKind::EnqueuedBlock { function: _, block } => self.value(*block),
            ExprKind::Call { arguments, .. }
            | ExprKind::Intrinsic { arguments, .. }
            | ExprKind::VectorBuild(arguments) => {
                arguments.iter().for_each(|&argument| self.value(argument));
            }
            ExprKind::Aggregate(parts) => parts.iter().for_each(|&(_, part)| self.value(part)),
            ExprKind::Comma(parts) => {
                let last = parts.len().saturating_sub(1);
                for (index, &part) in parts.iter().enumerate() {
                    if index < last {
                        statements::unused_value(self, part, module.exprs[expr].span);
                        self.expr(part, Context::Discarded);
                    } else {
                        self.expr(part, context);
                    }
                }
            }
            ExprKind::Statements(body) => {
                let StatementExpression { stmts, value } = &**body;
                stmts.iter().for_each(|&stmt| self.stmt(stmt));
                if let Some(value) = value {
                    self.expr(*value, context);
                }
            }
        }
    }

    fn assignment(&mut self, expr: ExprId, context: Context) {
        if context == Context::Discarded && self.lints.is_on(&W0809) {
            self.body.assignments.insert(expr);
        }
    }

    /// An lvalue that is read and written; if nothing takes the new value, only written.
    fn update(&mut self, lvalue: ExprId, context: Context) {
        let access = if context == Context::Discarded { Access::Write } else { Access::ReadWrite };
        self.lvalue(lvalue, access);
    }

    fn base(&mut self, base: ExprId, access: Access) {
        if self.module.is_lvalue(base) {
            self.lvalue(base, access);
        } else {
            self.value(base);
        }
    }

    fn lvalue(&mut self, lvalue: ExprId, access: Access) {
        let module = self.module;
        match &module.exprs[lvalue].kind {
            ExprKind::Local(local) => self.note(*local, access),
            ExprKind::Global(global) => {
                self.body.has_shared |= module.globals[*global].space == AddressSpace::Local;
            }
            ExprKind::Deref(pointer) => {
                self.is_accessed = access != Access::Expose
                    && matches!(module.exprs[*pointer].kind, ExprKind::PtrAdd { .. });
                self.value(*pointer);
            }
            ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.base(*base, access);
            }
            ExprKind::VectorElement { base, index } => {
                self.base(*base, access);
                self.value(*index);
            }
            ExprKind::CompoundLiteral { value, .. } => self.value(*value),
            _ => self.value(lvalue),
        }
    }

    fn note(&mut self, local: LocalId, access: Access) {
        let uses = &mut self.body.locals[local];
        match access {
            Access::Read => uses.is_read = true,
            Access::Write => uses.is_written = true,
            Access::ReadWrite => {
                uses.is_read = true;
                uses.is_written = true;
            }
            Access::Expose => uses.is_exposed = true,
        }
    }
}

impl Lints<'_> {
    /// Whether a condition is constant.
    pub(super) fn constant_condition(&self, condition: ExprId) -> Option<bool> {
        match *self.kind(condition) {
            ExprKind::Constant(bits) => {
                let scalar = self.scalar(condition)?;
                Some(crate::folding::is_true(scalar, bits))
            }
            _ => None,
        }
    }
}
