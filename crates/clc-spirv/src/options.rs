//! What to compile for.

use std::fmt;

use rspirv::spirv::Capability;

/// The environment that consumes the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Environment {
    /// `clCreateProgramWithIL` of an OpenCL platform of this version.
    OpenCl { major: u8, minor: u8 },
    /// `vkCreateShaderModule`; recognised, not supported yet.
    Vulkan { major: u8, minor: u8 },
}

impl Environment {
    /// Every environment that has a name.
    pub const ALL: [Environment; 10] = [
        Environment::OpenCl { major: 1, minor: 2 },
        Environment::OpenCl { major: 2, minor: 0 },
        Environment::OpenCl { major: 2, minor: 1 },
        Environment::OpenCl { major: 2, minor: 2 },
        Environment::OpenCl { major: 3, minor: 0 },
        Environment::OpenCl { major: 3, minor: 1 },
        Environment::Vulkan { major: 1, minor: 1 },
        Environment::Vulkan { major: 1, minor: 2 },
        Environment::Vulkan { major: 1, minor: 3 },
        Environment::Vulkan { major: 1, minor: 4 },
    ];

    /// Reads `opencl3.0`, `vulkan1.3` and the like.
    pub fn from_name(name: &str) -> Option<Environment> {
        Environment::ALL.into_iter().find(|environment| environment.to_string() == name)
    }

    /// The newest SPIR-V that every implementation of the environment takes. OpenCL 3.0 leaves
    /// the version to the device; 1.0 to 1.2 are what devices with intermediate language
    /// support have in common.
    pub fn default_spirv_version(self) -> (u8, u8) {
        match self {
            Environment::OpenCl { major: 1, .. } | Environment::OpenCl { major: 2, minor: 0 } => {
                (1, 0)
            }
            Environment::OpenCl { major: 2, minor: 1 } => (1, 1),
            Environment::OpenCl { .. } => (1, 2),
            Environment::Vulkan { minor: 1, .. } => (1, 3),
            Environment::Vulkan { minor: 2, .. } => (1, 5),
            Environment::Vulkan { .. } => (1, 6),
        }
    }
}

impl Environment {
    /// The feature behind `capability`, if no implementation of the environment has it, not even
    /// by an extension.
    pub(crate) fn lacks(self, capability: Capability) -> Option<&'static str> {
        if self != (Environment::OpenCl { major: 1, minor: 2 }) {
            return None;
        }
        match capability {
            Capability::GenericPointer => Some("generic address space"),
            Capability::DeviceEnqueue => Some("device-side enqueue"),
            Capability::Pipes | Capability::PipeStorage => Some("pipes"),
            Capability::Groups => Some("work-group and sub-group functions"),
            Capability::SubgroupDispatch => Some("sub-groups"),
            Capability::ImageReadWrite => Some("images that are read and written"),
            _ => None,
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Environment::OpenCl { major, minor } => write!(f, "opencl{major}.{minor}"),
            Environment::Vulkan { major, minor } => write!(f, "vulkan{major}.{minor}"),
        }
    }
}

/// How a module is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetOptions {
    pub environment: Environment,
    /// 1.0 to 1.6
    pub spirv_version: (u8, u8),
    /// Whether an instruction that `spirv_version` lacks may raise the version to 1.3, which is
    /// where the instructions of most extensions of OpenCL are: a device that offers these takes
    /// it.
    pub may_raise_version: bool,
    /// `-g`: the source's name, and the line of each instruction.
    pub debug_lines: bool,
    /// `-cl-kernel-arg-info`: the types and qualifiers of kernel arguments in the source's words.
    pub kernel_arg_info: bool,
    /// Names of functions, arguments, variables and struct members.
    pub names: bool,
    /// State that denormals are flushed (`-cl-denorms-are-zero`) with SPV_KHR_float_controls.
    /// Off, the option stays the hint that the specification lets everybody ignore; few drivers
    /// take the execution mode.
    pub float_controls: bool,
}

impl TargetOptions {
    /// What is usual for an environment: its SPIR-V version, names, no lines.
    pub fn new(environment: Environment) -> TargetOptions {
        TargetOptions {
            environment,
            spirv_version: environment.default_spirv_version(),
            may_raise_version: false,
            debug_lines: false,
            kernel_arg_info: false,
            names: true,
            float_controls: false,
        }
    }
}

impl Default for TargetOptions {
    fn default() -> Self {
        TargetOptions::new(Environment::OpenCl { major: 3, minor: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for environment in Environment::ALL {
            assert_eq!(Environment::from_name(&environment.to_string()), Some(environment));
        }
        assert_eq!(Environment::from_name("opencl9.9"), None);
    }
}
