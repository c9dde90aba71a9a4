//! Prints `docs/builtins.md`; `cargo xtask tidy` compares and writes it.

fn main() {
    print!("{}", clc_builtins::catalogue());
}
