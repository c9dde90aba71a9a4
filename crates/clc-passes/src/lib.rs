//! The optimisation passes of the clc OpenCL C compiler
