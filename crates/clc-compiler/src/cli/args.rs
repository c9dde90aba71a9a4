//! The options, as clap sees them after [`spelling`](crate::spelling) has put a second dash before
//! the long ones. Options of [`Args`] have their defaults where they are read, for clap takes as long to fill in
//! one as to read an argument.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, Command, FromArgMatches, Parser, ValueEnum};

use super::spelling;

const LANGUAGE: &str = "Language";
const FLOAT: &str = "Optimisation and floating point";
const TARGET: &str = "Target";
const MESSAGES: &str = "Messages";
const DEPENDENCIES: &str = "Dependency files";
const COMPILER: &str = "Looking into the compiler";

/// Compiles OpenCL C (1.0 to 3.1) to validated SPIR-V.
#[derive(Clone, Debug, Default, Parser)]
#[command(
    name = "clc",
    version,
    about = "Compiles OpenCL C (1.0 to 3.1) to validated SPIR-V.",
    override_usage = "clc [OPTIONS] KERNEL.cl... [-o FILE]\n       \
                      clc link [OPTIONS] MODULE.spv... -o FILE\n       \
                      clc inspect [OPTIONS] MODULE.spv\n       \
                      clc doctor [--format=json]\n       \
                      clc lsp\n       \
                      clc completions bash|zsh|fish|powershell|elvish\n       \
                      clc man",
    after_help = "Long options take one dash as well as two: `-cl-std=CL2.0`, `-fsyntax-only`.\n\
                  Exit codes: 0 compiled; 1 errors in the source; 2 wrong usage, or a file that\n\
                  cannot be read or written; 70 internal error.",
    disable_version_flag = true,
    args_override_self = true
)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    pub usual: Usual,

    /// What to write: tokens, pp (preprocessed source), ast, hir (typed tree), ir, spirv (default),
    /// asm (the module as text), c-header (the module as an array of C), deps (a rule for make) or
    /// reflection (what a host must know to launch the kernels, as JSON)
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    pub emit: Option<EmitKind>,

    /// For --emit=c-header: the name of the array (default: that of the source)
    #[arg(long, value_name = "NAME")]
    pub variable_name: Option<String>,

    /// Write the module as text (--emit=asm)
    #[arg(short = 'S')]
    pub assembly: bool,

    /// Preprocess only (--emit=pp)
    #[arg(short = 'E')]
    pub preprocess: bool,

    /// Check the source and write nothing
    #[arg(long = "fsyntax-only")]
    pub syntax_only: bool,

    /// Also write what a host must know to launch the kernels, as JSON; to a folder for several
    /// inputs or targets
    #[arg(long, value_name = "FILE")]
    pub reflection: Option<OsString>,

    /// Compile a part of a program: export its functions and variables, import what it only
    /// declares; `clc link` makes a program of parts
    #[arg(short = 'c')]
    pub compile_only: bool,

    /// Compile again whenever a source or a file that it includes has changed, until Ctrl-C
    #[arg(long)]
    pub watch: bool,

    /// How many sources are compiled side by side (default: as many as there are cores)
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Show the version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    pub version: Option<bool>,

    /// Change what the device supports: `-cl-ext=-all,+cl_khr_fp64`
    #[arg(long = "cl-ext", value_name = "LIST", help_heading = LANGUAGE, allow_hyphen_values = true)]
    pub extensions: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = LANGUAGE, allow_hyphen_values = true)]
    pub undefine: Vec<String>,

    /// The same, after the -I folders and without warnings about what is in there
    #[arg(long = "isystem", value_name = "FOLDER", help_heading = LANGUAGE)]
    pub system_dirs: Vec<OsString>,

    /// Read a file before each source
    #[arg(long = "include", value_name = "FILE", help_heading = LANGUAGE)]
    pub force_includes: Vec<String>,

    /// Replace the trigraphs of C
    #[arg(long = "trigraphs", help_heading = LANGUAGE)]
    pub trigraphs: bool,

    /// The language of the inputs; only `cl` is known
    #[arg(short = 'x', value_name = "LANGUAGE", hide = true)]
    pub language: Option<String>,

    /// Set where `target` is one of several, one of which is Vulkan: options for Vulkan are for that one
    #[arg(skip)]
    pub is_beside_vulkan: bool,

    /// The version of SPIR-V: 1.0 to 1.6 (default: what the API certainly knows, or 1.3 where an
    /// extension needs it)
    #[arg(long = "spirv-version", value_name = "1.x", help_heading = TARGET)]
    pub spirv_version: Option<String>,

    /// Allow or forbid extensions of SPIR-V: `--spirv-ext=-all,+SPV_KHR_bit_instructions`
    #[arg(long = "spirv-ext", value_name = "LIST", help_heading = TARGET, allow_hyphen_values = true)]
    pub spirv_extensions: Vec<String>,

    /// For Vulkan: arguments that take more than this many bytes are in a buffer whose address is
    /// pushed (default 128, which every device has)
    #[arg(long, value_name = "BYTES", help_heading = TARGET)]
    pub max_push_constant_size: Option<u32>,

    /// For Vulkan: how the host passes what kernels need, and is told of it: `json` (default, see
    /// --reflection) or `clspv` (as clvk expects it, by instructions in the module)
    #[arg(long, value_name = "SET", help_heading = TARGET, hide_possible_values = true)]
    pub reflection_set: Option<ReflectionSet>,

    /// For --reflection-set=clspv: bytes of the buffer for printf (default 1 MiB)
    #[arg(long, value_name = "BYTES", help_heading = TARGET)]
    pub printf_buffer_size: Option<u32>,

    /// For --reflection-set=clspv: the most bytes of arguments that are not pushed (default 16 KiB,
    /// which every device has)
    #[arg(long, value_name = "BYTES", help_heading = TARGET)]
    pub max_uniform_size: Option<u32>,

    /// For Vulkan: a limit of the device to keep, `shared=BYTES` of local memory; or what it has not,
    /// `images=0`, `int8=0`, `storage8=0` or `storage16=0`
    #[arg(long = "limit", value_name = "NAME=N", help_heading = TARGET)]
    pub limits: Vec<String>,

    /// For Vulkan: what `clc-run-vulkan --measure-precision` found of the device; its instructions are used where
    /// they are precise enough
    #[arg(long, value_name = "FILE", help_heading = TARGET)]
    pub device_profile: Option<PathBuf>,

    /// For Vulkan: the device's `Fma` rounds once, so that `fma` needs no computation of many steps
    #[arg(long, help_heading = TARGET)]
    pub fused_fma: bool,

    /// For Vulkan: the device's sub-groups have votes, ballots and arithmetic, for collective functions of work-groups
    #[arg(long, help_heading = TARGET)]
    pub sub_group_arithmetic: bool,

    /// For Vulkan: the host may cut a launch into regions, dispatches with work-groups of one size each, for
    /// global sizes that are no multiple of the work-group's
    #[arg(long, help_heading = TARGET)]
    pub work_group_regions: bool,

    /// Width of pointers and size_t: 32 or 64 (default); also -m32, -m64
    #[arg(long = "address-bits", value_name = "BITS", help_heading = TARGET)]
    pub address_bits: Option<String>,

    /// Debug information: --debug-info=full for Vulkan, --debug-info=lines for OpenCL; -g1 for lines, -g3
    /// for all there is, -g0 for none
    #[arg(short = 'g', help_heading = TARGET)]
    pub debug: bool,

    /// What the module says of its source: `none` (default), `lines` of instructions, or `full`: text,
    /// functions, scopes, inlined calls, and variables with types and values
    #[arg(long = "debug-info", value_name = "LEVEL", help_heading = TARGET, hide_possible_values = true)]
    pub debug_info: Option<String>,

    /// Keep the names and qualifiers of kernel arguments for clGetKernelArgInfo
    #[arg(long = "cl-kernel-arg-info", help_heading = TARGET)]
    pub kernel_arg_info: bool,

    /// Compute what shaders have no instruction for as for a shader: for tests of these computations,
    /// with the results that inexact operations have in them: `device`, `smallest`, `largest`, `mixed`
    #[arg(
        long = "expand-operations",
        value_name = "ESTIMATES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "device",
        hide = true
    )]
    pub expand_operations: Option<String>,

    /// Promise that all work-groups of a launch have one size; warnings rely on it
    #[arg(long = "cl-uniform-work-group-size", help_heading = TARGET)]
    pub uniform_work_group_size: bool,

    /// The same as -O0
    #[arg(long = "cl-opt-disable", help_heading = FLOAT)]
    pub opt_disable: bool,

    /// Compute `a * b + c` as mad, with less precision
    #[arg(long = "cl-mad-enable", help_heading = FLOAT)]
    pub mad_enable: bool,

    /// Ignore the sign of zero
    #[arg(long = "cl-no-signed-zeros", help_heading = FLOAT)]
    pub no_signed_zeros: bool,

    /// Assume that arguments and results are numbers
    #[arg(long = "cl-finite-math-only", help_heading = FLOAT)]
    pub finite_math_only: bool,

    /// Allow transformations that change results; implies the first two above
    #[arg(long = "cl-unsafe-math-optimizations", help_heading = FLOAT)]
    pub unsafe_math: bool,

    /// All of the above; defines __FAST_RELAXED_MATH__
    #[arg(long = "cl-fast-relaxed-math", help_heading = FLOAT)]
    pub fast_relaxed_math: bool,

    /// Denormal numbers may become zero
    #[arg(long = "cl-denorms-are-zero", help_heading = FLOAT)]
    pub denorms_are_zero: bool,

    /// Constants without a suffix are float, not double
    #[arg(long = "cl-single-precision-constant", help_heading = FLOAT)]
    pub single_precision_constant: bool,

    /// Round single-precision divide and sqrt correctly (give it to clBuildProgram too)
    #[arg(long = "cl-fp32-correctly-rounded-divide-sqrt", help_heading = FLOAT)]
    pub correctly_rounded: bool,

    /// Accesses of different types may be to one object, against C99 6.5
    #[arg(long = "fno-strict-aliasing", help_heading = FLOAT, overrides_with = "strict_aliasing")]
    pub no_strict_aliasing: bool,

    /// The default
    #[arg(
        long = "fstrict-aliasing",
        alias = "cl-strict-aliasing",
        help_heading = FLOAT,
        hide = true,
        overrides_with = "no_strict_aliasing"
    )]
    pub strict_aliasing: bool,

    /// Sums, differences and products of signed integers wrap, against C99 6.5
    #[arg(long = "fwrapv", help_heading = FLOAT, overrides_with = "no_wrapv")]
    pub wrapv: bool,

    /// The default
    #[arg(long = "fno-wrapv", help_heading = FLOAT, hide = true, overrides_with = "wrapv")]
    pub no_wrapv: bool,

    /// Accepted, without effect
    #[arg(long = "cl-no-subgroup-ifp", help_heading = FLOAT, hide = true)]
    pub no_subgroup_ifp: bool,

    /// No warnings
    #[arg(short = 'w', help_heading = MESSAGES)]
    pub silent: bool,

    /// How to show errors and warnings: human, short (`path:line:col: error[E0312]: text`), json
    /// or sarif
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, help_heading = MESSAGES)]
    pub message_format: Option<MessageFormat>,

    /// Colours in messages: auto, always or never
    #[arg(long, value_name = "WHEN", hide_possible_values = true, help_heading = MESSAGES)]
    pub color: Option<When>,

    /// Errors to show before the rest is counted (default 100; 0: all)
    #[arg(long, alias = "ferror-limit", value_name = "N", help_heading = MESSAGES)]
    pub error_limit: Option<usize>,

    /// Explain a diagnostic: its rule, a wrong example and a right one
    #[arg(long, value_name = "CODE", help_heading = MESSAGES)]
    pub explain: Option<String>,

    /// Write a rule for make that names every file read (and compile nothing)
    #[arg(short = 'M', help_heading = DEPENDENCIES)]
    pub depend_only: bool,

    /// The same beside compiling, to a file named after the output (.d)
    #[arg(long = "MD", help_heading = DEPENDENCIES)]
    pub depend: bool,

    /// Where the rule goes
    #[arg(long = "MF", value_name = "FILE", help_heading = DEPENDENCIES)]
    pub depend_file: Option<OsString>,

    /// What the rule makes (default: the output)
    #[arg(long = "MT", alias = "MQ", value_name = "TARGET", help_heading = DEPENDENCIES)]
    pub depend_target: Option<String>,

    /// An empty rule for each include, so that a deleted header does not stop make
    #[arg(long = "MP", help_heading = DEPENDENCIES)]
    pub depend_phony: bool,

    /// Print the IR after each run of this pass (`all`: after each pass)
    #[arg(long, value_name = "PASS", help_heading = COMPILER)]
    pub print_after: Vec<String>,

    /// End the passes after the first run of this one
    #[arg(long, value_name = "PASS", help_heading = COMPILER)]
    pub stop_after: Option<String>,

    /// Run the first N passes and steps that --print-after=all shows, and of the rest only what -O0
    /// needs, too
    #[arg(long, value_name = "N", help_heading = COMPILER)]
    pub passes_limit: Option<u32>,

    /// Check the IR after every pass
    #[arg(long, help_heading = COMPILER)]
    pub verify_each: bool,

    /// Show the time of each stage and pass
    #[arg(long, help_heading = COMPILER)]
    pub time_passes: bool,

    /// Do not validate the module
    #[arg(long, help_heading = COMPILER)]
    pub no_validate: bool,
}

