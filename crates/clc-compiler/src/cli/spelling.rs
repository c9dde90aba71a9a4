//! Options as compilers and `clBuildProgram` spell them, made into what clap reads.
//!
//! Clap knows `--long` and `-s`; C compilers have `-long` too. A single dash before a known long
//! name gets a second one; the few spellings that are neither are replaced; what is unknown is
//! refused here, because clap would take `-cl-foo` for a bundle of letters.

use std::ffi::{OsStr, OsString};

use clap::Command;
use clc_base::diagnostic::did_you_mean;

/// Letters that take a value, attached or as the next argument.
const WITH_VALUE: &str = "DUIjoWOx";
/// Letters that stand alone.
const FLAGS: &str = "SEcgwMVh";

/// The arguments as clap reads them, or a message about the first that is unknown.
pub fn normalise(arguments: Vec<OsString>, command: &Command) -> Result<Vec<OsString>, String> {
    let longs: Vec<(&str, bool)> = command
        .get_arguments()
        .flat_map(|arg| {
            let takes_value = arg.get_action().takes_values();
            arg.get_long_and_visible_aliases()
                .unwrap_or_default()
                .into_iter()
                .chain(arg.get_all_aliases().unwrap_or_default())
                .map(move |name| (name, takes_value))
        })
        .chain([("help", false)])
        .collect();
    let mut out = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter();
    out.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str().filter(|text| text.len() > 1 && text.starts_with('-'))
        else {
            out.push(argument);
            continue;
        };
        if text == "--" {
            out.push(argument);
            out.extend(arguments.by_ref());
            break;
        }
        if let Some(replacement) = replace(text) {
            out.push(replacement.into());
            continue;
        }
        let bare = text.trim_start_matches('-');
        let name = bare.split_once('=').map_or(bare, |(name, _)| name);
        if let Some(&(_, takes_value)) = longs.iter().find(|&&(long, _)| long == name) {
            out.push(format!("--{bare}").into());
            if takes_value && name == bare {
                out.extend(arguments.next());
            }
            continue;
        }
        let letter = bare.chars().next().unwrap_or('-');
        let single = !text.starts_with("--");
        if single && WITH_VALUE.contains(letter) {
            let attached = bare.len() > 1;
            out.push(argument);
            if !attached {
                out.extend(arguments.next());
            }
        } else if single && bare.len() == 1 && FLAGS.contains(letter) {
            out.push(argument);
        } else {
            return Err(unknown(text, name, &longs));
        }
    }
    Ok(out)
}

/// Spellings that are neither a long option nor a letter.
fn replace(text: &str) -> Option<&'static str> {
    Some(match text {
        "-O" => "-O2",
        "-W" => "-Wextra",
        "-MM" => "-M",
        "-MMD" => "--MD",
        "-m32" => "--address-bits=32",
        "-m64" => "--address-bits=64",
        "-v" => "-V",
        "-g0" => "--debug-info=none",
        "-g1" | "-gline-tables-only" | "-gmlt" => "--debug-info=lines",
        "-g3" => "--debug-info=full",
        _ if text.starts_with("-g") && !text.starts_with("-gcc") => "-g",
        _ => return None,
    })
}

/// Options of other compilers that take kernels, and what to write instead.
const FOREIGN: &[(&str, &str)] = &[
    ("target", TARGET),
    ("triple", TARGET),
    ("Xclang", NO_HEADER),
    ("finclude-default-header", NO_HEADER),
    ("fdeclare-opencl-builtins", NO_HEADER),
    ("emit-llvm", "there is no LLVM here; what is written is SPIR-V"),
    ("cc1", "it can be left out"),
    ("march", NO_MACHINE),
    ("mcpu", NO_MACHINE),
    ("ffast-math", "OpenCL's option is `-cl-fast-relaxed-math`"),
    (
        "ffp-contract",
        "a source says `#pragma OPENCL FP_CONTRACT OFF`, or the option `-cl-mad-enable`",
    ),
    ("spirv-max-version", "the option is `--spirv-version=1.x`"),
    ("fno-builtin", "names of built-in functions are theirs in OpenCL C"),
];
const TARGET: &str = "the target is an API: `--target-env=opencl3.0`, or `--target-env=vulkan1.3`; `-m32` makes \
                      pointers of 32 bits";
const NO_HEADER: &str = "built-in functions need no header, so it can be left out";
const NO_MACHINE: &str = "the machine is the driver's business, so it can be left out";

fn unknown(text: &str, name: &str, longs: &[(&str, bool)]) -> String {
    if let Some((_, advice)) = FOREIGN.iter().find(|(option, _)| *option == name) {
        return format!("unknown option `{text}`: {advice}");
    }
    let dashes = if text.starts_with("--") { "--" } else { "-" };
    match did_you_mean(name, longs.iter().map(|&(long, _)| long)) {
        Some(guess) => format!("unknown option `{text}`; did you mean `{dashes}{guess}`?"),
        None => format!("unknown option `{text}`"),
    }
}

