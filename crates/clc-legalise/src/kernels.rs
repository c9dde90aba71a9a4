//! An entry point may not be called or exported (SPIR-V 2.16.1), while a kernel may call another
//! (OpenCL C 6.11), in another module too: a kernel that is called here or may be elsewhere becomes
//! an ordinary function and a thin entry that calls it.

use clc_base::arena::Id as _;
use clc_ir::{FuncId, Function, InstKind, Linkage, MathFlags, Module, Terminator, TypePool};

/// What stands before the kernel's name in that of its body, for other modules too: drivers take
/// both OpName and the name of the linkage for a symbol, and the entry's symbol is the kernel's name.
/// Modules of clang have the same.
const BODY: &str = "__clang_ocl_kern_imp_";

/// The name that the program has for a function.
pub fn source_name(name: &str) -> &str {
    name.strip_prefix(BODY).unwrap_or(name)
}

pub(crate) fn separate_called_kernels(module: &mut Module) {
    let mut called = vec![false; module.functions.len()];
    for function in module.functions.values() {
        for &block in &function.layout {
            for &inst in &function.blocks[block].insts {
                if let InstKind::Call { callee, .. } = function.insts[inst].kind {
                    called[callee.index()] = true;
                }
            }
        }
    }
    let mut bodies: Vec<Option<FuncId>> = vec![None; called.len()];
    for kernel in module.functions.ids() {
        let body = module.functions.next_id();
        let function = &mut module.functions[kernel];
        if function.is_declaration() && function.entry_point.is_some() {
            function.name.insert_str(0, BODY);
            continue;
        }
        let is_wanted = called[kernel.index()] || function.linkage == Linkage::Export;
        if !is_wanted || function.entry_point.is_none() || function.is_declaration() {
            continue;
        }
        let entry = thin_entry(function, body);
        let mut function = std::mem::replace(&mut module.functions[kernel], entry);
        function.entry_point = None;
        function.name.insert_str(0, BODY);
        module.functions.push(function);
        bodies[kernel.index()] = Some(body);
    }
    if bodies.iter().all(Option::is_none) {
        return;
    }
    for function in module.functions.values_mut() {
        let Function { layout, blocks, insts, .. } = function;
        for &block in layout.iter() {
            for &inst in &blocks[block].insts {
                if let InstKind::Call { callee, .. } = &mut insts[inst].kind
                    && let Some(Some(body)) = bodies.get(callee.index())
                {
                    *callee = *body;
                }
            }
        }
    }
}

/// A kernel that passes its arguments on to `body`.
fn thin_entry(kernel: &Function, body: FuncId) -> Function {
    let mut entry = Function::new(kernel.name.clone(), kernel.result);
    entry.params = kernel.params.clone();
    entry.param_names = kernel.param_names.clone();
    entry.param_attributes = kernel.param_attributes.clone();
    entry.linkage = Linkage::Internal;
    entry.entry_point = kernel.entry_point.clone();
    entry.span = kernel.span;
    let block = entry.add_block();
    let arguments: Vec<_> =
        kernel.params.iter().map(|&ty| entry.add_block_param(block, ty)).collect();
    let arguments = entry.list(&arguments);
    let result = (kernel.result != TypePool::VOID).then_some(kernel.result);
    let call = entry.append(
        block,
        InstKind::Call { callee: body, arguments },
        result,
        MathFlags::NONE,
        kernel.span.into(),
    );
    entry.blocks[block].terminator = Terminator::Return(entry.insts[call].result);
    entry
}
