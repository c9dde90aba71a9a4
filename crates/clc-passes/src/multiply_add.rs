//! `a * b + c` as `mad(a, b, c)`: where `-cl-mad-enable` trades precision for speed (OpenCL API,
//! math intrinsics options); for shaders, where contraction cannot be allowed without allowing
//! sums to be taken in another order too (SPIR-V, NoContraction), which OpenCL C does not; and for
//! drivers of OpenCL that contract source but not modules. There `mad` is a correctly rounded `fma`, or
//! a product and a sum that are both correctly rounded (OpenCL SPIR-V Environment, Relative Error as ULPs),
//! which is what contraction allows.
//!
//! Both operations must allow contraction, and the product must have no other use, or it would be
//! computed twice.
//!
//! Compilers of shaders negate numbers by an instruction of its own before such a call, but for nothing in a
//! difference. There a product and a difference that need a negation stay what they are, and may be contracted
//! (`MathFlags::PAIR`). That allows to take them in another order too, of which two operations have none. A `mad` of
//! the source that negates becomes such a pair: `mad(-a, b, c)` is `c - a * b`.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Function, Inst, InstKind, MathFlags, Module, TypePool, UnaryOp, Value,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::convergence::converged_blocks;
use crate::fold::Folder;
use crate::negation::without_negation;

/// Contracts where `-cl-mad-enable` is given.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if context.float_options.mad_enable {
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        contract_in(function, &mut folder, Differences::ByNegation, |_, _, _, _| true);
    }
}

/// [`run`], whether or not there is the option, for shaders.
pub fn contract(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    contract_in(function, &mut folder, Differences::InPairs, |_, _, _, _| true);
}

/// [`run`], of scalars, in blocks that all work-items come to together. Compilers that make vectors of
/// work-items compute with masks in the others: a product and a sum do without, but the call of a function waits for
/// the mask; and vectors side by side are no operands for it.
pub fn contract_converged(module: &mut Module) {
    if !module.functions.values().any(has_sums) {
        return;
    }
    let converged = converged_blocks(module);
    let Module { types, consts, functions, .. } = module;
    let mut folder = Folder { types, consts };
    for (function, converged) in functions.values_mut().zip(converged) {
        let is_scalar = |value: Value, function: &Function, types: &TypePool| {
            value.as_local().is_none_or(|index| types.lanes(function.values[index].ty) == 1)
        };
        contract_in(
            function,
            &mut folder,
            Differences::ByNegation,
            |function, types, block, sum| {
                converged[block.index()]
                    && function.insts[sum]
                        .result
                        .is_some_and(|result| is_scalar(result, function, types))
            },
        );
    }
}

/// Whether there is something to contract in a function.
fn has_sums(function: &Function) -> bool {
    function.layout.iter().flat_map(|&block| &function.blocks[block].insts).any(|&inst| {
        let data = &function.insts[inst];
        matches!(data.kind, InstKind::Binary { op: BinaryOp::FAdd | BinaryOp::FSub, .. })
            && data.math.has(MathFlags::CONTRACT)
    })
}

/// What becomes of a difference where something is to be negated that no constant makes negative.
#[derive(Clone, Copy, PartialEq)]
enum Differences {
    ByNegation,
    InPairs,
}

