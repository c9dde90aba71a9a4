//! Writes out loops that index private arrays, where that makes values of the arrays' elements and drivers would not
//! find out: loops in loops whose bounds count in the outer one, as those over a half of a matrix.
//!
//! ```text
//! for (r = 0; r < 3; r++)                 x[1] -= a[1][0] * x[0];
//!     for (k = 0; k < r; k++)       ->    x[2] -= a[2][0] * x[0];
//!         x[r] -= a[r][k] * x[k];         x[2] -= a[2][1] * x[1];
//! ```
//!
//! Shaders' drivers write out other loops with a known number of turns, as [`unroll_hints`](crate::unroll_hints) asks them
//! to, and find the elements by themselves; those of OpenCL's make vectors of work-items first, and gather and scatter
//! what an array in memory holds. For these all loops that index arrays are written out; but not with a test before each
//! turn, which takes more registers than they have and costs more than memory does. Where a loop with those in it
//! would be too much, these are written out, and the arrays that it indexes by itself stay in memory.
//!
//! Nor do drivers look into tables where indices of an array come from.
//!
//! A loop that turns one of two numbers of times is written out with a test before each turn, as is one that turns as often
//! as it is told and accesses another element of an array in each turn.
//!
//! A loop may leave early: one that moves the elements of a short list up until a new one fits does. What then indexes
//! the list behind the loop chooses among its elements:
//!
//! ```text
//! a[k] = x;                        ->     a[0] = k == 0 ? x : a[0]; a[1] = k == 1 ? x : a[1];
//! ```
//!
//! An array that is indexed in more places stays in memory whatever is written out, so that nothing is then.

mod choices;
mod few;
mod long;
mod tested;

use clc_base::Id as _;
use clc_ir::{
    Block, Cfg, ConvertOp, Dominators, Function, Inst, InstKind, Module, StorageClass, Terminator,
    Type, TypeKind, TypePool, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls;
use crate::context::{ModuleContext, each_by_id};
use crate::counted::{self, Known, Loop};
use crate::fold::Folder;
use crate::inline::function_size;
use crate::simplify_cfg::{self, remove_unreachable};
use crate::written_turns::{self, Turns, Uses};
use crate::{common_subexpressions, dead_code, mem2reg, simplify, sroa, unroll_hints};

/// Instructions that all loops of a function may become.
const MAX_SIZE: u64 = 4096;

/// The same, where drivers would not do it otherwise.
const MAX_SIZE_FOR_ALL: u64 = 2048;

/// Instructions that all copies of a function may be together that such drivers make, which inline all calls, where a loop is
/// left in it: they follow carries through such loops, from a multiplication of long numbers into the next, and take a minute
/// over twenty of these.
const MAX_SIZE_OF_COPIES: u64 = 4096;

/// Instructions that a way of a switch counts for, where drivers make vectors of work-items: these take all of them, one
/// after the other.
const WAY: u64 = 32;

/// Elements of an array that may become values.
const MAX_ELEMENTS: u64 = 160;

/// Loops in loops in loops.
const MAX_DEPTH: usize = 6;

/// Arrays that may turn out to stay in memory, one after the other.
const MAX_TRIES: usize = 3;

/// Which loops are written out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those that drivers do not write out: whose turns depend on a loop around them or are many, and that may leave
    /// early.
    Hard,
    All,
}

/// Writes out the loops of a function that has such arrays and that drivers would not write out; `sroa` and `mem2reg`
/// are to make values of the elements.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    write_out(context, function, Which::Hard, MAX_SIZE);
}

/// Writes out all loops of functions that index small arrays, and makes values of their elements.
pub fn run_for_all(module: &mut Module) {
    let copies = calls::copies(&module.functions);
    each_by_id(module, |context, id, function| {
        let is_copied = copies[id.index()] > 1 && has_arrays(context.types, function);
        let original = is_copied.then(|| function.clone());
        if !write_out(context, function, Which::All, MAX_SIZE_FOR_ALL) {
            return;
        }
        let size = (function_size(function) as u64).saturating_mul(copies[id.index()]);
        match original.filter(|_| size > MAX_SIZE_OF_COPIES && Cfg::new(function).has_loops()) {
            Some(original) => *function = original,
            None => make_values(context, function),
        }
    });
}

