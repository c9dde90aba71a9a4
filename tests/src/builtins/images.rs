//! Image functions (OpenCL C 6.15.15): reads with and without samplers, writes, images that are
//! read and written, and queries, of all kinds and formats, against a sampler of the host.

//@ section 6.2.2.1 6.15.15.1 6.15.15.1.1 6.15.15.2 6.15.15.3 6.15.15.4 6.15.15.5 6.15.15.6 6.15.15.7 8.1 8.2 8.3.1.1 8.3.1.3 8.3.2 8.3.3 8.3.4 8.4 in 2.0

use std::sync::Arc;

use super::depth_images;
use super::groups::{bytes, differences, kernel, read};
use super::run::{Argument, Check, Family, Kernel};
use super::sampling::{CHANNELS, Channel, Image, KINDS, Kind, Sampler};
use super::value::{Value, name};
use super::want::Want;
use crate::data::Element::{self, Float, Int};

const ORDERS: [&str; 8] = ["rgba", "bgra", "r", "rg", "ra", "a", "intensity", "luminance"];

pub fn family() -> Family {
    let mut kernels: Vec<Kernel> = Vec::new();
    for (index, (kind, order, channel)) in formats().into_iter().enumerate() {
        let image = Image::new(kind, order, channel);
        kernels.push(plain_reads(kernels.len(), &image, ["read_only", "read_write"][index % 2]));
        kernels.push(writes(kernels.len(), &image, ["write_only", "read_write"][index % 2]));
        if kind != Kind::Buffer {
            kernels.push(integer_coordinates(kernels.len(), &image, index % 3 != 0));
        }
    }
    kernels.push(halves(kernels.len()));
    for kind in [Kind::D2, Kind::Array2] {
        for channel in ["float", "unorm16"] {
            let image = Image::new(kind, "depth", Channel::named(channel));
            for linear in [false, true] {
                kernels.push(depth_images::read_kernel(kernels.len(), &image, linear));
            }
            kernels.push(depth_images::write_kernel(kernels.len(), &image));
        }
    }
    for kind in KINDS {
        kernels.push(updates(kernels.len(), kind));
        kernels.push(queries(kernels.len(), kind));
        if kind == Kind::Buffer {
            continue;
        }
        for channel in ["float", "unorm8", "uint8", "int32"] {
            let channel = Channel::named(channel);
            for sampler in samplers(channel) {
                let image = Image::new(kind, "rgba", channel);
                for literal in [false, true] {
                    kernels.push(sampled(kernels.len(), &image, sampler, literal));
                }
            }
        }
        // By these sizes no division is exact; what is not normalized does not depend on them.
        for channel in ["float", "int32"] {
            let channel = Channel::named(channel);
            for sampler in samplers(channel).into_iter().filter(|sampler| !sampler.normalized) {
                let image = Image::sized(kind, kind.odd_size(), "rgba", channel);
                for literal in [false, true] {
                    kernels.push(sampled(kernels.len(), &image, sampler, literal));
                }
            }
        }
        let image = Image::new(kind, "r", Channel::named("float"));
        let sampler = Sampler { normalized: true, address: "clamp", linear: true };
        kernels.push(sampled(kernels.len(), &image, sampler, true));
    }
    // The border has an alpha of its own for each order.
    for order in ORDERS {
        for channel in ["unorm8", "half", "snorm16"] {
            if order == "bgra" && channel != "unorm8" {
                continue;
            }
            let image = Image::new(Kind::D2, order, Channel::named(channel));
            for linear in [false, true] {
                let sampler = Sampler { normalized: linear, address: "clamp", linear };
                kernels.push(sampled(kernels.len(), &image, sampler, linear));
            }
        }
    }
    Family::new("images", "CL2.0", kernels)
}

/// All formats of two-dimensional images that the driver has, and some for the other kinds.
fn formats() -> Vec<(Kind, &'static str, Channel)> {
    let mut list = Vec::new();
    for order in ORDERS {
        for channel in CHANNELS {
            let exists = match order {
                "bgra" => matches!(channel.name, "unorm8" | "snorm8" | "int8" | "uint8"),
                "intensity" | "luminance" => channel.suffix() == "f",
                _ => true,
            };
            if exists {
                list.push((Kind::D2, order, channel));
            }
        }
    }
    for kind in KINDS {
        for (order, channel) in [
            ("rgba", "float"),
            ("rgba", "uint8"),
            ("rg", "int16"),
            ("r", "float"),
            ("rgba", "unorm16"),
        ] {
            if kind != Kind::D2 {
                list.push((kind, order, Channel::named(channel)));
                // Both accesses of each.
                list.push((kind, order, Channel::named(channel)));
            }
        }
    }
    list
}

