//! IR in, IR for Vulkan out: each `shader/NAME.ir` with what the first half of the legalisation
//! makes of it, and what the host is told, in `shader/NAME.out` beside it.
//!
//! A first line `; push constants 64` changes the limit, `; clspv` the convention, `; regions` allows launches to
//! be cut, and `; uniform` says that all work-groups have one size, `; sub-groups` that sub-groups have arithmetic;
//! there may be several, with commas. Where there are errors, the output is
//! their messages. `BLESS=1` writes the expectations anew.

use std::fmt::Write as _;

use clc_ir::verify;
use clc_legalise::{ClspvHost, Convention, Environment, Error, TargetOptions};
use clc_passes::{OptLevel, PassOptions};

fn output(name: &str, text: &str) -> String {
    let mut options = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let first = text.lines().next().unwrap_or_default();
    for word in first.strip_prefix("; ").unwrap_or_default().split(", ") {
        if let Some(size) = word.strip_prefix("push constants ") {
            options.max_push_constant_size = size.parse().unwrap();
        }
        match word {
            "clspv" => options.convention = Convention::Clspv(ClspvHost::default()),
            "regions" => options.work_group_regions = true,
            "uniform" => options.uniform_work_groups = true,
            "sub-groups" => options.sub_group_arithmetic = true,
            _ => {}
        }
    }
    let mut module = clc_ir::parse::module(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    verify::module(&module).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut out = String::new();
    let mut unobserved = ();
    let mut passes = PassOptions::new(OptLevel::O0, &mut unobserved);
    passes.stop_after = Some("shader-arguments");
    let mut bodies = |_: &str, names: &[&'static str]| panic!("no library for {names:?}");
    match clc_legalise::run(&mut module, &options, &mut bodies, &mut passes) {
        Ok(legalised) => {
            let shader = legalised.shader.unwrap();
            clc_ir::print::module(&module, &mut out);
            verify::module(&module).unwrap_or_else(|e| panic!("{name}: {e}\n{out}"));
            let reflection = &shader.reflection;
            if let Some(regions) = reflection.regions {
                writeln!(out, "; {regions:?}").unwrap();
            }
            for kernel in &reflection.kernels {
                writeln!(out, "; {kernel:?}").unwrap();
            }
            for data in &reflection.program_data {
                writeln!(out, "; {data:?}").unwrap();
            }
            for format in &reflection.printf_formats {
                writeln!(out, "; {format:?}").unwrap();
            }
            for sampler in &reflection.samplers {
                writeln!(out, "; {sampler:?}").unwrap();
            }
            if let Some(interface) = &shader.clspv {
                writeln!(out, "; {:?} {:?}", interface.pushed, interface.work_dim).unwrap();
                for kernel in &interface.kernels {
                    writeln!(out, "; {kernel:?}").unwrap();
                }
            }
            for (variable, at) in &shader.bindings {
                writeln!(out, "; {variable:?} {at:?}").unwrap();
            }
        }
        Err(Error::Broken(error)) => panic!("{error}"),
        Err(Error::Source(errors)) => {
            for error in errors {
                writeln!(out, "{}: {}", error.code.id, error.message).unwrap();
            }
        }
    }
    out
}

#[test]
fn suite() {
    clc_golden::beside("tests/shader", "ir", "out", |name, text| Ok(output(name, text)));
}