/// Contracts the sums that `is_chosen` names.
fn contract_in(
    function: &mut Function,
    folder: &mut Folder<'_>,
    differences: Differences,
    is_chosen: impl Fn(&Function, &TypePool, Block, Inst) -> bool,
) {
    let mut uses = vec![0u32; function.values.len()];
    let count = |value: Value, uses: &mut Vec<u32>| {
        if let Some(index) = value.as_local() {
            uses[index] += 1;
        }
    };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            function.each_operand(inst, |value| count(value, &mut uses));
        }
        function.each_terminator_operand(block, |value| count(value, &mut uses));
    }
    let is_used_once =
        |value: Value| value.as_local().and_then(|index| uses.get(index)) == Some(&1);
    let product = |function: &Function, value: Value| {
        let (_, data) = function.def_inst(value)?;
        match data.kind {
            InstKind::Binary { op: BinaryOp::FMul, left, right }
                if is_used_once(value) && data.math.has(MathFlags::CONTRACT) =>
            {
                Some((left, right))
            }
            _ => None,
        }
    };
    // What pairs compute.
    let mut paired = FxHashSet::default();
    for block in function.layout.clone() {
        let mut kept = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            if differences == Differences::InPairs
                && let Some(pair) = pair_of_mad(function, inst, &paired)
            {
                paired.extend(pair.map(|inst| function.insts[inst].result).into_iter().flatten());
                kept.extend(pair);
                continue;
            }
            let data = function.insts[inst];
            let sum = match data.kind {
                InstKind::Binary { op: op @ (BinaryOp::FAdd | BinaryOp::FSub), left, right }
                    if data.math.has(MathFlags::CONTRACT)
                        && is_chosen(function, folder.types, block, inst) =>
                {
                    Some((op, left, right))
                }
                _ => None,
            };
            let found = sum.and_then(|(op, left, right)| {
                // The product, the operands of the sum, and those one of which is negated in a difference.
                let of = |factor: Value, addend, negated: &'static [usize]| {
                    let (a, b) = product(function, factor)?;
                    let negated = (op == BinaryOp::FSub).then_some(negated);
                    Some((factor, [a, b, addend], negated))
                };
                of(left, right, &[2]).or_else(|| of(right, left, &[0, 1]))
            });
            if let (Some((factor, mut operands, negated)), Some(result)) = (found, data.result) {
                if let Some(negated) = negated {
                    let free = negated.iter().find_map(|&index| {
                        let operand = operands[index];
                        negative(function, folder, &is_used_once, operand, &mut kept)
                            .map(|form| (index, form))
                    });
                    if free.is_none()
                        && differences == Differences::InPairs
                        && operands.iter().all(|operand| !paired.contains(operand))
                        && let Some((product, _)) = function.def_inst(factor)
                    {
                        for inst in [product, inst] {
                            function.insts[inst].math.0 |= MathFlags::PAIR;
                        }
                        paired.extend([factor, result]);
                        kept.push(inst);
                        continue;
                    }
                    let (index, form) = free.unwrap_or_else(|| {
                        let index = negated[0];
                        let operand = operands[index];
                        (index, Negative::By(InstKind::Unary { op: UnaryOp::FNeg, operand }))
                    });
                    operands[index] = match form {
                        Negative::Is(value) => value,
                        Negative::By(kind) => {
                            let ty = result.as_local().map(|index| function.values[index].ty);
                            let negation = function.create_inst(kind, ty, data.math, data.location);
                            kept.push(negation);
                            function.insts[negation].result.unwrap_or(result)
                        }
                    };
                }
                let arguments = function.list(&operands);
                function.insts[inst].kind =
                    InstKind::Intrinsic { intrinsic: Intrinsic::Mad, arguments };
            }
            kept.push(inst);
        }
        function.blocks[block].insts = kept;
    }
}

/// Makes a product and a difference of a `mad` that has something negated, and of nothing that pairs compute.
fn pair_of_mad(
    function: &mut Function,
    inst: Inst,
    paired: &FxHashSet<Value>,
) -> Option<[Inst; 2]> {
    let data = function.insts[inst];
    let InstKind::Intrinsic { intrinsic: Intrinsic::Mad, arguments } = data.kind else {
        return None;
    };
    let ty = function.values[data.result?.as_local()?].ty;
    let [a, b, c] = [0, 1, 2].map(|index| function.value_at(arguments, index));
    let negated = |value: Value| match function.def_inst(value)?.1.kind {
        InstKind::Unary { op: UnaryOp::FNeg, operand } => Some(operand),
        _ => None,
    };
    let (a, b, subtracted) = match (negated(a), negated(b), negated(c)) {
        (Some(a), ..) => (a, b, None),
        (_, Some(b), _) => (a, b, None),
        (.., Some(c)) => (a, b, Some(c)),
        _ => return None,
    };
    let operands = [a, b, subtracted.unwrap_or(c)];
    if operands.iter().any(|operand| paired.contains(operand)) {
        return None;
    }
    let math = MathFlags(data.math.0 | MathFlags::PAIR);
    let kind = InstKind::Binary { op: BinaryOp::FMul, left: a, right: b };
    let product = function.create_inst(kind, Some(ty), math, data.location);
    let factor = function.insts[product].result?;
    let (left, right) = subtracted.map_or((c, factor), |c| (factor, c));
    function.insts[inst].kind = InstKind::Binary { op: BinaryOp::FSub, left, right };
    function.insts[inst].math = math;
    Some([product, inst])
}

/// A number times -1.
enum Negative {
    Is(Value),
    By(InstKind),
}

/// `-value` if it costs no negation.
fn negative(
    function: &mut Function,
    folder: &mut Folder<'_>,
    is_used_once: &dyn Fn(Value) -> bool,
    value: Value,
    new: &mut Vec<Inst>,
) -> Option<Negative> {
    if let Some(constant) = folder.unary(UnaryOp::FNeg, value) {
        return Some(Negative::Is(constant));
    }
    if let Some((_, data)) = function.def_inst(value)
        && let InstKind::Unary { op: UnaryOp::FNeg, operand } = data.kind
    {
        return Some(Negative::Is(operand));
    }
    without_negation(function, folder, is_used_once, value, new).map(Negative::By)
}