/// Valid combinations: integers are not filtered, and only normalized coordinates repeat.
fn samplers(channel: Channel) -> Vec<Sampler> {
    let mut list = Vec::new();
    for linear in [false, true] {
        for normalized in [false, true] {
            for address in ["none", "edge", "clamp", "repeat", "mirror"] {
                let valid = normalized || !matches!(address, "repeat" | "mirror");
                if valid && (!linear || channel.suffix() == "f") {
                    list.push(Sampler { normalized, address, linear });
                }
            }
        }
    }
    list
}

fn texels(channel: Channel, rgba: [f64; 4]) -> Vec<Value> {
    rgba.iter()
        .map(|&component| match channel.texel() {
            Float => Value::float(Float, component),
            element => Value::int(element, component as i128),
        })
        .collect()
}

/// Compares texels: integers exactly, floats within `error` of the largest that can occur.
fn compare(channel: Channel, output: &[u8], wants: &[[f64; 4]], error: f64) -> Vec<String> {
    let got = read(channel.texel(), output);
    if channel.texel() != Float {
        let want: Vec<Value> = wants.iter().flat_map(|&rgba| texels(channel, rgba)).collect();
        return differences(&got, &want);
    }
    if got.len() != 4 * wants.len() {
        return vec![format!("{} components instead of {}", got.len(), 4 * wants.len())];
    }
    got.iter()
        .zip(wants.iter().flatten())
        .enumerate()
        .filter(|(_, (got, want))| !Want::Near(**want, error).allows(**got))
        .map(|(index, (got, want))| {
            format!("texel {}, component {}: got {got:?}, want {want}", index / 4, index % 4)
        })
        .collect()
}

/// The coordinates of all pixels, as `int4`.
pub(super) fn places(image: &Image) -> Vec<Value> {
    (0..image.pixels())
        .flat_map(|index| {
            let [x, y, z] = image.place(index);
            [x, y, z, 0]
        })
        .map(|value| Value::int(Int, i128::from(value)))
        .collect()
}

pub(super) fn title(what: &str, image: &Image) -> String {
    format!("{what} of {} {} {}", image.kind.type_name(), image.order, image.channel.name)
}

fn plain_reads(index: usize, image: &Image, access: &str) -> Kernel {
    let channel = image.channel;
    let source = format!(
        "kernel void NAME({access} {} image, global const int4 *at, global {ty}4 *out) {{\n\
         for (int i = 0; i < {}; i++) {{ int4 c = at[i]; out[i] = read_image{}(image, {}); }}\n}}\n",
        image.kind.type_name(),
        image.pixels(),
        channel.suffix(),
        image.kind.coordinate("int"),
        ty = name(channel.texel()),
    );
    let wants: Vec<[f64; 4]> = (0..image.pixels()).map(|index| image.pixel(index)).collect();
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&places(image))),
        Argument::Output(wants.len() * 16),
    ];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| compare(channel, &outputs[1], &wants, 1e-6));
    kernel(index, &title(&format!("{access} read"), image), &source, arguments, (&[1], &[1]), check)
}

/// A sampler with integer coordinates, inside and outside of the image.
fn integer_coordinates(index: usize, image: &Image, literal: bool) -> Kernel {
    let channel = image.channel;
    let dimensions = image.kind.dimensions();
    let mut coordinates: Vec<[i64; 3]> =
        (0..image.pixels()).map(|index| image.place(index)).collect();
    for far in [-3, -1, 8, 20] {
        for d in 0..image.kind.coordinates() {
            let mut place = [1; 3];
            place[d] = far;
            coordinates.push(place);
        }
    }
    let address = if dimensions == 2 { "edge" } else { "clamp" };
    let constant = if dimensions == 2 { "CLAMP_TO_EDGE" } else { "CLAMP" };
    let source = format!(
        "{}kernel void NAME(read_only {} image, {}global const int4 *at, global {ty}4 *out) {{\n\
         for (int i = 0; i < {}; i++) {{ int4 c = at[i]; out[i] = read_image{}(image, NAME_sampler, {}); }}\n}}\n",
        if literal {
            format!(
                "constant sampler_t NAME_sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_{constant} | CLK_FILTER_NEAREST;\n"
            )
        } else {
            String::new()
        },
        image.kind.type_name(),
        if literal { "" } else { "sampler_t NAME_sampler, " },
        coordinates.len(),
        channel.suffix(),
        image.kind.coordinate("int"),
        ty = name(channel.texel()),
    );
    let sampler = Sampler { normalized: false, address, linear: false };
    let wants: Vec<[f64; 4]> =
        coordinates.iter().map(|place| image.sample(sampler, place.map(|x| x as f64))).collect();
    let places: Vec<Value> = coordinates
        .iter()
        .flat_map(|&[x, y, z]| [x, y, z, 0])
        .map(|value| Value::int(Int, i128::from(value)))
        .collect();
    let mut arguments = vec![Argument::Line(image.line())];
    if !literal {
        arguments.push(Argument::Line(format!("sampler 0 {address} nearest")));
    }
    arguments.push(Argument::Input(bytes(&places)));
    arguments.push(Argument::Output(wants.len() * 16));
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| compare(channel, &outputs[1], &wants, 1e-6));
    kernel(index, &title("read at integers", image), &source, arguments, (&[1], &[1]), check)
}

