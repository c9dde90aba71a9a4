//! Runs what becomes of reductions and scans for work-items that come together in any way: a sub-group
//! may have any of them, in any order, and different ones in each call. Work-items take turns at random
//! between barriers, so that a call that disturbs the one before it is found.

use std::collections::HashMap;

use clc_builtins::{GroupOp, GroupOperation, Intrinsic};
use clc_ir::{
    BinaryOp, Block, BlockCall, CompareOp, Const, ConvertOp, FuncId, Function, Inst, InstKind,
    Module, Terminator, TypePool, Value,
};

use super::super::random::Random;

const KERNEL: &str = "
module ptr64
function f0 \"k\"(i32, i64) void kernel \"k\" {
b0(v0: i32, v1: i64):
  v2: i32 = intrinsic WorkGroup(Reduce, IAdd)(v0)
  v3: i64 = intrinsic WorkGroup(InclusiveScan, IAdd)(v1)
  v4: i32 = intrinsic WorkGroup(ExclusiveScan, SMax)(v0)
  v5: i64 = intrinsic WorkGroup(ExclusiveScan, IAdd)(v1)
  v6: i32 = intrinsic WorkGroup(InclusiveScan, SMax)(v0)
  v7: i64 = intrinsic WorkGroup(Reduce, IAdd)(v1)
  v8: i32 = intrinsic WorkGroupBroadcast(v0, i64 0)
  return
}
";

/// Who meets whom in sub-groups, in the order of their ranks.
fn meetings(random: &mut Random, items: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..items).collect();
    match random.below(3) {
        0 => {}
        1 => random.shuffle(&mut order),
        // Some sub-groups in order, others not.
        _ => order[items / 2..].reverse(),
    }
    let mut rest = &order[..];
    let mut groups = Vec::new();
    while !rest.is_empty() {
        let (group, after) = rest.split_at((1 + random.index(8)).min(rest.len()));
        groups.push(group.to_vec());
        rest = after;
    }
    random.0 |= 1;
    groups
}

struct Item {
    call: usize,
    block: Block,
    next: usize,
    values: HashMap<Value, Vec<u64>>,
    results: Vec<u64>,
    waits_at: Option<Inst>,
}

struct Group<'a> {
    module: &'a Module,
    calls: Vec<FuncId>,
    /// By call and work-item, the arguments.
    arguments: Vec<Vec<Vec<u64>>>,
    /// By call.
    meetings: Vec<Vec<Vec<usize>>>,
    items: Vec<Item>,
    memory: Vec<Option<u64>>,
}

fn word(bits: u64, width: u32) -> u64 {
    if width == 64 { bits } else { bits & ((1 << width) - 1) }
}

fn signed(bits: u64, width: u32) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

fn combined(op: GroupOp, left: u64, right: u64, width: u32) -> u64 {
    match op {
        GroupOp::IAdd => word(left.wrapping_add(right), width),
        GroupOp::SMax if signed(left, width) < signed(right, width) => right,
        GroupOp::SMax => left,
        other => panic!("{other:?}"),
    }
}

