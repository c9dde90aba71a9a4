//! Loads and stores of any type at any place, in pieces that a shader can access.

use clc_ir::{
    BinaryOp, CompareOp, ConvertOp, MemFlags, MemoryAccess, Type, TypeKind, TypePool, Value,
};

use super::arithmetic::{integer, zero_extended};
use super::places::Place;
use super::rewrite::Rewriter;
use super::types::{alignment_at, has_wide_vectors};

/// Longer arrays are copied by a loop.
const MAX_UNROLLED: u64 = 16;

fn at(access: MemoryAccess, offset: u64) -> MemoryAccess {
    MemoryAccess { align: alignment_at(access.align, offset), ..access }
}

/// A vector of 8 or 16 small components in pieces of up to four words.
struct Pieces {
    /// Of the vector, in bytes.
    size: u64,
    /// Of a piece.
    words: u64,
    /// Components of a piece.
    lanes: u64,
    access: MemoryAccess,
}

/// How a vector of `lanes` components of `size` bytes is accessed by words. As vectors of four components, which is all
/// that shaders have, drivers would access it by 4 or 8 bytes, where they may by 16.
fn words(size: u64, lanes: u64, access: MemoryAccess) -> Option<Pieces> {
    if size >= 4 || lanes <= 4 || access.align < 4 {
        return None;
    }
    let words = (lanes * size / 4).min(4);
    // Words are not what effective types are of.
    let flags = MemFlags { typed: false, ..access.flags };
    let access = MemoryAccess { flags, ..access };
    Some(Pieces { size: lanes * size, words, lanes: words * 4 / size, access })
}

impl Pieces {
    fn offsets(&self) -> impl Iterator<Item = u64> + use<> {
        (0..self.size).step_by(self.words as usize * 4)
    }

    fn at(&self, offset: u64) -> MemoryAccess {
        at(self.access, offset)
    }
}

/// The parts of an aggregate: index, byte offset and type of each.
type Parts = Vec<(u32, u64, Type)>;

impl Rewriter<'_, '_> {
    /// Loads a `ty`, which contains no pointers.
    pub fn load(&mut self, place: Place, ty: Type, access: MemoryAccess) -> Value {
        let loaded = self
            .by_space(place, Some(ty), &mut |this, place| Some(this.load_at(place, ty, access)));
        loaded.unwrap_or_else(|| self.b.undef(ty))
    }

    /// Stores a `ty`, which contains no pointers.
    pub fn store(&mut self, place: Place, value: Value, access: MemoryAccess) {
        let ty = self.b.ty(value);
        self.by_space(place, None, &mut |this, place| {
            this.store_at(place, ty, value, access);
            None
        });
    }

    /// Whether a variable holds a `ty` as it is in registers.
    fn is_direct(&self, place: Place, ty: Type) -> bool {
        matches!(place, Place::Part(..)) && !has_wide_vectors(self.b.types, ty)
    }

