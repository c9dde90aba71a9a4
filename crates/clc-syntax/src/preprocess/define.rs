//! `#define` and `#undef` (C99 6.10.3).

use clc_base::{Diagnostic, Span, Symbol};
use rustc_hash::FxHashMap;

use super::engine::Preprocessor;
use super::macros::{Macro, MacroKind, Origin};
use crate::diagnostics::preprocessor as codes;
use crate::lex::{LINE_START, NO_SYMBOL, PASTE, PpKind, PpToken, SPACE, STRINGIFY};
use crate::token::Punctuator;

impl Preprocessor<'_> {
    /// The name that is to be defined or undefined.
    fn macro_name(&mut self, directive: &str) -> Option<PpToken> {
        let token = self.lex();
        let (message, label) = match token.kind {
            PpKind::Identifier if token.symbol == self.names.defined => (
                format!("`defined` cannot be the operand of `#{directive}`"),
                "an operator of `#if`",
            ),
            PpKind::Identifier
                if token.symbol == self.names.va_args || token.symbol == self.names.va_opt =>
            {
                (
                    format!("a reserved name cannot be the operand of `#{directive}`"),
                    "a reserved name",
                )
            }
            PpKind::Identifier => return Some(token),
            _ if token.is_end() => {
                (format!("`#{directive}` needs the name of a macro"), "nothing follows")
            }
            _ => ("the name of a macro must be an identifier".to_owned(), "not an identifier"),
        };
        self.error(&codes::MACRO_SYNTAX, token.span(), message, label);
        if !token.is_end() {
            self.skip_rest();
        }
        None
    }

    pub(super) fn undef(&mut self) {
        let Some(name) = self.macro_name("undef") else { return };
        self.check_end("undef");
        self.trace_use(name.symbol, name.span());
        if let Some(id) = self.macro_of(name.symbol)
            && self.macros.all[id as usize].origin == Origin::Predefined
        {
            let text = self.interner.resolve(name.symbol);
            let message = format!("undefining `{text}`, which the compiler defines");
            self.error(
                &codes::BUILTIN_MACRO_REDEFINED,
                name.span(),
                message,
                "the compiler needs it",
            );
        }
        self.macros.undefine(name.symbol);
    }

    pub(super) fn define(&mut self) {
        let Some(name) = self.macro_name("define") else { return };
        let bodies = self.macros.bodies.len();
        let parameters = self.macros.parameters.len();
        let mut token = self.lex();
        let kind = if token.is(Punctuator::LeftParen) && !token.has(SPACE) {
            let Some(variadic) = self.parameters(token) else {
                self.macros.parameters.truncate(parameters);
                self.skip_rest();
                return;
            };
            token = self.lex();
            let range = (parameters as u32, self.macros.parameters.len() as u32);
            MacroKind::Function { parameters: range, variadic }
        } else {
            MacroKind::Object
        };
        let start = token.lo;
        let mut end = token.lo;
        while !token.is_end() {
            end = token.hi;
            token.flags &= !LINE_START;
            self.macros.bodies.push(token);
            token = self.lex();
        }
        if let Some(first) = self.macros.bodies.get_mut(bodies) {
            first.flags &= !SPACE;
        }
        if !self.finish_body(kind, bodies) {
            self.macros.bodies.truncate(bodies);
            self.macros.parameters.truncate(parameters);
            return;
        }
        let definition = Macro {
            kind,
            origin: Origin::Source,
            name: name.span(),
            body: (bodies as u32, self.macros.bodies.len() as u32),
            text: Span::new(start, end),
            disabled: false,
        };
        self.trace_definition(name.symbol, &definition);
        let earlier = self.macro_of(name.symbol);
        let id = self.macros.define(name.symbol, definition);
        if let Some(earlier) = earlier {
            if self.macros.same(earlier, id) {
                // The first definition is as good, and its list may be in use.
                self.macros.restore(name.symbol, Some(earlier));
            } else {
                self.redefined(name, earlier);
            }
        }
    }

    fn redefined(&mut self, name: PpToken, earlier: u32) {
        let text = self.interner.resolve(name.symbol);
        let earlier = &self.macros.all[earlier as usize];
        let diagnostic = match earlier.origin {
            Origin::Source => Diagnostic::new(
                &codes::MACRO_REDEFINED,
                name.span(),
                format!("macro `{text}` is defined again with another meaning"),
            )
            .at("another meaning here")
            .label(earlier.name, "first defined here"),
            Origin::Predefined => Diagnostic::new(
                &codes::BUILTIN_MACRO_REDEFINED,
                name.span(),
                format!("redefining `{text}`, which the compiler defines"),
            )
            .at("replaces the compiler's own definition"),
            Origin::PredefinedConstant => Diagnostic::new(
                &codes::PREDEFINED_CONSTANT_REDEFINED,
                name.span(),
                format!("redefining `{text}`, which OpenCL C predefines"),
            )
            .at("replaces the definition of OpenCL C"),
        };
        self.report(diagnostic);
    }

    /// Reads `a, b, ...)` into the table of parameters; tells whether the last is variadic.
    fn parameters(&mut self, open: PpToken) -> Option<bool> {
        let first = self.macros.parameters.len();
        let mut token = self.lex();
        if token.is(Punctuator::RightParen) {
            return Some(false);
        }
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        loop {
            let mut variadic = false;
            match token.kind {
                PpKind::Punctuator(Punctuator::Ellipsis) => {
                    self.macros.parameters.push(self.names.va_args);
                    variadic = true;
                }
                PpKind::Identifier => {
                    if token.symbol == self.names.va_args || token.symbol == self.names.va_opt {
                        self.misplaced_variadic(token);
                        return None;
                    }
                    if let Some(&earlier) = seen.get(&token.symbol) {
                        let text = self.interner.resolve(token.symbol);
                        self.report(
                            Diagnostic::new(
                                &codes::MACRO_SYNTAX,
                                token.span(),
                                format!("two parameters are named `{text}`"),
                            )
                            .at("the second one")
                            .label(earlier, "the first one"),
                        );
                        return None;
                    }
                    seen.insert(token.symbol, token.span());
                    self.macros.parameters.push(token.symbol);
                }
                _ => {
                    let message = if self.macros.parameters.len() == first || token.is_end() {
                        "expected the name of a parameter, `...` or `)`"
                    } else {
                        "expected the name of a parameter"
                    };
                    self.parameter_error(open, token, message);
                    return None;
                }
            }
            token = self.lex();
            if !variadic && token.is(Punctuator::Ellipsis) {
                // GNU: `args...` names the variable arguments.
                variadic = true;
                token = self.lex();
            }
            match token.kind {
                PpKind::Punctuator(Punctuator::RightParen) => return Some(variadic),
                PpKind::Punctuator(Punctuator::Comma) if !variadic => token = self.lex(),
                _ => {
                    let message =
                        if variadic { "expected `)` after `...`" } else { "expected `,` or `)`" };
                    self.parameter_error(open, token, message);
                    return None;
                }
            }
        }
    }

    fn parameter_error(&mut self, open: PpToken, token: PpToken, message: &'static str) {
        let label = if token.is_end() {
            "the line ends here".to_owned()
        } else {
            format!("found `{}`", token.spelling(self.interner))
        };
        self.report(
            Diagnostic::new(&codes::MACRO_SYNTAX, token.span(), message)
                .at(label)
                .label(open.span(), "in the parameters that begin here"),
        );
    }

    /// Resolves the operators of the replacement list from `first` on: parameters become
    /// indices, `#x` one token, `##` a flag of the token before it.
    pub(super) fn finish_body(&mut self, kind: MacroKind, first: usize) -> bool {
        let mut indices: FxHashMap<Symbol, u32> = FxHashMap::default();
        let (is_function, is_variadic) = match kind {
            MacroKind::Function { parameters: (from, to), variadic } => {
                for index in from..to {
                    indices.insert(self.macros.parameters[index as usize], index - from);
                }
                (true, variadic)
            }
            MacroKind::Object | MacroKind::Builtin(_) => (false, false),
        };
        let mut write = first;
        let mut read = first;
        // Where `__VA_OPT__(` began, and how many parentheses are open in it.
        let mut va_opt: Option<(usize, u32)> = None;
        while read < self.macros.bodies.len() {
            let mut token = self.macros.bodies[read];
            read += 1;
            match token.kind {
                PpKind::Punctuator(Punctuator::HashHash) => {
                    let at_start = write == first || va_opt.is_some_and(|(at, _)| at + 1 == write);
                    let next = self.macros.bodies.get(read);
                    let closes = va_opt.is_some_and(|(_, depth)| depth == 0)
                        && next.is_some_and(|next| next.is(Punctuator::RightParen));
                    if at_start || next.is_none() || closes {
                        let place = if at_start { "begin" } else { "end" };
                        let message = format!("`##` cannot {place} a replacement list");
                        let label = format!(
                            "nothing to join {}",
                            if at_start { "before it" } else { "behind it" }
                        );
                        self.error(&codes::PASTE_OPERAND, token.span(), message, label);
                        return false;
                    }
                    self.macros.bodies[write - 1].flags |= PASTE;
                    continue;
                }
                PpKind::Punctuator(Punctuator::Hash) if is_function => {
                    let next = self.macros.bodies.get(read).copied();
                    let index = next
                        .filter(|next| next.kind == PpKind::Identifier)
                        .and_then(|next| indices.get(&next.symbol).copied());
                    match (next, index) {
                        (Some(next), Some(index)) => {
                            token.kind = PpKind::Stringify;
                            token.symbol = Symbol(index);
                            token.hi = next.hi;
                            read += 1;
                        }
                        (Some(next), None)
                            if is_variadic
                                && next.kind == PpKind::Identifier
                                && next.symbol == self.names.va_opt =>
                        {
                            self.macros.bodies[read].flags |= STRINGIFY | (token.flags & SPACE);
                            continue;
                        }
                        _ => {
                            let span = token.span().to(next.map_or(Span::NONE, PpToken::span));
                            let message = "`#` is not followed by a parameter of the macro";
                            self.error(&codes::STRINGIFY_OPERAND, span, message, "no parameter");
                            return false;
                        }
                    }
                }
                PpKind::Identifier => {
                    if let Some(&index) = indices.get(&token.symbol) {
                        token.kind = PpKind::Parameter;
                        token.symbol = Symbol(index);
                    } else if token.symbol == self.names.va_opt && is_variadic {
                        let open = self.macros.bodies.get(read).copied();
                        let Some(open) = open.filter(|open| open.is(Punctuator::LeftParen)) else {
                            let message = "`__VA_OPT__` needs an operand in parentheses";
                            self.error(
                                &codes::VARIADIC_NAME,
                                token.span(),
                                message,
                                "no `(` follows",
                            );
                            return false;
                        };
                        if va_opt.is_some() {
                            let message = "`__VA_OPT__` cannot stand inside another";
                            self.error(
                                &codes::VARIADIC_NAME,
                                token.span(),
                                message,
                                "the inner one",
                            );
                            return false;
                        }
                        read += 1;
                        va_opt = Some((write, 0));
                        token.kind = PpKind::VaOptStart;
                        token.hi = open.hi;
                    } else if token.symbol == self.names.va_args
                        || token.symbol == self.names.va_opt
                    {
                        self.misplaced_variadic(token);
                        return false;
                    }
                }
                PpKind::Punctuator(Punctuator::LeftParen) => {
                    if let Some((_, depth)) = &mut va_opt {
                        *depth += 1;
                    }
                }
                PpKind::Punctuator(Punctuator::RightParen) => match &mut va_opt {
                    Some((start, 0)) => {
                        let start = *start;
                        self.macros.bodies[start].symbol = Symbol((write - start) as u32);
                        token.kind = PpKind::VaOptEnd;
                        token.symbol = NO_SYMBOL;
                        va_opt = None;
                    }
                    Some((_, depth)) => *depth -= 1,
                    None => {}
                },
                _ => {}
            }
            self.macros.bodies[write] = token;
            write += 1;
        }
        if let Some((start, _)) = va_opt {
            let span = self.macros.bodies[start].span();
            self.error(
                &codes::VARIADIC_NAME,
                span,
                "`__VA_OPT__(` is not closed",
                "no `)` follows",
            );
            return false;
        }
        self.macros.bodies.truncate(write);
        true
    }
}
