//! Appends instructions at a position and computes result types.

use clc_base::AddressSpace;
use clc_base::memory_model::{AtomicOp, BarrierPart, BarrierScope, Fence, MemoryOrder, Ordering};
use clc_builtins::Intrinsic;
use clc_builtins::resolve::Rounding;

use crate::debug::Location;
use crate::inst::*;
use crate::{
    Block, Const, ConstPool, FuncId, Function, StorageClass, Type, TypeKind, TypePool, Value,
    ValueDef,
};

/// Appends to one block of one function. Types and constants are interned on the way.
///
/// Once a block has a terminator, further instructions go to a fresh unreachable block, so that
/// code after `return` needs no special care from the caller; later passes remove it.
pub struct Builder<'a> {
    /// The types of the module.
    pub types: &'a mut TypePool,
    /// The constants of the module.
    pub consts: &'a mut ConstPool,
    /// The function that is built.
    pub function: &'a mut Function,
    block: Block,
    /// Of the instructions that follow.
    pub location: Location,
    /// Of the floating-point operations that follow.
    pub math: MathFlags,
}

impl<'a> Builder<'a> {
    /// Starts at the end of `block`.
    pub fn new(
        types: &'a mut TypePool,
        consts: &'a mut ConstPool,
        function: &'a mut Function,
        block: Block,
    ) -> Builder<'a> {
        Builder { types, consts, function, block, location: Location::NONE, math: MathFlags::NONE }
    }

    /// The block that instructions are appended to.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Appends to another block from here on.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }

    /// Adds a block behind the others, to switch to.
    pub fn new_block(&mut self) -> Block {
        self.function.add_block()
    }

    /// Whether the current block already ends.
    pub fn is_terminated(&self) -> bool {
        self.function.blocks[self.block].terminator != Terminator::None
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    fn push(&mut self, kind: InstKind, ty: Option<Type>) -> Option<Value> {
        if self.is_terminated() {
            self.block = self.function.add_block();
        }
        let math = if is_floating(kind) { self.math } else { MathFlags::NONE };
        let inst = self.function.append(self.block, kind, ty, math, self.location);
        self.function.insts[inst].result
    }

    fn value(&mut self, kind: InstKind, ty: Type) -> Value {
        self.push(kind, Some(ty)).expect("an instruction with a type has a result")
    }

    // Constants.

    /// An integer constant: the low bits of `value`.
    pub fn int(&mut self, ty: Type, value: u64) -> Value {
        let bits = self.types.scalar_bits(ty).unwrap_or(64);
        let value = if bits == 64 { value } else { value & ((1 << bits) - 1) };
        self.consts.intern(Const::Int(ty, value))
    }

    /// A constant of 32 bits.
    pub fn i32(&mut self, value: i32) -> Value {
        self.int(TypePool::I32, value as u32 as u64)
    }

    /// A boolean constant.
    pub fn bool(&mut self, value: bool) -> Value {
        self.consts.intern(Const::Bool(value))
    }

    /// Zero of any type that may live in memory; false for booleans.
    pub fn zero(&mut self, ty: Type) -> Value {
        zero(self.types, self.consts, ty)
    }

    /// The undefined constant of a type.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.consts.intern(Const::Undef(ty))
    }

    // Instructions.

    /// Appends an [`InstKind::Binary`].
    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let ty = self.ty(left);
        self.value(InstKind::Binary { op, left, right }, ty)
    }

    /// Appends a sum, difference or product with [`MathFlags::NO_SIGNED_WRAP`].
    pub fn binary_without_wrap(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let result = self.binary(op, left, right);
        if let Some(ValueDef::Inst(inst)) = self.function.def(result) {
            self.function.insts[inst].math = MathFlags(MathFlags::NO_SIGNED_WRAP);
        }
        result
    }

    /// Appends an [`InstKind::Unary`].
    pub fn unary(&mut self, op: UnaryOp, operand: Value) -> Value {
        let ty = self.ty(operand);
        self.value(InstKind::Unary { op, operand }, ty)
    }

    /// Appends an [`InstKind::Compare`].
    pub fn compare(&mut self, op: CompareOp, left: Value, right: Value) -> Value {
        let operand = self.ty(left);
        let ty = self.types.with_scalar(operand, TypePool::BOOL);
        self.value(InstKind::Compare { op, left, right }, ty)
    }

    /// Appends an [`InstKind::Select`].
    pub fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let ty = self.ty(then);
        self.value(InstKind::Select { condition, then, otherwise }, ty)
    }

    /// Appends an [`InstKind::Convert`] to the type `ty`, with the default rounding.
    pub fn convert(&mut self, op: ConvertOp, operand: Value, ty: Type) -> Value {
        self.value(InstKind::Convert { op, operand, rounding: None, saturate: false }, ty)
    }

    /// Appends an [`InstKind::Convert`].
    pub fn convert_with(
        &mut self,
        op: ConvertOp,
        operand: Value,
        ty: Type,
        rounding: Option<Rounding>,
        saturate: bool,
    ) -> Value {
        self.value(InstKind::Convert { op, operand, rounding, saturate }, ty)
    }

    /// The same pointer or bits as another type; nothing if it has that type already.
    pub fn bitcast(&mut self, operand: Value, ty: Type) -> Value {
        if self.ty(operand) == ty {
            return operand;
        }
        self.convert(ConvertOp::Bitcast, operand, ty)
    }

    /// # Panics
    /// If `pointer` is not a pointer.
    pub fn load(&mut self, pointer: Value, access: MemoryAccess) -> Value {
        let ty = self.pointee(pointer);
        self.value(InstKind::Load { pointer, access }, ty)
    }

    /// Appends an [`InstKind::Store`].
    pub fn store(&mut self, pointer: Value, value: Value, access: MemoryAccess) {
        self.push(InstKind::Store { pointer, value, access }, None);
    }

    /// Appends an [`InstKind::CopyMemory`].
    pub fn copy_memory(
        &mut self,
        destination: Value,
        source: Value,
        size: Value,
        access: MemoryAccess,
    ) {
        self.push(InstKind::CopyMemory { destination, source, size, access }, None);
    }

    /// A variable in Function storage, placed at the head of the entry block.
    pub fn variable(&mut self, ty: Type, align: Align) -> Value {
        let pointer = self.types.pointer(ty, StorageClass::Function);
        let inst = self.function.create_inst(
            InstKind::Variable { ty, align },
            Some(pointer),
            MathFlags::NONE,
            self.location,
        );
        // Variables are appended and sorted to the front once, by `finish`.
        let entry = self.function.entry();
        self.function.blocks[entry].insts.push(inst);
        self.function.insts[inst].result.expect("a variable has an address")
    }

    /// Moves the variables of the entry block to its front; to be called once at the end.
    pub fn finish(&mut self) {
        let entry = self.function.entry();
        let insts = std::mem::take(&mut self.function.blocks[entry].insts);
        let (mut variables, rest): (Vec<_>, Vec<_>) = insts
            .into_iter()
            .partition(|&inst| matches!(self.function.insts[inst].kind, InstKind::Variable { .. }));
        variables.extend(rest);
        self.function.blocks[entry].insts = variables;
    }

    /// Appends an [`InstKind::PtrAdd`].
    pub fn ptr_add(&mut self, base: Value, index: Value) -> Value {
        let ty = self.ty(base);
        self.value(InstKind::PtrAdd { base, index }, ty)
    }

    /// # Panics
    /// If an index does not fit the pointee.
    pub fn access(&mut self, base: Value, indices: &[Value]) -> Value {
        if indices.is_empty() {
            return base;
        }
        let (mut ty, class) =
            self.types.pointer_parts(self.ty(base)).expect("access needs a pointer");
        for &index in indices {
            ty = match self.types.kind(ty) {
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => element,
                TypeKind::Matrix(matrix) => matrix.element,
                TypeKind::Struct(id) => {
                    let field = self.constant_int(index).expect("struct indices are constant");
                    self.types.struct_data(id).fields[field as usize]
                }
                _ => unreachable!("only aggregates have parts"),
            };
        }
        let indices = self.function.list(indices);
        let ty = self.types.pointer(ty, class);
        self.value(InstKind::Access { base, indices }, ty)
    }

    /// Whether a value is the null constant.
    pub fn is_null(&self, value: Value) -> bool {
        value.as_const().is_some_and(|id| matches!(self.consts.get(id), Const::Null(_)))
    }

    /// The value of an integer constant, zero-extended.
    pub fn constant_int(&self, value: Value) -> Option<u64> {
        match self.consts.get(value.as_const()?) {
            Const::Int(_, bits) => Some(*bits),
            _ => None,
        }
    }

    /// Appends an [`InstKind::Extract`].
    pub fn extract(&mut self, aggregate: Value, path: &[u32]) -> Value {
        let mut ty = self.ty(aggregate);
        for &index in path {
            ty = self.types.component(ty, index).expect("the path fits the aggregate");
        }
        let path = self.function.number_list(path);
        self.value(InstKind::Extract { aggregate, path }, ty)
    }

    /// Appends an [`InstKind::Insert`].
    pub fn insert(&mut self, aggregate: Value, element: Value, path: &[u32]) -> Value {
        let ty = self.ty(aggregate);
        let path = self.function.number_list(path);
        self.value(InstKind::Insert { aggregate, element, path }, ty)
    }

    /// Appends an [`InstKind::ExtractDynamic`].
    pub fn extract_dynamic(&mut self, vector: Value, index: Value) -> Value {
        let ty = self.types.scalar(self.ty(vector));
        self.value(InstKind::ExtractDynamic { vector, index }, ty)
    }

    /// Appends an [`InstKind::InsertDynamic`].
    pub fn insert_dynamic(&mut self, vector: Value, element: Value, index: Value) -> Value {
        let ty = self.ty(vector);
        self.value(InstKind::InsertDynamic { vector, element, index }, ty)
    }

    /// A single-entry mask extracts, so the result may be a scalar.
    pub fn shuffle(&mut self, left: Value, right: Value, mask: &[u32]) -> Value {
        let element = self.types.scalar(self.ty(left));
        if let &[index] = mask {
            return self.extract(left, &[index]);
        }
        let ty = self.types.vector(element, mask.len() as u8);
        let mask = self.function.number_list(mask);
        self.value(InstKind::Shuffle { left, right, mask }, ty)
    }

    /// Appends an [`InstKind::Construct`].
    pub fn construct(&mut self, ty: Type, parts: &[Value]) -> Value {
        if parts.iter().all(|part| part.is_const())
            && (!matches!(self.types.kind(ty), TypeKind::Vector(_, count) if usize::from(count) != parts.len()))
        {
            return self.consts.intern(Const::Composite(ty, parts.into()));
        }
        let parts = self.function.list(parts);
        self.value(InstKind::Construct { parts }, ty)
    }

    /// A vector with `scalar` in every component; `scalar` itself if `ty` is a scalar.
    pub fn splat(&mut self, ty: Type, scalar: Value) -> Value {
        match self.types.lanes(ty) {
            1 => scalar,
            lanes => self.construct(ty, &vec![scalar; usize::from(lanes)]),
        }
    }

    /// `result` is the callee's result type; `None` comes back for void.
    pub fn call(&mut self, callee: FuncId, arguments: &[Value], result: Type) -> Option<Value> {
        let arguments = self.function.list(arguments);
        let ty = (result != TypePool::VOID).then_some(result);
        self.push(InstKind::Call { callee, arguments }, ty)
    }

    /// `None` comes back for a void `result`.
    pub fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        result: Type,
    ) -> Option<Value> {
        let arguments = self.function.list(arguments);
        let ty = (result != TypePool::VOID).then_some(result);
        self.push(InstKind::Intrinsic { intrinsic, arguments }, ty)
    }

    /// `value` is moved in at once.
    pub fn atomic_store(&mut self, pointer: Value, value: Value, ordering: Ordering) {
        let ordering = Ordering { order: ordering.order.of_store(), ..ordering };
        self.push(InstKind::AtomicStore { pointer, value, ordering }, None);
    }

    /// Appends an [`InstKind::AtomicLoad`].
    pub fn atomic_load(&mut self, pointer: Value, ordering: Ordering) -> Value {
        let ty = self.pointee(pointer);
        let ordering = Ordering { order: ordering.order.of_load(), ..ordering };
        self.value(InstKind::AtomicLoad { pointer, ordering }, ty)
    }

    /// Appends an [`InstKind::AtomicModify`].
    pub fn atomic_modify(
        &mut self,
        op: AtomicOp,
        pointer: Value,
        value: Value,
        ordering: Ordering,
    ) -> Value {
        let ty = self.pointee(pointer);
        self.value(InstKind::AtomicModify { op, pointer, value, ordering }, ty)
    }

    /// What was found. Orders are made what they may be: `failure` releases nothing, and the other is
    /// no weaker.
    pub fn atomic_compare_exchange(
        &mut self,
        pointer: Value,
        [comparand, desired]: [Value; 2],
        ordering: Ordering,
        failure: MemoryOrder,
    ) -> Value {
        let ty = self.pointee(pointer);
        let failure = failure.of_load();
        let ordering = Ordering { order: ordering.order.at_least(failure), ..ordering };
        let kind =
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure };
        self.value(kind, ty)
    }

    /// Nothing where the fence orders nothing: it is relaxed, or concerns no memory.
    pub fn fence(&mut self, fence: Fence) {
        if fence.order != MemoryOrder::Relaxed && !fence.memory.is_empty() {
            self.push(InstKind::Fence(fence), None);
        }
    }

    /// Appends an [`InstKind::Barrier`].
    pub fn barrier(&mut self, execution: BarrierScope, part: BarrierPart, fence: Fence) {
        self.push(InstKind::Barrier { execution, part, fence }, None);
    }

    /// Appends an [`InstKind::GenericTo`] with a result of type `ty`.
    pub fn generic_to(&mut self, pointer: Value, space: AddressSpace, ty: Type) -> Value {
        self.value(InstKind::GenericTo { pointer, space }, ty)
    }

    // Terminators. A block that already ends keeps its first terminator.

    /// A destination with its arguments.
    pub fn call_block(&mut self, block: Block, arguments: &[Value]) -> BlockCall {
        BlockCall { block, arguments: self.function.list(arguments) }
    }

    /// Ends the block.
    pub fn terminate(&mut self, terminator: Terminator) {
        if !self.is_terminated() {
            let block = &mut self.function.blocks[self.block];
            block.terminator = terminator;
            block.location = self.location;
        }
    }

    /// Ends the block with a jump.
    pub fn jump(&mut self, block: Block, arguments: &[Value]) {
        let target = self.call_block(block, arguments);
        self.terminate(Terminator::Jump(target));
    }

    /// Ends the block with a branch between blocks without parameters.
    pub fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        let then = self.call_block(then, &[]);
        let otherwise = self.call_block(otherwise, &[]);
        self.terminate(Terminator::Branch { condition, then, otherwise });
    }

    /// Ends the block with a return.
    pub fn ret(&mut self, value: Option<Value>) {
        self.terminate(Terminator::Return(value));
    }

    fn pointee(&self, pointer: Value) -> Type {
        self.types.pointer_parts(self.ty(pointer)).expect("the operand is a pointer").0
    }
}

/// Whether permissions about floating-point arithmetic mean anything to an instruction.
fn is_floating(kind: InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => matches!(
            op,
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem
        ),
        InstKind::Unary { op, .. } => op == UnaryOp::FNeg,
        InstKind::Compare { op, .. } => matches!(
            op,
            CompareOp::FEqual
                | CompareOp::FNotEqual
                | CompareOp::FLess
                | CompareOp::FLessEqual
                | CompareOp::FGreater
                | CompareOp::FGreaterEqual
        ),
        InstKind::Intrinsic { .. } => true,
        _ => false,
    }
}

/// Zero of any type that may live in memory; false for booleans.
pub fn zero(types: &TypePool, consts: &mut ConstPool, ty: Type) -> Value {
    consts.intern(match types.kind(ty) {
        TypeKind::Bool => Const::Bool(false),
        TypeKind::Int(_) => Const::Int(ty, 0),
        TypeKind::Float(_) => Const::Float(ty, 0),
        _ => Const::Null(ty),
    })
}
