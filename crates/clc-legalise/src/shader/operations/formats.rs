//! The binary formats of IEEE 754, as numbers.

/// A floating-point format by its widths in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub width: u32,
    /// Explicit bits of the significand.
    pub mantissa: u32,
}

impl Format {
    pub const HALF: Format = Format { width: 16, mantissa: 10 };
    pub const FLOAT: Format = Format { width: 32, mantissa: 23 };
    pub const DOUBLE: Format = Format { width: 64, mantissa: 52 };

    /// # Panics
    /// If no float has this width.
    pub fn of_width(width: u8) -> Format {
        match width {
            16 => Format::HALF,
            32 => Format::FLOAT,
            64 => Format::DOUBLE,
            _ => unreachable!("floats have 16, 32 or 64 bits"),
        }
    }

    /// What is added to exponents.
    pub fn bias(self) -> u64 {
        (1 << (self.width - self.mantissa - 2)) - 1
    }

    /// All bits but the sign.
    pub fn magnitude_mask(self) -> u64 {
        (1 << (self.width - 1)) - 1
    }

    pub fn sign_bit(self) -> u64 {
        1 << (self.width - 1)
    }

    pub fn mantissa_mask(self) -> u64 {
        (1 << self.mantissa) - 1
    }

    /// The bits of infinity, which are those of the largest exponent.
    pub fn infinity(self) -> u64 {
        self.magnitude_mask() & !self.mantissa_mask()
    }

    /// The smallest normal number, whose only bit is the lowest of the exponent.
    pub fn least_normal(self) -> u64 {
        1 << self.mantissa
    }

    /// The bits of two to the power of `exponent`, which is that of a normal number.
    pub fn power_of_two(self, exponent: i32) -> u64 {
        ((self.bias() as i64 + i64::from(exponent)) as u64) << self.mantissa
    }

    /// The most significant bit of the mantissa: NaNs are quiet.
    pub fn quiet_bit(self) -> u64 {
        1 << (self.mantissa - 1)
    }
}

/// The bits of `value`, rounded to nearest even; what is too large becomes infinite. For constants
/// that are normal numbers or zero in `format`.
pub(super) fn encode(format: Format, value: f64) -> u64 {
    match format.width {
        64 => value.to_bits(),
        32 => u64::from((value as f32).to_bits()),
        _ => {
            let magnitude = value.abs();
            let sign = if value.is_sign_negative() { format.sign_bit() } else { 0 };
            if magnitude == 0.0 {
                return sign;
            }
            // The double with the precision of a half: rounding may carry into the exponent.
            let dropped = Format::DOUBLE.mantissa - format.mantissa;
            let bits = magnitude.to_bits();
            let rounded = (bits + (1 << (dropped - 1)) - 1 + (bits >> dropped & 1)) >> dropped;
            let rebias = (Format::DOUBLE.bias() - format.bias()) << format.mantissa;
            sign | rounded.saturating_sub(rebias).min(format.infinity())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_encoded_as_ieee_754_says() {
        for (value, half) in [
            (0.0, 0),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65536.0, 0x7c00),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (std::f64::consts::PI, 0x4248),
        ] {
            assert_eq!(encode(Format::HALF, value), half, "{value}");
        }
        assert_eq!(encode(Format::FLOAT, 0.1), u64::from(0.1f32.to_bits()));
        for format in [Format::HALF, Format::FLOAT, Format::DOUBLE] {
            assert_eq!(encode(format, 0.125), format.power_of_two(-3));
            assert_eq!(encode(format, f64::INFINITY), format.infinity());
        }
    }
}
