//! The doctor; `clc doctor` starts it. Finds the drivers of OpenCL and Vulkan, says what their devices take and
//! which options of `clc` fit, and runs a vector add on each.
//!
//! It is a program of its own, because it loads drivers, which a static program cannot, and so that `clc` is no
//! larger for it. What touches a driver happens in child processes: a driver that crashes or hangs ends one of
//! those.

mod child;
mod drivers;
mod opencl;
mod report;
mod vulkan;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use serde_json::{Value, json};

/// Looks for drivers that take modules of `clc`.
#[derive(Debug, Parser)]
#[command(
    name = "clc doctor",
    version,
    about = "Finds the drivers of OpenCL and Vulkan, says what their devices take and which options of clc \
             fit, and runs a vector add on each.",
    after_help = "Exit codes: 0 every driver that has a device ran the vector add; 1 one did not, or there is\n\
                  none; 2 wrong usage."
)]
struct Args {
    /// How to show it: table (default) or json
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "table",
        hide_possible_values = true,
        hide_default_value = true
    )]
    format: Format,

    /// Look at one API only: opencl or vulkan
    #[arg(long, value_name = "API", hide_possible_values = true)]
    api: Option<Api>,

    /// Seconds that a driver may take for each device (default 60)
    #[arg(long, value_name = "SECONDS", default_value_t = 60, hide_default_value = true)]
    time_limit: u64,

    /// What a child process does: describe the devices of the driver, or run the vector add on one of them
    #[arg(long, value_name = "API", hide = true)]
    probe: Option<Api>,

    /// The device of a child process; without it all are described
    #[arg(long, value_name = "N", hide = true)]
    device: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// What drivers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
enum Api {
    OpenCl,
    Vulkan,
}

impl Api {
    fn name(self) -> &'static str {
        match self {
            Api::OpenCl => "opencl",
            Api::Vulkan => "vulkan",
        }
    }
}

/// The program that runs on every device.
const SOURCE: &str = "kernel void add(global const float *a, global const float *b, global float *sum)\n\
                      {\n    size_t i = get_global_id(0);\n    sum[i] = a[i] + b[i];\n}\n";

/// Numbers that are added.
const LENGTH: usize = 1024;

/// The operands, whose sums are exact.
fn operands() -> (Vec<f32>, Vec<f32>) {
    let numbers = |factor: f32| (0..LENGTH).map(|i| i as f32 * factor).collect();
    (numbers(0.5), numbers(3.0))
}

/// What is wrong with the `LENGTH` sums, if anything is.
fn compare(sums: &[f32]) -> Result<(), String> {
    let (a, b) = operands();
    let wrong: Vec<usize> = (0..LENGTH).filter(|&i| sums[i] != a[i] + b[i]).collect();
    match wrong.first() {
        None => Ok(()),
        Some(&i) => Err(format!(
            "{} of {LENGTH} sums are wrong: element {i} is {}, not {}",
            wrong.len(),
            sums[i],
            a[i] + b[i]
        )),
    }
}

/// Compiles the vector add with these options.
fn compile(options: &[String]) -> Result<(clc::Compilation, Vec<u32>), String> {
    let request = clc::cli::Request::of_options(options)?;
    let outcome = request.compile("add.cl", SOURCE.as_bytes(), &mut clc::NoIncludes);
    let compilation = outcome.compilation.ok_or("the compiler broke down")?;
    match compilation.words() {
        Some(words) => {
            let words = words.to_vec();
            Ok((compilation, words))
        }
        None => Err(format!("the compiler refused it: {}", outcome.log.trim())),
    }
}

/// The options of a device, as its description lists them.
fn options_of(device: &Value) -> Vec<String> {
    let options = device["options"].as_array().into_iter().flatten();
    options.filter_map(|option| option.as_str().map(str::to_owned)).collect()
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(api) = args.probe {
        let outcome = match (api, args.device) {
            (Api::OpenCl, None) => opencl::describe(),
            (Api::OpenCl, Some(device)) => opencl::vector_add(device),
            (Api::Vulkan, None) => vulkan::describe(),
            (Api::Vulkan, Some(device)) => vulkan::vector_add(device),
        };
        child::answer(&match outcome {
            Ok(value) => json!({ "ok": value }),
            Err(message) => json!({ "error": message }),
        });
        return ExitCode::SUCCESS;
    }
    let limit = Duration::from_secs(args.time_limit.max(1));
    let apis =
        [Api::OpenCl, Api::Vulkan].into_iter().filter(|api| args.api.is_none_or(|a| a == *api));
    let mut drivers = Vec::new();
    let mut all_ran = true;
    for api in apis.clone() {
        for driver in drivers::of(api) {
            let (value, has_run) = examine(api, &driver, limit);
            all_ran &= has_run;
            drivers.push(value);
        }
    }
    let has_device = drivers
        .iter()
        .any(|driver| driver["devices"].as_array().is_some_and(|list| !list.is_empty()));
    let text = match args.format {
        Format::Json => {
            let all = json!({ "format": 1, "clc": env!("CARGO_PKG_VERSION"), "drivers": drivers });
            format!("{all:#}\n")
        }
        Format::Table => report::table(&drivers, &apis.collect::<Vec<Api>>()),
    };
    // A reader who has seen enough is no error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::from(u8::from(!(all_ran && has_device)))
}

/// Everything about a driver, and whether each of its devices ran the vector add.
fn examine(api: Api, driver: &drivers::Driver, limit: Duration) -> (Value, bool) {
    let mut out = json!({
        "api": api.name(),
        "file": driver.file.as_ref().map(|file| file.to_string_lossy()),
        "library": driver.library.as_ref(),
        "problem": null,
        "skipped": null,
        "devices": [],
    });
    if let Some(reason) = &driver.not_for_us {
        out["skipped"] = json!(reason);
        return (out, true);
    }
    if let Some(problem) = &driver.problem {
        out["problem"] = json!(problem);
        return (out, false);
    }
    let ask = |device: Option<usize>| {
        let setting = child::Setting { api, driver, device, limit };
        child::ask(&setting)
    };
    let devices = match ask(None) {
        Ok(devices) => devices,
        Err(problem) => {
            out["problem"] = json!(problem);
            return (out, false);
        }
    };
    let mut devices = devices.as_array().cloned().unwrap_or_default();
    let mut all_ran = true;
    for (index, device) in devices.iter_mut().enumerate() {
        let result = match device["takes_modules"].as_bool() {
            Some(true) => ask(Some(index)),
            _ => Err(format!(
                "not run: {}",
                device["why_not"].as_str().unwrap_or("it takes no modules")
            )),
        };
        all_ran &= result.is_ok();
        device["vector_add"] = match result {
            Ok(milliseconds) => {
                json!({ "ok": true, "milliseconds": milliseconds, "problem": null })
            }
            Err(problem) => json!({ "ok": false, "milliseconds": null, "problem": problem }),
        };
    }
    out["devices"] = json!(devices);
    (out, all_ran)
}
