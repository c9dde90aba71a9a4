//! What is damaged.

use std::path::{Path, PathBuf};

use crate::random::Random;

/// Larger files are left out: reading one would take longer than an input made of it.
const LARGEST_FILE: u64 = 2 << 20;

pub struct Sources {
    /// Of the files of each folder, in an order that does not depend on the file system.
    folders: Vec<Vec<PathBuf>>,
    /// The examples of the explanations: short, and each breaks a rule.
    examples: Vec<Vec<u8>>,
}

impl Sources {
    pub fn of(folders: &[PathBuf]) -> Result<Sources, String> {
        let mut all = Vec::new();
        for folder in folders {
            let mut paths = Vec::new();
            collect(folder, &mut paths);
            paths.sort();
            all.push(paths);
        }
        all.retain(|paths| !paths.is_empty());
        if all.is_empty() {
            return Err("no sources".to_owned());
        }
        Ok(Sources { folders: all, ..Sources::of_examples() })
    }

    /// The examples of the explanations alone.
    pub fn of_examples() -> Sources {
        let mut examples = Vec::new();
        for code in clc::codes::all() {
            for example in code.explain.split("```").skip(1).step_by(2) {
                let (_, example) = example.split_once('\n').unwrap_or(("", example));
                examples.push(example.as_bytes().to_vec());
            }
        }
        Sources { folders: Vec::new(), examples }
    }

    /// All of them, each once, but for files that are larger.
    pub fn all(&self, largest: usize) -> Vec<Vec<u8>> {
        let files = self.folders.iter().flatten();
        let texts = files.filter_map(|path| std::fs::read(path).ok());
        texts.chain(self.examples.iter().cloned()).filter(|text| text.len() <= largest).collect()
    }

    /// The text of a file, each folder as often as the others, or of an example.
    pub fn any(&self, random: &mut Random, examples: usize) -> Vec<u8> {
        if self.folders.is_empty() || random.chance(examples) {
            return random.pick(&self.examples).clone();
        }
        let folder = random.pick(&self.folders);
        std::fs::read(random.pick(folder)).unwrap_or_default()
    }
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            collect(&entry.path(), out);
        }
    } else if path.extension().is_some_and(|extension| extension == "cl" || extension == "h")
        && path.metadata().is_ok_and(|file| file.len() <= LARGEST_FILE)
    {
        out.push(path.to_owned());
    }
}
