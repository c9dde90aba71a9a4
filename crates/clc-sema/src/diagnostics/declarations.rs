//! Codes of the declarations family.

super::codes! {
    E0201 = error "redefinition" "";
}
