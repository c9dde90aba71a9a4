//! Inlines calls.

use clc_base::{Arena, Id};
use clc_ir::debug::{DebugInfo, Holds, InMemory, Location, Place, PlaceInfo, Position, Subject};
use clc_ir::{
    Block, BlockCall, Cfg, FuncId, Function, Inst, InstKind, Linkage, LoopHint, Module,
    StorageClass, SwitchCase, Terminator, Type, TypeKind, TypePool, Value, ValueList,
};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::{callees_first, each_call};
use crate::replacements::Replacements;

/// Callees up to this many instructions are inlined wherever they are called: the call costs as
/// much.
const SMALL: usize = 16;
/// Callees up to this size are inlined if they are called once. The bound keeps a long chain of
/// such callees linear: each body is copied a few times, not once for every caller above it.
const MEDIUM: usize = 300;
/// The same for callees that are marked.
const MARKED: usize = 4_000;
/// All copies together of a callee that is called several times, for compilers that inline everything themselves and make
/// vectors of work-items: what is to help them has to see how a callee computes indices of its arguments, and what two
/// calls have in common. Callees with loops have little, and are left unless they take pointers: the driver is as fast
/// with a smaller module.
const COPIES: usize = 200;
/// A function does not grow beyond this by copies, so that drivers stay fast; marked callees may take
/// it ten times further.
pub(crate) const LARGE: usize = 20_000;
/// The same for callees that are called once: their code only moves, and drivers, which inline all
/// there is, have it in one place sooner or later.
const LARGE_BY_MOVES: usize = 2 * LARGE;

/// Inlines callees that are marked, small, or called once and not seen from outside.
///
/// Callees first, so that each has its final size when it is judged. Recursive calls stay. Runs
/// once the callees are simplified; functions that are called nowhere any more go with the next
/// `dead-functions`.
pub fn run(module: &mut Module) {
    inline(module, |_, _, _, _| Policy::IfWorthwhile);
}

/// [`run`], with callees that are called a few times, for compilers of processors.
pub fn run_for_vectors(module: &mut Module) {
    inline(module, |types, _, callee, _| {
        let takes_pointers = callee.params.iter().any(|&ty| types.pointer_parts(ty).is_some());
        if takes_pointers || !Cfg::new(callee).has_loops() {
            Policy::IfFew
        } else {
            Policy::IfWorthwhile
        }
    });
}

/// Inlines of these only callees that are called once and take the address of a `private` variable:
/// in one function with the variable, accesses show what type it has.
pub fn run_for_variables(module: &mut Module) {
    inline(module, |types, _, callee, called_once| {
        let class = |&ty: &Type| types.pointer_parts(ty).map(|(_, class)| class);
        let takes = callee.params.iter().any(|ty| class(ty) == Some(StorageClass::Function));
        if called_once && takes { Policy::IfWorthwhile } else { Policy::Never }
    });
}

/// Inlines every call of the functions with a parameter that `must` names, whatever their size and
/// attributes.
pub fn run_for_params(module: &mut Module, must: fn(TypeKind) -> bool) {
    inline(module, |types, _, callee, _| {
        let takes = callee.params.iter().any(|&ty| must(types.kind(ty)));
        if takes { Policy::Always } else { Policy::Never }
    });
}

/// Inlines every call of the functions that `must` names, whatever their size and attributes.
pub fn run_for(module: &mut Module, must: impl Fn(FuncId) -> bool) {
    inline(module, |_, id, _, _| if must(id) { Policy::Always } else { Policy::Never });
}

/// Inlines some calls of a function, whose callees call it neither themselves nor by others.
pub(crate) fn calls(module: &mut Module, id: FuncId, calls: &FxHashSet<Inst>) {
    let placeholder = Function::new(String::new(), TypePool::VOID);
    let mut function = std::mem::replace(&mut module.functions[id], placeholder);
    let mut size = 0;
    Inliner::new(&module.functions, &mut function, module.debug.as_deref_mut())
        .run(&mut size, |inst, _, _| calls.contains(&inst));
    module.functions[id] = function;
}

