//! What the intrinsics that stand for several operations have as parameters.

use crate::effects::Effects;

/// The algorithm of a collective function (OpenCL C 6.15.16); the scope is in the intrinsic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOperation {
    /// The values of all work-items combined.
    Reduce,
    /// The values up to and with the work-item's own combined.
    InclusiveScan,
    /// The values before the work-item's own combined; the identity for the first work-item.
    ExclusiveScan,
    /// Has a second operand: the cluster size, a constant power of two.
    ClusteredReduce,
}

impl GroupOperation {
    pub(crate) const ALL: [GroupOperation; 4] = [
        GroupOperation::Reduce,
        GroupOperation::InclusiveScan,
        GroupOperation::ExclusiveScan,
        GroupOperation::ClusteredReduce,
    ];
}

/// The combining function of a collective function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOp {
    /// Integer sum, which wraps.
    IAdd,
    /// Floating-point sum, in any order.
    FAdd,
    /// Integer product, which wraps.
    IMul,
    /// Floating-point product, in any order.
    FMul,
    /// Minimum of signed integers.
    SMin,
    /// Minimum of unsigned integers.
    UMin,
    /// Minimum of floats.
    FMin,
    /// Maximum of signed integers.
    SMax,
    /// Maximum of unsigned integers.
    UMax,
    /// Maximum of floats.
    FMax,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// And of `int` booleans: zero or not.
    LogicalAnd,
    /// Or of `int` booleans.
    LogicalOr,
    /// Exclusive or of `int` booleans.
    LogicalXor,
}

impl GroupOp {
    pub(crate) const ALL: [GroupOp; 16] = [
        GroupOp::IAdd,
        GroupOp::FAdd,
        GroupOp::IMul,
        GroupOp::FMul,
        GroupOp::SMin,
        GroupOp::UMin,
        GroupOp::FMin,
        GroupOp::SMax,
        GroupOp::UMax,
        GroupOp::FMax,
        GroupOp::And,
        GroupOp::Or,
        GroupOp::Xor,
        GroupOp::LogicalAnd,
        GroupOp::LogicalOr,
        GroupOp::LogicalXor,
    ];
}

/// What the components of a texel are (OpenCL C 6.15.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texel {
    /// `float`, of `read_imagef` and `write_imagef`.
    Float,
    /// `half`, of `read_imageh` and `write_imageh` (cl_khr_fp16).
    Half,
    /// `int`, of `read_imagei` and `write_imagei`.
    Signed,
    /// `uint`, of `read_imageui` and `write_imageui`.
    Unsigned,
}

impl Texel {
    pub(crate) const ALL: [Texel; 4] = [Texel::Float, Texel::Half, Texel::Signed, Texel::Unsigned];
}

/// Signedness of the two operands of an integer dot product (cl_khr_integer_dot_product); the
/// result is unsigned only where both operands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DotSigns {
    /// `uu`
    UnsignedUnsigned,
    /// `ss`
    SignedSigned,
    /// `us`
    UnsignedSigned,
    /// `su`
    SignedUnsigned,
}

impl DotSigns {
    pub(crate) const ALL: [DotSigns; 4] = [
        DotSigns::UnsignedUnsigned,
        DotSigns::SignedSigned,
        DotSigns::UnsignedSigned,
        DotSigns::SignedUnsigned,
    ];
}

/// Operations of other compilers' extensions that no instruction of SPIR-V does, most of them those of
/// cl_amd_media_ops and cl_amd_media_ops2, each on the components of vectors unless it says otherwise.
/// `clc-lower` writes them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaOp {
    /// The low half of a 64-bit number shifted right by bits.
    BitAlign,
    /// As [`MediaOp::BitAlign`], by bytes.
    ByteAlign,
    /// Averages of bytes, rounded up where the third operand's byte is odd.
    Lerp,
    /// Four floats as bytes of a `uint`.
    Pack,
    /// The byte of this number as a float.
    Unpack(u8),
    /// Sum of absolute differences of bytes.
    Sad,
    /// As [`MediaOp::Sad`] over all components of two `uint4`.
    Sad4,
    /// As [`MediaOp::Sad`], the sum in the upper half.
    SadHi,
    /// Absolute difference of `uint`s.
    SadD,
    /// Sum of absolute differences of `ushort`s.
    SadW,
    /// As [`MediaOp::Sad`] without the bytes that are zero in the second operand.
    Msad,
    /// Four [`MediaOp::Sad`] at neighbouring bytes.
    Qsad,
    /// Four [`MediaOp::Msad`] at neighbouring bytes.
    Mqsad,
    /// A mask of a width at an offset.
    Bfm,
    /// A bit-field of an offset and a width, sign-extended.
    SBfe,
    /// A bit-field of an offset and a width, zero-extended.
    UBfe,
    /// The largest of three signed integers.
    SMax3,
    /// The largest of three unsigned integers.
    UMax3,
    /// The largest of three floats.
    FMax3,
    /// The smallest of three signed integers.
    SMin3,
    /// The smallest of three unsigned integers.
    UMin3,
    /// The smallest of three floats.
    FMin3,
    /// The median of three signed integers.
    SMedian3,
    /// The median of three unsigned integers.
    UMedian3,
    /// The median of three floats.
    FMedian3,
    /// The dot product of two vectors of small integers plus the third operand, modulo 2³². Both have the signs
    /// of the result (cl_arm_integer_dot_product_accumulate_int8 and _int16).
    DotAcc(DotSigns),
    /// The bytes of an integer of 16, 32 or 64 bits in the opposite order.
    SwapBytes,
    /// Stores the sum, difference or product of the first two operands, modulo a power of two, through the third;
    /// gives whether that is another number.
    Overflow(Arithmetic, Signedness),
}

