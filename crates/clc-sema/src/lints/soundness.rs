//! Which functions the lints look at in a program with errors: those in which nothing is wrong or of
//! unknown type, so that no warning follows from an error.

use std::ops::Range;

use clc_base::{Code, Diagnostic, FileId, Id, SourceMap, Span};
use clc_syntax::ast;
use rustc_hash::FxHashSet;

use crate::context::Sema;
use crate::diagnostics::lints::{W0805, W0880, W0881, W0882};
use crate::hir::{ExprId, ExprKind, FuncId, Module, StmtId};
use crate::types::TypeTable;

/// A function definition, with the blocks in it.
#[derive(Debug)]
pub(crate) struct Definition {
    span: Span,
    exprs: Range<u32>,
    has_errors: bool,
}

impl Definition {
    /// To be called before a definition is analysed.
    pub(crate) fn begin(sema: &Sema<'_>, function: &ast::FunctionDefinition) -> Unfinished {
        Unfinished {
            span: function.span,
            has_errors: function.has_errors,
            first_expr: sema.module.exprs.len() as u32,
            diagnostics: sema.diagnostics.len(),
        }
    }
}

/// A definition that is being analysed.
pub(crate) struct Unfinished {
    span: Span,
    has_errors: bool,
    first_expr: u32,
    diagnostics: usize,
}

impl Unfinished {
    /// To be called behind the analysis.
    pub(crate) fn end(self, sema: &Sema<'_>) -> Definition {
        let found = &sema.diagnostics[self.diagnostics..];
        Definition {
            span: self.span,
            exprs: self.first_expr..sema.module.exprs.len() as u32,
            has_errors: self.has_errors || found.iter().any(Diagnostic::is_error),
        }
    }
}

/// A stretch of a file.
type Stretch = (FileId, Range<u32>);

/// The function definitions of a program with errors.
pub(crate) struct Unsound {
    /// Bodies of functions with errors, which are out of sight as long as the lints look.
    hidden: Vec<(FuncId, Option<StmtId>)>,
    /// Sound definitions, and whether they call one that is not.
    sound: Vec<(Span, bool)>,
    /// The others.
    others: Vec<Span>,
}

impl Unsound {
    /// Hides the bodies of functions with errors.
    pub(crate) fn new(sema: &mut Sema<'_>) -> Unsound {
        let (module, definitions) = (&mut sema.module, &sema.declared.definitions);
        let is_wrong = |definition: &Definition| {
            let mut exprs = definition.exprs.clone().map(|index| &module.exprs[ExprId(index)]);
            definition.has_errors
                || exprs.any(|expr| {
                    matches!(expr.kind, ExprKind::Error) || expr.ty.ty == TypeTable::ERROR
                })
        };
        let mut wrong: Vec<bool> = definitions.iter().map(is_wrong).collect();
        // Which definition each function belongs to.
        let mut owners = vec![None; module.functions.len()];
        for (function, range) in &sema.declared.bodies {
            let owner = definitions.partition_point(|definition| definition.exprs.end < range.end);
            let is_inside = |definition: &Definition| definition.exprs.start <= range.start;
            let owner = Some(owner).filter(|&owner| definitions.get(owner).is_some_and(is_inside));
            owners[function.index()] = owner;
            let mut locals = module.functions[*function].locals.values();
            if let Some(owner) = owner
                && locals.any(|local| local.ty.ty == TypeTable::ERROR)
            {
                wrong[owner] = true;
            }
        }
        let calls = callers_of_wrong(module, definitions, &owners, &wrong);
        let mut hidden = Vec::new();
        for (index, owner) in owners.iter().enumerate() {
            if owner.is_none_or(|owner| wrong[owner]) {
                let id = FuncId::from_index(index);
                hidden.push((id, module.functions[id].body.take()));
            }
        }
        let mut unsound = Unsound { hidden, sound: Vec::new(), others: Vec::new() };
        for (index, definition) in definitions.iter().enumerate() {
            match wrong[index] {
                true => unsound.others.push(definition.span),
                false => unsound.sound.push((definition.span, calls[index])),
            }
        }
        unsound
    }

    /// Brings the bodies back.
    pub(crate) fn restore(&self, module: &mut Module) {
        for &(function, body) in &self.hidden {
            module.functions[function].body = body;
        }
    }

    /// Leaves the warnings that are in sound functions and follow from nothing else.
    pub(super) fn filter(&self, found: &mut Vec<Diagnostic>, sources: &SourceMap) {
        let stretch = |span: Span| -> Option<Stretch> {
            let resolved = sources.resolve(span)?;
            Some((resolved.file, resolved.start..resolved.end))
        };
        let contains = |(file, range): &Stretch, (other, place): &Stretch| {
            file == other && range.start <= place.start && place.start < range.end
        };
        let sound: Vec<(Stretch, bool)> = self
            .sound
            .iter()
            .filter_map(|&(span, calls_wrong)| Some((stretch(span)?, calls_wrong)))
            .collect();
        let others: Vec<Stretch> = self.others.iter().filter_map(|&span| stretch(span)).collect();
        found.retain(|diagnostic| {
            let Some(place) = stretch(diagnostic.primary.span) else { return false };
            let is = |codes: &[&Code]| codes.iter().any(|code| code.id == diagnostic.code.id);
            let Some((_, calls_wrong)) = sound.iter().find(|(sound, _)| contains(sound, &place))
            else {
                return false;
            };
            // What is not called may be called by what did not parse. Barriers may be in a function
            // that is called.
            let follows = is(&[&W0805]) || *calls_wrong && is(&[&W0880, &W0881, &W0882]);
            !follows && !others.iter().any(|other| contains(other, &place))
        });
    }
}

/// For each definition whether it calls one with errors, directly or not.
fn callers_of_wrong(
    module: &Module,
    definitions: &[Definition],
    owners: &[Option<usize>],
    wrong: &[bool],
) -> Vec<bool> {
    let mut calls = FxHashSet::default();
    for (caller, definition) in definitions.iter().enumerate() {
        for index in definition.exprs.clone() {
            if let ExprKind::Call { callee, .. } = module.exprs[ExprId(index)].kind
                && let Some(callee) = owners[callee.index()]
            {
                calls.insert((caller, callee));
            }
        }
    }
    let mut found = wrong.to_vec();
    loop {
        let before = calls.len();
        calls.retain(|&(caller, callee)| {
            found[caller] |= found[callee];
            !found[caller]
        });
        if calls.len() == before {
            return found;
        }
    }
}
