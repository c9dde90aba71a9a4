//! Runs kernels of a SPIR-V module on the first OpenCL device that takes SPIR-V.
//!
//! ```text
//! clc-run MODULE.spv RESULTS < JOB
//! clc-run SOURCE.cl RESULTS [BUILD-OPTIONS] < JOB
//! clc-run PART.spv+PART.spv RESULTS < JOB
//! clc-run - RESULTS < JOB
//! clc-run --extensions
//! ```
//!
//! Parts are linked by the driver.
//!
//! A source is compiled by the driver's own compiler: the second opinion of differential tests.
//!
//! With `-` jobs name their modules; one that does not build is an error of its job and of those after it.
//!
//! `--extensions` prints what the device says it has.
//!
//! A process of its own, because a driver that meets a module it does not like may end the process
//! it lives in. Standard output belongs to the kernel's `printf`.
//!
//! Jobs and results are as `clc_tests::job` says. Exit codes: 0 all were tried, 3 no device, 1 anything
//! else.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::c_void;
use std::fmt::Display;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::ptr;

use clc_tests::hex;
use clc_tests::job::{self, Job};
use opencl3::command_queue::{
    CL_QUEUE_ON_DEVICE, CL_QUEUE_ON_DEVICE_DEFAULT, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
    CommandQueue,
};
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::error_codes::ClError;
use opencl3::kernel::{Kernel, set_kernel_arg};
use opencl3::memory::{
    Buffer, CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, ClMem, Image, Pipe, Sampler,
};
use opencl3::platform::get_platforms;
use opencl3::program::{CL_PROGRAM_BINARIES, Program, get_program_info, link_program};
use opencl3::types::{CL_BLOCKING, cl_image_desc, cl_image_format, cl_mem};

const NO_DEVICE: u8 = 3;

enum Failure {
    NoDevice(String),
    Other(String),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Other(message)
    }
}

fn failed(what: &str) -> impl Fn(&dyn Display) -> Failure + '_ {
    move |error| Failure::Other(format!("{what}: {error}"))
}

macro_rules! cl {
    ($what:expr, $call:expr) => {
        $call.map_err(|error| failed($what)(&error))?
    };
}

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

enum Memory {
    Buffer(Buffer<u8>, usize),
    Image(Texture),
}

struct Texture {
    image: Image,
    region: [usize; 3],
    size: usize,
    #[allow(dead_code, reason = "the memory of an image of kind 1dbuffer")]
    buffer: Option<Buffer<u8>>,
}

/// An argument as set on the kernel; keeps alive what the kernel refers to.
enum Argument {
    Memory(Memory),
    Scalar,
    Sampler(#[allow(dead_code, reason = "dropping it would release it")] Sampler),
}

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let (module, results, options) = match &arguments[..] {
        [_, option] if option == "--extensions" => {
            println!("{}", cl!("clGetDeviceInfo", device()?.extensions()));
            return Ok(());
        }
        [_, module, results] => (module, results, ""),
        [_, module, results, options] => (module, results, options.as_str()),
        _ => return Err("usage: clc-run MODULE RESULTS [BUILD-OPTIONS] < JOB".to_owned().into()),
    };
    let mut jobs = String::new();
    std::io::stdin().read_to_string(&mut jobs).map_err(|error| format!("job: {error}"))?;

    let device = device()?;
    let context = cl!("clCreateContext", Context::from_device(&device));
    let queue =
        cl!("clCreateCommandQueue", CommandQueue::create_default_with_properties(&context, 0, 0));
    // What kernels find with `get_default_queue`; not every device has one.
    let on_device =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    let _device_queue = CommandQueue::create_default_with_properties(&context, on_device, 0).ok();
    let mut pipes = HashMap::new();
    let mut program = match module.as_str() {
        "-" => None,
        module => Some(built(&context, &device, module, options)?),
    };
    let mut module = (module.clone(), options.to_owned());

