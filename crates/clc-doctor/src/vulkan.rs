//! Devices of Vulkan, in a child process.

use std::ffi::CStr;
use std::time::Instant;

use ash::vk;
use clc::TargetEnv;
use clc_legalise::reflection::ArgumentKind;
use serde_json::{Value, json};

use crate::{LENGTH, compare, compile, operands, options_of};

/// How long the device may take for a thousand sums.
const LIMIT_NANOSECONDS: u64 = 30_000_000_000;

struct Host {
    // Keeps the loader's library in memory; dropped last.
    instance: ash::Instance,
    devices: Vec<vk::PhysicalDevice>,
    _entry: ash::Entry,
}

fn failed(call: &'static str) -> impl Fn(vk::Result) -> String {
    move |error| format!("{call}: {error}")
}

impl Host {
    fn new() -> Result<Host, String> {
        // SAFETY: the loader is a library of the system.
        let entry = unsafe { ash::Entry::load() }.map_err(|_| {
            "there is no loader of Vulkan (libvulkan.so.1); Debian: apt-get install libvulkan1"
                .to_owned()
        })?;
        // SAFETY: asking for the version has no preconditions.
        let version = unsafe { entry.try_enumerate_instance_version() }.ok().flatten();
        let version = version.unwrap_or(vk::API_VERSION_1_0).max(vk::API_VERSION_1_0);
        let application = vk::ApplicationInfo::default()
            .application_name(c"clc-doctor")
            .api_version(version.min(vk::API_VERSION_1_3));
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: all that `info` points to outlives the call.
        let instance =
            unsafe { entry.create_instance(&info, None) }.map_err(|error| match error {
                vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
                    "the loader cannot load its library (VK_LOADER_DEBUG=error,warn says why)"
                        .to_owned()
                }
                error => format!("vkCreateInstance: {error}"),
            })?;
        // SAFETY: asking an instance for its devices has no preconditions.
        let devices = unsafe { instance.enumerate_physical_devices() };
        let devices = match devices {
            Ok(devices) => devices,
            // What drivers say where the machine has nothing of theirs.
            Err(vk::Result::ERROR_INITIALIZATION_FAILED) => Vec::new(),
            Err(error) => return Err(failed("vkEnumeratePhysicalDevices")(error)),
        };
        Ok(Host { instance, devices, _entry: entry })
    }
}

/// What the devices of the driver are and take.
pub fn describe() -> Result<Value, String> {
    let host = Host::new()?;
    Ok(host.devices.iter().map(|&device| description(&host, device)).collect())
}

fn text(chars: &[std::ffi::c_char]) -> String {
    chars.iter().take_while(|&&c| c != 0).map(|&c| char::from(c as u8)).collect()
}

