//! Rewrites one function.

use clc_base::arena::Id as _;
use clc_base::{AddressSpace, Diagnostic};
use clc_builtins::{Intrinsic, MatrixOp};
use clc_ir::debug::Location;
use clc_ir::rewrite::note_replaced;
use clc_ir::{
    Block, Builder, Cfg, CompareOp, ConstId, ConvertOp, FuncId, GlobalId, Inst, InstKind,
    MathFlags, MemFlags, MemoryAccess, Module, ParamAttributes, StorageClass, Terminator, Type,
    TypePool, Value,
};
use rustc_hash::FxHashMap;

use super::Plan;
use super::arithmetic::{resized, zero_extended};

use super::facts::{Pointers, pointee};
use super::places::{Place, Variable};
use super::roots::{RootId, Shape};
use super::types::AddressTypes;
use crate::atomic::Atomic;
use crate::diagnostics::{E0703, E0708};

/// What has taken the place of a value of the old function.
#[derive(Clone, Copy)]
pub(super) enum New {
    /// It is still there.
    Same,
    Value(Value),
    Place(Place),
}

pub(super) struct Rewriter<'a, 'b> {
    pub b: Builder<'b>,
    pub plan: &'a Plan<'a>,
    pub addresses: &'a mut AddressTypes,
    pointers: &'a Pointers,
    /// The types with pointers of the values of the old function.
    old_types: Vec<Type>,
    /// By value of the old function.
    pub new: Vec<New>,
    /// Indices of places in variables.
    pub paths: Vec<Value>,
    /// The function's variables.
    pub variables: FxHashMap<RootId, Value>,
    pub constants: FxHashMap<ConstId, Value>,
    /// Addresses of buffers with program-scope data, by the variable that holds them.
    pub bases: FxHashMap<GlobalId, Value>,
    /// What belongs to the head of the entry block.
    pub prologue: Vec<Inst>,
    /// The entry point finds these addresses, others read them where they begin.
    pub is_entry_point: bool,
    errors: &'a mut Vec<Diagnostic>,
}

pub(super) fn function(
    module: &mut Module,
    plan: &Plan<'_>,
    addresses: &mut AddressTypes,
    id: FuncId,
    errors: &mut Vec<Diagnostic>,
) {
    let Module { types, consts, functions, .. } = module;
    let function = &mut functions[id];
    function.result = addresses.map(types, function.result);
    for (index, param) in function.params.iter_mut().enumerate() {
        if types.is_pointer(*param)
            && let Some(attributes) = function.param_attributes.get_mut(index)
        {
            *attributes = ParamAttributes::default();
        }
        *param = addresses.map(types, *param);
    }
    if function.is_declaration() {
        return;
    }
    let order = Cfg::new(function).reverse_post_order().to_vec();
    function.layout.clone_from(&order);
    let old_types: Vec<Type> = function.values.iter().map(|value| value.ty).collect();
    for value in &mut function.values {
        value.ty = addresses.map(types, value.ty);
    }
    let entry = function.entry();
    let is_entry_point = function.entry_point.is_some();
    let mut rewriter = Rewriter {
        new: vec![New::Same; old_types.len()],
        b: Builder::new(types, consts, function, entry),
        plan,
        addresses,
        pointers: &plan.roots.functions[id.index()],
        old_types,
        paths: Vec::new(),
        variables: FxHashMap::default(),
        constants: FxHashMap::default(),
        bases: FxHashMap::default(),
        prologue: Vec::new(),
        is_entry_point,
        errors,
    };
    for &block in &order {
        rewriter.params(block);
    }
    rewriter.parameters(id);
    for &block in &order {
        rewriter.block(block);
    }
    rewriter.debug();
    let prologue = std::mem::take(&mut rewriter.prologue);
    rewriter.b.function.blocks[entry].insts.splice(0..0, prologue);
    rewriter.b.finish();
}

