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
    BinaryOp, Block, Const, ConvertOp, Function, Inst, InstKind, MathFlags, Type, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;
use crate::entered_once::{Counter, Edges, Loops, pass};
use crate::split_indices::is_in_buffer;

/// The most addresses of one loop that are stepped: each is a register more, or two.
const MAX_STEPPED: usize = 4;

/// The most operations, one on the result of another, that are moved before a loop.
const MAX_MOVED: u32 = 4;

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
    let finder = Finder(Loops::new(function));
    // By what is added to what: the parameter that is the address.
    let mut stepped: FxHashMap<(Value, Value), Value> = FxHashMap::default();
    let mut counts: FxHashMap<Block, usize> = FxHashMap::default();
    for product in products {
        let key = (product.base, product.index);
        let address = match stepped.get(&key) {
            Some(&address) => address,
            None => {
                let Some(address) = finder.address(context, function, &product) else { continue };
                let count = counts.entry(address.counter.edges.head).or_default();
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

/// An address in a loop: `base + counter * factor`.
struct Address {
    /// Of 32 or 64 bits.
    counter: Counter,
    /// Of 32 or 64 bits.
    factor: Value,
    location: Location,
}

struct Finder(Loops);

impl Finder {
    /// What becomes of a product, if one of the factors counts turns.
    fn address(
        &self,
        context: &ModuleContext<'_>,
        function: &Function,
        product: &Product,
    ) -> Option<Address> {
        let [left, right] = product.factors;
        [(left, right), (right, left)].into_iter().find_map(|(counted, factor)| {
            let counted = before_extension(context, function, counted);
            let counter = self.0.counter(context, function, counted)?;
            let edges = counter.edges;
            let [here, around] = [product.block, edges.head].map(|at| self.0.around[at.index()]);
            let is_inside = here > around;
            let in_each_turn =
                here == around && self.0.dominators.dominates(product.block, edges.latch);
            let is_invariant = |value| self.is_invariant(function, value, edges, MAX_MOVED);
            if !(is_inside || in_each_turn) || !is_invariant(product.base) || !is_invariant(factor)
            {
                return None;
            }
            let fits = match context.type_of(function, counted) {
                TypePool::I64 => true,
                TypePool::I32 => {
                    let (_, next) = function.def_inst(counter.next)?;
                    next.math.has(MathFlags::NO_SIGNED_WRAP)
                }
                _ => false,
            };
            let location = function.insts[product.inst].location;
            fits.then_some(Address { counter, factor, location })
        })
    }

    /// Whether a value is the same in all turns: defined before the loop, or an address or number that is computed of
    /// such values.
    fn is_invariant(&self, function: &Function, value: Value, edges: Edges, depth: u32) -> bool {
        if self.0.is_before(function, value, edges) {
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
                are_invariant &= self.is_invariant(function, operand, edges, depth - 1);
            });
        }
        are_invariant
    }

    /// Gives the head of a loop a parameter that is the address.
    fn step(
        &self,
        context: &mut ModuleContext<'_>,
        function: &mut Function,
        base: Value,
        address: &Address,
    ) -> Value {
        let &Address { counter: Counter { edges, start, step, .. }, factor, location } = address;
        let Edges { head, entry, latch } = edges;
        let pointer = context.type_of(function, base);
        let mut maker = Maker { context, function, entry, location };
        let [base, factor] = [base, factor].map(|value| {
            maker.moved(value, &|function: &Function, value| {
                self.0.is_before(function, value, edges)
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
