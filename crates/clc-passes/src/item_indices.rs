//! Indices as a multiple of the work-item's number and what its work-group has in common.
//!
//! Compilers of processors make vectors of work-items. What neighbours find side by side, or a few elements from each other, they
//! load at once where they see it, and one by one where they do not. They see it of sums and products of
//! `get_global_id(0)` in 64 bits; not behind a truncation that is extended by zeros (`uint i = get_global_id(0)`), and behind
//! any truncation not where elements are not next to each other (`int i`, `a[4 * i]`, `points[i].x`), nor from
//! `get_local_id(0)` there. In memory of the group it is the number in the group that they see.
//!
//! ```text
//! i = trunc get_global_id(0)
//! p = ptr_add base, zext(4 * i)        ->   p = ptr_add base, 4 * get_global_id(0)
//! p = ptr_add base, zext(i + y * n)    ->   p = ptr_add base, get_global_id(0) + zext(y * n)
//! ```
//!
//! That is the same as long as numbers of 32 bits do not wrap, which is taken for granted of indices where they differ from
//! work-item to work-item: a launch then has less than 2^31 work-items where an index is an `int`, and 2^32 where it is a
//! `uint`, and no element of more than as many is used. What is added to the number may be "negative", as in `a[i - 1]`:
//! it is where the last work-item's index would wrap. With `-fwrapv` the pass does not run. Arrays and memory of
//! a group are so small that nothing there is taken for granted.

use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Builder, Cfg, CompareOp, ConstPool, ConvertOp, Function, Inst, InstKind, MathFlags,
    StorageClass, TypeKind, TypePool, Value,
    rewrite::{self, Expansion},
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::neighbours::{Step, Steps};

/// Operations between an index and what it is computed from that are looked at.
const MAX_DEPTH: u32 = 16;

/// The most that a sum has besides.
const MAX_PARTS: usize = 8;

/// Multiples and offsets beyond are not taken apart.
const MAX_FACTOR: i64 = 1 << 16;

/// Elements that are further from each other are not loaded at once.
const NEAR: i64 = 4;

/// Elements that are as far as this behind others have the same question asked of their index.
const SHARED: u64 = 64;

/// The longest arrays whose indices are looked at.
const MAX_LENGTH: u64 = 1 << 30;

/// Rewrites the indices of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if has_no_vectors(function) {
        return;
    }
    let has_number = function.insts.values().any(|data| {
        data.result.is_some_and(|number| is_wide(context.types, function, number))
            && is_number(&data.kind)
    });
    if !has_number {
        return;
    }
    let cfg = Cfg::new(function);
    let mut finder = Finder {
        types: context.types,
        consts: context.consts,
        function,
        steps: Steps::new(context.types, context.consts, function, &cfg),
    };
    let mut found: FxHashMap<(Inst, usize), (Sum, Place)> = FxHashMap::default();
    each_index(context, function, |inst, position, index, place| {
        if let Some(sum) = finder.index(index, place).filter(|sum| sum.is_better(place)) {
            found.insert((inst, position), (sum, place));
        }
    });
    let is_candidate =
        |kind: &InstKind| matches!(kind, InstKind::PtrAdd { .. } | InstKind::Access { .. });
    if found.is_empty() {
        return;
    }
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        let rewritten = |builder: &mut Builder<'_>, position, index| {
            let sum = found.get(&(inst, position));
            sum.map_or(index, |(sum, place)| sum.whole(builder, *place))
        };
        match builder.function.insts[inst].kind {
            InstKind::PtrAdd { base, index } => {
                let index = rewritten(builder, 0, index);
                builder.function.insts[inst].kind = InstKind::PtrAdd { base, index };
            }
            InstKind::Access { base, indices } => {
                let old: Vec<Value> = builder.function.values_of(indices).collect();
                let new: Vec<Value> = old
                    .iter()
                    .enumerate()
                    .map(|(position, &index)| rewritten(builder, position, index))
                    .collect();
                if new != old {
                    let indices = builder.function.list(&new);
                    builder.function.insts[inst].kind = InstKind::Access { base, indices };
                }
            }
            _ => {}
        }
        Expansion::Keep
    });
}

/// Whether it is a kernel with a `vec_type_hint`, of which drivers make no vectors.
pub(crate) fn has_no_vectors(function: &Function) -> bool {
    function.entry_point.as_ref().is_some_and(|entry| entry.vec_type_hint.is_some())
}

