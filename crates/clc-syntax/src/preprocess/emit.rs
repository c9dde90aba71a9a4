//! From preprocessing tokens to the tokens that the grammar sees (translation phase 7).

use clc_base::Diagnostic;

use super::engine::Preprocessor;
use super::interface::Layout;
use crate::diagnostics::preprocessor as codes;
use crate::lex::{PpKind, PpToken, SPACE};
use crate::token::{Token, TokenKind, keyword};

impl Preprocessor<'_> {
    pub(super) fn emit(&mut self, token: PpToken) {
        let kind = match token.kind {
            PpKind::Identifier => {
                if token.symbol == self.names.pragma_operator {
                    self.pragma_operator(token);
                    return;
                }
                if token.symbol == self.names.va_args || token.symbol == self.names.va_opt {
                    self.misplaced_variadic(token);
                }
                match keyword(token.symbol) {
                    Some(keyword) => TokenKind::Keyword(keyword),
                    None => TokenKind::Identifier(token.symbol),
                }
            }
            PpKind::Integer => TokenKind::Integer(token.symbol),
            PpKind::Float => TokenKind::Float(token.symbol),
            PpKind::Char => TokenKind::Char(token.symbol),
            PpKind::String => TokenKind::String(token.symbol),
            PpKind::Punctuator(punctuator) => TokenKind::Punctuator(punctuator),
            PpKind::Pragma => TokenKind::Pragma(token.symbol),
            PpKind::Stray => return self.stray(token),
            PpKind::Unterminated => return self.unterminated_literal(token),
            PpKind::HeaderName
            | PpKind::EndOfLine
            | PpKind::EndOfFile
            | PpKind::EndOfList
            | PpKind::Placemarker
            | PpKind::Parameter
            | PpKind::Stringify
            | PpKind::VaOptStart
            | PpKind::VaOptEnd => return,
        };
        self.output.tokens.push(Token { kind, span: token.span() });
        if self.options.keep_layout {
            let space = token.has(SPACE);
            self.output.layout.push(Layout { position: self.file_position, space });
        }
    }

    pub(super) fn misplaced_variadic(&mut self, token: PpToken) {
        let name = self.interner.resolve(token.symbol);
        let message = format!("`{name}` outside a variadic macro");
        self.report(
            Diagnostic::new(&codes::VARIADIC_NAME, token.span(), message)
                .at("this macro is not variadic")
                .help("let the parameters of the macro end in `...`"),
        );
    }

    fn stray(&mut self, token: PpToken) {
        let text = token.spelling(self.interner);
        let mut chars = text.chars();
        let (first, one) = (chars.next().unwrap_or('\0'), chars.next().is_none());
        let shown = if first == '`' {
            "backtick".to_owned()
        } else if first.is_ascii_graphic() {
            format!("`{first}`")
        } else if first == '\0' {
            "NUL byte".to_owned()
        } else if first == '\u{FFFD}' {
            "byte that is not UTF-8".to_owned()
        } else if first.is_control() || first.is_whitespace() {
            format!("character U+{:04X}", first as u32)
        } else {
            format!("character `{first}` (U+{:04X})", first as u32)
        };
        let message = if one {
            format!("stray {shown} in the program")
        } else {
            format!("stray characters in the program, the first is: {shown}")
        };
        let mut diagnostic = Diagnostic::new(&codes::STRAY_CHARACTER, token.span(), message)
            .at(if one { "no token begins so" } else { "no token consists of these" });
        diagnostic = match first {
            '\u{A0}' | '\u{2000}'..='\u{200B}' | '\u{3000}' | '\u{FEFF}' => {
                diagnostic.fix(token.span(), " ", "replace it by a blank")
            }
            '“' | '”' | '„' => diagnostic.help("string literals have straight quotes: `\"`"),
            '‘' | '’' => diagnostic.help("character constants have straight quotes: `'`"),
            '\\' => diagnostic.help("a backslash joins lines only as the last character of a line"),
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    fn unterminated_literal(&mut self, token: PpToken) {
        let text = token.spelling(self.interner);
        let (what, quote) = if text.starts_with('"') {
            ("string literal", '"')
        } else {
            ("character constant", '\'')
        };
        let message = format!("missing `{quote}` at the end of the {what}");
        self.report(
            Diagnostic::new(&codes::UNTERMINATED_LITERAL, token.span(), message)
                .at("not closed on its line"),
        );
    }
}
