//! Computes short branches beforehand, so that a choice of values replaces a choice of ways.

use clc_base::Id;
use clc_ir::{
    BinaryOp, Block, BlockCall, ConvertOp, Function, InstKind, MathFlags, Terminator, TypePool,
    UnaryOp, ValueDef,
};

use crate::context::ModuleContext;
use crate::simplify_cfg;

/// Instructions that both arms together may bring before the branch. A choice costs about as much
/// as a branch and a join; more than a few instructions that half the work-items did not ask for
/// would cost more than that.
const ARMS: usize = 4;

/// Choices that a join may turn into.
const CHOICES: usize = 4;

/// Instructions of a loop's last block that may move before the branch that leaves the loop: the
/// step of a counter, mostly.
const STEP: usize = 4;

/// Instructions that may move before a branch to make one condition of two: a comparison and what
/// it compares.
const CONDITION: usize = 2;

/// Conditions that may become one.
const CONDITIONS: usize = 4;

/// Nested conditions settle from the inside out, one level a round.
const ROUNDS: usize = 3;

/// Moves the instructions of short arms (`if (c) x += y; else x -= y;`) and of loop steps before
/// the branch, if they are cheap and cannot fail; simplifying control flow then makes selects and
/// drops the empty blocks. Of `a && b` and `a || b` it evaluates both, where `b` is as cheap.
/// Work-items of a wave that go different ways would run both arms anyway,
/// one after the other.
///
/// Moves no barrier, no memory access and nothing else that could be noticed. Blocks named by a
/// loop hint keep their role.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    simplify_cfg::simplify(context.types, context.consts, function);
    for _ in 0..ROUNDS {
        if !speculate(context.types, function) {
            break;
        }
        simplify_cfg::simplify(context.types, context.consts, function);
    }
}

fn speculate(types: &TypePool, function: &mut Function) -> bool {
    // Place in a reverse post-order, by which an edge that goes back leads to a loop's header.
    let mut order = vec![u32::MAX; function.blocks.len()];
    function.layout = clc_ir::reverse_post_order(function);
    for (place, &block) in function.layout.iter().enumerate() {
        order[block.index()] = place as u32;
    }
    let mut entries = simplify_cfg::entries(function, &function.layout);
    let pinned = simplify_cfg::pinned(function);

    // The block after `arm`, if `arm` is entered here only, is short and goes on to one place.
    let after = |function: &Function, entries: &[u32], arm: Block| {
        let Terminator::Jump(next) = function.blocks[arm].terminator else { return None };
        let movable = entries[arm.index()] == 1 && !pinned[arm.index()];
        (movable && is_short(types, function, arm, ARMS)).then_some(next)
    };

    let mut changed = false;
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        // Its condition has joined that of the block before, which alone led here: what comes
        // next is entered from there.
        if place > 0 && entries[block.index()] == 0 {
            continue;
        }
        for _ in 1..CONDITIONS {
            if !join_conditions(types, function, block, &mut entries, &pinned) {
                break;
            }
            changed = true;
        }
        let Terminator::Branch { then, otherwise, .. } = function.blocks[block].terminator else {
            continue;
        };
        if then.block == otherwise.block {
            continue;
        }
        let arms = [then.block, otherwise.block];
        let next = arms.map(|arm| after(function, &entries, arm));
        let found = match next {
            [Some(left), Some(right)] if left.block == right.block => Some((&arms[..], left)),
            [Some(left), _] if left.block == otherwise.block => Some((&arms[..1], left)),
            [_, Some(right)] if right.block == then.block => Some((&arms[1..], right)),
            _ => None,
        };
        let Some((moved, BlockCall { block: join, .. })) = found else {
            // The arm that goes round the loop, if the other leaves it.
            let step = arms.into_iter().zip(next).find(|(arm, next)| {
                let goes_round = next.is_some_and(|next| order[next.block.index()] <= place as u32);
                goes_round && (1..=STEP).contains(&function.blocks[*arm].insts.len())
            });
            if let Some((arm, _)) = step {
                hoist(function, arm, block);
                changed = true;
            }
            continue;
        };
        let instructions: usize = moved.iter().map(|&arm| function.blocks[arm].insts.len()).sum();
        if (1..=ARMS).contains(&instructions)
            && join != block
            && !pinned[join.index()]
            && function.blocks[join].params.len() <= CHOICES
            && function.blocks[join].params.iter().all(|&param| {
                let ty = function.values[param.as_local().unwrap_or_default()].ty;
                simplify_cfg::is_selectable(types, ty)
            })
        {
            for &arm in moved {
                hoist(function, arm, block);
            }
            changed = true;
        }
    }
    changed
}

