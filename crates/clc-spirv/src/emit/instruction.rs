//! Instructions, one by one.

use clc_base::AddressSpace;
use clc_builtins::resolve::Rounding;
use clc_ir::{
    BinaryOp, CompareOp, Const, ConvertOp, InstData, InstKind, MathFlags, MemoryAccess,
    StorageClass, Type, TypeKind, TypePool, UnaryOp, Value, ValueList,
};
use smallvec::SmallVec;
use spirv::{Decoration, Op};

use super::helpers::rounding_mode;
use super::types::FUNCTION_CLASS;
use super::{Call, FunctionEmitter, Id};
use crate::intrinsics;

/// Lane of a shuffle that is undefined.
const UNDEFINED_LANE: u32 = u32::MAX;

impl FunctionEmitter<'_, '_> {
    /// Appends an instruction; returns the id of its result, 0 for none.
    pub(super) fn instruction(&mut self, data: &InstData) -> Id {
        let function = self.function;
        let ty = data.result.map_or(TypePool::VOID, |result| self.ty(result));
        match data.kind {
            InstKind::Binary { op, left, right } => self.binary(op, ty, left, right, data.math),
            InstKind::Unary { op, operand } => self.unary(op, ty, operand, data.math),
            InstKind::Compare { op, left, right } => self.compare(op, ty, left, right),
            InstKind::Select { condition, then, otherwise } => {
                let condition_type = self.ty(condition);
                let condition = self.operand(condition);
                let then = self.operand(then);
                let otherwise = self.operand(otherwise);
                self.select(condition, condition_type, ty, then, otherwise)
            }
            InstKind::Convert { op, operand, rounding, saturate } => {
                self.convert(op, ty, operand, rounding, saturate)
            }
            InstKind::Load { pointer, access } => {
                let class = self.pointer_parts(pointer).map(|(_, class)| class);
                let element = self.signed_element(pointer);
                let mut pointer = self.operand(pointer);
                if class == Some(StorageClass::ReadOnlyBuffer) {
                    pointer = self.member_of_block(pointer, ty);
                    self.small_storage(ty);
                }
                if class == Some(StorageClass::PhysicalStorageBuffer) {
                    self.small_storage(ty);
                }
                let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
                operands.push(pointer);
                self.memory_operands(class, access, &mut operands);
                if let Some(element) = element {
                    let value = self.op_raw(Op::Load, element, &operands);
                    return self.op(Op::Bitcast, ty, &[value]);
                }
                self.op(Op::Load, ty, &operands)
            }
            InstKind::Store { pointer, value, access } => {
                let class = self.pointer_parts(pointer).map(|(_, class)| class);
                let element = self.signed_element(pointer);
                let pointer = self.operand(pointer);
                if class == Some(StorageClass::PhysicalStorageBuffer) {
                    self.small_storage(self.ty(value));
                }
                let mut value = self.operand(value);
                if let Some(element) = element {
                    value = self.op_raw(Op::Bitcast, element, &[value]);
                }
                let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
                operands.extend_from_slice(&[pointer, value]);
                self.memory_operands(class, access, &mut operands);
                self.op_void(Op::Store, &operands);
                0
            }
            InstKind::CopyMemory { destination, source, size, access } => {
                let destination = self.operand(destination);
                let source = self.operand(source);
                let size = self.operand(size);
                let mut operands: SmallVec<[u32; 5]> = SmallVec::new();
                operands.extend_from_slice(&[destination, source, size]);
                memory_operands(access, &mut operands);
                self.op_void(Op::CopyMemorySized, &operands);
                0
            }
            // Written at the head of the function.
            InstKind::Variable { ty: _, align: _ } => 0,
            InstKind::PtrAdd { base, index } => {
                let base = self.operand(base);
                let index = self.operand(index);
                self.op(Op::InBoundsPtrAccessChain, ty, &[base, index])
            }
            InstKind::Access { base, indices } => {
                let element = data.result.and_then(|result| self.signed_element(result));
                self.access(ty, element, base, indices)
            }
            InstKind::Extract { aggregate, path } => {
                let path = function.numbers_of(path);
                let inner = self.vector_inside(self.ty(aggregate), path);
                let aggregate = self.operand(aggregate);
                match (inner, path) {
                    (Some(vector), [outer @ .., lane]) => {
                        let vector = self.extract(aggregate, vector, outer);
                        self.extract(vector, ty, &[*lane])
                    }
                    _ => self.extract(aggregate, ty, path),
                }
            }
            InstKind::Insert { aggregate, element, path } => {
                let path = function.numbers_of(path);
                let inner = self.vector_inside(self.ty(aggregate), path);
                let element = self.operand(element);
                let aggregate = self.operand(aggregate);
                match (inner, path) {
                    (Some(vector), [outer @ .., lane]) => {
                        let old = self.extract(aggregate, vector, outer);
                        let new = self.insert(old, element, vector, &[*lane]);
                        self.insert(aggregate, new, ty, outer)
                    }
                    _ => self.insert(aggregate, element, ty, path),
                }
            }
            InstKind::ExtractDynamic { vector, index } => {
                let vector = self.operand(vector);
                let index = self.operand(index);
                self.op(Op::VectorExtractDynamic, ty, &[vector, index])
            }
            InstKind::InsertDynamic { vector, element, index } => {
                let vector = self.operand(vector);
                let element = self.operand(element);
                let index = self.operand(index);
                self.op(Op::VectorInsertDynamic, ty, &[vector, element, index])
            }
            InstKind::Shuffle { left, right, mask } => {
                let left = self.operand(left);
                let right = self.operand(right);
                self.shuffle(left, right, ty, function.numbers_of(mask))
            }
            InstKind::Construct { parts } => {
                let parts: SmallVec<[Value; 16]> = function.values_of(parts).collect();
                match self.module.types.kind(ty) {
                    TypeKind::Vector(element, _) => self.construct_vector(ty, element, &parts),
                    _ if parts.is_empty() => self.module.constant(Const::Null(ty)),
                    _ => {
                        let parts = self.operands(&parts);
                        self.op(Op::CompositeConstruct, ty, &parts)
                    }
                }
            }
            InstKind::Call { callee, arguments } => {
                self.uses.callees.push(callee);
                let mut operands: SmallVec<[Id; 8]> = SmallVec::new();
                operands.push(self.module.function_id(callee));
                for argument in function.values_of(arguments) {
                    operands.push(self.operand(argument));
                }
                let id = self.op(Op::FunctionCall, ty, &operands);
                if data.result.is_some() { id } else { 0 }
            }
            InstKind::Intrinsic { intrinsic, arguments } => {
                let arguments: SmallVec<[Value; 6]> = function.values_of(arguments).collect();
                let call = Call { intrinsic, arguments: &arguments, result: ty, math: data.math };
                intrinsics::lower(self, &call)
            }
            InstKind::AtomicLoad { pointer, ordering } => self.atomic_load(ty, pointer, ordering),
            InstKind::AtomicStore { pointer, value, ordering } => {
                self.atomic_store(pointer, value, ordering);
                0
            }
            InstKind::AtomicModify { op, pointer, value, ordering } => {
                self.atomic_modify(op, ty, pointer, value, ordering)
            }
            InstKind::AtomicCompareExchange { pointer, comparand, desired, ordering, failure } => {
                self.atomic_compare_exchange(ty, pointer, [comparand, desired], ordering, failure)
            }
            InstKind::Fence(fence) => {
                self.fence(fence);
                0
            }
            InstKind::Barrier { execution, part, fence } => {
                self.barrier(execution, part, fence);
                0
            }
            InstKind::GenericTo { pointer, space } => {
                let class = match space {
                    AddressSpace::Global => spirv::StorageClass::CrossWorkgroup,
                    AddressSpace::Local => spirv::StorageClass::Workgroup,
                    AddressSpace::Constant => spirv::StorageClass::UniformConstant,
                    AddressSpace::Private => spirv::StorageClass::Function,
                    AddressSpace::Generic => spirv::StorageClass::Generic,
                };
                let pointer = self.operand(pointer);
                self.op(Op::GenericCastToPtrExplicit, ty, &[pointer, class as u32])
            }
        }
    }

