//! Values of constant expressions.

use super::ids::GlobalId;

/// The value of a constant expression; its type stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// All bits zero: any type, null pointers too.
    Zero,
    /// An integer (bits above the type's width are zero), or the bits of a float in its format.
    Scalar(u64),
    /// One constant for each component of a vector or array, each field of a struct; shorter
    /// lists are filled with zero.
    Composite(Vec<Constant>),
    /// A long run of equal-sized scalars (tables): as `Composite` of `Scalar`.
    Scalars(Vec<u64>),
    /// A union by the field that was initialised.
    Union { field: u32, value: Box<Constant> },
    /// `&global + byte offset`, converted to whatever pointer (or integer) type stands beside it.
    Address { global: GlobalId, offset: i64 },
    /// Sampler bits as in SPIR-V's literal sampler: see [`SamplerInit`].
    Sampler(SamplerInit),
}

/// A `sampler_t` initialiser, decoded from the `CLK_*` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerInit {
    /// The integer given in the source.
    pub bits: u32,
}
