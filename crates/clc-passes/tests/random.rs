//! Every pass keeps the meaning of random functions.

mod common;

use std::fmt::Write;

use clc_base::Id;
use clc_ir::{FuncId, Module};
use clc_passes::{OptLevel, PASSES, PassOptions};
use common::generator::{self, BUFFER};
use common::interpreter::{Datum, Interpreter, Memory, Stop};

/// What a run shows: the result and the buffer.
type Outcome = Result<(Option<Datum>, Vec<u8>), Stop>;

fn run(module: &Module, inputs: (u64, u64), fuel: u64) -> Outcome {
    let mut memory = Memory::default();
    let bytes: Vec<u8> = (0..BUFFER * 4).map(|index| (index * 37 + inputs.0) as u8).collect();
    let buffer = memory.object(bytes);
    let function = module
        .functions
        .iter()
        .find(|(_, function)| function.name == "main")
        .map_or(FuncId::from_index(0), |(id, _)| id);
    let mut interpreter = Interpreter::new(module, memory, fuel)?;
    let arguments = [buffer, inputs.0, inputs.1].map(Datum::Bits).to_vec();
    let result = interpreter.call(function, arguments)?;
    Ok((result, interpreter.memory.objects[0].clone()))
}

fn text(module: &Module) -> String {
    let mut out = String::new();
    clc_ir::print::module(module, &mut out);
    out
}

const INPUTS: [(u64, u64); 5] =
    [(0, 0), (1, 5), (0xffff_ffff, 3), (123, 0x8000_0000), (7, 0xffff_fff8)];

/// The outcomes of the module, of which at least those that end must stay.
fn outcomes(module: &Module) -> Vec<Outcome> {
    INPUTS.iter().map(|&inputs| run(module, inputs, 4_000)).collect()
}

fn check(seed: u64, pass: &str, before: &str, expected: &[Outcome], after: &Module) {
    if let Err(error) = clc_ir::verify::module(after) {
        panic!("seed {seed}, {pass}: {error}\nbefore:\n{before}\nafter:\n{}", text(after));
    }
    for (inputs, expected) in INPUTS.iter().zip(expected) {
        if expected.is_err() {
            continue;
        }
        // Selects may evaluate more than branches did, so there is fuel to spare.
        let found = run(after, *inputs, 100_000);
        if found != *expected {
            let mut message = String::new();
            let _ = writeln!(message, "seed {seed}, {pass}, inputs {inputs:?}:");
            let _ = writeln!(message, "expected {expected:?}\nfound    {found:?}");
            panic!("{message}before:\n{before}\nafter:\n{}", text(after));
        }
    }
}

fn seeds() -> u64 {
    std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(400)
}

#[test]
fn most_runs_end() {
    let ended: usize = (0..100)
        .map(|seed| outcomes(&generator::module(seed)).iter().filter(|o| o.is_ok()).count())
        .sum();
    assert!(ended > 250, "only {ended} of 500 runs ended, so that the tests see little");
}

#[test]
fn each_pass_alone() {
    for seed in 0..seeds() {
        let mut module = generator::module(seed);
        clc_ir::verify::module(&module).unwrap_or_else(|error| {
            panic!("seed {seed} makes a broken module: {error}\n{}", text(&module))
        });
        let expected = outcomes(&module);
        // One after the other on the same module: each pass sees raw and cooked code.
        for pass in PASSES {
            let before = text(&module);
            pass.run(&mut module);
            check(seed, pass.name, &before, &expected, &module);
        }
        for pass in PASSES.iter().rev() {
            let mut raw = generator::module(seed);
            let before = text(&raw);
            pass.run(&mut raw);
            check(seed, pass.name, &before, &expected, &raw);
        }
    }
}

#[test]
fn whole_pipeline() {
    for seed in 0..seeds() {
        for level in [OptLevel::O0, OptLevel::O] {
            let mut module = generator::module(seed);
            let before = text(&module);
            let expected = outcomes(&module);
            let mut nothing = ();
            let mut options =
                PassOptions { verify_each: true, ..PassOptions::new(level, &mut nothing) };
            if let Err(error) = clc_passes::run(&mut module, &mut options) {
                panic!("seed {seed}, {error}\n{before}\n{}", text(&module));
            }
            check(seed, "pipeline", &before, &expected, &module);
        }
    }
}

#[test]
fn text_round_trips() {
    for seed in 0..seeds() {
        let module = generator::module(seed);
        let first = text(&module);
        let parsed = clc_ir::parse::module(&first)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{first}"));
        clc_ir::verify::module(&parsed).expect("what was printed is read back whole");
        assert_eq!(text(&parsed), first, "seed {seed}");
    }
}
