//! This compiler's own convention: everything a kernel needs is in its argument block, which it has for
//! itself. Vulkan's launches have no offset of the global ids, so kernels that may see it are told it,
//! with 64 bits; sizes are counted from what Vulkan knows.
//!
//! Where a launch may be cut into [regions], kernels are told what they ask for of the launch and of where
//! a region is: ids and sizes of work-items with 64 bits, those of work-groups with 32, which each dispatch
//! of Vulkan's has.

use clc_base::Diagnostic;
use clc_builtins::Intrinsic as I;
use clc_ir::{BinaryOp, FuncId, StorageClass, Type, TypePool, Value};

use super::{CallingConvention, regions};
use crate::clspv::Interface;
use crate::reflection::{Argument, Binding, DataKind, Implicit, Kernel, Regions};
use crate::shader::arguments::{Entry, Overflow, Source};
use crate::shader::host_values::{Code, HostValue, HostValues};
use crate::shader::program_data::DataBuffers;

pub(super) struct Own {
    /// How a launch may be cut.
    pub regions: Option<Regions>,
}

impl CallingConvention for Own {
    fn first_local_constant(&self) -> u32 {
        // After the sizes of a work-group.
        3
    }

    fn data_buffers(&self) -> DataBuffers {
        DataBuffers {
            kinds: &[
                (&[StorageClass::UniformConstant], DataKind::Constant),
                (&[StorageClass::CrossWorkgroup], DataKind::Global),
            ],
            // What every device has (maxStorageBufferRange).
            most: 1 << 27,
            are_relocated: true,
        }
    }

    fn asks_for(&self, function: I) -> &'static [HostValue] {
        match (self.regions, function) {
            (None, _) => asks_for(function),
            // All work-groups have the size that was asked for.
            (Some(Regions::OneSize), I::GetEnqueuedLocalSize) => &[HostValue::LocalSize],
            (Some(Regions::OneSize), I::GetEnqueuedNumSubGroups) => &[],
            (Some(Regions::OneSize | Regions::AnySize), _) => regions::asks_for(function),
        }
    }

    fn variable(&self, types: &mut TypePool, value: HostValue) -> Option<Type> {
        match value {
            HostValue::GlobalOffset | HostValue::GlobalSize | HostValue::RegionOffset => {
                Some(types.vector(TypePool::I64, 3))
            }
            HostValue::WorkDim => Some(TypePool::I32),
            HostValue::LocalSize
            | HostValue::EnqueuedLocalSize
            | HostValue::NumGroups
            | HostValue::RegionGroupOffset => Some(types.vector(TypePool::I32, 3)),
            // It has a variable already.
            HostValue::PrintfBuffer => None,
        }
    }

    fn work_item(&self, code: &mut Code<'_, '_>, function: I, dimension: Value) -> Value {
        match (self.regions, function) {
            (_, I::GetWorkDim) => code.scalar(HostValue::WorkDim, 1),
            (None, _) => work_item(code, function, dimension),
            (Some(Regions::OneSize), I::GetEnqueuedLocalSize) => code.local_size(dimension),
            (Some(Regions::OneSize | Regions::AnySize), _) => {
                regions::work_item(code, function, dimension)
            }
        }
    }

    fn prepare(&mut self, _: &HostValues, _: usize) {}

    fn lay_out(&self, entry: &mut Entry<'_>) -> Result<Vec<Argument>, Vec<Diagnostic>> {
        entry.overflow = Overflow::Address;
        let arguments = entry.arguments()?;
        for (index, &base) in entry.asked.bases.iter().enumerate() {
            let (member, offset) = entry.member(TypePool::I64);
            entry.implicit.push(Implicit::ProgramData { index: index as u32, offset });
            entry.fill(Source::Member(member), TypePool::I64, base, false);
        }
        for told in entry.told() {
            let (source, ty, implicit) = match told.value {
                HostValue::GlobalOffset => {
                    let (source, ty, offset) = three(entry, TypePool::I64);
                    (source, ty, Implicit::GlobalOffset { offset })
                }
                HostValue::WorkDim => {
                    let (member, offset) = entry.member(TypePool::I32);
                    (Source::Member(member), TypePool::I32, Implicit::WorkDim { offset })
                }
                HostValue::PrintfBuffer => {
                    let (member, offset) = entry.member(TypePool::I64);
                    (Source::Member(member), TypePool::I64, Implicit::PrintfBuffer { offset })
                }
                HostValue::EnqueuedLocalSize => {
                    let (source, ty, offset) = three(entry, TypePool::I32);
                    (source, ty, Implicit::EnqueuedLocalSize { offset })
                }
                HostValue::GlobalSize => {
                    let (source, ty, offset) = three(entry, TypePool::I64);
                    (source, ty, Implicit::GlobalSize { offset })
                }
                HostValue::RegionOffset => {
                    let (source, ty, offset) = three(entry, TypePool::I64);
                    (source, ty, Implicit::RegionOffset { offset })
                }
                HostValue::NumGroups => {
                    let (source, ty, offset) = three(entry, TypePool::I32);
                    (source, ty, Implicit::NumGroups { offset })
                }
                HostValue::RegionGroupOffset => {
                    let (source, ty, offset) = three(entry, TypePool::I32);
                    (source, ty, Implicit::RegionGroupOffset { offset })
                }
                // Each kernel stores its own.
                HostValue::LocalSize => continue,
            };
            entry.implicit.push(implicit);
            entry.fill(source, ty, told.variable, !told.is_shared);
        }
        entry.questions();
        Ok(arguments)
    }

    fn interface(
        &self,
        _: &HostValues,
        _: &[FuncId],
        _: &[Kernel],
        _: Vec<Option<Binding>>,
        _: bool,
    ) -> Option<Interface> {
        None
    }
}

