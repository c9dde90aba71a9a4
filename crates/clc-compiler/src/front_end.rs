//! What tools of editors get of a source.

use clc_base::{FileId, Interner, SourceMap};
use clc_syntax::preprocess;

/// What the front end knows of a source, with errors or without: for tools of editors, which make their
/// own view of it.
#[derive(Debug)]
pub struct FrontEnd {
    /// The files, and the macro expansions.
    pub sources: SourceMap,
    /// The source itself among them.
    pub main: FileId,
    /// What was written.
    pub ast: clc_syntax::ast::Ast,
    /// What it means.
    pub module: clc_sema::hir::Module,
    /// What names mean.
    pub index: clc_sema::index::Index,
    /// Macros and includes.
    pub trace: preprocess::Trace,
    /// The macros at the end of the source.
    pub macros: preprocess::MacroNames,
    /// The names.
    pub interner: Interner,
    /// What the preprocessor made of the source.
    pub tokens: Vec<clc_syntax::token::Token>,
    /// The version of the language, what the target has, and bits of `size_t`.
    pub language: clc_sema::SemaOptions,
}
