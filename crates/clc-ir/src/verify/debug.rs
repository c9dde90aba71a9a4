//! The tables of debug information and what functions say of variables: the invariants 15 and 16.

use clc_base::arena::Id as _;

use super::{Check, Verifier};
use crate::debug::{DebugInfo, DebugType, Place, Subject, TypeInfo};
use crate::{Cfg, Dominators, Module, StorageClass};

/// Whether every id in the tables is one of theirs.
pub(super) fn tables(module: &Module) -> Check {
    let Some(tables) = &module.debug else { return Ok(()) };
    let check = |fits: bool, what: &str| match fits {
        true => Ok(()),
        false => Err(format!("debug information names {what} that it does not have")),
    };
    let ty = |ty: DebugType| check(tables.types.get(ty).is_some(), "a type");
    for info in tables.types.values() {
        match info {
            TypeInfo::Basic { .. } => {}
            TypeInfo::Pointer { pointee: part, .. }
            | TypeInfo::Qualified { ty: part, .. }
            | TypeInfo::Vector { element: part, .. }
            | TypeInfo::Array { element: part, .. }
            | TypeInfo::Enum { underlying: part, .. } => ty(*part)?,
            TypeInfo::Record { members, .. } => {
                members.iter().try_for_each(|member| ty(member.ty))?;
            }
        }
    }
    for (id, info) in tables.scopes.iter() {
        check(info.parent.is_none_or(|parent| parent < id), "a scope around a scope")?;
        check(info.parent.is_some() != info.function.is_some(), "a scope of a function")?;
        if let Some(function) = &info.function {
            function.params.iter().copied().chain(function.result).try_for_each(ty)?;
        }
    }
    for info in tables.variables.values() {
        ty(info.ty)?;
        check(info.scope.is_none_or(|scope| tables.scopes.get(scope).is_some()), "a scope")?;
    }
    for (index, info) in tables.places.iter().enumerate() {
        check(tables.scopes.get(info.scope).is_some(), "a scope")?;
        let outer = info.inlined_at.and_then(|call| call.place.index());
        check(outer.is_none_or(|outer| outer < tables.places.len() && outer != index), "a place")?;
    }
    Ok(())
}

fn has_place(tables: &DebugInfo, place: Place) -> bool {
    place.is_none() || tables.place(place).is_some()
}

impl Verifier<'_> {
    /// What the function says of variables is about what it has.
    pub(super) fn debug(&self, cfg: &Cfg, dominators: &Dominators) -> Check {
        let function = self.function;
        let Some(tables) = &self.module.debug else {
            return match function.debug {
                Some(_) => Err("debug information without tables".into()),
                None => Ok(()),
            };
        };
        for &block in &function.layout {
            let insts = function.blocks[block].insts.iter();
            let mut locations = insts
                .map(|&inst| function.insts[inst].location)
                .chain([function.blocks[block].location]);
            if !locations.all(|location| has_place(tables, location.place)) {
                return Err(format!("an instruction of {block} is in a scope that is not there"));
            }
        }
        let Some(debug) = &function.debug else { return Ok(()) };
        let subject = |subject: Subject| {
            let known = tables.variables.get(subject.variable).is_some();
            match known && has_place(tables, subject.place) {
                true => Ok(()),
                false => Err(format!("{} is not a variable of the source", subject.variable)),
            }
        };
        if !has_place(tables, debug.place) {
            return Err("the function is in a scope that is not there".into());
        }
        for entry in &debug.memory {
            subject(entry.subject)?;
            self.available(cfg, dominators, entry.address, function.entry(), u32::MAX)?;
            let parts = self.module.types.pointer_parts(self.ty(entry.address));
            let is_private = parts.is_some_and(|(_, class)| class == StorageClass::Function);
            if !is_private {
                return Err(format!("{} is not in private memory", entry.subject.variable));
            }
        }
        for entry in &debug.values {
            subject(entry.subject)?;
            let at = entry.at;
            let position = match at.before {
                None => u32::MAX,
                Some(inst) if self.homes.get(inst.index()) == Some(&Some(at.block)) => {
                    self.positions[inst.index()]
                }
                Some(_) => return Err(format!("{} holds nowhere", entry.subject.variable)),
            };
            if let Some(value) = entry.value {
                self.available(cfg, dominators, value, at.block, position)?;
            }
        }
        Ok(())
    }
}
