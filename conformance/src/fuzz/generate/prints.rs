//! `printf`, of what is the same however it is written: lines of work-items are sorted before they are compared.

use super::Generator;
use crate::tree::{Node, Role};
use crate::types::{Scalar, Type};

impl Generator {
    /// A line that a work-item prints.
    pub(super) fn print(&mut self) -> Node {
        self.full();
        let mut format = format!("{}:", self.random.below(100));
        let mut arguments = String::new();
        let mut nodes = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let (specification, argument, node) = self.conversion_specification();
            format.push_str(&specification);
            arguments.push_str(", ");
            arguments.push_str(&argument);
            nodes.extend(node);
        }
        if self.random.chance(20) {
            format.push_str(" %%");
        }
        let call = format!("printf(\"{format}\\n\"{arguments});");
        let text = match self.random.below(3) {
            0 => call,
            1 => format!("if (gid == {}) {call}", self.random.below(8)),
            _ => format!("if (lid == {}) {{ {call} }}", self.random.below(4)),
        };
        Node::template(Role::Statement, &text, nodes)
    }

    /// One of them, its argument, and what is in there.
    fn conversion_specification(&mut self) -> (String, String, Vec<Node>) {
        let flags = *self.random.pick(&["", "", "-", "0", "+", " ", "#"]);
        let width = *self.random.pick(&["", "", "5", "12"]);
        match self.random.below(10) {
            0..=2 => {
                let scalar = self.integer();
                let value = self.value(Type::scalar(scalar), 2);
                let length = match scalar.bits() {
                    8 => "hh",
                    16 => "h",
                    32 => "",
                    _ => "l",
                };
                let letter = match scalar.signed() {
                    true => *self.random.pick(&["d", "i"]),
                    false => *self.random.pick(&["u", "x", "X", "o"]),
                };
                // Each flag where it means something.
                let flags = match (flags, scalar.signed(), letter) {
                    ("+" | " ", false, _) | ("#", true, _) | ("#", _, "u") => "",
                    (flags, ..) => flags,
                };
                (format!(" [%{flags}{width}{length}{letter}]"), "@".to_owned(), vec![value])
            }
            3..=4 => {
                let scalar = *self.random.pick(&[Scalar::Int, Scalar::UInt, Scalar::UShort]);
                // The OpenCL driver loses what follows a vector of three.
                let ty = Type::vector(scalar, *self.random.pick(&[2, 4, 8]));
                let value = self.value(ty, 2);
                let length = if scalar == Scalar::UShort { "h" } else { "hl" };
                let letter = if scalar == Scalar::Int { "d" } else { "x" };
                (format!(" {{%v{}{length}{letter}}}", ty.width), "@".to_owned(), vec![value])
            }
            5..=6 => {
                // A number with few digits, so that nothing has to be rounded.
                let value = self.value(Type::scalar(Scalar::Int), 2);
                let flags = if flags == "#" { "" } else { flags };
                let letter = *self.random.pick(&[".2f", ".3f", ".7e", "f"]);
                let argument = "((float)((@ & 4095) - 2000) * 0.25f)".to_owned();
                (format!(" <%{flags}{width}{letter}>"), argument, vec![value])
            }
            7 => {
                let value = self.value(Type::scalar(Scalar::UInt), 2);
                (" %c".to_owned(), "'a' + (int)(@ & 15)".to_owned(), vec![value])
            }
            8 => {
                let text = *self.random.pick(&["text", "", "%d", "a b"]);
                let flags = if flags == "-" { "-" } else { "" };
                (format!(" (%{flags}{width}s)"), format!("\"{text}\""), Vec::new())
            }
            _ => {
                let value = self.value(Type::vector(Scalar::Int, 2), 2);
                let argument = "convert_float2(@ & 255) * 0.5f".to_owned();
                (" /%.1v2hlf/".to_owned(), argument, vec![value])
            }
        }
    }
}
