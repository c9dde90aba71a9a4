//! The same sources make the same bytes, wherever they lie and whenever they are compiled.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::archives::epoch;
use crate::shell::{self, Result, cargo, create_dir, root, run, target};

/// What stands for a folder of this machine in what is compiled, where anything does: messages of panics and
/// `__FILE__` of C++ name files.
const SOURCES: &str = "/clc";
const CARGO: &str = "/cargo";
const RUST: &str = "/rust";

/// Variables for compilers, for sources in `folder`.
pub(super) fn environment(folder: &Path, epoch: &str) -> Result<Vec<(&'static str, String)>> {
    let sysroot = shell::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let home = std::env::home_dir().unwrap_or_default().join(".cargo");
    let home = std::env::var_os("CARGO_HOME").map_or(home, PathBuf::from);
    // The last that fits counts, so that folders in others come behind these.
    let folders =
        [(home, CARGO), (PathBuf::from(sysroot.trim()), RUST), (folder.to_owned(), SOURCES)];
    let join = |option: &str, given: &str| {
        let mut words = std::env::var(given).unwrap_or_default();
        for (folder, name) in &folders {
            words.push_str(&format!(" {option}={}={name}", folder.display()));
        }
        words.trim_start().to_owned()
    };
    Ok(vec![
        ("RUSTFLAGS", join("--remap-path-prefix", "RUSTFLAGS")),
        ("CFLAGS", join("-ffile-prefix-map", "CFLAGS")),
        ("CXXFLAGS", join("-ffile-prefix-map", "CXXFLAGS")),
        ("SOURCE_DATE_EPOCH", epoch.to_owned()),
    ])
}

/// Compiles the command in two copies of what git knows of, whose paths differ in length, by a profile of the
/// workspace.
pub(super) fn check(profile: &str) -> Result {
    let folder = std::path::absolute(target().join("reproducible")).map_err(|e| e.to_string())?;
    let mut programs = Vec::new();
    for copy in ["one", "the/other/folder"] {
        let copy = folder.join(copy);
        copy_sources(&copy)?;
        let mut command = cargo();
        command.current_dir(&copy);
        command.args(["build", "--quiet", "--locked", "--package", "clc-compiler", "--bin", "clc"]);
        command.args(["--profile", profile]).arg("--target-dir").arg(copy.join("target"));
        command.envs(environment(&copy, &epoch())?);
        run(&mut command)?;
        programs.push(copy.join("target").join(profile).join("clc"));
    }
    let [one, other] = [read(&programs[0])?, read(&programs[1])?];
    for path in [folder.as_path(), Path::new(&std::env::var("HOME").unwrap_or_default())] {
        if !path.as_os_str().is_empty() && contains(&one, path.to_string_lossy().as_bytes()) {
            return Err(format!("{} names {}", programs[0].display(), path.display()));
        }
    }
    if one != other {
        let differing = one.iter().zip(&other).filter(|(a, b)| a != b).count();
        return Err(format!(
            "{} and {} differ: {} and {} bytes, {differing} of them others",
            programs[0].display(),
            programs[1].display(),
            one.len(),
            other.len()
        ));
    }
    println!("dist: two builds in different folders are the same {} bytes", one.len());
    std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// What git knows of, as it is now.
fn copy_sources(copy: &Path) -> Result {
    let _ = std::fs::remove_dir_all(copy);
    create_dir(copy)?;
    let script = "git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read \
                  -T - -cf - | tar -xf - -C \"$0\"";
    run(Command::new("sh").args(["-c", script]).arg(copy).current_dir(root()))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_machine_have_other_names() {
        let variables = environment(Path::new("/some/where"), "7").unwrap();
        let value = |wanted: &str| {
            variables
                .iter()
                .find(|(name, _)| *name == wanted)
                .map(|(_, value)| value.as_str())
                .unwrap()
        };
        assert!(value("RUSTFLAGS").ends_with(" --remap-path-prefix=/some/where=/clc"));
        assert!(value("CXXFLAGS").contains("=/cargo -ffile-prefix-map="));
        assert_eq!(value("SOURCE_DATE_EPOCH"), "7");
    }

    #[test]
    fn parts_are_found() {
        assert!(contains(b"abcd", b"bc") && contains(b"abcd", b"abcd"));
        assert!(!contains(b"abcd", b"cb") && !contains(b"ab", b"abc"));
    }
}
