//! Catching broken invariants at the edge.
//!
//! A panic below the facade is a bug of the compiler, never a message to the user's program. The
//! edge turns it into a report that says what to send, and no output is written.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// The stack of a compilation. Only touched pages cost anything; recursion over user nesting grows
/// its own stack, this is for everything else. In WebAssembly it is memory for good, and the calls
/// themselves are on another stack, which ends first.
pub(crate) const STACK: usize = if cfg!(target_family = "wasm") { 8 << 20 } else { 256 << 20 };

/// What to show the user where memory ends.
pub const OUT_OF_MEMORY: &str = "clc: out of memory. No output was written.\n\
    The limits that the system sets (`ulimit -v`, the container's) can be raised.\n";

/// A broken invariant.
#[derive(Clone, Debug)]
pub struct InternalError {
    /// The panic's message, or what the validator said.
    pub message: String,
    /// Where in the compiler, if known.
    pub location: Option<String>,
}

thread_local! {
    /// Set while this thread runs under [`catch`]; filled by the panic hook.
    static CAUGHT: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// Runs `work` on a large stack and turns a panic into an [`InternalError`]. Nothing is printed.
pub fn run<T>(work: impl FnOnce() -> T) -> Result<T, InternalError> {
    // Threads that compile one source after another have it already.
    if stacker::remaining_stack().is_some_and(|left| left >= STACK / 4 * 3) {
        return catch(work);
    }
    // No thread of its own: a busy machine would take its time to schedule it. Without memory for
    // the stack `grow` panics.
    catch(|| stacker::grow(STACK, || catch(work))).and_then(|result| result)
}

/// Runs `work` on this thread and turns a panic into an [`InternalError`]. Nothing is printed.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, InternalError> {
    install_hook();
    // One may run inside the other: a callback of a compilation may compile.
    let outer = CAUGHT.with_borrow_mut(|caught| caught.replace(None));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let location = CAUGHT.with_borrow_mut(|caught| std::mem::replace(caught, outer)).flatten();
    result.map_err(|payload| describe(&payload, location))
}

/// Silences panics of threads that run under [`catch`], and leaves all others as they are.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let ours = CAUGHT.with_borrow_mut(|caught| match caught {
                Some(location) => {
                    *location = info.location().map(ToString::to_string);
                    true
                }
                None => false,
            });
            if !ours {
                previous(info);
            }
        }));
    });
}

fn describe(payload: &Box<dyn Any + Send>, location: Option<String>) -> InternalError {
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    InternalError { message, location }
}

impl InternalError {
    /// What to show the user: an apology, what happened, and what to send where.
    pub fn report(&self, input: &str, command: &str) -> String {
        // What stacker says of a stack that it cannot have.
        if self.message.contains("mmap failed to allocate stack") {
            return OUT_OF_MEMORY.to_owned();
        }
        let at = self.location.as_deref().map(|at| format!(" ({at})")).unwrap_or_default();
        format!(
            "clc: internal error: {}{at}\n\
             This is a bug in clc, not in your program. No output was written.\n\
             Please report it at {}/issues with\n  \
             - this text,\n  \
             - the version: clc {}\n  \
             - the command: {command}\n  \
             - the source, best as preprocessed by `clc -E {input}`.\n",
            self.message,
            env!("CARGO_PKG_REPOSITORY"),
            env!("CARGO_PKG_VERSION"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_reports() {
        let error = run(|| -> u32 { panic!("block {} has no terminator", 3) }).unwrap_err();
        assert_eq!(error.message, "block 3 has no terminator");
        assert!(error.location.as_deref().unwrap_or("").contains("guard.rs"));
        let text = error.report("a.cl", "clc a.cl");
        assert!(text.contains("internal error") && text.contains("clc -E a.cl"));
        assert_eq!(run(|| 7).unwrap(), 7);
        let error = run::<()>(|| {
            run(|| 7).unwrap();
            panic!("behind another")
        });
        assert!(error.unwrap_err().location.is_some());
    }
}