fn has_arrays(types: &TypePool, function: &Function) -> bool {
    function.blocks[function.entry()].insts.iter().any(|&inst| {
        matches!(function.insts[inst].kind, InstKind::Variable { ty, .. }
            if elements(types, ty).is_some())
    })
}

/// Makes values of what private variables hold, and simplifies what follows from them.
pub(crate) fn make_values(context: &mut ModuleContext<'_>, function: &mut Function) {
    sroa::run(context, function);
    mem2reg::run(context, function);
    simplify_cfg::run(context, function);
    simplify::run(context, function);
    common_subexpressions::run(context, function);
    dead_code::run(context, function);
    simplify_cfg::run(context, function);
}

fn write_out(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    which: Which,
    most: u64,
) -> bool {
    if !has_arrays(context.types, function) {
        return false;
    }
    remove_unreachable(function);
    let mut arrays = arrays(context, function, which);
    for _ in 0..MAX_TRIES {
        let left_to_driver =
            which == Which::All && few::are_counted_through(context, function, &arrays);
        if arrays.is_empty() || left_to_driver {
            return false;
        }
        let original = function.clone();
        unroll(context, function, &arrays, which, most);
        let stay = choices::choose(context, function, &arrays);
        if stay.is_empty() {
            return true;
        }
        *function = original;
        arrays.retain(|array| !stay.contains(array));
    }
    false
}

/// Writes out the loops that index some arrays, those in loops after those around them.
fn unroll(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    arrays: &FxHashSet<Value>,
    which: Which,
    mut left: u64,
) {
    for _ in 0..MAX_DEPTH {
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let loops = counted::loops(function, &cfg, &dominators);
        let needed = needed(context.types, function, &loops, arrays);
        let sizes = sizes(function, &loops, &needed, arrays, which);
        let size =
            |found: &Loop| -> u64 { found.blocks.iter().map(|&block| sizes[block.index()]).sum() };
        let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        let uses = Uses::new(function);
        let mut chosen: Vec<(&Loop, Turns)> = Vec::new();
        let mut taken = FxHashSet::default();
        // Loops that stay, because those in them are bounded.
        let mut stay = FxHashSet::default();
        for (index, found) in loops.iter().enumerate() {
            if taken.contains(&found.header)
                || stay.contains(&found.header)
                || !needed.contains(&found.header)
                || found.has_variables(function)
                || !written_turns::can_unroll(folder.types, function, found, &uses)
            {
                continue;
            }
            let turns = counted::turns(&mut folder, function, found, &Known::default());
            let Some((turns, _)) = turns else {
                if which == Which::Hard
                    && let Some(counted) =
                        tested::turns(&mut folder, function, found, &dominators, &uses)
                    && let Some(rest) = left.checked_sub(size(found) * counted.len() as u64)
                {
                    left = rest;
                    taken.extend(found.blocks.iter().copied());
                    chosen.push((found, Turns::Tested(counted)));
                }
                continue;
            };
            let inner: Vec<&Loop> =
                loops[index + 1..].iter().filter(|inner| found.contains(inner.header)).collect();
            let whole = Nest { around: found, inner, size: &size, uses: &uses };
            if which == Which::Hard
                && let Some(bounded) = whole.bounded(&mut folder, function, arrays, left)
            {
                stay.insert(found.header);
                for (inner, counted) in bounded {
                    let turns = counted.len() as u64 - 1;
                    left = left.saturating_sub(size(inner).saturating_mul(turns));
                    taken.extend(inner.blocks.iter().copied());
                    chosen.push((inner, Turns::Tested(counted)));
                }
                continue;
            }
            // With those in it, which are written out next: where these are too many, they are better than the one around.
            if which == Which::All
                && whole.all(&mut folder, function, &needed, &sizes).saturating_mul(turns) > left
            {
                continue;
            }
            let grown = size(found).saturating_mul(turns);
            if let Some(rest) = left.checked_sub(grown) {
                left = rest;
                taken.extend(found.blocks.iter().copied());
                chosen.push((found, Turns::All(turns)));
            }
        }
        if chosen.is_empty() {
            break;
        }
        written_turns::unroll(context.types, function, &chosen);
        // The counted variables become the constants that they are, those of loops that left early, too.
        mem2reg::run(context, function);
        simplify_cfg::run(context, function);
        simplify::run(context, function);
    }
}

/// A loop whose turns are known, with those in it.
struct Nest<'a> {
    around: &'a Loop,
    inner: Vec<&'a Loop>,
    size: &'a dyn Fn(&Loop) -> u64,
    uses: &'a Uses,
}

