//! What the host tells kernels besides their arguments, and how functions read it.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic as I;
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, GlobalId, MemoryAccess, StorageClass,
    Type, TypePool, Value,
};

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
    pub const ALL: [HostValue; 9] = [
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

    pub fn name(self) -> &'static str {
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
pub(super) struct Variable {
    pub value: HostValue,
    pub global: GlobalId,
    pub ty: Type,
}

#[derive(Debug, Default)]
pub(super) struct HostValues {
    pub variables: Vec<Variable>,
    /// By function: what it and what it calls ask for.
    pub reached: Vec<Used>,
    /// What the functions ask for that are not kernels.
    pub in_callees: Used,
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

/// What a function asks for, itself or by what it calls: a bit for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Used(u16);

impl Used {
    pub fn note(&mut self, value: HostValue) {
        self.0 |= 1 << value as u16;
    }

    pub fn has(self, value: HostValue) -> bool {
        self.0 & 1 << value as u16 != 0
    }

    pub fn or(self, other: Used) -> Used {
        Used(self.0 | other.0)
    }
}

/// The three sizes as constants.
pub(super) fn size_constants(builder: &mut Builder<'_>, size: Option<[u32; 3]>) -> [Value; 3] {
    std::array::from_fn(|index| match size {
        Some(size) => builder.int(TypePool::I32, u64::from(size[index])),
        None => {
            builder.consts.intern(Const::Spec { ty: TypePool::I32, id: index as u32, default: 1 })
        }
    })
}

pub(super) fn address(builder: &mut Builder<'_>, global: GlobalId, ty: Type) -> Value {
    let pointer = builder.types.pointer(ty, StorageClass::Private);
    builder.consts.intern(Const::GlobalAddress(pointer, global))
}

/// What the value of a work-item function is written with.
pub(super) struct Code<'c, 'b> {
    pub b: &'c mut Builder<'b>,
    pub values: &'c HostValues,
    /// The work-group size where the function runs, if it is the same for all kernels that may call
    /// it; inside, `None` is what the host chooses.
    pub own: Option<Option<[u32; 3]>>,
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
