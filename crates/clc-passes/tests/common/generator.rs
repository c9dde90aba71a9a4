//! Random modules: any control flow, variables of all kinds, calls, generic pointers.

use clc_base::Version;
use clc_ir::{
    BinaryOp, Block, Builder, CompareOp, ConstPool, ConvertOp, EntryPoint, FuncId, Function,
    Linkage, MemFlags, MemoryAccess, Module, StorageClass, StructData, SwitchCase, Terminator,
    Type, TypePool, UnaryOp, Value,
};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xdead_beef_cafe_f00d)
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % u64::from(bound)) as u32
    }

    fn one_in(&mut self, bound: u32) -> bool {
        self.below(bound) == 0
    }
}

/// Elements of the buffer that every function gets: `i32` in global memory.
pub const BUFFER: u64 = 8;

/// A module whose last function is the one to run: `i32 f(ptr(crossworkgroup, i32), i32, i32)`.
/// The functions before it take `ptr(generic, i32)` and an `i32`.
pub fn module(seed: u64) -> Module {
    let mut random = Random::new(seed);
    let mut module = Module::new(8, Version::V3_0);
    let pair = struct_type(&mut module.types);
    let table = table(&mut module);
    let mut helpers = Vec::new();
    for index in 0..random.below(3) {
        let size = 1 + random.below(4);
        let shape = Shape { blocks: size, statements: 3, is_helper: true };
        helpers.push(function(&mut module, &mut random, shape, &helpers.clone(), pair, table));
        let id = *helpers.last().expect("just pushed");
        module.functions[id].always_inline = random.one_in(4);
        module.functions[id].no_inline = random.one_in(3);
        module.functions[id].name = format!("helper{index}");
    }
    let shape =
        Shape { blocks: 1 + random.below(12), statements: 1 + random.below(6), is_helper: false };
    let last = function(&mut module, &mut random, shape, &helpers, pair, table);
    // A body that the host sees; results come back, which kernels cannot give.
    module.functions[last].linkage = Linkage::Export;
    let _: Option<EntryPoint> = None;
    module
}

/// `struct { i32 a; [3]i16 b; f32x4 c; }`
fn struct_type(types: &mut TypePool) -> Type {
    let (id, ty) = types.declare_struct();
    let shorts = types.array(TypePool::I16, 3);
    let floats = types.vector(TypePool::I32, 4);
    types.set_struct(
        id,
        StructData {
            name: "pair".into(),
            fields: vec![TypePool::I32, shorts, floats],
            field_names: vec!["a".into(), "b".into(), "c".into()],
            offsets: vec![0, 4, 16],
            size: 32,
            align: 16,
            packed: false,
        },
    );
    ty
}

/// A table in constant memory.
fn table(module: &mut Module) -> Value {
    let ty = module.types.array(TypePool::I32, 4);
    let parts: Vec<Value> = [3u64, 1, 4, 0xffff_fff1]
        .into_iter()
        .map(|bits| module.consts.intern(clc_ir::Const::Int(TypePool::I32, bits)))
        .collect();
    let initializer = module.consts.intern(clc_ir::Const::Composite(ty, parts.into()));
    let global = module.globals.push(clc_ir::Global {
        name: "table".into(),
        ty,
        class: StorageClass::UniformConstant,
        initializer: Some(initializer),
        align: 4,
        is_const: true,
        linkage: Linkage::Internal,
        span: clc_base::Span::NONE,
    });
    let pointer = module.types.pointer(ty, StorageClass::UniformConstant);
    module.consts.intern(clc_ir::Const::GlobalAddress(pointer, global))
}

#[derive(Clone, Copy)]
struct Shape {
    blocks: u32,
    statements: u32,
    is_helper: bool,
}

fn plain(align: u32) -> MemoryAccess {
    MemoryAccess { align, flags: MemFlags::default() }
}