impl<'a> Nest<'a> {
    /// The instructions of a turn, with all turns of those in it that are written out, by what blocks have.
    fn all(
        &self,
        folder: &mut Folder<'_>,
        function: &Function,
        needed: &FxHashSet<Block>,
        sizes: &[u64],
    ) -> u64 {
        let mut turns_of = |inner: &Loop| {
            let turns = counted::turns(folder, function, inner, &Known::default());
            turns.map_or(1, |(turns, _)| turns)
        };
        let needed = self.inner.iter().filter(|inner| needed.contains(&inner.header));
        let inner: Vec<(&Loop, u64)> = needed.map(|inner| (*inner, turns_of(inner))).collect();
        let of_each = |block: Block| {
            let around = inner.iter().filter(|(inner, _)| inner.contains(block));
            around.fold(sizes[block.index()], |size, (_, turns)| size.saturating_mul(*turns))
        };
        let blocks = self.around.blocks.iter();
        blocks.fold(0u64, |all, &block| all.saturating_add(of_each(block)))
    }

    /// The loops in it whose bounds it counts, with what they count themselves, where all turns of all of them would be too
    /// many and it is enough to write out those of one, with a test before each.
    fn bounded(
        &self,
        folder: &mut Folder<'_>,
        function: &Function,
        arrays: &FxHashSet<Value>,
        left: u64,
    ) -> Option<Vec<(&'a Loop, Vec<Known>)>> {
        for &inner in &self.inner {
            // Another one is like it in each turn, and is written out later.
            if counted::turns(folder, function, inner, &Known::default()).is_some() {
                return None;
            }
        }
        let turns = counted::each_turn(folder, function, self.around)?;
        let mut all = (self.size)(self.around).saturating_mul(turns.len() as u64);
        let mut tested = 0u64;
        let mut bounded = Vec::new();
        for &inner in &self.inner {
            let mut most = 0;
            for known in &turns {
                let (turns, _) = counted::turns(folder, function, inner, known)?;
                all = all.saturating_add((self.size)(inner).saturating_mul(turns));
                most = most.max(turns);
            }
            tested = tested.saturating_add((self.size)(inner).saturating_mul(most));
            bounded.push((
                inner,
                written_turns::tested(folder, function, inner, &turns, most, self.uses)?,
            ));
        }
        let is_enough = !bounded.is_empty()
            && all > left
            && tested <= left
            && self.indices_are_counted_inside(function, arrays);
        is_enough.then_some(bounded)
    }

    /// Whether what indexes arrays is a constant in each turn of the loops inside, whatever the loop around counts.
    fn indices_are_counted_inside(&self, function: &Function, arrays: &FxHashSet<Value>) -> bool {
        let mut constants: FxHashSet<Value> = FxHashSet::default();
        for inner in &self.inner {
            constants.extend(inner.counters_from_constants(function));
        }
        self.around.blocks.iter().flat_map(|&block| &function.blocks[block].insts).all(|&inst| {
            let data = &function.insts[inst];
            let mut all = true;
            function.each_operand(inst, |value| {
                all &= value.is_const() || constants.contains(&value) || arrays.contains(&value);
            });
            match data.kind {
                InstKind::Binary { .. } | InstKind::Convert { .. } => {
                    constants.extend(data.result.filter(|_| all));
                    true
                }
                InstKind::Access { base, .. } => all || !arrays.contains(&base),
                _ => true,
            }
        })
    }
}

/// The elements of an array of arrays and how many there are, if it may become values.
fn elements(types: &TypePool, ty: Type) -> Option<(Type, u64)> {
    let TypeKind::Array(mut element, mut count) = types.kind(ty) else { return None };
    while let TypeKind::Array(inner, inner_count) = types.kind(element) {
        count = count.saturating_mul(inner_count);
        element = inner;
    }
    (count <= MAX_ELEMENTS).then_some((element, count))
}

/// The private variable that an instruction indexes by what is no constant.
fn indexed(function: &Function, inst: Inst) -> Option<Value> {
    let InstKind::Access { base, indices } = function.insts[inst].kind else { return None };
    let (_, variable) = function.def_inst(base)?;
    let is_dynamic = function.values_of(indices).any(|index| !index.is_const());
    (is_dynamic && matches!(variable.kind, InstKind::Variable { .. })).then_some(base)
}

