//! One overload of a row for one call: what the arguments bind, what passing them costs, and what
//! the parameters are.

use clc_base::{AddressSpace, Version};

use crate::features;
use crate::outcome::{Meaning, Resolved};
use crate::signature::{Opaque, Pattern, Pointee, PointerSpace, Qualifiers};
use crate::table::{self, Elements, Row};
use crate::types::{BuiltinType, Environment, ImageKind, Scalar};

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

/// The address spaces that are no others' union.
const NAMED: [AddressSpace; 4] =
    [AddressSpace::Private, AddressSpace::Global, AddressSpace::Local, AddressSpace::Constant];

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
    pub fn width(&self, row: &Row) -> Option<u8> {
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
    pub fn costs(&self, arguments: &[BuiltinType], available: &Available) -> Option<u64> {
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
            (Pattern::Pointer(_, declared, _), BuiltinType::NullPointer) => {
                self.space_of_null(declared, available).map(|_| CONVERT)
            }
            (
                Pattern::Pointer(pointee, declared, qualifiers),
                BuiltinType::Pointer { pointee: given, space, is_const, is_volatile },
            ) => {
                let moved = self.reaches(declared, *space, available)?;
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
    fn reaches(
        &self,
        declared: PointerSpace,
        space: AddressSpace,
        available: &Available,
    ) -> Option<bool> {
        match declared {
            PointerSpace::Row => {
                let fits = self.row.spaces >> space as u8 & 1 != 0
                    && (space != AddressSpace::Generic || available.generic);
                fits.then_some(false)
            }
            PointerSpace::Named(AddressSpace::Generic) => {
                (space != AddressSpace::Constant).then_some(space != AddressSpace::Generic)
            }
            PointerSpace::Named(named) => (space == named).then_some(false),
        }
    }

    /// The address space of a null pointer that is passed: nothing but the declaration says it, so
    /// there is none where overloads for several address spaces exist.
    fn space_of_null(&self, declared: PointerSpace, available: &Available) -> Option<AddressSpace> {
        let spaces = self.row.spaces;
        let has = |space: AddressSpace| spaces >> space as u8 & 1 != 0;
        match declared {
            PointerSpace::Named(space) => Some(space),
            PointerSpace::Row if available.generic && has(AddressSpace::Generic) => {
                (!has(AddressSpace::Constant)).then_some(AddressSpace::Generic)
            }
            PointerSpace::Row => {
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

    pub fn resolved(&self, arguments: &[BuiltinType], available: &Available) -> Resolved {
        let signature = &self.row.signature;
        Resolved {
            is_exact: false,
            meaning: Meaning::Intrinsic(self.row.intrinsic),
            parameters: signature
                .parameters()
                .iter()
                .zip(arguments)
                .map(|(&pattern, argument)| self.parameter(pattern, Some(argument), available))
                .collect(),
            result: match signature.result {
                Pattern::Pointer(Pointee::Any, PointerSpace::Named(space), _) => {
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
            Pattern::Pointer(pointee, declared, qualifiers) => match argument {
                Some(given @ BuiltinType::Pointer { .. }) => match declared {
                    PointerSpace::Named(AddressSpace::Generic) => {
                        respaced(given, AddressSpace::Generic)
                    }
                    PointerSpace::Named(_) | PointerSpace::Row => given.clone(),
                },
                _ => self.pointer(pointee, declared, qualifiers, available),
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
        declared: PointerSpace,
        Qualifiers { is_const, is_volatile }: Qualifiers,
        available: &Available,
    ) -> BuiltinType {
        let first = || NAMED.into_iter().find(|&space| self.row.spaces >> space as u8 & 1 != 0);
        let space =
            self.space_of_null(declared, available).or_else(first).unwrap_or(AddressSpace::Generic);
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
