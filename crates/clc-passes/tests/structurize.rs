//! Random control flow, irreducible too, keeps its behaviour when it is structured, and ends up
//! structured. `SEEDS=100000 cargo test --release -p clc-passes --test structurize` is the long
//! run; `FIRST=n` starts at another seed.

#[path = "common/interpreter.rs"]
mod interpreter;

use std::fmt::Write;

use clc_base::Version;
use clc_ir::{
    BinaryOp, Block, BlockCall, Builder, Cfg, CompareOp, Dominators, FuncId, Function, Linkage,
    MemoryAccess, Module, StorageClass, SwitchCase, Terminator, TypePool, Value,
};
use clc_passes::{OptLevel, PassOptions, pipeline};
use interpreter::{Datum, Interpreter, Memory, Stop};

struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1357_9bdf_0246_8ace)
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % u64::from(bound)) as u32
    }
}

const ACCESS: MemoryAccess = MemoryAccess::aligned(4);

/// Entries of the trace; the first element counts them.
const TRACE: u64 = 120;

/// `void f(ptr(crossworkgroup, i32) trace, i32 input)`. Each block writes its number and a value
/// to the trace and decides by a value that changes with each block. Values flow through
/// parameters and from dominators.
fn structure(module: &mut Module) {
    let mut unobserved = ();
    let mut options = PassOptions::new(OptLevel::O0, &mut unobserved);
    pipeline::structure(module, &mut options).expect("the pass keeps it good");
}

