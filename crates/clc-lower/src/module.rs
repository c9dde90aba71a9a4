//! Globals, signatures, and the order in which functions are lowered.

use clc_base::{Arena, Diagnostic, Interner, Span};
use clc_builtins::Scalar;
use clc_ir::debug::{Location, Place};
use clc_ir::{
    Block, Builder, Const, EntryPoint, FuncId, Function, Global, KernelArgument, Linkage,
    MathFlags, Module, ParamAttributes, StorageClass, Type, TypePool, Value,
};
use clc_sema::hir::{self, LabelId, LocalId};
use clc_sema::types as source;
use clc_sema::types::TypeId;
use rustc_hash::FxHashMap;

use crate::debug_tables::Debug;
use crate::diagnostics::{
    undefined_function, undefined_internal_function, undefined_variable, unsupported,
};
use crate::mangle;
use crate::types::{Context, TypeMap, storage_class};

/// What a source is to become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A whole program: what its kernels reach; without a kernel, a library. Nothing is missing.
    #[default]
    Program,
    /// A part of one (`-c`): what has external linkage is exported, what is declared only is
    /// imported.
    Part,
}

/// Lowers what the kernels of a program reach, and what other modules may. `names` is the interner
/// the program was analysed with; the program must be free of errors.
///
/// With `debug` the module says what debuggers want to know; its code is the same.
pub fn lower(
    hir: &hir::Module,
    names: &Interner,
    unit: Unit,
    debug: bool,
) -> (Module, Vec<Diagnostic>) {
    let has_kernels = hir.functions.values().any(|function| function.kernel.is_some());
    let mut lowering = Lowering {
        hir,
        names,
        module: Module::new(hir.types.pointer_size, hir.version),
        types: TypeMap::default(),
        globals: GlobalValues(vec![None; hir.globals.len()]),
        functions: vec![None; hir.functions.len()],
        function_names: FxHashMap::default(),
        pending: Vec::new(),
        whole_program: unit == Unit::Program && has_kernels,
        unit,
        contexts: FxHashMap::default(),
        contraction_off: false,
        has_copy_fence: None,
        diagnostics: Vec::new(),
        debug: debug.then(|| Box::new(Debug::new(hir.types.pointer_size))),
    };
    lowering.module.float_options = hir.float_options;
    lowering.run();
    lowering.module.debug = lowering.debug.map(|debug| Box::new(debug.info));
    (lowering.module, lowering.diagnostics)
}

/// The state of one lowering.
pub(crate) struct Lowering<'h> {
    pub hir: &'h hir::Module,
    pub names: &'h Interner,
    pub module: Module,
    pub types: TypeMap,
    pub globals: GlobalValues,
    functions: Vec<Option<FuncId>>,
    /// How many functions have each name so far.
    function_names: FxHashMap<String, u32>,
    /// Functions that are declared in the module and whose bodies are still to be lowered.
    pending: Vec<(hir::FuncId, FuncId)>,
    /// The module has kernels and is complete, so that nothing else can be called from outside.
    whole_program: bool,
    unit: Unit,
    /// The contexts of the blocks that were met.
    pub contexts: FxHashMap<hir::FuncId, Context>,
    /// `FP_CONTRACT OFF` was met somewhere.
    pub contraction_off: bool,
    /// The program calls `async_work_group_copy_fence`, if anybody asked.
    pub has_copy_fence: Option<bool>,
    pub diagnostics: Vec<Diagnostic>,
    /// Present if debug information is wanted.
    pub debug: Option<Box<Debug>>,
}

/// The address of each source global that was met.
pub(crate) struct GlobalValues(Vec<Option<Value>>);

impl std::ops::Index<hir::GlobalId> for GlobalValues {
    type Output = Value;
    fn index(&self, id: hir::GlobalId) -> &Value {
        self.0[id.0 as usize].as_ref().expect("globals are lowered before they are used")
    }
}

