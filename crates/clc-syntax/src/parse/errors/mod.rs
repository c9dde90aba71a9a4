//! What happens after a production failed: what is said, and where the parse goes on.
//!
//! `failure` keeps the furthest failure and `diagnose` puts it into words; `mistakes` and `unknown`
//! know mistakes that have better words, and `report` says which failures follow from others. `recovery` moves behind what did not parse, `salvage` keeps
//! what was read of it, and `state` is what they remember. The grammar asks for them where it may
//! fail; a program without errors pays nothing for them.

pub(super) mod brackets;
mod diagnose;
pub(super) mod failure;
pub(super) mod mistakes;
pub(super) mod recovery;
mod report;
pub(super) mod salvage;
mod similar_types;
pub(super) mod state;
pub(super) mod unknown;

pub use similar_types::similar_type;
