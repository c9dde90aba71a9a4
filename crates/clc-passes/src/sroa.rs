//! Splits private aggregates.

use clc_ir::debug::{InMemory, Location, Part, Subject};
use clc_ir::{
    Align, Function, Inst, InstData, InstKind, MathFlags, MemFlags, MemoryAccess, StorageClass,
    Type, TypeKind, TypePool, Value,
};

use crate::context::ModuleContext;
use crate::element_steps;
use crate::fold::Folder;
use crate::replacements::Replacements;
use crate::simplify_cfg::remove_unreachable;

/// Aggregates of more parts stay in memory.
const MAX_PARTS: u64 = 128;
/// Nesting depth that is taken apart.
const ROUNDS: usize = 8;

/// Splits private structs and arrays whose parts are addressed by constants into one variable for
/// each part, and turns accesses to components of private vectors into operations on the whole
/// vector.
///
/// What is left are scalars and vectors that `mem2reg` makes values of, and arrays that really
/// are indexed. Each round takes one level of nesting apart. An aggregate stays whole if an
/// address in it escapes or is computed with, other than by constants from one element of an array
/// to another: programs do walk from one member to the next.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    if !function.has_variables() {
        return;
    }
    remove_unreachable(function);
    for _ in 0..ROUNDS {
        let folder = Folder { types: &mut *context.types, consts: &mut *context.consts };
        if !split(folder, function) {
            break;
        }
    }
}

const NONE: u32 = u32::MAX;

/// A private variable that may be split.
struct Candidate {
    value: Value,
    ty: Type,
    splittable: bool,
    /// Whether splitting gains anything: a part is accessed.
    has_parts: bool,
    /// Variables of the parts, made when first used.
    parts: Vec<Option<Value>>,
}

struct Splitter<'a> {
    folder: Folder<'a>,
    function: &'a mut Function,
    candidates: Vec<Candidate>,
    /// By value: the candidate whose address it is.
    slots: Vec<u32>,
    /// By value: the vector candidate of which it is a component's address.
    components: Vec<u32>,
    /// By value: the other candidate into which it points.
    derived: Vec<u32>,
    replacements: Replacements,
    out: Vec<Inst>,
    variables: Vec<Inst>,
    /// The operands at hand.
    used: Vec<Value>,
}

fn split(folder: Folder<'_>, function: &mut Function) -> bool {
    let mut splitter = Splitter {
        folder,
        slots: vec![NONE; function.values.len()],
        components: vec![NONE; function.values.len()],
        derived: vec![NONE; function.values.len()],
        replacements: Replacements::default(),
        function,
        candidates: Vec::new(),
        out: Vec::new(),
        variables: Vec::new(),
        used: Vec::new(),
    };
    splitter.find();
    if splitter.candidates.is_empty() {
        return false;
    }
    splitter.judge();
    if !splitter.candidates.iter().any(|candidate| candidate.splittable && candidate.has_parts) {
        return false;
    }
    splitter.rewrite();
    true
}

