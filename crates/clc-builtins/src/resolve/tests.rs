//! Calls written as text: `clamp(float4, int, int)`. Scalar arguments are resolved as
//! in existing OpenCL compilers with C++-like overloading.

use clc_base::lang::AddressBits;
use clc_base::{AddressSpace, Version};

use super::*;
use crate::SyncCall;
use crate::features::{Target, apply_option, default_set};
use crate::types::{Access, ImageKind, Scalar};
use crate::{ExtensionSet, Intrinsic};
use clc_base::memory_model::AtomicOp;

mod atomics;

fn base(text: &str) -> BuiltinType {
    let images = [
        ("image1d_t", ImageKind::Image1d),
        ("image2d_t", ImageKind::Image2d),
        ("image2d_depth_t", ImageKind::Image2dDepth),
        ("image2d_array_t", ImageKind::Image2dArray),
        ("image3d_t", ImageKind::Image3d),
    ];
    let accesses = [
        ("read_only ", Access::ReadOnly),
        ("write_only ", Access::WriteOnly),
        ("read_write ", Access::ReadWrite),
    ];
    for (prefix, access) in accesses {
        if let Some(name) = text.strip_prefix(prefix) {
            let kind = images.iter().find(|(known, _)| *known == name).unwrap().1;
            return BuiltinType::Image(kind, access);
        }
    }
    match text {
        "void" => BuiltinType::Void,
        "sampler" => BuiltinType::Sampler,
        "event" => BuiltinType::Event,
        "null" => BuiltinType::NullPointer,
        "struct" => BuiltinType::Other,
        "atomic_flag" => BuiltinType::AtomicFlag,
        "atomic_int" => BuiltinType::Atomic(Scalar::Int),
        "atomic_float" => BuiltinType::Atomic(Scalar::Float),
        _ => {
            let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
            let scalar = Scalar::ALL.into_iter().find(|s| s.name() == &text[..digits]);
            let scalar = scalar.unwrap_or_else(|| panic!("type {text}"));
            match text[digits..].parse() {
                Ok(width) => BuiltinType::Vector(scalar, width),
                Err(_) => BuiltinType::Scalar(scalar),
            }
        }
    }
}

fn parse_type(text: &str) -> BuiltinType {
    let text = text.trim();
    let Some(mut rest) = text.strip_suffix('*') else { return base(text) };
    let (mut is_const, mut is_volatile, mut space) = (false, false, AddressSpace::Private);
    while let Some((word, tail)) = rest.split_once(' ') {
        match word {
            "const" => is_const = true,
            "volatile" => is_volatile = true,
            "global" => space = AddressSpace::Global,
            "local" => space = AddressSpace::Local,
            "constant" => space = AddressSpace::Constant,
            "generic" => space = AddressSpace::Generic,
            "private" => space = AddressSpace::Private,
            _ => panic!("word {word}"),
        }
        rest = tail;
    }
    BuiltinType::Pointer { pointee: Box::new(base(rest)), space, is_const, is_volatile }
}

fn call_in(text: &str, version: Version, extensions: &ExtensionSet) -> Result<Resolved, Failure> {
    let (name, arguments) = text.strip_suffix(')').unwrap().split_once('(').unwrap();
    let arguments: Vec<_> = if arguments.is_empty() {
        Vec::new()
    } else {
        arguments.split(',').map(parse_type).collect()
    };
    let environment = Environment { version, extensions, address_bits: AddressBits::Bits64 };
    resolve(name, &arguments, &environment)
}

fn call(text: &str, version: Version) -> Result<Resolved, Failure> {
    call_in(text, version, &default_set(version, Target::OpenCl))
}

