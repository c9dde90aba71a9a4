//! Paths and child processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A chore's result; the error is for people.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The root of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Cargo's target folder.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("target"),
    }
}

/// Cargo, as it was called.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// What tests are compiled of. Whatever else they use is built of the same selection, for another one has
/// other features in the dependencies, and everything that uses these would be compiled again.
pub const TESTED: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// The programs of the workspace as the tests have compiled them, built if need be: their folder.
pub fn built() -> Result<PathBuf> {
    // With the tests, whose dependencies have a say in the features, too.
    run(cargo().args(["build", "--quiet", "--bins", "--tests"]).args(TESTED))?;
    Ok(target().join("debug"))
}

/// Says what is run and runs it.
pub fn run(command: &mut Command) -> Result {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect();
    let line = words.join(" ");
    println!("+ {line}");
    let status = command.status().map_err(|error| format!("{line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}")) }
}

/// Runs a command and gives its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{name}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command that must fail; gives all it says.
pub fn complaint(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() { Err(format!("{name} did not fail\n{said}")) } else { Ok(said) }
}

/// Whether a command runs and succeeds, without showing anything.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

pub fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// A path that holds in other folders, too.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn write(path: &Path, text: &str) -> Result {
    if let Some(folder) = path.parent() {
        create_dir(folder)?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn create_dir(path: &Path) -> Result {
    std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}
