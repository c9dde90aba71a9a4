//! Indices that compilers of processors see through. They make vectors of work-items, and where neighbours use neighbours in
//! memory they load them at once.
//!
//! The lower half of a work-item's number is made of all of it, because behind a truncation they do not see it, nor
//! where something is added to the half:
//!
//! ```text
//! i = trunc get_global_id(0)    ->    wide = get_global_id(0) << 32 >> 32
//! p = ptr_add base, i                 p = ptr_add base, wide
//! ```
//!
//! A work-item's number in its group is its own half: there are fewer of them than `int` counts.
//!
//! Where an index of memory of the work-group is a sum with a work-item's number in its group, it becomes a sum of whole
//! numbers, if it does not wrap: sums of `int` never do ([`MathFlags::NO_SIGNED_WRAP`]), and sums of `uint` not where neither
//! number would be negative as an `int`. Indices of other memory stay: by 32 bits they are gathered sooner.
//!
//! ```text
//! i = trunc get_local_id(0)     ->    wide = get_local_id(0) + zext k
//! p = access tile[zext(i + k)]        p = access tile[wide]
//! ```
//!
//! `mul24` and `mad24` become products and sums, which they are for all operands that they have a meaning for
//! (OpenCL C 6.15.3); elsewhere they stay, as some devices multiply 24 bits sooner.

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Block, Builder, ConvertOp, Function, Inst, InstKind, MathFlags, StorageClass,
    TypeKind, TypePool, Value,
};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;
use crate::signs::Signs;

/// Bits of the half.
const HALF: u64 = 32;

/// Sums of sums that are looked at.
const MAX_TERMS: u32 = 4;

/// Rewrites the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let products = short_products(function);
    let sums = sums(context, function);
    let is_candidate = |kind: &InstKind| {
        matches!(kind, InstKind::PtrAdd { .. } | InstKind::Access { .. }) || is_short(kind)
    };
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        if products.contains(&inst) {
            return product(builder, inst).map_or(Expansion::Keep, Expansion::Value);
        }
        widen(builder, &sums, inst);
        Expansion::Keep
    });
}

/// Whether it is a product of 24 bits, with a sum or without.
fn is_short(kind: &InstKind) -> bool {
    use Intrinsic as I;
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(intrinsic, I::SMul24 | I::UMul24 | I::SMad24 | I::UMad24)
}

/// The products of 24 bits that indices are computed from.
fn short_products(function: &Function) -> FxHashSet<Inst> {
    let mut found = FxHashSet::default();
    if !function.insts.values().any(|data| is_short(&data.kind)) {
        return found;
    }
    let mut seen = FxHashSet::default();
    let mut ahead = Vec::new();
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        match function.insts[inst].kind {
            InstKind::PtrAdd { index, .. } => ahead.push(index),
            InstKind::Access { indices, .. } => ahead.extend(function.values_of(indices)),
            _ => {}
        }
        while let Some(value) = ahead.pop() {
            let Some((inst, data)) = function.def_inst(value) else { continue };
            if !seen.insert(inst) {
                continue;
            }
            let is_product = is_short(&data.kind);
            if is_product {
                found.insert(inst);
            }
            if is_product || matches!(data.kind, InstKind::Binary { .. } | InstKind::Convert { .. })
            {
                function.each_operand(inst, |operand| ahead.push(operand));
            }
        }
    }
    found
}

/// The same in 32 bits.
fn product(builder: &mut Builder<'_>, inst: Inst) -> Option<Value> {
    let InstKind::Intrinsic { arguments, .. } = builder.function.insts[inst].kind else {
        return None;
    };
    let arguments: Vec<Value> = builder.function.values_of(arguments).collect();
    let product = builder.binary(BinaryOp::IMul, arguments[0], arguments[1]);
    Some(match arguments.get(2) {
        Some(&sum) => builder.binary(BinaryOp::IAdd, product, sum),
        None => product,
    })
}

