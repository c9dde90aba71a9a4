//! What every word of a file is, for colours: names by the memory that they have to do with.

use std::ops::Range;

use clc_base::AddressSpace;
use clc_sema::index::Entity;
use clc_sema::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::scan::{self, LexemeKind};
use crate::target::is_type_name;

/// A word and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Its bytes; within one line.
    pub range: Range<u32>,
    /// What it is.
    pub class: TokenClass,
    /// What else is known of it.
    pub modifiers: TokenModifiers,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// A variable that is no parameter.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A function, built-in ones too.
    Function,
    /// A type by name.
    Type,
    /// A tag of a struct or union.
    Struct,
    /// A tag of an enumeration.
    Enum,
    /// An enumerator or a constant of the language.
    EnumMember,
    /// A member of a struct or union.
    Property,
    /// A macro.
    Macro,
    /// A keyword.
    Keyword,
    /// A label.
    Label,
    /// Text that is skipped.
    Comment,
}

/// What else is known of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenModifiers {
    /// It is declared here.
    pub declaration: bool,
    /// The language has it.
    pub library: bool,
    /// It cannot be written to.
    pub readonly: bool,
    /// The memory that it is in, or that it points to.
    pub space: Option<AddressSpace>,
}

impl Analysis {
    /// The words of the source in its order.
    pub fn tokens(&self) -> Vec<SemanticToken> {
        let known = self.known_names();
        let text = self.text();
        let mut tokens: Vec<SemanticToken> = Vec::new();
        let skipped = self.skipped();
        let keywords: FxHashSet<&str> =
            clc_syntax::token::keywords().map(|(spelling, _)| spelling).collect();
        let mut next = 0;
        for lexeme in scan::scan(text) {
            while skipped.get(next).is_some_and(|range| range.end <= lexeme.start) {
                lines(text, &skipped[next], &mut tokens);
                next += 1;
            }
            if skipped.get(next).is_some_and(|range| range.start <= lexeme.start)
                || lexeme.kind != LexemeKind::Word
            {
                continue;
            }
            let range = lexeme.start..lexeme.end;
            let word = lexeme.text(text);
            let token = match known.get(&lexeme.start) {
                Some((end, class, modifiers)) if *end == lexeme.end => Some((*class, *modifiers)),
                _ if lexeme.in_directive => None,
                _ if keywords.contains(word) => {
                    Some((TokenClass::Keyword, TokenModifiers::default()))
                }
                _ if is_type_name(word) => {
                    let library = TokenModifiers { library: true, ..TokenModifiers::default() };
                    Some((TokenClass::Type, library))
                }
                _ => None,
            };
            if let Some((class, modifiers)) = token {
                tokens.push(SemanticToken { range, class, modifiers });
            }
        }
        for range in &skipped[next..] {
            lines(text, range, &mut tokens);
        }
        tokens
    }

    /// Groups of directives that are skipped, in the source, joined where only white space or a nested
    /// directive is between them.
    pub(crate) fn skipped(&self) -> Vec<Range<u32>> {
        let mut skipped: Vec<Range<u32>> =
            self.trace.skipped.iter().filter_map(|&span| self.range(span)).collect();
        skipped.sort_by_key(|range| range.start);
        skipped.dedup_by(|next, range| {
            let overlaps = next.start < range.end;
            if overlaps {
                range.end = range.end.max(next.end);
            }
            overlaps
        });
        skipped
    }

    fn known_names(&self) -> FxHashMap<u32, (u32, TokenClass, TokenModifiers)> {
        let mut known = FxHashMap::default();
        for found in &self.index.occurrences {
            if let Some(range) = self.range(found.span) {
                let (class, mut modifiers) = self.class(found.entity);
                modifiers.declaration = found.declares;
                known.insert(range.start, (range.end, class, modifiers));
            }
        }
        let macros = TokenModifiers::default();
        for definition in &self.trace.definitions {
            if let Some(range) = self.range(definition.span) {
                let modifiers = TokenModifiers { declaration: true, ..macros };
                known.insert(range.start, (range.end, TokenClass::Macro, modifiers));
            }
        }
        for found in self.trace.uses.iter().filter(|found| !found.definition.is_none()) {
            if let Some(range) = self.range(found.span) {
                known.insert(range.start, (range.end, TokenClass::Macro, macros));
            }
        }
        known
    }

    fn class(&self, entity: Entity) -> (TokenClass, TokenModifiers) {
        let mut modifiers =
            TokenModifiers { space: self.shown_space(entity), ..Default::default() };
        let class = match entity {
            Entity::Local(span) => {
                let is_parameter =
                    self.index.locals.get(&span).is_some_and(|&(function, local)| {
                        local.0 < self.module.functions[function].param_count
                    });
                if is_parameter { TokenClass::Parameter } else { TokenClass::Variable }
            }
            Entity::Global(_) => TokenClass::Variable,
            Entity::Function(_) => TokenClass::Function,
            Entity::Typedef(_) => TokenClass::Type,
            Entity::Enumerator(_) => TokenClass::EnumMember,
            Entity::Tag(ty) => match self.module.types.get(ty) {
                Type::Enum(_) => TokenClass::Enum,
                _ => TokenClass::Struct,
            },
            Entity::Member(..) => TokenClass::Property,
            Entity::Label(..) => TokenClass::Label,
            Entity::Builtin(_) => {
                modifiers.library = true;
                TokenClass::Function
            }
            Entity::Predeclared(_) => {
                modifiers.library = true;
                TokenClass::EnumMember
            }
        };
        modifiers.readonly = match entity {
            Entity::Local(_) | Entity::Global(_) | Entity::Member(..) => {
                self.type_of(entity).is_some_and(|ty| ty.quals.is_const)
                    || self.space_of(entity) == Some(AddressSpace::Constant)
            }
            _ => false,
        };
        (class, modifiers)
    }
}

/// A token for each line of skipped text.
fn lines(text: &str, range: &Range<u32>, tokens: &mut Vec<SemanticToken>) {
    let skipped = text.get(range.start as usize..range.end as usize).unwrap_or("");
    let mut start = range.start;
    for line in skipped.split_inclusive('\n') {
        let blank = line.len() - line.trim_start().len();
        let from = start + blank as u32;
        let end = start + line.trim_end().len() as u32;
        if from < end {
            let (class, modifiers) = (TokenClass::Comment, TokenModifiers::default());
            tokens.push(SemanticToken { range: from..end, class, modifiers });
        }
        start += line.len() as u32;
    }
}
