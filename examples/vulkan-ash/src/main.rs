//! `y = a x + y`, a walk along a linked list, and what a kernel prints, on a Vulkan device. The kernels were
//! compiled when this program was built, which made types of their arguments and functions that launch them.

mod printf;

use std::error::Error;

use ash::vk;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use generated::Address;
use generated::kernels::{self, report, saxpy, types, walk};

const N: usize = 1 << 16;
const GROUP: [u32; 3] = [64, 1, 1];
const HEAP: usize = 1 << 20;
const CACHE: vk::PipelineCache = vk::PipelineCache::null();

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Done {
    let mut gpu = Gpu::new()?;

    let x: Vec<f32> = (0..N).map(|i| i as f32).collect();
    let y: Vec<f32> = (0..N).map(|i| (N - i) as f32).collect();
    let (x, y) = (gpu.put(&x), gpu.put(&y));
    let specialization = saxpy::Specialization { work_group_size: GROUP };
    gpu.run(|device, module, commands| {
        // SAFETY: the module is of the device, and the buffers are as long as the kernel thinks.
        unsafe {
            let pipeline = saxpy::Pipeline::new(device, module, CACHE, &specialization)?;
            let arguments = saxpy::Arguments { a: 2.5, x, y, n: N as u32 };
            pipeline.dispatch(device, commands, [N as u32], &arguments);
        }
        Ok(())
    })?;
    let computed = gpu.get(y, N);
    for (i, value) in computed.iter().enumerate() {
        assert_eq!(*value, 2.5 * i as f32 + (N - i) as f32, "y[{i}]");
    }
    println!("saxpy: {N} elements as expected");

    // Each node holds the address of the one made before it.
    let list = (1..=100).fold(Address::NULL, |next: Address<types::node>, value| {
        gpu.put(&[types::node { next: next.0, value: value as f32, ..types::node::ZERO }])
    });
    let sum = gpu.put(&[0.0f32]);
    let specialization = walk::Specialization { work_group_size: [1; 3] };
    gpu.run(|device, module, commands| {
        // SAFETY: as above; the list ends with the null pointer.
        unsafe {
            let pipeline = walk::Pipeline::new(device, module, CACHE, &specialization)?;
            pipeline.dispatch(device, commands, [1], &walk::Arguments { list, sum });
        }
        Ok(())
    })?;
    assert_eq!(gpu.get(sum, 1), [5050.0], "the sum of the list");
    println!("walk: the sum of the list as expected");

    // Room for all of it, and for two of the four records, which have eight words each.
    for (words, records) in [(1 << 12, 4), (20, 2)] {
        let buffer = printf::empty(words);
        let printf_buffer = gpu.put(&buffer);
        let specialization = report::Specialization { work_group_size: [4, 1, 1] };
        gpu.run(|device, module, commands| {
            // SAFETY: as above; the buffer for what is printed says how long it is.
            unsafe {
                let pipeline = report::Pipeline::new(device, module, CACHE, &specialization)?;
                pipeline.dispatch(device, commands, [4], &report::Arguments { y, printf_buffer });
            }
            Ok(())
        })?;
        let recorded = gpu.get(printf_buffer, buffer.len());
        let (text, lost) = printf::text(recorded, kernels::PRINTF_FORMATS)?;
        let text = String::from_utf8_lossy(&text);
        print!("{text}");
        if lost > 0 {
            println!("report: the buffer was full; records of {lost} words are not shown");
        }
        assert_eq!((text.lines().count(), lost), (records, 8 * (4 - records as u32)));
        for line in text.lines() {
            let i: i32 = line[5..7].trim().parse()?;
            let (parity, y) =
                (["even", "odd"][i as usize % 2], 2.5 * i as f32 + (N as i32 - i) as f32);
            assert_eq!(line, format!("item {i:2}: {parity:<4} {y:8.1} {i},{},0,-1", -i));
        }
    }
    Ok(())
}

struct Gpu {
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    module: kernels::Module,
    /// A buffer that host and device see: its address, where the host has it, and what is used.
    heap: (u64, *mut u8, usize),
    _entry: ash::Entry,
}

