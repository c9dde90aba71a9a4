//! Functions: blocks, instructions and values.

use std::fmt;
use std::num::NonZeroU32;

use clc_base::{Arena, Span, define_id};
use rustc_hash::FxHashMap;

use crate::debug::{FunctionDebug, Location};
use crate::inst::{InstKind, LoopHint, MathFlags, Merge, Terminator};
use crate::module::{Linkage, ParamAttributes};
use crate::{ConstId, EntryPoint, Type};

define_id!(
    /// A basic block.
    Block,
    "b"
);
define_id!(
    /// An instruction.
    Inst,
    "i"
);

/// An operand: a value of the function, or a constant of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(NonZeroU32);

const CONST_BIT: u32 = 1 << 31;

impl Value {
    /// The constant as an operand.
    pub fn from_const(id: ConstId) -> Value {
        debug_assert!(id.0 < CONST_BIT);
        Value::from_raw(id.0 | CONST_BIT)
    }

    /// The `index`-th value of a function.
    pub fn from_local(index: usize) -> Value {
        debug_assert!(index < CONST_BIT as usize);
        Value::from_raw(index as u32 + 1)
    }

    /// The constant, if the value is one.
    pub fn as_const(self) -> Option<ConstId> {
        let raw = self.raw();
        (raw & CONST_BIT != 0).then_some(ConstId(raw & !CONST_BIT))
    }

    /// Index among the function's values.
    pub fn as_local(self) -> Option<usize> {
        let raw = self.raw();
        (raw & CONST_BIT == 0).then_some(raw as usize - 1)
    }

    /// Whether the value is a constant.
    pub fn is_const(self) -> bool {
        self.raw() & CONST_BIT != 0
    }

    /// Constants have the highest bit; other values are numbered from 1, so that an optional value
    /// takes no more memory than a value.
    fn raw(self) -> u32 {
        self.0.get()
    }

    fn from_raw(raw: u32) -> Value {
        Value(NonZeroU32::new(raw).expect("no value is zero"))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_const() {
            Some(id) => write!(f, "{id}"),
            None => write!(f, "v{}", self.raw() - 1),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A run of numbers in the function's list pool: values, or plain numbers where a field says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ValueList {
    start: u32,
    len: u32,
}

impl ValueList {
    /// No values.
    pub const EMPTY: ValueList = ValueList { start: 0, len: 0 };

    /// The number of values.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there are no values.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// The result of an instruction.
    Inst(Inst),
    /// Block and index among its parameters. Parameters of the entry block are the function's.
    Param(Block, u32),
}

/// A value of a function.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: Type,
    /// Where it comes from.
    pub def: ValueDef,
}

/// An instruction of a function.
#[derive(Clone, Copy, Debug)]
pub struct InstData {
    /// What it does, and its operands.
    pub kind: InstKind,
    /// `None` for stores and calls of void functions.
    pub result: Option<Value>,
    /// What may be taken for granted of it.
    pub math: MathFlags,
    /// Where in the source it comes from.
    pub location: Location,
}

/// A block of a function.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// Its parameters, which edges to it fill in.
    pub params: Vec<Value>,
    /// In the order of their execution.
    pub insts: Vec<Inst>,
    /// How control leaves it.
    pub terminator: Terminator,
    /// The structured construct that the block heads. A function where any block has one is
    /// structured as a whole, as the verifier says.
    pub merge: Option<Merge>,
    /// Where the terminator comes from.
    pub location: Location,
}

/// A function; a declaration has no blocks.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the source, or a made one; other modules link by it.
    pub name: String,
    /// The types of the parameters; the entry block has as many.
    pub params: Vec<Type>,
    /// By parameter; empty where it has none.
    pub param_names: Vec<String>,
    /// By parameter.
    pub param_attributes: Vec<ParamAttributes>,
    /// `Void` for none.
    pub result: Type,
    /// Who may call it.
    pub linkage: Linkage,
    /// Present for kernels.
    pub entry_point: Option<Box<EntryPoint>>,
    /// `__attribute__((always_inline))`
    pub always_inline: bool,
    /// `__attribute__((noinline))`
    pub no_inline: bool,
    /// `__attribute__((const))`: its result depends on its arguments alone.
    pub is_const: bool,
    /// `__attribute__((pure))`: its result depends on its arguments and memory alone.
    pub is_pure: bool,
    /// Of its name in the source.
    pub span: Span,
    /// The first block is the entry; its parameters are the function's. Blocks that `layout`
    /// does not list are dead.
    pub blocks: Arena<Block, BlockData>,
    /// Order of the live blocks; the entry comes first. Emission reorders as it needs.
    pub layout: Vec<Block>,
    /// All instructions, those in no block too.
    pub insts: Arena<Inst, InstData>,
    /// All values but constants, by number.
    pub values: Vec<ValueData>,
    /// By the header of the loop.
    pub loop_hints: FxHashMap<Block, LoopHint>,
    /// Names of values for debugging.
    pub value_names: FxHashMap<Value, String>,
    /// Which variables of the source its values and memory hold; present with debug information.
    pub debug: Option<Box<FunctionDebug>>,
    /// How many instructions there were when equal ones were last made one: if there are no more, none is new.
    pub compared: usize,
    lists: Vec<u32>,
}

