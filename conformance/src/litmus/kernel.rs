//! The kernels of the tests, and what they are launched with.

use std::fmt::Write as _;

use clc_tests::hex;

use crate::model::Outcome;
use crate::program::{Kind, Memory, Operation, Placement, Program};

/// Work-items of a group.
pub const GROUP: usize = 64;

/// A program in some place.
pub struct Kernel<'p> {
    pub name: String,
    pub program: &'p Program,
    pub placement: &'p Placement,
}

/// How a launch differs from another one.
pub struct Round {
    /// Decides which work-item has which part of which instance.
    pub seed: usize,
    /// How far the parts of an instance are from each other within their groups: devices that run the work-items of a
    /// group one after the other come to all parts at the same time if it is zero.
    pub turn: usize,
    /// Whether the groups of an instance are far from each other: devices differ in which groups run at the same time.
    pub is_far: bool,
    /// Words from one instance's object to that of the next one.
    pub stride: usize,
    /// How often a work-item looks whether the others of its instance have come.
    pub spins: usize,
}

impl Round {
    pub fn new(number: usize) -> Round {
        Round {
            seed: number * 7 + 1,
            turn: [0, 0, 11][number % 3],
            is_far: number.is_multiple_of(2),
            stride: [1, 2, 5, 16, 1][number % 5],
            spins: [1000, 100, 200, 0][number / 2 % 4],
        }
    }
}

