//! Structs and unions of the source in Rust, with the same layout: all padding is a field, so that each
//! byte of a value is one, and assertions hold size, alignment and offsets to what they are on the device.

use std::fmt::Write as _;

use clc::reflection::ModuleDescription;
use clc::reflection::module::{Struct, Type, TypeKind};

use crate::names::{Names, identifier};
use crate::vectors::{primitive, vector_name};

/// The structs of a file.
pub(crate) struct Structs<'a> {
    description: &'a ModuleDescription,
    /// By number: the name in Rust; `None` for a struct without a size, and one that no argument has.
    names: Vec<Option<String>>,
    forms: Vec<Form>,
}

/// How a struct is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Members where `repr(C)` puts them, with padding as fields.
    Natural,
    /// `repr(C, packed)`: members are not aligned.
    Packed,
    /// Bytes only: Rust has no such layout.
    Bytes,
    /// `repr(C)`
    Union,
}

/// A field: name, type, and a value that is all zeros.
struct Field {
    name: String,
    ty: String,
    zero: String,
    /// `None` for padding.
    offset: Option<u64>,
}

impl<'a> Structs<'a> {
    pub fn new(description: &'a ModuleDescription) -> Structs<'a> {
        let mut taken = Names::default();
        let reached = reached(description);
        let names = description.structs.iter().enumerate().map(|(index, found)| {
            found.size.filter(|_| reached[index])?;
            let name = match found.name.as_str() {
                "" => format!("Anonymous{index}"),
                name => identifier(name),
            };
            Some(taken.unique(&name))
        });
        let names = names.collect();
        let forms = description.structs.iter().map(form).collect();
        Structs { description, names, forms }
    }

    /// The Rust type of a type, if there is one; `file` leads to the module of the file.
    pub fn rust_type(&self, ty: &Type, file: &str) -> Option<String> {
        let base = match &ty.kind {
            TypeKind::Scalar(scalar) => primitive(*scalar).to_owned(),
            TypeKind::Vector(scalar, count) => {
                format!("{file}::super::vector::{}", vector_name(*scalar, *count))
            }
            TypeKind::Struct(index) => format!("{file}::types::{}", self.name(*index)?),
            // An address on the device.
            TypeKind::Pointer { .. } => self.address(ty)?.to_owned(),
            TypeKind::Void | TypeKind::Opaque(_) => return None,
        };
        in_arrays(base, &ty.dims)
    }

    fn name(&self, index: usize) -> Option<&str> {
        self.names.get(index)?.as_deref()
    }

    fn address(&self, ty: &Type) -> Option<&'static str> {
        let count: u64 = ty.dims.iter().product();
        match ty.size?.checked_div(count)? {
            4 => Some("u32"),
            8 => Some("u64"),
            _ => None,
        }
    }

    /// A value of a type that is all zeros.
    fn zero(&self, ty: &Type) -> Option<String> {
        let base = match &ty.kind {
            TypeKind::Scalar(scalar) => match primitive(*scalar) {
                "f32" | "f64" => "0.0".to_owned(),
                _ => "0".to_owned(),
            },
            TypeKind::Vector(scalar, count) => {
                format!("super::super::vector::{}::ZERO", vector_name(*scalar, *count))
            }
            TypeKind::Struct(index) => format!("{}::ZERO", self.name(*index)?),
            TypeKind::Pointer { .. } => "0".to_owned(),
            TypeKind::Void | TypeKind::Opaque(_) => return None,
        };
        in_arrays(base, &ty.dims)
    }

    /// As [`Structs::rust_type`], for a member of a packed struct, where Rust allows nothing that asks for
    /// an alignment.
    fn packed_type(&self, ty: &Type) -> Option<(String, String)> {
        let plain = match &ty.kind {
            TypeKind::Scalar(_) | TypeKind::Pointer { .. } => true,
            TypeKind::Struct(index) => self.forms.get(*index) == Some(&Form::Packed),
            TypeKind::Vector(..) | TypeKind::Void | TypeKind::Opaque(_) => false,
        };
        match (plain, &ty.kind) {
            (true, _) => Some((self.rust_type(ty, "super")?, self.zero(ty)?)),
            (false, TypeKind::Vector(scalar, count)) => {
                let held = count.next_power_of_two();
                let zero = if scalar.is_float() && scalar.size() > 2 { "0.0" } else { "0" };
                let ty_text = format!("[{}; {held}]", primitive(*scalar));
                let zero = format!("[{zero}; {held}]");
                Some((in_arrays(ty_text, &ty.dims)?, in_arrays(zero, &ty.dims)?))
            }
            (false, _) => Some(bytes(ty.size?)),
        }
    }

    /// The module `types` of a file.
    pub fn declarations(&self) -> String {
        let mut out = String::from("\n    /// Structs of arguments.\n    pub mod types {\n");
        for (index, found) in self.description.structs.iter().enumerate() {
            if let Some(name) = self.name(index) {
                self.declaration(&mut out, found, name, self.forms[index]);
            }
        }
        out.push_str("    }\n");
        out
    }

