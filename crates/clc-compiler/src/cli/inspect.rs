//! `clc inspect`: what a module says of itself, of any compiler and for any API.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use clc_base::{Diagnostic, SourceMap};
use clc_legalise::diagnostics::{E0720, E0726, E0727};

use super::args::{InspectArgs, InspectFormat, When};
use super::{COMPILED, INTERNAL, SOURCE_ERRORS, options, parsed, terminal_style, to_stdout};
use crate::guard;
use crate::reflection::diff::{Compared, diff};
use crate::reflection::{self, Joined, ModuleDescription};
use crate::{TargetEnv, fs, render};

/// Files that are larger are no modules: the largest program known has 10 MB.
const MOST_BYTES: u64 = 256 << 20;

/// A module that was read.
struct Module {
    name: String,
    words: Vec<u32>,
    description: ModuleDescription,
}

/// Runs `clc inspect …` and gives its exit code.
pub fn command(mut arguments: Vec<OsString>, command_line: &str) -> Result<u8, String> {
    // The command is called `clc inspect`.
    arguments.remove(1);
    let (args, _): (InspectArgs, _) = match parsed(arguments)? {
        Ok(parsed) => parsed,
        Err(code) => return Ok(code),
    };
    let wanted = if args.diff { 2 } else { 1 };
    match args.inputs.len() {
        0 => return Err("no module; `clc inspect --help` shows the options".to_owned()),
        found if found == wanted => {}
        _ if args.diff => return Err("`--diff` compares two modules".to_owned()),
        _ => return Err("one module is inspected at a time; `--diff` compares two".to_owned()),
    }
    if args.diff && (args.disassemble || args.format == InspectFormat::Json) {
        return Err("`--diff` has a form of its own, for people".to_owned());
    }
    if args.disassemble && args.format == InspectFormat::Json {
        return Err("only one of `--disassemble` and `--format=json` can be given".to_owned());
    }
    if args.reflection.is_some() && (args.diff || args.disassemble) {
        let other = if args.diff { "--diff" } else { "--disassemble" };
        return Err(format!(
            "`--reflection` adds to the description, which `{other}` does not show"
        ));
    }
    if args.target.is_some() && !args.validate {
        return Err("`--target-env` is for `--validate`".to_owned());
    }
    let target = args.target.as_deref().map(|target| options::target_of(Some(target)));
    let target = target.transpose()?;
    let mut files = Vec::new();
    for input in &args.inputs {
        let path = Path::new(input);
        let name = if input == "-" { "<stdin>".into() } else { input.to_string_lossy() };
        files.push((name.into_owned(), read(path)?));
    }
    let reflection = match &args.reflection {
        None => None,
        Some(path) if path == "-" && args.inputs.iter().any(|input| input == "-") => {
            return Err("standard input cannot be the module and its reflection".to_owned());
        }
        Some(path) => {
            let name = if path == "-" { "<stdin>".into() } else { path.to_string_lossy() };
            Some((name.into_owned(), read(Path::new(path))?))
        }
    };
    let color = match args.color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let first = files[0].0.clone();
    let outcome = guard::run(|| inspect(files, reflection, &args, target, color));
    let (text, code) = match outcome {
        Err(error) => {
            let report = error.report(&first, command_line);
            let _ = io::stderr().write_all(report.as_bytes());
            return Ok(INTERNAL);
        }
        Ok(Err(diagnostics)) => {
            let style = terminal_style(args.message_format, args.color);
            let text = render::render_all(&diagnostics, &SourceMap::new(), style);
            let _ = io::stderr().write_all(text.as_bytes());
            return Ok(SOURCE_ERRORS);
        }
        Ok(Ok(outcome)) => outcome,
    };
    to_stdout(text.as_bytes())?;
    Ok(code)
}