/// Variables of a function under construction.
struct Frame {
    ints: Vec<Value>,
    byte: Value,
    long: Value,
    float: Value,
    array: Value,
    vector: Value,
    pair: Value,
    other_pair: Value,
    pointer: Value,
    buffer: Value,
    buffer_class: StorageClass,
}

struct Maker<'a, 'b> {
    b: &'a mut Builder<'b>,
    random: &'a mut Random,
    frame: Frame,
    helpers: &'a [FuncId],
    table: Value,
    pair: Type,
}

fn function(
    module: &mut Module,
    random: &mut Random,
    shape: Shape,
    helpers: &[FuncId],
    pair: Type,
    table: Value,
) -> FuncId {
    let Module { types, consts, functions, .. } = module;
    let mut function = Function::new("main", TypePool::I32);
    let class = if shape.is_helper { StorageClass::Generic } else { StorageClass::CrossWorkgroup };
    let buffer_type = types.pointer(TypePool::I32, class);
    function.params = vec![buffer_type, TypePool::I32, TypePool::I32];
    let entry = function.add_block();
    let params: Vec<Value> =
        function.params.clone().into_iter().map(|ty| function.add_block_param(entry, ty)).collect();
    body(types, consts, &mut function, random, shape, &params, helpers, pair, table, class);
    functions.push(function)
}

fn body(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    random: &mut Random,
    shape: Shape,
    params: &[Value],
    helpers: &[FuncId],
    pair: Type,
    table: Value,
    class: StorageClass,
) {
    let entry = function.entry();
    let mut builder = Builder::new(types, consts, function, entry);
    let b = &mut builder;
    let generic = b.types.pointer(TypePool::I32, StorageClass::Generic);
    let array = b.types.array(TypePool::I32, 4);
    let vector = b.types.vector(TypePool::I32, 4);
    let frame = Frame {
        ints: (0..4).map(|_| b.variable(TypePool::I32, 4)).collect(),
        byte: b.variable(TypePool::I8, 1),
        long: b.variable(TypePool::I64, 8),
        float: b.variable(TypePool::F32, 4),
        array: b.variable(array, 16),
        vector: b.variable(vector, 16),
        pair: b.variable(pair, 16),
        other_pair: b.variable(pair, 16),
        pointer: b.variable(generic, 8),
        buffer: params[0],
        buffer_class: class,
    };
    // Reading what was never written would be undefined.
    for (index, &int) in frame.ints.iter().enumerate() {
        let value = if index < 2 { params[1 + index] } else { b.i32(index as i32) };
        b.store(int, value, plain(4));
    }
    let (byte, long, float) =
        (b.int(TypePool::I8, 200), b.int(TypePool::I64, 1 << 40), b.int(TypePool::I32, 3));
    b.store(frame.byte, byte, plain(1));
    b.store(frame.long, long, plain(8));
    let float = b.convert(ConvertOp::SToF, float, TypePool::F32);
    b.store(frame.float, float, plain(4));
    for (place, ty) in
        [(frame.array, array), (frame.vector, vector), (frame.pair, pair), (frame.other_pair, pair)]
    {
        let zero = b.zero(ty);
        b.store(place, zero, plain(16));
    }
    let first = match class {
        StorageClass::Generic => frame.buffer,
        _ => b.convert(ConvertOp::ToGeneric, frame.buffer, generic),
    };
    b.store(frame.pointer, first, plain(8));

    let blocks: Vec<Block> = (0..shape.blocks).map(|_| b.new_block()).collect();
    b.jump(blocks[0], &[]);
    let mut maker = Maker { b, random, frame, helpers, table, pair };
    for (index, &block) in blocks.iter().enumerate() {
        maker.b.switch_to(block);
        for _ in 0..maker.random.below(shape.statements + 1) {
            maker.statement();
        }
        maker.terminator(&blocks, index);
    }
    builder.finish();
}

