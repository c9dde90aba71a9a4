//! Integer functions (OpenCL C 6.15.3), their extensions included.

use crate::DotSigns::{SignedSigned, SignedUnsigned, UnsignedSigned, UnsignedUnsigned};
use crate::Intrinsic::*;
use crate::MediaOp::DotAcc;
use crate::guard::{
    ARM_DOT, ARM_DOT_ACC, ARM_DOT_ACC_16, ARM_DOT_ACC_SAT, DOT_PRODUCT, DOT_PRODUCT_PACKED,
    EXTENDED_BIT_OPS, SINCE_1_2, SINCE_2_0,
};
use crate::table::{Elements, INT, INTS, NONE, Row, SIGNED, UINT, UNSIGNED, VECTORS, f};
use crate::types::Scalar;

/// Elements that have a type of twice the size.
const NARROW_SIGNED: Elements = Elements::of(&[Scalar::Char, Scalar::Short, Scalar::Int]);
const NARROW_UNSIGNED: Elements = Elements::of(&[Scalar::UChar, Scalar::UShort, Scalar::UInt]);

pub(super) const ROWS: &[Row] = &[
    f("abs", "uT(T)", SIGNED, SAbs),
    f("abs", "uT(T)", UNSIGNED, UAbs),
    f("abs_diff", "uT(T, T)", SIGNED, SAbsDiff),
    f("abs_diff", "uT(T, T)", UNSIGNED, UAbsDiff),
    f("add_sat", "T(T, T)", SIGNED, SAddSat),
    f("add_sat", "T(T, T)", UNSIGNED, UAddSat),
    f("hadd", "T(T, T)", SIGNED, SHadd),
    f("hadd", "T(T, T)", UNSIGNED, UHadd),
    f("rhadd", "T(T, T)", SIGNED, SRhadd),
    f("rhadd", "T(T, T)", UNSIGNED, URhadd),
    f("clamp", "T(T, T, T)", SIGNED, SClamp),
    f("clamp", "T(T, T, T)", UNSIGNED, UClamp),
    f("clamp", "T(T, S, S)", SIGNED, SClamp).widths(VECTORS),
    f("clamp", "T(T, S, S)", UNSIGNED, UClamp).widths(VECTORS),
    f("clz", "T(T)", INTS, Clz),
    f("ctz", "T(T)", INTS, Ctz).when(SINCE_2_0),
    f("mad_hi", "T(T, T, T)", SIGNED, SMadHi),
    f("mad_hi", "T(T, T, T)", UNSIGNED, UMadHi),
    f("mad_sat", "T(T, T, T)", SIGNED, SMadSat),
    f("mad_sat", "T(T, T, T)", UNSIGNED, UMadSat),
    f("max", "T(T, T)", SIGNED, SMax),
    f("max", "T(T, T)", UNSIGNED, UMax),
    f("max", "T(T, S)", SIGNED, SMax).widths(VECTORS),
    f("max", "T(T, S)", UNSIGNED, UMax).widths(VECTORS),
    f("min", "T(T, T)", SIGNED, SMin),
    f("min", "T(T, T)", UNSIGNED, UMin),
    f("min", "T(T, S)", SIGNED, SMin).widths(VECTORS),
    f("min", "T(T, S)", UNSIGNED, UMin).widths(VECTORS),
    f("mul_hi", "T(T, T)", SIGNED, SMulHi),
    f("mul_hi", "T(T, T)", UNSIGNED, UMulHi),
    f("rotate", "T(T, T)", INTS, Rotate),
    f("sub_sat", "T(T, T)", SIGNED, SSubSat),
    f("sub_sat", "T(T, T)", UNSIGNED, USubSat),
    f("upsample", "wideT(T, uT)", NARROW_SIGNED, SUpsample),
    f("upsample", "wideT(T, uT)", NARROW_UNSIGNED, UUpsample),
    f("popcount", "T(T)", INTS, Popcount).when(SINCE_1_2),
    f("mad24", "T(T, T, T)", INT, SMad24),
    f("mad24", "T(T, T, T)", UINT, UMad24),
    f("mul24", "T(T, T)", INT, SMul24),
    f("mul24", "T(T, T)", UINT, UMul24),
    // Extended bit operations.
    f("bitfield_insert", "T(T, T, uint, uint)", INTS, BitfieldInsert).when(EXTENDED_BIT_OPS),
    f("bitfield_extract_signed", "sT(T, uint, uint)", INTS, BitfieldExtractSigned)
        .when(EXTENDED_BIT_OPS),
    f("bitfield_extract_unsigned", "uT(T, uint, uint)", INTS, BitfieldExtractUnsigned)
        .when(EXTENDED_BIT_OPS),
    f("bit_reverse", "T(T)", INTS, BitReverse).when(EXTENDED_BIT_OPS),
    // Integer dot products.
    f("dot", "uint(uchar4, uchar4)", NONE, Dot4x8(UnsignedUnsigned)).when(DOT_PRODUCT),
    f("dot", "int(char4, char4)", NONE, Dot4x8(SignedSigned)).when(DOT_PRODUCT),
    f("dot", "int(uchar4, char4)", NONE, Dot4x8(UnsignedSigned)).when(DOT_PRODUCT),
    f("dot", "int(char4, uchar4)", NONE, Dot4x8(SignedUnsigned)).when(DOT_PRODUCT),
    f("dot_acc_sat", "uint(uchar4, uchar4, uint)", NONE, Dot4x8AccSat(UnsignedUnsigned))
        .when(DOT_PRODUCT),
    f("dot_acc_sat", "int(char4, char4, int)", NONE, Dot4x8AccSat(SignedSigned)).when(DOT_PRODUCT),
    f("dot_acc_sat", "int(uchar4, char4, int)", NONE, Dot4x8AccSat(UnsignedSigned))
        .when(DOT_PRODUCT),
    f("dot_acc_sat", "int(char4, uchar4, int)", NONE, Dot4x8AccSat(SignedUnsigned))
        .when(DOT_PRODUCT),
    f("dot_4x8packed_uu_uint", "uint(uint, uint)", NONE, Dot4x8Packed(UnsignedUnsigned))
        .when(DOT_PRODUCT_PACKED),
    f(
        "dot_acc_sat_4x8packed_uu_uint",
        "uint(uint, uint, uint)",
        NONE,
        Dot4x8PackedAccSat(UnsignedUnsigned),
    )
    .when(DOT_PRODUCT_PACKED),
    f("dot_4x8packed_ss_int", "int(uint, uint)", NONE, Dot4x8Packed(SignedSigned))
        .when(DOT_PRODUCT_PACKED),
    f(
        "dot_acc_sat_4x8packed_ss_int",
        "int(uint, uint, int)",
        NONE,
        Dot4x8PackedAccSat(SignedSigned),
    )
    .when(DOT_PRODUCT_PACKED),
    f("dot_4x8packed_us_int", "int(uint, uint)", NONE, Dot4x8Packed(UnsignedSigned))
        .when(DOT_PRODUCT_PACKED),
    f(
        "dot_acc_sat_4x8packed_us_int",
        "int(uint, uint, int)",
        NONE,
        Dot4x8PackedAccSat(UnsignedSigned),
    )
    .when(DOT_PRODUCT_PACKED),
    f("dot_4x8packed_su_int", "int(uint, uint)", NONE, Dot4x8Packed(SignedUnsigned))
        .when(DOT_PRODUCT_PACKED),
    f(
        "dot_acc_sat_4x8packed_su_int",
        "int(uint, uint, int)",
        NONE,
        Dot4x8PackedAccSat(SignedUnsigned),
    )
    .when(DOT_PRODUCT_PACKED),
    // Those of Arm, which Khronos' go back to.
    f("arm_dot", "uint(uchar4, uchar4)", NONE, Dot4x8(UnsignedUnsigned)).when(ARM_DOT),
    f("arm_dot", "int(char4, char4)", NONE, Dot4x8(SignedSigned)).when(ARM_DOT),
    f("arm_dot_acc", "uint(uchar4, uchar4, uint)", NONE, Media(DotAcc(UnsignedUnsigned)))
        .when(ARM_DOT_ACC),
    f("arm_dot_acc", "int(char4, char4, int)", NONE, Media(DotAcc(SignedSigned))).when(ARM_DOT_ACC),
    f("arm_dot_acc", "uint(ushort2, ushort2, uint)", NONE, Media(DotAcc(UnsignedUnsigned)))
        .when(ARM_DOT_ACC_16),
    f("arm_dot_acc", "int(short2, short2, int)", NONE, Media(DotAcc(SignedSigned)))
        .when(ARM_DOT_ACC_16),
    f("arm_dot_acc_sat", "uint(uchar4, uchar4, uint)", NONE, Dot4x8AccSat(UnsignedUnsigned))
        .when(ARM_DOT_ACC_SAT),
    f("arm_dot_acc_sat", "int(char4, char4, int)", NONE, Dot4x8AccSat(SignedSigned))
        .when(ARM_DOT_ACC_SAT),
];
