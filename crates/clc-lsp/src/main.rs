//! The language server; `clc lsp` starts it. Everything it does is [`clc_lsp`].
//!
//! It is a program of its own, so that `clc` is no larger for it.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--version" || word == "-V") {
        println!("clc-lsp {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    ExitCode::from(clc_lsp::run())
}
