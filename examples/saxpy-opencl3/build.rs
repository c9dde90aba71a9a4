fn main() {
    clc_build::compile("kernels/saxpy.cl");
}
