//! Blocks: a literal becomes a variable with what it captures, its body a function that takes the
//! address of that variable, and device-side enqueue the two together.
//!
//! The value of a block is a `private` pointer to its context; null for a block that captures
//! nothing. The function takes the context as a generic pointer to bytes, as OpEnqueueKernel asks
//! for, and copies what was captured into variables of its own.

use clc_builtins::Intrinsic;
use clc_ir::{Const, ConvertOp, StorageClass, Type, TypePool, Value};
use clc_sema::hir::{self, Constant, ExprId, ExprKind};
use clc_sema::types as source;

use crate::module::{FunctionLowering, Lowering, Slot};
use crate::places::known_align;
use crate::types::{Context, context_struct};

/// Size and alignment of the context, and a pointer, before what is captured. Runtimes made for
/// other compilers read the first two there.
const HEADER: usize = 3;

impl Lowering<'_> {
    /// What a block's function takes first.
    pub(crate) fn context_parameter(&mut self) -> Type {
        self.module.types.pointer(TypePool::I8, StorageClass::Generic)
    }

    fn context(&mut self, id: hir::FuncId) -> Context {
        if let Some(known) = self.contexts.get(&id) {
            return known.clone();
        }
        let hir = self.hir;
        let function = &hir.functions[id];
        let captures = function.block.as_ref().map_or(&[][..], |block| &block.captures);
        let mut fields = Vec::with_capacity(captures.len() + HEADER);
        let pointer = self.context_parameter();
        for (ty, name) in [(TypePool::I32, "size"), (TypePool::I32, "align"), (pointer, "invoke")] {
            fields.push((ty, self.module.types.align(ty), name));
        }
        for capture in captures {
            let local = &function.locals[capture.local];
            let ty = self.lower_type(local.ty.ty);
            let name = local.name.map_or("", |name| self.names.resolve(name));
            fields.push((ty, hir.types.align(local.ty.ty), name));
        }
        let name = format!("{}.context", self.names.resolve(function.name));
        let context = context_struct(&mut self.module.types, name, &fields, HEADER);
        self.contexts.insert(id, context.clone());
        context
    }
}

impl FunctionLowering<'_, '_> {
    /// At the start of a block's function: what was captured, from the context.
    pub(crate) fn load_captures(&mut self, id: hir::FuncId, pointer: Value) {
        let hir = self.cx.hir;
        let Some(block) = &hir.functions[id].block else { return };
        if block.captures.is_empty() {
            return;
        }
        let context = self.cx.context(id);
        let pointer = self.build(|b| {
            let ty = b.types.pointer(context.ty, StorageClass::Generic);
            b.bitcast(pointer, ty)
        });
        for (capture, &(index, align)) in block.captures.iter().zip(&context.captures) {
            let access = self.access_of(known_align(context.align, align).min(align), false);
            let value = self.build(|b| {
                let index = b.i32(index as i32);
                let address = b.access(pointer, &[index]);
                b.load(address, access)
            });
            let slot = if self.is_opaque_value(self.source.locals[capture.local].ty.ty) {
                Slot::Value(value)
            } else {
                let address = self.new_variable(capture.local);
                let access = self.access_of(align, false);
                self.build(|b| b.store(address, value, access));
                Slot::Memory(address)
            };
            self.locals[capture.local.0 as usize] = Some(slot);
        }
    }

    /// The value of a literal: fills a context with what the block uses.
    pub(crate) fn block_literal(&mut self, id: hir::FuncId) -> Value {
        if self.captures_nothing(id) {
            return self.build(|b| {
                let ty = b.types.pointer(TypePool::I8, StorageClass::Function);
                b.zero(ty)
            });
        }
        self.fill_context(id)
    }

    fn captures_nothing(&self, id: hir::FuncId) -> bool {
        let block = &self.cx.hir.functions[id].block;
        block.as_ref().is_none_or(|block| block.captures.is_empty())
    }

    fn fill_context(&mut self, id: hir::FuncId) -> Value {
        let hir = self.cx.hir;
        let context = self.cx.context(id);
        let captures = hir.functions[id].block.as_ref().map_or(&[][..], |block| &block.captures);
        let values: Vec<Value> = captures.iter().map(|capture| self.value(capture.value)).collect();
        let pointer = self.context_variable(id);
        self.build(|b| {
            let header =
                [b.int(TypePool::I32, context.size), b.int(TypePool::I32, context.align), {
                    let ty = b.types.pointer(TypePool::I8, StorageClass::Generic);
                    b.zero(ty)
                }];
            for (index, value) in header.into_iter().enumerate() {
                let index = b.i32(index as i32);
                let address = b.access(pointer, &[index]);
                let align = b.types.align(b.ty(value)) as u32;
                b.store(address, value, clc_ir::MemoryAccess::aligned(align));
            }
        });
        for (&value, &(index, align)) in values.iter().zip(&context.captures) {
            let access = self.access_of(align, false);
            self.build(|b| {
                let index = b.i32(index as i32);
                let address = b.access(pointer, &[index]);
                b.store(address, value, access);
            });
        }
        self.context_address(pointer)
    }