/// The options that most command lines have no others than: of each heading of the help the first. They are as many as
/// clap's table holds without being moved.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub struct Usual {
    /// Sources to compile; `-` is standard input
    #[arg(value_name = "KERNEL.cl")]
    pub inputs: Vec<OsString>,

    /// Where to write: a file, `-` for standard output, or a folder for several inputs or targets
    /// (`FOLDER/` makes it)
    #[arg(short, value_name = "FILE")]
    pub output: Option<OsString>,

    /// The version of OpenCL C: CL1.0, CL1.1, CL1.2 (default), CL2.0, CL3.0 or CL3.1
    #[arg(long = "cl-std", alias = "std", value_name = "CL", help_heading = LANGUAGE)]
    pub standard: Option<String>,

    /// Define a macro (as 1 without a value)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = LANGUAGE, allow_hyphen_values = true)]
    pub define: Vec<String>,

    /// Look for include files in this folder
    #[arg(short = 'I', value_name = "FOLDER", help_heading = LANGUAGE, allow_hyphen_values = true)]
    pub include_dirs: Vec<OsString>,

    /// The API to compile for: opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0 (default),
    /// opencl3.1, vulkan1.1, vulkan1.2, vulkan1.3 or vulkan1.4; for several, `opencl3.0,vulkan1.3`,
    /// modules are called KERNEL.opencl3.0.spv and KERNEL.vulkan1.3.spv
    #[arg(long = "target-env", value_name = "API", help_heading = TARGET)]
    pub target: Option<String>,

    /// -O0 keeps the program as written; -O (default) to -O3 optimise, -Os for small modules
    #[arg(short = 'O', value_name = "LEVEL", help_heading = FLOAT)]
    pub opt_level: Option<String>,

    /// -Wall, -Wname, -Wno-name, -Werror, -Werror=name
    #[arg(short = 'W', value_name = "NAME", help_heading = MESSAGES, allow_hyphen_values = true)]
    pub warnings: Vec<String>,
}

