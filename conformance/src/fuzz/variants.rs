//! Variants of a program that have to give the same results: what never runs is added, values go through
//! functions, and in OpenCL C 2.0 through generic pointers, statements into blocks that always run, names are
//! others, and work-groups of another size where nothing of the program depends on it.
//!
//! A variant has no program of its own: it is computed from the text that is there, so that a program that
//! fails as a variant is reduced as any other.

use std::collections::BTreeSet;

use crate::generate::{Program, Version};
use crate::random::Random;
use crate::tree::{Node, Piece, Role};
use crate::types::Type;

/// Neither is known before a launch; no launch has seven dimensions.
const NEVER: &str = "get_work_dim() == 7";
const ALWAYS: &str = "get_work_dim() < 7";

/// A variant, with the functions that it needs.
pub fn variant(program: &Program) -> Program {
    let text = program.tree.render();
    // Always the same for a program.
    let seed = text.bytes().fold(7, |sum: u64, byte| sum.wrapping_mul(31) + u64::from(byte));
    let prefix = program.kernel.strip_suffix('k').unwrap_or(&program.kernel).to_owned();
    let mut rewriter = Rewriter {
        random: Random::new(seed),
        version: program.version,
        types: BTreeSet::new(),
        prefix: prefix.clone(),
    };
    let mut tree = program.tree.clone();
    for piece in &mut tree.pieces {
        // What is at program scope stays there.
        if let Piece::Node(node) = piece {
            rewriter.inside(node);
        }
    }
    let functions = rewriter.functions();
    tree.pieces.insert(0, Piece::Text(functions));
    rename(&mut tree, &prefix, &program.kernel);
    program.with(tree)
}

/// The size of the work-groups of a variant.
pub fn local_size(program: &Program) -> usize {
    let text = program.tree.render();
    // One use is the declaration.
    let is_asked = text.matches("lid").count() > 1 || text.contains("local ");
    let is_group = text.contains("work_group_") || text.contains("sub_group_");
    match is_asked || is_group || text.contains("barrier") {
        true => program.local,
        false => program.local / 2,
    }
}

struct Rewriter {
    random: Random,
    version: Version,
    /// Of which values go through functions.
    types: BTreeSet<String>,
    prefix: String,
}

impl Rewriter {
    fn inside(&mut self, node: &mut Node) {
        for piece in &mut node.pieces {
            let Piece::Node(child) = piece else { continue };
            self.inside(child);
            match child.role {
                Role::Statement => self.statement(child),
                Role::Value(ty) if self.random.chance(12) => self.value(child, ty),
                Role::Value(_) | Role::Fixed | Role::Arm => {}
            }
        }
    }

    fn statement(&mut self, node: &mut Node) {
        let text = node.render();
        // Barriers stay where they were: the driver has mistakes of its own about them.
        if text.contains("barrier") || text.contains("local ") || text.trim().is_empty() {
            return;
        }
        // A label is there once; what was reduced away is no statement.
        let is_copied =
            !text.contains("goto ") && !text.contains(": ;") && text.ends_with([';', '}']);
        match self.random.below(10) {
            0 if is_copied && text.len() < 2000 => {
                let before = format!("if ({NEVER}) {{ {text} }}\n");
                node.pieces.insert(0, Piece::Text(before));
            }
            1..=2 if self.declares_nothing(&text) => {
                let before = match self.random.chance(50) {
                    true => format!("if ({ALWAYS}) {{ "),
                    // A loop that is left after a turn: nothing in it may mean a loop around it.
                    false if !text.contains("break") && !text.contains("continue") => {
                        node.pieces.push(Piece::Text(format!(" }} while ({NEVER});")));
                        node.pieces.insert(0, Piece::Text("do { ".to_owned()));
                        return;
                    }
                    false => "{ ".to_owned(),
                };
                node.pieces.insert(0, Piece::Text(before));
                node.pieces.push(Piece::Text(" }".to_owned()));
            }
            _ => {}
        }
    }

    /// Whether a statement is one by its first token: declarations begin with words of the language.
    fn declares_nothing(&self, text: &str) -> bool {
        let text = text.trim_start();
        let begins = ["if (", "for (", "switch (", "(void)", "MIX("];
        text.ends_with([';', '}'])
            && (text.starts_with(&self.prefix)
                || begins.iter().any(|begin| text.starts_with(begin)))
    }

    fn value(&mut self, node: &mut Node, ty: Type) {
        let name = ty.name();
        let how = *self.random.pick(&["same", "through"]);
        node.pieces.insert(0, Piece::Text(format!("{}{how}_{name}(", self.prefix)));
        node.pieces.push(Piece::Text(")".to_owned()));
        self.types.insert(name);
    }

    /// The functions that values go through.
    fn functions(&self) -> String {
        let space = match self.version {
            Version::V12 => "private ",
            Version::V20 => "",
        };
        let mut out = String::new();
        for (index, ty) in self.types.iter().enumerate() {
            let prefix = &self.prefix;
            let attribute = if index % 2 == 0 { "__attribute__((noinline)) " } else { "" };
            out.push_str(&format!(
                "{attribute}{ty} {prefix}same_{ty}({ty} x) {{ return x; }}\n\
                 {attribute}void {prefix}put_{ty}({space}{ty} *p, {ty} x) {{ *p = x; }}\n\
                 {ty} {prefix}through_{ty}({ty} x) {{ {ty} y; {prefix}put_{ty}(&y, x); return y; }}\n"
            ));
        }
        out
    }
}

/// Gives all names but the kernel's another beginning.
fn rename(node: &mut Node, prefix: &str, kernel: &str) {
    for piece in &mut node.pieces {
        match piece {
            Piece::Node(node) => rename(node, prefix, kernel),
            Piece::Text(text) => {
                let renamed = text.replace(prefix, &format!("other_{prefix}"));
                *text = renamed.replace(&format!("other_{kernel}("), &format!("{kernel}("));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;

    #[test]
    fn variants_are_others_and_the_same_each_time() {
        for seed in 0..20 {
            let version = if seed % 2 == 0 { Version::V12 } else { Version::V20 };
            let program = Generator::new(seed, format!("p{seed}_"), version, false).program();
            let text = variant(&program).tree.render();
            assert_ne!(text, program.tree.render());
            assert_eq!(text, variant(&program).tree.render());
            assert!(text.contains(&format!("kernel void {}(", program.kernel)));
            assert!(text.contains("get_work_dim()") || text.contains("same_"), "{text}");
        }
    }
}
