//! What is known of the addresses of a function.

use clc_ir::{
    BinaryOp, Const, ConstPool, ConvertOp, Function, Inst, InstKind, MemoryAccess, StorageClass,
    Type, TypeKind, TypePool, Value,
};

use crate::fold::sign_extend;

/// What an address is known to be in. The base of the address says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// A variable, or what a `restrict` parameter points to; no other address leads there.
    Own,
    /// The same, but the address was given away: it may come back from where nothing is known of it.
    Escaped,
    /// A variable of the module.
    Global,
    /// What a parameter points to.
    Argument,
    /// Any but those of `Own`.
    Unknown,
}

pub(super) const OBJECTS: usize = Object::Unknown as usize + 1;

impl Object {
    /// Whether objects of these kinds, with different bases, may be one.
    pub(super) fn may_be(self, other: Object) -> bool {
        match (self, other) {
            (Object::Own, _) | (_, Object::Own) => false,
            (Object::Unknown, _) | (_, Object::Unknown) => true,
            (Object::Escaped, _) | (_, Object::Escaped) => false,
            (Object::Global, Object::Global) => false,
            (Object::Argument | Object::Global, Object::Argument)
            | (Object::Argument, Object::Global) => true,
        }
    }
}

/// The effective type of an object, up to what C99 6.5p7 tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effective {
    /// Not known, or a type whose accesses may be to any object: characters, and here vectors, which
    /// programs use to move other data.
    Any,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    Pointer,
}

pub(super) const EFFECTIVE: usize = Effective::Pointer as usize + 1;

impl Effective {
    fn of(types: &TypePool, ty: Type) -> Effective {
        match types.kind(ty) {
            TypeKind::Int(16) => Effective::I16,
            TypeKind::Int(32) => Effective::I32,
            TypeKind::Int(64) => Effective::I64,
            TypeKind::Float(16) => Effective::F16,
            TypeKind::Float(32) => Effective::F32,
            TypeKind::Float(64) => Effective::F64,
            TypeKind::Pointer { .. } => Effective::Pointer,
            _ => Effective::Any,
        }
    }
}

/// An index that is not known: two frames with equal ones mean the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Index {
    value: Value,
    /// In bytes.
    scale: u32,
    is_signed: bool,
}

/// What places have in common that are a known distance apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    root: Value,
    index: Option<Index>,
}

/// An address as a number of bytes behind another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) frame: Frame,
    offset: i64,
    /// The part of `offset` that was added to the index before that was extended to the width of an
    /// address. The sum may have wrapped, so that the offset is off by a multiple of 2^32 or more.
    before_extension: i64,
}

/// Offsets further apart than this say nothing: sums in 32 bits may have wrapped.
const FAR: u64 = 1 << 31;

/// An access of memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The address.
    pub pointer: Value,
    pub(super) place: Place,
    /// The address that all arithmetic started from.
    pub(super) base: Value,
    pub(super) object: Object,
    pub(super) class: StorageClass,
    pub(super) effective: Effective,
    /// In bytes; `u64::MAX` if not known.
    pub(super) size: u64,
    /// The bytes that a store writes for certain: not what is behind three components.
    written: u64,
}

impl Access {
    /// The same access, of an unknown number of bytes of any type.
    pub fn unbounded(self) -> Access {
        Access { size: u64::MAX, written: 0, effective: Effective::Any, ..self }
    }

    /// The same access, of an unknown number of bytes before and behind: that of some other turn of a loop.
    pub fn anywhere(self) -> Access {
        Access { size: u64::MAX, written: 0, ..self }
    }

    /// Bytes from the start of `other` to the start of this access, if known, and whether that is exact
    /// or may be off by a multiple of 2^32.
    pub(super) fn distance(&self, other: &Access) -> Option<(i64, bool)> {
        let (left, right) = (self.place, other.place);
        let is_exact = left.before_extension == right.before_extension;
        (left.frame == right.frame).then(|| (left.offset.wrapping_sub(right.offset), is_exact))
    }

    /// Whether the two are known to be beside each other, by their distance from one address.
    pub(super) fn is_beside(&self, other: &Access) -> bool {
        match self.distance(other) {
            Some((distance, _)) if distance.unsigned_abs() >= FAR => false,
            Some((distance, _)) if distance >= 0 => distance.unsigned_abs() >= other.size,
            Some((distance, _)) => distance.unsigned_abs() >= self.size,
            None => false,
        }
    }

