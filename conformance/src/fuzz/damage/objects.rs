//! Damaged objects for `clc link`: parts of programs for Vulkan, which are the intermediate representation as
//! text.
//!
//! Objects have a checksum, so what comes to the linker otherwise is no object. With the checksum put right it
//! may end in the report of an internal error, but neither in a crash nor in a module that is not valid.

use super::sources::Sources;
use super::text::tokens;
use super::{FILE, How, Input, OTHER, command};
use crate::random::Random;

/// How many objects are damaged by one process, and the size of the largest.
const WANTED: usize = 24;
const LARGEST: usize = 24 << 10;

/// Objects of sources that compile.
pub fn samples(seed: u64, sources: &Sources) -> Vec<Vec<u8>> {
    let mut random = Random::new(seed);
    let mut objects = Vec::new();
    for _ in 0..WANTED * 8 {
        let text = sources.any(&mut random, 20);
        let _ = std::fs::write(OTHER, &text);
        let level = if random.chance(50) { "-O0" } else { "-O" };
        let line =
            ["-c", "--target-env=vulkan1.3", "-cl-std=CL2.0", "-w", level, OTHER, "-o", FILE];
        let _ = std::fs::remove_file(FILE);
        if command(&line) == 0
            && let Ok(bytes) = std::fs::read(FILE)
            && bytes.len() <= LARGEST
        {
            objects.push(bytes);
        }
        if objects.len() == WANTED {
            break;
        }
    }
    objects
}

/// A damaged object, and what reads it.
pub(super) fn input(random: &mut Random, samples: &[Vec<u8>]) -> Input {
    let mut bytes = random.pick(samples).clone();
    let other = random.pick(samples).clone();
    let most = 1 << random.below(3);
    for _ in 0..1 + random.below(most) {
        damage_text(random, &mut bytes, &other);
    }
    let may_break = random.chance(80);
    if may_break {
        put_checksum_right(&mut bytes);
    }
    let level = if random.chance(50) { "-O0" } else { "-O" };
    let lines: [&[&str]; 2] = [
        &["link", level, "--verify-each", FILE, "-o", "out.spv"],
        &["link", level, "--create-library", FILE, OTHER, "-o", "out.o"],
    ];
    let lines = lines.iter().map(|line| line.iter().map(|&word| word.to_owned()).collect());
    Input { bytes, how: How::Commands { other, lines: lines.collect(), may_break } }
}

pub fn damage_text(random: &mut Random, text: &mut Vec<u8>, other: &[u8]) {
    fn token(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
        let starts = tokens(text);
        let index = random.below(starts.len() - 1);
        starts[index]..starts[index + 1]
    }
    fn line(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let index = random.below(lines.len());
        let start = lines[..index].iter().map(|line| line.len()).sum();
        start..start + lines.get(index).map_or(0, |line| line.len())
    }
    if text.is_empty() {
        return;
    }
    match random.below(10) {
        0 => {
            let at = random.below(text.len());
            text[at] = random.next() as u8;
        }
        1 => {
            text.drain(token(random, text));
        }
        2..=4 => {
            let copy = text[token(random, text)].to_vec();
            let at = token(random, text);
            text.splice(at, copy);
        }
        5 => {
            text.drain(line(random, text));
        }
        6 => {
            let copy = text[line(random, text)].to_vec();
            let at = line(random, text).start;
            text.splice(at..at, copy);
        }
        7 => {
            let copy = other[line(random, other)].to_vec();
            let at = line(random, text).start;
            text.splice(at..at, copy);
        }
        8 => {
            let copy = other[token(random, other)].to_vec();
            let at = token(random, text);
            text.splice(at, copy);
        }
        _ => {
            let number = *random.pick(&[
                "0",
                "1",
                "-1",
                "4294967295",
                "18446744073709551615",
                "3",
                "v0",
                "b0",
            ]);
            let at = token(random, text);
            text.splice(at, number.bytes());
        }
    }
}

/// Computes the checksum of an object anew: that of FNV-1a of all that is behind its line.
fn put_checksum_right(bytes: &mut [u8]) {
    let mut ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n');
    let (Some(first), Some(second)) = (ends.next(), ends.next()) else { return };
    let sum = bytes[second + 1..].iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let line = format!("checksum {sum:016x}");
    if second - first - 1 == line.len() {
        bytes[first + 1..second].copy_from_slice(line.as_bytes());
    }
}
