//! Command lines as far as they are understood before a source is read, for the tests that try any.

use std::ffi::OsString;

use super::args::{InspectArgs, LinkArgs};
use super::vocabulary::{Takes, entries};
use super::{Job, clspv, offline, outputs, parsed, parsed_args, response, spelling};

/// What is wrong with a command line of [`run`](super::run), if that shows before inputs are read. Response files,
/// device profiles and descriptions of devices are read, and what `--help` shows is printed.
pub fn understood(arguments: Vec<OsString>) -> Result<(), String> {
    let mut arguments = response::expand(arguments)?;
    let command_line = spelling::quoted(&arguments);
    if clspv::is_meant(&arguments) {
        arguments = clspv::translate(arguments)?.arguments;
    }
    if offline::is_meant(&arguments) {
        arguments = offline::translate(arguments)?;
    }
    let word = arguments.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    match word.as_str() {
        "inspect" => {
            arguments.remove(1);
            parsed::<InspectArgs>(arguments).map(drop)
        }
        "link" => {
            arguments.remove(1);
            parsed::<LinkArgs>(arguments).map(drop)
        }
        _ => {
            let Ok((args, matches)) = parsed_args(arguments)? else { return Ok(()) };
            let jobs = Job::for_targets(&args, &matches, &command_line)?;
            outputs::of_all(&jobs, &args.usual.inputs).map(drop)
        }
    }
}

/// The words that command lines are made of: commands, options as they are spelled, and values that are known.
pub fn words() -> Vec<String> {
    let mut words = vec!["--mode=spir-v".to_owned()];
    for entry in entries() {
        words.push(entry.name.to_owned());
        for option in &entry.options {
            let values = match &option.takes {
                Takes::Value(values) => values.as_slice(),
                Takes::Nothing | Takes::File | Takes::Folder => &[],
            };
            for spelling in option.spellings() {
                words.extend(values.iter().map(|value| format!("{spelling}={value}")));
                words.push(spelling);
            }
        }
    }
    words.extend(clspv::help().split_whitespace().map(str::to_owned));
    words.retain(|word| !word.is_empty());
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_or_written() {
        let line = |words: &[&str]| understood(words.iter().map(OsString::from).collect());
        assert_eq!(line(&["clc", "no-such.cl", "-O0", "-o", "no-such/k.spv"]), Ok(()));
        assert_eq!(line(&["clc", "link", "a.spv", "b.spv", "-o", "c.spv"]), Ok(()));
        assert_eq!(line(&["clc", "clspv", "no-such.cl", "-int8=0", "-o", "k.spv"]), Ok(()));
        assert!(line(&["clc", "-cl-std=CL9.9", "k.cl"]).unwrap_err().contains("CL9.9"));
        let words = words();
        for known in ["-cl-std=CL3.0", "--cl-std=CL3.0", "-o", "link", "-int8=VALUE"] {
            assert!(words.iter().any(|word| word == known), "{known}");
        }
    }
}
