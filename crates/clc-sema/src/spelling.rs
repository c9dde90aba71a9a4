//! Types as the source spells them, for diagnostics.

use std::fmt::Write;

use clc_base::Interner;

use crate::context::Sema;
use crate::types::{
    Access, FunctionType, MatrixType, QualType, Qualifiers, Type, TypeId, TypeTable,
};

impl Sema<'_> {
    /// `float4`, `global const int *`, `struct s`.
    pub(crate) fn type_text(&self, ty: TypeId) -> String {
        self.qualified_text(ty.into())
    }

    /// The same with the qualifiers in front.
    pub(crate) fn qualified_text(&self, ty: QualType) -> String {
        type_text(&self.module.types, self.interner, ty)
    }
}

/// `float4`, `global const int *`, `struct s`.
pub fn type_text(types: &TypeTable, interner: &Interner, ty: QualType) -> String {
    Spelling { types, interner }.declared_text(ty, String::new(), 0)
}

/// A declaration of `name` with this type: `global float *x`, `int table[4]`.
pub fn declaration_text(
    types: &TypeTable,
    interner: &Interner,
    ty: QualType,
    name: &str,
) -> String {
    Spelling { types, interner }.declared_text(ty, name.to_owned(), 0)
}

struct Spelling<'a> {
    types: &'a TypeTable,
    interner: &'a Interner,
}

impl Spelling<'_> {
    /// `inner` declared with type `ty`, as C's declarators read: from the inside out.
    fn declared_text(&self, ty: QualType, inner: String, depth: u32) -> String {
        // Types so deep are unreadable, and the text would grow with every level.
        if depth > 16 {
            return format!("… {inner}");
        }
        let qualifiers = qualifiers_text(ty.quals);
        match self.types.get(ty.ty) {
            Type::Pointer { pointee, space } => {
                let inner = match (qualifiers.is_empty(), inner.is_empty()) {
                    (true, _) => format!("*{inner}"),
                    (false, true) => format!("*{}", qualifiers.trim_end()),
                    (false, false) => format!("*{qualifiers}{inner}"),
                };
                match self.types.get(pointee.ty) {
                    Type::Array { .. } | Type::Function(_) => {
                        format!(
                            "{space} {}",
                            self.declared_text(*pointee, format!("({inner})"), depth + 1)
                        )
                    }
                    Type::Pointer { .. } => {
                        self.declared_text(*pointee, format!("{space} {inner}"), depth + 1)
                    }
                    _ => format!("{space} {}", self.declared_text(*pointee, inner, depth + 1)),
                }
            }
            Type::Array { element, len } => {
                let length = len.map_or(String::new(), |len| len.to_string());
                let element = QualType { ty: element.ty, quals: element.quals.union(ty.quals) };
                self.declared_text(element, format!("{inner}[{length}]"), depth + 1)
            }
            Type::Function(function) => self.function_text(function, inner, depth),
            Type::Block(function) => {
                self.function_text(function, format!("(^{qualifiers}{inner})"), depth)
            }
            _ => {
                let name = self.plain_text(ty.ty);
                let space = if inner.is_empty() { "" } else { " " };
                format!("{qualifiers}{name}{space}{inner}")
            }
        }
    }

    fn function_text(&self, function: &FunctionType, inner: String, depth: u32) -> String {
        let mut parameters = String::new();
        for (index, &parameter) in function.params.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let text = self.declared_text(parameter.into(), String::new(), depth + 1);
            let _ = write!(parameters, "{comma}{text}");
        }
        if function.variadic {
            parameters.push_str(if function.params.is_empty() { "..." } else { ", ..." });
        } else if function.params.is_empty() {
            parameters.push_str("void");
        }
        self.declared_text(function.result.into(), format!("{inner}({parameters})"), depth + 1)
    }

    /// A type whose spelling has no declarator, so that it is the same in every context.
    fn plain_text(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Void => "void".into(),
            Type::Scalar(scalar) => scalar.name().into(),
            Type::Vector(element, count) => format!("{}{count}", element.name()),
            Type::Record(id) => {
                let record = &self.types.records[*id];
                let kind = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{kind} {}", self.interner.resolve(tag)),
                    None => match record.typedef_name {
                        Some(name) => self.interner.resolve(name).to_owned(),
                        None => format!("unnamed {kind}"),
                    },
                }
            }
            Type::Enum(id) => match self.types.enums[*id].tag {
                Some(tag) => format!("enum {}", self.interner.resolve(tag)),
                None => "unnamed enum".into(),
            },
            Type::Image(kind, access) => format!("{} {}", access_name(*access), kind.name()),
            Type::Sampler => "sampler_t".into(),
            Type::Event => "event_t".into(),
            Type::Queue => "queue_t".into(),
            Type::ClkEvent => "clk_event_t".into(),
            Type::NdRange => "ndrange_t".into(),
            Type::ReserveId => "reserve_id_t".into(),
            Type::Pipe { packet, access } => {
                format!("{} pipe {}", access_name(*access), self.plain_text(*packet))
            }
            Type::Atomic(scalar) => format!("atomic_{}", scalar.name()),
            Type::AtomicFlag => "atomic_flag".into(),
            Type::Matrix(matrix) => {
                let MatrixType { element, rows, columns, role } = matrix;
                format!("{} coop_mat({rows}, {columns}, {role:?})", element.name())
            }
            Type::MatrixOfContext => "cooperative matrix".into(),
            Type::Error => "<unknown>".into(),
            Type::Pointer { .. } | Type::Array { .. } | Type::Function(_) | Type::Block(_) => {
                self.declared_text(ty.into(), String::new(), 0)
            }
        }
    }
}

/// `read_only`
pub(crate) fn access_name(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read_only",
        Access::WriteOnly => "write_only",
        Access::ReadWrite => "read_write",
    }
}

/// `const volatile `, each followed by a blank.
fn qualifiers_text(quals: Qualifiers) -> String {
    let mut text = String::new();
    for (written, keyword) in [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
    ] {
        if written {
            text.push_str(keyword);
        }
    }
    text
}
