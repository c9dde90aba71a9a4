//! From a launch to work-items: the memory that each has, and the order in which they begin.

use clc_base::Id;
use clc_ir::{StorageClass, TypeKind, Value};

use crate::interface::{self, Dispatch};
use crate::launch::{Argument, Outcome};
use crate::machine::{Item, Machine, State};
use crate::memory::{Accessor, Bytes, Region};
use crate::stop::Stop;
use crate::value::Datum;
use crate::work_items::Position;

/// Work-items of a launch.
const ITEMS: u64 = 1 << 22;

/// How many have begun.
#[derive(Clone, Copy, Default)]
struct Begun {
    items: u32,
    groups: u32,
}

impl Machine<'_> {
    pub(crate) fn run(mut self) -> Result<Outcome, Stop> {
        let three = |numbers: &[u64], default: u64| {
            [0, 1, 2].map(|index| numbers.get(index).copied().unwrap_or(default))
        };
        let launch = self.launch;
        let (global, local) = (three(&launch.global, 1), three(&launch.local, 1));
        let items = global.iter().try_fold(1u64, |product, &size| product.checked_mul(size));
        if items.is_none_or(|items| items > ITEMS)
            || !(1..=3).contains(&launch.global.len())
            || local.contains(&0)
            || launch.sub_group_size == 0
        {
            return Err(Stop::Limit("work-items"));
        }
        let function = &self.module.functions[self.kernel];
        let wanted = if self.is_shader() { 0 } else { launch.arguments.len() };
        if function.params.len() != wanted {
            return Err(Stop::unknown("the kernel takes another number of arguments"));
        }
        let mut buffers = Vec::new();
        for argument in &launch.arguments {
            buffers.push(match argument {
                Argument::Buffer(bytes) => {
                    let contents = Bytes::known(bytes.clone());
                    let place = (128, launch.buffer_place);
                    Some(self.memory.allocate_beside(Region::Global, contents, place, None)?)
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
        self.bind(&buffers)?;
        let mut begun = Begun::default();
        for dispatch in interface::dispatches(launch.interface.as_ref(), global, local)? {
            self.begin(&dispatch, &buffers)?;
            let [width, height, depth] = dispatch.groups;
            for z in 0..depth {
                for y in 0..height {
                    for x in 0..width {
                        let position = self.position(&dispatch, global, [x, y, z]);
                        begun = self.run_group(position, begun, &buffers)?;
                    }
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
        let variables = self.variables_left()?;
        let records = self.bound.printf.map(|base| self.memory.contents(base)).transpose()?;
        let (printed, steps_left) = (self.printed, self.steps);
        Ok(Outcome { buffers: contents, variables, printed, records, steps_left })
    }

    /// Whether the kernel reads an argument block and has no parameters.
    pub(crate) fn is_shader(&self) -> bool {
        self.launch.interface.as_ref().is_some_and(|interface| interface.is_read)
    }

    /// Where the first item of a group is. A shader's entry knows nothing of the launch but its dispatch.
    fn position(&self, dispatch: &Dispatch, global: [u64; 3], group: [u64; 3]) -> Position {
        let launch = self.launch;
        let Dispatch { first_group: _, groups, local } = *dispatch;
        let global = match self.is_shader() {
            true => [0, 1, 2].map(|d| groups[d] * local[d]),
            false => global,
        };
        let offset = |d: usize| match self.is_shader() {
            true => 0,
            false => launch.offset.get(d).copied().unwrap_or(0),
        };
        Position {
            dimensions: launch.global.len() as u64,
            global_size: global,
            offset: [0, 1, 2].map(offset),
            enqueued_local: local,
            groups,
            group,
            local_size: [0, 1, 2].map(|d| local[d].min(global[d] - group[d] * local[d])),
            local: [0; 3],
            sub_group_size: launch.sub_group_size,
            has_fixed_sub_groups: launch.interface.is_some(),
        }
    }

    /// Runs a work-group to its end.
    fn run_group(
        &mut self,
        position: Position,
        begun: Begun,
        buffers: &[Option<u64>],
    ) -> Result<Begun, Stop> {
        let size = position.local_size;
        let more = self.more_local_memory(size.iter().product());
        self.allocate_globals(more, |class| class == StorageClass::Workgroup)?;
        let mut parts = Vec::new();
        for argument in &self.launch.arguments {
            parts.push(match argument {
                Argument::Local(size) if !self.is_shader() => {
                    let contents = Bytes::unknown(*size);
                    Some(self.memory.allocate(Region::Local, contents, 128, None)?)
                }
                Argument::Local(_)
                | Argument::Buffer(_)
                | Argument::Value(_)
                | Argument::Null
                | Argument::Image(_)
                | Argument::Sampler(_) => None,
            });
        }
        let mut items = Vec::new();
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let position = Position { local: [x, y, z], ..position };
                    let accessor = Accessor {
                        item: begun.items + items.len() as u32,
                        group: begun.groups,
                        epochs: [0; 2],
                        is_atomic: false,
                    };
                    items.push(self.item(position, accessor, buffers, &parts)?);
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
        Ok(Begun { items: begun.items + items.len() as u32, groups: begun.groups + 1 })
    }

    /// A work-item that has yet to begin.
    fn item(
        &mut self,
        position: Position,
        accessor: Accessor,
        buffers: &[Option<u64>],
        parts: &[Option<u64>],
    ) -> Result<Item, Stop> {
        let module = self.module;
        let mut item = Item::new(position, accessor, module.globals.len());
        let owner = Some(accessor.item);
        for (id, global) in module.globals.iter() {
            if global.class == StorageClass::Private {
                let address = self.allocate_global(id, Region::Private, owner, 0)?;
                item.own[id.index()] = address;
                if let Some(contents) = self.told_variable(&global.name)? {
                    self.memory.initialize(address, &contents)?;
                }
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
        let arguments = match self.is_shader() {
            true => Vec::new(),
            false => self.parameters(&mut item, buffers, parts)?,
        };
        self.enter(&mut item, self.kernel, arguments)?;
        Ok(item)
    }

    /// What the parameters of a kernel are for an item.
    fn parameters(
        &mut self,
        item: &mut Item,
        buffers: &[Option<u64>],
        parts: &[Option<u64>],
    ) -> Result<Vec<Datum>, Stop> {
        let function = &self.module.functions[self.kernel];
        let mut arguments = Vec::new();
        for (index, argument) in self.launch.arguments.iter().enumerate() {
            let ty = function.params[index];
            let is_by_value = function.param_attributes.get(index).is_some_and(|it| it.by_value);
            arguments.push(match argument {
                Argument::Buffer(_) => {
                    let address = buffers[index].unwrap_or(0);
                    let pointee = self.types().pointer_parts(ty).map(|(pointee, _)| pointee);
                    let align = pointee.map_or(1, |pointee| self.types().align(pointee));
                    if !address.is_multiple_of(align) {
                        let fault = format!("a buffer that is not aligned to {align} bytes");
                        return Err(Stop::fault(fault));
                    }
                    Datum::known(address)
                }
                Argument::Image(_) => Datum::known(buffers[index].unwrap_or(0)),
                Argument::Sampler(bits) => Datum::known(u64::from(*bits)),
                Argument::Local(_) => Datum::known(parts[index].unwrap_or(0)),
                Argument::Null => Datum::known(0),
                Argument::Value(bytes) if is_by_value => {
                    let (pointee, _) = self.types().pointer_parts(ty).ok_or_else(|| {
                        Stop::unknown("a struct that is passed through no pointer")
                    })?;
                    // Padding takes any value when the struct is passed (C99 6.2.6.1p6).
                    let value = self.value_in(pointee, &Bytes::known(bytes.clone()))?;
                    let contents = self.bytes_of(pointee, &value)?;
                    let owner = Some(item.accessor.item);
                    let address = self.memory.allocate(Region::Private, contents, 128, owner)?;
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
        Ok(arguments)
    }
}
