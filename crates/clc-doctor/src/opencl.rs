//! Devices of OpenCL, in a child process.

use std::ffi::CStr;
use std::ptr;
use std::time::Instant;

use clc::{TargetEnv, Version};
use clc_builtins::ExtensionSet;
use clc_builtins::features::{self, Extension, Target};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
use opencl3::platform::{Platform, get_platforms};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;
use serde_json::{Value, json};

use crate::{LENGTH, compare, compile, drivers, operands, options_of};

/// The loader's library is not there (a number of the binding's own).
const NO_LOADER: i32 = -2000;
/// `CL_PLATFORM_NOT_FOUND_KHR`
const NO_PLATFORM: i32 = -1001;
/// `CL_DEVICE_NOT_FOUND`
const NO_DEVICE: i32 = -1;
/// `CL_DEVICE_SPIRV_EXTENSIONS_KHR` of cl_khr_spirv_queries
const SPIRV_EXTENSIONS: u32 = 0x12BA;

fn devices() -> Result<Vec<(Platform, Device)>, String> {
    let platforms = get_platforms().map_err(|error| match error.0 {
        NO_LOADER => "there is no loader of OpenCL (libOpenCL.so.1); Debian: apt-get install \
                      ocl-icd-libopencl1"
            .to_owned(),
        NO_PLATFORM => drivers::why_not_loaded()
            .unwrap_or_else(|| "the loader takes it for no driver of OpenCL".to_owned()),
        _ => format!("clGetPlatformIDs: {error}"),
    })?;
    let mut devices = Vec::new();
    for platform in platforms {
        match platform.get_devices(CL_DEVICE_TYPE_ALL) {
            Ok(ids) => devices.extend(ids.into_iter().map(|id| (platform, Device::new(id)))),
            Err(error) if error.0 == NO_DEVICE => {}
            Err(error) => return Err(format!("clGetDeviceIDs: {error}")),
        }
    }
    Ok(devices)
}

/// What the devices of the driver are and take.
pub fn describe() -> Result<Value, String> {
    let devices = devices()?;
    Ok(devices.iter().map(|(platform, device)| description(*platform, device)).collect())
}

/// `OpenCL 3.0 …` as numbers.
fn version_of(text: &str) -> (u8, u8) {
    let number = text.split(' ').nth(1).unwrap_or_default();
    let (major, minor) = number.split_once('.').unwrap_or(("1", "0"));
    (major.parse().unwrap_or(1), minor.parse().unwrap_or(0))
}

fn description(platform: Platform, device: &Device) -> Value {
    let version_text = device.version().unwrap_or_default();
    let version = version_of(&version_text);
    let il = device.il_version().unwrap_or_default();
    let spirv: Vec<&str> =
        il.split_whitespace().filter_map(|name| name.strip_prefix("SPIR-V_")).collect();
    let extension_text = device.extensions().unwrap_or_default();
    let extensions: Vec<&str> = extension_text.split_whitespace().collect();
    let features: Vec<String> = device
        .opencl_c_features()
        .unwrap_or_default()
        .iter()
        .map(|feature| text(&feature.name))
        .collect();
    let names =
        |name: &str| extensions.contains(&name) || features.iter().any(|feature| feature == name);
    let fp64 = device.double_fp_config().unwrap_or(0) != 0 || names("cl_khr_fp64");
    let fp16 = names("cl_khr_fp16");
    let sub_groups = device.max_num_sub_groups().unwrap_or(0) > 0 || names("cl_khr_subgroups");
    // What became part of OpenCL need not be an extension any more; what only the compiler does is none of
    // the device's.
    let has = |name: &str| {
        names(name)
            || (fp64 && name.contains("fp64"))
            || (sub_groups && matches!(name, "cl_khr_subgroups" | "__opencl_c_subgroups"))
            || name.starts_with("cl_clang_")
    };
    let address_bits = device.address_bits().unwrap_or(64);

    let mut options = Vec::new();
    // The newest that the device is no older than.
    let target = TargetEnv::all()
        .filter(|target| match target {
            TargetEnv::OpenCl { major, minor } => (*major, *minor) <= version,
            TargetEnv::Vulkan { .. } => false,
        })
        .last();
    let mut why_not = spirv.is_empty().then(|| {
        "the device takes no SPIR-V (CL_DEVICE_IL_VERSION is empty); compile for Vulkan, or give it the source"
            .to_owned()
    });
    let language = match version {
        (3.., minor) if minor > 0 => ("CL3.1", Version::V3_1),
        (3.., _) => ("CL3.0", Version::V3_0),
        (2, _) => ("CL2.0", Version::V2_0),
        _ => ("CL1.2", Version::V1_2),
    };
    match target {
        Some(target) => {
            options.push(format!("--target-env={target}"));
            let newest = spirv.iter().filter_map(|version| {
                let (major, minor) = version.split_once('.')?;
                Some((major.parse::<u8>().ok()?, minor.parse::<u8>().ok()?))
            });
            if let Some((major, minor)) = newest.max()
                && (major, minor) < target.default_spirv_version()
            {
                options.push(format!("--spirv-version={major}.{minor}"));
            }
        }
        None => why_not = Some(format!("{version_text} is older than OpenCL 1.2")),
    }
    if language.1 != Version::V1_2 {
        options.push(format!("-cl-std={}", language.0));
    }
    if address_bits == 32 {
        options.push("--address-bits=32".to_owned());
    }
    let absent = absent(language.1, &has);
    if !absent.is_empty() {
        options.push(format!("-cl-ext={}", absent.join(",")));
    }
    json!({
        "name": device.name().unwrap_or_default().trim(),
        "platform": platform.name().unwrap_or_default().trim(),
        "vendor": device.vendor().unwrap_or_default().trim(),
        "version": version_text.trim(),
        "driver": device.driver_version().unwrap_or_default().trim(),
        "spirv_versions": spirv,
        "spirv_extensions": names("cl_khr_spirv_queries").then(|| spirv_extensions(device)),
        "address_bits": address_bits,
        "fp16": fp16,
        "fp64": fp64,
        "sub_groups": sub_groups,
        "local_memory": device.local_mem_size().unwrap_or(0),
        "takes_modules": why_not.is_none(),
        "why_not": why_not,
        "options": options,
    })
}

