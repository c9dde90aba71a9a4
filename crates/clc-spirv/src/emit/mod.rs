//! A straight walk from legal IR to words.
//!
//! Functions come first, and what they use — types, constants, variables, capabilities — is
//! declared when it is first asked for, so that nothing unused is ever written. The sections of a
//! module (SPIR-V 2.4) are kept apart and joined at the end.

mod clspv_reflection;
mod constants;
mod debug;
mod debug_info;
mod descriptors;
mod entry_points;
mod function;
mod helpers;
mod instruction;
mod long_tables;
mod matrices;
mod phis;
mod shader;
mod synchronisation;
mod terminator;
mod types;
mod variables;
mod words;

use std::collections::BTreeSet;

use clc_base::arena::Id as _;
use clc_base::{Arena, Diagnostic, SourceMap, Span};
use clc_ir::{ConstPool, FuncId, Function, Global, GlobalId, Linkage, Module, TypePool};
use rustc_hash::FxHashMap;
use spirv::{AddressingModel, Capability, Decoration, LinkageType, MemoryModel, Op};

pub(crate) use function::{Call, FunctionEmitter};
pub(crate) use words::{Id, Words};

use clc_legalise::{Legalised, Shader, TargetOptions, diagnostics};

/// The number under which this compiler's modules are registered; 0 until there is one.
const GENERATOR: u32 = 0;

/// OpSourceExtension of a module whose functions must not be contracted (FP_CONTRACT OFF). The mode
/// belongs to entry points, which may be in other modules: the linker gives it to them.
pub(crate) const CONTRACTION_OFF: &str = "FP_CONTRACT OFF";

/// What has been written so far, and what is declared.
pub(crate) struct ModuleEmitter<'m> {
    pub types: &'m mut TypePool,
    pub consts: &'m mut ConstPool,
    pub options: &'m TargetOptions,
    /// For Vulkan: what legalisation found out.
    pub shader: Option<&'m Shader>,
    /// Of the module, which is known before anything is written.
    spirv_version: (u8, u8),
    pub float_options: clc_base::lang::FloatOptions,
    globals: &'m Arena<GlobalId, Global>,
    functions: &'m Arena<FuncId, Function>,
    source_map: &'m SourceMap,
    language_version: clc_base::Version,
    errors: Vec<Diagnostic>,

    next_id: Id,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    imports: Words,
    opencl_std: Id,
    glsl_std_450: Id,
    entry_points: Words,
    execution_modes: Words,
    /// OpString, OpSource.
    strings: Words,
    names: Words,
    decorations: Words,
    /// Types, constants and module-scope variables.
    declarations: Words,
    /// Functions without a body come before those that have one.
    imported_functions: Words,
    code: Words,

    type_ids: Vec<Id>,
    raw_types: FxHashMap<Vec<u32>, Id>,
    open_structs: types::OpenTypes,
    const_ids: Vec<constants::Declared>,
    /// Sets of variables that constants are made of; see [`constants::Declared`].
    variable_sets: Vec<Box<[Id]>>,
    global_ids: Vec<variables::GlobalState>,
    builtins: Vec<variables::BuiltinVariable>,
    function_ids: Vec<Id>,
    /// Functions that are to be emitted, in the order they were first named.
    queue: Vec<FuncId>,
    /// For each function the variables it uses and the functions it calls.
    uses: FxHashMap<FuncId, entry_points::Uses>,
    debug: debug::DebugState,
    /// Present if more than lines is written of the source.
    debug_info: Option<Box<debug_info::DebugInfoState>>,
    debug_tables: Option<&'m clc_ir::debug::DebugInfo>,
}

