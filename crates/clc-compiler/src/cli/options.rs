//! The options of a compilation from those of the command line.

use std::path::Path;

use clap::ArgMatches;
use clc_builtins::worst::Estimates;

use super::args::{Args, EmitKind, ReflectionSet};
use clc_legalise::{ClspvHost, Convention, DebugLevel, TargetOptions};

use crate::profile::{self, DeviceProfile, Errors, Instruction};
use crate::{
    AddressBits, CommandLineMacro, Emit, FloatOptions, OptLevel, Options, SpirvExtensions,
    TargetEnv, Unit, Version, fs,
};

pub fn emit_of(args: &Args) -> Result<Emit, String> {
    let mut asked: Vec<Emit> = Vec::new();
    let mut ask = |on: bool, emit: Emit| {
        if on && !asked.contains(&emit) {
            asked.push(emit);
        }
    };
    ask(args.assembly, Emit::Asm);
    ask(args.preprocess, Emit::Preprocessed);
    ask(args.syntax_only, Emit::Nothing);
    ask(args.depend_only, Emit::Deps);
    if let Some(kind) = args.emit {
        let emit = match kind {
            EmitKind::Tokens => Emit::Tokens,
            EmitKind::Pp => Emit::Preprocessed,
            EmitKind::Ast => Emit::Ast,
            EmitKind::Hir => Emit::Hir,
            EmitKind::Ir => Emit::Ir,
            EmitKind::Spirv | EmitKind::CHeader => Emit::Spirv,
            EmitKind::Asm => Emit::Asm,
            EmitKind::Deps => Emit::Deps,
            EmitKind::Reflection => Emit::Reflection,
        };
        ask(true, emit);
    }
    match asked[..] {
        [] => Ok(Emit::Spirv),
        [emit] => Ok(emit),
        // As other compilers have it: -M and -E together list dependencies.
        _ if asked.contains(&Emit::Deps) => Ok(Emit::Deps),
        _ => Err("only one of -E, -S, -M, -fsyntax-only and --emit can be given".to_owned()),
    }
}

