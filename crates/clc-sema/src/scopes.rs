//! Scopes and what is known while a function body is analysed.

use clc_base::{AddressSpace, Span, Symbol};
use rustc_hash::FxHashMap;

use crate::context::Entity;
use crate::hir::{Case, CaseId, FuncId, LabelId};
use crate::types::{QualType, TypeId};

/// A declared name.
#[derive(Clone, Debug)]
pub struct Binding {
    pub entity: Entity,
    pub span: Span,
    /// Typedefs only: the address space that the typedef gives to an object declared with it
    /// (`typedef local int li;`), and where it was written.
    pub space: Option<(AddressSpace, Span)>,
}

/// Ordinary names and tags, innermost scope last.
#[derive(Debug, Default)]
pub struct Scopes {
    pub names: FxHashMap<Symbol, Vec<(u32, Binding)>>,
    pub tags: FxHashMap<Symbol, Vec<(u32, TypeId, Span)>>,
    /// Names and tags to forget when each open scope closes.
    pub opened: Vec<(Vec<Symbol>, Vec<Symbol>)>,
}

/// What is known while a function body is analysed.
#[derive(Debug)]
pub struct FunctionContext {
    pub id: FuncId,
    pub name: Symbol,
    pub result: QualType,
    pub is_kernel: bool,
    /// Depth of compound statements; 1 is the outermost block of the body.
    pub block_depth: u32,
    pub loop_depth: u32,
    pub switches: Vec<SwitchContext>,
    pub labels: FxHashMap<Symbol, (LabelId, Option<Span>)>,
    pub case_count: u32,
}

#[derive(Debug)]
pub struct SwitchContext {
    pub selector: TypeId,
    pub cases: Vec<Case>,
    pub seen: FxHashMap<u64, Span>,
    pub default: Option<(CaseId, Span)>,
}

impl Scopes {
    /// What the innermost declaration of `name` in sight declares.
    pub fn lookup(&self, name: Symbol) -> Option<&Binding> {
        self.names.get(&name)?.last().map(|(_, binding)| binding)
    }

    pub fn open(&mut self) {
        self.opened.push(Default::default());
    }

    /// Forgets the names and tags of the innermost scope.
    pub fn close(&mut self) {
        let Some((names, tags)) = self.opened.pop() else { return };
        for name in names {
            self.names.get_mut(&name).and_then(Vec::pop);
        }
        for tag in tags {
            self.tags.get_mut(&tag).and_then(Vec::pop);
        }
    }
}
