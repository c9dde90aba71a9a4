//! Runs kernels of a SPIR-V module on a Vulkan device.
//!
//! ```text
//! clc-run-vulkan MODULE.spv REFLECTION.json RESULTS < JOB
//! clc-run-vulkan - - RESULTS < JOB
//! clc-run-vulkan --sub-groups
//! clc-run-vulkan --products
//! clc-run-vulkan --measure-precision [-o PROFILE.json] [--values N] [--every N]
//! ```
//!
//! Jobs and results are those of `clc-run` (`clc_tests::job`). The validation layer is on if there
//! is one; anything it warns of is an error of the job. What kernels print goes to standard output,
//! and with it how many words of it were lost because the buffer was full. With `VK_LAYER_PATH` set it must be there.
//! In the second form jobs name their modules; one that cannot be loaded is an error of its job and of those after it.
//! The third form prints the size of the device's sub-groups, and whether it can be required; the fourth
//! its products of cooperative matrices, one a line.
//! The last form measures how precise the device's instructions are, and writes a profile for
//! `clc --device-profile`: every float for functions of one, N random arguments for others (2^28), or every N-th
//! float only, for slow devices.
//! Exit codes: 0 all were tried, 3 no device, 1 anything else.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use clc_tests::hex;
use clc_tests::job::{self, Argument, Job};
use clc_tests::vulkan::reflection::Reflection;
use clc_tests::vulkan::{
    Buffer, Device, Failure, Launch, Place, Program, SamplerState, Setting, Texture, precision,
    printf,
};

const NO_DEVICE: u8 = 3;

/// Words for what a kernel prints, if the job does not say.
const PRINTF_WORDS: u32 = 1 << 18;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::NoDevice(message)) => {
            eprintln!("no device: {message}");
            ExitCode::from(NO_DEVICE)
        }
        Err(Failure::Other(message)) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, option] = &arguments[..]
        && option == "--sub-groups"
    {
        let (size, can_be_required) = Device::new()?.sub_groups();
        println!("{size} {can_be_required}");
        return Ok(());
    }
    if let [_, option] = &arguments[..]
        && option == "--products"
    {
        for product in Device::new()?.products()? {
            println!("{product}");
        }
        return Ok(());
    }
    if let [_, option, rest @ ..] = &arguments[..]
        && option == "--measure-precision"
    {
        return measure_precision(rest);
    }
    let [_, module, reflection, results] = &arguments[..] else {
        let usage = "usage: clc-run-vulkan MODULE.spv REFLECTION.json RESULTS < JOB\n       \
                     clc-run-vulkan --sub-groups\n       \
                     clc-run-vulkan --products\n       \
                     clc-run-vulkan --measure-precision [-o PROFILE.json] [--values N] [--every N]";
        return Err(usage.to_owned().into());
    };
    let mut jobs = String::new();
    std::io::stdin().read_to_string(&mut jobs).map_err(|error| format!("job: {error}"))?;

    let device = Device::new()?;
    let mut program = match module.as_str() {
        "-" => None,
        module => Some(loaded(&device, module, reflection)?),
    };
    let mut inputs = HashMap::new();
    let mut out = std::fs::File::create(results).map_err(|error| format!("{results}: {error}"))?;
    for job in job::parse(&jobs) {
        let ran = job.map_err(Failure::Other).and_then(|job| {
            if let Some((module, reflection)) = &job.module {
                // What cannot be loaded leaves no program.
                program = None;
                program = Some(loaded(&device, module, reflection)?);
            }
            if job.kernel.is_empty() {
                return Ok(String::new());
            }
            let program = program.as_ref().ok_or("no module".to_owned())?;
            let ran = run_one(&job, &device, program, &mut inputs);
            complaints(&device)?;
            ran
        });
        let text =
            ran.unwrap_or_else(|error| format!("error {}\n", error.to_string().replace('\n', " ")));
        // One by one, so that what ran before a crash is there.
        writeln!(out, "{text}----").map_err(|error| format!("{results}: {error}"))?;
        println!("----");
    }
    Ok(())
}

/// The program of a module and its reflection.
fn loaded<'d>(device: &'d Device, module: &str, reflection: &str) -> Result<Program<'d>, Failure> {
    let bytes = std::fs::read(module).map_err(|error| format!("{module}: {error}"))?;
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("{module}: not a whole number of words").into());
    }
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let reflection =
        std::fs::read_to_string(reflection).map_err(|error| format!("{reflection}: {error}"))?;
    let program = Program::new(device, &words, Reflection::parse(&reflection)?)?;
    complaints(device)?;
    Ok(program)
}