/// What is odd and no error goes to `warnings`.
pub fn options_of(
    args: &Args,
    matches: &ArgMatches,
    warnings: &mut Vec<String>,
) -> Result<Options, String> {
    let mut options = Options::default();
    if let Some(text) = &args.usual.standard {
        options.version = Version::from_option(text).ok_or_else(|| {
            format!("`-cl-std={text}`: CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 and CL3.1 are known")
        })?;
    }
    options.extensions.clone_from(&args.extensions);
    options.macros = macros_of(args, matches);
    options.force_includes.clone_from(&args.force_includes);
    options.trigraphs = args.trigraphs;
    if let Some(language) = &args.language
        && !matches!(language.as_str(), "cl" | "CL")
    {
        return Err(format!("`-x {language}`: only OpenCL C (`cl`) is compiled"));
    }
    options.target = target_of(args.usual.target.as_deref())?.into();
    vulkan_options(args, &mut options.target)?;
    if let Some(text) = &args.spirv_version {
        options.target.may_raise_version = false;
        options.target.spirv_version = match text.as_str() {
            "1.0" => (1, 0),
            "1.1" => (1, 1),
            "1.2" => (1, 2),
            "1.3" => (1, 3),
            "1.4" => (1, 4),
            "1.5" => (1, 5),
            "1.6" => (1, 6),
            _ => return Err(format!("`--spirv-version={text}`: 1.0 to 1.6 are known")),
        };
    }
    for list in &args.spirv_extensions {
        options.target.extensions.add(list).map_err(|item| {
            format!("`--spirv-ext={list}`: `{item}` is no name of an extension (SPV_…) or `all`")
        })?;
        for item in list.split(',') {
            let name = item.trim_start_matches(['+', '-']);
            let known = SpirvExtensions::KNOWN;
            if name.starts_with("SPV_") && !known.contains(&name) {
                let guess = clc_base::diagnostic::did_you_mean(name, known.into_iter())
                    .map(|guess| format!("; did you mean `{guess}`?"))
                    .unwrap_or_default();
                warnings.push(format!("{name} is never used{guess}"));
            }
        }
    }
    match args.address_bits.as_deref() {
        None | Some("64") => {}
        Some("32") => options.address_bits = AddressBits::Bits32,
        Some(text) => return Err(format!("`--address-bits={text}`: it is 32 or 64")),
    }
    options.opt_level = match args.usual.opt_level.as_deref() {
        _ if args.opt_disable => OptLevel::O0,
        Some("0") => OptLevel::O0,
        Some("s" | "z") => OptLevel::Os,
        None | Some("1" | "2" | "3" | "fast" | "g") => OptLevel::O,
        Some(text) => return Err(format!("`-O{text}`: the levels are 0, 1, 2, 3 and s")),
    };
    options.unit = if args.compile_only { Unit::Part } else { Unit::Program };
    options.target.debug = match args.debug_info.as_deref() {
        None if !args.debug => DebugLevel::None,
        None => match options.target.environment {
            // Intel's runtime ends the process over some modules with more, those that pass images on.
            TargetEnv::OpenCl { .. } => DebugLevel::Lines,
            TargetEnv::Vulkan { .. } => DebugLevel::Full,
        },
        Some("none") => DebugLevel::None,
        Some("lines") => DebugLevel::Lines,
        Some("full") => DebugLevel::Full,
        Some(text) => {
            return Err(format!("`--debug-info={text}`: the levels are none, lines and full"));
        }
    };
    if let Some(text) = &args.expand_operations {
        let known = Estimates::NAMES.iter().find(|(name, _)| name == text);
        let known = known.ok_or_else(|| format!("`--expand-operations={text}` is not known"))?;
        options.expand_operations = Some(known.1);
    }
    options.target.kernel_arg_info = args.kernel_arg_info;
    options.strict_aliasing = !args.no_strict_aliasing;
    options.signed_overflow_wraps = args.wrapv;
    options.target.indices_wrap = args.wrapv;
    let fast = args.fast_relaxed_math;
    let unsafe_math = args.unsafe_math || fast;
    options.float = FloatOptions {
        mad_enable: args.mad_enable || unsafe_math,
        unsafe_math,
        finite_math_only: args.finite_math_only || fast,
        no_signed_zeros: args.no_signed_zeros || unsafe_math,
        fast_relaxed_math: fast,
        denorms_are_zero: args.denorms_are_zero,
        correctly_rounded_divide_sqrt: args.correctly_rounded,
        single_precision_constant: args.single_precision_constant,
    };
    options.warnings.silent = args.silent;
    for name in &args.usual.warnings {
        if let Err(unknown) = options.warnings.add(name) {
            let guess = unknown
                .suggestion
                .map(|guess| {
                    let prefix = &name[..name.len().saturating_sub(unknown.name.len())];
                    format!("; did you mean `-W{prefix}{guess}`?")
                })
                .unwrap_or_default();
            warnings.push(format!("`-W{name}` names no warning{guess}"));
        }
    }
    options.target.uniform_work_groups = args.uniform_work_group_size;
    options.error_limit = args.error_limit.unwrap_or(options.error_limit);
    options.validate = !args.no_validate;
    options.verify_each = args.verify_each;
    options.time_passes = args.time_passes;
    for pass in args.print_after.iter().chain(&args.stop_after) {
        let steps = || clc_legalise::STEPS.iter().map(|step| step.name);
        let known = || clc_passes::PASSES.iter().map(|pass| pass.name).chain(steps());
        if pass != "all" && !known().any(|name| name == pass) {
            let names: Vec<&str> = known().collect();
            return Err(format!("no pass is called `{pass}`; there are: {}", names.join(", ")));
        }
    }
    options.print_after.clone_from(&args.print_after);
    options.stop_after.clone_from(&args.stop_after);
    options.passes_limit = args.passes_limit;
    options.timestamp = source_date_epoch()?;
    Ok(options)
}

/// `--target-env`
pub fn target_of(text: Option<&str>) -> Result<TargetEnv, String> {
    let Some(text) = text else { return Ok(Options::default().target.environment) };
    TargetEnv::from_name(text).ok_or_else(|| {
        let names: Vec<String> =
            TargetEnv::all().map(|environment| environment.to_string()).collect();
        match text.contains(',') {
            true => format!("`--target-env={text}`: there can be one target only here"),
            false => format!("`--target-env={text}`: the known ones are {}", names.join(", ")),
        }
    })
}

/// `--device-profile`
fn device_profile(path: &Path) -> Result<DeviceProfile, String> {
    let bytes = fs::read_input(path)?;
    let text = String::from_utf8_lossy(&bytes);
    profile::from_json(&text).map_err(|error| format!("{}: {error}", fs::show(path)))
}

