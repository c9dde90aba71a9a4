//! Functions and their calls.

use super::{Field, Function, Generator, Kind, Parameter, Returned, Space, Target, Variable};
use crate::tree::{Node, Piece, Role};
use crate::types::Type;

impl Generator {
    pub(super) fn function(&mut self) -> Node {
        let name = self.name("f");
        let visible = self.variables.len();
        let mut parameters = Vec::new();
        let mut declarators = Vec::new();
        let mut input = false;
        for _ in 0..self.random.below(5) {
            let root = self.object();
            let parameter = self.name("p");
            match self.random.below(12) {
                0..=1 if !self.structs.is_empty() => {
                    let of = self.random.below(self.structs.len());
                    declarators.push(format!("struct {} {parameter}", self.structs[of].name));
                    self.declare(parameter, Kind::Struct(of), true, vec![root]);
                    parameters.push(Parameter::Struct(of));
                }
                2 if !self.structs.is_empty() => {
                    let of = self.random.below(self.structs.len());
                    let target = self.any_space();
                    let pointee = format!("struct {}", self.structs[of].name);
                    let declarator = self.pointer_type(&pointee, target);
                    declarators.push(format!("{declarator}{parameter}"));
                    self.pointer_parameter(parameter, Kind::StructPointer(of), target, root);
                    parameters.push(Parameter::StructPointer(of, target));
                }
                3..=4 => {
                    let ty = self.any_type();
                    let n = 1usize << self.random.below(3);
                    let target = self.any_space();
                    let declarator = self.pointer_type(&ty.name(), target);
                    declarators.push(format!("{declarator}{parameter}"));
                    self.pointer_parameter(parameter, Kind::Pointer(ty, n), target, root);
                    parameters.push(Parameter::Pointer(ty, n, target));
                }
                5 if !input => {
                    input = true;
                    declarators.push("global const uint *in".to_owned());
                    self.input(root);
                    parameters.push(Parameter::Input);
                }
                _ => {
                    let ty = self.any_type();
                    declarators.push(format!("{} {parameter}", ty.name()));
                    self.declare(parameter, Kind::Value(ty), true, vec![root]);
                    parameters.push(Parameter::Value(ty));
                }
            }
        }
        let mut returned = match self.random.below(10) {
            0 => Returned::Nothing,
            1..=2 if !self.structs.is_empty() => {
                Returned::Struct(self.random.below(self.structs.len()))
            }
            _ => Returned::Value(self.any_type()),
        };
        let mut pieces = Vec::new();
        let mut before = Vec::new();
        if let Returned::Struct(of) = returned {
            // So that there is one to return.
            let root = self.object();
            let local = self.name("r");
            let init = self.constant_struct(of);
            before.push(format!("struct {} {local} = {init};\n", self.structs[of].name));
            self.declare(local, Kind::Struct(of), true, vec![root]);
        }
        self.returned = returned.clone();
        self.calls = 4;
        let count = 1 + self.random.below(5);
        for _ in 0..count {
            let node = self.statement(2);
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        }
        self.full();
        match self.return_statement() {
            Some(node) => pieces.push(Piece::Node(node)),
            None => returned = Returned::Nothing,
        }
        self.variables.truncate(visible);
        let text = match &returned {
            Returned::Nothing => "void".to_owned(),
            Returned::Value(ty) => ty.name(),
            Returned::Struct(of) => format!("struct {}", self.structs[*of].name),
        };
        let list = if declarators.is_empty() { "void".to_owned() } else { declarators.join(", ") };
        let mut all = vec![Piece::Text(format!("{text} {name}({list})\n{{\n{}", before.concat()))];
        all.extend(pieces);
        all.push(Piece::Text("\n}".to_owned()));
        self.functions.push(Function { name, parameters, returned });
        Node::new(Role::Statement, all)
    }

    pub(super) fn return_statement(&mut self) -> Option<Node> {
        Some(match self.returned.clone() {
            Returned::Nothing => Node::text(Role::Fixed, "return;"),
            Returned::Value(ty) => {
                let value = self.value(ty, 3);
                Node::template(Role::Fixed, "return @;", vec![value])
            }
            Returned::Struct(of) => {
                let (text, _) = self.struct_place(of, false)?;
                Node::text(Role::Fixed, format!("return {text};"))
            }
        })
    }

