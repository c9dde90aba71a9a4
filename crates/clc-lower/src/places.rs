//! Lvalues: addresses, swizzles, loads and stores.

use clc_ir::{MemFlags, MemoryAccess, StorageClass, Type, TypeKind, TypePool, Value};
use clc_sema::hir::{ExprId, ExprKind, Swizzle};
use clc_sema::types as source;
use clc_sema::types::TypeId;

use crate::module::{FunctionLowering, Slot};

/// Records above this size are copied in memory instead of through a value.
const COPIED_AS_VALUE: u64 = 64;

/// An object in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub pointer: Value,
    /// What is known of the address's alignment, in bytes.
    pub align: u64,
    pub volatile: bool,
    /// It is part of a union or vector, whose bytes may be accessed as another type.
    pub punned: bool,
}

/// What an lvalue denotes.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Memory(Memory),
    /// Some components of a vector in memory; `None` for one that is undefined.
    Swizzle {
        vector: Memory,
        components: Vec<Option<u32>>,
    },
    /// One component of a vector in memory, by a run-time index.
    Element {
        vector: Memory,
        index: Value,
    },
}

impl FunctionLowering<'_, '_> {
    pub fn place(&mut self, id: ExprId) -> Place {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.place_inner(id))
    }

    fn place_inner(&mut self, id: ExprId) -> Place {
        let expr = self.expr_data(id);
        let volatile = expr.ty.quals.is_volatile;
        match &expr.kind {
            ExprKind::Local(local) => {
                let align = self.source.locals[*local].align;
                match self.slot(*local) {
                    Slot::Memory(pointer) => {
                        Place::Memory(Memory { pointer, align, volatile, punned: false })
                    }
                    Slot::Value(value) => {
                        // An opaque object whose address is asked for.
                        let pointer = self.spill(value);
                        Place::Memory(Memory { pointer, align, volatile, punned: false })
                    }
                }
            }
            ExprKind::Global(global) => {
                let pointer = self.cx.global(*global, expr.span);
                let align = self.cx.hir.globals[*global].align;
                Place::Memory(Memory { pointer, align, volatile, punned: false })
            }
            ExprKind::Deref(pointer) => {
                let target = self.pointer(*pointer);
                self.span = expr.span;
                let pointer = self.as_pointer_to(target.pointer, expr.ty.ty);
                Place::Memory(Memory { pointer, volatile, ..target })
            }
            ExprKind::Member { base, field } => {
                let record = self.memory(*base);
                self.span = expr.span;
                Place::Memory(self.member(record, self.expr_data(*base).ty.ty, *field, volatile))
            }
            ExprKind::Swizzle { base, swizzle } => {
                let components = swizzle
                    .as_slice()
                    .iter()
                    .map(|&component| (component != Swizzle::UNDEFINED).then_some(component));
                match self.place(*base) {
                    Place::Memory(vector) => Place::Swizzle {
                        vector,
                        components: components.map(|index| index.map(u32::from)).collect(),
                    },
                    Place::Swizzle { vector, components: outer } => Place::Swizzle {
                        vector,
                        components: components.map(|index| outer[usize::from(index?)]).collect(),
                    },
                    element @ Place::Element { .. } => element,
                }
            }
            ExprKind::VectorElement { base, index } => {
                let vector = self.memory(*base);
                let index = self.value(*index);
                if self.is_matrix(self.expr_data(*base).ty.ty) {
                    // What work-items do each for itself they do in memory: a value of matrix type is
                    // for operations of all of them.
                    self.span = expr.span;
                    let pointer = self.build(|b| b.access(vector.pointer, &[index]));
                    return Place::Memory(Memory { pointer, ..vector });
                }
                Place::Element { vector, index }
            }
            ExprKind::CompoundLiteral { local, value } => {
                let Slot::Memory(pointer) = self.slot(*local) else {
                    return self.unsupported_place(id);
                };
                let align = self.source.locals[*local].align;
                self.initialize(pointer, align, volatile, *value);
                Place::Memory(Memory { pointer, align, volatile, punned: false })
            }
            _ => {
                // A value where an object is needed (a member of a returned union): spill it.
                let value = self.value(id);
                let pointer = self.spill(value);
                let align = self.types().align(expr.ty.ty);
                Place::Memory(Memory { pointer, align, volatile, punned: false })
            }
        }
    }

    fn unsupported_place(&mut self, id: ExprId) -> Place {
        let expr = self.expr_data(id);
        self.cx.unsupported(expr.span, "this lvalue");
        let ty = self.lower_type(expr.ty.ty);
        let pointer = self.build(|b| b.variable(ty, 1));
        Place::Memory(Memory { pointer, align: 1, volatile: false, punned: true })
    }

    /// A place that is a whole object.
    pub fn memory(&mut self, id: ExprId) -> Memory {
        let place = self.place(id);
        if let Place::Swizzle { vector, components } = &place
            && let [Some(component)] = components[..]
        {
            return self.component(*vector, component);
        }
        match place {
            Place::Memory(memory) => memory,
            Place::Swizzle { .. } | Place::Element { .. } => match self.unsupported_place(id) {
                Place::Memory(memory) => memory,
                Place::Swizzle { .. } | Place::Element { .. } => unreachable!("made as memory"),
            },
        }
    }

    /// One component of a vector as an object of its own.
    fn component(&mut self, vector: Memory, component: u32) -> Memory {
        let pointer = self.build(|b| {
            let index = b.i32(component as i32);
            b.access(vector.pointer, &[index])
        });
        let size = self.pointee_size(pointer);
        let align = known_align(vector.align, u64::from(component) * size);
        Memory { pointer, align, punned: true, ..vector }
    }

    fn pointee_size(&self, pointer: Value) -> u64 {
        let types = &self.cx.module.types;
        types.pointer_parts(self.value_type(pointer)).map_or(1, |(pointee, _)| types.size(pointee))
    }

    /// A field of a record in memory.
    pub fn member(&mut self, base: Memory, record: TypeId, field: u32, volatile: bool) -> Memory {
        let source::Type::Record(id) = self.types().get(record) else {
            unreachable!("members belong to records")
        };
        let body = self.types().records[*id].body.as_ref().expect("accessed records are complete");
        let data = &body.fields[field as usize];
        let field_type = self.lower_type(data.ty.ty);
        let cx = &mut *self.cx;
        let layout = cx.types.record(&mut cx.module.types, &cx.hir.types, cx.names, *id);
        let index = (!layout.is_union).then(|| layout.fields[field as usize]);
        let volatile = volatile || base.volatile || data.ty.quals.is_volatile;
        let pointer = self.build(|b| match index {
            Some(index) => {
                let index = b.i32(index as i32);
                b.access(base.pointer, &[index])
            }
            None => {
                let (_, class) = b.types.pointer_parts(b.ty(base.pointer)).expect("a pointer");
                let ty = b.types.pointer(field_type, class);
                b.bitcast(base.pointer, ty)
            }
        });
        let punned = base.punned || index.is_none();
        Memory { pointer, align: known_align(base.align, data.offset), volatile, punned }
    }

    /// What a pointer points to, as far as the pointer itself tells: whether the object is volatile is
    /// up to the lvalue.
    pub fn pointer(&mut self, id: ExprId) -> Memory {
        let expr = self.expr_data(id);
        let natural = self
            .types()
            .as_pointer(expr.ty.ty)
            .map_or(1, |(pointee, _)| self.types().align(pointee.ty));
        match &expr.kind {
            // An array or object inside a packed record may be less aligned than its type.
            ExprKind::Decay(place) => {
                let memory = self.memory(*place);
                self.span = expr.span;
                Memory { pointer: self.first_element(memory.pointer, expr.ty.ty), ..memory }
            }
            ExprKind::PtrAdd { pointer, index, negate } => {
                let stride = self
                    .types()
                    .as_pointer(expr.ty.ty)
                    .and_then(|(pointee, _)| self.types().size(pointee.ty))
                    .unwrap_or(1);
                let part = self.pointer_offset(*pointer, *index, *negate, expr.span);
                Memory { align: known_align(part.align, stride), ..part }
            }
            ExprKind::AddressOf(place) => {
                let memory = self.memory(*place);
                Memory { pointer: self.as_type(memory.pointer, expr.ty.ty), ..memory }
            }
            _ => Memory { pointer: self.value(id), align: natural, volatile: false, punned: false },
        }
    }

    /// `pointer` as a pointer to its array's first element.
    pub fn first_element(&mut self, pointer: Value, ty: TypeId) -> Value {
        let is_array = self.pointee(pointer).is_some_and(|pointee| {
            matches!(self.cx.module.types.kind(pointee), TypeKind::Array(..))
        });
        let pointer = if is_array {
            self.build(|b| {
                let zero = b.i32(0);
                b.access(pointer, &[zero])
            })
        } else {
            pointer
        };
        self.as_type(pointer, ty)
    }

    pub fn pointee(&self, pointer: Value) -> Option<Type> {
        self.cx.module.types.pointer_parts(self.value_type(pointer)).map(|(pointee, _)| pointee)
    }

    /// A pointer value as the machine type of pointer type `ty` (same storage class).
    pub fn as_type(&mut self, value: Value, ty: TypeId) -> Value {
        let ty = self.lower_type(ty);
        self.build(|b| b.bitcast(value, ty))
    }

    fn as_pointer_to(&mut self, pointer: Value, pointee: TypeId) -> Value {
        if matches!(self.types().get(pointee), source::Type::Array { len: None | Some(0), .. }) {
            return pointer;
        }
        let pointee = self.lower_type(pointee);
        if pointee == TypePool::VOID || self.pointee(pointer) == Some(pointee) {
            return pointer;
        }
        self.build(|b| {
            let (_, class) = b.types.pointer_parts(b.ty(pointer)).expect("a pointer");
            let ty = b.types.pointer(pointee, class);
            b.bitcast(pointer, ty)
        })
    }

    pub fn access_of(&self, align: u64, volatile: bool) -> MemoryAccess {
        let flags = MemFlags { volatile, ..MemFlags::default() };
        MemoryAccess { align: align.min(128) as u32, flags }
    }

    /// How the object at `memory` is accessed.
    fn memory_access(&self, memory: Memory) -> MemoryAccess {
        let mut access = self.access_of(memory.align, memory.volatile);
        access.flags.typed = self.cx.hir.strict_aliasing && !memory.punned;
        access
    }

    /// The value of a place (lvalue conversion).
    pub fn load(&mut self, place: &Place) -> Value {
        match place {
            Place::Memory(memory) => self.load_memory(*memory),
            Place::Swizzle { vector, components } => {
                let vector = self.load_memory(*vector);
                let mask: Vec<u32> =
                    components.iter().map(|component| component.unwrap_or(0)).collect();
                self.build(|b| b.shuffle(vector, vector, &mask))
            }
            Place::Element { vector, index } => {
                let vector = self.load_memory(*vector);
                self.build(|b| b.extract_dynamic(vector, *index))
            }
        }
    }

    pub fn load_memory(&mut self, memory: Memory) -> Value {
        let access = self.memory_access(memory);
        self.build(|b| b.load(memory.pointer, access))
    }

    fn store_memory(&mut self, memory: Memory, value: Value) {
        let access = self.memory_access(memory);
        self.build(|b| b.store(memory.pointer, value, access));
    }

    pub fn store(&mut self, place: &Place, value: Value) {
        match place {
            Place::Memory(memory) => self.store_memory(*memory, value),
            Place::Swizzle { vector, components } => {
                self.store_components(*vector, components, value);
            }
            Place::Element { vector, index } if self.is_private(vector.pointer) => {
                let whole = self.load_memory(*vector);
                let whole = self.build(|b| b.insert_dynamic(whole, value, *index));
                self.store_memory(*vector, whole);
            }
            Place::Element { vector, index } => {
                let pointer = self.build(|b| b.access(vector.pointer, &[*index]));
                let align = known_align(vector.align, self.pointee_size(pointer));
                self.store_memory(Memory { pointer, align, punned: true, ..*vector }, value);
            }
        }
    }

    /// Private memory is seen by one work-item only.
    fn is_private(&self, pointer: Value) -> bool {
        self.cx
            .module
            .types
            .pointer_parts(self.value_type(pointer))
            .is_some_and(|(_, class)| class == StorageClass::Function)
    }

    /// Writes components of a vector. In memory that others see, the components that are not
    /// named must not be written: another work-item may be writing them.
    fn store_components(&mut self, vector: Memory, components: &[Option<u32>], value: Value) {
        let Some(ty) = self.pointee(vector.pointer) else { return };
        let lanes = usize::from(self.cx.module.types.lanes(ty));
        let all: Option<Vec<u32>> = components.iter().copied().collect();
        if let Some(all) = all.filter(|all| all.len() == lanes && lanes > 1) {
            let mut mask = vec![0; lanes];
            for (position, &component) in all.iter().enumerate() {
                mask[component as usize] = position as u32;
            }
            let whole = self.build(|b| b.shuffle(value, value, &mask));
            self.store_memory(vector, whole);
        } else if self.is_private(vector.pointer) {
            let mut whole = self.load_memory(vector);
            if let &[Some(component)] = components {
                whole = self.build(|b| b.insert(whole, value, &[component]));
            } else {
                for (position, component) in components.iter().enumerate() {
                    let &Some(component) = component else { continue };
                    whole = self.build(|b| {
                        let part = b.extract(value, &[position as u32]);
                        b.insert(whole, part, &[component])
                    });
                }
            }
            self.store_memory(vector, whole);
        } else {
            for (position, component) in components.iter().enumerate() {
                let &Some(component) = component else { continue };
                let part = match components.len() {
                    1 => value,
                    _ => self.build(|b| b.extract(value, &[position as u32])),
                };
                let memory = self.component(vector, component);
                self.store_memory(memory, part);
            }
        }
    }

    /// A temporary that holds a value.
    pub fn spill(&mut self, value: Value) -> Value {
        let ty = self.value_type(value);
        let align = self.cx.module.types.align(ty);
        let access = self.access_of(align, false);
        self.build(|b| {
            let pointer = b.variable(ty, align as u32);
            b.store(pointer, value, access);
            pointer
        })
    }

    /// Copies an object of record type from place to place.
    pub fn copy(&mut self, destination: Memory, source: Memory, size: u64) {
        if size <= COPIED_AS_VALUE {
            let value = self.load_memory(source);
            self.store_memory(destination, value);
            return;
        }
        let volatile = destination.volatile || source.volatile;
        let access = self.access_of(destination.align.min(source.align), volatile);
        self.build(|b| {
            let size_type = b.types.size_type();
            let size = b.int(size_type, size);
            b.copy_memory(destination.pointer, source.pointer, size, access);
        });
    }
}

/// The alignment of an address that lies `offset` bytes behind one aligned to `align`.
pub(crate) fn known_align(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}