/// What a call chooses, as text.
fn verdict(text: &str, version: Version) -> String {
    match call(text, version) {
        Ok(resolved) => {
            let parameters: Vec<_> = resolved.parameters.iter().map(ToString::to_string).collect();
            format!("{}({})", resolved.result, parameters.join(", "))
        }
        Err(Failure::Ambiguous { .. }) => "ambiguous".to_owned(),
        Err(Failure::NoMatch { .. }) => "none".to_owned(),
        Err(Failure::Missing { .. }) => "missing".to_owned(),
    }
}

#[track_caller]
fn check(version: Version, cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(text, expected) in cases {
        let found = verdict(text, version);
        if found != expected {
            wrong.push(format!("{text}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scalars_rank_as_in_c_plus_plus() {
    check(
        Version::V1_2,
        &[
            ("pow(int, float)", "float(float, float)"),
            ("pow(float, int)", "float(float, float)"),
            ("pow(int, double)", "double(double, double)"),
            ("pow(half, int)", "half(half, half)"),
            ("pow(half, float)", "ambiguous"),
            ("pow(float, double)", "ambiguous"),
            ("sqrt(int)", "ambiguous"),
            ("sqrt(half)", "half(half)"),
            ("hypot(int, int)", "ambiguous"),
            ("mad(float, int, int)", "float(float, float, float)"),
            ("mad(float, double, double)", "ambiguous"),
            ("max(int, uint)", "ambiguous"),
            ("max(float, int)", "ambiguous"),
            ("max(long, int)", "ambiguous"),
            ("min(ulong, int)", "ambiguous"),
            ("min(char, char)", "char(char, char)"),
            ("min(char, short)", "ambiguous"),
            ("min(bool, bool)", "int(int, int)"),
            ("abs(bool)", "uint(int)"),
            ("abs(float)", "ambiguous"),
            ("clamp(uchar, int, int)", "ambiguous"),
            ("clamp(float, int, int)", "ambiguous"),
            ("mul24(short, short)", "int(int, int)"),
            ("mul24(char, ushort)", "int(int, int)"),
            ("mul24(uint, int)", "ambiguous"),
            ("mad24(ulong, ulong, uint)", "uint(uint, uint, uint)"),
            ("popcount(bool)", "int(int)"),
            ("any(bool)", "int(int)"),
            ("any(uint)", "ambiguous"),
            ("nan(uint)", "float(uint)"),
            ("nan(int)", "ambiguous"),
            ("ilogb(int)", "ambiguous"),
            ("ldexp(float, uint)", "float(float, int)"),
            ("ldexp(float, float)", "float(float, int)"),
            ("pown(float, float)", "float(float, int)"),
            ("upsample(int, int)", "long(int, uint)"),
            ("upsample(uint, uint)", "ulong(uint, uint)"),
            ("half_sqrt(double)", "float(float)"),
            ("native_exp(half)", "float(float)"),
            ("select(float, float, bool)", "float(float, float, int)"),
            ("select(float, float, int)", "float(float, float, int)"),
            ("select(double, double, long)", "double(double, double, long)"),
            ("select(double, double, int)", "ambiguous"),
            ("select(float, int, int)", "ambiguous"),
            ("select(uint, uint, bool)", "uint(uint, uint, int)"),
            ("bitselect(int, int, uint)", "ambiguous"),
            ("isequal(double, double)", "int(double, double)"),
            ("get_global_id(float)", "ulong(uint)"),
            ("barrier(float)", "void(uint)"),
            ("atomic_xchg(global float*, double)", "float(global float*, float)"),
        ],
    );
}

#[test]
fn vectors_match_exactly_and_scalars_widen() {
    check(
        Version::V1_2,
        &[
            ("clamp(float4, int, double)", "float4(float4, float4, float4)"),
            ("clamp(float4, float4, float)", "float4(float4, float4, float4)"),
            ("max(int4, uint)", "int4(int4, int4)"),
            ("max(int, int4)", "int4(int4, int4)"),
            ("step(int, float4)", "float4(float4, float4)"),
            ("pow(float4, int)", "float4(float4, float4)"),
            ("pow(float4, int4)", "none"),
            ("sqrt(int4)", "none"),
            ("atan2(float, int4)", "none"),
            ("ldexp(float4, char)", "float4(float4, int4)"),
            ("ldexp(float4, int4)", "float4(float4, int4)"),
            ("pown(float4, int)", "float4(float4, int4)"),
            ("rotate(uint4, int)", "uint4(uint4, uint4)"),
            ("dot(float4, float4)", "float(float4, float4)"),
            ("dot(float4, float3)", "none"),
            ("distance(float4, float)", "float(float4, float4)"),
            ("cross(float, float4)", "float4(float4, float4)"),
            ("length(float8)", "none"),
            ("isnan(double2)", "long2(double2)"),
            ("isnan(half4)", "short4(half4)"),
            ("abs(char4)", "uchar4(char4)"),
            ("upsample(char2, uchar2)", "short2(char2, uchar2)"),
            ("upsample(char2, char2)", "none"),
            ("select(float4, float4, int4)", "float4(float4, float4, int4)"),
            ("select(float4, float, uint4)", "float4(float4, float4, uint4)"),
            ("select(float4, float4, int)", "ambiguous"),
            ("select(float4, float4, long4)", "none"),
            ("shuffle(float4, uint8)", "float8(float4, uint8)"),
            ("shuffle(float4, int4)", "none"),
            ("shuffle2(char2, char2, uchar16)", "char16(char2, char2, uchar16)"),
            ("any(float4)", "none"),
            ("get_global_id(uint4)", "none"),
        ],
    );
}

#[test]
fn pointers_keep_their_space() {
    check(
        Version::V1_2,
        &[
            ("fract(float, global float*)", "float(float, global float*)"),
            ("fract(float4, local float4*)", "float4(float4, local float4*)"),
            ("fract(float, constant float*)", "none"),
            ("fract(float, generic float*)", "none"),
            ("sincos(float4, private float*)", "none"),
            ("frexp(float, private int*)", "float(float, private int*)"),
            ("frexp(float, private uint*)", "float(float, private uint*)"),
            ("frexp(float, private float*)", "none"),
            ("remquo(half2, half2, private int2*)", "half2(half2, half2, private int2*)"),
            ("vload4(int, const global float*)", "float4(ulong, const global float*)"),
            ("vload4(int, volatile global float*)", "float4(ulong, volatile global float*)"),
            ("vload16(null, constant char*)", "char16(ulong, constant char*)"),
            ("vload4(int, global float4*)", "none"),
            ("vload4(int, null)", "none"),
            ("vstore4(float4, int, global float*)", "void(float4, ulong, global float*)"),
            ("vstore4(float, int, global float*)", "void(float4, ulong, global float*)"),
            ("vstore4(uchar4, int, global char*)", "void(uchar4, ulong, global char*)"),
            ("vstore4(float4, int, const global float*)", "none"),
            ("vstore4(float4, int, constant float*)", "none"),
            ("vload_half(int, constant half*)", "float(ulong, constant half*)"),
            ("vload_half4(int, global half*)", "float4(ulong, global half*)"),
            ("vload_half4(int, global float*)", "none"),
            ("vloada_half3(int, local half*)", "float3(ulong, local half*)"),
            ("vstore_half(double, int, global half*)", "void(double, ulong, global half*)"),
            ("vstore_half(int, int, global half*)", "ambiguous"),
            ("vstorea_half8_rtz(float8, int, global half*)", "void(float8, ulong, global half*)"),
            ("atomic_add(global int*, uint)", "int(global int*, int)"),
            ("atomic_add(volatile local uint*, int)", "uint(volatile local uint*, uint)"),
            ("atomic_add(private int*, int)", "none"),
            ("atomic_add(global long*, int)", "none"),
            ("atom_add(global long*, int)", "long(global long*, long)"),
            ("atomic_inc(null)", "none"),
            (
                "async_work_group_copy(local int*, global int*, int, null)",
                "event_t(local int*, global int*, ulong, event_t)",
            ),
            (
                "async_work_group_copy(global float4*, local float4*, int, event)",
                "event_t(global float4*, local float4*, ulong, event_t)",
            ),
            ("async_work_group_copy(local int*, local int*, int, null)", "none"),
            ("wait_group_events(int, null)", "void(int, private event_t*)"),
            ("prefetch(global int4*, int)", "void(global int4*, ulong)"),
            ("printf(constant char*, int, float4)", "int(constant char*)"),
            ("printf(private char*)", "none"),
        ],
    );
}

#[test]
fn generic_pointers_come_with_2_0() {
    check(
        Version::V2_0,
        &[
            ("fract(float, generic float*)", "float(float, generic float*)"),
            ("fract(float, private float*)", "float(float, private float*)"),
            ("to_global(global int*)", "global int*(generic int*)"),
            ("to_local(generic struct*)", "local another type*(generic another type*)"),
            ("to_global(constant int*)", "none"),
            ("get_fence(local float*)", "uint(local float*)"),
            (
                "atomic_fetch_add(volatile global atomic_int*, int)",
                "int(volatile global atomic_int*, int)",
            ),
            (
                "atomic_compare_exchange_strong_explicit(generic atomic_int*, private int*, int, int, int, int)",
                "bool(generic atomic_int*, private int*, int, int, int, int)",
            ),
            ("atomic_load(global atomic_float*)", "float(global atomic_float*)"),
            ("atomic_flag_clear(local atomic_flag*)", "void(local atomic_flag*)"),
            ("work_group_reduce_add(half)", "half(half)"),
            ("work_group_barrier(uint, int)", "void(uint, int)"),
            ("ctz(uint4)", "uint4(uint4)"),
        ],
    );
    check(
        Version::V1_2,
        &[
            ("to_global(global int*)", "missing"),
            ("work_group_reduce_add(int)", "missing"),
            ("ctz(int)", "missing"),
        ],
    );
}

#[test]
fn conversions_are_parsed_from_the_name() {
    check(
        Version::V1_2,
        &[
            ("convert_float4(int4)", "float4(int4)"),
            ("convert_uchar_sat_rte(float)", "uchar(float)"),
            ("convert_int(bool)", "int(bool)"),
            ("convert_int(null)", "int(int)"),
            ("convert_int4(float)", "none"),
            ("convert_int(float4)", "none"),
            ("convert_int4(float4, float4)", "none"),
            ("as_int2(double)", "int2(double)"),
            ("as_float3(float4)", "float3(float4)"),
            ("as_uchar4(float)", "uchar4(float)"),
            ("as_int(float4)", "none"),
            ("as_float(bool)", "none"),
            ("as_size_t(long)", "ulong(long)"),
        ],
    );
    let meaning = |text| call(text, Version::V1_2).unwrap().meaning;
    assert_eq!(
        meaning("convert_uchar4_sat_rtz(float4)"),
        Meaning::Convert { rounding: Some(Rounding::TowardZero), saturate: true }
    );
    assert_eq!(
        meaning("convert_half(float)"),
        Meaning::Convert { rounding: None, saturate: false }
    );
    assert_eq!(meaning("as_uint(float)"), Meaning::Reinterpret);
}

#[test]
fn images_choose_by_kind_and_access() {
    check(
        Version::V2_0,
        &[
            (
                "read_imagef(read_only image2d_t, sampler, int2)",
                "float4(read_only image2d_t, sampler_t, int2)",
            ),
            (
                "read_imagef(read_only image2d_t, uint, float2)",
                "float4(read_only image2d_t, sampler_t, float2)",
            ),
            ("read_imagef(read_only image2d_t, sampler, int4)", "none"),
            ("read_imagef(read_only image2d_t, sampler, int)", "ambiguous"),
            (
                "read_imagef(read_only image2d_depth_t, int2)",
                "float(read_only image2d_depth_t, int2)",
            ),
            ("read_imageui(read_write image3d_t, int4)", "uint4(read_write image3d_t, int4)"),
            ("read_imagei(write_only image2d_t, int2)", "none"),
            (
                "write_imagef(write_only image1d_t, int, float4)",
                "void(write_only image1d_t, int, float4)",
            ),
            ("write_imagef(read_only image1d_t, int, float4)", "none"),
            ("get_image_dim(read_only image3d_t)", "int4(read_only image3d_t)"),
            ("get_image_array_size(read_only image2d_array_t)", "ulong(read_only image2d_array_t)"),
            ("get_image_height(read_only image1d_t)", "none"),
        ],
    );
}

#[test]
fn intrinsics_follow_signedness() {
    let meaning = |text| match call(text, Version::V3_0).unwrap().meaning {
        Meaning::Intrinsic(intrinsic) => intrinsic,
        other => panic!("{other:?}"),
    };
    assert_eq!(meaning("clamp(int, int, int)"), Intrinsic::SClamp);
    assert_eq!(meaning("clamp(uchar4, uchar, uchar)"), Intrinsic::UClamp);
    assert_eq!(meaning("clamp(float, float, float)"), Intrinsic::FClamp);
    assert_eq!(meaning("max(half, half)"), Intrinsic::FMaxCommon);
    assert_eq!(meaning("fmax(half, half)"), Intrinsic::Fmax);
    assert_eq!(
        meaning("atomic_min(global uint*, uint)"),
        Intrinsic::Sync(SyncCall::Atomic(AtomicOp::UMin))
    );
    assert_eq!(
        meaning("sub_group_scan_inclusive_max(float)"),
        Intrinsic::SubGroup(crate::GroupOperation::InclusiveScan, crate::GroupOp::FMax)
    );
    assert_eq!(
        meaning("vstore_half4_rtp(float4, int, global half*)"),
        Intrinsic::VstoreHalf(Some(Rounding::TowardPositive))
    );
}

#[test]
fn without_double_and_half_calls_of_integers_are_clear() {
    let version = Version::V1_2;
    let mut set = default_set(version, Target::OpenCl);
    apply_option(&mut set, "-cl_khr_fp64,-cl_khr_fp16", version).unwrap();
    let resolved = call_in("sqrt(int)", version, &set).unwrap();
    assert_eq!(resolved.result, BuiltinType::Scalar(Scalar::Float));
    let outcome = call_in("convert_double(float)", version, &set);
    assert_eq!(lacks(&outcome), (None, None, vec![features::FP64], vec![features::FP64]));
}

/// The form, version, missing extensions and all extensions of a failure.
fn lacks(
    outcome: &Result<Resolved, Failure>,
) -> (Option<&str>, Option<Version>, Vec<Extension>, Vec<Extension>) {
    match outcome {
        Err(Failure::Missing { form, since, missing, needs, .. }) => {
            (form.as_deref(), *since, missing.clone(), needs.to_vec())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn missing_builtins_say_what_they_need() {
    let outcome = call("popcount(int)", Version::V1_1);
    assert_eq!(lacks(&outcome), (None, Some(Version::V1_2), Vec::new(), Vec::new()));
    let version = Version::V3_0;
    let mut set = default_set(version, Target::OpenCl);
    apply_option(
        &mut set,
        "-__opencl_c_work_group_collective_functions,-cl_khr_mipmap_image,-cl_khr_kernel_clock,\
         +__opencl_c_kernel_clock_scope_device",
        version,
    )
    .unwrap();
    let outcome = call_in("work_group_all(int)", version, &set);
    let needed = vec![features::FEATURE_WORK_GROUP_COLLECTIVE_FUNCTIONS];
    assert_eq!(lacks(&outcome), (None, None, needed.clone(), needed));
    let outcome = call_in("clock_read_device()", version, &set);
    let needed = vec![features::KERNEL_CLOCK, features::FEATURE_KERNEL_CLOCK_SCOPE_DEVICE];
    assert_eq!(lacks(&outcome), (None, None, needed[..1].to_vec(), needed));
    // Others of the name exist.
    let outcome = call_in("read_imagef(read_only image2d_t,sampler,float2,float)", version, &set);
    let form = "read_imagef(read_only image2d_t, sampler_t, float2, float)";
    let needed = vec![features::MIPMAP_IMAGE];
    assert_eq!(lacks(&outcome), (Some(form), None, needed.clone(), needed));
    let nothing = ExtensionSet::default();
    let Err(Failure::Missing { ways, .. }) = call_in("dot(char4,char4)", version, &nothing) else {
        panic!("it is not there");
    };
    assert_eq!(ways, ["OpenCL C 3.1", "cl_khr_integer_dot_product"]);
}

/// The first near candidate and why it fails.
fn reason(text: &str) -> (String, String) {
    match call(text, Version::V1_2) {
        Err(Failure::NoMatch { candidates }) => candidates.into_iter().next().unwrap(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn failures_give_reasons() {
    let pair = |text: &str, why: &str| (text.to_owned(), why.to_owned());
    assert_eq!(
        reason("clamp(float4, int4, float)"),
        pair(
            "clamp(float4, float4, float4)",
            "argument 2 is int4; vectors do not convert implicitly"
        )
    );
    assert_eq!(reason("sqrt(float, float)"), pair("sqrt(float)", "takes 1 argument, 2 given"));
    assert_eq!(
        reason("fract(float, constant float*)"),
        pair(
            "fract(float, float*)",
            "argument 2 is constant float*; it must point to global, local or private memory"
        )
    );
    assert_eq!(
        reason("vstore4(float4, int, const global float*)"),
        pair(
            "vstore4(float4, ulong, float*)",
            "argument 3 is const global float*; it is written to, so it cannot point to const"
        )
    );
    assert_eq!(
        reason("frexp(float, private float*)"),
        pair("frexp(float, int*)", "argument 2 is private float*; it must point to int")
    );
    assert_eq!(
        reason("write_imagef(read_only image2d_t, int2, float4)"),
        pair(
            "write_imagef(write_only image2d_t, int2, float4)",
            "argument 1 is read_only image2d_t; an image qualified read_only cannot be used here"
        )
    );
    assert_eq!(
        reason("as_int(float4)"),
        pair(
            "as_int(a value of 4 bytes)",
            "float4 has 16 bytes and int has 4; the sizes must be equal"
        )
    );
}

#[test]
fn ambiguities_list_the_tied_overloads() {
    let Err(Failure::Ambiguous { candidates }) = call("max(int, uint)", Version::V1_2) else {
        panic!("not ambiguous");
    };
    assert_eq!(candidates, ["max(int, int)", "max(uint, uint)"]);
}

#[test]
fn names_are_builtins() {
    for name in names() {
        assert!(is_builtin(name), "{name}");
    }
    assert!(is_builtin("convert_uchar16_sat_rtn"));
    assert!(!is_builtin("convert_uchar5"));
    assert!(!is_builtin("main"));
}

#[test]
fn strange_arguments_are_refused_quietly() {
    for name in names() {
        for count in 0..20 {
            for argument in
                [BuiltinType::Other, BuiltinType::Void, BuiltinType::NullPointer, base("float16")]
            {
                let arguments = vec![argument; count];
                let extensions = default_set(Version::V3_1, Target::OpenCl);
                let environment = Environment {
                    version: Version::V3_1,
                    extensions: &extensions,
                    address_bits: AddressBits::Bits32,
                };
                // Only that it answers; a null pointer is an argument like another.
                let _ = resolve(name, &arguments, &environment);
            }
        }
    }
}
