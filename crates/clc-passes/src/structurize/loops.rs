//! Gives each loop a header that only enters it, one block that jumps back, and one exit.

use clc_base::Id;
use clc_ir::{Block, BlockCall, Cfg, CompareOp, Dominators, SwitchCase, Terminator};

use super::router::{Router, plain};

const NONE: u32 = u32::MAX;

/// What the blocks of loops are.
pub(super) struct Loops {
    /// By header: its loop's exit and latch.
    pub headers: Vec<Option<(Block, Block)>>,
    /// By block: whether jumps to it end the way through a loop's body (exits and latches).
    pub is_end: Vec<bool>,
}

struct Loop {
    header: Block,
    parent: u32,
    latch: Block,
    exit: Block,
    /// Where jumps from outside go instead of to the header.
    door: Block,
    /// Destinations in the loop around.
    destinations: Vec<Block>,
    /// Whether jumps pass by that leave the loop around, too.
    leaves_parent: bool,
    /// Whether jumps pass by that come from loops within.
    from_within: bool,
    enter: u32,
    size: u32,
}

/// A jump out of a loop.
struct Leaving {
    from: Block,
    /// Its place among the block's destinations.
    place: usize,
    to: Block,
    from_loop: u32,
}

pub(super) fn run(router: &mut Router<'_>) -> Loops {
    let cfg = Cfg::new(router.function);
    let dominators = Dominators::new(&cfg);
    let order = cfg.reverse_post_order().to_vec();
    let (mut loops, mut loop_of) = find(router, &cfg, &dominators, &order);
    if loops.is_empty() {
        let count = router.function.blocks.len();
        return Loops { headers: vec![None; count], is_end: vec![false; count] };
    }
    // What leaves the function belongs to the loop that it leaves from, except where that is the
    // one way out of an outermost loop.
    let mut ways_out = vec![0u32; loops.len()];
    for &block in &order {
        let number = loop_of[block.index()];
        if number != NONE {
            let leaves = |to: &Block| !contains(&loops, number, loop_of[to.index()]);
            ways_out[number as usize] += cfg.successors(block).filter(leaves).count() as u32;
            if loops[number as usize].parent != NONE {
                ways_out[number as usize] += 2;
            }
        }
    }
    for &block in &order {
        if router.function.blocks[block].terminator.targets().next().is_some() {
            continue;
        }
        let mut predecessors = cfg.predecessors(block).filter(|&from| cfg.is_reachable(from));
        if let (Some(only), None) = (predecessors.next(), predecessors.next())
            && ways_out.get(loop_of[only.index()] as usize) != Some(&1)
        {
            loop_of[block.index()] = loop_of[only.index()];
        }
    }
    let mut work = order.clone();
    for number in 0..loops.len() {
        make_blocks(router, &cfg, &mut loops, &mut loop_of, number as u32, &mut work);
    }

    let mut leaving: Vec<Leaving> = Vec::new();
    let header_of = |loops: &[Loop], number: u32| loops.get(number as usize).map(|l| l.header);
    for &block in &work {
        let from_loop = loop_of[block.index()];
        let mut terminator = std::mem::take(&mut router.function.blocks[block].terminator);
        for (place, target) in terminator.targets_mut().enumerate() {
            let to_loop = loop_of[target.block.index()];
            let mut destination = target.block;
            let mut destination_loop = to_loop;
            if header_of(&loops, to_loop) == Some(target.block) {
                let data = &loops[to_loop as usize];
                if contains(&loops, to_loop, from_loop) {
                    destination = data.latch;
                } else {
                    destination = data.door;
                    destination_loop = data.parent;
                }
            }
            target.block = destination;
            if destination_loop == from_loop {
                continue;
            }
            // Up to the outermost loop that this leaves.
            let mut number = from_loop;
            while number != NONE {
                let parent = loops[number as usize].parent;
                if parent == destination_loop {
                    break;
                }
                loops[number as usize].leaves_parent = true;
                if let Some(outer) = loops.get_mut(parent as usize) {
                    outer.from_within = true;
                }
                number = parent;
            }
            if let Some(last) = loops.get_mut(number as usize) {
                last.destinations.push(destination);
            }
            leaving.push(Leaving { from: block, place, to: destination, from_loop });
        }
        router.function.blocks[block].terminator = terminator;
    }
    for data in &mut loops {
        let mut seen = rustc_hash::FxHashSet::default();
        data.destinations.retain(|&block| seen.insert(block));
    }
    for number in 0..loops.len() {
        write_exit(router, &loops, number);
    }
    for jump in &leaving {
        redirect(router, &loops[jump.from_loop as usize], jump);
    }
    finish(router, &loops)
}

