//! Copies functions from one module into another, with everything they reach.

use clc_base::Span;
use clc_base::arena::Id as _;
use rustc_hash::FxHashMap;

use crate::debug::Location;
use crate::{
    Const, ConstId, FuncId, Function, Global, GlobalId, InstKind, Linkage, MatrixType, Module,
    StructData, StructId, Type, TypeKind, Value,
};

/// Copies `roots` of `from`, and the functions, globals, constants and types they need, to the end
/// of `into`; returns the new ids of the roots, in their order.
///
/// The copies have no source locations, for those of two modules mean different texts, and are not
/// visible outside: their linkage is [`Linkage::Internal`] unless they are declarations.
pub fn import(into: &mut Module, from: &Module, roots: &[FuncId]) -> Vec<FuncId> {
    let mut importer = Importer { into, from, known: Known::default(), names: None };
    let new = roots.iter().map(|&root| importer.function(root)).collect();
    importer.bodies();
    new
}

/// What of a module has been copied.
#[derive(Clone, Default)]
pub(crate) struct Known {
    types: FxHashMap<Type, Type>,
    structs: FxHashMap<StructId, Type>,
    consts: FxHashMap<ConstId, Value>,
    globals: FxHashMap<GlobalId, GlobalId>,
    functions: FxHashMap<FuncId, FuncId>,
    /// Functions that have an id already, and whose bodies are to be copied.
    pending: Vec<(FuncId, FuncId)>,
}

/// Copies what modules have together: what one imports, another may export.
pub(crate) trait Names {
    /// The function in the place of an imported one.
    fn function(&self, name: &str) -> Option<FuncId>;
    /// The variable in the place of an imported one.
    fn global(&self, name: &str) -> Option<GlobalId>;
    /// What becomes of the linkage of what is defined.
    fn linkage(&self, old: Linkage) -> Linkage;
}

pub(crate) struct Importer<'a> {
    pub into: &'a mut Module,
    pub from: &'a Module,
    pub known: Known,
    /// For the linker; otherwise what is imported stays so, and nothing is exported.
    pub names: Option<&'a dyn Names>,
}

