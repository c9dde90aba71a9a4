//! Intrinsics as SPIR-V: what a call to a builtin becomes.
//!
//! [`lower`] is called for each intrinsic call of each emitted function, in dominance order, and
//! appends the instructions that compute the call's result to the current block.
//!
//! The conventions:
//! * It returns the id of the result, or 0 for a call without one. That id may be new, or the id of
//!   an operand or a constant when nothing has to be computed.
//! * [`FunctionEmitter::op`] and the like append one instruction and return its result id; types
//!   and constants come from `f.module` ([`ModuleEmitter`](crate::emit::ModuleEmitter)), which
//!   declares them once, together with the capabilities they need.
//! * A capability or extension that an instruction itself needs is declared by
//!   `f.module.capability(..)` and `f.module.extension(..)`.
//! * What the target cannot express was refused by the legalisation (`availability`); a call that it
//!   should not have left is a bug, and ends in `f.not_legal(call)`.
//! * A lowering never makes blocks: what needs control flow is expanded before emission.
//!
//! The match here has no wildcard: a builtin without a lowering does not compile.

mod common;
mod device_enqueue;
mod groups;
mod images;
mod integer;
mod matrices;
mod memory;
mod pipes;
mod relational;
mod shader;
mod subgroups;
mod vectors;
mod work_item;

use clc_builtins::Intrinsic as I;
use spirv::{BuiltIn, Op, OpenclStd100Op as Cl};

use crate::emit::{Call, FunctionEmitter, Id};

