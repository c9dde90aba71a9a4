//! Constants of a module that the host may change before the driver compiles it, under the name that
//! other front ends of SPIR-V give them.

use crate::Intrinsic::*;
use crate::table::{ALL, NONE, Row, SCALAR, f};

pub(super) const ROWS: &[Row] = &[
    f("__spirv_SpecConstant", "T(int, T)", ALL, SpecConstant).widths(SCALAR),
    f("__spirv_SpecConstant", "bool(int, bool)", NONE, SpecConstant),
];
