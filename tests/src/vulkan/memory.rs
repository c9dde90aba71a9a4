//! Buffers with device addresses.

use ash::vk;

use super::{Device, Failure, failed};

/// Where a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Where the host reads and writes it.
    Host,
    /// Where the device is fastest.
    Device,
}

pub struct Buffer<'d> {
    device: &'d Device,
    raw: vk::Buffer,
    memory: vk::DeviceMemory,
    size: usize,
    address: u64,
    /// Of a buffer in [`Place::Host`].
    mapped: Option<*mut u8>,
}

impl<'d> Buffer<'d> {
    pub fn new(device: &'d Device, size: usize, place: Place) -> Result<Buffer<'d>, Failure> {
        let raw = &device.raw;
        let info = vk::BufferCreateInfo::default()
            .size(size.max(1) as u64)
            .usage(
                vk::BufferUsageFlags::STORAGE_BUFFER
                    | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS
                    | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
                    | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
                    | vk::BufferUsageFlags::TRANSFER_SRC
                    | vk::BufferUsageFlags::TRANSFER_DST,
            )
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the handles are of this device, the memory is one that the buffer can be bound
        // to and is mapped only where it can be.
        unsafe {
            let buffer = raw.create_buffer(&info, None).map_err(failed("vkCreateBuffer"))?;
            let needs = raw.get_buffer_memory_requirements(buffer);
            let memory = allocate(device, needs, place)?;
            raw.bind_buffer_memory(buffer, memory, 0).map_err(failed("vkBindBufferMemory"))?;
            let address = raw
                .get_buffer_device_address(&vk::BufferDeviceAddressInfo::default().buffer(buffer));
            let mapped = match place {
                Place::Host => Some(
                    raw.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                        .map_err(failed("vkMapMemory"))?
                        .cast::<u8>(),
                ),
                Place::Device => None,
            };
            Ok(Buffer { device, raw: buffer, memory, size, address, mapped })
        }
    }

    pub fn filled(device: &'d Device, bytes: &[u8], place: Place) -> Result<Buffer<'d>, Failure> {
        let buffer = Buffer::new(device, bytes.len(), place)?;
        buffer.write(bytes)?;
        Ok(buffer)
    }

    pub(super) fn raw(&self) -> vk::Buffer {
        self.raw
    }

    pub fn address(&self) -> u64 {
        self.address
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Writes from the beginning.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        assert!(bytes.len() <= self.size, "more bytes than the buffer has");
        match self.mapped {
            // SAFETY: the memory is mapped, at least as large, and the device is idle.
            Some(mapped) => unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), mapped, bytes.len());
            },
            None if bytes.is_empty() => {}
            None => {
                let stage = Buffer::filled(self.device, bytes, Place::Host)?;
                stage.copy_to(self, bytes.len())?;
            }
        }
        Ok(())
    }

    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        match self.mapped {
            // SAFETY: the memory is mapped, at least as large, and the device is idle.
            Some(mapped) => Ok(unsafe { std::slice::from_raw_parts(mapped, self.size) }.to_vec()),
            None if self.size == 0 => Ok(Vec::new()),
            None => {
                let stage = Buffer::new(self.device, self.size, Place::Host)?;
                self.copy_to(&stage, self.size)?;
                stage.read()
            }
        }
    }

    /// Copies from the beginning, on the device.
    pub fn copy_to(&self, other: &Buffer<'_>, size: usize) -> Result<(), Failure> {
        assert!(size <= self.size && size <= other.size, "more bytes than the buffers have");
        let region = vk::BufferCopy::default().size(size as u64);
        // SAFETY: both buffers are at least `size` bytes long and live until the copy is done.
        self.device.submit(|commands| unsafe {
            self.device.raw.cmd_copy_buffer(commands, self.raw, other.raw, &[region]);
        })
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: the device is idle: whoever gave it work has waited for the end.
        unsafe {
            self.device.raw.destroy_buffer(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

/// Memory for a buffer or an image.
pub(super) fn allocate(
    device: &Device,
    needs: vk::MemoryRequirements,
    place: Place,
) -> Result<vk::DeviceMemory, Failure> {
    let kind = memory_type(device, needs.memory_type_bits, place)?;
    let mut flags =
        vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let allocate = vk::MemoryAllocateInfo::default()
        .allocation_size(needs.size)
        .memory_type_index(kind)
        .push_next(&mut flags);
    // SAFETY: the type of memory is one of the device's.
    unsafe { device.raw.allocate_memory(&allocate, None) }.map_err(failed("vkAllocateMemory"))
}

fn memory_type(device: &Device, allowed: u32, place: Place) -> Result<u32, Failure> {
    use vk::MemoryPropertyFlags as Flags;
    let visible = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
    let wishes = match place {
        Place::Host => [visible | Flags::HOST_CACHED, visible],
        Place::Device => [Flags::DEVICE_LOCAL, Flags::empty()],
    };
    let types = device.memory.memory_types_as_slice();
    wishes
        .into_iter()
        .find_map(|wish| {
            types.iter().enumerate().position(|(index, kind)| {
                allowed & 1 << index != 0 && kind.property_flags.contains(wish)
            })
        })
        .map(|index| index as u32)
        .ok_or_else(|| Failure::Other(format!("the device has no memory for {place:?}")))
}
