//! The stack of files and macro expansions, and the tokens that come out of it.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use clc_base::{Code, Diagnostic, FileId, Interner, SourceMap, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::interface::{
    CommandLineMacro, FileInput, IncludeKind, IncludeResolver, Options, Output,
};
use super::loaded::{IncludeForm, Loaded, decode};
use super::macros::{MacroId, Macros};
use super::pack::{self, Pack};
use crate::diagnostics::preprocessor as codes;
use crate::lex::{LINE_START, LexContext, Lexer, PpKind, PpToken, SPACE};
use crate::token::{Punctuator, TokenKind};

/// Errors beyond these are not reported, since the text is no program; nor are warnings.
const MAX_REPORTED: u32 = 1000;

/// Whether a file is wrapped in `#ifndef NAME … #endif`, as far as it has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// Nothing has been read.
    Start,
    /// Inside the wrapper; its conditional has this index.
    Inside(Symbol, usize),
    /// Behind the wrapper's `#endif`.
    Behind(Symbol),
    Unguarded,
}

/// A file being read.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub id: FileId,
    pub name: Rc<str>,
    pub text: Arc<str>,
    pub lexer: Lexer,
    /// How many conditionals were open when the file was opened.
    pub conditionals: usize,
    pub guard: Guard,
}

/// An `#if`, `#ifdef` or `#ifndef` without its `#endif` so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditional {
    pub span: Span,
    /// One of its groups was not skipped.
    pub taken: bool,
    pub seen_else: Option<Span>,
}

#[derive(Debug)]
enum List {
    /// A range of [`Macros::bodies`]; adding `shift` to a position moves it from the replacement
    /// list into the expansion.
    Body {
        shift: u32,
    },
    Owned(Vec<PpToken>),
}

/// A list of tokens being read instead of the file.
#[derive(Debug)]
struct Context {
    list: List,
    at: u32,
    end: u32,
    /// Flags of the first token; `None` once it was read or if it keeps its own.
    lead: Option<u8>,
    /// The macro to enable again behind the list.
    expansion_of: Option<MacroId>,
    /// Tokens behind the list must not be read: an argument or a directive is expanded.
    barrier: bool,
}

/// Names with a meaning of their own.
pub(super) struct Names {
    pub defined: Symbol,
    pub va_args: Symbol,
    pub va_opt: Symbol,
    pub pragma_operator: Symbol,
    pub has_include: Symbol,
}

pub(super) struct Preprocessor<'a> {
    pub options: &'a Options,
    pub resolver: &'a mut dyn IncludeResolver,
    pub map: &'a mut SourceMap,
    pub interner: &'a mut Interner,
    pub names: Names,
    pub output: Output,
    pub files: Vec<OpenFile>,
    contexts: Vec<Context>,
    /// Emptied token lists for reuse.
    spare: Vec<Vec<PpToken>>,
    pub macros: Macros,
    pub pushed_macros: FxHashMap<Symbol, Vec<Option<MacroId>>>,
    pub conditionals: Vec<Conditional>,
    /// How many macro calls are collecting their arguments.
    pub collecting: u32,
    /// How deep arguments of macro calls are being expanded.
    pub argument_depth: u32,
    pub counter: u32,
    pub pack: Pack,
    /// Tokens handled by macro replacement so far.
    pub work: u64,
    /// A limit was reached: nothing more is read.
    pub stopped: bool,
    /// How many warnings and errors there were.
    reported: [u32; 2],
    /// An empty expansion had white space before it, which the next token inherits.
    pending_space: bool,
    /// Position of the latest token read from a file outside macro arguments, and of any.
    pub file_position: u32,
    pub line_position: u32,
    pub included: u32,
    pub loaded: FxHashMap<Rc<str>, Loaded>,
    pub resolved: FxHashMap<(IncludeKind, Rc<str>, Symbol), Rc<str>>,
    /// Symbols that `-Wundef` was said about.
    pub undefined: FxHashSet<Symbol>,
}

