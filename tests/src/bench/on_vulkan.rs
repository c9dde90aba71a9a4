//! For Vulkan by `clc`, and from source by the OpenCL driver of the same device.

use std::path::{Path, PathBuf};

use clc::profile::{self, DeviceProfile};
use clc::{Options, TargetEnv, Version};
use clc_tests::vulkan::{Device, Wanted};

use crate::suite::{Benchmark, Kernels, Size};
use crate::{Measured, geometric_mean, opencl, vulkan};

struct Arguments {
    small: bool,
    rounds: usize,
    vulkan_only: bool,
    profile: DeviceProfile,
    /// Has other sources of some kernels: `NAME.cl`.
    sources: Option<PathBuf>,
    /// Has modules that others made of some kernels, or that were changed by hand: `NAME.spv`, or `NAME.VARIANT.spv`, which
    /// are measured as well.
    modules: Option<PathBuf>,
    wanted: Wanted,
    kernels: Kernels,
}

fn arguments(words: &[String]) -> Result<Arguments, String> {
    let mut found = Arguments {
        small: false,
        rounds: 20,
        vulkan_only: false,
        profile: DeviceProfile::default(),
        sources: None,
        modules: None,
        wanted: Wanted::default(),
        kernels: Kernels::default(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--small" => found.small = true,
            "--vulkan-only" => found.vulkan_only = true,
            "--device-profile" => {
                let path = words.next().ok_or("--device-profile takes a file")?;
                found.profile = std::fs::read_to_string(path)
                    .map_err(|error| error.to_string())
                    .and_then(|text| profile::from_json(&text))
                    .map_err(|error| format!("{path}: {error}"))?;
            }
            "--sources" => {
                found.sources = Some(words.next().ok_or("--sources takes a folder")?.into());
            }
            "--modules" => {
                found.modules = Some(words.next().ok_or("--modules takes a folder")?.into());
            }
            "--statistics" => found.wanted.statistics = true,
            "--caches" => {
                found.wanted.caches = Some(words.next().ok_or("--caches takes a folder")?.into());
            }
            "--rounds" => {
                let number = words.next().and_then(|word| word.parse().ok());
                found.rounds = number.filter(|&n| n > 0).ok_or("--rounds takes a number")?;
            }
            "--kernels" => {
                found.kernels.folder = Some(words.next().ok_or("--kernels takes a folder")?.into());
            }
            _ => found.kernels.names.push(word.clone()),
        }
    }
    Ok(found)
}

fn options(profile: DeviceProfile) -> Options {
    let mut options = Options {
        target: TargetEnv::Vulkan { major: 1, minor: 3 }.into(),
        version: Version::V1_2,
        ..Options::default()
    };
    options.target.profile = profile;
    options
}

