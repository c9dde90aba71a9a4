//! Marks the loads of memory that nothing writes while the kernel runs.
//!
//! ```text
//! kernel void k(global const ulong *a, global uint *b)       load a typed unwritten
//!     b[i] = a[i] >> 32;                                ->   store b
//! ```
//!
//! Drivers may then load ahead of stores, as far as the turns of a loop go, and from caches that no store reaches. They do
//! not know the types and `restrict` of the program, which say that a store goes elsewhere.
//!
//! The work-items of a kernel run one function with the same arguments: what one of them writes, its stores say of all.
//! So no store of the function may touch what is loaded, *wherever* in its object that is, as `alias` tells; offsets are
//! those of one work-item and one turn of a loop. Barriers change nothing then. Who else writes at the same time, the
//! host or another kernel, may be seen only by who acquires what was released for the whole device (OpenCL API, "Memory
//! Ordering Rules"): where a function does that, nothing is marked.

use clc_base::Id as _;
use clc_base::memory_model::{MemoryOrder, MemoryScope};
use clc_ir::{Function, Inst, InstKind, MemoryAccess, Module, StorageClass, Value};

use crate::alias::{Access, Aliases, Recent, Written, written};
use crate::calls::callees_first;
use crate::context::{ModuleContext, each_by_id};

/// What calls of a function do to `global` memory.
#[derive(Clone, Copy, Default)]
struct Effects {
    /// They may write it.
    writes: bool,
    /// They show what others have written, others that run another kernel.
    acquires: bool,
}

impl Effects {
    fn of(module: &Module, function: &Function, known: &[Effects]) -> Effects {
        if function.is_declaration() {
            return Effects { writes: true, acquires: true };
        }
        let mut effects = Effects::default();
        for inst in insts(function) {
            let kind = &function.insts[inst].kind;
            effects.acquires |= acquires(kind);
            match written(kind) {
                Written::Nothing => {}
                Written::At { pointer, .. } => {
                    let class = module.types.pointer_parts(module.value_type(function, pointer));
                    effects.writes |= matches!(
                        class,
                        Some((_, StorageClass::CrossWorkgroup | StorageClass::Generic))
                    );
                }
                Written::ByCall(callee) => {
                    effects.writes |= known[callee.index()].writes;
                    effects.acquires |= known[callee.index()].acquires;
                }
                Written::Anywhere => effects.writes = true,
            }
        }
        effects
    }
}

/// Marks the loads of kernels. What functions load that kernels call is not known to be the same for all calls.
pub fn run(module: &mut Module) {
    let mut effects = vec![Effects::default(); module.functions.len()];
    for id in callees_first(&module.functions) {
        effects[id.index()] = Effects::of(module, &module.functions[id], &effects);
    }
    each_by_id(module, |context, id, function| {
        if function.entry_point.is_none() || effects[id.index()].acquires {
            return;
        }
        for inst in unwritten(context, function, &effects) {
            if let InstKind::Load { access, .. } = &mut function.insts[inst].kind {
                access.flags.unwritten = true;
            }
        }
    });
}

fn insts(function: &Function) -> impl Iterator<Item = Inst> + '_ {
    function.layout.iter().flat_map(|&block| function.blocks[block].insts.iter().copied())
}

fn unwritten(context: &ModuleContext<'_>, function: &Function, effects: &[Effects]) -> Vec<Inst> {
    let aliases = Aliases::new(context.types, context.consts, function);
    let loads: Vec<(Inst, Access)> = insts(function)
        .filter_map(|inst| {
            let (pointer, access) = load(context, function, inst)?;
            Some((inst, aliases.access(function, pointer, access).anywhere()))
        })
        .collect();
    let mut memory = Recent::new(function);
    for &(_, access) in &loads {
        memory.note(access, ());
    }
    for inst in insts(function) {
        match written(&function.insts[inst].kind) {
            Written::Nothing => {}
            Written::At { pointer, access, is_bounded } => {
                let access = aliases.access(function, pointer, access);
                memory.touch(&if is_bounded { access.anywhere() } else { access.unbounded() });
            }
            Written::ByCall(callee) if !effects[callee.index()].writes => {}
            Written::ByCall(_) | Written::Anywhere => memory.touch_what_others_have(),
        }
    }
    loads.into_iter().filter(|(_, access)| memory.at(access).is_some()).map(|load| load.0).collect()
}

/// A load of `global` memory that may be marked.
fn load(
    context: &ModuleContext<'_>,
    function: &Function,
    inst: Inst,
) -> Option<(Value, MemoryAccess)> {
    let InstKind::Load { pointer, access } = function.insts[inst].kind else { return None };
    let (_, class) = context.types.pointer_parts(context.type_of(function, pointer))?;
    (class == StorageClass::CrossWorkgroup && !access.flags.volatile).then_some((pointer, access))
}

/// Whether what others have written is seen behind an instruction, others that run another function.
fn acquires(kind: &InstKind) -> bool {
    let (order, scope) = match *kind {
        InstKind::AtomicLoad { ordering, .. }
        | InstKind::AtomicModify { ordering, .. }
        | InstKind::AtomicCompareExchange { ordering, .. } => (ordering.order, ordering.scope),
        InstKind::Fence(fence) | InstKind::Barrier { fence, .. } => (fence.order, fence.scope),
        _ => return false,
    };
    order.of_load() != MemoryOrder::Relaxed
        && matches!(scope, MemoryScope::Device | MemoryScope::AllDevices)
}
