//! Images and samplers among a kernel's parameters: reads of texels and sizes, and writes.
//!
//! What is read is exact: filters are nearest, normalized coordinates are the middles of texels, formats of
//! floating point hold numbers that they have, and nothing is read outside of an image without an addressing mode.

use clc_tests::data::Element;
use clc_tests::hex;

use super::{GLOBAL, Generator, Version};
use crate::tree::{Node, Role};
use crate::types::{Scalar, Type};

/// An image that kernels read.
#[derive(Clone)]
pub(super) struct Image {
    name: String,
    shape: Shape,
    sizes: [usize; 3],
    /// Of the components that a read returns.
    scalar: Scalar,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Line,
    Buffer,
    Lines,
    Plane,
    Planes,
    Volume,
}

use Shape::{Buffer, Line, Lines, Plane, Planes, Volume};

impl Shape {
    /// The type of the parameter, and what jobs call it.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Line => ("image1d_t", "1d"),
            Buffer => ("image1d_buffer_t", "1dbuffer"),
            Lines => ("image1d_array_t", "1darray"),
            Plane => ("image2d_t", "2d"),
            Planes => ("image2d_array_t", "2darray"),
            Volume => ("image3d_t", "3d"),
        }
    }

    /// Which of the sizes it has, in the order of its coordinates.
    fn sizes(self) -> &'static [usize] {
        match self {
            Line | Buffer => &[0],
            Lines => &[0, 2],
            Plane => &[0, 1],
            Planes | Volume => &[0, 1, 2],
        }
    }

    fn is_array(self) -> bool {
        matches!(self, Lines | Planes)
    }

    /// What a kernel may ask for.
    fn queries(self) -> &'static [&'static str] {
        match self {
            Line | Buffer => &["get_image_width(@)"],
            Lines => &["get_image_width(@)", "(int)get_image_array_size(@)"],
            Plane => &["get_image_width(@)", "get_image_height(@)", "get_image_dim(@).y"],
            Planes => {
                &["get_image_height(@)", "(int)get_image_array_size(@)", "get_image_dim(@).x"]
            }
            Volume => &["get_image_height(@)", "get_image_depth(@)", "get_image_dim(@).z"],
        }
    }
}

/// The formats that an image of this type has, and what their channels are in memory.
fn formats(scalar: Scalar) -> &'static [(&'static str, Element)] {
    match scalar {
        Scalar::Int => {
            &[("int8", Element::Char), ("int16", Element::Short), ("int32", Element::Int)]
        }
        Scalar::UInt => {
            &[("uint8", Element::UChar), ("uint16", Element::UShort), ("uint32", Element::UInt)]
        }
        Scalar::Half => &[("half", Element::Half)],
        _ => &[("half", Element::Half), ("float", Element::Float)],
    }
}

/// Image types of each kind of texel.
const TEXELS: [Scalar; 3] = [Scalar::Int, Scalar::UInt, Scalar::Float];

/// Those that are read; what is written as `half` is the same as what is written as `float`.
const READ: [Scalar; 4] = [Scalar::Int, Scalar::UInt, Scalar::Float, Scalar::Half];

/// How functions of images end for texels of a type.
fn suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Int => "i",
        Scalar::UInt => "ui",
        Scalar::Half => "h",
        _ => "f",
    }
}

impl Generator {
    /// Images that the kernel reads.
    pub(super) fn image_parameters(&mut self) {
        for _ in 0..1 + self.random.below(2) {
            let shape = *self.random.pick(&[Line, Buffer, Lines, Plane, Plane, Planes, Volume]);
            let scalar = *self.random.pick(&READ);
            let mut sizes = [1; 3];
            for &dimension in shape.sizes() {
                sizes[dimension] = 1 + self.random.below(5);
            }
            let name = self.image_parameter("read_only ", shape, sizes, scalar, true);
            self.images.push(Image { name, shape, sizes, scalar });
        }
    }

