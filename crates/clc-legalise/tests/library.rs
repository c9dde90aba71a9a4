//! Math functions become calls of library bodies, lane by lane; what has an instruction stays.

use clc_builtins::profile::{DeviceProfile, Errors, Instruction};
use clc_builtins::worst::Estimates;
use clc_ir::{parse, print, verify};
use clc_legalise::shader::library::{For, link, wanted};
use clc_legalise::{Environment, TargetOptions};

const LIBRARY: &str = r#"module ptr64

function f0 "__clc_sin_f32"(f32 "x", f32x2 "reduced") f32 export {
b0(v0: f32, v1: f32x2):
  v2: f32 = call f2(v0)
  return v2
}

function f1 "__clc_cos_f32"(f32 "x", f32x2 "reduced") f32 export {
b0(v0: f32, v1: f32x2):
  return v0
}

function f2 "shared"(f32 "x") f32 {
b0(v0: f32):
  return v0
}

function f3 "__clc_ldexp_f32"(f32 "x", i32 "n") f32 export {
b0(v0: f32, v1: i32):
  return v0
}

function f4 "__clc_nan_f32"(i32 "payload") f32 export {
b0(v0: i32):
  return f32 0x7fc00000
}

function f5 "__clc_ilogb_f32"(f32 "x") i32 export {
b0(v0: f32):
  return i32 0
}

function f6 "__clc_lgamma_f32"(f32 "x") f32 export {
b0(v0: f32):
  return v0
}

function f7 "__clc_lgamma_sign_f32"(f32 "x") i32 export {
b0(v0: f32):
  return i32 1
}

function f8 "__clc_divide_f64"(f64 "x", f64 "y") f64 export {
b0(v0: f64, v1: f64):
  return v0
}

function f9 "__clc_reduce_f32"(f32 "x") f32x2 export {
b0(v0: f32):
  v1: f32x2 = construct {v0, v0}
  return v1
}

function f10 "__clc_tanh_f32"(f32 "x") f32 export {
b0(v0: f32):
  v1: f32 = call f2(v0)
  return v1
}
"#;

/// Links, and gives the text of the functions that were there before, and of all names.
fn linked(program: &str) -> (String, Vec<String>) {
    let mut module = parse::module(program).unwrap();
    verify::module(&module).unwrap();
    let library = parse::module(LIBRARY).unwrap();
    let target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let needs = wanted(&module, For::Shader(&target));
    link(&mut module, library, &needs, For::Shader(&target));
    verify::module(&module).unwrap();
    let mut text = String::new();
    print::module(&module, &mut text);
    let names = module.functions.values().map(|function| function.name.clone()).collect();
    (text, names)
}

fn program(parameters: &str, body: &str) -> String {
    format!("module ptr64\n\nfunction f0 \"main\"({parameters}) void export {{\n{body}\n}}\n")
}

#[track_caller]
fn expect(program: &str, lines: &[&str], names: &[&str]) {
    let (text, found) = linked(program);
    let mut rest = text.as_str();
    for line in lines {
        let Some(at) = rest.find(&format!("  {line}\n")) else {
            panic!("{line} is not, or not there, in\n{text}")
        };
        rest = &rest[at..];
    }
    assert_eq!(found, names, "{text}");
}

#[test]
fn vectors_go_lane_by_lane() {
    let program = program(
        "ptr(crossworkgroup, f32x2) \"p\"",
        "b0(v0: ptr(crossworkgroup, f32x2)):
  v1: f32x2 = load v0 align 8
  v2: f32x2 = intrinsic Tanh(v1)
  v3: f32x2 = intrinsic Floor(v2)
  store v0, v3 align 8
  return",
    );
    let lines = [
        "v4: f32 = extract v1 [0]",
        "v5: f32 = call f1(v4)",
        "v6: f32 = extract v1 [1]",
        "v7: f32 = call f1(v6)",
        "v8: f32x2 = construct {v5, v7}",
        "v3: f32x2 = intrinsic Floor(v8)",
        "store v0, v3 align 8",
    ];
    expect(&program, &lines, &["main", "__clc_tanh_f32", "shared"]);
}

#[test]
fn functions_of_one_number_have_a_beginning_in_common() {
    let program = program(
        "f16 \"x\", ptr(function, f16) \"p\"",
        "b0(v0: f16, v1: ptr(function, f16)):
  v2: f16 = intrinsic Sin(v0)
  v3: f16 = intrinsic Cos(v0)
  v4: f16 = fadd v2, v3
  store v1, v4 align 2
  return",
    );
    let lines = [
        "v5: f32 = f_to_f v0",
        "v6: f32x2 = call f2(v5)",
        "v7: f32 = call f1(v5, v6)",
        "v8: f16 = f_to_f v7",
        "v9: f32 = f_to_f v0",
        "v10: f32x2 = call f2(v9)",
        "v11: f32 = call f3(v9, v10)",
    ];
    let names = ["main", "__clc_sin_f32", "__clc_reduce_f32", "__clc_cos_f32", "shared"];
    expect(&program, &lines, &names);
}

