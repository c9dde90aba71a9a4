//! What a call to a builtin means, independent of how it was spelled.

/// Semantic operations. Signedness is part of the operation where it matters, because the
/// intermediate representation has signless integers; types and widths come from the operands.
///
/// `clc-spirv` matches this exhaustively without a wildcard: a builtin without a lowering does
/// not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    GetGlobalId,
    GetLocalId,
    GetGroupId,
    Barrier,
    Sqrt,
    FClamp,
    SClamp,
    UClamp,
    Printf,
}