/// How an index of 32 bits becomes one of 64, and what it is before.
fn extended(types: &TypePool, function: &Function, index: Value) -> Option<(ConvertOp, Value)> {
    let bits = |value: Value| match types.kind(function.values[value.as_local()?].ty) {
        TypeKind::Int(bits) => Some(bits),
        _ => None,
    };
    if bits(index)? == HALF as u8 {
        // An index has a sign.
        return Some((ConvertOp::SignExtend, index));
    }
    match function.def_inst(index)?.1.kind {
        InstKind::Convert {
            op: op @ (ConvertOp::SignExtend | ConvertOp::ZeroExtend),
            operand,
            ..
        } => (bits(index)? == 64 && bits(operand)? == HALF as u8).then_some((op, operand)),
        _ => None,
    }
}

/// The sums with the number of a work-item in them that indices are and that do not wrap, with what they are indices of.
type Sums = FxHashSet<(Inst, Value)>;

fn sums(context: &ModuleContext<'_>, function: &Function) -> Sums {
    let mut finder = Finder { context, function, signs: None, found: Sums::default() };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            each_index(context, function, inst, |index| {
                if let Some((op, sum)) = extended(context.types, function, index)
                    && has_number(context.types, function, sum, MAX_TERMS)
                {
                    finder.find(op, sum, (inst, block), MAX_TERMS);
                }
            });
        }
    }
    finder.found
}

struct Finder<'a> {
    context: &'a ModuleContext<'a>,
    function: &'a Function,
    /// Looked at if they are asked for.
    signs: Option<Signs>,
    found: Sums,
}

impl Finder<'_> {
    /// Finds the sums of a sum that `user`, in its block, uses extended by `op`.
    fn find(&mut self, op: ConvertOp, value: Value, user: (Inst, Block), steps: u32) {
        let terms = terms(self.function, value).filter(|_| steps > 0);
        let Some((sum, operands, math)) = terms else { return };
        let fits = match op {
            ConvertOp::SignExtend => math.has(MathFlags::NO_SIGNED_WRAP),
            _ => {
                let signs = self.signs.get_or_insert_with(|| Signs::new(self.function));
                let is_not_negative = |&operand: &Value| {
                    signs.is_not_negative(self.context, self.function, operand, user.1)
                };
                sum == BinaryOp::IAdd && operands.iter().all(is_not_negative)
            }
        };
        if fits {
            self.found.insert((user.0, value));
            for operand in operands {
                self.find(op, operand, user, steps - 1);
            }
        }
    }
}

/// The operands of a sum or a difference, if it is one.
fn terms(function: &Function, value: Value) -> Option<(BinaryOp, [Value; 2], MathFlags)> {
    let (_, data) = function.def_inst(value)?;
    match data.kind {
        InstKind::Binary { op: op @ (BinaryOp::IAdd | BinaryOp::ISub), left, right } => {
            Some((op, [left, right], data.math))
        }
        _ => None,
    }
}

/// Whether it is a sum with the half of a work-item's number in its group in it.
fn has_number(types: &TypePool, function: &Function, value: Value, steps: u32) -> bool {
    let Some((_, operands, _)) = terms(function, value).filter(|_| steps > 0) else { return false };
    operands.into_iter().any(|operand| {
        whole_in_group(types, function, operand).is_some()
            || has_number(types, function, operand, steps - 1)
    })
}

/// Calls `visit` with the indices of an address in the memory of a work-group.
fn each_index(
    context: &ModuleContext<'_>,
    function: &Function,
    inst: Inst,
    mut visit: impl FnMut(Value),
) {
    let is_local = |base: Value| {
        let parts = context.types.pointer_parts(context.type_of(function, base));
        parts.is_some_and(|(_, class)| class == StorageClass::Workgroup)
    };
    match function.insts[inst].kind {
        InstKind::PtrAdd { base, index } if is_local(base) => visit(index),
        InstKind::Access { base, indices } if is_local(base) => {
            function.values_of(indices).for_each(visit);
        }
        _ => {}
    }
}

