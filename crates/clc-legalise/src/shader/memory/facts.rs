//! What is known of pointers on their way from a root, and how steps change it.

use clc_ir::{Const, Inst, MatrixType, Module, Type, TypeKind, TypePool, Value};
use rustc_hash::FxHashMap;

use super::roots::RootId;

/// The one size, or the one type, that scalars are accessed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    None,
    Type(Type),
    Bits(u8),
    Mixed,
}

impl Common {
    pub fn join(self, other: Common, types: &TypePool) -> Common {
        let bits = |common| match common {
            Common::Type(ty) if types.lanes(ty) == 1 => types.scalar_bits(ty),
            Common::Bits(bits) => Some(bits),
            Common::Type(_) | Common::None | Common::Mixed => None,
        };
        match (self, other) {
            (Common::None, common) | (common, Common::None) => common,
            (a, b) if a == b => a,
            (a, b) => match (bits(a), bits(b)) {
                (Some(a), Some(b)) if a == b => Common::Bits(a),
                _ => Common::Mixed,
            },
        }
    }
}

/// How a type is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub scalar: Common,
    /// Vectors taken as one.
    pub whole: Common,
    /// All offsets are multiples of two to this power.
    pub log_align: u8,
}

impl Parts {
    pub fn join(self, other: Parts, types: &TypePool) -> Parts {
        Parts {
            scalar: self.scalar.join(other.scalar, types),
            whole: self.whole.join(other.whole, types),
            log_align: self.log_align.min(other.log_align),
        }
    }
}

/// How types are accessed, each found out once.
#[derive(Default)]
pub(super) struct PartsOf(FxHashMap<Type, Parts>);

impl PartsOf {
    pub fn of(&mut self, types: &TypePool, ty: Type) -> Parts {
        if let Some(&parts) = self.0.get(&ty) {
            return parts;
        }
        let leaf = |scalar, whole| Parts { scalar, whole, log_align: EXACT };
        let parts = match types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Float(_) => leaf(Common::Type(ty), Common::Type(ty)),
            TypeKind::Pointer { .. } => {
                leaf(Common::Type(TypePool::I64), Common::Type(TypePool::I64))
            }
            TypeKind::Vector(element, lanes) => {
                let whole = if lanes > 4 { Common::Mixed } else { Common::Type(ty) };
                leaf(Common::Type(element), whole)
            }
            TypeKind::Array(element, len) => {
                let mut parts = self.of(types, element);
                if len > 1 {
                    let stride = types.size(element);
                    parts.log_align = parts.log_align.min(log2(stride));
                }
                parts
            }
            TypeKind::Struct(id) => {
                let data = types.struct_data(id);
                let mut all = leaf(Common::None, Common::None);
                for (&field, &offset) in data.fields.iter().zip(&data.offsets) {
                    let part = self.of(types, field);
                    all = Parts {
                        scalar: all.scalar.join(part.scalar, types),
                        whole: all.whole.join(part.whole, types),
                        log_align: all.log_align.min(part.log_align).min(log2(offset)),
                    };
                }
                all
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::NdRange
            | TypeKind::Matrix(_)
            | TypeKind::Pipe(_) => leaf(Common::Mixed, Common::Mixed),
        };
        self.0.insert(ty, parts);
        parts
    }
}

/// No offset: a multiple of everything.
pub(super) const EXACT: u8 = 63;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Not known yet.
    Top,
    Root(RootId),
    Many,
}

/// The last step of the way to what a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Whole,
    /// An element of an array, which is not itself an element of an array.
    Element,
    /// An element of an inner array: stepping from it may lead to the next of the outer array.
    InnerElement,
    /// A field or a component.
    Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub origin: Origin,
    pub log_align: u8,
    /// The way from the root goes by the indices of its type.
    pub own: bool,
    pub last: Last,
}

impl Fact {
    pub const TOP: Fact =
        Fact { origin: Origin::Top, log_align: EXACT, own: true, last: Last::Whole };
    pub const MANY: Fact = Fact { origin: Origin::Many, ..Fact::TOP };

    pub fn root(id: RootId) -> Fact {
        Fact { origin: Origin::Root(id), ..Fact::TOP }
    }

    pub fn join(self, other: Fact) -> Fact {
        match (self.origin, other.origin) {
            (Origin::Top, _) => other,
            (_, Origin::Top) => self,
            (Origin::Root(a), Origin::Root(b)) if a == b => Fact {
                origin: self.origin,
                log_align: self.log_align.min(other.log_align),
                own: self.own && other.own && self.last == other.last,
                last: self.last,
            },
            _ => Fact::MANY,
        }
    }

