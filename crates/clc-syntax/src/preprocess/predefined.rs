//! The macros that exist without a `#define`.
//!
//! Nothing is done for them at start-up: when a name is met for the first time it is looked for
//! here, and only a macro that is really used gets its replacement list cut into tokens.
//!
//! `CL_VERSION_*` are defined in every version, also for later ones: where `CL_VERSION_2_0` were
//! missing, `#if __OPENCL_C_VERSION__ >= CL_VERSION_2_0` would hold in OpenCL C 1.2.
//!
//! Enumerators (`memory_order_relaxed`, `memory_scope_device`) are no macros;
//! `clc-sema` declares them.

use clc_base::lang::AddressBits;
use clc_base::{Span, Symbol, Version};
use clc_builtins::features;

use super::engine::Preprocessor;
use super::interface::{Options, PREDEFINED};
use super::macros::{Builtin, Macro, MacroId, MacroKind, Origin};
use crate::lex::{LINE_START, LexContext, Lexer, SPACE};

const BUILTINS: &[(&str, Builtin)] = &[
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Date),
    ("__FILE_NAME__", Builtin::FileName),
    ("__FILE__", Builtin::File),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__LINE__", Builtin::Line),
    ("__TIMESTAMP__", Builtin::Timestamp),
    ("__TIME__", Builtin::Time),
    ("__has_attribute", Builtin::AttributeQuery),
    ("__has_builtin", Builtin::FunctionQuery),
    ("__has_extension", Builtin::ExtensionQuery),
    ("__has_feature", Builtin::ExtensionQuery),
    ("__has_include", Builtin::IncludeQuery),
];

/// When a macro exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// OpenCL C 1.0 only.
    Only10,
    Since20,
    Since30,
    Bits32,
    Bits64,
    Double,
    Half,
    Images,
    /// With `cl_khr_cooperative_matrix`.
    Matrices,
    /// With `cl_ext_image_raw10_raw12`.
    RawImages,
    FastRelaxedMath,
    FiniteMath,
    Optimized,
}

struct Row {
    name: &'static str,
    /// What follows the name in its `#define`.
    text: &'static str,
    when: When,
    origin: Origin,
}

const fn row(name: &'static str, text: &'static str, when: When, origin: Origin) -> Row {
    Row { name, text, when, origin }
}

use Origin::{Predefined, PredefinedConstant};
use When::*;

