//! Copies functions from one module into another, with everything they reach.

use clc_base::Span;
use rustc_hash::FxHashMap;

use crate::function::OptionalSpan;
use crate::{
    Const, ConstId, FuncId, Function, Global, GlobalId, InstKind, Linkage, Module, StructData,
    StructId, Type, TypeKind, Value,
};

/// Copies `roots` of `from`, and the functions, globals, constants and types they need, to the end
/// of `into`; returns the new ids of the roots, in their order.
///
/// The copies have no source locations, for those of two modules mean different texts, and are not
/// visible outside: their linkage is [`Linkage::Internal`] unless they are declarations.
pub fn import(into: &mut Module, from: &Module, roots: &[FuncId]) -> Vec<FuncId> {
    let mut importer = Importer {
        into,
        from,
        types: FxHashMap::default(),
        structs: FxHashMap::default(),
        consts: FxHashMap::default(),
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        pending: Vec::new(),
    };
    let new = roots.iter().map(|&root| importer.function(root)).collect();
    while let Some((old, new)) = importer.pending.pop() {
        let body = importer.body(&importer.from.functions[old]);
        importer.into.functions[new] = body;
    }
    new
}

struct Importer<'a> {
    into: &'a mut Module,
    from: &'a Module,
    types: FxHashMap<Type, Type>,
    structs: FxHashMap<StructId, Type>,
    consts: FxHashMap<ConstId, Value>,
    globals: FxHashMap<GlobalId, GlobalId>,
    functions: FxHashMap<FuncId, FuncId>,
    /// Functions that have an id already, and whose bodies are to be copied.
    pending: Vec<(FuncId, FuncId)>,
}

