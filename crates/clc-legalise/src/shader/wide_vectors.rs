//! Vectors of 8 and 16 components, which shaders do not have, become arrays of vectors of four.
//!
//! Registers only: after pointers are legalised every access to memory is of at most four
//! components. An operation on all components is done on the vectors of four in turn; what moves
//! components about takes them from where they are now.

mod gather;
mod types;

use clc_ir::{
    BinaryOp, Block, Builder, Const, ConstPool, Function, Inst, InstData, InstKind, Module, Type,
    TypeKind, TypePool, Value,
};
use rustc_hash::FxHashMap;

use types::Types;

/// Components of the vectors that take the place of larger ones.
const PART: u32 = 4;

pub(crate) fn run(module: &mut Module) {
    let is_wide = |kind| matches!(kind, TypeKind::Vector(_, 8 | 16));
    if !module.types.iter().any(|(_, kind)| is_wide(kind)) {
        return;
    }
    // Variables that are still used have types that instructions access already.
    let Module { types, consts, functions, .. } = module;
    let mut narrow = Types::default();
    let mut constants = FxHashMap::default();
    for function in functions.values_mut() {
        rewrite(types, consts, &mut narrow, &mut constants, function);
    }
}

/// `value` with its new type, if it is a constant of an old one.
fn constant(
    types: &mut TypePool,
    consts: &mut ConstPool,
    narrow: &mut Types,
    known: &mut FxHashMap<Value, Value>,
    value: Value,
) -> Value {
    let Some(id) = value.as_const() else { return value };
    if let Some(&new) = known.get(&value) {
        return new;
    }
    let old = consts.ty(id);
    let ty = narrow.map(types, old);
    let new = match consts.get(id).clone() {
        Const::Undef(_) => Some(Const::Undef(ty)),
        Const::Null(_) => Some(Const::Null(ty)),
        Const::Composite(_, parts) => {
            let parts: Vec<Value> =
                parts.iter().map(|&part| constant(types, consts, narrow, known, part)).collect();
            Some(match (types.kind(old), types.kind(ty)) {
                (TypeKind::Vector(..), TypeKind::Array(part, _)) => {
                    let parts = parts
                        .chunks(PART as usize)
                        .map(|lanes| consts.intern(Const::Composite(part, lanes.into())))
                        .collect();
                    Const::Composite(ty, parts)
                }
                _ => Const::Composite(ty, parts.into()),
            })
        }
        Const::Bool(_)
        | Const::Int(..)
        | Const::Float(..)
        | Const::GlobalAddress(..)
        | Const::FunctionAddress(..)
        | Const::Sampler(..)
        | Const::Descriptor { .. }
        | Const::Access { .. }
        | Const::Cast { .. }
        | Const::Spec { .. } => None,
    };
    let new = new.map_or(value, |new| consts.intern(new));
    known.insert(value, new);
    new
}

struct Rewriter<'a> {
    builder: Builder<'a>,
    narrow: &'a mut Types,
    constants: &'a mut FxHashMap<Value, Value>,
    /// Types of the function's values before, by local value.
    old: &'a [Type],
    /// The vectors of four that an array was made of here, which are where the array is.
    parts: &'a mut FxHashMap<Value, Vec<Value>>,
    /// By local value: what replaces it.
    replacements: &'a mut [Option<Value>],
}

fn rewrite(
    types: &mut TypePool,
    consts: &mut ConstPool,
    narrow: &mut Types,
    constants: &mut FxHashMap<Value, Value>,
    function: &mut Function,
) {
    let old: Vec<Type> = function.values.iter().map(|value| value.ty).collect();
    for ty in &mut function.params {
        *ty = narrow.map(types, *ty);
    }
    function.result = narrow.map(types, function.result);
    for value in &mut function.values {
        value.ty = narrow.map(types, value.ty);
    }
    let mut parts = FxHashMap::default();
    let mut replacements = vec![None; old.len()];
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let terminator = std::mem::take(&mut function.blocks[block].terminator);
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut rewriter = Rewriter {
            builder: Builder::new(types, consts, function, block),
            narrow: &mut *narrow,
            constants: &mut *constants,
            old: &old,
            parts: &mut parts,
            replacements: &mut replacements,
        };
        for inst in insts {
            rewriter.inst(block, inst);
        }
        function.blocks[block].terminator = terminator;
    }
    let mut resolve = |value: Value| {
        let mut value = value;
        while let Some(&Some(new)) = value.as_local().and_then(|local| replacements.get(local)) {
            value = new;
        }
        constant(types, consts, narrow, constants, value)
    };
    function.map_all_operands(&mut resolve);
}

