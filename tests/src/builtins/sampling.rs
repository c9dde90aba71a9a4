//! Images on the host: formats, and the sampler as OpenCL C 8.2 describes it.

use super::inputs::{Random, any_value};
use super::value::{Value, limits};
use crate::data::Element::{self, Char, Float, Half, Int, Short, UChar, UInt, UShort};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    D1,
    Buffer,
    Array1,
    D2,
    Array2,
    D3,
}

pub const KINDS: [Kind; 6] =
    [Kind::D1, Kind::Buffer, Kind::Array1, Kind::D2, Kind::Array2, Kind::D3];

impl Kind {
    pub fn type_name(self) -> &'static str {
        match self {
            Kind::D1 => "image1d_t",
            Kind::Buffer => "image1d_buffer_t",
            Kind::Array1 => "image1d_array_t",
            Kind::D2 => "image2d_t",
            Kind::Array2 => "image2d_array_t",
            Kind::D3 => "image3d_t",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Kind::D1 => "1d",
            Kind::Buffer => "1dbuffer",
            Kind::Array1 => "1darray",
            Kind::D2 => "2d",
            Kind::Array2 => "2darray",
            Kind::D3 => "3d",
        }
    }

    /// Width, height and depth, or number of layers, of the images that are tested.
    pub fn size(self) -> [usize; 3] {
        match self {
            Kind::D1 | Kind::Buffer => [8, 1, 1],
            Kind::Array1 => [8, 1, 3],
            Kind::D2 => [8, 4, 1],
            Kind::Array2 => [8, 4, 3],
            Kind::D3 => [8, 4, 2],
        }
    }

    /// As [`Kind::size`], by which no division is exact.
    pub fn odd_size(self) -> [usize; 3] {
        self.size().map(|size| if size == 1 { 1 } else { size + 3 })
    }

    /// Dimensions in which a sampler filters.
    pub fn dimensions(self) -> usize {
        match self {
            Kind::D1 | Kind::Buffer | Kind::Array1 => 1,
            Kind::D2 | Kind::Array2 => 2,
            Kind::D3 => 3,
        }
    }

    pub fn is_array(self) -> bool {
        matches!(self, Kind::Array1 | Kind::Array2)
    }

    /// Components of a coordinate that count.
    pub fn coordinates(self) -> usize {
        self.dimensions() + usize::from(self.is_array())
    }

    /// `(int2)(c.x, c.y)` for the coordinate `c` of four components.
    pub fn coordinate(self, ty: &str) -> String {
        match self.coordinates() {
            1 => format!("({ty})c.x"),
            2 => format!("({ty}2)(c.x, c.y)"),
            _ => format!("({ty}4)(c.x, c.y, c.z, 0)"),
        }
    }
}

/// `unorm8` and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    pub name: &'static str,
    pub element: Element,
    pub normalized: bool,
}

const fn channel(name: &'static str, element: Element, normalized: bool) -> Channel {
    Channel { name, element, normalized }
}

pub const CHANNELS: [Channel; 12] = [
    channel("float", Float, false),
    channel("half", Half, false),
    channel("unorm8", UChar, true),
    channel("unorm16", UShort, true),
    channel("snorm8", Char, true),
    channel("snorm16", Short, true),
    channel("uint8", UChar, false),
    channel("uint16", UShort, false),
    channel("uint32", UInt, false),
    channel("int8", Char, false),
    channel("int16", Short, false),
    channel("int32", Int, false),
];

impl Channel {
    pub fn named(name: &str) -> Channel {
        CHANNELS.into_iter().find(|channel| channel.name == name).unwrap_or(CHANNELS[0])
    }