/// What an index is of.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Elements are numbers.
    is_scalar: bool,
    /// There are far less than 2^31 elements: it is an array, or memory of a work-group.
    is_bounded: bool,
    is_local: bool,
}

/// Calls `visit` with the additions to addresses that are not a work-item's own, and with the elements of arrays there: the
/// positions of indices, and these.
pub(crate) fn each_index(
    context: &ModuleContext<'_>,
    function: &Function,
    mut visit: impl FnMut(Inst, usize, Value, Place),
) {
    let types = &*context.types;
    let counted = counted_in_groups(function);
    for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
        let (InstKind::PtrAdd { base, .. } | InstKind::Access { base, .. }) =
            function.insts[inst].kind
        else {
            continue;
        };
        let parts = types.pointer_parts(context.type_of(function, base));
        let Some((mut ty, class)) = parts else { continue };
        let is_local = match class {
            StorageClass::CrossWorkgroup | StorageClass::UniformConstant => false,
            StorageClass::Workgroup if counted.contains(&root(function, base)) => continue,
            StorageClass::Workgroup => true,
            _ => continue,
        };
        let place = |ty, is_bounded| {
            let is_scalar = matches!(types.kind(ty), TypeKind::Int(_) | TypeKind::Float(_));
            Place { is_scalar, is_bounded, is_local }
        };
        match function.insts[inst].kind {
            InstKind::PtrAdd { index, .. } => visit(inst, 0, index, place(ty, is_local)),
            InstKind::Access { indices, .. } => {
                for (position, index) in function.values_of(indices).enumerate() {
                    match types.kind(ty) {
                        TypeKind::Array(element, length) => {
                            if length <= MAX_LENGTH {
                                visit(inst, position, index, place(element, true));
                            }
                            ty = element;
                        }
                        TypeKind::Struct(id) => {
                            let member = context.signed(index).unwrap_or_default() as usize;
                            let fields = &types.struct_data(id).fields;
                            let Some(&field) = fields.get(member) else { break };
                            ty = field;
                        }
                        _ => break,
                    }
                }
            }
            _ => {}
        }
    }
}

/// The objects that atomic operations change. Those in memory of a group are left as they are: Intel's driver makes a kernel that
/// counts there four times as slow when it sees that what is counted is loaded side by side.
fn counted_in_groups(function: &Function) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    for data in function.insts.values() {
        if let InstKind::AtomicModify { pointer, .. } = data.kind {
            found.insert(root(function, pointer));
        }
    }
    found
}

/// What an address is computed from.
fn root(function: &Function, mut address: Value) -> Value {
    while let Some((_, data)) = function.def_inst(address)
        && let InstKind::PtrAdd { base, .. } | InstKind::Access { base, .. } = data.kind
    {
        address = base;
    }
    address
}

fn is_number(kind: &InstKind) -> bool {
    let InstKind::Intrinsic { intrinsic, .. } = kind else { return false };
    matches!(intrinsic, Intrinsic::GetGlobalId | Intrinsic::GetLocalId)
}

fn is_wide(types: &TypePool, function: &Function, value: Value) -> bool {
    value.as_local().is_some_and(|index| types.kind(function.values[index].ty) == TypeKind::Int(64))
}

/// Which number of a work-item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Global,
    Local,
}

impl Number {
    /// What asks for it, and for how many there are.
    fn intrinsics(self) -> [Intrinsic; 2] {
        match self {
            Number::Global => [Intrinsic::GetGlobalId, Intrinsic::GetGlobalSize],
            Number::Local => [Intrinsic::GetLocalId, Intrinsic::GetLocalSize],
        }
    }
}

/// `multiple` times the work-item's number in the first dimension, with an offset and parts that a work-group has in common.
#[derive(Clone, PartialEq)]
struct Sum {
    number: Number,
    multiple: i64,
    offset: i64,
    /// Each with a factor.
    parts: Vec<(Part, i64)>,
    /// The number had 32 bits on the way.
    is_narrow: bool,
}

#[derive(Clone, PartialEq)]
enum Part {
    /// One.
    Unit,
    /// A value, and whether it counts something.
    Value(Value, bool),
    /// A sum of 32 bits, extended, without the number.
    Extended(ConvertOp, Sum),
}

impl Sum {
    fn new(multiple: i64, offset: i64) -> Sum {
        let number = Number::Global;
        Sum { number, multiple, offset, parts: Vec::new(), is_narrow: false }
    }

