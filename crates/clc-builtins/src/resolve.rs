//! The overload engine.
//!
//! A row of the table stands for many overloads. For a call, the arguments that are vectors or
//! pointers settle what the row's generic type is; only calls with scalars alone try each element
//! type of the row. What is left are a few candidates with a cost for each argument, and the usual
//! C++ rule chooses: a candidate must be no worse in every argument and better in one.

use clc_base::{AddressSpace, Version};

use crate::explain::explain;
use crate::signature::{Opaque, Pattern, Place, Pointee, Qualifiers};
use crate::structural::{self, Structural};
use crate::table::{self, Elements, Row};
use crate::types::{BuiltinType, Environment, ImageKind, Scalar};
use crate::{Extension, Intrinsic, features};

/// The overload a call chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    pub meaning: Meaning,
    /// The types the arguments are converted to; arguments beyond these (printf) undergo the
    /// default argument promotions.
    ///
    /// A scalar argument whose parameter is a vector is converted to the element type and
    /// replicated. A pointer argument keeps its own type, except that it becomes generic where the
    /// parameter is: qualifiers, and signedness of the pointee, do not change what the call does.
    pub parameters: Vec<BuiltinType>,
    pub result: BuiltinType,
}

/// How a resolved call is expressed in the typed tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Call the intrinsic with the converted arguments.
    Intrinsic(Intrinsic),
    /// `convert_T[_sat][_rtX]`: a conversion to the result type.
    Convert { rounding: Option<Rounding>, saturate: bool },
    /// `as_T`: reinterpret the bits as the result type.
    Reinterpret,
}

/// Rounding modes of explicit conversions (OpenCL C 6.4.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    NearestEven,
    TowardZero,
    TowardPositive,
    TowardNegative,
}

/// Why no overload fits. All texts are ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The name exists, but only from a later version on or with an extension.
    Missing { since: Option<Version>, extension: Option<Extension> },
    /// The best overloads tie (indices of the tied overloads' texts).
    Ambiguous { candidates: Vec<String> },
    /// Each near candidate with the reason it fails: `clamp(float4, float4, float4)` and
    /// `argument 2 is int4; vectors do not convert implicitly`.
    NoMatch { candidates: Vec<(String, String)> },
}

/// Whether `name` is a builtin function in some version of the language.
pub fn is_builtin(name: &str) -> bool {
    table::rows_of(name).next().is_some() || structural::parse(name).is_some()
}

/// All names of builtin functions, for "did you mean".
pub fn names() -> impl Iterator<Item = &'static str> {
    table::names().chain(structural::names())
}

/// Chooses the overload of builtin `name` for `arguments`.
///
/// The implicit conversions are those of OpenCL C 6.4.1 and 6.4.2; ranking follows the usual C++
/// rules as the specification's overloads presume: exact before promotion before conversion, a candidate
/// must be no worse in every argument and better in one.
pub fn resolve(
    name: &str,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let rows = table::rows_of(name);
    if rows.clone().next().is_some() {
        return choose(name, rows, arguments, environment);
    }
    match structural::parse(name) {
        Some(Structural::Memory(row)) => {
            choose(name, std::iter::once(&row), arguments, environment)
        }
        Some(Structural::Convert { element, width, rounding, saturate }) => {
            let meaning = Meaning::Convert { rounding, saturate };
            convert(name, (element, width), meaning, arguments, environment)
        }
        Some(Structural::Reinterpret { element, width }) => {
            let element = element.scalar(environment.address_bits);
            reinterpret(name, (element, width), arguments, environment)
        }
        None => Err(Failure::NoMatch { candidates: Vec::new() }),
    }
}

/// What the environment offers, looked up once for each call.
#[derive(Clone, Copy)]
pub(crate) struct Available {
    pub elements: Elements,
    pub generic: bool,
    pub size: Scalar,
}

