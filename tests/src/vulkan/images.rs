//! Images as kernels find them: with views of their formats, in the layout `GENERAL`.

use ash::vk;

use super::image_formats::Format;
use super::memory::{Buffer, Place, allocate};
use super::reflection::ImageDescriptor;
use super::{Device, Failure, NO_FORMAT, failed};
use crate::job;

/// An image and its memory.
pub struct Texture<'d> {
    pub(super) format: Format,
    pub(super) descriptor: ImageDescriptor,
    /// Width, height, and depth or layers.
    pub(super) sizes: [u32; 3],
    texels: Texels<'d>,
    size: usize,
}

enum Texels<'d> {
    Image(Image<'d>),
    Buffer(BufferView<'d>),
}

struct Image<'d> {
    device: &'d Device,
    raw: vk::Image,
    memory: vk::DeviceMemory,
    view: vk::ImageView,
    copy: vk::BufferImageCopy,
}

/// A view of a buffer's texels.
struct BufferView<'d> {
    device: &'d Device,
    view: vk::BufferView,
    // Dropped after the view.
    buffer: Buffer<'d>,
}

/// What a view is written into a descriptor as.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    Image(vk::ImageView),
    Texels(vk::BufferView),
}

impl<'d> Texture<'d> {
    /// An image that holds a job's texels, for an argument that the kernel has as `descriptor`.
    pub fn new(
        device: &'d Device,
        image: &job::Image,
        descriptor: ImageDescriptor,
    ) -> Result<Texture<'d>, Failure> {
        let format = Format::find(&image.order, &image.channel)?;
        let pixels: usize = image.sizes.iter().product();
        if image.bytes.len() != pixels * format.texel_size {
            let (size, bytes) = (image.sizes, image.bytes.len());
            return Err(format!("{bytes} bytes for an image of the size {size:?}").into());
        }
        check_format(device, image, &format, descriptor)?;
        let is_buffer = image.kind == "1dbuffer";
        let texels = match descriptor {
            ImageDescriptor::SampledImage | ImageDescriptor::StorageImage if !is_buffer => {
                Texels::Image(Image::new(device, image, &format, descriptor)?)
            }
            ImageDescriptor::UniformTexelBuffer | ImageDescriptor::StorageTexelBuffer
                if is_buffer =>
            {
                Texels::Buffer(BufferView::new(device, &image.bytes, format.raw)?)
            }
            _ => return Err(format!("an image of kind {} is no {descriptor:?}", image.kind).into()),
        };
        let sizes = image.sizes.map(|size| size as u32);
        let texture = Texture { format, descriptor, sizes, texels, size: image.bytes.len() };
        if let Texels::Image(made) = &texture.texels {
            made.write(&image.bytes)?;
        }
        Ok(texture)
    }

    /// The texels, without padding.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        match &self.texels {
            Texels::Image(image) => image.read(self.size),
            Texels::Buffer(view) => view.buffer.read(),
        }
    }

    pub(super) fn view(&self) -> View {
        match &self.texels {
            Texels::Image(image) => View::Image(image.view),
            Texels::Buffer(view) => View::Texels(view.view),
        }
    }

    /// Whether the device filters texels of the format.
    pub(super) fn is_filtered(&self, device: &Device) -> bool {
        let features = device.format_features(self.format.raw).optimal_tiling_features;
        features.contains(vk::FormatFeatureFlags2::SAMPLED_IMAGE_FILTER_LINEAR)
    }
}

/// Whether the device does with a format what a kernel may do with an image.
fn check_format(
    device: &Device,
    image: &job::Image,
    format: &Format,
    descriptor: ImageDescriptor,
) -> Result<(), Failure> {
    use vk::FormatFeatureFlags2 as Features;
    let features = device.format_features(format.raw);
    let without_format =
        Features::STORAGE_READ_WITHOUT_FORMAT | Features::STORAGE_WRITE_WITHOUT_FORMAT;
    let (has, wanted, only_identity) = match descriptor {
        ImageDescriptor::SampledImage => {
            (features.optimal_tiling_features, Features::SAMPLED_IMAGE, false)
        }
        ImageDescriptor::StorageImage => {
            (features.optimal_tiling_features, Features::STORAGE_IMAGE | without_format, true)
        }
        ImageDescriptor::UniformTexelBuffer => {
            (features.buffer_features, Features::UNIFORM_TEXEL_BUFFER, true)
        }
        ImageDescriptor::StorageTexelBuffer => {
            (features.buffer_features, Features::STORAGE_TEXEL_BUFFER | without_format, true)
        }
    };
    let job::Image { order, channel, .. } = image;
    // Only views of sampled images have a swizzle.
    if only_identity && !format.is_identity() {
        return Err(format!("{NO_FORMAT}: Vulkan has no {order} for {descriptor:?}").into());
    }
    if !has.contains(wanted) {
        return Err(format!(
            "{NO_FORMAT}: the device has no {order} of {channel} for {descriptor:?}"
        )
        .into());
    }
    Ok(())
}

