//! Functions on devices of which more is known than Vulkan promises.

use clc_base::lang::FloatOptions;

use crate::Intrinsic;
use crate::library::{
    ASKING_F32, ASKING_F64, Body, DIVIDING_F64, FUSED_F32, FUSED_F64, FUSED_REMAINDER_F64, File,
    Way, division, way,
};
use crate::profile::{DeviceProfile, Instruction};

/// As [`way`](crate::library::way), on a device of which `profile` is known: by its instructions where they are precise enough.
pub fn way_on(
    profile: &DeviceProfile,
    intrinsic: Intrinsic,
    bits: u8,
    options: &FloatOptions,
) -> Option<Way> {
    let is_relaxed = options.unsafe_math || options.fast_relaxed_math;
    // OpenCL C has numbers below the normal ones in `double` always.
    let flushes = options.denorms_are_zero && bits == 32;
    let is_within = |&(instruction, units): &(Instruction, f64)| {
        let is_rounded = options.correctly_rounded_divide_sqrt && intrinsic == Intrinsic::Sqrt;
        profile.is_within(instruction, if is_rounded { 0.5 } else { units }, flushes)
    };
    let known = MEASURED.iter().find(|row| {
        row.intrinsic == intrinsic
            && row.bits == bits
            && !(is_relaxed && row.is_for_strict)
            && row.needs.iter().all(is_within)
    });
    let Some(known) = known else { return way(intrinsic, bits, options) };
    let is_within_without =
        |&(instruction, units): &(Instruction, f64)| profile.is_within(instruction, units, false);
    match known.flushed {
        Some(flushed) if !known.needs.iter().all(is_within_without) => Some(flushed),
        _ => Some(known.way),
    }
}

/// As [`division`](crate::library::division), on a device of which `profile` is known. `is_of_one` says that the
/// dividend is one or its negative.
pub fn division_on(
    profile: &DeviceProfile,
    bits: u8,
    is_of_one: bool,
    options: &FloatOptions,
) -> Option<Body> {
    if bits == 64 && profile.is_within(Instruction::FmaF64, 0.5, false) {
        let is_measured = profile.is_within(Instruction::DivideF64, 0.5, false);
        return Some(match (is_measured, is_of_one) {
            (true, true) => body(&DIVIDING_F64, "__clc_divide_one_measured_f64"),
            (true, false) => body(&DIVIDING_F64, "__clc_divide_measured_f64"),
            (false, _) => body(&FUSED_F64, "__clc_divide_fused_f64"),
        });
    }
    let is_within = match bits {
        32 => {
            let units = if options.correctly_rounded_divide_sqrt { 0.5 } else { 2.5 };
            profile.is_within(Instruction::DivideF32, units, options.denorms_are_zero)
        }
        64 => profile.is_within(Instruction::DivideF64, 0.5, false),
        _ => false,
    };
    if is_within { None } else { division(bits, options) }
}

/// The function that takes, behind the arguments of `body`, whether `Fma` rounds once, and computes the same by that.
pub fn asking(body: &Body) -> Option<Body> {
    let (file, function) = match body.function {
        "__clc_fma_f32" => (&ASKING_F32, "__clc_fma_asking_f32"),
        "__clc_fma_f64" => (&ASKING_F64, "__clc_fma_asking_f64"),
        "__clc_divide_f64" => (&ASKING_F64, "__clc_divide_asking_f64"),
        "__clc_sqrt_f64" => (&ASKING_F64, "__clc_sqrt_asking_f64"),
        "__clc_rsqrt_f64" => (&ASKING_F64, "__clc_rsqrt_asking_f64"),
        _ => return None,
    };
    Some(self::body(file, function))
}

/// A function as a device has it whose instructions are known to be precise.
struct Measured {
    intrinsic: Intrinsic,
    bits: u8,
    /// The instructions, with the errors in units that the result bears.
    needs: &'static [(Instruction, f64)],
    way: Way,
    /// There is something faster with -cl-unsafe-math-optimizations.
    is_for_strict: bool,
    /// What takes its place where numbers below the normal ones may be flushed and are.
    flushed: Option<Way>,
}

const fn measured(
    intrinsic: Intrinsic,
    bits: u8,
    needs: &'static [(Instruction, f64)],
    way: Way,
) -> Measured {
    Measured { intrinsic, bits, needs, way, is_for_strict: false, flushed: None }
}

