//! Compiling.

use std::ffi::{c_char, c_void};

use clc::cli::{self, Includes};
use clc::guard;

use crate::include::{Callback, clc_includer};
use crate::options::{clc_options, with_request};
use crate::result::clc_result;
use crate::status::clc_status;
use crate::text::{bytes, lossy};

/// Compiles a source. Any number of threads may compile at the same time, with the same options too.
///
/// `options` may be null, for those of clc_options_new(). `name` is what diagnostics call the source;
/// null for "<source>". The source has `length` bytes, whatever they are, or ends at its NUL if that is
/// CLC_NUL_TERMINATED. `includer` is asked for include files, with `user_data`, and may be null.
///
/// Returns a result in any case, which is freed by clc_result_free().
///
/// # Safety
///
/// `options` is null or comes from this library and is neither freed nor changed meanwhile; `name` is null
/// or a string; `source` is null, with a length of 0, or points to so many bytes; `includer` does what
/// clc_includer says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_compile(
    options: *const clc_options,
    name: *const c_char,
    source: *const c_char,
    length: usize,
    includer: clc_includer,
    user_data: *mut c_void,
) -> *mut clc_result {
    let result = guard::catch(|| {
        // SAFETY: the caller's promise.
        let source = match unsafe { bytes(source, length) } {
            Ok(source) => source,
            Err(reason) => return clc_result::without_output(clc_status::Usage, reason),
        };
        // SAFETY: the caller's promise.
        let name = unsafe { lossy(name) }.unwrap_or("<source>".into());
        let mut callback = Callback { includer, user_data };
        let compile = |request: &cli::Request| {
            let mut includes = Includes::new(&mut callback, request);
            let outcome = request.compile(&name, source, &mut includes);
            clc_result::new(outcome, &name, request)
        };
        // SAFETY: the caller's promise.
        unsafe { with_request(options, compile) }
    });
    let result = result.unwrap_or_else(|error| {
        let log = error.report("the source", "libclc_compiler");
        clc_result::without_output(clc_status::InternalError, &log)
    });
    Box::into_raw(Box::new(result))
}
