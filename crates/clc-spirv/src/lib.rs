//! Legalisation, SPIR-V emission and validation for the clc OpenCL C compiler
