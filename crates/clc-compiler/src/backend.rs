//! The seam to the back end.

/// Whether a back end is connected.
pub const AVAILABLE: bool = false;
