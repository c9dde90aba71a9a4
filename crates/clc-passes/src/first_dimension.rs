//! Has vectors of work-items made along the first dimension, where loops turn as often for all along another one.
//!
//! Intel's compiler makes vectors along the dimension in which it guesses that more is the same for all work-items, such as
//! the turns of a loop. A work-group of 32 times 8 work-items has no vector of 16 along its second dimension: all of it is
//! then computed one by one, and takes up to ten times as long. The guess is right where addresses are next to each other along
//! that dimension. A kernel that asks for more than global numbers is left as it is: so the number of the work-group takes
//! part in that of the work-item, with a bit that is never set.
//!
//! ```text
//! y = get_global_id(1)          ->       y = get_global_id(1) | get_group_id(1) >> 63
//! ```

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Cfg, Const, ConstPool, Dominators, Function, Inst, InstKind, StorageClass, Value,
};

use crate::context::ModuleContext;
use crate::counted::{self, Loop};
use crate::item_indices::has_no_vectors;
use crate::neighbours::{Step, Steps};

/// Keeps a kernel of several dimensions to the first.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.entry_point.is_none() || has_no_vectors(function) {
        return;
    }
    let Some((number, dimension)) = another_dimension(context.consts, function) else { return };
    let cfg = Cfg::new(function);
    let loops = counted::loops(function, &cfg, &Dominators::new(&cfg));
    let along = |dimension| Steps::along(dimension, context.types, context.consts, function, &cfg);
    let (mut first, mut steps) = (along(0), along(dimension));
    let is_uneven = |found: &Loop| {
        first.of(found.condition) != Step::None && steps.of(found.condition) == Step::None
    };
    if !loops.iter().any(is_uneven) {
        return;
    }
    let mut is_beside = |pointer: Value| {
        let pointee = context.types.pointer_parts(context.type_of(function, pointer));
        pointee.is_some_and(|(_, class)| class == StorageClass::CrossWorkgroup)
            && steps.of(pointer) == Step::One
    };
    let mut insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    let has_neighbours = insts.any(|&inst| match function.insts[inst].kind {
        InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. } => is_beside(pointer),
        _ => false,
    });
    if !has_neighbours {
        ask_for_group(context, function, number);
    }
}

/// What asks for the number of a work-item in another dimension than the first, and in which, where nothing asks for what
/// depends on work-groups.
fn another_dimension(consts: &ConstPool, function: &Function) -> Option<(Inst, u64)> {
    let mut found = None;
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        match function.insts[inst].kind {
            InstKind::Barrier { .. } | InstKind::Call { .. } => return None,
            InstKind::Intrinsic { intrinsic: Intrinsic::GetGlobalId, arguments } => {
                let dimension = function.value_at(arguments, 0).as_const();
                if let Some(&Const::Int(_, dimension @ 1..)) = dimension.map(|id| consts.get(id)) {
                    found = found.or(Some((inst, dimension)));
                }
            }
            InstKind::Intrinsic { intrinsic, .. } if depends_on_groups(intrinsic) => return None,
            _ => {}
        }
    }
    found
}

fn depends_on_groups(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::GetLocalId
            | I::GetLocalLinearId
            | I::GetGroupId
            | I::GetNumGroups
            | I::GetLocalSize
            | I::GetEnqueuedLocalSize
    ) || intrinsic.effects().convergent
}

fn ask_for_group(context: &mut ModuleContext<'_>, function: &mut Function, number: Inst) {
    let is_number = |kind: &InstKind| {
        matches!(kind, InstKind::Intrinsic { intrinsic: Intrinsic::GetGlobalId, .. })
    };
    rewrite::expand(context.types, context.consts, function, is_number, |builder, inst| {
        let data = &builder.function.insts[inst];
        if let InstKind::Intrinsic { arguments, .. } = data.kind
            && let Some(ty) = data.result.map(|result| builder.ty(result))
            && inst == number
        {
            let dimension = builder.function.value_at(arguments, 0);
            let mut call = |intrinsic| builder.intrinsic(intrinsic, &[dimension], ty);
            if let (Some(left), Some(group)) =
                (call(Intrinsic::GetGlobalId), call(Intrinsic::GetGroupId))
            {
                let bits = builder.types.scalar_bits(ty).unwrap_or(64);
                let last = builder.int(ty, u64::from(bits) - 1);
                let right = builder.binary(BinaryOp::LShr, group, last);
                builder.function.insts[inst].kind =
                    InstKind::Binary { op: BinaryOp::Or, left, right };
            }
        }
        Expansion::Keep
    });
}
