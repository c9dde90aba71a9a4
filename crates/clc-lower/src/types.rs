//! Machine types of source types.
//!
//! The layout that semantic analysis computed is authoritative. A record becomes a struct with
//! explicit padding wherever natural alignment would give another layout, and is packed where
//! natural alignment would leave gaps that the source does not have.

use clc_base::{AddressSpace, Interner};
use clc_builtins::Scalar;
use clc_ir::{ImageType, MatrixType, StorageClass, StructData, StructId, Type, TypeKind, TypePool};
use clc_sema::types as source;
use clc_sema::types::{RecordId, TypeId, TypeTable};
use rustc_hash::FxHashMap;

/// The struct that stands for a record.
#[derive(Clone, Debug)]
pub(crate) struct RecordLayout {
    pub ty: Type,
    /// Index in the struct of each field of the record (padding shifts them); empty for unions.
    pub fields: Vec<u32>,
    pub is_union: bool,
}

/// The struct that a block's literal fills.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub ty: Type,
    /// Index in the struct and alignment of each capture.
    pub captures: Vec<(u32, u64)>,
    pub size: u64,
    pub align: u64,
}

/// Source types that were met so far.
#[derive(Default)]
pub(crate) struct TypeMap {
    types: FxHashMap<TypeId, Type>,
    records: FxHashMap<RecordId, RecordLayout>,
    /// Records that are pointed to from a record whose body is not known yet: theirs, which may
    /// contain that one, follow.
    announced: FxHashMap<RecordId, StructId>,
    /// The same in the order in which they were met.
    waiting: Vec<RecordId>,
    /// How many records are being defined.
    depth: u32,
    /// A type without a machine form was met: its name.
    pub unsupported: Option<&'static str>,
}

pub(crate) fn storage_class(space: AddressSpace) -> StorageClass {
    match space {
        AddressSpace::Private => StorageClass::Function,
        AddressSpace::Global => StorageClass::CrossWorkgroup,
        AddressSpace::Local => StorageClass::Workgroup,
        AddressSpace::Constant => StorageClass::UniformConstant,
        AddressSpace::Generic => StorageClass::Generic,
    }
}

/// `bool` has the form it has in memory, a byte that is 0 or 1.
pub(crate) fn scalar(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Bool | Scalar::Char | Scalar::UChar => TypePool::I8,
        Scalar::Short | Scalar::UShort => TypePool::I16,
        Scalar::Int | Scalar::UInt => TypePool::I32,
        Scalar::Long | Scalar::ULong => TypePool::I64,
        Scalar::Half => TypePool::F16,
        Scalar::Float => TypePool::F32,
        Scalar::Double => TypePool::F64,
    }
}

impl TypeMap {
    pub fn lower(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        names: &Interner,
        id: TypeId,
    ) -> Type {
        if let Some(&ty) = self.types.get(&id) {
            if let source::Type::Record(record) = table.get(id)
                && self.announced.contains_key(record)
            {
                // Its size is wanted now.
                self.define_record(pool, table, names, *record);
            }
            return ty;
        }
        let ty = match table.get(id) {
            source::Type::Void => TypePool::VOID,
            source::Type::Scalar(kind) | source::Type::Atomic(kind) => scalar(*kind),
            source::Type::AtomicFlag => TypePool::I32,
            source::Type::Vector(element, count) => pool.vector(scalar(*element), *count),
            source::Type::Enum(enumeration) => scalar(table.enums[*enumeration].underlying),
            source::Type::Pointer { pointee, space } => {
                let pointee = self.pointee(pool, table, names, pointee.ty);
                pool.pointer(pointee, storage_class(*space))
            }
            source::Type::Array { element, len } => {
                let element = self.lower(pool, table, names, element.ty);
                match len {
                    Some(0) => return self.unsupported("an array of length zero"),
                    Some(len) => pool.array(element, *len),
                    // Another part of the program defines it and knows its length. It is never
                    // copied whole; its elements are reached by pointers to them.
                    None => pool.array(element, 1),
                }
            }
            source::Type::Record(record) => self.record(pool, table, names, *record).ty,
            source::Type::Image(kind, access) => pool.intern(TypeKind::Image(ImageType {
                kind: *kind,
                access: *access,
                texel: None,
            })),
            source::Type::Sampler => pool.intern(TypeKind::Sampler),
            source::Type::Event => pool.intern(TypeKind::Event),
            source::Type::Queue => pool.intern(TypeKind::Queue),
            source::Type::ClkEvent => pool.intern(TypeKind::DeviceEvent),
            source::Type::ReserveId => pool.intern(TypeKind::ReserveId),
            source::Type::Pipe { access, .. } => pool.intern(TypeKind::Pipe(*access)),
            source::Type::NdRange => pool.intern(TypeKind::NdRange),
            source::Type::Matrix(matrix) => pool.intern(TypeKind::Matrix(MatrixType {
                element: scalar(matrix.element),
                is_signed: matrix.element.is_signed(),
                rows: matrix.rows,
                columns: matrix.columns,
                role: matrix.role,
            })),
            source::Type::MatrixOfContext => return self.unsupported("this"),
            // The address of what the block captured.
            source::Type::Block(_) => pool.pointer(TypePool::I8, StorageClass::Function),
            source::Type::Function(_) => return self.unsupported("a function as a value"),
            source::Type::Error => return self.unsupported("this"),
        };
        self.types.insert(id, ty);
        ty
    }

