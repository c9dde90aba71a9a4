//! Launching kernels with what their reflection says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;

use ash::vk;

use super::descriptors::{self, Descriptors};
use super::reflection::{
    ArgumentKind, ImageDescriptor, Implicit, Kernel, PrintfFormat, Reflection, Regions,
    WorkGroupSize,
};
use super::regions::{self, Region};
use super::{Buffer, Device, Failure, Place, SamplerState, Texture, failed};
use crate::hex;

/// A module with its pipelines and program-scope variables.
pub struct Program<'d> {
    device: &'d Device,
    module: vk::ShaderModule,
    reflection: Reflection,
    /// As in the reflection.
    data: Vec<Buffer<'d>>,
    pipelines: RefCell<HashMap<(String, Constants), Pipeline>>,
}

/// A pipeline with its layouts.
#[derive(Clone, Debug)]
struct Pipeline {
    raw: vk::Pipeline,
    layout: vk::PipelineLayout,
    /// Of the descriptor sets from 0 on.
    sets: Vec<vk::DescriptorSetLayout>,
}

/// What an argument is set to.
#[derive(Clone, Copy)]
pub enum Setting<'a> {
    /// The address of a buffer, or 0.
    Address(u64),
    Value(&'a [u8]),
    /// Bytes of local memory.
    Local(usize),
    /// An image, which lives as long as what is prepared with it.
    Image(&'a Texture<'a>),
    Sampler(SamplerState),
}

/// A kernel with its arguments and sizes.
#[derive(Clone, Default)]
pub struct Launch<'a> {
    pub kernel: &'a str,
    pub global: &'a [usize],
    /// Empty: some size that divides the global one.
    pub local: &'a [usize],
    /// Empty: zero.
    pub offset: &'a [usize],
    pub arguments: Vec<Setting<'a>>,
    /// The address of the buffer for what is printed; 0: nothing is.
    pub printf_buffer: u64,
    /// Specialization constants of the program, by number, and their bytes.
    pub constants: &'a [(u32, Vec<u8>)],
}

/// Specialization constants by number, and their bytes.
type Constants = Vec<(u32, Vec<u8>)>;

/// All that the device needs for a launch.
pub struct Prepared<'d> {
    device: &'d Device,
    /// One for each region of the launch.
    dispatches: Vec<Dispatch<'d>>,
    descriptors: Option<Descriptors<'d>>,
}

struct Dispatch<'d> {
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    push: Vec<u8>,
    groups: [u32; 3],
    /// The argument block, if it is not pushed.
    _block: Option<Buffer<'d>>,
}

impl Launch<'_> {
    fn offsets(&self) -> [u64; 3] {
        std::array::from_fn(|axis| self.offset.get(axis).map_or(0, |&offset| offset as u64))
    }

    fn image(&self, argument: u32) -> Result<&Texture<'_>, Failure> {
        match self.arguments.get(argument as usize) {
            Some(Setting::Image(texture)) => Ok(texture),
            _ => Err(format!("argument {argument} is no image").into()),
        }
    }
}

impl std::fmt::Debug for Setting<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Setting::Address(address) => write!(f, "the address {address:#x}"),
            Setting::Value(bytes) => write!(f, "{} bytes", bytes.len()),
            Setting::Local(bytes) => write!(f, "{bytes} bytes of local memory"),
            Setting::Image(texture) => write!(f, "a {:?}", texture.descriptor),
            Setting::Sampler(state) => write!(f, "{state:?}"),
        }
    }
}

