//! A tokenizer that is just good enough for tests of the grammar: no macros, no files.

use clc_base::{Interner, Span};
use clc_syntax::token::{Punctuator, Token, TokenKind, keyword};

const PUNCTUATORS: &[Punctuator] = {
    use Punctuator::*;
    &[
        Ellipsis,
        ShiftLeftEqual,
        ShiftRightEqual,
        Arrow,
        PlusPlus,
        MinusMinus,
        ShiftLeft,
        ShiftRight,
        LessEqual,
        GreaterEqual,
        EqualEqual,
        NotEqual,
        AndAnd,
        OrOr,
        StarEqual,
        SlashEqual,
        PercentEqual,
        PlusEqual,
        MinusEqual,
        AmpersandEqual,
        CaretEqual,
        BarEqual,
        LeftBracket,
        RightBracket,
        LeftParen,
        RightParen,
        LeftBrace,
        RightBrace,
        Dot,
        Ampersand,
        Star,
        Plus,
        Minus,
        Tilde,
        Exclamation,
        Slash,
        Percent,
        Less,
        Greater,
        Caret,
        Bar,
        Question,
        Colon,
        Semicolon,
        Equal,
        Comma,
    ]
};

/// Positions are byte offsets plus one, so that no span is `Span::NONE`.
pub fn tokenize(text: &str, interner: &mut Interner) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kind) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if let Some(line) = rest.strip_prefix("#pragma") {
            let end = line.find('\n').unwrap_or(line.len());
            (7 + end, Some(TokenKind::Pragma(interner.intern(line[..end].trim()))))
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let word = &rest[..end.unwrap_or(rest.len())];
            let symbol = interner.intern(word);
            let kind = keyword(symbol).map_or(TokenKind::Identifier(symbol), TokenKind::Keyword);
            (word.len(), Some(kind))
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
            let mut number = &rest[..end.unwrap_or(rest.len())];
            if let Some(ellipsis) = number.find("...") {
                number = &number[..ellipsis];
            }
            let symbol = interner.intern(number);
            let float = number.contains('.') || number.ends_with('f') && !number.starts_with("0x");
            let kind = if float { TokenKind::Float(symbol) } else { TokenKind::Integer(symbol) };
            (number.len(), Some(kind))
        } else if first == '"' || first == '\'' {
            let length = rest[1..].find(first).map_or(rest.len(), |end| end + 2);
            let symbol = interner.intern(&rest[..length]);
            let string = first == '"';
            (length, Some(if string { TokenKind::String(symbol) } else { TokenKind::Char(symbol) }))
        } else {
            match PUNCTUATORS.iter().find(|p| rest.starts_with(p.as_str())) {
                Some(&p) => (p.as_str().len(), Some(TokenKind::Punctuator(p))),
                None => (first.len_utf8(), None),
            }
        };
        if let Some(kind) = kind {
            let span = Span::new(at as u32 + 1, (at + length) as u32 + 1);
            tokens.push(Token { kind, span });
        }
        at += length;
    }
    tokens
}
