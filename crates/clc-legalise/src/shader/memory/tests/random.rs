//! Random programs with pointers do the same before and after.
//!
//! The programs have pointers into buffers, local and private memory and generic ones: cast, stored,
//! passed on, chosen from and compared. What they do is defined, so that results are the same
//! wherever variables are. `SEEDS=100000` runs more of them.

use clc_base::arena::Id as _;
use clc_base::memory_model::{AtomicOp, MemoryOrder, Ordering};
use clc_base::{Span, Version};
use clc_ir::{
    BinaryOp, Builder, CompareOp, Const, ConvertOp, FuncId, Function, Global, GlobalId, Linkage,
    MemFlags, MemoryAccess, Module, StorageClass, StructData, Type, TypeKind, TypePool, Value,
};

use super::super::super::interpreter::{Datum, Interpreter, Memory};
use super::super::super::random::Random;
use super::super::super::{Placed, Places};
use super::{VULKAN, check_pointers, text};

/// Bytes of the buffer that programs get.
const BUFFER: u64 = 512;

/// A pointer value and what may be done with it.
#[derive(Clone, Copy)]
struct Pointer {
    value: Value,
    pointee: Type,
    class: StorageClass,
    /// Bytes that are there.
    available: u64,
    align: u64,
    /// The object that it points into, where it is known.
    object: Option<usize>,
}

/// A function that takes a pointer to at least [`PASSED`] bytes, aligned to 4, and a number.
#[derive(Clone, Copy)]
struct Helper {
    id: FuncId,
    class: StorageClass,
}

const PASSED: u64 = 16;

/// What all functions of a program share.
struct Program {
    types: Vec<Type>,
    /// Those of objects.
    objects: Vec<Type>,
    /// Objects in local and constant memory.
    globals: Vec<(GlobalId, Type, StorageClass)>,
    helpers: Vec<Helper>,
    has_wide_atomics: bool,
}

struct Maker<'a, 'b> {
    b: &'a mut Builder<'b>,
    random: &'a mut Random,
    program: &'a Program,
    pointers: Vec<Pointer>,
    objects: usize,
    /// An `i32` that depends on all that was read.
    sum: Value,
    /// A variable with a generic pointer to an aligned `i32`, if there is one.
    slot: Option<Value>,
}

fn access(align: u64) -> MemoryAccess {
    MemoryAccess { align: align as u32, flags: MemFlags::default() }
}

impl Maker<'_, '_> {
    fn size(&self, ty: Type) -> u64 {
        self.b.types.size(ty)
    }

    fn mix(&mut self, value: Value) {
        let factor = self.b.i32(31);
        let product = self.b.binary(BinaryOp::IMul, self.sum, factor);
        self.sum = self.b.binary(BinaryOp::IAdd, product, value);
    }

    /// A number below a power of two.
    fn index(&mut self, bound: u64) -> Value {
        let shift = self.b.i32(self.random.below(20) as i32);
        let value = self.b.binary(BinaryOp::LShr, self.sum, shift);
        let mask = self.b.i32(bound as i32 - 1);
        let index = self.b.binary(BinaryOp::And, value, mask);
        if self.random.one_in(2) {
            return index;
        }
        self.b.convert(ConvertOp::ZeroExtend, index, TypePool::I64)
    }

    fn add(&mut self, value: Value, ty: Type, class: StorageClass) {
        let pointer = Pointer {
            value,
            pointee: ty,
            class,
            available: self.size(ty),
            align: self.b.types.align(ty),
            object: Some(self.objects),
        };
        self.objects += 1;
        self.pointers.push(pointer);
    }

    fn retyped(&mut self, pointer: Pointer, pointee: Type) -> Pointer {
        let ty = self.b.types.pointer(pointee, pointer.class);
        Pointer { value: self.b.bitcast(pointer.value, ty), pointee, ..pointer }
    }

