//! The `clc` command: from arguments to files and an exit code.
//!
//! Exit codes: 0 compiled, 1 errors in a source (nothing written for it), 2 wrong usage or an
//! input or output that cannot be read or written, 70 an internal error.

mod args;
mod clspv;
mod explain;
mod header;
mod inspect;
mod link;
mod lsp;
mod objects;
mod offline;
mod options;
mod request;
mod spelling;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::fs;
use crate::render::{self, Style};
use crate::{Artifact, Compilation, Emit, TargetEnv, Unit, guard};
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use args::{Args, EmitKind, MessageFormat, When};
use request::style_of;
pub use request::{Includes, Outcome, Request};

pub use request::{COMPILED, INTERNAL, SOURCE_ERRORS, USAGE};
pub use spelling::split_options;

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
    if arguments.get(1).is_some_and(|word| word == "inspect") {
        return inspect::command(arguments, &command_line);
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

/// How messages are shown on standard error.
fn terminal_style(format: MessageFormat, color: When) -> Style {
    let color = match color {
        When::Always => true,
        When::Never => false,
        When::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    style_of(format, color)
}

/// What is the same for every input.
struct Job {
    request: Request,
    /// The module is written as an array of C, of this name or the source's.
    header: Option<Option<String>>,
    output: Option<PathBuf>,
    reflection: Option<PathBuf>,
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
        let mut request = Request::new(args, matches)?;
        for warning in request.warnings.drain(..) {
            let _ = writeln!(io::stderr(), "clc: warning: {warning}");
        }
        let header = (args.emit == Some(EmitKind::CHeader)).then(|| args.variable_name.clone());
        if header.is_none() && args.variable_name.is_some() {
            return Err("`--variable-name` is for `--emit=c-header`".to_owned());
        }
        if header.is_some()
            && request.options.unit == Unit::Part
            && matches!(request.options.target.environment, TargetEnv::Vulkan { .. })
        {
            return Err("an object is no module: it has no `--emit=c-header`".to_owned());
        }
        request.style = terminal_style(args.message_format, args.color);
        Ok(Job {
            output: args.output.as_ref().map(PathBuf::from),
            reflection: args.reflection.as_ref().map(PathBuf::from),
            depend: Depend {
                only: request.emit == Emit::Deps,
                beside: args.depend,
                file: args.depend_file.as_ref().map(PathBuf::from),
                target: args.depend_target.clone(),
                phony: args.depend_phony,
            },
            request,
            header,
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
        if self.request.style.format == render::MessageFormat::Sarif {
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

    /// Whether a file of a module's words is written.
    fn is_module(&self) -> bool {
        self.request.emit == Emit::Spirv && self.header.is_none()
    }

    /// The name of an output without `-o`: the input's, in the working folder.
    fn default_name(&self, input: &Path) -> PathBuf {
        Path::new(input.file_stem().unwrap_or(input.as_os_str())).with_extension("spv")
    }

    fn sink_of_one(&self, input: &Path) -> Result<Option<Sink>, String> {
        if self.request.emit == Emit::Nothing {
            return Ok(None);
        }
        if let Some(asked) = &self.header {
            header::variable_name(asked.as_deref(), input)?;
        }
        let is_module = self.is_module();
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
        match self.request.emit {
            Emit::Nothing => return Ok(inputs.iter().map(|_| None).collect()),
            Emit::Spirv if self.is_module() => {}
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
        let style = self.request.style;
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
        let mut resolver = self.request.resolver.clone();
        let Outcome { status, compilation, mut log, internal_error } =
            self.request.compile(&name, &bytes, &mut resolver);
        if let Some(compilation) = &compilation {
            for (pass, text) in &compilation.dumps {
                log.push_str(&format!("; after {pass}\n{text}\n"));
            }
            log.push_str(&times(compilation));
        }
        if let Some(error) = &internal_error {
            log.push_str(&error.report(&input.to_string_lossy(), &self.command_line));
        }
        let Some(compilation) = compilation.filter(|_| status == COMPILED) else {
            return (status, log);
        };
        match self.write(&name, &compilation, sink) {
            Ok(()) => (COMPILED, log),
            Err(message) => {
                log.push_str(&format!("clc: error: {message}\n"));
                (USAGE, log)
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
        let reflection = self.request.reflection(compilation);
        let bytes = match &compilation.artifact {
            _ if self.request.emit == Emit::Reflection => {
                reflection.clone().unwrap_or_default().into()
            }
            Some(Artifact::Module(words)) => match &self.header {
                Some(asked) => {
                    let variable = header::variable_name(asked.as_deref(), Path::new(name))?;
                    header::text(words, &variable).into_bytes()
                }
                None => fs::module_bytes(words),
            },
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
