//! Every place that names a thing, and how to give it another name.

use clc_base::Span;
use clc_sema::index::Entity;
use rustc_hash::FxHashSet;

use crate::analysis::{Analysis, Place};
use crate::target::{TargetKind, is_type_name};

/// Why something cannot have another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameError(pub String);

impl Analysis {
    /// Every place that names what is at an offset, in the order of the files; its declarations only if
    /// `with_declarations`. Names that macros make are where the macro has them.
    pub fn references(&self, offset: u32, with_declarations: bool) -> Vec<Place> {
        let Some(target) = self.target(offset) else { return Vec::new() };
        self.places_of(&target.kind, with_declarations)
    }

    fn places_of(&self, kind: &TargetKind, with_declarations: bool) -> Vec<Place> {
        let spans: Vec<Span> = match *kind {
            TargetKind::Entity(entity) => {
                let all = self.index.occurrences.iter().filter(|found| found.entity == entity);
                all.filter(|found| with_declarations || !found.declares)
                    .map(|found| found.span)
                    .collect()
            }
            TargetKind::Macro(name, definition) => {
                let uses = self.trace.uses.iter();
                let uses =
                    uses.filter(|found| found.name == name && found.definition == definition);
                let declared = (with_declarations && !definition.is_none()).then_some(definition);
                declared.into_iter().chain(uses.map(|found| found.span)).collect()
            }
            TargetKind::Include(_) | TargetKind::Keyword(_) | TargetKind::Type(_) => Vec::new(),
        };
        let mut seen = FxHashSet::default();
        let mut places: Vec<Place> = spans
            .into_iter()
            .filter_map(|span| self.spelled(span))
            .filter(|place| seen.insert(place.clone()))
            .collect();
        places.sort_by(|a, b| (&a.file, a.range.start).cmp(&(&b.file, b.range.start)));
        places
    }

    /// The places to write `new_name` at, so that what is at an offset has that name.
    pub fn rename(&self, offset: u32, new_name: &str) -> Result<Vec<Place>, RenameError> {
        let (target, old) = self.renamable(offset)?;
        if new_name == old {
            return Ok(Vec::new());
        }
        self.check_name(&target, new_name)?;
        let places = self.places_of(&target, true);
        for place in &places {
            let file = self.sources.files().iter().find(|file| file.name == place.file);
            let range = place.range.start as usize..place.range.end as usize;
            let is_written = file.is_some_and(|file| file.text.get(range) == Some(old.as_str()));
            if !is_written {
                return Err(RenameError(format!(
                    "`{old}` is put together by a macro in `{}`",
                    place.file
                )));
            }
            if place.file.starts_with('<') {
                return Err(RenameError(format!("`{old}` is in {}, which is no file", place.file)));
            }
        }
        self.check_shared(&target, &places, &old)?;
        Ok(places)
    }

    /// What is at an offset and its name, if it can have another.
    pub fn renamable(&self, offset: u32) -> Result<(TargetKind, String), RenameError> {
        let refuse = |text: &str| Err(RenameError(text.to_owned()));
        let Some(target) = self.target(offset) else { return refuse("there is no name here") };
        let name = match &target.kind {
            TargetKind::Entity(Entity::Builtin(_) | Entity::Predeclared(_)) => {
                return refuse("the language has this name");
            }
            TargetKind::Entity(entity) => self.name_of(*entity).map(str::to_owned),
            TargetKind::Macro(_, definition) if self.spelled(*definition).is_none() => {
                return refuse("no file defines this macro");
            }
            TargetKind::Macro(name, _) => Some(self.name(*name).to_owned()),
            TargetKind::Include(_) => return refuse("files are not renamed"),
            TargetKind::Keyword(_) | TargetKind::Type(_) => {
                return refuse("the language has this word");
            }
        };
        match name {
            Some(name) => Ok((target.kind, name)),
            None => refuse("it has no name"),
        }
    }

    /// A name in the text of a macro means something at each use: all must mean the same.
    fn check_shared(
        &self,
        target: &TargetKind,
        places: &[Place],
        old: &str,
    ) -> Result<(), RenameError> {
        let TargetKind::Entity(entity) = *target else { return Ok(()) };
        let made = |span: Span| self.sources.expansion_at(span.lo).is_some();
        let places: FxHashSet<&Place> = places.iter().collect();
        let others = self.index.occurrences.iter().filter(|found| found.entity != entity);
        for other in others.filter(|found| made(found.span)) {
            if self.spelled(other.span).is_some_and(|place| places.contains(&place)) {
                return Err(RenameError(format!(
                    "a macro names something else by `{old}` where it is used elsewhere"
                )));
            }
        }
        Ok(())
    }

    fn check_name(&self, target: &TargetKind, name: &str) -> Result<(), RenameError> {
        let refuse = |text: String| Err(RenameError(text));
        let mut letters = name.bytes();
        let is_first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        let is_word = letters.next().is_some_and(is_first)
            && letters.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word {
            return refuse(format!("`{name}` is no name"));
        }
        if clc_syntax::token::keywords().any(|(spelling, _)| spelling == name) || is_type_name(name)
        {
            return refuse(format!("`{name}` is a word of the language"));
        }
        let Some(symbol) = self.interner.get(name) else { return Ok(()) };
        let is_defined =
            |definition: &clc_syntax::preprocess::MacroDefinition| definition.name == symbol;
        if self.trace.definitions.iter().any(is_defined) {
            return refuse(format!("`{name}` is a macro"));
        }
        let TargetKind::Entity(entity) = *target else {
            return match self.index.occurrences.iter().any(|o| self.name_of(o.entity) == Some(name))
            {
                true => refuse(format!("`{name}` names something else")),
                false => Ok(()),
            };
        };
        // In the same space of names, and in a scope that may be one inside of the other.
        let meets = |other: Entity| match (entity, other) {
            (Entity::Member(a, _), Entity::Member(b, _)) => a == b,
            (Entity::Tag(_), Entity::Tag(_)) => true,
            (Entity::Label(a, _), Entity::Label(b, _)) => a == b,
            (Entity::Member(..) | Entity::Tag(_) | Entity::Label(..), _)
            | (_, Entity::Member(..) | Entity::Tag(_) | Entity::Label(..)) => false,
            (Entity::Local(a), Entity::Local(b)) => {
                let function = |span| self.index.locals.get(&span).map(|&(function, _)| function);
                function(a) == function(b)
            }
            _ => true,
        };
        let mut others = self.index.occurrences.iter().map(|found| found.entity);
        if others.any(|other| meets(other) && self.name_of(other) == Some(name)) {
            return refuse(format!("`{name}` names something else"));
        }
        Ok(())
    }
}
