//! Adds the parts of an index to an address one after the other, for shaders: first what changes least, constants
//! last.
//!
//! ```text
//! p + sext(8 * c + k)      ->   (p + sext(8 * c)) + sext(k)     where `k` counts in a loop inside that of `c`
//! p + sext(i + 3)          ->   (p + sext(i)) + 3
//! p + zext(16 * i + 3)     ->   (p + zext(16 * i)) + 3
//! ```
//!
//! The first is then the same in all turns of a loop, or for all neighbours of an element, and constants are part of
//! load instructions; once the loop of `k` is written out, it is a constant too. A sum of `int` that is made longer as a
//! whole is a sum of longer numbers only where it does not wrap ([`MathFlags::NO_SIGNED_WRAP`]), which compilers of
//! Vulkan's drivers do not know; or where all parts are known to be small, as numbers of work-items in a work-group are
//! ([`Bounds`]): then it does not matter whether it has a sign.
//!
//! An addition to an address takes two instructions or three, one of `int` takes one or is part of a multiplication. So a
//! sum of `int` stays whole where two parts would be added in the innermost loop of all parts:
//!
//! ```text
//! p + sext(x + (dx + row)) stays    where `dx` and `row` change in each turn, and `x` does not
//! ```
//!
//! unless other accesses share what is added: those that differ from it in the constant, or in the last part only.
//!
//! Only pointers into buffers: these are the ones that become addresses. It runs right before that, since
//! simplification would put parts together again.

use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConvertOp, Function, Inst, InstKind, MathFlags, StorageClass,
    TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::Bounds;
use crate::changes;
use crate::context::ModuleContext;
use crate::counted::{Counters, WRITTEN_OUT};

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
    let cfg = Cfg::new(function);
    let counters = Counters::new(context, function, WRITTEN_OUT);
    let lasting_depths = changes::lasting_depths(function, &cfg, &counters);
    let depths = changes::depths(function, &cfg);
    let bounds = Bounds::new(context, function);
    let (split, shared) = Default::default();
    let mut splitter =
        Splitter { context, function, depths, lasting_depths, counters, bounds, split, shared };
    let additions: Vec<Inst> =
        blocks.iter().flat_map(|&block| &splitter.function.blocks[block].insts).copied().collect();
    for &inst in &additions {
        splitter.note_split(inst);
    }
    for inst in additions {
        splitter.note_shared(inst);
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
    /// The same once loops are written out.
    lasting_depths: Vec<u32>,
    counters: Counters,
    bounds: Bounds,
    /// What is added to which address, besides a constant, in more than one part if the rest is shared.
    split: FxHashSet<(Value, Vec<Value>)>,
    /// By an address and what of such parts is added first: what is added then.
    shared: FxHashMap<(Value, Vec<Value>), FxHashSet<(Vec<Value>, i64)>>,
}

/// How far an index is taken apart.
#[derive(Clone, Copy)]
enum Apart {
    /// Sums of 64 bits, which are the same wherever they are needed, stay whole.
    All,
    /// All whose parts change in the same loops stay whole.
    ByChange,
    /// So do those that have two parts to add in the innermost loop.
    WherePaid,
}

/// An index: the sum of all.
#[derive(Default)]
struct Sum {
    /// Signed, of 32 or 64 bits.
    parts: Vec<Value>,
    constant: i64,
}

impl Splitter<'_, '_> {
    /// An addition of something else than a constant to an address in a buffer: that and the index.
    fn addition(&self, inst: Inst) -> Option<(Value, Value)> {
        let InstKind::PtrAdd { base, index } = self.function.insts[inst].kind else { return None };
        let is_split = !index.is_const() && is_in_buffer(self.context.types, self.function, base);
        is_split.then_some((base, index))
    }

    fn note_split(&mut self, inst: Inst) {
        if let Some((base, index)) = self.addition(inst)
            && let Some(few) = self.sum(index, Apart::ByChange)
            && few.parts.len() > 1
            && let Some(all) = self.sum(index, Apart::All)
        {
            self.split.insert((base, all.parts));
        }
    }

    fn note_shared(&mut self, inst: Inst) {
        let Some((base, index)) = self.addition(inst) else { return };
        let Some(Sum { parts, constant }) = self.sum(index, Apart::All) else { return };
        let key = (base, parts);
        if self.split.contains(&key) {
            for added in self.shareable(&key.1) {
                let (first, rest) = key.1.split_at(added);
                let all = self.shared.entry((base, first.to_vec())).or_default();
                all.insert((rest.to_vec(), constant));
            }
        }
    }

    /// How many of the parts have to be the same for accesses to share what is added in the innermost loop.
    fn shareable(&self, parts: &[Value]) -> impl Iterator<Item = usize> + use<> {
        let deepest = parts.last().map(|&last| self.depth(last));
        let before = parts.iter().take_while(|&&part| Some(self.depth(part)) != deepest).count();
        before + 1..=parts.len()
    }

    /// The parts of an index that has one of them in common with that of another access.
    fn shared_parts(&self, base: Value, index: Value) -> Option<Sum> {
        let all = self.sum(index, Apart::All).filter(|_| !self.split.is_empty())?;
        let key = (base, all.parts);
        let is_shared = self.split.contains(&key)
            && self.shareable(&key.1).any(|added| {
                let all = self.shared.get(&(base, key.1[..added].to_vec()));
                all.is_some_and(|all| all.len() > 1)
            });
        is_shared.then_some(Sum { parts: key.1, constant: all.constant })
    }

