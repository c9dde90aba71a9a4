//! Inputs that are files.

use std::path::{Path, PathBuf};

use crate::{Failures, blesses, difference};

/// What separates the input of [`after`] from the expected output.
pub const AFTER: &str = ";;; after\n";

/// The files of a folder with an extension, in the order of their names.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry that can be read").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no `.{extension}` file in {}", folder.display());
    paths
}

/// Compares `found` with the contents of a file, or makes it the contents.
pub fn expect_file(path: &Path, found: &str) -> Result<(), String> {
    let expected = std::fs::read_to_string(path);
    if expected.as_ref().is_ok_and(|expected| expected == found) {
        return Ok(());
    }
    if blesses() {
        return std::fs::write(path, found).map_err(|error| error.to_string());
    }
    let expected = expected.map_err(|error| format!("{}: {error}", path.display()))?;
    Err(format!("{} (BLESS=1 rewrites it)\n{}", path.display(), difference(&expected, found)))
}

/// Runs each file with an extension: its input is the text in front of [`AFTER`], the rest what `run`
/// is expected to return of it. An error of `run` is a failure, and blesses nothing.
///
/// # Panics
/// If a file fails or has two outputs, or there are no files.
#[track_caller]
pub fn after(
    folder: impl AsRef<Path>,
    extension: &str,
    mut run: impl FnMut(&str) -> Result<String, String>,
) {
    let mut failures = Failures::default();
    for path in files(folder.as_ref(), extension) {
        let text = std::fs::read_to_string(&path).expect("a file that can be read");
        if let Err(error) = run_after(&path, &text, &mut run) {
            failures.add(&path, "", &error);
        }
    }
    failures.report();
}

fn run_after(
    path: &Path,
    text: &str,
    run: &mut impl FnMut(&str) -> Result<String, String>,
) -> Result<(), String> {
    let (input, expected) = split(text)?;
    let found = run(input)?;
    match expected {
        Some(expected) if found == expected => Ok(()),
        _ if blesses() => {
            let text = format!("{}\n\n{AFTER}{found}", input.trim_end());
            std::fs::write(path, text).map_err(|error| error.to_string())
        }
        Some(expected) => Err(difference(expected, &found)),
        None => Err(format!("there is no line `{}`; found\n{found}", AFTER.trim_end())),
    }
}

fn split(text: &str) -> Result<(&str, Option<&str>), String> {
    let mut parts = text.split(AFTER);
    let input = parts.next().unwrap_or_default();
    let expected = parts.next();
    match parts.next() {
        Some(_) => Err(format!("there are two lines `{}`", AFTER.trim_end())),
        None => Ok((input, expected)),
    }
}

/// Runs each file with the extension `input`; what `run` is expected to return of its name and text is
/// in a file beside it, with the extension `output`. An error of `run` is a failure, and blesses
/// nothing.
///
/// # Panics
/// If a file fails, there are no files, or there is an output without an input.
#[track_caller]
pub fn beside(
    folder: impl AsRef<Path>,
    input: &str,
    output: &str,
    mut run: impl FnMut(&str, &str) -> Result<String, String>,
) {
    let mut failures = Failures::default();
    let paths = files(folder.as_ref(), input);
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a file that can be read");
        let result = run(&name, &text);
        if let Err(error) =
            result.and_then(|found| expect_file(&path.with_extension(output), &found))
        {
            failures.add(path, "", &error);
        }
    }
    for path in files(folder.as_ref(), output) {
        if !paths.contains(&path.with_extension(input)) {
            failures.add(&path, "", "there is no input for it");
        }
    }
    failures.report();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_output() {
        assert_eq!(split("in\n;;; after\nout\n"), Ok(("in\n", Some("out\n"))));
        assert_eq!(split("in\n"), Ok(("in\n", None)));
        assert!(split("in\n;;; after\nout\n;;; after\nmore\n").is_err());
    }
}
