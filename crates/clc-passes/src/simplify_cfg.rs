//! Simplifies control flow.

use clc_base::Id;
use clc_ir::debug::Location;
use clc_ir::{
    Block, BlockCall, Const, ConstPool, Function, InstKind, MathFlags, Terminator, TypeKind,
    TypePool, Value, ValueDef, ValueList,
};

use crate::context::ModuleContext;
use crate::replacements::{Replacements, use_counts};

/// Joins of more edges than this stay apart. The joins of a long else-if chain nest; made one, they
/// would be a block with thousands of predecessors at all depths of the dominator tree, for which
/// the usual dominator algorithms (the validator's, drivers') take quadratic time.
const JOINED_EDGES: u32 = 32;

/// Rounds before giving up; each is linear, and real code settles in two or three.
const ROUNDS: usize = 6;

/// Folds branches on constants, sends jumps past blocks that only jump on, turns choices between
/// block arguments into selects, removes block parameters that are always one value, and joins
/// blocks that follow each other.
///
/// Runs early, because every block and parameter costs all later passes, and again whenever
/// conditions may have become constant. Blocks named by a loop hint keep their role.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    simplify(context.types, context.consts, function);
}

/// Drops blocks that control cannot reach, which emission would have to order otherwise.
pub fn unreachable_blocks(_: &mut ModuleContext<'_>, function: &mut Function) {
    remove_unreachable(function);
}

/// Drops the blocks of one function that control cannot reach; the layout becomes a reverse
/// post-order.
pub fn remove_unreachable(function: &mut Function) {
    if function.is_declaration() {
        return;
    }
    function.layout = clc_ir::reverse_post_order(function);
    if function.loop_hints.is_empty() {
        return;
    }
    let mut live = vec![false; function.blocks.len()];
    for block in &function.layout {
        live[block.index()] = true;
    }
    function.loop_hints.retain(|header, hint| {
        // Only returns may leave the loop.
        if !live[hint.merge.index()] {
            hint.merge = *header;
        }
        live[header.index()] && live[hint.continue_target.index()]
    });
}

/// Simplifies the control flow of one function that has a body.
pub(crate) fn simplify(types: &mut TypePool, consts: &mut ConstPool, function: &mut Function) {
    if function.blocks[function.entry()].terminator.targets().next().is_none() {
        remove_unreachable(function);
        return;
    }
    for round in 0..ROUNDS {
        let mut changed = fold_terminators(consts, function);
        // The steps below keep a reverse post-order.
        if changed || round == 0 {
            remove_unreachable(function);
        }
        if thread_jumps(consts, function) {
            remove_unreachable(function);
            changed = true;
        }
        changed |= choices_to_selects(types, function);
        changed |= remove_constant_params(function);
        changed |= merge_chains(function);
        if !changed {
            break;
        }
    }
}

/// The value of a constant condition.
fn constant_bool(consts: &ConstPool, value: Value) -> Option<bool> {
    match consts.get(value.as_const()?) {
        Const::Bool(value) => Some(*value),
        // Either way is right for an undefined condition.
        Const::Undef(_) => Some(false),
        _ => None,
    }
}

/// Whether two edges go to one block with the same arguments.
pub(crate) fn same_call(function: &Function, left: BlockCall, right: BlockCall) -> bool {
    left.block == right.block
        && (left.arguments == right.arguments
            || function.numbers_of(left.arguments) == function.numbers_of(right.arguments))
}

