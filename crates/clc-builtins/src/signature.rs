//! The compact language of the table's signatures, parsed at compile time.
//!
//! A signature is `result(parameter, ...)`. Its words, where `T` ranges over the row's element
//! types and widths:
//!
//! | word | meaning |
//! |---|---|
//! | `T` | the generic type |
//! | `S` | an argument of `T`'s element type that stands for a `T` (`clamp(gentype, float, float)`) |
//! | `sT`, `uT` | `T` with signed or unsigned elements of the same size |
//! | `wideT` | `T` with elements of twice the size |
//! | `rel` | the result of relationals: `int` for scalars, else signed elements of `T`'s size |
//! | `intn` | `int` in `T`'s width |
//! | `ints` | an `int` that stands for an `intn` |
//! | `mask`, `Tm` | unsigned elements of `T`'s size in a width of its own; `T`'s elements in that width |
//! | `image`, `coord`, `fcoord`, `grad`, `dim` | an image of the row's kinds; its integer, float and gradient coordinates; the vector of its dimensions |
//! | `size` | `size_t` |
//! | `flags`, `order`, `scope` | the enumerations of synchronisation |
//! | `float`, `uint4`, `void`, `sampler`, `event` | themselves |
//! | `queue`, `clkevent`, `ndrange`, `reserve`, `block` | the types of device-side enqueue and of pipes |
//! | `rpipe`, `wpipe`, `pipe` | a pipe that can be read, that can be written, any |
//! | `T*` | a pointer in the row's address spaces; `local T*` and so on in that one |
//! | `S*` | a pointer to `T`'s element type |
//! | `atomic T*`, `flag*` | a pointer to `atomic_int` and the like, to `atomic_flag` |
//! | `any*` | a pointer to anything |
//! | `size*`, `clkevent*` | a pointer to `size_t`, to `clk_event_t` |
//! | `...` | any further arguments |

use clc_base::AddressSpace;

use crate::types::{Access, BuiltinType, Scalar};

/// One word of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Void,
    Generic,
    Element,
    Signed,
    Unsigned,
    Wide,
    Relational,
    IntN,
    IntScalar,
    Mask,
    Shuffled,
    Scalar(Scalar),
    Vector(Scalar, u8),
    Size,
    Image,
    Coordinate,
    FloatCoordinate,
    Gradient,
    Dimensions,
    Sampler,
    Event,
    Opaque(Opaque),
    Pointer(Pointee, PointerSpace, Qualifiers),
}

/// Opaque types that pass unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opaque {
    Queue,
    ClkEvent,
    NdRange,
    ReserveId,
    Block,
    ReadPipe,
    WritePipe,
    AnyPipe,
    Matrix,
}

impl Opaque {
    /// The type; of pipes the one whose name is shown.
    pub fn builtin_type(self) -> BuiltinType {
        match self {
            Opaque::Queue => BuiltinType::Queue,
            Opaque::ClkEvent => BuiltinType::ClkEvent,
            Opaque::NdRange => BuiltinType::NdRange,
            Opaque::ReserveId => BuiltinType::ReserveId,
            Opaque::Block => BuiltinType::Block,
            Opaque::ReadPipe | Opaque::AnyPipe => BuiltinType::Pipe(Access::ReadOnly),
            Opaque::WritePipe => BuiltinType::Pipe(Access::WriteOnly),
            Opaque::Matrix => BuiltinType::Matrix,
        }
    }

    /// Whether an argument is of the type.
    pub fn takes(self, argument: &BuiltinType) -> bool {
        match (self, argument) {
            (Opaque::AnyPipe, BuiltinType::Pipe(_)) => true,
            _ => self.builtin_type() == *argument,
        }
    }

    /// `queue_t`, `read_only pipe`
    pub fn name(self) -> &'static str {
        match self {
            Opaque::Queue => "queue_t",
            Opaque::ClkEvent => "clk_event_t",
            Opaque::NdRange => "ndrange_t",
            Opaque::ReserveId => "reserve_id_t",
            Opaque::Block => "block",
            Opaque::ReadPipe => "read_only pipe",
            Opaque::WritePipe => "write_only pipe",
            Opaque::AnyPipe => "pipe",
            Opaque::Matrix => "cooperative matrix",
        }
    }

    /// `a queue`
    pub fn words(self) -> &'static str {
        match self {
            Opaque::Queue => "a queue",
            Opaque::ClkEvent => "a device-side event",
            Opaque::NdRange => "an ndrange_t",
            Opaque::ReserveId => "a reservation",
            Opaque::Block => "a block",
            Opaque::ReadPipe => "a pipe that can be read",
            Opaque::WritePipe => "a pipe that can be written",
            Opaque::AnyPipe => "a pipe",
            Opaque::Matrix => "a cooperative matrix",
        }
    }
}

