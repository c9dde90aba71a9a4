//! The convention of clspv, as clvk reads it from NonSemantic.ClspvReflection.
//!
//! Push constants begin with what all kernels of the module are told, at the same place in each;
//! arguments follow, or are all in a uniform buffer where they have no room. Offsets and sizes have 32
//! bits. A launch may always be cut into [regions], for what is at its edge and for what exceeds the
//! device's number of work-groups.

use clc_base::Diagnostic;
use clc_builtins::Intrinsic as I;
use clc_ir::{Const, FuncId, StorageClass, Type, TypePool, Value};

use super::{CallingConvention, regions};
use crate::clspv::{Interface, KernelInterface, Pushed};
use crate::diagnostics::E0704;
use crate::options::ClspvHost;
use crate::reflection::{Argument, ArgumentKind, Binding, DataKind, Kernel};
use crate::shader::arguments::{Entry, Overflow, Source};
use crate::shader::host_values::{Code, HostValue, HostValues};
use crate::shader::program_data::DataBuffers;

/// The specialization constant that is the number of dimensions.
const WORK_DIM: u32 = 3;

pub(super) struct Clspv {
    host: ClspvHost,
    /// What is told, and where; in order.
    pushed: Vec<(Pushed, u32)>,
    /// Bytes of it.
    size: u32,
}

impl Clspv {
    pub fn new(host: ClspvHost) -> Clspv {
        Clspv { host, pushed: Vec::new(), size: 0 }
    }
}

impl CallingConvention for Clspv {
    fn first_local_constant(&self) -> u32 {
        WORK_DIM + 1
    }

    fn data_buffers(&self) -> DataBuffers {
        const CLASSES: &[StorageClass] =
            &[StorageClass::UniformConstant, StorageClass::CrossWorkgroup];
        DataBuffers {
            kinds: &[(CLASSES, DataKind::Global)],
            // An OpString holds two digits for each byte, and 65,533 words.
            most: 131_064,
            are_relocated: false,
        }
    }

