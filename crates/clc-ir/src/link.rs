//! Makes one module of several: what one imports, another exports.

use clc_base::Version;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::import::{Importer, Known, Names};
use crate::{FuncId, Function, GlobalId, Linkage, Module, Type, TypeKind, TypePool};

/// Why modules do not make one. Each holds the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// No module defines it.
    Undefined(String),
    /// Several modules define it.
    Duplicate(String),
    /// It is used with another type than that of its definition.
    Mismatch(String),
}

/// Whether a variable of one type may be declared with another: an array of unknown length is declared
/// as one of length 1.
fn is_declared(types: &TypePool, declared: Type, defined: Type) -> bool {
    match (types.kind(declared), types.kind(defined)) {
        (TypeKind::Array(element, 1), TypeKind::Array(of, _)) => element == of,
        _ => declared == defined,
    }
}

/// Links modules. A program keeps what its kernels reach and exports nothing, and everything that it
/// names must be there; a `library` keeps what is exported, for another link.
///
/// Options of floating point that permit something hold where all modules have them.
pub fn link(units: &[Module], library: bool) -> Result<Module, Vec<LinkError>> {
    let pointer_size = units.first().map_or(8, |unit| unit.types.pointer_size);
    let version = units.iter().map(|unit| unit.version).max().unwrap_or(Version::V1_2);
    let mut into = Module::new(pointer_size, version);
    into.contraction_off = units.iter().any(|unit| unit.contraction_off);
    let mut symbols = Symbols { library, ..Symbols::default() };
    let mut known: Vec<Known> = units.iter().map(|_| Known::default()).collect();
    let mut errors = Vec::new();

    // Everything that is exported has an id before anything is looked at that may name it.
    let mut globals = Vec::new();
    let mut functions = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let mut names = FxHashMap::default();
        let mut global_names = FxHashMap::default();
        let mut importer = Importer {
            into: &mut into,
            from: unit,
            known: std::mem::take(&mut known[index]),
            names: Some(&symbols),
        };
        for (old, global) in unit.globals.iter() {
            if global.linkage == Linkage::Export {
                let new = importer.declare_global(old);
                globals.push((index, old, new));
                global_names.insert(global.name.clone(), new);
            }
        }
        for (old, function) in unit.functions.iter() {
            let is_kept = function.linkage == Linkage::Export || function.entry_point.is_some();
            if is_kept && !function.is_declaration() {
                let new = importer.function(old);
                functions.push((index, old, new));
                names.insert(function.name.clone(), new);
            }
        }
        known[index] = importer.known;
        for name in names.keys().chain(global_names.keys()) {
            if symbols.functions.contains_key(name) || symbols.globals.contains_key(name) {
                errors.push(LinkError::Duplicate(name.clone()));
            }
        }
        symbols.functions.extend(names);
        symbols.globals.extend(global_names);
    }
    for (index, unit) in units.iter().enumerate() {
        let mut importer = Importer {
            into: &mut into,
            from: unit,
            known: std::mem::take(&mut known[index]),
            names: Some(&symbols),
        };
        for &(_, old, new) in globals.iter().filter(|(of, ..)| *of == index) {
            importer.initialize(old, new);
        }
        importer.bodies();
        known[index] = importer.known;
    }
    // What is imported has the type of its definition.
    for (index, unit) in units.iter().enumerate() {
        let mut importer = Importer {
            into: &mut into,
            from: unit,
            known: std::mem::take(&mut known[index]),
            names: Some(&symbols),
        };
        for function in unit.functions.values().filter(|it| it.linkage == Linkage::Import) {
            if let Some(&new) = symbols.functions.get(&function.name) {
                let declared = signature(&mut importer, function);
                let defined = &importer.into.functions[new];
                if declared != (defined.result, defined.params.clone()) {
                    errors.push(LinkError::Mismatch(function.name.clone()));
                }
            }
        }
        for global in unit.globals.values().filter(|it| it.linkage == Linkage::Import) {
            if let Some(&new) = symbols.globals.get(&global.name) {
                let ty = importer.ty(global.ty);
                let defined = &importer.into.globals[new];
                let types = &importer.into.types;
                if !is_declared(types, ty, defined.ty) || defined.class != global.class {
                    errors.push(LinkError::Mismatch(global.name.clone()));
                }
            }
        }
    }
    if !library {
        let functions = into.functions.values().filter(|it| it.linkage == Linkage::Import);
        let globals = into.globals.values().filter(|it| it.linkage == Linkage::Import);
        let names = functions.map(|it| &it.name).chain(globals.map(|it| &it.name));
        let mut seen = FxHashSet::default();
        let undefined = names.filter(|name| seen.insert((*name).clone()));
        errors.extend(undefined.map(|name| LinkError::Undefined(name.clone())));
    }
    if errors.is_empty() { Ok(into) } else { Err(errors) }
}

fn signature(importer: &mut Importer<'_>, function: &Function) -> (Type, Vec<Type>) {
    let result = importer.ty(function.result);
    (result, function.params.iter().map(|&ty| importer.ty(ty)).collect())
}

/// What modules export, by name.
#[derive(Default)]
struct Symbols {
    functions: FxHashMap<String, FuncId>,
    globals: FxHashMap<String, GlobalId>,
    library: bool,
}

impl Names for Symbols {
    fn function(&self, name: &str) -> Option<FuncId> {
        self.functions.get(name).copied()
    }

    fn global(&self, name: &str) -> Option<GlobalId> {
        self.globals.get(name).copied()
    }

    fn linkage(&self, old: Linkage) -> Linkage {
        if self.library { old } else { Linkage::Internal }
    }
}