/// What a pointer parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointee {
    Generic,
    /// The element type of `T`.
    Element,
    IntN,
    AtomicGeneric,
    AtomicFlag,
    Scalar(Scalar),
    Size,
    Event,
    ClkEvent,
    /// Anything, also a type that has no name here.
    Any,
}

/// The address space that the declaration of a pointer parameter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointerSpace {
    /// Any of the row's address spaces.
    Row,
    Named(AddressSpace),
}

/// Qualifiers of the pointee in the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
}

/// `async_work_group_copy_3D3D` has the most.
pub(crate) const MAX_PARAMETERS: usize = 13;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub result: Pattern,
    parameters: [Pattern; MAX_PARAMETERS],
    count: u8,
    pub variadic: bool,
}

impl Signature {
    pub fn parameters(&self) -> &[Pattern] {
        &self.parameters[..self.count as usize]
    }

    /// Parses a signature of the table; a mistake in one fails the build.
    pub const fn parse(text: &str) -> Signature {
        let bytes = text.as_bytes();
        let mut open = 0;
        while bytes[open] != b'(' {
            open += 1;
        }
        assert!(bytes[bytes.len() - 1] == b')', "a signature ends in `)`");
        let mut signature = Signature {
            result: parse_pattern(bytes, 0, open),
            parameters: [Pattern::Void; MAX_PARAMETERS],
            count: 0,
            variadic: false,
        };
        let mut start = open + 1;
        let end = bytes.len() - 1;
        while start < end {
            let mut stop = start;
            while stop < end && bytes[stop] != b',' {
                stop += 1;
            }
            let (from, to) = trim(bytes, start, stop);
            if is(bytes, from, to, "...") {
                signature.variadic = true;
            } else {
                signature.parameters[signature.count as usize] = parse_pattern(bytes, from, to);
                signature.count += 1;
            }
            start = stop + 1;
        }
        signature
    }
}

const fn trim(bytes: &[u8], mut from: usize, mut to: usize) -> (usize, usize) {
    while from < to && bytes[from] == b' ' {
        from += 1;
    }
    while from < to && bytes[to - 1] == b' ' {
        to -= 1;
    }
    (from, to)
}

const fn is(bytes: &[u8], from: usize, to: usize, word: &str) -> bool {
    let word = word.as_bytes();
    if to - from != word.len() {
        return false;
    }
    let mut index = 0;
    while index < word.len() {
        if bytes[from + index] != word[index] {
            return false;
        }
        index += 1;
    }
    true
}

const fn parse_pattern(bytes: &[u8], from: usize, to: usize) -> Pattern {
    let (mut from, mut to) = trim(bytes, from, to);
    if bytes[to - 1] != b'*' {
        return parse_value(bytes, from, to);
    }
    to -= 1;
    let mut space = PointerSpace::Row;
    let mut qualifiers = Qualifiers { is_const: false, is_volatile: false };
    let mut atomic = false;
    loop {
        let mut stop = from;
        while stop < to && bytes[stop] != b' ' {
            stop += 1;
        }
        if is(bytes, from, stop, "const") {
            qualifiers.is_const = true;
        } else if is(bytes, from, stop, "volatile") {
            qualifiers.is_volatile = true;
        } else if is(bytes, from, stop, "atomic") {
            atomic = true;
        } else if is(bytes, from, stop, "global") {
            space = PointerSpace::Named(AddressSpace::Global);
        } else if is(bytes, from, stop, "local") {
            space = PointerSpace::Named(AddressSpace::Local);
        } else if is(bytes, from, stop, "constant") {
            space = PointerSpace::Named(AddressSpace::Constant);
        } else if is(bytes, from, stop, "private") {
            space = PointerSpace::Named(AddressSpace::Private);
        } else if is(bytes, from, stop, "generic") {
            space = PointerSpace::Named(AddressSpace::Generic);
        } else {
            break;
        }
        from = stop + 1;
    }
    let pointee = if atomic {
        assert!(is(bytes, from, to, "T"), "only `atomic T*` is known");
        Pointee::AtomicGeneric
    } else if is(bytes, from, to, "T") {
        Pointee::Generic
    } else if is(bytes, from, to, "S") {
        Pointee::Element
    } else if is(bytes, from, to, "intn") {
        Pointee::IntN
    } else if is(bytes, from, to, "flag") {
        Pointee::AtomicFlag
    } else if is(bytes, from, to, "event") {
        Pointee::Event
    } else if is(bytes, from, to, "clkevent") {
        Pointee::ClkEvent
    } else if is(bytes, from, to, "size") {
        Pointee::Size
    } else if is(bytes, from, to, "any") {
        Pointee::Any
    } else {
        match parse_value(bytes, from, to) {
            Pattern::Scalar(scalar) => Pointee::Scalar(scalar),
            _ => panic!("unknown pointee in a signature"),
        }
    };
    Pattern::Pointer(pointee, space, qualifiers)
}

