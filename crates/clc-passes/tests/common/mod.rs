//! What the tests of the passes share.

pub mod generator;
pub mod interpreter;
