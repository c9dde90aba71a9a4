//! What shaders have no instruction for, expanded: `operations/*.ir` holds a module, a line
//! `;;; after`, and what becomes of it. `BLESS=1` rewrites what comes after; read the difference
//! before committing it.
//!
//! That the expansions are right is tested on a driver: the generated tests of built-in functions
//! run them too, against results of the host.

use clc_base::Version;
use clc_builtins::Intrinsic;
use clc_builtins::profile::DeviceProfile;
use clc_builtins::worst::Estimates;
use clc_ir::{Builder, Function, Module, TypePool};
use clc_legalise::pipeline;
use clc_legalise::{Environment, Error, TargetOptions};
use clc_passes::{OptLevel, PassOptions};

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

fn run(input: &str, pass: fn(&mut Module)) -> Result<String, String> {
    let mut module = clc_ir::parse::module(input).map_err(|error| error.to_string())?;
    clc_ir::verify::module(&module).map_err(|error| format!("before: {error}"))?;
    pass(&mut module);
    let found = text(&module);
    clc_ir::verify::module(&module).map_err(|error| format!("after: {error}\n{found}"))?;
    Ok(found)
}

#[test]
fn operations() {
    suite("operations", |module| {
        let no_library = &mut |_: &str, names: &[&str]| panic!("no library for {names:?}");
        pipeline::expand_operations(
            module,
            Estimates::OfDevice,
            &DeviceProfile::default(),
            no_library,
        );
    });
}

/// Numbers that drivers would keep in 32 bits: `narrow_numbers/*.ir`.
#[test]
fn narrow_numbers() {
    suite("narrow_numbers", pipeline::narrow_numbers);
}

/// Bounds that a driver would lose the signs of: `negated_bounds/*.ir`.
#[test]
fn negated_bounds() {
    suite("negated_bounds", pipeline::negated_bounds);
}

/// Private arrays that a driver would keep in registers: `padded_arrays/*.ir`.
#[test]
fn padded_arrays() {
    suite("padded_arrays", pipeline::padded_arrays);
}

/// How halves are rounded that are stored: `stored_halves/*.ir`.
#[test]
fn stored_halves() {
    suite("stored_halves", pipeline::stored_halves);
}

/// Negations that a driver would lose behind barriers: `kept_negations/*.ir`.
#[test]
fn kept_negations() {
    suite("kept_negations", pipeline::kept_negations);
}

/// Swaps that a driver would lose: `swapped_bytes/*.ir`.
#[test]
fn swapped_bytes() {
    suite("swapped_bytes", pipeline::swapped_bytes);
}

/// Local arrays that become arrays of vectors, and those that do not: `local_vectors/*.ir`.
#[test]
fn local_vectors() {
    suite("local_vectors", pipeline::local_vectors);
}

/// Private arrays that local memory keeps, and those that stay: `spread_arrays/*.ir`.
#[test]
fn spread_arrays() {
    suite("spread_arrays", pipeline::spread_arrays);
}

/// What is expanded where vectors are computed with by component: `geometry/*.ir`.
#[test]
fn geometry() {
    suite("geometry", pipeline::expand_geometry);
}

/// Functions that few instructions compute: `short_functions/*.ir`.
#[test]
fn short_functions() {
    suite("short_functions", pipeline::short_functions);
}

fn suite(folder: &str, pass: fn(&mut Module)) {
    clc_golden::after(format!("tests/{folder}"), "ir", |input| run(input, pass));
}

/// What is said of a call of `intrinsic` without operands.
fn complaints(intrinsic: Intrinsic) -> Vec<String> {
    let mut module = Module::new(8, Version::V3_0);
    let mut function = Function::new("f", TypePool::VOID);
    function.entry_point = Some(Box::default());
    let block = function.add_block();
    let mut builder = Builder::new(&mut module.types, &mut module.consts, &mut function, block);
    builder.intrinsic(intrinsic, &[], TypePool::I32);
    builder.ret(None);
    module.functions.push(function);
    let options = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let mut unobserved = ();
    let mut passes = PassOptions::new(OptLevel::O0, &mut unobserved);
    passes.stop_after = Some("operations");
    let mut bodies = |_: &str, names: &[&'static str]| panic!("no library for {names:?}");
    match clc_legalise::run(&mut module, &options, &mut bodies, &mut passes) {
        Ok(_) => Vec::new(),
        Err(Error::Broken(error)) => panic!("{error}"),
        Err(Error::Source(errors)) => errors
            .iter()
            .map(|error| {
                assert_eq!(error.code.id, "E0703");
                error.message.clone()
            })
            .collect(),
    }
}

/// Parts of the names of the functions that shaders lack.
const LACKING: [&str; 14] = [
    "BFloat16",
    "Trap",
    "IntelSubGroupBlock",
    "Pipe",
    "ReserveId",
    "DefaultQueue",
    "NdRange",
    "Enqueue",
    "GetKernel",
    "RetainEvent",
    "ReleaseEvent",
    "UserEvent",
    "IsValidEvent",
    "CaptureEvent",
];

#[test]
fn what_shaders_lack_is_refused_by_name() {
    let mut refused = 0;
    // Lowering leaves none of those that it writes out; operations on matrices have none without operands.
    let is_checked = |intrinsic: &Intrinsic| {
        !intrinsic.is_written_out() && !matches!(intrinsic, Intrinsic::Matrix(_))
    };
    for intrinsic in Intrinsic::all().filter(is_checked) {
        let found = complaints(intrinsic);
        let name = intrinsic.to_string();
        let lacks = LACKING.iter().any(|part| name.contains(part))
            // The count of enqueued work-items is a question about work-items.
            && !name.starts_with("GetEnqueued");
        if !lacks {
            assert_eq!(found, [""; 0], "{name}");
            continue;
        }
        refused += 1;
        let [message] = &found[..] else { panic!("{name}: {found:?}") };
        let expected = format!("`{}` cannot be compiled for vulkan1.3: ", intrinsic.source_name());
        assert!(message.starts_with(&expected), "{name}: {message}");
    }
    assert!(refused >= 40, "{refused}");
}
