//! Intrinsics that reach the emitter of shaders: which instruction each becomes, and that the module
//! is valid for Vulkan.

#[path = "common/legalise.rs"]
mod common;

use clc_base::SourceMap;
use clc_legalise::{Environment, TargetOptions};
use clc_spirv::{disassemble, validate};

/// A kernel that loads the operands of `call` through addresses, calls, and stores the result.
/// Operands are types, or constants where they begin with `=`; a `*` is an address itself.
fn kernel(call: &str, operands: &[&str], result: &str) -> String {
    let mut text =
        "module ptr64\n\nfunction f0 \"k\"() void kernel \"k\" reqd 64 1 1 {\nb0:\n".to_owned();
    let mut values = Vec::new();
    let mut next = 0;
    let mut line = |text: &mut String, ty: &str, value: &str| {
        text.push_str(&format!("  v{next}: {ty} = {value}\n"));
        next += 1;
        format!("v{}", next - 1)
    };
    for operand in operands {
        if let Some(constant) = operand.strip_prefix('=') {
            values.push(constant.to_owned());
            continue;
        }
        let (ty, is_address) = match operand.strip_suffix('*') {
            Some(ty) => (ty, true),
            None => (*operand, false),
        };
        let pointer = format!("ptr(physicalstoragebuffer, {ty})");
        let address = line(&mut text, &pointer, "int_to_ptr i64 4096");
        if is_address {
            values.push(address);
        } else {
            values.push(line(&mut text, ty, &format!("load {address} align 16")));
        }
    }
    let call = format!("intrinsic {call}({})", values.join(", "));
    if result == "void" {
        text.push_str(&format!("  {call}\n"));
    } else {
        let value = line(&mut text, result, &call);
        let pointer = format!("ptr(physicalstoragebuffer, {result})");
        let address = line(&mut text, &pointer, "int_to_ptr i64 8192");
        text.push_str(&format!("  store {address}, {value} align 16\n"));
    }
    text + "  return\n}\n"
}

/// The disassembly, or the messages.
fn compile(minor: u8, text: &str, extensions: &str) -> Result<String, Vec<String>> {
    let mut options = TargetOptions::new(Environment::Vulkan { major: 1, minor });
    options.extensions.add(extensions).unwrap();
    let mut module = clc_ir::parse::module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let messages = |errors: Vec<clc_base::Diagnostic>| -> Vec<String> {
        errors.into_iter().map(|error| format!("{}: {}", error.code.id, error.message)).collect()
    };
    let legalised =
        common::legalise(&mut module, &options, Some("shader-arguments")).map_err(messages)?;
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let words = clc_spirv::compile(&mut module, &SourceMap::new(), &options, &legalised)
        .map_err(messages)?;
    let found = disassemble(&words);
    if let Err(error) = validate(&words, &options) {
        panic!("{error}\n{text}\n{found}");
    }
    Ok(found)
}

struct Row {
    call: &'static str,
    operands: &'static [&'static str],
    result: &'static str,
    /// What the disassembly has.
    expected: &'static str,
}

const fn row(
    call: &'static str,
    operands: &'static [&'static str],
    result: &'static str,
    expected: &'static str,
) -> Row {
    Row { call, operands, result, expected }
}