    fn inst(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let Some((base, index)) = self.addition(inst) else { return };
        let sum = (self.unsigned_sum(index, out))
            .or_else(|| self.shared_parts(base, index))
            .or_else(|| self.sum(index, Apart::WherePaid));
        let Some(mut sum) = sum else { return };
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
    fn unsigned_sum(&mut self, index: Value, out: &mut Vec<Inst>) -> Option<Sum> {
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
        let free = trailing_zeros(self.context, self.function, left).min(31);
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

    /// What an index is the sum of, in the order in which it is added. Nothing if there are too many parts.
    fn sum(&self, index: Value, apart: Apart) -> Option<Sum> {
        let mut sum = self.sum_of(index, apart, MAX_DEPTH)?;
        sum.parts.sort_by_key(|&part| (self.depth(part), part));
        (sum.parts.len() <= MAX_PARTS).then_some(sum)
    }

    fn sum_of(&self, value: Value, apart: Apart, depth: u32) -> Option<Sum> {
        let whole = Sum { parts: vec![value], constant: 0 };
        if value.is_const() {
            let constant = self.context.signed(value)?;
            return Some(Sum { parts: Vec::new(), constant });
        }
        let Some((_, data)) = self.function.def_inst(value).filter(|_| depth > 0) else {
            return Some(whole);
        };
        match data.kind {
            InstKind::Convert { op, operand, .. }
                if self.context.type_of(self.function, operand) == TypePool::I32
                    && (op == ConvertOp::SignExtend
                        || op == ConvertOp::ZeroExtend && self.has_no_sign(operand)) =>
            {
                self.sum_of(operand, apart, depth - 1)
            }
            // Addresses wrap as indices of 64 bits do.
            InstKind::Binary { op: BinaryOp::IAdd, left, right }
                if self.context.type_of(self.function, value) == TypePool::I64
                    || data.math.has(MathFlags::NO_SIGNED_WRAP)
                    || self.has_no_sign(value) =>
            {
                let left = self.sum_of(left, apart, depth - 1)?;
                let right = self.sum_of(right, apart, depth - 1)?;
                let has_constant = left.constant != 0 || right.constant != 0;
                let mut parts = left.parts;
                parts.extend(right.parts);
                let is_long = self.context.type_of(self.function, value) == TypePool::I64;
                let stays = match apart {
                    Apart::All if !is_long => false,
                    Apart::WherePaid if !is_long && self.are_several_last(&parts) => true,
                    _ => !has_constant && !self.differ(&parts),
                };
                if stays {
                    return Some(whole);
                }
                Some(Sum { parts, constant: left.constant.wrapping_add(right.constant) })
            }
            _ => Some(whole),
        }
    }

    /// Whether a number of 32 bits is known to be less than 2^31, as is all that it is a sum of then.
    fn has_no_sign(&self, value: Value) -> bool {
        let most = self.bounds.most(self.context, self.function, value);
        most.is_some_and(|most| most <= i32::MAX as u64)
    }

    /// Whether values change in different loops.
    fn differ(&self, values: &[Value]) -> bool {
        values.iter().any(|&value| self.depth(value) != self.depth(values[0]))
    }

    /// Whether several parts are added in the innermost loop of all, as loops are and once they are written out.
    fn are_several_last(&self, parts: &[Value]) -> bool {
        let is_added = |part| !self.counters.are_enough_for(self.function, part);
        [&self.depths, &self.lasting_depths].into_iter().all(|depths| {
            let deepest = parts.iter().map(|&part| depth_of(depths, part)).max();
            let last = parts.iter().filter(|&&part| Some(depth_of(depths, part)) == deepest);
            last.filter(|&&part| is_added(part)).count() > 1
        })
    }

    fn depth(&self, value: Value) -> u32 {
        depth_of(&self.depths, value)
    }
}

fn depth_of(depths: &[u32], value: Value) -> u32 {
    value.as_local().and_then(|index| depths.get(index)).copied().unwrap_or(0)
}

/// How many of the lowest bits of an integer are known to be zero, by what it is computed of here:
/// [`alignment`](crate::alignment) looks at a whole function, for four bits.
pub(crate) fn trailing_zeros(
    context: &ModuleContext<'_>,
    function: &Function,
    value: Value,
) -> u32 {
    trailing_zeros_within(context, function, value, MAX_DEPTH)
}

fn trailing_zeros_within(
    context: &ModuleContext<'_>,
    function: &Function,
    value: Value,
    depth: u32,
) -> u32 {
    if value.is_const() {
        return context.signed(value).map_or(0, i64::trailing_zeros);
    }
    let Some((_, data)) = function.def_inst(value).filter(|_| depth > 0) else {
        return 0;
    };
    let of = |value| trailing_zeros_within(context, function, value, depth - 1);
    match data.kind {
        InstKind::Binary { op: BinaryOp::IMul, left, right } => {
            of(right).saturating_add(if right.is_const() { of(left) } else { 0 })
        }
        InstKind::Binary { op: BinaryOp::Shl, left: _, right } => {
            context.signed(right).and_then(|by| u32::try_from(by).ok()).unwrap_or(0)
        }
        InstKind::Binary { op: BinaryOp::And, left: _, right } => of(right),
        InstKind::Binary { op: BinaryOp::IAdd | BinaryOp::Or, left, right } => {
            of(left).min(of(right))
        }
        _ => 0,
    }
}
