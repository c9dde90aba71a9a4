//! Objects outside private memory, and what only memory can do: atomics, `vload` and `vstore`.

use clc_tests::data::Element;

use super::{Field, GLOBAL, Generator, Kind, LOCAL, Place, Space, Variable, Version, WORDS};
use crate::tree::{Node, Piece, Role};
use crate::types::{Scalar, Type, WIDTHS};

impl Generator {
    /// A variable of program scope (2.0): an element for each work-item, or a table.
    pub(super) fn global_variable(&mut self) -> Node {
        let (name, ty) = (self.name("g"), self.any_type());
        let root = self.object();
        let qualifier = *self.random.pick(&["global ", "", "static global ", "static "]);
        let table = self.random.chance(30);
        let n = if table { 1usize << self.random.below(4) } else { GLOBAL };
        let values: Vec<String> = (0..n).map(|_| self.literal(ty)).collect();
        let values = values.join(", ");
        let ty_name = ty.name();
        let (path, kind, constant) = if table {
            (name.clone(), Kind::Array(ty, n), "const ")
        } else {
            self.global_roots.push(root);
            (format!("{name}[{}]", self.grid.global_id()), Kind::Value(ty), "")
        };
        let mut text = format!("{qualifier}{constant}{ty_name} {name}[{n}] = {{ {values} }};");
        let variable = |name, kind| Variable {
            name,
            kind,
            writable: !table,
            space: Some(Space::Global),
            roots: vec![root],
            targets: Vec::new(),
        };
        self.variables.push(variable(path, kind));
        if table && n >= 2 && self.random.chance(50) {
            let pointer = self.name("gp");
            let from = self.random.below(n / 2 + 1);
            text.push_str(&format!(
                "\nglobal const {ty_name} *global {pointer} = {name} + {from};"
            ));
            self.variables.push(variable(pointer, Kind::Pointer(ty, n / 2)));
        }
        Node::text(Role::Statement, text)
    }

    /// Local memory of which each work-item has a part of its own.
    pub(super) fn local_memory(&mut self) -> Node {
        self.full();
        let (name, tile) = (self.name("v"), self.name("l"));
        let root = self.object();
        let variable = |kind| Variable {
            name: name.clone(),
            kind,
            writable: true,
            space: Some(Space::Local),
            roots: vec![root],
            targets: Vec::new(),
        };
        if !self.structs.is_empty() && self.random.chance(40) {
            let of = self.random.below(self.structs.len());
            let mut nodes = Vec::new();
            let init = self.struct_initializer(of, &mut nodes);
            let first = self.name("v");
            let kind = format!("struct {}", self.structs[of].name);
            self.variables.push(variable(Kind::StructPointer(of)));
            let format = format!(
                "local {kind} {tile}[{LOCAL}]; {kind} {first} = {init}; \
                 local {kind} *{name} = &{tile}[lid]; *{name} = {first};"
            );
            return Node::template(Role::Statement, &format, nodes);
        }
        let ty = self.any_type();
        let n = 1usize << self.random.below(4);
        let value = self.value(ty, 2);
        self.variables.push(variable(Kind::Array(ty, n)));
        let counter = self.name("i");
        let ty = ty.name();
        let format = format!(
            "local {ty} {tile}[{LOCAL}][{n}]; local {ty} *{name} = {tile}[lid]; \
             for (int {counter} = 0; {counter} < {n}; {counter}++) {name}[{counter}] = @;"
        );
        Node::template(Role::Statement, &format, vec![value])
    }

