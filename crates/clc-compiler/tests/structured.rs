//! Random control flow, structured and written as a shader, passes the validator for Vulkan 1.3.
//!
//! `SEEDS=20000 cargo test -p clc-compiler --test structured` is a longer run.

use clc_base::{Diagnostic, SourceMap, Version};
use clc_ir::{
    BinaryOp, Block, BlockCall, Builder, CompareOp, EntryPoint, Function, MemoryAccess, Module,
    SwitchCase, Terminator, TypePool,
};
use clc_legalise::{Environment, TargetOptions};
use clc_passes::{OptLevel, PassOptions};

const ACCESS: MemoryAccess = MemoryAccess::aligned(4);

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % u64::from(bound)) as u32
    }
}

/// A kernel without arguments whose blocks change and test a private variable, and pass a value on.
fn module(seed: u64) -> Module {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2468_ace0_1357_9bdf);
    let mut module = Module::new(8, Version::V1_2);
    let mut function = Function::new("k", TypePool::VOID);
    function.entry_point = Some(Box::new(EntryPoint {
        name: "k".into(),
        reqd_work_group_size: Some([64, 1, 1]),
        ..EntryPoint::default()
    }));
    let most = if random.below(10) == 0 { 60 } else { 14 };
    let count = 2 + random.below(most);
    let blocks: Vec<Block> = (0..count).map(|_| function.add_block()).collect();
    for &block in &blocks[1..] {
        if random.below(3) == 0 {
            function.add_block_param(block, TypePool::I32);
        }
    }
    let habit = random.below(3);
    let Module { types, consts, .. } = &mut module;
    let mut b = Builder::new(types, consts, &mut function, blocks[0]);
    let state = b.variable(TypePool::I32, 4);
    for (index, &block) in blocks.iter().enumerate() {
        b.switch_to(block);
        let old = b.load(state, ACCESS);
        let factor = b.i32(2 * index as i32 + 3);
        let mut new = b.binary(BinaryOp::IMul, old, factor);
        if index > 0
            && let Some(&param) = b.function.blocks[block].params.first()
        {
            new = b.binary(BinaryOp::IAdd, new, param);
        }
        b.store(state, new, ACCESS);
        let target = |random: &mut Random, b: &mut Builder<'_>| -> BlockCall {
            let from = index as u32;
            let to = match habit {
                0 | 1 if random.below(4) > 0 => (from + 1 + random.below(3)).min(count - 1),
                _ => 1 + random.below(count - 1),
            };
            let block = blocks[to as usize];
            match b.function.blocks[block].params.len() {
                0 => b.call_block(block, &[]),
                _ => b.call_block(block, &[new]),
            }
        };
        let terminator = match random.below(12) {
            0 => Terminator::Return(None),
            1..=3 => Terminator::Jump(target(&mut random, &mut b)),
            4..=9 => {
                let limit = b.i32(17);
                let condition = b.compare(CompareOp::SLess, new, limit);
                let then = target(&mut random, &mut b);
                Terminator::Branch { condition, then, otherwise: target(&mut random, &mut b) }
            }
            _ => {
                let default = target(&mut random, &mut b);
                let cases = (0..1 + u64::from(random.below(5)))
                    .map(|value| SwitchCase { value, target: target(&mut random, &mut b) })
                    .collect();
                Terminator::Switch { selector: new, default, cases }
            }
        };
        b.terminate(terminator);
    }
    b.finish();
    module.functions.push(function);
    module
}

const CAPABILITY: u32 = 17;
const MEMORY_MODEL: u32 = 14;
const ENTRY_POINT: u32 = 15;
const DECORATE: u32 = 71;
/// The decoration of that name.
const ALIGNMENT: u32 = 44;

/// The module with what it says of OpenCL replaced by what a compute shader says.
fn as_shader(words: &[u32]) -> Vec<u32> {
    let mut out = words[..5].to_vec();
    // Capability Shader
    out.extend([2 << 16 | CAPABILITY, 1]);
    let mut rest = &words[5..];
    while let Some(&first) = rest.first() {
        let (instruction, tail) = rest.split_at((first >> 16) as usize);
        match first & 0xffff {
            CAPABILITY => {}
            // Of no meaning to shaders.
            DECORATE if instruction[2] == ALIGNMENT => {}
            // Logical, GLSL450
            MEMORY_MODEL => out.extend([3 << 16 | MEMORY_MODEL, 0, 1]),
            ENTRY_POINT => {
                out.extend_from_slice(&instruction[..1]);
                // GLCompute
                out.push(5);
                out.extend_from_slice(&instruction[2..]);
            }
            _ => out.extend_from_slice(instruction),
        }
        rest = tail;
    }
    out
}

