//! Debug information: the tables of types, scopes and variables, and where variables are at first.

use clc_base::Span;
use clc_ir::debug::{
    DebugVariable, FunctionDebug, Holds, InMemory, Place, Position, ScopeFunction, ScopeInfo,
    Subject, VariableInfo,
};
use clc_ir::{Function, InstKind, Value};
use clc_sema::hir::{self, LocalId};
use clc_sema::types::TypeTable;

use crate::module::{FunctionLowering, Lowering, Slot};

impl Lowering<'_> {
    /// Makes a variable at program scope known.
    pub fn debug_global(&mut self, id: hir::GlobalId) {
        let (hir, names) = (self.hir, self.names);
        let Some(debug) = &mut self.debug else { return };
        let global = &hir.globals[id];
        // Strings and the like have no name in the source; variables of functions have it behind
        // that of their function.
        let name = global.name.rsplit('.').next().unwrap_or_default();
        if global.name.starts_with('.') || name.is_empty() {
            return;
        }
        let ty = debug.ty(&hir.types, names, global.ty);
        debug.info.variables.push(VariableInfo {
            name: name.to_owned(),
            ty,
            scope: None,
            span: global.span,
            argument: 0,
            global: Some(global.name.clone()),
        });
    }

    /// Makes a function known that is about to be lowered.
    pub fn debug_function(&mut self, source: &hir::Function, function: &mut Function) -> Place {
        let (hir, names) = (self.hir, self.names);
        let Some(debug) = &mut self.debug else { return Place::NONE };
        let result = (source.result != TypeTable::VOID)
            .then(|| debug.ty(&hir.types, names, source.result.into()));
        let params = (0..source.param_count)
            .map(|index| debug.ty(&hir.types, names, source.locals[LocalId(index)].ty))
            .collect();
        let body = source.body.map_or(source.span, |body| hir.stmts[body].span);
        let data = ScopeFunction {
            name: names.resolve(source.name).to_owned(),
            linkage_name: function.name.clone(),
            result,
            params,
            body,
            is_external: source.linkage == hir::Linkage::External,
        };
        let scope = debug.info.scopes.push(ScopeInfo {
            parent: None,
            span: source.span,
            function: Some(Box::new(data)),
        });
        let place = debug.info.add_place(scope, None);
        function.debug = Some(Box::new(FunctionDebug::new(place)));
        place
    }
}

impl FunctionLowering<'_, '_> {
    /// Whether debug information is wanted.
    fn debugs(&self) -> bool {
        !self.place.is_none()
    }

    /// Enters the scope of a block; returns the scope to go back to.
    pub fn enter_scope(&mut self, span: Span) -> Place {
        let outer = self.place;
        if let Some(debug) = &mut self.cx.debug
            && let Some(parent) = debug.info.place(outer).map(|place| place.scope)
        {
            let parent = Some(parent);
            let scope = debug.info.scopes.push(ScopeInfo { parent, span, function: None });
            self.place = debug.info.add_place(scope, None);
        }
        outer
    }

    /// Enters the scope of a compound statement, if the statements are one: several declarations of
    /// one specifier are a block in the typed tree, too, which begins where its first part does.
    pub fn enter_compound(&mut self, stmts: &[hir::StmtId], span: Span) -> Place {
        if !self.debugs() {
            return Place::NONE;
        }
        let hir = self.cx.hir;
        let is_group = stmts.first().is_none_or(|&first| hir.stmts[first].span.lo == span.lo);
        // The body of the function has the function's scope.
        let is_body = self.source.body.is_some_and(|body| hir.stmts[body].span == span);
        if is_group || is_body { self.place } else { self.enter_scope(span) }
    }

    /// Goes back to the scope around the current one.
    pub fn leave_scope(&mut self, outer: Place) {
        if self.debugs() {
            self.place = outer;
        }
    }

    fn debug_variable(&mut self, local: LocalId) -> Option<Subject> {
        if !self.debugs() {
            return None;
        }
        let data = &self.source.locals[local];
        let name = self.cx.names.resolve(data.name?).to_owned();
        let (hir, names) = (self.cx.hir, self.cx.names);
        let debug = self.cx.debug.as_mut()?;
        let ty = debug.ty(&hir.types, names, data.ty);
        let scope = debug.info.place(self.place)?.scope;
        let is_argument = local.0 < self.source.param_count;
        let variable: DebugVariable = debug.info.variables.push(VariableInfo {
            name,
            ty,
            scope: Some(scope),
            span: data.span,
            argument: if is_argument { local.0 + 1 } else { 0 },
            global: None,
        });
        Some(Subject { variable, place: self.place, part: None })
    }

    /// Says that a local is in the memory at an address.
    pub fn debug_memory(&mut self, local: LocalId, address: Value) {
        if let Some(subject) = self.debug_variable(local)
            && let Some(debug) = &mut self.function.debug
        {
            debug.memory.push(InMemory { subject, address });
        }
    }

    /// Says that a local is a value from here on.
    pub fn debug_value(&mut self, local: LocalId, value: Value) {
        if let Some(subject) = self.debug_variable(local)
            && let Some(debug) = &mut self.function.debug
        {
            let at = Position { block: self.block, before: None };
            debug.values.push(Holds { subject, value: Some(value), at });
            self.anchors.push(self.function.blocks[self.block].insts.len());
        }
    }

    /// Says where a parameter is.
    pub fn debug_parameter(&mut self, local: LocalId, slot: Slot, by_value: bool) {
        match slot {
            Slot::Memory(address) if by_value => self.debug_memory(local, address),
            // Its variable has been made known.
            Slot::Memory(_) => {}
            Slot::Value(value) => self.debug_value(local, value),
        }
    }

    /// Finds the instructions that came to stand behind what was said of values at the end of a block.
    pub fn debug_anchor(&mut self) {
        let Some(debug) = &mut self.function.debug else { return };
        for (entry, &count) in debug.values.iter_mut().zip(&self.anchors) {
            let insts = &self.function.blocks[entry.at.block].insts;
            entry.at.before =
                insts.iter().copied().skip(count).find(|&inst| {
                    !matches!(self.function.insts[inst].kind, InstKind::Variable { .. })
                });
        }
    }
}
