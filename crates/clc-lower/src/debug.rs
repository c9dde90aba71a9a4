//! Debug information: the tables of types, scopes and variables, and where variables are at first.

use clc_base::{Interner, Span};
use clc_builtins::Scalar;
use clc_ir::debug::{
    DebugInfo, DebugType, DebugVariable, Encoding, FunctionDebug, Holds, InMemory, Member, Place,
    Position, Qualifier, ScopeFunction, ScopeInfo, Subject, TypeInfo, VariableInfo,
};
use clc_ir::{Function, InstKind, Value};
use clc_sema::hir::{self, LocalId};
use clc_sema::types as source;
use clc_sema::types::{QualType, TypeId, TypeTable};
use rustc_hash::FxHashMap;

use crate::module::{FunctionLowering, Lowering, Slot};
use crate::types::storage_class;

/// The tables as far as they are made, and what is in them already.
#[derive(Default)]
pub(crate) struct Debug {
    pub info: DebugInfo,
    types: FxHashMap<QualType, DebugType>,
}

impl Debug {
    /// `pointer_size` is in bytes.
    pub fn new(pointer_size: u64) -> Debug {
        let mut debug = Debug::default();
        debug.info.pointer_size = pointer_size;
        debug
    }

    fn ty(&mut self, table: &TypeTable, names: &Interner, ty: QualType) -> DebugType {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let source::Qualifiers { is_const, is_volatile, is_restrict } = ty.quals;
        let mut inner = ty.quals;
        let qualifier = if is_const {
            inner.is_const = false;
            Qualifier::Const
        } else if is_volatile {
            inner.is_volatile = false;
            Qualifier::Volatile
        } else if is_restrict {
            inner.is_restrict = false;
            Qualifier::Restrict
        } else {
            return self.unqualified(table, names, ty.ty);
        };
        let inner = self.ty(table, names, QualType { ty: ty.ty, quals: inner });
        let id = self.info.types.push(TypeInfo::Qualified { ty: inner, qualifier });
        self.types.insert(ty, id);
        id
    }

    fn unqualified(&mut self, table: &TypeTable, names: &Interner, id: TypeId) -> DebugType {
        let name = || source_name(table, names, id);
        let opaque = |name: String| TypeInfo::Basic {
            name,
            size: table.size(id).unwrap_or(0),
            encoding: Encoding::Unspecified,
        };
        let info = match table.get(id) {
            source::Type::Scalar(scalar) => basic(*scalar),
            source::Type::Atomic(scalar) => {
                let ty = self.ty(table, names, table.scalar(*scalar).into());
                TypeInfo::Qualified { ty, qualifier: Qualifier::Atomic }
            }
            source::Type::Vector(element, count) => TypeInfo::Vector {
                element: self.ty(table, names, table.scalar(*element).into()),
                count: u32::from(*count),
            },
            source::Type::Pointer { pointee, space } => {
                // What a pointer to a record points to may contain the pointer, so it is not known
                // before the record is; no other type is part of itself.
                let pointee = self.ty(table, names, *pointee);
                TypeInfo::Pointer { pointee, class: storage_class(*space) }
            }
            source::Type::Array { element, len } => {
                TypeInfo::Array { element: self.ty(table, names, *element), len: len.unwrap_or(0) }
            }
            source::Type::Record(record) => return self.record(table, names, id, *record),
            source::Type::Enum(id) => {
                let data = &table.enums[*id];
                let values = data.enumerators.iter();
                TypeInfo::Enum {
                    name: data.tag.map_or("", |tag| names.resolve(tag)).to_owned(),
                    underlying: self.ty(table, names, table.scalar(data.underlying).into()),
                    values: values
                        .map(|&(name, value)| (names.resolve(name).to_owned(), value))
                        .collect(),
                    span: data.span,
                }
            }
            source::Type::Void
            | source::Type::Function(_)
            | source::Type::Block(_)
            | source::Type::Image(..)
            | source::Type::Sampler
            | source::Type::Event
            | source::Type::Queue
            | source::Type::ClkEvent
            | source::Type::NdRange
            | source::Type::ReserveId
            | source::Type::Pipe { .. }
            | source::Type::AtomicFlag
            | source::Type::Error => opaque(name()),
        };
        // A member of the type may have asked for it meanwhile.
        let known = self.types.get(&id.into()).copied();
        let id_of = known.unwrap_or_else(|| self.info.types.push(info));
        self.types.insert(id.into(), id_of);
        id_of
    }

