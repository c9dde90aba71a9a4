//! Structured control flow: the order and the rules that SPIR-V asks of shaders (2.11).
//!
//! A function is structured if any of its blocks has a [`Merge`]. "Structurally" means: in the
//! graph that has, besides the edges of control flow, one from each header to its merge block and
//! to its continue target. A construct holds the blocks that its header structurally dominates
//! and its merge block does not. [`check`] asks for this, which is a little stricter than SPIR-V:
//!
//!  1. A block that ends in a branch to two blocks, or in a switch, heads a selection.
//!  2. A selection's header ends in a branch or switch, a loop's in a jump.
//!  3. A block is the merge block or continue target of at most one construct, and its header
//!     comes before it on every structural path.
//!  4. Only continue targets jump back, each to the header of its loop, and they do nothing else.
//!  5. A construct is entered at its header only.
//!  6. A construct is left to its merge block; from selections in it also to the merge block of
//!     the innermost switch around them, as long as no loop is between, and to the merge block or
//!     continue target of the innermost loop.
//!  7. Cases do not fall through to each other.

use clc_base::Id;

use crate::{Block, Cfg, Dominators, Function, Merge, Terminator};

/// Whether any block heads a structured construct.
pub fn is_structured(function: &Function) -> bool {
    function.layout.iter().any(|&block| function.blocks[block].merge.is_some())
}

/// The structural graph. Merge blocks are the last successors, so that in its reverse post-order
/// they come after their constructs.
pub fn structural_cfg(function: &Function) -> Cfg {
    Cfg::with_successors(function, |block, visit| {
        let data = &function.blocks[block];
        data.terminator.targets().for_each(|target| visit(target.block));
        match data.merge {
            None => {}
            Some(Merge::Selection { merge }) => visit(merge),
            Some(Merge::Loop { merge, continue_target }) => {
                visit(continue_target);
                visit(merge);
            }
        }
    })
}

/// The order in which a function's blocks are written: each comes before those it dominates, and
/// in structured functions the blocks of a construct before its merge block.
pub fn block_order(function: &Function) -> Vec<Block> {
    if is_structured(function) {
        structural_cfg(function).reverse_post_order().to_vec()
    } else {
        crate::reverse_post_order(function)
    }
}

const NONE: u32 = u32::MAX;

/// A construct and what lies around it.
struct Construct {
    header: Block,
    parent: u32,
    /// The innermost loop, itself included.
    innermost_loop: u32,
    /// The innermost switch, itself included, with no loop between.
    innermost_switch: u32,
}

/// The constructs of a structured function.
struct Constructs {
    all: Vec<Construct>,
    /// By block: the innermost construct that it is in, not counting the one it heads.
    around: Vec<u32>,
    /// By block: the construct it heads.
    heads: Vec<u32>,
    depth: usize,
}

impl Constructs {
    fn new(function: &Function, dominators: &Dominators) -> Constructs {
        let mut this = Constructs {
            all: Vec::new(),
            around: vec![NONE; function.blocks.len()],
            heads: vec![NONE; function.blocks.len()],
            depth: 0,
        };
        let mut merges = vec![NONE; function.blocks.len()];
        let mut depths: Vec<usize> = Vec::new();
        for &block in dominators.preorder() {
            let around = match (merges[block.index()], dominators.immediate_dominator(block)) {
                (NONE, Some(above)) => this.inside(above),
                (NONE, None) => NONE,
                (construct, _) => this.all[construct as usize].parent,
            };
            this.around[block.index()] = around;
            let Some(merge) = function.blocks[block].merge else { continue };
            let number = this.all.len() as u32;
            let (outer_loop, outer_switch, depth) = match this.all.get(around as usize) {
                Some(outer) => {
                    (outer.innermost_loop, outer.innermost_switch, depths[around as usize])
                }
                None => (NONE, NONE, 0),
            };
            let is_switch = matches!(function.blocks[block].terminator, Terminator::Switch { .. });
            let (innermost_loop, innermost_switch) = match merge {
                Merge::Loop { .. } => (number, NONE),
                Merge::Selection { .. } if is_switch => (outer_loop, number),
                Merge::Selection { .. } => (outer_loop, outer_switch),
            };
            depths.push(depth + 1);
            this.depth = this.depth.max(depth + 1);
            this.all.push(Construct {
                header: block,
                parent: around,
                innermost_loop,
                innermost_switch,
            });
            this.heads[block.index()] = number;
            if let Some(slot) = merges.get_mut(merge.merge_block().index()) {
                *slot = number;
            }
        }
        this
    }

    /// The innermost construct of a block, the one that it heads included.
    fn inside(&self, block: Block) -> u32 {
        match self.heads[block.index()] {
            NONE => self.around[block.index()],
            own => own,
        }
    }
}

/// How deep constructs nest; 0 without any.
pub fn nesting_depth(function: &Function) -> usize {
    if !is_structured(function) {
        return 0;
    }
    Constructs::new(function, &Dominators::new(&structural_cfg(function))).depth
}

