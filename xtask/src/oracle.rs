//! `cargo xtask oracle`: what is legal, compared with clang.

use crate::shell::{Result, cargo, root, run, target};

pub fn run_oracle(arguments: &[&str]) -> Result {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "clc-conformance", "--bin", "oracle", "--"]);
    command.arg("--explanations").arg(root().join("conformance/oracle/disagreements.md"));
    command.arg("--folder").arg(target().join("oracle"));
    command.args(arguments);
    run(&mut command).map_err(|_| "the compilers disagree; see above".to_owned())
}
