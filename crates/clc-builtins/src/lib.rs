//! The OpenCL C library as data.
//!
//! * [`types`]: the types that builtins are declared over;
//! * [`features`]: extensions and optional features with their versions;
//! * [`intrinsic`]: what a call means, independent of how it was spelled;
//! * [`resolve`]: the overload engine: a name and argument types in, an [`Intrinsic`] and the
//!   parameter types to convert to out.
//!
//! Nothing is built at start-up: a builtin costs nothing until a program names it.

pub mod features;
pub mod intrinsic;
pub mod resolve;
pub mod types;

pub use features::{Extension, ExtensionSet};
pub use intrinsic::{AtomicOp, DotSigns, Effects, GroupOp, GroupOperation, Intrinsic, Texel};
pub use resolve::{Failure, Resolved, is_builtin, names, resolve};
pub use types::{Access, BuiltinType, ImageKind, Scalar};
