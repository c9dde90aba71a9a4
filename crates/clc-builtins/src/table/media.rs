//! The media operations of cl_amd_media_ops and cl_amd_media_ops2. No instruction of SPIR-V does
//! them; they are written out as arithmetic.

use crate::Intrinsic::Media;
use crate::MediaOp::*;
use crate::guard::{AMD_MEDIA_OPS, AMD_MEDIA_OPS2};
use crate::table::{FLOAT, INT, NONE, Row, UINT, f};

pub(super) const ROWS: &[Row] = &[
    f("amd_pack", "uint(float4)", NONE, Media(Pack)).when(AMD_MEDIA_OPS),
    f("amd_unpack0", "T(uT)", FLOAT, Media(Unpack(0))).when(AMD_MEDIA_OPS),
    f("amd_unpack1", "T(uT)", FLOAT, Media(Unpack(1))).when(AMD_MEDIA_OPS),
    f("amd_unpack2", "T(uT)", FLOAT, Media(Unpack(2))).when(AMD_MEDIA_OPS),
    f("amd_unpack3", "T(uT)", FLOAT, Media(Unpack(3))).when(AMD_MEDIA_OPS),
    f("amd_bitalign", "T(T, T, T)", UINT, Media(BitAlign)).when(AMD_MEDIA_OPS),
    f("amd_bytealign", "T(T, T, T)", UINT, Media(ByteAlign)).when(AMD_MEDIA_OPS),
    f("amd_lerp", "T(T, T, T)", UINT, Media(Lerp)).when(AMD_MEDIA_OPS),
    f("amd_sad", "T(T, T, T)", UINT, Media(Sad)).when(AMD_MEDIA_OPS),
    f("amd_sadhi", "T(T, T, T)", UINT, Media(SadHi)).when(AMD_MEDIA_OPS),
    f("amd_sad4", "uint(uint4, uint4, uint)", NONE, Media(Sad4)).when(AMD_MEDIA_OPS),
    f("amd_msad", "T(T, T, T)", UINT, Media(Msad)).when(AMD_MEDIA_OPS2),
    f("amd_qsad", "wideT(wideT, T, wideT)", UINT, Media(Qsad)).when(AMD_MEDIA_OPS2),
    f("amd_mqsad", "wideT(wideT, T, wideT)", UINT, Media(Mqsad)).when(AMD_MEDIA_OPS2),
    f("amd_sadw", "T(T, T, T)", UINT, Media(SadW)).when(AMD_MEDIA_OPS2),
    f("amd_sadd", "T(T, T, T)", UINT, Media(SadD)).when(AMD_MEDIA_OPS2),
    f("amd_bfm", "T(T, T)", UINT, Media(Bfm)).when(AMD_MEDIA_OPS2),
    f("amd_bfe", "T(T, uT, uT)", UINT, Media(UBfe)).when(AMD_MEDIA_OPS2),
    f("amd_bfe", "T(T, uT, uT)", INT, Media(SBfe)).when(AMD_MEDIA_OPS2),
    f("amd_max3", "T(T, T, T)", INT, Media(SMax3)).when(AMD_MEDIA_OPS2),
    f("amd_max3", "T(T, T, T)", UINT, Media(UMax3)).when(AMD_MEDIA_OPS2),
    f("amd_max3", "T(T, T, T)", FLOAT, Media(FMax3)).when(AMD_MEDIA_OPS2),
    f("amd_min3", "T(T, T, T)", INT, Media(SMin3)).when(AMD_MEDIA_OPS2),
    f("amd_min3", "T(T, T, T)", UINT, Media(UMin3)).when(AMD_MEDIA_OPS2),
    f("amd_min3", "T(T, T, T)", FLOAT, Media(FMin3)).when(AMD_MEDIA_OPS2),
    f("amd_median3", "T(T, T, T)", INT, Media(SMedian3)).when(AMD_MEDIA_OPS2),
    f("amd_median3", "T(T, T, T)", UINT, Media(UMedian3)).when(AMD_MEDIA_OPS2),
    f("amd_median3", "T(T, T, T)", FLOAT, Media(FMedian3)).when(AMD_MEDIA_OPS2),
];