    pub(super) fn call(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let candidates: Vec<Function> = self
            .functions
            .iter()
            .filter(|function| matches!(function.returned, Returned::Value(of) if of == ty))
            .cloned()
            .collect();
        if candidates.is_empty() || self.calls >= 6 {
            return None;
        }
        let function = self.random.pick(&candidates).clone();
        let (format, nodes) = self.call_of(&function, depth)?;
        Some(self.node(ty, &format, nodes))
    }

    pub(super) fn call_of(
        &mut self,
        function: &Function,
        depth: usize,
    ) -> Option<(String, Vec<Node>)> {
        self.calls += 1;
        if !self.global_roots.is_empty() {
            // The function may write them.
            let roots = self.global_roots.clone();
            if !self.may_write(&roots) {
                return None;
            }
            self.writes.extend(roots);
        }
        let mut nodes = Vec::new();
        let mut formats = Vec::new();
        for parameter in &function.parameters {
            match parameter {
                Parameter::Value(of) => {
                    nodes.push(self.value(*of, depth.min(2)));
                    formats.push("@".to_owned());
                }
                Parameter::Input => {
                    if !self.variables.iter().any(|variable| variable.name == "in") {
                        return None;
                    }
                    formats.push("in".to_owned());
                }
                Parameter::Struct(of) => {
                    let (text, roots) = self.struct_place(*of, false)?;
                    self.reads.extend(roots);
                    formats.push(text);
                }
                Parameter::StructPointer(of, target) => {
                    let (text, roots) = self.struct_target(*of, *target)?;
                    self.touch(roots, target.write);
                    formats.push(format!("&{text}"));
                }
                Parameter::Pointer(of, n, target) => {
                    let (pieces, roots) = self.pointer(*of, *n, *target)?;
                    self.touch(roots, target.write);
                    nodes.push(Node::new(Role::Fixed, pieces));
                    formats.push("@".to_owned());
                }
            }
        }
        Some((format!("{}({})", function.name, formats.join(", ")), nodes))
    }

    fn touch(&mut self, roots: Vec<usize>, write: bool) {
        if write {
            self.writes.extend(roots);
        } else {
            self.reads.extend(roots);
        }
    }

    fn pointer_parameter(&mut self, name: String, kind: Kind, target: Target, root: usize) {
        self.variables.push(Variable {
            name,
            kind,
            writable: target.write,
            space: Some(target.space),
            roots: vec![root],
            targets: Vec::new(),
        });
    }

    /// A member of a struct rvalue: what a function gives back, or one of two structs.
    pub(super) fn member(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let member = |this: &mut Generator, of: usize| -> Option<String> {
            let fields = &this.structs[of].fields;
            let fits: Vec<String> = fields
                .iter()
                .filter(|(_, field)| matches!(field, Field::Value(of) if *of == ty))
                .map(|(name, _)| name.clone())
                .collect();
            (!fits.is_empty()).then(|| this.random.pick(&fits).clone())
        };
        if self.random.chance(50) {
            let mut functions = self.functions.clone();
            functions.retain(|function| matches!(function.returned, Returned::Struct(_)));
            if functions.is_empty() || self.calls >= 6 {
                return None;
            }
            let function = self.random.pick(&functions).clone();
            let Returned::Struct(of) = function.returned else { return None };
            let name = member(self, of)?;
            let (format, nodes) = self.call_of(&function, depth)?;
            return Some(self.node(ty, &format!("({format}.{name})"), nodes));
        }
        if self.structs.is_empty() {
            return None;
        }
        let of = self.random.below(self.structs.len());
        let name = member(self, of)?;
        let (first, roots) = self.struct_in_private(of)?;
        self.reads.extend(roots);
        let (second, roots) = self.struct_in_private(of)?;
        self.reads.extend(roots);
        let condition = self.condition(depth);
        Some(self.node(ty, &format!("((@ ? {first} : {second}).{name})"), vec![condition]))
    }

    fn struct_in_private(&mut self, of: usize) -> Option<(String, Vec<usize>)> {
        self.struct_target(of, Target { space: Space::Private, write: false })
    }
}