    /// A vector of scalars and vectors. OpCompositeConstruct takes both, but the Intel runtime
    /// fails on vectors among the constituents, so they are taken apart.
    fn construct_vector(&mut self, ty: Type, element: Type, parts: &[Value]) -> Id {
        // A vector of one part is that part (SPIR-V wants two constituents).
        if let &[part] = parts {
            return self.operand(part);
        }
        let lanes = |this: &Self, value| u32::from(this.module.types.lanes(this.ty(value)));
        if let &[left, right] = parts {
            let (left_lanes, right_lanes) = (lanes(self, left), lanes(self, right));
            if left_lanes > 1 && right_lanes > 1 {
                let mut operands: SmallVec<[u32; 18]> = SmallVec::new();
                operands.extend_from_slice(&[self.operand(left), self.operand(right)]);
                operands.extend(0..left_lanes + right_lanes);
                return self.op(Op::VectorShuffle, ty, &operands);
            }
        }
        let mut scalars: SmallVec<[Id; 16]> = SmallVec::new();
        for &part in parts {
            let id = self.operand(part);
            match lanes(self, part) {
                1 => scalars.push(id),
                count => {
                    for lane in 0..count {
                        scalars.push(self.extract(id, element, &[lane]));
                    }
                }
            }
        }
        self.op(Op::CompositeConstruct, ty, &scalars)
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: Value, right: Value, math: MathFlags) -> Id {
        let left = self.operand(left);
        let right = self.operand(right);
        let is_bool = self.module.types.is_bool(ty);
        let op = match op {
            BinaryOp::IAdd => Op::IAdd,
            BinaryOp::ISub => Op::ISub,
            BinaryOp::IMul => Op::IMul,
            BinaryOp::SDiv => Op::SDiv,
            BinaryOp::UDiv => Op::UDiv,
            BinaryOp::SRem => Op::SRem,
            BinaryOp::URem => Op::UMod,
            BinaryOp::Shl => Op::ShiftLeftLogical,
            BinaryOp::LShr => Op::ShiftRightLogical,
            BinaryOp::AShr => Op::ShiftRightArithmetic,
            BinaryOp::And if is_bool => Op::LogicalAnd,
            BinaryOp::Or if is_bool => Op::LogicalOr,
            BinaryOp::Xor if is_bool => Op::LogicalNotEqual,
            BinaryOp::And => Op::BitwiseAnd,
            BinaryOp::Or => Op::BitwiseOr,
            BinaryOp::Xor => Op::BitwiseXor,
            BinaryOp::FAdd => Op::FAdd,
            BinaryOp::FSub => Op::FSub,
            BinaryOp::FMul => Op::FMul,
            BinaryOp::FDiv => Op::FDiv,
            BinaryOp::FRem => Op::FRem,
        };
        let id = self.op(op, ty, &[left, right]);
        match op {
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem => self.fast_math(id, math),
            _ => {}
        }
        id
    }

