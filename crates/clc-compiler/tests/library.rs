//! The library of math functions compiles, and asks for nothing that shaders do not have.

use clc::{FloatOptions, OptLevel};
use clc_builtins::Intrinsic;
use clc_builtins::library::{self, FILES, Way};
use clc_ir::{BinaryOp, InstKind};

/// What a body may call besides what [`library::way`] says is an instruction: integer functions that
/// shaders have instructions or short sequences for.
const ALLOWED: &[Intrinsic] = &[
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

#[test]
fn bodies_compile_and_call_no_bodies() {
    let options = FloatOptions::default();
    for file in FILES {
        let text = library::text(&[file]);
        let wanted = functions(file.text);
        assert!(!wanted.is_empty(), "{}", file.name);
        for level in [OptLevel::O0, OptLevel::O] {
            let module = clc::library::compile(&text, &wanted, level)
                .unwrap_or_else(|error| panic!("{}: {error}", file.name));
            assert!(module.globals.is_empty(), "{} has variables", file.name);
            for function in module.functions.values() {
                for inst in function.insts.values() {
                    if let InstKind::Binary { op: BinaryOp::FDiv, left, right: _ } = inst.kind {
                        let ty = module.value_type(function, left);
                        assert_eq!(module.types.scalar_bits(ty), Some(32), "{}", function.name);
                    }
                    let InstKind::Intrinsic { intrinsic, arguments: _ } = inst.kind else {
                        continue;
                    };
                    let is_instruction = matches!(
                        library::way(intrinsic, 32, &options),
                        Some(Way::Instruction { .. })
                    );
                    assert!(
                        is_instruction || ALLOWED.contains(&intrinsic),
                        "{} calls {intrinsic}",
                        function.name
                    );
                }
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
