//! Declarations, statements, functions and the kernel.

use super::{Field, Generator, Kind, Returned, Space, Variable};
use crate::tree::{Node, Piece, Role};
use crate::types::{Scalar, Type};

impl Generator {
    pub(super) fn declare(&mut self, name: String, kind: Kind, writable: bool, roots: Vec<usize>) {
        let space = Some(Space::Private);
        self.variables.push(Variable { name, kind, writable, space, roots, targets: Vec::new() });
    }

    /// A declaration of a local variable, with initializer.
    pub(super) fn declaration(&mut self, depth: usize) -> Node {
        self.full();
        let root = self.object();
        let name = self.name("v");
        match self.random.below(20) {
            0..=1 if !self.structs.is_empty() => {
                let of = self.random.below(self.structs.len());
                let struct_name = self.structs[of].name.clone();
                if self.random.chance(30) {
                    let n = 1usize << (1 + self.random.below(2));
                    let mut nodes = Vec::new();
                    let all: Vec<String> =
                        (0..n).map(|_| self.struct_initializer(of, &mut nodes)).collect();
                    self.declare(name.clone(), Kind::StructArray(of, n), true, vec![root]);
                    let format =
                        format!("struct {struct_name} {name}[{n}] = {{ {} }};", all.join(", "));
                    return Node::template(Role::Statement, &format, nodes);
                }
                let mut nodes = Vec::new();
                let init = self.struct_initializer(of, &mut nodes);
                self.declare(name.clone(), Kind::Struct(of), true, vec![root]);
                Node::template(
                    Role::Statement,
                    &format!("struct {struct_name} {name} = {init};"),
                    nodes,
                )
            }
            2..=4 => {
                let ty = self.any_type();
                let n = 1usize << self.some(5);
                let given = if self.random.chance(50) { n } else { 1 + self.random.below(n) };
                let nodes: Vec<Node> = (0..given).map(|_| self.value(ty, 1)).collect();
                let slots = vec!["@"; given].join(", ");
                self.declare(name.clone(), Kind::Array(ty, n), true, vec![root]);
                let format = format!("{} {name}[{n}] = {{ {slots} }};", ty.name());
                Node::template(Role::Statement, &format, nodes)
            }
            5..=6 => match self.pointer_declaration(&name) {
                Some(node) => node,
                None => self.simple_declaration(name, root, depth),
            },
            7 => match self.struct_pointer_declaration(&name) {
                Some(node) => node,
                None => self.simple_declaration(name, root, depth),
            },
            9 => {
                let ty = self.any_type();
                let (n, m) = (1usize << self.random.below(3), 1usize << self.random.below(3));
                let rows: Vec<String> =
                    (0..n).map(|_| format!("{{ {} }}", vec!["@"; m].join(", "))).collect();
                let nodes: Vec<Node> = (0..n * m).map(|_| self.value(ty, 1)).collect();
                self.declare(name.clone(), Kind::Array2(ty, n, m), true, vec![root]);
                let format = format!("{} {name}[{n}][{m}] = {{ {} }};", ty.name(), rows.join(", "));
                Node::template(Role::Statement, &format, nodes)
            }
            10 if self.random.chance(50) => {
                let condition = self.condition(depth);
                // Its value is an int; a write would be another type's.
                self.declare(
                    format!("((int){name})"),
                    Kind::Value(Type::scalar(Scalar::Int)),
                    false,
                    vec![root],
                );
                if let Some(variable) = self.variables.last_mut() {
                    variable.space = None;
                }
                Node::template(Role::Statement, &format!("bool {name} = @;"), vec![condition])
            }
            8 => {
                let value = self.value(Type::scalar(Scalar::ULong), depth);
                let format = format!("union {} {name} = {{ @ }};", self.union_name());
                self.declare(name, Kind::Union, true, vec![root]);
                Node::template(Role::Statement, &format, vec![value])
            }
            _ => self.simple_declaration(name, root, depth),
        }
    }

    pub(super) fn simple_declaration(&mut self, name: String, root: usize, depth: usize) -> Node {
        let ty = self.any_type();
        let from = if ty.is_vector() || ty.scalar.is_float() || self.random.chance(60) {
            ty
        } else {
            Type::scalar(self.integer())
        };
        let value = self.value(from, depth);
        let constant = self.random.chance(10);
        let volatile = !constant && self.random.chance(4);
        let qualifier = if constant {
            "const "
        } else if volatile {
            "volatile "
        } else {
            ""
        };
        let format = format!("{qualifier}{} {name} = @;", ty.name());
        self.declare(name, Kind::Value(ty), !constant, vec![root]);
        if volatile && let Some(variable) = self.variables.last_mut() {
            // Pointers to it would have to be volatile too.
            variable.space = None;
        }
        Node::template(Role::Statement, &format, vec![value])
    }

