//! What follows from an error that was reported: of names and members that broken stretches may
//! have declared nothing is said.

use clc_base::Symbol;
use clc_syntax::ast::{ExprId, ExprKind};
use rustc_hash::FxHashSet;

use crate::context::Sema;
use crate::hir::FuncId;
use crate::types::{RecordId, Type, TypeId, TypeTable};

/// What was reported, so that it is reported once.
#[derive(Debug, Default)]
pub(crate) struct Reported {
    /// Undeclared names: once for each function, without one once for the file.
    pub(crate) undeclared: FxHashSet<(Option<FuncId>, Symbol)>,
    /// Members that do not exist.
    pub(crate) members: FxHashSet<(RecordId, Symbol)>,
    /// Records with members that did not parse and whose names are not known.
    pub(crate) partial: FxHashSet<RecordId>,
    /// Records without members where members are needed.
    incomplete: FxHashSet<RecordId>,
    /// How many of the tree's declarations without a name were found names for.
    renamed: usize,
    /// Records that were declared without anything else, as types to be defined elsewhere.
    pub(crate) forward: FxHashSet<RecordId>,
    /// Where the body of the function definition that is analysed begins; 0 outside of them.
    pub(crate) body: u32,
}

impl Sema<'_> {
    /// Whether what did not parse may have declared a name that nothing else does.
    pub(crate) fn is_lost(&self, name: Symbol) -> bool {
        let body = self.reported.body;
        let is_here = |within: Option<u32>| within.is_none_or(|start| start == body);
        self.ast.lost.iter().any(|lost| lost.name == name && is_here(lost.within))
    }

    /// Whether a name that nothing declares is that of a declaration or label in front of
    /// `position` that has lost its own. Each is found one name for.
    pub(crate) fn finds_lost_name(&mut self, position: u32) -> bool {
        let unnamed = self.ast.unnamed.iter().filter(|place| place.lo < position).count();
        let found = unnamed > self.reported.renamed;
        self.reported.renamed += usize::from(found);
        found
    }

    /// `a = 1, b, c = 2` with undeclared names has lost its type: that is reported for the first of
    /// them, which `first` assigns to or is, and `part` declares another.
    pub(crate) fn follows_lost_type(&mut self, first: ExprId, part: ExprId) {
        let function = self.function.as_ref().map(|function| function.id);
        let ast = self.ast;
        let declared = |e: ExprId| match ast.exprs[e].kind {
            ExprKind::Identifier(name) => Some(name),
            ExprKind::Assign { target, .. } => match ast.exprs[target].kind {
                ExprKind::Identifier(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        if let (Some(first), Some(name)) = (declared(first), declared(part))
            && self.reported.undeclared.contains(&(function, first))
            && self.lookup(name).is_none()
        {
            self.reported.undeclared.insert((function, name));
        }
    }

    /// Whether it is worth a word that a type is incomplete: once for what most likely is the name
    /// of another type, or of one whose definition did not parse.
    pub(crate) fn incompleteness_is_news(&mut self, mut ty: TypeId) -> bool {
        while let Type::Array { element, .. } = self.module.types.get(ty) {
            ty = element.ty;
        }
        let &Type::Record(id) = self.module.types.get(ty) else { return true };
        let record = &self.module.types.records[id];
        if record.body.is_some() {
            return true;
        }
        let is_lost = record.tag.is_some_and(|tag| self.is_lost(tag));
        let is_first = self.reported.incomplete.insert(id) || self.reported.forward.contains(&id);
        is_first && !is_lost
    }

    /// Whether a function has parameters that did not parse.
    pub(crate) fn has_lost_parameters(&self, id: FuncId) -> bool {
        let function = &self.module.functions[id];
        let mut parameters = function.locals.values().take(function.param_count as usize);
        parameters.any(|parameter| parameter.ty.ty == TypeTable::ERROR)
    }
}