fn description(host: &Host, device: vk::PhysicalDevice) -> Value {
    let instance = &host.instance;
    // SAFETY: the device is of the instance, here and below.
    let plain = unsafe { instance.get_physical_device_properties(device) };
    let version =
        (vk::api_version_major(plain.api_version), vk::api_version_minor(plain.api_version));
    let version_text = format!("Vulkan {}.{}", version.0, version.1);
    let name = text(&plain.device_name);
    if version < (1, 2) {
        let why_not = format!(
            "{version_text} is older than 1.2, whose features are asked for here; `--target-env=vulkan1.1` is \
             for devices that have VK_KHR_buffer_device_address and VK_KHR_vulkan_memory_model"
        );
        return json!({
            "name": name, "version": version_text, "takes_modules": false, "why_not": why_not, "options": [],
        });
    }
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut sub_groups = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties =
        vk::PhysicalDeviceProperties2::default().push_next(&mut driver).push_next(&mut sub_groups);
    let mut has_11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut has_12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut features =
        vk::PhysicalDeviceFeatures2::default().push_next(&mut has_11).push_next(&mut has_12);
    // SAFETY: the chains hold structures of Vulkan 1.2, which the device has.
    unsafe {
        instance.get_physical_device_properties2(device, &mut properties);
        instance.get_physical_device_features2(device, &mut features);
    }
    let has_10 = features.features;
    let limits = plain.limits;
    let is = |feature: vk::Bool32| feature == vk::TRUE;

    let needed = [
        ("bufferDeviceAddress", has_12.buffer_device_address),
        ("vulkanMemoryModel", has_12.vulkan_memory_model),
        ("shaderInt64", has_10.shader_int64),
    ];
    let missing: Vec<&str> =
        needed.iter().filter(|(_, has)| !is(*has)).map(|(name, _)| *name).collect();
    let known = [
        ("shaderFloat64", has_10.shader_float64),
        ("shaderInt16", has_10.shader_int16),
        ("shaderFloat16", has_12.shader_float16),
        ("shaderInt8", has_12.shader_int8),
        ("storageBuffer8BitAccess", has_12.storage_buffer8_bit_access),
        ("storageBuffer16BitAccess", has_11.storage_buffer16_bit_access),
        ("shaderBufferInt64Atomics", has_12.shader_buffer_int64_atomics),
        ("shaderSharedInt64Atomics", has_12.shader_shared_int64_atomics),
        ("vulkanMemoryModelDeviceScope", has_12.vulkan_memory_model_device_scope),
        ("shaderSubgroupExtendedTypes", has_12.shader_subgroup_extended_types),
        ("shaderStorageImageReadWithoutFormat", has_10.shader_storage_image_read_without_format),
        ("shaderStorageImageWriteWithoutFormat", has_10.shader_storage_image_write_without_format),
    ];
    let (present, absent): (Vec<_>, Vec<_>) =
        needed.iter().chain(&known).partition(|(_, has)| is(*has));
    let names = |list: Vec<&(&'static str, vk::Bool32)>| -> Vec<&str> {
        list.into_iter().map(|(name, _)| *name).collect()
    };

    let target = TargetEnv::all()
        .filter(|target| match target {
            TargetEnv::Vulkan { major, minor } => (u32::from(*major), u32::from(*minor)) <= version,
            TargetEnv::OpenCl { .. } => false,
        })
        .last();
    let mut options: Vec<String> =
        target.iter().map(|target| format!("--target-env={target}")).collect();
    // Beyond this the whole block of arguments of any kernel is pushed.
    let push = limits.max_push_constants_size.min(4096) / 4 * 4;
    if push > 128 {
        options.push(format!("--max-push-constant-size={push}"));
    }
    options.push(format!("--limit=shared={}", limits.max_compute_shared_memory_size));
    for (has, option) in [
        (has_12.shader_int8, "--limit=int8=0"),
        (has_12.storage_buffer8_bit_access, "--limit=storage8=0"),
        (has_11.storage_buffer16_bit_access, "--limit=storage16=0"),
        (has_10.shader_float64, "-cl-ext=-cl_khr_fp64"),
        (has_12.shader_float16, "-cl-ext=-cl_khr_fp16"),
    ] {
        if !is(has) {
            options.push(option.to_owned());
        }
    }
    let operations = vk::SubgroupFeatureFlags::VOTE
        | vk::SubgroupFeatureFlags::ARITHMETIC
        | vk::SubgroupFeatureFlags::BALLOT;
    let have_arithmetic = sub_groups.supported_operations.contains(operations)
        && sub_groups.supported_stages.contains(vk::ShaderStageFlags::COMPUTE)
        && is(has_12.shader_subgroup_extended_types);
    if have_arithmetic {
        options.push("--sub-group-arithmetic".to_owned());
    }
    let why_not = (!missing.is_empty()).then(|| format!("the device lacks {}", missing.join(", ")));
    json!({
        "name": name,
        "kind": format!("{:?}", plain.device_type).to_lowercase().replace('_', " "),
        "version": version_text,
        "driver": format!("{} {}", text(&driver.driver_name), text(&driver.driver_info)).trim(),
        "spirv_versions": match version { (1, 2) => "1.0 to 1.5", _ => "1.0 to 1.6" },
        "address_bits": 64,
        "fp16": is(has_12.shader_float16),
        "fp64": is(has_10.shader_float64),
        "sub_groups": sub_groups.subgroup_size,
        "sub_group_operations": format!("{:?}", sub_groups.supported_operations),
        "features": names(present),
        "missing_features": names(absent),
        "local_memory": limits.max_compute_shared_memory_size,
        "push_constants": limits.max_push_constants_size,
        "takes_modules": why_not.is_none(),
        "why_not": why_not,
        "options": options,
    })
}

