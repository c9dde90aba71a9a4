//! `cargo xtask suites`: other people's programs with the results that they expect, on the drivers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::{KEYS, MIRROR, apt_of, corpus, debian};
use crate::shell::{self, Result, built, create_dir, root, run, target};

/// Every suite, in the order of the tables.
pub const NAMES: [&str; 3] = ["piglit", "oclgrind", "pocl"];

pub fn suites(arguments: &[&str]) -> Result {
    let (mut names, rest): (Vec<&str>, Vec<&str>) =
        arguments.iter().partition(|argument| NAMES.contains(argument));
    if names.is_empty() {
        names = NAMES.to_vec();
    }
    let drivers = crate::setup::driver()?;
    if let Err(error) = crate::vulkan::driver() {
        println!("no Vulkan driver: {error}");
    }
    let built = built()?;
    let mut failed = Vec::new();
    for name in names {
        let suite = suite(name)?;
        let mut command = Command::new(built.join("suites"));
        command.arg("--runner").arg(built.join("clc-run"));
        command.arg("--vulkan-runner").arg(built.join("clc-run-vulkan"));
        command.arg("--folder").arg(target().join("suites/.runs"));
        command.arg("--lists").arg(root().join("conformance/suites"));
        command.arg("--suite").arg(name).arg(suite).args(&rest);
        command.env("CLC_DRIVERS", &drivers);
        if run(&mut command).is_err() {
            failed.push(name);
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("not as listed, see above: {}", failed.join(", "))),
    }
}

/// What every run of the tests tries.
pub fn test() -> Result {
    if crate::setup::driver().is_err() {
        println!("no driver: no programs of suites are run");
        return Ok(());
    }
    println!("a part of them, at -O: `cargo xtask suites` runs all, at -O0 and from source too");
    for (name, every) in [("piglit", "40"), ("oclgrind", "3"), ("pocl", "3")] {
        if let Err(error) = suite(name) {
            println!("{name} is not there, and not run: {error}");
            continue;
        }
        suites(&[name, "--doors", "opencl-O,vulkan-O", "--sample", every])?;
    }
    Ok(())
}

/// The folder of a suite, downloaded if need be; of the archives only programs and what they expect stay.
pub fn suite(name: &str) -> Result<PathBuf> {
    let pocl = "usr/share/pocl-tests/tests";
    if name == "pocl" {
        // A corpus too.
        return Ok(corpus(name)?.join(pocl));
    }
    let folder = target().join("suites").join(name);
    let done = folder.join(".complete");
    if !done.is_file() {
        println!("setup: the suite {name}, to {}", folder.display());
        let _ = std::fs::remove_dir_all(&folder);
        create_dir(&folder)?;
        match name {
            "piglit" => piglit(&folder)?,
            "oclgrind" => oclgrind(&folder)?,
            _ => return Err(format!("no suite is called {name}")),
        }
        shell::write(&done, "")?;
    }
    Ok(folder)
}

/// Debian's package: 34 MB, most of them for OpenGL.
fn piglit(folder: &Path) -> Result {
    let unpacked = debian("piglit", &folder.join(".package"))?;
    let tests =
        crate::setup::find(&unpacked, "program-tester-check-local-size-test-should-skip.cl");
    // …/piglit/tests/cl/program/execute/FILE
    let tests = tests.ok_or("the package has no programs of OpenCL")?;
    let piglit = tests.ancestors().nth(5).ok_or("the package is laid out otherwise")?;
    for part in ["tests/cl", "generated_tests/cl"] {
        let to = folder.join(part);
        create_dir(to.parent().unwrap_or(folder))?;
        std::fs::rename(piglit.join(part), &to)
            .map_err(|error| format!("{}: {error}", to.display()))?;
    }
    std::fs::remove_dir_all(unpacked).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Debian's source package; the other one has no tests.
fn oclgrind(folder: &Path) -> Result {
    let work = std::path::absolute(folder.join(".download"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let apt_get = apt_of(&work, &format!("deb-src [signed-by={KEYS}] {MIRROR} bookworm main"))?;
    run(apt_get()
        .args(["source", "--download-only", "--tar-only", "oclgrind"])
        .current_dir(&work))?;
    let archive = std::fs::read_dir(&work)
        .map_err(|error| format!("{}: {error}", work.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().contains(".orig.tar"))
        .ok_or("no archive was downloaded")?;
    run(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(folder).args([
        "--wildcards",
        "--strip-components=3",
        "*/tests/kernels/*",
    ]))?;
    std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))
}
