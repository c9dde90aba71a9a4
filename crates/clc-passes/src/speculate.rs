//! Computes short branches beforehand, so that a choice of values replaces a choice of ways.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, BlockCall, Cfg, Const, ConvertOp, Dominators, Function, Inst, InstKind,
    StorageClass, Terminator, TypeKind, TypePool, UnaryOp, Value, ValueDef,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::{copies, counted, simplify_cfg};

/// Instructions that both arms together may bring before the branch. A choice costs about as much
/// as a branch and a join; more than a few instructions that half the work-items did not ask for
/// would cost more than that.
const ARMS: usize = 4;

/// The same in loops that become a test and one block by it, several turns of which then wait for memory side by side.
const ARMS_OF_LOADING: usize = 16;

/// Blocks of such a loop.
const MAX_LOADING: usize = 12;

/// Choices that a join may turn into.
const CHOICES: usize = 4;

/// Instructions of a loop's last block that may move before the branch that leaves the loop: the
/// step of a counter, mostly.
const STEP: usize = 4;

/// Instructions that may move before a branch to make one condition of two: a comparison and what
/// it compares.
const CONDITION: usize = 2;

/// The same where compilers make vectors of work-items, which go all ways of a branch: such as two narrow numbers that are
/// converted.
const CONDITION_FOR_VECTORS: usize = 4;

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
    before_branches(context, function, CONDITION);
}

/// The same for compilers that make vectors of work-items.
pub fn run_for_vectors(context: &mut ModuleContext<'_>, function: &mut Function) {
    before_branches(context, function, CONDITION_FOR_VECTORS);
}

fn before_branches(context: &mut ModuleContext<'_>, function: &mut Function, condition: usize) {
    simplify_cfg::simplify(context.types, context.consts, function);
    settle(context, function, &Limits { arms: ARMS, condition, within: None });
}

/// Does so with more instructions in innermost loops that `waits` says wait for memory in each turn and that do
/// nothing that could be noticed.
pub(crate) fn flatten_loops(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    waits: impl Fn(&ModuleContext<'_>, &Function, &InstKind) -> bool,
) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let depths = dominators.loops_around(&cfg);
    let mut within = FxHashSet::default();
    for &head in cfg.reverse_post_order() {
        let mut latches = dominators.latches(&cfg, head);
        let (Some(latch), None) = (latches.next(), latches.next()) else { continue };
        let Some(blocks) = counted::blocks(&cfg, &dominators, head) else { continue };
        if !(3..=MAX_LOADING).contains(&blocks.len()) {
            continue;
        }
        let kinds = |block: &Block| {
            function.blocks[*block].insts.iter().map(|&inst| &function.insts[inst].kind)
        };
        // What leaves a loop early stays a branch.
        let ends_at_head = blocks[1..].iter().all(|block| {
            let mut targets = function.blocks[*block].terminator.targets();
            targets.all(|target| blocks.contains(&target.block))
        });
        let is_innermost = blocks.iter().all(|block| depths[block.index()] == depths[head.index()]);
        let is_quiet = blocks.iter().flat_map(kinds).all(|kind| match *kind {
            InstKind::Load { .. } => true,
            InstKind::Call { callee, .. } => context.constant[callee.index()],
            ref kind => copies::is_computation(kind),
        });
        let waits_each_turn = blocks.iter().any(|block| {
            dominators.dominates(*block, latch)
                && kinds(block).any(|kind| waits(context, function, kind))
        });
        if is_innermost && ends_at_head && is_quiet && waits_each_turn {
            within.extend(blocks);
        }
    }
    if !within.is_empty() {
        let zero = context.consts.intern(Const::Int(TypePool::I32, 0));
        let within = Within { blocks: within, zero };
        settle(
            context,
            function,
            &Limits { arms: ARMS_OF_LOADING, condition: CONDITION, within: Some(within) },
        );
    }
}

/// What is brought before branches.
struct Limits {
    /// The instructions of both arms.
    arms: usize,
    /// Those that make one condition of two.
    condition: usize,
    /// The loops that such branches are in; all, if it is not said.
    within: Option<Within>,
}

/// Loops that wait for memory.
struct Within {
    blocks: FxHashSet<Block>,
    /// The index, of 32 bits, of an element that every array has.
    zero: Value,
}

fn settle(context: &mut ModuleContext<'_>, function: &mut Function, limits: &Limits) {
    for _ in 0..ROUNDS {
        if !speculate(context, function, limits) {
            break;
        }
        simplify_cfg::simplify(context.types, context.consts, function);
    }
}

