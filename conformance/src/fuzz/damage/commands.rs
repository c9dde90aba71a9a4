//! Command lines of words that the command knows, and of some that it does not.

use std::path::Path;

use super::{How, Input};
use crate::random::Random;

/// Files of a command line.
pub const FILES: [&str; 8] = [
    "good.cl",
    "bad.cl",
    "module.spv",
    "part.spv",
    "object.o",
    "words.rsp",
    "profile.json",
    "folder",
];

/// A command line: its words, one a line.
pub fn input(random: &mut Random, words: &[String]) -> Input {
    let mut line: Vec<String> = Vec::new();
    let word = |random: &mut Random| -> String {
        if random.chance(30) {
            let at = if random.chance(10) { "@" } else { "" };
            return format!("{at}{}", random.pick(&FILES));
        }
        let word: &String = random.pick(words);
        match random.below(12) {
            0 => format!("{word}={}", random.pick(words)),
            1 => format!("{word}{}", random.pick(words)),
            2 => format!("{word}={}", random.next() >> random.below(64)),
            3 => word.split('=').next().unwrap_or("").to_owned(),
            4 => {
                let mut bytes = word.clone().into_bytes();
                if !bytes.is_empty() {
                    let at = random.below(bytes.len());
                    bytes[at] = 0x20 + random.below(0x5f) as u8;
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => word.clone(),
        }
    };
    match random.below(10) {
        0 => line.push("link".to_owned()),
        1 => line.push("inspect".to_owned()),
        2 => line.push("clspv".to_owned()),
        3 => line.push("--mode=spir-v".to_owned()),
        4 => line.push(word(random)),
        _ => line.push(FILES[0].to_owned()),
    }
    for _ in 0..1 + random.below(8) {
        line.push(word(random));
    }
    if random.chance(50) {
        line.extend(
            ["-o", *random.pick(&["out.spv", "-", "folder", "folder/", "good.cl"])]
                .map(str::to_owned),
        );
    }
    // Nothing outside the folder is written; nothing waits for a change or becomes another program.
    line.retain(|word| {
        !word.contains("..")
            && !word.contains("=/")
            && !word.starts_with('/')
            && !word.contains("watch")
    });
    if line.first().is_some_and(|word| word == "doctor" || word == "lsp") {
        line.clear();
    }
    Input { bytes: line.join("\n").into_bytes(), how: How::Line }
}

/// What the words of a command line are taken from: options and all that is said of them.
pub fn vocabulary(clc: &Path) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in [&["--help"][..], &["link", "--help"], &["inspect", "--help"], &["clspv", "--help"]]
    {
        let output = std::process::Command::new(clc).args(line).output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        out.extend(
            text.split(|c: char| c.is_whitespace() || ",;`()<>[]".contains(c)).map(str::to_owned),
        );
    }
    // What stands for a value is none.
    out.retain(|word| !word.is_empty() && !word.contains("http"));
    out.sort();
    out.dedup();
    // Options come more often than what explains them.
    let options: Vec<String> = out.iter().filter(|word| word.starts_with('-')).cloned().collect();
    for _ in 0..3 {
        out.extend_from_slice(&options);
    }
    out
}
