//! Dead code elimination: of instructions and block parameters, and of functions and variables.

use clc_base::{Arena, Id};
use clc_ir::{
    Block, FuncId, Function, GlobalId, Inst, InstKind, Linkage, Module, Reached, Value, ValueDef,
};

use crate::context::ModuleContext;
use crate::simplify_cfg::retain_params;

/// Drops instructions without effect whose results nothing uses, block parameters that nothing uses,
/// and stores to private variables that nothing reads.
///
/// Everything is dead until something with an effect needs it, so that cycles of block
/// parameters and chains of stores go, too.
pub fn run(context: &mut ModuleContext<'_>, function: &mut Function) {
    remove_dead(function, context.removable);
}

struct Liveness<'a> {
    function: &'a Function,
    live_insts: Vec<bool>,
    live_values: Vec<bool>,
    work: Vec<Value>,
    /// For each variable's value: the first of its stores, which `next_store` continues.
    first_store: Vec<u32>,
    next_store: Vec<(Inst, u32)>,
    /// The argument lists of each block's incoming edges.
    edges: Vec<Vec<clc_ir::ValueList>>,
}

const NONE: u32 = u32::MAX;

impl Liveness<'_> {
    fn need(&mut self, value: Value) {
        if let Some(index) = value.as_local()
            && !std::mem::replace(&mut self.live_values[index], true)
        {
            self.work.push(value);
        }
    }

    fn need_inst(&mut self, inst: Inst) {
        if std::mem::replace(&mut self.live_insts[inst.index()], true) {
            return;
        }
        let function = self.function;
        function.each_operand(inst, |value| self.need(value));
    }

    fn close(&mut self) {
        while let Some(value) = self.work.pop() {
            match self.function.def(value) {
                Some(ValueDef::Inst(inst)) => {
                    self.need_inst(inst);
                    let mut store = self.first_store[value.as_local().unwrap_or_default()];
                    while store != NONE {
                        let (inst, next) = self.next_store[store as usize];
                        self.need_inst(inst);
                        store = next;
                    }
                }
                Some(ValueDef::Param(block, position)) => {
                    for index in 0..self.edges[block.index()].len() {
                        let edge = self.edges[block.index()][index];
                        self.need(self.function.value_at(edge, position as usize));
                    }
                }
                None => {}
            }
        }
    }
}

/// The variable that an address is in, if it is computed from one.
pub fn base_variable(function: &Function, pointer: Value) -> Option<Value> {
    let mut pointer = pointer;
    loop {
        match function.def_inst(pointer)?.1.kind {
            InstKind::Variable { .. } => return Some(pointer),
            InstKind::Access { base, .. } | InstKind::PtrAdd { base, .. } => pointer = base,
            InstKind::Convert { op: clc_ir::ConvertOp::Bitcast, operand, .. } => pointer = operand,
            _ => return None,
        }
    }
}

/// What an instruction does to the world.
enum Effect {
    None,
    /// Writes only to the variable with this address.
    Variable(Value),
    Any,
}

fn effect(function: &Function, inst: Inst, removable: &[bool]) -> Effect {
    match function.insts[inst].kind {
        InstKind::Store { pointer, access, .. }
        | InstKind::CopyMemory { destination: pointer, access, .. }
            if !access.flags.volatile =>
        {
            base_variable(function, pointer).map_or(Effect::Any, Effect::Variable)
        }
        InstKind::Store { .. } | InstKind::CopyMemory { .. } => Effect::Any,
        InstKind::Load { access, .. } if access.flags.volatile => Effect::Any,
        InstKind::AtomicLoad { .. }
        | InstKind::AtomicStore { .. }
        | InstKind::AtomicModify { .. }
        | InstKind::AtomicCompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Barrier { .. } => Effect::Any,
        InstKind::Call { callee, .. } => {
            if removable[callee.index()] {
                Effect::None
            } else {
                Effect::Any
            }
        }
        InstKind::Intrinsic { intrinsic, .. } => {
            let effects = intrinsic.effects();
            if effects.writes || effects.convergent { Effect::Any } else { Effect::None }
        }
        InstKind::Load { .. }
        | InstKind::Binary { .. }
        | InstKind::Unary { .. }
        | InstKind::Compare { .. }
        | InstKind::Select { .. }
        | InstKind::Convert { .. }
        | InstKind::Variable { .. }
        | InstKind::PtrAdd { .. }
        | InstKind::Access { .. }
        | InstKind::Extract { .. }
        | InstKind::Insert { .. }
        | InstKind::ExtractDynamic { .. }
        | InstKind::InsertDynamic { .. }
        | InstKind::Shuffle { .. }
        | InstKind::Construct { .. }
        | InstKind::GenericTo { .. } => Effect::None,
    }
}

