//! Asks drivers to unroll short loops that turn a known number of times.
//!
//! Drivers unroll such loops of their own accord, but not all, and they see less than is known here.
//! It matters most where a loop indexes private arrays: unrolled, their elements are in registers, unless something
//! else indexes them, too.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Cfg, CompareOp, Function, InstKind, LoopControl, LoopHint, Merge, Module,
    Terminator, Type, TypeKind, TypePool, Value, ValueDef, structured,
};
use rustc_hash::FxHashSet;

use crate::context::{ModuleContext, each_function};
use crate::copies;
use crate::fold::Folder;
use crate::inline::callees_first;

/// Turns of a loop that is unrolled.
pub(crate) const MAX_TURNS: u64 = 64;

/// Instructions of an unrolled loop, a call being one, and with those of what it calls, which drivers inline.
const MAX_SIZE: u64 = 512;
const MAX_INLINED_SIZE: u64 = 4096;

/// Instructions of an unrolled loop that indexes a private array.
const MAX_INDEXING_SIZE: u64 = 8192;

/// Instructions of all unrolled loops of a function that index private arrays: drivers need longer than in proportion.
const MAX_INDEXING_TOTAL: u64 = 2 * MAX_INDEXING_SIZE;

/// Registers of 32 bits that a work-item has at most, of any device: a larger array stays in memory.
const MAX_REGISTERS: u64 = 256;

/// Blocks above a loop's latch, or operations before an index, that are looked at.
const MAX_STEPS: usize = 4;

/// Adds hints to the loops of structured functions that have none.
pub fn run(module: &mut Module) {
    let sizes = sizes_with_callees(module);
    each_function(module, |context, function| {
        if structured::is_structured(function) {
            hint(context, function, &sizes);
        }
    });
}

/// By function: its instructions with those of what it calls.
fn sizes_with_callees(module: &Module) -> Vec<u64> {
    let mut sizes = vec![0; module.functions.len()];
    for id in callees_first(&module.functions) {
        let function = &module.functions[id];
        let blocks = function.layout.iter().map(|&block| block_size(function, block, &sizes));
        sizes[id.index()] = blocks.fold(0, u64::saturating_add);
    }
    sizes
}

fn block_size(function: &Function, block: Block, callees: &[u64]) -> u64 {
    let insts = function.blocks[block].insts.iter();
    insts.fold(1, |size: u64, &inst| match function.insts[inst].kind {
        InstKind::Call { callee, .. } => size.saturating_add(callees[callee.index()].max(1)),
        _ => size + 1,
    })
}

