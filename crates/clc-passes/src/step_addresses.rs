//! Steps an address from turn to turn of a loop where each turn would multiply to find it, for shaders.
//!
//! ```text
//! head(i):                              head(i, q):
//!   .. p + i * k ..              ->       .. q ..
//!   head(i + 1)                           head(i + 1, q + k)
//! ```
//!
//! `p` and `k` are the same in all turns: known before the loop, or computed of what is. The first address is
//! `p + start * k`, where `start` is what `i` begins with. What is multiplied is a number of 64 bits, which wraps as
//! addresses do, or one of 32 bits whose steps and products do not wrap ([`MathFlags::NO_SIGNED_WRAP`]): then all of it
//! is the same in 64 bits. Nothing is accessed that was not before; that there is an address more than there are turns
//! does not matter.
//!
//! A loop that drivers write out, because it turns a few times as they see, stays as it is: there `i` is a constant.
//! It runs behind [`split_indices`](crate::split_indices), which puts what is the same in all turns first.

use clc_base::Id as _;
use clc_ir::debug::Location;
use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConvertOp, Dominators, Function, Inst, InstKind, MathFlags, Type,
    TypePool, Value, ValueDef,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::split_indices::is_in_buffer;

/// The most addresses of one loop that are stepped: each is a register more, or two.
const MAX_STEPPED: usize = 4;

/// The most operations, one on the result of another, that are moved before a loop.
const MAX_MOVED: u32 = 4;

/// Turns that drivers write out.
const MAX_WRITTEN_OUT: u64 = 64;

/// Steps the addresses of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut products = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::PtrAdd { base, index } = function.insts[inst].kind
                && is_in_buffer(context.types, function, base)
                && let Some(factors) = factors(context, function, index)
            {
                products.push(Product { inst, block, base, index, factors });
            }
        }
    }
    if products.is_empty() {
        return;
    }
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let around = dominators.loops_around(&cfg);
    let mut homes = vec![function.entry(); function.insts.len()];
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            homes[inst.index()] = block;
        }
    }
    let finder = Finder { cfg, dominators, around, homes };
    // By what is added to what: the parameter that is the address.
    let mut stepped: FxHashMap<(Value, Value), Value> = FxHashMap::default();
    let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
    for product in products {
        let key = (product.base, product.index);
        let address = match stepped.get(&key) {
            Some(&address) => address,
            None => {
                let Some(address) = finder.address(context, function, &product) else { continue };
                let count = counts.entry(address.head).or_default();
                if *count == MAX_STEPPED {
                    continue;
                }
                *count += 1;
                let param = finder.step(context, function, product.base, &address);
                stepped.insert(key, param);
                param
            }
        };
        // What uses the old address uses the parameter.
        let index = integer(context, 0);
        function.insts[product.inst].kind = InstKind::PtrAdd { base: address, index };
    }
}

/// An addition of a product to an address.
struct Product {
    inst: Inst,
    block: Block,
    base: Value,
    index: Value,
    factors: [Value; 2],
}

/// The factors of an index that is a product, where that of 64 bits is what the index becomes.
fn factors(context: &ModuleContext<'_>, function: &Function, index: Value) -> Option<[Value; 2]> {
    let index = before_extension(context, function, index);
    let (_, data) = function.def_inst(index)?;
    let InstKind::Binary { op: BinaryOp::IMul, left, right } = data.kind else { return None };
    let fits = match context.type_of(function, index) {
        TypePool::I64 => true,
        TypePool::I32 => data.math.has(MathFlags::NO_SIGNED_WRAP),
        _ => false,
    };
    fits.then_some([left, right])
}

/// What an integer of 64 bits was extended from, if it was one of 32 bits with a sign.
fn before_extension(context: &ModuleContext<'_>, function: &Function, value: Value) -> Value {
    match function.def_inst(value).map(|(_, data)| data.kind) {
        Some(InstKind::Convert { op: ConvertOp::SignExtend, operand, .. })
            if context.type_of(function, operand) == TypePool::I32 =>
        {
            operand
        }
        _ => value,
    }
}

/// An address in a loop that is entered from one block and turns back from one: `base + counter * factor`.
struct Address {
    head: Block,
    entry: Block,
    latch: Block,
    /// What the counter begins with, of 32 or 64 bits.
    start: Value,
    /// What it grows by in each turn.
    step: i64,
    /// Of 32 or 64 bits.
    factor: Value,
    location: Location,
}