/// The pass, for a step that knows which functions it has left something in. `removable` says of each
/// function whether a call without effect on the caller may go.
pub fn remove_dead(function: &mut Function, removable: &[bool]) {
    let values = function.values.len();
    let mut liveness = Liveness {
        function,
        live_insts: vec![false; function.insts.len()],
        live_values: vec![false; values],
        work: Vec::new(),
        first_store: vec![NONE; values],
        next_store: Vec::new(),
        edges: vec![Vec::new(); function.blocks.len()],
    };
    let mut roots: Vec<Inst> = Vec::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            match effect(function, inst, removable) {
                Effect::None => {}
                Effect::Any => roots.push(inst),
                Effect::Variable(variable) => {
                    let first = &mut liveness.first_store[variable.as_local().unwrap_or_default()];
                    liveness.next_store.push((inst, *first));
                    *first = liveness.next_store.len() as u32 - 1;
                }
            }
        }
        for target in function.blocks[block].terminator.targets() {
            if !target.arguments.is_empty() {
                liveness.edges[target.block.index()].push(target.arguments);
            }
        }
    }
    for inst in roots {
        liveness.need_inst(inst);
    }
    for &block in &function.layout {
        if let Some(value) = function.blocks[block].terminator.operand() {
            liveness.need(value);
        }
    }
    liveness.close();

    let Liveness { live_insts, live_values, .. } = liveness;
    let mut keep: Vec<Option<Vec<bool>>> = vec![None; function.blocks.len()];
    let mut dead_params = false;
    for index in 0..function.layout.len() {
        let block: Block = function.layout[index];
        let data = &mut function.blocks[block];
        data.insts.retain(|inst| live_insts[inst.index()]);
        if index > 0 {
            let flags: Vec<bool> = data
                .params
                .iter()
                .map(|param| live_values[param.as_local().unwrap_or_default()])
                .collect();
            if flags.contains(&false) {
                keep[block.index()] = Some(flags);
                dead_params = true;
            }
        }
    }
    if dead_params {
        retain_params(function, &keep);
    }
}

/// Drops functions and globals that no kernel and no exported symbol reaches.
///
/// Runs first, because library headers define far more than one program uses.
pub fn dead_functions(module: &mut Module) {
    let is_root =
        |function: &Function| function.entry_point.is_some() || function.linkage == Linkage::Export;
    if module.globals.is_empty() && module.functions.values().all(is_root) {
        return;
    }
    let reached = Reached::new(module, is_root, true);
    let live_functions: Vec<bool> =
        module.functions.ids().map(|id| reached.has_function(id)).collect();
    let live_globals: Vec<bool> = module.globals.ids().map(|id| reached.has_global(id)).collect();
    if live_functions.iter().all(|&live| live) && live_globals.iter().all(|&live| live) {
        return;
    }

    let mut functions: Arena<FuncId, Function> = Arena::new();
    let mut new_functions: Vec<Option<FuncId>> = Vec::with_capacity(live_functions.len());
    for (function, live) in module.functions.values_mut().zip(&live_functions) {
        new_functions.push(live.then(|| {
            let empty = Function::new(String::new(), clc_ir::TypePool::VOID);
            functions.push(std::mem::replace(function, empty))
        }));
    }
    module.functions = functions;
    let mut globals = Arena::new();
    let mut new_globals: Vec<Option<GlobalId>> = Vec::with_capacity(live_globals.len());
    for (global, live) in module.globals.values_mut().zip(&live_globals) {
        new_globals.push(live.then(|| globals.push(global.clone())));
    }
    module.globals = globals;

    for function in module.functions.values_mut() {
        for index in 0..function.layout.len() {
            let block = function.layout[index];
            for position in 0..function.blocks[block].insts.len() {
                let inst = function.blocks[block].insts[position];
                if let InstKind::Call { callee, .. } = &mut function.insts[inst].kind {
                    *callee = new_functions[callee.index()].expect("callees are reachable");
                }
            }
        }
    }
    module
        .consts
        .renumber(|function| new_functions[function.index()], |global| new_globals[global.index()]);
}
