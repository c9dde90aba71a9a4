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
    /// Integers: the sum, which wraps unless [`MathFlags::NO_SIGNED_WRAP`] says otherwise.
    IAdd,
    /// Integers: the difference; see `IAdd`.
    ISub,
    /// Integers: the product; see `IAdd`.
    IMul,
    /// Signed integers: the quotient, towards zero; undefined for zero and on overflow.
    SDiv,
    /// Unsigned integers: the quotient; undefined for zero.
    UDiv,
    /// The result has the sign of the dividend (C99 6.5.5).
    SRem,
    /// Unsigned integers: the remainder; undefined for zero.
    URem,
    /// Counts are already reduced modulo the width (OpenCL C 6.3.j) by whoever emits the shift.
    Shl,
    /// As `Shl`, to the right; zeros come in.
    LShr,
    /// As `Shl`, to the right; the sign bit comes in.
    AShr,
    /// Bitwise, or logical.
    And,
    /// Bitwise, or logical.
    Or,
    /// Bitwise, or logical.
    Xor,
    /// Floats: the sum.
    FAdd,
    /// Floats: the difference.
    FSub,
    /// Floats: the product.
    FMul,
    /// Floats: the quotient, as precise as OpenCL C 7.4 asks.
    FDiv,
    /// The result has the sign of the dividend.
    FRem,
}

impl BinaryOp {
    /// Whether the operands may change places.
    pub fn is_commutative(self) -> bool {
        match self {
            BinaryOp::IAdd
            | BinaryOp::IMul
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::FAdd
            | BinaryOp::FMul => true,
            BinaryOp::ISub
            | BinaryOp::SDiv
            | BinaryOp::UDiv
            | BinaryOp::SRem
            | BinaryOp::URem
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::FSub
            | BinaryOp::FDiv
            | BinaryOp::FRem => false,
        }
    }
}

/// Arithmetic on one operand, whose type the result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Integers: zero less the operand, which wraps.
    INeg,
    /// Floats: the operand with its sign inverted, NaN too.
    FNeg,
    /// Bitwise on integers, logical on booleans.
    Not,
}

/// Comparisons; the result is `Bool` or a vector of it. `Equal` and `NotEqual` work on integers,
/// booleans and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// The same bits.
    Equal,
    /// Other bits.
    NotEqual,
    /// Signed integers.
    SLess,
    /// Signed integers.
    SLessEqual,
    /// Signed integers.
    SGreater,
    /// Signed integers.
    SGreaterEqual,
    /// Unsigned integers, or addresses.
    ULess,
    /// Unsigned integers, or addresses.
    ULessEqual,
    /// Unsigned integers, or addresses.
    UGreater,
    /// Unsigned integers, or addresses.
    UGreaterEqual,
    /// Ordered: false if an operand is NaN.
    FEqual,
    /// Unordered: true if an operand is NaN, as C's `!=`.
    FNotEqual,
    /// Ordered.
    FLess,
    /// Ordered.
    FLessEqual,
    /// Ordered.
    FGreater,
    /// Ordered.
    FGreaterEqual,
}

impl CompareOp {
    /// The comparison that holds for `b, a` when this one holds for `a, b`.
    pub fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Equal | CompareOp::NotEqual | CompareOp::FEqual | CompareOp::FNotEqual => {
                self
            }
            CompareOp::SLess => CompareOp::SGreater,
            CompareOp::SLessEqual => CompareOp::SGreaterEqual,
            CompareOp::SGreater => CompareOp::SLess,
            CompareOp::SGreaterEqual => CompareOp::SLessEqual,
            CompareOp::ULess => CompareOp::UGreater,
            CompareOp::ULessEqual => CompareOp::UGreaterEqual,
            CompareOp::UGreater => CompareOp::ULess,
            CompareOp::UGreaterEqual => CompareOp::ULessEqual,
            CompareOp::FLess => CompareOp::FGreater,
            CompareOp::FLessEqual => CompareOp::FGreaterEqual,
            CompareOp::FGreater => CompareOp::FLess,
            CompareOp::FGreaterEqual => CompareOp::FLessEqual,
        }
    }
}