impl Maker<'_, '_> {
    fn int_variable(&mut self) -> Value {
        let index = self.random.below(self.frame.ints.len() as u32) as usize;
        self.frame.ints[index]
    }

    /// An address of an `i32`.
    fn place(&mut self) -> Value {
        match self.random.below(9) {
            0 => {
                let index = self.b.i32(self.random.below(4) as i32);
                self.b.access(self.frame.array, &[index])
            }
            1 => {
                let index = self.masked(3);
                self.b.access(self.frame.array, &[index])
            }
            2 => {
                let zero = self.b.i32(0);
                let first = self.b.access(self.frame.array, &[zero]);
                let step = self.b.i32(self.random.below(4) as i32);
                self.b.ptr_add(first, step)
            }
            3 => {
                let index = self.b.i32(self.random.below(4) as i32);
                self.b.access(self.frame.vector, &[index])
            }
            4 => {
                let zero = self.b.i32(0);
                self.b.access(self.frame.pair, &[zero])
            }
            5 => {
                let two = self.b.i32(2);
                let lane = self.b.i32(self.random.below(4) as i32);
                let pair =
                    if self.random.one_in(2) { self.frame.pair } else { self.frame.other_pair };
                let vector = self.b.access(pair, &[two]);
                self.b.access(vector, &[lane])
            }
            6 => {
                let index = self.masked(BUFFER as i32 - 1);
                self.b.ptr_add(self.frame.buffer, index)
            }
            7 => self.b.load(self.frame.pointer, plain(8)),
            _ => self.int_variable(),
        }
    }

    fn masked(&mut self, mask: i32) -> Value {
        let value = self.int();
        let mask = self.b.i32(mask);
        self.b.binary(BinaryOp::And, value, mask)
    }

    fn leaf(&mut self) -> Value {
        match self.random.below(8) {
            0 => {
                let constants = [0, 1, -1, 2, 8, 31, 255, i32::MIN, i32::MAX];
                let index = self.random.below(constants.len() as u32) as usize;
                self.b.i32(constants[index])
            }
            1 | 2 => {
                let place = self.place();
                self.b.load(place, plain(4))
            }
            3 => {
                let index = if self.random.one_in(2) {
                    self.b.i32(self.random.below(4) as i32)
                } else {
                    let value = self.int_variable();
                    let value = self.b.load(value, plain(4));
                    let three = self.b.i32(3);
                    self.b.binary(BinaryOp::And, value, three)
                };
                let place = self.b.access(self.table, &[index]);
                self.b.load(place, plain(4))
            }
            _ => {
                let place = self.int_variable();
                self.b.load(place, plain(4))
            }
        }
    }