    let mut inputs = HashMap::new();
    let mut out = std::fs::File::create(results).map_err(|error| format!("{results}: {error}"))?;
    for job in job::parse(&jobs) {
        let ran = job.map_err(Failure::Other).and_then(|job| {
            if let Some(next) = &job.module {
                // What fails to build leaves no program.
                program = None;
                module.clone_from(next);
                program = Some(built(&context, &device, &module.0, &module.1)?);
            }
            if job.kernel.is_empty() {
                return Ok(String::new());
            }
            let specialized = match &job.constants[..] {
                [] => None,
                constants => Some(specialized(&context, &device, &module.0, constants, &module.1)?),
            };
            let program =
                specialized.as_ref().or(program.as_ref()).ok_or("no module".to_owned())?;
            run_one(&job, program, &context, &queue, &mut inputs, &mut pipes)
        });
        let text = match ran {
            Ok(text) => text,
            Err(Failure::NoDevice(text) | Failure::Other(text)) => {
                format!("error {}\n", text.replace('\n', " "))
            }
        };
        // One by one, so that what ran before a crash is there.
        writeln!(out, "{text}----").map_err(|error| format!("{results}: {error}"))?;
        // SAFETY: flushing all streams of C, which the driver's printf uses, has no preconditions.
        unsafe { fflush(ptr::null_mut()) };
        println!("----");
    }
    Ok(())
}

/// The program of a source, a module, or parts of one.
fn built(
    context: &Context,
    device: &Device,
    module: &str,
    options: &str,
) -> Result<Program, Failure> {
    let read =
        |path: &str| std::fs::read(path).map_err(|error| Failure::from(format!("{path}: {error}")));
    let mut program = if module.ends_with(".cl") {
        let bytes = read(module)?;
        let source = String::from_utf8_lossy(&bytes);
        cl!("clCreateProgramWithSource", Program::create_from_source(context, &source))
    } else if module.contains('+') {
        let parts: Vec<Vec<u8>> = module.split('+').map(read).collect::<Result<_, _>>()?;
        linked(context, device, &parts)?
    } else {
        let il = read(module)?;
        cl!("clCreateProgramWithIL", Program::create_from_il(context, &il))
    };
    if let Err(error) = program.build(context.devices(), options) {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        return Err(format!("clBuildProgram: {error}\n{log}").into());
    }
    Ok(program)
}

/// The module built with other values of specialization constants.
fn specialized(
    context: &Context,
    device: &Device,
    module: &str,
    constants: &[(u32, Vec<u8>)],
    options: &str,
) -> Result<Program, Failure> {
    let il = std::fs::read(module).map_err(|error| format!("{module}: {error}"))?;
    let mut program = cl!("clCreateProgramWithIL", Program::create_from_il(context, &il));
    for (number, bytes) in constants {
        // SAFETY: the driver copies as many bytes as there are.
        let set = unsafe {
            program.set_specialization_constant(*number, bytes.len(), bytes.as_ptr().cast())
        };
        cl!("clSetProgramSpecializationConstant", set);
    }
    if let Err(error) = program.build(context.devices(), options) {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        return Err(format!("clBuildProgram: {error}\n{log}").into());
    }
    Ok(program)
}

/// The program that the driver's linker makes of separately compiled parts.
fn linked(context: &Context, device: &Device, parts: &[Vec<u8>]) -> Result<Program, Failure> {
    let mut programs = Vec::new();
    for part in parts {
        let mut program = cl!("clCreateProgramWithIL", Program::create_from_il(context, part));
        if let Err(error) = program.compile(context.devices(), "", &[], &[]) {
            let log = program.get_build_log(device.id()).unwrap_or_default();
            return Err(format!("clCompileProgram: {error}\n{log}").into());
        }
        programs.push(program);
    }
    let handles: Vec<_> = programs.iter().map(Program::get).collect();
    // SAFETY: nothing is called back, and the handles are those of compiled programs.
    let program = unsafe {
        link_program(context.get(), context.devices(), c"", &handles, None, ptr::null_mut())
    };
    let program = program.map_err(|code| format!("clLinkProgram: {}", ClError(code)))?;
    // The library has no way from a handle to a `Program`; a binary of it is one.
    let binaries = get_program_info(program, CL_PROGRAM_BINARIES);
    let binaries: Vec<Vec<u8>> =
        binaries.map_err(|code| format!("clGetProgramInfo: {}", ClError(code)))?.into();
    let binaries: Vec<&[u8]> = binaries.iter().map(Vec::as_slice).collect();
    // SAFETY: there is one device and one binary for it.
    let created = unsafe { Program::create_from_binary(context, context.devices(), &binaries) };
    Ok(cl!("clCreateProgramWithBinary", created))
}

