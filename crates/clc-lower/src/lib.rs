//! Lowering from typed OpenCL C to the clc intermediate representation
