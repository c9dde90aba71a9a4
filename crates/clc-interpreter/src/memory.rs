//! Memory: objects at addresses, with the bits of them that were never written, and who accessed them.
//!
//! Addresses are numbers, so that programs may convert and compare them. Each kind of memory has a range of
//! its own, from which addresses are given out once: what is found at an address of an object that is gone is
//! nothing. Between objects there is room that belongs to none.

use clc_ir::StorageClass;

use crate::stop::Stop;
use crate::value::{Scalar, mask};

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Of all work-items.
    Global,
    /// Not written by kernels.
    Constant,
    /// Of a work-group.
    Local,
    /// Of a work-item.
    Private,
}

impl Region {
    const ALL: [Region; 4] = [Region::Global, Region::Constant, Region::Local, Region::Private];

    /// Where objects of a storage class are; `None` for generic pointers and what has no address.
    pub fn of(class: StorageClass) -> Option<Region> {
        Some(match class {
            StorageClass::CrossWorkgroup
            | StorageClass::PhysicalStorageBuffer
            | StorageClass::ReadOnlyBuffer
            | StorageClass::StorageBuffer => Region::Global,
            StorageClass::UniformConstant | StorageClass::PushConstant | StorageClass::Uniform => {
                Region::Constant
            }
            StorageClass::Workgroup => Region::Local,
            StorageClass::Function | StorageClass::Private => Region::Private,
            StorageClass::Generic | StorageClass::Input => return None,
        })
    }
}

/// Bytes, and which of their bits are unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Zero where they are unknown.
    pub bytes: Vec<u8>,
    /// Parallel to them: a one for each unknown bit.
    pub unknown: Vec<u8>,
}

impl Bytes {
    /// Bytes that are all known.
    pub fn known(bytes: Vec<u8>) -> Bytes {
        Bytes { unknown: vec![0; bytes.len()], bytes }
    }

    /// Bytes of which nothing is known.
    pub fn unknown(size: usize) -> Bytes {
        Bytes { bytes: vec![0; size], unknown: vec![0xff; size] }
    }
}

/// The work-item that accesses memory, and how many barriers of its group it has passed: accesses that a barrier
/// separates are no data race.
#[derive(Clone, Copy, Debug)]
pub struct Accessor {
    /// Counted through all work-groups.
    pub item: u32,
    /// Its work-group.
    pub group: u32,
    /// The barriers that ordered local and global memory in the group so far.
    pub epochs: [u32; 2],
    /// An atomic, which races with no other.
    pub is_atomic: bool,
}

/// The last accesses of a byte.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    write: Mark,
    read: Mark,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Counted from one; zero for none.
    item: u32,
    group: u32,
    epoch: u32,
    is_atomic: bool,
    /// Others did the same between the same barriers.
    is_of_several: bool,
}

impl Mark {
    /// Whether nothing orders this access and one of `who` in the same kind of memory.
    fn races(self, who: Accessor, epoch: u32) -> bool {
        self.item != 0
            && (self.item != who.item + 1 || self.is_of_several)
            && !(self.is_atomic && who.is_atomic)
            && (self.group != who.group || self.epoch == epoch)
    }

    fn set(&mut self, who: Accessor, epoch: u32) {
        let is_of_several = self.item != 0
            && self.group == who.group
            && self.epoch == epoch
            && (self.is_of_several || self.item != who.item + 1);
        let is_atomic = who.is_atomic && (self.is_atomic || !is_of_several);
        *self = Mark { item: who.item + 1, group: who.group, epoch, is_atomic, is_of_several };
    }
}

struct Object {
    base: u64,
    contents: Bytes,
    /// The work-item that private memory is of.
    owner: Option<u32>,
    /// Empty where races are not looked for.
    marks: Vec<Marks>,
    is_gone: bool,
}

/// All memory of a launch.
pub struct Memory {
    /// By region: objects in the order of their addresses, and the next address.
    regions: [(Vec<Object>, u64); 4],
    /// How far apart regions are, as a power of two.
    shift: u32,
    left: u64,
    /// Data races are looked for.
    pub races: bool,
}

