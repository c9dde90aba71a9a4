//! Adds the parts of an index to an address one after the other, for shaders: first what changes least, constants
//! last.
//!
//! ```text
//! p + sext(8 * c + k)      ->   (p + sext(8 * c)) + sext(k)     where `k` counts in a loop inside that of `c`
//! p + sext(i + 3)          ->   (p + sext(i)) + 3
//! p + zext(16 * i + 3)     ->   (p + zext(16 * i)) + 3
//! ```
//!
//! Where one of several accesses is split, those that differ from it in the constant are, too, so that they have the
//! rest in common.
//!
//! The first is then the same in all turns of a loop, or for all neighbours of an element, and constants are part of
//! load instructions; once the loop of `k` is written out, it is a constant too. A sum of `int` that is made longer as a
//! whole is a sum of longer numbers only where it does not wrap ([`MathFlags::NO_SIGNED_WRAP`]), which compilers of
//! Vulkan's drivers do not know.
//!
//! Only pointers into buffers: these are the ones that become addresses. It runs right before that, since
//! simplification would put parts together again.

use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConvertOp, Function, Inst, InstKind, MathFlags, StorageClass,
    TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::changes;
use crate::context::ModuleContext;

/// The most parts of an index besides the constant; what has more stays as it is.
const MAX_PARTS: usize = 3;

/// The deepest sum of sums that is looked into.
const MAX_DEPTH: u32 = 8;

/// Splits the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let adds = |function: &Function, inst: Inst| match function.insts[inst].kind {
        InstKind::PtrAdd { base, index } if !index.is_const() => {
            is_in_buffer(context.types, function, base)
        }
        _ => false,
    };
    let blocks: Vec<Block> = (function.layout.iter().copied())
        .filter(|&block| function.blocks[block].insts.iter().any(|&inst| adds(function, inst)))
        .collect();
    if blocks.is_empty() {
        return;
    }
    let depths = changes::depths(function, &Cfg::new(function));
    let mut splitter = Splitter { context, function, depths, split: FxHashSet::default() };
    for &block in &blocks {
        for index in 0..splitter.function.blocks[block].insts.len() {
            splitter.note(splitter.function.blocks[block].insts[index]);
        }
    }
    for block in blocks {
        let insts = std::mem::take(&mut splitter.function.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            splitter.inst(inst, &mut out);
            out.push(inst);
        }
        splitter.function.blocks[block].insts = out;
    }
}

/// Whether a pointer points into a buffer.
pub(crate) fn is_in_buffer(types: &TypePool, function: &Function, pointer: Value) -> bool {
    let ty = pointer.as_local().map(|index| function.values[index].ty);
    let class = ty.and_then(|ty| types.pointer_parts(ty)).map(|parts| parts.1);
    matches!(class, Some(StorageClass::CrossWorkgroup | StorageClass::UniformConstant))
}

struct Splitter<'a, 'm> {
    context: &'a mut ModuleContext<'m>,
    function: &'a mut Function,
    /// By value: in how many loops it changes.
    depths: Vec<u32>,
    /// What is added to which address, besides a constant, in more than one part.
    split: FxHashSet<(Value, Vec<Value>)>,
}

/// An index: the sum of all.
#[derive(Default)]
struct Sum {
    /// Signed, of 32 or 64 bits.
    parts: Vec<Value>,
    constant: i64,
}

impl Splitter<'_, '_> {
    /// The base of an addition to an address in a buffer, and its index in parts: those that have to be apart, and all
    /// that there are; neither if it has too many.
    fn parts(&self, inst: Inst) -> Option<(Value, [Option<Sum>; 2])> {
        let InstKind::PtrAdd { base, index } = self.function.insts[inst].kind else { return None };
        if index.is_const() || !is_in_buffer(self.context.types, self.function, base) {
            return None;
        }
        Some((base, [self.sum(index, false), self.sum(index, true)]))
    }

    fn note(&mut self, inst: Inst) {
        if let Some((base, [Some(few), Some(all)])) = self.parts(inst)
            && few.parts.len() > 1
        {
            self.split.insert((base, all.parts));
        }
    }

    fn inst(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let Some((base, [few, all])) = self.parts(inst) else { return };
        let Some(few) = few else { return };
        let mut sum = match (self.unsigned_sum(inst, out), all) {
            (Some(sum), _) => sum,
            (None, Some(Sum { parts, constant })) if !self.split.is_empty() => {
                let key = (base, parts);
                if self.split.contains(&key) { Sum { parts: key.1, constant } } else { few }
            }
            _ => few,
        };
        if sum.parts.len() + usize::from(sum.constant != 0) < 2 {
            return;
        }
        let location = self.function.insts[inst].location;
        if sum.constant != 0 {
            let constant = Const::Int(TypePool::I64, sum.constant as u64);
            sum.parts.push(self.context.consts.intern(constant));
        }
        let Some(last) = sum.parts.pop() else { return };
        let ty = self.context.type_of(self.function, base);
        let base = sum.parts.into_iter().fold(base, |base, index| {
            let kind = InstKind::PtrAdd { base, index };
            let inst = self.function.create_inst(kind, Some(ty), MathFlags::NONE, location);
            out.push(inst);
            self.function.insts[inst].result.unwrap_or(base)
        });
        self.function.insts[inst].kind = InstKind::PtrAdd { base, index: last };
    }

