//! `y = a x + y`, a walk along a linked list, and what a kernel prints, on a Vulkan device. The kernels were
//! compiled when this program was built; what it must know to launch them is in `kernels.json`.

mod printf;

use std::{error::Error, ffi::CString};

use ash::vk;
use serde_json::Value;

static MODULE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kernels.spv"));
static REFLECTION: &str = include_str!(concat!(env!("OUT_DIR"), "/kernels.json"));

const N: usize = 1 << 16;
const GROUP: u32 = 64;
const HEAP: usize = 1 << 20;

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Done {
    let mut gpu = Gpu::new()?;

    let x: Vec<u8> = (0..N).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let y: Vec<u8> = (0..N).flat_map(|i| ((N - i) as f32).to_le_bytes()).collect();
    let (x, y) = (gpu.put(&x), gpu.put(&y));
    gpu.launch("saxpy", N as u32, |argument| match argument {
        "a" => 2.5f32.to_le_bytes().to_vec(),
        "x" => x.to_le_bytes().to_vec(),
        "y" => y.to_le_bytes().to_vec(),
        _ => (N as u32).to_le_bytes().to_vec(),
    })?;
    for i in 0..N {
        assert_eq!(gpu.get(y, i), 2.5 * i as f32 + (N - i) as f32, "y[{i}]");
    }
    println!("saxpy: {N} elements as expected");

    // Each node holds the address of the one made before it.
    let list = (1..=100).fold(0u64, |next, value| {
        gpu.put(&[&next.to_le_bytes()[..], &(value as f32).to_le_bytes()].concat())
    });
    let sum = gpu.put(&[0; 4]);
    gpu.launch("walk", 1, |argument| match argument {
        "list" => list.to_le_bytes().to_vec(),
        _ => sum.to_le_bytes().to_vec(),
    })?;
    assert_eq!(gpu.get(sum, 0), 5050.0, "the sum of the list");
    println!("walk: the sum of the list as expected");

    // Room for all of it, and for two of the four records, which have eight words each.
    for (words, records) in [(1 << 12, 4), (20, 2)] {
        let buffer = printf::empty(words);
        gpu.printf = gpu.put(&buffer);
        gpu.launch("report", 4, |_| y.to_le_bytes().to_vec())?;
        let (text, lost) = printf::text(gpu.bytes(gpu.printf, buffer.len()), gpu.formats())?;
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
    module: vk::ShaderModule,
    reflection: Value,
    /// The address of the buffer for what kernels print; 0 drops it.
    printf: u64,
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
            let family = instance
                .get_physical_device_queue_family_properties(gpu)
                .iter()
                .position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE))
                .ok_or("no queue for compute")? as u32;
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
            let words = ash::util::read_spv(&mut std::io::Cursor::new(MODULE))?;
            let module = vk::ShaderModuleCreateInfo::default().code(&words);
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
                module: device.create_shader_module(&module, None)?,
                reflection: serde_json::from_str(REFLECTION)?,
                printf: 0,
                heap: (device.get_buffer_device_address(&info), mapped.cast(), 0),
                device,
                _entry: entry,
            })
        }
    }

    /// Copies bytes to where the device sees them, and gives their address.
    fn put(&mut self, bytes: &[u8]) -> u64 {
        let (address, mapped, used) = &mut self.heap;
        let place = *used;
        *used = (place + bytes.len()).next_multiple_of(16);
        assert!(*used <= HEAP, "the heap is full");
        // SAFETY: the bytes are inside the heap.
        unsafe { mapped.add(place).copy_from(bytes.as_ptr(), bytes.len()) };
        *address + place as u64
    }

    fn get(&self, address: u64, index: usize) -> f32 {
        // SAFETY: what has an address is inside the heap.
        unsafe { self.heap.1.add((address - self.heap.0) as usize).cast::<f32>().add(index).read() }
    }

    fn bytes(&self, address: u64, len: usize) -> &[u8] {
        // SAFETY: as above; no kernel runs while the host looks.
        unsafe {
            std::slice::from_raw_parts(self.heap.1.add((address - self.heap.0) as usize), len)
        }
    }

    fn formats(&self) -> &Value {
        &self.reflection["printf_formats"]
    }

    /// Runs a kernel over `size` items and waits for it; `value` gives the bytes of an argument.
    fn launch(&self, name: &str, size: u32, value: impl Fn(&str) -> Vec<u8>) -> Done {
        let kernels = self.reflection["kernels"].as_array().ok_or("no kernels")?;
        let kernel =
            kernels.iter().find(|kernel| kernel["name"] == name).ok_or("no such kernel")?;
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        // The argument block; what it has besides arguments is zero: no offset of the global ids.
        let mut block = vec![0u8; number(&kernel["block_size"]) as usize];
        for argument in kernel["arguments"].as_array().ok_or("no arguments")? {
            let bytes = value(argument["name"].as_str().unwrap_or(""));
            let offset = number(&argument["offset"]) as usize;
            block[offset..offset + bytes.len()].copy_from_slice(&bytes);
        }
        for implicit in kernel["implicit"].as_array().into_iter().flatten() {
            if implicit["kind"] == "printf_buffer" {
                let offset = number(&implicit["offset"]) as usize;
                block[offset..offset + 8].copy_from_slice(&self.printf.to_le_bytes());
            }
        }
        // The work-group's size is a specialization constant.
        let local = size.min(GROUP);
        let id = number(&kernel["work_group_size"]["constants"][0]) as u32;
        let entries = [vk::SpecializationMapEntry { constant_id: id, offset: 0, size: 4 }];
        let data = local.to_le_bytes();
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let stage = vk::ShaderStageFlags::COMPUTE;
        let range = [vk::PushConstantRange::default().stage_flags(stage).size(block.len() as u32)];
        let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&range);
        let entry = CString::new(name)?;
        let device = &self.device;
        // SAFETY: as above; the device is idle when the function ends.
        unsafe {
            let layout = device.create_pipeline_layout(&layout, None)?;
            let shader = vk::PipelineShaderStageCreateInfo::default()
                .stage(stage)
                .module(self.module)
                .name(&entry)
                .specialization_info(&constants);
            let info = vk::ComputePipelineCreateInfo::default().stage(shader).layout(layout);
            let pipelines = device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
                .map_err(|(_, error)| error)?;
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(self.pool)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            device.cmd_bind_pipeline(commands[0], vk::PipelineBindPoint::COMPUTE, pipelines[0]);
            device.cmd_push_constants(commands[0], layout, stage, 0, &block);
            device.cmd_dispatch(commands[0], size.div_ceil(local), 1, 1);
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