unsafe extern "C" {
    fn fflush(stream: *mut c_void) -> i32;
}

/// Runs one kernel and gives the results.
fn run_one(
    job: &Job,
    program: &Program,
    context: &Context,
    queue: &CommandQueue,
    inputs: &mut HashMap<String, Buffer<u8>>,
    pipes: &mut HashMap<String, Pipe>,
) -> Result<String, Failure> {
    for (name, bytes) in &job.data {
        inputs.insert(name.clone(), filled_buffer(context, queue, bytes)?);
    }
    let kernel = cl!("clCreateKernel", Kernel::create(program, &job.kernel));
    let mut set: Vec<Argument> = Vec::new();
    for (index, argument) in job.arguments.iter().enumerate() {
        let index = index as u32;
        set.push(set_argument(&kernel, index, argument, context, queue, inputs, pipes)?);
    }
    let Job { global, local, offset, .. } = job;
    let offset = if offset.is_empty() { ptr::null() } else { offset.as_ptr() };
    let local = if local.is_empty() { ptr::null() } else { local.as_ptr() };
    // SAFETY: the sizes outlive the call, and every argument is set to what the job says.
    let enqueued = unsafe {
        queue.enqueue_nd_range_kernel(
            kernel.get(),
            global.len() as u32,
            offset,
            global.as_ptr(),
            local,
            &[],
        )
    };
    cl!("clEnqueueNDRangeKernel", enqueued);
    cl!("clFinish", queue.finish());

    let mut out = String::new();
    for argument in &set {
        let Argument::Memory(memory) = argument else { continue };
        let mut bytes;
        match memory {
            Memory::Buffer(buffer, size) => {
                bytes = vec![0u8; *size];
                // SAFETY: the read is blocking and `bytes` is as large as the buffer.
                let read =
                    unsafe { queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut bytes, &[]) };
                cl!("clEnqueueReadBuffer", read);
            }
            Memory::Image(Texture { image, region, size, .. }) => {
                bytes = vec![0u8; *size];
                let origin = [0usize; 3];
                // SAFETY: the read is blocking and `bytes` is as large as the image.
                let read = unsafe {
                    queue.enqueue_read_image(
                        image,
                        CL_BLOCKING,
                        origin.as_ptr(),
                        region.as_ptr(),
                        0,
                        0,
                        bytes.as_mut_ptr().cast::<c_void>(),
                        &[],
                    )
                };
                cl!("clEnqueueReadImage", read);
            }
        }
        out.push_str(&hex::encode(&bytes));
        out.push('\n');
    }
    Ok(out)
}

fn filled_buffer(
    context: &Context,
    queue: &CommandQueue,
    bytes: &[u8],
) -> Result<Buffer<u8>, Failure> {
    let size = bytes.len().max(1);
    // SAFETY: no host memory is given to the buffer.
    let created =
        unsafe { Buffer::<u8>::create(context, CL_MEM_READ_WRITE, size, ptr::null_mut()) };
    let mut buffer = cl!("clCreateBuffer", created);
    if !bytes.is_empty() {
        // SAFETY: the write is blocking.
        let written =
            unsafe { queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, bytes, &[]) };
        cl!("clEnqueueWriteBuffer", written);
    }
    Ok(buffer)
}

/// The first device whose driver takes SPIR-V.
fn device() -> Result<Device, Failure> {
    let platforms =
        get_platforms().map_err(|error| Failure::NoDevice(format!("no platform: {error}")))?;
    let mut seen = Vec::new();
    for platform in platforms {
        let name = platform.name().unwrap_or_default();
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            let device = Device::new(id);
            if device.il_version().unwrap_or_default().contains("SPIR-V") {
                return Ok(device);
            }
        }
        seen.push(name);
    }
    Err(Failure::NoDevice(format!("none of these takes SPIR-V: {}", seen.join(", "))))
}

