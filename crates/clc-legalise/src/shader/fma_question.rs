//! Asks the device whether its `Fma` rounds once, when a kernel runs, where no profile says so.
//!
//! GLSL.std.450's `Fma` may be a product and a sum, each of them rounded, and without it OpenCL C's `fma`, and quotients and
//! roots of `double`, take many times as long. Devices either have the instruction for all operands or for none, so that
//! one product tells which, whose operands no compiler knows:
//!
//! ```text
//! rounds once(a * a - rounded(a * a))? body, by Fma : body, by sums and products
//! ```
//!
//! Where less depends on it, the functions of the library are told the answer, and each of them decides.
//!
//! The square of a number with a one among the upper bits and another among the lower half is never exact, whatever the
//! bits are between which the number of the work-group is written to: what is left of it is zero only where the product
//! was rounded before the difference.

use clc_base::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    BinaryOp, Block, Builder, Cfg, CompareOp, ConvertOp, Dominators, Function, Inst, InstKind,
    Module, Terminator, TypePool, UnaryOp, Value,
};
use clc_passes::copies;
use clc_passes::vector_loads::{MAX_DEPTH, TURNS};
use rustc_hash::FxHashSet;

/// Instructions of a function that is written twice.
const MAX_SIZE: usize = 4096;

/// How many instructions must be saved, in what part of all, and for a second body: with less, these are not worth their
/// size.
const MIN_SAVED: u64 = 1_000;
const MIN_PERCENT: u64 = 20;
const MIN_PERCENT_TWICE: u64 = 60;

/// What an instruction takes, in instructions.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) all: u64,
    /// What of it is saved where `Fma` rounds once.
    pub(super) saved: u64,
    /// The width of its numbers.
    pub(super) bits: Option<u8>,
}

/// How a function that asks goes on.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    /// It is written twice. The blocks that control comes to where `Fma` rounds once, and the one that asks, whose `Fma` is
    /// the device's, too.
    Twice(FxHashSet<Block>),
    /// It passes the answers on.
    Once(Answers),
}

/// Whether `Fma` rounds once, by the width of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Answers {
    single: Option<Answer>,
    double: Option<Answer>,
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    rounds_once: Value,
    /// What the device's `Fma` gives, which the answer is computed from.
    left: Value,
}

impl Answers {
    pub(super) fn of(&self, bits: u8) -> Option<Value> {
        match bits {
            32 => Some(self.single?.rounds_once),
            64 => Some(self.double?.rounds_once),
            _ => None,
        }
    }

    /// Whether a value is what the device's `Fma` gives, whose way is not to be asked for.
    pub(super) fn is_asked_for(&self, value: Value) -> bool {
        [self.single, self.double].into_iter().flatten().any(|answer| answer.left == value)
    }
}

/// Has a function ask if enough of what it does, as `cost` says, depends on how `Fma` rounds.
pub(super) fn ask(
    module: &mut Module,
    function: &mut Function,
    cost: impl Fn(&Module, &Function, Inst) -> Cost,
) -> Option<Asked> {
    let size: usize = function.layout.iter().map(|&block| function.blocks[block].insts.len()).sum();
    let cfg = Cfg::new(function);
    let depths = Dominators::new(&cfg).loops_around(&cfg);
    let (mut all, mut saved, mut singles, mut doubles) = (0, 0, false, false);
    for &block in &function.layout {
        let turns = TURNS.pow(depths[block.index()].min(MAX_DEPTH));
        for &inst in &function.blocks[block].insts {
            let cost = cost(module, function, inst);
            all += turns * cost.all;
            if cost.saved > 0 {
                saved += turns * cost.saved;
                singles |= cost.bits == Some(32);
                doubles |= cost.bits == Some(64);
            }
        }
    }
    if saved < MIN_SAVED || 100 * saved < MIN_PERCENT * all || !(singles || doubles) {
        return None;
    }
    if size > MAX_SIZE || 100 * saved < MIN_PERCENT_TWICE * all {
        return Some(Asked::Once(answers(module, function, singles, doubles, true)));
    }
    let mut by_device: FxHashSet<Block> = function.layout.iter().copied().collect();
    let (entry, first, copy) = copies::twice(function, &cfg);
    let Answers { single, double } = answers(module, function, singles, doubles, false);
    let location = function.blocks[first.block].location;
    let mut builder = Builder::new(&mut module.types, &mut module.consts, function, entry);
    builder.location = location;
    let condition = match (single, double) {
        (Some(one), Some(other)) => {
            builder.binary(BinaryOp::And, one.rounds_once, other.rounds_once)
        }
        (one, other) => one.or(other)?.rounds_once,
    };
    builder.terminate(Terminator::Branch { condition, then: first, otherwise: copy });
    builder.finish();
    by_device.insert(entry);
    Some(Asked::Twice(by_device))
}