/// Whether a block has few instructions, all of them cheap, and nothing that depends on the edge by
/// which it is entered.
fn is_short(types: &TypePool, function: &Function, block: Block, most: usize) -> bool {
    let data = &function.blocks[block];
    data.params.is_empty()
        && data.insts.len() <= most
        && data.insts.iter().all(|&inst| is_cheap(types, function, inst))
}

/// `branch a, b1, x; b1: branch b, y, x` becomes `branch a & b, y, x`, and so for the other three
/// ways in which two branches can share a target.
fn join_conditions(
    types: &TypePool,
    function: &mut Function,
    block: Block,
    entries: &mut [u32],
    pinned: &[bool],
) -> bool {
    let Terminator::Branch { condition: first, then, otherwise } =
        function.blocks[block].terminator
    else {
        return false;
    };
    for (inner, shared, on_true) in [(then, otherwise, true), (otherwise, then, false)] {
        let Terminator::Branch { condition: second, then, otherwise } =
            function.blocks[inner.block].terminator
        else {
            continue;
        };
        let (other, leaves_on_true) = if simplify_cfg::same_call(function, then, shared) {
            (otherwise, true)
        } else if simplify_cfg::same_call(function, otherwise, shared) {
            (then, false)
        } else {
            continue;
        };
        if entries[inner.block.index()] != 1
            || pinned[inner.block.index()]
            || inner.block == block
            || !is_short(types, function, inner.block, CONDITION)
        {
            continue;
        }
        hoist(function, inner.block, block);
        entries[inner.block.index()] = 0;
        entries[shared.block.index()] -= 1;
        let location = function.blocks[block].location;
        let add = |function: &mut Function, kind| {
            let inst =
                function.append(block, kind, Some(TypePool::BOOL), MathFlags::NONE, location);
            function.insts[inst].result.expect("a condition is a result")
        };
        let not = |function: &mut Function, operand| {
            add(function, InstKind::Unary { op: UnaryOp::Not, operand })
        };
        let (op, first, second) = match (on_true, leaves_on_true) {
            (true, false) => (BinaryOp::And, first, second),
            (true, true) => (BinaryOp::And, first, not(function, second)),
            (false, true) => (BinaryOp::Or, first, second),
            (false, false) => (BinaryOp::Or, first, not(function, second)),
        };
        let condition = add(function, InstKind::Binary { op, left: first, right: second });
        let (then, otherwise) = if on_true { (other, shared) } else { (shared, other) };
        function.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
        return true;
    }
    false
}

/// Moves the instructions of `arm` to the end of `block`.
fn hoist(function: &mut Function, arm: Block, block: Block) {
    let insts = std::mem::take(&mut function.blocks[arm].insts);
    function.blocks[block].insts.extend(insts);
}

/// Whether running the instruction without need costs next to nothing and cannot be noticed.
fn is_cheap(types: &TypePool, function: &Function, inst: clc_ir::Inst) -> bool {
    let data = &function.insts[inst];
    let Some(result) = data.result.and_then(clc_ir::Value::as_local) else { return false };
    debug_assert_eq!(function.values[result].def, ValueDef::Inst(inst));
    if types.lanes(function.values[result].ty) > 4 {
        return false;
    }
    match data.kind {
        InstKind::Binary { op, .. } => match op {
            BinaryOp::IAdd
            | BinaryOp::ISub
            | BinaryOp::IMul
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul => true,
            // Slow, and those of integers are undefined for a divisor of zero.
            BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::FDiv
            | BinaryOp::FRem => false,
        },
        InstKind::Unary { .. } | InstKind::Compare { .. } | InstKind::Select { .. } => true,
        InstKind::Convert { op, .. } => match op {
            ConvertOp::Truncate
            | ConvertOp::ZeroExtend
            | ConvertOp::SignExtend
            | ConvertOp::SToF
            | ConvertOp::UToF
            | ConvertOp::FToF
            | ConvertOp::Bitcast => true,
            ConvertOp::SaturateSToS
            | ConvertOp::SaturateSToU
            | ConvertOp::SaturateUToS
            | ConvertOp::SaturateUToU => false,
            // Undefined out of range, which the branch may have excluded.
            ConvertOp::FToS | ConvertOp::FToU => false,
            ConvertOp::PtrToInt
            | ConvertOp::IntToPtr
            | ConvertOp::ToGeneric
            | ConvertOp::FromGeneric => false,
        },
        InstKind::Extract { .. } | InstKind::Insert { .. } | InstKind::Shuffle { .. } => true,
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        // An index may be out of range on the way not taken.
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Construct { .. }
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. }
        | InstKind::GenericTo { .. } => false,
    }
}