    pub(super) fn struct_initializer(&mut self, of: usize, nodes: &mut Vec<Node>) -> String {
        let fields = self.structs[of].fields.clone();
        let designated = self.random.chance(25);
        let mut values = Vec::new();
        for (name, field) in &fields {
            if designated && !values.is_empty() && self.random.chance(25) {
                continue;
            }
            let text = match field {
                Field::Value(ty) => {
                    nodes.push(self.value(*ty, 1));
                    "@".to_owned()
                }
                Field::Array(ty, n) => {
                    nodes.extend((0..*n).map(|_| self.value(*ty, 0)));
                    format!("{{ {} }}", vec!["@"; *n].join(", "))
                }
                Field::Struct(other) => self.struct_initializer(*other, nodes),
            };
            values.push(if designated { format!(".{name} = {text}") } else { text });
        }
        format!("{{ {} }}", values.join(", "))
    }

    pub(super) fn block(&mut self, count: usize, depth: usize) -> Node {
        let visible = self.variables.len();
        let mut pieces = vec![Piece::Text("{\n".to_owned())];
        for _ in 0..count {
            let node = self.statement(depth);
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        }
        pieces.push(Piece::Text("}".to_owned()));
        self.variables.truncate(visible);
        Node::new(Role::Fixed, pieces)
    }

    pub(super) fn statement(&mut self, depth: usize) -> Node {
        self.full();
        let make = |format: &str, nodes| Node::template(Role::Statement, format, nodes);
        let inner = if depth == 0 { 0 } else { 1 + self.some(4) };
        match self.random.below(if depth == 0 { 60 } else { 100 }) {
            0..=14 => self.declaration(3),
            15..=40 => {
                let Some((place, ty, _)) = self.write(2, &|_| true) else {
                    return self.declaration(3);
                };
                let (format, operands) = self.assignment_to(ty, 4);
                let mut nodes = vec![place];
                nodes.extend(operands);
                make(&format!("{format};"), nodes)
            }
            41 | 55..=56 => {
                let function = match self.functions.len() {
                    0 => return self.declaration(2),
                    n => self.functions[self.random.below(n)].clone(),
                };
                if self.calls >= 6 {
                    return self.declaration(2);
                }
                if let Returned::Struct(of) = function.returned
                    && let Some((target, roots)) = self.struct_place(of, true)
                {
                    self.reads.extend(roots);
                    return match self.call_of(&function, 2) {
                        Some((format, nodes)) => make(&format!("{target} = {format};"), nodes),
                        None => make(";", Vec::new()),
                    };
                }
                match self.call_of(&function, 2) {
                    Some((format, nodes)) => make(&format!("{format};"), nodes),
                    None => make(";", Vec::new()),
                }
            }
            42..=43 if self.random.chance(60) => match self.vstore(3) {
                Some(node) => node,
                None => self.declaration(2),
            },
            44 if self.random.chance(60) => match self.pointer_assignment() {
                Some(node) => node,
                None => self.declaration(2),
            },
            45..=47 if !self.structs.is_empty() => {
                let of = self.random.below(self.structs.len());
                let Some((target, _)) = self.struct_place(of, true) else {
                    return self.declaration(2);
                };
                let Some((source, _)) = self.struct_place(of, false) else {
                    return self.declaration(2);
                };
                make(&format!("{target} = {source};"), Vec::new())
            }
            48..=50 if self.loops > 0 => {
                let condition = self.condition(2);
                let what = if self.random.chance(50) { "break" } else { "continue" };
                make(&format!("if (@) {what};"), vec![condition])
            }
            51..=52 if !self.labels.is_empty() => {
                let condition = self.condition(2);
                let labels = self.labels.clone();
                let label = self.random.pick(&labels).clone();
                make(&format!("if (@) goto {label};"), vec![condition])
            }
            53..=54 if !self.in_kernel => {
                let condition = self.condition(2);
                self.full();
                match self.return_statement() {
                    Some(Node { pieces, .. }) => {
                        make("if (@) @", vec![condition, Node::new(Role::Fixed, pieces)])
                    }
                    None => make(";", Vec::new()),
                }
            }
            57..=59 => {
                // For its effects.
                let ty = self.any_type();
                let value = self.value(ty, 3);
                make("(void)@;", vec![value])
            }
            60..=72 => {
                let condition = self.condition(3);
                let then = self.block(inner, depth - 1);
                if self.random.chance(50) {
                    let (n, otherwise) = (1 + self.random.below(3), depth - 1);
                    let otherwise = self.block(n, otherwise);
                    return make("if (@) @ else @", vec![condition, then, otherwise]);
                }
                make("if (@) @", vec![condition, then])
            }
            73..=75 => match self.pointer_loop(inner, depth - 1) {
                Some(node) => node,
                None => self.loop_statement(inner, depth - 1),
            },
            76..=84 => self.loop_statement(inner, depth - 1),
            85..=91 => self.switch(depth - 1),
            92..=95 => {
                let label = self.name("L");
                self.labels.push(label.clone());
                let body = self.block(inner, depth - 1);
                self.labels.pop();
                make(&format!("@ {label}: ;"), vec![body])
            }
            96 => {
                // A loop made of a jump back.
                let (label, counter) = (self.name("L"), self.name("n"));
                let times = 1 + self.random.below(4);
                // A jump out of the block would be a `continue` of an enclosing loop.
                let loops = std::mem::take(&mut self.loops);
                let body = self.block(inner, depth - 1);
                self.loops = loops;
                make(
                    &format!(
                        "{{ int {counter} = {times}; {label}: @ if (--{counter} > 0) goto {label}; }}"
                    ),
                    vec![body],
                )
            }
            97..=98 => self.block_statement(inner, depth - 1),
            _ => self.declaration(3),
        }
    }

