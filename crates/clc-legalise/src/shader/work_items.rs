//! Work-item functions that Vulkan has no built-in variable for.
//!
//! Vulkan's launches have no offset of the global ids, so it is added to the built-in variable: every
//! kernel that may see it, by `get_global_id` or `get_global_offset`, is told it by the host.
//!
//! The size of the work-group is the kernel's own: constants, or specialization constants. A
//! function that kernels with different sizes share finds it in a Private variable, as it does the
//! global offset and the number of dimensions, which the host tells.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic as I;
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, GlobalId, InstKind, MemoryAccess,
    Module, StorageClass, Type, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::arguments::{insert_at_head, private};
use super::printf::Printf;

/// What functions find in Private variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostValue {
    /// `<3 x i64>`
    GlobalOffset,
    /// `i32`
    WorkDim,
    /// `i64`: the address of the buffer for what is printed.
    PrintfBuffer,
    /// `<3 x i32>`; each kernel stores its own.
    LocalSize,
}

#[derive(Debug, Default)]
pub(super) struct HostValues {
    variables: Vec<(HostValue, GlobalId)>,
    /// By function: what it and what it calls ask for.
    reached: Vec<Used>,
    /// What the functions ask for that are not kernels.
    in_callees: Used,
}

/// What the entry of a kernel finds out for work-item functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub value: HostValue,
    pub variable: GlobalId,
    /// Functions that are not kernels read the variable, so it must be stored.
    pub is_shared: bool,
}

impl HostValues {
    /// What the entry of `kernel` has to fill in with what the host tells.
    pub fn told(&self, kernel: FuncId) -> impl Iterator<Item = Told> {
        let (used, in_callees) = (self.reached[kernel.index()], self.in_callees);
        self.variables.iter().filter_map(move |&(value, variable)| {
            let told =
                |is_used: bool, is_shared| is_used.then_some(Told { value, variable, is_shared });
            match value {
                HostValue::GlobalOffset => told(used.global_offset, in_callees.global_offset),
                HostValue::WorkDim => told(used.work_dim, in_callees.work_dim),
                HostValue::PrintfBuffer => told(used.printf, in_callees.printf),
                HostValue::LocalSize => None,
            }
        })
    }

    fn variable(&self, value: HostValue) -> Option<GlobalId> {
        self.variables.iter().find(|(known, _)| *known == value).map(|&(_, global)| global)
    }
}

/// Replaces the functions; what kernels have to store for them.
pub(super) fn run(module: &mut Module, printf: Option<&Printf>) -> HostValues {
    let reached = reached(module, printf);
    let used = reached.iter().fold(Used::default(), |all, &one| all.or(one));
    let is_callee = |id: &FuncId| module.functions[*id].entry_point.is_none();
    let in_callees = module.functions.ids().filter(is_callee);
    let in_callees = in_callees.fold(Used::default(), |all, id| all.or(reached[id.index()]));
    let sizes: Vec<Option<Option<[u32; 3]>>> = module
        .functions
        .values()
        .map(|function| function.entry_point.as_deref().map(|entry| entry.reqd_work_group_size))
        .collect();
    let mut kernel_sizes = sizes.iter().flatten();
    let first = kernel_sizes.next().copied().unwrap_or_default();
    let common = kernel_sizes.all(|&size| size == first).then_some(first);

    let mut values = HostValues { variables: Vec::new(), reached, in_callees };
    if used.global_offset {
        let ty = module.types.vector(TypePool::I64, 3);
        values.variables.push((HostValue::GlobalOffset, private(module, "global offset", ty)));
    }
    if used.work_dim {
        let global = private(module, "dimensions", TypePool::I32);
        values.variables.push((HostValue::WorkDim, global));
    }
    if let Some(printf) = printf {
        values.variables.push((HostValue::PrintfBuffer, printf.buffer));
    }
    if used.local_size_in_callee && common.is_none() {
        let ty = module.types.vector(TypePool::I32, 3);
        values.variables.push((HostValue::LocalSize, private(module, "work-group size", ty)));
    }
    let functions: Vec<FuncId> = module.functions.ids().collect();
    for id in functions {
        if module.functions[id].is_declaration() {
            continue;
        }
        let own = sizes[id.index()].or(common);
        Rewriter { module, values: &values, own }.function(id);
        if let (Some(size), Some(global)) =
            (sizes[id.index()], values.variable(HostValue::LocalSize))
        {
            store_local_size(module, id, size, global);
        }
    }
    values
}

/// What a function asks for, itself or by what it calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used {
    global_offset: bool,
    work_dim: bool,
    printf: bool,
    local_size_in_callee: bool,
}