fn module(seed: u64) -> Module {
    let mut random = Random::new(seed);
    let mut module = Module::new(8, Version::V1_2);
    let pointer = module.types.pointer(TypePool::I32, StorageClass::CrossWorkgroup);
    let mut function = Function::new("f", TypePool::VOID);
    function.linkage = Linkage::Export;
    function.params = vec![pointer, TypePool::I32];
    let most = if random.below(8) == 0 { 60 } else { 14 };
    let count = 2 + random.below(most);
    let blocks: Vec<Block> = (0..count).map(|_| function.add_block()).collect();
    let trace = function.add_block_param(blocks[0], pointer);
    let input = function.add_block_param(blocks[0], TypePool::I32);
    // Where edges tend to go: near ahead gives structured shapes, anywhere gives knots.
    let habit = random.below(3);
    let mut params: Vec<Vec<Value>> = vec![Vec::new(); count as usize];
    for (index, &block) in blocks.iter().enumerate().skip(1) {
        for _ in 0..random.below(3) {
            let ty = if random.below(4) == 0 { TypePool::BOOL } else { TypePool::I32 };
            params[index].push(function.add_block_param(block, ty));
        }
    }
    // Edges first, so that dominators are known when values are chosen.
    let pick = |random: &mut Random, from: u32| -> Block {
        let to = match habit {
            0 if random.below(5) > 0 => (from + 1 + random.below(4)).min(count - 1),
            1 if random.below(3) > 0 => (from + 1 + random.below(3)).min(count - 1),
            _ => 1 + random.below(count - 1),
        };
        blocks[to.max(1) as usize]
    };
    let nowhere = |block| BlockCall { block, arguments: Default::default() };
    for index in 0..count {
        let block = blocks[index as usize];
        let placeholder = Value::from_local(1);
        function.blocks[block].terminator = match random.below(12) {
            0 if index + 1 == count || random.below(2) == 0 => Terminator::Return(None),
            0..=3 => Terminator::Jump(nowhere(pick(&mut random, index))),
            4..=9 => Terminator::Branch {
                condition: placeholder,
                then: nowhere(pick(&mut random, index)),
                otherwise: nowhere(pick(&mut random, index)),
            },
            _ => {
                let mut cases = Vec::new();
                for value in 0..1 + random.below(5) {
                    let target = nowhere(pick(&mut random, index));
                    cases.push(SwitchCase { value: u64::from(value), target });
                }
                Terminator::Switch {
                    selector: placeholder,
                    default: nowhere(pick(&mut random, index)),
                    cases,
                }
            }
        };
    }
    let cfg = Cfg::new(&function);
    let dominators = Dominators::new(&cfg);
    let mut visible: Vec<Vec<Value>> = vec![Vec::new(); count as usize];
    let mut bools: Vec<Vec<Value>> = vec![Vec::new(); count as usize];
    for &block in dominators.preorder() {
        let index = block.0 as usize;
        let mut mine = match dominators.immediate_dominator(block) {
            Some(above) => visible[above.0 as usize].clone(),
            None => vec![input],
        };
        let mut truths = match dominators.immediate_dominator(block) {
            Some(above) => bools[above.0 as usize].clone(),
            None => Vec::new(),
        };
        for &param in &params[index] {
            let is_bool = function.values[param.as_local().expect("local")].ty == TypePool::BOOL;
            if is_bool { truths.push(param) } else { mine.push(param) }
        }
        let mut terminator = std::mem::take(&mut function.blocks[block].terminator);
        let mut b = Builder::new(&mut module.types, &mut module.consts, &mut function, block);
        let empty = random.below(4) == 0 && index > 0;
        let mut chosen = mine[random.below(mine.len() as u32) as usize];
        if !empty {
            let at = b.load(trace, ACCESS);
            let one = b.i32(1);
            let next = b.binary(BinaryOp::IAdd, at, one);
            b.store(trace, next, ACCESS);
            let place = b.ptr_add(trace, next);
            let hash = b.i32(0x9e37 + index as i32);
            let value = b.binary(BinaryOp::IMul, chosen, hash);
            let value = b.binary(BinaryOp::IAdd, value, at);
            let mut value = b.binary(BinaryOp::Xor, value, hash);
            if let Some(&truth) = truths.last() {
                let other = b.unary(clc_ir::UnaryOp::Not, value);
                value = b.select(truth, value, other);
            }
            b.store(place, value, ACCESS);
            mine.push(value);
            chosen = value;
        }
        let shift = b.i32(3 + random.below(5) as i32);
        let bits = b.binary(BinaryOp::LShr, chosen, shift);
        if let Some(operand) = terminator.operand_mut() {
            *operand = bits;
        }
        match &mut terminator {
            Terminator::Branch { condition, .. } => {
                let one = b.i32(1);
                let bit = b.binary(BinaryOp::And, bits, one);
                let zero = b.i32(0);
                *condition = b.compare(CompareOp::NotEqual, bit, zero);
                truths.push(*condition);
            }
            Terminator::Switch { selector, .. } => {
                let seven = b.i32(7);
                *selector = b.binary(BinaryOp::And, bits, seven);
            }
            _ => {}
        }
        for target in terminator.targets_mut() {
            let arguments: Vec<Value> = params[target.block.0 as usize]
                .iter()
                .map(|param| {
                    let is_bool =
                        b.function.values[param.as_local().expect("local")].ty == TypePool::BOOL;
                    if !is_bool {
                        mine[random.below(mine.len() as u32) as usize]
                    } else if truths.is_empty() {
                        b.bool(random.below(2) == 0)
                    } else {
                        truths[random.below(truths.len() as u32) as usize]
                    }
                })
                .collect();
            target.arguments = b.function.list(&arguments);
        }
        function.blocks[block].terminator = terminator;
        visible[index] = mine;
        bools[index] = truths;
    }
    function.layout = cfg.reverse_post_order().to_vec();
    module.functions.push(function);
    module
}

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

/// How a run ended, and its trace. A run that fills the trace ends there.
fn run(module: &Module, input: u64, fuel: u64) -> (Result<Option<Datum>, Stop>, Vec<u8>) {
    let mut memory = Memory::default();
    let trace = memory.object(vec![0; 4 * TRACE as usize]);
    let mut interpreter = Interpreter::new(module, memory, fuel).expect("no globals");
    let end = interpreter.call(FuncId(0), vec![Datum::Bits(trace), Datum::Bits(input)]);
    (end, interpreter.memory.objects[0].clone())
}

const INPUTS: [u64; 4] = [0, 1, 0x5eed_1234, 0xffff_fff7];