const fn body(file: &'static File, function: &'static str) -> Body {
    Body { file, function, stored: None, common: None, through_float: false }
}

const fn fused(function: &'static str) -> Way {
    Way::Body(body(&FUSED_F32, function))
}

const fn fused_double(intrinsic: Intrinsic, function: &'static str) -> Measured {
    measured(intrinsic, 64, FUSED_DOUBLE, Way::Body(body(&FUSED_F64, function)))
}

const fn fused_remainder(
    intrinsic: Intrinsic,
    function: &'static str,
    stored: Option<&'static str>,
) -> Measured {
    let body = Body { stored, ..body(&FUSED_REMAINDER_F64, function) };
    measured(intrinsic, 64, FUSED_DOUBLE, Way::Body(body))
}

const FMA: Way = Way::Instruction { name: "Fma", reason: "measured to be rounded once" };

/// What [`FUSED_F32`] relies on. The correction of `exp2` adds little more than half a unit.
const FUSED: &[(Instruction, f64)] = &[(Instruction::FmaF32, 0.5), (Instruction::Exp2F32, 2.4)];

/// What those of its functions rely on that need no exponentials.
const FUSED_SINGLE: &[(Instruction, f64)] = &[(Instruction::FmaF32, 0.5)];

/// What [`FUSED_F64`] relies on. Its steps take less time than instructions of `double`, which are many steps of a device.
const FUSED_DOUBLE: &[(Instruction, f64)] = &[(Instruction::FmaF64, 0.5)];

/// What the `half_` functions may be off by.
const HALF_UNITS: f64 = 8192.0;