/// Checks the rules above; functions without constructs pass.
pub fn check(function: &Function) -> Result<(), String> {
    if !is_structured(function) {
        return Ok(());
    }
    let mut in_layout = vec![false; function.blocks.len()];
    for &block in &function.layout {
        in_layout[block.index()] = true;
    }
    // What each block is for a construct: its merge block or continue target.
    let mut merge_of: Vec<Option<Block>> = vec![None; function.blocks.len()];
    let mut continue_of: Vec<Option<Block>> = vec![None; function.blocks.len()];
    for &block in &function.layout {
        let Some(merge) = function.blocks[block].merge else { continue };
        let role = |target: Block, roles: &mut Vec<Option<Block>>| {
            if !in_layout.get(target.index()).is_some_and(|&known| known) {
                return Err(format!("{block} names {target}, which is removed"));
            }
            match roles[target.index()].replace(block) {
                None => Ok(()),
                Some(other) => Err(format!("{target} has a role for both {other} and {block}")),
            }
        };
        match merge {
            Merge::Selection { merge } => role(merge, &mut merge_of)?,
            Merge::Loop { merge, continue_target } => {
                role(merge, &mut merge_of)?;
                role(continue_target, &mut continue_of)?;
            }
        }
    }
    let cfg = structural_cfg(function);
    let dominators = Dominators::new(&cfg);
    let constructs = Constructs::new(function, &dominators);
    for &block in cfg.reverse_post_order() {
        let data = &function.blocks[block];
        let several = match &data.terminator {
            Terminator::Branch { then, otherwise, .. } => then.block != otherwise.block,
            Terminator::Switch { .. } => true,
            Terminator::None
            | Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::Unreachable => false,
        };
        match data.merge {
            Some(Merge::Selection { merge }) => {
                if !several {
                    return Err(format!("{block} heads a selection and has nothing to select"));
                }
                if merge == block || !dominators.dominates(block, merge) {
                    return Err(format!("{block} does not come before its merge block {merge}"));
                }
            }
            Some(Merge::Loop { merge, continue_target }) => {
                if !matches!(data.terminator, Terminator::Jump(_)) {
                    return Err(format!("the loop header {block} does not end in a jump"));
                }
                for role in [merge, continue_target] {
                    if role == block || !dominators.dominates(block, role) {
                        return Err(format!("the loop header {block} does not come before {role}"));
                    }
                }
                let latch = &function.blocks[continue_target];
                let jumps_back =
                    matches!(&latch.terminator, Terminator::Jump(target) if target.block == block);
                if !jumps_back || !latch.insts.is_empty() || latch.merge.is_some() {
                    return Err(format!("{continue_target} does more than to go back to {block}"));
                }
                if dominators.dominates(merge, continue_target) {
                    return Err(format!("{continue_target} is after the loop of {block}"));
                }
            }
            None if several => return Err(format!("{block} selects without a merge block")),
            None => {}
        }
        let is_switch = matches!(data.terminator, Terminator::Switch { .. });
        for target in data.terminator.targets() {
            edge(&cfg, &constructs, &merge_of, &continue_of, block, target.block)?;
            if is_switch && merge_of[target.block.index()] != Some(block) {
                let from_elsewhere = cfg
                    .predecessors(target.block)
                    .find(|&other| other != block && cfg.is_reachable(other));
                if let Some(other) = from_elsewhere {
                    return Err(format!("{other} goes to {}, a case of {block}", target.block));
                }
            }
        }
    }
    Ok(())
}

fn edge(
    cfg: &Cfg,
    constructs: &Constructs,
    merge_of: &[Option<Block>],
    continue_of: &[Option<Block>],
    from: Block,
    to: Block,
) -> Result<(), String> {
    let inside = constructs.inside(from);
    let head = |block: Block| constructs.heads[block.index()];
    let fails = |why: &str| Err(format!("{from} goes to {to}, {why}"));
    let is_back = cfg.position(to) <= cfg.position(from);
    if is_back {
        return match continue_of[from.index()] {
            Some(header) if header == to => Ok(()),
            _ => fails("back without being the continue target of its loop"),
        };
    }
    let innermost = constructs.all.get(inside as usize);
    let (inner_loop, inner_switch) =
        innermost.map_or((NONE, NONE), |c| (c.innermost_loop, c.innermost_switch));
    if let Some(header) = merge_of[to.index()] {
        let construct = head(header);
        return if construct == inside || construct == inner_loop || construct == inner_switch {
            Ok(())
        } else {
            fails("the merge block of a construct that it cannot leave from there")
        };
    }
    if let Some(header) = continue_of[to.index()] {
        return if head(header) == inner_loop {
            Ok(())
        } else {
            fails("the continue target of a loop that is not its innermost")
        };
    }
    if constructs.around[to.index()] != inside {
        let place = |construct: u32| {
            constructs
                .all
                .get(construct as usize)
                .map_or_else(|| "no construct".into(), |c| format!("that of {}", c.header))
        };
        return fails(&format!(
            "from {} into {}",
            place(inside),
            place(constructs.around[to.index()])
        ));
    }
    Ok(())
}