/// The options in a text like that of `clBuildProgram`: separated by white space, which is part of one
/// between quotes and behind a backslash.
pub fn split_options(text: &str) -> Result<Vec<String>, String> {
    let mut options = Vec::new();
    let mut option: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if quote.is_none() && c.is_whitespace() {
            options.extend(option.take());
            continue;
        }
        let option = option.get_or_insert_default();
        let escapes = |next: &char| {
            matches!(next, '\\' | '"')
                || (quote.is_none() && (*next == '\'' || next.is_whitespace()))
        };
        match c {
            _ if quote == Some(c) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(c),
            // Of others, like those of paths, a backslash is one.
            '\\' if quote != Some('\'') => option.push(chars.next_if(escapes).unwrap_or(c)),
            _ => option.push(c),
        }
    }
    match quote {
        Some(quote) => Err(format!("a {quote} of the options has no other")),
        None => {
            options.extend(option);
            Ok(options)
        }
    }
}

/// The command line as a shell would take it again, for bug reports.
pub fn quoted(arguments: &[OsString]) -> String {
    let quote = |argument: &OsStr| {
        let text = argument.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    arguments.iter().map(|argument| quote(argument)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::args::Args;
    use super::*;

    fn normal(line: &str) -> Result<Vec<String>, String> {
        let arguments = std::iter::once("clc").chain(line.split(' ')).map(OsString::from).collect();
        let out = normalise(arguments, &Args::command())?;
        Ok(out.into_iter().skip(1).map(|s| s.into_string().unwrap()).collect())
    }

    #[test]
    fn compilers_spellings_become_clap_s() {
        let check = |line: &str, expected: &str| {
            assert_eq!(normal(line).unwrap().join(" "), expected, "{line}");
        };
        check("-cl-std=CL2.0 a.cl", "--cl-std=CL2.0 a.cl");
        check("--cl-std=CL2.0 -", "--cl-std=CL2.0 -");
        check("-fsyntax-only -O -g -m32", "--fsyntax-only -O2 -g --address-bits=32");
        check("-g3 -g1 -g0", "--debug-info=full --debug-info=lines --debug-info=none");
        check("-D -cl-std -DX=1 -include -E -E", "-D -cl-std -DX=1 --include -E -E");
        check("-isystem d -Idir -I dir", "--isystem d -Idir -I dir");
        check("-MD -MF k.d -MMD -M", "--MD --MF k.d --MD -M");
        check("-Wno-x -Werror=y -w", "-Wno-x -Werror=y -w");
        check("-cl-ext=+all -- -odd", "--cl-ext=+all -- -odd");
    }

    #[test]
    fn unknown_options_are_refused_with_a_guess() {
        assert!(normal("-cl-mad-enabel").unwrap_err().contains("did you mean `-cl-mad-enable`?"));
        assert!(normal("--emitt=ir").unwrap_err().contains("`--emit`"));
        assert!(normal("-cl-fast-relaxed-mth").unwrap_err().contains("`-cl-fast-relaxed-math`?"));
        assert_eq!(normal("-cl-turbo").unwrap_err(), "unknown option `-cl-turbo`");
        assert_eq!(normal("-q").unwrap_err(), "unknown option `-q`");
        assert!(normal("-target spirv64").unwrap_err().contains("--target-env=opencl3.0"));
        assert!(
            normal("--target=spirv64v1.4 a.cl").unwrap_err().contains("--target-env=vulkan1.3")
        );
        assert!(normal("-Xclang -finclude-default-header").unwrap_err().contains("left out"));
    }

    #[test]
    fn texts_of_options_are_split() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(split_options(text).unwrap(), expected, "{text}");
        };
        check("", &[]);
        check(" -D X=1\t-Iinc\n", &["-D", "X=1", "-Iinc"]);
        check(r#"-DS="a b" -I 'my folder' "" x\ y"#, &["-DS=a b", "-I", "my folder", "", "x y"]);
        check(r#"-DS="\"t\"" -IC:\dir \\ 'a\'"#, &["-DS=\"t\"", r"-IC:\dir", "\\", r"a\"]);
        assert!(split_options("-D 'x").unwrap_err().contains("has no other"));
    }

    #[test]
    fn everything_normalised_is_parsed() {
        let line = "-cl-std=CL3.0 -DX=-1 -D Y -U Z -I. -O3 -S -g -Wall -w -o - --emit=ir a.cl b.cl";
        let arguments = std::iter::once("clc").chain(line.split(' ')).map(OsString::from).collect();
        let args = Args::try_parse_from(normalise(arguments, &Args::command()).unwrap()).unwrap();
        assert_eq!(args.usual.define, ["X=-1", "Y"]);
        assert_eq!(args.usual.inputs, ["a.cl", "b.cl"]);
        assert_eq!(args.usual.output.unwrap(), "-");
        assert_eq!(args.usual.opt_level.unwrap(), "3");
    }
}
