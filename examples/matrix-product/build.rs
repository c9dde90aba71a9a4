use clc_build::{Builder, Launch, TargetEnv, Version};

fn main() {
    // Writes kernels.rs, with the module and a launch for each kernel.
    let mut builder = Builder::new()
        .version(Version::V3_0)
        .target(TargetEnv::Vulkan { major: 1, minor: 3 })
        .launch(Launch::Ash);
    builder.options.extensions.push("+cl_khr_cooperative_matrix".to_owned());
    builder.generate(["kernels/matmul.cl"]);
}
