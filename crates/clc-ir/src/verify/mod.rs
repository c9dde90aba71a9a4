//! The verifier.
//!
//! A module that it accepts keeps these invariants; every pass may rely on them and must preserve
//! them.
//!
//!  1. The layout names each block at most once. The entry has the function's parameters, and no
//!     edge leads to it.
//!  2. A block of the layout ends in a terminator whose destinations are in the layout and get an
//!     argument of the right type for each parameter.
//!  3. An instruction is in at most one block; its result's definition is that instruction; a
//!     parameter's definition is that position in that block.
//!  4. A definition dominates its uses (in unreachable blocks: it only has to exist).
//!  5. The operands and the result of an instruction have the types that its kind requires. `nsw` is said of
//!     sums, differences and products of integers alone.
//!  6. Variables are in the entry block, before all other instructions.
//!  7. Indices into structs are constant; paths into values exist.
//!  8. The selector of a switch is an integer, and its cases are distinct and fit.
//!  9. Returns have a value of the function's result type, or none if that is void.
//! 10. A call has an argument of the right type for each parameter of the callee. The callee may be
//!     a kernel: the back end separates such a kernel's body from its entry.
//! 11. An initializer is a constant of its global's type.
//! 12. What is loaded or stored can live in memory and is what the pointer points to; alignments
//!     are powers of two. No store is `unwritten` or to a read-only buffer.
//! 13. Constants are canonical: no bits above the width, no scalar `Null`, parts of the right
//!     types.
//! 14. Atomics have the orders that their kind can have; a fence orders some memory. Intrinsics that
//!     lowering writes out do not occur.
//! 15. The tables of debug information name types, scopes, variables and places that they have; an
//!     instruction and what is said of variables, too.
//! 16. A variable of the source holds a value whose definition dominates the position, which is in a
//!     block of the layout; its memory is private.
//! 17. A function where a block heads a structured construct is structured as a whole, by the
//!     numbered rules at the head of `structured.rs`.

mod debug;
mod instructions;

use std::fmt;

use clc_base::{Id, Span};

use crate::print::{inst_text, type_text};
use crate::{
    Block, BlockCall, Cfg, Const, Dominators, Function, ImageType, Inst, InstKind, Module,
    Terminator, Type, TypeKind, TypePool, Value, ValueDef,
};

/// A broken invariant: which one, and where.
#[derive(Clone, Debug)]
pub struct VerifierError {
    /// The function it is in; empty for constants and globals.
    pub function: String,
    /// Which invariant is broken, where.
    pub message: String,
    /// Of the instruction or function in the source.
    pub span: Span,
}