    fn load_at(&mut self, place: Place, ty: Type, access: MemoryAccess) -> Value {
        if let (Place::Part(variable, path), true) = (place, self.is_direct(place, ty)) {
            let pointer = self.variable_pointer(variable, path);
            return self.b.load(pointer, access);
        }
        match self.b.types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Float(_) => self.load_scalar(place, ty, access),
            TypeKind::Vector(element, lanes) => {
                self.load_vector(place, ty, element, u64::from(lanes), access)
            }
            TypeKind::Array(element, len) if len > MAX_UNROLLED => {
                let size = self.b.types.size(element);
                let array = self.scratch(ty);
                self.each(len, &mut |this, index| {
                    let (from, _) = this.component(place, ty, index);
                    let value = this.load_at(from, element, at(access, size));
                    let to = this.b.access(array, &[index]);
                    this.store_plain(to, value);
                });
                self.load_plain(array)
            }
            TypeKind::Array(..) | TypeKind::Struct(_) => {
                let mut values = Vec::new();
                for (index, offset, part) in self.parts(ty) {
                    let from = self.part(place, ty, index);
                    values.push(self.load_at(from, part, at(access, offset)));
                }
                self.b.construct(ty, &values)
            }
            _ => {
                self.opaque(ty);
                self.b.undef(ty)
            }
        }
    }

    fn store_at(&mut self, place: Place, ty: Type, value: Value, access: MemoryAccess) {
        if let (Place::Part(variable, path), true) = (place, self.is_direct(place, ty)) {
            let pointer = self.variable_pointer(variable, path);
            self.b.store(pointer, value, access);
            return;
        }
        // What is behind three components is not theirs: `vstore3` writes no more than these.
        let is_whole = self.b.types.lanes(ty) != 3;
        if let (Place::Global(_) | Place::Pool(..), true) =
            (place, is_whole && self.b.is_null(value))
        {
            return self.clear(place, ty, access);
        }
        match self.b.types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Float(_) => self.store_scalar(place, ty, value, access),
            TypeKind::Vector(element, lanes) => {
                self.store_vector(place, element, u64::from(lanes), value, access);
            }
            TypeKind::Array(element, len) if len > MAX_UNROLLED => {
                let size = self.b.types.size(element);
                let array = self.scratch(ty);
                self.store_plain(array, value);
                self.each(len, &mut |this, index| {
                    let from = this.b.access(array, &[index]);
                    let value = this.load_plain(from);
                    let (to, _) = this.component(place, ty, index);
                    this.store_at(to, element, value, at(access, size));
                });
            }
            TypeKind::Array(..) | TypeKind::Struct(_) => {
                for (index, offset, part) in self.parts(ty) {
                    let to = self.part(place, ty, index);
                    let value = self.extract(value, index);
                    self.store_at(to, part, value, at(access, offset));
                }
            }
            _ => self.opaque(ty),
        }
    }

    /// Stores zeros, in padding too.
    fn clear(&mut self, place: Place, ty: Type, access: MemoryAccess) {
        let size = self.b.types.size(ty);
        if size == 0 {
            return;
        }
        let units = self.units(size, access);
        let TypeKind::Array(unit, count) = self.b.types.kind(units) else { return };
        let (zero, size) = (self.b.zero(unit), self.b.types.size(unit));
        let lanes = u64::from(self.b.types.lanes(unit));
        let element = self.b.types.scalar(unit);
        let store = |this: &mut Self, to, access| match lanes {
            1 => this.store_scalar(to, unit, zero, access),
            _ => this.store_vector(to, element, lanes, zero, access),
        };
        if count > MAX_UNROLLED {
            self.each(count, &mut |this, index| {
                let (to, _) = this.component(place, units, index);
                store(this, to, at(access, size));
            });
            return;
        }
        for index in 0..count {
            let to = self.forward(place, index * size);
            store(self, to, at(access, index * size));
        }
    }

    /// Copies a `ty` without making one value of it.
    pub fn copy(&mut self, to: Place, from: Place, ty: Type, access: MemoryAccess) {
        match self.b.types.kind(ty) {
            TypeKind::Array(element, len) if len > MAX_UNROLLED => {
                let size = self.b.types.size(element);
                self.each(len, &mut |this, index| {
                    let (to, _) = this.component(to, ty, index);
                    let (from, _) = this.component(from, ty, index);
                    this.copy(to, from, element, at(access, size));
                });
            }
            TypeKind::Array(..) | TypeKind::Struct(_) => {
                for (index, offset, part) in self.parts(ty) {
                    let (to, from) = (self.part(to, ty, index), self.part(from, ty, index));
                    self.copy(to, from, part, at(access, offset));
                }
            }
            _ => {
                let value = self.load(from, ty, access);
                self.store(to, value, access);
            }
        }
    }

    fn parts(&self, ty: Type) -> Parts {
        match self.b.types.kind(ty) {
            TypeKind::Struct(id) => {
                let data = self.b.types.struct_data(id);
                let parts = data.fields.iter().zip(&data.offsets);
                (0..).zip(parts).map(|(index, (&ty, &offset))| (index, offset, ty)).collect()
            }
            TypeKind::Array(element, len) => {
                let size = self.b.types.size(element);
                (0..len as u32).map(|index| (index, u64::from(index) * size, element)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn part(&mut self, place: Place, ty: Type, index: u32) -> Place {
        let index = self.b.i32(index as i32);
        self.component(place, ty, index).0
    }

    /// A variable for an array on its way.
    fn scratch(&mut self, ty: Type) -> Value {
        let align = self.b.types.align(ty) as u32;
        self.b.variable(ty, align)
    }

    fn load_plain(&mut self, pointer: Value) -> Value {
        let access = self.natural(pointer);
        self.b.load(pointer, access)
    }

    fn store_plain(&mut self, pointer: Value, value: Value) {
        let access = self.natural(pointer);
        self.b.store(pointer, value, access);
    }

    fn natural(&self, pointer: Value) -> MemoryAccess {
        let pointee = super::facts::pointee(self.b.types, self.b.ty(pointer));
        MemoryAccess { align: self.b.types.align(pointee) as u32, flags: MemFlags::default() }
    }

    /// Does `body` for each number below `count`.
    pub fn each(&mut self, count: u64, body: &mut dyn FnMut(&mut Self, Value)) {
        let header = self.b.new_block();
        let index = self.b.function.add_block_param(header, TypePool::I32);
        let (inside, done) = (self.b.new_block(), self.b.new_block());
        let zero = self.b.i32(0);
        self.b.jump(header, &[zero]);
        self.b.switch_to(header);
        let end = self.b.int(TypePool::I32, count);
        let more = self.b.compare(CompareOp::ULess, index, end);
        self.b.branch(more, inside, done);
        self.b.switch_to(inside);
        body(self, index);
        let next = self.with(BinaryOp::IAdd, index, 1);
        self.b.jump(header, &[next]);
        self.b.switch_to(done);
    }

    /// The bytes in which a vector in a pool is accessed, where these are several components: whole
    /// words where the alignment allows it, otherwise what a component of 32 bits would be.
    fn unit(&self, place: Place, size: u64, lanes: u64, access: MemoryAccess) -> Option<u64> {
        let Place::Pool(pool, _) = place else { return None };
        let word = self.plan.word(pool);
        [word, word.min(4)].into_iter().find(|&unit| {
            let fits = u64::from(access.align) >= unit && (lanes * size).is_multiple_of(unit);
            // Instructions have vectors of at most four components.
            fits && size < unit && unit / size <= 4
        })
    }

    fn load_vector(
        &mut self,
        place: Place,
        ty: Type,
        element: Type,
        lanes: u64,
        access: MemoryAccess,
    ) -> Value {
        let size = self.b.types.size(element);
        if let (Place::Pool(..), Some(unit)) = (place, self.unit(place, size, lanes, access)) {
            let unit_type = self.b.types.int((unit * 8) as u8);
            let part = self.b.types.vector(element, (unit / size) as u8);
            let mut parts = Vec::new();
            for index in 0..lanes * size / unit {
                let from = self.forward(place, index * unit);
                let value = self.load_scalar(from, unit_type, at(access, index * unit));
                parts.push(self.b.bitcast(value, part));
            }
            return match parts[..] {
                [part] => part,
                _ => self.b.construct(ty, &parts),
            };
        }
        match place {
            Place::Part(..) => {
                let part = self.b.types.vector(element, 4);
                let mut parts = Vec::new();
                for index in 0..lanes / 4 {
                    let Some(pointer) = self.quarter(place, index) else { continue };
                    let access = at(access, index * 4 * size);
                    let value = self.b.load(pointer, access);
                    debug_assert_eq!(self.b.ty(value), part);
                    parts.push(value);
                }
                self.b.construct(ty, &parts)
            }
            Place::Element(root, index) if self.element_size(root) > size => {
                let pointer = self.element_pointer(root, index);
                let value = self.b.load(pointer, access);
                self.b.bitcast(value, ty)
            }
            Place::Global(address) if let Some(pieces) = words(size, lanes, access) => {
                let words = self.b.types.vector(TypePool::I32, pieces.words as u8);
                let part = self.b.types.vector(element, pieces.lanes as u8);
                let mut parts = Vec::new();
                for offset in pieces.offsets() {
                    let address = self.with(BinaryOp::IAdd, address, offset);
                    let value = self.load_from_buffer(address, words, pieces.at(offset));
                    parts.push(self.b.bitcast(value, part));
                }
                match parts[..] {
                    [part] => part,
                    _ => self.b.construct(ty, &parts),
                }
            }
            Place::Global(address) if u64::from(access.align) >= size => {
                let count = lanes.min(4);
                let part = self.b.types.vector(element, count as u8);
                let mut parts = Vec::new();
                for index in 0..lanes / count {
                    let offset = index * count * size;
                    let address = self.with(BinaryOp::IAdd, address, offset);
                    parts.push(self.load_from_buffer(address, part, at(access, offset)));
                }
                match parts[..] {
                    [part] => part,
                    _ => self.b.construct(ty, &parts),
                }
            }
            _ => {
                let mut parts = Vec::new();
                for lane in 0..lanes {
                    let from = self.forward(place, lane * size);
                    parts.push(self.load_scalar(from, element, at(access, lane * size)));
                }
                self.b.construct(ty, &parts)
            }
        }
    }

    fn store_vector(
        &mut self,
        place: Place,
        element: Type,
        lanes: u64,
        value: Value,
        access: MemoryAccess,
    ) {
        let size = self.b.types.size(element);
        if let (Place::Pool(..), Some(unit)) = (place, self.unit(place, size, lanes, access)) {
            let unit_type = self.b.types.int((unit * 8) as u8);
            let count = unit / size;
            for index in 0..lanes / count {
                let part = self.lanes_of(value, index * count, count);
                let value = self.b.bitcast(part, unit_type);
                let to = self.forward(place, index * unit);
                self.store_scalar(to, unit_type, value, at(access, index * unit));
            }
            return;
        }
        match place {
            Place::Part(..) => {
                for index in 0..lanes / 4 {
                    let part = self.lanes_of(value, index * 4, 4);
                    let Some(pointer) = self.quarter(place, index) else { continue };
                    self.b.store(pointer, part, at(access, index * 4 * size));
                }
            }
            Place::Element(root, index) if self.element_size(root) > size => {
                let value = self.b.bitcast(value, self.element(root));
                let pointer = self.element_pointer(root, index);
                self.b.store(pointer, value, access);
            }
            Place::Global(address) if let Some(pieces) = words(size, lanes, access) => {
                let words = self.b.types.vector(TypePool::I32, pieces.words as u8);
                for offset in pieces.offsets() {
                    let part = self.lanes_of(value, offset / size, pieces.lanes);
                    let part = self.b.bitcast(part, words);
                    let address = self.with(BinaryOp::IAdd, address, offset);
                    let pointer = self.buffer_pointer(address, words);
                    self.b.store(pointer, part, pieces.at(offset));
                }
            }
            Place::Global(address) if u64::from(access.align) >= size => {
                let count = lanes.min(4);
                let ty = self.b.types.vector(element, count as u8);
                for index in 0..lanes / count {
                    let offset = index * count * size;
                    let part = self.lanes_of(value, index * count, count);
                    let address = self.with(BinaryOp::IAdd, address, offset);
                    let pointer = self.buffer_pointer(address, ty);
                    self.b.store(pointer, part, at(access, offset));
                }
            }
            _ => {
                for lane in 0..lanes {
                    let to = self.forward(place, lane * size);
                    let scalar = self.extract(value, lane as u32);
                    self.store_scalar(to, element, scalar, at(access, lane * size));
                }
            }
        }
    }

    /// The pointer to a group of four components of a large vector in a variable.
    fn quarter(&mut self, place: Place, index: u64) -> Option<Value> {
        let Place::Part(variable, path) = place else { return None };
        let mut indices = self.indices(path).to_vec();
        indices.push(self.b.i32(index as i32));
        let path = self.path(&indices);
        Some(self.variable_pointer(variable, path))
    }

    /// `count` components of a vector.
    fn lanes_of(&mut self, vector: Value, first: u64, count: u64) -> Value {
        let ty = self.b.ty(vector);
        if u64::from(self.b.types.lanes(ty)) == count {
            return vector;
        }
        if self.b.is_null(vector) {
            let element = self.b.types.scalar(ty);
            let part = self.b.types.vector(element, count as u8);
            return self.b.zero(part);
        }
        let mask: Vec<u32> = (first..first + count).map(|lane| lane as u32).collect();
        self.b.shuffle(vector, vector, &mask)
    }

    /// A part of a value, which may be a constant.
    fn extract(&mut self, value: Value, index: u32) -> Value {
        let part = value.as_const().and_then(|id| match self.b.consts.get(id) {
            clc_ir::Const::Composite(_, parts) => parts.get(index as usize).copied(),
            _ => None,
        });
        if let (None, true) = (part, self.b.is_null(value))
            && let Some(ty) = self.b.types.component(self.b.ty(value), index)
        {
            return self.b.zero(ty);
        }
        part.unwrap_or_else(|| self.b.extract(value, &[index]))
    }

    fn load_scalar(&mut self, place: Place, ty: Type, access: MemoryAccess) -> Value {
        let size = self.b.types.size(ty);
        match place {
            Place::Part(variable, path) => {
                let pointer = self.variable_pointer(variable, path);
                self.b.load(pointer, access)
            }
            Place::Element(root, index) => {
                let pointer = self.element_pointer(root, index);
                let value = self.b.load(pointer, access);
                self.b.bitcast(value, ty)
            }
            // Vulkan wants the alignment of the scalar (VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314).
            Place::Global(address) if u64::from(access.align) >= size => {
                self.load_from_buffer(address, ty, access)
            }
            Place::Global(_) => {
                let bytes = u64::from(access.align);
                self.joined(ty, bytes, &mut |this, piece, offset| {
                    let from = this.forward(place, offset);
                    this.load_scalar(from, piece, access)
                })
            }
            Place::Pool(pool, offset) => self.load_from_pool(pool, offset, ty, access),
            Place::Generic(_) => self.load(place, ty, access),
        }
    }

    fn store_scalar(&mut self, place: Place, ty: Type, value: Value, access: MemoryAccess) {
        let size = self.b.types.size(ty);
        match place {
            Place::Part(variable, path) => {
                let pointer = self.variable_pointer(variable, path);
                self.b.store(pointer, value, access);
            }
            Place::Element(root, index) => {
                let value = self.b.bitcast(value, self.element(root));
                let pointer = self.element_pointer(root, index);
                self.b.store(pointer, value, access);
            }
            Place::Global(address) if u64::from(access.align) >= size => {
                let pointer = self.buffer_pointer(address, ty);
                self.b.store(pointer, value, access);
            }
            Place::Global(_) => {
                let bytes = u64::from(access.align);
                self.split(ty, value, bytes, &mut |this, piece, offset| {
                    let to = this.forward(place, offset);
                    let ty = this.b.ty(piece);
                    this.store_scalar(to, ty, piece, access);
                });
            }
            Place::Pool(pool, offset) => self.store_to_pool(pool, offset, ty, value, access),
            Place::Generic(_) => self.store(place, value, access),
        }
    }

    /// A scalar made of pieces of `bytes` bytes, the lowest first.
    pub fn joined(
        &mut self,
        ty: Type,
        bytes: u64,
        load: &mut dyn FnMut(&mut Self, Type, u64) -> Value,
    ) -> Value {
        let size = self.b.types.size(ty);
        let whole = integer(self.b.types, ty);
        let piece = self.b.types.int((bytes * 8) as u8);
        let mut value = None;
        for offset in (0..size).step_by(bytes as usize) {
            let part = load(self, piece, offset);
            let part = zero_extended(&mut self.b, part, whole);
            let part = self.with(BinaryOp::Shl, part, offset * 8);
            value = Some(match value {
                None => part,
                Some(value) => self.binary(BinaryOp::Or, value, part),
            });
        }
        let value = value.unwrap_or_else(|| self.b.undef(whole));
        self.b.bitcast(value, ty)
    }

    /// Gives the pieces of `bytes` bytes of a scalar, the lowest first.
    pub fn split(
        &mut self,
        ty: Type,
        value: Value,
        bytes: u64,
        store: &mut dyn FnMut(&mut Self, Value, u64),
    ) {
        let size = self.b.types.size(ty);
        let whole = integer(self.b.types, ty);
        let piece = self.b.types.int((bytes * 8) as u8);
        let value = self.b.bitcast(value, whole);
        for offset in (0..size).step_by(bytes as usize) {
            let part = self.with(BinaryOp::LShr, value, offset * 8);
            let part = self.b.convert(ConvertOp::Truncate, part, piece);
            store(self, part, offset);
        }
    }
}
