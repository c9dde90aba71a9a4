use clc_build::{Builder, Launch, TargetEnv};

fn main() {
    // Writes kernels.rs, with the module and a launch for each kernel.
    Builder::new()
        .target(TargetEnv::Vulkan { major: 1, minor: 3 })
        .launch(Launch::Ash)
        .generate(["kernels/kernels.cl"]);
}
