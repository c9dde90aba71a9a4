//! Variables in `local` memory that are read too early: before anything was written, or before
//! the others have had time to write.

use clc_base::dominators::NONE;
use clc_base::{Diagnostic, Span};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::context::Lints;
use super::divergence::{Analysis, Divergence, Functions, LOCAL};
use super::flow::Flow;
use super::uninitialized::Absence;
use crate::diagnostics::lints::{W0881, W0882};
use crate::flow::graph::{Block, Event, Variable};
use crate::flow::values::Definition;
use crate::hir::{BinaryOp, ExprId, ExprKind, GlobalId};
use crate::types::Type;

pub(super) fn check(
    lints: &mut Lints<'_>,
    flow: &Flow<'_>,
    functions: &Functions,
    divergence: Option<Divergence>,
) {
    if lints.is_on(&W0881) {
        unwritten(lints, flow);
    }
    if lints.is_on(&W0882) {
        let found = races(lints, flow, functions, divergence);
        found.into_iter().for_each(|diagnostic| lints.report(diagnostic));
    }
}

fn name_of<'a>(lints: &Lints<'a>, global: GlobalId) -> &'a str {
    lints.sources.text(lints.module.globals[global].span).unwrap_or_default()
}

/// Reads that nothing was written before.
fn unwritten(lints: &mut Lints<'_>, flow: &Flow<'_>) {
    let values = flow.values;
    let absence = Absence::new(flow, |value| {
        let variable = values.variable_of[value as usize] as usize;
        matches!(flow.variables[variable], Variable::Shared(_))
    });
    let mut reported = FxHashSet::default();
    for &block in &flow.graph.order {
        for index in flow.graph.blocks[block as usize].events.clone() {
            let Event::Read { variable: Variable::Shared(global), target, .. } =
                flow.graph.events[index as usize]
            else {
                continue;
            };
            let value = values.read[index as usize];
            if value == NONE || !absence.surely[value as usize] || !reported.insert(global) {
                continue;
            }
            let name = name_of(lints, global);
            let declared = lints.module.globals[global].span;
            let message = format!("`{name}` is read before anything has written to it");
            lints.report(
                Diagnostic::new(&W0881, lints.span(target), message)
                    .at("has no value yet")
                    .label(declared, "`local` memory is never initialised")
                    .help("write to it first, then wait at a barrier"),
            );
        }
    }
}

/// One read or write.
struct Access {
    variable: GlobalId,
    target: ExprId,
    block: Block,
    is_write: bool,
}

/// Accesses at a time that may be pending; of further ones only these are looked at.
const PENDING: usize = 64;

