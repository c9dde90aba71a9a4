//! The legalisation of both targets on one screen.

use clc_base::Diagnostic;
use clc_builtins::profile::DeviceProfile;
use clc_builtins::worst::Estimates;
use clc_ir::{ConstPool, Function, GlobalId, Module};
use clc_passes::{BrokenPass, OptLevel, PassOptions};
use rustc_hash::FxHashSet;

use crate::shader::images::Images;
use crate::shader::library::For;
use crate::shader::printf::Printf;
use crate::shader::required_sizes::RequiredSizes;
use crate::shader::{self, PerItem, Shader};
use crate::{
    Environment, TargetOptions, arguments, availability, blocks, copies, double_atomics, edges,
    encoding, generic_atomics, initializers, kept_negations, kernels, loop_headers, recursion,
    shuffles, switches,
};

/// Compiles functions of the library: takes a text in OpenCL C and the names of the functions that
/// are wanted, returns a module that defines them.
pub type Bodies<'a> = dyn FnMut(&str, &[&'static str]) -> Module + 'a;

/// Why there is no legal module.
#[derive(Debug)]
pub enum Error {
    /// The program needs what the target lacks.
    Source(Vec<Diagnostic>),
    /// A step left a module that the verifier rejects: a bug in the compiler.
    Broken(BrokenPass),
}

impl From<BrokenPass> for Error {
    fn from(broken: BrokenPass) -> Error {
        Error::Broken(broken)
    }
}

/// What steps know besides the module, and what they leave for later steps and for emission.
pub(crate) struct Context<'a> {
    options: &'a TargetOptions,
    /// Whether modules may become larger so that kernels become faster.
    optimises: bool,
    bodies: &'a mut Bodies<'a>,
    /// Program-scope variables that became constants of kernels, or strings that the host knows.
    unused: FxHashSet<GlobalId>,
    /// Of a module for Vulkan.
    images: Images,
    /// Of a module for Vulkan that prints.
    printf: Option<Printf>,
    per_item: Option<PerItem>,
    required_sizes: RequiredSizes,
    shader: Option<Shader>,
    spirv_version: (u8, u8),
}

/// What is known of a legal module besides the module.
#[derive(Debug)]
pub struct Legalised {
    /// The version that its instructions need, at least that of the options.
    pub spirv_version: (u8, u8),
    /// Of a module for Vulkan.
    pub shader: Option<Shader>,
}

type Outcome = Result<(), Vec<Diagnostic>>;