/// Coordinates for a sampler: between pixels, and then where something ends.
fn coordinates(image: &Image, sampler: Sampler) -> Vec<[f64; 3]> {
    let dimensions = image.kind.dimensions();
    // Of pixels, and the layer.
    let mut coordinates: Vec<[f64; 3]> = Vec::new();
    let is_inside = |x: f64, size: f64| {
        let margin = if sampler.linear { 0.5 } else { 0.0 };
        x >= margin && (x < size || sampler.linear) && x <= size - margin
    };
    // Eighths of pixels, never on a border between two of them; outside where that is defined.
    let outside = sampler.address != "none";
    for step in 0..96 {
        let mut place = [0.0; 3];
        for (d, component) in place.iter_mut().enumerate() {
            let size = image.size[d.min(2)] as f64;
            let x = ((step * (7 + 4 * d) + d) % 61) as f64 / 61.0;
            let pixels =
                if outside { (x * 3.0 - 1.0) * size } else { 1.0 + x * (size - 2.0).max(0.0) };
            *component = (pixels * 4.0).floor() / 4.0 + 0.125;
            if d == dimensions {
                // Layers are rounded and clamped.
                *component = (step % 9) as f64 / 2.0 - 0.75;
            }
        }
        coordinates.push(place);
    }
    let middle = |d: usize| (image.size[d.min(2)] / 2) as f64 + 0.125;
    let middle = [middle(0), middle(1), middle(2)];
    for d in 0..dimensions {
        let size = image.size[d] as f64;
        let far = 128.0 * size + 0.375;
        for x in [0.0, 0.5, 1.0, 1.5, size - 1.0, size - 0.5, size].into_iter().chain([
            -0.5,
            -1.0,
            -1.5,
            size + 0.5,
            size + 1.0,
            size + 1.5,
            far,
            -far,
        ]) {
            // There OpenCL mirrors the coordinate and Vulkan the pixel, which is the one on the other
            // side of the border.
            let is_mirrored_border =
                sampler.address == "mirror" && !sampler.linear && x.fract() == 0.0;
            if !is_mirrored_border && (outside || is_inside(x, size)) {
                let mut place = middle;
                place[d] = x;
                if image.kind.is_array() {
                    place[dimensions] = 1.0;
                }
                coordinates.push(place);
            }
        }
    }
    if image.kind.is_array() {
        for layer in [-0.5, 0.5, 1.5, -1e6, 1e6] {
            let mut place = middle;
            place[dimensions] = layer;
            coordinates.push(place);
        }
    }
    if sampler.normalized {
        for place in &mut coordinates {
            for (component, size) in place.iter_mut().zip(image.size).take(dimensions) {
                // Sizes are powers of two, so that nothing is rounded.
                *component /= size as f64;
            }
        }
    }
    coordinates
}

