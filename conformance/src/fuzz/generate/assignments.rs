//! Assignments of all kinds.

use super::Generator;
use crate::tree::Node;
use crate::types::{Scalar, Type};

impl Generator {
    /// An assignment, compound or not, or an increment, whose value has this type.
    pub(super) fn assignment(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let (place, _, roots) = self.write(depth, &|of| of == ty)?;
        let (format, operands) = self.assignment_to(ty, depth);
        self.writes.extend(roots);
        let mut nodes = vec![place];
        nodes.extend(operands);
        Some(self.node(ty, &format!("({format})"), nodes))
    }

    pub(super) fn assignment_to(&mut self, ty: Type, depth: usize) -> (String, Vec<Node>) {
        let scalar = ty.scalar;
        if scalar.is_float() {
            let op = *self.random.pick(&["=", "=", "+=", "-=", "*="]);
            let value = self.value(ty, depth);
            return (format!("@ {op} @"), vec![value]);
        }
        let wraps = !scalar.signed() || (!ty.is_vector() && scalar.bits() < 32);
        if wraps && self.random.chance(20) {
            let format = *self.random.pick(&["@++", "++@", "@--", "--@"]);
            return (format.to_owned(), Vec::new());
        }
        if self.random.chance(45) {
            // The value is converted where a scalar is assigned to.
            let of = if ty.is_vector() || self.random.chance(60) {
                ty
            } else {
                Type::scalar(self.integer())
            };
            let value = self.value(of, depth);
            return ("@ = @".to_owned(), vec![value]);
        }
        let mut ops = vec!["&=", "|=", "^=", ">>="];
        let mut of = ty;
        if wraps {
            ops.extend(["+=", "-=", "<<="]);
            if scalar != Scalar::UShort || ty.is_vector() {
                ops.push("*=");
            }
        } else if !ty.is_vector() {
            ops.extend(["/=", "%="]);
        }
        let op = *self.random.pick(&ops);
        if ty.is_vector() {
            if self.random.chance(25) {
                of = Type::scalar(scalar);
            }
        } else if !matches!(op, "/=" | "%=" | "+=" | "-=" | "*=") && self.random.chance(30) {
            of = Type::scalar(self.integer());
        }
        let value = self.value(of, depth);
        if matches!(op, "/=" | "%=") {
            return (format!("@ {op} ((@ & 63) | 1)"), vec![value]);
        }
        // `short *= short` fits, and so does `char *= char`; a wider sum could not.
        (format!("@ {op} @"), vec![value])
    }
}
