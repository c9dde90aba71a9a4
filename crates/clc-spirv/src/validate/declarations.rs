//! The declarations of a module, so that each part of it takes those it mentions.
//!
//! A part costs as much as it holds, however many declarations there are: both grow with a module.

use spirv::Op;

use crate::read::{Instructions, is, op};

/// What a declaration is to a part.
#[derive(Clone, Copy)]
enum Kind {
    /// In the parts that mention this id, which it declares.
    Mentioned(u32),
    /// In the parts that have this id, of which it says something.
    About(u32),
    /// In every part, with what it mentions.
    Always,
}

pub(super) struct Declarations<'a> {
    instructions: Vec<(&'a [u32], Kind)>,
    /// By id: the instruction that declares it, if only some parts have that, or [`NONE`].
    by_id: Vec<u32>,
    /// Ids and the instructions about them, in order.
    about: Vec<(u32, u32)>,
    always: Vec<u32>,
    /// Whether a part has taken an instruction.
    taken: Vec<bool>,
    /// Whether a part has it as it is.
    written: Vec<bool>,
    /// By instruction: the number of the [`Selection`] that has it.
    selected: Vec<u32>,
    selections: u32,
}

const NONE: u32 = u32::MAX;

/// Declarations for one part, from [`Declarations::select`] on.
#[derive(Default)]
pub(super) struct Selection {
    indices: Vec<u32>,
    /// What of `indices` has not been looked at for what it mentions.
    looked_at: usize,
}

impl<'a> Declarations<'a> {
    /// Those in `words`, one instruction after the other, of a module with ids below `bound`.
    /// `is_declared` says of an id whether one of them declares it.
    pub(super) fn of(
        words: &'a [u32],
        bound: usize,
        is_declared: impl Fn(u32) -> bool,
    ) -> Declarations<'a> {
        let mut all = Declarations {
            instructions: Vec::new(),
            by_id: vec![NONE; bound],
            about: Vec::new(),
            always: Vec::new(),
            taken: Vec::new(),
            written: Vec::new(),
            selected: Vec::new(),
            selections: 0,
        };
        for instruction in Instructions::in_words(words) {
            let index = all.instructions.len() as u32;
            let kind = kind(instruction);
            match kind {
                Kind::Mentioned(id) => {
                    if let Some(slot) = all.by_id.get_mut(id as usize) {
                        *slot = index;
                    }
                }
                Kind::About(id) => all.about.push((id, index)),
                Kind::Always => all.always.push(index),
            }
            all.instructions.push((instruction, kind));
        }
        let Declarations { about, by_id, always, .. } = &mut all;
        about.retain(|&(id, index)| {
            let is_everywhere = is_declared(id) && by_id.get(id as usize) == Some(&NONE);
            if is_everywhere {
                always.push(index);
            }
            !is_everywhere
        });
        about.sort_unstable();
        all.taken = vec![false; all.instructions.len()];
        all.written = all.taken.clone();
        all.selected = vec![0; all.instructions.len()];
        all
    }

    /// Every id that something is said about, with the place of that for [`Declarations::say`].
    pub(super) fn subjects(&self) -> impl Iterator<Item = (u32, u32)> {
        self.about.iter().copied()
    }

    /// Begins a selection with what every part has.
    pub(super) fn select(&mut self) -> Selection {
        self.selections += 1;
        let mut selection = Selection::default();
        for place in 0..self.always.len() {
            self.add(&mut selection, self.always[place]);
        }
        for place in 0..self.always.len() {
            let index = self.always[place];
            let (instruction, _) = self.instructions[index as usize];
            // Structs mention such pointers before they are declared.
            let is_forward = is(instruction, Op::TypeForwardPointer);
            let before = if is_forward { NONE } else { index };
            self.mention_before(&mut selection, &instruction[1..], before);
        }
        selection
    }

    /// Adds what `words` of the part mention.
    pub(super) fn mention(&mut self, selection: &mut Selection, words: &[u32]) {
        self.mention_before(selection, words, NONE);
    }

    /// Adds what is said about an id that the part has.
    pub(super) fn say_about(&mut self, selection: &mut Selection, id: u32) {
        let from = self.about.partition_point(|&(of, _)| of < id);
        for place in from.. {
            match self.about.get(place) {
                Some(&(of, index)) if of == id => self.say(selection, index),
                _ => break,
            }
        }
    }

    /// Adds one of [`Declarations::subjects`], with what it mentions.
    pub(super) fn say(&mut self, selection: &mut Selection, index: u32) {
        self.add(selection, index);
        let (instruction, _) = self.instructions[index as usize];
        if names_ids(instruction) {
            self.mention(selection, instruction);
        }
    }

    /// Adds what no part has taken.
    pub(super) fn take_the_rest(&mut self, selection: &mut Selection) {
        for index in (0..self.instructions.len() as u32).rev() {
            let (_, kind) = self.instructions[index as usize];
            if matches!(kind, Kind::Mentioned(_)) && !self.taken[index as usize] {
                self.add(selection, index);
            }
        }
    }

    /// Adds what the selection's declarations mention, and appends all to `module` in their order.
    pub(super) fn write(&mut self, mut selection: Selection, module: &mut Vec<u32>) {
        while let Some(&index) = selection.indices.get(selection.looked_at) {
            selection.looked_at += 1;
            if let (instruction, Kind::Mentioned(id)) = self.instructions[index as usize] {
                // Debug information may name what comes later.
                let before = if is(instruction, Op::ExtInst) { NONE } else { index };
                self.mention_before(&mut selection, &instruction[1..], before);
                self.say_about(&mut selection, id);
            }
        }
        selection.indices.sort_unstable();
        for &index in &selection.indices {
            let (instruction, _) = self.instructions[index as usize];
            let was_written = std::mem::replace(&mut self.written[index as usize], true);
            match instruction {
                // What a text says is checked once, and may be the source, which what debuggers are told leads to.
                &[_, id, _, _, ..] if was_written && is(instruction, Op::String) => {
                    module.extend([3 << 16 | Op::String as u32, id, 0]);
                }
                _ => module.extend_from_slice(instruction),
            }
        }
    }

    /// What is mentioned comes before what mentions it: other numbers only look like mentions.
    fn mention_before(&mut self, selection: &mut Selection, words: &[u32], before: u32) {
        for &word in words {
            match self.by_id.get(word as usize) {
                Some(&index) if index < before => self.add(selection, index),
                _ => {}
            }
        }
    }

    fn add(&mut self, selection: &mut Selection, index: u32) {
        let slot = &mut self.selected[index as usize];
        if *slot != self.selections {
            *slot = self.selections;
            self.taken[index as usize] = true;
            selection.indices.push(index);
        }
    }
}