/// By how much a filtered texel of a Vulkan device may differ. Devices filter numbers of 8 bits as such, and
/// round after each dimension, and halves as such; and they have coordinates with 8 bits behind the point
/// (subTexelPrecisionBits of all that there are), which is exact for eighths of pixels, but not for what
/// has been divided by the size of an image, nor on every device for images of three dimensions. A weight
/// that is off by one step moves the texel by that part of what two pixels differ by, or a pixel and the
/// border. At unnormalized coordinates of arrays and of three dimensions, which Vulkan has not, the kernel
/// filters by itself, in floats.
fn filter_error(image: &Image, sampler: Sampler) -> f64 {
    if !sampler.linear {
        return 0.0;
    }
    let values = || (0..image.pixels()).flat_map(|index| image.pixel(index));
    let range = values().fold(0.0, f64::max) - values().fold(0.0, f64::min);
    let dimensions = image.kind.dimensions() as f64;
    if !sampler.normalized && (image.kind.is_array() || dimensions == 3.0) {
        return range * 2e-6;
    }
    let rounding = match image.channel.element {
        Element::UChar | Element::Char => dimensions * 0.5 / 255.0,
        // What comes out has as many bits.
        Element::Half => range / 2048.0,
        _ => 0.0,
    };
    let is_exact = image.size == image.kind.size() && dimensions < 3.0;
    let weights = if is_exact { 0.0 } else { dimensions / 256.0 };
    rounding + weights * range
}

/// A sampler with floating-point coordinates, as a literal or as an argument.
fn sampled(index: usize, image: &Image, sampler: Sampler, literal: bool) -> Kernel {
    let channel = image.channel;
    let coordinates = coordinates(image, sampler);
    let constant = format!(
        "CLK_NORMALIZED_COORDS_{} | CLK_ADDRESS_{} | CLK_FILTER_{}",
        if sampler.normalized { "TRUE" } else { "FALSE" },
        match sampler.address {
            "none" => "NONE",
            "edge" => "CLAMP_TO_EDGE",
            "clamp" => "CLAMP",
            "repeat" => "REPEAT",
            _ => "MIRRORED_REPEAT",
        },
        if sampler.linear { "LINEAR" } else { "NEAREST" },
    );
    let source = format!(
        "kernel void NAME(read_only {} image, {}global const float4 *at, global {ty}4 *out) {{\n{}\
         for (int i = 0; i < {}; i++) {{ float4 c = at[i]; out[i] = read_image{}(image, s, {}); }}\n}}\n",
        image.kind.type_name(),
        if literal { "" } else { "sampler_t s, " },
        if literal { format!("const sampler_t s = {constant};\n") } else { String::new() },
        coordinates.len(),
        channel.suffix(),
        image.kind.coordinate("float"),
        ty = name(channel.texel()),
    );
    let wants: Arc<[[f64; 4]]> =
        coordinates.iter().map(|&place| image.sample(sampler, place)).collect();
    let places: Vec<Value> = coordinates
        .iter()
        .flat_map(|&[x, y, z]| [x, y, z, 0.0])
        .map(|value| Value::float(Float, value))
        .collect();
    let mut arguments = vec![Argument::Line(image.line())];
    if !literal {
        arguments.push(Argument::Line(format!(
            "sampler {} {} {}",
            u8::from(sampler.normalized),
            sampler.address,
            if sampler.linear { "linear" } else { "nearest" }
        )));
    }
    arguments.push(Argument::Input(bytes(&places)));
    arguments.push(Argument::Output(wants.len() * 16));
    let check = |error: f64| -> Check {
        let wants = Arc::clone(&wants);
        Box::new(move |outputs, _| compare(channel, &outputs[1], &wants, error))
    };
    let error = if sampler.linear { 1e-4 } else { 1e-6 };
    let how = if literal { "literal" } else { "argument" };
    let what = format!("{constant} ({how})");
    kernel(index, &title(&what, image), &source, arguments, (&[1], &[1]), check(error))
        .checked_on_vulkan(check(error + filter_error(image, sampler)))
}

/// Texels to write: in range, out of range, and between two values of the format.
fn written(channel: Channel, count: usize) -> Vec<[f64; 4]> {
    (0..count)
        .map(|index| {
            [0, 1, 2, 3].map(|component| {
                let step = (index * 4 + component) as i64;
                match channel.suffix() {
                    "f" if channel.element.is_float() => (step % 37 - 18) as f64 / 4.0,
                    // Not in the middle of two values.
                    "f" => (step % 41 - 20) as f64 / 16.0 + 0.001,
                    "i" => ((step * 7919) % 100_003 - 50_001) as f64,
                    _ => ((step * 7919) % 100_003) as f64,
                }
            })
        })
        .collect()
}