/// Whether calls of a function are inlined.
#[derive(Clone, Copy)]
enum Policy {
    Never,
    /// If it is small, marked or called once.
    IfWorthwhile,
    /// So, or if all copies together are short.
    IfFew,
    Always,
}

/// Inlines by `policy`, which is asked of each function with whether it is called once.
fn inline(module: &mut Module, policy: impl Fn(&TypePool, FuncId, &Function, bool) -> Policy) {
    let order = callees_first(&module.functions);
    let mut calls = vec![0u32; module.functions.len()];
    let mut position = vec![usize::MAX; module.functions.len()];
    for (index, &id) in order.iter().enumerate() {
        position[id.index()] = index;
    }
    for function in module.functions.values() {
        each_call(function, |callee| calls[callee.index()] += 1);
    }
    let is_called_once = |id: FuncId, function: &Function| {
        calls[id.index()] == 1 && function.linkage == Linkage::Internal
    };
    let mut recursive = vec![false; module.functions.len()];
    let mut sizes = vec![0usize; module.functions.len()];
    let mut policies = vec![Policy::Never; module.functions.len()];
    for &id in &order {
        let placeholder = Function::new(String::new(), TypePool::VOID);
        let mut function = std::mem::replace(&mut module.functions[id], placeholder);
        let mut size = function_size(&function);
        let mut any = false;
        let wanted = {
            let functions = &module.functions;
            |callee: FuncId, size: usize| {
                // Only callees that come before in the order are final.
                if position[callee.index()] >= position[id.index()] || recursive[callee.index()] {
                    return false;
                }
                let function = &functions[callee];
                if function.is_declaration() {
                    return false;
                }
                let callee_size = sizes[callee.index()];
                let grown = size + callee_size;
                let policy = policies[callee.index()];
                match policy {
                    Policy::Never => return false,
                    Policy::Always => return true,
                    Policy::IfWorthwhile | Policy::IfFew if function.no_inline => return false,
                    Policy::IfWorthwhile | Policy::IfFew => {}
                }
                if function.always_inline {
                    return callee_size <= MARKED && grown <= 10 * LARGE;
                }
                let (limit, large) = match policy {
                    _ if is_called_once(callee, function) => (MEDIUM, LARGE_BY_MOVES),
                    Policy::IfFew => {
                        (SMALL.max(COPIES / calls[callee.index()].max(1) as usize), LARGE)
                    }
                    _ => (SMALL, LARGE),
                };
                callee_size <= limit && grown <= large
            }
        };
        let mut calls_back = false;
        each_call(&function, |callee| {
            any |= wanted(callee, size);
            calls_back |= position[callee.index()] >= position[id.index()];
        });
        if any {
            Inliner::new(&module.functions, &mut function, module.debug.as_deref_mut())
                .run(&mut size, |_, callee, size| wanted(callee, size));
        }
        recursive[id.index()] = calls_back;
        sizes[id.index()] = size;
        if calls[id.index()] > 0 && !function.is_declaration() {
            policies[id.index()] =
                policy(&module.types, id, &function, is_called_once(id, &function));
        }
        module.functions[id] = function;
    }
}

/// Instructions and blocks.
pub(crate) fn function_size(function: &Function) -> usize {
    function.layout.iter().map(|&block| function.blocks[block].insts.len() + 1).sum()
}

struct Inliner<'a> {
    functions: &'a Arena<FuncId, Function>,
    function: &'a mut Function,
    replacements: Replacements,
    /// Variables of inlined callees.
    variables: Vec<Inst>,
    layout: Vec<Block>,
    /// Where instructions go at the moment.
    current: Block,
    /// Present if there is debug information.
    debug: Option<Debug<'a>>,
}

impl<'a> Inliner<'a> {
    fn new(
        functions: &'a Arena<FuncId, Function>,
        function: &'a mut Function,
        debug: Option<&'a mut DebugInfo>,
    ) -> Self {
        let replacements = Replacements::default();
        let current = function.entry();
        Inliner {
            functions,
            function,
            replacements,
            variables: Vec::new(),
            layout: Vec::new(),
            current,
            debug: debug.map(Debug::new),
        }
    }

