//! The indices that are looked at, and what they are of.

use clc_base::Id as _;
use clc_ir::{Block, Cfg, Dominators, Function, Inst, InstKind, StorageClass, TypeKind, Value};
use rustc_hash::FxHashSet;

use crate::context::ModuleContext;

/// The longest arrays whose indices are looked at.
const MAX_LENGTH: u64 = 1 << 30;

/// What an index is of.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Elements are numbers.
    pub is_scalar: bool,
    /// There are far less than 2^31 elements: it is an array, or memory of a work-group.
    pub is_bounded: bool,
    pub is_local: bool,
    /// One of [`used_in_fewer_loops`]; [`each_index`] says of none that it is.
    pub is_rare: bool,
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
            Place { is_scalar, is_bounded, is_local, is_rare: false }
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

/// The addresses that are not used within the innermost of loops that are in each other.
pub(super) fn used_in_fewer_loops(function: &Function, cfg: &Cfg) -> FxHashSet<Value> {
    let around = Dominators::new(cfg).loops_around(cfg);
    let deepest = around.iter().copied().max().unwrap_or_default();
    let mut found: FxHashSet<Value> = FxHashSet::default();
    if deepest == 0 {
        return found;
    }
    let insts = |block: Block| function.blocks[block].insts.iter();
    let is_address = |inst: &&Inst| {
        matches!(function.insts[**inst].kind, InstKind::PtrAdd { .. } | InstKind::Access { .. })
    };
    let addresses = function.layout.iter().flat_map(|&block| insts(block).filter(is_address));
    found.extend(addresses.filter_map(|&inst| function.insts[inst].result));
    for &block in function.layout.iter().filter(|block| around[block.index()] == deepest) {
        for &inst in insts(block) {
            function.each_operand(inst, |operand| {
                found.remove(&operand);
            });
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
