//! Instructions and terminators.

use clc_base::AddressSpace;
use clc_base::memory_model::{AtomicOp, BarrierPart, BarrierScope, Fence, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;

use crate::{Block, FuncId, Type, Value, ValueList};

/// Alignment in bytes, a power of two.
pub type Align = u32;

/// Arithmetic on integers, floats and their vectors; both operands and the result have one type.
/// `And`, `Or` and `Xor` work on booleans too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    IAdd,
    ISub,
    IMul,
    SDiv,
    UDiv,
    /// The result has the sign of the dividend (C99 6.5.5).
    SRem,
    URem,
    /// Counts are already reduced modulo the width (OpenCL C 6.3.j) by whoever emits the shift.
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// The result has the sign of the dividend.
    FRem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    INeg,
    FNeg,
    /// Bitwise on integers, logical on booleans.
    Not,
}

/// Comparisons; the result is `Bool` or a vector of it. `Equal` and `NotEqual` work on integers,
/// booleans and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    SLess,
    SLessEqual,
    SGreater,
    SGreaterEqual,
    ULess,
    ULessEqual,
    UGreater,
    UGreaterEqual,
    /// Ordered: false if an operand is NaN.
    FEqual,
    /// Unordered: true if an operand is NaN, as C's `!=`.
    FNotEqual,
    FLess,
    FLessEqual,
    FGreater,
    FGreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertOp {
    /// To a narrower integer.
    Truncate,
    ZeroExtend,
    SignExtend,
    /// Between integers of any widths with saturation; signedness of source, then destination.
    SaturateSToS,
    SaturateSToU,
    SaturateUToS,
    SaturateUToU,
    FToS,
    FToU,
    SToF,
    UToF,
    /// Between float formats.
    FToF,
    /// The same bits as another type of the same size: scalars, vectors, and pointers of one
    /// storage class.
    Bitcast,
    PtrToInt,
    IntToPtr,
    /// Named storage class to Generic; the pointee stays.
    ToGeneric,
    /// Generic to a named storage class, which the program promises; the pointee stays.
    FromGeneric,
}

/// Permissions that floating-point options give; all off is strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatFlags(pub u8);

impl FloatFlags {
    pub const NONE: FloatFlags = FloatFlags(0);
    pub const NOT_NAN: u8 = 1;
    pub const NOT_INF: u8 = 2;
    pub const NO_SIGNED_ZERO: u8 = 4;
    pub const RECIPROCAL: u8 = 8;
    /// Everything, reassociation too (`-cl-fast-relaxed-math`).
    pub const FAST: u8 = 16;
    /// `a * b + c` may be contracted (FP_CONTRACT ON, the default).
    pub const CONTRACT: u8 = 32;

    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemFlags {
    pub volatile: bool,
    pub nontemporal: bool,
}

/// How a load or store touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryAccess {
    pub align: Align,
    pub flags: MemFlags,
}

