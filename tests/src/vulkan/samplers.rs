//! OpenCL's samplers (OpenCL C 6.15.15.1) as Vulkan's.

use ash::vk;

use super::reflection::{Addressing, Filter, LiteralSampler};
use super::{Device, Failure, failed};

/// A sampler as OpenCL describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerState {
    pub normalized: bool,
    /// `None`: `CLK_ADDRESS_NONE`.
    pub addressing: Option<Addressing>,
    pub filter: Filter,
}

impl SamplerState {
    /// The sampler that a job calls so.
    pub fn parse(normalized: bool, address: &str, filter: &str) -> Result<SamplerState, Failure> {
        let addressing = match address {
            "none" => None,
            "edge" => Some(Addressing::ClampToEdge),
            "clamp" => Some(Addressing::Clamp),
            "repeat" => Some(Addressing::Repeat),
            "mirror" => Some(Addressing::MirroredRepeat),
            _ => return Err(format!("no addressing mode is called {address}").into()),
        };
        let filter = match filter {
            "nearest" => Filter::Nearest,
            "linear" => Filter::Linear,
            _ => return Err(format!("no filter is called {filter}").into()),
        };
        let state = SamplerState { normalized, addressing, filter };
        match addressing {
            Some(Addressing::Repeat | Addressing::MirroredRepeat) if !normalized => {
                Err("only normalized coordinates repeat".to_owned().into())
            }
            None | Some(_) => Ok(state),
        }
    }

    /// The `CLK_*` bits.
    pub fn bits(self) -> u32 {
        let addressing = match self.addressing {
            None => 0,
            Some(Addressing::ClampToEdge) => 2,
            Some(Addressing::Clamp) => 4,
            Some(Addressing::Repeat) => 6,
            Some(Addressing::MirroredRepeat) => 8,
        };
        let filter = match self.filter {
            Filter::Nearest => 0x10,
            Filter::Linear => 0x20,
        };
        u32::from(self.normalized) | addressing | filter
    }
}

impl From<&LiteralSampler> for SamplerState {
    fn from(sampler: &LiteralSampler) -> SamplerState {
        SamplerState {
            normalized: sampler.normalized,
            addressing: Some(sampler.addressing),
            filter: sampler.filter,
        }
    }
}

/// A sampler of Vulkan.
pub(super) struct Sampler<'d> {
    device: &'d Device,
    pub(super) raw: vk::Sampler,
}

impl<'d> Sampler<'d> {
    /// One that is like `state`, but for the coordinates if they are always normalized; for images of
    /// integers or for others.
    pub(super) fn new(
        device: &'d Device,
        state: SamplerState,
        always_normalized: bool,
        integers: bool,
    ) -> Result<Sampler<'d>, Failure> {
        let address = match state.addressing {
            // What is outside is not read, so that this is as good as anything else.
            None | Some(Addressing::ClampToEdge) => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Some(Addressing::Clamp) => vk::SamplerAddressMode::CLAMP_TO_BORDER,
            Some(Addressing::Repeat) => vk::SamplerAddressMode::REPEAT,
            Some(Addressing::MirroredRepeat) => vk::SamplerAddressMode::MIRRORED_REPEAT,
        };
        let filter = match state.filter {
            Filter::Nearest => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        };
        let border = match integers {
            true => vk::BorderColor::INT_TRANSPARENT_BLACK,
            false => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
        };
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(filter)
            .min_filter(filter)
            .mipmap_mode(vk::SamplerMipmapMode::NEAREST)
            .address_mode_u(address)
            .address_mode_v(address)
            .address_mode_w(address)
            .border_color(border)
            .unnormalized_coordinates(!state.normalized && !always_normalized);
        // SAFETY: the device is there.
        let raw =
            unsafe { device.raw.create_sampler(&info, None) }.map_err(failed("vkCreateSampler"))?;
        Ok(Sampler { device, raw })
    }
}

impl Drop for Sampler<'_> {
    fn drop(&mut self) {
        // SAFETY: the device is idle: whoever gave it work has waited for the end.
        unsafe { self.device.raw.destroy_sampler(self.raw, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_source() {
        let bits = |normalized, address, filter| {
            SamplerState::parse(normalized, address, filter).map(SamplerState::bits).ok()
        };
        assert_eq!(bits(false, "none", "nearest"), Some(0x10));
        assert_eq!(bits(true, "mirror", "linear"), Some(0x29));
        assert_eq!(bits(false, "clamp", "linear"), Some(0x24));
        assert_eq!(bits(false, "repeat", "nearest"), None);
        assert_eq!(bits(true, "wrap", "nearest"), None);
        assert_eq!(bits(true, "edge", "cubic"), None);
    }
}
