//! What a device's own instructions are known to give, beyond what their specification promises.
//!
//! Vulkan bounds errors loosely ("Precision and Operation of SPIR-V Instructions"), chips are better.
//! A profile has what was measured on one; [`library`](crate::library) takes an instruction wherever its
//! error is within the bounds of OpenCL C 7.4, and a body otherwise. Nothing is known by default.

/// An instruction of floats of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `OpFDiv` of `float`.
    DivideF32,
    /// `OpFDiv` of `double`.
    DivideF64,
    /// `Sqrt` of `float`.
    SqrtF32,
    /// `Sqrt` of `double`.
    SqrtF64,
    /// `InverseSqrt` of `float`.
    InverseSqrtF32,
    /// `Exp2` of `float`.
    Exp2F32,
    /// `Log2` of `float`.
    Log2F32,
    /// `Fma` of `float`.
    FmaF32,
    /// `Fma` of `double`.
    FmaF64,
    /// `PackHalf2x16`, by units of halves.
    PackHalf,
    /// `UnpackHalf2x16`.
    UnpackHalf,
    /// `OpFConvert` of `float` to `half`, rounded to nearest, as it is stored in a buffer, by units of halves.
    StoreHalf,
}

impl Instruction {
    /// All of them, in the order of their numbers, with their names in files: those of SPIR-V or
    /// GLSL.std.450, and the width.
    pub const NAMES: [(Instruction, &'static str); 12] = [
        (Instruction::DivideF32, "OpFDiv.32"),
        (Instruction::DivideF64, "OpFDiv.64"),
        (Instruction::SqrtF32, "Sqrt.32"),
        (Instruction::SqrtF64, "Sqrt.64"),
        (Instruction::InverseSqrtF32, "InverseSqrt.32"),
        (Instruction::Exp2F32, "Exp2.32"),
        (Instruction::Log2F32, "Log2.32"),
        (Instruction::FmaF32, "Fma.32"),
        (Instruction::FmaF64, "Fma.64"),
        (Instruction::PackHalf, "PackHalf2x16"),
        (Instruction::UnpackHalf, "UnpackHalf2x16"),
        (Instruction::StoreHalf, "OpFConvert.16"),
    ];

    /// The one with this name in files.
    pub fn from_name(name: &str) -> Option<Instruction> {
        Self::NAMES.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// An error in thousandths of a unit in the last place. The largest number is that of no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Error(u32);

impl Error {
    /// Of correctly rounded results.
    pub const ROUNDED: Error = Error(500);
    /// There is no bound.
    pub const UNBOUNDED: Error = Error(u32::MAX);

    /// So many units, or a little more. What is no number has no bound, and neither has what is large.
    pub fn units(units: f64) -> Error {
        // What was measured against numbers that are rounded themselves, far below a thousandth.
        let thousandths = (units * 1000.0 - 1e-3).ceil();
        match thousandths >= 0.0 && thousandths < f64::from(u32::MAX) {
            true => Error(thousandths as u32),
            false if thousandths < 0.0 => Error(0),
            false => Error::UNBOUNDED,
        }
    }
}

/// The largest errors of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errors {
    /// Where arguments and the result are normal numbers, or zero.
    pub normal: Error,
    /// Where an argument is below the normal numbers.
    pub small_arguments: Error,
    /// Where the result is below the normal numbers, but no argument is.
    pub small_results: Error,
    /// Results for infinity and NaN, and those that are infinite or NaN, are as OpenCL C has them.
    pub is_special_right: bool,
}

impl Errors {
    const UNKNOWN: Errors = Errors {
        normal: Error::UNBOUNDED,
        small_arguments: Error::UNBOUNDED,
        small_results: Error::UNBOUNDED,
        is_special_right: false,
    };

    /// Those of an instruction that rounds as IEEE 754 says.
    pub const ROUNDED: Errors = Errors {
        normal: Error::ROUNDED,
        small_arguments: Error::ROUNDED,
        small_results: Error::ROUNDED,
        is_special_right: true,
    };
}

/// What is known of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceProfile([Errors; Instruction::NAMES.len()]);

impl Default for DeviceProfile {
    fn default() -> DeviceProfile {
        DeviceProfile([Errors::UNKNOWN; Instruction::NAMES.len()])
    }
}

impl DeviceProfile {
    /// A device all of whose instructions round as IEEE 754 says. None is known; what measures devices
    /// needs all of their instructions.
    pub fn of_exact_device() -> DeviceProfile {
        DeviceProfile([Errors::ROUNDED; Instruction::NAMES.len()])
    }

    /// What is known of an instruction.
    pub fn errors(&self, instruction: Instruction) -> Errors {
        self.0[instruction as usize]
    }

    /// Notes the errors of an instruction.
    pub fn set(&mut self, instruction: Instruction, errors: Errors) {
        self.0[instruction as usize] = errors;
    }

    /// Whether an instruction is within `units` for all arguments, but for those below the normal numbers,
    /// and such results, with `flushes`.
    pub fn is_within(&self, instruction: Instruction, units: f64, flushes: bool) -> bool {
        let errors = self.errors(instruction);
        let limit = Error::units(units);
        errors.is_special_right
            && errors.normal <= limit
            && (flushes || errors.small_arguments <= limit && errors.small_results <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_numbers() {
        for (index, (instruction, name)) in Instruction::NAMES.into_iter().enumerate() {
            assert_eq!(instruction as usize, index);
            assert_eq!(Instruction::from_name(name), Some(instruction));
        }
        assert_eq!(Instruction::from_name("Sin.32"), None);
    }

    #[test]
    fn errors_are_compared_by_units() {
        assert_eq!(Error::units(0.5), Error::ROUNDED);
        assert!(
            Error::units(0.500_000_01) == Error::ROUNDED && Error::units(0.51) > Error::ROUNDED
        );
        for none in [f64::NAN, f64::INFINITY, 1e12] {
            assert_eq!(Error::units(none), Error::UNBOUNDED);
        }
    }

    #[test]
    fn nothing_is_known_by_default() {
        let mut profile = DeviceProfile::default();
        for (instruction, _) in Instruction::NAMES {
            assert!(!profile.is_within(instruction, 1e9, true));
        }
        let flushing = Errors { small_results: Error::UNBOUNDED, ..Errors::ROUNDED };
        profile.set(Instruction::Exp2F32, flushing);
        assert!(profile.is_within(Instruction::Exp2F32, 3.0, true));
        assert!(!profile.is_within(Instruction::Exp2F32, 3.0, false));
        assert!(!profile.is_within(Instruction::Exp2F32, 0.4, true));
    }
}
