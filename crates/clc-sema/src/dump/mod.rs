//! The typed tree as text, for `--emit=hir` and for tests.
//!
//! Close to C where it can be: `[p]` loads the lvalue `p`, `&p` is its address, `decay p` the pointer
//! to an array's first element, `(*v)` what a pointer points to; conversions are written as calls of
//! the type; names of locals carry their number.

mod constants;
mod expressions;
mod statements;

use std::fmt::Write;

use clc_base::{Interner, Symbol};

use crate::hir::*;
use crate::spelling;
use crate::types::{QualType, TypeId};

/// The whole module: globals first, then the functions with their bodies.
pub fn module(module: &Module, interner: &Interner) -> String {
    let mut dump = Dump { module, interner, function: None, out: String::new() };
    for global in module.globals.values() {
        dump.global(global);
    }
    for function in module.functions.values() {
        dump.function(function);
    }
    dump.out
}

struct Dump<'a> {
    module: &'a Module,
    interner: &'a Interner,
    function: Option<&'a Function>,
    out: String,
}

impl<'a> Dump<'a> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.interner.resolve(symbol)
    }

    fn qualified(&self, ty: QualType) -> String {
        spelling::type_text(&self.module.types, self.interner, ty)
    }

    fn ty(&mut self, ty: TypeId) {
        let text = self.qualified(ty.into());
        self.text(&text);
    }

    fn global(&mut self, global: &Global) {
        let external = match global.linkage {
            Linkage::External => "",
            Linkage::Internal => "static ",
        };
        let declaration = if global.is_declaration { "extern " } else { "" };
        let ty = self.qualified(global.ty);
        let _ = write!(self.out, "{declaration}{external}{} {}: {ty}", global.space, global.name);
        if let Some(initializer) = &global.initializer {
            self.text(" = ");
            self.constant(initializer, global.ty.ty);
        }
        self.text("\n");
    }

    fn function(&mut self, function: &'a Function) {
        if matches!(function.linkage, Linkage::Internal) {
            self.text("static ");
        }
        self.text(if function.kernel.is_some() { "kernel " } else { "function " });
        self.text(self.name(function.name));
        self.text("(");
        self.function = Some(function);
        for index in 0..function.param_count {
            if index > 0 {
                self.text(", ");
            }
            self.declared(LocalId(index));
        }
        self.text(") -> ");
        self.ty(function.result);
        match function.body {
            Some(body) => {
                self.text("\n");
                self.statement(body, 1);
            }
            None => self.text(";\n"),
        }
        self.function = None;
    }

    fn declared(&mut self, local: LocalId) {
        self.local(local);
        if let Some(local) = self.function.and_then(|function| function.locals.get(local)) {
            let ty = self.qualified(local.ty);
            let _ = write!(self.out, ": {ty}");
        }
    }

    fn local(&mut self, id: LocalId) {
        let local = self.function.and_then(|function| function.locals.get(id));
        if let Some(name) = local.and_then(|local| local.name) {
            self.text(self.interner.resolve(name));
        }
        let _ = write!(self.out, "#{}", id.0);
    }

    fn label(&mut self, id: LabelId) {
        match self.function.and_then(|function| function.labels.get(id)) {
            Some(label) => self.text(self.interner.resolve(label.name)),
            None => {
                let _ = write!(self.out, "{id}");
            }
        }
    }

    fn indent(&mut self, depth: usize) {
        // Deeper indentation helps no reader, and the text would be quadratic in the depth.
        for _ in 0..depth.min(40) {
            self.text("  ");
        }
    }
}