    /// The permissions that floating-point options give. Only the arithmetic instructions take
    /// them before SPIR-V 1.6.
    pub fn fast_math(&mut self, id: Id, math: MathFlags) {
        if self.module.shader.is_some() {
            return self.contraction(id, math);
        }
        // The bits of MathFlags are those of FPFastMathMode, contraction aside, which is the
        // default and switched off for whole kernels.
        let mask = u32::from(math.0 & !MathFlags::CONTRACT);
        if mask != 0 {
            self.module.decorate(id, Decoration::FPFastMathMode, &[mask]);
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: Value, math: MathFlags) -> Id {
        let operand = self.operand(operand);
        match op {
            // OpISub wraps, as the negation of an unsigned number does; of an OpSNegate that
            // overflows SPIR-V says nothing.
            UnaryOp::INeg => {
                let zero = self.module.splat_int_value(ty, 0);
                let zero = self.operand(zero);
                self.op(Op::ISub, ty, &[zero, operand])
            }
            UnaryOp::FNeg => {
                let id = self.op(Op::FNegate, ty, &[operand]);
                if self.module.version_at_least(1, 6) {
                    self.fast_math(id, math);
                }
                id
            }
            UnaryOp::Not if self.module.types.is_bool(ty) => {
                self.op(Op::LogicalNot, ty, &[operand])
            }
            UnaryOp::Not => self.op(Op::Not, ty, &[operand]),
        }
    }

    /// A pointer as an integer.
    fn address(&mut self, value: Value) -> Id {
        let size_t = self.module.types.size_type();
        let constant = value.as_const().map(|constant| self.module.consts.get(constant));
        if let Some(Const::Null(_)) = constant {
            return self.module.int_constant(size_t, 0);
        }
        let pointer = self.operand(value);
        self.op(Op::ConvertPtrToU, size_t, &[pointer])
    }

    fn compare(&mut self, op: CompareOp, ty: Type, left: Value, right: Value) -> Id {
        let operand_type = self.ty(left);
        let is_bool = self.module.types.is_bool(operand_type);
        let mut is_pointer = self.module.types.is_pointer(operand_type);
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let (left, right) = if is_pointer && !(equality && self.module.version_at_least(1, 4)) {
            // OpPtrEqual came with SPIR-V 1.4, and there is no order of pointers at all.
            is_pointer = false;
            (self.address(left), self.address(right))
        } else {
            (self.operand(left), self.operand(right))
        };
        let op = match op {
            CompareOp::Equal if is_bool => Op::LogicalEqual,
            CompareOp::NotEqual if is_bool => Op::LogicalNotEqual,
            CompareOp::Equal if is_pointer => Op::PtrEqual,
            CompareOp::NotEqual if is_pointer => Op::PtrNotEqual,
            CompareOp::Equal => Op::IEqual,
            CompareOp::NotEqual => Op::INotEqual,
            CompareOp::SLess => Op::SLessThan,
            CompareOp::SLessEqual => Op::SLessThanEqual,
            CompareOp::SGreater => Op::SGreaterThan,
            CompareOp::SGreaterEqual => Op::SGreaterThanEqual,
            CompareOp::ULess => Op::ULessThan,
            CompareOp::ULessEqual => Op::ULessThanEqual,
            CompareOp::UGreater => Op::UGreaterThan,
            CompareOp::UGreaterEqual => Op::UGreaterThanEqual,
            CompareOp::FEqual => Op::FOrdEqual,
            CompareOp::FNotEqual => Op::FUnordNotEqual,
            CompareOp::FLess => Op::FOrdLessThan,
            CompareOp::FLessEqual => Op::FOrdLessThanEqual,
            CompareOp::FGreater => Op::FOrdGreaterThan,
            CompareOp::FGreaterEqual => Op::FOrdGreaterThanEqual,
        };
        self.op(op, ty, &[left, right])
    }

    /// One condition for a whole vector or aggregate is allowed from SPIR-V 1.4 on; before that
    /// it is repeated, or the choice made component by component.
    fn select(
        &mut self,
        condition: Id,
        condition_type: Type,
        ty: Type,
        then: Id,
        otherwise: Id,
    ) -> Id {
        let components: Vec<Type> = match self.module.types.kind(ty) {
            TypeKind::Vector(_, lanes) if self.module.types.lanes(condition_type) == 1 => {
                if self.module.version_at_least(1, 4) {
                    return self.op(Op::Select, ty, &[condition, then, otherwise]);
                }
                let bools = self.module.types.vector(TypePool::BOOL, lanes);
                let condition = self.splat(bools, condition);
                return self.op(Op::Select, ty, &[condition, then, otherwise]);
            }
            TypeKind::Struct(id) if !self.module.version_at_least(1, 4) => {
                self.module.types.struct_data(id).fields.clone()
            }
            TypeKind::Array(element, len) if !self.module.version_at_least(1, 4) => {
                vec![element; len as usize]
            }
            _ => return self.op(Op::Select, ty, &[condition, then, otherwise]),
        };
        let mut parts = Vec::with_capacity(components.len());
        for (index, &component) in components.iter().enumerate() {
            let then = self.extract(then, component, &[index as u32]);
            let otherwise = self.extract(otherwise, component, &[index as u32]);
            parts.push(self.select(condition, condition_type, component, then, otherwise));
        }
        self.op(Op::CompositeConstruct, ty, &parts)
    }

    fn convert(
        &mut self,
        op: ConvertOp,
        ty: Type,
        operand: Value,
        rounding: Option<Rounding>,
        saturate: bool,
    ) -> Id {
        let from = self.ty(operand);
        let operand = self.operand(operand);
        let types = &self.module.types;
        if types.is_bool(from) {
            return self.convert_bool(op, ty, operand);
        }
        let widths = (types.scalar_bits(from), types.scalar_bits(ty));
        let same_width = widths.0 == widths.1;
        let narrows = widths.0 > widths.1;
        let (op, saturates, rounds) = match op {
            ConvertOp::Truncate
            | ConvertOp::ZeroExtend
            | ConvertOp::SignExtend
            | ConvertOp::SaturateSToS
            | ConvertOp::SaturateUToU
            | ConvertOp::FToF
                if same_width =>
            {
                return operand;
            }
            ConvertOp::Truncate | ConvertOp::ZeroExtend => (Op::UConvert, false, false),
            ConvertOp::SignExtend => (Op::SConvert, false, false),
            ConvertOp::SaturateSToS => (Op::SConvert, narrows, false),
            ConvertOp::SaturateUToU => (Op::UConvert, narrows, false),
            ConvertOp::SaturateSToU => (Op::SatConvertSToU, false, false),
            ConvertOp::SaturateUToS => (Op::SatConvertUToS, false, false),
            ConvertOp::FToS => (Op::ConvertFToS, saturate, true),
            ConvertOp::FToU => (Op::ConvertFToU, saturate, true),
            ConvertOp::SToF => (Op::ConvertSToF, false, true),
            ConvertOp::UToF => (Op::ConvertUToF, false, true),
            ConvertOp::FToF => (Op::FConvert, false, true),
            ConvertOp::Bitcast => return self.bitcast(operand, from, ty),
            ConvertOp::PtrToInt => (Op::ConvertPtrToU, false, false),
            ConvertOp::IntToPtr => (Op::ConvertUToPtr, false, false),
            ConvertOp::ToGeneric => (Op::PtrCastToGeneric, false, false),
            ConvertOp::FromGeneric => (Op::GenericCastToPtr, false, false),
        };
        let id = self.op(op, ty, &[operand]);
        if saturates {
            self.decorate(id, Decoration::SaturatedConversion);
        }
        if let (true, Some(rounding)) = (rounds, rounding) {
            self.rounding_mode(id, rounding);
        }
        id
    }

    /// The rounding mode of a conversion.
    pub fn rounding_mode(&mut self, id: Id, rounding: Rounding) {
        let mode = rounding_mode(rounding) as u32;
        self.module.decorate(id, Decoration::FPRoundingMode, &[mode]);
    }

    /// Truth values as numbers: 1 (-1 for [`ConvertOp::SignExtend`] and signed to float), or 0.
    fn convert_bool(&mut self, op: ConvertOp, ty: Type, operand: Id) -> Id {
        if self.module.types.is_bool(ty) {
            return operand;
        }
        let truth = match op {
            ConvertOp::SignExtend => u64::MAX,
            _ => 1,
        };
        if !self.module.types.is_float(ty) {
            let truth = self.splat_int(ty, truth);
            let falsehood = self.splat_int(ty, 0);
            return self.op(Op::Select, ty, &[operand, truth, falsehood]);
        }
        let int = self.module.types.with_scalar(ty, TypePool::I32);
        let truth = self.splat_int(int, 1);
        let falsehood = self.splat_int(int, 0);
        let number = self.op(Op::Select, int, &[operand, truth, falsehood]);
        self.op(Op::ConvertUToF, ty, &[number])
    }

    /// OpBitcast. Three components take the room of four (OpenCL C 6.4.4.2), but have the bits of
    /// three: they are widened and narrowed around the cast where the counts differ.
    pub fn bitcast(&mut self, operand: Id, from: Type, to: Type) -> Id {
        if from == to {
            return operand;
        }
        let types = &mut self.module.types;
        let (from_lanes, to_lanes) = (types.lanes(from), types.lanes(to));
        if (from_lanes == 3) == (to_lanes == 3) {
            return self.op(Op::Bitcast, to, &[operand]);
        }
        if from_lanes == 3 {
            let element = types.scalar(from);
            let four = types.vector(element, 4);
            let wide = self.shuffle(operand, operand, four, &[0, 1, 2, UNDEFINED_LANE]);
            return if four == to { wide } else { self.op(Op::Bitcast, to, &[wide]) };
        }
        let element = types.scalar(to);
        let four = types.vector(element, 4);
        let wide = if four == from { operand } else { self.op(Op::Bitcast, four, &[operand]) };
        self.shuffle(wide, wide, to, &[0, 1, 2])
    }

    pub fn shuffle(&mut self, left: Id, right: Id, ty: Type, mask: &[u32]) -> Id {
        let mut operands: SmallVec<[u32; 18]> = SmallVec::new();
        operands.extend_from_slice(&[left, right]);
        operands.extend_from_slice(mask);
        self.op(Op::VectorShuffle, ty, &operands)
    }

    /// An access chain, with the addresses in front of it that only it uses.
    /// A pointer of type `ty`, or to an `element` that the IR does not have.
    fn access(&mut self, ty: Type, element: Option<Id>, base: Value, indices: ValueList) -> Id {
        let function = self.function;
        let mut root = base;
        let mut step = None;
        // Lists of indices, the last first.
        let mut lists: SmallVec<[ValueList; 4]> = SmallVec::new();
        lists.push(indices);
        while self.is_merged(root) {
            match function.def_inst(root).map(|(_, data)| data.kind) {
                Some(InstKind::Access { base, indices }) => {
                    lists.push(indices);
                    root = base;
                }
                Some(InstKind::PtrAdd { base, index }) => {
                    step = Some(index);
                    root = base;
                    break;
                }
                _ => break,
            }
        }
        let indices: SmallVec<[Value; 8]> =
            lists.iter().rev().flat_map(|&list| function.values_of(list)).collect();
        let mut operands: SmallVec<[Id; 8]> = SmallVec::new();
        operands.push(self.operand(root));
        let mut op = match step {
            None => Op::InBoundsAccessChain,
            Some(step) => {
                operands.push(self.operand(step));
                Op::InBoundsPtrAccessChain
            }
        };
        let mut at = self.ty(root);
        let mut rest = indices.as_slice();
        // One instruction has room for so many levels.
        while rest.len() > ACCESS_CHAIN_INDEXES {
            let (now, later) = rest.split_at(ACCESS_CHAIN_INDEXES);
            at = self.inner_pointer(at, now);
            operands.extend(now.iter().map(|&index| self.operand(index)));
            let outer = self.op(op, at, &operands);
            (op, rest) = (Op::InBoundsAccessChain, later);
            operands.clear();
            operands.push(outer);
        }
        operands.extend(rest.iter().map(|&index| self.operand(index)));
        match element {
            Some(element) => {
                let ty = self.module.raw_type(Op::TypePointer, &[FUNCTION_CLASS, element]);
                self.op_raw(op, ty, &operands)
            }
            None => self.op(op, ty, &operands),
        }
    }

    /// The type of the address of the part of what `pointer` points to that `indices` lead to.
    fn inner_pointer(&mut self, pointer: Type, indices: &[Value]) -> Type {
        let types = &mut self.module.types;
        let Some((mut part, class)) = types.pointer_parts(pointer) else { return pointer };
        for index in indices {
            let index = index.as_const().map(|id| self.module.consts.get(id));
            let index = if let Some(&Const::Int(_, index)) = index { index as u32 } else { 0 };
            part = types.component(part, index).unwrap_or(part);
        }
        types.pointer(part, class)
    }
}

/// The most indices of an access chain (SPIR-V 2.17), less the step over whole objects.
const ACCESS_CHAIN_INDEXES: usize = 254;

/// The memory operands of a load or store.
pub(crate) fn memory_operands<const N: usize>(
    access: MemoryAccess,
    operands: &mut SmallVec<[u32; N]>,
) where
    [u32; N]: smallvec::Array<Item = u32>,
{
    let mut mask = spirv::MemoryAccess::NONE;
    if access.flags.volatile {
        mask |= spirv::MemoryAccess::VOLATILE;
    }
    if access.align != 0 {
        mask |= spirv::MemoryAccess::ALIGNED;
    }
    if access.flags.nontemporal {
        mask |= spirv::MemoryAccess::NONTEMPORAL;
    }
    if mask.is_empty() {
        return;
    }
    operands.push(mask.bits());
    if access.align != 0 {
        operands.push(access.align);
    }
}
