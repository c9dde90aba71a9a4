//! Declarations: external declarations, functions, variables.

use clc_base::{Span, Symbol};
use clc_syntax::ast;

use crate::context::Sema;
use crate::hir::{GlobalId, LocalId};
use crate::types::QualType;

impl<'a> Sema<'a> {
    /// A local of the function that is being analysed; `None` names a temporary.
    pub fn new_local(&mut self, name: Option<Symbol>, ty: QualType, span: Span) -> LocalId {
        let _ = (name, ty, span);
        LocalId(0)
    }

    /// The constant array that holds a string literal; the terminating NUL is added here.
    pub fn string_literal(&mut self, bytes: Vec<u8>, span: Span) -> GlobalId {
        let _ = (bytes, span);
        GlobalId(0)
    }

    /// The type of a cast, `sizeof` or compound literal. An address space on the object itself
    /// (`(local int){0}`, or `sizeof(global int)`) is checked and dropped.
    pub fn type_name(&mut self, name: &'a ast::TypeName) -> QualType {
        let _ = name;
        crate::types::TypeTable::ERROR.into()
    }
}
