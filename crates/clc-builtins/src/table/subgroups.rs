//! Sub-group functions (OpenCL C 6.15.18 and the sub-group extensions), and cl_khr_kernel_clock.

use crate::Intrinsic::*;
use crate::guard::{
    CLOCK_DEVICE, CLOCK_SUB_GROUP, CLOCK_WORK_GROUP, INTEL_SUBGROUPS, INTEL_SUBGROUPS_CHAR,
    INTEL_SUBGROUPS_LONG, INTEL_SUBGROUPS_SHORT, SUBGROUP_ARITHMETIC, SUBGROUP_BALLOT,
    SUBGROUP_CLUSTERED, SUBGROUP_ELECT, SUBGROUP_EXTENDED_TYPES, SUBGROUP_ROTATE, SUBGROUP_SHUFFLE,
    SUBGROUP_SHUFFLE_RELATIVE, SUBGROUP_VOTE, SUBGROUPS,
};
use crate::table::{
    ALL, ANY_WIDTH, Elements, FLOATS, GLOBAL, INT, INT_LONG, INTS, LOCAL, NONE, Row, SCALAR,
    SIGNED, UINT_ULONG, UNSIGNED, VECTORS, f,
};
use crate::types::Access::{ReadOnly, ReadWrite, WriteOnly};
use crate::types::ImageKind::Image2d;
use crate::types::Scalar;
use crate::{GroupOp, GroupOperation};

/// What cl_khr_subgroups has; the extended types are the rest.
const WIDE_VALUES: Elements = INT_LONG.union(UINT_ULONG).union(FLOATS);
const NARROW_SIGNED: Elements = Elements::of(&[Scalar::Char, Scalar::Short]);
const NARROW_UNSIGNED: Elements = Elements::of(&[Scalar::UChar, Scalar::UShort]);
const NARROW: Elements = NARROW_SIGNED.union(NARROW_UNSIGNED);
const WIDE_INTS: Elements = INT_LONG.union(UINT_ULONG);
const SHUFFLED_BY_INTEL: Elements = ALL;