fn speculate(context: &ModuleContext<'_>, function: &mut Function, limits: &Limits) -> bool {
    let types = &*context.types;
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
        let is_cheap = |inst: &Inst| {
            is_cheap(types, function, *inst)
                || limits.within.is_some() && is_harmless(context, function, arm, *inst)
        };
        let insts = &function.blocks[arm].insts;
        (movable
            && function.blocks[arm].params.is_empty()
            && size(context, function, arm) <= limits.arms
            && insts.iter().all(is_cheap))
        .then_some(next)
    };

    let mut changed = false;
    // How many loops blocks are in, once it is asked.
    let mut depths: Option<Vec<u32>> = None;
    for place in 0..function.layout.len() {
        let block = function.layout[place];
        // Its condition has joined that of the block before, which alone led here: what comes
        // next is entered from there.
        if place > 0 && entries[block.index()] == 0
            || limits.within.as_ref().is_some_and(|within| !within.blocks.contains(&block))
        {
            continue;
        }
        for _ in 1..CONDITIONS {
            if !join_conditions(types, function, block, limits, &mut entries, &pinned) {
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
            [Some(left), Some(right)] if left.block == right.block => {
                Some((&arms[..], [left, right]))
            }
            [Some(left), _] if left.block == otherwise.block => {
                Some((&arms[..1], [left, otherwise]))
            }
            [_, Some(right)] if right.block == then.block => Some((&arms[1..], [then, right])),
            _ => None,
        };
        let Some((moved, ways)) = found else {
            // The arm that goes round the loop, if the other leaves it.
            let step = arms.into_iter().zip(next).find(|(arm, next)| {
                let goes_round = next.is_some_and(|next| order[next.block.index()] <= place as u32);
                goes_round && (1..=STEP).contains(&function.blocks[*arm].insts.len())
            });
            // Not that of a loop around, which would be done in each turn.
            if let Some((arm, _)) = step
                && let depths = &*depths.get_or_insert_with(|| {
                    let cfg = Cfg::new(function);
                    Dominators::new(&cfg).loops_around(&cfg)
                })
                && depths[arm.index()] == depths[block.index()]
            {
                hoist(function, arm, block);
                changed = true;
            }
            continue;
        };
        let instructions: usize = moved.iter().map(|&arm| size(context, function, arm)).sum();
        if (1..=limits.arms).contains(&instructions)
            && ways[0].block != block
            && !pinned[ways[0].block.index()]
            && are_few(types, function, ways)
        {
            for &arm in moved {
                if let Some(within) = &limits.within {
                    guard_loads(context, function, within, arm, block);
                }
                hoist(function, arm, block);
            }
            changed = true;
        }
    }
    changed
}

/// The instructions of a block, with those of short functions that it calls.
fn size(context: &ModuleContext<'_>, function: &Function, block: Block) -> usize {
    let insts = function.blocks[block].insts.iter();
    let sizes = insts.map(|&inst| match function.insts[inst].kind {
        InstKind::Call { callee, .. } => context.short[callee.index()].unwrap_or(1).into(),
        _ => 1,
    });
    sizes.sum()
}

