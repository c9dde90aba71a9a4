//! Images and samplers (OpenCL C 6.15.15 and 8.2): formats of integers and floats, and the nearest texel.

use clc_builtins::resolve::Rounding;
use clc_builtins::{ImageKind, Intrinsic, Texel};
use clc_ir::{Type, TypeKind};

use crate::floats;
use crate::interface::ImageNumber;
use crate::launch::{Channel, Image};
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{Datum, Scalar, mask, signed};

/// Which sizes an image of a kind has, in the order of its coordinates, and whether the last one counts layers.
fn axes(kind: ImageKind) -> Result<(&'static [usize], bool), Stop> {
    Ok(match kind {
        ImageKind::Image1d | ImageKind::Image1dBuffer => (&[0], false),
        ImageKind::Image1dArray => (&[0, 2], true),
        ImageKind::Image2d => (&[0, 1], false),
        ImageKind::Image2dArray => (&[0, 1, 2], true),
        ImageKind::Image3d => (&[0, 1, 2], false),
        ImageKind::Image2dDepth
        | ImageKind::Image2dArrayDepth
        | ImageKind::Image2dMsaa
        | ImageKind::Image2dArrayMsaa
        | ImageKind::Image2dMsaaDepth
        | ImageKind::Image2dArrayMsaaDepth => {
            return Err(Stop::unknown("images of depth and of samples"));
        }
    })
}

/// How the bits of a sampler are read (`CLK_*`).
struct Sampler {
    normalized: bool,
    /// `CLK_ADDRESS_NONE` to `CLK_ADDRESS_MIRRORED_REPEAT`.
    address: u64,
}

impl Sampler {
    fn new(bits: u64) -> Result<Sampler, Stop> {
        if bits & 0x20 != 0 {
            return Err(Stop::unknown("linear filters"));
        }
        Ok(Sampler { normalized: bits & 1 != 0, address: bits >> 1 & 7 })
    }

    /// The index of a texel; `None` where the border is.
    fn index(&self, coordinate: f64, size: u64) -> Result<Option<u64>, Stop> {
        let (count, last) = (size as f64, size as f64 - 1.0);
        let scaled = if self.normalized { coordinate * count } else { coordinate };
        let index = match self.address {
            1 => scaled.floor().clamp(0.0, last),
            2 => match scaled.floor() {
                index if (0.0..count).contains(&index) => index,
                _ => return Ok(None),
            },
            3 => ((coordinate - coordinate.floor()) * count).floor() % count,
            4 => {
                let inside = (coordinate - 2.0 * (0.5 * coordinate).round_ties_even()).abs();
                (inside * count).floor().min(last)
            }
            _ => scaled.floor(),
        };
        // Without an addressing mode coordinates outside have no meaning.
        if !(0.0..count).contains(&index) {
            return Err(Stop::fault("a coordinate outside of an image"));
        }
        Ok(Some(index as u64))
    }
}

