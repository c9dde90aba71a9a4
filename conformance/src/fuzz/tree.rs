//! A program as a tree of text: enough structure to take parts away while the rest stays
//! well-defined.

use std::fmt::Write as _;

use crate::types::Type;

/// What may be done to a node when a failing program is reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Has to stay.
    Fixed,
    /// A statement, a declaration or a function: may go.
    Statement,
    /// A part of a `switch` with its labels: may go, and is nothing elsewhere.
    Arm,
    /// An rvalue: another of the same type, or a constant, may take its place.
    Value(Type),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub role: Role,
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
pub enum Piece {
    Text(String),
    Node(Node),
}

impl Node {
    pub fn new(role: Role, pieces: Vec<Piece>) -> Node {
        Node { role, pieces }
    }

    pub fn text(role: Role, text: impl Into<String>) -> Node {
        Node { role, pieces: vec![Piece::Text(text.into())] }
    }

    /// `format`, where each `@` stands for the next node.
    pub fn template(role: Role, format: &str, nodes: Vec<Node>) -> Node {
        let mut pieces = Vec::new();
        let mut nodes = nodes.into_iter();
        let mut parts = format.split('@').peekable();
        while let Some(part) = parts.next() {
            if !part.is_empty() {
                pieces.push(Piece::Text(part.to_owned()));
            }
            if parts.peek().is_some()
                && let Some(node) = nodes.next()
            {
                pieces.push(Piece::Node(node));
            }
        }
        Node { role, pieces }
    }

    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => {
                    let _ = write!(out, "{text}");
                }
                Piece::Node(node) => node.write(out),
            }
        }
    }

    /// The `n`-th node in depth-first order.
    pub fn nth(&mut self, n: &mut usize) -> Option<&mut Node> {
        if *n == 0 {
            return Some(self);
        }
        *n -= 1;
        for piece in &mut self.pieces {
            if let Piece::Node(node) = piece
                && let Some(found) = node.nth(n)
            {
                return Some(found);
            }
        }
        None
    }

    /// The roles in depth-first order.
    pub fn roles(&self, out: &mut Vec<Role>) {
        out.push(self.role);
        for piece in &self.pieces {
            if let Piece::Node(node) = piece {
                node.roles(out);
            }
        }
    }

    /// The nearest nodes below that have the role.
    pub fn nearest(&self, role: Role, out: &mut Vec<Node>) {
        for piece in &self.pieces {
            if let Piece::Node(node) = piece {
                if node.role == role {
                    out.push(node.clone());
                } else {
                    node.nearest(role, out);
                }
            }
        }
    }
}
