//! Scopes and what is known while a function body is analysed.

use clc_base::{AddressSpace, Span, Symbol};
use rustc_hash::FxHashMap;

use crate::context::Entity;
use crate::hir::{Case, CaseId, FuncId, LabelId};
use crate::types::{QualType, TypeId};

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub entity: Entity,
    pub span: Span,
    /// Typedefs only: the address space of objects declared with the typedef
    /// (`typedef local int li;`), and where it was written.
    pub space: Option<(AddressSpace, Span)>,
    /// Typedefs only: `__attribute__((aligned(n)))`.
    pub align: Option<u64>,
    /// Typedefs only: `size_t` and the like by another name.
    pub is_host_sized: bool,
}

impl Binding {
    pub(crate) fn new(entity: Entity, span: Span) -> Binding {
        Binding { entity, span, space: None, align: None, is_host_sized: false }
    }
}

/// Ordinary names and tags, innermost scope last.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    pub names: FxHashMap<Symbol, Vec<(u32, Binding)>>,
    pub tags: FxHashMap<Symbol, Vec<(u32, TypeId, Span)>>,
    /// Names and tags to forget when each open scope closes.
    pub opened: Vec<(Vec<Symbol>, Vec<Symbol>)>,
}

/// What is known while a function body is analysed.
#[derive(Debug)]
pub(crate) struct FunctionContext {
    pub id: FuncId,
    pub name: Symbol,
    pub result: QualType,
    pub is_kernel: bool,
    /// Depth of compound statements; 1 is the outermost block of the body.
    pub block_depth: u32,
    pub loop_depth: u32,
    pub switches: Vec<SwitchContext>,
    /// Labels that were named so far; without a span while only `goto` named them.
    pub labels: FxHashMap<Symbol, (LabelId, Option<Span>)>,
    /// Where labels were named by `goto` before they were declared.
    pub pending_gotos: Vec<(Symbol, Span)>,
    pub case_count: u32,
    /// Number of scopes around the function; names declared in them are not its own.
    pub scope_base: u32,
    /// The first expression of the body that is in no range of [`bodies`] yet.
    ///
    /// [`bodies`]: crate::declarations::Declared
    pub first_expr: u32,
    /// Set for the function of a block literal.
    pub block: Option<crate::blocks::BlockContext>,
}

impl FunctionContext {
    pub(crate) fn new(
        id: FuncId,
        name: Symbol,
        result: QualType,
        scope_base: u32,
    ) -> FunctionContext {
        FunctionContext {
            id,
            name,
            result,
            is_kernel: false,
            block_depth: 0,
            loop_depth: 0,
            switches: Vec::new(),
            labels: FxHashMap::default(),
            pending_gotos: Vec::new(),
            case_count: 0,
            scope_base,
            first_expr: 0,
            block: None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct SwitchContext {
    pub selector: TypeId,
    /// With the span of the label's value.
    pub cases: Vec<(Case, Span)>,
    pub default: Option<(CaseId, Span)>,
}

impl Scopes {
    /// What the innermost declaration of `name` in sight declares.
    pub(crate) fn lookup(&self, name: Symbol) -> Option<&Binding> {
        self.names.get(&name)?.last().map(|(_, binding)| binding)
    }

    /// The same with the number of scopes around its declaration.
    pub(crate) fn lookup_with_depth(&self, name: Symbol) -> Option<(u32, &Binding)> {
        self.names.get(&name)?.last().map(|(depth, binding)| (*depth, binding))
    }

    /// Number of open scopes; 0 is file scope.
    pub(crate) fn depth(&self) -> u32 {
        self.opened.len() as u32
    }

    /// What the innermost scope itself declares under `name`.
    pub(crate) fn lookup_here(&mut self, name: Symbol) -> Option<&mut Binding> {
        let depth = self.depth();
        let (at, binding) = self.names.get_mut(&name)?.last_mut()?;
        (*at == depth).then_some(binding)
    }

    /// Declares `name` in the innermost scope.
    pub(crate) fn declare(&mut self, name: Symbol, binding: Binding) {
        let depth = self.depth();
        self.names.entry(name).or_default().push((depth, binding));
        if let Some((names, _)) = self.opened.last_mut() {
            names.push(name);
        }
    }

    /// Declares a tag in the innermost scope.
    pub(crate) fn declare_tag(&mut self, tag: Symbol, ty: TypeId, span: Span) {
        let depth = self.depth();
        self.tags.entry(tag).or_default().push((depth, ty, span));
        if let Some((_, tags)) = self.opened.last_mut() {
            tags.push(tag);
        }
    }

    pub(crate) fn open(&mut self) {
        self.opened.push(Default::default());
    }

    /// Forgets the names and tags of the innermost scope.
    pub(crate) fn close(&mut self) {
        let Some((names, tags)) = self.opened.pop() else { return };
        for name in names {
            self.names.get_mut(&name).and_then(Vec::pop);
        }
        for tag in tags {
            self.tags.get_mut(&tag).and_then(Vec::pop);
        }
    }
}