    fn generic(&mut self, pointer: Pointer) -> Pointer {
        if matches!(pointer.class, StorageClass::Generic | StorageClass::UniformConstant) {
            return pointer;
        }
        let ty = self.b.types.pointer(pointer.pointee, StorageClass::Generic);
        let value = self.b.convert(ConvertOp::ToGeneric, pointer.value, ty);
        Pointer { value, class: StorageClass::Generic, ..pointer }
    }

    /// `value` is `from`, moved by at most `most` bytes in steps of `step`.
    fn moved(&self, from: Pointer, value: Value, pointee: Type, step: u64, most: u64) -> Pointer {
        let align = if step == 0 { from.align } else { from.align.min(1 << step.trailing_zeros()) };
        Pointer { value, pointee, available: from.available - most, align, ..from }
    }

    /// Another pointer made of one.
    fn derived(&mut self, from: Pointer) -> Pointer {
        let size = self.size(from.pointee);
        match self.random.below(8) {
            0 => {
                let ty = self.random.of(&self.program.types);
                if self.size(ty) <= from.available { self.retyped(from, ty) } else { from }
            }
            1 | 2 if size <= from.available => {
                let count = from.available / size;
                if self.random.one_in(2) {
                    let index = self.random.below(count);
                    let value = self.b.i32(index as i32);
                    let value = self.b.ptr_add(from.value, value);
                    return self.moved(from, value, from.pointee, index * size, index * size);
                }
                let count = 1 << count.ilog2();
                let index = self.index(count);
                let value = self.b.ptr_add(from.value, index);
                self.moved(from, value, from.pointee, size, size * (count - 1))
            }
            3 => self.generic(from),
            _ if size <= from.available => self.component(from),
            _ => from,
        }
    }

    fn component(&mut self, from: Pointer) -> Pointer {
        let (element, count) = match self.b.types.kind(from.pointee) {
            TypeKind::Array(element, count) => (element, count),
            TypeKind::Vector(element, count) => (element, u64::from(count)),
            TypeKind::Struct(id) => {
                let data = self.b.types.struct_data(id).clone();
                let field = self.random.below(data.fields.len() as u64) as usize;
                if self.b.types.is_pointer(data.fields[field]) {
                    return from;
                }
                let index = self.b.i32(field as i32);
                let value = self.b.access(from.value, &[index]);
                let offset = data.offsets[field];
                return self.moved(from, value, data.fields[field], offset, offset);
            }
            _ => return from,
        };
        let size = self.size(element);
        if self.random.one_in(2) {
            let index = self.random.below(count);
            let value = self.b.i32(index as i32);
            let value = self.b.access(from.value, &[value]);
            return self.moved(from, value, element, index * size, index * size);
        }
        let count = 1 << count.ilog2();
        let index = self.index(count);
        let value = self.b.access(from.value, &[index]);
        self.moved(from, value, element, size, size * (count - 1))
    }

    /// A pointer to at least as many bytes as its pointee has.
    fn pointer(&mut self) -> Pointer {
        let mut pointer = self.random.of(&self.pointers);
        for _ in 0..self.random.below(4) {
            pointer = self.derived(pointer);
        }
        if self.size(pointer.pointee) > pointer.available {
            pointer = self.retyped(pointer, TypePool::I8);
        }
        if self.random.one_in(6) {
            self.pointers.push(pointer);
        }
        pointer
    }

    /// A pointer that may be written through.
    fn writable(&mut self) -> Option<Pointer> {
        let pointer = self.pointer();
        (pointer.class != StorageClass::UniformConstant).then_some(pointer)
    }

    /// A pointer to an aligned `i32`.
    fn word(&mut self) -> Option<Pointer> {
        self.aligned(TypePool::I32)
    }

    /// A pointer to an aligned scalar that may be written through.
    fn aligned(&mut self, ty: Type) -> Option<Pointer> {
        let pointer = self.writable()?;
        let size = self.size(ty);
        if pointer.available < size || pointer.align < size {
            return None;
        }
        Some(self.retyped(pointer, ty))
    }

    fn access(&mut self, pointer: Pointer) -> MemoryAccess {
        let natural = pointer.align.min(self.b.types.align(pointer.pointee));
        access(if self.random.one_in(4) { 1 } else { natural })
    }