/// Sorted by name. The values that the specification leaves open are those that clang and the
/// drivers built on it use; sampler constants add up to the literal samplers of SPIR-V.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("ATOMIC_FLAG_INIT", "0", Since20, PredefinedConstant),
    row("ATOMIC_VAR_INIT", "(x) (x)", Since20, PredefinedConstant),
    row("CHAR_BIT", "8", Always, PredefinedConstant),
    row("CHAR_MAX", "SCHAR_MAX", Always, PredefinedConstant),
    row("CHAR_MIN", "SCHAR_MIN", Always, PredefinedConstant),
    row("CLK_A", "0x10B1", Always, PredefinedConstant),
    row("CLK_ABGR", "0x10C3", Since20, PredefinedConstant),
    row("CLK_ADDRESS_CLAMP", "4", Always, PredefinedConstant),
    row("CLK_ADDRESS_CLAMP_TO_EDGE", "2", Always, PredefinedConstant),
    row("CLK_ADDRESS_MIRRORED_REPEAT", "8", Always, PredefinedConstant),
    row("CLK_ADDRESS_NONE", "0", Always, PredefinedConstant),
    row("CLK_ADDRESS_REPEAT", "6", Always, PredefinedConstant),
    row("CLK_ARGB", "0x10B7", Always, PredefinedConstant),
    row("CLK_BGRA", "0x10B6", Always, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_A", "0", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_ACCUMULATOR", "2", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_B", "1", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR", "1", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR", "0", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_OPERAND_NONE", "0", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION", "0x10", Matrices, PredefinedConstant),
    row("CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP", "4", Matrices, PredefinedConstant),
    row("CLK_DEPTH", "0x10BD", Always, PredefinedConstant),
    row("CLK_DEPTH_STENCIL", "0x10BE", Always, PredefinedConstant),
    row("CLK_DEVICE_QUEUE_FULL", "-161", Since20, PredefinedConstant),
    row("CLK_ENQUEUE_FAILURE", "-101", Since20, PredefinedConstant),
    row("CLK_ENQUEUE_FLAGS_NO_WAIT", "0x0", Since20, PredefinedConstant),
    row("CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "0x1", Since20, PredefinedConstant),
    row("CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP", "0x2", Since20, PredefinedConstant),
    row("CLK_EVENT_ALLOCATION_FAILURE", "-100", Since20, PredefinedConstant),
    row("CLK_FILTER_LINEAR", "0x20", Always, PredefinedConstant),
    row("CLK_FILTER_NEAREST", "0x10", Always, PredefinedConstant),
    row("CLK_FLOAT", "0x10DE", Always, PredefinedConstant),
    row("CLK_GLOBAL_MEM_FENCE", "0x02", Always, PredefinedConstant),
    row("CLK_HALF_FLOAT", "0x10DD", Always, PredefinedConstant),
    row("CLK_IMAGE_MEM_FENCE", "0x04", Since20, PredefinedConstant),
    row("CLK_INTENSITY", "0x10B8", Always, PredefinedConstant),
    row("CLK_INVALID_ARG_SIZE", "-51", Since20, PredefinedConstant),
    row("CLK_INVALID_EVENT_WAIT_LIST", "-57", Since20, PredefinedConstant),
    row("CLK_INVALID_NDRANGE", "-160", Since20, PredefinedConstant),
    row("CLK_INVALID_QUEUE", "-102", Since20, PredefinedConstant),
    row("CLK_LOCAL_MEM_FENCE", "0x01", Always, PredefinedConstant),
    row("CLK_LUMINANCE", "0x10B9", Always, PredefinedConstant),
    row("CLK_NORMALIZED_COORDS_FALSE", "0", Always, PredefinedConstant),
    row("CLK_NORMALIZED_COORDS_TRUE", "1", Always, PredefinedConstant),
    row("CLK_NULL_EVENT", "((clk_event_t)0)", Since20, PredefinedConstant),
    row("CLK_NULL_QUEUE", "0", Since20, PredefinedConstant),
    row("CLK_NULL_RESERVE_ID", "((reserve_id_t)0)", Since20, PredefinedConstant),
    row("CLK_OUT_OF_RESOURCES", "-5", Since20, PredefinedConstant),
    row("CLK_PROFILING_COMMAND_EXEC_TIME", "0x1", Since20, PredefinedConstant),
    row("CLK_R", "0x10B0", Always, PredefinedConstant),
    row("CLK_RA", "0x10B3", Always, PredefinedConstant),
    row("CLK_RG", "0x10B2", Always, PredefinedConstant),
    row("CLK_RGB", "0x10B4", Always, PredefinedConstant),
    row("CLK_RGBA", "0x10B5", Always, PredefinedConstant),
    row("CLK_RGBx", "0x10BC", Always, PredefinedConstant),
    row("CLK_RGx", "0x10BB", Always, PredefinedConstant),
    row("CLK_Rx", "0x10BA", Always, PredefinedConstant),
    row("CLK_SIGNED_INT16", "0x10D8", Always, PredefinedConstant),
    row("CLK_SIGNED_INT32", "0x10D9", Always, PredefinedConstant),
    row("CLK_SIGNED_INT8", "0x10D7", Always, PredefinedConstant),
    row("CLK_SNORM_INT16", "0x10D1", Always, PredefinedConstant),
    row("CLK_SNORM_INT8", "0x10D0", Always, PredefinedConstant),
    row("CLK_SUCCESS", "0", Since20, PredefinedConstant),
    row("CLK_UNORM_INT16", "0x10D3", Always, PredefinedConstant),
    row("CLK_UNORM_INT24", "0x10DF", Always, PredefinedConstant),
    row("CLK_UNORM_INT8", "0x10D2", Always, PredefinedConstant),
    row("CLK_UNORM_INT_101010", "0x10D6", Always, PredefinedConstant),
    row("CLK_UNORM_INT_101010_2", "0x10E0", Since30, PredefinedConstant),
    row("CLK_UNORM_SHORT_555", "0x10D5", Always, PredefinedConstant),
    row("CLK_UNORM_SHORT_565", "0x10D4", Always, PredefinedConstant),
    row("CLK_UNSIGNED_INT16", "0x10DB", Always, PredefinedConstant),
    row("CLK_UNSIGNED_INT32", "0x10DC", Always, PredefinedConstant),
    row("CLK_UNSIGNED_INT8", "0x10DA", Always, PredefinedConstant),
    row("CLK_UNSIGNED_INT_RAW10_EXT", "0x10E3", RawImages, PredefinedConstant),
    row("CLK_UNSIGNED_INT_RAW12_EXT", "0x10E4", RawImages, PredefinedConstant),
    row("CLK_sBGRA", "0x10C2", Since20, PredefinedConstant),
    row("CLK_sRGB", "0x10BF", Since20, PredefinedConstant),
    row("CLK_sRGBA", "0x10C1", Since20, PredefinedConstant),
    row("CLK_sRGBx", "0x10C0", Since20, PredefinedConstant),
    row("CL_COMPLETE", "0x0", Since20, PredefinedConstant),
    row("CL_QUEUED", "0x3", Since20, PredefinedConstant),
    row("CL_RUNNING", "0x1", Since20, PredefinedConstant),
    row("CL_SUBMITTED", "0x2", Since20, PredefinedConstant),
    row("CL_VERSION_1_0", "100", Always, Predefined),
    row("CL_VERSION_1_1", "110", Always, Predefined),
    row("CL_VERSION_1_2", "120", Always, Predefined),
    row("CL_VERSION_2_0", "200", Always, Predefined),
    row("CL_VERSION_3_0", "300", Always, Predefined),
    row("CL_VERSION_3_1", "310", Always, Predefined),
    row("DBL_DIG", "15", Double, PredefinedConstant),
    row("DBL_EPSILON", "0x1.0p-52", Double, PredefinedConstant),
    row("DBL_MANT_DIG", "53", Double, PredefinedConstant),
    row("DBL_MAX", "0x1.fffffffffffffp1023", Double, PredefinedConstant),
    row("DBL_MAX_10_EXP", "+308", Double, PredefinedConstant),
    row("DBL_MAX_EXP", "+1024", Double, PredefinedConstant),
    row("DBL_MIN", "0x1.0p-1022", Double, PredefinedConstant),
    row("DBL_MIN_10_EXP", "-307", Double, PredefinedConstant),
    row("DBL_MIN_EXP", "-1021", Double, PredefinedConstant),
    row("DBL_RADIX", "2", Double, PredefinedConstant),
    row("FLT_DIG", "6", Always, PredefinedConstant),
    row("FLT_EPSILON", "0x1.0p-23f", Always, PredefinedConstant),
    row("FLT_MANT_DIG", "24", Always, PredefinedConstant),
    row("FLT_MAX", "0x1.fffffep127f", Always, PredefinedConstant),
    row("FLT_MAX_10_EXP", "+38", Always, PredefinedConstant),
    row("FLT_MAX_EXP", "+128", Always, PredefinedConstant),
    row("FLT_MIN", "0x1.0p-126f", Always, PredefinedConstant),
    row("FLT_MIN_10_EXP", "-37", Always, PredefinedConstant),
    row("FLT_MIN_EXP", "-125", Always, PredefinedConstant),
    row("FLT_RADIX", "2", Always, PredefinedConstant),
    row("FP_ILOGB0", "INT_MIN", Always, PredefinedConstant),
    row("FP_ILOGBNAN", "INT_MAX", Always, PredefinedConstant),
    row("HALF_DIG", "3", Half, PredefinedConstant),
    row("HALF_EPSILON", "0x1.0p-10h", Half, PredefinedConstant),
    row("HALF_MANT_DIG", "11", Half, PredefinedConstant),
    row("HALF_MAX", "0x1.ffcp15h", Half, PredefinedConstant),
    row("HALF_MAX_10_EXP", "+4", Half, PredefinedConstant),
    row("HALF_MAX_EXP", "+16", Half, PredefinedConstant),
    row("HALF_MIN", "0x1.0p-14h", Half, PredefinedConstant),
    row("HALF_MIN_10_EXP", "-4", Half, PredefinedConstant),
    row("HALF_MIN_EXP", "-13", Half, PredefinedConstant),
    row("HALF_RADIX", "2", Half, PredefinedConstant),
    row("HUGE_VAL", "(__builtin_huge_val())", Double, PredefinedConstant),
    row("HUGE_VALF", "(__builtin_huge_valf())", Always, PredefinedConstant),
    row("INFINITY", "(__builtin_inff())", Always, PredefinedConstant),
    row("INT_MAX", "2147483647", Always, PredefinedConstant),
    row("INT_MIN", "(-2147483647 - 1)", Always, PredefinedConstant),
    row("LONG_MAX", "0x7fffffffffffffffL", Always, PredefinedConstant),
    row("LONG_MIN", "(-0x7fffffffffffffffL - 1)", Always, PredefinedConstant),
    row("MAXFLOAT", "0x1.fffffep127f", Always, PredefinedConstant),
    row("MAX_WORK_DIM", "3", Since20, PredefinedConstant),
    row("M_1_PI", "0.3183098861837906715377675267450287", Double, PredefinedConstant),
    row("M_1_PI_F", "0.3183098861837906715377675267450287f", Always, PredefinedConstant),
    row("M_1_PI_H", "0.3183098861837906715377675267450287h", Half, PredefinedConstant),
    row("M_2_PI", "0.6366197723675813430755350534900574", Double, PredefinedConstant),
    row("M_2_PI_F", "0.6366197723675813430755350534900574f", Always, PredefinedConstant),
    row("M_2_PI_H", "0.6366197723675813430755350534900574h", Half, PredefinedConstant),
    row("M_2_SQRTPI", "1.1283791670955125738961589031215452", Double, PredefinedConstant),
    row("M_2_SQRTPI_F", "1.1283791670955125738961589031215452f", Always, PredefinedConstant),
    row("M_2_SQRTPI_H", "1.1283791670955125738961589031215452h", Half, PredefinedConstant),
    row("M_E", "2.7182818284590452353602874713526625", Double, PredefinedConstant),
    row("M_E_F", "2.7182818284590452353602874713526625f", Always, PredefinedConstant),
    row("M_E_H", "2.7182818284590452353602874713526625h", Half, PredefinedConstant),
    row("M_LN10", "2.3025850929940456840179914546843642", Double, PredefinedConstant),
    row("M_LN10_F", "2.3025850929940456840179914546843642f", Always, PredefinedConstant),
    row("M_LN10_H", "2.3025850929940456840179914546843642h", Half, PredefinedConstant),
    row("M_LN2", "0.6931471805599453094172321214581766", Double, PredefinedConstant),
    row("M_LN2_F", "0.6931471805599453094172321214581766f", Always, PredefinedConstant),
    row("M_LN2_H", "0.6931471805599453094172321214581766h", Half, PredefinedConstant),
    row("M_LOG10E", "0.4342944819032518276511289189166051", Double, PredefinedConstant),
    row("M_LOG10E_F", "0.4342944819032518276511289189166051f", Always, PredefinedConstant),
    row("M_LOG10E_H", "0.4342944819032518276511289189166051h", Half, PredefinedConstant),
    row("M_LOG2E", "1.4426950408889634073599246810018921", Double, PredefinedConstant),
    row("M_LOG2E_F", "1.4426950408889634073599246810018921f", Always, PredefinedConstant),
    row("M_LOG2E_H", "1.4426950408889634073599246810018921h", Half, PredefinedConstant),
    row("M_PI", "3.1415926535897932384626433832795029", Double, PredefinedConstant),
    row("M_PI_2", "1.5707963267948966192313216916397514", Double, PredefinedConstant),
    row("M_PI_2_F", "1.5707963267948966192313216916397514f", Always, PredefinedConstant),
    row("M_PI_2_H", "1.5707963267948966192313216916397514h", Half, PredefinedConstant),
    row("M_PI_4", "0.7853981633974483096156608458198757", Double, PredefinedConstant),
    row("M_PI_4_F", "0.7853981633974483096156608458198757f", Always, PredefinedConstant),
    row("M_PI_4_H", "0.7853981633974483096156608458198757h", Half, PredefinedConstant),
    row("M_PI_F", "3.1415926535897932384626433832795029f", Always, PredefinedConstant),
    row("M_PI_H", "3.1415926535897932384626433832795029h", Half, PredefinedConstant),
    row("M_SQRT1_2", "0.7071067811865475244008443621048490", Double, PredefinedConstant),
    row("M_SQRT1_2_F", "0.7071067811865475244008443621048490f", Always, PredefinedConstant),
    row("M_SQRT1_2_H", "0.7071067811865475244008443621048490h", Half, PredefinedConstant),
    row("M_SQRT2", "1.4142135623730950488016887242096981", Double, PredefinedConstant),
    row("M_SQRT2_F", "1.4142135623730950488016887242096981f", Always, PredefinedConstant),
    row("M_SQRT2_H", "1.4142135623730950488016887242096981h", Half, PredefinedConstant),
    row("NAN", "(__builtin_nanf(\"\"))", Always, PredefinedConstant),
    row("NULL", "((void*)0)", Always, PredefinedConstant),
    row("SCHAR_MAX", "127", Always, PredefinedConstant),
    row("SCHAR_MIN", "(-127 - 1)", Always, PredefinedConstant),
    row("SHRT_MAX", "32767", Always, PredefinedConstant),
    row("SHRT_MIN", "(-32767 - 1)", Always, PredefinedConstant),
    row("UCHAR_MAX", "255", Always, PredefinedConstant),
    row("UINT_MAX", "0xffffffff", Always, PredefinedConstant),
    row("ULONG_MAX", "0xffffffffffffffffUL", Always, PredefinedConstant),
    row("USHRT_MAX", "65535", Always, PredefinedConstant),
    row("_ILP32", "1", Bits32, Predefined),
    row("_LP64", "1", Bits64, Predefined),
    row("__ATOMIC_ACQUIRE", "2", Always, Predefined),
    row("__ATOMIC_ACQ_REL", "4", Always, Predefined),
    row("__ATOMIC_CONSUME", "1", Always, Predefined),
    row("__ATOMIC_RELAXED", "0", Always, Predefined),
    row("__ATOMIC_RELEASE", "3", Always, Predefined),
    row("__ATOMIC_SEQ_CST", "5", Always, Predefined),
    row("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__", Always, Predefined),
    row("__CHAR_BIT__", "8", Always, Predefined),
    row("__ENDIAN_LITTLE__", "1", Always, Predefined),
    row("__FAST_RELAXED_MATH__", "1", FastRelaxedMath, Predefined),
    row("__FINITE_MATH_ONLY__", "1", FiniteMath, Predefined),
    row("__ILP32__", "1", Bits32, Predefined),
    row("__IMAGE_SUPPORT__", "1", Images, Predefined),
    row("__INT16_TYPE__", "short", Always, Predefined),
    row("__INT32_TYPE__", "int", Always, Predefined),
    row("__INT64_TYPE__", "long int", Always, Predefined),
    row("__INT8_TYPE__", "signed char", Always, Predefined),
    row("__INTPTR_MAX__", "9223372036854775807L", Bits64, Predefined),
    row("__INTPTR_MAX__", "2147483647", Bits32, Predefined),
    row("__INTPTR_TYPE__", "long int", Bits64, Predefined),
    row("__INTPTR_TYPE__", "int", Bits32, Predefined),
    row("__INT_MAX__", "2147483647", Always, Predefined),
    row("__LITTLE_ENDIAN__", "1", Always, Predefined),
    row("__LONG_MAX__", "9223372036854775807L", Always, Predefined),
    row("__LP64__", "1", Bits64, Predefined),
    row("__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES", "3", Always, Predefined),
    row("__OPENCL_MEMORY_SCOPE_DEVICE", "2", Always, Predefined),
    row("__OPENCL_MEMORY_SCOPE_SUB_GROUP", "4", Always, Predefined),
    row("__OPENCL_MEMORY_SCOPE_WORK_GROUP", "1", Always, Predefined),
    row("__OPENCL_MEMORY_SCOPE_WORK_ITEM", "0", Always, Predefined),
    row("__OPTIMIZE__", "1", Optimized, Predefined),
    row("__ORDER_BIG_ENDIAN__", "4321", Always, Predefined),
    row("__ORDER_LITTLE_ENDIAN__", "1234", Always, Predefined),
    row("__ORDER_PDP_ENDIAN__", "3412", Always, Predefined),
    row("__POINTER_WIDTH__", "64", Bits64, Predefined),
    row("__POINTER_WIDTH__", "32", Bits32, Predefined),
    row("__PTRDIFF_MAX__", "9223372036854775807L", Bits64, Predefined),
    row("__PTRDIFF_MAX__", "2147483647", Bits32, Predefined),
    row("__PTRDIFF_TYPE__", "long int", Bits64, Predefined),
    row("__PTRDIFF_TYPE__", "int", Bits32, Predefined),
    row("__ROUNDING_MODE__", "rte", Only10, Predefined),
    row("__SCHAR_MAX__", "127", Always, Predefined),
    row("__SHRT_MAX__", "32767", Always, Predefined),
    row("__SIZEOF_DOUBLE__", "8", Always, Predefined),
    row("__SIZEOF_FLOAT__", "4", Always, Predefined),
    row("__SIZEOF_INT__", "4", Always, Predefined),
    row("__SIZEOF_LONG__", "8", Always, Predefined),
    row("__SIZEOF_POINTER__", "8", Bits64, Predefined),
    row("__SIZEOF_POINTER__", "4", Bits32, Predefined),
    row("__SIZEOF_PTRDIFF_T__", "8", Bits64, Predefined),
    row("__SIZEOF_PTRDIFF_T__", "4", Bits32, Predefined),
    row("__SIZEOF_SHORT__", "2", Always, Predefined),
    row("__SIZEOF_SIZE_T__", "8", Bits64, Predefined),
    row("__SIZEOF_SIZE_T__", "4", Bits32, Predefined),
    row("__SIZE_MAX__", "18446744073709551615UL", Bits64, Predefined),
    row("__SIZE_MAX__", "4294967295U", Bits32, Predefined),
    row("__SIZE_TYPE__", "long unsigned int", Bits64, Predefined),
    row("__SIZE_TYPE__", "unsigned int", Bits32, Predefined),
    row("__SPIRV", "1", Always, Predefined),
    row("__SPIRV32", "1", Bits32, Predefined),
    row("__SPIRV32__", "1", Bits32, Predefined),
    row("__SPIRV64", "1", Bits64, Predefined),
    row("__SPIRV64__", "1", Bits64, Predefined),
    row("__SPIRV__", "1", Always, Predefined),
    row("__STDC_HOSTED__", "0", Always, Predefined),
    row("__STDC_VERSION__", "199901L", Always, Predefined),
    row("__STDC__", "1", Always, Predefined),
    row("__UINT16_TYPE__", "unsigned short", Always, Predefined),
    row("__UINT32_TYPE__", "unsigned int", Always, Predefined),
    row("__UINT64_TYPE__", "long unsigned int", Always, Predefined),
    row("__UINT8_TYPE__", "unsigned char", Always, Predefined),
    row("__UINTPTR_MAX__", "18446744073709551615UL", Bits64, Predefined),
    row("__UINTPTR_MAX__", "4294967295U", Bits32, Predefined),
    row("__UINTPTR_TYPE__", "long unsigned int", Bits64, Predefined),
    row("__UINTPTR_TYPE__", "unsigned int", Bits32, Predefined),
    row("__kernel_exec", "(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))", Always, Predefined),
    row("false", "0", Always, PredefinedConstant),
    row("kernel_exec", "(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))", Always, Predefined),
    row("true", "1", Always, PredefinedConstant),
];

fn holds(when: When, options: &Options) -> bool {
    let has = |name| {
        features::by_name(name).is_some_and(|extension| options.extensions.contains(extension))
    };
    match when {
        Always => true,
        Only10 => options.version == Version::V1_0,
        Since20 => options.version >= Version::V2_0,
        Since30 => options.version >= Version::V3_0,
        Bits32 => options.address_bits == AddressBits::Bits32,
        Bits64 => options.address_bits == AddressBits::Bits64,
        Double => has("cl_khr_fp64") || has("__opencl_c_fp64"),
        Half => has("cl_khr_fp16"),
        Images => options.image_support,
        Matrices => has("cl_khr_cooperative_matrix"),
        RawImages => has("cl_ext_image_raw10_raw12"),
        FastRelaxedMath => options.float.fast_relaxed_math,
        FiniteMath => options.float.finite_math_only,
        Optimized => options.optimize,
    }
}

/// The replacement of a predefined macro, if `name` is one.
fn find(name: &str, options: &Options) -> Option<(std::borrow::Cow<'static, str>, Origin)> {
    match name {
        "__OPENCL_C_VERSION__" | "__OPENCL_VERSION__" => {
            return Some((options.version.number().to_string().into(), Predefined));
        }
        _ => {}
    }
    if name.starts_with("cl_") || name.starts_with("__opencl_c_") {
        // Every OpenCL C 3.x compiler for the full profile has 64-bit integers.
        let int64 = name == "__opencl_c_int64" && options.version >= Version::V3_0;
        let set = features::by_name(name).is_some_and(|x| options.extensions.contains(x));
        return (int64 || set).then_some(("1".into(), Predefined));
    }
    let first = TABLE.partition_point(|row| row.name < name);
    TABLE[first..]
        .iter()
        .take_while(|row| row.name == name)
        .find(|row| holds(row.when, options))
        .map(|row| (row.text.into(), row.origin))
}

/// Every name that may be predefined, for "did you mean".
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    let table = TABLE.iter().map(|row| -> &'a str { row.name });
    let features = features::Extension::all().map(|extension| -> &'a str { extension.name() });
    table.chain(features).chain(["__OPENCL_C_VERSION__", "__OPENCL_VERSION__"])
}

/// Defines `name` if it is predefined; called at the first look-up of a name.
#[cold]
pub(super) fn bring_in(preprocessor: &mut Preprocessor<'_>, name: Symbol) -> Option<MacroId> {
    let text = preprocessor.interner.resolve(name);
    // Most names in a program are neither upper case nor reserved.
    let candidate = match text.as_bytes() {
        [b'A'..=b'Z' | b'_', ..] => true,
        [b'c', b'l', b'_', ..] => true,
        _ => matches!(text, "kernel_exec" | "true" | "false"),
    };
    if !candidate {
        preprocessor.macros.undefine(name);
        return None;
    }
    if let Ok(index) = BUILTINS.binary_search_by(|(known, _)| (*known).cmp(text)) {
        let definition = Macro {
            kind: MacroKind::Builtin(BUILTINS[index].1),
            origin: Predefined,
            name: Span::NONE,
            body: (0, 0),
            text: Span::NONE,
            disabled: false,
        };
        return Some(preprocessor.macros.define(name, definition));
    }
    let Some((replacement, origin)) = find(text, preprocessor.options) else {
        preprocessor.macros.undefine(name);
        return None;
    };
    Some(define(preprocessor, name, &replacement, origin))
}

/// Cuts `#define NAME replacement` into tokens.
fn define(
    preprocessor: &mut Preprocessor<'_>,
    name: Symbol,
    replacement: &str,
    origin: Origin,
) -> MacroId {
    let has_parameters = replacement.starts_with("(X") || replacement.starts_with("(x)");
    let gap = if has_parameters { "" } else { " " };
    let line = format!("#define {}{gap}{replacement}\n", preprocessor.interner.resolve(name));
    let base = match preprocessor.map.add_file(PREDEFINED, line.as_str(), None) {
        Ok(id) => preprocessor.map.file(id).lo,
        // No positions are left; the tokens lie nowhere.
        Err(_) => 0,
    };
    let mut lexer = Lexer::new(base, Vec::new());
    lexer.in_directive = true;
    let mut unheard = Vec::new();
    let mut cx = LexContext { interner: &mut *preprocessor.interner, diagnostics: &mut unheard };
    let macros = &mut preprocessor.macros;
    let bodies = macros.bodies.len();
    // `#`, `define`, the name.
    let name_token = std::array::from_fn::<_, 3, _>(|_| lexer.next(&line, &mut cx))[2];
    let mut token = lexer.next(&line, &mut cx);
    let mut kind = MacroKind::Object;
    if has_parameters {
        let first = macros.parameters.len() as u32;
        while !token.is_end() && token.spelling(cx.interner) != ")" {
            if token.kind == crate::lex::PpKind::Identifier {
                macros.parameters.push(token.symbol);
            }
            token = lexer.next(&line, &mut cx);
        }
        token = lexer.next(&line, &mut cx);
        let parameters = (first, macros.parameters.len() as u32);
        kind = MacroKind::Function { parameters, variadic: false };
    }
    let from = token.lo;
    let mut to = token.lo;
    while !token.is_end() {
        to = token.hi;
        token.flags &= !LINE_START;
        if macros.bodies.len() == bodies {
            token.flags &= !SPACE;
        }
        macros.bodies.push(token);
        token = lexer.next(&line, &mut cx);
    }
    let body_ok = preprocessor.finish_body(kind, bodies);
    debug_assert!(body_ok, "the table has valid replacement lists");
    let definition = Macro {
        kind,
        origin,
        name: name_token.span(),
        body: (bodies as u32, preprocessor.macros.bodies.len() as u32),
        text: Span::new(from, to),
        disabled: false,
    };
    preprocessor.macros.define(name, definition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(TABLE.windows(2).all(|pair| pair[0].name <= pair[1].name));
        assert!(BUILTINS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
