//! The names of things, and where they are declared.

use clc_base::{Span, Symbol};
use clc_sema::index::Entity;
use clc_sema::types::{RecordId, Type};

use crate::analysis::Analysis;

impl Analysis {
    /// Where a thing is declared, best where it is defined; `None` for what the language declares.
    pub(crate) fn declared_at(&self, entity: Entity) -> Option<Span> {
        let span = match entity {
            Entity::Local(span) | Entity::Typedef(span) | Entity::Enumerator(span) => span,
            Entity::Global(global) => self.module.globals[global].span,
            Entity::Function(function) => self.module.functions[function].span,
            Entity::Tag(ty) => match *self.module.types.get(ty) {
                Type::Record(record) => self.module.types.records[record].span,
                Type::Enum(id) => self.module.types.enums[id].span,
                _ => return None,
            },
            Entity::Member(..) => {
                let is_declaration = |&&occurrence: &&clc_sema::index::Occurrence| {
                    occurrence.entity == entity && occurrence.declares
                };
                self.index.occurrences.iter().find(is_declaration)?.span
            }
            Entity::Label(function, label) => self.module.functions[function].labels[label].span,
            Entity::Builtin(_) | Entity::Predeclared(_) => return None,
        };
        (!span.is_none()).then_some(span)
    }

    /// What a thing is called.
    pub(crate) fn name_of(&self, entity: Entity) -> Option<&str> {
        match entity {
            Entity::Local(span) => {
                let &(function, local) = self.index.locals.get(&span)?;
                self.module.functions[function].locals[local].name.map(|name| self.name(name))
            }
            // `function.variable`
            Entity::Global(global) => self.module.globals[global].name.rsplit('.').find(|part| {
                // A number tells variables of the same name apart.
                !part.bytes().all(|byte| byte.is_ascii_digit())
            }),
            Entity::Function(function) => Some(self.name(self.module.functions[function].name)),
            Entity::Typedef(span) | Entity::Enumerator(span) => self.sources.text(span),
            Entity::Tag(ty) => {
                let tag = match *self.module.types.get(ty) {
                    Type::Record(record) => self.module.types.records[record].tag,
                    Type::Enum(id) => self.module.types.enums[id].tag,
                    _ => None,
                };
                tag.map(|tag| self.name(tag))
            }
            Entity::Member(record, field) => {
                self.member_name(record, field).map(|name| self.name(name))
            }
            Entity::Label(function, label) => {
                Some(self.name(self.module.functions[function].labels[label].name))
            }
            Entity::Builtin(name) | Entity::Predeclared(name) => Some(self.name(name)),
        }
    }

    fn member_name(&self, record: RecordId, field: u32) -> Option<Symbol> {
        let body = self.module.types.records[record].body.as_ref()?;
        body.fields.get(field as usize)?.name
    }
}
