//! Keeps the signs of bounds that loops count down to, where a driver loses them.
//!
//! `for (i = n; i >= -n; i--)` ends too early where NVIDIA's compiler (580.159) makes several turns one, which it does
//! whatever the module says of unrolling: the comparisons of the turns after the first few are with `n`. It knows
//! every form of a negation, so the bound is computed as what it does not know for one: the negations of both halves of
//! `n`, which wrap as `-n` does. Lost are only bounds that are negations themselves, and only by loops that step
//! down by constants.

use clc_ir::{
    BinaryOp, Builder, CompareOp, ConstPool, Function, Inst, InstKind, Module, TypePool, UnaryOp,
    Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Runs after all passes that would make a negation of it again.
pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        let comparisons = comparisons(types, consts, function);
        if comparisons.is_empty() {
            continue;
        }
        let bounds: FxHashSet<Value> = comparisons.iter().map(|&(_, bound)| bound).collect();
        let mut hidden = FxHashMap::default();
        for block in function.layout.clone() {
            let insts = std::mem::take(&mut function.blocks[block].insts);
            let terminator = std::mem::take(&mut function.blocks[block].terminator);
            let mut builder = Builder::new(types, consts, function, block);
            for inst in insts {
                builder.function.blocks[block].insts.push(inst);
                let data = builder.function.insts[inst];
                if let Some(bound) = data.result.filter(|result| bounds.contains(result))
                    && let Some(operand) =
                        negated(builder.types, builder.consts, builder.function, bound)
                {
                    builder.location = data.location;
                    hidden.insert(bound, negated_by_halves(&mut builder, operand));
                }
            }
            function.blocks[block].terminator = terminator;
        }
        for (inst, bound) in comparisons {
            if let (Some(&hidden), InstKind::Compare { left, right, .. }) =
                (hidden.get(&bound), &mut function.insts[inst].kind)
            {
                for side in [left, right] {
                    if *side == bound {
                        *side = hidden;
                    }
                }
            }
        }
    }
}

/// `-2 * (n >> 1) - (n & 1)`.
fn negated_by_halves(b: &mut Builder<'_>, n: Value) -> Value {
    let ty = b.ty(n);
    let [zero, one] = [0, 1].map(|value| b.int(ty, value));
    let half = b.binary(BinaryOp::AShr, n, one);
    let even = b.binary(BinaryOp::Shl, half, one);
    let even = b.binary(BinaryOp::ISub, zero, even);
    let odd = b.binary(BinaryOp::And, n, one);
    b.binary(BinaryOp::ISub, even, odd)
}

/// Comparisons of numbers that count down with negated ones, and the latter.
fn comparisons(types: &TypePool, consts: &ConstPool, function: &Function) -> Vec<(Inst, Value)> {
    let counters = counters(types, consts, function);
    let is_counter = |value: Value| {
        counters.contains(&value)
            || stepped_down(types, consts, function, value)
                .is_some_and(|from| counters.contains(&from))
    };
    let mut found = Vec::new();
    if counters.is_empty() {
        return found;
    }
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let InstKind::Compare {
            op:
                CompareOp::SLess
                | CompareOp::SLessEqual
                | CompareOp::SGreater
                | CompareOp::SGreaterEqual,
            left,
            right,
        } = function.insts[inst].kind
        else {
            continue;
        };
        for (counter, bound) in [(left, right), (right, left)] {
            let is_scalar = || types.lanes(function.values[bound.as_local().unwrap_or(0)].ty) == 1;
            if is_counter(counter)
                && negated(types, consts, function, bound).is_some()
                && is_scalar()
            {
                found.push((inst, bound));
            }
        }
    }
    found
}

/// Parameters of blocks that come back as less by a constant.
fn counters(types: &TypePool, consts: &ConstPool, function: &Function) -> FxHashSet<Value> {
    let mut counters = FxHashSet::default();
    for &block in &function.layout {
        for target in function.blocks[block].terminator.targets() {
            let params = &function.blocks[target.block].params;
            for (&param, argument) in params.iter().zip(function.values_of(target.arguments)) {
                if stepped_down(types, consts, function, argument) == Some(param) {
                    counters.insert(param);
                }
            }
        }
    }
    counters
}

/// What a value is less than by a constant, if it is.
fn stepped_down(
    types: &TypePool,
    consts: &ConstPool,
    function: &Function,
    value: Value,
) -> Option<Value> {
    let (_, data) = function.def_inst(value)?;
    let InstKind::Binary { op, left, right } = data.kind else { return None };
    let step = consts.signed(types, right)?;
    match op {
        BinaryOp::IAdd if step < 0 => Some(left),
        BinaryOp::ISub if step > 0 => Some(left),
        _ => None,
    }
}

/// What a value is the negation of.
fn negated(
    types: &TypePool,
    consts: &ConstPool,
    function: &Function,
    value: Value,
) -> Option<Value> {
    match function.def_inst(value)?.1.kind {
        InstKind::Unary { op: UnaryOp::INeg, operand } => Some(operand),
        InstKind::Binary { op: BinaryOp::ISub, left, right } => {
            (consts.signed(types, left) == Some(0)).then_some(right)
        }
        _ => None,
    }
}