pub(super) const ROWS: &[Row] = &[
    f("sub_group_all", "int(int)", NONE, SubGroupAll).when(SUBGROUPS),
    f("sub_group_any", "int(int)", NONE, SubGroupAny).when(SUBGROUPS),
    f("sub_group_broadcast", "T(T, uint)", WIDE_VALUES, SubGroupBroadcast)
        .widths(SCALAR)
        .when(SUBGROUPS),
    f("sub_group_broadcast", "T(T, uint)", WIDE_VALUES, SubGroupBroadcast)
        .widths(VECTORS)
        .when(SUBGROUP_EXTENDED_TYPES),
    f("sub_group_broadcast", "T(T, uint)", NARROW, SubGroupBroadcast)
        .widths(ANY_WIDTH)
        .when(SUBGROUP_EXTENDED_TYPES),
    f("sub_group_elect", "int()", NONE, SubGroupElect).when(SUBGROUP_ELECT),
    f("sub_group_non_uniform_all", "int(int)", NONE, SubGroupNonUniformAll).when(SUBGROUP_VOTE),
    f("sub_group_non_uniform_any", "int(int)", NONE, SubGroupNonUniformAny).when(SUBGROUP_VOTE),
    f("sub_group_non_uniform_all_equal", "int(T)", ALL, SubGroupNonUniformAllEqual)
        .widths(SCALAR)
        .when(SUBGROUP_VOTE),
    f("sub_group_non_uniform_broadcast", "T(T, uint)", ALL, SubGroupNonUniformBroadcast)
        .when(SUBGROUP_BALLOT),
    f("sub_group_broadcast_first", "T(T)", ALL, SubGroupBroadcastFirst)
        .widths(SCALAR)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot", "uint4(int)", NONE, SubGroupBallot).when(SUBGROUP_BALLOT),
    f("sub_group_inverse_ballot", "int(uint4)", NONE, SubGroupInverseBallot).when(SUBGROUP_BALLOT),
    f("sub_group_ballot_bit_extract", "int(uint4, uint)", NONE, SubGroupBallotBitExtract)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot_bit_count", "uint(uint4)", NONE, SubGroupBallotBitCount)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot_inclusive_scan", "uint(uint4)", NONE, SubGroupBallotInclusiveScan)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot_exclusive_scan", "uint(uint4)", NONE, SubGroupBallotExclusiveScan)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot_find_lsb", "uint(uint4)", NONE, SubGroupBallotFindLsb)
        .when(SUBGROUP_BALLOT),
    f("sub_group_ballot_find_msb", "uint(uint4)", NONE, SubGroupBallotFindMsb)
        .when(SUBGROUP_BALLOT),
    f("sub_group_shuffle", "T(T, uint)", ALL, SubGroupShuffle)
        .widths(SCALAR)
        .when(SUBGROUP_SHUFFLE),
    f("sub_group_shuffle_xor", "T(T, uint)", ALL, SubGroupShuffleXor)
        .widths(SCALAR)
        .when(SUBGROUP_SHUFFLE),
    f("sub_group_shuffle_up", "T(T, uint)", ALL, SubGroupShuffleUp)
        .widths(SCALAR)
        .when(SUBGROUP_SHUFFLE_RELATIVE),
    f("sub_group_shuffle_down", "T(T, uint)", ALL, SubGroupShuffleDown)
        .widths(SCALAR)
        .when(SUBGROUP_SHUFFLE_RELATIVE),
    f("sub_group_rotate", "T(T, int)", ALL, SubGroupRotate).widths(SCALAR).when(SUBGROUP_ROTATE),
    f("sub_group_clustered_rotate", "T(T, int, uint)", ALL, SubGroupClusteredRotate)
        .widths(SCALAR)
        .when(SUBGROUP_ROTATE),
    f("clock_read_device", "ulong()", NONE, ClockReadDevice).when(CLOCK_DEVICE),
    f("clock_read_hilo_device", "uint2()", NONE, ClockReadHiloDevice).when(CLOCK_DEVICE),
    f("clock_read_work_group", "ulong()", NONE, ClockReadWorkGroup).when(CLOCK_WORK_GROUP),
    f("clock_read_hilo_work_group", "uint2()", NONE, ClockReadHiloWorkGroup).when(CLOCK_WORK_GROUP),
    f("clock_read_sub_group", "ulong()", NONE, ClockReadSubGroup).when(CLOCK_SUB_GROUP),
    f("clock_read_hilo_sub_group", "uint2()", NONE, ClockReadHiloSubGroup).when(CLOCK_SUB_GROUP),
];

/// For each operator its reduction and its scans.
macro_rules! arithmetic {
    ($prefix:literal, $variant:ident; $($operator:literal, $elements:ident, $op:ident, $guard:ident;)*) => {
        &[$(
            f(
                concat!($prefix, "reduce_", $operator),
                "T(T)",
                $elements,
                $variant(GroupOperation::Reduce, GroupOp::$op),
            )
            .widths(SCALAR)
            .when($guard),
            f(
                concat!($prefix, "scan_inclusive_", $operator),
                "T(T)",
                $elements,
                $variant(GroupOperation::InclusiveScan, GroupOp::$op),
            )
            .widths(SCALAR)
            .when($guard),
            f(
                concat!($prefix, "scan_exclusive_", $operator),
                "T(T)",
                $elements,
                $variant(GroupOperation::ExclusiveScan, GroupOp::$op),
            )
            .widths(SCALAR)
            .when($guard),
        )*]
    };
}

pub(super) const UNIFORM_ROWS: &[Row] = arithmetic! {
    "sub_group_", SubGroup;
    "add", WIDE_INTS, IAdd, SUBGROUPS;
    "add", NARROW, IAdd, SUBGROUP_EXTENDED_TYPES;
    "add", FLOATS, FAdd, SUBGROUPS;
    "min", INT_LONG, SMin, SUBGROUPS;
    "min", NARROW_SIGNED, SMin, SUBGROUP_EXTENDED_TYPES;
    "min", UINT_ULONG, UMin, SUBGROUPS;
    "min", NARROW_UNSIGNED, UMin, SUBGROUP_EXTENDED_TYPES;
    "min", FLOATS, FMin, SUBGROUPS;
    "max", INT_LONG, SMax, SUBGROUPS;
    "max", NARROW_SIGNED, SMax, SUBGROUP_EXTENDED_TYPES;
    "max", UINT_ULONG, UMax, SUBGROUPS;
    "max", NARROW_UNSIGNED, UMax, SUBGROUP_EXTENDED_TYPES;
    "max", FLOATS, FMax, SUBGROUPS;
};

