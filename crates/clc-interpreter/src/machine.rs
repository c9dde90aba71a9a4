//! The machine: work-items as states, their instructions, and whose turn it is.
//!
//! The items of a group run in turns of some instructions each, so that one that spins for another does not
//! keep it from running, until each waits for others or is done. Then [`groups`](crate::groups) lets those go
//! on that have all come to where they wait.

use clc_base::Id;
use clc_base::memory_model::{BarrierScope, FenceMemory};
use clc_ir::{
    Block, BlockCall, FuncId, Function, GlobalId, Inst, InstKind, Module, StorageClass, Terminator,
    Type, TypeKind, TypePool, Value,
};

use crate::floats;
use crate::interface::Bound;
use crate::launch::{Image, Launch, Outcome};
use crate::memory::{Accessor, Bytes, Memory, Region};
use crate::stop::Stop;
use crate::value::{Datum, Scalar};
use crate::work_items::Position;

/// Calls in calls.
const DEPTH: usize = 200;
/// Instructions of a turn.
const TURN: u32 = 20_000;

/// A function that runs.
pub(crate) struct Frame {
    function: FuncId,
    block: Block,
    next: usize,
    values: Vec<Option<Datum>>,
    /// Its variables.
    pub(crate) objects: Vec<u64>,
}

/// What a work-item waits at.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub(crate) function: FuncId,
    pub(crate) inst: Inst,
    /// The operands of a function that work-items of a group compute together; none for a barrier.
    pub(crate) operands: Vec<Datum>,
}

#[derive(Debug)]
pub(crate) enum State {
    Runs,
    Waits(Wait),
    Done,
}

/// A work-item.
pub(crate) struct Item {
    pub(crate) position: Position,
    pub(crate) accessor: Accessor,
    pub(crate) state: State,
    frames: Vec<Frame>,
    /// By global: the address, of those that each work-item has.
    pub(crate) own: Vec<u64>,
}

impl Item {
    /// An item without a function to run, of a module with so many globals.
    pub(crate) fn new(position: Position, accessor: Accessor, globals: usize) -> Item {
        Item { position, accessor, state: State::Runs, frames: Vec::new(), own: vec![0; globals] }
    }

    fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The result of what the item waited for.
    pub(crate) fn go_on(&mut self, module: &Module, result: Option<Datum>) {
        if let State::Waits(wait) = &self.state {
            let value = module.functions[wait.function].insts[wait.inst].result;
            if let (Some(value), Some(datum)) = (value.and_then(Value::as_local), result) {
                self.frame_mut().values[value] = Some(datum);
            }
        }
        self.state = State::Runs;
    }
}

pub(crate) struct Machine<'a> {
    pub(crate) module: &'a Module,
    pub(crate) memory: Memory,
    pub(crate) launch: &'a Launch,
    pub(crate) kernel: FuncId,
    pub(crate) steps: u64,
    /// By constant: its value, unless that differs between work-items or work-groups.
    pub(crate) constants: Vec<Option<Datum>>,
    /// By global: its address, of those that all work-items or those of a group share.
    pub(crate) globals: Vec<u64>,
    pub(crate) printed: String,
    /// Those of the arguments; what a kernel holds of one is its number.
    pub(crate) images: Vec<Image>,
    /// What a shader is given in place of arguments.
    pub(crate) bound: Bound,
}

/// What an instruction comes to.
pub(crate) enum Step {
    /// The result, if it has one.
    Next(Option<Datum>),
    /// A call, or the end of one: the item's frames have changed.
    Moved,
    Wait(Vec<Datum>),
}

