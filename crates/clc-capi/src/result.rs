//! What a compilation gave.

use std::ffi::c_char;
use std::ptr;

use clc::cli::{self, Outcome, Request};
use clc::{Artifact, Compilation};

use crate::diagnostic::{Diagnostics, clc_diagnostic};
use crate::status::clc_status;
use crate::text::Strings;

/// What a compilation gave. It does not change: any number of threads may read it.
pub struct clc_result {
    status: clc_status,
    output: Output,
    log: Strings,
    reflection: Strings,
    dependencies: Vec<*const c_char>,
    diagnostics: Diagnostics,
    /// What the pointers above point to.
    _strings: Strings,
}

/// What was asked for.
enum Output {
    Nothing,
    Module(Vec<u32>),
    /// With a NUL behind it.
    Bytes(Vec<u8>),
}

impl clc_result {
    pub(crate) fn without_output(status: clc_status, log: &str) -> clc_result {
        let mut result = clc_result {
            status,
            output: Output::Nothing,
            log: Strings::default(),
            reflection: Strings::default(),
            dependencies: Vec::new(),
            diagnostics: Diagnostics::default(),
            _strings: Strings::default(),
        };
        result.log.add(log);
        result
    }

    pub(crate) fn new(outcome: Outcome, name: &str, request: &Request) -> clc_result {
        let status = match outcome.status {
            cli::COMPILED => clc_status::Ok,
            cli::SOURCE_ERRORS => clc_status::SourceErrors,
            cli::USAGE => clc_status::Usage,
            _ => clc_status::InternalError,
        };
        let mut log = outcome.log;
        if let Some(error) = &outcome.internal_error {
            log.push_str(&error.report(name, "libclc_compiler"));
        }
        let mut result = clc_result::without_output(status, &log);
        let Some(compilation) = outcome.compilation else { return result };
        result.diagnostics = Diagnostics::new(&compilation.diagnostics, &compilation.sources);
        let mut strings = Strings::default();
        let dependencies = compilation.dependencies.iter();
        result.dependencies = dependencies.map(|name| strings.add(name)).collect();
        result._strings = strings;
        if let Some(text) = request.reflection(&compilation) {
            result.reflection.add(&text);
        }
        result.output = output(compilation);
        result
    }
}

fn output(compilation: Compilation) -> Output {
    let bytes = match compilation.artifact {
        None | Some(Artifact::Nothing) => return Output::Nothing,
        Some(Artifact::Module(words)) => return Output::Module(words),
        Some(Artifact::Text(text)) => text.into_bytes(),
        Some(Artifact::Object(bytes)) => bytes,
    };
    let mut bytes = bytes;
    bytes.push(0);
    Output::Bytes(bytes)
}

/// Frees a result and all that it points to.
///
/// # Safety
///
/// `result` is null or comes from clc_compile() and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_free(result: *mut clc_result) {
    if !result.is_null() {
        // SAFETY: the caller's promise; it was made by `Box::into_raw`.
        drop(unsafe { Box::from_raw(result) });
    }
}

/// How the compilation ended; CLC_STATUS_USAGE for null.
///
/// # Safety
///
/// `result` is null or comes from clc_compile() and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_status(result: *const clc_result) -> clc_status {
    // SAFETY: the caller's promise.
    unsafe { result.as_ref() }.map_or(clc_status::Usage, |result| result.status)
}

/// The words of the module, in the byte order of this machine, and their number in `*count`; null and 0
/// if there is none. `count` may be null.
///
/// # Safety
///
/// `result` is null or comes from clc_compile() and was not freed; `count` is null or points to a number
/// that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_spirv(
    result: *const clc_result,
    count: *mut usize,
) -> *const u32 {
    // SAFETY: the caller's promise.
    let words = match unsafe { result.as_ref() }.map(|result| &result.output) {
        Some(Output::Module(words)) => Some(words),
        _ => None,
    };
    if !count.is_null() {
        // SAFETY: the caller's promise.
        unsafe { count.write(words.map_or(0, Vec::len)) };
    }
    words.map_or(ptr::null(), |words| words.as_ptr())
}

/// What was asked for, as bytes, and their number in `*length`: the module's, or with options like `-S`,
/// `-E` and `--emit=ir` a text, behind which there is a NUL that is not counted. Null and 0 if there is
/// nothing. `length` may be null.
///
/// # Safety
///
/// As for clc_result_spirv().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_output(
    result: *const clc_result,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let output = unsafe { result.as_ref() }.map(|result| &result.output);
    let (start, bytes) = match output {
        Some(Output::Module(words)) => (words.as_ptr().cast(), words.len() * size_of::<u32>()),
        Some(Output::Bytes(bytes)) => (bytes.as_ptr().cast(), bytes.len() - 1),
        Some(Output::Nothing) | None => (ptr::null(), 0),
    };
    if !length.is_null() {
        // SAFETY: the caller's promise.
        unsafe { length.write(bytes) };
    }
    start
}

/// What a host must know to launch the kernels, as JSON (docs/reflection.md has the fields); null
/// without a module.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_reflection(result: *const clc_result) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { result.as_ref() }.map_or(ptr::null(), |result| result.reflection.first())
}

/// All messages, as the command shows them (`--message-format`, `--color`); "" if there are none, and
/// null for null.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_log(result: *const clc_result) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { result.as_ref() }.map_or(ptr::null(), |result| result.log.first())
}

/// The number of errors and warnings.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_diagnostic_count(result: *const clc_result) -> usize {
    // SAFETY: the caller's promise.
    unsafe { result.as_ref() }.map_or(0, |result| result.diagnostics.all().len())
}

/// An error or a warning, in the order in which they are shown; null if there are not so many.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_diagnostic(
    result: *const clc_result,
    index: usize,
) -> *const clc_diagnostic {
    // SAFETY: the caller's promise.
    let result = unsafe { result.as_ref() };
    result.and_then(|result| result.diagnostics.all().get(index)).map_or(ptr::null(), ptr::from_ref)
}

/// The number of files that were included.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_dependency_count(result: *const clc_result) -> usize {
    // SAFETY: the caller's promise.
    unsafe { result.as_ref() }.map_or(0, |result| result.dependencies.len())
}

/// The name of a file that was included, each once, in the order of first use; null if there are not so
/// many.
///
/// # Safety
///
/// As for clc_result_status().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_result_dependency(
    result: *const clc_result,
    index: usize,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let result = unsafe { result.as_ref() };
    result.and_then(|result| result.dependencies.get(index)).map_or(ptr::null(), |name| *name)
}
