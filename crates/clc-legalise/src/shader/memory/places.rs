//! What pointers become while functions are rewritten, and steps from one place to another.

use clc_ir::{
    Const, ConvertOp, GlobalId, MatrixType, MemoryAccess, StorageClass, Type, TypeKind, TypePool,
    Value,
};

use super::arithmetic::{add, binary, constant, resized, scaled, with, zero_extended};
use super::pools::Offset;
use super::rewrite::Rewriter;
use super::roots::{RootId, Shape};
use super::{Pool, TAG_SHIFT, offset};

use clc_ir::BinaryOp;

/// A variable that is accessed by indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Root(RootId),
    /// One that never had a numeric address: built-in, Private, PushConstant.
    Global(GlobalId),
}

/// The indices of a place in a variable: a run in [`Rewriter::paths`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    start: u32,
    len: u32,
}

impl Path {
    /// Whether the place is the whole variable.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// An address in a buffer, `i64`.
    Global(Value),
    /// Any address, `i64`.
    Generic(Value),
    /// A byte offset into a pool, `i32`.
    Pool(Pool, Value),
    /// An element of a root of the shape [`Shape::Elements`]: its index, `i32`.
    Element(RootId, Value),
    /// A part of a variable of its own type.
    Part(Variable, Path),
}

impl Rewriter<'_, '_> {
    /// What a pointer of the old function points to.
    pub fn place(&mut self, pointer: Value) -> Place {
        if pointer.is_const() {
            return self.constant_place(pointer);
        }
        if let Some(place) = self.known_place(pointer) {
            return place;
        }
        let class = self.class(pointer);
        let address = self.operand(pointer);
        self.at_address(address, class)
    }

    /// The place at a numeric address.
    pub fn at_address(&mut self, address: Value, class: StorageClass) -> Place {
        match class {
            StorageClass::Function => Place::Pool(Pool::Private, self.pool_offset(address)),
            StorageClass::Workgroup => Place::Pool(Pool::Local, self.pool_offset(address)),
            StorageClass::Generic => Place::Generic(address),
            StorageClass::CrossWorkgroup
            | StorageClass::UniformConstant
            | StorageClass::Input
            | StorageClass::Private
            | StorageClass::PushConstant
            | StorageClass::Uniform
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::ReadOnlyBuffer
            | StorageClass::StorageBuffer => Place::Global(address),
        }
    }

    /// An address without its tag.
    pub fn pool_offset(&mut self, address: Value) -> Value {
        resized(&mut self.b, address, TypePool::I32)
    }

    /// The number that a pointer to a place is.
    ///
    /// # Panics
    /// If the place is in a variable of its own: the analysis of roots saw all uses.
    pub fn address(&mut self, place: Place) -> Value {
        match place {
            Place::Global(address) | Place::Generic(address) => address,
            Place::Pool(pool, offset) => {
                let offset = zero_extended(&mut self.b, offset, TypePool::I64);
                with(&mut self.b, BinaryOp::Or, offset, pool.tag())
            }
            Place::Element(root, _) | Place::Part(Variable::Root(root), _) => {
                unreachable!("`{}` has no address", self.plan.roots.roots[root as usize].name)
            }
            Place::Part(Variable::Global(global), _) => unreachable!("{global} has no address"),
        }
    }

    /// The number that stands for a pointer into a root: an offset or an index.
    pub fn position(&mut self, place: Place, root: RootId) -> Value {
        match (place, self.plan.roots.roots[root as usize].shape) {
            (Place::Element(_, index), _) => index,
            (Place::Pool(_, offset), _) => offset,
            (Place::Global(address) | Place::Generic(address), Shape::Bytes) => {
                self.pool_offset(address)
            }
            (Place::Global(_) | Place::Generic(_) | Place::Part(..), _) => {
                unreachable!("pointers into a variable of its own type are not chosen from")
            }
        }
    }

