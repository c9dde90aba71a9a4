//! Loads and stores of neighbours in one, for shaders, where the address is a multiple of the size of all.
//!
//! ```text
//! entry:  a = argument                 entry:    a = argument; a & 15 == 0 ?
//! ..                           ->      aligned:  ..
//!   load f32 a + 16 * i                            w = load v4f32 a + 16 * i
//!   load f32 a + 16 * i + 4                        extract w 0, extract w 1 ..
//!   ..                                 original: .. as before
//! ```
//!
//! Each work-item that reads a row of its own makes a GPU read as many lines of its cache as there are work-items, for
//! each number again; four numbers at once are a quarter of that, and the lines are still there for the next.
//!
//! That an argument is a multiple of 16 is not known: a host may pass any address that is aligned to the type (OpenCL C
//! 6.3.5). Buffers are, always (`clCreateBuffer` and `clCreateSubBuffer` align to the largest type), and lengths of rows
//! mostly, so the kernel is written twice and asks once. Both ways are taken by all work-items together, because an
//! argument is the same for all. The second copy has its price: the kernel has to be small, and loads in loops have to
//! gain by it, which pairs do not, nor those that are the same for all work-items or in all turns. What needs no
//! argument to be aligned, or is aligned by its type, is done anywhere. Stores are treated likewise.
//!
//! It runs behind [`unroll`](crate::unroll), which writes out short loops over neighbours for it.

pub(crate) mod stores;

use clc_base::Id as _;
use clc_ir::{
    BinaryOp, Block, Builder, Cfg, CompareOp, ConvertOp, Function, Inst, InstKind, MemoryAccess,
    StorageClass, Terminator, Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::alignment::{Low, LowBits, Sum};
use crate::changes;
use crate::context::ModuleContext;
use crate::convergence::varying_values;
use crate::copies;

/// The most instructions of a kernel that is written twice.
const MAX_TWICE: usize = 600;

/// The widest load, in bytes: what a loop has to load for a kernel to be written twice.
pub const WIDEST: u64 = 16;

/// Combines the loads and stores of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let of_block = |block: &Block| {
        let insts = &function.blocks[*block].insts;
        let is = |of: fn(&ModuleContext<'_>, &Function, Inst) -> Option<(u64, Value)>| {
            insts.iter().filter(|&&inst| of(context, function, inst).is_some()).count() > 1
        };
        is(neighbour) || is(stores::neighbour)
    };
    if !function.layout.iter().any(of_block) {
        return;
    }
    let cfg = Cfg::new(function);
    let known = Known::new(context, function, &cfg);
    let (mut groups, mut stored) = (Vec::new(), Vec::new());
    for &block in &function.layout {
        find(context, function, &known.low, block, &mut groups);
        stores::find(context, function, &known.low, block, &mut stored);
    }
    let is_worth_it = |size: u64, address: Option<(u64, Value)>| {
        let sum = address.and_then(|(_, address)| Sum::of(context, function, address));
        size == WIDEST && sum.is_some_and(|sum| known.is_worth_it(&sum, |_| false))
    };
    let given = match may_be_twice(function) {
        true => {
            let loads = groups.iter().map(|group| {
                (group.given, group.size, neighbour(context, function, group.earliest))
            });
            let stores = stored.iter().map(|group| {
                (group.given, group.size, stores::neighbour(context, function, group.latest))
            });
            loads
                .chain(stores)
                .filter(|&(_, size, address)| is_worth_it(size, address))
                .fold(0, |all, (given, ..)| all | given)
        }
        false => 0,
    };
    groups.retain(|group| group.given & !given == 0);
    stored.retain(|group| group.given & !given == 0);
    if groups.is_empty() && stored.is_empty() {
        return;
    }
    if given != 0 {
        let arguments: Vec<(Value, u64)> = (known.low.arguments(context, function).enumerate())
            .filter(|&(place, _)| given >> place & 1 == 1)
            .map(|(_, argument)| argument)
            .collect();
        write_twice(context, function, &cfg, &arguments);
    }
    for group in groups {
        combine(context, function, &group);
    }
    for group in stored {
        stores::combine(context, function, &group);
    }
}

/// What decides where neighbours are loaded at once.
pub struct Known {
    /// Of addresses.
    pub low: LowBits,
    /// By value: in how many loops it changes.
    depths: Vec<u32>,
    /// By value: whether it differs between work-items.
    varies: Vec<bool>,
}

