//! The types that builtins are declared over.

use std::fmt;

use clc_base::lang::AddressBits;
use clc_base::{AddressSpace, Version};

use crate::ExtensionSet;

/// Arithmetic scalar types with their signedness. `size_t` and the like are `UInt`/`ULong` by
/// address width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// OpenCL C `bool`: 0 or 1.
    Bool,
    /// Signed 8-bit integer.
    Char,
    /// Unsigned 8-bit integer.
    UChar,
    /// Signed 16-bit integer.
    Short,
    /// Unsigned 16-bit integer.
    UShort,
    /// Signed 32-bit integer.
    Int,
    /// Unsigned 32-bit integer.
    UInt,
    /// Signed 64-bit integer.
    Long,
    /// Unsigned 64-bit integer.
    ULong,
    /// IEEE 754 binary16 (cl_khr_fp16).
    Half,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64 (cl_khr_fp64).
    Double,
}

impl Scalar {
    /// In declaration order.
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::Char,
        Scalar::UChar,
        Scalar::Short,
        Scalar::UShort,
        Scalar::Int,
        Scalar::UInt,
        Scalar::Long,
        Scalar::ULong,
        Scalar::Half,
        Scalar::Float,
        Scalar::Double,
    ];

    /// Size in bytes; equals the alignment.
    pub fn size(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::Char | Scalar::UChar => 1,
            Scalar::Short | Scalar::UShort | Scalar::Half => 2,
            Scalar::Int | Scalar::UInt | Scalar::Float => 4,
            Scalar::Long | Scalar::ULong | Scalar::Double => 8,
        }
    }

    /// Size in bits; 8 for `bool`.
    pub fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// Whether it is `half`, `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::Float | Scalar::Double)
    }

    /// Whether it is an integer; `bool` is one.
    pub fn is_integer(self) -> bool {
        !self.is_float()
    }

    /// Signed integers; not floats.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Char | Scalar::Short | Scalar::Int | Scalar::Long)
    }

    /// The spelling used in diagnostics: `uchar`, `ulong`.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Char => "char",
            Scalar::UChar => "uchar",
            Scalar::Short => "short",
            Scalar::UShort => "ushort",
            Scalar::Int => "int",
            Scalar::UInt => "uint",
            Scalar::Long => "long",
            Scalar::ULong => "ulong",
            Scalar::Half => "half",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    /// The signed integer of this size (floats: the integer that relational builtins return).
    pub fn to_signed(self) -> Scalar {
        match self.size() {
            1 => Scalar::Char,
            2 => Scalar::Short,
            4 => Scalar::Int,
            _ => Scalar::Long,
        }
    }

    /// The unsigned integer of this size.
    pub fn to_unsigned(self) -> Scalar {
        match self.size() {
            1 => Scalar::UChar,
            2 => Scalar::UShort,
            4 => Scalar::UInt,
            _ => Scalar::ULong,
        }
    }
}

/// Rounding modes of explicit conversions (OpenCL C 6.4.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `_rte`: to nearest, ties to even.
    NearestEven,
    /// `_rtz`: toward zero.
    TowardZero,
    /// `_rtp`: toward positive infinity.
    TowardPositive,
    /// `_rtn`: toward negative infinity.
    TowardNegative,
}

/// Access qualifiers of images and pipes (OpenCL C 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// `read_only`, the default.
    ReadOnly,
    /// `write_only`
    WriteOnly,
    /// `read_write`: of images since OpenCL C 2.0; never of pipes.
    ReadWrite,
}

impl Access {
    /// `read_only`
    pub fn name(self) -> &'static str {
        match self {
            Access::ReadOnly => "read_only",
            Access::WriteOnly => "write_only",
            Access::ReadWrite => "read_write",
        }
    }
}

/// Image types without their access qualifier (OpenCL C 6.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImageKind {
    /// `image1d_t`
    Image1d,
    /// `image1d_buffer_t`: texels of a buffer; no samplers.
    Image1dBuffer,
    /// `image1d_array_t`
    Image1dArray,
    /// `image2d_t`
    Image2d,
    /// `image2d_array_t`
    Image2dArray,
    /// `image2d_depth_t`: one `float` for a texel, as of all depth images.
    Image2dDepth,
    /// `image2d_array_depth_t`
    Image2dArrayDepth,
    /// `image2d_msaa_t` (cl_khr_gl_msaa_sharing): several samples for each texel.
    Image2dMsaa,
    /// `image2d_array_msaa_t`
    Image2dArrayMsaa,
    /// `image2d_msaa_depth_t`
    Image2dMsaaDepth,
    /// `image2d_array_msaa_depth_t`
    Image2dArrayMsaaDepth,
    /// `image3d_t`
    Image3d,
}

impl ImageKind {
    /// Components of an integer or float coordinate: 1, 2, or 4 where the last is ignored.
    pub fn coordinate_width(self) -> u8 {
        match self {
            ImageKind::Image1d | ImageKind::Image1dBuffer => 1,
            ImageKind::Image1dArray
            | ImageKind::Image2d
            | ImageKind::Image2dDepth
            | ImageKind::Image2dMsaa
            | ImageKind::Image2dMsaaDepth => 2,
            ImageKind::Image2dArray
            | ImageKind::Image2dArrayDepth
            | ImageKind::Image2dArrayMsaa
            | ImageKind::Image2dArrayMsaaDepth
            | ImageKind::Image3d => 4,
        }
    }