fn hint(context: &mut ModuleContext<'_>, function: &mut Function, callees: &[u64]) {
    let folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
    let mut positions = vec![usize::MAX; function.blocks.len()];
    let mut sizes = Vec::with_capacity(function.layout.len());
    let mut own_sizes = Vec::with_capacity(function.layout.len());
    for (position, &block) in function.layout.iter().enumerate() {
        positions[block.index()] = position;
        sizes.push(block_size(function, block, callees));
        own_sizes.push(function.blocks[block].insts.len() as u64 + 1);
    }
    let cfg = Cfg::new(function);
    let mut finder = Finder { folder, function, cfg: &cfg };
    let mut loops = Vec::new();
    // Inner loops come after the headers of those around them.
    for (position, &header) in function.layout.iter().enumerate().rev() {
        let Some(Merge::Loop { merge, continue_target }) = function.blocks[header].merge else {
            continue;
        };
        // The blocks of a construct stand before its merge block.
        let end = positions[merge.index()].clamp(position, sizes.len());
        if let Some((variable, turns)) = finder.turns(header, merge, continue_target) {
            loops.push(Counted { position, end, variable, turns });
        }
    }
    let in_memory = finder.in_memory(&loops);
    // Counted variables that unrolling makes constants.
    let mut known = FxHashSet::default();
    let mut hints = Vec::new();
    let mut left = MAX_INDEXING_TOTAL;
    for Counted { position, end, variable, turns } in loops {
        let header = function.layout[position];
        let Some(Merge::Loop { merge, continue_target }) = function.blocks[header].merge else {
            continue;
        };
        let size = sizes[position..end].iter().copied().fold(0, u64::saturating_add);
        let own_size: u64 = own_sizes[position..end].iter().sum();
        if let Some(hint) = function.loop_hints.get(&header) {
            known.extend((hint.control == LoopControl::Unroll).then_some(variable));
            continue;
        }
        if size > MAX_INDEXING_SIZE {
            continue;
        }
        let (unrolled, own) = (size * turns.max(1), own_size * turns.max(1));
        let blocks = &function.layout[position..end];
        let is_short = own <= MAX_SIZE && unrolled <= MAX_INLINED_SIZE;
        if !is_short {
            let may_grow = unrolled <= MAX_INDEXING_SIZE.min(left);
            // An array whose elements are known once the loops inside are unrolled asks for no more.
            let mut arrays = finder.indexed(blocks, &known);
            if !may_grow || !arrays.any(|array| !in_memory.contains(&array)) {
                continue;
            }
            left -= unrolled;
        }
        known.insert(variable);
        // What is around unrolls this, too.
        sizes[position] += unrolled - size;
        own_sizes[position] += own - own_size;
        hints.push((header, LoopHint { control: LoopControl::Unroll, merge, continue_target }));
    }
    function.loop_hints.extend(hints);
}

/// Registers of 32 bits that hold a value of a type: one for each scalar, and two for a wide one.
fn registers(types: &TypePool, ty: Type) -> u64 {
    match types.kind(ty) {
        TypeKind::Array(element, count) => registers(types, element).saturating_mul(count),
        TypeKind::Vector(element, count) => registers(types, element) * u64::from(count),
        TypeKind::Struct(_) => {
            let mut sum = 0u64;
            types.each_part(ty, |part| sum = sum.saturating_add(registers(types, part)));
            sum
        }
        _ => types.size(ty).div_ceil(4),
    }
}

/// A loop that turns a known number of times.
struct Counted {
    /// Its blocks, by their places in the layout.
    position: usize,
    end: usize,
    /// The parameter of its header that counts.
    variable: Value,
    turns: u64,
}

struct Finder<'a> {
    folder: Folder<'a>,
    function: &'a Function,
    cfg: &'a Cfg,
}

/// When a loop goes on.
#[derive(Clone, Copy)]
struct Test {
    op: CompareOp,
    /// What is compared: the variable as it enters the turn, or as it leaves it.
    is_next: bool,
    bound: Value,
    /// What the comparison says for another turn.
    goes_on: bool,
    /// Before the turn, or after it.
    is_first: bool,
}

