//! `cargo xtask dist`: the command as one static file.
//!
//! A dynamic build spends more time relocating libstdc++ and itself than compiling a small kernel.

use std::path::PathBuf;

use crate::shell::{Result, cargo, create_dir, run, target};

/// Builds the file and gives its path.
pub fn build() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["rustc", "--quiet", "--release", "--package", "clc-compiler", "--bin", "clc"]);
    if cfg!(all(target_os = "linux", target_env = "gnu")) {
        // Only for this one program: tests load a driver at run time, which a static one cannot.
        command.args(["--", "-C", "target-feature=+crt-static", "-C", "relocation-model=static"]);
    }
    run(&mut command)?;
    let folder = target().join("dist");
    create_dir(&folder)?;
    let (built, file) = (target().join("release/clc"), folder.join("clc"));
    std::fs::copy(&built, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}
