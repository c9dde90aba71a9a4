//! Stores of neighbours in one, where the last of them is executed.

use clc_ir::{
    BinaryOp, Block, Builder, ConvertOp, Function, Inst, InstKind, MemoryAccess, StorageClass,
    Type, TypeKind, TypePool, Value,
};

use super::{WIDEST, aligned, may_write};
use crate::alignment::{Low, LowBits, Sum};
use crate::context::ModuleContext;

/// Stores that become one.
pub struct Group {
    block: Block,
    /// In the order of the addresses, with nothing between.
    stores: Vec<Inst>,
    /// The one that is executed last, and its distance in bytes from the first.
    pub latest: Inst,
    distance: u64,
    /// The size of all.
    pub size: u64,
    /// [`Low::given`]
    pub given: u32,
}

impl Group {
    /// In the order of the addresses.
    pub fn stores(&self) -> impl Iterator<Item = Inst> {
        self.stores.iter().copied()
    }
}

/// A store that nothing between it and the others must come before.
pub struct Candidate {
    pub inst: Inst,
    /// Its place in the block.
    pub place: usize,
    pub size: u64,
    /// What its address is known to be a multiple of.
    pub align: u32,
    /// What is added to what it has in common with others.
    pub offset: i64,
}

impl Candidate {
    /// Whether two stores write the same byte.
    pub fn overlaps(&self, other: &Candidate) -> bool {
        self.offset < other.offset.wrapping_add(other.size as i64)
            && other.offset < self.offset.wrapping_add(self.size as i64)
    }
}

/// The size of what a store writes and the number that is its address, if it writes an integer or float to a buffer and
/// may be part of another store.
pub fn neighbour(
    context: &ModuleContext<'_>,
    function: &Function,
    inst: Inst,
) -> Option<(u64, Value)> {
    let InstKind::Store { pointer, value, access } = function.insts[inst].kind else {
        return None;
    };
    let size = match context.types.kind(context.type_of(function, value)) {
        TypeKind::Int(bits @ (8 | 16 | 32 | 64)) => u64::from(bits) / 8,
        TypeKind::Float(bits @ (16 | 32 | 64)) => u64::from(bits) / 8,
        _ => return None,
    };
    if access.flags.volatile || access.flags.nontemporal {
        return None;
    }
    Some((size, super::address(context, function, pointer)?.1))
}

/// Finds what a block stores side by side.
pub fn find(
    context: &ModuleContext<'_>,
    function: &Function,
    low: &LowBits,
    block: Block,
    groups: &mut Vec<Group>,
) {
    // What was stored at the same sum, but for constants, since anything else was that could be there, too.
    let mut sum = Sum::default();
    let mut stores: Vec<Candidate> = Vec::new();
    let flush = |sum: &Sum, stores: &mut Vec<Candidate>, groups: &mut Vec<Group>| {
        if stores.len() > 1 {
            stores.sort_by_key(|store| store.offset);
            let widths = [WIDEST, WIDEST / 2, WIDEST / 4];
            side_by_side(block, low.of_parts(context, sum, |_| false), stores, &widths, groups);
        }
        stores.clear();
    };
    for (place, &inst) in function.blocks[block].insts.iter().enumerate() {
        if let Some((size, address)) = neighbour(context, function, inst)
            && let InstKind::Store { access, .. } = function.insts[inst].kind
        {
            let Some(new) = Sum::of(context, function, address) else {
                flush(&sum, &mut stores, groups);
                continue;
            };
            let store = Candidate { inst, place, size, align: access.align, offset: new.constant };
            if new.parts != sum.parts || stores.iter().any(|other| other.overlaps(&store)) {
                flush(&sum, &mut stores, groups);
            }
            sum = new;
            stores.push(store);
        } else if may_write(context, function, inst) || may_read(context, function, inst) {
            flush(&sum, &mut stores, groups);
        }
    }
    flush(&sum, &mut stores, groups);
}

/// Whether an instruction that writes nothing reads what stores to buffers may write.
fn may_read(context: &ModuleContext<'_>, function: &Function, inst: Inst) -> bool {
    match function.insts[inst].kind {
        InstKind::Load { pointer, .. } => {
            let parts = context.types.pointer_parts(context.type_of(function, pointer));
            !matches!(
                parts.map(|parts| parts.1),
                Some(
                    StorageClass::Function
                        | StorageClass::Private
                        | StorageClass::Workgroup
                        | StorageClass::ReadOnlyBuffer
                        | StorageClass::Input
                        | StorageClass::PushConstant
                        | StorageClass::Uniform
                )
            )
        }
        InstKind::Call { .. } => true,
        InstKind::Intrinsic { intrinsic, .. } => intrinsic.effects().reads,
        _ => false,
    }
}

