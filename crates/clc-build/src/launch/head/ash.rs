
/// An address on the device, of values of the type `T`.
#[repr(transparent)]
pub struct Address<T>(pub ::ash::vk::DeviceAddress, core::marker::PhantomData<fn() -> T>);

#[allow(dead_code)]
impl<T> Address<T> {
    /// The null pointer.
    pub const NULL: Self = Self::new(0);

    /// An address that `vkGetBufferDeviceAddress` returned, or one behind it.
    pub const fn new(address: ::ash::vk::DeviceAddress) -> Self {
        Self(address, core::marker::PhantomData)
    }

    /// The address of the value that is `count` values behind this one.
    pub const fn add(self, count: u64) -> Self {
        Self::new(self.0 + count * core::mem::size_of::<T>() as u64)
    }
}

impl<T> Clone for Address<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Address<T> {}

impl<T> core::fmt::Debug for Address<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Address({:#x})", self.0)
    }
}

/// The work-items of a launch in `D` dimensions, rounded up to whole work-groups.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global<const D: usize> {
    /// What global ids begin with.
    pub offset: [u64; D],
    /// How many there are in each dimension.
    pub size: [u32; D],
}

#[allow(dead_code)]
impl<const D: usize> Global<D> {
    /// So many work-items, with ids from 0 on.
    pub const fn new(size: [u32; D]) -> Self {
        const { assert!(D >= 1 && D <= 3, "a launch has one, two or three dimensions") };
        Self { offset: [0; D], size }
    }

    fn groups(&self, local: [u32; 3]) -> [u32; 3] {
        core::array::from_fn(|axis| self.size.get(axis).map_or(1, |n| n.div_ceil(local[axis])))
    }

    /// Cuts a launch with work-groups of this size into regions, which together have each of its work-items
    /// once: in each dimension whole work-groups, at most `most` of them at a time
    /// (`maxComputeWorkGroupCount`), and a smaller one for what is left.
    pub fn regions(self, local: [u32; 3], most: [u32; 3]) -> Vec<Region<D>> {
        let parts: [Vec<[u32; 3]>; 3] = core::array::from_fn(|axis| {
            let (size, local) = (self.size.get(axis).copied().unwrap_or(1), local[axis]);
            let (whole, rest) = (size / local, size % local);
            let mut parts: Vec<_> = (0..whole)
                .step_by(most[axis] as usize)
                .map(|first| [first, (whole - first).min(most[axis]), local])
                .collect();
            if rest > 0 {
                parts.push([whole, 1, rest]);
            }
            parts
        });
        let mut regions = Vec::new();
        for &z in &parts[2] {
            for &y in &parts[1] {
                for &x in &parts[0] {
                    let [first_group, groups, local_size] =
                        core::array::from_fn(|what| [x[what], y[what], z[what]]);
                    let enqueued = local;
                    regions.push(Region { launch: self, enqueued, first_group, groups, local_size });
                }
            }
        }
        regions
    }

    fn sizes(&self) -> [u64; 3] {
        core::array::from_fn(|axis| self.size.get(axis).map_or(1, |&n| n.into()))
    }

    fn offsets(&self) -> [u64; 3] {
        core::array::from_fn(|axis| self.offset.get(axis).copied().unwrap_or(0))
    }
}

impl<const D: usize> From<[u32; D]> for Global<D> {
    fn from(size: [u32; D]) -> Self {
        Self::new(size)
    }
}

/// A part of a launch whose work-groups have one size, as `Global::regions` cuts it.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region<const D: usize> {
    launch: Global<D>,
    enqueued: [u32; 3],
    first_group: [u32; 3],
    groups: [u32; 3],
    /// The size of its work-groups, and of those of the pipeline that it is dispatched with.
    pub local_size: [u32; 3],
}

#[allow(dead_code)]
impl<const D: usize> Region<D> {
    fn num_groups(&self) -> [u32; 3] {
        self.launch.groups(self.enqueued)
    }

    fn offset(&self) -> [u64; 3] {
        let offsets = self.launch.offsets();
        core::array::from_fn(|axis| {
            offsets[axis] + u64::from(self.first_group[axis]) * u64::from(self.enqueued[axis])
        })
    }
}

/// What a pipeline with `S` descriptor sets is made of.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct Parts<const S: usize> {
    /// The pipeline.
    pub pipeline: ::ash::vk::Pipeline,
    /// The layout of its push constants and descriptors.
    pub layout: ::ash::vk::PipelineLayout,
    /// The layouts of its descriptor sets.
    pub sets: [::ash::vk::DescriptorSetLayout; S],
}