/// Conversions; those of numbers work on vectors by component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertOp {
    /// To a narrower integer.
    Truncate,
    /// To a wider integer, of an unsigned one.
    ZeroExtend,
    /// To a wider integer, of a signed one.
    SignExtend,
    /// Between integers of any widths with saturation; signedness of source, then destination.
    SaturateSToS,
    /// See `SaturateSToS`.
    SaturateSToU,
    /// See `SaturateSToS`.
    SaturateUToS,
    /// See `SaturateSToS`.
    SaturateUToU,
    /// A float to a signed integer.
    FToS,
    /// A float to an unsigned integer.
    FToU,
    /// A signed integer to a float.
    SToF,
    /// An unsigned integer to a float.
    UToF,
    /// Between float formats.
    FToF,
    /// The same bits as another type of the same size: scalars, vectors, and pointers of one
    /// storage class.
    Bitcast,
    /// An address to an integer of any width.
    PtrToInt,
    /// An integer of any width, zero-extended, to an address.
    IntToPtr,
    /// Named storage class to Generic; the pointee stays.
    ToGeneric,
    /// Generic to a named storage class, which the program promises; the pointee stays.
    FromGeneric,
}

impl ConvertOp {
    /// Whether it is of integers and has what does not fit become the nearest number that does.
    pub fn saturates(self) -> bool {
        use ConvertOp as C;
        matches!(self, C::SaturateSToS | C::SaturateSToU | C::SaturateUToS | C::SaturateUToU)
    }
}

/// What may be taken for granted of an operation: what floating-point options permit, and what the language
/// promises of integers. All off is strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MathFlags(pub u8);

impl MathFlags {
    /// No permission.
    pub const NONE: MathFlags = MathFlags(0);
    /// Operands and results may be taken not to be NaN.
    pub const NOT_NAN: u8 = 1;
    /// Operands and results may be taken not to be infinite.
    pub const NOT_INF: u8 = 2;
    /// The sign of a zero may be ignored.
    pub const NO_SIGNED_ZERO: u8 = 4;
    /// A quotient may be a product with the reciprocal.
    pub const RECIPROCAL: u8 = 8;
    /// Everything, reassociation too (`-cl-fast-relaxed-math`).
    pub const FAST: u8 = 16;
    /// `a * b + c` may be contracted (FP_CONTRACT ON, the default).
    pub const CONTRACT: u8 = 32;
    /// A product and the only difference that uses it, which whoever compiles the module may compute in one
    /// operation. Neither has an operand that another such pair computes: nothing can be taken in another order.
    pub const PAIR: u8 = 64;
    /// A sum, difference or product of integers that is, read as a signed number, what it is without a limit of
    /// width; otherwise nothing is known of its bits (C99 6.5p5). Whoever makes another operation of it must drop
    /// that, unless it follows.
    pub const NO_SIGNED_WRAP: u8 = 128;

    /// Whether the permission `bit`, one of the constants, is there.
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// All permissions but `bit`.
    pub fn without(self, bit: u8) -> MathFlags {
        MathFlags(self.0 & !bit)
    }
}

/// What an access promises or forbids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemFlags {
    /// The access must happen, as often as the program says (C99 6.7.3).
    pub volatile: bool,
    /// The memory is not accessed again soon.
    pub nontemporal: bool,
    /// The effective type of the object is the type that is accessed (C99 6.5p7), up to its sign. Whoever
    /// accesses the same bytes as another type must drop it.
    pub typed: bool,
    /// Nothing writes the memory while the kernel runs: of loads only.
    pub unwritten: bool,
}

/// How a load or store touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryAccess {
    /// That the address is known to have.
    pub align: Align,
    /// What else is known of the access.
    pub flags: MemFlags,
}

impl MemoryAccess {
    /// An access of which only the alignment is known, in bytes.
    pub const fn aligned(align: Align) -> MemoryAccess {
        MemoryAccess {
            align,
            flags: MemFlags { volatile: false, nontemporal: false, typed: false, unwritten: false },
        }
    }

    /// The access without a promise about the type of the object.
    pub const fn untyped(self) -> MemoryAccess {
        MemoryAccess { flags: MemFlags { typed: false, ..self.flags }, ..self }
    }
}

