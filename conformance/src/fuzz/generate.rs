//! Random kernels without undefined behaviour, by construction:
//!
//! * signed sums are computed on the unsigned type, or on operands made small;
//! * divisors are made non-zero, and never -1 where the dividend is signed;
//! * indices are masked, loops count, every variable has an initializer;
//! * an expression that writes a variable is its only user until the next sequence point that ends
//!   a full expression ([`Generator::reads`], [`Generator::writes`]);
//! * work-items share local memory between barriers only;
//! * floating point keeps to operations that are rounded exactly, and NaN is never looked into.

use crate::random::Random;
use crate::tree::{Node, Piece, Role};
use crate::types::{INTEGERS, Scalar, Type, WIDTHS};

/// Work-items, and how many make a group.
pub const GLOBAL: usize = 8;
pub const LOCAL: usize = 4;
/// Elements of the buffer that each work-item may write, each at most 128 bytes.
pub const OWN: usize = 4;
/// Words of the read-only buffers.
pub const WORDS: usize = 64;

#[derive(Clone)]
enum Field {
    Value(Type),
    Array(Type, usize),
    Struct(usize),
}

#[derive(Clone)]
struct StructType {
    name: String,
    fields: Vec<(String, Field)>,
}

#[derive(Clone)]
enum Kind {
    Value(Type),
    Array(Type, usize),
    Struct(usize),
    StructArray(usize, usize),
    /// To this many elements, a power of two.
    Pointer(Type, usize),
    StructPointer(usize),
    Union,
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    writable: bool,
    private: bool,
    /// The objects that a use of this variable touches.
    roots: Vec<usize>,
}

#[derive(Clone)]
enum Parameter {
    Value(Type),
    Struct(usize),
    Pointer(Type, usize),
    StructPointer(usize),
    Input,
}

#[derive(Clone)]
enum Returned {
    Value(Type),
    Struct(usize),
    Nothing,
}

#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<Parameter>,
    returned: Returned,
}

/// An object, or part of one: text with slots for indices below a power of two.
#[derive(Clone)]
struct Place {
    parts: Vec<PlacePart>,
    ty: Type,
    roots: Vec<usize>,
    writable: bool,
    private: bool,
    /// How many elements follow from here on, itself included, if it is an element of an array
    /// and its index is still open.
    array: usize,
}

#[derive(Clone)]
enum PlacePart {
    Text(String),
    Index(usize),
}

pub struct Generator {
    random: Random,
    structs: Vec<StructType>,
    functions: Vec<Function>,
    variables: Vec<Variable>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    names: usize,
    objects: usize,
    prefix: String,
    /// Labels behind enclosing statements.
    labels: Vec<String>,
    loops: usize,
    in_switch: usize,
    in_kernel: bool,
    returned: Returned,
    calls: usize,
}

/// A kernel and all it needs, as one tree.
pub struct Program {
    pub kernel: String,
    pub tree: Node,
}

const UNION: &str = "union U { ulong l; uint w[2]; ushort4 h; uchar b[8]; int2 v; struct { short x; uchar y; char z; int q; } s; }";

/// What every module begins with.
pub const PRELUDE: &str = "\
#pragma OPENCL FP_CONTRACT OFF
#define MIX(x) acc = (acc ^ (ulong)(x)) * 1099511628211UL
ulong bits(float x) { return isnan(x) ? 1UL : (ulong)as_uint(x); }
#define MIXF(x) acc = (acc ^ bits(x)) * 1099511628211UL
";

impl Generator {
    pub fn new(seed: u64, prefix: String) -> Generator {
        Generator {
            random: Random::new(seed),
            structs: Vec::new(),
            functions: Vec::new(),
            variables: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            names: 0,
            objects: 0,
            prefix,
            labels: Vec::new(),
            loops: 0,
            in_switch: 0,
            in_kernel: false,
            returned: Returned::Nothing,
            calls: 0,
        }
    }

    pub fn program(mut self) -> Program {
        let mut pieces = Vec::new();
        let mut push = |node: Node| {
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        };
        for _ in 0..self.random.below(4) {
            let node = self.struct_type();
            push(node);
        }
        push(Node::text(Role::Statement, format!("{};", UNION.replace("U", &self.union_name()))));
        for _ in 0..self.random.below(3) {
            let node = self.constant_table();
            push(node);
        }
        for _ in 0..self.random.below(5) {
            let node = self.function();
            push(node);
        }
        let kernel = format!("{}k", self.prefix);
        let node = self.kernel(&kernel);
        push(node);
        Program { kernel, tree: Node::new(Role::Fixed, pieces) }
    }

    fn union_name(&self) -> String {
        format!("{}U", self.prefix)
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{}{stem}{}", self.prefix, self.names)
    }

    fn object(&mut self) -> usize {
        self.objects += 1;
        self.objects
    }

    // Types

    fn integer(&mut self) -> Scalar {
        *self.random.pick(&INTEGERS)
    }

    fn any_scalar(&mut self) -> Scalar {
        if self.random.chance(15) { Scalar::Float } else { self.integer() }
    }

    fn any_type(&mut self) -> Type {
        let scalar = self.any_scalar();
        if self.random.chance(60) {
            Type::scalar(scalar)
        } else {
            Type::vector(scalar, *self.random.pick(&WIDTHS))
        }
    }

