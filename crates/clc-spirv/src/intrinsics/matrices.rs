//! Cooperative matrices (SPV_KHR_cooperative_matrix), for both targets.

use clc_builtins::MatrixOp;
use clc_ir::{MatrixType, MemFlags, MemoryAccess, StorageClass, Type, Value};
use smallvec::SmallVec;
use spirv::{CooperativeMatrixLayout, CooperativeMatrixOperands as Operands, Op};

use crate::emit::{Call, FunctionEmitter, Id};

pub(super) fn lower(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: MatrixOp) -> Id {
    match (op, call.arguments) {
        (MatrixOp::Load, &[pointer, layout, _]) => {
            let mut operands = f.operands(call.arguments);
            memory_operands(f, pointer, call.result, layout, &mut operands);
            f.op(Op::CooperativeMatrixLoadKHR, call.result, &operands)
        }
        (MatrixOp::Store, &[pointer, object, layout, _]) => {
            let mut operands = f.operands(call.arguments);
            let ty = f.ty(object);
            memory_operands(f, pointer, ty, layout, &mut operands);
            f.op_void(Op::CooperativeMatrixStoreKHR, &operands);
            0
        }
        (MatrixOp::MulAdd, &[a, b, c, ..]) => {
            let mut operands = f.operands(&[a, b, c]);
            let given = call.arguments.get(3).and_then(|&operands| f.constant_int(operands));
            let bits = product_operands(f, [a, b, c]) | given.unwrap_or_default() as u32;
            if bits != 0 {
                operands.push(bits);
            }
            f.op(Op::CooperativeMatrixMulAddKHR, call.result, &operands)
        }
        (MatrixOp::Fill, &[scalar]) => {
            let matrix = matrix(f, call.result);
            let mut value = f.operand(scalar);
            let element = f.module.matrix_element(matrix);
            if element != f.module.value_type_id(matrix.element) {
                value = f.op_raw(Op::Bitcast, element, &[value]);
            }
            f.op(Op::CompositeConstruct, call.result, &[value])
        }
        (MatrixOp::Length, &[object]) => {
            let ty = f.ty(object);
            let ty = f.module.type_id(ty);
            f.op(Op::CooperativeMatrixLengthKHR, call.result, &[ty])
        }
        (MatrixOp::Convert, &[operand]) => convert(f, call.result, operand),
        _ => by_element(f, call, op),
    }
}

fn matrix(f: &FunctionEmitter<'_, '_>, ty: Type) -> MatrixType {
    f.module.types.matrix(ty).expect("operations on matrices have matrices")
}

/// Which elements are signed: of the operands, and of the result, which has the type of the last.
fn product_operands(f: &FunctionEmitter<'_, '_>, operands: [Value; 3]) -> u32 {
    let result =
        Operands::MATRIX_C_SIGNED_COMPONENTS_KHR | Operands::MATRIX_RESULT_SIGNED_COMPONENTS_KHR;
    let flags = [
        Operands::MATRIX_A_SIGNED_COMPONENTS_KHR,
        Operands::MATRIX_B_SIGNED_COMPONENTS_KHR,
        result,
    ];
    let mut mask = Operands::NONE_KHR;
    for (operand, flag) in operands.into_iter().zip(flags) {
        if matrix(f, f.ty(operand)).is_signed {
            mask |= flag;
        }
    }
    mask.bits()
}

/// What an access promises. In shaders what goes through addresses says its alignment: the pointer is
/// aligned to the lesser of 16 bytes and what is contiguous
/// (VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
fn memory_operands(
    f: &mut FunctionEmitter<'_, '_>,
    pointer: Value,
    ty: Type,
    layout: Value,
    operands: &mut SmallVec<[u32; 8]>,
) {
    if f.module.shader.is_none() {
        return;
    }
    let MatrixType { element, rows, columns, .. } = matrix(f, ty);
    let count = match f.constant_int(layout) {
        Some(layout) if layout == CooperativeMatrixLayout::RowMajorKHR as u64 => columns,
        _ => rows,
    };
    let bytes = u64::from(count) * f.module.types.size(element);
    let align = (1 << bytes.trailing_zeros()).min(16);
    let parts = f.pointer_parts(pointer);
    if let Some((pointee, StorageClass::PhysicalStorageBuffer)) = parts {
        f.small_storage(pointee);
    }
    let access = MemoryAccess { align, flags: MemFlags::default() };
    f.memory_operands(parts.map(|(_, class)| class), access, operands);
}

fn by_element(f: &mut FunctionEmitter<'_, '_>, call: &Call<'_>, op: MatrixOp) -> Id {
    let matrix = matrix(f, call.result);
    let is_float = f.module.types.is_float(matrix.element);
    let op = match op {
        MatrixOp::Add if is_float => Op::FAdd,
        MatrixOp::Add => Op::IAdd,
        MatrixOp::Subtract if is_float => Op::FSub,
        MatrixOp::Subtract => Op::ISub,
        MatrixOp::Multiply if is_float => Op::FMul,
        MatrixOp::Multiply => Op::IMul,
        MatrixOp::Divide if is_float => Op::FDiv,
        MatrixOp::Divide if matrix.is_signed => Op::SDiv,
        MatrixOp::Divide => Op::UDiv,
        MatrixOp::Negate if is_float => Op::FNegate,
        MatrixOp::Negate => Op::SNegate,
        MatrixOp::Load
        | MatrixOp::Store
        | MatrixOp::MulAdd
        | MatrixOp::Fill
        | MatrixOp::Length
        | MatrixOp::Convert => f.not_legal(call),
    };
    let operands = f.operands(call.arguments);
    f.op(op, call.result, &operands)
}

/// To other elements: the conversions of C, out of range and all.
fn convert(f: &mut FunctionEmitter<'_, '_>, ty: Type, operand: Value) -> Id {
    let (from_type, to) = (f.ty(operand), matrix(f, ty));
    let from = matrix(f, from_type);
    let value = f.operand(operand);
    let types = &f.module.types;
    let op = match (types.is_float(from.element), types.is_float(to.element)) {
        (true, true) => Op::FConvert,
        (true, false) if to.is_signed => Op::ConvertFToS,
        (true, false) => Op::ConvertFToU,
        (false, true) if from.is_signed => Op::ConvertSToF,
        (false, true) => Op::ConvertUToF,
        (false, false) if from.element == to.element => Op::Bitcast,
        (false, false) if from.is_signed => Op::SConvert,
        (false, false) => Op::UConvert,
    };
    // Types that differ in their signs only may be one.
    if f.module.type_id(from_type) == f.module.type_id(ty) {
        return value;
    }
    f.op(op, ty, &[value])
}
