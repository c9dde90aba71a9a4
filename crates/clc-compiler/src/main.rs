//! The `clc` command; everything it does is [`clc::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(clc::cli::run(std::env::args_os().collect()))
}

/// Takes the place of malloc for the validator's C++ too, which allocates for every instruction.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