/// Bits where any will do: not those that a program is likely to expect.
const ANY: u8 = 0xa6;

/// Between objects.
const GAP: u64 = 64;

impl Memory {
    /// `pointer_size` is 4 or 8 bytes; `limit` is in bytes, of all objects at a time.
    pub fn new(pointer_size: u64, limit: u64, races: bool) -> Memory {
        let shift = if pointer_size == 4 { 28 } else { 40 };
        let start = |region: Region| ((region as u64 + 1) << shift) + GAP;
        let regions = Region::ALL.map(|region| (Vec::new(), start(region)));
        Memory { regions, shift, left: limit, races }
    }

    /// Makes an object and returns its address.
    pub fn allocate(
        &mut self,
        region: Region,
        contents: Bytes,
        align: u64,
        owner: Option<u32>,
    ) -> Result<u64, Stop> {
        self.allocate_beside(region, contents, (align, 0), owner)
    }

    /// Makes an object so many bytes behind a multiple of an alignment, and returns its address.
    pub fn allocate_beside(
        &mut self,
        region: Region,
        contents: Bytes,
        (align, place): (u64, u64),
        owner: Option<u32>,
    ) -> Result<u64, Stop> {
        let size = contents.bytes.len() as u64;
        // Shadows and the object itself take memory too.
        self.left = self.left.checked_sub(size + GAP).ok_or(Stop::Limit("memory"))?;
        let shift = self.shift;
        let is_shared = matches!(region, Region::Global | Region::Local);
        let marks = match self.races && is_shared {
            true => vec![Marks::default(); contents.bytes.len()],
            false => Vec::new(),
        };
        let (objects, next) = &mut self.regions[region as usize];
        let base = next.next_multiple_of(align.max(16)) + place;
        *next = base + size + GAP;
        if *next >= (region as u64 + 2) << shift {
            return Err(Stop::Limit("addresses"));
        }
        objects.push(Object { base, contents, owner, marks, is_gone: false });
        Ok(base)
    }

    /// Ends the lifetime of an object.
    pub fn release(&mut self, region: Region, base: u64) {
        let (objects, _) = &mut self.regions[region as usize];
        let index = objects.partition_point(|object| object.base < base);
        if let Some(object) = objects.get_mut(index).filter(|object| object.base == base) {
            self.left += object.contents.bytes.len() as u64 + GAP;
            object.contents = Bytes::default();
            object.marks = Vec::new();
            object.is_gone = true;
        }
        while objects.last().is_some_and(|object| object.is_gone) {
            objects.pop();
        }
    }

    /// The kind of memory that an address is of.
    pub fn region(&self, address: u64) -> Option<Region> {
        let number = (address >> self.shift).checked_sub(1)?;
        Region::ALL.get(usize::try_from(number).ok()?).copied()
    }

    fn find(&mut self, address: u64, size: u64) -> Result<(Region, &mut Object, usize), Stop> {
        if address == 0 {
            return Err(Stop::fault("an access through a null pointer"));
        }
        let Some(region) = self.region(address) else {
            return Err(Stop::fault("an access outside of all memory"));
        };
        let (objects, _) = &mut self.regions[region as usize];
        let index = objects.partition_point(|object| object.base <= address);
        let object = index.checked_sub(1).and_then(|index| objects.get_mut(index));
        let outside = || {
            Stop::fault(format!(
                "an access of {size} bytes out of bounds, or of an object that is gone, in {} memory",
                format!("{region:?}").to_lowercase()
            ))
        };
        let object = object.ok_or_else(outside)?;
        let offset = address - object.base;
        if offset + size > object.contents.bytes.len() as u64 {
            return Err(outside());
        }
        Ok((region, object, offset as usize))
    }