struct Finder {
    cfg: Cfg,
    dominators: Dominators,
    /// By block: how many loops it is in.
    around: Vec<u32>,
    /// By instruction: its block.
    homes: Vec<Block>,
}

impl Finder {
    /// What becomes of a product, if one of the factors counts turns.
    fn address(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        product: &Product,
    ) -> Option<Address> {
        let [left, right] = product.factors;
        [(left, right), (right, left)].into_iter().find_map(|(counter, factor)| {
            let counter = before_extension(context, function, counter);
            let Some(ValueDef::Param(head, index)) = function.def(counter) else { return None };
            let (entry, latch) = self.edges(head)?;
            let [here, around] = [product.block, head].map(|at| self.around[at.index()]);
            let is_inside = here > around;
            let in_each_turn = here == around && self.dominators.dominates(product.block, latch);
            let is_invariant = |value| self.is_invariant(function, value, (head, entry), MAX_MOVED);
            if !(is_inside || in_each_turn) || !is_invariant(product.base) || !is_invariant(factor)
            {
                return None;
            }
            let start = argument(function, entry, head, index as usize)?;
            let next = argument(function, latch, head, index as usize)?;
            let (_, data) = function.def_inst(next)?;
            let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind else {
                return None;
            };
            let fits = match context.type_of(function, counter) {
                TypePool::I64 => true,
                TypePool::I32 => data.math.has(MathFlags::NO_SIGNED_WRAP),
                _ => false,
            };
            let step = context.signed(right)?;
            let is_written_out = context.signed(start).is_some_and(|start| {
                let ends = ends(context, function, [head, latch], [counter, next]);
                ends.is_some_and(|end| {
                    end.abs_diff(start) / step.unsigned_abs().max(1) <= MAX_WRITTEN_OUT
                })
            });
            let location = function.insts[product.inst].location;
            let found = Address { head, entry, latch, start, step, factor, location };
            (left == counter && fits && !is_written_out).then_some(found)
        })
    }

    /// From where a loop is entered, and from where it turns back.
    fn edges(&self, head: Block) -> Option<(Block, Block)> {
        let mut from = self.cfg.predecessors(head);
        let (first, second) = (from.next()?, from.next()?);
        let turns_back = |from| self.dominators.dominates(head, from);
        match (turns_back(first), turns_back(second), from.next()) {
            (true, false, None) => Some((second, first)),
            (false, true, None) => Some((first, second)),
            _ => None,
        }
    }

    /// Whether a value is the same in all turns: defined before the loop, or an address or number that is computed of
    /// such values.
    fn is_invariant(
        &self,
        function: &Function,
        value: Value,
        (head, entry): (Block, Block),
        depth: u32,
    ) -> bool {
        if self.is_before(function, value, (head, entry)) {
            return true;
        }
        let Some((inst, data)) = function.def_inst(value) else { return false };
        let can_move = match data.kind {
            InstKind::PtrAdd { .. } => true,
            InstKind::Convert { op, .. } => op == ConvertOp::SignExtend,
            InstKind::Binary { op, .. } => matches!(op, BinaryOp::IAdd | BinaryOp::IMul),
            _ => false,
        };
        let mut are_invariant = can_move && depth > 0;
        if are_invariant {
            function.each_operand(inst, |operand| {
                are_invariant &= self.is_invariant(function, operand, (head, entry), depth - 1);
            });
        }
        are_invariant
    }

    /// Whether a value is defined before a loop. It is used in it, so that no other way leads there.
    fn is_before(&self, function: &Function, value: Value, (head, entry): (Block, Block)) -> bool {
        let home = match function.def(value) {
            None => return true,
            Some(ValueDef::Param(block, _)) => block,
            Some(ValueDef::Inst(inst)) => match self.homes.get(inst.index()) {
                Some(&block) => block,
                // Made by this pass.
                None => return false,
            },
        };
        home != head && self.dominators.dominates(home, entry)
    }

