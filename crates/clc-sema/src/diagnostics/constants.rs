//! Codes of the constants family.

super::codes! {
    E0601 = error "not-constant" "";
}
