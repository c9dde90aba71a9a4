//! Values while they are computed, with the bits of them that have no defined value.
//!
//! A bit is unknown where it was read from memory that was never written, or comes of an undefined value. It
//! stays unknown through whatever it decides; to branch on one, or to go to an address with one, is a fault.

/// A scalar of at most 64 bits: a number, a boolean, an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scalar {
    /// The bits; zero where they are unknown, and above the width.
    pub bits: u64,
    /// A one for each bit that is unknown.
    pub unknown: u64,
}

impl Scalar {
    /// All bits are known.
    pub const fn known(bits: u64) -> Scalar {
        Scalar { bits, unknown: 0 }
    }

    /// No bit of a scalar of this width is known.
    pub const fn unknown(width: u32) -> Scalar {
        Scalar { bits: 0, unknown: mask(width) }
    }

    /// `bits` where they are known.
    pub const fn partly(bits: u64, unknown: u64) -> Scalar {
        Scalar { bits: bits & !unknown, unknown }
    }

    /// The bits, if all are known.
    pub const fn get(self) -> Option<u64> {
        if self.unknown == 0 { Some(self.bits) } else { None }
    }

    /// What is known of a scalar that is either.
    pub const fn or(self, other: Scalar) -> Scalar {
        Scalar::partly(self.bits, self.unknown | other.unknown | self.bits ^ other.bits)
    }
}

/// A value of any type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A number, a boolean, a pointer.
    Scalar(Scalar),
    /// Of a vector, an array or a struct.
    Parts(Vec<Datum>),
}

impl Datum {
    /// A scalar of known bits.
    pub const fn known(bits: u64) -> Datum {
        Datum::Scalar(Scalar::known(bits))
    }

    /// The components of a vector, or the scalar itself.
    pub(crate) fn lane(&self, index: usize) -> Scalar {
        match self {
            Datum::Scalar(scalar) => *scalar,
            Datum::Parts(parts) => match parts.get(index) {
                Some(Datum::Scalar(scalar)) => *scalar,
                Some(Datum::Parts(_)) | None => Scalar::unknown(64),
            },
        }
    }

    /// The components of a vector; none for a scalar.
    pub(crate) fn lanes(&self) -> Option<usize> {
        match self {
            Datum::Scalar(_) => None,
            Datum::Parts(parts) => Some(parts.len()),
        }
    }

    /// Applies `operation` to scalars, or component by component; scalars stand beside each component.
    pub(crate) fn each<E>(
        data: &[Datum],
        mut operation: impl FnMut(&[Scalar]) -> Result<Scalar, E>,
    ) -> Result<Datum, E> {
        let mut apply = |index: usize| {
            let mut scalars = [Scalar::default(); 4];
            for (scalar, datum) in scalars.iter_mut().zip(data) {
                *scalar = datum.lane(index);
            }
            operation(&scalars[..data.len().min(4)]).map(Datum::Scalar)
        };
        match data.iter().find_map(Datum::lanes) {
            None => apply(0),
            Some(count) => Ok(Datum::Parts((0..count).map(apply).collect::<Result<_, E>>()?)),
        }
    }

    /// Calls `change` with each scalar.
    pub(crate) fn each_scalar_mut(&mut self, change: &mut dyn FnMut(&mut Scalar)) {
        match self {
            Datum::Scalar(scalar) => change(scalar),
            Datum::Parts(parts) => parts.iter_mut().for_each(|part| part.each_scalar_mut(change)),
        }
    }

    /// What is known of a value that is either.
    pub(crate) fn or(&self, other: &Datum) -> Datum {
        match (self, other) {
            (Datum::Scalar(left), Datum::Scalar(right)) => Datum::Scalar(left.or(*right)),
            (Datum::Parts(left), Datum::Parts(right)) => {
                Datum::Parts(left.iter().zip(right).map(|(left, right)| left.or(right)).collect())
            }
            _ => Datum::Scalar(Scalar::unknown(64)),
        }
    }
}

/// The lowest bits.
pub const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The number that bits of a width are in two's complement.
pub const fn signed(bits: u64, width: u32) -> i64 {
    let above = 64 - width;
    ((bits << above) as i64) >> above
}
