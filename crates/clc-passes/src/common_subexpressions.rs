//! Computes equal expressions once, and loads what is already known not at all.

use std::hash::Hasher;

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Cfg, Const, ConstPool, ConvertOp, Dominators, Function, Inst, InstKind,
    StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHasher};

use crate::context::ModuleContext;
use crate::fold::sign_extend;
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Replaces an expression by an equal one that dominates it, a load by the value that was stored
/// to or loaded from the same address before, with nothing in between that could change it.
///
/// Expressions are compared across the function. What is known of memory holds in the blocks that are
/// dominated by the one where it became known, up to the next loop; that of class UniformConstant
/// never changes. Runs after `simplify`, which gives equal things
/// equal forms.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    remove_unreachable(function);
    number_values(context.types, context.consts, context.constant, function);
}

/// One more than the last storage class, which the table of counters is for.
const CLASSES: usize = StorageClass::StorageBuffer as usize + 1;

/// An expression seen before: its place in the key buffer, its value, and where it is computed.
struct Entry {
    start: u32,
    len: u32,
    value: Value,
    block: Block,
}

/// What is known of the memory at an address.
struct Known {
    value: Value,
    counters: (u32, u32),
    block: Block,
}

/// An address as another one and a constant number of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    root: Value,
    offset: i64,
}

/// Which writes have happened so far, counted by what they may have changed.
struct Memory {
    /// By storage class.
    classes: [u32; CLASSES],
    /// By variable: writes to it through addresses derived from it.
    variables: Vec<u32>,
    /// By value: the variable that an address is in, or `NONE`.
    bases: Vec<u32>,
    /// By value of a variable: whether its address is known elsewhere.
    escapes: Vec<bool>,
    known: FxHashMap<Value, Known>,
    /// By value: the place that an address is at.
    places: Vec<Option<Place>>,
    /// By the root of their places: the addresses of which something became known last.
    neighbours: FxHashMap<Value, Vec<Value>>,
    block: Block,
}

/// Addresses with one root that are looked at when something is written there.
const MAX_NEIGHBOURS: usize = 32;

const NONE: u32 = u32::MAX;

fn number_values(types: &TypePool, consts: &ConstPool, constant: &[bool], function: &mut Function) {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut replacements = Replacements::new(function);
    let mut table: FxHashMap<u64, Entry> = FxHashMap::default();
    let mut keys: Vec<u32> = Vec::new();
    let mut key: Vec<u32> = Vec::new();
    let mut memory = Memory::new(types, consts, function);

    for index in 0..function.layout.len() {
        let block = function.layout[index];
        memory.block = block;
        // Every way to a block that something known dominates, and past writes that have not been
        // seen here, enters a loop in between: comes from a block that is still to come.
        let is_later = |from| cfg.position(from) >= cfg.position(block);
        if cfg.predecessors(block).any(is_later) {
            memory.known.clear();
            memory.neighbours.clear();
        }
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            function.map_operands(inst, |value| replacements.resolve(value));
            let data = function.insts[inst];
            let ty_of = |value: Value| match value.as_const() {
                Some(id) => consts.ty(id),
                None => function.values[value.as_local().unwrap_or_default()].ty,
            };
            let class_of = |value: Value| {
                types.pointer_parts(ty_of(value)).map_or(StorageClass::Generic, |parts| parts.1)
            };
            if let InstKind::Load { pointer, access } = data.kind {
                let class = class_of(pointer);
                if !access.flags.volatile
                    && class != StorageClass::UniformConstant
                    && let Some(result) = data.result
                {
                    if let Some(value) = memory.load(pointer, class, &dominators) {
                        replacements.set(result, value);
                        continue;
                    }
                    memory.record(pointer, class, result);
                }
            }
            if let Some(result) = data.result
                && expression_key(function, inst, constant, class_of, &mut key)
            {
                key.push(ty_of(result).0);
                let mut hasher = FxHasher::default();
                key.iter().for_each(|&part| hasher.write_u32(part));
                let hash = hasher.finish();
                if let Some(entry) = table.get(&hash)
                    && keys[entry.start as usize..(entry.start + entry.len) as usize] == key[..]
                    && dominators.dominates(entry.block, block)
                {
                    replacements.set(result, entry.value);
                    continue;
                }
                let start = keys.len() as u32;
                keys.extend_from_slice(&key);
                table.insert(hash, Entry { start, len: key.len() as u32, value: result, block });
            }
            let size_of = |pointer: Value| {
                types.pointer_parts(ty_of(pointer)).map_or(0, |parts| types.size(parts.0))
            };
            memory.write(function, inst, constant, class_of, size_of);
            kept.push(inst);
        }
        function.blocks[block].insts = kept;
        function.map_terminator_operands(block, |value| replacements.resolve(value));
    }
    // Loops have used values before they were replaced.
    replacements.apply(function);
}

