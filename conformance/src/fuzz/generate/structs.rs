//! Types of structs, and constants of them.

use super::{Field, Generator, StructType};
use crate::tree::{Node, Role};
use crate::types::Scalar;

impl Generator {
    pub(super) fn struct_type(&mut self) -> Node {
        let name = self.name("S");
        let mut fields = Vec::new();
        let mut text = format!("struct {name} {{");
        for index in 0..1 + self.random.below(4) {
            let field_name = format!("f{index}");
            let field = loop {
                let field = match self.random.below(10) {
                    0..=1 if !self.structs.is_empty() => {
                        Field::Struct(self.random.below(self.structs.len()))
                    }
                    2..=3 => Field::Array(self.any_type(), 1 << self.random.below(3)),
                    _ => Field::Value(self.any_type()),
                };
                // The driver's own compiler loses a half behind a float in arguments.
                let is_behind_float = fields
                    .last()
                    .is_some_and(|(_, last)| self.outermost(last, true) == Scalar::Float);
                if !is_behind_float || self.outermost(&field, false) != Scalar::Half {
                    break field;
                }
            };
            text.push_str(&match &field {
                Field::Value(ty) => format!(" {} {field_name};", ty.name()),
                Field::Array(ty, n) => format!(" {} {field_name}[{n}];", ty.name()),
                Field::Struct(other) => {
                    format!(" struct {} {field_name};", self.structs[*other].name)
                }
            });
            fields.push((field_name, field));
        }
        let packed = self.random.chance(20);
        text.push_str(if packed { " } __attribute__((packed));" } else { " };" });
        self.structs.push(StructType { name, packed, fields });
        Node::text(Role::Statement, text)
    }

    /// What a field's last numbers are, or its first.
    fn outermost(&self, field: &Field, last: bool) -> Scalar {
        match field {
            Field::Value(ty) | Field::Array(ty, _) => ty.scalar,
            Field::Struct(of) => {
                let fields = &self.structs[*of].fields;
                let (_, field) = &fields[if last { fields.len() - 1 } else { 0 }];
                self.outermost(field, last)
            }
        }
    }

    pub(super) fn constant_struct(&mut self, of: usize) -> String {
        let fields = self.structs[of].fields.clone();
        let values: Vec<String> = fields
            .iter()
            .map(|(_, field)| match field {
                Field::Value(ty) => self.literal(*ty),
                Field::Array(ty, n) => {
                    let values: Vec<String> = (0..*n).map(|_| self.literal(*ty)).collect();
                    format!("{{ {} }}", values.join(", "))
                }
                Field::Struct(other) => self.constant_struct(*other),
            })
            .collect();
        format!("{{ {} }}", values.join(", "))
    }
}
