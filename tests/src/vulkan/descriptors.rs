//! Descriptor sets: a kernel's images and samplers, and the samplers that the module spells out.

use ash::vk;

use super::images::{Texture, View};
use super::launch::Setting;
use super::reflection::{ArgumentKind, Filter, ImageDescriptor, Kernel, LiteralSampler};
use super::samplers::{Sampler, SamplerState};
use super::{Device, Failure, NO_FORMAT, failed};

/// Where a descriptor is, and of which type.
type Slot = (u32, u32, vk::DescriptorType);

/// A kernel's own descriptors and those that all kernels share.
fn slots(kernel: &Kernel, literals: &[LiteralSampler]) -> Vec<Slot> {
    let of_arguments = kernel.arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Image { set, binding, descriptor } => Some((set, binding, kind(descriptor))),
        ArgumentKind::Sampler { set, binding, .. } => {
            Some((set, binding, vk::DescriptorType::SAMPLER))
        }
        ArgumentKind::Buffer { .. } | ArgumentKind::Value { .. } | ArgumentKind::Local { .. } => {
            None
        }
    });
    let of_literals =
        literals.iter().map(|literal| (literal.set, literal.binding, vk::DescriptorType::SAMPLER));
    of_arguments.chain(of_literals).collect()
}

fn kind(descriptor: ImageDescriptor) -> vk::DescriptorType {
    match descriptor {
        ImageDescriptor::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        ImageDescriptor::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        ImageDescriptor::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        ImageDescriptor::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
    }
}

/// The layouts of the sets that a kernel's pipeline has, from set 0 on; none if it has no descriptors.
pub(super) fn layouts(
    device: &Device,
    kernel: &Kernel,
    literals: &[LiteralSampler],
) -> Result<Vec<vk::DescriptorSetLayout>, Failure> {
    let slots = slots(kernel, literals);
    let sets = slots.iter().map(|&(set, ..)| set + 1).max().unwrap_or(0);
    if sets > device.limits().max_bound_descriptor_sets {
        return Err(format!("{sets} descriptor sets are more than the device has").into());
    }
    (0..sets)
        .map(|set| {
            let bindings: Vec<vk::DescriptorSetLayoutBinding<'_>> = slots
                .iter()
                .filter(|slot| slot.0 == set)
                .map(|&(_, binding, kind)| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(binding)
                        .descriptor_type(kind)
                        .descriptor_count(1)
                        .stage_flags(vk::ShaderStageFlags::COMPUTE)
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the bindings outlive the call.
            unsafe { device.raw.create_descriptor_set_layout(&info, None) }
                .map_err(failed("vkCreateDescriptorSetLayout"))
        })
        .collect()
}

/// The descriptor sets of a launch.
pub(super) struct Descriptors<'d> {
    device: &'d Device,
    pool: vk::DescriptorPool,
    pub(super) sets: Vec<vk::DescriptorSet>,
    samplers: Vec<Sampler<'d>>,
}

/// What is written into a descriptor.
enum Content {
    Image(vk::DescriptorImageInfo),
    Texels([vk::BufferView; 1]),
}

impl<'d> Descriptors<'d> {
    /// The sets that `layouts` describe, none if there are none. What is bound must be there until the
    /// device has done the launch.
    pub(super) fn new(
        device: &'d Device,
        kernel: &Kernel,
        literals: &[LiteralSampler],
        settings: &[Setting<'_>],
        layouts: &[vk::DescriptorSetLayout],
    ) -> Result<Option<Descriptors<'d>>, Failure> {
        if layouts.is_empty() {
            return Ok(None);
        }
        let slots = slots(kernel, literals);
        let sizes: Vec<vk::DescriptorPoolSize> = slots
            .iter()
            .map(|&(.., ty)| vk::DescriptorPoolSize { ty, descriptor_count: 1 })
            .collect();
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(layouts.len() as u32)
            .pool_sizes(&sizes);
        // SAFETY: the handles are of this device; the pool has room for all sets.
        let (pool, sets) = unsafe {
            let pool = device
                .raw
                .create_descriptor_pool(&info, None)
                .map_err(failed("vkCreateDescriptorPool"))?;
            let allocate =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(layouts);
            let sets = device.raw.allocate_descriptor_sets(&allocate);
            (pool, sets.map_err(failed("vkAllocateDescriptorSets")))
        };
        let mut made = Descriptors { device, pool, sets: Vec::new(), samplers: Vec::new() };
        made.sets = sets?;
        made.fill(kernel, literals, settings, &slots)?;
        Ok(Some(made))
    }