const ROWS: &[Row] = &[
    row("GetLocalLinearId", &[], "i64", "BuiltIn LocalInvocationIndex"),
    row("GetSubGroupSize", &[], "i32", "OpGroupNonUniformBallotBitCount"),
    row("GetSubGroupLtMask", &[], "i32x4", "BuiltIn SubgroupLtMask"),
    row("Ceil", &["f32"], "f32", " Ceil "),
    row("Fabs", &["f64"], "f64", " FAbs "),
    row("Floor", &["f32x4"], "f32x4", " Floor "),
    row("Rint", &["f32"], "f32", " RoundEven "),
    row("Trunc", &["f16"], "f16", " Trunc "),
    row("Fmax", &["f32", "f32"], "f32", " NMax "),
    row("Fmin", &["f32", "f32"], "f32", " NMin "),
    row("FClamp", &["f32", "f32", "f32"], "f32", " NClamp "),
    row("Mad", &["f32", "f32", "f32"], "f32", " Fma "),
    row("HalfDivide", &["f32", "f32"], "f32", "OpFDiv"),
    row("NativeRecip", &["f32x2"], "f32x2", "OpFDiv"),
    row("NativeExp", &["f32"], "f32", " Exp "),
    row("NativeExp10", &["f32x3"], "f32x3", " Exp2 "),
    row("NativeLog10", &["f32"], "f32", " Log2 "),
    row("NativePowr", &["f32", "f32"], "f32", " Pow "),
    row("NativeRsqrt", &["f32"], "f32", " InverseSqrt "),
    row("NativeSqrt", &["f32"], "f32", " Sqrt "),
    row("NativeTan", &["f32"], "f32", " Tan "),
    row("NativeSin", &["f32"], "f32", " Sin "),
    row("Dot", &["f32x4", "f32x4"], "f32", "OpDot"),
    row("Dot", &["f32", "f32"], "f32", "OpFMul"),
    row("Cross", &["f32x4", "f32x4"], "f32x4", "OpVectorShuffle"),
    row("SAbs", &["i8x4"], "i8x4", " SAbs "),
    row("SClamp", &["i64", "i64", "i64"], "i64", " SClamp "),
    row("UMax", &["i16", "i16"], "i16", " UMax "),
    row("SMulHi", &["i32", "i32"], "i32", "OpSMulExtended"),
    row("UMulHi", &["i32x2", "i32x2"], "i32x2", "OpUMulExtended"),
    row("UMadHi", &["i32", "i32", "i32"], "i32", "OpUMulExtended"),
    row("Clz", &["i32x4"], "i32x4", " FindUMsb "),
    row("Clz", &["i64"], "i64", " FindUMsb "),
    row("Ctz", &["i8"], "i8", " FindILsb "),
    row("Popcount", &["i16x2"], "i16x2", "OpBitCount"),
    row("PackHalf2x16", &["f32x2"], "i32", " PackHalf2x16 "),
    row("UnpackHalf2x16", &["i32"], "f32x2", " UnpackHalf2x16 "),
    row("BitReverse", &["i64"], "i64", "OpBitReverse"),
    row("Dot4x8(SignedSigned)", &["i8x4", "i8x4"], "i32", "OpSDot"),
    row("Dot4x8PackedAccSat(UnsignedSigned)", &["i32", "i32", "i32"], "i32", "OpSUDotAccSat"),
    // All devices.
    row("ClockReadDevice", &[], "i64", "OpReadClockKHR"),
    row("SubGroup(Reduce, IAdd)", &["i32"], "i32", "OpGroupNonUniformIAdd"),
    row("SubGroup(InclusiveScan, FMax)", &["f32"], "f32", "InclusiveScan"),
    row(
        "SubGroupNonUniform(ClusteredReduce, LogicalAnd)",
        &["i32", "=i32 4"],
        "i32",
        "OpGroupNonUniformLogicalAnd",
    ),
    row("SubGroupAll", &["i32"], "i32", "OpGroupNonUniformAll"),
    row("SubGroupNonUniformAllEqual", &["i32"], "i32", "OpGroupNonUniformAllEqual"),
    row("SubGroupBroadcast", &["f32", "=i32 3"], "f32", "OpGroupNonUniformBroadcast"),
    row("SubGroupElect", &[], "i32", "OpGroupNonUniformElect"),
    row("SubGroupBallot", &["i32"], "i32x4", "OpGroupNonUniformBallot"),
    row("SubGroupBallotFindMsb", &["i32x4"], "i32", "OpGroupNonUniformBallotFindMSB"),
    row("SubGroupShuffleXor", &["i32", "i32"], "i32", "OpGroupNonUniformShuffleXor"),
    row("SubGroupClusteredRotate", &["i32", "i32", "=i32 8"], "i32", "OpGroupNonUniformShuffle"),
];

#[test]
fn each_becomes_its_instruction() {
    for &Row { call, operands, result, expected } in ROWS {
        let stored = if result == "bool" { "void" } else { result };
        // A boolean has no place in memory; the call is enough.
        let text = if result == "bool" {
            kernel(call, operands, stored).replace("  intrinsic", "  v1: bool = intrinsic")
        } else {
            kernel(call, operands, stored)
        };
        let found = compile(3, &text, "").unwrap_or_else(|errors| panic!("{call}: {errors:?}"));
        assert!(found.contains(expected), "{call}: no {expected} in\n{found}");
        assert!(!found.contains("OpenCL.std"), "{call}\n{found}");
    }
}
