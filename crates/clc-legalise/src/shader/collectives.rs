//! Collective functions of work-groups (OpenCL C 6.15.16 and 6.15.17), for which Vulkan has no
//! instructions, as functions that exchange values through `local` memory.
//!
//! Scans take the work-items in the order of their linear local ids, and Vulkan does not say which of them
//! share a sub-group, nor that a device has sub-group arithmetic. Where the device is said to have it,
//! `segments` makes the reductions and scans, otherwise what is described here.
//!
//! All functions share one array of words, the *scratch*. It has a *slot* for each work-item, and a few
//! *partial results* in front of the slots. Each function has two barriers: slots are written before
//! the first one and read between the two; partial results are written between the two and read after
//! the second one. So a function that is called next never writes what is still read.
//!
//! Reductions: a few work-items combine the slots at a stride. Scans: the slots are divided into chunks
//! of equal length; each work-item combines the slots of its chunk in front of its own, the last one of
//! a chunk has the chunk's result. Afterwards each work-item combines the partial results it needs. Both
//! take about twice the square root of the number of work-items.

mod operators;
mod segments;
#[cfg(test)]
mod tests;

use clc_base::Span;
use clc_base::arena::Id as _;
use clc_base::memory_model::{
    BarrierPart, BarrierScope, Fence, FenceMemory, MemoryOrder, MemoryScope,
};
use clc_builtins::{GroupOp, GroupOperation, Intrinsic};
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, Function, Global, GlobalId, Inst,
    InstKind, Linkage, MemoryAccess, Module, StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::PerItem;

/// Partial results.
const PARTIALS: u64 = 32;

/// The shortest chunk of a scan.
const CHUNK: u64 = 16;

/// Up to these many work-items, half of the partial results are used by reductions: there are as many
/// steps before the second barrier as after it.
const FEW_ITEMS: u64 = 256;

/// What a function computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Task {
    /// Has the linear local id as a second operand.
    Broadcast,
    Reduce(GroupOp),
    Scan {
        op: GroupOp,
        inclusive: bool,
    },
}

impl Task {
    fn of(intrinsic: Intrinsic) -> Option<Task> {
        match intrinsic {
            Intrinsic::WorkGroupAll => Some(Task::Reduce(GroupOp::LogicalAnd)),
            Intrinsic::WorkGroupAny => Some(Task::Reduce(GroupOp::LogicalOr)),
            Intrinsic::WorkGroupBroadcast => Some(Task::Broadcast),
            Intrinsic::WorkGroup(operation, op) => match operation {
                GroupOperation::Reduce => Some(Task::Reduce(op)),
                GroupOperation::InclusiveScan => Some(Task::Scan { op, inclusive: true }),
                GroupOperation::ExclusiveScan => Some(Task::Scan { op, inclusive: false }),
                // Of sub-groups only.
                GroupOperation::ClusteredReduce => None,
            },
            _ => None,
        }
    }
}

/// A task for values of a type.
type Key = (Task, Type);

/// Makes calls of the collective functions, and the functions, by sub-groups or without. Returns the
/// scratch, where the host chooses how long it is.
pub(crate) fn run(module: &mut Module, by_sub_groups: bool) -> Option<PerItem> {
    let wanted = wanted(module);
    if wanted.is_empty() {
        return None;
    }
    let (scratch, chosen) = scratch(module, &wanted, by_sub_groups);
    let callers: Vec<FuncId> = module.functions.ids().collect();
    let mut functions = FxHashMap::default();
    for (key, intrinsic, span) in wanted {
        let function = function(module, &scratch, key, intrinsic, span);
        functions.insert(key, module.functions.push(function));
    }
    let Module { types, consts, functions: all, .. } = module;
    for caller in callers {
        let is_candidate = |kind: &InstKind| matches!(kind, InstKind::Intrinsic { intrinsic, .. } if Task::of(*intrinsic).is_some());
        rewrite::expand(types, consts, &mut all[caller], is_candidate, |builder, inst| {
            call(builder, inst, &functions)
        });
    }
    chosen
}

