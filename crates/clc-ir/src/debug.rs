//! What debuggers are told of the source: types, scopes and variables as tables of the module, and
//! beside each function which variable is where.
//!
//! Nothing of it is an instruction or an operand, so no pass sees it: code is the same with and
//! without. An instruction says by its [`Location`] which scope it belongs to, and passes copy that
//! with the position. What variables hold is said by [`FunctionDebug`], between instructions; where
//! a pass has moved or removed what an entry refers to, [`tracked`](crate::tracked) moves it along or
//! says that the variable is not known from there on.

use clc_base::{Arena, Span, define_id};

use rustc_hash::FxHashMap;

use crate::{Block, Cfg, Dominators, Inst, PostDominators, StorageClass, Value};

define_id!(
    /// A type of the source.
    DebugType,
    "t"
);
define_id!(
    /// A function or a block of the source.
    Scope,
    "s"
);
define_id!(
    /// A variable of the source.
    DebugVariable,
    "d"
);

/// Where in scopes an instruction is: a number of [`DebugInfo::places`], or nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place(u32);

impl Place {
    /// No scope is known.
    pub const NONE: Place = Place(0);

    /// Whether no scope is known.
    pub fn is_none(self) -> bool {
        self == Place::NONE
    }

    /// Index in [`DebugInfo::places`].
    pub fn index(self) -> Option<usize> {
        self.0.checked_sub(1).map(|index| index as usize)
    }

    /// The place at an index of [`DebugInfo::places`].
    pub fn from_index(index: usize) -> Place {
        Place(index as u32 + 1)
    }
}

/// Where an instruction comes from: its text, and the scope with the calls that it was inlined at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The text.
    pub span: Span,
    /// Unknown where no debug information was asked for.
    pub place: Place,
}

impl Location {
    /// Of what no source text wrote.
    pub const NONE: Location = Location { span: Span::NONE, place: Place::NONE };
}

impl Default for Location {
    fn default() -> Self {
        Location::NONE
    }
}

impl From<Span> for Location {
    fn from(span: Span) -> Location {
        Location { span, place: Place::NONE }
    }
}

/// How the bits of a basic type are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Nothing is known of them.
    Unspecified,
    /// Zero or one.
    Boolean,
    /// IEEE 754.
    Float,
    /// Two's complement.
    Signed,
    /// `char`
    SignedChar,
    /// A number.
    Unsigned,
    /// `uchar`
    UnsignedChar,
}

/// A qualifier of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`, as `atomic_int` has it.
    Atomic,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty for anonymous members.
    pub name: String,
    /// Its type.
    pub ty: DebugType,
    /// In bytes from the start of the object.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
    /// Of its declarator.
    pub span: Span,
}

/// A type of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeInfo {
    /// A scalar, or what only the driver knows the parts of (images, samplers, events).
    Basic {
        /// As the source spells it.
        name: String,
        /// In bytes; 0 for `void`.
        size: u64,
        /// How its bits are read.
        encoding: Encoding,
    },
    /// A pointer.
    Pointer {
        /// The type of what it points to.
        pointee: DebugType,
        /// The memory that it points to.
        class: StorageClass,
    },
    /// A type with a qualifier.
    Qualified {
        /// Without the qualifier.
        ty: DebugType,
        /// The qualifier.
        qualifier: Qualifier,
    },
    /// A vector, with 3 components as the source has them.
    Vector {
        /// A basic type.
        element: DebugType,
        /// 2, 3, 4, 8 or 16.
        count: u32,
    },
    /// An array.
    Array {
        /// The type of an element.
        element: DebugType,
        /// 0 if the length is not known.
        len: u64,
    },
    /// A struct or union.
    Record {
        /// The tag, or the typedef of a record without one, or empty.
        name: String,
        /// Members share their memory.
        is_union: bool,
        /// In bytes.
        size: u64,
        /// In the order of the source.
        members: Vec<Member>,
        /// Of its tag.
        span: Span,
    },
    /// An enumeration.
    Enum {
        /// The tag or empty.
        name: String,
        /// The integer type that it is compatible with.
        underlying: DebugType,
        /// Names and values in the order of the source.
        values: Vec<(String, i64)>,
        /// Of its tag.
        span: Span,
    },
}

/// A function of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeFunction {
    /// As the source has it.
    pub name: String,
    /// As the module has it.
    pub linkage_name: String,
    /// `None` for `void`.
    pub result: Option<DebugType>,
    /// The types of its parameters.
    pub params: Vec<DebugType>,
    /// Of its body.
    pub body: Span,
    /// Other modules see it.
    pub is_external: bool,
}

/// A function or a block of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeInfo {
    /// `None` for functions.
    pub parent: Option<Scope>,
    /// The function's name, or the block's text.
    pub span: Span,
    /// Present for functions.
    pub function: Option<Box<ScopeFunction>>,
}

/// A variable of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// As the source has it.
    pub name: String,
    /// Its type.
    pub ty: DebugType,
    /// Where it is declared; `None` for variables at program scope.
    pub scope: Option<Scope>,
    /// Of its name.
    pub span: Span,
    /// The number among the parameters, from 1; 0 for other variables.
    pub argument: u32,
    /// The name of the variable of the module, for those with static storage.
    pub global: Option<String>,
}

