//! Functions that compilers of the GNU family know without a declaration, and that no function of OpenCL C
//! stands for.

use crate::Arithmetic::{Add, Multiply, Subtract};
use crate::Intrinsic::Media;
use crate::MediaOp::{Overflow, SwapBytes};
use crate::Signedness::{Signed, Unsigned};
use crate::table::{Elements, INT, Row, SCALAR, UINT, f};
use crate::types::Scalar;

const USHORT: Elements = Elements::of(&[Scalar::UShort]);
const LONG: Elements = Elements::of(&[Scalar::Long]);
const ULONG: Elements = Elements::of(&[Scalar::ULong]);

/// `long long` has the 64 bits of `long`.
macro_rules! rows {
    ($($name:literal, $op:ident;)*) => {
        &[
            f("__builtin_bswap16", "T(T)", USHORT, Media(SwapBytes)).widths(SCALAR),
            f("__builtin_bswap32", "T(T)", UINT, Media(SwapBytes)).widths(SCALAR),
            f("__builtin_bswap64", "T(T)", ULONG, Media(SwapBytes)).widths(SCALAR),
            $(
                overflow(concat!("__builtin_s", $name, "_overflow"), INT, Overflow($op, Signed)),
                overflow(concat!("__builtin_s", $name, "l_overflow"), LONG, Overflow($op, Signed)),
                overflow(concat!("__builtin_s", $name, "ll_overflow"), LONG, Overflow($op, Signed)),
                overflow(concat!("__builtin_u", $name, "_overflow"), UINT, Overflow($op, Unsigned)),
                overflow(concat!("__builtin_u", $name, "l_overflow"), ULONG, Overflow($op, Unsigned)),
                overflow(concat!("__builtin_u", $name, "ll_overflow"), ULONG, Overflow($op, Unsigned)),
            )*
        ]
    };
}

const fn overflow(name: &'static str, elements: Elements, op: crate::MediaOp) -> Row {
    f(name, "bool(T, T, T*)", elements, Media(op)).widths(SCALAR)
}

pub(super) const ROWS: &[Row] = rows! {
    "add", Add;
    "sub", Subtract;
    "mul", Multiply;
};
