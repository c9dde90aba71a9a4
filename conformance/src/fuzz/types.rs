//! The arithmetic types of the generated programs.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

use Scalar::{Char, Double, Float, Half, Int, Long, Short, UChar, UInt, ULong, UShort};

pub const INTEGERS: [Scalar; 8] = [Char, UChar, Short, UShort, Int, UInt, Long, ULong];
pub const WIDTHS: [usize; 5] = [2, 3, 4, 8, 16];

impl Scalar {
    pub fn name(self) -> &'static str {
        match self {
            Char => "char",
            UChar => "uchar",
            Short => "short",
            UShort => "ushort",
            Int => "int",
            UInt => "uint",
            Long => "long",
            ULong => "ulong",
            Half => "half",
            Float => "float",
            Double => "double",
        }
    }

    pub fn bits(self) -> usize {
        match self {
            Char | UChar => 8,
            Short | UShort | Half => 16,
            Int | UInt | Float => 32,
            Long | ULong | Double => 64,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, Char | Short | Int | Long)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Half | Float | Double)
    }

    /// The unsigned type as large.
    pub fn unsigned(self) -> Scalar {
        match self.bits() {
            8 => UChar,
            16 => UShort,
            32 => UInt,
            _ => ULong,
        }
    }

    /// The signed type as large.
    pub fn as_signed(self) -> Scalar {
        match self.bits() {
            8 => Char,
            16 => Short,
            32 => Int,
            _ => Long,
        }
    }
}

/// A scalar, or a vector where `width` is more than one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    pub scalar: Scalar,
    pub width: usize,
}

impl Type {
    pub fn scalar(scalar: Scalar) -> Type {
        Type { scalar, width: 1 }
    }

    pub fn vector(scalar: Scalar, width: usize) -> Type {
        Type { scalar, width }
    }

    pub fn is_vector(self) -> bool {
        self.width > 1
    }

    pub fn with(self, scalar: Scalar) -> Type {
        Type { scalar, ..self }
    }

    /// Bytes in memory, which are its alignment too; three components take the room of four.
    pub fn size(self) -> usize {
        self.scalar.bits() / 8 * self.width.next_power_of_two()
    }

    pub fn name(self) -> String {
        match self.width {
            1 => self.scalar.name().to_owned(),
            width => format!("{}{width}", self.scalar.name()),
        }
    }
}
