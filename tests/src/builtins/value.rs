//! One scalar of any OpenCL type, as bits.

use std::fmt;

use crate::data::Element;

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value {
    pub element: Element,
    /// Zero above the element's size.
    pub bits: u64,
}

impl Value {
    pub fn from_bits(element: Element, bits: u64) -> Value {
        let size = 8 * element.size();
        Value { element, bits: if size == 64 { bits } else { bits & ((1 << size) - 1) } }
    }

    /// Integers wrap; floats are rounded to nearest even.
    pub fn int(element: Element, value: i128) -> Value {
        if element.is_float() {
            return Value::float(element, value as f64);
        }
        Value::from_bits(element, value as u64)
    }

    /// `value` rounded to nearest even. Of no use for integers.
    pub fn float(element: Element, value: f64) -> Value {
        let bits = match element {
            Element::Half => u64::from(half::f16::from_f64(value).to_bits()),
            Element::Float => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        Value { element, bits }
    }

    /// The number an integer is.
    pub fn to_int(self) -> i128 {
        let shift = 128 - self.width();
        if is_signed(self.element) {
            (i128::from(self.bits) << shift) >> shift
        } else {
            i128::from(self.bits)
        }
    }

    /// The number a float is: exact, for double holds all floats. NaNs lose their payload.
    pub fn to_float(self) -> f64 {
        match self.element {
            Element::Half => half::f16::from_bits(self.bits as u16).to_f64(),
            Element::Float => f64::from(f32::from_bits(self.bits as u32)),
            Element::Double => f64::from_bits(self.bits),
            _ => self.to_int() as f64,
        }
    }

    pub fn is_nan(self) -> bool {
        self.element.is_float() && self.to_float().is_nan()
    }

    /// Bits of the type.
    pub fn width(self) -> u32 {
        8 * self.element.size() as u32
    }

    pub fn push(self, bytes: &mut Vec<u8>) {
        bytes.extend(&self.bits.to_le_bytes()[..self.element.size()]);
    }

    pub fn read(element: Element, bytes: &[u8], index: usize) -> Option<Value> {
        let size = element.size();
        let mut word = [0; 8];
        word[..size].copy_from_slice(bytes.get(index * size..(index + 1) * size)?);
        Some(Value { element, bits: u64::from_le_bytes(word) })
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.element.is_float() {
            write!(f, "{:e} ({:#x})", self.to_float(), self.bits)
        } else {
            write!(f, "{}", self.to_int())
        }
    }
}

pub fn is_signed(element: Element) -> bool {
    matches!(element, Element::Char | Element::Short | Element::Int | Element::Long)
}

/// The least and the greatest value of an integer type.
pub fn limits(element: Element) -> (i128, i128) {
    let bits = 8 * element.size() as u32;
    match is_signed(element) {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

pub fn to_signed(element: Element) -> Element {
    match element.size() {
        1 => Element::Char,
        2 => Element::Short,
        4 => Element::Int,
        _ => Element::Long,
    }
}

pub fn to_unsigned(element: Element) -> Element {
    match element.size() {
        1 => Element::UChar,
        2 => Element::UShort,
        4 => Element::UInt,
        _ => Element::ULong,
    }
}

pub const INTEGERS: [Element; 8] = [
    Element::Char,
    Element::UChar,
    Element::Short,
    Element::UShort,
    Element::Int,
    Element::UInt,
    Element::Long,
    Element::ULong,
];
pub const FLOATS: [Element; 3] = [Element::Half, Element::Float, Element::Double];
pub const ALL: [Element; 11] = [
    Element::Char,
    Element::UChar,
    Element::Short,
    Element::UShort,
    Element::Int,
    Element::UInt,
    Element::Long,
    Element::ULong,
    Element::Half,
    Element::Float,
    Element::Double,
];

/// `float`, as written in OpenCL C.
pub fn name(element: Element) -> &'static str {
    match element {
        Element::Char => "char",
        Element::UChar => "uchar",
        Element::Short => "short",
        Element::UShort => "ushort",
        Element::Int => "int",
        Element::UInt => "uint",
        Element::Long => "long",
        Element::ULong => "ulong",
        Element::Half => "half",
        Element::Float => "float",
        Element::Double => "double",
    }
}

/// `float4`; `float` for one component.
pub fn vector(element: Element, width: usize) -> String {
    format!("{}{}", name(element), suffix(width))
}

/// `4`; nothing for one component.
pub fn suffix(width: usize) -> String {
    if width == 1 { String::new() } else { width.to_string() }
}