/// `--measure-precision`
fn measure_precision(arguments: &[String]) -> Result<(), Failure> {
    let (mut output, mut values, mut every) = (None, 1u64 << 28, 1u64);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let next =
            words.next().ok_or_else(|| format!("`{word}` takes a value, or is not known"))?;
        let number = || match next.parse::<u64>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{word} {next}`: a number from 1 on is wanted")),
        };
        match word.as_str() {
            "-o" => output = Some(next),
            "--values" => values = number()?,
            "--every" => every = number()?,
            _ => return Err(format!("`{word}` is not known").into()),
        }
    }
    let device = Device::new()?;
    let measured = precision::measure(&device, values, every, |name| eprintln!("{name}"))?;
    complaints(&device)?;
    let text = clc::profile::to_json(&device.name(), &device.driver(), &measured);
    match output {
        Some(path) => std::fs::write(path, text).map_err(|error| format!("{path}: {error}"))?,
        None => print!("{text}"),
    }
    Ok(())
}

/// Whatever the validation layer said is an error.
fn complaints(device: &Device) -> Result<(), Failure> {
    match &device.messages()[..] {
        [] => Ok(()),
        messages => Err(format!("validation layer: {}", messages.join("; ")).into()),
    }
}

/// Runs one kernel and gives the results.
fn run_one<'d>(
    job: &Job,
    device: &'d Device,
    program: &Program<'d>,
    inputs: &mut HashMap<String, Buffer<'d>>,
) -> Result<String, Failure> {
    for (name, bytes) in &job.data {
        inputs.insert(name.clone(), Buffer::filled(device, bytes, Place::Host)?);
    }
    let memory = memory(job, device, program)?;
    let mut made = memory.iter();
    let mut settings = Vec::new();
    for argument in &job.arguments {
        settings.push(match argument {
            Argument::Buffer(_) | Argument::Output(_) | Argument::Image(_) => match made.next() {
                Some(Memory::Buffer(buffer)) => Setting::Address(buffer.address()),
                Some(Memory::Image(texture)) => Setting::Image(texture),
                None => return Err("an argument has no memory".to_owned().into()),
            },
            Argument::Input(name) => {
                let input = inputs.get(name).ok_or_else(|| format!("no data called {name}"))?;
                Setting::Address(input.address())
            }
            Argument::Null => Setting::Address(0),
            Argument::Scalar(bytes) => Setting::Value(bytes),
            Argument::Local(bytes) => Setting::Local(*bytes),
            Argument::Sampler { normalized, address, filter } => {
                Setting::Sampler(SamplerState::parse(*normalized, address, filter)?)
            }
            Argument::Pipe { .. } => return Err("Vulkan has no pipes".to_owned().into()),
        });
    }
    let capacity = job.printf_words.unwrap_or(PRINTF_WORDS);
    let printed = match program.prints(&job.kernel)? && capacity > 0 {
        true => {
            let words = printf::empty(capacity);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            Some(Buffer::filled(device, &bytes, Place::Host)?)
        }
        false => None,
    };
    let launch = Launch {
        kernel: &job.kernel,
        global: &job.global,
        local: &job.local,
        offset: &job.offset,
        arguments: settings,
        printf_buffer: printed.as_ref().map_or(0, Buffer::address),
        constants: &job.constants,
    };
    program.prepare(&launch)?.run()?;
    if let Some(buffer) = printed {
        print(&buffer.read()?, program)?;
    }
    let mut out = String::new();
    for memory in &memory {
        let bytes = match memory {
            Memory::Buffer(buffer) => buffer.read()?,
            Memory::Image(texture) => texture.read()?,
        };
        out.push_str(&hex::encode(&bytes));
        out.push('\n');
    }
    Ok(out)
}

/// What comes back from the device.
enum Memory<'d> {
    Buffer(Buffer<'d>),
    Image(Texture<'d>),
}

/// The buffers and images that a job makes for its arguments, in order.
fn memory<'d>(
    job: &Job,
    device: &'d Device,
    program: &Program<'d>,
) -> Result<Vec<Memory<'d>>, Failure> {
    let mut memory = Vec::new();
    for (index, argument) in job.arguments.iter().enumerate() {
        memory.push(match argument {
            Argument::Buffer(bytes) => Memory::Buffer(Buffer::filled(device, bytes, Place::Host)?),
            Argument::Output(size) => {
                let bytes = vec![job::OUTPUT; *size];
                Memory::Buffer(Buffer::filled(device, &bytes, Place::Host)?)
            }
            Argument::Image(image) => {
                let descriptor = program.descriptor(&job.kernel, index)?;
                Memory::Image(Texture::new(device, image, descriptor)?)
            }
            Argument::Input(_)
            | Argument::Null
            | Argument::Scalar(_)
            | Argument::Local(_)
            | Argument::Sampler { .. }
            | Argument::Pipe { .. } => continue,
        });
    }
    Ok(memory)
}

/// Writes what is in the buffer to standard output.
fn print(buffer: &[u8], program: &Program<'_>) -> Result<(), Failure> {
    let (words, _) = buffer.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let printed = printf::decode(&words, program.printf_formats())
        .map_err(|error| format!("printf buffer: {error}"))?;
    let mut text = printed.text;
    if printed.lost_words > 0 {
        let lost = printed.lost_words;
        text.extend(format!("printf: {lost} words were lost, the buffer is full\n").bytes());
    }
    let written = std::io::stdout().write_all(&text);
    Ok(written.map_err(|error| format!("standard output: {error}"))?)
}
