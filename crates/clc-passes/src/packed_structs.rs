//! Small structs with bytes and shorts are loaded and stored as integers:
//!
//! ```text
//! s: {i16, i16, i32} = load p    ->    w: i64 = load p
//! a: i16 = extract s [1]               a: i16 = trunc (w >> 16)
//! ```
//!
//! Processors gather and scatter numbers of 32 and 64 bits for work-items side by side, but bytes and shorts one by one.
//! Devices that take SPIR-V are little-endian: what comes first is in the lowest bits.

use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, ConvertOp, Function, InstKind, MemoryAccess, StorageClass, Type, TypeKind,
    TypePool, Value, ValueList,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::short_vectors::part;

/// Loads and stores the structs of a function as integers.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let structs = loads(context.types, function);
    // By integer that is loaded: the type of the struct.
    let mut packed = FxHashMap::default();
    let accesses = |kind: &InstKind| matches!(kind, InstKind::Load { .. } | InstKind::Store { .. });
    rewrite::expand(context.types, context.consts, function, accesses, |builder, inst| {
        let data = builder.function.insts[inst];
        match data.kind {
            InstKind::Load { pointer, access } => {
                let Some(whole) = data.result.filter(|whole| structs.contains(whole)) else {
                    return Expansion::Keep;
                };
                let ty = builder.ty(whole);
                let (pointer, access) = as_integer(builder, pointer, access);
                let loaded = builder.load(pointer, access);
                packed.insert(loaded, ty);
                Expansion::Value(loaded)
            }
            InstKind::Store { pointer, value, access }
                if !access.flags.volatile
                    && !is_private(builder.types, builder.function, pointer) =>
            {
                let Some(whole) = joined(builder, value) else { return Expansion::Keep };
                let (pointer, access) = as_integer(builder, pointer, access);
                builder.store(pointer, whole, access);
                Expansion::Done
            }
            _ => Expansion::Keep,
        }
    });
    if packed.is_empty() {
        return;
    }
    let takes = |kind: &InstKind| matches!(kind, InstKind::Extract { .. });
    rewrite::expand(context.types, context.consts, function, takes, |builder, inst| match builder
        .function
        .insts[inst]
        .kind
    {
        InstKind::Extract { aggregate, path } if packed.contains_key(&aggregate) => {
            let (offset, ty) = member(builder, packed[&aggregate], path);
            Expansion::Value(part(builder, aggregate, 8 * offset, ty))
        }
        _ => Expansion::Keep,
    });
}

/// The structs that are loaded for their members alone.
fn loads(types: &TypePool, function: &Function) -> FxHashSet<Value> {
    let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    let ty = |value: Value| value.as_local().map(|local| function.values[local].ty);
    let mut found: FxHashSet<Value> = insts()
        .filter_map(|&inst| {
            let data = &function.insts[inst];
            let InstKind::Load { pointer, access } = data.kind else { return None };
            data.result.filter(|_| !access.flags.volatile && !is_private(types, function, pointer))
        })
        .filter(|&loaded| ty(loaded).is_some_and(|ty| integer_of(types, ty).is_some()))
        .collect();
    if found.is_empty() {
        return found;
    }
    for &inst in insts() {
        let data = &function.insts[inst];
        let is_member = matches!(data.kind, InstKind::Extract { .. })
            && data.result.and_then(ty).is_some_and(|ty| is_part(types, ty));
        if !is_member {
            function.each_operand(inst, |value| {
                found.remove(&value);
            });
        }
    }
    for &block in &function.layout {
        function.each_terminator_operand(block, |value| {
            found.remove(&value);
        });
    }
    found
}

/// Whether a pointer is to variables of a work-item, which drivers take apart by member.
fn is_private(types: &TypePool, function: &Function, pointer: Value) -> bool {
    let ty = pointer.as_local().map(|local| function.values[local].ty);
    let parts = ty.and_then(|ty| types.pointer_parts(ty));
    parts.is_some_and(|(_, class)| class == StorageClass::Function)
}

/// The integer that has all bits of a struct in which are numbers of less than 32 bits.
fn integer_of(types: &TypePool, ty: Type) -> Option<Type> {
    if !matches!(types.kind(ty), TypeKind::Struct(_)) || !has_short(types, ty)? {
        return None;
    }
    match types.size(ty) {
        2 => Some(TypePool::I16),
        4 => Some(TypePool::I32),
        8 => Some(TypePool::I64),
        _ => None,
    }
}

/// Whether there are numbers of less than 32 bits; nothing if there is something else than numbers.
fn has_short(types: &TypePool, ty: Type) -> Option<bool> {
    match types.kind(ty) {
        TypeKind::Struct(_) | TypeKind::Array(..) if (1..=8).contains(&types.size(ty)) => {
            let parts = (0..).map_while(|index| types.component(ty, index));
            parts.map(|part| has_short(types, part)).try_fold(false, |any, part| Some(any | part?))
        }
        _ => is_part(types, ty).then(|| types.scalar_bits(ty).is_some_and(|bits| bits < 32)),
    }
}

/// Whether something is a number, or a vector of them without a gap behind.
fn is_part(types: &TypePool, ty: Type) -> bool {
    (types.is_int(ty) || types.is_float(ty)) && types.lanes(ty).is_power_of_two()
}

/// An access to a struct as one to its integer.
fn as_integer(
    builder: &mut Builder<'_>,
    pointer: Value,
    access: MemoryAccess,
) -> (Value, MemoryAccess) {
    let (ty, class) =
        builder.types.pointer_parts(builder.ty(pointer)).expect("accesses have pointers");
    let integer = integer_of(builder.types, ty).expect("the struct was asked for");
    let to = builder.types.pointer(integer, class);
    (builder.bitcast(pointer, to), access.untyped())
}

/// The place of a member in bytes, and its type.
fn member(builder: &Builder<'_>, mut ty: Type, path: ValueList) -> (u64, Type) {
    let mut offset = 0;
    for &index in builder.function.numbers_of(path) {
        let part = builder.types.component(ty, index).expect("the path fits the struct");
        offset += match builder.types.kind(ty) {
            TypeKind::Vector(..) => builder.types.size(part) * u64::from(index),
            _ => builder.types.component_offset(ty, index),
        };
        ty = part;
    }
    (offset, ty)
}

/// The integer of a struct that is put together from numbers.
fn joined(builder: &mut Builder<'_>, value: Value) -> Option<Value> {
    let ty = builder.ty(value);
    let whole = integer_of(builder.types, ty)?;
    let InstKind::Construct { parts } = builder.function.def_inst(value)?.1.kind else {
        return None;
    };
    let parts: Vec<Value> = builder.function.values_of(parts).collect();
    if !parts.iter().all(|&part| is_part(builder.types, builder.ty(part))) {
        return None;
    }
    let mut all = None;
    for (index, part) in (0..).zip(parts) {
        let bits = builder.types.int(8 * builder.types.size(builder.ty(part)) as u8);
        let mut part = builder.bitcast(part, bits);
        if bits != whole {
            part = builder.convert(ConvertOp::ZeroExtend, part, whole);
        }
        let offset = builder.types.component_offset(ty, index);
        if offset > 0 {
            let count = builder.int(whole, 8 * offset);
            part = builder.binary(BinaryOp::Shl, part, count);
        }
        all = Some(match all {
            None => part,
            Some(all) => builder.binary(BinaryOp::Or, all, part),
        });
    }
    all
}
