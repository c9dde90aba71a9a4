use clc_build::{Builder, TargetEnv};

fn main() {
    // Writes kernels.spv, and kernels.json with what the host must know.
    Builder::new().target(TargetEnv::Vulkan { major: 1, minor: 3 }).compile("kernels/kernels.cl");
}
