//! The validator of SPIRV-Tools, in-process.

mod cut;
mod declarations;
mod dominance;
mod parts;

use std::fmt;

use clc_validator::LinkedValidator;
use rustc_hash::FxHashSet;
use spirv::{Capability, ImageOperands, Op};
use spirv_tools::TargetEnv;
use spirv_tools::val::{Validator, ValidatorLimits, ValidatorOptions};

use crate::read::{HEADER_WORDS, Instructions, is, string};
use crate::validate::parts::Limits;
use clc_legalise::Environment;

use crate::TargetOptions;

/// Why a module is not valid. That is always a bug of this compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// What the validator says.
    pub message: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValidationError {}

/// Checks a module against the rules of SPIR-V and of the environment.
///
/// Names are kept from the validator: it makes those of OpName unique by trial, which takes
/// quadratic time where many functions have an argument of one name, and needs them for messages
/// only. Those of entry points it compares each with each; here they are looked at once and shown
/// to it as numbers. Large modules it gets in [`parts`].
///
/// Instructions behind the functions are a reflection, which names entry points; so small modules
/// that have one are checked as they are, and large ones without it.
pub fn validate(words: &[u32], options: &TargetOptions) -> Result<(), ValidationError> {
    let has_levels = matches!(options.environment, Environment::OpenCl { .. })
        && capabilities(words).any(|capability| capability == Capability::ImageMipmap);
    let without = if has_levels { Some(without_levels_of_writes(words)) } else { None };
    let words = without.as_deref().unwrap_or(words);
    if names_functions(words) {
        return validate_as_is(words, options);
    }
    let end = end_of_functions(words);
    if end < words.len() {
        return match words.len() <= SMALL_WITH_REFLECTION {
            true => validate_as_is(words, options),
            false => validate_known(&words[..end], options),
        };
    }
    validate_known(words, options)
}

/// Whether declarations of the module name functions, as those of OpenCL.DebugInfo.100 do: then they are
/// in no part of it.
fn names_functions(words: &[u32]) -> bool {
    let mut head = Instructions::of(words).take_while(|it| !is(it, Op::MemoryModel));
    head.any(|instruction| {
        is(instruction, Op::ExtInstImport)
            && string(&instruction[2..]).is_some_and(|(name, _)| name == "OpenCL.DebugInfo.100")
    })
}

/// Words of a module with a reflection up to which it is checked as a whole.
const SMALL_WITH_REFLECTION: usize = 1 << 15;

/// Where the last function ends, or the module if it has none.
fn end_of_functions(words: &[u32]) -> usize {
    let mut at = HEADER_WORDS;
    let mut end = None;
    for instruction in Instructions::of(words) {
        at += instruction.len();
        if is(instruction, Op::FunctionEnd) {
            end = Some(at);
        }
    }
    end.unwrap_or(words.len())
}

/// What the validator says of a module as a whole, and of the smallest parts that it can be cut into,
/// if it can: so tests compare the two.
#[doc(hidden)]
pub fn validate_both(
    words: &[u32],
    options: &TargetOptions,
) -> (Result<(), ValidationError>, Option<Result<(), ValidationError>>) {
    (validate_as_is(words, options), in_parts(words, &Limits::LEAST, options))
}

/// As [`validate`], for a module of which the tools know everything.
fn validate_known(words: &[u32], options: &TargetOptions) -> Result<(), ValidationError> {
    let Some(nameless) = without_names(words) else { return validate_as_is(words, options) };
    match in_parts(&nameless, &Limits::DEFAULT, options) {
        None => validate_as_is(&nameless, options)
            // Again for the message, which then has the names.
            .or_else(|error| validate_as_is(words, options).and(Err(error))),
        Some(outcome) => outcome.or_else(|error| {
            // The module decides; a part that fails alone was cut wrongly.
            let whole = validate_as_is(words, options);
            debug_assert!(whole.is_err(), "a part of a valid module is not valid: {error}");
            whole
        }),
    }
}

