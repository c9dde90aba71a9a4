//! Types in the words of the source, for diagnostics and kernel argument information.

use std::fmt::Write;

use clc_base::AddressSpace;

use crate::context::Sema;
use crate::types::{Access, FunctionType, QualType, Qualifiers, Type, TypeId};

impl Sema<'_> {
    /// `float4`, `global const int *`, `struct s`.
    pub(crate) fn type_text(&self, ty: TypeId) -> String {
        self.qualified_text(ty.into())
    }

    /// The same with the qualifiers in front.
    pub(crate) fn qualified_text(&self, ty: QualType) -> String {
        self.declaration_text(ty, AddressSpace::Private, String::new())
    }

    /// The type in the way C declares `inner` with it, which lies in `space`; `inner` starts with
    /// a `*` if it derives from the type by a pointer.
    fn declaration_text(&self, ty: QualType, space: AddressSpace, inner: String) -> String {
        // Types nest as deep as the program writes them.
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || {
            self.declaration_text_inner(ty, space, inner)
        })
    }

    fn declaration_text_inner(&self, ty: QualType, space: AddressSpace, inner: String) -> String {
        match self.module.types.get(ty.ty) {
            Type::Pointer { pointee, space: target } => {
                let quals = spelled_qualifiers(ty.quals);
                let own = space_prefix(space);
                let separator = if quals.is_empty() && own.is_empty() { "" } else { " " };
                let mut text = format!("*{own}{quals}");
                text.truncate(text.trim_end().len());
                if !inner.is_empty() && !separator.is_empty() {
                    text.push(' ');
                }
                text.push_str(&inner);
                let wrap = matches!(
                    self.module.types.get(pointee.ty),
                    Type::Array { .. } | Type::Function(_)
                );
                let text = if wrap { format!("({text})") } else { text };
                self.declaration_text(*pointee, *target, text)
            }
            Type::Array { element, len } => {
                let mut text = inner;
                match len {
                    Some(len) => {
                        let _ = write!(text, "[{len}]");
                    }
                    None => text.push_str("[]"),
                }
                self.declaration_text(*element, space, text)
            }
            Type::Function(function) => {
                let text = format!("{inner}({})", self.parameters_text(function));
                self.declaration_text(function.result.into(), AddressSpace::Private, text)
            }
            Type::Block(function) => {
                let text = format!("(^{inner})({})", self.parameters_text(function));
                self.declaration_text(function.result.into(), AddressSpace::Private, text)
            }
            _ => {
                let mut text = format!(
                    "{}{}{}",
                    space_prefix(space),
                    spelled_qualifiers(ty.quals),
                    self.simple_text(ty.ty)
                );
                if !inner.is_empty() {
                    if inner.starts_with(['*', '(']) {
                        text.push(' ');
                    }
                    text.push_str(&inner);
                }
                text
            }
        }
    }

    pub(crate) fn parameters_text(&self, function: &FunctionType) -> String {
        let mut text = String::new();
        for (index, &param) in function.params.iter().enumerate() {
            if index != 0 {
                text.push_str(", ");
            }
            text.push_str(&self.type_text(param));
        }
        if function.variadic {
            text.push_str(if text.is_empty() { "..." } else { ", ..." });
        }
        text
    }

    /// A type that is not derived from another.
    fn simple_text(&self, ty: TypeId) -> String {
        match self.module.types.get(ty) {
            Type::Void => "void".into(),
            Type::Scalar(scalar) => scalar.name().into(),
            Type::Vector(scalar, count) => format!("{}{count}", scalar.name()),
            Type::Record(id) => {
                let record = &self.module.types.records[*id];
                let kind = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{kind} {}", self.interner.resolve(tag)),
                    None => format!("unnamed {kind}"),
                }
            }
            Type::Enum(id) => match self.module.types.enums[*id].tag {
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
                format!("{} pipe {}", access_name(*access), self.type_text(*packet))
            }
            Type::Atomic(scalar) => format!("atomic_{}", scalar.name()),
            Type::AtomicFlag => "atomic_flag".into(),
            Type::Error => "an erroneous type".into(),
            Type::Pointer { .. } | Type::Array { .. } | Type::Function(_) | Type::Block(_) => {
                "a derived type".into()
            }
        }
    }
}

pub(crate) fn access_name(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read_only",
        Access::WriteOnly => "write_only",
        Access::ReadWrite => "read_write",
    }
}

/// Private is what a reader expects where nothing is written.
fn space_prefix(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Private => "",
        AddressSpace::Global => "global ",
        AddressSpace::Local => "local ",
        AddressSpace::Constant => "constant ",
        AddressSpace::Generic => "generic ",
    }
}

fn spelled_qualifiers(quals: Qualifiers) -> String {
    let mut text = String::new();
    for (set, word) in [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
    ] {
        if set {
            text.push_str(word);
        }
    }
    text
}
