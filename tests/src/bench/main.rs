//! The same kernels, compiled in several ways, on one device.
//!
//! ```text
//! clc-bench vulkan [--small] [--rounds N] [--vulkan-only] [--device-profile FILE]
//!                  [--kernels FOLDER] [--sources FOLDER] [--modules FOLDER]
//!                  [--statistics] [--caches FOLDER] [NAME…]
//! clc-bench opencl [--small] [--busy] [--rounds N] [--clang FILE] [--folder FOLDER]
//!                  [--kernels FOLDER] [--also FOLDER] [NAME…]
//! clc-bench matrices [--rounds N] [SIZE]
//! ```
//!
//! One file without anything beside it, but what the drivers bring: the kernels
//! (`conformance/kernels/*.cl`) and the compiler are in it. Times are those of the devices'
//! clocks, from the beginning of a benchmark's first launch to the end of its last. Results are
//! checked against the host's, and against each other. `--small` is for slow devices; its times mean
//! little. `--modules` measures other modules as well, `NAME.VARIANT.spv` in a folder; `--statistics` prints what
//! pipelines take, and `--caches` leaves what the driver keeps of them (`docs/vulkan.md`). `--kernels` measures the
//! kernels of a folder instead, whose sources say how they are launched (`suite/folder.rs`).

mod compile;
mod matrices;
mod on_opencl;
mod on_vulkan;
mod opencl;
mod suite;
mod vulkan;

use std::process::ExitCode;

/// What a run of a benchmark gave.
pub struct Measured {
    /// Nanoseconds of each round.
    pub times: Vec<f64>,
    pub output: Vec<u8>,
}

impl Measured {
    fn median(&self) -> f64 {
        median(self.times.clone())
    }

    fn best(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.split_first() {
        Some((first, rest)) if first == "vulkan" => on_vulkan::run(rest),
        Some((first, rest)) if first == "opencl" => on_opencl::run(rest),
        Some((first, rest)) if first == "matrices" => matrices::run(rest),
        _ => Err("the first argument is `vulkan`, `opencl` or `matrices`".to_owned()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("clc-bench: {message}");
            ExitCode::FAILURE
        }
    }
}
