//! The text form, read. [`print`](crate::print) writes it.
//!
//! The text need not be well formed, but what it says is not judged here: that is the verifier's.

use std::fmt;

use clc_base::{Span, Version};
use clc_builtins::Intrinsic;
use rustc_hash::FxHashMap;

use crate::names::{FLOAT_FLAGS, Named};
use crate::{
    BinaryOp, Block, BlockCall, BlockData, CompareOp, Const, ConvertOp, EntryPoint, FloatFlags,
    FuncId, Function, Global, GlobalId, ImageType, InstData, InstKind, KernelArgument, Linkage,
    LoopControl, LoopHint, MemFlags, MemoryAccess, Module, ParamAttributes, StructData, StructId,
    SwitchCase, Terminator, Type, TypeKind, TypePool, UnaryOp, Value, ValueData, ValueDef,
};

/// What is wrong with the text, and in which line (counted from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Parse<T> = Result<T, ParseError>;

/// More ids than any sensible text has: keeps a typing error from asking for all memory.
const MAX_ID: u32 = 1 << 24;

#[derive(Clone, Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Text(String),
    Sign(char),
    Line,
    End,
}

/// Reads a module.
pub fn module(text: &str) -> Parse<Module> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        module: Module::new(8, Version::V1_2),
        consts: FxHashMap::default(),
        declared_structs: 0,
    };
    parser.module()?;
    Ok(parser.module)
}

fn tokens(text: &str) -> Parse<Vec<(Token<'_>, usize)>> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            if first == ';' {
                break;
            }
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let length = if is_word(first) {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                tokens.push((Token::Word(&rest[..length]), number));
                length
            } else if first == '"' {
                let (text, length) = string(rest)
                    .ok_or_else(|| ParseError { line: number, message: "bad string".into() })?;
                tokens.push((Token::Text(text), number));
                length
            } else {
                tokens.push((Token::Sign(first), number));
                first.len_utf8()
            };
            rest = rest[length..].trim_start();
        }
        if !matches!(tokens.last(), None | Some((Token::Line, _))) {
            tokens.push((Token::Line, number));
        }
    }
    tokens.push((Token::End, text.lines().count()));
    Ok(tokens)
}

/// A string as Rust's `Debug` writes it, and how long it is with its quotes.
fn string(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    loop {
        let (at, c) = chars.next()?;
        match c {
            '"' => return Some((out, at + 1)),
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                '0' => out.push('\0'),
                'u' => {
                    let mut code = 0u32;
                    loop {
                        match chars.next()?.1 {
                            '{' => {}
                            '}' => break,
                            digit => code = code.checked_mul(16)? + digit.to_digit(16)?,
                        }
                    }
                    out.push(char::from_u32(code)?);
                }
                other => out.push(other),
            },
            c => out.push(c),
        }
    }
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, usize)>,
    next: usize,
    module: Module,
    /// The numbered constants.
    consts: FxHashMap<u32, Value>,
    declared_structs: u32,
}

