//! Images of depths (OpenCL C 6.15.15), which are read and written as scalars.

use super::groups::{bytes, differences, kernel, read};
use super::images::title;
use super::run::{Argument, Kernel};
use super::sampling::{Image, Kind, Sampler};
use super::value::Value;
use super::want::Want;
use crate::data::Element::{Float, Int};

/// The type of a depth image.
fn depth_type(kind: Kind) -> &'static str {
    if kind.is_array() { "image2d_array_depth_t" } else { "image2d_depth_t" }
}

/// Depths are scalars: read at their places, by a sampler at integers and between pixels; and queried.
pub fn read_kernel(index: usize, image: &Image, linear: bool) -> Kernel {
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
    let [width, height, layers] = image.size;
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
        Argument::Input(bytes(&super::images::places(image))),
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
pub fn write_kernel(index: usize, image: &Image) -> Kernel {
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
        Argument::Input(bytes(&super::images::places(image))),
        Argument::Input(bytes(&input)),
    ];
    let channel = image.channel;
    let element = channel.element;
    let check = Box::new(move |outputs: &[Vec<u8>], _: &str| {
        differences(&read(element, &outputs[0]), &want)
    });
    let made = kernel(index, &title("depth write", image), &source, arguments, (&[1], &[1]), check);
    if !channel.normalized {
        return made;
    }
    made.checked_on_vulkan(Box::new(move |outputs: &[Vec<u8>], _: &str| {
        channel.wrongly_rounded(&read(element, &outputs[0]), &depths)
    }))
}