    /// The variable that a literal of this function fills. One is enough: a literal that is
    /// evaluated again, in a loop, ends the life of what it gave before.
    fn context_variable(&mut self, id: hir::FuncId) -> Value {
        if let Some(&known) = self.block_contexts.get(&id) {
            return known;
        }
        let context = self.cx.context(id);
        let variable = self.build(|b| b.variable(context.ty, context.align as u32));
        self.block_contexts.insert(id, variable);
        variable
    }

    fn context_address(&mut self, variable: Value) -> Value {
        self.build(|b| {
            let ty = b.types.pointer(TypePool::I8, StorageClass::Function);
            b.bitcast(variable, ty)
        })
    }

    /// The context of a block that is known to be `id`'s: not by way of the variable that names it,
    /// for drivers look for the context itself.
    fn known_context(&mut self, id: hir::FuncId, block: ExprId) -> Value {
        let value = self.value(block);
        if self.captures_nothing(id) {
            return value;
        }
        let variable = self.context_variable(id);
        self.context_address(variable)
    }

    fn generic_context(&mut self, context: Value) -> Value {
        let ty = self.cx.context_parameter();
        self.build(|b| match b.is_null(context) {
            true => b.zero(ty),
            false => b.convert(ConvertOp::ToGeneric, context, ty),
        })
    }

    pub(crate) fn block_call(
        &mut self,
        id: hir::FuncId,
        block: ExprId,
        arguments: &[ExprId],
        result: source::TypeId,
    ) -> Option<Value> {
        let span = self.span;
        let function = self.cx.function(id, self.span);
        let context = self.known_context(id, block);
        let mut values = vec![self.generic_context(context)];
        for &argument in arguments {
            values.push(self.value(argument));
        }
        self.span = span;
        let result = self.lower_type(result);
        self.build(|b| b.call(function, &values, result))
    }

    /// The arguments of an intrinsic: a block is four of them (SPIR-V's Invoke, Param, Param Size,
    /// Param Align), and sizes of an ND-range that are behind pointers are loaded.
    pub(crate) fn intrinsic_arguments(
        &mut self,
        intrinsic: Intrinsic,
        arguments: &[ExprId],
    ) -> Vec<Value> {
        let mut values = Vec::with_capacity(arguments.len() + 3);
        for &argument in arguments {
            if let ExprKind::EnqueuedBlock { function, block } = self.expr_data(argument).kind {
                self.enqueued_block(function, block, &mut values);
            } else {
                values.push(self.value(argument));
            }
        }
        let dimensions = match intrinsic {
            Intrinsic::BuildNdRange2D => 2,
            Intrinsic::BuildNdRange3D => 3,
            _ => return values,
        };
        let sizes: Vec<Value> =
            values.into_iter().map(|pointer| self.load_sizes(pointer, dimensions)).collect();
        let zero = self.build(|b| {
            let size_t = b.types.size_type();
            let ty = b.types.array(size_t, dimensions);
            b.zero(ty)
        });
        match sizes[..] {
            [global] => vec![global, zero, zero],
            [global, local] => vec![global, local, zero],
            [offset, global, local, ..] => vec![global, local, offset],
            [] => vec![zero, zero, zero],
        }
    }

    fn load_sizes(&mut self, pointer: Value, dimensions: u64) -> Value {
        let align = self.cx.hir.types.pointer_size;
        let access = self.access_of(align, false);
        self.build(|b| {
            let size_t = b.types.size_type();
            let sizes = b.types.array(size_t, dimensions);
            let (_, class) = b.types.pointer_parts(b.ty(pointer)).expect("a pointer");
            let ty = b.types.pointer(sizes, class);
            let pointer = b.bitcast(pointer, ty);
            b.load(pointer, access)
        })
    }

    fn enqueued_block(&mut self, id: hir::FuncId, block: ExprId, values: &mut Vec<Value>) {
        let invoke = self.cx.function(id, self.span);
        let mut context = self.known_context(id, block);
        // Devices copy the context, so there has to be one.
        if self.captures_nothing(id) {
            context = self.fill_context(id);
        }
        let Context { size, align, .. } = self.cx.context(id);
        values.push(self.build(|b| {
            let ty = b.types.pointer(TypePool::I8, StorageClass::Function);
            b.consts.intern(Const::FunctionAddress(ty, invoke))
        }));
        values.push(self.generic_context(context));
        for number in [size, align] {
            values.push(self.build(|b| b.int(TypePool::I32, number)));
        }
    }

    /// A variable of static storage duration that names a block is no object in memory.
    pub(crate) fn is_named_block(&self, place: ExprId) -> bool {
        let expr = self.expr_data(place);
        matches!(expr.kind, ExprKind::Global(global)
            if matches!(self.types().get(expr.ty.ty), source::Type::Block(_))
                && self.cx.hir.globals[global].initializer == Some(Constant::Zero))
    }
}
