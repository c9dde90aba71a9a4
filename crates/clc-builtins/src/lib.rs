//! The OpenCL C library as data.
//!
//! * [`types`]: the types that builtins are declared over;
//! * [`features`]: extensions and optional features with their versions;
//! * [`intrinsic`]: what a call means, independent of how it was spelled;
//! * [`library`]: bodies in OpenCL C of what some targets have no instruction for; [`measured`]: what takes
//!   their place on devices whose [`profile`] is known;
//! * [`values`]: what functions are of constants;
//! * [`mod@resolve`]: the overload engine: a name and argument types in, an [`Intrinsic`] and the
//!   parameter types to convert to out.
//!
//! The table itself is in `table/`, one file for each chapter of the specification; a row is a
//! family of overloads. Names that say their types (`convert_uchar4_sat`, `vload8`) are taken
//! apart in `structural`.
//!
//! Nothing is built at start-up: a builtin costs nothing until a program names it.

#![warn(missing_docs)]

mod catalogue;
mod effects;
mod explain;
pub mod features;
mod guard;
pub mod intrinsic;
pub mod library;
pub mod measured;
mod outcome;
mod overload;
pub mod overloads;
mod page;
mod parameters;
pub mod precision;
pub mod profile;
pub mod prose;
pub mod resolve;
mod signature;
mod structural;
mod sync_call;
mod table;
pub mod types;
pub mod values;
pub mod worst;

pub use features::{Extension, ExtensionSet};
pub use intrinsic::{
    Arithmetic, DotSigns, Effects, GroupOp, GroupOperation, Intrinsic, MatrixOp, MatrixUse,
    MediaOp, Signedness, Texel,
};
pub use overloads::{Overload, overloads};
pub use page::catalogue;
pub use resolve::{Failure, Resolved, is_builtin, lacking, names, resolve};
pub use sync_call::SyncCall;
pub use types::{Access, BuiltinType, ImageKind, Scalar};
