//! `clc link`: one module of several.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clc_base::{Diagnostic, SourceMap};
use clc_spirv::link::{LinkInput, LinkOptions};

use super::args::LinkArgs;
use super::{COMPILED, INTERNAL, SOURCE_ERRORS, options, parsed, terminal_style, to_stdout};
use crate::guard::{self, InternalError};
use crate::{fs, render};

/// Runs `clc link …` and gives its exit code.
pub fn command(mut arguments: Vec<OsString>, command_line: &str) -> Result<u8, String> {
    // The command is called `clc link`.
    arguments.remove(1);
    let (args, _): (LinkArgs, _) = match parsed(arguments)? {
        Ok(parsed) => parsed,
        Err(code) => return Ok(code),
    };
    if args.inputs.is_empty() {
        return Err("no module to link; `clc link --help` shows the options".to_owned());
    }
    let output = match &args.output {
        None if args.assembly => PathBuf::from("-"),
        None => return Err("name the linked module with `-o`".to_owned()),
        Some(path) => PathBuf::from(path),
    };
    if output == Path::new("-") && !args.assembly && io::stdout().is_terminal() {
        return Err("a module would go to the terminal; name a file with `-o`".to_owned());
    }
    for (index, input) in args.inputs.iter().enumerate() {
        if args.inputs[..index].contains(input) {
            return Err(format!("`{}` is given twice", input.to_string_lossy()));
        }
    }
    let target = options::target_of(args.target.as_deref())?;
    let mut modules = Vec::new();
    for input in &args.inputs {
        let path = Path::new(input);
        let name = if input == "-" { "<stdin>".into() } else { input.to_string_lossy() };
        modules.push((name.into_owned(), words(&fs::read_input(path)?)));
    }
    let validate = !args.no_validate;
    let outcome = guard::run(|| link(&modules, target, args.create_library, validate));
    let report = |error: &InternalError| {
        let text = error.report(&modules[0].0, command_line);
        let _ = io::stderr().write_all(text.as_bytes());
        Ok(INTERNAL)
    };
    let words = match outcome {
        Err(error) => return report(&error),
        Ok(Err(Failure::Internal(error))) => return report(&error),
        Ok(Err(Failure::Wrong(diagnostics))) => {
            let style = terminal_style(args.message_format, args.color);
            let text = render::render_all(&diagnostics, &SourceMap::new(), style);
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(SOURCE_ERRORS);
        }
        Ok(Ok(words)) => words,
    };
    let bytes = if args.assembly {
        clc_spirv::disassemble(&words).into_bytes()
    } else {
        fs::module_bytes(&words)
    };
    if output == Path::new("-") {
        to_stdout(&bytes)?
    } else {
        fs::write_output(&output, &bytes)?
    }
    Ok(COMPILED)
}

enum Failure {
    Wrong(Vec<Diagnostic>),
    Internal(InternalError),
}

fn link(
    modules: &[(String, Result<Vec<u32>, &'static str>)],
    target: clc_legalise::Environment,
    library: bool,
    validate: bool,
) -> Result<Vec<u32>, Failure> {
    let mut inputs = Vec::new();
    let mut wrong = Vec::new();
    for (name, words) in modules {
        match words {
            Ok(words) => inputs.push(LinkInput { name, words }),
            Err(reason) => wrong.push(clc_spirv::link::unreadable(name, reason)),
        }
    }
    if !wrong.is_empty() {
        return Err(Failure::Wrong(wrong));
    }
    let result = clc_spirv::link::link(&inputs, LinkOptions { library });
    // What the linker cannot read it has explained; what it can may still break other rules.
    if result.is_ok() && validate {
        for input in &inputs {
            if let Err(reason) = validated(input.words, target) {
                wrong.push(clc_spirv::link::unreadable(input.name, &reason));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(Failure::Wrong(wrong));
    }
    let words = result.map_err(Failure::Wrong)?;
    if validate && let Err(message) = validated(&words, target) {
        let message = format!("the linked module is not valid SPIR-V: {message}");
        return Err(Failure::Internal(InternalError { message, location: None }));
    }
    Ok(words)
}

#[cfg(feature = "validate")]
fn validated(words: &[u32], target: clc_legalise::Environment) -> Result<(), String> {
    let version = words.get(1).copied().unwrap_or(0);
    let options = clc_legalise::TargetOptions {
        spirv_version: ((version >> 16) as u8, (version >> 8) as u8),
        ..clc_legalise::TargetOptions::new(target)
    };
    clc_spirv::validate(words, &options).map_err(|error| error.to_string())
}

#[cfg(not(feature = "validate"))]
fn validated(_: &[u32], _: clc_legalise::Environment) -> Result<(), String> {
    Ok(())
}

/// Bytes as words, in the order of this machine's modules.
fn words(bytes: &[u8]) -> Result<Vec<u32>, &'static str> {
    let (chunks, []) = bytes.as_chunks::<4>() else {
        return Err("its length is no multiple of four bytes");
    };
    Ok(chunks.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect())
}
