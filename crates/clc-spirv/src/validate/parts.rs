//! Cuts a large module into parts that can be checked one after the other.
//!
//! The validator compares entry points with each other and keeps what it learns about every
//! instruction until its end: time and memory grow faster than the module. Functions that do not
//! call each other share nothing but types, constants and variables, so a part is some of them, with
//! the declarations they mention. Every instruction of the module is in at least one part; what is
//! said about the module as a whole (capabilities, scalar types) is in all of them.
//!
//! What an operand means is mostly not looked at: a word that equals the id of a declaration counts
//! as a mention of it. That can only make a part larger than needed.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use spirv::Op;

use super::cut::{self, Cut, Declared};
use super::declarations::Declarations;
use crate::read::ids::{Facts, Ids, result_position};
use crate::read::{self, HEADER_WORDS, Instructions, opcode as op};

/// When a module is worth splitting, and into what.
pub(super) struct Limits {
    /// Words of functions below which a part costs more to set up than it saves.
    pub small: usize,
    /// Blocks of a function from which on it is cut.
    pub many_blocks: usize,
    /// Blocks of a piece, at least; with fewer it costs more to set up than it saves.
    pub least_blocks: usize,
    /// Blocks of a piece, at most; more if there would be more than [`Limits::most_pieces`], each
    /// with a copy of the declarations, and then it is cut again.
    pub most_blocks: usize,
    pub most_pieces: usize,
}

impl Limits {
    pub const DEFAULT: Limits = Limits {
        small: 8 << 10,
        many_blocks: 128,
        least_blocks: 24,
        most_blocks: 100,
        most_pieces: 256,
    };

    /// As many and as small pieces as there can be.
    pub const LEAST: Limits =
        Limits { small: 1, many_blocks: 2, least_blocks: 2, most_blocks: 9, most_pieces: 1000 };
}

/// Ids in a module beyond which tables by id are not worth their memory.
const MOST_IDS: usize = 1 << 26;

/// Where a result id is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    Declarations,
    Part(u32),
}

struct Function<'a> {
    id: u32,
    words: &'a [u32],
}

/// The parts of a module, or `None` if it is small, hangs together, or is not what an emitter would
/// write; then it is checked as a whole.
pub(super) fn split(words: &[u32], limits: &Limits) -> Option<Vec<Vec<u32>>> {
    // A block has three words at least, a label and a branch.
    if words.len() < HEADER_WORDS.max(limits.small.min(3 * limits.many_blocks)) {
        return None;
    }
    let bound = words[3] as usize;
    let declared: usize = Instructions::of(words)
        .take_while(|instruction| op(instruction) != Op::Function as u32)
        .map(<[u32]>::len)
        .sum();
    let (declarations, bodies) = words.split_at(HEADER_WORDS + declared);
    if bound > MOST_IDS {
        return None;
    }
    let functions = functions(bodies)?;
    let cuts = cuts(words, declarations, &functions, limits);
    if words.len() < 2 * limits.small && cuts.iter().all(Option::is_none) {
        return None;
    }
    let (parts, whole) = assign(&functions, limits.small, bound);
    let pieces: usize = cuts.iter().flatten().map(|cut| cut.pieces.len()).sum();
    let count = whole + pieces;
    if count < 2 {
        return None;
    }
    let mut places = places(declarations, &functions, &parts, bound)?;
    // The function and the words of each part that is a piece.
    let mut apart: Vec<(u32, &[u32])> = Vec::with_capacity(pieces);
    let mut new_bound = bound as u32;
    for (function, cut) in functions.iter().zip(&cuts) {
        let Some(cut) = cut else { continue };
        new_bound = new_bound.max(cut.bound);
        for (piece, definitions) in cut.pieces.iter().zip(&cut.definitions) {
            for &id in definitions {
                *places.get_mut(id as usize)? = Place::Part((whole + apart.len()) as u32);
            }
            apart.push((function.id, piece));
        }
    }

    let place = |id: u32| places.get(id as usize).copied().unwrap_or(Place::Nowhere);
    let mut declared = Declarations::of(&declarations[HEADER_WORDS..], bound, |id| {
        place(id) == Place::Declarations
    });
    // What is about a function or about something in one goes where that is.
    let mut about: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (id, index) in declared.subjects() {
        match place(id) {
            Place::Part(part) => about[part as usize].push(index),
            Place::Nowhere => about[0].push(index),
            Place::Declarations => {}
        }
    }
    let mut members: Vec<Vec<&[u32]>> = vec![Vec::new(); whole];
    for ((function, cut), &part) in functions.iter().zip(&cuts).zip(&parts) {
        let words = cut.as_ref().map_or(function.words, |cut| cut.rest.as_slice());
        members[part as usize].push(words);
    }
    let mut modules = Vec::with_capacity(count);
    // The first part comes last: it also has what the others do not mention.
    for part in (0..count).rev() {
        let mut selection = declared.select();
        let bodies: Vec<&[u32]> = match apart.get(part.wrapping_sub(whole)) {
            Some(&(function, words)) => {
                declared.say_about(&mut selection, function);
                vec![words]
            }
            None => std::mem::take(&mut members[part]),
        };
        for &index in &about[part] {
            declared.say(&mut selection, index);
        }
        for body in &bodies {
            declared.mention(&mut selection, body);
        }
        if part == 0 {
            declared.take_the_rest(&mut selection);
        }
        let mut module = declarations[..HEADER_WORDS].to_vec();
        module[3] = new_bound;
        declared.write(selection, &mut module);
        for body in bodies {
            module.extend_from_slice(body);
        }
        modules.push(module);
    }
    Some(modules)
}

