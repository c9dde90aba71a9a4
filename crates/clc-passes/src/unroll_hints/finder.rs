//! How often loops turn, and what indexes private arrays.

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Cfg, CompareOp, Function, InstKind, Merge, Terminator, Type, TypeKind,
    TypePool, Value, ValueDef,
};
use rustc_hash::FxHashSet;

use crate::copies;
use crate::fold::Folder;

/// Turns of a loop that is unrolled.
pub(crate) const MAX_TURNS: u64 = 64;

/// Turns that are counted: drivers unroll longer loops than they are asked to.
const MAX_COUNTED: u64 = 512;

/// Registers of 32 bits that drivers do not have for an array together with what loops load from buffers: they move such
/// loads in front of each other, which takes as many registers again, and with more they keep all in memory.
pub(crate) const MANY_REGISTERS: u64 = 96;

/// Registers of 32 bits that a work-item has at most, of any device: a larger array stays in memory.
const MAX_REGISTERS: u64 = 256;

/// Blocks above a loop's latch, or operations before an index, that are looked at.
const MAX_STEPS: usize = 4;

/// Operands behind an index, where what is known of them decides.
const MAX_OPERANDS: usize = 64;

/// Registers of 32 bits that hold a value of a type: one for each scalar, and two for a wide one.
pub(crate) fn registers(types: &TypePool, ty: Type) -> u64 {
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
pub(super) struct Counted {
    /// Its blocks, by their places in the layout.
    pub position: usize,
    pub end: usize,
    /// The parameter of its header that counts.
    pub variable: Value,
    pub turns: u64,
}

pub(super) struct Finder<'a> {
    pub folder: Folder<'a>,
    pub function: &'a Function,
    pub cfg: &'a Cfg,
    /// Private variables that hold what no unrolling makes a constant.
    pub unknown: FxHashSet<Value>,
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

/// Whether a value is a constant once loops are unrolled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Knowledge {
    Constant,
    /// It depends on what private arrays hold that may be constants, or on too much to look at.
    Doubtful,
    Dynamic,
}

