//! Benchmarks run by the OpenCL driver.

use std::ffi::c_void;
use std::fmt::Display;
use std::ptr;
use std::time::Instant;

use opencl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_GPU, Device};
use opencl3::error_codes::ClError;
use opencl3::event::Event;
use opencl3::kernel::{Kernel, set_kernel_arg};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

use crate::Measured;
use crate::suite::{Argument, Benchmark, Step};

pub struct OpenCl {
    device: Device,
    context: Context,
    queue: CommandQueue,
}

fn failed(what: &str) -> impl Fn(&dyn Display) -> String + '_ {
    move |error| format!("{what}: {error}")
}

macro_rules! cl {
    ($what:expr, $call:expr) => {
        $call.map_err(|error| failed($what)(&error))?
    };
}

/// What a program is made of.
#[derive(Clone, Copy)]
pub enum Code<'a> {
    /// The benchmark's, in OpenCL C.
    Source,
    /// SPIR-V.
    Module(&'a [u8]),
}

/// The kernels of a benchmark's launches.
pub struct Built {
    kernels: Vec<Kernel>,
    _program: Program,
}

/// A benchmark's buffers on the device: as they are before each round, and as launches use them.
pub struct Memory {
    fresh: Vec<Buffer<u8>>,
    buffers: Vec<Buffer<u8>>,
}

impl OpenCl {
    /// The first GPU, or the first device of any kind.
    pub fn new() -> Result<OpenCl, String> {
        let platforms = cl!("no OpenCL", get_platforms());
        let device = [CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL]
            .into_iter()
            .flat_map(|kind| platforms.iter().map(move |platform| (kind, platform)))
            .find_map(|(kind, platform)| platform.get_devices(kind).ok()?.first().copied())
            .map(Device::new)
            .ok_or("no OpenCL device; --vulkan-only does without")?;
        let context = cl!("clCreateContext", Context::from_device(&device));
        #[allow(deprecated, reason = "works on every version")]
        let queue = cl!(
            "clCreateCommandQueue",
            CommandQueue::create_default(&context, CL_QUEUE_PROFILING_ENABLE)
        );
        Ok(OpenCl { device, context, queue })
    }

    pub fn name(&self) -> String {
        let version = self.device.driver_version().unwrap_or_default();
        format!("{}, driver {version}", self.device.name().unwrap_or_default())
    }

    /// Whether the driver takes SPIR-V.
    pub fn takes_modules(&self) -> bool {
        self.device.il_version().unwrap_or_default().contains("SPIR-V")
    }

    /// Builds a program and makes its kernels, one for each launch, because drivers may leave work until
    /// then; with the nanoseconds that it takes.
    pub fn build(&self, benchmark: &Benchmark, code: Code<'_>) -> Result<(Built, f64), String> {
        let start = Instant::now();
        let (created, options) = match code {
            Code::Source => {
                (Program::create_from_source(&self.context, &benchmark.source), "-cl-std=CL1.2")
            }
            Code::Module(bytes) => (Program::create_from_il(&self.context, bytes), ""),
        };
        let mut program = cl!("clCreateProgram", created);
        if let Err(error) = program.build(self.context.devices(), options) {
            let log = program.get_build_log(self.device.id()).unwrap_or_default();
            return Err(format!("clBuildProgram: {error}\n{log}"));
        }
        let kernels = benchmark.steps.iter().map(|step| Kernel::create(&program, &step.kernel));
        let kernels = cl!("clCreateKernel", kernels.collect::<Result<Vec<Kernel>, _>>());
        let time = start.elapsed().as_nanos() as f64;
        Ok((Built { kernels, _program: program }, time))
    }

    pub fn memory(&self, benchmark: &Benchmark) -> Result<Memory, String> {
        let mut memory = Memory { fresh: Vec::new(), buffers: Vec::new() };
        for bytes in &benchmark.buffers {
            let mut filled = self.buffer(bytes.len())?;
            // SAFETY: the write is blocking.
            let written =
                unsafe { self.queue.enqueue_write_buffer(&mut filled, CL_BLOCKING, 0, bytes, &[]) };
            cl!("clEnqueueWriteBuffer", written);
            memory.fresh.push(filled);
            memory.buffers.push(self.buffer(bytes.len())?);
        }
        Ok(memory)
    }

