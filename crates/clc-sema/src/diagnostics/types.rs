//! Codes of the types family.

super::codes! {
    E0301 = error "unknown-type" "";
}