impl Used {
    fn note(&mut self, intrinsic: I, in_kernel: bool) {
        match intrinsic {
            I::GetGlobalId | I::GetGlobalOffset => self.global_offset = true,
            I::GetWorkDim => self.work_dim = true,
            I::GetLocalSize | I::GetEnqueuedLocalSize | I::GetGlobalSize | I::GetGlobalLinearId
                if !in_kernel =>
            {
                self.local_size_in_callee = true;
            }
            _ => {}
        }
    }

    fn or(self, other: Used) -> Used {
        Used {
            global_offset: self.global_offset | other.global_offset,
            work_dim: self.work_dim | other.work_dim,
            printf: self.printf | other.printf,
            local_size_in_callee: self.local_size_in_callee | other.local_size_in_callee,
        }
    }
}

/// By function: what it and what it calls ask for.
fn reached(module: &Module, printf: Option<&Printf>) -> Vec<Used> {
    let mut reached = vec![Used::default(); module.functions.len()];
    if let Some(printf) = printf {
        reached[printf.reserve.index()].printf = true;
    }
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
    for (id, function) in module.functions.iter() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                match function.insts[inst].kind {
                    InstKind::Intrinsic { intrinsic, .. } => {
                        reached[id.index()].note(intrinsic, function.entry_point.is_some());
                    }
                    InstKind::Call { callee, .. } => callers[callee.index()].push(id),
                    _ => {}
                }
            }
        }
    }
    let mut work: Vec<FuncId> = module.functions.ids().collect();
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee.index()] {
            let all = reached[caller.index()].or(reached[callee.index()]);
            if all != reached[caller.index()] {
                reached[caller.index()] = all;
                work.push(caller);
            }
        }
    }
    reached
}

/// The three sizes as constants.
fn size_constants(builder: &mut Builder<'_>, size: Option<[u32; 3]>) -> [Value; 3] {
    std::array::from_fn(|index| match size {
        Some(size) => builder.int(TypePool::I32, u64::from(size[index])),
        None => {
            builder.consts.intern(Const::Spec { ty: TypePool::I32, id: index as u32, default: 1 })
        }
    })
}

fn store_local_size(module: &mut Module, kernel: FuncId, size: Option<[u32; 3]>, global: GlobalId) {
    let Module { types, consts, functions, .. } = module;
    let function = &mut functions[kernel];
    let scratch = function.add_block();
    let mut builder = Builder::new(types, consts, function, scratch);
    let vector = builder.types.vector(TypePool::I32, 3);
    let sizes = size_constants(&mut builder, size);
    let value = builder.construct(vector, &sizes);
    let pointer = address(&mut builder, global, vector);
    builder.store(pointer, value, MemoryAccess::aligned(builder.types.align(vector) as u32));
    let insts = std::mem::take(&mut function.blocks[scratch].insts);
    function.layout.pop();
    insert_at_head(function, Vec::new(), insts);
}

fn address(builder: &mut Builder<'_>, global: GlobalId, ty: Type) -> Value {
    let pointer = builder.types.pointer(ty, StorageClass::Private);
    builder.consts.intern(Const::GlobalAddress(pointer, global))
}

struct Rewriter<'a> {
    module: &'a mut Module,
    values: &'a HostValues,
    /// The work-group size where this function runs, if it is the same for all kernels that may
    /// call it; inside, `None` is what the host chooses.
    own: Option<Option<[u32; 3]>>,
}

impl Rewriter<'_> {
    fn function(&mut self, id: FuncId) {
        let Module { types, consts, functions, .. } = &mut *self.module;
        let function = &mut functions[id];
        let mut replacements: FxHashMap<Value, Value> = FxHashMap::default();
        for block in function.layout.clone() {
            let has_any = function.blocks[block].insts.iter().any(|&inst| {
                matches!(function.insts[inst].kind, InstKind::Intrinsic { intrinsic, .. }
                    if is_rewritten(intrinsic, self.values))
            });
            if !has_any {
                continue;
            }
            let scratch = function.add_block();
            let old = std::mem::take(&mut function.blocks[block].insts);
            for inst in old {
                let data = &function.insts[inst];
                let (InstKind::Intrinsic { intrinsic, arguments }, Some(result)) =
                    (data.kind, data.result)
                else {
                    function.blocks[scratch].insts.push(inst);
                    continue;
                };
                if !is_rewritten(intrinsic, self.values) {
                    function.blocks[scratch].insts.push(inst);
                    continue;
                }
                let span = data.span;
                let dimension = function.values_of(arguments).next();
                let mut builder = Builder::new(types, consts, function, scratch);
                builder.span = span;
                let value = expand(&mut builder, self.values, self.own, intrinsic, dimension);
                replacements.insert(result, value);
            }
            function.blocks[block].insts = std::mem::take(&mut function.blocks[scratch].insts);
            function.layout.pop();
        }
        if !replacements.is_empty() {
            function.map_all_operands(|value| replacements.get(&value).copied().unwrap_or(value));
        }
    }
}