impl Group<'_> {
    fn function(&self, item: usize) -> &Function {
        &self.module.functions[self.calls[self.items[item].call]]
    }

    fn begin(&mut self, item: usize) {
        let call = self.items[item].call;
        let Some(&id) = self.calls.get(call) else { return };
        let function = &self.module.functions[id];
        let params = &function.blocks[function.entry()].params;
        let arguments = &self.arguments[call][item];
        let state = &mut self.items[item];
        state.values = params.iter().copied().zip(arguments.iter().map(|&it| vec![it])).collect();
        (state.block, state.next) = (function.entry(), 0);
    }

    fn value(&self, item: usize, value: Value) -> Vec<u64> {
        let Some(id) = value.as_const() else { return self.items[item].values[&value].clone() };
        match self.module.consts.get(id) {
            Const::Int(_, bits) => vec![*bits],
            Const::GlobalAddress(..) => vec![0],
            other => panic!("{other:?}"),
        }
    }

    fn width(&self, item: usize, value: Value) -> u32 {
        let ty = self.module.value_type(self.function(item), value);
        self.module.types.scalar_bits(ty).map_or(1, u32::from)
    }

    fn goes_to(&mut self, item: usize, target: BlockCall) {
        let function = self.function(item);
        let new: Vec<(Value, Vec<u64>)> = function.blocks[target.block]
            .params
            .iter()
            .zip(function.values_of(target.arguments))
            .map(|(&param, value)| (param, self.value(item, value)))
            .collect();
        let state = &mut self.items[item];
        state.values.extend(new);
        (state.block, state.next) = (target.block, 0);
    }

    /// One instruction of a work-item, unless it has to wait.
    fn step(&mut self, item: usize) {
        let function = self.function(item);
        let block = &function.blocks[self.items[item].block];
        let Some(&inst) = block.insts.get(self.items[item].next) else {
            match block.terminator.clone() {
                Terminator::Jump(target) => self.goes_to(item, target),
                Terminator::Branch { condition, then, otherwise } => {
                    let holds = self.value(item, condition)[0] != 0;
                    self.goes_to(item, if holds { then } else { otherwise });
                }
                Terminator::Return(Some(value)) => {
                    let result = self.value(item, value)[0];
                    self.items[item].results.push(result);
                    self.items[item].call += 1;
                    self.begin(item);
                }
                other => panic!("{other:?}"),
            }
            return;
        };
        let data = function.insts[inst];
        let (result, get) = (data.result, |value| self.value(item, value));
        let bits = |value| get(value)[0];
        let new = match data.kind {
            InstKind::Barrier { .. } => return self.items[item].waits_at = Some(inst),
            InstKind::Intrinsic { intrinsic, arguments } => {
                let first = function.values_of(arguments).next();
                match intrinsic {
                    Intrinsic::GetLocalLinearId => vec![item as u64],
                    Intrinsic::GetLocalSize => match first.map(bits) {
                        Some(0) => vec![self.items.len() as u64],
                        _ => vec![1],
                    },
                    Intrinsic::SMax => {
                        let operands: Vec<Value> = function.values_of(arguments).collect();
                        let width = self.width(item, operands[0]);
                        vec![combined(GroupOp::SMax, bits(operands[0]), bits(operands[1]), width)]
                    }
                    _ => return self.items[item].waits_at = Some(inst),
                }
            }
            InstKind::Binary { op, left, right } => {
                let (a, b) = (bits(left), bits(right));
                let number = match op {
                    BinaryOp::IAdd => a.wrapping_add(b),
                    BinaryOp::ISub => a.wrapping_sub(b),
                    BinaryOp::IMul => a.wrapping_mul(b),
                    BinaryOp::UDiv => a / b,
                    other => panic!("{other:?}"),
                };
                vec![word(number, self.width(item, left))]
            }
            InstKind::Compare { op, left, right } => {
                let (a, b) = (bits(left), bits(right));
                vec![u64::from(match op {
                    CompareOp::Equal => a == b,
                    CompareOp::NotEqual => a != b,
                    CompareOp::ULess => a < b,
                    CompareOp::UGreater => a > b,
                    other => panic!("{other:?}"),
                })]
            }
            InstKind::Select { condition, then, otherwise } => {
                get(if bits(condition) != 0 { then } else { otherwise })
            }
            InstKind::Convert { op: ConvertOp::Truncate, operand, .. } => {
                vec![word(bits(operand), 32)]
            }
            InstKind::Convert { op: ConvertOp::Bitcast, operand, .. } => match get(operand)[..] {
                [low, high] => vec![low | high << 32],
                [number] if self.width(item, operand) == 64 => {
                    vec![word(number, 32), number >> 32]
                }
                _ => get(operand),
            },
            InstKind::Access { indices, .. } => get(function.value_at(indices, 0)),
            InstKind::Load { pointer, .. } => {
                vec![self.memory[bits(pointer) as usize].expect("what is read was written")]
            }
            InstKind::Store { pointer, value, .. } => {
                let (at, number) = (bits(pointer) as usize, bits(value));
                self.memory[at] = Some(number);
                Vec::new()
            }
            InstKind::Extract { aggregate, path } => {
                let index = function.numbers_of(path)[0];
                vec![get(aggregate)[index as usize]]
            }
            InstKind::Construct { parts } => function.values_of(parts).map(bits).collect(),
            other => panic!("{other:?}"),
        };
        let state = &mut self.items[item];
        state.next += 1;
        state.values.extend(result.map(|result| (result, new)));
    }

    /// Lets those go on who wait for each other and are all there.
    fn meet(&mut self, item: usize) {
        let (Some(inst), call) = (self.items[item].waits_at, self.items[item].call) else { return };
        let data = self.function(item).insts[inst];
        let InstKind::Intrinsic { intrinsic, arguments } = data.kind else {
            let all_wait = |it: &Item| it.waits_at == Some(inst) && it.call == call;
            if self.items.iter().all(all_wait) {
                for it in &mut self.items {
                    (it.waits_at, it.next) = (None, it.next + 1);
                }
            }
            return;
        };
        let group = self.meetings[call].iter().find(|group| group.contains(&item)).unwrap().clone();
        let is_here =
            |&it: &usize| self.items[it].waits_at == Some(inst) && self.items[it].call == call;
        if !group.iter().all(is_here) {
            return;
        }
        let operand = self.function(item).values_of(arguments).next().unwrap();
        let values: Vec<u64> = group.iter().map(|&it| self.value(it, operand)[0]).collect();
        let width = self.width(item, operand);
        for (rank, &it) in group.iter().enumerate() {
            let result = match intrinsic {
                // Who is here is known.
                Intrinsic::SubGroupBallot => 0,
                Intrinsic::SubGroupBallotBitCount => group.len() as u64,
                Intrinsic::SubGroupBallotExclusiveScan => rank as u64,
                Intrinsic::SubGroupBroadcastFirst => values[0],
                Intrinsic::SubGroupNonUniformAll => u64::from(values.iter().all(|&it| it != 0)),
                Intrinsic::SubGroupNonUniform(operation, op) => {
                    let some = match operation {
                        GroupOperation::InclusiveScan => &values[..=rank],
                        GroupOperation::ExclusiveScan => &values[..rank],
                        GroupOperation::Reduce | GroupOperation::ClusteredReduce => &values[..],
                    };
                    let fold = |a: u64, &b: &u64| combined(op, a, b, width);
                    // What the first one gets of an exclusive scan must not matter.
                    some.split_first().map_or(77, |(&first, rest)| rest.iter().fold(first, fold))
                }
                other => panic!("{other:?}"),
            };
            let state = &mut self.items[it];
            state.values.insert(data.result.unwrap(), vec![result]);
            (state.waits_at, state.next) = (None, state.next + 1);
        }
    }
}

