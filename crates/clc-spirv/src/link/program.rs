//! The linked module, from its roots.

use std::collections::BTreeSet;

use clc_base::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Capability, LinkageType, Op};

use super::globals::Globals;
use super::symbols::{Resolution, defined_twice, other_type};
use super::unit::{Function, Unit};
use super::{Failure, Ids, LinkOptions, blocks, owner_of, types, unreadable};
use crate::emit::Words;
use crate::read::ids::{Context, Role, each_id};
use crate::read::{opcode, string};
use clc_legalise::diagnostics::{E0701, E0705, E0725};

/// Version 1.4, from which on an entry point names every variable it uses.
pub(super) const V1_4: u32 = 0x0001_0400;

pub(super) struct Linker<'u> {
    pub units: &'u [Unit],
    /// The first id of each unit, less one.
    pub starts: Vec<u32>,
    pub ids: Ids,
    pub globals: Globals<'u>,
    /// By original id: unit and index of functions.
    pub functions: FxHashMap<u32, (usize, usize)>,
    /// Original ids of the functions to write, in the order they were reached.
    pub reached: Vec<u32>,
    pub is_reached: FxHashSet<u32>,
    /// By original id of a function: the functions it calls, the variables it names.
    pub calls: FxHashMap<u32, Vec<u32>>,
    pub variables: FxHashMap<u32, Vec<u32>>,
    /// Units that something was taken from.
    pub is_used: Vec<bool>,
    /// The original ids that are written, those inside functions too.
    pub named: FxHashSet<u32>,
    /// Entry points of blocks whose names another module has too.
    pub renamed: FxHashMap<u32, String>,
}

pub(super) fn write(
    units: &[Unit],
    resolution: Resolution,
    options: LinkOptions,
) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let Resolution { alias, uses, kept } = resolution;
    let mut starts = Vec::new();
    let mut start = 0;
    for unit in units {
        starts.push(start);
        start += unit.bound;
    }
    let mut functions = FxHashMap::default();
    for (number, unit) in units.iter().enumerate() {
        for (index, function) in unit.functions.iter().enumerate() {
            functions.insert(function.id, (number, index));
        }
    }
    let mut linker = Linker {
        units,
        starts,
        ids: Ids::new(alias.len() as u32),
        globals: Globals::new(units, alias),
        functions,
        reached: Vec::new(),
        is_reached: FxHashSet::default(),
        calls: FxHashMap::default(),
        variables: FxHashMap::default(),
        is_used: vec![options.library; units.len()],
        named: FxHashSet::default(),
        renamed: blocks::renamed(units),
    };
    linker.check_kernels(options)?;
    linker.strings();
    linker.reach(&kept).map_err(|failure| vec![linker.explain(failure)])?;
    let mut errors = Vec::new();
    for used in &uses {
        match linker.types_of(used.import, used.definition) {
            Ok((a, b)) if a == b || linker.is_completed(a, b) => {}
            Ok((a, b)) => {
                let words = |id| types::text(&linker.globals, id);
                errors.push(other_type(units, used, &words(a), &words(b)));
            }
            Err(failure) => errors.push(linker.explain(failure)),
        }
    }
    errors.extend(linker.recursion());
    if !errors.is_empty() {
        return Err(errors);
    }
    linker.globals.finish(&mut linker.ids).map_err(|failure| vec![linker.explain(failure)])?;
    Ok(linker.words(&kept))
}

