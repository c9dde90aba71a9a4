//! What a name means, in Markdown.

use std::fmt::Write as _;
use std::ops::Range;

use clc_base::{Span, Symbol};
use clc_builtins::prose;
use clc_sema::hir::FuncId;
use clc_sema::index::Entity;
use clc_sema::types::{QualType, Type, TypeId};
use clc_syntax::token::{Keyword, TokenKind};

use crate::analysis::Analysis;
use crate::target::TargetKind;

/// How much of the text of a macro is shown.
const MAX_TEXT: usize = 2000;
/// How many members and forms are shown.
const MAX_LINES: usize = 24;

/// What to show beside a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub text: String,
    /// The bytes of the name.
    pub range: Range<u32>,
}

impl Analysis {
    /// What the thing at an offset is.
    pub fn hover(&self, offset: u32) -> Option<Hover> {
        let target = self.target(offset)?;
        let text = match target.kind {
            TargetKind::Entity(entity) => self.describe(entity)?,
            TargetKind::Macro(name, definition) => self.macro_text(name, definition, &target.range),
            TargetKind::Include(file) => format!("`{file}`"),
            TargetKind::Keyword(keyword) => {
                let word =
                    self.text().get(target.range.start as usize..target.range.end as usize)?;
                let lacking = self.lacking_word(word).map(unavailable);
                let known = keyword_text(keyword).map(str::to_owned);
                match (known, lacking) {
                    (Some(known), Some(lacking)) => known + &lacking,
                    (known, lacking) => known.or(lacking)?,
                }
            }
            TargetKind::Type(name) => {
                let lacking = self.lacking_word(&name).map(unavailable).unwrap_or_default();
                self.type_name_text(&name) + &lacking
            }
        };
        Some(Hover { text, range: target.range })
    }

    /// A declaration of a thing and what else is known of it.
    pub(crate) fn describe(&self, entity: Entity) -> Option<String> {
        let mut text = format!("```opencl\n{}\n```", self.declaration(entity)?);
        let name = self.name_of(entity).unwrap_or("");
        match entity {
            Entity::Local(span) => {
                let &(function, local) = self.index.locals.get(&span)?;
                let function = &self.module.functions[function];
                let what = match local.0 < function.param_count {
                    true => "parameter of",
                    false => "variable of",
                };
                let _ = write!(text, "\n\n{what} `{}`", self.name(function.name));
            }
            Entity::Global(global) => {
                let global = &self.module.globals[global];
                let _ = write!(text, "\n\nin `{}` memory", global.space);
            }
            Entity::Function(function) => {
                if self.module.functions[function].body.is_none() {
                    text.push_str("\n\ndeclared, not defined");
                }
            }
            Entity::Member(record, field) => {
                let field =
                    self.module.types.records[record].body.as_ref()?.fields.get(field as usize)?;
                let owner = self.record_text(record);
                let _ = write!(text, "\n\nmember of `{owner}`, at byte {}", field.offset);
            }
            Entity::Builtin(_) => {
                let description = prose::describe(name)?;
                if let Some(summary) = description.summary {
                    let _ = write!(text, "\n\n{summary}");
                }
                for form in description.forms.iter().take(MAX_LINES) {
                    let mut notes: Vec<String> = Vec::new();
                    if !form.types.is_empty() {
                        notes.push(format!("for {}", form.types));
                    }
                    if !form.needs.is_empty() {
                        notes.push(format!("needs {}", form.needs));
                    }
                    if !notes.is_empty() {
                        let signature = signature_text(name, form);
                        let _ = write!(text, "\n\n`{signature}` {}", notes.join("; "));
                    }
                }
                let _ = write!(text, "\n\n{}", description.section);
                if let Some(reason) = clc_builtins::lacking(name, &self.environment()) {
                    text.push_str(&unavailable(format!("`{name}` {reason}")));
                }
            }
            Entity::Predeclared(_) => text.push_str("\n\na constant of the language"),
            Entity::Typedef(_) | Entity::Tag(_) | Entity::Enumerator(_) | Entity::Label(..) => {}
        }
        if let Some(ty) = self.type_of(entity)
            && !matches!(entity, Entity::Function(_))
        {
            self.add_size(ty.ty, &mut text);
        }
        Some(text)
    }

