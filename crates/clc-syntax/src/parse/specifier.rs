//! Declaration specifiers and type names (C99 6.7, 6.7.6; OpenCL C 6.7–6.9).

use clc_base::{AddressSpace, Span, Symbol, Version};

use super::attribute::attribute_specifier;
use super::declarator::{Naming, declarator};
use super::expression::expression;
use super::failure::Expected;
use super::input::{Cursor, Input, PARENS, Parsed, delimited};
use super::names::Meaning;
use super::record::{enum_specifier, record_specifier};
use crate::ast::{
    Access, ExprId, FunctionSpecifier, Qualifier, RecordKind, Specifier, SpecifierKind,
    StorageSpecifier, TypeName, TypeSpecifier,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, TokenKind};

/// Where specifiers stand; decides which of them are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Declaration,
    Parameter,
    Member,
    TypeName,
    /// Behind `pipe`: the packet type.
    Packet,
}

impl Place {
    fn words(self) -> &'static str {
        match self {
            Place::Declaration => "a declaration",
            Place::Parameter => "a parameter",
            Place::Member => "a struct or union member",
            Place::TypeName => "a type name",
            Place::Packet => "the packet type of a pipe",
        }
    }
}

/// Specifiers and what the grammar must know of them.
pub(super) struct Specifiers {
    pub list: Vec<Specifier>,
    pub is_typedef: bool,
    pub has_type: bool,
    /// The type certainly is a vector.
    pub is_vector: bool,
    /// A `;` is missing behind the braces of a struct, union or enum, and was asked for.
    pub ended: bool,
}

impl Specifiers {
    pub fn new() -> Specifiers {
        Specifiers {
            list: Vec::new(),
            is_typedef: false,
            has_type: false,
            is_vector: false,
            ended: false,
        }
    }
}

/// Whether a token begins declaration specifiers (in a type name: specifiers and qualifiers).
#[inline]
pub(super) fn starts_type_name(input: &mut Input<'_, '_>, ahead: usize) -> bool {
    match input.kind_at(ahead) {
        Some(TokenKind::Identifier(name)) => input.state().meaning(name).is_type(),
        Some(TokenKind::Keyword(keyword)) => starts_specifier(keyword),
        _ => false,
    }
}

/// Keywords that begin a declaration.
pub(super) fn starts_specifier(keyword: Keyword) -> bool {
    use Keyword as K;
    match keyword {
        K::Typedef | K::Extern | K::Static | K::Auto | K::Register => true,
        K::Const | K::Volatile | K::Restrict => true,
        K::Global | K::Local | K::Constant | K::Private | K::Generic => true,
        K::ReadOnly | K::WriteOnly | K::ReadWrite => true,
        K::Inline | K::Kernel | K::Noreturn => true,
        K::Void | K::Bool | K::Char | K::Short | K::Int | K::Long => true,
        K::Half | K::Float | K::Double | K::Signed | K::Unsigned => true,
        K::Complex | K::Imaginary => true,
        K::Struct | K::Union | K::Enum | K::Typeof | K::Pipe | K::Attribute => true,
        K::Break | K::Case | K::Continue | K::Default | K::Do | K::Else | K::For => false,
        K::Goto | K::If | K::Return | K::Sizeof | K::Switch | K::While => false,
        K::StaticAssert | K::Alignof | K::VecStep | K::Extension | K::BuiltinOffsetof => false,
        K::Asm => false,
    }
}

