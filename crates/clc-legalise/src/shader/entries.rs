//! The kernels' entries: each reads its arguments, and what the host tells besides, where the calling
//! convention has put them.

use clc_base::Diagnostic;
use clc_ir::{FuncId, GlobalId, Module, TypePool};
use rustc_hash::FxHashSet;

use super::arguments::{AskedFor, Entry, private};
use super::images::Images;
use super::printf::Printf;
use super::push_constants::Blocks;
use super::required_sizes::RequiredSizes;
use super::{Places, convention, program_data, work_items};
use crate::diagnostics::E0708;
use crate::options::Convention;
use crate::reflection::{Binding, Reflection};
use crate::{TargetOptions, clspv};

/// What the step leaves.
pub(crate) struct Outcome {
    pub reflection: Reflection,
    pub places: Places,
    /// For a host of clspv's modules.
    pub clspv: Option<clspv::Interface>,
    /// Uniform buffers for arguments.
    pub bindings: Vec<(GlobalId, Binding)>,
}

/// Rewrites every kernel. The globals `unused` need no place; `printf` is there if kernels print;
/// `sizes` are those of work-groups.
pub(crate) fn run(
    module: &mut Module,
    options: &TargetOptions,
    unused: &FxHashSet<GlobalId>,
    images: Images,
    printf: Option<Printf>,
    sizes: &RequiredSizes,
) -> Result<Outcome, Vec<Diagnostic>> {
    let mut convention = convention::of(options);
    let (program_data, data_places) =
        program_data::lay_out(module, &convention.data_buffers(), unused)?;
    let bases: Vec<GlobalId> = program_data
        .iter()
        .map(|data| private(module, &format!("{:?} data", data.kind).to_lowercase(), TypePool::I64))
        .collect();
    let values = work_items::run(module, &*convention, printf.as_ref());
    let mut places = Places {
        program_data: program_data::bases(&data_places, &bases),
        local_arguments: Vec::new(),
    };
    let mut reflection = Reflection {
        environment: options.environment,
        // The convention of clspv describes its own.
        regions: options.regions().filter(|_| options.convention == Convention::Own),
        kernels: Vec::new(),
        program_data,
        printf_formats: printf.map_or_else(Vec::new, |printf| printf.formats),
        samplers: images.samplers.clone(),
    };
    let kernels: Vec<FuncId> = module.kernels().collect();
    if kernels.is_empty() {
        let diagnostic = Diagnostic::without_place(&E0708, "there is no kernel to compile")
            .note("a module for Vulkan is made of its entry points; libraries are for OpenCL only");
        return Err(vec![diagnostic]);
    }
    convention.prepare(&values, bases.len());
    let asked = AskedFor { bases: &bases, values: &values, images: &images };
    let mut errors = Vec::new();
    let mut next_constant = convention.first_local_constant();
    let mut blocks = Blocks::default();
    let mut uniforms = Vec::new();
    for &kernel in &kernels {
        let mut entry = Entry::new(module, kernel, options, asked, sizes, next_constant);
        match convention.lay_out(&mut entry) {
            Ok(arguments) => {
                next_constant = entry.next_constant;
                let (kernel, locals, uniform) = entry.finish(arguments, &mut blocks);
                places.local_arguments.extend(locals);
                reflection.kernels.push(kernel);
                uniforms.push(uniform);
            }
            Err(error) => errors.extend(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let in_buffers = uniforms.iter().map(|uniform| uniform.map(|(_, binding)| binding));
    let clspv = convention.interface(
        &values,
        &kernels,
        &reflection.kernels,
        in_buffers.collect(),
        !reflection.samplers.is_empty(),
    );
    let bindings = uniforms.into_iter().flatten().collect();
    Ok(Outcome { reflection, places, clspv, bindings })
}
