//! The text form, written. [`parse`](crate::parse) reads it back.
//!
//! Scalar constants stand where they are used; composite and address constants that something
//! uses are numbered in a section of their own. Values and blocks keep their ids. Source
//! locations are left out where there is no debug information.

/// Appends to the printer's text, which cannot fail. Defined before the modules that use it.
macro_rules! put {
    ($printer:expr, $($arguments:tt)*) => {
        let _ = write!($printer.out, $($arguments)*);
    };
}

mod debug;
mod functions;

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::names::Named;
use crate::{
    Const, ConstId, Function, Global, GlobalId, Inst, Linkage, Module, Type, TypeKind, TypePool,
    Value,
};

/// Appends the text of a module.
pub fn module(module: &Module, out: &mut String) {
    let mut printer = Printer { module, out, numbers: FxHashMap::default() };
    printer.number_constants();
    printer.module();
}

/// The text of one type.
pub fn type_text(types: &TypePool, ty: Type) -> String {
    let mut out = String::new();
    write_type(types, ty, &mut out);
    out
}

/// The text of one instruction, without a line break; for messages about it.
pub fn inst_text(module: &Module, function: &Function, inst: Inst) -> String {
    let mut out = String::new();
    let mut printer = Printer { module, out: &mut out, numbers: FxHashMap::default() };
    printer.inst(function, inst);
    out
}

struct Printer<'a> {
    module: &'a Module,
    out: &'a mut String,
    /// Numbers of the constants that have a line of their own.
    numbers: FxHashMap<ConstId, u32>,
}

impl Printer<'_> {
    /// Constants that only debug information mentions come last, so that they change no other line.
    fn number_constants(&mut self) {
        let mut used = vec![false; self.module.consts.len()];
        let mut work = Vec::new();
        let mut mark = |value: Value, work: &mut Vec<ConstId>| {
            if let Some(id) = value.as_const()
                && !std::mem::replace(&mut used[id.0 as usize], true)
            {
                work.push(id);
            }
        };
        for global in self.module.globals.values() {
            if let Some(value) = global.initializer {
                mark(value, &mut work);
            }
        }
        for function in self.module.functions.values() {
            for &block in &function.layout {
                for &inst in &function.blocks[block].insts {
                    function.each_operand(inst, |value| mark(value, &mut work));
                }
                function.each_terminator_operand(block, |value| mark(value, &mut work));
            }
        }
        self.number_marked(&mut used, work);
        let mark = |value: Value| value.as_const().filter(|id| !used[id.0 as usize]);
        let mut work: Vec<ConstId> = Vec::new();
        for debug in self.module.functions.values().filter_map(|it| it.debug.as_deref()) {
            work.extend(debug.memory.iter().filter_map(|entry| mark(entry.address)));
            work.extend(debug.values.iter().filter_map(|entry| mark(entry.value?)));
        }
        work.iter().for_each(|id| used[id.0 as usize] = true);
        self.number_marked(&mut used, work);
    }

    /// Numbers those that are `used` and have no number, with what `work` is made of.
    fn number_marked(&mut self, used: &mut [bool], mut work: Vec<ConstId>) {
        while let Some(id) = work.pop() {
            self.module.consts.get(id).each_operand(|part| {
                if let Some(id) = part.as_const()
                    && !std::mem::replace(&mut used[id.0 as usize], true)
                {
                    work.push(id);
                }
            });
        }
        for (id, constant) in self.module.consts.iter() {
            let has_line = matches!(
                constant,
                Const::Composite(..) | Const::Access { .. } | Const::Cast { .. }
            );
            if used[id.0 as usize] && has_line && !self.numbers.contains_key(&id) {
                let number = self.numbers.len() as u32;
                self.numbers.insert(id, number);
            }
        }
    }

    fn module(&mut self) {
        put!(self, "module ptr{}\n", self.module.types.pointer_size * 8);
        for (id, data) in self.module.types.structs() {
            let Some(data) = data else { continue };
            put!(self, "{id} {:?} size {} align {}", data.name, data.size, data.align);
            if data.packed {
                put!(self, " packed");
            }
            put!(self, " {{");
            for (index, &field) in data.fields.iter().enumerate() {
                put!(self, "{}", if index == 0 { " " } else { ", " });
                self.ty(field);
                put!(self, " @{} {:?}", data.offsets[index], data.field_names[index]);
            }
            put!(self, " }}\n");
        }
        for (id, global) in self.module.globals.iter() {
            self.global(id, global);
        }
        let mut numbered: Vec<(u32, ConstId)> =
            self.numbers.iter().map(|(&id, &number)| (number, id)).collect();
        numbered.sort_unstable();
        for (number, id) in numbered {
            put!(self, "c{number} = ");
            self.constant_line(id);
            put!(self, "\n");
        }
        if let Some(tables) = &self.module.debug {
            self.debug_tables(tables);
        }
        for (id, function) in self.module.functions.iter() {
            put!(self, "\n");
            self.function(id, function);
        }
    }

    fn global(&mut self, id: GlobalId, global: &Global) {
        put!(self, "{id} {:?} {} ", global.name, global.class.word());
        self.ty(global.ty);
        put!(self, " align {}", global.align);
        if global.is_const {
            put!(self, " const");
        }
        self.linkage(global.linkage);
        if let Some(value) = global.initializer {
            put!(self, " = ");
            self.value(value);
        }
        put!(self, "\n");
    }

    fn linkage(&mut self, linkage: Linkage) {
        match linkage {
            Linkage::Internal => {}
            Linkage::Export => {
                put!(self, " export");
            }
            Linkage::Import => {
                put!(self, " import");
            }
        }
    }

    fn constant_line(&mut self, id: ConstId) {
        match self.module.consts.get(id) {
            Const::Composite(ty, parts) => {
                put!(self, "composite ");
                self.ty(*ty);
                put!(self, " {{");
                self.values(parts.iter().copied());
                put!(self, "}}");
            }
            Const::Access { ty, base, step, indices } => {
                put!(self, "access ");
                self.ty(*ty);
                put!(self, " ");
                self.value(*base);
                put!(self, " step {step} [");
                self.values(indices.iter().copied());
                put!(self, "]");
            }
            Const::Cast { ty, operand } => {
                put!(self, "cast ");
                self.ty(*ty);
                put!(self, " ");
                self.value(*operand);
            }
            Const::Undef(_)
            | Const::Null(_)
            | Const::Bool(_)
            | Const::Int(..)
            | Const::Float(..)
            | Const::Sampler(..)
            | Const::Descriptor { .. }
            | Const::Spec { .. }
            | Const::GlobalAddress(..)
            | Const::FunctionAddress(..) => self.value(Value::from_const(id)),
        }
    }

    fn ty(&mut self, ty: Type) {
        write_type(&self.module.types, ty, self.out);
    }

    fn value(&mut self, value: Value) {
        let Some(id) = value.as_const() else {
            put!(self, "{value}");
            return;
        };
        match self.module.consts.get(id) {
            Const::Undef(ty) => {
                put!(self, "undef ");
                self.ty(*ty);
            }
            Const::Null(ty) => {
                put!(self, "null ");
                self.ty(*ty);
            }
            Const::Bool(value) => {
                put!(self, "{value}");
            }
            Const::Int(ty, bits) => {
                let width = self.module.types.scalar_bits(*ty).unwrap_or(64);
                let signed = (*bits as i64) << (64 - width) >> (64 - width);
                self.ty(*ty);
                put!(self, " {signed}");
            }
            Const::Float(ty, bits) => {
                self.ty(*ty);
                put!(self, " 0x{bits:x}");
            }
            Const::Sampler(_, bits) => {
                put!(self, "sampler {bits}");
            }
            Const::Descriptor { ty, set, binding } => {
                put!(self, "descriptor ");
                self.ty(*ty);
                put!(self, " {set} {binding}");
            }
            Const::Spec { ty, id, default } => {
                put!(self, "spec ");
                self.ty(*ty);
                put!(self, " {id} {default}");
            }
            Const::GlobalAddress(_, global) => {
                put!(self, "{global}");
            }
            Const::FunctionAddress(ty, function) => {
                put!(self, "{function} as ");
                self.ty(*ty);
            }
            Const::Composite(..) | Const::Access { .. } | Const::Cast { .. } => {
                match self.numbers.get(&id) {
                    Some(number) => {
                        put!(self, "c{number}");
                    }
                    None => {
                        put!(self, "(");
                        self.constant_line(id);
                        put!(self, ")");
                    }
                }
            }
        }
    }

    fn values(&mut self, values: impl Iterator<Item = Value>) {
        for (index, value) in values.enumerate() {
            if index > 0 {
                put!(self, ", ");
            }
            self.value(value);
        }
    }
}

