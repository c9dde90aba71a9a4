//! Values.

use clc_base::AddressSpace;
use clc_builtins::{Intrinsic, MatrixOp};
use clc_ir::{CompareOp, Const, ConvertOp, StorageClass, Type, TypeKind, TypePool, Value};
use clc_sema::hir::{self, ExprId, ExprKind, Swizzle};
use clc_sema::types as source;
use clc_sema::types::TypeId;

use crate::module::{FunctionLowering, Slot};
use crate::places::{Memory, Place};
use crate::{media, synchronisation};

impl FunctionLowering<'_, '_> {
    /// Evaluates an expression whose value is not used.
    pub fn effect(&mut self, id: ExprId) {
        if self.cx.hir.is_lvalue(id) {
            let place = self.place(id);
            // Reading a volatile object is an effect.
            if self.expr_data(id).ty.quals.is_volatile {
                self.load(&place);
            }
        } else {
            self.value_or_void(id);
        }
    }

    /// The value of an expression that has one.
    pub fn value(&mut self, id: ExprId) -> Value {
        match self.value_or_void(id) {
            Some(value) => value,
            None => {
                let ty = self.lower_type(self.expr_data(id).ty.ty);
                self.build(|b| b.undef(ty))
            }
        }
    }

    /// The value of an expression; `None` for `void`.
    pub fn value_or_void(&mut self, id: ExprId) -> Option<Value> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.value_inner(id))
    }

    fn value_inner(&mut self, id: ExprId) -> Option<Value> {
        let hir = self.cx.hir;
        let expr = &hir.exprs[id];
        let ty = expr.ty.ty;
        self.span = expr.span;
        Some(match &expr.kind {
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::CompoundLiteral { .. } => {
                let place = self.place(id);
                self.load(&place)
            }
            ExprKind::Member { base, field } => {
                if hir.is_lvalue(id) {
                    let place = self.place(id);
                    return Some(self.load(&place));
                }
                self.member_value(*base, *field)
            }
            ExprKind::Swizzle { base, swizzle } => {
                let vector = self.value(*base);
                let mask: Vec<u32> = swizzle
                    .as_slice()
                    .iter()
                    .map(|&component| match component {
                        Swizzle::UNDEFINED => 0,
                        component => u32::from(component),
                    })
                    .collect();
                self.build(|b| b.shuffle(vector, vector, &mask))
            }
            ExprKind::VectorElement { base, index } => {
                let vector = self.value(*base);
                let index = self.value(*index);
                self.build(|b| b.extract_dynamic(vector, index))
            }
            ExprKind::Constant(bits) => {
                let ty = self.lower_type(ty);
                self.cx.scalar_constant(ty, *bits)
            }
            ExprKind::ConstantValue(constant) => {
                self.cx.addressed_globals(constant, expr.span);
                match self.cx.constant(constant, ty) {
                    Some(value) => value,
                    None => {
                        self.cx.unsupported(expr.span, "this constant");
                        return None;
                    }
                }
            }
            ExprKind::Null => {
                let ty = self.lower_type(ty);
                self.build(|b| b.zero(ty))
            }
            ExprKind::Load(place) if self.is_named_block(*place) => {
                let ty = self.lower_type(ty);
                self.build(|b| b.zero(ty))
            }
            ExprKind::Load(place) => self.lvalue_conversion(*place),
            ExprKind::AddressOf(place) => {
                let memory = self.memory(*place);
                self.as_type(memory.pointer, ty)
            }
            ExprKind::Decay(place) => {
                let memory = self.memory(*place);
                self.span = expr.span;
                self.first_element(memory.pointer, ty)
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand, ty),
            ExprKind::Binary { op, left, right } => {
                let right_type = hir.exprs[*right].ty.ty;
                let left = self.value(*left);
                let right = self.value(*right);
                self.span = expr.span;
                self.arithmetic(*op, ty, left, right, right_type)
            }
            ExprKind::Compare { op, left, right } => {
                let truth = self.comparison(*op, *left, *right);
                let ty = self.lower_type(ty);
                self.integer_truth(truth, ty)
            }
            ExprKind::Logical { op, left, right } => {
                let truth = if self.types().is_vector(ty) {
                    let left = self.value(*left);
                    let left = self.nonzero(left);
                    let right = self.value(*right);
                    let right = self.nonzero(right);
                    let op = match op {
                        hir::LogicalOp::And => clc_ir::BinaryOp::And,
                        hir::LogicalOp::Or => clc_ir::BinaryOp::Or,
                    };
                    self.build(|b| b.binary(op, left, right))
                } else {
                    self.truth(id)
                };
                let ty = self.lower_type(ty);
                self.integer_truth(truth, ty)
            }
            ExprKind::PtrAdd { pointer, index, negate } => {
                self.pointer_offset(*pointer, *index, *negate, expr.span).pointer
            }
            ExprKind::PtrDiff { left, right } => self.pointer_difference(*left, *right),
            ExprKind::Conditional { condition, then, otherwise } => {
                return self.conditional(*condition, *then, *otherwise, ty);
            }
            ExprKind::VectorSelect { condition, then, otherwise } => {
                let condition = self.lane_truth(*condition);
                let then = self.value(*then);
                let otherwise = self.value(*otherwise);
                self.build(|b| b.select(condition, then, otherwise))
            }
            ExprKind::Assign { lvalue: place, value } => return self.assign(*place, *value),
            ExprKind::CompoundAssign { op, lvalue: place, value, compute } => {
                self.compound_assign(*op, *place, *value, *compute)
            }
            ExprKind::PtrAssign { lvalue: place, index, negate } => {
                let place = self.place(*place);
                let index = self.index(*index);
                let old = self.load(&place);
                let new = self.offset(old, index, *negate);
                self.store(&place, new);
                new
            }
            ExprKind::IncDec { lvalue: place, increment, prefix } => {
                let place = self.place(*place);
                let old = self.load(&place);
                let new = self.step(ty, old, *increment);
                self.store(&place, new);
                if *prefix { new } else { old }
            }
            ExprKind::Convert { operand, rounding, saturate } => {
                let from = hir.exprs[*operand].ty.ty;
                // A comparison that becomes a boolean again needs no integer in between.
                if ty == source::TypeTable::BOOL && !self.types().is_vector(from) {
                    let truth = self.truth(*operand);
                    return Some(self.integer_truth(truth, TypePool::I8));
                }
                let value = self.value(*operand);
                self.span = expr.span;
                self.convert(value, from, ty, *rounding, *saturate)
            }
            ExprKind::Splat(operand) => {
                let value = self.value(*operand);
                let is_matrix = self.is_matrix(ty);
                let ty = self.lower_type(ty);
                match is_matrix {
                    true => self.matrix(MatrixOp::Fill, &[value], ty),
                    false => self.build(|b| b.splat(ty, value)),
                }
            }
            ExprKind::Reinterpret(operand) => {
                let value = self.value(*operand);
                self.reinterpret(value, ty)
            }
            ExprKind::SpaceCast(operand) => {
                let value = self.value(*operand);
                self.space_cast(value, ty)
            }
            ExprKind::SpaceQuery(operand) => {
                let pointer = self.value(*operand);
                let space =
                    self.types().as_pointer(ty).map_or(AddressSpace::Private, |(_, space)| space);
                let ty = self.lower_type(ty);
                self.build(|b| b.generic_to(pointer, space, ty))
            }
            ExprKind::IntToPtr(operand) => {
                let signed = self
                    .types()
                    .as_scalar(hir.exprs[*operand].ty.ty)
                    .is_some_and(clc_builtins::Scalar::is_signed);
                let value = self.value(*operand);
                let bits = (self.cx.hir.types.pointer_size * 8) as u8;
                let value = self.resize(value, signed, bits);
                let ty = self.lower_type(ty);
                self.build(|b| b.convert(ConvertOp::IntToPtr, value, ty))
            }
            ExprKind::PtrToInt(operand) => {
                let value = self.value(*operand);
                let ty = self.lower_type(ty);
                let bits = self.cx.module.types.scalar_bits(ty).unwrap_or(64);
                let value = self.build(|b| {
                    let size = b.types.size_type();
                    b.convert(ConvertOp::PtrToInt, value, size)
                });
                self.resize(value, false, bits)
            }
            ExprKind::ToVoid(operand) => {
                self.effect(*operand);
                return None;
            }
            ExprKind::Call { callee, arguments } => return self.call(*callee, arguments, ty),
            ExprKind::Block { function } => self.block_literal(*function),
            ExprKind::BlockCall { function, operands } => {
                let hir::BlockOperands { block, arguments } = &**operands;
                return self.block_call(*function, *block, arguments, ty);
            }
            ExprKind::EnqueuedBlock { function: _, block } => self.value(*block),
            ExprKind::Intrinsic { intrinsic, arguments } => {
                let arguments = self.intrinsic_arguments(*intrinsic, arguments);
                self.span = expr.span;
                let is_bool = ty == source::TypeTable::BOOL;
                let ty = self.lower_type(ty);
                return match intrinsic {
                    Intrinsic::SpecConstant if is_bool => self.spec_boolean(&arguments, ty),
                    _ => self.intrinsic(*intrinsic, &arguments, ty),
                };
            }
            ExprKind::VectorBuild(parts) => {
                let parts: Vec<Value> = parts.iter().map(|&part| self.value(part)).collect();
                let ty = self.lower_type(ty);
                self.build(|b| b.construct(ty, &parts))
            }
            ExprKind::Aggregate(_) => self.aggregate_value(id),
            ExprKind::Comma(parts) => {
                let (last, first) = parts.split_last()?;
                for &part in first {
                    self.effect(part);
                }
                return self.value_or_void(*last);
            }
            ExprKind::Statements(body) => {
                let hir::StatementExpression { stmts, value } = &**body;
                for &stmt in stmts {
                    self.stmt(stmt);
                }
                return value.and_then(|value| self.value_or_void(value));
            }
            ExprKind::Error => {
                self.cx.unsupported(expr.span, "this expression");
                return None;
            }
        })
    }

    fn lvalue_conversion(&mut self, place: ExprId) -> Value {
        let expr = self.expr_data(place);
        match &expr.kind {
            ExprKind::Local(local) => {
                if let Some(Slot::Value(value)) = self.locals[local.0 as usize] {
                    return value;
                }
            }
            // A sampler declared in the program is a literal, not an object in memory.
            ExprKind::Global(global) => {
                if let Some(hir::Constant::Sampler(sampler)) =
                    &self.cx.hir.globals[*global].initializer
                {
                    let ty = self.lower_type(expr.ty.ty);
                    return self.cx.module.consts.intern(Const::Sampler(ty, sampler.bits));
                }
            }
            _ => {}
        }
        let span = self.span;
        let place = self.place(place);
        self.span = span;
        self.load(&place)
    }

    fn unary(&mut self, op: hir::UnaryOp, operand: ExprId, ty: TypeId) -> Value {
        match op {
            hir::UnaryOp::Negate if self.is_matrix(ty) => {
                let value = self.value(operand);
                let ty = self.lower_type(ty);
                self.matrix(MatrixOp::Negate, &[value], ty)
            }
            hir::UnaryOp::Negate => {
                let op =
                    if self.is_float(ty) { clc_ir::UnaryOp::FNeg } else { clc_ir::UnaryOp::INeg };
                let value = self.value(operand);
                self.build(|b| b.unary(op, value))
            }
            hir::UnaryOp::BitNot => {
                let value = self.value(operand);
                self.build(|b| b.unary(clc_ir::UnaryOp::Not, value))
            }
            hir::UnaryOp::LogicalNot => {
                let truth = if self.types().is_vector(ty) {
                    let value = self.value(operand);
                    self.nonzero(value)
                } else {
                    self.truth(operand)
                };
                let truth = self.build(|b| b.unary(clc_ir::UnaryOp::Not, truth));
                let ty = self.lower_type(ty);
                self.integer_truth(truth, ty)
            }
        }
    }

    fn member_value(&mut self, base: ExprId, field: u32) -> Value {
        let record = self.expr_data(base).ty.ty;
        let source::Type::Record(id) = self.types().get(record) else {
            unreachable!("members belong to records")
        };
        let value = self.value(base);
        let cx = &mut *self.cx;
        let layout = cx.types.record(&mut cx.module.types, &cx.hir.types, cx.names, *id);
        if layout.is_union {
            let pointer = self.spill(value);
            let align = self.types().align(record);
            let union = Memory { pointer, align, volatile: false, punned: true };
            let member = self.member(union, record, field, false);
            return self.load_memory(member);
        }
        let index = layout.fields[field as usize];
        self.build(|b| b.extract(value, &[index]))
    }

    fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: TypeId,
    ) -> Option<Value> {
        let lowered = self.lower_type(ty);
        let scalar = matches!(
            self.cx.module.types.kind(lowered),
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Pointer { .. }
        );
        if scalar && self.is_cheap(then, 3) && self.is_cheap(otherwise, 3) {
            let condition = self.truth(condition);
            let then = self.value(then);
            let otherwise = self.value(otherwise);
            return Some(self.build(|b| b.select(condition, then, otherwise)));
        }
        let then_block = self.new_block();
        let else_block = self.new_block();
        let join = self.new_block();
        let result =
            (lowered != TypePool::VOID).then(|| self.function.add_block_param(join, lowered));
        self.condition(condition, then_block, else_block);
        for (block, side) in [(then_block, then), (else_block, otherwise)] {
            self.switch_to(block);
            match result {
                Some(_) => {
                    let value = self.value(side);
                    self.build(|b| b.jump(join, &[value]));
                }
                None => {
                    self.effect(side);
                    self.build(|b| b.jump(join, &[]));
                }
            }
        }
        self.switch_to(join);
        result
    }

    fn assign(&mut self, place: ExprId, value: ExprId) -> Option<Value> {
        let ty = self.expr_data(place).ty.ty;
        let span = self.span;
        if matches!(self.types().get(ty), source::Type::Record(_)) {
            let destination = self.memory(place);
            // Evaluated as a whole before the store: the value may read the destination.
            self.assign_object(destination, value);
            return Some(self.load_memory_lazily(destination));
        }
        let place = self.place(place);
        let value = self.value(value);
        self.span = span;
        self.store(&place, value);
        Some(value)
    }

    /// The value of a record assignment; it is rarely used, and dead loads are removed.
    fn load_memory_lazily(&mut self, memory: Memory) -> Value {
        let memory = Memory { volatile: false, ..memory };
        self.load_memory(memory)
    }

    fn compound_assign(
        &mut self,
        op: hir::BinaryOp,
        place: ExprId,
        value: ExprId,
        compute: TypeId,
    ) -> Value {
        let span = self.span;
        let ty = self.expr_data(place).ty.ty;
        let right_type = self.expr_data(value).ty.ty;
        let place: Place = self.place(place);
        let right = self.value(value);
        self.span = span;
        let old = self.load(&place);
        let left = self.convert(old, ty, compute, None, false);
        let result = self.arithmetic(op, compute, left, right, right_type);
        let new = self.convert(result, compute, ty, None, false);
        self.store(&place, new);
        new
    }

    fn space_cast(&mut self, value: Value, to: TypeId) -> Value {
        let target = self.lower_type(to);
        self.build(|b| {
            let (Some((pointee, from)), Some((wanted, class))) =
                (b.types.pointer_parts(b.ty(value)), b.types.pointer_parts(target))
            else {
                unreachable!("address-space casts are between pointers")
            };
            let mut value = value;
            if pointee != wanted {
                let same_class = b.types.pointer(wanted, from);
                value = b.bitcast(value, same_class);
            }
            match (from, class) {
                (from, class) if from == class => value,
                (_, StorageClass::Generic) => b.convert(ConvertOp::ToGeneric, value, target),
                (StorageClass::Generic, _) => b.convert(ConvertOp::FromGeneric, value, target),
                _ => unreachable!("named address spaces do not convert into each other"),
            }
        })
    }

    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[Value],
        result: Type,
    ) -> Option<Value> {
        match intrinsic {
            Intrinsic::Sync(call) => {
                let widest = self.cx.hir.widest_scope;
                self.build(|b| synchronisation::lower(b, call, arguments, result, widest))
            }
            Intrinsic::Media(op) => self.build(|b| media::lower(b, op, arguments, result)),
            Intrinsic::AsyncWorkGroupCopy2D | Intrinsic::AsyncWorkGroupCopy3D => {
                self.copy_lines(arguments, result)
            }
            Intrinsic::AsyncWorkGroupCopy | Intrinsic::AsyncWorkGroupStridedCopy => {
                self.copy_elements(intrinsic, arguments, result)
            }
            Intrinsic::AsyncWorkGroupCopyFence => self.copy_fence(arguments),
            Intrinsic::IsEqual => self.relation(CompareOp::FEqual, arguments, result),
            Intrinsic::IsNotEqual => self.relation(CompareOp::FNotEqual, arguments, result),
            Intrinsic::IsGreater => self.relation(CompareOp::FGreater, arguments, result),
            Intrinsic::IsGreaterEqual => self.relation(CompareOp::FGreaterEqual, arguments, result),
            Intrinsic::IsLess => self.relation(CompareOp::FLess, arguments, result),
            Intrinsic::IsLessEqual => self.relation(CompareOp::FLessEqual, arguments, result),
            _ => self.build(|b| b.intrinsic(intrinsic, arguments, result)),
        }
    }

    /// A comparison that gives 1 or, in vectors, -1 (OpenCL C 6.15.6).
    fn relation(&mut self, op: CompareOp, arguments: &[Value], result: Type) -> Option<Value> {
        let &[left, right] = arguments else { return None };
        let truth = self.build(|b| b.compare(op, left, right));
        Some(self.integer_truth(truth, result))
    }

    /// A specialization constant of type `bool`, which modules have as a boolean, as hosts set it.
    fn spec_boolean(&mut self, arguments: &[Value], ty: Type) -> Option<Value> {
        self.build(|b| {
            let default = b.constant_int(arguments[1]).is_some_and(|bits| bits != 0);
            let default = b.consts.intern(Const::Bool(default));
            let operands = [arguments[0], default];
            let value = b.intrinsic(Intrinsic::SpecConstant, &operands, TypePool::BOOL)?;
            let (one, zero) = (b.int(ty, 1), b.int(ty, 0));
            Some(b.select(value, one, zero))
        })
    }

    fn call(&mut self, callee: hir::FuncId, arguments: &[ExprId], result: TypeId) -> Option<Value> {
        let span = self.span;
        let function = self.cx.function(callee, span);
        let is_kernel = self.cx.hir.functions[callee].kernel.is_some();
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let ty = self.expr_data(argument).ty.ty;
            let mut value = self.value(argument);
            if is_kernel && matches!(self.types().get(ty), source::Type::Record(_)) {
                value = self.spill(value);
            }
            values.push(value);
        }
        self.span = span;
        let result = self.lower_type(result);
        self.build(|b| b.call(function, &values, result))
    }
}
