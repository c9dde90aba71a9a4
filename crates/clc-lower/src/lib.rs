//! From the typed tree to the intermediate representation.
//!
//! The lowering is direct: every local becomes a variable in Function storage (the middle end makes
//! values of them), every expression the instructions that C's abstract machine asks for. Only
//! functions that a kernel reaches are lowered (or, in a module without kernels, those that
//! external functions reach).
//!
//! | file | what it lowers |
//! |---|---|
//! | `types` | types; the layout of records becomes explicit padding |
//! | `constants` | constant initialisers |
//! | `mangle` | names of overloaded functions that other modules see |
//! | `module` | globals, signatures, the order of functions |
//! | `statements` | control flow |
//! | `expressions` | values |
//! | `operators` | arithmetic, comparisons, pointer arithmetic |
//! | `conditions` | booleans and short-circuit evaluation |
//! | `places` | lvalues: addresses, swizzles, loads and stores |
//! | `aggregates` | initialisation of arrays, structs and unions |
//! | `debug` | what debuggers are told: types, scopes, variables |
//! | `conversions` | numeric conversions |
//! | `blocks` | blocks: their contexts, calls and enqueuing |
//! | `async_copies`, `media` | built-in functions that no target has instructions for |

#![warn(missing_docs)]

mod aggregates;
mod async_copies;
mod blocks;
mod conditions;
mod constants;
mod conversions;
mod debug;
mod debug_tables;
pub mod diagnostics;
mod expressions;
mod mangle;
mod matrices;
mod media;
mod module;
mod operators;
mod places;
mod statements;
mod synchronisation;
mod types;

pub use diagnostics::CODES;
pub use module::{Unit, lower};
