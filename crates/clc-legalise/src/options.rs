//! What to compile for.

use std::fmt;

use clc_base::Diagnostic;
use clc_base::lang::FloatOptions;
use clc_builtins::profile::DeviceProfile;
use clc_ir::{Function, Linkage, Module, Reached};

use crate::diagnostics::E0700;
use crate::reflection::Regions;

/// The environment that consumes the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Environment {
    /// `clCreateProgramWithIL` of an OpenCL platform of this version.
    OpenCl {
        /// The version is `major.minor`.
        major: u8,
        /// See `major`.
        minor: u8,
    },
    /// `vkCreateShaderModule` of a Vulkan implementation of this version.
    Vulkan {
        /// The version is `major.minor`.
        major: u8,
        /// See `major`.
        minor: u8,
    },
}

const fn opencl(major: u8, minor: u8) -> Environment {
    Environment::OpenCl { major, minor }
}

const fn vulkan(major: u8, minor: u8) -> Environment {
    Environment::Vulkan { major, minor }
}

/// Every environment that has a name, and the newest SPIR-V that every implementation of it takes.
/// OpenCL 3.0 leaves the version to the device; 1.0 to 1.2 are what devices with intermediate language
/// support have in common.
const ENVIRONMENTS: [(Environment, (u8, u8)); 10] = [
    (opencl(1, 2), (1, 0)),
    (opencl(2, 0), (1, 0)),
    (opencl(2, 1), (1, 1)),
    (opencl(2, 2), (1, 2)),
    (opencl(3, 0), (1, 2)),
    (opencl(3, 1), (1, 2)),
    (vulkan(1, 1), (1, 3)),
    (vulkan(1, 2), (1, 5)),
    (vulkan(1, 3), (1, 6)),
    (vulkan(1, 4), (1, 6)),
];

impl Environment {
    /// Every environment that has a name.
    pub fn all() -> impl Iterator<Item = Environment> {
        ENVIRONMENTS.into_iter().map(|(environment, _)| environment)
    }

    /// Reads `opencl3.0`, `vulkan1.3` and the like.
    pub fn from_name(name: &str) -> Option<Environment> {
        Environment::all().find(|environment| environment.to_string() == name)
    }

    /// The newest SPIR-V that every implementation of the environment takes.
    pub fn default_spirv_version(self) -> (u8, u8) {
        let mut known = ENVIRONMENTS.into_iter();
        known.find(|&(environment, _)| environment == self).map_or((1, 0), |(_, version)| version)
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

/// The extensions of SPIR-V that modules may use.
///
/// Without a word about an extension it is used where a builtin of the program needs it. One that
/// is asked for by name is also used where that merely says more: with SPV_KHR_float_controls,
/// `-cl-denorms-are-zero` becomes an execution mode. Without, it stays the hint that the
/// specification lets everybody ignore; few drivers take the mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpirvExtensions {
    all_forbidden: bool,
    /// The last word about a name counts.
    named: Vec<(String, bool)>,
}

impl SpirvExtensions {
    /// Every extension that is ever used.
    pub const KNOWN: [&'static str; 17] = [
        "SPV_EXT_shader_atomic_float16_add",
        "SPV_EXT_shader_atomic_float_add",
        "SPV_EXT_shader_atomic_float_min_max",
        "SPV_INTEL_bfloat16_conversion",
        "SPV_INTEL_split_barrier",
        "SPV_INTEL_subgroups",
        "SPV_KHR_8bit_storage",
        "SPV_KHR_bit_instructions",
        "SPV_KHR_cooperative_matrix",
        "SPV_KHR_float_controls",
        "SPV_KHR_integer_dot_product",
        "SPV_KHR_non_semantic_info",
        "SPV_KHR_physical_storage_buffer",
        "SPV_KHR_shader_clock",
        "SPV_KHR_subgroup_rotate",
        "SPV_KHR_uniform_group_instructions",
        "SPV_KHR_vulkan_memory_model",
    ];

    /// Takes a list like `-all,+SPV_KHR_bit_instructions`; a name without a sign is allowed. Of
    /// what is no such list, the part that is wrong.
    pub fn add<'a>(&mut self, list: &'a str) -> Result<(), &'a str> {
        for item in list.split(',').filter(|item| !item.is_empty()) {
            let (allowed, name) = match item.strip_prefix('-') {
                Some(name) => (false, name),
                None => (true, item.strip_prefix('+').unwrap_or(item)),
            };
            if name == "all" {
                self.all_forbidden = !allowed;
                self.named.clear();
            } else if name.starts_with("SPV_") {
                self.named.push((name.to_owned(), allowed));
            } else {
                return Err(item);
            }
        }
        Ok(())
    }

    fn word_on(&self, name: &str) -> Option<bool> {
        self.named.iter().rev().find(|(known, _)| known == name).map(|&(_, allowed)| allowed)
    }

    /// Whether the extension may be used where it is needed.
    pub fn allows(&self, name: &str) -> bool {
        self.word_on(name).unwrap_or(!self.all_forbidden)
    }

    /// Whether it is to be used where it says more than is needed.
    pub fn asks_for(&self, name: &str) -> bool {
        self.word_on(name) == Some(true)
    }
}

