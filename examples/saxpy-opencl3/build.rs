use clc_build::{Builder, Launch};

fn main() {
    // Writes kernels.rs, with the module and a launch for each kernel.
    Builder::new().launch(Launch::Opencl3).generate(["kernels/saxpy.cl"]);
}
