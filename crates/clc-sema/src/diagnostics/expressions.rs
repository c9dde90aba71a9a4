//! Codes of the expressions family.

super::codes! {
    E0401 = error "undeclared-identifier" "";
}
