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
//! rounded sums, products and conversions, divisions within 2.5 units, and the [`BUILDING_BLOCKS`];
//! which of the inexact ones a file relies on is said at its head. A `mad` may be rounded once or twice:
//! polynomials are made of them, and products that are exact. Subnormal arguments and results are
//! right where the device keeps them, and zeros where it does not.

use clc_base::lang::FloatOptions;

use crate::Intrinsic;

/// A source text with bodies.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// The file's name in `lib/`, for messages.
    pub name: &'static str,
    /// The contents, in OpenCL C.
    pub text: &'static str,
    /// Files that must come before this one; in an order in which they may be written down.
    pub needs: &'static [&'static File],
}

macro_rules! files {
    ($($name:ident = $file:literal needs $needs:expr;)*) => {
        $(pub(crate) static $name: File = File {
            name: $file,
            text: include_str!(concat!("../lib/", $file)),
            needs: $needs,
        };)*

        /// Every file; those that a file needs come before it.
        pub static FILES: &[&File] = &[$(&$name),*];
    };
}

files! {
    EXP_F32 = "exp_f32.cl" needs &[];
    LOG_F32 = "log_f32.cl" needs &[];
    POW_F32 = "pow_f32.cl" needs &[&EXP_F32, &LOG_F32];
    SIN_F32 = "sin_f32.cl" needs &[];
    SQRT_F32 = "sqrt_f32.cl" needs &[];
    ASIN_F32 = "asin_f32.cl" needs &[&SQRT_F32];
    SINH_F32 = "sinh_f32.cl" needs &[&EXP_F32, &LOG_F32, &SQRT_F32];
    ERF_F32 = "erf_f32.cl" needs &[&EXP_F32];
    GAMMA_F32 = "gamma_f32.cl" needs &[&LOG_F32, &SIN_F32];
    FMA_F32 = "fma_f32.cl" needs &[];
    REMAINDER_F32 = "remainder_f32.cl" needs &[];
    PARTS_F32 = "parts_f32.cl" needs &[];
    RELAXED_F32 = "relaxed_f32.cl" needs &[];
    FUSED_F32 = "fused_f32.cl" needs &[&POW_F32, &REMAINDER_F32];

    ASKING_F32 = "asking_f32.cl" needs &[&FMA_F32];

    DIVIDE_I64 = "divide_i64.cl" needs &[];
    DIVIDE_F64 = "divide_f64.cl" needs &[];
    EXP_F64 = "exp_f64.cl" needs &[];
    LOG_F64 = "log_f64.cl" needs &[&DIVIDE_F64];
    POW_F64 = "pow_f64.cl" needs &[&EXP_F64, &LOG_F64];
    SIN_F64 = "sin_f64.cl" needs &[&DIVIDE_F64];
    SQRT_F64 = "sqrt_f64.cl" needs &[&DIVIDE_F64];
    ASIN_F64 = "asin_f64.cl" needs &[&SQRT_F64];
    SINH_F64 = "sinh_f64.cl" needs &[&EXP_F64, &LOG_F64, &SQRT_F64];
    ERF_F64 = "erf_f64.cl" needs &[&DIVIDE_F64, &EXP_F64];
    GAMMA_F64 = "gamma_f64.cl" needs &[&POW_F64, &SIN_F64];
    FMA_F64 = "fma_f64.cl" needs &[];
    REMAINDER_F64 = "remainder_f64.cl" needs &[&DIVIDE_I64];
    PARTS_F64 = "parts_f64.cl" needs &[];
    FUSED_F64 = "fused_f64.cl" needs &[&SQRT_F64];
    FUSED_REMAINDER_F64 = "fused_remainder_f64.cl" needs &[&FUSED_F64, &REMAINDER_F64];
    DIVIDING_F64 = "dividing_f64.cl" needs &[&FUSED_F64];
    ASKING_F64 = "asking_f64.cl" needs &[&FMA_F64, &FUSED_F64];
}

/// A function of `float` that bodies call although its results are estimates.
///
/// A body names the function of OpenCL C. On an OpenCL driver it is that function, whose error OpenCL C
/// 7.4 bounds, as it does not for any `native_` function. For a shader it is an instruction of
/// GLSL.std.450, whose error is bounded by Vulkan. Bodies rely on the larger error of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildingBlock {
    /// What a body calls.
    pub function: Intrinsic,
    /// What is lowered to the instruction.
    pub instruction: Intrinsic,
    /// As the heads of files name the function, with the error that bodies rely on.
    pub bound: &'static str,
    /// The function of [`worst`](crate::worst) whose results have that error.
    pub(crate) worst: &'static str,
}