#[derive(Clone, Copy)]
enum Scope {
    Module(fn(&mut Module)),
    /// May find what the target lacks.
    Checked(fn(&mut Context<'_>, &mut Module) -> Outcome),
    /// Not called for declarations.
    Function(fn(&mut Function, &mut ConstPool)),
}

/// A step of a legalisation.
pub struct Step {
    /// For `--print-after`, `--stop-after` and `--time-passes`.
    pub name: &'static str,
    /// What the step does, in a few words for the command's help.
    pub description: &'static str,
    scope: Scope,
}

impl Step {
    fn run(&self, context: &mut Context<'_>, module: &mut Module) -> Outcome {
        match self.scope {
            Scope::Module(run) => run(module),
            Scope::Checked(run) => return run(context, module),
            Scope::Function(run) => {
                let Module { functions, consts, .. } = module;
                for function in functions.values_mut().filter(|function| !function.is_declaration())
                {
                    run(function, consts);
                }
            }
        }
        Ok(())
    }
}

macro_rules! steps {
    ($($constant:ident = $name:literal, $description:literal, $scope:expr;)*) => {
        $(const $constant: Step =
            Step { name: $name, description: $description, scope: $scope };)*

        /// Every step, by name.
        pub const STEPS: &[Step] = &[$($constant),*];
    };
}

steps! {
    RECURSION = "recursion",
        "refuses kernels that reach a function which calls itself",
        Scope::Checked(|_, module| recursion::check(module));
    ENQUEUED_BLOCKS = "enqueued-blocks",
        "makes kernels of the blocks that kernels enqueue",
        Scope::Module(blocks::prepare_enqueued);
    AGGREGATE_ARGUMENTS = "aggregate-arguments",
        "passes structs and arrays by address, as drivers expect them",
        Scope::Module(arguments::pass_aggregates_through_memory);
    ARGUMENT_COPIES = "argument-copies",
        "copies structs that kernels write to their own memory",
        Scope::Module(arguments::copy_written_arguments);
    CALLED_KERNELS = "called-kernels",
        "moves the bodies of kernels that are called to functions",
        Scope::Module(kernels::separate_called_kernels);
    INITIALIZERS = "initializers",
        "copies constant aggregates from program-scope constants",
        Scope::Module(initializers::copy_from_constants);
    GENERIC_ATOMICS = "generic-atomics",
        "asks for the address space of a generic pointer before an atomic goes through it",
        Scope::Module(generic_atomics::run);
    DOUBLE_ATOMICS = "double-atomics",
        "exchanges and stores doubles as integers, as drivers expect it",
        Scope::Module(double_atomics::run);
    IMAGES = "images",
        "makes descriptors of images and samplers, and of coordinates those that Vulkan has",
        Scope::Checked(|context, module| {
            context.images = shader::images::run(module, context.options.convention)?;
            Ok(())
        });
    REQUIRED_SIZES = "required-sizes",
        "finds the sizes of work-groups that kernels require, and leaves them to hosts of regions",
        Scope::Checked(|context, module| {
            context.required_sizes = shader::required_sizes::run(module, context.options)?;
            Ok(())
        });
    PRINTF = "printf",
        "writes what kernels print to a buffer of the host",
        Scope::Checked(|context, module| {
            context.printf = shader::printf::run(module, context.options)?;
            if let Some(printf) = &mut context.printf {
                context.unused = std::mem::take(&mut printf.unused);
            }
            Ok(())
        });
    COLLECTIVES = "collectives",
        "makes functions with barriers and local memory of collective functions of work-groups",
        Scope::Checked(|context, module| {
            let by_sub_groups = context.options.sub_group_arithmetic;
            context.per_item = shader::collectives::run(module, by_sub_groups);
            Ok(())
        });
    INTEL_SUB_GROUPS = "intel-sub-groups",
        "writes out what cl_intel_subgroups has",
        Scope::Module(shader::intel_sub_groups::run);
    SUB_GROUPS = "sub-groups",
        "counts the work-items of a sub-group where a kernel begins",
        Scope::Module(shader::sub_groups::run);
    OPERATIONS = "operations",
        "expands operations that shaders have no instruction for",
        Scope::Checked(|context, module| shader::operations::run(module, context.options));
    GEOMETRY = "geometry",
        "computes lengths and unit vectors by products and roots",
        Scope::Module(shader::operations::expand_geometry);
    SHORT_FUNCTIONS = "short-functions",
        "computes what short functions do, as drivers pay for each function that is called",
        Scope::Checked(|context, module| {
            if context.optimises {
                shader::operations::short::run(module);
            }
            Ok(())
        });
    MEMORY_MODEL = "memory-model",
        "says orders and scopes as the Vulkan memory model has them",
        Scope::Module(shader::memory_model::run);
    SHUFFLES = "shuffles",
        "shuffles the components of vectors that are shuffled as scalars only",
        Scope::Checked(|context, module| {
            shuffles::run(module, context.options);
            Ok(())
        });
    TABLES = "tables",
        "makes constants of kernels from small program-scope tables",
        Scope::Checked(|context, module| {
            shader::tables::run(module, context.options, &mut context.unused);
            Ok(())
        });
    SHADER_ARGUMENTS = "shader-arguments",
        "reads the arguments of kernels from the argument block",
        Scope::Checked(|context, module| {
            let printf = context.printf.take();
            let images = std::mem::take(&mut context.images);
            let shader::entries::Outcome { reflection, places, clspv, bindings } =
                shader::entries::run(
                    module,
                    context.options,
                    &context.unused,
                    images,
                    printf,
                    &context.required_sizes,
                )?;
            let (lengths, per_item) = (Vec::new(), context.per_item);
            context.shader =
                Some(Shader {
                    reflection,
                    clspv,
                    bindings,
                    places,
                    lengths,
                    per_item,
                    spread: Vec::new(),
                    own_constants: 0,
                    group: context.required_sizes.constants,
                });
            Ok(())
        });
    LIBRARY = "library",
        "calls bodies in OpenCL C for math functions without a precise instruction",
        Scope::Checked(|context, module| {
            let (options, asks) = (context.options, context.optimises);
            shader::library::run(module, For::Shader(options), context.bodies, asks);
            Ok(())
        });
    AVAILABILITY = "availability",
        "refuses what the target has no instruction for",
        Scope::Checked(|context, module| {
            context.spirv_version = availability::run(module, context.options)?;
            Ok(())
        });
    MISSING_FEATURES = "missing-features",
        "refuses what the device has not",
        Scope::Checked(|context, module| shader::missing::run(module, context.options));
    SPREAD_ARRAYS = "spread-arrays",
        "keeps private arrays in local memory where work-items are at indices of their own",
        Scope::Checked(|context, module| {
            let optimises = context.optimises;
            context.in_shader(|shader, options| {
                if optimises {
                    let scratch = shader.per_item.map(|array| array.global);
                    let limit = options.max_shared_memory;
                    shader.spread = shader::spread_arrays::run(module, &shader.places, scratch, limit);
                }
                Ok(())
            })
        });
    MEMORY = "memory",
        "replaces pointers by addresses, offsets and indices",
        Scope::Checked(|context, module| context.in_shader(|shader, _| {
            let environment = shader.reflection.environment;
            shader.lengths = shader::memory::run(module, &shader.places, environment)?;
            Ok(())
        }));
    WIDE_VECTORS = "wide-vectors",
        "cuts vectors of 8 and 16 components into vectors of 4",
        Scope::Module(shader::wide_vectors::run);
    LIMITS = "limits",
        "refuses kernels that use more local memory than the device has",
        Scope::Checked(|context, module| context.in_shader(|shader, options| {
            shader::limits::run(module, shader, options.max_shared_memory)
        }));
    LOCAL_VECTORS = "local-vectors",
        "makes arrays of vectors of local arrays whose neighbours are accessed together",
        Scope::Checked(|context, module| {
            let optimises = context.optimises;
            context.in_shader(|shader, _| {
                if optimises {
                    shader::local_vectors::run(module, &mut shader.lengths, shader.per_item);
                }
                Ok(())
            })
        });
    EMPTY_COPIES = "empty-copies",
        "drops copies of no bytes",
        Scope::Function(|function, consts| copies::drop_empty(function, consts));
    LARGE_SWITCHES = "large-switches",
        "splits switches with more cases than an instruction has words",
        Scope::Function(|function, _| switches::split_large(function));
    LOOP_HEADERS = "loop-headers",
        "gives the switches of headers of loops with hints blocks of their own",
        Scope::Function(|function, _| loop_headers::split_switching(function));
    EDGES = "edges",
        "gives edges with different block arguments different blocks to come from",
        Scope::Function(|function, _| edges::split(function));
    KEPT_NEGATIONS = "kept-negations",
        "negates numbers that are used behind barriers in a way that drivers keep",
        Scope::Module(kept_negations::run);
    DIVISIONS = "divisions",
        "divides by constants by multiplying",
        Scope::Module(shader::operations::divide);
    NARROW_NUMBERS = "narrow-numbers",
        "keeps numbers of less than 32 bits from being computed in 32",
        Scope::Module(shader::operations::narrow::run);
    NEGATED_BOUNDS = "negated-bounds",
        "keeps the signs of negated bounds that loops count down to",
        Scope::Module(shader::negated_bounds::run);
    SWAPPED_BYTES = "swapped-bytes",
        "joins the bytes of swapped shorts by addition",
        Scope::Module(shader::swapped_bytes::run);
    STORED_HALVES = "stored-halves",
        "says how floats are rounded that are stored as halves in buffers",
        Scope::Module(shader::stored_halves::run);
    PADDED_ARRAYS = "padded-arrays",
        "makes small private arrays larger that drivers would look through element by element",
        Scope::Checked(|context, module| {
            if context.optimises {
                shader::padded_arrays::run(module);
            }
            Ok(())
        });
    NESTING = "nesting",
        "refuses control flow that is nested deeper than a module may say",
        Scope::Checked(|_, module| shader::check_structure(module));
    ENCODING = "encoding",
        "refuses what SPIR-V has no form or no room for",
        Scope::Checked(|context, module| encoding::check(module, context.options));
}

/// What runs in a row: steps, and passes of the middle end between them.
enum Entry {
    Step(Step),
    /// Simplifies what the steps before have left.
    Simplify,
    /// Inlines what takes addresses of variables, while nothing holds numbers of functions.
    InlineByAddress,
    /// Writes out loops for which drivers would keep arrays in memory.
    WriteOut,
    /// Marks loads of what nothing writes.
    MarkLoads,
    /// Adds the parts of indices to addresses one after the other.
    TakeIndicesApart,
    /// Writes out loops that index arrays, and takes structs apart.
    WriteOutForVectors,
    /// Computes with vectors by component.
    TakeVectorsApart,
    /// Puts turns of loops side by side, and loads of neighbours together.
    LoadTogether,
    /// Gives branches and loops their merge blocks.
    Structure,
}

const OPENCL: &[Entry] = &[
    Entry::Step(RECURSION),
    // Makes kernels of functions, which may be called too.
    Entry::Step(ENQUEUED_BLOCKS),
    // Before the calls of kernels are redirected, so that the body keeps its own arguments.
    Entry::Step(AGGREGATE_ARGUMENTS),
    Entry::Step(ARGUMENT_COPIES),
    Entry::Step(CALLED_KERNELS),
    Entry::Step(INITIALIZERS),
    Entry::Step(GENERIC_ATOMICS),
    Entry::Step(DOUBLE_ATOMICS),
    Entry::Step(SHUFFLES),
    // After the steps that replace instructions by others that the target has.
    Entry::Step(AVAILABILITY),
    Entry::Step(EMPTY_COPIES),
    Entry::WriteOutForVectors,
    Entry::Step(GEOMETRY),
    Entry::TakeVectorsApart,
    // After the steps that make sums of products, and extremes of what neighbours have in common.
    Entry::Step(SHORT_FUNCTIONS),
    // Makes edges, so it comes before edges are split.
    Entry::Step(LARGE_SWITCHES),
    Entry::Step(LOOP_HEADERS),
    Entry::Step(EDGES),
    // After all that would make negations of what this makes.
    Entry::Step(KEPT_NEGATIONS),
    // What is left is what is written.
    Entry::Step(ENCODING),
];

/// Pointers stay as they are in the first half, so that private copies can become values; the second
/// half, from `memory` on, leaves none.
const VULKAN: &[Entry] = &[
    Entry::Step(RECURSION),
    Entry::Step(CALLED_KERNELS),
    Entry::InlineByAddress,
    // Before anything relies on them.
    Entry::Step(REQUIRED_SIZES),
    // While images are arguments.
    Entry::Step(MISSING_FEATURES),
    // Inlines, which later steps would have to follow; makes conversions and functions of integers.
    Entry::Step(IMAGES),
    // Makes conversions, and atomics in `global` memory. Leaves strings that no table needs to be of.
    Entry::Step(PRINTF),
    // Asks for sizes of sub-groups and makes shuffles, of which later steps write some out.
    Entry::Step(INTEL_SUB_GROUPS),
    // Both before work-item functions are computed: they ask for local ids.
    Entry::Step(COLLECTIVES),
    Entry::Step(SUB_GROUPS),
    Entry::Step(OPERATIONS),
    // After the expansions, which make barriers.
    Entry::Step(MEMORY_MODEL),
    Entry::Step(SHUFFLES),
    // While private arrays are variables of their types, so that what follows makes values of them. First while tables are
    // constants, where indices come from; then loops over what has become a variable, too.
    Entry::WriteOut,
    Entry::Step(TABLES),
    Entry::WriteOut,
    // While arguments are parameters, with what the program says of them.
    Entry::MarkLoads,
    Entry::Step(SHADER_ARGUMENTS),
    Entry::Step(LIBRARY),
    // After the steps that replace instructions by others that the target has.
    Entry::Step(AVAILABILITY),
    // Now for what the expansions read and write.
    Entry::Step(MISSING_FEATURES),
    // Copies of arguments and the results of library functions become values.
    Entry::Simplify,
    // What it takes apart simplification puts together, as long as there are pointers.
    Entry::TakeIndicesApart,
    // What private arrays are left: their indices are what loops and tables make of them.
    Entry::Step(SPREAD_ARRAYS),
    Entry::Step(MEMORY),
    // Memory is accessed by at most four components now.
    Entry::Step(WIDE_VECTORS),
    Entry::Step(LIMITS),
    Entry::Step(EMPTY_COPIES),
    // Both make edges and blocks, which must be there when control flow is structured.
    Entry::Step(LARGE_SWITCHES),
    Entry::Step(EDGES),
    // Arithmetic on addresses is simplified.
    Entry::Simplify,
    // What loops count that are written out is known now, and divided.
    Entry::Step(DIVISIONS),
    // After simplification, which would take out what this puts in.
    Entry::Step(NARROW_NUMBERS),
    Entry::Step(NEGATED_BOUNDS),
    Entry::Step(SWAPPED_BYTES),
    Entry::LoadTogether,
    // What loops access in several turns is in one block now.
    Entry::Step(LOCAL_VECTORS),
    // Whatever index can be known is.
    Entry::Step(PADDED_ARRAYS),
    // Stores are those that there will be.
    Entry::Step(STORED_HALVES),
    Entry::Structure,
    Entry::Step(NESTING),
    Entry::Step(ENCODING),
];

impl Context<'_> {
    fn in_shader(&mut self, work: impl FnOnce(&mut Shader, &TargetOptions) -> Outcome) -> Outcome {
        match &mut self.shader {
            Some(shader) => work(shader, self.options),
            None => Ok(()),
        }
    }
}

/// Makes `module` legal for the environment of `options`, and returns what emission and the host need
/// to know of it, as far as that is known where [`PassOptions::stop_after`] has ended the steps.
pub fn run<'a>(
    module: &mut Module,
    options: &'a TargetOptions,
    bodies: &'a mut Bodies<'a>,
    passes: &mut PassOptions<'_>,
) -> Result<Legalised, Error> {
    options.check_version().map_err(Error::Source)?;
    let spirv_version = options.spirv_version;
    let mut context = Context {
        options,
        optimises: passes.level == OptLevel::O,
        bodies,
        unused: FxHashSet::default(),
        images: Images::default(),
        printf: None,
        per_item: None,
        required_sizes: RequiredSizes::default(),
        shader: None,
        spirv_version,
    };
    let entries = match options.environment {
        Environment::OpenCl { .. } => OPENCL,
        Environment::Vulkan { .. } => VULKAN,
    };
    for entry in entries {
        let is_last = match entry {
            Entry::Step(step) => {
                let mut outcome = Ok(());
                let is_last = clc_passes::watched(step.name, module, passes, |module| {
                    outcome = step.run(&mut context, module);
                    outcome.is_ok()
                })?;
                outcome.map_err(Error::Source)?;
                is_last
            }
            Entry::InlineByAddress => clc_passes::inline_for_addresses(module, passes)?,
            Entry::WriteOut => clc_passes::write_out(module, passes)?,
            Entry::MarkLoads => clc_passes::mark_loads(module, passes)?,
            Entry::Simplify => clc_passes::tidy(module, passes)?,
            Entry::TakeIndicesApart => clc_passes::take_indices_apart(module, passes)?,
            Entry::WriteOutForVectors => clc_passes::write_out_for_vectors(module, passes)?,
            Entry::TakeVectorsApart => {
                clc_passes::take_vectors_apart(module, !options.indices_wrap, passes)?
            }
            Entry::LoadTogether => clc_passes::load_together(module, passes)?,
            Entry::Structure => clc_passes::structure(module, passes)?,
        };
        if is_last {
            break;
        }
    }
    if let Some(shader) = &mut context.shader {
        shader::specialization::run(module, shader);
    }
    Ok(Legalised { spirv_version: context.spirv_version, shader: context.shader })
}

