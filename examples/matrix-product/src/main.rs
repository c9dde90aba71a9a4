//! A product of matrices of halves on the matrix hardware of a Vulkan device: checked against the host's for small
//! ones, then timed. `cargo run --release -- N` multiplies matrices of N by N, 4096 without an argument.
//!
//! The device needs VK_KHR_cooperative_matrix with products of 16x16x16, of `half` summed as `float`, and
//! sub-groups of 32.

use std::error::Error;

use ash::{khr, vk};

mod generated {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use generated::Address;
use generated::matmul::{self as kernels, fill, matmul};

const CACHE: vk::PipelineCache = vk::PipelineCache::null();
/// What the kernel's tiles take.
const TILE: usize = 128;
const DEPTH: usize = 32;
const GROUP: u32 = 256;
const REPETITIONS: u32 = 20;

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Done {
    let size = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 4096,
    };
    if size == 0 || size % TILE != 0 {
        return Err(format!("{size} is no multiple of {TILE}").into());
    }
    let Some(gpu) = Gpu::new()? else {
        println!("not run: no device has the products of matrices that the kernel makes");
        return Ok(());
    };
    println!("{}", gpu.name);
    check(&gpu)?;
    time(&gpu, size)
}

/// Sizes that are all different, so that none can stand for another.
fn check(gpu: &Gpu) -> Done {
    let (m, n, k) = (2 * TILE, 3 * TILE, 11 * DEPTH);
    let [a, b] = [gpu.buffer(2 * m * k, true)?, gpu.buffer(2 * k * n, true)?];
    let c = gpu.buffer(4 * m * n, true)?;
    gpu.run(|commands| {
        gpu.fill(commands, &a, m * k, 1)?;
        gpu.fill(commands, &b, k * n, 2)?;
        gpu.wait(commands);
        gpu.multiply(commands, [&a, &b, &c], [m, n, k], 1)
    })?;
    let (a, b) = (values(m * k, 1), values(k * n, 2));
    for (index, &found) in c.floats(m * n).iter().enumerate() {
        let (i, j) = (index / n, index % n);
        // Exact, and so is the device's, in whatever order it sums: all are multiples of 1/64 below 512.
        let wanted: f64 = (0..k).map(|x| a[i * k + x] * b[x * n + j]).sum();
        if f64::from(found) != wanted {
            return Err(format!("c[{i}][{j}] is {found}, not {wanted}").into());
        }
    }
    println!("{m} x {n} x {k}: all {} sums as expected", m * n);
    Ok(())
}

/// What the kernel `fill` writes.
fn values(count: usize, seed: u32) -> Vec<f64> {
    let value = |i: u32| {
        let mut bits = (i ^ seed).wrapping_mul(0x9E37_79B1);
        bits ^= bits >> 15;
        bits = bits.wrapping_mul(0x85EB_CA77);
        (f64::from(bits >> 28) - 8.0) / 8.0
    };
    (0..count as u32).map(value).collect()
}

fn time(gpu: &Gpu, size: usize) -> Done {
    let factors = 2 * size * size;
    let [a, b] = [gpu.buffer(factors, false)?, gpu.buffer(factors, false)?];
    let c = gpu.buffer(2 * factors, false)?;
    gpu.run(|commands| {
        gpu.fill(commands, &a, size * size, 1)?;
        gpu.fill(commands, &b, size * size, 2)?;
        gpu.wait(commands);
        // Clocks rise.
        gpu.multiply(commands, [&a, &b, &c], [size; 3], 3)
    })?;
    let times =
        gpu.run_timed(|commands| gpu.multiply(commands, [&a, &b, &c], [size; 3], REPETITIONS))?;
    let each = times / f64::from(REPETITIONS);
    let operations = 2.0 * (size as f64).powi(3);
    println!(
        "{size} x {size} x {size}: {:.3} ms, {:.1} TFLOP/s",
        each * 1e3,
        operations / each / 1e12
    );
    Ok(())
}

/// Memory that the device addresses; the host sees it if it was asked for.
struct Buffer {
    address: u64,
    mapped: Option<*const u8>,
}

impl Buffer {
    /// # Panics
    /// If the host does not see the buffer.
    fn floats(&self, count: usize) -> &[f32] {
        let first = self.mapped.expect("made for the host to see");
        // SAFETY: the buffer has as many; no kernel runs while the host looks.
        unsafe { std::slice::from_raw_parts(first.cast(), count) }
    }
}

struct Gpu {
    name: String,
    device: ash::Device,
    memory: vk::PhysicalDeviceMemoryProperties,
    /// Nanoseconds of a timestamp's step.
    period: f64,
    queue: vk::Queue,
    pool: vk::CommandPool,
    queries: vk::QueryPool,
    fill: fill::Pipeline,
    matmul: matmul::Pipeline,
    _entry: ash::Entry,
}

