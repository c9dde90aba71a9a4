//! Types in the words of the source, for diagnostics and kernel argument information.

use crate::context::Sema;
use crate::types::{QualType, TypeId};

impl Sema<'_> {
    /// `float4`, `global const int *`, `struct s`.
    pub(crate) fn type_text(&self, ty: TypeId) -> String {
        format!("{ty}")
    }

    /// The same with the qualifiers in front.
    pub(crate) fn qualified_text(&self, ty: QualType) -> String {
        self.type_text(ty.ty)
    }
}