/// A jump's destination and the values its parameters get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCall {
    /// The destination.
    pub block: Block,
    /// One value for each parameter of the block.
    pub arguments: ValueList,
}

/// What an instruction does. The type of its result is that of the value
/// ([`crate::function::ValueData`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstKind {
    /// `left op right`.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Of the type of the result.
        left: Value,
        /// Of the type of the result.
        right: Value,
    },
    /// `op operand`.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Of the type of the result.
        operand: Value,
    },
    /// `left op right`, as a boolean or a vector of booleans.
    Compare {
        /// The comparison.
        op: CompareOp,
        /// Of any type that `op` compares.
        left: Value,
        /// Of the type of `left`.
        right: Value,
    },
    /// `condition` is `Bool`, or a vector of it as long as the operands.
    Select {
        /// True chooses `then`.
        condition: Value,
        /// Of the type of the result.
        then: Value,
        /// Of the type of the result.
        otherwise: Value,
    },
    /// `rounding` and `saturate` as `convert_*` asks; the result type is the instruction's.
    Convert {
        /// The conversion.
        op: ConvertOp,
        /// What is converted.
        operand: Value,
        /// Of a conversion from or to floats; `None` is the default of the conversion.
        rounding: Option<Rounding>,
        /// A float out of range becomes the nearest integer there is, and NaN 0.
        saturate: bool,
    },
    /// What memory holds.
    Load {
        /// To the type of the result.
        pointer: Value,
        /// How memory is accessed.
        access: MemoryAccess,
    },
    /// Writes memory.
    Store {
        /// To the type of `value`.
        pointer: Value,
        /// What is stored.
        value: Value,
        /// How memory is accessed.
        access: MemoryAccess,
    },
    /// Copies `size` bytes between memory objects that do not overlap (aggregates).
    CopyMemory {
        /// A pointer.
        destination: Value,
        /// A pointer.
        source: Value,
        /// An integer: bytes.
        size: Value,
        /// How both objects are accessed.
        access: MemoryAccess,
    },
    /// A variable in Function storage, in the entry block only; the result is its address.
    Variable {
        /// What it holds.
        ty: Type,
        /// Of its address.
        align: Align,
    },
    /// `base + index` in units of the pointee (C99 6.5.6); index is a signed integer of any
    /// width.
    PtrAdd {
        /// A pointer.
        base: Value,
        /// An integer or a constant.
        index: Value,
    },
    /// The address of a part of what `base` points to; struct indices are constants.
    Access {
        /// A pointer.
        base: Value,
        /// An integer for each step from a type to a component.
        indices: ValueList,
    },
    /// Part of a vector, array or struct value; `path` holds plain numbers, not values.
    Extract {
        /// A vector, array or struct.
        aggregate: Value,
        /// A number for each step to a component.
        path: ValueList,
    },
    /// `aggregate` with another component at `path`, which holds plain numbers.
    Insert {
        /// A vector, array or struct.
        aggregate: Value,
        /// The new component.
        element: Value,
        /// A number for each step to the component.
        path: ValueList,
    },
    /// A component of a vector; undefined if the index is outside.
    ExtractDynamic {
        /// The vector.
        vector: Value,
        /// An integer.
        index: Value,
    },
    /// A vector with another component; undefined if the index is outside.
    InsertDynamic {
        /// The vector.
        vector: Value,
        /// The new component.
        element: Value,
        /// An integer.
        index: Value,
    },
    /// `mask` holds plain numbers that count through `left` then `right`; `u32::MAX` is
    /// undefined.
    Shuffle {
        /// A vector.
        left: Value,
        /// A vector of the type of `left`.
        right: Value,
        /// A number for each component of the result.
        mask: ValueList,
    },
    /// A vector from scalars and vectors, or an array or struct from its components.
    Construct {
        /// In the order of the components.
        parts: ValueList,
    },
    /// A call of a function of the module; a void one has no result.
    Call {
        /// The function.
        callee: FuncId,
        /// One value for each parameter.
        arguments: ValueList,
    },
    /// A call of a function of the library that has no instruction of its own here. Calls that
    /// [`Intrinsic::is_written_out`] names do not occur.
    Intrinsic {
        /// The function.
        intrinsic: Intrinsic,
        /// As many as it takes in this form.
        arguments: ValueList,
    },
    /// Reads a scalar at once; the order acquires or is relaxed.
    AtomicLoad {
        /// To the type of the result.
        pointer: Value,
        /// Order and scope.
        ordering: Ordering,
    },
    /// Writes a scalar at once; the order releases or is relaxed.
    AtomicStore {
        /// To the type of `value`.
        pointer: Value,
        /// What is stored.
        value: Value,
        /// Order and scope.
        ordering: Ordering,
    },
    /// Modifies a scalar at once; the result is what was there before. Computes with integers or
    /// floating-point numbers as `op` says; an exchange takes both.
    AtomicModify {
        /// The modification.
        op: AtomicOp,
        /// To the type of the result.
        pointer: Value,
        /// The other operand.
        value: Value,
        /// Order and scope.
        ordering: Ordering,
    },
    /// Stores `desired` where there is `comparand`, at once; the result is what was there before.
    /// Integers only. `failure` is the order where there was something else: it releases nothing and
    /// is no stronger than that of `ordering`.
    AtomicCompareExchange {
        /// To the type of the result.
        pointer: Value,
        /// What must be there for the exchange.
        comparand: Value,
        /// What is stored then.
        desired: Value,
        /// Order of the exchange, and scope.
        ordering: Ordering,
        /// The order where nothing is exchanged.
        failure: MemoryOrder,
    },
    /// Orders accesses of some memory, if only with other fences and atomics.
    Fence(Fence),
    /// Work-items wait for each other; the fence may concern no memory.
    Barrier {
        /// Which work-items wait.
        execution: BarrierScope,
        /// Whether they arrive, wait or both.
        part: BarrierPart,
        /// The accesses that are ordered.
        fence: Fence,
    },
    /// `to_global`, `to_local` and `to_private`: the pointer, or null if it points elsewhere.
    GenericTo {
        /// A generic pointer.
        pointer: Value,
        /// Global, local or private.
        space: AddressSpace,
    },
}

