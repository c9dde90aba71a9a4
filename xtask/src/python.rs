//! `cargo xtask python`: the Python package, installed as a user would by pip, and its tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, absolute, root, target};
use crate::{setup, test, vulkan};

/// What builds the wheel, and what its tests use: a binding of OpenCL and one of Vulkan among them.
const PACKAGES: [&str; 8] = [
    "maturin==1.16.0",
    "pytest==9.2.0",
    "mypy==2.4.1",
    "ipython==9.18.1",
    "numpy==2.4.6",
    "pyopencl==2026.1.4",
    "vulkan==1.3.275.1",
    "pip>=23",
];

/// The environment that the tests run in, made if need be.
pub fn environment() -> Result<PathBuf> {
    setup::packages_of_python(&target().join("python"), &PACKAGES)
}

/// Builds the wheel, with what cargo has compiled for the other tests, installs it and tests it.
pub fn run() -> Result {
    let venv = environment()?;
    let python = venv.join("bin/python");
    let package = root().join("crates/clc-python");
    let mut install = Command::new(&python);
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-build-isolation", "--no-deps", "--force-reinstall"])
        .arg("--config-settings=build-args=--profile dev")
        .arg(&package)
        .env("PATH", with_tools(&venv))
        .env("CARGO_TARGET_DIR", absolute(&target())?);
    shell::run(&mut install)?;

    let mut types = Command::new(&python);
    types
        .args(["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir"])
        .arg(absolute(&target().join("mypy"))?)
        .arg(package.join("python/clc"));
    shell::run(&mut types)?;

    let mut pytest = Command::new(&python);
    pytest
        .args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"])
        .arg(package.join("tests"))
        .env("CLC_DOCS", root().join("docs"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    // First, for it sets the folder of libraries, where the loaders of both are.
    if let Ok(folder) = vulkan::driver() {
        vulkan::configure(&mut pytest, &folder);
    }
    if let Ok(folder) = setup::driver() {
        test::on_driver(&mut pytest, &folder);
    }
    shell::run(&mut pytest)
}

/// Builds the wheel in `folder`, optimised.
pub fn wheel(folder: &Path) -> Result {
    build_wheel(folder, "release")
}

/// Builds the wheel in `folder` with what cargo has compiled for the other tests.
pub fn wheel_for_tests(folder: &Path) -> Result<PathBuf> {
    build_wheel(folder, "dev")?;
    let files = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    files
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| format!("maturin made no wheel in {}", folder.display()))
}

fn build_wheel(folder: &Path, profile: &str) -> Result {
    let venv = environment()?;
    let mut build = Command::new(venv.join("bin/maturin"));
    build
        .args(["build", "--quiet", "--profile", profile, "--manifest-path"])
        .arg(root().join("crates/clc-python/Cargo.toml"))
        .arg("--out")
        .arg(absolute(folder)?)
        .env("PATH", with_tools(&venv))
        .env("CARGO_TARGET_DIR", absolute(&target())?);
    shell::run(&mut build)
}

/// The programs of the environment before all others.
fn with_tools(venv: &Path) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", venv.join("bin").display())
}
