//! Include files from a callback.

use std::ffi::{CString, c_char, c_void};

use clc::{IncludeKind, IncludeRequest, IncludeResolver, Included};

use crate::status::clc_status;
use crate::text::{bytes, lossy};

/// How a file is asked for.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum clc_include_kind {
    /// `#include "name"`, and `-include name`
    Quote = 0,
    /// `#include <name>`
    Angle = 1,
    /// `#include_next`
    Next = 2,
}

/// A question for an include file, and its answer. Lives while the callback runs, on the thread that it
/// runs on.
pub struct clc_include {
    name: CString,
    from: CString,
    kind: clc_include_kind,
    answer: Result<Option<Included>, String>,
}

/// Brings in include files: looks at what is asked for (clc_include_name() and the like) and answers by
/// clc_include_provide() or clc_include_fail(), or not at all if there is no such file. It is called by
/// the thread that compiles, for `__has_include` too, and may be called again for the same file. It may
/// compile. It must return: no exception, no longjmp. A null includer has no files.
pub type clc_includer =
    Option<unsafe extern "C" fn(user_data: *mut c_void, include: *mut clc_include)>;

/// What is written between the quotes or angle brackets; never null in the callback.
///
/// # Safety
///
/// `include` is null or what the callback was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_include_name(include: *const clc_include) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { include.as_ref() }.map_or(std::ptr::null(), |include| include.name.as_ptr())
}

/// The name of the including file: that of the source, or the one that was provided with the file;
/// "<command line>" for `-include`.
///
/// # Safety
///
/// `include` is null or what the callback was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_include_from(include: *const clc_include) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { include.as_ref() }.map_or(std::ptr::null(), |include| include.from.as_ptr())
}

/// How the file is asked for.
///
/// # Safety
///
/// `include` is null or what the callback was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_include_get_kind(include: *const clc_include) -> clc_include_kind {
    // SAFETY: the caller's promise.
    unsafe { include.as_ref() }.map_or(clc_include_kind::Quote, |include| include.kind)
}

/// Answers with a file, which is copied: `length` bytes, or what is before a NUL if it is
/// CLC_NUL_TERMINATED. `name` is the identity of the file for `#pragma once`, and what diagnostics and
/// `__FILE__` show; null for the name that was asked for. `system` keeps warnings about the file from
/// being shown. Bytes that cannot be there, as with a null `contents` and a length, are an error of the
/// `#include` and the status CLC_STATUS_USAGE.
///
/// # Safety
///
/// `include` is null or what the callback was given; `name` is null or a string; `contents` is null or
/// points to so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_include_provide(
    include: *mut clc_include,
    name: *const c_char,
    contents: *const c_char,
    length: usize,
    system: bool,
) -> clc_status {
    // SAFETY: the caller's promise.
    let Some(include) = (unsafe { include.as_mut() }) else { return clc_status::Usage };
    // SAFETY: the caller's promise.
    let (name, contents) = unsafe { (lossy(name), bytes(contents, length)) };
    let name = name.unwrap_or_else(|| include.name.to_string_lossy()).into_owned();
    match contents {
        Ok(contents) => {
            include.answer = Ok(Some(Included { name, contents: contents.to_vec(), system }));
            clc_status::Ok
        }
        Err(reason) => {
            include.answer = Err(format!("{name}: {reason}"));
            clc_status::Usage
        }
    }
}

/// Answers that there is such a file, but that it cannot be read, with the reason.
///
/// # Safety
///
/// `include` is null or what the callback was given; `reason` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_include_fail(include: *mut clc_include, reason: *const c_char) {
    // SAFETY: the caller's promise.
    if let Some(include) = unsafe { include.as_mut() } {
        // SAFETY: the caller's promise.
        let reason = unsafe { lossy(reason) }.unwrap_or("no reason was given".into());
        include.answer = Err(reason.into_owned());
    }
}

/// The callback of a caller, as the compiler asks for files.
pub(crate) struct Callback {
    pub(crate) includer: clc_includer,
    pub(crate) user_data: *mut c_void,
}

impl IncludeResolver for Callback {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        let Some(includer) = self.includer else { return Ok(None) };
        // Strings of C cannot say a name with a NUL in it, and no file has one.
        let (Ok(name), Ok(from)) = (CString::new(request.name), CString::new(request.from)) else {
            return Ok(None);
        };
        let kind = match request.kind {
            IncludeKind::Quote => clc_include_kind::Quote,
            IncludeKind::Angle => clc_include_kind::Angle,
            IncludeKind::Next => clc_include_kind::Next,
        };
        let mut include = clc_include { name, from, kind, answer: Ok(None) };
        // SAFETY: who gave the callback to `clc_compile` promised that it takes these.
        unsafe { includer(self.user_data, &mut include) };
        include.answer
    }
}
