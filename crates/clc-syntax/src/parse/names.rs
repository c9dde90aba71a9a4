//! What identifiers mean to the grammar: types or not (C99 6.7.7, 6.2.1).

use clc_base::{Interner, Symbol};

use super::predeclared;
pub(super) use super::predeclared::Meaning;
use crate::token::Keyword;

/// One flat table of meanings. Scopes are marks in the log of what they replaced.
pub(super) struct Names {
    meanings: Vec<Meaning>,
    log: Vec<(Symbol, Meaning)>,
}

impl Names {
    /// `count` is the number of interned names; later ones (attribute names) are never declared.
    pub fn new(count: usize) -> Names {
        Names { meanings: vec![Meaning::Unresolved; count], log: Vec::new() }
    }

    #[inline]
    pub fn meaning(&mut self, symbol: Symbol, interner: &Interner) -> Meaning {
        match self.meanings.get(symbol.0 as usize) {
            Some(Meaning::Unresolved) => self.resolve(symbol, interner),
            Some(&meaning) => meaning,
            None => Meaning::Ordinary,
        }
    }

    #[cold]
    fn resolve(&mut self, symbol: Symbol, interner: &Interner) -> Meaning {
        let meaning = predeclared::meaning(interner.resolve(symbol));
        self.meanings[symbol.0 as usize] = meaning;
        meaning
    }

    /// Declares a name in the innermost scope.
    pub fn bind(&mut self, symbol: Symbol, meaning: Meaning) {
        if let Some(entry) = self.meanings.get_mut(symbol.0 as usize) {
            self.log.push((symbol, *entry));
            *entry = meaning;
        }
    }

    /// Whether the program has declared a name that is visible now.
    pub fn is_declared(&self, symbol: Symbol) -> bool {
        self.log.iter().any(|&(logged, _)| logged == symbol)
    }

    /// Where a scope begins, or a place to come back to.
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Undoes every declaration since `mark`.
    #[inline]
    pub fn leave(&mut self, mark: usize) {
        while self.log.len() > mark {
            let Some((symbol, meaning)) = self.log.pop() else { return };
            self.meanings[symbol.0 as usize] = meaning;
        }
    }

    /// Types the program declared and that are visible now, with their names.
    pub fn visible_types<'a>(&'a self, interner: &'a Interner) -> impl Iterator<Item = &'a str> {
        self.log
            .iter()
            .filter(|(symbol, _)| self.meanings[symbol.0 as usize].is_type())
            .map(|&(symbol, _)| interner.resolve(symbol))
    }
}

impl Keyword {
    /// Keywords that begin a declaration.
    pub(super) fn starts_specifier(self) -> bool {
        use Keyword as K;
        match self {
            K::Typedef | K::Extern | K::Static | K::Auto | K::Register => true,
            K::Const | K::Volatile | K::Restrict => true,
            K::Global | K::Local | K::Constant | K::Private | K::Generic => true,
            K::ReadOnly | K::WriteOnly | K::ReadWrite => true,
            K::Inline | K::Kernel | K::Noreturn => true,
            K::Void | K::Bool | K::Char | K::Short | K::Int | K::Long => true,
            K::Half | K::Float | K::Double | K::Signed | K::Unsigned => true,
            K::Complex | K::Imaginary => true,
            K::Struct | K::Union | K::Enum | K::Typeof | K::Pipe | K::Attribute => true,
            K::Break | K::Case | K::Continue | K::Default | K::Do | K::Else | K::For => false,
            K::Goto | K::If | K::Return | K::Sizeof | K::Switch | K::While => false,
            K::StaticAssert | K::Alignof | K::VecStep | K::Extension | K::BuiltinOffsetof => false,
            K::Asm | K::BuiltinAstype | K::BuiltinConvertvector => false,
        }
    }
}
