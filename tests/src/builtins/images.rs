//! Image functions (OpenCL C 6.15.15): reads with and without samplers, writes, images that are
//! read and written, and queries, of all kinds and formats, against a sampler of the host.

//@ section 6.2.2.1 6.15.15.1 6.15.15.1.1 6.15.15.2 6.15.15.3 6.15.15.4 6.15.15.5 6.15.15.6 6.15.15.7 8.1 8.2 8.3.1.1 8.3.1.3 8.3.2 8.3.3 8.3.4 8.4 in 2.0

use super::groups::{bytes, differences, kernel, read};
use super::run::{Argument, Family, Kernel};
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
            kernels.push(integer_coordinates(kernels.len(), &image));
        }
    }
    kernels.push(halves(kernels.len()));
    for kind in [Kind::D2, Kind::Array2] {
        for channel in ["float", "unorm16"] {
            let image = Image::new(kind, "depth", Channel::named(channel));
            for linear in [false, true] {
                kernels.push(depths_read(kernels.len(), &image, linear));
            }
            kernels.push(depths_written(kernels.len(), &image));
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
        let image = Image::new(kind, "r", Channel::named("float"));
        let sampler = Sampler { normalized: true, address: "clamp", linear: true };
        kernels.push(sampled(kernels.len(), &image, sampler, true));
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
fn places(image: &Image) -> Vec<Value> {
    (0..image.pixels())
        .flat_map(|index| {
            let [x, y, z] = image.place(index);
            [x, y, z, 0]
        })
        .map(|value| Value::int(Int, i128::from(value)))
        .collect()
}

fn title(what: &str, image: &Image) -> String {
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
fn integer_coordinates(index: usize, image: &Image) -> Kernel {
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
        "constant sampler_t NAME_sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_{constant} | CLK_FILTER_NEAREST;\n\
         kernel void NAME(read_only {} image, global const int4 *at, global {ty}4 *out) {{\n\
         for (int i = 0; i < {}; i++) {{ int4 c = at[i]; out[i] = read_image{}(image, NAME_sampler, {}); }}\n}}\n",
        image.kind.type_name(),
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
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&places)),
        Argument::Output(wants.len() * 16),
    ];
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| compare(channel, &outputs[1], &wants, 1e-6));
    kernel(index, &title("read at integers", image), &source, arguments, (&[1], &[1]), check)
}

/// A sampler with floating-point coordinates, as a literal or as an argument.
fn sampled(index: usize, image: &Image, sampler: Sampler, literal: bool) -> Kernel {
    let channel = image.channel;
    let sizes = image.kind.size();
    let dimensions = image.kind.dimensions();
    let mut coordinates: Vec<[f64; 3]> = Vec::new();
    // Eighths of pixels, never on a border between two of them; outside where that is defined.
    let outside = sampler.address != "none";
    for step in 0..96 {
        let mut place = [0.0; 3];
        for (d, component) in place.iter_mut().enumerate() {
            let size = sizes[d.min(2)] as f64;
            let x = ((step * (7 + 4 * d) + d) % 61) as f64 / 61.0;
            let pixels =
                if outside { (x * 3.0 - 1.0) * size } else { 1.0 + x * (size - 2.0).max(0.0) };
            let pixels = (pixels * 4.0).floor() / 4.0 + 0.125;
            *component = if sampler.normalized && d < dimensions { pixels / size } else { pixels };
            if d == dimensions {
                // Layers are rounded and clamped.
                *component = (step % 9) as f64 / 2.0 - 0.75;
            }
        }
        // Sizes are powers of two, so that nothing is rounded on the way.
        coordinates.push(place);
    }
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
    let wants: Vec<[f64; 4]> =
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
    let check =
        Box::new(move |outputs: &[Vec<u8>], _: &str| compare(channel, &outputs[1], &wants, 1e-4));
    let how = if literal { "literal" } else { "argument" };
    let what = format!("{constant} ({how})");
    kernel(index, &title(&what, image), &source, arguments, (&[1], &[1]), check)
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
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&places(image))),
        Argument::Input(bytes(&input)),
    ];
    let element: Element = channel.element;
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    kernel(
        index,
        &title(&format!("{access} write"), image),
        &source,
        arguments,
        (&[1], &[1]),
        check,
    )
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

/// The type of a depth image.
fn depth_type(kind: Kind) -> &'static str {
    if kind.is_array() { "image2d_array_depth_t" } else { "image2d_depth_t" }
}