/// What [`MediaOp::Overflow`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
}

/// Whether integers are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    /// From minus a power of two on.
    Signed,
    /// From zero on.
    Unsigned,
}

impl MediaOp {
    pub(crate) const ALL: [MediaOp; 37] = [
        MediaOp::BitAlign,
        MediaOp::ByteAlign,
        MediaOp::Lerp,
        MediaOp::Pack,
        MediaOp::Unpack(0),
        MediaOp::Unpack(1),
        MediaOp::Unpack(2),
        MediaOp::Unpack(3),
        MediaOp::Sad,
        MediaOp::Sad4,
        MediaOp::SadHi,
        MediaOp::SadD,
        MediaOp::SadW,
        MediaOp::Msad,
        MediaOp::Qsad,
        MediaOp::Mqsad,
        MediaOp::Bfm,
        MediaOp::SBfe,
        MediaOp::UBfe,
        MediaOp::SMax3,
        MediaOp::UMax3,
        MediaOp::FMax3,
        MediaOp::SMin3,
        MediaOp::UMin3,
        MediaOp::FMin3,
        MediaOp::SMedian3,
        MediaOp::UMedian3,
        MediaOp::FMedian3,
        MediaOp::DotAcc(DotSigns::SignedSigned),
        MediaOp::DotAcc(DotSigns::UnsignedUnsigned),
        MediaOp::SwapBytes,
        MediaOp::Overflow(Arithmetic::Add, Signedness::Signed),
        MediaOp::Overflow(Arithmetic::Subtract, Signedness::Signed),
        MediaOp::Overflow(Arithmetic::Multiply, Signedness::Signed),
        MediaOp::Overflow(Arithmetic::Add, Signedness::Unsigned),
        MediaOp::Overflow(Arithmetic::Subtract, Signedness::Unsigned),
        MediaOp::Overflow(Arithmetic::Multiply, Signedness::Unsigned),
    ];

    pub(crate) fn effects(self) -> Effects {
        if matches!(self, MediaOp::Overflow(..)) { Effects::WRITES } else { Effects::PURE }
    }
}

/// What is done with cooperative matrices (cl_khr_cooperative_matrix). Their types say the rest:
/// elements and their signedness, shape and use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixOp {
    /// Operands: pointer to the first element, layout (constant), elements from one row or column to
    /// the next.
    Load,
    /// Operands: pointer, matrix, layout (constant), stride as of [`MatrixOp::Load`].
    Store,
    /// The product of the first two operands plus the third. The fourth, a constant, is of
    /// [`MatrixOp::SATURATING`].
    MulAdd,
    /// Operand: a scalar, which every element becomes.
    Fill,
    /// The elements that a work-item has of a matrix like the operand.
    Length,
    /// By element, as the next ones.
    Add,
    /// The difference.
    Subtract,
    /// The product by element, which is not that of matrices.
    Multiply,
    /// The quotient.
    Divide,
    /// The elements with their signs inverted.
    Negate,
    /// To other elements, in a matrix of the same shape and use.
    Convert,
}

impl MatrixOp {
    pub(crate) const ALL: [MatrixOp; 11] = [
        MatrixOp::Load,
        MatrixOp::Store,
        MatrixOp::MulAdd,
        MatrixOp::Fill,
        MatrixOp::Length,
        MatrixOp::Add,
        MatrixOp::Subtract,
        MatrixOp::Multiply,
        MatrixOp::Divide,
        MatrixOp::Negate,
        MatrixOp::Convert,
    ];

    /// The operand of [`MatrixOp::MulAdd`] for sums that stay at the nearest integer there is.
    pub const SATURATING: u64 = 0x10;

    /// Work-items of a sub-group do all of these together, except for asking how many elements they
    /// have.
    pub(crate) fn effects(self) -> Effects {
        match self {
            MatrixOp::Load | MatrixOp::Store => Effects::BARRIER,
            MatrixOp::Length => Effects::PURE,
            MatrixOp::MulAdd
            | MatrixOp::Fill
            | MatrixOp::Add
            | MatrixOp::Subtract
            | MatrixOp::Multiply
            | MatrixOp::Divide
            | MatrixOp::Negate
            | MatrixOp::Convert => Effects::CONVERGENT,
        }
    }
}

/// What a cooperative matrix is in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixUse {
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// What is added, and the result.
    Accumulator,
}

impl MatrixUse {
    /// In the order of their numbers, which are those of SPIR-V's Cooperative Matrix Use too.
    pub const ALL: [MatrixUse; 3] = [MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator];
}
