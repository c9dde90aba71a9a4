//! Reductions and scans with the arithmetic of sub-groups.
//!
//! Vulkan does not say which work-items share a sub-group, nor that all of them come here together
//! after control flow that divided them. So nothing is assumed: the work-items that are here together
//! are a *segment* if their linear local ids follow each other; if not, each of them is one. The first
//! work-item of a segment writes the segment's result and its length to the slot of its own id. After
//! the barrier, each work-item goes from segment to segment, in the order of linear local ids that
//! scans take (OpenCL C 6.15.16), up to its own or to the end.

use clc_builtins::{GroupOp, GroupOperation, Intrinsic};
use clc_ir::{BinaryOp, CompareOp, Const, StorageClass, TypePool, Value};

use super::{ACCESS, Body};

/// Where a work-item is; all are booleans or numbers of 32 bits.
struct Segment {
    /// The work-items that are here together are one segment.
    is_shared: Value,
    /// The linear local id of the segment's first work-item.
    start: Value,
    length: Value,
    /// The work-item is the first of its segment.
    is_first: Value,
}

impl Body<'_, '_> {
    pub(super) fn reduce_by_segments(&mut self, value: Value, op: GroupOp) -> Value {
        let items = self.items();
        let value = self.operand(op, value);
        let segment = self.segment();
        let all = self.of_sub_group(GroupOperation::Reduce, op, value);
        self.publish(&segment, all, value, items);
        self.barrier();
        let all = self.fold_segments(op, items, items);
        self.barrier();
        all
    }

    pub(super) fn scan_by_segments(&mut self, value: Value, op: GroupOp, inclusive: bool) -> Value {
        let items = self.items();
        let value = self.operand(op, value);
        // In one block, where the same work-items are together.
        let segment = self.segment();
        let all = self.of_sub_group(GroupOperation::Reduce, op, value);
        let operation = match inclusive {
            true => GroupOperation::InclusiveScan,
            false => GroupOperation::ExclusiveScan,
        };
        let within = self.of_sub_group(operation, op, value);
        self.publish(&segment, all, value, items);
        self.barrier();
        let before = self.fold_segments(op, segment.start, items);
        self.barrier();

        let zero = self.number(0);
        let has_before = self.builder.compare(CompareOp::NotEqual, segment.start, zero);
        let own = match inclusive {
            true => self.builder.select(segment.is_shared, within, value),
            false => within,
        };
        let both = self.combine(op, before, own);
        let result = self.builder.select(has_before, both, own);
        if inclusive {
            return result;
        }
        // Nothing in front of it in its segment.
        let identity = self.identity(op);
        let first = self.builder.select(has_before, before, identity);
        self.builder.select(segment.is_first, first, result)
    }

    /// The segment of this work-item.
    fn segment(&mut self) -> Segment {
        let mask = self.builder.types.vector(TypePool::I32, 4);
        let (zero, one) = (self.number(0), self.number(1));
        let ballot = self.call(Intrinsic::SubGroupBallot, &[one], mask);
        let count = TypePool::I32;
        let together = self.call(Intrinsic::SubGroupBallotBitCount, &[ballot], count);
        let rank = self.call(Intrinsic::SubGroupBallotExclusiveScan, &[ballot], count);
        // Ids follow each other if they and the ranks are equally far apart.
        let base = self.builder.binary(BinaryOp::ISub, self.id, rank);
        let first = self.call(Intrinsic::SubGroupBroadcastFirst, &[base], count);
        let is_same = self.builder.compare(CompareOp::Equal, base, first);
        let is_same = self.builder.select(is_same, one, zero);
        let all_same = self.call(Intrinsic::SubGroupNonUniformAll, &[is_same], count);
        let is_shared = self.builder.compare(CompareOp::NotEqual, all_same, zero);
        let start = self.builder.select(is_shared, first, self.id);
        Segment {
            is_shared,
            start,
            length: self.builder.select(is_shared, together, one),
            is_first: self.builder.compare(CompareOp::Equal, self.id, start),
        }
    }

    /// Writes the result of a segment, which is `all` or `value`, and its length.
    fn publish(&mut self, segment: &Segment, all: Value, value: Value, items: Value) {
        let all = self.builder.select(segment.is_shared, all, value);
        let slots = self.slots(items);
        let (inside, after) = (self.builder.new_block(), self.builder.new_block());
        self.builder.branch(segment.is_first, inside, after);
        self.builder.switch_to(inside);
        self.store(slots, segment.start, all);
        let length = self.length(segment.start, items);
        self.builder.store(length, segment.length, ACCESS);
        self.builder.jump(after, &[]);
        self.builder.switch_to(after);
    }

    /// The results of the segments in front of the work-item `end` combined. The first one is always
    /// among them.
    fn fold_segments(&mut self, op: GroupOp, end: Value, items: Value) -> Value {
        let (zero, slots) = (self.number(0), self.slots(items));
        let first = self.load(slots, zero);
        let length = self.length(zero, items);
        let next = self.builder.load(length, ACCESS);
        let builder = &mut *self.builder;
        let (header, inside, after) =
            (builder.new_block(), builder.new_block(), builder.new_block());
        let index = builder.function.add_block_param(header, TypePool::I32);
        let combined = builder.function.add_block_param(header, self.ty);
        builder.jump(header, &[next, first]);
        builder.switch_to(header);
        let goes_on = builder.compare(CompareOp::ULess, index, end);
        builder.branch(goes_on, inside, after);
        builder.switch_to(inside);
        let value = self.load(slots, index);
        let more = self.combine(op, combined, value);
        let length = self.length(index, items);
        let length = self.builder.load(length, ACCESS);
        let next = self.add(index, length);
        self.builder.jump(header, &[next, more]);
        self.builder.switch_to(after);
        combined
    }

    /// The address of a segment's length, behind the slots.
    fn length(&mut self, index: Value, items: Value) -> Value {
        let mut word = self.add(items, index);
        if self.builder.types.scalar_bits(self.ty) == Some(64) {
            word = self.add(items, word);
        }
        let slots = self.number(self.scratch.slots);
        let word = self.add(slots, word);
        let pointer = self.builder.types.pointer(self.scratch.ty, StorageClass::Workgroup);
        let base = self.builder.consts.intern(Const::GlobalAddress(pointer, self.scratch.global));
        self.builder.access(base, &[word])
    }

    /// An operation of the sub-group; booleans are 0 or 1, see [`Body::operand`].
    fn of_sub_group(&mut self, operation: GroupOperation, op: GroupOp, value: Value) -> Value {
        let op = match op {
            GroupOp::LogicalAnd => GroupOp::And,
            GroupOp::LogicalOr => GroupOp::Or,
            GroupOp::LogicalXor => GroupOp::Xor,
            GroupOp::IAdd
            | GroupOp::FAdd
            | GroupOp::IMul
            | GroupOp::FMul
            | GroupOp::SMin
            | GroupOp::UMin
            | GroupOp::FMin
            | GroupOp::SMax
            | GroupOp::UMax
            | GroupOp::FMax
            | GroupOp::And
            | GroupOp::Or
            | GroupOp::Xor => op,
        };
        // Without a promise that all work-items of the sub-group are here.
        self.call(Intrinsic::SubGroupNonUniform(operation, op), &[value], self.ty)
    }

    fn call(&mut self, intrinsic: Intrinsic, arguments: &[Value], ty: clc_ir::Type) -> Value {
        match self.builder.intrinsic(intrinsic, arguments, ty) {
            Some(value) => value,
            None => self.builder.undef(ty),
        }
    }
}
