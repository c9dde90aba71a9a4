//! Putting arguments into a replacement list; `#` and `##` (C99 6.10.3.1 to 6.10.3.3).

use std::ops::Range;

use clc_base::{Diagnostic, Span, Symbol};

use super::engine::Preprocessor;
use super::macros::{MacroId, MacroKind};
use crate::diagnostics::preprocessor as codes;
use crate::lex::{
    LINE_START, NO_EXPAND, NO_SYMBOL, PASTE, PpKind, PpToken, SPACE, STRINGIFY, is_float,
    single_token,
};
use crate::token::Punctuator;

/// The arguments of a macro call.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// As written, one after the other.
    pub tokens: Vec<PpToken>,
    /// Where each ends in `tokens`.
    pub ends: Vec<u32>,
    /// Each as a range of `expanded`, once it was needed.
    pub ranges: Vec<Option<(u32, u32)>>,
    pub expanded: Vec<PpToken>,
}

impl Arguments {
    pub fn range(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    fn raw(&self, index: usize) -> &[PpToken] {
        &self.tokens[self.range(index)]
    }
}

/// A word that `##` has joined so far; not interned yet.
struct Chain {
    /// Its token in the result.
    index: usize,
    text: String,
}

/// Whether `text` can be joined to any identifier or number.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
}

/// A `__VA_OPT__` being replaced.
struct VaOpt {
    /// Where its result begins.
    from: usize,
    open: PpToken,
    /// `##` stood before it.
    pasted: bool,
    /// The operand of that `##`, if the result is made a string first.
    outer: Option<PpToken>,
}

/// Where the tokens of one expansion lie.
#[derive(Clone, Copy)]
pub(super) enum ExpansionPosition {
    /// In a range of their own: add this to a position in the replacement list.
    Range { shift: u32 },
    /// At the use of the macro, as positions are running out.
    Use(Span),
}

impl ExpansionPosition {
    pub fn put(self, mut token: PpToken) -> PpToken {
        match self {
            ExpansionPosition::Range { shift } => {
                token.lo = token.lo.wrapping_add(shift);
                token.hi = token.hi.wrapping_add(shift);
            }
            ExpansionPosition::Use(span) => {
                token.lo = span.lo;
                token.hi = span.hi;
            }
        }
        token
    }
}