    /// Whether a store to this leaves nothing of a store to `other`.
    pub fn covers(&self, other: &Access) -> bool {
        let Some((distance, true)) = other.distance(self) else { return false };
        let end = u64::try_from(distance).ok().and_then(|start| start.checked_add(other.written));
        other.size != u64::MAX && end.is_some_and(|end| end <= self.written)
    }
}

/// Whether something may be in both classes.
pub(super) fn classes_meet(left: StorageClass, right: StorageClass) -> bool {
    let is_part = |class| {
        matches!(
            class,
            StorageClass::Function
                | StorageClass::CrossWorkgroup
                | StorageClass::Workgroup
                | StorageClass::Generic
        )
    };
    left == right
        || (left == StorageClass::Generic && is_part(right))
        || (right == StorageClass::Generic && is_part(left))
}

const NONE: u32 = u32::MAX;

/// What is known of the addresses of a function.
///
/// Holds while operands are replaced by equal ones and instructions are removed.
pub struct Aliases<'a> {
    types: &'a TypePool,
    consts: &'a ConstPool,
    /// By value: what its address is in, if it is a base.
    objects: Vec<Object>,
    /// By value: the address that it was computed from.
    bases: Vec<Value>,
    /// By value: its place in `places`, or `NONE` where it is a root.
    slots: Vec<u32>,
    places: Vec<Place>,
}

/// What [`Aliases`] reads while the function is walked for the first time.
struct Walk<'a, 'f> {
    aliases: Aliases<'a>,
    function: &'f Function,
}

impl<'a> Aliases<'a> {
    /// Looks at all addresses of a function whose layout has definitions before their uses.
    pub fn new(types: &'a TypePool, consts: &'a ConstPool, function: &Function) -> Aliases<'a> {
        let count = function.values.len();
        let aliases = Aliases {
            types,
            consts,
            objects: vec![Object::Unknown; count],
            bases: (0..count).map(Value::from_local).collect(),
            slots: vec![NONE; count],
            places: Vec::new(),
        };
        let mut walk = Walk { aliases, function };
        walk.parameters();
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                walk.inst(inst);
            }
            function.each_terminator_operand(block, |value| walk.escape(value));
        }
        walk.aliases
    }

    /// The access of what `pointer` points to.
    pub fn access(&self, function: &Function, pointer: Value, how: MemoryAccess) -> Access {
        let (pointee, class) = self
            .types
            .pointer_parts(self.type_of(function, pointer))
            .unwrap_or((TypePool::VOID, StorageClass::Generic));
        let effective = match how.flags.typed {
            true => Effective::of(self.types, pointee),
            false => Effective::Any,
        };
        let base = self.base(pointer);
        let object = self.object(base);
        // The class of the object itself says more than that of a generic address of it.
        let class = match self.types.pointer_parts(self.type_of(function, base)) {
            Some((_, of_base)) => of_base,
            None => class,
        };
        let place = self.place(function, pointer);
        let size = self.types.size(pointee);
        let written = match self.types.kind(pointee) {
            TypeKind::Vector(element, count) => u64::from(count) * self.types.size(element),
            _ => size,
        };
        Access { pointer, place, base, object, class, effective, size, written }
    }

    fn type_of(&self, function: &Function, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// Steps from a constant address to the one it was made of.
    fn constant_step(&self, value: Value) -> Option<(Value, Option<i64>)> {
        match self.consts.get(value.as_const()?) {
            Const::Access { ty: _, base, step, indices } => {
                let (pointee, _) = self.types.pointer_parts(self.consts.ty(base.as_const()?))?;
                let indices = indices.iter().map(|&index| self.number(index));
                let bytes = self.distance(pointee, indices);
                let step = step.wrapping_mul(self.types.size(pointee) as i64);
                Some((*base, bytes.map(|bytes| bytes.wrapping_add(step))))
            }
            Const::Cast { ty: _, operand } => Some((*operand, Some(0))),
            _ => None,
        }
    }

    fn base(&self, value: Value) -> Value {
        let mut base = match value.as_local() {
            Some(index) => self.bases.get(index).copied().unwrap_or(value),
            None => value,
        };
        for _ in 0..MAX_CONSTANT_STEPS {
            let Some((from, _)) = self.constant_step(base) else { return base };
            base = from;
        }
        base
    }

    fn object(&self, base: Value) -> Object {
        match (base.as_local(), base.as_const().map(|id| self.consts.get(id))) {
            (Some(index), _) => self.objects.get(index).copied().unwrap_or(Object::Unknown),
            // Descriptors of different numbers may be of one buffer.
            (_, Some(Const::GlobalAddress(ty, _))) => match self.types.pointer_parts(*ty) {
                Some((
                    _,
                    StorageClass::CrossWorkgroup
                    | StorageClass::Workgroup
                    | StorageClass::UniformConstant
                    | StorageClass::Private,
                )) => Object::Global,
                _ => Object::Unknown,
            },
            _ => Object::Unknown,
        }
    }

    fn place(&self, function: &Function, value: Value) -> Place {
        if let Some(index) = value.as_local() {
            return match self.slots.get(index) {
                Some(&slot) if slot != NONE => self.places[slot as usize],
                _ => Place::root(value),
            };
        }
        let mut root = value;
        let mut offset = 0i64;
        for _ in 0..MAX_CONSTANT_STEPS {
            let Some((from, Some(bytes))) = self.constant_step(root) else { break };
            // Integers as addresses are not followed: what they are cast from has no place.
            if self.types.pointer_parts(self.type_of(function, from)).is_none() {
                break;
            }
            (root, offset) = (from, offset.wrapping_add(bytes));
        }
        Place { offset, ..Place::root(root) }
    }

    fn number(&self, value: Value) -> Option<i64> {
        match self.consts.get(value.as_const()?) {
            &Const::Int(ty, bits) => {
                Some(sign_extend(bits, self.types.scalar_bits(ty).unwrap_or(64)))
            }
            _ => None,
        }
    }

    /// Bytes from the start of a `ty` to the part that constant indices lead to.
    fn distance(&self, mut ty: Type, indices: impl Iterator<Item = Option<i64>>) -> Option<i64> {
        let mut bytes = 0i64;
        for index in indices {
            let (part, distance) = self.part(ty, index?)?;
            bytes = bytes.wrapping_add(distance);
            ty = part;
        }
        Some(bytes)
    }

    /// A part of a type, and the bytes before it.
    fn part(&self, ty: Type, index: i64) -> Option<(Type, i64)> {
        match self.types.kind(ty) {
            TypeKind::Array(element, _) | TypeKind::Vector(element, _) => {
                Some((element, index.wrapping_mul(self.types.size(element) as i64)))
            }
            TypeKind::Struct(id) => {
                let data = self.types.struct_data(id);
                let index = usize::try_from(index).ok()?;
                Some((*data.fields.get(index)?, *data.offsets.get(index)? as i64))
            }
            _ => None,
        }
    }
}

