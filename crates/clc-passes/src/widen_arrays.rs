//! Makes words of the bytes and shorts in small private arrays, for shaders, and compares and chooses among these words.
//!
//! ```text
//!                           A = zext a; B = zext b
//! c: i8 = UMin(a, b)   ->   C: i32 = UMin(A, B)
//! d: i8 = UMax(c, e)        E = zext e
//!                           D: i32 = UMax(C, E); d = trunc D
//! ```
//!
//! Elements of such arrays are in registers, of 32 bits, if anything is gained by them at all: where all loops that index
//! them are written out, and before these are. Arrays that something else indexes than what such loops count stay in memory, and
//! stay small, unless they have a few elements only. Compilers of Vulkan's drivers extend the operands and cut the result
//! of each instruction on bytes. What is chosen among extended bytes is extended, so that a chain between elements
//! needs neither. Functions without such arrays stay as they are: their bytes come from memory and go there, which extends and
//! cuts for nothing, and NVIDIA's compiler takes up to a tenth longer for what is extended by hand.

use clc_builtins::Intrinsic;
use clc_ir::rewrite::{self, Expansion};
use clc_ir::{
    Builder, CompareOp, ConvertOp, Function, Inst, InstData, InstKind, MemFlags, MemoryAccess,
    Type, TypeKind, TypePool, Value, ValueDef, ValueList,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::ModuleContext;
use crate::counted::Counters;
use crate::unroll_hints;

/// Widens the bytes and shorts in small private arrays of a function.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    let arrays = arrays(context, function);
    if arrays.is_empty() {
        return;
    }
    for &address in arrays.keys() {
        let Some(index) = address.as_local() else { continue };
        if let ValueDef::Inst(inst) = function.values[index].def
            && let InstKind::Variable { ty, .. } = function.insts[inst].kind
        {
            let ty = of_words(context.types, ty);
            function.insts[inst].kind = InstKind::Variable { ty, align: 4 };
            if let Some(debug) = &mut function.debug {
                // It is not there as the source has it.
                debug.memory.retain(|place| place.address != address);
            }
        }
        if let Some((pointee, class)) = context.types.pointer_parts(function.values[index].ty) {
            let pointee = of_words(context.types, pointee);
            function.values[index].ty = context.types.pointer(pointee, class);
        }
    }
    let mut wide = Wide { arrays, words: FxHashMap::default() };
    let types = &mut *context.types;
    rewrite::expand(types, context.consts, function, is_candidate, |builder, inst| {
        wide.expand(builder, inst).unwrap_or(Expansion::Keep)
    });
}

/// Whether an instruction may compare bytes, or extend one.
fn is_candidate(kind: &InstKind) -> bool {
    match kind {
        InstKind::Compare { .. } | InstKind::Select { .. } => true,
        InstKind::Load { .. } | InstKind::Store { .. } => true,
        InstKind::Convert { op, .. } => extension(*op).is_some(),
        InstKind::Intrinsic { intrinsic, .. } => chooses(*intrinsic).is_some(),
        _ => false,
    }
}

/// How bytes are extended that an intrinsic chooses among.
fn chooses(intrinsic: Intrinsic) -> Option<Extension> {
    match intrinsic {
        Intrinsic::UMin | Intrinsic::UMax | Intrinsic::UClamp => Some(Extension::Zero),
        Intrinsic::SMin | Intrinsic::SMax | Intrinsic::SClamp => Some(Extension::Sign),
        _ => None,
    }
}

fn extension(op: ConvertOp) -> Option<Extension> {
    match op {
        ConvertOp::ZeroExtend => Some(Extension::Zero),
        ConvertOp::SignExtend => Some(Extension::Sign),
        _ => None,
    }
}

/// How a word in private memory is accessed.
const WORD: MemoryAccess = MemoryAccess {
    align: 4,
    flags: MemFlags { volatile: false, nontemporal: false, typed: false, unwritten: false },
};

/// What the upper bits of a word are.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extension {
    Zero,
    Sign,
}

/// Elements of an array whose bytes or shorts become words.
const MAX_ELEMENTS: u64 = 160;

/// The same whatever indexes it: drivers choose among so few words, but keep bytes and shorts in memory. Measured on NVIDIA's.
const MAX_CHOICES: u64 = 10;

/// A type with words instead of bytes or shorts.
fn of_words(types: &mut TypePool, ty: Type) -> Type {
    match types.kind(ty) {
        TypeKind::Array(element, count) => {
            let element = of_words(types, element);
            types.array(element, count)
        }
        _ => TypePool::I32,
    }
}

