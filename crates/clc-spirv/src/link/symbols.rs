//! Which definition each imported name means.

use clc_base::Diagnostic;
use rustc_hash::FxHashMap;
use spirv::LinkageType;

use super::unit::Unit;
use super::{LinkOptions, unresolved};
use clc_legalise::diagnostics::{E0722, E0723};
use clc_legalise::source_name;

/// A name that another module defines.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub name: String,
    /// The units of the import and of the definition.
    pub user: usize,
    pub definer: usize,
    /// Their ids.
    pub import: u32,
    pub definition: u32,
}

pub(super) struct Resolution {
    /// By id: the id that takes its place; itself for all but resolved imports.
    pub alias: Vec<u32>,
    pub uses: Vec<Use>,
    /// Names that stay: all exports of a library, and the imports it leaves to others.
    pub kept: Vec<(String, u32, LinkageType)>,
}

pub(super) fn resolve(
    units: &[Unit],
    bound: u32,
    options: LinkOptions,
) -> Result<Resolution, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut exports: FxHashMap<&str, (usize, u32)> = FxHashMap::default();
    let mut kept = Vec::new();
    let mut alias: Vec<u32> = (0..bound).collect();
    let symbols = || {
        units
            .iter()
            .enumerate()
            .flat_map(|(number, unit)| unit.symbols.iter().map(move |symbol| (number, symbol)))
    };
    let mut functions = vec![false; bound as usize];
    for function in units.iter().flat_map(|unit| &unit.functions) {
        functions[function.id as usize] = true;
    }
    for (number, symbol) in symbols() {
        if symbol.kind == LinkageType::Import {
            continue;
        }
        match exports.get(symbol.name.as_str()) {
            None => {
                exports.insert(&symbol.name, (number, symbol.id));
                if options.library {
                    kept.push((symbol.name.clone(), symbol.id, symbol.kind));
                }
            }
            // One definition rule (SPV_KHR_linkonce_odr): all are the same.
            Some(&(_, first)) if symbol.kind == LinkageType::LinkOnceODR => {
                alias[symbol.id as usize] = first;
            }
            Some(&(first, _)) => {
                errors.push(defined_twice(&symbol.name, &units[first].name, &units[number].name));
            }
        }
    }
    let mut uses = Vec::new();
    let mut left: FxHashMap<&str, (usize, u32)> = FxHashMap::default();
    for (number, symbol) in symbols() {
        if symbol.kind != LinkageType::Import {
            continue;
        }
        let name = symbol.name.as_str();
        let (definer, definition) = match (exports.get(name), left.get(name)) {
            (Some(&found), _) => found,
            // Two modules leave the same to a third.
            (None, Some(&first)) => first,
            (None, None) => {
                left.insert(name, (number, symbol.id));
                if options.library {
                    kept.push((symbol.name.clone(), symbol.id, symbol.kind));
                } else {
                    let known = exports.keys().copied();
                    let guess = clc_base::diagnostic::did_you_mean(name, known).map(source_name);
                    errors.push(unresolved(source_name(name), &units[number].name, guess));
                }
                continue;
            }
        };
        if functions[definition as usize] != functions[symbol.id as usize] {
            errors.push(other_kind(name, units, number, definer, functions[symbol.id as usize]));
            continue;
        }
        alias[symbol.id as usize] = definition;
        uses.push(Use {
            name: symbol.name.clone(),
            user: number,
            definer,
            import: symbol.id,
            definition,
        });
    }
    if errors.is_empty() { Ok(Resolution { alias, uses, kept }) } else { Err(errors) }
}

pub(super) fn defined_twice(name: &str, first: &str, second: &str) -> Diagnostic {
    let name = source_name(name);
    let message = if first == second {
        format!("`{name}` is defined twice in `{first}`")
    } else {
        format!("`{name}` is defined by `{first}` and by `{second}`")
    };
    Diagnostic::without_place(&E0722, message)
        .help("keep one definition, or make those that other modules need not see `static`")
}

fn other_kind(
    name: &str,
    units: &[Unit],
    user: usize,
    definer: usize,
    is_function: bool,
) -> Diagnostic {
    let name = source_name(name);
    let words = |is_function: bool| if is_function { "a function" } else { "a variable" };
    let message = format!(
        "`{name}` is {} for `{}` and {} in `{}`",
        words(is_function),
        units[user].name,
        words(!is_function),
        units[definer].name
    );
    Diagnostic::without_place(&E0723, message)
}

/// An import whose type is not that of the definition; the types are in the words of OpenCL C.
pub(super) fn other_type(units: &[Unit], used: &Use, user: &str, definer: &str) -> Diagnostic {
    let message = format!(
        "`{}` is declared in `{}` with another type than `{}` defines it with",
        source_name(&used.name),
        units[used.user].name,
        units[used.definer].name
    );
    Diagnostic::without_place(&E0723, message)
        .note(format!("declared as `{user}` in `{}`", units[used.user].name))
        .note(format!("defined as `{definer}` in `{}`", units[used.definer].name))
        .help("declare it in a header that both files include")
}
