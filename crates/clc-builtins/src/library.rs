//! Bodies in OpenCL C of the math functions, for targets without instructions that are precise
//! enough.
//!
//! OpenCL C 7.4 says how large an error may be. GLSL.std.450, which is what Vulkan has, promises
//! little: absolute errors for `Sin` and `Cos` and near the zero of `Log`, errors that grow with the
//! argument for `Exp` and `Pow`, nothing about results that are subnormal, and no function for most
//! others (Vulkan, "Precision and Operation of SPIR-V Instructions"). [`way`] says for each function
//! and width whether the instruction will do or a body is called.
//!
//! The bodies are scalar, in `lib/`, one file a family. They need no more of a device than correctly
//! rounded sums and products, divisions within 2.5 units, conversions, and `native_rsqrt`; subnormal
//! arguments and results are right where the device keeps them, and zeros where it does not.

use crate::Intrinsic;

/// A source text with bodies.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    pub name: &'static str,
    pub text: &'static str,
    /// Files that must come before this one; in an order in which they may be written down.
    pub needs: &'static [&'static File],
}

macro_rules! files {
    ($($name:ident = $file:literal needs $needs:expr;)*) => {
        $(static $name: File = File {
            name: $file,
            text: include_str!(concat!("../lib/", $file)),
            needs: $needs,
        };)*

        /// Every file; those that a file needs come before it.
        pub static FILES: &[&File] = &[$(&$name),*];
    };
}

files! {
    EXP = "exp_f32.cl" needs &[];
    LOG = "log_f32.cl" needs &[];
    POW = "pow_f32.cl" needs &[&EXP, &LOG];
    SIN = "sin_f32.cl" needs &[];
    SQRT = "sqrt_f32.cl" needs &[];
    FMA = "fma_f32.cl" needs &[];
    REMAINDER = "remainder_f32.cl" needs &[];
    PARTS = "parts_f32.cl" needs &[];
    ASIN = "asin_f32.cl" needs &[&SQRT];
    SINH = "sinh_f32.cl" needs &[&EXP, &LOG, &SQRT];
    ERF = "erf_f32.cl" needs &[&EXP];
    GAMMA = "gamma_f32.cl" needs &[&LOG, &SIN];
}

/// A function in OpenCL C that does what an intrinsic means, for scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    pub file: &'static File,
    pub function: &'static str,
    /// The function with the same arguments that gives what the intrinsic stores through its last
    /// operand, a pointer.
    pub stored: Option<&'static str>,
    /// The body takes and gives `float` where the intrinsic has `half`: half results are within
    /// bounds if they are rounded from what is right for `float`, and exact functions stay exact.
    pub through_float: bool,
}

/// How a target with GLSL.std.450 computes a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// With this instruction, which is good enough for this reason.
    Instruction {
        name: &'static str,
        reason: &'static str,
    },
    Body(Body),
}

/// How a math function is computed for floats of `bits` bits; nothing for what is no math function,
/// or has no body yet.
pub fn way(intrinsic: Intrinsic, bits: u8) -> Option<Way> {
    if let Some(&(_, name, reason)) = INSTRUCTIONS.iter().find(|row| row.0 == intrinsic) {
        return Some(Way::Instruction { name, reason });
    }
    let find = |rows: &[Row]| {
        rows.iter().find(|row| row.intrinsic == intrinsic).map(|row| Body {
            file: row.file,
            function: row.function,
            stored: row.stored,
            through_float: false,
        })
    };
    let body = match bits {
        16 => find(HALF).or_else(|| Some(Body { through_float: true, ..find(FLOAT)? })),
        32 => find(FLOAT),
        _ => None,
    };
    body.map(Way::Body)
}

/// The body for the division of floats of `bits` bits, if the instruction will not do. OpFDiv is
/// within 2.5 units, which is what `float` may have.
pub fn division(bits: u8) -> Option<Body> {
    let body =
        Body { file: &PARTS, function: "__clc_divide_f32", stored: None, through_float: true };
    (bits == 16).then_some(body)
}

