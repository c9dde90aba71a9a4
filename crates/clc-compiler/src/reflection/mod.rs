//! What a module says of itself, and what a host must know to launch its kernels.
//!
//! [`ModuleDescription`] is both, for any module: [`Compilation::description`](crate::Compilation) is that
//! of a module that was just compiled, with types as the source has them, and [`describe`] reads one.
//! [`Reflection`] is what hosts of Vulkan need besides: the calling convention of this compiler, which no
//! instruction of the module says. [`json`] is the text of both for hosts in other languages.

#[cfg(feature = "cli")]
pub mod diff;
#[cfg(feature = "json")]
mod json;
mod source;
mod table;

pub use clc_legalise::reflection::{
    Addressing, Argument, ArgumentKind, Binding, DataKind, ImageDescriptor, ImageQuery, Implicit,
    Kernel, LiteralSampler, PrintfArgument, PrintfArgumentKind, PrintfFormat, ProgramData,
    Reflection, Regions, Relocation, Variable, WorkGroupSize,
};
pub use clc_spirv::reflect::{self as module, ModuleDescription, describe, in_native_order};

#[cfg(feature = "json")]
pub use json::{Joined, json, with_json};
pub(crate) use source::SourceKernels;
pub use table::table;