impl Gpu {
    /// The first device that has the products, if there is one.
    fn new() -> Done<Option<Gpu>> {
        // SAFETY: every handle and structure given is valid, and outlives the call.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None)?;
            let mut gpu = None;
            for candidate in instance.enumerate_physical_devices()? {
                if has_product(&entry, &instance, candidate)? {
                    gpu = Some(candidate);
                    break;
                }
            }
            let Some(gpu) = gpu else { return Ok(None) };
            // A family that does not draw leaves kernels more of the memory of work-groups.
            let families = instance.get_physical_device_queue_family_properties(gpu);
            let has = |family: u32, flag| families[family as usize].queue_flags.contains(flag);
            let family = (0..families.len() as u32)
                .filter(|&family| has(family, vk::QueueFlags::COMPUTE))
                .filter(|&family| families[family as usize].timestamp_valid_bits > 0)
                .min_by_key(|&family| has(family, vk::QueueFlags::GRAPHICS))
                .ok_or("no queue for compute that tells the time")?;
            let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
            let mut features11 =
                vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(true);
            let mut features12 = vk::PhysicalDeviceVulkan12Features::default()
                .shader_float16(true)
                .buffer_device_address(true)
                .vulkan_memory_model(true)
                .vulkan_memory_model_device_scope(true);
            let mut features13 = vk::PhysicalDeviceVulkan13Features::default()
                .maintenance4(true)
                .subgroup_size_control(true)
                .compute_full_subgroups(true);
            let mut matrices =
                vk::PhysicalDeviceCooperativeMatrixFeaturesKHR::default().cooperative_matrix(true);
            let names = [khr::cooperative_matrix::NAME.as_ptr()];
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .enabled_features(&features)
                .push_next(&mut features11)
                .push_next(&mut features12)
                .push_next(&mut features13)
                .push_next(&mut matrices);
            let device = instance.create_device(gpu, &info, None)?;
            let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let queries = vk::QueryPoolCreateInfo::default()
                .query_type(vk::QueryType::TIMESTAMP)
                .query_count(2);
            let module = kernels::Module::new(&device)?;
            let filled = fill::Specialization { work_group_size: [GROUP, 1, 1] };
            let multiplied = matmul::Specialization { full_sub_groups: true };
            let properties = instance.get_physical_device_properties(gpu);
            Ok(Some(Gpu {
                name: properties.device_name_as_c_str()?.to_string_lossy().into_owned(),
                memory: instance.get_physical_device_memory_properties(gpu),
                period: f64::from(properties.limits.timestamp_period),
                queue: device.get_device_queue(family, 0),
                pool: device.create_command_pool(&pool, None)?,
                queries: device.create_query_pool(&queries, None)?,
                fill: fill::Pipeline::new(&device, &module, CACHE, &filled)?,
                matmul: matmul::Pipeline::new(&device, &module, CACHE, &multiplied)?,
                device,
                _entry: entry,
            }))
        }
    }

    fn buffer(&self, bytes: usize, is_shared: bool) -> Done<Buffer> {
        use vk::MemoryPropertyFlags as Flags;
        // Reading what the host does not cache takes seconds.
        let shared = [Flags::HOST_COHERENT | Flags::HOST_CACHED, Flags::HOST_COHERENT];
        let wanted = if is_shared { &shared[..] } else { &[Flags::DEVICE_LOCAL] };
        // SAFETY: as above; what is made lives until the program ends.
        unsafe {
            let info = vk::BufferCreateInfo::default().size(bytes as u64).usage(
                vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
            );
            let buffer = self.device.create_buffer(&info, None)?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let kinds = &self.memory.memory_types[..self.memory.memory_type_count as usize];
            let kind = wanted
                .iter()
                .find_map(|&flags| {
                    kinds.iter().enumerate().position(|(index, kind)| {
                        needs.memory_type_bits & 1 << index != 0
                            && kind.property_flags.contains(flags)
                    })
                })
                .ok_or("no memory of the kind")?;
            let mut addressed = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind as u32)
                .push_next(&mut addressed);
            let memory = self.device.allocate_memory(&info, None)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
            let mapped = match is_shared {
                true => {
                    let all =
                        self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
                    Some(all.cast_const().cast())
                }
                false => None,
            };
            Ok(Buffer { address: self.device.get_buffer_device_address(&info), mapped })
        }
    }

    fn fill(&self, commands: vk::CommandBuffer, to: &Buffer, count: usize, seed: u32) -> Done {
        let arguments = fill::Arguments { values: Address::new(to.address), seed };
        // SAFETY: the buffer has so many values, whole work-groups of them.
        unsafe { self.fill.dispatch(&self.device, commands, [count as u32], &arguments) };
        Ok(())
    }

    /// `c = a b`, so many times.
    fn multiply(
        &self,
        commands: vk::CommandBuffer,
        [a, b, c]: [&Buffer; 3],
        [m, n, k]: [usize; 3],
        count: u32,
    ) -> Done {
        let arguments = matmul::Arguments {
            a: Address::new(a.address),
            b: Address::new(b.address),
            c: Address::new(c.address),
            n: n as u32,
            k: k as u32,
        };
        let items = [(n / TILE) as u32 * GROUP, (m / TILE) as u32];
        for _ in 0..count {
            // SAFETY: the buffers are as large as the sizes say, which are multiples of the tile's.
            unsafe { self.matmul.dispatch(&self.device, commands, items, &arguments) };
            self.wait(commands);
        }
        Ok(())
    }

    /// What follows sees what was written, the host included.
    fn wait(&self, commands: vk::CommandBuffer) {
        let written = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(
                vk::AccessFlags::SHADER_READ
                    | vk::AccessFlags::SHADER_WRITE
                    | vk::AccessFlags::HOST_READ,
            )];
        let (from, to) = (
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::PipelineStageFlags::COMPUTE_SHADER | vk::PipelineStageFlags::HOST,
        );
        // SAFETY: the commands are being recorded.
        unsafe {
            self.device.cmd_pipeline_barrier(
                commands,
                from,
                to,
                Default::default(),
                &written,
                &[],
                &[],
            );
        }
    }

    /// Records commands, runs them and waits for them.
    fn run(&self, record: impl FnOnce(vk::CommandBuffer) -> Done) -> Done {
        self.run_timed(record).map(|_| ())
    }

    /// As [`Gpu::run`]; gives how long they took, in seconds.
    fn run_timed(&self, record: impl FnOnce(vk::CommandBuffer) -> Done) -> Done<f64> {
        let device = &self.device;
        // SAFETY: as above; the device is idle when the function ends.
        unsafe {
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(self.pool)
                .command_buffer_count(1);
            let buffers = device.allocate_command_buffers(&info)?;
            let commands = buffers[0];
            device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
            device.cmd_reset_query_pool(commands, self.queries, 0, 2);
            let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
            device.cmd_write_timestamp(commands, stage, self.queries, 0);
            record(commands)?;
            device.cmd_write_timestamp(commands, stage, self.queries, 1);
            device.end_command_buffer(commands)?;
            let submit = vk::SubmitInfo::default().command_buffers(&buffers);
            device.queue_submit(self.queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(self.queue)?;
            let mut times = [0u64; 2];
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            device.get_query_pool_results(self.queries, 0, &mut times, flags)?;
            Ok(times[1].wrapping_sub(times[0]) as f64 * self.period * 1e-9)
        }
    }
}

