//! The machine: work-items as states, their instructions, and whose turn it is.
//!
//! The items of a group run in turns of some instructions each, so that one that spins for another does not
//! keep it from running, until each waits for others or is done. Then [`groups`](crate::groups) lets those go
//! on that have all come to where they wait.

use std::collections::HashMap;

use clc_base::Id;
use clc_base::memory_model::{BarrierScope, FenceMemory};
use clc_ir::{
    Block, BlockCall, FuncId, Function, GlobalId, Inst, InstKind, Module, StorageClass, Terminator,
    Type, TypeKind, TypePool, Value,
};

use crate::launch::{Argument, Image, Launch, Outcome};
use crate::memory::{Accessor, Bytes, Memory, Region};
use crate::stop::Stop;
use crate::value::{Datum, Scalar};
use crate::work_items::Position;

/// Calls in calls.
const DEPTH: usize = 200;
/// Instructions of a turn.
const TURN: u32 = 20_000;
/// Work-items of a launch.
const ITEMS: u64 = 1 << 22;

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
    own: Vec<u64>,
}

impl Item {
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
    kernel: FuncId,
    steps: u64,
    /// By constant: its value, unless that differs between work-items or work-groups.
    pub(crate) constants: Vec<Option<Datum>>,
    /// By global: its address, of those that all work-items or those of a group share.
    pub(crate) globals: Vec<u64>,
    pub(crate) printed: String,
    /// Those of the arguments; what a kernel holds of one is its number.
    pub(crate) images: Vec<Image>,
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
        };
        machine.allocate_globals(|class| {
            !matches!(class, StorageClass::Workgroup | StorageClass::Private)
        })?;
        for (id, _) in module.consts.iter() {
            machine.constants[id.index()] = machine.constant(id, &|_| None, 0).ok();
        }
        for (id, global) in module.globals.iter() {
            let address = machine.globals[id.index()];
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

    /// Gives addresses to globals of some storage classes.
    fn allocate_globals(&mut self, which: impl Fn(StorageClass) -> bool) -> Result<(), Stop> {
        let module = self.module;
        for (id, global) in module.globals.iter().filter(|(_, global)| which(global.class)) {
            let Some(region) = Region::of(global.class) else { continue };
            self.globals[id.index()] = self.allocate_global(id, region, None)?;
        }
        Ok(())
    }

    fn allocate_global(
        &mut self,
        id: GlobalId,
        region: Region,
        owner: Option<u32>,
    ) -> Result<u64, Stop> {
        let global = &self.module.globals[id];
        let size = self.size(global.ty)?;
        // What has no initializer is zero where all work-items see it.
        let contents = match region {
            Region::Local | Region::Private => Bytes::unknown(size),
            Region::Global | Region::Constant => Bytes::known(vec![0; size]),
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

    pub(crate) fn run(mut self) -> Result<Outcome, Stop> {
        let three = |numbers: &[u64], default: u64| {
            [0, 1, 2].map(|index| numbers.get(index).copied().unwrap_or(default))
        };
        let launch = self.launch;
        let (global, local) = (three(&launch.global, 1), three(&launch.local, 1));
        let items = global.iter().try_fold(1u64, |product, &size| product.checked_mul(size));
        let dimensions = launch.global.len();
        if items.is_none_or(|items| items > ITEMS)
            || !(1..=3).contains(&dimensions)
            || local.contains(&0)
            || launch.sub_group_size == 0
        {
            return Err(Stop::Limit("work-items"));
        }
        let function = &self.module.functions[self.kernel];
        if function.params.len() != launch.arguments.len() {
            return Err(Stop::unknown("the kernel takes another number of arguments"));
        }
        let mut buffers = Vec::new();
        for argument in &launch.arguments {
            buffers.push(match argument {
                Argument::Buffer(bytes) => {
                    let contents = Bytes::known(bytes.clone());
                    Some(self.memory.allocate(Region::Global, contents, 128, None)?)
                }
                Argument::Image(image) => {
                    self.images.push(image.clone());
                    Some(self.images.len() as u64 - 1)
                }
                Argument::Value(_) | Argument::Local(_) | Argument::Null | Argument::Sampler(_) => {
                    None
                }
            });
        }
        let groups = [0, 1, 2].map(|d| global[d].div_ceil(local[d]));
        let (mut first, mut number) = (0, 0);
        for z in 0..groups[2] {
            for y in 0..groups[1] {
                for x in 0..groups[0] {
                    let group = [x, y, z];
                    let local_size =
                        [0, 1, 2].map(|d| local[d].min(global[d] - group[d] * local[d]));
                    let position = Position {
                        dimensions: dimensions as u64,
                        global_size: global,
                        offset: three(&launch.offset, 0),
                        enqueued_local: local,
                        groups,
                        group,
                        local_size,
                        local: [0; 3],
                        sub_group_size: launch.sub_group_size,
                    };
                    first += self.run_group(position, first, number, &buffers)?;
                    number += 1;
                }
            }
        }
        let mut contents = Vec::new();
        for (buffer, argument) in buffers.into_iter().zip(&launch.arguments) {
            contents.push(match (buffer, argument) {
                (None, _) => None,
                (Some(number), Argument::Image(_)) => {
                    Some(Bytes::known(std::mem::take(&mut self.images[number as usize].bytes)))
                }
                (Some(base), _) => Some(self.memory.contents(base)?),
            });
        }
        let mut variables = HashMap::new();
        for (id, global) in self.module.globals.iter() {
            if global.class == StorageClass::CrossWorkgroup {
                let contents = self.memory.contents(self.globals[id.index()])?;
                variables.insert(global.name.clone(), contents);
            }
        }
        Ok(Outcome { buffers: contents, variables, printed: self.printed, steps_left: self.steps })
    }

    /// Runs a work-group to its end, and returns how many items it has.
    fn run_group(
        &mut self,
        position: Position,
        first: u32,
        group: u32,
        buffers: &[Option<u64>],
    ) -> Result<u32, Stop> {
        self.allocate_globals(|class| class == StorageClass::Workgroup)?;
        let mut parts = Vec::new();
        for argument in &self.launch.arguments {
            parts.push(match argument {
                Argument::Local(size) => {
                    let contents = Bytes::unknown(*size);
                    Some(self.memory.allocate(Region::Local, contents, 128, None)?)
                }
                Argument::Buffer(_)
                | Argument::Value(_)
                | Argument::Null
                | Argument::Image(_)
                | Argument::Sampler(_) => None,
            });
        }
        let mut items = Vec::new();
        let size = position.local_size;
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let position = Position { local: [x, y, z], ..position };
                    let item = first + items.len() as u32;
                    items.push(self.item(position, item, group, buffers, &parts)?);
                }
            }
        }
        loop {
            let mut runs = false;
            for item in &mut items {
                if matches!(item.state, State::Runs) {
                    runs = true;
                    self.turn(item)?;
                }
            }
            if items.iter().all(|item| matches!(item.state, State::Done)) {
                break;
            }
            if !runs || items.iter().all(|item| !matches!(item.state, State::Runs)) {
                self.meet(&mut items)?;
            }
        }
        for item in &items {
            for &address in item.own.iter().filter(|&&address| address != 0) {
                self.memory.release(Region::Private, address);
            }
        }
        let shared = self.module.globals.iter();
        let shared: Vec<u64> = shared
            .filter(|(_, global)| global.class == StorageClass::Workgroup)
            .map(|(id, _)| self.globals[id.index()])
            .chain(parts.into_iter().flatten())
            .collect();
        for address in shared {
            self.memory.release(Region::Local, address);
        }
        Ok(items.len() as u32)
    }

    /// A work-item that has yet to begin.
    fn item(
        &mut self,
        position: Position,
        number: u32,
        group: u32,
        buffers: &[Option<u64>],
        parts: &[Option<u64>],
    ) -> Result<Item, Stop> {
        let module = self.module;
        let accessor = Accessor { item: number, group, epochs: [0; 2], is_atomic: false };
        let mut item = Item {
            position,
            accessor,
            state: State::Runs,
            frames: Vec::new(),
            own: vec![0; module.globals.len()],
        };
        for (id, global) in module.globals.iter() {
            if global.class == StorageClass::Private {
                let address = self.allocate_global(id, Region::Private, Some(number))?;
                item.own[id.index()] = address;
            }
        }
        for (id, global) in module.globals.iter() {
            let address = item.own[id.index()];
            if let (Some(value), true) =
                (global.initializer.and_then(Value::as_const), address != 0)
            {
                let datum = self.constant(value, &|global| Some(item.own[global.index()]), 0)?;
                let contents = self.bytes_of(global.ty, &datum)?;
                self.memory.initialize(address, &contents)?;
            }
        }
        let function = &module.functions[self.kernel];
        let mut arguments = Vec::new();
        for (index, argument) in self.launch.arguments.iter().enumerate() {
            let ty = function.params[index];
            let is_by_value = function.param_attributes.get(index).is_some_and(|it| it.by_value);
            arguments.push(match argument {
                Argument::Buffer(_) | Argument::Image(_) => {
                    Datum::known(buffers[index].unwrap_or(0))
                }
                Argument::Sampler(bits) => Datum::known(u64::from(*bits)),
                Argument::Local(_) => Datum::known(parts[index].unwrap_or(0)),
                Argument::Null => Datum::known(0),
                Argument::Value(bytes) if is_by_value => {
                    let contents = Bytes::known(bytes.clone());
                    let address =
                        self.memory.allocate(Region::Private, contents, 128, Some(number))?;
                    item.own.push(address);
                    Datum::known(address)
                }
                Argument::Value(bytes) => {
                    if bytes.len() < self.size(ty)?
                        && !matches!(self.types().kind(ty), TypeKind::Vector(_, 3))
                    {
                        return Err(Stop::unknown("an argument of another size"));
                    }
                    self.value_in(ty, &Bytes::known(bytes.clone()))?
                }
            });
        }
        self.enter(&mut item, self.kernel, arguments)?;
        Ok(item)
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
    fn turn(&mut self, item: &mut Item) -> Result<(), Stop> {
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
                    let result = function.insts[inst].result.and_then(Value::as_local);
                    if let (Some(result), Some(datum)) = (result, datum) {
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
