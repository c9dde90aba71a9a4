//! Codes of the statements family.

super::codes! {
    E0450 = error "break-outside" "";
}