    /// Has the buffers hold what they hold before each round.
    pub fn fill(&self, benchmark: &Benchmark, memory: &mut Memory) -> Result<(), String> {
        let Memory { fresh, buffers } = memory;
        for ((fresh, buffer), bytes) in fresh.iter().zip(buffers).zip(&benchmark.buffers) {
            // SAFETY: both buffers are as large as the bytes.
            let copied =
                unsafe { self.queue.enqueue_copy_buffer(fresh, buffer, 0, 0, bytes.len(), &[]) };
            cl!("clEnqueueCopyBuffer", copied);
        }
        cl!("clFinish", self.queue.finish());
        Ok(())
    }

    /// Launches everything once. Gives the nanoseconds from the beginning of the first launch to the end
    /// of the last.
    pub fn launch(
        &self,
        benchmark: &Benchmark,
        built: &Built,
        memory: &Memory,
    ) -> Result<f64, String> {
        for (step, kernel) in benchmark.steps.iter().zip(&built.kernels) {
            set_arguments(step, kernel, &memory.buffers)?;
        }
        self.time(benchmark, &built.kernels)
    }

    pub fn output(&self, benchmark: &Benchmark, memory: &Memory) -> Result<Vec<u8>, String> {
        let mut output = vec![0u8; benchmark.buffers[benchmark.output].len()];
        // SAFETY: the read is blocking.
        let read = unsafe {
            let buffer = &memory.buffers[benchmark.output];
            self.queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut output, &[])
        };
        cl!("clEnqueueReadBuffer", read);
        Ok(output)
    }

    /// Compiled from source.
    pub fn run(&self, benchmark: &Benchmark, rounds: usize) -> Result<Measured, String> {
        let (built, _) = self.build(benchmark, Code::Source)?;
        let mut memory = self.memory(benchmark)?;
        let mut times = Vec::new();
        for round in 0..=rounds {
            self.fill(benchmark, &mut memory)?;
            let time = self.launch(benchmark, &built, &memory)?;
            if round > 0 {
                times.push(time);
            }
        }
        Ok(Measured { times, output: self.output(benchmark, &memory)? })
    }

    /// Nanoseconds from the beginning of the first launch to the end of the last.
    fn time(&self, benchmark: &Benchmark, kernels: &[Kernel]) -> Result<f64, String> {
        let mut first: Option<Event> = None;
        let mut last: Option<Event> = None;
        for (step, kernel) in benchmark.steps.iter().zip(kernels) {
            // SAFETY: the sizes outlive the call, and every argument is set.
            let launched = unsafe {
                self.queue.enqueue_nd_range_kernel(
                    kernel.get(),
                    step.global.len() as u32,
                    ptr::null(),
                    step.global.as_ptr(),
                    step.local.as_ptr(),
                    &[],
                )
            };
            let event = cl!("clEnqueueNDRangeKernel", launched);
            if first.is_none() {
                first = Some(event);
            } else {
                last = Some(event);
            }
        }
        cl!("clFinish", self.queue.finish());
        let first = first.ok_or("nothing was launched")?;
        let end =
            cl!("clGetEventProfilingInfo", last.as_ref().unwrap_or(&first).profiling_command_end());
        let start = cl!("clGetEventProfilingInfo", first.profiling_command_start());
        Ok(end.saturating_sub(start) as f64)
    }

    fn buffer(&self, size: usize) -> Result<Buffer<u8>, String> {
        // SAFETY: no host memory is given to the buffer.
        let created = unsafe {
            Buffer::<u8>::create(&self.context, CL_MEM_READ_WRITE, size, ptr::null_mut())
        };
        Ok(cl!("clCreateBuffer", created))
    }
}

fn set_arguments(step: &Step, kernel: &Kernel, buffers: &[Buffer<u8>]) -> Result<(), String> {
    for (index, argument) in step.arguments.iter().enumerate() {
        let index = index as u32;
        // SAFETY: the arguments are those of the kernel, in its order and types.
        match argument {
            Argument::Buffer(buffer) => {
                cl!("clSetKernelArg", unsafe { kernel.set_arg(index, &buffers[*buffer].get()) });
            }
            Argument::Value(bytes) => {
                // SAFETY: as above.
                let set = unsafe {
                    let data = bytes.as_ptr().cast::<c_void>();
                    set_kernel_arg(kernel.get(), index, bytes.len(), data)
                };
                set.map_err(|code| failed("clSetKernelArg")(&ClError(code)))?;
            }
            Argument::Local(bytes) => {
                // SAFETY: as above.
                cl!("clSetKernelArg", unsafe { kernel.set_arg_local_buffer(index, *bytes) });
            }
        }
    }
    Ok(())
}
