//! The `clc` command; everything it does is [`clc::cli`].

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::OsString;
use std::process::ExitCode;

// Native libraries are linked in the reverse order of these lines, and mimalloc's `operator new` must come
// before that of the C++ library, or a static link has both.
extern crate clc;
extern crate mimalloc;

use mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // All work has the stack of a compilation, for the process's own may be as small as `ulimit -s` likes. The
    // process ends in there, so that the stack is not given back.
    match clc::guard::run(|| -> ExitCode { end(clc::cli::run(arguments)) }) {
        Ok(code) => code,
        Err(error) => {
            use std::io::Write as _;
            let arguments: Vec<OsString> = std::env::args_os().collect();
            let command = arguments.join(" ".as_ref()).to_string_lossy().into_owned();
            let _ = std::io::stderr().write_all(error.report("KERNEL.cl", &command).as_bytes());
            ExitCode::from(clc::cli::INTERNAL)
        }
    }
}

/// Ends the process at once: the system takes back memory faster than the allocator and the destructors of
/// the C++ library give it up.
#[cfg(all(unix, not(clc_coverage)))]
fn end(code: u8) -> ! {
    use std::io::Write as _;
    let _ = std::io::stdout().flush();
    // SAFETY: what it skips is work that nothing comes after: files are written and closed, and no other thread runs.
    unsafe { libc::_exit(code.into()) }
}

/// What counts lines writes its counts at the end of the process.
#[cfg(any(not(unix), clc_coverage))]
fn end(code: u8) -> ExitCode {
    ExitCode::from(code)
}

/// Takes the place of malloc for the validator's C++ too, which allocates for every instruction.
#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

/// [`MiMalloc`], which ends the command where there is no more memory. The standard library would
/// abort the process there, with a signal and without a word to the user.
struct OrExit;

// SAFETY: every method passes its arguments on to mimalloc, whose contract is the same, but for sizes, which may be
// larger, and what mimalloc returns is returned; where that is null, nothing is.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the callee's condition; likewise below.
        or_exit(unsafe { MiMalloc.alloc(alone(layout)) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        or_exit(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        or_exit(unsafe { MiMalloc.realloc(pointer, layout, alone_size(size)) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }
}

/// Sizes of which mimalloc lays out four places at once. It touches each of these, and the next size that a vector
/// grows to has others.
const SHARED: std::ops::RangeInclusive<usize> = 8 * 1024 + 1..=64 * 1024;

/// More than [`SHARED`] has a place of its own, of which what is not used costs addresses alone, and a vector
/// grows there without a move. That saves a small compilation a tenth of its page faults.
fn alone_size(size: usize) -> usize {
    if SHARED.contains(&size) { SHARED.end() + 1 } else { size }
}

fn alone(layout: Layout) -> Layout {
    Layout::from_size_align(alone_size(layout.size()), layout.align()).unwrap_or(layout)
}

fn or_exit(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        out_of_memory();
    }
    pointer
}

/// Needs no memory itself. No output has been written: outputs are renamed into place at the end.
#[cold]
fn out_of_memory() -> ! {
    use std::io::Write as _;
    let _ = std::io::stderr().write_all(clc::guard::OUT_OF_MEMORY.as_bytes());
    std::process::exit(70)
}

/// Takes the place of glibc's function, as the build script has the linker do. That one looks for the stack of the
/// first thread in `/proc/self/maps`, twice in each process: the standard library asks for the page that guards it,
/// and stacker how much of it is left. It takes a twentieth of the time of a small compilation. Here neither is
/// known: stacker makes a stack then, as it does for all work anyway, and the library guards nothing of those either.
#[cfg(clc_wraps_stack)]
#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_pthread_getattr_np(
    thread: libc::pthread_t,
    attributes: *mut libc::pthread_attr_t,
) -> libc::c_int {
    unsafe extern "C" {
        fn __real_pthread_getattr_np(
            thread: libc::pthread_t,
            attributes: *mut libc::pthread_attr_t,
        ) -> libc::c_int;
    }
    // SAFETY: what is asked for has no conditions, and the caller's promise is the callee's condition.
    unsafe {
        if libc::gettid() == libc::getpid() {
            return libc::ENOENT;
        }
        __real_pthread_getattr_np(thread, attributes)
    }
}