fn write_type(types: &TypePool, ty: Type, out: &mut String) {
    let mut ty = ty;
    // Pointers and arrays nest by user's choice; this loop, not recursion, follows them.
    let mut closing = 0;
    loop {
        let written = match types.kind(ty) {
            TypeKind::Void => write!(out, "void"),
            TypeKind::Bool => write!(out, "bool"),
            TypeKind::Int(bits) => write!(out, "i{bits}"),
            TypeKind::Float(bits) => write!(out, "f{bits}"),
            TypeKind::Vector(element, count) => {
                write_type(types, element, out);
                write!(out, "x{count}")
            }
            TypeKind::Array(element, len) => {
                let _ = write!(out, "[{len}]");
                ty = element;
                continue;
            }
            TypeKind::Struct(id) => write!(out, "{id}"),
            TypeKind::Pointer { pointee, class } => {
                let _ = write!(out, "ptr({}, ", class.word());
                closing += 1;
                ty = pointee;
                continue;
            }
            TypeKind::Image(image) => {
                let _ = write!(out, "{}({}", image.kind.word(), image.access.word());
                if let Some(texel) = image.texel {
                    let _ = write!(out, ", {}", texel.word());
                }
                write!(out, ")")
            }
            TypeKind::Sampler => write!(out, "sampler"),
            TypeKind::Event => write!(out, "event"),
            TypeKind::DeviceEvent => write!(out, "device_event"),
            TypeKind::Queue => write!(out, "queue"),
            TypeKind::ReserveId => write!(out, "reserve_id"),
            TypeKind::NdRange => write!(out, "ndrange"),
            TypeKind::Pipe(access) => write!(out, "pipe({})", access.word()),
            TypeKind::Matrix(matrix) => {
                let _ = write!(out, "matrix(");
                write_type(types, matrix.element, out);
                let _ =
                    write!(out, ", {}, {}, {}", matrix.rows, matrix.columns, matrix.role.word());
                write!(out, "{})", if matrix.is_signed { ", signed" } else { "" })
            }
        };
        let _ = written;
        break;
    }
    for _ in 0..closing {
        out.push(')');
    }
}