    /// Adds some part of a value to the sum.
    fn observe(&mut self, value: Value) {
        let ty = self.b.ty(value);
        let parts = match self.b.types.kind(ty) {
            TypeKind::Int(bits) => {
                let word = match bits {
                    32 => value,
                    64 => self.b.convert(ConvertOp::Truncate, value, TypePool::I32),
                    _ => self.b.convert(ConvertOp::SignExtend, value, TypePool::I32),
                };
                return self.mix(word);
            }
            TypeKind::Float(bits) => {
                let int = self.b.types.int(bits);
                let value = self.b.bitcast(value, int);
                return self.observe(value);
            }
            TypeKind::Vector(_, count) => u64::from(count),
            TypeKind::Array(_, count) => count,
            TypeKind::Struct(id) => self.b.types.struct_data(id).fields.len() as u64,
            _ => return,
        };
        let part = self.random.below(parts) as u32;
        let value = self.b.extract(value, &[part]);
        self.observe(value);
    }

    /// A value of a type, made of the sum.
    fn value(&mut self, ty: Type) -> Value {
        match self.b.types.kind(ty) {
            TypeKind::Int(32) => self.sum,
            TypeKind::Int(64) => self.b.convert(ConvertOp::SignExtend, self.sum, ty),
            TypeKind::Int(_) => self.b.convert(ConvertOp::Truncate, self.sum, ty),
            TypeKind::Float(bits) => {
                let int = self.b.types.int(bits);
                let value = self.value(int);
                self.b.bitcast(value, ty)
            }
            TypeKind::Vector(element, count) => {
                let mut parts = Vec::new();
                for lane in 0..i32::from(count) {
                    let lane = self.b.i32(lane);
                    self.mix(lane);
                    parts.push(self.value(element));
                }
                self.b.construct(ty, &parts)
            }
            TypeKind::Array(element, count) => {
                let part = self.value(element);
                self.b.construct(ty, &vec![part; count as usize])
            }
            TypeKind::Struct(id) => {
                let fields = self.b.types.struct_data(id).fields.clone();
                let parts: Vec<Value> = fields.iter().map(|&field| self.value(field)).collect();
                self.b.construct(ty, &parts)
            }
            _ => self.b.zero(ty),
        }
    }

    fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(14) {
            0..=3 => {
                let pointer = self.pointer();
                let access = self.access(pointer);
                let value = self.b.load(pointer.value, access);
                self.observe(value);
            }
            4..=6 => {
                let Some(pointer) = self.writable() else { return };
                let value = self.value(pointer.pointee);
                let access = self.access(pointer);
                self.b.store(pointer.value, value, access);
            }
            7 => self.copy(),
            8 => self.atomic(),
            9 => self.compare(),
            10 => self.keep_in_slot(),
            11 => self.call(),
            12 if depth > 0 => self.walk(depth),
            13 if depth > 0 => self.choose(depth),
            _ => {}
        }
    }

    fn copy(&mut self) {
        let (Some(to), from) = (self.writable(), self.pointer()) else { return };
        if to.object.is_none() || from.object.is_none() || to.object == from.object {
            return;
        }
        // What is in padding is unspecified.
        if has_padding(self.b.types, from.pointee) || has_padding(self.b.types, to.pointee) {
            return;
        }
        let size = self.size(from.pointee).min(to.available);
        let size = if self.random.one_in(3) {
            self.index(size.max(1))
        } else {
            self.b.int(TypePool::I64, size)
        };
        let align = to.align.min(from.align);
        self.b.copy_memory(to.value, from.value, size, access(align));
    }

    fn atomic(&mut self) {
        // Atomics of 64 bits decide what the pool of local memory is made of.
        let mut types = vec![TypePool::I16, TypePool::I32, TypePool::I32];
        if self.program.has_wide_atomics {
            types.push(TypePool::I64);
        }
        let ty = self.random.of(&types);
        let Some(pointer) = self.aligned(ty) else { return };
        let value = self.value(ty);
        match self.random.below(8) {
            0 => {
                let old = self.b.atomic_load(pointer.value, Ordering::RELAXED);
                self.observe(old);
            }
            1 => self.b.atomic_store(pointer.value, value, Ordering::RELAXED),
            2 => {
                // With what is there every other time.
                let comparand = if self.random.one_in(2) {
                    self.b.atomic_load(pointer.value, Ordering::RELAXED)
                } else {
                    self.b.int(ty, 0)
                };
                let old = self.b.atomic_compare_exchange(
                    pointer.value,
                    [comparand, value],
                    Ordering::DEFAULT,
                    MemoryOrder::Relaxed,
                );
                self.observe(old);
            }
            _ => {
                let op = self.random.of(&[
                    AtomicOp::IAdd,
                    AtomicOp::ISub,
                    AtomicOp::And,
                    AtomicOp::Or,
                    AtomicOp::Xor,
                    AtomicOp::SMin,
                    AtomicOp::UMax,
                    AtomicOp::Exchange,
                ]);
                let old = self.b.atomic_modify(op, pointer.value, value, Ordering::RELAXED);
                self.observe(old);
            }
        }
    }

    fn truth(&mut self, condition: Value) {
        let (one, two) = (self.b.i32(1), self.b.i32(2));
        let value = self.b.select(condition, one, two);
        self.mix(value);
    }

    fn compare(&mut self) {
        let (left, right) = (self.pointer(), self.pointer());
        if self.random.one_in(4) {
            let ty = self.b.ty(left.value);
            let null = self.b.zero(ty);
            let condition = self.b.compare(CompareOp::NotEqual, left.value, null);
            return self.truth(condition);
        }
        // Where constant memory is, is unspecified.
        if [left.class, right.class].contains(&StorageClass::UniformConstant) {
            return;
        }
        let (left, right) = (self.generic(left), self.generic(right));
        let right = self.retyped(right, left.pointee);
        let same = left.object.is_some() && left.object == right.object;
        if same && self.random.one_in(2) {
            let ends = [left.value, right.value]
                .map(|value| self.b.convert(ConvertOp::PtrToInt, value, TypePool::I64));
            let difference = self.b.binary(BinaryOp::ISub, ends[0], ends[1]);
            return self.observe(difference);
        }
        let op = if same { CompareOp::ULess } else { CompareOp::Equal };
        let condition = self.b.compare(op, left.value, right.value);
        self.truth(condition);
    }

    /// Stores a pointer, or reads it back.
    fn keep_in_slot(&mut self) {
        let Some(slot) = self.slot else { return };
        if self.random.one_in(2) {
            let Some(pointer) = self.word() else { return };
            let pointer = self.generic(pointer);
            return self.b.store(slot, pointer.value, access(8));
        }
        let value = self.b.load(slot, access(8));
        self.pointers.push(Pointer {
            value,
            pointee: TypePool::I32,
            class: StorageClass::Generic,
            available: 4,
            align: 4,
            object: None,
        });
    }

    fn call(&mut self) {
        if self.program.helpers.is_empty() {
            return;
        }
        let helper = self.random.of(&self.program.helpers);
        let Some(mut pointer) = self.word() else { return };
        if helper.class == StorageClass::Generic {
            pointer = self.generic(pointer);
        }
        if pointer.available < PASSED || pointer.class != helper.class {
            return;
        }
        let result = self.b.call(helper.id, &[pointer.value, self.sum], TypePool::I32);
        self.mix(result.expect("helpers give numbers"));
    }

    /// A loop over elements.
    fn walk(&mut self, depth: u32) {
        let pointer = self.pointer();
        let size = self.size(pointer.pointee);
        let count = (pointer.available / size).min(5);
        let (header, body, done) = (self.b.new_block(), self.b.new_block(), self.b.new_block());
        let ty = self.b.ty(pointer.value);
        let index = self.b.function.add_block_param(header, TypePool::I32);
        let sum = self.b.function.add_block_param(header, TypePool::I32);
        let value = self.b.function.add_block_param(header, ty);
        let zero = self.b.i32(0);
        self.b.jump(header, &[zero, self.sum, pointer.value]);
        self.b.switch_to(header);
        let end = self.b.i32(count as i32);
        let more = self.b.compare(CompareOp::ULess, index, end);
        self.b.branch(more, body, done);
        self.b.switch_to(body);
        let known = self.pointers.len();
        self.sum = sum;
        let inside = self.moved(pointer, value, pointer.pointee, size, size * (count - 1));
        self.pointers.push(inside);
        let access = self.access(inside);
        let element = self.b.load(value, access);
        self.observe(element);
        self.statements(2, depth - 1);
        let (one, step) = (self.b.i32(1), self.b.int(TypePool::I64, 1));
        let next = self.b.binary(BinaryOp::IAdd, index, one);
        let further = self.b.ptr_add(value, step);
        self.b.jump(header, &[next, self.sum, further]);
        self.pointers.truncate(known);
        self.sum = sum;
        self.b.switch_to(done);
    }

    /// Two arms that give a pointer each, or a selection.
    fn choose(&mut self, depth: u32) {
        let (mut first, mut second) = (self.pointer(), self.pointer());
        if [first.class, second.class].contains(&StorageClass::UniformConstant) {
            return;
        }
        if first.class != second.class {
            (first, second) = (self.generic(first), self.generic(second));
        }
        second = self.retyped(second, first.pointee);
        let zero = self.b.i32(0);
        let condition = self.b.compare(CompareOp::SLess, self.sum, zero);
        let both = |value| Pointer {
            value,
            available: first.available.min(second.available),
            align: first.align.min(second.align),
            object: first.object.filter(|_| first.object == second.object),
            ..first
        };
        if self.random.one_in(2) {
            let value = self.b.select(condition, first.value, second.value);
            self.pointers.push(both(value));
            return;
        }
        let (then, otherwise) = (self.b.new_block(), self.b.new_block());
        let done = self.b.new_block();
        let ty = self.b.ty(first.value);
        let value = self.b.function.add_block_param(done, ty);
        let sum = self.b.function.add_block_param(done, TypePool::I32);
        self.b.branch(condition, then, otherwise);
        let (known, before) = (self.pointers.len(), self.sum);
        for (block, pointer) in [(then, first), (otherwise, second)] {
            self.b.switch_to(block);
            self.sum = before;
            self.statements(2, depth - 1);
            self.b.jump(done, &[pointer.value, self.sum]);
            self.pointers.truncate(known);
        }
        self.b.switch_to(done);
        self.sum = sum;
        self.pointers.push(both(value));
    }
}