    /// The place that such a number stands for.
    pub fn at_position(&self, root: RootId, position: Value) -> Place {
        let data = &self.plan.roots.roots[root as usize];
        match (data.shape, data.class) {
            (Shape::Elements(_), _) => Place::Element(root, position),
            (Shape::Own | Shape::Bytes, StorageClass::Workgroup) => {
                Place::Pool(Pool::Local, position)
            }
            (Shape::Own | Shape::Bytes, _) => Place::Pool(Pool::Private, position),
        }
    }

    /// The beginning of a root.
    pub fn root(&mut self, root: RootId) -> Place {
        let data = &self.plan.roots.roots[root as usize];
        match data.shape {
            Shape::Own => Place::Part(Variable::Root(root), self.path(&[])),
            Shape::Elements(_) => Place::Element(root, self.b.i32(0)),
            Shape::Bytes => {
                let pool = match data.class {
                    StorageClass::Workgroup => Pool::Local,
                    _ => Pool::Private,
                };
                let offset = match offset(self.plan, root) {
                    Offset::Fixed(offset) => self.b.int(TypePool::I32, offset),
                    Offset::Argument(number) => self.argument_offset(number),
                };
                Place::Pool(pool, offset)
            }
        }
    }

    /// The sizes of the arguments before this one decide where it is.
    fn argument_offset(&mut self, number: usize) -> Value {
        let align = self.plan.layout.argument_align;
        let mut offset = self.b.int(TypePool::I32, self.plan.layout.local);
        for &index in &self.plan.layout.arguments[..number] {
            let argument = self.plan.places.local_arguments[index];
            let count = Const::Spec { ty: TypePool::I32, id: argument.constant, default: 1 };
            let count = self.b.consts.intern(count);
            let size = self.b.types.size(argument.element);
            let mut bytes = scaled(&mut self.b, count, size);
            if !size.is_multiple_of(align) {
                bytes = with(&mut self.b, BinaryOp::IAdd, bytes, align - 1);
                bytes = with(&mut self.b, BinaryOp::And, bytes, !(align - 1));
            }
            offset = add(&mut self.b, offset, bytes);
        }
        offset
    }

    /// `get_fence`: the flag for what a pointer points to (OpenCL C 6.15.10).
    pub fn fence_flags(&mut self, place: Place, ty: Type) -> Value {
        const LOCAL: u64 = 1;
        const GLOBAL: u64 = 2;
        let class_of = |root: RootId| match self.plan.roots.roots[root as usize].class {
            StorageClass::Workgroup => LOCAL,
            _ => 0,
        };
        let flags = match place {
            Place::Global(_) => GLOBAL,
            Place::Pool(Pool::Local, _) => LOCAL,
            Place::Pool(Pool::Private, _) => 0,
            Place::Element(root, _) | Place::Part(Variable::Root(root), _) => class_of(root),
            Place::Part(Variable::Global(_), _) => 0,
            Place::Generic(address) => {
                let tag = self.tag(address);
                let (none, local, global) =
                    (self.b.int(ty, 0), self.b.int(ty, LOCAL), self.b.int(ty, GLOBAL));
                let is_local = self.equal(tag, 1);
                let flags = self.b.select(is_local, local, none);
                let is_global = self.equal(tag, 0);
                return self.b.select(is_global, global, flags);
            }
        };
        self.b.int(ty, flags)
    }

    pub fn path(&mut self, indices: &[Value]) -> Path {
        let start = self.paths.len() as u32;
        self.paths.extend_from_slice(indices);
        Path { start, len: indices.len() as u32 }
    }

    fn extended(&mut self, path: Path, more: &[Value]) -> Path {
        let start = self.paths.len() as u32;
        self.paths.extend_from_within(path.start as usize..(path.start + path.len) as usize);
        self.paths.extend_from_slice(more);
        Path { start, len: path.len + more.len() as u32 }
    }

    pub fn indices(&self, path: Path) -> &[Value] {
        &self.paths[path.start as usize..(path.start + path.len) as usize]
    }

