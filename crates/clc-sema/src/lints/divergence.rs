//! What may differ between the work-items of a work-group, and barriers that only some of them
//! reach.
//!
//! Ids of work-items differ, and so do values computed from them, values loaded from addresses that
//! depend on them, and results of atomics. Parameters are taken to be the same for all: what a caller
//! passes is not followed. Control flow that depends on such a value is divergent until its paths
//! join again; the phis of the join differ, too.

use clc_base::dominators::NONE;
use clc_base::{Diagnostic, Id};
use clc_builtins::intrinsic::GroupOperation;
use clc_builtins::{Intrinsic, SyncCall};
use rustc_hash::FxHashMap;

use super::context::Lints;
use super::flow::Flow;
use crate::diagnostics::lints::{W0880, W0882};
use crate::flow::graph::{Block, Event, Terminator, Variable};
use crate::flow::values::{Definition, Value};
use crate::hir::{BinaryOp, ExprId, ExprKind, FuncId};

/// How a value depends on the work-item: a set.
pub(super) type Dependence = u8;
/// On its local id.
pub(super) const LOCAL: Dependence = 1;
/// On its global id, parts of which may be the same for a whole work-group.
const GLOBAL: Dependence = 2;

/// What is known of each function.
pub(super) struct Functions {
    /// Calls something that a whole work-group must call together.
    collective: Vec<bool>,
    /// Calls a barrier, so that what was written before is there afterwards.
    barrier: Vec<bool>,
    /// What its result depends on, besides its arguments.
    result: Vec<Dependence>,
    /// Dimensions along which it tells the work-items of a work-group apart: bits.
    dimensions: Vec<u8>,
}

impl Functions {
    pub fn new(lints: &Lints<'_>, returns: &[(FuncId, ExprId)]) -> Functions {
        let module = lints.module;
        let count = module.functions.len();
        let mut functions = Functions {
            collective: vec![false; count],
            barrier: vec![false; count],
            result: vec![0; count],
            dimensions: vec![0; count],
        };
        if !lints.any_on(&[&W0880, &W0882]) {
            return functions;
        }
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (function, range) in lints.owned {
            let index = function.index();
            for expr in range.clone() {
                match &module.exprs[ExprId(expr)].kind {
                    ExprKind::Intrinsic {
                        intrinsic: Intrinsic::GetLocalId | Intrinsic::GetLocalSize,
                        arguments,
                    } => {
                        let dim = arguments.first().and_then(|&argument| lints.integer(argument));
                        functions.dimensions[index] |= match dim {
                            Some(dim @ 0..=2) => 1 << dim,
                            Some(_) => 0,
                            None => 7,
                        };
                    }
                    ExprKind::Intrinsic { intrinsic, .. } => {
                        functions.barrier[index] |= is_barrier(*intrinsic);
                        functions.collective[index] |= is_collective(*intrinsic);
                    }
                    ExprKind::Call { callee, .. }
                    | ExprKind::BlockCall { function: callee, .. } => {
                        callers[callee.index()].push(index as u32)
                    }
                    _ => {}
                }
            }
        }
        spread_to_callers(&callers, &mut functions.barrier);
        spread_to_callers(&callers, &mut functions.collective);
        // Callees come before their callers: there is no recursion, and a function is declared
        // before it is called; what is defined later counts as uniform.
        for &(function, value) in returns {
            let analysis = Analysis {
                lints,
                functions: &functions,
                reads: FxHashMap::default(),
                depends: Vec::new(),
                required: None,
                dimensions: 0,
            };
            let depends = analysis.dependence(value);
            functions.result[function.index()] |= depends;
        }
        functions
    }

    pub fn is_collective(&self, function: FuncId) -> bool {
        self.collective[function.index()]
    }

    /// Whether a call waits for the other work-items.
    pub fn is_barrier_call(&self, lints: &Lints<'_>, call: ExprId) -> bool {
        match lints.kind(call) {
            ExprKind::Intrinsic { intrinsic, .. } => is_barrier(*intrinsic),
            ExprKind::Call { callee, .. } | ExprKind::BlockCall { function: callee, .. } => {
                self.barrier[callee.index()]
            }
            _ => false,
        }
    }
}

