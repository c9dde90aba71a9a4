//! How the time of the passes grows with the input: a table of 400 and 4,000 of each thing.
//! `cargo bench -p clc-passes --bench growth`; `VERBOSE=1` adds a line for each pass.

use std::time::Duration;

use clc_base::Version;
use clc_ir::{
    BinaryOp, Block, Builder, CompareOp, Function, Linkage, MemoryAccess, Module, StorageClass,
    SwitchCase, Terminator, TypePool, Value,
};
use clc_passes::{Observer, OptLevel, PassOptions};

/// Time this thread has run: a busy machine disturbs the clock on the wall.
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

const ACCESS: MemoryAccess = MemoryAccess::aligned(4);

type Make = fn(&mut Builder<'_>, Value, u32);

/// A module of one function `void f(ptr(crossworkgroup, i32))` with `count` of something.
fn module(make: Make, count: u32) -> Module {
    let mut module = Module::new(8, Version::V1_2);
    let pointer = module.types.pointer(TypePool::I32, StorageClass::CrossWorkgroup);
    let mut function = Function::new("f", TypePool::VOID);
    function.linkage = Linkage::Export;
    function.params = vec![pointer];
    let entry = function.add_block();
    let buffer = function.add_block_param(entry, pointer);
    let mut builder = Builder::new(&mut module.types, &mut module.consts, &mut function, entry);
    make(&mut builder, buffer, count);
    builder.ret(None);
    builder.finish();
    module.functions.push(function);
    module
}

fn local(b: &mut Builder<'_>, value: i32) -> Value {
    let variable = b.variable(TypePool::I32, 4);
    let value = b.i32(value);
    b.store(variable, value, ACCESS);
    variable
}

fn add_to(b: &mut Builder<'_>, variable: Value, value: i32) {
    let old = b.load(variable, ACCESS);
    let value = b.i32(value);
    let new = b.binary(BinaryOp::IAdd, old, value);
    b.store(variable, new, ACCESS);
}

fn is_less(b: &mut Builder<'_>, variable: Value, limit: i32) -> Value {
    let value = b.load(variable, ACCESS);
    let limit = b.i32(limit);
    b.compare(CompareOp::SLess, value, limit)
}

fn output(b: &mut Builder<'_>, buffer: Value, variable: Value) {
    let value = b.load(variable, ACCESS);
    b.store(buffer, value, ACCESS);
}

fn statements(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let x = local(b, 1);
    for index in 0..count {
        let index = b.i32(index as i32);
        let place = b.ptr_add(buffer, index);
        let value = b.load(place, ACCESS);
        let old = b.load(x, ACCESS);
        let value = b.binary(BinaryOp::Xor, value, old);
        b.store(x, value, ACCESS);
    }
    output(b, buffer, x);
}

fn locals(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let variables: Vec<Value> = (0..count).map(|index| local(b, index as i32)).collect();
    branches(b, buffer, count);
    let sum = local(b, 0);
    for variable in variables {
        let value = b.load(variable, ACCESS);
        let old = b.load(sum, ACCESS);
        let new = b.binary(BinaryOp::IAdd, old, value);
        b.store(sum, new, ACCESS);
    }
    output(b, buffer, sum);
}

/// Each variable is set in a branch of its own and read at the end.
fn late_reads(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let variables: Vec<Value> = (0..count).map(|index| local(b, index as i32)).collect();
    let input = local(b, 0);
    let first = b.load(buffer, ACCESS);
    b.store(input, first, ACCESS);
    for &variable in &variables {
        let (then, join) = (b.new_block(), b.new_block());
        let condition = is_less(b, input, 17);
        b.branch(condition, then, join);
        b.switch_to(then);
        add_to(b, variable, 1);
        b.jump(join, &[]);
        b.switch_to(join);
    }
    let sum = local(b, 0);
    for variable in variables {
        let value = b.load(variable, ACCESS);
        let old = b.load(sum, ACCESS);
        let new = b.binary(BinaryOp::IAdd, old, value);
        b.store(sum, new, ACCESS);
    }
    output(b, buffer, sum);
}

fn branches(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let x = local(b, 0);
    let first = b.load(buffer, ACCESS);
    b.store(x, first, ACCESS);
    for index in 0..count {
        let (then, otherwise, join) = (b.new_block(), b.new_block(), b.new_block());
        let condition = is_less(b, x, index as i32);
        b.branch(condition, then, otherwise);
        b.switch_to(then);
        add_to(b, x, 3);
        b.jump(join, &[]);
        b.switch_to(otherwise);
        add_to(b, x, 5);
        b.jump(join, &[]);
        b.switch_to(join);
    }
    output(b, buffer, x);
}

fn else_ifs(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let x = local(b, 0);
    let first = b.load(buffer, ACCESS);
    b.store(x, first, ACCESS);
    let mut joins: Vec<Block> = Vec::new();
    for index in 0..count {
        let (then, otherwise, join) = (b.new_block(), b.new_block(), b.new_block());
        let condition = is_less(b, x, index as i32);
        b.branch(condition, then, otherwise);
        b.switch_to(then);
        add_to(b, x, 3);
        b.jump(join, &[]);
        b.switch_to(otherwise);
        joins.push(join);
    }
    while let Some(join) = joins.pop() {
        b.jump(join, &[]);
        b.switch_to(join);
    }
    output(b, buffer, x);
}

fn loops(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let x = local(b, 0);
    for _ in 0..count {
        let i = local(b, 0);
        let (header, body, leave, step, exit) =
            (b.new_block(), b.new_block(), b.new_block(), b.new_block(), b.new_block());
        b.jump(header, &[]);
        b.switch_to(header);
        let condition = is_less(b, i, 10);
        b.branch(condition, body, exit);
        b.switch_to(body);
        add_to(b, x, 7);
        let condition = is_less(b, x, 100);
        b.branch(condition, step, leave);
        b.switch_to(leave);
        b.jump(exit, &[]);
        b.switch_to(step);
        add_to(b, i, 1);
        b.jump(header, &[]);
        b.switch_to(exit);
    }
    output(b, buffer, x);
}

/// A loop inside each case, with its own counter.
fn cases(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let x = local(b, 0);
    let selector = b.load(buffer, ACCESS);
    let exit = b.new_block();
    let blocks: Vec<Block> = (0..count).map(|_| b.new_block()).collect();
    let default = b.call_block(exit, &[]);
    let cases = blocks
        .iter()
        .enumerate()
        .map(|(value, &block)| SwitchCase {
            value: value as u64,
            target: clc_ir::BlockCall { block, arguments: clc_ir::ValueList::EMPTY },
        })
        .collect();
    b.terminate(Terminator::Switch { selector, default, cases });
    for (index, block) in blocks.into_iter().enumerate() {
        b.switch_to(block);
        let i = local_here(b, index as i32);
        let (header, body, leave) = (b.new_block(), b.new_block(), b.new_block());
        b.jump(header, &[]);
        b.switch_to(header);
        let condition = is_less(b, i, 10);
        b.branch(condition, body, leave);
        b.switch_to(body);
        add_to(b, i, 1);
        add_to(b, x, index as i32);
        b.jump(header, &[]);
        b.switch_to(leave);
        b.jump(exit, &[]);
    }
    b.switch_to(exit);
    output(b, buffer, x);
}

fn local_here(b: &mut Builder<'_>, value: i32) -> Value {
    local(b, value)
}

/// Components of one vector, set one after the other.
fn components(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let ty = b.types.vector(TypePool::I32, 4);
    let vector = b.variable(ty, 16);
    let zero = b.zero(ty);
    b.store(vector, zero, ACCESS);
    for index in 0..count {
        let lane = b.i32((index % 3) as i32);
        let place = b.access(vector, &[lane]);
        let value = b.load(buffer, ACCESS);
        b.store(place, value, ACCESS);
    }
    let lane = b.i32(1);
    let place = b.access(vector, &[lane]);
    output(b, buffer, place);
}

/// Each function calls the one before: called once, or twice and marked by turns.
fn functions(count: u32, kernels: bool) -> Module {
    let mut module = Module::new(8, Version::V1_2);
    for index in 0..count {
        let mut function = Function::new(format!("f{index}"), TypePool::I32);
        function.params = vec![TypePool::I32];
        let entry = function.add_block();
        let param = function.add_block_param(entry, TypePool::I32);
        let mut b = Builder::new(&mut module.types, &mut module.consts, &mut function, entry);
        let x = local(&mut b, 1);
        let (then, join) = (b.new_block(), b.new_block());
        let condition = is_less(&mut b, x, index as i32);
        b.branch(condition, then, join);
        b.switch_to(then);
        add_to(&mut b, x, 5);
        b.jump(join, &[]);
        b.switch_to(join);
        let mut value = b.load(x, ACCESS);
        value = b.binary(BinaryOp::IAdd, value, param);
        if index > 0 {
            let callee = if kernels { 0 } else { index - 1 };
            for _ in 0..1 + u32::from(index % 4 == 0) {
                value = b
                    .call(clc_ir::FuncId(callee), &[value], TypePool::I32)
                    .expect("the callee returns an integer");
            }
        }
        b.ret(Some(value));
        b.finish();
        if kernels || index + 1 == count {
            function.linkage = Linkage::Export;
        }
        function.always_inline = !kernels && index % 7 == 0;
        module.functions.push(function);
    }
    module
}

/// A row of `if (...) goto out;`.
fn gotos(b: &mut Builder<'_>, buffer: Value, count: u32) {
    let out = b.new_block();
    for index in 0..count {
        let next = b.new_block();
        let (place, limit) = (b.i32(index as i32), b.i32(17));
        let place = b.ptr_add(buffer, place);
        let value = b.load(place, ACCESS);
        let condition = b.compare(CompareOp::SLess, value, limit);
        b.branch(condition, out, next);
        b.switch_to(next);
        b.store(place, limit, ACCESS);
    }
    b.jump(out, &[]);
    b.switch_to(out);
    let zero = b.i32(0);
    b.store(buffer, zero, ACCESS);
}

/// A row of cycles that are entered at two places.
fn knots(b: &mut Builder<'_>, buffer: Value, count: u32) {
    for index in 0..count {
        let (left, right, next) = (b.new_block(), b.new_block(), b.new_block());
        let (place, limit) = (b.i32(index as i32), b.i32(17));
        let place = b.ptr_add(buffer, place);
        let value = b.load(place, ACCESS);
        let condition = b.compare(CompareOp::SLess, value, limit);
        b.branch(condition, left, right);
        b.switch_to(left);
        b.store(place, limit, ACCESS);
        b.jump(right, &[]);
        b.switch_to(right);
        let value = b.load(place, ACCESS);
        let condition = b.compare(CompareOp::SGreater, value, limit);
        b.branch(condition, left, next);
        b.switch_to(next);
    }
}

/// An observer that adds up times.
#[derive(Default)]
struct Clock {
    started: Option<Duration>,
    spent: Vec<(&'static str, Duration)>,
}

impl Observer for Clock {
    fn looks(&self) -> bool {
        true
    }

    fn before(&mut self, _: &'static str) {
        self.started = Some(now());
    }

    fn after(&mut self, pass: &'static str, _: &Module) {
        let spent = self.started.map_or(Duration::ZERO, |started| now() - started);
        self.spent.push((pass, spent));
    }
}

fn measure(make: &dyn Fn(u32) -> Module, count: u32) -> Clock {
    let mut module = make(count);
    clc_ir::verify::module(&module).expect("the test makes good modules");
    let mut clock = Clock::default();
    let mut options = PassOptions::new(OptLevel::O, &mut clock);
    clc_passes::run(&mut module, &mut options).expect("the passes keep it good");
    let started = now();
    clc_passes::structure(&mut module, &mut PassOptions::new(OptLevel::O0, &mut ()))
        .expect("the passes keep it good");
    clock.spent.push(("structurize", now() - started));
    clock
}

/// The least time of seven runs, which noise disturbs least.
fn least(make: &dyn Fn(u32) -> Module, count: u32) -> Duration {
    (0..7)
        .map(|_| measure(make, count).spent.iter().map(|(_, spent)| *spent).sum())
        .min()
        .unwrap_or_default()
}

fn main() {
    let shapes: [(&str, Make); 10] = [
        ("statements", statements),
        ("locals", locals),
        ("late reads", late_reads),
        ("branches", branches),
        ("else-ifs", else_ifs),
        ("loops", loops),
        ("cases", cases),
        ("components", components),
        ("gotos", gotos),
        ("knots", knots),
    ];
    let mut makers: Vec<(&str, Box<dyn Fn(u32) -> Module>)> = vec![
        ("functions", Box::new(|count| functions(count, false))),
        ("kernels", Box::new(|count| functions(count, true))),
    ];
    for (name, make) in shapes {
        makers.push((name, Box::new(move |count| module(make, count))));
    }
    for (name, make) in &makers {
        let small = least(make, 400);
        let large = least(make, 4_000);
        let ratio = large.as_secs_f64() / small.as_secs_f64();
        println!("{name:12} {small:>12.1?} {large:>12.1?} {ratio:6.1}");
        if std::env::var_os("VERBOSE").is_some() {
            for (pass, spent) in measure(make, 4_000).spent {
                println!("    {pass:28} {spent:>12.1?}");
            }
        }
    }
}