/// The task of a call, if it has the operands that it must have.
fn key(types: &TypePool, intrinsic: Intrinsic, operands: &[Type]) -> Option<Key> {
    let task = Task::of(intrinsic)?;
    let (&ty, ids) = operands.split_first()?;
    let has_form = match types.kind(ty) {
        TypeKind::Int(bits) => matches!(bits, 32 | 64),
        TypeKind::Float(bits) => matches!(bits, 16 | 32 | 64),
        _ => false,
    };
    let ids = match task {
        Task::Broadcast => (1..=3).contains(&ids.len()),
        Task::Reduce(_) | Task::Scan { .. } => ids.is_empty(),
    };
    (has_form && ids).then_some((task, ty))
}

fn key_of_call(module: &Module, function: &Function, inst: Inst) -> Option<(Key, Intrinsic)> {
    let InstKind::Intrinsic { intrinsic, arguments } = function.insts[inst].kind else {
        return None;
    };
    let operands: Vec<Type> =
        function.values_of(arguments).map(|value| module.value_type(function, value)).collect();
    Some((key(&module.types, intrinsic, &operands)?, intrinsic))
}

/// The tasks of a module in the order of their first calls, with these.
fn wanted(module: &Module) -> Vec<(Key, Intrinsic, Span)> {
    let mut wanted: Vec<(Key, Intrinsic, Span)> = Vec::new();
    for function in module.functions.values() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                if let Some((key, intrinsic)) = key_of_call(module, function, inst)
                    && wanted.iter().all(|(known, ..)| *known != key)
                {
                    wanted.push((key, intrinsic, function.insts[inst].location.span));
                }
            }
        }
    }
    wanted
}

/// The kernels that call a collective function, themselves or in what they call.
fn reaching_kernels(module: &Module) -> Vec<FuncId> {
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
    let mut work = Vec::new();
    for (id, function) in module.functions.iter() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                match function.insts[inst].kind {
                    InstKind::Call { callee, .. } => callers[callee.index()].push(id),
                    _ if key_of_call(module, function, inst).is_some() => work.push(id),
                    _ => {}
                }
            }
        }
    }
    let mut reaches = vec![false; module.functions.len()];
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut reaches[id.index()], true) {
            work.extend_from_slice(&callers[id.index()]);
        }
    }
    module.kernels().filter(|kernel| reaches[kernel.index()]).collect()
}

/// Where words are in the array `global`: partial results, those of wide values in two halves one behind
/// the other; then slots, in two halves in the same way.
struct Scratch {
    global: GlobalId,
    ty: Type,
    /// Words in front of the slots.
    slots: u64,
    /// Sub-groups have arithmetic. Behind the slots are the lengths of segments, then.
    by_sub_groups: bool,
}

/// Makes the array; also what it is to the host, where the host chooses the size of work-groups.
fn scratch(
    module: &mut Module,
    wanted: &[(Key, Intrinsic, Span)],
    by_sub_groups: bool,
) -> (Scratch, Option<PerItem>) {
    let words = |ty: Type| if module.types.scalar_bits(ty) == Some(64) { 2 } else { 1 };
    // A broadcast needs no slots.
    let slots = wanted.iter().filter(|((task, _), ..)| *task != Task::Broadcast);
    let lengths = u64::from(by_sub_groups);
    let per_item = slots.map(|((_, ty), ..)| words(*ty) + lengths).max().unwrap_or(0);
    let fixed = PARTIALS * wanted.iter().map(|((_, ty), ..)| words(*ty)).max().unwrap_or(1);
    let mut least = 1;
    let mut is_chosen = false;
    for kernel in reaching_kernels(module) {
        let entry = module.functions[kernel].entry_point.as_deref();
        match entry.and_then(|entry| entry.reqd_work_group_size) {
            Some(size) => {
                least = size.iter().map(|&size| u64::from(size)).product::<u64>().max(least)
            }
            None => is_chosen = true,
        }
    }
    let ty = module.types.array(TypePool::I32, fixed + per_item * least);
    let global = module.globals.push(Global {
        name: "work-group collectives".to_owned(),
        ty,
        class: StorageClass::Workgroup,
        initializer: None,
        align: 4,
        is_const: false,
        linkage: Linkage::Internal,
        span: Span::NONE,
    });
    let chosen = (is_chosen && per_item > 0).then_some(PerItem {
        global,
        fixed: fixed as u32,
        per_item: per_item as u32,
        least_items: least as u32,
    });
    (Scratch { global, ty, slots: fixed, by_sub_groups }, chosen)
}

