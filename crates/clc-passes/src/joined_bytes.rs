//! Makes a vector of the four bytes that a word is put together from, for shaders:
//!
//! ```text
//! zext a | zext b << 8 | zext c << 16 | zext d << 24   ->   bitcast {a, b, c, d}
//! ```
//!
//! The bytes have no bits in common, so that `+` and `^` put them together as `|` does. GPUs choose the bytes of two words
//! in one instruction; compilers of Vulkan's drivers shift and join one by one.
//!
//! It runs behind all that looks for known bits and for neighbouring loads.

use clc_ir::rewrite::{self, Expansion};
use clc_ir::{BinaryOp, Builder, ConvertOp, Function, InstKind, TypePool, Value};

use crate::context::ModuleContext;

/// The deepest operation on the result of another that is looked into: seven join four shifted bytes one after the other.
const MAX_DEPTH: u32 = 8;

/// Makes the vectors of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let vector = context.types.vector(TypePool::I8, 4);
    let joins = |kind: &InstKind| matches!(kind, InstKind::Binary { op, .. } if is_join(*op));
    rewrite::expand(context.types, context.consts, function, joins, |builder, inst| {
        let mut found = [None; 4];
        match builder.function.insts[inst].result {
            Some(word) if find(builder, word, 0, MAX_DEPTH, &mut found).is_some() => {}
            _ => return Expansion::Keep,
        }
        match found {
            [Some(a), Some(b), Some(c), Some(d)] => {
                let parts = builder.construct(vector, &[a, b, c, d]);
                Expansion::Value(builder.bitcast(parts, TypePool::I32))
            }
            _ => Expansion::Keep,
        }
    });
}

/// Whether an operation joins numbers that have no bits in common.
fn is_join(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Or | BinaryOp::Xor | BinaryOp::IAdd)
}

/// Finds the bytes that a word of 32 bits consists of, the lowest first, where it is shifted to the left; nothing if it
/// does not consist of bytes, each at another place.
fn find(
    builder: &Builder<'_>,
    word: Value,
    shift: u64,
    depth: u32,
    found: &mut [Option<Value>; 4],
) -> Option<()> {
    let (_, data) = builder.function.def_inst(word)?;
    let depth = depth.checked_sub(1)?;
    if builder.ty(word) != TypePool::I32 {
        return None;
    }
    match data.kind {
        InstKind::Binary { op, left, right } if is_join(op) => {
            find(builder, left, shift, depth, found)?;
            find(builder, right, shift, depth, found)
        }
        InstKind::Binary { op: BinaryOp::Shl, left, right } => {
            // What goes beyond the word is no byte of it.
            let by = builder.constant_int(right).filter(|&by| by < 32)?;
            find(builder, left, shift + by, depth, found)
        }
        InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. }
            if builder.ty(operand) == TypePool::I8 && shift.is_multiple_of(8) =>
        {
            let place = found.get_mut(usize::try_from(shift / 8).ok()?)?;
            place.is_none().then(|| *place = Some(operand))
        }
        _ => None,
    }
}