impl Rewriter<'_> {
    /// The type that a value of the function as it was has had.
    fn old_type(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.builder.consts.ty(id),
            None => self.old[value.as_local().unwrap_or_default()],
        }
    }

    /// Components of a vector; 1 for other types.
    fn lanes(&self, value: Value) -> u32 {
        u32::from(self.builder.types.lanes(self.old_type(value)))
    }

    fn is_wide(&self, value: Value) -> bool {
        self.lanes(value) > PART
    }

    /// The value as it is now.
    fn new_value(&mut self, value: Value) -> Value {
        let mut value = value;
        while let Some(&Some(new)) = value.as_local().and_then(|local| self.replacements.get(local))
        {
            value = new;
        }
        let Builder { types, consts, .. } = &mut self.builder;
        constant(types, consts, self.narrow, self.constants, value)
    }

    /// The vectors of four of a large vector; another value is its own only part.
    fn parts_of(&mut self, value: Value) -> Vec<Value> {
        let lanes = self.lanes(value);
        let value = self.new_value(value);
        if lanes <= PART {
            return vec![value];
        }
        if let Some(parts) = self.parts.get(&value) {
            return parts.clone();
        }
        (0..lanes / PART).map(|part| self.builder.extract(value, &[part])).collect()
    }

    /// Part `index` of an operand of an operation on all components; one that is no large vector
    /// belongs to all of them.
    fn operand_part(&mut self, value: Value, index: u32) -> Value {
        if !self.is_wide(value) {
            return self.new_value(value);
        }
        let array = self.new_value(value);
        if let Some(parts) = self.parts.get(&array) {
            return parts[index as usize];
        }
        let constant = array.as_const().and_then(|id| match self.builder.consts.get(id) {
            Const::Composite(_, parts) => parts.get(index as usize).copied(),
            _ => None,
        });
        constant.unwrap_or_else(|| self.builder.extract(array, &[index]))
    }

    /// The array of `parts`, which replaces `result`.
    fn replace_by_parts(&mut self, result: Value, parts: Vec<Value>) {
        let old = self.old_type(result);
        let ty = self.narrow.map(self.builder.types, old);
        let array = self.builder.construct(ty, &parts);
        self.parts.insert(array, parts);
        self.replace(result, array);
    }

    fn replace(&mut self, result: Value, value: Value) {
        if let Some(slot) = result.as_local().and_then(|local| self.replacements.get_mut(local)) {
            *slot = Some(value);
        }
    }

    fn keep(&mut self, block: Block, inst: Inst) {
        self.builder.function.blocks[block].insts.push(inst);
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let InstData { kind, result, math, location } = self.builder.function.insts[inst];
        self.builder.location = location;
        self.builder.math = math;
        let result_is_wide = result.is_some_and(|result| self.is_wide(result));
        match (kind, result) {
            (InstKind::Binary { op, left, right }, Some(result)) if result_is_wide => {
                self.each_part(result, |r, part, _| {
                    let (left, right) = (r.operand_part(left, part), r.operand_part(right, part));
                    r.builder.binary(op, left, right)
                });
            }
            (InstKind::Unary { op, operand }, Some(result)) if result_is_wide => {
                self.each_part(result, |r, part, _| {
                    let operand = r.operand_part(operand, part);
                    r.builder.unary(op, operand)
                });
            }
            (InstKind::Compare { op, left, right }, Some(result)) if result_is_wide => {
                self.each_part(result, |r, part, _| {
                    let (left, right) = (r.operand_part(left, part), r.operand_part(right, part));
                    r.builder.compare(op, left, right)
                });
            }
            (InstKind::Select { condition, then, otherwise }, Some(result)) if result_is_wide => {
                self.each_part(result, |r, part, _| {
                    let condition = r.operand_part(condition, part);
                    let then = r.operand_part(then, part);
                    let otherwise = r.operand_part(otherwise, part);
                    r.builder.select(condition, then, otherwise)
                });
            }
            (InstKind::Convert { op: clc_ir::ConvertOp::Bitcast, operand, .. }, Some(result))
                if result_is_wide || self.is_wide(operand) =>
            {
                self.bitcast(operand, result);
            }
            (InstKind::Convert { op, operand, rounding, saturate }, Some(result))
                if result_is_wide =>
            {
                self.each_part(result, |r, part, ty| {
                    let operand = r.operand_part(operand, part);
                    r.builder.convert_with(op, operand, ty, rounding, saturate)
                });
            }
            (InstKind::Intrinsic { intrinsic, arguments }, Some(result)) if result_is_wide => {
                let arguments: Vec<Value> = self.builder.function.values_of(arguments).collect();
                self.each_part(result, |r, part, ty| {
                    let arguments: Vec<Value> =
                        arguments.iter().map(|&value| r.operand_part(value, part)).collect();
                    match r.builder.intrinsic(intrinsic, &arguments, ty) {
                        Some(value) => value,
                        None => r.builder.undef(ty),
                    }
                });
            }
            (InstKind::Extract { aggregate, path }, Some(result)) => {
                let path: Vec<u32> = self.builder.function.numbers_of(path).to_vec();
                let ty = self.old_type(aggregate);
                match self.narrow.path(self.builder.types, ty, &path) {
                    Some(path) => {
                        let value = self.extracted(aggregate, &path);
                        self.replace(result, value);
                    }
                    None => self.keep(block, inst),
                }
            }
            (InstKind::Insert { aggregate, element, path }, Some(result)) => {
                let path: Vec<u32> = self.builder.function.numbers_of(path).to_vec();
                let ty = self.old_type(aggregate);
                match self.narrow.path(self.builder.types, ty, &path) {
                    Some(path) if result_is_wide => {
                        let mut parts = self.parts_of(aggregate);
                        let element = self.new_value(element);
                        let [part, lane] = path[..] else { return self.keep(block, inst) };
                        let changed = &mut parts[part as usize];
                        *changed = self.builder.insert(*changed, element, &[lane]);
                        self.replace_by_parts(result, parts);
                    }
                    Some(path) => {
                        let aggregate = self.new_value(aggregate);
                        let element = self.new_value(element);
                        let value = self.builder.insert(aggregate, element, &path);
                        self.replace(result, value);
                    }
                    None => self.keep(block, inst),
                }
            }
            (InstKind::ExtractDynamic { vector, index }, Some(result)) if self.is_wide(vector) => {
                let value = self.extract_dynamic(vector, index);
                self.replace(result, value);
            }
            (InstKind::InsertDynamic { vector, element, index }, Some(result))
                if result_is_wide =>
            {
                self.insert_dynamic(vector, element, index, result);
            }
            (InstKind::Shuffle { left, right, mask }, Some(result))
                if result_is_wide || self.is_wide(left) || self.is_wide(right) =>
            {
                let mask: Vec<u32> = self.builder.function.numbers_of(mask).to_vec();
                self.shuffle(left, right, &mask, result);
            }
            (InstKind::Construct { parts }, Some(result))
                if result_is_wide || self.constructs_of_wide(result, parts) =>
            {
                let parts: Vec<Value> = self.builder.function.values_of(parts).collect();
                self.construct(&parts, result);
            }
            (InstKind::Variable { ty, align }, _) => {
                let ty = self.narrow.map(self.builder.types, ty);
                self.builder.function.insts[inst].kind = InstKind::Variable { ty, align };
                self.keep(block, inst);
            }
            _ => self.keep(block, inst),
        }
    }

    /// Does an operation for each vector of four of its result, of the type that `part` is told.
    fn each_part(&mut self, result: Value, mut part: impl FnMut(&mut Self, u32, Type) -> Value) {
        let scalar = self.builder.types.scalar(self.old_type(result));
        let ty = self.builder.types.vector(scalar, PART as u8);
        let parts = (0..self.lanes(result) / PART).map(|index| part(self, index, ty)).collect();
        self.replace_by_parts(result, parts);
    }

    /// What is at a path, which is that of arrays.
    fn extracted(&mut self, aggregate: Value, path: &[u32]) -> Value {
        if self.is_wide(aggregate)
            && let [part, lane] = path[..]
        {
            let part = self.operand_part(aggregate, part);
            return self.builder.extract(part, &[lane]);
        }
        let aggregate = self.new_value(aggregate);
        self.builder.extract(aggregate, path)
    }

    /// Whether a vector is made of parts of which one is larger than four; other aggregates take
    /// what they are made of as it is.
    fn constructs_of_wide(&self, result: Value, parts: clc_ir::ValueList) -> bool {
        self.lanes(result) > 1
            && self.builder.function.values_of(parts).any(|part| self.is_wide(part))
    }

    /// The index of the part, and the one in it, as 32-bit numbers.
    fn split_index(&mut self, index: Value) -> (Value, Value) {
        let index = self.new_value(index);
        let ty = self.builder.ty(index);
        let index = match self.builder.types.scalar_bits(ty).unwrap_or(32) {
            32 => index,
            64 => self.builder.convert(clc_ir::ConvertOp::Truncate, index, TypePool::I32),
            _ => self.builder.convert(clc_ir::ConvertOp::ZeroExtend, index, TypePool::I32),
        };
        let (two, three) = (self.builder.i32(2), self.builder.i32(3));
        let part = self.builder.binary(BinaryOp::LShr, index, two);
        (part, self.builder.binary(BinaryOp::And, index, three))
    }

    /// Whether a part is the one that an index is in.
    fn is_part(&mut self, part: Value, index: usize) -> Value {
        let index = self.builder.i32(index as i32);
        self.builder.compare(clc_ir::CompareOp::Equal, part, index)
    }

    fn extract_dynamic(&mut self, vector: Value, index: Value) -> Value {
        let parts = self.parts_of(vector);
        let (part, lane) = self.split_index(index);
        let mut value = self.builder.extract_dynamic(parts[0], lane);
        for (number, &candidate) in parts.iter().enumerate().skip(1) {
            let other = self.builder.extract_dynamic(candidate, lane);
            let is_here = self.is_part(part, number);
            value = self.builder.select(is_here, other, value);
        }
        value
    }

    fn insert_dynamic(&mut self, vector: Value, element: Value, index: Value, result: Value) {
        let element = self.new_value(element);
        let parts = self.parts_of(vector);
        let (part, lane) = self.split_index(index);
        let bools = self.builder.types.vector(TypePool::BOOL, PART as u8);
        let mut changed = Vec::new();
        for (number, &old) in parts.iter().enumerate() {
            let new = self.builder.insert_dynamic(old, element, lane);
            let is_here = self.is_part(part, number);
            let are_here = self.builder.splat(bools, is_here);
            changed.push(self.builder.select(are_here, new, old));
        }
        self.replace_by_parts(result, changed);
    }
}

/// Whether a function has a value of a type that is gone; for tests.
#[cfg(test)]
fn has_wide_values(types: &TypePool, function: &Function) -> bool {
    function.layout.iter().any(|&block| {
        let data = &function.blocks[block];
        let results = data.insts.iter().filter_map(|&inst| function.insts[inst].result);
        data.params
            .iter()
            .copied()
            .chain(results)
            .any(|value| types.lanes(function.values[value.as_local().unwrap_or_default()].ty) > 4)
    })
}

#[cfg(test)]
mod tests;