/// `declaration-specifiers`: as many as come. A name is a type only while no type was named, so
/// that `typedef unsigned int uint;` declares `uint`.
pub(super) fn declaration_specifiers(
    input: &mut Input<'_, '_>,
    specifiers: &mut Specifiers,
    place: Place,
) -> Parsed<()> {
    use Keyword as K;
    loop {
        let span = input.here();
        let keyword = match input.kind() {
            Some(TokenKind::Keyword(keyword)) => keyword,
            Some(TokenKind::Identifier(name)) if !specifiers.has_type => {
                let meaning = input.state().meaning(name);
                if !meaning.is_type() {
                    return Ok(());
                }
                input.skip();
                specifiers.has_type = true;
                specifiers.is_vector |= meaning == Meaning::Vector;
                push_type(specifiers, TypeSpecifier::Name(name), span);
                continue;
            }
            Some(TokenKind::Identifier(name)) if specifiers.ends_in_braces() => {
                // `struct s { … } float4 x;` has lost its `;` (but `struct s { … } x;` has not).
                if input.state().meaning(name).is_type()
                    && matches!(
                        input.kind_at(1),
                        Some(TokenKind::Identifier(_))
                            | Some(TokenKind::Punctuator(Punctuator::Star))
                    )
                {
                    missing_semicolon(input, specifiers);
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        if !starts_specifier(keyword) && keyword != K::Extension {
            return Ok(());
        }
        if specifiers.ends_in_braces() && place == Place::Declaration && begins_anew(keyword) {
            missing_semicolon(input, specifiers);
            return Ok(());
        }
        let kind = match keyword {
            K::Typedef => storage(input, specifiers, StorageSpecifier::Typedef, place),
            K::Extern => storage(input, specifiers, StorageSpecifier::Extern, place),
            K::Static => storage(input, specifiers, StorageSpecifier::Static, place),
            K::Auto => storage(input, specifiers, StorageSpecifier::Auto, place),
            K::Register => storage(input, specifiers, StorageSpecifier::Register, place),
            K::Inline => function(input, FunctionSpecifier::Inline, place),
            K::Kernel => function(input, FunctionSpecifier::Kernel, place),
            K::Noreturn => function(input, FunctionSpecifier::Noreturn, place),
            K::Void => simple(specifiers, TypeSpecifier::Void),
            K::Bool => simple(specifiers, TypeSpecifier::Bool),
            K::Char => simple(specifiers, TypeSpecifier::Char),
            K::Short => simple(specifiers, TypeSpecifier::Short),
            K::Int => simple(specifiers, TypeSpecifier::Int),
            K::Long => simple(specifiers, TypeSpecifier::Long),
            K::Half => simple(specifiers, TypeSpecifier::Half),
            K::Float => simple(specifiers, TypeSpecifier::Float),
            K::Double => simple(specifiers, TypeSpecifier::Double),
            K::Signed => simple(specifiers, TypeSpecifier::Signed),
            K::Unsigned => simple(specifiers, TypeSpecifier::Unsigned),
            K::Complex => simple(specifiers, TypeSpecifier::Complex),
            K::Imaginary => simple(specifiers, TypeSpecifier::Imaginary),
            K::Struct | K::Union => {
                let kind =
                    if keyword == K::Struct { RecordKind::Struct } else { RecordKind::Union };
                let record = record_specifier(input, kind)?;
                specifiers.has_type = true;
                push_type(specifiers, TypeSpecifier::Record(record), input.since(span));
                continue;
            }
            K::Enum => {
                let specifier = enum_specifier(input)?;
                specifiers.has_type = true;
                push_type(specifiers, TypeSpecifier::Enum(specifier), input.since(span));
                continue;
            }
            K::Typeof => {
                let specifier = typeof_specifier(input)?;
                specifiers.has_type = true;
                push_type(specifiers, specifier, input.since(span));
                continue;
            }
            K::Pipe => {
                pipe_specifier(input, specifiers, place)?;
                continue;
            }
            K::Attribute => {
                let mut attributes = Vec::new();
                attribute_specifier(input, &mut attributes)?;
                for attribute in attributes {
                    specifiers.is_vector |= is_vector_attribute(input, attribute.name);
                    let span = attribute.span;
                    let kind = SpecifierKind::Attribute(attribute);
                    specifiers.list.push(Specifier { kind, span });
                }
                continue;
            }
            K::Extension => {
                input.skip();
                continue;
            }
            _ => match qualifier(input, keyword, span) {
                Some(qualifier) => SpecifierKind::Qualifier(qualifier),
                None => return Ok(()),
            },
        };
        input.skip();
        specifiers.list.push(Specifier { kind, span });
    }
}

fn push_type(specifiers: &mut Specifiers, ty: TypeSpecifier, span: Span) {
    specifiers.list.push(Specifier { kind: SpecifierKind::Type(ty), span });
}

fn simple(specifiers: &mut Specifiers, ty: TypeSpecifier) -> SpecifierKind {
    specifiers.has_type = true;
    SpecifierKind::Type(ty)
}

fn storage(
    input: &mut Input<'_, '_>,
    specifiers: &mut Specifiers,
    storage: StorageSpecifier,
    place: Place,
) -> SpecifierKind {
    specifiers.is_typedef |= storage == StorageSpecifier::Typedef;
    // C99 6.7.5.3: `register` alone may stand in a parameter.
    let allowed = match place {
        Place::Declaration => true,
        Place::Parameter => storage == StorageSpecifier::Register,
        Place::Member | Place::TypeName | Place::Packet => false,
    };
    if !allowed {
        misplaced(input, "storage class", place);
    }
    SpecifierKind::Storage(storage)
}

fn function(input: &mut Input<'_, '_>, function: FunctionSpecifier, place: Place) -> SpecifierKind {
    if place != Place::Declaration {
        misplaced(input, "function specifier", place);
    }
    SpecifierKind::Function(function)
}

#[cold]
fn misplaced(input: &mut Input<'_, '_>, what: &str, place: Place) {
    let span = input.here();
    if let Some(TokenKind::Keyword(keyword)) = input.kind() {
        input.state().emit(grammar::misplaced_specifier(keyword, what, place.words(), span));
    }
}

/// Type, address-space and access qualifiers.
pub(super) fn qualifier(
    input: &mut Input<'_, '_>,
    keyword: Keyword,
    span: Span,
) -> Option<Qualifier> {
    Some(match keyword {
        Keyword::Const => Qualifier::Const,
        Keyword::Volatile => Qualifier::Volatile,
        Keyword::Restrict => Qualifier::Restrict,
        Keyword::Global => Qualifier::AddressSpace(AddressSpace::Global),
        Keyword::Local => Qualifier::AddressSpace(AddressSpace::Local),
        Keyword::Constant => Qualifier::AddressSpace(AddressSpace::Constant),
        Keyword::Private => Qualifier::AddressSpace(AddressSpace::Private),
        Keyword::Generic => {
            let version = input.state().options.version;
            if version < Version::V2_0 {
                input.state().emit(grammar::generic_before_2_0(version, span));
            }
            Qualifier::AddressSpace(AddressSpace::Generic)
        }
        Keyword::ReadOnly => Qualifier::Access(Access::ReadOnly),
        Keyword::WriteOnly => Qualifier::Access(Access::WriteOnly),
        Keyword::ReadWrite => Qualifier::Access(Access::ReadWrite),
        _ => return None,
    })
}

/// `typeof ( expression )` or `typeof ( type-name )`
fn typeof_specifier(input: &mut Input<'_, '_>) -> Parsed<TypeSpecifier> {
    enum Operand {
        Expr(ExprId),
        Type(TypeName),
    }
    input.skip();
    let operand = delimited(input, PARENS, Expected::Paren, |input| {
        if starts_type_name(input, 0) {
            type_name(input).map(|(ty, _)| Operand::Type(ty))
        } else {
            expression(input).map(Operand::Expr)
        }
    })?;
    Ok(match operand {
        Operand::Expr(expr) => TypeSpecifier::TypeofExpr(expr),
        Operand::Type(ty) => TypeSpecifier::TypeofType(Box::new(ty)),
    })
}

/// `pipe T`: qualifiers written behind `pipe` that belong to the pipe move out to it.
fn pipe_specifier(
    input: &mut Input<'_, '_>,
    specifiers: &mut Specifiers,
    place: Place,
) -> Parsed<()> {
    let start = input.here();
    if place == Place::Packet {
        return input.fail(Expected::Type);
    }
    input.skip();
    let mut packet = Specifiers::new();
    let type_start = input.here();
    declaration_specifiers(input, &mut packet, Place::Packet)?;
    if !packet.has_type {
        return input.fail(Expected::Type);
    }
    let span = input.since(type_start);
    let (outer, inner) = packet.list.into_iter().partition(|specifier: &Specifier| {
        matches!(specifier.kind, SpecifierKind::Qualifier(Qualifier::Access(_)))
    });
    let declarator = crate::ast::Declarator { name: None, derived: Vec::new(), span: span.end() };
    let ty = TypeName { specifiers: inner, declarator, span };
    specifiers.has_type = true;
    push_type(specifiers, TypeSpecifier::Pipe(Box::new(ty)), input.since(start));
    specifiers.list.extend::<Vec<Specifier>>(outer);
    Ok(())
}

/// C99 6.7.6 `type-name`, and whether it certainly names a vector.
pub(super) fn type_name(input: &mut Input<'_, '_>) -> Parsed<(TypeName, bool)> {
    let start = input.here();
    let mut specifiers = Specifiers::new();
    declaration_specifiers(input, &mut specifiers, Place::TypeName)?;
    if !specifiers.has_type {
        return input.fail(Expected::Type);
    }
    let mut attributes = Vec::new();
    let declarator = declarator(input, Naming::Abstract, &mut attributes)?;
    let is_vector = specifiers.is_vector && declarator.derived.is_empty();
    let span = input.since(start);
    Ok((TypeName { specifiers: specifiers.list, declarator, span }, is_vector))
}

pub(super) fn is_vector_attribute(input: &mut Input<'_, '_>, name: Symbol) -> bool {
    matches!(input.state().interner.resolve(name), "ext_vector_type" | "vector_size")
}

impl Specifiers {
    /// Whether the last specifier was a struct, union or enum with its members.
    fn ends_in_braces(&self) -> bool {
        match self.list.last().map(|specifier| &specifier.kind) {
            Some(SpecifierKind::Type(TypeSpecifier::Record(record))) => record.members.is_some(),
            Some(SpecifierKind::Type(TypeSpecifier::Enum(specifier))) => {
                specifier.enumerators.is_some()
            }
            _ => false,
        }
    }
}

/// Keywords that cannot follow a struct in one declaration.
fn begins_anew(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Kernel
            | K::Typedef
            | K::Struct
            | K::Union
            | K::Enum
            | K::Void
            | K::Bool
            | K::Char
            | K::Short
            | K::Int
            | K::Long
            | K::Half
            | K::Float
            | K::Double
            | K::Signed
            | K::Unsigned
            | K::Inline
            | K::Static
            | K::Extern
    )
}

#[cold]
fn missing_semicolon(input: &mut Input<'_, '_>, specifiers: &mut Specifiers) {
    let behind = input.previous().end();
    let found = input.here();
    let words = input.peek().map_or(String::new(), |token| {
        super::failure::describe(Some(token), input.state().interner)
    });
    let expected = Expected::SemicolonAfterRecord.words();
    input.state().emit(grammar::missing_semicolon(expected, &words, found, behind));
    specifiers.ended = true;
}
