//! Where a parse failed and what it wanted there, and how that is put into words.

use clc_base::{Diagnostic, Interner};

use crate::token::{Punctuator, Token, TokenKind};

macro_rules! expected {
    ($($variant:ident $words:literal;)*) => {
        /// What a production wants to see next.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(in crate::parse) enum Expected { $($variant),* }

        impl Expected {
            const ALL: &[Expected] = &[$(Expected::$variant),*];

            pub fn words(self) -> &'static str {
                match self { $(Expected::$variant => $words),* }
            }
        }
    };
}

expected! {
    Expression "an expression";
    Type "a type";
    Declaration "a declaration";
    Statement "a statement";
    Parameter "a parameter";
    DeclaratorName "a name to declare";
    MemberName "a member name";
    LabelName "a label";
    EnumeratorName "an enumerator";
    TagOrMembers "a tag or `{`";
    AttributeName "an attribute name";
    StringLiteral "a string literal";
    Designator "a designator";
    While "`while` after the body of `do`";
    FunctionBody "`{`";
    Brace "`{`";
    Paren "`(`";
    ConditionParen "`(` before the condition";
    ForParen "`(` after `for`";
    AttributeParens "`((` after `__attribute__`";
    Comma "`,`";
    CloseParen "`)`";
    CloseBracket "`]`";
    CloseBrace "`}`";
    Equal "`=`";
    Colon "`:`";
    ColonOfCase "`:` after the `case` value";
    ColonOfDefault "`:` after `default`";
    ColonOfConditional "`:` of the conditional expression";
    SemicolonAfterExpression "`;` after the expression";
    SemicolonAfterDeclaration "`;` after the declaration";
    SemicolonAfterRecord "`;` after the type";
    SemicolonAfterMember "`;` after the member";
    SemicolonAfterReturn "`;` after `return`";
    SemicolonAfterJump "`;` after the statement";
    SemicolonAfterDo "`;` after `do … while (…)`";
    SemicolonInFor "`;` in the head of `for`";
}

impl Expected {
    pub fn closing(punctuator: Punctuator) -> Expected {
        match punctuator {
            Punctuator::RightBracket => Expected::CloseBracket,
            Punctuator::RightBrace => Expected::CloseBrace,
            _ => Expected::CloseParen,
        }
    }

    pub fn is_semicolon(self) -> bool {
        self >= Expected::SemicolonAfterExpression
    }

    /// The text that inserting would satisfy.
    pub(in crate::parse) fn closer_text(self) -> Option<&'static str> {
        match self {
            Expected::CloseParen => Some(")"),
            Expected::CloseBracket => Some("]"),
            Expected::CloseBrace => Some("}"),
            _ => None,
        }
    }
}

const _: () = assert!(Expected::ALL.len() <= 64);

/// The furthest failure of a parse.
#[derive(Debug)]
pub(in crate::parse) struct Failure {
    /// Index of the token that did not fit.
    pub position: usize,
    /// A bit for each [`Expected`].
    pub(in crate::parse) expected: u64,
    /// The bracket that is still open, if one was to be closed here.
    pub(in crate::parse) opener: Option<usize>,
    /// Better words than a list of what was expected.
    pub(in crate::parse) special: Option<Box<Diagnostic>>,
}

impl Failure {
    pub fn record(
        slot: &mut Option<Failure>,
        position: usize,
        expected: Expected,
        opener: Option<usize>,
    ) {
        let bit = 1 << expected as u8;
        match slot {
            Some(failure) if failure.position > position => {}
            Some(failure) if failure.position == position => {
                failure.expected |= bit;
                failure.opener = failure.opener.or(opener);
            }
            _ => *slot = Some(Failure { position, expected: bit, opener, special: None }),
        }
    }

    pub fn record_special(slot: &mut Option<Failure>, position: usize, diagnostic: Diagnostic) {
        if slot.as_ref().is_none_or(|failure| {
            failure.position < position || failure.position == position && failure.special.is_none()
        }) {
            let special = Some(Box::new(diagnostic));
            *slot = Some(Failure { position, expected: 0, opener: None, special });
        }
    }

    pub(in crate::parse) fn wants(&self) -> impl Iterator<Item = Expected> {
        Expected::ALL.iter().copied().filter(|&expected| self.expected >> expected as u8 & 1 == 1)
    }

    /// Nothing at all of what was wanted stands at `position`: it has a better name.
    pub fn rename(slot: &mut Option<Failure>, position: usize, expected: Expected) {
        if let Some(failure) = slot
            && failure.position == position
        {
            failure.expected = 1 << expected as u8;
        }
    }
}

/// A token as messages call it.
pub(in crate::parse) fn describe(token: Option<Token>, interner: &Interner) -> String {
    let Some(token) = token else { return "the end of the file".to_owned() };
    let spelling = match token.kind {
        TokenKind::Identifier(symbol)
        | TokenKind::Integer(symbol)
        | TokenKind::Float(symbol)
        | TokenKind::Char(symbol)
        | TokenKind::String(symbol) => interner.resolve(symbol),
        TokenKind::Keyword(keyword) => keyword.as_str(),
        TokenKind::Punctuator(punctuator) => punctuator.as_str(),
        TokenKind::Pragma(_) => return "a `#pragma`".to_owned(),
    };
    match spelling.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &spelling[..cut]),
        None => format!("`{spelling}`"),
    }
}

impl TokenKind {
    pub(in crate::parse) fn is(self, punctuator: Punctuator) -> bool {
        self == TokenKind::Punctuator(punctuator)
    }
}