/// Runs the program on a device; returns how many milliseconds that took. What is made is left to the end
/// of the process.
pub fn vector_add(index: usize) -> Result<Value, String> {
    let host = Host::new()?;
    let &physical = host.devices.get(index).ok_or("the device has gone")?;
    let (compilation, words) = compile(&options_of(&description(&host, physical)))?;
    let kernel = compilation.reflection.as_ref().and_then(|reflection| reflection.kernels.first());
    let kernel = kernel.ok_or("the module has no kernel")?;

    let start = Instant::now();
    let (device, queue, family) = create(&host, physical)?;
    let (a, b) = operands();
    let bytes = |numbers: &[f32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let memory = Memory { host: &host, physical, device: &device };
    let buffers = [
        memory.filled(&bytes(&a))?,
        memory.filled(&bytes(&b))?,
        memory.filled(&[0xff; LENGTH * 4])?,
    ];
    let mut block = vec![0u8; kernel.block_size as usize];
    for (argument, (address, _)) in kernel.arguments.iter().zip(buffers) {
        let ArgumentKind::Buffer { offset, .. } = argument.kind else {
            return Err("an argument of the vector add is no buffer".to_owned());
        };
        let place = block.get_mut(offset as usize..offset as usize + 8);
        place.ok_or("an argument is outside of its block")?.copy_from_slice(&address.to_le_bytes());
    }
    dispatch(&device, queue, family, &words, &block)?;
    let (_, mapped) = buffers[2];
    // SAFETY: the memory is mapped, has `LENGTH` numbers, and the device has done its work.
    let sums = unsafe { std::slice::from_raw_parts(mapped.cast::<f32>(), LENGTH) };
    compare(sums)?;
    Ok(json!((start.elapsed().as_secs_f64() * 1e4).round() / 10.0))
}

/// The device with what the module needs and no more, its queue, and the family of that.
fn create(
    host: &Host,
    physical: vk::PhysicalDevice,
) -> Result<(ash::Device, vk::Queue, u32), String> {
    // SAFETY: `physical` is of the instance; the chain holds structures of Vulkan 1.2, which it has, and
    // features that it was found to have.
    unsafe {
        let families = host.instance.get_physical_device_queue_family_properties(physical);
        let family = families
            .iter()
            .position(|family| family.queue_flags.contains(vk::QueueFlags::COMPUTE))
            .ok_or("the device has no queue for compute")? as u32;
        let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
        let mut with_12 = vk::PhysicalDeviceVulkan12Features::default()
            .buffer_device_address(true)
            .vulkan_memory_model(true);
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&[1.0])];
        let info = vk::DeviceCreateInfo::default()
            .enabled_features(&features)
            .queue_create_infos(&queues)
            .push_next(&mut with_12);
        let device =
            host.instance.create_device(physical, &info, None).map_err(failed("vkCreateDevice"))?;
        let queue = device.get_device_queue(family, 0);
        Ok((device, queue, family))
    }
}

struct Memory<'a> {
    host: &'a Host,
    physical: vk::PhysicalDevice,
    device: &'a ash::Device,
}

