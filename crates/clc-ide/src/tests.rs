//! Queries on small programs; `$0` is where the cursor is.

mod availability;
mod completion;
mod files;
mod names;

use clc_base::SourceMap;
use clc_base::Version;
use clc_base::lang::{AddressBits, FloatOptions};
use clc_builtins::{ExtensionSet, features};
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess::{self, FileInput, IncludeRequest, IncludeResolver, Included, Options};

use crate::Analysis;

/// Files in memory, each behind a line `//- name`.
struct Files(Vec<(String, String)>);

impl IncludeResolver for Files {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        let found = self.0.iter().find(|(name, _)| name == request.name);
        Ok(found.map(|(name, text)| Included {
            name: name.clone(),
            contents: text.clone().into_bytes(),
            system: false,
        }))
    }
}

/// The analysis of the text before the first `//- name`, as OpenCL C 3.0, and where its `$0` stood.
fn analyse(source: &str) -> (Analysis, u32) {
    let extensions = features::default_set(Version::V3_0, features::Target::OpenCl);
    analyse_as(source, Version::V3_0, extensions)
}

/// [`analyse`] as another version, for a target with these extensions.
fn analyse_as(source: &str, version: Version, extensions: ExtensionSet) -> (Analysis, u32) {
    let mut parts = source.split("//- ");
    let main = parts.next().unwrap_or("");
    let files = parts
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
        .map(|(name, text)| (name.trim().to_owned(), text.to_owned()))
        .collect();
    let offset = main.find("$0").unwrap_or(0) as u32;
    let main = main.replacen("$0", "", 1);

    let mut sources = SourceMap::new();
    let mut interner = clc_syntax::token::interner();
    let options =
        Options { version, extensions: extensions.clone(), trace: true, ..Options::default() };
    let input = FileInput { name: "main.cl".to_owned(), bytes: main.into_bytes() };
    let mut files = Files(files);
    let output = preprocess::preprocess(input, &options, &mut files, &mut sources, &mut interner);
    let parse_options = ParseOptions { version };
    let (ast, _) = clc_syntax::parse::parse(&output.tokens, &mut interner, &parse_options);
    let sema_options = clc_sema::SemaOptions {
        version,
        extensions,
        address_bits: AddressBits::Bits64,
        float: FloatOptions::default(),
        strict_aliasing: true,
        signed_overflow_wraps: false,
    };
    let (module, _, index) = clc_sema::check_and_index(&ast, &sema_options, None, &mut interner);
    let analysis = Analysis {
        sources,
        main: output.main.unwrap(),
        ast,
        module,
        index,
        trace: output.trace,
        macros: output.macros,
        interner,
        tokens: output.tokens,
        language: sema_options,
    };
    (analysis, offset)
}

/// `file:text@offset` of a place.
fn shown(analysis: &Analysis, place: &crate::Place) -> String {
    let file = analysis.sources.files().iter().find(|file| file.name == place.file).unwrap();
    let range = place.range.start as usize..place.range.end as usize;
    let line = file.line_at(place.range.start).0 + 1;
    format!("{}:{line}:{}", place.file, &file.text[range])
}