/// Where `terminator` goes if that is certain, or a simpler form of it.
fn fold_terminators(consts: &ConstPool, function: &mut Function) -> bool {
    let mut changed = false;
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let folded = match &function.blocks[block].terminator {
            Terminator::Branch { condition, then, otherwise } => {
                if same_call(function, *then, *otherwise) {
                    Some(Terminator::Jump(*then))
                } else if let Some(condition) = constant_bool(consts, *condition) {
                    Some(Terminator::Jump(if condition { *then } else { *otherwise }))
                } else {
                    match function.def_inst(*condition).map(|(_, data)| data.kind) {
                        Some(InstKind::Unary { op: clc_ir::UnaryOp::Not, operand }) => {
                            Some(Terminator::Branch {
                                condition: operand,
                                then: *otherwise,
                                otherwise: *then,
                            })
                        }
                        _ => None,
                    }
                }
            }
            Terminator::Switch { selector, default, cases } => {
                match selector.as_const().map(|id| consts.get(id)) {
                    Some(Const::Int(_, bits)) => {
                        let case = cases.iter().find(|case| case.value == *bits);
                        Some(Terminator::Jump(case.map_or(*default, |case| case.target)))
                    }
                    Some(Const::Undef(_)) => Some(Terminator::Jump(*default)),
                    _ if cases.iter().all(|case| same_call(function, case.target, *default)) => {
                        Some(Terminator::Jump(*default))
                    }
                    _ => None,
                }
            }
            Terminator::None
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Unreachable => None,
        };
        if let Some(folded) = folded {
            function.blocks[block].terminator = folded;
            changed = true;
        }
    }
    changed
}

/// By block: how many edges lead to it from `blocks`.
pub(crate) fn entries(function: &Function, blocks: &[Block]) -> Vec<u32> {
    let mut entries = vec![0u32; function.blocks.len()];
    for &block in blocks {
        for target in function.blocks[block].terminator.targets() {
            entries[target.block.index()] += 1;
        }
    }
    entries
}

/// Blocks that a loop hint names, which must stay what they are.
pub(crate) fn pinned(function: &Function) -> Vec<bool> {
    let mut pinned = vec![false; function.blocks.len()];
    for (header, hint) in &function.loop_hints {
        for block in [*header, hint.merge, hint.continue_target] {
            pinned[block.index()] = true;
        }
    }
    pinned
}

/// Whether only its own terminator uses the parameters of a block without instructions, so that a
/// predecessor can do the jump itself.
fn is_passage(function: &Function, block: Block, counts: &[u32], own: &mut [u32]) -> bool {
    let data = &function.blocks[block];
    if data.params.is_empty() {
        return true;
    }
    let mut unseen = 0;
    function.each_terminator_operand(block, |value| {
        if let Some(index) = value.as_local() {
            own[index] += 1;
        }
    });
    for &param in &data.params {
        if let Some(index) = param.as_local() {
            unseen += counts[index] - own[index].min(counts[index]);
        }
    }
    function.each_terminator_operand(block, |value| {
        if let Some(index) = value.as_local() {
            own[index] = 0;
        }
    });
    unseen == 0
}

/// What a block parameter becomes when its block is entered with `arguments`.
fn substitute(function: &Function, block: Block, arguments: ValueList, value: Value) -> Value {
    match function.def(value) {
        Some(ValueDef::Param(owner, index)) if owner == block => {
            function.value_at(arguments, index as usize)
        }
        _ => value,
    }
}

/// By block: whether it is one that predecessors can jump past. Nothing, if none is.
fn passages(function: &Function) -> Option<Vec<bool>> {
    let pinned = pinned(function);
    let is_empty = |block: &Block| {
        let data = &function.blocks[*block];
        data.insts.is_empty()
            && !pinned[block.index()]
            && matches!(
                data.terminator,
                Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. }
            )
    };
    let mut empty = function.layout[1..].iter().filter(|block| is_empty(block)).peekable();
    empty.peek()?;
    let counts = use_counts(function);
    let mut own = vec![0u32; function.values.len()];
    let mut passages = vec![false; function.blocks.len()];
    let mut any = false;
    for &block in empty {
        let is_one = is_passage(function, block, &counts, &mut own);
        passages[block.index()] = is_one;
        any |= is_one;
    }
    any.then_some(passages)
}