fn is_rewritten(intrinsic: I, values: &HostValues) -> bool {
    match intrinsic {
        I::GetGlobalOffset
        | I::GetWorkDim
        | I::GetLocalSize
        | I::GetEnqueuedLocalSize
        | I::GetGlobalSize
        | I::GetGlobalLinearId => true,
        I::GetGlobalId => values.variable(HostValue::GlobalOffset).is_some(),
        _ => false,
    }
}

fn expand(
    builder: &mut Builder<'_>,
    values: &HostValues,
    own: Option<Option<[u32; 3]>>,
    intrinsic: I,
    dimension: Option<Value>,
) -> Value {
    let size_t = TypePool::I64;
    let zero = builder.i32(0);
    let dimension = dimension.unwrap_or(zero);
    let at = |builder: &mut Builder<'_>, intrinsic, dimension| {
        let undef = builder.undef(size_t);
        builder.intrinsic(intrinsic, &[dimension], size_t).unwrap_or(undef)
    };
    match intrinsic {
        I::GetWorkDim => {
            let one = builder.i32(1);
            let Some(global) = values.variable(HostValue::WorkDim) else { return one };
            let pointer = address(builder, global, TypePool::I32);
            builder.load(pointer, MemoryAccess::aligned(4))
        }
        I::GetGlobalOffset => global_offset(builder, values, dimension),
        I::GetLocalSize | I::GetEnqueuedLocalSize => local_size(builder, values, own, dimension),
        // Both are 1 in other dimensions.
        I::GetGlobalSize => {
            let groups = at(builder, I::GetNumGroups, dimension);
            let size = local_size(builder, values, own, dimension);
            builder.binary(BinaryOp::IMul, groups, size)
        }
        I::GetGlobalId => {
            let id = at(builder, I::GetGlobalId, dimension);
            let offset = global_offset(builder, values, dimension);
            builder.binary(BinaryOp::IAdd, id, offset)
        }
        // Without the offset, as the variable of Vulkan is.
        _ => {
            let mut linear = builder.int(size_t, 0);
            for index in [2, 1, 0] {
                let dimension = builder.i32(index);
                let groups = at(builder, I::GetNumGroups, dimension);
                let size = local_size(builder, values, own, dimension);
                let size = builder.binary(BinaryOp::IMul, groups, size);
                let id = at(builder, I::GetGlobalId, dimension);
                let scaled = builder.binary(BinaryOp::IMul, linear, size);
                linear = builder.binary(BinaryOp::IAdd, scaled, id);
            }
            linear
        }
    }
}

fn global_offset(builder: &mut Builder<'_>, values: &HostValues, dimension: Value) -> Value {
    let zero = builder.int(TypePool::I64, 0);
    let Some(global) = values.variable(HostValue::GlobalOffset) else { return zero };
    let vector = builder.types.vector(TypePool::I64, 3);
    let pointer = address(builder, global, vector);
    let offsets = builder.load(pointer, MemoryAccess::aligned(8));
    let parts = [0, 1, 2].map(|index| builder.extract(offsets, &[index]));
    pick(builder, parts, dimension, 0)
}

fn local_size(
    builder: &mut Builder<'_>,
    values: &HostValues,
    own: Option<Option<[u32; 3]>>,
    dimension: Value,
) -> Value {
    let parts = match (own, values.variable(HostValue::LocalSize)) {
        (Some(size), _) => size_constants(builder, size),
        (None, Some(global)) => {
            let vector = builder.types.vector(TypePool::I32, 3);
            let pointer = address(builder, global, vector);
            let sizes = builder.load(pointer, MemoryAccess::aligned(16));
            [0, 1, 2].map(|index| builder.extract(sizes, &[index]))
        }
        (None, None) => size_constants(builder, None),
    };
    let parts = parts.map(|part| builder.convert(ConvertOp::ZeroExtend, part, TypePool::I64));
    pick(builder, parts, dimension, 1)
}

/// The part that `dimension` names; `outside` if it is none of the three.
fn pick(builder: &mut Builder<'_>, parts: [Value; 3], dimension: Value, outside: u64) -> Value {
    let outside = builder.int(TypePool::I64, outside);
    let constant = dimension.as_const().map(|id| builder.consts.get(id));
    if let Some(&Const::Int(_, index)) = constant {
        return parts.get(index as usize).copied().unwrap_or(outside);
    }
    let ty = builder.ty(dimension);
    let mut value = outside;
    for (index, part) in parts.into_iter().enumerate() {
        let index = builder.int(ty, index as u64);
        let is_it = builder.compare(CompareOp::Equal, dimension, index);
        value = builder.select(is_it, part, value);
    }
    value
}