    /// How the source would declare a thing.
    fn declaration(&self, entity: Entity) -> Option<String> {
        let name = self.name_of(entity)?;
        let declared =
            |ty: QualType| clc_sema::declaration_text(&self.module.types, &self.interner, ty, name);
        Some(match entity {
            Entity::Local(_) | Entity::Member(..) => declared(self.type_of(entity)?),
            Entity::Global(global) => {
                let global = &self.module.globals[global];
                format!("{} {}", global.space, declared(global.ty))
            }
            Entity::Typedef(_) => format!("typedef {}", declared(self.type_of(entity)?)),
            Entity::Function(function) => self.function_text(function),
            Entity::Enumerator(span) => format!("{name} = {}", self.index.enumerators.get(&span)?),
            Entity::Tag(ty) => self.tag_text(ty),
            Entity::Label(..) => format!("{name}:"),
            Entity::Predeclared(_) => name.to_owned(),
            Entity::Builtin(_) => {
                let description = prose::describe(name)?;
                let forms = description.forms.iter().take(MAX_LINES);
                let mut lines: Vec<String> = forms.map(|form| signature_text(name, form)).collect();
                lines.dedup();
                lines.join("\n")
            }
        })
    }

    /// `kernel void f(global float *x)`
    pub(crate) fn function_text(&self, id: FuncId) -> String {
        let function = &self.module.functions[id];
        let kernel = if function.kernel.is_some() { "kernel " } else { "" };
        let result = self.type_text(function.result.into());
        let space = if result.ends_with('*') { "" } else { " " };
        let parameters = self.parameter_texts(id).join(", ");
        let parameters = if parameters.is_empty() { "void" } else { &parameters };
        format!("{kernel}{result}{space}{}({parameters})", self.name(function.name))
    }

    /// `global float *x`
    pub(crate) fn parameter_texts(&self, id: FuncId) -> Vec<String> {
        let function = &self.module.functions[id];
        let parameters = function.locals.values().take(function.param_count as usize);
        parameters
            .map(|parameter| {
                let name = parameter.name.map_or("", |name| self.name(name));
                let types = &self.module.types;
                clc_sema::declaration_text(types, &self.interner, parameter.ty, name)
                    .trim_end()
                    .to_owned()
            })
            .collect()
    }

    fn record_text(&self, record: clc_sema::types::RecordId) -> String {
        let record = &self.module.types.records[record];
        let kind = if record.is_union { "union" } else { "struct" };
        match record.tag.or(record.typedef_name) {
            Some(name) => format!("{kind} {}", self.name(name)),
            None => kind.to_owned(),
        }
    }

    fn tag_text(&self, ty: TypeId) -> String {
        match *self.module.types.get(ty) {
            Type::Record(id) => {
                let head = self.record_text(id);
                let Some(body) = &self.module.types.records[id].body else { return head };
                let mut text = format!("{head} {{");
                for field in body.fields.iter().take(MAX_LINES) {
                    let name = field.name.map_or("", |name| self.name(name));
                    let types = &self.module.types;
                    let field = clc_sema::declaration_text(types, &self.interner, field.ty, name);
                    let _ = write!(text, "\n    {field};");
                }
                if body.fields.len() > MAX_LINES {
                    text.push_str("\n    …");
                }
                text.push_str("\n}");
                text
            }
            Type::Enum(id) => {
                let item = &self.module.types.enums[id];
                let mut text = format!("{} {{", self.type_text(ty.into()));
                for (name, value) in item.enumerators.iter().take(MAX_LINES) {
                    let _ = write!(text, "\n    {} = {value},", self.name(*name));
                }
                if item.enumerators.len() > MAX_LINES {
                    text.push_str("\n    …");
                }
                text.push_str("\n}");
                text
            }
            _ => self.type_text(ty.into()),
        }
    }

    fn add_size(&self, ty: TypeId, text: &mut String) {
        if let Some(size) = self.module.types.size(ty) {
            let align = self.module.types.align(ty);
            let bytes = if size == 1 { "byte" } else { "bytes" };
            let _ = write!(text, "\n\n{size} {bytes}, aligned to {align}");
        }
    }

    /// The definition of a macro, and what it becomes at a use.
    fn macro_text(&self, name: Symbol, definition: Span, at: &Range<u32>) -> String {
        let name = self.name(name);
        let Some(place) = self.spelled(definition) else {
            return format!("`{name}` is no macro that is defined here");
        };
        let file = self.sources.files().iter().find(|file| file.name == place.file);
        let line = file.map_or("", |file| directive_text(&file.text, place.range.start as usize));
        let from = match place.file.starts_with('<') {
            true => format!("\n\n{}", place.file.trim_matches(['<', '>'])),
            false => String::new(),
        };
        // Predefined macros are texts without a directive around them.
        let line = match line.trim_start().starts_with('#') {
            true => line.to_owned(),
            false => format!("#define {line}"),
        };
        let mut text = format!("```opencl\n{}\n```{from}", cut(&line));
        let expansion = self.expansion(at);
        if !expansion.is_empty() {
            let _ = write!(text, "\n\nhere\n```opencl\n{}\n```", cut(&expansion));
        }
        text
    }