/// The numbers in arrays of arrays of bytes or shorts.
fn count_parts(types: &TypePool, ty: Type) -> Option<u64> {
    match types.kind(ty) {
        TypeKind::Int(8 | 16) => Some(1),
        TypeKind::Array(element, count) => count_parts(types, element)?.checked_mul(count),
        _ => None,
    }
}

/// The private arrays that become arrays of words, and the addresses of their elements: with how the words
/// extend what is stored.
fn arrays(context: &mut ModuleContext<'_>, function: &Function) -> FxHashMap<Value, Extension> {
    let types = &*context.types;
    let entry = &function.blocks[function.entry()].insts;
    let arrays = entry.iter().filter_map(|&inst| match function.insts[inst] {
        InstData { kind: InstKind::Variable { ty, .. }, result, .. } => result
            .filter(|_| matches!(types.kind(ty), TypeKind::Array(..)))
            .filter(|_| count_parts(types, ty).is_some_and(|count| count <= MAX_ELEMENTS)),
        _ => None,
    });
    // By address: the array. By what is loaded of one: the array, too.
    let mut addresses: FxHashMap<Value, Value> = arrays.map(|array| (array, array)).collect();
    if addresses.is_empty() {
        return FxHashMap::default();
    }
    let is_small = |&array: &Value| match function.def_inst(array) {
        Some((_, InstData { kind: InstKind::Variable { ty, .. }, .. })) => {
            count_parts(types, *ty).is_some_and(|count| count <= MAX_CHOICES)
        }
        _ => false,
    };
    let small: FxHashSet<Value> = addresses.keys().copied().filter(is_small).collect();
    let counters = Counters::new(context, function, unroll_hints::MAX_TURNS);
    let types = &*context.types;
    let mut loaded: FxHashMap<Value, Value> = FxHashMap::default();
    let mut extensions: FxHashMap<Value, Extension> = FxHashMap::default();
    let mut others: FxHashSet<Value> = FxHashSet::default();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            let is_part = |pointer: Value| {
                let ty = pointer.as_local().map(|index| function.values[index].ty);
                let pointee = ty.and_then(|ty| types.pointer_parts(ty));
                pointee.is_some_and(|(of, _)| matches!(types.kind(of), TypeKind::Int(8 | 16)))
            };
            match data.kind {
                InstKind::Access { base, indices } => {
                    if let (Some(&array), Some(result)) = (addresses.get(&base), data.result) {
                        addresses.insert(result, array);
                        let mut indices = function.values_of(indices);
                        if !small.contains(&array)
                            && !indices.all(|index| counters.are_enough_for(function, index))
                        {
                            others.insert(array);
                        }
                    }
                    continue;
                }
                InstKind::Load { pointer, access }
                    if !access.flags.volatile && is_part(pointer) =>
                {
                    if let (Some(&array), Some(result)) = (addresses.get(&pointer), data.result) {
                        loaded.insert(result, array);
                    }
                    continue;
                }
                InstKind::Store { pointer, value, access }
                    if !access.flags.volatile && is_part(pointer) =>
                {
                    others.extend(addresses.get(&value));
                    continue;
                }
                _ => {}
            }
            let extension = extends(&data.kind);
            function.each_operand(inst, |operand| {
                others.extend(addresses.get(&operand));
                if let (Some(&array), Some(extension)) = (loaded.get(&operand), extension) {
                    let found = extensions.entry(array).or_insert(extension);
                    if extension == Extension::Sign {
                        *found = extension;
                    }
                }
            });
        }
        function.each_terminator_operand(block, |operand| others.extend(addresses.get(&operand)));
    }
    addresses.retain(|_, array| extensions.contains_key(array) && !others.contains(array));
    addresses.into_iter().map(|(address, array)| (address, extensions[&array])).collect()
}

/// How an instruction wants bytes to be extended.
fn extends(kind: &InstKind) -> Option<Extension> {
    match kind {
        InstKind::Compare { op, .. } => Some(compares(*op)),
        InstKind::Convert { op, .. } => extension(*op),
        InstKind::Intrinsic { intrinsic, .. } => chooses(*intrinsic),
        _ => None,
    }
}

/// How bytes are extended that are compared.
fn compares(op: CompareOp) -> Extension {
    match op {
        CompareOp::SLess
        | CompareOp::SLessEqual
        | CompareOp::SGreater
        | CompareOp::SGreaterEqual => Extension::Sign,
        _ => Extension::Zero,
    }
}

