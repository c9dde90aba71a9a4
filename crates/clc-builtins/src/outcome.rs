//! What looking for an overload comes to.

use clc_base::Version;

use crate::types::{BuiltinType, Rounding};
use crate::{Extension, Intrinsic};

/// The overload a call chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// How the call is expressed.
    pub meaning: Meaning,
    /// The types the arguments are converted to; arguments beyond these (printf) undergo the
    /// default argument promotions.
    ///
    /// A scalar argument whose parameter is a vector is converted to the element type and
    /// replicated. A pointer argument keeps its own type, except that it becomes generic where the
    /// parameter is: qualifiers, and signedness of the pointee, do not change what the call does.
    pub parameters: Vec<BuiltinType>,
    /// The type of the call.
    pub result: BuiltinType,
    /// Each argument has the type that the declaration of the overload names.
    pub is_exact: bool,
}

/// How a resolved call is expressed in the typed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Call the intrinsic with the converted arguments.
    Intrinsic(Intrinsic),
    /// `convert_T[_sat][_rtX]`: a conversion to the result type.
    Convert {
        /// Of the suffix; `None` is the default: toward zero to integers, else to nearest even
        /// (OpenCL C 6.4.3.2).
        rounding: Option<Rounding>,
        /// `_sat`: values beyond the result type become its nearest value.
        saturate: bool,
    },
    /// `as_T`: reinterpret the bits as the result type.
    Reinterpret,
}

/// Why no overload fits. All texts are ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The name exists, but only from a later version on or with an extension.
    Missing {
        /// The declaration that is meant, where others of the name exist.
        form: Option<String>,
        /// The first version with the function, if the program's is older.
        since: Option<Version>,
        /// Those of `needs` that are not enabled.
        missing: Vec<Extension>,
        /// The extensions and features that bring the function together.
        needs: &'static [Extension],
        /// All that would bring it by itself: `OpenCL C 3.1` or `cl_khr_integer_dot_product`.
        ways: Vec<String>,
    },
    /// Several overloads fit equally well.
    Ambiguous {
        /// The declarations of those.
        candidates: Vec<String>,
    },
    /// No overload fits.
    NoMatch {
        /// Each near candidate with the reason it fails: `clamp(float4, float4, float4)` and
        /// `argument 2 is int4; vectors do not convert implicitly`.
        candidates: Vec<(String, String)>,
    },
}
