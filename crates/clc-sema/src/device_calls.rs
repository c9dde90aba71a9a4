//! Arguments that calls of pipe functions and of device-side enqueue have beyond their overload:
//! sizes of packets (OpenCL C 6.15.17), and which block is meant (OpenCL C 6.15.18).

use clc_base::{AddressSpace, Diagnostic, Span, Symbol};
use clc_builtins::{Intrinsic, features};

use crate::context::{ConversionContext, Sema};
use crate::diagnostics::builtins::*;
use crate::hir::{self, ExprKind, FuncId};
use crate::types::{QualType, Qualifiers, Type, TypeId, TypeTable};

impl Sema<'_> {
    /// The arguments of the intrinsic that a call becomes. `values` are the call's arguments as
    /// they were before conversion. `None` after reporting a mistake.
    pub(crate) fn completed_arguments(
        &mut self,
        intrinsic: Intrinsic,
        name: Symbol,
        values: &[hir::ExprId],
        arguments: Vec<hir::ExprId>,
    ) -> Option<Vec<hir::ExprId>> {
        match intrinsic {
            Intrinsic::ReadPipe
            | Intrinsic::WritePipe
            | Intrinsic::ReservedReadPipe
            | Intrinsic::ReservedWritePipe => {
                let pointer = *values.last()?;
                self.check_packet_pointer(name, values[0], pointer)?;
                self.with_packet_size(values[0], arguments)
            }
            Intrinsic::ReserveReadPipe
            | Intrinsic::ReserveWritePipe
            | Intrinsic::CommitReadPipe
            | Intrinsic::CommitWritePipe
            | Intrinsic::GetPipeNumPackets
            | Intrinsic::GetPipeMaxPackets
            | Intrinsic::WorkGroupReserveReadPipe
            | Intrinsic::WorkGroupReserveWritePipe
            | Intrinsic::WorkGroupCommitReadPipe
            | Intrinsic::WorkGroupCommitWritePipe
            | Intrinsic::SubGroupReserveReadPipe
            | Intrinsic::SubGroupReserveWritePipe
            | Intrinsic::SubGroupCommitReadPipe
            | Intrinsic::SubGroupCommitWritePipe => self.with_packet_size(values[0], arguments),
            Intrinsic::EnqueueKernel => self.enqueue_arguments(name, arguments),
            Intrinsic::GetKernelWorkGroupSize
            | Intrinsic::GetKernelPreferredWorkGroupSizeMultiple
            | Intrinsic::GetKernelSubGroupCount
            | Intrinsic::GetKernelMaxSubGroupSize => {
                let mut arguments = arguments;
                let block = arguments.pop()?;
                let function = self.enqueued_block(name, block)?;
                arguments.push(self.block_argument(function, block));
                Some(arguments)
            }
            Intrinsic::SpecConstant => self.spec_constant(arguments),
            _ => Some(arguments),
        }
    }

    fn packet(&self, pipe: hir::ExprId) -> Option<TypeId> {
        match self.module.types.get(self.ty(pipe)) {
            Type::Pipe { packet, .. } => Some(*packet),
            _ => None,
        }
    }

    /// Size and alignment of the packet follow the call's own arguments.
    fn with_packet_size(
        &mut self,
        pipe: hir::ExprId,
        mut arguments: Vec<hir::ExprId>,
    ) -> Option<Vec<hir::ExprId>> {
        let packet = self.packet(pipe)?;
        let span = self.span(pipe);
        let types = &self.module.types;
        for number in [types.size(packet)?, types.align(packet)] {
            arguments.push(self.push_expr(ExprKind::Constant(number), TypeTable::UINT, span));
        }
        Some(arguments)
    }

    /// The pointer of `read_pipe` and `write_pipe` points to a packet.
    fn check_packet_pointer(
        &mut self,
        name: Symbol,
        pipe: hir::ExprId,
        pointer: hir::ExprId,
    ) -> Option<()> {
        let packet = self.packet(pipe)?;
        let pointee = self.module.types.as_pointer(self.ty(pointer)).map(|(pointee, _)| pointee.ty);
        if pointee == Some(packet) && !self.is_null_constant(pointer) {
            return Some(());
        }
        let (text, given) = (self.type_text(packet), self.type_text(self.ty(pointer)));
        let name = self.interner.resolve(name);
        let message = format!("`{name}` needs a pointer to `{text}`, the packet of the pipe");
        let diagnostic = Diagnostic::new(&E0510, self.span(pointer), message)
            .at(format!("this is `{given}`"))
            .label(self.span(pipe), format!("the packets of this pipe are `{text}`"));
        self.report(diagnostic);
        None
    }

    /// `enqueue_kernel` in the form that has everything: queue, flags, ND-range, number of events,
    /// events, event, block, sizes of local memory.
    fn enqueue_arguments(
        &mut self,
        name: Symbol,
        mut arguments: Vec<hir::ExprId>,
    ) -> Option<Vec<hir::ExprId>> {
        let is_block =
            |&value: &hir::ExprId| matches!(self.module.types.get(self.ty(value)), Type::Block(_));
        let position = arguments.iter().position(is_block)?;
        let sizes = arguments.split_off(position + 1);
        let block = arguments.pop()?;
        let function = self.enqueued_block(name, block)?;
        let count = self.module.functions[function].param_count as usize;
        if sizes.len() != count {
            let message = match (count, sizes.len()) {
                (0, _) => "the block has no parameters, so there are no sizes to give".to_owned(),
                (1, 0) => "the size for the block's parameter is missing".to_owned(),
                (_, 0) => format!("the sizes for the block's {count} parameters are missing"),
                (1, given) => format!("the block has one parameter, {given} sizes are given"),
                (_, given) => {
                    format!("the block has {count} parameters, the sizes given are {given}")
                }
            };
            let span = sizes.first().map_or(self.span(block), |&size| self.span(size));
            let diagnostic = Diagnostic::new(&E0511, span, message)
                .at(if sizes.is_empty() {
                    "no size follows this block"
                } else {
                    "the sizes begin here"
                })
                .help("after the block comes a size in bytes for each of its parameters");
            self.report(diagnostic);
            return None;
        }
        let span = self.span(block);
        if position == 3 {
            let none = self.push_expr(ExprKind::Constant(0), TypeTable::UINT, span);
            arguments.push(none);
            let event = self.module.types.intern(Type::ClkEvent);
            for is_const in [true, false] {
                let quals = Qualifiers { is_const, ..Qualifiers::NONE };
                let pointee = QualType { ty: event, quals };
                let ty = self.module.types.pointer(pointee, AddressSpace::Generic);
                arguments.push(self.push_expr(ExprKind::Null, ty, span));
            }
        }
        arguments.push(self.block_argument(function, block));
        for (index, size) in sizes.into_iter().enumerate() {
            let index = position + 1 + index;
            let context =
                ConversionContext::Argument { index, callee: name, parameter: Span::NONE };
            let ty = self.ty(size);
            if !self.module.types.as_scalar(ty).is_some_and(|scalar| scalar.is_integer()) {
                let text = self.type_text(ty);
                let message = format!("a size of local memory is an integer, not `{text}`");
                self.report(Diagnostic::new(&E0511, self.span(size), message).at("not an integer"));
                return None;
            }
            let size = self.implicit_convert(size, TypeTable::UINT, context);
            arguments.push(size);
        }
        Some(arguments)
    }

    fn block_argument(&mut self, function: FuncId, block: hir::ExprId) -> hir::ExprId {
        let (ty, span) = (self.ty(block), self.span(block));
        self.push_expr(ExprKind::EnqueuedBlock { function, block }, ty, span)
    }

    /// The function of a block that can be enqueued; reports if it cannot.
    fn enqueued_block(&mut self, name: Symbol, block: hir::ExprId) -> Option<FuncId> {
        let function = self.known_block(block)?;
        let Type::Block(ty) = self.module.types.get(self.ty(block)) else { return None };
        let ty = ty.clone();
        let text = self.interner.resolve(name).to_owned();
        if ty.result != TypeTable::VOID {
            let result = self.type_text(ty.result);
            let message = format!("`{text}` takes a block that returns `void`, not `{result}`");
            // What follows is checked all the same: it is about other parts of the call.
            self.report(
                Diagnostic::new(&E0511, self.span(block), message)
                    .at(format!("this block returns `{result}`")),
            );
        }
        let any_pointee =
            self.options.extensions.contains(features::DEVICE_ENQUEUE_LOCAL_ARG_TYPES);
        for (index, &param) in ty.params.iter().enumerate() {
            let fits = matches!(
                self.module.types.as_pointer(param),
                Some((pointee, AddressSpace::Local))
                    if any_pointee || pointee.ty == TypeTable::VOID
            );
            if fits {
                continue;
            }
            let param_text = self.type_text(param);
            let message = format!(
                "parameter {} of the block is `{param_text}`; an enqueued block takes `local void *`",
                index + 1
            );
            let declared = self.module.functions[function].locals[hir::LocalId(index as u32)].span;
            let diagnostic = Diagnostic::new(&E0511, self.span(block), message)
                .at(format!("takes `{param_text}`"))
                .label(declared, "declared here");
            let is_local =
                matches!(self.module.types.as_pointer(param), Some((_, AddressSpace::Local)));
            self.report(if is_local {
                diagnostic.help(
                    "take `local void *` and convert it in the block; other types need \
                     `cl_khr_device_enqueue_local_arg_types`",
                )
            } else {
                diagnostic.help("use the variable in the block: it is captured")
            });
            return None;
        }
        self.warn_of_captured_memory(&text, function, block);
        Some(function)
    }

    /// What an enqueued block captures must outlive the kernel that enqueues it.
    fn warn_of_captured_memory(&mut self, name: &str, function: FuncId, block: hir::ExprId) {
        if !name.starts_with("enqueue") {
            return;
        }
        let captures = match &self.module.functions[function].block {
            Some(block) => block.captures.clone(),
            None => return,
        };
        for capture in captures {
            let Some((_, space @ (AddressSpace::Local | AddressSpace::Private))) =
                self.module.types.as_pointer(self.ty(capture.value))
            else {
                continue;
            };
            let message =
                format!("an enqueued block uses a pointer to `{space}` memory of its parent");
            let diagnostic = Diagnostic::new(&W0510, self.span(capture.value), message)
                .at(format!("a `{space}` pointer is captured"))
                .label(self.span(block), "enqueued here")
                .note("that memory may be gone when the block runs (OpenCL C 6.15.18.1)");
            let diagnostic = match space {
                AddressSpace::Local => {
                    diagnostic.help("give the block a parameter `local void *` and its size")
                }
                _ => diagnostic.help("copy what is needed into a variable, which is captured"),
            };
            self.report(diagnostic);
        }
    }
}
