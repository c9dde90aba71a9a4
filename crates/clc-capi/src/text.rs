//! Strings across the boundary.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// The length of a string that ends where its NUL is; cbindgen.toml has it for the header.
pub const CLC_NUL_TERMINATED: usize = usize::MAX;

/// Bytes that a caller points to: `length` of them, or as many as are before a NUL where it is
/// [`CLC_NUL_TERMINATED`]. Null has none.
///
/// # Safety
///
/// `start` is null or points to that many bytes, which do not change while the result is used.
pub(crate) unsafe fn bytes<'a>(
    start: *const c_char,
    length: usize,
) -> Result<&'a [u8], &'static str> {
    if length == CLC_NUL_TERMINATED {
        // SAFETY: the caller's promise.
        return Ok(unsafe { terminated(start) }.map_or(&[], CStr::to_bytes));
    }
    match start.is_null() {
        true if length == 0 => Ok(&[]),
        true => Err("the source is null, but its length is not 0"),
        // No object is larger, or goes on past the end of the address space.
        false if length > isize::MAX as usize || start.addr().checked_add(length).is_none() => {
            Err("the length of the source is more than memory can have")
        }
        // SAFETY: the caller's promise; a length that fits was just checked.
        false => Ok(unsafe { std::slice::from_raw_parts(start.cast(), length) }),
    }
}

/// The string that a caller points to, if any.
///
/// # Safety
///
/// `start` is null or points to bytes that end in a NUL and do not change while the result is used.
pub(crate) unsafe fn terminated<'a>(start: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller's promise.
    (!start.is_null()).then(|| unsafe { CStr::from_ptr(start) })
}

/// The same, with what is no UTF-8 replaced by U+FFFD.
///
/// # Safety
///
/// As for [`terminated`].
pub(crate) unsafe fn lossy<'a>(start: *const c_char) -> Option<Cow<'a, str>> {
    // SAFETY: the caller's promise.
    unsafe { terminated(start) }.map(CStr::to_string_lossy)
}

/// Strings for callers: each ends in a NUL, has none before, and stays where it is.
#[derive(Debug, Default)]
pub(crate) struct Strings(Vec<Vec<u8>>);

impl Strings {
    /// A copy of `text`, as long as `self` lives.
    pub(crate) fn add(&mut self, text: &str) -> *const c_char {
        let mut copy = text.replace('\0', "\u{fffd}").into_bytes();
        copy.push(0);
        let start = copy.as_ptr();
        self.0.push(copy);
        start.cast()
    }

    /// The string that was added first, or null.
    pub(crate) fn first(&self) -> *const c_char {
        self.0.first().map_or(std::ptr::null(), |text| text.as_ptr().cast())
    }
}
