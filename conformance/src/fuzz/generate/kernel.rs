//! The kernel: its arguments, local memory, and the sum that it gives back.

use super::{
    Generator, Grid, Kind, LOCAL, OWN, Place, PlacePart, RAW, Space, Variable, Version, WORDS,
};
use crate::tree::{Node, Piece, Role};
use crate::types::{Scalar, Type};

/// About how many components of an object go into the sum.
const MIXED: usize = 12;

impl Generator {
    pub(super) fn input(&mut self, root: usize) {
        self.variables.push(Variable {
            name: "in".to_owned(),
            kind: Kind::Array(Type::scalar(Scalar::UInt), WORDS),
            writable: false,
            space: Some(Space::Global),
            roots: vec![root],
            targets: Vec::new(),
        });
    }

    pub(super) fn kernel(&mut self, name: &str) -> Node {
        self.in_kernel = true;
        self.calls = 0;
        let root = self.object();
        self.input(root);
        let outside = |this: &mut Generator, name: &str, kind: Kind, space: Option<Space>| {
            let root = this.object();
            this.variables.push(Variable {
                name: name.to_owned(),
                kind,
                writable: space != Some(Space::Constant),
                space,
                roots: vec![root],
                targets: Vec::new(),
            });
        };
        // Elements without padding and without NaN.
        let own = loop {
            if self.random.chance(25) {
                break Type::scalar(*self.random.pick(&[Scalar::Int, Scalar::UInt]));
            }
            let ty = self.any_type();
            if ty.width != 3 && !ty.scalar.is_float() {
                break ty;
            }
        };
        let uint = Type::scalar(Scalar::UInt);
        let private = Some(Space::Private);
        outside(self, "cin", Kind::Array(uint, WORDS), Some(Space::Constant));
        outside(self, "own", Kind::Array(own, OWN), Some(Space::Global));
        outside(self, "sa", Kind::Value(Type::scalar(Scalar::Int)), private);
        outside(self, "sv", Kind::Value(Type::vector(Scalar::UInt, 4)), private);
        let mut head = String::new();
        let raw: Vec<usize> =
            (0..self.structs.len()).filter(|&of| self.struct_layout(of).0 <= RAW).collect();
        if !raw.is_empty() {
            // The layout of structs in memory; their padding is not compared.
            let of = *self.random.pick(&raw);
            let name = self.structs[of].name.clone();
            head = format!(
                "global struct {name} *raw = (global struct {name} *)(bytes + gid * {RAW});"
            );
            outside(self, "raw", Kind::StructPointer(of), Some(Space::Global));
        }
        if !self.structs.is_empty() && self.random.chance(30) {
            // A struct by value.
            let of = self.random.below(self.structs.len());
            let bytes = self.struct_bytes(of);
            if bytes.len() <= RAW / 4 {
                let declarator = format!("struct {} @", self.structs[of].name);
                let line = format!("scalar {}", clc_tests::hex::encode(&bytes));
                let parameter = self.parameter("struct", &declarator, line);
                outside(self, &parameter, Kind::Struct(of), private);
            }
        }
        let visible = self.variables.len();
        outside(self, "gid", Kind::Value(Type::scalar(Scalar::ULong)), None);
        outside(self, "lid", Kind::Value(Type::scalar(Scalar::Int)), None);
        for variable in &mut self.variables[visible..] {
            variable.writable = false;
        }
        let own = own.name();
        let mut pieces = vec![Piece::Text(format!(
            "kernel void {name}(global const uint *in, constant uint *cin, global {own} *buffer, \
             global uchar *bytes, int sa, uint4 sv, global ulong *out"
        ))];
        // The parameters are known when the rest is.
        let parameters = pieces.len();
        // In 2.0 there is a function for it.
        let global_id = match self.version {
            Version::V20 if self.grid != Grid::Line && self.random.chance(50) => {
                "get_global_linear_id()"
            }
            _ => self.grid.global_id(),
        };
        pieces.push(Piece::Text(format!(")\n{{\nulong gid = {global_id};\n")));
        let line = |pieces: &mut Vec<Piece>, node: Node| {
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        };
        for text in [
            &format!("int lid = {};", self.grid.local_id()),
            &format!("global {own} *own = buffer + gid * {OWN};"),
            &head,
        ] {
            line(&mut pieces, Node::text(Role::Statement, text));
        }
        pieces.push(Piece::Text("ulong acc = 14695981039346656037UL;\n".to_owned()));
        let has_images = self.random.chance(30);
        if has_images {
            self.image_parameters();
        }
        let prints = self.random.chance(8);
        let mut tiles = Vec::new();
        let tile_count = if self.barriers { 1 + self.random.below(2) } else { 0 };
        for _ in 0..tile_count {
            let (tile, ty) = (self.name("l"), self.any_type());
            line(
                &mut pieces,
                Node::text(Role::Statement, format!("local {} {tile}[{LOCAL}];", ty.name())),
            );
            tiles.push((tile, ty));
        }
        for _ in 0..self.some(4) {
            let node = self.local_memory();
            line(&mut pieces, node);
        }
        for _ in 0..1 + self.some(7) {
            let node = self.declaration(3);
            line(&mut pieces, node);
        }
        for _ in 0..2 + self.some(11) {
            let node = if !tiles.is_empty() && self.random.chance(12) {
                let (tile, ty) = self.random.pick(&tiles).clone();
                self.exchange(&tile, ty)
            } else if self.barriers && self.random.chance(5) {
                self.shared_counter()
            } else if self.random.chance(if self.version == Version::V20 { 16 } else { 7 }) {
                self.together()
            } else if prints && self.random.chance(20) {
                self.print()
            } else {
                self.statement(3)
            };
            line(&mut pieces, node);
        }
        if has_images && self.random.chance(50) {
            let node = self.image_write();
            line(&mut pieces, node);
        }
        for place in self.places() {
            if place.writable || place.parts.len() == 1 {
                let node = self.mix(&place);
                line(&mut pieces, node);
            }
        }
        pieces.push(Piece::Text("out[gid] = acc;\n}".to_owned()));
        let more = std::mem::take(&mut self.parameters);
        pieces.splice(parameters..parameters, more.into_iter().map(Piece::Node));
        Node::new(Role::Fixed, pieces)
    }