    /// `place + index * stride`, as pointer arithmetic or indexing does it; `index` is a signed
    /// integer of any width.
    fn strided(&mut self, place: Place, index: Value, stride: u64) -> Place {
        match place {
            Place::Global(address) => Place::Global(self.moved(address, index, stride)),
            Place::Generic(address) => Place::Generic(self.moved(address, index, stride)),
            Place::Pool(pool, offset) => Place::Pool(pool, self.moved(offset, index, stride)),
            Place::Element(root, position) => {
                let size = self.element_size(root);
                let position = match constant(&self.b, index) {
                    Some(index) => {
                        let bytes = index.wrapping_mul(stride as i64);
                        with(&mut self.b, BinaryOp::IAdd, position, (bytes / size as i64) as u64)
                    }
                    None => self.moved(position, index, stride / size),
                };
                Place::Element(root, position)
            }
            Place::Part(variable, path) => Place::Part(variable, self.extended(path, &[index])),
        }
    }

    /// `base + index * factor` in the type of `base`.
    fn moved(&mut self, base: Value, index: Value, factor: u64) -> Value {
        let ty = self.b.ty(base);
        let index = resized(&mut self.b, index, ty);
        let distance = scaled(&mut self.b, index, factor);
        add(&mut self.b, base, distance)
    }

    /// What a root is an array of.
    pub fn element(&self, root: RootId) -> Type {
        match self.plan.roots.roots[root as usize].shape {
            Shape::Elements(element) => element,
            Shape::Own | Shape::Bytes => TypePool::I8,
        }
    }

    pub fn element_size(&self, root: RootId) -> u64 {
        self.b.types.size(self.element(root))
    }

    /// The place `index` pointees after `place`.
    pub fn pointer_add(&mut self, place: Place, index: Value, pointee: Type) -> Place {
        if constant(&self.b, index) == Some(0) {
            return place;
        }
        let Place::Part(variable, path) = place else {
            let stride = self.b.types.size(pointee);
            return self.strided(place, index, stride);
        };
        // The last index counts elements.
        let mut indices = self.indices(path).to_vec();
        let Some(last) = indices.pop() else { return place };
        let last = resized(&mut self.b, last, TypePool::I32);
        let index = resized(&mut self.b, index, TypePool::I32);
        indices.push(add(&mut self.b, last, index));
        Place::Part(variable, self.path(&indices))
    }

    /// The part of a `ty` at `place` that `index` names, and its type.
    pub fn component(&mut self, place: Place, ty: Type, index: Value) -> (Place, Type) {
        match self.b.types.kind(ty) {
            TypeKind::Struct(id) => {
                let field = constant(&self.b, index).unwrap_or_default() as usize;
                let data = self.b.types.struct_data(id);
                let (part, offset) = (data.fields[field], data.offsets[field]);
                let place = match place {
                    Place::Part(variable, path) => {
                        Place::Part(variable, self.extended(path, &[index]))
                    }
                    _ => self.forward(place, offset),
                };
                (place, part)
            }
            TypeKind::Vector(element, lanes @ (8 | 16)) => {
                if let Place::Part(variable, path) = place {
                    // Arrays of vectors of four.
                    debug_assert!(lanes % 4 == 0);
                    let index = resized(&mut self.b, index, TypePool::I32);
                    let part = with(&mut self.b, BinaryOp::LShr, index, 2);
                    let lane = with(&mut self.b, BinaryOp::And, index, 3);
                    return (Place::Part(variable, self.extended(path, &[part, lane])), element);
                }
                let stride = self.b.types.size(element);
                (self.strided(place, index, stride), element)
            }
            TypeKind::Array(element, _)
            | TypeKind::Vector(element, _)
            | TypeKind::Matrix(MatrixType { element, .. }) => {
                let stride = self.b.types.size(element);
                let index = match place {
                    Place::Part(..) => resized(&mut self.b, index, TypePool::I32),
                    _ => index,
                };
                (self.strided(place, index, stride), element)
            }
            _ => (place, ty),
        }
    }

