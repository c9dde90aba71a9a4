//! What is at an offset.

use std::ops::Range;

use clc_base::{Span, Symbol};
use clc_sema::index::Entity;
use clc_sema::types::Type;
use clc_syntax::token::{self, Keyword};

use crate::analysis::{Analysis, Place};
use crate::scan;

/// What an editor's cursor is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is.
    pub kind: TargetKind,
    /// The bytes of its name.
    pub range: Range<u32>,
}

/// What a word stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A name of the program or of the library.
    Entity(Entity),
    /// A macro: its name, and where its definition names it; `Span::NONE` for a name that is not
    /// defined.
    Macro(Symbol, Span),
    /// The name of a file that is included, and the file.
    Include(String),
    /// A keyword.
    Keyword(Keyword),
    /// A type that the language has, by name.
    Type(String),
}

impl Analysis {
    /// What the byte at `offset`, or the name that ends there, belongs to.
    pub fn target(&self, offset: u32) -> Option<Target> {
        let position = self.position(offset);
        for (span, file) in &self.trace.includes {
            if span.lo <= position && position <= span.hi {
                let range = self.range(*span)?;
                return Some(Target { kind: TargetKind::Include(file.clone()), range });
            }
        }
        let range = scan::word_at(self.text(), offset)?;
        let kind = self.named(&range).or_else(|| self.in_macro_text(&range)).or_else(|| {
            let text = self.text().get(range.start as usize..range.end as usize)?;
            word_of_the_language(text)
        })?;
        Some(Target { kind, range })
    }

    /// What the name at a place of the source stands for there.
    fn named(&self, range: &Range<u32>) -> Option<TargetKind> {
        let span = Span::new(self.position(range.start), self.position(range.end));
        for definition in &self.trace.definitions {
            if definition.span == span {
                return Some(TargetKind::Macro(definition.name, span));
            }
        }
        let uses = self.trace.uses.iter().filter(|found| found.span == span);
        // A file that is included twice can use it with a definition and without.
        if let Some(found) = uses.min_by_key(|found| found.definition.is_none()) {
            return Some(TargetKind::Macro(found.name, found.definition));
        }
        let mut found = self.index.occurrences.iter().filter(|found| found.span == span);
        found.next().map(|found| TargetKind::Entity(found.entity))
    }

    /// What a name in the text of a macro stands for where the macro is used.
    fn in_macro_text(&self, range: &Range<u32>) -> Option<TargetKind> {
        let position = self.position(range.start);
        let text = |macro_text: Span| macro_text.lo <= position && position < macro_text.hi;
        if !self.trace.definitions.iter().any(|definition| text(definition.text)) {
            return None;
        }
        let length = range.end - range.start;
        let is_here = |span: Span| {
            span.hi.wrapping_sub(span.lo) == length && self.sources.spelling(span.lo) == position
        };
        let found = self.trace.uses.iter().find(|found| is_here(found.span));
        if let Some(found) = found {
            return Some(TargetKind::Macro(found.name, found.definition));
        }
        let found = self.index.occurrences.iter().find(|found| is_here(found.span));
        found.map(|found| TargetKind::Entity(found.entity))
    }

    /// Where the thing at an offset is defined.
    pub fn definition(&self, offset: u32) -> Vec<Place> {
        let Some(target) = self.target(offset) else { return Vec::new() };
        match target.kind {
            TargetKind::Include(file) => vec![Place { file, range: 0..0 }],
            TargetKind::Macro(_, definition) => self.spelled(definition).into_iter().collect(),
            TargetKind::Entity(entity) => {
                let Some(span) = self.declared_at(entity) else { return Vec::new() };
                let mut places: Vec<Place> = self.spelled(span).into_iter().collect();
                // What a macro declares is declared where the macro is used, too.
                if self.sources.expansion_at(span.lo).is_some()
                    && let Some(seen) = self.sources.resolve(span)
                {
                    let file = self.sources.file(seen.file).name.clone();
                    places.push(Place { file, range: seen.start..seen.end });
                }
                places
            }
            TargetKind::Keyword(_) | TargetKind::Type(_) => Vec::new(),
        }
    }

    /// Where the type of the thing at an offset is defined.
    pub fn type_definition(&self, offset: u32) -> Option<Place> {
        let TargetKind::Entity(entity) = self.target(offset)?.kind else { return None };
        let mut ty = self.type_of(entity)?.ty;
        loop {
            let span = match self.module.types.get(ty) {
                Type::Pointer { pointee, .. } => {
                    ty = pointee.ty;
                    continue;
                }
                Type::Array { element, .. } => {
                    ty = element.ty;
                    continue;
                }
                Type::Record(record) => self.module.types.records[*record].span,
                Type::Enum(id) => self.module.types.enums[*id].span,
                _ => return None,
            };
            return self.spelled(span);
        }
    }
}

fn word_of_the_language(text: &str) -> Option<TargetKind> {
    if let Some((_, keyword)) = token::keywords().find(|&(spelling, _)| spelling == text) {
        return Some(TargetKind::Keyword(keyword));
    }
    is_type_name(text).then(|| TargetKind::Type(text.to_owned()))
}

/// Whether the language predeclares a type of this name.
pub(crate) fn is_type_name(text: &str) -> bool {
    clc_syntax::parse::predeclared::is_type(text)
}
