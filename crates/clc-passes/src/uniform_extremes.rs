//! Compares and chooses for the least and the greatest of integers that are the same for all work-items side by side.
//!
//! Compilers of processors make vectors of calls of `min`, `max` and `clamp` although only one component is asked for, and
//! compute with vectors what depends on it: the index of a row goes from a scalar register to one of vectors, through a
//! product of integers, which is slow there, and back. What is compared stays scalar.
//!
//! ```text
//! r = clamp(y + i, 0, last)     ->      a = y + i < last ? y + i : last; r = a > 0 ? a : 0
//! ```
//!
//! Where all that depends on it are addresses that are gathered it stays a call: these addresses are vectors, and taking
//! them apart keeps the units for scalars busy (a filter whose columns are clamped, too, takes 1.2 of the time with
//! comparisons).

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{Builder, Cfg, CompareOp, Function, Inst, InstKind, Value};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::copies;
use crate::item_indices::has_no_vectors;
use crate::neighbours::{Step, Steps};

/// Rewrites what a kernel computes so.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.entry_point.is_none() || has_no_vectors(function) {
        return;
    }
    let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    let mut found: FxHashSet<Inst> =
        insts.copied().filter(|&inst| is_extreme(&function.insts[inst].kind)).collect();
    if found.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let mut steps = Steps::new(context.types, context.consts, function, &cfg);
    found.retain(|&inst| {
        function.insts[inst].result.is_some_and(|result| {
            let ty = context.type_of(function, result);
            context.types.lanes(ty) == 1 && steps.of(result) == Step::None
        })
    });
    if !found.is_empty() {
        let scalar = not_only_gathered(function, &mut steps);
        found.retain(|inst| scalar.contains(inst));
    }
    if found.is_empty() {
        return;
    }
    rewrite::expand(context.types, context.consts, function, is_extreme, |builder, inst| {
        let InstKind::Intrinsic { intrinsic, arguments } = builder.function.insts[inst].kind else {
            return Expansion::Keep;
        };
        let arguments: Vec<Value> = builder.function.values_of(arguments).collect();
        let result = found.contains(&inst).then(|| compared(builder, intrinsic, &arguments));
        result.flatten().map_or(Expansion::Keep, Expansion::Value)
    });
}

/// The instructions that something else depends on than addresses that are gathered.
fn not_only_gathered(function: &Function, steps: &mut Steps<'_>) -> FxHashSet<Inst> {
    let mut found: FxHashSet<Inst> = FxHashSet::default();
    let mut ahead: Vec<Value> = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. } => {
                    function.each_operand(inst, |operand| {
                        if operand != pointer || !steps.of(pointer).is_gathered() {
                            ahead.push(operand);
                        }
                    });
                }
                ref kind if copies::is_computation(kind) => {}
                _ => function.each_operand(inst, |operand| ahead.push(operand)),
            }
        }
        function.each_terminator_operand(block, |operand| ahead.push(operand));
    }
    while let Some(value) = ahead.pop() {
        let Some((inst, data)) = function.def_inst(value) else { continue };
        if found.insert(inst) && copies::is_computation(&data.kind) {
            function.each_operand(inst, |operand| ahead.push(operand));
        }
    }
    found
}

fn is_extreme(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Intrinsic { intrinsic, .. } if comparisons(*intrinsic).is_some())
}

/// The least or the greatest of integers by comparisons; nothing if a call is of none of these.
pub fn compared(
    builder: &mut Builder<'_>,
    intrinsic: Intrinsic,
    arguments: &[Value],
) -> Option<Value> {
    let (&value, others) = arguments.split_first()?;
    let bounds = others.iter().rev().zip(comparisons(intrinsic)?);
    Some(bounds.fold(value, |value, (&bound, &op)| {
        let condition = builder.compare(op, value, bound);
        builder.select(condition, value, bound)
    }))
}

/// With which a value stays rather than becomes one of the other arguments, beginning with the last of these. A `clamp`
/// between bounds that are the wrong way round has no defined result (6.15.3).
fn comparisons(intrinsic: Intrinsic) -> Option<&'static [CompareOp]> {
    Some(match intrinsic {
        Intrinsic::SMin => &[CompareOp::SLess],
        Intrinsic::SMax => &[CompareOp::SGreater],
        Intrinsic::UMin => &[CompareOp::ULess],
        Intrinsic::UMax => &[CompareOp::UGreater],
        Intrinsic::SClamp => &[CompareOp::SLess, CompareOp::SGreater],
        Intrinsic::UClamp => &[CompareOp::ULess, CompareOp::UGreater],
        _ => return None,
    })
}
