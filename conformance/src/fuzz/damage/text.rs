//! Sources damaged by bytes, tokens and lines.

use clc::{DebugLevel, OptLevel, Options, TargetEnv, TargetOptions, Unit, Version};

use super::sources::Sources;
use super::{How, Input};
use crate::random::Random;

/// The largest piece of a file that is taken, so that much is tried.
pub const LARGEST: usize = 12 << 10;

/// Words that decide much.
const WORDS: [&str; 96] = [
    "kernel",
    "__kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "const",
    "volatile",
    "restrict",
    "static",
    "extern",
    "inline",
    "typedef",
    "struct",
    "union",
    "enum",
    "void",
    "bool",
    "char",
    "uchar",
    "short",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "double",
    "size_t",
    "float4",
    "int3",
    "uchar16",
    "double2",
    "half8",
    "image2d_t",
    "sampler_t",
    "event_t",
    "pipe",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "atomic_int",
    "read_only",
    "write_only",
    "read_write",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "sizeof",
    "vec_step",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__attribute__((overloadable))",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "&&",
    "?",
    ":",
    "=",
    "+=",
    "->",
    ".",
    ".xyzw",
    ".s0",
    ".lo",
    "++",
    "...",
    "#define",
    "#if",
    "#endif",
    "##",
    "^",
    "~",
    "convert_int4_sat",
    "as_float",
    "get_global_id(0)",
    "barrier(1)",
];

const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "4294967295u",
    "9223372036854775807",
    "0xFFFFFFFFFFFFFFFFul",
    "-2147483648",
    "1e400",
    "0x1p-1074",
    "1.0f",
    ".5h",
    "99999999999999999999999",
    "0b1",
    "08",
    "'\\377'",
    "1000000000",
    "65536",
];

/// A piece of a file, from the beginning of a line to the end of one.
pub fn piece<'a>(random: &mut Random, source: &'a [u8]) -> &'a [u8] {
    if source.len() <= LARGEST {
        return source;
    }
    let from = random.below(source.len() - LARGEST);
    let line = |at: usize| {
        source[at..].iter().position(|&byte| byte == b'\n').map_or(at, |offset| at + offset + 1)
    };
    &source[line(from)..line(from + LARGEST)]
}

/// The beginnings of the tokens, roughly.
pub fn tokens(text: &[u8]) -> Vec<usize> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => 0,
        b' ' | b'\t' | b'\r' => 1,
        _ => 2,
    };
    let mut out = vec![0];
    for at in 1..text.len() {
        let (before, here) = (class(text[at - 1]), class(text[at]));
        if before != here || here == 2 {
            out.push(at);
        }
    }
    out.push(text.len());
    out
}

/// A token with what follows up to the next.
pub fn token(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
    let starts = tokens(text);
    if starts.len() < 2 {
        return 0..text.len();
    }
    let index = random.below(starts.len() - 1);
    starts[index]..starts[index + 1]
}

/// Changes a text somewhere.
pub fn mutate(random: &mut Random, text: &mut Vec<u8>, sources: &Sources) {
    let at = token(random, text);
    match random.below(16) {
        0 => {
            text.drain(at);
        }
        1 => {
            let copy = text[at.clone()].to_vec();
            text.splice(at.start..at.start, copy);
        }
        2..=3 => {
            let word = random.pick(&WORDS).as_bytes().to_vec();
            text.splice(at, word);
        }
        4..=5 => {
            let word = format!(" {} ", random.pick(&WORDS));
            text.splice(at.start..at.start, word.into_bytes());
        }
        6 => {
            let number = random.pick(&NUMBERS).as_bytes().to_vec();
            text.splice(at, number);
        }
        7..=8 => {
            // The tokens that are there fit best.
            let from = token(random, text);
            let copy = text[from].to_vec();
            text.splice(at, copy);
        }
        9 => {
            let (a, b) = (token(random, text), at);
            let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
            if a.end <= b.start {
                let (first, second) = (text[a.clone()].to_vec(), text[b.clone()].to_vec());
                text.splice(b, first);
                text.splice(a, second);
            }
        }
        10 => {
            let other = sources.any(random, 25);
            let other = piece(random, &other);
            let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
            if !lines.is_empty() {
                let from = random.below(lines.len());
                let n = 1 + random.below(8);
                let some = lines[from..(from + n).min(lines.len())].concat();
                text.splice(at.start..at.start, some);
            }
        }
        11 => {
            let end = (at.start + random.below(200)).min(text.len());
            text.drain(at.start..end);
        }
        12 => {
            let end = (at.start + random.below(400)).min(text.len());
            let copy = text[at.start..end].to_vec();
            text.splice(at.start..at.start, copy);
        }
        13 if !text.is_empty() => {
            let index = random.below(text.len());
            text[index] = random.next() as u8;
        }
        14 if !text.is_empty() => {
            let index = random.below(text.len());
            text[index] ^= 1 << random.below(8);
        }
        15 if random.chance(30) => text.truncate(at.start),
        _ => {
            let from = token(random, text);
            let name = text[from].to_vec();
            // The same name everywhere.
            let old = text[at].to_vec();
            if old.len() > 1 && old[0].is_ascii_alphabetic() && name != old {
                let mut out = Vec::with_capacity(text.len());
                let starts = tokens(text);
                for pair in starts.windows(2) {
                    let word = &text[pair[0]..pair[1]];
                    out.extend_from_slice(if word == old { &name } else { word });
                }
                *text = out;
            }
        }
    }
}

/// The input of a number.
pub(super) fn input(random: &mut Random, sources: &Sources) -> Input {
    let source = sources.any(random, 25);
    let mut text = piece(random, &source).to_vec();
    let most = 1 << random.below(4);
    for _ in 0..1 + random.below(most) {
        mutate(random, &mut text, sources);
        text.truncate(LARGEST * 4);
    }
    Input { bytes: text, how: How::Compile(options(random)) }
}

/// Options that a source may be compiled with.
pub fn options(random: &mut Random) -> Box<Options> {
    let target = if random.chance(80) {
        TargetEnv::OpenCl { major: 3, minor: 0 }.into()
    } else {
        TargetOptions::from(*random.pick(&TargetEnv::all().collect::<Vec<_>>()))
    };
    Box::new(Options {
        // Later versions have more.
        version: match random.below(10) {
            0..=2 => *random.pick(&Version::ALL),
            3..=4 => Version::V1_2,
            5..=6 => Version::V2_0,
            _ => Version::V3_0,
        },
        extensions: match random.below(3) {
            0..=1 => vec!["+all".to_owned()],
            _ => Vec::new(),
        },
        opt_level: if random.chance(70) { OptLevel::O } else { OptLevel::O0 },
        unit: if random.chance(15) { Unit::Part } else { Unit::Program },
        target: TargetOptions {
            debug: match random.below(20) {
                0 => DebugLevel::Lines,
                1..=2 => DebugLevel::Full,
                _ => DebugLevel::None,
            },
            kernel_arg_info: random.chance(15),
            ..target
        },
        verify_each: true,
        ..Options::default()
    })
}
