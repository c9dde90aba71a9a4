//! What editors ask about OpenCL C programs.
//!
//! An [`Analysis`] is what the front end knows of one source: its tree, its types, what every name
//! means and which macros it uses. The queries over it are methods that take a byte offset into the
//! source and return data; nothing here knows a protocol, a file system or a screen. They answer for
//! programs with errors too, since a program that is being typed has some most of the time.
//!
//! * [`target`](Analysis::target): what is at an offset; [`hover`](Analysis::hover),
//!   [`definition`](Analysis::definition), [`references`](Analysis::references) and
//!   [`rename`](Analysis::rename) begin there;
//! * [`completions`](Analysis::completions) and [`signature`](Analysis::signature) look at the text
//!   before the cursor ([`scan`]), because what stands there often does not parse yet;
//! * [`symbols`](Analysis::symbols), [`tokens`](Analysis::tokens), [`hints`](Analysis::hints) and
//!   [`folds`](Analysis::folds) describe the whole file.

#![warn(missing_docs)]

mod analysis;
mod availability;
mod completion;
mod folding;
mod hints;
mod hover;
mod names;
mod references;
pub mod scan;
mod scopes;
mod signature;
mod symbols;
mod target;
mod tokens;
mod typing;

pub use analysis::{Analysis, Place};
pub use completion::{Completion, CompletionKind};
pub use folding::{Fold, FoldKind};
pub use hints::Hint;
pub use hover::Hover;
pub use references::RenameError;
pub use signature::{Signature, SignatureHelp};
pub use symbols::{DocumentSymbol, SymbolKind};
pub use target::{Target, TargetKind};
pub use tokens::{SemanticToken, TokenClass, TokenModifiers};

#[cfg(test)]
mod tests;