/// Whether every result was right.
pub fn run(words: &[String]) -> Result<bool, String> {
    let arguments = arguments(words)?;
    let device = Device::recording(arguments.wanted.clone()).map_err(|error| error.to_string())?;
    println!("Vulkan: {}", device.name());
    if arguments.wanted.statistics && !device.has_statistics() {
        return Err("the driver does not tell what pipelines take".to_owned());
    }
    let opencl = match arguments.vulkan_only {
        true => None,
        false => Some(opencl::OpenCl::new()?),
    };
    if let Some(opencl) = &opencl {
        println!("OpenCL: {}", opencl.name());
    }
    println!("\n| | clc, Vulkan | best | OpenCL driver | best | ratio |");
    println!("|---|---:|---:|---:|---:|---:|");
    let size = if arguments.small { Size::Small } else { Size::Gpu };
    let mut all_right = true;
    let mut ratios = Vec::new();
    for name in arguments.kernels.chosen()? {
        let mut benchmark = arguments.kernels.benchmark(&name, size)?;
        if let Some(text) = other(arguments.sources.as_deref(), &format!("{name}.cl"))? {
            let text = String::from_utf8(text).map_err(|error| format!("{name}.cl: {error}"))?;
            benchmark.source = text.into();
        }
        let folder = arguments.modules.as_deref();
        let module = other(folder, &format!("{name}.spv"))?.map(|bytes| words_of(&bytes));
        let theirs =
            opencl.as_ref().map(|opencl| opencl.run(&benchmark, arguments.rounds)).transpose();
        let mut measured = vec![(name.clone(), module)];
        for (variant, module) in variants(folder, &name)? {
            measured.push((format!("{name}.{variant}"), Some(module)));
        }
        for (shown, module) in measured {
            let options = options(arguments.profile);
            let module = module.as_deref();
            let ours = vulkan::run(&benchmark, &device, arguments.rounds, options, module);
            match (ours, &theirs) {
                (Ok(ours), Ok(theirs)) => {
                    let complaints = complaints(&benchmark, &ours, theirs.as_ref());
                    all_right &= complaints.is_empty();
                    row(&shown, &ours, theirs.as_ref());
                    for complaint in complaints {
                        println!("| {shown}: WRONG: {complaint} | | | | | |");
                    }
                    if let (Some(theirs), true) = (theirs, shown == name) {
                        ratios.push(ours.median() / theirs.median());
                    }
                }
                (ours, theirs) => {
                    all_right = false;
                    let errors = [ours.err(), theirs.as_ref().err().cloned()].into_iter().flatten();
                    let errors = errors.collect::<Vec<String>>().join("; ").replace('\n', " ");
                    println!("| {shown}: FAILED: {errors} | | | | | |");
                }
            }
            for line in device.take_statistics() {
                println!("| {shown}: {line} | | | | | |");
            }
        }
    }
    if !ratios.is_empty() {
        println!("| geometric mean of {} | | | | | {:.3} |", ratios.len(), geometric_mean(&ratios));
    }
    Ok(all_right)
}

/// A file, if the folder has it.
fn other(folder: Option<&Path>, name: &str) -> Result<Option<Vec<u8>>, String> {
    let path = folder.map(|folder| folder.join(name)).filter(|path| path.exists());
    path.map(|path| std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display())))
        .transpose()
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

/// The other modules of a kernel, `NAME.VARIANT.spv`, by variant.
fn variants(folder: Option<&Path>, name: &str) -> Result<Vec<(String, Vec<u32>)>, String> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        if let Some(variant) = rest.and_then(|rest| rest.strip_suffix(".spv")) {
            found.push((variant.to_owned(), words_of(&std::fs::read(&path).map_err(failed)?)));
        }
    }
    found.sort();
    Ok(found)
}

fn row(name: &str, ours: &Measured, theirs: Option<&Measured>) {
    let micros = |nanos: f64| format!("{:.1} µs", nanos / 1e3);
    let (median, best, ratio) = match theirs {
        Some(theirs) => (
            micros(theirs.median()),
            micros(theirs.best()),
            format!("{:.3}", ours.median() / theirs.median()),
        ),
        None => (String::new(), String::new(), String::new()),
    };
    println!(
        "| {name} | {} | {} | {median} | {best} | {ratio} |",
        micros(ours.median()),
        micros(ours.best())
    );
}

fn complaints(benchmark: &Benchmark, ours: &Measured, theirs: Option<&Measured>) -> Vec<String> {
    let mut complaints = Vec::new();
    if let Err(error) = (benchmark.check)(&benchmark.buffers, &ours.output) {
        complaints.push(format!("Vulkan: {error}"));
    }
    if let Some(theirs) = theirs {
        if let Err(error) = (benchmark.check)(&benchmark.buffers, &theirs.output) {
            complaints.push(format!("OpenCL: {error}"));
        }
        if let Err(error) = benchmark.compare(&ours.output, &theirs.output) {
            complaints.push(format!("Vulkan and OpenCL: {error}"));
        }
    }
    complaints
}
