//! The `clc` command: from arguments to files and an exit code.
//!
//! Exit codes: 0 compiled, 1 errors in a source (nothing written for it), 2 wrong usage or an
//! input or output that cannot be read or written, 70 an internal error.

mod args;
mod batch;
mod clspv;
mod completions;
mod explain;
mod header;
mod inspect;
mod link;
mod man;
mod objects;
mod offline;
mod options;
mod output;
mod outputs;
mod programs;
mod progress;
mod report;
mod request;
mod response;
mod spelling;
#[doc(hidden)]
pub mod understood;
mod vocabulary;
mod watch;

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::fs;
use crate::render::{self, Style};
use crate::{Artifact, Compilation, Emit, TargetEnv, Unit, guard};
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use args::{Args, EmitKind, MessageFormat, When};
use batch::Event;
use output::{Output, Sink};
use progress::Progress;
use report::Report;
use request::style_of;
pub use request::{Includes, Outcome, Request};

pub use request::{COMPILED, INTERNAL, SOURCE_ERRORS, USAGE};
pub use spelling::split_options;

/// Runs the command and gives its exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let outcome = response::expand(arguments).and_then(|arguments| {
        let command_line = spelling::quoted(&arguments);
        command(arguments, command_line)
    });
    match outcome {
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

/// [`parsed`], for the command that compiles.
fn parsed_args(arguments: Vec<OsString>) -> Result<Result<(Args, ArgMatches), u8>, String> {
    match Args::of_usual(&arguments) {
        Some(parsed) => Ok(Ok(parsed)),
        None => parsed(arguments),
    }
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
            let printed = error.print();
            if error.use_stderr() {
                return Ok(Err(USAGE));
            }
            printed.map(|()| Err(COMPILED)).map_err(|error| unwritten(&error))
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
    if let Some(program) = programs::named(arguments.get(1)) {
        return program.become_it(&arguments);
    }
    match arguments.get(1).and_then(|word| word.to_str()) {
        Some("completions") => {
            let shell = arguments.get(2).map(|shell| shell.to_string_lossy());
            to_stdout(completions::completions(shell.as_deref())?.as_bytes())?;
            return Ok(COMPILED);
        }
        Some("man") => {
            to_stdout(man::page().as_bytes())?;
            return Ok(COMPILED);
        }
        _ => {}
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
    let (args, matches) = match parsed_args(arguments)? {
        Ok(parsed) => parsed,
        Err(code) => return Ok(code),
    };
    if let Some(code) = &args.explain {
        to_stdout(explain::explain(code)?.as_bytes())?;
        return Ok(COMPILED);
    }
    if args.usual.inputs.is_empty() {
        return Err("no input file; `clc --help` shows the options".to_owned());
    }
    let jobs = Job::for_targets(&args, &matches, &command_line)?;
    let outputs = outputs::of_all(&jobs, &args.usual.inputs)?;
    let workers = batch::workers(args.jobs, outputs.len())?;
    let call = Call { jobs, inputs: args.usual.inputs, outputs, workers };
    if args.watch {
        return call.watch();
    }
    Ok(call.once())
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

/// What is the same for every input that is compiled for a target.
struct Job {
    request: Request,
    /// Of the target, where it is one of several.
    target_name: Option<String>,
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
    /// The file of `--device-profile`, if it was read.
    profile: Option<String>,
}

/// A command line: each input is compiled for each target.
struct Call {
    jobs: Vec<Job>,
    inputs: Vec<OsString>,
    /// Of the first input for all targets, of the second, and so on.
    outputs: Vec<Output>,
    /// How many compilations run side by side.
    workers: usize,
}

/// Where a compilation's include files come from.
enum Files<'a> {
    /// From their folders, or as another compilation of the call has read them.
    Read(Option<&'a fs::ReadFiles>),
    /// From their folders; what was looked at is noted.
    Watched(&'a mut watch::Seen),
}

impl Call {
    /// Compiles everything, and returns the exit code of all.
    fn once(&self) -> u8 {
        let turn: Vec<usize> = (0..self.outputs.len()).collect();
        // Nothing is shared by one.
        let read = (turn.len() > 1).then(fs::ReadFiles::default);
        let mut report = self.new_report();
        let mut progress = Progress::of(turn.len(), self.talks());
        batch::run(
            self.workers,
            &turn,
            |item| self.one(item, Files::Read(read.as_ref())),
            |event| match event {
                Event::Ended(count) => progress.show(count),
                Event::Next(item, result) => {
                    if !result.1.is_empty() {
                        progress.clear();
                    }
                    report.add(item, result);
                }
            },
        );
        progress.clear();
        report.finish()
    }

    fn new_report(&self) -> Report<'_> {
        let targets = self.jobs.iter().map(|job| job.target_name.as_deref()).collect();
        Report::new(self.jobs[0].request.style.format, targets, self.outputs.len() > 1)
    }

    /// Whether messages are for people, not programs.
    fn talks(&self) -> bool {
        report::talks(self.jobs[0].request.style.format)
    }

    /// Compiles one input for one target; returns the exit code and what to say on standard error.
    fn one(&self, item: usize, files: Files<'_>) -> (u8, String) {
        let input = Path::new(&self.inputs[item / self.jobs.len()]);
        self.jobs[item % self.jobs.len()].one(input, &self.outputs[item], files)
    }

    /// `--watch`
    fn watch(&self) -> Result<u8, String> {
        if self.inputs.iter().any(|input| input == "-") {
            return Err("standard input cannot be watched".to_owned());
        }
        let talks = self.talks();
        watch::run(self.outputs.len(), talks, |turn| {
            let mut report = self.new_report();
            let (mut codes, mut all_seen) = (Vec::new(), Vec::new());
            let one = |item| {
                let mut seen = watch::Seen::default();
                let result = self.one(item, Files::Watched(&mut seen));
                (result, seen)
            };
            batch::run(self.workers, turn, one, |event| {
                if let Event::Next(item, (result, seen)) = event {
                    codes.push((item, result.0));
                    report.add(item, result);
                    all_seen.push((item, seen));
                }
            });
            report.finish();
            if talks {
                for (item, code) in codes {
                    if let (COMPILED, Some(Sink::File(path))) = (code, &self.outputs[item].sink) {
                        let _ = writeln!(io::stderr(), "clc: wrote `{}`", path.display());
                    }
                }
            }
            all_seen
        });
        Ok(COMPILED)
    }
}

impl Job {
    /// One for each target of the command line.
    fn for_targets(
        args: &Args,
        matches: &ArgMatches,
        command_line: &str,
    ) -> Result<Vec<Job>, String> {
        let names = outputs::targets(args.usual.target.as_deref().map(OsStr::new))?;
        if names.len() == 1 {
            return Ok(vec![Job::new(args, matches, command_line.to_owned())?]);
        }
        // The names are looked at first, for what is said of other options depends on them.
        let mut has_vulkan = false;
        for name in &names {
            let target = options::target_of(name.as_deref())?;
            has_vulkan |= matches!(target, TargetEnv::Vulkan { .. });
        }
        let mut jobs: Vec<Job> = Vec::new();
        for name in names {
            let mut args = Args { is_beside_vulkan: has_vulkan, ..args.clone() };
            args.usual.target.clone_from(&name);
            let mut job = Job::new(&args, matches, command_line.to_owned())?;
            job.target_name = name;
            jobs.push(job);
        }
        Ok(jobs)
    }

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
        request.style =
            terminal_style(args.message_format.unwrap_or_default(), args.color.unwrap_or_default());
        let is_vulkan = matches!(request.options.target.environment, TargetEnv::Vulkan { .. });
        let profile = args.device_profile.as_ref().filter(|_| is_vulkan);
        Ok(Job {
            output: args.usual.output.as_ref().map(PathBuf::from),
            reflection: args.reflection.as_ref().map(PathBuf::from),
            depend: Depend {
                only: request.emit == Emit::Deps,
                beside: args.depend,
                file: args.depend_file.as_ref().map(PathBuf::from),
                target: args.depend_target.clone(),
                phony: args.depend_phony,
                profile: profile.map(|path| path.to_string_lossy().into_owned()),
            },
            request,
            target_name: None,
            header,
            command_line,
        })
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

    /// Compiles one input; returns the exit code and what to say on standard error.
    fn one(&self, input: &Path, output: &Output, mut files: Files<'_>) -> (u8, String) {
        let usage = |message: String| (USAGE, format!("clc: error: {message}\n"));
        if let Files::Watched(seen) = &mut files {
            seen.look_at(input);
        }
        let bytes = match fs::read_input(input) {
            Ok(bytes) => bytes,
            Err(message) => return usage(message),
        };
        let name = if input == Path::new("-") {
            "<stdin>".to_owned()
        } else {
            input.to_string_lossy().into_owned()
        };
        let folders = &self.request.resolver;
        let outcome = match files {
            Files::Read(None) => self.request.compile(&name, &bytes, &mut folders.clone()),
            Files::Read(Some(read)) => {
                self.request.compile(&name, &bytes, &mut fs::SharedFiles { folders, read })
            }
            Files::Watched(seen) => {
                let files = folders.clone();
                self.request.compile(&name, &bytes, &mut watch::Recorder { files, seen })
            }
        };
        let Outcome { status, compilation, mut log, internal_error } = outcome;
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
        match self.write(&name, &compilation, output) {
            Ok(()) => (COMPILED, log),
            Err(message) => {
                log.push_str(&format!("clc: error: {message}\n"));
                (USAGE, log)
            }
        }
    }

    fn write(&self, name: &str, compilation: &Compilation, output: &Output) -> Result<(), String> {
        self.make_folders()?;
        let sink = output.sink.as_ref();
        let rule = || {
            let target = match (&self.depend.target, sink) {
                (Some(target), _) => target.clone(),
                (None, Some(Sink::File(path))) if !self.depend.only => path.display().to_string(),
                _ => self.default_name(Path::new(name), "spv").display().to_string(),
            };
            let included = compilation.dependencies.iter();
            let dependencies: Vec<String> = included.chain(&self.depend.profile).cloned().collect();
            crate::dump::make_rule(&target, name, &dependencies, self.depend.phony)
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
        if let (Some(path), Some(text)) = (&output.reflection, &reflection) {
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
                _ => self.default_name(Path::new(name), "d"),
            };
            fs::write_output(&beside, rule().as_bytes())?;
        }
        Ok(())
    }
}

fn to_stdout(bytes: &[u8]) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| unwritten(&error))
}

fn unwritten(error: &io::Error) -> String {
    format!("cannot write to standard output: {}", fs::reason(error))
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
