//! Designators (C99 6.7.8 paragraphs 6, 7 and 17).

use clc_base::{Diagnostic, Span, Symbol};
use clc_syntax::ast::{Designator, ExprKind as AstExpr, Initializer};

use super::tree::{Init, Items, MAX_ELEMENTS, Shape};
use crate::context::Sema;
use crate::diagnostics::declarations as codes;
use crate::types::{Type, TypeId, TypeTable};

impl<'a> Sema<'a> {
    /// An item with designators (C99 6.7.8 paragraphs 6, 7 and 17). Returns the last index that the
    /// outermost designator names.
    pub(super) fn designated(
        &mut self,
        ty: TypeId,
        designator: &'a Designator,
        rest: &'a [Designator],
        items: &mut Items<'a>,
        init: &mut Init,
    ) -> Option<u64> {
        stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || match designator {
            Designator::Member(name, span) => {
                let path = self.member_path(ty, *name, *span)?;
                self.designated_path(ty, &path, rest, items, init)
            }
            Designator::Index(..) | Designator::Range(..) => {
                let (first, last) = self.index_designator(ty, designator)?;
                let part = self.part_type(ty, first);
                let slot = self.slot(init, ty, first);
                self.designated_part(part, rest, items, slot)?;
                if last > first {
                    let copy = slot.clone();
                    if !self.is_constant(&copy, part) {
                        self.report(
                            Diagnostic::new(
                                &codes::E0216,
                                designator_span(designator),
                                "a range designator needs a constant value",
                            )
                            .at("its value is not constant"),
                        );
                        return Some(last);
                    }
                    for index in first + 1..=last {
                        *self.slot(init, ty, index) = copy.clone();
                    }
                }
                Some(last)
            }
        })
    }

    /// Descends through anonymous members to the one that was named.
    fn designated_path(
        &mut self,
        ty: TypeId,
        path: &[u32],
        rest: &'a [Designator],
        items: &mut Items<'a>,
        init: &mut Init,
    ) -> Option<u64> {
        let (&first, inner) = path.split_first()?;
        let index = u64::from(first);
        let part = self.part_type(ty, index);
        let slot = self.slot(init, ty, index);
        if inner.is_empty() {
            self.designated_part(part, rest, items, slot)?;
        } else {
            let last = self.designated_path(part, inner, rest, items, slot)?;
            self.elide_after(part, last, items, slot);
        }
        let is_union = matches!(self.module.types.get(ty),
            Type::Record(id) if self.module.types.records[*id].is_union);
        // Nothing follows inside a union.
        Some(if is_union { u64::MAX - 1 } else { index })
    }

    /// What the designators of an item lead to, and what comes after it inside the same part.
    fn designated_part(
        &mut self,
        part: TypeId,
        rest: &'a [Designator],
        items: &mut Items<'a>,
        slot: &mut Init,
    ) -> Option<()> {
        match rest.split_first() {
            None => {
                let item = items.peek()?;
                // From here on the item counts as undesignated.
                if let (Initializer::Expr(e), Shape::Aggregate(_)) = (&item.value, self.shape(part))
                {
                    let element = self.as_array(part);
                    let is_string =
                        matches!(element, Some((TypeTable::CHAR | TypeTable::UCHAR, _)))
                            && matches!(self.ast.exprs[self.unparen(*e)].kind, AstExpr::String(_));
                    if !is_string {
                        items.pending = Some(self.value(*e));
                    }
                }
                self.part(part, items, slot);
            }
            Some((first, rest)) => {
                let last = self.designated(part, first, rest, items, slot)?;
                self.elide_after(part, last, items, slot);
            }
        }
        Some(())
    }

    /// Items after a nested designator go on behind the part that it named.
    fn elide_after(&mut self, ty: TypeId, last: u64, items: &mut Items<'a>, init: &mut Init) {
        if let Shape::Aggregate(count) = self.shape(ty)
            && let Some(next) = last.checked_add(1)
            && next < count
        {
            self.elided(ty, next, count, items, init);
        }
    }

    fn member_path(&mut self, ty: TypeId, name: Symbol, span: Span) -> Option<Box<[u32]>> {
        let text = self.interner.resolve(name);
        let Type::Record(id) = self.module.types.get(ty) else {
            if !self.module.types.is_error(ty) {
                let message =
                    format!("`.{text}` names a member, but this is `{}`", self.type_text(ty));
                self.report(
                    Diagnostic::new(&codes::E0216, span, message)
                        .at("not the member of a struct or union"),
                );
            }
            return None;
        };
        let body = self.module.types.records[*id].body.as_ref()?;
        if let Some(path) = body.lookup.get(&name).cloned() {
            self.index_member(*id, &path, span);
            return Some(path);
        }
        if self.reported.partial.contains(id) || self.is_lost(name) {
            return None;
        }
        let message = format!("`{}` has no member `{text}`", self.type_text(ty));
        let diagnostic = Diagnostic::new(&codes::E0216, span, message).at("not one of its members");
        let mut known: Vec<&str> =
            body.lookup.keys().map(|&name| self.interner.resolve(name)).collect();
        known.sort_unstable();
        let guess = clc_base::diagnostic::did_you_mean(text, known.into_iter());
        // The place begins at the `.`.
        let name = Span::new(span.hi - text.len() as u32, span.hi);
        self.report(diagnostic.suggest(name, guess));
        None
    }

    fn index_designator(&mut self, ty: TypeId, designator: &Designator) -> Option<(u64, u64)> {
        let span = designator_span(designator);
        let Some((_, len)) = self.as_array(ty) else {
            if !self.module.types.is_error(ty) {
                let text = self.type_text(ty);
                self.report(
                    Diagnostic::new(
                        &codes::E0216,
                        span,
                        format!("`[…]` names an element of an array, but this is `{text}`"),
                    )
                    .at("not an index into an array"),
                );
            }
            return None;
        };
        let (first, last) = match designator {
            Designator::Index(e, _) => {
                let value = self.integer_constant(*e, "an array designator")?.value;
                (value, value)
            }
            Designator::Range(first, last, _) => {
                let first = self.integer_constant(*first, "an array designator")?.value;
                (first, self.integer_constant(*last, "an array designator")?.value)
            }
            Designator::Member(..) => return None,
        };
        let limit = i128::from(len.unwrap_or(MAX_ELEMENTS));
        let (problem, label) = if first < 0 || last < first {
            let label = if first < 0 { "less than 0" } else { "ends before it begins" };
            ("this designator names no element".to_owned(), label.to_owned())
        } else if last >= limit {
            let label = format!("elements are 0 to {}", limit - 1);
            (format!("element {last} is beyond the array's {limit}"), label)
        } else if last - first >= i128::from(MAX_ELEMENTS) {
            let label = format!("{} elements", last - first + 1);
            (format!("a range designator covers at most {MAX_ELEMENTS} elements"), label)
        } else {
            return Some((u64::try_from(first).ok()?, u64::try_from(last).ok()?));
        };
        self.report(Diagnostic::new(&codes::E0216, span, problem).at(label));
        None
    }
}

pub(super) fn designator_span(designator: &Designator) -> Span {
    match designator {
        Designator::Index(_, span)
        | Designator::Range(_, _, span)
        | Designator::Member(_, span) => *span,
    }
}