    /// An `i32`.
    fn int(&mut self) -> Value {
        let left = self.leaf();
        match self.random.below(14) {
            0 => {
                let ops = [BinaryOp::SDiv, BinaryOp::UDiv, BinaryOp::SRem, BinaryOp::URem];
                let op = ops[self.random.below(4) as usize];
                let right = self.b.i32(1 + self.random.below(9) as i32);
                self.b.binary(op, left, right)
            }
            1 => {
                let ops = [BinaryOp::Shl, BinaryOp::LShr, BinaryOp::AShr];
                let op = ops[self.random.below(3) as usize];
                let right = self.b.i32(self.random.below(32) as i32);
                self.b.binary(op, left, right)
            }
            2 => {
                let op = if self.random.one_in(2) { UnaryOp::INeg } else { UnaryOp::Not };
                self.b.unary(op, left)
            }
            3 => {
                // A boolean as C makes it.
                let condition = self.condition();
                let (one, zero) = (self.b.i32(1), self.b.i32(0));
                self.b.select(condition, one, zero)
            }
            4 => {
                let condition = self.condition();
                let right = self.leaf();
                self.b.select(condition, left, right)
            }
            5 => {
                let narrow = self.b.convert(ConvertOp::Truncate, left, TypePool::I8);
                let op = if self.random.one_in(2) {
                    ConvertOp::ZeroExtend
                } else {
                    ConvertOp::SignExtend
                };
                self.b.convert(op, narrow, TypePool::I32)
            }
            6 => {
                let byte = self.b.load(self.frame.byte, plain(1));
                let byte = self.b.convert(ConvertOp::ZeroExtend, byte, TypePool::I32);
                self.b.binary(BinaryOp::Xor, left, byte)
            }
            7 => {
                let long = self.b.load(self.frame.long, plain(8));
                self.b.convert(ConvertOp::Truncate, long, TypePool::I32)
            }
            8 => {
                let vector = self.vector();
                self.b.extract(vector, &[self.random.below(4)])
            }
            9 => {
                let float = self.b.load(self.frame.float, plain(4));
                // The bits of NaN are not specified; comparisons see it, too.
                let zero = self.b.zero(TypePool::F32);
                let ops = [CompareOp::FLess, CompareOp::FNotEqual, CompareOp::FEqual];
                let op = ops[self.random.below(3) as usize];
                let less = self.b.compare(op, float, zero);
                let other = self.b.i32(5);
                self.b.select(less, left, other)
            }
            _ => {
                let ops = [
                    BinaryOp::IAdd,
                    BinaryOp::ISub,
                    BinaryOp::IMul,
                    BinaryOp::And,
                    BinaryOp::Or,
                    BinaryOp::Xor,
                ];
                let op = ops[self.random.below(6) as usize];
                let right = if self.random.one_in(8) { left } else { self.leaf() };
                self.b.binary(op, left, right)
            }
        }
    }

    fn vector(&mut self) -> Value {
        let whole = self.b.load(self.frame.vector, plain(16));
        match self.random.below(6) {
            0 => whole,
            1 => {
                let mask: Vec<u32> = (0..4).map(|_| self.random.below(8)).collect();
                let two = self.b.i32(2);
                let place = self.b.access(self.frame.pair, &[two]);
                let other = self.b.load(place, plain(16));
                self.b.shuffle(whole, other, &mask)
            }
            2 => {
                let element = self.leaf();
                self.b.insert(whole, element, &[self.random.below(4)])
            }
            3 => {
                let parts: Vec<Value> = (0..4).map(|_| self.leaf()).collect();
                let ty = self.b.types.vector(TypePool::I32, 4);
                self.b.construct(ty, &parts)
            }
            4 => {
                let scalar = self.leaf();
                let ty = self.b.types.vector(TypePool::I32, 4);
                let splat = self.b.splat(ty, scalar);
                self.b.binary(BinaryOp::IAdd, whole, splat)
            }
            _ => {
                // Vectors make all ones of truth.
                let zero = self.b.zero(self.b.ty(whole));
                let ty = self.b.ty(whole);
                let minus = self.b.i32(-1);
                let ones = self.b.splat(ty, minus);
                let condition = self.b.compare(CompareOp::SLess, whole, zero);
                self.b.select(condition, ones, zero)
            }
        }
    }

    fn condition(&mut self) -> Value {
        let ops = [
            CompareOp::Equal,
            CompareOp::NotEqual,
            CompareOp::SLess,
            CompareOp::SLessEqual,
            CompareOp::ULess,
            CompareOp::UGreater,
            CompareOp::SGreaterEqual,
        ];
        let op = ops[self.random.below(ops.len() as u32) as usize];
        let left = self.leaf();
        let right = if self.random.one_in(3) { self.b.i32(0) } else { self.leaf() };
        let condition = self.b.compare(op, left, right);
        match self.random.below(6) {
            0 => self.b.unary(UnaryOp::Not, condition),
            1 => {
                // `(a < b) != 0`, as C lowers booleans of booleans.
                let (one, zero) = (self.b.i32(1), self.b.i32(0));
                let int = self.b.select(condition, one, zero);
                self.b.compare(CompareOp::NotEqual, int, zero)
            }
            2 => {
                let other = self.leaf();
                let zero = self.b.i32(0);
                let other = self.b.compare(CompareOp::NotEqual, other, zero);
                let op = if self.random.one_in(2) { BinaryOp::And } else { BinaryOp::Or };
                self.b.binary(op, condition, other)
            }
            _ => condition,
        }
    }

