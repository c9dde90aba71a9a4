//! What a call to a builtin means, independent of how it was spelled.
//!
//! Signedness is part of the operation where it matters, because the intermediate representation
//! has signless integers; types, widths, address spaces and image kinds come from the operands.
//! Scalar forms (`clamp(float4, float, float)`) are gone here: overload resolution widens such
//! arguments, so that all operands written `gentype` in the specification have one type.

use std::fmt;

pub use crate::effects::Effects;
pub use crate::parameters::{
    Arithmetic, DotSigns, GroupOp, GroupOperation, MatrixOp, MatrixUse, MediaOp, Signedness, Texel,
};
use crate::sync_call::SyncCall;
use crate::types::Rounding;

macro_rules! intrinsics {
    ($($(#[$meta:meta])* $effect:ident { $($(#[$variant_meta:meta])* $variant:ident,)* })*) => {
        /// Semantic operations of the library.
        ///
        /// `clc-spirv` matches this exhaustively without a wildcard: a builtin without a lowering
        /// does not compile. `Display` is the text form of the intermediate representation, and
        /// [`Intrinsic::from_name`] reads it back.
        ///
        /// A variant without a description is the function of OpenCL C that its name spells
        /// (`GetGlobalId` is `get_global_id`), with the operands in the order of the function's
        /// parameters; [`Intrinsic::source_name`] returns one. `S`, `U` or `F` before another
        /// capital (`SMax`) says that the operands are signed integers, unsigned integers or floats.
        #[allow(missing_docs, reason = "most variants are functions of the specification")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Intrinsic {
            $($($(#[$variant_meta])* $variant,)*)*

            /// `vstore_half`, `vstore_halfn` and their rounding forms. Operands: data, offset,
            /// pointer to half. Default rounding is to nearest even.
            VstoreHalf(Option<Rounding>),
            /// `vstorea_halfn` and their rounding forms. Operands as [`Intrinsic::VstoreHalf`].
            VstoreaHalf(Option<Rounding>),

            /// Sampler-less read. Operands: image, coordinate.
            ReadImage(Texel),
            /// Operands: image, coordinate, sample index.
            ReadImageMsaa(Texel),
            /// Operands: image, sampler, coordinate (integer or float).
            ReadImageSampled(Texel),
            /// Operands: image, sampler, float coordinate, level of detail.
            ReadImageSampledLod(Texel),
            /// Operands: image, sampler, float coordinate, gradient x, gradient y.
            ReadImageSampledGrad(Texel),
            /// Operands: image, coordinate, colour.
            WriteImage(Texel),
            /// Operands: image, coordinate, level of detail (int), colour.
            WriteImageLod(Texel),

            /// Operands: two vectors of four 8-bit integers.
            Dot4x8(DotSigns),
            /// Operands: two vectors of four 8-bit integers, accumulator.
            Dot4x8AccSat(DotSigns),
            /// Operands: two `uint` holding four 8-bit integers each.
            Dot4x8Packed(DotSigns),
            /// Operands: as [`Intrinsic::Dot4x8Packed`] and an accumulator.
            Dot4x8PackedAccSat(DotSigns),
            /// Operands as the function has them.
            Media(MediaOp),

            /// Operands as the operation has them.
            Matrix(MatrixOp),

            /// An atomic, a fence or a barrier. `clc-lower` makes instructions of these.
            Sync(SyncCall),

            /// Operand: value.
            WorkGroup(GroupOperation, GroupOp),
            /// Operand: value. All work-items of the sub-group take part.
            SubGroup(GroupOperation, GroupOp),
            /// Operand: value, and the cluster size for clustered reductions. The active
            /// work-items take part.
            SubGroupNonUniform(GroupOperation, GroupOp),
        }

        /// The intrinsics without parameters, with their effects.
        const PLAIN: &[(Intrinsic, &str, Effects)] =
            &[$($((Intrinsic::$variant, stringify!($variant), Effects::$effect),)*)*];

        impl Intrinsic {
            /// What the call does beyond computing its result.
            pub fn effects(self) -> Effects {
                match self {
                    $($(Intrinsic::$variant)|* => Effects::$effect,)*
                    Intrinsic::VstoreHalf(_)
                    | Intrinsic::VstoreaHalf(_)
                    | Intrinsic::WriteImage(_)
                    | Intrinsic::WriteImageLod(_) => Effects::WRITES,
                    Intrinsic::Sync(call) => call.effects(),
                    Intrinsic::Matrix(op) => op.effects(),
                    Intrinsic::ReadImage(_)
                    | Intrinsic::ReadImageMsaa(_)
                    | Intrinsic::ReadImageSampled(_)
                    | Intrinsic::ReadImageSampledLod(_)
                    | Intrinsic::ReadImageSampledGrad(_) => Effects::READS,
                    Intrinsic::Dot4x8(_)
                    | Intrinsic::Dot4x8AccSat(_)
                    | Intrinsic::Dot4x8Packed(_)
                    | Intrinsic::Dot4x8PackedAccSat(_) => Effects::PURE,
                    Intrinsic::Media(op) => op.effects(),
                    Intrinsic::WorkGroup(..)
                    | Intrinsic::SubGroup(..)
                    | Intrinsic::SubGroupNonUniform(..) => Effects::CONVERGENT,
                }
            }
        }
    };
}

intrinsics! {
    PURE {
        // Work-item functions (OpenCL C 6.15.1). Those with a dimension take a uint and return
        // size_t; for a dimension out of range, the value that the specification states.
        GetWorkDim,
        GetGlobalSize,
        GetGlobalId,
        GetLocalSize,
        GetEnqueuedLocalSize,
        GetLocalId,
        GetNumGroups,
        GetGroupId,
        GetGlobalOffset,
        GetGlobalLinearId,
        GetLocalLinearId,
        GetSubGroupSize,
        GetMaxSubGroupSize,
        GetNumSubGroups,
        GetEnqueuedNumSubGroups,
        GetSubGroupId,
        GetSubGroupLocalId,
        GetSubGroupEqMask,
        GetSubGroupGeMask,
        GetSubGroupGtMask,
        GetSubGroupLeMask,
        GetSubGroupLtMask,

        // Math (OpenCL C 6.15.2).
        Acos,
        Acosh,
        Acospi,
        Asin,
        Asinh,
        Asinpi,
        Atan,
        Atan2,
        Atanh,
        Atanpi,
        Atan2pi,
        Cbrt,
        Ceil,
        Copysign,
        Cos,
        Cosh,
        Cospi,
        Erfc,
        Erf,
        Exp,
        Exp2,
        Exp10,
        Expm1,
        Fabs,
        Fdim,
        Floor,
        Fma,
        Fmax,
        Fmin,
        Fmod,
        Hypot,
        Ilogb,
        /// The exponent is widened to the vector's size.
        Ldexp,
        Lgamma,
        Log,
        Log2,
        Log10,
        Log1p,
        Logb,
        Mad,
        Maxmag,
        Minmag,
        Nan,
        Nextafter,
        Pow,
        Pown,
        Powr,
        Remainder,
        Rint,
        Rootn,
        Round,
        Rsqrt,
        Sin,
        Sinh,
        Sinpi,
        Sqrt,
        Tan,
        Tanh,
        Tanpi,
        Tgamma,
        Trunc,
        HalfCos,
        HalfDivide,
        HalfExp,
        HalfExp2,
        HalfExp10,
        HalfLog,
        HalfLog2,
        HalfLog10,
        HalfPowr,
        HalfRecip,
        HalfRsqrt,
        HalfSin,
        HalfSqrt,
        HalfTan,
        NativeCos,
        NativeDivide,
        NativeExp,
        NativeExp2,
        NativeExp10,
        NativeLog,
        NativeLog2,
        NativeLog10,
        NativePowr,
        NativeRecip,
        NativeRsqrt,
        NativeSin,
        NativeSqrt,
        NativeTan,

        // Integer (OpenCL C 6.15.3).
        SAbs,
        UAbs,
        SAbsDiff,
        UAbsDiff,
        SAddSat,
        UAddSat,
        SHadd,
        UHadd,
        SRhadd,
        URhadd,
        SClamp,
        UClamp,
        Clz,
        Ctz,
        SMadHi,
        UMadHi,
        SMadSat,
        UMadSat,
        SMax,
        UMax,
        SMin,
        UMin,
        SMulHi,
        UMulHi,
        Rotate,
        SSubSat,
        USubSat,
        SUpsample,
        UUpsample,
        Popcount,
        SMad24,
        UMad24,
        SMul24,
        UMul24,
        BitfieldInsert,
        BitfieldExtractSigned,
        BitfieldExtractUnsigned,
        BitReverse,

        // What shaders have, for devices whose instructions are measured to round right: two floats in a word as
        // halves, and back.
        PackHalf2x16,
        UnpackHalf2x16,

        // cl_intel_bfloat16_conversions: the bits of a bfloat16 in a 16-bit integer.
        FloatToBFloat16,
        BFloat16ToFloat,

        // Common (OpenCL C 6.15.4) and geometric (6.15.5).
        FClamp,
        Degrees,
        /// `max` of floats, which unlike `fmax` leaves NaN undefined.
        FMaxCommon,
        /// `min` of floats, which unlike `fmin` leaves NaN undefined.
        FMinCommon,
        Mix,
        Radians,
        Step,
        Smoothstep,
        Sign,
        Cross,
        Dot,
        Distance,
        Length,
        Normalize,
        FastDistance,
        FastLength,
        FastNormalize,

        // Relational (OpenCL C 6.15.6). For scalars the result is int 0 or 1, for vectors
        // 0 or -1 in integers of the operand's element size.
        IsEqual,
        IsNotEqual,
        IsGreater,
        IsGreaterEqual,
        IsLess,
        IsLessEqual,
        IsLessGreater,
        IsFinite,
        IsInf,
        IsNan,
        IsNormal,
        IsOrdered,
        IsUnordered,
        Signbit,
        /// Tests most significant bits; returns int 0 or 1.
        Any,
        All,
        Bitselect,
        /// `select(a, b, c)`: scalars test `c` against zero, vectors its most significant bits.
        Select,

        // Vectors.
        /// Operands: vector, mask; the result has the mask's width.
        Shuffle,
        /// Operands: vector, vector, mask.
        Shuffle2,

        // Images (OpenCL C 6.15.15): queries.
        GetImageWidth,
        GetImageHeight,
        GetImageDepth,
        /// int2, or int4 with w = 0 for 3D images.
        GetImageDim,
        GetImageArraySize,
        GetImageNumMipLevels,
        GetImageNumSamples,
        GetImageChannelDataType,
        GetImageChannelOrder,

        // Address spaces (OpenCL C 6.15.10).
        ToGlobal,
        ToLocal,
        ToPrivate,
        GetFence,

        // Compiler hints.
        /// Operands: value, expected value.
        Expect,

        /// A specialization constant. Operands, both constant: its number, its default value.
        SpecConstant,

        // Pipes and device-side enqueue (OpenCL C 6.15.17, 6.15.18).
        IsValidReserveId,
        GetDefaultQueue,
        /// Operands: global size; local size and global size; offset, global size and local size.
        BuildNdRange,
        /// The same with pointers to two sizes each. In the intermediate representation the
        /// operands are arrays: global size, local size, offset.
        BuildNdRange2D,
        BuildNdRange3D,
    }

    READS {
        /// Operands: offset, pointer to element; the result type says how many.
        Vload,
        VloadHalf,
        VloadaHalf,
        ClockReadDevice,
        ClockReadHiloDevice,
        ClockReadWorkGroup,
        ClockReadHiloWorkGroup,
        ClockReadSubGroup,
        ClockReadHiloSubGroup,
        IsValidEvent,
        /// Operands: block (in the intermediate representation: invoke function, context, size
        /// and alignment of the context).
        GetKernelWorkGroupSize,
        GetKernelPreferredWorkGroupSizeMultiple,
        /// Operands: ND-range, block.
        GetKernelSubGroupCount,
        GetKernelMaxSubGroupSize,
    }

    WRITES {
        /// Operands: data, offset, pointer to element.
        Vstore,
        // Math with a pointer for the second result. Operands end with the pointer.
        Fract,
        Frexp,
        LgammaR,
        Modf,
        Remquo,
        /// Returns the sine, stores the cosine.
        Sincos,

        /// Operands: pointer, number of elements.
        Prefetch,
        /// Operands: format, then the promoted arguments.
        Printf,
        /// Operand: condition.
        Assume,
        Unreachable,
        Trap,

        // Pipes. Operands: pipe, …, then size and alignment of the packet.
        /// Operands: pipe, generic pointer, packet size, packet alignment.
        ReadPipe,
        WritePipe,
        /// Operands: pipe, reservation, index, generic pointer, packet size, packet alignment.
        ReservedReadPipe,
        ReservedWritePipe,
        /// Operands: pipe, number of packets, packet size, packet alignment.
        ReserveReadPipe,
        ReserveWritePipe,
        /// Operands: pipe, reservation, packet size, packet alignment.
        CommitReadPipe,
        CommitWritePipe,
        /// Operands: pipe, packet size, packet alignment.
        GetPipeNumPackets,
        GetPipeMaxPackets,

        // Device-side enqueue.
        /// Operands: queue, flags, ND-range, number of events, generic pointer to events, generic
        /// pointer to an event, block, sizes of local memory. In the intermediate representation
        /// the block is its invoke function, context, size and alignment of the context.
        EnqueueKernel,
        /// Operands: queue, number of events, generic pointer to events, generic pointer to an
        /// event.
        EnqueueMarker,
        RetainEvent,
        ReleaseEvent,
        CreateUserEvent,
        SetUserEventStatus,
        CaptureEventProfilingInfo,
    }

    CONVERGENT {
        // Collective functions (OpenCL C 6.15.16 and the sub-group extensions).
        WorkGroupAll,
        WorkGroupAny,
        /// Operands: value, then one to three local ids.
        WorkGroupBroadcast,
        SubGroupAll,
        SubGroupAny,
        SubGroupBroadcast,
        SubGroupElect,
        SubGroupNonUniformAll,
        SubGroupNonUniformAny,
        SubGroupNonUniformAllEqual,
        SubGroupNonUniformBroadcast,
        SubGroupBroadcastFirst,
        SubGroupBallot,
        SubGroupInverseBallot,
        SubGroupBallotBitExtract,
        SubGroupBallotBitCount,
        SubGroupBallotInclusiveScan,
        SubGroupBallotExclusiveScan,
        SubGroupBallotFindLsb,
        SubGroupBallotFindMsb,
        SubGroupShuffle,
        SubGroupShuffleXor,
        SubGroupShuffleUp,
        SubGroupShuffleDown,
        SubGroupRotate,
        SubGroupClusteredRotate,
        /// cl_intel_subgroups: two-operand forms shift through both values.
        IntelSubGroupShuffle,
        IntelSubGroupShuffleDown,
        IntelSubGroupShuffleUp,
        IntelSubGroupShuffleXor,
    }

    BARRIER {
        AsyncWorkGroupCopy,
        AsyncWorkGroupStridedCopy,
        /// Operands: destination, offset, source, offset, bytes of an element, elements of a line,
        /// lines, line length of the source, of the destination, event. `clc-lower` writes it out.
        AsyncWorkGroupCopy2D,
        /// Operands: destination, offset, source, offset, bytes of an element, elements of a line,
        /// lines, planes, line length and plane area of the source, of the destination, event.
        /// `clc-lower` writes it out.
        AsyncWorkGroupCopy3D,
        /// Operand: flags. `clc-lower` writes it out.
        AsyncWorkGroupCopyFence,
        WaitGroupEvents,
        /// Operands: pointer, or image and coordinate.
        IntelSubGroupBlockRead,
        /// Operands: pointer and data, or image, coordinate and data.
        IntelSubGroupBlockWrite,
        // Operands as of the reservations by one work-item.
        WorkGroupReserveReadPipe,
        WorkGroupReserveWritePipe,
        WorkGroupCommitReadPipe,
        WorkGroupCommitWritePipe,
        SubGroupReserveReadPipe,
        SubGroupReserveWritePipe,
        SubGroupCommitReadPipe,
        SubGroupCommitWritePipe,
    }
}

impl fmt::Display for Intrinsic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Intrinsic {
    /// Every intrinsic.
    pub fn all() -> impl Iterator<Item = Intrinsic> {
        PLAIN.iter().map(|&(intrinsic, _, _)| intrinsic).chain(parametrised())
    }

    /// A name that programs call it by: the first of the table, for messages.
    pub fn source_name(self) -> &'static str {
        crate::table::name_of(self).or_else(|| crate::structural::name_of(self)).unwrap_or("?")
    }

    /// Whether `clc-lower` expresses it by others, so that no later stage sees it.
    pub fn is_written_out(self) -> bool {
        matches!(
            self,
            Intrinsic::Media(_)
                | Intrinsic::Sync(_)
                | Intrinsic::IsEqual
                | Intrinsic::IsNotEqual
                | Intrinsic::IsGreater
                | Intrinsic::IsGreaterEqual
                | Intrinsic::IsLess
                | Intrinsic::IsLessEqual
                | Intrinsic::ToGlobal
                | Intrinsic::ToLocal
                | Intrinsic::ToPrivate
                | Intrinsic::AsyncWorkGroupCopy2D
                | Intrinsic::AsyncWorkGroupCopy3D
                | Intrinsic::AsyncWorkGroupCopyFence
        )
    }

    /// Reads the text that `Display` writes.
    pub fn from_name(text: &str) -> Option<Intrinsic> {
        if let Some(&(intrinsic, _, _)) = PLAIN.iter().find(|&&(_, name, _)| name == text) {
            return Some(intrinsic);
        }
        parametrised().find(|intrinsic| intrinsic.to_string() == text)
    }
}

const ROUNDINGS: [Option<Rounding>; 5] = [
    None,
    Some(Rounding::NearestEven),
    Some(Rounding::TowardZero),
    Some(Rounding::TowardPositive),
    Some(Rounding::TowardNegative),
];

fn parametrised() -> impl Iterator<Item = Intrinsic> {
    let stores = ROUNDINGS
        .into_iter()
        .flat_map(|rounding| [Intrinsic::VstoreHalf(rounding), Intrinsic::VstoreaHalf(rounding)]);
    let images = Texel::ALL.into_iter().flat_map(|texel| {
        [
            Intrinsic::ReadImage(texel),
            Intrinsic::ReadImageMsaa(texel),
            Intrinsic::ReadImageSampled(texel),
            Intrinsic::ReadImageSampledLod(texel),
            Intrinsic::ReadImageSampledGrad(texel),
            Intrinsic::WriteImage(texel),
            Intrinsic::WriteImageLod(texel),
        ]
    });
    let dots = DotSigns::ALL.into_iter().flat_map(|signs| {
        [
            Intrinsic::Dot4x8(signs),
            Intrinsic::Dot4x8AccSat(signs),
            Intrinsic::Dot4x8Packed(signs),
            Intrinsic::Dot4x8PackedAccSat(signs),
        ]
    });
    let synchronisation = SyncCall::all().map(Intrinsic::Sync);
    let groups = GroupOperation::ALL.into_iter().flat_map(|operation| {
        GroupOp::ALL.into_iter().flat_map(move |op| {
            [
                Intrinsic::WorkGroup(operation, op),
                Intrinsic::SubGroup(operation, op),
                Intrinsic::SubGroupNonUniform(operation, op),
            ]
        })
    });
    let media = MediaOp::ALL.into_iter().map(Intrinsic::Media);
    let matrices = MatrixOp::ALL.into_iter().map(Intrinsic::Matrix);
    stores
        .chain(images)
        .chain(dots)
        .chain(media)
        .chain(matrices)
        .chain(synchronisation)
        .chain(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clc_base::memory_model::AtomicOp;
    use std::collections::HashSet;

    #[test]
    fn what_the_table_has_says_its_name() {
        assert_eq!(Intrinsic::Fmax.source_name(), "fmax");
        assert_eq!(Intrinsic::Vload.source_name(), "vload2");
        assert_eq!(
            Intrinsic::VstoreHalf(Some(Rounding::TowardZero)).source_name(),
            "vstore_half_rtz"
        );
        assert_eq!(
            Intrinsic::SubGroup(GroupOperation::Reduce, GroupOp::FMax).source_name(),
            "sub_group_reduce_max"
        );
        let maximum = Intrinsic::Sync(SyncCall::Atomic(AtomicOp::FMax));
        assert_eq!(maximum.source_name(), "?");
    }

    #[test]
    fn names_are_unique_and_read_back() {
        let mut seen = HashSet::new();
        for intrinsic in Intrinsic::all() {
            let name = intrinsic.to_string();
            assert_eq!(Intrinsic::from_name(&name), Some(intrinsic), "{name}");
            assert!(seen.insert(name));
        }
        assert!(seen.len() > 400);
        assert_eq!(Intrinsic::from_name("NoSuchThing"), None);
    }
}
