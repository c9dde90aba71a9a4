//! What drivers call functions for, and whether they may do so for each component.

use clc_base::Id;
use clc_builtins::Intrinsic;
use clc_ir::{Block, Function, Inst, InstData, InstKind, TypePool, Value};
use rustc_hash::FxHashSet;

use crate::convergence;
use crate::short_vectors::is_short_vector;

/// The conversions of vectors that drivers call a function for, as those that saturate, in loops where not all work-items are
/// together. It gets a mask for vectors of work-items: once for each component takes three times as long as once for all.
pub(super) fn masked_conversions(
    types: &TypePool,
    function: &Function,
    is_in_loop: impl Fn(Block) -> bool,
) -> FxHashSet<Inst> {
    let is_called = |data: &InstData| {
        let InstKind::Convert { op, saturate, .. } = data.kind else { return false };
        (saturate || op.saturates())
            && data
                .result
                .and_then(Value::as_local)
                .is_some_and(|result| is_short_vector(types, function.values[result].ty))
    };
    let mut converged = None;
    let mut masked = FxHashSet::default();
    for &block in function.layout.iter().filter(|&&block| is_in_loop(block)) {
        for &inst in &function.blocks[block].insts {
            if is_called(&function.insts[inst]) {
                let converged = converged
                    .get_or_insert_with(|| convergence::converged_blocks_of(types, function));
                if !converged[block.index()] {
                    masked.insert(inst);
                }
            }
        }
    }
    masked
}

/// Functions that say of vectors in each component whether it is so, by -1, and of those alone by 1 (OpenCL C 6.15.6).
pub(super) fn is_test(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::IsLessGreater
            | I::IsFinite
            | I::IsInf
            | I::IsNan
            | I::IsNormal
            | I::IsOrdered
            | I::IsUnordered
            | I::Signbit
    )
}

/// Functions that look at one bit of each component.
pub(super) fn is_quantifier(intrinsic: Intrinsic) -> bool {
    matches!(intrinsic, Intrinsic::Any | Intrinsic::All)
}

/// Functions whose results for vectors have for components what they return for those.
pub(super) fn is_function_of_components(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::Acos
            | I::Acosh
            | I::Acospi
            | I::Asin
            | I::Asinh
            | I::Asinpi
            | I::Atan
            | I::Atan2
            | I::Atan2pi
            | I::Atanh
            | I::Atanpi
            | I::Cbrt
            | I::Ceil
            | I::Copysign
            | I::Cos
            | I::Cosh
            | I::Cospi
            | I::Erf
            | I::Erfc
            | I::Exp
            | I::Exp2
            | I::Exp10
            | I::Expm1
            | I::Fabs
            | I::Fdim
            | I::Floor
            | I::Fma
            | I::Fmax
            | I::Fmin
            | I::Fmod
            | I::Hypot
            | I::Ilogb
            | I::Ldexp
            | I::Lgamma
            | I::Log
            | I::Log2
            | I::Log10
            | I::Log1p
            | I::Logb
            | I::Mad
            | I::Maxmag
            | I::Minmag
            | I::Nextafter
            | I::Pow
            | I::Pown
            | I::Powr
            | I::Remainder
            | I::Rint
            | I::Rootn
            | I::Round
            | I::Rsqrt
            | I::Sin
            | I::Sinh
            | I::Sinpi
            | I::Sqrt
            | I::Tan
            | I::Tanh
            | I::Tanpi
            | I::Tgamma
            | I::Trunc
            | I::HalfCos
            | I::HalfDivide
            | I::HalfExp
            | I::HalfExp2
            | I::HalfExp10
            | I::HalfLog
            | I::HalfLog2
            | I::HalfLog10
            | I::HalfPowr
            | I::HalfRecip
            | I::HalfRsqrt
            | I::HalfSin
            | I::HalfSqrt
            | I::HalfTan
            | I::NativeCos
            | I::NativeDivide
            | I::NativeExp
            | I::NativeExp2
            | I::NativeExp10
            | I::NativeLog
            | I::NativeLog2
            | I::NativeLog10
            | I::NativePowr
            | I::NativeRecip
            | I::NativeRsqrt
            | I::NativeSin
            | I::NativeSqrt
            | I::NativeTan
            | I::SAbs
            | I::SAbsDiff
            | I::UAbsDiff
            | I::SAddSat
            | I::UAddSat
            | I::SHadd
            | I::UHadd
            | I::SRhadd
            | I::URhadd
            | I::SClamp
            | I::UClamp
            | I::Clz
            | I::Ctz
            | I::SMadHi
            | I::UMadHi
            | I::SMadSat
            | I::UMadSat
            | I::SMax
            | I::UMax
            | I::SMin
            | I::UMin
            | I::SMulHi
            | I::UMulHi
            | I::Rotate
            | I::SSubSat
            | I::USubSat
            | I::SUpsample
            | I::UUpsample
            | I::Popcount
            | I::SMad24
            | I::UMad24
            | I::SMul24
            | I::UMul24
            | I::BitReverse
            | I::Bitselect
            | I::FClamp
            | I::Degrees
            | I::FMaxCommon
            | I::FMinCommon
            | I::Mix
            | I::Radians
            | I::Step
            | I::Smoothstep
            | I::Sign
    )
}