fn writes(index: usize, image: &Image, access: &str) -> Kernel {
    let channel = image.channel;
    let ty = name(channel.texel());
    let source = format!(
        "kernel void NAME({access} {} image, global const int4 *at, global const {ty}4 *in) {{\n\
         for (int i = 0; i < {}; i++) {{ int4 c = at[i]; write_image{}(image, {}, in[i]); }}\n}}\n",
        image.kind.type_name(),
        image.pixels(),
        channel.suffix(),
        image.kind.coordinate("int"),
    );
    let texel_values = written(channel, image.pixels());
    let input: Vec<Value> = texel_values.iter().flat_map(|&rgba| texels(channel, rgba)).collect();
    let want: Vec<Value> = texel_values.iter().flat_map(|&rgba| image.stored(rgba)).collect();
    let kept: Vec<f64> = texel_values.iter().flat_map(|&rgba| image.kept(rgba)).collect();
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&places(image))),
        Argument::Input(bytes(&input)),
    ];
    let element: Element = channel.element;
    let exact = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    let what = title(&format!("{access} write"), image);
    let made = kernel(index, &what, &source, arguments, (&[1], &[1]), exact);
    if !channel.normalized {
        return made;
    }
    made.checked_on_vulkan(Box::new(move |outputs: &[Vec<u8>], _: &str| {
        channel.wrongly_rounded(&read(element, &outputs[0]), &kept)
    }))
}

/// Each pixel is read, changed and written back by a work-item of its own.
fn updates(index: usize, kind: Kind) -> Kernel {
    let channel = Channel::named("int32");
    let image = Image::new(kind, "rgba", channel);
    let source = format!(
        "kernel void NAME(read_write {} image, global const int4 *at) {{\n\
         int4 c = at[get_global_id(0)];\n\
         int4 v = read_imagei(image, {coordinate});\n\
         write_imagei(image, {coordinate}, v.wzyx ^ 5);\n}}\n",
        kind.type_name(),
        coordinate = kind.coordinate("int"),
    );
    let want: Vec<Value> = image
        .data
        .chunks(4)
        .flat_map(|pixel| pixel.iter().rev())
        .map(|value| Value::int(Int, value.to_int() ^ 5))
        .collect();
    let arguments = vec![Argument::Line(image.line()), Argument::Input(bytes(&places(&image)))];
    let pixels = image.pixels();
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[0]), &want));
    kernel(index, &title("update", &image), &source, arguments, (&[pixels], &[1]), check)
}

fn queries(index: usize, kind: Kind) -> Kernel {
    let image = Image::new(kind, "rg", Channel::named("uint16"));
    let [width, height, depth] = kind.size().map(|size| size as i128);
    let mut calls = vec![
        ("get_image_width(image)", width),
        ("get_image_channel_order(image) == CLK_RG", 1),
        ("get_image_channel_data_type(image) == CLK_UNSIGNED_INT16", 1),
    ];
    if kind.dimensions() > 1 {
        calls.push(("get_image_height(image)", height));
        calls.push(("get_image_dim(image).x", width));
        calls.push(("get_image_dim(image).y", height));
    }
    if kind == Kind::D3 {
        calls.push(("get_image_depth(image)", depth));
        calls.push(("get_image_dim(image).z", depth));
        calls.push(("get_image_dim(image).w", 0));
    }
    if kind.is_array() {
        calls.push(("(int)get_image_array_size(image)", depth));
    }
    let statements: String = calls.iter().map(|(call, _)| format!("*out++ = {call};\n")).collect();
    let source = format!(
        "kernel void NAME(read_only {} image, global int *out) {{\n{statements}}}\n",
        kind.type_name()
    );
    let want: Vec<Value> = calls.iter().map(|&(_, value)| Value::int(Int, value)).collect();
    let arguments = vec![Argument::Line(image.line()), Argument::Output(want.len() * 4)];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| differences(&read(Int, &outputs[1]), &want));
    kernel(index, &title("queries", &image), &source, arguments, (&[1], &[1]), check)
}

/// Texels in half precision: read, and written back in another order.
fn halves(index: usize) -> Kernel {
    let image = Image::new(Kind::D2, "rgba", Channel::named("half"));
    let source = "kernel void NAME(read_write image2d_t image, global const int4 *at) {\n\
                  int2 c = at[get_global_id(0)].xy;\n\
                  half4 v = read_imageh(image, c);\n\
                  write_imageh(image, c, v.wzyx);\n}\n";
    let want: Vec<Value> =
        image.data.chunks(4).flat_map(|pixel| pixel.iter().rev().copied()).collect();
    let arguments = vec![Argument::Line(image.line()), Argument::Input(bytes(&places(&image)))];
    let pixels = image.pixels();
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(Element::Half, &outputs[0]), &want)
    });
    kernel(index, "read_imageh and write_imageh", source, arguments, (&[pixels], &[1]), check)
}
