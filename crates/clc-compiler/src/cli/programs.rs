//! `clc lsp` and `clc doctor`: programs of their own, beside this one.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;

/// A command that is another program.
pub(super) struct Program {
    /// What stands behind `clc`; the program and its package are called `clc-` and this.
    pub(super) command: &'static str,
    what: &'static str,
}

const PROGRAMS: [Program; 2] = [
    Program { command: "lsp", what: "the language server" },
    Program { command: "doctor", what: "the program that looks for drivers" },
];

/// The program that the word behind `clc` names.
pub(super) fn named(word: Option<&OsString>) -> Option<&'static Program> {
    let word: &OsStr = word?;
    PROGRAMS.iter().find(|program| word == program.command)
}

impl Program {
    /// The program that belongs to this one, or that of the search path.
    fn file(&self) -> PathBuf {
        let name = format!("clc-{}{}", self.command, std::env::consts::EXE_SUFFIX);
        let beside = std::env::current_exe().ok().and_then(|path| {
            let path = std::fs::canonicalize(&path).unwrap_or(path);
            Some(path.parent()?.join(&name))
        });
        beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
    }

    /// Becomes the program; returns only to say why it did not.
    pub(super) fn become_it(&self, arguments: &[OsString]) -> Result<u8, String> {
        let file = self.file();
        let mut command = Command::new(&file);
        command.args(arguments.get(2..).unwrap_or_default());
        let error = start(&mut command);
        Err(match error.kind() {
            std::io::ErrorKind::NotFound => format!(
                "{} `clc-{1}` is not installed: `cargo install clc-{1}` installs it beside `clc`",
                self.what, self.command
            ),
            _ => format!("cannot start `{}`: {}", file.display(), crate::fs::reason(&error)),
        })
    }
}

/// Why the program did not start.
#[cfg(unix)]
fn start(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

#[cfg(not(unix))]
fn start(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