impl<'d> Program<'d> {
    pub fn new(
        device: &'d Device,
        words: &[u32],
        reflection: Reflection,
    ) -> Result<Program<'d>, Failure> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are a module that the compiler has validated.
        let module = unsafe { device.raw.create_shader_module(&info, None) }
            .map_err(failed("vkCreateShaderModule"))?;
        let data = program_data(device, &reflection)?;
        Ok(Program { device, module, reflection, data, pipelines: RefCell::default() })
    }

    /// Whether a kernel takes a buffer for what it prints.
    pub fn prints(&self, kernel: &str) -> Result<bool, Failure> {
        let implicit = &self.reflection.kernel(kernel)?.implicit;
        Ok(implicit.iter().any(|implicit| matches!(implicit, Implicit::PrintfBuffer { .. })))
    }

    /// As what a kernel has the image that it takes as this argument.
    pub fn descriptor(&self, kernel: &str, argument: usize) -> Result<ImageDescriptor, Failure> {
        let kind = self.reflection.kernel(kernel)?.arguments.get(argument).map(|known| known.kind);
        match kind {
            Some(ArgumentKind::Image { descriptor, .. }) => Ok(descriptor),
            _ => Err(format!("argument {argument} is no image").into()),
        }
    }

    pub fn printf_formats(&self) -> &[PrintfFormat] {
        &self.reflection.printf_formats
    }

    /// Makes pipelines and argument blocks.
    pub fn prepare(&self, launch: &Launch<'_>) -> Result<Prepared<'d>, Failure> {
        let kernel = self.reflection.kernel(launch.kernel)?;
        let global = three(launch.global)?;
        let local = self.local_size(kernel, global, launch)?;
        let most = self.device.limits().max_compute_work_group_count;
        let regions = match self.reflection.regions {
            Some(Regions::OneSize | Regions::AnySize) => regions::cut(global, local, most)?,
            None => vec![Region::whole(global, local, most)?],
        };
        let mut descriptors = None;
        let mut dispatches = Vec::new();
        for region in &regions {
            let (dispatch, sets) = self.dispatch(kernel, launch, region)?;
            dispatches.push(dispatch);
            // The layouts of all pipelines of a kernel are compatible.
            if descriptors.is_none() {
                let literals = &self.reflection.samplers;
                descriptors =
                    Descriptors::new(self.device, kernel, literals, &launch.arguments, &sets)?;
            }
        }
        Ok(Prepared { device: self.device, dispatches, descriptors })
    }

    /// What the device needs for a region, and the layouts of its descriptor sets.
    fn dispatch(
        &self,
        kernel: &Kernel,
        launch: &Launch<'_>,
        region: &Region,
    ) -> Result<(Dispatch<'d>, Vec<vk::DescriptorSetLayout>), Failure> {
        let limits = self.device.limits();
        let local = region.local;
        let mut constants = self.program_constants(launch.constants)?;
        if let WorkGroupSize::Constants { constants: ids, .. } = kernel.work_group_size {
            let sizes = local.map(|size| size.to_le_bytes().to_vec());
            // Those of the program are set as the case says.
            let program: Vec<u32> = constants.iter().map(|(id, _)| *id).collect();
            let ids = ids.into_iter().zip(sizes).filter_map(|(id, size)| Some((id?, size)));
            constants.extend(ids.filter(|(id, _)| !program.contains(id)));
        }
        let block = self.block(kernel, launch, region, &mut constants)?;
        let (push, block) = if kernel.block_in_buffer {
            let buffer = Buffer::filled(self.device, &block, Place::Host)?;
            (buffer.address().to_le_bytes().to_vec(), Some(buffer))
        } else {
            (block, None)
        };
        if push.len() > limits.max_push_constants_size as usize {
            return Err(format!(
                "{} bytes of push constants are more than the device's {}",
                push.len(),
                limits.max_push_constants_size
            )
            .into());
        }
        let Pipeline { raw: pipeline, layout, sets } =
            self.pipeline(kernel, local, constants, push.len())?;
        let groups = region.groups;
        Ok((Dispatch { layout, pipeline, push, groups, _block: block }, sets))
    }

    /// The size of work-groups, which those of a region may not have.
    fn local_size(
        &self,
        kernel: &Kernel,
        global: [u64; 3],
        launch: &Launch<'_>,
    ) -> Result<[u32; 3], Failure> {
        let limits = self.device.limits();
        let local = match (kernel.work_group_size.required(), launch.local) {
            (Some(sizes), []) => sizes,
            (Some(sizes), asked) => {
                if three(asked)? != sizes.map(u64::from) {
                    return Err(format!("the kernel's work-groups have size {sizes:?}").into());
                }
                sizes
            }
            (None, []) => divisors(global),
            (None, asked) => three(asked)?.map(|size| u32::try_from(size).unwrap_or(u32::MAX)),
        };
        let items: u64 = local.iter().map(|&size| u64::from(size)).product();
        if items > u64::from(limits.max_compute_work_group_invocations)
            || (0..3).any(|axis| local[axis] > limits.max_compute_work_group_size[axis])
        {
            return Err(format!("work-groups of size {local:?} are too large").into());
        }
        let are_whole = match self.reflection.regions {
            Some(Regions::AnySize) => false,
            Some(Regions::OneSize) | None => true,
        };
        if (0..3).any(|axis| {
            local[axis] == 0 || are_whole && !global[axis].is_multiple_of(u64::from(local[axis]))
        }) {
            return Err(format!("{global:?} is no multiple of the size {local:?}").into());
        }
        Ok(local)
    }

    /// The bytes of the argument block; local sizes are added to the constants.
    fn block(
        &self,
        kernel: &Kernel,
        launch: &Launch<'_>,
        region: &Region,
        constants: &mut Constants,
    ) -> Result<Vec<u8>, Failure> {
        let mut block = vec![0u8; kernel.block_size as usize];
        let mut put = |offset: u32, bytes: &[u8]| -> Result<(), Failure> {
            let offset = offset as usize;
            block
                .get_mut(offset..offset + bytes.len())
                .map(|place| place.copy_from_slice(bytes))
                .ok_or_else(|| format!("offset {offset} lies outside the block").into())
        };
        if kernel.arguments.len() != launch.arguments.len() {
            return Err(format!(
                "{} arguments for a kernel with {}",
                launch.arguments.len(),
                kernel.arguments.len()
            )
            .into());
        }
        let items: usize = region.local.iter().map(|&size| size as usize).product();
        let mut local_memory =
            kernel.local_memory as usize + items * kernel.local_memory_per_item as usize;
        for (index, (argument, &setting)) in
            kernel.arguments.iter().zip(&launch.arguments).enumerate()
        {
            match (argument.kind, setting) {
                (ArgumentKind::Buffer { offset }, Setting::Address(address)) => {
                    put(offset, &address.to_le_bytes())?;
                }
                (ArgumentKind::Value { offset, size }, Setting::Value(bytes))
                    if size as usize == bytes.len() =>
                {
                    put(offset, bytes)?;
                }
                (ArgumentKind::Local { constant, element_size }, Setting::Local(bytes)) => {
                    let elements = bytes.div_ceil(element_size.max(1) as usize);
                    local_memory += elements * element_size as usize;
                    constants.push((constant, (elements as u32).to_le_bytes().to_vec()));
                }
                // They are descriptors.
                (ArgumentKind::Image { descriptor, .. }, Setting::Image(texture))
                    if texture.descriptor == descriptor => {}
                (ArgumentKind::Sampler { .. }, Setting::Sampler(_)) => {}
                (kind, setting) => {
                    return Err(format!(
                        "argument {index} (`{} {}`) is {kind:?}, and set to {setting:?}",
                        argument.type_name, argument.name
                    )
                    .into());
                }
            }
        }
        let limit = self.device.limits().max_compute_shared_memory_size;
        if local_memory > limit as usize {
            return Err(format!(
                "{local_memory} bytes of local memory are more than the device's {limit}"
            )
            .into());
        }
        for implicit in &kernel.implicit {
            match *implicit {
                Implicit::GlobalOffset { offset } => put(offset, &longs(launch.offsets()))?,
                Implicit::GlobalSize { offset } => put(offset, &longs(region.launch.global))?,
                Implicit::EnqueuedLocalSize { offset } => put(offset, &words(region.launch.local))?,
                Implicit::NumGroups { offset } => put(offset, &words(region.launch.groups()?))?,
                Implicit::RegionOffset { offset } => {
                    put(offset, &longs(region.first_item(launch.offsets())))?;
                }
                Implicit::RegionGroupOffset { offset } => put(offset, &words(region.first_group))?,
                Implicit::WorkDim { offset } => {
                    put(offset, &(launch.global.len() as u32).to_le_bytes())?;
                }
                Implicit::PrintfBuffer { offset } => {
                    put(offset, &launch.printf_buffer.to_le_bytes())?;
                }
                Implicit::ImageChannelOrder { argument, offset } => {
                    let order = launch.image(argument)?.format.order;
                    put(offset, &order.to_le_bytes())?;
                }
                Implicit::ImageChannelDataType { argument, offset } => {
                    let channel_type = launch.image(argument)?.format.channel_type;
                    put(offset, &channel_type.to_le_bytes())?;
                }
                Implicit::ImageWidth { argument, offset } => {
                    put(offset, &launch.image(argument)?.sizes[0].to_le_bytes())?;
                }
                Implicit::ImageHeight { argument, offset } => {
                    put(offset, &launch.image(argument)?.sizes[1].to_le_bytes())?;
                }
                // What an image of one kind has as its depth, one of another has as its layers.
                Implicit::ImageDepth { argument, offset }
                | Implicit::ImageArraySize { argument, offset } => {
                    put(offset, &launch.image(argument)?.sizes[2].to_le_bytes())?;
                }
                // The images of jobs have one of each.
                Implicit::ImageNumMipLevels { argument, offset }
                | Implicit::ImageNumSamples { argument, offset } => {
                    launch.image(argument)?;
                    put(offset, &1u32.to_le_bytes())?;
                }
                Implicit::SamplerBits { argument, offset } => {
                    let Some(Setting::Sampler(state)) = launch.arguments.get(argument as usize)
                    else {
                        return Err(format!("argument {argument} is no sampler").into());
                    };
                    put(offset, &state.bits().to_le_bytes())?;
                }
                Implicit::ProgramData { index, offset } => {
                    let data = self
                        .data
                        .get(index as usize)
                        .ok_or_else(|| format!("there is no program data {index}"))?;
                    put(offset, &data.address().to_le_bytes())?;
                }
            }
        }
        Ok(block)
    }

    /// What the program's constants are set to, as wide as the module has them.
    fn program_constants(&self, set: &[(u32, Vec<u8>)]) -> Result<Constants, Failure> {
        let known = |id: u32| self.reflection.constants.iter().find(|constant| constant.id == id);
        set.iter()
            .map(|(id, bytes)| {
                let constant = known(*id).ok_or_else(|| format!("there is no constant {id}"))?;
                let mut bytes = bytes.clone();
                // A `bool` has a byte in C and four in Vulkan.
                bytes.resize(constant.size as usize, 0);
                Ok((*id, bytes))
            })
            .collect()
    }

    /// Whether the sub-groups of a kernel can be made full, as OpenCL promises that they are.
    fn has_full_sub_groups(&self, kernel: &Kernel, local: [u32; 3]) -> bool {
        let (size, _) = self.device.sub_groups();
        let most = self.device.sub_groups.map_or(size, |(_, most)| most.max(size));
        let multiple = kernel.sub_group_size.unwrap_or(most);
        // The validation layer takes the size of a kernel that has a fixed one from another kernel of the
        // module, where that one's is a specialization constant.
        let is_chosen = |kernel: &Kernel| match kernel.work_group_size {
            WorkGroupSize::Fixed { .. } => false,
            WorkGroupSize::Constants { .. } => true,
        };
        let is_misread = !is_chosen(kernel) && self.reflection.kernels.iter().any(is_chosen);
        kernel.sub_groups
            && self.device.has_full_sub_groups
            && local[0].is_multiple_of(multiple)
            && !is_misread
    }

    fn pipeline(
        &self,
        kernel: &Kernel,
        local: [u32; 3],
        constants: Constants,
        push: usize,
    ) -> Result<Pipeline, Failure> {
        let key = (kernel.name.clone(), constants);
        if let Some(known) = self.pipelines.borrow().get(&key) {
            return Ok(known.clone());
        }
        let constants = &key.1;
        let raw = &self.device.raw;
        let ranges = [vk::PushConstantRange::default()
            .stage_flags(vk::ShaderStageFlags::COMPUTE)
            .size(push as u32)];
        let ranges = if push == 0 { &[][..] } else { &ranges };
        let sets = descriptors::layouts(self.device, kernel, &self.reflection.samplers)?;
        let layout =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(ranges);
        let (mut entries, mut values) = (Vec::new(), Vec::<u8>::new());
        for (id, bytes) in constants {
            let entry = vk::SpecializationMapEntry::default()
                .constant_id(*id)
                .offset(values.len() as u32)
                .size(bytes.len());
            entries.push(entry);
            values.extend(bytes);
        }
        let specialization = vk::SpecializationInfo::default().map_entries(&entries).data(&values);
        let name = CString::new(kernel.name.as_str()).map_err(|error| error.to_string())?;
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(self.module)
            .name(&name)
            .specialization_info(&specialization);
        let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        if let Some(size) = kernel.sub_group_size {
            match self.device.sub_groups {
                Some((least, most)) if (least..=most).contains(&size) => {}
                sizes => {
                    return Err(format!(
                        "the kernel wants sub-groups of {size}, the device's can have {sizes:?}"
                    )
                    .into());
                }
            }
            required = required.required_subgroup_size(size);
            stage = stage.push_next(&mut required);
        }
        if self.has_full_sub_groups(kernel, local) {
            stage = stage.flags(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS);
        }
        let cache = self.device.record.cache(raw)?;
        // SAFETY: the handles are of this device, and all that the structures point to outlives
        // the calls.
        let (layout, pipeline) = unsafe {
            let layout = raw
                .create_pipeline_layout(&layout, None)
                .map_err(failed("vkCreatePipelineLayout"))?;
            let info = vk::ComputePipelineCreateInfo::default()
                .flags(self.device.record.flags())
                .stage(stage)
                .layout(layout);
            let pipelines = raw
                .create_compute_pipelines(cache, &[info], None)
                .map_err(|(_, error)| failed("vkCreateComputePipelines")(error))?;
            (layout, pipelines[0])
        };
        self.device.record.note(raw, &kernel.name, pipeline, cache)?;
        let made = Pipeline { raw: pipeline, layout, sets };
        self.pipelines.borrow_mut().insert(key, made.clone());
        Ok(made)
    }
}

