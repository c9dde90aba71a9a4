//! What the source says of kernels' arguments and a module does not: names whatever is stripped, types
//! with the sign of integers, structs as they were declared.

use clc_base::{AddressSpace, Interner};
use clc_sema::hir;
use clc_sema::types::{QualType, RecordId, Type as SourceType, TypeId, TypeTable};
use clc_spirv::reflect::{
    Argument, ArgumentKind, Member, ModuleDescription, Scalar, Struct, Type, TypeKind,
};
use rustc_hash::FxHashMap;

/// Levels of pointers that are described.
const MOST_LEVELS: usize = 16;

/// The kernels of a source.
pub(crate) struct SourceKernels {
    pub kernels: FxHashMap<String, SourceKernel>,
    pub structs: Vec<Struct>,
    /// By number: name and type of each specialization constant.
    pub constants: FxHashMap<u32, (String, Type)>,
}

pub(crate) struct SourceKernel {
    pub arguments: Vec<Argument>,
    /// Of attributes that shaders do not keep, and of which others do not keep the sign.
    pub work_group_size_hint: Option<[u32; 3]>,
    pub vec_type_hint: Option<String>,
    pub sub_group_size: Option<u32>,
}

impl SourceKernels {
    pub fn of(module: &hir::Module, interner: &Interner) -> SourceKernels {
        let mut describer = Describer {
            types: &module.types,
            interner,
            records: Vec::new(),
            indices: FxHashMap::default(),
        };
        let mut kernels = FxHashMap::default();
        for function in module.functions.values() {
            let Some(kernel) = function.kernel.as_deref().filter(|_| function.body.is_some())
            else {
                continue;
            };
            let parameters = function.locals.values().take(function.param_count as usize);
            let described = parameters.zip(&kernel.arguments).map(|(parameter, known)| {
                let name = parameter.name.map_or("", |name| interner.resolve(name));
                Argument {
                    name: name.to_owned(),
                    type_name: known.type_name.clone(),
                    type_qualifiers: known.type_qualifiers.clone(),
                    kind: kind_of(module.types.get(parameter.ty.ty)),
                    address_space: Some(known.address_space),
                    access: known.access,
                    ty: describer.describe(parameter.ty.ty, 0),
                    place: None,
                }
            });
            let arguments = described.collect();
            let found = SourceKernel {
                arguments,
                work_group_size_hint: kernel.work_group_size_hint,
                vec_type_hint: kernel.vec_type_hint.map(|ty| {
                    // A scalar or a vector of them: no struct is named.
                    ModuleDescription::default().type_text(&describer.describe(ty, 0))
                }),
                sub_group_size: kernel.sub_group_size,
            };
            kernels.insert(interner.resolve(function.name).to_owned(), found);
        }
        let constants = module.spec_constants.iter().map(|constant| {
            let name = constant.name.map_or("", |name| interner.resolve(name));
            (constant.number, (name.to_owned(), describer.describe(constant.ty, 0)))
        });
        let constants = constants.collect();
        let structs = describer.structs();
        SourceKernels { kernels, structs, constants }
    }

    /// Says of the kernels of a module what the source says of them.
    pub fn apply(mut self, description: &mut ModuleDescription) {
        for constant in &mut description.specialization_constants {
            let Some((name, ty)) = self.constants.remove(&constant.id) else { continue };
            constant.name = name;
            // A `bool` has the size that the API asks for.
            constant.ty.kind = ty.kind;
        }
        let mut has_others = false;
        let mut kernels = std::mem::take(&mut description.kernels);
        for kernel in &mut kernels {
            match self.kernels.remove(&kernel.name) {
                Some(found) => {
                    kernel.arguments = found.arguments;
                    kernel.arguments_known = true;
                    kernel.work_group_size_hint = found.work_group_size_hint;
                    kernel.vec_type_hint = found.vec_type_hint;
                    kernel.sub_group_size = found.sub_group_size;
                }
                None => has_others = true,
            }
            has_others |= !kernel.descriptors.is_empty() || kernel.push_constants.is_some();
        }
        description.kernels = kernels;
        if !has_others {
            description.structs = self.structs;
            return;
        }
        // The module's own come behind those of the source.
        let moved = self.structs.len();
        let mut others = std::mem::take(&mut description.structs);
        for member in others.iter_mut().flat_map(|record| &mut record.members) {
            renumber(&mut member.ty, moved);
        }
        for kernel in &mut description.kernels {
            let resources = kernel.descriptors.iter_mut().map(|descriptor| &mut descriptor.ty);
            resources.chain(&mut kernel.push_constants).for_each(|ty| renumber(ty, moved));
        }
        description.structs = self.structs;
        description.structs.append(&mut others);
    }
}

fn renumber(ty: &mut Type, by: usize) {
    match &mut ty.kind {
        TypeKind::Struct(index) => *index += by,
        TypeKind::Pointer { pointee: Some(pointee), .. } => renumber(pointee, by),
        TypeKind::Pointer { pointee: None, .. }
        | TypeKind::Void
        | TypeKind::Scalar(_)
        | TypeKind::Vector(..)
        | TypeKind::Opaque(_) => {}
    }
}