/// Expands what shaders have no instruction for, for whichever target: tests compare the result with
/// instructions that do the same on drivers that have them. Inexact operations in functions of the
/// library have the results that `estimates` says; which functions those are, `profile`.
#[doc(hidden)]
pub fn expand_operations(
    module: &mut Module,
    estimates: Estimates,
    profile: &DeviceProfile,
    bodies: &mut Bodies<'_>,
) {
    shader::operations::expand_all(module);
    shader::library::run(module, For::Test(estimates, profile), bodies, false);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn narrow_numbers(module: &mut Module) {
    shader::operations::narrow::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn spread_arrays(module: &mut Module) {
    shader::spread_arrays::run(module, &shader::Places::default(), None, None);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn local_vectors(module: &mut Module) {
    shader::local_vectors::run(module, &mut [], None);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn negated_bounds(module: &mut Module) {
    shader::negated_bounds::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn padded_arrays(module: &mut Module) {
    shader::padded_arrays::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn stored_halves(module: &mut Module) {
    shader::stored_halves::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn kept_negations(module: &mut Module) {
    kept_negations::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn swapped_bytes(module: &mut Module) {
    shader::swapped_bytes::run(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn expand_geometry(module: &mut Module) {
    shader::operations::expand_geometry(module);
}

/// One step alone, for its tests.
#[doc(hidden)]
pub fn short_functions(module: &mut Module) {
    shader::operations::short::run(module);
}