impl<'h> Lowering<'h> {
    fn run(&mut self) {
        let hir = self.hir;
        for (id, function) in hir.functions.iter() {
            let exported = !self.whole_program && function.linkage == hir::Linkage::External;
            let exported = exported && function.block.is_none();
            if function.body.is_some() && (function.kernel.is_some() || exported) {
                self.function(id, function.span);
            }
        }
        if !self.whole_program {
            for (id, global) in hir.globals.iter() {
                let is_object = !global.is_declaration && global.spec_constant.is_none();
                if global.linkage == hir::Linkage::External && is_object {
                    self.global(id, global.span);
                }
            }
        }
        let mut next = 0;
        while next < self.pending.len() {
            let (source, target) = self.pending[next];
            next += 1;
            self.body(source, target);
        }
        self.module.contraction_off = self.contraction_off;
        if self.contraction_off {
            for function in self.module.functions.values_mut() {
                if let Some(entry) = &mut function.entry_point {
                    entry.contraction_off = true;
                }
            }
        }
    }

    pub fn lower_type(&mut self, id: TypeId) -> Type {
        self.types.lower(&mut self.module.types, &self.hir.types, self.names, id)
    }

    /// Reports, once, a construct or type that has no form here.
    pub fn unsupported(&mut self, span: Span, what: &str) {
        self.diagnostics.push(unsupported(span, what));
    }

    fn check_types(&mut self, span: Span) {
        if let Some(what) = self.types.unsupported.take() {
            self.unsupported(span, what);
        }
    }

    /// The address of a global that `used` names.
    pub fn global(&mut self, id: hir::GlobalId, used: Span) -> Value {
        if let Some(value) = self.globals.0[id.0 as usize] {
            return value;
        }
        let hir = self.hir;
        let source = &hir.globals[id];
        let ty = self.lower_type(source.ty.ty);
        self.check_types(source.span);
        let class = storage_class(source.space);
        if source.is_declaration && self.unit == Unit::Program {
            let diagnostic = undefined_variable(used, source.span, &source.name);
            self.diagnostics.push(diagnostic);
        }
        let linkage = match (source.linkage, source.is_declaration) {
            (_, true) => Linkage::Import,
            (hir::Linkage::External, false) if !self.whole_program => Linkage::Export,
            _ => Linkage::Internal,
        };
        let global = self.module.globals.push(Global {
            name: source.name.clone(),
            ty,
            class,
            initializer: None,
            align: source.align as u32,
            is_const: source.ty.quals.is_const || class == StorageClass::UniformConstant,
            linkage,
            span: source.span,
        });
        let pointer = self.module.types.pointer(ty, class);
        let address = self.module.consts.intern(Const::GlobalAddress(pointer, global));
        self.globals.0[id.0 as usize] = Some(address);
        self.debug_global(id);
        if let Some(initializer) = &source.initializer {
            self.addressed_globals(initializer, source.span);
            match self.constant(initializer, source.ty.ty) {
                Some(value) => self.module.globals[global].initializer = Some(value),
                None => self.unsupported(source.span, "this initialiser"),
            }
        } else if class == StorageClass::CrossWorkgroup && !source.is_declaration {
            let value = self.constant(&hir::Constant::Zero, source.ty.ty);
            self.module.globals[global].initializer = value;
        }
        address
    }

    /// Lowers the globals whose addresses a constant contains.
    pub fn addressed_globals(&mut self, constant: &hir::Constant, used: Span) {
        match constant {
            hir::Constant::Address { global, .. } => {
                self.global(*global, used);
            }
            hir::Constant::Composite(elements) => {
                elements.iter().for_each(|element| self.addressed_globals(element, used));
            }
            hir::Constant::Union { value, .. } => self.addressed_globals(value, used),
            hir::Constant::Zero
            | hir::Constant::Scalar(_)
            | hir::Constant::Scalars(_)
            | hir::Constant::Sampler(_) => {}
        }
    }

    /// Whether a parameter of this type is passed through a pointer to a private copy.
    fn is_by_value(&self, source: &hir::Function, ty: TypeId) -> bool {
        source.kernel.is_some() && matches!(self.hir.types.get(ty), source::Type::Record(_))
    }