    /// What functions read it: `f`, `i`, `ui`.
    pub fn suffix(self) -> &'static str {
        match self.element {
            _ if self.normalized => "f",
            Float | Half => "f",
            Char | Short | Int => "i",
            _ => "ui",
        }
    }

    /// The type of a component when read.
    pub fn texel(self) -> Element {
        match self.suffix() {
            "f" => Float,
            "i" => Int,
            _ => UInt,
        }
    }

    fn decode(self, value: Value) -> f64 {
        let (_, greatest) = if self.element.is_float() { (0, 1) } else { limits(self.element) };
        if self.normalized {
            (value.to_int() as f64 / greatest as f64).max(-1.0)
        } else {
            value.to_float()
        }
    }

    /// What a component becomes when written: the nearest of the representable values.
    pub fn encode(self, value: f64) -> Value {
        if self.element.is_float() {
            return Value::float(self.element, value);
        }
        Value::int(self.element, self.scaled(value).round_ties_even() as i128)
    }

    /// The same before it is rounded to an integer.
    fn scaled(self, value: f64) -> f64 {
        let (least, greatest) = limits(self.element);
        let scaled = if self.normalized { value * greatest as f64 } else { value };
        scaled.clamp(least as f64, greatest as f64)
    }

    /// What is wrong with integers that were written for `values`. Devices may round by other means
    /// than OpenCL prefers, with errors of up to 0.6 (OpenCL C 8.3.1.3), and have two numbers for -1
    /// (8.3.1.1), of which Vulkan writes the greater ("Conversion From Floating-Point to Normalized
    /// Fixed-Point").
    pub fn wrongly_rounded(self, got: &[Value], values: &[f64]) -> Vec<String> {
        if got.len() < values.len() {
            return vec![format!("{} results instead of {}", got.len(), values.len())];
        }
        let (least, _) = limits(self.element);
        let least = if least < 0 { least + 1 } else { least };
        let places = got.iter().zip(values).enumerate();
        places
            .filter_map(|(index, (got, &value))| {
                let want = self.scaled(value).max(least as f64);
                let near = (got.to_int() as f64 - want).abs() <= 0.6;
                (!near).then(|| format!("element {index}: got {got:?}, want about {want}"))
            })
            .collect()
    }
}

/// Which stored component each of `rgba` is, `None` for zero and one.
fn components(order: &str) -> ([Option<usize>; 4], usize) {
    match order {
        "rgba" => ([Some(0), Some(1), Some(2), Some(3)], 4),
        "bgra" => ([Some(2), Some(1), Some(0), Some(3)], 4),
        "rg" => ([Some(0), Some(1), None, None], 2),
        "ra" => ([Some(0), None, None, Some(1)], 2),
        "a" => ([None, None, None, Some(0)], 1),
        "intensity" => ([Some(0), Some(0), Some(0), Some(0)], 1),
        "luminance" => ([Some(0), Some(0), Some(0), None], 1),
        _ => ([Some(0), None, None, None], 1),
    }
}

#[derive(Clone, Debug)]
pub struct Image {
    pub kind: Kind,
    /// Width, height and depth, or number of layers.
    pub size: [usize; 3],
    pub order: &'static str,
    pub channel: Channel,
    /// The stored components.
    pub data: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    pub normalized: bool,
    pub address: &'static str,
    pub linear: bool,
}

impl Image {
    /// An image of the size that most have.
    pub fn new(kind: Kind, order: &'static str, channel: Channel) -> Image {
        Image::sized(kind, kind.size(), order, channel)
    }

    pub fn sized(kind: Kind, size: [usize; 3], order: &'static str, channel: Channel) -> Image {
        let mut random = Random::named("images");
        let pixels: usize = size.iter().product();
        let data = (0..pixels * components(order).1)
            .map(|_| match channel.element {
                Float | Half => {
                    Value::float(channel.element, (random.unit() * 64.0).round() / 16.0)
                }
                element => any_value(element, &mut random),
            })
            .collect();
        Image { kind, size, order, channel, data }
    }

    /// The line for `clc-run`.
    pub fn line(&self) -> String {
        let [width, height, depth] = self.size;
        let bytes = super::groups::bytes(&self.data);
        format!(
            "texture {} {width} {height} {depth} {} {} {}",
            self.kind.word(),
            self.order,
            self.channel.name,
            crate::hex::encode(&bytes)
        )
    }

    pub fn pixels(&self) -> usize {
        self.size.iter().product()
    }

    /// The coordinates of pixel `index`, layers last.
    pub fn place(&self, index: usize) -> [i64; 3] {
        let [width, height, _] = self.size;
        let (x, y, z) = (index % width, index / width % height, index / width / height);
        match self.kind {
            Kind::Array1 => [x as i64, z as i64, 0],
            _ => [x as i64, y as i64, z as i64],
        }
    }