impl Importer<'_> {
    fn ty(&mut self, old: Type) -> Type {
        if let Some(&new) = self.types.get(&old) {
            return new;
        }
        let kind = match self.from.types.kind(old) {
            TypeKind::Vector(element, count) => TypeKind::Vector(self.ty(element), count),
            TypeKind::Array(element, len) => TypeKind::Array(self.ty(element), len),
            TypeKind::Pointer { pointee, class } => {
                TypeKind::Pointer { pointee: self.ty(pointee), class }
            }
            TypeKind::Struct(id) => return self.struct_type(id),
            kind @ (TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Image(_)
            | TypeKind::Sampler
            | TypeKind::Event
            | TypeKind::DeviceEvent
            | TypeKind::Queue
            | TypeKind::ReserveId
            | TypeKind::NdRange
            | TypeKind::Pipe(_)) => kind,
        };
        let new = self.into.types.intern(kind);
        self.types.insert(old, new);
        new
    }

    /// Not in `types`: a struct that contains a pointer to itself needs its type before its body.
    fn struct_type(&mut self, old: StructId) -> Type {
        if let Some(&new) = self.structs.get(&old) {
            return new;
        }
        let (id, ty) = self.into.types.declare_struct();
        self.structs.insert(old, ty);
        let data = self.from.types.struct_data(old);
        let fields = data.fields.iter().map(|&field| self.ty(field)).collect();
        self.into.types.set_struct(id, StructData { fields, ..data.clone() });
        ty
    }

    fn constant(&mut self, old: ConstId) -> Value {
        if let Some(&new) = self.consts.get(&old) {
            return new;
        }
        let constant = match self.from.consts.get(old) {
            Const::Undef(ty) => Const::Undef(self.ty(*ty)),
            Const::Null(ty) => Const::Null(self.ty(*ty)),
            Const::Bool(value) => Const::Bool(*value),
            Const::Int(ty, bits) => Const::Int(self.ty(*ty), *bits),
            Const::Float(ty, bits) => Const::Float(self.ty(*ty), *bits),
            Const::Composite(ty, parts) => {
                let parts = parts.iter().map(|&part| self.value(part)).collect();
                Const::Composite(self.ty(*ty), parts)
            }
            Const::GlobalAddress(ty, global) => {
                Const::GlobalAddress(self.ty(*ty), self.global(*global))
            }
            Const::FunctionAddress(ty, function) => {
                Const::FunctionAddress(self.ty(*ty), self.function(*function))
            }
            Const::Sampler(ty, bits) => Const::Sampler(self.ty(*ty), *bits),
            Const::Descriptor { ty, set, binding } => {
                Const::Descriptor { ty: self.ty(*ty), set: *set, binding: *binding }
            }
            Const::Spec { ty, id, default } => {
                Const::Spec { ty: self.ty(*ty), id: *id, default: *default }
            }
            Const::Access { ty, base, step, indices } => Const::Access {
                ty: self.ty(*ty),
                base: self.value(*base),
                step: *step,
                indices: indices.iter().map(|&index| self.value(index)).collect(),
            },
            Const::Cast { ty, operand } => {
                Const::Cast { ty: self.ty(*ty), operand: self.value(*operand) }
            }
        };
        let new = self.into.consts.intern(constant);
        self.consts.insert(old, new);
        new
    }

    /// Values of functions keep their numbers.
    fn value(&mut self, old: Value) -> Value {
        old.as_const().map_or(old, |id| self.constant(id))
    }

    fn global(&mut self, old: GlobalId) -> GlobalId {
        if let Some(&new) = self.globals.get(&old) {
            return new;
        }
        let source = &self.from.globals[old];
        let global = Global {
            ty: self.ty(source.ty),
            initializer: None,
            linkage: internal(source.linkage),
            span: Span::NONE,
            ..source.clone()
        };
        let new = self.into.globals.push(global);
        // Before the initialiser, which may contain the variable's address.
        self.globals.insert(old, new);
        let initializer = source.initializer.map(|value| self.value(value));
        self.into.globals[new].initializer = initializer;
        new
    }

    fn function(&mut self, old: FuncId) -> FuncId {
        if let Some(&new) = self.functions.get(&old) {
            return new;
        }
        let source = &self.from.functions[old];
        let result = self.ty(source.result);
        let new = self.into.functions.push(Function::new(source.name.clone(), result));
        self.functions.insert(old, new);
        self.pending.push((old, new));
        new
    }

    fn body(&mut self, source: &Function) -> Function {
        let mut function = source.clone();
        function.linkage = internal(source.linkage);
        function.span = Span::NONE;
        function.result = self.ty(source.result);
        for ty in &mut function.params {
            *ty = self.ty(*ty);
        }
        for value in &mut function.values {
            value.ty = self.ty(value.ty);
        }
        // Instructions that are in no block may name what is no more.
        let Function { layout, blocks, insts, .. } = &mut function;
        for &inst in layout.iter().flat_map(|&block| &blocks[block].insts) {
            let data = &mut insts[inst];
            data.span = Span::NONE;
            match &mut data.kind {
                InstKind::Variable { ty, align: _ } => *ty = self.ty(*ty),
                InstKind::Call { callee, arguments: _ } => *callee = self.function(*callee),
                InstKind::Binary { .. }
                | InstKind::Unary { .. }
                | InstKind::Compare { .. }
                | InstKind::Select { .. }
                | InstKind::Convert { .. }
                | InstKind::Load { .. }
                | InstKind::Store { .. }
                | InstKind::CopyMemory { .. }
                | InstKind::PtrAdd { .. }
                | InstKind::Access { .. }
                | InstKind::Extract { .. }
                | InstKind::Insert { .. }
                | InstKind::ExtractDynamic { .. }
                | InstKind::InsertDynamic { .. }
                | InstKind::Shuffle { .. }
                | InstKind::Construct { .. }
                | InstKind::Intrinsic { .. }
                | InstKind::AtomicLoad { .. }
                | InstKind::AtomicStore { .. }
                | InstKind::AtomicModify { .. }
                | InstKind::AtomicCompareExchange { .. }
                | InstKind::Fence(_)
                | InstKind::Barrier { .. }
                | InstKind::GenericTo { .. } => {}
            }
        }
        for block in function.blocks.values_mut() {
            block.span = OptionalSpan::default();
        }
        function.map_all_operands(|value| self.value(value));
        function
    }
}

fn internal(linkage: Linkage) -> Linkage {
    match linkage {
        Linkage::Internal | Linkage::Export => Linkage::Internal,
        Linkage::Import => Linkage::Import,
    }
}
