//! In which loops values change.

use clc_base::Id as _;
use clc_ir::{Cfg, Dominators, Function, InstKind, Value};

use crate::counted::{self, Counters};

/// By value: in how many loops it changes. What only computes changes where its operands do.
pub fn depths(function: &Function, cfg: &Cfg) -> Vec<u32> {
    depths_in(function, cfg, &Dominators::new(cfg).loops_around(cfg), |_| false)
}

/// The same once loops are written out whose turns are counted: what they count is constant then.
pub(crate) fn lasting_depths(function: &Function, cfg: &Cfg, counters: &Counters) -> Vec<u32> {
    let dominators = Dominators::new(cfg);
    let mut of_block = dominators.loops_around(cfg);
    for found in counted::loops(function, cfg, &dominators) {
        let mut params = function.blocks[found.header].params.iter();
        if params.any(|&param| counters.contains(param)) {
            for block in &found.blocks {
                of_block[block.index()] = of_block[block.index()].saturating_sub(1);
            }
        }
    }
    depths_in(function, cfg, &of_block, |param| counters.contains(param))
}

fn depths_in(
    function: &Function,
    cfg: &Cfg,
    of_block: &[u32],
    is_constant: impl Fn(Value) -> bool,
) -> Vec<u32> {
    let mut depths = vec![0; function.values.len()];
    for &block in cfg.reverse_post_order() {
        let around = of_block[block.index()];
        for &param in function.blocks[block].params.iter().filter(|&&param| !is_constant(param)) {
            depths[param.as_local().unwrap_or_default()] = around;
        }
        for &inst in &function.blocks[block].insts {
            let Some(result) = function.insts[inst].result.and_then(Value::as_local) else {
                continue;
            };
            depths[result] = if computes(function.insts[inst].kind) {
                let mut deepest = 0;
                function.each_operand(inst, |operand| {
                    let depth = operand.as_local().map_or(0, |index| depths[index]);
                    deepest = deepest.max(depth);
                });
                deepest
            } else {
                around
            };
        }
    }
    depths
}

/// Whether equal operands give equal results.
fn computes(kind: InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Compare { .. }
            | InstKind::Select { .. }
            | InstKind::Convert { .. }
            | InstKind::Extract { .. }
            | InstKind::Construct { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::Access { .. }
    )
}