/// What a Vulkan device has not, of what most have: `--limit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Images and samplers.
    pub images: bool,
    /// Integers of 8 bits in registers (`shaderInt8`).
    pub int8: bool,
    /// Numbers of 8 bits in buffers (`storageBuffer8BitAccess`).
    pub storage8: bool,
    /// Numbers of 16 bits in buffers (`storageBuffer16BitAccess`).
    pub storage16: bool,
}

/// How a Vulkan host passes to kernels what they need: `--reflection-set`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// This compiler's own, which [`Reflection`](crate::Reflection) describes.
    #[default]
    Own,
    /// That of clspv, which instructions of the set NonSemantic.ClspvReflection in the module
    /// describe: for clvk and other hosts of clspv's modules.
    Clspv(ClspvHost),
}

/// What a host of clspv's convention says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClspvHost {
    /// Bytes of the buffer for `printf`, with the count that it begins with.
    pub printf_buffer_size: u32,
    /// The largest uniform buffer, in bytes: arguments that are not pushed are in one.
    pub max_uniform_size: u32,
}

impl Default for ClspvHost {
    /// What clspv assumes, and the least that Vulkan has (`maxUniformBufferRange`).
    fn default() -> ClspvHost {
        ClspvHost { printf_buffer_size: 1 << 20, max_uniform_size: 1 << 14 }
    }
}

/// What a module says of its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DebugLevel {
    /// Nothing.
    #[default]
    None,
    /// The names of files, and the line of each instruction.
    Lines,
    /// The text of files, functions, scopes, and variables with their types and values: by
    /// NonSemantic.Shader.DebugInfo.100 for Vulkan, by OpenCL.DebugInfo.100 elsewhere.
    Full,
}

/// What the consumer of a module takes, and how the module is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetOptions {
    /// What consumes the module.
    pub environment: Environment,
    /// 1.0 to 1.6
    pub spirv_version: (u8, u8),
    /// Whether an instruction that `spirv_version` lacks may raise the version to 1.3, which is
    /// where the instructions of most extensions of OpenCL are: a device that offers these takes
    /// it.
    pub may_raise_version: bool,
    /// `-g`: what the module says of the source.
    pub debug: DebugLevel,
    /// `-cl-kernel-arg-info`: the types and qualifiers of kernel arguments in the source's words.
    pub kernel_arg_info: bool,
    /// Names of functions, arguments, variables and struct members.
    pub names: bool,
    /// `--spirv-ext`: which extensions of SPIR-V may be used.
    pub extensions: SpirvExtensions,
    /// `-cl-uniform-work-group-size`: every work-group has the size that was asked for.
    pub uniform_work_groups: bool,
    /// `-fwrapv`: indices of 32 bits may wrap from one work-item to the next.
    pub indices_wrap: bool,
    /// For Vulkan, `--reflection-set`: how the host passes what kernels need.
    pub convention: Convention,
    /// For Vulkan in the compiler's own convention, `--work-group-regions`: a host may cut a launch into
    /// regions, each a dispatch with work-groups of one size. In the convention of clspv it always may.
    pub work_group_regions: bool,
    /// For Vulkan, `--max-push-constant-size`: bytes, at least 8; arguments that take more are in a
    /// buffer.
    pub max_push_constant_size: u32,
    /// For Vulkan, `--limit shared=BYTES`: the `local` memory that a kernel may use
    /// (`maxComputeSharedMemorySize`), if that is to be checked.
    pub max_shared_memory: Option<u32>,
    /// For Vulkan, `--limit images=0` and the like: what the device has not.
    pub missing: Missing,
    /// For Vulkan, `--device-profile`, `--fused-fma`: what instructions of the device give beyond what Vulkan
    /// promises.
    pub profile: DeviceProfile,
    /// `--sub-group-arithmetic`: the device's sub-groups have votes, ballots and arithmetic in all types
    /// that kernels use them for, which no version of Vulkan promises.
    pub sub_group_arithmetic: bool,
}