impl Memory<'_> {
    /// A buffer with these bytes: its address on the device, and where the host sees it.
    fn filled(&self, bytes: &[u8]) -> Result<(u64, *mut u8), String> {
        let device = self.device;
        let info = vk::BufferCreateInfo::default().size(bytes.len() as u64).usage(
            vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
        );
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: the handles are of this device; the memory is of a type that the buffer can have and the host
        // can map, and at least as large as `bytes`.
        unsafe {
            let buffer = device.create_buffer(&info, None).map_err(failed("vkCreateBuffer"))?;
            let needs = device.get_buffer_memory_requirements(buffer);
            let types = self.host.instance.get_physical_device_memory_properties(self.physical);
            let kind = types
                .memory_types_as_slice()
                .iter()
                .enumerate()
                .position(|(index, kind)| {
                    needs.memory_type_bits & 1 << index != 0 && kind.property_flags.contains(wanted)
                })
                .ok_or("the device has no memory that the host can map")?;
            let mut flags = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let allocate = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind as u32)
                .push_next(&mut flags);
            let memory =
                device.allocate_memory(&allocate, None).map_err(failed("vkAllocateMemory"))?;
            device.bind_buffer_memory(buffer, memory, 0).map_err(failed("vkBindBufferMemory"))?;
            let mapped = device
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                .map_err(failed("vkMapMemory"))?
                .cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), mapped, bytes.len());
            let address = vk::BufferDeviceAddressInfo::default().buffer(buffer);
            Ok((device.get_buffer_device_address(&address), mapped))
        }
    }
}

/// Runs the only kernel of a module with `block` as push constants, one work-item in each work-group.
fn dispatch(
    device: &ash::Device,
    queue: vk::Queue,
    family: u32,
    words: &[u32],
    block: &[u8],
) -> Result<(), String> {
    const NAME: &CStr = c"add";
    let compute = vk::ShaderStageFlags::COMPUTE;
    let module = vk::ShaderModuleCreateInfo::default().code(words);
    let ranges = [vk::PushConstantRange::default().stage_flags(compute).size(block.len() as u32)];
    let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&ranges);
    let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
    // SAFETY: every handle is of this device, and all that the structures point to outlives the calls; the module was
    // validated.
    unsafe {
        let module =
            device.create_shader_module(&module, None).map_err(failed("vkCreateShaderModule"))?;
        let layout = device
            .create_pipeline_layout(&layout, None)
            .map_err(failed("vkCreatePipelineLayout"))?;
        let stage =
            vk::PipelineShaderStageCreateInfo::default().stage(compute).module(module).name(NAME);
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let pipelines = device
            .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
            .map_err(|(_, error)| failed("vkCreateComputePipelines")(error))?;
        let pool =
            device.create_command_pool(&pool, None).map_err(failed("vkCreateCommandPool"))?;
        let allocate =
            vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = device
            .allocate_command_buffers(&allocate)
            .map_err(failed("vkAllocateCommandBuffers"))?;
        device
            .begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())
            .map_err(failed("vkBeginCommandBuffer"))?;
        device.cmd_bind_pipeline(commands[0], vk::PipelineBindPoint::COMPUTE, pipelines[0]);
        device.cmd_push_constants(commands[0], layout, compute, 0, block);
        device.cmd_dispatch(commands[0], LENGTH as u32, 1, 1);
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ);
        device.cmd_pipeline_barrier(
            commands[0],
            vk::PipelineStageFlags::COMPUTE_SHADER,
            vk::PipelineStageFlags::HOST,
            vk::DependencyFlags::empty(),
            &[barrier],
            &[],
            &[],
        );
        device.end_command_buffer(commands[0]).map_err(failed("vkEndCommandBuffer"))?;
        let fence = device
            .create_fence(&vk::FenceCreateInfo::default(), None)
            .map_err(failed("vkCreateFence"))?;
        let submit = vk::SubmitInfo::default().command_buffers(&commands);
        device.queue_submit(queue, &[submit], fence).map_err(failed("vkQueueSubmit"))?;
        device.wait_for_fences(&[fence], true, LIMIT_NANOSECONDS).map_err(failed("vkWaitForFences"))
    }
}
