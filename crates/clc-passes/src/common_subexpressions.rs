//! Computes equal expressions once, and loads what is already known not at all.

use std::hash::Hasher;

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    Block, Cfg, CompareOp, ConstPool, Dominators, Function, Inst, InstKind, StorageClass, TypePool,
    Value,
};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::alias::{Aliases, Recent};
use crate::context::ModuleContext;
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Replaces an expression by an equal one that dominates it, a load by the value that was stored
/// to or loaded from the same address before, with nothing in between that could change it.
///
/// Expressions are compared across the function. What is known of memory holds in the blocks that are
/// dominated by the one where it became known, and in loops that do not change it (unless loops in loops
/// are too large to look at each); that of class UniformConstant never changes. Runs after `simplify`, which gives equal things
/// equal forms.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    remove_unreachable(function);
    number_values(context.types, context.consts, context.constant, function);
    function.compared = function.insts.len();
}

/// The same, if there are instructions that it has not seen.
pub fn run_for_new(context: &mut ModuleContext<'_>, function: &mut Function) {
    if function.insts.len() > function.compared {
        run(context, function);
    }
}

/// An expression seen before: its place in the key buffer, its value, and where it is computed.
struct Entry {
    start: u32,
    len: u32,
    value: Value,
    block: Block,
}

/// What is known of the memory at an address.
struct Known {
    value: Value,
    block: Block,
}

/// What is known of memory on the way through a function that loads from it.
struct Memory<'a> {
    aliases: Aliases<'a>,
    known: Recent<Known>,
    loops: Loops,
}

impl Memory<'_> {
    /// Control comes to the block at a place in the layout.
    ///
    /// Every way to a block that something known dominates, and past writes that have not been
    /// seen here, enters a loop in between: comes back to a block from one that is still to come.
    fn enter(&mut self, function: &Function, index: usize, constant: &[bool]) {
        match self.loops.entered_at(index, function) {
            Entered::No => {}
            Entered::Blocks(last) => {
                for &later in &function.layout[index..=last] {
                    for &inst in &function.blocks[later].insts {
                        self.known.happens(&self.aliases, function, inst, constant);
                    }
                }
            }
            Entered::TooLarge => self.known.forget(),
        }
    }
}

fn number_values(types: &TypePool, consts: &ConstPool, constant: &[bool], function: &mut Function) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut replacements = Replacements::default();
    let count: usize =
        function.layout.iter().map(|&block| function.blocks[block].insts.len()).sum();
    let mut table: FxHashMap<u64, Entry> =
        FxHashMap::with_capacity_and_hasher(count / 2, FxBuildHasher);
    let mut keys: Vec<u32> = Vec::new();
    let mut key: Vec<u32> = Vec::new();
    let type_of = |function: &Function, value: Value| match value.as_const() {
        Some(id) => consts.ty(id),
        None => function.values[value.as_local().unwrap_or_default()].ty,
    };
    let class_of = |function: &Function, value: Value| {
        let parts = types.pointer_parts(type_of(function, value));
        parts.map_or(StorageClass::Generic, |parts| parts.1)
    };
    // Whether what it loads is known as long as nothing happens to the memory.
    let is_load = |function: &Function, kind: &InstKind| match *kind {
        InstKind::Load { pointer, access } => {
            !access.flags.volatile && class_of(function, pointer) != StorageClass::UniformConstant
        }
        _ => false,
    };
    let mut memory = function.has(|kind| is_load(function, kind)).then(|| Memory {
        aliases: Aliases::new(types, consts, function),
        known: Recent::new(function),
        loops: Loops::new(&cfg, function),
    });

    for index in 0..function.layout.len() {
        let block = function.layout[index];
        if let Some(memory) = &mut memory {
            memory.enter(function, index, constant);
        }
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            function.map_operands(inst, |value| replacements.resolve(value));
            let data = function.insts[inst];
            if let Some(Memory { aliases, known, .. }) = &mut memory
                && is_load(function, &data.kind)
                && let InstKind::Load { pointer, access } = data.kind
                && let Some(result) = data.result
            {
                let access = aliases.access(function, pointer, access);
                if let Some(known) = known.at(&access)
                    && dominators.dominates(known.block, block)
                {
                    replacements.set(result, known.value);
                    continue;
                }
                known.note(access, Known { value: result, block });
            }
            if let Some(result) = data.result
                && expression_key(function, inst, constant, class_of, &mut key)
            {
                key.push(type_of(function, result).0);
                let mut hasher = FxHasher::default();
                key.iter().for_each(|&part| hasher.write_u32(part));
                let hash = hasher.finish();
                if let Some(entry) = table.get(&hash)
                    && keys[entry.start as usize..(entry.start + entry.len) as usize] == key[..]
                    && dominators.dominates(entry.block, block)
                {
                    replacements.set(result, entry.value);
                    continue;
                }
                let start = keys.len() as u32;
                keys.extend_from_slice(&key);
                table.insert(hash, Entry { start, len: key.len() as u32, value: result, block });
            }
            if let Some(Memory { aliases, known, .. }) = &mut memory {
                known.happens(aliases, function, inst, constant);
                if let InstKind::Store { pointer, value, access } = function.insts[inst].kind
                    && !access.flags.volatile
                {
                    known.note(aliases.access(function, pointer, access), Known { value, block });
                }
            }
            kept.push(inst);
        }
        function.blocks[block].insts = kept;
        function.map_terminator_operands(block, |value| replacements.resolve(value));
    }
    // Loops have used values before they were replaced.
    replacements.apply(function);
}

