//! The size of a sub-group, and which kernels use sub-groups.
//!
//! `get_sub_group_size` is the number of work-items that a sub-group has, which is less than
//! `get_max_sub_group_size` where the size of the work-group is no multiple of that (OpenCL C 6.15.20).
//! Vulkan's SubgroupSize does not say so, nor does Vulkan say which sub-groups are not full: some
//! drivers let each row of a work-group begin with another one. A kernel therefore counts where it
//! begins, when all work-items are there, and its functions read the number.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    Builder, Const, FuncId, Function, GlobalId, InstKind, MemoryAccess, Module, StorageClass,
    TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::arguments::insert_at_head;
use super::private;

/// Replaces `get_sub_group_size`.
pub(crate) fn run(module: &mut Module) {
    let users: Vec<FuncId> = module
        .functions
        .iter()
        .filter(|(_, function)| intrinsics(function).any(is_size))
        .map(|(id, _)| id)
        .collect();
    let is_kernel = |id: &FuncId| module.functions[*id].entry_point.is_some();
    let callees: Vec<FuncId> = users.iter().copied().filter(|id| !is_kernel(id)).collect();
    let reached = callers(module, &callees);
    let kernels: Vec<FuncId> = module
        .kernels()
        .filter(|kernel| users.contains(kernel) || reached[kernel.index()])
        .collect();
    let variable = (!callees.is_empty()).then(|| {
        let name = "sub-group size".to_owned();
        module.globals.push(private::variable(name, TypePool::I32, 4))
    });
    for kernel in kernels {
        count(module, kernel, variable.filter(|_| reached[kernel.index()]));
    }
    let Some(variable) = variable else { return };
    let Module { types, consts, functions, .. } = module;
    for id in callees {
        let is_candidate = |kind: &InstKind| matches!(kind, InstKind::Intrinsic { intrinsic, .. } if is_size(*intrinsic));
        rewrite::expand(types, consts, &mut functions[id], is_candidate, |builder, _| {
            let address = address(builder, variable);
            Expansion::Value(builder.load(address, ACCESS))
        });
    }
}

const ACCESS: MemoryAccess = MemoryAccess::aligned(4);

fn is_size(intrinsic: Intrinsic) -> bool {
    matches!(intrinsic, Intrinsic::GetSubGroupSize)
}

fn intrinsics(function: &Function) -> impl Iterator<Item = Intrinsic> {
    let insts = function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    insts.filter_map(|&inst| match function.insts[inst].kind {
        InstKind::Intrinsic { intrinsic, .. } => Some(intrinsic),
        _ => None,
    })
}

/// By function: whether it calls one of these, itself or in what it calls.
fn callers(module: &Module, callees: &[FuncId]) -> Vec<bool> {
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
    for (id, function) in module.functions.iter() {
        for &inst in function.layout.iter().flat_map(|&block| &function.blocks[block].insts) {
            if let InstKind::Call { callee, .. } = function.insts[inst].kind {
                callers[callee.index()].push(id);
            }
        }
    }
    let mut reached = vec![false; module.functions.len()];
    let mut work = callees.to_vec();
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee.index()] {
            if !std::mem::replace(&mut reached[caller.index()], true) {
                work.push(caller);
            }
        }
    }
    reached
}

fn address(builder: &mut Builder<'_>, variable: GlobalId) -> Value {
    let pointer = builder.types.pointer(TypePool::I32, StorageClass::Private);
    builder.consts.intern(Const::GlobalAddress(pointer, variable))
}

/// Counts the work-items of the sub-group at the head of a kernel, for itself and for its functions.
fn count(module: &mut Module, kernel: FuncId, variable: Option<GlobalId>) {
    let Module { types, consts, functions, .. } = module;
    let function = &mut functions[kernel];
    let scratch = function.add_block();
    let mut builder = Builder::new(types, consts, function, scratch);
    let mask = builder.types.vector(TypePool::I32, 4);
    let one = builder.i32(1);
    let ballot = builder.intrinsic(Intrinsic::SubGroupBallot, &[one], mask);
    let count = ballot.and_then(|ballot| {
        builder.intrinsic(Intrinsic::SubGroupBallotBitCount, &[ballot], TypePool::I32)
    });
    let Some(count) = count else { return };
    if let Some(variable) = variable {
        let address = address(&mut builder, variable);
        builder.store(address, count, ACCESS);
    }
    let head = std::mem::take(&mut function.blocks[scratch].insts);
    function.layout.pop();
    let mut results: FxHashMap<Value, Value> = FxHashMap::default();
    let Function { layout, blocks, insts, .. } = &mut *function;
    for &block in layout.iter() {
        blocks[block].insts.retain(|&inst| match (insts[inst].kind, insts[inst].result) {
            (InstKind::Intrinsic { intrinsic, .. }, Some(result)) if is_size(intrinsic) => {
                results.insert(result, count);
                false
            }
            _ => true,
        });
    }
    insert_at_head(function, Vec::new(), head);
    if !results.is_empty() {
        function.map_all_operands(|value| results.get(&value).copied().unwrap_or(value));
    }
}

/// Whether a function depends on which work-items share a sub-group.
pub(super) fn are_used_by(function: &Function) -> bool {
    use Intrinsic as I;
    intrinsics(function).any(|intrinsic| {
        matches!(
            intrinsic,
            I::GetSubGroupSize
                | I::GetMaxSubGroupSize
                | I::GetNumSubGroups
                | I::GetEnqueuedNumSubGroups
                | I::GetSubGroupId
                | I::GetSubGroupLocalId
                | I::GetSubGroupEqMask
                | I::GetSubGroupGeMask
                | I::GetSubGroupGtMask
                | I::GetSubGroupLeMask
                | I::GetSubGroupLtMask
                | I::SubGroup(..)
                | I::SubGroupNonUniform(..)
                | I::SubGroupAll
                | I::SubGroupAny
                | I::SubGroupBroadcast
                | I::SubGroupElect
                | I::SubGroupNonUniformAll
                | I::SubGroupNonUniformAny
                | I::SubGroupNonUniformAllEqual
                | I::SubGroupNonUniformBroadcast
                | I::SubGroupBroadcastFirst
                | I::SubGroupBallot
                | I::SubGroupInverseBallot
                | I::SubGroupBallotBitExtract
                | I::SubGroupBallotBitCount
                | I::SubGroupBallotInclusiveScan
                | I::SubGroupBallotExclusiveScan
                | I::SubGroupBallotFindLsb
                | I::SubGroupBallotFindMsb
                | I::SubGroupShuffle
                | I::SubGroupShuffleXor
                | I::SubGroupShuffleUp
                | I::SubGroupShuffleDown
                | I::SubGroupRotate
                | I::SubGroupClusteredRotate
                | I::Matrix(_)
        )
    })
}
