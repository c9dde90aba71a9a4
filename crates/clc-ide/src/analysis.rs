//! The facts, and how positions in them become places in files.

use std::ops::Range;

use clc_base::{FileId, Interner, SourceMap, Span, Symbol};
use clc_sema::SemaOptions;
use clc_sema::hir::Module;
use clc_sema::index::{Entity, Index};
use clc_sema::types::QualType;
use clc_syntax::ast::Ast;
use clc_syntax::preprocess::{MacroNames, Trace};

/// What the front end knows of a source, with errors or without.
#[derive(Debug)]
pub struct Analysis {
    /// The files, and the macro expansions.
    pub sources: SourceMap,
    /// The source that the analysis is of.
    pub main: FileId,
    /// What was written.
    pub ast: Ast,
    /// What it means.
    pub module: Module,
    /// What names mean.
    pub index: Index,
    /// Macros and includes.
    pub trace: Trace,
    /// The macros at the end of the source.
    pub macros: MacroNames,
    /// The names.
    pub interner: Interner,
    /// What the preprocessor made of the source.
    pub tokens: Vec<clc_syntax::token::Token>,
    /// The version of the language, what the target has, and bits of `size_t`.
    pub language: SemaOptions,
}

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// As the options or the `#include` named it; a name in angle brackets is no file.
    pub file: String,
    /// Bytes of its text.
    pub range: Range<u32>,
}

impl Analysis {
    /// The text of the source.
    pub fn text(&self) -> &str {
        &self.sources.file(self.main).text
    }

    /// The position of a byte of the source.
    pub(crate) fn position(&self, offset: u32) -> u32 {
        let file = self.sources.file(self.main);
        file.lo + offset.min(file.text.len() as u32)
    }

    /// The bytes of the source that a span is written as; `None` if it is written elsewhere, in a
    /// macro expansion for example.
    pub fn range(&self, span: Span) -> Option<Range<u32>> {
        let file = self.sources.file(self.main);
        let end = file.lo + file.text.len() as u32;
        let is_inside = file.lo <= span.lo && span.lo <= span.hi && span.hi <= end;
        is_inside.then(|| span.lo - file.lo..span.hi - file.lo)
    }

    /// The bytes of the source where something is to be seen: for what a macro makes, the use of the
    /// macro.
    pub fn seen(&self, span: Span) -> Option<Range<u32>> {
        if let Some(range) = self.range(span) {
            return Some(range);
        }
        let resolved = self.sources.resolve(span)?;
        (resolved.file == self.main).then_some(resolved.start..resolved.end.max(resolved.start))
    }

    /// Where a name is spelled: in the text of a macro, if a macro made it.
    pub fn spelled(&self, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let lo = self.sources.spelling(span.lo);
        let file = self.sources.file(self.sources.file_at(lo)?);
        let start = lo - file.lo;
        let range = start..start + span.hi.saturating_sub(span.lo);
        (range.end as usize <= file.text.len()).then(|| Place { file: file.name.clone(), range })
    }

    /// The text of a name.
    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        self.interner.resolve(symbol)
    }

    /// A type as the source would spell it.
    pub(crate) fn type_text(&self, ty: QualType) -> String {
        clc_sema::type_text(&self.module.types, &self.interner, ty)
    }

    /// Type and qualifiers of what a variable, member or typedef name stands for.
    pub(crate) fn type_of(&self, entity: Entity) -> Option<QualType> {
        match entity {
            Entity::Local(span) => {
                let &(function, local) = self.index.locals.get(&span)?;
                Some(self.module.functions[function].locals[local].ty)
            }
            Entity::Global(global) => Some(self.module.globals[global].ty),
            Entity::Typedef(span) => self.index.typedefs.get(&span).copied(),
            Entity::Tag(ty) => Some(ty.into()),
            Entity::Member(record, field) => {
                let body = self.module.types.records[record].body.as_ref()?;
                Some(body.fields.get(field as usize)?.ty)
            }
            Entity::Function(function) => Some(self.module.functions[function].result.into()),
            Entity::Enumerator(_)
            | Entity::Predeclared(_)
            | Entity::Label(..)
            | Entity::Builtin(_) => None,
        }
    }
}
