//! Language versions, address spaces and the options that change what a program means.

use std::fmt;

/// OpenCL C versions, oldest first. There is no OpenCL C 2.1 or 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// OpenCL C 1.0
    V1_0,
    /// OpenCL C 1.1
    V1_1,
    /// OpenCL C 1.2
    V1_2,
    /// OpenCL C 2.0
    V2_0,
    /// OpenCL C 3.0
    V3_0,
    /// OpenCL C 3.1
    V3_1,
}

impl Version {
    /// All versions, in ascending order.
    pub const ALL: [Version; 6] =
        [Version::V1_0, Version::V1_1, Version::V1_2, Version::V2_0, Version::V3_0, Version::V3_1];

    /// The value of `__OPENCL_C_VERSION__`: 100 × major + 10 × minor.
    pub fn number(self) -> u32 {
        match self {
            Version::V1_0 => 100,
            Version::V1_1 => 110,
            Version::V1_2 => 120,
            Version::V2_0 => 200,
            Version::V3_0 => 300,
            Version::V3_1 => 310,
        }
    }

    /// Parses the argument of `-cl-std=`: `CL1.2`, also `CL` (1.0) and the lower-case forms.
    pub fn from_option(text: &str) -> Option<Version> {
        let rest = text.strip_prefix("CL").or_else(|| text.strip_prefix("cl"))?;
        match rest {
            "" | "1.0" => Some(Version::V1_0),
            "1.1" => Some(Version::V1_1),
            "1.2" => Some(Version::V1_2),
            "2.0" => Some(Version::V2_0),
            "3.0" => Some(Version::V3_0),
            "3.1" => Some(Version::V3_1),
            _ => None,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.number() / 100, self.number() / 10 % 10)
    }
}

/// The named address spaces of OpenCL C 6.7 and the generic one of 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressSpace {
    /// `private`: of one work-item.
    Private,
    /// `global`: of all devices of a context.
    Global,
    /// `local`: of a work-group.
    Local,
    /// `constant`: global, and never written.
    Constant,
    /// Private, local or global (OpenCL C 6.7.5).
    Generic,
}

impl AddressSpace {
    /// The qualifier as people write it, without underscores.
    pub fn name(self) -> &'static str {
        match self {
            AddressSpace::Private => "private",
            AddressSpace::Global => "global",
            AddressSpace::Local => "local",
            AddressSpace::Constant => "constant",
            AddressSpace::Generic => "generic",
        }
    }
}

impl fmt::Display for AddressSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Width of `size_t`, `ptrdiff_t`, `intptr_t` and of pointers in every address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressBits {
    /// Pointers and `size_t` have 32 bits.
    Bits32,
    /// Pointers and `size_t` have 64 bits.
    Bits64,
}

impl AddressBits {
    /// Bytes of a pointer.
    pub fn bytes(self) -> u64 {
        match self {
            AddressBits::Bits32 => 4,
            AddressBits::Bits64 => 8,
        }
    }
}

/// The `-cl-*` floating-point options of `clBuildProgram`, after implications
/// (`-cl-fast-relaxed-math` sets several).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatOptions {
    /// `-cl-mad-enable`
    pub mad_enable: bool,
    /// `-cl-unsafe-math-optimizations`
    pub unsafe_math: bool,
    /// `-cl-finite-math-only`
    pub finite_math_only: bool,
    /// `-cl-no-signed-zeros`
    pub no_signed_zeros: bool,
    /// `-cl-fast-relaxed-math`; defines `__FAST_RELAXED_MATH__`
    pub fast_relaxed_math: bool,
    /// `-cl-denorms-are-zero`
    pub denorms_are_zero: bool,
    /// `-cl-fp32-correctly-rounded-divide-sqrt`
    pub correctly_rounded_divide_sqrt: bool,
    /// `-cl-single-precision-constant`
    pub single_precision_constant: bool,
}
/// The size of a work-group in one dimension, as `reqd_work_group_size` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupExtent {
    /// This many work-items.
    Fixed(u32),
    /// A specialization constant of the program, of 32 bits.
    Constant {
        /// By which the host names it.
        number: u32,
        /// The work-items if the host does not choose them.
        default: u32,
    },
}

impl GroupExtent {
    /// The work-items if the host does not choose them.
    pub fn default_size(self) -> u32 {
        match self {
            GroupExtent::Fixed(size) | GroupExtent::Constant { number: _, default: size } => size,
        }
    }
}