impl Kernel<'_> {
    /// Work-items of an instance: its threads, and others that do nothing up to a power of two.
    fn threads(&self) -> usize {
        self.program.threads.len().next_power_of_two()
    }

    /// Words that an instance gives back: registers, and what is in local memory at the end.
    fn words(&self) -> usize {
        self.program.registers + self.program.locations.len()
    }

    fn is_local(&self, location: usize) -> bool {
        self.placement.memory.is_local(location)
    }

    pub fn source(&self) -> String {
        let Kernel { name, program, placement } = self;
        let threads = self.threads();
        let instances = GROUP / threads;
        let words = self.words();
        let objects: Vec<(usize, char, &str)> = program
            .locations
            .iter()
            .enumerate()
            .map(|(at, &name)| (at, name, if program.is_plain(at) { "int" } else { "atomic_int" }))
            .collect();
        let mut out = format!(
            "kernel __attribute__((reqd_work_group_size({GROUP}, 1, 1)))\n\
             void {name}(global int *rows, global atomic_int *meeting, uint seed, uint turn, uint is_far, uint stride, uint spins"
        );
        for (at, name, ty) in &objects {
            if !self.is_local(*at) {
                let _ = write!(out, ", global {ty} *all_{name}");
            }
        }
        out.push_str(")\n{\n    const uint item = get_local_id(0), group = get_group_id(0);\n");
        if placement.across {
            let _ = write!(
                out,
                "    const uint shares = get_num_groups(0) / {threads};\n    \
                 const uint part = ((is_far ? group / shares : group % {threads}) + seed) % {threads};\n    \
                 const uint own = (item * 5 + seed + turn * part) % {GROUP};\n    \
                 const uint instance = (is_far ? group % shares : group / {threads}) * {GROUP} + own;\n"
            );
        } else {
            // The parts of an instance are neighbours, or far from each other.
            let _ = write!(
                out,
                "    const uint place = (item * 5 + seed) % {GROUP};\n    \
                 const uint part = (seed / 7) % 2 ? place % {threads} : place / {instances};\n    \
                 const uint own = (seed / 7) % 2 ? place / {threads} : place % {instances};\n    \
                 const uint instance = group * {instances} + own;\n"
            );
        }
        for (at, name, ty) in &objects {
            let _ = match self.is_local(*at) {
                true => write!(
                    out,
                    "    local {ty} own_{name}[{instances}];\n    local {ty} *{name} = &own_{name}[own];\n    \
                     if (part == 0) {};\n",
                    match *ty {
                        "int" => format!("*{name} = 0"),
                        _ => format!("atomic_init({name}, 0)"),
                    }
                ),
                false => {
                    writeln!(out, "    global {ty} *{name} = all_{name} + instance * stride;")
                }
            };
        }
        if placement.memory != Memory::Global {
            out.push_str("    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n");
        }
        // In no order with what the test does; after `spins` looks a work-item goes on alone.
        let _ = write!(
            out,
            "    if (spins > 0) {{\n        \
             atomic_fetch_add_explicit(&meeting[instance], 1, memory_order_relaxed, memory_scope_device);\n        \
             for (uint n = 0; n < spins; ++n)\n            \
             if (atomic_load_explicit(&meeting[instance], memory_order_relaxed, memory_scope_device) >= \
             {})\n                break;\n        \
             // Who comes last would be the first to go on.\n        \
             for (uint n = (instance * {threads} + part + seed) * 2654435769u >> 26; n > 0; --n)\n            \
             atomic_load_explicit(&meeting[instance], memory_order_relaxed, memory_scope_device);\n    \
             }}\n    switch (part) {{\n",
            threads
        );
        for (part, thread) in program.threads.iter().enumerate() {
            let _ = writeln!(out, "    case {part}: {{");
            self.thread(thread, &mut out);
            let registers = thread.iter().filter(|operation| operation.kind.reads());
            for Operation { register, .. } in registers {
                let _ =
                    writeln!(out, "        rows[instance * {words} + {register}] = r{register};");
            }
            out.push_str("        break;\n    }\n");
        }
        out.push_str("    }\n");
        if placement.memory != Memory::Global {
            out.push_str("    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n");
        }
        for (at, name, ty) in objects.iter().filter(|(at, ..)| self.is_local(*at)) {
            let value = match *ty {
                "int" => format!("*{name}"),
                _ => format!(
                    "atomic_load_explicit({name}, memory_order_relaxed, memory_scope_work_group)"
                ),
            };
            let word = program.registers + at;
            let _ =
                writeln!(out, "    if (part == 0) rows[instance * {words} + {word}] = {value};");
        }
        out.push_str("}\n");
        out
    }

    fn thread(&self, thread: &[Operation], out: &mut String) {
        let scope = self.placement.scope;
        let mut first = None;
        let mut last = 0;
        for operation in thread.iter().filter(|operation| operation.kind.reads()) {
            let _ = writeln!(out, "        int r{} = 0;", operation.register);
        }
        for operation in thread {
            let Operation { kind, location, order, only_if, register } = *operation;
            let name = self.program.locations[location];
            let order = order.name();
            let text = match kind {
                Kind::Store(value) => {
                    format!("atomic_store_explicit({name}, {value}, {order}, {scope})")
                }
                Kind::Load => {
                    format!("r{register} = atomic_load_explicit({name}, {order}, {scope})")
                }
                Kind::Exchange(value) => {
                    format!(
                        "r{register} = atomic_exchange_explicit({name}, {value}, {order}, {scope})"
                    )
                }
                Kind::Add => {
                    format!("r{register} = atomic_fetch_add_explicit({name}, 1, {order}, {scope})")
                }
                Kind::PlainStore(value) => format!("*{name} = {value}"),
                Kind::PlainLoad => format!("r{register} = *{name}"),
                Kind::PlainStoreNext => format!("*{name} = r{last} + 1"),
                Kind::Fence => {
                    let flags = match self.placement.memory {
                        Memory::Global => "CLK_GLOBAL_MEM_FENCE",
                        Memory::Local => "CLK_LOCAL_MEM_FENCE",
                        Memory::Both => "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE",
                    };
                    format!("atomic_work_item_fence({flags}, {order}, {scope})")
                }
            };
            let condition = match (only_if, first) {
                (Some(wanted), Some(first)) => {
                    format!("if (r{first} {} 0) ", if wanted { "!=" } else { "==" })
                }
                _ => String::new(),
            };
            let _ = writeln!(out, "        {condition}{text};");
            if kind.reads() {
                first = first.or(Some(register));
                last = register;
            }
        }
    }

    /// The launch of a round with so many instances.
    pub fn job(&self, round: &Round, instances: usize) -> String {
        let Round { seed, turn, is_far, stride, spins } = *round;
        let zeros = |words: usize| "00".repeat(words * 4);
        let scalar = |value: usize| hex::encode(&(value as u32).to_le_bytes());
        let mut out = format!(
            "kernel {}\nglobal {}\nlocal {GROUP}\nbuffer {}\nbuffer {}\nscalar {}\nscalar {}\nscalar {}\nscalar {}\nscalar {}\n",
            self.name,
            instances * self.threads(),
            zeros(instances * self.words()),
            zeros(instances),
            scalar(seed),
            scalar(turn),
            scalar(usize::from(is_far)),
            scalar(stride),
            scalar(spins),
        );
        for _ in (0..self.program.locations.len()).filter(|&at| !self.is_local(at)) {
            let _ = writeln!(out, "buffer {}", zeros(instances * stride));
        }
        out.push_str("----\n");
        out
    }

    /// How each instance of a launch ended.
    pub fn outcomes(
        &self,
        results: &str,
        round: &Round,
        instances: usize,
    ) -> Result<Vec<Outcome>, String> {
        if results.starts_with("error") {
            return Err(results.trim().to_owned());
        }
        let buffers: Option<Vec<Vec<u8>>> = results.lines().map(hex::decode).collect();
        let buffers = buffers.ok_or("the results are no digits")?;
        let byte = |buffer: usize, word: usize| {
            let bytes = buffers.get(buffer).and_then(|bytes| bytes.get(word * 4..word * 4 + 4));
            // No value of a test is larger.
            bytes
                .map(|bytes| bytes.iter().fold(0, |all: u8, &byte| all | byte))
                .ok_or("too few results")
        };
        let mut out = Vec::new();
        for instance in 0..instances {
            let mut outcome = Vec::new();
            let row = instance * self.words();
            for register in 0..self.program.registers {
                outcome.push(byte(0, row + register)?);
            }
            // After the rows and the meetings.
            let mut buffer = 2;
            for location in 0..self.program.locations.len() {
                if self.is_local(location) {
                    outcome.push(byte(0, row + self.program.registers + location)?);
                } else {
                    outcome.push(byte(buffer, instance * round.stride)?);
                    buffer += 1;
                }
            }
            out.push(outcome);
        }
        Ok(out)
    }
}
