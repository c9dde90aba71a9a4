//! `-E`: tokens as text that preprocesses to the same tokens again.

use clc_base::{Interner, SourceMap};

use super::Output;

/// The text of `output` with line markers (`# 12 "file" 1`). Needs
/// [`Options::keep_layout`](super::Options::keep_layout).
pub fn print_preprocessed(output: &Output, map: &SourceMap, interner: &Interner) -> String {
    let _ = (output, map, interner);
    String::new()
}