    fn unsupported(&mut self, what: &'static str) -> Type {
        self.unsupported.get_or_insert(what);
        TypePool::I32
    }

    /// What a pointer points to; `void`, incomplete types and functions are bytes.
    fn pointee(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        names: &Interner,
        id: TypeId,
    ) -> Type {
        match table.get(id) {
            source::Type::Void | source::Type::Function(_) => TypePool::I8,
            source::Type::Array { element, len: None | Some(0) } => {
                self.pointee(pool, table, names, element.ty)
            }
            source::Type::Record(record) if table.records[*record].body.is_none() => TypePool::I8,
            source::Type::Record(record)
                if self.depth > 0 && !self.records.contains_key(record) =>
            {
                self.waiting.push(*record);
                self.announce_record(pool, table, *record).1
            }
            source::Type::Record(record) if self.records.contains_key(record) => {
                self.records[record].ty
            }
            _ => self.lower(pool, table, names, id),
        }
    }

    /// The struct of a record; its body must be known.
    pub fn record(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        names: &Interner,
        id: RecordId,
    ) -> &RecordLayout {
        if !self.records.contains_key(&id) || self.announced.contains_key(&id) {
            self.define_record(pool, table, names, id);
        }
        &self.records[&id]
    }

    /// Gives a record its struct, without a body: something may point to it.
    fn announce_record(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        id: RecordId,
    ) -> (StructId, Type) {
        let (struct_id, ty) = pool.declare_struct();
        let is_union = table.records[id].is_union;
        self.records.insert(id, RecordLayout { ty, fields: Vec::new(), is_union });
        self.announced.insert(id, struct_id);
        (struct_id, ty)
    }

    fn define_record(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        names: &Interner,
        id: RecordId,
    ) {
        // Entered before the fields are lowered: they may point back here.
        let announced = self.announced.get(&id).copied();
        let struct_id = announced.unwrap_or_else(|| self.announce_record(pool, table, id).0);
        self.announced.remove(&id);
        self.depth += 1;
        self.define_struct(pool, table, names, id, struct_id);
        self.depth -= 1;
        while self.depth == 0
            && let Some(next) = self.waiting.pop()
        {
            if self.announced.contains_key(&next) {
                self.define_record(pool, table, names, next);
            }
        }
    }

    fn define_struct(
        &mut self,
        pool: &mut TypePool,
        table: &TypeTable,
        names: &Interner,
        id: RecordId,
        struct_id: StructId,
    ) {
        let record = &table.records[id];
        let is_union = record.is_union;
        let kind = if is_union { "union" } else { "struct" };
        let name = record
            .tag
            .map_or_else(|| format!("{kind}.anon"), |tag| format!("{kind}.{}", names.resolve(tag)));
        let Some(body) = &record.body else {
            self.unsupported("an incomplete type");
            pool.set_struct(struct_id, empty_struct(name));
            return;
        };
        let fields: Vec<(Type, u64, &str)> = body
            .fields
            .iter()
            .map(|field| {
                let ty = self.lower(pool, table, names, field.ty.ty);
                (ty, field.offset, field.name.map_or("", |name| names.resolve(name)))
            })
            .collect();
        let mut layout = StructLayout::new(pool);
        if is_union {
            // One field stands for all: the largest of those with the strictest alignment.
            let storage = fields
                .iter()
                .max_by_key(|&&(ty, _, _)| (layout.pool.align(ty), layout.pool.size(ty)));
            if let Some(&(ty, _, name)) = storage {
                let ty = without_gaps(layout.pool, ty);
                layout.field(ty, 0, name);
            }
            layout.packed = body.packed;
        } else {
            layout.packed = body.packed || layout.needs_packing(&fields, body.size);
            let indices =
                fields.iter().map(|&(ty, offset, name)| layout.field(ty, offset, name)).collect();
            self.records.get_mut(&id).expect("entered above").fields = indices;
        }
        layout.pad_to(body.size);
        let data = StructData { name, size: body.size, align: body.align, ..layout.finish() };
        pool.set_struct(struct_id, data);
    }
}