    fn struct_type(&mut self) -> Node {
        let name = self.name("S");
        let mut fields = Vec::new();
        let mut text = format!("struct {name} {{");
        for index in 0..1 + self.random.below(4) {
            let field_name = format!("f{index}");
            let field = match self.random.below(10) {
                0..=1 if !self.structs.is_empty() => {
                    Field::Struct(self.random.below(self.structs.len()))
                }
                2..=3 => Field::Array(self.any_type(), 1 << self.random.below(3)),
                _ => Field::Value(self.any_type()),
            };
            text.push_str(&match &field {
                Field::Value(ty) => format!(" {} {field_name};", ty.name()),
                Field::Array(ty, n) => format!(" {} {field_name}[{n}];", ty.name()),
                Field::Struct(other) => {
                    format!(" struct {} {field_name};", self.structs[*other].name)
                }
            });
            fields.push((field_name, field));
        }
        text.push_str(" };");
        self.structs.push(StructType { name, fields });
        Node::text(Role::Statement, text)
    }

    fn constant_table(&mut self) -> Node {
        let name = self.name("t");
        let roots = vec![self.object()];
        let (kind, text) = if self.random.chance(30) && !self.structs.is_empty() {
            let of = self.random.below(self.structs.len());
            let init = self.constant_struct(of);
            (
                Kind::Struct(of),
                format!("constant struct {} {name} = {init};", self.structs[of].name),
            )
        } else {
            let ty = self.any_type();
            let n = 1usize << self.random.below(5);
            let values: Vec<String> = (0..n).map(|_| self.literal(ty)).collect();
            let values = values.join(", ");
            (Kind::Array(ty, n), format!("constant {} {name}[{n}] = {{ {values} }};", ty.name()))
        };
        self.variables.push(Variable { name, kind, writable: false, private: false, roots });
        Node::text(Role::Statement, text)
    }

    fn constant_struct(&mut self, of: usize) -> String {
        let fields = self.structs[of].fields.clone();
        let values: Vec<String> = fields
            .iter()
            .map(|(_, field)| match field {
                Field::Value(ty) => self.literal(*ty),
                Field::Array(ty, n) => {
                    let values: Vec<String> = (0..*n).map(|_| self.literal(*ty)).collect();
                    format!("{{ {} }}", values.join(", "))
                }
                Field::Struct(other) => self.constant_struct(*other),
            })
            .collect();
        format!("{{ {} }}", values.join(", "))
    }

    // Literals

    fn literal(&mut self, ty: Type) -> String {
        if ty.is_vector() {
            if self.random.chance(30) {
                let one = self.literal(Type::scalar(ty.scalar));
                return format!("({})({one})", ty.name());
            }
            let all: Vec<String> =
                (0..ty.width).map(|_| self.literal(Type::scalar(ty.scalar))).collect();
            return format!("({})({})", ty.name(), all.join(", "));
        }
        if ty.scalar.is_float() {
            let value = self.random.below(256) as f64 / 4.0 - 24.0;
            return if value < 0.0 { format!("({value:?}f)") } else { format!("{value:?}f") };
        }
        let bits = ty.scalar.bits();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let value = match self.random.below(6) {
            0 => 0,
            1 => self.random.next(),
            2 => u64::MAX >> self.random.below(64),
            3 => 1 << self.random.below(64),
            4 => (self.random.below(16) as u64).wrapping_neg(),
            _ => self.random.below(100) as u64,
        } & mask;
        if !ty.scalar.signed() {
            return match ty.scalar {
                Scalar::UInt => format!("{value}U"),
                Scalar::ULong => format!("{value:#x}UL"),
                _ => format!("({}){value}", ty.name()),
            };
        }
        let value = ((value << (64 - bits)) as i64) >> (64 - bits);
        match ty.scalar {
            Scalar::Int if value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
            Scalar::Int if value < 0 => format!("({value})"),
            Scalar::Int => format!("{value}"),
            Scalar::Long if value == i64::MIN => "(-9223372036854775807L - 1L)".to_owned(),
            Scalar::Long => format!("({value}L)"),
            _ => format!("({})({value})", ty.name()),
        }
    }

    fn literal_node(&mut self, ty: Type) -> Node {
        let text = self.literal(ty);
        Node::text(Role::Value(ty), text)
    }

    // Places

    fn places(&self) -> Vec<Place> {
        let mut out = Vec::new();
        for variable in &self.variables {
            let place = |parts: Vec<PlacePart>, ty: Type, array: usize| Place {
                parts,
                ty,
                roots: variable.roots.clone(),
                writable: variable.writable,
                private: variable.private,
                array,
            };
            let name = || PlacePart::Text(variable.name.clone());
            match &variable.kind {
                Kind::Value(ty) => out.push(place(vec![name()], *ty, 0)),
                Kind::Array(ty, n) | Kind::Pointer(ty, n) => {
                    out.push(place(vec![name(), PlacePart::Index(*n)], *ty, *n));
                    if let Kind::Pointer(..) = variable.kind {
                        let star = PlacePart::Text(format!("(*{})", variable.name));
                        out.push(place(vec![star], *ty, 0));
                    }
                }
                Kind::Struct(of) => self.fields(&place, vec![name()], *of, ".", &mut out),
                Kind::StructPointer(of) => self.fields(&place, vec![name()], *of, "->", &mut out),
                Kind::StructArray(of, n) => {
                    self.fields(&place, vec![name(), PlacePart::Index(*n)], *of, ".", &mut out);
                }
                Kind::Union => {
                    let member = |text: &str| PlacePart::Text(format!("{}.{text}", variable.name));
                    use Scalar::{Char, Int, Short, UChar, UInt, ULong, UShort};
                    out.push(place(vec![member("l")], Type::scalar(ULong), 0));
                    let index = PlacePart::Index;
                    out.push(place(vec![member("w"), index(2)], Type::scalar(UInt), 2));
                    out.push(place(vec![member("h")], Type::vector(UShort, 4), 0));
                    out.push(place(vec![member("b"), index(8)], Type::scalar(UChar), 8));
                    out.push(place(vec![member("v")], Type::vector(Int, 2), 0));
                    out.push(place(vec![member("s.x")], Type::scalar(Short), 0));
                    out.push(place(vec![member("s.y")], Type::scalar(UChar), 0));
                    out.push(place(vec![member("s.z")], Type::scalar(Char), 0));
                    out.push(place(vec![member("s.q")], Type::scalar(Int), 0));
                }
            }
        }
        out
    }

