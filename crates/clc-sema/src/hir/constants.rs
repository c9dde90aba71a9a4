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
    Union {
        /// Index of the field.
        field: u32,
        /// A value of the field's type; the rest of the union is padding.
        value: Box<Constant>,
    },
    /// `&global + byte offset`, converted to whatever pointer (or integer) type stands beside it.
    Address {
        /// The object that the address was formed from.
        global: GlobalId,
        /// In bytes; it may lie outside the object.
        offset: i64,
    },
    /// A sampler (OpenCL C 6.15.15.1).
    Sampler(SamplerInit),
}

/// The integer that a `sampler_t` is initialised with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerInit {
    /// The `CLK_*` bits as they stand in the source.
    pub bits: u32,
}
