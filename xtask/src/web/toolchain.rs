//! A Rust that compiles for browsers: the one that runs this if it has the target, or Debian's.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup;
use crate::shell::{Result, cargo, output, root, run, target};

const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles `clc-web` with this profile of the workspace; where the module is.
pub fn compile(profile: &str) -> Result<PathBuf> {
    run(&mut command(profile)?)?;
    Ok(folder()?.join(TARGET).join(profile).join("clc_web.wasm"))
}

/// What compiles it.
pub fn command(profile: &str) -> Result<Command> {
    let mut command = if has_target() { cargo() } else { debian()? };
    command.args(["build", "--profile", profile, "--package", "clc-web", "--target", TARGET]);
    command.arg("--target-dir").arg(folder()?);
    Ok(command)
}

/// A folder of its own, for what another compiler made is of no use to the first one.
fn folder() -> Result<PathBuf> {
    std::path::absolute(target().join("web-build"))
        .map_err(|error| format!("{}: {error}", target().display()))
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Whether the standard library is there, as `rustup target add` brings it.
fn has_target() -> bool {
    let folder = output(rustc().args(["--print", "target-libdir", "--target", TARGET]));
    let folder = folder.map(|folder| PathBuf::from(folder.trim()));
    folder.is_ok_and(|folder| {
        std::fs::read_dir(folder).is_ok_and(|files| {
            files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
        })
    })
}

/// Debian keeps a Rust for its browsers, newer than its own and without the standard library for this
/// target, which is compiled from its source.
fn debian() -> Result<Command> {
    let folder = std::path::absolute(target().join("rust-web"))
        .map_err(|error| format!("{}: {error}", target().display()))?;
    let rustc = folder.join("usr/bin/rustc");
    if !rustc.is_file() {
        println!(
            "setup: no {TARGET} is installed (`rustup target add {TARGET}`): Rust for browsers, from Debian \
             to {} (120 MB)",
            folder.display()
        );
        setup::debian_with_dependencies(&["rustc-web", "cargo-web", "rust-web-src"], &folder)?;
    }
    let mut command = Command::new(folder.join("usr/bin/cargo"));
    command
        .current_dir(root())
        .env("RUSTC", rustc)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
        // Without backtraces, which there are none of in a browser.
        .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "")
        .env("LD_LIBRARY_PATH", libraries(&folder))
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker()?)
        // Of the cargo that runs this.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    Ok(command)
}

/// The linker that comes with Rust, or LLVM's from Debian.
fn linker() -> Result<PathBuf> {
    let installed = output(rustc().args(["--print", "target-libdir"]))
        .map(|libraries| Path::new(libraries.trim()).with_file_name("bin").join("rust-lld"));
    if let Ok(linker) = installed
        && linker.is_file()
    {
        return Ok(linker);
    }
    let folder = std::path::absolute(target().join("lld"))
        .map_err(|error| format!("{}: {error}", target().display()))?;
    let linker = folder.join("usr/lib/llvm-19/bin/wasm-ld");
    if !linker.exists() {
        setup::debian_with_dependencies(&["lld-19"], &folder)?;
    }
    Ok(linker)
}

/// The folders of libraries in an unpacked package, for `LD_LIBRARY_PATH`.
pub fn libraries(folder: &Path) -> String {
    let mut folders = Vec::new();
    let multiarch = std::fs::read_dir(folder.join("usr/lib")).into_iter().flatten().flatten();
    for entry in multiarch.filter(|entry| entry.file_name().to_string_lossy().contains("-linux-")) {
        folders.push(entry.path().display().to_string());
        let inner = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
        let inner = inner.map(|entry| entry.path()).filter(|path| path.is_dir());
        folders.extend(inner.map(|path| path.display().to_string()));
    }
    folders.join(":")
}
