//! The library, compared with clang's header: every overload that clang declares is called once, with
//! arguments of exactly the declared types, and compiled to a module that the validator sees.
//!
//! ```text
//! library --folder FOLDER [--clang PROGRAM] [--name NAME]
//! ```
//!
//! `--name` calls the functions whose names contain the text.

mod declaration;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clc::{Emit, NoIncludes, OptLevel, Options, TargetOptions, Unit, Version};
use declaration::Declaration;

/// What clang declares in a version, and what it is compiled as.
struct Dialect {
    name: &'static str,
    standard: &'static str,
    version: Version,
    extensions: &'static str,
}

/// Clang knows no OpenCL C 3.1: what that version made part of the language must be there without the
/// extensions it comes from.
const DIALECTS: [Dialect; 4] = [
    Dialect { name: "1.2", standard: "CL1.2", version: Version::V1_2, extensions: "+all" },
    Dialect { name: "2.0", standard: "CL2.0", version: Version::V2_0, extensions: "+all" },
    Dialect { name: "3.0", standard: "CL3.0", version: Version::V3_0, extensions: "+all" },
    Dialect {
        name: "3.1",
        standard: "CL3.0",
        version: Version::V3_1,
        extensions: "+all,-cl_khr_extended_bit_ops,-cl_khr_integer_dot_product,\
                     -cl_khr_subgroup_extended_types,-cl_khr_subgroup_shuffle,\
                     -cl_khr_subgroup_shuffle_relative,-cl_khr_subgroup_rotate",
    },
];

/// Failures that are shown.
const SHOWN: usize = 40;

struct Arguments {
    folder: PathBuf,
    clang: String,
    name: String,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("library: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out =
        Arguments { folder: PathBuf::new(), clang: "clang-22".to_owned(), name: String::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
        match word.as_str() {
            "--folder" => out.folder = value.into(),
            "--clang" => out.clang = value,
            "--name" => out.name = value,
            _ => return Err(format!("unknown option `{word}`")),
        }
    }
    Ok(out)
}

/// Whether everything compiles.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut all = true;
    println!("| OpenCL C | functions | overloads | valid |\n|---|---|---|---|");
    let mut complaints = Vec::new();
    for dialect in &DIALECTS {
        let text = declared(&arguments.clang, &arguments.folder, dialect.standard)?;
        // Of Intel's functions only those of the common extensions are known.
        let mut declarations = declaration::parse(&text)?;
        declarations.retain(|declaration| {
            !declaration.name.starts_with("intel_") && declaration.name.contains(&arguments.name)
        });
        let options = options(dialect);
        let (mut functions, mut valid) = (0, 0);
        declarations.sort_by(|left, right| left.name.cmp(&right.name));
        for overloads in declarations.chunk_by(|left, right| left.name == right.name) {
            functions += 1;
            if compile(&options, overloads).is_ok() {
                valid += overloads.len();
                continue;
            }
            for overload in overloads {
                match compile(&options, std::slice::from_ref(overload)) {
                    Ok(()) => valid += 1,
                    Err(message) => complaints.push(format!(
                        "{}: {}\n    {message}",
                        dialect.name,
                        overload.call(0).trim()
                    )),
                }
            }
        }
        let count = declarations.len();
        if arguments.name.is_empty() && count < 5_000 {
            return Err(format!("{} declares {count} overloads only", arguments.clang));
        }
        println!("| {} | {functions} | {count} | {valid} |", dialect.name);
        all &= valid == count;
    }
    for complaint in complaints.iter().take(SHOWN) {
        eprintln!("{complaint}");
    }
    if complaints.len() > SHOWN {
        eprintln!("and {} more", complaints.len() - SHOWN);
    }
    Ok(all)
}

/// Clang's header, preprocessed.
fn declared(clang: &str, folder: &Path, standard: &str) -> Result<String, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let empty = folder.join("empty.cl");
    std::fs::write(&empty, "\n").map_err(|error| format!("{}: {error}", empty.display()))?;
    let resources = printed(Command::new(clang).arg("-print-resource-dir"))?;
    // Not through clang's driver, which prefers a table of its own to the header.
    printed(
        Command::new(clang)
            .args(["-cc1", "-triple", "spirv64-unknown-unknown", "-x", "cl", "-E", "-P"])
            .args(["-finclude-default-header", "-cl-ext=+all", &format!("-cl-std={standard}")])
            .arg("-internal-isystem")
            .arg(Path::new(resources.trim()).join("include"))
            .arg(&empty),
    )
}

fn printed(command: &mut Command) -> Result<String, String> {
    let clang = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        format!("NOTHING WAS COMPARED: {clang}: {error}. It is in Debian's package of that name")
    })?;
    if !output.status.success() {
        return Err(format!("{clang}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A library at `-O0`, so that every call becomes an instruction.
fn options(dialect: &Dialect) -> Options {
    Options {
        version: dialect.version,
        extensions: vec![dialect.extensions.to_owned()],
        target: TargetOptions { spirv_version: (1, 6), ..TargetOptions::default() },
        opt_level: OptLevel::O0,
        unit: Unit::Part,
        ..Options::default()
    }
}

fn compile(options: &Options, overloads: &[Declaration]) -> Result<(), String> {
    let calls = overloads.iter().enumerate().map(|(index, overload)| overload.call(index));
    // `half` is used by its pragma.
    let pragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n".to_owned();
    let source = pragma + &calls.collect::<String>();
    // What is broken inside the compiler is a failure of this overload only.
    let compilation = clc::guard::run(|| {
        clc::compile("library.cl", source.as_bytes(), Emit::Spirv, options, &mut NoIncludes)
    })
    .map_err(|error| error.message)?;
    if compilation.words().is_some() {
        return Ok(());
    }
    let error = compilation.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    Err(match (error, &compilation.internal_error) {
        (Some(error), _) => format!("{}: {}", error.code.id, error.message),
        (None, Some(error)) => error.message.clone(),
        (None, None) => "no module".to_owned(),
    })
}
