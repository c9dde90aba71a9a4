//! Type names that the language declares (OpenCL C 6.3).

use clc_base::diagnostic::did_you_mean;

use super::meaning::Meaning;

impl Meaning {
    /// What a name is that the program did not declare.
    pub fn undeclared(name: &str) -> Meaning {
        match name {
            "__builtin_astype" | "__builtin_convertvector" => Meaning::Conversion,
            _ => meaning(name),
        }
    }
}

const SCALARS: &[&str] = &[
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double",
];

const LENGTHS: &[&str] = &["2", "3", "4", "8", "16"];

/// Names that are not a scalar with a length. Sorted.
const OTHERS: &[&str] = &[
    "atomic_bool",
    "atomic_char",
    "atomic_double",
    "atomic_flag",
    "atomic_float",
    "atomic_half",
    "atomic_int",
    "atomic_intmax_t",
    "atomic_intptr_t",
    "atomic_long",
    "atomic_ptrdiff_t",
    "atomic_short",
    "atomic_size_t",
    "atomic_uchar",
    "atomic_uint",
    "atomic_uintmax_t",
    "atomic_uintptr_t",
    "atomic_ulong",
    "atomic_ushort",
    "cl_mem_fence_flags",
    "clk_event_t",
    "clk_profiling_info",
    "event_t",
    "image1d_array_t",
    "image1d_buffer_t",
    "image1d_t",
    "image2d_array_depth_t",
    "image2d_array_msaa_depth_t",
    "image2d_array_msaa_t",
    "image2d_array_t",
    "image2d_depth_t",
    "image2d_msaa_depth_t",
    "image2d_msaa_t",
    "image2d_t",
    "image3d_t",
    "intptr_t",
    "kernel_enqueue_flags_t",
    "memory_order",
    "memory_scope",
    "ndrange_t",
    "ptrdiff_t",
    "queue_t",
    "reserve_id_t",
    "sampler_t",
    "size_t",
    "uchar",
    "uint",
    "uintptr_t",
    "ulong",
    "ushort",
];

/// What a name means before the program declares it.
pub(super) fn meaning(name: &str) -> Meaning {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if scalar.len() < name.len() {
        let length = &name[scalar.len()..];
        return match SCALARS.contains(&scalar) && LENGTHS.contains(&length) {
            true => Meaning::Vector,
            false => Meaning::Ordinary,
        };
    }
    match OTHERS.binary_search(&name) {
        Ok(_) => Meaning::Type,
        Err(_) => Meaning::Ordinary,
    }
}

/// The vector type whose element is misspelt in a name: `float4` for `flaot4`.
pub(super) fn similar_vector(name: &str) -> Option<String> {
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

/// Whether the language predeclares a type of this name, vectors included.
pub fn is_type(name: &str) -> bool {
    meaning(name).is_type()
}

/// The names of all vector types.
pub fn vectors() -> impl Iterator<Item = String> {
    SCALARS.iter().flat_map(|scalar| LENGTHS.iter().map(move |length| format!("{scalar}{length}")))
}

/// Every predeclared type name but vectors, which are made of the scalars.
pub fn names<'a>() -> impl Iterator<Item = &'a str> {
    OTHERS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(OTHERS.is_sorted());
    }

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

    #[test]
    fn vectors_are_known_by_their_form() {
        for name in ["float4", "uchar16", "half3", "ulong8"] {
            assert_eq!(meaning(name), Meaning::Vector, "{name}");
        }
        for name in ["float", "float5", "float44", "bool2", "size_t4", "x", "", "4", "int1"] {
            assert_eq!(meaning(name), Meaning::Ordinary, "{name}");
        }
        for name in ["uint", "image2d_array_depth_t", "memory_scope"] {
            assert_eq!(meaning(name), Meaning::Type, "{name}");
        }
    }
}