/// Checks the parts of a module and, if they are large themselves, theirs. `None` if it has none.
fn in_parts(
    words: &[u32],
    limits: &Limits,
    options: &TargetOptions,
) -> Option<Result<(), ValidationError>> {
    let parts = parts::split(words, limits)?;
    Some(parts.iter().try_for_each(|part| {
        // What hardly gets smaller would be cut for ever.
        let is_smaller = part.len() < words.len() / 8 * 7;
        let outcome = if is_smaller { in_parts(part, limits, options) } else { None };
        outcome.unwrap_or_else(|| validate_as_is(part, options))
    }))
}

/// An entry point's name for the validator: its number, in the bytes of one word.
fn short_name(number: usize) -> Option<u32> {
    const DIGITS: usize = 127;
    let digit = |power: u32| (number / DIGITS.pow(power) % DIGITS + 1) as u32;
    (number < DIGITS.pow(3)).then(|| digit(0) | digit(1) << 8 | digit(2) << 16)
}

/// The module without OpName and OpMemberName and with short names of entry points. `None` if two
/// entry points have one name, or something else is for the validator itself to say.
fn without_names(words: &[u32]) -> Option<Vec<u32>> {
    let mut entry_names = FxHashSet::default();
    let mut kept = Vec::with_capacity(words.len());
    kept.extend_from_slice(words.get(..HEADER_WORDS)?);
    let mut instructions = Instructions::of(words);
    let mut rest = instructions.rest();
    while let Some(instruction) = instructions.next() {
        let op = instruction[0] & 0xffff;
        // No names follow the first type.
        if op == Op::TypeVoid as u32 {
            break;
        }
        if op == Op::EntryPoint as u32 {
            let name = instruction.get(3..)?;
            // The last word of a string ends in a zero byte.
            let end = name.iter().position(|&word| word >> 24 == 0)? + 1;
            let (name, interface) = name.split_at(end);
            let short = short_name(entry_names.len())?;
            if !entry_names.insert((instruction[1], name)) {
                return None;
            }
            kept.push((4 + interface.len() as u32) << 16 | op);
            kept.extend_from_slice(&instruction[1..3]);
            kept.push(short);
            kept.extend_from_slice(interface);
        } else if op != Op::Name as u32 && op != Op::MemberName as u32 {
            kept.extend_from_slice(instruction);
        }
        rest = instructions.rest();
    }
    kept.extend_from_slice(rest);
    Some(kept)
}

fn validate_as_is(words: &[u32], options: &TargetOptions) -> Result<(), ValidationError> {
    let mut limits = ValidatorOptions::default();
    // The default guards consumers against runaway ids; ids are dense here, and large programs
    // have many.
    limits.max_limits.push((ValidatorLimits::IdBound, u32::MAX));
    LinkedValidator::with_env(target_environment(words, options))
        .validate(words, Some(limits))
        .map_err(|error| ValidationError {
            message: match error.diagnostic {
                Some(diagnostic) => diagnostic.message,
                None => format!("{:?}", error.inner),
            },
        })
}

/// The rules to check by. The tools tie each OpenCL version to the SPIR-V version it requires and
/// to the capabilities of its core, while a device may take later versions and offer extensions;
/// where the module needs these, the rules of its SPIR-V version apply alone.
fn target_environment(words: &[u32], options: &TargetOptions) -> TargetEnv {
    let (newest, environment) = match options.environment {
        Environment::OpenCl { major: 1, .. } => ((1, 0), TargetEnv::OpenCL_1_2),
        Environment::OpenCl { major: 2, minor: 0 } => ((1, 0), TargetEnv::OpenCL_2_0),
        Environment::OpenCl { major: 2, minor: 1 } => ((1, 0), TargetEnv::OpenCL_2_1),
        Environment::OpenCl { .. } => ((1, 2), TargetEnv::OpenCL_2_2),
        Environment::Vulkan { minor: 1, .. } => ((1, 3), TargetEnv::Vulkan_1_1),
        Environment::Vulkan { minor: 2, .. } => ((1, 5), TargetEnv::Vulkan_1_2),
        Environment::Vulkan { .. } => ((1, 6), TargetEnv::Vulkan_1_3),
    };
    let version = spirv_version(words);
    // The tools know the extensions of Vulkan with it.
    let is_vulkan = matches!(options.environment, Environment::Vulkan { .. });
    let is_core = || capabilities(words).all(is_core) && !has_multisampled_images(words);
    if version <= newest && (is_vulkan || is_core()) {
        return environment;
    }
    match version {
        (1, 0) => TargetEnv::Universal_1_0,
        (1, 1) => TargetEnv::Universal_1_1,
        (1, 2) => TargetEnv::Universal_1_2,
        (1, 3) => TargetEnv::Universal_1_3,
        (1, 4) => TargetEnv::Universal_1_4,
        (1, 5) => TargetEnv::Universal_1_5,
        _ => TargetEnv::Universal_1_6,
    }
}

