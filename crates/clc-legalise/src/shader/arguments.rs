//! Kernels take their arguments from one block of memory, the push constants or a buffer, and have
//! no parameters afterwards. What else only the host knows (the addresses of program-scope
//! variables, the global offset) is in that block, too; the kernel's entry keeps it in Private
//! variables, where functions find it.

use clc_base::{Diagnostic, Span};
use clc_ir::{
    Builder, Const, ConvertOp, FuncId, Function, Global, GlobalId, Inst, InstKind, Linkage,
    MemoryAccess, Module, StorageClass, Type, TypeKind, TypePool, Value,
};

use rustc_hash::FxHashMap;

use super::LocalArgument;
use super::block_reader::{Home, Reader};
use super::host_values::{HostValues, Told};
use super::images::{About, Images, Question};
use super::private;
use super::push_constants::{self, Blocks, Member};
use super::required_sizes::RequiredSizes;
use crate::TargetOptions;
use crate::diagnostics::E0708;
use crate::reflection::{Argument, ArgumentKind, Binding, Implicit, Kernel, WorkGroupSize};

/// An error: the target has no `what` yet.
pub(super) fn lacking(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&E0708, span, format!("{what} cannot be compiled for Vulkan yet"))
        .at("not available on Vulkan")
        .help("compile for an OpenCL driver (`--target-env=opencl3.0`), or avoid it")
}

/// A variable of each work-item, for the entry to fill.
pub(super) fn private(module: &mut Module, name: &str, ty: Type) -> GlobalId {
    let align = module.types.align(ty) as u32;
    module.globals.push(private::variable(name.to_owned(), ty, align))
}

/// What the kernels of a module ask the host for.
#[derive(Clone, Copy)]
pub(super) struct AskedFor<'m> {
    /// The variables for the addresses of program-scope data.
    pub bases: &'m [GlobalId],
    pub values: &'m HostValues,
    pub images: &'m Images,
}

/// The entry of one kernel.
pub(super) struct Entry<'m> {
    pub module: &'m mut Module,
    kernel: FuncId,
    /// Bytes that can be pushed.
    pub limit: u32,
    work_group_size: WorkGroupSize,
    pub asked: AskedFor<'m>,
    /// The next specialization constant for a `local` argument.
    pub next_constant: u32,
    /// In ascending order of their offsets.
    members: Vec<Member>,
    /// The first members, which are pushed in any case.
    always_pushed: usize,
    /// Where the other members are if they cannot be pushed.
    pub overflow: Overflow,
    size: u32,
    /// The members that make up a parameter, or the address of `local` memory.
    sources: Vec<Source>,
    pub implicit: Vec<Implicit>,
    /// Where the entry puts what it reads.
    filled: Vec<Filled>,
    locals: Vec<LocalArgument>,
}

/// Where members are that are too many to push.
#[derive(Clone, Copy, Debug)]
pub(super) enum Overflow {
    /// In a buffer, whose address is pushed in their place.
    Address,
    /// In a uniform buffer.
    Uniform(Binding),
}

/// A Private variable that only entries write.
#[derive(Clone, Copy)]
struct Filled {
    source: Source,
    ty: Type,
    global: GlobalId,
    /// Nothing but the kernel itself reads it, or will.
    is_own: bool,
}

#[derive(Clone, Copy)]
pub(super) enum Source {
    /// One member, which is the value itself, or its address.
    Member(usize),
    /// 32-bit words, from this member on.
    Words(usize),
    /// A vector, whose components are members, from this one on.
    Components(usize),
    Local(GlobalId),
    /// Nothing reads it: an image or a sampler, which is a descriptor.
    Nothing,
}