impl Machine<'_> {
    /// The functions of images; `None` if it is none of these, or else the result, if it has one.
    pub(crate) fn image_function(
        &mut self,
        intrinsic: Intrinsic,
        operands: &[Datum],
        tys: &[Type],
        result: Option<Type>,
    ) -> Result<Option<Option<Datum>>, Stop> {
        let Some(TypeKind::Image(ty)) = tys.first().map(|&ty| self.types().kind(ty)) else {
            return Ok(None);
        };
        let (axes, has_layers) = axes(ty.kind)?;
        let number = operands[0].lane(0).get().and_then(|bits| usize::try_from(bits).ok());
        let image = number.and_then(|number| self.images.get(number));
        let image = image.ok_or_else(|| Stop::fault("an image that there is not"))?;
        let width = result.map_or(32, |ty| self.width(ty));
        let sizes = image.sizes;
        let size = |axis: usize| Ok(Some(Some(Datum::known(sizes[axis]))));
        let (sampler, at, ty, texel) = match intrinsic {
            Intrinsic::GetImageWidth => return size(0),
            Intrinsic::GetImageHeight => return size(1),
            Intrinsic::GetImageDepth | Intrinsic::GetImageArraySize => return size(2),
            Intrinsic::GetImageDim => {
                let lanes = result.map_or(2, |ty| self.types().lanes(ty));
                let known = match lanes {
                    2 => vec![sizes[0], sizes[1]],
                    _ => vec![sizes[0], sizes[1], sizes[2], 0],
                };
                return Ok(Some(Some(Datum::Parts(known.into_iter().map(Datum::known).collect()))));
            }
            Intrinsic::GetImageChannelOrder => {
                let order = image.number(ImageNumber::ChannelOrder);
                return Ok(Some(Some(Datum::known(u64::from(order)))));
            }
            Intrinsic::GetImageChannelDataType => {
                let channel = image.number(ImageNumber::ChannelDataType);
                return Ok(Some(Some(Datum::known(u64::from(channel)))));
            }
            Intrinsic::ReadImage(texel) => (None, &operands[1], tys[1], texel),
            Intrinsic::ReadImageSampled(texel) => {
                let bits = operands[1].lane(0).get();
                let bits = bits.ok_or_else(|| Stop::fault("a sampler that is not defined"))?;
                (Some(Sampler::new(bits)?), &operands[2], tys[2], texel)
            }
            Intrinsic::WriteImage(texel) => (None, &operands[1], tys[1], texel),
            _ => return Err(Stop::unknown(format!("`{}` of images", intrinsic.source_name()))),
        };
        let (at_width, is_float) = (self.width(ty), self.types().is_float(ty));
        let mut place = [Some(0); 3];
        for (lane, &axis) in axes.iter().enumerate() {
            let scalar = at.lane(lane);
            let coordinate = match is_float {
                true => floats::number(scalar, at_width),
                false => scalar.get().map(|bits| signed(bits, at_width) as f64),
            };
            let Some(coordinate) = coordinate.filter(|it| !it.is_nan()) else {
                return Err(Stop::fault("a coordinate that is not defined"));
            };
            let is_layer = has_layers && lane + 1 == axes.len();
            let none = Sampler { normalized: false, address: 0 };
            place[axis] = match &sampler {
                Some(_) if is_layer => {
                    Some(coordinate.round_ties_even().clamp(0.0, sizes[axis] as f64 - 1.0) as u64)
                }
                Some(sampler) => sampler.index(coordinate, sizes[axis])?,
                None => none.index(coordinate, sizes[axis])?,
            };
        }
        let index = place[0].zip(place[1]).zip(place[2]);
        let index = index.map(|((x, y), z)| (z * sizes[1] + y) * sizes[0] + x);
        if let Intrinsic::WriteImage(_) = intrinsic {
            let colour = operands.get(2).cloned();
            let colour = colour.ok_or_else(|| Stop::unknown("a write without a colour"))?;
            let ty = tys.get(2).copied().ok_or_else(|| Stop::unknown("a write of nothing"))?;
            let width = self.width(ty);
            let image = &mut self.images[number.unwrap_or_default()];
            image.write(index.unwrap_or_default() as usize, &colour, texel, width)?;
            return Ok(Some(None));
        }
        Ok(Some(Some(image.read(index.map(|index| index as usize), texel, width)?)))
    }
}

impl Image {
    pub(crate) fn number(&self, number: ImageNumber) -> u32 {
        match number {
            // cl.h
            ImageNumber::ChannelOrder => match self.channels {
                1 => 0x10b0,
                2 => 0x10b2,
                _ => 0x10b5,
            },
            ImageNumber::ChannelDataType => match self.channel {
                Channel::SignedNormalized(size) => 0x10d0 + size.ilog2(),
                Channel::UnsignedNormalized(size) => 0x10d2 + size.ilog2(),
                Channel::Signed(size) => 0x10d7 + size.ilog2(),
                Channel::Unsigned(size) => 0x10da + size.ilog2(),
                Channel::Half => 0x10dd,
                Channel::Float => 0x10de,
            },
            ImageNumber::Width => self.sizes[0] as u32,
            ImageNumber::Height => self.sizes[1] as u32,
            ImageNumber::Depth | ImageNumber::ArraySize => self.sizes[2] as u32,
            ImageNumber::NumMipLevels | ImageNumber::NumSamples => 1,
        }
    }