    fn run(mut self, size: &mut usize, wanted: impl Fn(Inst, FuncId, usize) -> bool) {
        for block in std::mem::take(&mut self.function.layout) {
            self.layout.push(block);
            self.current = block;
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            let terminator = std::mem::take(&mut self.function.blocks[block].terminator);
            for inst in insts {
                if let InstKind::Call { callee, arguments } = self.function.insts[inst].kind
                    && wanted(inst, callee, *size)
                {
                    *size += function_size(&self.functions[callee]);
                    self.expand(inst, callee, arguments);
                } else {
                    self.push(inst);
                }
            }
            self.end_block(block);
            let location = self.function.blocks[block].location;
            self.function.blocks[self.current].terminator = terminator;
            self.function.blocks[self.current].location = location;
        }
        self.function.layout = self.layout;
        if !self.variables.is_empty() {
            let entry = self.function.entry();
            let rest = std::mem::take(&mut self.function.blocks[entry].insts);
            self.variables.extend(rest);
            self.function.blocks[entry].insts = self.variables;
        }
        self.replacements.apply(self.function);
    }

    /// Appends an instruction to the current block.
    fn push(&mut self, inst: Inst) {
        self.function.blocks[self.current].insts.push(inst);
        if let Some(debug) = &mut self.debug {
            debug.pushed(self.function, inst);
        }
    }

    /// What was `block` ends here.
    fn end_block(&mut self, block: Block) {
        if let Some(debug) = &mut self.debug {
            debug.pending.clear();
            if let Some(variables) = &mut self.function.debug {
                variables.move_end(block, self.current);
            }
        }
    }

    /// Puts the callee's body in the place of a call.
    fn expand(&mut self, call: Inst, callee: FuncId, arguments: ValueList) {
        let body = &self.functions[callee];
        if let Some(debug) = &mut self.debug {
            debug.enter(self.function.insts[call].location, body);
        }
        let result = self.function.insts[call].result;
        let mut map: Vec<Option<Value>> = vec![None; body.values.len()];
        let entry = body.entry();
        for (index, &param) in body.blocks[entry].params.iter().enumerate() {
            let argument = self.function.value_at(arguments, index);
            map[param.as_local().unwrap_or_default()] = Some(argument);
        }

        // A body of one block goes in without cutting the caller's block.
        if let [only] = body.layout[..]
            && let Terminator::Return(value) = &body.blocks[only].terminator
        {
            self.copy_insts(body, only, &mut map);
            if let (Some(result), Some(value)) = (result, *value) {
                let value = mapped(&map, value);
                self.replacements.set(result, value);
            }
            self.copy_memory(body, &map);
            return;
        }

        // In reverse post-order definitions are copied before their uses; unreachable blocks are
        // left behind.
        let order = clc_ir::reverse_post_order(body);
        let mut blocks: Vec<Block> = vec![self.current; body.blocks.len()];
        let mut copied = vec![false; body.blocks.len()];
        for &block in &order {
            copied[block.index()] = true;
        }
        for &block in &order[1..] {
            blocks[block.index()] = self.function.blocks.push(clc_ir::BlockData::default());
            self.layout.push(blocks[block.index()]);
            for &param in &body.blocks[block].params {
                let index = param.as_local().unwrap_or_default();
                let new =
                    self.function.add_block_param(blocks[block.index()], body.values[index].ty);
                map[index] = Some(new);
            }
        }
        let after = self.function.blocks.push(clc_ir::BlockData::default());
        self.layout.push(after);
        if let Some(result) = result {
            let ty = self.function.values[result.as_local().unwrap_or_default()].ty;
            let param = self.function.add_block_param(after, ty);
            self.replacements.set(result, param);
        }

        for &block in &order {
            self.current = blocks[block.index()];
            self.copy_insts(body, block, &mut map);
            if let Some(debug) = &mut self.debug {
                debug.pending.clear();
            }
        }
        for &block in &order {
            let new = blocks[block.index()];
            let location = self.location(body.blocks[block].location);
            let terminator = match &body.blocks[block].terminator {
                Terminator::None | Terminator::Unreachable => Terminator::Unreachable,
                Terminator::Jump(target) => {
                    Terminator::Jump(self.call(body, &blocks, &map, *target))
                }
                Terminator::Branch { condition, then, otherwise } => Terminator::Branch {
                    condition: mapped(&map, *condition),
                    then: self.call(body, &blocks, &map, *then),
                    otherwise: self.call(body, &blocks, &map, *otherwise),
                },
                Terminator::Switch { selector, default, cases } => Terminator::Switch {
                    selector: mapped(&map, *selector),
                    default: self.call(body, &blocks, &map, *default),
                    cases: cases
                        .iter()
                        .map(|case| SwitchCase {
                            value: case.value,
                            target: self.call(body, &blocks, &map, case.target),
                        })
                        .collect(),
                },
                Terminator::Return(value) => {
                    let values: Vec<Value> =
                        value.iter().map(|&value| mapped(&map, value)).collect();
                    let arguments = self.function.list(&values);
                    Terminator::Jump(BlockCall { block: after, arguments })
                }
            };
            self.function.blocks[new].terminator = terminator;
            self.function.blocks[new].location = location;
        }
        self.copy_memory(body, &map);
        for (header, hint) in &body.loop_hints {
            let roles = [*header, hint.merge, hint.continue_target];
            if *header != entry && roles.iter().all(|block| copied[block.index()]) {
                let hint = LoopHint {
                    control: hint.control,
                    merge: blocks[hint.merge.index()],
                    continue_target: blocks[hint.continue_target.index()],
                };
                self.function.loop_hints.insert(blocks[header.index()], hint);
            }
        }
        self.current = after;
    }

