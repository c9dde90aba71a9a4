//! Sources with pieces of other sources in them: runs of tokens, operands, groups in brackets, statements,
//! functions and directives. The names in a piece are often exchanged for those of where it comes to, so
//! that what is said of it is more than that they are unknown.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use clc::render::{MessageFormat, Style};
use clc::{AddressBits, FloatOptions, Options, TargetEnv, TargetOptions, WarningOptions};

use super::sources::Sources;
use super::text::{LARGEST, options, piece, tokens};
use super::{How, Input};
use crate::random::Random;

/// Formats of messages.
const FORMATS: [MessageFormat; 4] =
    [MessageFormat::Human, MessageFormat::Short, MessageFormat::Json, MessageFormat::Sarif];

/// The input of a number.
pub(super) fn input(random: &mut Random, sources: &Sources) -> Input {
    let whole = sources.any(random, 10);
    let mut text = piece(random, &whole).to_vec();
    let most = 1 << random.below(4);
    for _ in 0..1 + random.below(most) {
        let whole = sources.any(random, 10);
        let donor = piece(random, &whole);
        splice(random, donor, &mut text);
        text.truncate(LARGEST * 4);
    }
    let style = any_style(random);
    Input { bytes: text, how: How::CompileInAllWays(any_options(random), style) }
}

/// A form of messages.
pub fn any_style(random: &mut Random) -> Style {
    Style { format: *random.pick(&FORMATS), color: random.chance(20) }
}

/// More of the options than damaged bytes are compiled with.
pub fn any_options(random: &mut Random) -> Box<Options> {
    let mut options = options(random);
    if random.chance(40) {
        let vulkan = TargetEnv::Vulkan { major: 1, minor: 3 };
        options.target = TargetOptions { debug: options.target.debug, ..vulkan.into() };
    }
    let mut some = |percent: usize| random.chance(percent);
    options.float = FloatOptions {
        mad_enable: some(10),
        unsafe_math: some(10),
        finite_math_only: some(10),
        no_signed_zeros: some(10),
        fast_relaxed_math: some(5),
        denorms_are_zero: some(10),
        correctly_rounded_divide_sqrt: some(10),
        single_precision_constant: some(10),
    };
    options.strict_aliasing = some(90);
    options.signed_overflow_wraps = some(10);
    options.describe = some(30);
    options.trigraphs = some(10);
    // Addresses of Vulkan have 64 bits.
    if some(15) && matches!(options.target.environment, TargetEnv::OpenCl { .. }) {
        options.address_bits = AddressBits::Bits32;
    }
    let mut warnings = WarningOptions::default();
    if some(50) {
        // A name that is known.
        let _ = warnings.add("everything");
    }
    options.warnings = warnings;
    options
}

/// The unit of a piece.
#[derive(Clone, Copy)]
enum Unit {
    Tokens,
    Operand,
    Group,
    Statement,
    Function,
    Directive,
}

const UNITS: [Unit; 8] = [
    Unit::Tokens,
    Unit::Operand,
    Unit::Operand,
    Unit::Group,
    Unit::Statement,
    Unit::Statement,
    Unit::Function,
    Unit::Directive,
];

/// Puts a piece of `donor` in the place of one of `text`, or beside it.
pub fn splice(random: &mut Random, donor: &[u8], text: &mut Vec<u8>) {
    let unit = *random.pick(&UNITS);
    let Some(from) = choose(random, donor, unit) else { return };
    let mut copy = donor[from].to_vec();
    if random.chance(60) {
        copy = with_names_of(random, text, &copy);
    }
    let unit = if random.chance(90) { unit } else { *random.pick(&UNITS) };
    let at = choose(random, text, unit).unwrap_or(0..0);
    let at = match random.below(4) {
        0..=1 => at,
        2 => at.start..at.start,
        _ => at.end..at.end,
    };
    text.splice(at, copy);
}