fn set_argument(
    kernel: &Kernel,
    index: u32,
    argument: &job::Argument,
    context: &Context,
    queue: &CommandQueue,
    inputs: &HashMap<String, Buffer<u8>>,
    pipes: &mut HashMap<String, Pipe>,
) -> Result<Argument, Failure> {
    let what = format!("clSetKernelArg {index}");
    match argument {
        job::Argument::Buffer(bytes) => {
            let buffer = filled_buffer(context, queue, bytes)?;
            // SAFETY: the kernel's argument is a pointer to global or constant memory.
            cl!(&what, unsafe { kernel.set_arg(index, &buffer.get()) });
            Ok(Argument::Memory(Memory::Buffer(buffer, bytes.len())))
        }
        job::Argument::Output(size) => {
            let buffer = filled_buffer(context, queue, &vec![job::OUTPUT; *size])?;
            // SAFETY: the kernel's argument is a pointer to global memory.
            cl!(&what, unsafe { kernel.set_arg(index, &buffer.get()) });
            Ok(Argument::Memory(Memory::Buffer(buffer, *size)))
        }
        job::Argument::Input(name) => {
            let buffer = inputs.get(name).ok_or_else(|| format!("no data called {name}"))?;
            // SAFETY: the kernel's argument is a pointer to global or constant memory.
            cl!(&what, unsafe { kernel.set_arg(index, &buffer.get()) });
            Ok(Argument::Scalar)
        }
        job::Argument::Pipe { name, bytes, packets } => {
            let pipe = match pipes.entry(name.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    let (bytes, packets) = (*bytes as u32, *packets as u32);
                    // SAFETY: a pipe is made of sizes alone.
                    let created =
                        unsafe { Pipe::create(context, CL_MEM_HOST_NO_ACCESS, bytes, packets) };
                    free.insert(cl!("clCreatePipe", created))
                }
            };
            // SAFETY: the kernel's argument is a pipe.
            cl!(&what, unsafe { kernel.set_arg(index, &pipe.get()) });
            Ok(Argument::Scalar)
        }
        job::Argument::Null => {
            let null: cl_mem = ptr::null_mut();
            // SAFETY: a null pointer is a valid value of a pointer argument.
            cl!(&what, unsafe { kernel.set_arg(index, &null) });
            Ok(Argument::Scalar)
        }
        job::Argument::Scalar(bytes) => {
            // SAFETY: the bytes outlive the call; the driver checks the size.
            let set = unsafe {
                set_kernel_arg(kernel.get(), index, bytes.len(), bytes.as_ptr().cast::<c_void>())
            };
            set.map_err(|code| failed(&what)(&ClError(code)))?;
            Ok(Argument::Scalar)
        }
        job::Argument::Local(size) => {
            // SAFETY: the argument is a pointer to local memory.
            cl!(&what, unsafe { kernel.set_arg_local_buffer(index, *size) });
            Ok(Argument::Scalar)
        }
        job::Argument::Image(image) => {
            let image = create_image(context, queue, image)?;
            // SAFETY: the argument is an image.
            cl!(&what, unsafe { kernel.set_arg(index, &image.image.get()) });
            Ok(Argument::Memory(Memory::Image(image)))
        }
        job::Argument::Sampler { normalized, address, filter } => {
            use opencl3::memory as s;
            let address = match address.as_str() {
                "none" => s::CL_ADDRESS_NONE,
                "edge" => s::CL_ADDRESS_CLAMP_TO_EDGE,
                "clamp" => s::CL_ADDRESS_CLAMP,
                "repeat" => s::CL_ADDRESS_REPEAT,
                "mirror" => s::CL_ADDRESS_MIRRORED_REPEAT,
                _ => return Err(format!("no addressing mode is called {address}").into()),
            };
            let filter = match filter.as_str() {
                "nearest" => s::CL_FILTER_NEAREST,
                "linear" => s::CL_FILTER_LINEAR,
                _ => return Err(format!("no filter is called {filter}").into()),
            };
            let normalized = u32::from(*normalized);
            #[allow(deprecated, reason = "works on every version")]
            let sampler =
                cl!("clCreateSampler", Sampler::create(context, normalized, address, filter));
            // SAFETY: the argument is a sampler.
            cl!(&what, unsafe { kernel.set_arg(index, &sampler.get()) });
            Ok(Argument::Sampler(sampler))
        }
    }
}

