//! `y = a x + y` on the first OpenCL device that takes SPIR-V. The kernel was compiled when this
//! program was built; nothing is compiled from source when it runs.

use std::ptr;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

static SAXPY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/saxpy.spv"));

const N: usize = 1 << 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = device()?;
    println!("{}: {} bytes of SPIR-V", device.name()?, SAXPY.len());
    let context = Context::from_device(&device)?;
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0)?;
    let program = Program::create_and_build_from_il(&context, SAXPY, "")?;
    let kernel = Kernel::create(&program, "saxpy")?;

    let a = 2.5f32;
    let x: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let mut y: Vec<f32> = (0..N).map(|i| (N - i) as f32).collect();
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| a * x + y).collect();

    // SAFETY: the buffers are as large as the slices, the arguments are those of the kernel in
    // its order and types, and all transfers block.
    unsafe {
        let mut on_device_x =
            Buffer::<f32>::create(&context, CL_MEM_READ_ONLY, N, ptr::null_mut())?;
        let mut on_device_y =
            Buffer::<f32>::create(&context, CL_MEM_READ_WRITE, N, ptr::null_mut())?;
        queue.enqueue_write_buffer(&mut on_device_x, CL_BLOCKING, 0, &x, &[])?;
        queue.enqueue_write_buffer(&mut on_device_y, CL_BLOCKING, 0, &y, &[])?;
        ExecuteKernel::new(&kernel)
            .set_arg(&a)
            .set_arg(&on_device_x)
            .set_arg(&on_device_y)
            .set_arg(&(N as u32))
            .set_global_work_size(N)
            .enqueue_nd_range(&queue)?
            .wait()?;
        queue.enqueue_read_buffer(&on_device_y, CL_BLOCKING, 0, &mut y, &[])?;
    }
    if y != expected {
        return Err("the device computed something else than the host".into());
    }
    println!("{N} elements as expected");
    Ok(())
}

fn device() -> Result<Device, Box<dyn std::error::Error>> {
    for platform in get_platforms()? {
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            let device = Device::new(id);
            if device.il_version().is_ok_and(|version| version.contains("SPIR-V")) {
                return Ok(device);
            }
        }
    }
    Err("no OpenCL device takes SPIR-V".into())
}