/// The call that becomes of a call of a collective function.
fn call(builder: &mut Builder<'_>, inst: Inst, functions: &FxHashMap<Key, FuncId>) -> Expansion {
    let InstKind::Intrinsic { intrinsic, arguments } = builder.function.insts[inst].kind else {
        return Expansion::Keep;
    };
    let arguments: Vec<Value> = builder.function.values_of(arguments).collect();
    let operands: Vec<Type> = arguments.iter().map(|&value| builder.ty(value)).collect();
    let Some(key) = key(builder.types, intrinsic, &operands) else { return Expansion::Keep };
    let (Some(&function), [value, ids @ ..]) = (functions.get(&key), arguments.as_slice()) else {
        return Expansion::Keep;
    };
    let mut operands = vec![*value];
    if let Some((&last, before)) = ids.split_last() {
        let mut linear = truncated(builder, last);
        for (dimension, &id) in before.iter().enumerate().rev() {
            let size = local_size(builder, dimension);
            let scaled = builder.binary(BinaryOp::IMul, linear, size);
            let id = truncated(builder, id);
            linear = builder.binary(BinaryOp::IAdd, scaled, id);
        }
        operands.push(linear);
    }
    match builder.call(function, &operands, key.1) {
        Some(result) => Expansion::Value(result),
        None => Expansion::Keep,
    }
}

/// A number of type `size_t` as 32 bits, which are enough for local ids.
fn truncated(builder: &mut Builder<'_>, value: Value) -> Value {
    if builder.ty(value) == TypePool::I32 {
        return value;
    }
    builder.convert(ConvertOp::Truncate, value, TypePool::I32)
}

fn local_size(builder: &mut Builder<'_>, dimension: usize) -> Value {
    let dimension = builder.int(TypePool::I32, dimension as u64);
    work_item(builder, Intrinsic::GetLocalSize, &[dimension])
}

fn work_item(builder: &mut Builder<'_>, intrinsic: Intrinsic, arguments: &[Value]) -> Value {
    let ty = builder.types.size_type();
    match builder.intrinsic(intrinsic, arguments, ty) {
        Some(value) => truncated(builder, value),
        None => builder.undef(TypePool::I32),
    }
}

/// The function for a task.
fn function(
    module: &mut Module,
    scratch: &Scratch,
    (task, ty): Key,
    intrinsic: Intrinsic,
    span: Span,
) -> Function {
    let mut function = Function::new(intrinsic.source_name(), ty);
    let entry = function.add_block();
    let value = function.add_block_param(entry, ty);
    function.params.push(ty);
    if task == Task::Broadcast {
        function.add_block_param(entry, TypePool::I32);
        function.params.push(TypePool::I32);
    }
    let mut builder = Builder::new(&mut module.types, &mut module.consts, &mut function, entry);
    builder.location = span.into();
    let id = work_item(&mut builder, Intrinsic::GetLocalLinearId, &[]);
    let mut body = Body { builder: &mut builder, scratch, ty, id };
    let result = match task {
        Task::Broadcast => {
            let from = body.builder.function.blocks[entry].params[1];
            body.broadcast(value, from)
        }
        Task::Reduce(op) if scratch.by_sub_groups => body.reduce_by_segments(value, op),
        Task::Reduce(op) => body.reduce(value, op),
        Task::Scan { op, inclusive } if scratch.by_sub_groups => {
            body.scan_by_segments(value, op, inclusive)
        }
        Task::Scan { op, inclusive } => body.scan(value, op, inclusive),
    };
    builder.ret(Some(result));
    function
}

/// The words of the scratch that values of one kind are in.
#[derive(Clone, Copy)]
struct Area {
    /// The first word of the first halves.
    start: u64,
    /// From the first to the second half of a wide value, in words.
    distance: Value,
}

struct Body<'a, 'b> {
    builder: &'a mut Builder<'b>,
    scratch: &'a Scratch,
    /// The type of the values.
    ty: Type,
    /// The work-item's linear local id.
    id: Value,
}

impl Body<'_, '_> {
    /// The value of the work-item `from`.
    fn broadcast(&mut self, value: Value, from: Value) -> Value {
        let partials = self.partials();
        let zero = self.number(0);
        let is_source = self.builder.compare(CompareOp::Equal, self.id, from);
        self.barrier();
        self.store_if(is_source, partials, zero, value);
        self.barrier();
        self.load(partials, zero)
    }