impl<'d> Image<'d> {
    fn new(
        device: &'d Device,
        image: &job::Image,
        format: &Format,
        descriptor: ImageDescriptor,
    ) -> Result<Image<'d>, Failure> {
        use vk::{ImageType, ImageViewType};
        let [width, height, depth] = image.sizes.map(|size| size as u32);
        let (image_type, view_type, is_array) = match image.kind.as_str() {
            "1d" => (ImageType::TYPE_1D, ImageViewType::TYPE_1D, false),
            "1darray" => (ImageType::TYPE_1D, ImageViewType::TYPE_1D_ARRAY, true),
            "2d" => (ImageType::TYPE_2D, ImageViewType::TYPE_2D, false),
            "2darray" => (ImageType::TYPE_2D, ImageViewType::TYPE_2D_ARRAY, true),
            "3d" => (ImageType::TYPE_3D, ImageViewType::TYPE_3D, false),
            kind => return Err(format!("no image is of kind {kind}").into()),
        };
        let (depth, layers) = if is_array { (1, depth) } else { (depth, 1) };
        let extent = vk::Extent3D { width, height, depth };
        let usage = match descriptor {
            ImageDescriptor::StorageImage => vk::ImageUsageFlags::STORAGE,
            ImageDescriptor::SampledImage
            | ImageDescriptor::UniformTexelBuffer
            | ImageDescriptor::StorageTexelBuffer => vk::ImageUsageFlags::SAMPLED,
        };
        let info = vk::ImageCreateInfo::default()
            .image_type(image_type)
            .format(format.raw)
            .extent(extent)
            .mip_levels(1)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        let raw = &device.raw;
        // SAFETY: the handles are of this device, and the memory is one that the image can be bound to.
        unsafe {
            let made = raw.create_image(&info, None).map_err(failed("vkCreateImage"))?;
            let needs = raw.get_image_memory_requirements(made);
            let memory = allocate(device, needs, Place::Device)?;
            raw.bind_image_memory(made, memory, 0).map_err(failed("vkBindImageMemory"))?;
            let range = vk::ImageSubresourceRange::default()
                .aspect_mask(vk::ImageAspectFlags::COLOR)
                .level_count(1)
                .layer_count(layers);
            let view = vk::ImageViewCreateInfo::default()
                .image(made)
                .view_type(view_type)
                .format(format.raw)
                .components(format.swizzle)
                .subresource_range(range);
            let view = raw.create_image_view(&view, None).map_err(failed("vkCreateImageView"))?;
            let layers = vk::ImageSubresourceLayers::default()
                .aspect_mask(vk::ImageAspectFlags::COLOR)
                .layer_count(layers);
            let copy =
                vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent);
            Ok(Image { device, raw: made, memory, view, copy })
        }
    }

    /// Fills an image that is new.
    fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        use vk::ImageLayout as Layout;
        let stage = Buffer::filled(self.device, bytes, Place::Host)?;
        let (raw, image) = (&self.device.raw, self.raw);
        let layout = Layout::TRANSFER_DST_OPTIMAL;
        self.device.submit(|commands| {
            self.transition(commands, Layout::UNDEFINED, layout);
            // SAFETY: the image and the buffer live until the copy is done, and are equally large.
            unsafe {
                raw.cmd_copy_buffer_to_image(commands, stage.raw(), image, layout, &[self.copy]);
            }
            self.transition(commands, layout, Layout::GENERAL);
        })
    }

    fn read(&self, size: usize) -> Result<Vec<u8>, Failure> {
        use vk::ImageLayout as Layout;
        let stage = Buffer::new(self.device, size, Place::Host)?;
        let (raw, image) = (&self.device.raw, self.raw);
        let layout = Layout::TRANSFER_SRC_OPTIMAL;
        self.device.submit(|commands| {
            self.transition(commands, Layout::GENERAL, layout);
            // SAFETY: as above.
            unsafe {
                raw.cmd_copy_image_to_buffer(commands, image, layout, stage.raw(), &[self.copy]);
            }
            self.transition(commands, layout, Layout::GENERAL);
        })?;
        stage.read()
    }

    /// Puts the image from one layout into another, after all that came before.
    fn transition(&self, commands: vk::CommandBuffer, from: vk::ImageLayout, to: vk::ImageLayout) {
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(vk::ImageAspectFlags::COLOR)
            .level_count(vk::REMAINING_MIP_LEVELS)
            .layer_count(vk::REMAINING_ARRAY_LAYERS);
        let barrier = vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.raw)
            .subresource_range(range);
        // SAFETY: the commands are being recorded, and the image is of their device.
        unsafe {
            self.device.raw.cmd_pipeline_barrier(
                commands,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::PipelineStageFlags::ALL_COMMANDS,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &[barrier],
            );
        }
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        // SAFETY: the device is idle: whoever gave it work has waited for the end.
        unsafe {
            self.device.raw.destroy_image_view(self.view, None);
            self.device.raw.destroy_image(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

impl<'d> BufferView<'d> {
    fn new(
        device: &'d Device,
        bytes: &[u8],
        format: vk::Format,
    ) -> Result<BufferView<'d>, Failure> {
        let buffer = Buffer::filled(device, bytes, Place::Host)?;
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer.raw())
            .format(format)
            .range(vk::WHOLE_SIZE);
        // SAFETY: the buffer is of this device and lives as long as the view.
        let view = unsafe { device.raw.create_buffer_view(&info, None) }
            .map_err(failed("vkCreateBufferView"))?;
        Ok(BufferView { device, view, buffer })
    }
}

impl Drop for BufferView<'_> {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { self.device.raw.destroy_buffer_view(self.view, None) };
    }
}
