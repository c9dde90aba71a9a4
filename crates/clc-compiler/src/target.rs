//! Where the module is to run.

use std::fmt;

/// `--target-env`: the API whose drivers must accept the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetEnv {
    OpenCl1_2,
    OpenCl2_0,
    OpenCl2_1,
    OpenCl2_2,
    OpenCl3_0,
    Vulkan1_0,
    Vulkan1_1,
    Vulkan1_2,
    Vulkan1_3,
    Vulkan1_4,
}

impl TargetEnv {
    pub const ALL: [TargetEnv; 10] = [
        TargetEnv::OpenCl1_2,
        TargetEnv::OpenCl2_0,
        TargetEnv::OpenCl2_1,
        TargetEnv::OpenCl2_2,
        TargetEnv::OpenCl3_0,
        TargetEnv::Vulkan1_0,
        TargetEnv::Vulkan1_1,
        TargetEnv::Vulkan1_2,
        TargetEnv::Vulkan1_3,
        TargetEnv::Vulkan1_4,
    ];

    /// As `--target-env` takes it.
    pub fn name(self) -> &'static str {
        match self {
            TargetEnv::OpenCl1_2 => "opencl1.2",
            TargetEnv::OpenCl2_0 => "opencl2.0",
            TargetEnv::OpenCl2_1 => "opencl2.1",
            TargetEnv::OpenCl2_2 => "opencl2.2",
            TargetEnv::OpenCl3_0 => "opencl3.0",
            TargetEnv::Vulkan1_0 => "vulkan1.0",
            TargetEnv::Vulkan1_1 => "vulkan1.1",
            TargetEnv::Vulkan1_2 => "vulkan1.2",
            TargetEnv::Vulkan1_3 => "vulkan1.3",
            TargetEnv::Vulkan1_4 => "vulkan1.4",
        }
    }

    pub fn from_name(name: &str) -> Option<TargetEnv> {
        TargetEnv::ALL.into_iter().find(|target| target.name() == name)
    }

    pub fn is_vulkan(self) -> bool {
        self >= TargetEnv::Vulkan1_0
    }
}

impl fmt::Display for TargetEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
