//! What the interpreter of the intermediate representation makes of a program at each stage of the compiler.

mod interface;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use clc_interpreter::{Bytes, Channel, Launch, Outcome, Stop};
use clc_ir::Module;

use crate::job::{self, Argument, Job};
use crate::vulkan::printf;
use crate::vulkan::reflection::Reflection;
use crate::{hex, process};

const LIMIT: Duration = Duration::from_secs(120);

/// What the command writes before the dump of a pass.
const HEAD: &str = "; after ";

/// The step that makes kernels read an argument block in place of their parameters.
const ENTRIES: &str = "shader-arguments";

/// A module as a pass or step left it.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Of the pass; of the first stage, "lowering".
    pub name: String,
    /// The module in the text form.
    pub text: String,
    /// What hosts have to know of a module for Vulkan that came to its end.
    reflection: Option<Arc<Reflection>>,
    /// Kernels read an argument block.
    is_shader: bool,
}

impl Stage {
    /// The module.
    pub fn module(&self) -> Result<Module, String> {
        clc_ir::parse::module(&self.text).map_err(|error| format!("behind {}: {error}", self.name))
    }

    /// Whether it is a stage of a module for Vulkan that came to its end.
    pub fn is_whole(&self) -> bool {
        self.reflection.is_some()
    }

    /// Whether kernels read an argument block.
    pub fn is_shader(&self) -> bool {
        self.is_shader
    }

    /// Runs a kernel of the stage's module.
    pub fn run(&self, module: &Module, kernel: &str, launch: &Launch) -> Result<Outcome, Stop> {
        let mut launch = launch.clone();
        match &self.reflection {
            Some(reflection) => {
                let interface = interface::of(reflection, kernel, self.is_shader);
                launch.interface = Some(interface.map_err(Stop::NotInterpreted)?);
            }
            None if self.is_shader => {
                return Err(Stop::NotInterpreted("an argument block that is not described".into()));
            }
            None => {}
        }
        let mut outcome = clc_interpreter::run(module, kernel, &launch)?;
        if let (Some(records), Some(reflection)) = (&outcome.records, &self.reflection) {
            let words = records
                .bytes
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes(std::array::from_fn(|index| word[index])));
            let words: Vec<u32> = words.collect();
            let printed = printf::decode(&words, &reflection.printf_formats);
            let printed = printed.map_err(Stop::NotInterpreted)?;
            outcome.printed.push_str(&String::from_utf8_lossy(&printed.text));
            if printed.lost_words > 0 {
                // As the runner says it.
                let lost = printed.lost_words;
                let _ =
                    writeln!(outcome.printed, "printf: {lost} words were lost, the buffer is full");
            }
        }
        Ok(outcome)
    }
}

/// The module before the first pass, and after each that the options have. `options` are those of the command;
/// it may refuse the program in the end, and what was before that is there.
pub fn of(clc: &Path, options: &[String], source: &Path) -> Result<Vec<Stage>, String> {
    let command = || {
        let mut command = Command::new(clc);
        command.args(["--color=never", "-w"]).args(options).arg(source);
        command
    };
    let mut lowering = command();
    lowering.args(["-O0", "--emit=ir", "-o", "-"]);
    let finished =
        process::run(&mut lowering, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("compiler: {}\n{}", finished.how(), finished.stderr));
    }
    let lowered = String::from_utf8_lossy(&finished.stdout).into_owned();
    let mut dumps = command();
    dumps.args(["--print-after=all", "-o", "-"]);
    let is_vulkan = options.iter().any(|option| option.starts_with("--target-env=vulkan"));
    if is_vulkan {
        dumps.arg("--emit=reflection");
    }
    let finished =
        process::run(&mut dumps, b"", LIMIT).map_err(|error| format!("compiler: {error}"))?;
    let reflection = match is_vulkan && finished.code == Some(0) {
        true => Some(Arc::new(Reflection::parse(&String::from_utf8_lossy(&finished.stdout))?)),
        false => None,
    };
    let mut is_shader = false;
    let mut stage = |name: &str, text: String| {
        is_shader |= name == ENTRIES;
        Stage { name: name.to_owned(), text, reflection: reflection.clone(), is_shader }
    };
    let mut stages = vec![stage("lowering", lowered)];
    let mut lines = finished.stderr.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix(HEAD) else { continue };
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with(HEAD)) {
            text.push_str(line);
            text.push('\n');
        }
        stages.push(stage(name.trim(), text));
    }
    Ok(stages)
}

