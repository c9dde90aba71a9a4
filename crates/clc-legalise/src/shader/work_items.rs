//! Work-item functions that Vulkan has no built-in variable for, or none that says what OpenCL means.
//! What they are computed from is the calling convention's to say.
//!
//! The size of the work-group is the kernel's own: constants, or specialization constants. A
//! function that kernels with different sizes share finds it in a Private variable, as it does what
//! the host tells.

use clc_base::arena::Id as _;
use clc_ir::{Builder, FuncId, GlobalId, InstKind, MemoryAccess, Module, TypePool, Value};
use rustc_hash::FxHashMap;

use super::arguments::{insert_at_head, private};
use super::convention::CallingConvention;
use super::host_values::{Code, HostValue, HostValues, Used, Variable, address, size_constants};
use super::printf::Printf;

/// Replaces the functions; what kernels have to store for them.
pub(super) fn run(
    module: &mut Module,
    convention: &dyn CallingConvention,
    printf: Option<&Printf>,
) -> HostValues {
    let reached = reached(module, convention, printf);
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
    for value in HostValue::ALL {
        if let (HostValue::PrintfBuffer, Some(printf)) = (value, printf) {
            let (global, ty) = (printf.buffer, TypePool::I64);
            values.variables.push(Variable { value, global, ty });
        }
        if !used.has(value) || value == HostValue::LocalSize && common.is_some() {
            continue;
        }
        if let Some(ty) = convention.variable(&mut module.types, value) {
            let global = private(module, value.name(), ty);
            values.variables.push(Variable { value, global, ty });
        }
    }
    let functions: Vec<FuncId> = module.functions.ids().collect();
    for id in functions {
        if module.functions[id].is_declaration() {
            continue;
        }
        let own = sizes[id.index()].or(common);
        Rewriter { module, convention, values: &values, own }.function(id);
        if let (Some(size), Some(global)) =
            (sizes[id.index()], values.variable(HostValue::LocalSize))
        {
            store_local_size(module, id, size, global);
        }
    }
    values
}

/// By function: what it and what it calls ask for. Kernels know their own sizes.
fn reached(
    module: &Module,
    convention: &dyn CallingConvention,
    printf: Option<&Printf>,
) -> Vec<Used> {
    let mut reached = vec![Used::default(); module.functions.len()];
    if let Some(printf) = printf {
        reached[printf.reserve.index()].note(HostValue::PrintfBuffer);
    }
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
    for (id, function) in module.functions.iter() {
        let in_kernel = function.entry_point.is_some();
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                match function.insts[inst].kind {
                    InstKind::Intrinsic { intrinsic, .. } => {
                        for &value in convention.asks_for(intrinsic) {
                            if !(in_kernel && value == HostValue::LocalSize) {
                                reached[id.index()].note(value);
                            }
                        }
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

struct Rewriter<'a> {
    module: &'a mut Module,
    convention: &'a dyn CallingConvention,
    values: &'a HostValues,
    /// The work-group size where this function runs, if it is the same for all kernels that may
    /// call it; inside, `None` is what the host chooses.
    own: Option<Option<[u32; 3]>>,
}

impl Rewriter<'_> {
    fn function(&mut self, id: FuncId) {
        let is_rewritten = |function| !self.convention.asks_for(function).is_empty();
        let Module { types, consts, functions, .. } = &mut *self.module;
        let function = &mut functions[id];
        let mut replacements: FxHashMap<Value, Value> = FxHashMap::default();
        for block in function.layout.clone() {
            let has_any = function.blocks[block].insts.iter().any(|&inst| {
                matches!(function.insts[inst].kind, InstKind::Intrinsic { intrinsic, .. }
                    if is_rewritten(intrinsic))
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
                if !is_rewritten(intrinsic) {
                    function.blocks[scratch].insts.push(inst);
                    continue;
                }
                let location = data.location;
                let dimension = function.values_of(arguments).next();
                let mut builder = Builder::new(types, consts, function, scratch);
                builder.location = location;
                let dimension = dimension.unwrap_or_else(|| builder.i32(0));
                let mut code = Code { b: &mut builder, values: self.values, own: self.own };
                let value = self.convention.work_item(&mut code, intrinsic, dimension);
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