pub(super) const NON_UNIFORM_ROWS: &[Row] = arithmetic! {
    "sub_group_non_uniform_", SubGroupNonUniform;
    "add", INTS, IAdd, SUBGROUP_ARITHMETIC;
    "add", FLOATS, FAdd, SUBGROUP_ARITHMETIC;
    "mul", INTS, IMul, SUBGROUP_ARITHMETIC;
    "mul", FLOATS, FMul, SUBGROUP_ARITHMETIC;
    "min", SIGNED, SMin, SUBGROUP_ARITHMETIC;
    "min", UNSIGNED, UMin, SUBGROUP_ARITHMETIC;
    "min", FLOATS, FMin, SUBGROUP_ARITHMETIC;
    "max", SIGNED, SMax, SUBGROUP_ARITHMETIC;
    "max", UNSIGNED, UMax, SUBGROUP_ARITHMETIC;
    "max", FLOATS, FMax, SUBGROUP_ARITHMETIC;
    "and", INTS, And, SUBGROUP_ARITHMETIC;
    "or", INTS, Or, SUBGROUP_ARITHMETIC;
    "xor", INTS, Xor, SUBGROUP_ARITHMETIC;
    "logical_and", INT, LogicalAnd, SUBGROUP_ARITHMETIC;
    "logical_or", INT, LogicalOr, SUBGROUP_ARITHMETIC;
    "logical_xor", INT, LogicalXor, SUBGROUP_ARITHMETIC;
};

macro_rules! clustered {
    ($($operator:literal, $elements:ident, $op:ident;)*) => {
        &[$(
            f(
                concat!("sub_group_clustered_reduce_", $operator),
                "T(T, uint)",
                $elements,
                SubGroupNonUniform(GroupOperation::ClusteredReduce, GroupOp::$op),
            )
            .widths(SCALAR)
            .when(SUBGROUP_CLUSTERED),
        )*]
    };
}

pub(super) const CLUSTERED_ROWS: &[Row] = clustered! {
    "add", INTS, IAdd;
    "add", FLOATS, FAdd;
    "mul", INTS, IMul;
    "mul", FLOATS, FMul;
    "min", SIGNED, SMin;
    "min", UNSIGNED, UMin;
    "min", FLOATS, FMin;
    "max", SIGNED, SMax;
    "max", UNSIGNED, UMax;
    "max", FLOATS, FMax;
    "and", INTS, And;
    "or", INTS, Or;
    "xor", INTS, Xor;
    "logical_and", INT, LogicalAnd;
    "logical_or", INT, LogicalOr;
    "logical_xor", INT, LogicalXor;
};