/// What each work-item gets: of the values in front of it, with its own, or of all.
fn expected(operation: GroupOperation, op: GroupOp, values: &[u64], width: u32) -> Vec<u64> {
    let identity = if op == GroupOp::SMax { 1 << (width - 1) } else { 0 };
    let of = |some: &[u64]| some.iter().fold(identity, |a, &b| combined(op, a, b, width));
    (0..values.len())
        .map(|item| match operation {
            GroupOperation::InclusiveScan => of(&values[..=item]),
            GroupOperation::ExclusiveScan => of(&values[..item]),
            GroupOperation::Reduce | GroupOperation::ClusteredReduce => of(values),
        })
        .collect()
}

#[test]
fn any_work_items_may_share_a_sub_group() {
    sequences(true);
}

#[test]
fn local_memory_alone_does() {
    sequences(false);
}

/// Random sequences of calls, in work-groups of random sizes.
fn sequences(by_sub_groups: bool) {
    use GroupOperation::{ExclusiveScan, InclusiveScan, Reduce};
    let steps = [
        ("work_group_reduce_add", TypePool::I32, Reduce, GroupOp::IAdd),
        ("work_group_scan_inclusive_add", TypePool::I64, InclusiveScan, GroupOp::IAdd),
        ("work_group_scan_exclusive_max", TypePool::I32, ExclusiveScan, GroupOp::SMax),
        ("work_group_scan_exclusive_add", TypePool::I64, ExclusiveScan, GroupOp::IAdd),
        ("work_group_scan_inclusive_max", TypePool::I32, InclusiveScan, GroupOp::SMax),
        ("work_group_reduce_add", TypePool::I64, Reduce, GroupOp::IAdd),
    ];
    let mut module = clc_ir::parse::module(KERNEL).expect("a module");
    let scratch = super::run(&mut module, by_sub_groups).expect("the host chooses the size");
    let found = |name: &str, ty| {
        let is_it = |function: &Function| function.name == name && function.result == ty;
        module.functions.iter().find(|(_, function)| is_it(function)).expect("a function").0
    };
    let broadcast = found("work_group_broadcast", TypePool::I32);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..250 {
        let items = 1 + random.index(40);
        let (mut calls, mut arguments, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..8 {
            let (name, ty, operation, op) = random.of(&steps);
            let width = if ty == TypePool::I64 { 64 } else { 32 };
            let values: Vec<u64> = (0..items)
                .map(|_| word(random.below(1 << 40).wrapping_mul(0x0123_4567_89ab), width))
                .collect();
            calls.push(found(name, ty));
            wanted.push(expected(operation, op, &values, width));
            arguments.push(values.iter().map(|&value| vec![value]).collect::<Vec<_>>());
            if random.one_in(2) {
                continue;
            }
            // Its partial result is where those of the others are not.
            let from = random.index(items);
            calls.push(broadcast);
            wanted.push(vec![from as u64 * 3; items]);
            arguments.push((0..items as u64).map(|item| vec![item * 3, from as u64]).collect());
        }
        let meetings = calls.iter().map(|_| meetings(&mut random, items)).collect();
        let words = (scratch.fixed + scratch.per_item * items as u32) as usize;
        let start = |_| Item {
            call: 0,
            block: module.functions[calls[0]].entry(),
            next: 0,
            values: HashMap::new(),
            results: Vec::new(),
            waits_at: None,
        };
        let mut group = Group {
            module: &module,
            items: (0..items).map(start).collect(),
            calls,
            arguments,
            meetings,
            memory: vec![None; words],
        };
        (0..items).for_each(|item| group.begin(item));
        let mut turns = 0;
        while group.items.iter().any(|item| item.call < group.calls.len()) {
            let item = random.index(items);
            let is_done = group.items[item].call == group.calls.len();
            if is_done || group.items[item].waits_at.is_some() {
                continue;
            }
            group.step(item);
            group.meet(item);
            turns += 1;
            assert!(turns < 5_000_000, "a work-item does not get on");
        }
        for (item, state) in group.items.iter().enumerate() {
            let wanted: Vec<u64> = wanted.iter().map(|wanted| wanted[item]).collect();
            assert_eq!(state.results, wanted, "work-item {item} of {items}: {:?}", group.meetings);
        }
    }
}
