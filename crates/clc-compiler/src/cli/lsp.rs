//! `clc lsp`: starts the language server, a program beside this one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The server that belongs to this program, or that of the search path.
fn server() -> PathBuf {
    let name = format!("clc-lsp{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|path| {
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        Some(path.parent()?.join(&name))
    });
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
}

/// Becomes the server; returns only to say why it did not.
pub fn command(arguments: &[OsString]) -> Result<u8, String> {
    let server = server();
    let mut command = Command::new(&server);
    command.args(arguments.get(2..).unwrap_or_default());
    let error = start(&mut command);
    Err(match error.kind() {
        std::io::ErrorKind::NotFound => {
            "the language server `clc-lsp` is not installed: `cargo install clc-lsp` installs it \
             beside `clc`"
                .to_owned()
        }
        _ => format!("cannot start `{}`: {}", server.display(), crate::fs::reason(&error)),
    })
}

/// Why the server did not start.
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