/// Whether all work-items of a work-group must call a builtin together.
fn is_collective(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::Sync(
            SyncCall::Barrier | SyncCall::SplitBarrierArrive | SyncCall::SplitBarrierWait
        ) | Intrinsic::AsyncWorkGroupCopy
            | Intrinsic::AsyncWorkGroupStridedCopy
            | Intrinsic::AsyncWorkGroupCopy2D
            | Intrinsic::AsyncWorkGroupCopy3D
            | Intrinsic::AsyncWorkGroupCopyFence
            | Intrinsic::WaitGroupEvents
            | Intrinsic::WorkGroupAll
            | Intrinsic::WorkGroupAny
            | Intrinsic::WorkGroupBroadcast
            | Intrinsic::WorkGroup(..)
    )
}

/// What holds of a function holds of those that call it.
fn spread_to_callers(callers: &[Vec<u32>], holds: &mut [bool]) {
    let mut pending: Vec<u32> = (0..holds.len() as u32).filter(|&f| holds[f as usize]).collect();
    while let Some(callee) = pending.pop() {
        for &caller in &callers[callee as usize] {
            if !std::mem::replace(&mut holds[caller as usize], true) {
                pending.push(caller);
            }
        }
    }
}

/// Whether work-items wait for each other in a builtin. Where a work-group is one sub-group, or runs
/// in step, less than a barrier does: who writes it knows.
fn is_barrier(intrinsic: Intrinsic) -> bool {
    match intrinsic {
        Intrinsic::AsyncWorkGroupCopy
        | Intrinsic::AsyncWorkGroupStridedCopy
        | Intrinsic::AsyncWorkGroupCopy2D
        | Intrinsic::AsyncWorkGroupCopy3D
        | Intrinsic::AsyncWorkGroupCopyFence => false,
        Intrinsic::Sync(
            SyncCall::SubGroupBarrier
            | SyncCall::MemFence
            | SyncCall::ReadMemFence
            | SyncCall::WriteMemFence
            | SyncCall::AtomicWorkItemFence,
        ) => true,
        _ => is_collective(intrinsic),
    }
}

/// What differs between work-items in one body.
pub(super) struct Analysis<'x, 'a> {
    lints: &'x Lints<'a>,
    functions: &'x Functions,
    /// The value that each load of a variable sees.
    reads: FxHashMap<ExprId, Value>,
    depends: Vec<Dependence>,
    required: Option<[u32; 3]>,
    dimensions: u8,
}

/// For each block the one whose choice keeps some work-items away; `NONE` where all come.
pub(super) struct Divergence {
    pub cause: Vec<Block>,
    pub depends: Vec<Dependence>,
    pub reads: FxHashMap<ExprId, Value>,
}

/// Passes over the body until nothing changes; what is nested deeper counts as uniform.
const PASSES: usize = 8;

/// Finds what diverges, and reports collective calls there.
pub(super) fn check(lints: &mut Lints<'_>, flow: &Flow<'_>, functions: &Functions) -> Divergence {
    let divergence = analyse(lints, flow, functions);
    if lints.is_on(&W0880) {
        report(lints, flow, functions, &divergence);
    }
    divergence
}