    /// The tokens that the use of a macro becomes.
    pub(crate) fn expansion(&self, at: &Range<u32>) -> String {
        let mut text = String::new();
        let start = self.position(at.start);
        let is_of_use = |span: Span| {
            let mut lo = span.lo;
            let mut is_made = false;
            while let Some(expansion) = self.sources.expansion_at(lo) {
                lo = expansion.call_site.lo;
                is_made = true;
            }
            is_made && lo == start
        };
        // Arguments keep the places that they were written at: they lie between what the macro made.
        let first = self.tokens.iter().position(|token| is_of_use(token.span));
        let last = self.tokens.iter().rposition(|token| is_of_use(token.span));
        let (Some(first), Some(last)) = (first, last) else { return text };
        for token in &self.tokens[first..=last] {
            if text.len() > MAX_TEXT {
                break;
            }
            let word = match token.kind {
                TokenKind::Identifier(name)
                | TokenKind::Integer(name)
                | TokenKind::Float(name)
                | TokenKind::Char(name)
                | TokenKind::String(name)
                | TokenKind::Pragma(name) => self.name(name),
                TokenKind::Keyword(keyword) => keyword.as_str(),
                TokenKind::Punctuator(sign) => sign.as_str(),
            };
            let tight = matches!(word, "," | ";" | ")" | "]" | "." | "->" | "(" | "[")
                || text.ends_with(['(', '[', '.'])
                || text.ends_with("->");
            if !text.is_empty() && !tight {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    fn type_name_text(&self, name: &str) -> String {
        let digits = name.find(|c: char| c.is_ascii_digit());
        let (element, count) = match digits.filter(|_| !name.ends_with("_t")) {
            Some(at) => (&name[..at], name[at..].parse().unwrap_or(1)),
            None => (name, 1u64),
        };
        let size = match element {
            "char" | "uchar" => 1,
            "short" | "ushort" | "half" => 2,
            "uint" | "int" | "float" => 4,
            "long" | "ulong" | "double" => 8,
            "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t" => self.language.address_bits.bytes(),
            _ => return format!("```opencl\n{name}\n```\n\na type of the language"),
        };
        let bytes = size * count.next_power_of_two();
        let kind = match count {
            1 => "a scalar type".to_owned(),
            count => format!("a vector of {count} components"),
        };
        format!("```opencl\n{name}\n```\n\n{kind}, {bytes} bytes, aligned to {bytes}")
    }
}

/// `T clamp(T, T, T)`
pub(crate) fn signature_text(name: &str, form: &prose::Form) -> String {
    let mut parameters = form.parameters.join(", ");
    if form.variadic {
        parameters.push_str(", ...");
    }
    format!("{} {name}({parameters})", form.result)
}

/// The lines of the directive that an offset is in.
fn directive_text(text: &str, offset: usize) -> &str {
    let offset = offset.min(text.len());
    let start = text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let mut end = offset;
    loop {
        let rest = text.get(end..).unwrap_or("");
        let Some(line) = rest.find('\n') else { return text.get(start..).unwrap_or("") };
        if !rest[..line].trim_end_matches('\r').ends_with('\\') {
            return text.get(start..end + line).unwrap_or("").trim_end();
        }
        end += line + 1;
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

/// What is said of something that the program cannot use.
fn unavailable(reason: String) -> String {
    format!("\n\nnot available here: {reason}")
}

/// What a keyword of OpenCL C is for; nothing of those that C has.
fn keyword_text(keyword: Keyword) -> Option<&'static str> {
    Some(match keyword {
        Keyword::Global => {
            "`global`: memory that all work-items of a launch share, and the host (OpenCL C 6.7.1)"
        }
        Keyword::Local => {
            "`local`: memory that the work-items of a work-group share (OpenCL C 6.7.2)"
        }
        Keyword::Constant => {
            "`constant`: memory that all work-items read and none writes (OpenCL C 6.7.3)"
        }
        Keyword::Private => "`private`: memory of one work-item (OpenCL C 6.7.4)",
        Keyword::Generic => {
            "`generic`: a pointer to global, local or private memory, which of them is known when the program runs (OpenCL C 6.7.5)"
        }
        Keyword::Kernel => "`kernel`: a function that the host launches (OpenCL C 6.9.1)",
        Keyword::ReadOnly => "`read_only`: an image or a pipe that is read (OpenCL C 6.8)",
        Keyword::WriteOnly => "`write_only`: an image or a pipe that is written (OpenCL C 6.8)",
        Keyword::ReadWrite => "`read_write`: an image that is read and written (OpenCL C 6.8)",
        Keyword::Pipe => "`pipe`: packets between kernels (OpenCL C 6.15.17)",
        Keyword::VecStep => {
            "`vec_step`: the number of components of a type, 4 for three (OpenCL C 6.15.13)"
        }
        Keyword::Half => {
            "`half`: a floating-point number of 16 bits; arithmetic needs cl_khr_fp16 (OpenCL C 6.3.1)"
        }
        _ => return None,
    })
}
