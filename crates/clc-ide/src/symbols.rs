//! What a file declares, as an outline.

use std::ops::Range;

use clc_base::Span;
use clc_syntax::ast::{
    Declaration, Declarator, Derived, EnumSpecifier, ExternalDeclaration, FunctionSpecifier,
    RecordSpecifier, Specifier, SpecifierKind, StorageSpecifier, TypeSpecifier,
};

use crate::analysis::Analysis;

/// Something that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The bytes of the whole declaration.
    pub range: Range<u32>,
    /// The bytes of the name.
    pub name_range: Range<u32>,
    /// Members and enumerators.
    pub children: Vec<DocumentSymbol>,
}

/// What kind of thing is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A kernel.
    Kernel,
    /// Any other function.
    Function,
    /// A variable at program scope.
    Variable,
    /// A typedef name.
    Typedef,
    /// A struct or a union.
    Record,
    /// An enumeration.
    Enum,
    /// A member of a struct or union.
    Member,
    /// An enumerator.
    Enumerator,
    /// A macro.
    Macro,
}

impl Analysis {
    /// What the source declares, in its order; macros too.
    pub fn symbols(&self) -> Vec<DocumentSymbol> {
        let mut symbols = Vec::new();
        for item in &self.ast.items {
            match item {
                ExternalDeclaration::Function(function) => {
                    self.types(&function.specifiers, &mut symbols);
                    let kind = function_kind(&function.specifiers);
                    let name = function.declarator.name;
                    self.add(name, kind, function.span, Vec::new(), &mut symbols);
                }
                ExternalDeclaration::Declaration(declaration) => {
                    self.declared(declaration, &mut symbols);
                }
                ExternalDeclaration::StaticAssert(_) | ExternalDeclaration::Pragma { .. } => {}
            }
        }
        for definition in &self.trace.definitions {
            let whole = definition.span.to(definition.text);
            let name = Some((definition.name, definition.span));
            self.add(name, SymbolKind::Macro, whole, Vec::new(), &mut symbols);
        }
        symbols.sort_by_key(|symbol| symbol.range.start);
        symbols
    }

    fn declared(&self, declaration: &Declaration, symbols: &mut Vec<DocumentSymbol>) {
        self.types(&declaration.specifiers, symbols);
        let is_typedef = declaration.specifiers.iter().any(|specifier| {
            matches!(specifier.kind, SpecifierKind::Storage(StorageSpecifier::Typedef))
        });
        for item in &declaration.declarators {
            let kind = match () {
                () if is_typedef => SymbolKind::Typedef,
                () if is_function(&item.declarator) => function_kind(&declaration.specifiers),
                () => SymbolKind::Variable,
            };
            self.add(item.declarator.name, kind, declaration.span, Vec::new(), symbols);
        }
    }

    /// The types that specifiers define.
    fn types(&self, specifiers: &[Specifier], symbols: &mut Vec<DocumentSymbol>) {
        for specifier in specifiers {
            match &specifier.kind {
                SpecifierKind::Type(TypeSpecifier::Record(record)) => {
                    self.record(record, specifier.span, symbols);
                }
                SpecifierKind::Type(TypeSpecifier::Enum(item)) => {
                    self.enumeration(item, specifier.span, symbols);
                }
                _ => {}
            }
        }
    }

    fn record(&self, record: &RecordSpecifier, span: Span, symbols: &mut Vec<DocumentSymbol>) {
        let Some(members) = &record.members else { return };
        let mut children = Vec::new();
        for member in members {
            for declarator in &member.declarators {
                let name = declarator.declarator.name;
                self.add(name, SymbolKind::Member, member.span, Vec::new(), &mut children);
            }
        }
        match record.tag {
            Some(tag) => self.add(Some(tag), SymbolKind::Record, span, children, symbols),
            None => symbols.append(&mut children),
        }
    }

    fn enumeration(&self, item: &EnumSpecifier, span: Span, symbols: &mut Vec<DocumentSymbol>) {
        let Some(enumerators) = &item.enumerators else { return };
        let mut children = Vec::new();
        for enumerator in enumerators {
            let name = Some((enumerator.name, enumerator.span));
            let kind = SymbolKind::Enumerator;
            self.add(name, kind, enumerator.span, Vec::new(), &mut children);
        }
        match item.tag {
            Some(tag) => self.add(Some(tag), SymbolKind::Enum, span, children, symbols),
            None => symbols.append(&mut children),
        }
    }

    fn add(
        &self,
        name: Option<(clc_base::Symbol, Span)>,
        kind: SymbolKind,
        span: Span,
        children: Vec<DocumentSymbol>,
        symbols: &mut Vec<DocumentSymbol>,
    ) {
        let Some((name, name_span)) = name else { return };
        let name = self.name(name).to_owned();
        let Some(name_range) = self.seen(name_span) else { return };
        if name.is_empty() {
            return;
        }
        let whole = self.seen(span).unwrap_or_else(|| name_range.clone());
        // An editor refuses a name that is outside of what it names.
        let start = whole.start.min(name_range.start);
        let range = start..whole.end.max(name_range.end);
        symbols.push(DocumentSymbol { name, kind, range, name_range, children });
    }
}

fn function_kind(specifiers: &[Specifier]) -> SymbolKind {
    let is_kernel = specifiers.iter().any(|specifier| {
        matches!(specifier.kind, SpecifierKind::Function(FunctionSpecifier::Kernel))
    });
    if is_kernel { SymbolKind::Kernel } else { SymbolKind::Function }
}

fn is_function(declarator: &Declarator) -> bool {
    matches!(declarator.derived.first(), Some(Derived::Function { .. }))
}
