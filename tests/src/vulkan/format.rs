//! The format language of OpenCL's `printf` (OpenCL C 6.15.14.2), which is that of C99 7.19.6.1 with
//! vectors, as a host prints what a kernel has recorded.

/// A number or string that a conversion prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// The low `size` bytes of `bits`.
    Integer {
        bits: u64,
        size: u32,
    },
    Float(f64),
    Pointer(u64),
    String(&'a [u8]),
}

/// Prints arguments, each of which is one value, or the components of a vector. A conversion without
/// an argument that it can print, which has no meaning in the language, is printed as it stands.
pub fn print(format: &[u8], arguments: &[Vec<Value<'_>>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut arguments = arguments.iter();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..start]);
        rest = &rest[start..];
        let Some((conversion, len)) = Conversion::parse(rest) else {
            out.push(b'%');
            rest = &rest[1..];
            continue;
        };
        let text = &rest[..len];
        rest = &rest[len..];
        if conversion.letter == b'%' {
            out.push(b'%');
            continue;
        }
        let components: Option<Vec<Vec<u8>>> = arguments
            .next()
            .filter(|components| components.len() == conversion.components)
            .and_then(|components| {
                components.iter().map(|&value| conversion.value(value)).collect()
            });
        match components {
            Some(components) => out.extend(components.join(&b","[..])),
            None => out.extend_from_slice(text),
        }
    }
    out.extend_from_slice(rest);
    out
}

/// What follows a `%`.
#[derive(Clone, Debug, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// 1 without a vector specifier.
    components: usize,
    length: Vec<u8>,
    letter: u8,
}

impl Conversion {
    /// Reads a conversion specification, which begins with `%`; how long it is.
    fn parse(text: &[u8]) -> Option<(Conversion, usize)> {
        let mut conversion = Conversion { components: 1, ..Conversion::default() };
        let mut at = 1;
        while let Some(&flag) = text.get(at) {
            match flag {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternate = true,
                b'0' => conversion.zero = true,
                _ => break,
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let mut number = 0usize;
            while let Some(digit) = text.get(*at).filter(|digit| digit.is_ascii_digit()) {
                number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
                *at += 1;
            }
            // More than anybody means, and not more than there is memory for.
            number.min(1 << 20)
        };
        conversion.width = number(&mut at);
        if text.get(at) == Some(&b'.') {
            at += 1;
            conversion.precision = Some(number(&mut at));
        }
        if text.get(at) == Some(&b'v') {
            at += 1;
            conversion.components = number(&mut at);
        }
        let length = text[at..].iter().take_while(|byte| b"hlzt".contains(byte)).count();
        conversion.length = text[at..at + length].to_vec();
        at += length;
        conversion.letter = *text.get(at)?;
        b"diouxXfFeEgGaAcsp%".contains(&conversion.letter).then_some((conversion, at + 1))
    }

    /// Prints one value; `None` if the conversion is for others.
    fn value(&self, value: Value<'_>) -> Option<Vec<u8>> {
        match (self.letter, value) {
            (b'c', Value::Integer { bits, .. }) => Some(self.padded("", &[bits as u8], false)),
            (b's', Value::String(text)) => {
                let end = self.precision.unwrap_or(text.len()).min(text.len());
                Some(self.padded("", &text[..end], false))
            }
            // As the implementation likes.
            (b'p', Value::Pointer(bits)) => {
                Some(self.padded("", format!("{bits:#x}").as_bytes(), false))
            }
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', Value::Integer { bits, size }) => {
                Some(self.integer(bits, size))
            }
            (b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A', Value::Float(number)) => {
                Some(self.float(number))
            }
            _ => None,
        }
    }

