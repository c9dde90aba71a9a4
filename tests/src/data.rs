//! Typed data of execution cases: what goes into buffers and what is expected to come out.

use std::fmt;

/// Element types as OpenCL C names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
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

impl Element {
    pub fn from_name(name: &str) -> Option<Element> {
        Some(match name {
            "char" => Element::Char,
            "uchar" => Element::UChar,
            "short" => Element::Short,
            "ushort" => Element::UShort,
            "int" => Element::Int,
            "uint" => Element::UInt,
            "long" => Element::Long,
            "ulong" => Element::ULong,
            "half" => Element::Half,
            "float" => Element::Float,
            "double" => Element::Double,
            _ => return None,
        })
    }

    pub fn size(self) -> usize {
        match self {
            Element::Char | Element::UChar => 1,
            Element::Short | Element::UShort | Element::Half => 2,
            Element::Int | Element::UInt | Element::Float => 4,
            Element::Long | Element::ULong | Element::Double => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Element::Half | Element::Float | Element::Double)
    }

    /// Appends the value an integer stands for; integers wrap.
    pub fn push_int(self, value: i128, out: &mut Vec<u8>) {
        match self {
            Element::Half => out.extend(half::f16::from_f64(value as f64).to_le_bytes()),
            Element::Float => out.extend((value as f32).to_le_bytes()),
            Element::Double => out.extend((value as f64).to_le_bytes()),
            _ => out.extend(&value.to_le_bytes()[..self.size()]),
        }
    }

    /// Appends the value nearest to a number.
    pub fn push_float(self, value: f64, out: &mut Vec<u8>) {
        match self {
            Element::Half => out.extend(half::f16::from_f64(value).to_le_bytes()),
            Element::Float => out.extend((value as f32).to_le_bytes()),
            Element::Double => out.extend(value.to_le_bytes()),
            _ => self.push_int(value as i128, out),
        }
    }

    /// An element as a number; integers beyond 2^53 lose digits here, and only here.
    pub fn to_f64(self, bytes: &[u8]) -> f64 {
        match self {
            Element::Half => half::f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
            Element::Float => f64::from(f32::from_le_bytes(bytes.try_into().unwrap_or_default())),
            Element::Double => f64::from_le_bytes(bytes.try_into().unwrap_or_default()),
            _ => self.to_int(bytes) as f64,
        }
    }

    fn to_int(self, bytes: &[u8]) -> i128 {
        let mut wide = [0u8; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        let value = i128::from_le_bytes(wide);
        let signed = matches!(self, Element::Char | Element::Short | Element::Int | Element::Long);
        let bits = 8 * bytes.len() as u32;
        if signed { value << (128 - bits) >> (128 - bits) } else { value }
    }
}

/// Elements of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    pub element: Element,
    pub bytes: Vec<u8>,
}

impl Data {
    /// `count` elements from their description:
    ///
    /// * `ramp [START [STEP]]`, `fill X`, `zero`;
    /// * `random SEED [LOW HIGH]`: the same on every machine, HIGH excluded;
    /// * `text "…"`: bytes, the rest zero;
    /// * values, `X*N` for N times X; the rest is zero.
    pub fn parse(element: Element, count: usize, text: &str) -> Result<Data, String> {
        let mut bytes = Vec::with_capacity(count * element.size());
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [] | ["zero"] => {}
            ["ramp", ref rest @ ..] => {
                let start = rest.first().copied().unwrap_or("0");
                let step = rest.get(1).copied().unwrap_or("1");
                match (integer(start), integer(step)) {
                    (Some(start), Some(step)) => {
                        for i in 0..count {
                            element.push_int(start + step * i as i128, &mut bytes);
                        }
                    }
                    _ => {
                        let (start, step) = (float(start)?, float(step)?);
                        for i in 0..count {
                            element.push_float(start + step * i as f64, &mut bytes);
                        }
                    }
                }
            }
            ["fill", value] => {
                for _ in 0..count {
                    push(element, value, &mut bytes)?;
                }
            }
            ["random", seed, ref range @ ..] => {
                let mut random = Random::new(seed.parse().map_err(|_| bad(seed))?);
                let (low, high) = match range {
                    [low, high] => (float(low)?, float(high)?),
                    _ if element.is_float() => (-1.0, 1.0),
                    _ => (0.0, 0.0),
                };
                for _ in 0..count {
                    if element.is_float() {
                        let unit = (random.draw() >> 11) as f64 / (1u64 << 53) as f64;
                        element.push_float(low + (high - low) * unit, &mut bytes);
                    } else if high > low {
                        let span = (high - low) as u64;
                        element
                            .push_int(low as i128 + i128::from(random.draw() % span), &mut bytes);
                    } else {
                        element.push_int(i128::from(random.draw()), &mut bytes);
                    }
                }
            }
            ["text", ..] => {
                let inner = text.trim().strip_prefix("text").unwrap_or("").trim();
                let inner = inner
                    .strip_prefix('"')
                    .and_then(|inner| inner.strip_suffix('"'))
                    .ok_or_else(|| bad(text))?;
                for byte in inner.bytes() {
                    element.push_int(i128::from(byte), &mut bytes);
                }
            }
            _ => {
                for word in words {
                    let (value, times) = match word.split_once('*') {
                        Some((value, times)) => {
                            (value, times.parse::<usize>().map_err(|_| bad(word))?)
                        }
                        None => (word, 1),
                    };
                    for _ in 0..times {
                        push(element, value, &mut bytes)?;
                    }
                }
            }
        }
        if bytes.len() > count * element.size() {
            return Err(format!("{} values for {count} elements", bytes.len() / element.size()));
        }
        bytes.resize(count * element.size(), 0);
        Ok(Data { element, bytes })
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / self.element.size()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn from_f64(element: Element, values: impl IntoIterator<Item = f64>) -> Data {
        let mut bytes = Vec::new();
        for value in values {
            element.push_float(value, &mut bytes);
        }
        Data { element, bytes }
    }