/// Reads of what other work-items have written, without a barrier in between.
fn races(
    lints: &Lints<'_>,
    flow: &Flow<'_>,
    functions: &Functions,
    divergence: Option<Divergence>,
) -> Vec<Diagnostic> {
    let divergence = match divergence {
        Some(divergence) => divergence,
        None => super::divergence::analyse(lints, flow, functions),
    };
    let (analysis, cause) = divergence.analysis(lints, functions);
    let graph = flow.graph;
    // The accesses, in the order of events; those that come first can be pending.
    let mut accesses: Vec<Access> = Vec::new();
    let mut number = vec![NONE; graph.events.len()];
    for &block in &graph.order {
        for index in graph.blocks[block as usize].events.clone() {
            let (variable, target, is_write) = match graph.events[index as usize] {
                Event::Read { variable: Variable::Shared(global), target, .. } => {
                    (global, target, false)
                }
                Event::Write { variable: Variable::Shared(global), target, .. } => {
                    (global, target, true)
                }
                _ => continue,
            };
            let is_volatile = lints.module.exprs[target].ty.quals.is_volatile;
            if !is_volatile {
                number[index as usize] = accesses.len() as u32;
                accesses.push(Access { variable, target, block, is_write });
            }
        }
    }
    if !accesses.iter().any(|access| access.is_write) {
        return Vec::new();
    }
    let barriers: Vec<bool> = graph
        .events
        .iter()
        .map(|event| match *event {
            Event::Call(call) => functions.is_barrier_call(lints, call),
            _ => false,
        })
        .collect();
    let after = |block: Block, mut pending: u64| {
        for index in graph.blocks[block as usize].events.clone() {
            if barriers[index as usize] {
                pending = 0;
            }
            let access = number[index as usize];
            if access != NONE && (access as usize) < PENDING {
                pending |= 1 << access;
            }
        }
        pending
    };
    let mut out = vec![0u64; graph.blocks.len()];
    let before = |out: &[u64], block: Block| {
        graph.predecessors(block).iter().fold(0, |all, &source| all | out[source as usize])
    };
    for _ in 0..16 {
        let mut is_changed = false;
        for &block in &graph.order {
            let new = after(block, before(&out, block));
            is_changed |= new != out[block as usize];
            out[block as usize] = new;
        }
        if !is_changed {
            break;
        }
    }
    let pairs = Pairs { lints, flow, analysis, cause };
    let mut found = Vec::new();
    let mut reported: FxHashSet<GlobalId> = FxHashSet::default();
    for &block in &graph.order {
        let mut pending = before(&out, block);
        for index in graph.blocks[block as usize].events.clone() {
            if barriers[index as usize] {
                pending = 0;
            }
            let this = number[index as usize];
            if this == NONE {
                continue;
            }
            let access = &accesses[this as usize];
            let mut others = if reported.contains(&access.variable) { 0 } else { pending };
            while others != 0 {
                let earlier = &accesses[others.trailing_zeros() as usize];
                others &= others - 1;
                if earlier.variable == access.variable && pairs.conflict(earlier, access) {
                    reported.insert(access.variable);
                    found.push(pairs.diagnostic(earlier, access));
                    break;
                }
            }
            if (this as usize) < PENDING {
                pending |= 1 << this;
            }
        }
    }
    found
}

/// How two indices of different work-items lie to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Each work-item has its own, and it is the same in both.
    Same,
    /// They are certainly other work-items' at some time.
    Different,
    Unknown,
}

struct Pairs<'x, 'a> {
    lints: &'x Lints<'a>,
    flow: &'x Flow<'x>,
    analysis: Analysis<'x, 'a>,
    cause: Vec<Block>,
}

impl Pairs<'_, '_> {
    /// Whether two accesses of different work-items certainly overlap.
    fn conflict(&self, earlier: &Access, later: &Access) -> bool {
        let (write, other) = match (earlier.is_write, later.is_write) {
            (true, false) => (earlier, later),
            (false, true) => (later, earlier),
            _ => return false,
        };
        let (write_cause, other_cause) =
            (self.cause[write.block as usize], self.cause[other.block as usize]);
        let Some(indices) = self.indices(write.target) else { return false };
        let Some(others) = self.indices(other.target) else { return false };
        if indices.len() != others.len() {
            return false;
        }
        let spreads = indices.iter().any(|&index| self.analysis.dependence(index) & LOCAL != 0);
        if !spreads {
            // Some work-items write what all read.
            return earlier.is_write
                && write_cause != NONE
                && other_cause == NONE
                && indices.iter().zip(&others).all(|(&a, &b)| self.same(a, b, 12));
        }
        // What only some work-items do among themselves has an order of its own.
        if write_cause != NONE && other_cause != NONE {
            return false;
        }
        if !earlier.is_write && (write_cause != NONE || other_cause != NONE) {
            return false;
        }
        let mut is_different = false;
        for (&index, &other) in indices.iter().zip(&others) {
            match self.relation(index, other) {
                Relation::Same => {}
                Relation::Different => is_different = true,
                Relation::Unknown => return false,
            }
        }
        is_different
    }

