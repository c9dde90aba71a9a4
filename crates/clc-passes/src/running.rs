//! How passes are run: what decides about them, who looks on, and what is verified in between.

use clc_ir::{Function, Module};

use crate::context::ModuleContext;

/// How much work to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptLevel {
    /// Only what emission needs: debugging shows the program as written.
    O0,
    /// As [`OptLevel::O`], but for what makes modules larger, unless the source asks for it: `-Os`.
    Os,
    /// Everything: `-O`, `-O1`, `-O2` and `-O3` are one, because drivers optimise again.
    O,
}

/// Sees each pass go by; clocks and output are its own.
pub trait Observer {
    /// Whether passes have to go by one at a time over the whole module. If not, passes over
    /// functions take turns on each, which finds it in the processor's cache.
    fn looks(&self) -> bool;
    /// Called before a pass runs over the module.
    fn before(&mut self, pass: &'static str);
    /// Called with what a pass has left, before it is verified.
    fn after(&mut self, pass: &'static str, module: &Module);
}

/// Does nothing.
impl Observer for () {
    fn looks(&self) -> bool {
        false
    }
    fn before(&mut self, _: &'static str) {}
    fn after(&mut self, _: &'static str, _: &Module) {}
}

/// How passes are run.
pub struct PassOptions<'a> {
    /// Which passes run.
    pub level: OptLevel,
    /// Ends the pipeline after the first run of this pass.
    pub stop_after: Option<&'a str>,
    /// How many passes and steps, counted from the first, run as `level` says. After them come the
    /// passes of [`OptLevel::O0`] alone: so the pass that makes a program wrong is found.
    pub limit: Option<u32>,
    /// How many passes and steps have run.
    pub count: u32,
    /// Runs the verifier after each pass; debug builds always do.
    pub verify_each: bool,
    /// Whether [`take_vectors_apart`](crate::take_vectors_apart) follows, which is to see more of a kernel at once.
    pub is_for_vectors: bool,
    /// Sees each pass.
    pub observer: &'a mut dyn Observer,
}

/// A pass left the module in a state that the verifier rejects: a bug in the compiler.
#[derive(Clone, Debug)]
pub struct BrokenPass {
    /// What came before the first pass (`lowering`) if the module was broken already.
    pub pass: &'static str,
    /// What the verifier says of the module that the pass left.
    pub error: clc_ir::verify::VerifierError,
}

impl std::fmt::Display for BrokenPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "after {}: {}", self.pass, self.error)
    }
}

impl std::error::Error for BrokenPass {}

#[derive(Clone, Copy)]
pub(crate) enum Scope {
    Module(fn(&mut Module)),
    /// Not called for declarations. What it makes of a function does not depend on which others it
    /// has seen.
    Function(fn(&mut ModuleContext<'_>, &mut Function)),
}

/// A pass of the middle end.
#[derive(Clone, Copy)]
pub struct Pass {
    /// For `--print-after`, `--stop-after` and `--time-passes`.
    pub name: &'static str,
    /// What the pass does, in a few words for the command's help.
    pub description: &'static str,
    pub(crate) scope: Scope,
}

impl Pass {
    /// Runs the pass over a module, which the verifier must accept.
    pub fn run(&self, module: &mut Module) {
        clc_ir::tracked(module, |module| self.run_untracked(module));
    }

    /// Without what is said of variables of the source.
    fn run_untracked(&self, module: &mut Module) {
        match self.scope {
            Scope::Module(run) => run(module),
            Scope::Function(run) => each_function(module, &[run]),
        }
    }
}

/// Runs the passes over each function, all of them before the next function.
fn each_function(module: &mut Module, passes: &[fn(&mut ModuleContext<'_>, &mut Function)]) {
    let functions = module.functions.values();
    let removable: Vec<bool> =
        functions.map(|function| function.is_const || function.is_pure).collect();
    let constant: Vec<bool> = module.functions.values().map(|function| function.is_const).collect();
    let short: Vec<Option<u8>> = module.functions.values().map(crate::context::short).collect();
    let mut context = ModuleContext {
        types: &mut module.types,
        consts: &mut module.consts,
        globals: &module.globals,
        float_options: module.float_options,
        removable: &removable,
        constant: &constant,
        short: &short,
    };
    for function in module.functions.values_mut().filter(|function| !function.is_declaration()) {
        for pass in passes {
            pass(&mut context, function);
        }
    }
}

/// Runs `work`, which is called `name` and returns whether it succeeded, with everything that happens
/// around a pass. Returns whether it is the last one, by [`PassOptions::stop_after`].
pub fn watched(
    name: &'static str,
    module: &mut Module,
    options: &mut PassOptions<'_>,
    work: impl FnOnce(&mut Module) -> bool,
) -> Result<bool, BrokenPass> {
    options.count += 1;
    options.observer.before(name);
    let has_succeeded = clc_ir::tracked(module, work);
    options.observer.after(name, module);
    if has_succeeded {
        options.verify(module, name)?;
    }
    Ok(options.stop_after == Some(name))
}

impl<'a> PassOptions<'a> {
    /// Every pass of `level`, verified in debug builds.
    pub fn new(level: OptLevel, observer: &'a mut dyn Observer) -> PassOptions<'a> {
        PassOptions {
            level,
            stop_after: None,
            limit: None,
            count: 0,
            verify_each: false,
            is_for_vectors: false,
            observer,
        }
    }

    fn verifies(&self) -> bool {
        self.verify_each || cfg!(debug_assertions)
    }

    pub(crate) fn verify(&self, module: &Module, pass: &'static str) -> Result<(), BrokenPass> {
        if self.verifies() {
            clc_ir::verify::module(module).map_err(|error| BrokenPass { pass, error })?;
        }
        Ok(())
    }
}

/// Runs the passes of `full`, or those of `little` at [`OptLevel::O0`] and behind [`PassOptions::limit`].
pub(crate) fn run_passes(
    module: &mut Module,
    full: &[Pass],
    little: &[Pass],
    options: &mut PassOptions<'_>,
) -> Result<bool, BrokenPass> {
    let passes = match options.level {
        OptLevel::O0 => little,
        OptLevel::Os | OptLevel::O => full,
    };
    let is_tracked = module.debug.is_some();
    if !options.verifies()
        && options.stop_after.is_none()
        && options.limit.is_none()
        && !options.observer.looks()
        && !is_tracked
    {
        run_unseen(module, passes);
        return Ok(false);
    }
    let mut left: Vec<&Pass> = passes.iter().rev().collect();
    let mut have_run = Vec::new();
    let mut is_limited = false;
    while let Some(&pass) = left.last() {
        if !is_limited && options.limit.is_some_and(|limit| options.count >= limit) {
            is_limited = true;
            let needed = little.iter().rev().filter(|pass| !have_run.contains(&pass.name));
            left = needed.collect();
            continue;
        }
        let run = |module: &mut Module| {
            pass.run_untracked(module);
            true
        };
        if watched(pass.name, module, options, run)? {
            return Ok(true);
        }
        have_run.push(pass.name);
        left.pop();
    }
    Ok(false)
}

pub(crate) fn run_unseen(module: &mut Module, passes: &[Pass]) {
    let mut group = Vec::new();
    for pass in passes {
        match pass.scope {
            Scope::Function(run) => group.push(run),
            Scope::Module(run) => {
                each_function(module, &std::mem::take(&mut group));
                run(module);
            }
        }
    }
    each_function(module, &group);
}