/// Writes down what an instruction computes; false if equal text does not mean equal values.
fn expression_key(
    function: &Function,
    inst: Inst,
    constant: &[bool],
    class_of: impl Fn(&Function, Value) -> StorageClass,
    key: &mut Vec<u32>,
) -> bool {
    let data = &function.insts[inst];
    key.clear();
    let code = match data.kind {
        InstKind::Binary { op, .. } => (0, op as u32),
        InstKind::Unary { op, .. } => (1, op as u32),
        InstKind::Compare { op, .. } => (2, op as u32),
        InstKind::Select { .. } => (3, 0),
        InstKind::Convert { op, rounding, saturate, .. } => {
            let rounding = rounding.map_or(0, |rounding| rounding as u32 + 1);
            (4, op as u32 | rounding << 8 | u32::from(saturate) << 16)
        }
        InstKind::Load { pointer, access }
            if !access.flags.volatile
                && class_of(function, pointer) == StorageClass::UniformConstant =>
        {
            (5, 0)
        }
        InstKind::PtrAdd { .. } => (6, 0),
        InstKind::Access { .. } => (7, 0),
        InstKind::Extract { path, .. } => {
            key.extend_from_slice(function.numbers_of(path));
            (8, path.len() as u32)
        }
        InstKind::Insert { path, .. } => {
            key.extend_from_slice(function.numbers_of(path));
            (9, path.len() as u32)
        }
        InstKind::ExtractDynamic { .. } => (10, 0),
        InstKind::InsertDynamic { .. } => (11, 0),
        InstKind::Shuffle { mask, .. } => {
            key.extend_from_slice(function.numbers_of(mask));
            (12, mask.len() as u32)
        }
        InstKind::Construct { .. } => (13, 0),
        InstKind::Intrinsic { intrinsic, .. } if intrinsic.effects().is_pure() => {
            (14, intrinsic_code(intrinsic))
        }
        InstKind::GenericTo { space, .. } => (15, space as u32),
        InstKind::Call { callee, .. } if constant[callee.index()] => (16, callee.0),
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::Variable { .. }
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. } => return false,
    };
    key.extend([code.0, code.1, u32::from(data.math.0)]);
    function.each_operand(inst, |value| {
        key.push(match value.as_const() {
            Some(id) => id.0 | 1 << 31,
            None => value.as_local().unwrap_or_default() as u32,
        });
    });
    let is_commutative = match data.kind {
        InstKind::Binary { op, .. } => op.is_commutative(),
        InstKind::Compare { op, .. } => matches!(
            op,
            CompareOp::Equal | CompareOp::NotEqual | CompareOp::FEqual | CompareOp::FNotEqual
        ),
        _ => false,
    };
    if is_commutative
        && let [.., left, right] = &mut key[..]
        && *left > *right
    {
        std::mem::swap(left, right);
    }
    true
}

/// A number for an intrinsic: the hash of its value, which is the same in every run.
fn intrinsic_code(intrinsic: Intrinsic) -> u32 {
    use std::hash::Hash;
    let mut hasher = FxHasher::default();
    intrinsic.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

/// Instructions that are looked at once more because they are in loops, for each of the function.
const LOOKS: usize = 4;

/// Where control comes back to, in a layout in reverse post-order.
struct Loops {
    /// By place in the layout: the last place that control comes from, if that is no earlier.
    latest: Vec<Option<usize>>,
    /// How many instructions may still be looked at.
    budget: usize,
}

/// What control may do once it has come to a block.
enum Entered {
    /// It does not come back to it.
    No,
    /// It may come back through blocks up to this place in the layout.
    Blocks(usize),
    /// As before, through more than there is time to look at.
    TooLarge,
}

impl Loops {
    fn new(cfg: &Cfg, function: &Function) -> Loops {
        let latest = |(index, &block): (usize, &Block)| {
            let from = cfg.predecessors(block).filter_map(|from| cfg.position(from));
            from.filter(|&from| from >= index).max()
        };
        let count: usize =
            function.layout.iter().map(|&block| function.blocks[block].insts.len() + 1).sum();
        Loops {
            latest: function.layout.iter().enumerate().map(latest).collect(),
            budget: LOOKS * count,
        }
    }

    /// Finds the blocks that control may go through before it comes back to the one at `index`: those up
    /// to where it comes from, and what loops among them reach.
    fn entered_at(&mut self, index: usize, function: &Function) -> Entered {
        let Some(mut last) = self.latest[index] else { return Entered::No };
        let mut place = index;
        while place <= last {
            let cost = function.blocks[function.layout[place]].insts.len() + 1;
            let Some(left) = self.budget.checked_sub(cost) else { return Entered::TooLarge };
            self.budget = left;
            last = self.latest[place].map_or(last, |from| last.max(from));
            place += 1;
        }
        Entered::Blocks(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_have_different_codes() {
        let mut seen = FxHashMap::default();
        for intrinsic in Intrinsic::all() {
            let other = seen.insert(intrinsic_code(intrinsic), intrinsic);
            assert_eq!(other, None, "{intrinsic}");
        }
    }
}