/// All of them.
pub const BUILDING_BLOCKS: &[BuildingBlock] = &[
    BuildingBlock {
        function: Intrinsic::Rsqrt,
        instruction: Intrinsic::NativeRsqrt,
        bound: "rsqrt of normal numbers within 2 units",
        worst: "__clc_worst_rsqrt_f32",
    },
    BuildingBlock {
        function: Intrinsic::Exp2,
        instruction: Intrinsic::NativeExp2,
        bound: "exp2 within 3 + 2 |x| units",
        worst: "__clc_worst_exp2_f32",
    },
    BuildingBlock {
        function: Intrinsic::Log2,
        instruction: Intrinsic::NativeLog2,
        bound: "log2 within 3 units, or 2^-21 from 1/2 to 2",
        worst: "__clc_worst_log2_f32",
    },
];

/// The error of division that bodies rely on, as heads of files name it.
pub const DIVISION_BOUND: &str = "division within 2.5 units";

/// The building block that `intrinsic` is in a body.
pub fn building_block(intrinsic: Intrinsic) -> Option<&'static BuildingBlock> {
    BUILDING_BLOCKS.iter().find(|block| block.function == intrinsic)
}

/// A function in OpenCL C that does what an intrinsic means, for scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body {
    /// The source text that defines `function`.
    pub file: &'static File,
    /// The name of the function, which `file` defines.
    pub function: &'static str,
    /// The function with the same arguments that returns what the intrinsic stores through its last
    /// operand, a pointer.
    pub stored: Option<&'static str>,
    /// The function with the same arguments whose result is the body's last argument; what several
    /// functions of the same numbers have in common, and then compute once.
    pub common: Option<&'static str>,
    /// The body takes and returns `float` where the intrinsic has `half`: half results are within
    /// bounds if they are rounded from what is right for `float`, and exact functions stay exact.
    pub through_float: bool,
}

/// How a target with GLSL.std.450 computes a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// With this instruction, which is good enough for this reason.
    Instruction {
        /// The instruction's name in GLSL.std.450 or of the core instruction set (`OpFDiv`).
        name: &'static str,
        /// Why its error is within the bounds of OpenCL C 7.4.
        reason: &'static str,
    },
    /// As this other function, which has an instruction. Of that function OpenCL bounds no error, so
    /// only shaders take it.
    As(Intrinsic),
    /// With a call of a function in OpenCL C.
    Body(Body),
}

/// How a math function is computed for floats of `bits` bits; nothing for what is no math function.
/// `denorms_are_zero` is for targets that need not keep them, whatever the program says.
pub fn way(intrinsic: Intrinsic, bits: u8, options: &FloatOptions) -> Option<Way> {
    if let Some(&(_, name, reason)) = INSTRUCTIONS.iter().find(|row| row.0 == intrinsic) {
        return Some(Way::Instruction { name, reason });
    }
    let find = |rows: &[Row]| {
        rows.iter().find(|row| row.intrinsic == intrinsic).map(|row| Body {
            file: row.file,
            function: row.function,
            stored: row.stored,
            common: row.common,
            through_float: false,
        })
    };
    let special = |is_asked_for, rows| if is_asked_for { find(rows) } else { None };
    let is_relaxed = options.unsafe_math || options.fast_relaxed_math;
    // InverseSqrt is undefined where the result is infinite or none.
    let is_finite_rsqrt = options.denorms_are_zero
        && options.finite_math_only
        && matches!(intrinsic, Intrinsic::Rsqrt | Intrinsic::HalfRsqrt);
    let body = match bits {
        // In `float` all numbers of `half` are normal.
        16 => find(HALF)
            .or_else(|| find(FLUSHED))
            .or_else(|| find(FLOAT))
            .map(|body| Body { through_float: true, ..body }),
        32 => {
            let native = AS_NATIVE.iter().find(|row| is_relaxed && row.0 == intrinsic);
            if let Some(&(_, native)) = native {
                return Some(Way::As(native));
            }
            if is_finite_rsqrt {
                return Some(Way::As(Intrinsic::NativeRsqrt));
            }
            special(options.correctly_rounded_divide_sqrt, ROUNDED)
                .or_else(|| special(is_relaxed, RELAXED))
                .or_else(|| special(options.denorms_are_zero, FLUSHED))
                .or_else(|| find(FLOAT))
                .or_else(|| find(APPROXIMATE))
        }
        64 => find(DOUBLE),
        _ => None,
    };
    body.map(Way::Body)
}