    /// `bytes` further, which for elements is a whole number of these.
    pub fn forward(&mut self, place: Place, bytes: u64) -> Place {
        if bytes == 0 {
            return place;
        }
        match place {
            Place::Global(_) | Place::Generic(_) | Place::Pool(..) => {
                let bytes = self.b.int(TypePool::I64, bytes);
                self.strided(place, bytes, 1)
            }
            Place::Element(root, position) => {
                let index = bytes / self.element_size(root);
                Place::Element(root, with(&mut self.b, BinaryOp::IAdd, position, index))
            }
            Place::Part(..) => place,
        }
    }

    /// The pointer to a place in a variable, for an access that follows at once.
    pub fn variable_pointer(&mut self, variable: Variable, path: Path) -> Value {
        let base = self.variable(variable);
        let indices = self.indices(path).to_vec();
        self.b.access(base, &indices)
    }

    /// The pointer to an element, for an access that follows at once.
    pub fn element_pointer(&mut self, root: RootId, index: Value) -> Value {
        let base = self.variable(Variable::Root(root));
        self.b.access(base, &[index])
    }

    /// The pointer to memory of type `ty` in a buffer.
    pub fn buffer_pointer(&mut self, address: Value, ty: Type) -> Value {
        let pointer = self.b.types.pointer(ty, StorageClass::PhysicalStorageBuffer);
        self.b.convert(ConvertOp::IntToPtr, address, pointer)
    }

    /// Loads from a buffer.
    pub fn load_from_buffer(&mut self, address: Value, ty: Type, access: MemoryAccess) -> Value {
        let class = match access.flags.unwritten {
            true => StorageClass::ReadOnlyBuffer,
            false => StorageClass::PhysicalStorageBuffer,
        };
        let pointer = self.b.types.pointer(ty, class);
        let pointer = self.b.convert(ConvertOp::IntToPtr, address, pointer);
        self.b.load(pointer, access)
    }

    /// The tag of an address: an `i32`.
    pub fn tag(&mut self, address: Value) -> Value {
        let tag = with(&mut self.b, BinaryOp::LShr, address, TAG_SHIFT);
        resized(&mut self.b, tag, TypePool::I32)
    }

    /// Does `access` for what a place may be: through a generic pointer, by its tag. The result of
    /// `access` must have the type `result`.
    pub fn by_space(
        &mut self,
        place: Place,
        result: Option<Type>,
        access: &mut dyn FnMut(&mut Self, Place) -> Option<Value>,
    ) -> Option<Value> {
        let Place::Generic(address) = place else { return access(self, place) };
        let mut pools = Vec::new();
        for (tag, pool) in [(1, Pool::Local), (2, Pool::Private)] {
            if self.plan.pool(pool).is_some() {
                pools.push((tag, pool));
            }
        }
        if pools.is_empty() {
            return access(self, Place::Global(address));
        }
        let tag = self.tag(address);
        let done = self.b.new_block();
        let param = result.map(|ty| self.b.function.add_block_param(done, ty));
        for (number, pool) in pools {
            let number = self.b.i32(number);
            let is_this = self.b.compare(clc_ir::CompareOp::Equal, tag, number);
            let (this, others) = (self.b.new_block(), self.b.new_block());
            self.b.branch(is_this, this, others);
            self.b.switch_to(this);
            let offset = self.pool_offset(address);
            let value = access(self, Place::Pool(pool, offset));
            self.b.jump(done, value.as_slice());
            self.b.switch_to(others);
        }
        let value = access(self, Place::Global(address));
        self.b.jump(done, value.as_slice());
        self.b.switch_to(done);
        param
    }

    /// `left == right` for numbers.
    pub fn equal(&mut self, left: Value, right: u64) -> Value {
        let ty = self.b.ty(left);
        let right = self.b.int(ty, right);
        self.b.compare(clc_ir::CompareOp::Equal, left, right)
    }

    /// `value op constant`.
    pub fn with(&mut self, op: BinaryOp, value: Value, constant: u64) -> Value {
        with(&mut self.b, op, value, constant)
    }

    pub fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        binary(&mut self.b, op, left, right)
    }
}
