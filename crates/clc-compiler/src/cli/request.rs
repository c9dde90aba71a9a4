//! What a command line says of a compilation, apart from the files that the command reads and writes:
//! for the command itself, and for programs that compile in-process by its options.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::args::{Args, EmitKind, MessageFormat, When};
use super::options::{emit_of, options_of};
use super::spelling;
use crate::fs::FileResolver;
use crate::guard::{self, InternalError};
use crate::render::{self, Style};
use crate::{Compilation, Emit, IncludeRequest, IncludeResolver, Included, Options, TargetEnv};

/// Exit code of the command: compiled.
pub const COMPILED: u8 = 0;
/// Exit code of the command: errors in a source.
pub const SOURCE_ERRORS: u8 = 1;
/// Exit code of the command: wrong usage, or a file that cannot be read or written.
pub const USAGE: u8 = 2;
/// Exit code of the command: a broken invariant of the compiler.
pub const INTERNAL: u8 = 70;

/// What to compile to, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// Of the compilation.
    pub options: Options,
    /// What is asked for.
    pub emit: Emit,
    /// The folders to look for include files in.
    pub resolver: FileResolver,
    /// How messages are shown; in colour only if the command line says so.
    pub style: Style,
    /// What is odd about the options and no error, each a line without an end.
    pub warnings: Vec<String>,
}

impl Request {
    /// What the options of a command line say, which names no file to read, but for folders of include
    /// files, and none to write.
    pub fn of_options(arguments: &[impl AsRef<str>]) -> Result<Request, String> {
        let (args, matches) = parsed(arguments)?;
        if let Some(input) = args.usual.inputs.first() {
            return Err(format!("`{}` is no option", input.to_string_lossy()));
        }
        let strays = [
            (args.usual.output.is_some(), "-o"),
            (args.emit == Some(EmitKind::CHeader), "--emit=c-header"),
            (args.variable_name.is_some(), "--variable-name"),
            (args.reflection.is_some(), "--reflection"),
            (args.depend, "-MD"),
            (args.depend_only, "-M"),
            (args.depend_file.is_some(), "-MF"),
            (args.depend_target.is_some(), "-MT"),
            (args.depend_phony, "-MP"),
            (args.explain.is_some(), "--explain"),
            (args.watch, "--watch"),
            (args.jobs.is_some(), "-j"),
            (args.time_passes, "--time-passes"),
            (!args.print_after.is_empty(), "--print-after"),
        ];
        if let Some((_, stray)) = strays.iter().find(|(is_given, _)| *is_given) {
            return Err(format!("`{stray}` is for the command `clc` alone"));
        }
        let mut request = Request::new(&args, &matches)?;
        request.options.describe = true;
        Ok(request)
    }

    pub(super) fn new(args: &Args, matches: &ArgMatches) -> Result<Request, String> {
        let emit = emit_of(args)?;
        let mut warnings = Vec::new();
        let mut options = options_of(args, matches, &mut warnings)?;
        let reflected = emit == Emit::Reflection || args.reflection.is_some();
        options.describe = reflected;
        let is_vulkan = matches!(options.target.environment, TargetEnv::Vulkan { .. });
        if reflected && is_vulkan && args.compile_only {
            return Err("`--reflection`: a part of a program has one when it is linked".to_owned());
        }
        if reflected && options.target.convention != clc_legalise::Convention::Own {
            return Err("with `--reflection-set=clspv` the reflection is in the module".to_owned());
        }
        if args.reflection.is_some() && !matches!(emit, Emit::Spirv | Emit::Asm | Emit::Reflection)
        {
            return Err("`--reflection` is written beside a module, and none is made".to_owned());
        }
        let resolver = FileResolver {
            include_dirs: args.usual.include_dirs.iter().map(PathBuf::from).collect(),
            system_dirs: args.system_dirs.iter().map(PathBuf::from).collect(),
        };
        let style =
            style_of(args.message_format.unwrap_or_default(), args.color == Some(When::Always));
        Ok(Request { options, emit, resolver, style, warnings })
    }

    /// Compiles `source` on a large stack, whatever happens there. Include files come from `resolver`,
    /// not from [`Request::resolver`].
    pub fn compile(
        &self,
        name: &str,
        source: &[u8],
        resolver: &mut dyn IncludeResolver,
    ) -> Outcome {
        let result = guard::run(|| {
            let compilation = crate::compile(name, source, self.emit, &self.options, resolver);
            let log =
                render::render_all(&compilation.diagnostics, &compilation.sources, self.style);
            (compilation, log)
        });
        let (mut compilation, log) = match result {
            Ok(result) => result,
            Err(error) => {
                let (log, internal_error) = (String::new(), Some(error));
                return Outcome { status: INTERNAL, compilation: None, log, internal_error };
            }
        };
        let internal_error = compilation.internal_error.take();
        let status = match &compilation.artifact {
            _ if internal_error.is_some() => INTERNAL,
            Some(_) => COMPILED,
            None => SOURCE_ERRORS,
        };
        Outcome { status, compilation: Some(compilation), log, internal_error }
    }

