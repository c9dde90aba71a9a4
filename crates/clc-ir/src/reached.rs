//! What functions of a module reach: what has to be kept, and what emission writes.

use clc_base::arena::Id as _;

use crate::{
    Block, Const, ConstId, FuncId, Function, GlobalId, InstKind, Linkage, Module, Type, Value,
};

/// Ids in the order in which they are found first.
#[derive(Debug)]
pub struct Reached<'a> {
    module: &'a Module,
    /// Those that the walk began with, and what they call or name.
    pub functions: Vec<FuncId>,
    /// With those that initializers name.
    pub globals: Vec<GlobalId>,
    /// With the constants that they are made of.
    pub consts: Vec<ConstId>,
    /// With the types that they are made of.
    pub types: Vec<Type>,
    seen_functions: Vec<bool>,
    seen_globals: Vec<bool>,
    seen_consts: Vec<bool>,
    seen_types: Vec<bool>,
}

impl<'a> Reached<'a> {
    /// Begins with the functions that `is_root` names and, `with_exports`, with the exported variables.
    pub fn new(
        module: &'a Module,
        is_root: impl Fn(&Function) -> bool,
        with_exports: bool,
    ) -> Reached<'a> {
        let mut reached = Reached {
            module,
            functions: Vec::new(),
            globals: Vec::new(),
            consts: Vec::new(),
            types: Vec::new(),
            seen_functions: vec![false; module.functions.len()],
            seen_globals: vec![false; module.globals.len()],
            seen_consts: vec![false; module.consts.len()],
            seen_types: vec![false; module.types.len()],
        };
        for (id, function) in module.functions.iter() {
            if is_root(function) {
                reached.function(id);
            }
        }
        for (id, global) in module.globals.iter() {
            if with_exports && global.linkage == Linkage::Export {
                reached.global(id);
            }
        }
        reached.close();
        reached
    }

    /// Whether a function is reached.
    pub fn has_function(&self, id: FuncId) -> bool {
        self.seen_functions[id.index()]
    }

    /// Whether a variable is reached.
    pub fn has_global(&self, id: GlobalId) -> bool {
        self.seen_globals[id.index()]
    }

    /// Follows what was found until nothing new is.
    fn close(&mut self) {
        let module = self.module;
        let [mut functions, mut globals, mut consts, mut types] = [0; 4];
        loop {
            if let Some(&id) = self.functions.get(functions) {
                functions += 1;
                self.body(&module.functions[id]);
            } else if let Some(&id) = self.globals.get(globals) {
                globals += 1;
                self.ty(module.globals[id].ty);
                if let Some(value) = module.globals[id].initializer {
                    self.value(value);
                }
            } else if let Some(&id) = self.consts.get(consts) {
                consts += 1;
                self.parts(id);
            } else if let Some(&ty) = self.types.get(types) {
                types += 1;
                module.types.each_part(ty, |part| self.ty(part));
            } else {
                return;
            }
        }
    }

    fn body(&mut self, function: &Function) {
        self.ty(function.result);
        for &param in &function.params {
            self.ty(param);
        }
        for &block in &function.layout {
            self.block(function, block);
        }
    }

    fn block(&mut self, function: &Function, block: Block) {
        for &param in &function.blocks[block].params {
            self.ty(self.module.value_type(function, param));
        }
        for &inst in &function.blocks[block].insts {
            let data = &function.insts[inst];
            if let Some(result) = data.result {
                self.ty(self.module.value_type(function, result));
            }
            if let InstKind::Call { callee, .. } = data.kind {
                self.function(callee);
            }
            function.each_operand(inst, |value| self.value(value));
        }
        function.each_terminator_operand(block, |value| self.value(value));
    }

    fn parts(&mut self, id: ConstId) {
        self.ty(self.module.consts.ty(id));
        match self.module.consts.get(id) {
            Const::GlobalAddress(_, global) => self.global(*global),
            Const::FunctionAddress(_, function) => self.function(*function),
            each => each.each_operand(|value| self.value(value)),
        }
    }

    fn value(&mut self, value: Value) {
        if let Some(id) = value.as_const()
            && !std::mem::replace(&mut self.seen_consts[id.index()], true)
        {
            self.consts.push(id);
        }
    }

    fn function(&mut self, id: FuncId) {
        if !std::mem::replace(&mut self.seen_functions[id.index()], true) {
            self.functions.push(id);
        }
    }

    fn global(&mut self, id: GlobalId) {
        if !std::mem::replace(&mut self.seen_globals[id.index()], true) {
            self.globals.push(id);
        }
    }

    fn ty(&mut self, ty: Type) {
        if !std::mem::replace(&mut self.seen_types[ty.index()], true) {
            self.types.push(ty);
        }
    }
}