    /// Copies the instructions of one block to the end of the current one.
    fn copy_insts(&mut self, body: &Function, block: Block, map: &mut [Option<Value>]) {
        for &inst in &body.blocks[block].insts {
            self.copy_values(body, Position { block, before: Some(inst) }, map);
            let data = body.insts[inst];
            let kind = self.copy_kind(body, data.kind);
            let ty = data.result.map(|value| body.values[value.as_local().unwrap_or_default()].ty);
            let location = self.location(data.location);
            let new = self.function.create_inst(kind, ty, data.math, location);
            self.function.map_operands(new, |value| mapped(map, value));
            if let (Some(old), Some(value)) = (data.result, self.function.insts[new].result) {
                map[old.as_local().unwrap_or_default()] = Some(value);
                if let Some(name) = body.value_names.get(&old) {
                    self.function.value_names.insert(value, name.clone());
                }
            }
            if let InstKind::Variable { .. } = kind {
                self.variables.push(new);
            } else {
                self.push(new);
            }
        }
        self.copy_values(body, Position { block, before: None }, map);
    }

    fn location(&mut self, location: Location) -> Location {
        self.debug.as_mut().map_or(location, |debug| debug.location(location))
    }

    /// What the callee's variables hold at a position: at the end of the current block.
    fn copy_values(&mut self, body: &Function, at: Position, map: &[Option<Value>]) {
        let (Some(debug), Some(into)) = (&mut self.debug, &mut self.function.debug) else { return };
        let Some(entries) = debug.entries.get(&at) else { return };
        for &index in entries.clone().iter() {
            let Some(old) = body.debug.as_ref().and_then(|debug| debug.values.get(index)) else {
                continue;
            };
            let value = old.value.and_then(|value| match value.as_local() {
                Some(index) => map[index],
                None => Some(value),
            });
            let place = debug.place(old.subject.place);
            let subject = Subject { place, ..old.subject };
            debug.pending.push(into.values.len());
            let at = Position { block: self.current, before: None };
            into.values.push(Holds { subject, value, at });
        }
    }

