//! The types that are meant by names which are none.

use clc_base::diagnostic::did_you_mean;

use crate::parse::predeclared::{LENGTHS, SCALARS, names};

/// The vector type whose element is misspelt in a name: `float4` for `flaot4`.
fn similar_vector(name: &str) -> Option<String> {
    let element = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let length = &name[element.len()..];
    let meant = did_you_mean(element, SCALARS.iter().copied())?;
    LENGTHS.contains(&length).then(|| format!("{meant}{length}"))
}

/// The type whose name is most like one that is unknown.
pub fn similar_type(name: &str) -> Option<String> {
    let scalars = SCALARS.iter().copied().chain(["void", "bool", "unsigned", "signed"]);
    similar_vector(name).or_else(|| did_you_mean(name, names().chain(scalars)).map(str::to_owned))
}

/// The OpenCL C type that has the width of a type of `<stdint.h>`.
pub(super) fn standard_integer(name: &str) -> Option<&'static str> {
    Some(match name {
        "int8_t" | "int_least8_t" | "int_fast8_t" | "schar" | "i8" => "char",
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_char" | "u8" => "uchar",
        "int16_t" | "int_least16_t" | "int_fast16_t" | "i16" => "short",
        "uint16_t" | "uint_least16_t" | "uint_fast16_t" | "u_short" | "u16" => "ushort",
        "int32_t" | "int_least32_t" | "int_fast32_t" | "i32" => "int",
        "uint32_t" | "uint_least32_t" | "uint_fast32_t" | "u_int" | "u32" => "uint",
        "int64_t" | "int_least64_t" | "int_fast64_t" | "intmax_t" | "i64" => "long",
        "uint64_t" | "uint_least64_t" | "uint_fast64_t" | "uintmax_t" | "u_long" | "u64" => "ulong",
        "ssize_t" => "ptrdiff_t",
        "cl_char" => "char",
        "cl_uchar" => "uchar",
        "cl_short" => "short",
        "cl_ushort" => "ushort",
        "cl_int" => "int",
        "cl_uint" => "uint",
        "cl_long" => "long",
        "cl_ulong" => "ulong",
        "cl_half" => "half",
        "cl_float" => "float",
        "cl_double" => "double",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_vectors_are_guessed_by_their_elements() {
        assert_eq!(similar_vector("flaot4").as_deref(), Some("float4"));
        assert_eq!(similar_vector("uhcar16").as_deref(), Some("uchar16"));
        for name in ["float4", "flaot5", "flaot", "x4", "4"] {
            assert_eq!(similar_vector(name), None, "{name}");
        }
    }

    #[test]
    fn misspelt_types_are_guessed() {
        for (name, meant) in [
            ("flaot", Some("float")),
            ("flaot4", Some("float4")),
            ("Float4", Some("float4")),
            ("itn", Some("int")),
            ("image2d", Some("image2d_t")),
            ("smapler_t", Some("sampler_t")),
            ("vector3", None),
            ("string", None),
            ("x", None),
        ] {
            assert_eq!(similar_type(name).as_deref(), meant, "{name}");
        }
    }
}