impl fmt::Display for VerifierError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.function.is_empty() {
            write!(f, "in function `{}`: ", self.function)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifierError {}

/// Checks every invariant; reports the first that is broken.
pub fn module(module: &Module) -> Result<(), VerifierError> {
    let error = |message| VerifierError { function: String::new(), message, span: Span::NONE };
    constants(module).map_err(error)?;
    debug::tables(module).map_err(error)?;
    for (id, global) in module.globals.iter() {
        if let Some(value) = global.initializer {
            let Some(constant) = value.as_const() else {
                return Err(error(format!("the initializer of {id} is not a constant")));
            };
            let ty = module.consts.ty(constant);
            if ty != global.ty {
                let (found, wanted) =
                    (type_text(&module.types, ty), type_text(&module.types, global.ty));
                return Err(error(format!("{id} is {wanted}, its initializer {found}")));
            }
        }
        if !global.align.is_power_of_two() {
            return Err(error(format!("the alignment of {id} is {}", global.align)));
        }
    }
    for function in module.functions.values() {
        let mut verifier = Verifier {
            module,
            function,
            span: function.span,
            homes: Vec::new(),
            positions: Vec::new(),
        };
        verifier.function().map_err(|message| VerifierError {
            function: function.name.clone(),
            message,
            span: verifier.span,
        })?;
    }
    Ok(())
}

fn constants(module: &Module) -> Result<(), String> {
    let types = &module.types;
    let text = |ty| type_text(types, ty);
    for (id, constant) in module.consts.iter() {
        let operand = |value: Value| match value.as_const() {
            Some(part) if part < id => Ok(module.consts.ty(part)),
            _ => Err(format!("constant {id} is made of {value}")),
        };
        match constant {
            Const::Int(ty, bits) => match types.kind(*ty) {
                TypeKind::Int(64) => {}
                TypeKind::Int(width) if bits >> width == 0 => {}
                _ => return Err(format!("constant {id}: {} {bits:#x}", text(*ty))),
            },
            Const::Float(ty, bits) => match types.kind(*ty) {
                TypeKind::Float(64) => {}
                TypeKind::Float(width) if bits >> width == 0 => {}
                _ => return Err(format!("constant {id}: {} {bits:#x}", text(*ty))),
            },
            Const::Null(ty) => {
                if matches!(
                    types.kind(*ty),
                    TypeKind::Bool | TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Void
                ) {
                    return Err(format!("constant {id}: null of {}", text(*ty)));
                }
            }
            Const::Composite(ty, parts) => {
                let count = match types.kind(*ty) {
                    TypeKind::Vector(_, count) => u64::from(count),
                    TypeKind::Array(_, len) => len,
                    TypeKind::Struct(id) => types.struct_data(id).fields.len() as u64,
                    _ => return Err(format!("constant {id}: composite {}", text(*ty))),
                };
                let is_short = matches!(types.kind(*ty), TypeKind::Array(_, len) if len > crate::FULL_ARRAY)
                    && (parts.len() as u64) < count;
                if count != parts.len() as u64 && !is_short {
                    return Err(format!("constant {id}: {} of {} parts", text(*ty), parts.len()));
                }
                for (index, &part) in parts.iter().enumerate() {
                    let found = operand(part)?;
                    if types.component(*ty, index as u32) != Some(found) {
                        return Err(format!(
                            "constant {id}: part {index} of {} is {}",
                            text(*ty),
                            text(found)
                        ));
                    }
                }
            }
            Const::GlobalAddress(ty, global) => {
                let Some(data) = module.globals.get(*global) else {
                    return Err(format!("constant {id}: no {global}"));
                };
                if types.pointer_parts(*ty) != Some((data.ty, data.class)) {
                    return Err(format!("constant {id}: the type of {global} is {}", text(*ty)));
                }
            }
            Const::FunctionAddress(_, function) => {
                if module.functions.get(*function).is_none() {
                    return Err(format!("constant {id}: no {function}"));
                }
            }
            Const::Access { ty, base, step: _, indices } => {
                let base = operand(*base)?;
                for &index in indices {
                    if !types.is_int(operand(index)?) {
                        return Err(format!("constant {id}: an index is not an integer"));
                    }
                }
                if !types.is_pointer(base) || !types.is_pointer(*ty) {
                    return Err(format!("constant {id}: {} from {}", text(*ty), text(base)));
                }
            }
            Const::Cast { ty: _, operand: value } => {
                operand(*value)?;
            }
            Const::Descriptor { ty, .. } => match types.kind(*ty) {
                TypeKind::Sampler | TypeKind::Image(ImageType { texel: Some(_), .. }) => {}
                _ => return Err(format!("constant {id}: descriptor of {}", text(*ty))),
            },
            Const::Spec { ty, .. } => {
                if !matches!(types.kind(*ty), TypeKind::Int(_)) {
                    return Err(format!("constant {id}: specialization constant {}", text(*ty)));
                }
            }
            Const::Undef(_) | Const::Bool(_) | Const::Sampler(..) => {}
        }
    }
    Ok(())
}

struct Verifier<'a> {
    module: &'a Module,
    function: &'a Function,
    /// Where the source is that led to what is being checked.
    span: Span,
    /// By instruction: the block it is in.
    homes: Vec<Option<Block>>,
    /// By instruction: its index there.
    positions: Vec<u32>,
}

type Check = Result<(), String>;

