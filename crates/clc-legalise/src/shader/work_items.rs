//! Work-item functions that Vulkan has no built-in variable for, or none that says what OpenCL means.
//! What they are computed from is the calling convention's to say.
//!
//! The size of the work-group is the kernel's own: constants, or specialization constants. A
//! function that kernels with different sizes share finds it in a Private variable, as it does what
//! the host tells.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic as I;
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, GlobalId, InstKind, MemoryAccess,
    Module, StorageClass, Type, TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::arguments::{insert_at_head, private};
use super::convention::CallingConvention;
use super::printf::Printf;

/// What functions find in Private variables, or as constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostValue {
    /// Three numbers, like all of them but `WorkDim` and `PrintfBuffer`.
    GlobalOffset,
    /// `i32`
    WorkDim,
    /// `i64`: the address of the buffer for what is printed.
    PrintfBuffer,
    /// `<3 x i32>`; each kernel stores its own.
    LocalSize,
    /// The size of work-groups that was asked for.
    EnqueuedLocalSize,
    /// The work-items of the launch.
    GlobalSize,
    /// The global id of the first work-item of a region.
    RegionOffset,
    /// The work-groups of the launch.
    NumGroups,
    /// The id of the first work-group of a region.
    RegionGroupOffset,
}

impl HostValue {
    /// Variables are made, and blocks laid out, in this order.
    const ALL: [HostValue; 9] = [
        HostValue::GlobalOffset,
        HostValue::WorkDim,
        HostValue::PrintfBuffer,
        HostValue::LocalSize,
        HostValue::EnqueuedLocalSize,
        HostValue::GlobalSize,
        HostValue::RegionOffset,
        HostValue::NumGroups,
        HostValue::RegionGroupOffset,
    ];

    fn name(self) -> &'static str {
        match self {
            HostValue::GlobalOffset => "global offset",
            HostValue::WorkDim => "dimensions",
            HostValue::PrintfBuffer => "printf buffer",
            HostValue::LocalSize => "work-group size",
            HostValue::EnqueuedLocalSize => "enqueued work-group size",
            HostValue::GlobalSize => "global size",
            HostValue::RegionOffset => "region offset",
            HostValue::NumGroups => "number of groups",
            HostValue::RegionGroupOffset => "region group offset",
        }
    }
}

/// A Private variable for what the host tells.
#[derive(Clone, Copy, Debug)]
struct Variable {
    value: HostValue,
    global: GlobalId,
    ty: Type,
}

#[derive(Debug, Default)]
pub(super) struct HostValues {
    variables: Vec<Variable>,
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
        self.variables
            .iter()
            .filter(move |&&Variable { value, .. }| {
                value != HostValue::LocalSize && used.has(value)
            })
            .map(move |&Variable { value, global, .. }| Told {
                value,
                variable: global,
                is_shared: in_callees.has(value),
            })
    }

    /// The variable for a value that some function asks for.
    pub fn variable(&self, value: HostValue) -> Option<GlobalId> {
        self.known(value).map(|variable| variable.global)
    }

    fn known(&self, value: HostValue) -> Option<Variable> {
        self.variables.iter().find(|variable| variable.value == value).copied()
    }

    /// Whether `kernel` asks for a value.
    pub fn asks(&self, kernel: FuncId, value: HostValue) -> bool {
        self.reached[kernel.index()].has(value)
    }
}

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

/// What a function asks for, itself or by what it calls: a bit for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Used(u16);

impl Used {
    fn note(&mut self, value: HostValue) {
        self.0 |= 1 << value as u16;
    }

    fn has(self, value: HostValue) -> bool {
        self.0 & 1 << value as u16 != 0
    }

    fn or(self, other: Used) -> Used {
        Used(self.0 | other.0)
    }
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
                let span = data.span;
                let dimension = function.values_of(arguments).next();
                let mut builder = Builder::new(types, consts, function, scratch);
                builder.span = span;
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

/// What the value of a work-item function is written with.
pub(super) struct Code<'c, 'b> {
    pub b: &'c mut Builder<'b>,
    values: &'c HostValues,
    own: Option<Option<[u32; 3]>>,
}

impl Code<'_, '_> {
    /// A built-in variable, by the function that reads it.
    pub fn built_in(&mut self, function: I, dimension: Value) -> Value {
        let undef = self.b.undef(TypePool::I64);
        self.b.intrinsic(function, &[dimension], TypePool::I64).unwrap_or(undef)
    }

    /// An `i32` that the host tells, or a constant if it does not.
    pub fn scalar(&mut self, value: HostValue, otherwise: i32) -> Value {
        let otherwise = self.b.i32(otherwise);
        let Some(global) = self.values.variable(value) else { return otherwise };
        let pointer = address(self.b, global, TypePool::I32);
        self.b.load(pointer, MemoryAccess::aligned(4))
    }

    /// The part for a dimension of what the host tells; `outside` if there is none.
    pub fn part(&mut self, value: HostValue, dimension: Value, outside: u64) -> Value {
        let none = self.b.int(TypePool::I64, outside);
        let Some(variable) = self.values.known(value) else { return none };
        let parts = self.parts(variable);
        pick(self.b, parts, dimension, outside)
    }

    fn parts(&mut self, variable: Variable) -> [Value; 3] {
        let element = self.b.types.scalar(variable.ty);
        let align = if element == TypePool::I64 { 8 } else { 16 };
        let pointer = address(self.b, variable.global, variable.ty);
        let numbers = self.b.load(pointer, MemoryAccess::aligned(align));
        let parts = [0, 1, 2].map(|index| self.b.extract(numbers, &[index]));
        if element == TypePool::I64 {
            return parts;
        }
        parts.map(|part| self.b.convert(ConvertOp::ZeroExtend, part, TypePool::I64))
    }

    /// The size of the work-group, which is 1 in dimensions that there are not.
    pub fn local_size(&mut self, dimension: Value) -> Value {
        let parts = match (self.own, self.values.known(HostValue::LocalSize)) {
            (None, Some(variable)) => self.parts(variable),
            (size, _) => size_constants(self.b, size.flatten())
                .map(|part| self.b.convert(ConvertOp::ZeroExtend, part, TypePool::I64)),
        };
        pick(self.b, parts, dimension, 1)
    }

    /// The linear id of a work-item, from what returns its id and the size in a dimension.
    pub fn linear_id(&mut self, part: impl Fn(&mut Self, Value) -> (Value, Value)) -> Value {
        let mut linear = self.b.int(TypePool::I64, 0);
        for index in [2, 1, 0] {
            let dimension = self.b.i32(index);
            let (id, size) = part(self, dimension);
            let scaled = self.b.binary(BinaryOp::IMul, linear, size);
            linear = self.b.binary(BinaryOp::IAdd, scaled, id);
        }
        linear
    }
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