/// Writes down what an instruction computes; false if equal text does not mean equal values.
fn expression_key(
    function: &Function,
    inst: Inst,
    constant: &[bool],
    class_of: impl Fn(Value) -> StorageClass,
    key: &mut Vec<u32>,
) -> bool {
    let data = &function.insts[inst];
    key.clear();
    let code = match data.kind {
        InstKind::Binary { op, .. } => (0, op as u32),
        InstKind::Unary { op, .. } => (1, op as u32),
        InstKind::Compare { op, .. } => (2, op as u32),
        InstKind::Select { .. } => (3, 0),
        InstKind::Convert { op, rounding, saturate, .. } => {
            let rounding = rounding.map_or(0, |rounding| rounding as u32 + 1);
            (4, op as u32 | rounding << 8 | u32::from(saturate) << 16)
        }
        InstKind::Load { pointer, access }
            if !access.flags.volatile && class_of(pointer) == StorageClass::UniformConstant =>
        {
            (5, 0)
        }
        InstKind::PtrAdd { .. } => (6, 0),
        InstKind::Access { .. } => (7, 0),
        InstKind::Extract { path, .. } => {
            key.extend_from_slice(function.numbers_of(path));
            (8, path.len() as u32)
        }
        InstKind::Insert { path, .. } => {
            key.extend_from_slice(function.numbers_of(path));
            (9, path.len() as u32)
        }
        InstKind::ExtractDynamic { .. } => (10, 0),
        InstKind::InsertDynamic { .. } => (11, 0),
        InstKind::Shuffle { mask, .. } => {
            key.extend_from_slice(function.numbers_of(mask));
            (12, mask.len() as u32)
        }
        InstKind::Construct { .. } => (13, 0),
        InstKind::Intrinsic { intrinsic, .. } if intrinsic.effects().is_pure() => {
            (14, intrinsic_code(intrinsic))
        }
        InstKind::GenericTo { space, .. } => (15, space as u32),
        InstKind::Call { callee, .. } if constant[callee.index()] => (16, callee.0),
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::CopyMemory { .. }
        | InstKind::Variable { .. }
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. } => return false,
    };
    key.extend([code.0, code.1, u32::from(data.float.0)]);
    function.each_operand(inst, |value| {
        key.push(match value.as_const() {
            Some(id) => id.0 | 1 << 31,
            None => value.as_local().unwrap_or_default() as u32,
        });
    });
    true
}