    /// The function that a source function, which `used` names, becomes; its body follows later.
    pub fn function(&mut self, id: hir::FuncId, used: Span) -> FuncId {
        if let Some(function) = self.functions[id.0 as usize] {
            return function;
        }
        let hir = self.hir;
        let source = &hir.functions[id];
        let name = self.names.resolve(source.name).to_owned();
        let result = self.lower_type(source.result);
        let is_shared = !self.whole_program && source.linkage == hir::Linkage::External;
        let symbol = if source.attributes.overloadable && is_shared {
            // Other modules find each overload by its types.
            mangle::function(&hir.types, self.names, source)
        } else {
            self.unique_name(&name)
        };
        let mut function = Function::new(symbol, result);
        if source.block.is_some() {
            function.params.push(self.context_parameter());
            function.param_attributes.push(ParamAttributes::default());
            function.param_names.push("context".to_owned());
        }
        for index in 0..source.param_count {
            let local = &source.locals[LocalId(index)];
            let mut ty = self.lower_type(local.ty.ty);
            self.check_types(local.span);
            let mut attributes = self.param_attributes(local.ty);
            if self.is_by_value(source, local.ty.ty) {
                ty = self.module.types.pointer(ty, StorageClass::Function);
                attributes.by_value = true;
            }
            function.params.push(ty);
            function.param_attributes.push(attributes);
            let name = local.name.map_or("", |name| self.names.resolve(name));
            function.param_names.push(name.to_owned());
        }
        function.linkage = match (&source.body, source.linkage) {
            (None, _) => Linkage::Import,
            (Some(_), hir::Linkage::External) if !self.whole_program => Linkage::Export,
            _ => Linkage::Internal,
        };
        function.always_inline = source.attributes.always_inline;
        function.no_inline = source.attributes.no_inline;
        function.is_const = source.attributes.is_const;
        function.is_pure = source.attributes.is_pure;
        function.span = source.span;
        if let Some(kernel) = &source.kernel {
            function.entry_point = Some(Box::new(self.entry_point(name, source, kernel)));
        }
        self.check_types(source.span);
        let target = self.module.functions.push(function);
        self.functions[id.0 as usize] = Some(target);
        if source.body.is_some() {
            self.pending.push((id, target));
        } else {
            let name = self.names.resolve(source.name);
            if source.linkage == hir::Linkage::Internal {
                self.diagnostics.push(undefined_internal_function(source, name));
            } else if self.unit == Unit::Program {
                self.diagnostics.push(undefined_function(used, source, name));
            }
        }
        target
    }

    /// Overloads share their name in the source. In the module each has its own: drivers name their
    /// functions after it, and mistake one for another.
    fn unique_name(&mut self, name: &str) -> String {
        let uses = self.function_names.entry(name.to_owned()).or_insert(0);
        *uses += 1;
        if *uses == 1 { name.to_owned() } else { format!("{name}.{}", *uses - 1) }
    }

    fn param_attributes(&self, ty: source::QualType) -> ParamAttributes {
        let table = &self.hir.types;
        let mut attributes = ParamAttributes::default();
        if let Some((pointee, _)) = table.as_pointer(ty.ty) {
            attributes.no_write = pointee.quals.is_const;
            attributes.no_alias = ty.quals.is_restrict;
            attributes.volatile = pointee.quals.is_volatile;
        } else if let Some(scalar) = table.as_scalar(ty.ty)
            && scalar.is_integer()
            && scalar.size() < 4
        {
            attributes.sign_extend = scalar.is_signed();
            attributes.zero_extend = !scalar.is_signed();
        }
        attributes
    }

    fn entry_point(
        &mut self,
        name: String,
        source: &hir::Function,
        kernel: &hir::Kernel,
    ) -> EntryPoint {
        let arguments = kernel.arguments.iter().enumerate().map(|(index, argument)| {
            let local = source.locals[LocalId(index as u32)].name;
            KernelArgument {
                name: local.map_or_else(String::new, |name| self.names.resolve(name).to_owned()),
                type_name: argument.type_name.clone(),
                type_qualifiers: argument.type_qualifiers.clone(),
                access: argument.access,
                address_space: argument.address_space,
            }
        });
        EntryPoint {
            name,
            reqd_work_group_size: kernel.reqd_work_group_size,
            work_group_constants: kernel.work_group_constants,
            work_group_size_hint: kernel.work_group_size_hint,
            vec_type_hint: kernel.vec_type_hint.and_then(|ty| self.vec_type_hint(ty)),
            vec_type_unsigned: kernel.vec_type_hint.is_some_and(|ty| {
                let scalar = self.hir.types.as_arithmetic(ty).map(|(scalar, _)| scalar);
                matches!(
                    scalar,
                    Some(Scalar::UChar | Scalar::UShort | Scalar::UInt | Scalar::ULong)
                )
            }),
            sub_group_size: kernel.sub_group_size,
            contraction_off: false,
            arguments: arguments.collect(),
        }
    }

