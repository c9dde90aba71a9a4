//! Gives each cycle one entry.

use clc_ir::{Block, BlockCall, Cfg, Dominators, SwitchCase, Terminator, TypePool};
use rustc_hash::FxHashMap;

use super::router::{Router, plain};

/// Rounds in which a cycle's entries alone go through a dispatch, so that loops in it stay loops.
/// After them every jump back in such a cycle does, which leaves nothing to do.
const GENTLE_ROUNDS: usize = 3;
const MOST_ROUNDS: usize = 16;

pub(super) fn run(router: &mut Router<'_>) {
    for round in 0..MOST_ROUNDS {
        if !dispatch(router, round >= GENTLE_ROUNDS) {
            break;
        }
        crate::simplify_cfg::remove_unreachable(router.function);
    }
}

/// One round; whether there was anything to do.
fn dispatch(router: &mut Router<'_>, thorough: bool) -> bool {
    let cfg = Cfg::new(router.function);
    let dominators = Dominators::new(&cfg);
    let order = cfg.reverse_post_order().to_vec();
    let is_retreating = |from: Block, to: Block| cfg.position(to) <= cfg.position(from);
    let is_natural = |from: Block, to: Block| dominators.dominates(to, from);
    let irreducible = order.iter().any(|&from| {
        cfg.successors(from).any(|to| is_retreating(from, to) && !is_natural(from, to))
    });
    if !irreducible {
        return false;
    }
    // Cycles that have no header which dominates them.
    let components = components(&order, |block, visit| {
        cfg.successors(block).filter(|&to| !is_natural(block, to)).for_each(visit);
    });
    let mut sizes = vec![0u32; order.len()];
    let component_of = |block: Block| cfg.position(block).map(|position| components[position]);
    for &component in &components {
        sizes[component as usize] += 1;
    }
    // By component, its entries; by entry, its number among them.
    let mut entries: Vec<Vec<Block>> = vec![Vec::new(); order.len()];
    for &block in &order {
        let Some(component) = component_of(block) else { continue };
        if sizes[component as usize] < 2 {
            continue;
        }
        let is_entry = cfg.predecessors(block).filter(|&from| cfg.is_reachable(from)).any(|from| {
            (component_of(from) != Some(component) && !is_natural(from, block))
                || (thorough && is_retreating(from, block))
        });
        if is_entry {
            entries[component as usize].push(block);
        }
    }
    let mut doors: FxHashMap<Block, (Block, u32)> = FxHashMap::default();
    for entries in entries.iter().filter(|entries| !entries.is_empty()) {
        let span = router.function.blocks[entries[0]].location;
        let door = router.new_block(span);
        let selector = router.function.add_block_param(door, TypePool::I32);
        let mut targets = Vec::with_capacity(entries.len());
        for (number, &entry) in entries.iter().enumerate() {
            doors.insert(entry, (door, number as u32));
            targets.push(plain(router.landing(entry)));
        }
        let cases = targets[1..].iter().enumerate();
        let cases = cases
            .map(|(index, &target)| SwitchCase { value: index as u64 + 1, target })
            .collect::<Vec<_>>();
        router.function.blocks[door].terminator = if cases.is_empty() {
            Terminator::Jump(targets[0])
        } else {
            Terminator::Switch { selector, default: targets[0], cases }
        };
    }
    for &block in &order {
        let span = router.function.blocks[block].location;
        let mut terminator = std::mem::take(&mut router.function.blocks[block].terminator);
        let is_jump = matches!(terminator, Terminator::Jump(_));
        let is_switch = matches!(terminator, Terminator::Switch { .. });
        for target in terminator.targets_mut() {
            let Some(&(door, number)) = doors.get(&target.block) else { continue };
            let number = router.number(number);
            let arguments = router.function.list(&[number]);
            let call = BlockCall { block: door, arguments };
            if is_jump {
                router.store_arguments(block, target.block, target.arguments);
                *target = call;
            } else if target.arguments.is_empty() && !is_switch {
                *target = call;
            } else {
                let edge = router.block_with(span, Terminator::Jump(call));
                router.store_arguments(edge, target.block, target.arguments);
                *target = plain(edge);
            }
        }
        if let Terminator::Branch { then, otherwise, .. } = &mut terminator
            && then.block == otherwise.block
        {
            *then = plain(router.block_with(span, Terminator::Jump(*then)));
        }
        router.function.blocks[block].terminator = terminator;
    }
    true
}

/// The number of each block's strongly connected component, by position in `order` (Tarjan's
/// algorithm with a stack of its own).
fn components(order: &[Block], successors: impl Fn(Block, &mut dyn FnMut(Block))) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let mut positions: FxHashMap<Block, u32> = FxHashMap::default();
    for (position, &block) in order.iter().enumerate() {
        positions.insert(block, position as u32);
    }
    let next: Vec<Vec<u32>> = order
        .iter()
        .map(|&block| {
            let mut list = Vec::new();
            successors(block, &mut |to| list.extend(positions.get(&to)));
            list
        })
        .collect();
    let count = order.len();
    let mut index = vec![NEW; count];
    let mut low = vec![0u32; count];
    let mut component = vec![NEW; count];
    let mut open = Vec::new();
    let mut clock = 0;
    let mut found = 0;
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        let mut stack = vec![(root, 0usize)];
        while let Some((node, edge)) = stack.last_mut() {
            let node = *node as usize;
            if *edge == 0 {
                index[node] = clock;
                low[node] = clock;
                clock += 1;
                open.push(node as u32);
            }
            if let Some(&to) = next[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if index[to] == NEW {
                    stack.push((to as u32, 0));
                } else if component[to] == NEW {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member as usize] = found;
                    if member as usize == node {
                        break;
                    }
                }
                found += 1;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                low[parent as usize] = low[parent as usize].min(low[node]);
            }
        }
    }
    component
}