fn kind(instruction: &[u32]) -> Kind {
    let word = |place: usize| instruction.get(place).copied();
    let kind = match op(instruction) {
        Some(Op::Variable | Op::ExtInst) => word(2).map(Kind::Mentioned),
        Some(Op::String) => word(1).map(Kind::Mentioned),
        Some(op) if is_constant(op) => word(2).map(Kind::Mentioned),
        Some(op) if is_type(op) => word(1).map(Kind::Mentioned),
        Some(Op::EntryPoint) => word(2).map(Kind::About),
        Some(
            Op::Name
            | Op::MemberName
            | Op::ExecutionMode
            | Op::ExecutionModeId
            | Op::Decorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorate
            | Op::MemberDecorateString,
        ) => word(1).map(Kind::About),
        _ => None,
    };
    kind.unwrap_or(Kind::Always)
}

/// Whether what is said about an id names other ids.
fn names_ids(instruction: &[u32]) -> bool {
    matches!(op(instruction), Some(Op::EntryPoint | Op::ExecutionModeId | Op::DecorateId))
}

/// The types that modules may have many of.
fn is_type(op: Op) -> bool {
    matches!(
        op,
        Op::TypeVector | Op::TypeArray | Op::TypeStruct | Op::TypePointer | Op::TypeFunction
    )
}

fn is_constant(op: Op) -> bool {
    matches!(
        op,
        Op::Undef
            | Op::ConstantTrue
            | Op::ConstantFalse
            | Op::Constant
            | Op::ConstantComposite
            | Op::ConstantSampler
            | Op::ConstantNull
            | Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstant
            | Op::SpecConstantComposite
            | Op::SpecConstantOp
    )
}
