//! Makes the IR legal for a target: IR in, IR out.
//!
//! [`pipeline`] lists the steps for OpenCL and for Vulkan, in order; a step is one file. Each has a
//! name, and an observer sees the module after each, as after the passes of `clc-passes`. The steps
//! for Vulkan are in `shader`, the others are for OpenCL or for both.
//!
//! Invariants:
//! * A step takes and leaves IR that the verifier accepts.
//! * What the target lacks is found here and reported (E07xx), with the reason.
//! * The crate compiles nothing: bodies of library functions come from a callback.

#![warn(missing_docs)]

mod arguments;
mod atomic;
mod availability;
mod blocks;
pub mod clspv;
mod copies;
pub mod diagnostics;
mod double_atomics;
mod edges;
mod encoding;
mod generic_atomics;
mod initializers;
mod kept_negations;
mod kernels;
mod loop_headers;
mod options;
pub mod pipeline;
mod recursion;
pub mod reflection;
pub mod shader;
mod shuffles;
mod switches;

pub use blocks::is_block_name;
pub use diagnostics::CODES;
pub use kernels::source_name;
pub use options::{
    ClspvHost, Convention, DebugLevel, Environment, MIN_MAX_PUSH_CONSTANT_SIZE, Missing,
    SpirvExtensions, TargetOptions,
};
pub use pipeline::{Bodies, Error, Legalised, STEPS, run};
pub use reflection::Reflection;
pub use shader::Shader;
