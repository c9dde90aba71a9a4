//! The calling convention: how a host passes to kernels what they need. It decides what the host
//! tells besides the arguments, what work-item functions are computed from, and where all of it is.
//!
//! This is all that is different between this compiler's own convention and that of clspv; what is
//! found out here is described for the host by the reflection.

mod clspv;
mod own;
mod regions;

use clc_base::Diagnostic;
use clc_builtins::Intrinsic;
use clc_ir::{FuncId, Type, TypePool, Value};

use super::arguments::Entry;
use super::host_values::{Code, HostValue, HostValues};
use super::program_data::DataBuffers;
use crate::clspv::Interface;
use crate::options::{Convention, TargetOptions};
use crate::reflection::{Argument, Binding, Kernel};

pub(super) trait CallingConvention {
    /// The specialization constants before this one do not belong to `local` arguments.
    fn first_local_constant(&self) -> u32;

    /// The buffers for program-scope variables.
    fn data_buffers(&self) -> DataBuffers;

    /// What the value of a work-item function is computed from; nothing if it is a built-in variable.
    fn asks_for(&self, function: Intrinsic) -> &'static [HostValue];

    /// The type of the Private variable for a value; `None` if it needs none.
    fn variable(&self, types: &mut TypePool, value: HostValue) -> Option<Type>;

    /// The value of a work-item function that asks for something.
    fn work_item(&self, code: &mut Code<'_, '_>, function: Intrinsic, dimension: Value) -> Value;

    /// Decides where each kernel finds what all are told, after it is known what they ask for.
    fn prepare(&mut self, values: &HostValues, data_buffers: usize);

    /// Gives the arguments of a kernel, and what it is told besides, their places.
    fn lay_out(&self, entry: &mut Entry<'_>) -> Result<Vec<Argument>, Vec<Diagnostic>>;

    /// What a host of clspv's modules must know besides the reflection. By kernel there are the
    /// bindings of the uniform buffers that arguments are in.
    fn interface(
        &self,
        values: &HostValues,
        kernels: &[FuncId],
        described: &[Kernel],
        uniforms: Vec<Option<Binding>>,
        has_samplers: bool,
    ) -> Option<Interface>;
}

pub(super) fn of(options: &TargetOptions) -> Box<dyn CallingConvention> {
    match options.convention {
        Convention::Own => Box::new(own::Own { regions: options.regions() }),
        Convention::Clspv(host) => Box::new(clspv::Clspv::new(host)),
    }
}