impl<'a> Parser<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        let line = self.tokens[self.next.min(self.tokens.len() - 1)].1;
        Err(ParseError { line, message: message.into() })
    }

    fn peek(&self) -> &Token<'a> {
        &self.tokens[self.next].0
    }

    fn advance(&mut self) -> Token<'a> {
        let token = self.tokens[self.next].0.clone();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    fn word(&mut self) -> Parse<&'a str> {
        match *self.peek() {
            Token::Word(word) => {
                self.next += 1;
                Ok(word)
            }
            _ => self.error("expected a word"),
        }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if *next == word);
        self.next += usize::from(found);
        found
    }

    fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.accept_word(word) { Ok(()) } else { self.error(format!("expected `{word}`")) }
    }

    fn accept(&mut self, sign: char) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: char) -> Parse<()> {
        if self.accept(sign) { Ok(()) } else { self.error(format!("expected `{sign}`")) }
    }

    fn end_line(&mut self) -> Parse<()> {
        match self.advance() {
            Token::Line => Ok(()),
            Token::End => Ok(()),
            _ => {
                self.next -= 1;
                self.error("expected the end of the line")
            }
        }
    }

    fn text(&mut self) -> Parse<String> {
        match self.advance() {
            Token::Text(text) => Ok(text),
            _ => {
                self.next -= 1;
                self.error("expected a string")
            }
        }
    }

    fn number(&mut self) -> Parse<u64> {
        let word = self.word()?;
        let parsed = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => match word.strip_prefix('-') {
                Some(_) => word.parse::<i64>().ok().map(|value| value as u64),
                None => word.parse().ok(),
            },
        };
        match parsed {
            Some(value) => Ok(value),
            None => self.error(format!("`{word}` is not a number")),
        }
    }

    fn number_u32(&mut self) -> Parse<u32> {
        let number = self.number()?;
        match u32::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => self.error("the number is too big"),
        }
    }

    fn named<T: Named>(&mut self) -> Parse<T> {
        let word = self.word()?;
        match T::from_word(word) {
            Some(value) => Ok(value),
            None => self.error(format!("`{word}` is not known here")),
        }
    }

    /// An id such as `b12` with the given prefix.
    fn id(&mut self, prefix: &str) -> Parse<u32> {
        let word = self.word()?;
        match id(word, prefix) {
            Some(id) => Ok(id),
            None => self.error(format!("expected `{prefix}` and a number, found `{word}`")),
        }
    }

    fn module(&mut self) -> Parse<()> {
        self.expect_word("module")?;
        match self.word()? {
            "ptr32" => self.module.types.pointer_size = 4,
            "ptr64" => self.module.types.pointer_size = 8,
            _ => return self.error("expected `ptr32` or `ptr64`"),
        }
        self.end_line()?;
        // Initializers may name constants that come later.
        let mut initializers = Vec::new();
        loop {
            match self.peek().clone() {
                Token::End => break,
                Token::Line => self.next += 1,
                Token::Word("function") => self.function()?,
                Token::Word(word) if id(word, "struct").is_some() => self.struct_line()?,
                Token::Word(word) if id(word, "g").is_some() => {
                    if let Some(initializer) = self.global()? {
                        initializers.push(initializer);
                    }
                }
                Token::Word(word) if id(word, "c").is_some() => {
                    let number = self.id("c")?;
                    self.expect('=')?;
                    let value = self.constant_line()?;
                    self.consts.insert(number, value);
                    self.end_line()?;
                }
                _ => return self.error("expected a struct, global, constant or function"),
            }
        }
        for (global, place) in initializers {
            self.next = place;
            let value = self.value()?;
            let slot = self.module.globals.values_mut().nth(global);
            slot.expect("the global was made").initializer = Some(value);
        }
        Ok(())
    }

    fn struct_id(&mut self, number: u32) -> Parse<StructId> {
        if number >= MAX_ID {
            return self.error("the struct's number is too big");
        }
        while self.declared_structs <= number {
            self.module.types.declare_struct();
            self.declared_structs += 1;
        }
        Ok(StructId(number))
    }

    fn struct_line(&mut self) -> Parse<()> {
        let number = self.id("struct")?;
        let id = self.struct_id(number)?;
        let name = self.text()?;
        self.expect_word("size")?;
        let size = self.number()?;
        self.expect_word("align")?;
        let align = self.number()?;
        let packed = self.accept_word("packed");
        let mut data = StructData {
            name,
            fields: Vec::new(),
            field_names: Vec::new(),
            offsets: Vec::new(),
            size,
            align,
            packed,
        };
        self.expect('{')?;
        while !self.accept('}') {
            if !data.fields.is_empty() {
                self.expect(',')?;
            }
            data.fields.push(self.ty()?);
            self.expect('@')?;
            data.offsets.push(self.number()?);
            data.field_names.push(self.text()?);
        }
        self.module.types.set_struct(id, data);
        self.end_line()
    }

    fn linkage(&mut self) -> Linkage {
        if self.accept_word("export") {
            Linkage::Export
        } else if self.accept_word("import") {
            Linkage::Import
        } else {
            Linkage::Internal
        }
    }

    /// Returns the global's index and where its initializer is.
    fn global(&mut self) -> Parse<Option<(usize, usize)>> {
        let number = self.id("g")?;
        if number as usize != self.module.globals.len() {
            return self.error("globals are numbered from 0 without gaps");
        }
        let name = self.text()?;
        let class = self.named()?;
        let ty = self.ty()?;
        self.expect_word("align")?;
        let align = self.number_u32()?;
        let is_const = self.accept_word("const");
        let linkage = self.linkage();
        let global = Global {
            name,
            ty,
            class,
            initializer: None,
            align,
            is_const,
            linkage,
            span: Span::NONE,
        };
        self.module.globals.push(global);
        let mut initializer = None;
        if self.accept('=') {
            initializer = Some((number as usize, self.next));
            while !matches!(self.peek(), Token::Line | Token::End) {
                self.next += 1;
            }
        }
        self.end_line()?;
        Ok(initializer)
    }

    fn constant_line(&mut self) -> Parse<Value> {
        let constant = match self.word()? {
            "composite" => {
                let ty = self.ty()?;
                self.expect('{')?;
                Const::Composite(ty, self.values('}')?.into())
            }
            "access" => {
                let ty = self.ty()?;
                let base = self.value()?;
                self.expect_word("step")?;
                let step = self.number()? as i64;
                self.expect('[')?;
                Const::Access { ty, base, step, indices: self.values(']')?.into() }
            }
            "cast" => Const::Cast { ty: self.ty()?, operand: self.value()? },
            _ => return self.error("expected `composite`, `access` or `cast`"),
        };
        Ok(self.module.consts.intern(constant))
    }

    fn ty(&mut self) -> Parse<Type> {
        let mut lengths: Vec<u64> = Vec::new();
        while self.accept('[') {
            let len = self.number()?;
            if len == 0 {
                return self.error("an array has at least one element");
            }
            lengths.push(len);
            self.expect(']')?;
        }
        let word = self.word()?;
        let mut ty = self.type_word(word)?;
        while let Some(len) = lengths.pop() {
            ty = self.module.types.array(ty, len);
        }
        Ok(ty)
    }

    fn type_word(&mut self, word: &str) -> Parse<Type> {
        if let Some(ty) = scalar(word) {
            return Ok(ty);
        }
        if let Some((element, count)) = word.rsplit_once('x')
            && let Some(element) = scalar(element)
            && let Ok(count @ (2 | 3 | 4 | 8 | 16)) = count.parse::<u8>()
        {
            return Ok(self.module.types.vector(element, count));
        }
        if let Some(number) = id(word, "struct") {
            let id = self.struct_id(number)?;
            return Ok(self.module.types.intern(TypeKind::Struct(id)));
        }
        if let Some(kind) = Named::from_word(word) {
            self.expect('(')?;
            let access = self.named()?;
            self.expect(')')?;
            return Ok(self.module.types.intern(TypeKind::Image(ImageType { kind, access })));
        }
        let kind = match word {
            "sampler" => TypeKind::Sampler,
            "event" => TypeKind::Event,
            "device_event" => TypeKind::DeviceEvent,
            "queue" => TypeKind::Queue,
            "reserve_id" => TypeKind::ReserveId,
            "pipe" => {
                self.expect('(')?;
                let access = self.named()?;
                self.expect(')')?;
                TypeKind::Pipe(access)
            }
            "ptr" => {
                self.expect('(')?;
                let class = self.named()?;
                self.expect(',')?;
                let pointee = self.ty()?;
                self.expect(')')?;
                TypeKind::Pointer { pointee, class }
            }
            _ => return self.error(format!("`{word}` is not a type")),
        };
        Ok(self.module.types.intern(kind))
    }

    fn value(&mut self) -> Parse<Value> {
        let start = self.next;
        if let Token::Word(word) = *self.peek() {
            if let Some(number) = id(word, "v").filter(|&number| number < MAX_ID) {
                self.next += 1;
                return Ok(Value::from_local(number as usize));
            }
            if let Some(number) = id(word, "c") {
                self.next += 1;
                return match self.consts.get(&number) {
                    Some(&value) => Ok(value),
                    None => self.error(format!("`{word}` is not defined above")),
                };
            }
            if let Some(number) = id(word, "g") {
                self.next += 1;
                let id = GlobalId(number);
                let Some(global) = self.module.globals.get(id) else {
                    return self.error(format!("there is no `{word}`"));
                };
                let (ty, class) = (global.ty, global.class);
                let ty = self.module.types.pointer(ty, class);
                return Ok(self.module.consts.intern(Const::GlobalAddress(ty, id)));
            }
            if let (Some(number), Some((Token::Word("as"), _))) =
                (id(word, "f"), self.tokens.get(start + 1))
            {
                self.next += 2;
                let ty = self.ty()?;
                return Ok(self.module.consts.intern(Const::FunctionAddress(ty, FuncId(number))));
            }
            let constant = match word {
                "true" => Some(Const::Bool(true)),
                "false" => Some(Const::Bool(false)),
                _ => None,
            };
            if let Some(constant) = constant {
                self.next += 1;
                return Ok(self.module.consts.intern(constant));
            }
            match word {
                "undef" => {
                    self.next += 1;
                    let ty = self.ty()?;
                    return Ok(self.module.consts.intern(Const::Undef(ty)));
                }
                "null" => {
                    self.next += 1;
                    let ty = self.ty()?;
                    return Ok(self.module.consts.intern(Const::Null(ty)));
                }
                "sampler" => {
                    self.next += 1;
                    let bits = self.number_u32()?;
                    let ty = self.module.types.intern(TypeKind::Sampler);
                    return Ok(self.module.consts.intern(Const::Sampler(ty, bits)));
                }
                _ => {}
            }
        }
        let ty = self.ty()?;
        let bits = self.number()?;
        let constant = match self.module.types.kind(ty) {
            TypeKind::Int(64) => Const::Int(ty, bits),
            TypeKind::Int(width) => Const::Int(ty, bits & ((1 << width) - 1)),
            TypeKind::Float(_) => Const::Float(ty, bits),
            _ => return self.error("only integers and floats are written as numbers"),
        };
        Ok(self.module.consts.intern(constant))
    }

    /// Values up to a closing sign.
    fn values(&mut self, close: char) -> Parse<Vec<Value>> {
        let mut values = Vec::new();
        while !self.accept(close) {
            if !values.is_empty() {
                self.expect(',')?;
            }
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn numbers(&mut self) -> Parse<Vec<u32>> {
        self.expect('[')?;
        let mut numbers = Vec::new();
        while !self.accept(']') {
            if !numbers.is_empty() {
                self.expect(',')?;
            }
            numbers.push(if self.accept_word("undef") { u32::MAX } else { self.number_u32()? });
        }
        Ok(numbers)
    }

    fn function(&mut self) -> Parse<()> {
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
                "hint" => entry_point.work_group_size_hint = Some(three(self)?),
                "vec_type" => entry_point.vec_type_hint = Some(self.number_u32()?),
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
                let Some(block) = block else {
                    return self.error("an instruction outside of a block");
                };
                if !self.terminator(function, block, word)? {
                    self.inst(function, block)?;
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
                    Token::Line | Token::End => None,
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
        let mut float = 0;
        while let Token::Word(word) = *self.peek() {
            match FLOAT_FLAGS.iter().find(|(_, name)| *name == word) {
                Some((bit, _)) => float |= bit,
                None => return self.error(format!("`{word}` does not belong here")),
            }
            self.next += 1;
        }
        let data = InstData { kind, result, float: FloatFlags(float), span: Span::NONE };
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
        Ok(MemoryAccess { align, flags: MemFlags { volatile, nontemporal } })
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

fn scalar(word: &str) -> Option<Type> {
    Some(match word {
        "void" => TypePool::VOID,
        "bool" => TypePool::BOOL,
        "i8" => TypePool::I8,
        "i16" => TypePool::I16,
        "i32" => TypePool::I32,
        "i64" => TypePool::I64,
        "f16" => TypePool::F16,
        "f32" => TypePool::F32,
        "f64" => TypePool::F64,
        _ => return None,
    })
}

/// The number of an id such as `b12`.
fn id(word: &str, prefix: &str) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
