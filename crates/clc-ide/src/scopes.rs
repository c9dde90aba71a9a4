//! The names that can be used at an offset.

use std::ops::Range;

use clc_base::Span;
use clc_sema::index::Entity;
use clc_syntax::ast::{ExternalDeclaration, FunctionDefinition, StmtKind};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;

/// Where one looks from.
struct View {
    offset: u32,
    /// The function around it, and all scopes in that.
    function: Option<Range<u32>>,
    scopes: Vec<Range<u32>>,
}

fn contains_place(scope: &Range<u32>, place: &Range<u32>) -> bool {
    scope.start <= place.start && place.end <= scope.end
}

impl Analysis {
    /// The ordinary names that are declared before an offset and in sight there, each with what the
    /// innermost declaration declares. Labels, members and tags are not among them.
    pub(crate) fn visible(&self, offset: u32) -> FxHashMap<&str, Entity> {
        let function = self.function_at(offset);
        let inside = function.and_then(|function| self.seen(function.span));
        let scopes = match &inside {
            Some(function) => self.scopes(function).collect(),
            None => Vec::new(),
        };
        let view = View { offset, function: inside, scopes };
        let mut names = FxHashMap::default();
        let position = self.position(offset);
        // What comes later in the source hides what was declared before it.
        for found in self.index.occurrences.iter().filter(|found| found.declares) {
            let is_before = match self.range(found.span) {
                Some(range) => range.end <= offset,
                None => found.span.lo < position || self.is_before(found.span, offset),
            };
            if !is_before || self.is_hidden(found.span, found.entity, &view) {
                continue;
            }
            match found.entity {
                Entity::Member(..) | Entity::Tag(_) | Entity::Label(..) => {}
                entity => {
                    if let Some(name) = self.name_of(entity) {
                        names.insert(name, entity);
                    }
                }
            }
        }
        names
    }

    /// Whether what is declared in an included file or by a macro is declared before an offset.
    fn is_before(&self, span: Span, offset: u32) -> bool {
        let Some(mut place) = self.sources.resolve(span) else { return false };
        while place.file != self.main {
            // A file that nothing includes is read before the source.
            let Some(from) = self.sources.file(place.file).included_from else { return true };
            let Some(outer) = self.sources.resolve(from) else { return true };
            place = outer;
        }
        place.end <= offset
    }

    /// Whether a declaration is in a scope that is closed where one looks from.
    fn is_hidden(&self, span: Span, entity: Entity, view: &View) -> bool {
        let is_local = match entity {
            Entity::Local(_) => true,
            Entity::Global(global) => self.module.globals[global].name.contains('.'),
            // Declared in a function or not.
            Entity::Typedef(_) | Entity::Enumerator(_) | Entity::Function(_) => {
                return self.innermost_function(span).is_some_and(|own| Some(own) != view.function);
            }
            _ => false,
        };
        if !is_local {
            return false;
        }
        let Some(place) = self.seen(span) else { return true };
        let Some(function) = &view.function else { return true };
        if !contains_place(function, &place) {
            return true;
        }
        // The innermost scope around the declaration is around the offset, too.
        let around = view.scopes.iter().filter(|scope| contains_place(scope, &place));
        let innermost = around.min_by_key(|scope| scope.end - scope.start);
        // Behind the closing brace it is closed.
        innermost.is_some_and(|scope| view.offset <= scope.start || scope.end <= view.offset)
    }

    fn innermost_function(&self, span: Span) -> Option<Range<u32>> {
        let place = self.seen(span)?;
        let function = self.function_at(place.start)?;
        let body = self.seen(self.ast.stmts[function.body].span)?;
        (body.start < place.start).then(|| self.seen(function.span)).flatten()
    }

    /// The function definition that an offset is in.
    pub(crate) fn function_at(&self, offset: u32) -> Option<&FunctionDefinition> {
        self.ast.items.iter().rev().find_map(|item| match item {
            ExternalDeclaration::Function(function) => {
                let range = self.seen(function.span)?;
                (range.start <= offset && offset <= range.end).then_some(function)
            }
            ExternalDeclaration::Declaration(_)
            | ExternalDeclaration::StaticAssert(_)
            | ExternalDeclaration::Pragma { .. } => None,
        })
    }

    /// The compound statements and `for` loops of a function.
    fn scopes<'a>(&'a self, function: &'a Range<u32>) -> impl Iterator<Item = Range<u32>> + 'a {
        let stmts = self.ast.stmts.values();
        let scopes =
            stmts.filter(|stmt| matches!(stmt.kind, StmtKind::Compound(_) | StmtKind::For { .. }));
        let inside =
            |range: &Range<u32>| function.start <= range.start && range.end <= function.end;
        scopes.filter_map(|stmt| self.range(stmt.span)).filter(move |range| inside(range))
    }
}
