//! The text form.

use crate::Module;

/// Appends the text of a module.
pub fn module(module: &Module, out: &mut String) {
    let _ = (module, out);
}
