//! Which accesses of memory may touch the same bytes.
//!
//! The one place for that knowledge. [`Aliases`] is computed once for a function and tells for each
//! address what object it is in and how far it is from others; [`Recent`] answers for an access and all
//! that happened since, in constant time. What the answer is for two accesses stands in the tests
//! (`compare`), which hold both against each other.
//!
//! What tells accesses apart, in this order:
//!
//! | knowledge | from |
//! |---|---|
//! | distances from one address | `PtrAdd` and `Access` with constants, or with one index that both have |
//! | storage classes | the address spaces of OpenCL C 6.7, which are disjoint but for Generic |
//! | objects | variables, and parameters declared `restrict` (C99 6.7.3.1), whose address goes nowhere |
//! | effective types | [`typed`](clc_ir::MemFlags::typed) accesses (C99 6.5p7, OpenCL C 6.3.8) |
//!
//! Types never tell accesses apart that start from the same address: programs that look at one buffer as
//! two types mean what they say, and the address shows it.

mod addresses;
mod events;
#[cfg(test)]
mod tests;

pub use addresses::{ATOMIC, Access, Aliases};
pub use events::{Recent, Written, written};
