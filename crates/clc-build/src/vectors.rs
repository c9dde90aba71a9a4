//! Numbers and vectors of OpenCL C in Rust.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clc::reflection::ModuleDescription;
use clc::reflection::module::{Scalar, Type, TypeKind};

/// The primitive type with the bits of a scalar. Halves are their bits: Rust's `f16` is not stable.
pub(crate) fn primitive(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool | Scalar::UChar => "u8",
        Scalar::Char => "i8",
        Scalar::Short => "i16",
        Scalar::UShort | Scalar::Half => "u16",
        Scalar::Int => "i32",
        Scalar::UInt => "u32",
        Scalar::Long => "i64",
        Scalar::ULong => "u64",
        Scalar::Float => "f32",
        Scalar::Double => "f64",
    }
}

/// The name of the Rust type of a vector: `Float4`, `UChar2`.
pub(crate) fn vector_name(scalar: Scalar, count: u32) -> String {
    format!("{scalar:?}{count}")
}

/// Adds the vectors that arguments and structs are made of, by their names in Rust.
pub(crate) fn collect(
    description: &ModuleDescription,
    vectors: &mut BTreeMap<String, (Scalar, u32)>,
) {
    let mut look = |ty: &Type| {
        let mut ty = ty;
        while let TypeKind::Pointer { pointee: Some(pointee), .. } = &ty.kind {
            ty = pointee;
        }
        if let TypeKind::Vector(scalar, count) = ty.kind {
            vectors.insert(vector_name(scalar, count), (scalar, count));
        }
    };
    for argument in description.kernels.iter().flat_map(|kernel| &kernel.arguments) {
        look(&argument.ty);
    }
    description.structs.iter().flat_map(|found| &found.members).for_each(|member| look(&member.ty));
}

/// The module `vector`; `allow` is the attribute before it.
pub(crate) fn module(vectors: &BTreeMap<String, (Scalar, u32)>, allow: &str) -> String {
    let mut out = format!(
        "\n/// Vectors with their alignment on the device. As in OpenCL's headers, those of three components \
         have a\n/// fourth, which pads them.\n{allow}\npub mod vector {{\n"
    );
    for (name, &(scalar, count)) in vectors {
        let (primitive, held) = (primitive(scalar), count.next_power_of_two());
        let size = scalar.size() * u64::from(held);
        let zero = if scalar == Scalar::Float || scalar == Scalar::Double { "0.0" } else { "0" };
        let _ = writeln!(
            out,
            "    #[repr(C, align({size}))]\n    #[derive(Clone, Copy, Debug, PartialEq)]\n    \
             pub struct {name}(pub [{primitive}; {held}]);\n    \
             impl {name} {{\n        pub const ZERO: Self = Self([{zero}; {held}]);\n    }}\n    \
             const _: () = assert!(core::mem::size_of::<{name}>() == {size});"
        );
    }
    out.push_str("}\n");
    out
}
