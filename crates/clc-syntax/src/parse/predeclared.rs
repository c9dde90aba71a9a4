//! Type names that the language declares (OpenCL C 6.3).

/// What an identifier means to the grammar where it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Not yet looked up among the names that the language predeclares.
    Unresolved,
    /// A variable, function, enumerator, or nothing.
    Ordinary,
    Type,
    /// A type that certainly is a vector: `(T)(…)` is a literal, a primary expression.
    Vector,
}

impl Meaning {
    #[inline]
    pub fn is_type(self) -> bool {
        matches!(self, Meaning::Type | Meaning::Vector)
    }
}

pub(super) const SCALARS: &[&str] = &[
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double",
];

pub(super) const LENGTHS: &[&str] = &["2", "3", "4", "8", "16"];

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
