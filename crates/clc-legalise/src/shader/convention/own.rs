//! This compiler's own convention: everything a kernel needs is in its argument block, which it has for
//! itself. Vulkan's launches have no offset of the global ids, so kernels that may see it are told it,
//! with 64 bits; sizes are counted from what Vulkan knows.

use clc_base::Diagnostic;
use clc_builtins::Intrinsic as I;
use clc_ir::{BinaryOp, FuncId, StorageClass, Type, TypePool, Value};

use super::CallingConvention;
use crate::clspv::Interface;
use crate::reflection::{Argument, Binding, DataKind, Implicit, Kernel};
use crate::shader::arguments::{Entry, Overflow, Source};
use crate::shader::host_values::{Code, HostValue, HostValues};
use crate::shader::program_data::DataBuffers;

pub(super) struct Own;

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
        match function {
            I::GetGlobalId | I::GetGlobalOffset => &[HostValue::GlobalOffset],
            I::GetWorkDim => &[HostValue::WorkDim],
            I::GetLocalSize | I::GetEnqueuedLocalSize | I::GetGlobalSize | I::GetGlobalLinearId => {
                &[HostValue::LocalSize]
            }
            _ => &[],
        }
    }

    fn variable(&self, types: &mut TypePool, value: HostValue) -> Option<Type> {
        match value {
            HostValue::GlobalOffset => Some(types.vector(TypePool::I64, 3)),
            HostValue::WorkDim => Some(TypePool::I32),
            HostValue::LocalSize => Some(types.vector(TypePool::I32, 3)),
            // It has a variable already.
            HostValue::PrintfBuffer
            | HostValue::EnqueuedLocalSize
            | HostValue::GlobalSize
            | HostValue::RegionOffset
            | HostValue::NumGroups
            | HostValue::RegionGroupOffset => None,
        }
    }

    fn work_item(&self, code: &mut Code<'_, '_>, function: I, dimension: Value) -> Value {
        match function {
            I::GetWorkDim => code.scalar(HostValue::WorkDim, 1),
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
                    // Three numbers take no room for a fourth here.
                    let [(first, offset), ..] = [(); 3].map(|()| entry.member(TypePool::I64));
                    let ty = entry.module.types.vector(TypePool::I64, 3);
                    (Source::Components(first), ty, Implicit::GlobalOffset { offset })
                }
                HostValue::WorkDim => {
                    let (member, offset) = entry.member(TypePool::I32);
                    (Source::Member(member), TypePool::I32, Implicit::WorkDim { offset })
                }
                HostValue::PrintfBuffer => {
                    let (member, offset) = entry.member(TypePool::I64);
                    (Source::Member(member), TypePool::I64, Implicit::PrintfBuffer { offset })
                }
                HostValue::LocalSize
                | HostValue::EnqueuedLocalSize
                | HostValue::GlobalSize
                | HostValue::RegionOffset
                | HostValue::NumGroups
                | HostValue::RegionGroupOffset => continue,
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
