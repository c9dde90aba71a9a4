//! Just enough of Vulkan to run kernels over images of one size.

use std::{error::Error, ffi::CString};

use ash::vk;
use serde_json::Value;

pub const WIDTH: u32 = 480;
pub const HEIGHT: u32 = 300;
/// Work-groups are squares of so many pixels.
const GROUP: u32 = 8;

pub type Done<T = ()> = Result<T, Box<dyn Error>>;

pub struct Module {
    shader: vk::ShaderModule,
    reflection: Value,
}

#[derive(Clone, Copy)]
pub struct Image {
    image: vk::Image,
    view: vk::ImageView,
}

/// What an argument is set to.
pub enum Given {
    Image(Image),
    Bytes(Vec<u8>),
}

impl Given {
    pub fn floats(values: &[f32]) -> Given {
        Given::Bytes(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }
}

pub struct Gpu {
    device: ash::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    _entry: ash::Entry,
}

impl Gpu {
    pub fn new() -> Done<Gpu> {
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
            let features = vk::PhysicalDeviceFeatures::default()
                .shader_int64(true)
                .shader_storage_image_write_without_format(true);
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
            Ok(Gpu {
                queue: device.get_device_queue(family, 0),
                pool: device.create_command_pool(&pool, None)?,
                memory: instance.get_physical_device_memory_properties(gpu),
                device,
                _entry: entry,
            })
        }
    }

    pub fn module(&self, bytes: &[u8], reflection: &str) -> Done<Module> {
        let words = ash::util::read_spv(&mut std::io::Cursor::new(bytes))?;
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: as above.
        let shader = unsafe { self.device.create_shader_module(&info, None)? };
        Ok(Module { shader, reflection: serde_json::from_str(reflection)? })
    }