    fn fields(
        &self,
        place: &dyn Fn(Vec<PlacePart>, Type, usize) -> Place,
        before: Vec<PlacePart>,
        of: usize,
        access: &str,
        out: &mut Vec<Place>,
    ) {
        for (name, field) in &self.structs[of].fields {
            let mut parts = before.clone();
            parts.push(PlacePart::Text(format!("{access}{name}")));
            match field {
                Field::Value(ty) => out.push(place(parts, *ty, 0)),
                Field::Array(ty, n) => {
                    parts.push(PlacePart::Index(*n));
                    out.push(place(parts, *ty, *n));
                }
                Field::Struct(other) => self.fields(place, parts, *other, ".", out),
            }
        }
    }

    fn may_read(&self, roots: &[usize]) -> bool {
        roots.iter().all(|root| !self.writes.contains(root))
    }

    fn may_write(&self, roots: &[usize]) -> bool {
        self.may_read(roots) && roots.iter().all(|root| !self.reads.contains(root))
    }

    fn index(&mut self, n: usize, depth: usize) -> Vec<Piece> {
        if n == 1 {
            return vec![Piece::Text("[0]".to_owned())];
        }
        if depth == 0 || self.random.chance(30) {
            return vec![Piece::Text(format!("[{}]", self.random.below(n)))];
        }
        let scalar = self.integer();
        let ty = Type::scalar(scalar);
        let index = self.value(ty, depth.min(2) - 1);
        vec![Piece::Text("[".to_owned()), Piece::Node(index), Piece::Text(format!(" & {}]", n - 1))]
    }

    /// The text of a place, its indices chosen.
    fn pieces(&mut self, place: &Place, depth: usize) -> Vec<Piece> {
        let mut out = Vec::new();
        for part in &place.parts {
            match part {
                PlacePart::Text(text) => out.push(Piece::Text(text.clone())),
                PlacePart::Index(n) => out.extend(self.index(*n, depth)),
            }
        }
        out
    }

    /// Distinct components of a vector, as a swizzle that gives `width` of them.
    fn swizzle(&mut self, of: usize, width: usize, distinct: bool) -> String {
        if width * 2 == of.next_power_of_two() && self.random.chance(40) {
            // Of three components, the fourth does not count.
            let names: &[&str] =
                if of == 3 { &["lo", "even"] } else { &["lo", "hi", "even", "odd"] };
            return (*self.random.pick(names)).to_owned();
        }
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < width {
            let one = self.random.below(of);
            if !distinct || !chosen.contains(&one) {
                chosen.push(one);
            }
        }
        if of <= 4 && self.random.chance(50) {
            chosen.iter().map(|&one| ['x', 'y', 'z', 'w'][one]).collect()
        } else {
            let upper = self.random.chance(30);
            let digit = |&one: &usize| {
                let digit = char::from_digit(one as u32, 16).unwrap_or('0');
                if upper { digit.to_ascii_uppercase() } else { digit }
            };
            let digits: String = chosen.iter().map(digit).collect();
            format!("{}{digits}", if self.random.chance(20) { 'S' } else { 's' })
        }
    }

    /// A place to read a value of this type from.
    fn read(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let mut candidates: Vec<Place> = self.places();
        candidates.retain(|place| {
            self.may_read(&place.roots)
                && (place.ty == ty
                    || (place.ty.scalar == ty.scalar
                        && place.ty.width > 1
                        && ty.width != place.ty.width))
        });
        if candidates.is_empty() {
            return None;
        }
        let place = self.random.pick(&candidates).clone();
        self.reads.extend(&place.roots);
        let mut pieces = self.pieces(&place, depth);
        if place.ty != ty {
            let text = self.swizzle(place.ty.width, ty.width, false);
            pieces.push(Piece::Text(format!(".{text}")));
        }
        Some(Node::new(Role::Value(ty), pieces))
    }

    /// A place to write, of a type that the callback accepts; `None` too where nothing fits.
    fn write(
        &mut self,
        depth: usize,
        accept: &dyn Fn(Type) -> bool,
    ) -> Option<(Node, Type, Vec<usize>)> {
        let mut candidates: Vec<Place> = self.places();
        candidates.retain(|place| place.writable && self.may_write(&place.roots));
        if candidates.is_empty() {
            return None;
        }
        for _ in 0..8 {
            let place = self.random.pick(&candidates).clone();
            let mut ty = place.ty;
            let mut swizzle = None;
            if ty.is_vector() && self.random.chance(40) {
                let widths: Vec<usize> =
                    [1, 2, 3, 4, 8].into_iter().filter(|&width| width < ty.width).collect();
                ty.width = *self.random.pick(&widths);
                swizzle = Some(self.swizzle(place.ty.width, ty.width, true));
            }
            if !accept(ty) {
                continue;
            }
            self.reads.extend(&place.roots);
            let mut pieces = self.pieces(&place, depth);
            if let Some(swizzle) = swizzle {
                pieces.push(Piece::Text(format!(".{swizzle}")));
            }
            return Some((Node::new(Role::Fixed, pieces), ty, place.roots));
        }
        None
    }