    fn relation(&self, written: ExprId, other: ExprId) -> Relation {
        if self.same(written, other, 12) {
            return Relation::Same;
        }
        let depends = (self.analysis.dependence(written), self.analysis.dependence(other));
        match depends {
            // `tile[id]` and `tile[0]`, `tile[i]`.
            (LOCAL, 0) => return Relation::Different,
            (LOCAL, LOCAL) => {}
            _ => return Relation::Unknown,
        }
        // `tile[id]` and `tile[id + 1]`.
        let other = self.resolve(other);
        if let ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor, left, right } =
            *self.lints.kind(other)
        {
            let steps = |id: ExprId, step: ExprId| {
                self.same(written, id, 12)
                    && self.lints.integer(self.resolve(step)).is_some_and(|step| step != 0)
            };
            if steps(left, right) || steps(right, left) {
                return Relation::Different;
            }
        }
        Relation::Unknown
    }

    /// The indices of an lvalue in an array, outermost last; `None` if it is reached otherwise.
    fn indices(&self, lvalue: ExprId) -> Option<SmallVec<[ExprId; 4]>> {
        let mut indices = SmallVec::new();
        let mut at = lvalue;
        loop {
            match *self.lints.kind(at) {
                ExprKind::Global(_) => return Some(indices),
                ExprKind::Deref(pointer) => at = pointer,
                ExprKind::Decay(array) => at = array,
                ExprKind::PtrAdd { pointer, index, negate: false } => {
                    indices.push(index);
                    at = pointer;
                }
                ExprKind::Member { base, .. } if indices.is_empty() => at = base,
                _ => return None,
            }
        }
    }

    /// The expression whose value a load of a variable sees, without conversions.
    fn resolve(&self, expr: ExprId) -> ExprId {
        let mut expr = expr;
        for _ in 0..16 {
            match *self.lints.kind(expr) {
                ExprKind::Convert { operand, .. } => {
                    let is_integer = |expr: ExprId| {
                        self.lints.scalar(expr).is_some_and(|scalar| scalar.is_integer())
                    };
                    if !is_integer(expr) || !is_integer(operand) {
                        return expr;
                    }
                    expr = operand;
                }
                ExprKind::Load(_) => {
                    let Some(value) = self.analysis.read(expr) else { return expr };
                    let Definition::Event { event, before: NONE } =
                        self.flow.values.definitions[value as usize]
                    else {
                        return expr;
                    };
                    let Event::Write { value: Some(written), .. } =
                        self.flow.graph.events[event as usize]
                    else {
                        return expr;
                    };
                    expr = written;
                }
                _ => return expr,
            }
        }
        expr
    }

    /// Whether two expressions have one value in a work-item.
    fn same(&self, left: ExprId, right: ExprId, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return true;
        }
        match (self.lints.kind(left), self.lints.kind(right)) {
            (ExprKind::Load(_), ExprKind::Load(_)) => {
                match (self.analysis.read(left), self.analysis.read(right)) {
                    (Some(left), Some(right)) => left == right,
                    (None, None) => self.lints.same(left, right),
                    _ => false,
                }
            }
            (ExprKind::Constant(_), ExprKind::Constant(_)) => {
                self.lints.integer(left) == self.lints.integer(right)
            }
            (
                ExprKind::Binary { op, left: a, right: x },
                ExprKind::Binary { op: other, left: b, right: y },
            ) => op == other && self.same(*a, *b, depth) && self.same(*x, *y, depth),
            (
                ExprKind::Intrinsic { intrinsic, arguments },
                ExprKind::Intrinsic { intrinsic: other, arguments: others },
            ) => {
                intrinsic == other
                    && intrinsic.effects().is_pure()
                    && arguments.len() == others.len()
                    && arguments.iter().zip(others).all(|(&a, &b)| self.same(a, b, depth))
            }
            _ => false,
        }
    }

    fn diagnostic(&self, earlier: &Access, later: &Access) -> Diagnostic {
        let lints = self.lints;
        let name = name_of(lints, later.variable);
        let what = match lints.module.types.get(lints.module.globals[later.variable].ty.ty) {
            Type::Array { .. } => format!("an element of `{name}`"),
            _ => format!("`{name}`"),
        };
        let (message, at, label) = if later.is_write {
            (
                format!("{what} is written that other work-items may still have to read"),
                "this writes",
                "they read it here",
            )
        } else {
            (
                format!("{what} is read that other work-items may not have written yet"),
                "this reads",
                "they write it here",
            )
        };
        let earlier: Span = lints.span(earlier.target);
        Diagnostic::new(&W0882, lints.span(later.target), message)
            .at(at)
            .label(earlier, label)
            .help("put `barrier(CLK_LOCAL_MEM_FENCE);` in between")
    }
}