    /// Fills up to the width: with spaces, or with zeros between `prefix` and `body`.
    fn padded(&self, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let fill = |byte: u8| vec![byte; missing];
        match (self.left, zeros) {
            (true, _) => [prefix.as_bytes(), body, &fill(b' ')].concat(),
            (false, true) => [prefix.as_bytes(), &fill(b'0'), body].concat(),
            (false, false) => [&fill(b' '), prefix.as_bytes(), body].concat(),
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn integer(&self, bits: u64, size: u32) -> Vec<u8> {
        // The components of vectors are what they are; a scalar was promoted, and its length says
        // what it was before.
        let width = match (self.components, &self.length[..]) {
            (1, b"hh") => 8,
            (1, b"h") => 16,
            (1, b"l" | b"z" | b"t") => 64,
            (1, _) => 32,
            _ => 8 * size,
        };
        let unused = 64 - width.min(8 * size).clamp(8, 64);
        let signed = (bits << unused) as i64 >> unused;
        let unsigned = bits << unused >> unused;
        let precision = self.precision.unwrap_or(1);
        let (negative, mut digits, is_signed) = match self.letter {
            b'd' | b'i' => (signed < 0, signed.unsigned_abs().to_string(), true),
            b'o' => (false, format!("{unsigned:o}"), false),
            b'x' => (false, format!("{unsigned:x}"), false),
            b'X' => (false, format!("{unsigned:X}"), false),
            _ => (false, unsigned.to_string(), false),
        };
        if digits == "0" && precision == 0 {
            digits.clear();
        }
        digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
        let prefix = match (self.letter, self.alternate) {
            (b'o', true) if !digits.starts_with('0') => {
                digits.insert(0, '0');
                ""
            }
            (b'x', true) if unsigned != 0 => "0x",
            (b'X', true) if unsigned != 0 => "0X",
            _ if is_signed => self.sign(negative),
            _ => "",
        };
        self.padded(prefix, digits.as_bytes(), self.zero && self.precision.is_none())
    }

    fn float(&self, number: f64) -> Vec<u8> {
        let upper = self.letter.is_ascii_uppercase();
        let mut prefix = self.sign(number.is_sign_negative()).to_owned();
        let magnitude = number.abs();
        let mut body = match self.letter.to_ascii_lowercase() {
            _ if magnitude.is_nan() => "nan".to_owned(),
            _ if magnitude.is_infinite() => "inf".to_owned(),
            b'f' => self.fixed(magnitude, self.precision.unwrap_or(6)),
            b'e' => self.scientific(magnitude, self.precision.unwrap_or(6)),
            b'g' => self.shortest(magnitude),
            _ => {
                prefix.push_str("0x");
                self.hexadecimal(magnitude)
            }
        };
        if upper {
            prefix.make_ascii_uppercase();
            body.make_ascii_uppercase();
        }
        self.padded(&prefix, body.as_bytes(), self.zero && number.is_finite())
    }

    /// The point that `#` keeps.
    fn point(&self, digits_follow: bool) -> &'static str {
        if self.alternate && !digits_follow { "." } else { "" }
    }

    fn fixed(&self, number: f64, precision: usize) -> String {
        format!("{number:.precision$}{}", self.point(precision > 0))
    }

    fn scientific(&self, number: f64, precision: usize) -> String {
        let (mantissa, exponent) = decimal(number, precision);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{}e{sign}{:02}", self.point(precision > 0), exponent.abs())
    }

    fn shortest(&self, number: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let (_, exponent) = decimal(number, precision - 1);
        let text = match usize::try_from(exponent + 4) {
            // The exponent is from -4 to below the precision.
            Ok(above) if above < precision + 4 => self.fixed(number, precision + 3 - above),
            _ => self.scientific(number, precision - 1),
        };
        if self.alternate || !text.contains('.') {
            return text;
        }
        let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        format!("{mantissa}{exponent}")
    }

    /// Without the `0x`.
    fn hexadecimal(&self, number: f64) -> String {
        const DIGITS: usize = 13;
        let bits = number.to_bits();
        let (biased, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (mut mantissa, exponent) = match (biased, fraction) {
            (0, 0) => (0, 0),
            (0, _) => (fraction, -1022),
            _ => (fraction | 1 << 52, biased - 1023),
        };
        let mut digits = DIGITS;
        if let Some(precision) = self.precision.filter(|&precision| precision < DIGITS) {
            let dropped = 4 * (DIGITS - precision) as u32;
            let (kept, rest) = (mantissa >> dropped, mantissa & ((1 << dropped) - 1));
            let half = 1u64 << (dropped - 1);
            let up = rest > half || rest == half && kept & 1 == 1;
            mantissa = kept + u64::from(up);
            digits = precision;
        }
        let first = mantissa >> (4 * digits);
        let rest = mantissa & ((1u64 << (4 * digits)) - 1);
        let mut fraction = if digits == 0 { String::new() } else { format!("{rest:0digits$x}") };
        match self.precision {
            None => fraction.truncate(fraction.trim_end_matches('0').len()),
            Some(precision) => fraction += &"0".repeat(precision.saturating_sub(digits)),
        }
        let point = if fraction.is_empty() { self.point(false) } else { "." };
        format!("{first}{point}{fraction}p{exponent:+}")
    }
}

/// A number as digits with so many behind the point, and the exponent of ten.
fn decimal(number: f64, precision: usize) -> (String, i32) {
    let text = format!("{number:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::Value::*;
    use super::*;

    fn int(number: i32) -> Vec<Value<'static>> {
        vec![Integer { bits: u64::from(number as u32), size: 4 }]
    }

    fn long(number: i64) -> Vec<Value<'static>> {
        vec![Integer { bits: number as u64, size: 8 }]
    }

    fn vector(size: u32, numbers: &[i64]) -> Vec<Value<'static>> {
        numbers.iter().map(|&number| Integer { bits: number as u64, size }).collect()
    }

