//! Expressions of a given type.

use super::{Field, Function, Generator, Kind, Parameter, PlacePart, Returned};
use crate::tree::{Node, Piece, Role};
use crate::types::{INTEGERS, Scalar, Type, WIDTHS};

impl Generator {
    pub(super) fn full(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }

    pub(super) fn node(&self, ty: Type, format: &str, nodes: Vec<Node>) -> Node {
        Node::template(Role::Value(ty), format, nodes)
    }

    /// An expression of exactly this type.
    pub(super) fn value(&mut self, ty: Type, depth: usize) -> Node {
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
    pub(super) fn condition(&mut self, depth: usize) -> Node {
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
    pub(super) fn comparison(&mut self, ty: Type, depth: usize) -> Node {
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
        // Not `&&` and `||`: in initializers the driver folds constant ones to 1, not -1.
        let ops = ["<", ">", "<=", ">=", "==", "!="];
        let op = *self.random.pick(&ops);
        self.node(ty, &format!("{open}@ {op} @)"), vec![a, b])
    }

    /// An operator on integers.
    pub(super) fn operation(&mut self, ty: Type, depth: usize) -> Node {
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

    pub(super) fn float_operation(&mut self, ty: Type, depth: usize) -> Node {
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

    pub(super) fn conversion(&mut self, ty: Type, depth: usize) -> Node {
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

    pub(super) fn build_vector(&mut self, ty: Type, depth: usize) -> Node {
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

    pub(super) fn builtin(&mut self, ty: Type, depth: usize) -> Node {
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
    pub(super) fn assignment(&mut self, ty: Type, depth: usize) -> Option<Node> {
        let (place, _, roots) = self.write(depth, &|of| of == ty)?;
        let (format, operands) = self.assignment_to(ty, depth);
        self.writes.extend(roots);
        let mut nodes = vec![place];
        nodes.extend(operands);
        Some(self.node(ty, &format!("({format})"), nodes))
    }

    pub(super) fn assignment_to(&mut self, ty: Type, depth: usize) -> (String, Vec<Node>) {
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
    pub(super) fn struct_place(&mut self, of: usize, write: bool) -> Option<(String, Vec<usize>)> {
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
    pub(super) fn pointer(&mut self, of: Type, n: usize) -> Option<(Vec<Piece>, Vec<usize>)> {
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
}