    /// SPIR-V 3.3.6, VecTypeHint: the component count in the high half, the data type in the low.
    fn vec_type_hint(&self, ty: TypeId) -> Option<u32> {
        let (scalar, count) = self.hir.types.as_arithmetic(ty)?;
        let data_type = match scalar {
            Scalar::Bool | Scalar::Char | Scalar::UChar => 0,
            Scalar::Short | Scalar::UShort => 1,
            Scalar::Int | Scalar::UInt => 2,
            Scalar::Long | Scalar::ULong => 3,
            Scalar::Half => 4,
            Scalar::Float => 5,
            Scalar::Double => 6,
        };
        Some(u32::from(count) << 16 | data_type)
    }

    fn body(&mut self, id: hir::FuncId, target: FuncId) {
        let hir = self.hir;
        let source = &hir.functions[id];
        let Some(body) = source.body else { return };
        let mut function = std::mem::replace(
            &mut self.module.functions[target],
            Function::new(String::new(), TypePool::VOID),
        );
        function.insts.reserve(USUAL_INSTS);
        function.values.reserve(USUAL_INSTS);
        let place = self.debug_function(source, &mut function);
        let math = float_flags(&hir.float_options);
        let mut lowering = FunctionLowering {
            block: Block(0),
            span: source.span,
            locals: vec![None; source.locals.len()],
            labels: Arena::new(),
            cases: vec![None; source.case_count as usize],
            jumps: Vec::new(),
            contract: true,
            block_contexts: FxHashMap::default(),
            place,
            anchors: Vec::new(),
            math,
            cx: self,
            source,
            function,
        };
        lowering.run(id, body);
        let function = lowering.function;
        self.module.functions[target] = function;
        self.check_types(source.span);
    }
}

/// Instructions that most functions have at least.
const USUAL_INSTS: usize = 32;

/// The permissions that the build options give to every floating-point operation.
fn float_flags(options: &clc_base::lang::FloatOptions) -> u8 {
    let mut flags = 0;
    if options.finite_math_only || options.fast_relaxed_math {
        flags |= MathFlags::NOT_NAN | MathFlags::NOT_INF;
    }
    if options.no_signed_zeros || options.unsafe_math || options.fast_relaxed_math {
        flags |= MathFlags::NO_SIGNED_ZERO;
    }
    if options.unsafe_math || options.fast_relaxed_math {
        flags |= MathFlags::RECIPROCAL;
    }
    if options.fast_relaxed_math {
        flags |= MathFlags::FAST;
    }
    flags
}

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The address of its memory.
    Memory(Value),
    /// Opaque objects that cannot be assigned (images, samplers, pipes) are values.
    Value(Value),
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jumps {
    pub break_to: Block,
    /// `None` in a switch: `continue` looks further out.
    pub continue_to: Option<Block>,
}

/// The state of lowering one function body.
pub(crate) struct FunctionLowering<'a, 'h> {
    pub cx: &'a mut Lowering<'h>,
    pub source: &'h hir::Function,
    pub function: Function,
    pub block: Block,
    pub span: Span,
    pub locals: Vec<Option<Slot>>,
    pub labels: Arena<LabelId, Block>,
    pub cases: Vec<Option<Block>>,
    /// Targets of `break` and `continue`, innermost last.
    pub jumps: Vec<Jumps>,
    /// The variables that block literals fill.
    pub block_contexts: FxHashMap<hir::FuncId, Value>,
    /// Whether `a * b + c` may be contracted here.
    pub contract: bool,
    /// What the build options allow.
    pub math: u8,
    /// The scope of what follows, if debug information is wanted.
    pub place: Place,
    /// How many instructions stood before each entry of debug information about values.
    pub anchors: Vec<usize>,
}