/// The push constants that every Vulkan implementation has (`maxPushConstantsSize`), in bytes.
pub const MIN_MAX_PUSH_CONSTANT_SIZE: u32 = 128;

impl TargetOptions {
    /// What is usual for an environment: its SPIR-V version, names, no lines.
    pub fn new(environment: Environment) -> TargetOptions {
        TargetOptions {
            environment,
            spirv_version: environment.default_spirv_version(),
            may_raise_version: false,
            debug: DebugLevel::None,
            kernel_arg_info: false,
            names: true,
            extensions: SpirvExtensions::default(),
            uniform_work_groups: false,
            indices_wrap: false,
            convention: Convention::Own,
            work_group_regions: false,
            max_push_constant_size: MIN_MAX_PUSH_CONSTANT_SIZE,
            max_shared_memory: None,
            missing: Missing::default(),
            profile: DeviceProfile::default(),
            sub_group_arithmetic: false,
        }
    }

    /// How a host may cut a launch into regions; `None` if it may not.
    pub(crate) fn regions(&self) -> Option<Regions> {
        let may_be_cut = match self.convention {
            Convention::Own => self.work_group_regions,
            Convention::Clspv(_) => true,
        };
        let kind = if self.uniform_work_groups { Regions::OneSize } else { Regions::AnySize };
        may_be_cut.then_some(kind)
    }

    /// What of a module is written: what its kernels reach and, where modules can be linked, what is
    /// exported.
    pub(crate) fn written<'m>(&self, module: &'m Module) -> Reached<'m> {
        let with_exports = matches!(self.environment, Environment::OpenCl { .. });
        let is_root = |function: &Function| {
            let is_exported = with_exports && function.linkage == Linkage::Export;
            !function.is_declaration() && (function.entry_point.is_some() || is_exported)
        };
        Reached::new(module, is_root, with_exports)
    }

    /// Reports a SPIR-V version that the environment cannot have.
    pub(crate) fn check_version(&self) -> Result<(), Vec<Diagnostic>> {
        let least = match self.environment {
            Environment::OpenCl { .. } => 0,
            // Vulkan 1.1 takes SPIR-V 1.3, and no driver offers the memory model with less.
            Environment::Vulkan { .. } => 3,
        };
        let (major, minor) = self.spirv_version;
        if major == 1 && (least..=6).contains(&minor) {
            return Ok(());
        }
        let message = format!(
            "there is no support for SPIR-V {major}.{minor} in the environment {}",
            self.environment
        );
        Err(vec![
            Diagnostic::without_place(&E0700, message)
                .help(format!("choose a version from 1.{least} to 1.6")),
        ])
    }

    /// Whether Vulkan devices are asked to keep numbers below the normal ones. Not every device can,
    /// so this is only done where the extension was asked for.
    pub fn keeps_denormals(&self, float: &FloatOptions) -> bool {
        self.extensions.asks_for("SPV_KHR_float_controls") && !float.denorms_are_zero
    }
}

/// The environment's own options, with the SPIR-V version left to the program.
impl From<Environment> for TargetOptions {
    fn from(environment: Environment) -> TargetOptions {
        TargetOptions { may_raise_version: true, ..TargetOptions::new(environment) }
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
    fn the_last_word_about_an_extension_counts() {
        let read = |lists: &[&str]| {
            let mut extensions = SpirvExtensions::default();
            lists.iter().for_each(|list| extensions.add(list).unwrap());
            extensions
        };
        let name = "SPV_KHR_bit_instructions";
        let cases: [(&[&str], bool, bool); 7] = [
            (&[], true, false),
            (&["-SPV_KHR_bit_instructions"], false, false),
            (&["-all"], false, false),
            (&["-all,+SPV_KHR_bit_instructions"], true, true),
            (&["-all", "SPV_KHR_bit_instructions"], true, true),
            (&["+SPV_KHR_bit_instructions,-all"], false, false),
            (&["-SPV_KHR_bit_instructions", "+all"], true, false),
        ];
        for (lists, allows, asks_for) in cases {
            let extensions = read(lists);
            assert_eq!(extensions.allows(name), allows, "{lists:?}");
            assert_eq!(extensions.asks_for(name), asks_for, "{lists:?}");
        }
        assert_eq!(SpirvExtensions::default().add("+SPV_A,-cl_khr_fp16"), Err("-cl_khr_fp16"));
    }

    #[test]
    fn names_read_back() {
        for environment in Environment::all() {
            assert_eq!(Environment::from_name(&environment.to_string()), Some(environment));
        }
        assert_eq!(Environment::from_name("opencl9.9"), None);
    }
}