    fn fill(
        &mut self,
        kernel: &Kernel,
        literals: &[LiteralSampler],
        settings: &[Setting<'_>],
        slots: &[Slot],
    ) -> Result<(), Failure> {
        let sampled: Vec<&Texture<'_>> = settings
            .iter()
            .filter_map(|setting| match setting {
                Setting::Image(texture) if texture.descriptor == ImageDescriptor::SampledImage => {
                    Some(*texture)
                }
                Setting::Image(_)
                | Setting::Sampler(_)
                | Setting::Address(_)
                | Setting::Value(_)
                | Setting::Local(_) => None,
            })
            .collect();
        // Nothing says which sampler goes with which image.
        let integers =
            !sampled.is_empty() && sampled.iter().all(|texture| texture.format.is_integer);
        let mut contents = Vec::new();
        for (argument, &setting) in kernel.arguments.iter().zip(settings) {
            match (argument.kind, setting) {
                (ArgumentKind::Image { .. }, Setting::Image(texture)) => {
                    contents.push(match texture.view() {
                        View::Image(view) => Content::Image(
                            vk::DescriptorImageInfo::default()
                                .image_view(view)
                                .image_layout(vk::ImageLayout::GENERAL),
                        ),
                        View::Texels(view) => Content::Texels([view]),
                    });
                }
                (ArgumentKind::Sampler { always_normalized, .. }, Setting::Sampler(state)) => {
                    let unfiltered = |texture: &&&Texture<'_>| {
                        !texture.format.is_integer && !texture.is_filtered(self.device)
                    };
                    if let (Filter::Linear, Some(texture)) =
                        (state.filter, sampled.iter().find(unfiltered))
                    {
                        let raw = texture.format.raw;
                        return Err(
                            format!("{NO_FORMAT}: the device does not filter {raw:?}").into()
                        );
                    }
                    contents.push(self.sampler(state, always_normalized, integers)?);
                }
                // The argument block has been checked to have a value for each of the others.
                _ => {}
            }
        }
        for literal in literals {
            contents.push(self.sampler(literal.into(), false, integers)?);
        }
        let writes: Vec<vk::WriteDescriptorSet<'_>> = slots
            .iter()
            .zip(&contents)
            .map(|(&(set, binding, kind), content)| {
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(self.sets[set as usize])
                    .dst_binding(binding)
                    .descriptor_type(kind)
                    .descriptor_count(1);
                match content {
                    Content::Image(info) => write.image_info(std::slice::from_ref(info)),
                    Content::Texels(views) => write.texel_buffer_view(views),
                }
            })
            .collect();
        // SAFETY: the handles are of this device, and the descriptors are of the types in the layouts.
        unsafe { self.device.raw.update_descriptor_sets(&writes, &[]) };
        Ok(())
    }

    fn sampler(
        &mut self,
        state: SamplerState,
        always_normalized: bool,
        integers: bool,
    ) -> Result<Content, Failure> {
        let sampler = Sampler::new(self.device, state, always_normalized, integers)?;
        let info = vk::DescriptorImageInfo::default().sampler(sampler.raw);
        self.samplers.push(sampler);
        Ok(Content::Image(info))
    }
}

impl Drop for Descriptors<'_> {
    fn drop(&mut self) {
        // SAFETY: the device is idle: whoever gave it work has waited for the end.
        unsafe { self.device.raw.destroy_descriptor_pool(self.pool, None) };
    }
}
