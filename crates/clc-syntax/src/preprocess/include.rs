//! `#include` and the files it brings in.

use std::rc::Rc;

use clc_base::{Diagnostic, Span};

use super::engine::Preprocessor;
use super::interface::{COMMAND_LINE, IncludeKind, IncludeRequest};
use super::loaded::{IncludeForm, decode};
use super::macros::Lookup;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{PpKind, PpToken, SPACE};
use crate::token::Punctuator;

/// How deep files may include one another.
const MAX_DEPTH: usize = 200;
/// How many files a translation unit may include.
const MAX_INCLUDES: u32 = 100_000;

/// The name and kind in the spelling of a header name.
pub(super) fn header_name(spelling: &str) -> Option<(&str, IncludeKind)> {
    let inner = spelling.get(1..spelling.len().checked_sub(1)?)?;
    match (spelling.as_bytes().first(), spelling.as_bytes().last()) {
        (Some(b'<'), Some(b'>')) => Some((inner, IncludeKind::Angle)),
        (Some(b'"'), Some(b'"')) => Some((inner, IncludeKind::Quote)),
        _ => None,
    }
}

impl Preprocessor<'_> {
    /// C99 6.10.2. The file is read once the rest of the line is.
    pub(super) fn include_directive(&mut self, directive: Span, form: IncludeForm) {
        let direct = self.with_lexer(|lexer, text, cx| lexer.header_name(text, cx)).flatten();
        let tokens = match direct {
            Some(token) => {
                self.end_of_directive();
                vec![token]
            }
            None => {
                let tokens = self.rest_of_directive();
                self.expand_list(tokens)
            }
        };
        let end = tokens.last().map_or(directive, |token| token.span());
        let span = tokens.first().map_or(end, |token| token.span()).to(end);
        let Some((spelling, rest)) = self.header_from_tokens(&tokens) else {
            let mut diagnostic = Diagnostic::new(
                &codes::INCLUDE_SYNTAX,
                span,
                format!("`#{}` needs \"file\" or <file>", form.directive()),
            )
            .at("neither `\"file\"` nor `<file>`");
            if let [PpToken { kind: PpKind::Identifier, .. }, ..] = tokens[..] {
                let name: String =
                    tokens.iter().map(|token| token.spelling(self.interner)).collect();
                diagnostic = diagnostic.fix(span, format!("\"{name}\""), "put the name in quotes");
            }
            self.report(diagnostic);
            return;
        };
        if let Some(extra) = rest {
            self.extra_tokens(extra, form.directive());
        }
        if let Some((name, kind)) = header_name(&spelling) {
            if name.is_empty() {
                self.error(
                    &codes::INCLUDE_SYNTAX,
                    span,
                    "the name of the file is empty",
                    "names no file",
                );
            } else {
                // In the file that is compiled there is nothing to go on from.
                let kind = match form {
                    IncludeForm::Next if self.files.len() > 1 => IncludeKind::Next,
                    IncludeForm::Next | IncludeForm::Plain | IncludeForm::Once => kind,
                };
                self.include(name, kind, form, span);
            }
        }
    }

    /// The header name that expanded tokens spell, and the first token behind it.
    pub(super) fn header_from_tokens(
        &self,
        tokens: &[PpToken],
    ) -> Option<(String, Option<PpToken>)> {
        let first = tokens.first()?;
        match first.kind {
            PpKind::HeaderName | PpKind::String => {
                Some((first.spelling(self.interner).to_owned(), tokens.get(1).copied()))
            }
            PpKind::Punctuator(Punctuator::Less) => {
                let close = tokens.iter().position(|token| token.is(Punctuator::Greater))?;
                let mut spelling = String::from("<");
                for token in &tokens[1..close] {
                    if token.has(SPACE) && spelling.len() > 1 {
                        spelling.push(' ');
                    }
                    spelling.push_str(token.spelling(self.interner));
                }
                spelling.push('>');
                Some((spelling, tokens.get(close + 1).copied()))
            }
            _ => None,
        }
    }

    /// Finds a file by the resolver, or from memory if the same file asked the same before.
    fn find(&mut self, name: &str, kind: IncludeKind) -> Result<Option<Rc<str>>, String> {
        let from: Rc<str> =
            self.files.last().map_or_else(|| COMMAND_LINE.into(), |file| file.name.clone());
        let key = (kind, from, self.interner.intern(name));
        if let Some(found) = self.resolved.get(&key) {
            return Ok(Some(found.clone()));
        }
        let request = IncludeRequest { name, kind, from: &key.1 };
        let Some(included) = self.resolver.resolve(&request)? else { return Ok(None) };
        let canonical: Rc<str> = included.name.into();
        if !self.loaded.contains_key(&canonical) {
            let mut loaded = decode(included.contents, self.options.trigraphs)
                .map_err(|mark| format!("it is {mark} text, not UTF-8"))?;
            loaded.system = included.system;
            self.loaded.insert(canonical.clone(), loaded);
        }
        self.resolved.insert(key, canonical.clone());
        Ok(Some(canonical))
    }

    /// Where a file was looked for that is in none of the folders.
    fn searched(&mut self, name: &str, kind: IncludeKind) -> Option<String> {
        const MOST_SHOWN: usize = 10;
        let from: Rc<str> =
            self.files.last().map_or_else(|| COMMAND_LINE.into(), |file| file.name.clone());
        let request = IncludeRequest { name, kind, from: &from };
        let folders = self.resolver.searched(&request)?;
        if folders.is_empty() {
            let is_absolute = name.starts_with('/');
            return (!is_absolute)
                .then(|| "no folder is searched for it; `-I FOLDER` names one".to_owned());
        }
        let shown: Vec<String> =
            folders.iter().take(MOST_SHOWN).map(|folder| format!("`{folder}`")).collect();
        let more = match folders.len().saturating_sub(MOST_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("looked in {}{more}; `-I FOLDER` adds a folder", shown.join(", ")))
    }

    /// Whether `__has_include` finds a file.
    pub(super) fn has_include(&mut self, spelling: &str) -> bool {
        header_name(spelling).is_some_and(|(name, kind)| !matches!(self.find(name, kind), Ok(None)))
    }

    /// Begins reading the file that `name` asks for.
    pub(super) fn include(&mut self, name: &str, kind: IncludeKind, form: IncludeForm, span: Span) {
        let canonical = match self.find(name, kind) {
            Ok(Some(canonical)) => canonical,
            Ok(None) => {
                let mut diagnostic = Diagnostic::new(
                    &codes::INCLUDE_NOT_FOUND,
                    span,
                    format!("cannot find the file `{name}`"),
                )
                .at("not in any folder that is searched");
                if let Some(searched) = self.searched(name, kind) {
                    diagnostic = diagnostic.note(searched);
                }
                if name.contains('\\') {
                    diagnostic = diagnostic.help("separate folders by `/`");
                }
                return self.report(diagnostic);
            }
            Err(reason) => {
                let message = format!("cannot read the file `{name}`: {reason}");
                return self.error(
                    &codes::INCLUDE_FAILED,
                    span,
                    message,
                    "it exists and cannot be read",
                );
            }
        };
        if self.options.trace {
            self.output.trace.includes.push((span, canonical.to_string()));
        }
        let Some(loaded) = self.loaded.get(&canonical).cloned() else { return };
        if loaded.once || form == IncludeForm::Once && loaded.used {
            return;
        }
        if form == IncludeForm::Once
            && let Some(loaded) = self.loaded.get_mut(&canonical)
        {
            loaded.once = true;
        }
        if let Some(guard) = loaded.guard
            && let Lookup::Macro(_) = self.macros.lookup(guard)
        {
            return;
        }
        if self.files.len() >= MAX_DEPTH || self.included >= MAX_INCLUDES {
            let message = if self.files.len() >= MAX_DEPTH {
                format!("files include one another more than {MAX_DEPTH} levels deep")
            } else {
                format!("more than {MAX_INCLUDES} files are included")
            };
            let again = self.files.iter().filter(|file| file.name == canonical).count();
            let mut diagnostic =
                Diagnostic::new(&codes::INCLUDE_DEPTH, span, message).at("one too many");
            if again > 1 {
                diagnostic = diagnostic
                    .note(format!("`{canonical}` is being included {again} times over"))
                    .help("begin it with `#pragma once`");
            }
            return self.stop(diagnostic);
        }
        self.included += 1;
        if !loaded.used {
            self.output.dependencies.push(canonical.to_string());
            if let Some(loaded) = self.loaded.get_mut(&canonical) {
                loaded.used = true;
            }
        }
        let from = (!span.is_none()).then_some(span);
        self.open(canonical, loaded, from);
    }
}