/// The version in a module's header.
fn spirv_version(words: &[u32]) -> (u8, u8) {
    let version = words.get(1).copied().unwrap_or_default();
    ((version >> 16) as u8, (version >> 8) as u8)
}

/// The capabilities that a module declares; they come first.
fn capabilities(words: &[u32]) -> impl Iterator<Item = Capability> {
    let declared = words.get(HEADER_WORDS..).unwrap_or_default().chunks_exact(2);
    declared
        .take_while(|pair| pair[0] == 2 << 16 | Op::Capability as u32)
        .filter_map(|pair| Capability::from_u32(pair[1]))
}

/// The module without the levels of detail of OpImageWrite. Where cl_khr_mipmap_image_writes is
/// supported the environment takes them (SPIR-V environment specification, section of the extension
/// and validation rules); the tools know them of SPV_AMD_shader_image_load_store_lod only.
fn without_levels_of_writes(words: &[u32]) -> Vec<u32> {
    const LOD: u32 = ImageOperands::LOD.bits();
    let mut kept = Vec::with_capacity(words.len());
    kept.extend_from_slice(words.get(..HEADER_WORDS).unwrap_or_default());
    let mut instructions = Instructions::of(words);
    for instruction in instructions.by_ref() {
        match *instruction {
            // A bias, which would come first, belongs to implicit levels only.
            [opcode, image, coordinate, texel, mask, _, ref operands @ ..]
                if opcode & 0xffff == Op::ImageWrite as u32 && mask & LOD != 0 =>
            {
                let mask = mask & !LOD;
                let length = 4 + u32::from(mask != 0) + operands.len() as u32;
                kept.extend([length << 16 | Op::ImageWrite as u32, image, coordinate, texel]);
                kept.extend((mask != 0).then_some(mask));
                kept.extend_from_slice(operands);
            }
            _ => kept.extend_from_slice(instruction),
        }
    }
    kept.extend_from_slice(instructions.rest());
    kept
}

/// Whether a module declares multi-sampled images, which the tools refuse in all OpenCL
/// environments, although cl_khr_gl_msaa_sharing has them (SPIR-V environment specification).
fn has_multisampled_images(words: &[u32]) -> bool {
    const MULTISAMPLED: usize = 6;
    capabilities(words).any(|capability| capability == Capability::ImageBasic)
        && Instructions::of(words)
            .take_while(|instruction| instruction[0] & 0xffff != Op::Function as u32)
            .filter(|instruction| instruction[0] & 0xffff == Op::TypeImage as u32)
            .any(|image| image.get(MULTISAMPLED) == Some(&1))
}

/// Whether some core version of OpenCL has the capability, so that the tools know when.
fn is_core(capability: Capability) -> bool {
    matches!(
        capability,
        Capability::Addresses
            | Capability::Float16Buffer
            | Capability::Int8
            | Capability::Int16
            | Capability::Int64
            | Capability::Kernel
            | Capability::Linkage
            | Capability::Vector16
            | Capability::DeviceEnqueue
            | Capability::GenericPointer
            | Capability::Pipes
            | Capability::ImageBasic
            | Capability::Float16
            | Capability::Float64
            | Capability::LiteralSampler
            | Capability::Sampled1D
            | Capability::Image1D
            | Capability::SampledBuffer
            | Capability::ImageBuffer
            | Capability::ImageReadWrite
    )
}