impl Prepared<'_> {
    /// Records the launch. Work-groups depend on no others, so there is nothing between regions.
    pub fn record(&self, commands: vk::CommandBuffer) {
        let raw = &self.device.raw;
        for Dispatch { layout, pipeline, push, groups: [x, y, z], .. } in &self.dispatches {
            // SAFETY: the command buffer is being recorded, the handles are of its device, and the
            // push constants are as many as the layout says.
            unsafe {
                raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, *pipeline);
                if !push.is_empty() {
                    let stage = vk::ShaderStageFlags::COMPUTE;
                    raw.cmd_push_constants(commands, *layout, stage, 0, push);
                }
                if let Some(Descriptors { sets, .. }) = &self.descriptors {
                    let compute = vk::PipelineBindPoint::COMPUTE;
                    raw.cmd_bind_descriptor_sets(commands, compute, *layout, 0, sets, &[]);
                }
                raw.cmd_dispatch(commands, *x, *y, *z);
            }
        }
    }

    /// Runs the kernel and waits for its end.
    pub fn run(&self) -> Result<(), Failure> {
        self.device.submit(|commands| self.record(commands))
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the device is idle: whoever gave it work has waited for the end.
        unsafe {
            for Pipeline { raw, layout, sets } in self.pipelines.borrow().values() {
                self.device.raw.destroy_pipeline(*raw, None);
                self.device.raw.destroy_pipeline_layout(*layout, None);
                for &set in sets {
                    self.device.raw.destroy_descriptor_set_layout(set, None);
                }
            }
            self.device.raw.destroy_shader_module(self.module, None);
        }
    }
}