const MEASURED: &[Measured] = &[
    measured(Intrinsic::Fma, 32, &[(Instruction::FmaF32, 0.5)], FMA),
    measured(Intrinsic::Fma, 64, &[(Instruction::FmaF64, 0.5)], FMA),
    measured(Intrinsic::Sqrt, 32, &[(Instruction::SqrtF32, 3.0)], Way::As(Intrinsic::NativeSqrt)),
    measured(
        Intrinsic::HalfSqrt,
        32,
        &[(Instruction::SqrtF32, HALF_UNITS)],
        Way::As(Intrinsic::NativeSqrt),
    ),
    fused_double(Intrinsic::Sqrt, "__clc_sqrt_fused_f64"),
    fused_double(Intrinsic::Rsqrt, "__clc_rsqrt_fused_f64"),
    measured(Intrinsic::Sqrt, 64, &[(Instruction::SqrtF64, 0.5)], Way::As(Intrinsic::NativeSqrt)),
    measured(
        Intrinsic::Rsqrt,
        32,
        &[(Instruction::InverseSqrtF32, 2.0)],
        Way::As(Intrinsic::NativeRsqrt),
    ),
    measured(
        Intrinsic::HalfRsqrt,
        32,
        &[(Instruction::InverseSqrtF32, HALF_UNITS)],
        Way::As(Intrinsic::NativeRsqrt),
    ),
    measured(Intrinsic::Exp2, 32, &[(Instruction::Exp2F32, 3.0)], Way::As(Intrinsic::NativeExp2)),
    measured(Intrinsic::Log2, 32, &[(Instruction::Log2F32, 3.0)], Way::As(Intrinsic::NativeLog2)),
    Measured {
        flushed: Some(fused("__clc_exp_fused_flushed_f32")),
        ..measured(Intrinsic::Exp, 32, FUSED, fused("__clc_exp_fused_f32"))
    },
    Measured {
        flushed: Some(fused("__clc_exp10_fused_flushed_f32")),
        ..measured(Intrinsic::Exp10, 32, FUSED, fused("__clc_exp10_fused_f32"))
    },
    fused_remainder(Intrinsic::Fmod, "__clc_fmod_fused_f64", None),
    fused_remainder(Intrinsic::Remainder, "__clc_remainder_fused_f64", None),
    fused_remainder(
        Intrinsic::Remquo,
        "__clc_remainder_fused_f64",
        Some("__clc_remquo_quotient_fused_f64"),
    ),
    measured(Intrinsic::Fmod, 32, FUSED_SINGLE, fused("__clc_fmod_fused_f32")),
    measured(Intrinsic::Remainder, 32, FUSED_SINGLE, fused("__clc_remainder_fused_f32")),
    measured(
        Intrinsic::Remquo,
        32,
        FUSED_SINGLE,
        Way::Body(Body {
            stored: Some("__clc_remquo_quotient_fused_f32"),
            ..body(&FUSED_F32, "__clc_remainder_fused_f32")
        }),
    ),
    Measured {
        is_for_strict: true,
        ..measured(Intrinsic::Pow, 32, FUSED, fused("__clc_pow_fused_f32"))
    },
    Measured {
        is_for_strict: true,
        ..measured(Intrinsic::Powr, 32, FUSED, fused("__clc_powr_fused_f32"))
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Error, Errors};

    #[test]
    fn precise_instructions_are_taken() {
        let way_of = |profile: &DeviceProfile, intrinsic, bits, options: &FloatOptions| match way_on(
            profile, intrinsic, bits, options,
        ) {
            Some(Way::Body(body)) => body.function,
            Some(Way::As(_)) => "another",
            Some(Way::Instruction { name, .. }) => name,
            None => "",
        };
        let strict = FloatOptions::default();
        let unknown = DeviceProfile::default();
        let exact = DeviceProfile::of_exact_device();
        for row in MEASURED {
            let name = way_of(&unknown, row.intrinsic, row.bits, &strict);
            assert!(name.starts_with("__clc_"), "{name}");
            let mut device = unknown;
            for &(instruction, _) in row.needs {
                device.set(instruction, Errors::ROUNDED);
            }
            let name = way_of(&device, row.intrinsic, row.bits, &strict);
            let is_known = match row.way {
                Way::Body(body) => body.function == name && row.file_defines(name),
                Way::As(_) => name == "another",
                Way::Instruction { .. } => name == "Fma",
            };
            assert!(is_known, "{name}");
        }
        assert_eq!(division_on(&exact, 32, false, &strict), None);
        let double = |profile: &DeviceProfile, is_of_one| {
            division_on(profile, 64, is_of_one, &strict).map(|body| body.function)
        };
        assert_eq!(double(&exact, false), Some("__clc_divide_measured_f64"));
        assert_eq!(double(&exact, true), Some("__clc_divide_one_measured_f64"));
        let mut without_division = exact;
        without_division.set(Instruction::DivideF64, unknown.errors(Instruction::DivideF64));
        for is_of_one in [false, true] {
            let function = double(&without_division, is_of_one);
            assert_eq!(function, Some("__clc_divide_fused_f64"));
        }
        let mut without_fma = exact;
        without_fma.set(Instruction::FmaF64, unknown.errors(Instruction::FmaF64));
        assert_eq!(double(&without_fma, false), None);
        assert!(division_on(&exact, 16, false, &strict).is_some());

        // What is flushed will do where it may be, which is never in `double`.
        let flushing = Errors { small_results: Error::UNBOUNDED, ..Errors::ROUNDED };
        let mut device = exact;
        for (instruction, _) in Instruction::NAMES {
            device.set(instruction, flushing);
        }
        let zeros = FloatOptions { denorms_are_zero: true, ..strict };
        assert_eq!(way_of(&device, Intrinsic::Exp2, 32, &strict), "__clc_exp2_f32");
        assert_eq!(way_of(&device, Intrinsic::Exp2, 32, &zeros), "another");
        assert_eq!(way_of(&device, Intrinsic::Exp, 32, &strict), "__clc_exp_f32");
        assert_eq!(way_of(&exact, Intrinsic::Exp, 32, &zeros), "__clc_exp_fused_f32");
        device.set(Instruction::FmaF32, Errors::ROUNDED);
        assert_eq!(way_of(&device, Intrinsic::Exp, 32, &zeros), "__clc_exp_fused_flushed_f32");
        assert!(division_on(&device, 64, false, &zeros).is_some());
        // Nearly rounded is not rounded.
        let mut device = exact;
        device.set(Instruction::SqrtF32, Errors { normal: Error::units(1.0), ..Errors::ROUNDED });
        let rounded = FloatOptions { correctly_rounded_divide_sqrt: true, ..strict };
        assert_eq!(way_of(&device, Intrinsic::Sqrt, 32, &strict), "another");
        assert_eq!(way_of(&device, Intrinsic::Sqrt, 32, &rounded), "__clc_sqrt_rounded_f32");
    }

    impl Measured {
        fn file_defines(&self, function: &str) -> bool {
            matches!(self.way, Way::Body(body) if body.file.text.contains(&format!(" {function}(")))
        }
    }
}