    /// Where the callee's variables are in memory.
    fn copy_memory(&mut self, body: &Function, map: &[Option<Value>]) {
        let (Some(debug), Some(into), Some(from)) =
            (&mut self.debug, &mut self.function.debug, &body.debug)
        else {
            return;
        };
        for old in &from.memory {
            let address = match old.address.as_local() {
                Some(index) => map[index],
                None => Some(old.address),
            };
            if let Some(address) = address {
                let place = debug.place(old.subject.place);
                let subject = Subject { place, ..old.subject };
                into.memory.push(InMemory { subject, address });
            }
        }
    }

    /// The same operation with lists of this function; operands are still the callee's.
    fn copy_kind(&mut self, body: &Function, kind: InstKind) -> InstKind {
        let mut kind = kind;
        match &mut kind {
            InstKind::Access { indices: list, .. }
            | InstKind::Construct { parts: list }
            | InstKind::Call { arguments: list, .. }
            | InstKind::Intrinsic { arguments: list, .. } => {
                let values: Vec<Value> = body.values_of(*list).collect();
                *list = self.function.list(&values);
            }
            InstKind::Extract { path: list, .. }
            | InstKind::Insert { path: list, .. }
            | InstKind::Shuffle { mask: list, .. } => {
                *list = self.function.number_list(body.numbers_of(*list));
            }
            InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Compare { .. }
            | InstKind::Select { .. }
            | InstKind::Convert { .. }
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::CopyMemory { .. }
            | InstKind::Variable { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::ExtractDynamic { .. }
            | InstKind::InsertDynamic { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicModify { .. }
            | InstKind::AtomicCompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Barrier { .. }
            | InstKind::GenericTo { .. } => {}
        }
        kind
    }

    fn call(
        &mut self,
        body: &Function,
        blocks: &[Block],
        map: &[Option<Value>],
        target: BlockCall,
    ) -> BlockCall {
        let values: Vec<Value> =
            body.values_of(target.arguments).map(|value| mapped(map, value)).collect();
        BlockCall { block: blocks[target.block.index()], arguments: self.function.list(&values) }
    }
}

/// Debug information while calls are inlined.
struct Debug<'a> {
    info: &'a mut DebugInfo,
    /// Where the call is that is replaced.
    call: Location,
    /// By place of the callee: the place in the caller.
    places: FxHashMap<Place, Place>,
    /// By position in the callee: the entries about values there.
    entries: FxHashMap<Position, Vec<usize>>,
    /// Entries of the caller that wait for the next instruction.
    pending: Vec<usize>,
}

impl<'a> Debug<'a> {
    fn new(info: &'a mut DebugInfo) -> Debug<'a> {
        Debug {
            info,
            call: Location::NONE,
            places: FxHashMap::default(),
            entries: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    fn enter(&mut self, call: Location, callee: &Function) {
        self.call = call;
        self.places.clear();
        self.entries.clear();
        let values = callee.debug.as_ref().map_or(&[][..], |debug| &debug.values);
        for (index, entry) in values.iter().enumerate() {
            self.entries.entry(entry.at).or_default().push(index);
        }
    }

    fn pushed(&mut self, function: &mut Function, inst: Inst) {
        if let Some(debug) = &mut function.debug {
            for index in self.pending.drain(..) {
                debug.values[index].at.before = Some(inst);
            }
        }
    }

    fn location(&mut self, location: Location) -> Location {
        Location { place: self.place(location.place), ..location }
    }

    /// What a place of the callee is where the call was.
    fn place(&mut self, place: Place) -> Place {
        if let Some(&known) = self.places.get(&place) {
            return known;
        }
        let Some(&PlaceInfo { scope, inlined_at }) = self.info.place(place) else {
            return Place::NONE;
        };
        // A call that the callee's own code was inlined at is in the callee, and moves with it.
        let inlined_at = match inlined_at {
            Some(location) => self.location(location),
            None => self.call,
        };
        let new = self.info.add_place(scope, Some(inlined_at));
        self.places.insert(place, new);
        new
    }
}

/// What a callee's value is in the caller; constants are the module's.
fn mapped(map: &[Option<Value>], value: Value) -> Value {
    match value.as_local() {
        Some(index) => map[index].expect("definitions are copied before their uses"),
        None => value,
    }
}