impl Importer<'_> {
    /// Copies the bodies of functions that have an id, and of those that they call.
    pub fn bodies(&mut self) {
        while let Some((old, new)) = self.known.pending.pop() {
            let body = self.body(&self.from.functions[old]);
            self.into.functions[new] = body;
        }
    }

    pub fn ty(&mut self, old: Type) -> Type {
        if let Some(&new) = self.known.types.get(&old) {
            return new;
        }
        let kind = match self.from.types.kind(old) {
            TypeKind::Vector(element, count) => TypeKind::Vector(self.ty(element), count),
            TypeKind::Array(element, len) => TypeKind::Array(self.ty(element), len),
            TypeKind::Pointer { pointee, class } => {
                TypeKind::Pointer { pointee: self.ty(pointee), class }
            }
            TypeKind::Struct(id) => return self.struct_type(id),
            TypeKind::Matrix(matrix) => {
                TypeKind::Matrix(MatrixType { element: self.ty(matrix.element), ..matrix })
            }
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
        self.known.types.insert(old, new);
        new
    }

    /// Not in `types`: a struct that contains a pointer to itself needs its type before its body.
    fn struct_type(&mut self, old: StructId) -> Type {
        if let Some(&new) = self.known.structs.get(&old) {
            return new;
        }
        if self.names.is_some()
            && let Some(ty) = self.equal_struct(old)
        {
            return ty;
        }
        let (id, ty) = self.into.types.declare_struct();
        self.known.structs.insert(old, ty);
        let data = self.from.types.struct_data(old);
        let fields = data.fields.iter().map(|&field| self.ty(field)).collect();
        self.into.types.set_struct(id, StructData { fields, ..data.clone() });
        ty
    }

    /// A struct of another module that is the same as one of this, as far as both are followed.
    fn equal_struct(&mut self, old: StructId) -> Option<Type> {
        let data = self.from.types.struct_data(old);
        let complete: Vec<Option<&StructData>> =
            self.into.types.structs().map(|(_, data)| data).collect();
        let candidates: Vec<(Type, StructData)> = self
            .into
            .types
            .iter()
            .filter_map(|(ty, kind)| match kind {
                TypeKind::Struct(id) => Some((ty, complete[id.index()]?.clone())),
                _ => None,
            })
            .filter(|(_, other)| {
                other.name == data.name
                    && other.size == data.size
                    && other.align == data.align
                    && other.packed == data.packed
                    && other.offsets == data.offsets
                    && other.field_names == data.field_names
            })
            .collect();
        for (ty, other) in candidates {
            // Structs that point to themselves are equal if they are on the assumption that they are.
            let before = self.known.clone();
            self.known.structs.insert(old, ty);
            let fields: Vec<Type> = data.fields.iter().map(|&field| self.ty(field)).collect();
            if fields == other.fields {
                return Some(ty);
            }
            self.known = before;
        }
        None
    }

    fn constant(&mut self, old: ConstId) -> Value {
        if let Some(&new) = self.known.consts.get(&old) {
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
                let (ty, global) = (self.ty(*ty), self.global(*global));
                let Global { ty: defined, class, .. } = self.into.globals[global];
                let own = self.into.types.pointer(defined, class);
                let address = Const::GlobalAddress(own, global);
                if own == ty {
                    address
                } else {
                    // Declared as an array of unknown length.
                    Const::Cast { ty, operand: self.into.consts.intern(address) }
                }
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
        self.known.consts.insert(old, new);
        new
    }

    /// Values of functions keep their numbers.
    fn value(&mut self, old: Value) -> Value {
        old.as_const().map_or(old, |id| self.constant(id))
    }

    fn global(&mut self, old: GlobalId) -> GlobalId {
        if let Some(&new) = self.known.globals.get(&old) {
            return new;
        }
        let source = &self.from.globals[old];
        if source.linkage == Linkage::Import
            && let Some(new) = self.names.and_then(|names| names.global(&source.name))
        {
            self.known.globals.insert(old, new);
            return new;
        }
        let new = self.declare_global(old);
        // The variable has its id by now, for the initialiser may contain its address.
        self.initialize(old, new);
        new
    }

    /// Copies a variable without its initialiser.
    pub fn declare_global(&mut self, old: GlobalId) -> GlobalId {
        let source = &self.from.globals[old];
        let global = Global {
            ty: self.ty(source.ty),
            initializer: None,
            linkage: self.linkage(source.linkage),
            span: Span::NONE,
            ..source.clone()
        };
        let new = self.into.globals.push(global);
        self.known.globals.insert(old, new);
        new
    }

    /// Copies the initialiser of a variable.
    pub fn initialize(&mut self, old: GlobalId, new: GlobalId) {
        let initializer = self.from.globals[old].initializer.map(|value| self.value(value));
        self.into.globals[new].initializer = initializer;
    }

    pub fn function(&mut self, old: FuncId) -> FuncId {
        if let Some(&new) = self.known.functions.get(&old) {
            return new;
        }
        let source = &self.from.functions[old];
        if source.linkage == Linkage::Import
            && let Some(new) = self.names.and_then(|names| names.function(&source.name))
        {
            self.known.functions.insert(old, new);
            return new;
        }
        let result = self.ty(source.result);
        let new = self.into.functions.push(Function::new(source.name.clone(), result));
        self.known.functions.insert(old, new);
        self.known.pending.push((old, new));
        new
    }

    fn body(&mut self, source: &Function) -> Function {
        let mut function = source.clone();
        function.linkage = self.linkage(source.linkage);
        function.span = Span::NONE;
        function.debug = None;
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
            data.location = Location::NONE;
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
            block.location = Location::NONE;
        }
        function.map_all_operands(|value| self.value(value));
        function
    }
}

impl Importer<'_> {
    fn linkage(&self, old: Linkage) -> Linkage {
        match (old, self.names) {
            (Linkage::Import, _) => Linkage::Import,
            (_, Some(names)) => names.linkage(old),
            (Linkage::Internal | Linkage::Export, None) => Linkage::Internal,
        }
    }
}
