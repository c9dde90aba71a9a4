//! `cargo xtask oracle` and `cargo xtask library`: comparisons with clang.

use std::process::Command;

use crate::setup;
use crate::shell::{Result, built, root, run, target};

/// `cargo xtask library`: every overload that clang declares.
pub fn run_library(arguments: &[&str]) -> Result {
    let mut command = Command::new(built()?.join("library"));
    command.arg("--folder").arg(target().join("library")).arg("--clang").arg(setup::clang()?);
    command.args(arguments);
    run(&mut command)
        .map_err(|_| "functions that clang declares do not compile; see above".to_owned())
}

pub fn run_oracle(arguments: &[&str]) -> Result {
    let mut command = Command::new(built()?.join("oracle"));
    command.arg("--explanations").arg(root().join("conformance/oracle/disagreements.md"));
    command.arg("--folder").arg(target().join("oracle")).arg("--clang").arg(setup::clang()?);
    command.args(arguments);
    run(&mut command).map_err(|_| "the compilers disagree; see above".to_owned())
}
