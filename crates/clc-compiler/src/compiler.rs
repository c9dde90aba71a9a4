//! The stages in a row.

use std::time::Instant;

use clc_base::{Diagnostic, FileId, Interner, Severity, SourceMap};
use clc_builtins::{ExtensionSet, features};
use clc_legalise::{DebugLevel, Environment as TargetEnv, Error, Reflection};
use clc_sema::SemaOptions;
use clc_syntax::parse::ParseOptions;
use clc_syntax::preprocess::{self, FileInput, IncludeResolver};

pub use crate::front_end::FrontEnd;
use crate::guard::InternalError;
pub use crate::options::Emit;
use crate::options::{OptLevel, Options, Unit};
use crate::reflection::{ModuleDescription, SourceKernels};
use crate::suggestions::suggest_macros;
pub use crate::watch::Timing;
use crate::watch::Watch;
use crate::{codes, dump, repetitions, smallest, warnings};

/// What came out.
#[derive(Clone, Debug)]
pub enum Artifact {
    /// The words of a module, its header first.
    Module(Vec<u32>),
    /// The text that was asked for; lines end in `\n`.
    Text(String),
    /// Only diagnostics were asked for.
    Nothing,
    /// An object: a part of a program for Vulkan.
    Object(Vec<u8>),
}

/// The result of compiling one source, successful or not.
#[derive(Debug)]
pub struct Compilation {
    /// `None` if there were errors.
    pub artifact: Option<Artifact>,
    /// With the artifact of a Vulkan target: what a host must know to launch its kernels.
    pub reflection: Option<Reflection>,
    /// With [`Emit::Reflection`] or [`Options::describe`]: what the module says of itself and the source of
    /// its kernels' arguments.
    pub description: Option<ModuleDescription>,
    /// Errors and warnings, in the order they are shown.
    pub diagnostics: Vec<Diagnostic>,
    /// A broken invariant of the compiler; then there is no artifact.
    pub internal_error: Option<InternalError>,
    /// What the spans of the diagnostics mean.
    pub sources: SourceMap,
    /// Every file that was included, each once, in order of first use.
    pub dependencies: Vec<String>,
    /// The IR after the passes of [`Options::print_after`]: name and text.
    pub dumps: Vec<(&'static str, String)>,
    /// With [`Options::time_passes`], in the order they ran.
    pub timings: Vec<Timing>,
}

impl Compilation {
    /// The module, if one was asked for and the source has no errors.
    pub fn words(&self) -> Option<&[u32]> {
        match &self.artifact {
            Some(Artifact::Module(words)) => Some(words),
            _ => None,
        }
    }

