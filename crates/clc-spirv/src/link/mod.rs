//! Links modules: what one exports (`LinkageAttributes name Export`) takes the place of what
//! another imports by that name.
//!
//! [`link`] reads each module ([`unit`]), resolves the names ([`symbols`]), and then writes the
//! program from its roots, the kernels (or, for a library, everything exported): [`program`] copies
//! the functions that are reached, [`globals`] the types, constants and variables that they use.
//! Modules keep their order, functions theirs in the module, so that the same inputs give the same
//! words.

mod blocks;
mod globals;
mod program;
mod sections;
mod symbols;
mod types;
mod unit;

use clc_base::Diagnostic;

use clc_legalise::diagnostics::{E0720, E0721, E0724};
use unit::Unit;

/// A module to link.
#[derive(Clone, Copy, Debug)]
pub struct LinkInput<'a> {
    /// What messages call it: the file's name.
    pub name: &'a str,
    /// The module, its header included.
    pub words: &'a [u32],
}

/// What the linked module is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkOptions {
    /// Make a library: keep everything that is exported, for another link, and leave imports that
    /// no module defines to it.
    pub library: bool,
}

/// Makes one module of several. What it says is the linker's business only; whether the inputs are
/// valid modules the caller asks the validator.
pub fn link(inputs: &[LinkInput<'_>], options: LinkOptions) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut units = Vec::with_capacity(inputs.len());
    let mut errors = Vec::new();
    let mut bound = 0;
    for input in inputs {
        match Unit::read(input.name, input.words, bound) {
            Ok((unit, next)) => {
                bound = next;
                units.push(unit);
            }
            Err(reason) => errors.push(unreadable(input.name, &reason)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if let Some(error) = same_model(&units) {
        return Err(vec![error]);
    }
    let resolution = symbols::resolve(&units, bound, options)?;
    program::write(&units, resolution, options)
}

/// E0720, for what is no module.
pub fn unreadable(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::without_place(&E0720, format!("`{name}` cannot be linked: {reason}"))
        .help("inputs are SPIR-V modules, as `clc -c` writes them")
}

/// Pointers have one width in a program, and memory one model.
fn same_model(units: &[Unit]) -> Option<Diagnostic> {
    let (first, rest) = units.split_first()?;
    let other = rest.iter().find(|unit| unit.memory_model != first.memory_model)?;
    let words = |unit: &Unit| match unit.memory_model {
        [0, _] => "no addresses".to_owned(),
        [1, _] => "32-bit addresses".to_owned(),
        [2, _] => "64-bit addresses".to_owned(),
        [addressing, memory] => {
            format!("addressing model {addressing} and memory model {memory}")
        }
    };
    let message =
        format!("`{}` has {} and `{}` has {}", first.name, words(first), other.name, words(other));
    let help = "compile all modules with the same `--address-bits`";
    Some(Diagnostic::without_place(&E0724, message).help(help))
}

/// Final numbers of ids.
struct Ids {
    by_original: Vec<u32>,
    next: u32,
}

impl Ids {
    fn new(bound: u32) -> Ids {
        Ids { by_original: vec![0; bound as usize], next: 1 }
    }

    /// The final number; a new one at the first time.
    fn of(&mut self, id: u32) -> u32 {
        let slot = &mut self.by_original[id as usize];
        if *slot == 0 {
            *slot = self.next;
            self.next += 1;
        }
        *slot
    }

    fn get(&self, id: u32) -> u32 {
        self.by_original[id as usize]
    }

    fn has(&self, id: u32) -> bool {
        self.get(id) != 0
    }

    fn set(&mut self, id: u32, to: u32) {
        self.by_original[id as usize] = to;
    }
}

/// Why writing stops; ids are those of the units.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// An id is used and never defined.
    Missing(u32),
    /// Initializers take each other's addresses in a circle.
    Circle(u32),
}

/// The unit that an id belongs to.
fn owner_of(units: &[Unit], starts: &[u32], id: u32) -> usize {
    let index = starts.partition_point(|&start| start <= id).saturating_sub(1);
    index.min(units.len().saturating_sub(1))
}

/// The error that says a name of a module is not there.
fn unresolved(name: &str, module: &str, guess: Option<&str>) -> Diagnostic {
    let message = format!("`{name}` is used by `{module}`, and no module defines it");
    let diagnostic = Diagnostic::without_place(&E0721, message);
    match guess {
        Some(guess) => diagnostic.help(format!("a module defines `{guess}`")),
        None => diagnostic.help(
            "link the module that defines it, or write `--create-library` to leave it to a later \
             link",
        ),
    }
}