/// The launch that a job asks for; `Err` with what the interpreter has not.
pub fn launch(job: &Job) -> Result<Launch, String> {
    let mut arguments = Vec::new();
    for argument in &job.arguments {
        arguments.push(match argument {
            Argument::Buffer(bytes) => clc_interpreter::Argument::Buffer(bytes.clone()),
            Argument::Output(size) => clc_interpreter::Argument::Buffer(vec![job::OUTPUT; *size]),
            Argument::Scalar(bytes) => clc_interpreter::Argument::Value(bytes.clone()),
            Argument::Local(size) => clc_interpreter::Argument::Local(*size),
            Argument::Null => clc_interpreter::Argument::Null,
            Argument::Input(name) => match job.data.iter().find(|(of, _)| of == name) {
                Some((_, bytes)) => clc_interpreter::Argument::Buffer(bytes.clone()),
                None => return Err("inputs of other jobs".to_owned()),
            },
            Argument::Image(image) => clc_interpreter::Argument::Image(self::image(image)?),
            Argument::Sampler { normalized, address, filter } => {
                let address = match address.as_str() {
                    "none" => 0,
                    "edge" => 2,
                    "clamp" => 4,
                    "repeat" => 6,
                    _ => 8,
                };
                let filter = if filter == "nearest" { 0x10 } else { 0x20 };
                clc_interpreter::Argument::Sampler(u32::from(*normalized) | address | filter)
            }
            Argument::Pipe { .. } => return Err("pipes".to_owned()),
        });
    }
    let sizes = |sizes: &[usize]| sizes.iter().map(|&size| size as u64).collect::<Vec<u64>>();
    let global = sizes(&job.global);
    let mut local = sizes(&job.local);
    if local.is_empty() {
        // A choice of its own, as drivers make one.
        let first = global.first().copied().unwrap_or(1);
        let size = (1..=16).rev().find(|&size| first.is_multiple_of(size)).unwrap_or(1);
        local = vec![1; global.len()];
        local[0] = size;
    }
    let constants = job.constants.iter().map(|(number, bytes)| {
        let mut word = [0; 8];
        let size = bytes.len().min(8);
        word[..size].copy_from_slice(&bytes[..size]);
        (*number, u64::from_le_bytes(word))
    });
    Ok(Launch {
        global,
        local,
        offset: sizes(&job.offset),
        arguments,
        constants: constants.collect(),
        printf_words: job.printf_words.unwrap_or(Launch::default().printf_words),
        ..Launch::default()
    })
}

fn image(image: &job::Image) -> Result<clc_interpreter::Image, String> {
    let channel = match image.channel.as_str() {
        "float" => Channel::Float,
        "half" => Channel::Half,
        "int8" => Channel::Signed(1),
        "int16" => Channel::Signed(2),
        "int32" => Channel::Signed(4),
        "uint8" => Channel::Unsigned(1),
        "uint16" => Channel::Unsigned(2),
        "uint32" => Channel::Unsigned(4),
        "snorm8" => Channel::SignedNormalized(1),
        "snorm16" => Channel::SignedNormalized(2),
        "unorm8" => Channel::UnsignedNormalized(1),
        "unorm16" => Channel::UnsignedNormalized(2),
        other => return Err(format!("images of {other}")),
    };
    let channels = match image.order.as_str() {
        "r" => 1,
        "rg" => 2,
        "rgba" => 4,
        other => return Err(format!("images of order {other}")),
    };
    let sizes = image.sizes.map(|size| size as u64);
    Ok(clc_interpreter::Image { sizes, channels, channel, bytes: image.bytes.clone() })
}

/// What unknown bits of a result are filled with: not zeros, which a case may expect.
const ANY: u8 = 0xa6;

/// The results as a runner writes them: a line for each buffer.
pub fn results(outcome: &Outcome) -> String {
    let lines = outcome.buffers.iter().flatten();
    lines.map(|buffer| hex::encode(&bytes(buffer)) + "\n").collect()
}

/// The bytes of a buffer, with any bits for those that are unknown.
pub fn bytes(buffer: &Bytes) -> Vec<u8> {
    let bytes = buffer.bytes.iter().zip(&buffer.unknown);
    bytes.map(|(byte, unknown)| byte | ANY & unknown).collect()
}

