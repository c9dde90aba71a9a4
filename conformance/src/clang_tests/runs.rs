//! The `RUN` lines of a test, and which of them say what is legal OpenCL C for a target of ours.

use std::path::{Path, PathBuf};

use clc::fs::FileResolver;
use clc::{AddressBits, Emit, Options, Version};

/// One compilation that a test asks for.
pub struct Run {
    /// Which of the test's commands it is, from 1.
    pub number: usize,
    /// The arguments for `clang -cc1` that decide what is legal.
    pub arguments: Vec<String>,
    pub options: Options,
}

/// Why a command is no compilation to compare.
pub type Skipped = &'static str;

/// The commands of a test, in order.
pub fn runs(text: &str, folder: &Path) -> Vec<Result<Run, Skipped>> {
    let mut commands: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let Some((_, part)) = line.split_once("RUN:") else { continue };
        let part = part.trim();
        let (part, goes_on) = match part.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (part, false),
        };
        match commands.last_mut() {
            Some(command) if continues => command.push_str(part),
            _ => commands.push(part.to_owned()),
        }
        continues = goes_on;
    }
    let run = |(index, command): (usize, &String)| run(index + 1, &words(command), folder);
    commands.iter().enumerate().map(run).collect()
}

/// Words as a shell makes them, as far as tests quote.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if c.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn run(number: usize, words: &[String], folder: &Path) -> Result<Run, Skipped> {
    let Some(("%clang_cc1", words)) = words.split_first().map(|(first, rest)| (&**first, rest))
    else {
        return Err("no compilation");
    };
    if !words.iter().any(|word| word.starts_with("-verify")) {
        return Err("errors are not what it tests");
    }
    let mut run = Run { number, arguments: Vec::new(), options: Options::default() };
    let options = &mut run.options;
    options.error_limit = 0;
    // What clang's targets for SPIR have.
    options.extensions.push("+all".to_owned());
    // Functions without the header that declares the types of their parameters.
    let has = |option: &str| words.iter().any(|word| word == option);
    if has("-fdeclare-opencl-builtins") && !has("-finclude-default-header") {
        return Err("library functions without the types that clang's header has");
    }
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut keep = vec![word.to_owned()];
        if let Some(name) = word.strip_prefix("-cl-std=") {
            options.version = version(name)?;
        } else if let Some(list) = word.strip_prefix("-cl-ext=") {
            options.extensions.push(list.to_owned());
        } else if let Some(feature) = word.strip_prefix("-D__undef_") {
            // How clang's header takes a feature away.
            options.extensions.push(format!("-{}", feature.trim_end_matches("=1")));
        } else if let Some(definition) = word.strip_prefix("-D").filter(|rest| !rest.is_empty()) {
            options.define(definition);
        } else if let Some(triple) = word.strip_prefix("-triple") {
            let triple = match triple.strip_prefix('=') {
                Some(triple) => triple,
                None => words.next().unwrap_or_default(),
            };
            keep = vec!["-triple".to_owned(), triple.to_owned()];
            options.address_bits = address_bits(triple)?;
        } else {
            match word {
                "-D" | "-include" => {
                    let value = words.next().unwrap_or_default().replace("%S", &show(folder));
                    match word {
                        "-D" => drop(options.define(&value)),
                        _ => options.force_includes.push(value.clone()),
                    }
                    keep.push(value);
                }
                "-x" => match words.next() {
                    Some("cl") => keep.push("cl".to_owned()),
                    _ => return Err("another language"),
                },
                "-finclude-default-header"
                | "-fdeclare-opencl-builtins"
                | "-fblocks"
                | "-ffake-address-space-map" => {}
                "-include-pch" | "-emit-pch" => return Err("a precompiled header"),
                "-o" | "-ferror-limit" => {
                    words.next();
                    keep.clear();
                }
                // What would be warnings, what is made of a program without errors, and the file.
                _ if word.starts_with("-W")
                    || word.starts_with("-verify")
                    || word.starts_with("-fmodules")
                    || ["%s", "-pedantic", "-fsyntax-only", "-emit-llvm", "-S", "-O0"]
                        .contains(&word)
                    || ["-fexperimental-new-constant-interpreter", "-fimplicit-module-maps"]
                        .contains(&word) =>
                {
                    keep.clear();
                }
                _ => return Err("an option without a counterpart"),
            }
        }
        run.arguments.append(&mut keep);
    }
    Ok(run)
}

fn version(name: &str) -> Result<Version, Skipped> {
    match name {
        "CL" | "CL1.0" => Ok(Version::V1_0),
        "CL1.1" => Ok(Version::V1_1),
        "CL1.2" => Ok(Version::V1_2),
        "CL2.0" => Ok(Version::V2_0),
        "CL3.0" => Ok(Version::V3_0),
        _ => Err("C++ for OpenCL"),
    }
}

fn address_bits(triple: &str) -> Result<AddressBits, Skipped> {
    match triple.split('-').next().unwrap_or_default() {
        _ if triple.contains("amd") => Err("a target of AMD"),
        "spir" | "spirv32" => Ok(AddressBits::Bits32),
        "spir64" | "spirv64" | "x86_64" => Ok(AddressBits::Bits64),
        "r600" => Err("a target of AMD"),
        _ => Err("another target"),
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

/// The lines of `file` with errors, and what clc says there; each once.
pub fn errors(run: &Run, file: &Path, text: &[u8]) -> Result<Vec<(u32, String)>, String> {
    let mut includes = FileResolver::default();
    let name = show(file);
    let compilation =
        clc::guard::catch(|| clc::compile(&name, text, Emit::Nothing, &run.options, &mut includes))
            .map_err(|error| format!("{name}: INTERNAL {}", error.message))?;
    let mut errors = Vec::new();
    for error in compilation.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let place = compilation.sources.location(error.primary.span.lo);
        let line = place.map_or(0, |place| place.line);
        errors.push((line, format!("{} {}", error.code.id, error.message)));
    }
    Ok(errors)
}

/// Files that a folder holds, in order.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(command: &str) -> Result<Run, Skipped> {
        let mut all = runs(&format!("// RUN: {command}\n"), Path::new("folder"));
        all.remove(0)
    }

    #[test]
    fn options_decide_what_is_legal() {
        let run =
            one("%clang_cc1 %s -verify -W -triple \"spir-unknown\" -cl-std=CL2.0 -DX=\"a b\" \\\n\
                       // RUN:   -cl-ext=-cl_khr_fp64 -o -")
            .expect("a compilation");
        assert_eq!(run.options.version, Version::V2_0);
        assert_eq!(run.options.address_bits, AddressBits::Bits32);
        assert_eq!(run.options.extensions, ["+all", "-cl_khr_fp64"]);
        let arguments =
            ["-triple", "spir-unknown", "-cl-std=CL2.0", "-DX=a b", "-cl-ext=-cl_khr_fp64"];
        assert_eq!(run.arguments, arguments);
    }

    #[test]
    fn other_languages_targets_and_tools_are_not_compared() {
        for command in [
            "%clang_cc1 %s -verify -cl-std=clc++",
            "%clang_cc1 %s -verify -triple amdgcn--",
            "%clang_cc1 %s -ast-dump",
            "rm -rf %t",
        ] {
            assert!(one(command).is_err(), "{command}");
        }
    }
}