    fn allocate(
        &self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Done<vk::DeviceMemory> {
        let kind = (0..self.memory.memory_type_count)
            .filter(|kind| needs.memory_type_bits & 1 << kind != 0)
            .find(|&kind| self.memory.memory_types[kind as usize].property_flags.contains(wanted))
            .ok_or("no memory of this kind")?;
        let info =
            vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
        // SAFETY: as above.
        Ok(unsafe { self.device.allocate_memory(&info, None)? })
    }

    /// An image that kernels read and write, and that the host copies from, in the layout GENERAL.
    pub fn image(&self) -> Done<Image> {
        let usage = vk::ImageUsageFlags::SAMPLED
            | vk::ImageUsageFlags::STORAGE
            | vk::ImageUsageFlags::TRANSFER_SRC;
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R32G32B32A32_SFLOAT)
            .extent(EXTENT)
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: as above.
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let needs = self.device.get_image_memory_requirements(image);
            let memory = self.allocate(needs, vk::MemoryPropertyFlags::empty())?;
            self.device.bind_image_memory(image, memory, 0)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(vk::Format::R32G32B32A32_SFLOAT)
                .subresource_range(LEVEL);
            let barrier = [vk::ImageMemoryBarrier::default()
                .image(image)
                .new_layout(vk::ImageLayout::GENERAL)
                .subresource_range(LEVEL)];
            self.submit(|device, commands| {
                let all = vk::PipelineStageFlags::ALL_COMMANDS;
                let none = Default::default();
                device.cmd_pipeline_barrier(commands, all, all, none, &[], &[], &barrier);
            })?;
            Ok(Image { image, view: self.device.create_image_view(&info, None)? })
        }
    }

    /// The contents of an image.
    pub fn pixels(&self, image: Image) -> Done<Vec<f32>> {
        let bytes = (WIDTH * HEIGHT) as usize * size_of::<[f32; 4]>();
        let usage = vk::BufferUsageFlags::TRANSFER_DST;
        let info = vk::BufferCreateInfo::default().size(bytes as u64).usage(usage);
        // SAFETY: as above; the memory is mapped while it is read.
        unsafe {
            let buffer = self.device.create_buffer(&info, None)?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let memory = self.allocate(needs, vk::MemoryPropertyFlags::HOST_COHERENT)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let layers = vk::ImageSubresourceLayers::default()
                .aspect_mask(vk::ImageAspectFlags::COLOR)
                .layer_count(1);
            let copy = vk::BufferImageCopy::default().image_subresource(layers);
            let copy = [copy.image_extent(EXTENT)];
            let general = vk::ImageLayout::GENERAL;
            self.submit(|device, commands| {
                device.cmd_copy_image_to_buffer(commands, image.image, general, buffer, &copy);
            })?;
            let mapped = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
            let pixels = std::slice::from_raw_parts(mapped.cast::<f32>(), bytes / 4).to_vec();
            Ok(pixels)
        }
    }

    /// Runs a kernel over all pixels and waits for it; `value` says what an argument is.
    pub fn launch(&self, module: &Module, name: &str, value: impl Fn(&str) -> Given) -> Done {
        let kernels = module.reflection["kernels"].as_array().ok_or("no kernels")?;
        let kernel = kernels.iter().find(|it| it["name"] == name).ok_or("no such kernel")?;
        let number = |value: &Value| value.as_u64().unwrap_or(0) as u32;
        // The argument block; what it has besides arguments is zero: no offset of the global ids.
        let mut block = vec![0u8; number(&kernel["block_size"]).max(4) as usize];
        let mut bindings = Vec::new();
        let mut images = Vec::new();
        for argument in kernel["arguments"].as_array().ok_or("no arguments")? {
            match value(argument["name"].as_str().unwrap_or("")) {
                Given::Bytes(bytes) => {
                    let offset = number(&argument["offset"]) as usize;
                    block[offset..offset + bytes.len()].copy_from_slice(&bytes);
                }
                Given::Image(image) => {
                    let kind = match argument["descriptor"].as_str() {
                        Some("sampled_image") => vk::DescriptorType::SAMPLED_IMAGE,
                        _ => vk::DescriptorType::STORAGE_IMAGE,
                    };
                    let binding = vk::DescriptorSetLayoutBinding::default()
                        .binding(number(&argument["binding"]))
                        .descriptor_type(kind)
                        .descriptor_count(1);
                    bindings.push(binding.stage_flags(vk::ShaderStageFlags::COMPUTE));
                    let info = vk::DescriptorImageInfo::default().image_view(image.view);
                    images.push([info.image_layout(vk::ImageLayout::GENERAL)]);
                }
            }
        }
        // The work-group's size is three specialization constants; these kernels take the default of
        // the third.
        let ids = [0, 1].map(|axis| number(&kernel["work_group_size"]["constants"][axis]));
        let entries =
            ids.map(|id| vk::SpecializationMapEntry { constant_id: id, offset: 0, size: 4 });
        let data = GROUP.to_le_bytes();
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let entry = CString::new(name)?;
        let device = &self.device;
        // SAFETY: as above; the device is idle when the function ends.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let sets = [device.create_descriptor_set_layout(&info, None)?];
            let sizes = [vk::DescriptorType::SAMPLED_IMAGE, vk::DescriptorType::STORAGE_IMAGE]
                .map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 8 });
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = device.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().set_layouts(&sets);
            let info = info.descriptor_pool(pool);
            let set = device.allocate_descriptor_sets(&info)?;
            let writes: Vec<vk::WriteDescriptorSet<'_>> = bindings
                .iter()
                .zip(&images)
                .map(|(binding, image)| {
                    vk::WriteDescriptorSet::default()
                        .dst_set(set[0])
                        .dst_binding(binding.binding)
                        .descriptor_type(binding.descriptor_type)
                        .image_info(image)
                })
                .collect();
            device.update_descriptor_sets(&writes, &[]);
            let stage = vk::ShaderStageFlags::COMPUTE;
            let range = vk::PushConstantRange::default().stage_flags(stage);
            let ranges = [range.size(block.len() as u32)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&sets)
                .push_constant_ranges(&ranges);
            let layout = device.create_pipeline_layout(&info, None)?;
            let shader = vk::PipelineShaderStageCreateInfo::default()
                .stage(stage)
                .module(module.shader)
                .name(&entry)
                .specialization_info(&constants);
            let info = vk::ComputePipelineCreateInfo::default().stage(shader).layout(layout);
            let pipelines = device
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
                .map_err(|(_, error)| error)?;
            self.submit(|device, commands| {
                let point = vk::PipelineBindPoint::COMPUTE;
                device.cmd_bind_pipeline(commands, point, pipelines[0]);
                device.cmd_bind_descriptor_sets(commands, point, layout, 0, &set, &[]);
                device.cmd_push_constants(commands, layout, stage, 0, &block);
                device.cmd_dispatch(commands, WIDTH.div_ceil(GROUP), HEIGHT.div_ceil(GROUP), 1);
            })
        }
    }

    /// Runs commands, after what was submitted before, and waits for them.
    ///
    /// # Safety
    /// The commands are valid, and what they use outlives the call.
    unsafe fn submit(&self, record: impl FnOnce(&ash::Device, vk::CommandBuffer)) -> Done {
        let device = &self.device;
        let info = vk::CommandBufferAllocateInfo::default();
        let info = info.command_pool(self.pool).command_buffer_count(1);
        // SAFETY: as the caller says.
        unsafe {
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            record(device, commands[0]);
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            let done = [vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
                .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::HOST_READ)];
            let to = all | vk::PipelineStageFlags::HOST;
            device.cmd_pipeline_barrier(commands[0], all, to, Default::default(), &done, &[], &[]);
            device.end_command_buffer(commands[0])?;
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            device.queue_submit(self.queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(self.queue)?;
        }
        Ok(())
    }
}

const EXTENT: vk::Extent3D = vk::Extent3D { width: WIDTH, height: HEIGHT, depth: 1 };
/// All that an image of one level has.
const LEVEL: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};