impl<'h> FunctionLowering<'_, 'h> {
    fn run(&mut self, id: hir::FuncId, body: hir::StmtId) {
        let entry = self.function.add_block();
        self.block = entry;
        self.build(|b| b.switch_to(entry));
        let source = self.source;
        if source.block.is_some() {
            let context = self.function.params[0];
            let context = self.function.add_block_param(entry, context);
            self.load_captures(id, context);
        }
        // Of a block's function the context comes first.
        let first = u32::from(source.block.is_some());
        for index in 0..source.param_count {
            let local = LocalId(index);
            let position = (first + index) as usize;
            let ty = self.function.params[position];
            let value = self.function.add_block_param(entry, ty);
            let name = self.function.param_names[position].clone();
            if !name.is_empty() {
                self.function.value_names.insert(value, name);
            }
            let attributes = self.function.param_attributes[position];
            let slot = if attributes.by_value {
                Slot::Memory(value)
            } else if self.is_opaque_value(source.locals[local].ty.ty) {
                Slot::Value(value)
            } else {
                let address = self.new_variable(local);
                let access = self.access_of(source.locals[local].align, false);
                self.build(|b| b.store(address, value, access));
                Slot::Memory(address)
            };
            self.locals[index as usize] = Some(slot);
            self.debug_parameter(local, slot, attributes.by_value);
        }
        for _ in source.labels.ids() {
            let block = self.function.add_block();
            self.labels.push(block);
        }
        self.stmt(body);
        // Control reaches the end: legal for void functions, and for others as long as the
        // value is not used (C99 6.9.1).
        let result = self.function.result;
        self.debug_anchor();
        self.build(|b| {
            if result == TypePool::VOID {
                b.ret(None);
            } else {
                let value = b.undef(result);
                b.ret(Some(value));
            }
            b.finish();
        });
    }

    /// Images, samplers and pipes cannot be assigned, so a name for one needs no memory.
    pub fn is_opaque_value(&self, ty: TypeId) -> bool {
        matches!(
            self.cx.hir.types.get(ty),
            source::Type::Image(..) | source::Type::Sampler | source::Type::Pipe { .. }
        )
    }

    /// The memory of a local.
    pub fn new_variable(&mut self, local: LocalId) -> Value {
        let data = &self.source.locals[local];
        let ty = self.cx.lower_type(data.ty.ty);
        let align = data.align as u32;
        let saved = std::mem::replace(&mut self.span, data.span);
        let address = self.build(|b| b.variable(ty, align));
        self.span = saved;
        self.debug_memory(local, address);
        if let Some(name) = data.name {
            let name = self.cx.names.resolve(name).to_owned();
            self.function.value_names.insert(address, name);
        }
        address
    }

    /// The slot of a local; made when it is first met.
    pub fn slot(&mut self, local: LocalId) -> Slot {
        if let Some(slot) = self.locals[local.0 as usize] {
            return slot;
        }
        let slot = Slot::Memory(self.new_variable(local));
        self.locals[local.0 as usize] = Some(slot);
        slot
    }

    /// Appends instructions at the current position.
    pub fn build<R>(&mut self, append: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        let module = &mut self.cx.module;
        let mut builder =
            Builder::new(&mut module.types, &mut module.consts, &mut self.function, self.block);
        builder.location = Location { span: self.span, place: self.place };
        let contract = if self.contract { MathFlags::CONTRACT } else { 0 };
        builder.math = MathFlags(self.math | contract);
        let result = append(&mut builder);
        self.block = builder.block();
        result
    }

    pub fn value_type(&self, value: Value) -> Type {
        self.cx.module.value_type(&self.function, value)
    }

    pub fn new_block(&mut self) -> Block {
        self.function.add_block()
    }

    /// Goes on in `block`; the current block must have been ended.
    pub fn switch_to(&mut self, block: Block) {
        self.block = block;
    }

    /// Ends the current block with a jump and goes on in `block`.
    pub fn fall_into(&mut self, block: Block) {
        self.build(|b| b.jump(block, &[]));
        self.switch_to(block);
    }

    pub fn lower_type(&mut self, ty: TypeId) -> Type {
        self.cx.lower_type(ty)
    }

    pub fn types(&self) -> &'h source::TypeTable {
        &self.cx.hir.types
    }

    pub fn expr_data(&self, id: hir::ExprId) -> &'h hir::Expr {
        &self.cx.hir.exprs[id]
    }
}
