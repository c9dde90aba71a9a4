//! Entry points: interface, execution modes, argument information.

use std::rc::Rc;

use clc_ir::{EntryPoint, FuncId};
use rustc_hash::FxHashMap;
use spirv::{Capability, ExecutionMode, ExecutionModel, Op};

use super::{Id, ModuleEmitter};

/// What a function refers to.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// Module-scope variables.
    pub variables: Vec<Id>,
    pub callees: Vec<FuncId>,
}

impl Uses {
    /// Sorts and removes duplicates.
    pub fn normalize(&mut self) {
        self.variables.sort_unstable();
        self.variables.dedup();
        self.callees.sort_unstable();
        self.callees.dedup();
    }
}

impl ModuleEmitter<'_> {
    pub(super) fn entry_points(&mut self, kernels: &[FuncId]) {
        let functions = self.functions;
        let mut interfaces = FxHashMap::default();
        for &kernel in kernels {
            let Some(entry) = functions[kernel].entry_point.as_deref() else { continue };
            let id = self.function_id(kernel);
            let interface = self.interface(kernel, &mut interfaces);
            let start = self.entry_points.begin(Op::EntryPoint);
            let model = match self.shader {
                Some(_) => ExecutionModel::GLCompute,
                None => ExecutionModel::Kernel,
            };
            self.entry_points.push(model as u32);
            self.entry_points.push(id);
            self.entry_points.string(&entry.name);
            self.entry_points.words.extend_from_slice(&interface);
            self.entry_points.end(start);
            if self.shader.is_some() {
                self.shader_execution_modes(id, entry);
                continue;
            }
            self.execution_modes(id, entry);
            if self.options.kernel_arg_info {
                self.argument_strings(entry);
            }
        }
    }

    /// The variables that the call tree of `root` uses; before SPIR-V 1.4 only built-in ones.
    /// Each function's set is made once, after those of its callees.
    fn interface(&self, root: FuncId, done: &mut FxHashMap<FuncId, Rc<[Id]>>) -> Rc<[Id]> {
        let mut stack = vec![(root, false)];
        while let Some((function, callees_done)) = stack.pop() {
            if done.contains_key(&function) {
                continue;
            }
            let Some(uses) = self.uses.get(&function) else {
                done.insert(function, Rc::default());
                continue;
            };
            if !callees_done {
                stack.push((function, true));
                stack.extend(
                    uses.callees
                        .iter()
                        .filter(|callee| !done.contains_key(callee))
                        .map(|&callee| (callee, false)),
                );
                continue;
            }
            let all = self.version_at_least(1, 4);
            let mut variables: Vec<Id> =
                uses.variables.iter().copied().filter(|&id| all || self.is_input(id)).collect();
            for callee in &uses.callees {
                // Recursion, which is an error elsewhere, finds nothing here.
                variables.extend(done.get(callee).iter().flat_map(|set| set.iter()));
            }
            variables.sort_unstable();
            variables.dedup();
            done.insert(function, variables.into());
        }
        done.get(&root).cloned().unwrap_or_default()
    }

    fn execution_modes(&mut self, id: Id, entry: &EntryPoint) {
        let extents = entry.work_group_constants.map(|all| all.map(|it| self.group_extent(it)));
        let mut mode = |mode: ExecutionMode, operands: &[u32]| {
            let op = match mode {
                ExecutionMode::LocalSizeId => Op::ExecutionModeId,
                _ => Op::ExecutionMode,
            };
            let start = self.execution_modes.begin(op);
            self.execution_modes.push(id);
            self.execution_modes.push(mode as u32);
            self.execution_modes.words.extend_from_slice(operands);
            self.execution_modes.end(start);
        };
        if let Some(extents) = extents {
            mode(ExecutionMode::LocalSizeId, &extents);
        }
        if let Some(size) = entry.reqd_work_group_size {
            mode(ExecutionMode::LocalSize, &size);
        }
        if let Some(size) = entry.work_group_size_hint {
            mode(ExecutionMode::LocalSizeHint, &size);
        }
        if let Some(hint) = entry.vec_type_hint {
            mode(ExecutionMode::VecTypeHint, &[hint]);
        }
        if entry.contraction_off {
            mode(ExecutionMode::ContractionOff, &[]);
        }
        let flush = self.float_options.denorms_are_zero
            && self.options.extensions.asks_for("SPV_KHR_float_controls");
        if flush {
            mode(ExecutionMode::DenormFlushToZero, &[32]);
        }
        if let Some(size) = entry.sub_group_size {
            mode(ExecutionMode::SubgroupSize, &[size]);
            self.capability(Capability::SubgroupDispatch);
        }
        if flush {
            self.capability(Capability::DenormFlushToZero);
            if !self.version_at_least(1, 4) {
                self.extension("SPV_KHR_float_controls");
            }
        }
    }

    /// The words of the source as strings, in the form that the translators between SPIR-V and
    /// LLVM read them: `kernel_arg_type.NAME.float*,int,`. Names of arguments are OpName, access
    /// and address space follow from the types.
    fn argument_strings(&mut self, entry: &EntryPoint) {
        let mut types = format!("kernel_arg_type.{}.", entry.name);
        let mut qualifiers = format!("kernel_arg_type_qual.{}.", entry.name);
        for argument in &entry.arguments {
            types.push_str(&argument.type_name);
            types.push(',');
            qualifiers.push_str(&argument.type_qualifiers);
            qualifiers.push(',');
        }
        self.string(&types);
        self.string(&qualifiers);
    }
}