/// What stands for a member of a union: `ty`, or, where that has bytes that no component holds, a
/// type of the same size that has none. Another member may use these bytes, and a copy of the union
/// is a copy of all of them.
fn without_gaps(pool: &mut TypePool, ty: Type) -> Type {
    match pool.kind(ty) {
        // Three components take the room of four.
        TypeKind::Vector(element, 3) => pool.vector(element, 4),
        TypeKind::Array(element, len) => {
            let element = without_gaps(pool, element);
            pool.array(element, len)
        }
        TypeKind::Struct(_) if has_gaps(pool, ty) => {
            let bytes = pool.align(ty).min(8);
            let word = pool.int(bytes as u8 * 8);
            let words = pool.size(ty) / bytes;
            pool.array(word, words)
        }
        _ => ty,
    }
}

/// Whether there is a vector of three components in `ty`; other padding is made of fields.
fn has_gaps(pool: &TypePool, ty: Type) -> bool {
    match pool.kind(ty) {
        TypeKind::Vector(_, lanes) => lanes == 3,
        TypeKind::Array(element, _) => has_gaps(pool, element),
        TypeKind::Struct(id) => {
            pool.struct_data(id).fields.iter().any(|&field| has_gaps(pool, field))
        }
        _ => false,
    }
}

/// The struct of a block's context; fields come with alignments, and the first `header` of them
/// are no captures.
pub(crate) fn context_struct(
    pool: &mut TypePool,
    name: String,
    fields: &[(Type, u64, &str)],
    header: usize,
) -> Context {
    let (struct_id, ty) = pool.declare_struct();
    let mut layout = StructLayout::new(pool);
    let mut captures = Vec::with_capacity(fields.len());
    let mut greatest = 1;
    for (position, &(ty, align, name)) in fields.iter().enumerate() {
        let offset = layout.cursor.next_multiple_of(align.max(layout.pool.natural_align(ty)));
        greatest = greatest.max(align);
        let index = layout.field(ty, offset, name);
        if position >= header {
            captures.push((index, align));
        }
    }
    let size = layout.cursor.next_multiple_of(greatest);
    layout.pad_to(size);
    let data = StructData { name, size, align: greatest, ..layout.finish() };
    pool.set_struct(struct_id, data);
    Context { ty, captures, size, align: greatest }
}

fn empty_struct(name: String) -> StructData {
    StructData {
        name,
        fields: Vec::new(),
        field_names: Vec::new(),
        offsets: Vec::new(),
        size: 0,
        align: 1,
        packed: false,
    }
}

/// Lays fields out one after the other, with padding fields in between.
struct StructLayout<'a> {
    pool: &'a mut TypePool,
    data: StructData,
    cursor: u64,
    packed: bool,
}

impl StructLayout<'_> {
    fn new(pool: &mut TypePool) -> StructLayout<'_> {
        StructLayout { pool, data: empty_struct(String::new()), cursor: 0, packed: false }
    }

    /// Whether some field lies before its natural offset, or natural tail padding would exceed
    /// the record's size.
    fn needs_packing(&self, fields: &[(Type, u64, &str)], size: u64) -> bool {
        let mut align = 1;
        for &(ty, offset, _) in fields {
            let natural = self.pool.natural_align(ty);
            align = align.max(natural);
            if !offset.is_multiple_of(natural) {
                return true;
            }
        }
        !size.is_multiple_of(align)
    }

    fn natural_offset(&self, ty: Type) -> u64 {
        if self.packed {
            self.cursor
        } else {
            self.cursor.next_multiple_of(self.pool.natural_align(ty))
        }
    }

    fn field(&mut self, ty: Type, offset: u64, name: &str) -> u32 {
        if self.natural_offset(ty) < offset {
            self.pad_to(offset);
        }
        self.data.fields.push(ty);
        self.data.field_names.push(name.to_owned());
        self.data.offsets.push(offset);
        self.cursor = offset + self.pool.size(ty);
        self.data.fields.len() as u32 - 1
    }

    /// Fills up with bytes to `offset`.
    fn pad_to(&mut self, offset: u64) {
        if offset > self.cursor {
            let bytes = self.pool.array(TypePool::I8, offset - self.cursor);
            self.data.fields.push(bytes);
            self.data.field_names.push(String::new());
            self.data.offsets.push(self.cursor);
            self.cursor = offset;
        }
    }

    fn finish(self) -> StructData {
        StructData { packed: self.packed, ..self.data }
    }
}
