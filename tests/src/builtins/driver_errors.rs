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
];

/// What the driver is known to do in this function.
pub fn find(title: &str) -> Option<&'static str> {
    CASES.iter().find(|(listed, _)| *listed == title).map(|&(_, reason)| reason)
}
