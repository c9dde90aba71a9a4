//! The inputs that libFuzzer begins with: sources of the tests and the examples of the explanations, and what the
//! compiler makes of them.

use std::path::{Path, PathBuf};

use clc::{Artifact, Emit, NoIncludes, OptLevel, Options, TargetEnv, Version};

use super::mutate::{with_head, words};
use super::{LARGEST, Target};
use crate::damage::modules;
use crate::damage::sources::Sources;
use crate::random::Random;

/// Command lines to begin with.
const LINES: usize = 400;
/// Texts of the intermediate representation.
const OBJECTS: usize = 200;

/// Writes the seeds of a target in a folder of `folder`, which is returned.
pub fn write(
    target: Target,
    seed: u64,
    sources: &[PathBuf],
    folder: &Path,
) -> Result<PathBuf, String> {
    let seeds = folder.join("seeds");
    let _ = std::fs::remove_dir_all(&seeds);
    let describe = |error: std::io::Error| format!("{}: {error}", seeds.display());
    std::fs::create_dir_all(&seeds).map_err(describe)?;
    for (index, bytes) in of(target, seed, sources)?.iter().enumerate() {
        std::fs::write(seeds.join(format!("{index:04}")), bytes).map_err(describe)?;
    }
    Ok(seeds)
}

/// The seeds of a target.
pub fn of(target: Target, seed: u64, sources: &[PathBuf]) -> Result<Vec<Vec<u8>>, String> {
    let sources = if sources.is_empty() { Sources::of_examples() } else { Sources::of(sources)? };
    let mut random = Random::new(seed);
    Ok(match target {
        Target::Source | Target::Compile | Target::Editor => {
            let texts = sources.all(LARGEST);
            texts.iter().map(|text| with_head(&mut random, text)).collect()
        }
        Target::Module => {
            (0..4).flat_map(|index| modules::samples(seed + index, &sources)).collect()
        }
        Target::Object => objects(&mut random, &sources),
        Target::Command => {
            let line = |random: &mut Random| {
                let mut line = vec!["good.cl"];
                line.extend((0..1 + random.below(4)).map(|_| random.pick(words()).as_str()));
                line.join("\n").into_bytes()
            };
            (0..LINES).map(|_| line(&mut random)).collect()
        }
    })
}

/// The intermediate representation of sources that compile.
fn objects(random: &mut Random, sources: &Sources) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    for _ in 0..OBJECTS * 4 {
        let text = sources.any(random, 20);
        let options = Options {
            version: Version::V3_0,
            extensions: vec!["+all".to_owned()],
            target: TargetEnv::Vulkan { major: 1, minor: 3 }.into(),
            opt_level: if random.chance(50) { OptLevel::O } else { OptLevel::O0 },
            ..Options::default()
        };
        let made = clc::compile("input.cl", &text, Emit::Ir, &options, &mut NoIncludes);
        if let Some(Artifact::Text(text)) = made.artifact
            && text.len() <= LARGEST
        {
            out.push(text.into_bytes());
        }
        if out.len() == OBJECTS {
            break;
        }
    }
    out
}