impl<'a> Preprocessor<'a> {
    pub fn new(
        options: &'a Options,
        resolver: &'a mut dyn IncludeResolver,
        map: &'a mut SourceMap,
        interner: &'a mut Interner,
    ) -> Preprocessor<'a> {
        let names = Names {
            defined: interner.intern("defined"),
            va_args: interner.intern("__VA_ARGS__"),
            va_opt: interner.intern("__VA_OPT__"),
            pragma_operator: interner.intern("_Pragma"),
            has_include: interner.intern("__has_include"),
        };
        Preprocessor {
            options,
            resolver,
            map,
            interner,
            names,
            output: Output::default(),
            files: Vec::new(),
            contexts: Vec::new(),
            spare: Vec::new(),
            macros: Macros::default(),
            pushed_macros: FxHashMap::default(),
            conditionals: Vec::new(),
            collecting: 0,
            argument_depth: 0,
            counter: 0,
            pack: Pack::default(),
            work: 0,
            stopped: false,
            reported: [0; 2],
            pending_space: false,
            file_position: 0,
            line_position: 0,
            included: 0,
            loaded: FxHashMap::default(),
            resolved: FxHashMap::default(),
            undefined: FxHashSet::default(),
        }
    }

    pub fn run(mut self, main: FileInput) -> Output {
        // Each token has a byte at least. What is not used costs no memory, while growing would take
        // the room of the list three times.
        self.output.tokens.reserve(main.bytes.len().min(1 << 26));
        if !self.options.macros.is_empty() {
            let text = command_line_text(&self.options.macros);
            let name: Rc<str> = super::interface::COMMAND_LINE.into();
            self.open(name, Loaded::from_text(text), None);
            self.translate();
        }
        for name in &self.options.force_includes {
            self.include(name, IncludeKind::Quote, IncludeForm::Plain, Span::NONE);
            self.translate();
        }
        let options = self.options;
        match decode(main.bytes, options.trigraphs) {
            Ok(loaded) => self.output.main = self.open(main.name.into(), loaded, None),
            Err(mark) => {
                // There is no text to point into.
                let diagnostic = Diagnostic::without_place(
                    &codes::NOT_UTF8_TEXT,
                    format!("`{}` is {mark} text, not UTF-8", main.name),
                );
                self.report(diagnostic);
            }
        }
        self.translate();
        let mut output = self.output;
        if self.stopped {
            // They are incomplete, so not to be used, and can be many.
            output.tokens = Vec::new();
            output.layout = Vec::new();
        }
        output.macros = self.macros.into_names();
        let packed = TokenKind::Identifier(self.interner.intern("packed"));
        pack::apply(&self.pack, &mut output, packed);
        if !output.system_files.is_empty() {
            let (map, system) = (&*self.map, &output.system_files);
            output.diagnostics.retain(|diagnostic| {
                diagnostic.is_error()
                    || !map
                        .resolve(diagnostic.primary.span)
                        .is_some_and(|place| system.contains(&place.file))
            });
        }
        output
    }

    /// Reads until no file is left.
    fn translate(&mut self) {
        loop {
            let token = self.next_expanded();
            if token.kind == PpKind::EndOfFile || self.stopped {
                break;
            }
            self.emit(token);
        }
        self.contexts.clear();
        self.files.clear();
        self.conditionals.clear();
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        let count = &mut self.reported[usize::from(diagnostic.is_error())];
        *count += 1;
        if *count <= MAX_REPORTED {
            self.output.diagnostics.push(diagnostic);
        }
    }

    /// Reports a problem, with what is wrong at its place.
    pub fn error(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<Cow<'static, str>>,
    ) {
        self.report(Diagnostic::new(code, span, message).at(label));
    }

    /// Reports that a limit was reached, and stops.
    pub fn stop(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            for context in &mut self.contexts {
                context.at = context.end;
            }
            // This one counts more than any that were dropped.
            self.output.diagnostics.push(diagnostic);
        }
    }

    // ---- files -----------------------------------------------------------------------------

    /// Begins reading a text.
    pub fn open(&mut self, name: Rc<str>, file: Loaded, from: Option<Span>) -> Option<FileId> {
        let Ok(id) = self.map.add_file(&*name, file.text.clone(), from) else {
            self.stop(
                Diagnostic::new(
                    &codes::SOURCE_TOO_LARGE,
                    from.unwrap_or(Span::NONE),
                    format!("no room for `{name}`: the sources together exceed 4 GiB"),
                )
                .at("included here"),
            );
            return None;
        };
        if file.system {
            self.output.system_files.push(id);
        }
        let base = self.map.file(id).lo;
        self.files.push(OpenFile {
            id,
            name,
            text: file.text,
            lexer: Lexer::new(base, file.invalid.to_vec()),
            conditionals: self.conditionals.len(),
            guard: Guard::Start,
        });
        Some(id)
    }

    /// Ends the innermost file.
    fn close(&mut self) {
        let Some(file) = self.files.pop() else { return };
        if let Guard::Behind(symbol) = file.guard
            && let Some(loaded) = self.loaded.get_mut(&file.name)
        {
            loaded.guard = Some(symbol);
        }
        for conditional in
            self.conditionals.split_off(file.conditionals.min(self.conditionals.len()))
        {
            let name = self.map.text(conditional.span).unwrap_or("#if").to_owned();
            self.report(
                Diagnostic::new(
                    &codes::UNTERMINATED_CONDITIONAL,
                    conditional.span,
                    format!("`{name}` without `#endif`"),
                )
                .at("this conditional is still open at the end of the file"),
            );
        }
    }

    /// The next token of the innermost file, whatever it is. The end of a line if there is no
    /// file.
    pub fn lex(&mut self) -> PpToken {
        let Some(file) = self.files.last_mut() else { return END_OF_FILE };
        let mut cx =
            LexContext { interner: &mut *self.interner, diagnostics: &mut self.output.diagnostics };
        file.lexer.next(&file.text, &mut cx)
    }

    /// Calls `action` with the innermost file's lexer, text and context.
    pub fn with_lexer<T>(
        &mut self,
        action: impl FnOnce(&mut Lexer, &str, &mut LexContext<'_>) -> T,
    ) -> Option<T> {
        let file = self.files.last_mut()?;
        let mut cx =
            LexContext { interner: &mut *self.interner, diagnostics: &mut self.output.diagnostics };
        Some(action(&mut file.lexer, &file.text, &mut cx))
    }

    // ---- tokens before expansion -----------------------------------------------------------

    /// The next token without expanding it; carries out directives on the way.
    pub fn next_raw(&mut self) -> PpToken {
        let mut token = self.next_plain();
        if self.pending_space && !token.is_end() {
            token.flags |= SPACE;
            self.pending_space = false;
        }
        token
    }

    #[inline]
    fn next_plain(&mut self) -> PpToken {
        while let Some(context) = self.contexts.last_mut() {
            if context.at < context.end {
                let mut token = match &context.list {
                    List::Body { shift } => {
                        let mut token = self.macros.bodies[context.at as usize];
                        token.lo = token.lo.wrapping_add(*shift);
                        token.hi = token.hi.wrapping_add(*shift);
                        token
                    }
                    List::Owned(tokens) => tokens[context.at as usize],
                };
                context.at += 1;
                if let Some(lead) = context.lead.take() {
                    token.flags = token.flags & !(SPACE | LINE_START) | lead;
                }
                return token;
            }
            if context.barrier {
                return END_OF_LIST;
            }
            self.pop_context();
        }
        self.next_from_file()
    }

    fn pop_context(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        if let Some(id) = context.expansion_of {
            self.macros.all[id as usize].disabled = false;
        }
        if let List::Owned(tokens) = context.list {
            self.recycle(tokens);
        }
    }

    fn next_from_file(&mut self) -> PpToken {
        loop {
            if self.stopped {
                return END_OF_FILE;
            }
            let Some(file) = self.files.last_mut() else { return END_OF_FILE };
            let mut cx = LexContext {
                interner: &mut *self.interner,
                diagnostics: &mut self.output.diagnostics,
            };
            let token = file.lexer.next(&file.text, &mut cx);
            match token.kind {
                PpKind::EndOfFile => {
                    if self.collecting > 0 {
                        return token;
                    }
                    self.close();
                }
                PpKind::Punctuator(Punctuator::Hash) if token.has(LINE_START) => {
                    if let Some(pragma) = self.directive(token) {
                        if self.collecting == 0 {
                            self.file_position = pragma.lo;
                        }
                        return pragma;
                    }
                }
                _ => {
                    if matches!(file.guard, Guard::Start | Guard::Behind(_)) {
                        file.guard = Guard::Unguarded;
                    }
                    self.line_position = token.lo;
                    if self.collecting == 0 {
                        self.file_position = token.lo;
                    }
                    return token;
                }
            }
        }
    }

    /// Whether `(` is the next token, found without reading it, so that no macro is enabled again
    /// before its time.
    pub fn next_is_left_paren(&self) -> bool {
        for context in self.contexts.iter().rev() {
            if context.at < context.end {
                let token = match &context.list {
                    List::Body { .. } => self.macros.bodies[context.at as usize],
                    List::Owned(tokens) => tokens[context.at as usize],
                };
                return token.is(Punctuator::LeftParen);
            }
            if context.barrier {
                return false;
            }
        }
        self.files.last().is_some_and(|file| file.lexer.peek_left_paren(&file.text))
    }

    // ---- token lists -----------------------------------------------------------------------

    /// An empty list.
    pub fn list(&mut self) -> Vec<PpToken> {
        self.spare.pop().unwrap_or_default()
    }

    pub fn recycle(&mut self, mut tokens: Vec<PpToken>) {
        if self.spare.len() < 32 && tokens.capacity() <= 1 << 16 {
            tokens.clear();
            self.spare.push(tokens);
        }
    }

    /// Reads a replacement list without a copy. `shift` as in [`List::Body`].
    pub fn push_body(&mut self, id: MacroId, shift: u32, lead: u8) {
        if self.stopped {
            return;
        }
        let definition = &mut self.macros.all[id as usize];
        definition.disabled = true;
        let (at, end) = definition.body;
        self.contexts.push(Context {
            list: List::Body { shift },
            at,
            end,
            lead: Some(lead),
            expansion_of: Some(id),
            barrier: false,
        });
    }

    /// Reads the tokens of an expansion of `id`.
    pub fn push_expansion(&mut self, id: MacroId, tokens: Vec<PpToken>, lead: u8) {
        if self.stopped {
            return self.recycle(tokens);
        }
        self.macros.all[id as usize].disabled = true;
        self.contexts.push(Context {
            at: 0,
            end: tokens.len() as u32,
            list: List::Owned(tokens),
            lead: Some(lead),
            expansion_of: Some(id),
            barrier: false,
        });
    }

    /// Reads `tokens` and then [`PpKind::EndOfList`] until [`Self::leave_list`].
    pub fn enter_list(&mut self, mut tokens: Vec<PpToken>) {
        if self.stopped {
            tokens.clear();
        }
        self.contexts.push(Context {
            at: 0,
            end: tokens.len() as u32,
            list: List::Owned(tokens),
            lead: None,
            expansion_of: None,
            barrier: true,
        });
    }

    /// Drops what is left of the list entered last.
    pub fn leave_list(&mut self) {
        while let Some(context) = self.contexts.last() {
            let barrier = context.barrier;
            self.pop_context();
            if barrier {
                break;
            }
        }
        self.pending_space = false;
    }

    /// Macro-expands a list on its own.
    pub fn expand_list(&mut self, tokens: Vec<PpToken>) -> Vec<PpToken> {
        let mut result = self.list();
        self.enter_list(tokens);
        loop {
            let token = self.next_expanded();
            if token.is_end() {
                break;
            }
            result.push(token);
        }
        self.leave_list();
        result
    }

    /// White space before an expansion that turned out empty goes to the next token.
    pub fn keep_space(&mut self, flags: u8) {
        self.pending_space |= flags & SPACE != 0;
    }
}

const fn end(kind: PpKind) -> PpToken {
    PpToken { lo: 0, hi: 0, symbol: crate::lex::NO_SYMBOL, kind, flags: 0 }
}

pub(super) const END_OF_FILE: PpToken = end(PpKind::EndOfFile);
const END_OF_LIST: PpToken = end(PpKind::EndOfList);

/// The options `-D` and `-U` as directives.
fn command_line_text(macros: &[CommandLineMacro]) -> String {
    let mut text = String::new();
    // One option is one line.
    let clean = |part: &str| part.replace(['\n', '\r'], " ");
    for option in macros {
        match option {
            CommandLineMacro::Define(name, value) => {
                text.push_str("#define ");
                text.push_str(&clean(name));
                text.push(' ');
                text.push_str(&clean(value.as_deref().unwrap_or("1")));
                if text.trim_end().ends_with('\\') {
                    // Keep a last backslash from joining the next line.
                    text.push_str("/**/");
                }
            }
            CommandLineMacro::Undefine(name) => {
                text.push_str("#undef ");
                text.push_str(&clean(name));
            }
        }
        text.push('\n');
    }
    text
}