    /// Gives the head of a loop a parameter that is the address.
    fn step(
        &self,
        context: &mut ModuleContext<'_>,
        function: &mut Function,
        base: Value,
        address: &Address,
    ) -> Value {
        let &Address { head, entry, latch, start, step, factor, location } = address;
        let pointer = context.type_of(function, base);
        let mut maker = Maker { context, function, entry, location };
        let [base, factor] = [base, factor].map(|value| {
            maker.moved(value, &|function: &Function, value| {
                self.is_before(function, value, (head, entry))
            })
        });
        let (factor, start) = (maker.longer(factor), maker.longer(start));
        let first = maker.times(start, factor);
        let step = integer(maker.context, step);
        let step = maker.times(step, factor);
        let begin = match maker.context.signed(first) {
            Some(0) => base,
            _ => maker.add(entry, InstKind::PtrAdd { base, index: first }, pointer),
        };
        let param = maker.function.add_block_param(head, pointer);
        let next = maker.add(latch, InstKind::PtrAdd { base: param, index: step }, pointer);
        for (from, value) in [(entry, begin), (latch, next)] {
            pass(function, from, head, value);
        }
        param
    }
}

/// The constant that a loop compares its counter with.
fn ends(
    context: &ModuleContext<'_>,
    function: &Function,
    blocks: [Block; 2],
    compared: [Value; 2],
) -> Option<i64> {
    let mut insts = blocks.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.find_map(|&inst| match function.insts[inst].kind {
        InstKind::Compare { op: _, left, right } if compared.contains(&left) => {
            context.signed(right)
        }
        _ => None,
    })
}

/// What edges pass for a parameter, if it is the same on all edges between two blocks.
fn argument(function: &Function, from: Block, to: Block, index: usize) -> Option<Value> {
    let mut targets =
        function.blocks[from].terminator.targets().filter(|target| target.block == to);
    let value = function.value_at(targets.next()?.arguments, index);
    targets.all(|target| function.value_at(target.arguments, index) == value).then_some(value)
}

fn integer(context: &mut ModuleContext<'_>, number: i64) -> Value {
    context.consts.intern(Const::Int(TypePool::I64, number as u64))
}

/// Computes before a loop.
struct Maker<'a, 'm> {
    context: &'a mut ModuleContext<'m>,
    function: &'a mut Function,
    entry: Block,
    location: Location,
}

impl Maker<'_, '_> {
    fn add(&mut self, block: Block, kind: InstKind, ty: Type) -> Value {
        self.function.compute(block, kind, ty, self.location)
    }

    /// A value of which [`Finder::is_invariant`] is true, before the loop.
    fn moved(&mut self, value: Value, is_before: &dyn Fn(&Function, Value) -> bool) -> Value {
        if is_before(self.function, value) {
            return value;
        }
        let Some((_, data)) = self.function.def_inst(value) else { return value };
        let kind = match data.kind {
            InstKind::PtrAdd { base, index } => InstKind::PtrAdd {
                base: self.moved(base, is_before),
                index: self.moved(index, is_before),
            },
            InstKind::Convert { op, operand, rounding, saturate } => {
                let operand = self.moved(operand, is_before);
                InstKind::Convert { op, operand, rounding, saturate }
            }
            InstKind::Binary { op, left, right } => InstKind::Binary {
                op,
                left: self.moved(left, is_before),
                right: self.moved(right, is_before),
            },
            kind => kind,
        };
        let ty = self.context.type_of(self.function, value);
        self.add(self.entry, kind, ty)
    }

    /// An integer in 64 bits.
    fn longer(&mut self, value: Value) -> Value {
        if let Some(number) = self.context.signed(value) {
            return integer(self.context, number);
        }
        if self.context.type_of(self.function, value) == TypePool::I64 {
            return value;
        }
        let (op, operand) = (ConvertOp::SignExtend, value);
        let kind = InstKind::Convert { op, operand, rounding: None, saturate: false };
        self.add(self.entry, kind, TypePool::I64)
    }

    /// A product, which wraps as addresses do.
    fn times(&mut self, left: Value, right: Value) -> Value {
        match (self.context.signed(left), self.context.signed(right)) {
            (Some(a), Some(b)) => integer(self.context, a.wrapping_mul(b)),
            (Some(0), _) | (_, Some(1)) => left,
            (Some(1), _) | (_, Some(0)) => right,
            _ => {
                let kind = InstKind::Binary { op: BinaryOp::IMul, left, right };
                self.add(self.entry, kind, TypePool::I64)
            }
        }
    }
}

/// Adds an argument to all edges between two blocks.
fn pass(function: &mut Function, from: Block, to: Block, value: Value) {
    let mut terminator = std::mem::take(&mut function.blocks[from].terminator);
    for target in terminator.targets_mut().filter(|target| target.block == to) {
        let arguments: Vec<Value> = function.values_of(target.arguments).chain([value]).collect();
        target.arguments = function.list(&arguments);
    }
    function.blocks[from].terminator = terminator;
}
