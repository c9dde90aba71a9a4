//! Makes integers and vectors of unions.

use clc_ir::debug::Location;
use clc_ir::{
    Align, BinaryOp, ConstPool, ConvertOp, Function, Inst, InstKind, MathFlags, MemFlags,
    MemoryAccess, StorageClass, Type, TypeKind, TypePool, Value,
};

use crate::context::ModuleContext;
use crate::fold::{self, Folder};
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Turns a private variable of at most eight bytes that is accessed as several types, or in parts
/// at constant offsets, into an integer variable: loads shift and truncate, stores mask and
/// combine. One of 16 to 64 bytes becomes a vector, if all parts of it that are accessed are as long as each other: its
/// components are these parts.
///
/// This is what `union { float f; uint u; }`, `*(uint *)&f` and `((uchar *)&f)[3]` become, so that `mem2reg` can take
/// them. Runs after `sroa`, which takes what needs no bits moved. The first byte is the lowest:
/// devices are little-endian.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !function.has_variables() {
        return;
    }
    remove_unreachable(function);
    rewrite(context.types, context.consts, function);
}

const NONE: u32 = u32::MAX;
/// Bytes of the longest integer.
const MAX_INTEGER: u64 = 8;
/// Bytes of the longest vector.
const MAX_VECTOR: u64 = 64;
/// Components of the longest vector.
const MAX_COMPONENTS: u64 = 16;

struct Candidate {
    value: Value,
    /// The integer or the vector that holds the bytes; of a vector that is known once all accesses are.
    ty: Type,
    /// The components of a vector, if one is accessed.
    component: Option<Type>,
    size: u64,
    sound: bool,
    /// Whether an access has another type than the variable's, or reaches a part of it.
    punned: bool,
    /// The variable of type `ty`, once it is made.
    variable: Option<Value>,
}

/// An address inside a candidate.
#[derive(Clone, Copy)]
struct Place {
    slot: u32,
    offset: u32,
}

struct Punning<'a> {
    folder: Folder<'a>,
    function: &'a mut Function,
    candidates: Vec<Candidate>,
    places: Vec<Place>,
    replacements: Replacements,
    out: Vec<Inst>,
    variables: Vec<Inst>,
    location: Location,
    /// The operands at hand.
    used: Vec<Value>,
}

fn rewrite(types: &mut TypePool, consts: &mut ConstPool, function: &mut Function) {
    let mut punning = Punning {
        folder: Folder { types, consts },
        places: vec![Place { slot: NONE, offset: 0 }; function.values.len()],
        replacements: Replacements::default(),
        function,
        candidates: Vec::new(),
        out: Vec::new(),
        variables: Vec::new(),
        location: Location::NONE,
        used: Vec::new(),
    };
    punning.find();
    if punning.candidates.is_empty() {
        return;
    }
    punning.judge();
    punning.choose_vectors();
    if punning.candidates.iter().any(|candidate| candidate.sound && candidate.punned) {
        punning.replace();
    }
}

