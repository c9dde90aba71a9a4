//! What is tried.

use std::sync::OnceLock;

use clc::reflection::diff::{Compared, diff};
use clc::render::Style;
use clc::{Artifact, Emit, NoIncludes, Options, TargetEnv, TargetOptions};
use clc_spirv::link::{LinkInput, LinkOptions};

use super::mutate::split;
use crate::damage::text::tokens;
use crate::damage::{self, splice};
use crate::random::Random;

/// What takes the bytes of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A head, which chooses options, and a text that is checked.
    Source,
    /// The same, and the text is compiled.
    Compile,
    /// The same, and an editor asks about the text.
    Editor,
    /// A module of SPIR-V, which is described, disassembled, compared and linked.
    Module,
    /// The text of the intermediate representation, as it is in objects.
    Object,
    /// The words of a command line, one a line, which is read.
    Command,
}

impl Target {
    pub const ALL: [Target; 6] = [
        Target::Source,
        Target::Compile,
        Target::Editor,
        Target::Module,
        Target::Object,
        Target::Command,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Target::Source => "source",
            Target::Compile => "compile",
            Target::Editor => "editor",
            Target::Module => "module",
            Target::Object => "object",
            Target::Command => "command",
        }
    }

    /// What is wrong with what becomes of an input.
    pub fn try_it(self, bytes: &[u8]) -> Result<(), String> {
        let tried = clc::guard::run(|| match self {
            Target::Source => source(bytes),
            Target::Compile => compile(bytes),
            Target::Editor => editor(bytes),
            Target::Module => module(bytes),
            Target::Object => object(bytes),
            Target::Command => command(bytes),
        });
        let why = match tried {
            Ok(result) => return result,
            Err(error) => format!("{} {}", error.location.unwrap_or_default(), error.message),
        };
        Err(why.replace('\n', " "))
    }

    /// An input for people.
    pub fn shown(self, bytes: &[u8]) -> String {
        let text = match self {
            Target::Source | Target::Compile | Target::Editor => {
                let (mut random, text) = split(bytes);
                let (options, style) = chosen(&mut random);
                format!("{style:?} {options:?}\n----\n{}", String::from_utf8_lossy(text))
            }
            Target::Module => format!("a module of {} bytes", bytes.len()),
            Target::Object | Target::Command => String::from_utf8_lossy(bytes).into_owned(),
        };
        format!("----\n{text}\n----")
    }

    /// A smaller input of which the same is true.
    pub fn reduce(self, bytes: Vec<u8>, same: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        match self {
            Target::Source | Target::Compile | Target::Editor => {
                let head = bytes.len() - split(&bytes).1.len();
                let (head, text) = bytes.split_at(head);
                let whole = |text: &[u8]| [head, text].concat();
                whole(&damage::reduce(text.to_vec(), &mut |text| same(&whole(text))))
            }
            Target::Object | Target::Command => damage::reduce(bytes, &mut |text| same(text)),
            Target::Module => bytes,
        }
    }
}

/// The options of a head.
fn chosen(random: &mut Random) -> (Box<Options>, Style) {
    (splice::any_options(random), splice::any_style(random))
}

fn source(bytes: &[u8]) -> Result<(), String> {
    let (mut random, text) = split(bytes);
    let (options, style) = chosen(&mut random);
    let what = *random.pick(&[Emit::Nothing, Emit::Nothing, Emit::Nothing, Emit::Preprocessed]);
    damage::emit(text, what, &options, style).map(drop)
}

fn compile(bytes: &[u8]) -> Result<(), String> {
    let (mut random, text) = split(bytes);
    let (options, style) = chosen(&mut random);
    damage::emit(text, Emit::Spirv, &options, style).map(drop)
}

