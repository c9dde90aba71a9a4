//! Between the instructions of a function: its scopes and lines, and what variables hold.

use clc_ir::debug::{Holds, Location, Place, Subject};
use clc_ir::{Const, TypeKind, TypePool, Value};
use spirv::Op;

use super::{AtPositions, DebugInfoState, number};
use crate::emit::{FunctionEmitter, Id};

impl FunctionEmitter<'_, '_> {
    /// What variables hold, by position, if that is said.
    pub(in crate::emit) fn debug_positions(&self) -> Option<AtPositions> {
        if !self.module.has_debug_info() {
            return None;
        }
        let debug = self.function.debug.as_ref()?;
        let mut positions = AtPositions::default();
        for &entry in &debug.values {
            positions.entry((entry.at.block, entry.at.before)).or_default().push(entry);
        }
        Some(positions)
    }

    fn debug_op(&mut self, number: u32, operands: &[u32]) {
        let id = self.module.fresh_id();
        let DebugInfoState { set, void, .. } = *self.module.info();
        let code = &mut self.module.code;
        let start = code.begin(Op::ExtInst);
        code.words.extend_from_slice(&[void, id, set, number]);
        code.words.extend_from_slice(operands);
        code.end(start);
    }

    /// At the start of a function: what it is in the source, and which variables are in memory.
    pub(in crate::emit) fn debug_definition(&mut self, function: Id) {
        if !self.module.has_debug_info() {
            return;
        }
        let Some(debug) = &self.function.debug else { return };
        let tables = self.module.debug_tables;
        if let Some(place) = tables.and_then(|tables| tables.place(debug.place))
            && self.module.shader.is_some()
        {
            let scope = self.module.debug_scope(place.scope);
            self.debug_op(number::FUNCTION_DEFINITION, &[scope, function]);
        }
        for entry in &debug.memory {
            let Some(index) = entry.address.as_local() else { continue };
            let id = self.value_ids[index];
            if id != 0 {
                self.debug_subject(number::DECLARE, entry.subject, id);
            }
        }
    }

    /// What variables hold from here on.
    pub(in crate::emit) fn debug_values(&mut self, entries: Option<&Vec<Holds>>) {
        for entry in entries.into_iter().flatten() {
            // Intel's runtime ends the process over modules that say it of images.
            if entry.value.is_some_and(|value| self.is_opaque(value)) {
                continue;
            }
            let id = entry.value.and_then(|value| self.debug_operand(value));
            let id = id.unwrap_or_else(|| self.module.constant(Const::Undef(TypePool::I32)));
            self.debug_subject(number::VALUE, entry.subject, id);
        }
    }

    /// Whether only drivers know what the value is made of.
    fn is_opaque(&self, value: Value) -> bool {
        !matches!(
            self.module.types.kind(self.ty(value)),
            TypeKind::Bool
                | TypeKind::Int(_)
                | TypeKind::Float(_)
                | TypeKind::Vector(..)
                | TypeKind::Array(..)
                | TypeKind::Struct(_)
                | TypeKind::Pointer { .. }
        )
    }

    fn debug_operand(&mut self, value: Value) -> Option<Id> {
        let Some(constant) = value.as_const() else {
            let index = value.as_local()?;
            return Some(self.value_ids[index]).filter(|&id| id != 0);
        };
        // A type that only debug information mentions could need a capability. Constants that are made
        // of addresses would make variables part of the interface.
        let is_plain = match *self.module.consts.get(constant) {
            Const::Bool(_) => self.module.is_declared(TypePool::BOOL),
            Const::Null(ty) | Const::Int(ty, _) | Const::Float(ty, _) => {
                self.module.is_declared(ty)
            }
            _ => false,
        };
        is_plain.then(|| self.module.use_const(constant, &mut Vec::new()))
    }

    fn debug_subject(&mut self, number: u32, subject: Subject, id: Id) {
        self.debug_place(subject.place);
        let Some(variable) = self.module.debug_variable(subject.variable) else { return };
        let tables = self.module.debug_tables;
        let ty = tables.map(|tables| tables.variables[subject.variable].ty);
        let indexes = match (subject.part, ty) {
            (Some(part), Some(ty)) if self.module.shader.is_some() => {
                self.module.debug_indexes(ty, part)
            }
            _ => None,
        };
        let part = subject.part.filter(|_| indexes.is_none());
        let mut operands = vec![variable, id, self.module.debug_expression(part)];
        for index in indexes.into_iter().flatten() {
            operands.push(self.module.u32_constant(index));
        }
        self.debug_op(number, &operands);
    }

    /// DebugScope, if what follows is in another scope than what came before.
    fn debug_place(&mut self, place: Place) {
        if place == self.module.info().current {
            return;
        }
        self.module.info().current = place;
        let tables = self.module.debug_tables;
        let Some(info) = tables.and_then(|tables| tables.place(place)) else {
            self.debug_op(number::NO_SCOPE, &[]);
            return;
        };
        let mut operands = vec![self.module.debug_scope(info.scope)];
        if let Some(call) = info.inlined_at {
            operands.extend(self.module.debug_inlined(call));
        }
        self.debug_op(number::SCOPE, &operands);
    }

    /// The scope and line of the next instruction. Returns whether the line is said, too.
    pub(in crate::emit) fn debug_location(&mut self, location: Location) -> bool {
        self.debug_place(location.place);
        if self.module.shader.is_none() {
            return false;
        }
        let line = (!location.span.is_none()).then(|| {
            let (source, line, column) = self.module.debug_position(location.span.lo);
            let (other, end, end_column) = self.module.debug_position(location.span.hi);
            let is_range = other == source && (end, end_column) >= (line, column);
            let (end, end_column) = if is_range { (end, end_column) } else { (line, column) };
            [source, line, end, column, end_column]
        });
        if line == self.module.info().current_line {
            return true;
        }
        self.module.info().current_line = line;
        match line {
            None => self.debug_op(number::NO_LINE, &[]),
            Some([source, line, end, column, end_column]) => {
                let numbers =
                    [line, end, column, end_column].map(|number| self.module.u32_constant(number));
                let [line, end, column, end_column] = numbers;
                self.debug_op(number::LINE, &[source, line, end, column, end_column]);
            }
        }
        true
    }

    /// A block ends the reach of its scopes and lines.
    pub(in crate::emit) fn end_debug_locations(&mut self) {
        if let Some(info) = &mut self.module.debug_info {
            info.current = Place::NONE;
            info.current_line = None;
        }
    }
}
