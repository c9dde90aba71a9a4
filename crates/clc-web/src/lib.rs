//! The compiler as a WebAssembly module without imports but one, for a page's worker
//! (`docs/playground/compiler.js` is its other half).
//!
//! A request and its answer are JSON in UTF-8, in memory that this module allocates; the words of a
//! SPIR-V module lie beside the answer. A panic is told to the page and ends the instance, for here it
//! cannot be caught: the page makes a new one.

#![warn(missing_docs)]
#![cfg(target_family = "wasm")]

mod answer;
mod panics;

use answer::Answer;

/// The module's state when it begins; the page calls it once.
#[unsafe(no_mangle)]
pub extern "C" fn clc_web_start() {
    panics::tell();
}

/// `length` bytes for a request.
#[unsafe(no_mangle)]
pub extern "C" fn clc_web_allocate(length: usize) -> *mut u8 {
    let bytes = vec![0_u8; length].into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Compiles what a request says, and takes its memory back. The answer is freed by
/// [`clc_web_free`].
///
/// # Safety
///
/// `request` comes from [`clc_web_allocate`] with this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_compile(request: *mut u8, length: usize) -> *mut Answer {
    // SAFETY: the caller's promise.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    Box::into_raw(Box::new(Answer::to(&request)))
}

/// Where the JSON of an answer is.
///
/// # Safety
///
/// `answer` comes from [`clc_web_compile`] and was not freed; likewise below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_json(answer: *const Answer) -> *const u8 {
    // SAFETY: the caller's promise; likewise below.
    unsafe { &*answer }.json.as_ptr()
}

/// The bytes of the JSON of an answer.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_json_length(answer: *const Answer) -> usize {
    unsafe { &*answer }.json.len()
}

/// Where the bytes of a module are, little-endian; none if it was not made.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_module(answer: *const Answer) -> *const u8 {
    unsafe { &*answer }.module.as_ptr()
}

/// The bytes of a module.
///
/// # Safety
///
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_module_length(answer: *const Answer) -> usize {
    unsafe { &*answer }.module.len()
}

/// Frees an answer.
///
/// # Safety
///
/// As above; it is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_web_free(answer: *mut Answer) {
    drop(unsafe { Box::from_raw(answer) });
}
