//! Functions that the driver gets wrong by itself.
//!
//! Each case is checked: results must be wrong, or the case is out of date, and the driver's own
//! compiler must give the same bits for the same source, or the error is ours.

/// Title of a function as in messages, and what the driver does.
const CASES: &[(&str, &str)] = &[
    ("mad_sat(intn, intn, intn)", "vectors saturate where nothing overflows"),
    ("mad_sat(uintn, uintn, uintn)", "vectors wrap around"),
    ("mad_sat(longn, longn, longn)", "saturates to the wrong end"),
    ("distance(halfn, halfn)", "the distance of scalars has a sign"),
    ("length(halfn)", "the length of a scalar has its sign"),
    ("normalize(halfn)", "a negative scalar becomes one"),
    ("normalize(floatn)", "a vector of zeros becomes NaN"),
    ("fract(halfn, private halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, local halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, global halfn*)", "infinities and NaN have a fraction just below one"),
    ("fract(halfn, generic halfn*)", "infinities and NaN have a fraction just below one"),
    ("shuffle(double4, ulong4)", "permutes halves of components"),
    ("shuffle(double4, ulong8)", "permutes halves of components"),
    ("shuffle(double4, ulong16)", "permutes halves of components"),
    ("shuffle(long4, ulong4)", "permutes halves of components"),
    ("shuffle(long4, ulong8)", "permutes halves of components"),
    ("shuffle(long4, ulong16)", "permutes halves of components"),
    ("shuffle(ulong4, ulong4)", "permutes halves of components"),
    ("shuffle(ulong4, ulong8)", "permutes halves of components"),
    ("shuffle(ulong4, ulong16)", "permutes halves of components"),
    ("convert_uint{n}_sat(halfn)", "NaN becomes the greatest number, where zero is recommended"),
    (
        "convert_uint{n}_sat_rtz(halfn)",
        "NaN becomes the greatest number, where zero is recommended",
    ),
    ("convert_uint{n}_sat(floatn)", "NaN becomes the greatest number, where zero is recommended"),
    (
        "convert_uint{n}_sat_rtz(floatn)",
        "NaN becomes the greatest number, where zero is recommended",
    ),
    (
        "to_global, to_local, to_private, get_fence",
        "all pointers look as if they pointed everywhere",
    ),
    (r#"printf("%d\n", printf("inner\n"))"#, "returns the number of characters instead of zero"),
];

/// What the driver is known to do in this function.
pub fn find(title: &str) -> Option<&'static str> {
    CASES.iter().find(|(listed, _)| *listed == title).map(|&(_, reason)| reason)
}

/// Functions that are not precise enough where they are expanded for a shader, and why.
const IMPRECISE: &[(&str, &str)] = &[(
    "rsqrt(floatn)",
    "it is `native_rsqrt`, which has 12 bits; the instruction of Vulkan has errors of 2 units",
)];

/// Why an expanded function is not precise enough here.
pub fn imprecise(title: &str) -> Option<&'static str> {
    IMPRECISE.iter().find(|(listed, _)| *listed == title).map(|&(_, reason)| reason)
}

/// Functions that the driver does not build, or crashes on, in any case.
const UNBUILDABLE: &[(&str, &str)] = &[
    ("work_group_broadcast(half, 5)", "crashes in a pass of its own"),
    ("work_group_broadcast(half, 1, 2, 3)", "crashes in a pass of its own"),
];

/// Whether the driver is known not to build this function. Such kernels are modules of their own.
pub fn is_unbuildable(title: &str) -> bool {
    UNBUILDABLE.iter().any(|(listed, _)| *listed == title)
}