/// The body of a division of `float` that is no better than the instruction, but of any divisor, where
/// subnormal numbers may be flushed.
pub const DIVISION_OF_ANY: &str = "__clc_divide_flushed_f32";

/// The body for the division of floats of `bits` bits, if the instruction will not do: OpFDiv is
/// within 2.5 units for divisors from 2^-126 to 2^126, which is what `float` may have unless more is
/// asked for, and what is said of `double` is that it is as precise as `float`. Nothing is said of
/// quotients below the normal numbers, whatever the device keeps otherwise.
pub fn division(bits: u8, options: &FloatOptions) -> Option<Body> {
    let is_relaxed = options.unsafe_math || options.fast_relaxed_math;
    let (file, function) = match bits {
        16 => (&PARTS_F32, "__clc_divide_f32"),
        32 if options.correctly_rounded_divide_sqrt => (&PARTS_F32, "__clc_divide_rounded_f32"),
        // Relaxed math bounds no errors for other divisors.
        32 if is_relaxed => return None,
        32 if options.denorms_are_zero => (&PARTS_F32, DIVISION_OF_ANY),
        32 => (&PARTS_F32, "__clc_divide_denormal_f32"),
        64 => (&DIVIDE_F64, "__clc_divide_f64"),
        _ => return None,
    };
    Some(Body { file, function, stored: None, common: None, through_float: bits == 16 })
}

/// The body for the division of integers of `bits` bits, or for the remainder of unsigned ones, if the instruction will not
/// do: that for 64 bits is wrong on a driver (`lib/divide_i64.cl`).
pub fn integer_division(bits: u8, is_signed: bool, wants_rest: bool) -> Option<Body> {
    let function = match (bits, is_signed, wants_rest) {
        (64, false, false) => "__clc_divide_u64",
        (64, false, true) => "__clc_remainder_u64",
        (64, true, false) => "__clc_divide_i64",
        _ => return None,
    };
    let file = &DIVIDE_I64;
    Some(Body { file, function, stored: None, common: None, through_float: false })
}

/// Instructions that will do in every width.
const INSTRUCTIONS: &[(Intrinsic, &str, &str)] = &[
    (Intrinsic::Ceil, "Ceil", EXACT),
    (Intrinsic::Fabs, "FAbs", EXACT),
    (Intrinsic::Floor, "Floor", EXACT),
    (Intrinsic::Rint, "RoundEven", EXACT),
    (Intrinsic::Trunc, "Trunc", EXACT),
    (Intrinsic::Fmax, "NMax", "returns the operand that is a number, if one is"),
    (Intrinsic::Fmin, "NMin", "returns the operand that is a number, if one is"),
    (
        Intrinsic::Mad,
        "Fma",
        "a product and a sum, rounded once or twice, as both specifications say",
    ),
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
    common: Option<&'static str>,
}

const fn row(intrinsic: Intrinsic, file: &'static File, function: &'static str) -> Row {
    Row { intrinsic, file, function, stored: None, common: None }
}

macro_rules! optional {
    ($width:literal) => {
        None
    };
    ($width:literal $name:literal) => {
        Some(concat!("__clc_", $name, $width))
    };
}

/// Rows of functions that `float` and `double` have, with the parts of names between `__clc_` and the
/// width.
macro_rules! rows {
    ($($intrinsic:ident: $float:ident $double:ident $name:literal
        $(stores $stored:literal)? $(after $common:literal)?;)*) => {
        const FLOAT_AND_DOUBLE: [&[Row]; 2] = [
            &[$(Row {
                intrinsic: Intrinsic::$intrinsic,
                file: &$float,
                function: concat!("__clc_", $name, "_f32"),
                stored: optional!("_f32" $($stored)?),
                common: optional!("_f32" $($common)?),
            },)*],
            &[$(Row {
                intrinsic: Intrinsic::$intrinsic,
                file: &$double,
                function: concat!("__clc_", $name, "_f64"),
                stored: optional!("_f64" $($stored)?),
                common: optional!("_f64" $($common)?),
            },)*],
        ];
    };
}

