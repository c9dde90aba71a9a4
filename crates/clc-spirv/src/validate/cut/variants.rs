//! Writes the variants of a function: one for each piece, and one with a block for each.

use std::collections::BTreeSet;

use spirv::Op;

use super::{Block, Body, Construct, Cut, Declared, Piece};
use crate::read::ids::{Role, each_id};
use crate::read::{is, op};

/// A switch or loop around a piece, by its header.
#[derive(Clone, Copy, Default)]
struct Around {
    of_loop: Option<usize>,
    of_switch: Option<usize>,
}

pub(super) struct Writer<'a> {
    body: &'a Body<'a>,
    pieces: &'a [Piece],
    declared: &'a Declared<'a>,
    bound: u32,
    /// By block.
    piece_of: Vec<Option<usize>>,
}

/// The phis of a block.
fn phis<'a, 'b>(block: &'b Block<'a>) -> impl Iterator<Item = &'a [u32]> + use<'a, 'b> {
    block.instructions.iter().copied().filter(|it| is(it, Op::Phi))
}

fn put(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        body: &'a Body<'a>,
        pieces: &'a [Piece],
        declared: &'a Declared<'a>,
        bound: u32,
    ) -> Writer<'a> {
        let mut piece_of = vec![None; body.blocks.len()];
        for (number, piece) in pieces.iter().enumerate() {
            piece_of[piece.first..piece.end].fill(Some(number));
        }
        Writer { body, pieces, declared, bound, piece_of }
    }

    pub(super) fn write(mut self) -> Option<Cut> {
        let rest = self.rest()?;
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces {
            pieces.push(self.piece(piece)?);
        }
        let mut definitions = vec![Vec::new(); pieces.len()];
        for (&id, &(block, _)) in &self.body.definitions {
            if let Some(piece) = self.piece_of[block] {
                definitions[piece].push(id);
            }
        }
        for (block, piece) in self.body.blocks.iter().zip(&self.piece_of) {
            if let Some(piece) = *piece {
                definitions[piece].push(block.label);
            }
        }
        Some(Cut { rest, pieces, definitions, bound: self.bound })
    }

    fn fresh(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// The ids that an instruction uses and the function defines in a block.
    fn uses(&self, instruction: &[u32], mut visit: impl FnMut(u32, usize)) -> Option<()> {
        let Declared { context, .. } = self.declared;
        each_id(instruction, *context, &mut |role, at| {
            if role == Role::Use
                && let Some(&(block, _)) = self.body.definitions.get(&instruction[at])
            {
                visit(instruction[at], block);
            }
        })
    }

    /// The function with a block for each piece.
    fn rest(&mut self) -> Option<Vec<u32>> {
        let body = self.body;
        // The blocks that stand for pieces: which of them branches to which exit.
        let mut branches: Vec<Vec<u32>> = Vec::new();
        for piece in self.pieces {
            let first = body.blocks[piece.first].label;
            // With two ways out left, one block branches to both.
            let more = piece.exits.len().saturating_sub(2);
            let mut labels = vec![first];
            labels.extend((0..more).map(|_| self.fresh()));
            if piece.exits.len() > 1 {
                labels.push(*labels.last()?);
            }
            branches.push(labels);
        }
        // By piece: what its block defines, as type and id.
        let mut undefined: Vec<BTreeSet<(u32, u32)>> = vec![BTreeSet::new(); self.pieces.len()];
        let mut texts: Vec<Vec<u32>> = vec![Vec::new(); body.blocks.len()];
        for (index, block) in body.blocks.iter().enumerate() {
            let stands_for = self.piece_of[index];
            if stands_for.is_some_and(|piece| self.pieces[piece].first != index) {
                continue;
            }
            let mut text = Vec::new();
            for &instruction in &block.instructions {
                let is_phi = is(instruction, Op::Phi);
                let is_label = is(instruction, Op::Label);
                if stands_for.is_some() && !is_phi && !is_label {
                    continue;
                }
                let from = text.len();
                if is_phi {
                    let mut operands = instruction.get(1..3)?.to_vec();
                    let mut merged = BTreeSet::new();
                    for pair in instruction.get(3..)?.chunks_exact(2) {
                        let parent = *body.by_label.get(&pair[1])?;
                        let Some(piece) = self.piece_of[parent] else {
                            operands.extend_from_slice(pair);
                            continue;
                        };
                        if merged.insert(piece) {
                            let exit =
                                self.pieces[piece].exits.iter().rposition(|&it| it == index)?;
                            let id = self.fresh();
                            undefined[piece].insert((operands[0], id));
                            operands.extend([id, self.branch(&branches[piece], piece, exit)]);
                        }
                    }
                    put(&mut text, Op::Phi, &operands);
                } else {
                    text.extend_from_slice(instruction);
                }
                self.uses(&text[from..], |id, by| {
                    let definition = body.definitions[&id].1;
                    if let Some(piece) = self.piece_of[by]
                        && stands_for != Some(piece)
                        // The phis of its first block are here.
                        && !(is(definition, Op::Phi) && by == self.pieces[piece].first)
                    {
                        undefined[piece].insert((definition[1], id));
                    }
                })?;
            }
            texts[index] = text;
        }
        let mut words: Vec<u32> = body.head.concat();
        for (index, text) in texts.iter().enumerate() {
            words.extend_from_slice(text);
            if let Some(number) = self.piece_of[index]
                && self.pieces[number].first == index
            {
                for &(ty, id) in &undefined[number] {
                    put(&mut words, Op::Undef, &[ty, id]);
                }
                self.ways_out(&mut words, number, &branches[number])?;
            }
        }
        put(&mut words, Op::FunctionEnd, &[]);
        Some(words)
    }

    /// The label of the block that branches to an exit of a piece, given by its number.
    fn branch(&self, labels: &[u32], piece: usize, exit: usize) -> u32 {
        // The first exit in the order of blocks is tried last.
        labels[self.pieces[piece].exits.len() - 1 - exit]
    }

    /// Ends the block for a piece: with a branch, or one for each exit but the first, which no
    /// construct around need have declared.
    fn ways_out(&mut self, words: &mut Vec<u32>, piece: usize, labels: &[u32]) -> Option<()> {
        let label = |exit: usize| self.body.blocks[exit].label;
        match *self.pieces[piece].exits.as_slice() {
            [] => put(words, Op::Unreachable, &[]),
            [exit] => put(words, Op::Branch, &[label(exit)]),
            ref exits => {
                let condition = self.bound;
                self.bound += 1;
                put(words, Op::Undef, &[self.declared.bool_type?, condition]);
                let count = exits.len();
                for number in 0..count - 1 {
                    let exit = label(exits[count - 1 - number]);
                    let is_last = number + 2 == count;
                    let other = if is_last { label(exits[0]) } else { labels[number + 1] };
                    put(words, Op::BranchConditional, &[condition, exit, other]);
                    if !is_last {
                        put(words, Op::Label, &[other]);
                    }
                }
            }
        }
        Some(())
    }

    /// What a piece breaks out of or continues.
    fn around(&self, piece: &Piece) -> Option<Around> {
        let mut around = Around::default();
        for &exit in &piece.exits {
            let Some(found) = self.body.around(piece.first, piece.end, exit) else { continue };
            let slot = match found.construct {
                Construct::Selection => continue,
                Construct::Switch => &mut around.of_switch,
                Construct::Loop => &mut around.of_loop,
            };
            if slot.replace(found.header).is_some_and(|other| other != found.header) {
                return None;
            }
        }
        match (around.of_loop, around.of_switch) {
            (Some(of_loop), Some(of_switch)) if of_loop > of_switch => None,
            _ => Some(around),
        }
    }

    /// The merge instruction and the terminator of a header.
    fn header(&self, block: usize) -> Option<[&'a [u32]; 2]> {
        match self.body.blocks[block].instructions[..] {
            [.., merge, terminator] => Some([merge, terminator]),
            _ => None,
        }
    }

    /// A variant of the function that has the blocks of a piece.
    fn piece(&mut self, piece: &Piece) -> Option<Vec<u32>> {
        let body = self.body;
        let is_inside = |block: usize| (piece.first..piece.end).contains(&block);
        let around = self.around(piece)?;
        // The blocks, the ones behind them, and what these use.
        let mut blocks = Vec::new();
        let mut outside = Outside::default();
        for index in piece.first..piece.end {
            for &instruction in &body.blocks[index].instructions {
                if index == piece.first && is(instruction, Op::Phi) {
                    outside.undefined.push([*instruction.get(1)?, *instruction.get(2)?]);
                    outside.seen.insert(*instruction.get(2)?);
                    continue;
                }
                blocks.extend_from_slice(instruction);
                let mut used = Vec::new();
                self.uses(instruction, |id, by| {
                    if !is_inside(by) {
                        used.push(id);
                    }
                })?;
                used.into_iter().try_for_each(|id| self.provide(id, &mut outside))?;
            }
        }
        let mut labels: Vec<u32> = piece.exits.iter().map(|&it| body.blocks[it].label).collect();
        let (mut entered, mut continued) = (None, None);
        let mut before = Vec::new();
        if let Some(header) = around.of_loop {
            let [merge, _] = self.header(header)?;
            let label = self.fresh();
            put(&mut before, Op::Branch, &[label]);
            put(&mut before, Op::Label, &[label]);
            put(&mut before, Op::LoopMerge, &[*merge.get(1)?, *merge.get(2)?, 0]);
            (entered, continued) = (Some(label), Some(*merge.get(2)?));
            labels.extend_from_slice(&merge[1..3]);
        }
        if let Some(header) = around.of_switch {
            let [merge, terminator] = self.header(header)?;
            let (label, selector) = (self.fresh(), *terminator.get(1)?);
            put(&mut before, Op::Branch, &[label]);
            put(&mut before, Op::Label, &[label]);
            put(&mut before, Op::SelectionMerge, &[*merge.get(1)?, 0]);
            put(&mut before, Op::Switch, &[selector, body.blocks[piece.first].label]);
            labels.push(*merge.get(1)?);
            if let Some(&(by, _)) = body.definitions.get(&selector) {
                (!is_inside(by)).then_some(())?;
                self.provide(selector, &mut outside)?;
            }
        } else {
            put(&mut before, Op::Branch, &[body.blocks[piece.first].label]);
        }
        let mut done = BTreeSet::new();
        for label in labels {
            if !done.insert(label) {
                continue;
            }
            put(&mut blocks, Op::Label, &[label]);
            for phi in phis(&body.blocks[*body.by_label.get(&label)?]) {
                let mut operands = phi.get(1..3)?.to_vec();
                for pair in phi.get(3..)?.chunks_exact(2) {
                    if is_inside(*body.by_label.get(&pair[1])?) {
                        operands.extend_from_slice(pair);
                        if let Some(&(by, _)) = body.definitions.get(&pair[0])
                            && !is_inside(by)
                        {
                            self.provide(pair[0], &mut outside)?;
                        }
                    }
                }
                if operands.len() > 2 {
                    put(&mut blocks, Op::Phi, &operands);
                }
            }
            match entered.filter(|_| continued == Some(label)) {
                Some(entered) => put(&mut blocks, Op::Branch, &[entered]),
                None => put(&mut blocks, Op::Unreachable, &[]),
            }
        }
        let mut words = body.head.concat();
        let label = self.fresh();
        put(&mut words, Op::Label, &[label]);
        outside.variables.iter().for_each(|variable| words.extend_from_slice(variable));
        outside.undefined.iter().for_each(|undefined| put(&mut words, Op::Undef, undefined));
        outside.copies.iter().for_each(|copy| words.extend_from_slice(copy));
        words.extend_from_slice(&before);
        words.extend_from_slice(&blocks);
        put(&mut words, Op::FunctionEnd, &[]);
        Some(words)
    }

    /// Defines a value of a block outside. What the validator traces to its origin, the pointer of an
    /// access, is copied.
    fn provide(&self, id: u32, outside: &mut Outside<'a>) -> Option<()> {
        if !outside.seen.insert(id) {
            return Some(());
        }
        let (_, definition) = *self.body.definitions.get(&id)?;
        match op(definition)? {
            Op::Variable => outside.variables.push(definition),
            Op::AccessChain | Op::InBoundsAccessChain => {
                let mut used = Vec::new();
                self.uses(definition, |id, _| used.push(id))?;
                used.into_iter().try_for_each(|id| self.provide(id, outside))?;
                outside.copies.push(definition);
            }
            _ => outside.undefined.push([*definition.get(1)?, id]),
        }
        Some(())
    }
}

/// What the block in front of a piece defines.
#[derive(Default)]
struct Outside<'a> {
    seen: BTreeSet<u32>,
    variables: Vec<&'a [u32]>,
    /// Type and id.
    undefined: Vec<[u32; 2]>,
    copies: Vec<&'a [u32]>,
}
