//! A function: parameters, blocks in dominance order.

use clc_base::Span;
use clc_base::arena::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    Block, FuncId, Function, InstKind, Linkage, MathFlags, ParamAttributes, StorageClass, Type,
    Value, ValueList, structured,
};
use smallvec::SmallVec;
use spirv::{Decoration, FunctionControl, FunctionParameterAttribute, LinkageType, Op};

use super::entry_points::Uses;
use super::phis::Patch;
use super::{Id, ModuleEmitter};

/// A call of an intrinsic.
pub(crate) struct Call<'a> {
    pub intrinsic: Intrinsic,
    pub arguments: &'a [Value],
    /// `Void` for none.
    pub result: Type,
    pub math: MathFlags,
}

/// The function that is being written.
pub(crate) struct FunctionEmitter<'e, 'm> {
    pub module: &'e mut ModuleEmitter<'m>,
    pub function: &'m Function,
    /// Where the current instruction comes from.
    pub span: Span,
    /// By local value; 0 until defined.
    pub(super) value_ids: Vec<Id>,
    /// By block; 0 for unreachable blocks.
    pub(super) labels: Vec<Id>,
    /// By block: its predecessors with what they pass to its parameters.
    pub(super) incoming: Vec<SmallVec<[(Block, ValueList); 2]>>,
    /// By local value: an address that is part of the access chain that alone uses it.
    pub(super) merged: Vec<bool>,
    pub(super) patches: Vec<Patch>,
    pub(super) uses: Uses,
    /// By loop header: the block that jumps back to it, `None` if several do. Filled where the
    /// function has wishes about loops.
    pub(super) latches: rustc_hash::FxHashMap<Block, Option<Block>>,
    /// Merge blocks of the loops announced so far: a block may be that of one loop only.
    pub(super) merge_blocks: rustc_hash::FxHashSet<Block>,
    /// The labels of merge blocks of loops that have none, which come last.
    pub(super) made_merges: Vec<Id>,
}

impl<'m> ModuleEmitter<'m> {
    pub(super) fn function(&mut self, id: FuncId) {
        let functions = self.functions;
        let function: &'m Function = &functions[id];
        let function_id = self.function_id(id);
        let result = self.value_type_id(function.result);
        let ty = self.function_type(function.result, &function.params);
        let is_kernel = function.entry_point.is_some();
        self.name(function_id, &function.name);
        match function.linkage {
            Linkage::Internal => {}
            // An entry point is never exported (SPIR-V 2.16.1).
            Linkage::Export if is_kernel || self.shader.is_some() => {}
            Linkage::Export => {
                let symbol = &function.name;
                self.linkage(function_id, symbol, LinkageType::Export);
            }
            Linkage::Import => self.linkage(function_id, &function.name, LinkageType::Import),
        }
        let mut control = FunctionControl::NONE;
        if function.always_inline {
            control |= FunctionControl::INLINE;
        }
        if function.no_inline {
            control |= FunctionControl::DONT_INLINE;
        }
        if function.is_const {
            control |= FunctionControl::CONST;
        }
        if function.is_pure {
            control |= FunctionControl::PURE;
        }
        let start = self.code.words.len();
        self.code.op_result(Op::Function, result, function_id, &[control.bits(), ty]);
        let mut params: SmallVec<[Id; 8]> = SmallVec::new();
        for (index, &ty) in function.params.iter().enumerate() {
            let ty = self.value_type_id(ty);
            let param = self.fresh_id();
            self.code.op(Op::FunctionParameter, &[ty, param]);
            let name = function.param_names.get(index).map_or("", String::as_str);
            if is_kernel && self.options.kernel_arg_info && !name.is_empty() {
                self.name_always(param, name);
            } else {
                self.name(param, name);
            }
            if let Some(attributes) = function.param_attributes.get(index)
                && self.shader.is_none()
            {
                self.parameter_attributes(param, attributes);
            }
            params.push(param);
        }
        if self.shader.is_some() {
            self.say_aliased(function, &params);
        }
        let mut uses = Uses::default();
        if function.is_declaration() {
            debug_assert_eq!(function.linkage, Linkage::Import, "{}", function.name);
            self.code.op(Op::FunctionEnd, &[]);
            let words = self.code.words.split_off(start);
            self.imported_functions.words.extend_from_slice(&words);
        } else {
            uses = FunctionEmitter::new(self, function).body(function_id, &params);
            self.code.op(Op::FunctionEnd, &[]);
        }
        self.check_length(function.span, &function.name, false);
        uses.normalize();
        self.uses.insert(id, uses);
    }