    /// Whether a diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Compiles the text `bytes`, called `name` in diagnostics, as far as `emit` needs. Touches nothing
/// but its arguments; include files come from `resolver`.
pub fn compile(
    name: &str,
    bytes: &[u8],
    emit: Emit,
    options: &Options,
    resolver: &mut dyn IncludeResolver,
) -> Compilation {
    let mut run = Run::new(options);
    let main = FileInput { name: name.to_owned(), bytes: bytes.to_vec() };
    let artifact = run.stages(main, emit, resolver);
    repetitions::say_once(&mut run.result.diagnostics, &run.result.sources);
    warnings::limit_errors(&mut run.result.diagnostics, options.error_limit);
    if !run.result.has_errors() && run.result.internal_error.is_none() {
        run.result.artifact = artifact;
    } else {
        run.result.reflection = None;
        run.result.description = None;
    }
    run.result
}

/// Compiles what is linked of `objects`, each with its name and its bytes, to a module, or to an object
/// of all of them.
#[cfg(feature = "cli")]
pub(crate) fn link(
    objects: &[(String, Vec<u8>)],
    to_object: bool,
    options: &Options,
) -> Compilation {
    let mut run = Run::new(options);
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    for (name, bytes) in objects {
        match crate::object::read(bytes) {
            Ok(unit) => units.push(unit),
            Err(reason) => errors.push(crate::object::unreadable(name, &reason)),
        }
    }
    let linked =
        if errors.is_empty() { crate::object::link(&units, to_object) } else { Err(errors) };
    let artifact = match linked {
        Ok(module) if to_object => {
            let text = dump::ir(&module);
            let object = crate::object::write(&text, module.version, &module.float_options);
            Some(Artifact::Object(object))
        }
        Ok(module) => run.compile_ir(module, &[], Emit::Spirv).ok(),
        Err(errors) => {
            run.result.diagnostics.extend(errors);
            None
        }
    };
    if !run.result.has_errors() && run.result.internal_error.is_none() {
        run.result.artifact = artifact;
    }
    run.result
}

/// As [`compile`] with [`Emit::Nothing`], and with all that the front end found out; `None` if there
/// was nothing to read. The sources are there and not in the compilation.
pub fn analyse(
    name: &str,
    bytes: &[u8],
    options: &Options,
    resolver: &mut dyn IncludeResolver,
) -> (Compilation, Option<FrontEnd>) {
    let mut run = Run::new(options);
    let main = FileInput { name: name.to_owned(), bytes: bytes.to_vec() };
    run.keeps = true;
    let _ = run.checked(main, Emit::Nothing, resolver);
    let mut front_end = run.front_end.map(|front_end| *front_end);
    if let Some(front_end) = &mut front_end {
        front_end.sources = std::mem::take(&mut run.result.sources);
    }
    (run.result, front_end)
}

struct Run<'a> {
    options: &'a Options,
    result: Compilation,
    extensions: ExtensionSet,
    /// What the front end finds out is kept in `front_end`, and the source read as far as it can be.
    keeps: bool,
    front_end: Option<Box<FrontEnd>>,
    /// When the current stage began.
    clock: Option<Instant>,
}

/// A stage found errors that make the next one pointless.
#[derive(Clone, Copy)]
struct Stop;

/// What the stages up to the check of types make.
enum Checked {
    /// All that was asked for.
    Artifact(Artifact),
    Tree(Box<Tree>),
}

/// A program without errors.
struct Tree {
    hir: clc_sema::hir::Module,
    interner: Interner,
    /// Files of which warnings are not shown.
    system: Vec<FileId>,
}

/// The intermediate representation of `text` before any pass, or everything that is wrong with it.
/// Includes nothing.
pub(crate) fn lowered(
    name: &str,
    text: &str,
    options: &Options,
) -> Result<clc_ir::Module, Vec<Diagnostic>> {
    let mut run = Run::new(options);
    let main = FileInput { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    match run.checked(main, Emit::Spirv, &mut preprocess::NoIncludes) {
        Ok(Checked::Tree(tree)) => run.lowered(&tree),
        Ok(Checked::Artifact(_)) | Err(Stop) => Err(Stop),
    }
    .map_err(|Stop| run.result.diagnostics)
}

impl<'a> Run<'a> {
    fn new(options: &'a Options) -> Run<'a> {
        Run {
            options,
            result: Compilation {
                artifact: None,
                reflection: None,
                description: None,
                diagnostics: Vec::new(),
                internal_error: None,
                sources: SourceMap::new(),
                dependencies: Vec::new(),
                dumps: Vec::new(),
                timings: Vec::new(),
            },
            extensions: ExtensionSet::default(),
            keeps: false,
            front_end: None,
            clock: options.time_passes.then(Instant::now),
        }
    }

    fn stages(
        &mut self,
        main: FileInput,
        emit: Emit,
        resolver: &mut dyn IncludeResolver,
    ) -> Option<Artifact> {
        self.try_stages(main, emit, resolver).ok()
    }

    fn try_stages(
        &mut self,
        main: FileInput,
        emit: Emit,
        resolver: &mut dyn IncludeResolver,
    ) -> Result<Artifact, Stop> {
        match self.checked(main, emit, resolver)? {
            Checked::Artifact(artifact) => Ok(artifact),
            Checked::Tree(tree) => self.back_half(*tree, emit),
        }
    }

    /// From text to the typed tree, or as far as `emit` needs.
    fn checked(
        &mut self,
        main: FileInput,
        emit: Emit,
        resolver: &mut dyn IncludeResolver,
    ) -> Result<Checked, Stop> {
        let options = self.options;
        self.extensions()?;

        let mut interner = clc_syntax::token::interner();
        let preprocess_options = preprocess::Options {
            version: options.version,
            extensions: self.extensions.clone(),
            address_bits: options.address_bits,
            float: options.float,
            image_support: true,
            optimize: options.opt_level != OptLevel::O0,
            macros: options.macros.clone(),
            force_includes: options.force_includes.clone(),
            timestamp: options.timestamp,
            trigraphs: options.trigraphs,
            keep_layout: emit == Emit::Preprocessed,
            trace: self.keeps,
        };
        let mut preprocessed = preprocess::preprocess(
            main,
            &preprocess_options,
            resolver,
            &mut self.result.sources,
            &mut interner,
        );
        self.result.dependencies = std::mem::take(&mut preprocessed.dependencies);
        let diagnostics = std::mem::take(&mut preprocessed.diagnostics);
        let system = std::mem::take(&mut preprocessed.system_files);
        let fatal = self.report(diagnostics, &system, "preprocess");
        match emit {
            Emit::Preprocessed => {
                let text =
                    preprocess::print_preprocessed(&preprocessed, &self.result.sources, &interner);
                return Ok(Checked::Artifact(Artifact::Text(text)));
            }
            Emit::Tokens => {
                let text = dump::tokens(&preprocessed.tokens, &self.result.sources, &interner);
                return Ok(Checked::Artifact(Artifact::Text(text)));
            }
            Emit::Deps => return Ok(Checked::Artifact(Artifact::Nothing)),
            // A syntax tree of what was read is better than none.
            _ if self.keeps => {}
            _ => fatal?,
        }
        let (before, is_fatal) = (self.result.diagnostics.len(), fatal.is_err());

        let parse_options = ParseOptions { version: options.version };
        let (ast, ungrammatical) =
            clc_syntax::parse::parse(&preprocessed.tokens, &mut interner, &parse_options);
        let macros = std::mem::take(&mut preprocessed.macros);
        let (main, trace) = (preprocessed.main, std::mem::take(&mut preprocessed.trace));
        let mut tokens = std::mem::take(&mut preprocessed.tokens);
        drop(preprocessed);
        if !self.keeps {
            tokens = Vec::new();
        }
        let first = self.result.diagnostics.len();
        let parsed = self.report(ungrammatical, &system, "parse");
        if !self.keeps {
            parsed?;
        }
        if emit == Emit::Ast {
            return Ok(Checked::Artifact(Artifact::Text(clc_syntax::parse::dump(&ast, &interner))));
        }

        let sema_options = SemaOptions {
            version: options.version,
            extensions: self.extensions.clone(),
            address_bits: options.address_bits,
            float: options.float,
            strict_aliasing: options.strict_aliasing,
            signed_overflow_wraps: options.signed_overflow_wraps,
        };
        let lint_options = clc_sema::LintOptions {
            sources: &self.result.sources,
            is_on: &|code| self.options.warnings.severity(code).is_some(),
            uniform_work_groups: options.target.uniform_work_groups,
        };
        if self.keeps {
            let (module, mut diagnostics, index) =
                clc_sema::check_and_index(&ast, &sema_options, Some(&lint_options), &mut interner);
            suggest_macros(&mut diagnostics, &macros, &self.result.sources, &interner);
            if parsed.is_ok() {
                let _ = self.report(diagnostics, &system, "check");
            }
            if is_fatal {
                self.result.diagnostics.truncate(before);
            } else if ast.has_errors {
                self.sort(first);
            }
            self.front_end = main.map(|main| {
                Box::new(FrontEnd {
                    sources: SourceMap::new(),
                    main,
                    ast,
                    module,
                    index,
                    trace,
                    macros,
                    interner,
                    tokens,
                    language: sema_options,
                })
            });
            return Err(Stop);
        }
        let (hir, mut diagnostics) =
            clc_sema::check_and_lint(&ast, &sema_options, Some(&lint_options), &mut interner);
        suggest_macros(&mut diagnostics, &macros, &self.result.sources, &interner);
        let is_broken = ast.has_errors;
        drop(ast);
        self.report(diagnostics, &system, "check")?;
        if is_broken {
            self.sort(first);
            return Err(Stop);
        }
        match emit {
            Emit::Hir => {
                return Ok(Checked::Artifact(Artifact::Text(clc_sema::dump::module(
                    &hir, &interner,
                ))));
            }
            Emit::Nothing => return Ok(Checked::Artifact(Artifact::Nothing)),
            _ if self.result.has_errors() => return Err(Stop),
            _ => {}
        }
        Ok(Checked::Tree(Box::new(Tree { hir, interner, system })))
    }

    /// Puts the diagnostics from `first` on in the order of the source.
    fn sort(&mut self, first: usize) {
        let sources = &self.result.sources;
        self.result.diagnostics[first..].sort_by_cached_key(|diagnostic| {
            let location = sources.resolve(diagnostic.primary.span);
            location.map(|location| (location.file, location.start, diagnostic.primary.span.lo))
        });
    }

    /// From the typed tree to the module.
    fn lowered(&mut self, tree: &Tree) -> Result<clc_ir::Module, Stop> {
        let Options { unit, target, .. } = self.options;
        // Parts keep their lines: a linker would have to make one of the tables of all, whose positions
        // mean different texts.
        let debug = target.debug == DebugLevel::Full && *unit == Unit::Program;
        let (module, diagnostics) = clc_lower::lower(&tree.hir, &tree.interner, *unit, debug);
        self.report(diagnostics, &tree.system, "lower")?;
        if self.result.has_errors() { Err(Stop) } else { Ok(module) }
    }

    /// From the typed tree to the words of a module.
    fn back_half(&mut self, tree: Tree, emit: Emit) -> Result<Artifact, Stop> {
        let module = self.lowered(&tree)?;
        let Tree { hir, interner, system } = tree;
        let kernels = self.is_described(emit).then(|| SourceKernels::of(&hir, &interner));
        // What comes next has its memory.
        drop((hir, interner));
        let artifact = self.compile_ir(module, &system, emit)?;
        if let (Some(kernels), Some(description)) = (kernels, &mut self.result.description) {
            kernels.apply(description);
        }
        Ok(artifact)
    }

    /// Whether the result says what the module says of itself and the source of it.
    fn is_described(&self, emit: Emit) -> bool {
        self.options.describe || emit == Emit::Reflection
    }

    /// From the intermediate representation to the words of a module.
    fn compile_ir(
        &mut self,
        mut module: clc_ir::Module,
        system: &[FileId],
        emit: Emit,
    ) -> Result<Artifact, Stop> {
        let options = self.options;
        // Shaders have no linkage: a part stays what it is after the passes until all of them are there.
        let is_vulkan = matches!(options.target.environment, TargetEnv::Vulkan { .. });
        let is_object = is_vulkan && options.unit == Unit::Part;
        let level = match is_object {
            true => options.opt_level,
            false => smallest::level(&module, &self.result.sources, options),
        };
        let mut watch = Watch::new(options, level);
        let run = clc_passes::run(&mut module, &mut watch.pass_options());
        self.seen(&mut watch, "passes");
        if let Err(broken) = run {
            return self.broken(format!("broken IR {broken}"));
        }
        if let Some(estimates) = options.expand_operations {
            let mut bodies =
                |text: &str, wanted: &[&'static str]| crate::library::bodies(text, wanted, level);
            clc_legalise::pipeline::expand_operations(
                &mut module,
                estimates,
                &options.target.profile,
                &mut bodies,
            );
            if options.verify_each
                && let Err(error) = clc_ir::verify::module(&module)
            {
                return self.broken(format!("broken IR after the expansion: {error}"));
            }
        }
        let is_legalised = options
            .stop_after
            .as_ref()
            .is_some_and(|name| clc_legalise::STEPS.iter().any(|step| step.name == *name));
        let texts = [
            Emit::Ir,
            #[cfg(feature = "asm")]
            Emit::Asm,
        ];
        if texts.contains(&emit) && (is_object || emit == Emit::Ir && !is_legalised) {
            return Ok(Artifact::Text(dump::ir(&module)));
        }
        if is_object {
            let text = dump::ir(&module);
            let object = crate::object::write(&text, options.version, &options.float);
            return Ok(Artifact::Object(object));
        }

        let mut bodies =
            |text: &str, wanted: &[&'static str]| crate::library::bodies(text, wanted, level);
        let legalised =
            clc_legalise::run(&mut module, &options.target, &mut bodies, &mut watch.pass_options());
        self.seen(&mut watch, "legalise");
        let legalised = match legalised {
            Ok(legalised) => legalised,
            Err(Error::Broken(broken)) => return self.broken(format!("broken IR {broken}")),
            Err(Error::Source(errors)) => return self.refused(errors, system),
        };
        if emit == Emit::Ir {
            return Ok(Artifact::Text(dump::ir(&module)));
        }
        let emitted =
            clc_spirv::compile(&mut module, &self.result.sources, &options.target, &legalised);
        let words = match emitted {
            Ok(words) => words,
            Err(errors) => return self.refused(errors, system),
        };
        drop(module);
        self.lap("emit");
        #[cfg(feature = "validate")]
        if options.validate {
            if let Err(error) = clc_spirv::validate(&words, &options.target) {
                return self.broken(format!("the module is not valid SPIR-V: {error}"));
            }
            self.lap("validate");
        }
        self.result.reflection = legalised.shader.map(|shader| shader.reflection);
        if self.is_described(emit) {
            match clc_spirv::reflect::describe(&words) {
                Ok(description) => self.result.description = Some(description),
                Err(reason) => return self.broken(format!("the module was not read: {reason}")),
            }
        }
        match emit {
            Emit::Reflection => Ok(Artifact::Nothing),
            #[cfg(feature = "asm")]
            Emit::Asm => Ok(Artifact::Text(clc_spirv::disassemble(&words))),
            _ => Ok(Artifact::Module(words)),
        }
    }

    /// The program needs what the target lacks.
    fn refused(&mut self, errors: Vec<Diagnostic>, system: &[FileId]) -> Result<Artifact, Stop> {
        self.report(errors, system, "emit")?;
        if !self.result.has_errors() {
            return self.broken("a module was refused without a reason".to_owned());
        }
        Err(Stop)
    }

    /// Takes what passes left, and the time of all of them.
    fn seen(&mut self, watch: &mut Watch<'_>, stage: &'static str) {
        self.result.dumps.append(&mut watch.dumps);
        self.lap(stage);
        self.result.timings.append(&mut watch.timings);
    }

    fn broken(&mut self, message: String) -> Result<Artifact, Stop> {
        self.result.internal_error = Some(InternalError { message, location: None });
        Err(Stop)
    }

    /// The target's extensions, changed by `-cl-ext=`.
    fn extensions(&mut self) -> Result<(), Stop> {
        let target = if let TargetEnv::Vulkan { .. } = self.options.target.environment {
            features::Target::Vulkan
        } else {
            features::Target::OpenCl
        };
        self.extensions = features::default_set(self.options.version, target);
        for list in &self.options.extensions {
            let unknown =
                features::apply_option(&mut self.extensions, list, self.options.version).err();
            if let Some(name) = unknown {
                let mut diagnostic = Diagnostic::without_place(
                    &codes::E0902,
                    format!("`-cl-ext` names the unknown extension `{name}`"),
                );
                let known = features::Extension::all().map(features::Extension::name);
                if let Some(guess) = clc_base::diagnostic::did_you_mean(&name, known) {
                    diagnostic = diagnostic.help(format!("did you mean `{guess}`?"));
                }
                self.result.diagnostics.push(diagnostic);
                return Err(Stop);
            }
        }
        Ok(())
    }

    /// Takes a stage's diagnostics and its time; stops after a fatal error.
    fn report(
        &mut self,
        mut diagnostics: Vec<Diagnostic>,
        system: &[FileId],
        stage: &'static str,
    ) -> Result<(), Stop> {
        self.options.warnings.apply(&mut diagnostics);
        if !system.is_empty() {
            let sources = &self.result.sources;
            diagnostics.retain(|diagnostic| {
                diagnostic.code.severity >= Severity::Error
                    || sources
                        .resolve(diagnostic.primary.span)
                        .is_none_or(|place| !system.contains(&place.file))
            });
        }
        let fatal = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Fatal);
        self.result.diagnostics.append(&mut diagnostics);
        self.lap(stage);
        if fatal { Err(Stop) } else { Ok(()) }
    }

    fn lap(&mut self, name: &'static str) {
        if let Some(start) = &mut self.clock {
            let now = Instant::now();
            self.result.timings.push(Timing { name, time: now - *start, is_pass: false });
            *start = now;
        }
    }
}