#[test]
fn half_is_computed_as_float() {
    let program = program(
        "f16 \"x\", i16 \"payload\", ptr(function, f16) \"p\"",
        "b0(v0: f16, v1: i16, v2: ptr(function, f16)):
  v3: f16 = intrinsic Ldexp(v0, i32 4)
  v4: f16 = intrinsic Nan(v1)
  v5: i32 = intrinsic Ilogb(v4)
  v6: f16 = intrinsic Ldexp(v3, v5)
  store v2, v6 align 2
  return",
    );
    let lines = [
        "v7: f32 = f_to_f v0",
        "v8: f32 = call f1(v7, i32 4)",
        "v9: f16 = f_to_f v8",
        "v10: i32 = zext v1",
        "v11: f32 = call f2(v10)",
        "v12: f16 = f_to_f v11",
        "v14: i32 = call f3(v13)",
        "v16: f32 = call f1(v15, v14)",
    ];
    expect(&program, &lines, &["main", "__clc_ldexp_f32", "__clc_nan_f32", "__clc_ilogb_f32"]);
}

#[test]
fn second_results_are_stored() {
    let program = program(
        "f16x2 \"x\", ptr(crossworkgroup, i32x2) \"p\"",
        "b0(v0: f16x2, v1: ptr(crossworkgroup, i32x2)):
  v2: f16x2 = intrinsic LgammaR(v0, v1)
  v3: i32x2 = intrinsic Ilogb(v2)
  store v1, v3 align 8
  return",
    );
    let lines = [
        "v5: f32 = f_to_f v4",
        "v6: i32 = call f2(v5)",
        "v9: i32 = call f2(v8)",
        "v10: i32x2 = construct {v6, v9}",
        "store v1, v10 align 8",
        "v13: f32 = call f1(v12)",
        "v14: f16 = f_to_f v13",
        "v19: f16x2 = construct {v14, v18}",
    ];
    let names = ["main", "__clc_lgamma_f32", "__clc_lgamma_sign_f32", "__clc_ilogb_f32"];
    expect(&program, &lines, &names);
}

#[test]
fn divisions_of_doubles_are_calls() {
    let program = program(
        "f64x2 \"x\", ptr(crossworkgroup, f64x2) \"p\"",
        "b0(v0: f64x2, v1: ptr(crossworkgroup, f64x2)):
  v2: f64x2 = fdiv v0, v0
  store v1, v2 align 16
  return",
    );
    let lines = ["v5: f64 = call f1(v3, v4)", "v8: f64 = call f1(v6, v7)"];
    expect(&program, &lines, &["main", "__clc_divide_f64"]);
}

#[test]
fn what_needs_no_body_stays() {
    let text = program(
        "f32 \"x\", ptr(crossworkgroup, f32) \"p\"",
        "b0(v0: f32, v1: ptr(crossworkgroup, f32)):
  v2: f32 = intrinsic Rint(v0)
  v3: f32 = fdiv v2, f32 0x40400000
  v4: f32 = intrinsic NativeSin(v3)
  store v1, v4 align 4
  return",
    );
    let module = parse::module(&text).unwrap();
    let mut target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let needs = wanted(&module, For::Shader(&target));
    assert!(needs.functions.is_empty() && needs.files.is_empty(), "{needs:?}");
    // Where numbers below the normal ones are asked for, quotients are among them.
    target.extensions.add("+SPV_KHR_float_controls").unwrap();
    assert_eq!(wanted(&module, For::Shader(&target)).functions, ["__clc_divide_denormal_f32"]);
}

/// Devices may have no reciprocal of a divisor above 2^126.
#[test]
fn divisors_of_any_size_need_a_body() {
    let needs = |divisor: &str| {
        let text = program(
            "f32 \"x\", i32 \"n\", ptr(crossworkgroup, f32) \"p\"",
            &format!(
                "b0(v0: f32, v1: i32, v2: ptr(crossworkgroup, f32)):
  v3: f32 = s_to_f v1
  v4: f32 = fneg v3
  v5: f32 = intrinsic Sqrt(v0)
  v6: f32 = fdiv v0, {divisor}
  store v2, v6 align 4
  return"
            ),
        );
        let module = parse::module(&text).unwrap();
        let target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
        wanted(&module, For::Shader(&target)).functions.contains(&"__clc_divide_flushed_f32")
    };
    // 2^126 and the next number, infinity.
    assert!(!needs("f32 0x7e800000") && needs("f32 0x7e800001") && needs("f32 0x7f800000"));
    assert!(!needs("v3") && !needs("v4") && !needs("v5") && needs("v0"));
}

