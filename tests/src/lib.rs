//! What the suites are made of.
//!
//! * `suite.rs` runs `suite/<stage>/*.cl`: the compiler's output against expectations written in
//!   comments ([`expectation`]) or files beside the source;
//! * `execution.rs` runs `execution/*.cl` on a driver: results against values given in the case
//!   ([`case`]) or computed by the host ([`reference`]);
//! * `builtins.rs` runs every built-in function on a driver, in kernels made from tables ([`builtins`]).

pub mod builtins;
pub mod case;
pub mod data;
pub mod driver;
pub mod expectation;
pub mod hex;
pub mod job;
pub mod process;
pub mod reference;
pub mod stages;
pub mod vulkan;

use std::path::{Path, PathBuf};

/// The `.cl` files under `folder`, as paths relative to it, sorted.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, Path::new(""), &mut found);
    found.sort();
    found
}

fn collect(root: &Path, inside: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(root.join(inside)) else { return };
    for entry in entries.flatten() {
        let path = inside.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "cl") {
            found.push(path);
        }
    }
}
