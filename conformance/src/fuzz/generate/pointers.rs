//! Pointers, and objects to point to.

use super::{Field, Generator, Kind, PlacePart, Space, Target, Variable, Version};
use crate::tree::{Node, Piece, Role};
use crate::types::{Scalar, Type};

impl Generator {
    /// A kind of space that a pointer may be declared for.
    pub(super) fn any_space(&mut self) -> Target {
        let write = self.random.chance(75);
        let space = match self.random.below(100) {
            0..=49 if self.version == Version::V20 && self.random.chance(50) => Space::Generic,
            0..=49 => Space::Private,
            50..=69 => Space::Global,
            70..=84 => Space::Local,
            _ => return Target { space: Space::Constant, write: false },
        };
        Target { space, write }
    }

    /// The declaration of a pointer, up to its name.
    pub(super) fn pointer_type(&mut self, pointee: &str, target: Target) -> String {
        let constant = if target.write || target.space == Space::Constant { "" } else { "const " };
        format!("{}{constant}{pointee} *", target.space.words(self.version))
    }

    /// An lvalue of a struct type, without free indices.
    pub(super) fn struct_place(&mut self, of: usize, write: bool) -> Option<(String, Vec<usize>)> {
        self.struct_in(of, None, write)
    }

    /// The same, where a pointer of this kind may point.
    pub(super) fn struct_target(
        &mut self,
        of: usize,
        target: Target,
    ) -> Option<(String, Vec<usize>)> {
        self.struct_in(of, Some(target.space), target.write)
    }

    fn struct_in(
        &mut self,
        of: usize,
        space: Option<Space>,
        write: bool,
    ) -> Option<(String, Vec<usize>)> {
        let mut found = Vec::new();
        for variable in &self.variables {
            let usable = if write {
                variable.writable && self.may_write(&variable.roots)
            } else {
                self.may_read(&variable.roots)
            };
            let there = match (space, variable.space) {
                (None, _) => true,
                (Some(space), Some(from)) => space.takes(from),
                (Some(_), None) => false,
            };
            if !usable || !there {
                continue;
            }
            match variable.kind {
                Kind::Struct(other) if other == of => {
                    found.push((variable.name.clone(), variable.roots.clone()))
                }
                Kind::StructArray(other, n) if other == of => {
                    found.push((format!("{}[{}]", variable.name, n - 1), variable.roots.clone()));
                }
                Kind::StructPointer(other) if other == of => {
                    found.push((format!("(*{})", variable.name), variable.roots.clone()));
                }
                Kind::Struct(other) | Kind::StructPointer(other) => {
                    if self.structs[other].packed && space.is_some() {
                        continue;
                    }
                    let access = if matches!(variable.kind, Kind::Struct(_)) { "." } else { "->" };
                    for (name, field) in &self.structs[other].fields {
                        if matches!(field, Field::Struct(inner) if *inner == of) {
                            found.push((
                                format!("{}{access}{name}", variable.name),
                                variable.roots.clone(),
                            ));
                        }
                    }
                }
                _ => {}
            }
        }
        (!found.is_empty()).then(|| self.random.pick(&found).clone())
    }

    /// A pointer to `n` elements.
    pub(super) fn pointer(
        &mut self,
        of: Type,
        n: usize,
        target: Target,
    ) -> Option<(Vec<Piece>, Vec<usize>)> {
        let mut places = self.places();
        places.retain(|place| {
            place.ty == of
                && place.space.is_some_and(|space| target.space.takes(space))
                && (n == 1 || place.array >= n)
                && if target.write {
                    place.writable && self.may_write(&place.roots)
                } else {
                    self.may_read(&place.roots)
                }
        });
        if places.is_empty() {
            return None;
        }
        let mut place = self.random.pick(&places).clone();
        let roots = place.roots.clone();
        let mut pieces = vec![Piece::Text("&".to_owned())];
        if let Some(PlacePart::Index(size)) = place.parts.last().cloned() {
            place.parts.pop();
            let offset = self.random.below(size - n + 1);
            pieces.extend(self.pieces(&place, 0));
            if offset == 0 && self.random.chance(50) {
                pieces.remove(0);
            } else if self.random.chance(50) {
                pieces.remove(0);
                pieces.push(Piece::Text(format!(" + {offset}")));
                pieces.insert(0, Piece::Text("(".to_owned()));
                pieces.push(Piece::Text(")".to_owned()));
            } else {
                pieces.push(Piece::Text(format!("[{offset}]")));
            }
        } else {
            pieces.extend(self.pieces(&place, 0));
        }
        Some((pieces, roots))
    }

