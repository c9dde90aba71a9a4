//! Makes numbers of pointers.
//!
//! Vulkan's pointers are not values: they cannot be stored, cast or compared. Its buffers have
//! 64-bit addresses, though. So every pointer becomes an `i64`:
//!
//! * `global` and `constant`: the address in a buffer, made a pointer right before an access;
//! * `local`: [`LOCAL_TAG`] and an offset into the *pool* of local memory, an array of words: of 64
//!   bits where an atomic of 64 bits may access it, otherwise of 32 (see `words`);
//! * `private`: [`PRIVATE_TAG`] and an offset into such a pool of private memory.
//!
//! Null is 0 in every space, and a generic pointer is the same number: an access through one looks
//! at the tag. What happens to a variable's address is often so plain that the variable needs
//! neither pool nor numbers: see `roots`; and `parameters` for those that functions are given.
//!
//! Afterwards no value, parameter, field or constant has a pointer type but the direct operands of
//! loads, stores and atomics: conversions to PhysicalStorageBuffer, and places in variables; and variables that are passed
//! to functions as they are.

mod accesses;
mod arithmetic;
mod atomics;
mod constants;
mod copies;
mod debug;
mod facts;
mod local_word;
mod matrices;
mod matrix_accesses;
mod parameters;
mod places;
mod pools;
mod rewrite;
pub(super) mod roots;
#[cfg(test)]
mod tests;
mod types;
mod words;

use clc_base::arena::Id as _;
use clc_base::{Diagnostic, Span};
use clc_ir::{Global, GlobalId, Linkage, Module, StorageClass, Type};

use super::{Length, LengthPart, Places};
use crate::Environment;
use crate::diagnostics::E0704;
use pools::{Layout, Offset};
use roots::{RootId, Roots, Shape};
use types::{AddressTypes, MemoryTypes};

/// The top bits of a generic pointer: 0 is global, 1 local, 2 private.
pub(super) const TAG_SHIFT: u64 = 62;
const LOCAL_TAG: u64 = 1 << TAG_SHIFT;
const PRIVATE_TAG: u64 = 2 << TAG_SHIFT;

/// A pool of memory, as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pool {
    Local,
    Private,
}

impl Pool {
    fn tag(self) -> u64 {
        match self {
            Pool::Local => LOCAL_TAG,
            Pool::Private => PRIVATE_TAG,
        }
    }
}

/// What the functions are rewritten by.
struct Plan<'a> {
    environment: Environment,
    places: &'a Places,
    roots: Roots,
    layout: Layout,
    /// By root: the variable's type, where it has one of its own.
    types: Vec<Option<Type>>,
    /// By root: the variable, where it is a global.
    globals: Vec<Option<GlobalId>>,
    local: Option<GlobalId>,
    private: Option<GlobalId>,
    /// Bytes of a word of the pool of local memory.
    local_word: u64,
    /// By global: class and type.
    variables: Vec<(StorageClass, Type)>,
    /// By global: index into [`Places::program_data`].
    program_data: Vec<Option<usize>>,
}

impl Plan<'_> {
    fn pool(&self, pool: Pool) -> Option<GlobalId> {
        match pool {
            Pool::Local => self.local,
            Pool::Private => self.private,
        }
    }

    /// Bytes of a word of a pool.
    fn word(&self, pool: Pool) -> u64 {
        match pool {
            Pool::Local => self.local_word,
            Pool::Private => WORD,
        }
    }
}

/// Rewrites the module. Gives the arrays in local memory whose lengths the host chooses.
pub(crate) fn run(
    module: &mut Module,
    places: &Places,
    environment: Environment,
) -> Result<Vec<(GlobalId, Length)>, Vec<Diagnostic>> {
    let roots = roots::find(module, StorageClass::Workgroup);
    let layout = pools::lay_out(module, &roots, &places.local_arguments);
    for (bytes, what) in [(layout.private, "private"), (layout.local, "local")] {
        if bytes >= pools::MAX_BYTES {
            return Err(vec![Diagnostic::without_place(
                &E0704,
                format!("the program's {what} variables take {bytes} bytes"),
            )]);
        }
    }
    let mut addresses = AddressTypes::default();
    let local_word = local_word::bytes(module, &roots);
    let mut plan = Plan {
        environment,
        places,
        types: vec![None; roots.roots.len()],
        globals: vec![None; roots.roots.len()],
        roots,
        layout,
        local: None,
        private: None,
        local_word,
        variables: Vec::new(),
        program_data: vec![None; module.globals.len()],
    };
    for (index, placed) in places.program_data.iter().enumerate() {
        plan.program_data[placed.global.index()] = Some(index);
    }
    own_variables(module, &mut plan, &mut addresses);
    let lengths = pool_variables(module, &mut plan);
    if plan.private.is_some() {
        // What has memory of its own has it in a variable of the module now.
        for function in module.functions.values_mut() {
            (function.is_const, function.is_pure) = (false, false);
        }
    }
    plan.variables = module.globals.values().map(|global| (global.class, global.ty)).collect();
    let mut errors = Vec::new();
    for id in module.functions.ids() {
        rewrite::function(module, &plan, &mut addresses, id, &mut errors);
    }
    if errors.is_empty() { Ok(lengths) } else { Err(errors) }
}