    /// Atomics of all work-items of a group on the same objects.
    pub(super) fn shared_counter(&mut self) -> Node {
        self.full();
        let (counter, name) = (self.name("c"), self.name("v"));
        let index = self.value(Type::scalar(Scalar::UInt), 2);
        let value = self.value(Type::scalar(Scalar::UInt), 3);
        let start = self.random.next() as u32;
        let op = *self.random.pick(&["add", "sub", "and", "or", "xor", "min", "max"]);
        let which = self.random.below(2);
        let root = self.object();
        self.declare(name.clone(), Kind::Value(Type::scalar(Scalar::UInt)), true, vec![root]);
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        let format = if self.version == Version::V20 && self.random.chance(50) {
            let call = if self.random.chance(50) {
                format!("atomic_fetch_{op}(&{counter}[@ & 1], @);")
            } else {
                format!(
                    "atomic_fetch_{op}_explicit(&{counter}[@ & 1], @, memory_order_relaxed, \
                     memory_scope_work_group);"
                )
            };
            format!(
                "local atomic_uint {counter}[2]; if (lid == 0) {{ atomic_init(&{counter}[0], \
                 {start}U); atomic_init(&{counter}[1], 7U); }} {barrier} {call} {barrier} \
                 uint {name} = atomic_load(&{counter}[{which}]); {barrier}"
            )
        } else {
            format!(
                "local uint {counter}[2]; if (lid == 0) {{ {counter}[0] = {start}U; \
                 {counter}[1] = 7U; }} {barrier} atomic_{op}(&{counter}[@ & 1], @); {barrier} \
                 uint {name} = {counter}[{which}]; {barrier}"
            )
        };
        Node::template(Role::Statement, &format, vec![index, value])
    }

    /// An atomic on an object that no other work-item uses.
    pub(super) fn atomic(&mut self, ty: Type, depth: usize) -> Option<Node> {
        if ty.is_vector() || !matches!(ty.scalar, Scalar::Int | Scalar::UInt) {
            return None;
        }
        let mut places: Vec<Place> = self.places();
        places.retain(|place| {
            place.ty == ty
                && place.writable
                && matches!(place.space, Some(Space::Local | Space::Global))
                && self.may_write(&place.roots)
        });
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        self.reads.extend(&place.roots);
        let mut nodes = vec![Node::new(Role::Fixed, self.pieces(&place, depth))];
        let format = match self.random.below(10) {
            0 => "atomic_inc(&@)".to_owned(),
            1 => "atomic_dec(&@)".to_owned(),
            2 => {
                nodes.push(self.value(ty, depth));
                nodes.push(self.value(ty, depth));
                "atomic_cmpxchg(&@, @, @)".to_owned()
            }
            _ => {
                nodes.push(self.value(ty, depth));
                let op =
                    *self.random.pick(&["add", "sub", "xchg", "min", "max", "and", "or", "xor"]);
                format!("atomic_{op}(&@, @)")
            }
        };
        self.writes.extend(place.roots);
        Some(self.node(ty, &format, nodes))
    }

    /// A vector from the elements of an array.
    pub(super) fn vload(&mut self, ty: Type) -> Option<Node> {
        let mut target = self.any_space();
        target.write = false;
        let slot = |pieces: Vec<Piece>| vec![Node::new(Role::Fixed, pieces)];
        if ty.scalar == Scalar::Float && self.random.chance(60) {
            let half = Type::scalar(Scalar::Half);
            let (pieces, roots) = self.pointer(half, ty.width, target)?;
            self.reads.extend(roots);
            let width = if ty.is_vector() { ty.width.to_string() } else { String::new() };
            return Some(self.node(ty, &format!("vload_half{width}(0, @)"), slot(pieces)));
        }
        if !ty.is_vector() {
            return None;
        }
        let (pieces, roots) = self.pointer(Type::scalar(ty.scalar), ty.width, target)?;
        self.reads.extend(roots);
        Some(self.node(ty, &format!("vload{}(0, @)", ty.width), slot(pieces)))
    }