    /// What all work-items do, some of it in groups.
    fn together(&mut self) -> Node {
        match self.random.below(5) {
            0 if self.barriers && self.version == Version::V20 => self.sub_group_function(),
            1..=2 if self.barriers && self.version == Version::V20 => self.work_group_function(),
            3 => self.tickets(),
            _ => self.contention(),
        }
    }

    /// A value goes through local memory to another work-item.
    pub(super) fn exchange(&mut self, tile: &str, ty: Type) -> Node {
        self.full();
        let value = self.value(ty, 3);
        let name = self.name("v");
        let from = self.random.below(LOCAL);
        let root = self.object();
        let barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        let ty_name = ty.name();
        let last = LOCAL - 1;
        // Groups may have another size than all others.
        let is_even = self.local == LOCAL;
        let middle = match self.random.below(4) {
            // The sum, or another function, of all, as a tree.
            0 if is_even && !ty.scalar.is_float() && !ty.scalar.signed() => {
                let op = *self.random.pick(&["+=", "^=", "|=", "&=", "*="]);
                // Two factors of 16 bits would be multiplied as int.
                let op = if op == "*=" && !ty.is_vector() { "+=" } else { op };
                let step = self.name("s");
                format!(
                    "for (int {step} = {}; {step} > 0; {step} >>= 1) {{ if (lid < {step}) \
                     {tile}[lid] {op} {tile}[lid + {step}]; {barrier} }} \
                     {ty_name} {name} = {tile}[0];",
                    LOCAL / 2
                )
            }
            1 if is_even => format!(
                "local {ty_name} *{name}p = {tile} + (lid ^ {from}); {ty_name} {name} = *{name}p;"
            ),
            _ if is_even => format!("{ty_name} {name} = {tile}[(lid + {from}) & {last}];"),
            _ => format!("{ty_name} {name} = {tile}[(lid + {from}) % (int)get_local_size(0)];"),
        };
        self.declare(name, Kind::Value(ty), true, vec![root]);
        let format = format!("{tile}[lid] = @; {barrier} {middle} {barrier}");
        Node::template(Role::Statement, &format, vec![value])
    }

    /// Every component of a place into the sum that the kernel gives back.
    pub(super) fn mix(&mut self, place: &Place) -> Node {
        let mut texts = vec![String::new()];
        for part in &place.parts {
            match part {
                PlacePart::Text(text) => texts.iter_mut().for_each(|so_far| so_far.push_str(text)),
                PlacePart::Index(n) => {
                    texts = texts
                        .iter()
                        .flat_map(|so_far| (0..*n).map(move |index| format!("{so_far}[{index}]")))
                        .collect();
                }
            }
        }
        let mut pieces = Vec::new();
        // Of what is large, some are enough.
        let all = texts.len() * place.ty.width;
        for text in texts {
            for component in 0..place.ty.width {
                if all > MIXED && self.random.below(all) >= MIXED {
                    continue;
                }
                let access = if place.ty.is_vector() {
                    format!("{text}.s{component:x}")
                } else {
                    text.clone()
                };
                let access = if place.ty.scalar.is_float() {
                    format!("bits_{}({access})", place.ty.scalar.name())
                } else {
                    access
                };
                let node = Node::text(Role::Statement, format!("MIX({access}); "));
                pieces.push(Piece::Node(node));
            }
        }
        Node::new(Role::Statement, pieces)
    }
}