/// A number for an intrinsic: the hash of its value, which is the same in every run.
fn intrinsic_code(intrinsic: Intrinsic) -> u32 {
    use std::hash::Hash;
    let mut hasher = FxHasher::default();
    intrinsic.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

impl Memory {
    fn new(types: &TypePool, consts: &ConstPool, function: &Function) -> Memory {
        let mut memory = Memory {
            classes: [0; CLASSES],
            variables: vec![0; function.values.len()],
            bases: vec![NONE; function.values.len()],
            escapes: vec![false; function.values.len()],
            known: FxHashMap::default(),
            places: vec![None; function.values.len()],
            neighbours: FxHashMap::default(),
            block: function.entry(),
        };
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                memory.follow(function, inst);
                memory.place(types, consts, function, inst);
            }
            function.each_terminator_operand(block, |value| memory.escape(value));
        }
        memory
    }

    /// Notes how far an address is from another one.
    fn place(&mut self, types: &TypePool, consts: &ConstPool, function: &Function, inst: Inst) {
        let data = &function.insts[inst];
        let ty_of = |value: Value| match value.as_const() {
            Some(id) => consts.ty(id),
            None => function.values[value.as_local().unwrap_or_default()].ty,
        };
        let number = |value: Value| match value.as_const().map(|id| consts.get(id)) {
            Some(&Const::Int(ty, bits)) => {
                Some(sign_extend(bits, types.scalar_bits(ty).unwrap_or(64)))
            }
            _ => None,
        };
        let pointee = |pointer: Value| types.pointer_parts(ty_of(pointer)).map(|parts| parts.0);
        let step = match data.kind {
            InstKind::PtrAdd { base, index } => {
                let size = pointee(base).map(|ty| types.size(ty) as i64);
                number(index).zip(size).map(|(index, size)| (base, index.wrapping_mul(size)))
            }
            InstKind::Access { base, indices } => {
                let indices = function.values_of(indices).map(number);
                pointee(base)
                    .and_then(|ty| distance(types, ty, indices))
                    .map(|distance| (base, distance))
            }
            InstKind::Convert {
                op: ConvertOp::Bitcast | ConvertOp::IntToPtr,
                operand,
                rounding: _,
                saturate: _,
            } => Some((operand, 0)),
            // Numbers that are addresses.
            InstKind::Binary { op: BinaryOp::IAdd, left, right }
                if ty_of(left) == TypePool::I64 =>
            {
                number(right).map(|right| (left, right))
            }
            _ => None,
        };
        if let (Some(result), Some((from, distance))) =
            (data.result.and_then(Value::as_local), step)
        {
            let Place { root, offset } = self.place_of(from);
            self.places[result] = Some(Place { root, offset: offset.wrapping_add(distance) });
        }
    }

    fn place_of(&self, value: Value) -> Place {
        let known = value.as_local().and_then(|index| self.places.get(index).copied().flatten());
        known.unwrap_or(Place { root: value, offset: 0 })
    }

    fn base(&self, value: Value) -> Option<usize> {
        match self.bases.get(value.as_local()?) {
            Some(&NONE) | None => None,
            Some(&base) => Some(base as usize),
        }
    }

    fn escape(&mut self, value: Value) {
        if let Some(base) = self.base(value) {
            self.escapes[base] = true;
        }
    }

    /// Notes where an address comes from, and which variables' addresses get away.
    fn follow(&mut self, function: &Function, inst: Inst) {
        let data = &function.insts[inst];
        let result = data.result.and_then(Value::as_local);
        match data.kind {
            InstKind::Variable { .. } => {
                if let Some(result) = result {
                    self.bases[result] = result as u32;
                }
            }
            InstKind::Access { base, .. }
            | InstKind::PtrAdd { base, .. }
            | InstKind::Convert { op: ConvertOp::Bitcast, operand: base, .. } => {
                if let (Some(result), Some(base)) = (result, self.base(base)) {
                    self.bases[result] = base as u32;
                }
            }
            InstKind::Load { .. } | InstKind::CopyMemory { .. } => {}
            InstKind::Store { pointer: _, value, access: _ } => self.escape(value),
            _ => function.each_operand(inst, |value| self.escape(value)),
        }
    }

    /// The counters that decide whether what is known about an address still holds.
    fn counters(&self, pointer: Value, class: StorageClass) -> (u32, u32) {
        match self.base(pointer) {
            Some(base) if self.escapes[base] => {
                (self.classes[class as usize], self.variables[base])
            }
            Some(base) => (0, self.variables[base]),
            None => (self.classes[class as usize], 0),
        }
    }

    fn load(&self, pointer: Value, class: StorageClass, dominators: &Dominators) -> Option<Value> {
        let known = self.known.get(&pointer)?;
        (known.counters == self.counters(pointer, class)
            && dominators.dominates(known.block, self.block))
        .then_some(known.value)
    }

    fn record(&mut self, pointer: Value, class: StorageClass, value: Value) {
        let known = Known { value, counters: self.counters(pointer, class), block: self.block };
        if self.known.insert(pointer, known).is_none() {
            let root = self.place_of(pointer).root;
            let neighbours = self.neighbours.entry(root).or_default();
            if neighbours.len() == MAX_NEIGHBOURS {
                neighbours.remove(0);
            }
            neighbours.push(pointer);
        }
    }

    /// Something was written through a pointer of this class that is in no known variable.
    fn written(&mut self, class: StorageClass) {
        self.classes[class as usize] += 1;
        match class {
            StorageClass::Generic => {
                for class in
                    [StorageClass::Function, StorageClass::CrossWorkgroup, StorageClass::Workgroup]
                {
                    self.classes[class as usize] += 1;
                }
            }
            _ => self.classes[StorageClass::Generic as usize] += 1,
        }
    }

    /// `size` bytes were written at a pointer.
    fn written_at(
        &mut self,
        pointer: Value,
        class_of: &impl Fn(Value) -> StorageClass,
        size_of: &impl Fn(Value) -> u64,
        size: u64,
    ) {
        let class = class_of(pointer);
        // What is known of places beside this one still holds.
        let Place { root, offset } = self.place_of(pointer);
        let mut kept = Vec::new();
        for &other in self.neighbours.get(&root).map_or(&[][..], Vec::as_slice) {
            let distance = self.place_of(other).offset.wrapping_sub(offset);
            let is_beside = match u64::try_from(distance) {
                Ok(distance) => distance >= size,
                Err(_) => distance.unsigned_abs() >= size_of(other),
            };
            if is_beside
                && let Some(known) = self.known.get(&other)
                && known.counters == self.counters(other, class_of(other))
            {
                kept.push(other);
            }
        }
        match self.base(pointer) {
            Some(base) => {
                self.variables[base] += 1;
                // Whoever else has the address may read it through that.
                if self.escapes[base] {
                    self.written(class);
                }
            }
            None => self.written(class),
        }
        for other in kept {
            let counters = self.counters(other, class_of(other));
            if let Some(known) = self.known.get_mut(&other) {
                known.counters = counters;
            }
        }
    }

    /// Accounts for what an instruction may change.
    fn write(
        &mut self,
        function: &Function,
        inst: Inst,
        constant: &[bool],
        class_of: impl Fn(Value) -> StorageClass,
        size_of: impl Fn(Value) -> u64,
    ) {
        match function.insts[inst].kind {
            InstKind::Store { pointer, value, access } => {
                self.written_at(pointer, &class_of, &size_of, size_of(pointer));
                if !access.flags.volatile {
                    self.record(pointer, class_of(pointer), value);
                }
            }
            InstKind::CopyMemory { destination, .. } => {
                self.written_at(destination, &class_of, &size_of, u64::MAX);
            }
            InstKind::Call { callee, .. } if constant[callee.index()] => {}
            // Whatever other work-items have written may be seen after these.
            InstKind::Call { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicCompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. } => self.everything(),
            InstKind::Intrinsic { intrinsic, .. } => {
                let effects = intrinsic.effects();
                if effects.writes || effects.convergent {
                    self.everything();
                }
            }
            InstKind::Load { .. }
            | InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Compare { .. }
            | InstKind::Select { .. }
            | InstKind::Convert { .. }
            | InstKind::Variable { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::Access { .. }
            | InstKind::Extract { .. }
            | InstKind::Insert { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::Shuffle { .. }
            | InstKind::Construct { .. }
            | InstKind::GenericTo { .. } => {}
        }
    }

    /// A call may write whatever is not a variable of this function that only it knows.
    fn everything(&mut self) {
        self.classes.iter_mut().for_each(|count| *count += 1);
    }
}

/// Bytes from the start of a `ty` to the part that constant indices lead to.
fn distance(
    types: &TypePool,
    mut ty: Type,
    indices: impl Iterator<Item = Option<i64>>,
) -> Option<i64> {
    let mut bytes = 0i64;
    for index in indices {
        let index = index?;
        match types.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                bytes = bytes.wrapping_add(index.wrapping_mul(types.size(element) as i64));
                ty = element;
            }
            TypeKind::Struct(id) => {
                let data = types.struct_data(id);
                bytes = bytes.wrapping_add(*data.offsets.get(index as usize)? as i64);
                ty = *data.fields.get(index as usize)?;
            }
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_have_different_codes() {
        let mut seen = FxHashMap::default();
        for intrinsic in Intrinsic::all() {
            let other = seen.insert(intrinsic_code(intrinsic), intrinsic);
            assert_eq!(other, None, "{intrinsic}");
        }
    }
}