    /// All values combined, in the same order for all work-items.
    fn reduce(&mut self, value: Value, op: GroupOp) -> Value {
        let items = self.items();
        let (slots, partials) = (self.slots(items), self.partials());
        let value = self.operand(op, value);
        self.store(slots, self.id, value);
        self.barrier();

        let (all, half, few) =
            (self.number(PARTIALS), self.number(PARTIALS / 2), self.number(FEW_ITEMS));
        let are_many = self.builder.compare(CompareOp::UGreater, items, few);
        let stride = self.builder.select(are_many, all, half);
        let (combine, done) = (self.builder.new_block(), self.builder.new_block());
        let combines = self.builder.compare(CompareOp::ULess, self.id, stride);
        self.builder.branch(combines, combine, done);
        self.builder.switch_to(combine);
        let second = self.add(self.id, stride);
        let partial = self.fold(op, value, slots, [second, items, stride]);
        self.store(partials, self.id, partial);
        self.builder.jump(done, &[]);
        self.builder.switch_to(done);
        self.barrier();

        let count = self.minimum(stride, items);
        let (zero, one) = (self.number(0), self.number(1));
        let first = self.load(partials, zero);
        self.fold(op, first, partials, [one, count, one])
    }

    /// The values of the work-items before this one combined; with its own if `inclusive`.
    fn scan(&mut self, value: Value, op: GroupOp, inclusive: bool) -> Value {
        let items = self.items();
        let (slots, partials) = (self.slots(items), self.partials());
        let value = self.operand(op, value);
        self.store(slots, self.id, value);
        self.barrier();

        let (zero, one) = (self.number(0), self.number(1));
        // No more chunks than partial results.
        let before_next = self.number(PARTIALS - 1);
        let rounded = self.add(items, before_next);
        let count = self.number(PARTIALS);
        let length = self.builder.binary(BinaryOp::UDiv, rounded, count);
        let shortest = self.number(CHUNK);
        let length = self.maximum(length, shortest);
        let chunk = self.builder.binary(BinaryOp::UDiv, self.id, length);
        let start = self.builder.binary(BinaryOp::IMul, chunk, length);
        let before = if inclusive {
            value
        } else {
            // What the first work-item gets need not be what changes nothing: 0 + -0 is 0.
            let is_first = self.builder.compare(CompareOp::Equal, self.id, zero);
            let (identity, neutral) = (self.identity(op), self.neutral(op));
            self.builder.select(is_first, identity, neutral)
        };
        let in_chunk = self.fold(op, before, slots, [start, self.id, one]);
        let partial = if inclusive { in_chunk } else { self.combine(op, in_chunk, value) };
        let next = self.add(self.id, one);
        let end = self.add(start, length);
        let is_last = self.builder.compare(CompareOp::Equal, next, end);
        self.store_if(is_last, partials, chunk, partial);
        self.barrier();

        self.fold(op, in_chunk, partials, [zero, chunk, one])
    }

    /// Combines `accumulator` with the values in `area` from `start` on, at a stride, below `end`.
    fn fold(
        &mut self,
        op: GroupOp,
        accumulator: Value,
        area: Area,
        [start, end, stride]: [Value; 3],
    ) -> Value {
        let builder = &mut *self.builder;
        let (header, inside, after) =
            (builder.new_block(), builder.new_block(), builder.new_block());
        let index = builder.function.add_block_param(header, TypePool::I32);
        let combined = builder.function.add_block_param(header, self.ty);
        builder.jump(header, &[start, accumulator]);
        builder.switch_to(header);
        let goes_on = builder.compare(CompareOp::ULess, index, end);
        builder.branch(goes_on, inside, after);
        builder.switch_to(inside);
        let value = self.load(area, index);
        let more = self.combine(op, combined, value);
        let next = self.add(index, stride);
        self.builder.jump(header, &[next, more]);
        self.builder.switch_to(after);
        combined
    }

    fn number(&mut self, value: u64) -> Value {
        self.builder.int(TypePool::I32, value)
    }

    fn add(&mut self, left: Value, right: Value) -> Value {
        self.builder.binary(BinaryOp::IAdd, left, right)
    }

