//! Constants, interned: equal ids are equal constants of equal type.

use clc_base::{Arena, define_id};
use rustc_hash::FxHashMap;

use crate::{FuncId, GlobalId, Type, TypePool, Value};

define_id!(
    /// An interned constant.
    ConstId,
    "c"
);

/// The longest array whose constant has each element written out: the most that an instruction of
/// SPIR-V has room for (2.3: 65,535 words, three of them for the opcode, the type and the result).
/// A longer array with contents is data in a buffer, or the initializer of a variable in pieces.
pub const FULL_ARRAY: u64 = 65_532;

/// The most members that a struct may have (SPIR-V 2.17, universal limits).
pub const STRUCT_MEMBERS: usize = 16_383;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// Any value of a type, another one for each use.
    Undef(Type),
    /// All bits zero, of any type that may live in memory (null pointers too). Scalars use
    /// `Int`/`Float` with value 0 instead, so that equal constants have one id.
    Null(Type),
    /// A boolean.
    Bool(bool),
    /// Bits above the type's width are zero.
    Int(Type, u64),
    /// The bits of the number in the type's own format.
    Float(Type, u64),
    /// Vector, array or struct; the elements are constants, one for each component. An array of
    /// more than [`FULL_ARRAY`] elements may have fewer: the others are zero.
    Composite(Type, Box<[Value]>),
    /// The address of a global; the type is a pointer to the global's type in its class.
    GlobalAddress(Type, GlobalId),
    /// A function used as a value (block invokes).
    FunctionAddress(Type, FuncId),
    /// A literal sampler: the `CLK_*` bits of the source. The type is `Sampler`.
    Sampler(Type, u32),
    /// What the host binds: the image or sampler that the type says, in binding `binding` of descriptor
    /// set `set`. For shaders.
    Descriptor {
        /// An image with texels of a type, or a sampler.
        ty: Type,
        /// The number of the descriptor set.
        set: u32,
        /// The number in the set.
        binding: u32,
    },
    /// A specialization constant: an integer that the host may replace, which knows it by `id`.
    Spec {
        /// An integer of 32 bits.
        ty: Type,
        /// The number that the host knows it by (SpecId).
        id: u32,
        /// Its value unless the host chooses another.
        default: u32,
    },
    /// A constant address: `base` (a constant pointer) and then indices as in
    /// [`InstKind::Access`](crate::InstKind::Access), after stepping over `step` whole pointees
    /// as in [`InstKind::PtrAdd`](crate::InstKind::PtrAdd).
    Access {
        /// The type of the address.
        ty: Type,
        /// A constant address.
        base: Value,
        /// In units of what `base` points to.
        step: i64,
        /// A constant integer for each step from a type to a component.
        indices: Box<[Value]>,
    },
    /// A constant pointer bit-cast to another pointer type of the same storage class, or between
    /// pointer and integer, or named to generic; the types say which.
    Cast {
        /// The type of the result.
        ty: Type,
        /// A constant address or integer.
        operand: Value,
    },
}

impl Const {
    /// Calls `visit` with the constants that this one is made of.
    pub fn each_operand(&self, mut visit: impl FnMut(Value)) {
        match self {
            Const::Composite(_, parts) => parts.iter().copied().for_each(visit),
            Const::Access { ty: _, base, step: _, indices } => {
                visit(*base);
                indices.iter().copied().for_each(visit);
            }
            Const::Cast { ty: _, operand } => visit(*operand),
            Const::Undef(_)
            | Const::Null(_)
            | Const::Bool(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::GlobalAddress(..)
            | Const::FunctionAddress(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. } => {}
        }
    }
}

/// The constants of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct ConstPool {
    consts: Arena<ConstId, (Const, Type)>,
    ids: FxHashMap<Const, ConstId>,
}

impl ConstPool {
    /// A pool without constants.
    pub fn new() -> ConstPool {
        ConstPool::default()
    }

    /// The operand that stands for a constant.
    pub fn intern(&mut self, constant: Const) -> Value {
        if let Some(&id) = self.ids.get(&constant) {
            return Value::from_const(id);
        }
        let ty = match &constant {
            Const::Bool(_) => TypePool::BOOL,
            Const::Undef(ty)
            | Const::Null(ty)
            | Const::Int(ty, _)
            | Const::Float(ty, _)
            | Const::Composite(ty, _)
            | Const::GlobalAddress(ty, _)
            | Const::FunctionAddress(ty, _)
            | Const::Sampler(ty, _)
            | Const::Descriptor { ty, .. }
            | Const::Spec { ty, .. }
            | Const::Access { ty, .. }
            | Const::Cast { ty, .. } => *ty,
        };
        let id = self.consts.push((constant.clone(), ty));
        self.ids.insert(constant, id);
        Value::from_const(id)
    }

    /// A constant.
    pub fn get(&self, id: ConstId) -> &Const {
        &self.consts[id].0
    }

    /// The type of a constant.
    pub fn ty(&self, id: ConstId) -> Type {
        self.consts[id].1
    }

    /// What an integer constant is, read as a signed number.
    pub fn signed(&self, types: &TypePool, value: Value) -> Option<i64> {
        let &Const::Int(ty, bits) = self.get(value.as_const()?) else { return None };
        let unused = 64 - u32::from(types.scalar_bits(ty)?);
        Some((bits << unused).cast_signed() >> unused)
    }

    /// In the order they were interned: a constant comes after the constants it is made of.
    pub fn iter(&self) -> impl Iterator<Item = (ConstId, &Const)> {
        self.consts.iter().map(|(id, (constant, _))| (id, constant))
    }

    /// Renumbers functions and globals. Addresses of removed ones, which nothing may use, become
    /// undefined values.
    pub fn renumber(
        &mut self,
        functions: impl Fn(FuncId) -> Option<FuncId>,
        globals: impl Fn(GlobalId) -> Option<GlobalId>,
    ) {
        for index in 0..self.consts.len() {
            let id = ConstId(index as u32);
            let new = match self.consts[id].0 {
                Const::GlobalAddress(ty, global) => match globals(global) {
                    Some(new) if new == global => continue,
                    Some(new) => Const::GlobalAddress(ty, new),
                    None => Const::Undef(ty),
                },
                Const::FunctionAddress(ty, function) => match functions(function) {
                    Some(new) if new == function => continue,
                    Some(new) => Const::FunctionAddress(ty, new),
                    None => Const::Undef(ty),
                },
                _ => continue,
            };
            self.consts[id].0 = new;
        }
        // Ids move down, so a stale entry could name what another constant is now.
        self.ids.clear();
        for (id, (constant, _)) in self.consts.iter() {
            self.ids.entry(constant.clone()).or_insert(id);
        }
    }

    /// The number of different constants.
    pub fn len(&self) -> usize {
        self.consts.len()
    }

    /// Whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.consts.is_empty()
    }
}
