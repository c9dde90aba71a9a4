//! Expressions of a given type.

use super::{Generator, Version};
use crate::tree::{Node, Role};
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
        let stop = if self.small { 35 } else { 15 };
        if depth == 0 || self.random.chance(stop) {
            if self.random.chance(80)
                && let Some(node) = self.read(ty, depth)
            {
                return node;
            }
            return self.literal_node(ty);
        }
        let depth = depth - 1;
        if !self.images.is_empty()
            && self.random.chance(10)
            && let Some(node) = self.image_value(ty, depth)
        {
            return node;
        }
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
            34 => {
                let found = match self.random.below(10) {
                    0..=2 => self.member(ty, depth),
                    3..=5 => self.atomic(ty, depth),
                    6..=7 => self.view(ty, depth),
                    8 if !ty.is_vector() && !ty.scalar.is_float() => {
                        let difference = self.pointer_expression(false, depth);
                        let cast = format!("({})@", ty.name());
                        difference.map(|node| self.node(ty, &cast, vec![node]))
                    }
                    9 if !ty.is_vector() && !self.structs.is_empty() => {
                        let of = self.random.below(self.structs.len());
                        let name = self.structs[of].name.clone();
                        let text = match ty.scalar.is_float() {
                            true => format!("(({})sizeof(struct {name}))", ty.name()),
                            false => format!(
                                "(({})(sizeof(struct {name}) + vec_step({})))",
                                ty.name(),
                                self.any_type().name()
                            ),
                        };
                        Some(Node::text(Role::Value(ty), text))
                    }
                    _ => self.vload(ty),
                };
                found.unwrap_or_else(|| self.literal_node(ty))
            }
            35 => {
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
            5 if self.random.chance(20) => match self.pointer_expression(true, depth) {
                Some(node) => node,
                None => self.literal_node(int),
            },
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
        match signed {
            Scalar::Short => operands.push(ty.with(Scalar::Half)),
            Scalar::Int => operands.push(ty.with(Scalar::Float)),
            Scalar::Long => operands.push(ty.with(Scalar::Double)),
            _ => {}
        }
        let of = *self.random.pick(&operands);
        let a = self.value(of, depth);
        let open = if ty.scalar == signed { "(" } else { &format!("as_{}(", ty.name()) };
        if !of.scalar.is_float() && self.random.chance(15) {
            return self.node(ty, &format!("{open}!@)"), vec![a]);
        }
        if of.scalar.is_float() && self.random.chance(40) {
            let one = ["isnan", "isinf", "isfinite", "isnormal"];
            let two = [
                "isequal",
                "isnotequal",
                "isgreater",
                "isless",
                "islessequal",
                "isordered",
                "islessgreater",
                "isunordered",
                "isgreaterequal",
            ];
            if self.random.chance(35) {
                let which = *self.random.pick(&one);
                return self.node(ty, &format!("{open}{which}(@))"), vec![a]);
            }
            let (which, b) = (*self.random.pick(&two), self.value(of, depth));
            return self.node(ty, &format!("{open}{which}(@, @))"), vec![a, b]);
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
            return self.negation(ty, a);
        }
        let b = if ty.is_vector() && self.random.chance(25) {
            self.value(Type::scalar(ty.scalar), depth)
        } else {
            self.value(ty, depth)
        };
        // Division is exact in double only.
        let ops: &[&str] =
            if ty.scalar == Scalar::Double { &["+", "-", "*", "/"] } else { &["+", "-", "*"] };
        let op = *self.random.pick(ops);
        self.node(ty, &format!("(@ {op} @)"), vec![a, b])
    }

    fn negation(&mut self, ty: Type, of: Node) -> Node {
        if self.barriers {
            return self.node(ty, &format!("NEGATIVE({}, @)", ty.name()), vec![of]);
        }
        self.node(ty, "(-@)", vec![of])
    }

    pub(super) fn conversion(&mut self, ty: Type, depth: usize) -> Node {
        let name = ty.name();
        let from = Type { scalar: self.any_scalar(), width: ty.width };
        let value = self.value(from, depth);
        if from.scalar.is_float() && !ty.scalar.is_float() {
            if from.scalar.bits() == ty.scalar.bits() && !ty.is_vector() && self.random.chance(30) {
                let format = format!("as_{name}(bits_{}(@))", from.scalar.name());
                return self.node(ty, &format, vec![value]);
            }
            let mode = *self.random.pick(&["", "_rte", "_rtz", "_rtp", "_rtn"]);
            // What is no number should become zero, but need not.
            let number = format!("fmax(@, ({})(-INFINITY))", from.name());
            return self.node(ty, &format!("convert_{name}_sat{mode}({number})"), vec![value]);
        }
        if ty.scalar.is_float() {
            let same = from.scalar.bits() == ty.scalar.bits() && !from.scalar.is_float();
            if same && self.random.chance(30) {
                return self.node(ty, &format!("as_{name}(@)"), vec![value]);
            }
            if !ty.is_vector() && self.random.chance(20) {
                return self.node(ty, &format!("(({name})@)"), vec![value]);
            }
            let mode = *self.random.pick(&["", "", "_rte", "_rtz", "_rtp", "_rtn"]);
            return self.node(ty, &format!("convert_{name}{mode}(@)"), vec![value]);
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
            let format = *self.random.pick(&[
                "fabs",
                "floor",
                "ceil",
                "trunc",
                "rint",
                "round",
                "fma",
                "select",
                "copysign",
                "?",
                "sign",
                "step",
                "nextafter",
                "fmod",
            ]);
            let a = self.value(ty, depth);
            return match format {
                // Half has none that rounds once.
                "fma" if ty.scalar == Scalar::Half => self.negation(ty, a),
                // The sign of a NaN would show.
                "copysign" => {
                    let sign = self.literal_node(ty);
                    self.node(ty, "copysign(@, @)", vec![a, sign])
                }
                "sign" => self.node(ty, "sign(@)", vec![a]),
                // The drivers take a NaN in a vector for less than the edge.
                "step" if ty.is_vector() => a,
                "step" | "nextafter" | "fmod" => {
                    let b = self.value(ty, depth);
                    self.node(ty, &format!("{format}(@, @)"), vec![a, b])
                }
                "?" if ty.is_vector() => {
                    let mask = self.value(ty.with(ty.scalar.as_signed()), depth);
                    let b = self.value(ty, depth);
                    self.node(ty, "(@ ? @ : @)", vec![mask, a, b])
                }
                "?" => a,
                "fma" => {
                    let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                    self.node(ty, "fma(@, @, @)", vec![a, b, c])
                }
                "select" => {
                    let b = self.value(ty, depth);
                    let mask = self.value(ty.with(ty.scalar.as_signed()), depth);
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
                let names: &[&str] = match self.version {
                    Version::V12 => &["clz", "popcount"],
                    Version::V20 => &["clz", "popcount", "ctz"],
                };
                let which = *self.random.pick(names);
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
                // The OpenCL driver permutes halves of these.
                let is_wrong = ty.width == 4 && ty.scalar.bits() == 64;
                if self.random.chance(50) && !is_wrong {
                    // Its own compiler does not ignore the upper bits of a constant mask.
                    let name = unsigned.name();
                    let within = format!("shuffle(@, (@) & ({name})({}))", ty.width - 1);
                    self.node(ty, &within, vec![a, mask])
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
                // What the OpenCL driver saturates wrongly (docs/fuzzing.md) is left out.
                let is_wrong = match ty.scalar {
                    Scalar::Int => ty.width > 1,
                    scalar => scalar == Scalar::Long,
                };
                if ty.scalar.signed() && !is_wrong {
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
}