/// Gives the roots with a type their variables' types. A `local` variable whose type changes becomes
/// another variable: constants say what the type of the old one is.
fn own_variables(module: &mut Module, plan: &mut Plan<'_>, addresses: &mut AddressTypes) {
    let mut in_memory = MemoryTypes::default();
    for (index, root) in plan.roots.roots.iter().enumerate() {
        let ty = match root.shape {
            Shape::Bytes => continue,
            Shape::Own => {
                let ty = addresses.map(&mut module.types, root.ty);
                in_memory.map(&mut module.types, ty)
            }
            Shape::Elements(element) => {
                let count = root.size.div_ceil(module.types.size(element)).max(1);
                module.types.array(element, count)
            }
        };
        plan.types[index] = Some(ty);
    }
    for global in module.globals.ids().collect::<Vec<_>>() {
        let Some(root) = plan.roots.of_global.get(global.index()).copied().flatten() else {
            continue;
        };
        let Some(ty) = plan.types[root as usize] else { continue };
        let new = if module.globals[global].ty == ty {
            global
        } else {
            let data = Global { ty, ..module.globals[global].clone() };
            module.globals.push(data)
        };
        plan.globals[root as usize] = Some(new);
    }
}

/// Makes the pools, and says what the host decides about lengths.
fn pool_variables(module: &mut Module, plan: &mut Plan<'_>) -> Vec<(GlobalId, Length)> {
    let mut lengths = Vec::new();
    let in_pool = |class: StorageClass| {
        plan.roots
            .roots
            .iter()
            .any(|root| root.class == class && root.shape == Shape::Bytes && !root.is_parameter)
    };
    let (has_private, has_local) =
        (in_pool(StorageClass::Function), in_pool(StorageClass::Workgroup));
    if has_private {
        plan.private =
            Some(pool(module, "private memory", StorageClass::Private, plan.layout.private, WORD));
    }
    if has_local {
        let word = plan.local_word;
        let global = pool(module, "local memory", StorageClass::Workgroup, plan.layout.local, word);
        plan.local = Some(global);
        if !plan.layout.arguments.is_empty() {
            let parts = plan.layout.arguments.iter().map(|&index| {
                let argument = &plan.places.local_arguments[index];
                let size = module.types.size(argument.element) as u32;
                LengthPart {
                    constant: argument.constant,
                    size,
                    round: plan.layout.argument_align as u32,
                    element: word as u32,
                }
            });
            let fixed = (plan.layout.local / word) as u32;
            lengths.push((global, Length { fixed, parts: parts.collect() }));
        }
    }
    for argument in &plan.places.local_arguments {
        let root = plan.roots.of_global.get(argument.global.index()).copied().flatten();
        let Some(root) = root else { continue };
        let Some(global) = plan.globals[root as usize] else { continue };
        let size = module.types.size(argument.element) as u32;
        let element = match plan.roots.roots[root as usize].shape {
            Shape::Elements(element) => module.types.size(element) as u32,
            Shape::Own | Shape::Bytes => size,
        };
        let part = LengthPart { constant: argument.constant, size, round: element, element };
        lengths.push((global, Length { fixed: 0, parts: vec![part] }));
    }
    lengths
}

/// Bytes of a word of the pools, but for that of local memory where atomics need more.
const WORD: u64 = 4;

fn pool(module: &mut Module, name: &str, class: StorageClass, bytes: u64, word: u64) -> GlobalId {
    let element = module.types.int((word * 8) as u8);
    let ty = module.types.array(element, bytes.div_ceil(word).max(1));
    module.globals.push(Global {
        name: name.to_owned(),
        ty,
        class,
        initializer: None,
        align: word as u32,
        is_const: false,
        linkage: Linkage::Internal,
        span: Span::NONE,
    })
}

/// Where a root in a pool begins.
fn offset(plan: &Plan<'_>, root: RootId) -> Offset {
    // Functions that nothing calls have no frame.
    plan.layout.offsets[root as usize].unwrap_or(Offset::Fixed(0))
}
