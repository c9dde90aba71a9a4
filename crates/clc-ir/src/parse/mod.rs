//! The text form, read. [`print`](crate::print) writes it.
//!
//! The text need not be well formed, but what it says is not judged here: that is the verifier's.

mod debug;
mod error;
mod functions;
mod lexer;

use clc_base::{Span, Version};
use rustc_hash::FxHashMap;

use crate::names::Named;
use crate::{
    Const, FuncId, Global, GlobalId, ImageType, Linkage, MatrixType, Module, StructData, StructId,
    Type, TypeKind, Value,
};
use error::Parse;
pub use error::ParseError;
use lexer::{Token, id, scalar, tokens};

/// More ids than any sensible text has: keeps a typing error from asking for all memory.
const MAX_ID: u32 = 1 << 24;

/// Reads a module.
pub fn module(text: &str) -> Parse<Module> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        module: Module::new(8, Version::V1_2),
        consts: FxHashMap::default(),
        structs: Vec::new(),
        are_structs_complete: false,
        held: 0,
    };
    parser.module()?;
    Ok(parser.module)
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, usize)>,
    next: usize,
    module: Module,
    /// The numbered constants.
    consts: FxHashMap<u32, Value>,
    /// The bodies of the structs, each with its token, until all were read.
    structs: Vec<Option<(StructData, usize)>>,
    are_structs_complete: bool,
    /// Lines about variables that the next instruction comes behind.
    held: usize,
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
            let is_struct =
                matches!(self.peek(), Token::Word(word) if id(word, "struct").is_some());
            if !self.are_structs_complete && !is_struct && *self.peek() != Token::Line {
                self.complete_structs()?;
            }
            match self.peek().clone() {
                Token::End => break,
                Token::Line => self.next += 1,
                Token::Word("function") => self.function()?,
                Token::Word("debug") => self.debug_tables()?,
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
        // Each has a line of its own.
        if number as usize >= self.tokens.len() {
            return self.error("the struct's number is too big");
        }
        while self.structs.len() <= number as usize {
            if self.are_structs_complete {
                return self.error(format!("`struct{number}` has no line"));
            }
            self.module.types.declare_struct();
            self.structs.push(None);
        }
        Ok(StructId(number))
    }

    /// Gives the structs their bodies, each behind those of which it has members: its alignment is
    /// made of theirs.
    fn complete_structs(&mut self) -> Parse<()> {
        self.are_structs_complete = true;
        if let Some(number) = self.structs.iter().position(Option::is_none) {
            return self.error(format!("`struct{number}` has no line"));
        }
        let mut is_open = vec![false; self.structs.len()];
        for first in 0..self.structs.len() {
            // Structs whose members are being completed, and the next member.
            let mut open = vec![(first, 0)];
            while let Some((number, member)) = open.last_mut() {
                let (number, index) = (*number, *member);
                // Complete already.
                let Some((data, place)) = &self.structs[number] else {
                    open.pop();
                    continue;
                };
                let Some(&field) = data.fields.get(index) else {
                    if let Some((data, _)) = self.structs[number].take() {
                        self.module.types.set_struct(StructId(number as u32), data);
                    }
                    open.pop();
                    continue;
                };
                if index == 0 {
                    is_open[number] = true;
                }
                *member += 1;
                let mut inner = field;
                while let TypeKind::Array(element, _) = self.module.types.kind(inner) {
                    inner = element;
                }
                if let TypeKind::Struct(inner) = self.module.types.kind(inner)
                    && self.structs[inner.0 as usize].is_some()
                {
                    if is_open[inner.0 as usize] {
                        self.next = *place;
                        return self.error(format!("`struct{}` is a part of itself", inner.0));
                    }
                    open.push((inner.0 as usize, 0));
                }
            }
        }
        Ok(())
    }

    fn struct_line(&mut self) -> Parse<()> {
        let place = self.next;
        let number = self.id("struct")?;
        if self.are_structs_complete {
            return self.error("structs come before what has their types");
        }
        self.struct_id(number)?;
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
        if self.structs[number as usize].replace((data, place)).is_some() {
            self.next = place;
            return self.error(format!("`struct{number}` has two lines"));
        }
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
            let texel = if self.accept(',') { Some(self.named()?) } else { None };
            self.expect(')')?;
            let image = ImageType { kind, access, texel };
            return Ok(self.module.types.intern(TypeKind::Image(image)));
        }
        let kind = match word {
            "sampler" => TypeKind::Sampler,
            "event" => TypeKind::Event,
            "device_event" => TypeKind::DeviceEvent,
            "queue" => TypeKind::Queue,
            "reserve_id" => TypeKind::ReserveId,
            "ndrange" => TypeKind::NdRange,
            "pipe" => {
                self.expect('(')?;
                let access = self.named()?;
                self.expect(')')?;
                TypeKind::Pipe(access)
            }
            "matrix" => {
                self.expect('(')?;
                let element = self.ty()?;
                self.expect(',')?;
                let rows = self.number_u32()?;
                self.expect(',')?;
                let columns = self.number_u32()?;
                self.expect(',')?;
                let role = self.named()?;
                let is_signed = self.accept(',');
                if is_signed {
                    self.expect_word("signed")?;
                }
                self.expect(')')?;
                let types = &self.module.types;
                let is_number =
                    matches!(types.kind(element), TypeKind::Float(_) | TypeKind::Int(_))
                        && !(is_signed && types.is_float(element));
                if !is_number || rows == 0 || columns == 0 {
                    return self.error("a matrix has rows and columns of numbers");
                }
                TypeKind::Matrix(MatrixType { element, is_signed, rows, columns, role })
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
                "descriptor" => {
                    self.next += 1;
                    let ty = self.ty()?;
                    let (set, binding) = (self.number_u32()?, self.number_u32()?);
                    let descriptor = Const::Descriptor { ty, set, binding };
                    return Ok(self.module.consts.intern(descriptor));
                }
                "spec" => {
                    self.next += 1;
                    let ty = self.ty()?;
                    let (id, default) = (self.number_u32()?, self.number_u32()?);
                    return Ok(self.module.consts.intern(Const::Spec { ty, id, default }));
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
}
