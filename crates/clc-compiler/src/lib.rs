//! An OpenCL C to SPIR-V compiler without LLVM: library and the clc command