/// Appends what `call` does to the current block and returns the id of its result (0 for none).
pub(crate) fn lower(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>) -> Id {
    if f.module.shader.is_some() {
        return shader::lower(f, call);
    }
    match call.intrinsic {
        I::GetWorkDim => f.load_builtin(BuiltIn::WorkDim),
        I::GetGlobalSize => work_item::dimension(f, call, BuiltIn::GlobalSize, 1),
        I::GetGlobalId => work_item::dimension(f, call, BuiltIn::GlobalInvocationId, 0),
        I::GetLocalSize => work_item::dimension(f, call, BuiltIn::WorkgroupSize, 1),
        I::GetEnqueuedLocalSize if f.module.has_uniform_work_groups() => {
            work_item::dimension(f, call, BuiltIn::WorkgroupSize, 1)
        }
        I::GetEnqueuedLocalSize => work_item::dimension(f, call, BuiltIn::EnqueuedWorkgroupSize, 1),
        I::GetLocalId => work_item::dimension(f, call, BuiltIn::LocalInvocationId, 0),
        I::GetNumGroups => work_item::dimension(f, call, BuiltIn::NumWorkgroups, 1),
        I::GetGroupId => work_item::dimension(f, call, BuiltIn::WorkgroupId, 0),
        I::GetGlobalOffset => work_item::dimension(f, call, BuiltIn::GlobalOffset, 0),
        I::GetGlobalLinearId => f.load_builtin(BuiltIn::GlobalLinearId),
        I::GetLocalLinearId => f.load_builtin(BuiltIn::LocalInvocationIndex),
        I::GetSubGroupSize => f.load_builtin(BuiltIn::SubgroupSize),
        I::GetMaxSubGroupSize => f.load_builtin(BuiltIn::SubgroupMaxSize),
        I::GetNumSubGroups => f.load_builtin(BuiltIn::NumSubgroups),
        I::GetEnqueuedNumSubGroups => f.load_builtin(BuiltIn::NumEnqueuedSubgroups),
        I::GetSubGroupId => f.load_builtin(BuiltIn::SubgroupId),
        I::GetSubGroupLocalId => f.load_builtin(BuiltIn::SubgroupLocalInvocationId),
        I::GetSubGroupEqMask => work_item::mask(f, BuiltIn::SubgroupEqMask),
        I::GetSubGroupGeMask => work_item::mask(f, BuiltIn::SubgroupGeMask),
        I::GetSubGroupGtMask => work_item::mask(f, BuiltIn::SubgroupGtMask),
        I::GetSubGroupLeMask => work_item::mask(f, BuiltIn::SubgroupLeMask),
        I::GetSubGroupLtMask => work_item::mask(f, BuiltIn::SubgroupLtMask),

        I::Acos => ext(f, call, Cl::acos),
        I::Acosh => ext(f, call, Cl::acosh),
        I::Acospi => ext(f, call, Cl::acospi),
        I::Asin => ext(f, call, Cl::asin),
        I::Asinh => ext(f, call, Cl::asinh),
        I::Asinpi => ext(f, call, Cl::asinpi),
        I::Atan => ext(f, call, Cl::atan),
        I::Atan2 => ext(f, call, Cl::atan2),
        I::Atanh => ext(f, call, Cl::atanh),
        I::Atanpi => ext(f, call, Cl::atanpi),
        I::Atan2pi => ext(f, call, Cl::atan2pi),
        I::Cbrt => ext(f, call, Cl::cbrt),
        I::Ceil => ext(f, call, Cl::ceil),
        I::Copysign => ext(f, call, Cl::copysign),
        I::Cos => ext(f, call, Cl::cos),
        I::Cosh => ext(f, call, Cl::cosh),
        I::Cospi => ext(f, call, Cl::cospi),
        I::Erfc => ext(f, call, Cl::erfc),
        I::Erf => ext(f, call, Cl::erf),
        I::Exp => ext(f, call, Cl::exp),
        I::Exp2 => ext(f, call, Cl::exp2),
        I::Exp10 => ext(f, call, Cl::exp10),
        I::Expm1 => ext(f, call, Cl::expm1),
        I::Fabs => ext(f, call, Cl::fabs),
        I::Fdim => ext(f, call, Cl::fdim),
        I::Floor => ext(f, call, Cl::floor),
        I::Fma => ext(f, call, Cl::fma),
        I::Fmax => ext(f, call, Cl::fmax),
        I::Fmin => ext(f, call, Cl::fmin),
        I::Fmod => ext(f, call, Cl::fmod),
        I::Hypot => ext(f, call, Cl::hypot),
        I::Ilogb => ext(f, call, Cl::ilogb),
        I::Ldexp => ext(f, call, Cl::ldexp),
        I::Lgamma => ext(f, call, Cl::lgamma),
        I::Log => ext(f, call, Cl::log),
        I::Log2 => ext(f, call, Cl::log2),
        I::Log10 => ext(f, call, Cl::log10),
        I::Log1p => ext(f, call, Cl::log1p),
        I::Logb => ext(f, call, Cl::logb),
        I::Mad => ext(f, call, Cl::mad),
        I::Maxmag => ext(f, call, Cl::maxmag),
        I::Minmag => ext(f, call, Cl::minmag),
        I::Nan => ext(f, call, Cl::nan),
        I::Nextafter => ext(f, call, Cl::nextafter),
        I::Pow => ext(f, call, Cl::pow),
        I::Pown => ext(f, call, Cl::pown),
        I::Powr => ext(f, call, Cl::powr),
        I::Remainder => ext(f, call, Cl::remainder),
        I::Rint => ext(f, call, Cl::rint),
        I::Rootn => ext(f, call, Cl::rootn),
        I::Round => ext(f, call, Cl::round),
        I::Rsqrt => ext(f, call, Cl::rsqrt),
        I::Sin => ext(f, call, Cl::sin),
        I::Sinh => ext(f, call, Cl::sinh),
        I::Sinpi => ext(f, call, Cl::sinpi),
        I::Sqrt => ext(f, call, Cl::sqrt),
        I::Tan => ext(f, call, Cl::tan),
        I::Tanh => ext(f, call, Cl::tanh),
        I::Tanpi => ext(f, call, Cl::tanpi),
        I::Tgamma => ext(f, call, Cl::tgamma),
        I::Trunc => ext(f, call, Cl::trunc),
        I::HalfCos => ext(f, call, Cl::half_cos),
        I::HalfDivide => ext(f, call, Cl::half_divide),
        I::HalfExp => ext(f, call, Cl::half_exp),
        I::HalfExp2 => ext(f, call, Cl::half_exp2),
        I::HalfExp10 => ext(f, call, Cl::half_exp10),
        I::HalfLog => ext(f, call, Cl::half_log),
        I::HalfLog2 => ext(f, call, Cl::half_log2),
        I::HalfLog10 => ext(f, call, Cl::half_log10),
        I::HalfPowr => ext(f, call, Cl::half_powr),
        I::HalfRecip => ext(f, call, Cl::half_recip),
        I::HalfRsqrt => ext(f, call, Cl::half_rsqrt),
        I::HalfSin => ext(f, call, Cl::half_sin),
        I::HalfSqrt => ext(f, call, Cl::half_sqrt),
        I::HalfTan => ext(f, call, Cl::half_tan),
        I::NativeCos => ext(f, call, Cl::native_cos),
        I::NativeDivide => ext(f, call, Cl::native_divide),
        I::NativeExp => ext(f, call, Cl::native_exp),
        I::NativeExp2 => ext(f, call, Cl::native_exp2),
        I::NativeExp10 => ext(f, call, Cl::native_exp10),
        I::NativeLog => ext(f, call, Cl::native_log),
        I::NativeLog2 => ext(f, call, Cl::native_log2),
        I::NativeLog10 => ext(f, call, Cl::native_log10),
        I::NativePowr => ext(f, call, Cl::native_powr),
        I::NativeRecip => ext(f, call, Cl::native_recip),
        I::NativeRsqrt => ext(f, call, Cl::native_rsqrt),
        I::NativeSin => ext(f, call, Cl::native_sin),
        I::NativeSqrt => ext(f, call, Cl::native_sqrt),
        I::NativeTan => ext(f, call, Cl::native_tan),
        I::Fract => ext(f, call, Cl::fract),
        I::Frexp => ext(f, call, Cl::frexp),
        I::LgammaR => ext(f, call, Cl::lgamma_r),
        I::Modf => ext(f, call, Cl::modf),
        I::Remquo => ext(f, call, Cl::remquo),
        I::Sincos => ext(f, call, Cl::sincos),

        I::SAbs => ext(f, call, Cl::s_abs),
        // An unsigned integer is its own absolute value.
        I::UAbs => f.operand(call.arguments[0]),
        I::SAbsDiff => ext(f, call, Cl::s_abs_diff),
        I::UAbsDiff => ext(f, call, Cl::u_abs_diff),
        I::SAddSat => ext(f, call, Cl::s_add_sat),
        I::UAddSat => ext(f, call, Cl::u_add_sat),
        I::SHadd => ext(f, call, Cl::s_hadd),
        I::UHadd => ext(f, call, Cl::u_hadd),
        I::SRhadd => ext(f, call, Cl::s_rhadd),
        I::URhadd => ext(f, call, Cl::u_rhadd),
        I::SClamp => ext(f, call, Cl::s_clamp),
        I::UClamp => ext(f, call, Cl::u_clamp),
        I::Clz => ext(f, call, Cl::clz),
        I::Ctz => ext(f, call, Cl::ctz),
        I::SMadHi => ext(f, call, Cl::s_mad_hi),
        I::UMadHi => ext(f, call, Cl::u_mad_hi),
        I::SMadSat => ext(f, call, Cl::s_mad_sat),
        I::UMadSat => ext(f, call, Cl::u_mad_sat),
        I::SMax => ext(f, call, Cl::s_max),
        I::UMax => ext(f, call, Cl::u_max),
        I::SMin => ext(f, call, Cl::s_min),
        I::UMin => ext(f, call, Cl::u_min),
        I::SMulHi => ext(f, call, Cl::s_mul_hi),
        I::UMulHi => ext(f, call, Cl::u_mul_hi),
        I::Rotate => ext(f, call, Cl::rotate),
        I::SSubSat => ext(f, call, Cl::s_sub_sat),
        I::USubSat => ext(f, call, Cl::u_sub_sat),
        I::SUpsample => ext(f, call, Cl::s_upsample),
        I::UUpsample => ext(f, call, Cl::u_upsample),
        I::Popcount => ext(f, call, Cl::popcount),
        I::SMad24 => ext(f, call, Cl::s_mad24),
        I::UMad24 => ext(f, call, Cl::u_mad24),
        I::SMul24 => ext(f, call, Cl::s_mul24),
        I::UMul24 => ext(f, call, Cl::u_mul24),
        I::BitfieldInsert => integer::bits(f, call, Op::BitFieldInsert),
        I::BitfieldExtractSigned => integer::bits(f, call, Op::BitFieldSExtract),
        I::BitfieldExtractUnsigned => integer::bits(f, call, Op::BitFieldUExtract),
        I::FloatToBFloat16 => common::bfloat16(f, call, Op::ConvertFToBF16INTEL),
        I::BFloat16ToFloat => common::bfloat16(f, call, Op::ConvertBF16ToFINTEL),
        I::BitReverse => integer::bits(f, call, Op::BitReverse),
        I::Dot4x8(signs) => integer::dot(f, call, signs, integer::Input::Vectors, false),
        I::Dot4x8AccSat(signs) => integer::dot(f, call, signs, integer::Input::Vectors, true),
        I::Dot4x8Packed(signs) => integer::dot(f, call, signs, integer::Input::Packed, false),
        I::Dot4x8PackedAccSat(signs) => integer::dot(f, call, signs, integer::Input::Packed, true),

        I::FClamp => ext(f, call, Cl::fclamp),
        I::Degrees => ext(f, call, Cl::degrees),
        I::FMaxCommon => common::extremum(f, call, common::Extremum::Maximum),
        I::FMinCommon => common::extremum(f, call, common::Extremum::Minimum),
        I::Mix => ext(f, call, Cl::mix),
        I::Radians => ext(f, call, Cl::radians),
        I::Step => ext(f, call, Cl::step),
        I::Smoothstep => ext(f, call, Cl::smoothstep),
        I::Sign => ext(f, call, Cl::sign),
        I::Cross => ext(f, call, Cl::cross),
        I::Dot => vectors::dot(f, call),
        I::Distance => ext(f, call, Cl::distance),
        I::Length => ext(f, call, Cl::length),
        I::Normalize => ext(f, call, Cl::normalize),
        I::FastDistance => ext(f, call, Cl::fast_distance),
        I::FastLength => ext(f, call, Cl::fast_length),
        I::FastNormalize => ext(f, call, Cl::fast_normalize),

        I::IsLessGreater => relational::test(f, call, Op::FOrdNotEqual),
        I::IsFinite => relational::test(f, call, Op::IsFinite),
        I::IsInf => relational::test(f, call, Op::IsInf),
        I::IsNan => relational::test(f, call, Op::IsNan),
        I::IsNormal => relational::test(f, call, Op::IsNormal),
        I::IsOrdered => relational::test(f, call, Op::Ordered),
        I::IsUnordered => relational::test(f, call, Op::Unordered),
        I::Signbit => relational::test(f, call, Op::SignBitSet),
        I::Any => relational::quantifier(f, call, Op::Any),
        I::All => relational::quantifier(f, call, Op::All),
        I::Bitselect => ext(f, call, Cl::bitselect),
        I::Select => relational::select(f, call),

        I::Shuffle | I::Shuffle2 => vectors::shuffle(f, call),
        I::Vload => memory::vload(f, call),
        I::VloadHalf => memory::vload_half(f, call, Cl::vload_halfn),
        I::VloadaHalf => memory::vload_half(f, call, Cl::vloada_halfn),
        I::Vstore => ext_void(f, call, Cl::vstoren),
        I::VstoreHalf(rounding) => memory::vstore_half(f, call, rounding, false),
        I::VstoreaHalf(rounding) => memory::vstore_half(f, call, rounding, true),
        I::Prefetch => ext_void(f, call, Cl::prefetch),
        I::Printf => ext(f, call, Cl::printf),
        I::AsyncWorkGroupCopy | I::AsyncWorkGroupStridedCopy => memory::async_copy(f, call),
        I::Matrix(op) => matrices::lower(f, call, op),
        I::Sync(_)
        | I::ToGlobal
        | I::ToLocal
        | I::ToPrivate
        | I::AsyncWorkGroupCopy2D
        | I::AsyncWorkGroupCopy3D
        | I::AsyncWorkGroupCopyFence
        | I::PackHalf2x16
        | I::UnpackHalf2x16
        | I::Media(_)
        | I::IsEqual
        | I::IsNotEqual
        | I::IsGreater
        | I::IsGreaterEqual
        | I::IsLess
        | I::IsLessEqual => f.not_legal(call),
        I::WaitGroupEvents => memory::wait_group_events(f, call),
        I::GetFence => memory::get_fence(f, call),

        I::ReadImage(texel) => images::read(f, call, texel, false),
        I::ReadImageMsaa(texel) => images::read(f, call, texel, true),
        I::ReadImageSampled(texel) => images::sample(f, call, texel, images::Lod::Zero),
        I::ReadImageSampledLod(texel) => images::sample(f, call, texel, images::Lod::Explicit),
        I::ReadImageSampledGrad(texel) => images::sample(f, call, texel, images::Lod::Gradient),
        I::WriteImage(texel) => images::write(f, call, texel, false),
        I::WriteImageLod(texel) => images::write(f, call, texel, true),
        I::GetImageWidth => images::size_component(f, call, 0),
        I::GetImageHeight => images::size_component(f, call, 1),
        I::GetImageDepth => images::size_component(f, call, 2),
        I::GetImageDim => images::dimensions(f, call),
        I::GetImageArraySize => images::array_size(f, call),
        I::GetImageNumMipLevels => images::query(f, call, Op::ImageQueryLevels, 0),
        I::GetImageNumSamples => images::query(f, call, Op::ImageQuerySamples, 0),
        I::GetImageChannelDataType => {
            images::query(f, call, Op::ImageQueryFormat, images::FIRST_CHANNEL_DATA_TYPE)
        }
        I::GetImageChannelOrder => {
            images::query(f, call, Op::ImageQueryOrder, images::FIRST_CHANNEL_ORDER)
        }

        I::ReadPipe => pipes::plain(f, call, Op::ReadPipe),
        I::WritePipe => pipes::plain(f, call, Op::WritePipe),
        I::ReservedReadPipe => pipes::plain(f, call, Op::ReservedReadPipe),
        I::ReservedWritePipe => pipes::plain(f, call, Op::ReservedWritePipe),
        I::ReserveReadPipe => pipes::plain(f, call, Op::ReserveReadPipePackets),
        I::ReserveWritePipe => pipes::plain(f, call, Op::ReserveWritePipePackets),
        I::CommitReadPipe => pipes::plain(f, call, Op::CommitReadPipe),
        I::CommitWritePipe => pipes::plain(f, call, Op::CommitWritePipe),
        I::GetPipeNumPackets => pipes::plain(f, call, Op::GetNumPipePackets),
        I::GetPipeMaxPackets => pipes::plain(f, call, Op::GetMaxPipePackets),
        I::IsValidReserveId => pipes::is_valid_reserve_id(f, call),
        I::WorkGroupReserveReadPipe => {
            pipes::of_group(f, call, Op::GroupReserveReadPipePackets, groups::WORK_GROUP)
        }
        I::WorkGroupReserveWritePipe => {
            pipes::of_group(f, call, Op::GroupReserveWritePipePackets, groups::WORK_GROUP)
        }
        I::WorkGroupCommitReadPipe => {
            pipes::of_group(f, call, Op::GroupCommitReadPipe, groups::WORK_GROUP)
        }
        I::WorkGroupCommitWritePipe => {
            pipes::of_group(f, call, Op::GroupCommitWritePipe, groups::WORK_GROUP)
        }
        I::SubGroupReserveReadPipe => {
            pipes::of_group(f, call, Op::GroupReserveReadPipePackets, groups::SUB_GROUP)
        }
        I::SubGroupReserveWritePipe => {
            pipes::of_group(f, call, Op::GroupReserveWritePipePackets, groups::SUB_GROUP)
        }
        I::SubGroupCommitReadPipe => {
            pipes::of_group(f, call, Op::GroupCommitReadPipe, groups::SUB_GROUP)
        }
        I::SubGroupCommitWritePipe => {
            pipes::of_group(f, call, Op::GroupCommitWritePipe, groups::SUB_GROUP)
        }

        I::EnqueueKernel => device_enqueue::plain(f, call, Op::EnqueueKernel),
        I::EnqueueMarker => device_enqueue::plain(f, call, Op::EnqueueMarker),
        I::GetKernelWorkGroupSize => device_enqueue::plain(f, call, Op::GetKernelWorkGroupSize),
        I::GetKernelPreferredWorkGroupSizeMultiple => {
            device_enqueue::plain(f, call, Op::GetKernelPreferredWorkGroupSizeMultiple)
        }
        I::GetKernelSubGroupCount => {
            device_enqueue::plain(f, call, Op::GetKernelNDrangeSubGroupCount)
        }
        I::GetKernelMaxSubGroupSize => {
            device_enqueue::plain(f, call, Op::GetKernelNDrangeMaxSubGroupSize)
        }
        I::RetainEvent => device_enqueue::plain(f, call, Op::RetainEvent),
        I::ReleaseEvent => device_enqueue::plain(f, call, Op::ReleaseEvent),
        I::CreateUserEvent => device_enqueue::plain(f, call, Op::CreateUserEvent),
        I::IsValidEvent => device_enqueue::is_valid_event(f, call),
        I::SetUserEventStatus => device_enqueue::plain(f, call, Op::SetUserEventStatus),
        I::CaptureEventProfilingInfo => device_enqueue::capture_profiling_info(f, call),
        I::GetDefaultQueue => device_enqueue::plain(f, call, Op::GetDefaultQueue),
        I::BuildNdRange => device_enqueue::nd_range(f, call),
        I::BuildNdRange2D | I::BuildNdRange3D => device_enqueue::nd_range_of_arrays(f, call),

        I::Expect => f.operand(call.arguments[0]),
        I::SpecConstant => f.module.specialized(call.result, call.arguments),
        // Nothing is lost where a promise of the program is not used.
        I::Assume | I::Unreachable => 0,
        I::Trap => f.not_legal(call),

        I::ClockReadDevice | I::ClockReadHiloDevice => {
            work_item::clock(f, call, spirv::Scope::Device)
        }
        I::ClockReadWorkGroup | I::ClockReadHiloWorkGroup => {
            work_item::clock(f, call, spirv::Scope::Workgroup)
        }
        I::ClockReadSubGroup | I::ClockReadHiloSubGroup => {
            work_item::clock(f, call, spirv::Scope::Subgroup)
        }

        I::WorkGroupAll => groups::vote(f, call, Op::GroupAll, groups::WORK_GROUP),
        I::WorkGroupAny => groups::vote(f, call, Op::GroupAny, groups::WORK_GROUP),
        I::WorkGroupBroadcast => groups::broadcast(f, call, groups::WORK_GROUP),
        I::WorkGroup(operation, op) => {
            groups::arithmetic(f, call, operation, op, groups::WORK_GROUP)
        }
        I::SubGroupAll => groups::vote(f, call, Op::GroupAll, groups::SUB_GROUP),
        I::SubGroupAny => groups::vote(f, call, Op::GroupAny, groups::SUB_GROUP),
        I::SubGroupBroadcast => groups::broadcast(f, call, groups::SUB_GROUP),
        I::SubGroup(operation, op) => groups::arithmetic(f, call, operation, op, groups::SUB_GROUP),

        I::SubGroupNonUniform(operation, op) => subgroups::arithmetic(f, call, operation, op),
        I::SubGroupElect => subgroups::elect(f, call),
        I::SubGroupNonUniformAll => subgroups::vote(f, call, Op::GroupNonUniformAll),
        I::SubGroupNonUniformAny => subgroups::vote(f, call, Op::GroupNonUniformAny),
        I::SubGroupNonUniformAllEqual => subgroups::all_equal(f, call),
        I::SubGroupNonUniformBroadcast => subgroups::broadcast(f, call),
        I::SubGroupBroadcastFirst => subgroups::broadcast_first(f, call),
        I::SubGroupBallot => subgroups::ballot(f, call),
        I::SubGroupInverseBallot => {
            subgroups::ballot_test(f, call, Op::GroupNonUniformInverseBallot)
        }
        I::SubGroupBallotBitExtract => {
            subgroups::ballot_test(f, call, Op::GroupNonUniformBallotBitExtract)
        }
        I::SubGroupBallotBitCount => {
            subgroups::ballot_count(f, call, spirv::GroupOperation::Reduce)
        }
        I::SubGroupBallotInclusiveScan => {
            subgroups::ballot_count(f, call, spirv::GroupOperation::InclusiveScan)
        }
        I::SubGroupBallotExclusiveScan => {
            subgroups::ballot_count(f, call, spirv::GroupOperation::ExclusiveScan)
        }
        I::SubGroupBallotFindLsb => {
            subgroups::ballot_find(f, call, Op::GroupNonUniformBallotFindLSB)
        }
        I::SubGroupBallotFindMsb => {
            subgroups::ballot_find(f, call, Op::GroupNonUniformBallotFindMSB)
        }
        I::SubGroupShuffle => subgroups::shuffle(f, call, Op::GroupNonUniformShuffle),
        I::SubGroupShuffleXor => subgroups::shuffle(f, call, Op::GroupNonUniformShuffleXor),
        I::SubGroupShuffleUp => subgroups::shuffle(f, call, Op::GroupNonUniformShuffleUp),
        I::SubGroupShuffleDown => subgroups::shuffle(f, call, Op::GroupNonUniformShuffleDown),
        I::SubGroupRotate | I::SubGroupClusteredRotate => subgroups::rotate(f, call),
        I::IntelSubGroupShuffle => subgroups::intel_shuffle(f, call, Op::SubgroupShuffleINTEL),
        I::IntelSubGroupShuffleDown => {
            subgroups::intel_shuffle(f, call, Op::SubgroupShuffleDownINTEL)
        }
        I::IntelSubGroupShuffleUp => subgroups::intel_shuffle(f, call, Op::SubgroupShuffleUpINTEL),
        I::IntelSubGroupShuffleXor => {
            subgroups::intel_shuffle(f, call, Op::SubgroupShuffleXorINTEL)
        }
        I::IntelSubGroupBlockRead => subgroups::intel_block_read(f, call),
        I::IntelSubGroupBlockWrite => subgroups::intel_block_write(f, call),
    }
}

/// One instruction of OpenCL.std with the call's operands.
fn ext(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Cl) -> Id {
    let operands = f.operands(call.arguments);
    f.ext(op, call.result, &operands)
}

/// As [`ext`], for a call without a result.
fn ext_void(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: Cl) -> Id {
    ext(f, call, op);
    0
}