/// The heads of the loops that have to be written out for the indices of some arrays to be constants: those that count
/// what the indices are computed from, and what decides how often such loops turn.
fn needed(
    types: &TypePool,
    function: &Function,
    loops: &[Loop],
    arrays: &FxHashSet<Value>,
) -> FxHashSet<Block> {
    let by_header: FxHashMap<Block, &Loop> =
        loops.iter().map(|found| (found.header, found)).collect();
    let mut incoming: FxHashMap<Block, Vec<Value>> = FxHashMap::default();
    for &from in &function.layout {
        for target in function.blocks[from].terminator.targets() {
            let arguments = function.values_of(target.arguments);
            incoming.entry(target.block).or_default().extend(arguments);
        }
    }
    let mut needed = FxHashSet::default();
    // Which of two constants is chosen is not asked for.
    let choices = loops.iter().filter_map(|found| counted::choice(function, found));
    let mut seen: FxHashSet<Value> = choices.map(|(of, _)| of).collect();
    let mut left = Vec::new();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        if indexed(function, inst).is_some_and(|array| arrays.contains(&array))
            && let InstKind::Access { indices, .. } = function.insts[inst].kind
        {
            left.extend(function.values_of(indices));
        }
    }
    while let Some(value) = left.pop() {
        let Some(local) = value.as_local().filter(|_| seen.insert(value)) else { continue };
        match function.values[local].def {
            ValueDef::Inst(inst) => match function.insts[inst].kind {
                InstKind::Binary { .. }
                | InstKind::Unary { .. }
                | InstKind::Compare { .. }
                | InstKind::Select { .. }
                | InstKind::Convert { .. }
                | InstKind::Access { .. }
                | InstKind::PtrAdd { .. } => function.each_operand(inst, |value| left.push(value)),
                // Of a table, perhaps. What others may write is no constant.
                InstKind::Load { pointer, .. } if !is_shared(types, function, pointer) => {
                    left.push(pointer);
                }
                _ => {}
            },
            ValueDef::Param(block, position) => {
                if let Some(found) = by_header.get(&block) {
                    needed.insert(block);
                    left.push(found.condition);
                }
                let count = function.blocks[block].params.len();
                let all = incoming.get(&block).into_iter().flatten();
                left.extend(all.skip(position as usize).step_by(count));
            }
        }
    }
    needed
}

/// By block: the instructions of each turn that stay when loops are written out. What is computed from what loops count is
/// a constant then, and elements of arrays are values; what only names parts of a register is none.
fn sizes(
    function: &Function,
    loops: &[Loop],
    needed: &FxHashSet<Block>,
    arrays: &FxHashSet<Value>,
    which: Which,
) -> Vec<u64> {
    let mut sizes = vec![0; function.blocks.len()];
    let mut constants: FxHashSet<Value> = loops
        .iter()
        .filter(|found| needed.contains(&found.header))
        .flat_map(|found| found.counters(function))
        .collect();
    // Addresses of elements.
    let mut elements = arrays.clone();
    for block in clc_ir::reverse_post_order(function) {
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let goes = match data.kind {
                InstKind::Access { base, .. } => {
                    let is_element = elements.contains(&base);
                    elements.extend(data.result.filter(|_| is_element));
                    is_element
                }
                InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. } => {
                    elements.contains(&pointer)
                }
                InstKind::Extract { .. }
                | InstKind::Construct { .. }
                | InstKind::Shuffle { .. }
                | InstKind::Binary { .. }
                | InstKind::Unary { .. }
                | InstKind::Compare { .. }
                | InstKind::Select { .. }
                | InstKind::Convert { .. } => {
                    let mut is_constant = true;
                    function.each_operand(inst, |value| {
                        is_constant &= value.is_const() || constants.contains(&value);
                    });
                    constants.extend(data.result.filter(|_| is_constant));
                    is_constant || names_parts(&data.kind)
                }
                _ => false,
            };
            sizes[block.index()] += u64::from(!goes);
        }
        if which == Which::All
            && let Terminator::Switch { selector, .. } = function.blocks[block].terminator
            && !selector.is_const()
            && !constants.contains(&selector)
        {
            sizes[block.index()] +=
                WAY * function.blocks[block].terminator.targets().count() as u64;
        }
    }
    sizes
}

