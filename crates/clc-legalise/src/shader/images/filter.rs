//! The linear filter at unnormalized coordinates (OpenCL C 8.2), for images that Vulkan samples at
//! normalized coordinates only: the texels are fetched and weighed. Coordinates that are divided by the
//! sizes would lose bits, and the weights with them.

use clc_builtins::Intrinsic;
use clc_ir::{BinaryOp, CompareOp, ConvertOp, TypePool, Value};

use super::access::{Accesses, Image};
use super::sampling::Coordinates;
use crate::reflection::Binding;

/// One of the two texels along a dimension.
#[derive(Clone, Copy)]
struct Neighbour {
    /// Its coordinate, in the image.
    index: Value,
    is_inside: Value,
    weight: Value,
}

impl Accesses<'_, '_> {
    /// The filtered texel at `coordinates`, which are floats. The sampler at `border` is one with
    /// normalized coordinates; what it has outside of the image are the texels there where
    /// `is_bordered` is true (CLK_ADDRESS_CLAMP), and those at the edge otherwise, or if it is `None`.
    pub(super) fn filtered(
        &mut self,
        image: Image,
        border: Binding,
        is_bordered: Option<Value>,
        coordinates: &Coordinates,
    ) -> Option<Value> {
        let sizes = self.sizes(image)?;
        let mut dimensions = Vec::with_capacity(3);
        for (&part, size) in coordinates.parts.iter().zip(sizes) {
            dimensions.push(self.neighbours(part, size)?);
        }
        let layer = match coordinates.layer {
            Some(layer) => Some(self.layer(image, layer)?),
            None => None,
        };
        let outside = match is_bordered {
            Some(_) => Some(self.far_outside(image, border, coordinates)?),
            None => None,
        };
        let mut sum: Option<Value> = None;
        for corner in 0..1usize << dimensions.len() {
            let chosen = dimensions.iter().enumerate();
            let chosen: Vec<Neighbour> = chosen.map(|(d, pair)| pair[corner >> d & 1]).collect();
            let (&first, others) = chosen.split_first()?;
            let mut indices = vec![first.index];
            let Neighbour { mut is_inside, mut weight, .. } = first;
            for other in others {
                indices.push(other.index);
                is_inside = self.b.binary(BinaryOp::And, is_inside, other.is_inside);
                weight = self.b.binary(BinaryOp::FMul, weight, other.weight);
            }
            indices.extend(layer);
            let coordinate = self.vector_of(&indices);
            let mut texel = self.fetch(image, coordinate)?;
            if let (Some(outside), Some(is_bordered)) = (outside, is_bordered) {
                let no = self.b.bool(false);
                let is_outside = self.b.select(is_inside, no, is_bordered);
                texel = self.choose(is_outside, outside, texel);
            }
            let weight = self.b.splat(self.b.ty(texel), weight);
            let part = self.b.binary(BinaryOp::FMul, texel, weight);
            sum = Some(sum.map_or(part, |sum| self.b.binary(BinaryOp::FAdd, sum, part)));
        }
        sum
    }

    /// The texels on both sides of a coordinate, with their weights.
    fn neighbours(&mut self, part: Value, size: Value) -> Option<[Neighbour; 2]> {
        let half = self.float(0.5);
        let at = self.b.binary(BinaryOp::FSub, part, half);
        let floor = self.call(Intrinsic::Floor, &[at])?;
        let second = self.b.binary(BinaryOp::FSub, at, floor);
        let one = self.float(1.0);
        let first = self.b.binary(BinaryOp::FSub, one, second);
        // Before it is an integer, for it may be too large for one.
        let least = self.float(-2.0);
        let most = self.b.convert(ConvertOp::SToF, size, TypePool::F32);
        let floor = self.call(Intrinsic::FClamp, &[floor, least, most])?;
        let index = self.b.convert(ConvertOp::FToS, floor, TypePool::I32);
        let one = self.b.i32(1);
        let next = self.b.binary(BinaryOp::IAdd, index, one);
        Some([self.neighbour(index, first, size)?, self.neighbour(next, second, size)?])
    }

    fn neighbour(&mut self, index: Value, weight: Value, size: Value) -> Option<Neighbour> {
        let is_inside = self.b.compare(CompareOp::ULess, index, size);
        let [zero, one] = [0, 1].map(|number| self.b.i32(number));
        let last = self.b.binary(BinaryOp::ISub, size, one);
        let index = self.call(Intrinsic::SClamp, &[index, zero, last])?;
        Some(Neighbour { index, is_inside, weight })
    }

    /// The layer of an array, a whole number, as one that the image has.
    fn layer(&mut self, image: Image, layer: Value) -> Option<Value> {
        let layers = self.layers(image)?;
        let one = self.b.i32(1);
        let last = self.b.binary(BinaryOp::ISub, layers, one);
        let last = self.b.convert(ConvertOp::SToF, last, TypePool::F32);
        let zero = self.float(0.0);
        let layer = self.call(Intrinsic::FClamp, &[layer, zero, last])?;
        Some(self.b.convert(ConvertOp::FToS, layer, TypePool::I32))
    }

    /// What the sampler has where all texels are outside: the border, which depends on the format.
    fn far_outside(
        &mut self,
        image: Image,
        border: Binding,
        coordinates: &Coordinates,
    ) -> Option<Value> {
        let far = self.float(-2.0);
        let far = Coordinates {
            parts: vec![far; coordinates.parts.len()],
            layer: coordinates.layer,
            is_integer: false,
        };
        self.sample_at(Intrinsic::ReadImageSampled(image.ty.texel?), image, border, &far, &[])
    }

    fn choose(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let lanes = self.b.types.lanes(self.b.ty(then));
        let conditions = self.b.types.vector(TypePool::BOOL, lanes);
        let condition = self.b.splat(conditions, condition);
        self.b.select(condition, then, otherwise)
    }
}
