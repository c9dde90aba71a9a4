//! Coordinates of reads with a sampler (OpenCL C 6.15.15.1 and 8; Vulkan, "Texel Coordinate Systems").
//!
//! * A read of the nearest texel at unnormalized coordinates, clamped to the edge, is a fetch of
//!   integer coordinates: exact, and of every kind of image.
//! * Vulkan has unnormalized coordinates for images of one and two dimensions. Of others they are
//!   divided by the sizes, for the nearest texel: its middle, which rounding does not leave. `filter`
//!   computes what a linear filter has there.
//! * The layer of an array is never normalized; OpenCL rounds it to the nearest even number.
//! * Integer coordinates are those of the middle of a texel.

use clc_builtins::{ImageKind, Intrinsic, Texel};
use clc_ir::{BinaryOp, CompareOp, ConvertOp, TypeKind, TypePool, Value};

use super::access::{Accesses, Image};
use super::choices::Object;
use super::{About, LINEAR, NORMALIZED};
use crate::reflection::{ArgumentKind, Binding};

/// Whether Vulkan has normalized coordinates only for such images.
pub(super) fn is_scaled(kind: ImageKind) -> bool {
    kind.is_array() || kind.dimensions() == 3
}

/// Whether a linear filter means something: of floats, in the first level of the image.
fn is_filtered(image: Image, more: &[Value]) -> bool {
    image.ty.texel == Some(Texel::Float) && more.is_empty()
}

/// Coordinates in parts.
pub(super) struct Coordinates {
    /// `float` or `int`, one for each dimension.
    pub parts: Vec<Value>,
    /// The layer of an array, of the same type.
    pub layer: Option<Value>,
    pub is_integer: bool,
}

/// The addressing mode among the bits of a sampler, and CLK_ADDRESS_CLAMP there.
const ADDRESSING: u32 = 0xe;
const ADDRESS_CLAMP: u32 = 4;

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
                let is_scaled = !is_normalized && is_scaled(image.ty.kind);
                if is_scaled && bits & LINEAR != 0 && is_filtered(image, &more) {
                    let border = self.images.literal(bits, true);
                    let is_bordered =
                        (bits & ADDRESSING == ADDRESS_CLAMP).then(|| self.b.bool(true));
                    return self.filtered(image, border, is_bordered, &coordinates);
                }
                if is_scaled {
                    self.scale(image, &mut coordinates)?;
                    is_normalized = true;
                }
                let at = self.images.literal(bits, is_normalized);
                self.sample_at(intrinsic, image, at, &coordinates, &more)
            }
            Object::Argument(index) => {
                let kind = *self.images.arguments.get(&(self.kernel, index))?;
                let ArgumentKind::Sampler { at, always_normalized } = kind else { return None };
                let mut coordinates = self.floats(coordinates);
                if !always_normalized {
                    return self.sample_at(intrinsic, image, at, &coordinates, &more);
                }
                let bits = self.question(index, About::SamplerBits);
                let is_normalized = self.has(bits, NORMALIZED);
                let given = coordinates.parts.clone();
                let unscaled = Coordinates { parts: given.clone(), ..coordinates };
                self.scale(image, &mut coordinates)?;
                for (part, given) in coordinates.parts.iter_mut().zip(given) {
                    *part = self.b.select(is_normalized, given, *part);
                }
                if !is_filtered(image, &more) {
                    return self.sample_at(intrinsic, image, at, &coordinates, &more);
                }
                let sampled =
                    |this: &mut Self| this.sample_at(intrinsic, image, at, &coordinates, &more);
                let filtered = |this: &mut Self| {
                    let mode = this.b.i32(ADDRESSING as i32);
                    let mode = this.b.binary(BinaryOp::And, bits, mode);
                    let clamp = this.b.i32(ADDRESS_CLAMP as i32);
                    let is_bordered = this.b.compare(CompareOp::Equal, mode, clamp);
                    this.filtered(image, at, Some(is_bordered), &unscaled)
                };
                let mask = self.b.i32((NORMALIZED | LINEAR) as i32);
                let kind = self.b.binary(BinaryOp::And, bits, mask);
                let linear = self.b.i32(LINEAR as i32);
                let is_linear = self.b.compare(CompareOp::Equal, kind, linear);
                self.either(is_linear, filtered, sampled)
            }
        }
    }

    /// What one of two says, which the program chooses by `condition`.
    fn either(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Option<Value>,
        otherwise: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let from = self.b.block();
        let [first, second, after] = [(); 3].map(|()| self.b.new_block());
        self.b.switch_to(first);
        let value = then(self)?;
        let merged = self.b.function.add_block_param(after, self.b.ty(value));
        self.b.jump(after, &[value]);
        self.b.switch_to(second);
        let value = otherwise(self)?;
        self.b.jump(after, &[value]);
        self.b.switch_to(from);
        self.b.branch(condition, first, second);
        self.b.switch_to(after);
        Some(merged)
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

    /// A coordinate of these components.
    pub(super) fn vector_of(&mut self, components: &[Value]) -> Value {
        if let &[only] = components {
            return only;
        }
        let ty = self.b.types.vector(self.b.ty(components[0]), components.len() as u8);
        self.b.construct(ty, components)
    }

    pub(super) fn float(&mut self, value: f32) -> Value {
        self.b.consts.intern(clc_ir::Const::Float(TypePool::F32, u64::from(value.to_bits())))
    }

    pub(super) fn call(&mut self, intrinsic: Intrinsic, operands: &[Value]) -> Option<Value> {
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
        Some(self.vector_of(&all))
    }

    /// Makes normalized coordinates, of the middle of the nearest texel, of unnormalized ones.
    fn scale(&mut self, image: Image, coordinates: &mut Coordinates) -> Option<()> {
        let sizes = self.sizes(image)?;
        for (part, size) in coordinates.parts.iter_mut().zip(sizes) {
            let size = self.b.convert(ConvertOp::SToF, size, TypePool::F32);
            let half = self.float(0.5);
            let floor = self.call(Intrinsic::Floor, &[*part])?;
            let middle = self.b.binary(BinaryOp::FAdd, floor, half);
            *part = self.b.binary(BinaryOp::FDiv, middle, size);
        }
        Some(())
    }

    pub(super) fn sample_at(
        &mut self,
        intrinsic: Intrinsic,
        image: Image,
        at: Binding,
        coordinates: &Coordinates,
        more: &[Value],
    ) -> Option<Value> {
        let sampler = self.descriptor(TypeKind::Sampler, at);
        let mut components = coordinates.parts.clone();
        components.extend(coordinates.layer);
        let coordinate = self.vector_of(&components);
        self.sample(intrinsic, image, sampler, coordinate, more)
    }
}
