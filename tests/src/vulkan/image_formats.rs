//! The Vulkan formats of OpenCL's image formats (OpenCL API 5.3.1.1), and what views of them swap.

use ash::vk;

use super::{Failure, NO_FORMAT};

/// A format of Vulkan that holds the texels of one of OpenCL's.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub raw: vk::Format,
    /// Makes OpenCL's components of Vulkan's when a texel is read.
    pub swizzle: vk::ComponentMapping,
    /// `CL_RGBA` and the like, as `get_image_channel_order` returns it.
    pub order: u32,
    /// `CL_FLOAT` and the like, as `get_image_channel_data_type` returns it.
    pub channel_type: u32,
    pub is_integer: bool,
    /// Bytes.
    pub texel_size: usize,
}

/// What a format holds in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    R,
    Rg,
    Rgba,
    Bgra,
    Srgba,
}

type Swizzle = vk::ComponentSwizzle;

const IDENTITY: [Swizzle; 4] =
    [Swizzle::IDENTITY, Swizzle::IDENTITY, Swizzle::IDENTITY, Swizzle::IDENTITY];

/// Name in jobs, value of `cl_channel_order`, components in memory, and the view that reads them.
const ORDERS: [(&str, u32, Layout, [Swizzle; 4]); 10] = [
    ("r", 0x10b0, Layout::R, IDENTITY),
    ("a", 0x10b1, Layout::R, [Swizzle::ZERO, Swizzle::ZERO, Swizzle::ZERO, Swizzle::R]),
    ("rg", 0x10b2, Layout::Rg, IDENTITY),
    ("ra", 0x10b3, Layout::Rg, [Swizzle::R, Swizzle::ZERO, Swizzle::ZERO, Swizzle::G]),
    ("rgba", 0x10b5, Layout::Rgba, IDENTITY),
    ("bgra", 0x10b6, Layout::Bgra, IDENTITY),
    ("intensity", 0x10b8, Layout::R, [Swizzle::R, Swizzle::R, Swizzle::R, Swizzle::R]),
    ("luminance", 0x10b9, Layout::R, [Swizzle::R, Swizzle::R, Swizzle::R, Swizzle::ONE]),
    // Kernels read and write the first component of what is a colour image for Vulkan: its formats
    // for depths are not written by shaders.
    ("depth", 0x10bd, Layout::R, IDENTITY),
    ("srgba", 0x10c1, Layout::Srgba, IDENTITY),
];

/// Name in jobs, value of `cl_channel_type`, bytes, whether it is of integers, and the formats of one,
/// two and four components.
#[rustfmt::skip]
const CHANNELS: [(&str, u32, usize, bool, [vk::Format; 3]); 12] = [
    ("snorm8", 0x10d0, 1, false, [vk::Format::R8_SNORM, vk::Format::R8G8_SNORM, vk::Format::R8G8B8A8_SNORM]),
    ("snorm16", 0x10d1, 2, false, [vk::Format::R16_SNORM, vk::Format::R16G16_SNORM, vk::Format::R16G16B16A16_SNORM]),
    ("unorm8", 0x10d2, 1, false, [vk::Format::R8_UNORM, vk::Format::R8G8_UNORM, vk::Format::R8G8B8A8_UNORM]),
    ("unorm16", 0x10d3, 2, false, [vk::Format::R16_UNORM, vk::Format::R16G16_UNORM, vk::Format::R16G16B16A16_UNORM]),
    ("int8", 0x10d7, 1, true, [vk::Format::R8_SINT, vk::Format::R8G8_SINT, vk::Format::R8G8B8A8_SINT]),
    ("int16", 0x10d8, 2, true, [vk::Format::R16_SINT, vk::Format::R16G16_SINT, vk::Format::R16G16B16A16_SINT]),
    ("int32", 0x10d9, 4, true, [vk::Format::R32_SINT, vk::Format::R32G32_SINT, vk::Format::R32G32B32A32_SINT]),
    ("uint8", 0x10da, 1, true, [vk::Format::R8_UINT, vk::Format::R8G8_UINT, vk::Format::R8G8B8A8_UINT]),
    ("uint16", 0x10db, 2, true, [vk::Format::R16_UINT, vk::Format::R16G16_UINT, vk::Format::R16G16B16A16_UINT]),
    ("uint32", 0x10dc, 4, true, [vk::Format::R32_UINT, vk::Format::R32G32_UINT, vk::Format::R32G32B32A32_UINT]),
    ("half", 0x10dd, 2, false, [vk::Format::R16_SFLOAT, vk::Format::R16G16_SFLOAT, vk::Format::R16G16B16A16_SFLOAT]),
    ("float", 0x10de, 4, false, [vk::Format::R32_SFLOAT, vk::Format::R32G32_SFLOAT, vk::Format::R32G32B32A32_SFLOAT]),
];

/// The formats whose first component is blue or which are not linear: all have 8 bits.
const OTHERS: [(Layout, &str, vk::Format); 5] = [
    (Layout::Bgra, "unorm8", vk::Format::B8G8R8A8_UNORM),
    (Layout::Bgra, "snorm8", vk::Format::B8G8R8A8_SNORM),
    (Layout::Bgra, "uint8", vk::Format::B8G8R8A8_UINT),
    (Layout::Bgra, "int8", vk::Format::B8G8R8A8_SINT),
    (Layout::Srgba, "unorm8", vk::Format::R8G8B8A8_SRGB),
];

impl Format {
    /// The format of the images that a job calls `order` and `channel`.
    pub fn find(order: &str, channel: &str) -> Result<Format, Failure> {
        let unknown = || format!("no image format {order} {channel} is known");
        let &(_, order_value, layout, [r, g, b, a]) =
            ORDERS.iter().find(|row| row.0 == order).ok_or_else(unknown)?;
        let &(_, channel_type, size, is_integer, [one, two, four]) =
            CHANNELS.iter().find(|row| row.0 == channel).ok_or_else(unknown)?;
        let (raw, components) = match layout {
            Layout::R => (one, 1),
            Layout::Rg => (two, 2),
            Layout::Rgba => (four, 4),
            Layout::Bgra | Layout::Srgba => {
                let other = OTHERS.iter().find(|row| row.0 == layout && row.1 == channel);
                let none = || format!("{NO_FORMAT}: Vulkan has no {order} of {channel}");
                (other.ok_or_else(none)?.2, 4)
            }
        };
        Ok(Format {
            raw,
            swizzle: vk::ComponentMapping { r, g, b, a },
            order: order_value,
            channel_type,
            is_integer,
            texel_size: components * size,
        })
    }

    /// Whether OpenCL's components are Vulkan's.
    pub fn is_identity(&self) -> bool {
        let vk::ComponentMapping { r, g, b, a } = self.swizzle;
        [r, g, b, a] == IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_channels_make_a_format() {
        let format = Format::find("rg", "int16").unwrap();
        assert_eq!(
            (format.raw, format.order, format.channel_type),
            (vk::Format::R16G16_SINT, 0x10b2, 0x10d8)
        );
        assert_eq!((format.texel_size, format.is_integer, format.is_identity()), (4, true, true));
        let alpha = Format::find("a", "unorm8").unwrap();
        assert_eq!((alpha.raw, alpha.swizzle.a), (vk::Format::R8_UNORM, vk::ComponentSwizzle::R));
        assert!(!alpha.is_identity());
        let error = Format::find("bgra", "float").unwrap_err().to_string();
        assert!(error.starts_with(NO_FORMAT), "{error}");
        let error = Format::find("rgbx", "float").unwrap_err().to_string();
        assert!(error.contains("is known"), "{error}");
    }
}