/// cl_intel_subgroups and its siblings for other sizes. A block read or write of `n` elements per
/// work-item, from a buffer or from a row of an image.
macro_rules! blocks {
    ($($read:literal, $write:literal, $value:literal, $element:literal, $guard:ident;)*) => {
        &[
            f("intel_sub_group_shuffle", "T(T, uint)", SHUFFLED_BY_INTEL, IntelSubGroupShuffle)
                .when(INTEL_SUBGROUPS),
            f("intel_sub_group_shuffle_xor", "T(T, uint)", SHUFFLED_BY_INTEL, IntelSubGroupShuffleXor)
                .when(INTEL_SUBGROUPS),
            f("intel_sub_group_shuffle_down", "T(T, T, uint)", SHUFFLED_BY_INTEL, IntelSubGroupShuffleDown)
                .when(INTEL_SUBGROUPS),
            f("intel_sub_group_shuffle_up", "T(T, T, uint)", SHUFFLED_BY_INTEL, IntelSubGroupShuffleUp)
                .when(INTEL_SUBGROUPS),
            $(
                f($read, concat!($value, "(const ", $element, "*)"), NONE, IntelSubGroupBlockRead)
                    .spaces(GLOBAL | LOCAL)
                    .when($guard),
                f($read, concat!($value, "(image, int2)"), NONE, IntelSubGroupBlockRead)
                    .images(&[Image2d], &[ReadOnly, ReadWrite])
                    .when($guard),
                f($write, concat!("void(", $element, "*, ", $value, ")"), NONE, IntelSubGroupBlockWrite)
                    .spaces(GLOBAL | LOCAL)
                    .when($guard),
                f($write, concat!("void(image, int2, ", $value, ")"), NONE, IntelSubGroupBlockWrite)
                    .images(&[Image2d], &[WriteOnly, ReadWrite])
                    .when($guard),
            )*
        ]
    };
}

pub(super) const INTEL_ROWS: &[Row] = blocks! {
    "intel_sub_group_block_read", "intel_sub_group_block_write", "uint", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read2", "intel_sub_group_block_write2", "uint2", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read4", "intel_sub_group_block_write4", "uint4", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read8", "intel_sub_group_block_write8", "uint8", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read_ui", "intel_sub_group_block_write_ui", "uint", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read_ui2", "intel_sub_group_block_write_ui2", "uint2", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read_ui4", "intel_sub_group_block_write_ui4", "uint4", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read_ui8", "intel_sub_group_block_write_ui8", "uint8", "uint", INTEL_SUBGROUPS;
    "intel_sub_group_block_read_us", "intel_sub_group_block_write_us", "ushort", "ushort", INTEL_SUBGROUPS_SHORT;
    "intel_sub_group_block_read_us2", "intel_sub_group_block_write_us2", "ushort2", "ushort", INTEL_SUBGROUPS_SHORT;
    "intel_sub_group_block_read_us4", "intel_sub_group_block_write_us4", "ushort4", "ushort", INTEL_SUBGROUPS_SHORT;
    "intel_sub_group_block_read_us8", "intel_sub_group_block_write_us8", "ushort8", "ushort", INTEL_SUBGROUPS_SHORT;
    "intel_sub_group_block_read_us16", "intel_sub_group_block_write_us16", "ushort16", "ushort", INTEL_SUBGROUPS_SHORT;
    "intel_sub_group_block_read_uc", "intel_sub_group_block_write_uc", "uchar", "uchar", INTEL_SUBGROUPS_CHAR;
    "intel_sub_group_block_read_uc2", "intel_sub_group_block_write_uc2", "uchar2", "uchar", INTEL_SUBGROUPS_CHAR;
    "intel_sub_group_block_read_uc4", "intel_sub_group_block_write_uc4", "uchar4", "uchar", INTEL_SUBGROUPS_CHAR;
    "intel_sub_group_block_read_uc8", "intel_sub_group_block_write_uc8", "uchar8", "uchar", INTEL_SUBGROUPS_CHAR;
    "intel_sub_group_block_read_uc16", "intel_sub_group_block_write_uc16", "uchar16", "uchar", INTEL_SUBGROUPS_CHAR;
    "intel_sub_group_block_read_ul", "intel_sub_group_block_write_ul", "ulong", "ulong", INTEL_SUBGROUPS_LONG;
    "intel_sub_group_block_read_ul2", "intel_sub_group_block_write_ul2", "ulong2", "ulong", INTEL_SUBGROUPS_LONG;
    "intel_sub_group_block_read_ul4", "intel_sub_group_block_write_ul4", "ulong4", "ulong", INTEL_SUBGROUPS_LONG;
    "intel_sub_group_block_read_ul8", "intel_sub_group_block_write_ul8", "ulong8", "ulong", INTEL_SUBGROUPS_LONG;
    "intel_sub_group_block_read_ul16", "intel_sub_group_block_write_ul16", "ulong16", "ulong", INTEL_SUBGROUPS_LONG;
};
