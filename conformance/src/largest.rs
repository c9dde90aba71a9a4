//! `--largest N --into FOLDER`: the largest units of a corpus by their preprocessed text, each as a file with the options
//! of clc and of clang beside it, one a line.

use std::path::Path;

use clc::cli::Request;
use clc::{Artifact, Emit};

use crate::units::Unit;

pub fn write(name: &str, units: &[Unit], count: usize, folder: &Path) -> Result<(), String> {
    let mut texts: Vec<(String, &Unit)> = Vec::new();
    for unit in units {
        // What is refused has no size.
        texts.extend(preprocessed(unit)?.map(|text| (text, unit)));
        texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        texts.truncate(count);
    }
    for (index, (text, unit)) in texts.iter().enumerate() {
        // Macros and folders have done their work.
        let mut clc: Vec<String> = Vec::new();
        let mut options = unit.options.iter();
        while let Some(option) = options.next() {
            match option.as_str() {
                // What is defined is the next one.
                "-D" | "-I" | "-U" => drop(options.next()),
                _ if ["-D", "-I", "-U"].iter().any(|head| option.starts_with(head)) => {}
                _ => clc.push(option.clone()),
            }
        }
        let clang = clc.iter().flat_map(|option| crate::oracle::translate(option));
        let clang: Vec<String> = clang.collect();
        let path = folder.join(format!("{name}-{index}.cl"));
        for (path, text) in [
            (path.with_extension("clc"), clc.join("\n")),
            (path.with_extension("clang"), clang.join("\n")),
            (path, text.clone()),
        ] {
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// `None` if it is refused.
fn preprocessed(unit: &Unit) -> Result<Option<String>, String> {
    let text = crate::text_of(unit)?;
    let Request { options, mut resolver, .. } = Request::of_options(&unit.options)?;
    let name = unit.parts.last().map(|part| part.display().to_string()).unwrap_or_default();
    let compilation = clc::compile(&name, &text, Emit::Preprocessed, &options, &mut resolver);
    Ok(match compilation.artifact {
        Some(Artifact::Text(text)) => Some(text),
        _ => None,
    })
}
