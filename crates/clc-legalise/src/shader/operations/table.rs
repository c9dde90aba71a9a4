//! Which intrinsics become what.

use clc_builtins::Intrinsic as I;
use clc_ir::{Type, Value};

use super::code::Code;
use super::{Expansion, Outcome, Target};
use super::{
    async_copies, common, dot_products, geometric, integer, memory, parts, relational, vectors,
};

/// Expands a call. One without the operands that its name has stays, and is an error later.
pub(super) fn expand(
    c: &mut Code<'_, '_>,
    intrinsic: I,
    arguments: &[Value],
    ty: Type,
    target: Target,
) -> Outcome {
    match try_expand(c, intrinsic, arguments, ty, target) {
        Some(outcome) => outcome,
        None => Outcome::Expanded(Expansion::Keep),
    }
}

fn try_expand(
    c: &mut Code<'_, '_>,
    intrinsic: I,
    arguments: &[Value],
    ty: Type,
    target: Target,
) -> Option<Outcome> {
    let one = || arguments.first().copied();
    let two = || <[Value; 2]>::try_from(arguments).ok();
    let three = || <[Value; 3]>::try_from(arguments).ok();
    let four = || <[Value; 4]>::try_from(arguments).ok();
    let is_word = |c: &Code<'_, '_>| one().is_some_and(|value| c.width(value) == 32);

    Some(Outcome::Expanded(Expansion::Value(match intrinsic {
        // An unsigned integer is its own absolute value; what is expected changes nothing.
        I::UAbs | I::Expect => one()?,
        I::SAbsDiff => integer::abs_diff(c, two()?, true),
        I::UAbsDiff => integer::abs_diff(c, two()?, false),
        I::SAddSat => integer::add_sat(c, two()?, true),
        I::UAddSat => integer::add_sat(c, two()?, false),
        I::SSubSat => integer::sub_sat(c, two()?, true),
        I::USubSat => integer::sub_sat(c, two()?, false),
        I::SHadd => integer::hadd(c, two()?, true),
        I::UHadd => integer::hadd(c, two()?, false),
        I::SRhadd => integer::rhadd(c, two()?, true),
        I::URhadd => integer::rhadd(c, two()?, false),
        I::SMadHi => integer::mad_hi(c, three()?, true),
        I::UMadHi => integer::mad_hi(c, three()?, false),
        I::SMadSat => integer::mad_sat(c, three()?, true),
        I::UMadSat => integer::mad_sat(c, three()?, false),
        I::Rotate => integer::rotate(c, two()?),
        I::SUpsample | I::UUpsample => integer::upsample(c, two()?),
        I::SMul24 | I::UMul24 => integer::mul24(c, two()?),
        I::SMad24 | I::UMad24 => integer::mad24(c, three()?),
        I::BitfieldInsert => integer::bitfield_insert(c, four()?),
        I::BitfieldExtractSigned => integer::bitfield_extract(c, three()?, true),
        I::BitfieldExtractUnsigned => integer::bitfield_extract(c, three()?, false),
        // These have instructions for 32 bits; products have them for 64, too.
        I::SMulHi | I::UMulHi | I::Clz | I::Ctz | I::Popcount | I::BitReverse if is_word(c) => {
            return None;
        }
        I::SMulHi => integer::mul_hi(c, two()?, true),
        I::UMulHi => integer::mul_hi(c, two()?, false),
        I::Clz => integer::clz(c, one()?),
        I::Ctz => integer::ctz(c, one()?),
        I::Popcount => integer::popcount(c, one()?),
        I::BitReverse => integer::bit_reverse(c, one()?),
        I::Dot4x8(_) | I::Dot4x8AccSat(_) | I::Dot4x8Packed(_) | I::Dot4x8PackedAccSat(_)
            if target.dot_products =>
        {
            return None;
        }
        I::Dot4x8(signs)
        | I::Dot4x8AccSat(signs)
        | I::Dot4x8Packed(signs)
        | I::Dot4x8PackedAccSat(signs) => {
            two().or_else(|| three().map(|[x, y, _]| [x, y]))?;
            dot_products::dot(c, arguments, signs)
        }
        // GLSL.std.450 has these for all widths.
        I::SAbs | I::SClamp | I::UClamp | I::SMax | I::UMax | I::SMin | I::UMin => return None,

        I::IsLessGreater => relational::is_less_greater(c, two()?, ty),
        I::IsOrdered => relational::ordered(c, two()?, ty, false),
        I::IsUnordered => relational::ordered(c, two()?, ty, true),
        I::IsFinite | I::IsInf | I::IsNan | I::IsNormal | I::Signbit => {
            relational::class(c, intrinsic, one()?, ty)
        }
        I::Any => relational::quantifier(c, one()?, ty, false),
        I::All => relational::quantifier(c, one()?, ty, true),
        I::Bitselect => relational::bitselect(c, three()?),
        I::Select => relational::select(c, three()?),

        I::Shuffle => {
            let [vector, mask] = two()?;
            vectors::shuffle(c, &[vector], mask, ty)
        }
        I::Shuffle2 => {
            let [left, right, mask] = three()?;
            vectors::shuffle(c, &[left, right], mask, ty)
        }

        I::Degrees => common::degrees(c, one()?),
        I::Radians => common::radians(c, one()?),
        I::FMaxCommon => common::extremum(c, two()?, true),
        I::FMinCommon => common::extremum(c, two()?, false),
        I::Mix => common::mix(c, three()?),
        I::Step => common::step(c, two()?),
        I::Smoothstep => common::smoothstep(c, three()?),
        I::Sign => common::sign(c, one()?),
        I::FClamp => return None,

        I::Cross => geometric::cross(c, two()?),
        I::Distance => geometric::distance(c, two()?),
        I::Length => geometric::length(c, one()?),
        I::Normalize => geometric::normalize(c, one()?),
        I::FastDistance => geometric::fast_distance(c, two()?),
        I::FastLength => geometric::fast_length(c, one()?),
        I::FastNormalize => geometric::fast_normalize(c, one()?),
        I::Dot => return None,

        I::Copysign => parts::copysign(c, two()?),
        I::Fract => parts::fract(c, two()?),
        I::Frexp => parts::frexp(c, two()?),
        I::Modf => parts::modf(c, two()?),
        I::Sincos => parts::sincos(c, two()?),

        I::Vload => memory::vload(c, two()?, ty),
        I::VloadHalf => memory::vload_half(c, two()?, ty, false),
        I::VloadaHalf => memory::vload_half(c, two()?, ty, true),
        I::Vstore => {
            memory::vstore(c, three()?);
            return Some(DONE);
        }
        I::VstoreHalf(rounding) => {
            memory::vstore_half(c, three()?, rounding, false);
            return Some(DONE);
        }
        I::VstoreaHalf(rounding) => {
            memory::vstore_half(c, three()?, rounding, true);
            return Some(DONE);
        }
        I::AsyncWorkGroupCopy | I::AsyncWorkGroupStridedCopy => async_copies::copy(c, arguments)?,
        I::WaitGroupEvents => {
            async_copies::wait(c);
            return Some(DONE);
        }
        // Hints, and promises that are not used.
        I::Prefetch | I::Assume | I::Unreachable => return Some(DONE),

        // Work-items, mathematical functions and collectives: instructions, or
        // other passes. Pointers to `generic`: legalising memory.
        I::GetWorkDim
        | I::GetGlobalSize
        | I::GetGlobalId
        | I::GetLocalSize
        | I::GetEnqueuedLocalSize
        | I::GetLocalId
        | I::SpecConstant
        | I::GetNumGroups
        | I::GetGroupId
        | I::GetGlobalOffset
        | I::GetGlobalLinearId
        | I::GetLocalLinearId
        | I::GetSubGroupSize
        | I::GetMaxSubGroupSize
        | I::GetNumSubGroups
        | I::GetEnqueuedNumSubGroups
        | I::GetSubGroupId
        | I::GetSubGroupLocalId
        | I::GetSubGroupEqMask
        | I::GetSubGroupGeMask
        | I::GetSubGroupGtMask
        | I::GetSubGroupLeMask
        | I::GetSubGroupLtMask
        | I::Acos
        | I::Acosh
        | I::Acospi
        | I::Asin
        | I::Asinh
        | I::Asinpi
        | I::Atan
        | I::Atan2
        | I::Atanh
        | I::Atanpi
        | I::Atan2pi
        | I::Cbrt
        | I::Ceil
        | I::Cos
        | I::Cosh
        | I::Cospi
        | I::Erfc
        | I::Erf
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
        | I::LgammaR
        | I::Log
        | I::Log2
        | I::Log10
        | I::Log1p
        | I::Logb
        | I::Mad
        | I::Maxmag
        | I::Minmag
        | I::Nan
        | I::Nextafter
        | I::Pow
        | I::Pown
        | I::Powr
        | I::Remainder
        | I::Remquo
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
        | I::PackHalf2x16
        | I::UnpackHalf2x16
        | I::GetFence
        | I::ClockReadDevice
        | I::ClockReadHiloDevice
        | I::ClockReadWorkGroup
        | I::ClockReadHiloWorkGroup
        | I::ClockReadSubGroup
        | I::ClockReadHiloSubGroup
        | I::SubGroup(..)
        | I::SubGroupNonUniform(..)
        | I::SubGroupAll
        | I::SubGroupAny
        | I::SubGroupBroadcast
        | I::SubGroupElect
        | I::SubGroupNonUniformAll
        | I::SubGroupNonUniformAny
        | I::SubGroupNonUniformAllEqual
        | I::SubGroupNonUniformBroadcast
        | I::SubGroupBroadcastFirst
        | I::SubGroupBallot
        | I::SubGroupInverseBallot
        | I::SubGroupBallotBitExtract
        | I::SubGroupBallotBitCount
        | I::SubGroupBallotInclusiveScan
        | I::SubGroupBallotExclusiveScan
        | I::SubGroupBallotFindLsb
        | I::SubGroupBallotFindMsb
        | I::SubGroupShuffle
        | I::SubGroupShuffleXor
        | I::SubGroupShuffleUp
        | I::SubGroupShuffleDown
        | I::SubGroupRotate
        | I::SubGroupClusteredRotate
        | I::Matrix(_) => return None,

        // Steps of their own leave none of these.
        I::WorkGroupAll | I::WorkGroupAny | I::WorkGroupBroadcast | I::WorkGroup(..) => {
            return None;
        }

        // Lowering and the steps before leave none of these.
        I::Sync(_)
        | I::Printf
        | I::ToGlobal
        | I::ToLocal
        | I::ToPrivate
        | I::Media(_)
        | I::IsEqual
        | I::IsNotEqual
        | I::IsGreater
        | I::IsGreaterEqual
        | I::IsLess
        | I::IsLessEqual
        | I::AsyncWorkGroupCopy2D
        | I::AsyncWorkGroupCopy3D
        | I::AsyncWorkGroupCopyFence => return None,
        I::Trap => return lacks("shaders cannot stop with an error"),
        I::FloatToBFloat16 | I::BFloat16ToFloat => {
            return lacks("shaders have no conversions of bfloat16");
        }
        // A step before leaves those of images alone, and no shuffles.
        I::IntelSubGroupShuffle
        | I::IntelSubGroupShuffleDown
        | I::IntelSubGroupShuffleUp
        | I::IntelSubGroupShuffleXor => return None,
        I::IntelSubGroupBlockRead | I::IntelSubGroupBlockWrite => {
            return lacks("blocks of images are for OpenCL alone");
        }
        I::ReadImage(_)
        | I::ReadImageMsaa(_)
        | I::ReadImageSampled(_)
        | I::ReadImageSampledLod(_)
        | I::ReadImageSampledGrad(_)
        | I::WriteImage(_)
        | I::WriteImageLod(_)
        | I::GetImageWidth
        | I::GetImageHeight
        | I::GetImageDepth
        | I::GetImageDim
        | I::GetImageArraySize
        | I::GetImageNumMipLevels
        | I::GetImageNumSamples
        | I::GetImageChannelDataType
        | I::GetImageChannelOrder => return None,
        I::IsValidReserveId
        | I::ReadPipe
        | I::WritePipe
        | I::ReservedReadPipe
        | I::ReservedWritePipe
        | I::ReserveReadPipe
        | I::ReserveWritePipe
        | I::CommitReadPipe
        | I::CommitWritePipe
        | I::GetPipeNumPackets
        | I::GetPipeMaxPackets
        | I::WorkGroupReserveReadPipe
        | I::WorkGroupReserveWritePipe
        | I::WorkGroupCommitReadPipe
        | I::WorkGroupCommitWritePipe
        | I::SubGroupReserveReadPipe
        | I::SubGroupReserveWritePipe
        | I::SubGroupCommitReadPipe
        | I::SubGroupCommitWritePipe => return lacks("shaders have no pipes"),
        I::GetDefaultQueue
        | I::BuildNdRange
        | I::BuildNdRange2D
        | I::BuildNdRange3D
        | I::IsValidEvent
        | I::GetKernelWorkGroupSize
        | I::GetKernelPreferredWorkGroupSizeMultiple
        | I::GetKernelSubGroupCount
        | I::GetKernelMaxSubGroupSize
        | I::EnqueueKernel
        | I::EnqueueMarker
        | I::RetainEvent
        | I::ReleaseEvent
        | I::CreateUserEvent
        | I::SetUserEventStatus
        | I::CaptureEventProfilingInfo => return lacks("shaders enqueue nothing"),
    })))
}

const DONE: Outcome = Outcome::Expanded(Expansion::Done);

fn lacks(reason: &'static str) -> Option<Outcome> {
    Some(Outcome::Unavailable(reason))
}