impl Punning<'_> {
    fn find(&mut self) {
        let entry = self.function.entry();
        for &inst in &self.function.blocks[entry].insts {
            let data = &self.function.insts[inst];
            let (InstKind::Variable { ty, align: _ }, Some(value)) = (data.kind, data.result)
            else {
                break;
            };
            let size = self.folder.types.size(ty);
            let ty = match size {
                1 => TypePool::I8,
                2 => TypePool::I16,
                4 => TypePool::I32,
                8 | 16 | 32 | MAX_VECTOR => TypePool::I64,
                _ => continue,
            };
            let slot = self.candidates.len() as u32;
            self.places[value.as_local().unwrap_or_default()] = Place { slot, offset: 0 };
            self.candidates.push(Candidate {
                value,
                ty,
                component: None,
                size,
                sound: true,
                punned: false,
                variable: None,
            });
        }
    }

    fn place(&self, value: Value) -> Option<(usize, u64)> {
        match self.places.get(value.as_local()?) {
            Some(Place { slot: NONE, .. }) | None => None,
            Some(place) => Some((place.slot as usize, u64::from(place.offset))),
        }
    }

    /// The address, if it is in a candidate that is being rewritten.
    fn chosen(&self, value: Value) -> Option<(usize, u64)> {
        self.place(value).filter(|&(slot, _)| {
            let candidate = &self.candidates[slot];
            candidate.sound && candidate.punned
        })
    }

    fn spoil(&mut self, value: Value) {
        if let Some((slot, _)) = self.place(value) {
            self.candidates[slot].sound = false;
        }
    }

    fn spoil_used(&mut self) {
        while let Some(value) = self.used.pop() {
            self.spoil(value);
        }
    }

    fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.folder.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// The width in bits of what can be moved to and from an integer.
    fn bits(&self, ty: Type) -> Option<u64> {
        let width = u64::from(self.folder.types.scalar_bits(ty)?);
        match self.folder.types.lanes(ty) {
            // Three components have a hole behind them.
            3 => None,
            lanes => Some(width * u64::from(lanes)),
        }
    }

    fn judge(&mut self) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            for position in 0..self.function.blocks[block].insts.len() {
                let inst = self.function.blocks[block].insts[position];
                self.judge_inst(inst);
            }
            self.function.each_terminator_operand(block, |value| self.used.push(value));
            self.spoil_used();
        }
    }

    fn judge_inst(&mut self, inst: Inst) {
        let data = self.function.insts[inst];
        match data.kind {
            InstKind::Load { pointer, access } => {
                if let Some(result) = data.result {
                    self.judge_access(pointer, self.ty(result), access);
                }
            }
            InstKind::Store { pointer, value, access } => {
                self.judge_access(pointer, self.ty(value), access);
                self.spoil(value);
            }
            InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => {
                if let (Some(_), Some(result)) = (self.place(operand), data.result) {
                    self.derive(operand, result, 0);
                }
            }
            InstKind::Access { base, indices } => {
                let Some(result) = data.result else { return };
                for position in 0..indices.len() {
                    self.spoil(self.function.value_at(indices, position));
                }
                if self.place(base).is_some() {
                    let indices: Vec<Value> = self.function.values_of(indices).collect();
                    match self.offset(base, &indices) {
                        Some(offset) => self.derive(base, result, offset),
                        None => self.spoil(base),
                    }
                }
            }
            InstKind::PtrAdd { base, index } => {
                let Some(result) = data.result else { return };
                self.spoil(index);
                if self.place(base).is_some() {
                    match self.step(base, index) {
                        Some(offset) => self.derive(base, result, offset),
                        None => self.spoil(base),
                    }
                }
            }
            _ => {
                self.function.each_operand(inst, |value| self.used.push(value));
                self.spoil_used();
            }
        }
    }

    fn judge_access(&mut self, pointer: Value, ty: Type, access: MemoryAccess) {
        let Some((slot, offset)) = self.place(pointer) else { return };
        let is_fit = !access.flags.volatile
            && self.bits(ty).is_some_and(|bits| {
                let size = self.candidates[slot].size;
                offset + bits / 8 <= size
                    && (size <= MAX_INTEGER
                        || bits == 8 * size
                        || self.is_component(slot, offset, ty))
            });
        let candidate = &mut self.candidates[slot];
        candidate.sound &= is_fit;
        candidate.punned |= pointer != candidate.value;
    }

    /// Whether an access to a long candidate is to a component of the vector that it becomes. Components are of the type
    /// that all such accesses have, or integers.
    fn is_component(&mut self, slot: usize, offset: u64, ty: Type) -> bool {
        let Some(bits) = self.bits(ty) else { return false };
        let Candidate { size, component, .. } = self.candidates[slot];
        if !matches!(bits, 8 | 16 | 32 | 64)
            || !(8 * offset).is_multiple_of(bits)
            || 8 * size / bits > MAX_COMPONENTS
            || component.is_some_and(|component| self.bits(component) != Some(bits))
        {
            return false;
        }
        let is_only = component.is_none_or(|component| component == ty);
        let component = match self.folder.types.lanes(ty) {
            1 if is_only => ty,
            _ => self.folder.types.int(bits as u8),
        };
        self.candidates[slot].component = Some(component);
        true
    }

    fn choose_vectors(&mut self) {
        for candidate in &mut self.candidates {
            if candidate.size <= MAX_INTEGER || !candidate.sound || !candidate.punned {
                continue;
            }
            let component = *candidate.component.get_or_insert(TypePool::I32);
            let lanes = candidate.size / self.folder.types.size(component);
            candidate.ty = self.folder.types.vector(component, lanes as u8);
        }
    }

    fn derive(&mut self, base: Value, result: Value, distance: i64) {
        let Some((slot, start)) = self.place(base) else { return };
        let inside = start
            .checked_add_signed(distance)
            .filter(|&offset| offset < self.candidates[slot].size);
        let Some(offset) = inside else {
            self.candidates[slot].sound = false;
            return;
        };
        self.places[result.as_local().unwrap_or_default()] =
            Place { slot: slot as u32, offset: offset as u32 };
    }

    /// The distance in bytes that a constant number of elements is.
    fn step(&self, base: Value, index: Value) -> Option<i64> {
        let (element, _) = self.folder.types.pointer_parts(self.ty(base))?;
        let size = i64::try_from(self.folder.types.size(element)).ok()?;
        self.folder.consts.signed(self.folder.types, index)?.checked_mul(size)
    }

    /// The distance in bytes that constant indices lead to.
    fn offset(&self, base: Value, indices: &[Value]) -> Option<i64> {
        let (mut ty, _) = self.folder.types.pointer_parts(self.ty(base))?;
        let mut offset = 0u64;
        for &index in indices {
            let index = self.folder.scalar_bits(index)?;
            match self.folder.types.kind(ty) {
                TypeKind::Struct(id) => {
                    let data = self.folder.types.struct_data(id);
                    offset += *data.offsets.get(usize::try_from(index).ok()?)?;
                    ty = *data.fields.get(usize::try_from(index).ok()?)?;
                }
                TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                    offset =
                        self.folder.types.size(element).checked_mul(index)?.checked_add(offset)?;
                    ty = element;
                }
                _ => return None,
            }
        }
        i64::try_from(offset).ok()
    }

    fn emit(&mut self, kind: InstKind, ty: Option<Type>) -> Option<Value> {
        let inst = self.function.create_inst(kind, ty, MathFlags::NONE, self.location);
        self.out.push(inst);
        self.function.insts[inst].result
    }

    fn value(&mut self, kind: InstKind, ty: Type) -> Value {
        self.emit(kind, Some(ty)).expect("an instruction with a type has a result")
    }

    fn convert(&mut self, op: ConvertOp, operand: Value, ty: Type) -> Value {
        if self.ty(operand) == ty {
            return operand;
        }
        self.value(InstKind::Convert { op, operand, rounding: None, saturate: false }, ty)
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: u64) -> Value {
        let ty = self.ty(left);
        let right = self.folder.int(ty, right);
        self.value(InstKind::Binary { op, left, right }, ty)
    }

    fn replace(&mut self) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            self.out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.replace_inst(inst);
            }
            self.function.blocks[block].insts = std::mem::take(&mut self.out);
        }
        let entry = self.function.entry();
        let rest = std::mem::take(&mut self.function.blocks[entry].insts);
        let mut insts = std::mem::take(&mut self.variables);
        insts.extend(rest);
        self.function.blocks[entry].insts = insts;
        self.replacements.apply(self.function);
    }

    fn replace_inst(&mut self, inst: Inst) {
        let data = self.function.insts[inst];
        self.location = data.location;
        match data.kind {
            InstKind::Load { pointer, .. } => {
                if let (Some((slot, offset)), Some(result)) = (self.chosen(pointer), data.result) {
                    let value = self.load(slot, offset, self.ty(result));
                    self.replacements.set(result, value);
                    return;
                }
            }
            InstKind::Store { pointer, value, .. } => {
                if let Some((slot, offset)) = self.chosen(pointer) {
                    self.store(slot, offset, value);
                    return;
                }
            }
            // The addresses are not needed any more.
            InstKind::Variable { .. }
            | InstKind::Convert { .. }
            | InstKind::Access { .. }
            | InstKind::PtrAdd { .. }
                if data.result.is_some_and(|result| self.chosen(result).is_some()) =>
            {
                return;
            }
            _ => {}
        }
        self.out.push(inst);
    }

    fn variable(&mut self, slot: usize) -> (Value, Type, MemoryAccess) {
        let Candidate { value, ty, size, variable, .. } = self.candidates[slot];
        let align = size as Align;
        let access = MemoryAccess { align, flags: MemFlags::default() };
        if let Some(variable) = variable {
            return (variable, ty, access);
        }
        let pointer = self.folder.types.pointer(ty, StorageClass::Function);
        let kind = InstKind::Variable { ty, align };
        let inst = self.function.create_inst(kind, Some(pointer), MathFlags::NONE, self.location);
        self.variables.push(inst);
        let variable = self.function.insts[inst].result.expect("a variable has an address");
        if let Some(name) = self.function.value_names.get(&value) {
            let name = name.clone();
            self.function.value_names.insert(variable, name);
        }
        self.candidates[slot].variable = Some(variable);
        (variable, ty, access)
    }

    /// The type and the number of the component of a vector that an access of type `ty` is to, if it is to one.
    fn component(&self, slot: usize, offset: u64, ty: Type) -> Option<(Type, u32)> {
        let Candidate { component, size, .. } = self.candidates[slot];
        let component = component.filter(|_| self.folder.types.size(ty) < size)?;
        Some((component, (offset / self.folder.types.size(component)) as u32))
    }

    fn load(&mut self, slot: usize, offset: u64, ty: Type) -> Value {
        let (pointer, whole_ty, access) = self.variable(slot);
        let mut value = self.value(InstKind::Load { pointer, access }, whole_ty);
        if let Some((component, lane)) = self.component(slot, offset, ty) {
            let path = self.function.number_list(&[lane]);
            value = self.value(InstKind::Extract { aggregate: value, path }, component);
        }
        if self.candidates[slot].size > MAX_INTEGER {
            return self.convert(ConvertOp::Bitcast, value, ty);
        }
        if offset > 0 {
            value = self.binary(BinaryOp::LShr, value, 8 * offset);
        }
        let bits = self.bits(ty).expect("only such types are accessed");
        let part = self.folder.types.int(bits as u8);
        let value = self.convert(ConvertOp::Truncate, value, part);
        self.convert(ConvertOp::Bitcast, value, ty)
    }

    fn store(&mut self, slot: usize, offset: u64, value: Value) {
        let (pointer, whole_ty, access) = self.variable(slot);
        if self.candidates[slot].size > MAX_INTEGER {
            let value = match self.component(slot, offset, self.ty(value)) {
                Some((component, lane)) => {
                    let element = self.convert(ConvertOp::Bitcast, value, component);
                    let old = self.value(InstKind::Load { pointer, access }, whole_ty);
                    let path = self.function.number_list(&[lane]);
                    self.value(InstKind::Insert { aggregate: old, element, path }, whole_ty)
                }
                None => self.convert(ConvertOp::Bitcast, value, whole_ty),
            };
            self.emit(InstKind::Store { pointer, value, access }, None);
            return;
        }
        let bits = self.bits(self.ty(value)).expect("only such types are accessed");
        let whole_bits = 8 * self.candidates[slot].size;
        let part = self.folder.types.int(bits as u8);
        let mut value = self.convert(ConvertOp::Bitcast, value, part);
        if bits < whole_bits {
            value = self.convert(ConvertOp::ZeroExtend, value, whole_ty);
            if offset > 0 {
                value = self.binary(BinaryOp::Shl, value, 8 * offset);
            }
            let old = self.value(InstKind::Load { pointer, access }, whole_ty);
            let hole = !(fold::mask(u64::MAX, bits as u8) << (8 * offset));
            let kept = self.binary(BinaryOp::And, old, hole);
            let kind = InstKind::Binary { op: BinaryOp::Or, left: kept, right: value };
            value = self.value(kind, whole_ty);
        }
        self.emit(InstKind::Store { pointer, value, access }, None);
    }
}