/// How a pipeline is made.
#[allow(dead_code)]
struct Stage<'a, const S: usize> {
    name: &'a core::ffi::CStr,
    sub_group_size: Option<u32>,
    full_sub_groups: bool,
    constants: &'a [(u32, &'a [u8])],
    sets: [&'a [(u32, ::ash::vk::DescriptorType)]; S],
    pushed: u32,
}

#[allow(dead_code, unsafe_code)]
impl<const S: usize> Parts<S> {
    unsafe fn new(
        device: &::ash::Device,
        module: ::ash::vk::ShaderModule,
        cache: ::ash::vk::PipelineCache,
        stage: &Stage<'_, S>,
    ) -> Result<Self, ::ash::vk::Result> {
        let mut parts = Self {
            pipeline: ::ash::vk::Pipeline::null(),
            layout: ::ash::vk::PipelineLayout::null(),
            sets: [::ash::vk::DescriptorSetLayout::null(); S],
        };
        // SAFETY: the handles are the caller's; what was made before an error is destroyed.
        unsafe {
            match parts.fill(device, module, cache, stage) {
                Ok(()) => Ok(parts),
                Err(error) => {
                    parts.destroy(device);
                    Err(error)
                }
            }
        }
    }

    unsafe fn fill(
        &mut self,
        device: &::ash::Device,
        module: ::ash::vk::ShaderModule,
        cache: ::ash::vk::PipelineCache,
        stage: &Stage<'_, S>,
    ) -> Result<(), ::ash::vk::Result> {
        let compute = ::ash::vk::ShaderStageFlags::COMPUTE;
        for (set, known) in self.sets.iter_mut().zip(stage.sets) {
            let bindings: Vec<_> = known
                .iter()
                .map(|&(binding, ty)| {
                    ::ash::vk::DescriptorSetLayoutBinding::default()
                        .binding(binding)
                        .descriptor_type(ty)
                        .descriptor_count(1)
                        .stage_flags(compute)
                })
                .collect();
            let info = ::ash::vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            *set = unsafe { device.create_descriptor_set_layout(&info, None)? };
        }
        let range = ::ash::vk::PushConstantRange::default().stage_flags(compute).size(stage.pushed);
        let ranges = if stage.pushed > 0 { &[range][..] } else { &[] };
        let info = ::ash::vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&self.sets)
            .push_constant_ranges(ranges);
        self.layout = unsafe { device.create_pipeline_layout(&info, None)? };
        let (mut entries, mut data) = (Vec::new(), Vec::new());
        for &(constant_id, value) in stage.constants {
            entries.push(::ash::vk::SpecializationMapEntry {
                constant_id,
                offset: data.len() as u32,
                size: value.len(),
            });
            data.extend_from_slice(value);
        }
        let values = ::ash::vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut flags = ::ash::vk::PipelineShaderStageCreateFlags::empty();
        if stage.full_sub_groups {
            flags |= ::ash::vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
        }
        let mut size = ::ash::vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
            .required_subgroup_size(stage.sub_group_size.unwrap_or(0));
        let mut shader = ::ash::vk::PipelineShaderStageCreateInfo::default()
            .flags(flags)
            .stage(compute)
            .module(module)
            .name(stage.name)
            .specialization_info(&values);
        if stage.sub_group_size.is_some() {
            shader = shader.push_next(&mut size);
        }
        let info = ::ash::vk::ComputePipelineCreateInfo::default().stage(shader).layout(self.layout);
        let made = unsafe { device.create_compute_pipelines(cache, &[info], None) };
        self.pipeline = made.map_err(|(_, error)| error)?[0];
        Ok(())
    }

    /// Descriptor sets for a launch.
    ///
    /// # Safety
    /// The pool is one of the device, and not used elsewhere during the call.
    pub unsafe fn allocate(
        &self,
        device: &::ash::Device,
        pool: ::ash::vk::DescriptorPool,
    ) -> Result<[::ash::vk::DescriptorSet; S], ::ash::vk::Result> {
        let mut sets = [::ash::vk::DescriptorSet::null(); S];
        if S > 0 {
            let info = ::ash::vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(pool)
                .set_layouts(&self.sets);
            sets.copy_from_slice(&unsafe { device.allocate_descriptor_sets(&info)? });
        }
        Ok(sets)
    }

    unsafe fn dispatch(
        &self,
        device: &::ash::Device,
        commands: ::ash::vk::CommandBuffer,
        sets: &[::ash::vk::DescriptorSet; S],
        pushed: (*const u8, u32),
        groups: [u32; 3],
    ) {
        let point = ::ash::vk::PipelineBindPoint::COMPUTE;
        let (from, size) = pushed;
        unsafe {
            device.cmd_bind_pipeline(commands, point, self.pipeline);
            if S > 0 {
                device.cmd_bind_descriptor_sets(commands, point, self.layout, 0, sets, &[]);
            }
            if size > 0 {
                // By pointer: padding in values has no bytes that Rust could look at.
                (device.fp_v1_0().cmd_push_constants)(
                    commands,
                    self.layout,
                    ::ash::vk::ShaderStageFlags::COMPUTE,
                    0,
                    size,
                    from.cast(),
                );
            }
            let [x, y, z] = groups;
            device.cmd_dispatch(commands, x, y, z);
        }
    }

    /// Destroys the pipeline and its layouts.
    ///
    /// # Safety
    /// They are of this device, and no longer in use.
    pub unsafe fn destroy(&self, device: &::ash::Device) {
        unsafe {
            device.destroy_pipeline(self.pipeline, None);
            device.destroy_pipeline_layout(self.layout, None);
            for &set in &self.sets {
                device.destroy_descriptor_set_layout(set, None);
            }
        }
    }
}

