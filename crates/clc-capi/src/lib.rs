//! The compiler for programs in C, and in whatever calls C: `libclc_compiler`, whose header
//! `include/clc.h` cbindgen makes of this crate. The comments of public items are that header's.
//!
//! What every function keeps:
//!
//! - Null is an argument like any other, for each pointer. A function that returns data of nothing
//!   returns null or 0.
//! - No panic leaves the library. A broken invariant of the compiler is a status of the result.
//! - Text that comes in need not be UTF-8. Text that goes out is, and ends in a NUL.
//! - What a result points to lives as long as the result and does not change, so any number of threads
//!   may read one result, or compile with the same options.
//! - Nothing is printed, and no file is read unless an option names the folder.
//!
//! `unsafe` is for reading what callers point to; that it is there, as the header asks, is their promise.

#![warn(missing_docs)]
#![allow(non_camel_case_types, reason = "the names are those of C")]

mod compile;
mod diagnostic;
mod include;
mod options;
mod result;
mod status;
mod text;

use std::ffi::c_char;

/// The version of this header: it grows with whatever is added. What is there keeps its meaning.
pub const CLC_API_VERSION: u32 = 1;

/// The CLC_API_VERSION of the library that the program runs with.
#[unsafe(no_mangle)]
pub extern "C" fn clc_api_version() -> u32 {
    CLC_API_VERSION
}

/// The version of the compiler, "1.2.3"; never freed.
#[unsafe(no_mangle)]
pub extern "C" fn clc_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
