//! The library of math functions compiles, and asks for nothing that shaders do not have.

use std::collections::BTreeSet;

use clc::OptLevel;
use clc_builtins::Intrinsic;
use clc_builtins::library::{self, FILES};
use clc_builtins::worst::{self, Estimates};
use clc_ir::{BinaryOp, Function, InstData, InstKind, Module};

/// What a body may call besides the building blocks: exact functions that every device has, and `mad`,
/// which is a product and a sum there, rounded once or twice.
const ALLOWED: &[Intrinsic] = &[
    Intrinsic::Fabs,
    Intrinsic::Floor,
    Intrinsic::Rint,
    Intrinsic::Trunc,
    Intrinsic::Mad,
    Intrinsic::Clz,
    Intrinsic::SMin,
    Intrinsic::UMin,
    Intrinsic::SMax,
    Intrinsic::UMax,
    Intrinsic::SClamp,
    Intrinsic::UClamp,
    Intrinsic::UMulHi,
];

/// Every function that is defined in `text`.
fn functions(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.ends_with('{') && !line.starts_with(' '))
        .filter_map(|line| Some(&line[line.find("__clc_")?..line.find('(')?]))
        .collect()
}

/// What bodies say that are for devices of which it was measured.
const EXACT_FMA: &str = "fma is rounded once";
const EXACT_DIVISION: &str = "division of doubles that is rounded once";

/// What a body may use of a device: exact operations, and those whose error is bounded. The bounds it
/// relies on are added to `bounds`.
fn check_inst(
    module: &Module,
    function: &Function,
    inst: &InstData,
    bounds: &mut BTreeSet<&'static str>,
) {
    let name = &function.name;
    match inst.kind {
        InstKind::Binary { op: BinaryOp::FDiv, left, right: _ } => {
            let ty = module.value_type(function, left);
            bounds.insert(match module.types.scalar_bits(ty) {
                Some(32) => library::DIVISION_BOUND,
                Some(64) => EXACT_DIVISION,
                _ => panic!("{name} divides"),
            });
        }
        InstKind::Intrinsic { intrinsic, arguments: _ } => {
            if let Some(block) = library::building_block(intrinsic) {
                let ty = inst.result.map(|result| module.value_type(function, result));
                let bits = ty.and_then(|ty| module.types.scalar_bits(ty));
                assert_eq!(bits, Some(32), "{name} calls {intrinsic}");
                bounds.insert(block.bound);
            } else if intrinsic == Intrinsic::Fma {
                bounds.insert(EXACT_FMA);
            } else {
                assert!(ALLOWED.contains(&intrinsic), "{name} calls {intrinsic}");
            }
        }
        _ => {}
    }
}

/// The comment at the beginning, as one line.
fn head(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("// "));
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn bodies_compile_and_rely_on_what_their_heads_say() {
    for file in FILES {
        let text = library::text(&[file]);
        let wanted = functions(file.text);
        assert!(!wanted.is_empty(), "{}", file.name);
        for level in [OptLevel::O0, OptLevel::O] {
            let module = clc::library::compile(&text, &wanted, level)
                .unwrap_or_else(|error| panic!("{}: {error}", file.name));
            assert!(module.globals.is_empty(), "{} has variables", file.name);
            let mut bounds = BTreeSet::new();
            for function in module.functions.values() {
                // Those of other files have heads of their own.
                let is_own = wanted.contains(&function.name.as_str());
                let mut others = BTreeSet::new();
                let bounds = if is_own { &mut bounds } else { &mut others };
                for inst in function.insts.values() {
                    check_inst(&module, function, inst, bounds);
                }
            }
            // With optimisation functions of other files are part of those of this one.
            if level == OptLevel::O {
                continue;
            }
            let head = head(file.text);
            assert!(head.contains("Relies on correctly rounded sums"), "{}: {head}", file.name);
            for bound in library::BUILDING_BLOCKS.iter().map(|block| block.bound).chain([
                library::DIVISION_BOUND,
                EXACT_FMA,
                EXACT_DIVISION,
            ]) {
                assert_eq!(head.contains(bound), bounds.contains(bound), "{}: {bound}", file.name);
            }
        }
    }
}

/// The stand-ins for inexact operations use no inexact operation of `float` themselves.
#[test]
fn worst_estimates_compile() {
    let functions: Vec<&str> = worst::functions().collect();
    for (name, estimates) in Estimates::NAMES {
        let text = worst::text(estimates);
        if estimates == Estimates::OfDevice {
            assert_eq!(text, "", "{name}");
            continue;
        }
        let module = clc::library::compile(&text, &functions, OptLevel::O)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for function in module.functions.values() {
            for inst in function.insts.values() {
                let is_inexact = match inst.kind {
                    InstKind::Binary { op: BinaryOp::FDiv, .. } => true,
                    InstKind::Intrinsic { intrinsic, arguments: _ } => {
                        library::building_block(intrinsic).is_some()
                    }
                    _ => false,
                };
                let ty = inst.result.map(|result| module.value_type(function, result));
                let bits = ty.and_then(|ty| module.types.scalar_bits(ty));
                assert!(!is_inexact || bits == Some(64), "{name}: {}", function.name);
            }
        }
    }
}

#[test]
fn functions_that_are_not_wanted_are_not_compiled() {
    let text = library::text(FILES);
    let module = clc::library::compile(&text, &["__clc_exp2_f32"], OptLevel::O).unwrap();
    assert!(module.functions.len() < 4, "{}", module.functions.len());
}