/// How atomics access memory: an object of theirs is accessed otherwise as well.
pub const ATOMIC: MemoryAccess = MemoryAccess::aligned(1);

/// Constant addresses are followed so far; what is behind is an unknown object.
const MAX_CONSTANT_STEPS: usize = 16;

impl Place {
    fn root(root: Value) -> Place {
        Place { frame: Frame { root, index: None }, offset: 0, before_extension: 0 }
    }

    fn behind(self, bytes: i64) -> Place {
        Place { offset: self.offset.wrapping_add(bytes), ..self }
    }
}

impl Walk<'_, '_> {
    fn parameters(&mut self) {
        let params = &self.function.blocks[self.function.entry()].params;
        for (position, param) in params.iter().enumerate() {
            let attributes = self.function.param_attributes.get(position);
            let is_restrict = attributes.is_some_and(|attributes| attributes.no_alias)
                && self.aliases.types.is_pointer(self.ty(*param));
            self.aliases.objects[param.as_local().unwrap_or_default()] =
                if is_restrict { Object::Own } else { Object::Argument };
        }
    }

    /// Notes where an address comes from, and which addresses get away.
    fn inst(&mut self, inst: Inst) {
        let data = &self.function.insts[inst];
        match data.kind {
            InstKind::Variable { .. } => {
                if let Some(index) = data.result.and_then(Value::as_local) {
                    self.aliases.objects[index] = Object::Own;
                }
            }
            InstKind::PtrAdd { base, index } => {
                let place = self.pointee(base).and_then(|pointee| {
                    let place = self.aliases.place(self.function, base);
                    self.indexed(place, index, self.aliases.types.size(pointee))
                });
                self.derived(data.result, base, place);
            }
            InstKind::Access { base, indices } => {
                let place = self.component(base, self.function.values_of(indices));
                self.derived(data.result, base, place);
            }
            InstKind::Convert {
                op:
                    ConvertOp::Bitcast
                    | ConvertOp::ToGeneric
                    | ConvertOp::FromGeneric
                    | ConvertOp::IntToPtr,
                operand,
                rounding: _,
                saturate: _,
            } => {
                let place = self.aliases.place(self.function, operand);
                self.derived(data.result, operand, Some(place));
            }
            // Numbers that are addresses.
            InstKind::Binary { op: BinaryOp::IAdd, left, right }
                if self.ty(left) == TypePool::I64 =>
            {
                self.escape(right);
                match self.aliases.number(right) {
                    Some(bytes) => {
                        let place = self.aliases.place(self.function, left).behind(bytes);
                        self.derived(data.result, left, Some(place));
                    }
                    None => self.escape(left),
                }
            }
            InstKind::Load { .. } | InstKind::CopyMemory { .. } | InstKind::AtomicLoad { .. } => {}
            InstKind::Store { pointer: _, value, access: _ }
            | InstKind::AtomicStore { pointer: _, value, ordering: _ }
            | InstKind::AtomicModify { op: _, pointer: _, value, ordering: _ } => {
                self.escape(value)
            }
            _ => self.function.each_operand(inst, |value| self.escape(value)),
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.aliases.type_of(self.function, value)
    }

    fn pointee(&self, pointer: Value) -> Option<Type> {
        self.aliases.types.pointer_parts(self.ty(pointer)).map(|parts| parts.0)
    }

    /// `result` is an address in the object that `from` is in; `place` if it is known how far away.
    fn derived(&mut self, result: Option<Value>, from: Value, place: Option<Place>) {
        let Some(index) = result.and_then(Value::as_local) else { return };
        self.aliases.bases[index] = self.aliases.base(from);
        if let Some(place) = place {
            self.aliases.slots[index] = self.aliases.places.len() as u32;
            self.aliases.places.push(place);
        }
    }

    fn escape(&mut self, value: Value) {
        if let Some(index) = self.aliases.base(value).as_local()
            && let object @ Object::Own = &mut self.aliases.objects[index]
        {
            *object = Object::Escaped;
        }
    }

    fn component(&self, base: Value, indices: impl Iterator<Item = Value>) -> Option<Place> {
        let mut ty = self.pointee(base)?;
        let mut place = self.aliases.place(self.function, base);
        for index in indices {
            if let Some(number) = self.aliases.number(index) {
                let (part, bytes) = self.aliases.part(ty, number)?;
                (ty, place) = (part, place.behind(bytes));
            } else {
                let (TypeKind::Array(element, _) | TypeKind::Vector(element, _)) =
                    self.aliases.types.kind(ty)
                else {
                    return None;
                };
                place = self.indexed(place, index, self.aliases.types.size(element))?;
                ty = element;
            }
        }
        Some(place)
    }

    /// The place `index` times `size` bytes behind another. Frames have room for one index.
    fn indexed(&self, place: Place, index: Value, size: u64) -> Option<Place> {
        let scale = u32::try_from(size).ok()?;
        if let Some(number) = self.aliases.number(index) {
            return Some(place.behind(number.wrapping_mul(i64::from(scale))));
        }
        if place.frame.index.is_some() {
            return None;
        }
        let (value, is_signed) = self.extended(index);
        let (value, added) = self.sum(value);
        let added = added.wrapping_mul(i64::from(scale));
        let bits = self.aliases.types.scalar_bits(self.ty(value)).unwrap_or(0);
        let is_narrow = u64::from(bits) < 8 * self.aliases.types.pointer_size;
        let frame =
            Frame { index: Some(Index { value, scale, is_signed }), root: place.frame.root };
        let before_extension = if is_narrow { added } else { 0 };
        Some(Place { frame, before_extension, ..place.behind(added) })
    }

    /// What an index was extended from; indices are signed (C99 6.5.6p8).
    fn extended(&self, index: Value) -> (Value, bool) {
        match self.function.def_inst(index).map(|(_, data)| data.kind) {
            Some(InstKind::Convert { op, operand, rounding: _, saturate: _ })
                if self.ty(operand) == TypePool::I32 =>
            {
                match op {
                    ConvertOp::SignExtend => (operand, true),
                    ConvertOp::ZeroExtend => (operand, false),
                    _ => (index, true),
                }
            }
            _ => (index, true),
        }
    }

    /// An index as another and a constant. Sums of fewer than 32 bits wrap too soon to be told apart.
    fn sum(&self, index: Value) -> (Value, i64) {
        match self.function.def_inst(index).map(|(_, data)| data.kind) {
            Some(InstKind::Binary { op: BinaryOp::IAdd, left, right })
                if matches!(self.ty(index), TypePool::I32 | TypePool::I64) =>
            {
                self.aliases.number(right).map_or((index, 0), |number| (left, number))
            }
            _ => (index, 0),
        }
    }
}