impl Function {
    /// A function without parameters and blocks.
    pub fn new(name: impl Into<String>, result: Type) -> Function {
        Function {
            name: name.into(),
            params: Vec::new(),
            param_names: Vec::new(),
            param_attributes: Vec::new(),
            result,
            linkage: Linkage::Internal,
            entry_point: None,
            always_inline: false,
            no_inline: false,
            is_const: false,
            is_pure: false,
            span: Span::NONE,
            blocks: Arena::new(),
            layout: Vec::new(),
            insts: Arena::new(),
            values: Vec::new(),
            loop_hints: FxHashMap::default(),
            value_names: FxHashMap::default(),
            debug: None,
            compared: 0,
            lists: Vec::new(),
        }
    }

    /// Whether any instruction of its blocks is such.
    pub fn has(&self, is_such: impl Fn(&InstKind) -> bool) -> bool {
        let mut insts = self.layout.iter().flat_map(|&block| &self.blocks[block].insts);
        insts.any(|&inst| is_such(&self.insts[inst].kind))
    }

    /// Whether there is a variable of its own, all of which the entry block has.
    pub fn has_variables(&self) -> bool {
        let mut insts = self.blocks[self.entry()].insts.iter();
        insts.any(|&inst| matches!(self.insts[inst].kind, InstKind::Variable { .. }))
    }

    /// Whether it has no body here.
    pub fn is_declaration(&self) -> bool {
        self.layout.is_empty()
    }

    /// # Panics
    /// If the function is a declaration.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }

    /// A new block at the end of the layout.
    pub fn add_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.layout.push(block);
        block
    }

    /// Adds a parameter behind those that a block has.
    pub fn add_block_param(&mut self, block: Block, ty: Type) -> Value {
        let index = self.blocks[block].params.len() as u32;
        let value = self.add_value(ty, ValueDef::Param(block, index));
        self.blocks[block].params.push(value);
        value
    }

    /// Adds a value, which its definition has to name.
    pub fn add_value(&mut self, ty: Type, def: ValueDef) -> Value {
        self.values.push(ValueData { ty, def });
        Value::from_local(self.values.len() - 1)
    }

    /// Appends an instruction to a block; `ty` is the result's type, `None` for no result.
    pub fn append(
        &mut self,
        block: Block,
        kind: InstKind,
        ty: Option<Type>,
        math: MathFlags,
        location: Location,
    ) -> Inst {
        let inst = self.create_inst(kind, ty, math, location);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Appends an instruction without flags that has a result of type `ty`, which it returns.
    pub fn compute(&mut self, block: Block, kind: InstKind, ty: Type, location: Location) -> Value {
        let inst = self.append(block, kind, Some(ty), MathFlags::NONE, location);
        self.insts[inst].result.expect("an instruction with a type has a result")
    }

    /// Makes an instruction that is in no block yet.
    pub fn create_inst(
        &mut self,
        kind: InstKind,
        ty: Option<Type>,
        math: MathFlags,
        location: Location,
    ) -> Inst {
        let inst = self.insts.next_id();
        let result = ty.map(|ty| self.add_value(ty, ValueDef::Inst(inst)));
        self.insts.push(InstData { kind, result, math, location })
    }

    /// What defines a local value; `None` for constants.
    pub fn def(&self, value: Value) -> Option<ValueDef> {
        value.as_local().map(|index| self.values[index].def)
    }

    /// The instruction that defines a value, if one does.
    pub fn def_inst(&self, value: Value) -> Option<(Inst, &InstData)> {
        match self.def(value)? {
            ValueDef::Inst(inst) => Some((inst, &self.insts[inst])),
            ValueDef::Param(..) => None,
        }
    }

    /// Keeps some values.
    pub fn list(&mut self, values: &[Value]) -> ValueList {
        self.raw_list(values.iter().map(|value| value.raw()))
    }

    /// The values of a list.
    pub fn values_of(
        &self,
        list: ValueList,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        self.numbers_of(list).iter().map(|&number| Value::from_raw(number))
    }

    /// A value of a list.
    pub fn value_at(&self, list: ValueList, index: usize) -> Value {
        Value::from_raw(self.numbers_of(list)[index])
    }

    /// Replaces a value of a list.
    pub fn set_value_at(&mut self, list: ValueList, index: usize, value: Value) {
        debug_assert!(index < list.len());
        self.lists[list.start as usize + index] = value.raw();
    }

    /// A list of plain numbers (paths and masks).
    pub fn number_list(&mut self, numbers: &[u32]) -> ValueList {
        self.raw_list(numbers.iter().copied())
    }

    /// The numbers of a list of plain numbers.
    pub fn numbers_of(&self, list: ValueList) -> &[u32] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    fn raw_list(&mut self, numbers: impl Iterator<Item = u32>) -> ValueList {
        let start = self.lists.len() as u32;
        self.lists.extend(numbers);
        ValueList { start, len: self.lists.len() as u32 - start }
    }
}