impl Splitter<'_> {
    fn find(&mut self) {
        let entry = self.function.entry();
        for &inst in &self.function.blocks[entry].insts {
            let data = &self.function.insts[inst];
            let (InstKind::Variable { ty, align: _ }, Some(value)) = (data.kind, data.result)
            else {
                break;
            };
            let count = match self.folder.types.kind(ty) {
                TypeKind::Array(_, len) if len <= MAX_PARTS => len as usize,
                TypeKind::Struct(id) => self.folder.types.struct_data(id).fields.len(),
                TypeKind::Vector(..) => 0,
                _ => continue,
            };
            if count as u64 > MAX_PARTS {
                continue;
            }
            self.slots[value.as_local().unwrap_or_default()] = self.candidates.len() as u32;
            self.candidates.push(Candidate {
                value,
                ty,
                splittable: true,
                has_parts: false,
                parts: vec![None; count],
            });
        }
    }

    fn slot(&self, value: Value) -> Option<usize> {
        match self.slots.get(value.as_local()?) {
            Some(&NONE) | None => None,
            Some(&slot) => Some(slot as usize),
        }
    }

    fn component(&self, value: Value) -> Option<usize> {
        match self.components.get(value.as_local()?) {
            Some(&NONE) | None => None,
            Some(&slot) => Some(slot as usize),
        }
    }

    /// The candidate, if it is to be split, whose address `value` is.
    fn split_slot(&self, value: Value) -> Option<usize> {
        self.slot(value)
            .filter(|&slot| self.candidates[slot].splittable && self.candidates[slot].has_parts)
    }

    fn split_component(&self, value: Value) -> Option<usize> {
        self.component(value).filter(|&slot| self.candidates[slot].splittable)
    }

    /// The struct or array candidate into which an address points.
    fn derived(&self, value: Value) -> Option<usize> {
        match self.derived.get(value.as_local()?) {
            Some(&NONE) | None => None,
            Some(&slot) => Some(slot as usize),
        }
    }

    /// An address is used in a way that might reach beyond the part it names.
    fn spoil(&mut self, value: Value) {
        if let Some(slot) = self.slot(value).or(self.component(value)).or(self.derived(value)) {
            self.candidates[slot].splittable = false;
        }
    }

    fn spoil_used(&mut self) {
        while let Some(value) = self.used.pop() {
            self.spoil(value);
        }
    }

    fn is_vector(&self, slot: usize) -> bool {
        matches!(self.folder.types.kind(self.candidates[slot].ty), TypeKind::Vector(..))
    }

    fn ty(&self, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.folder.consts.ty(id),
            None => self.function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// Looks at every use and gives up the candidates that are used in other ways.
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
                if access.flags.volatile {
                    self.spoil(pointer);
                }
            }
            InstKind::Store { pointer, value, access } => {
                if access.flags.volatile {
                    self.spoil(pointer);
                }
                self.spoil(value);
            }
            InstKind::Access { base, indices } => {
                for position in 1..indices.len() {
                    self.spoil(self.function.value_at(indices, position));
                }
                let result = data.result.and_then(Value::as_local).unwrap_or_default();
                let Some(slot) = self.slot(base) else {
                    if let Some(slot) = self.derived(base) {
                        self.derived[result] = slot as u32;
                    } else {
                        self.spoil(base);
                    }
                    return;
                };
                let first = self.function.value_at(indices, 0);
                if self.is_vector(slot) {
                    self.components[result] = slot as u32;
                    self.candidates[slot].has_parts = true;
                } else if self
                    .folder
                    .scalar_bits(first)
                    .is_some_and(|part| part < self.candidates[slot].parts.len() as u64)
                {
                    self.candidates[slot].has_parts = true;
                    self.derived[result] = slot as u32;
                } else {
                    self.candidates[slot].splittable = false;
                }
            }
            InstKind::PtrAdd { base, index } => {
                self.spoil(index);
                match self.other_element(base, index) {
                    Some(kind) => {
                        self.function.insts[inst].kind = kind;
                        self.judge_inst(inst);
                    }
                    None => self.spoil(base),
                }
            }
            InstKind::CopyMemory { destination, source, size, access } => {
                let whole = |splitter: &Self, pointer: Value, other: Value| {
                    splitter.slot(pointer).is_none_or(|slot| {
                        let ty = splitter.candidates[slot].ty;
                        let other_ty = splitter.ty(other);
                        splitter.folder.scalar_bits(size) == Some(splitter.folder.types.size(ty))
                            && splitter.folder.types.pointer_parts(other_ty).map(|parts| parts.0)
                                == Some(ty)
                    })
                };
                if access.flags.volatile
                    || destination == source
                    || !whole(self, destination, source)
                    || !whole(self, source, destination)
                {
                    self.spoil(destination);
                    self.spoil(source);
                }
                for pointer in [destination, source] {
                    let pointee = self.folder.types.pointer_parts(self.ty(pointer));
                    let inside = pointee.is_some_and(|(pointee, _)| {
                        self.folder
                            .scalar_bits(size)
                            .is_some_and(|size| size <= self.folder.types.size(pointee))
                    });
                    if self.component(pointer).is_some() || !inside {
                        self.spoil(pointer);
                    }
                }
            }
            _ => {
                self.function.each_operand(inst, |value| self.used.push(value));
                self.spoil_used();
            }
        }
    }

    /// The access that a constant step within an array of a candidate is: what `p[1]` becomes in a function that is
    /// inlined where `p` is an array.
    fn other_element(&mut self, address: Value, index: Value) -> Option<InstKind> {
        self.derived(address)?;
        let step = self.folder.consts.signed(self.folder.types, index)?;
        element_steps::other_element(&mut self.folder, self.function, address, step)
    }

    fn rewrite(&mut self) {
        for index in 0..self.function.layout.len() {
            let block = self.function.layout[index];
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            self.out = Vec::with_capacity(insts.len());
            for inst in insts {
                let count = self.out.len();
                self.rewrite_inst(inst);
                if let Some(debug) = &mut self.function.debug
                    && let Some(&first) = self.out.get(count)
                    && first != inst
                {
                    debug.replace(inst, first);
                }
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

    /// A new instruction at the place at hand.
    fn emit(&mut self, like: Inst, kind: InstKind, ty: Option<Type>) -> Option<Value> {
        let location = self.function.insts[like].location;
        let inst = self.function.create_inst(kind, ty, MathFlags::NONE, location);
        self.out.push(inst);
        self.function.insts[inst].result
    }

    fn emit_value(&mut self, like: Inst, kind: InstKind, ty: Type) -> Value {
        self.emit(like, kind, Some(ty)).expect("an instruction with a type has a result")
    }

    /// The variable of one part.
    fn part(&mut self, slot: usize, index: usize) -> Value {
        if let Some(value) = self.candidates[slot].parts[index] {
            return value;
        }
        let ty = self.part_type(self.candidates[slot].ty, index);
        let pointer = self.folder.types.pointer(ty, StorageClass::Function);
        let Candidate { value: whole, ty: whole_ty, .. } = self.candidates[slot];
        let (location, whole_align) = match self.function.def_inst(whole) {
            Some((_, &InstData { kind: InstKind::Variable { align, .. }, location, .. })) => {
                (location, align)
            }
            _ => (Location::NONE, 1),
        };
        // Accesses may rely on what the whole gave the part, which can be more than its type asks for.
        let align = (self.folder.types.align(ty) as Align).max(self.part_align(
            whole_ty,
            index,
            whole_align,
        ));
        let kind = InstKind::Variable { ty, align };
        let inst = self.function.create_inst(kind, Some(pointer), MathFlags::NONE, location);
        self.variables.push(inst);
        let value = self.function.insts[inst].result.expect("a variable has an address");
        if let Some(name) = self.function.value_names.get(&whole) {
            let name = format!("{name}.{index}");
            self.function.value_names.insert(value, name);
        }
        self.candidates[slot].parts[index] = Some(value);
        self.note_part(whole, value, self.candidates[slot].ty, index);
        value
    }

    /// Says that the variable of a part has that part of what the whole is.
    fn note_part(&mut self, whole: Value, variable: Value, ty: Type, index: usize) {
        let Some(debug) = &mut self.function.debug else { return };
        let offset = self.folder.types.component_offset(ty, index as u32);
        let size = self.folder.types.component(ty, index as u32);
        let size = size.map_or(0, |part| self.folder.types.size(part));
        for subject in debug.in_memory_at(whole) {
            let start = subject.part.map_or(0, |part| part.offset);
            if let (Ok(offset), Ok(size)) = (u32::try_from(offset), u32::try_from(size)) {
                let part = Some(Part { offset: start + offset, size });
                let subject = Subject { part, ..subject };
                debug.memory.push(InMemory { subject, address: variable });
            }
        }
    }

    fn part_type(&self, ty: Type, index: usize) -> Type {
        self.folder.types.component(ty, index as u32).expect("the part exists")
    }

    /// Alignment that part `index` of an object of type `ty` at alignment `align` has.
    fn part_align(&self, ty: Type, index: usize, align: Align) -> Align {
        match self.folder.types.component_offset(ty, index as u32) {
            0 => align,
            offset => align.min(1 << offset.trailing_zeros().min(30)),
        }
    }

    fn rewrite_inst(&mut self, inst: Inst) {
        let data = self.function.insts[inst];
        match data.kind {
            InstKind::Variable { .. } => {
                let split = data.result.and_then(|value| self.split_slot(value));
                if split.is_some_and(|slot| !self.is_vector(slot)) {
                    return;
                }
            }
            InstKind::Access { base, indices } => {
                let result = data.result.expect("an address is a result");
                if self.split_component(result).is_some() {
                    // Its loads and stores use the whole vector.
                    return;
                }
                if let Some(slot) = self.split_slot(base) {
                    let first = self.function.value_at(indices, 0);
                    let index = self.folder.scalar_bits(first).expect("the index is constant");
                    let part = self.part(slot, index as usize);
                    let rest: Vec<Value> = self.function.values_of(indices).skip(1).collect();
                    if rest.is_empty() {
                        self.replacements.set(result, part);
                        return;
                    }
                    let indices = self.function.list(&rest);
                    self.function.insts[inst].kind = InstKind::Access { base: part, indices };
                }
            }
            InstKind::Load { pointer, access } => {
                if let Some(slot) = self.split_component(pointer) {
                    self.load_component(inst, slot, pointer);
                    return;
                }
                if let Some(slot) = self.split_slot(pointer).filter(|&slot| !self.is_vector(slot)) {
                    let ty = self.candidates[slot].ty;
                    let parts: Vec<Value> = (0..self.candidates[slot].parts.len())
                        .map(|index| {
                            let pointer = self.part(slot, index);
                            let access = self.part_access(ty, index, access);
                            let ty = self.part_type(ty, index);
                            self.emit_value(inst, InstKind::Load { pointer, access }, ty)
                        })
                        .collect();
                    let parts = self.function.list(&parts);
                    let whole = self.emit_value(inst, InstKind::Construct { parts }, ty);
                    self.replacements.set(data.result.expect("a load has a result"), whole);
                    return;
                }
            }
            InstKind::Store { pointer, value, access } => {
                if let Some(slot) = self.split_component(pointer) {
                    self.store_component(inst, slot, pointer, value);
                    return;
                }
                if let Some(slot) = self.split_slot(pointer).filter(|&slot| !self.is_vector(slot)) {
                    let ty = self.candidates[slot].ty;
                    for index in 0..self.candidates[slot].parts.len() {
                        let pointer = self.part(slot, index);
                        let access = self.part_access(ty, index, access);
                        let value = self.extract(inst, value, index, ty);
                        self.emit(inst, InstKind::Store { pointer, value, access }, None);
                    }
                    return;
                }
            }
            InstKind::CopyMemory { destination, source, size: _, access } => {
                let to = self.split_slot(destination).filter(|&slot| !self.is_vector(slot));
                let from = self.split_slot(source).filter(|&slot| !self.is_vector(slot));
                if let Some(slot) = to.or(from) {
                    self.copy_parts(inst, slot, (destination, to), (source, from), access);
                    return;
                }
            }
            _ => {}
        }
        self.out.push(inst);
    }

    fn part_access(&self, ty: Type, index: usize, access: MemoryAccess) -> MemoryAccess {
        MemoryAccess { align: self.part_align(ty, index, access.align), flags: access.flags }
    }

    fn extract(&mut self, like: Inst, value: Value, index: usize, ty: Type) -> Value {
        if let Some(part) = self.folder.component(value, index as u32) {
            return part;
        }
        let ty = self.part_type(ty, index);
        let path = self.function.number_list(&[index as u32]);
        self.emit_value(like, InstKind::Extract { aggregate: value, path }, ty)
    }

    /// Copies an aggregate part by part; at least one side is being split.
    fn copy_parts(
        &mut self,
        inst: Inst,
        slot: usize,
        destination: (Value, Option<usize>),
        source: (Value, Option<usize>),
        access: MemoryAccess,
    ) {
        let ty = self.candidates[slot].ty;
        for index in 0..self.candidates[slot].parts.len() {
            let part_ty = self.part_type(ty, index);
            let access = self.part_access(ty, index, access);
            let to = self.side(inst, destination, index, part_ty);
            let from = self.side(inst, source, index, part_ty);
            match self.folder.types.kind(part_ty) {
                TypeKind::Array(..) | TypeKind::Struct(_) => {
                    let size = self.folder.types.size(part_ty);
                    let size_ty = self.folder.types.size_type();
                    let size = self.folder.int(size_ty, size);
                    let kind = InstKind::CopyMemory { destination: to, source: from, size, access };
                    self.emit(inst, kind, None);
                }
                _ => {
                    let kind = InstKind::Load { pointer: from, access };
                    let value = self.emit_value(inst, kind, part_ty);
                    self.emit(inst, InstKind::Store { pointer: to, value, access }, None);
                }
            }
        }
    }

    /// The address of a part on one side of a copy.
    fn side(
        &mut self,
        inst: Inst,
        (pointer, slot): (Value, Option<usize>),
        index: usize,
        part_ty: Type,
    ) -> Value {
        if let Some(slot) = slot {
            return self.part(slot, index);
        }
        let class = self.folder.types.pointer_parts(self.ty(pointer)).map(|(_, class)| class);
        let class = class.expect("memory is copied between pointers");
        let ty = self.folder.types.pointer(part_ty, class);
        let index = self.folder.int(TypePool::I32, index as u64);
        let indices = self.function.list(&[index]);
        self.emit_value(inst, InstKind::Access { base: pointer, indices }, ty)
    }

    /// The only index of the address of a vector's component.
    fn component_index(&self, pointer: Value) -> Value {
        match self.function.def_inst(pointer).map(|(_, data)| data.kind) {
            Some(InstKind::Access { indices, .. }) => self.function.value_at(indices, 0),
            _ => unreachable!("component addresses are accesses"),
        }
    }

    fn whole_access(&self, ty: Type) -> MemoryAccess {
        let align = self.folder.types.align(ty) as Align;
        MemoryAccess { align, flags: MemFlags::default() }
    }

    /// The lane of a constant index within the vector.
    fn lane(&self, index: Value, ty: Type) -> Option<u32> {
        let bits = self.folder.scalar_bits(index)?;
        (bits < u64::from(self.folder.types.lanes(ty))).then_some(bits as u32)
    }

    fn load_component(&mut self, inst: Inst, slot: usize, pointer: Value) {
        let Candidate { value: whole, ty, .. } = self.candidates[slot];
        let index = self.component_index(pointer);
        let access = self.whole_access(ty);
        let vector = self.emit_value(inst, InstKind::Load { pointer: whole, access }, ty);
        let kind = match self.lane(index, ty) {
            Some(lane) => {
                let path = self.function.number_list(&[lane]);
                InstKind::Extract { aggregate: vector, path }
            }
            None => InstKind::ExtractDynamic { vector, index },
        };
        self.function.insts[inst].kind = kind;
        self.out.push(inst);
    }

    fn store_component(&mut self, inst: Inst, slot: usize, pointer: Value, element: Value) {
        let Candidate { value: whole, ty, .. } = self.candidates[slot];
        let index = self.component_index(pointer);
        let access = self.whole_access(ty);
        let vector = self.emit_value(inst, InstKind::Load { pointer: whole, access }, ty);
        let kind = match self.lane(index, ty) {
            Some(lane) => {
                let path = self.function.number_list(&[lane]);
                InstKind::Insert { aggregate: vector, element, path }
            }
            None => InstKind::InsertDynamic { vector, element, index },
        };
        let value = self.emit_value(inst, kind, ty);
        self.function.insts[inst].kind = InstKind::Store { pointer: whole, value, access };
        self.out.push(inst);
    }
}