rows! {
    Exp: EXP_F32 EXP_F64 "exp";
    Exp2: EXP_F32 EXP_F64 "exp2";
    Exp10: EXP_F32 EXP_F64 "exp10";
    Expm1: EXP_F32 EXP_F64 "expm1";
    Log: LOG_F32 LOG_F64 "log";
    Log2: LOG_F32 LOG_F64 "log2";
    Log10: LOG_F32 LOG_F64 "log10";
    Log1p: LOG_F32 LOG_F64 "log1p";
    Pow: POW_F32 POW_F64 "pow";
    Pown: POW_F32 POW_F64 "pown";
    Powr: POW_F32 POW_F64 "powr";
    Rootn: POW_F32 POW_F64 "rootn";
    Sin: SIN_F32 SIN_F64 "sin" after "reduce";
    Cos: SIN_F32 SIN_F64 "cos" after "reduce";
    Tan: SIN_F32 SIN_F64 "tan" after "reduce";
    Sinpi: SIN_F32 SIN_F64 "sinpi";
    Cospi: SIN_F32 SIN_F64 "cospi";
    Tanpi: SIN_F32 SIN_F64 "tanpi";
    Sqrt: SQRT_F32 SQRT_F64 "sqrt";
    Rsqrt: SQRT_F32 SQRT_F64 "rsqrt";
    Cbrt: SQRT_F32 SQRT_F64 "cbrt";
    Hypot: SQRT_F32 SQRT_F64 "hypot";
    Acos: ASIN_F32 ASIN_F64 "acos";
    Acospi: ASIN_F32 ASIN_F64 "acospi";
    Asin: ASIN_F32 ASIN_F64 "asin";
    Asinpi: ASIN_F32 ASIN_F64 "asinpi";
    Atan: ASIN_F32 ASIN_F64 "atan";
    Atanpi: ASIN_F32 ASIN_F64 "atanpi";
    Atan2: ASIN_F32 ASIN_F64 "atan2";
    Atan2pi: ASIN_F32 ASIN_F64 "atan2pi";
    Sinh: SINH_F32 SINH_F64 "sinh";
    Cosh: SINH_F32 SINH_F64 "cosh";
    Tanh: SINH_F32 SINH_F64 "tanh";
    Asinh: SINH_F32 SINH_F64 "asinh";
    Acosh: SINH_F32 SINH_F64 "acosh";
    Atanh: SINH_F32 SINH_F64 "atanh";
    Erf: ERF_F32 ERF_F64 "erf";
    Erfc: ERF_F32 ERF_F64 "erfc";
    Tgamma: GAMMA_F32 GAMMA_F64 "tgamma";
    Lgamma: GAMMA_F32 GAMMA_F64 "lgamma";
    LgammaR: GAMMA_F32 GAMMA_F64 "lgamma" stores "lgamma_sign";
    Fma: FMA_F32 FMA_F64 "fma";
    Fmod: REMAINDER_F32 REMAINDER_F64 "fmod";
    Remainder: REMAINDER_F32 REMAINDER_F64 "remainder";
    Remquo: REMAINDER_F32 REMAINDER_F64 "remainder" stores "remquo_quotient";
    Fdim: PARTS_F32 PARTS_F64 "fdim";
    Ilogb: PARTS_F32 PARTS_F64 "ilogb";
    Ldexp: PARTS_F32 PARTS_F64 "ldexp";
    Logb: PARTS_F32 PARTS_F64 "logb";
    Maxmag: PARTS_F32 PARTS_F64 "maxmag";
    Minmag: PARTS_F32 PARTS_F64 "minmag";
    Nan: PARTS_F32 PARTS_F64 "nan";
    Nextafter: PARTS_F32 PARTS_F64 "nextafter";
    Round: PARTS_F32 PARTS_F64 "round_away";
}

const FLOAT: &[Row] = FLOAT_AND_DOUBLE[0];
const DOUBLE: &[Row] = FLOAT_AND_DOUBLE[1];

