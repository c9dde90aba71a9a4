//! Codes of the builtins family.

super::codes! {
    E0501 = error "no-matching-builtin" "";
}
