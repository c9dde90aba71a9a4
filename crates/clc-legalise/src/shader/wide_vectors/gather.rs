//! Components that come from several places: shuffles, constructions, and bits as other types.

use clc_ir::{Type, Value};

use super::{PART, Rewriter};

/// Where a component is: in a vector, or a scalar itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Undefined,
    Scalar(Value),
    Lane(Value, u32),
}

impl Rewriter<'_> {
    /// The components of a value.
    fn sources(&mut self, value: Value) -> Vec<Source> {
        let lanes = self.lanes(value);
        if lanes == 1 {
            return vec![Source::Scalar(self.new_value(value))];
        }
        let parts: Vec<Value> = match lanes {
            0..=PART => vec![self.new_value(value)],
            _ => (0..lanes / PART).map(|part| self.operand_part(value, part)).collect(),
        };
        let width = lanes.min(PART);
        parts
            .into_iter()
            .flat_map(|part| (0..width).map(move |lane| Source::Lane(part, lane)))
            .collect()
    }

    fn scalar(&mut self, source: Source, ty: Type) -> Value {
        match source {
            Source::Undefined => self.builder.undef(ty),
            Source::Scalar(value) => value,
            Source::Lane(vector, lane) => self.builder.extract(vector, &[lane]),
        }
    }

    /// A vector of at most four components (a scalar of one) from where they are.
    fn gathered(&mut self, sources: &[Source], scalar: Type) -> Value {
        if let [source] = *sources {
            return self.scalar(source, scalar);
        }
        let ty = self.builder.types.vector(scalar, sources.len() as u8);
        // The vectors that they come from, if no more than two.
        let mut vectors: Vec<Value> = Vec::new();
        let mut mask = Vec::new();
        for &source in sources {
            match source {
                Source::Undefined => mask.push(Some((0, u32::MAX))),
                Source::Scalar(_) => mask.push(None),
                Source::Lane(vector, lane) => {
                    let index = vectors.iter().position(|&known| known == vector);
                    let index = index.unwrap_or_else(|| {
                        vectors.push(vector);
                        vectors.len() - 1
                    });
                    mask.push((index < 2).then_some((index, lane)));
                }
            }
        }
        let mask: Option<Vec<(usize, u32)>> = mask.into_iter().collect();
        if let (Some(mask), Some(&left)) = (mask, vectors.first()) {
            let right = vectors.get(1).copied().unwrap_or(left);
            let width = u32::from(self.builder.types.lanes(self.builder.ty(left)));
            let whole = self.builder.ty(left) == ty
                && mask.iter().enumerate().all(|(lane, &from)| from == (0, lane as u32));
            if whole {
                return left;
            }
            let mask: Vec<u32> = mask
                .into_iter()
                .map(|(vector, lane)| if vector == 0 { lane } else { width + lane })
                .collect();
            return self.builder.shuffle(left, right, &mask);
        }
        let scalars: Vec<Value> =
            sources.iter().map(|&source| self.scalar(source, scalar)).collect();
        self.builder.construct(ty, &scalars)
    }

    /// Makes `result` of its components.
    fn replace_by_sources(&mut self, result: Value, sources: &[Source]) {
        let scalar = self.builder.types.scalar(self.old_type(result));
        if !self.is_wide(result) {
            let value = self.gathered(sources, scalar);
            return self.replace(result, value);
        }
        let parts = sources.chunks(PART as usize).map(|part| self.gathered(part, scalar)).collect();
        self.replace_by_parts(result, parts);
    }

    pub(super) fn shuffle(&mut self, left: Value, right: Value, mask: &[u32], result: Value) {
        let mut from = self.sources(left);
        from.extend(self.sources(right));
        let sources: Vec<Source> = mask
            .iter()
            .map(|&index| from.get(index as usize).copied().unwrap_or(Source::Undefined))
            .collect();
        self.replace_by_sources(result, &sources);
    }

    pub(super) fn construct(&mut self, parts: &[Value], result: Value) {
        let sources: Vec<Source> = parts.iter().flat_map(|&part| self.sources(part)).collect();
        self.replace_by_sources(result, &sources);
    }

    /// The bits of `operand` as the type of `result`, one of them being a large vector.
    pub(super) fn bitcast(&mut self, operand: Value, result: Value) {
        let from = self.builder.types.scalar(self.old_type(operand));
        let to = self.builder.types.scalar(self.old_type(result));
        let bits = |r: &Self, ty| u32::from(r.builder.types.scalar_bits(ty).unwrap_or(32));
        let (from_bits, to_bits) = (bits(self, from), bits(self, to));
        let mut sources = self.sources(operand);
        if from_bits == to_bits {
            let ty = self.builder.types.vector(to, PART as u8);
            return self.each_part(result, |r, part, _| {
                let value = r.operand_part(operand, part);
                r.builder.bitcast(value, ty)
            });
        }
        // Between one component and eight in two steps: there is no vector of eight bytes.
        let (mut scalar, mut width) = (from, from_bits);
        while width != to_bits {
            let next =
                if width < to_bits { to_bits.min(width * PART) } else { to_bits.max(width / PART) };
            let ty = if next == to_bits { to } else { self.builder.types.int(next as u8) };
            sources = if width < next {
                self.joined(&sources, scalar, ty, next / width)
            } else {
                self.cut(&sources, scalar, ty, width / next)
            };
            (scalar, width) = (ty, next);
        }
        self.replace_by_sources(result, &sources);
    }

    /// Each `count` components as one.
    fn joined(&mut self, sources: &[Source], from: Type, to: Type, count: u32) -> Vec<Source> {
        sources
            .chunks(count as usize)
            .map(|lanes| {
                let vector = self.gathered(lanes, from);
                Source::Scalar(self.builder.bitcast(vector, to))
            })
            .collect()
    }

    /// Each component as `count` smaller ones.
    fn cut(&mut self, sources: &[Source], from: Type, to: Type, count: u32) -> Vec<Source> {
        let ty = self.builder.types.vector(to, count as u8);
        let mut cut = Vec::new();
        for &source in sources {
            let value = self.scalar(source, from);
            let vector = self.builder.bitcast(value, ty);
            cut.extend((0..count).map(|lane| Source::Lane(vector, lane)));
        }
        cut
    }
}