#[test]
fn fused_sums_are_instructions_where_asked_for() {
    let text = program(
        "f32 \"x\", ptr(crossworkgroup, f32) \"p\"",
        "b0(v0: f32, v1: ptr(crossworkgroup, f32)):
  v2: f32 = intrinsic Fma(v0, v0, v0)
  store v1, v2 align 4
  return",
    );
    let module = parse::module(&text).unwrap();
    let mut target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    assert_eq!(wanted(&module, For::Shader(&target)).functions, ["__clc_fma_f32"]);
    target.profile.set(Instruction::FmaF32, Errors::ROUNDED);
    assert!(wanted(&module, For::Shader(&target)).functions.is_empty());
}

/// What `rsqrt` of each value becomes where numbers below the normal ones need not be kept.
#[test]
fn reciprocal_roots_of_normal_numbers_are_instructions() {
    let cases = [
        ("v3: f32 = fmul v0, v0\n  v4: f32 = fadd v3, f32 0x3c23d70a", true),
        ("v3: f32 = intrinsic Dot(v1, v1)\n  v4: f32 = fadd f32 0x00800000, v3", true),
        ("v3: f32 = intrinsic Fabs(v0)\n  v4: f32 = intrinsic Mad(v0, v0, f32 0x3f800000)", true),
        ("v3: f32 = intrinsic Dot(v1, v1)\n  v4: f32 = intrinsic Fmax(v3, f32 0x3f800000)", true),
        // Below the normal numbers.
        ("v3: f32 = fmul v0, v0\n  v4: f32 = fadd v3, f32 0x007fffff", false),
        ("v3: f32 = fmul v0, v0\n  v4: f32 = fadd v3, v3", false),
        // Of either sign.
        ("v3: f32 = fmul v0, f32 0x3f800000\n  v4: f32 = fadd v3, f32 0x3f800000", false),
        ("v3: f32 = intrinsic Dot(v1, v2)\n  v4: f32 = fadd v3, f32 0x3f800000", false),
        ("v3: f32 = fmul v0, v0\n  v4: f32 = fsub v3, f32 0x3f800000", false),
    ];
    for (lines, is_instruction) in cases {
        let text = program(
            "f32, f32x3, f32x3, ptr(crossworkgroup, f32)",
            &format!(
                "b0(v0: f32, v1: f32x3, v2: f32x3, v6: ptr(crossworkgroup, f32)):
  {lines}
  v5: f32 = intrinsic Rsqrt(v4)
  store v6, v5 align 4
  return"
            ),
        );
        let module = parse::module(&text).unwrap();
        let mut target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
        let functions = |target: &TargetOptions| wanted(&module, For::Shader(target)).functions;
        let body: &[&str] = if is_instruction { &[] } else { &["__clc_rsqrt_flushed_f32"] };
        assert_eq!(functions(&target), body, "{lines}");
        target.extensions.add("+SPV_KHR_float_controls").unwrap();
        let body: &[&str] = if is_instruction { &[] } else { &["__clc_rsqrt_f32"] };
        assert_eq!(functions(&target), body, "{lines}");
    }
}

#[test]
fn roots_are_shorter_where_only_normal_numbers_matter() {
    let text = program(
        "f32, f16, ptr(crossworkgroup, f32), ptr(crossworkgroup, f16)",
        "b0(v0: f32, v1: f16, v2: ptr(crossworkgroup, f32), v3: ptr(crossworkgroup, f16)):
  v4: f32 = intrinsic Sqrt(v0)
  v5: f16 = intrinsic Sqrt(v1)
  store v2, v4 align 4
  store v3, v5 align 2
  return",
    );
    let mut module = parse::module(&text).unwrap();
    let mut target = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    assert_eq!(wanted(&module, For::Shader(&target)).functions, ["__clc_sqrt_flushed_f32"]);
    target.extensions.add("+SPV_KHR_float_controls").unwrap();
    let both = ["__clc_sqrt_f32", "__clc_sqrt_flushed_f32"];
    assert_eq!(wanted(&module, For::Shader(&target)).functions, both);
    module.float_options.denorms_are_zero = true;
    assert_eq!(wanted(&module, For::Shader(&target)).functions, ["__clc_sqrt_flushed_f32"]);
    assert_eq!(
        wanted(&module, For::Test(Estimates::OfDevice, &DeviceProfile::default())).functions,
        ["__clc_sqrt_flushed_f32"]
    );
}