/// What to print and the exit code, or what is wrong with the files.
fn inspect(
    files: Vec<(String, Vec<u8>)>,
    written: Option<(String, Vec<u8>)>,
    args: &InspectArgs,
    target: Option<TargetEnv>,
    color: bool,
) -> Result<(String, u8), Vec<Diagnostic>> {
    let (mut modules, mut wrong) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        match module(&name, &bytes) {
            Ok(module) => modules.push(module),
            Err(reason) => wrong.push(unreadable(&name, &reason)),
        }
    }
    if args.validate {
        wrong.extend(modules.iter().filter_map(|module| invalid(module, target)));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    if let [a, b] = &modules[..] {
        let texts = [a, b].map(|module| {
            let table = reflection::table("module", &module.description, None, false);
            (table, clc_spirv::try_disassemble(&module.words))
        });
        let [a, b] = [(a, &texts[0]), (b, &texts[1])].map(|(module, (table, text))| Compared {
            name: &module.name,
            table,
            text: text.as_deref(),
        });
        return Ok(match diff(a, b, color) {
            None => (String::new(), COMPILED),
            Some(text) => (text, SOURCE_ERRORS),
        });
    }
    let mut text = String::new();
    for module in &modules {
        let described = match &written {
            None => Joined {
                description: module.description.clone(),
                environment: None,
                reflection: None,
            },
            Some((name, bytes)) => joined(module, name, bytes)?,
        };
        let Joined { description, environment, reflection } = &described;
        let reflection = reflection.as_ref();
        text.push_str(&match args.format {
            _ if args.disassemble => clc_spirv::try_disassemble(&module.words)
                .map_err(|reason| vec![unreadable(&module.name, &reason)])?,
            InspectFormat::Json => reflection::json(description, *environment, reflection),
            InspectFormat::Table => reflection::table(&module.name, description, reflection, color),
        });
    }
    Ok((text, COMPILED))
}

fn module(name: &str, bytes: &[u8]) -> Result<Module, String> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {} MiB", MOST_BYTES >> 20));
    }
    let (words, _) = reflection::in_native_order(bytes)?;
    let description = reflection::describe(&words)?;
    Ok(Module { name: name.to_owned(), words, description })
}

/// A module with what its reflection says besides.
fn joined(module: &Module, name: &str, bytes: &[u8]) -> Result<Joined, Vec<Diagnostic>> {
    let text = match bytes.len() as u64 > MOST_BYTES {
        true => Err(format!("it has more than {} MiB", MOST_BYTES >> 20)),
        false => {
            std::str::from_utf8(bytes).map_err(|_| "it is no JSON: it is not UTF-8".to_owned())
        }
    };
    let outcome = text.and_then(|text| reflection::with_json(module.description.clone(), text));
    outcome.map_err(|reason| {
        let message = format!("`{name}` is not the reflection of `{}`: {reason}", module.name);
        let help =
            "`clc KERNEL.cl -o MODULE.spv --reflection FILE.json` writes both, one for the other";
        vec![Diagnostic::without_place(&E0727, message).help(help)]
    })
}

fn unreadable(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&E0720, format!("`{name}` cannot be inspected: {reason}"))
        .help("a SPIR-V module is wanted, as `clc` and other compilers write it")
}

/// Reads a file, or as much of it as shows that it is too large.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let limit = MOST_BYTES + 1;
    let mut bytes = Vec::new();
    let result = match path == Path::new("-") {
        true => io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    match result {
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("cannot read {}: {}", fs::show(path), fs::reason(&error))),
    }
}

/// What the validator finds.
#[cfg(feature = "validate")]
fn invalid(module: &Module, target: Option<TargetEnv>) -> Option<Diagnostic> {
    // The largest bound of ids (SPIR-V 2.17); the validator makes tables of this size.
    const MOST_IDS: u32 = 0x3f_ffff;
    let usual = match module.description.target {
        reflection::module::Target::OpenCl => TargetEnv::OpenCl { major: 3, minor: 0 },
        reflection::module::Target::Vulkan => TargetEnv::Vulkan { major: 1, minor: 3 },
    };
    let options = clc_legalise::TargetOptions {
        spirv_version: module.description.version,
        ..clc_legalise::TargetOptions::new(target.unwrap_or(usual))
    };
    let environment = options.environment;
    let bound = module.words.get(3).copied().unwrap_or_default();
    let outcome = match bound > MOST_IDS {
        true => Err(format!("its id bound, {bound}, is above the limit of {MOST_IDS}")),
        false => clc_spirv::validate(&module.words, &options).map_err(|error| error.to_string()),
    };
    let reason = outcome.err()?;
    let message = format!("`{}` is not valid for {environment}: {reason}", module.name);
    Some(Diagnostic::without_place(&E0726, message))
}

#[cfg(not(feature = "validate"))]
fn invalid(module: &Module, _: Option<TargetEnv>) -> Option<Diagnostic> {
    let message = format!("`{}` was not validated: this clc has no validator", module.name);
    Some(Diagnostic::without_place(&E0726, message))
}
