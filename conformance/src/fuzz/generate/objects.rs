//! The parts of objects that an expression may read or write, and how it names them.

use super::{Field, Generator, Kind, Place, PlacePart};
use crate::tree::{Node, Piece, Role};
use crate::types::{Scalar, Type};

impl Generator {
    pub(super) fn places(&self) -> Vec<Place> {
        let mut out = Vec::new();
        for variable in &self.variables {
            let place = |parts: Vec<PlacePart>, ty: Type, array: usize| Place {
                parts,
                ty,
                roots: variable.roots.clone(),
                writable: variable.writable,
                space: variable.space,
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
                Kind::Array2(ty, n, m) => {
                    let parts = vec![name(), PlacePart::Index(*n), PlacePart::Index(*m)];
                    out.push(place(parts, *ty, *m));
                }
                Kind::Struct(of) => self.fields(&place, vec![name()], *of, ".", &mut out),
                Kind::StructPointer(of) => self.fields(&place, vec![name()], *of, "->", &mut out),
                Kind::StructArray(of, n) => {
                    self.fields(&place, vec![name(), PlacePart::Index(*n)], *of, ".", &mut out);
                }
                Kind::PointerTable(ty, count, n) => {
                    let parts = vec![name(), PlacePart::Index(*count), PlacePart::Index(*n)];
                    out.push(place(parts, *ty, *n));
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
                    // A NaN that is written could be read as bits.
                    let mut float = place(vec![member("f")], Type::scalar(Scalar::Float), 0);
                    float.writable = false;
                    out.push(float);
                }
            }
        }
        out
    }

    pub(super) fn fields(
        &self,
        place: &dyn Fn(Vec<PlacePart>, Type, usize) -> Place,
        before: Vec<PlacePart>,
        of: usize,
        access: &str,
        out: &mut Vec<Place>,
    ) {
        let first = out.len();
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
        if self.structs[of].packed {
            for place in &mut out[first..] {
                place.space = None;
            }
        }
    }

    pub(super) fn may_read(&self, roots: &[usize]) -> bool {
        roots.iter().all(|root| !self.writes.contains(root))
    }

    pub(super) fn may_write(&self, roots: &[usize]) -> bool {
        self.may_read(roots) && roots.iter().all(|root| !self.reads.contains(root))
    }

    pub(super) fn index(&mut self, n: usize, depth: usize) -> Vec<Piece> {
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
    pub(super) fn pieces(&mut self, place: &Place, depth: usize) -> Vec<Piece> {
        let mut out = Vec::new();
        if let [PlacePart::Text(text), PlacePart::Index(n)] = &place.parts[..]
            && *n > 1
            && self.random.chance(10)
        {
            // Subscripts by other words.
            let mut index = self.index(*n, depth);
            if let Some(Piece::Text(open)) = index.first_mut() {
                open.remove(0);
            }
            if let Some(Piece::Text(close)) = index.last_mut() {
                close.pop();
            }
            let (before, after) = if self.random.chance(50) {
                (format!("(*({text} + ("), ")))".to_owned())
            } else {
                ("(".to_owned(), format!(")[{text}]"))
            };
            out.push(Piece::Text(before));
            out.extend(index);
            out.push(Piece::Text(after));
            return out;
        }
        for part in &place.parts {
            match part {
                PlacePart::Text(text) => out.push(Piece::Text(text.clone())),
                PlacePart::Index(n) => out.extend(self.index(*n, depth)),
            }
        }
        out
    }

    /// Distinct components of a vector, as a swizzle that gives `width` of them.
    pub(super) fn swizzle(&mut self, of: usize, width: usize, distinct: bool) -> String {
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
    pub(super) fn read(&mut self, ty: Type, depth: usize) -> Option<Node> {
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
    pub(super) fn write(
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
}
