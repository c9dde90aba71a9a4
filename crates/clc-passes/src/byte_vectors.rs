//! Vectors of four bytes that are loaded to become floats are loaded as words, for shaders:
//!
//! ```text
//! v: i8x4 = load p      ->    w: i32 = load p
//! f: f32x4 = u_to_f v         f: f32x4 = construct {u_to_f w & 255, u_to_f w >> 8 & 255, ..}
//! ```
//!
//! GPUs convert a byte of a word in one instruction. Compilers of Vulkan's drivers take vectors of bytes apart first. What
//! a word is that was loaded with others is the same.

use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    BinaryOp, Builder, ConvertOp, Function, Inst, InstKind, Type, TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use crate::context::ModuleContext;

/// Loads the vectors of a function as words.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let mut words = loads(context.types, function);
    if words.is_empty() {
        return;
    }
    let mut parts: FxHashMap<Value, (Value, u32)> = FxHashMap::default();
    let is_candidate = |kind: &InstKind| {
        matches!(kind, InstKind::Load { .. } | InstKind::Extract { .. } | InstKind::Convert { .. })
    };
    rewrite::expand(context.types, context.consts, function, is_candidate, |builder, inst| {
        expanded(builder, inst, &mut words, &mut parts).unwrap_or(Expansion::Keep)
    });
}

/// The vectors that are loaded, or words, to be converted, whole or by component, and used for nothing else.
fn loads(types: &TypePool, function: &Function) -> FxHashMap<Value, Option<Value>> {
    let is_vector =
        |ty: Type| types.lanes(ty) == 4 && types.kind(types.scalar(ty)) == TypeKind::Int(8);
    let mut found: FxHashMap<Value, Option<Value>> = FxHashMap::default();
    // By component: the vector.
    let mut parts: FxHashMap<Value, Value> = FxHashMap::default();
    let insts = || function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
    for &inst in insts() {
        let data = &function.insts[inst];
        let Some(result) = data.result else { continue };
        let ty_of = |value: Value| Some(function.values[value.as_local()?].ty);
        let is_word = match data.kind {
            InstKind::Load { pointer, access } => {
                let is_number = function.def_inst(pointer).is_some_and(|(_, of)| {
                    matches!(of.kind, InstKind::Convert { op: ConvertOp::IntToPtr, .. })
                });
                is_number && access.align >= 4 && !access.flags.volatile
            }
            InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => {
                ty_of(operand) == Some(TypePool::I32)
            }
            _ => false,
        };
        if is_word && ty_of(result).is_some_and(is_vector) {
            found.insert(result, None);
        }
    }
    if found.is_empty() {
        return found;
    }
    for &inst in insts() {
        let data = &function.insts[inst];
        if let (InstKind::Extract { aggregate, .. }, Some(result)) = (data.kind, data.result)
            && found.contains_key(&aggregate)
        {
            parts.insert(result, aggregate);
        }
    }
    let mut others = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            match function.insts[inst].kind {
                InstKind::Convert { op: ConvertOp::UToF | ConvertOp::SToF, .. } => {}
                InstKind::Extract { aggregate, .. } if found.contains_key(&aggregate) => {}
                _ => function.each_operand(inst, |value| others.push(value)),
            }
        }
        function.each_terminator_operand(block, |value| others.push(value));
    }
    for value in others {
        found.remove(&value);
        if let Some(vector) = parts.get(&value) {
            found.remove(vector);
        }
    }
    found
}

fn expanded(
    builder: &mut Builder<'_>,
    inst: Inst,
    words: &mut FxHashMap<Value, Option<Value>>,
    parts: &mut FxHashMap<Value, (Value, u32)>,
) -> Option<Expansion> {
    let data = builder.function.insts[inst];
    let result = data.result?;
    match data.kind {
        InstKind::Load { pointer, mut access } => {
            let word = words.get_mut(&result)?;
            let (_, of) = builder.function.def_inst(pointer)?;
            let InstKind::Convert { operand: address, .. } = of.kind else { return None };
            let (_, class) = builder.types.pointer_parts(builder.ty(pointer))?;
            let to = builder.types.pointer(TypePool::I32, class);
            let pointer = builder.convert(ConvertOp::IntToPtr, address, to);
            access.flags.typed = false;
            *word = Some(builder.load(pointer, access));
            // Of the old one what is left unused goes.
            Some(Expansion::Keep)
        }
        InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => {
            *words.get_mut(&result)? = Some(operand);
            Some(Expansion::Keep)
        }
        InstKind::Extract { aggregate, path } => {
            let word = (*words.get(&aggregate)?)?;
            let place = *builder.function.numbers_of(path).first()?;
            parts.insert(result, (word, place));
            Some(Expansion::Keep)
        }
        InstKind::Convert {
            op: op @ (ConvertOp::UToF | ConvertOp::SToF),
            operand,
            rounding,
            saturate,
        } => {
            let ty = builder.ty(result);
            let scalar = builder.types.scalar(ty);
            let converted = |builder: &mut Builder<'_>, word: Value, place: u32| {
                let byte = byte(builder, word, place, op == ConvertOp::SToF);
                builder.convert_with(op, byte, scalar, rounding, saturate)
            };
            if let Some(&(word, place)) = parts.get(&operand) {
                return Some(Expansion::Value(converted(builder, word, place)));
            }
            let word = (*words.get(&operand)?)?;
            let components: Vec<Value> =
                (0..4).map(|place| converted(builder, word, place)).collect();
            Some(Expansion::Value(builder.construct(ty, &components)))
        }
        _ => None,
    }
}

/// A byte of a word, the lowest first, extended.
fn byte(builder: &mut Builder<'_>, word: Value, place: u32, is_signed: bool) -> Value {
    let bits = |builder: &mut Builder<'_>, count: u32| builder.i32(count as i32);
    if is_signed {
        let raised = match place {
            3 => word,
            _ => {
                let count = bits(builder, 24 - 8 * place);
                builder.binary(BinaryOp::Shl, word, count)
            }
        };
        let count = bits(builder, 24);
        return builder.binary(BinaryOp::AShr, raised, count);
    }
    let low = match place {
        0 => word,
        _ => {
            let count = bits(builder, 8 * place);
            builder.binary(BinaryOp::LShr, word, count)
        }
    };
    match place {
        3 => low,
        _ => {
            let mask = bits(builder, 255);
            builder.binary(BinaryOp::And, low, mask)
        }
    }
}
