//! Shifts, and masks, in place of signed divisions by powers of two.
//!
//! Where the dividend is not negative, compilers of drivers would do so by themselves if they saw that: but they are told
//! neither that a sum of `int` does not wrap ([`MathFlags::NO_SIGNED_WRAP`]) nor how large work-groups are. A signed division
//! rounds towards zero, which takes four instructions and not one:
//!
//! ```text
//! x / 2^k    ->    (x + (x >> 63 >>> 64 - k)) >> k
//! ```
//!
//! Those of 64 bits are divided like any others by compilers of shaders, which takes a hundred instructions.

use clc_ir::debug::Location;
use clc_ir::{BinaryOp, Block, Function, Inst, InstKind, MathFlags, Value};

use crate::context::ModuleContext;
use crate::fold::Folder;
use crate::signs::Signs;

/// Rewrites the divisions of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut divisions = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Binary { op: BinaryOp::SDiv | BinaryOp::SRem, left, right } =
                function.insts[inst].kind
                && let Some(bits) = context.types.scalar_bits(context.type_of(function, right))
                && let Some(divisor) = folder(context).splat_bits(right)
                // The lowest of all numbers is no power of two.
                && divisor.is_power_of_two()
                && (2..1 << (bits - 1)).contains(&divisor)
            {
                divisions.push(Division { block, inst, left, divisor, bits });
            }
        }
    }
    if divisions.is_empty() {
        return;
    }
    let signs = Signs::new(function);
    let mut divisions = divisions.into_iter().peekable();
    while let Some(block) = divisions.peek().map(|next| next.block) {
        let mut out = Vec::new();
        for inst in std::mem::take(&mut function.blocks[block].insts) {
            if let Some(division) = divisions.next_if(|next| next.inst == inst) {
                if signs.is_not_negative(context, function, division.left, division.block) {
                    division.replace(context, function);
                } else if division.bits == 64 {
                    division.round_towards_zero(context, function, &mut out);
                }
            }
            out.push(inst);
        }
        function.blocks[block].insts = out;
    }
}

fn folder<'a>(context: &'a mut ModuleContext<'_>) -> Folder<'a> {
    Folder { types: &mut *context.types, consts: &mut *context.consts }
}

/// A division by a power of two that is not negative.
struct Division {
    block: Block,
    inst: Inst,
    left: Value,
    divisor: u64,
    /// Of a component.
    bits: u8,
}

impl Division {
    /// Of what is not negative.
    fn replace(&self, context: &mut ModuleContext<'_>, function: &mut Function) {
        let (op, number) = match self.divides(function) {
            true => (BinaryOp::LShr, self.shift()),
            false => (BinaryOp::And, self.divisor - 1),
        };
        self.becomes(context, function, op, self.left, number);
    }

    /// Of what may be.
    fn round_towards_zero(
        &self,
        context: &mut ModuleContext<'_>,
        function: &mut Function,
        out: &mut Vec<Inst>,
    ) {
        let divides = self.divides(function);
        let ty = context.type_of(function, self.left);
        let number = |number| folder(context).splat(ty, number);
        let bits = u64::from(self.bits);
        let [all, above, below] = [bits - 1, bits - self.shift(), self.divisor - 1].map(number);
        let mut before = |op, left, right| {
            let kind = InstKind::Binary { op, left, right };
            let new = function.create_inst(kind, Some(ty), MathFlags::NONE, Location::default());
            out.push(new);
            function.insts[new].result.expect("an operation has a result")
        };
        let sign = before(BinaryOp::AShr, self.left, all);
        let more = before(BinaryOp::LShr, sign, above);
        let sum = before(BinaryOp::IAdd, self.left, more);
        if divides {
            self.becomes(context, function, BinaryOp::AShr, sum, self.shift());
        } else {
            // What a division would leave is what the sum has below, less what was added.
            let left = before(BinaryOp::And, sum, below);
            let data = &mut function.insts[self.inst];
            data.kind = InstKind::Binary { op: BinaryOp::ISub, left, right: more };
            data.math = MathFlags::NONE;
        }
    }

    fn divides(&self, function: &Function) -> bool {
        matches!(function.insts[self.inst].kind, InstKind::Binary { op: BinaryOp::SDiv, .. })
    }

    fn shift(&self) -> u64 {
        u64::from(self.divisor.trailing_zeros())
    }

    fn becomes(
        &self,
        context: &mut ModuleContext<'_>,
        function: &mut Function,
        op: BinaryOp,
        left: Value,
        number: u64,
    ) {
        let ty = context.type_of(function, self.left);
        let right = folder(context).splat(ty, number);
        let data = &mut function.insts[self.inst];
        data.kind = InstKind::Binary { op, left, right };
        data.math = MathFlags::NONE;
    }
}