    fn statement(&mut self) {
        match self.random.below(16) {
            14 | 15 => self.pun(),
            0 => {
                let value = self.int();
                let value = self.b.convert(ConvertOp::Truncate, value, TypePool::I8);
                self.b.store(self.frame.byte, value, plain(1));
            }
            1 => {
                let value = self.int();
                let value = self.b.convert(ConvertOp::SignExtend, value, TypePool::I64);
                let old = self.b.load(self.frame.long, plain(8));
                let value = self.b.binary(BinaryOp::IMul, value, old);
                self.b.store(self.frame.long, value, plain(8));
            }
            2 => {
                let ops = [BinaryOp::FAdd, BinaryOp::FSub, BinaryOp::FMul, BinaryOp::FDiv];
                let op = ops[self.random.below(4) as usize];
                let old = self.b.load(self.frame.float, plain(4));
                let constants = [0.0f32, -0.0, 1.0, -1.0, 0.5, 3.0, f32::INFINITY, 1e-40];
                let value = constants[self.random.below(8) as usize];
                let bits = u64::from(value.to_bits());
                let value = self.b.consts.intern(clc_ir::Const::Float(TypePool::F32, bits));
                let value = if self.random.one_in(4) {
                    self.b.binary(op, value, old)
                } else {
                    self.b.binary(op, old, value)
                };
                self.b.store(self.frame.float, value, plain(4));
            }
            3 => {
                let vector = self.vector();
                self.b.store(self.frame.vector, vector, plain(16));
            }
            4 => {
                let size = self.b.int(TypePool::I64, 32);
                let (to, from) = (self.frame.pair, self.frame.other_pair);
                let (to, from) = if self.random.one_in(2) { (to, from) } else { (from, to) };
                self.b.copy_memory(to, from, size, plain(16));
            }
            5 => {
                let ty = self.b.types.array(TypePool::I16, 3);
                let _ = (ty, self.pair);
                let one = self.b.i32(1);
                let array = self.b.access(self.frame.pair, &[one]);
                let index = self.b.i32(self.random.below(3) as i32);
                let place = self.b.access(array, &[index]);
                let old = self.b.load(place, plain(2));
                let wide = self.b.convert(ConvertOp::SignExtend, old, TypePool::I32);
                let value = self.int();
                let value = self.b.binary(BinaryOp::IAdd, wide, value);
                let value = self.b.convert(ConvertOp::Truncate, value, TypePool::I16);
                self.b.store(place, value, plain(2));
            }
            6 => {
                // Where the generic pointer points to.
                let generic = self.b.types.pointer(TypePool::I32, StorageClass::Generic);
                let value = match self.random.below(4) {
                    0 => self.b.convert(ConvertOp::ToGeneric, self.frame.ints[3], generic),
                    1 => {
                        let one = self.b.i32(1);
                        let place = self.b.access(self.frame.array, &[one]);
                        self.b.convert(ConvertOp::ToGeneric, place, generic)
                    }
                    _ if self.frame.buffer_class == StorageClass::Generic => self.frame.buffer,
                    _ => self.b.convert(ConvertOp::ToGeneric, self.frame.buffer, generic),
                };
                self.b.store(self.frame.pointer, value, plain(8));
            }
            7 if !self.helpers.is_empty() => {
                let helper = self.helpers[self.random.below(self.helpers.len() as u32) as usize];
                let pointer = self.b.load(self.frame.pointer, plain(8));
                let pointer = if self.frame.buffer_class == StorageClass::Generic {
                    // The pointee may be a single variable; the buffer is long enough.
                    self.frame.buffer
                } else if self.random.one_in(2) {
                    let generic = self.b.ty(pointer);
                    self.b.convert(ConvertOp::ToGeneric, self.frame.buffer, generic)
                } else {
                    let generic = self.b.ty(pointer);
                    let cast = self.b.convert(ConvertOp::ToGeneric, self.frame.buffer, generic);
                    let condition = self.condition();
                    self.b.select(condition, cast, cast)
                };
                let (first, second) = (self.int(), self.int());
                let result = self
                    .b
                    .call(helper, &[pointer, first, second], TypePool::I32)
                    .expect("helpers return integers");
                let place = self.int_variable();
                self.b.store(place, result, plain(4));
            }
            _ => {
                let value = self.int();
                let place = self.place();
                self.b.store(place, value, plain(4));
            }
        }
    }

