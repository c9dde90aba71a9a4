//! Coordinates of reads with a sampler (OpenCL C 6.15.15.1 and 8; Vulkan, "Texel Coordinate Systems").
//!
//! * A read of the nearest texel at unnormalized coordinates, clamped to the edge, is a fetch of
//!   integer coordinates: exact, and of every kind of image.
//! * Vulkan has unnormalized coordinates for images of one and two dimensions. Of others they are
//!   divided by the sizes: the middle of the nearest texel, which rounding does not leave.
//! * The layer of an array is never normalized; OpenCL rounds it to the nearest even number.
//! * Integer coordinates are those of the middle of a texel.

use clc_builtins::{ImageKind, Intrinsic};
use clc_ir::{BinaryOp, CompareOp, ConvertOp, TypeKind, TypePool, Value};

use super::access::{Accesses, Image};
use super::choices::Object;
use super::{About, LINEAR, NEAREST, NORMALIZED};
use crate::reflection::{ArgumentKind, Binding};

/// Whether Vulkan has normalized coordinates only for such images.
pub(super) fn is_scaled(kind: ImageKind) -> bool {
    kind.is_array() || kind.dimensions() == 3
}

/// Coordinates in parts.
struct Coordinates {
    /// `float` or `int`, one for each dimension.
    parts: Vec<Value>,
    /// The layer of an array, of the same type.
    layer: Option<Value>,
    is_integer: bool,
}

impl Accesses<'_, '_> {
    /// A read of `image` with `sampler`; `arguments` are the coordinate and what comes after it.
    pub(super) fn sampled(
        &mut self,
        intrinsic: Intrinsic,
        image: Image,
        sampler: Object,
        arguments: &[Value],
    ) -> Option<Value> {
        let (&coordinate, more) = arguments.split_first()?;
        let coordinates = self.split(image, coordinate);
        let more: Vec<Value> = more.iter().map(|&value| self.gradient(image, value)).collect();
        match sampler {
            Object::Literal(bits) => {
                // CLK_ADDRESS_NONE and CLK_ADDRESS_CLAMP_TO_EDGE.
                let is_clamped = bits >> 1 & 7 < 2;
                if bits & (NORMALIZED | LINEAR) == 0 && is_clamped && more.is_empty() {
                    let coordinate = self.clamped(image, coordinates)?;
                    return self.fetch(image, coordinate);
                }
                let mut coordinates = self.floats(coordinates);
                let mut is_normalized = bits & NORMALIZED != 0;
                if !is_normalized && is_scaled(image.ty.kind) {
                    let is_nearest = self.b.bool(bits & LINEAR == 0);
                    self.scale(image, &mut coordinates, is_nearest)?;
                    is_normalized = true;
                }
                let at = self.images.literal(bits, is_normalized);
                self.sample_at(intrinsic, image, at, coordinates, &more)
            }
            Object::Argument(index) => {
                let kind = *self.images.arguments.get(&(self.kernel, index))?;
                let ArgumentKind::Sampler { at, always_normalized } = kind else { return None };
                let mut coordinates = self.floats(coordinates);
                if always_normalized {
                    let bits = self.question(index, About::SamplerBits);
                    let is_normalized = self.has(bits, NORMALIZED);
                    let is_nearest = self.has(bits, NEAREST);
                    let given = coordinates.parts.clone();
                    self.scale(image, &mut coordinates, is_nearest)?;
                    for (part, given) in coordinates.parts.iter_mut().zip(given) {
                        *part = self.b.select(is_normalized, given, *part);
                    }
                }
                self.sample_at(intrinsic, image, at, coordinates, &more)
            }
        }
    }

    fn has(&mut self, bits: Value, bit: u32) -> Value {
        let bit = self.b.i32(bit as i32);
        let bits = self.b.binary(BinaryOp::And, bits, bit);
        let zero = self.b.i32(0);
        self.b.compare(CompareOp::NotEqual, bits, zero)
    }

    fn split(&mut self, image: Image, coordinate: Value) -> Coordinates {
        let ty = self.b.ty(coordinate);
        let is_vector = self.b.types.lanes(ty) > 1;
        let is_integer = matches!(self.b.types.kind(self.b.types.scalar(ty)), TypeKind::Int(_));
        let mut part = |index: u8| match is_vector {
            true => self.b.extract(coordinate, &[u32::from(index)]),
            false => coordinate,
        };
        let dimensions = image.ty.kind.dimensions();
        let parts = (0..dimensions).map(&mut part).collect();
        let layer = image.ty.kind.is_array().then(|| part(dimensions));
        Coordinates { parts, layer, is_integer }
    }