/// Instructions that will do in every width.
const INSTRUCTIONS: &[(Intrinsic, &str, &str)] = &[
    (Intrinsic::Ceil, "Ceil", EXACT),
    (Intrinsic::Fabs, "FAbs", EXACT),
    (Intrinsic::Floor, "Floor", EXACT),
    (Intrinsic::Rint, "RoundEven", EXACT),
    (Intrinsic::Trunc, "Trunc", EXACT),
    (Intrinsic::Fmax, "NMax", "gives the operand that is a number, if one is"),
    (Intrinsic::Fmin, "NMin", "gives the operand that is a number, if one is"),
    (
        Intrinsic::Mad,
        "Fma",
        "a product and a sum, rounded once or twice, as both specifications say",
    ),
    (Intrinsic::HalfDivide, "OpFDiv", "2.5 units of the 8192"),
    (Intrinsic::HalfRecip, "OpFDiv", "2.5 units of the 8192"),
    (Intrinsic::HalfExp, "Exp", "3 + 2 |x| units of the 8192"),
    (Intrinsic::HalfExp2, "Exp2", "3 + 2 |x| units of the 8192"),
    (Intrinsic::NativeCos, "Cos", NATIVE),
    (Intrinsic::NativeDivide, "OpFDiv", NATIVE),
    (Intrinsic::NativeExp, "Exp", NATIVE),
    (Intrinsic::NativeExp2, "Exp2", NATIVE),
    (Intrinsic::NativeExp10, "Exp2", NATIVE),
    (Intrinsic::NativeLog, "Log", NATIVE),
    (Intrinsic::NativeLog2, "Log2", NATIVE),
    (Intrinsic::NativeLog10, "Log2", NATIVE),
    (Intrinsic::NativePowr, "Pow", NATIVE),
    (Intrinsic::NativeRecip, "OpFDiv", NATIVE),
    (Intrinsic::NativeRsqrt, "InverseSqrt", NATIVE),
    (Intrinsic::NativeSin, "Sin", NATIVE),
    (Intrinsic::NativeSqrt, "Sqrt", NATIVE),
    (Intrinsic::NativeTan, "Tan", NATIVE),
];

const EXACT: &str = "correctly rounded";
const NATIVE: &str = "the precision of native functions is the implementation's choice";

struct Row {
    intrinsic: Intrinsic,
    file: &'static File,
    function: &'static str,
    stored: Option<&'static str>,
}

const fn row(intrinsic: Intrinsic, file: &'static File, function: &'static str) -> Row {
    Row { intrinsic, file, function, stored: None }
}

/// A function that stores a second result.
const fn two(
    intrinsic: Intrinsic,
    file: &'static File,
    function: &'static str,
    stored: &'static str,
) -> Row {
    Row { intrinsic, file, function, stored: Some(stored) }
}

const FLOAT: &[Row] = &[
    row(Intrinsic::Exp, &EXP, "__clc_exp_f32"),
    row(Intrinsic::Exp2, &EXP, "__clc_exp2_f32"),
    row(Intrinsic::Exp10, &EXP, "__clc_exp10_f32"),
    row(Intrinsic::Expm1, &EXP, "__clc_expm1_f32"),
    row(Intrinsic::HalfExp10, &EXP, "__clc_exp10_f32"),
    row(Intrinsic::Log, &LOG, "__clc_log_f32"),
    row(Intrinsic::Log2, &LOG, "__clc_log2_f32"),
    row(Intrinsic::Log10, &LOG, "__clc_log10_f32"),
    row(Intrinsic::Log1p, &LOG, "__clc_log1p_f32"),
    row(Intrinsic::HalfLog, &LOG, "__clc_log_f32"),
    row(Intrinsic::HalfLog2, &LOG, "__clc_log2_f32"),
    row(Intrinsic::HalfLog10, &LOG, "__clc_log10_f32"),
    row(Intrinsic::Pow, &POW, "__clc_pow_f32"),
    row(Intrinsic::Pown, &POW, "__clc_pown_f32"),
    row(Intrinsic::Powr, &POW, "__clc_powr_f32"),
    row(Intrinsic::Rootn, &POW, "__clc_rootn_f32"),
    row(Intrinsic::HalfPowr, &POW, "__clc_powr_f32"),
    row(Intrinsic::Sin, &SIN, "__clc_sin_f32"),
    row(Intrinsic::Cos, &SIN, "__clc_cos_f32"),
    row(Intrinsic::Tan, &SIN, "__clc_tan_f32"),
    row(Intrinsic::Sinpi, &SIN, "__clc_sinpi_f32"),
    row(Intrinsic::Cospi, &SIN, "__clc_cospi_f32"),
    row(Intrinsic::Tanpi, &SIN, "__clc_tanpi_f32"),
    row(Intrinsic::HalfSin, &SIN, "__clc_sin_f32"),
    row(Intrinsic::HalfCos, &SIN, "__clc_cos_f32"),
    row(Intrinsic::HalfTan, &SIN, "__clc_tan_f32"),
    two(Intrinsic::Sincos, &SIN, "__clc_sin_f32", "__clc_cos_f32"),
    row(Intrinsic::Sqrt, &SQRT, "__clc_sqrt_f32"),
    row(Intrinsic::Rsqrt, &SQRT, "__clc_rsqrt_f32"),
    row(Intrinsic::Cbrt, &SQRT, "__clc_cbrt_f32"),
    row(Intrinsic::Hypot, &SQRT, "__clc_hypot_f32"),
    row(Intrinsic::HalfSqrt, &SQRT, "__clc_sqrt_f32"),
    row(Intrinsic::HalfRsqrt, &SQRT, "__clc_rsqrt_f32"),
    row(Intrinsic::Fma, &FMA, "__clc_fma_f32"),
    row(Intrinsic::Fmod, &REMAINDER, "__clc_fmod_f32"),
    row(Intrinsic::Remainder, &REMAINDER, "__clc_remainder_f32"),
    two(Intrinsic::Remquo, &REMAINDER, "__clc_remainder_f32", "__clc_remquo_quotient_f32"),
    row(Intrinsic::Ldexp, &PARTS, "__clc_ldexp_f32"),
    row(Intrinsic::Ilogb, &PARTS, "__clc_ilogb_f32"),
    row(Intrinsic::Logb, &PARTS, "__clc_logb_f32"),
    two(Intrinsic::Frexp, &PARTS, "__clc_frexp_f32", "__clc_frexp_exponent_f32"),
    row(Intrinsic::Round, &PARTS, "__clc_round_away_f32"),
    two(Intrinsic::Modf, &PARTS, "__clc_modf_f32", "__clc_modf_whole_f32"),
    two(Intrinsic::Fract, &PARTS, "__clc_fract_f32", "__clc_fract_whole_f32"),
    row(Intrinsic::Nextafter, &PARTS, "__clc_nextafter_f32"),
    row(Intrinsic::Copysign, &PARTS, "__clc_copysign_f32"),
    row(Intrinsic::Fdim, &PARTS, "__clc_fdim_f32"),
    row(Intrinsic::Maxmag, &PARTS, "__clc_maxmag_f32"),
    row(Intrinsic::Minmag, &PARTS, "__clc_minmag_f32"),
    row(Intrinsic::Nan, &PARTS, "__clc_nan_f32"),
    row(Intrinsic::Acos, &ASIN, "__clc_acos_f32"),
    row(Intrinsic::Acospi, &ASIN, "__clc_acospi_f32"),
    row(Intrinsic::Asin, &ASIN, "__clc_asin_f32"),
    row(Intrinsic::Asinpi, &ASIN, "__clc_asinpi_f32"),
    row(Intrinsic::Atan, &ASIN, "__clc_atan_f32"),
    row(Intrinsic::Atan2, &ASIN, "__clc_atan2_f32"),
    row(Intrinsic::Atan2pi, &ASIN, "__clc_atan2pi_f32"),
    row(Intrinsic::Atanpi, &ASIN, "__clc_atanpi_f32"),
    row(Intrinsic::Sinh, &SINH, "__clc_sinh_f32"),
    row(Intrinsic::Cosh, &SINH, "__clc_cosh_f32"),
    row(Intrinsic::Tanh, &SINH, "__clc_tanh_f32"),
    row(Intrinsic::Asinh, &SINH, "__clc_asinh_f32"),
    row(Intrinsic::Acosh, &SINH, "__clc_acosh_f32"),
    row(Intrinsic::Atanh, &SINH, "__clc_atanh_f32"),
    row(Intrinsic::Erf, &ERF, "__clc_erf_f32"),
    row(Intrinsic::Erfc, &ERF, "__clc_erfc_f32"),
    row(Intrinsic::Tgamma, &GAMMA, "__clc_tgamma_f32"),
    row(Intrinsic::Lgamma, &GAMMA, "__clc_lgamma_f32"),
    two(Intrinsic::LgammaR, &GAMMA, "__clc_lgamma_f32", "__clc_lgamma_sign_f32"),
];