/// Long functions in pieces. Those that no entry point names stay whole, because a module without an
/// entry point is not valid, except for libraries.
fn cuts(
    words: &[u32],
    declarations: &[u32],
    functions: &[Function<'_>],
    limits: &Limits,
) -> Vec<Option<Cut>> {
    let is_long: Vec<bool> =
        functions.iter().map(|function| cut::is_long(function.words, limits)).collect();
    let none = || functions.iter().map(|_| None).collect();
    if !is_long.contains(&true) {
        return none();
    }
    let mut facts = Facts::default();
    let mut bool_type = None;
    let mut entries = FxHashSet::default();
    for instruction in Instructions::of(words) {
        // What cannot be read is for the validator to say.
        let Ok(op) = facts.read(instruction, &mut Ids::new()) else { return none() };
        if op == Op::TypeBool {
            bool_type = instruction.get(1).copied();
        }
    }
    for instruction in Instructions::of(declarations) {
        if let (Some(Op::EntryPoint), Some(&id)) = (read::op(instruction), instruction.get(2)) {
            entries.insert(id);
        }
    }
    let declared = Declared { context: &facts, bool_type };
    // What stands for the pieces of several functions may be in one part, so that ids differ.
    let mut bound = words[3];
    let mut cuts = Vec::with_capacity(functions.len());
    for (function, is_long) in functions.iter().zip(is_long) {
        let is_cut = is_long && entries.contains(&function.id);
        let cut = is_cut.then(|| cut::cut(function.words, bound, &declared, limits)).flatten();
        if let Some(cut) = &cut {
            bound = cut.bound;
        }
        cuts.push(cut);
    }
    cuts
}

/// The functions, each with what stands before it since the last one (`OpLine`).
fn functions(bodies: &[u32]) -> Option<Vec<Function<'_>>> {
    let mut functions = Vec::new();
    let (mut start, mut at, mut id) = (0, 0, None);
    for instruction in Instructions::in_words(bodies) {
        at += instruction.len();
        if op(instruction) == Op::Function as u32 {
            id = instruction.get(2).copied();
        } else if op(instruction) == Op::FunctionEnd as u32 {
            functions.push(Function { id: id.take()?, words: &bodies[start..at] });
            start = at;
        }
    }
    (start == bodies.len()).then_some(functions)
}

/// A part for each function, and how many parts there are. Functions that mention each other are in
/// one part; parts have `least` words or more, but for the last.
fn assign(functions: &[Function<'_>], least: usize, bound: usize) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let mut by_id = vec![NONE; bound];
    for (index, function) in functions.iter().enumerate() {
        if let Some(place) = by_id.get_mut(function.id as usize) {
            *place = index as u32;
        }
    }
    // A forest of functions that hang together; the first of them is the root.
    let mut parents: Vec<u32> = (0..functions.len() as u32).collect();
    fn root(parents: &mut [u32], mut node: u32) -> u32 {
        while parents[node as usize] != node {
            parents[node as usize] = parents[parents[node as usize] as usize];
            node = parents[node as usize];
        }
        node
    }
    for (index, function) in functions.iter().enumerate() {
        for &word in Instructions::in_words(function.words).flat_map(mentioned_functions) {
            match by_id.get(word as usize) {
                Some(&other) if other != NONE && other != index as u32 => {
                    let (a, b) = (root(&mut parents, index as u32), root(&mut parents, other));
                    parents[a.max(b) as usize] = a.min(b);
                }
                _ => {}
            }
        }
    }
    let mut sizes = vec![0usize; functions.len()];
    for (index, function) in functions.iter().enumerate() {
        sizes[root(&mut parents, index as u32) as usize] += function.words.len();
    }
    let (mut part, mut filled) = (0, 0);
    let mut parts = vec![0; functions.len()];
    for index in 0..functions.len() {
        let root = root(&mut parents, index as u32) as usize;
        if root == index {
            if filled >= least {
                (part, filled) = (part + 1, 0);
            }
            filled += sizes[index];
            parts[index] = part;
        } else {
            parts[index] = parts[root];
        }
    }
    (parts, part as usize + 1)
}

/// Where an instruction may name functions.
fn mentioned_functions(instruction: &[u32]) -> &[u32] {
    const CALL: u32 = Op::FunctionCall as u32;
    const OF_BLOCKS: &[Op] = &[
        Op::EnqueueKernel,
        Op::GetKernelNDrangeSubGroupCount,
        Op::GetKernelNDrangeMaxSubGroupSize,
        Op::GetKernelWorkGroupSize,
        Op::GetKernelPreferredWorkGroupSizeMultiple,
        Op::GetKernelLocalSizeForSubgroupCount,
        Op::GetKernelMaxNumSubgroups,
    ];
    let operands = match op(instruction) {
        CALL => instruction.get(3..4),
        opcode if OF_BLOCKS.iter().any(|&it| it as u32 == opcode) => instruction.get(3..),
        _ => None,
    };
    operands.unwrap_or_default()
}

/// Where each id is defined; `None` if one is defined twice or is out of bounds.
fn places(
    declarations: &[u32],
    functions: &[Function<'_>],
    parts: &[u32],
    bound: usize,
) -> Option<Vec<Place>> {
    let mut places = vec![Place::Nowhere; bound];
    let mut define = |instruction: &[u32], place| {
        if let Some(position) = result_position(op(instruction)) {
            let slot = places.get_mut(*instruction.get(position)? as usize)?;
            if *slot != Place::Nowhere {
                return None;
            }
            *slot = place;
        }
        Some(())
    };
    for instruction in Instructions::of(declarations) {
        define(instruction, Place::Declarations)?;
    }
    for (function, &part) in functions.iter().zip(parts) {
        for instruction in Instructions::in_words(function.words) {
            define(instruction, Place::Part(part))?;
        }
    }
    Some(places)
}