/// Sends edges past empty blocks: those that jump, and those that branch on a parameter which is
/// constant on the edge.
fn thread_jumps(consts: &ConstPool, function: &mut Function) -> bool {
    let Some(passage) = passages(function) else { return false };
    let mut incoming = entries(function, &function.layout);
    let mut changed = false;
    // Successors first: what they forward to is final then, and one step is enough.
    for index in (0..function.layout.len()).rev() {
        let block = function.layout[index];
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        for target in terminator.targets_mut() {
            if !passage[target.block.index()] || target.block == block {
                continue;
            }
            let next = match &function.blocks[target.block].terminator {
                Terminator::Jump(next) => *next,
                Terminator::Branch { condition, then, otherwise } => {
                    let condition =
                        substitute(function, target.block, target.arguments, *condition);
                    match constant_bool(consts, condition) {
                        Some(true) => *then,
                        Some(false) => *otherwise,
                        None => continue,
                    }
                }
                Terminator::Switch { selector, default, cases } => {
                    let selector = substitute(function, target.block, target.arguments, *selector);
                    match selector.as_const().map(|id| consts.get(id)) {
                        Some(Const::Int(_, bits)) => cases
                            .iter()
                            .find(|case| case.value == *bits)
                            .map_or(*default, |case| case.target),
                        _ => continue,
                    }
                }
                Terminator::None | Terminator::Return(_) | Terminator::Unreachable => continue,
            };
            if next.block == target.block {
                continue;
            }
            let is_join = incoming[target.block.index()] > 1;
            if is_join && incoming[next.block.index()] >= JOINED_EDGES {
                continue;
            }
            incoming[target.block.index()] -= 1;
            incoming[next.block.index()] += 1;
            let arguments: Vec<Value> = function
                .values_of(next.arguments)
                .map(|value| substitute(function, target.block, target.arguments, value))
                .collect();
            *target = BlockCall { block: next.block, arguments: function.list(&arguments) };
            changed = true;
        }
        function.blocks[block].terminator = terminator;
    }
    changed
}

/// Whether a select may choose between values of `ty`.
pub(crate) fn is_selectable(types: &TypePool, ty: clc_ir::Type) -> bool {
    matches!(
        types.kind(ty),
        TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Vector(..)
            | TypeKind::Pointer { .. }
    )
}

/// `branch c, b(x), b(y)` becomes `jump b(select c, x, y)`.
fn choices_to_selects(types: &mut TypePool, function: &mut Function) -> bool {
    let mut changed = false;
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let Terminator::Branch { condition, then, otherwise } = function.blocks[block].terminator
        else {
            continue;
        };
        if then.block != otherwise.block {
            continue;
        }
        let params = &function.blocks[then.block].params;
        let selectable = params.iter().enumerate().all(|(position, &param)| {
            let ty = function.values[param.as_local().unwrap_or_default()].ty;
            function.value_at(then.arguments, position)
                == function.value_at(otherwise.arguments, position)
                || is_selectable(types, ty)
        });
        if !selectable {
            continue;
        }
        let location = function.blocks[block].location;
        let arguments: Vec<Value> = (0..then.arguments.len())
            .map(|position| {
                let left = function.value_at(then.arguments, position);
                let right = function.value_at(otherwise.arguments, position);
                if left == right {
                    return left;
                }
                let param = function.blocks[then.block].params[position];
                let ty = function.values[param.as_local().unwrap_or_default()].ty;
                let condition = splat_condition(types, function, block, condition, ty, location);
                let kind = InstKind::Select { condition, then: left, otherwise: right };
                let inst = function.append(block, kind, Some(ty), MathFlags::NONE, location);
                function.insts[inst].result.expect("a select has a result")
            })
            .collect();
        let arguments = function.list(&arguments);
        function.blocks[block].terminator =
            Terminator::Jump(BlockCall { block: then.block, arguments });
        changed = true;
    }
    changed
}

/// The condition that selects between values of `ty`.
fn splat_condition(
    types: &mut TypePool,
    function: &mut Function,
    block: Block,
    condition: Value,
    ty: clc_ir::Type,
    location: Location,
) -> Value {
    let lanes = types.lanes(ty);
    if lanes == 1 {
        return condition;
    }
    let ty = types.vector(TypePool::BOOL, lanes);
    let parts = function.list(&vec![condition; usize::from(lanes)]);
    let kind = InstKind::Construct { parts };
    function.compute(block, kind, ty, location)
}

