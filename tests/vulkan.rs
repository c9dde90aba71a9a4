//! What `clc-run-vulkan` makes of a module and its reflection, with modules written by hand
//! (`vulkan/*.spvasm`), so that an error of the runner is told from one of the compiler.
//!
//! Without a Vulkan driver nothing runs, which is said loudly, and is a failure where `CI` is set.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clc::profile::Instruction;
use clc_tests::driver::{self, Vulkan};
use clc_tests::{hex, process};
use libtest_mimic::{Arguments, Failed, Trial};
use spirv_tools::TargetEnv;

const LIMIT: Duration = Duration::from_secs(60);

/// Name, module, jobs, and the results: exactly, or how an error begins.
struct Test {
    name: &'static str,
    module: &'static str,
    jobs: String,
    wanted: Vec<String>,
}

fn words(values: &[u32]) -> String {
    hex::encode(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}

fn floats(values: &[f32]) -> String {
    words(&values.iter().map(|value| value.to_bits()).collect::<Vec<u32>>())
}

fn tests() -> Vec<Test> {
    let x: Vec<f32> = (0..8).map(|i| i as f32).collect();
    let y = [10.0f32; 8];
    let all: Vec<f32> = (0..8).map(|i| 2.5 * i as f32 + 10.0).collect();
    let behind: Vec<f32> = (0..8).map(|i| if i < 4 { 10.0 } else { all[i] }).collect();
    let saxpy = |sizes: &str| {
        format!(
            "kernel saxpy\n{sizes}\nscalar {}\nbuffer {}\nbuffer {}\n----\n",
            floats(&[2.5]),
            floats(&x),
            floats(&y)
        )
    };
    let results = |y: &[f32]| format!("{}\n{}\n", floats(&x), floats(y));
    let items: Vec<u32> = (0..8).collect();
    let reverse = |bytes: u32| {
        format!(
            "kernel reverse\nglobal 8\nlocal 4\ndata in {}\ninput in\noutput 32\nlocalmem {bytes}\n----\n",
            words(&items)
        )
    };
    let count = "kernel count\noutput 4\n----\n".to_owned();
    let colour = |texel: f32| [0.0, 10.0, 20.0, 30.0].map(|component| component + texel);
    let colours = floats(&(0..8).flat_map(|texel| colour(texel as f32)).collect::<Vec<f32>>());
    let white = "ff".repeat(8);
    let black = [0.0, 0.0, 0.0, 1.0];
    let sample = |image: &str, sampler: &str, bytes: &str| {
        let coordinates = floats(&[2.5, 1.5, -3.0, 0.5, 0.5, 0.5, 0.25, 0.25]);
        format!(
            "kernel sample\nglobal 4\ndata at {coordinates}\n{image} {bytes}\nsampler {sampler}\ninput at\noutput 128\n----\n"
        )
    };
    // For each place what the sampler of the job returns, and what the shared one does.
    let sampled = |image: &str, colours: [[[f32; 4]; 2]; 4]| {
        format!("{image}\n{}\n", floats(&colours.concat().concat()))
    };
    let texels = |order: &str, image: &str| {
        // Texels (100 + i, 200) in the second layer.
        let layers = words(&[0, 0, 0, 0, 0x00c8_0064, 0x00c8_0065, 0x00c8_0066, 0x00c8_0067]);
        format!(
            "kernel texels\nglobal 4\ntexture 1dbuffer 4 1 1 {order} uint32 {}\ntexture 1dbuffer 4 1 1 r uint8 00000000\ntexture {image} {layers}\n----\n",
            words(&[1, 2, 3, 4])
        )
    };
    vec![
        Test {
            name: "sizes, scalars, buffers and the offset",
            module: "saxpy",
            jobs: [
                saxpy("global 8\nlocal 4"),
                saxpy("global 8"),
                saxpy("global 4\nlocal 2\noffset 4"),
            ]
            .concat(),
            wanted: vec![results(&all), results(&all), results(&behind)],
        },
        Test {
            name: "wrong jobs are errors",
            module: "saxpy",
            jobs: [
                saxpy("global 8\nlocal 3"),
                saxpy("global 8 1 1 1"),
                "kernel saxpy\nscalar 00\nnull\nnull\n----\n".to_owned(),
                "kernel saxpy\nnull\nnull\nnull\n----\n".to_owned(),
                "kernel saxpy\nscalar 00000000\n----\n".to_owned(),
                "kernel absent\n----\n".to_owned(),
                "kernel saxpy\nsampler 0 edge nearest\n----\n".to_owned(),
                saxpy("global 8\nlocal 4"),
            ]
            .concat(),
            wanted: vec![
                "error [8, 1, 1] is no multiple".to_owned(),
                "error [8, 1, 1, 1]: a launch has one to three dimensions".to_owned(),
                "error argument 0 (`float a`)".to_owned(),
                "error argument 0 (`float a`)".to_owned(),
                "error 1 arguments for a kernel with 3".to_owned(),
                "error the module has no kernel `absent`".to_owned(),
                "error 1 arguments for a kernel with 3".to_owned(),
                results(&all),
            ],
        },
        Test {
            name: "local memory by a constant, the block in a buffer, an offset that is not seen",
            module: "reverse",
            jobs: [
                reverse(16),
                reverse(1 << 30),
                reverse(16).replace("global 8", "global 8\noffset 4"),
            ]
            .concat(),
            wanted: vec![
                format!("{}\n", words(&[3, 2, 1, 0, 7, 6, 5, 4])),
                "error 1073741824 bytes of local memory".to_owned(),
                format!("{}\n", words(&[3, 2, 1, 0, 7, 6, 5, 4])),
            ],
        },
        Test {
            name: "data of the program stays between launches",
            module: "count",
            jobs: count.repeat(3),
            wanted: [107, 114, 121].map(|sum| format!("{}\n", words(&[sum]))).to_vec(),
        },
        Test {
            name: "images and samplers, shared ones too",
            module: "images",
            jobs: [
                sample("image 4 2 rgba float", "0 edge nearest", &colours),
                sample("image 4 2 luminance unorm8", "0 clamp nearest", &white),
                sample("image 4 2 a unorm8", "0 clamp nearest", &white),
            ]
            .concat(),
            wanted: vec![
                sampled(
                    &colours,
                    [
                        [colour(6.0), [0.0; 4]],
                        [colour(0.0), [0.0; 4]],
                        [colour(0.0), colour(3.5)],
                        [colour(0.0), colour(0.5)],
                    ],
                ),
                sampled(
                    &white,
                    [[[1.0; 4], black], [black, black], [[1.0; 4]; 2], [[1.0; 4]; 2]],
                ),
                sampled(
                    &white,
                    [[black, [0.0; 4]], [[0.0; 4]; 2], [black; 2], [black; 2]],
                ),
            ],
        },
        Test {
            name: "texels of buffers, images that are read and written",
            module: "images",
            jobs: texels("r", "2darray 4 1 2 rg uint16"),
            wanted: vec![format!(
                "{}\n01020304\n{}\n",
                words(&[1, 2, 3, 4]),
                words(&[0, 0, 0, 0, 0x00c8_0065, 0x00c8_0067, 0x00c8_0069, 0x00c8_006b])
            )],
        },
        Test {
            name: "what is asked of images and samplers",
            module: "images",
            jobs: "kernel described\nimage 2 1 bgra uint8 0000000000000000\nsampler 1 mirror linear\noutput 12\n----\n".to_owned(),
            wanted: vec![format!("{}\n{}\n", "00".repeat(8), words(&[0x10b6, 0x10da, 0x29]))],
        },
        Test {
            name: "images and samplers that there are not",
            module: "images",
            jobs: [
                sample("image 4 2 rgba float", "0 repeat nearest", &colours),
                sample("image 4 2 bgra float", "0 edge nearest", &colours),
                sample("image 4 2 rgba float", "0 edge nearest", "00"),
                sample("texture 1dbuffer 8 1 1 rgba float", "0 edge nearest", &colours),
                texels("a", "2darray 4 1 2 rg uint16"),
                texels("r", "2darray 4 1 2 ra uint16"),
                "kernel described\nsampler 0 edge nearest\nimage 1 1 r uint8 00\nnull\n----\n".to_owned(),
            ]
            .concat(),
            wanted: [
                "only normalized coordinates repeat",
                "no format: Vulkan has no bgra of float",
                "1 bytes for an image of the size [4, 2, 1]",
                "an image of kind 1dbuffer is no SampledImage",
                "no format: Vulkan has no a for UniformTexelBuffer",
                "no format: Vulkan has no ra for StorageImage",
                "argument 1 is no image",
            ]
            .map(|error| format!("error {error}"))
            .to_vec(),
        },
        Test {
            name: "what the validation layer says is an error",
            module: "undeclared",
            jobs: "kernel undeclared\n----\n".to_owned(),
            wanted: vec!["error validation layer: ".to_owned()],
        },
    ]
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let driver = driver::vulkan();
    let absent = driver.is_none();
    let trial = |name, test: Box<dyn FnOnce(&Vulkan) -> Result<(), Failed> + Send>| {
        let driver = driver.clone();
        let work = move || driver.as_ref().map_or(Ok(()), test);
        Trial::test(name, work).with_ignored_flag(absent)
    };
    let mut trials: Vec<Trial> = tests()
        .into_iter()
        .map(|test| trial(test.name, Box::new(move |driver| run(&test, driver))))
        .collect();
    trials.push(trial("measured halves", Box::new(measured_halves)));
    let ran = libtest_mimic::run(&arguments, trials);
    if driver.is_none() && !arguments.list {
        eprintln!(
            "\nNOTHING WAS EXECUTED: there is no Vulkan driver. `cargo xtask test` installs one."
        );
        if std::env::var_os("CI").is_some() {
            return ExitCode::FAILURE;
        }
    }
    ran.exit_code()
}

/// Halves are exact on every device so far, some hundred thousand of which are compared.
fn measured_halves(driver: &Vulkan) -> Result<(), Failed> {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured.json");
    let _ = std::fs::remove_file(&profile);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-run-vulkan"));
    command.args(["--measure-precision", "--values", "64", "--every", "32749", "-o"]).arg(&profile);
    driver.configure(&mut command);
    let finished = process::run(&mut command, &[], LIMIT)
        .map_err(|error| format!("clc-run-vulkan: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("{}: {}", finished.how(), finished.stderr).into());
    }
    let text = std::fs::read_to_string(&profile).map_err(|error| error.to_string())?;
    let measured = clc::profile::from_json(&text)?;
    for instruction in [Instruction::UnpackHalf, Instruction::StoreHalf] {
        if !measured.is_within(instruction, 0.5, false) {
            return Err(format!("{instruction:?}: {text}").into());
        }
    }
    Ok(())
}

fn run(test: &Test, driver: &Vulkan) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vulkan");
    let source = folder.join(test.module).with_extension("spvasm");
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let assembled = clc_validator::assemble(&text, TargetEnv::Vulkan_1_3)
        .map_err(|error| format!("{}: {error}", source.display()))?;
    let unique = format!("vulkan-{}", test.name.replace(' ', "-"));
    let module = Path::new(env!("CARGO_TARGET_TMPDIR")).join(unique).with_extension("spv");
    let results = module.with_extension("out");
    let bytes: Vec<u8> = assembled.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&module, bytes).map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&results);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-run-vulkan"));
    command.arg(&module).arg(source.with_extension("json")).arg(&results);
    driver.configure(&mut command);
    let finished = process::run(&mut command, test.jobs.as_bytes(), LIMIT)
        .map_err(|error| format!("clc-run-vulkan: {error}"))?;
    if finished.code != Some(0) {
        return Err(format!("{}: {}", finished.how(), finished.stderr).into());
    }
    let got = std::fs::read_to_string(&results).map_err(|error| error.to_string())?;
    let got: Vec<&str> =
        got.split_inclusive("----\n").map(|text| text.trim_end_matches("----\n")).collect();
    let right = |(got, wanted): (&&str, &String)| match wanted.starts_with("error") {
        true => got.starts_with(wanted.as_str()),
        false => got == wanted,
    };
    if got.len() == test.wanted.len() && got.iter().zip(&test.wanted).all(right) {
        return Ok(());
    }
    Err(format!("got {got:#?}, not {:#?}", test.wanted).into())
}
