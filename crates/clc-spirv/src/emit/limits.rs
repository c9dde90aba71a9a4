//! What every consumer of SPIR-V takes (SPIR-V 2.17, universal limits). More is an error here, with
//! a place, before it is one in a driver.

pub(super) const STRUCT_MEMBERS: usize = 16_383;
pub(super) const STRUCT_DEPTH: usize = 255;
pub(super) const FUNCTION_PARAMETERS: usize = 255;
pub(super) const ACCESS_CHAIN_INDEXES: usize = 255;
pub(super) const GLOBAL_VARIABLES: usize = 65_535;