    /// Bytes of a channel, checked against the functions that access the image.
    fn channel(&self, texel: Texel) -> Result<(Channel, usize), Stop> {
        let is_right = match texel {
            Texel::Float => !matches!(self.channel, Channel::Signed(_) | Channel::Unsigned(_)),
            Texel::Half => matches!(
                self.channel,
                Channel::Half | Channel::SignedNormalized(_) | Channel::UnsignedNormalized(_)
            ),
            Texel::Signed => matches!(self.channel, Channel::Signed(_)),
            Texel::Unsigned => matches!(self.channel, Channel::Unsigned(_)),
        };
        if !is_right {
            return Err(Stop::unknown("an image of another format than the function's"));
        }
        Ok((self.channel, self.channel.size()))
    }

    /// A texel, or the border's colour.
    fn read(&self, index: Option<usize>, texel: Texel, width: u32) -> Result<Datum, Stop> {
        let (channel, size) = self.channel(texel)?;
        let count = self.channels;
        let mut parts = Vec::new();
        for number in 0..4 {
            let raw = match index {
                Some(index) if number < count => {
                    let at = (index * count + number) * size;
                    let bytes = self.bytes.get(at..at + size);
                    let bytes = bytes.ok_or_else(|| Stop::fault("a texel that there is not"))?;
                    let mut word = [0; 8];
                    word[..size].copy_from_slice(bytes);
                    u64::from_le_bytes(word)
                }
                // What a format has not: the last is one, of the border too.
                _ if number == 3 && count < 4 => {
                    parts.push(match texel {
                        Texel::Float | Texel::Half => floats::nearest(1.0, width),
                        Texel::Signed | Texel::Unsigned => Scalar::known(1),
                    });
                    continue;
                }
                _ => 0,
            };
            let bits = 8 * size as u32;
            parts.push(match channel {
                Channel::Float | Channel::Half => {
                    let value = floats::number(Scalar::known(raw), bits).unwrap_or(f64::NAN);
                    floats::nearest(value, width)
                }
                Channel::Signed(_) => Scalar::known(signed(raw, bits) as u64 & mask(width)),
                Channel::Unsigned(_) => Scalar::known(raw),
                // OpenCL C 8.3.1.1
                Channel::SignedNormalized(_) => {
                    let value = signed(raw, bits) as f64 / mask(bits - 1) as f64;
                    floats::nearest(value.max(-1.0), width)
                }
                Channel::UnsignedNormalized(_) => {
                    floats::nearest(raw as f64 / mask(bits) as f64, width)
                }
            });
        }
        Ok(Datum::Parts(parts.into_iter().map(Datum::Scalar).collect()))
    }

