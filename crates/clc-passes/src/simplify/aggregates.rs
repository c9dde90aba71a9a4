//! Components of vectors, arrays and structs.

use clc_ir::{InstKind, Type, TypeKind, Value};

use super::Outcome::{self, Become, Keep, Same};
use super::Simplifier;

impl Simplifier<'_> {
    pub(super) fn extract(&mut self, aggregate: Value, path: &[u32]) -> Outcome {
        let Some((&first, rest)) = path.split_first() else { return Same(aggregate) };
        if aggregate.is_const() {
            return match self.folder.component(aggregate, first) {
                Some(part) if rest.is_empty() => Same(part),
                Some(part) => {
                    let path = self.function.number_list(rest);
                    Become(InstKind::Extract { aggregate: part, path })
                }
                None => Keep,
            };
        }
        match self.kind(aggregate) {
            Some(InstKind::Construct { parts }) => {
                let ty = self.ty(aggregate);
                if let TypeKind::Vector(..) = self.folder.types.kind(ty) {
                    // Parts may be vectors themselves.
                    let mut lane = first;
                    for index in 0..parts.len() {
                        let part = self.function.value_at(parts, index);
                        let lanes = u32::from(self.folder.types.lanes(self.ty(part)));
                        if lane < lanes {
                            if lanes == 1 {
                                return Same(part);
                            }
                            let path = self.function.number_list(&[lane]);
                            return Become(InstKind::Extract { aggregate: part, path });
                        }
                        lane -= lanes;
                    }
                    return Keep;
                }
                if first as usize >= parts.len() {
                    return Keep;
                }
                let part = self.function.value_at(parts, first as usize);
                if rest.is_empty() {
                    return Same(part);
                }
                let path = self.function.number_list(rest);
                Become(InstKind::Extract { aggregate: part, path })
            }
            Some(InstKind::Insert { aggregate: inner, element, path: written }) => {
                let written = self.function.numbers_of(written);
                if written == path {
                    return Same(element);
                }
                if path.starts_with(written) {
                    let rest = path[written.len()..].to_vec();
                    let path = self.function.number_list(&rest);
                    return Become(InstKind::Extract { aggregate: element, path });
                }
                if written.starts_with(path) {
                    return Keep;
                }
                let path = self.function.number_list(path);
                Become(InstKind::Extract { aggregate: inner, path })
            }
            Some(InstKind::Shuffle { left, right, mask }) => {
                let lanes = u32::from(self.folder.types.lanes(self.ty(left)));
                let Some(&lane) = self.function.numbers_of(mask).get(first as usize) else {
                    return Keep;
                };
                if lane == u32::MAX {
                    let scalar = self.folder.types.scalar(self.ty(left));
                    return Same(self.folder.undef(scalar));
                }
                let (vector, lane) =
                    if lane < lanes { (left, lane) } else { (right, lane - lanes) };
                let path = self.function.number_list(&[lane]);
                Become(InstKind::Extract { aggregate: vector, path })
            }
            Some(InstKind::Extract { aggregate: inner, path: outer }) => {
                let mut joined = self.function.numbers_of(outer).to_vec();
                joined.extend_from_slice(path);
                let path = self.function.number_list(&joined);
                Become(InstKind::Extract { aggregate: inner, path })
            }
            _ => Keep,
        }
    }

    pub(super) fn insert(
        &mut self,
        aggregate: Value,
        element: Value,
        path: &[u32],
        ty: Type,
    ) -> Outcome {
        // An insertion over an insertion at the same place hides it.
        if let Some(InstKind::Insert { aggregate: inner, element: _, path: written }) =
            self.kind(aggregate)
            && self.function.numbers_of(written) == path
        {
            let path = self.function.number_list(path);
            return Become(InstKind::Insert { aggregate: inner, element, path });
        }
        // A component of what is just being built.
        if let (Some(InstKind::Construct { parts }), &[lane]) = (self.kind(aggregate), path)
            && parts.len() == usize::from(self.folder.types.lanes(ty))
        {
            let mut parts: Vec<Value> = self.function.values_of(parts).collect();
            parts[lane as usize] = element;
            let parts = self.function.list(&parts);
            return Become(InstKind::Construct { parts });
        }
        // A component put back where it came from.
        if let Some(InstKind::Extract { aggregate: source, path: read }) = self.kind(element)
            && source == aggregate
            && self.function.numbers_of(read) == path
        {
            return Same(aggregate);
        }
        // The last of a chain of insertions that covers the vector: build it at once.
        if let (TypeKind::Vector(_, count), &[lane]) = (self.folder.types.kind(ty), path) {
            let mut parts = vec![None; usize::from(count)];
            parts[lane as usize] = Some(element);
            let mut missing = usize::from(count) - 1;
            let mut base = aggregate;
            // The bound keeps long chains linear.
            for _ in 0..2 * count {
                if missing == 0 {
                    break;
                }
                let Some(InstKind::Insert { aggregate: inner, element, path }) = self.kind(base)
                else {
                    break;
                };
                let &[lane] = self.function.numbers_of(path) else { break };
                if parts[lane as usize].is_none() {
                    parts[lane as usize] = Some(element);
                    missing -= 1;
                }
                base = inner;
            }
            if missing == 0 {
                let parts: Vec<Value> = parts.into_iter().flatten().collect();
                let parts = self.function.list(&parts);
                return Become(InstKind::Construct { parts });
            }
        }
        Keep
    }

    pub(super) fn construct(&mut self, parts: &[Value], ty: Type) -> Outcome {
        let lanes = match self.folder.types.kind(ty) {
            TypeKind::Vector(_, count) => Some(usize::from(count)),
            _ => None,
        };
        if parts.iter().all(|part| part.is_const()) {
            if lanes.is_none_or(|lanes| lanes == parts.len()) {
                return Same(self.folder.composite(ty, parts.to_vec()));
            }
            let mut flat = Vec::new();
            for &part in parts {
                let count = self.folder.types.lanes(self.ty(part));
                for lane in 0..u32::from(count) {
                    let component =
                        if count == 1 { Some(part) } else { self.folder.component(part, lane) };
                    match component {
                        Some(component) => flat.push(component),
                        None => return Keep,
                    }
                }
            }
            return Same(self.folder.composite(ty, flat));
        }
        // All components of a vector, in order, are that vector.
        if lanes != Some(parts.len()) {
            return Keep;
        }
        let mut whole = Vec::with_capacity(parts.len());
        let mut left = parts;
        while let Some(&first) = left.first() {
            let (part, count) = self.all_components(left).unwrap_or((first, 1));
            whole.push(part);
            left = &left[count..];
        }
        match *whole {
            [only] if self.ty(only) == ty => Same(only),
            _ if whole.len() < parts.len() => {
                let parts = self.function.list(&whole);
                Become(InstKind::Construct { parts })
            }
            _ => Keep,
        }
    }

    /// The vector all of whose components some values begin with, in order, and their number.
    fn all_components(&self, parts: &[Value]) -> Option<(Value, usize)> {
        let Some(InstKind::Extract { aggregate: vector, .. }) = self.kind(parts[0]) else {
            return None;
        };
        let TypeKind::Vector(_, count) = self.folder.types.kind(self.ty(vector)) else {
            return None;
        };
        let components = parts.get(..usize::from(count))?;
        let are_all = components.iter().enumerate().all(|(lane, &part)| match self.kind(part) {
            Some(InstKind::Extract { aggregate, path }) => {
                aggregate == vector && *self.function.numbers_of(path) == [lane as u32]
            }
            _ => false,
        });
        are_all.then_some((vector, components.len()))
    }
}