fn create_image(
    context: &Context,
    queue: &CommandQueue,
    image: &job::Image,
) -> Result<Texture, Failure> {
    use opencl3::memory as m;
    let job::Image { kind, sizes, order, channel, bytes } = image;
    let [width, height, depth] = *sizes;
    let format = image_format(order, channel)
        .ok_or_else(|| format!("no image format {order} {channel} is known"))?;
    // SAFETY: zero is a valid value of every field.
    let mut description: cl_image_desc = unsafe { std::mem::zeroed() };
    description.image_width = width;
    let mut region = [width, height, depth];
    let mut buffer = None;
    description.image_type = match kind.as_str() {
        "1d" => m::CL_MEM_OBJECT_IMAGE1D,
        "1dbuffer" => {
            let created = filled_buffer(context, queue, bytes)?;
            description.buffer = created.get();
            buffer = Some(created);
            m::CL_MEM_OBJECT_IMAGE1D_BUFFER
        }
        "1darray" => {
            description.image_array_size = depth;
            region = [width, depth, 1];
            m::CL_MEM_OBJECT_IMAGE1D_ARRAY
        }
        "2d" => {
            description.image_height = height;
            m::CL_MEM_OBJECT_IMAGE2D
        }
        "2darray" => {
            description.image_height = height;
            description.image_array_size = depth;
            m::CL_MEM_OBJECT_IMAGE2D_ARRAY
        }
        "3d" => {
            description.image_height = height;
            description.image_depth = depth;
            m::CL_MEM_OBJECT_IMAGE3D
        }
        _ => return Err(format!("no image is of kind {kind}").into()),
    };
    // Drivers need not write sRGB images.
    let access = if order == "srgba" { CL_MEM_READ_ONLY } else { CL_MEM_READ_WRITE };
    // SAFETY: no host memory is given to the image.
    let created = unsafe { Image::create(context, access, &format, &description, ptr::null_mut()) };
    let mut image = cl!("clCreateImage", created);
    let origin = [0usize; 3];
    // SAFETY: the write is blocking and the bytes cover the image.
    let written = unsafe {
        queue.enqueue_write_image(
            &mut image,
            CL_BLOCKING,
            origin.as_ptr(),
            region.as_ptr(),
            0,
            0,
            bytes.as_ptr().cast_mut().cast::<c_void>(),
            &[],
        )
    };
    cl!("clEnqueueWriteImage", written);
    Ok(Texture { image, region, size: bytes.len(), buffer })
}

fn image_format(order: &str, channel: &str) -> Option<cl_image_format> {
    use opencl3::memory as m;
    let image_channel_order = match order {
        "rgba" => m::CL_RGBA,
        "bgra" => m::CL_BGRA,
        "r" => m::CL_R,
        "a" => m::CL_A,
        "rg" => m::CL_RG,
        "ra" => m::CL_RA,
        "intensity" => m::CL_INTENSITY,
        "luminance" => m::CL_LUMINANCE,
        "depth" => m::CL_DEPTH,
        "srgba" => m::CL_sRGBA,
        _ => return None,
    };
    let image_channel_data_type = match channel {
        "float" => m::CL_FLOAT,
        "half" => m::CL_HALF_FLOAT,
        "unorm8" => m::CL_UNORM_INT8,
        "unorm16" => m::CL_UNORM_INT16,
        "snorm8" => m::CL_SNORM_INT8,
        "snorm16" => m::CL_SNORM_INT16,
        "uint8" => m::CL_UNSIGNED_INT8,
        "uint16" => m::CL_UNSIGNED_INT16,
        "uint32" => m::CL_UNSIGNED_INT32,
        "int8" => m::CL_SIGNED_INT8,
        "int16" => m::CL_SIGNED_INT16,
        "int32" => m::CL_SIGNED_INT32,
        _ => return None,
    };
    Some(cl_image_format { image_channel_order, image_channel_data_type })
}