/// The buffers of program-scope variables, with each other's addresses.
fn program_data<'d>(
    device: &'d Device,
    reflection: &Reflection,
) -> Result<Vec<Buffer<'d>>, Failure> {
    let mut buffers = Vec::new();
    let mut contents = Vec::new();
    for data in &reflection.program_data {
        let bytes = hex::decode(&data.contents).ok_or_else(|| "contents: no digits".to_owned())?;
        let buffer = Buffer::new(device, bytes.len(), Place::Host)?;
        if !buffer.address().is_multiple_of(u64::from(data.align.max(1))) {
            return Err(format!("a buffer is not aligned to {} bytes", data.align).into());
        }
        buffers.push(buffer);
        contents.push(bytes);
    }
    for (index, data) in reflection.program_data.iter().enumerate() {
        for place in &data.relocations {
            let outside = || Failure::Other(format!("relocation outside the data: {place:?}"));
            let target = buffers.get(place.target as usize).ok_or_else(outside)?.address();
            let field = contents[index]
                .get_mut(place.offset as usize..)
                .and_then(|rest| rest.first_chunk_mut::<8>())
                .ok_or_else(outside)?;
            *field = u64::from_le_bytes(*field).wrapping_add(target).to_le_bytes();
        }
        buffers[index].write(&contents[index])?;
    }
    Ok(buffers)
}

/// Three numbers of 32 bits in an argument block.
fn words(numbers: [u32; 3]) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Three numbers of 64 bits in an argument block.
fn longs(numbers: [u64; 3]) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// Sizes in three dimensions.
fn three(sizes: &[usize]) -> Result<[u64; 3], Failure> {
    if sizes.is_empty() || sizes.len() > 3 {
        return Err(format!("{sizes:?}: a launch has one to three dimensions").into());
    }
    Ok(std::array::from_fn(|axis| sizes.get(axis).map_or(1, |&size| size as u64)))
}

/// A size that divides `global`: the most work-items in each dimension, 64 in all.
fn divisors(global: [u64; 3]) -> [u32; 3] {
    let mut left = 64;
    global.map(|size| {
        let divisor = (1..=left).rev().find(|divisor| size % divisor == 0).unwrap_or(1);
        left /= divisor;
        divisor as u32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_sizes_divide_the_global_size() {
        assert_eq!(divisors([1024, 4, 1]), [64, 1, 1]);
        assert_eq!(divisors([6, 7, 5]), [6, 7, 1]);
        assert_eq!(divisors([67, 3, 1]), [1, 3, 1]);
    }
}
