//! Blocks that are enqueued, in the form that OpenCL drivers take.
//!
//! The specification of SPIR-V leaves open what becomes of the operands of OpEnqueueKernel and of
//! the kernel queries; drivers know one form, that of the translator between LLVM and SPIR-V:
//!
//! * the invoke function is an entry point, and its name ends in `_block_invoke_kernel`;
//! * an ND-range is the address of one in Function storage;
//! * sizes of local memory are the addresses of the elements of one array of `size_t`.

use clc_base::arena::Id as _;
use clc_builtins::Intrinsic;
use clc_ir::{
    Const, ConstPool, ConvertOp, EntryPoint, FuncId, Function, Inst, InstKind, Linkage, MathFlags,
    MemoryAccess, Module, StorageClass, Type, TypeKind, TypePool, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Operands of OpEnqueueKernel before the sizes of local memory.
const FIRST_SIZE: usize = 10;

pub(crate) fn prepare_enqueued(module: &mut Module) {
    let has_enqueued =
        module.consts.iter().any(|(_, constant)| matches!(constant, Const::FunctionAddress(..)));
    if !has_enqueued {
        return;
    }
    let mut enqueued = vec![false; module.functions.len()];
    let Module { types, consts, functions, .. } = module;
    for function in functions.values_mut() {
        operands(types, consts, function, &mut enqueued);
    }
    let mut names: FxHashSet<String> = module
        .functions
        .values()
        .filter_map(|function| Some(function.entry_point.as_deref()?.name.clone()))
        .collect();
    let mut counts: FxHashMap<String, u32> = FxHashMap::default();
    for id in (0..enqueued.len()).filter(|&index| enqueued[index]).map(FuncId::from_index) {
        let function = &mut module.functions[id];
        // `k.block` and `k.block.1` are blocks of `k`.
        let parent = function.name.split(".block").next().unwrap_or_default().replace('.', "_");
        let name = loop {
            let count = counts.entry(parent.clone()).or_insert(0);
            *count += 1;
            let name = match *count {
                1 => format!("__{parent}_block_invoke_kernel"),
                count => format!("__{parent}_block_invoke_{count}_kernel"),
            };
            if names.insert(name.clone()) {
                break name;
            }
        };
        function.name = name.clone();
        function.linkage = Linkage::Internal;
        function.entry_point = Some(Box::new(EntryPoint { name, ..EntryPoint::default() }));
    }
}

/// Whether an entry point has the name of a block's function.
pub fn is_block_name(name: &str) -> bool {
    name.starts_with("__") && name.contains("_block_invoke") && name.ends_with("_kernel")
}

/// Whether an intrinsic has an ND-range that drivers want the address of, and where.
fn nd_range_operand(intrinsic: Intrinsic) -> Option<usize> {
    match intrinsic {
        Intrinsic::EnqueueKernel => Some(2),
        Intrinsic::GetKernelSubGroupCount | Intrinsic::GetKernelMaxSubGroupSize => Some(0),
        _ => None,
    }
}

fn takes_block(intrinsic: Intrinsic) -> bool {
    nd_range_operand(intrinsic).is_some()
        || matches!(
            intrinsic,
            Intrinsic::GetKernelWorkGroupSize | Intrinsic::GetKernelPreferredWorkGroupSizeMultiple
        )
}

/// Rewrites the operands in one function; notes which functions are enqueued.
fn operands(
    types: &mut TypePool,
    consts: &mut ConstPool,
    function: &mut Function,
    enqueued: &mut [bool],
) {
    for index in 0..function.layout.len() {
        let block = function.layout[index];
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut rewritten = Vec::with_capacity(insts.len());
        for inst in insts {
            if let InstKind::Intrinsic { intrinsic, arguments } = function.insts[inst].kind
                && takes_block(intrinsic)
            {
                let mut values: Vec<Value> = function.values_of(arguments).collect();
                for value in &values {
                    if let Some(id) = value.as_const()
                        && let Const::FunctionAddress(_, invoke) = *consts.get(id)
                    {
                        enqueued[invoke.index()] = true;
                    }
                }
                let mut spill = Spill { types, consts, function, out: &mut rewritten, at: inst };
                if let Some(position) = nd_range_operand(intrinsic) {
                    values[position] = spill.nd_range(values[position]);
                }
                if values.len() > FIRST_SIZE && intrinsic == Intrinsic::EnqueueKernel {
                    let sizes = spill.sizes(&values[FIRST_SIZE..]);
                    values.truncate(FIRST_SIZE);
                    values.extend(sizes);
                }
                let arguments = function.list(&values);
                function.insts[inst].kind = InstKind::Intrinsic { intrinsic, arguments };
            }
            rewritten.push(inst);
        }
        // Variables that were made meanwhile are in the entry block already.
        let made = std::mem::replace(&mut function.blocks[block].insts, rewritten);
        function.blocks[block].insts.splice(0..0, made);
    }
}

/// Puts values into memory before an instruction.
struct Spill<'a> {
    types: &'a mut TypePool,
    consts: &'a mut ConstPool,
    function: &'a mut Function,
    out: &'a mut Vec<Inst>,
    at: Inst,
}