/// The options that only Vulkan has, and those that it has not.
fn vulkan_options(args: &Args, target: &mut TargetOptions) -> Result<(), String> {
    if !matches!(target.environment, TargetEnv::Vulkan { .. }) {
        let given = [
            (args.max_push_constant_size.is_some(), "--max-push-constant-size"),
            (!args.limits.is_empty(), "--limit"),
            (args.device_profile.is_some(), "--device-profile"),
            (args.fused_fma, "--fused-fma"),
            (args.sub_group_arithmetic, "--sub-group-arithmetic"),
            (args.work_group_regions, "--work-group-regions"),
            (args.reflection_set.is_some(), "--reflection-set"),
            (args.printf_buffer_size.is_some(), "--printf-buffer-size"),
            (args.max_uniform_size.is_some(), "--max-uniform-size"),
        ];
        let Some((_, stray)) = given.iter().find(|(is_given, _)| *is_given) else {
            return Ok(());
        };
        if args.is_beside_vulkan {
            return Ok(());
        }
        // Tests have what becomes of functions for a shader on other targets.
        if let (Some(path), true) = (&args.device_profile, args.expand_operations.is_some()) {
            target.profile = device_profile(path)?;
            return Ok(());
        }
        return Err(format!("`{stray}` is for Vulkan (`--target-env=vulkan1.3`)"));
    }
    if args.address_bits.as_deref() == Some("32") {
        return Err("pointers have 64 bits in Vulkan, where they are addresses".to_owned());
    }
    if let Some(size) = args.max_push_constant_size {
        if size < 8 || size % 4 != 0 {
            return Err(format!(
                "`--max-push-constant-size={size}`: it is a multiple of 4, and at least 8"
            ));
        }
        target.max_push_constant_size = size;
    }
    if let Some(path) = &args.device_profile {
        target.profile = device_profile(path)?;
    }
    if args.fused_fma {
        target.profile.set(Instruction::FmaF32, Errors::ROUNDED);
    }
    target.sub_group_arithmetic = args.sub_group_arithmetic;
    target.convention = convention(args)?;
    target.work_group_regions = args.work_group_regions;
    for limit in &args.limits {
        let (name, value) = limit.split_once('=').unwrap_or((limit, ""));
        let value: Option<u32> = value.parse().ok();
        match (name, value) {
            ("shared", Some(bytes)) => target.max_shared_memory = Some(bytes),
            ("shared", None) => {
                return Err(format!("`--limit={limit}`: a number of bytes is wanted"));
            }
            ("images", Some(0)) => target.missing.images = true,
            ("int8", Some(0)) => target.missing.int8 = true,
            ("storage8", Some(0)) => target.missing.storage8 = true,
            ("storage16", Some(0)) => target.missing.storage16 = true,
            ("images" | "int8" | "storage8" | "storage16", _) => {
                return Err(format!("`--limit={limit}`: it is 0, for a device without it"));
            }
            _ => {
                return Err(format!(
                    "`--limit={limit}`: the limits that can be given are `shared`, `images`, `int8`, \
                     `storage8` and `storage16`"
                ));
            }
        }
    }
    Ok(())
}

/// `--reflection-set`, and what it takes.
fn convention(args: &Args) -> Result<Convention, String> {
    if args.reflection_set != Some(ReflectionSet::Clspv) {
        let stray = match (args.printf_buffer_size, args.max_uniform_size) {
            (Some(_), _) => "--printf-buffer-size",
            (None, Some(_)) => "--max-uniform-size",
            (None, None) => return Ok(Convention::Own),
        };
        return Err(format!("`{stray}` is for `--reflection-set=clspv`"));
    }
    if args.work_group_regions {
        return Err("`--work-group-regions` is for `--reflection-set=json`: hosts of clspv's modules may cut \
                    launches anyway"
            .to_owned());
    }
    let usual = ClspvHost::default();
    let host = ClspvHost {
        printf_buffer_size: args.printf_buffer_size.unwrap_or(usual.printf_buffer_size),
        max_uniform_size: args.max_uniform_size.unwrap_or(usual.max_uniform_size),
    };
    Ok(Convention::Clspv(host))
}

/// `-D` and `-U` in the order of the command line; clap keeps them in two lists.
fn macros_of(args: &Args, matches: &ArgMatches) -> Vec<CommandLineMacro> {
    // Clap knows those options only that it has read the command line with.
    let places = |id: &str, given: &[String]| match given {
        [] => Vec::new(),
        _ => matches.indices_of(id).into_iter().flatten().collect::<Vec<usize>>(),
    };
    let defines = args.usual.define.iter().map(|text| match text.split_once('=') {
        Some((name, value)) => CommandLineMacro::Define(name.to_owned(), Some(value.to_owned())),
        None => CommandLineMacro::Define(text.clone(), None),
    });
    let undefines = args.undefine.iter().map(|name| CommandLineMacro::Undefine(name.clone()));
    let mut all: Vec<(usize, CommandLineMacro)> =
        places("define", &args.usual.define).into_iter().zip(defines).collect();
    all.extend(places("undefine", &args.undefine).into_iter().zip(undefines));
    all.sort_by_key(|&(place, _)| place);
    all.into_iter().map(|(_, item)| item).collect()
}

/// SOURCE_DATE_EPOCH, the time that reproducible builds agree on.
fn source_date_epoch() -> Result<Option<u64>, String> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text
            .parse()
            .map(Some)
            .map_err(|_| format!("SOURCE_DATE_EPOCH is `{text}`, not a number of seconds")),
        Err(_) => Ok(None),
    }
}
