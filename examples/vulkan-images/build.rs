use clc_build::{Builder, TargetEnv};

fn main() {
    // Writes scene.spv, and scene.json with what the host must know.
    Builder::new().target(TargetEnv::Vulkan { major: 1, minor: 3 }).compile("kernels/scene.cl");
}
