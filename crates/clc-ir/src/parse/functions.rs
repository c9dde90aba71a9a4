//! Functions, blocks and instructions.

use clc_base::lang::GroupExtent;
use clc_base::memory_model::{AtomicOp, BarrierPart, Fence, FenceMemory, Ordering};
use clc_builtins::Intrinsic;

use super::error::Parse;
use super::lexer::{Token, id};
use super::{MAX_ID, Parser};
use crate::names::{FENCE_MEMORY, MATH_FLAGS, Named};
use crate::{
    BinaryOp, Block, BlockCall, BlockData, CompareOp, ConvertOp, EntryPoint, FuncId, Function,
    InstData, InstKind, KernelArgument, LoopControl, LoopHint, MathFlags, MemFlags, MemoryAccess,
    Merge, ParamAttributes, SwitchCase, Terminator, Type, TypePool, UnaryOp, Value, ValueData,
    ValueDef,
};

impl Parser<'_> {
    pub(super) fn function(&mut self) -> Parse<()> {
        self.expect_word("function")?;
        let number = self.id("f")?;
        if number as usize != self.module.functions.len() {
            return self.error("functions are numbered from 0 without gaps");
        }
        let name = self.text()?;
        let mut function = Function::new(name, TypePool::VOID);
        self.expect('(')?;
        while !self.accept(')') {
            if !function.params.is_empty() {
                self.expect(',')?;
            }
            function.params.push(self.ty()?);
            let name = match self.peek() {
                Token::Text(_) => self.text()?,
                _ => String::new(),
            };
            function.param_names.push(name);
            let attributes = self.param_attributes()?;
            function.param_attributes.push(attributes);
        }
        function.result = self.ty()?;
        function.linkage = self.linkage();
        function.always_inline = self.accept_word("always_inline");
        function.no_inline = self.accept_word("no_inline");
        function.is_const = self.accept_word("const");
        function.is_pure = self.accept_word("pure");
        if self.accept_word("kernel") {
            function.entry_point = Some(Box::new(self.entry_point()?));
        }
        if self.accept('{') {
            self.end_line()?;
            self.body(&mut function)?;
        }
        self.end_line()?;
        self.module.functions.push(function);
        Ok(())
    }

    fn param_attributes(&mut self) -> Parse<ParamAttributes> {
        let mut attributes = ParamAttributes::default();
        while let Token::Word(word) = *self.peek() {
            match word {
                "no_write" => attributes.no_write = true,
                "no_alias" => attributes.no_alias = true,
                "volatile" => attributes.volatile = true,
                "by_value" => attributes.by_value = true,
                "sign_extend" => attributes.sign_extend = true,
                "zero_extend" => attributes.zero_extend = true,
                "align" => {
                    self.next += 1;
                    attributes.align = self.number_u32()?;
                    continue;
                }
                _ => return self.error(format!("`{word}` is not an attribute")),
            }
            self.next += 1;
        }
        Ok(attributes)
    }

    fn entry_point(&mut self) -> Parse<EntryPoint> {
        let mut entry_point = EntryPoint { name: self.text()?, ..EntryPoint::default() };
        let three = |parser: &mut Self| {
            Ok([parser.number_u32()?, parser.number_u32()?, parser.number_u32()?])
        };
        while let Token::Word(word) = *self.peek() {
            self.next += 1;
            match word {
                "reqd" => entry_point.reqd_work_group_size = Some(three(self)?),
                "reqd_spec" => {
                    let mut extents = [GroupExtent::Fixed(1); 3];
                    for extent in &mut extents {
                        *extent = match self.accept_word("constant") {
                            true => GroupExtent::Constant {
                                number: self.number_u32()?,
                                default: self.number_u32()?,
                            },
                            false => GroupExtent::Fixed(self.number_u32()?),
                        };
                    }
                    entry_point.work_group_constants = Some(extents);
                }
                "hint" => entry_point.work_group_size_hint = Some(three(self)?),
                "vec_type" => entry_point.vec_type_hint = Some(self.number_u32()?),
                "unsigned" => entry_point.vec_type_unsigned = true,
                "sub_group" => entry_point.sub_group_size = Some(self.number_u32()?),
                "contraction_off" => entry_point.contraction_off = true,
                "arg" => {
                    let (name, type_name) = (self.text()?, self.text()?);
                    let type_qualifiers = self.text()?;
                    let access = if self.accept_word("none") { None } else { Some(self.named()?) };
                    entry_point.arguments.push(KernelArgument {
                        name,
                        type_name,
                        type_qualifiers,
                        access,
                        address_space: self.named()?,
                    });
                }
                _ => return self.error(format!("`{word}` does not describe a kernel")),
            }
        }
        Ok(entry_point)
    }

    fn body(&mut self, function: &mut Function) -> Parse<()> {
        let mut block = None;
        while !self.accept('}') {
            let Token::Word(word) = *self.peek() else {
                return self.error("expected a block, an instruction or `}`");
            };
            if let Some(number) = id(word, "b") {
                self.next += 1;
                let here = self.block_id(function, number)?;
                if function.blocks[here].terminator != Terminator::None {
                    return self.error(format!("`{word}` is here twice"));
                }
                function.layout.push(here);
                self.block_head(function, here)?;
                block = Some(here);
            } else {
                if self.debug_line(function, block, word)? {
                    self.end_line()?;
                    continue;
                }
                let Some(block) = block else {
                    return self.error("an instruction outside of a block");
                };
                if self.terminator(function, block, word)? {
                    self.held = 0;
                    function.blocks[block].location = self.debug_location()?;
                } else {
                    self.inst(function, block)?;
                    self.debug_anchor(function, block);
                }
            }
            self.end_line()?;
        }
        Ok(())
    }

    fn block_id(&mut self, function: &mut Function, number: u32) -> Parse<Block> {
        if number >= MAX_ID {
            return self.error("the block's number is too big");
        }
        while function.blocks.len() <= number as usize {
            function.blocks.push(BlockData::default());
        }
        Ok(Block(number))
    }

    fn define(
        &mut self,
        function: &mut Function,
        number: u32,
        ty: Type,
        def: ValueDef,
    ) -> Parse<Value> {
        if number >= MAX_ID {
            return self.error("the value's number is too big");
        }
        let unset = ValueData { ty: TypePool::VOID, def: ValueDef::Param(Block(0), u32::MAX) };
        if function.values.len() <= number as usize {
            function.values.resize(number as usize + 1, unset);
        }
        function.values[number as usize] = ValueData { ty, def };
        Ok(Value::from_local(number as usize))
    }

    fn block_head(&mut self, function: &mut Function, block: Block) -> Parse<()> {
        if self.accept('(') {
            while !self.accept(')') {
                let position = function.blocks[block].params.len() as u32;
                if position > 0 {
                    self.expect(',')?;
                }
                let number = self.id("v")?;
                self.expect(':')?;
                let ty = self.ty()?;
                let param = self.define(function, number, ty, ValueDef::Param(block, position))?;
                function.blocks[block].params.push(param);
            }
        }
        let control = if self.accept_word("unroll") {
            Some(LoopControl::Unroll)
        } else if self.accept_word("dont_unroll") {
            Some(LoopControl::DontUnroll)
        } else if self.accept_word("unroll_count") {
            Some(LoopControl::UnrollCount(self.number_u32()?))
        } else {
            None
        };
        if let Some(control) = control {
            self.expect_word("merge")?;
            let merge = self.id("b")?;
            let merge = self.block_id(function, merge)?;
            self.expect_word("continue")?;
            let continue_target = self.id("b")?;
            let continue_target = self.block_id(function, continue_target)?;
            function.loop_hints.insert(block, LoopHint { control, merge, continue_target });
        }
        if self.accept_word("selection") {
            let merge = self.id("b")?;
            let merge = self.block_id(function, merge)?;
            function.blocks[block].merge = Some(Merge::Selection { merge });
        } else if self.accept_word("loop") {
            let merge = self.id("b")?;
            let merge = self.block_id(function, merge)?;
            self.expect_word("continue")?;
            let continue_target = self.id("b")?;
            let continue_target = self.block_id(function, continue_target)?;
            function.blocks[block].merge = Some(Merge::Loop { merge, continue_target });
        }
        self.expect(':')
    }

    fn block_call(&mut self, function: &mut Function) -> Parse<BlockCall> {
        let number = self.id("b")?;
        let block = self.block_id(function, number)?;
        let arguments = if self.accept('(') { self.values(')')? } else { Vec::new() };
        Ok(BlockCall { block, arguments: function.list(&arguments) })
    }

    /// Reads a terminator if the line is one.
    fn terminator(&mut self, function: &mut Function, block: Block, word: &str) -> Parse<bool> {
        let terminator = match word {
            "missing" => {
                self.next += 1;
                Terminator::None
            }
            "jump" => {
                self.next += 1;
                Terminator::Jump(self.block_call(function)?)
            }
            "branch" => {
                self.next += 1;
                let condition = self.value()?;
                self.expect(',')?;
                let then = self.block_call(function)?;
                self.expect(',')?;
                let otherwise = self.block_call(function)?;
                Terminator::Branch { condition, then, otherwise }
            }
            "switch" => {
                self.next += 1;
                let selector = self.value()?;
                self.expect(',')?;
                let default = self.block_call(function)?;
                let mut cases = Vec::new();
                self.expect('[')?;
                while !self.accept(']') {
                    if !cases.is_empty() {
                        self.expect(',')?;
                    }
                    let value = self.number()?;
                    self.expect(':')?;
                    cases.push(SwitchCase { value, target: self.block_call(function)? });
                }
                Terminator::Switch { selector, default, cases }
            }
            "return" => {
                self.next += 1;
                let value = match self.peek() {
                    Token::Line | Token::End | Token::Sign('@') => None,
                    _ => Some(self.value()?),
                };
                Terminator::Return(value)
            }
            "unreachable" => {
                self.next += 1;
                Terminator::Unreachable
            }
            _ => return Ok(false),
        };
        function.blocks[block].terminator = terminator;
        Ok(true)
    }

    fn inst(&mut self, function: &mut Function, block: Block) -> Parse<()> {
        let mut result = None;
        if let Token::Word(word) = *self.peek()
            && let Some(number) = id(word, "v")
        {
            self.next += 1;
            self.expect(':')?;
            let ty = self.ty()?;
            self.expect('=')?;
            let def = ValueDef::Inst(function.insts.next_id());
            result = Some(self.define(function, number, ty, def)?);
        }
        let word = self.word()?;
        let kind = self.inst_kind(function, word)?;
        let mut math = 0;
        while let Token::Word(word) = *self.peek() {
            match MATH_FLAGS.iter().find(|(_, name)| *name == word) {
                Some((bit, _)) => math |= bit,
                None => return self.error(format!("`{word}` does not belong here")),
            }
            self.next += 1;
        }
        let location = self.debug_location()?;
        let data = InstData { kind, result, math: MathFlags(math), location };
        let inst = function.insts.push(data);
        function.blocks[block].insts.push(inst);
        Ok(())
    }

    fn two(&mut self) -> Parse<(Value, Value)> {
        let first = self.value()?;
        self.expect(',')?;
        Ok((first, self.value()?))
    }

    fn three(&mut self) -> Parse<(Value, Value, Value)> {
        let (first, second) = self.two()?;
        self.expect(',')?;
        Ok((first, second, self.value()?))
    }

    fn memory_access(&mut self) -> Parse<MemoryAccess> {
        self.expect_word("align")?;
        let align = self.number_u32()?;
        let volatile = self.accept_word("volatile");
        let nontemporal = self.accept_word("nontemporal");
        let typed = self.accept_word("typed");
        let unwritten = self.accept_word("unwritten");
        Ok(MemoryAccess { align, flags: MemFlags { volatile, nontemporal, typed, unwritten } })
    }

    fn ordering(&mut self) -> Parse<Ordering> {
        Ok(Ordering { order: self.named()?, scope: self.named()? })
    }

    fn fence(&mut self) -> Parse<Fence> {
        let mut memory = FenceMemory::NONE;
        for (part, word) in FENCE_MEMORY {
            if self.accept_word(word) {
                memory = memory.union(part);
            }
        }
        let Ordering { order, scope } = self.ordering()?;
        Ok(Fence { memory, order, scope })
    }

    fn inst_kind(&mut self, function: &mut Function, word: &str) -> Parse<InstKind> {
        if let Some(op) = BinaryOp::from_word(word) {
            let (left, right) = self.two()?;
            return Ok(InstKind::Binary { op, left, right });
        }
        if let Some(op) = UnaryOp::from_word(word) {
            return Ok(InstKind::Unary { op, operand: self.value()? });
        }
        if let Some(op) = CompareOp::from_word(word) {
            let (left, right) = self.two()?;
            return Ok(InstKind::Compare { op, left, right });
        }
        if let Some(op) = ConvertOp::from_word(word) {
            let operand = self.value()?;
            let rounding = match *self.peek() {
                Token::Word(word) => Named::from_word(word),
                _ => None,
            };
            self.next += usize::from(rounding.is_some());
            let saturate = self.accept_word("sat");
            return Ok(InstKind::Convert { op, operand, rounding, saturate });
        }
        if let Some(op) = AtomicOp::from_word(word) {
            let (pointer, value) = self.two()?;
            return Ok(InstKind::AtomicModify { op, pointer, value, ordering: self.ordering()? });
        }
        if let Some(part) = BarrierPart::from_word(word) {
            let execution = self.named()?;
            return Ok(InstKind::Barrier { execution, part, fence: self.fence()? });
        }
        Ok(match word {
            "select" => {
                let (condition, then, otherwise) = self.three()?;
                InstKind::Select { condition, then, otherwise }
            }
            "load" => InstKind::Load { pointer: self.value()?, access: self.memory_access()? },
            "store" => {
                let (pointer, value) = self.two()?;
                InstKind::Store { pointer, value, access: self.memory_access()? }
            }
            "copy_memory" => {
                let (destination, source, size) = self.three()?;
                InstKind::CopyMemory { destination, source, size, access: self.memory_access()? }
            }
            "variable" => {
                let ty = self.ty()?;
                self.expect_word("align")?;
                InstKind::Variable { ty, align: self.number_u32()? }
            }
            "ptr_add" => {
                let (base, index) = self.two()?;
                InstKind::PtrAdd { base, index }
            }
            "access" => {
                let base = self.value()?;
                self.expect('[')?;
                let indices = self.values(']')?;
                InstKind::Access { base, indices: function.list(&indices) }
            }
            "extract" => {
                let aggregate = self.value()?;
                let path = self.numbers()?;
                InstKind::Extract { aggregate, path: function.number_list(&path) }
            }
            "insert" => {
                let (aggregate, element) = self.two()?;
                let path = self.numbers()?;
                InstKind::Insert { aggregate, element, path: function.number_list(&path) }
            }
            "extract_dynamic" => {
                let (vector, index) = self.two()?;
                InstKind::ExtractDynamic { vector, index }
            }
            "insert_dynamic" => {
                let (vector, element, index) = self.three()?;
                InstKind::InsertDynamic { vector, element, index }
            }
            "shuffle" => {
                let (left, right) = self.two()?;
                let mask = self.numbers()?;
                InstKind::Shuffle { left, right, mask: function.number_list(&mask) }
            }
            "construct" => {
                self.expect('{')?;
                let parts = self.values('}')?;
                InstKind::Construct { parts: function.list(&parts) }
            }
            "call" => {
                let callee = FuncId(self.id("f")?);
                self.expect('(')?;
                let arguments = self.values(')')?;
                InstKind::Call { callee, arguments: function.list(&arguments) }
            }
            "intrinsic" => {
                let intrinsic = self.intrinsic()?;
                self.expect('(')?;
                let arguments = self.values(')')?;
                InstKind::Intrinsic { intrinsic, arguments: function.list(&arguments) }
            }
            "atomic_load" => {
                InstKind::AtomicLoad { pointer: self.value()?, ordering: self.ordering()? }
            }
            "atomic_store" => {
                let (pointer, value) = self.two()?;
                InstKind::AtomicStore { pointer, value, ordering: self.ordering()? }
            }
            "atomic_compare_exchange" => {
                let (pointer, comparand, desired) = self.three()?;
                InstKind::AtomicCompareExchange {
                    pointer,
                    comparand,
                    desired,
                    ordering: self.ordering()?,
                    failure: self.named()?,
                }
            }
            "fence" => InstKind::Fence(self.fence()?),
            "generic_to" => InstKind::GenericTo { pointer: self.value()?, space: self.named()? },
            _ => return self.error(format!("`{word}` is not an instruction")),
        })
    }

    /// A name such as `Sqrt`, `Atomic(IAdd)` or `VstoreHalf(Some(TowardZero))`.
    fn intrinsic(&mut self) -> Parse<Intrinsic> {
        let name = self.word()?;
        if let Some(intrinsic) = Intrinsic::from_name(name) {
            return Ok(intrinsic);
        }
        let mut name = name.to_owned();
        let mut depth = 0;
        loop {
            match self.advance() {
                Token::Sign('(') => {
                    name.push('(');
                    depth += 1;
                }
                Token::Sign(')') => {
                    name.push(')');
                    depth -= 1;
                }
                Token::Sign(',') => name.push_str(", "),
                Token::Word(word) => name.push_str(word),
                _ => depth = 0,
            }
            if depth == 0 {
                break;
            }
        }
        match Intrinsic::from_name(&name) {
            Some(intrinsic) => Ok(intrinsic),
            None => self.error(format!("`{name}` is not an intrinsic")),
        }
    }
}
