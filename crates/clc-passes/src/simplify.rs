use clc_ir::Module;

pub fn run(module: &mut Module) {
    let _ = module;
}