    fn of(part: Part) -> Sum {
        Sum { parts: vec![(part, 1)], ..Sum::new(0, 0) }
    }

    /// With `factor` times another; nothing if that is more than is taken apart.
    fn plus(mut self, other: Sum, factor: i64) -> Option<Sum> {
        if self.multiple == 0 {
            self.number = other.number;
        } else if other.multiple != 0 && self.number != other.number {
            return None;
        }
        self.multiple = self.multiple.checked_add(other.multiple.checked_mul(factor)?)?;
        self.offset = self.offset.checked_add(other.offset.checked_mul(factor)?)?;
        self.is_narrow |= other.is_narrow;
        for (part, known) in other.parts {
            let factor = known.checked_mul(factor)?;
            match self.parts.iter_mut().find(|(other, _)| *other == part) {
                Some((_, known)) => *known = known.checked_add(factor)?,
                None => self.parts.push((part, factor)),
            }
        }
        self.parts.retain(|&(_, factor)| factor != 0);
        (self.parts.len() <= MAX_PARTS).then_some(self)
    }

    /// Whether it is to be a multiple of the number of all work-items, and is one of the number in the group: where neighbours
    /// use elements of global memory that are near, but not side by side.
    fn is_apart(&self, place: Place) -> bool {
        self.number == Number::Local
            && !place.is_local
            && self.multiple.abs() <= NEAR
            && (self.multiple != 1 || !place.is_scalar)
    }

    /// Whether drivers see more in it than in the index that it is.
    fn is_better(&self, place: Place) -> bool {
        self.multiple != 0
            && self.multiple.abs() <= MAX_FACTOR
            && (self.is_narrow || self.is_apart(place))
            && (self.number == Number::Local || !place.is_local)
    }

    /// The sum in 64 bits.
    fn whole(&self, builder: &mut Builder<'_>, place: Place) -> Value {
        let mut common = added(builder, &self.parts, |builder, part| match part {
            Part::Unit => builder.int(TypePool::I64, 1),
            &Part::Value(value, _) => value,
            Part::Extended(op, sum) => sum.extended(builder, *op),
        });
        let mut number = self.number;
        if self.is_apart(place) {
            number = Number::Global;
            let start = start(builder);
            let start = times(builder, start, self.multiple);
            let before = common.unwrap_or_else(|| builder.int(TypePool::I64, 0));
            common = Some(builder.binary(BinaryOp::ISub, before, start));
        }
        let number = call(builder, number.intrinsics()[0]);
        let mut index = times(builder, number, self.multiple);
        if let Some(common) = common {
            index = builder.binary(BinaryOp::IAdd, index, common);
        }
        if self.offset != 0 {
            let offset = builder.int(TypePool::I64, self.offset as u64);
            index = builder.binary(BinaryOp::IAdd, index, offset);
        }
        index
    }

    /// What its parts are in 32 bits, extended. By a sign where the last work-item's last element would be beyond, if they may be
    /// "negative".
    fn extended(&self, builder: &mut Builder<'_>, op: ConvertOp) -> Value {
        let parts = added(builder, &self.parts, |builder, part| match part {
            &Part::Value(value, _) => half(builder, value),
            Part::Unit | Part::Extended(..) => builder.i32(1),
        });
        let Some(parts) = parts else { return builder.int(TypePool::I64, 0) };
        let extended = builder.convert(op, parts, TypePool::I64);
        // Offsets share the question.
        let offset = self.offset.max(0).cast_unsigned().next_multiple_of(SHARED).cast_signed();
        let multiple = self.multiple.max(0);
        let is_count = |&(ref part, factor): &(Part, i64)| {
            factor > 0 && matches!(part, Part::Unit | Part::Value(_, true))
        };
        if op == ConvertOp::SignExtend
            || multiple == 0 && offset == 0
            || self.parts.iter().all(is_count)
        {
            return extended;
        }
        let mut size = call(builder, self.number.intrinsics()[1]);
        if self.number == Number::Global {
            let first = call(builder, Intrinsic::GetGlobalOffset);
            size = builder.binary(BinaryOp::IAdd, size, first);
        }
        let size = builder.convert(ConvertOp::Truncate, size, TypePool::I32);
        let size = times(builder, size, multiple);
        let rest = builder.int(TypePool::I32, (offset - multiple) as u64);
        let distance = builder.binary(BinaryOp::IAdd, size, rest);
        let last = builder.binary(BinaryOp::IAdd, parts, distance);
        let wraps = builder.compare(CompareOp::ULess, last, parts);
        let negative = builder.convert(ConvertOp::SignExtend, parts, TypePool::I64);
        builder.select(wraps, negative, extended)
    }
}

