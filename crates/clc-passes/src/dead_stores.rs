//! Drops stores that a later one covers.

use clc_base::Id as _;
use clc_ir::{Function, Inst, InstKind};

use crate::alias::{ATOMIC, Aliases, Recent};
use crate::context::ModuleContext;
use crate::simplify_cfg::remove_unreachable;

/// Drops a store whose bytes are all stored again in the same block, with nothing in between that could
/// read them.
///
/// Looks at a block from its end. Runs after `cse`, which takes loads between two stores away and gives
/// equal addresses one value; before `dead-code`, which drops what only such stores needed. Stores to
/// variables that nothing ever reads are that pass's business.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    remove_unreachable(function);
    if !function.has(|kind| matches!(kind, InstKind::Store { .. })) {
        return;
    }
    let aliases = Aliases::new(context.types, context.consts, function);
    let mut later = Recent::new(function);
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        // What comes behind the block may read everything.
        later.forget();
        let mut insts = std::mem::take(&mut function.blocks[block].insts);
        insts.reverse();
        insts.retain(|&inst| {
            let is_dead = is_covered(&later, &aliases, function, inst);
            if !is_dead {
                read(&mut later, &aliases, function, inst, context.constant);
            }
            !is_dead
        });
        insts.reverse();
        function.blocks[block].insts = insts;
    }
}

fn is_covered(later: &Recent<()>, aliases: &Aliases<'_>, function: &Function, inst: Inst) -> bool {
    match function.insts[inst].kind {
        InstKind::Store { pointer, value: _, access } => {
            !access.flags.volatile && later.covers(&aliases.access(function, pointer, access))
        }
        _ => false,
    }
}

/// Accounts for what an instruction may read, and notes what it overwrites.
fn read(
    later: &mut Recent<()>,
    aliases: &Aliases<'_>,
    function: &Function,
    inst: Inst,
    constant: &[bool],
) {
    match function.insts[inst].kind {
        InstKind::Store { pointer, value: _, access } => {
            if !access.flags.volatile {
                later.note(aliases.access(function, pointer, access), ());
            }
        }
        InstKind::Load { pointer, access } => {
            later.touch(&aliases.access(function, pointer, access));
        }
        InstKind::CopyMemory { destination: _, source, size: _, access } => {
            later.touch(&aliases.access(function, source, access).unbounded());
        }
        InstKind::Call { callee, .. } if constant[callee.index()] => {}
        InstKind::Call { .. } => later.call(),
        // Other work-items may see before these what was stored before them.
        InstKind::AtomicLoad { pointer, .. }
        | InstKind::AtomicStore { pointer, .. }
        | InstKind::AtomicModify { pointer, .. }
        | InstKind::AtomicCompareExchange { pointer, .. } => {
            later.touch(&aliases.access(function, pointer, ATOMIC));
            later.synchronise();
        }
        InstKind::Fence(_) | InstKind::Barrier { .. } => later.synchronise(),
        InstKind::Intrinsic { intrinsic, .. } => {
            if !intrinsic.effects().is_pure() {
                later.call();
            }
        }
        InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. }
        | InstKind::GenericTo { .. } => {}
    }
}
