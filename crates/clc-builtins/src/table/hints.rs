//! Compiler hints that C compilers share.

use crate::Intrinsic::*;
use crate::table::{Elements, NONE, Row, SCALAR, f};
use crate::types::Scalar;

const LONG: Elements = Elements::of(&[Scalar::Long]);

pub(super) const ROWS: &[Row] = &[
    f("__builtin_expect", "T(T, T)", LONG, Expect).widths(SCALAR),
    f("__builtin_assume", "void(bool)", NONE, Assume),
    f("__builtin_unreachable", "void()", NONE, Unreachable),
    f("__builtin_trap", "void()", NONE, Trap),
];