/// A scope as instructions are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceInfo {
    /// The innermost scope.
    pub scope: Scope,
    /// The call that the scope's function was inlined at.
    pub inlined_at: Option<Location>,
}

/// The tables of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugInfo {
    /// The types of variables.
    pub types: Arena<DebugType, TypeInfo>,
    /// Parents come before their children.
    pub scopes: Arena<Scope, ScopeInfo>,
    /// The variables.
    pub variables: Arena<DebugVariable, VariableInfo>,
    /// By place.
    pub places: Vec<PlaceInfo>,
    /// In bytes.
    pub pointer_size: u64,
}

impl DebugInfo {
    /// A scope that is not inlined, or is at `inlined_at`.
    pub fn add_place(&mut self, scope: Scope, inlined_at: Option<Location>) -> Place {
        self.places.push(PlaceInfo { scope, inlined_at });
        Place::from_index(self.places.len() - 1)
    }

    /// The size of a type in bytes.
    pub fn size(&self, ty: DebugType) -> Option<u64> {
        // Types nest as deep as the source writes them.
        let (mut ty, mut count) = (ty, 1u64);
        let size = loop {
            match &self.types[ty] {
                TypeInfo::Basic { size, .. } | TypeInfo::Record { size, .. } => break *size,
                TypeInfo::Pointer { .. } => break self.pointer_size,
                TypeInfo::Qualified { ty: inner, .. }
                | TypeInfo::Enum { underlying: inner, .. } => {
                    ty = *inner;
                }
                TypeInfo::Vector { element, count: lanes } => {
                    count = count.checked_mul(u64::from(lanes.next_power_of_two()))?;
                    ty = *element;
                }
                TypeInfo::Array { element, len } => {
                    count = count.checked_mul(*len)?;
                    ty = *element;
                }
            }
        };
        size.checked_mul(count)
    }

    /// What is known of a place.
    pub fn place(&self, place: Place) -> Option<&PlaceInfo> {
        self.places.get(place.index()?)
    }
}

/// Bytes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// From the variable's start.
    pub offset: u32,
    /// Number of bytes.
    pub size: u32,
}

/// A variable, or part of one, as one call of its function has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The variable.
    pub variable: DebugVariable,
    /// Where it is declared, with the calls that led there.
    pub place: Place,
    /// `None` for the whole variable.
    pub part: Option<Part>,
}

/// Between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The block.
    pub block: Block,
    /// What comes next; `None` at the block's end.
    pub before: Option<Inst>,
}

/// That memory holds a variable, in the whole function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InMemory {
    /// The variable.
    pub subject: Subject,
    /// An address in private memory.
    pub address: Value,
}

/// That a variable has a value from a position on, until another entry says something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holds {
    /// The variable.
    pub subject: Subject,
    /// `None` if it is not known any more.
    pub value: Option<Value>,
    /// Where control comes when it has the value.
    pub at: Position,
}

/// A function before a pass: the order of its instructions and its control flow.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    pub(crate) post_dominators: PostDominators,
    pub(crate) insts: FxHashMap<Block, Vec<Inst>>,
}

/// What is known of variables in a function.
#[derive(Debug, Default)]
pub struct FunctionDebug {
    /// The function in the source.
    pub place: Place,
    /// Variables in memory.
    pub memory: Vec<InMemory>,
    /// Variables in values; those at one position in the order in which they hold.
    pub values: Vec<Holds>,
    /// The function before the pass that runs.
    pub(crate) before: Option<Box<Snapshot>>,
    /// By instruction that the pass that runs has taken out: the first that does its work.
    pub(crate) replaced: FxHashMap<Inst, Inst>,
}

impl Clone for FunctionDebug {
    fn clone(&self) -> Self {
        let FunctionDebug { place, memory, values, before: _, replaced: _ } = self;
        let (memory, values) = (memory.clone(), values.clone());
        FunctionDebug { place: *place, memory, values, ..FunctionDebug::default() }
    }
}

impl FunctionDebug {
    /// Nothing is known yet of the variables of the function at a place.
    pub fn new(place: Place) -> FunctionDebug {
        FunctionDebug { place, ..FunctionDebug::default() }
    }

    /// The subjects whose memory is at an address.
    pub fn in_memory_at(&self, address: Value) -> Vec<Subject> {
        let found = self.memory.iter().filter(|entry| entry.address == address);
        found.map(|entry| entry.subject).collect()
    }

    /// What stands before `old`, which a pass takes out, is to stand before `new`.
    pub fn replace(&mut self, old: Inst, new: Inst) {
        self.replaced.insert(old, new);
    }

    /// What stood at the end of `block` stands at the end of `end`.
    pub fn move_end(&mut self, block: Block, end: Block) {
        for entry in &mut self.values {
            if entry.at == (Position { block, before: None }) {
                entry.at.block = end;
            }
        }
    }

    /// Replaces the values that variables hold.
    pub fn map_values(&mut self, mut map: impl FnMut(Value) -> Value) {
        for entry in &mut self.values {
            entry.value = entry.value.map(&mut map);
        }
        for entry in &mut self.memory {
            entry.address = map(entry.address);
        }
    }
}