/// Asks in the entry of a function, behind its variables; for answers that are passed on, as `int`.
fn answers(
    module: &mut Module,
    function: &mut Function,
    singles: bool,
    doubles: bool,
    as_int: bool,
) -> Answers {
    let entry = function.entry();
    let mut insts = std::mem::take(&mut function.blocks[entry].insts);
    let terminator = std::mem::take(&mut function.blocks[entry].terminator);
    let is_variable = |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
    let rest = insts.split_off(insts.iter().take_while(|inst| is_variable(inst)).count());
    function.blocks[entry].insts = insts;
    let mut builder = Builder::new(&mut module.types, &mut module.consts, function, entry);
    let mut answer = |bits| {
        let mut answer = rounds_once(&mut builder, bits);
        if as_int {
            let [one, zero] = [1, 0].map(|number| builder.i32(number));
            answer.rounds_once = builder.select(answer.rounds_once, one, zero);
        }
        answer
    };
    let (single, double) = (singles.then(|| answer(32)), doubles.then(|| answer(64)));
    function.blocks[entry].insts.extend(rest);
    function.blocks[entry].terminator = terminator;
    Answers { single, double }
}

/// Whether what is left of a square is not lost, of numbers of so many bits.
fn rounds_once(builder: &mut Builder<'_>, bits: u8) -> Answer {
    // Ones whose squares need more bits than there are, and the bits that may be anything.
    let (int, float, ones, mask) = match bits {
        32 => (TypePool::I32, TypePool::F32, 0x3f80_0800, 0x7ff),
        _ => (TypePool::I64, TypePool::F64, 0x3ff0_0000_0010_0000, 0xf_ffff),
    };
    let dimension = builder.int(TypePool::I32, 0);
    let group = builder.intrinsic(Intrinsic::GetGroupId, &[dimension], TypePool::I64);
    let mut group = group.expect("it gives a number");
    if int != TypePool::I64 {
        group = builder.convert(ConvertOp::Truncate, group, int);
    }
    let [ones, mask] = [ones, mask].map(|bits| builder.int(int, bits));
    let low = builder.binary(BinaryOp::And, group, mask);
    let number = builder.binary(BinaryOp::Or, low, ones);
    let number = builder.bitcast(number, float);
    let square = builder.binary(BinaryOp::FMul, number, number);
    let square = builder.unary(UnaryOp::FNeg, square);
    let left = builder.intrinsic(Intrinsic::Fma, &[number, number, square], float);
    let left = left.expect("it gives a number");
    let zero = builder.zero(float);
    Answer { rounds_once: builder.compare(CompareOp::FNotEqual, left, zero), left }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether something is left of the squares of all numbers that may be asked about.
    #[test]
    fn no_square_is_exact() {
        for low in 0..=0x7ff_u32 {
            let number = f32::from_bits(low | 0x3f80_0800);
            assert_ne!(number.mul_add(number, -(number * number)), 0.0, "{low:x}");
        }
        for low in 0..=0xf_ffff_u64 {
            let number = f64::from_bits(low | 0x3ff0_0000_0010_0000);
            assert_ne!(number.mul_add(number, -(number * number)), 0.0, "{low:x}");
        }
    }

    fn asked(body: &str) -> (Module, Option<Asked>) {
        let text = format!("module ptr64\nfunction f0 \"f\"(f32, i32) f32 {{\n{body}}}\n");
        let mut module = clc_ir::parse::module(&text).expect("the text is right");
        let id = module.functions.ids().next().expect("there is one");
        let empty = Function::new(String::new(), TypePool::VOID);
        let mut function = std::mem::replace(&mut module.functions[id], empty);
        let asked = ask(&mut module, &mut function, |_, function, inst| {
            let kind = &function.insts[inst].kind;
            let is_fma = matches!(kind, InstKind::Intrinsic { intrinsic: Intrinsic::Fma, .. });
            Cost { all: 1, saved: if is_fma { 300 } else { 0 }, bits: Some(32) }
        });
        module.functions[id] = function;
        clc_ir::verify::module(&module).expect("it is right");
        (module, asked)
    }

    #[test]
    fn loops_are_written_twice() {
        let (module, asked) = asked(
            "b0(v0: f32, v1: i32):\n  jump b1(v0, i32 0)\n\
             b1(v2: f32, v3: i32):\n  v4: f32 = intrinsic Fma(v2, v0, v0)\n  \
             v5: i32 = iadd v3, i32 1\n  v6: bool = slt v5, v1\n  branch v6, b1(v4, v5), b2\n\
             b2:\n  return v4\n",
        );
        let function = module.functions.values().next().expect("there is one");
        let Some(Asked::Twice(blocks)) = asked else { panic!("it is written once") };
        // Each block twice, and the question.
        assert_eq!((blocks.len(), function.layout.len()), (4, 7));
        let is_fma = |inst: &Inst| {
            let kind = &function.insts[*inst].kind;
            matches!(kind, InstKind::Intrinsic { intrinsic: Intrinsic::Fma, .. })
        };
        let count =
            |block: Block| function.blocks[block].insts.iter().filter(|i| is_fma(i)).count();
        let inside: usize = blocks.iter().map(|&block| count(block)).sum();
        let all: usize = function.layout.iter().map(|&block| count(block)).sum();
        // What asks must not be computed in another way.
        assert_eq!((inside, all), (2, 3));
    }

    #[test]
    fn one_operation_is_no_reason() {
        let (module, asked) =
            asked("b0(v0: f32, v1: i32):\n  v2: f32 = intrinsic Fma(v0, v0, v0)\n  return v2\n");
        let function = module.functions.values().next().expect("there is one");
        assert!(asked.is_none() && function.layout.len() == 1);
    }
}
