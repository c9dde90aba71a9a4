//! Accesses of arrays that have moved.

use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConstPool, ConvertOp, Function, GlobalId, InstKind,
    StorageClass, Type, TypePool, Value, ValueList,
};

use super::Shape;
use crate::shader::arguments::insert_at_head;
use crate::shader::host_values::size_constants;

/// An array, and the variable in local memory that has its elements.
pub struct Moved {
    pub variable: Value,
    pub shape: Shape,
    pub global: GlobalId,
    /// Of the variable in local memory.
    pub ty: Type,
    /// The work-items of the largest work-group in which it is there, where only the host knows how many there are.
    pub most: Option<u64>,
}

/// What is the same wherever the function accesses an array.
struct Group {
    /// The work-items of a work-group.
    items: Value,
    /// The number of this one among them.
    item: Value,
    /// By array: whether there are few enough of them, if that is not known yet.
    are_few: Vec<Option<Value>>,
}

/// Loads and stores of the arrays go to local memory, in work-groups of the size that is required or of one that the host
/// chooses.
pub fn run(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    arrays: &[Moved],
    required: Option<[u32; 3]>,
) {
    // Where they are no debug information says.
    if let Some(mut debug) = function.debug.take() {
        let is_moved = |address: Value| {
            arrays.iter().any(|array| array.variable == address)
                || array(function, arrays, address).is_some()
        };
        debug.memory.retain(|entry| !is_moved(entry.address));
        function.debug = Some(debug);
    }
    let entry = function.entry();
    // What is built goes to the end of a block without a terminator.
    let insts = std::mem::take(&mut function.blocks[entry].insts);
    let terminator = std::mem::take(&mut function.blocks[entry].terminator);
    let mut builder = Builder::new(types, consts, function, entry);
    let group = group(&mut builder, arrays, required);
    let new = std::mem::replace(&mut function.blocks[entry].insts, insts);
    function.blocks[entry].terminator = terminator;
    insert_at_head(function, Vec::new(), new);
    let is_access =
        |kind: &InstKind| matches!(kind, InstKind::Load { .. } | InstKind::Store { .. });
    rewrite::expand(types, consts, function, is_access, |builder, inst| {
        let kind = builder.function.insts[inst].kind;
        let (InstKind::Load { pointer, .. } | InstKind::Store { pointer, .. }) = kind else {
            return Expansion::Keep;
        };
        let Some((index, indices)) = array(builder.function, arrays, pointer) else {
            return Expansion::Keep;
        };
        let are_few = group.are_few[index];
        let place = place(builder, &group, &arrays[index], are_few, indices);
        match (kind, are_few) {
            (InstKind::Load { access, .. }, None) => Expansion::Value(builder.load(place, access)),
            // Both, of which one is an element that nothing was stored to: no block for a value that a choice gives.
            (InstKind::Load { access, .. }, Some(are_few)) => {
                let shared = builder.load(place, access);
                let own = builder.load(pointer, access);
                let truth = match builder.types.lanes(builder.ty(shared)) {
                    1 => TypePool::BOOL,
                    lanes => builder.types.vector(TypePool::BOOL, lanes),
                };
                let are_few = builder.splat(truth, are_few);
                Expansion::Value(builder.select(are_few, shared, own))
            }
            (InstKind::Store { value, access, .. }, None) => {
                builder.store(place, value, access);
                Expansion::Done
            }
            (InstKind::Store { value, access, .. }, Some(are_few)) => {
                let [few, many, next] = [(); 3].map(|()| builder.new_block());
                builder.branch(are_few, few, many);
                for (block, place) in [(few, place), (many, pointer)] {
                    builder.switch_to(block);
                    builder.store(place, value, access);
                    builder.jump(next, &[]);
                }
                builder.switch_to(next);
                Expansion::Done
            }
            _ => Expansion::Keep,
        }
    });
}

fn group(builder: &mut Builder<'_>, arrays: &[Moved], required: Option<[u32; 3]>) -> Group {
    use clc_builtins::Intrinsic::GetLocalLinearId;
    let ty = builder.types.size_type();
    let id = builder.intrinsic(GetLocalLinearId, &[], ty);
    let id = id.unwrap_or_else(|| builder.undef(ty));
    let item = builder.convert(ConvertOp::Truncate, id, TypePool::I32);
    let [x, y, z] = size_constants(builder, required);
    let items = match required {
        Some(size) => {
            let items = size.iter().map(|&size| u64::from(size)).product();
            builder.int(TypePool::I32, items)
        }
        None => {
            let layer = builder.binary(BinaryOp::IMul, x, y);
            builder.binary(BinaryOp::IMul, layer, z)
        }
    };
    let are_few = arrays.iter().map(|array| {
        let most = builder.int(TypePool::I32, array.most?);
        Some(builder.compare(CompareOp::ULessEqual, items, most))
    });
    let are_few = are_few.collect();
    Group { items, item, are_few }
}

/// The array that an address is in, and the indices.
fn array(function: &Function, arrays: &[Moved], pointer: Value) -> Option<(usize, ValueList)> {
    let (_, data) = function.def_inst(pointer)?;
    let InstKind::Access { base, indices } = data.kind else { return None };
    let array = arrays.iter().position(|array| array.variable == base)?;
    Some((array, indices))
}

/// The address of a part of an element in local memory: of the first of all where the array is not there.
fn place(
    builder: &mut Builder<'_>,
    group: &Group,
    array: &Moved,
    are_few: Option<Value>,
    indices: ValueList,
) -> Value {
    let mut indices: Vec<Value> = builder.function.values_of(indices).collect();
    let within = indices.split_off(array.shape.lengths.len());
    let mut element: Option<Value> = None;
    for (index, &length) in indices.into_iter().zip(&array.shape.lengths) {
        let index = narrow(builder, index);
        element = Some(match element {
            None => index,
            Some(row) => {
                let length = builder.int(TypePool::I32, length);
                let first = builder.binary(BinaryOp::IMul, row, length);
                builder.binary(BinaryOp::IAdd, first, index)
            }
        });
    }
    let zero = builder.int(TypePool::I32, 0);
    let row = builder.binary(BinaryOp::IMul, element.unwrap_or(zero), group.items);
    let mut place = builder.binary(BinaryOp::IAdd, row, group.item);
    if let Some(are_few) = are_few {
        place = builder.select(are_few, place, zero);
    }
    let pointer = builder.types.pointer(array.ty, StorageClass::Workgroup);
    let base = builder.consts.intern(Const::GlobalAddress(pointer, array.global));
    let path: Vec<Value> = std::iter::once(place).chain(within).collect();
    builder.access(base, &path)
}

/// An index of a small array in 32 bits.
fn narrow(builder: &mut Builder<'_>, index: Value) -> Value {
    if let Some(number) = builder.constant_int(index) {
        return builder.int(TypePool::I32, number);
    }
    match builder.types.scalar_bits(builder.ty(index)) {
        Some(32) | None => index,
        Some(64) => builder.convert(ConvertOp::Truncate, index, TypePool::I32),
        Some(_) => builder.convert(ConvertOp::SignExtend, index, TypePool::I32),
    }
}