    fn record(
        &mut self,
        table: &TypeTable,
        names: &Interner,
        id: TypeId,
        record: source::RecordId,
    ) -> DebugType {
        let data = &table.records[record];
        let text = |name: Option<clc_base::Symbol>| name.map_or("", |name| names.resolve(name));
        let new = self.info.types.push(TypeInfo::Record {
            name: text(data.tag.or(data.typedef_name)).to_owned(),
            is_union: data.is_union,
            size: data.body.as_ref().map_or(0, |body| body.size),
            members: Vec::new(),
            span: data.span,
        });
        // Before its members, which may point to it.
        self.types.insert(id.into(), new);
        let fields = data.body.as_ref().map_or(&[][..], |body| &body.fields);
        let found: Vec<Member> = fields
            .iter()
            .map(|field| Member {
                name: text(field.name).to_owned(),
                ty: self.ty(table, names, field.ty),
                offset: field.offset,
                size: table.size(field.ty.ty).unwrap_or(0),
                span: field.span,
            })
            .collect();
        if let TypeInfo::Record { members, .. } = &mut self.info.types[new] {
            *members = found;
        }
        new
    }
}

fn basic(scalar: Scalar) -> TypeInfo {
    let (name, encoding) = match scalar {
        Scalar::Bool => ("bool", Encoding::Boolean),
        Scalar::Char => ("char", Encoding::SignedChar),
        Scalar::UChar => ("uchar", Encoding::UnsignedChar),
        Scalar::Short => ("short", Encoding::Signed),
        Scalar::UShort => ("ushort", Encoding::Unsigned),
        Scalar::Int => ("int", Encoding::Signed),
        Scalar::UInt => ("uint", Encoding::Unsigned),
        Scalar::Long => ("long", Encoding::Signed),
        Scalar::ULong => ("ulong", Encoding::Unsigned),
        Scalar::Half => ("half", Encoding::Float),
        Scalar::Float => ("float", Encoding::Float),
        Scalar::Double => ("double", Encoding::Float),
    };
    TypeInfo::Basic { name: name.to_owned(), size: scalar.size(), encoding }
}

fn source_name(table: &TypeTable, names: &Interner, id: TypeId) -> String {
    clc_sema::type_text(table, names, id.into())
}

impl Lowering<'_> {
    /// Makes a variable at program scope known.
    pub fn debug_global(&mut self, id: hir::GlobalId) {
        let (hir, names) = (self.hir, self.names);
        let Some(debug) = &mut self.debug else { return };
        let global = &hir.globals[id];
        // Strings and the like have no name in the source; variables of functions have it behind
        // that of their function.
        let name = global.name.rsplit('.').next().unwrap_or_default();
        if global.name.starts_with('.') || name.is_empty() {
            return;
        }
        let ty = debug.ty(&hir.types, names, global.ty);
        debug.info.variables.push(VariableInfo {
            name: name.to_owned(),
            ty,
            scope: None,
            span: global.span,
            argument: 0,
            global: Some(global.name.clone()),
        });
    }

    /// Makes a function known that is about to be lowered.
    pub fn debug_function(&mut self, source: &hir::Function, function: &mut Function) -> Place {
        let (hir, names) = (self.hir, self.names);
        let Some(debug) = &mut self.debug else { return Place::NONE };
        let result = (source.result != TypeTable::VOID)
            .then(|| debug.ty(&hir.types, names, source.result.into()));
        let params = (0..source.param_count)
            .map(|index| debug.ty(&hir.types, names, source.locals[LocalId(index)].ty))
            .collect();
        let body = source.body.map_or(source.span, |body| hir.stmts[body].span);
        let data = ScopeFunction {
            name: names.resolve(source.name).to_owned(),
            linkage_name: function.name.clone(),
            result,
            params,
            body,
            is_external: source.linkage == hir::Linkage::External,
        };
        let scope = debug.info.scopes.push(ScopeInfo {
            parent: None,
            span: source.span,
            function: Some(Box::new(data)),
        });
        let place = debug.info.add_place(scope, None);
        function.debug = Some(Box::new(FunctionDebug::new(place)));
        place
    }
}

