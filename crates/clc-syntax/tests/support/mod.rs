//! Tokens for tests of the grammar.

use clc_base::{Interner, SourceMap, Version};
use clc_syntax::preprocess::{FileInput, NoIncludes, Options, preprocess};
use clc_syntax::token::Token;

/// The tokens of a text, and the position where the text begins.
pub fn tokenize(text: &str, version: Version, interner: &mut Interner) -> (Vec<Token>, u32) {
    let main = FileInput { name: "case.cl".to_owned(), bytes: text.as_bytes().to_vec() };
    let options = Options { version, ..Options::default() };
    let mut map = SourceMap::new();
    let output = preprocess(main, &options, &mut NoIncludes, &mut map, interner);
    let start = output.main.map_or(0, |file| map.file_span(file).lo);
    (output.tokens, start)
}