/// A jump's destination and the values its parameters get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCall {
    pub block: Block,
    pub arguments: ValueList,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstKind {
    Binary {
        op: BinaryOp,
        left: Value,
        right: Value,
    },
    Unary {
        op: UnaryOp,
        operand: Value,
    },
    Compare {
        op: CompareOp,
        left: Value,
        right: Value,
    },
    /// `condition` is `Bool`, or a vector of it as long as the operands.
    Select {
        condition: Value,
        then: Value,
        otherwise: Value,
    },
    /// `rounding` and `saturate` as `convert_*` asks; the result type is the instruction's.
    Convert {
        op: ConvertOp,
        operand: Value,
        rounding: Option<Rounding>,
        saturate: bool,
    },
    Load {
        pointer: Value,
        access: MemoryAccess,
    },
    Store {
        pointer: Value,
        value: Value,
        access: MemoryAccess,
    },
    /// Copies `size` bytes between non-overlapping places (aggregates).
    CopyMemory {
        destination: Value,
        source: Value,
        size: Value,
        access: MemoryAccess,
    },
    /// A variable in Function storage, in the entry block only; the result is its address.
    Variable {
        ty: Type,
        align: Align,
    },
    /// `base + index` in units of the pointee (C99 6.5.6); index is a signed integer of any
    /// width.
    PtrAdd {
        base: Value,
        index: Value,
    },
    /// The address of a part of what `base` points to; struct indices are constants.
    Access {
        base: Value,
        indices: ValueList,
    },
    /// Part of a vector, array or struct value; `path` holds plain numbers, not values.
    Extract {
        aggregate: Value,
        path: ValueList,
    },
    Insert {
        aggregate: Value,
        element: Value,
        path: ValueList,
    },
    ExtractDynamic {
        vector: Value,
        index: Value,
    },
    InsertDynamic {
        vector: Value,
        element: Value,
        index: Value,
    },
    /// `mask` holds plain numbers that count through `left` then `right`; `u32::MAX` is
    /// undefined.
    Shuffle {
        left: Value,
        right: Value,
        mask: ValueList,
    },
    /// A vector from scalars and vectors, or an array or struct from its components.
    Construct {
        parts: ValueList,
    },
    Call {
        callee: FuncId,
        arguments: ValueList,
    },
    /// A call of a function of the library that has no instruction of its own here. Calls that
    /// [`Intrinsic::is_written_out`] names do not occur.
    Intrinsic {
        intrinsic: Intrinsic,
        arguments: ValueList,
    },
    /// Reads a scalar at once; the order acquires or is relaxed.
    AtomicLoad {
        pointer: Value,
        ordering: Ordering,
    },
    /// Writes a scalar at once; the order releases or is relaxed.
    AtomicStore {
        pointer: Value,
        value: Value,
        ordering: Ordering,
    },
    /// Modifies a scalar at once; the result is what was there before. Computes with integers or
    /// floating-point numbers as `op` says; an exchange takes both.
    AtomicModify {
        op: AtomicOp,
        pointer: Value,
        value: Value,
        ordering: Ordering,
    },
    /// Stores `desired` where there is `comparand`, at once; the result is what was there before.
    /// Integers only. `failure` is the order where there was something else: it releases nothing and
    /// is no stronger than that of `ordering`.
    AtomicCompareExchange {
        pointer: Value,
        comparand: Value,
        desired: Value,
        ordering: Ordering,
        failure: MemoryOrder,
    },
    /// Orders accesses of some memory, if only with other fences and atomics.
    Fence(Fence),
    /// Work-items wait for each other; the fence may concern no memory.
    Barrier {
        execution: BarrierScope,
        part: BarrierPart,
        fence: Fence,
    },
    /// `to_global`, `to_local` and `to_private`: the pointer, or null if it points elsewhere.
    GenericTo {
        pointer: Value,
        space: AddressSpace,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchCase {
    /// Zero-extended bits of the selector's width.
    pub value: u64,
    pub target: BlockCall,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Terminator {
    /// Not yet set; the verifier rejects it.
    #[default]
    None,
    Jump(BlockCall),
    Branch {
        condition: Value,
        then: BlockCall,
        otherwise: BlockCall,
    },
    /// The selector is an integer; no value appears twice.
    Switch {
        selector: Value,
        default: BlockCall,
        cases: Vec<SwitchCase>,
    },
    Return(Option<Value>),
    Unreachable,
}

/// What the source asks of a loop (`opencl_unroll_hint`, `#pragma unroll`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopControl {
    Unroll,
    DontUnroll,
    UnrollCount(u32),
}

/// Attached to a loop's header; dropped when the blocks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopHint {
    pub control: LoopControl,
    pub merge: Block,
    pub continue_target: Block,
}

/// What SPIR-V's merge instructions say about the construct that a block heads (SPIR-V 2.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Merge {
    /// The paths of a branch or switch meet in `merge`.
    Selection { merge: Block },
    /// `merge` is where `break` goes; `continue_target` alone jumps back to the header.
    Loop { merge: Block, continue_target: Block },
}

impl Merge {
    /// The block after the construct.
    pub fn merge_block(self) -> Block {
        match self {
            Merge::Selection { merge } | Merge::Loop { merge, continue_target: _ } => merge,
        }
    }
}
