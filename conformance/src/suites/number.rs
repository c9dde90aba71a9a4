//! Numbers as the suites write them: those of C, and `nan` and `inf`.

use clc_tests::data::Element;

/// Appends a number to the bytes of elements.
pub fn push(element: Element, word: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let bad = || format!("`{word}` is not a number");
    if element.is_float() {
        element.push_float(float(word).ok_or_else(bad)?, out);
    } else {
        element.push_int(integer(word).ok_or_else(bad)?, out);
    }
    Ok(())
}

/// Decimal, hexadecimal or octal, with a sign.
pub fn integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.to_ascii_lowercase();
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => {
            i128::from_str_radix(&digits, 8).ok()?
        }
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

pub fn float(word: &str) -> Option<f64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.to_ascii_lowercase();
    let value = match digits.strip_prefix("0x") {
        Some(hex) => hexadecimal(hex)?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// `1.8p-3`, of which the digits fit into a double.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let significand = u64::from_str_radix(&all, 16).ok()?;
    if significand >> 53 != 0 {
        return None;
    }
    let mut exponent = exponent - 4 * fraction.len() as i32;
    let mut value = significand as f64;
    // In steps: 2^-1074 is no factor that all numbers can be made with at once.
    while exponent != 0 {
        let step = exponent.clamp(-512, 512);
        value *= 2f64.powi(step);
        exponent -= step;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_c() {
        assert_eq!(integer("-0X1F"), Some(-31));
        assert_eq!(integer("010"), Some(8));
        assert_eq!(integer("18446744073709551615"), Some(u64::MAX.into()));
        assert_eq!(integer("0x"), None);
        assert_eq!(integer("1.5"), None);
        assert_eq!(float("0x1.8p-3"), Some(0.1875));
        assert_eq!(float("0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(float("-inf"), Some(f64::NEG_INFINITY));
        assert_eq!(float("1e3"), Some(1000.0));
        assert!(float("-nan").unwrap().is_nan());
        assert_eq!(float("1..2"), None);
        let mut bytes = Vec::new();
        push(Element::Half, "0x1p-14", &mut bytes).unwrap();
        push(Element::UChar, "-1", &mut bytes).unwrap();
        assert_eq!(bytes, [0, 4, 255]);
        assert!(push(Element::Int, "nan", &mut bytes).is_err());
    }
}
