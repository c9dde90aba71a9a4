//! Which name means what, where: what an editor asks of a program.
//!
//! A compiler forgets it as it goes. [`check_and_index`](crate::check_and_index) writes it down beside
//! the typed tree; [`check`](crate::check) does not, and pays one test of an empty option for each
//! name.

use clc_base::{Span, Symbol};
use clc_syntax::ast;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{self, Sema};
use crate::hir::{ExprId, FuncId, GlobalId, LabelId, LocalId};
use crate::scopes::Binding;
use crate::types::{QualType, RecordId, Type, TypeId};

/// What a name stands for. Two names are one thing if these are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// A parameter or automatic variable, by the place of its name; [`Index::locals`] has it.
    Local(Span),
    /// A variable with static storage duration.
    Global(GlobalId),
    /// A function of the program.
    Function(FuncId),
    /// A typedef name, by the place of its first declaration; [`Index::typedefs`] has its type.
    Typedef(Span),
    /// An enumerator, by its place; [`Index::enumerators`] has its value.
    Enumerator(Span),
    /// The tag of a struct, a union or an enumeration.
    Tag(TypeId),
    /// A member of a struct or union, by its index in the fields.
    Member(RecordId, u32),
    /// A label of a function.
    Label(FuncId, LabelId),
    /// A built-in function.
    Builtin(Symbol),
    /// A constant that the language declares.
    Predeclared(Symbol),
}

/// A name in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Of the name; in a macro expansion if a macro's replacement list has it.
    pub span: Span,
    /// What it stands for.
    pub entity: Entity,
    /// It is declared here (or defined), not used.
    pub declares: bool,
}

/// What was written down of a program.
#[derive(Debug, Default)]
pub struct Index {
    /// In the order in which they were analysed.
    pub occurrences: Vec<Occurrence>,
    /// What became of the expressions of the syntax tree: before the conversions that what surrounds
    /// them asks for.
    pub exprs: Vec<(ast::ExprId, ExprId)>,
    /// The variables of [`Entity::Local`].
    pub locals: FxHashMap<Span, (FuncId, LocalId)>,
    /// The types of [`Entity::Typedef`].
    pub typedefs: FxHashMap<Span, QualType>,
    /// Those of them that put what is declared with them into a memory (`typedef local int li;`).
    pub spaced_typedefs: FxHashSet<Span>,
    /// The values of [`Entity::Enumerator`].
    pub enumerators: FxHashMap<Span, i64>,
}

impl Index {
    fn push(&mut self, span: Span, entity: Entity, declares: bool) {
        if !span.is_none() {
            self.occurrences.push(Occurrence { span, entity, declares });
        }
    }
}

impl Sema<'_> {
    /// Notes a name, if an index was asked for.
    #[inline]
    pub(crate) fn index_name(&mut self, span: Span, entity: Entity, declares: bool) {
        if let Some(index) = &mut self.index {
            index.push(span, entity, declares);
        }
    }

    /// Notes what an expression became.
    #[inline]
    pub(crate) fn index_expr(&mut self, from: ast::ExprId, to: ExprId) {
        if let Some(index) = &mut self.index {
            index.exprs.push((from, to));
        }
    }

    /// Notes the declaration of an ordinary name.
    #[inline]
    pub(crate) fn index_declaration(&mut self, binding: &Binding) {
        if self.index.is_some() {
            self.index_binding(binding);
        }
    }

    #[cold]
    fn index_binding(&mut self, binding: &Binding) {
        let function = self.function.as_ref().map(|function| function.id);
        let span = binding.span;
        let Some(index) = &mut self.index else { return };
        let entity = match &binding.entity {
            context::Entity::Typedef(ty) => {
                index.typedefs.insert(span, *ty);
                if binding.space.is_some() {
                    index.spaced_typedefs.insert(span);
                }
                Entity::Typedef(span)
            }
            context::Entity::Local(local) => {
                let Some(function) = function else { return };
                index.locals.insert(span, (function, *local));
                Entity::Local(span)
            }
            context::Entity::Global(global) => Entity::Global(*global),
            // Each of its declarations is noted where it is bound.
            context::Entity::Function(_) => return,
            context::Entity::EnumConstant { value, .. } => {
                index.enumerators.insert(span, *value);
                Entity::Enumerator(span)
            }
        };
        index.push(span, entity, true);
    }

    /// Notes the use of an ordinary name that `lookup` finds; not of functions, of which the arguments
    /// choose.
    #[inline]
    pub(crate) fn index_use(&mut self, name: Symbol, span: Span) {
        if self.index.is_some() {
            self.index_found(name, span);
        }
    }

    #[cold]
    fn index_found(&mut self, name: Symbol, span: Span) {
        let Some(binding) = self.scopes.lookup(name) else { return };
        let declared = binding.span;
        let entity = match &binding.entity {
            _ if declared.is_none() => Entity::Predeclared(name),
            context::Entity::Typedef(_) => Entity::Typedef(declared),
            context::Entity::Local(_) => Entity::Local(declared),
            context::Entity::Global(global) => Entity::Global(*global),
            context::Entity::Function(ids) => match ids[..] {
                [first, ..] => Entity::Function(first),
                [] => return,
            },
            context::Entity::EnumConstant { .. } => Entity::Enumerator(declared),
        };
        self.index_name(span, entity, false);
    }

    /// Notes the use of the member that `path` leads to.
    #[inline]
    pub(crate) fn index_member(&mut self, record: RecordId, path: &[u32], span: Span) {
        if self.index.is_none() {
            return;
        }
        let mut record = record;
        let Some((&last, inner)) = path.split_last() else { return };
        for &step in inner {
            let body = self.module.types.records[record].body.as_ref();
            let Some(field) = body.and_then(|body| body.fields.get(step as usize)) else { return };
            let Type::Record(next) = *self.module.types.get(field.ty.ty) else { return };
            record = next;
        }
        let body = self.module.types.records[record].body.as_ref();
        let field = body.and_then(|body| body.fields.get(last as usize));
        let Some(name) = field.and_then(|field| field.name) else { return };
        // The span of a designator has its dot.
        let length = self.interner.resolve(name).len() as u32;
        let span = Span::new(span.hi.saturating_sub(length).max(span.lo), span.hi);
        self.index_name(span, Entity::Member(record, last), false);
    }

    /// Notes a label.
    #[inline]
    pub(crate) fn index_label(&mut self, label: LabelId, span: Span, declares: bool) {
        if self.index.is_some()
            && let Some(function) = &self.function
        {
            let entity = Entity::Label(function.id, label);
            self.index_name(span, entity, declares);
        }
    }

    /// Notes the members that a complete record declares.
    pub(crate) fn index_members(&mut self, id: RecordId, members: &[ast::MemberDeclaration]) {
        let Some(index) = &mut self.index else { return };
        let Some(body) = &self.module.types.records[id].body else { return };
        let names = members.iter().flat_map(|member| &member.declarators);
        for (name, span) in names.filter_map(|declarator| declarator.declarator.name) {
            if let Some(field) = body.fields.iter().position(|field| field.name == Some(name)) {
                index.push(span, Entity::Member(id, field as u32), true);
            }
        }
    }
}