    /// Accesses the eight bytes of the long as bytes, words or vectors of them.
    fn pun(&mut self) {
        let halves = self.b.types.vector(TypePool::I16, 2);
        let bytes = self.b.types.array(TypePool::I8, 8);
        let words = self.b.types.array(TypePool::I32, 2);
        let vectors = self.b.types.array(halves, 2);
        let whole = self.b.types.vector(TypePool::I8, 8);
        let (ty, parts) =
            [(bytes, 8), (words, 2), (vectors, 2), (whole, 8)][self.random.below(4) as usize];
        let pointer = self.b.types.pointer(ty, StorageClass::Function);
        let base = self.b.bitcast(self.frame.long, pointer);
        let index = self.b.i32(self.random.below(parts) as i32);
        let place = self.b.access(base, &[index]);
        let old = self.b.load(place, plain(1));
        let target = self.int_variable();
        let element = self.b.ty(old);
        if element == halves {
            let word = self.b.convert(ConvertOp::Bitcast, old, TypePool::I32);
            self.b.store(target, word, plain(4));
            let new = self.int();
            let new = self.b.convert(ConvertOp::Bitcast, new, halves);
            self.b.store(place, new, plain(4));
            return;
        }
        let word = match element {
            TypePool::I32 => old,
            _ => self.b.convert(ConvertOp::SignExtend, old, TypePool::I32),
        };
        self.b.store(target, word, plain(4));
        let new = self.int();
        let new = match element {
            TypePool::I32 => new,
            _ => self.b.convert(ConvertOp::Truncate, new, TypePool::I8),
        };
        self.b.store(place, new, plain(1));
    }

    fn terminator(&mut self, blocks: &[Block], index: usize) {
        // Forward more often than back, so that most runs end.
        let target = |maker: &mut Self| {
            let count = blocks.len() as u32;
            if maker.random.one_in(4) || index + 1 >= blocks.len() {
                blocks[maker.random.below(count) as usize]
            } else {
                let ahead = (blocks.len() - index - 1) as u32;
                blocks[index + 1 + maker.random.below(ahead.min(3)) as usize]
            }
        };
        match self.random.below(8) {
            0 => {
                let next = target(self);
                self.b.jump(next, &[]);
            }
            1 => {
                let selector = self.masked(7);
                let default = target(self);
                let default = self.b.call_block(default, &[]);
                let cases = (0..self.random.below(5))
                    .map(|value| {
                        let next = target(self);
                        SwitchCase { value: u64::from(value), target: self.b.call_block(next, &[]) }
                    })
                    .collect();
                self.b.terminate(Terminator::Switch { selector, default, cases });
            }
            2..=5 if index + 1 < blocks.len() => {
                let condition = self.condition();
                let (then, otherwise) = (target(self), target(self));
                self.b.branch(condition, then, otherwise);
            }
            _ => {
                let value = self.int();
                self.b.ret(Some(value));
            }
        }
    }
}
