//! Codes of the address spaces family.

super::codes! {
    E0320 = error "address-space" "";
}