/// Asks all that editors ask, at the ends of some tokens.
fn editor(bytes: &[u8]) -> Result<(), String> {
    let (mut random, text) = split(bytes);
    let (options, _) = chosen(&mut random);
    let (_, front_end) = clc::compiler::analyse("input.cl", text, &options, &mut NoIncludes);
    let Some(front_end) = front_end else { return Ok(()) };
    let analysis = clc_lsp::analysis_of(front_end);
    let size = analysis.text().len() as u32;
    analysis.symbols();
    analysis.tokens();
    analysis.folds();
    analysis.hints(0, size);
    let ends = tokens(analysis.text().as_bytes());
    for _ in 0..4 {
        let offset = *random.pick(&ends) as u32;
        analysis.hover(offset);
        analysis.definition(offset);
        analysis.type_definition(offset);
        analysis.references(offset, true);
        let _ = analysis.rename(offset, "renamed");
        analysis.completions(offset);
        analysis.signature(offset);
    }
    Ok(())
}

fn module(bytes: &[u8]) -> Result<(), String> {
    let Ok((words, _)) = clc::reflection::in_native_order(bytes) else { return Ok(()) };
    let text = clc_spirv::try_disassemble(&words);
    let table = match clc::reflection::describe(&words) {
        Ok(description) => {
            clc::reflection::json(&description, None, None);
            clc::reflection::table("module", &description, None, false)
        }
        Err(_) => String::new(),
    };
    let text = text.as_deref();
    let [this, empty] = [(&*table, text), ("", Ok(""))].map(|(table, text)| Compared {
        name: "module",
        table,
        text,
    });
    // What cannot be compared is a difference, too.
    if text.is_ok() && diff(this, this, false).is_some() {
        return Err("a module differs from itself".to_owned());
    }
    diff(this, empty, true);

    let inputs = [
        LinkInput { name: "module", words: &words },
        LinkInput { name: "other", words: other_module() },
    ];
    for (inputs, library) in [(&inputs[..1], true), (&inputs[..], false)] {
        let Ok(linked) = clc_spirv::link::link(inputs, LinkOptions { library }) else { continue };
        if validated(&words).is_ok()
            && let Err(error) = validated(&linked)
        {
            return Err(format!("the linked module is not valid: {error}").replace('\n', " "));
        }
    }
    Ok(())
}

/// As `clc link` validates.
fn validated(words: &[u32]) -> Result<(), String> {
    let version = words.get(1).copied().unwrap_or(0);
    let options = TargetOptions {
        spirv_version: ((version >> 16) as u8, (version >> 8) as u8),
        ..TargetEnv::OpenCl { major: 3, minor: 0 }.into()
    };
    clc_spirv::validate(words, &options).map_err(|error| error.to_string())
}

/// A module that others are linked with: it defines and uses functions that they may have.
fn other_module() -> &'static [u32] {
    static WORDS: OnceLock<Vec<u32>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let text = "int f(int a) { return a; } int g(int); constant int table[2] = { 1, 2 };\n\
                    kernel void other(global int *p) { *p = g(f(table[*p & 1])); }";
        let options = Options { unit: clc::Unit::Part, ..Options::default() };
        let made =
            clc::compile("other.cl", text.as_bytes(), Emit::Spirv, &options, &mut NoIncludes);
        match made.artifact {
            Some(Artifact::Module(words)) => words,
            other => panic!("{other:?}: {:?}", made.diagnostics),
        }
    })
}

/// What is read and verified reads back as it was.
fn object(bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let Ok(module) = clc_ir::parse::module(text) else { return Ok(()) };
    if clc_ir::verify::module(&module).is_err() {
        return Ok(());
    }
    let printed = |module: &clc_ir::Module| {
        let mut text = String::new();
        clc_ir::print::module(module, &mut text);
        text
    };
    let once = printed(&module);
    let read = clc_ir::parse::module(&once)
        .map_err(|error| format!("what was printed is not read: {error}"))?;
    clc_ir::verify::module(&read)
        .map_err(|error| format!("what was printed is not verified: {error}"))?;
    match printed(&read) == once {
        true => Ok(()),
        false => Err("what was printed reads as something else".to_owned()),
    }
}

/// Reads a command line. Files outside the current folder are not named.
fn command(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let _ = clc::cli::split_options(&text);
    let words = text.split('\n').filter(|word| !word.contains(['/', '\\']));
    let _ = clc::cli::understood::understood(
        std::iter::once("clc").chain(words).map(Into::into).collect(),
    );
    Ok(())
}