    /// Shaders' drivers take arguments that are variables for different ones, unless it is said (SPIR-V 2.18.2).
    fn say_aliased(&mut self, function: &Function, params: &[Id]) {
        let class = |ty| self.types.pointer_parts(ty).map(|(_, class)| class);
        let pointers: Vec<Id> = (function.params.iter().zip(params))
            .filter(|&(&ty, _)| class(ty) == Some(StorageClass::Function))
            .map(|(_, &param)| param)
            .collect();
        if pointers.len() > 1 {
            for param in pointers {
                self.decorate(param, Decoration::Aliased, &[]);
            }
        }
    }

    fn parameter_attributes(&mut self, param: Id, attributes: &ParamAttributes) {
        let ParamAttributes {
            no_write,
            no_alias,
            volatile,
            by_value,
            sign_extend,
            zero_extend,
            align,
        } = *attributes;
        for (set, attribute) in [
            (zero_extend, FunctionParameterAttribute::Zext),
            (sign_extend, FunctionParameterAttribute::Sext),
            (by_value, FunctionParameterAttribute::ByVal),
            (no_alias, FunctionParameterAttribute::NoAlias),
            (no_write, FunctionParameterAttribute::NoWrite),
        ] {
            if set {
                self.decorate(param, Decoration::FuncParamAttr, &[attribute as u32]);
            }
        }
        if volatile {
            self.decorate(param, Decoration::Volatile, &[]);
        }
        if align != 0 {
            self.decorate(param, Decoration::Alignment, &[align]);
        }
    }
}

impl<'e, 'm> FunctionEmitter<'e, 'm> {
    fn new(module: &'e mut ModuleEmitter<'m>, function: &'m Function) -> FunctionEmitter<'e, 'm> {
        FunctionEmitter {
            module,
            function,
            span: function.span,
            value_ids: vec![0; function.values.len()],
            labels: vec![0; function.blocks.len()],
            incoming: vec![SmallVec::new(); function.blocks.len()],
            merged: Vec::new(),
            patches: Vec::new(),
            uses: Uses::default(),
            latches: Default::default(),
            merge_blocks: Default::default(),
            made_merges: Vec::new(),
        }
    }

