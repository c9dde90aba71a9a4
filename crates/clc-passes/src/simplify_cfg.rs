use clc_ir::Module;

pub fn run(module: &mut Module) {
    let _ = module;
}

pub fn unreachable_blocks(module: &mut Module) {
    let _ = module;
}