impl Verifier<'_> {
    fn function(&mut self) -> Check {
        let function = self.function;
        if function.is_declaration() {
            return Ok(());
        }
        let mut in_layout = vec![false; function.blocks.len()];
        for &block in &function.layout {
            if std::mem::replace(&mut in_layout[block.index()], true) {
                return Err(format!("{block} is twice in the layout"));
            }
        }
        let entry = function.entry();
        let params: Vec<Type> =
            function.blocks[entry].params.iter().map(|&param| self.ty(param)).collect();
        if params != function.params {
            return Err("the parameters of the entry are not the function's".into());
        }

        self.homes = vec![None; function.insts.len()];
        self.positions = vec![0; function.insts.len()];
        for &block in &function.layout {
            for (index, &param) in function.blocks[block].params.iter().enumerate() {
                if function.def(param) != Some(ValueDef::Param(block, index as u32)) {
                    return Err(format!("{param} is not defined as parameter {index} of {block}"));
                }
            }
            for (position, &inst) in function.blocks[block].insts.iter().enumerate() {
                if self.homes[inst.index()].replace(block).is_some() {
                    return Err(format!("{inst} occurs twice"));
                }
                self.positions[inst.index()] = position as u32;
                if let Some(result) = function.insts[inst].result
                    && function.def(result) != Some(ValueDef::Inst(inst))
                {
                    return Err(format!("{result} is not defined as the result of {inst}"));
                }
            }
        }
        for &block in &function.layout {
            for target in function.blocks[block].terminator.targets() {
                if !in_layout.get(target.block.index()).is_some_and(|&known| known) {
                    return Err(format!("{block} goes to {}, which is removed", target.block));
                }
                if target.block == entry {
                    return Err(format!("{block} goes to the entry"));
                }
            }
        }

        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        for &block in &function.layout {
            let data = &function.blocks[block];
            let mut variables_end = false;
            for (position, &inst) in data.insts.iter().enumerate() {
                self.span = function.insts[inst].location.span;
                if let InstKind::Variable { .. } = function.insts[inst].kind {
                    if block != entry || variables_end {
                        return Err(format!(
                            "a variable after other instructions: {}",
                            inst_text(self.module, function, inst)
                        ));
                    }
                } else {
                    variables_end = true;
                }
                let mut broken = None;
                function.each_operand(inst, |value| {
                    if broken.is_none() {
                        broken =
                            self.available(&cfg, &dominators, value, block, position as u32).err();
                    }
                });
                if let Some(message) = broken {
                    return Err(self.at(inst, &message));
                }
                self.inst(inst)?;
            }
            self.span = data.location.span;
            let mut broken = None;
            function.each_terminator_operand(block, |value| {
                if broken.is_none() {
                    broken = self.available(&cfg, &dominators, value, block, u32::MAX).err();
                }
            });
            if let Some(message) = broken {
                return Err(format!("at the end of {block}: {message}"));
            }
            self.terminator(block)?;
        }
        self.debug(&cfg, &dominators)?;
        crate::structured::check(function)
    }

    fn at(&self, inst: Inst, message: &str) -> String {
        format!("{message}: {}", inst_text(self.module, self.function, inst))
    }

    fn ty(&self, value: Value) -> Type {
        self.module.value_type(self.function, value)
    }

    fn text(&self, ty: Type) -> String {
        type_text(&self.module.types, ty)
    }

    /// Whether `value` is defined wherever control is at `position` of `block`.
    fn available(
        &self,
        cfg: &Cfg,
        dominators: &Dominators,
        value: Value,
        block: Block,
        position: u32,
    ) -> Check {
        let Some(index) = value.as_local() else {
            return match value.as_const() {
                Some(id) if id.index() < self.module.consts.len() => Ok(()),
                _ => Err(format!("{value} does not exist")),
            };
        };
        let Some(data) = self.function.values.get(index) else {
            return Err(format!("{value} does not exist"));
        };
        let (home, defined) = match data.def {
            ValueDef::Param(home, index) => {
                let exists = self
                    .function
                    .blocks
                    .get(home)
                    .is_some_and(|data| data.params.get(index as usize) == Some(&value));
                if !exists {
                    return Err(format!("{value} is a parameter that was removed"));
                }
                (home, 0)
            }
            ValueDef::Inst(inst) => match self.homes.get(inst.index()) {
                Some(&Some(home)) => (home, self.positions[inst.index()] + 1),
                _ => return Err(format!("{value} is the result of a removed instruction")),
            },
        };
        let defined_before =
            if home == block { defined <= position } else { dominators.dominates(home, block) };
        if defined_before || !cfg.is_reachable(block) {
            Ok(())
        } else {
            Err(format!("{value} does not dominate its use"))
        }
    }

    fn terminator(&self, block: Block) -> Check {
        let function = self.function;
        let types = &self.module.types;
        let data = &function.blocks[block];
        for BlockCall { block: target, arguments } in data.terminator.targets() {
            let params = &function.blocks[target].params;
            if params.len() != arguments.len() {
                return Err(format!(
                    "{block} passes {target} {} arguments for {} parameters",
                    arguments.len(),
                    params.len()
                ));
            }
            for (&param, argument) in params.iter().zip(function.values_of(arguments)) {
                if self.ty(param) != self.ty(argument) {
                    return Err(format!(
                        "{block} passes for {param} of {target}, {}, a {}",
                        self.text(self.ty(param)),
                        self.text(self.ty(argument))
                    ));
                }
            }
        }
        match &data.terminator {
            Terminator::None => Err(format!("{block} has no terminator")),
            Terminator::Jump(_) | Terminator::Unreachable => Ok(()),
            Terminator::Branch { condition, .. } => {
                if self.ty(*condition) == TypePool::BOOL {
                    Ok(())
                } else {
                    Err(format!("the condition of {block} is not a bool"))
                }
            }
            Terminator::Switch { selector, cases, .. } => {
                let TypeKind::Int(width) = types.kind(self.ty(*selector)) else {
                    return Err(format!("the selector of {block} is not an integer"));
                };
                let mut values: Vec<u64> = cases.iter().map(|case| case.value).collect();
                values.sort_unstable();
                if values.windows(2).any(|pair| pair[0] == pair[1]) {
                    return Err(format!("{block} has a case twice"));
                }
                if width < 64 && values.last().is_some_and(|&value| value >> width != 0) {
                    return Err(format!("a case of {block} does not fit its selector"));
                }
                Ok(())
            }
            Terminator::Return(value) => {
                let found = value.map_or(TypePool::VOID, |value| self.ty(value));
                if found == function.result {
                    Ok(())
                } else {
                    Err(format!(
                        "{block} returns {}, the function {}",
                        self.text(found),
                        self.text(function.result)
                    ))
                }
            }
        }
    }
}
