//! What libFuzzer calls, and how it is called. It is a library here: its own `main` is not linked.

use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

use libfuzzer_sys as _;

use super::{Target, mutate};
use crate::random::Random;

type Callback = extern "C" fn(*const u8, usize) -> c_int;

unsafe extern "C" {
    /// Does what the arguments say, which are those of `main`.
    fn LLVMFuzzerRunDriver(
        argc: *mut c_int,
        argv: *mut *mut *mut c_char,
        callback: Callback,
    ) -> c_int;
    /// libFuzzer's own ways to damage bytes, with the constants that comparisons in the program have seen.
    fn LLVMFuzzerMutate(data: *mut u8, size: usize, most: usize) -> usize;
}

/// Inputs run on the stack of [`run`]; so large a one as compilations have is not made for each of them.
const STACK: usize = 320 << 20;

/// What this process tries.
static TARGET: OnceLock<Target> = OnceLock::new();

/// Hands the arguments of the process over to libFuzzer.
pub fn run(target: Target) -> u8 {
    let _ = TARGET.set(target);
    let mut arguments: Vec<*mut c_char> = std::env::args()
        .filter_map(|argument| CString::new(argument).ok())
        .map(CString::into_raw)
        .chain([std::ptr::null_mut()])
        .collect();
    let mut count = arguments.len() as c_int - 1;
    let mut arguments = arguments.as_mut_ptr();
    stacker::grow(STACK, || {
        // SAFETY: as many strings as it is told, which end in a zero byte, are never freed, and have a null pointer
        // behind them.
        unsafe { LLVMFuzzerRunDriver(&mut count, &mut arguments, try_input) as u8 }
    })
}

extern "C" fn try_input(data: *const u8, size: usize) -> c_int {
    // SAFETY: libFuzzer gives so many bytes.
    let bytes = match size {
        0 => &[],
        _ => unsafe { std::slice::from_raw_parts(data, size) },
    };
    if let Some(Err(why)) = TARGET.get().map(|target| target.try_it(bytes)) {
        eprintln!("fuzz: {why}");
        // By which libFuzzer knows that this input is to be kept.
        std::process::abort();
    }
    0
}

/// Puts bytes where libFuzzer wants them.
///
/// # Safety
/// `to` has room for `most` bytes.
unsafe fn give(bytes: &[u8], to: *mut u8, most: usize) -> usize {
    let size = bytes.len().min(most);
    // SAFETY: both have so many bytes, and `bytes` was made here.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, size) };
    size
}

/// Called by libFuzzer for each input that it makes of another.
///
/// # Safety
/// `data` has `size` bytes and room for `most`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomMutator(
    data: *mut u8,
    size: usize,
    most: usize,
    seed: u32,
) -> usize {
    let Some(target) = TARGET.get() else { return size };
    if size == 0 || Random::new(seed.into()).chance(25) {
        // SAFETY: with what this was called with.
        return unsafe { LLVMFuzzerMutate(data, size, most) };
    }
    // SAFETY: libFuzzer gives so many bytes, and room for more.
    unsafe {
        let bytes = std::slice::from_raw_parts(data, size);
        give(&mutate::mutate(*target, bytes, seed), data, most)
    }
}

/// Called by libFuzzer for inputs that it makes of two.
///
/// # Safety
/// Each pointer has as many bytes as its size says, and `out` has room for `most`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomCrossOver(
    data: *const u8,
    size: usize,
    other: *const u8,
    other_size: usize,
    out: *mut u8,
    most: usize,
    seed: u32,
) -> usize {
    let Some(target) = TARGET.get() else { return 0 };
    if size == 0 || other_size == 0 {
        return 0;
    }
    // SAFETY: libFuzzer gives so many bytes, and room for more.
    unsafe {
        let bytes = std::slice::from_raw_parts(data, size);
        let other = std::slice::from_raw_parts(other, other_size);
        give(&mutate::cross(*target, bytes, other, seed), out, most)
    }
}
