//! The `clc` command: from arguments to files and an exit code.
//!
//! Exit codes: 0 compiled, 1 errors in a source (nothing written for it), 2 wrong usage or an
//! input or output that cannot be read or written, 70 an internal error.

mod args;
mod clspv;
mod explain;
mod link;
mod lsp;
mod objects;
mod offline;
mod options;
mod spelling;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::fs::{self, FileResolver};
use crate::render::{self, Style};
use crate::{Artifact, Compilation, Emit, Options, TargetEnv, guard};
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use args::{Args, MessageFormat, When};
use options::{emit_of, options_of};

const COMPILED: u8 = 0;
const SOURCE_ERRORS: u8 = 1;
const USAGE: u8 = 2;
const INTERNAL: u8 = 70;

/// Runs the command and gives its exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let command_line = spelling::quoted(&arguments);
    match command(arguments, command_line) {
        Ok(code) => code,
        Err(message) => {
            complain(&message);
            USAGE
        }
    }
}

/// Says something on standard error; nothing can be done if that fails.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "clc: error: {message}");
}

/// What a command line asks for, without doing it: the inputs, the options and the folders to look
/// for include files in. For programs that compile in-process what a command line describes.
pub fn parse(
    arguments: &[impl AsRef<str>],
) -> Result<(Vec<PathBuf>, Options, FileResolver), String> {
    let mut command = Args::command();
    let arguments = std::iter::once("clc").chain(arguments.iter().map(AsRef::as_ref));
    let arguments = spelling::normalise(arguments.map(OsString::from).collect(), &command)?;
    let matches = command.try_get_matches_from_mut(arguments).map_err(|error| error.to_string())?;
    let args = Args::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    let job = Job::new(&args, &matches, String::new())?;
    Ok((args.inputs.iter().map(PathBuf::from).collect(), job.options, job.resolver))
}

/// The command line, or the exit code if help, the version or a complaint has been shown instead.
fn parsed<T: CommandFactory + FromArgMatches>(
    arguments: Vec<OsString>,
) -> Result<Result<(T, ArgMatches), u8>, String> {
    let mut command = T::command();
    let arguments = spelling::normalise(arguments, &command)?;
    match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => {
            let args = T::from_arg_matches(&matches).map_err(|error| error.to_string())?;
            Ok(Ok((args, matches)))
        }
        Err(error) => {
            let _ = error.print();
            Ok(Err(if error.use_stderr() { USAGE } else { COMPILED }))
        }
    }
}

fn command(mut arguments: Vec<OsString>, command_line: String) -> Result<u8, String> {
    if clspv::is_meant(&arguments) {
        if arguments.iter().any(|word| word == "--help" || word == "-h") {
            to_stdout(clspv::help().as_bytes())?;
            return Ok(COMPILED);
        }
        let request = clspv::translate(arguments)?;
        if request.is_separate() {
            return objects::compile_parts(request, command_line);
        }
        arguments = request.arguments;
    }
    if arguments.get(1).is_some_and(|word| word == "lsp") {
        return lsp::command(&arguments);
    }
    if offline::is_meant(&arguments) {
        arguments = offline::translate(arguments)?;
    }
    if arguments.get(1).is_some_and(|word| word == "link") {
        if let Some(request) = objects::link_of(&arguments) {
            return objects::compile_parts(request, command_line);
        }
        return link::command(arguments, &command_line);
    }
    let (args, matches): (Args, ArgMatches) = match parsed(arguments)? {
        Ok(parsed) => parsed,
        Err(code) => return Ok(code),
    };
    if let Some(code) = &args.explain {
        to_stdout(explain::explain(code)?.as_bytes())?;
        return Ok(COMPILED);
    }
    if args.inputs.is_empty() {
        return Err("no input file; `clc --help` shows the options".to_owned());
    }
    let job = Job::new(&args, &matches, command_line)?;
    job.run(&args.inputs)
}