fn call(builder: &mut Builder<'_>, intrinsic: Intrinsic) -> Value {
    let first = builder.i32(0);
    builder.intrinsic(intrinsic, &[first], TypePool::I64).unwrap_or(first)
}

/// The number of the first work-item of a group.
fn start(builder: &mut Builder<'_>) -> Value {
    let group = call(builder, Intrinsic::GetGroupId);
    let size = call(builder, Intrinsic::GetEnqueuedLocalSize);
    let before = builder.binary(BinaryOp::IMul, group, size);
    let offset = call(builder, Intrinsic::GetGlobalOffset);
    builder.binary(BinaryOp::IAdd, before, offset)
}

fn times(builder: &mut Builder<'_>, value: Value, factor: i64) -> Value {
    if factor == 1 {
        return value;
    }
    let ty = builder.ty(value);
    if builder.constant_int(value) == Some(1) {
        return builder.int(ty, factor as u64);
    }
    let factor = builder.int(ty, factor as u64);
    builder.binary(BinaryOp::IMul, value, factor)
}

/// The sum of parts times their factors, if there are any.
fn added(
    builder: &mut Builder<'_>,
    parts: &[(Part, i64)],
    mut value: impl FnMut(&mut Builder<'_>, &Part) -> Value,
) -> Option<Value> {
    let mut sum: Option<Value> = None;
    for (part, factor) in parts {
        let value = value(builder, part);
        sum = Some(match (sum, factor) {
            (Some(sum), -1) => builder.binary(BinaryOp::ISub, sum, value),
            (Some(sum), &factor) => {
                let value = times(builder, value, factor);
                builder.binary(BinaryOp::IAdd, sum, value)
            }
            (None, &factor) => times(builder, value, factor),
        });
    }
    sum
}

/// The lower half of a number of 64 bits; one of 32 as it is.
fn half(builder: &mut Builder<'_>, value: Value) -> Value {
    if builder.ty(value) == TypePool::I32 {
        return value;
    }
    builder.convert(ConvertOp::Truncate, value, TypePool::I32)
}

struct Finder<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    function: &'a Function,
    steps: Steps<'a>,
}

