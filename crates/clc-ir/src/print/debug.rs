//! Debug information: the tables of the module, and what stands beside functions.

use std::fmt::Write;

use clc_base::Span;

use super::Printer;
use crate::debug::{DebugInfo, Location, Place, Subject, TypeInfo};
use crate::names::Named;
use crate::{Block, Function, Inst};

impl Printer<'_> {
    pub(super) fn debug_tables(&mut self, tables: &DebugInfo) {
        put!(self, "debug ptr{}\n", tables.pointer_size * 8);
        for (id, info) in tables.types.iter() {
            put!(self, "{id} ");
            self.debug_type(info);
            put!(self, "\n");
        }
        for (id, info) in tables.scopes.iter() {
            put!(self, "{id} scope");
            self.span(info.span);
            if let Some(parent) = info.parent {
                put!(self, " in {parent}");
            }
            if let Some(function) = &info.function {
                put!(self, " function {:?} {:?} ", function.name, function.linkage_name);
                match function.result {
                    Some(result) => {
                        put!(self, "{result} (");
                    }
                    None => {
                        put!(self, "void (");
                    }
                }
                for (index, param) in function.params.iter().enumerate() {
                    put!(self, "{}{param}", if index == 0 { "" } else { ", " });
                }
                put!(self, ")");
                self.span(function.body);
                if function.is_external {
                    put!(self, " export");
                }
            }
            put!(self, "\n");
        }
        for (id, info) in tables.variables.iter() {
            put!(self, "{id} variable {:?} {}", info.name, info.ty);
            self.span(info.span);
            if let Some(scope) = info.scope {
                put!(self, " in {scope}");
            }
            if info.argument > 0 {
                put!(self, " argument {}", info.argument);
            }
            if let Some(global) = &info.global {
                put!(self, " global {global:?}");
            }
            put!(self, "\n");
        }
        for (index, info) in tables.places.iter().enumerate() {
            put!(self, "p{index} place {}", info.scope);
            if let Some(call) = info.inlined_at {
                put!(self, " inlined");
                self.location(call);
            }
            put!(self, "\n");
        }
    }

    fn debug_type(&mut self, info: &TypeInfo) {
        match info {
            TypeInfo::Basic { name, size, encoding } => {
                put!(self, "basic {name:?} {size} {}", encoding.word());
            }
            TypeInfo::Pointer { pointee, class } => {
                put!(self, "pointer {pointee} {}", class.word());
            }
            TypeInfo::Qualified { ty, qualifier } => {
                put!(self, "qualified {ty} {}", qualifier.word());
            }
            TypeInfo::Vector { element, count } => {
                put!(self, "vector {element} {count}");
            }
            TypeInfo::Array { element, len } => {
                put!(self, "array {element} {len}");
            }
            TypeInfo::Record { name, is_union, size, members, span } => {
                put!(self, "{} {name:?} {size}", if *is_union { "union" } else { "struct" });
                self.span(*span);
                put!(self, " {{");
                for (index, member) in members.iter().enumerate() {
                    put!(self, "{}", if index == 0 { " " } else { ", " });
                    put!(self, "{:?} {} {}", member.name, member.ty, member.offset);
                    put!(self, " {}", member.size);
                    self.span(member.span);
                }
                put!(self, " }}");
            }
            TypeInfo::Enum { name, underlying, values, span } => {
                put!(self, "enum {name:?} {underlying}");
                self.span(*span);
                put!(self, " {{");
                for (index, (name, value)) in values.iter().enumerate() {
                    put!(self, "{}{name:?} {value}", if index == 0 { " " } else { ", " });
                }
                put!(self, " }}");
            }
        }
    }

    fn span(&mut self, span: Span) {
        put!(self, " @{} {}", span.lo, span.hi);
    }

    fn place(&mut self, place: Place) {
        if let Some(index) = place.index() {
            put!(self, " p{index}");
        }
    }

    fn location(&mut self, location: Location) {
        self.span(location.span);
        self.place(location.place);
    }

    /// Behind an instruction: where it comes from.
    pub(super) fn debug_location(&mut self, location: Location) {
        if self.module.debug.is_some() && location != Location::NONE {
            self.location(location);
        }
    }

    fn subject(&mut self, subject: Subject) {
        put!(self, "{}", subject.variable);
        self.place(subject.place);
        if let Some(part) = subject.part {
            put!(self, " part {} {}", part.offset, part.size);
        }
    }

    /// At the head of a function: its place, and variables in memory.
    pub(super) fn debug_head(&mut self, function: &Function) {
        let Some(debug) = &function.debug else { return };
        put!(self, "  debug");
        self.place(debug.place);
        put!(self, "\n");
        for entry in &debug.memory {
            put!(self, "  memory ");
            self.subject(entry.subject);
            put!(self, " ");
            self.value(entry.address);
            put!(self, "\n");
        }
    }

    /// What variables hold from a position on.
    pub(super) fn debug_values(&mut self, function: &Function, block: Block, before: Option<Inst>) {
        let Some(debug) = &function.debug else { return };
        for entry in &debug.values {
            if (entry.at.block, entry.at.before) != (block, before) {
                continue;
            }
            put!(self, "  holds ");
            self.subject(entry.subject);
            put!(self, " ");
            match entry.value {
                Some(value) => self.value(value),
                None => {
                    put!(self, "unknown");
                }
            }
            put!(self, "\n");
        }
    }
}