impl Available {
    pub fn new(environment: &Environment<'_>) -> Available {
        let extensions = environment.extensions;
        let mut elements = table::INTS.0 | 1 << Scalar::Float as u16;
        if extensions.contains(features::FP16) {
            elements |= 1 << Scalar::Half as u16;
        }
        if extensions.contains(features::FP64) || extensions.contains(features::FEATURE_FP64) {
            elements |= 1 << Scalar::Double as u16;
        }
        let generic = environment.version == Version::V2_0
            || environment.version > Version::V2_0
                && extensions.contains(features::FEATURE_GENERIC_ADDRESS_SPACE);
        let size = match environment.address_bits {
            clc_base::lang::AddressBits::Bits32 => Scalar::UInt,
            clc_base::lang::AddressBits::Bits64 => Scalar::ULong,
        };
        Available { elements: Elements(elements), generic, size }
    }
}

/// Costs of one argument's conversion, best first. Four bits each.
type Cost = u8;
const EXACT: Cost = 0;
/// Qualifiers are added, or a named address space becomes generic.
const QUALIFY: Cost = 1;
const PROMOTE: Cost = 2;
const CONVERT: Cost = 3;
/// A scalar becomes a vector.
const WIDEN: Cost = 4;
/// A pointer to an integer of the other signedness.
const DISTANT: Cost = 5;

/// One overload of a row.
#[derive(Clone, Copy)]
pub(crate) struct Overload<'r> {
    pub row: &'r Row,
    pub element: Scalar,
    pub width: u8,
    /// Width of `mask` and `Tm`.
    pub mask_width: u8,
    pub image: Option<ImageKind>,
}

#[derive(Clone, Copy)]
struct Candidate<'r> {
    overload: Overload<'r>,
    /// Four bits for each argument.
    costs: u64,
}

/// The address spaces that are no others' union.
const NAMED: [AddressSpace; 4] =
    [AddressSpace::Private, AddressSpace::Global, AddressSpace::Local, AddressSpace::Constant];

/// More candidates than a call can have: `clamp` of scalars has one for each scalar type.
const MAX_CANDIDATES: usize = 64;

fn choose<'r>(
    name: &str,
    rows: impl Iterator<Item = &'r Row> + Clone,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let available = Available::new(environment);
    if let Some(extension) = absent_type(rows.clone(), arguments, &available) {
        return Err(Failure::Missing { since: None, extension: Some(extension) });
    }
    let mut candidates = [const { None::<Candidate<'r>> }; MAX_CANDIDATES];
    let mut count = 0;
    for row in rows.clone() {
        let parameters = row.signature.parameters();
        let fits = arguments.len() == parameters.len()
            || row.signature.variadic && arguments.len() > parameters.len();
        if !fits || !row.guard.holds(environment) {
            continue;
        }
        let binding = Binding::new(row, arguments);
        let Some(width) = binding.width(row) else { continue };
        // Nothing else says how many components the result of a shuffle has.
        if row.signature.parameters().contains(&Pattern::Mask)
            && binding.mask_width.is_none_or(|width| row.widths >> width & 1 == 0)
        {
            continue;
        }
        let mut elements = match (row.elements, binding.element) {
            (table::NONE, _) => 1 << Scalar::Int as u16,
            (_, Some(element)) => row.elements.0 & available.elements.0 & 1 << element as u16,
            (_, None) => row.elements.0 & available.elements.0,
        };
        while elements != 0 {
            let element = Scalar::ALL[elements.trailing_zeros() as usize];
            elements &= elements - 1;
            let overload = Overload {
                row,
                element,
                width,
                mask_width: binding.mask_width.unwrap_or(width),
                image: binding.image,
            };
            let Some(costs) = overload.costs(arguments, &available) else { continue };
            if costs == 0 {
                return Ok(overload.resolved(arguments, &available));
            }
            if count < MAX_CANDIDATES {
                candidates[count] = Some(Candidate { overload, costs });
                count += 1;
            }
        }
    }
    let candidates = &candidates[..count];
    let best = candidates.iter().flatten().find(|best| {
        candidates
            .iter()
            .flatten()
            .all(|other| std::ptr::eq(*best, other) || better(best.costs, other.costs))
    });
    match best {
        Some(best) => Ok(best.overload.resolved(arguments, &available)),
        None if count == 0 => Err(explain(name, rows, arguments, environment)),
        None => {
            let tied = candidates
                .iter()
                .flatten()
                .filter(|candidate| {
                    !candidates.iter().flatten().any(|other| better(other.costs, candidate.costs))
                })
                .map(|candidate| candidate.overload.text(name, &available))
                .collect();
            Err(Failure::Ambiguous { candidates: tied })
        }
    }
}

/// The extension that an argument's type needs, if overloads for the type exist with it: nobody
/// expects a `float` to be chosen for a `double`.
fn absent_type<'r>(
    mut rows: impl Iterator<Item = &'r Row>,
    arguments: &[BuiltinType],
    available: &Available,
) -> Option<Extension> {
    let absent = arguments.iter().find_map(|argument| match *argument {
        BuiltinType::Scalar(scalar @ (Scalar::Half | Scalar::Double))
        | BuiltinType::Vector(scalar @ (Scalar::Half | Scalar::Double), _) => {
            (!available.elements.contains(scalar)).then_some(scalar)
        }
        _ => None,
    })?;
    rows.any(|row| {
        row.elements.contains(absent) && row.signature.parameters().len() == arguments.len()
    })
    .then_some(if absent == Scalar::Half { features::FP16 } else { features::FP64 })
}