    fn image_parameter(
        &mut self,
        access: &str,
        shape: Shape,
        sizes: [usize; 3],
        scalar: Scalar,
        is_filled: bool,
    ) -> String {
        let (channel, element) = *self.random.pick(formats(scalar));
        let channels: usize = sizes.iter().product::<usize>() * 4;
        let mut bytes = Vec::new();
        for _ in 0..channels {
            match (is_filled, scalar) {
                (false, _) => element.push_int(0, &mut bytes),
                (true, Scalar::Float | Scalar::Half) => {
                    element.push_float(self.random.below(256) as f64 / 4.0 - 23.75, &mut bytes);
                }
                (true, _) => element.push_int(i128::from(self.random.next()), &mut bytes),
            }
        }
        let (ty, kind) = shape.names();
        let [width, height, depth] = sizes;
        let line = format!(
            "texture {kind} {width} {height} {depth} rgba {channel} {}",
            hex::encode(&bytes)
        );
        self.parameter("image", &format!("{access}{ty} @"), line)
    }

    /// A sampler: an argument, or spelled out. None: what has none is meant.
    fn sampler(&mut self, normalized: bool, address: &str) -> String {
        if self.random.chance(30) {
            let line = format!("sampler {} {address} nearest", u8::from(normalized));
            let known = self.samplers.iter().find(|(of, _)| *of == line).map(|(_, name)| name);
            if let Some(name) = known {
                return name.clone();
            }
            let name = self.parameter("sampler", "sampler_t @", line.clone());
            self.samplers.push((line, name.clone()));
            return name;
        }
        let address = match address {
            "none" => "NONE",
            "edge" => "CLAMP_TO_EDGE",
            "clamp" => "CLAMP",
            "repeat" => "REPEAT",
            _ => "MIRRORED_REPEAT",
        };
        let normalized = if normalized { "TRUE" } else { "FALSE" };
        let value = format!(
            "CLK_NORMALIZED_COORDS_{normalized} | CLK_ADDRESS_{address} | CLK_FILTER_NEAREST"
        );
        let name = self.name("sampler");
        self.helpers
            .push(Node::text(Role::Statement, format!("constant sampler_t {name} = {value};")));
        name
    }

    /// What an image holds, or how large it is.
    pub(super) fn image_value(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let fits = |image: &&Image| image.scalar == ty.scalar || ty == Type::scalar(Scalar::Int);
        let images: Vec<Image> = self.images.iter().filter(fits).cloned().collect();
        if images.is_empty() || !self.in_kernel {
            return None;
        }
        let image = self.random.pick(&images).clone();
        let is_query = image.scalar != ty.scalar || self.random.chance(15);
        if ty == Type::scalar(Scalar::Int) && is_query {
            let query = self.random.pick(image.shape.queries()).replace('@', &image.name);
            return Some(Node::text(Role::Value(ty), format!("({query})")));
        }
        let (name, read) = (&image.name, suffix(image.scalar));
        let (coordinates, mut nodes) = (image.shape.sizes().len(), Vec::new());
        // A coordinate for each dimension: an index is any integer.
        let any = Type::scalar(*self.random.pick(&[Scalar::UInt, Scalar::UShort, Scalar::UChar]));
        for _ in 0..coordinates {
            nodes.push(self.value(any, depth.min(1)));
        }
        let inside =
            |index: usize| format!("(int)(@ % {})", image.sizes[image.shape.sizes()[index]]);
        let around = |index: usize| {
            let size = image.sizes[image.shape.sizes()[index]];
            format!("(int)(@ % {}) - {}", size * 3 + 2, size + 1)
        };
        let vector = |of: &str, parts: &[String]| match parts.len() {
            1 => format!("({of})({})", parts[0]),
            2 => format!("({of}2)({})", parts.join(", ")),
            _ => format!("({of}4)({}, 0)", parts.join(", ")),
        };
        let is_plain = image.shape == Buffer || self.random.chance(20);
        let (sampler, of, at) = if is_plain {
            let at: Vec<String> = (0..coordinates).map(inside).collect();
            (None, "int", vector("int", &at))
        } else {
            let normalized = self.random.chance(40);
            let addresses: &[&str] = match normalized {
                true => &["edge", "clamp", "repeat", "mirror"],
                false => &["none", "edge", "clamp"],
            };
            let address = *self.random.pick(addresses);
            let at: Vec<String> = match address {
                "none" => (0..coordinates).map(inside).collect(),
                _ => (0..coordinates).map(around).collect(),
            };
            // Coordinates of floating point: the middles of texels, but layers as they are.
            let float = |index: usize, text: &String| {
                let size = image.sizes[image.shape.sizes()[index]];
                match (image.shape.is_array() && index + 1 == coordinates, normalized) {
                    (true, _) => format!("(float)({text})"),
                    (false, true) => format!("((float)({text}) + 0.5f) * {:?}f", 1.0 / size as f32),
                    (false, false) => format!("((float)({text}) + 0.5f)"),
                }
            };
            let (of, at) = match normalized || self.random.chance(30) {
                true => {
                    let at: Vec<String> =
                        at.iter().enumerate().map(|(index, text)| float(index, text)).collect();
                    ("float", vector("float", &at))
                }
                false => ("int", vector("int", &at)),
            };
            (Some(self.sampler(normalized, address)), of, at)
        };
        let sampler = sampler.map(|name| format!("{name}, ")).unwrap_or_default();
        let call = if self.random.chance(25) {
            // By a function that takes them.
            let function = self.name("texel");
            let (parameter, argument) = match sampler.is_empty() {
                true => ("", ""),
                false => ("sampler_t s, ", "s, "),
            };
            let width = ["", "2", "4"][coordinates - 1];
            let (result, image) = (Type::vector(image.scalar, 4).name(), image.shape.names().0);
            self.helpers.push(Node::text(
                Role::Statement,
                format!(
                    "{result} {function}(read_only {image} i, {parameter}{of}{width} at) \
                     {{ return read_image{read}(i, {argument}at); }}"
                ),
            ));
            format!("{function}({name}, {sampler}{at})")
        } else {
            format!("read_image{read}({name}, {sampler}{at})")
        };
        let four = Type::vector(image.scalar, 4);
        if ty == four {
            return Some(self.node(ty, &call, nodes));
        }
        let swizzle = self.swizzle(4, ty.width, false);
        Some(self.node(ty, &format!("({call}).{swizzle}"), nodes))
    }

