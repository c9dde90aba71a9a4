//! The `local` memory of each kernel: for the host to know, and to keep to a limit that was given.
//! The host also learns which kernels use sub-groups.

use clc_base::Diagnostic;
use clc_base::arena::Id as _;
use clc_ir::{Const, FuncId, GlobalId, InstKind, Module, StorageClass, TypeKind, Value};
use rustc_hash::FxHashMap;

use super::Shader;
use crate::diagnostics::E0709;

/// Bytes of an element of the array for collective functions.
const WORD: u32 = 4;

/// Fills in what the kernels use, `local` arguments left out.
pub(crate) fn run(
    module: &Module,
    shader: &mut Shader,
    limit: Option<u32>,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    // By kernel: bytes, bytes for each work-item, and whether it uses sub-groups.
    let mut by_name = FxHashMap::default();
    let mut walk = Walk::new(module, sizes(module, shader));
    for (id, function) in module.functions.iter() {
        let Some(entry) = function.entry_point.as_deref() else { continue };
        let bytes = walk.bytes(id);
        let per_item = shader
            .per_item
            .filter(|array| walk.counted[array.global.index()] == walk.number)
            .filter(|_| entry.reqd_work_group_size.is_none())
            .map_or(0, |array| array.per_item * WORD);
        let counted = u32::try_from(bytes).unwrap_or(u32::MAX);
        by_name.insert(entry.name.as_str(), (counted, per_item, walk.sub_groups));
        if let Some(limit) = limit
            && bytes > u64::from(limit)
        {
            let message = format!(
                "the kernel `{}` uses {bytes} bytes of local memory, and the limit is {limit}",
                entry.name
            );
            let mut error = Diagnostic::new(&E0709, function.span, message)
                .at(format!("needs {bytes} bytes"))
                .note("the memory of `local` arguments comes on top, as the host sizes it");
            if per_item > 0 {
                let note = format!(
                    "so do {per_item} bytes for each work-item of a work-group, for the collective \
                     functions that it calls"
                );
                error = error.note(note);
            }
            errors.push(
                error.help("make its `local` arrays smaller, or compile for a larger device"),
            );
        }
    }
    for kernel in &mut shader.reflection.kernels {
        if let Some(&(bytes, per_item, sub_groups)) = by_name.get(kernel.name.as_str()) {
            kernel.local_memory = bytes;
            kernel.local_memory_per_item = per_item;
            kernel.sub_groups = sub_groups;
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// By global: its bytes of `local` memory.
fn own_sizes(module: &Module) -> Vec<u64> {
    let sizes = module.globals.values().map(|global| match global.class {
        StorageClass::Workgroup => module.types.size(global.ty),
        _ => 0,
    });
    sizes.collect()
}

/// The same without what the host chooses, and without what is there only where there is room.
fn sizes(module: &Module, shader: &Shader) -> Vec<u64> {
    let mut sizes = own_sizes(module);
    for array in &shader.spread {
        sizes[array.global.index()] = 0;
    }
    for (global, length) in &shader.lengths {
        if let TypeKind::Array(element, _) = module.types.kind(module.globals[*global].ty) {
            sizes[global.index()] = module.types.size(element) * u64::from(length.fixed);
        }
    }
    // Where a kernel has a larger group than another chooses, the array is long enough for it.
    if let Some(array) = &shader.per_item
        && array.least_items == 1
    {
        sizes[array.global.index()] = u64::from(WORD * array.fixed);
    }
    sizes
}

/// What one function refers to itself.
struct Own {
    globals: Vec<usize>,
    callees: Vec<FuncId>,
    sub_groups: bool,
}

fn uses(module: &Module, function: &clc_ir::Function, sizes: &[u64]) -> Own {
    let sub_groups = super::sub_groups::are_used_by(function);
    let mut own = Own { globals: Vec::new(), callees: Vec::new(), sub_groups };
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstKind::Call { callee, .. } = function.insts[inst].kind {
                own.callees.push(callee);
            }
            function.each_operand(inst, |value| {
                if let Some(global) = variable(module, value)
                    && sizes[global] != 0
                {
                    own.globals.push(global);
                }
            });
        }
    }
    own.globals.sort_unstable();
    own.globals.dedup();
    own
}

/// The variable that a constant address is in.
fn variable(module: &Module, mut value: Value) -> Option<usize> {
    loop {
        match module.consts.get(value.as_const()?) {
            Const::GlobalAddress(_, global) => return Some(global.index()),
            Const::Access { base, .. } => value = *base,
            Const::Cast { operand, .. } => value = *operand,
            _ => return None,
        }
    }
}

/// A walk from each kernel; what it has seen has its number, so that nothing is cleared in between.
pub(super) struct Walk {
    own: Vec<Own>,
    /// By global: its bytes of `local` memory.
    sizes: Vec<u64>,
    seen: Vec<usize>,
    counted: Vec<usize>,
    number: usize,
    /// The last kernel uses sub-groups.
    sub_groups: bool,
}

impl Walk {
    /// Counts variables as their types say, but for some of which it is said how much they take.
    pub(super) fn of(module: &Module, taken: impl Iterator<Item = (GlobalId, u64)>) -> Walk {
        let mut sizes = own_sizes(module);
        taken.for_each(|(global, bytes)| sizes[global.index()] = bytes);
        Walk::new(module, sizes)
    }

    fn new(module: &Module, sizes: Vec<u64>) -> Walk {
        let functions = module.functions.values();
        let own: Vec<Own> = functions.map(|function| uses(module, function, &sizes)).collect();
        let (seen, counted) = (vec![0; own.len()], vec![0; sizes.len()]);
        Walk { own, sizes, seen, counted, number: 0, sub_groups: false }
    }

    /// The bytes that `kernel` and what it calls refer to.
    pub(super) fn bytes(&mut self, kernel: FuncId) -> u64 {
        self.number += 1;
        self.sub_groups = false;
        let mut work = vec![kernel];
        let mut bytes = 0;
        while let Some(function) = work.pop() {
            let seen = &mut self.seen[function.index()];
            if std::mem::replace(seen, self.number) == self.number {
                continue;
            }
            let own = &self.own[function.index()];
            for &global in &own.globals {
                let counted = &mut self.counted[global];
                if std::mem::replace(counted, self.number) != self.number {
                    bytes += self.sizes[global];
                }
            }
            self.sub_groups |= own.sub_groups;
            work.extend_from_slice(&own.callees);
        }
        bytes
    }
}
