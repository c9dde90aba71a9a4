//! Debug information: the tables of the module, and what stands beside functions.

use clc_base::Span;

use super::Parser;
use super::error::Parse;
use super::lexer::{Token, id};
use crate::debug::{
    DebugInfo, DebugType, DebugVariable, FunctionDebug, Holds, InMemory, Location, Member, Part,
    Place, PlaceInfo, Position, Scope, ScopeFunction, ScopeInfo, Subject, TypeInfo, VariableInfo,
};
use crate::{Block, Function};

impl Parser<'_> {
    /// The line `debug` and what follows it, as long as it belongs to the tables.
    pub(super) fn debug_tables(&mut self) -> Parse<()> {
        self.expect_word("debug")?;
        let pointer_size = match self.word()? {
            "ptr32" => 4,
            "ptr64" => 8,
            _ => return self.error("expected `ptr32` or `ptr64`"),
        };
        let mut tables = DebugInfo { pointer_size, ..DebugInfo::default() };
        self.end_line()?;
        while let Token::Word(word) = *self.peek() {
            let expected = if let Some(number) = id(word, "t") {
                self.next += 1;
                let info = self.debug_type()?;
                tables.types.push(info);
                (number, tables.types.len())
            } else if let Some(number) = id(word, "s") {
                self.next += 1;
                let info = self.debug_scope()?;
                tables.scopes.push(info);
                (number, tables.scopes.len())
            } else if let Some(number) = id(word, "d") {
                self.next += 1;
                let info = self.debug_variable()?;
                tables.variables.push(info);
                (number, tables.variables.len())
            } else if let Some(number) = id(word, "p") {
                self.next += 1;
                self.expect_word("place")?;
                let scope = Scope(self.id("s")?);
                let inlined_at =
                    if self.accept_word("inlined") { Some(self.location()?) } else { None };
                tables.places.push(PlaceInfo { scope, inlined_at });
                (number, tables.places.len())
            } else {
                break;
            };
            if expected.0 as usize + 1 != expected.1 {
                return self.error("debug information is numbered from 0 without gaps");
            }
            self.end_line()?;
        }
        self.module.debug = Some(Box::new(tables));
        Ok(())
    }

    fn debug_type_id(&mut self) -> Parse<DebugType> {
        Ok(DebugType(self.id("t")?))
    }

    fn debug_type(&mut self) -> Parse<TypeInfo> {
        Ok(match self.word()? {
            "basic" => {
                let (name, size) = (self.text()?, self.number()?);
                TypeInfo::Basic { name, size, encoding: self.named()? }
            }
            "pointer" => TypeInfo::Pointer { pointee: self.debug_type_id()?, class: self.named()? },
            "qualified" => {
                TypeInfo::Qualified { ty: self.debug_type_id()?, qualifier: self.named()? }
            }
            "vector" => {
                TypeInfo::Vector { element: self.debug_type_id()?, count: self.number_u32()? }
            }
            "array" => TypeInfo::Array { element: self.debug_type_id()?, len: self.number()? },
            kind @ ("struct" | "union") => {
                let (name, size, span) = (self.text()?, self.number()?, self.span()?);
                let mut members = Vec::new();
                self.expect('{')?;
                while !self.accept('}') {
                    if !members.is_empty() {
                        self.expect(',')?;
                    }
                    members.push(Member {
                        name: self.text()?,
                        ty: self.debug_type_id()?,
                        offset: self.number()?,
                        size: self.number()?,
                        span: self.span()?,
                    });
                }
                TypeInfo::Record { name, is_union: kind == "union", size, members, span }
            }
            "enum" => {
                let (name, underlying) = (self.text()?, self.debug_type_id()?);
                let span = self.span()?;
                let mut values = Vec::new();
                self.expect('{')?;
                while !self.accept('}') {
                    if !values.is_empty() {
                        self.expect(',')?;
                    }
                    values.push((self.text()?, self.number()? as i64));
                }
                TypeInfo::Enum { name, underlying, values, span }
            }
            _ => return self.error("expected a type of the source"),
        })
    }

    fn debug_scope(&mut self) -> Parse<ScopeInfo> {
        self.expect_word("scope")?;
        let span = self.span()?;
        let parent = if self.accept_word("in") { Some(Scope(self.id("s")?)) } else { None };
        if !self.accept_word("function") {
            return Ok(ScopeInfo { parent, span, function: None });
        }
        let (name, linkage_name) = (self.text()?, self.text()?);
        let result = if self.accept_word("void") { None } else { Some(self.debug_type_id()?) };
        let mut params = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            if !params.is_empty() {
                self.expect(',')?;
            }
            params.push(self.debug_type_id()?);
        }
        let body = self.span()?;
        let is_external = self.accept_word("export");
        let function = ScopeFunction { name, linkage_name, result, params, body, is_external };
        Ok(ScopeInfo { parent, span, function: Some(Box::new(function)) })
    }

    fn debug_variable(&mut self) -> Parse<VariableInfo> {
        self.expect_word("variable")?;
        let (name, ty) = (self.text()?, self.debug_type_id()?);
        let span = self.span()?;
        let scope = if self.accept_word("in") { Some(Scope(self.id("s")?)) } else { None };
        let argument = if self.accept_word("argument") { self.number_u32()? } else { 0 };
        let global = if self.accept_word("global") { Some(self.text()?) } else { None };
        Ok(VariableInfo { name, ty, scope, span, argument, global })
    }

    fn span(&mut self) -> Parse<Span> {
        self.expect('@')?;
        Ok(Span::new(self.number_u32()?, self.number_u32()?))
    }

    fn place(&mut self) -> Place {
        match *self.peek() {
            Token::Word(word) => match id(word, "p") {
                Some(number) => {
                    self.next += 1;
                    Place::from_index(number as usize)
                }
                None => Place::NONE,
            },
            _ => Place::NONE,
        }
    }

    fn location(&mut self) -> Parse<Location> {
        let span = self.span()?;
        Ok(Location { span, place: self.place() })
    }

    /// Behind an instruction: where it comes from, if that is said.
    pub(super) fn debug_location(&mut self) -> Parse<Location> {
        match self.peek() {
            Token::Sign('@') => self.location(),
            _ => Ok(Location::NONE),
        }
    }

    fn subject(&mut self) -> Parse<Subject> {
        let variable = DebugVariable(self.id("d")?);
        let place = self.place();
        let part = if self.accept_word("part") {
            Some(Part { offset: self.number_u32()?, size: self.number_u32()? })
        } else {
            None
        };
        Ok(Subject { variable, place, part })
    }

    /// Reads a line of debug information in a function, if the line is one.
    pub(super) fn debug_line(
        &mut self,
        function: &mut Function,
        block: Option<Block>,
        word: &str,
    ) -> Parse<bool> {
        match (word, block) {
            ("debug", None) => {
                self.next += 1;
                function.debug = Some(Box::new(FunctionDebug::new(self.place())));
            }
            ("memory", None) => {
                self.next += 1;
                let entry = InMemory { subject: self.subject()?, address: self.value()? };
                let Some(debug) = &mut function.debug else {
                    return self.error("the line `debug` comes first");
                };
                debug.memory.push(entry);
            }
            ("holds", Some(block)) => {
                self.next += 1;
                let subject = self.subject()?;
                let value = if self.accept_word("unknown") { None } else { Some(self.value()?) };
                // The instruction that follows is not read yet.
                let at = Position { block, before: None };
                let Some(debug) = &mut function.debug else {
                    return self.error("the line `debug` comes first");
                };
                debug.values.push(Holds { subject, value, at });
                self.held += 1;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The last instruction of `block` has just been read: it is what lines before it stand before.
    pub(super) fn debug_anchor(&mut self, function: &mut Function, block: Block) {
        let count = std::mem::take(&mut self.held);
        let last = function.blocks[block].insts.last().copied();
        if let Some(debug) = &mut function.debug {
            let first = debug.values.len() - count;
            for entry in &mut debug.values[first..] {
                entry.at.before = last;
            }
        }
    }
}