/// Three numbers of a type in the argument block, which take no room for a fourth there: where they are
/// read, as what, and their offset.
fn three(entry: &mut Entry<'_>, ty: Type) -> (Source, Type, u32) {
    let [(first, offset), ..] = [(); 3].map(|()| entry.member(ty));
    (Source::Components(first), entry.module.types.vector(ty, 3), offset)
}

/// What the value of a work-item function is computed from where a launch is one of Vulkan's.
fn asks_for(function: I) -> &'static [HostValue] {
    match function {
        I::GetGlobalId | I::GetGlobalOffset => &[HostValue::GlobalOffset],
        I::GetWorkDim => &[HostValue::WorkDim],
        I::GetLocalSize | I::GetEnqueuedLocalSize | I::GetGlobalSize | I::GetGlobalLinearId => {
            &[HostValue::LocalSize]
        }
        _ => &[],
    }
}

/// The value of a work-item function that asks for something, other than the number of dimensions, where
/// a launch is one of Vulkan's.
fn work_item(code: &mut Code<'_, '_>, function: I, dimension: Value) -> Value {
    match function {
        I::GetGlobalOffset => code.part(HostValue::GlobalOffset, dimension, 0),
        I::GetLocalSize | I::GetEnqueuedLocalSize => code.local_size(dimension),
        // Both are 1 in other dimensions.
        I::GetGlobalSize => {
            let groups = code.built_in(I::GetNumGroups, dimension);
            let size = code.local_size(dimension);
            code.b.binary(BinaryOp::IMul, groups, size)
        }
        I::GetGlobalId => {
            let id = code.built_in(I::GetGlobalId, dimension);
            let offset = code.part(HostValue::GlobalOffset, dimension, 0);
            code.b.binary(BinaryOp::IAdd, id, offset)
        }
        // Without the offset, as the variable of Vulkan is.
        _ => code.linear_id(|code, dimension| {
            let groups = code.built_in(I::GetNumGroups, dimension);
            let size = code.local_size(dimension);
            let size = code.b.binary(BinaryOp::IMul, groups, size);
            (code.built_in(I::GetGlobalId, dimension), size)
        }),
    }
}