impl<'m> Entry<'m> {
    pub fn new(
        module: &'m mut Module,
        kernel: FuncId,
        options: &TargetOptions,
        asked: AskedFor<'m>,
        sizes: &RequiredSizes,
        next_constant: u32,
    ) -> Entry<'m> {
        let entry = module.functions[kernel].entry_point.as_deref();
        let work_group_size = sizes.of(entry.map_or("", |entry| &entry.name));
        Entry {
            module,
            kernel,
            limit: options.max_push_constant_size,
            work_group_size,
            asked,
            next_constant,
            members: Vec::new(),
            always_pushed: 0,
            overflow: Overflow::Address,
            size: 0,
            sources: Vec::new(),
            implicit: Vec::new(),
            filled: Vec::new(),
            locals: Vec::new(),
        }
    }

    /// Bytes of all members.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Where the kernel is in the source.
    pub fn span(&self) -> Span {
        self.module.functions[self.kernel].span
    }

    /// What the kernel asks the host for.
    pub fn told(&self) -> impl Iterator<Item = Told> + use<'m> {
        self.asked.values.told(self.kernel)
    }

    /// The entry puts what it reads from `source` into a variable; if `is_own`, nothing but the kernel
    /// reads that.
    pub fn fill(&mut self, source: Source, ty: Type, global: GlobalId, is_own: bool) {
        self.filled.push(Filled { source, ty, global, is_own });
    }

    /// Adds a member at an offset, behind all others; its number.
    pub fn member_at(&mut self, offset: u32, ty: Type) -> usize {
        self.members.push(Member { offset, ty });
        self.size = offset + self.module.types.size(ty) as u32;
        self.members.len() - 1
    }

    /// All members so far are pushed in any case; the others begin after `size` bytes.
    pub fn reserve(&mut self, size: u32) {
        self.always_pushed = self.members.len();
        self.size = size;
    }

    /// Adds a member at the next offset that suits `ty`; its number, and the offset.
    pub fn member(&mut self, ty: Type) -> (usize, u32) {
        let align = self.module.types.align(ty).max(4) as u32;
        let offset = self.size.next_multiple_of(align);
        (self.member_at(offset, ty), offset)
    }

    /// Whether a value of this type is a member as it is. Smaller numbers would need features for
    /// small types in push constants; larger ones have no form in registers.
    fn is_direct(&self, ty: Type) -> bool {
        match self.module.types.kind(ty) {
            TypeKind::Int(bits) | TypeKind::Float(bits) => bits >= 32,
            TypeKind::Vector(element, lanes) => lanes <= 4 && self.is_direct(element),
            _ => false,
        }
    }

    /// Gives each parameter a place.
    pub fn arguments(&mut self) -> Result<Vec<Argument>, Vec<Diagnostic>> {
        let function = &self.module.functions[self.kernel];
        let span = function.span;
        let params = function.params.clone();
        let attributes = function.param_attributes.clone();
        let names = function.param_names.clone();
        let described = function.entry_point.as_deref().map(|entry| entry.arguments.clone());
        let mut arguments = Vec::new();
        let mut errors = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let by_value = attributes.get(index).is_some_and(|attributes| attributes.by_value);
            let (source, kind) = match self.module.types.kind(ty) {
                TypeKind::Pointer { pointee, class: StorageClass::Function } if by_value => {
                    self.value(pointee)
                }
                TypeKind::Pointer {
                    class: class @ (StorageClass::CrossWorkgroup | StorageClass::UniformConstant),
                    ..
                } => {
                    let (member, offset) = self.member(TypePool::I64);
                    let constant = class == StorageClass::UniformConstant;
                    (Source::Member(member), ArgumentKind::Buffer { constant, offset })
                }
                TypeKind::Pointer { pointee, class: StorageClass::Workgroup } => {
                    let name = names.get(index).map_or("", String::as_str);
                    let constant = self.next_constant;
                    self.next_constant += 1;
                    let global = self.local(name, pointee, constant);
                    let element_size = self.module.types.size(pointee) as u32;
                    (Source::Local(global), ArgumentKind::Local { constant, element_size })
                }
                TypeKind::Int(_)
                | TypeKind::Float(_)
                | TypeKind::Vector(..)
                | TypeKind::Array(..)
                | TypeKind::Struct(_) => self.value(ty),
                _ => match self.asked.images.arguments.get(&(self.kernel, index as u32)) {
                    Some(&kind) => (Source::Nothing, kind),
                    None => {
                        errors.push(lacking(span, "a kernel with an argument of this type"));
                        continue;
                    }
                },
            };
            self.sources.push(source);
            let described = described.as_ref().and_then(|arguments| arguments.get(index));
            arguments.push(Argument {
                name: described.map_or_else(String::new, |argument| argument.name.clone()),
                type_name: described
                    .map_or_else(String::new, |argument| argument.type_name.clone()),
                type_qualifiers: described
                    .map_or_else(String::new, |argument| argument.type_qualifiers.clone()),
                kind,
            });
        }
        if errors.is_empty() { Ok(arguments) } else { Err(errors) }
    }

    fn value(&mut self, ty: Type) -> (Source, ArgumentKind) {
        let size = self.module.types.size(ty) as u32;
        if self.is_direct(ty) {
            let (member, offset) = self.member(ty);
            return (Source::Member(member), ArgumentKind::Value { offset, size });
        }
        self.size = self.size.next_multiple_of(self.module.types.align(ty).max(4) as u32);
        let offset = self.size;
        let first = self.members.len();
        for _ in 0..size.div_ceil(4) {
            self.member(TypePool::I32);
        }
        (Source::Words(first), ArgumentKind::Value { offset, size })
    }

    fn local(&mut self, name: &str, pointee: Type, constant: u32) -> GlobalId {
        let ty = self.module.types.array(pointee, 1);
        let align = self.module.types.align(pointee) as u32;
        let global = self.module.globals.push(Global {
            name: name.to_owned(),
            ty,
            class: StorageClass::Workgroup,
            initializer: None,
            align,
            is_const: false,
            linkage: Linkage::Internal,
            span: Span::NONE,
        });
        self.locals.push(LocalArgument { global, element: pointee, constant });
        global
    }

    /// Adds what the host tells about images and samplers.
    pub fn questions(&mut self) {
        for &Question { kernel, argument, about, variable } in &self.asked.images.questions {
            if kernel != self.kernel {
                continue;
            }
            let (member, offset) = self.member(TypePool::I32);
            self.implicit.push(match about {
                About::ChannelOrder => Implicit::ImageChannelOrder { argument, offset },
                About::ChannelDataType => Implicit::ImageChannelDataType { argument, offset },
                About::Query(query) => Implicit::ImageQuery { query, argument, offset },
                About::SamplerBits => Implicit::SamplerBits { argument, offset },
            });
            self.fill(Source::Member(member), TypePool::I32, variable, true);
        }
    }

    /// Writes the reads of the block at the head of the kernel, in place of its parameters.
    pub fn finish(self, arguments: Vec<Argument>, blocks: &mut Blocks) -> Finished {
        let Entry { module, kernel, members, limit, always_pushed, .. } = self;
        let block_size = self.size.next_multiple_of(4);
        let overflow = (block_size > limit).then_some(self.overflow);
        let mut pushed = members.clone();
        let mut uniform = None;
        match overflow {
            None => {}
            Some(Overflow::Address) => pushed = vec![Member { offset: 0, ty: TypePool::I64 }],
            Some(Overflow::Uniform(binding)) => {
                let others = pushed.split_off(always_pushed);
                let class = StorageClass::Uniform;
                uniform = push_constants::variable(module, class, others, blocks)
                    .map(|variable| (variable, binding));
            }
        }
        let block = push_constants::variable(module, StorageClass::PushConstant, pushed, blocks);
        let Module { types, consts, functions, .. } = &mut *module;
        let function = &mut functions[kernel];
        let span = function.span;
        let scratch = function.add_block();
        let mut builder = Builder::new(types, consts, function, scratch);
        builder.location = span.into();
        let mut reader = Reader {
            builder: &mut builder,
            block,
            members: &members,
            always_pushed,
            home: Home::Pushed,
        };
        match (overflow, uniform) {
            (Some(Overflow::Address), _) => {
                reader.home = Home::Address(reader.pushed(0, TypePool::I64, 8));
            }
            (_, Some((variable, _))) => reader.home = Home::Uniform(variable),
            (_, None) => {}
        }
        let entry = reader.builder.function.entry();
        let params = std::mem::take(&mut reader.builder.function.blocks[entry].params);
        let mut replacements = FxHashMap::default();
        let mut variables = Vec::new();
        for (&param, &source) in params.iter().zip(&self.sources) {
            let ty = reader.builder.ty(param);
            let value = match source {
                Source::Local(global) => {
                    let element =
                        reader.builder.types.pointer_parts(ty).map_or(ty, |parts| parts.0);
                    let array = reader.builder.types.array(element, 1);
                    let pointer = reader.builder.types.pointer(array, StorageClass::Workgroup);
                    let base = reader.builder.consts.intern(Const::GlobalAddress(pointer, global));
                    let zero = reader.builder.i32(0);
                    reader.builder.consts.intern(Const::Access {
                        ty,
                        base,
                        step: 0,
                        indices: [zero].into(),
                    })
                }
                Source::Member(member) if reader.builder.types.is_pointer(ty) => {
                    let (pointee, class) = reader
                        .builder
                        .types
                        .pointer_parts(ty)
                        .unwrap_or((ty, StorageClass::Function));
                    if class == StorageClass::Function {
                        // The kernel's own copy of a value.
                        let value = reader.member(member);
                        reader.copy(pointee, value, &mut variables)
                    } else {
                        let address = reader.member(member);
                        reader.builder.convert(ConvertOp::IntToPtr, address, ty)
                    }
                }
                Source::Member(member) => reader.member(member),
                Source::Components(first) => reader.components(first, ty),
                Source::Nothing => reader.builder.undef(ty),
                Source::Words(first) => match reader.builder.types.pointer_parts(ty) {
                    Some((pointee, StorageClass::Function)) => {
                        let value = reader.words(first, 0, pointee);
                        reader.copy(pointee, value, &mut variables)
                    }
                    _ => reader.words(first, 0, ty),
                },
            };
            replacements.insert(param, value);
        }
        let mut contents = FxHashMap::default();
        for &Filled { source, ty, global, is_own } in &self.filled {
            let value = match source {
                Source::Member(member) => reader.member(member),
                Source::Words(first) => reader.words(first, 0, ty),
                Source::Components(first) => reader.components(first, ty),
                Source::Local(_) | Source::Nothing => continue,
            };
            let pointer = reader.builder.types.pointer(ty, StorageClass::Private);
            let pointer = reader.builder.consts.intern(Const::GlobalAddress(pointer, global));
            contents.insert(pointer, value);
            if !is_own {
                let align = reader.builder.types.align(ty) as u32;
                reader.builder.store(pointer, value, MemoryAccess::aligned(align));
            }
        }
        replace_loads(function, &contents, &mut replacements);
        let insts = std::mem::take(&mut function.blocks[scratch].insts);
        function.layout.pop();
        insert_at_head(function, variables, insts);
        function.map_all_operands(|value| replacements.get(&value).copied().unwrap_or(value));
        function.params.clear();
        function.param_names.clear();
        function.param_attributes.clear();
        let entry = function.entry_point.as_deref();
        let kernel = Kernel {
            name: entry.map_or_else(String::new, |entry| entry.name.clone()),
            work_group_size: self.work_group_size,
            block_size,
            block_in_buffer: matches!(overflow, Some(Overflow::Address)),
            arguments,
            implicit: self.implicit,
            local_memory: 0,
            local_memory_per_item: 0,
            sub_groups: false,
            sub_group_size: entry.and_then(|entry| entry.sub_group_size),
        };
        (kernel, self.locals, uniform.map(|((global, _), binding)| (global, binding)))
    }
}