/// Runs the kernel of a name to its end.
pub fn run(module: &Module, kernel: &str, launch: &Launch) -> Result<Outcome, Stop> {
    Machine::new(module, kernel, launch)?.run()
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        module: &'a Module,
        kernel: &str,
        launch: &'a Launch,
    ) -> Result<Machine<'a>, Stop> {
        let named = |id: &FuncId| {
            let entry = module.functions[*id].entry_point.as_ref();
            entry.is_some_and(|entry| entry.name == kernel)
        };
        let kernel = module
            .kernels()
            .find(named)
            .ok_or_else(|| Stop::unknown(format!("there is no kernel `{kernel}`")))?;
        let mut machine = Machine {
            module,
            memory: Memory::new(module.types.pointer_size, launch.memory, launch.races),
            launch,
            kernel,
            steps: launch.steps,
            constants: vec![None; module.consts.len()],
            globals: vec![0; module.globals.len()],
            printed: String::new(),
            images: Vec::new(),
            bound: Bound::default(),
        };
        machine.place_program_data()?;
        let placed: Vec<bool> = machine.globals.iter().map(|&address| address != 0).collect();
        machine.allocate_globals(0, |class| {
            !matches!(class, StorageClass::Workgroup | StorageClass::Private)
        })?;
        for (id, global) in module.globals.iter() {
            let address = machine.globals[id.index()];
            if placed[id.index()] {
                continue;
            }
            if let (Some(value), true) = (global.initializer, address != 0) {
                let datum = match value.as_const() {
                    Some(id) => machine.constant(id, &|_| None, 0)?,
                    None => return Err(Stop::unknown("an initializer that is no constant")),
                };
                let contents = machine.bytes_of(global.ty, &datum)?;
                machine.memory.initialize(address, &contents)?;
            }
            if global.class == StorageClass::CrossWorkgroup
                && let Some(contents) = launch.variables.get(&global.name)
            {
                machine.memory.initialize(address, contents)?;
            }
        }
        Ok(machine)
    }

    pub(crate) fn types(&self) -> &'a TypePool {
        &self.module.types
    }

    /// Computes the constants that are the same for all work-items of a dispatch.
    pub(crate) fn compute_constants(&mut self) {
        self.constants.fill(None);
        for (id, _) in self.module.consts.iter() {
            self.constants[id.index()] = self.constant(id, &|_| None, 0).ok();
        }
    }

    /// Gives addresses to globals of some storage classes that have none. Arrays in local memory are so many bytes
    /// longer than their types.
    pub(crate) fn allocate_globals(
        &mut self,
        more: u64,
        which: impl Fn(StorageClass) -> bool,
    ) -> Result<(), Stop> {
        let module = self.module;
        for (id, global) in module.globals.iter().filter(|(_, global)| which(global.class)) {
            let Some(region) = Region::of(global.class) else { continue };
            if region != Region::Local && self.globals[id.index()] != 0 {
                continue;
            }
            let is_array = matches!(self.types().kind(global.ty), TypeKind::Array(..));
            let more = if region == Region::Local && is_array { more } else { 0 };
            self.globals[id.index()] = self.allocate_global(id, region, None, more)?;
        }
        Ok(())
    }

    /// The address of a global that is so many bytes longer than its type.
    pub(crate) fn allocate_global(
        &mut self,
        id: GlobalId,
        region: Region,
        owner: Option<u32>,
        more: u64,
    ) -> Result<u64, Stop> {
        let global = &self.module.globals[id];
        if more > self.launch.memory {
            return Err(Stop::Limit("memory"));
        }
        let size = self.size(global.ty)? + more as usize;
        // What has no initializer is zero where all work-items see it.
        let contents = match (region, global.class) {
            (Region::Local | Region::Private, _) | (_, StorageClass::PushConstant) => {
                Bytes::unknown(size)
            }
            (Region::Global | Region::Constant, _) => Bytes::known(vec![0; size]),
        };
        self.memory.allocate(region, contents, u64::from(global.align), owner)
    }

    /// Of an object of a type.
    pub(crate) fn size(&self, ty: Type) -> Result<usize, Stop> {
        let size = self.types().size(ty);
        if size > self.launch.memory {
            return Err(Stop::Limit("memory"));
        }
        Ok(size as usize)
    }

    pub(crate) fn enter(
        &mut self,
        item: &mut Item,
        id: FuncId,
        arguments: Vec<Datum>,
    ) -> Result<(), Stop> {
        let function = &self.module.functions[id];
        if function.is_declaration() {
            return Err(Stop::unknown(format!("`{}`, which has no body", function.name)));
        }
        if item.frames.len() >= DEPTH {
            return Err(Stop::Limit("calls in calls"));
        }
        let mut values = vec![None; function.values.len()];
        for (param, datum) in function.blocks[function.entry()].params.iter().zip(arguments) {
            if let Some(index) = param.as_local() {
                values[index] = Some(datum);
            }
        }
        let block = function.entry();
        item.frames.push(Frame { function: id, block, next: 0, values, objects: Vec::new() });
        Ok(())
    }

    /// Runs an item until it waits, is done, or has had its turn.
    pub(crate) fn turn(&mut self, item: &mut Item) -> Result<(), Stop> {
        for _ in 0..TURN {
            self.steps = self.steps.checked_sub(1).ok_or(Stop::Limit("instructions"))?;
            let (id, block, next) = {
                let frame = item.frame();
                (frame.function, frame.block, frame.next)
            };
            let function = &self.module.functions[id];
            let Some(&inst) = function.blocks[block].insts.get(next) else {
                let done = self
                    .terminate(item, function, block)
                    .map_err(|stop| stop.at(|| place(function, item, block, "the end")))?;
                if done {
                    item.state = State::Done;
                    return Ok(());
                }
                continue;
            };
            item.frame_mut().next += 1;
            let step = self.step(item, function, inst).map_err(|stop| {
                stop.at(|| place(function, item, block, &format!("instruction {next}")))
            })?;
            match step {
                Step::Next(datum) => {
                    let value = function.insts[inst].result;
                    let result = value.and_then(Value::as_local);
                    if let (Some(result), Some(mut datum)) = (result, datum) {
                        if let (Some(nan), Some(value)) = (self.launch.nan, value) {
                            self.choose_nans(
                                &mut datum,
                                self.module.value_type(function, value),
                                nan,
                            );
                        }
                        item.frame_mut().values[result] = Some(datum);
                    }
                }
                Step::Moved => {}
                Step::Wait(operands) => {
                    item.state = State::Waits(Wait { function: id, inst, operands });
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Gives the bits that no operation promises to what are NaNs in a value of floating-point numbers.
    fn choose_nans(&self, datum: &mut Datum, ty: Type, nan: u64) {
        if !self.types().is_float(ty) {
            return;
        }
        let width = self.width(ty);
        datum.each_scalar_mut(&mut |scalar| {
            if scalar.unknown != 0 && floats::number(*scalar, width).is_some() {
                *scalar = Scalar::known(scalar.bits | nan & scalar.unknown);
            }
        });
    }

    /// Leaves a block; says whether the kernel has ended.
    fn terminate(
        &mut self,
        item: &mut Item,
        function: &'a Function,
        block: Block,
    ) -> Result<bool, Stop> {
        let known = |scalar: Scalar| {
            scalar.get().ok_or_else(|| Stop::fault("a branch on an undefined value"))
        };
        let target: BlockCall = match &function.blocks[block].terminator {
            Terminator::None => return Err(Stop::unknown("a block without a terminator")),
            Terminator::Unreachable => return Err(Stop::fault("control comes to `unreachable`")),
            Terminator::Jump(target) => *target,
            Terminator::Branch { condition, then, otherwise } => {
                let condition = known(self.scalar(item, *condition)?)?;
                if condition != 0 { *then } else { *otherwise }
            }
            Terminator::Switch { selector, default, cases } => {
                let bits = known(self.scalar(item, *selector)?)?;
                cases.iter().find(|case| case.value == bits).map_or(*default, |case| case.target)
            }
            Terminator::Return(value) => {
                let datum = value.map(|value| self.operand(item, value)).transpose()?;
                let Some(frame) = item.frames.pop() else { return Ok(true) };
                for address in frame.objects {
                    self.memory.release(Region::Private, address);
                }
                let Some(caller) = item.frames.last_mut() else { return Ok(true) };
                let function = &self.module.functions[caller.function];
                let call = function.blocks[caller.block].insts[caller.next - 1];
                let result = function.insts[call].result.and_then(Value::as_local);
                if let (Some(result), Some(datum)) = (result, datum) {
                    caller.values[result] = Some(datum);
                }
                return Ok(false);
            }
        };
        let incoming: Vec<Datum> = function
            .values_of(target.arguments)
            .map(|value| self.operand(item, value))
            .collect::<Result<_, _>>()?;
        let frame = item.frame_mut();
        for (param, datum) in function.blocks[target.block].params.iter().zip(incoming) {
            if let Some(index) = param.as_local() {
                frame.values[index] = Some(datum);
            }
        }
        frame.block = target.block;
        frame.next = 0;
        Ok(false)
    }

    /// The value of an operand.
    pub(crate) fn operand(&self, item: &Item, value: Value) -> Result<Datum, Stop> {
        if let Some(id) = value.as_const() {
            return match &self.constants[id.index()] {
                Some(datum) => Ok(datum.clone()),
                None => self.constant(id, &|global| Some(item.own[global.index()]), 0),
            };
        }
        let index = value.as_local().unwrap_or_default();
        let datum = item.frame().values.get(index).cloned().flatten();
        datum.ok_or_else(|| Stop::unknown(format!("{value} is used before it is computed")))
    }

    pub(crate) fn scalar(&self, item: &Item, value: Value) -> Result<Scalar, Stop> {
        if let Some(index) = value.as_local()
            && let Some(Some(Datum::Scalar(scalar))) = item.frame().values.get(index)
        {
            return Ok(*scalar);
        }
        match self.operand(item, value)? {
            Datum::Scalar(scalar) => Ok(scalar),
            Datum::Parts(_) => Err(Stop::unknown(format!("{value} is no scalar"))),
        }
    }

    /// A scalar that decides where memory is accessed, or how much of it.
    pub(crate) fn known(&self, item: &Item, value: Value) -> Result<u64, Stop> {
        let scalar = self.scalar(item, value)?;
        scalar.get().ok_or_else(|| Stop::fault("an address or a size that is not defined"))
    }

    /// In bits, of a scalar or a component.
    pub(crate) fn width(&self, ty: Type) -> u32 {
        let types = self.types();
        match types.kind(types.scalar(ty)) {
            TypeKind::Bool => 1,
            TypeKind::Int(bits) | TypeKind::Float(bits) => u32::from(bits),
            _ => 8 * types.pointer_size as u32,
        }
    }

    /// Lets memory accesses before a barrier be before those behind it.
    pub(crate) fn order(items: &mut [&mut Item], memory: FenceMemory) {
        for item in items {
            let [local, global] = &mut item.accessor.epochs;
            *local += u32::from(memory.has(FenceMemory::LOCAL));
            *global += u32::from(memory.has(FenceMemory::GLOBAL));
        }
    }

    /// What the items that wait at an instruction wait for: the barrier's scope and memory.
    pub(crate) fn barrier(&self, wait: &Wait) -> Option<(BarrierScope, FenceMemory)> {
        match self.module.functions[wait.function].insts[wait.inst].kind {
            InstKind::Barrier { execution, fence, .. } => Some((execution, fence.memory)),
            _ => None,
        }
    }
}

/// Where something happened.
fn place(function: &Function, item: &Item, block: Block, at: &str) -> String {
    let position = &item.position;
    format!(
        "in `{}`, {block}, {at}, by work-item {:?} of group {:?}",
        function.name, position.local, position.group
    )
}
