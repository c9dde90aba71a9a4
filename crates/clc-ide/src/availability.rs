//! What the version of the language and the target have of the language's words.
//!
//! Which types and keywords there are is decided where programs are checked, so a small program that
//! uses each of them is checked, and what is said of it is the reason.

use clc_base::{SourceMap, Version};
use clc_builtins::types::Environment;
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess::{self, FileInput, IncludeRequest, IncludeResolver, Included, Options};
use clc_syntax::token::{self, Keyword};

use crate::analysis::Analysis;
use crate::target::is_type_name;

/// A program without includes.
struct NoFiles;

impl IncludeResolver for NoFiles {
    fn resolve(&mut self, _: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        Ok(None)
    }
}

impl Analysis {
    /// Where built-in functions are looked for.
    pub(crate) fn environment(&self) -> Environment<'_> {
        Environment {
            version: self.language.version,
            extensions: &self.language.extensions,
            address_bits: self.language.address_bits,
        }
    }

    /// Why the program cannot use a type or a keyword, as a sentence without an end.
    pub(crate) fn lacking_word(&self, word: &str) -> Option<String> {
        self.lacking_words(&[word]).pop().flatten()
    }

    /// [`lacking_word`](Analysis::lacking_word) of each of these; other words are never lacking.
    pub(crate) fn lacking_words(&self, words: &[&str]) -> Vec<Option<String>> {
        // What only has to be enabled is there: the pragma is written soon.
        let mut text = String::from(
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
             #pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
        );
        let mut uses = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let Some(parameter) = self.parameter_of(word) else { continue };
            let start = text.len();
            text.push_str(&format!("void f{index}({parameter});\n"));
            uses.push((index, start..text.len()));
        }
        let mut lacking: Vec<Option<String>> =
            words.iter().map(|word| self.reserved(word)).collect();
        for (at, reason) in self.errors_of(text) {
            let place = uses.partition_point(|(_, range)| range.end <= at as usize);
            if let Some((index, range)) = uses.get(place)
                && range.contains(&(at as usize))
            {
                lacking[*index].get_or_insert(reason);
            }
        }
        lacking
    }

    /// A parameter that uses a word.
    fn parameter_of(&self, word: &str) -> Option<String> {
        let keyword = token::keywords().find(|&(spelling, _)| spelling == word);
        Some(match keyword.map(|(_, keyword)| keyword) {
            Some(Keyword::Generic) => format!("{word} int *p"),
            Some(Keyword::Pipe) => format!("read_only {word} int p"),
            Some(Keyword::ReadWrite) => format!("{word} image2d_t p"),
            Some(Keyword::Double) => format!("{word} p"),
            // Pointers to `half` are always there (OpenCL C 6.1.1.1).
            Some(Keyword::Half) => return None,
            _ if is_type_name(word) => format!("{word} p"),
            _ => return None,
        })
    }

    /// Before 2.0 `pipe` is a name like others, and the program would not parse.
    fn reserved(&self, word: &str) -> Option<String> {
        let is_early = self.language.version < Version::V2_0;
        (word == "pipe" && is_early)
            .then(|| format!("`pipe` needs OpenCL C 2.0; this is {}", self.language.version))
    }

    /// The errors of a program with the options of this one, and the bytes where they are.
    fn errors_of(&self, text: String) -> Vec<(u32, String)> {
        let mut sources = SourceMap::new();
        let mut interner = token::interner();
        let options = Options {
            version: self.language.version,
            extensions: self.language.extensions.clone(),
            ..Options::default()
        };
        let input = FileInput { name: String::new(), bytes: text.into_bytes() };
        let output =
            preprocess::preprocess(input, &options, &mut NoFiles, &mut sources, &mut interner);
        let parse_options = ParseOptions { version: self.language.version };
        let (ast, parsed) = clc_syntax::parse::parse(&output.tokens, &mut interner, &parse_options);
        let (_, checked) = clc_sema::check(&ast, &self.language, &mut interner);
        let Some(main) = output.main else { return Vec::new() };
        let start = sources.file(main).lo;
        let errors = parsed.into_iter().chain(checked).filter(|found| found.is_error());
        errors
            .filter_map(|found| Some((found.primary.span.lo.checked_sub(start)?, found.message)))
            .collect()
    }
}