#[allow(dead_code, unsafe_code)]
unsafe fn shader_module(
    device: &::ash::Device,
    words: &[u32],
) -> Result<::ash::vk::ShaderModule, ::ash::vk::Result> {
    let info = ::ash::vk::ShaderModuleCreateInfo::default().code(words);
    unsafe { device.create_shader_module(&info, None) }
}

#[allow(dead_code, unsafe_code)]
unsafe fn bind(
    device: &::ash::Device,
    set: ::ash::vk::DescriptorSet,
    at: (u32, ::ash::vk::DescriptorType),
    image: Option<::ash::vk::DescriptorImageInfo>,
    texels: Option<::ash::vk::BufferView>,
) {
    let (binding, ty) = at;
    let write = ::ash::vk::WriteDescriptorSet::default()
        .dst_set(set)
        .dst_binding(binding)
        .descriptor_type(ty)
        .image_info(image.as_slice())
        .texel_buffer_view(texels.as_slice());
    unsafe { device.update_descriptor_sets(&[write.descriptor_count(1)], &[]) };
}

/// Program-scope variables, which are in a buffer that the host makes once.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct ProgramData {
    /// The alignment of the buffer's address.
    pub align: u64,
    /// What the buffer begins with, but for addresses.
    pub contents: &'static [u8],
    /// Offsets in the contents, and the numbers of the buffers whose addresses are added to the 8 bytes there.
    pub relocations: &'static [(u32, usize)],
}

#[allow(dead_code)]
impl ProgramData {
    /// What the buffer begins with, given the addresses of all these buffers.
    pub fn bytes(&self, addresses: &[::ash::vk::DeviceAddress]) -> Vec<u8> {
        let mut bytes = self.contents.to_vec();
        for &(offset, target) in self.relocations {
            let place = &mut bytes[offset as usize..][..8];
            let mut held = [0; 8];
            held.copy_from_slice(place);
            let address = u64::from_le_bytes(held).wrapping_add(addresses[target]);
            place.copy_from_slice(&address.to_le_bytes());
        }
        bytes
    }
}

/// A string that records of `printf` name by its id. As a format it prints records with these arguments.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintfFormat {
    /// At least 1.
    pub id: u32,
    /// Its bytes, without the zero that ends it.
    pub string: &'static [u8],
    /// What follows the id in a record, each padded to whole words of 32 bits.
    pub arguments: &'static [PrintfArgument],
}

/// An argument in a record.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintfArgument {
    /// What its components are.
    pub kind: PrintfArgumentKind,
    /// Bytes of a component.
    pub size: usize,
    /// 1, or that of a vector.
    pub components: usize,
}

/// What an argument of `printf` is.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintfArgumentKind {
    /// Signed or not, which the conversion says.
    Integer,
    /// In the format of IEEE 754 with as many bytes.
    Float,
    /// The bits of a pointer.
    Pointer,
    /// The id of a string.
    String,
}