/// How messages are shown.
fn style_of(format: MessageFormat, color: When) -> Style {
    let color = match color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let format = match format {
        MessageFormat::Human => render::MessageFormat::Human,
        MessageFormat::Short => render::MessageFormat::Short,
        MessageFormat::Json => render::MessageFormat::Json,
        MessageFormat::Sarif => render::MessageFormat::Sarif,
    };
    Style { format, color }
}

/// What is the same for every input.
struct Job {
    options: Options,
    resolver: FileResolver,
    emit: Emit,
    output: Option<PathBuf>,
    reflection: Option<PathBuf>,
    style: Style,
    depend: Depend,
    command_line: String,
}

struct Depend {
    only: bool,
    beside: bool,
    file: Option<PathBuf>,
    target: Option<String>,
    phony: bool,
}

/// Where one input's output goes.
enum Sink {
    Stdout,
    File(PathBuf),
}

impl Job {
    fn new(args: &Args, matches: &ArgMatches, command_line: String) -> Result<Job, String> {
        let emit = emit_of(args)?;
        let options = options_of(args, matches)?;
        let reflected = emit == Emit::Reflection || args.reflection.is_some();
        if reflected && !matches!(options.target.environment, TargetEnv::Vulkan { .. }) {
            return Err(format!(
                "a reflection is made for Vulkan only (`--target-env=vulkan1.3`): drivers of {} \
                 read all of it from the module",
                options.target.environment
            ));
        }
        if reflected && options.target.convention != clc_legalise::Convention::Own {
            return Err("with `--reflection-set=clspv` the reflection is in the module".to_owned());
        }
        if args.reflection.is_some() && !matches!(emit, Emit::Spirv | Emit::Asm | Emit::Reflection)
        {
            return Err("`--reflection` is written beside a module, and none is made".to_owned());
        }
        Ok(Job {
            options,
            resolver: FileResolver {
                include_dirs: args.include_dirs.iter().map(PathBuf::from).collect(),
                system_dirs: args.system_dirs.iter().map(PathBuf::from).collect(),
            },
            emit,
            output: args.output.as_ref().map(PathBuf::from),
            reflection: args.reflection.as_ref().map(PathBuf::from),
            style: style_of(args.message_format, args.color),
            depend: Depend {
                only: emit == Emit::Deps,
                beside: args.depend,
                file: args.depend_file.as_ref().map(PathBuf::from),
                target: args.depend_target.clone(),
                phony: args.depend_phony,
            },
            command_line,
        })
    }