    fn touch(
        &mut self,
        address: u64,
        size: u64,
        who: Accessor,
        is_write: bool,
    ) -> Result<(&mut Object, usize), Stop> {
        let races = self.races;
        let (region, object, offset) = self.find(address, size)?;
        if object.owner.is_some_and(|owner| owner != who.item) {
            return Err(Stop::fault("an access of another work-item's private memory"));
        }
        if is_write && region == Region::Constant {
            return Err(Stop::fault("a write to constant memory"));
        }
        if races && !object.marks.is_empty() {
            let epoch = who.epochs[usize::from(region == Region::Global)];
            for marks in &mut object.marks[offset..offset + size as usize] {
                let races =
                    marks.write.races(who, epoch) || is_write && marks.read.races(who, epoch);
                if races {
                    let other = if is_write && !marks.write.races(who, epoch) {
                        marks.read.item - 1
                    } else {
                        marks.write.item - 1
                    };
                    return Err(Stop::fault(format!(
                        "a data race in {} memory with work-item {other}",
                        if region == Region::Global { "global" } else { "local" },
                    )));
                }
                if is_write { &mut marks.write } else { &mut marks.read }.set(who, epoch);
            }
        }
        Ok((object, offset))
    }

    /// A scalar of at most eight bytes.
    pub fn load(&mut self, address: u64, size: u64, who: Accessor) -> Result<Scalar, Stop> {
        let (object, offset) = self.touch(address, size, who, false)?;
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..size as usize].copy_from_slice(&bytes[offset..offset + size as usize]);
            u64::from_le_bytes(word)
        };
        let Bytes { bytes, unknown } = &object.contents;
        Ok(Scalar::partly(word(bytes), word(unknown)))
    }

    /// Writes a scalar of at most eight bytes.
    pub fn store(
        &mut self,
        address: u64,
        size: u64,
        scalar: Scalar,
        who: Accessor,
    ) -> Result<(), Stop> {
        let (object, offset) = self.touch(address, size, who, true)?;
        let range = offset..offset + size as usize;
        let keep = mask(8 * size as u32);
        let Bytes { bytes, unknown } = &mut object.contents;
        bytes[range.clone()].copy_from_slice(&(scalar.bits & keep).to_le_bytes()[..size as usize]);
        unknown[range].copy_from_slice(&(scalar.unknown & keep).to_le_bytes()[..size as usize]);
        Ok(())
    }

    /// Bytes, as they are.
    pub fn read(&mut self, address: u64, size: u64, who: Accessor) -> Result<Bytes, Stop> {
        if size == 0 {
            return Ok(Bytes::default());
        }
        let (object, offset) = self.touch(address, size, who, false)?;
        let range = offset..offset + size as usize;
        Ok(Bytes {
            bytes: object.contents.bytes[range.clone()].to_vec(),
            unknown: object.contents.unknown[range].to_vec(),
        })
    }

    /// Writes bytes.
    pub fn write(&mut self, address: u64, contents: &Bytes, who: Accessor) -> Result<(), Stop> {
        let size = contents.bytes.len();
        if size == 0 {
            return Ok(());
        }
        let (object, offset) = self.touch(address, size as u64, who, true)?;
        object.contents.bytes[offset..offset + size].copy_from_slice(&contents.bytes);
        object.contents.unknown[offset..offset + size].copy_from_slice(&contents.unknown);
        Ok(())
    }

    /// Fills an object before the launch, whoever may write it.
    pub fn initialize(&mut self, address: u64, contents: &Bytes) -> Result<(), Stop> {
        let size = contents.bytes.len();
        let (_, object, offset) = self.find(address, size as u64)?;
        object.contents.bytes[offset..offset + size].copy_from_slice(&contents.bytes);
        object.contents.unknown[offset..offset + size].copy_from_slice(&contents.unknown);
        Ok(())
    }

    /// Chooses the bits that are unknown.
    pub fn settle(&mut self, address: u64, size: usize) -> Result<(), Stop> {
        let (_, object, offset) = self.find(address, size as u64)?;
        let Bytes { bytes, unknown } = &mut object.contents;
        for (byte, unknown) in bytes.iter_mut().zip(unknown).skip(offset).take(size) {
            *byte |= ANY & *unknown;
            *unknown = 0;
        }
        Ok(())
    }

    /// What an object holds.
    pub fn contents(&mut self, base: u64) -> Result<Bytes, Stop> {
        let (_, object, _) = self.find(base, 0)?;
        Ok(object.contents.clone())
    }

    /// What is in a part of an object, whoever may read it.
    pub fn part(&mut self, address: u64, size: usize) -> Result<Bytes, Stop> {
        let (_, object, offset) = self.find(address, size as u64)?;
        let range = offset..offset + size;
        Ok(Bytes {
            bytes: object.contents.bytes[range.clone()].to_vec(),
            unknown: object.contents.unknown[range].to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who(item: u32, epoch: u32) -> Accessor {
        Accessor { item, group: 0, epochs: [epoch; 2], is_atomic: false }
    }

    fn message(stop: Result<impl std::fmt::Debug, Stop>) -> String {
        stop.expect_err("a fault").to_string()
    }

    #[test]
    fn what_was_never_written_is_unknown() {
        let mut memory = Memory::new(8, 1 << 20, false);
        let base = memory.allocate(Region::Private, Bytes::unknown(8), 8, Some(0)).unwrap();
        memory.store(base + 1, 1, Scalar::known(0x12), who(0, 0)).unwrap();
        let word = memory.load(base, 4, who(0, 0)).unwrap();
        assert_eq!(word, Scalar::partly(0x1200, 0xffff_00ff));
    }

    #[test]
    fn accesses_outside_of_objects_are_faults() {
        let mut memory = Memory::new(4, 1 << 20, false);
        let base = memory.allocate(Region::Global, Bytes::unknown(8), 8, None).unwrap();
        let next = memory.allocate(Region::Global, Bytes::unknown(8), 8, None).unwrap();
        assert!(memory.load(base + 4, 4, who(0, 0)).is_ok());
        assert!(message(memory.load(base + 5, 4, who(0, 0))).contains("out of bounds"));
        assert!(message(memory.load(0, 4, who(0, 0))).contains("null"));
        memory.release(Region::Global, next);
        assert!(message(memory.load(next, 4, who(0, 0))).contains("gone"));
        let table = memory.allocate(Region::Constant, Bytes::unknown(4), 4, None).unwrap();
        let write = memory.store(table, 4, Scalar::known(0), who(0, 0));
        assert!(message(write).contains("constant memory"));
        let own = memory.allocate(Region::Private, Bytes::unknown(4), 4, Some(1)).unwrap();
        assert!(message(memory.load(own, 4, who(0, 0))).contains("another work-item"));
    }

    #[test]
    fn races_are_between_the_same_barriers() {
        let word = Scalar::known(1);
        let fresh = || {
            let mut memory = Memory::new(8, 1 << 20, true);
            let base = memory.allocate(Region::Local, Bytes::unknown(8), 8, None).unwrap();
            (memory, base)
        };
        let (mut memory, base) = fresh();
        memory.store(base, 4, word, who(0, 0)).unwrap();
        memory.store(base + 4, 4, word, who(1, 0)).unwrap();
        assert!(memory.load(base, 4, who(0, 0)).is_ok());
        assert!(memory.load(base, 4, who(1, 1)).is_ok(), "behind a barrier");
        assert!(memory.load(base, 4, who(0, 1)).is_ok(), "both read");
        assert!(message(memory.store(base, 4, word, who(0, 1))).contains("data race"));
        let (mut memory, base) = fresh();
        memory.store(base, 4, word, who(0, 0)).unwrap();
        assert!(message(memory.load(base + 3, 1, who(1, 0))).contains("with work-item 0"));
        // Atomics race with other accesses alone.
        let (mut memory, base) = fresh();
        let atomic = |item| Accessor { is_atomic: true, ..who(item, 0) };
        memory.store(base, 4, word, atomic(0)).unwrap();
        memory.store(base, 4, word, atomic(1)).unwrap();
        assert!(message(memory.load(base, 4, who(2, 0))).contains("data race"));
    }

    #[test]
    fn memory_is_limited() {
        let mut memory = Memory::new(8, 1000, false);
        assert!(memory.allocate(Region::Global, Bytes::unknown(900), 8, None).is_ok());
        let more = memory.allocate(Region::Global, Bytes::unknown(100), 8, None);
        assert_eq!(more, Err(Stop::Limit("memory")));
    }
}