/// Emits every kernel, every exported function and variable, and what they reach.
pub(crate) fn emit(
    module: &mut Module,
    source_map: &SourceMap,
    options: &TargetOptions,
    legalised: &Legalised,
) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let Module {
        types,
        consts,
        globals,
        functions,
        debug,
        version,
        float_options,
        contraction_off,
    } = module;
    let contraction_off = *contraction_off;
    let mut emitter = ModuleEmitter {
        globals,
        functions,
        options,
        shader: legalised.shader.as_ref(),
        spirv_version: legalised.spirv_version,
        source_map,
        language_version: *version,
        float_options: *float_options,
        errors: Vec::new(),
        next_id: 1,
        capabilities: BTreeSet::new(),
        extensions: BTreeSet::new(),
        imports: Words::default(),
        opencl_std: 0,
        glsl_std_450: 0,
        entry_points: Words::default(),
        execution_modes: Words::default(),
        strings: Words::default(),
        names: Words::default(),
        decorations: Words::default(),
        declarations: Words::with_capacity(256),
        imported_functions: Words::default(),
        code: Words::with_capacity(
            functions.values().map(|function| function.insts.len() * 5).sum::<usize>().min(1 << 22),
        ),
        type_ids: Vec::new(),
        raw_types: FxHashMap::default(),
        open_structs: types::OpenTypes::default(),
        const_ids: Vec::new(),
        variable_sets: vec![Box::default()],
        global_ids: vec![variables::GlobalState::Unused; globals.len()],
        builtins: Vec::new(),
        function_ids: vec![0; functions.len()],
        queue: Vec::new(),
        uses: FxHashMap::default(),
        debug: debug::DebugState::default(),
        debug_info: None,
        debug_tables: debug.as_deref(),
        types,
        consts,
    };
    emitter.module();
    if contraction_off && emitter.capabilities.contains(&(Capability::Linkage as u32)) {
        emitter.source_extension(CONTRACTION_OFF);
    }
    if emitter.errors.is_empty() { Ok(emitter.finish()) } else { Err(emitter.errors) }
}