/// Gives an address wide indices.
fn widen(builder: &mut Builder<'_>, sums: &Sums, inst: Inst) {
    match builder.function.insts[inst].kind {
        InstKind::PtrAdd { base, index } => {
            if let Some(index) = widened(builder, sums, inst, index) {
                builder.function.insts[inst].kind = InstKind::PtrAdd { base, index };
            }
        }
        InstKind::Access { base, indices, .. } => {
            let old: Vec<Value> = builder.function.values_of(indices).collect();
            let mut new = old.clone();
            for index in &mut new {
                // An index that is no sum may choose a member of a struct.
                let is_sum = extended(builder.types, builder.function, *index)
                    .is_some_and(|(_, sum)| sums.contains(&(inst, sum)));
                if is_sum && let Some(wide) = widened(builder, sums, inst, *index) {
                    *index = wide;
                }
            }
            if new != old {
                let indices = builder.function.list(&new);
                builder.function.insts[inst].kind = InstKind::Access { base, indices };
            }
        }
        _ => {}
    }
}

/// The same index, made of whole numbers.
fn widened(builder: &mut Builder<'_>, sums: &Sums, inst: Inst, index: Value) -> Option<Value> {
    let (op, value) = extended(builder.types, builder.function, index)?;
    if sums.contains(&(inst, value)) {
        return Some(sum(builder, sums, op, inst, value));
    }
    let whole = whole(builder.types, builder.function, value).filter(|_| index == value)?;
    if whole_in_group(builder.types, builder.function, value).is_some() {
        return Some(whole);
    }
    let count = builder.int(TypePool::I64, HALF);
    let raised = builder.binary(BinaryOp::Shl, whole, count);
    Some(builder.binary(BinaryOp::AShr, raised, count))
}

/// What becomes of a number that is added up to an index.
fn sum(builder: &mut Builder<'_>, sums: &Sums, op: ConvertOp, inst: Inst, value: Value) -> Value {
    if sums.contains(&(inst, value))
        && let Some((sum_op, operands, _)) = terms(builder.function, value)
    {
        let [left, right] = operands.map(|operand| sum(builder, sums, op, inst, operand));
        return builder.binary(sum_op, left, right);
    }
    if let Some(whole) = whole_in_group(builder.types, builder.function, value) {
        return whole;
    }
    match builder.constant_int(value) {
        Some(number) if op == ConvertOp::SignExtend => {
            builder.int(TypePool::I64, number as u32 as i32 as u64)
        }
        Some(number) => builder.int(TypePool::I64, number),
        None => builder.convert(op, value, TypePool::I64),
    }
}

/// The number of a work-item of which a value is the half.
fn whole(types: &TypePool, function: &Function, value: Value) -> Option<Value> {
    let (_, half) = function.def_inst(value)?;
    let InstKind::Convert { op: ConvertOp::Truncate, operand, .. } = half.kind else { return None };
    let (_, number) = function.def_inst(operand)?;
    let bits = |value: Value| types.scalar_bits(function.values[value.as_local()?].ty);
    (is_number(&number.kind) && bits(value) == Some(HALF as u8) && bits(operand) == Some(64))
        .then_some(operand)
}

/// That number, if it is one in the work-group.
fn whole_in_group(types: &TypePool, function: &Function, value: Value) -> Option<Value> {
    let is_local = |&whole: &Value| {
        let number = function.def_inst(whole).map(|(_, data)| data.kind);
        matches!(number, Some(InstKind::Intrinsic { intrinsic: Intrinsic::GetLocalId, .. }))
    };
    whole(types, function, value).filter(is_local)
}

/// Whether it is a number of a work-item, or of its work-group.
pub(crate) fn is_number(kind: &InstKind) -> bool {
    use Intrinsic as I;
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(intrinsic, I::GetGlobalId | I::GetLocalId | I::GetGroupId)
}