    /// A vector to the elements of an array.
    pub(super) fn vstore(&mut self, depth: usize) -> Option<Node> {
        let mut target = self.any_space();
        if target.space == Space::Constant {
            target.space = Space::Private;
        }
        target.write = true;
        let mut places = self.places();
        places.retain(|place| {
            !place.ty.is_vector()
                && place.writable
                && (place.array > 1 || place.ty.scalar == Scalar::Half)
        });
        if places.is_empty() {
            return None;
        }
        let element = self.random.pick(&places).ty;
        let half = element.scalar == Scalar::Half && self.random.chance(70);
        let width = if half && self.random.chance(50) { 1 } else { *self.random.pick(&WIDTHS) };
        let (pieces, roots) = self.pointer(element, width, target)?;
        self.writes.extend(roots);
        let scalar =
            if half { *self.random.pick(&[Scalar::Float, Scalar::Double]) } else { element.scalar };
        let value = self.value(Type { scalar, width }, depth);
        let width = if width == 1 { String::new() } else { width.to_string() };
        let name = if half {
            let mode = *self.random.pick(&["", "_rte", "_rtz", "_rtp", "_rtn"]);
            format!("vstore_half{width}{mode}")
        } else {
            format!("vstore{width}")
        };
        let nodes = vec![value, Node::new(Role::Fixed, pieces)];
        Some(Node::template(Role::Statement, &format!("{name}(@, 0, @);"), nodes))
    }

    /// The words of a read-only buffer, seen as bytes or as vectors.
    pub(super) fn view(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let fits = match ty.scalar {
            Scalar::Char | Scalar::UChar => true,
            Scalar::UInt => ty.is_vector(),
            _ => false,
        };
        if !fits {
            return None;
        }
        let (name, space) = *self.random.pick(&[("in", "global const"), ("cin", "constant")]);
        if !self.variables.iter().any(|variable| variable.name == name) {
            return None;
        }
        let of = self.integer();
        let index = self.value(Type::scalar(of), depth.min(2));
        let last = WORDS * 4 / ty.size() - 1;
        let format = format!("(({space} {} *){name})[@ & {last}]", ty.name());
        Some(self.node(ty, &format, vec![index]))
    }

    /// The size and the alignment of a struct.
    pub(super) fn struct_layout(&self, of: usize) -> (usize, usize) {
        let (mut size, mut align) = (0usize, 1);
        for (_, field) in &self.structs[of].fields {
            let (bytes, alignment) = self.field_layout(field);
            let alignment = if self.structs[of].packed { 1 } else { alignment };
            size = size.next_multiple_of(alignment) + bytes;
            align = align.max(alignment);
        }
        (size.next_multiple_of(align), align)
    }

    fn field_layout(&self, field: &Field) -> (usize, usize) {
        match field {
            Field::Value(ty) => (ty.size(), ty.size()),
            Field::Array(ty, n) => (ty.size() * n, ty.size()),
            Field::Struct(other) => self.struct_layout(*other),
        }
    }

    /// The bytes of a struct that an argument is.
    pub(super) fn struct_bytes(&mut self, of: usize) -> Vec<u8> {
        let packed = self.structs[of].packed;
        let mut bytes = Vec::new();
        for (_, field) in self.structs[of].fields.clone() {
            let (size, alignment) = self.field_layout(&field);
            if !packed {
                bytes.resize(bytes.len().next_multiple_of(alignment), 0);
            }
            let end = bytes.len() + size;
            match field {
                Field::Struct(other) => bytes.extend(self.struct_bytes(other)),
                Field::Value(ty) | Field::Array(ty, _) => {
                    while bytes.len() < end {
                        self.number_bytes(ty.scalar, &mut bytes);
                    }
                }
            }
        }
        bytes.resize(self.struct_layout(of).0, 0);
        bytes
    }

    /// Those of a number.
    fn number_bytes(&mut self, scalar: Scalar, out: &mut Vec<u8>) {
        let number = self.random.next();
        let float = (number % 255) as f64 / 4.0 - 23.75;
        match scalar {
            Scalar::Half => Element::Half.push_float(float, out),
            Scalar::Float => Element::Float.push_float(float, out),
            Scalar::Double => Element::Double.push_float(float, out),
            _ => out.extend(&number.to_le_bytes()[..scalar.bits() / 8]),
        }
    }
}