    // Expressions

    fn full(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }

    fn node(&self, ty: Type, format: &str, nodes: Vec<Node>) -> Node {
        Node::template(Role::Value(ty), format, nodes)
    }

    /// An expression of exactly this type.
    fn value(&mut self, ty: Type, depth: usize) -> Node {
        if depth == 0 || self.random.chance(15) {
            if self.random.chance(80)
                && let Some(node) = self.read(ty, depth)
            {
                return node;
            }
            return self.literal_node(ty);
        }
        let depth = depth - 1;
        match self.random.below(100) {
            0..=19 => self.read(ty, depth).unwrap_or_else(|| self.literal_node(ty)),
            20..=24 => self.assignment(ty, depth).unwrap_or_else(|| self.literal_node(ty)),
            25..=29 => self.call(ty, depth).unwrap_or_else(|| self.literal_node(ty)),
            30..=33 => {
                let condition = self.condition(depth);
                let (a, b) = (self.value(ty, depth), self.value(ty, depth));
                let format = format!("({})(@ ? @ : @)", ty.name());
                let format =
                    if ty.is_vector() || ty.scalar.bits() > 16 { "(@ ? @ : @)" } else { &format };
                self.node(ty, format, vec![condition, a, b])
            }
            34..=35 => {
                let other = self.any_type();
                let (a, b) = (self.value(other, depth), self.value(ty, depth));
                self.node(ty, "((@, @))", vec![a, b])
            }
            36..=41 if ty.is_vector() => self.build_vector(ty, depth),
            36..=41 => {
                // A component of a vector rvalue.
                let width = *self.random.pick(&WIDTHS);
                let vector = self.value(Type::vector(ty.scalar, width), depth);
                let swizzle = self.swizzle(width, 1, false);
                self.node(ty, &format!("(@).{swizzle}"), vec![vector])
            }
            42..=45 if ty.is_vector() => {
                let width = *self.random.pick(&WIDTHS);
                let vector = self.value(Type::vector(ty.scalar, width), depth);
                if width == ty.width && self.random.chance(30) {
                    return vector;
                }
                let swizzle = self.swizzle(width, ty.width, false);
                self.node(ty, &format!("(@).{swizzle}"), vec![vector])
            }
            42..=49 => self.conversion(ty, depth),
            50..=59 => self.builtin(ty, depth),
            _ if ty.scalar.is_float() => self.float_operation(ty, depth),
            60..=69 => self.comparison(ty, depth),
            _ => self.operation(ty, depth),
        }
    }

