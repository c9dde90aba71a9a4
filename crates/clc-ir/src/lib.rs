//! The intermediate representation: typed SSA with block parameters and storage classes.
//!
//! A [`Module`] owns interned [types](types::TypePool), interned [constants](constants::ConstPool),
//! globals and functions. A [`Function`] owns its blocks, instructions and values; every entity
//! is a `u32` id whose `Display` is the text format.
//!
//! A [`Value`] is either local to a function (an instruction's result or a block parameter) or a
//! constant of the module, so that operands need no distinction and constants no instructions.

#![warn(missing_docs)]

pub mod builder;
pub mod cfg;
pub mod constants;
pub mod debug;
pub mod dominators;
pub mod function;
pub mod import;
pub mod inst;
pub mod link;
pub mod module;
mod names;
mod operands;
pub mod parse;
pub mod print;
mod reached;
pub mod rewrite;
mod settle;
pub mod structured;
pub mod types;
pub mod verify;

pub use builder::Builder;
pub use cfg::{Cfg, reverse_post_order, turns_back};
pub use constants::{Const, ConstId, ConstPool, FULL_ARRAY, STRUCT_MEMBERS};
pub use dominators::{Dominators, PostDominators};
pub use function::{
    Block, BlockData, Function, Inst, InstData, Value, ValueData, ValueDef, ValueList,
};
pub use import::import;
pub use inst::{
    Align, BinaryOp, BlockCall, CompareOp, ConvertOp, InstKind, LoopControl, LoopHint, MathFlags,
    MemFlags, MemoryAccess, Merge, SwitchCase, Terminator, UnaryOp,
};
pub use module::{
    EntryPoint, FuncId, Global, GlobalId, KernelArgument, Linkage, Module, ParamAttributes,
};
pub use reached::Reached;
pub use settle::tracked;
pub use types::{
    ImageType, MatrixType, StorageClass, StructData, StructId, Type, TypeKind, TypePool,
};
