//! `max` and `min` of floating-point values, conversions to formats without a type.

use spirv::{Capability, Op, OpenclStd100Op as Cl};

use super::ext;
use crate::emit::{Call, FunctionEmitter, Id};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extremum {
    Maximum,
    Minimum,
}

/// `max(x, y)` is y if x < y, else x, and `min(x, y)` is y if y < x, else x (OpenCL C 6.15.4).
/// It is written as a comparison and a choice: the vectoriser of a CPU driver crashes on the
/// instructions `fmax_common` and `fmin_common` where a loop carries their result. Where neither
/// NaN nor the sign of a zero matters, `fmax` and `fmin` say the same in one instruction.
pub(super) fn extremum(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, which: Extremum) -> Id {
    let options = f.module.float_options;
    if options.fast_relaxed_math || options.finite_math_only && options.no_signed_zeros {
        let op = match which {
            Extremum::Maximum => Cl::fmax,
            Extremum::Minimum => Cl::fmin,
        };
        return ext(f, call, op);
    }
    let operands = f.operands(call.arguments);
    let (x, y) = (operands[0], operands[1]);
    let (low, high) = match which {
        Extremum::Maximum => (x, y),
        Extremum::Minimum => (y, x),
    };
    let bools = f.bool_like(call.result);
    let takes_y = f.op(Op::FOrdLessThan, bools, &[low, high]);
    f.op(Op::Select, call.result, &[takes_y, y, x])
}

/// cl_intel_bfloat16_conversions.
pub(super) fn bfloat16(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    f.module.capability(Capability::BFloat16ConversionINTEL);
    f.module.extension("SPV_INTEL_bfloat16_conversion");
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &operands)
}