    fn check(format: &str, arguments: &[Vec<Value<'_>>], wanted: &str) {
        let got = print(format.as_bytes(), arguments);
        assert_eq!(std::string::String::from_utf8_lossy(&got), wanted, "{format} of {arguments:?}");
    }

    #[test]
    fn text_stays() {
        check("plain 100%%\n", &[], "plain 100%\n");
        check("", &[], "");
        check("%d%%%d", &[int(1), int(2)], "1%2");
        assert_eq!(print(b"\xff%c\xfe", &[int(0xe9)]), [0xff, 0xe9, 0xfe]);
    }

    #[test]
    fn integers() {
        for (format, number, wanted) in [
            ("%d", -42, "-42"),
            ("%i", 42, "42"),
            ("%d", i32::MIN, "-2147483648"),
            ("%u", -1, "4294967295"),
            ("%o", 8, "10"),
            ("%x", 0xbeef, "beef"),
            ("%X", 0xbeef, "BEEF"),
            ("[%5d]", 42, "[   42]"),
            ("[%-5d]", 42, "[42   ]"),
            ("[%05d]", -42, "[-0042]"),
            ("[%-05d]", 42, "[42   ]"),
            ("%+d", 42, "+42"),
            ("% d", 42, " 42"),
            ("%+ d", 42, "+42"),
            ("%+u", 42, "42"),
            ("%.4d", -42, "-0042"),
            ("%8.4d", 42, "    0042"),
            ("%08.4d", 42, "    0042"),
            ("%-8.4d|", -42, "-0042   |"),
            ("[%.0d]", 0, "[]"),
            ("[%.d]", 0, "[]"),
            ("[%.0d]", 1, "[1]"),
            ("[%+.0d]", 0, "[+]"),
            ("%#o", 8, "010"),
            ("%#o", 0, "0"),
            ("[%#.0o]", 0, "[0]"),
            ("%#.3o", 8, "010"),
            ("%#x", 255, "0xff"),
            ("%#X", 255, "0XFF"),
            ("%#x", 0, "0"),
            ("%#10x", 255, "      0xff"),
            ("%#010x", 255, "0x000000ff"),
            ("%#.4x", 255, "0x00ff"),
            ("%hhd", 0x1ff, "-1"),
            ("%hhu", -3, "253"),
            ("%hd", 0x18000, "-32768"),
            ("%hx", -1, "ffff"),
            ("%c", 'x' as i32, "x"),
            ("[%3c]", 'x' as i32, "[  x]"),
            ("[%-3c]", 'x' as i32, "[x  ]"),
        ] {
            check(format, &[int(number)], wanted);
        }
        for (format, number, wanted) in [
            ("%ld", -5_000_000_000, "-5000000000"),
            ("%ld", i64::MIN, "-9223372036854775808"),
            ("%lu", -1, "18446744073709551615"),
            ("%#lx", 0x0123_4567_89ab_cdef, "0x123456789abcdef"),
            ("%zu", 1 << 40, "1099511627776"),
            ("%td", -(1 << 40), "-1099511627776"),
            ("%lo", 1 << 33, "100000000000"),
        ] {
            check(format, &[long(number)], wanted);
        }
    }

    #[test]
    fn floats() {
        for (format, number, wanted) in [
            ("%f", 1.5, "1.500000"),
            ("%.2f", 2.34567, "2.35"),
            ("%10.3f|", 2.5, "     2.500|"),
            ("%-10.1f|", 2.25, "2.2       |"),
            ("%.0f", 2.5, "2"),
            ("%.0f", 3.5, "4"),
            ("%#.0f", 2.5, "2."),
            ("%f", -0.0, "-0.000000"),
            ("%+.1f", 2.5, "+2.5"),
            ("% .1f", 2.5, " 2.5"),
            ("%08.2f", -3.25, "-0003.25"),
            ("%f", 1e15, "1000000000000000.000000"),
            ("%.20f", 0.1, "0.10000000000000000555"),
            ("%F", f64::INFINITY, "INF"),
            ("%f", f64::NEG_INFINITY, "-inf"),
            ("[%06f]", f64::INFINITY, "[   inf]"),
            ("%+e", f64::INFINITY, "+inf"),
            ("%G", f64::NAN, "NAN"),
            ("%a", f64::NAN, "nan"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.3E", 0.00012345, "1.234E-04"),
            ("%e", 0.0, "0.000000e+00"),
            ("%.0e", 15.0, "2e+01"),
            ("%#.0e", 15.0, "2.e+01"),
            ("%e", 1e100, "1.000000e+100"),
            ("%.0e", 9.5, "1e+01"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001, "1e-05"),
            ("%G", 1e10, "1E+10"),
            ("%g", 100.0, "100"),
            ("%g", 123456.0, "123456"),
            ("%g", 1234567.0, "1.23457e+06"),
            ("%g", 999999.5, "1e+06"),
            ("%#g", 100.0, "100.000"),
            ("%.3g", 100.0, "100"),
            ("%.2g", 100.0, "1e+02"),
            ("%.0g", 0.5, "0.5"),
            ("%g", 0.0, "0"),
            ("%#g", 0.0, "0.00000"),
            ("%.10g", 0.1, "0.1"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.5, "0x1p-1"),
            ("%A", 10.75, "0X1.58P+3"),
            ("%a", -0.1, "-0x1.999999999999ap-4"),
            ("%.2a", 1.999, "0x2.00p+0"),
            ("%.1a", 1.03125, "0x1.0p+0"),
            ("%.1a", 1.09375, "0x1.2p+0"),
            ("%.0a", 1.5, "0x2p+0"),
            ("%#.0a", 1.0, "0x1.p+0"),
            ("%.15a", 1.5, "0x1.800000000000000p+0"),
            ("%a", 0.0, "0x0p+0"),
            ("%.2a", 0.0, "0x0.00p+0"),
            ("%012a", 1.5, "0x00001.8p+0"),
            ("%12a|", 1.5, "    0x1.8p+0|"),
            ("%a", 5e-324, "0x0.0000000000001p-1022"),
        ] {
            check(format, &[vec![Float(number)]], wanted);
        }
    }

    #[test]
    fn strings_and_pointers() {
        let text = || vec![String(b"text")];
        check(
            "%s [%8s] [%-8s] [%.3s] [%.9s] [%6.1s]",
            &vec![text(); 6],
            "text [    text] [text    ] [tex] [text] [     t]",
        );
        check("[%s]", &[vec![String(b"")]], "[]");
        check(
            "%p|%20p|%-8p|",
            &[vec![Pointer(0xdead_beef_0000)], vec![Pointer(1)], vec![Pointer(0)]],
            "0xdeadbeef0000|                 0x1|0x0     |",
        );
    }

    #[test]
    fn vectors() {
        check("%v4d", &[vector(4, &[1, -2, 3, -4])], "1,-2,3,-4");
        check("%v4hld", &[vector(4, &[1, -2, 3, -4])], "1,-2,3,-4");
        check(
            "%v2ld %v3lx",
            &[vector(8, &[-1, 9_000_000_000]), vector(8, &[1, 2, 255])],
            "-1,9000000000 1,2,ff",
        );
        check("%v4hd", &[vector(2, &[1, 2, 3, 0xfffc])], "1,2,3,-4");
        check("%v8hhu", &[vector(1, &[1, 2, 3, 4, 5, 6, 7, 255])], "1,2,3,4,5,6,7,255");
        // Without a length the type of the components counts.
        check("%v2d", &[vector(1, &[255, 127])], "-1,127");
        check("%#04v2hx", &[vector(2, &[10, 0])], "0x0a,0000");
        let floats = |numbers: &[f64]| numbers.iter().map(|&x| Float(x)).collect::<Vec<_>>();
        check("%5.2v4hlf|", &[floats(&[1.0, 2.0, 3.0, 4.0])], " 1.00, 2.00, 3.00, 4.00|");
        check("%v2lf", &[floats(&[0.5, -8.25])], "0.500000,-8.250000");
        check("%-6.1v3f|", &[floats(&[1.0, 2.0, 3.0])], "1.0   ,2.0   ,3.0   |");
        check("%v16d", &[vector(4, &[7; 16])], "7,7,7,7,7,7,7,7,7,7,7,7,7,7,7,7");
    }

    #[test]
    fn what_has_no_meaning_is_printed_as_it_stands() {
        check("%d %d", &[int(1)], "1 %d");
        check("%f %d", &[int(1), int(2)], "%f 2");
        check("%v4d", &[int(1)], "%v4d");
        check("%n %", &[], "%n %");
        check("%5", &[], "%5");
    }
}
