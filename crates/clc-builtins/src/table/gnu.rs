//! Functions that compilers of the GNU family know without a declaration, and that no function of OpenCL C
//! stands for.

use crate::Intrinsic::Media;
use crate::MediaOp::SwapBytes;
use crate::table::{Elements, Row, SCALAR, UINT, f};
use crate::types::Scalar;

const USHORT: Elements = Elements::of(&[Scalar::UShort]);
const ULONG: Elements = Elements::of(&[Scalar::ULong]);

pub(super) const ROWS: &[Row] = &[
    f("__builtin_bswap16", "T(T)", USHORT, Media(SwapBytes)).widths(SCALAR),
    f("__builtin_bswap32", "T(T)", UINT, Media(SwapBytes)).widths(SCALAR),
    f("__builtin_bswap64", "T(T)", ULONG, Media(SwapBytes)).widths(SCALAR),
];