impl Preprocessor<'_> {
    /// The replacement list of `id` with arguments put in and `#` and `##` carried out.
    pub(super) fn substitute(
        &mut self,
        id: MacroId,
        name: PpToken,
        position: ExpansionPosition,
        arguments: &mut Arguments,
    ) -> Vec<PpToken> {
        let definition = self.macros.all[id as usize];
        let (start, end) = definition.body;
        let variadic_index = match definition.kind {
            MacroKind::Function { parameters, variadic: true } => {
                Some((parameters.1 - parameters.0) as usize - 1)
            }
            MacroKind::Function { variadic: false, .. }
            | MacroKind::Object
            | MacroKind::Builtin(_) => None,
        };
        let mut result = self.list();
        // The token before `##`, if the latest token was: its position in the replacement list.
        let mut paste: Option<PpToken> = None;
        let mut chain: Option<Chain> = None;
        let mut va_opt: Option<VaOpt> = None;
        let mut at = start;
        while at < end {
            let item = self.macros.bodies[at as usize];
            at += 1;
            let first = result.len();
            if paste.is_none() || chain.as_ref().is_some_and(|chain| chain.index + 1 != first) {
                self.finish_chain(&mut chain, &mut result);
            }
            match item.kind {
                PpKind::Parameter => {
                    let index = item.symbol.0 as usize;
                    if paste.is_some() || item.has(PASTE) {
                        let raw = arguments.raw(index);
                        let comma = paste.is_some_and(|left| left.is(Punctuator::Comma))
                            && Some(index) == variadic_index;
                        if comma {
                            // GNU: `, ## __VA_ARGS__` drops the comma if there are none.
                            paste = None;
                            if raw.is_empty() {
                                result.pop();
                                if item.has(PASTE) {
                                    result.push(placemarker(position.put(item)));
                                    paste = Some(item);
                                }
                                continue;
                            }
                            result.extend_from_slice(raw);
                        } else if raw.is_empty() {
                            result.push(placemarker(position.put(item)));
                        } else {
                            result.extend_from_slice(raw);
                        }
                    } else {
                        let range = self.expanded(name, arguments, index);
                        result.extend_from_slice(&arguments.expanded[range]);
                    }
                    if let Some(token) = result.get_mut(first) {
                        token.flags = token.flags & !(SPACE | LINE_START) | item.flags & SPACE;
                    }
                }
                PpKind::Stringify => {
                    let text = self.stringify(arguments.raw(item.symbol.0 as usize));
                    let mut token = position.put(item);
                    token.kind = PpKind::String;
                    token.symbol = self.interner.intern(&text);
                    token.flags &= SPACE;
                    result.push(token);
                }
                PpKind::VaOptStart => {
                    let absent = match variadic_index {
                        Some(index) => self.expanded(name, arguments, index).is_empty(),
                        None => true,
                    };
                    if absent {
                        at = at - 1 + item.symbol.0;
                        let close = self.macros.bodies[at as usize];
                        at += 1;
                        let mut token = placemarker(position.put(item));
                        if item.has(STRINGIFY) {
                            token.kind = PpKind::String;
                            token.symbol = self.interner.intern("\"\"");
                        }
                        result.push(token);
                        self.paste_if(&mut paste, &mut chain, &mut result, first, item, position);
                        paste = close.has(PASTE).then_some(close);
                        continue;
                    }
                    // Without `#`, the first token inside is pasted to what stands before.
                    va_opt = Some(VaOpt {
                        from: result.len(),
                        open: item,
                        pasted: paste.is_some(),
                        outer: if item.has(STRINGIFY) { paste.take() } else { None },
                    });
                    continue;
                }
                PpKind::VaOptEnd => {
                    let Some(VaOpt { from, open, pasted, outer }) = va_opt.take() else {
                        continue;
                    };
                    if open.has(STRINGIFY) {
                        paste = outer;
                        result[from..].iter_mut().for_each(|token| token.flags &= !LINE_START);
                        let text = self.stringify(&result[from..]);
                        result.truncate(from);
                        let mut token = position.put(open);
                        token.kind = PpKind::String;
                        token.symbol = self.interner.intern(&text);
                        token.flags &= SPACE;
                        result.push(token);
                        self.paste_if(&mut paste, &mut chain, &mut result, from, open, position);
                    } else if result.len() == from && pasted == paste.is_some() {
                        // Nothing came of it, not even an operand of the `##` before.
                        result.push(placemarker(position.put(open)));
                        self.paste_if(&mut paste, &mut chain, &mut result, from, open, position);
                    } else if let Some(token) = result.get_mut(from) {
                        token.flags = token.flags & !SPACE | open.flags & SPACE;
                    }
                    paste = item.has(PASTE).then_some(item);
                    continue;
                }
                _ => {
                    let mut token = position.put(item);
                    token.flags &= SPACE | NO_EXPAND;
                    result.push(token);
                }
            }
            self.paste_if(&mut paste, &mut chain, &mut result, first, item, position);
            if item.has(PASTE) {
                paste = Some(item);
            }
        }
        self.finish_chain(&mut chain, &mut result);
        result.retain(|token| token.kind != PpKind::Placemarker);
        result
    }

    /// If `##` stands before: joins the token before `first` with the one at `first`.
    fn paste_if(
        &mut self,
        paste: &mut Option<PpToken>,
        chain: &mut Option<Chain>,
        result: &mut Vec<PpToken>,
        first: usize,
        item: PpToken,
        position: ExpansionPosition,
    ) {
        if paste.is_none() || first == 0 || first >= result.len() {
            return;
        }
        let Some(left_item) = paste.take() else { return };
        if !is_word(result[first].spelling(self.interner)) {
            self.finish_chain(chain, result);
        }
        let (left, right) = (result[first - 1], result[first]);
        let (from, to) = (position.put(left_item), position.put(item));
        let span = Span::new(from.lo.min(to.lo), to.hi);
        let mut joined = match (left.kind, right.kind) {
            (_, PpKind::Placemarker) => left,
            (PpKind::Placemarker, _) => right,
            (PpKind::Identifier | PpKind::Integer | PpKind::Float, _)
                if is_word(right.spelling(self.interner)) =>
            {
                // Interning every step of a long chain would take quadratic time.
                let chain = chain.get_or_insert_with(|| Chain {
                    index: first - 1,
                    text: left.spelling(self.interner).to_owned(),
                });
                chain.text.push_str(right.spelling(self.interner));
                PpToken { lo: span.lo, hi: span.hi, flags: 0, ..left }
            }
            _ => match self.joined(left, right) {
                Some((kind, symbol)) => {
                    PpToken { lo: span.lo, hi: span.hi, symbol, kind, flags: 0 }
                }
                None => {
                    let message = format!(
                        "`{}` and `{}` do not join to one token",
                        left.spelling(self.interner),
                        right.spelling(self.interner)
                    );
                    self.report(
                        Diagnostic::new(&codes::INVALID_PASTE, span, message)
                            .at("makes two tokens")
                            .help("leave out the `##`"),
                    );
                    return;
                }
            },
        };
        joined.flags = joined.flags & !SPACE | left.flags & SPACE;
        result[first - 1] = joined;
        result.remove(first);
    }

    /// Sets the spelling of the token at the end of a chain of `##`.
    fn finish_chain(&mut self, chain: &mut Option<Chain>, result: &mut [PpToken]) {
        let Some(Chain { index, text }) = chain.take() else { return };
        let token = &mut result[index];
        token.symbol = self.interner.intern(&text);
        if token.kind != PpKind::Identifier {
            token.kind = if is_float(text.as_bytes()) { PpKind::Float } else { PpKind::Integer };
        }
    }

    /// The token that two spellings make together.
    fn joined(&mut self, left: PpToken, right: PpToken) -> Option<(PpKind, Symbol)> {
        let (one, two) = (left.spelling(self.interner), right.spelling(self.interner));
        let mut text = String::with_capacity(one.len() + two.len());
        text.push_str(one);
        text.push_str(two);
        // A comment is no token.
        if text.starts_with("//") || text.starts_with("/*") {
            return None;
        }
        single_token(&text, self.interner).filter(|&(kind, _)| kind != PpKind::Stray)
    }

    /// C99 6.10.3.2: the string literal that shows `tokens`.
    fn stringify(&self, tokens: &[PpToken]) -> String {
        let mut text = String::from("\"");
        for (index, token) in tokens.iter().enumerate() {
            if token.kind == PpKind::Placemarker {
                continue;
            }
            if index > 0 && token.has(SPACE) && text.len() > 1 {
                text.push(' ');
            }
            let spelling = token.spelling(self.interner);
            match token.kind {
                PpKind::String | PpKind::Char | PpKind::Unterminated => {
                    for char in spelling.chars() {
                        if matches!(char, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(char);
                    }
                }
                _ => text.push_str(spelling),
            }
        }
        // A lone backslash at the end would escape the closing quote.
        let backslashes = text.bytes().rev().take_while(|&b| b == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        text
    }
}

fn placemarker(mut token: PpToken) -> PpToken {
    token.kind = PpKind::Placemarker;
    token.symbol = NO_SYMBOL;
    token
}