const fn parse_value(bytes: &[u8], from: usize, to: usize) -> Pattern {
    const WORDS: [(&str, Pattern); 31] = [
        ("void", Pattern::Void),
        ("T", Pattern::Generic),
        ("S", Pattern::Element),
        ("sT", Pattern::Signed),
        ("uT", Pattern::Unsigned),
        ("wideT", Pattern::Wide),
        ("rel", Pattern::Relational),
        ("intn", Pattern::IntN),
        ("ints", Pattern::IntScalar),
        ("mask", Pattern::Mask),
        ("Tm", Pattern::Shuffled),
        ("size", Pattern::Size),
        ("image", Pattern::Image),
        ("coord", Pattern::Coordinate),
        ("fcoord", Pattern::FloatCoordinate),
        ("grad", Pattern::Gradient),
        ("dim", Pattern::Dimensions),
        ("sampler", Pattern::Sampler),
        ("event", Pattern::Event),
        ("queue", Pattern::Opaque(Opaque::Queue)),
        ("clkevent", Pattern::Opaque(Opaque::ClkEvent)),
        ("ndrange", Pattern::Opaque(Opaque::NdRange)),
        ("reserve", Pattern::Opaque(Opaque::ReserveId)),
        ("block", Pattern::Opaque(Opaque::Block)),
        ("rpipe", Pattern::Opaque(Opaque::ReadPipe)),
        ("wpipe", Pattern::Opaque(Opaque::WritePipe)),
        ("pipe", Pattern::Opaque(Opaque::AnyPipe)),
        ("matrix", Pattern::Opaque(Opaque::Matrix)),
        ("flags", Pattern::Scalar(Scalar::UInt)),
        ("order", Pattern::Scalar(Scalar::Int)),
        ("scope", Pattern::Scalar(Scalar::Int)),
    ];
    let mut index = 0;
    while index < WORDS.len() {
        if is(bytes, from, to, WORDS[index].0) {
            return WORDS[index].1;
        }
        index += 1;
    }
    let mut digits = to;
    let mut width = 0;
    let mut place = 1;
    while bytes[digits - 1].is_ascii_digit() {
        digits -= 1;
        width += (bytes[digits] - b'0') * place;
        place *= 10;
    }
    index = 0;
    while index < Scalar::ALL.len() {
        let scalar = Scalar::ALL[index];
        if is(bytes, from, digits, scalar.name()) {
            return if width == 0 {
                Pattern::Scalar(scalar)
            } else {
                Pattern::Vector(scalar, width)
            };
        }
        index += 1;
    }
    panic!("unknown word in a signature")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_parse() {
        let signature = Signature::parse("uint4(T, local const T*, ints, float16)");
        assert_eq!(signature.result, Pattern::Vector(Scalar::UInt, 4));
        assert_eq!(
            signature.parameters(),
            [
                Pattern::Generic,
                Pattern::Pointer(
                    Pointee::Generic,
                    PointerSpace::Named(AddressSpace::Local),
                    Qualifiers { is_const: true, is_volatile: false }
                ),
                Pattern::IntScalar,
                Pattern::Vector(Scalar::Float, 16),
            ]
        );
        let printf = Signature::parse("int(constant const char*, ...)");
        assert!(printf.variadic);
        assert_eq!(printf.parameters().len(), 1);
        assert!(Signature::parse("void()").parameters().is_empty());
    }
}
