//! `printf` (OpenCL C 6.15.14).

use clc_ir::Type;

use crate::floats;
use crate::machine::{Item, Machine};
use crate::stop::Stop;
use crate::value::{Datum, signed};

/// Characters of a string.
const LENGTH: usize = 1 << 16;
/// Digits and blanks of one number.
const WIDTH: usize = 4096;

#[derive(Default)]
struct Specification {
    flags: String,
    width: usize,
    precision: Option<usize>,
    /// Components of a vector.
    count: Option<usize>,
    /// Bits that `hh`, `h`, `hl` and `l` ask for.
    bits: Option<u32>,
    letter: char,
}

/// What a call prints.
pub(crate) fn format(
    machine: &mut Machine<'_>,
    item: &Item,
    operands: &[Datum],
    tys: &[Type],
) -> Result<String, Stop> {
    let mut arguments = operands.iter().zip(tys);
    let mut next =
        || arguments.next().ok_or_else(|| Stop::fault("`printf` with too few arguments"));
    let (text, _) = next()?;
    let text = string(machine, item, text)?;
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            out.push('%');
            continue;
        }
        let specification = specification(&mut rest)?;
        let (datum, &ty) = next()?;
        if specification.letter == 's' {
            // As drivers do, where nothing is promised.
            let text = match datum.lane(0).get() {
                Some(0) => "(null)".to_owned(),
                _ => string(machine, item, datum)?,
            };
            let kept = specification.precision.unwrap_or(usize::MAX);
            pad(&mut out, &specification, &text.chars().take(kept).collect::<String>());
            continue;
        }
        let (width, is_float) = (machine.width(ty), machine.types().is_float(ty));
        let lanes = datum.lanes().unwrap_or(1);
        if specification.count.is_some_and(|count| count != lanes) {
            return Err(Stop::unknown("`printf` of a vector of another length"));
        }
        for lane in 0..lanes {
            if lane != 0 {
                out.push(',');
            }
            let scalar = datum.lane(lane);
            let text = if is_float {
                let number = floats::number(scalar, width);
                let number = number.ok_or_else(|| Stop::fault("`printf` of an undefined value"))?;
                float(&specification, number)?
            } else {
                let bits = scalar.get();
                let bits = bits.ok_or_else(|| Stop::fault("`printf` of an undefined value"))?;
                integer(&specification, bits, specification.bits.unwrap_or(32).min(width))?
            };
            pad(&mut out, &specification, &text);
        }
    }
    Ok(out)
}

fn string(machine: &mut Machine<'_>, item: &Item, pointer: &Datum) -> Result<String, Stop> {
    let start = pointer.lane(0).get();
    let start = start.ok_or_else(|| Stop::fault("a string at an undefined address"))?;
    let mut out = String::new();
    while out.len() < LENGTH {
        let byte = machine.memory.load(start + out.len() as u64, 1, item.accessor)?;
        match byte.get() {
            None => return Err(Stop::fault("a string of undefined characters")),
            Some(0) => return Ok(out),
            Some(byte) if byte < 128 => out.push(byte as u8 as char),
            Some(_) => return Err(Stop::unknown("a string beyond ASCII")),
        }
    }
    Err(Stop::Limit("characters of a string"))
}

fn specification(
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> Result<Specification, Stop> {
    let mut out = Specification::default();
    while let Some(flag) = rest.next_if(|c| "-+ #0".contains(*c)) {
        out.flags.push(flag);
    }
    let number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut value = None;
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
            rest.next();
            value = Some((value.unwrap_or(0) * 10 + digit as usize).min(WIDTH));
        }
        value
    };
    out.width = number(rest).unwrap_or(0);
    if rest.next_if_eq(&'.').is_some() {
        out.precision = Some(number(rest).unwrap_or(0));
    }
    if rest.next_if_eq(&'v').is_some() {
        out.count = number(rest);
    }
    out.bits = match rest.peek() {
        Some('h') => {
            rest.next();
            match rest.peek() {
                Some('h') => rest.next().map(|_| 8),
                Some('l') => rest.next().map(|_| 32),
                _ => Some(16),
            }
        }
        Some('l') => {
            rest.next();
            rest.next_if_eq(&'l');
            Some(64)
        }
        Some('z' | 't' | 'j') => rest.next().map(|_| 64),
        _ => None,
    };
    out.letter = rest.next().ok_or_else(|| Stop::fault("an unfinished format of `printf`"))?;
    if matches!(out.letter, 'p') {
        out.bits = Some(64);
    }
    Ok(out)
}

fn pad(out: &mut String, of: &Specification, text: &str) {
    let missing = of.width.saturating_sub(text.chars().count());
    let is_number = !matches!(of.letter, 's' | 'c');
    let zeros = of.flags.contains('0')
        && is_number
        && !text.ends_with("inf")
        && !text.ends_with("nan")
        && !(of.precision.is_some() && "diuoxX".contains(of.letter));
    if of.flags.contains('-') {
        out.push_str(text);
        out.extend(std::iter::repeat_n(' ', missing));
    } else if zeros {
        let sign = text.find(|c: char| !"+- ".contains(c)).unwrap_or(0);
        let prefix = match text.get(sign..sign + 2) {
            Some("0x" | "0X") => sign + 2,
            _ => sign,
        };
        out.push_str(&text[..prefix]);
        out.extend(std::iter::repeat_n('0', missing));
        out.push_str(&text[prefix..]);
    } else {
        out.extend(std::iter::repeat_n(' ', missing));
        out.push_str(text);
    }
}