    /// What a host must know of the module that was compiled, as JSON, where it was asked for
    /// ([`Options::describe`]).
    pub fn reflection(&self, compilation: &Compilation) -> Option<String> {
        let is_ours = self.options.target.convention == clc_legalise::Convention::Own;
        let environment = Some(self.options.target.environment);
        let description = compilation.description.as_ref()?;
        let host = compilation.reflection.as_ref().filter(|_| is_ours);
        Some(crate::reflection::json(description, environment, host))
    }
}

/// What a compilation gave, with the words of the command.
#[derive(Debug)]
pub struct Outcome {
    /// The exit code of the command.
    pub status: u8,
    /// Unless a panic ended it.
    pub compilation: Option<Compilation>,
    /// The diagnostics as the command shows them.
    pub log: String,
    /// With the status [`INTERNAL`]: what to report.
    pub internal_error: Option<InternalError>,
}

/// Asks one resolver, and then the folders that options name. Without `-I` and `-isystem` no file is
/// read.
pub struct Includes<'a> {
    first: &'a mut dyn IncludeResolver,
    files: Option<FileResolver>,
}

impl<'a> Includes<'a> {
    /// Asks `first` before the folders of `request`.
    pub fn new(first: &'a mut dyn IncludeResolver, request: &Request) -> Includes<'a> {
        let FileResolver { include_dirs, system_dirs } = &request.resolver;
        let names_folders = !include_dirs.is_empty() || !system_dirs.is_empty();
        Includes { first, files: names_folders.then(|| request.resolver.clone()) }
    }

    /// Reads files in any case, as the command does: those beside the including file too.
    pub fn and_beside(self, request: &Request) -> Includes<'a> {
        Includes { files: Some(request.resolver.clone()), ..self }
    }
}

impl IncludeResolver for Includes<'_> {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        match (self.first.resolve(request)?, &mut self.files) {
            (None, Some(files)) => files.resolve(request),
            (found, _) => Ok(found),
        }
    }

    fn searched(&mut self, request: &IncludeRequest<'_>) -> Option<Vec<String>> {
        let first = self.first.searched(request);
        let files = self.files.as_mut().and_then(|files| files.searched(request));
        match (first, files) {
            (Some(first), Some(files)) => Some([first, files].concat()),
            (first, files) => first.or(files),
        }
    }
}

/// The arguments of the command without its name.
fn parsed(arguments: &[impl AsRef<str>]) -> Result<(Args, ArgMatches), String> {
    let arguments = std::iter::once("clc").chain(arguments.iter().map(AsRef::as_ref));
    let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
    if let Some(parsed) = Args::of_usual(&arguments) {
        return Ok(parsed);
    }
    let mut command = Args::command();
    let arguments = spelling::normalise(arguments, &command)?;
    let matches = command.try_get_matches_from_mut(arguments).map_err(|error| reason(&error))?;
    let args = Args::from_arg_matches(&matches).map_err(|error| reason(&error))?;
    Ok((args, matches))
}

/// What is wrong, without the advice that is for a terminal.
fn reason(error: &clap::Error) -> String {
    use clap::error::ErrorKind;

    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        return "`--help` and `--version` are for the command `clc` alone".to_owned();
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let ends = ["\n\nUsage:", "\n\nFor more information"];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    text[..end].trim_end().to_owned()
}

/// How messages are shown.
pub(super) fn style_of(format: MessageFormat, color: bool) -> Style {
    let format = match format {
        MessageFormat::Human => render::MessageFormat::Human,
        MessageFormat::Short => render::MessageFormat::Short,
        MessageFormat::Json => render::MessageFormat::Json,
        MessageFormat::Sarif => render::MessageFormat::Sarif,
    };
    Style { format, color }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_alone_make_a_request() {
        let request = Request::of_options(&[
            "-cl-std=CL2.0",
            "-DX=1",
            "-I",
            "inc",
            "--color=always",
            "-Wodd",
        ])
        .unwrap();
        assert_eq!(request.options.version, crate::Version::V2_0);
        assert_eq!(request.resolver.include_dirs, [PathBuf::from("inc")]);
        assert!(request.style.color && request.emit == Emit::Spirv);
        assert_eq!(request.warnings, ["`-Wodd` names no warning"]);
        assert!(Request::of_options(&[] as &[&str]).unwrap().warnings.is_empty());
    }

    #[test]
    fn files_and_what_only_the_command_does_are_refused() {
        for (argument, part) in [
            ("k.cl", "`k.cl` is no option"),
            ("-ok.spv", "`-o`"),
            ("-MD", "`-MD`"),
            ("--time-passes", "`--time-passes`"),
            ("--watch", "`--watch`"),
            ("-j4", "`-j`"),
            ("--target-env=opencl3.0,vulkan1.3", "one target only"),
            ("--help", "`--help`"),
            ("--version", "`--version`"),
            ("--emit=nonsense", "invalid value 'nonsense'"),
            ("-cl-turbo", "unknown option `-cl-turbo`"),
            ("-cl-std=CL9.9", "CL9.9"),
        ] {
            let message = Request::of_options(&[argument]).unwrap_err();
            assert!(message.contains(part) && !message.contains("For more"), "{message}");
        }
    }
}