    /// The parts of an unsigned index of 32 bits whose constant only fills bits that are zero, so that nothing wraps: the
    /// rest, which is made longer before the addition, and the constant.
    fn unsigned_sum(&mut self, inst: Inst, out: &mut Vec<Inst>) -> Option<Sum> {
        let InstKind::PtrAdd { index, .. } = self.function.insts[inst].kind else { return None };
        let (_, data) = self.function.def_inst(index)?;
        let (extension, location) = (data.kind, data.location);
        let InstKind::Convert { op: ConvertOp::ZeroExtend, operand, rounding, saturate } =
            extension
        else {
            return None;
        };
        let (_, data) = self.function.def_inst(operand)?;
        let InstKind::Binary { op: BinaryOp::IAdd, left, right } = data.kind else { return None };
        let constant = self.context.signed(right)?;
        let free = self.trailing_zeros(left, MAX_DEPTH).min(31);
        if self.context.type_of(self.function, index) != TypePool::I64
            || !(1..1 << free).contains(&constant)
        {
            return None;
        }
        let kind =
            InstKind::Convert { op: ConvertOp::ZeroExtend, operand: left, rounding, saturate };
        let ty = Some(TypePool::I64);
        let longer = self.function.create_inst(kind, ty, MathFlags::NONE, location);
        out.push(longer);
        Some(Sum { parts: vec![self.function.insts[longer].result?], constant })
    }

    /// How many of the lowest bits of an integer are known to be zero, by what it is computed of here:
    /// [`alignment`](crate::alignment) looks at a whole function, for four bits.
    fn trailing_zeros(&self, value: Value, depth: u32) -> u32 {
        if value.is_const() {
            return self.context.signed(value).map_or(0, i64::trailing_zeros);
        }
        let Some((_, data)) = self.function.def_inst(value).filter(|_| depth > 0) else {
            return 0;
        };
        let of = |value| self.trailing_zeros(value, depth - 1);
        match data.kind {
            InstKind::Binary { op: BinaryOp::IMul, left, right } => {
                of(right).saturating_add(if right.is_const() { of(left) } else { 0 })
            }
            InstKind::Binary { op: BinaryOp::Shl, left: _, right } => {
                self.context.signed(right).and_then(|by| u32::try_from(by).ok()).unwrap_or(0)
            }
            InstKind::Binary { op: BinaryOp::And, left: _, right } => of(right),
            InstKind::Binary { op: BinaryOp::IAdd | BinaryOp::Or, left, right } => {
                of(left).min(of(right))
            }
            _ => 0,
        }
    }

    /// What an index is the sum of, in the order in which it is added: all parts that there are (sums of 64 bits, which
    /// are the same wherever they are needed, stay whole), or parts as large as they can be. Nothing if there are too many.
    fn sum(&self, index: Value, in_all_parts: bool) -> Option<Sum> {
        let mut sum = self.sum_of(index, in_all_parts, MAX_DEPTH)?;
        sum.parts.sort_by_key(|&part| (self.depth(part), part));
        (sum.parts.len() <= MAX_PARTS).then_some(sum)
    }

    fn sum_of(&self, value: Value, in_all_parts: bool, depth: u32) -> Option<Sum> {
        let whole = Sum { parts: vec![value], constant: 0 };
        if value.is_const() {
            let constant = self.context.signed(value)?;
            return Some(Sum { parts: Vec::new(), constant });
        }
        let Some((_, data)) = self.function.def_inst(value).filter(|_| depth > 0) else {
            return Some(whole);
        };
        match data.kind {
            InstKind::Convert { op: ConvertOp::SignExtend, operand, .. }
                if self.context.type_of(self.function, operand) == TypePool::I32 =>
            {
                self.sum_of(operand, in_all_parts, depth - 1)
            }
            // Addresses wrap as indices of 64 bits do.
            InstKind::Binary { op: BinaryOp::IAdd, left, right }
                if self.context.type_of(self.function, value) == TypePool::I64
                    || data.math.has(MathFlags::NO_SIGNED_WRAP) =>
            {
                let left = self.sum_of(left, in_all_parts, depth - 1)?;
                let right = self.sum_of(right, in_all_parts, depth - 1)?;
                let has_constant = left.constant != 0 || right.constant != 0;
                let mut parts = left.parts;
                parts.extend(right.parts);
                let may_be_whole =
                    !in_all_parts || self.context.type_of(self.function, value) == TypePool::I64;
                if may_be_whole && !has_constant && !self.differ(&parts) {
                    return Some(whole);
                }
                Some(Sum { parts, constant: left.constant.wrapping_add(right.constant) })
            }
            _ => Some(whole),
        }
    }

    /// Whether values change in different loops.
    fn differ(&self, values: &[Value]) -> bool {
        values.iter().any(|&value| self.depth(value) != self.depth(values[0]))
    }

    fn depth(&self, value: Value) -> u32 {
        value.as_local().and_then(|index| self.depths.get(index)).copied().unwrap_or(0)
    }
}
