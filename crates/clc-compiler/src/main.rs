//! The `clc` command; everything it does is [`clc::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(clc::cli::run(std::env::args_os().collect()))
}