    /// Declares a pointer, perhaps inside a struct, perhaps with a pointer to it.
    pub(super) fn pointer_declaration(&mut self, name: &str) -> Option<Node> {
        let (ty, target) = (self.any_type(), self.any_space());
        // Rather one to what there is.
        let places = self.places();
        let ty = match places.get(self.random.below(places.len())) {
            Some(place) if place.space.is_some() => place.ty,
            _ => ty,
        };
        let n = 1usize << self.random.below(3);
        let (first, mut roots) = self.pointer(ty, n, target)?;
        let node = |pieces: Vec<Piece>| Node::new(Role::Fixed, pieces);
        let declarator = self.pointer_type(&ty.name(), target);
        if self.random.chance(25) {
            return Some(self.pointer_table(name, ty, n, target, node(first), roots));
        }
        let render = |pieces: &[Piece]| node(pieces.to_vec()).render();
        let mut targets = vec![render(&first)];
        let mut nodes = vec![node(first)];
        let mut value = "@".to_owned();
        if self.random.chance(40)
            && let Some((second, others)) = self.pointer(ty, n, target)
        {
            roots.extend(others);
            targets.push(render(&second));
            if self.random.chance(60) {
                value = match target.space {
                    // Two named spaces would not meet by themselves.
                    Space::Generic => format!("@ ? ({declarator})@ : ({declarator})@"),
                    _ => "@ ? @ : @".to_owned(),
                };
                if self.random.chance(30) {
                    // By a function that returns one of them.
                    let choose = self.name("choose");
                    self.helpers.push(Node::text(
                        Role::Statement,
                        format!(
                            "{declarator}{choose}(int c, {declarator}a, {declarator}b) {{ return c ? a : b; }}"
                        ),
                    ));
                    value = format!("{choose}(@ != 0, @, @)");
                }
                let condition = self.condition(1);
                nodes.insert(0, condition);
                nodes.push(node(second));
            }
        }
        let mut path = name.to_owned();
        let mut format = match self.random.below(8) {
            0 => {
                path = format!("{name}.p");
                let tag = self.name("P");
                format!(
                    "struct {tag} {{ uchar a; {declarator}p; }} {name} = {{ {}, {value} }};",
                    self.random.below(99)
                )
            }
            1 => {
                path = format!("{name}[1]");
                format!("{declarator}{name}[2] = {{ 0, {value} }};")
            }
            _ => format!("{declarator}{name} = {value};"),
        };
        let mut paths = vec![path.clone()];
        if self.random.chance(20) {
            let outer = self.name("pp");
            // The pointer is private itself.
            let pointer = match self.version {
                Version::V12 => "*",
                Version::V20 => *self.random.pick(&["*", "*private "]),
            };
            format.push_str(&format!(" {declarator}{pointer}{outer} = &{path};"));
            paths.push(format!("(*{outer})"));
        }
        for path in paths {
            self.variables.push(Variable {
                name: path,
                kind: Kind::Pointer(ty, n),
                writable: target.write,
                space: Some(target.space),
                roots: roots.clone(),
                targets: targets.clone(),
            });
        }
        Some(Node::template(Role::Statement, &format, nodes))
    }

    /// Declares pointers in an array, or in a struct.
    fn pointer_table(
        &mut self,
        name: &str,
        ty: Type,
        n: usize,
        target: Target,
        first: Node,
        mut roots: Vec<usize>,
    ) -> Node {
        let declarator = self.pointer_type(&ty.name(), target);
        let count = 1 << (1 + self.random.below(2));
        let mut nodes = vec![first];
        while nodes.len() < count {
            match self.pointer(ty, n, target) {
                Some((pieces, others)) if self.random.chance(80) => {
                    roots.extend(others);
                    nodes.push(Node::new(Role::Fixed, pieces));
                }
                _ => nodes.push(nodes[0].clone()),
            }
        }
        let slots = vec!["@"; count].join(", ");
        let (path, format) = match self.random.below(3) {
            0 => {
                let tag = self.name("P");
                let format = format!(
                    "struct {tag} {{ char a; {declarator}p[{count}]; short b; }} {name} = {{ 1, {{ {slots} }}, 2 }};"
                );
                (format!("{name}.p"), format)
            }
            _ => (name.to_owned(), format!("{declarator}{name}[{count}] = {{ {slots} }};")),
        };
        self.variables.push(Variable {
            name: path,
            kind: Kind::PointerTable(ty, count, n),
            writable: target.write,
            space: Some(target.space),
            roots,
            targets: Vec::new(),
        });
        Node::template(Role::Statement, &format, nodes)
    }

