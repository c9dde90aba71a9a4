//! The types of expressions, those that do not parse yet too.

use clc_base::AddressSpace;
use clc_sema::index::Entity;
use clc_sema::types::{QualType, Type};
use clc_syntax::ast;
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::scan::{Lexeme, LexemeKind};

/// How long a chain of members and calls is followed.
const MAX_CHAIN: u32 = 64;

/// What is in sight where an expression stands.
pub(crate) struct Sight<'a> {
    pub analysis: &'a Analysis,
    pub lexemes: &'a [Lexeme],
    pub names: &'a FxHashMap<&'a str, Entity>,
}

impl Sight<'_> {
    /// The type of the postfix expression that ends with lexeme `last`.
    pub fn chain(&self, last: usize, depth: u32) -> Option<QualType> {
        if depth > MAX_CHAIN {
            return None;
        }
        let start = self.start(last)?;
        let range = self.lexemes[start].start..self.lexemes[last].end;
        if let Some(ty) = self.analysis.expression(range) {
            return Some(ty);
        }
        let text = self.analysis.text();
        let types = &self.analysis.module.types;
        match self.lexemes[last].kind {
            LexemeKind::Word => {
                let name = self.lexemes[last].text(text);
                match self.member_operator(last) {
                    Some((before, arrow)) => {
                        let base = self.chain(before, depth + 1)?;
                        self.analysis.member(base, arrow, name)
                    }
                    None => self.analysis.type_of(*self.names.get(name)?),
                }
            }
            LexemeKind::Sign(b']') => {
                let open = self.open(last)?;
                let base = self.chain(open.checked_sub(1)?, depth + 1)?;
                match *types.get(base.ty) {
                    Type::Pointer { pointee, .. } => Some(pointee),
                    Type::Array { element, .. } => Some(element),
                    Type::Vector(element, _) => Some(types.scalar(element).into()),
                    _ => None,
                }
            }
            LexemeKind::Sign(b')') => {
                let open = self.open(last)?;
                let is_call = open > 0 && self.lexemes[open - 1].kind == LexemeKind::Word;
                match is_call {
                    true => {
                        let name = self.lexemes[open - 1].text(text);
                        self.analysis.type_of(*self.names.get(name)?)
                    }
                    false => self.chain(last.checked_sub(1)?, depth + 1),
                }
            }
            LexemeKind::Sign(_) | LexemeKind::Number | LexemeKind::Text | LexemeKind::Comment => {
                None
            }
        }
    }

    /// The first lexeme of the postfix expression that ends with `last`.
    fn start(&self, last: usize) -> Option<usize> {
        let mut at = last;
        for _ in 0..MAX_CHAIN {
            match self.lexemes.get(at)?.kind {
                LexemeKind::Word => match self.member_operator(at) {
                    Some((before, _)) => at = before,
                    None => return Some(at),
                },
                LexemeKind::Sign(b']') => at = self.open(at)?.checked_sub(1)?,
                LexemeKind::Sign(b')') => {
                    let open = self.open(at)?;
                    let before = open.checked_sub(1).map(|before| self.lexemes[before].kind);
                    match before {
                        Some(LexemeKind::Word | LexemeKind::Sign(b']')) => at = open - 1,
                        _ => return Some(open),
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// If `.` or `->` stands before a lexeme: what stands before that, and whether it is `->`.
    pub fn member_operator(&self, at: usize) -> Option<(usize, bool)> {
        let sign = |at: usize, sign: u8| self.lexemes.get(at).is_some_and(|lexeme| lexeme.is(sign));
        let before = at.checked_sub(1)?;
        if sign(before, b'.') {
            return Some((before.checked_sub(1)?, false));
        }
        let touches = |dash: usize| self.lexemes[dash].end == self.lexemes[before].start;
        let dash = before.checked_sub(1)?;
        if sign(before, b'>') && sign(dash, b'-') && touches(dash) {
            return Some((dash.checked_sub(1)?, true));
        }
        None
    }

    /// The bracket that `close` closes.
    fn open(&self, close: usize) -> Option<usize> {
        let mut depth = 0u32;
        for at in (0..=close).rev() {
            match self.lexemes[at].kind {
                LexemeKind::Sign(b')' | b']' | b'}') => depth += 1,
                LexemeKind::Sign(b'(' | b'[' | b'{') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

impl Analysis {
    /// The type of the expression that is written as these bytes, where it was analysed.
    pub(crate) fn expression(&self, range: std::ops::Range<u32>) -> Option<QualType> {
        let (lo, hi) = (self.position(range.start), self.position(range.end));
        let is_it = |&&(e, _): &&(ast::ExprId, clc_sema::hir::ExprId)| {
            let span = self.ast.exprs[e].span;
            span.lo == lo && span.hi == hi
        };
        let &(_, typed) = self.index.exprs.iter().find(is_it)?;
        let ty = self.module.exprs[typed].ty;
        (!self.module.types.is_error(ty.ty)).then_some(ty)
    }

    /// The type of a member or of components.
    fn member(&self, base: QualType, arrow: bool, name: &str) -> Option<QualType> {
        let types = &self.module.types;
        let base = match (arrow, types.get(base.ty)) {
            (true, Type::Pointer { pointee, .. }) => *pointee,
            (true, _) => return None,
            (false, _) => base,
        };
        match *types.get(base.ty) {
            Type::Record(mut record) => {
                let name = self.interner.get(name)?;
                let mut path = types.records[record].body.as_ref()?.lookup.get(&name)?.iter();
                let mut field = *path.next()?;
                for &next in path {
                    let body = types.records[record].body.as_ref()?;
                    let Type::Record(inner) = *types.get(body.fields.get(field as usize)?.ty.ty)
                    else {
                        return None;
                    };
                    (record, field) = (inner, next);
                }
                let body = types.records[record].body.as_ref()?;
                Some(body.fields.get(field as usize)?.ty)
            }
            // Of several components the type may not exist in the program: they have the same names.
            Type::Vector(element, _) if name.len() == 1 => Some(types.scalar(element).into()),
            Type::Vector(..) => Some(base),
            _ => None,
        }
    }

    /// The memory that a variable is in.
    pub(crate) fn space_of(&self, entity: Entity) -> Option<AddressSpace> {
        match entity {
            Entity::Global(global) => Some(self.module.globals[global].space),
            Entity::Local(_) => Some(AddressSpace::Private),
            _ => None,
        }
    }

    /// The memory that a name has to do with: what a pointer points to, otherwise what it is in.
    pub(crate) fn shown_space(&self, entity: Entity) -> Option<AddressSpace> {
        let ty = self.type_of(entity)?;
        let points = self.module.types.as_pointer(ty.ty).map(|(_, space)| space);
        match entity {
            Entity::Local(_) | Entity::Member(..) => points.or(self.space_of(entity)),
            Entity::Global(_) => self.space_of(entity),
            _ => None,
        }
    }
}
