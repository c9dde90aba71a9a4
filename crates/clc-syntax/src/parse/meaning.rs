//! What a name can be for the grammar.

/// What an identifier means where it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Not yet looked up among the names that the language predeclares.
    Unresolved,
    /// A variable, function, enumerator, or nothing.
    Ordinary,
    Type,
    /// A type that certainly is a vector: `(T)(…)` is a literal, a primary expression.
    Vector,
    /// `__builtin_astype` or `__builtin_convertvector`, whose second operand is a type.
    Conversion,
}

impl Meaning {
    #[inline]
    pub fn is_type(self) -> bool {
        matches!(self, Meaning::Type | Meaning::Vector)
    }
}