impl Args {
    /// What a command line says that has none but usual options. Clap takes a quarter of the instructions of a small
    /// compilation for all options: each is made, and those that stand alone get a value where they are not given.
    /// `None`: the line is wrong, or has others.
    pub fn of_usual(arguments: &[OsString]) -> Option<(Args, ArgMatches)> {
        let command = Command::new("clc").args_override_self(true);
        let command = command.disable_help_flag(true).disable_version_flag(true);
        let mut command = <Usual as clap::Args>::augment_args(command);
        let arguments = spelling::normalise(arguments.to_vec(), &command).ok()?;
        let matches = command.try_get_matches_from_mut(arguments).ok()?;
        let usual = Usual::from_arg_matches(&matches).ok()?;
        Some((Args { usual, ..Args::default() }, matches))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmitKind {
    Tokens,
    Pp,
    Ast,
    Hir,
    Ir,
    Spirv,
    Asm,
    CHeader,
    Deps,
    Reflection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReflectionSet {
    Json,
    Clspv,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    #[default]
    Human,
    Short,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Links modules that `clc -c` compiled.
#[derive(Debug, Parser)]
#[command(
    name = "clc link",
    about = "Makes one module of several: what one imports, another exports.",
    override_usage = "clc link [OPTIONS] MODULE.spv... -o FILE",
    after_help = "Modules are compiled with `clc -c`. Without --create-library the program keeps what its\n\
                  kernels reach. Objects for Vulkan are linked with the options of `clc` (--reflection …).\n\
                  Exit codes: 0 linked; 1 the modules do not fit; 2 wrong usage, or a file that\n\
                  cannot be read or written; 70 internal error.",
    args_override_self = true
)]
pub struct LinkArgs {
    /// Modules to link; `-` is standard input
    #[arg(value_name = "MODULE.spv")]
    pub inputs: Vec<OsString>,

    /// Where to write: a file, or `-` for standard output
    #[arg(short, value_name = "FILE")]
    pub output: Option<OsString>,

    /// Keep everything that is exported, for another link, and leave what no module defines to it
    #[arg(long)]
    pub create_library: bool,

    /// Write the module as text
    #[arg(short = 'S')]
    pub assembly: bool,

    /// The API to validate for: opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0 (default)
    #[arg(long = "target-env", value_name = "API")]
    pub target: Option<String>,

    /// How to show errors: human, short, json or sarif
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub message_format: MessageFormat,

    /// Colours in messages: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub color: When,

    /// Do not validate the modules
    #[arg(long)]
    pub no_validate: bool,
}

/// Says what a module says of itself.
#[derive(Debug, Parser)]
#[command(
    name = "clc inspect",
    about = "Says what a SPIR-V module says of itself: kernels, arguments, memory, constants.",
    override_usage = "clc inspect [OPTIONS] MODULE.spv\n       \
                      clc inspect --diff [OPTIONS] A.spv B.spv",
    after_help = "Takes modules of any compiler, for OpenCL or Vulkan.\n\
                  Exit codes: 0 inspected; 1 it is no module, it is not valid (--validate), or the two\n\
                  differ (--diff); 2 wrong usage, or a file that cannot be read; 70 internal error.",
    args_override_self = true
)]
pub struct InspectArgs {
    /// The module; `-` is standard input
    #[arg(value_name = "MODULE.spv")]
    pub inputs: Vec<OsString>,