fn sign(of: &Specification, negative: bool) -> &'static str {
    match () {
        () if negative => "-",
        () if of.flags.contains('+') => "+",
        () if of.flags.contains(' ') => " ",
        () => "",
    }
}

fn integer(of: &Specification, bits: u64, width: u32) -> Result<String, Stop> {
    let bits = bits & crate::value::mask(width);
    let value = signed(bits, width);
    let has_prefix = of.flags.contains('#');
    let (sign, prefix, digits) = match of.letter {
        'd' | 'i' => (sign(of, value < 0), "", value.unsigned_abs().to_string()),
        'u' => ("", "", bits.to_string()),
        'x' => ("", if has_prefix && bits != 0 { "0x" } else { "" }, format!("{bits:x}")),
        'X' => ("", if has_prefix && bits != 0 { "0X" } else { "" }, format!("{bits:X}")),
        'o' => ("", if has_prefix && bits != 0 { "0" } else { "" }, format!("{bits:o}")),
        'p' => ("", "0x", format!("{bits:x}")),
        'c' => return Ok(char::from(bits as u8).to_string()),
        letter => return Err(Stop::unknown(format!("`printf` of an integer by `%{letter}`"))),
    };
    let missing = of.precision.unwrap_or(0).saturating_sub(digits.len());
    let digits = if of.precision == Some(0) && bits == 0 { String::new() } else { digits };
    Ok(format!("{sign}{prefix}{}{digits}", "0".repeat(missing)))
}

fn float(of: &Specification, value: f64) -> Result<String, Stop> {
    let sign = sign(of, value.is_sign_negative() && !value.is_nan());
    let is_upper = of.letter.is_ascii_uppercase();
    if !value.is_finite() {
        let text = if value.is_nan() { "nan" } else { "inf" };
        return Ok(format!(
            "{sign}{}",
            if is_upper { text.to_uppercase() } else { text.to_owned() }
        ));
    }
    let value = value.abs();
    let keeps_point = of.flags.contains('#');
    let precision = of.precision.unwrap_or(6);
    let text = match of.letter.to_ascii_lowercase() {
        'f' => with_point(format!("{value:.precision$}"), keeps_point && precision == 0),
        'e' => exponential(value, precision, keeps_point),
        'g' => {
            let digits = precision.max(1);
            // The exponent after rounding to so many digits.
            let rounded = format!("{value:.*e}", digits - 1);
            let exponent: i32 =
                rounded.split('e').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
            let text = if exponent < -4 || exponent >= digits as i32 {
                exponential(value, digits - 1, keeps_point)
            } else {
                format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize)
            };
            if keeps_point {
                with_point(text.clone(), !text.contains('.') && !text.contains('e'))
            } else {
                without_zeros(&text)
            }
        }
        'a' if of.precision.is_none() => hexadecimal(value, keeps_point),
        letter => return Err(Stop::unknown(format!("`printf` of a float by `%{letter}`"))),
    };
    Ok(format!("{sign}{}", if is_upper { text.to_uppercase() } else { text }))
}

fn with_point(text: String, has_point: bool) -> String {
    if has_point { text + "." } else { text }
}

/// As C writes it: at least two digits of the exponent.
fn exponential(value: f64, precision: usize, keeps_point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = with_point(digits.to_owned(), keeps_point && precision == 0);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn without_zeros(text: &str) -> String {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits, format!("e{exponent}")),
        None => (text, String::new()),
    };
    if !digits.contains('.') {
        return text.to_owned();
    }
    format!("{}{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
}

fn hexadecimal(value: f64, keeps_point: bool) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let lead = u32::from(exponent != 0);
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() && !keeps_point { "" } else { "." };
    let power = match exponent {
        0 if fraction == 0 => 0,
        0 => -1022,
        _ => exponent - 1023,
    };
    format!("0x{lead}{point}{digits}p{power:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Specification {
        specification(&mut text.chars().peekable()).unwrap()
    }

    fn printed(text: &str, value: f64) -> String {
        let mut out = String::new();
        let specification = of(text);
        pad(&mut out, &specification, &float(&specification, value).unwrap());
        out
    }

    #[test]
    fn floats_are_written_as_c_does() {
        assert_eq!(printed("f", 1.5), "1.500000");
        assert_eq!(printed("08.2f", -1.5), "-0001.50");
        assert_eq!(printed("-8.1fx", 2.25), "2.2     ");
        assert_eq!(printed("e", 12345.678), "1.234568e+04");
        assert_eq!(printed("g", 0.0001), "0.0001");
        assert_eq!(printed("g", 0.00001), "1e-05");
        assert_eq!(printed("g", 1234567.0), "1.23457e+06");
        assert_eq!(printed("+.3g", 1000.0), "+1e+03");
        assert_eq!(printed("a", 1.5), "0x1.8p+0");
        assert_eq!(printed("5f", f64::INFINITY), "  inf");
    }

    #[test]
    fn integers_are_written_as_c_does() {
        let printed = |text: &str, bits: u64| {
            let mut out = String::new();
            let of = of(text);
            pad(&mut out, &of, &integer(&of, bits, of.bits.unwrap_or(32)).unwrap());
            out
        };
        assert_eq!(printed("d", 0xffff_fffe), "-2");
        assert_eq!(printed("hhd", 0x1ff), "-1");
        assert_eq!(printed("#06x", 255), "0x00ff");
        assert_eq!(printed("lu", u64::MAX), u64::MAX.to_string());
        assert_eq!(printed("5.3d", 7), "  007");
        assert_eq!(printed("c", 65), "A");
    }
}
