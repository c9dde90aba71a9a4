//! Taking away from a failing program what its failure does not need.

use std::time::{Duration, Instant};

use crate::generate::Program;
use crate::tree::{Node, Piece, Role};
use crate::types::Type;

/// When to be content with what there is.
const LIMIT: Duration = Duration::from_secs(240);

/// The smallest program found that still fails.
pub fn reduce(program: &Program, fails: &dyn Fn(&Program) -> bool) -> Program {
    let start = Instant::now();
    let mut best = program.with(program.tree.clone());
    let mut attempt = |best: &mut Program, tree: Node| -> bool {
        if start.elapsed() > LIMIT {
            return false;
        }
        let smaller = best.with(tree);
        let still = fails(&smaller);
        if still {
            *best = smaller;
        }
        still
    };
    loop {
        let before = best.tree.render().len();
        statements(&mut best, &mut attempt);
        bodies(&mut best, &mut attempt);
        values(&mut best, &mut attempt);
        if best.tree.render().len() == before || start.elapsed() > LIMIT {
            return best;
        }
    }
}

type Attempt<'a> = dyn FnMut(&mut Program, Node) -> bool + 'a;

fn roles(program: &Program) -> Vec<Role> {
    let mut roles = Vec::new();
    program.tree.roles(&mut roles);
    roles
}

/// Deletes statements, many at once first.
fn statements(best: &mut Program, attempt: &mut Attempt) {
    let removable = |program: &Program| -> Vec<usize> {
        let roles = roles(program);
        let may_go = |index: &usize| matches!(roles[*index], Role::Statement | Role::Arm);
        (0..roles.len()).filter(may_go).collect()
    };
    let mut chunk = removable(best).len().div_ceil(2).max(1);
    loop {
        // From the end, so that uses go before declarations.
        let mut end = removable(best).len();
        while end > 0 {
            let all = removable(best);
            end = end.min(all.len());
            let from = end.saturating_sub(chunk);
            let mut tree = best.tree.clone();
            for &index in &all[from..end] {
                remove(&mut tree, index);
            }
            attempt(best, tree);
            end = from;
        }
        if chunk == 1 {
            return;
        }
        chunk = chunk.div_ceil(2);
    }
}

/// Puts the statements of a block in the place of the statement that has it.
fn bodies(best: &mut Program, attempt: &mut Attempt) {
    let mut index = 0;
    while let Some(&role) = roles(best).get(index) {
        if role == Role::Statement {
            let mut tree = best.tree.clone();
            let mut n = index;
            let mut inner = Vec::new();
            if let Some(node) = tree.nth(&mut n) {
                node.nearest(Role::Statement, &mut inner);
                if !inner.is_empty() {
                    node.role = Role::Fixed;
                    node.pieces = vec![Piece::Text("{".to_owned())];
                    node.pieces.extend(inner.iter().cloned().map(Piece::Node));
                    node.pieces.push(Piece::Text("}".to_owned()));
                }
            }
            if !inner.is_empty() {
                attempt(best, tree);
            }
        }
        index += 1;
    }
}

/// Empties a node, keeping its place in the count.
fn remove(tree: &mut Node, index: usize) {
    let mut n = index;
    if let Some(node) = tree.nth(&mut n) {
        fn empty(node: &mut Node) {
            node.pieces.retain(|piece| matches!(piece, Piece::Node(_)));
            node.role = Role::Fixed;
            for piece in &mut node.pieces {
                if let Piece::Node(node) = piece {
                    empty(node);
                }
            }
        }
        empty(node);
    }
}

/// Puts constants and operands in the place of expressions.
fn values(best: &mut Program, attempt: &mut Attempt) {
    let mut index = 0;
    loop {
        let roles = roles(best);
        let Some(&role) = roles.get(index) else { return };
        if let Role::Value(ty) = role {
            let mut n = index;
            let mut tree = best.tree.clone();
            let Some(node) = tree.nth(&mut n) else { return };
            let text = node.render();
            let mut instead = vec![Node::text(role, constant(ty, 1))];
            // A floating-point zero differs by itself on a driver that takes no account of its sign, so it
            // would be found in place of what is looked for.
            if !ty.scalar.is_float() {
                instead.insert(0, Node::text(role, constant(ty, 0)));
            }
            if instead.iter().any(|node| node.render() == text) {
                index += 1;
                continue;
            }
            node.nearest(role, &mut instead);
            for other in instead {
                let mut tree = best.tree.clone();
                let mut n = index;
                if let Some(node) = tree.nth(&mut n) {
                    *node = other;
                }
                if attempt(best, tree) {
                    break;
                }
            }
        }
        index += 1;
    }
}

fn constant(ty: Type, value: u8) -> String {
    format!("(({})({value}))", ty.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::source;
    use crate::generate::{Generator, Version};
    use crate::instructions;

    const SREM: u32 = 138;
    const VECTOR_SHUFFLE: u32 = 79;
    const SWITCH: u32 = 251;

    /// Whether clc's module of a program has all these instructions.
    fn has(program: &Program, opcodes: &[u32]) -> bool {
        let compilation = clc::Compiler::new().compile("program.cl", source(&[program]));
        let words = compilation.words().unwrap_or_default();
        opcodes.iter().all(|&opcode| instructions::has(words, opcode))
    }

    /// As if clc compiled these instructions wrongly.
    #[test]
    fn programs_end_below_fifteen_lines() {
        for opcodes in [&[SREM][..], &[SWITCH], &[VECTOR_SHUFFLE]] {
            let programs = (0..)
                .map(|seed| Generator::new(seed, "p_".to_owned(), Version::V12, false).program());
            let mut programs = programs.filter(|program| has(program, opcodes));
            let program = programs.next().expect("there are such programs");
            let small = reduce(&program, &|program| has(program, opcodes));
            assert!(has(&small, opcodes));
            let text = source(&[&small]);
            let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
            assert!(lines < 15, "{lines} lines:\n{text}");
        }
    }
}