impl Spill<'_> {
    fn variable(&mut self, ty: Type) -> Value {
        let align = self.types.align(ty) as u32;
        let pointer = self.types.pointer(ty, StorageClass::Function);
        let location = self.function.insts[self.at].location;
        let kind = InstKind::Variable { ty, align };
        let inst = self.function.create_inst(kind, Some(pointer), MathFlags::NONE, location);
        let entry = self.function.entry();
        self.function.blocks[entry].insts.insert(0, inst);
        self.function.insts[inst].result.expect("a variable has an address")
    }

    fn push(&mut self, kind: InstKind, ty: Option<Type>) -> Option<Value> {
        let location = self.function.insts[self.at].location;
        let inst = self.function.create_inst(kind, ty, MathFlags::NONE, location);
        self.out.push(inst);
        self.function.insts[inst].result
    }

    fn store(&mut self, pointer: Value, value: Value, ty: Type) {
        let align = self.types.align(ty) as u32;
        let access = MemoryAccess::aligned(align);
        self.push(InstKind::Store { pointer, value, access }, None);
    }

    fn nd_range(&mut self, value: Value) -> Value {
        let ty = self.types.intern(TypeKind::NdRange);
        let pointer = self.variable(ty);
        self.store(pointer, value, ty);
        pointer
    }

    /// The addresses of the sizes, which are 32-bit numbers.
    fn sizes(&mut self, sizes: &[Value]) -> Vec<Value> {
        let size_t = self.types.size_type();
        let array = self.types.array(size_t, sizes.len() as u64);
        let variable = self.variable(array);
        let element = self.types.pointer(size_t, StorageClass::Function);
        let mut addresses = Vec::with_capacity(sizes.len());
        for (index, &size) in sizes.iter().enumerate() {
            let index = self.consts.intern(Const::Int(TypePool::I32, index as u64));
            let indices = self.function.list(&[index]);
            let access = InstKind::Access { base: variable, indices };
            let Some(address) = self.push(access, Some(element)) else { continue };
            let size = self.widened(size, size_t);
            self.store(address, size, size_t);
            addresses.push(address);
        }
        addresses
    }

    fn widened(&mut self, size: Value, size_t: Type) -> Value {
        if size_t == TypePool::I32 {
            return size;
        }
        if let Some(id) = size.as_const()
            && let Const::Int(_, bits) = *self.consts.get(id)
        {
            return self.consts.intern(Const::Int(size_t, bits));
        }
        let kind = InstKind::Convert {
            op: ConvertOp::ZeroExtend,
            operand: size,
            rounding: None,
            saturate: false,
        };
        self.push(kind, Some(size_t)).unwrap_or(size)
    }
}