    fn minimum(&mut self, left: Value, right: Value) -> Value {
        let is_less = self.builder.compare(CompareOp::ULess, left, right);
        self.builder.select(is_less, left, right)
    }

    fn maximum(&mut self, left: Value, right: Value) -> Value {
        let is_less = self.builder.compare(CompareOp::ULess, left, right);
        self.builder.select(is_less, right, left)
    }

    /// The number of work-items in the work-group.
    fn items(&mut self) -> Value {
        let [x, y, z] = [0, 1, 2].map(|dimension| local_size(self.builder, dimension));
        let area = self.builder.binary(BinaryOp::IMul, x, y);
        self.builder.binary(BinaryOp::IMul, area, z)
    }

    fn barrier(&mut self) {
        let fence = Fence {
            memory: FenceMemory::LOCAL,
            order: MemoryOrder::AcquireRelease,
            scope: MemoryScope::WorkGroup,
        };
        self.builder.barrier(BarrierScope::WorkGroup, BarrierPart::Whole, fence);
    }

    fn partials(&mut self) -> Area {
        Area { start: 0, distance: self.number(PARTIALS) }
    }

    fn slots(&mut self, items: Value) -> Area {
        Area { start: self.scratch.slots, distance: items }
    }

    /// The addresses of the words of a value: one, or for 64 bits two.
    fn addresses(&mut self, area: Area, index: Value) -> Vec<Value> {
        let start = self.number(area.start);
        let first = if area.start == 0 { index } else { self.add(start, index) };
        let mut words = vec![first];
        if self.builder.types.scalar_bits(self.ty) == Some(64) {
            words.push(self.add(first, area.distance));
        }
        let pointer = self.builder.types.pointer(self.scratch.ty, StorageClass::Workgroup);
        let base = self.builder.consts.intern(Const::GlobalAddress(pointer, self.scratch.global));
        words.into_iter().map(|word| self.builder.access(base, &[word])).collect()
    }

    fn store(&mut self, area: Area, index: Value, value: Value) {
        let addresses = self.addresses(area, index);
        let form = self.word_form();
        let words = match form {
            Some(form) if self.builder.types.scalar_bits(self.ty) == Some(16) => {
                let zero = self.builder.zero(self.ty);
                let pair = self.builder.construct(form, &[value, zero]);
                vec![self.builder.bitcast(pair, TypePool::I32)]
            }
            Some(form) => {
                let words = self.builder.bitcast(value, form);
                [0, 1].map(|index| self.builder.extract(words, &[index])).to_vec()
            }
            None => vec![self.builder.bitcast(value, TypePool::I32)],
        };
        for (address, word) in addresses.into_iter().zip(words) {
            self.builder.store(address, word, ACCESS);
        }
    }

    fn load(&mut self, area: Area, index: Value) -> Value {
        let addresses = self.addresses(area, index);
        let words: Vec<Value> =
            addresses.into_iter().map(|address| self.builder.load(address, ACCESS)).collect();
        match (self.word_form(), words.as_slice()) {
            (Some(form), &[word]) => {
                let pair = self.builder.bitcast(word, form);
                self.builder.extract(pair, &[0])
            }
            (Some(form), words) => {
                let words = self.builder.construct(form, words);
                self.builder.bitcast(words, self.ty)
            }
            (None, words) => self.builder.bitcast(words[0], self.ty),
        }
    }

    /// The vector between a value and its words: of two words for 64 bits, of two values for 16.
    /// Halves become words without a 16-bit integer or a conversion that may flush small numbers.
    fn word_form(&mut self) -> Option<Type> {
        match self.builder.types.scalar_bits(self.ty) {
            Some(64) => Some(self.builder.types.vector(TypePool::I32, 2)),
            Some(16) => Some(self.builder.types.vector(self.ty, 2)),
            _ => None,
        }
    }

    fn store_if(&mut self, condition: Value, area: Area, index: Value, value: Value) {
        let (inside, after) = (self.builder.new_block(), self.builder.new_block());
        self.builder.branch(condition, inside, after);
        self.builder.switch_to(inside);
        self.store(area, index, value);
        self.builder.jump(after, &[]);
        self.builder.switch_to(after);
    }
}

const ACCESS: MemoryAccess = MemoryAccess::aligned(4);
