//! A multiple of the number of a work-item, with what its group has in common.

use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, Builder, CompareOp, ConvertOp, TypePool, Value};

use super::places::Place;

/// The most that a sum has besides.
const MAX_PARTS: usize = 8;

/// Multiples and offsets beyond are not taken apart.
pub(super) const MAX_FACTOR: i64 = 1 << 16;

/// Elements that are further from each other are not loaded at once.
const NEAR: i64 = 4;

/// Neighbours whose elements are further apart find nothing that one load has for several of them: drivers that see it make
/// vectors of work-items, each of which then loads from as many lines of the cache as it has work-items.
const FAR: i64 = 64;

/// Elements that are as far as this behind others have the same question asked of their index.
const SHARED: u64 = 64;

/// Which number of a work-item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
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
pub(super) struct Sum {
    pub number: Number,
    pub multiple: i64,
    pub offset: i64,
    /// Each with a factor.
    pub parts: Vec<(Part, i64)>,
    /// The number had 32 bits on the way.
    pub is_narrow: bool,
}

#[derive(Clone, PartialEq)]
pub(super) enum Part {
    /// One.
    Unit,
    /// A value, and whether it counts something.
    Value(Value, bool),
    /// A sum of 32 bits, extended, without the number.
    Extended(ConvertOp, Sum),
}

impl Sum {
    pub(super) fn new(multiple: i64, offset: i64) -> Sum {
        let number = Number::Global;
        Sum { number, multiple, offset, parts: Vec::new(), is_narrow: false }
    }

    pub(super) fn of(part: Part) -> Sum {
        Sum { parts: vec![(part, 1)], ..Sum::new(0, 0) }
    }

    /// With `factor` times another; nothing if that is more than is taken apart.
    pub(super) fn plus(mut self, other: Sum, factor: i64) -> Option<Sum> {
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
    /// use elements of global memory that are near, but not side by side, for most of what they do. Three more numbers are asked
    /// for then, each of which costs a driver a tenth of what it takes to build a short kernel.
    fn is_apart(&self, place: Place) -> bool {
        self.number == Number::Local
            && !place.is_local
            && !place.is_rare
            && self.multiple.abs() <= NEAR
            && (self.multiple != 1 || !place.is_scalar)
    }

    /// Whether drivers see more in it than in the index that it is.
    pub(super) fn is_better(&self, place: Place) -> bool {
        self.multiple != 0
            && self.multiple.abs() <= FAR
            && (self.is_narrow || self.is_apart(place))
            && (self.number == Number::Local || !place.is_local)
    }

    /// The sum in 64 bits.
    pub(super) fn whole(&self, builder: &mut Builder<'_>, place: Place) -> Value {
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
    builder.intrinsic(intrinsic, &[first], TypePool::I64).expect("a number has a result")
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
