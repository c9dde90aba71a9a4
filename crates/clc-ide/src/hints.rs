//! What the source leaves out: the address spaces that the language deduces.

use clc_base::{AddressSpace, Span};
use clc_sema::index::Entity;
use clc_sema::types::{Type, TypeId};
use clc_syntax::ast::{
    Declaration, Declarator, Derived, ExternalDeclaration, Parameter, Qualifier, Specifier,
    SpecifierKind, StmtKind, StorageSpecifier, TypeSpecifier,
};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;

/// A word to show in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Before this byte.
    pub offset: u32,
    /// With a blank behind it.
    pub label: String,
}

impl Analysis {
    /// The address spaces that pointers and variables have without saying so, between two bytes.
    pub fn hints(&self, from: u32, to: u32) -> Vec<Hint> {
        let named: FxHashMap<Span, Entity> = self
            .index
            .occurrences
            .iter()
            .filter(|found| found.declares || matches!(found.entity, Entity::Typedef(_)))
            .map(|found| (found.span, found.entity))
            .collect();
        let mut finder = Finder { analysis: self, named, from, to, hints: Vec::new() };
        for item in &self.ast.items {
            match item {
                ExternalDeclaration::Function(function) => {
                    finder.parameters(&function.declarator);
                }
                ExternalDeclaration::Declaration(declaration) => finder.declaration(declaration),
                ExternalDeclaration::StaticAssert(_) | ExternalDeclaration::Pragma { .. } => {}
            }
        }
        for stmt in self.ast.stmts.values() {
            if let StmtKind::Declaration(declaration) = &stmt.kind {
                finder.declaration(declaration);
            }
        }
        let mut hints = finder.hints;
        hints.sort_by_key(|hint| hint.offset);
        hints
    }
}

struct Finder<'a> {
    analysis: &'a Analysis,
    named: FxHashMap<Span, Entity>,
    from: u32,
    to: u32,
    hints: Vec<Hint>,
}

impl Finder<'_> {
    fn declaration(&mut self, declaration: &Declaration) {
        let is_typedef = has_storage(&declaration.specifiers, StorageSpecifier::Typedef);
        for item in &declaration.declarators {
            let declarator = &item.declarator;
            if let Some(Derived::Function { .. }) = declarator.derived.first() {
                self.parameters(declarator);
                continue;
            }
            self.pointers(declarator, &declaration.specifiers);
            if !is_typedef {
                self.variable(declarator, &declaration.specifiers);
            }
        }
    }

    fn parameters(&mut self, declarator: &Declarator) {
        let Some(Derived::Function { parameters, .. }) = declarator.derived.first() else { return };
        for Parameter { specifiers, declarator, .. } in parameters {
            self.pointers(declarator, specifiers);
        }
    }

    /// A variable in memory that its declaration does not name.
    fn variable(&mut self, declarator: &Declarator, specifiers: &[Specifier]) {
        let Some((_, span)) = declarator.name else { return };
        let Some(&entity @ Entity::Global(_)) = self.named.get(&span) else { return };
        // Behind a `*` are the qualifiers of the pointer itself.
        let own = match declarator.derived.first() {
            Some(Derived::Pointer { qualifiers, .. }) => qualifiers,
            _ => specifiers,
        };
        if has_space(own) || self.may_hide_space(own) {
            return;
        }
        let Some(space) = self.analysis.space_of(entity) else { return };
        let first = match declarator.derived.first() {
            Some(Derived::Pointer { .. }) => Some(span),
            _ => specifiers.first().map(|specifier| specifier.span),
        };
        if let Some(first) = first {
            self.add(first, space);
        }
    }

    /// What the pointers of a declarator point to.
    fn pointers(&mut self, declarator: &Declarator, specifiers: &[Specifier]) {
        let Some((_, name)) = declarator.name else { return };
        let Some(&entity) = self.named.get(&name) else { return };
        let Some(ty) = self.analysis.type_of(entity) else { return };
        let types = &self.analysis.module.types;
        let mut ty: TypeId = ty.ty;
        for (index, derived) in declarator.derived.iter().enumerate() {
            match (derived, types.get(ty)) {
                (Derived::Pointer { span, .. }, &Type::Pointer { pointee, space }) => {
                    let own = match declarator.derived.get(index + 1) {
                        Some(Derived::Pointer { qualifiers, .. }) => Some(&qualifiers[..]),
                        Some(_) => None,
                        None => Some(specifiers),
                    };
                    let is_silent =
                        own.is_some_and(|own| !has_space(own) && !self.may_hide_space(own));
                    if is_silent {
                        self.add(*span, space);
                    }
                    ty = pointee.ty;
                }
                (Derived::Array { .. }, &Type::Array { element, .. }) => ty = element.ty,
                // A parameter of array type is a pointer.
                (Derived::Array { .. }, &Type::Pointer { pointee, .. }) => ty = pointee.ty,
                _ => return,
            }
        }
    }

    /// A typedef can bring an address space with it, and so can an attribute.
    fn may_hide_space(&self, specifiers: &[Specifier]) -> bool {
        specifiers.iter().any(|specifier| match &specifier.kind {
            SpecifierKind::Attribute(_) => true,
            SpecifierKind::Type(TypeSpecifier::Name(_)) => match self.named.get(&specifier.span) {
                Some(Entity::Typedef(typedef)) => {
                    self.analysis.index.spaced_typedefs.contains(typedef)
                }
                _ => false,
            },
            SpecifierKind::Type(ty) => {
                matches!(ty, TypeSpecifier::TypeofExpr(_) | TypeSpecifier::TypeofType(_))
            }
            SpecifierKind::Storage(_)
            | SpecifierKind::Qualifier(_)
            | SpecifierKind::Function(_) => false,
        })
    }

    fn add(&mut self, span: Span, space: AddressSpace) {
        let Some(range) = self.analysis.range(span) else { return };
        if self.from <= range.start && range.start <= self.to {
            self.hints.push(Hint { offset: range.start, label: format!("{space} ") });
        }
    }
}

fn has_storage(specifiers: &[Specifier], storage: StorageSpecifier) -> bool {
    specifiers.iter().any(
        |specifier| matches!(specifier.kind, SpecifierKind::Storage(found) if found == storage),
    )
}

fn has_space(specifiers: &[Specifier]) -> bool {
    specifiers.iter().any(|specifier| {
        matches!(specifier.kind, SpecifierKind::Qualifier(Qualifier::AddressSpace(_)))
    })
}
