//! What `clc-run-vulkan` makes of a module and its reflection, with modules written by hand
//! (`vulkan/*.spvasm`), so that an error of the runner is told from one of the compiler.
//!
//! Without a Vulkan driver nothing runs, which is said loudly, and is a failure where `CI` is set.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clc_tests::driver::{self, Vulkan};
use clc_tests::{hex, process};
use libtest_mimic::{Arguments, Failed, Trial};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler, AssemblerOptions};

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
                "error samplers".to_owned(),
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
    let trials = tests()
        .into_iter()
        .map(|test| {
            let driver = driver.clone();
            let absent = driver.is_none();
            Trial::test(test.name, move || match &driver {
                Some(driver) => run(&test, driver),
                None => Ok(()),
            })
            .with_ignored_flag(absent)
        })
        .collect();
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

fn run(test: &Test, driver: &Vulkan) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vulkan");
    let source = folder.join(test.module).with_extension("spvasm");
    let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
    let assembled = assembler::create(Some(TargetEnv::Vulkan_1_3))
        .assemble(&text, AssemblerOptions::default())
        .map_err(|error| format!("{}: {error}", source.display()))?;
    let unique = format!("vulkan-{}", test.name.replace(' ', "-"));
    let module = Path::new(env!("CARGO_TARGET_TMPDIR")).join(unique).with_extension("spv");
    let results = module.with_extension("out");
    let bytes: &[u8] = assembled.as_ref();
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