/// Whether loads and stores leave bytes of the type alone.
fn has_padding(types: &TypePool, ty: Type) -> bool {
    match types.kind(ty) {
        TypeKind::Vector(_, lanes) => lanes == 3,
        TypeKind::Array(element, _) => has_padding(types, element),
        _ => false,
    }
}

/// The types of accesses, and those of objects that have no padding.
fn access_types(types: &mut TypePool) -> Vec<Type> {
    let mut all = vec![
        TypePool::I8,
        TypePool::I16,
        TypePool::I32,
        TypePool::I64,
        TypePool::F16,
        TypePool::F32,
        TypePool::F64,
    ];
    for (element, lanes) in [
        (TypePool::I8, 2),
        (TypePool::I8, 3),
        (TypePool::I8, 4),
        (TypePool::I8, 16),
        (TypePool::I16, 4),
        (TypePool::F16, 8),
        (TypePool::I32, 2),
        (TypePool::F32, 3),
        (TypePool::F32, 4),
        (TypePool::I32, 8),
        (TypePool::I64, 2),
    ] {
        all.push(types.vector(element, lanes));
    }
    let (v3, v8) = (all[14], all[16]);
    for (element, len) in
        [(TypePool::I8, 20), (TypePool::I16, 5), (TypePool::I32, 8), (v3, 2), (TypePool::I64, 2)]
    {
        all.push(types.array(element, len));
    }
    let rows = types.array(TypePool::I32, 3);
    all.push(types.array(rows, 4));
    let pointer = types.pointer(TypePool::I32, StorageClass::CrossWorkgroup);
    let short = types.array(TypePool::I16, 3);
    let (three, many) = (types.array(TypePool::I8, 3), types.array(TypePool::I8, 31));
    let natural = [
        (TypePool::I8, 0),
        (three, 1),
        (TypePool::I32, 4),
        (short, 8),
        (TypePool::I16, 14),
        (pointer, 16),
    ];
    let wide = [(TypePool::I8, 0), (many, 1), (v8, 32)];
    let packed = [(TypePool::I8, 0), (TypePool::I64, 1), (TypePool::I16, 9)];
    for (fields, size, align) in [(&natural[..], 24, 8), (&wide, 64, 32), (&packed, 11, 1)] {
        let (id, ty) = types.declare_struct();
        types.set_struct(
            id,
            StructData {
                name: "s".into(),
                fields: fields.iter().map(|field| field.0).collect(),
                field_names: vec![String::new(); fields.len()],
                offsets: fields.iter().map(|field| field.1).collect(),
                size,
                align,
                packed: align == 1,
            },
        );
        all.push(ty);
        all.push(types.array(ty, 2));
    }
    all
}