impl Finder<'_> {
    fn bits(&self, value: Value) -> Option<u8> {
        let ty = match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => self.function.values[value.as_local()?].ty,
        };
        match self.types.kind(ty) {
            TypeKind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    fn index(&mut self, index: Value, place: Place) -> Option<Sum> {
        // What is added to the number is "negative" or small, then.
        if place.is_bounded
            && let Some((_, data)) = self.function.def_inst(index)
            && let InstKind::Convert { op: ConvertOp::ZeroExtend, operand, .. } = data.kind
            && self.bits(operand)? == 32
        {
            return self.extended(ConvertOp::SignExtend, operand, MAX_DEPTH);
        }
        match self.bits(index)? {
            64 => self.sum(index, 64, MAX_DEPTH),
            // An index has a sign.
            32 => self.extended(ConvertOp::SignExtend, index, MAX_DEPTH),
            _ => None,
        }
    }

    /// Something that all work-items of a group have in common.
    fn common(&self, value: Value) -> Sum {
        Sum::of(Part::Value(value, self.is_count(value, MAX_DEPTH)))
    }

    /// Whether a number counts something, and is not "negative" where an index is in bounds: numbers of work-items and groups, and of
    /// turns from zero, products (of which rows before the first are not in bounds), and sums of such.
    fn is_count(&self, value: Value, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if let Some(constant) = self.consts.signed(self.types, value) {
            return constant >= 0;
        }
        let Some((_, data)) = self.function.def_inst(value) else {
            let begin = self.steps.begin(value);
            let begin = begin.and_then(|begin| self.consts.signed(self.types, begin));
            return begin.is_some_and(|begin| begin >= 0);
        };
        match data.kind {
            InstKind::Convert {
                op: ConvertOp::Truncate | ConvertOp::SignExtend | ConvertOp::ZeroExtend,
                operand,
                ..
            } => self.is_count(operand, depth),
            InstKind::Binary { op: BinaryOp::IMul | BinaryOp::Shl, .. } => true,
            InstKind::Binary { op: BinaryOp::IAdd, left, right } => {
                self.is_count(left, depth) && self.is_count(right, depth)
            }
            InstKind::Intrinsic { intrinsic, .. } => matches!(
                intrinsic,
                Intrinsic::GetGlobalId
                    | Intrinsic::GetGlobalSize
                    | Intrinsic::GetLocalId
                    | Intrinsic::GetLocalSize
                    | Intrinsic::GetGroupId
                    | Intrinsic::GetNumGroups
            ),
            _ => false,
        }
    }

    /// A number of 64 bits, or the lower half of one.
    fn sum(&mut self, value: Value, bits: u8, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.consts.signed(self.types, value) {
            return Some(Sum::new(0, constant));
        }
        if self.steps.of(value) == Step::None {
            return Some(self.common(value));
        }
        let (_, data) = self.function.def_inst(value)?;
        match data.kind {
            InstKind::Intrinsic { intrinsic: Intrinsic::GetGlobalId, .. } => {
                self.number(value, Number::Global)
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::GetLocalId, .. } => {
                self.number(value, Number::Local)
            }
            InstKind::Binary { op, left, right } => {
                self.combined(op, left, right, |finder, operand| finder.sum(operand, bits, depth))
            }
            InstKind::Convert { op: ConvertOp::Truncate, operand, .. }
                if bits == 32 && self.bits(value)? == 32 && self.bits(operand)? == 64 =>
            {
                self.sum(operand, 32, depth)
            }
            InstKind::Convert {
                op: op @ (ConvertOp::SignExtend | ConvertOp::ZeroExtend),
                operand,
                ..
            } if self.bits(operand)? == 32 => match bits {
                32 => self.sum(operand, 32, depth),
                _ => self.extended(op, operand, depth),
            },
            _ => None,
        }
    }

    /// The number of a work-item, if it has 64 bits.
    fn number(&self, value: Value, number: Number) -> Option<Sum> {
        (self.bits(value)? == 64).then(|| Sum { number, ..Sum::new(1, 0) })
    }

    /// A number of 32 bits, extended.
    fn extended(&mut self, op: ConvertOp, value: Value, depth: u32) -> Option<Sum> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.consts.signed(self.types, value) {
            let is_signed = op == ConvertOp::SignExtend;
            let constant = if is_signed { constant } else { i64::from(constant as u32) };
            return Some(Sum::new(0, constant));
        }
        if self.steps.of(value) == Step::None {
            return Some(Sum::of(Part::Extended(op, self.common(value))));
        }
        if op == ConvertOp::SignExtend
            && let Some((_, data)) = self.function.def_inst(value)
            && let InstKind::Binary { op: operation, left, right } = data.kind
            && data.math.has(MathFlags::NO_SIGNED_WRAP)
        {
            return self.combined(operation, left, right, |finder, operand| {
                finder.extended(op, operand, depth)
            });
        }
        let mut sum = self.sum(value, 32, depth)?;
        if sum.offset.abs() > MAX_FACTOR {
            sum.parts.push((Part::Unit, sum.offset));
            sum.offset = 0;
        }
        if sum.multiple.abs() > MAX_FACTOR {
            return None;
        }
        let mut whole = Sum { number: sum.number, ..Sum::new(sum.multiple, sum.offset) };
        whole.is_narrow = sum.multiple != 0;
        if !sum.parts.is_empty() {
            whole.parts.push((Part::Extended(op, sum), 1));
        }
        Some(whole)
    }

    /// A sum, a difference, or a product with a constant.
    fn combined(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        mut operand: impl FnMut(&mut Self, Value) -> Option<Sum>,
    ) -> Option<Sum> {
        let constant = |finder: &Self, value| finder.consts.signed(finder.types, value);
        match op {
            BinaryOp::IAdd => operand(self, left)?.plus(operand(self, right)?, 1),
            BinaryOp::ISub => operand(self, left)?.plus(operand(self, right)?, -1),
            BinaryOp::IMul => match (constant(self, left), constant(self, right)) {
                (_, Some(factor)) => Sum::new(0, 0).plus(operand(self, left)?, factor),
                (Some(factor), _) => Sum::new(0, 0).plus(operand(self, right)?, factor),
                _ => None,
            },
            BinaryOp::Shl => {
                let count = constant(self, right).filter(|count| (0..=16).contains(count))?;
                Sum::new(0, 0).plus(operand(self, left)?, 1 << count)
            }
            _ => None,
        }
    }
}