    /// Declares a pointer to a struct.
    pub(super) fn struct_pointer_declaration(&mut self, name: &str) -> Option<Node> {
        if self.structs.is_empty() {
            return None;
        }
        let (of, target) = (self.random.below(self.structs.len()), self.any_space());
        let (text, roots) = self.struct_target(of, target)?;
        let pointee = format!("struct {}", self.structs[of].name);
        let declarator = self.pointer_type(&pointee, target);
        self.variables.push(Variable {
            name: name.to_owned(),
            kind: Kind::StructPointer(of),
            writable: target.write,
            space: Some(target.space),
            roots,
            targets: Vec::new(),
        });
        Some(Node::text(Role::Statement, format!("{declarator}{name} = &{text};")))
    }

    /// Points a pointer elsewhere.
    pub(super) fn pointer_assignment(&mut self) -> Option<Node> {
        let mut pointers = self.variables.clone();
        pointers.retain(|variable| variable.targets.len() > 1);
        if pointers.is_empty() {
            return None;
        }
        let pointer = self.random.pick(&pointers).clone();
        let target = self.random.pick(&pointer.targets).clone();
        Some(Node::text(Role::Statement, format!("{} = {target};", pointer.name)))
    }

    /// A loop whose counter is a pointer.
    pub(super) fn pointer_loop(&mut self, count: usize, depth: usize) -> Option<Node> {
        let (target, n) = (self.any_space(), 2 + self.random.below(3));
        let places = self.places();
        let ty = places.get(self.random.below(places.len()))?.ty;
        let (first, roots) = self.pointer(ty, n, target)?;
        let (from, end) = (self.name("q"), self.name("e"));
        let declarator = self.pointer_type(&ty.name(), target);
        let visible = self.variables.len();
        self.variables.push(Variable {
            name: from.clone(),
            kind: Kind::Pointer(ty, 1),
            writable: target.write,
            space: Some(target.space),
            roots,
            targets: Vec::new(),
        });
        self.loops += 1;
        let switch = std::mem::take(&mut self.in_switch);
        let body = self.block(count, depth);
        self.in_switch = switch;
        self.loops -= 1;
        self.variables.truncate(visible);
        let (test, step) = match self.random.below(4) {
            0 => (format!("{from} != {end}"), format!("++{from}")),
            1 => (format!("{from} < {end}"), format!("{from}++")),
            2 => (format!("{end} - {from} > 0"), format!("{from} += 1")),
            _ => (format!("{end} > {from}"), format!("{from} = 1 + {from}")),
        };
        let format =
            format!("for ({declarator}{from} = @, *{end} = {from} + {n}; {test}; {step}) @");
        Some(Node::template(Role::Statement, &format, vec![Node::new(Role::Fixed, first), body]))
    }

    /// The distance of two elements of an array, or how they compare.
    pub(super) fn pointer_expression(&mut self, compare: bool, depth: usize) -> Option<Node> {
        let mut places = self.places();
        places.retain(|place| {
            place.array > 1 && place.space.is_some() && self.may_read(&place.roots)
        });
        if places.is_empty() {
            return None;
        }
        let mut place = self.random.pick(&places).clone();
        let Some(PlacePart::Index(n)) = place.parts.pop() else { return None };
        self.reads.extend(&place.roots);
        let start = self.pieces(&place, 0);
        let element = |this: &mut Generator| {
            let mut pieces = vec![Piece::Text("&".to_owned())];
            pieces.extend(start.clone());
            pieces.extend(this.index(n, depth));
            Node::new(Role::Fixed, pieces)
        };
        let nodes = vec![element(self), element(self)];
        let ty = Type::scalar(if compare { Scalar::Int } else { Scalar::Long });
        let op = if compare { *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]) } else { "-" };
        Some(self.node(ty, &format!("(@ {op} @)"), nodes))
    }
}