impl FunctionLowering<'_, '_> {
    /// Whether debug information is wanted.
    fn debugs(&self) -> bool {
        !self.place.is_none()
    }

    /// Enters the scope of a block; returns the scope to go back to.
    pub fn enter_scope(&mut self, span: Span) -> Place {
        let outer = self.place;
        if let Some(debug) = &mut self.cx.debug
            && let Some(parent) = debug.info.place(outer).map(|place| place.scope)
        {
            let parent = Some(parent);
            let scope = debug.info.scopes.push(ScopeInfo { parent, span, function: None });
            self.place = debug.info.add_place(scope, None);
        }
        outer
    }

    /// Enters the scope of a compound statement, if the statements are one: several declarations of
    /// one specifier are a block in the typed tree, too, which begins where its first part does.
    pub fn enter_compound(&mut self, stmts: &[hir::StmtId], span: Span) -> Place {
        if !self.debugs() {
            return Place::NONE;
        }
        let hir = self.cx.hir;
        let is_group = stmts.first().is_none_or(|&first| hir.stmts[first].span.lo == span.lo);
        // The body of the function has the function's scope.
        let is_body = self.source.body.is_some_and(|body| hir.stmts[body].span == span);
        if is_group || is_body { self.place } else { self.enter_scope(span) }
    }

    /// Goes back to the scope around the current one.
    pub fn leave_scope(&mut self, outer: Place) {
        if self.debugs() {
            self.place = outer;
        }
    }

    fn debug_variable(&mut self, local: LocalId) -> Option<Subject> {
        if !self.debugs() {
            return None;
        }
        let data = &self.source.locals[local];
        let name = self.cx.names.resolve(data.name?).to_owned();
        let (hir, names) = (self.cx.hir, self.cx.names);
        let debug = self.cx.debug.as_mut()?;
        let ty = debug.ty(&hir.types, names, data.ty);
        let scope = debug.info.place(self.place)?.scope;
        let is_argument = local.0 < self.source.param_count;
        let variable: DebugVariable = debug.info.variables.push(VariableInfo {
            name,
            ty,
            scope: Some(scope),
            span: data.span,
            argument: if is_argument { local.0 + 1 } else { 0 },
            global: None,
        });
        Some(Subject { variable, place: self.place, part: None })
    }

    /// Says that a local is in the memory at an address.
    pub fn debug_memory(&mut self, local: LocalId, address: Value) {
        if let Some(subject) = self.debug_variable(local)
            && let Some(debug) = &mut self.function.debug
        {
            debug.memory.push(InMemory { subject, address });
        }
    }

    /// Says that a local is a value from here on.
    pub fn debug_value(&mut self, local: LocalId, value: Value) {
        if let Some(subject) = self.debug_variable(local)
            && let Some(debug) = &mut self.function.debug
        {
            let at = Position { block: self.block, before: None };
            debug.values.push(Holds { subject, value: Some(value), at });
            self.anchors.push(self.function.blocks[self.block].insts.len());
        }
    }

    /// Says where a parameter is.
    pub fn debug_parameter(&mut self, local: LocalId, slot: Slot, by_value: bool) {
        match slot {
            Slot::Memory(address) if by_value => self.debug_memory(local, address),
            // Its variable has been made known.
            Slot::Memory(_) => {}
            Slot::Value(value) => self.debug_value(local, value),
        }
    }

    /// Finds the instructions that came to stand behind what was said of values at the end of a block.
    pub fn debug_anchor(&mut self) {
        let Some(debug) = &mut self.function.debug else { return };
        for (entry, &count) in debug.values.iter_mut().zip(&self.anchors) {
            let insts = &self.function.blocks[entry.at.block].insts;
            entry.at.before =
                insts.iter().copied().skip(count).find(|&inst| {
                    !matches!(self.function.insts[inst].kind, InstKind::Variable { .. })
                });
        }
    }
}