    /// A texel for each work-item, in an image that comes back.
    pub(super) fn image_write(&mut self) -> Node {
        self.full();
        let shape = *self.random.pick(&[Line, Buffer, Lines, Plane, Planes, Volume]);
        let (sizes, at) = match shape {
            Line | Buffer => ([GLOBAL, 1, 1], "(int)gid"),
            Lines => ([GLOBAL / 2, 1, 2], "(int2)((int)gid >> 1, (int)gid & 1)"),
            Plane => ([2, GLOBAL / 2, 1], "(int2)((int)gid & 1, (int)gid >> 1)"),
            Planes | Volume => {
                ([2, 2, GLOBAL / 4], "(int4)((int)gid & 1, ((int)gid >> 1) & 1, (int)gid >> 2, 0)")
            }
        };
        let scalar = *self.random.pick(&TEXELS);
        // One that is read too, behind what makes the work-item's own texel visible to it.
        let is_read = self.version == Version::V20 && self.random.chance(40);
        let access = if is_read { "read_write " } else { "write_only " };
        let name = self.image_parameter(access, shape, sizes, scalar, is_read);
        let ty = Type::vector(scalar, 4);
        let value = self.value(ty, 3);
        // Of a number that a format has not, the nearest need not be written, and of a NaN any bits.
        let value = match scalar {
            Scalar::Int => Node::template(Role::Fixed, "clamp(@, -128, 127)", vec![value]),
            Scalar::UInt => Node::template(Role::Fixed, "min(@, 255U)", vec![value]),
            _ => {
                let format = "convert_float4(convert_int4_sat(@) & 1023) * 0.25f";
                Node::template(Role::Fixed, format, vec![value])
            }
        };
        let texel = suffix(scalar);
        let write = format!("write_image{texel}({name}, {at}, @);");
        if !is_read {
            return Node::template(Role::Statement, &write, vec![value]);
        }
        let read = match scalar {
            Scalar::Float => format!("as_uint4(read_imagef({name}, {at}))"),
            _ => format!("read_image{texel}({name}, {at})"),
        };
        let mix: String = ["x", "y", "z", "w"].map(|part| format!("MIX({read}.{part}); ")).concat();
        let fence = "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, \
                     memory_scope_work_item);";
        let before = if self.random.chance(50) { mix.as_str() } else { "" };
        let format = format!("{{ {before}{write} {fence} {mix}}}");
        Node::template(Role::Statement, &format, vec![value])
    }
}
