//! Options: the command's, by its own parser.

use std::ffi::c_char;

use clc::cli::{Request, split_options};
use clc::guard;

use crate::status::clc_status;
use crate::text::{Strings, terminated};

/// Options of compilations, in the spelling of the command `clc` and of clBuildProgram.
pub struct clc_options {
    /// All that were taken.
    arguments: Vec<String>,
    /// What they mean.
    pub(crate) request: Request,
    message: Strings,
}

impl clc_options {
    fn new() -> clc_options {
        let request = Request::of_options(&[] as &[&str]);
        let request = request.unwrap_or_else(|error| panic!("no options are refused: {error}"));
        clc_options { arguments: Vec::new(), request, message: Strings::default() }
    }

    /// Takes more options, or, if one is wrong, none of them.
    fn add(&mut self, more: Result<Vec<String>, String>) -> clc_status {
        self.message = Strings::default();
        let taken = more.and_then(|more| {
            let mut arguments = self.arguments.clone();
            arguments.extend(more);
            let request = guard::catch(|| Request::of_options(&arguments));
            let request =
                request.map_err(|error| error.report("the options", "libclc_compiler"))??;
            Ok((arguments, request))
        });
        match taken {
            Ok((arguments, request)) => {
                if !request.warnings.is_empty() {
                    self.message.add(&request.warnings.join("\n"));
                }
                (self.arguments, self.request) = (arguments, request);
                clc_status::Ok
            }
            Err(reason) => {
                self.message.add(&reason);
                clc_status::Usage
            }
        }
    }
}

/// Options as the command has them without any: OpenCL C 1.2, for drivers of OpenCL 3.0, optimised.
/// Freed by clc_options_free().
#[unsafe(no_mangle)]
pub extern "C" fn clc_options_new() -> *mut clc_options {
    guard::catch(|| Box::into_raw(Box::new(clc_options::new()))).unwrap_or_default()
}

/// A copy, which is freed on its own; new options of null.
///
/// # Safety
///
/// `options` is null or comes from this library and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_copy(options: *const clc_options) -> *mut clc_options {
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { options.as_ref() }) else { return clc_options_new() };
    let copy = clc_options {
        arguments: options.arguments.clone(),
        request: options.request.clone(),
        message: Strings::default(),
    };
    Box::into_raw(Box::new(copy))
}

/// Frees options; results that were made with them stay.
///
/// # Safety
///
/// `options` is null or comes from this library and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_free(options: *mut clc_options) {
    if !options.is_null() {
        // SAFETY: the caller's promise; it was made by `Box::into_raw`.
        drop(unsafe { Box::from_raw(options) });
    }
}

/// Adds options, one string each: "-cl-std=CL2.0", "-DN=4", "-I", "include", "--target-env=vulkan1.3".
/// All that `clc --help` lists is taken but what names a file to read or write. If one of them is
/// wrong, none is added, the status is CLC_STATUS_USAGE and clc_options_message() says why.
///
/// With `-I` or `-isystem` include files are looked for in the file system, as the command does; without
/// them no file is ever read.
///
/// # Safety
///
/// `options` is null or comes from this library, was not freed, and no other thread uses it during the call.
/// `arguments` is null or points to `count` pointers, each null or to a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_parse(
    options: *mut clc_options,
    count: usize,
    arguments: *const *const c_char,
) -> clc_status {
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { options.as_mut() }) else { return clc_status::Usage };
    let argument = |index: usize| {
        // SAFETY: the caller's promise: `index` is below `count`, and `arguments` is not null.
        let text = unsafe { terminated(*arguments.add(index)) };
        let text = text.ok_or_else(|| format!("argument {index} is null"))?;
        let text = text.to_str().map_err(|_| format!("argument {index} is no UTF-8"))?;
        Ok(text.to_owned())
    };
    let more = match arguments.is_null() && count > 0 {
        true => Err("the arguments are null, but their count is not 0".to_owned()),
        // Ends at the first that is null, so a count that is too large does no harm to an array like
        // that of `main`.
        false => (0..count).map(argument).collect(),
    };
    options.add(more)
}

/// The same with all options in one string, as clBuildProgram has them: separated by white space,
/// which quotes and a backslash keep in an option.
///
/// # Safety
///
/// As for clc_options_parse(); `text` is null, for no options, or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_parse_text(
    options: *mut clc_options,
    text: *const c_char,
) -> clc_status {
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { options.as_mut() }) else { return clc_status::Usage };
    // SAFETY: the caller's promise.
    let more = match unsafe { terminated(text) }.map(|text| text.to_str()) {
        None => Ok(Vec::new()),
        Some(Ok(text)) => split_options(text),
        Some(Err(_)) => Err("the options are no UTF-8".to_owned()),
    };
    options.add(more)
}

/// What was wrong with the options that were added last, or odd about them if they were taken; null if
/// nothing was. Lives until options are added again or freed.
///
/// # Safety
///
/// `options` is null or comes from this library and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_message(options: *const clc_options) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { options.as_ref() }.map_or(std::ptr::null(), |options| options.message.first())
}

/// Adds one option and its value, as one string each: ("-D", "N=4"), ("-cl-std", "CL2.0"). A null
/// `value` is none.
///
/// # Safety
///
/// As for clc_options_parse(); `name` and `value` are null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clc_options_set(
    options: *mut clc_options,
    name: *const c_char,
    value: *const c_char,
) -> clc_status {
    let arguments = [name, value];
    let count = if value.is_null() { 1 } else { 2 };
    // SAFETY: the caller's promise, and an array of two.
    unsafe { clc_options_parse(options, count, arguments.as_ptr()) }
}

/// The options of a caller, or those of null.
///
/// # Safety
///
/// `options` is null or comes from this library and is not freed while `work` runs.
pub(crate) unsafe fn with_request<T>(
    options: *const clc_options,
    work: impl FnOnce(&Request) -> T,
) -> T {
    // SAFETY: the caller's promise.
    match unsafe { options.as_ref() } {
        Some(options) => work(&options.request),
        None => work(&clc_options::new().request),
    }
}