/// No worse in every argument and better in one.
fn better(left: u64, right: u64) -> bool {
    left != right && (0..16).all(|index| left >> (4 * index) & 15 <= right >> (4 * index) & 15)
}

/// What the arguments say about a row's generic type. The first argument that says something
/// wins; if another disagrees, its cost does not exist.
#[derive(Clone, Copy, Default)]
pub(crate) struct Binding {
    pub element: Option<Scalar>,
    pub width: Option<u8>,
    pub mask_width: Option<u8>,
    pub image: Option<ImageKind>,
}

impl Binding {
    pub fn new(row: &Row, arguments: &[BuiltinType]) -> Binding {
        let mut binding = Binding::default();
        for (&pattern, argument) in row.signature.parameters().iter().zip(arguments) {
            match (pattern, argument) {
                (Pattern::Generic, &BuiltinType::Vector(element, width)) => {
                    binding.element.get_or_insert(element);
                    binding.width.get_or_insert(width);
                }
                (
                    Pattern::Signed | Pattern::Unsigned | Pattern::IntN,
                    &BuiltinType::Vector(_, width),
                ) => {
                    binding.width.get_or_insert(width);
                }
                (Pattern::Mask, &BuiltinType::Vector(_, width)) => {
                    binding.mask_width.get_or_insert(width);
                }
                (Pattern::Image, &BuiltinType::Image(kind, _)) => binding.image = Some(kind),
                (Pattern::Pointer(pointee, _, _), BuiltinType::Pointer { pointee: given, .. }) => {
                    match (pointee, &**given) {
                        (Pointee::Generic, &BuiltinType::Scalar(element)) => {
                            binding.element.get_or_insert(element);
                            binding.width.get_or_insert(1);
                        }
                        (Pointee::Generic, &BuiltinType::Vector(element, width)) => {
                            binding.element.get_or_insert(element);
                            binding.width.get_or_insert(width);
                        }
                        (Pointee::Element, &BuiltinType::Scalar(element)) => {
                            binding.element.get_or_insert(element);
                        }
                        (Pointee::AtomicGeneric, &BuiltinType::Atomic(element)) => {
                            binding.element.get_or_insert(element);
                            binding.width.get_or_insert(1);
                        }
                        (Pointee::IntN, &BuiltinType::Vector(_, width)) => {
                            binding.width.get_or_insert(width);
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        binding
    }

    /// The width of the generic type, if the row has it: what the arguments say, or scalar, or the
    /// only width of the row.
    fn width(&self, row: &Row) -> Option<u8> {
        match self.width {
            Some(width) => (row.widths >> width & 1 != 0).then_some(width),
            None if row.widths & table::SCALAR != 0 => Some(1),
            None if row.widths.is_power_of_two() => Some(row.widths.trailing_zeros() as u8),
            None => None,
        }
    }
}

impl Overload<'_> {
    /// The costs of all arguments, or `None` if one does not convert.
    fn costs(&self, arguments: &[BuiltinType], available: &Available) -> Option<u64> {
        let mut costs = 0;
        for (index, (&pattern, argument)) in
            self.row.signature.parameters().iter().zip(arguments).enumerate()
        {
            costs |= u64::from(self.cost(pattern, argument, available)?) << (4 * index);
        }
        Some(costs)
    }

    /// The cost of passing `argument` for `pattern`.
    pub fn cost(
        &self,
        pattern: Pattern,
        argument: &BuiltinType,
        available: &Available,
    ) -> Option<Cost> {
        if let Some((element, width)) = self.arithmetic(pattern, available) {
            return arithmetic_cost(argument, element, width);
        }
        match (pattern, argument) {
            (Pattern::Image, &BuiltinType::Image(kind, access)) => {
                (self.row.images >> kind as u16 & 1 != 0
                    && self.row.access >> access as u8 & 1 != 0)
                    .then_some(EXACT)
            }
            (Pattern::Sampler, BuiltinType::Sampler) | (Pattern::Event, BuiltinType::Event) => {
                Some(EXACT)
            }
            // A sampler may be written as an integer constant, an event as zero.
            (Pattern::Sampler | Pattern::Event, BuiltinType::NullPointer) => Some(CONVERT),
            (Pattern::Sampler | Pattern::Event, BuiltinType::Scalar(scalar)) => {
                scalar.is_integer().then_some(CONVERT)
            }
            (Pattern::Opaque(opaque), given) if opaque.takes(given) => Some(EXACT),
            // Zero is the queue, event or reservation that is none.
            (
                Pattern::Opaque(Opaque::Queue | Opaque::ClkEvent | Opaque::ReserveId),
                BuiltinType::NullPointer,
            ) => Some(CONVERT),
            (Pattern::Pointer(_, place, _), BuiltinType::NullPointer) => {
                self.space_of_null(place, available).map(|_| CONVERT)
            }
            (
                Pattern::Pointer(pointee, place, qualifiers),
                BuiltinType::Pointer { pointee: given, space, is_const, is_volatile },
            ) => {
                let moved = self.reaches(place, *space, available)?;
                // Without the generic address space, atomics have overloads for global and local
                // memory only (OpenCL C 6.15.12.7).
                let is_atomic = matches!(pointee, Pointee::AtomicGeneric | Pointee::AtomicFlag);
                if is_atomic && *space == AddressSpace::Private && !available.generic {
                    return None;
                }
                let found = self.pointee_cost(pointee, given, available)?;
                if *is_const && !qualifiers.is_const {
                    return None;
                }
                let given = Qualifiers { is_const: *is_const, is_volatile: *is_volatile };
                Some(if moved || given != qualifiers { found.max(QUALIFY) } else { found })
            }
            _ => None,
        }
    }

    /// The element and width of a pattern for arithmetic values. A scalar form's parameter is the
    /// scalar here; [`Overload::parameter`] widens it.
    pub fn arithmetic(&self, pattern: Pattern, available: &Available) -> Option<(Scalar, u8)> {
        let image = self.image.unwrap_or(ImageKind::Image2d);
        Some(match pattern {
            Pattern::Generic => (self.element, self.width),
            Pattern::Element => (self.element, 1),
            Pattern::Signed => (self.element.to_signed(), self.width),
            Pattern::Unsigned => (self.element.to_unsigned(), self.width),
            Pattern::Wide => (wide(self.element), self.width),
            Pattern::Relational if self.width == 1 => (Scalar::Int, 1),
            Pattern::Relational => (self.element.to_signed(), self.width),
            Pattern::IntN => (Scalar::Int, self.width),
            Pattern::IntScalar => (Scalar::Int, 1),
            Pattern::Mask => (self.element.to_unsigned(), self.mask_width),
            Pattern::Shuffled => (self.element, self.mask_width),
            Pattern::Scalar(scalar) => (scalar, 1),
            Pattern::Vector(scalar, width) => (scalar, width),
            Pattern::Size => (available.size, 1),
            Pattern::Coordinate => (Scalar::Int, image.coordinate_width()),
            Pattern::FloatCoordinate => (Scalar::Float, image.coordinate_width()),
            Pattern::Gradient => {
                (Scalar::Float, if image.dimensions() == 3 { 4 } else { image.dimensions() })
            }
            Pattern::Dimensions => (Scalar::Int, if image.dimensions() == 3 { 4 } else { 2 }),
            Pattern::Void
            | Pattern::Image
            | Pattern::Sampler
            | Pattern::Event
            | Pattern::Opaque(_)
            | Pattern::Pointer(..) => return None,
        })
    }

    /// Whether a pointer to `space` can be passed: unchanged (`false`) or made generic (`true`).
    fn reaches(&self, place: Place, space: AddressSpace, available: &Available) -> Option<bool> {
        match place {
            Place::Row => {
                let fits = self.row.spaces >> space as u8 & 1 != 0
                    && (space != AddressSpace::Generic || available.generic);
                fits.then_some(false)
            }
            Place::Named(AddressSpace::Generic) => {
                (space != AddressSpace::Constant).then_some(space != AddressSpace::Generic)
            }
            Place::Named(named) => (space == named).then_some(false),
        }
    }

    /// The address space of a null pointer that is passed: nothing but the declaration says it, so
    /// there is none where overloads for several address spaces exist.
    fn space_of_null(&self, place: Place, available: &Available) -> Option<AddressSpace> {
        let spaces = self.row.spaces;
        let has = |space: AddressSpace| spaces >> space as u8 & 1 != 0;
        match place {
            Place::Named(space) => Some(space),
            Place::Row if available.generic && has(AddressSpace::Generic) => {
                (!has(AddressSpace::Constant)).then_some(AddressSpace::Generic)
            }
            Place::Row => {
                let mut named = NAMED.into_iter().filter(|&space| has(space));
                let only = named.next()?;
                named.next().is_none().then_some(only)
            }
        }
    }

    fn pointee_cost(
        &self,
        pattern: Pointee,
        given: &BuiltinType,
        available: &Available,
    ) -> Option<Cost> {
        let (element, width) = match pattern {
            Pointee::Any => return Some(EXACT),
            Pointee::AtomicFlag => return (*given == BuiltinType::AtomicFlag).then_some(EXACT),
            Pointee::Event => return (*given == BuiltinType::Event).then_some(EXACT),
            Pointee::ClkEvent => return (*given == BuiltinType::ClkEvent).then_some(EXACT),
            Pointee::Size => (available.size, 1),
            Pointee::AtomicGeneric => {
                return (*given == BuiltinType::Atomic(self.element)).then_some(EXACT);
            }
            Pointee::Generic => (self.element, self.width),
            Pointee::Element => (self.element, 1),
            Pointee::IntN => (Scalar::Int, self.width),
            Pointee::Scalar(scalar) => (scalar, 1),
        };
        let (found, found_width) = match *given {
            BuiltinType::Scalar(scalar) => (scalar, 1),
            BuiltinType::Vector(scalar, width) => (scalar, width),
            _ => return None,
        };
        if found_width != width {
            None
        } else if found == element {
            Some(EXACT)
        } else {
            let other_signedness = found.is_integer()
                && element.is_integer()
                && found != Scalar::Bool
                && found.size() == element.size();
            other_signedness.then_some(DISTANT)
        }
    }

    fn resolved(&self, arguments: &[BuiltinType], available: &Available) -> Resolved {
        let signature = &self.row.signature;
        Resolved {
            meaning: Meaning::Intrinsic(self.row.intrinsic),
            parameters: signature
                .parameters()
                .iter()
                .zip(arguments)
                .map(|(&pattern, argument)| self.parameter(pattern, Some(argument), available))
                .collect(),
            result: match signature.result {
                Pattern::Pointer(Pointee::Any, Place::Named(space), _) => {
                    respaced(&arguments[0], space)
                }
                result => self.parameter(result, None, available),
            },
        }
    }

    /// The type an argument is converted to, and the type of the result.
    fn parameter(
        &self,
        pattern: Pattern,
        argument: Option<&BuiltinType>,
        available: &Available,
    ) -> BuiltinType {
        match pattern {
            Pattern::Element => value(self.element, self.width),
            Pattern::IntScalar => value(Scalar::Int, self.width),
            Pattern::Void => BuiltinType::Void,
            Pattern::Sampler => BuiltinType::Sampler,
            Pattern::Event => BuiltinType::Event,
            Pattern::Opaque(opaque) => match argument {
                Some(given @ BuiltinType::Pipe(_)) => given.clone(),
                _ => opaque.builtin_type(),
            },
            Pattern::Image => argument.cloned().unwrap_or(BuiltinType::Other),
            Pattern::Pointer(pointee, place, qualifiers) => match argument {
                Some(given @ BuiltinType::Pointer { .. }) => match place {
                    Place::Named(AddressSpace::Generic) => respaced(given, AddressSpace::Generic),
                    Place::Named(_) | Place::Row => given.clone(),
                },
                _ => self.pointer(pointee, place, qualifiers, available),
            },
            _ => {
                let (element, width) =
                    self.arithmetic(pattern, available).unwrap_or((Scalar::Int, 1));
                value(element, width)
            }
        }
    }

    /// The declared type of a pointer parameter, for null pointers and for texts.
    pub fn pointer(
        &self,
        pointee: Pointee,
        place: Place,
        Qualifiers { is_const, is_volatile }: Qualifiers,
        available: &Available,
    ) -> BuiltinType {
        let first = || NAMED.into_iter().find(|&space| self.row.spaces >> space as u8 & 1 != 0);
        let space =
            self.space_of_null(place, available).or_else(first).unwrap_or(AddressSpace::Generic);
        let pointee = match pointee {
            Pointee::Generic => value(self.element, self.width),
            Pointee::Element => BuiltinType::Scalar(self.element),
            Pointee::IntN => value(Scalar::Int, self.width),
            Pointee::AtomicGeneric => BuiltinType::Atomic(self.element),
            Pointee::AtomicFlag => BuiltinType::AtomicFlag,
            Pointee::Size => BuiltinType::Scalar(available.size),
            Pointee::ClkEvent => BuiltinType::ClkEvent,
            Pointee::Scalar(scalar) => BuiltinType::Scalar(scalar),
            Pointee::Event => BuiltinType::Event,
            Pointee::Any => BuiltinType::Void,
        };
        BuiltinType::Pointer { pointee: Box::new(pointee), space, is_const, is_volatile }
    }
}

/// The scalar or vector of an element type.
pub(crate) fn value(element: Scalar, width: u8) -> BuiltinType {
    if width == 1 { BuiltinType::Scalar(element) } else { BuiltinType::Vector(element, width) }
}

/// The same pointer in another address space.
fn respaced(pointer: &BuiltinType, new_space: AddressSpace) -> BuiltinType {
    let mut pointer = pointer.clone();
    if let BuiltinType::Pointer { space, .. } = &mut pointer {
        *space = new_space;
    }
    pointer
}

/// The integer of twice the size and the same signedness.
fn wide(element: Scalar) -> Scalar {
    match element {
        Scalar::Char => Scalar::Short,
        Scalar::UChar => Scalar::UShort,
        Scalar::Short => Scalar::Int,
        Scalar::UShort => Scalar::UInt,
        Scalar::Int => Scalar::Long,
        Scalar::UInt => Scalar::ULong,
        Scalar::Half => Scalar::Float,
        Scalar::Bool | Scalar::Long | Scalar::ULong | Scalar::Float | Scalar::Double => element,
    }
}

fn arithmetic_cost(argument: &BuiltinType, element: Scalar, width: u8) -> Option<Cost> {
    match *argument {
        BuiltinType::Vector(from, from_width) => {
            (from == element && from_width == width).then_some(EXACT)
        }
        BuiltinType::Scalar(_) | BuiltinType::NullPointer if width > 1 => Some(WIDEN),
        BuiltinType::Scalar(from) => Some(scalar_cost(from, element)),
        // A literal zero is an int as much as it is a null pointer.
        BuiltinType::NullPointer => Some(scalar_cost(Scalar::Int, element)),
        _ => None,
    }
}

fn scalar_cost(from: Scalar, to: Scalar) -> Cost {
    match (from, to) {
        (from, to) if from == to => EXACT,
        (
            Scalar::Bool | Scalar::Char | Scalar::UChar | Scalar::Short | Scalar::UShort,
            Scalar::Int,
        )
        | (Scalar::Float, Scalar::Double) => PROMOTE,
        _ => CONVERT,
    }
}

fn convert(
    name: &str,
    (element, width): (Scalar, u8),
    meaning: Meaning,
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let result = destination(element, width, environment)?;
    let shape = if width == 1 { "a scalar".to_owned() } else { format!("a vector of {width}") };
    let argument = single_argument(name, &shape, arguments)?;
    let fits = match argument {
        BuiltinType::Scalar(_) | BuiltinType::NullPointer => width == 1,
        BuiltinType::Vector(_, found) => *found == width,
        _ => false,
    };
    if fits {
        return Ok(Resolved { meaning, parameters: vec![as_value(argument)], result });
    }
    let reason = format!("the argument is {argument}; converting to {result} takes {shape}");
    Err(Failure::NoMatch { candidates: vec![(format!("{name}({shape})"), reason)] })
}

fn reinterpret(
    name: &str,
    (element, width): (Scalar, u8),
    arguments: &[BuiltinType],
    environment: &Environment<'_>,
) -> Result<Resolved, Failure> {
    let result = destination(element, width, environment)?;
    // Three components take the space of four.
    let bytes = |element: Scalar, width: u8| element.size() * u64::from(width.next_power_of_two());
    let size = bytes(element, width);
    let shape = format!("a value of {size} byte{}", if size == 1 { "" } else { "s" });
    let argument = single_argument(name, &shape, arguments)?;
    let found = match *argument {
        BuiltinType::Scalar(Scalar::Bool) => None,
        BuiltinType::Scalar(scalar) => Some(bytes(scalar, 1)),
        BuiltinType::NullPointer => Some(4),
        BuiltinType::Vector(scalar, width) => Some(bytes(scalar, width)),
        _ => None,
    };
    let reason = match found {
        Some(found) if found == size => {
            let parameters = vec![as_value(argument)];
            return Ok(Resolved { meaning: Meaning::Reinterpret, parameters, result });
        }
        Some(found) => {
            format!("{argument} has {found} bytes and {result} has {size}; the sizes must be equal")
        }
        None => format!(
            "the argument is {argument}; only scalars and vectors of numbers can be reinterpreted"
        ),
    };
    Err(Failure::NoMatch { candidates: vec![(format!("{name}({shape})"), reason)] })
}

/// The result type of a conversion, if the environment has it.
fn destination(
    element: Scalar,
    width: u8,
    environment: &Environment<'_>,
) -> Result<BuiltinType, Failure> {
    if Available::new(environment).elements.contains(element) {
        return Ok(value(element, width));
    }
    let extension = if element == Scalar::Half { features::FP16 } else { features::FP64 };
    Err(Failure::Missing { since: None, extension: Some(extension) })
}

fn single_argument<'a>(
    name: &str,
    shape: &str,
    arguments: &'a [BuiltinType],
) -> Result<&'a BuiltinType, Failure> {
    match arguments {
        [argument] => Ok(argument),
        _ => Err(Failure::NoMatch {
            candidates: vec![(
                format!("{name}({shape})"),
                format!("takes 1 argument, {} given", arguments.len()),
            )],
        }),
    }
}

/// The type of an argument that is passed as it is.
fn as_value(argument: &BuiltinType) -> BuiltinType {
    match argument {
        BuiltinType::NullPointer => BuiltinType::Scalar(Scalar::Int),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