/// Where rounding the result for `float` would be wrong.
const HALF: &[Row] = &[];

/// The text that defines the functions of `files`: each of them once, after what it needs.
pub fn text(files: &[&'static File]) -> String {
    let mut wanted: Vec<&File> = Vec::new();
    for file in files {
        want(file, &mut wanted);
    }
    wanted.iter().map(|file| file.text).collect::<Vec<_>>().join("\n")
}

fn want(file: &'static File, wanted: &mut Vec<&'static File>) {
    if wanted.contains(&file) {
        return;
    }
    for needed in file.needs {
        want(needed, wanted);
    }
    wanted.push(file);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_where_the_table_says() {
        for row in FLOAT.iter().chain(HALF) {
            for function in [Some(row.function), row.stored].into_iter().flatten() {
                assert!(row.file.text.contains(&format!(" {function}(")), "{function}");
            }
        }
    }

    #[test]
    fn files_use_what_they_need_and_define() {
        for file in FILES {
            let text = text(&[file]);
            for (at, _) in text.match_indices("__clc_") {
                let name: String = text[at..]
                    .chars()
                    .take_while(|&c| c.is_ascii_alphanumeric() || c == '_')
                    .collect();
                let defined = ["float", "float2", "double", "double2", "int", "uint", "ulong"]
                    .iter()
                    .chain(&["int2", "uint2", "ulong2"])
                    .any(|ty| text.contains(&format!("\n{ty} {name}(")));
                assert!(defined, "{name} in {}", file.name);
            }
        }
    }

    #[test]
    fn half_goes_through_float() {
        let Some(Way::Body(body)) = way(Intrinsic::Sin, 16) else { panic!() };
        assert!(body.through_float);
        let Some(Way::Body(body)) = way(Intrinsic::Sin, 32) else { panic!() };
        assert!(!body.through_float);
        assert!(matches!(way(Intrinsic::Floor, 16), Some(Way::Instruction { .. })));
        assert_eq!(way(Intrinsic::Vload, 32), None);
    }
}