    /// A scalar whose truth is asked for.
    fn condition(&mut self, depth: usize) -> Node {
        let int = Type::scalar(Scalar::Int);
        match self.random.below(10) {
            0..=1 => {
                let scalar = self.integer();
                self.value(Type::scalar(scalar), depth)
            }
            2..=3 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                let format = *self.random.pick(&["(@ && @)", "(@ || @)"]);
                self.node(int, format, vec![a, b])
            }
            4 => {
                let scalar = self.any_scalar();
                let a = self.value(Type::scalar(scalar), depth.max(1) - 1);
                self.node(int, "(!@)", vec![a])
            }
            _ => {
                let (a, b) = (self.any_scalar(), self.any_scalar());
                let depth = depth.max(1) - 1;
                let a = self.value(Type::scalar(a), depth);
                let b = self.value(Type::scalar(b), depth);
                let op = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                self.node(int, &format!("(@ {op} @)"), vec![a, b])
            }
        }
    }

    /// An integer made from a comparison.
    fn comparison(&mut self, ty: Type, depth: usize) -> Node {
        if !ty.is_vector() {
            if self.random.chance(30) {
                let scalar = self.integer().as_signed();
                let vector = Type::vector(scalar, *self.random.pick(&WIDTHS));
                let value = self.value(vector, depth);
                let which = *self.random.pick(&["any", "all"]);
                return self.node(ty, &format!("({}){which}(@)", ty.name()), vec![value]);
            }
            let condition = self.condition(depth);
            return self.node(ty, &format!("({})@", ty.name()), vec![condition]);
        }
        let signed = ty.scalar.as_signed();
        let mut operands = vec![ty.with(signed), ty.with(ty.scalar.unsigned())];
        if signed == Scalar::Int {
            operands.push(ty.with(Scalar::Float));
        }
        let of = *self.random.pick(&operands);
        let a = self.value(of, depth);
        let open = if ty.scalar == signed { "(" } else { &format!("as_{}(", ty.name()) };
        if !of.scalar.is_float() && self.random.chance(15) {
            return self.node(ty, &format!("{open}!@)"), vec![a]);
        }
        let b = if self.random.chance(25) {
            self.value(Type::scalar(of.scalar), depth)
        } else {
            self.value(of, depth)
        };
        let mut ops = vec!["<", ">", "<=", ">=", "==", "!="];
        if !of.scalar.is_float() {
            // Not `&&` and `||`: the driver folds constant ones to 1 where -1 is right.
            ops.extend(["==", "!="]);
        }
        let op = *self.random.pick(&ops);
        self.node(ty, &format!("{open}@ {op} @)"), vec![a, b])
    }

    /// An operator on integers.
    fn operation(&mut self, ty: Type, depth: usize) -> Node {
        let name = ty.name();
        let scalar = ty.scalar;
        let signed = scalar.signed();
        // What a scalar operand of a narrow type gives is an int, or more; back to the type.
        let cast = if ty.is_vector() { String::new() } else { format!("({name})") };
        // Vectors may have a scalar on one side.
        let operand = |this: &mut Generator, second: bool| {
            let of = if ty.is_vector() {
                if second && this.random.chance(20) { Type::scalar(scalar) } else { ty }
            } else if second && !signed && scalar.bits() >= 32 && this.random.chance(30) {
                // Any integer that does not widen the result.
                let all: Vec<Scalar> =
                    INTEGERS.into_iter().filter(|other| other.bits() <= scalar.bits()).collect();
                Type::scalar(*this.random.pick(&all))
            } else {
                ty
            };
            this.value(of, depth)
        };
        match self.random.below(12) {
            0..=2 => {
                let (a, b) = (operand(self, false), operand(self, true));
                let op = *self.random.pick(&["&", "|", "^"]);
                self.node(ty, &format!("{cast}(@ {op} @)"), vec![a, b])
            }
            3 => {
                let a = operand(self, false);
                self.node(ty, &format!("{cast}(~@)"), vec![a])
            }
            4..=5 => {
                // Shift counts are taken modulo the width.
                let a = operand(self, false);
                let b = if ty.is_vector() {
                    operand(self, true)
                } else {
                    let other = self.integer();
                    self.value(Type::scalar(other), depth)
                };
                let op = *self.random.pick(&["<<", ">>"]);
                if signed && op == "<<" {
                    // Into the sign, only as unsigned.
                    let unsigned = ty.with(scalar.unsigned()).name();
                    return self.node(
                        ty,
                        &format!("as_{name}(({unsigned})(as_{unsigned}(@) << @))"),
                        vec![a, b],
                    );
                }
                self.node(ty, &format!("{cast}(@ {op} @)"), vec![a, b])
            }
            6 => {
                // A scalar beside a vector would be promoted by the mask.
                let (a, b) = (operand(self, false), operand(self, !ty.is_vector()));
                let op = *self.random.pick(&["/", "%"]);
                let format = if ty.is_vector() {
                    if signed {
                        format!("(@ {op} ((@ & ({0})63) | ({0})1))", scalar.name())
                    } else {
                        format!("(@ {op} (@ | ({})1))", scalar.name())
                    }
                } else if signed {
                    if self.random.chance(50) {
                        format!("{cast}(@ {op} ((@ & 63) | 1))")
                    } else {
                        format!("{cast}(@ {op} -((@ & 63) | 2))")
                    }
                } else {
                    format!("{cast}(@ {op} ({name})(@ | 1))")
                };
                self.node(ty, &format, vec![a, b])
            }
            7 => {
                let a = operand(self, false);
                let format = if !signed || (!ty.is_vector() && scalar.bits() < 32) {
                    format!("{cast}(-@)")
                } else {
                    let unsigned = ty.with(scalar.unsigned()).name();
                    format!("as_{name}(-as_{unsigned}(@))")
                };
                self.node(ty, &format, vec![a])
            }
            _ => {
                let (a, b) = (operand(self, false), operand(self, true));
                let op = *self.random.pick(&["+", "-", "*"]);
                let narrow = !ty.is_vector() && scalar.bits() < 32;
                let format = if narrow {
                    // The product of two ushort does not fit an int.
                    if op == "*" {
                        format!("{cast}((uint)@ * @)")
                    } else {
                        format!("{cast}(@ {op} @)")
                    }
                } else if !signed {
                    format!("{cast}(@ {op} @)")
                } else if ty.is_vector() {
                    let unsigned = ty.with(scalar.unsigned()).name();
                    format!("as_{name}(as_{unsigned}(@) {op} as_{unsigned}(({name})(@)))")
                } else if self.random.chance(50) {
                    let by = match (op, scalar.bits()) {
                        ("*", bits) => bits / 2 + 1,
                        _ => 2,
                    };
                    format!("((@ >> {by}) {op} (@ >> {by}))")
                } else {
                    let unsigned = scalar.unsigned().name();
                    format!("({name})(({unsigned})@ {op} ({unsigned})@)")
                };
                self.node(ty, &format, vec![a, b])
            }
        }
    }

    fn float_operation(&mut self, ty: Type, depth: usize) -> Node {
        let a = self.value(ty, depth);
        if self.random.chance(20) {
            return self.node(ty, "(-@)", vec![a]);
        }
        let b = if ty.is_vector() && self.random.chance(25) {
            self.value(Type::scalar(ty.scalar), depth)
        } else {
            self.value(ty, depth)
        };
        let op = *self.random.pick(&["+", "-", "*"]);
        self.node(ty, &format!("(@ {op} @)"), vec![a, b])
    }

    fn conversion(&mut self, ty: Type, depth: usize) -> Node {
        let name = ty.name();
        let from = Type { scalar: self.any_scalar(), width: ty.width };
        let value = self.value(from, depth);
        if from.scalar.is_float() && !ty.scalar.is_float() {
            let mode = *self.random.pick(&["", "_rte", "_rtz", "_rtp", "_rtn"]);
            return self.node(ty, &format!("convert_{name}_sat{mode}(@)"), vec![value]);
        }
        if ty.scalar.is_float() {
            return self.node(ty, &format!("convert_{name}(@)"), vec![value]);
        }
        if from.scalar.bits() == ty.scalar.bits() && self.random.chance(30) {
            return self.node(ty, &format!("as_{name}(@)"), vec![value]);
        }
        match self.random.below(3) {
            0 => self.node(ty, &format!("convert_{name}_sat(@)"), vec![value]),
            1 if !ty.is_vector() => self.node(ty, &format!("({name})@"), vec![value]),
            _ => self.node(ty, &format!("convert_{name}(@)"), vec![value]),
        }
    }

    fn build_vector(&mut self, ty: Type, depth: usize) -> Node {
        let name = ty.name();
        let mut left = ty.width;
        let mut nodes = Vec::new();
        if self.random.chance(25) {
            left = 1;
        }
        while left > 0 {
            let widths: Vec<usize> = [1, 2, 3, 4, 8]
                .into_iter()
                .filter(|&width| width <= left && width < ty.width)
                .collect();
            let width = *self.random.pick(&widths);
            left -= width;
            nodes.push(self.value(Type { width, ..ty }, depth.min(1)));
        }
        let slots = vec!["@"; nodes.len()].join(", ");
        self.node(ty, &format!("({name})({slots})"), nodes)
    }

    fn builtin(&mut self, ty: Type, depth: usize) -> Node {
        let name = ty.name();
        if ty.scalar.is_float() {
            let format =
                *self.random.pick(&["fabs", "floor", "ceil", "trunc", "rint", "fma", "select"]);
            let a = self.value(ty, depth);
            return match format {
                "fma" => {
                    let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                    self.node(ty, "fma(@, @, @)", vec![a, b, c])
                }
                "select" => {
                    let b = self.value(ty, depth);
                    let mask = self.value(ty.with(Scalar::Int), depth);
                    self.node(ty, "select(@, @, @)", vec![a, b, mask])
                }
                other => self.node(ty, &format!("{other}(@)"), vec![a]),
            };
        }
        let unsigned = ty.with(ty.scalar.unsigned());
        let a = self.value(ty, depth);
        match self.random.below(16) {
            0..=4 => {
                let b = self.value(ty, depth);
                let which = *self.random.pick(&[
                    "min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate",
                ]);
                self.node(ty, &format!("{which}(@, @)"), vec![a, b])
            }
            5 => {
                let which = *self.random.pick(&["clz", "popcount"]);
                self.node(ty, &format!("{which}(@)"), vec![a])
            }
            6..=7 if !ty.scalar.signed() => {
                let of = if self.random.chance(50) { ty.with(ty.scalar.as_signed()) } else { ty };
                let (a, b) = (self.value(of, depth), self.value(of, depth));
                if self.random.chance(50) {
                    self.node(ty, "abs(@)", vec![a])
                } else {
                    self.node(ty, "abs_diff(@, @)", vec![a, b])
                }
            }
            8 if !ty.is_vector() => {
                // Both halves of a wider number.
                let half = match ty.scalar {
                    Scalar::Short => (Scalar::Char, Scalar::UChar),
                    Scalar::UShort => (Scalar::UChar, Scalar::UChar),
                    Scalar::Int => (Scalar::Short, Scalar::UShort),
                    Scalar::UInt => (Scalar::UShort, Scalar::UShort),
                    Scalar::Long => (Scalar::Int, Scalar::UInt),
                    Scalar::ULong => (Scalar::UInt, Scalar::UInt),
                    _ => return a,
                };
                let high = self.value(ty.with(half.0), depth);
                let low = self.value(ty.with(half.1), depth);
                self.node(ty, "upsample(@, @)", vec![high, low])
            }
            9 => {
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                self.node(ty, "bitselect(@, @, @)", vec![a, b, c])
            }
            10..=11 => {
                let b = self.value(ty, depth);
                let mask =
                    if self.random.chance(50) { ty.with(ty.scalar.as_signed()) } else { unsigned };
                let c = self.value(mask, depth);
                self.node(ty, "select(@, @, @)", vec![a, b, c])
            }
            12 if ty.is_vector() => {
                let mask = self.value(ty.with(ty.scalar.as_signed()), depth);
                let b = self.value(ty, depth);
                self.node(ty, "(@ ? @ : @)", vec![mask, a, b])
            }
            13 if ty.width >= 2 && ty.width != 3 => {
                let mask = self.value(unsigned, depth);
                if self.random.chance(50) {
                    self.node(ty, "shuffle(@, @)", vec![a, mask])
                } else {
                    let b = self.value(ty, depth);
                    self.node(ty, "shuffle2(@, @, @)", vec![a, b, mask])
                }
            }
            14 if matches!(ty.scalar, Scalar::Int | Scalar::UInt) => {
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                if ty.scalar == Scalar::Int {
                    self.node(ty, "mul24(@ >> 20, @ >> 20)", vec![a, b])
                } else {
                    self.node(ty, "mad24(@ >> 8, @ >> 8, @)", vec![a, b, c])
                }
            }
            15 => {
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                if ty.scalar.signed() {
                    self.node(ty, "mad_sat(@, @, @)", vec![a, b, c])
                } else {
                    self.node(ty, "mad_hi(@, @, @)", vec![a, b, c])
                }
            }
            _ => {
                let bits = ty.scalar.bits();
                let low = self.random.below(50);
                let high = low + self.random.below(1 << (bits / 2 - 2).min(16));
                let high = high.min(127);
                self.node(ty, &format!("clamp(@, ({name}){low}, ({name}){high})"), vec![a])
            }
        }
    }

    /// An assignment, compound or not, or an increment, whose value has this type.
    fn assignment(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let (place, _, roots) = self.write(depth, &|of| of == ty)?;
        let (format, operands) = self.assignment_to(ty, depth);
        self.writes.extend(roots);
        let mut nodes = vec![place];
        nodes.extend(operands);
        Some(self.node(ty, &format!("({format})"), nodes))
    }

    fn assignment_to(&mut self, ty: Type, depth: usize) -> (String, Vec<Node>) {
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

    fn call(&mut self, ty: Type, depth: usize) -> Option<Node> {
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

    fn call_of(&mut self, function: &Function, depth: usize) -> Option<(String, Vec<Node>)> {
        self.calls += 1;
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
                Parameter::StructPointer(of) => {
                    let (text, roots) = self.struct_place(*of, true)?;
                    self.writes.extend(roots);
                    formats.push(format!("&{text}"));
                }
                Parameter::Pointer(of, n) => {
                    let (pieces, roots) = self.pointer(*of, *n)?;
                    self.writes.extend(roots);
                    nodes.push(Node::new(Role::Fixed, pieces));
                    formats.push("@".to_owned());
                }
            }
        }
        Some((format!("{}({})", function.name, formats.join(", ")), nodes))
    }

    /// An lvalue of a struct type, without free indices.
    fn struct_place(&mut self, of: usize, write: bool) -> Option<(String, Vec<usize>)> {
        let mut found = Vec::new();
        for variable in &self.variables {
            let usable = if write {
                variable.writable && variable.private && self.may_write(&variable.roots)
            } else {
                self.may_read(&variable.roots)
            };
            if !usable {
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
                Kind::Struct(other) => {
                    for (name, field) in &self.structs[other].fields {
                        if matches!(field, Field::Struct(inner) if *inner == of) {
                            found.push((
                                format!("{}.{name}", variable.name),
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

    /// A pointer to `n` private elements that may be written.
    fn pointer(&mut self, of: Type, n: usize) -> Option<(Vec<Piece>, Vec<usize>)> {
        let mut places = self.places();
        places.retain(|place| {
            place.ty == of
                && place.writable
                && place.private
                && self.may_write(&place.roots)
                && (n == 1 || place.array >= n)
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

    // Declarations

    fn declare(&mut self, name: String, kind: Kind, writable: bool, roots: Vec<usize>) {
        self.variables.push(Variable { name, kind, writable, private: true, roots });
    }

    /// A declaration of a local variable, with initializer.
    fn declaration(&mut self, depth: usize) -> Node {
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
                let n = 1usize << self.random.below(5);
                let given = if self.random.chance(50) { n } else { 1 + self.random.below(n) };
                let nodes: Vec<Node> = (0..given).map(|_| self.value(ty, 1)).collect();
                let slots = vec!["@"; given].join(", ");
                self.declare(name.clone(), Kind::Array(ty, n), true, vec![root]);
                let format = format!("{} {name}[{n}] = {{ {slots} }};", ty.name());
                Node::template(Role::Statement, &format, nodes)
            }
            5..=6 => {
                let ty = self.any_type();
                let n = 1usize << self.random.below(3);
                let Some((first, mut roots)) = self.pointer(ty, n) else {
                    return self.simple_declaration(name, root, depth);
                };
                let node = |pieces| Node::new(Role::Fixed, pieces);
                let mut format = format!("{} *{name} = @;", ty.name());
                let mut nodes = vec![node(first)];
                if self.random.chance(30)
                    && let Some((second, others)) = self.pointer(ty, n)
                {
                    format = format!("{} *{name} = @ ? @ : @;", ty.name());
                    let condition = self.condition(1);
                    nodes.insert(0, condition);
                    nodes.push(node(second));
                    roots.extend(others);
                }
                self.declare(name, Kind::Pointer(ty, n), true, roots);
                Node::template(Role::Statement, &format, nodes)
            }
            7 if !self.structs.is_empty() => {
                let of = self.random.below(self.structs.len());
                let Some((text, roots)) = self.struct_place(of, true) else {
                    return self.simple_declaration(name, root, depth);
                };
                let format = format!("struct {} *{name} = &{text};", self.structs[of].name);
                self.declare(name, Kind::StructPointer(of), true, roots);
                Node::text(Role::Statement, format)
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

    fn simple_declaration(&mut self, name: String, root: usize, depth: usize) -> Node {
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
            variable.private = false;
        }
        Node::template(Role::Statement, &format, vec![value])
    }

    fn struct_initializer(&mut self, of: usize, nodes: &mut Vec<Node>) -> String {
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

    // Statements

    fn block(&mut self, count: usize, depth: usize) -> Node {
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

    fn statement(&mut self, depth: usize) -> Node {
        self.full();
        let make = |format: &str, nodes| Node::template(Role::Statement, format, nodes);
        let inner = if depth == 0 { 0 } else { 1 + self.random.below(4) };
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
            41..=44 => {
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
            55..=59 => {
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
            73..=84 => self.loop_statement(inner, depth - 1),
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

    fn block_statement(&mut self, count: usize, depth: usize) -> Node {
        let Node { pieces, .. } = self.block(count, depth);
        Node::new(Role::Statement, pieces)
    }

    fn loop_statement(&mut self, count: usize, depth: usize) -> Node {
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

    fn switch(&mut self, depth: usize) -> Node {
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
            if arm == default {
                format.push_str("default: ");
            }
            for _ in 0..1 + self.random.below(2) {
                if labels.is_empty() {
                    break;
                }
                let index = self.random.below(labels.len());
                let label = labels.swap_remove(index);
                format.push_str(&format!("case {label}: "));
            }
            // A `continue` here is one of the enclosing loop; a `break` is not.
            let n = 1 + self.random.below(2);
            let body = self.block(n, depth);
            nodes.push(body);
            format.push('@');
            format.push_str(if self.random.chance(60) { " break;\n" } else { "\n" });
        }
        self.in_switch -= 1;
        format.push('}');
        Node::template(Role::Statement, &format, nodes)
    }

    fn return_statement(&mut self) -> Option<Node> {
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

    fn function(&mut self) -> Node {
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
                    declarators.push(format!("struct {} *{parameter}", self.structs[of].name));
                    self.declare(parameter, Kind::StructPointer(of), true, vec![root]);
                    parameters.push(Parameter::StructPointer(of));
                }
                3..=4 => {
                    let ty = self.any_type();
                    let n = 1usize << self.random.below(3);
                    declarators.push(format!("{} *{parameter}", ty.name()));
                    self.declare(parameter, Kind::Pointer(ty, n), true, vec![root]);
                    parameters.push(Parameter::Pointer(ty, n));
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

    fn input(&mut self, root: usize) {
        self.variables.push(Variable {
            name: "in".to_owned(),
            kind: Kind::Array(Type::scalar(Scalar::UInt), WORDS),
            writable: false,
            private: false,
            roots: vec![root],
        });
    }

    fn kernel(&mut self, name: &str) -> Node {
        self.in_kernel = true;
        self.calls = 0;
        let root = self.object();
        self.input(root);
        let outside = |this: &mut Generator, name: &str, kind: Kind, writable: bool| {
            let root = this.object();
            this.variables.push(Variable {
                name: name.to_owned(),
                kind,
                writable,
                private: false,
                roots: vec![root],
            });
        };
        // Elements without padding and without NaN.
        let own = loop {
            let ty = self.any_type();
            if ty.width != 3 && !ty.scalar.is_float() {
                break ty;
            }
        };
        let uint = Type::scalar(Scalar::UInt);
        outside(self, "cin", Kind::Array(uint, WORDS), false);
        outside(self, "own", Kind::Array(own, OWN), true);
        outside(self, "sa", Kind::Value(Type::scalar(Scalar::Int)), true);
        outside(self, "sv", Kind::Value(Type::vector(Scalar::UInt, 4)), true);
        outside(self, "gid", Kind::Value(Type::scalar(Scalar::ULong)), false);
        outside(self, "lid", Kind::Value(Type::scalar(Scalar::Int)), false);
        let mut pieces = vec![Piece::Text(format!(
            "kernel void {name}(global const uint *in, constant uint *cin, global {own} *buffer, \
             int sa, uint4 sv, global ulong *out)\n{{\n\
             ulong gid = get_global_id(0);\nint lid = get_local_id(0);\n\
             global {own} *own = buffer + gid * {OWN};\nulong acc = 14695981039346656037UL;\n",
            own = own.name()
        ))];
        let line = |pieces: &mut Vec<Piece>, node: Node| {
            pieces.push(Piece::Node(node));
            pieces.push(Piece::Text("\n".to_owned()));
        };
        let mut tiles = Vec::new();
        for _ in 0..self.random.below(3) {
            let (tile, ty) = (self.name("l"), self.any_type());
            line(
                &mut pieces,
                Node::text(Role::Statement, format!("local {} {tile}[{LOCAL}];", ty.name())),
            );
            tiles.push((tile, ty));
        }
        for _ in 0..3 + self.random.below(5) {
            let node = self.declaration(3);
            line(&mut pieces, node);
        }
        for _ in 0..3 + self.random.below(10) {
            let node = if !tiles.is_empty() && self.random.chance(12) {
                let (tile, ty) = self.random.pick(&tiles).clone();
                self.exchange(&tile, ty)
            } else {
                self.statement(3)
            };
            line(&mut pieces, node);
        }
        for place in self.places() {
            if place.private || place.parts.len() == 1 {
                let node = self.mix(&place);
                line(&mut pieces, node);
            }
        }
        pieces.push(Piece::Text("out[gid] = acc;\n}".to_owned()));
        Node::new(Role::Fixed, pieces)
    }

    /// A value goes through local memory to another work-item.
    fn exchange(&mut self, tile: &str, ty: Type) -> Node {
        self.full();
        let value = self.value(ty, 3);
        let name = self.name("v");
        let from = self.random.below(LOCAL);
        let root = self.object();
        self.declare(name.clone(), Kind::Value(ty), true, vec![root]);
        let format = format!(
            "{tile}[lid] = @; barrier(CLK_LOCAL_MEM_FENCE); \
             {} {name} = {tile}[(lid + {from}) & {}]; barrier(CLK_LOCAL_MEM_FENCE);",
            ty.name(),
            LOCAL - 1
        );
        Node::template(Role::Statement, &format, vec![value])
    }

    /// Every component of a place into the sum that the kernel gives back.
    fn mix(&mut self, place: &Place) -> Node {
        let with = if place.ty.scalar.is_float() { "MIXF" } else { "MIX" };
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
        for text in texts {
            for component in 0..place.ty.width {
                let access = if place.ty.is_vector() {
                    format!("{text}.s{component:x}")
                } else {
                    text.clone()
                };
                let node = Node::text(Role::Statement, format!("{with}({access}); "));
                pieces.push(Piece::Node(node));
            }
        }
        Node::new(Role::Statement, pieces)
    }
}
