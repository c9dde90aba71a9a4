//! Random accesses of local arrays do the same before and after. `SEEDS=100000` runs more of them.

use std::fmt::Write as _;

use clc_base::arena::Id as _;
use clc_ir::{FuncId, Module};

use super::super::interpreter::{Datum, Interpreter, Memory};
use super::super::random::Random;

/// What the function is called with.
const ARGUMENTS: u64 = 4;

/// A module whose function loads and stores neighbours in arrays of 64 numbers, from an index of which the lowest bits
/// are known or not.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = "module ptr64\n\
         g0 \"flat\" workgroup [64]i32 align 4\n\
         g1 \"rows\" workgroup [4][16]i32 align 4\n\
         function f0 \"f\"(i32) i32 export {\nb0(v0: i32):\n\
         \x20 v1: i32 = imul v0, i32 4 nsw\n\
         \x20 v2: i32 = imul v0, i32 3 nsw\n\
         \x20 v3: i32 = shl v0, i32 3\n"
        .to_owned();
    // The bases, with the largest that each is.
    let bases = [("v1", 12), ("v2", 9), ("v3", 24), ("", 0)];
    let mut next = 4;
    let mut sum = "v0".to_owned();
    let mut value = |text: &mut String, kind: String| {
        let name = format!("v{next}");
        next += 1;
        writeln!(text, "  {name}: {kind}").unwrap();
        name
    };
    for _ in 0..2 + random.below(6) {
        let (base, most) = bases[random.below(4) as usize];
        let is_rows = random.one_in(2);
        let in_row = if is_rows { 16 } else { 64 };
        if most + 6 > in_row {
            continue;
        }
        let mut begin = random.below(in_row - most - 5);
        if random.below(3) > 0 {
            begin &= !3;
        }
        let is_store = random.one_in(2);
        let mut order: Vec<u64> = (begin..begin + 4 + random.below(3)).collect();
        random.shuffle(&mut order);
        if random.one_in(3) {
            order.push(begin + random.below(4));
        }
        for offset in order {
            let index = match (base, offset) {
                ("", _) => format!("i32 {offset}"),
                (base, 0) => base.to_owned(),
                _ => value(&mut text, format!("i32 = iadd {base}, i32 {offset}")),
            };
            let place = match is_rows {
                true => format!("g1 [i32 {}, {index}]", random.below(2)),
                false => format!("g0 [{index}]"),
            };
            let pointer = value(&mut text, format!("ptr(workgroup, i32) = access {place}"));
            if is_store != random.one_in(9) {
                let factor = random.below(1000);
                sum = value(&mut text, format!("i32 = imul {sum}, i32 {}", 2 * factor + 1));
                writeln!(text, "  store {pointer}, {sum} align 4").unwrap();
            } else {
                let loaded = value(&mut text, format!("i32 = load {pointer} align 4"));
                sum = value(&mut text, format!("i32 = iadd {sum}, {loaded}"));
            }
            if random.one_in(12) {
                text.push_str("  barrier work_group local seq_cst work_group\n");
            }
        }
    }
    writeln!(text, "  return {sum}\n}}").unwrap();
    text
}

/// What the function gives, and leaves in the last variable of each name.
fn outcome(module: &Module, argument: u64) -> (Option<Datum>, Vec<Vec<u8>>) {
    let mut run = Interpreter::new(module, Memory::default(), 10_000).expect("has no initializers");
    let result = run.call(FuncId(0), vec![Datum::Bits(argument)]).expect("is defined");
    let left = ["flat", "rows"].map(|name| {
        let mut of_name = module.globals.iter().filter(|(_, global)| global.name == name);
        let (id, _) = of_name.next_back().expect("is there");
        let object = (run.globals[id.index()] >> 32) as usize - 1;
        run.memory.objects[object].clone()
    });
    (result, left.to_vec())
}

#[test]
fn accesses_do_the_same_as_vectors() {
    let seeds = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let mut vectors = 0;
    for seed in 0..seeds {
        let input = program(seed);
        let mut module =
            clc_ir::parse::module(&input).unwrap_or_else(|error| panic!("{error}\n{input}"));
        let expected: Vec<_> = (0..ARGUMENTS).map(|number| outcome(&module, number)).collect();
        super::run(&mut module, &mut [], None);
        vectors += module.globals.len() - 2;
        clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{seed}: {error}\n{input}"));
        let found: Vec<_> = (0..ARGUMENTS).map(|number| outcome(&module, number)).collect();
        assert_eq!(found, expected, "{seed}:\n{input}");
    }
    // Not only what stays as it is.
    assert!(vectors as u64 > seeds / 4, "{vectors} arrays of vectors");
}