/// A kernel, its `local` arguments, and the uniform buffer that its other arguments are in.
pub(super) type Finished = (Kernel, Vec<LocalArgument>, Option<(GlobalId, Binding)>);

/// Takes out the loads of the variables at these addresses, whose contents are known.
fn replace_loads(
    function: &mut Function,
    contents: &FxHashMap<Value, Value>,
    replacements: &mut FxHashMap<Value, Value>,
) {
    let Function { layout, blocks, insts, .. } = function;
    for &block in layout.iter() {
        blocks[block].insts.retain(|&inst| {
            let InstKind::Load { pointer, .. } = insts[inst].kind else { return true };
            let (Some(&value), Some(result)) = (contents.get(&pointer), insts[inst].result) else {
                return true;
            };
            replacements.insert(result, value);
            false
        });
    }
}

/// Puts instructions behind the variables of the entry block.
pub(super) fn insert_at_head(function: &mut Function, variables: Vec<Inst>, insts: Vec<Inst>) {
    let entry = function.entry();
    let old = std::mem::take(&mut function.blocks[entry].insts);
    let is_variable = |inst: &Inst| matches!(function.insts[*inst].kind, InstKind::Variable { .. });
    let split = old.iter().position(|inst| !is_variable(inst)).unwrap_or(old.len());
    let mut all = variables;
    all.extend_from_slice(&old[..split]);
    all.extend(insts);
    all.extend_from_slice(&old[split..]);
    function.blocks[entry].insts = all;
}