    /// How to show it: table (default) or json
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "table",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub format: InspectFormat,

    /// The JSON that was written with the module (--reflection or --emit=reflection of clc): what
    /// it says besides is shown too
    #[arg(long, value_name = "FILE")]
    pub reflection: Option<OsString>,

    /// Show the module as text
    #[arg(long, short = 'S')]
    pub disassemble: bool,

    /// Validate the module first
    #[arg(long)]
    pub validate: bool,

    /// The API to validate for (default opencl3.0 or vulkan1.3)
    #[arg(long = "target-env", value_name = "API")]
    pub target: Option<String>,

    /// Show what is different between two modules; numbers of ids do not matter
    #[arg(long)]
    pub diff: bool,

    /// How to show errors: human, short, json or sarif
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "human",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub message_format: MessageFormat,

    /// Colours: auto, always or never
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub color: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InspectFormat {
    Table,
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::understood;

    fn words(line: &str) -> Vec<OsString> {
        std::iter::once("clc").chain(line.split(' ')).map(OsString::from).collect()
    }

    fn of_all(arguments: Vec<OsString>) -> Option<Args> {
        let arguments = spelling::normalise(arguments, &Args::command()).ok()?;
        Args::try_parse_from(arguments).ok()
    }

    #[test]
    fn usual_command_lines_take_no_other_options() {
        for line in [
            "-o k.spv k.cl",
            "-O -cl-std=CL3.0 --cl-std CL2.0 -D A -DB=-1 -I. -Wall k.cl l.cl -o -",
            "--target-env=vulkan1.3 -O0 -- -odd",
        ] {
            assert!(Args::of_usual(&words(line)).is_some(), "{line}");
        }
        for line in ["-h", "--help", "-V", "-g k.cl", "-cl-std", "-jobs=2 k.cl", "-o a -ob -oc -q"]
        {
            assert!(Args::of_usual(&words(line)).is_none(), "{line}");
        }
    }

    #[test]
    fn usual_options_say_the_same_alone() {
        for first in understood::words() {
            for second in ["k.cl", "-o", "-DX", "--", "-cl-std=CL2.0"] {
                let arguments = words(&format!("{first} {second}"));
                let Some((args, _)) = Args::of_usual(&arguments) else { continue };
                let all = of_all(arguments).map(|args| format!("{args:?}"));
                assert_eq!(Some(format!("{args:?}")), all, "{first} {second}");
            }
        }
    }
}