/// Functions of `float` that may have 8192 units of error, for which the instructions are not good
/// enough all the same.
const APPROXIMATE: &[Row] = &[
    row(Intrinsic::HalfDivide, &PARTS_F32, DIVISION_OF_ANY),
    row(Intrinsic::HalfExp10, &EXP_F32, "__clc_exp10_f32"),
    row(Intrinsic::HalfLog, &LOG_F32, "__clc_log_f32"),
    row(Intrinsic::HalfLog2, &LOG_F32, "__clc_log2_f32"),
    row(Intrinsic::HalfLog10, &LOG_F32, "__clc_log10_f32"),
    row(Intrinsic::HalfPowr, &POW_F32, "__clc_powr_f32"),
    Row { common: Some("__clc_reduce_f32"), ..row(Intrinsic::HalfSin, &SIN_F32, "__clc_sin_f32") },
    Row { common: Some("__clc_reduce_f32"), ..row(Intrinsic::HalfCos, &SIN_F32, "__clc_cos_f32") },
    Row { common: Some("__clc_reduce_f32"), ..row(Intrinsic::HalfTan, &SIN_F32, "__clc_tan_f32") },
    row(Intrinsic::HalfSqrt, &SQRT_F32, "__clc_sqrt_f32"),
    row(Intrinsic::HalfRsqrt, &SQRT_F32, "__clc_rsqrt_f32"),
];

/// With -cl-fp32-correctly-rounded-divide-sqrt.
const ROUNDED: &[Row] = &[row(Intrinsic::Sqrt, &SQRT_F32, "__clc_sqrt_rounded_f32")];

/// Where subnormal numbers may be flushed to zero (`denorms_are_zero`): for such an argument the result
/// may be that for zero, and such a result zero (OpenCL C 7.5.3).
const FLUSHED: &[Row] = &[
    row(Intrinsic::Exp, &EXP_F32, "__clc_exp_flushed_f32"),
    row(Intrinsic::Exp2, &EXP_F32, "__clc_exp2_flushed_f32"),
    row(Intrinsic::Exp10, &EXP_F32, "__clc_exp10_flushed_f32"),
    row(Intrinsic::HalfExp10, &EXP_F32, "__clc_exp10_flushed_f32"),
    row(Intrinsic::Log, &LOG_F32, "__clc_log_flushed_f32"),
    row(Intrinsic::HalfLog, &LOG_F32, "__clc_log_flushed_f32"),
    row(Intrinsic::Pow, &POW_F32, "__clc_pow_flushed_f32"),
    row(Intrinsic::Powr, &POW_F32, "__clc_powr_flushed_f32"),
    row(Intrinsic::HalfPowr, &POW_F32, "__clc_powr_flushed_f32"),
    row(Intrinsic::Sqrt, &SQRT_F32, "__clc_sqrt_flushed_f32"),
    row(Intrinsic::Rsqrt, &SQRT_F32, "__clc_rsqrt_flushed_f32"),
    row(Intrinsic::HalfSqrt, &SQRT_F32, "__clc_sqrt_flushed_f32"),
    row(Intrinsic::HalfRsqrt, &SQRT_F32, "__clc_rsqrt_flushed_f32"),
];

/// With -cl-unsafe-math-optimizations, whose table of errors (OpenCL C 7.4) has those of these
/// instructions of `float`: an absolute one for sines and logarithms near one, 8192 units for `exp10`.
const AS_NATIVE: &[(Intrinsic, Intrinsic)] = &[
    (Intrinsic::Cos, Intrinsic::NativeCos),
    (Intrinsic::Exp10, Intrinsic::NativeExp10),
    (Intrinsic::Log, Intrinsic::NativeLog),
    (Intrinsic::Log2, Intrinsic::NativeLog2),
    (Intrinsic::Sin, Intrinsic::NativeSin),
    (Intrinsic::Tan, Intrinsic::NativeTan),
];

/// With the same option, what is computed by several of them; and the exponentials, whose errors are
/// within 3 + floor(2 |x|) units there, a little less than the 3 + 2 |x| of the instructions.
const RELAXED: &[Row] = &[
    row(Intrinsic::Exp, &RELAXED_F32, "__clc_exp_relaxed_f32"),
    row(Intrinsic::Exp2, &RELAXED_F32, "__clc_exp2_relaxed_f32"),
    row(Intrinsic::Pow, &RELAXED_F32, "__clc_pow_relaxed_f32"),
    row(Intrinsic::Pown, &RELAXED_F32, "__clc_pown_relaxed_f32"),
    row(Intrinsic::Powr, &RELAXED_F32, "__clc_powr_relaxed_f32"),
    row(Intrinsic::Rootn, &RELAXED_F32, "__clc_rootn_relaxed_f32"),
];

/// Functions of `half` whose results are not those for `float`, rounded; they take and return `float`
/// all the same.
const HALF: &[Row] = &[
    row(Intrinsic::Fma, &FMA_F32, "__clc_fma_f16"),
    row(Intrinsic::Nextafter, &PARTS_F32, "__clc_nextafter_f16"),
];