    /// One of several values.
    pub fn chosen(self) -> Fact {
        Fact { own: false, ..self }
    }

    /// A step of a multiple of `bytes`.
    pub fn stepped(self, bytes: u64) -> Fact {
        Fact { log_align: self.log_align.min(log2(bytes)), ..self }
    }
}

/// How a fact comes to another value.
#[derive(Clone, Copy)]
pub(super) enum Via {
    Inst(Inst),
    /// As an argument of a block, or by a selection.
    Choice,
}

/// Where facts flow from a value; linked lists in one vector.
pub(super) struct Flow {
    pub to: u32,
    pub via: Via,
    pub next: u32,
}

pub(super) const END: u32 = u32::MAX;

/// Facts of one function on their way.
pub(super) struct Walk {
    /// By value.
    pub facts: Vec<Fact>,
    /// By value: its first flow.
    pub heads: Vec<u32>,
    pub flows: Vec<Flow>,
    pub work: Vec<u32>,
}

impl Walk {
    pub fn join(&mut self, to: u32, fact: Fact) {
        let old = self.facts[to as usize];
        let new = old.join(fact);
        if new != old {
            self.facts[to as usize] = new;
            self.work.push(to);
        }
    }
}

pub(super) fn log2(bytes: u64) -> u8 {
    if bytes == 0 { EXACT } else { bytes.trailing_zeros() as u8 }
}

/// Stepping over `index` pointees.
pub(super) fn add(types: &TypePool, fact: Fact, pointee: Type, index: Option<i64>) -> Fact {
    let size = types.size(pointee);
    match index {
        Some(0) => fact,
        Some(index) => Fact {
            own: fact.own && fact.last == Last::Element,
            ..fact.stepped(size.wrapping_mul(index as u64))
        },
        None => Fact { own: fact.own && fact.last == Last::Element, ..fact.stepped(size) },
    }
}

/// The part of a `pointee` that indices lead to; `None` stands for an index that is no constant.
pub(super) fn access(
    types: &TypePool,
    mut fact: Fact,
    pointee: Type,
    indices: impl Iterator<Item = Option<i64>>,
) -> Fact {
    let mut ty = pointee;
    for index in indices {
        let factor = index.unwrap_or(1) as u64;
        match types.kind(ty) {
            TypeKind::Array(element, _) => {
                fact = fact.stepped(types.size(element).wrapping_mul(factor));
                fact.last = match fact.last {
                    Last::Element | Last::InnerElement => Last::InnerElement,
                    Last::Whole | Last::Part => Last::Element,
                };
                ty = element;
            }
            TypeKind::Vector(element, _) | TypeKind::Matrix(MatrixType { element, .. }) => {
                fact = fact.stepped(types.size(element).wrapping_mul(factor));
                fact.last = Last::Part;
                ty = element;
            }
            TypeKind::Struct(id) => {
                let data = types.struct_data(id);
                let field = factor as usize;
                fact = fact.stepped(data.offsets.get(field).copied().unwrap_or(1));
                fact.last = Last::Part;
                ty = data.fields.get(field).copied().unwrap_or(TypePool::I8);
            }
            _ => return Fact::MANY,
        }
    }
    fact
}

/// What the values of one function point into.
#[derive(Debug, Default)]
pub(in super::super) struct Pointers {
    /// By value: the only root that it may point into.
    pub origins: Vec<Option<RootId>>,
}

impl Pointers {
    /// The only root that a local value may point into.
    pub fn origin(&self, value: Value) -> Option<RootId> {
        value.as_local().and_then(|index| self.origins.get(index).copied().flatten())
    }
}

/// What a pointer type points to; any other type itself.
pub(super) fn pointee(types: &TypePool, ty: Type) -> Type {
    types.pointer_parts(ty).map_or(ty, |(pointee, _)| pointee)
}

/// A constant integer, sign-extended.
pub(super) fn constant_int(module: &Module, value: Value) -> Option<i64> {
    match module.consts.get(value.as_const()?) {
        Const::Int(ty, bits) => {
            let unused = 64 - u32::from(module.types.scalar_bits(*ty)?);
            Some(((*bits << unused) as i64) >> unused)
        }
        _ => None,
    }
}

pub(super) fn is_null(module: &Module, value: Value) -> bool {
    value.as_const().is_some_and(|id| matches!(module.consts.get(id), Const::Null(_)))
}

/// The type that a copy of `size` bytes between these pointer types is made in.
pub(super) fn copied_type(types: &TypePool, to: Type, from: Type, size: u64) -> Option<Type> {
    [to, from].map(|ty| pointee(types, ty)).into_iter().find(|&ty| types.size(ty) == size)
}