    /// Spatial dimensions, without the layer of arrays.
    pub fn dimensions(self) -> u8 {
        match self {
            ImageKind::Image1d | ImageKind::Image1dBuffer | ImageKind::Image1dArray => 1,
            ImageKind::Image2d
            | ImageKind::Image2dArray
            | ImageKind::Image2dDepth
            | ImageKind::Image2dArrayDepth
            | ImageKind::Image2dMsaa
            | ImageKind::Image2dArrayMsaa
            | ImageKind::Image2dMsaaDepth
            | ImageKind::Image2dArrayMsaaDepth => 2,
            ImageKind::Image3d => 3,
        }
    }

    /// Whether it has layers.
    pub fn is_array(self) -> bool {
        match self {
            ImageKind::Image1dArray
            | ImageKind::Image2dArray
            | ImageKind::Image2dArrayDepth
            | ImageKind::Image2dArrayMsaa
            | ImageKind::Image2dArrayMsaaDepth => true,
            ImageKind::Image1d
            | ImageKind::Image1dBuffer
            | ImageKind::Image2d
            | ImageKind::Image2dDepth
            | ImageKind::Image2dMsaa
            | ImageKind::Image2dMsaaDepth
            | ImageKind::Image3d => false,
        }
    }

    /// `image2d_t`
    pub fn name(self) -> &'static str {
        match self {
            ImageKind::Image1d => "image1d_t",
            ImageKind::Image1dBuffer => "image1d_buffer_t",
            ImageKind::Image1dArray => "image1d_array_t",
            ImageKind::Image2d => "image2d_t",
            ImageKind::Image2dArray => "image2d_array_t",
            ImageKind::Image2dDepth => "image2d_depth_t",
            ImageKind::Image2dArrayDepth => "image2d_array_depth_t",
            ImageKind::Image2dMsaa => "image2d_msaa_t",
            ImageKind::Image2dArrayMsaa => "image2d_array_msaa_t",
            ImageKind::Image2dMsaaDepth => "image2d_msaa_depth_t",
            ImageKind::Image2dArrayMsaaDepth => "image2d_array_msaa_depth_t",
            ImageKind::Image3d => "image3d_t",
        }
    }
}

/// The type of a parameter, a result or an argument of a builtin.
///
/// Qualifiers of a value do not matter here; those of a pointee do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinType {
    /// No value; also what `void *` points to.
    Void,
    /// `bool` and the arithmetic types.
    Scalar(Scalar),
    /// 2, 3, 4, 8 or 16 components.
    Vector(Scalar, u8),
    /// `pointee *`
    Pointer {
        /// The type pointed to, without its qualifiers.
        pointee: Box<BuiltinType>,
        /// The address space of the pointee.
        space: AddressSpace,
        /// The pointee is `const`.
        is_const: bool,
        /// The pointee is `volatile`.
        is_volatile: bool,
    },
    /// `atomic_int` and the like.
    Atomic(Scalar),
    /// `atomic_flag`
    AtomicFlag,
    /// An image with its access qualifier.
    Image(ImageKind, Access),
    /// `sampler_t`
    Sampler,
    /// `event_t`, of asynchronous copies.
    Event,
    /// `queue_t`
    Queue,
    /// `clk_event_t`, of enqueued kernels.
    ClkEvent,
    /// `ndrange_t`
    NdRange,
    /// `reserve_id_t`, a reservation of packets of a pipe.
    ReserveId,
    /// A pipe; the packet is described by its size and alignment elsewhere.
    Pipe(Access),
    /// A cooperative matrix; its elements, shape and use are for the caller to check.
    Matrix,
    /// A block; whether its parameters fit is for the caller to check.
    Block,
    /// The null pointer constant `0` or `NULL` (argument types only): converts to any pointer.
    NullPointer,
    /// A type that no builtin takes by name: records, arrays of unknown kind.
    Other,
}

impl fmt::Display for BuiltinType {
    /// The spelling of diagnostics: `const global float4*`, `read_only image2d_t`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuiltinType::Void => f.write_str("void"),
            BuiltinType::Scalar(scalar) => f.write_str(scalar.name()),
            BuiltinType::Vector(scalar, width) => write!(f, "{}{width}", scalar.name()),
            BuiltinType::Pointer { pointee, space, is_const, is_volatile } => {
                if *is_const {
                    f.write_str("const ")?;
                }
                if *is_volatile {
                    f.write_str("volatile ")?;
                }
                write!(f, "{space} {pointee}*")
            }
            BuiltinType::Atomic(scalar) => write!(f, "atomic_{}", scalar.name()),
            BuiltinType::AtomicFlag => f.write_str("atomic_flag"),
            BuiltinType::Image(kind, access) => write!(f, "{} {}", access.name(), kind.name()),
            BuiltinType::Sampler => f.write_str("sampler_t"),
            BuiltinType::Event => f.write_str("event_t"),
            BuiltinType::Queue => f.write_str("queue_t"),
            BuiltinType::ClkEvent => f.write_str("clk_event_t"),
            BuiltinType::NdRange => f.write_str("ndrange_t"),
            BuiltinType::ReserveId => f.write_str("reserve_id_t"),
            BuiltinType::Pipe(access) => write!(f, "{} pipe", access.name()),
            BuiltinType::Matrix => f.write_str("a cooperative matrix"),
            BuiltinType::Block => f.write_str("a block"),
            BuiltinType::NullPointer => f.write_str("a null pointer constant"),
            BuiltinType::Other => f.write_str("another type"),
        }
    }
}

/// What decides which builtins exist.
#[derive(Clone, Copy, Debug)]
pub struct Environment<'a> {
    /// The version of OpenCL C that the program is compiled as.
    pub version: Version,
    /// Extensions and features that are supported by the target and not disabled.
    pub extensions: &'a ExtensionSet,
    /// Decides which types `size_t` and the like are.
    pub address_bits: AddressBits,
}
