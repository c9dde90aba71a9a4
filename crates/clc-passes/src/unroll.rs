//! Four turns at once of short loops that load from memory, for shaders: then their loads wait side by side.
//!
//! ```text
//!                              four(i): i < n && n - i > 3 * step ?
//! head(i): i < n ?      ->       the body at i, i + step, i + 2 * step, i + 3 * step; again
//!   body; head(i + step)       head(i): what is left, as before
//! ```
//!
//! Compilers of OpenCL drivers do so by themselves, those of Vulkan's mostly not. The test of the new loop is
//! true only where that of the old one is for all four turns: while `i < n` the difference `n - i` is positive,
//! and fits as an unsigned number.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, BlockCall, Cfg, CompareOp, Const, FloatFlags, Function, Inst, InstKind,
    StorageClass, Terminator, Type, TypeKind, TypePool, Value, ValueDef,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::copies;

/// Turns of one turn of the new loop.
const TURNS: u64 = 4;

/// The most instructions of a body that is copied.
const MAX_BODY: usize = 48;

/// What a call of a function that only computes counts for, which drivers inline.
const CALL: usize = 8;

/// Instructions of a loop that drivers unroll whole, by [`unroll_hints`](crate::unroll_hints).
const WHOLE: u64 = 512;

/// Unrolls the loops of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let cfg = Cfg::new(function);
    let found: Vec<Loop> =
        function.layout.iter().filter_map(|&body| find(context, function, &cfg, body)).collect();
    for found in found {
        unroll(context, function, &found);
    }
}

/// A loop of two blocks: a test and a body.
struct Loop {
    head: Block,
    body: Block,
    /// The place of the counted variable among the parameters of the head.
    variable: usize,
    bound: Value,
    step: u64,
    ty: Type,
}

/// The loop whose body is `body`, if it is one that is worth it.
fn find(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg, body: Block) -> Option<Loop> {
    let Terminator::Jump(BlockCall { block: head, arguments: next }) =
        function.blocks[body].terminator
    else {
        return None;
    };
    let Terminator::Branch { condition, then, otherwise } = function.blocks[head].terminator else {
        return None;
    };
    let is_loop = then.block == body
        && otherwise.block != body
        && head != body
        && cfg.predecessors(body).count() == 1
        && !function.loop_hints.contains_key(&head);
    if !is_loop || !function.blocks[body].params.is_empty() {
        return None;
    }
    let is_simple = |&inst: &Inst| copies::is_computation(&function.insts[inst].kind);
    if !function.blocks[head].insts.iter().all(is_simple) {
        return None;
    }
    let insts = &function.blocks[body].insts;
    let mut size = 0;
    for &inst in insts {
        size += match function.insts[inst].kind {
            InstKind::Call { callee, .. } if context.constant[callee.index()] => CALL,
            InstKind::Load { .. } | InstKind::Store { .. } => 1,
            ref kind if copies::is_computation(kind) => 1,
            _ => return None,
        };
    }
    let is_long = |&inst: &Inst| match function.insts[inst].kind {
        InstKind::Load { pointer, .. } => {
            is_slow(context.types, type_of(context, function, pointer))
        }
        _ => false,
    };
    if size > MAX_BODY || !insts.iter().any(is_long) {
        return None;
    }

    let (_, test) = function.def_inst(condition)?;
    let InstKind::Compare { op: CompareOp::ULess | CompareOp::SLess, left, right: bound } =
        test.kind
    else {
        return None;
    };
    let Some(ValueDef::Param(block, variable)) = function.def(left) else { return None };
    let variable = variable as usize;
    let bits = match context.types.kind(type_of(context, function, left)) {
        TypeKind::Int(bits @ (32 | 64)) => bits,
        _ => return None,
    };
    if block != head || !is_invariant(function, head, body, bound, true) {
        return None;
    }
    let (_, sum) = function.def_inst(function.value_at(next, variable))?;
    let InstKind::Binary { op: BinaryOp::IAdd, left: start, right: step } = sum.kind else {
        return None;
    };
    let step = match step.as_const().map(|id| context.consts.get(id)) {
        Some(&Const::Int(_, step)) if start == left => step,
        _ => return None,
    };
    // Three steps fit, whatever the sign of the variable.
    if step == 0 || step >= 1 << (bits - 4) {
        return None;
    }
    let constant = |value: Value| match value.as_const().map(|id| context.consts.get(id)) {
        Some(&Const::Int(_, bits)) => Some(bits),
        Some(Const::Null(_)) => Some(0),
        _ => None,
    };
    let mut entries = cfg.predecessors(head).filter(|&from| from != body);
    if let (Some(from), None, Some(end)) = (entries.next(), entries.next(), constant(bound)) {
        let target =
            function.blocks[from].terminator.targets().find(|target| target.block == head)?;
        if let Some(begin) = constant(function.value_at(target.arguments, variable)) {
            let turns = end.wrapping_sub(begin) / step;
            let size = (size + function.blocks[head].insts.len() + 2) as u64;
            if turns < TURNS || turns.saturating_mul(size) <= WHOLE {
                return None;
            }
        }
    }
    let ty = type_of(context, function, left);
    Some(Loop { head, body, variable, bound, step, ty })
}