impl Finder<'_> {
    /// The loops that turn a known number of times, inner ones before those around them.
    pub fn loops(&mut self) -> Vec<Counted> {
        let function = self.function;
        let layout = &function.layout;
        let mut positions = vec![usize::MAX; function.blocks.len()];
        for (position, &block) in layout.iter().enumerate() {
            positions[block.index()] = position;
        }
        let mut loops = Vec::new();
        for (position, &header) in layout.iter().enumerate().rev() {
            let Some(Merge::Loop { merge, continue_target }) = function.blocks[header].merge else {
                continue;
            };
            // The blocks of a construct stand before its merge block.
            let end = positions[merge.index()].clamp(position, layout.len());
            if let Some((variable, turns)) = self.turns(header, merge, continue_target) {
                loops.push(Counted { position, end, variable, turns });
            }
        }
        loops
    }

    /// Finds out which private variables something is stored in that is no constant once `loops` are unrolled.
    pub fn find_unknown(&mut self, loops: &[Counted]) {
        let function = self.function;
        let headers = loops.iter().map(|found| function.layout[found.position]).collect();
        let mut stores: Vec<(Value, Value)> = Vec::new();
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            if let InstKind::Store { pointer, value, .. } = function.insts[inst].kind
                && let Some(variable) = self.private_variable(pointer)
            {
                stores.push((variable, value));
            }
        }
        // What is loaded from one may be stored in the next.
        let mut count = usize::MAX;
        while std::mem::replace(&mut count, stores.len()) != stores.len() {
            stores.retain(|&(variable, value)| {
                let is_unknown = self.knowledge(value, &headers) == Knowledge::Dynamic;
                if is_unknown {
                    self.unknown.insert(variable);
                }
                !is_unknown && !self.unknown.contains(&variable)
            });
        }
    }

    /// The arrays that stay in memory whatever is unrolled, since they are large, or something indexes them that `loops` do not
    /// count.
    pub fn in_memory(&self, loops: &[Counted]) -> FxHashSet<Value> {
        let function = self.function;
        let headers = loops.iter().map(|found| function.layout[found.position]).collect();
        let mut arrays = FxHashSet::default();
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            let InstKind::Access { base, indices } = function.insts[inst].kind else { continue };
            let Some(ty) = self.private_type(base).filter(|_| !arrays.contains(&base)) else {
                continue;
            };
            if registers(self.folder.types, ty) > MAX_REGISTERS
                || function
                    .values_of(indices)
                    .any(|index| self.knowledge(index, &headers) == Knowledge::Dynamic)
            {
                arrays.insert(base);
            }
        }
        arrays
    }

    /// Whether a loop loads elements of private arrays by what it counts, and all that it accesses so stay in memory
    /// and hold what is no constant. A long one, or one through a large array, may also store them alone.
    pub fn goes_through(&self, found: &Counted, in_memory: &FxHashSet<Value>) -> bool {
        let function = self.function;
        let mut addresses = FxHashSet::default();
        let mut goes_through = found.turns > MAX_TURNS;
        for &block in &function.layout[found.position..found.end] {
            for &inst in &function.blocks[block].insts {
                match function.insts[inst].kind {
                    InstKind::Access { base, indices }
                        if self.is_private(base)
                            && function
                                .values_of(indices)
                                .any(|index| self.is_counted(index, found.variable, MAX_STEPS)) =>
                    {
                        if !in_memory.contains(&base) || !self.unknown.contains(&base) {
                            return false;
                        }
                        let ty = self.private_type(base);
                        goes_through |=
                            ty.is_some_and(|ty| self.folder.types.size(ty) > 4 * MANY_REGISTERS);
                        addresses.extend(function.insts[inst].result);
                    }
                    InstKind::Load { pointer, .. } => goes_through |= addresses.contains(&pointer),
                    _ => {}
                }
            }
        }
        goes_through && !addresses.is_empty()
    }

    /// Whether a value is computed, in so many steps, from what a loop counts.
    fn is_counted(&self, value: Value, variable: Value, steps: usize) -> bool {
        let value = self.origin(value);
        if value == variable {
            return true;
        }
        match self.function.def_inst(value) {
            Some((inst, _)) if steps > 0 && copies::is_known_by_operands(self.function, inst) => {
                let mut is_counted = false;
                self.function.each_operand(inst, |operand| {
                    is_counted = is_counted || self.is_counted(operand, variable, steps - 1);
                });
                is_counted
            }
            _ => false,
        }
    }

    /// How many times a loop turns, if it is left nowhere else, and what counts.
    pub fn turns(&mut self, header: Block, merge: Block, latch: Block) -> Option<(Value, u64)> {
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
        for turns in 0..=MAX_COUNTED {
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

    /// The private arrays that a block indexes with what is no constant, nor computed from `known` values alone.
    pub fn indexed(&self, block: Block, known: &FxHashSet<Value>) -> impl Iterator<Item = Value> {
        let function = self.function;
        function.blocks[block].insts.iter().filter_map(move |&inst| {
            match function.insts[inst].kind {
                InstKind::Access { base, indices } => {
                    let is_dynamic = function
                        .values_of(indices)
                        .any(|index| !self.is_known(index, known, MAX_STEPS));
                    (is_dynamic && self.is_private(base)).then_some(base)
                }
                _ => None,
            }
        })
    }

    /// Whether a value is computed, in so many steps, from constants and `known` values alone.
    pub fn is_known(&self, value: Value, known: &FxHashSet<Value>, steps: usize) -> bool {
        let value = self.origin(value);
        if value.is_const() || known.contains(&value) {
            return true;
        }
        match self.function.def_inst(value) {
            Some((inst, _)) if steps > 0 && copies::is_known_by_operands(self.function, inst) => {
                let mut is_known = true;
                self.function.each_operand(inst, |operand| {
                    is_known = is_known && self.is_known(operand, known, steps - 1);
                });
                is_known
            }
            _ => false,
        }
    }

    /// What is known of a value where loops with these headers are unrolled.
    pub fn knowledge(&self, value: Value, headers: &FxHashSet<Block>) -> Knowledge {
        let mut knowledge = Knowledge::Constant;
        let mut seen = FxHashSet::default();
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            let value = self.origin(value);
            if value.is_const() || !seen.insert(value) {
                continue;
            }
            if seen.len() > MAX_OPERANDS {
                return Knowledge::Doubtful;
            }
            match self.function.def(value) {
                Some(ValueDef::Param(block, index)) if headers.contains(&block) => {
                    for from in self.cfg.predecessors(block) {
                        let targets = self.function.blocks[from].terminator.targets();
                        let to_it = targets.filter(|target| target.block == block);
                        left.extend(to_it.map(|target| {
                            self.function.value_at(target.arguments, index as usize)
                        }));
                    }
                }
                Some(ValueDef::Inst(inst)) => match self.function.insts[inst].kind {
                    InstKind::Load { pointer, .. } => match self.private_variable(pointer) {
                        Some(variable) if !self.unknown.contains(&variable) => {
                            knowledge = Knowledge::Doubtful;
                        }
                        _ => return Knowledge::Dynamic,
                    },
                    _ if copies::is_known_by_operands(self.function, inst) => {
                        self.function.each_operand(inst, |operand| left.push(operand));
                    }
                    _ => return Knowledge::Dynamic,
                },
                _ => return Knowledge::Dynamic,
            }
        }
        knowledge
    }

    /// The private variable that an address is that of, or of an element of it.
    fn private_variable(&self, pointer: Value) -> Option<Value> {
        let base = match self.function.def_inst(pointer)?.1.kind {
            InstKind::Access { base, .. } => base,
            _ => pointer,
        };
        self.is_private(base).then_some(base)
    }

    /// What a private variable holds.
    pub fn private_type(&self, base: Value) -> Option<Type> {
        match self.function.def_inst(base)?.1.kind {
            InstKind::Variable { ty, .. } => Some(ty),
            _ => None,
        }
    }

    pub fn is_private(&self, base: Value) -> bool {
        self.private_type(base).is_some()
    }
}