    pub(super) fn block_statement(&mut self, count: usize, depth: usize) -> Node {
        let Node { pieces, .. } = self.block(count, depth);
        Node::new(Role::Statement, pieces)
    }

    pub(super) fn loop_statement(&mut self, count: usize, depth: usize) -> Node {
        let make = |format: &str, nodes| Node::template(Role::Statement, format, nodes);
        let counter = self.name("i");
        let times = 1 + self.random.below(5);
        let visible = self.variables.len();
        let roots = vec![self.object()];
        self.loops += 1;
        let switch = std::mem::take(&mut self.in_switch);
        let node = match self.random.below(4) {
            0..=1 => {
                let scalar = self.integer();
                let ty = Type::scalar(scalar);
                self.declare(counter.clone(), Kind::Value(ty), false, roots);
                let extra = self.random.chance(30);
                let condition = if extra { Some(self.condition(2)) } else { None };
                let body = self.block(count, depth);
                let name = scalar.name();
                let (test, step) = match self.random.below(3) {
                    0 => (format!("= 0; {counter} < {times}"), format!("{counter}++")),
                    1 => (format!("= {times}; {counter} > 0"), format!("--{counter}")),
                    _ => (format!("= 0; {counter} < {}", times * 3), format!("{counter} += 3")),
                };
                match condition {
                    Some(condition) => make(
                        &format!("for ({name} {counter} {test} && @; {step}) @"),
                        vec![condition, body],
                    ),
                    None => make(&format!("for ({name} {counter} {test}; {step}) @"), vec![body]),
                }
            }
            2 => {
                let condition = self.condition(2);
                let body = self.block(count, depth);
                make(
                    &format!("{{ int {counter} = {times}; while ({counter}-- > 0 && @) @ }}"),
                    vec![condition, body],
                )
            }
            _ => {
                self.full();
                let body = self.block(count, depth);
                self.full();
                let condition = self.condition(2);
                make(
                    &format!("{{ int {counter} = {times}; do @ while (--{counter} > 0 && @); }}"),
                    vec![body, condition],
                )
            }
        };
        self.in_switch = switch;
        self.loops -= 1;
        self.variables.truncate(visible);
        node
    }

    pub(super) fn switch(&mut self, depth: usize) -> Node {
        let scalar = self.integer();
        let value = self.value(Type::scalar(scalar), 3);
        let mask = [3, 7, 15][self.random.below(3)];
        let mut labels: Vec<usize> = (0..=mask).collect();
        let mut format = format!("switch (@ & {mask}) {{\n");
        let mut nodes = vec![value];
        let arms = 1 + self.random.below(5);
        let default = self.random.below(arms + 2);
        self.in_switch += 1;
        for arm in 0..arms {
            let mut head = String::new();
            if arm == default {
                head.push_str("default: ");
            }
            for _ in 0..1 + self.random.below(2) {
                if labels.is_empty() {
                    break;
                }
                let index = self.random.below(labels.len());
                let label = labels.swap_remove(index);
                head.push_str(&format!("case {label}: "));
            }
            // A `continue` here is one of the enclosing loop; a `break` is not.
            let n = 1 + self.random.below(2);
            let body = self.block(n, depth);
            let end = if self.random.chance(60) { " break;\n" } else { "\n" };
            nodes.push(Node::template(Role::Arm, &format!("{head}@{end}"), vec![body]));
            format.push('@');
        }
        self.in_switch -= 1;
        format.push('}');
        Node::template(Role::Statement, &format, nodes)
    }
}
