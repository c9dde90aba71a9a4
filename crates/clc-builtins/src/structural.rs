//! Builtins whose names say their types: `convert_T`, `as_T`, `vloadn`, `vstoren` and the half
//! forms. They are parsed instead of listed.

use clc_base::lang::AddressBits;

use crate::Intrinsic;
use crate::table::{ALL, Elements, FLOAT, READABLE, Row, WRITABLE, f};
use crate::types::{Rounding, Scalar};

/// What such a name says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Structural {
    Convert {
        element: Scalar,
        width: u8,
        rounding: Option<Rounding>,
        saturate: bool,
    },
    Reinterpret {
        element: TargetScalar,
        width: u8,
    },
    /// A family like those of the table.
    Memory(Row),
}

/// The scalar that an `as_` name ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetScalar {
    Fixed(Scalar),
    /// `size_t`, `uintptr_t`
    UnsignedWord,
    /// `ptrdiff_t`, `intptr_t`
    SignedWord,
}

impl TargetScalar {
    pub fn scalar(self, address_bits: AddressBits) -> Scalar {
        match (self, address_bits) {
            (TargetScalar::Fixed(scalar), _) => scalar,
            (TargetScalar::UnsignedWord, AddressBits::Bits32) => Scalar::UInt,
            (TargetScalar::UnsignedWord, AddressBits::Bits64) => Scalar::ULong,
            (TargetScalar::SignedWord, AddressBits::Bits32) => Scalar::Int,
            (TargetScalar::SignedWord, AddressBits::Bits64) => Scalar::Long,
        }
    }
}

/// Data of `vstore_half`: float or double.
const FLOAT_DOUBLE: Elements = Elements::of(&[Scalar::Float, Scalar::Double]);

/// Takes a name apart; `None` if it is not of these families.
pub(crate) fn parse(name: &str) -> Option<Structural> {
    match name.as_bytes() {
        [b'c', b'o', b'n', b'v', b'e', b'r', b't', b'_', ..] => convert(&name[8..]),
        [b'a', b's', b'_', ..] => reinterpret(&name[3..]),
        [b'v', b'l', b'o', b'a', b'd', ..] => load(&name[5..]).map(Structural::Memory),
        [b'v', b's', b't', b'o', b'r', b'e', ..] => store(&name[6..]).map(Structural::Memory),
        _ => None,
    }
}

