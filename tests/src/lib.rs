//! The test suite of the clc compiler.
