//! `cargo xtask dist`: the command as one static file.
//!
//! A dynamic build spends more time relocating libstdc++ and itself than compiling a small kernel.

use std::path::PathBuf;

use crate::shell::{Result, cargo, create_dir, run, target};

/// Builds the file and returns its path.
pub fn build() -> Result<PathBuf> {
    link(&["--release"])?;
    let folder = target().join("dist");
    create_dir(&folder)?;
    let (built, file) = (target().join("release/clc"), folder.join("clc"));
    std::fs::copy(&built, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Links it of what the tests have compiled, and has it say its version: the order of libraries, which
/// only a static link depends on, follows that of the dependencies.
pub fn check() -> Result {
    link(&[])?;
    run(std::process::Command::new(target().join("debug/clc")).arg("--version"))
}

fn link(profile: &[&str]) -> Result {
    let mut command = cargo();
    command.args(["rustc", "--quiet", "--package", "clc-compiler", "--bin", "clc"]).args(profile);
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        // Only for this one program: tests load a driver at run time, which a static one cannot.
        command.args(["--", "-C", "target-feature=+crt-static", "-C", "relocation-model=static"]);
    }
    run(&mut command)
}