/// Whether few of the values differ that a block gets on two ways, and one of each can be chosen.
fn are_few(types: &TypePool, function: &Function, ways: [BlockCall; 2]) -> bool {
    let [left, right] = ways.map(|way| function.values_of(way.arguments));
    let params = &function.blocks[ways[0].block].params;
    let mut choices = 0;
    params.iter().zip(left.zip(right)).filter(|(_, (left, right))| left != right).all(
        |(param, _)| {
            choices += 1;
            let ty = function.values[param.as_local().unwrap_or_default()].ty;
            choices <= CHOICES && simplify_cfg::is_selectable(types, ty)
        },
    )
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
    limits: &Limits,
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
            || !is_short(types, function, inner.block, limits.condition)
        {
            continue;
        }
        hoist(function, inner.block, block);
        entries[inner.block.index()] = 0;
        entries[shared.block.index()] -= 1;
        let location = function.blocks[block].location;
        let add =
            |function: &mut Function, kind| function.compute(block, kind, TypePool::BOOL, location);
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

/// Whether it finds an address, is an instruction of GPUs, calls a short function, or loads from an array of private memory
/// or of the work-group: within its bounds, as from a table that is no more than that, or by an index that can be another one
/// where it is not asked for.
fn is_harmless(context: &ModuleContext<'_>, function: &Function, arm: Block, inst: Inst) -> bool {
    match function.insts[inst].kind {
        InstKind::Access { .. } => true,
        InstKind::Intrinsic { intrinsic, .. } => is_instruction(intrinsic),
        InstKind::Call { callee, .. } => context.short[callee.index()].is_some(),
        InstKind::Load { pointer, access } if !access.flags.volatile => {
            let Some(Element { access, index, count }) = element(context, function, pointer) else {
                return false;
            };
            let ty = context.type_of(function, index);
            below(context, function, index).is_some_and(|most| most < count)
                || ty == TypePool::I32 && function.blocks[arm].insts.contains(&access)
        }
        _ => false,
    }
}

/// Whether GPUs have an instruction for it, as fast as an addition.
fn is_instruction(intrinsic: Intrinsic) -> bool {
    use Intrinsic::{Fabs, Fmax, Fmin, SAbs, SMax, SMin, UMax, UMin};
    matches!(intrinsic, SMin | SMax | UMin | UMax | Fmin | Fmax | Fabs | SAbs)
}

/// An element of an array with a known number of them.
struct Element {
    access: Inst,
    index: Value,
    count: u64,
}

/// The element of a variable that a pointer points to.
fn element(context: &ModuleContext<'_>, function: &Function, pointer: Value) -> Option<Element> {
    let (access, data) = function.def_inst(pointer)?;
    let InstKind::Access { base, indices } = data.kind else { return None };
    let mut indices = function.values_of(indices);
    let (Some(index), None) = (indices.next(), indices.next()) else { return None };
    let is_variable = match base.as_const() {
        Some(base) => matches!(context.consts.get(base), Const::GlobalAddress(..)),
        None => matches!(function.def_inst(base)?.1.kind, InstKind::Variable { .. }),
    };
    let (ty, class) = context.types.pointer_parts(context.type_of(function, base))?;
    let TypeKind::Array(_, count) = context.types.kind(ty) else { return None };
    let is_near = matches!(class, StorageClass::Function | StorageClass::Workgroup);
    (is_variable && is_near && count > 0).then_some(Element { access, index, count })
}

/// Lets loads of `arm`, which is to move before the branch of `block`, load the first element of an array where the branch
/// goes elsewhere and an index may be anything. Others may write that element meanwhile: nothing looks at what is loaded.
fn guard_loads(
    context: &ModuleContext<'_>,
    function: &mut Function,
    within: &Within,
    arm: Block,
    block: Block,
) {
    let Terminator::Branch { condition, then, .. } = function.blocks[block].terminator else {
        return;
    };
    let mut guarded = Vec::new();
    for &inst in &function.blocks[arm].insts {
        if let InstKind::Load { pointer, .. } = function.insts[inst].kind
            && let Some(Element { access, index, count }) = element(context, function, pointer)
            && below(context, function, index).is_none_or(|most| most >= count)
            && !guarded.contains(&(access, index))
        {
            guarded.push((access, index));
        }
    }
    for (access, index) in guarded {
        let (then, otherwise) = match then.block == arm {
            true => (index, within.zero),
            false => (within.zero, index),
        };
        let location = function.insts[access].location;
        let kind = InstKind::Select { condition, then, otherwise };
        let chosen = function.compute(arm, kind, TypePool::I32, location);
        function.map_operands(access, |value| if value == index { chosen } else { value });
        // Where it is needed.
        let insts = &mut function.blocks[arm].insts;
        let select = insts.pop();
        let place = insts.iter().position(|&inst| inst == access).unwrap_or(0);
        insts.splice(place..place, select);
    }
}

/// The largest number that an index is, if it is a constant or masked by one.
fn below(context: &ModuleContext<'_>, function: &Function, index: Value) -> Option<u64> {
    let constant = |value| context.signed(value).and_then(|number| u64::try_from(number).ok());
    constant(index).or_else(|| match function.def_inst(index)?.1.kind {
        InstKind::Binary { op: BinaryOp::And, left, right } => {
            constant(left).into_iter().chain(constant(right)).min()
        }
        _ => None,
    })
}

/// Whether running the instruction without need costs next to nothing and cannot be noticed.
fn is_cheap(types: &TypePool, function: &Function, inst: Inst) -> bool {
    let data = &function.insts[inst];
    let Some(result) = data.result.and_then(Value::as_local) else { return false };
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