fn finish(router: &mut Router<'_>, loops: &[Loop]) -> Loops {
    let count = router.function.blocks.len();
    let mut result = Loops { headers: vec![None; count], is_end: vec![false; count] };
    for data in loops {
        result.headers[data.header.index()] = Some((data.exit, data.latch));
        result.is_end[data.exit.index()] = true;
        result.is_end[data.latch.index()] = true;
    }
    result
}

/// Whether `inner` is `outer` or in it; everything is outside of all loops.
fn contains(loops: &[Loop], outer: u32, inner: u32) -> bool {
    match (loops.get(outer as usize), loops.get(inner as usize)) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(outer), Some(inner)) => {
            outer.enter <= inner.enter && inner.enter < outer.enter + outer.size
        }
    }
}

/// The loops, inner ones first, and for each block its innermost one.
fn find(
    router: &Router<'_>,
    cfg: &Cfg,
    dominators: &Dominators,
    order: &[Block],
) -> (Vec<Loop>, Vec<u32>) {
    let count = router.function.blocks.len();
    let mut loops: Vec<Loop> = Vec::new();
    let mut loop_of = vec![NONE; count];
    // What stands for a block: the header of the outermost loop found so far that it is in.
    let mut stand: Vec<u32> = (0..count as u32).collect();
    let mut own: Vec<u32> = vec![NONE; count];
    let mut stack = Vec::new();
    for &header in order.iter().rev() {
        stack.clear();
        stack.extend(dominators.latches(cfg, header).filter(|&from| cfg.is_reachable(from)));
        if stack.is_empty() {
            continue;
        }
        let number = loops.len() as u32;
        own[header.index()] = number;
        loop_of[header.index()] = number;
        let mut size = 1;
        while let Some(block) = stack.pop() {
            let block = Block(representative(&mut stand, block.0));
            if block == header {
                continue;
            }
            match own[block.index()] {
                NONE => loop_of[block.index()] = number,
                inner => {
                    loops[inner as usize].parent = number;
                    size += loops[inner as usize].size;
                }
            }
            stand[block.index()] = header.0;
            stack.extend(cfg.predecessors(block).filter(|&from| cfg.is_reachable(from)));
        }
        loops.push(Loop {
            header,
            parent: NONE,
            latch: header,
            exit: header,
            door: header,
            destinations: Vec::new(),
            leaves_parent: false,
            from_within: false,
            enter: 0,
            size,
        });
    }
    // Outer loops have higher numbers.
    let mut next = 0;
    let mut inside: Vec<u32> = vec![0; loops.len()];
    for number in (0..loops.len()).rev() {
        let size = loops[number].size;
        let enter = match loops[number].parent {
            NONE => {
                let enter = next;
                next += size;
                enter
            }
            parent => {
                let enter = inside[parent as usize];
                inside[parent as usize] += size;
                enter
            }
        };
        loops[number].enter = enter;
        inside[number] = enter + 1;
    }
    (loops, loop_of)
}

fn representative(stand: &mut [u32], mut block: u32) -> u32 {
    while stand[block as usize] != block {
        let next = stand[block as usize];
        stand[block as usize] = stand[next as usize];
        block = next;
    }
    block
}

