//! The sections of the linked module in front of its types.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, ExecutionMode, LinkageType, Op};

use super::program::{InUnit, Linker, V1_4};
use crate::emit::{CONTRACTION_OFF, Words};
use crate::read::ids::{Role, each_id};
use crate::read::{opcode, string};

impl Linker<'_> {
    /// The kernels; what a kernel uses may have come from other modules.
    pub fn entry_points(&mut self, version: u32) -> Words {
        let mut out = Words::default();
        let units = self.units;
        for unit in units {
            for place in &unit.entry_points {
                let inst = unit.inst(place);
                let Some((name, length)) = string(&inst[3..]) else { continue };
                let mut interface: BTreeSet<u32> = BTreeSet::new();
                for &id in &inst[3 + length..] {
                    let id = self.ids.get(self.globals.alias[id as usize]);
                    interface.extend((id != 0).then_some(id));
                }
                let mut seen: FxHashSet<u32> = FxHashSet::default();
                let mut stack = vec![inst[2]];
                while let Some(id) = stack.pop() {
                    if !seen.insert(id) {
                        continue;
                    }
                    stack.extend(self.calls.get(&id).into_iter().flatten());
                    let variables = self.variables.get(&id).into_iter().flatten().copied();
                    interface.extend(
                        variables.filter(|id| version >= V1_4 || self.globals.inputs.contains(id)),
                    );
                }
                let start = out.begin(Op::EntryPoint);
                out.push(inst[1]);
                out.push(self.ids.of(inst[2]));
                out.string(self.renamed.get(&inst[2]).unwrap_or(&name));
                out.words.extend(interface);
                out.end(start);
            }
        }
        out
    }

    /// What a part says of its functions is said of the kernels that may reach them.
    pub fn contraction(&mut self, out: &mut Words) {
        let units = self.units;
        let is_mark = |inst: &[u32]| {
            opcode(inst) == Op::SourceExtension as u32
                && string(&inst[1..]).is_some_and(|(text, _)| text == CONTRACTION_OFF)
        };
        let mut used = units.iter().zip(&self.is_used).filter(|(_, used)| **used);
        if !used.any(|(unit, _)| unit.strings.iter().any(|place| is_mark(unit.inst(place)))) {
            return;
        }
        let mode = ExecutionMode::ContractionOff as u32;
        for unit in units {
            let modes: FxHashSet<u32> = unit
                .execution_modes
                .iter()
                .map(|place| unit.inst(place))
                .filter(|inst| inst.get(2) == Some(&mode))
                .map(|inst| inst[1])
                .collect();
            for place in &unit.entry_points {
                let kernel = unit.inst(place)[2];
                if !modes.contains(&kernel) {
                    out.op(Op::ExecutionMode, &[self.ids.of(kernel), mode]);
                }
            }
        }
    }

    /// OpString, OpSource and the like.
    pub fn sources(&mut self, out: &mut Words) {
        let mut written: FxHashSet<Vec<u32>> = FxHashSet::default();
        let units = self.units;
        for unit in units {
            let mut continued = false;
            for place in &unit.strings {
                let mut copied = Vec::new();
                self.copy(unit, unit.inst(place), &mut copied);
                // A text in several parts is written or left out as a whole.
                if opcode(&copied) == Op::SourceContinued as u32 {
                    if continued {
                        out.words.extend_from_slice(&copied);
                    }
                    continue;
                }
                continued = written.insert(copied.clone());
                if continued {
                    out.words.extend_from_slice(&copied);
                }
            }
        }
    }

    /// Names of what is written. Each function gets one of its own: drivers take it for a symbol.
    pub fn names(&mut self, out: &mut Words) {
        let units = self.units;
        let mut written: FxHashSet<u32> = self.globals.written.iter().copied().collect();
        let mut symbols: FxHashSet<u32> = FxHashSet::default();
        for unit in units {
            for function in &unit.functions {
                if !self.is_reached.contains(&function.id) {
                    continue;
                }
                symbols.insert(function.id);
                for place in &function.instructions {
                    let inst = unit.inst(place);
                    let _ = each_id(inst, &InUnit { unit }, &mut |role, at| {
                        if role == Role::Result {
                            written.insert(inst[at]);
                        }
                    });
                }
            }
        }
        // Kernels keep their names, whoever comes first.
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut kernels: FxHashSet<u32> = FxHashSet::default();
        for unit in units {
            for place in &unit.entry_points {
                let inst = unit.inst(place);
                kernels.insert(inst[2]);
                taken.extend(string(&inst[3..]).map(|(name, _)| name));
            }
        }
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for unit in units {
            for place in &unit.names {
                let inst = unit.inst(place);
                let id = inst[1];
                if !written.contains(&id) {
                    continue;
                }
                if let Some(name) = self.renamed.get(&id)
                    && opcode(inst) == Op::Name as u32
                {
                    let start = out.begin(Op::Name);
                    out.push(self.ids.of(id));
                    out.string(name);
                    out.end(start);
                    continue;
                }
                let is_symbol = opcode(inst) == Op::Name as u32
                    && symbols.contains(&id)
                    && !kernels.contains(&id);
                let name = string(&inst[2..]).map(|(name, _)| name).unwrap_or_default();
                if !is_symbol || name.is_empty() || taken.insert(name.clone()) {
                    self.copy(unit, inst, &mut out.words);
                    continue;
                }
                let number = counts.entry(name.clone()).or_insert(0);
                let unique = loop {
                    *number += 1;
                    let unique = format!("{name}.{number}");
                    if taken.insert(unique.clone()) {
                        break unique;
                    }
                };
                let start = out.begin(Op::Name);
                out.push(self.ids.of(id));
                out.string(&unique);
                out.end(start);
            }
        }
        let mut processed: BTreeSet<&[u32]> = BTreeSet::new();
        for unit in units {
            for place in &unit.processed {
                let inst = unit.inst(place);
                if processed.insert(inst) {
                    out.words.extend_from_slice(inst);
                }
            }
        }
        self.named = written;
    }

    pub fn decorations(&mut self, kept: &[(String, u32, LinkageType)], out: &mut Words) {
        let units = self.units;
        for unit in units {
            for &id in &unit.decorated {
                if !self.named.contains(&id) {
                    continue;
                }
                for inst in unit.decorations_of(id) {
                    self.copy(unit, inst, &mut out.words);
                }
            }
        }
        for (name, id, kind) in kept {
            let start = out.begin(Op::Decorate);
            out.push(self.ids.of(*id));
            out.push(Decoration::LinkageAttributes as u32);
            out.string(name);
            out.push(*kind as u32);
            out.end(start);
        }
    }
}
