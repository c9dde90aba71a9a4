//! Cuts a function of many blocks into pieces that can be checked one after the other.
//!
//! For each use of a value and for each block of each construct the validator walks up the dominator
//! tree (`BasicBlock::dominates` and `structurally_dominates` of SPIRV-Tools), which is as deep as
//! the function is long: its time is quadratic in the number of blocks, cubic where selections nest.
//!
//! A piece is a run of blocks, in their order, that control enters at the first one only. It becomes a
//! variant of the function: a new block in front defines what comes from outside, by OpUndef or by a
//! copy of the variable or the access chain; the constructs around it that it leaves by a break or a
//! continue are put around it again; and each block that it leaves to keeps its phis and ends there.
//! In the function itself a block with the same label, phis and ways out stands for the piece, and
//! defines what others use of it.
//!
//! So each instruction is in one of the variants as it is, with operands of the same types, and each
//! construct is in one as a whole. What is in none, whether a definition in one piece dominates its use
//! in another, is checked here for all uses, on the dominator tree of the function.
//!
//! `None` and an empty list mean that the function is not of the form that an emitter would write, or
//! has no such runs; then the validator gets it as it is.

use std::collections::BTreeSet;
use std::ops::Range;

use rspirv::spirv::Op;
use rustc_hash::FxHashMap;

use super::dominance::Dominators;
use super::parts::Limits;
use crate::read::ids::{Context, Grammar, Role};
use crate::read::{Instructions, op};

/// Blocks that control may leave a piece to.
const MOST_EXITS: usize = 4;

/// A function in pieces.
pub(super) struct Cut {
    /// The function with a block for each piece.
    pub rest: Vec<u32>,
    /// Variants of the function, one for each piece.
    pub pieces: Vec<Vec<u32>>,
    /// By piece: the ids that it defines.
    pub definitions: Vec<Vec<u32>>,
    /// The bound of the ids in all of these.
    pub bound: u32,
}

/// What of the declarations has to be known.
pub(super) struct Declared<'a> {
    pub grammar: &'a Grammar,
    pub context: &'a dyn Context,
    pub bool_type: Option<u32>,
}

struct Block<'a> {
    label: u32,
    instructions: Vec<&'a [u32]>,
    successors: Vec<usize>,
    predecessors: Vec<usize>,
    has_call: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Construct {
    Selection,
    Switch,
    Loop,
}

/// What declares a block to be a merge block or a continue target.
#[derive(Clone, Copy)]
struct Declaration {
    header: usize,
    construct: Construct,
}

struct Body<'a> {
    /// It has merge instructions, which say where control may go.
    is_structured: bool,
    head: Vec<&'a [u32]>,
    blocks: Vec<Block<'a>>,
    by_label: FxHashMap<u32, usize>,
    /// By block.
    declared: Vec<Vec<Declaration>>,
    /// By id: the block that defines it, and the instruction.
    definitions: FxHashMap<u32, (usize, &'a [u32])>,
}

/// Blocks `first..end`; control leaves to `exits`.
struct Piece {
    first: usize,
    end: usize,
    /// In the order of the blocks.
    exits: Vec<usize>,
}

/// Cuts a function, from OpFunction to OpFunctionEnd, whose module has ids below `bound`.
pub(super) fn cut(
    words: &[u32],
    bound: u32,
    declared: &Declared<'_>,
    limits: &Limits,
) -> Option<Cut> {
    let body = Body::read(words, declared)?;
    let pieces = body.pieces(limits);
    if pieces.is_empty() || !body.definitions_dominate(declared)? {
        return None;
    }
    Writer::new(&body, &pieces, declared, bound).write()
}

/// Whether a function is so long that it is worth it.
pub(super) fn is_long(words: &[u32], limits: &Limits) -> bool {
    Instructions::in_words(words)
        .filter(|it| op(it) == Some(Op::Label))
        .nth(limits.many_blocks)
        .is_some()
}

/// The labels that a terminator names; the literals of a switch have one word or two.
fn successors(terminator: &[u32], is_wide: bool) -> Option<Vec<u32>> {
    Some(match op(terminator)? {
        Op::Branch => vec![*terminator.get(1)?],
        Op::BranchConditional => vec![*terminator.get(2)?, *terminator.get(3)?],
        Op::Switch => {
            let case = if is_wide { 3 } else { 2 };
            let targets = terminator.get(3..)?.chunks(case).map(|case| case.last().copied());
            std::iter::once(terminator.get(2).copied()).chain(targets).collect::<Option<_>>()?
        }
        Op::Return | Op::ReturnValue | Op::Unreachable | Op::Kill => Vec::new(),
        _ => return None,
    })
}

