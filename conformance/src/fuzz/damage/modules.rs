//! Damaged modules of SPIR-V, for `clc inspect` and `clc link`.

use clc::{Artifact, DebugLevel, Emit, NoIncludes, OptLevel, Options, TargetEnv, TargetOptions};
use clc::{Unit, Version};

use super::sources::Sources;
use super::{FILE, How, Input, OTHER};
use crate::random::Random;

/// How many modules are damaged by one process.
const WANTED: usize = 24;
/// The largest of these: a module is walked over a dozen times.
const LARGEST: usize = 24 << 10;

/// Modules of sources that compile.
pub fn samples(seed: u64, sources: &Sources) -> Vec<Vec<u8>> {
    let mut random = Random::new(seed);
    let mut modules = Vec::new();
    for _ in 0..WANTED * 8 {
        let text = sources.any(&mut random, 20);
        let opencl = TargetEnv::OpenCl { major: 3, minor: 0 };
        let vulkan = TargetEnv::Vulkan { major: 1, minor: 3 };
        let environment = if random.chance(60) { opencl } else { vulkan };
        let debug = *random.pick(&[DebugLevel::None, DebugLevel::Lines, DebugLevel::Full]);
        let part = environment == opencl && random.chance(50);
        let options = Options {
            version: Version::V3_0,
            extensions: vec!["+all".to_owned()],
            target: TargetOptions { debug, ..environment.into() },
            opt_level: if random.chance(50) { OptLevel::O } else { OptLevel::O0 },
            unit: if part { Unit::Part } else { Unit::Program },
            ..Options::default()
        };
        let compiled = clc::compile("input.cl", &text, Emit::Spirv, &options, &mut NoIncludes);
        if let Some(Artifact::Module(words)) = compiled.artifact {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            if bytes.len() <= LARGEST {
                modules.push(bytes);
            }
        }
        if modules.len() == WANTED {
            break;
        }
    }
    modules
}

/// A damaged module, and what reads it.
pub(super) fn input(random: &mut Random, samples: &[Vec<u8>]) -> Input {
    let mut bytes = random.pick(samples).clone();
    let other = random.pick(samples).clone();
    let most = 1 << random.below(4);
    for _ in 0..1 + random.below(most) {
        damage_words(random, &mut bytes, &other);
    }
    let lines: &[&[&str]] = &[
        &["inspect", FILE],
        &["inspect", "--format=json", FILE],
        &["inspect", "--disassemble", FILE],
        &["inspect", "--diff", FILE, OTHER],
        &["inspect", "--validate", FILE],
        &["link", FILE, OTHER, "-o", "out.spv"],
        &["link", "--create-library", "--no-validate", FILE, "-o", "out.spv"],
    ];
    let lines = lines.iter().map(|line| line.iter().map(|&word| word.to_owned()).collect());
    Input { bytes, how: How::Commands { other, lines: lines.collect(), may_break: false } }
}

pub fn damage_words(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let words = bytes.len() / 4;
    if words == 0 {
        return;
    }
    let word = random.below(words) * 4;
    let starts = instructions(bytes);
    let instruction = |random: &mut Random, starts: &[usize]| {
        let index = random.below(starts.len() - 1);
        starts[index]..starts[index + 1]
    };
    let number =
        *random.pick(&[0, 1, 2, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x4000_0000_u32]);
    let put = |bytes: &mut Vec<u8>, value: u32| {
        bytes[word..word + 4].copy_from_slice(&value.to_le_bytes());
    };
    match random.below(12) {
        0 => bytes[word + random.below(4)] ^= 1 << random.below(8),
        1 => bytes[word + random.below(4)] = random.next() as u8,
        2 => put(bytes, number),
        3 => put(bytes, random.below(64) as u32),
        4 => bytes.truncate(random.below(bytes.len() + 1)),
        5 if starts.len() > 1 => {
            bytes.drain(instruction(random, &starts));
        }
        6 if starts.len() > 1 => {
            let copy = bytes[instruction(random, &starts)].to_vec();
            let at = *random.pick(&starts);
            bytes.splice(at..at, copy);
        }
        7 if starts.len() > 1 => {
            // The length of an instruction.
            let at = instruction(random, &starts).start;
            let length = *random.pick(&[0u16, 1, 2, 3, 4, 0xffff]);
            bytes[at + 2..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        8 if starts.len() > 1 => {
            // What an instruction is.
            let at = instruction(random, &starts).start;
            let opcode = random.below(440) as u16;
            bytes[at..at + 2].copy_from_slice(&opcode.to_le_bytes());
        }
        9 if starts.len() > 1 => {
            let there = instructions(other);
            if there.len() > 1 {
                let at = *random.pick(&starts);
                bytes.splice(at..at, other[instruction(random, &there)].to_vec());
            }
        }
        10 => {
            // An id takes the place of another.
            let from = random.below(words) * 4;
            let value = bytes[from..from + 4].to_vec();
            bytes[word..word + 4].copy_from_slice(&value);
        }
        _ => {
            // The head: magic number, version, bound.
            let at = random.below(5.min(words)) * 4;
            let value = if random.chance(50) { number } else { random.below(100) as u32 };
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
    }
}

/// Where the instructions of a module begin, and where the last ends.
fn instructions(bytes: &[u8]) -> Vec<usize> {
    let mut out = Vec::new();
    let mut at = 20;
    while at + 4 <= bytes.len() {
        out.push(at);
        let length = usize::from(u16::from_le_bytes([bytes[at + 2], bytes[at + 3]]));
        at += length.max(1) * 4;
    }
    out.push(at.min(bytes.len()));
    if out.len() > 1 && at > bytes.len() {
        // The last one is cut.
        out.pop();
    }
    out
}