/// Puts together what is side by side and aligned, in the first of the widths that fits; `stores` by their offsets.
pub fn side_by_side(
    block: Block,
    low: Low,
    stores: &[Candidate],
    widths: &[u64],
    groups: &mut Vec<Group>,
) {
    let mut left = stores;
    while let Some(first) = left.first() {
        let of_width = |&width: &u64| {
            let count = (width / first.size) as usize;
            let given = aligned(low, first.align, first.offset, width)?;
            let found = left.get(..count).filter(|_| count > 1)?;
            let is_next = |pair: &[Candidate]| {
                pair[1].size == first.size
                    && pair[1].offset == pair[0].offset.wrapping_add(first.size as i64)
            };
            found.windows(2).all(is_next).then_some((width, given, found))
        };
        let Some((size, given, found)) = widths.iter().find_map(of_width) else {
            left = &left[1..];
            continue;
        };
        let latest = found.iter().max_by_key(|store| store.place).unwrap_or(first);
        groups.push(Group {
            block,
            stores: found.iter().map(|store| store.inst).collect(),
            latest: latest.inst,
            distance: latest.offset.wrapping_sub(first.offset) as u64,
            size,
            given,
        });
        left = &left[found.len()..];
    }
}

/// Stores a group to a buffer at once.
pub fn combine(context: &mut ModuleContext<'_>, function: &mut Function, group: &Group) {
    let Some((_, address)) = neighbour(context, function, group.latest) else { return };
    replace(context, function, group, |builder, ty| {
        let address = match group.distance {
            0 => address,
            distance => {
                let back = builder.int(TypePool::I64, distance.wrapping_neg());
                builder.binary(BinaryOp::IAdd, address, back)
            }
        };
        let pointer = builder.types.pointer(ty, StorageClass::PhysicalStorageBuffer);
        builder.convert(ConvertOp::IntToPtr, address, pointer)
    });
}

/// Stores a group at once, where the last of them is executed, to what `pointer` computes: the address of a given type.
pub fn replace(
    context: &mut ModuleContext<'_>,
    function: &mut Function,
    group: &Group,
    pointer: impl FnOnce(&mut Builder<'_>, Type) -> Value,
) {
    let size = group.size / group.stores.len() as u64;
    let values: Vec<Value> = (group.stores.iter())
        .filter_map(|&inst| match function.insts[inst].kind {
            InstKind::Store { value, .. } => Some(value),
            _ => None,
        })
        .collect();
    let insts = &mut function.blocks[group.block].insts;
    let place = insts.iter().position(|&inst| inst == group.latest).unwrap_or_default();
    let behind = insts.split_off(place + 1);
    insts.retain(|inst| !group.stores.contains(inst));
    let terminator = std::mem::take(&mut function.blocks[group.block].terminator);
    let location = function.insts[group.latest].location;
    let mut builder = Builder::new(context.types, context.consts, function, group.block);
    builder.location = location;
    let first = builder.ty(values[0]);
    let element = match size {
        4.. if values.iter().all(|&value| builder.ty(value) == first) => first,
        8 => TypePool::I64,
        _ => TypePool::I32,
    };
    // What is smaller than 32 bits is put together to words of 32, and what has several types becomes integers.
    let per_word = (4 / size).max(1) as usize;
    let words: Vec<Value> = (values.chunks(per_word))
        .map(|parts| {
            let small = builder.types.int((size * 8) as u8);
            let parts: Vec<Value> = match parts {
                [part] => return builder.bitcast(*part, element),
                _ => parts.iter().map(|&part| builder.bitcast(part, small)).collect(),
            };
            let vector = builder.types.vector(small, per_word as u8);
            let word = builder.construct(vector, &parts);
            builder.bitcast(word, element)
        })
        .collect();
    let wide = match words[..] {
        [word] => word,
        _ => {
            let ty = builder.types.vector(element, words.len() as u8);
            builder.construct(ty, &words)
        }
    };
    let ty = builder.ty(wide);
    let pointer = pointer(&mut builder, ty);
    builder.store(pointer, wide, MemoryAccess::aligned(group.size as u32));
    function.blocks[group.block].insts.extend(behind);
    function.blocks[group.block].terminator = terminator;
}
