//! Asynchronous copies that SPIR-V has no instruction for: lines and planes of
//! cl_khr_extended_async_copies and the fence of cl_khr_async_work_group_copy_fence.
//!
//! A copy of lines is a loop of copies that share their event, which OpenCL C 6.15.11 allows: each
//! gets the event of the one before.
//!
//! No instruction orders copies but the wait for their events. So where a program has the fence,
//! each copy is waited for at once, and what is left of the fence is a barrier. A copy of nothing
//! gives the event that the program may wait for.

use clc_builtins::{Intrinsic, SyncCall};
use clc_ir::{
    BinaryOp, Block, Builder, CompareOp, MemFlags, MemoryAccess, Type, TypeKind, TypePool, Value,
};
use clc_sema::hir::ExprKind;

use crate::module::FunctionLowering;
use crate::synchronisation;

impl FunctionLowering<'_, '_> {
    /// Operands as of [`Intrinsic::AsyncWorkGroupCopy2D`] and [`Intrinsic::AsyncWorkGroupCopy3D`].
    pub(crate) fn copy_lines(&mut self, arguments: &[Value], event: Type) -> Option<Value> {
        let waits = self.has_copy_fence();
        Some(match *arguments {
            [to, to_offset, from, from_offset, element, count, lines, from_line, to_line, last] => {
                self.build(|b| {
                    let copy = Lines::new(b, (to, to_offset), (from, from_offset), element, count);
                    copy.lines(b, lines, (to_line, from_line), last, event, waits)
                })
            }
            [
                to,
                to_offset,
                from,
                from_offset,
                element,
                count,
                lines,
                planes,
                from_line,
                from_plane,
                to_line,
                to_plane,
                last,
            ] => self.build(|b| {
                let copy = Lines::new(b, (to, to_offset), (from, from_offset), element, count);
                each(b, planes, last, event, |b, plane, last| {
                    let copy = copy.moved(b, plane, (to_plane, from_plane));
                    copy.lines(b, lines, (to_line, from_line), last, event, waits)
                })
            }),
            _ => return None,
        })
    }

    /// `async_work_group_copy` and `async_work_group_strided_copy`; `arguments` end with the event.
    pub(crate) fn copy_elements(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        event: Type,
    ) -> Option<Value> {
        let waits = self.has_copy_fence();
        self.build(|b| copy(b, intrinsic, arguments, event, waits))
    }

    /// `async_work_group_copy_fence`. Every copy before it is complete.
    pub(crate) fn copy_fence(&mut self, arguments: &[Value]) -> Option<Value> {
        let widest = self.cx.hir.widest_scope;
        let void = TypePool::VOID;
        self.build(|b| synchronisation::lower(b, SyncCall::Barrier, arguments, void, widest))
    }

    /// Whether copies are to be complete before anything follows. Only programs with copies ask.
    fn has_copy_fence(&mut self) -> bool {
        let hir = self.cx.hir;
        *self.cx.has_copy_fence.get_or_insert_with(|| {
            hir.exprs.values().any(|expr| {
                matches!(
                    expr.kind,
                    ExprKind::Intrinsic { intrinsic: Intrinsic::AsyncWorkGroupCopyFence, .. }
                )
            })
        })
    }
}

/// One copy, with the wait for it if `waits`.
fn copy(
    b: &mut Builder<'_>,
    intrinsic: Intrinsic,
    arguments: &[Value],
    event: Type,
    waits: bool,
) -> Option<Value> {
    let (&last, operands) = arguments.split_last()?;
    if !waits {
        return b.intrinsic(intrinsic, arguments, event);
    }
    let mut alone = operands.to_vec();
    alone.push(b.zero(event));
    let own = b.intrinsic(intrinsic, &alone, event)?;
    let align = b.types.align(event) as u32;
    let events = b.variable(event, align);
    b.store(events, own, MemoryAccess { align, flags: MemFlags::default() });
    let one = b.i32(1);
    b.intrinsic(Intrinsic::WaitGroupEvents, &[one, events], TypePool::VOID);
    let size_t = b.types.size_type();
    let nothing = b.int(size_t, 0);
    b.intrinsic(Intrinsic::AsyncWorkGroupCopy, &[operands[0], operands[1], nothing, last], event)
}

