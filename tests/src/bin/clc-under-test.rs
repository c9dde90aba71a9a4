//! The `clc` command, built with the tests so that it is never older than they are.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(clc::cli::run(std::env::args_os().collect()))
}