    fn write(
        &mut self,
        index: usize,
        colour: &Datum,
        texel: Texel,
        width: u32,
    ) -> Result<(), Stop> {
        let (channel, size) = self.channel(texel)?;
        let count = self.channels;
        let bits = 8 * size as u32;
        for number in 0..count {
            let scalar = colour.lane(number);
            let written = match channel {
                Channel::Float | Channel::Half => {
                    let value = floats::number(scalar, width);
                    value.map(|value| floats::rounded(value, bits, Rounding::NearestEven).bits)
                }
                Channel::Signed(_) => scalar.get().map(|value| {
                    let most = (1i64 << (bits - 1)) - 1;
                    signed(value, width).clamp(-most - 1, most) as u64
                }),
                Channel::Unsigned(_) => scalar.get().map(|value| value.min(mask(bits))),
                Channel::SignedNormalized(_) | Channel::UnsignedNormalized(_) => {
                    let is_signed = matches!(channel, Channel::SignedNormalized(_));
                    let most = mask(bits - u32::from(is_signed));
                    let least = if is_signed { -(most as f64) } else { 0.0 };
                    let value = floats::number(scalar, width);
                    // What is below -1 OpenCL makes one less than Vulkan does.
                    if is_signed && value.is_some_and(|value| value < -1.0) {
                        return Err(Stop::unknown("a normalized number below -1"));
                    }
                    value.map(|value| {
                        let scaled = floats::nearest(value * most as f64, 32);
                        let scaled = floats::number(scaled, 32).unwrap_or_default();
                        // No number becomes zero.
                        scaled.round_ties_even().clamp(least, most as f64) as i64 as u64
                    })
                }
            };
            let written = written.ok_or_else(|| Stop::fault("a colour that is not defined"))?;
            let at = (index * count + number) * size;
            let bytes = self.bytes.get_mut(at..at + size);
            let bytes = bytes.ok_or_else(|| Stop::fault("a texel that there is not"))?;
            bytes.copy_from_slice(&written.to_le_bytes()[..size]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_become_indices_as_the_sampler_says() {
        let index = |normalized, address, coordinate: f64| {
            Sampler { normalized, address }.index(coordinate, 4).unwrap()
        };
        assert_eq!(index(false, 1, -3.0), Some(0));
        assert_eq!(index(false, 1, 9.5), Some(3));
        assert_eq!(index(false, 2, 4.0), None);
        assert_eq!(index(true, 2, 0.99), Some(3));
        assert_eq!(index(true, 3, 1.125), Some(0));
        assert_eq!(index(true, 3, -0.125), Some(3));
        assert_eq!(index(true, 4, 1.125), Some(3));
        assert_eq!(index(true, 4, -0.375), Some(1));
        assert!(Sampler { normalized: false, address: 0 }.index(4.0, 4).is_err());
        assert!(Sampler::new(0x20).is_err());
    }

    #[test]
    fn normalized_numbers_are_rounded_to_what_there_is() {
        let channel = Channel::UnsignedNormalized(1);
        let mut image = Image { sizes: [1; 3], channels: 4, channel, bytes: vec![0, 51, 102, 255] };
        let float = |value: f64| Datum::Scalar(floats::nearest(value, 32));
        let read = image.read(Some(0), Texel::Float, 32).unwrap();
        assert_eq!(read, Datum::Parts([0.0, 0.2, 0.4, 1.0].map(float).to_vec()));
        let colour = Datum::Parts([-1.0, 0.1, 0.5, 7.0].map(float).to_vec());
        image.write(0, &colour, Texel::Float, 32).unwrap();
        assert_eq!(image.bytes, [0, 26, 128, 255]);
        image.channel = Channel::SignedNormalized(1);
        let colour = Datum::Parts([-1.0, 0.1, 0.0, 7.0].map(float).to_vec());
        image.write(0, &colour, Texel::Float, 32).unwrap();
        assert_eq!(image.bytes, [0x81, 13, 0, 127]);
        assert!(image.write(0, &Datum::Parts(vec![float(-2.0); 4]), Texel::Float, 32).is_err());
    }

    #[test]
    fn texels_are_extended_and_clamped() {
        let mut image = Image {
            sizes: [2, 1, 1],
            channels: 1,
            channel: Channel::Signed(1),
            bytes: vec![0xff, 0],
        };
        let read = image.read(Some(0), Texel::Signed, 32).unwrap();
        assert_eq!(read, Datum::Parts([0xffff_ffff, 0, 0, 1].map(Datum::known).to_vec()));
        let colour = Datum::Parts([200, 0, 0, 0].map(Datum::known).to_vec());
        image.write(1, &colour, Texel::Signed, 32).unwrap();
        assert_eq!(image.bytes, [0xff, 0x7f]);
        assert!(image.read(Some(0), Texel::Float, 32).is_err());
    }
}