impl ModuleEmitter<'_> {
    fn module(&mut self) {
        if self.shader.is_some() {
            self.shader_capabilities();
        } else {
            self.capability(Capability::Kernel);
            self.capability(Capability::Addresses);
        }
        self.source();
        let functions = self.functions;
        let mut kernels = Vec::new();
        for (id, function) in functions.iter() {
            let exported = function.linkage == Linkage::Export
                && !function.is_declaration()
                && self.shader.is_none();
            if function.entry_point.is_some() && !function.is_declaration() {
                kernels.push(id);
                self.function_id(id);
            } else if exported {
                self.function_id(id);
            }
        }
        let globals = self.globals;
        for (id, global) in globals.iter() {
            if global.linkage == Linkage::Export && self.shader.is_none() {
                self.global_id(id);
            }
        }
        self.start_debug_info();
        let mut next = 0;
        while let Some(&id) = self.queue.get(next) {
            self.function(id);
            next += 1;
        }
        if kernels.is_empty() && self.shader.is_none() {
            // A module without entry points is a library.
            self.capability(Capability::Linkage);
        }
        self.debug_globals();
        self.entry_points(&kernels);
        self.clspv_reflection(&kernels);
        self.check_length(Span::NONE, "module", false);
    }

    /// Reports that an instruction written since the last check did not fit: it belongs to what
    /// `span` and `name` say.
    fn check_length(&mut self, span: Span, name: &str, is_global: bool) {
        for section in [
            &mut self.declarations,
            &mut self.code,
            &mut self.imported_functions,
            &mut self.entry_points,
            &mut self.names,
            &mut self.decorations,
            &mut self.strings,
        ] {
            if let Some(op) = section.too_long.take() {
                self.errors.push(
                    Diagnostic::new(
                        &diagnostics::E0704,
                        span,
                        format!(
                            "`{name}` needs an instruction of more than 65,535 words (Op{op:?})"
                        ),
                    )
                    .at("this makes the instruction")
                    .help(match op {
                        Op::ConstantComposite if is_global => {
                            "an array that other modules see has at most 65,532 elements in each dimension \
                             if it has contents: make it `static`, split it, or pass it as a kernel argument"
                        }
                        Op::ConstantComposite => {
                            "an array with contents has at most 65,532 elements in each dimension here: \
                             declare it `constant`, or store the elements in a loop"
                        }
                        _ => "split the `switch` or function that is this large",
                    }),
                );
            }
        }
    }

    /// Joins the sections (SPIR-V 2.4, logical layout of a module).
    fn finish(self) -> Vec<u32> {
        let (major, minor) = self.spirv_version;
        // No more than is needed: of a size that is new to it the allocator makes four blocks, and writes to each.
        let large = [&self.code, &self.declarations, &self.names, &self.decorations];
        let large = large.iter().map(|section| section.words.len()).sum::<usize>();
        let mut out = Words::with_capacity(large + large / 8 + 64);
        out.words.extend_from_slice(&[
            spirv::MAGIC_NUMBER,
            u32::from(major) << 16 | u32::from(minor) << 8,
            GENERATOR,
            self.next_id,
            0,
        ]);
        for &capability in &self.capabilities {
            out.op(Op::Capability, &[capability]);
        }
        for extension in &self.extensions {
            let start = out.begin(Op::Extension);
            out.string(extension);
            out.end(start);
        }
        out.words.extend_from_slice(&self.imports.words);
        let (addressing, memory) = match (self.shader, self.types.pointer_size) {
            (Some(_), _) => (AddressingModel::PhysicalStorageBuffer64, MemoryModel::Vulkan),
            (None, 4) => (AddressingModel::Physical32, MemoryModel::OpenCL),
            (None, _) => (AddressingModel::Physical64, MemoryModel::OpenCL),
        };
        out.op(Op::MemoryModel, &[addressing as u32, memory as u32]);
        for section in [
            self.entry_points,
            self.execution_modes,
            self.strings,
            self.names,
            self.decorations,
            self.declarations,
            self.imported_functions,
            self.code,
        ] {
            out.words.extend_from_slice(&section.words);
        }
        out.words
    }

    /// A fresh id.
    pub fn fresh_id(&mut self) -> Id {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Declares that the module needs `capability`.
    pub fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability as u32);
    }

    /// Declares an extension. Those that are forbidden were refused in the legalisation.
    pub fn extension(&mut self, name: &'static str) {
        debug_assert!(self.options.extensions.allows(name), "{name} is forbidden");
        self.extensions.insert(name);
    }

    /// Whether the module is of SPIR-V `major.minor` or later.
    pub fn version_at_least(&self, major: u8, minor: u8) -> bool {
        self.spirv_version >= (major, minor)
    }

    /// Whether every work-group has the size that was asked for: where the options say so, and before OpenCL C 2.0, whose
    /// drivers have no function for that size (OpenCL API 5.8.6.1).
    pub fn has_uniform_work_groups(&self) -> bool {
        self.options.uniform_work_groups || self.language_version < clc_base::Version::V2_0
    }

    /// The extended instruction set OpenCL.std.
    pub fn opencl_std(&mut self) -> Id {
        if self.opencl_std == 0 {
            self.opencl_std = self.import("OpenCL.std");
        }
        self.opencl_std
    }

    /// The extended instruction set GLSL.std.450.
    pub fn glsl_std_450(&mut self) -> Id {
        if self.glsl_std_450 == 0 {
            self.glsl_std_450 = self.import("GLSL.std.450");
        }
        self.glsl_std_450
    }

    fn import(&mut self, set: &str) -> Id {
        let id = self.fresh_id();
        let start = self.imports.begin(Op::ExtInstImport);
        self.imports.push(id);
        self.imports.string(set);
        self.imports.end(start);
        id
    }

    pub fn decorate(&mut self, target: Id, decoration: Decoration, operands: &[u32]) {
        let start = self.decorations.begin(Op::Decorate);
        self.decorations.push(target);
        self.decorations.push(decoration as u32);
        self.decorations.words.extend_from_slice(operands);
        self.decorations.end(start);
    }

    /// OpName, if names are wanted.
    pub fn name(&mut self, target: Id, name: &str) {
        if self.options.names && !name.is_empty() {
            self.name_always(target, name);
        }
    }

    fn name_always(&mut self, target: Id, name: &str) {
        // A NUL would end the literal early.
        let name = name.split('\0').next().unwrap_or_default();
        let start = self.names.begin(Op::Name);
        self.names.push(target);
        self.names.string(name);
        self.names.end(start);
    }

    fn linkage(&mut self, target: Id, name: &str, kind: LinkageType) {
        self.capability(Capability::Linkage);
        let start = self.decorations.begin(Op::Decorate);
        self.decorations.push(target);
        self.decorations.push(Decoration::LinkageAttributes as u32);
        self.decorations.string(name);
        self.decorations.push(kind as u32);
        self.decorations.end(start);
    }

    /// The id of a function, which is emitted later.
    pub fn function_id(&mut self, id: FuncId) -> Id {
        let slot = id.index();
        if self.function_ids[slot] == 0 {
            self.function_ids[slot] = self.fresh_id();
            self.queue.push(id);
        }
        self.function_ids[slot]
    }
}