/// Makes the latch, the exit and the door of a loop, and leaves the header with parameters and a
/// jump.
fn make_blocks(
    router: &mut Router<'_>,
    cfg: &Cfg,
    loops: &mut [Loop],
    loop_of: &mut Vec<u32>,
    number: u32,
    work: &mut Vec<Block>,
) {
    let header = loops[number as usize].header;
    let parent = loops[number as usize].parent;
    let span = router.function.blocks[header].location;
    let latch = router.block_like(header);
    let arguments = router.own_params(latch);
    router.function.blocks[latch].terminator =
        Terminator::Jump(BlockCall { block: header, arguments });
    let exit = router.block_with(span, Terminator::Unreachable);
    loop_of.resize(router.function.blocks.len(), NONE);
    loop_of[latch.index()] = number;
    loop_of[exit.index()] = parent;

    // A header may not be where a selection ends.
    let mut entering = cfg
        .predecessors(header)
        .filter(|&from| cfg.is_reachable(from) && cfg.position(from) < cfg.position(header));
    let is_straight = match (entering.next(), entering.next()) {
        (Some(only), None) => {
            loop_of[only.index()] == parent
                && matches!(router.function.blocks[only].terminator, Terminator::Jump(_))
        }
        _ => false,
    };
    let door = if is_straight {
        header
    } else {
        let door = router.block_like(header);
        let arguments = router.own_params(door);
        router.function.blocks[door].terminator =
            Terminator::Jump(BlockCall { block: header, arguments });
        loop_of.resize(router.function.blocks.len(), NONE);
        loop_of[door.index()] = parent;
        door
    };

    if !matches!(router.function.blocks[header].terminator, Terminator::Jump(_)) {
        let body = router.new_block(span);
        loop_of.resize(router.function.blocks.len(), NONE);
        loop_of[body.index()] = number;
        let data = &mut router.function.blocks[header];
        let insts = std::mem::take(&mut data.insts);
        let terminator = std::mem::replace(&mut data.terminator, Terminator::Jump(plain(body)));
        router.function.blocks[body].insts = insts;
        router.function.blocks[body].terminator = terminator;
        work.push(body);
    }
    let data = &mut loops[number as usize];
    (data.latch, data.exit, data.door) = (latch, exit, door);
}

impl Loop {
    /// The one place where all jumps out of the loop go, if they come straight from it.
    fn single_destination(&self) -> Option<Block> {
        match self.destinations[..] {
            [only] if !self.leaves_parent && !self.from_within => Some(only),
            _ => None,
        }
    }
}

/// Sends the jumps that meet in a loop's exit on to where they want to go.
fn write_exit(router: &mut Router<'_>, loops: &[Loop], number: usize) {
    let data = &loops[number];
    let exit = data.exit;
    if let Some(only) = data.single_destination() {
        for index in 0..router.function.blocks[only].params.len() {
            let param = router.function.blocks[only].params[index];
            let ty = router.ty(param);
            router.function.add_block_param(exit, ty);
        }
        let arguments = router.own_params(exit);
        router.function.blocks[exit].terminator =
            Terminator::Jump(BlockCall { block: only, arguments });
        return;
    }
    let mut ways: Vec<(u32, Block)> = Vec::new();
    for &block in &data.destinations {
        ways.push((block.0, router.landing(block)));
    }
    let outward = match (data.leaves_parent, loops.get(data.parent as usize)) {
        (true, Some(outer)) => Some(outer.exit),
        _ => None,
    };
    let default = match outward {
        Some(outer) => outer,
        None => match ways.pop() {
            Some((_, last)) => last,
            // No edge leaves the loop.
            None => return,
        },
    };
    router.function.blocks[exit].terminator = match ways[..] {
        [] => Terminator::Jump(plain(default)),
        [(number, block)] => {
            let note = router.read_note(exit);
            let condition = router.compare(exit, CompareOp::Equal, note, number);
            Terminator::Branch { condition, then: plain(block), otherwise: plain(default) }
        }
        _ => {
            let selector = router.read_note(exit);
            let cases = ways
                .iter()
                .map(|&(number, block)| SwitchCase {
                    value: u64::from(number),
                    target: plain(block),
                })
                .collect();
            Terminator::Switch { selector, default: plain(default), cases }
        }
    };
}

/// Sends one jump out of a loop to the loop's exit.
fn redirect(router: &mut Router<'_>, data: &Loop, jump: &Leaving) {
    let mut terminator = std::mem::take(&mut router.function.blocks[jump.from].terminator);
    let is_jump = matches!(terminator, Terminator::Jump(_));
    let span = router.function.blocks[jump.from].location;
    if let Some(target) = terminator.targets_mut().nth(jump.place) {
        if data.single_destination().is_some() {
            target.block = data.exit;
        } else {
            let block = if is_jump {
                jump.from
            } else {
                router.block_with(span, Terminator::Jump(plain(data.exit)))
            };
            router.store_arguments(block, jump.to, target.arguments);
            router.write_note(block, jump.to.0);
            *target = plain(if is_jump { data.exit } else { block });
        }
    }
    // Both ways may lead to the exit now.
    if let Terminator::Branch { then, otherwise, .. } = &mut terminator
        && then.block == otherwise.block
    {
        *then = plain(router.block_with(span, Terminator::Jump(*then)));
    }
    router.function.blocks[jump.from].terminator = terminator;
}