/// What `clc` takes for granted in a version of the language, and the device has not, as `-cl-ext` has it.
fn absent(version: Version, has: &dyn Fn(&str) -> bool) -> Vec<String> {
    let usual: ExtensionSet = features::default_set(version, Target::OpenCl);
    let mut absent: Vec<String> = Extension::all()
        .filter(|extension| usual.contains(*extension))
        .map(Extension::name)
        // Features go with the extensions that they are also known by.
        .filter(|name| version >= Version::V3_0 || !name.starts_with("__opencl_c"))
        .filter(|name| !has(name))
        .map(|name| format!("-{name}"))
        .collect();
    absent.sort();
    absent
}

fn text(bytes: &[u8]) -> String {
    let bytes: Vec<u8> = bytes.iter().copied().take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn spirv_extensions(device: &Device) -> Vec<String> {
    let bytes = device.get_data(SPIRV_EXTENSIONS).unwrap_or_default();
    let (pointers, _) = bytes.as_chunks::<{ size_of::<usize>() }>();
    let pointers = pointers.iter().map(|&pointer| usize::from_ne_bytes(pointer));
    // SAFETY: the extension returns an array of pointers to strings that live as long as the device.
    let string = |pointer: usize| unsafe {
        CStr::from_ptr(ptr::with_exposed_provenance(pointer)).to_string_lossy().into_owned()
    };
    pointers.filter(|&pointer| pointer != 0).map(string).collect()
}

/// Runs the program on a device; returns how many milliseconds building and running it took.
pub fn vector_add(index: usize) -> Result<Value, String> {
    let all = devices()?;
    let (platform, device) = all.get(index).ok_or("the device has gone")?;
    let (_, words) = compile(&options_of(&description(*platform, device)))?;
    let il = clc::fs::module_bytes(&words);
    let failed = |call: &'static str| move |error| format!("{call}: {error}");

    let start = Instant::now();
    let context = Context::from_device(device).map_err(failed("clCreateContext"))?;
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0)
        .map_err(failed("clCreateCommandQueueWithProperties"))?;
    let mut program =
        Program::create_from_il(&context, &il).map_err(failed("clCreateProgramWithIL"))?;
    if let Err(error) = program.build(context.devices(), "") {
        let log = program.get_build_log(device.id()).unwrap_or_default();
        return Err(format!("clBuildProgram: {error} {}", log.trim()));
    }
    let kernel = Kernel::create(&program, "add").map_err(failed("clCreateKernel"))?;
    let (a, b) = operands();
    let mut sums = vec![0f32; LENGTH];
    // SAFETY: buffers have room for `LENGTH` numbers, of which the kernel touches no other; reads and writes wait.
    unsafe {
        let buffer = |flags| {
            Buffer::<f32>::create(&context, flags, LENGTH, ptr::null_mut())
                .map_err(failed("clCreateBuffer"))
        };
        let (mut left, mut right) = (buffer(CL_MEM_READ_ONLY)?, buffer(CL_MEM_READ_ONLY)?);
        let out = buffer(CL_MEM_WRITE_ONLY)?;
        for (buffer, numbers) in [(&mut left, &a), (&mut right, &b)] {
            queue
                .enqueue_write_buffer(buffer, CL_BLOCKING, 0, numbers, &[])
                .map_err(failed("clEnqueueWriteBuffer"))?;
        }
        // Not by `ExecuteKernel`, which panics where an argument is refused.
        for (index, buffer) in [&left, &right, &out].into_iter().enumerate() {
            kernel.set_arg(index as u32, buffer).map_err(failed("clSetKernelArg"))?;
        }
        queue
            .enqueue_nd_range_kernel(kernel.get(), 1, ptr::null(), &LENGTH, ptr::null(), &[])
            .map_err(failed("clEnqueueNDRangeKernel"))?;
        queue.finish().map_err(failed("clFinish"))?;
        queue
            .enqueue_read_buffer(&out, CL_BLOCKING, 0, &mut sums, &[])
            .map_err(failed("clEnqueueReadBuffer"))?;
    }
    compare(&sums)?;
    Ok(json!((start.elapsed().as_secs_f64() * 1e4).round() / 10.0))
}
