//! `SpirvExtensions::KNOWN` is what `--spirv-ext` warns by; it must not fall behind the emitter.

use std::path::Path;

use clc_legalise::SpirvExtensions;

fn names(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // The linker passes on what the modules have, and readers take what there is.
            if !path.ends_with("link") && !path.ends_with("read") {
                names(&path, found);
            }
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for part in text.split("\"SPV_").skip(1) {
            let end = part.find('"').unwrap();
            found.push(format!("SPV_{}", &part[..end]));
        }
    }
}

#[test]
fn every_extension_that_is_used_is_known() {
    let mut found = Vec::new();
    names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 10, "{found:?}");
    found.retain(|name| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name != "SPV_"
            && !["SPV_KHR_bit_instructions,-all", "SPV_A"].contains(&name.as_str())
    });
    for name in found {
        assert!(SpirvExtensions::KNOWN.contains(&name.as_str()), "list {name} in KNOWN");
    }
}
