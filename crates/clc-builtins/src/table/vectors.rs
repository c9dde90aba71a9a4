//! Shuffles (OpenCL C 6.15.13) and `printf` (6.15.14). Loads, stores, conversions and
//! reinterpretations are in [`crate::structural`], because their names say their types.

use crate::Intrinsic::*;
use crate::guard::{PRINTF, SINCE_1_1};
use crate::table::{ALL, NONE, Row, f};

/// Shuffles have no three-component forms.
const WIDTHS: u32 = 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16;

pub(super) const ROWS: &[Row] = &[
    f("shuffle", "Tm(T, mask)", ALL, Shuffle).widths(WIDTHS).when(SINCE_1_1),
    f("shuffle2", "Tm(T, T, mask)", ALL, Shuffle2).widths(WIDTHS).when(SINCE_1_1),
    f("printf", "int(constant const char*, ...)", NONE, Printf).when(PRINTF),
];