    fn run(&self, inputs: &[OsString]) -> Result<u8, String> {
        if let [input] = inputs {
            let input = Path::new(input);
            let sink = self.sink_of_one(input)?;
            let (code, messages) = self.one(input, sink.as_ref());
            let _ = io::stderr().write_all(messages.as_bytes());
            return Ok(code);
        }
        let sinks = self.sinks_of_many(inputs)?;
        let next = std::sync::atomic::AtomicUsize::new(0);
        let results: Vec<std::sync::OnceLock<(u8, String)>> =
            inputs.iter().map(|_| std::sync::OnceLock::new()).collect();
        let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(inputs.len());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(input) = inputs.get(index) else { break };
                        let sink = sinks.get(index).and_then(Option::as_ref);
                        let _ = results[index].set(self.one(Path::new(input), sink));
                    }
                });
            }
        });
        // Messages in the order of the inputs, whoever was first.
        let mut worst = COMPILED;
        if self.style.format == render::MessageFormat::Sarif {
            let documents: Vec<String> = results
                .iter()
                .filter_map(std::sync::OnceLock::get)
                .map(|(code, document)| {
                    worst = worst.max(*code);
                    document.clone()
                })
                .collect();
            let _ = io::stderr().write_all(render::sarif::merge(&documents).as_bytes());
            return Ok(worst);
        }
        for (code, messages) in results.iter().filter_map(std::sync::OnceLock::get) {
            let _ = io::stderr().write_all(messages.as_bytes());
            worst = worst.max(*code);
        }
        Ok(worst)
    }

    /// The name of an output without `-o`: the input's, in the working folder.
    fn default_name(&self, input: &Path) -> PathBuf {
        Path::new(input.file_stem().unwrap_or(input.as_os_str())).with_extension("spv")
    }

    fn sink_of_one(&self, input: &Path) -> Result<Option<Sink>, String> {
        if self.emit == Emit::Nothing {
            return Ok(None);
        }
        let is_module = self.emit == Emit::Spirv;
        let sink = match &self.output {
            Some(path) if path == Path::new("-") => Sink::Stdout,
            Some(path) if is_module && path.is_dir() => {
                Sink::File(path.join(self.default_name(input)))
            }
            Some(path) => Sink::File(path.clone()),
            None if !is_module || input == Path::new("-") => Sink::Stdout,
            None => Sink::File(self.default_name(input)),
        };
        if is_module && matches!(sink, Sink::Stdout) && io::stdout().is_terminal() {
            return Err("a module would go to the terminal; name a file with `-o`".to_owned());
        }
        Ok(Some(sink))
    }

    fn sinks_of_many(&self, inputs: &[OsString]) -> Result<Vec<Option<Sink>>, String> {
        if self.depend.file.is_some() {
            return Err("`-MF` names one file, but there are several inputs".to_owned());
        }
        if self.reflection.is_some() {
            let message = "`--reflection` names one file, but there are several inputs";
            return Err(message.to_owned());
        }
        if inputs.iter().any(|input| input == "-") {
            return Err("standard input cannot be one of several inputs".to_owned());
        }
        match self.emit {
            Emit::Nothing => return Ok(inputs.iter().map(|_| None).collect()),
            Emit::Spirv => {}
            _ => return Err("only modules can be made of several inputs at once".to_owned()),
        }
        let folder = match &self.output {
            None => PathBuf::new(),
            Some(path) if path.is_dir() => path.clone(),
            Some(path) => {
                return Err(format!(
                    "several inputs need a folder to write to, and `{}` is none",
                    path.display()
                ));
            }
        };
        let mut taken: HashMap<PathBuf, &OsString> = HashMap::new();
        let mut sinks = Vec::new();
        for input in inputs {
            let path = folder.join(self.default_name(Path::new(input)));
            if let Some(other) = taken.insert(path.clone(), input) {
                return Err(format!(
                    "`{}` and `{}` would both be written to `{}`",
                    other.display(),
                    input.display(),
                    path.display()
                ));
            }
            sinks.push(Some(Sink::File(path)));
        }
        Ok(sinks)
    }

    /// What `compile` makes of an input, after its messages have been shown; or the exit code.
    fn guarded(
        &self,
        input: &Path,
        compile: impl FnOnce() -> Compilation,
    ) -> Result<Compilation, u8> {
        let internal = |error: &guard::InternalError| {
            let text = error.report(&input.to_string_lossy(), &self.command_line);
            let _ = io::stderr().write_all(text.as_bytes());
            INTERNAL
        };
        let style = self.style;
        let outcome = guard::run(move || {
            let compilation = compile();
            let messages =
                render::render_all(&compilation.diagnostics, &compilation.sources, style);
            (compilation, messages)
        });
        let (compilation, messages) = outcome.map_err(|error| internal(&error))?;
        let _ = io::stderr().write_all(messages.as_bytes());
        if let Some(error) = &compilation.internal_error {
            return Err(internal(error));
        }
        if compilation.artifact.is_some() { Ok(compilation) } else { Err(SOURCE_ERRORS) }
    }

    /// Compiles one input; gives its exit code and what to say on standard error.
    fn one(&self, input: &Path, sink: Option<&Sink>) -> (u8, String) {
        let usage = |message: String| (USAGE, format!("clc: error: {message}\n"));
        let bytes = match fs::read_input(input) {
            Ok(bytes) => bytes,
            Err(message) => return usage(message),
        };
        let name = if input == Path::new("-") {
            "<stdin>".to_owned()
        } else {
            input.to_string_lossy().into_owned()
        };
        let mut resolver = self.resolver.clone();
        let outcome = guard::run(|| {
            let compilation =
                crate::compile(&name, &bytes, self.emit, &self.options, &mut resolver);
            let messages =
                render::render_all(&compilation.diagnostics, &compilation.sources, self.style);
            (compilation, messages)
        });
        let internal = |error: &guard::InternalError| {
            error.report(&input.to_string_lossy(), &self.command_line)
        };
        let (compilation, mut messages) = match outcome {
            Ok(result) => result,
            Err(error) => return (INTERNAL, internal(&error)),
        };
        for (pass, text) in &compilation.dumps {
            messages.push_str(&format!("; after {pass}\n{text}\n"));
        }
        messages.push_str(&times(&compilation));
        if let Some(error) = &compilation.internal_error {
            messages.push_str(&internal(error));
            return (INTERNAL, messages);
        }
        if compilation.artifact.is_none() {
            return (SOURCE_ERRORS, messages);
        }
        match self.write(&name, &compilation, sink) {
            Ok(()) => (COMPILED, messages),
            Err(message) => {
                messages.push_str(&format!("clc: error: {message}\n"));
                (USAGE, messages)
            }
        }
    }

    fn write(
        &self,
        name: &str,
        compilation: &Compilation,
        sink: Option<&Sink>,
    ) -> Result<(), String> {
        let rule = || {
            let target = match (&self.depend.target, sink) {
                (Some(target), _) => target.clone(),
                (None, Some(Sink::File(path))) if !self.depend.only => path.display().to_string(),
                _ => self.default_name(Path::new(name)).display().to_string(),
            };
            crate::dump::make_rule(&target, name, &compilation.dependencies, self.depend.phony)
        };
        if self.depend.only {
            return match (&self.depend.file, sink) {
                (Some(path), _) | (None, Some(Sink::File(path))) => {
                    fs::write_output(path, rule().as_bytes())
                }
                _ => to_stdout(rule().as_bytes()),
            };
        }
        let reflection = compilation.reflection.as_ref().map(crate::reflection::json);
        let bytes = match &compilation.artifact {
            _ if self.emit == Emit::Reflection => reflection.clone().unwrap_or_default().into(),
            Some(Artifact::Module(words)) => fs::module_bytes(words),
            Some(Artifact::Text(text)) => text.clone().into_bytes(),
            Some(Artifact::Object(bytes)) => bytes.clone(),
            Some(Artifact::Nothing) | None => Vec::new(),
        };
        // First, so that who finds a new module finds what belongs to it.
        if let (Some(path), Some(text)) = (&self.reflection, &reflection) {
            fs::write_output(path, text.as_bytes())?;
        }
        match sink {
            Some(Sink::File(path)) => fs::write_output(path, &bytes)?,
            Some(Sink::Stdout) => to_stdout(&bytes)?,
            None => {}
        }
        if self.depend.beside {
            let beside = match (&self.depend.file, sink) {
                (Some(path), _) => path.clone(),
                (None, Some(Sink::File(path))) => path.with_extension("d"),
                _ => self.default_name(Path::new(name)).with_extension("d"),
            };
            fs::write_output(&beside, rule().as_bytes())?;
        }
        Ok(())
    }
}

fn to_stdout(bytes: &[u8]) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(bytes)
        .and_then(|()| stdout.flush())
        .map_err(|error| format!("cannot write to standard output: {}", fs::reason(&error)))
}

fn times(compilation: &Compilation) -> String {
    let mut out = String::new();
    for timing in &compilation.timings {
        let indent = if timing.is_pass { "  " } else { "" };
        let millis = timing.time.as_secs_f64() * 1e3;
        out.push_str(&format!("{millis:10.3} ms  {indent}{}\n", timing.name));
    }
    out
}