fn is_irreducible(function: &Function) -> bool {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    cfg.reverse_post_order().iter().any(|&from| {
        cfg.successors(from)
            .any(|to| cfg.position(to) <= cfg.position(from) && !dominators.dominates(to, from))
    })
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_graphs_keep_their_behaviour() {
    let (first, seeds) = (number("FIRST", 0), number("SEEDS", 1_500));
    let (mut irreducible, mut ended, mut runs, mut grown) = (0u64, 0u64, 0u64, 0.0f64);
    for seed in first..first + seeds {
        let mut module = module(seed);
        let before = text(&module);
        clc_ir::verify::module(&module)
            .unwrap_or_else(|error| panic!("seed {seed} is broken: {error}\n{before}"));
        irreducible += u64::from(is_irreducible(&module.functions[FuncId(0)]));
        let expected: Vec<_> = INPUTS.iter().map(|&input| run(&module, input, 4_000)).collect();
        let size = |module: &Module| {
            let function = &module.functions[FuncId(0)];
            let edges = |&block: &Block| function.blocks[block].terminator.targets().count();
            function.layout.len() + function.layout.iter().map(edges).sum::<usize>()
        };
        let small = size(&module);
        structure(&mut module);
        let fail = |what: &str| {
            panic!("seed {seed}: {what}\nbefore:\n{before}\nafter:\n{}", text(&module))
        };
        if let Err(error) = clc_ir::verify::module(&module) {
            fail(&error.to_string());
        }
        let growth = size(&module) as f64 / small as f64;
        if growth > 12.0 {
            fail(&format!("grew {growth} times"));
        }
        grown += growth;
        for (&input, (end, trace)) in INPUTS.iter().zip(&expected) {
            let fuel = *end == Err(Stop::OutOfFuel);
            let (found, found_trace) = run(&module, input, if fuel { 60_000 } else { 200_000 });
            runs += 1;
            ended += u64::from(!fuel);
            // A run without an end is compared as far as it came.
            let len = u32::from_le_bytes([trace[0], trace[1], trace[2], trace[3]]) as usize;
            let same = match fuel {
                true => found_trace[4..4 + 4 * len] == trace[4..4 + 4 * len],
                false => found_trace == *trace && found == *end,
            };
            if !same {
                let mut message = format!("input {input}: {end:?}, {found:?}");
                let _ = write!(message, "\nexpected {trace:?}\nfound    {found_trace:?}");
                fail(&message);
            }
        }
    }
    if seeds >= 1_000 {
        assert!(irreducible > seeds / 20, "only {irreducible} of {seeds} are irreducible");
        assert!(ended > runs / 4, "only {ended} of {runs} runs end");
    }
    println!(
        "{seeds} graphs, {irreducible} irreducible; {ended} of {runs} runs end or fill the trace; \
         {:.2} times the size",
        grown / seeds as f64
    );
}

/// SPIR-V lets constructs nest 1,023 deep; a long row of jumps to one label must not need it, even
/// with other joins on the way.
#[test]
fn a_row_of_jumps_to_one_label_nests_once() {
    let mut module = Module::new(8, Version::V1_2);
    let pointer = module.types.pointer(TypePool::I32, StorageClass::CrossWorkgroup);
    let mut function = Function::new("f", TypePool::VOID);
    function.linkage = Linkage::Export;
    function.params = vec![pointer];
    let entry = function.add_block();
    let buffer = function.add_block_param(entry, pointer);
    let out = function.add_block();
    let code = function.add_block_param(out, TypePool::I32);
    let mut b = Builder::new(&mut module.types, &mut module.consts, &mut function, entry);
    for index in 0..2_000 {
        let (then, next, join) = (b.new_block(), b.new_block(), b.new_block());
        let number = b.i32(index);
        let value = b.load(buffer, ACCESS);
        let condition = b.compare(CompareOp::SLess, value, number);
        b.branch(condition, then, join);
        b.switch_to(then);
        let value = b.load(buffer, ACCESS);
        let condition = b.compare(CompareOp::SGreater, value, number);
        let leave = b.call_block(out, &[number]);
        let stay = b.call_block(next, &[]);
        b.terminate(Terminator::Branch { condition, then: leave, otherwise: stay });
        b.switch_to(next);
        b.store(buffer, number, ACCESS);
        b.jump(join, &[]);
        b.switch_to(join);
    }
    let number = b.i32(-1);
    b.jump(out, &[number]);
    b.switch_to(out);
    b.store(buffer, code, ACCESS);
    b.ret(None);
    b.finish();
    module.functions.push(function);
    clc_ir::verify::module(&module).expect("the test makes a good module");
    structure(&mut module);
    clc_ir::verify::module(&module).expect("the pass keeps it good");
    let depth = clc_ir::structured::nesting_depth(&module.functions[FuncId(0)]);
    assert!(depth < 100, "constructs nest {depth} deep");
}
