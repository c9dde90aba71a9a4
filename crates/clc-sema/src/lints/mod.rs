//! Lints: warnings about what is legal and most likely not meant.
//!
//! They look at a finished analysis, at the functions without errors in it ([`soundness`]), and change
//! nothing: the syntax tree for what
//! parentheses and layout say ([`parentheses`], [`bodies`], [`indentation`]), the typed tree for the rest.
//! [`walk`] goes over each body once and asks the lints of single expressions and statements; [`unused`] draws
//! conclusions from what it saw of names; the lints of control flow work on the graph of
//! [`flow`](crate::flow). Nothing is done for warnings that are off.

mod arrays;
mod bodies;
mod comparisons;
mod context;
mod conversions;
mod data_flow;
mod dead_stores;
mod divergence;
mod flow;
mod indentation;
mod local_memory;
mod notes;
mod parentheses;
mod ranges;
mod shadowing;
mod shifts;
mod soundness;
mod statements;
mod uninitialized;
mod unreachable;
mod unsequenced;
mod unused;
mod walk;
mod walker;
mod work_groups;

use clc_base::{Code, Diagnostic, Interner, SourceMap};
use clc_syntax::ast::Ast;

use self::context::{Lints, number};
pub(crate) use self::conversions::inexact_constant;
pub(crate) use self::notes::{Hiding, Notes};
pub(crate) use self::shifts::diagnostic as shift_diagnostic;
pub(crate) use self::soundness::{Definition, Unsound};

use crate::diagnostics::lints as codes;
use crate::hir::{self, FuncId};

/// What decides which lints report something.
pub struct LintOptions<'a> {
    /// The files that the spans of the program lie in, for layout and for what macros expand to.
    pub sources: &'a SourceMap,
    /// Whether a warning is shown.
    pub is_on: &'a dyn Fn(&Code) -> bool,
    /// All work-groups of a kernel have one size: `-cl-uniform-work-group-size`.
    pub uniform_work_groups: bool,
}

/// The warnings about a translation unit, in the order of the source; about one with errors those in
/// sound functions.
pub(crate) fn run(
    ast: &Ast,
    module: &hir::Module,
    interner: &Interner,
    notes: &Notes,
    owned: &[(FuncId, std::ops::Range<u32>)],
    unsound: Option<&Unsound>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let on = codes::LIST
        .iter()
        .filter(|code| (options.is_on)(code))
        .fold(0, |on, code| on | 1u128 << number(code));
    if on == 0 {
        return Vec::new();
    }
    let mut lints = Lints {
        ast,
        module,
        interner,
        notes,
        owned,
        sources: options.sources,
        uniform_work_groups: options.uniform_work_groups,
        on,
        has_errors: unsound.is_some(),
        found: Vec::new(),
    };
    parentheses::check(&mut lints);
    bodies::check(&mut lints);
    indentation::check(&mut lints);
    shadowing::check(&mut lints);
    let uses = walk::module(&mut lints);
    unused::check(&mut lints, &uses);
    data_flow::check(&mut lints, &uses);
    let sources = lints.sources;
    let mut found = lints.found;
    if let Some(unsound) = unsound {
        unsound.filter(&mut found, sources);
    }
    found.sort_by_cached_key(|diagnostic| {
        let location = sources.resolve(diagnostic.primary.span);
        location.map(|location| (location.file, location.start, diagnostic.primary.span.lo))
    });
    found
}
