//! How large the errors of math functions may be: OpenCL C 7.4, the tables for the full profile.

/// Errors in units in the last place of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ulps {
    /// For `half`.
    pub half: f64,
    /// For `float`.
    pub float: f64,
    /// For `double`.
    pub double: f64,
}

/// The functions with bounds above zero, by name; 0.5 is correctly rounded.
#[rustfmt::skip]
const BOUNDS: &[(&str, Ulps)] = &[
    ("acos", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("acosh", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("acospi", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("asin", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("asinh", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("asinpi", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("atan", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("atan2", Ulps { half: 2.0, float: 6.0, double: 6.0 }),
    ("atan2pi", Ulps { half: 2.0, float: 6.0, double: 6.0 }),
    ("atanh", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("atanpi", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("cbrt", Ulps { half: 2.0, float: 2.0, double: 2.0 }),
    ("cos", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("cosh", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("cospi", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("erf", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("erfc", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("exp", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("exp10", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("exp2", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("expm1", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("fdim", Ulps { half: 0.5, float: 0.5, double: 0.5 }),
    ("hypot", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("log", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("log10", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("log1p", Ulps { half: 2.0, float: 2.0, double: 2.0 }),
    ("log2", Ulps { half: 2.0, float: 3.0, double: 3.0 }),
    ("pow", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("pown", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("powr", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("rootn", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
    ("rsqrt", Ulps { half: 1.0, float: 2.0, double: 2.0 }),
    ("sin", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("sincos", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("sinh", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("sinpi", Ulps { half: 2.0, float: 4.0, double: 4.0 }),
    ("sqrt", Ulps { half: 1.5, float: 3.0, double: 0.5 }),
    ("tan", Ulps { half: 2.5, float: 5.0, double: 5.0 }),
    ("tanh", Ulps { half: 2.0, float: 5.0, double: 5.0 }),
    ("tanpi", Ulps { half: 2.0, float: 6.0, double: 6.0 }),
    ("tgamma", Ulps { half: 4.0, float: 16.0, double: 16.0 }),
];

/// The largest error of the function `name`; `None` for functions that are exact, and for those whose error
/// OpenCL does not bound.
pub fn ulps(name: &str) -> Option<Ulps> {
    let row = BOUNDS.binary_search_by_key(&name, |row| row.0).ok()?;
    Some(BOUNDS[row].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_order() {
        assert!(BOUNDS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(ulps("tanpi").map(|ulps| ulps.float), Some(6.0));
        assert_eq!(ulps("floor"), None);
    }
}
