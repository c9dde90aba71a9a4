//! Jumps that take a detour: a note says where they want to go, and variables hold what they
//! bring along.

use clc_ir::debug::Location;
use clc_ir::{
    Block, BlockCall, BlockData, CompareOp, Const, ConstPool, Function, Inst, InstKind, MathFlags,
    MemFlags, MemoryAccess, StorageClass, Terminator, Type, TypePool, Value, ValueList,
};
use rustc_hash::FxHashMap;

/// A function under change, and the variables for detours.
pub(super) struct Router<'a> {
    types: &'a mut TypePool,
    consts: &'a mut ConstPool,
    pub function: &'a mut Function,
    /// The note. One is enough: at any moment one jump is under way.
    note: Option<Value>,
    /// By block parameter, the variable that holds its value to be.
    slots: FxHashMap<Value, Value>,
    /// Variables of values that no longer dominate all their uses.
    kept: FxHashMap<Value, Value>,
    variables: Vec<Inst>,
}

impl<'a> Router<'a> {
    pub fn new(
        types: &'a mut TypePool,
        consts: &'a mut ConstPool,
        function: &'a mut Function,
    ) -> Router<'a> {
        Router {
            types,
            consts,
            function,
            note: None,
            slots: FxHashMap::default(),
            kept: FxHashMap::default(),
            variables: Vec::new(),
        }
    }

    /// Puts the variables that came into being at the head of the function.
    pub fn finish(self) {
        let entry = self.function.entry();
        self.function.blocks[entry].insts.splice(0..0, self.variables);
    }

    pub fn new_block(&mut self, location: Location) -> Block {
        let block = self.function.blocks.push(BlockData { location, ..BlockData::default() });
        self.function.layout.push(block);
        block
    }

    /// A block that starts a jump of its own.
    pub fn block_with(&mut self, location: Location, terminator: Terminator) -> Block {
        let block = self.new_block(location);
        self.function.blocks[block].terminator = terminator;
        block
    }

    /// A new block with the parameters of another.
    pub fn block_like(&mut self, other: Block) -> Block {
        let block = self.new_block(self.function.blocks[other].location);
        for index in 0..self.function.blocks[other].params.len() {
            let param = self.function.blocks[other].params[index];
            let ty = self.ty(param);
            self.function.add_block_param(block, ty);
        }
        block
    }

    pub fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    pub fn number(&mut self, number: u32) -> Value {
        self.consts.intern(Const::Int(TypePool::I32, u64::from(number)))
    }

    /// `block` with its own parameters as arguments.
    pub fn own_params(&mut self, block: Block) -> ValueList {
        let params = self.function.blocks[block].params.clone();
        self.function.list(&params)
    }

    fn variable(&mut self, ty: Type) -> Value {
        let pointer = self.types.pointer(ty, StorageClass::Function);
        let align = self.types.align(ty) as u32;
        let kind = InstKind::Variable { ty, align };
        let inst = self.function.create_inst(kind, Some(pointer), MathFlags::NONE, Location::NONE);
        self.variables.push(inst);
        self.function.insts[inst].result.unwrap_or(Value::from_local(0))
    }

    fn access(&self, ty: Type) -> MemoryAccess {
        MemoryAccess { align: self.types.align(ty) as u32, flags: MemFlags::default() }
    }

    fn push(&mut self, block: Block, kind: InstKind, ty: Option<Type>) -> Value {
        let inst = self.function.append(block, kind, ty, MathFlags::NONE, Location::NONE);
        self.function.insts[inst].result.unwrap_or(Value::from_local(0))
    }

    /// Truth values have no place in memory; integers stand for them.
    fn memory_type(&mut self, ty: Type) -> Type {
        if self.types.is_bool(ty) { self.types.with_scalar(ty, TypePool::I32) } else { ty }
    }

    fn note(&mut self) -> Value {
        match self.note {
            Some(note) => note,
            None => {
                let note = self.variable(TypePool::I32);
                self.note = Some(note);
                note
            }
        }
    }

    /// Notes at the end of `block` where its jump wants to go.
    pub fn write_note(&mut self, block: Block, number: u32) {
        let pointer = self.note();
        let value = self.number(number);
        let access = self.access(TypePool::I32);
        self.push(block, InstKind::Store { pointer, value, access }, None);
    }

    pub fn read_note(&mut self, block: Block) -> Value {
        let pointer = self.note();
        let access = self.access(TypePool::I32);
        self.push(block, InstKind::Load { pointer, access }, Some(TypePool::I32))
    }

    pub fn compare(&mut self, block: Block, op: CompareOp, left: Value, number: u32) -> Value {
        let right = self.number(number);
        self.push(block, InstKind::Compare { op, left, right }, Some(TypePool::BOOL))
    }

    fn slot(&mut self, param: Value) -> Value {
        if let Some(&slot) = self.slots.get(&param) {
            return slot;
        }
        let ty = self.ty(param);
        let ty = self.memory_type(ty);
        let slot = self.variable(ty);
        self.slots.insert(param, slot);
        slot
    }

    fn splat(&mut self, ty: Type, number: u64) -> Value {
        let scalar = self.consts.intern(Const::Int(TypePool::I32, number));
        match self.types.lanes(ty) {
            1 => scalar,
            lanes => {
                let parts = vec![scalar; usize::from(lanes)];
                self.consts.intern(Const::Composite(ty, parts.into()))
            }
        }
    }

    fn store_value(&mut self, block: Block, pointer: Value, value: Value) {
        let value_type = self.ty(value);
        let ty = self.memory_type(value_type);
        let mut stored = value;
        if ty != value_type {
            let (then, otherwise) = (self.splat(ty, 1), self.splat(ty, 0));
            let kind = InstKind::Select { condition: value, then, otherwise };
            stored = self.push(block, kind, Some(ty));
        }
        let access = self.access(ty);
        self.push(block, InstKind::Store { pointer, value: stored, access }, None);
    }

    fn load_value(&mut self, block: Block, pointer: Value, wanted: Type) -> Value {
        let ty = self.memory_type(wanted);
        let access = self.access(ty);
        let value = self.push(block, InstKind::Load { pointer, access }, Some(ty));
        if ty == wanted {
            return value;
        }
        let right = self.splat(ty, 0);
        let kind = InstKind::Compare { op: CompareOp::NotEqual, left: value, right };
        self.push(block, kind, Some(wanted))
    }

    /// Stores a value at the end of `block`, so that [`Router::recall`] finds it anywhere.
    pub fn keep(&mut self, block: Block, value: Value) {
        let pointer = self.kept(value);
        self.store_value(block, pointer, value);
    }

    /// Loads a kept value at the end of `block`.
    pub fn recall(&mut self, block: Block, value: Value) -> Value {
        let pointer = self.kept(value);
        let ty = self.ty(value);
        self.load_value(block, pointer, ty)
    }

    /// Appends a copy of an instruction that has a result, with other operands.
    pub fn again(&mut self, block: Block, inst: Inst, map: impl FnMut(Value) -> Value) -> Value {
        let data = self.function.insts[inst];
        let ty = data.result.map(|result| self.ty(result));
        let kind = match data.kind {
            // The copy has a list of its own.
            InstKind::Access { base, indices } => {
                let indices: Vec<Value> = self.function.values_of(indices).collect();
                InstKind::Access { base, indices: self.function.list(&indices) }
            }
            kind => kind,
        };
        let copy = self.function.append(block, kind, ty, data.math, data.location);
        self.function.map_operands(copy, map);
        self.function.insts[copy].result.unwrap_or(Value::from_local(0))
    }

    fn kept(&mut self, value: Value) -> Value {
        if let Some(&pointer) = self.kept.get(&value) {
            return pointer;
        }
        let ty = self.ty(value);
        let ty = self.memory_type(ty);
        let pointer = self.variable(ty);
        self.kept.insert(value, pointer);
        pointer
    }

    /// Stores at the end of `block` what the parameters of `target` are to be.
    pub fn store_arguments(&mut self, block: Block, target: Block, arguments: ValueList) {
        for index in 0..arguments.len() {
            let param = self.function.blocks[target].params[index];
            let value = self.function.value_at(arguments, index);
            let pointer = self.slot(param);
            self.store_value(block, pointer, value);
        }
    }

    /// Loads at the end of `block` what the parameters of `target` are to be.
    pub fn load_arguments(&mut self, block: Block, target: Block) -> ValueList {
        let params = self.function.blocks[target].params.clone();
        let mut arguments = Vec::with_capacity(params.len());
        for param in params {
            let pointer = self.slot(param);
            let wanted = self.ty(param);
            let value = self.load_value(block, pointer, wanted);
            arguments.push(value);
        }
        self.function.list(&arguments)
    }

    /// Where to jump to reach `target` with the stored arguments: a block that loads them, if
    /// there are any.
    pub fn landing(&mut self, target: Block) -> Block {
        if self.function.blocks[target].params.is_empty() {
            return target;
        }
        let location = self.function.blocks[target].location;
        let landing = self.new_block(location);
        let arguments = self.load_arguments(landing, target);
        self.function.blocks[landing].terminator =
            Terminator::Jump(BlockCall { block: target, arguments });
        landing
    }
}

/// A jump without arguments.
pub(super) fn plain(block: Block) -> BlockCall {
    BlockCall { block, arguments: ValueList::EMPTY }
}
