//! The validator of SPIRV-Tools, in-process.

use std::fmt;

use spirv_tools::TargetEnv;
use spirv_tools::val::Validator;
use spirv_tools::val::compiled::CompiledValidator;

use crate::{Environment, TargetOptions};

/// Why a module is not valid. That is always a bug of this compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    pub message: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ValidationError {}

/// Checks a module against the rules of SPIR-V and of the environment.
pub fn validate(words: &[u32], options: &TargetOptions) -> Result<(), ValidationError> {
    CompiledValidator::with_env(target_environment(options)).validate(words, None).map_err(
        |error| ValidationError {
            message: match error.diagnostic {
                Some(diagnostic) => diagnostic.message,
                None => format!("{:?}", error.inner),
            },
        },
    )
}

/// The tools tie each OpenCL version to the SPIR-V version it requires, while a device may take
/// later ones; where the module is of a later version, the rules of that version apply alone.
fn target_environment(options: &TargetOptions) -> TargetEnv {
    let environment = match options.environment {
        Environment::OpenCl { major: 1, .. } => ((1, 0), TargetEnv::OpenCL_1_2),
        Environment::OpenCl { major: 2, minor: 0 } => ((1, 0), TargetEnv::OpenCL_2_0),
        Environment::OpenCl { major: 2, minor: 1 } => ((1, 0), TargetEnv::OpenCL_2_1),
        Environment::OpenCl { .. } => ((1, 2), TargetEnv::OpenCL_2_2),
        Environment::Vulkan { minor: 1, .. } => ((1, 3), TargetEnv::Vulkan_1_1),
        Environment::Vulkan { minor: 2, .. } => ((1, 5), TargetEnv::Vulkan_1_2),
        Environment::Vulkan { .. } => ((1, 6), TargetEnv::Vulkan_1_3),
    };
    if options.spirv_version <= environment.0 {
        return environment.1;
    }
    match options.spirv_version {
        (1, 0) => TargetEnv::Universal_1_0,
        (1, 1) => TargetEnv::Universal_1_1,
        (1, 2) => TargetEnv::Universal_1_2,
        (1, 3) => TargetEnv::Universal_1_3,
        (1, 4) => TargetEnv::Universal_1_4,
        (1, 5) => TargetEnv::Universal_1_5,
        _ => TargetEnv::Universal_1_6,
    }
}
