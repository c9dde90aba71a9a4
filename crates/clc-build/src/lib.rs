//! Compile OpenCL C kernels to SPIR-V from build scripts
