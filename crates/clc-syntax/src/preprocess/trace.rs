//! Where macros are defined and used, which files are included and what is skipped: for editors.

use clc_base::{Span, Symbol};

use super::engine::Preprocessor;
use super::macros::{Macro, MacroKind};

/// What an editor asks about a source text before it is parsed; recorded where
/// [`Options::trace`](super::Options::trace) is set. In the order of the source.
#[derive(Debug, Default)]
pub struct Trace {
    /// The `#define` directives, those of the command line too.
    pub definitions: Vec<MacroDefinition>,
    /// Names that were looked up as macros.
    pub uses: Vec<MacroUse>,
    /// The header names of `#include` directives, and the files that they name.
    pub includes: Vec<(Span, String)>,
    /// Groups of conditional directives that were skipped.
    pub skipped: Vec<Span>,
}

/// A `#define`.
#[derive(Clone, Debug)]
pub struct MacroDefinition {
    /// The name that is defined.
    pub name: Symbol,
    /// Of the name.
    pub span: Span,
    /// Of the replacement list.
    pub text: Span,
    /// `None` for a macro without a parameter list.
    pub parameters: Option<Vec<Symbol>>,
    /// The last parameter takes all further arguments.
    pub variadic: bool,
}

/// A name that was replaced, or tested by `#ifdef` and the like, or undefined.
#[derive(Clone, Copy, Debug)]
pub struct MacroUse {
    /// The name.
    pub name: Symbol,
    /// Of the name.
    pub span: Span,
    /// The name in the definition that holds; `Span::NONE` if there is none.
    pub definition: Span,
}

impl Preprocessor<'_> {
    /// Notes that a name is looked up as a macro.
    #[inline]
    pub(super) fn trace_use(&mut self, name: Symbol, span: Span) {
        if self.options.trace {
            self.trace_macro(name, span);
        }
    }

    #[cold]
    fn trace_macro(&mut self, name: Symbol, span: Span) {
        let definition = match self.macro_of(name) {
            Some(id) => self.macros.all[id as usize].name,
            None => Span::NONE,
        };
        self.output.trace.uses.push(MacroUse { name, span, definition });
    }

    /// Notes a `#define`.
    pub(super) fn trace_definition(&mut self, name: Symbol, definition: &Macro) {
        if !self.options.trace {
            return;
        }
        let (parameters, variadic) = match definition.kind {
            MacroKind::Function { parameters: (start, end), variadic } => {
                let names = &self.macros.parameters[start as usize..end as usize];
                (Some(names.to_vec()), variadic)
            }
            MacroKind::Object | MacroKind::Builtin(_) => (None, false),
        };
        let (span, text) = (definition.name, definition.text);
        let definition = MacroDefinition { name, span, text, parameters, variadic };
        self.output.trace.definitions.push(definition);
    }

    /// Notes that what lies between these positions was skipped.
    pub(super) fn trace_skipped(&mut self, from: u32, to: u32) {
        if self.options.trace && from < to {
            self.output.trace.skipped.push(Span::new(from, to));
        }
    }
}
