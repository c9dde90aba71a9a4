//! The words of the text form, shared by printer and parser.

use clc_base::AddressSpace;
use clc_base::memory_model::{
    AtomicOp, BarrierPart, BarrierScope, FenceMemory, MemoryOrder, MemoryScope,
};
use clc_builtins::resolve::Rounding;
use clc_builtins::{Access, ImageKind, MatrixUse, Texel};

use crate::debug::{Encoding, Qualifier};
use crate::{BinaryOp, CompareOp, ConvertOp, MathFlags, StorageClass, UnaryOp};

macro_rules! names {
    ($ty:ident { $($variant:ident = $name:literal,)* }) => {
        impl Named for $ty {
            fn word(self) -> &'static str {
                match self {
                    $($ty::$variant => $name,)*
                }
            }

            fn from_word(word: &str) -> Option<$ty> {
                match word {
                    $($name => Some($ty::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// Something with a word of its own in the text form.
pub trait Named: Sized {
    fn word(self) -> &'static str;
    fn from_word(word: &str) -> Option<Self>;
}

names!(BinaryOp {
    IAdd = "iadd",
    ISub = "isub",
    IMul = "imul",
    SDiv = "sdiv",
    UDiv = "udiv",
    SRem = "srem",
    URem = "urem",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    And = "and",
    Or = "or",
    Xor = "xor",
    FAdd = "fadd",
    FSub = "fsub",
    FMul = "fmul",
    FDiv = "fdiv",
    FRem = "frem",
});

names!(UnaryOp {
    INeg = "ineg",
    FNeg = "fneg",
    Not = "not",
});

names!(CompareOp {
    Equal = "eq",
    NotEqual = "ne",
    SLess = "slt",
    SLessEqual = "sle",
    SGreater = "sgt",
    SGreaterEqual = "sge",
    ULess = "ult",
    ULessEqual = "ule",
    UGreater = "ugt",
    UGreaterEqual = "uge",
    FEqual = "feq",
    FNotEqual = "fne",
    FLess = "flt",
    FLessEqual = "fle",
    FGreater = "fgt",
    FGreaterEqual = "fge",
});

names!(ConvertOp {
    Truncate = "trunc",
    ZeroExtend = "zext",
    SignExtend = "sext",
    SaturateSToS = "sat_s_to_s",
    SaturateSToU = "sat_s_to_u",
    SaturateUToS = "sat_u_to_s",
    SaturateUToU = "sat_u_to_u",
    FToS = "f_to_s",
    FToU = "f_to_u",
    SToF = "s_to_f",
    UToF = "u_to_f",
    FToF = "f_to_f",
    Bitcast = "bitcast",
    PtrToInt = "ptr_to_int",
    IntToPtr = "int_to_ptr",
    ToGeneric = "to_generic",
    FromGeneric = "from_generic",
});

names!(AtomicOp {
    IAdd = "atomic_iadd",
    ISub = "atomic_isub",
    FAdd = "atomic_fadd",
    SMin = "atomic_smin",
    UMin = "atomic_umin",
    FMin = "atomic_fmin",
    SMax = "atomic_smax",
    UMax = "atomic_umax",
    FMax = "atomic_fmax",
    And = "atomic_and",
    Or = "atomic_or",
    Xor = "atomic_xor",
    Exchange = "atomic_exchange",
});

names!(MemoryOrder {
    Relaxed = "relaxed",
    Acquire = "acquire",
    Release = "release",
    AcquireRelease = "acq_rel",
    SequentiallyConsistent = "seq_cst",
});

names!(MemoryScope {
    WorkItem = "work_item",
    SubGroup = "sub_group",
    WorkGroup = "work_group",
    Device = "device",
    AllDevices = "all_devices",
});

names!(BarrierScope {
    WorkGroup = "work_group",
    SubGroup = "sub_group",
});

names!(BarrierPart {
    Whole = "barrier",
    Arrive = "barrier_arrive",
    Wait = "barrier_wait",
});

names!(Rounding {
    NearestEven = "rte",
    TowardZero = "rtz",
    TowardPositive = "rtp",
    TowardNegative = "rtn",
});

names!(Encoding {
    Unspecified = "unspecified",
    Boolean = "boolean",
    Float = "float",
    Signed = "signed",
    SignedChar = "signed_char",
    Unsigned = "unsigned",
    UnsignedChar = "unsigned_char",
});

names!(Qualifier {
    Const = "const",
    Volatile = "volatile",
    Restrict = "restrict",
    Atomic = "atomic",
});

names!(StorageClass {
    Function = "function",
    CrossWorkgroup = "crossworkgroup",
    Workgroup = "workgroup",
    UniformConstant = "uniformconstant",
    Generic = "generic",
    Input = "input",
    Private = "private",
    PushConstant = "pushconstant",
    Uniform = "uniform",
    PhysicalStorageBuffer = "physicalstoragebuffer",
    ReadOnlyBuffer = "readonlybuffer",
    StorageBuffer = "storagebuffer",
});

names!(AddressSpace {
    Private = "private",
    Global = "global",
    Local = "local",
    Constant = "constant",
    Generic = "generic",
});

names!(MatrixUse {
    A = "a",
    B = "b",
    Accumulator = "accumulator",
});

names!(Access {
    ReadOnly = "read_only",
    WriteOnly = "write_only",
    ReadWrite = "read_write",
});

names!(Texel {
    Float = "float",
    Half = "half",
    Signed = "signed",
    Unsigned = "unsigned",
});

names!(ImageKind {
    Image1d = "image1d",
    Image1dBuffer = "image1d_buffer",
    Image1dArray = "image1d_array",
    Image2d = "image2d",
    Image2dArray = "image2d_array",
    Image2dDepth = "image2d_depth",
    Image2dArrayDepth = "image2d_array_depth",
    Image2dMsaa = "image2d_msaa",
    Image2dArrayMsaa = "image2d_array_msaa",
    Image2dMsaaDepth = "image2d_msaa_depth",
    Image2dArrayMsaaDepth = "image2d_array_msaa_depth",
    Image3d = "image3d",
});

/// The bits of [`MathFlags`] with their words.
pub const MATH_FLAGS: &[(u8, &str)] = &[
    (MathFlags::NOT_NAN, "nnan"),
    (MathFlags::NOT_INF, "ninf"),
    (MathFlags::NO_SIGNED_ZERO, "nsz"),
    (MathFlags::RECIPROCAL, "arcp"),
    (MathFlags::FAST, "fast"),
    (MathFlags::CONTRACT, "contract"),
    (MathFlags::PAIR, "pair"),
    (MathFlags::NO_SIGNED_WRAP, "nsw"),
];

/// The kinds of memory that a fence concerns.
pub const FENCE_MEMORY: [(FenceMemory, &str); 3] =
    [(FenceMemory::LOCAL, "local"), (FenceMemory::GLOBAL, "global"), (FenceMemory::IMAGE, "image")];
