//! What clang says of a unit that we refuse: `--oracle` asks it.

use std::process::{Command, Stdio};

use crate::units::Unit;

/// Where Debian's package of LLVM 22 puts it.
const CLANG: &str = "clang-22";

/// Clang's first error, or `None` when it accepts the unit.
pub fn first_error(unit: &Unit, text: &[u8]) -> Result<Option<String>, String> {
    let path = std::env::temp_dir().join(format!("corpus-oracle-{}.cl", std::process::id()));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    let output = Command::new(CLANG)
        .args(["-fsyntax-only", "-w", "--target=spirv64", "-x", "cl"])
        .args(unit.options.iter().flat_map(|option| translate(option)))
        .arg(&path)
        .stdin(Stdio::null())
        .output();
    let _ = std::fs::remove_file(&path);
    let output = output.map_err(|error| format!("{CLANG}: {error}"))?;
    if output.status.success() {
        return Ok(None);
    }
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = errors.lines().find_map(|line| line.split_once("error: ")).map(|(_, text)| text);
    Ok(Some(first.unwrap_or("no reason given").to_owned()))
}

/// Clang knows no names of the vendors' extensions in `-cl-ext`; to the source they are macros.
pub fn translate(option: &str) -> Vec<String> {
    let Some(list) = option.strip_prefix("-cl-ext=") else { return vec![option.to_owned()] };
    let macros = list.split(',').map(|item| match item.strip_prefix('-') {
        Some(name) => format!("-U{name}"),
        None => format!("-D{}=1", item.trim_start_matches('+')),
    });
    macros.collect()
}