/// The words of a module that needs no library.
fn compile(module: &mut Module, options: &TargetOptions) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut unobserved = ();
    let mut passes = PassOptions::new(OptLevel::O0, &mut unobserved);
    let mut bodies = |_: &str, names: &[&'static str]| panic!("no library for {names:?}");
    match clc_legalise::run(module, options, &mut bodies, &mut passes) {
        Ok(legalised) => clc_spirv::compile(module, &SourceMap::new(), options, &legalised),
        Err(clc_legalise::Error::Source(errors)) => Err(errors),
        Err(clc_legalise::Error::Broken(error)) => panic!("{error}"),
    }
}

#[test]
fn random_graphs_are_valid_shaders() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("FIRST", 0);
    let options = TargetOptions { spirv_version: (1, 6), ..TargetOptions::default() };
    let vulkan = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    for seed in first..first + number("SEEDS", 400) {
        let mut module = module(seed);
        let mut text = String::new();
        clc_ir::print::module(&module, &mut text);
        clc_ir::verify::module(&module).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        clc_passes::structure(&mut module, &mut PassOptions::new(OptLevel::O0, &mut ())).unwrap();
        clc_ir::verify::module(&module).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let words = compile(&mut module, &options)
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
        let words = as_shader(&words);
        if let Err(error) = clc_spirv::validate(&words, &vulkan) {
            panic!("seed {seed}: {error}\n{text}\n{}", clc_spirv::disassemble(&words));
        }
    }
}

/// What the test above sees is seen: without the pass the same graphs are refused.
#[test]
fn unstructured_graphs_are_refused() {
    let options = TargetOptions { spirv_version: (1, 6), ..TargetOptions::default() };
    let vulkan = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    let refused = (0..50).filter(|&seed| {
        let compiled = compile(&mut module(seed), &options);
        compiled.is_ok_and(|words| clc_spirv::validate(&as_shader(&words), &vulkan).is_err())
    });
    assert!(refused.count() > 20);
}

/// Replaces a random word of the functions by another.
fn damaged(words: &[u32], random: &mut Random) -> Vec<u32> {
    const FUNCTION: u32 = 54;
    let mut at = 5;
    while words[at] & 0xffff != FUNCTION {
        at += (words[at] >> 16) as usize;
    }
    let mut any = || at + random.below((words.len() - at) as u32) as usize;
    let (to, from) = (any(), any());
    let mut damaged = words.to_vec();
    damaged[to] = words[from];
    damaged
}

/// What the validator says of a function in pieces is what it says of the whole, right or wrong.
#[test]
fn pieces_are_valid_where_the_whole_is() {
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let opencl = TargetOptions { spirv_version: (1, 6), ..TargetOptions::default() };
    let vulkan = TargetOptions::new(Environment::Vulkan { major: 1, minor: 3 });
    // Modules in pieces that are valid, and that are not.
    let mut counts = [0, 0];
    let mut random = Random(0x1234_5678_9abc_def1);
    for seed in 0..seeds {
        let mut graph = module(seed);
        let kernel = compile(&mut graph, &opencl).expect("compiles");
        let mut graph = module(seed);
        clc_passes::structure(&mut graph, &mut PassOptions::new(OptLevel::O0, &mut ())).unwrap();
        let shader = as_shader(&compile(&mut graph, &opencl).expect("compiles"));
        for (words, options) in [(kernel, &opencl), (shader, &vulkan)] {
            let mutants = (0..12).map(|_| damaged(&words, &mut random)).collect::<Vec<_>>();
            for words in std::iter::once(&words).chain(&mutants) {
                let (whole, Some(pieces)) = clc_spirv::validate_both(words, options) else {
                    continue;
                };
                counts[usize::from(whole.is_err())] += 1;
                assert_eq!(
                    whole.is_ok(),
                    pieces.is_ok(),
                    "seed {seed}: {whole:?}\n{pieces:?}\n{}",
                    clc_spirv::disassemble(words)
                );
            }
        }
    }
    assert!(counts.iter().all(|&count| count > seeds / 4), "{counts:?}");
}