/// Depths are scalars: read at their places, by a sampler at integers and between pixels; and queried.
fn depths_read(index: usize, image: &Image, linear: bool) -> Kernel {
    const STEPS: usize = 40;
    let filter = if linear { "LINEAR" } else { "NEAREST" };
    let source = format!(
        "kernel void NAME(read_only {ty} image, global const int4 *at, global const float4 *between, global float *out, global int *queries) {{\n\
         const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n\
         const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_{filter};\n\
         for (int i = 0; i < {pixels}; i++) {{ int4 c = at[i]; *out++ = read_imagef(image, {int}); *out++ = read_imagef(image, exact, {int}); }}\n\
         for (int i = 0; i < {STEPS}; i++) {{ float4 c = between[i]; *out++ = read_imagef(image, s, {float}); }}\n\
         queries[0] = get_image_channel_order(image) == CLK_DEPTH;\n\
         queries[1] = get_image_width(image) * 100 + get_image_height(image);\n\
         queries[2] = get_image_dim(image).x * 100 + get_image_dim(image).y;\n{layers}}}\n",
        ty = depth_type(image.kind),
        pixels = image.pixels(),
        int = image.kind.coordinate("int"),
        float = image.kind.coordinate("float"),
        layers =
            if image.kind.is_array() { "queries[3] = get_image_array_size(image);\n" } else { "" },
    );
    let sampler = Sampler { normalized: true, address: "edge", linear };
    let [width, height, layers] = image.kind.size();
    let coordinates: Vec<[f64; 3]> = (0..STEPS)
        .map(|step| {
            let eighths = |by: usize, size: usize| {
                let pixels = (step * by % (4 * size + 16)) as f64 / 4.0 - 2.0 + 0.125;
                pixels / size as f64
            };
            [eighths(7, width), eighths(5, height), (step % 9) as f64 / 2.0 - 0.75]
        })
        .collect();
    let mut wants: Vec<f64> =
        (0..image.pixels()).flat_map(|index| [image.pixel(index)[0]; 2]).collect();
    wants.extend(coordinates.iter().map(|&place| image.sample(sampler, place)[0]));
    let places: Vec<Value> = coordinates
        .iter()
        .flat_map(|&[x, y, z]| [x, y, z, 0.0])
        .map(|value| Value::float(Float, value))
        .collect();
    let mut answers = vec![1, width * 100 + height, width * 100 + height];
    if image.kind.is_array() {
        answers.push(layers);
    }
    let answers: Vec<Value> =
        answers.into_iter().map(|value| Value::int(Int, value as i128)).collect();
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&self::places(image))),
        Argument::Input(bytes(&places)),
        Argument::Output(wants.len() * 4),
        Argument::Output(answers.len() * 4),
    ];
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        let got = read(Float, &outputs[1]);
        let mut wrong: Vec<String> = got
            .iter()
            .zip(&wants)
            .enumerate()
            .filter(|(_, (got, want))| !Want::Near(**want, 1e-4).allows(**got))
            .map(|(index, (got, want))| format!("depth {index}: got {got:?}, want {want}"))
            .collect();
        wrong.extend(differences(&read(Int, &outputs[2]), &answers));
        wrong
    });
    let what = title(&format!("depth read, {filter}"), image);
    kernel(index, &what, &source, arguments, (&[1], &[1]), check)
}

/// Depths that are written, as the format has them.
fn depths_written(index: usize, image: &Image) -> Kernel {
    let source = format!(
        "kernel void NAME(write_only {} image, global const int4 *at, global const float *in) {{\n\
         for (int i = 0; i < {}; i++) {{ int4 c = at[i]; write_imagef(image, {}, in[i]); }}\n}}\n",
        depth_type(image.kind),
        image.pixels(),
        image.kind.coordinate("int"),
    );
    // Not in the middle of two values.
    let depths: Vec<f64> =
        (0..image.pixels()).map(|index| (index * 7 % 97) as f64 / 97.0).collect();
    let input: Vec<Value> = depths.iter().map(|&depth| Value::float(Float, depth)).collect();
    let want: Vec<Value> =
        input.iter().flat_map(|depth| image.stored([depth.to_float(); 4])).collect();
    let arguments = vec![
        Argument::Line(image.line()),
        Argument::Input(bytes(&places(image))),
        Argument::Input(bytes(&input)),
    ];
    let element = image.channel.element;
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    kernel(index, &title("depth write", image), &source, arguments, (&[1], &[1]), check)
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
