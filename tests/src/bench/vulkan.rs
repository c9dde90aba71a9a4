//! Benchmarks compiled by `clc` and run through Vulkan.

use clc::Options;
use clc_tests::vulkan::reflection::Reflection;
use clc_tests::vulkan::{Buffer, Device, Failure, Launch, Place, Program, Setting};

use crate::suite::{Argument, Benchmark};
use crate::{Measured, compile};

/// With another module instead of the one that is made, if there is one: it takes its arguments as that does.
pub fn run(
    benchmark: &Benchmark,
    device: &Device,
    rounds: usize,
    options: Options,
    module: Option<&[u32]>,
) -> Result<Measured, String> {
    let options = Options { describe: true, ..options };
    let compiled = compile::by_clc(benchmark, options)?;
    let (Some(words), Some(description)) = (compiled.words(), &compiled.description) else {
        return Err("clc: no description".to_owned());
    };
    let reflection =
        Reflection::parse(&clc::reflection::json(description, None, compiled.reflection.as_ref()))?;
    measure(benchmark, device, rounds, module.unwrap_or(words), reflection)
        .map_err(|error| error.to_string())
}

fn measure(
    benchmark: &Benchmark,
    device: &Device,
    rounds: usize,
    words: &[u32],
    reflection: Reflection,
) -> Result<Measured, Failure> {
    let program = Program::new(device, words, reflection)?;
    let mut fresh = Vec::new();
    let mut buffers = Vec::new();
    for bytes in &benchmark.buffers {
        fresh.push(Buffer::filled(device, bytes, Place::Device)?);
        buffers.push(Buffer::new(device, bytes.len(), Place::Device)?);
    }
    let mut launches = Vec::new();
    for step in &benchmark.steps {
        let arguments = step.arguments.iter().map(|argument| match argument {
            Argument::Buffer(index) => Setting::Address(buffers[*index].address()),
            Argument::Value(bytes) => Setting::Value(bytes),
            Argument::Local(bytes) => Setting::Local(*bytes),
        });
        launches.push(program.prepare(&Launch {
            kernel: &step.kernel,
            global: &step.global,
            local: &step.local,
            offset: &[],
            arguments: arguments.collect(),
            printf_buffer: 0,
            constants: &[],
        })?);
    }
    let mut times = Vec::new();
    // The first round is for the driver to make ready.
    for round in 0..=rounds {
        for (fresh, buffer) in fresh.iter().zip(&buffers) {
            fresh.copy_to(buffer, fresh.size())?;
        }
        let time = device.time(&launches)?;
        if round > 0 {
            times.push(time);
        }
    }
    if let [message, ..] = &device.messages()[..] {
        return Err(format!("validation layer: {message}").into());
    }
    Ok(Measured { times, output: buffers[benchmark.output].read()? })
}