/// Whether an instruction gives registers other names, or parts of them.
fn names_parts(kind: &InstKind) -> bool {
    match kind {
        InstKind::Extract { .. } | InstKind::Construct { .. } | InstKind::Shuffle { .. } => true,
        InstKind::Convert { op, .. } => {
            matches!(op, ConvertOp::Bitcast | ConvertOp::Truncate | ConvertOp::ZeroExtend)
        }
        _ => false,
    }
}

/// The arrays that loops index whose turns are known: one by one, or in each turn of a loop around them.
fn arrays(context: &mut ModuleContext<'_>, function: &Function, which: Which) -> FxHashSet<Value> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let loops = counted::loops(function, &cfg, &dominators);
    let uses = Uses::new(function);
    let mut arrays = FxHashSet::default();
    for (index, around) in loops.iter().enumerate() {
        let known = Known::default();
        let Some((count, turns)) = counted::turns(&mut folder, function, around, &known) else {
            if which == Which::Hard
                && tested::turns(&mut folder, function, around, &dominators, &uses).is_some()
            {
                arrays.extend(arrays_in(folder.types, function, around));
            }
            continue;
        };
        if which == Which::All || around.leaves_early {
            arrays.extend(arrays_in(folder.types, function, around));
        } else if count > unroll_hints::MAX_TURNS {
            let all = arrays_in(folder.types, function, around).into_iter();
            arrays.extend(all.filter(|&array| long::fits(folder.types, function, &loops, array)));
        } else {
            arrays.extend(arrays_by_tables(folder.types, function, around));
        }
        let last = around.blocks.last().and_then(|&block| cfg.position(block));
        let behind = loops[index + 1..].iter();
        for inner in behind.take_while(|inner| cfg.position(inner.header) <= last) {
            if around.contains(inner.header)
                && counted::turns(&mut folder, function, inner, &known).is_none()
                && turns
                    .iter()
                    .all(|known| counted::turns(&mut folder, function, inner, known).is_some())
            {
                arrays.extend(arrays_in(folder.types, function, inner));
            }
        }
    }
    arrays
}

fn arrays_in(types: &TypePool, function: &Function, found: &Loop) -> Vec<Value> {
    let insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    let arrays = insts.filter_map(|&inst| indexed(function, inst));
    arrays.filter(|&array| is_small(types, function, array)).collect()
}

/// Those of them of which it finds indices in tables, which drivers do not look into.
fn arrays_by_tables(types: &TypePool, function: &Function, found: &Loop) -> Vec<Value> {
    let insts = found.blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    let arrays = insts.filter(|&&inst| match function.insts[inst].kind {
        InstKind::Access { indices, .. } => {
            let mut indices = function.values_of(indices);
            indices.any(|index| is_of_table(types, function, index, counted::MAX_STEPS))
        }
        _ => false,
    });
    let arrays = arrays.filter_map(|&inst| indexed(function, inst));
    arrays.filter(|&array| is_small(types, function, array)).collect()
}

/// Whether a value is loaded from constant memory, or computed from what is.
fn is_of_table(types: &TypePool, function: &Function, value: Value, steps: usize) -> bool {
    let Some((inst, data)) = function.def_inst(value) else { return false };
    match data.kind {
        InstKind::Load { pointer, .. } => {
            class(types, function, pointer) == Some(StorageClass::UniformConstant)
        }
        InstKind::Binary { .. } | InstKind::Convert { .. } if steps > 0 => {
            let mut any = false;
            let of_operand = |operand| is_of_table(types, function, operand, steps - 1);
            function.each_operand(inst, |operand| any |= of_operand(operand));
            any
        }
        _ => false,
    }
}

/// Where a pointer that is no constant points.
fn class(types: &TypePool, function: &Function, pointer: Value) -> Option<StorageClass> {
    let ty = function.values[pointer.as_local()?].ty;
    types.pointer_parts(ty).map(|(_, class)| class)
}

fn is_shared(types: &TypePool, function: &Function, pointer: Value) -> bool {
    matches!(
        class(types, function, pointer),
        Some(StorageClass::CrossWorkgroup | StorageClass::Workgroup)
    )
}

fn is_small(types: &TypePool, function: &Function, array: Value) -> bool {
    match function.def_inst(array).map(|(_, data)| data.kind) {
        Some(InstKind::Variable { ty, .. }) => elements(types, ty).is_some(),
        _ => false,
    }
}
