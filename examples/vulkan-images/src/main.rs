//! Paints a picture with a kernel of this package, and develops it with kernels of darktable, a
//! program for photographs whose kernels take and write images.
//!
//! `vulkan-images FOLDER EXTENDED.spv EXTENDED.json` writes `before.png` and `after.png`. The module is
//! what `clc --target-env=vulkan1.3 extended.cl -o EXTENDED.spv --reflection EXTENDED.json` makes of
//! darktable's kernel of that name. With a second folder at the end, the pictures must look as those in
//! it: devices may round differently.

mod gpu;

use std::{fs::File, io::BufReader, path::Path};

use gpu::{Done, Given, Gpu, HEIGHT, WIDTH};

static SCENE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scene.spv"));
static SCENE_REFLECTION: &str = include_str!(concat!(env!("OUT_DIR"), "/scene.json"));

fn main() -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, words, reflection, expected @ ..] = &arguments[..] else {
        return Err("usage: vulkan-images FOLDER EXTENDED.spv EXTENDED.json [EXPECTED]".into());
    };
    let save = |name: &str, pixels: &[f32]| save(folder, expected.first(), name, pixels);
    let gpu = Gpu::new()?;
    let scene = gpu.module(SCENE, SCENE_REFLECTION)?;
    let darktable = gpu.module(&std::fs::read(words)?, &std::fs::read_to_string(reflection)?)?;
    let (first, second) = (gpu.image()?, gpu.image()?);

    gpu.launch(&scene, "paint", |_| Given::Image(first))?;
    save("before.png", &gpu.pixels(first)?)?;

    // Each kernel reads one image and writes the other.
    let size = |name: &str| if name == "width" { WIDTH } else { HEIGHT };
    gpu.launch(&darktable, "velvia", |name| match name {
        "in" => Given::Image(first),
        "out" => Given::Image(second),
        "strength" => Given::floats(&[0.6]),
        "bias" => Given::floats(&[1.0]),
        name => Given::Bytes(size(name).to_le_bytes().to_vec()),
    })?;
    gpu.launch(&darktable, "vignette", |name| match name {
        "in" => Given::Image(second),
        "out" => Given::Image(first),
        "scale" => Given::floats(&[2.0 / WIDTH as f32, 2.0 / HEIGHT as f32]),
        "roi_center_scaled" => Given::floats(&[1.0, 1.0]),
        "expt" => Given::floats(&[2.0, 0.5]),
        "dscale" => Given::floats(&[0.6]),
        "fscale" => Given::floats(&[0.7]),
        "brightness" => Given::floats(&[-0.75]),
        "saturation" => Given::floats(&[-0.4]),
        "dither" | "unbound" => Given::Bytes(vec![0; 4]),
        name => Given::Bytes(size(name).to_le_bytes().to_vec()),
    })?;
    save("after.png", &gpu.pixels(first)?)
}

/// Writes linear colours as a picture, and compares it with what is expected.
fn save(folder: &str, expected: Option<&String>, name: &str, pixels: &[f32]) -> Done {
    let encode = |value: &f32| (value.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8;
    let bytes: Vec<u8> = pixels.chunks(4).flat_map(|pixel| pixel[..3].iter().map(encode)).collect();
    let path = Path::new(folder).join(name);
    let mut encoder = png::Encoder::new(File::create(&path)?, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&bytes)?;
    println!("{}", path.display());

    let Some(expected) = expected else { return Ok(()) };
    let file = BufReader::new(File::open(Path::new(expected).join(name))?);
    let mut reader = png::Decoder::new(file).read_info()?;
    let mut wanted = vec![0; bytes.len()];
    reader.next_frame(&mut wanted)?;
    // The edges of things may fall to one side or the other.
    let far = bytes.iter().zip(&wanted).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    if far > bytes.len() / 500 {
        return Err(
            format!("{name}: {far} of {} components are not as expected", bytes.len()).into()
        );
    }
    Ok(())
}