impl<'a> Body<'a> {
    fn read(words: &'a [u32], declared: &Declared<'_>) -> Option<Body<'a>> {
        let mut body = Body {
            is_structured: false,
            head: Vec::new(),
            blocks: Vec::new(),
            by_label: FxHashMap::default(),
            declared: Vec::new(),
            definitions: FxHashMap::default(),
        };
        let mut is_open = false;
        for instruction in Instructions::in_words(words) {
            match op(instruction)? {
                Op::Label => {
                    let label = *instruction.get(1)?;
                    if is_open || body.by_label.insert(label, body.blocks.len()).is_some() {
                        return None;
                    }
                    is_open = true;
                    body.blocks.push(Block {
                        label,
                        instructions: vec![instruction],
                        successors: Vec::new(),
                        predecessors: Vec::new(),
                        has_call: false,
                    });
                }
                Op::FunctionEnd => break,
                operation => match body.blocks.last_mut() {
                    None => body.head.push(instruction),
                    Some(block) if is_open => {
                        block.instructions.push(instruction);
                        block.has_call |= operation == Op::FunctionCall;
                        is_open = !is_terminator(operation);
                    }
                    Some(_) => return None,
                },
            }
        }
        (!is_open).then_some(())?;
        body.connect(declared)?;
        for (index, block) in body.blocks.iter().enumerate() {
            for instruction in &block.instructions[1..] {
                declared.grammar.each_id(instruction, declared.context, &mut |role, at| {
                    if role == Role::Result {
                        body.definitions.insert(instruction[at], (index, instruction));
                    }
                })?;
            }
        }
        Some(body)
    }

    /// Finds the edges and what merge instructions declare.
    fn connect(&mut self, declared: &Declared<'_>) -> Option<()> {
        self.declared = vec![Vec::new(); self.blocks.len()];
        for index in 0..self.blocks.len() {
            let instructions = &self.blocks[index].instructions;
            let terminator = *instructions.last()?;
            let selector = terminator.get(1).copied().unwrap_or_default();
            let is_wide = declared.context.literal_words(selector) == Some(2);
            let targets = successors(terminator, is_wide)?;
            let targets: Option<Vec<usize>> =
                targets.iter().map(|label| self.by_label.get(label).copied()).collect();
            let mut targets = targets?;
            targets.sort_unstable();
            targets.dedup();
            if let [.., merge, _] = instructions[..] {
                let construct = match (op(merge)?, op(terminator)?) {
                    (Op::SelectionMerge, Op::Switch) => Some((Construct::Switch, 2)),
                    (Op::SelectionMerge, _) => Some((Construct::Selection, 2)),
                    (Op::LoopMerge, _) => Some((Construct::Loop, 3)),
                    _ => None,
                };
                if let Some((construct, end)) = construct {
                    self.is_structured = true;
                    for label in merge.get(1..end)? {
                        let declared = *self.by_label.get(label)?;
                        // What two constructs share, no piece would show.
                        if !self.declared[declared].is_empty() {
                            return None;
                        }
                        self.declared[declared].push(Declaration { header: index, construct });
                    }
                }
            }
            for &target in &targets {
                self.blocks[target].predecessors.push(index);
            }
            self.blocks[index].successors = targets;
        }
        Some(())
    }

    /// Runs of blocks to check apart.
    fn pieces(&self, limits: &Limits) -> Vec<Piece> {
        let count = self.blocks.len();
        let most = limits.most_blocks.max(count / limits.most_pieces);
        // By header: the last block that it declares.
        let mut reach = vec![0; count];
        for (block, declarations) in self.declared.iter().enumerate() {
            for declaration in declarations {
                let reach = &mut reach[declaration.header];
                *reach = block.max(*reach);
            }
        }
        let mut pieces = Vec::new();
        // The entry block has the variables.
        let mut first = 1;
        while first < count {
            let end = self.longest(first, limits.least_blocks..most, &reach);
            match end.and_then(|end| self.piece(first, end)) {
                Some(piece) => {
                    first = piece.end;
                    pieces.push(piece);
                }
                None => first += 1,
            }
        }
        pieces
    }

    /// The end of the longest run from `first` on that control enters there only and whose constructs
    /// are its own.
    fn longest(&self, first: usize, blocks: Range<usize>, reach: &[usize]) -> Option<usize> {
        let mut best = None;
        let mut far = BTreeSet::new();
        // The first block that may come behind the run.
        let mut least = first + blocks.start;
        let last = self.blocks.len().min(first + blocks.end);
        for (end, block) in self.blocks.iter().enumerate().take(last).skip(first) {
            if end >= least && end > first {
                best = Some(end);
            }
            // Without structure any block may be left to, such as the end of a long chain.
            if far.len() >= MOST_EXITS {
                break;
            }
            // From here on the block is in the run.
            let is_first = end == first;
            let inner = |other: usize| other >= first;
            let enters = block.predecessors.iter().any(|&from| !inner(from));
            let declared = self.declared[end].iter().any(|it| !inner(it.header));
            if block.has_call || block.predecessors.is_empty() || !is_first && (enters || declared)
            {
                break;
            }
            // A loop that begins at the first block, or whose header is declared inside.
            if is_first && block.predecessors.iter().any(|&from| inner(from)) {
                break;
            }
            let last = block.predecessors.iter().copied().max().unwrap_or(0);
            least = least.max(last + 1).max(reach[end]);
            // Control leaves to the block behind the run, or by a break or continue.
            for &target in &block.successors {
                if !self.is_structured && target >= first + blocks.end {
                    far.insert(target);
                    continue;
                }
                let is_break =
                    |it: &Declaration| it.header < first && it.construct != Construct::Selection;
                if !self.declared[target].iter().any(is_break) {
                    least = least.max(target);
                }
            }
        }
        best
    }

    fn piece(&self, first: usize, end: usize) -> Option<Piece> {
        let mut exits: Vec<usize> = Vec::new();
        for block in &self.blocks[first..end] {
            for &target in &block.successors {
                if target < first {
                    return None;
                }
                if target >= end {
                    exits.push(target);
                }
            }
        }
        exits.sort_unstable();
        exits.dedup();
        // That the merge block of a construct inside belongs to the constructs around the piece shows
        // only where control leaves to it; that its header dominates it, only if nobody else goes there.
        let mut merges = self.declared.get(end).into_iter().flatten();
        if merges.any(|it| it.header >= first) {
            let block = &self.blocks[end];
            let is_loop = block.instructions.iter().any(|it| op(it) == Some(Op::LoopMerge));
            let is_fine = |&from: &usize| from >= first && (from < end || is_loop);
            if !exits.contains(&end) || !block.predecessors.iter().all(is_fine) {
                return None;
            }
        }
        // Other ways out are those of constructs around.
        let is_break = |&exit: &usize| {
            exit == end
                || !self.is_structured
                || self
                    .around(first, end, exit)
                    .is_some_and(|it| it.construct != Construct::Selection)
        };
        (exits.len() <= MOST_EXITS && exits.iter().all(is_break)).then_some(Piece {
            first,
            end,
            exits,
        })
    }

    /// What around a piece declares a block behind it.
    fn around(&self, first: usize, end: usize, exit: usize) -> Option<Declaration> {
        let mut around = self.declared[exit].iter().filter(|it| it.header < first);
        let found = around.next().copied();
        debug_assert!(exit >= end);
        found.filter(|_| around.next().is_none())
    }

    /// Whether each definition in a block dominates its uses. `None` if something cannot be read.
    fn definitions_dominate(&self, declared: &Declared<'_>) -> Option<bool> {
        let edges: Vec<&[usize]> =
            self.blocks.iter().map(|block| block.successors.as_slice()).collect();
        let dominators = Dominators::new(&edges);
        let mut good = true;
        for (index, block) in self.blocks.iter().enumerate() {
            if !dominators.is_reachable(index) {
                continue;
            }
            for instruction in &block.instructions {
                let is_phi = op(instruction) == Some(Op::Phi);
                declared.grammar.each_id(instruction, declared.context, &mut |role, at| {
                    let Some(&(by, _)) = self.definitions.get(&instruction[at]) else { return };
                    let user = match instruction.get(at + 1) {
                        _ if role != Role::Use => return,
                        Some(parent) if is_phi => self.by_label.get(parent).copied(),
                        _ if is_phi => None,
                        _ => Some(index),
                    };
                    good &= user.is_none_or(|user| {
                        !dominators.is_reachable(user) || dominators.dominates(by, user)
                    });
                })?;
            }
        }
        Some(good)
    }
}

/// A switch or loop around a piece, by its header.
#[derive(Clone, Copy, Default)]
struct Around {
    of_loop: Option<usize>,
    of_switch: Option<usize>,
}

struct Writer<'a> {
    body: &'a Body<'a>,
    pieces: &'a [Piece],
    declared: &'a Declared<'a>,
    bound: u32,
    /// By block.
    piece_of: Vec<Option<usize>>,
}

/// The phis of a block.
fn phis<'a>(block: &Block<'a>) -> impl Iterator<Item = &'a [u32]> {
    block.instructions.clone().into_iter().filter(|it| op(it) == Some(Op::Phi))
}

fn put(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
}

impl<'a> Writer<'a> {
    fn new(
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

    fn write(mut self) -> Option<Cut> {
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
        let Declared { grammar, context, .. } = self.declared;
        grammar.each_id(instruction, *context, &mut |role, at| {
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
                let is_phi = op(instruction) == Some(Op::Phi);
                let is_label = op(instruction) == Some(Op::Label);
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
                        && !(op(definition) == Some(Op::Phi) && by == self.pieces[piece].first)
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
                if index == piece.first && op(instruction) == Some(Op::Phi) {
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

fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Unreachable
            | Op::Kill
    )
}
