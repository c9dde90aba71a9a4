//! Declaration specifiers and type names (C99 6.7, 6.7.6; OpenCL C 6.7–6.9).

use chumsky::prelude::*;
use chumsky::primitive::select;
use clc_base::{AddressSpace, Span, Symbol, Version};

use super::attribute::attribute_specifier;
use super::combinators::{Build, Parse, keyword, punctuator, required_parens, rule};
use super::declarator::{Naming, declarator};
use super::errors::failure::Expected;
use super::errors::mistakes::{misplaced, missing_semicolon};
use super::errors::unknown::type_for_want_of_one;
use super::expression::expression;
use super::input::{Cursor, Extras, Input, Parsed, State};
use super::names::Meaning;
use super::record::{enum_specifier, record_specifier};
use crate::ast::{
    Access, Declarator, FunctionSpecifier, Qualifier, Specifier, SpecifierKind, StorageSpecifier,
    TypeName, TypeSpecifier,
};
use crate::diagnostics::grammar;
use crate::token::{Keyword, Punctuator, Token, TokenKind};

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

/// The first token of a type name.
pub(super) fn type_start<'t>() -> impl Parse<'t, ()> {
    select(|token: Token, e: &mut Extras<'t, '_>| {
        let starts = match token.kind {
            TokenKind::Identifier(name) => e.state().meaning(name).is_type(),
            TokenKind::Keyword(keyword) => keyword.starts_specifier(),
            _ => false,
        };
        starts.then_some(())
    })
}

/// Looks whether a type in parentheses comes next.
pub(super) fn type_in_parens<'t>() -> impl Parse<'t, ()> {
    punctuator(Punctuator::LeftParen).then(type_start()).ignored().rewind()
}

/// `declaration-specifiers`: as many as come. `custom`: a name is a type only while no type was
/// named, so that `typedef unsigned int uint;` declares `uint`.
pub(super) fn declaration_specifiers<'t>(place: Place) -> impl Parse<'t, Specifiers> {
    custom(move |input: &mut Input<'t, '_>| {
        let mut specifiers = Specifiers::new();
        while specifier(input, &mut specifiers, place)? {}
        Ok(specifiers)
    })
}

/// The same, with a type among them. Of one that is misspelt or left out `expected` is told where no
/// declaration can be seen. `custom`: a type is made up then.
pub(super) fn specifiers_with_type<'t>(
    place: Place,
    expected: Expected,
) -> impl Parse<'t, Specifiers> {
    custom(move |input: &mut Input<'t, '_>| {
        let mut specifiers = input.parse(declaration_specifiers(place))?;
        if !specifiers.has_type {
            type_for_want_of_one(input, &mut specifiers, expected)?;
        }
        Ok(specifiers)
    })
}

/// The specifiers of a type name. `custom` for its failure, which is behind them.
pub(super) fn specifiers_of_type<'t>(place: Place) -> impl Parse<'t, Specifiers> {
    custom(move |input: &mut Input<'t, '_>| {
        let specifiers = input.parse(declaration_specifiers(place))?;
        if specifiers.has_type { Ok(specifiers) } else { input.fail(Expected::Type) }
    })
}

/// Reads one specifier, if one comes.
pub(super) fn specifier<'t>(
    input: &mut Input<'t, '_>,
    specifiers: &mut Specifiers,
    place: Place,
) -> Parsed<bool> {
    use Keyword as K;
    let span = input.here();
    let keyword = match input.kind() {
        Some(TokenKind::Keyword(keyword)) => keyword,
        Some(TokenKind::Identifier(name)) if !specifiers.has_type => {
            let meaning = input.state().meaning(name);
            if !meaning.is_type() {
                return Ok(false);
            }
            input.skip();
            specifiers.is_vector |= meaning == Meaning::Vector;
            specifiers.push_type(TypeSpecifier::Name(name), span);
            return Ok(true);
        }
        Some(TokenKind::Identifier(name)) if specifiers.ends_in_braces() => {
            // `struct s { … } float4 x;` has lost its `;` (but `struct s { … } x;` has not).
            if input.state().meaning(name).is_type()
                && matches!(
                    input.kind_at(1),
                    Some(TokenKind::Identifier(_)) | Some(TokenKind::Punctuator(Punctuator::Star))
                )
            {
                missing_semicolon(input);
                specifiers.ended = true;
            }
            return Ok(false);
        }
        _ => return Ok(false),
    };
    if !keyword.starts_specifier() && keyword != K::Extension {
        return Ok(false);
    }
    if specifiers.ends_in_braces() && place == Place::Declaration && begins_anew(keyword) {
        missing_semicolon(input);
        specifiers.ended = true;
        return Ok(false);
    }
    if let Some((_, ty)) = SIMPLE_TYPES.iter().find(|&&(word, _)| word == keyword) {
        input.skip();
        specifiers.push_type(ty(), span);
        return Ok(true);
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
        K::Struct | K::Union => {
            let record = input.parse(record_specifier())?;
            specifiers.push_type(TypeSpecifier::Record(record), input.since(span));
            return Ok(true);
        }
        K::Enum => {
            let specifier = input.parse(enum_specifier())?;
            specifiers.push_type(TypeSpecifier::Enum(specifier), input.since(span));
            return Ok(true);
        }
        K::Typeof => {
            let specifier = input.parse(typeof_specifier())?;
            specifiers.push_type(specifier, input.since(span));
            return Ok(true);
        }
        K::Pipe if place == Place::Packet => return input.fail(Expected::Type),
        K::Pipe => {
            let (ty, outer) = input.parse(pipe_specifier())?;
            specifiers.push_type(TypeSpecifier::Pipe(Box::new(ty)), input.since(span));
            specifiers.list.extend(outer);
            return Ok(true);
        }
        K::Attribute => {
            for attribute in input.parse(attribute_specifier())? {
                specifiers.is_vector |= is_vector_attribute(input, attribute.name);
                specifiers.list.push(attribute.into());
            }
            return Ok(true);
        }
        K::Extension => {
            input.skip();
            return Ok(true);
        }
        _ => match qualifier(input.state(), keyword, span) {
            Some(qualifier) => SpecifierKind::Qualifier(qualifier),
            None => return Ok(false),
        },
    };
    input.skip();
    specifiers.list.push(Specifier { kind, span });
    Ok(true)
}

