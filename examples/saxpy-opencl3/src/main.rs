//! `y = a x + y` on the first OpenCL device that takes SPIR-V. The kernel was compiled when this
//! program was built; nothing is compiled from source when it runs.

use std::ptr;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::memory::{Buffer, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::types::CL_BLOCKING;

mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use kernels::saxpy;

const N: usize = 1 << 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = device()?;
    println!("{}: {} bytes of SPIR-V", device.name()?, saxpy::BYTES.len());
    let context = Context::from_device(&device)?;
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0)?;
    let program = saxpy::Program::build(&context, "")?;
    let kernel = saxpy::saxpy::Launcher::new(&program)?;

    let a = 2.5f32;
    let x: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let mut y: Vec<f32> = (0..N).map(|i| (N - i) as f32).collect();
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| a * x + y).collect();

    // SAFETY: the buffers are as large as the slices, and all transfers block.
    unsafe {
        let mut on_device_x =
            Buffer::<f32>::create(&context, CL_MEM_READ_ONLY, N, ptr::null_mut())?;
        let mut on_device_y =
            Buffer::<f32>::create(&context, CL_MEM_READ_WRITE, N, ptr::null_mut())?;
        queue.enqueue_write_buffer(&mut on_device_x, CL_BLOCKING, 0, &x, &[])?;
        queue.enqueue_write_buffer(&mut on_device_y, CL_BLOCKING, 0, &y, &[])?;
        let arguments =
            saxpy::saxpy::Arguments { a, x: &on_device_x, y: &on_device_y, n: N as u32 };
        kernel.enqueue(&queue, [N], arguments, &[])?.wait()?;
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
