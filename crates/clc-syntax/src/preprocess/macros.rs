//! Macros and their replacement lists.

use clc_base::{Span, Symbol};

use crate::lex::PpToken;

/// Macros whose replacement is computed at each use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    FileName,
    BaseFile,
    IncludeLevel,
    Counter,
    Date,
    Time,
    Timestamp,
    /// `__has_include`
    IncludeQuery,
    /// `__has_attribute`
    AttributeQuery,
    /// `__has_builtin`
    FunctionQuery,
    /// `__has_extension`, `__has_feature`
    ExtensionQuery,
}

/// An index into [`Macros::all`].
pub(super) type MacroId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MacroKind {
    Object,
    /// Parameters as a range of [`Macros::parameters`]; the last one is variadic or not.
    Function {
        parameters: (u32, u32),
        variadic: bool,
    },
    /// Computed at each use.
    Builtin(Builtin),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Source,
    /// A name reserved for the compiler.
    Predefined,
    /// A constant of the library, which programs like to define for themselves.
    PredefinedConstant,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Macro {
    pub kind: MacroKind,
    pub origin: Origin,
    /// The name in its `#define`.
    pub name: Span,
    /// The replacement list as a range of [`Macros::bodies`].
    pub body: (u32, u32),
    /// The text of the replacement list.
    pub text: Span,
    /// An expansion of it is being rescanned: its name is not expanded (C99 6.10.3.4).
    pub disabled: bool,
}

/// All macros ever defined; an undefined macro stays, since it may still be in use.
#[derive(Debug, Default)]
pub(super) struct Macros {
    /// By symbol: [`UNKNOWN`], [`NO_MACRO`], or an id plus [`FIRST`].
    by_symbol: Vec<u32>,
    pub all: Vec<Macro>,
    pub bodies: Vec<PpToken>,
    pub parameters: Vec<Symbol>,
}

/// Not yet looked for among the predefined macros.
const UNKNOWN: u32 = 0;
const NO_MACRO: u32 = 1;
const FIRST: u32 = 2;

pub(super) enum Lookup {
    Macro(MacroId),
    NoMacro,
    /// Not looked up before: it may be predefined.
    Unknown,
}

/// The symbols that have a definition in a table by symbol.
pub(super) fn defined(by_symbol: &[u32]) -> impl Iterator<Item = Symbol> {
    let entries = by_symbol.iter().enumerate();
    entries.filter(|&(_, &entry)| entry >= FIRST).map(|(index, _)| Symbol(index as u32))
}

impl Macros {
    #[inline]
    pub fn lookup(&self, name: Symbol) -> Lookup {
        match self.by_symbol.get(name.0 as usize) {
            None | Some(&UNKNOWN) => Lookup::Unknown,
            Some(&NO_MACRO) => Lookup::NoMacro,
            Some(&entry) => Lookup::Macro(entry - FIRST),
        }
    }

    fn set(&mut self, name: Symbol, entry: u32) {
        let index = name.0 as usize;
        if index >= self.by_symbol.len() {
            self.by_symbol.resize((index + 1).next_power_of_two().max(256), UNKNOWN);
        }
        self.by_symbol[index] = entry;
    }

    pub fn define(&mut self, name: Symbol, definition: Macro) -> MacroId {
        let id = self.all.len() as MacroId;
        self.all.push(definition);
        self.set(name, id + FIRST);
        id
    }

    /// Restores an earlier definition of `name`, or that it has none.
    pub fn restore(&mut self, name: Symbol, id: Option<MacroId>) {
        self.set(name, id.map_or(NO_MACRO, |id| id + FIRST));
    }

    /// Every name that is a macro now and was looked at.
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        defined(&self.by_symbol)
    }

    /// The table of names alone.
    pub fn into_names(self) -> super::interface::MacroNames {
        super::interface::MacroNames { by_symbol: self.by_symbol }
    }

    pub fn undefine(&mut self, name: Symbol) {
        self.set(name, NO_MACRO);
    }

    pub fn body(&self, id: MacroId) -> &[PpToken] {
        let (start, end) = self.all[id as usize].body;
        &self.bodies[start as usize..end as usize]
    }

    /// Whether two definitions are the same (C99 6.10.3).
    pub fn same(&self, a: MacroId, b: MacroId) -> bool {
        let (one, two) = (&self.all[a as usize], &self.all[b as usize]);
        let kinds = match (one.kind, two.kind) {
            (MacroKind::Object, MacroKind::Object) => true,
            (
                MacroKind::Function { parameters: p, variadic: v },
                MacroKind::Function { parameters: q, variadic: w },
            ) => {
                v == w
                    && self.parameters[p.0 as usize..p.1 as usize]
                        == self.parameters[q.0 as usize..q.1 as usize]
            }
            (MacroKind::Builtin(a), MacroKind::Builtin(b)) => a == b,
            (
                MacroKind::Object | MacroKind::Function { .. } | MacroKind::Builtin(_),
                MacroKind::Object | MacroKind::Function { .. } | MacroKind::Builtin(_),
            ) => false,
        };
        let (one, two) = (self.body(a), self.body(b));
        kinds
            && one.len() == two.len()
            && one
                .iter()
                .zip(two)
                .all(|(x, y)| x.kind == y.kind && x.symbol == y.symbol && x.flags == y.flags)
    }
}
