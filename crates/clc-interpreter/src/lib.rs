//! Runs kernels of the intermediate representation over an ND-range: the second opinion of tests, and the
//! judge that names the pass which changes what a launch gives.
//!
//! It shares no code with constant folding. Work-items are states of a machine ([`machine`]), so that those of a
//! group take turns between barriers without threads or recursion. Work-groups run one after the other.
//!
//! What it gives is right or is not given: an operation that it does not know ends the launch with
//! [`Stop::NotInterpreted`], one without meaning with [`Stop::Fault`]. Bits without a defined value are known
//! as such ([`value`]), in results too, so that a pass may make anything of them.
//!
//! | file | what it knows |
//! |---|---|
//! | `value`, `floats`, `arithmetic` | numbers, and the operators on them |
//! | `functions` | functions of the library that go by component, as tables |
//! | `memory` | objects, bounds, lifetimes, data races |
//! | `dispatch` | from a launch to work-items |
//! | `interface` | what hosts know of kernels for Vulkan |
//! | `block` | what entries of shaders are given in place of arguments |
//! | `machine` | instructions in a row, calls, and values of operands |
//! | `instructions`, `constants` | what instructions do, and what constants are |
//! | `access` | loads and stores of values of all types, and the functions that do such |
//! | `images` | texels, coordinates and samplers |
//! | `work_items` | ids and sizes |
//! | `groups` | barriers and functions of work-groups and sub-groups |
//! | `printing` | `printf` |

#![warn(missing_docs)]

mod access;
mod arithmetic;
mod block;
mod constants;
mod dispatch;
mod floats;
mod functions;
mod groups;
mod images;
mod instructions;
mod interface;
mod launch;
mod machine;
mod memory;
mod printing;
mod stop;
mod value;
mod work_items;

pub use interface::{Binding, ImageNumber, Interface, Place, ProgramData, Regions, Told, Variable};
pub use launch::{Argument, Channel, Image, Launch, Outcome};
pub use machine::run;
pub use memory::Bytes;
pub use stop::Stop;
pub use value::{Datum, Scalar};