/// Types that are one keyword.
const SIMPLE_TYPES: &[(Keyword, fn() -> TypeSpecifier)] = &[
    (Keyword::Void, || TypeSpecifier::Void),
    (Keyword::Bool, || TypeSpecifier::Bool),
    (Keyword::Char, || TypeSpecifier::Char),
    (Keyword::Short, || TypeSpecifier::Short),
    (Keyword::Int, || TypeSpecifier::Int),
    (Keyword::Long, || TypeSpecifier::Long),
    (Keyword::Half, || TypeSpecifier::Half),
    (Keyword::Float, || TypeSpecifier::Float),
    (Keyword::Double, || TypeSpecifier::Double),
    (Keyword::Signed, || TypeSpecifier::Signed),
    (Keyword::Unsigned, || TypeSpecifier::Unsigned),
    (Keyword::Complex, || TypeSpecifier::Complex),
    (Keyword::Imaginary, || TypeSpecifier::Imaginary),
];

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
        misplaced(input, "storage class", place.words());
    }
    SpecifierKind::Storage(storage)
}

fn function(input: &mut Input<'_, '_>, function: FunctionSpecifier, place: Place) -> SpecifierKind {
    if place != Place::Declaration {
        misplaced(input, "function specifier", place.words());
    }
    SpecifierKind::Function(function)
}

/// Type, address-space and access qualifiers.
pub(super) fn qualifier(state: &mut State<'_>, keyword: Keyword, span: Span) -> Option<Qualifier> {
    Some(match keyword {
        Keyword::Const => Qualifier::Const,
        Keyword::Volatile => Qualifier::Volatile,
        Keyword::Restrict => Qualifier::Restrict,
        Keyword::Global => Qualifier::AddressSpace(AddressSpace::Global),
        Keyword::Local => Qualifier::AddressSpace(AddressSpace::Local),
        Keyword::Constant => Qualifier::AddressSpace(AddressSpace::Constant),
        Keyword::Private => Qualifier::AddressSpace(AddressSpace::Private),
        Keyword::Generic => {
            let version = state.options.version;
            if version < Version::V2_0 {
                state.emit(grammar::generic_before_2_0(version, span));
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
fn typeof_specifier<'t>() -> impl Parse<'t, TypeSpecifier> {
    rule!({
        let ty = type_start().rewind().ignore_then(type_name());
        let operand = choice((
            ty.map(|(ty, _)| TypeSpecifier::TypeofType(Box::new(ty))),
            expression().map(TypeSpecifier::TypeofExpr),
        ));
        keyword(Keyword::Typeof).ignore_then(required_parens(Expected::Paren, operand))
    })
}

/// `pipe T`: qualifiers written behind `pipe` that belong to the pipe move out to it.
fn pipe_specifier<'t>() -> impl Parse<'t, (TypeName, Vec<Specifier>)> {
    rule!({
        let is_outer = |specifier: &Specifier| {
            matches!(specifier.kind, SpecifierKind::Qualifier(Qualifier::Access(_)))
        };
        let packet = specifiers_of_type(Place::Packet).map_with(move |packet, e| {
            let span = e.place();
            let (outer, inner) = packet.list.into_iter().partition(is_outer);
            let declarator = Declarator { name: None, derived: Vec::new(), span: span.end() };
            (TypeName { specifiers: inner, declarator, span }, outer)
        });
        keyword(Keyword::Pipe).ignore_then(packet)
    })
}

/// C99 6.7.6 `type-name`, and whether it certainly names a vector.
pub(super) fn type_name<'t>() -> impl Parse<'t, (TypeName, bool)> {
    rule!(specifiers_of_type(Place::TypeName).then(declarator(Naming::Abstract)).map_with(
        |(specifiers, (declarator, _)), e| {
            let is_vector = specifiers.is_vector && declarator.derived.is_empty();
            let span = e.place();
            (TypeName { specifiers: specifiers.list, declarator, span }, is_vector)
        }
    ))
}

pub(super) fn is_vector_attribute(input: &mut Input<'_, '_>, name: Symbol) -> bool {
    matches!(input.state().interner.resolve(name), "ext_vector_type" | "vector_size")
}

impl Specifiers {
    fn push_type(&mut self, ty: TypeSpecifier, span: Span) {
        self.has_type = true;
        self.list.push(Specifier { kind: SpecifierKind::Type(ty), span });
    }

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