fn kind_of(ty: &SourceType) -> ArgumentKind {
    match ty {
        SourceType::Pointer { space: AddressSpace::Local, .. } => ArgumentKind::Local,
        SourceType::Pointer { .. } => ArgumentKind::Buffer,
        SourceType::Image(..) => ArgumentKind::Image,
        SourceType::Sampler => ArgumentKind::Sampler,
        SourceType::Pipe { .. } => ArgumentKind::Pipe,
        SourceType::Queue => ArgumentKind::Queue,
        SourceType::Void
        | SourceType::Function(_)
        | SourceType::Block(_)
        | SourceType::Event
        | SourceType::ClkEvent
        | SourceType::ReserveId
        | SourceType::Matrix(_)
        | SourceType::MatrixOfContext
        | SourceType::Error => ArgumentKind::Opaque,
        SourceType::Scalar(_)
        | SourceType::Vector(..)
        | SourceType::Array { .. }
        | SourceType::Record(_)
        | SourceType::Enum(_)
        | SourceType::NdRange
        | SourceType::Atomic(_)
        | SourceType::AtomicFlag => ArgumentKind::Value,
    }
}

struct Describer<'a> {
    types: &'a TypeTable,
    interner: &'a Interner,
    /// The records that were described or wait for it, by index.
    records: Vec<RecordId>,
    indices: FxHashMap<RecordId, usize>,
}

impl Describer<'_> {
    fn describe(&mut self, id: TypeId, level: usize) -> Type {
        let (mut dims, mut base) = (Vec::new(), id);
        while let SourceType::Array { element, len } = self.types.get(base) {
            dims.push(len.unwrap_or_default());
            base = element.ty;
        }
        let kind = self.kind(base, level);
        let (size, align) = match (&kind, self.types.size(id)) {
            (TypeKind::Opaque(name), size) if name == "ndrange_t" => {
                (size, Some(self.types.align(id)))
            }
            // The size of a handle is the driver's affair.
            (TypeKind::Opaque(_), _) | (_, None) => (None, None),
            (_, size) => (size, Some(self.types.align(id))),
        };
        Type { kind, dims, size, align }
    }

    fn kind(&mut self, id: TypeId, level: usize) -> TypeKind {
        let opaque = |name: &str| TypeKind::Opaque(name.to_owned());
        match self.types.get(id) {
            SourceType::Void => TypeKind::Void,
            SourceType::Scalar(scalar) | SourceType::Atomic(scalar) => TypeKind::Scalar(*scalar),
            SourceType::Vector(scalar, count) => TypeKind::Vector(*scalar, u32::from(*count)),
            SourceType::Enum(id) => TypeKind::Scalar(self.types.enums[*id].underlying),
            SourceType::AtomicFlag => TypeKind::Scalar(Scalar::Int),
            SourceType::Record(id) => TypeKind::Struct(self.index(*id)),
            SourceType::Pointer { pointee: QualType { ty, .. }, space } => {
                let (ty, space) = (*ty, *space);
                let pointee = (level < MOST_LEVELS).then(|| Box::new(self.describe(ty, level + 1)));
                TypeKind::Pointer { space, pointee }
            }
            SourceType::Image(kind, _) => opaque(kind.name()),
            SourceType::Sampler => opaque("sampler_t"),
            SourceType::Event => opaque("event_t"),
            SourceType::Queue => opaque("queue_t"),
            SourceType::ClkEvent => opaque("clk_event_t"),
            SourceType::ReserveId => opaque("reserve_id_t"),
            // Hosts see none.
            SourceType::Matrix(_) | SourceType::MatrixOfContext => opaque("coop_mat"),
            SourceType::NdRange => opaque("ndrange_t"),
            SourceType::Pipe { .. } => opaque("pipe"),
            SourceType::Array { .. } | SourceType::Function(_) | SourceType::Error => opaque("?"),
            SourceType::Block(_) => opaque("block"),
        }
    }

    /// The index of a struct, which is described later.
    fn index(&mut self, id: RecordId) -> usize {
        *self.indices.entry(id).or_insert_with(|| {
            self.records.push(id);
            self.records.len() - 1
        })
    }

    fn structs(&mut self) -> Vec<Struct> {
        let mut structs = Vec::new();
        while let Some(&id) = self.records.get(structs.len()) {
            structs.push(self.record(id));
        }
        structs
    }

    fn record(&mut self, id: RecordId) -> Struct {
        let (types, interner) = (self.types, self.interner);
        let record = &types.records[id];
        let name = record.tag.or(record.typedef_name).map_or("", |name| interner.resolve(name));
        let mut described = Struct {
            name: name.to_owned(),
            is_typedef: record.tag.is_none() && record.typedef_name.is_some(),
            is_union: record.is_union,
            ..Struct::default()
        };
        if let Some(body) = &record.body {
            described.size = Some(body.size);
            described.align = Some(body.align);
            described.members = body
                .fields
                .iter()
                .map(|field| Member {
                    name: field.name.map_or("", |name| interner.resolve(name)).to_owned(),
                    offset: Some(field.offset),
                    ty: self.describe(field.ty.ty, 0),
                })
                .collect();
        }
        described
    }
}