struct Wide {
    /// The words that have been computed so far, by the bytes that they extend.
    words: FxHashMap<(Value, Extension), Value>,
    /// The addresses of words that were bytes.
    arrays: FxHashMap<Value, Extension>,
}

impl Wide {
    fn expand(&mut self, builder: &mut Builder<'_>, inst: Inst) -> Option<Expansion> {
        let data = builder.function.insts[inst];
        if let InstKind::Store { pointer, value, .. } = data.kind {
            let extension = *self.arrays.get(&pointer)?;
            let word = self.word(builder, value, extension);
            builder.store(pointer, word, WORD);
            return Some(Expansion::Done);
        }
        let result = data.result?;
        match data.kind {
            InstKind::Load { pointer, .. } => {
                let extension = *self.arrays.get(&pointer)?;
                let word = builder.load(pointer, WORD);
                Some(self.cut(builder, result, word, extension))
            }
            InstKind::Compare { op, left, right } if is_byte(builder, left) => {
                let extension = match compares(op) {
                    Extension::Zero if matches!(op, CompareOp::Equal | CompareOp::NotEqual) => {
                        self.extension_of(&[left, right]).unwrap_or(Extension::Zero)
                    }
                    extension => extension,
                };
                let left = self.word(builder, left, extension);
                let right = self.word(builder, right, extension);
                Some(Expansion::Value(builder.compare(op, left, right)))
            }
            // Chosen as bytes, unless there are words to choose among.
            InstKind::Select { condition, then, otherwise } if is_byte(builder, result) => {
                let extension = self.extension_of(&[then, otherwise])?;
                let then = self.word(builder, then, extension);
                let otherwise = self.word(builder, otherwise, extension);
                let word = builder.select(condition, then, otherwise);
                Some(self.cut(builder, result, word, extension))
            }
            InstKind::Intrinsic { intrinsic, arguments } if is_byte(builder, result) => {
                let extension = chooses(intrinsic)?;
                let words = self.words(builder, arguments, extension);
                let ty = builder.ty(words[0]);
                let word = builder.intrinsic(intrinsic, &words, ty)?;
                Some(self.cut(builder, result, word, extension))
            }
            InstKind::Convert { op, operand, .. } => {
                let &word = self.words.get(&(operand, extension(op)?))?;
                let ty = builder.ty(result);
                match builder.types.scalar_bits(ty)? {
                    32 => Some(Expansion::Value(word)),
                    64 => Some(Expansion::Value(builder.convert(op, word, ty))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Which words there are of all of these that are no constants.
    fn extension_of(&self, bytes: &[Value]) -> Option<Extension> {
        [Extension::Zero, Extension::Sign].into_iter().find(|&extension| {
            let has_word = |&&byte: &&Value| self.words.contains_key(&(byte, extension));
            let variables = bytes.iter().filter(|byte| !byte.is_const());
            variables.clone().next().is_some() && variables.clone().all(|byte| has_word(&byte))
        })
    }

    fn words(
        &self,
        builder: &mut Builder<'_>,
        bytes: ValueList,
        extension: Extension,
    ) -> Vec<Value> {
        let bytes: Vec<Value> = builder.function.values_of(bytes).collect();
        bytes.into_iter().map(|byte| self.word(builder, byte, extension)).collect()
    }

    /// The word that extends a byte: a new one if none has been computed, which is not noted, because it does
    /// not come before all the uses of the byte.
    fn word(&self, builder: &mut Builder<'_>, byte: Value, extension: Extension) -> Value {
        if let Some(&word) = self.words.get(&(byte, extension)) {
            return word;
        }
        let ty = builder.ty(byte);
        let ty = builder.types.with_scalar(ty, TypePool::I32);
        let op = match extension {
            Extension::Zero => ConvertOp::ZeroExtend,
            Extension::Sign => ConvertOp::SignExtend,
        };
        builder.convert(op, byte, ty)
    }

    /// The byte of a word, which extends it.
    fn cut(
        &mut self,
        builder: &mut Builder<'_>,
        byte: Value,
        word: Value,
        extension: Extension,
    ) -> Expansion {
        self.words.insert((byte, extension), word);
        let ty = builder.ty(byte);
        Expansion::Value(builder.convert(ConvertOp::Truncate, word, ty))
    }
}

fn is_byte(builder: &Builder<'_>, value: Value) -> bool {
    builder.types.scalar_bits(builder.ty(value)) == Some(8)
}
