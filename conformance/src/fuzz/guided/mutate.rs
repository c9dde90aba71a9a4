//! How inputs are damaged: as the tries that nothing guides damage theirs, with the names of all built-in functions.

use std::sync::OnceLock;

use super::Target;
use crate::damage::sources::Sources;
use crate::damage::{modules, objects, splice, text};
use crate::random::Random;

/// Bytes before the text of a source, of which the options are made.
const HEAD: usize = 4;

/// What chooses the options of a source, and its text.
pub fn split(bytes: &[u8]) -> (Random, &[u8]) {
    let (head, text) = bytes.split_at(HEAD.min(bytes.len()));
    let number = head.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    (Random::new(number), text)
}

/// A source with options of its own.
pub fn with_head(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let head = (random.next() as u32).to_be_bytes();
    [&head[..], text].concat()
}

/// A damaged input; the same for the same seed.
pub fn mutate(target: Target, bytes: &[u8], seed: u32) -> Vec<u8> {
    let mut random = Random::new(seed.into());
    let random = &mut random;
    let mut out = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        match target {
            Target::Source | Target::Compile | Target::Editor => {
                let (head, text) = out.split_at(HEAD.min(out.len()));
                let mut text = text.to_vec();
                if random.chance(10) {
                    out = with_head(random, &text);
                    continue;
                }
                if random.chance(20) {
                    let at = text::token(random, &text);
                    text.splice(at, random.pick(names()).bytes());
                } else {
                    text::mutate(random, &mut text, examples());
                }
                out = [head, &text].concat();
            }
            Target::Module => modules::damage_words(random, &mut out, bytes),
            Target::Object => objects::damage_text(random, &mut out, bytes),
            Target::Command => damage_line(random, &mut out),
        }
    }
    out
}

/// An input with a piece of another.
pub fn cross(target: Target, bytes: &[u8], other: &[u8], seed: u32) -> Vec<u8> {
    let mut random = Random::new(seed.into());
    let random = &mut random;
    let mut out = bytes.to_vec();
    match target {
        Target::Source | Target::Compile | Target::Editor => {
            let (head, text) = bytes.split_at(HEAD.min(bytes.len()));
            let mut text = text.to_vec();
            splice::splice(random, split(other).1, &mut text);
            out = [head, &text].concat();
        }
        Target::Module => modules::damage_words(random, &mut out, other),
        Target::Object if !other.is_empty() => objects::damage_text(random, &mut out, other),
        Target::Object => {}
        Target::Command => {
            let (from, to) = (lines(other), lines(bytes));
            let (from, to) = (random.below(from.len() + 1), random.below(to.len() + 1));
            let first = lines(bytes).into_iter().take(to);
            out = first.chain(lines(other).into_iter().skip(from)).collect::<Vec<_>>().join(&b'\n');
        }
    }
    out
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(|&byte| byte == b'\n').collect()
}

/// Changes a word of a command line.
fn damage_line(random: &mut Random, bytes: &mut Vec<u8>) {
    let mut words: Vec<Vec<u8>> = lines(bytes).into_iter().map(<[u8]>::to_vec).collect();
    let at = random.below(words.len());
    let known = random.pick(self::words()).as_bytes();
    match random.below(6) {
        0..=1 => words.insert(at, known.to_vec()),
        2 => words[at] = known.to_vec(),
        3 => {
            words.remove(at);
        }
        4 => {
            let value = random.below(words.len());
            words[at] = [&words[at][..], b"=", &words[value]].concat();
        }
        _ => {
            let cut = random.below(words[at].len() + 1);
            words[at].truncate(cut);
        }
    }
    *bytes = words.join(&b'\n');
}

/// The names of built-in functions.
fn names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    NAMES.get_or_init(|| clc_builtins::names().collect())
}

/// The words of command lines.
pub fn words() -> &'static [String] {
    static WORDS: OnceLock<Vec<String>> = OnceLock::new();
    WORDS.get_or_init(clc::cli::understood::words)
}

fn examples() -> &'static Sources {
    static EXAMPLES: OnceLock<Sources> = OnceLock::new();
    EXAMPLES.get_or_init(Sources::of_examples)
}