/// Whether a device multiplies matrices of 16 by 16 halves and sums floats, in sub-groups of 32.
///
/// # Safety
/// The device is of the instance.
unsafe fn has_product(
    entry: &ash::Entry,
    instance: &ash::Instance,
    gpu: vk::PhysicalDevice,
) -> Done<bool> {
    // SAFETY: as the caller says.
    unsafe {
        let extensions = instance.enumerate_device_extension_properties(gpu)?;
        let name = khr::cooperative_matrix::NAME;
        if !extensions.iter().any(|known| known.extension_name_as_c_str() == Ok(name)) {
            return Ok(false);
        }
        let mut sizes = vk::PhysicalDeviceVulkan13Properties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut sizes);
        instance.get_physical_device_properties2(gpu, &mut all);
        let functions = khr::cooperative_matrix::Instance::new(entry, instance);
        let products = functions.get_physical_device_cooperative_matrix_properties(gpu)?;
        let half = vk::ComponentTypeKHR::FLOAT16;
        let float = vk::ComponentTypeKHR::FLOAT32;
        let is_ours = |product: &vk::CooperativeMatrixPropertiesKHR<'_>| {
            let sizes = [product.m_size, product.n_size, product.k_size];
            let types = [product.a_type, product.b_type, product.c_type, product.result_type];
            product.scope == vk::ScopeKHR::SUBGROUP
                && product.saturating_accumulation == vk::FALSE
                && sizes == [16; 3]
                && types == [half, half, float, float]
        };
        let has_sub_groups = (sizes.min_subgroup_size..=sizes.max_subgroup_size).contains(&32);
        Ok(has_sub_groups && products.iter().any(is_ours))
    }
}