impl Known {
    /// Looks at a whole function.
    pub fn new(context: &ModuleContext<'_>, function: &Function, cfg: &Cfg) -> Known {
        Known {
            low: LowBits::new(context, function, cfg),
            depths: changes::depths(function, cfg),
            varies: varying_values(context.types, function, cfg),
        }
    }

    /// Whether a kernel is written twice for loads from an address that is a sum, but for some parts of it.
    pub fn is_worth_it(&self, sum: &Sum, without: impl Fn(Value) -> bool) -> bool {
        let any = |is: &dyn Fn(usize) -> bool| {
            let parts = sum.parts.iter().filter(|part| !without(part.0));
            parts.filter_map(|part| part.0.as_local()).any(is)
        };
        any(&|part| self.varies[part]) && any(&|part| self.depths[part] > 0)
    }
}

/// Whether a kernel may be written twice, once for aligned arguments.
pub fn may_be_twice(function: &Function) -> bool {
    let insts = function.layout.iter().map(|&block| function.blocks[block].insts.len());
    function.entry_point.is_some()
        && function.params.is_empty()
        && insts.sum::<usize>() <= MAX_TWICE
}

/// The size of what a load reads and the number that is its address, if it reads an integer or float out of a buffer
/// and may be part of another load.
pub fn neighbour(
    context: &ModuleContext<'_>,
    function: &Function,
    inst: Inst,
) -> Option<(u64, Value)> {
    let data = &function.insts[inst];
    let InstKind::Load { pointer, access } = data.kind else { return None };
    let ty = context.type_of(function, data.result?);
    let size = match context.types.kind(ty) {
        TypeKind::Int(bits @ (8 | 16 | 32 | 64)) => u64::from(bits) / 8,
        TypeKind::Float(bits @ (32 | 64)) => u64::from(bits) / 8,
        _ => return None,
    };
    if access.flags.volatile || access.flags.nontemporal {
        return None;
    }
    Some((size, address(context, function, pointer)?.1))
}

/// The memory and the number that a pointer into a buffer is made of.
fn address(
    context: &ModuleContext<'_>,
    function: &Function,
    pointer: Value,
) -> Option<(StorageClass, Value)> {
    use StorageClass::{PhysicalStorageBuffer, ReadOnlyBuffer};
    let class = context.types.pointer_parts(context.type_of(function, pointer))?.1;
    let (_, made) = function.def_inst(pointer)?;
    match made.kind {
        InstKind::Convert { op: ConvertOp::IntToPtr, operand, .. }
            if matches!(class, PhysicalStorageBuffer | ReadOnlyBuffer)
                && context.type_of(function, operand) == TypePool::I64 =>
        {
            Some((class, operand))
        }
        _ => None,
    }
}

