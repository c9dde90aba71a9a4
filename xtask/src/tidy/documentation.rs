//! Documentation of public items.

use super::crates;
use crate::shell::{Result, read, root};

/// What makes rustc warn of a public item without documentation.
const LINT: &str = "#![warn(missing_docs)]";

/// Every crate turns the lint on, so that `cargo clippy -- -D warnings` refuses what has no
/// documentation.
pub(super) fn check(problems: &mut Vec<String>) -> Result {
    for name in crates()? {
        let library = root().join("crates").join(&name).join("src/lib.rs");
        // A package with a program only has no public items.
        if library.is_file() && !read(&library)?.lines().any(|line| line == LINT) {
            problems.push(format!("{name}: src/lib.rs lacks `{LINT}`"));
        }
    }
    Ok(())
}