/// Replaces block parameters that get the same value on every edge (or themselves).
///
/// Blocks are visited in reverse post-order, so that one round settles everything but loops.
pub fn remove_constant_params(function: &mut Function) -> bool {
    if function.layout.iter().skip(1).all(|&block| function.blocks[block].params.is_empty()) {
        return false;
    }
    // The argument lists of the edges into block `b`: `edges[starts[b]..starts[b + 1]]`.
    let mut starts = vec![0usize; function.blocks.len() + 1];
    for &block in &function.layout {
        for target in function.blocks[block].terminator.targets() {
            starts[target.block.index() + 1] += 1;
        }
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut edges = vec![ValueList::EMPTY; starts[function.blocks.len()]];
    let mut fill = starts.clone();
    for &block in &function.layout {
        for target in function.blocks[block].terminator.targets() {
            let place = &mut fill[target.block.index()];
            edges[*place] = target.arguments;
            *place += 1;
        }
    }

    let mut replacements = Replacements::default();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for &block in &function.layout[1..] {
            let edges = &edges[starts[block.index()]..starts[block.index() + 1]];
            for (position, &param) in function.blocks[block].params.iter().enumerate() {
                if replacements.resolve(param) != param {
                    continue;
                }
                let mut values = edges.iter().map(|&edge| function.value_at(edge, position));
                let mut only = None;
                let same = values.all(|value| {
                    let value = replacements.resolve(value);
                    value == param || *only.get_or_insert(value) == value
                });
                if let (true, Some(value)) = (same, only) {
                    replacements.set(param, value);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    if replacements.is_empty() {
        return false;
    }
    let mut keep: Vec<Option<Vec<bool>>> = vec![None; function.blocks.len()];
    for &block in &function.layout[1..] {
        let params = &function.blocks[block].params;
        let flags: Vec<bool> =
            params.iter().map(|&param| replacements.resolve(param) == param).collect();
        if flags.contains(&false) {
            keep[block.index()] = Some(flags);
        }
    }
    retain_params(function, &keep);
    replacements.apply(function);
    true
}

/// Keeps the block parameters whose flag is set, and the arguments for them.
pub fn retain_params(function: &mut Function, keep: &[Option<Vec<bool>>]) {
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        for target in terminator.targets_mut() {
            if let Some(flags) = &keep[target.block.index()] {
                let kept: Vec<Value> = function
                    .values_of(target.arguments)
                    .zip(flags)
                    .filter_map(|(value, &keep)| keep.then_some(value))
                    .collect();
                target.arguments = function.list(&kept);
            }
        }
        function.blocks[block].terminator = terminator;
    }
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        if let Some(flags) = &keep[block.index()] {
            let params = std::mem::take(&mut function.blocks[block].params);
            let kept: Vec<Value> = params
                .into_iter()
                .zip(flags)
                .filter_map(|(param, &keep)| keep.then_some(param))
                .collect();
            for (position, param) in kept.iter().enumerate() {
                let index = param.as_local().unwrap_or_default();
                function.values[index].def = ValueDef::Param(block, position as u32);
            }
            function.blocks[block].params = kept;
        }
    }
}

/// Whether a loop hint says that a loop starts here.
fn is_hinted_header(function: &Function, block: Block) -> bool {
    !function.loop_hints.is_empty() && function.loop_hints.contains_key(&block)
}

/// Joins a block with its only successor when it is that block's only predecessor.
pub(crate) fn merge_chains(function: &mut Function) -> bool {
    let entries = entries(function, &function.layout);
    let entry = function.entry();
    let pinned = pinned(function);
    let mut replacements = Replacements::default();
    let mut gone = vec![false; function.blocks.len()];
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        if gone[block.index()] {
            continue;
        }
        while let Terminator::Jump(next) = function.blocks[block].terminator {
            let follows = next.block != entry
                && next.block != block
                && entries[next.block.index()] == 1
                && !pinned[next.block.index()]
                && !is_hinted_header(function, block);
            if !follows {
                break;
            }
            let data = std::mem::take(&mut function.blocks[next.block]);
            for (&param, value) in data.params.iter().zip(function.values_of(next.arguments)) {
                replacements.set(param, value);
            }
            let into = &mut function.blocks[block];
            into.insts.extend(data.insts);
            into.terminator = data.terminator;
            into.location = data.location;
            gone[next.block.index()] = true;
        }
    }
    let changed = gone.contains(&true);
    if changed {
        function.layout.retain(|block| !gone[block.index()]);
        replacements.apply(function);
    }
    changed
}