    fn join(&mut self, coordinates: &Coordinates) -> Value {
        let mut all = coordinates.parts.clone();
        all.extend(coordinates.layer);
        if let [only] = all[..] {
            return only;
        }
        let ty = self.b.types.vector(self.b.ty(all[0]), all.len() as u8);
        self.b.construct(ty, &all)
    }

    fn float(&mut self, value: f32) -> Value {
        self.b.consts.intern(clc_ir::Const::Float(TypePool::F32, u64::from(value.to_bits())))
    }

    fn call(&mut self, intrinsic: Intrinsic, operands: &[Value]) -> Option<Value> {
        let ty = self.b.ty(operands[0]);
        self.b.intrinsic(intrinsic, operands, ty)
    }

    /// Gradients have the components that the image has.
    fn gradient(&mut self, image: Image, value: Value) -> Value {
        let wanted = u32::from(image.ty.kind.dimensions());
        let lanes = u32::from(self.b.types.lanes(self.b.ty(value)));
        if lanes <= wanted || lanes == 1 {
            return value;
        }
        let mask: Vec<u32> = (0..wanted).collect();
        self.b.shuffle(value, value, &mask)
    }

    /// Float coordinates, with a layer that is a whole number.
    fn floats(&mut self, coordinates: Coordinates) -> Coordinates {
        let Coordinates { parts, layer, is_integer } = coordinates;
        if is_integer {
            let half = self.float(0.5);
            let mut float = |value| self.b.convert(ConvertOp::SToF, value, TypePool::F32);
            let layer = layer.map(&mut float);
            let parts: Vec<Value> = parts.into_iter().map(&mut float).collect();
            let parts =
                parts.into_iter().map(|part| self.b.binary(BinaryOp::FAdd, part, half)).collect();
            return Coordinates { parts, layer, is_integer: false };
        }
        let layer = layer.and_then(|layer| self.call(Intrinsic::Rint, &[layer]));
        Coordinates { parts, layer, is_integer }
    }

    /// The integer coordinates of the nearest texel, which is in the image.
    fn clamped(&mut self, image: Image, coordinates: Coordinates) -> Option<Value> {
        let Coordinates { parts, layer, is_integer } = coordinates;
        let sizes = self.sizes(image)?;
        let layer = match layer {
            Some(layer) => Some((layer, self.layers(image)?)),
            None => None,
        };
        let mut all = Vec::with_capacity(4);
        for (round, part, size) in parts
            .into_iter()
            .zip(sizes)
            .map(|(part, size)| (Intrinsic::Floor, part, size))
            .chain(layer.map(|(layer, layers)| (Intrinsic::Rint, layer, layers)))
        {
            let one = self.b.i32(1);
            let last = self.b.binary(BinaryOp::ISub, size, one);
            if is_integer {
                let zero = self.b.i32(0);
                all.push(self.call(Intrinsic::SClamp, &[part, zero, last])?);
                continue;
            }
            // Before it is an integer, for it may be too large for one.
            let zero = self.float(0.0);
            let last = self.b.convert(ConvertOp::SToF, last, TypePool::F32);
            let part = self.call(round, &[part])?;
            let part = self.call(Intrinsic::FClamp, &[part, zero, last])?;
            all.push(self.b.convert(ConvertOp::FToS, part, TypePool::I32));
        }
        let coordinates = Coordinates { parts: all, layer: None, is_integer: true };
        Some(self.join(&coordinates))
    }

    /// Makes normalized coordinates of unnormalized ones.
    fn scale(
        &mut self,
        image: Image,
        coordinates: &mut Coordinates,
        is_nearest: Value,
    ) -> Option<()> {
        let sizes = self.sizes(image)?;
        for (part, size) in coordinates.parts.iter_mut().zip(sizes) {
            let size = self.b.convert(ConvertOp::SToF, size, TypePool::F32);
            let half = self.float(0.5);
            let floor = self.call(Intrinsic::Floor, &[*part])?;
            let middle = self.b.binary(BinaryOp::FAdd, floor, half);
            let at = self.b.select(is_nearest, middle, *part);
            *part = self.b.binary(BinaryOp::FDiv, at, size);
        }
        Some(())
    }

    fn sample_at(
        &mut self,
        intrinsic: Intrinsic,
        image: Image,
        at: Binding,
        coordinates: Coordinates,
        more: &[Value],
    ) -> Option<Value> {
        let sampler = self.descriptor(TypeKind::Sampler, at);
        let coordinate = self.join(&coordinates);
        self.sample(intrinsic, image, sampler, coordinate, more)
    }
}