    fn body(mut self, function_id: Id, params: &[Id]) -> Uses {
        let function = self.function;
        let order = structured::block_order(function);
        for &block in &order {
            self.labels[block.index()] = self.module.fresh_id();
        }
        for &block in &order {
            for target in function.blocks[block].terminator.targets() {
                // Labels ascend in dominance order.
                let is_back_edge = self.labels[target.block.index()] <= self.labels[block.index()];
                if is_back_edge && !function.loop_hints.is_empty() {
                    self.latches
                        .entry(target.block)
                        .and_modify(|latch| *latch = latch.filter(|&other| other == block))
                        .or_insert(Some(block));
                }
                if function.blocks[target.block].params.is_empty() {
                    continue;
                }
                let incoming = &mut self.incoming[target.block.index()];
                // Two edges from one block to another pass the same values here: legalisation
                // has split them otherwise.
                if incoming.last().is_none_or(|&(last, _)| last != block) {
                    incoming.push((block, target.arguments));
                }
            }
        }
        self.merged = self.merged_addresses(&order);
        let entry = function.entry();
        for (&param, &id) in function.blocks[entry].params.iter().zip(params) {
            self.value_ids[param.as_local().unwrap_or_default()] = id;
        }
        let positions = self.debug_positions();
        for &block in &order {
            self.module.code.op(Op::Label, &[self.labels[block.index()]]);
            if block == entry {
                self.variables(block);
                self.debug_definition(function_id);
            } else {
                self.phis(block);
            }
            for &inst in &function.blocks[block].insts {
                let data = &function.insts[inst];
                if let Some(positions) = &positions {
                    self.debug_values(positions.get(&(block, Some(inst))));
                }
                if matches!(data.kind, InstKind::Variable { .. }) {
                    continue;
                }
                if data.result.is_some_and(|result| self.is_merged(result)) {
                    continue;
                }
                self.line(data.location);
                let id = self.instruction(data);
                if let Some(result) = data.result {
                    self.value_ids[result.as_local().unwrap_or_default()] = id;
                    self.name_value(result, id);
                }
            }
            if let Some(positions) = &positions {
                self.debug_values(positions.get(&(block, None)));
            }
            self.line(function.blocks[block].location);
            self.terminator(block);
            self.end_lines();
        }
        for label in std::mem::take(&mut self.made_merges) {
            self.module.code.op(Op::Label, &[label]);
            self.op_void(Op::Unreachable, &[]);
        }
        self.patch_phis();
        self.uses
    }

    /// The variables of the entry block, wherever they stand there.
    fn variables(&mut self, entry: Block) {
        let function = self.function;
        for &inst in &function.blocks[entry].insts {
            let data = &function.insts[inst];
            let (InstKind::Variable { ty, align }, Some(result)) = (data.kind, data.result) else {
                continue;
            };
            let pointer = self.module.type_id(self.ty(result));
            let id = self.op_raw(Op::Variable, pointer, &[super::types::FUNCTION_CLASS]);
            if self.module.shader.is_none() {
                self.module.align_variable(id, ty, align);
            }
            self.value_ids[result.as_local().unwrap_or_default()] = id;
            self.name_value(result, id);
        }
    }

    pub(super) fn name_value(&mut self, value: Value, id: Id) {
        if self.module.options.names
            && let Some(name) = self.function.value_names.get(&value)
        {
            self.module.name(id, name);
        }
    }

    pub(super) fn is_merged(&self, value: Value) -> bool {
        value.as_local().is_some_and(|index| self.merged[index])
    }

    /// Finds the addresses whose only use is as the base of an access chain: they become part of
    /// it, as OpenCL drivers expect of `p[i].x`.
    fn merged_addresses(&self, order: &[Block]) -> Vec<bool> {
        const NONE: u8 = 0;
        const ONE_CHAIN: u8 = 1;
        const OTHER: u8 = 2;
        let function = self.function;
        let mut uses = vec![NONE; function.values.len()];
        let other = |value: Value, uses: &mut Vec<u8>| {
            if let Some(index) = value.as_local() {
                uses[index] = OTHER;
            }
        };
        for &block in order {
            for &inst in &function.blocks[block].insts {
                if let InstKind::Access { base, indices } = function.insts[inst].kind {
                    if let Some(index) = base.as_local() {
                        uses[index] = if uses[index] == NONE { ONE_CHAIN } else { OTHER };
                    }
                    function.values_of(indices).for_each(|value| other(value, &mut uses));
                } else {
                    function.each_operand(inst, |value| other(value, &mut uses));
                }
            }
            function.each_terminator_operand(block, |value| other(value, &mut uses));
        }
        uses.iter()
            .zip(&function.values)
            .map(|(&uses, value)| {
                uses == ONE_CHAIN
                    && matches!(value.def, clc_ir::ValueDef::Inst(inst) if matches!(
                        function.insts[inst].kind,
                        InstKind::PtrAdd { .. } | InstKind::Access { .. }
                    ))
            })
            .collect()
    }
}
