//! What passes over functions know of the module around them.

use clc_base::Arena;
use clc_base::lang::FloatOptions;
use clc_ir::{
    ConstPool, ConvertOp, FuncId, Function, Global, GlobalId, Inst, InstKind, Module, Type,
    TypePool, Value,
};

use crate::copies;

/// What a pass over one function may use of the module.
pub struct ModuleContext<'a> {
    /// The types of the module.
    pub types: &'a mut TypePool,
    /// The constants of the module.
    pub consts: &'a mut ConstPool,
    /// The variables of the module.
    pub globals: &'a Arena<GlobalId, Global>,
    /// The floating-point options of the compilation.
    pub float_options: FloatOptions,
    /// By function: whether a call whose result is unused may be removed.
    pub removable: &'a [bool],
    /// By function: whether calls with equal arguments are equal.
    pub constant: &'a [bool],
    /// By function: its instructions, if it is no more than an operation that may be done without need.
    pub short: &'a [Option<u8>],
}

impl ModuleContext<'_> {
    /// The type of a value of a function.
    pub fn type_of(&self, function: &Function, value: Value) -> Type {
        match value.as_const() {
            Some(id) => self.consts.ty(id),
            None => function.values[value.as_local().unwrap_or_default()].ty,
        }
    }

    /// What an integer constant is, read as a signed number.
    pub fn signed(&self, value: Value) -> Option<i64> {
        self.consts.signed(self.types, value)
    }
}

/// Instructions of a function that is no more than an operation.
const MAX_SHORT: usize = 12;

/// The instructions of a function, if it has few and they only compute, in one block, and what they compute is defined
/// whatever its arguments are.
pub(crate) fn short(function: &Function) -> Option<u8> {
    let &[block] = &function.layout[..] else { return None };
    let insts = &function.blocks[block].insts;
    let is_defined = |inst: &Inst| match &function.insts[*inst].kind {
        InstKind::Convert { op, .. } => !matches!(op, ConvertOp::FToS | ConvertOp::FToU),
        InstKind::ExtractDynamic { .. } | InstKind::InsertDynamic { .. } => false,
        kind => copies::can_be_in_vain(kind),
    };
    let is_short = function.is_const && insts.len() <= MAX_SHORT && insts.iter().all(is_defined);
    is_short.then_some(insts.len() as u8)
}

/// Runs passes over each function that has a body, where nothing is known of what functions call.
pub fn each_function(
    module: &mut Module,
    mut work: impl FnMut(&mut ModuleContext<'_>, &mut Function),
) {
    each_by_id(module, |context, _, function| work(context, function));
}

/// [`each_function`], with what the functions are called by.
pub(crate) fn each_by_id(
    module: &mut Module,
    mut work: impl FnMut(&mut ModuleContext<'_>, FuncId, &mut Function),
) {
    let unknown = vec![false; module.functions.len()];
    let none = vec![None; module.functions.len()];
    let Module { types, consts, globals, functions, float_options, .. } = module;
    for id in functions.ids() {
        let function = &mut functions[id];
        if function.is_declaration() {
            continue;
        }
        let mut context = ModuleContext {
            types,
            consts,
            globals,
            float_options: *float_options,
            removable: &unknown,
            constant: &unknown,
            short: &none,
        };
        work(&mut context, id, function);
    }
}
