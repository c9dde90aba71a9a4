//! What every stage of the compiler shares and what depends on nothing else.
//!
//! * [`Span`] and [`SourceMap`]: positions in one global space that covers files and macro
//!   expansions alike;
//! * [`Diagnostic`]: errors and warnings as data, never as text on a terminal;
//! * [`Symbol`] and [`Interner`]: names as 32-bit ids;
//! * [`Arena`] and [`define_id!`]: typed indices instead of pointers;
//! * [`dominators`]: the graph algorithm that analyses of the source and of the IR share;
//! * [`memory_model`]: what atomics, fences and barriers do;
//! * [`lang`]: language versions, address spaces and the options that change meaning.

#![warn(missing_docs)]

pub mod arena;
pub mod diagnostic;
pub mod dominators;
pub mod interner;
pub mod lang;
pub mod memory_model;
pub mod source_map;
pub mod span;

pub use arena::{Arena, Id};
pub use diagnostic::{Code, Diagnostic, Fix, Label, Level, Severity};
pub use interner::{Interner, Symbol};
pub use lang::{AddressSpace, Version};
pub use source_map::{FileId, SourceMap};
pub use span::Span;
