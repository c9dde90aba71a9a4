//! `cargo xtask clang-tests`: clang's own tests of OpenCL C.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::{KEYS, MIRROR, apt_of, clang};
use crate::shell::{self, Result, built, create_dir, root, run, target};

/// Debian's source package, and the release that has this version of it.
const PACKAGE: &str = "llvm-toolchain-19";
const RELEASE: &str = "bookworm";

const FOLDERS: [&str; 2] = ["*/clang/test/SemaOpenCL", "*/clang/test/Parser/opencl*"];

/// A few tests of this repository, in the form of clang's.
const SAMPLE: &str = "--sample";

/// Compares the error lines that clang reports on them with those of clc.
pub fn run_tests(arguments: &[&str]) -> Result {
    let listed = root().join("conformance/clang-tests");
    let (tests, listed) = match arguments.contains(&SAMPLE) {
        true => (listed.join("sample"), listed.join("sample")),
        false => (tests()?, listed),
    };
    compare(&tests, &listed.join("differences.md"), arguments)
}

fn compare(tests: &Path, differences: &Path, arguments: &[&str]) -> Result {
    let mut command = Command::new(built()?.join("clang-tests"));
    command.arg("--tests").arg(tests).arg("--differences").arg(differences);
    command.arg("--clang").arg(clang()?);
    command.args(arguments.iter().filter(|&&argument| argument != SAMPLE));
    run(&mut command)
        .map_err(|_| "the compilers differ where no paragraph is listed; see above".to_owned())
}

/// The folder with the tests, downloaded if need be. apt's lists are its own, nothing of the
/// system's is changed, and of the archive (164 MB) only the tests stay.
fn tests() -> Result<PathBuf> {
    let folder = target().join("clang-tests");
    let done = folder.join(".complete");
    if done.is_file() {
        return Ok(folder);
    }
    println!("setup: clang's tests, from Debian's {PACKAGE} to {}", folder.display());
    let work = std::path::absolute(folder.join(".download"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let apt_get = apt_of(&work, &format!("deb-src [signed-by={KEYS}] {MIRROR} {RELEASE} main"))?;
    let archive = work.join("archive");
    create_dir(&archive)?;
    run(apt_get()
        .args(["source", "--download-only", "--tar-only", PACKAGE])
        .current_dir(&archive))?;
    let tar = std::fs::read_dir(&archive)
        .map_err(|error| format!("{}: {error}", archive.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().contains(".orig.tar"))
        .ok_or("no archive was downloaded")?;
    run(Command::new("tar")
        .arg("-xf")
        .arg(tar)
        .arg("-C")
        .arg(&folder)
        .args(["--wildcards", "--strip-components=3"])
        .args(FOLDERS))?;
    let _ = std::fs::remove_dir_all(&work);
    shell::write(&done, "")?;
    Ok(folder)
}