pub(super) fn analyse(lints: &Lints<'_>, flow: &Flow<'_>, functions: &Functions) -> Divergence {
    let graph = flow.graph;
    let kernel = lints.module.functions[flow.function].kernel.as_ref();
    let mut reads = FxHashMap::default();
    for (index, event) in graph.events.iter().enumerate() {
        if let Event::Read { variable: Variable::Local(_), expr, .. } = *event
            && flow.values.read[index] != NONE
        {
            reads.insert(expr, flow.values.read[index]);
        }
    }
    let mut analysis = Analysis {
        lints,
        functions,
        reads,
        depends: vec![0; flow.values.definitions.len()],
        required: kernel.and_then(|kernel| kernel.reqd_work_group_size),
        dimensions: functions.dimensions[flow.function.index()],
    };
    let mut cause = vec![NONE; graph.blocks.len()];
    // A work-group of one work-item never diverges.
    if analysis.required == Some([1, 1, 1]) {
        return Divergence { cause, depends: analysis.depends, reads: analysis.reads };
    }
    let post = graph.post_dominators();
    let mut is_spread = vec![false; graph.blocks.len()];
    let mut phis: Vec<Vec<Value>> = vec![Vec::new(); graph.blocks.len()];
    for (value, definition) in flow.values.definitions.iter().enumerate() {
        if let Definition::Phi { block, .. } = definition {
            phis[*block as usize].push(value as u32);
        }
    }
    for _ in 0..PASSES {
        let mut is_changed = false;
        for &block in &graph.order {
            for &value in &phis[block as usize] {
                let Definition::Phi { values, .. } = &flow.values.definitions[value as usize]
                else {
                    continue;
                };
                let mut depends = 0;
                for (arrival, &before) in values.iter().enumerate() {
                    if before == NONE {
                        continue;
                    }
                    depends |= analysis.depends[before as usize];
                    let source = graph.predecessors(block)[arrival] as usize;
                    if cause[source] != NONE && cause[block as usize] == NONE && before != value {
                        depends |= LOCAL;
                    }
                }
                is_changed |= analysis.add(value, depends);
            }
            for index in graph.blocks[block as usize].events.clone() {
                let defined = flow.values.defined[index as usize];
                if defined != NONE {
                    let depends = analysis.written(flow, index, defined);
                    is_changed |= analysis.add(defined, depends);
                }
            }
            let decides = match &graph.blocks[block as usize].terminator {
                Terminator::Branch { condition, .. } => analysis.dependence(*condition) != 0,
                Terminator::Switch { selector, .. } => analysis.dependence(*selector) != 0,
                Terminator::Jump(_) | Terminator::End | Terminator::Return => false,
            };
            if decides && !is_spread[block as usize] {
                spread(flow, &post, &mut cause, &mut is_spread, block);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    Divergence { cause, depends: analysis.depends, reads: analysis.reads }
}

/// Marks the blocks that are control-dependent on a block, and those that depend on them in turn.
fn spread(
    flow: &Flow<'_>,
    post: &[u32],
    cause: &mut [Block],
    is_spread: &mut [bool],
    block: Block,
) {
    let mut pending = vec![block];
    while let Some(chooser) = pending.pop() {
        if std::mem::replace(&mut is_spread[chooser as usize], true) {
            continue;
        }
        let join = post[chooser as usize];
        for next in flow.graph.successors(chooser) {
            let mut runner = next;
            while runner != join && runner != NONE {
                if cause[runner as usize] == NONE {
                    cause[runner as usize] = block;
                }
                if flow.graph.successors(runner).nth(1).is_some() {
                    pending.push(runner);
                }
                runner = post[runner as usize];
            }
        }
    }
}

impl Analysis<'_, '_> {
    fn add(&mut self, value: Value, depends: Dependence) -> bool {
        let known = &mut self.depends[value as usize];
        let is_new = *known | depends != *known;
        *known |= depends;
        is_new
    }

    /// What a value depends on that an event writes.
    fn written(&self, flow: &Flow<'_>, index: u32, defined: Value) -> Dependence {
        let Event::Write { variable: Variable::Local(_), expr, value, .. } =
            flow.graph.events[index as usize]
        else {
            return 0;
        };
        let written = value.map_or(0, |value| self.dependence(value));
        let before = match flow.values.definitions[defined as usize] {
            Definition::Event { before, .. } if before != NONE => self.depends[before as usize],
            _ => 0,
        };
        match self.lints.kind(expr) {
            ExprKind::CompoundAssign { op, .. } => combine(*op, before, written),
            _ => before | written,
        }
    }

    /// What an expression depends on.
    pub fn dependence(&self, expr: ExprId) -> Dependence {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.dependence_inner(expr))
    }

    fn any(&self, exprs: &[ExprId]) -> Dependence {
        exprs.iter().fold(0, |all, &expr| all | self.dependence(expr))
    }

    fn dependence_inner(&self, expr: ExprId) -> Dependence {
        match self.lints.kind(expr) {
            ExprKind::Load(lvalue) => match self.reads.get(&expr) {
                Some(&value) => self.depends[value as usize],
                None => self.lvalue(*lvalue),
            },
            ExprKind::Local(_) | ExprKind::Global(_) => 0,
            ExprKind::Constant(_)
            | ExprKind::ConstantValue(_)
            | ExprKind::Null
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Statements(_)
            | ExprKind::Aggregate(_)
            | ExprKind::Error => 0,
            ExprKind::Deref(inner)
            | ExprKind::AddressOf(inner)
            | ExprKind::Decay(inner)
            | ExprKind::Splat(inner)
            | ExprKind::Reinterpret(inner)
            | ExprKind::SpaceCast(inner)
            | ExprKind::SpaceQuery(inner)
            | ExprKind::IntToPtr(inner)
            | ExprKind::PtrToInt(inner)
            | ExprKind::ToVoid(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Convert { operand: inner, .. }
            | ExprKind::Member { base: inner, .. }
            | ExprKind::Swizzle { base: inner, .. } => self.dependence(*inner),
            ExprKind::VectorElement { base, index } => {
                self.dependence(*base) | self.dependence(*index)
            }
            ExprKind::Binary { op, left, right } => {
                combine(*op, self.dependence(*left), self.dependence(*right))
            }
            // Whether there is a buffer at all is the same for all.
            ExprKind::Compare { left, right, .. }
                if matches!(self.lints.kind(*left), ExprKind::Null)
                    || matches!(self.lints.kind(*right), ExprKind::Null) =>
            {
                0
            }
            ExprKind::Compare { left, right, .. }
            | ExprKind::Logical { left, right, .. }
            | ExprKind::PtrDiff { left, right } => self.dependence(*left) | self.dependence(*right),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.dependence(*pointer) | self.dependence(*index)
            }
            ExprKind::Conditional { condition, then, otherwise }
            | ExprKind::VectorSelect { condition, then, otherwise } => {
                self.dependence(*condition) | self.dependence(*then) | self.dependence(*otherwise)
            }
            ExprKind::Assign { value, .. } => self.dependence(*value),
            ExprKind::CompoundAssign { op, value, .. } => {
                combine(*op, self.update(expr), self.dependence(*value))
            }
            ExprKind::PtrAssign { index, .. } => self.update(expr) | self.dependence(*index),
            ExprKind::IncDec { .. } => self.update(expr),
            ExprKind::Comma(parts) => parts.last().map_or(0, |&last| self.dependence(last)),
            ExprKind::VectorBuild(parts) => self.any(parts),
            ExprKind::Block { .. } | ExprKind::EnqueuedBlock { .. } => 0,
            ExprKind::Call { callee, arguments } => {
                self.functions.result[callee.index()] | self.any(arguments)
            }
            ExprKind::BlockCall { function, operands } => {
                self.functions.result[function.index()] | self.any(&operands.arguments)
            }
            ExprKind::Intrinsic { intrinsic, arguments } => self.intrinsic(*intrinsic, arguments),
        }
    }

    /// The old value of an update.
    fn update(&self, expr: ExprId) -> Dependence {
        self.reads.get(&expr).map_or(0, |&value| self.depends[value as usize])
    }

    /// The value of an lvalue that is no followed variable: as its address.
    fn lvalue(&self, lvalue: ExprId) -> Dependence {
        match *self.lints.kind(lvalue) {
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::CompoundLiteral { .. } => 0,
            ExprKind::Deref(pointer) => self.dependence(pointer),
            ExprKind::Member { base, .. } | ExprKind::Swizzle { base, .. } => self.lvalue(base),
            ExprKind::VectorElement { base, index } => self.lvalue(base) | self.dependence(index),
            _ => self.dependence(lvalue),
        }
    }

    fn intrinsic(&self, intrinsic: Intrinsic, arguments: &[ExprId]) -> Dependence {
        // Along a dimension of one work-item there is only one id.
        let is_single = || {
            let dim = arguments.first().and_then(|&argument| self.lints.integer(argument));
            let dim = dim.and_then(|dim| usize::try_from(dim).ok());
            match (self.required, dim) {
                (Some(size), Some(dim)) => size.get(dim).is_none_or(|&size| size == 1),
                (None, Some(dim)) => dim > 2,
                (_, None) => false,
            }
        };
        // A body that only tells its work-items apart along some dimensions takes it that a
        // work-group has one along the others.
        let is_alike = || {
            let dim = arguments.first().and_then(|&argument| self.lints.integer(argument));
            self.dimensions != 0
                && matches!(dim, Some(dim @ 0..=2) if self.dimensions >> dim & 1 == 0)
        };
        match intrinsic {
            Intrinsic::GetLocalId if !is_single() => LOCAL,
            Intrinsic::GetGlobalId if !is_single() && !is_alike() => GLOBAL,
            Intrinsic::GetLocalLinearId
            | Intrinsic::GetSubGroupLocalId
            | Intrinsic::GetSubGroupId => LOCAL,
            Intrinsic::GetGlobalLinearId => GLOBAL,
            Intrinsic::Sync(
                SyncCall::Atomic(_)
                | SyncCall::AtomicIncrement
                | SyncCall::AtomicDecrement
                | SyncCall::AtomicFetch(_)
                | SyncCall::AtomicFetchSubFloat
                | SyncCall::AtomicCmpxchg
                | SyncCall::AtomicCompareExchangeStrong
                | SyncCall::AtomicCompareExchangeWeak
                | SyncCall::AtomicFlagTestAndSet,
            ) => LOCAL,
            Intrinsic::WorkGroup(operation, _) => match operation {
                GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan => LOCAL,
                GroupOperation::Reduce | GroupOperation::ClusteredReduce => 0,
            },
            Intrinsic::WorkGroupAll
            | Intrinsic::WorkGroupAny
            | Intrinsic::WorkGroupBroadcast
            | Intrinsic::GetLocalId
            | Intrinsic::GetGlobalId => 0,
            _ => self.any(arguments),
        }
    }
}

/// What an operation depends on: quotients of a global id may be the same for a work-group, and
/// so may differences of two ids.
fn combine(op: BinaryOp, left: Dependence, right: Dependence) -> Dependence {
    match op {
        BinaryOp::Sub if left != 0 && right != 0 => 0,
        BinaryOp::Div | BinaryOp::Shr | BinaryOp::And => (left | right) & !GLOBAL,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Or
        | BinaryOp::Xor => left | right,
    }
}

/// Reports collective calls that not all work-items reach, one for each choice that splits them.
fn report(lints: &mut Lints<'_>, flow: &Flow<'_>, functions: &Functions, divergence: &Divergence) {
    let graph = flow.graph;
    let mut is_reported = vec![false; graph.blocks.len()];
    for &block in &graph.order {
        let cause = divergence.cause[block as usize];
        if cause == NONE || is_reported[cause as usize] {
            continue;
        }
        for event in graph.events_of(block) {
            let Event::Call(call) = *event else { continue };
            let what = match lints.kind(call) {
                ExprKind::Intrinsic { intrinsic, .. } if is_collective(*intrinsic) => {
                    if *intrinsic == Intrinsic::Sync(SyncCall::Barrier) {
                        "this barrier".to_owned()
                    } else {
                        "this call, which they must make together".to_owned()
                    }
                }
                ExprKind::BlockCall { function, .. } if functions.is_collective(*function) => {
                    "the barrier in this block".to_owned()
                }
                ExprKind::Call { callee, .. } if functions.is_collective(*callee) => {
                    let name = lints.module.functions[*callee].name;
                    format!("the barrier in `{}`", lints.interner.resolve(name))
                }
                _ => continue,
            };
            let condition = match graph.blocks[cause as usize].terminator {
                Terminator::Branch { condition, .. } => condition,
                Terminator::Switch { selector, .. } => selector,
                Terminator::Jump(_) | Terminator::End | Terminator::Return => continue,
            };
            is_reported[cause as usize] = true;
            let leaves =
                |next: Block| matches!(graph.blocks[next as usize].terminator, Terminator::Return);
            let leaving = match graph.blocks[cause as usize].terminator {
                Terminator::Branch { when_true, .. } if leaves(when_true) => {
                    Some("work-items for which this is true leave before")
                }
                Terminator::Branch { when_false, .. } if leaves(when_false) => {
                    Some("work-items for which this is false leave before")
                }
                _ => None,
            };
            let is_loop = graph
                .predecessors(cause)
                .iter()
                .any(|&source| graph.position[source as usize] >= graph.position[cause as usize]);
            let message = format!("not all work-items of a work-group may reach {what}");
            let diagnostic = Diagnostic::new(&W0880, lints.span(call), message)
                .at("some work-items may pass it by");
            let diagnostic = if let Some(label) = leaving {
                diagnostic
                    .label(lints.span(condition), label)
                    .help("let all work-items reach the barrier, and skip only the work of some")
            } else if is_loop {
                diagnostic
                    .label(lints.span(condition), "the number of turns depends on the work-item")
                    .help("let the loop run equally often for all, and skip only the work of some")
            } else {
                diagnostic
                    .label(lints.span(condition), "this depends on the work-item")
                    .help("move the barrier out of what depends on this")
            };
            lints.report(diagnostic);
            break;
        }
    }
}

impl Divergence {
    /// The analysis, to ask about further expressions.
    pub fn analysis<'x, 'a>(
        self,
        lints: &'x Lints<'a>,
        functions: &'x Functions,
    ) -> (Analysis<'x, 'a>, Vec<Block>) {
        let Divergence { cause, depends, reads } = self;
        (Analysis { lints, functions, reads, depends, required: None, dimensions: 0 }, cause)
    }
}

impl Analysis<'_, '_> {
    /// The value that a load of a variable sees.
    pub fn read(&self, load: ExprId) -> Option<Value> {
        self.reads.get(&load).copied()
    }
}