/// Lines of equal length that are copied.
#[derive(Clone, Copy)]
struct Lines {
    to: Value,
    from: Value,
    /// Size of an element in units of what the pointers point to.
    units: Value,
    /// Length of a line in these units.
    length: Value,
}

impl Lines {
    /// From places and their offsets in elements of `size` bytes, `count` to a line.
    fn new(
        b: &mut Builder<'_>,
        (to, to_offset): (Value, Value),
        (from, from_offset): (Value, Value),
        size: Value,
        count: Value,
    ) -> Lines {
        let unit = unit(b, to, from, size);
        let [to, from] = [to, from].map(|pointer| {
            let (_, class) = b.types.pointer_parts(b.ty(pointer)).expect("a copy takes pointers");
            let ty = b.types.pointer(unit, class);
            b.bitcast(pointer, ty)
        });
        let units = if unit == TypePool::I8 { size } else { one(b) };
        let length = product(b, count, units);
        let lines = Lines { to, from, units, length };
        let one = one(b);
        lines.moved(b, one, (to_offset, from_offset))
    }

    /// The same `steps` further, each of which has elements `(to, from)`.
    fn moved(self, b: &mut Builder<'_>, steps: Value, (to, from): (Value, Value)) -> Lines {
        let offset = |b: &mut Builder<'_>, pointer, elements| {
            let elements = product(b, steps, elements);
            let units = product(b, elements, self.units);
            b.ptr_add(pointer, units)
        };
        Lines { to: offset(b, self.to, to), from: offset(b, self.from, from), ..self }
    }

    fn lines(
        self,
        b: &mut Builder<'_>,
        count: Value,
        distances: (Value, Value),
        last: Value,
        event: Type,
        waits: bool,
    ) -> Value {
        each(b, count, last, event, |b, line, last| {
            let Lines { to, from, length, .. } = self.moved(b, line, distances);
            let operands = [to, from, length, last];
            copy(b, Intrinsic::AsyncWorkGroupCopy, &operands, event, waits).unwrap_or(last)
        })
    }
}

/// What is copied at a time: elements, where the pointers point to such, else bytes.
fn unit(b: &Builder<'_>, to: Value, from: Value, size: Value) -> Type {
    let pointee = |pointer| b.types.pointer_parts(b.ty(pointer)).map(|(pointee, _)| pointee);
    match (pointee(to), pointee(from)) {
        (Some(to), Some(from))
            if to == from
                && matches!(
                    b.types.kind(b.types.scalar(to)),
                    TypeKind::Int(_) | TypeKind::Float(_)
                )
                // The fourth component of three is not copied.
                && b.types.lanes(to) != 3
                && b.constant_int(size) == Some(b.types.size(to)) =>
        {
            to
        }
        _ => TypePool::I8,
    }
}

fn one(b: &mut Builder<'_>) -> Value {
    let size_t = b.types.size_type();
    b.int(size_t, 1)
}

fn product(b: &mut Builder<'_>, left: Value, right: Value) -> Value {
    match (b.constant_int(left), b.constant_int(right)) {
        (Some(1), _) => right,
        (_, Some(1)) => left,
        _ => b.binary(BinaryOp::IMul, left, right),
    }
}

/// A loop over `0..count` that hands an event from turn to turn.
fn each(
    b: &mut Builder<'_>,
    count: Value,
    first: Value,
    event: Type,
    turn: impl FnOnce(&mut Builder<'_>, Value, Value) -> Value,
) -> Value {
    let size_t = b.types.size_type();
    let [header, body, exit]: [Block; 3] = std::array::from_fn(|_| b.new_block());
    let index = b.function.add_block_param(header, size_t);
    let last = b.function.add_block_param(header, event);
    let zero = b.int(size_t, 0);
    b.jump(header, &[zero, first]);
    b.switch_to(header);
    let goes_on = b.compare(CompareOp::ULess, index, count);
    b.branch(goes_on, body, exit);
    b.switch_to(body);
    let next = turn(b, index, last);
    let one = one(b);
    let following = b.binary(BinaryOp::IAdd, index, one);
    b.jump(header, &[following, next]);
    b.switch_to(exit);
    last
}
