//! Joins the two bytes of a swapped short by addition, where a driver would lose them.
//!
//! NVIDIA's compiler (580.159) makes one instruction of `x << 8 | x >> 8`, in 16 bits and in what it narrows to 16 bits,
//! and that instruction gives 0. It takes no sum for a swap. The bytes have no bits in common, so that `+` joins them as
//! `|` and `^` do, at the same cost. It swaps four and eight bytes as it should. Bytes that only the driver follows, through
//! variables without `-O`, are not seen.

use clc_ir::{
    BinaryOp, Const, ConstPool, ConvertOp, Function, InstKind, Module, Type, TypePool, Value,
};

/// The longest row of operations through which bits are followed.
const MAX_DEPTH: u32 = 16;

/// Runs after all passes that would make `|` of a sum again.
pub(crate) fn run(module: &mut Module) {
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut().filter(|function| !function.is_declaration()) {
        for block in function.layout.clone() {
            for at in 0..function.blocks[block].insts.len() {
                let inst = function.blocks[block].insts[at];
                if let InstKind::Binary { op: BinaryOp::Or | BinaryOp::Xor, left, right } =
                    function.insts[inst].kind
                    && (Source { types, consts, function }).is_swap(left, right)
                {
                    function.insts[inst].kind =
                        InstKind::Binary { op: BinaryOp::IAdd, left, right };
                }
            }
        }
    }
}

/// Bits of some number, at another place.
#[derive(Clone, Copy)]
struct Moved {
    /// How far to the left.
    by: i64,
    /// Those that may be set.
    may: u64,
}

impl Moved {
    fn up(self, count: u64) -> Moved {
        Moved { by: self.by + count.cast_signed(), may: self.may << count }
    }

    fn down(self, count: u64) -> Moved {
        Moved { by: self.by - count.cast_signed(), may: self.may >> count }
    }

    fn only(self, mask: u64) -> Moved {
        Moved { may: self.may & mask, ..self }
    }
}

struct Source<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
}

impl Source<'_> {
    /// Whether in some component a byte moved down joins what moved up, and none has bits in common.
    fn is_swap(&self, left: Value, right: Value) -> bool {
        let Some(ty) = self.ty(left).or_else(|| self.ty(right)) else { return false };
        let mut swaps = false;
        for lane in 0..self.types.lanes(ty) {
            let [left, right] = [left, right].map(|side| self.moved(side, lane, MAX_DEPTH));
            if left.may & right.may != 0 {
                return false;
            }
            let is_down = |side: Moved| side.by == -8 && side.may == 0xff;
            swaps |= left.by == 8 && is_down(right) || right.by == 8 && is_down(left);
        }
        swaps
    }

    /// How the bits of a component got to where they are: by shifts, masks and changes of width.
    fn moved(&self, value: Value, lane: u8, depth: u32) -> Moved {
        let here = Moved { by: 0, may: u64::MAX };
        self.operation(value, lane, depth).unwrap_or(here).only(self.ones(value))
    }

    /// The same for what an operation gives that moves bits or takes some, perhaps with bits beyond its width.
    fn operation(&self, value: Value, lane: u8, depth: u32) -> Option<Moved> {
        let depth = depth.checked_sub(1)?;
        let follow = |operand| self.moved(operand, lane, depth);
        match self.function.def_inst(value)?.1.kind {
            InstKind::Binary { op, left, right } => {
                let (operand, number) = match (op, self.constant(left, lane)) {
                    (BinaryOp::And | BinaryOp::IMul, Some(number)) => (right, number),
                    _ => (left, self.constant(right, lane)?),
                };
                let log2 = || number.is_power_of_two().then(|| u64::from(number.trailing_zeros()));
                let count = Some(number).filter(|&count| count < 64);
                Some(match op {
                    BinaryOp::Shl => follow(operand).up(count?),
                    BinaryOp::IMul => follow(operand).up(log2()?),
                    BinaryOp::LShr => follow(operand).down(count?),
                    BinaryOp::UDiv => follow(operand).down(log2()?),
                    BinaryOp::And => follow(operand).only(number),
                    BinaryOp::URem => follow(operand).only((1 << log2()?) - 1),
                    BinaryOp::AShr => self.extended(follow(operand), operand).down(count?),
                    _ => return None,
                })
            }
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::ZeroExtend, operand, ..
            } => Some(follow(operand)),
            InstKind::Convert { op: ConvertOp::SignExtend, operand, .. } => {
                Some(self.extended(follow(operand), operand))
            }
            _ => None,
        }
    }

    /// With copies of the sign above a number, if it may be negative.
    fn extended(&self, moved: Moved, number: Value) -> Moved {
        let ones = self.ones(number);
        let sign = ones ^ ones >> 1;
        if moved.may & sign == 0 { moved } else { Moved { may: moved.may | !ones, ..moved } }
    }

    /// As many ones as a component has bits.
    fn ones(&self, value: Value) -> u64 {
        let width = self.ty(value).and_then(|ty| self.types.scalar_bits(ty)).unwrap_or(64);
        u64::MAX >> (64 - u32::from(width))
    }

    fn ty(&self, value: Value) -> Option<Type> {
        value.as_local().map(|local| self.function.values[local].ty)
    }

    /// The number that is a component of a constant.
    fn constant(&self, value: Value, lane: u8) -> Option<u64> {
        match self.consts.get(value.as_const()?) {
            Const::Int(_, number) => Some(*number),
            Const::Composite(_, parts) => self.constant(parts[usize::from(lane)], 0),
            Const::Null(_) => Some(0),
            _ => None,
        }
    }
}
