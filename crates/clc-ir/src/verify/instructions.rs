//! The types of an instruction's operands and result, and what else its kind asks for: the
//! invariants 5, 7, 10, 12 and 14.

use clc_base::memory_model::{AtomicOp, MemoryOrder};
use clc_builtins::{Intrinsic, MatrixOp, MatrixUse};

use super::{Check, Verifier};
use crate::{
    BinaryOp, CompareOp, Const, ConvertOp, Inst, InstKind, MathFlags, MatrixType, StorageClass,
    Type, TypeKind, TypePool, UnaryOp, Value,
};

impl Verifier<'_> {
    pub(super) fn inst(&self, inst: Inst) -> Check {
        let data = &self.function.insts[inst];
        let result = data.result.map_or(TypePool::VOID, |value| self.ty(value));
        match self.well_typed(data.kind, result) {
            Some(true) => {}
            Some(false) | None => {
                return Err(self.at(inst, "operands or result have the wrong types"));
            }
        }
        let may_wrap = matches!(
            data.kind,
            InstKind::Binary { op: BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::IMul, .. }
        );
        if data.math.has(MathFlags::NO_SIGNED_WRAP) && !may_wrap {
            return Err(self.at(inst, "`nsw` is said of what cannot wrap"));
        }
        Ok(())
    }

    /// Whether the types fit; `None` stands for no, too, so that `?` reads well.
    fn well_typed(&self, kind: InstKind, result: Type) -> Option<bool> {
        let types = &self.module.types;
        let function = self.function;
        let lanes = |ty| types.lanes(ty);
        Some(match kind {
            InstKind::Binary { op, left, right } => {
                let ty = self.ty(left);
                let class = match op {
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                        types.is_int(ty) || types.is_bool(ty)
                    }
                    BinaryOp::FAdd
                    | BinaryOp::FSub
                    | BinaryOp::FMul
                    | BinaryOp::FDiv
                    | BinaryOp::FRem => types.is_float(ty),
                    BinaryOp::IAdd
                    | BinaryOp::ISub
                    | BinaryOp::IMul
                    | BinaryOp::SDiv
                    | BinaryOp::UDiv
                    | BinaryOp::SRem
                    | BinaryOp::URem
                    | BinaryOp::Shl
                    | BinaryOp::LShr
                    | BinaryOp::AShr => types.is_int(ty),
                };
                class && self.ty(right) == ty && result == ty
            }
            InstKind::Unary { op, operand } => {
                let ty = self.ty(operand);
                let class = match op {
                    UnaryOp::INeg => types.is_int(ty),
                    UnaryOp::FNeg => types.is_float(ty),
                    UnaryOp::Not => types.is_int(ty) || types.is_bool(ty),
                };
                class && result == ty
            }
            InstKind::Compare { op, left, right } => {
                let ty = self.ty(left);
                let class = match op {
                    CompareOp::Equal | CompareOp::NotEqual => {
                        types.is_int(ty)
                            || types.is_bool(ty)
                            || types.is_pointer(ty)
                            || !matches!(
                                types.kind(ty),
                                TypeKind::Float(_)
                                    | TypeKind::Vector(..)
                                    | TypeKind::Array(..)
                                    | TypeKind::Struct(_)
                            )
                    }
                    CompareOp::SLess
                    | CompareOp::SLessEqual
                    | CompareOp::SGreater
                    | CompareOp::SGreaterEqual
                    | CompareOp::ULess
                    | CompareOp::ULessEqual
                    | CompareOp::UGreater
                    | CompareOp::UGreaterEqual => types.is_int(ty) || types.is_pointer(ty),
                    CompareOp::FEqual
                    | CompareOp::FNotEqual
                    | CompareOp::FLess
                    | CompareOp::FLessEqual
                    | CompareOp::FGreater
                    | CompareOp::FGreaterEqual => types.is_float(ty),
                };
                class && self.ty(right) == ty && types.is_bool(result) && lanes(result) == lanes(ty)
            }
            InstKind::Select { condition, then, otherwise } => {
                let condition = self.ty(condition);
                types.is_bool(condition)
                    && lanes(condition) == lanes(result)
                    && self.ty(then) == result
                    && self.ty(otherwise) == result
            }
            InstKind::Convert { op, operand, rounding: _, saturate: _ } => {
                self.conversion(op, self.ty(operand), result)?
            }
            InstKind::Load { pointer, access } => {
                let (pointee, _) = types.pointer_parts(self.ty(pointer))?;
                pointee == result && access.align.is_power_of_two() && self.in_memory(result)
            }
            InstKind::Store { pointer, value, access } => {
                let (pointee, class) = types.pointer_parts(self.ty(pointer))?;
                pointee == self.ty(value)
                    && class != StorageClass::ReadOnlyBuffer
                    && !access.flags.unwritten
                    && access.align.is_power_of_two()
                    && self.in_memory(pointee)
                    && result == TypePool::VOID
            }
            InstKind::CopyMemory { destination, source, size, access } => {
                types.is_pointer(self.ty(destination))
                    && types.is_pointer(self.ty(source))
                    && types.is_int(self.ty(size))
                    && access.align.is_power_of_two()
                    && result == TypePool::VOID
            }
            InstKind::Variable { ty, align } => {
                types.pointer_parts(result) == Some((ty, StorageClass::Function))
                    && align.is_power_of_two()
                    && self.in_memory(ty)
            }
            InstKind::PtrAdd { base, index } => {
                types.is_pointer(result)
                    && self.ty(base) == result
                    && matches!(types.kind(self.ty(index)), TypeKind::Int(_))
            }
            InstKind::Access { base, indices } => {
                let (mut ty, class) = types.pointer_parts(self.ty(base))?;
                for index in function.values_of(indices) {
                    if !matches!(types.kind(self.ty(index)), TypeKind::Int(_)) {
                        return Some(false);
                    }
                    ty = match types.kind(ty) {
                        TypeKind::Array(element, _) | TypeKind::Vector(element, _) => element,
                        TypeKind::Matrix(matrix) => matrix.element,
                        TypeKind::Struct(_) => match self.module.consts.get(index.as_const()?) {
                            Const::Int(_, field) => {
                                types.component(ty, u32::try_from(*field).ok()?)?
                            }
                            _ => return Some(false),
                        },
                        _ => return Some(false),
                    };
                }
                types.pointer_parts(result) == Some((ty, class))
            }
            InstKind::Extract { aggregate, path } => {
                self.component(self.ty(aggregate), function.numbers_of(path))? == result
            }
            InstKind::Insert { aggregate, element, path } => {
                self.ty(aggregate) == result
                    && self.component(result, function.numbers_of(path))? == self.ty(element)
            }
            InstKind::ExtractDynamic { vector, index } => {
                let vector = self.ty(vector);
                lanes(vector) > 1
                    && types.scalar(vector) == result
                    && matches!(types.kind(self.ty(index)), TypeKind::Int(_))
            }
            InstKind::InsertDynamic { vector, element, index } => {
                lanes(result) > 1
                    && self.ty(vector) == result
                    && self.ty(element) == types.scalar(result)
                    && matches!(types.kind(self.ty(index)), TypeKind::Int(_))
            }
            InstKind::Shuffle { left, right, mask } => {
                let (left, right) = (self.ty(left), self.ty(right));
                let total = u32::from(lanes(left)) + u32::from(lanes(right));
                let mask = function.numbers_of(mask);
                lanes(left) > 1
                    && lanes(right) > 1
                    && types.scalar(left) == types.scalar(right)
                    && types.scalar(result) == types.scalar(left)
                    && usize::from(lanes(result)) == mask.len()
                    && mask.iter().all(|&index| index == u32::MAX || index < total)
            }
            InstKind::Construct { parts } => match types.kind(result) {
                TypeKind::Vector(element, count) => {
                    let mut total = 0;
                    for part in function.values_of(parts) {
                        if types.scalar(self.ty(part)) != element {
                            return Some(false);
                        }
                        total += u32::from(lanes(self.ty(part)));
                    }
                    total == u32::from(count)
                }
                TypeKind::Array(_, len) => {
                    len == parts.len() as u64 && self.parts_fit(result, function.values_of(parts))
                }
                TypeKind::Struct(id) => {
                    types.struct_data(id).fields.len() == parts.len()
                        && self.parts_fit(result, function.values_of(parts))
                }
                _ => false,
            },
            InstKind::Call { callee, arguments } => {
                let callee = self.module.functions.get(callee)?;
                callee.result == result
                    && callee.params.len() == arguments.len()
                    && callee
                        .params
                        .iter()
                        .zip(function.values_of(arguments))
                        .all(|(&param, argument)| self.ty(argument) == param)
            }
            InstKind::Intrinsic { intrinsic: Intrinsic::Matrix(op), arguments } => {
                let arguments: Vec<Value> = function.values_of(arguments).collect();
                self.matrix_operation(op, &arguments, result)?
            }
            // The emitter knows the signatures.
            InstKind::Intrinsic { intrinsic, arguments: _ } => !intrinsic.is_written_out(),
            InstKind::AtomicLoad { pointer, ordering } => {
                self.atomic_object(pointer)? == result && ordering.order == ordering.order.of_load()
            }
            InstKind::AtomicStore { pointer, value, ordering } => {
                self.atomic_object(pointer)? == self.ty(value)
                    && ordering.order == ordering.order.of_store()
                    && result == TypePool::VOID
            }
            InstKind::AtomicModify { op, pointer, value, ordering: _ } => {
                self.atomic_object(pointer)? == result
                    && self.ty(value) == result
                    && (op == AtomicOp::Exchange || op.is_float() == types.is_float(result))
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
                self.atomic_object(pointer)? == result
                    && types.is_int(result)
                    && self.ty(comparand) == result
                    && self.ty(desired) == result
                    && failure == failure.of_load()
                    && ordering.order == ordering.order.at_least(failure)
            }
            InstKind::Fence(fence) => {
                !fence.memory.is_empty()
                    && fence.order != MemoryOrder::Relaxed
                    && result == TypePool::VOID
            }
            InstKind::Barrier { execution: _, part: _, fence: _ } => result == TypePool::VOID,
            InstKind::GenericTo { pointer, space: _ } => {
                let (pointee, class) = types.pointer_parts(self.ty(pointer))?;
                let (to, named) = types.pointer_parts(result)?;
                class == StorageClass::Generic && named != StorageClass::Generic && pointee == to
            }
        })
    }

    fn matrix_operation(&self, op: MatrixOp, arguments: &[Value], result: Type) -> Option<bool> {
        let types = &self.module.types;
        let matrix = |value: Value| types.matrix(self.ty(value));
        // The stride counts what the pointer points to, which need not be an element.
        let memory = |pointer: Value| {
            let pointee = types.pointer_parts(self.ty(pointer)).map(|(to, _)| types.scalar(to));
            pointee
                .is_some_and(|to| matches!(types.kind(to), TypeKind::Int(_) | TypeKind::Float(_)))
        };
        let number = |value: Value| matches!(types.kind(self.ty(value)), TypeKind::Int(_));
        let constant = |value: Value| {
            matches!(value.as_const().map(|id| self.module.consts.get(id)), Some(Const::Int(..)))
        };
        Some(match (op, arguments) {
            (MatrixOp::Load, &[pointer, layout, stride]) => {
                types.matrix(result).is_some()
                    && memory(pointer)
                    && constant(layout)
                    && number(stride)
            }
            (MatrixOp::Store, &[pointer, object, layout, stride]) => {
                memory(pointer)
                    && matrix(object).is_some()
                    && constant(layout)
                    && number(stride)
                    && result == TypePool::VOID
            }
            (MatrixOp::MulAdd, &[a, b, c] | &[a, b, c, _]) => {
                let (left, right, sum) = (matrix(a)?, matrix(b)?, matrix(c)?);
                arguments.get(3).is_none_or(|&operands| constant(operands))
                    && [left.role, right.role, sum.role] == MatrixUse::ALL
                    && left.columns == right.rows
                    && (left.rows, right.columns) == (sum.rows, sum.columns)
                    && result == self.ty(c)
            }
            (MatrixOp::Fill, &[scalar]) => types.matrix(result)?.element == self.ty(scalar),
            (MatrixOp::Length, &[object]) => matrix(object).is_some() && result == TypePool::I32,
            (
                MatrixOp::Add | MatrixOp::Subtract | MatrixOp::Multiply | MatrixOp::Divide,
                &[left, right],
            ) => matrix(left).is_some() && self.ty(right) == result && self.ty(left) == result,
            (MatrixOp::Negate, &[operand]) => {
                matrix(operand).is_some() && self.ty(operand) == result
            }
            (MatrixOp::Convert, &[operand]) => {
                let (from, to) = (matrix(operand)?, types.matrix(result)?);
                MatrixType { element: to.element, is_signed: to.is_signed, ..from } == to
            }
            _ => false,
        })
    }

    /// The type of what an atomic works on: a scalar.
    fn atomic_object(&self, pointer: Value) -> Option<Type> {
        let types = &self.module.types;
        let (object, _) = types.pointer_parts(self.ty(pointer))?;
        matches!(types.kind(object), TypeKind::Int(_) | TypeKind::Float(_)).then_some(object)
    }

    fn parts_fit(&self, ty: Type, parts: impl Iterator<Item = Value>) -> bool {
        parts.enumerate().all(|(index, part)| {
            self.module.types.component(ty, index as u32) == Some(self.ty(part))
        })
    }

    fn component(&self, ty: Type, path: &[u32]) -> Option<Type> {
        path.iter().try_fold(ty, |ty, &index| self.module.types.component(ty, index))
    }

    /// Whether values of this type can be in memory.
    fn in_memory(&self, ty: Type) -> bool {
        !self.module.types.is_bool(ty) && ty != TypePool::VOID
    }

    fn conversion(&self, op: ConvertOp, from: Type, to: Type) -> Option<bool> {
        let types = &self.module.types;
        let same_lanes = types.lanes(from) == types.lanes(to);
        let ints = types.is_int(from) && types.is_int(to) && same_lanes;
        let width = |ty| types.scalar_bits(ty);
        Some(match op {
            ConvertOp::Truncate => ints && width(from)? > width(to)?,
            ConvertOp::ZeroExtend | ConvertOp::SignExtend => ints && width(from)? < width(to)?,
            ConvertOp::SaturateSToS
            | ConvertOp::SaturateSToU
            | ConvertOp::SaturateUToS
            | ConvertOp::SaturateUToU => ints,
            ConvertOp::FToS | ConvertOp::FToU => {
                types.is_float(from) && types.is_int(to) && same_lanes
            }
            ConvertOp::SToF | ConvertOp::UToF => {
                types.is_int(from) && types.is_float(to) && same_lanes
            }
            ConvertOp::FToF => types.is_float(from) && types.is_float(to) && same_lanes,
            ConvertOp::Bitcast => match (types.pointer_parts(from), types.pointer_parts(to)) {
                (Some((_, from)), Some((_, to))) => from == to,
                (None, None) => {
                    let bits = |ty| Some(u32::from(width(ty)?) * u32::from(types.lanes(ty)));
                    bits(from)? == bits(to)?
                }
                _ => false,
            },
            ConvertOp::PtrToInt => types.is_pointer(from) && types.is_int(to),
            ConvertOp::IntToPtr => types.is_int(from) && types.is_pointer(to),
            ConvertOp::ToGeneric => {
                let (pointee, class) = types.pointer_parts(from)?;
                class != StorageClass::Generic
                    && class != StorageClass::UniformConstant
                    && types.pointer_parts(to) == Some((pointee, StorageClass::Generic))
            }
            ConvertOp::FromGeneric => {
                let (pointee, class) = types.pointer_parts(to)?;
                class != StorageClass::Generic
                    && types.pointer_parts(from) == Some((pointee, StorageClass::Generic))
            }
        })
    }
}
