//! The overload engine.

use crate::types::{BuiltinType, Environment};
use crate::{Extension, Intrinsic};
use clc_base::Version;

/// The overload a call chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub meaning: Meaning,
    /// The types the arguments are converted to; arguments beyond these (printf) undergo the
    /// default argument promotions.
    pub parameters: Vec<BuiltinType>,
    pub result: BuiltinType,
}

/// How a resolved call is expressed in the typed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Call the intrinsic with the converted arguments.
    Intrinsic(Intrinsic),
    /// `convert_T[_sat][_rtX]`: a conversion to the result type.
    Convert { rounding: Option<Rounding>, saturate: bool },
    /// `as_T`: reinterpret the bits as the result type.
    Reinterpret,
}

/// Rounding modes of explicit conversions (OpenCL C 6.4.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    NearestEven,
    TowardZero,
    TowardPositive,
    TowardNegative,
}

/// Why no overload fits. All texts are ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The name exists, but only from a later version on or with an extension.
    Missing { since: Option<Version>, extension: Option<Extension> },
    /// The best overloads tie (indices of the tied overloads' texts).
    Ambiguous { candidates: Vec<String> },
    /// Each near candidate with the reason it fails: `clamp(float4, float4, float4)` and
    /// `argument 2 is int4; vectors do not convert implicitly`.
    NoMatch { candidates: Vec<(String, String)> },
}

/// Whether `name` is a builtin function in some version of the language.
pub fn is_builtin(name: &str) -> bool {
    let _ = name;
    false
}

/// All names of builtin functions, for "did you mean".
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

/// Chooses the overload of builtin `name` for `arguments`.
///
/// The implicit conversions are those of OpenCL C 6.4.1 and 6.4.2; ranking follows the usual C++
/// rules as the specification's overloads presume: exact before promotion before conversion, a candidate
/// must be no worse in every argument and better in one.
pub fn resolve(
    name: &str,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let _ = (name, arguments, environment);
    Err(Failure::NoMatch { candidates: Vec::new() })
}
