//! What the entry of a shader is given in place of arguments: an argument block, lengths of arrays in local
//! memory, descriptors, and buffers of the program's variables, as its [`Interface`] says.

use std::collections::HashMap;

use clc_base::Id;
use clc_ir::StorageClass;

use crate::interface::{Dispatch, Interface, Place, ProgramData, Told, Variable};
use crate::launch::Argument;
use crate::machine::Machine;
use crate::memory::{Bytes, Region};
use crate::stop::Stop;

/// Specialization constants of the compiler's own that are the size of work-groups, in three dimensions.
const SIZES: [u32; 3] = [0, 1, 2];
/// Of the address of a block in a buffer, and of one for what is printed.
const BLOCK_ALIGN: u64 = 16;
/// A length that the host chooses is rounded up to a multiple of at most as many bytes.
const LOCAL_ALIGN: u64 = 128;

impl Machine<'_> {
    /// Bytes that arrays in local memory may be longer than their types say: what the host chooses for `local`
    /// arguments, and for each work-item. Which array has which part of it, the module does not say, so that each
    /// has all of it.
    pub(crate) fn more_local_memory(&self, items: u64) -> u64 {
        let Some(interface) = &self.launch.interface else { return 0 };
        let arguments = self.launch.arguments.iter().map(|argument| match argument {
            Argument::Local(size) if interface.is_read => *size as u64 + LOCAL_ALIGN,
            _ => 0,
        });
        arguments.sum::<u64>().saturating_add(items.saturating_mul(interface.local_memory_per_item))
    }

    /// Makes the buffers of the program's variables, with what an earlier launch left in them, and gives the
    /// variables that are in them their addresses.
    pub(crate) fn place_program_data(&mut self) -> Result<(), Stop> {
        let launch = self.launch;
        let Some(interface) = launch.interface.as_ref().filter(|it| it.is_read) else {
            return Ok(());
        };
        for data in &interface.data {
            let region = if data.is_constant { Region::Constant } else { Region::Global };
            let contents = Bytes::known(data.contents.clone());
            self.bound.data.push(self.memory.allocate(region, contents, data.align, None)?);
        }
        for (number, data) in interface.data.iter().enumerate() {
            let base = self.bound.data[number];
            let mut contents = data.contents.clone();
            for &(offset, target) in &data.relocations {
                let field = contents.get_mut(offset..).and_then(|rest| rest.first_chunk_mut::<8>());
                let (Some(field), Some(&target)) = (field, self.bound.data.get(target)) else {
                    return Err(Stop::unknown("an address outside of the program's variables"));
                };
                *field = u64::from_le_bytes(*field).wrapping_add(target).to_le_bytes();
            }
            self.memory.initialize(base, &Bytes::known(contents))?;
            for Variable { name, offset, size } in
                data.variables.iter().filter(|_| !data.is_constant)
            {
                let Some(left) = launch.variables.get(name).filter(|it| it.bytes.len() == *size)
                else {
                    continue;
                };
                self.memory.initialize(base + *offset as u64, left)?;
            }
            self.place_globals(data, base);
        }
        Ok(())
    }

    /// Variables are in their buffer in the order of the module's, some of which are in none.
    fn place_globals(&mut self, data: &ProgramData, base: u64) {
        let class = match data.is_constant {
            true => StorageClass::UniformConstant,
            false => StorageClass::CrossWorkgroup,
        };
        let mut left = data.variables.iter().peekable();
        let module = self.module;
        for (id, global) in module.globals.iter().filter(|(_, global)| global.class == class) {
            let size = module.types.size(global.ty);
            let is_it = |next: &&Variable| next.name == global.name && next.size as u64 == size;
            if let Some(Variable { offset, .. }) = left.next_if(is_it) {
                self.globals[id.index()] = base + *offset as u64;
            }
        }
    }

    /// What the program's variables hold that kernels may write, by name.
    pub(crate) fn variables_left(&mut self) -> Result<HashMap<String, Bytes>, Stop> {
        let mut left = self.launch.variables.clone();
        let interface = self.launch.interface.as_ref().filter(|it| it.is_read);
        let data = interface.map_or(&[][..], |interface| &interface.data);
        for (data, &base) in data.iter().zip(&self.bound.data).filter(|(data, _)| !data.is_constant)
        {
            for Variable { name, offset, size } in &data.variables {
                left.insert(name.clone(), self.memory.part(base + *offset as u64, *size)?);
            }
        }
        for (id, global) in self.module.globals.iter() {
            let address = self.globals[id.index()];
            if interface.is_none() && global.class == StorageClass::CrossWorkgroup {
                let size = self.size(global.ty)?;
                left.insert(global.name.clone(), self.memory.part(address, size)?);
            }
        }
        Ok(left)
    }

    /// Binds images and samplers, and makes the buffer for what is printed. `buffers` has the numbers of images.
    pub(crate) fn bind(&mut self, buffers: &[Option<u64>]) -> Result<(), Stop> {
        let launch = self.launch;
        let Some(interface) = launch.interface.as_ref() else { return Ok(()) };
        for global in self.module.globals.values() {
            if matches!(global.class, StorageClass::Uniform | StorageClass::StorageBuffer) {
                return Err(Stop::unknown("buffers that are bound"));
            }
        }
        for (binding, bits) in &interface.samplers {
            self.bound.descriptors.insert(*binding, u64::from(*bits));
        }
        for (index, (argument, place)) in launch.arguments.iter().zip(&interface.places).enumerate()
        {
            let (binding, value) = match (place, argument) {
                (Place::Image(at), Argument::Image(_)) => {
                    (at, buffers.get(index).copied().flatten().unwrap_or(u64::MAX))
                }
                (Place::Sampler { at, always_normalized }, Argument::Sampler(bits)) => {
                    (at, u64::from(*bits) | u64::from(*always_normalized))
                }
                _ => continue,
            };
            self.bound.descriptors.insert(*binding, value);
        }
        if interface.told.iter().any(|(told, _)| *told == Told::PrintfBuffer) {
            let words = launch.printf_words;
            let mut contents = vec![0; 8 + 4 * words as usize];
            contents[4..8].copy_from_slice(&words.to_le_bytes());
            let contents = Bytes::known(contents);
            let address = self.memory.allocate(Region::Global, contents, BLOCK_ALIGN, None)?;
            self.bound.printf = Some(address);
        }
        Ok(())
    }

    /// Chooses the specialization constants of a dispatch, and pushes its argument block.
    pub(crate) fn begin(
        &mut self,
        dispatch: &Dispatch,
        buffers: &[Option<u64>],
    ) -> Result<(), Stop> {
        if let Some(interface) = self.launch.interface.as_ref().filter(|it| it.is_read) {
            for (number, size) in SIZES.into_iter().zip(dispatch.local) {
                self.bound.constants.insert(number, size);
            }
            let mut block = self.block(interface, dispatch, buffers)?;
            if interface.block_in_buffer {
                let address = self.memory.allocate(Region::Constant, block, BLOCK_ALIGN, None)?;
                block = Bytes::known(address.to_le_bytes().to_vec());
            }
            let module = self.module;
            for (id, global) in module.globals.iter() {
                if global.class == StorageClass::PushConstant {
                    let size = self.size(global.ty)?.min(block.bytes.len());
                    let part = Bytes {
                        bytes: block.bytes[..size].to_vec(),
                        unknown: block.unknown[..size].to_vec(),
                    };
                    self.memory.initialize(self.globals[id.index()], &part)?;
                }
            }
        }
        self.compute_constants();
        Ok(())
    }

    /// The argument block. Bytes that neither an argument nor a value of the host is written to are unknown. Lengths of
    /// arrays in local memory become specialization constants.
    fn block(
        &mut self,
        interface: &Interface,
        dispatch: &Dispatch,
        buffers: &[Option<u64>],
    ) -> Result<Bytes, Stop> {
        let launch = self.launch;
        if interface.places.len() != launch.arguments.len() {
            return Err(Stop::unknown("the kernel takes another number of arguments"));
        }
        let mut block = Bytes::unknown(interface.block_size);
        let mut put = |offset: usize, bytes: &[u8]| {
            let range = offset..offset + bytes.len();
            let (Some(place), Some(unknown)) =
                (block.bytes.get_mut(range.clone()), block.unknown.get_mut(range))
            else {
                return Err(Stop::unknown("an argument outside of the block"));
            };
            place.copy_from_slice(bytes);
            unknown.fill(0);
            Ok(())
        };
        for (index, (argument, place)) in launch.arguments.iter().zip(&interface.places).enumerate()
        {
            match (place, argument) {
                (Place::Address { offset }, Argument::Buffer(_) | Argument::Null) => {
                    let address = buffers.get(index).copied().flatten().unwrap_or(0);
                    put(*offset, &address.to_le_bytes())?;
                }
                (Place::Value { offset, size }, Argument::Value(bytes)) => {
                    put(*offset, &bytes[..bytes.len().min(*size)])?;
                }
                (Place::Local { constant, element_size }, Argument::Local(bytes)) => {
                    let elements = bytes.div_ceil((*element_size).max(1));
                    self.bound.constants.insert(*constant, elements as u64);
                }
                (Place::Image(_), Argument::Image(_))
                | (Place::Sampler { .. }, Argument::Sampler(_)) => {}
                _ => return Err(Stop::unknown("an argument of another kind than the kernel's")),
            }
        }
        for (told, at) in &interface.told {
            put(*at, &self.told(*told, dispatch)?)?;
        }
        Ok(block)
    }

    /// What the host tells.
    fn told(&self, told: Told, dispatch: &Dispatch) -> Result<Vec<u8>, Stop> {
        let launch = self.launch;
        let three = |numbers: &[u64], default: u64| {
            [0, 1, 2].map(|index| numbers.get(index).copied().unwrap_or(default))
        };
        let longs = |numbers: [u64; 3]| numbers.map(u64::to_le_bytes).concat();
        let words =
            |numbers: [u64; 3]| numbers.map(|number| (number as u32).to_le_bytes()).concat();
        let word = |number: u32| number.to_le_bytes().to_vec();
        let image = |argument: usize| match launch.arguments.get(argument) {
            Some(Argument::Image(image)) => Ok(image),
            _ => Err(Stop::unknown("a question about what is no image")),
        };
        let (global, offset) = (three(&launch.global, 1), three(&launch.offset, 0));
        let local = three(&launch.local, 1);
        Ok(match told {
            Told::GlobalOffset => longs(offset),
            Told::GlobalSize => longs(global),
            Told::EnqueuedLocalSize => words(local),
            Told::NumGroups => words([0, 1, 2].map(|d| global[d].div_ceil(local[d]))),
            Told::RegionOffset => {
                longs([0, 1, 2].map(|d| offset[d].wrapping_add(dispatch.first_group[d] * local[d])))
            }
            Told::RegionGroupOffset => words(dispatch.first_group),
            Told::WorkDim => word(launch.global.len() as u32),
            Told::PrintfBuffer => self.bound.printf.unwrap_or(0).to_le_bytes().to_vec(),
            Told::ProgramData(index) => {
                let address = self.bound.data.get(index);
                let address = address.ok_or_else(|| Stop::unknown("data that there is not"))?;
                address.to_le_bytes().to_vec()
            }
            Told::Image(number, argument) => word(image(argument)?.number(number)),
            Told::SamplerBits(argument) => match launch.arguments.get(argument) {
                Some(Argument::Sampler(bits)) => word(*bits),
                _ => return Err(Stop::unknown("a question about what is no sampler")),
            },
        })
    }

    /// The contents of a Private variable that the compiler has made for what the host tells, before the step that
    /// reads that from the block; `None` for all others.
    pub(crate) fn told_variable(&self, name: &str) -> Result<Option<Bytes>, Stop> {
        let Some(interface) = self.launch.interface.as_ref().filter(|it| !it.is_read) else {
            return Ok(None);
        };
        let told = interface.told.iter().find(|(told, _)| told.variable().as_deref() == Some(name));
        let whole = Dispatch { first_group: [0; 3], groups: [1; 3], local: [1; 3] };
        told.map(|(told, _)| Ok(Bytes::known(self.told(*told, &whole)?))).transpose()
    }
}
