//! Runs every built-in function that shaders have as what the compiler writes for Vulkan, in the interpreter of the
//! intermediate representation: results have to be those that a device must give, with NaNs that are not as those of
//! devices at hand, and nothing may be decided by a value that is undefined, as the conversion of a NaN to an integer.
//!
//! `CLC_ONLY=library` runs only the family of that name.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use clc_interpreter::{Launch, Stop};
use clc_ir::Module;
use clc_tests::builtins::run::{self, Family, Kernel};
use clc_tests::builtins::{self, vulkan};
use clc_tests::driver::SubGroups;
use clc_tests::job::{self, Argument};
use clc_tests::stages::{self, Stage};

/// Kernels of a module.
const KERNELS: usize = 16;
/// The sub-groups of the interpreter's device.
const SUB_GROUPS: SubGroups = SubGroups { size: 8, can_be_required: false };
/// The sign and the digits of NaNs: others than those of the devices on which `builtins.rs` runs the same.
const NAN: u64 = u64::MAX;

#[test]
fn functions_give_what_devices_must_give() {
    let only = std::env::var("CLC_ONLY").ok();
    let families = builtins::families_on_vulkan(SUB_GROUPS).into_iter();
    let families = families.filter(|family| {
        vulkan::has_family(family.name) && only.as_ref().is_none_or(|it| family.name == it)
    });
    let parts: Vec<Family> = families.flat_map(|family| family.parts(KERNELS)).collect();
    let left = Mutex::new(parts.into_iter().enumerate());
    let complaints = Mutex::new(String::new());
    let ran = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((number, part)) = left.lock().unwrap().next() else { return };
                    let (count, wrong) = family(number, &part).unwrap_or_else(|error| (0, error));
                    *ran.lock().unwrap() += count;
                    if !wrong.is_empty() {
                        let _ = writeln!(complaints.lock().unwrap(), "{}:\n{wrong}", part.name);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{complaints}");
    // Some are of images or clocks that the interpreter has not.
    let ran = ran.into_inner().unwrap();
    assert!(only.is_some() || ran >= LEAST, "only {ran} kernels ran");
}

/// Kernels that the interpreter can run, or more.
const LEAST: usize = 3000;

/// Runs the kernels of a family: how many ran, and what is wrong.
fn family(number: usize, family: &Family) -> Result<(usize, String), String> {
    let kernels: Vec<&Kernel> = family.kernels.iter().filter(|it| vulkan::has_kernel(it)).collect();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("interpreted{number}.cl"));
    run::write_source(family, &kernels, &path)?;
    let mut options = family.options.clone();
    options.extend(["-O", "--target-env=vulkan1.3"].map(str::to_owned));
    let stages = stages::of(Path::new(env!("CARGO_BIN_EXE_clc-under-test")), &options, &path)?;
    let last = stages.last().filter(|stage| stage.is_whole()).ok_or("refused for Vulkan")?;
    let module = last.module()?;
    let (mut ran, mut wrong) = (0, String::new());
    for kernel in kernels {
        match complaints(kernel, last, &module) {
            Ok(complaints) => {
                ran += 1;
                if let Some(first) = complaints.first() {
                    let count = complaints.len();
                    let _ = writeln!(wrong, "  {}: {count} wrong: {first}", kernel.title);
                }
            }
            Err(Stop::NotInterpreted(_)) => {}
            Err(stop) => {
                let _ = writeln!(wrong, "  {}: {stop}", kernel.title);
            }
        }
    }
    let _ = std::fs::remove_file(path);
    Ok((ran, wrong))
}

/// What is wrong with the results of a kernel.
fn complaints(kernel: &Kernel, stage: &Stage, module: &Module) -> Result<Vec<String>, Stop> {
    let job = job::parse(&kernel.job(&mut HashSet::new())).next();
    let job = job.ok_or("no job".to_owned()).and_then(|job| job).map_err(Stop::NotInterpreted)?;
    let launch = stages::launch(&job).map_err(Stop::NotInterpreted)?;
    let is_input = |index: usize| matches!(job.arguments.get(index), Some(Argument::Input(_)));
    let check = kernel.check_on_vulkan.as_ref().unwrap_or(&kernel.check);
    let launch = Launch { nan: Some(NAN), sub_group_size: SUB_GROUPS.size as u64, ..launch };
    let outcome = stage.run(module, &kernel.name, &launch)?;
    let outputs = outcome.buffers.iter().enumerate().filter(|(index, _)| !is_input(*index));
    let outputs: Vec<Vec<u8>> =
        outputs.filter_map(|(_, buffer)| buffer.as_ref().map(stages::bytes)).collect();
    Ok(check(&outputs, &outcome.printed))
}