fn global(module: &mut Module, ty: Type, class: StorageClass) -> GlobalId {
    module.globals.push(Global {
        name: format!("g{}", module.globals.len()),
        ty,
        class,
        initializer: None,
        align: module.types.align(ty) as u32,
        is_const: class == StorageClass::UniformConstant,
        linkage: Linkage::Internal,
        span: Span::NONE,
    })
}

/// A program, and where its constant data are.
fn program(seed: u64) -> (Module, Places, FuncId) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xdead_beef_cafe_f00d);
    let mut module = Module::new(8, Version::V3_0);
    let types = access_types(&mut module.types);
    let objects = types.iter().copied().filter(|&ty| !has_padding(&module.types, ty)).collect();
    let mut program = Program {
        types,
        objects,
        globals: Vec::new(),
        helpers: Vec::new(),
        has_wide_atomics: random.one_in(2),
    };
    for _ in 0..random.below(4) {
        let ty = random.of(&program.objects);
        let id = global(&mut module, ty, StorageClass::Workgroup);
        program.globals.push((id, ty, StorageClass::Workgroup));
    }
    let table_type = module.types.array(TypePool::I32, 8);
    let table = global(&mut module, table_type, StorageClass::UniformConstant);
    let numbers: Vec<Value> = (0..8u64)
        .map(|number| {
            let bits = (number * 0x9e37_79b9) & 0xffff_ffff;
            module.consts.intern(Const::Int(TypePool::I32, bits))
        })
        .collect();
    module.globals[table].initializer =
        Some(module.consts.intern(Const::Composite(table_type, numbers.into())));
    program.globals.push((table, table_type, StorageClass::UniformConstant));
    let base = global(&mut module, TypePool::I64, StorageClass::Private);
    let places = Places {
        program_data: vec![Placed { global: table, base, offset: 48 }],
        ..Places::default()
    };
    for _ in 0..random.below(4) {
        let class = random.of(&[
            StorageClass::Function,
            StorageClass::Workgroup,
            StorageClass::CrossWorkgroup,
            StorageClass::Generic,
            StorageClass::Generic,
        ]);
        let id = function(&mut module, &mut random, &program, class, true);
        program.helpers.push(Helper { id, class });
    }
    let main = function(&mut module, &mut random, &program, StorageClass::CrossWorkgroup, false);
    (module, places, main)
}