    fn asks_for(&self, function: I) -> &'static [HostValue] {
        regions::asks_for(function)
    }

    fn variable(&self, types: &mut TypePool, value: HostValue) -> Option<Type> {
        match value {
            HostValue::GlobalOffset
            | HostValue::LocalSize
            | HostValue::EnqueuedLocalSize
            | HostValue::GlobalSize
            | HostValue::RegionOffset
            | HostValue::NumGroups
            | HostValue::RegionGroupOffset => Some(types.vector(TypePool::I32, 3)),
            // A constant, and what has a variable already.
            HostValue::WorkDim | HostValue::PrintfBuffer => None,
        }
    }

    fn work_item(&self, code: &mut Code<'_, '_>, function: I, dimension: Value) -> Value {
        match function {
            I::GetWorkDim => {
                code.b.consts.intern(Const::Spec { ty: TypePool::I32, id: WORK_DIM, default: 1 })
            }
            _ => regions::work_item(code, function, dimension),
        }
    }

    fn prepare(&mut self, values: &HostValues, data_buffers: usize) {
        let mut add = |what: Pushed, size: u32, align: u32| {
            let offset = self.size.next_multiple_of(align);
            self.pushed.push((what, offset));
            self.size = offset + size;
        };
        // Addresses first, so that nothing is between them.
        if data_buffers > 0 {
            add(Pushed::ProgramData, 8, 8);
        }
        if values.variable(HostValue::PrintfBuffer).is_some() {
            add(Pushed::PrintfBuffer, 8, 8);
        }
        for (value, what) in VECTORS {
            if values.variable(value).is_some() {
                add(what, 12, 4);
            }
        }
    }

    fn lay_out(&self, entry: &mut Entry<'_>) -> Result<Vec<Argument>, Vec<Diagnostic>> {
        let told: Vec<_> = entry.told().collect();
        for &(what, offset) in &self.pushed {
            if what == Pushed::ProgramData {
                for &base in entry.asked.bases {
                    let member = entry.member_at(offset, TypePool::I64);
                    entry.fill(Source::Member(member), TypePool::I64, base, false);
                }
                continue;
            }
            let of_value = told.iter().find(|told| pushed_as(told.value) == Some(what));
            let Some(told) = of_value else { continue };
            let (source, ty) = if what == Pushed::PrintfBuffer {
                (Source::Member(entry.member_at(offset, TypePool::I64)), TypePool::I64)
            } else {
                let [first, ..] =
                    [0, 4, 8].map(|part| entry.member_at(offset + part, TypePool::I32));
                (Source::Components(first), entry.module.types.vector(TypePool::I32, 3))
            };
            entry.fill(source, ty, told.variable, !told.is_shared);
        }
        entry.reserve(self.size);
        entry.questions();
        entry.reserve(entry.size());
        if entry.size() > entry.limit {
            let message = format!(
                "what the host tells kernels takes {} bytes of push constants, and there are {}",
                entry.size(),
                entry.limit
            );
            return Err(vec![Diagnostic::without_place(&E0704, message).help(
                "pass offsets and sizes as arguments, or allow more with `--max-push-constant-size`",
            )]);
        }
        let arguments = entry.arguments()?;
        let is_descriptor = |argument: &&Argument| {
            matches!(argument.kind, ArgumentKind::Image { .. } | ArgumentKind::Sampler { .. })
        };
        let descriptors = arguments.iter().filter(is_descriptor).count() as u32;
        entry.overflow = Overflow::Uniform(Binding { set: 0, binding: descriptors });
        if entry.size() > self.host.max_uniform_size.max(entry.limit) {
            let message = format!(
                "the arguments of a kernel take {} bytes, and a uniform buffer has {}",
                entry.size(),
                self.host.max_uniform_size
            );
            return Err(vec![Diagnostic::new(&E0704, entry.span(), message).at(format!("needs {} bytes", entry.size())).help(
                "pass large structs in buffers, or allow more with `-max-ubo-size` if the device does",
            )]);
        }
        Ok(arguments)
    }

    fn interface(
        &self,
        values: &HostValues,
        kernels: &[FuncId],
        described: &[Kernel],
        uniforms: Vec<Option<Binding>>,
        has_samplers: bool,
    ) -> Option<Interface> {
        let asks = |value| kernels.iter().any(|&kernel| values.asks(kernel, value));
        let described = kernels.iter().zip(described).zip(uniforms);
        let kernels = described.map(|((&id, kernel), uniform)| KernelInterface {
            required_size: kernel.work_group_size.required(),
            uniform,
            prints: values.asks(id, HostValue::PrintfBuffer),
        });
        Some(Interface {
            sets: if has_samplers { [1, 0] } else { [0, 1] },
            kernels: kernels.collect(),
            pushed: self.pushed.clone(),
            work_dim: asks(HostValue::WorkDim).then_some(WORK_DIM),
            first_constant: 0,
            printf_buffer_size: self.host.printf_buffer_size,
        })
    }
}

const VECTORS: [(HostValue, Pushed); 6] = [
    (HostValue::RegionOffset, Pushed::RegionOffset),
    (HostValue::GlobalOffset, Pushed::GlobalOffset),
    (HostValue::GlobalSize, Pushed::GlobalSize),
    (HostValue::EnqueuedLocalSize, Pushed::EnqueuedLocalSize),
    (HostValue::NumGroups, Pushed::NumGroups),
    (HostValue::RegionGroupOffset, Pushed::RegionGroupOffset),
];

fn pushed_as(value: HostValue) -> Option<Pushed> {
    if value == HostValue::PrintfBuffer {
        return Some(Pushed::PrintfBuffer);
    }
    VECTORS.iter().find(|&&(known, _)| known == value).map(|&(_, what)| what)
}