/// Whether what a pointer points to is in memory that is worth waiting for.
fn is_slow(types: &TypePool, pointer: Type) -> bool {
    use StorageClass::{PhysicalStorageBuffer, StorageBuffer, Uniform, Workgroup};
    let class = types.pointer_parts(pointer).map(|(_, class)| class);
    matches!(class, Some(PhysicalStorageBuffer | StorageBuffer | Uniform | Workgroup))
}

/// Whether a value is the same in every turn: from outside, or computed in the head of what is.
fn is_invariant(
    function: &Function,
    head: Block,
    body: Block,
    value: Value,
    may_compute: bool,
) -> bool {
    match function.def(value) {
        None => true,
        Some(ValueDef::Param(block, _)) => block != head && block != body,
        Some(ValueDef::Inst(inst)) if function.blocks[body].insts.contains(&inst) => false,
        Some(ValueDef::Inst(inst)) if function.blocks[head].insts.contains(&inst) => {
            let mut is_same = may_compute;
            function.each_operand(inst, |operand| {
                is_same &= is_invariant(function, head, body, operand, false);
            });
            is_same
        }
        Some(ValueDef::Inst(_)) => true,
    }
}

fn type_of(context: &ModuleContext<'_>, function: &Function, value: Value) -> Type {
    match (value.as_local(), value.as_const()) {
        (Some(index), _) => function.values[index].ty,
        (None, Some(id)) => context.consts.ty(id),
        (None, None) => TypePool::VOID,
    }
}

fn unroll(context: &mut ModuleContext<'_>, function: &mut Function, found: &Loop) {
    let &Loop { head, body, variable, bound, step, ty } = found;
    let Terminator::Branch { condition, .. } = function.blocks[head].terminator else { return };
    let Terminator::Jump(BlockCall { arguments: next, .. }) = function.blocks[body].terminator
    else {
        return;
    };
    let params = function.blocks[head].params.clone();
    let next: Vec<Value> = function.values_of(next).collect();

    // Who entered the old loop enters the new one, whose blocks come before it.
    let (four, turns) = (function.add_block(), function.add_block());
    for block in function.layout.clone() {
        if block == body {
            continue;
        }
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        for target in terminator.targets_mut().filter(|target| target.block == head) {
            target.block = four;
        }
        function.blocks[block].terminator = terminator;
    }
    let new_params: Vec<Value> = params
        .iter()
        .map(|param| {
            let ty = function.values[param.as_local().unwrap_or_default()].ty;
            function.add_block_param(four, ty)
        })
        .collect();

    let mut map: FxHashMap<Value, Value> =
        params.iter().copied().zip(new_params.iter().copied()).collect();
    copy(function, head, four, &mut map);
    let new = |value: Value, map: &FxHashMap<Value, Value>| *map.get(&value).unwrap_or(&value);
    let location = Location::default();
    let compute = |function: &mut Function, kind, ty| {
        let inst = function.append(four, kind, Some(ty), FloatFlags::default(), location);
        function.insts[inst].result.unwrap_or(bound)
    };
    let left = InstKind::Binary {
        op: BinaryOp::ISub,
        left: new(bound, &map),
        right: new_params[variable],
    };
    let left = compute(function, left, ty);
    let three = context.consts.intern(Const::Int(ty, (TURNS - 1) * step));
    let enough = InstKind::Compare { op: CompareOp::ULess, left: three, right: left };
    let enough = compute(function, enough, TypePool::BOOL);
    let both = InstKind::Binary { op: BinaryOp::And, left: new(condition, &map), right: enough };
    let both = compute(function, both, TypePool::BOOL);
    let rest = function.list(&new_params);
    let nothing = function.list(&[]);
    function.blocks[four].terminator = Terminator::Branch {
        condition: both,
        then: BlockCall { block: turns, arguments: nothing },
        otherwise: BlockCall { block: head, arguments: rest },
    };

    for turn in 0..TURNS {
        // What the head computes is computed for each turn; its test is unused but in the first.
        if turn > 0 {
            copy(function, head, turns, &mut map);
        }
        copy(function, body, turns, &mut map);
        let values: Vec<Value> = next.iter().map(|&value| new(value, &map)).collect();
        map.extend(params.iter().copied().zip(values));
    }
    let values: Vec<Value> = params.iter().map(|&param| new(param, &map)).collect();
    let again = function.list(&values);
    function.blocks[turns].terminator =
        Terminator::Jump(BlockCall { block: four, arguments: again });
    let layout = std::mem::take(&mut function.layout);
    let others = layout.into_iter().filter(|&block| block != four && block != turns);
    function.layout = others
        .flat_map(|block| match block == head {
            true => vec![four, turns, head],
            false => vec![block],
        })
        .collect();
}

/// Copies the instructions of a block to the end of another, with operands by `map`, which learns the results.
fn copy(function: &mut Function, from: Block, to: Block, map: &mut FxHashMap<Value, Value>) {
    for inst in function.blocks[from].insts.clone() {
        copies::append(function, inst, to, map, function.insts[inst].kind);
    }
}