/// The text that defines the functions of `files`: each of them once, after what it needs.
pub fn text(files: &[&'static File]) -> String {
    let mut wanted: Vec<&File> = Vec::new();
    for file in files {
        want(file, &mut wanted);
    }
    // What a sum has lost is computed by sums: each is to be rounded by itself.
    let mut text = String::from("#pragma OPENCL FP_CONTRACT OFF\n");
    for file in wanted {
        text.push_str(file.text);
        text.push('\n');
    }
    text
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
        for row in
            [FLOAT, DOUBLE, APPROXIMATE, ROUNDED, FLUSHED, RELAXED, HALF].into_iter().flatten()
        {
            for function in [Some(row.function), row.stored, row.common].into_iter().flatten() {
                assert!(row.file.text.contains(&format!(" {function}(")), "{function}");
            }
        }
    }

    #[test]
    fn every_math_function_has_a_way() {
        // Made of arithmetic and of other functions where there is no instruction.
        use Intrinsic::{Copysign, Fract, Frexp, Modf, Sincos};
        const MADE: [Intrinsic; 5] = [Copysign, Fract, Frexp, Modf, Sincos];
        for row in crate::table::CHAPTERS[1] {
            let is_approximate = row.name.starts_with("half_") || row.name.starts_with("native_");
            // Shaders have no bfloat16, and say so.
            let no_shader = [Intrinsic::FloatToBFloat16, Intrinsic::BFloat16ToFloat];
            if no_shader.contains(&row.intrinsic) {
                continue;
            }
            for bits in [16, 32, 64] {
                let has_way = way(row.intrinsic, bits, &FloatOptions::default()).is_some();
                let exists = bits == 32 || !is_approximate;
                assert!(has_way || !exists || MADE.contains(&row.intrinsic), "{} {bits}", row.name);
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
                let types = [
                    "bool", "float", "float2", "double", "double2", "int", "int2", "uint", "uint2",
                    "long", "ulong", "ulong2",
                ];
                let defined = types.iter().any(|ty| text.contains(&format!("\n{ty} {name}(")));
                assert!(defined, "{name} in {}", file.name);
            }
        }
    }

    #[test]
    fn half_goes_through_float() {
        let options = FloatOptions::default();
        let through_float = |intrinsic, bits| match way(intrinsic, bits, &options) {
            Some(Way::Body(body)) => Some(body.through_float),
            _ => None,
        };
        assert_eq!(through_float(Intrinsic::Sin, 16), Some(true));
        assert_eq!(through_float(Intrinsic::Sin, 32), Some(false));
        assert_eq!(through_float(Intrinsic::Floor, 16), None);
        assert_eq!(way(Intrinsic::Vload, 32, &options), None);
    }

    #[test]
    fn options_choose_bodies() {
        let function = |intrinsic, bits, options: &FloatOptions| match way(intrinsic, bits, options)
        {
            Some(Way::Body(body)) => body.function,
            Some(Way::As(_)) => "native",
            _ => "",
        };
        let strict = FloatOptions::default();
        let relaxed = FloatOptions { unsafe_math: true, ..strict };
        let rounded = FloatOptions { correctly_rounded_divide_sqrt: true, ..strict };
        assert_eq!(function(Intrinsic::Sin, 32, &strict), "__clc_sin_f32");
        assert_eq!(function(Intrinsic::Sin, 32, &relaxed), "native");
        assert_eq!(function(Intrinsic::Sin, 64, &relaxed), "__clc_sin_f64");
        assert_eq!(function(Intrinsic::Pow, 32, &relaxed), "__clc_pow_relaxed_f32");
        assert_eq!(function(Intrinsic::Sqrt, 32, &strict), "__clc_sqrt_f32");
        assert_eq!(function(Intrinsic::Sqrt, 32, &rounded), "__clc_sqrt_rounded_f32");
        let zeros = FloatOptions { denorms_are_zero: true, ..strict };
        assert!(division(32, &relaxed).is_none());
        assert_eq!(division(32, &zeros).map(|body| body.function), Some(DIVISION_OF_ANY));
        assert!(division(32, &strict).is_some() && division(64, &zeros).is_some());
        assert!(division(32, &FloatOptions { denorms_are_zero: true, ..rounded }).is_some());
    }
}