impl Finder<'_> {
    /// How many times a loop turns, if it is left nowhere else, and what counts.
    fn turns(&mut self, header: Block, merge: Block, latch: Block) -> Option<(Value, u64)> {
        let function = self.function;
        for (index, &variable) in function.blocks[header].params.iter().enumerate() {
            let (Some(start), Some(next)) = self.start_and_next(header, latch, index) else {
                continue;
            };
            let Some((op, step)) = self.step(next, variable) else { continue };
            let Some(test) = self.test(header, merge, latch, variable, next) else { continue };
            if let Some(turns) = self.count(start, op, step, test) {
                return Some((variable, turns));
            }
        }
        None
    }

    /// What enters a loop as a parameter of its header, and what goes round.
    fn start_and_next(
        &self,
        header: Block,
        latch: Block,
        index: usize,
    ) -> (Option<Value>, Option<Value>) {
        let (mut start, mut next) = (None, None);
        for from in self.cfg.predecessors(header) {
            for target in self.function.blocks[from].terminator.targets() {
                if target.block != header {
                    continue;
                }
                let argument = self.origin(self.function.value_at(target.arguments, index));
                if from == latch {
                    next = Some(argument);
                } else {
                    start = argument.is_const().then_some(argument);
                }
            }
        }
        (start, next)
    }

    /// Where a value comes from, through blocks with one predecessor.
    fn origin(&self, mut value: Value) -> Value {
        while let Some(ValueDef::Param(block, index)) = self.function.def(value) {
            let mut before = self.cfg.predecessors(block);
            let (Some(from), None) = (before.next(), before.next()) else { break };
            let mut targets = self.function.blocks[from].terminator.targets();
            let Some(target) = targets.find(|target| target.block == block) else { break };
            value = self.function.value_at(target.arguments, index as usize);
        }
        value
    }

    /// The operation with a constant that makes `next` of `variable`.
    fn step(&self, next: Value, variable: Value) -> Option<(BinaryOp, Value)> {
        let (_, data) = self.function.def_inst(next)?;
        let InstKind::Binary { op, left, right } = data.kind else { return None };
        let (left, right) = (self.origin(left), self.origin(right));
        match op {
            BinaryOp::IAdd | BinaryOp::IMul if right == variable && left.is_const() => {
                Some((op, left))
            }
            _ => (left == variable && right.is_const()).then_some((op, right)),
        }
    }

    /// The test that each turn makes.
    fn test(
        &self,
        header: Block,
        merge: Block,
        latch: Block,
        variable: Value,
        next: Value,
    ) -> Option<Test> {
        let mut first = header;
        while let Terminator::Jump(target) = self.function.blocks[first].terminator
            && target.block != latch
            && self.has_one_predecessor(target.block)
        {
            first = target.block;
        }
        if let Some(test) = self.test_of(first, merge, variable, next) {
            return Some(Test { is_first: true, ..test });
        }
        // Blocks that control passes before it comes to the latch.
        let mut last = latch;
        for _ in 0..MAX_STEPS {
            let mut before = self.cfg.predecessors(last);
            let (Some(only), None) = (before.next(), before.next()) else { return None };
            if only == first {
                return None;
            }
            last = only;
            if let Some(test) = self.test_of(last, merge, variable, next) {
                return Some(test);
            }
        }
        None
    }

    /// The test of `variable`, or of `next`, that a block ends in.
    fn test_of(&self, block: Block, merge: Block, variable: Value, next: Value) -> Option<Test> {
        let Terminator::Branch { condition, then, otherwise } =
            self.function.blocks[block].terminator
        else {
            return None;
        };
        let leaves = [then, otherwise].map(|target| self.leaves(target.block, merge));
        if leaves[0] == leaves[1] {
            return None;
        }
        let (_, data) = self.function.def_inst(self.origin(condition))?;
        let InstKind::Compare { op, left, right } = data.kind else { return None };
        let (left, bound) = (self.origin(left), self.origin(right));
        let is_next = left == next;
        let is_known = (left == variable || is_next) && bound.is_const();
        is_known.then_some(Test { op, is_next, bound, goes_on: leaves[1], is_first: false })
    }

    /// Whether a block is the end of a loop, or does nothing but note why it goes there.
    fn leaves(&self, block: Block, merge: Block) -> bool {
        block == merge
            || matches!(self.function.blocks[block].terminator,
                Terminator::Jump(target) if target.block == merge)
    }

    fn has_one_predecessor(&self, block: Block) -> bool {
        self.cfg.predecessors(block).count() == 1
    }

    fn count(&mut self, start: Value, op: BinaryOp, step: Value, test: Test) -> Option<u64> {
        let mut value = start;
        for turns in 0..=MAX_TURNS {
            let next = self.folder.binary(op, value, step)?;
            let compared = if test.is_next { next } else { value };
            let outcome = self.folder.compare(test.op, compared, test.bound)?;
            if (self.folder.scalar_bits(outcome)? != 0) != test.goes_on {
                return Some(if test.is_first { turns } else { turns + 1 });
            }
            value = next;
        }
        None
    }

    /// The private arrays that blocks index with what is no constant, nor computed from `known` values alone.
    fn indexed(&self, blocks: &[Block], known: &FxHashSet<Value>) -> impl Iterator<Item = Value> {
        let function = self.function;
        let insts = blocks.iter().flat_map(|&block| &function.blocks[block].insts);
        insts.filter_map(move |&inst| match function.insts[inst].kind {
            InstKind::Access { base, indices } => {
                let is_dynamic = function
                    .values_of(indices)
                    .any(|index| !self.is_known(index, known, MAX_STEPS));
                (is_dynamic && self.is_private(base)).then_some(base)
            }
            _ => None,
        })
    }

    /// Whether a value is computed, in so many steps, from constants and `known` values alone.
    fn is_known(&self, value: Value, known: &FxHashSet<Value>, steps: usize) -> bool {
        let value = self.origin(value);
        if value.is_const() || known.contains(&value) {
            return true;
        }
        match self.function.def_inst(value) {
            Some((inst, data)) if steps > 0 && copies::is_computation(&data.kind) => {
                let mut is_known = true;
                self.function.each_operand(inst, |operand| {
                    is_known = is_known && self.is_known(operand, known, steps - 1);
                });
                is_known
            }
            _ => false,
        }
    }

    /// Whether a value may be a constant once loops are unrolled: it is computed from what they count, or from private
    /// arrays, not from what is in other memory.
    fn may_be_known(&self, value: Value, steps: usize) -> bool {
        let value = self.origin(value);
        let Some((inst, data)) = self.function.def_inst(value).filter(|_| steps > 0) else {
            return true;
        };
        match data.kind {
            InstKind::Load { pointer, .. } => match self.function.def_inst(pointer) {
                Some((_, data)) => match data.kind {
                    InstKind::Access { base, .. } => self.is_private(base),
                    _ => self.is_private(pointer),
                },
                None => false,
            },
            ref kind if copies::is_computation(kind) => {
                let mut may_be = true;
                self.function.each_operand(inst, |operand| {
                    may_be = may_be && self.may_be_known(operand, steps - 1);
                });
                may_be
            }
            _ => true,
        }
    }

    /// What a private variable holds.
    fn private_type(&self, base: Value) -> Option<Type> {
        match self.function.def_inst(base)?.1.kind {
            InstKind::Variable { ty, .. } => Some(ty),
            _ => None,
        }
    }

    fn is_private(&self, base: Value) -> bool {
        self.private_type(base).is_some()
    }

    /// The arrays that stay in memory whatever is unrolled, since they are large, or something else indexes them, too:
    /// `loops` are those that can be, by their places in the layout.
    fn in_memory(&self, loops: &[Counted]) -> FxHashSet<Value> {
        let layout = &self.function.layout;
        let mut is_in_loop = vec![false; layout.len()];
        for &Counted { position, end, .. } in loops {
            is_in_loop[position..end].fill(true);
        }
        let others = layout.iter().zip(is_in_loop).filter(|(_, is_in_loop)| !is_in_loop);
        let known = FxHashSet::default();
        let indexed = |(block, _)| self.indexed(std::slice::from_ref(block), &known);
        let mut arrays: FxHashSet<Value> = others.flat_map(indexed).collect();
        for &inst in layout.iter().flat_map(|&block| &self.function.blocks[block].insts) {
            let InstKind::Access { base, indices } = self.function.insts[inst].kind else {
                continue;
            };
            let Some(ty) = self.private_type(base) else { continue };
            let mut indices = self.function.values_of(indices);
            if registers(self.folder.types, ty) > MAX_REGISTERS
                || !indices.all(|index| self.may_be_known(index, MAX_STEPS))
            {
                arrays.insert(base);
            }
        }
        arrays
    }
}