/// A piece of a text, if it has one of this kind.
fn choose(random: &mut Random, text: &[u8], unit: Unit) -> Option<Range<usize>> {
    let starts = tokens(text);
    let last = starts.len() - 1;
    let byte = |index: usize| text.get(starts[index]).copied().unwrap_or(b';');
    let any = |random: &mut Random, of: &dyn Fn(usize) -> bool| -> Option<usize> {
        let some: Vec<usize> = (0..last).filter(|&index| of(index)).collect();
        if some.is_empty() { None } else { Some(*random.pick(&some)) }
    };
    let tokens = match unit {
        Unit::Tokens => {
            let from = random.below(last);
            from..(from + 1 + random.below(8)).min(last)
        }
        Unit::Operand => {
            let separates = |index: usize| b"(),;=[]{}?:".contains(&byte(index));
            let from = any(random, &|index| separates(index) && !separates(index + 1))? + 1;
            from..(from..last).find(|&index| separates(index)).unwrap_or(last)
        }
        Unit::Group => {
            let from = any(random, &|index| b"([{".contains(&byte(index)))?;
            from..end_of_group(from, last, &byte)
        }
        Unit::Statement => {
            let from = any(random, &|index| b";{}".contains(&byte(index)))? + 1;
            from..end_of_statement(from, last, &byte)
        }
        Unit::Function => {
            let mut outer = Vec::new();
            let mut at = 0;
            while at < last {
                let end = end_of_statement(at, last, &byte);
                outer.push(at..end);
                at = end.max(at + 1);
            }
            if outer.is_empty() { return None } else { random.pick(&outer).clone() }
        }
        Unit::Directive => {
            let from = any(random, &|index| byte(index) == b'#')?;
            let ends =
                |index: usize| byte(index) == b'\n' && text[..starts[index]].last() != Some(&b'\\');
            let end = (from..last).find(|&index| ends(index)).unwrap_or(last - 1) + 1;
            // A line is of use at the beginning of one only.
            from..end
        }
    };
    Some(starts[tokens.start.min(last)]..starts[tokens.end.min(last)])
}

/// Behind the bracket that closes the one at `from`.
fn end_of_group(from: usize, last: usize, byte: &dyn Fn(usize) -> u8) -> usize {
    let mut depth = 0usize;
    for index in from..last {
        match byte(index) {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    last
}

/// Behind the semicolon, or the block, that ends what begins at `from`.
fn end_of_statement(from: usize, last: usize, byte: &dyn Fn(usize) -> u8) -> usize {
    let mut at = from;
    while at < last {
        match byte(at) {
            b';' => return at + 1,
            b'{' => return end_of_group(at, last, byte),
            b'}' => return at,
            b'(' | b'[' => at = end_of_group(at, last, byte),
            _ => at += 1,
        }
    }
    last
}

/// A piece with some names that `text` does not have exchanged for some that it has.
fn with_names_of(random: &mut Random, text: &[u8], piece: &[u8]) -> Vec<u8> {
    fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let starts = tokens(text);
        let ranges: Vec<Range<usize>> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
        ranges.into_iter().map(|range| &text[range])
    }
    let is_name =
        |word: &[u8]| word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let mut known = HashSet::new();
    // In the order of the text, so that the same input comes out each time.
    let there: Vec<&[u8]> =
        names(text).filter(|word| is_name(word) && known.insert(*word)).collect();
    if there.is_empty() {
        return piece.to_vec();
    }
    let mut instead: HashMap<&[u8], &[u8]> = HashMap::new();
    let mut out = Vec::with_capacity(piece.len());
    for word in names(piece) {
        let exchanged = if is_name(word) && !known.contains(word) {
            *instead
                .entry(word)
                .or_insert_with(|| if random.chance(70) { *random.pick(&there) } else { word })
        } else {
            word
        };
        out.extend_from_slice(exchanged);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pieces that a thousand tries find.
    fn pieces(text: &str, unit: Unit) -> Vec<String> {
        let mut random = Random::new(1);
        let mut out: Vec<String> = (0..1000)
            .filter_map(|_| choose(&mut random, text.as_bytes(), unit))
            .map(|range| text[range].trim().to_owned())
            .collect();
        out.sort();
        out.dedup();
        out
    }

    #[test]
    fn pieces_are_whole() {
        let text = "#define A 1\nint f(int a) { return g(a[1], 2); }\nint x;";
        assert_eq!(
            pieces(text, Unit::Group),
            ["(a[1], 2)", "(int a)", "[1]", "{ return g(a[1], 2); }"]
        );
        assert_eq!(pieces(text, Unit::Directive), ["#define A 1"]);
        assert!(pieces(text, Unit::Statement).contains(&"return g(a[1], 2);".to_owned()));
        assert!(pieces(text, Unit::Operand).contains(&"int a".to_owned()));
        assert!(pieces(text, Unit::Function).contains(&"int x;".to_owned()));
        for unit in UNITS {
            pieces("", unit);
            pieces("}{)(][#;", unit);
        }
    }

    #[test]
    fn names_become_those_of_the_text() {
        let mut random = Random::new(7);
        let piece = with_names_of(&mut random, b"a + a", b"x + y * x + 1");
        let text = String::from_utf8(piece).unwrap();
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(words[0], words[4], "{text}");
        assert!(["a", "x"].contains(&words[0]) && ["a", "y"].contains(&words[2]), "{text}");
    }
}
