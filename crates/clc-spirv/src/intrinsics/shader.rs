//! Intrinsics as instructions of shaders: the Shader capability and GLSL.std.450.
//!
//! Most intrinsics are gone by now: legalisation has made arithmetic, calls of library bodies and
//! plain memory accesses of them, or has refused them. The conventions are those of
//! [`lower`](super::lower).

mod images;
mod integer;
mod math;
mod subgroups;
mod work_item;

use clc_builtins::Intrinsic as I;
use spirv::{BuiltIn, Decoration, GlslStd450Op as Gl, GroupOperation as Whole, Op, Scope};

use super::{integer as shared_integer, matrices, subgroups as shared_subgroups, vectors};
use crate::emit::{Call, FunctionEmitter, Id};

/// Appends what `call` does to the current block and returns the id of its result (0 for none).
pub(super) fn lower(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    match call.intrinsic {
        I::GetGlobalId => work_item::dimension(f, call, BuiltIn::GlobalInvocationId, 0),
        I::GetLocalId => work_item::dimension(f, call, BuiltIn::LocalInvocationId, 0),
        I::GetGroupId => work_item::dimension(f, call, BuiltIn::WorkgroupId, 0),
        I::GetNumGroups => work_item::dimension(f, call, BuiltIn::NumWorkgroups, 1),
        I::GetLocalLinearId => work_item::local_linear_id(f, call),
        I::GetSubGroupSize | I::GetMaxSubGroupSize => {
            work_item::sub_group(f, BuiltIn::SubgroupSize)
        }
        I::GetNumSubGroups | I::GetEnqueuedNumSubGroups => {
            work_item::sub_group(f, BuiltIn::NumSubgroups)
        }
        I::GetSubGroupId => work_item::sub_group(f, BuiltIn::SubgroupId),
        I::GetSubGroupLocalId => work_item::sub_group(f, BuiltIn::SubgroupLocalInvocationId),
        I::GetSubGroupEqMask => work_item::mask(f, BuiltIn::SubgroupEqMask),
        I::GetSubGroupGeMask => work_item::mask(f, BuiltIn::SubgroupGeMask),
        I::GetSubGroupGtMask => work_item::mask(f, BuiltIn::SubgroupGtMask),
        I::GetSubGroupLeMask => work_item::mask(f, BuiltIn::SubgroupLeMask),
        I::GetSubGroupLtMask => work_item::mask(f, BuiltIn::SubgroupLtMask),

        I::ReadImage(_) => images::read(f, call, false),
        I::ReadImageMsaa(_) => images::read(f, call, true),
        I::ReadImageSampled(_) | I::ReadImageSampledLod(_) => images::sample(f, call, false),
        I::ReadImageSampledGrad(_) => images::sample(f, call, true),
        I::WriteImage(_) => images::write(f, call),
        I::GetImageWidth => images::size(f, call, 0),
        I::GetImageHeight => images::size(f, call, 1),
        I::GetImageDepth => images::size(f, call, 2),
        I::GetImageArraySize => images::layers(f, call),
        I::GetImageNumMipLevels => images::query(f, call, Op::ImageQueryLevels),
        I::GetImageNumSamples => images::query(f, call, Op::ImageQuerySamples),

        I::Matrix(op) => matrices::lower(f, call, op),

        // `clc_builtins::library` says why these are precise enough.
        I::Ceil => glsl(f, call, Gl::Ceil),
        I::Fabs => glsl(f, call, Gl::FAbs),
        I::Floor => glsl(f, call, Gl::Floor),
        I::Rint => glsl(f, call, Gl::RoundEven),
        I::Trunc => glsl(f, call, Gl::Trunc),
        I::Fmax => glsl(f, call, Gl::NMax),
        I::Fmin => glsl(f, call, Gl::NMin),
        I::FClamp => glsl(f, call, Gl::NClamp),
        // `Fma` is left only where the device's instruction is known to be exact.
        I::Mad | I::Fma => {
            let id = glsl(f, call, Gl::Fma);
            // Or it might be taken apart.
            f.decorate(id, Decoration::NoContraction);
            id
        }
        I::HalfDivide | I::NativeDivide => math::divide(f, call),
        I::HalfRecip | I::NativeRecip => math::reciprocal(f, call),
        I::HalfExp | I::NativeExp => glsl(f, call, Gl::Exp),
        I::HalfExp2 | I::NativeExp2 => glsl(f, call, Gl::Exp2),
        I::NativeCos => glsl(f, call, Gl::Cos),
        I::NativeExp10 => math::exp10(f, call),
        I::NativeLog => glsl(f, call, Gl::Log),
        I::NativeLog2 => glsl(f, call, Gl::Log2),
        I::NativeLog10 => math::log10(f, call),
        I::NativePowr => glsl(f, call, Gl::Pow),
        I::NativeRsqrt => glsl(f, call, Gl::InverseSqrt),
        I::NativeSin => glsl(f, call, Gl::Sin),
        I::NativeSqrt => glsl(f, call, Gl::Sqrt),
        I::NativeTan => glsl(f, call, Gl::Tan),
        I::Dot => vectors::dot(f, call),

        I::SAbs => glsl(f, call, Gl::SAbs),
        I::SClamp => glsl(f, call, Gl::SClamp),
        I::UClamp => glsl(f, call, Gl::UClamp),
        I::SMax => glsl(f, call, Gl::SMax),
        I::UMax => glsl(f, call, Gl::UMax),
        I::SMin => glsl(f, call, Gl::SMin),
        I::UMin => glsl(f, call, Gl::UMin),
        I::SMulHi => integer::mul_hi(f, call, Op::SMulExtended),
        I::UMulHi => integer::mul_hi(f, call, Op::UMulExtended),
        I::Clz => integer::clz(f, call),
        I::Ctz => integer::ctz(f, call),
        I::Popcount => plain(f, call, Op::BitCount),
        I::PackHalf2x16 => glsl(f, call, Gl::PackHalf2x16),
        I::UnpackHalf2x16 => glsl(f, call, Gl::UnpackHalf2x16),
        I::BitReverse => plain(f, call, Op::BitReverse),
        I::Dot4x8(signs) => {
            shared_integer::dot(f, call, signs, shared_integer::Input::Vectors, false)
        }
        I::Dot4x8AccSat(signs) => {
            shared_integer::dot(f, call, signs, shared_integer::Input::Vectors, true)
        }
        I::Dot4x8Packed(signs) => {
            shared_integer::dot(f, call, signs, shared_integer::Input::Packed, false)
        }
        I::Dot4x8PackedAccSat(signs) => {
            shared_integer::dot(f, call, signs, shared_integer::Input::Packed, true)
        }

        I::ClockReadDevice
        | I::ClockReadHiloDevice
        | I::ClockReadWorkGroup
        | I::ClockReadHiloWorkGroup => super::work_item::clock(f, call, Scope::Device),
        I::ClockReadSubGroup | I::ClockReadHiloSubGroup => {
            super::work_item::clock(f, call, Scope::Subgroup)
        }

        I::SubGroup(operation, op) | I::SubGroupNonUniform(operation, op) => {
            shared_subgroups::arithmetic(f, call, operation, op)
        }
        I::SubGroupElect => shared_subgroups::elect(f, call),
        I::SubGroupAll | I::SubGroupNonUniformAll => {
            shared_subgroups::vote(f, call, Op::GroupNonUniformAll)
        }
        I::SubGroupAny | I::SubGroupNonUniformAny => {
            shared_subgroups::vote(f, call, Op::GroupNonUniformAny)
        }
        I::SubGroupNonUniformAllEqual => shared_subgroups::all_equal(f, call),
        I::SubGroupBroadcast | I::SubGroupNonUniformBroadcast => {
            shared_subgroups::broadcast(f, call)
        }
        I::SubGroupBroadcastFirst => shared_subgroups::broadcast_first(f, call),
        I::SubGroupBallot => shared_subgroups::ballot(f, call),
        I::SubGroupInverseBallot => {
            shared_subgroups::ballot_test(f, call, Op::GroupNonUniformInverseBallot)
        }
        I::SubGroupBallotBitExtract => {
            shared_subgroups::ballot_test(f, call, Op::GroupNonUniformBallotBitExtract)
        }
        I::SubGroupBallotBitCount => shared_subgroups::ballot_count(f, call, Whole::Reduce),
        I::SubGroupBallotInclusiveScan => {
            shared_subgroups::ballot_count(f, call, Whole::InclusiveScan)
        }
        I::SubGroupBallotExclusiveScan => {
            shared_subgroups::ballot_count(f, call, Whole::ExclusiveScan)
        }
        I::SubGroupBallotFindLsb => {
            shared_subgroups::ballot_find(f, call, Op::GroupNonUniformBallotFindLSB)
        }
        I::SubGroupBallotFindMsb => {
            shared_subgroups::ballot_find(f, call, Op::GroupNonUniformBallotFindMSB)
        }
        I::SubGroupShuffle => shared_subgroups::shuffle(f, call, Op::GroupNonUniformShuffle),
        I::SubGroupShuffleXor => shared_subgroups::shuffle(f, call, Op::GroupNonUniformShuffleXor),
        I::SubGroupShuffleUp => shared_subgroups::shuffle(f, call, Op::GroupNonUniformShuffleUp),
        I::SubGroupShuffleDown => {
            shared_subgroups::shuffle(f, call, Op::GroupNonUniformShuffleDown)
        }
        I::SubGroupRotate | I::SubGroupClusteredRotate => subgroups::rotate(f, call),

        // A function that has no body yet.
        I::Acos
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
        | I::Copysign
        | I::Cos
        | I::Cosh
        | I::Cospi
        | I::Erfc
        | I::Erf
        | I::Exp
        | I::Exp2
        | I::Exp10
        | I::Expm1
        | I::Fdim
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
        | I::Maxmag
        | I::Minmag
        | I::Nan
        | I::Nextafter
        | I::Pow
        | I::Pown
        | I::Powr
        | I::Remainder
        | I::Remquo
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
        | I::HalfCos
        | I::HalfExp10
        | I::HalfLog
        | I::HalfLog2
        | I::HalfLog10
        | I::HalfPowr
        | I::HalfRsqrt
        | I::HalfSin
        | I::HalfSqrt
        | I::HalfTan => f.not_legal(call),
        I::WorkGroupAll | I::WorkGroupAny | I::WorkGroupBroadcast | I::WorkGroup(..) => {
            f.not_legal(call)
        }

        I::SpecConstant => f.module.specialized(call.result, call.arguments),

        // Legalisation leaves none of these.
        I::GetWorkDim
        | I::GetGlobalSize
        | I::GetLocalSize
        | I::GetEnqueuedLocalSize
        | I::GetGlobalOffset
        | I::GetGlobalLinearId
        | I::Fract
        | I::Frexp
        | I::Modf
        | I::Sincos
        | I::UAbs
        | I::SAbsDiff
        | I::UAbsDiff
        | I::SAddSat
        | I::UAddSat
        | I::SHadd
        | I::UHadd
        | I::SRhadd
        | I::URhadd
        | I::SMadHi
        | I::UMadHi
        | I::SMadSat
        | I::UMadSat
        | I::Rotate
        | I::SSubSat
        | I::USubSat
        | I::SUpsample
        | I::UUpsample
        | I::SMad24
        | I::UMad24
        | I::SMul24
        | I::UMul24
        | I::BitfieldInsert
        | I::BitfieldExtractSigned
        | I::BitfieldExtractUnsigned
        | I::FloatToBFloat16
        | I::BFloat16ToFloat
        | I::Media(_)
        | I::Degrees
        | I::FMaxCommon
        | I::FMinCommon
        | I::Mix
        | I::Radians
        | I::Step
        | I::Smoothstep
        | I::Sign
        | I::Cross
        | I::Distance
        | I::Length
        | I::Normalize
        | I::FastDistance
        | I::FastLength
        | I::FastNormalize
        | I::IsEqual
        | I::IsNotEqual
        | I::IsGreater
        | I::IsGreaterEqual
        | I::IsLess
        | I::IsLessEqual
        | I::IsLessGreater
        | I::IsFinite
        | I::IsInf
        | I::IsNan
        | I::IsNormal
        | I::IsOrdered
        | I::IsUnordered
        | I::Signbit
        | I::Any
        | I::All
        | I::Bitselect
        | I::Select
        | I::Shuffle
        | I::Shuffle2
        | I::Vload
        | I::VloadHalf
        | I::VloadaHalf
        | I::Vstore
        | I::VstoreHalf(_)
        | I::VstoreaHalf(_)
        | I::Prefetch
        | I::Printf
        | I::AsyncWorkGroupCopy
        | I::AsyncWorkGroupStridedCopy
        | I::AsyncWorkGroupCopy2D
        | I::AsyncWorkGroupCopy3D
        | I::AsyncWorkGroupCopyFence
        | I::WaitGroupEvents
        | I::Sync(_)
        | I::ToGlobal
        | I::ToLocal
        | I::ToPrivate
        | I::GetFence
        | I::Expect
        | I::Assume
        | I::Unreachable
        | I::Trap
        | I::WriteImageLod(_)
        | I::GetImageDim
        | I::GetImageChannelDataType
        | I::GetImageChannelOrder
        | I::IsValidReserveId
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
        | I::SubGroupCommitWritePipe
        | I::EnqueueKernel
        | I::EnqueueMarker
        | I::GetKernelWorkGroupSize
        | I::GetKernelPreferredWorkGroupSizeMultiple
        | I::GetKernelSubGroupCount
        | I::GetKernelMaxSubGroupSize
        | I::RetainEvent
        | I::ReleaseEvent
        | I::CreateUserEvent
        | I::IsValidEvent
        | I::SetUserEventStatus
        | I::CaptureEventProfilingInfo
        | I::GetDefaultQueue
        | I::BuildNdRange
        | I::BuildNdRange2D
        | I::BuildNdRange3D
        | I::IntelSubGroupShuffle
        | I::IntelSubGroupShuffleDown
        | I::IntelSubGroupShuffleUp
        | I::IntelSubGroupShuffleXor
        | I::IntelSubGroupBlockRead
        | I::IntelSubGroupBlockWrite => f.not_legal(call),
    }
}

/// One instruction of GLSL.std.450 with the call's operands.
fn glsl(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Gl) -> Id {
    let operands = f.operands(call.arguments);
    f.glsl(op, call.result, &operands)
}

/// One instruction with the call's operands.
fn plain(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Op) -> Id {
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &operands)
}
