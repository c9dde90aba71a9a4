//! Macro replacement (C99 6.10.3): names, calls and their arguments.

use std::ops::Range;

use clc_base::{Diagnostic, Span, Symbol};

use super::engine::Preprocessor;
use super::macros::{Lookup, MacroId, MacroKind};
use super::predefined;
use super::substitute::{Arguments, ExpansionPosition};
use crate::diagnostics::preprocessor as codes;
use crate::lex::{LINE_START, NO_EXPAND, PASTE, PpKind, PpToken, SPACE};
use crate::token::Punctuator;

/// How many tokens macro replacement may handle in a translation unit.
const MAX_WORK: u64 = 1 << 24;
/// How deep macro calls may nest in one another's arguments.
const MAX_ARGUMENT_DEPTH: u32 = 2000;
/// Once fewer positions than this are left, expansions get no ranges of their own, so that the
/// files to come have room.
const RESERVED_POSITIONS: u32 = 1 << 30;

impl Preprocessor<'_> {
    /// The macro a name stands for; brings in predefined macros at their first use.
    #[inline]
    pub(super) fn macro_of(&mut self, name: Symbol) -> Option<MacroId> {
        match self.macros.lookup(name) {
            Lookup::Macro(id) => Some(id),
            Lookup::NoMacro => None,
            Lookup::Unknown => predefined::bring_in(self, name),
        }
    }

    pub(super) fn is_defined(&mut self, name: Symbol) -> bool {
        self.macro_of(name).is_some()
    }

    /// The next token after macro replacement.
    pub(super) fn next_expanded(&mut self) -> PpToken {
        loop {
            let mut token = self.next_raw();
            if token.kind != PpKind::Identifier || token.has(NO_EXPAND) {
                return token;
            }
            let Some(id) = self.macro_of(token.symbol) else { return token };
            let definition = &self.macros.all[id as usize];
            if definition.disabled {
                token.flags |= NO_EXPAND;
                return token;
            }
            match definition.kind {
                MacroKind::Object => {
                    if let Some(token) = self.expand_object(token, id) {
                        return token;
                    }
                }
                MacroKind::Function { parameters, variadic } => {
                    if !self.next_is_left_paren() {
                        return token;
                    }
                    let parameters = (parameters.1 - parameters.0) as usize;
                    self.expand_call(token, id, parameters, variadic);
                }
                MacroKind::Builtin(builtin) => {
                    return self.expand_builtin(token, builtin);
                }
            }
        }
    }

    /// Counts work of macro replacement; stops everything when it is too much.
    fn work(&mut self, amount: usize, name: PpToken) {
        self.work += 1 + amount as u64;
        if self.work > MAX_WORK && !self.stopped {
            let text = self.interner.resolve(name.symbol);
            let diagnostic = Diagnostic::new(
                &codes::EXPANSION_LIMIT,
                name.span(),
                format!("macro replacement gives too many tokens; the latest macro is `{text}`"),
            )
            .at("replaced here");
            self.stop(diagnostic);
        }
    }

    fn position(&mut self, id: MacroId, call: Span) -> ExpansionPosition {
        let definition = &self.macros.all[id as usize];
        let (text, name) = (definition.text, definition.name);
        if self.map.remaining() < RESERVED_POSITIONS {
            return ExpansionPosition::Use(call);
        }
        match self.map.add_expansion(text, call, name) {
            Ok(lo) => ExpansionPosition::Range { shift: lo.wrapping_sub(text.lo) },
            Err(_) => ExpansionPosition::Use(call),
        }
    }

    /// A macro without parameters. A replacement that is one token and no macro is returned.
    fn expand_object(&mut self, name: PpToken, id: MacroId) -> Option<PpToken> {
        let (start, end) = self.macros.all[id as usize].body;
        let length = (end - start) as usize;
        self.trace_use(name.symbol, name.span());
        self.work(length, name);
        if length == 0 {
            self.keep_space(name.flags);
            return None;
        }
        let position = self.position(id, name.span());
        let lead = name.flags & (SPACE | LINE_START);
        let body = &self.macros.bodies[start as usize..end as usize];
        if let [only] = *body {
            let plain = only.kind != PpKind::Identifier || {
                let lookup = self.macros.lookup(only.symbol);
                matches!(lookup, Lookup::NoMacro) && only.symbol != self.names.va_args
            };
            if plain {
                let mut token = position.put(only);
                token.flags = token.flags & !(SPACE | LINE_START) | lead;
                return Some(token);
            }
        }
        match position {
            ExpansionPosition::Range { shift } if !body.iter().any(|token| token.has(PASTE)) => {
                self.push_body(id, shift, lead);
            }
            _ => {
                let result = self.substitute(id, name, position, &mut Arguments::default());
                self.push_expansion(id, result, lead);
            }
        }
        None
    }

    fn expand_call(&mut self, name: PpToken, id: MacroId, parameters: usize, variadic: bool) {
        let Some((mut arguments, close)) = self.collect(name, parameters, variadic) else { return };
        self.work(arguments.tokens.len(), name);
        self.trace_use(name.symbol, name.span());
        if !self.check_count(name, id, close, parameters, variadic, &mut arguments) {
            return self.drop_arguments(arguments);
        }
        let call = Span::new(name.lo, close.hi);
        let (start, end) = self.macros.all[id as usize].body;
        if start == end {
            self.keep_space(name.flags);
            return self.drop_arguments(arguments);
        }
        let position = self.position(id, call);
        let result = self.substitute(id, name, position, &mut arguments);
        self.work(result.len(), name);
        self.drop_arguments(arguments);
        if result.is_empty() {
            self.keep_space(name.flags);
            return self.recycle(result);
        }
        self.push_expansion(id, result, name.flags & (SPACE | LINE_START));
    }

    fn drop_arguments(&mut self, arguments: Arguments) {
        self.recycle(arguments.tokens);
        self.recycle(arguments.expanded);
    }

    /// Reads the arguments of a call; returns them with the closing parenthesis.
    fn collect(
        &mut self,
        name: PpToken,
        parameters: usize,
        variadic: bool,
    ) -> Option<(Arguments, PpToken)> {
        self.collecting += 1;
        let open = self.next_raw();
        let mut arguments = Arguments { tokens: self.list(), ..Arguments::default() };
        let mut depth = 0u32;
        let close = loop {
            let mut token = self.next_raw();
            match token.kind {
                PpKind::Punctuator(Punctuator::LeftParen) => depth += 1,
                PpKind::Punctuator(Punctuator::RightParen) if depth == 0 => break Some(token),
                PpKind::Punctuator(Punctuator::RightParen) => depth -= 1,
                PpKind::Punctuator(Punctuator::Comma)
                    if depth == 0 && !(variadic && arguments.ends.len() + 1 == parameters) =>
                {
                    arguments.ends.push(arguments.tokens.len() as u32);
                    continue;
                }
                PpKind::Identifier => {
                    // Reading on may leave the expansion that disables this name, so that it
                    // must be marked now.
                    if let Lookup::Macro(id) = self.macros.lookup(token.symbol)
                        && self.macros.all[id as usize].disabled
                    {
                        token.flags |= NO_EXPAND;
                    }
                }
                PpKind::EndOfFile | PpKind::EndOfList | PpKind::EndOfLine => break None,
                _ => {}
            }
            arguments.tokens.push(token);
        };
        self.collecting -= 1;
        let Some(close) = close else {
            if !self.stopped {
                let text = self.interner.resolve(name.symbol);
                let diagnostic = Diagnostic::new(
                    &codes::UNTERMINATED_CALL,
                    name.span(),
                    format!("the call of the macro `{text}` is not closed"),
                )
                .at("its arguments do not end")
                .label(open.span(), "no `)` belongs to this parenthesis");
                self.report(diagnostic);
            }
            self.drop_arguments(arguments);
            return None;
        };
        arguments.ends.push(arguments.tokens.len() as u32);
        Some((arguments, close))
    }

    fn check_count(
        &mut self,
        name: PpToken,
        id: MacroId,
        close: PpToken,
        parameters: usize,
        variadic: bool,
        arguments: &mut Arguments,
    ) -> bool {
        let mut given = arguments.ends.len();
        if parameters == 0 && given == 1 && arguments.tokens.is_empty() {
            arguments.ends.clear();
            given = 0;
        }
        if variadic && given + 1 == parameters {
            // The variable arguments may be left out altogether.
            arguments.ends.push(arguments.tokens.len() as u32);
            given += 1;
        }
        arguments.ranges.resize(given, None);
        if given == parameters {
            return true;
        }
        let text = self.interner.resolve(name.symbol);
        let least = parameters - usize::from(variadic);
        let at_least = if variadic { "at least " } else { "" };
        let (plural, verb) = if given == 1 { ("", "is") } else { ("s", "are") };
        let message = format!(
            "macro `{text}` takes {at_least}{least} argument{}, but {given} {verb} given",
            if least == 1 { "" } else { "s" },
        );
        let definition = self.macros.all[id as usize].name;
        let labelled = if given > parameters {
            let first = arguments.range(parameters);
            let extra = &arguments.tokens[first.start..];
            match (extra.first(), extra.last()) {
                (Some(first), Some(last)) => first.span().to(last.span()),
                _ => close.span(),
            }
        } else {
            close.span()
        };
        let what = if given > parameters { "not expected" } else { "an argument is missing" };
        self.report(
            Diagnostic::new(&codes::MACRO_ARGUMENTS, Span::new(name.lo, close.hi), message)
                .at(format!("{given} argument{plural} here"))
                .label(labelled, what)
                .label(definition, "the macro is defined here"),
        );
        false
    }

    /// Argument `index`, fully macro-replaced (C99 6.10.3.1), as a range of `arguments.expanded`.
    pub(super) fn expanded(
        &mut self,
        name: PpToken,
        arguments: &mut Arguments,
        index: usize,
    ) -> Range<usize> {
        if let Some((start, end)) = arguments.ranges[index] {
            return start as usize..end as usize;
        }
        let start = arguments.expanded.len();
        let range = arguments.range(index);
        let plain = arguments.tokens[range.clone()].iter().all(|token| {
            token.kind != PpKind::Identifier
                || token.has(NO_EXPAND)
                || self.macro_of(token.symbol).is_none()
        });
        if plain {
            let Arguments { tokens, expanded, .. } = arguments;
            expanded.extend_from_slice(&tokens[range]);
        } else if self.argument_depth >= MAX_ARGUMENT_DEPTH {
            self.stop(Diagnostic::new(
                &codes::EXPANSION_LIMIT,
                name.span(),
                format!(
                    "macro calls nest more than {MAX_ARGUMENT_DEPTH} levels deep in one another's \
                     arguments"
                ),
            ).at("one level too many"));
        } else {
            let mut list = self.list();
            list.extend_from_slice(&arguments.tokens[range]);
            self.argument_depth += 1;
            let expanded =
                stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.expand_list(list));
            self.argument_depth -= 1;
            self.work(expanded.len(), name);
            arguments.expanded.extend_from_slice(&expanded);
            self.recycle(expanded);
        }
        let end = arguments.expanded.len();
        arguments.ranges[index] = Some((start as u32, end as u32));
        start..end
    }
}