/// The memory that a load is from.
fn class(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> Option<StorageClass> {
    let InstKind::Load { pointer, .. } = function.insts[inst].kind else { return None };
    Some(context.types.pointer_parts(context.type_of(function, pointer))?.1)
}

/// Loads that become one.
struct Group {
    block: Block,
    /// With their distances in bytes from the first, in that order.
    loads: Vec<(u64, Inst)>,
    /// The one that is executed first.
    earliest: Inst,
    /// The size of all.
    size: u64,
    /// The type of each.
    ty: Type,
    /// [`Low::given`]
    given: u32,
}

/// A load between two writes.
struct Candidate {
    inst: Inst,
    /// Its place in the block.
    place: usize,
    ty: Type,
    size: u64,
    /// What its address is known to be a multiple of.
    align: u32,
    /// What is added to what it has in common with others.
    offset: i64,
}

/// Finds what a block loads side by side.
fn find(
    context: &ModuleContext<'_>,
    function: &Function,
    low: &LowBits,
    block: Block,
    groups: &mut Vec<Group>,
) {
    let mut near: FxHashMap<Vec<(Value, i64)>, (Low, Vec<Candidate>)> = FxHashMap::default();
    let mut flush = |near: &mut FxHashMap<Vec<(Value, i64)>, (Low, Vec<Candidate>)>| {
        let start = groups.len();
        for (_, (low, mut loads)) in near.drain() {
            loads.sort_by_key(|load| (load.offset, load.place));
            side_by_side(block, low, &loads, groups);
        }
        groups[start..].sort_by_key(|group| group.earliest);
    };
    for (place, &inst) in function.blocks[block].insts.iter().enumerate() {
        if let Some((size, address)) = neighbour(context, function, inst)
            && let Some(sum) = Sum::of(context, function, address)
            && let InstKind::Load { access, .. } = function.insts[inst].kind
            && let Some(result) = function.insts[inst].result
        {
            let offset = sum.constant;
            let ty = context.type_of(function, result);
            let common = || low.of_parts(context, &sum, |_| false);
            let entry = near.entry(sum.parts.clone());
            let (_, loads) = entry.or_insert_with(|| (common(), Vec::new()));
            loads.push(Candidate { inst, place, ty, size, align: access.align, offset });
        } else if may_write(context, function, inst) {
            flush(&mut near);
        }
    }
    flush(&mut near);
}

/// Whether loads from buffers must not move across an instruction.
fn may_write(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> bool {
    match function.insts[inst].kind {
        InstKind::Store { pointer, .. } => {
            let parts = context.types.pointer_parts(context.type_of(function, pointer));
            !matches!(
                parts.map(|parts| parts.1),
                Some(StorageClass::Function | StorageClass::Private | StorageClass::Workgroup)
            )
        }
        InstKind::Call { callee, .. } => !context.constant[callee.index()],
        InstKind::Intrinsic { intrinsic, .. } => {
            let effects = intrinsic.effects();
            effects.writes || effects.convergent
        }
        InstKind::Load { access, .. } => access.flags.volatile,
        ref kind => !copies::is_computation(kind) && !matches!(kind, InstKind::Variable { .. }),
    }
}

/// Which arguments have to be aligned ([`Low::given`]) for an address to be a multiple of `width`; nothing if it is not
/// even then. It is a multiple of `align`, and a number whose lowest bits are known and an offset.
fn aligned(low: Low, align: u32, offset: i64, width: u64) -> Option<u32> {
    if u64::from(align) >= width {
        return Some(0);
    }
    let address = i64::from(low.bits).wrapping_add(offset);
    let is_multiple = 1 << low.known >= width && address.rem_euclid(width as i64) == 0;
    is_multiple.then_some(low.given)
}

/// Puts together what is side by side and aligned, as wide as it can be; `loads` by their offsets.
fn side_by_side(block: Block, low: Low, loads: &[Candidate], groups: &mut Vec<Group>) {
    let mut left = loads;
    while let Some(first) = left.first() {
        let widths = [WIDEST, WIDEST / 2, WIDEST / 4].into_iter();
        let group = widths.filter(|&width| width > first.size).find_map(|width| {
            let given = aligned(low, first.align, first.offset, width)?;
            let mut found = vec![first];
            for load in left {
                let last = found[found.len() - 1];
                let is_next = load.offset == last.offset.wrapping_add(last.size as i64);
                if is_next && load.ty == first.ty && (found.len() as u64) < width / first.size {
                    found.push(load);
                }
            }
            (found.len() as u64 == width / first.size).then_some((width, given, found))
        });
        let Some((size, given, found)) = group else {
            left = &left[1..];
            continue;
        };
        let last = found[found.len() - 1].offset;
        let earliest = found.iter().min_by_key(|load| load.place).map_or(first.inst, |l| l.inst);
        let distance = |load: &Candidate| load.offset.wrapping_sub(first.offset) as u64;
        groups.push(Group {
            block,
            loads: found.iter().map(|load| (distance(load), load.inst)).collect(),
            earliest,
            size,
            ty: first.ty,
            given,
        });
        left = &left[left.iter().take_while(|load| load.offset <= last).count()..];
    }
}

/// Loads a group at once, where the first of them is executed, and takes each out of that.
fn combine(context: &mut ModuleContext<'_>, function: &mut Function, group: &Group) {
    let Some((distance, _)) = group.loads.iter().find(|load| load.1 == group.earliest).copied()
    else {
        return;
    };
    let Some((size, address)) = neighbour(context, function, group.earliest) else { return };
    let words = group.size / size.max(4);
    // What is smaller than 32 bits is cut out of words of 32.
    let element = if size < 4 { TypePool::I32 } else { group.ty };
    let wide = match words {
        1 => element,
        _ => context.types.vector(element, words as u8),
    };
    let is_unwritten = group
        .loads
        .iter()
        .all(|&(_, inst)| class(context, function, inst) == Some(StorageClass::ReadOnlyBuffer));
    let pointer = context.types.pointer(
        wide,
        match is_unwritten {
            true => StorageClass::ReadOnlyBuffer,
            false => StorageClass::PhysicalStorageBuffer,
        },
    );
    let insts = &mut function.blocks[group.block].insts;
    let place = insts.iter().position(|&inst| inst == group.earliest).unwrap_or_default();
    let behind = insts.split_off(place);
    let terminator = std::mem::take(&mut function.blocks[group.block].terminator);
    let location = function.insts[group.earliest].location;
    let mut builder = Builder::new(context.types, context.consts, function, group.block);
    builder.location = location;
    let address = match distance {
        0 => address,
        _ => {
            let back = builder.int(TypePool::I64, distance.wrapping_neg());
            builder.binary(BinaryOp::IAdd, address, back)
        }
    };
    let pointer = builder.convert(ConvertOp::IntToPtr, address, pointer);
    let loaded = builder.load(pointer, MemoryAccess::aligned(group.size as u32));
    let mut parts = Vec::new();
    for &(distance, inst) in &group.loads {
        let word = distance / size.max(4);
        let path = [word as u32];
        if size >= 4 {
            let path = builder.function.number_list(&path);
            builder.function.insts[inst].kind = InstKind::Extract { aggregate: loaded, path };
            continue;
        }
        if parts.len() as u64 == word {
            parts.push(if words == 1 { loaded } else { builder.extract(loaded, &path) });
        }
        let mut operand = parts[word as usize];
        let bits = distance % 4 * 8;
        if bits != 0 {
            let bits = builder.int(TypePool::I32, bits);
            operand = builder.binary(BinaryOp::LShr, operand, bits);
        }
        let op = ConvertOp::Truncate;
        let kind = InstKind::Convert { op, operand, rounding: None, saturate: false };
        builder.function.insts[inst].kind = kind;
    }
    function.blocks[group.block].insts.extend(behind);
    function.blocks[group.block].terminator = terminator;
}

/// Writes the body of a kernel twice: the blocks as they are, for arguments that, multiplied as is said, are multiples
/// of 16, and a copy. A new entry asks which, and has the variables of both.
fn write_twice(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    cfg: &Cfg,
    arguments: &[(Value, u64)],
) {
    let (entry, aligned, copy) = copies::twice(function, cfg);
    let location = function.blocks[aligned.block].location;
    let mut map = FxHashMap::default();
    let mut all = None;
    for &(argument, factor) in arguments {
        copy_argument(function, argument, entry, &mut map);
        let mut here = map[&argument];
        let mut builder = Builder::new(context.types, context.consts, function, entry);
        if builder.ty(here) != TypePool::I64 {
            here = builder.convert(ConvertOp::ZeroExtend, here, TypePool::I64);
        }
        if factor != 1 {
            let factor = builder.int(TypePool::I64, factor);
            here = builder.binary(BinaryOp::IMul, here, factor);
        }
        all = Some(all.map_or(here, |all| builder.binary(BinaryOp::Or, all, here)));
    }
    let Some(all) = all else { return };
    let mut builder = Builder::new(context.types, context.consts, function, entry);
    let [mask, zero] = [WIDEST - 1, 0].map(|bits| builder.int(TypePool::I64, bits));
    let low = builder.binary(BinaryOp::And, all, mask);
    let is_aligned = builder.compare(CompareOp::Equal, low, zero);
    builder.location = location;
    builder.terminate(Terminator::Branch { condition: is_aligned, then: aligned, otherwise: copy });
}

/// Loads an argument in another block, too.
fn copy_argument(
    function: &mut Function,
    argument: Value,
    to: Block,
    map: &mut FxHashMap<Value, Value>,
) {
    let Some((inst, data)) = function.def_inst(argument) else { return };
    let kind = data.kind;
    if map.contains_key(&argument) {
        return;
    }
    let mut operands = Vec::new();
    function.each_operand(inst, |operand| operands.push(operand));
    for operand in operands {
        copy_argument(function, operand, to, map);
    }
    copies::append(function, inst, to, map, kind);
}