impl Gpu {
    fn new() -> Done<Gpu> {
        // SAFETY: every handle and structure given is valid, and outlives the call.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = entry.create_instance(&info, None)?;
            let gpus = instance.enumerate_physical_devices()?;
            let gpu = *gpus.first().ok_or("no Vulkan device")?;
            // A family that does not draw leaves kernels more of the memory of work-groups.
            let families = instance.get_physical_device_queue_family_properties(gpu);
            let has = |family: u32, flag| families[family as usize].queue_flags.contains(flag);
            let family = (0..families.len() as u32)
                .filter(|&family| has(family, vk::QueueFlags::COMPUTE))
                .min_by_key(|&family| has(family, vk::QueueFlags::GRAPHICS))
                .ok_or("no queue for compute")?;
            let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
            let mut features12 = vk::PhysicalDeviceVulkan12Features::default()
                .buffer_device_address(true)
                .vulkan_memory_model(true)
                .vulkan_memory_model_device_scope(true);
            let mut features13 = vk::PhysicalDeviceVulkan13Features::default().maintenance4(true);
            let queues = [vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_features(&features)
                .push_next(&mut features12)
                .push_next(&mut features13);
            let device = instance.create_device(gpu, &info, None)?;
            let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let heap = vk::BufferCreateInfo::default().size(HEAP as u64).usage(
                vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
            );
            let heap = device.create_buffer(&heap, None)?;
            let needs = device.get_buffer_memory_requirements(heap);
            // Every device has memory of this kind, which the host sees without being asked to.
            let shared = vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = instance.get_physical_device_memory_properties(gpu);
            let kind = (0..memory.memory_type_count)
                .filter(|kind| needs.memory_type_bits & 1 << kind != 0)
                .find(|&kind| memory.memory_types[kind as usize].property_flags.contains(shared))
                .ok_or("no memory that the host can map")?;
            let mut addressed = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind)
                .push_next(&mut addressed);
            let memory = device.allocate_memory(&info, None)?;
            device.bind_buffer_memory(heap, memory, 0)?;
            let info = vk::BufferDeviceAddressInfo::default().buffer(heap);
            let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
            Ok(Gpu {
                queue: device.get_device_queue(family, 0),
                pool: device.create_command_pool(&pool, None)?,
                module: kernels::Module::new(&device)?,
                heap: (device.get_buffer_device_address(&info), mapped.cast(), 0),
                device,
                _entry: entry,
            })
        }
    }

    /// Copies values to where the device sees them, and gives their address.
    fn put<T: Copy>(&mut self, values: &[T]) -> Address<T> {
        let (address, mapped, used) = &mut self.heap;
        let place = *used;
        *used = (place + size_of_val(values)).next_multiple_of(16);
        assert!(*used <= HEAP, "the heap is full");
        // SAFETY: the values are inside the heap, at a multiple of 16.
        unsafe { mapped.add(place).cast::<T>().copy_from(values.as_ptr(), values.len()) };
        Address::new(*address + place as u64)
    }

    /// Values that were put there.
    fn get<T>(&self, address: Address<T>, count: usize) -> &[T] {
        // SAFETY: what has an address is inside the heap; no kernel runs while the host looks.
        unsafe {
            let first = self.heap.1.add((address.0 - self.heap.0) as usize);
            std::slice::from_raw_parts(first.cast(), count)
        }
    }

    /// Records commands, runs them and waits for them.
    fn run(
        &self,
        record: impl FnOnce(&ash::Device, &kernels::Module, vk::CommandBuffer) -> Done,
    ) -> Done {
        let device = &self.device;
        // SAFETY: as above; the device is idle when the function ends.
        unsafe {
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(self.pool)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            record(device, &self.module, commands[0])?;
            let done = [vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::SHADER_WRITE)
                .dst_access_mask(vk::AccessFlags::HOST_READ)];
            let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
            device.cmd_pipeline_barrier(commands[0], from, to, Default::default(), &done, &[], &[]);
            device.end_command_buffer(commands[0])?;
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            device.queue_submit(self.queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(self.queue)?;
        }
        Ok(())
    }
}