/// Bytes by which buffers may be moved ([`Launch::buffer_place`]).
pub const MOVED: [u64; 2] = [4, 8];

/// What becomes of a launch at a stage.
pub fn run(stage: &Stage, kernel: &str, launch: &Launch) -> Result<Outcome, Stop> {
    let module = stage.module().map_err(Stop::NotInterpreted)?;
    stage.run(&module, kernel, launch)
}

/// What a pass changes in what a launch gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of the pass.
    pub pass: String,
    /// Among the passes and steps, counted from one.
    pub number: usize,
    /// How the launch differs from that before all passes.
    pub what: String,
}

/// The first stage at which a launch gives something else than at the first, if there is one; `Err` if the
/// interpreter cannot tell, or the program itself is at fault.
pub fn first_change(
    stages: &[Stage],
    kernel: &str,
    launch: &Launch,
) -> Result<Option<Change>, String> {
    let Some((first, later)) = stages.split_first() else { return Ok(None) };
    let careful = Launch { races: true, ..launch.clone() };
    let expected = run(first, kernel, &careful).map_err(|stop| match stop {
        Stop::Fault(text) => format!("the program is at fault: {text}"),
        Stop::NotInterpreted(_) | Stop::Limit(_) => stop.to_string(),
    })?;
    let launch = lenient(launch);
    let mut before = &first.text;
    for (index, stage) in later.iter().enumerate() {
        if stage.text == *before {
            continue;
        }
        before = &stage.text;
        let what = match run(stage, kernel, &launch) {
            Ok(outcome) => difference(&expected, &outcome),
            Err(Stop::NotInterpreted(text)) => {
                return Err(format!("not interpreted behind `{}`: {text}", stage.name));
            }
            Err(stop) => Some(stop.to_string()),
        };
        if let Some(what) = what {
            return Ok(Some(Change { pass: stage.name.clone(), number: index + 1, what }));
        }
    }
    Ok(moved_change(first, later, kernel, &careful))
}

/// The launch for stages behind the first. What passes put in place of branches may take more. What bodies of library
/// functions do with a NaN may depend on its sign, whichever that is; where it shows in a result, it was unknown before.
fn lenient(launch: &Launch) -> Launch {
    Launch { steps: 4 * launch.steps, races: false, nan: Some(u64::MAX), ..launch.clone() }
}

/// What the last stage changes where buffers are as little aligned as a host may have them.
fn moved_change(first: &Stage, later: &[Stage], kernel: &str, careful: &Launch) -> Option<Change> {
    let last = later.last().filter(|last| last.is_shader)?;
    MOVED.into_iter().find_map(|buffer_place| {
        let careful = Launch { buffer_place, ..careful.clone() };
        // The program may ask for more.
        let expected = run(first, kernel, &careful).ok()?;
        let what = match run(last, kernel, &lenient(&careful)) {
            Ok(outcome) => difference(&expected, &outcome)?,
            Err(Stop::NotInterpreted(_)) => return None,
            Err(stop) => stop.to_string(),
        };
        let what = format!("where buffers begin {buffer_place} bytes further: {what}");
        Some(Change { pass: last.name.clone(), number: later.len(), what })
    })
}

/// Where the results of a launch differ from those of an earlier stage, beyond what that left undefined.
pub fn difference(before: &Outcome, after: &Outcome) -> Option<String> {
    let of = |outcome: &Outcome| {
        let mut lines: Vec<String> = outcome.printed.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let buffers = before.buffers.iter().zip(&after.buffers).enumerate();
    for (argument, (before, after)) in buffers {
        let (Some(before), Some(after)) = (before, after) else { continue };
        if let Some(text) = differ(before, after) {
            return Some(format!("argument {argument}, {text}"));
        }
    }
    (of(before) != of(after)).then(|| "what is printed".to_owned())
}

fn differ(before: &Bytes, after: &Bytes) -> Option<String> {
    let bytes =
        before.bytes.iter().zip(&before.unknown).zip(after.bytes.iter().zip(&after.unknown));
    bytes.enumerate().find_map(|(index, ((before, free), (after, unknown)))| {
        if unknown & !free != 0 {
            return Some(format!("byte {index}: {before:02x} became undefined"));
        }
        let differs = (before ^ after) & !free != 0;
        differs.then(|| format!("byte {index}: {before:02x} became {after:02x}"))
    })
}