/// `uchar4_sat_rte`
fn convert(text: &str) -> Option<Structural> {
    let (element, rest) = scalar(text)?;
    let (width, rest) = width(rest)?;
    let (saturate, rest) = match rest.strip_prefix("_sat") {
        Some(_) if element.is_float() => return None,
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rounding = rounding(rest)?;
    Some(Structural::Convert { element, width, rounding, saturate })
}

fn reinterpret(text: &str) -> Option<Structural> {
    let word = match text {
        "size_t" | "uintptr_t" => Some(TargetScalar::UnsignedWord),
        "ptrdiff_t" | "intptr_t" => Some(TargetScalar::SignedWord),
        _ => None,
    };
    if let Some(element) = word {
        return Some(Structural::Reinterpret { element, width: 1 });
    }
    let (element, rest) = scalar(text)?;
    let (width, rest) = width(rest)?;
    rest.is_empty()
        .then_some(Structural::Reinterpret { element: TargetScalar::Fixed(element), width })
}

/// `4`, `_half`, `_half4`, `a_half4`
fn load(text: &str) -> Option<Row> {
    const LOAD: Row = f("", "T(size, const S*)", ALL, Intrinsic::Vload).spaces(READABLE);
    const HALF: Row = f("", "T(size, const half*)", FLOAT, Intrinsic::VloadHalf).spaces(READABLE);
    const ALIGNED: Row =
        f("", "T(size, const half*)", FLOAT, Intrinsic::VloadaHalf).spaces(READABLE);
    let (row, rest) = if let Some(rest) = text.strip_prefix("_half") {
        (HALF, rest)
    } else if let Some(rest) = text.strip_prefix("a_half") {
        (ALIGNED, rest)
    } else if text.is_empty() {
        return None;
    } else {
        (LOAD, text)
    };
    let (width, rest) = width(rest)?;
    rest.is_empty().then(|| row.widths(1 << width))
}

/// `4`, `_half`, `_half4_rte`, `a_half4_rte`
fn store(text: &str) -> Option<Row> {
    const STORE: Row = f("", "void(T, size, S*)", ALL, Intrinsic::Vstore).spaces(WRITABLE);
    const HALF: Row =
        f("", "void(T, size, half*)", FLOAT_DOUBLE, Intrinsic::VstoreHalf(None)).spaces(WRITABLE);
    let (half, aligned, rest) = if let Some(rest) = text.strip_prefix("_half") {
        (true, false, rest)
    } else if let Some(rest) = text.strip_prefix("a_half") {
        (true, true, rest)
    } else if text.is_empty() {
        return None;
    } else {
        (false, false, text)
    };
    let (width, rest) = width(rest)?;
    if !half {
        return rest.is_empty().then(|| STORE.widths(1 << width));
    }
    let rounding = rounding(rest)?;
    let intrinsic =
        if aligned { Intrinsic::VstoreaHalf(rounding) } else { Intrinsic::VstoreHalf(rounding) };
    Some(Row { intrinsic, ..HALF.widths(1 << width) })
}

/// The scalar type a name starts with (not `bool`), and the rest.
fn scalar(text: &str) -> Option<(Scalar, &str)> {
    let end = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    let scalar = Scalar::ALL[1..].iter().copied().find(|scalar| scalar.name() == &text[..end])?;
    Some((scalar, &text[end..]))
}

fn width(text: &str) -> Option<(u8, &str)> {
    for (digits, width) in [("2", 2), ("3", 3), ("4", 4), ("8", 8), ("16", 16)] {
        if let Some(rest) = text.strip_prefix(digits) {
            return Some((width, rest));
        }
    }
    Some((1, text))
}

fn rounding(text: &str) -> Option<Option<Rounding>> {
    Some(match text {
        "" => None,
        "_rte" => Some(Rounding::NearestEven),
        "_rtz" => Some(Rounding::TowardZero),
        "_rtp" => Some(Rounding::TowardPositive),
        "_rtn" => Some(Rounding::TowardNegative),
        _ => return None,
    })
}

macro_rules! rounded {
    ($($name:tt)*) => {
        [
            concat!($($name)*),
            concat!($($name)*, "_rte"),
            concat!($($name)*, "_rtz"),
            concat!($($name)*, "_rtp"),
            concat!($($name)*, "_rtn"),
        ]
    };
}

macro_rules! integer_names {
    ($($scalar:literal)*) => {
        [$(integer_names!(widths $scalar "" "2" "3" "4" "8" "16")),*]
    };
    (widths $scalar:literal $($width:literal)*) => {
        [$((
            concat!("as_", $scalar, $width),
            rounded!("convert_", $scalar, $width),
            rounded!("convert_", $scalar, $width, "_sat"),
        )),*]
    };
}

macro_rules! float_names {
    ($($scalar:literal)*) => {
        [$(float_names!(widths $scalar "" "2" "3" "4" "8" "16")),*]
    };
    (widths $scalar:literal $($width:literal)*) => {
        [$((concat!("as_", $scalar, $width), rounded!("convert_", $scalar, $width))),*]
    };
}

macro_rules! memory_names {
    ($($width:literal)*) => {
        [$((
            [
                concat!("vload", $width),
                concat!("vstore", $width),
                concat!("vload_half", $width),
                concat!("vloada_half", $width),
            ],
            rounded!("vstore_half", $width),
            rounded!("vstorea_half", $width),
        )),*]
    };
}

type IntegerNames = (&'static str, [&'static str; 5], [&'static str; 5]);
type FloatNames = (&'static str, [&'static str; 5]);
type MemoryNames = ([&'static str; 4], [&'static str; 5], [&'static str; 5]);

static INTEGER_NAMES: [[IntegerNames; 6]; 8] =
    integer_names!("char" "uchar" "short" "ushort" "int" "uint" "long" "ulong");
static FLOAT_NAMES: [[FloatNames; 6]; 3] = float_names!("half" "float" "double");
static MEMORY_NAMES: [MemoryNames; 5] = memory_names!("2" "3" "4" "8" "16");
static SCALAR_HALF_NAMES: ([&str; 5], &str) = (rounded!("vstore_half"), "vload_half");

/// Each of these names once.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let integers = INTEGER_NAMES.iter().flatten().flat_map(|(reinterpret, plain, saturated)| {
        std::iter::once(reinterpret).chain(plain).chain(saturated)
    });
    let floats = FLOAT_NAMES
        .iter()
        .flatten()
        .flat_map(|(reinterpret, plain)| std::iter::once(reinterpret).chain(plain));
    let memory = MEMORY_NAMES
        .iter()
        .flat_map(|(plain, store, aligned)| plain.iter().chain(store).chain(aligned));
    let scalar = SCALAR_HALF_NAMES.0.iter().chain(std::iter::once(&SCALAR_HALF_NAMES.1));
    integers.chain(floats).chain(scalar).chain(memory).copied()
}

/// A name of an intrinsic.
pub(crate) fn name_of(intrinsic: Intrinsic) -> Option<&'static str> {
    names().find(
        |name| matches!(parse(name), Some(Structural::Memory(row)) if row.intrinsic == intrinsic),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_names_parse() {
        let mut count = 0;
        for name in names() {
            assert!(parse(name).is_some(), "{name}");
            count += 1;
        }
        assert_eq!(count, 8 * 6 * 11 + 3 * 6 * 6 + 5 * 14 + 6);
    }

    #[test]
    fn near_misses_are_not_names() {
        for name in [
            "convert_",
            "convert_bool",
            "convert_float_sat",
            "convert_int5",
            "convert_int4_rtx",
            "convert_int4_rte_sat",
            "convert_uint4_satx",
            "as_",
            "as_int4_rte",
            "as_event_t",
            "vload",
            "vload_half4_rte",
            "vload32",
            "vstore",
            "vstore4_rte",
            "vstorex",
        ] {
            assert!(parse(name).is_none(), "{name}");
        }
    }
}