    pub fn from_int(element: Element, values: impl IntoIterator<Item = i128>) -> Data {
        let mut bytes = Vec::new();
        for value in values {
            element.push_int(value, &mut bytes);
        }
        Data { element, bytes }
    }

    pub fn f64s(&self) -> Vec<f64> {
        self.bytes.chunks(self.element.size()).map(|bytes| self.element.to_f64(bytes)).collect()
    }

    pub fn f32s(&self) -> Vec<f32> {
        self.f64s().into_iter().map(|value| value as f32).collect()
    }

    pub fn ints(&self) -> Vec<i128> {
        self.bytes.chunks(self.element.size()).map(|bytes| self.element.to_int(bytes)).collect()
    }

    /// The values as [`Data::parse`] reads them.
    pub fn text(&self) -> String {
        let values: Vec<String> = self
            .bytes
            .chunks(self.element.size())
            .map(|bytes| match self.element {
                Element::Float => format!("{}", self.element.to_f64(bytes) as f32),
                Element::Half | Element::Double => format!("{}", self.element.to_f64(bytes)),
                _ => self.element.to_int(bytes).to_string(),
            })
            .collect();
        let mut words: Vec<String> = Vec::new();
        for run in values.chunk_by(|a, b| a == b) {
            match run {
                [value] => words.push(value.clone()),
                [value, ..] => words.push(format!("{value}*{}", run.len())),
                [] => {}
            }
        }
        words.join(" ")
    }

    /// Where `self` differs from `expected`, in words; `None` if it does not. NaNs are equal; with
    /// a tolerance, numbers may differ by that part of the larger magnitude (or of one).
    pub fn difference(&self, expected: &Data, tolerance: Option<f64>) -> Option<String> {
        if self.len() != expected.len() {
            return Some(format!("{} elements, expected {}", self.len(), expected.len()));
        }
        let size = self.element.size();
        let mut wrong = Vec::new();
        let pairs = self.bytes.chunks(size).zip(expected.bytes.chunks(size));
        for (index, (got, want)) in pairs.enumerate() {
            let (a, b) = (self.element.to_f64(got), self.element.to_f64(want));
            let equal = got == want
                || (self.element.is_float() && a.is_nan() && b.is_nan())
                || tolerance.is_some_and(|t| (a - b).abs() <= t * a.abs().max(b.abs()).max(1.0));
            if !equal {
                wrong.push(index);
            }
        }
        let &first = wrong.first()?;
        let show = |data: &Data| Shown(data, first).to_string();
        Some(format!(
            "{} of {} elements differ, the first at {first}:\n  got      {}\n  expected {}",
            wrong.len(),
            self.len(),
            show(self),
            show(expected),
        ))
    }
}

/// A few elements from an index on.
struct Shown<'a>(&'a Data, usize);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(data, from) = *self;
        for bytes in data.bytes.chunks(data.element.size()).skip(from).take(8) {
            if data.element.is_float() {
                write!(f, "{:?} ", data.element.to_f64(bytes))?;
            } else {
                write!(f, "{} ", data.element.to_int(bytes))?;
            }
        }
        Ok(())
    }
}

fn bad(text: &str) -> String {
    format!("`{text}` is not a value")
}

/// Decimal or hexadecimal, with a sign; a character in quotes.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

fn float(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| bad(text))
}

fn push(element: Element, text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    match integer(text) {
        // `-0` is a number of its own for floats.
        Some(value) if !(element.is_float() && text == "-0") => element.push_int(value, out),
        _ if element.is_float() => element.push_float(float(text)?, out),
        _ => return Err(bad(text)),
    }
    Ok(())
}

/// SplitMix64: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_parsed_and_compared() {
        let parse = |element, count, text| Data::parse(element, count, text).unwrap();
        assert_eq!(parse(Element::Int, 4, "1 -2 0x10").ints(), [1, -2, 16, 0]);
        assert_eq!(parse(Element::Float, 3, "ramp 0.5 0.25").f64s(), [0.5, 0.75, 1.0]);
        assert_eq!(parse(Element::UChar, 4, "255*2 7").ints(), [255, 255, 7, 0]);
        assert_eq!(parse(Element::UChar, 4, "text \"a b\"").ints(), [97, 32, 98, 0]);
        assert!(Data::parse(Element::Int, 1, "1 2").is_err());
        assert_eq!(parse(Element::Double, 5, "1.5*3 -0 nan").text(), "1.5*3 -0 NaN");
        let a = parse(Element::Float, 2, "1 nan");
        assert_eq!(a.difference(&parse(Element::Float, 2, "1 nan"), None), None);
        assert!(a.difference(&parse(Element::Float, 2, "1.01 nan"), None).is_some());
        assert!(a.difference(&parse(Element::Float, 2, "1.01 nan"), Some(0.1)).is_none());
    }
}