impl Rewriter<'_, '_> {
    /// The type of a value of the old function, with pointers.
    pub fn old_type(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.b.consts.ty(id),
            None => self.old_types[value.as_local().unwrap_or_default()],
        }
    }

    pub fn is_pointer(&self, value: Value) -> bool {
        self.b.types.is_pointer(self.old_type(value))
    }

    /// The class of the memory that a pointer of the old function points to.
    pub fn class(&self, pointer: Value) -> StorageClass {
        let parts = self.b.types.pointer_parts(self.old_type(pointer));
        parts.map_or(StorageClass::CrossWorkgroup, |(_, class)| class)
    }

    /// What a pointer of the old function points to, with pointers.
    fn old_pointee(&self, pointer: Value) -> Type {
        pointee(self.b.types, self.old_type(pointer))
    }

    /// What a pointer of the old function points to.
    pub fn pointee(&mut self, pointer: Value) -> Type {
        let ty = self.old_pointee(pointer);
        self.addresses.map(self.b.types, ty)
    }

    pub fn known_place(&self, pointer: Value) -> Option<Place> {
        match self.new[pointer.as_local()?] {
            New::Place(place) => Some(place),
            New::Same | New::Value(_) => None,
        }
    }

    /// The value that has taken the place of an operand.
    pub fn operand(&mut self, value: Value) -> Value {
        let Some(index) = value.as_local() else { return self.constant(value) };
        match self.new[index] {
            New::Same => value,
            New::Value(value) => value,
            New::Place(place) => self.address(place),
        }
    }

    pub fn set(&mut self, old: Value, new: New) {
        if let Some(index) = old.as_local() {
            self.new[index] = new;
        }
    }

    /// The variable of a root, or one at module scope.
    pub fn variable(&mut self, variable: Variable) -> Value {
        let root = match variable {
            Variable::Global(global) => return self.global_pointer(global),
            Variable::Root(root) => root,
        };
        if let Some(global) = self.plan.globals[root as usize] {
            return self.global_pointer(global);
        }
        if let Some(&value) = self.variables.get(&root) {
            return value;
        }
        let data = &self.plan.roots.roots[root as usize];
        let ty = self.plan.types[root as usize].unwrap_or(data.ty);
        let value = self.b.variable(ty, data.align);
        if !data.name.is_empty() {
            self.b.function.value_names.insert(value, data.name.clone());
        }
        self.variables.insert(root, value);
        value
    }

    pub fn error(&mut self, what: &str, reason: &str) {
        let message = format!("{what} has no form for {} here", self.plan.environment);
        self.errors.push(
            Diagnostic::new(&E0703, self.b.location.span, message)
                .at(format!("no form for {what}"))
                .note(reason.to_owned()),
        );
    }

    /// Objects of this type are known to the driver alone.
    pub fn opaque(&mut self, ty: Type) {
        let text = clc_ir::print::type_text(self.b.types, ty);
        let message =
            format!("a variable of type {text} cannot be compiled for {}", self.plan.environment);
        self.errors.push(
            Diagnostic::new(&E0708, self.b.location.span, message).at("declared or used here"),
        );
    }

    /// The root of which a value is a position, rather than an address.
    fn positioned(&self, value: Value) -> Option<RootId> {
        let root = self.pointers.origin(value)?;
        match self.plan.roots.roots[root as usize].shape {
            Shape::Elements(_) | Shape::Bytes => Some(root),
            Shape::Own => None,
        }
    }

    /// Gives the parameters of a block their types.
    fn params(&mut self, block: Block) {
        for index in 0..self.b.function.blocks[block].params.len() {
            let param = self.b.function.blocks[block].params[index];
            let Some(number) = param.as_local() else { continue };
            if !self.is_pointer(param) {
                continue;
            }
            let is_own = block == self.b.function.entry();
            if let Some(root) = self.positioned(param).filter(|_| !is_own) {
                self.b.function.values[number].ty = TypePool::I32;
                let place = self.at_position(root, param);
                self.set(param, New::Place(place));
            }
        }
    }

    fn block(&mut self, block: Block) {
        let data = &mut self.b.function.blocks[block];
        let insts = std::mem::take(&mut data.insts);
        let terminator = std::mem::take(&mut data.terminator);
        let location = std::mem::take(&mut data.location);
        self.b.switch_to(block);
        for inst in insts {
            let start = (self.b.block(), self.b.function.blocks[self.b.block()].insts.len());
            self.inst(inst);
            note_replaced(self.b.function, inst, start);
        }
        let end = self.b.block();
        if let Some(debug) = self.b.function.debug.as_mut().filter(|_| end != block) {
            debug.move_end(block, end);
        }
        self.b.location = location;
        self.terminator(terminator, location);
    }

    fn terminator(&mut self, mut terminator: Terminator, location: Location) {
        if let Some(operand) = terminator.operand_mut() {
            *operand = self.operand(*operand);
        }
        for target in terminator.targets_mut() {
            let params = self.b.function.blocks[target.block].params.clone();
            let arguments: Vec<Value> = self.b.function.values_of(target.arguments).collect();
            if arguments.is_empty() {
                continue;
            }
            let new: Vec<Value> = params
                .iter()
                .zip(arguments)
                .map(|(&param, argument)| self.chosen(param, argument))
                .collect();
            target.arguments = self.b.function.list(&new);
        }
        let block = self.b.block();
        let data = &mut self.b.function.blocks[block];
        data.terminator = terminator;
        data.location = location;
    }

    /// `value` as what `result` may be.
    fn chosen(&mut self, result: Value, value: Value) -> Value {
        if self.is_pointer(result)
            && let Some(root) = self.positioned(result)
        {
            if self.is_undefined(value) {
                return self.b.undef(TypePool::I32);
            }
            let place = self.place(value);
            return self.position(place, root);
        }
        self.operand(value)
    }

    fn is_undefined(&self, value: Value) -> bool {
        match value.as_const() {
            Some(id) => matches!(self.b.consts.get(id), clc_ir::Const::Undef(_)),
            // Chosen from nothing but undefined values.
            None => self.is_pointer(value) && self.pointers.origin(value).is_none(),
        }
    }

    /// Leaves an instruction as it is, but for its operands.
    fn keep(&mut self, inst: Inst) {
        let mut operands = Vec::new();
        self.b.function.each_operand(inst, |value| operands.push(value));
        let new: Vec<Value> = operands.iter().map(|&value| self.operand(value)).collect();
        if new != operands {
            let mut new = new.into_iter();
            self.b.function.map_operands(inst, |old| new.next().unwrap_or(old));
        }
        let block = self.b.block();
        self.b.function.blocks[block].insts.push(inst);
    }

    fn replace(&mut self, result: Option<Value>, new: Option<Value>) {
        if let Some(result) = result {
            let new = match new {
                Some(new) => new,
                None => {
                    let ty = self.b.ty(result);
                    self.b.undef(ty)
                }
            };
            self.set(result, New::Value(new));
        }
    }

    fn replace_by_place(&mut self, result: Option<Value>, place: Place) {
        if let Some(result) = result {
            self.set(result, New::Place(place));
        }
    }

    fn inst(&mut self, inst: Inst) {
        let data = self.b.function.insts[inst];
        self.b.location = data.location;
        self.b.math = MathFlags::NONE;
        match data.kind {
            // Those with a type of their own are made where they are first accessed.
            InstKind::Variable { .. } => {
                if let Some(root) = data.result.and_then(|result| self.pointers.origin(result)) {
                    let place = self.root(root);
                    self.replace_by_place(data.result, place);
                }
            }
            // Words and pieces are of other types than the program's objects.
            InstKind::Load { pointer, access } => {
                let ty = self.pointee(pointer);
                let place = self.place(pointer);
                let mut access = access.untyped();
                // `constant` memory is what kernels only read (OpenCL C 6.7.3).
                access.flags.unwritten |= self.class(pointer) == StorageClass::UniformConstant;
                let value = self.load(place, ty, access);
                self.replace(data.result, Some(value));
            }
            InstKind::Store { pointer, value, access } => {
                let access = access.untyped();
                let place = self.place(pointer);
                let value = self.operand(value);
                self.note_base(place, value);
                self.store(place, value, access);
            }
            InstKind::CopyMemory { destination, source, size, access } => {
                self.copy_memory(destination, source, size, access);
            }
            InstKind::PtrAdd { base, index } => {
                let ty = self.old_pointee(base);
                let place = self.place(base);
                let index = self.operand(index);
                let place = self.pointer_add(place, index, ty);
                self.replace_by_place(data.result, place);
            }
            InstKind::Access { base, indices } => {
                let mut ty = self.old_pointee(base);
                let mut place = self.place(base);
                let indices: Vec<Value> = self.b.function.values_of(indices).collect();
                for index in indices {
                    let index = self.operand(index);
                    (place, ty) = self.component(place, ty, index);
                }
                self.replace_by_place(data.result, place);
            }
            InstKind::Convert { op, operand, .. } => {
                if !self.convert(op, operand, data.result) {
                    self.keep(inst);
                }
            }
            InstKind::GenericTo { pointer, space } => {
                let value = self.generic_to(pointer, space);
                self.replace(data.result, Some(value));
            }
            InstKind::Select { condition, then, otherwise } if self.is_pointer(then) => {
                self.select(condition, then, otherwise, data.result);
            }
            InstKind::Compare { op, left, right } if self.is_pointer(left) => {
                let value = self.compare(op, left, right);
                self.replace(data.result, Some(value));
            }
            InstKind::AtomicLoad { pointer, ordering } => {
                let value = self.atomic(pointer, Atomic::Load(ordering));
                self.replace(data.result, value);
            }
            InstKind::AtomicStore { pointer, value, ordering } => {
                self.atomic(pointer, Atomic::Store(value, ordering));
            }
            InstKind::AtomicModify { op, pointer, value, ordering } => {
                self.b.math = data.math;
                let value = self.atomic(pointer, Atomic::Modify(op, value, ordering));
                self.replace(data.result, value);
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
                let atomic = Atomic::CompareExchange { comparand, desired, ordering, failure };
                let value = self.atomic(pointer, atomic);
                self.replace(data.result, value);
            }
            InstKind::Intrinsic {
                intrinsic: Intrinsic::Matrix(op @ (MatrixOp::Load | MatrixOp::Store)),
                arguments,
            } => {
                let arguments: Vec<Value> = self.b.function.values_of(arguments).collect();
                let value = self.matrix(op, &arguments, data.result);
                self.replace(data.result, value);
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let arguments: Vec<Value> = self.b.function.values_of(arguments).collect();
                let has_pointers = arguments.iter().any(|&value| self.is_pointer(value));
                if has_pointers || data.result.is_some_and(|result| self.is_pointer(result)) {
                    self.b.math = data.math;
                    let value = self.intrinsic(intrinsic, &arguments, data.result);
                    self.replace(data.result, value);
                } else {
                    self.keep(inst);
                }
            }
            InstKind::Call { callee, .. } => self.call(inst, callee),
            InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Compare { .. }
            | InstKind::Select { .. }
            | InstKind::Extract { .. }
            | InstKind::Insert { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::Shuffle { .. }
            | InstKind::Construct { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. } => self.keep(inst),
        }
    }

    /// Conversions of pointers; false for others.
    fn convert(&mut self, op: ConvertOp, operand: Value, result: Option<Value>) -> bool {
        match op {
            ConvertOp::Bitcast if !self.is_pointer(operand) => return false,
            ConvertOp::Bitcast | ConvertOp::ToGeneric => {
                let place = self.place(operand);
                self.replace_by_place(result, place);
            }
            ConvertOp::FromGeneric => {
                let mut place = self.place(operand);
                if let (Place::Generic(address), Some(result)) = (place, result) {
                    place = self.at_address(address, self.class(result));
                }
                self.replace_by_place(result, place);
            }
            ConvertOp::PtrToInt => {
                let address = self.operand(operand);
                let ty = result.map_or(TypePool::I64, |result| self.b.ty(result));
                let value = resized(&mut self.b, address, ty);
                self.replace(result, Some(value));
            }
            ConvertOp::IntToPtr => {
                let number = self.operand(operand);
                let value = zero_extended(&mut self.b, number, TypePool::I64);
                self.replace(result, Some(value));
            }
            ConvertOp::Truncate
            | ConvertOp::ZeroExtend
            | ConvertOp::SignExtend
            | ConvertOp::SaturateSToS
            | ConvertOp::SaturateSToU
            | ConvertOp::SaturateUToS
            | ConvertOp::SaturateUToU
            | ConvertOp::FToS
            | ConvertOp::FToU
            | ConvertOp::SToF
            | ConvertOp::UToF
            | ConvertOp::FToF => return false,
        }
        true
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value, result: Option<Value>) {
        let Some(result) = result else { return };
        let condition = self.operand(condition);
        let (then, otherwise) = (self.chosen(result, then), self.chosen(result, otherwise));
        let value = self.b.select(condition, then, otherwise);
        match self.positioned(result) {
            Some(root) => {
                let place = self.at_position(root, value);
                self.set(result, New::Place(place));
            }
            None => self.set(result, New::Value(value)),
        }
    }

    fn compare(&mut self, op: CompareOp, left: Value, right: Value) -> Value {
        // Addresses have no sign.
        let op = match op {
            CompareOp::SLess => CompareOp::ULess,
            CompareOp::SLessEqual => CompareOp::ULessEqual,
            CompareOp::SGreater => CompareOp::UGreater,
            CompareOp::SGreaterEqual => CompareOp::UGreaterEqual,
            op => op,
        };
        let (a, b) = (self.place(left), self.place(right));
        match (a, b) {
            (Place::Element(a, first), Place::Element(b, second)) if a == b => {
                self.b.compare(op, first, second)
            }
            // A variable without an address is compared with null only, which it is not.
            (Place::Element(..) | Place::Part(..), _) => self.against_null(op, true),
            (_, Place::Element(..) | Place::Part(..)) => self.against_null(op, false),
            _ => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.b.compare(op, left, right)
            }
        }
    }

    fn against_null(&mut self, op: CompareOp, left_is_greater: bool) -> Value {
        let truth = match op {
            CompareOp::NotEqual => true,
            CompareOp::UGreater | CompareOp::UGreaterEqual => left_is_greater,
            CompareOp::ULess | CompareOp::ULessEqual => !left_is_greater,
            _ => false,
        };
        self.b.bool(truth)
    }

    /// The pointer if it points to `space`, otherwise null.
    fn generic_to(&mut self, pointer: Value, space: AddressSpace) -> Value {
        let address = self.operand(pointer);
        let tag = match space {
            AddressSpace::Local => 1,
            AddressSpace::Private => 2,
            _ => 0,
        };
        let found = self.tag(address);
        let is_there = self.equal(found, tag);
        let null = self.b.int(TypePool::I64, 0);
        self.b.select(is_there, address, null)
    }

    /// A call of a builtin that takes or gives pointers.
    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Option<Value> {
        match intrinsic {
            Intrinsic::GetFence => {
                let ty = result.map_or(TypePool::I32, |result| self.b.ty(result));
                let place = self.place(arguments[0]);
                Some(self.fence_flags(place, ty))
            }
            // A hint.
            Intrinsic::Prefetch => None,
            _ => {
                let name = format!("`{}`", intrinsic.source_name());
                self.error(&name, "its pointers have no form there");
                None
            }
        }
    }

    /// An access of a value as its type wants it.
    pub fn natural_access(&self, ty: Type) -> MemoryAccess {
        MemoryAccess { align: self.b.types.align(ty) as u32, flags: MemFlags::default() }
    }
}
