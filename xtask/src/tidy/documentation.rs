//! Documentation of public items.

use super::crates;
use crate::shell::{Result, read, root};

/// What makes rustc warn of a public item without documentation.
const LINT: &str = "#![warn(missing_docs)]";

/// Crates whose public items are not all documented yet.
const WITHOUT: &[&str] = &["clc-syntax"];

/// Every crate turns the lint on, so that `cargo clippy -- -D warnings` refuses what has no
/// documentation.
pub(super) fn check(problems: &mut Vec<String>) -> Result {
    for name in crates()? {
        let library = root().join("crates").join(&name).join("src/lib.rs");
        let warns = read(&library)?.lines().any(|line| line == LINT);
        match (warns, WITHOUT.contains(&name.as_str())) {
            (false, false) => problems.push(format!("{name}: src/lib.rs lacks `{LINT}`")),
            (true, true) => problems.push(format!("{name} is documented; its exemption can go")),
            (true, false) | (false, true) => {}
        }
    }
    Ok(())
}
