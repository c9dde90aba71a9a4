//! Tokens as the grammar sees them: after preprocessing, with keywords recognised.

use clc_base::{Span, Symbol};

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind, with the spelling of what has one of its own.
    pub kind: TokenKind,
    /// Where it is written; what comes from macros has the spans that [`crate::preprocess`] describes.
    pub span: Span,
}

/// Literals keep their spelling; their value and type are semantic questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name that is no keyword; whether it names a type is the grammar's question.
    Identifier(Symbol),
    /// One of the reserved words, in any of its spellings.
    Keyword(Keyword),
    /// An integer constant (C99 6.4.4.1), with suffix.
    Integer(Symbol),
    /// A floating constant (C99 6.4.4.2), decimal or hexadecimal, with suffix (`f`, `h`, `l`).
    Float(Symbol),
    /// A character constant, with its quotes.
    Char(Symbol),
    /// A string literal, with its quotes. Adjacent literals are joined by the grammar.
    String(Symbol),
    /// An operator or separator.
    Punctuator(Punctuator),
    /// A pragma that means something to later stages: the text after `#pragma`, with white space
    /// folded (`unroll 4`, `OPENCL EXTENSION cl_khr_fp64 : enable`, `OPENCL FP_CONTRACT OFF`).
    Pragma(Symbol),
}

macro_rules! keywords {
    ($($variant:ident $($spelling:literal)+;)*) => {
        /// Reserved words. Alternative spellings (`global`, `__global`) are one keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Keyword {
            $(#[doc = concat!($("`", $spelling, "` "),+)] $variant),*
        }

        impl Keyword {
            /// The usual spelling.
            pub fn as_str(self) -> &'static str {
                match self { $(Keyword::$variant => [$($spelling),+][0]),* }
            }
        }

        /// Every spelling with its keyword. Spelling `i` is `Symbol(i)` in the interner of a
        /// compilation.
        pub(crate) const KEYWORDS: &[(&str, Keyword)] = &[$($(($spelling, Keyword::$variant)),+),*];
    };
}

keywords! {
    Auto "auto";
    Break "break";
    Case "case";
    Char "char";
    Const "const" "__const" "__const__";
    Continue "continue";
    Default "default";
    Do "do";
    Double "double";
    Else "else";
    Enum "enum";
    Extern "extern";
    Float "float";
    For "for";
    Goto "goto";
    If "if";
    Inline "inline" "__inline" "__inline__";
    Int "int";
    Long "long";
    Register "register";
    Restrict "restrict" "__restrict" "__restrict__";
    Return "return";
    Short "short";
    Signed "signed" "__signed" "__signed__";
    Sizeof "sizeof";
    Static "static";
    Struct "struct";
    Switch "switch";
    Typedef "typedef";
    Union "union";
    Unsigned "unsigned";
    Void "void";
    Volatile "volatile" "__volatile" "__volatile__";
    While "while";
    Bool "bool" "_Bool";
    Complex "_Complex" "__complex__";
    Imaginary "_Imaginary";
    Noreturn "_Noreturn";
    StaticAssert "_Static_assert";
    Half "half";
    Global "global" "__global";
    Local "local" "__local";
    Constant "constant" "__constant";
    Private "private" "__private";
    Generic "generic" "__generic";
    Kernel "kernel" "__kernel";
    ReadOnly "read_only" "__read_only";
    WriteOnly "write_only" "__write_only";
    ReadWrite "read_write" "__read_write";
    Pipe "pipe" "__pipe";
    Attribute "__attribute__" "__attribute";
    Typeof "typeof" "__typeof__" "__typeof";
    Alignof "__alignof__" "__alignof" "_Alignof";
    VecStep "vec_step";
    Extension "__extension__";
    BuiltinOffsetof "__builtin_offsetof";
    BuiltinAstype "__builtin_astype";
    BuiltinConvertvector "__builtin_convertvector";
    Asm "asm" "__asm__" "__asm";
}

macro_rules! punctuators {
    ($($(#[$meta:meta])* $variant:ident $spelling:literal;)*) => {
        /// Punctuators of C99 6.4.6 (digraphs are folded into these).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Punctuator {
            $(#[doc = concat!("`", $spelling, "`")] $(#[$meta])* $variant),*
        }

        impl Punctuator {
            /// The spelling that is not a digraph.
            pub fn as_str(self) -> &'static str {
                match self { $(Punctuator::$variant => $spelling),* }
            }
        }
    };
}

punctuators! {
    LeftBracket "[";
    RightBracket "]";
    LeftParen "(";
    RightParen ")";
    LeftBrace "{";
    RightBrace "}";
    Dot ".";
    Arrow "->";
    PlusPlus "++";
    MinusMinus "--";
    Ampersand "&";
    Star "*";
    Plus "+";
    Minus "-";
    Tilde "~";
    Exclamation "!";
    Slash "/";
    Percent "%";
    ShiftLeft "<<";
    ShiftRight ">>";
    Less "<";
    Greater ">";
    LessEqual "<=";
    GreaterEqual ">=";
    EqualEqual "==";
    NotEqual "!=";
    Caret "^";
    Bar "|";
    AndAnd "&&";
    OrOr "||";
    Question "?";
    Colon ":";
    Semicolon ";";
    Ellipsis "...";
    Equal "=";
    StarEqual "*=";
    SlashEqual "/=";
    PercentEqual "%=";
    PlusEqual "+=";
    MinusEqual "-=";
    ShiftLeftEqual "<<=";
    ShiftRightEqual ">>=";
    AmpersandEqual "&=";
    CaretEqual "^=";
    BarEqual "|=";
    Comma ",";
    /// Only met in directives; never reaches the grammar in a valid program.
    Hash "#";
    HashHash "##";
}

impl Punctuator {
    /// `(`, `[` or `{`
    pub(crate) fn opens(self) -> bool {
        matches!(self, Punctuator::LeftParen | Punctuator::LeftBracket | Punctuator::LeftBrace)
    }

    /// `)`, `]` or `}`
    pub(crate) fn closes(self) -> bool {
        matches!(self, Punctuator::RightParen | Punctuator::RightBracket | Punctuator::RightBrace)
    }
}

/// An interner in which every keyword spelling has its index in the table of keywords as symbol. Every
/// compilation starts from one of these.
pub fn interner() -> clc_base::Interner {
    clc_base::Interner::with_names(&const { keyword_spellings() })
}

const fn keyword_spellings() -> [&'static str; KEYWORDS.len()] {
    let mut names = [""; KEYWORDS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = KEYWORDS[index].0;
        index += 1;
    }
    names
}

/// Every spelling of every keyword, with the keyword.
pub fn keywords() -> impl Iterator<Item = (&'static str, Keyword)> {
    KEYWORDS.iter().copied()
}

/// The keyword a symbol spells, if it spells one. `generic` counts in every version; the grammar
/// reports it before 2.0 (OpenCL C 6.1.9).
pub(crate) fn keyword(symbol: Symbol) -> Option<Keyword> {
    KEYWORDS.get(symbol.0 as usize).map(|&(_, keyword)| keyword)
}