    /// A pixel as it is read: `rgba`.
    pub fn pixel(&self, index: usize) -> [f64; 4] {
        let (places, count) = components(self.order);
        let mut rgba = [0.0, 0.0, 0.0, 1.0];
        for (component, place) in rgba.iter_mut().zip(places) {
            if let Some(place) = place {
                *component = self.channel.decode(self.data[index * count + place]);
            }
        }
        rgba
    }

    /// A pixel as it is stored when `rgba` is written.
    pub fn stored(&self, rgba: [f64; 4]) -> Vec<Value> {
        self.kept(rgba).into_iter().map(|value| self.channel.encode(value)).collect()
    }

    /// The components that are stored of a colour.
    pub fn kept(&self, rgba: [f64; 4]) -> Vec<f64> {
        let (places, count) = components(self.order);
        let from = |stored| places.iter().position(|&place| place == Some(stored)).unwrap_or(0);
        (0..count).map(|stored| rgba[from(stored)]).collect()
    }

    /// Orders with an alpha have a border of nothing, others of opaque black.
    fn border(&self) -> [f64; 4] {
        let alpha = matches!(self.order, "rgba" | "bgra" | "ra" | "a" | "intensity");
        [0.0, 0.0, 0.0, if alpha { 0.0 } else { 1.0 }]
    }

    fn fetch(&self, at: [i64; 3], layer: usize) -> [f64; 4] {
        let [width, height, depth] = self.size;
        let dimensions = self.kind.dimensions();
        let sizes = [width, height, depth];
        if (0..dimensions).any(|d| at[d] < 0 || at[d] >= sizes[d] as i64) {
            return self.border();
        }
        let y = if dimensions > 1 { at[1] as usize } else { 0 };
        let z = if self.kind.is_array() {
            layer
        } else if dimensions > 2 {
            at[2] as usize
        } else {
            0
        };
        self.pixel((z * height + y) * width + at[0] as usize)
    }

    /// A sampled read; coordinates in the order of the call, layers last.
    pub fn sample(&self, sampler: Sampler, coordinates: [f64; 3]) -> [f64; 4] {
        let dimensions = self.kind.dimensions();
        let sizes = self.size;
        let layer = if self.kind.is_array() {
            coordinates[dimensions].round_ties_even().clamp(0.0, (sizes[2] - 1) as f64) as usize
        } else {
            0
        };
        // For each dimension the two pixels and the weight of the second.
        let mut taps = [([0i64; 2], 0.0); 3];
        for d in 0..dimensions {
            taps[d] = tap(sampler, coordinates[d], sizes[d] as f64);
        }
        let mut sum = [0.0; 4];
        for corner in 0..1 << dimensions {
            let mut at = [0; 3];
            let mut weight = 1.0;
            for d in 0..dimensions {
                let second = corner >> d & 1;
                at[d] = taps[d].0[second];
                weight *= if second == 1 { taps[d].1 } else { 1.0 - taps[d].1 };
            }
            if weight != 0.0 {
                let pixel = self.fetch(at, layer);
                sum.iter_mut().zip(pixel).for_each(|(sum, pixel)| *sum += weight * pixel);
            }
        }
        sum
    }
}

fn tap(sampler: Sampler, coordinate: f64, size: f64) -> ([i64; 2], f64) {
    let last = size as i64 - 1;
    let u = match (sampler.normalized, sampler.address) {
        (false, _) => coordinate,
        (true, "repeat") => (coordinate - coordinate.floor()) * size,
        (true, "mirror") => (coordinate - 2.0 * (0.5 * coordinate).round_ties_even()).abs() * size,
        (true, _) => coordinate * size,
    };
    let wrap = |i: i64| match sampler.address {
        "repeat" => i.rem_euclid(last + 1),
        "mirror" | "edge" => i.clamp(0, last),
        // One pixel of the border is enough.
        _ => i.clamp(-1, last + 1),
    };
    if !sampler.linear {
        let i = wrap(u.floor() as i64);
        return ([i, i], 0.0);
    }
    let below = (u - 0.5).floor();
    let i = below as i64;
    ([wrap(i), wrap(i + 1)], u - 0.5 - below)
}