fn function(
    module: &mut Module,
    random: &mut Random,
    program: &Program,
    class: StorageClass,
    is_helper: bool,
) -> FuncId {
    let Module { types, consts, functions, .. } = module;
    let passed = types.pointer(TypePool::I32, class);
    let mut function = Function::new("f", TypePool::I32);
    function.params = vec![passed, TypePool::I32];
    let entry = function.add_block();
    let pointer = function.add_block_param(entry, passed);
    let sum = function.add_block_param(entry, TypePool::I32);
    let mut builder = Builder::new(types, consts, &mut function, entry);
    let mut maker = Maker {
        b: &mut builder,
        random,
        program,
        pointers: Vec::new(),
        objects: 1,
        sum,
        slot: None,
    };
    maker.pointers.push(Pointer {
        value: pointer,
        pointee: TypePool::I32,
        class,
        available: if is_helper { PASSED } else { BUFFER },
        align: if is_helper { 4 } else { 16 },
        object: (!is_helper).then_some(0),
    });
    let variables = maker.random.below(4);
    for _ in 0..variables {
        let ty = maker.random.of(&program.objects);
        let align = maker.b.types.align(ty);
        let variable = maker.b.variable(ty, align as u32);
        let zero = maker.b.zero(ty);
        maker.b.store(variable, zero, access(align));
        maker.add(variable, ty, StorageClass::Function);
    }
    for &(id, ty, class) in &program.globals {
        let pointer = maker.b.types.pointer(ty, class);
        let address = maker.b.consts.intern(Const::GlobalAddress(pointer, id));
        maker.add(address, ty, class);
        if is_helper {
            // The caller may have passed the same.
            let last = maker.pointers.last_mut().expect("just added");
            last.object = None;
        }
    }
    if maker.random.one_in(2) {
        let generic = maker.b.types.pointer(TypePool::I32, StorageClass::Generic);
        let slot = maker.b.variable(generic, 8);
        let first = maker.pointers[0];
        let first = maker.generic(first);
        maker.b.store(slot, first.value, access(8));
        maker.slot = Some(slot);
    }
    let count = 2 + maker.random.below(if is_helper { 6 } else { 16 });
    maker.statements(count, 2);
    let sum = maker.sum;
    maker.b.ret(Some(sum));
    builder.finish();
    functions.push(function)
}

/// What a run leaves: its result and the buffer.
fn outcome(module: &Module, places: &Places, main: FuncId) -> Result<(Datum, Vec<u8>), String> {
    let mut memory = Memory::default();
    let bytes = (0..BUFFER).map(|byte| (byte * 37 + 11) as u8).collect();
    let buffer = memory.object(bytes);
    let mut interpreter =
        Interpreter::new(module, memory, 200_000).map_err(|stop| format!("{stop:?}"))?;
    for placed in &places.program_data {
        let address = interpreter.globals[placed.global.index()] - placed.offset;
        let base = interpreter.globals[placed.base.index()];
        interpreter
            .store(base, TypePool::I64, &Datum::Bits(address))
            .map_err(|stop| format!("{stop:?}"))?;
    }
    let arguments = vec![Datum::Bits(buffer), Datum::Bits(0x1234_5678)];
    let result = interpreter.call(main, arguments).map_err(|stop| format!("{stop:?}"))?;
    Ok((result.ok_or("no result")?, interpreter.memory.objects[0].clone()))
}

#[test]
fn programs_do_the_same_without_pointers() {
    let count = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    let first = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut runs = 0;
    for seed in first..first + count {
        let (mut module, places, main) = program(seed);
        let input = text(&module);
        clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{seed}: {error}\n{input}"));
        let Ok(expected) = outcome(&module, &places, main) else { continue };
        runs += 1;
        super::super::run(&mut module, &places, VULKAN)
            .unwrap_or_else(|errors| panic!("{seed}: {errors:?}\n{input}"));
        let output = text(&module);
        clc_ir::verify::module(&module)
            .unwrap_or_else(|error| panic!("{seed}: {error}\n{input}\n{output}"));
        check_pointers(&module).unwrap_or_else(|error| panic!("{seed}: {error}\n{output}"));
        let found = outcome(&module, &places, main)
            .unwrap_or_else(|stop| panic!("{seed}: {stop}\n{input}\n{output}"));
        assert!(found == expected, "{seed}: {:?} {:?}\n{input}\n{output}", expected.0, found.0);
    }
    assert!(runs * 10 >= count * 9, "only {runs} of {count} programs ran to their end");
}