impl Linker<'_> {
    /// Kernels have names of their own, and a program has one at least.
    fn check_kernels(&self, options: LinkOptions) -> Result<(), Vec<Diagnostic>> {
        let mut kernels: FxHashMap<String, &str> = FxHashMap::default();
        let mut errors = Vec::new();
        for unit in self.units {
            for place in &unit.entry_points {
                let inst = unit.inst(place);
                let Some((name, _)) = string(&inst[3..]) else { continue };
                if self.renamed.contains_key(&inst[2]) {
                    continue;
                }
                if let Some(first) = kernels.insert(name.clone(), &unit.name) {
                    errors.push(defined_twice(&name, first, &unit.name));
                }
            }
        }
        if kernels.is_empty() && !options.library {
            errors.push(
                Diagnostic::without_place(&E0725, "none of the modules has a kernel")
                    .help("write `--create-library` to make a library of them"),
            );
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// OpString has no operands, and what is the same is one.
    fn strings(&mut self) {
        let mut known: FxHashMap<&[u32], u32> = FxHashMap::default();
        for unit in self.units {
            for place in &unit.strings {
                let inst = unit.inst(place);
                if opcode(inst) == Op::String as u32 {
                    let id = *known.entry(&inst[2..]).or_insert_with(|| self.ids.of(inst[1]));
                    self.ids.set(inst[1], id);
                }
            }
        }
    }

    /// Finds what the roots reach, and writes the globals among it.
    fn reach(&mut self, kept: &[(String, u32, LinkageType)]) -> Result<(), Failure> {
        let units = self.units;
        for unit in units {
            for place in &unit.entry_points {
                self.function(unit.inst(place)[2]);
            }
        }
        for &(_, id, _) in kept {
            self.root(id)?;
        }
        let mut next = 0;
        while let Some(&id) = self.reached.get(next) {
            next += 1;
            self.scan(id)?;
        }
        for unit in units {
            for inst in unit.decorations.values().flatten() {
                if opcode(inst) == Op::DecorateId as u32 {
                    for &id in &inst[3..] {
                        self.root(id)?;
                    }
                }
            }
            for place in &unit.execution_modes {
                let inst = unit.inst(place);
                if opcode(inst) == Op::ExecutionModeId as u32 {
                    for &id in &inst[3..] {
                        self.root(id)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn root(&mut self, id: u32) -> Result<(), Failure> {
        if self.functions.contains_key(&id) {
            self.function(id);
        } else if self.globals.is_global(id) {
            self.globals.require(&mut self.ids, id)?;
        }
        Ok(())
    }

    fn function(&mut self, id: u32) {
        let id = self.globals.alias[id as usize];
        if self.is_reached.insert(id) {
            self.reached.push(id);
            self.ids.of(id);
        }
    }

    /// Writes the globals that a function uses, and notes the functions that it calls.
    fn scan(&mut self, id: u32) -> Result<(), Failure> {
        let Some(&(unit, index)) = self.functions.get(&id) else {
            return Err(Failure::Missing(id));
        };
        self.is_used[unit] = true;
        let units = self.units;
        let unit = &units[unit];
        let mut calls = Vec::new();
        let mut variables = Vec::new();
        for place in &unit.functions[index].instructions {
            let inst = unit.inst(place);
            let mut globals = smallvec::SmallVec::<[u32; 8]>::new();
            let context = InUnit { unit };
            let _ = each_id(inst, &context, &mut |role, at| {
                let id = inst[at];
                if role == Role::Result {
                    return;
                }
                if self.functions.contains_key(&id) {
                    calls.push(self.globals.alias[id as usize]);
                } else if self.globals.is_global(id) {
                    globals.push(id);
                }
            });
            for id in globals {
                let written = self.globals.require(&mut self.ids, id)?;
                if let Some(set) = self.globals.variables.get(&written) {
                    variables.extend_from_slice(set);
                }
            }
        }
        for callee in &calls {
            self.function(*callee);
        }
        variables.sort_unstable();
        variables.dedup();
        calls.sort_unstable();
        calls.dedup();
        self.calls.insert(id, calls);
        self.variables.insert(id, variables);
        Ok(())
    }

    /// The final types of an import and of what takes its place.
    fn types_of(&mut self, import: u32, definition: u32) -> Result<(u32, u32), Failure> {
        let mut ty = |id: u32| {
            let ty = match self.functions.get(&id) {
                Some(&(unit, index)) => {
                    let unit = &self.units[unit];
                    unit.functions[index].instructions.first().map(|place| unit.inst(place)[4])
                }
                None => self.globals.own_definition(id).map(|inst| inst[1]),
            };
            self.globals.require(&mut self.ids, ty.ok_or(Failure::Missing(id))?)
        };
        Ok((ty(import)?, ty(definition)?))
    }

    /// Whether an import is an array whose length its part of the program does not know, which it
    /// then has one element of, and the definition says it.
    fn is_completed(&mut self, import: u32, definition: u32) -> bool {
        let mut array = |pointer: u32| {
            let [_, _, class, pointee] = *self.globals.final_definition(pointer)? else {
                return None;
            };
            let &[head, _, element, length] = self.globals.definition(pointee)? else {
                return None;
            };
            if head & 0xffff != Op::TypeArray as u32 {
                return None;
            }
            let length = *self.globals.definition(length)?.get(3)?;
            let element = self.globals.require(&mut self.ids, element).ok()?;
            Some((class, element, length))
        };
        match (array(import), array(definition)) {
            (Some((class, element, 1)), Some((other_class, other_element, _))) => {
                (class, element) == (other_class, other_element)
            }
            _ => false,
        }
    }

    /// Linking may close a circle of calls (SPIR-V 2.16.1).
    fn recursion(&self) -> Option<Diagnostic> {
        let mut done: FxHashMap<u32, bool> = FxHashMap::default();
        for &root in &self.reached {
            let mut stack = vec![(root, 0)];
            while let Some((id, next)) = stack.pop() {
                if next == 0 {
                    if done.get(&id) == Some(&true) {
                        continue;
                    }
                    done.insert(id, false);
                }
                let callees = self.calls.get(&id).map_or(&[][..], Vec::as_slice);
                let Some(&callee) = callees.get(next) else {
                    done.insert(id, true);
                    continue;
                };
                stack.push((id, next + 1));
                match done.get(&callee) {
                    Some(true) => {}
                    Some(false) => return Some(self.recursive(callee)),
                    None => stack.push((callee, 0)),
                }
            }
        }
        None
    }

    fn recursive(&self, id: u32) -> Diagnostic {
        let unit = &self.units[owner_of(self.units, &self.starts, id)];
        let name = unit.name_of(id).unwrap_or_else(|| "a function".to_owned());
        Diagnostic::without_place(
            &E0701,
            format!("`{name}`, defined by `{}`, calls itself through other modules", unit.name),
        )
        .help("kernels have no stack: write a loop")
    }

    fn explain(&self, failure: Failure) -> Diagnostic {
        match failure {
            Failure::Missing(id) => {
                let number = owner_of(self.units, &self.starts, id);
                let own = id - self.starts[number];
                unreadable(&self.units[number].name, &format!("it never defines its id {own}"))
            }
            Failure::Circle(id) => {
                let unit = &self.units[owner_of(self.units, &self.starts, id)];
                let name = unit.name_of(id).unwrap_or_else(|| "a variable".to_owned());
                Diagnostic::without_place(
                    &E0705,
                    format!(
                        "the initializer of `{name}`, defined by `{}`, depends on its own address",
                        unit.name
                    ),
                )
                .help("store the address in a kernel that runs first")
            }
        }
    }

    /// Everything, section by section (SPIR-V 2.4).
    fn words(mut self, kept: &[(String, u32, LinkageType)]) -> Vec<u32> {
        let units = self.units;
        let mut sets: FxHashMap<&str, u32> = FxHashMap::default();
        let mut imports = Words::default();
        for (unit, _) in units.iter().zip(&self.is_used).filter(|(_, used)| **used) {
            for (id, name) in &unit.sets {
                let known = sets.get(name.as_str()).copied();
                let set = known.unwrap_or_else(|| {
                    let set = self.ids.of(*id);
                    let start = imports.begin(Op::ExtInstImport);
                    imports.push(set);
                    imports.string(name);
                    imports.end(start);
                    sets.insert(name, set);
                    set
                });
                self.ids.set(*id, set);
            }
        }
        let code = self.code();
        let version = self.used().map(|unit| unit.version).max().unwrap_or(0x0001_0000);
        let entry_points = self.entry_points(version);
        let mut out = Words::default();
        out.words.extend_from_slice(&[spirv::MAGIC_NUMBER, version, 0, 0, 0]);
        // Without it a module has to have an entry point, and a library of nothing has none.
        let has_linkage = !kept.is_empty() || entry_points.words.is_empty();
        let capabilities: BTreeSet<u32> = self
            .used()
            .flat_map(|unit| unit.capabilities.iter().copied())
            .filter(|&capability| capability != Capability::Linkage as u32)
            .chain(has_linkage.then_some(Capability::Linkage as u32))
            .collect();
        for capability in capabilities {
            out.op(Op::Capability, &[capability]);
        }
        let extensions: BTreeSet<&str> = self
            .used()
            .flat_map(|unit| unit.extensions.iter().map(String::as_str))
            .filter(|name| !kept.is_empty() || *name != "SPV_KHR_linkonce_odr")
            .collect();
        for extension in extensions {
            let start = out.begin(Op::Extension);
            out.string(extension);
            out.end(start);
        }
        out.words.extend_from_slice(&imports.words);
        let model = units.first().map_or([0, 0], |unit| unit.memory_model);
        out.op(Op::MemoryModel, &model);
        out.words.extend_from_slice(&entry_points.words);
        for unit in units {
            for place in &unit.execution_modes {
                self.copy(unit, unit.inst(place), &mut out.words);
            }
        }
        self.contraction(&mut out);
        self.sources(&mut out);
        self.names(&mut out);
        self.decorations(kept, &mut out);
        out.words.extend_from_slice(&self.globals.out);
        out.words.extend_from_slice(&code);
        out.words[3] = self.ids.next;
        out.words
    }

    fn used(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().zip(&self.is_used).filter(|(_, used)| **used).map(|(unit, _)| unit)
    }

    /// The functions: those without a body first.
    fn code(&mut self) -> Vec<u32> {
        let units = self.units;
        let (mut declared, mut defined) = (Vec::new(), Vec::new());
        for unit in units {
            for function in &unit.functions {
                if !self.is_reached.contains(&function.id) {
                    continue;
                }
                let section = if function.has_body { &mut defined } else { &mut declared };
                self.one_function(unit, function, section);
            }
        }
        declared.append(&mut defined);
        declared
    }

    fn one_function(&mut self, unit: &Unit, function: &Function, out: &mut Vec<u32>) {
        for place in &function.instructions {
            self.copy(unit, unit.inst(place), out);
        }
    }

    /// Appends an instruction with final ids.
    pub fn copy(&mut self, unit: &Unit, inst: &[u32], out: &mut Vec<u32>) {
        let start = out.len();
        out.extend_from_slice(inst);
        let copied = &mut out[start..];
        let (ids, globals) = (&mut self.ids, &self.globals);
        let _ = each_id(inst, &InUnit { unit }, &mut |_, at| {
            copied[at] = ids.of(globals.alias[inst[at] as usize]);
        });
    }
}

/// What an instruction of a function has to know of its module.
pub(super) struct InUnit<'a> {
    pub unit: &'a Unit,
}

impl Context for InUnit<'_> {
    fn literal_words(&self, selector: u32) -> Option<usize> {
        Some(if self.unit.wide_selectors.contains(&selector) { 2 } else { 1 })
    }

    fn instruction_set(&self, id: u32) -> Option<&str> {
        self.unit.sets.iter().find(|(set, _)| *set == id).map(|(_, name)| name.as_str())
    }
}