/// A case of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchCase {
    /// Zero-extended bits of the selector's width.
    pub value: u64,
    /// Where control goes.
    pub target: BlockCall,
}

/// How control leaves a block.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Terminator {
    /// Not yet set; the verifier rejects it.
    #[default]
    None,
    /// To one block.
    Jump(BlockCall),
    /// To one of two blocks.
    Branch {
        /// A boolean; true goes to `then`.
        condition: Value,
        /// Where true goes.
        then: BlockCall,
        /// Where false goes.
        otherwise: BlockCall,
    },
    /// The selector is an integer; no value appears twice.
    Switch {
        /// What is compared with the cases.
        selector: Value,
        /// Where values go that no case has.
        default: BlockCall,
        /// In any order.
        cases: Vec<SwitchCase>,
    },
    /// To the caller, with a value unless the function is void.
    Return(Option<Value>),
    /// Control does not come here.
    Unreachable,
}

/// What the source asks of a loop (`opencl_unroll_hint`, `#pragma unroll`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopControl {
    /// As far as the driver likes.
    Unroll,
    /// Not at all.
    DontUnroll,
    /// So many iterations become one.
    UnrollCount(u32),
}

/// Attached to a loop's header; dropped when the blocks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopHint {
    /// What is asked.
    pub control: LoopControl,
    /// Where control goes once the loop is left; the header, if there is no such block.
    pub merge: Block,
    /// The block with the edge back; the header, if that is not known to be one block.
    pub continue_target: Block,
}

/// What SPIR-V's merge instructions say about the construct that a block heads (SPIR-V 2.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Merge {
    /// The paths of a branch or switch meet in `merge`.
    Selection {
        /// Dominated by the block that decides.
        merge: Block,
    },
    /// `merge` is where `break` goes; `continue_target` alone jumps back to the header.
    Loop {
        /// Where control goes once the loop is left.
        merge: Block,
        /// The only block with an edge back.
        continue_target: Block,
    },
}

impl Merge {
    /// The block after the construct.
    pub fn merge_block(self) -> Block {
        match self {
            Merge::Selection { merge } | Merge::Loop { merge, continue_target: _ } => merge,
        }
    }
}