    fn declaration(&self, out: &mut String, found: &Struct, name: &str, form: Form) {
        let (size, align) = (found.size.unwrap_or_default(), found.align.unwrap_or(1));
        let (form, fields) = match self.fields(found, form) {
            Some(fields) if !fields.is_empty() => (form, fields),
            _ => (Form::Bytes, vec![bytes_field(size)]),
        };
        let (attribute, word) = match form {
            Form::Natural | Form::Bytes => (format!("#[repr(C, align({align}))]"), "struct"),
            Form::Packed => ("#[repr(C, packed)]".to_owned(), "struct"),
            Form::Union => (format!("#[repr(C, align({align}))]"), "union"),
        };
        let source_word = if found.is_union { "union" } else { "struct" };
        let spelled = match found.name.as_str() {
            "" => format!("{source_word} without a name"),
            source if found.is_typedef => source.to_owned(),
            source => format!("{source_word} {source}"),
        };
        let _ = writeln!(
            out,
            "        /// `{spelled}`\n        {attribute}\n        #[derive(Clone, Copy)]\n        \
             pub {word} {name} {{"
        );
        for field in &fields {
            let _ = writeln!(out, "            pub {}: {},", field.name, field.ty);
        }
        let zeros = fields.iter().take(if form == Form::Union { 1 } else { fields.len() });
        let zeros: Vec<String> =
            zeros.map(|field| format!("{}: {}", field.name, field.zero)).collect();
        let _ = writeln!(
            out,
            "        }}\n        impl {name} {{\n            pub const ZERO: Self = Self {{ {} }};\n        }}\n        \
             const _: () = {{\n            assert!(core::mem::size_of::<{name}>() == {size});\n            \
             assert!(core::mem::align_of::<{name}>() == {align});",
            zeros.join(", ")
        );
        for field in &fields {
            if let Some(offset) = field.offset {
                let _ = writeln!(
                    out,
                    "            assert!(core::mem::offset_of!({name}, {}) == {offset});",
                    field.name
                );
            }
        }
        out.push_str("        };\n");
    }

    /// The fields of a struct; `None` where one has no type in Rust and no size.
    fn fields(&self, found: &Struct, form: Form) -> Option<Vec<Field>> {
        if form == Form::Bytes {
            return None;
        }
        let mut names = Names::default();
        // The names of the source first: padding gives way to them.
        let members: Vec<String> = found
            .members
            .iter()
            .enumerate()
            .map(|(index, member)| match member.name.as_str() {
                "" => format!("anonymous{index}"),
                name => identifier(name),
            })
            .map(|name| names.unique(&name))
            .collect();
        let (mut fields, mut end) = (Vec::new(), 0);
        let mut pad = |fields: &mut Vec<Field>, from: u64, to: u64| {
            if to > from {
                let (ty, zero) = bytes(to - from);
                let name = names.unique(&format!("padding{from}"));
                fields.push(Field { name, ty, zero, offset: None });
            }
        };
        for (member, name) in found.members.iter().zip(members) {
            let (offset, size) = (member.offset?, member.ty.size?);
            if form != Form::Union {
                pad(&mut fields, end, offset);
            }
            let typed = match form {
                Form::Packed => self.packed_type(&member.ty),
                Form::Natural | Form::Union | Form::Bytes => {
                    self.rust_type(&member.ty, "super").zip(self.zero(&member.ty))
                }
            };
            let (ty, zero) = typed.unwrap_or_else(|| bytes(size));
            fields.push(Field { name, ty, zero, offset: Some(offset) });
            end = offset + size;
        }
        if form != Form::Union {
            pad(&mut fields, end, found.size?);
        }
        Some(fields)
    }
}

/// By number: whether an argument has or points to a struct. Others are of the compiler's own making.
fn reached(description: &ModuleDescription) -> Vec<bool> {
    let mut reached = vec![false; description.structs.len()];
    let arguments = description.kernels.iter().flat_map(|kernel| &kernel.arguments);
    let mut work: Vec<&Type> = arguments.map(|argument| &argument.ty).collect();
    while let Some(ty) = work.pop() {
        match &ty.kind {
            TypeKind::Pointer { pointee, .. } => work.extend(pointee.as_deref()),
            TypeKind::Struct(index) => {
                let Some(found) = description.structs.get(*index) else { continue };
                if !std::mem::replace(&mut reached[*index], true) {
                    work.extend(found.members.iter().map(|member| &member.ty));
                }
            }
            TypeKind::Void | TypeKind::Scalar(_) | TypeKind::Vector(..) | TypeKind::Opaque(_) => {}
        }
    }
    reached
}

/// Whether Rust has the layout of a struct, and how.
fn form(found: &Struct) -> Form {
    let (Some(size), Some(align)) = (found.size, found.align) else { return Form::Bytes };
    let mut end = 0;
    let (mut is_natural, mut is_ordered) = (true, true);
    for member in &found.members {
        let (Some(offset), Some(bytes)) = (member.offset, member.ty.size) else {
            return Form::Bytes;
        };
        let own = member.ty.align.unwrap_or(1).max(1);
        is_natural &= offset % own == 0 && own <= align;
        is_ordered &= offset >= end;
        end = if found.is_union { 0 } else { offset + bytes };
    }
    is_natural &= size % align.max(1) == 0;
    match (found.is_union, is_natural, is_ordered && end <= size) {
        (true, true, _) => Form::Union,
        (false, true, true) => Form::Natural,
        (false, false, true) if align == 1 => Form::Packed,
        _ => Form::Bytes,
    }
}

fn bytes(count: u64) -> (String, String) {
    (format!("[u8; {count}]"), format!("[0; {count}]"))
}

fn bytes_field(count: u64) -> Field {
    let (ty, zero) = bytes(count);
    Field { name: "bytes".to_owned(), ty, zero, offset: Some(0) }
}

/// A type, or a value, in arrays of these lengths: both are written `[element; length]`.
fn in_arrays(base: String, dims: &[u64]) -> Option<String> {
    // Innermost first.
    dims.iter()
        .rev()
        .try_fold(base, |element, &length| (length > 0).then(|| format!("[{element}; {length}]")))
}
