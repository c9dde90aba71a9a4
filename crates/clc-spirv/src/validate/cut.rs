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

mod variants;

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;
use spirv::Op;

use super::dominance::Dominators;
use super::parts::Limits;
use crate::read::ids::{Context, Role, each_id, result_position};
use crate::read::{Instructions, is, op, opcode};
use variants::Writer;

/// Blocks that control may leave a piece to.
const MOST_EXITS: usize = 4;

/// Blocks of a function that is looked through for constructs that nest: more than constructs may
/// nest deep (SPIR-V 2.17: 1,023), and few enough to start from each of them.
const MOST_NESTED: usize = 1 << 12;

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
    Instructions::in_words(words).filter(|it| is(it, Op::Label)).nth(limits.many_blocks).is_some()
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
                if let Some(position) = result_position(opcode(instruction)) {
                    body.definitions.insert(*instruction.get(position)?, (index, instruction));
                }
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
        let pieces = self.runs(limits.least_blocks..most, &reach);
        // Where constructs nest, only the inner part of the nest is a run, and may be cut in its turn.
        let inside: usize = pieces.iter().map(|piece| piece.end - piece.first).sum();
        if inside < count / 2 && count <= MOST_NESTED {
            let inner = self.runs((count / 4).max(2)..count / 4 * 3, &reach);
            if !inner.is_empty() {
                return inner;
            }
        }
        pieces
    }

    /// Runs that do not overlap, each of as many blocks as `blocks` says.
    fn runs(&self, blocks: Range<usize>, reach: &[usize]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        // The entry block has the variables.
        let mut first = 1;
        while first < self.blocks.len() {
            let end = self.longest(first, blocks.clone(), reach);
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
            // Without structure any block may be left to, such as the end of a long chain, and one is
            // the block behind the run.
            if far.len() >= MOST_EXITS {
                break;
            }
            if end >= least && end > first {
                best = Some(end);
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
        // only where control leaves to it; that its header dominates it, only if no other block jumps there.
        let mut merges = self.declared.get(end).into_iter().flatten();
        if merges.any(|it| it.header >= first) {
            let block = &self.blocks[end];
            let is_loop = block.instructions.iter().any(|it| is(it, Op::LoopMerge));
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
                let is_phi = is(instruction, Op::Phi);
                each_id(instruction, declared.context, &mut |role, at| {
                    if role != Role::Use {
                        return;
                    }
                    let Some(&(by, _)) = self.definitions.get(&instruction[at]) else { return };
                    let user = match instruction.get(at + 1) {
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
