//! `--emit=c-header`: a module as an array of C and C++.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// The words of C23 and C++23 that name nothing.
const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char \
    char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast \
    consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum \
    explicit export extern false float for friend goto if inline int long mutable namespace new \
    noexcept not not_eq nullptr operator or or_eq private protected public register \
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast \
    struct switch template this thread_local throw true try typedef typeid typename typeof \
    typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// The name of the array: the one that is asked for, or that of the source.
pub fn variable_name(asked: Option<&str>, input: &Path) -> Result<String, String> {
    match asked {
        Some(name) if is_name(name) => Ok(name.to_owned()),
        Some(name) => Err(format!("`--variable-name={name}`: a name of C and C++ is wanted")),
        None => Ok(name_of_source(input)),
    }
}

fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.starts_with(|first: char| !first.is_ascii_digit())
        && !KEYWORDS.split(' ').any(|keyword| keyword == name)
}

fn name_of_source(input: &Path) -> String {
    let stem = match input.file_stem().map(OsStr::to_string_lossy) {
        Some(stem) if stem != "-" && stem != "<stdin>" => stem,
        _ => "spirv".into(),
    };
    let part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = stem.chars().map(part).collect();
    if is_name(&name) {
        name
    } else if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}")
    } else {
        format!("{name}_")
    }
}

/// The header: an array of internal linkage, so that any number of sources may include it.
pub fn text(words: &[u32], variable: &str) -> String {
    const ON_A_LINE: usize = 8;
    let mut out = String::with_capacity(words.len() * 13 + 256);
    let _ = write!(
        out,
        "/* SPIR-V, made by clc of OpenCL C. */\n#ifndef CLC_SPIRV_{variable}\n\
         #define CLC_SPIRV_{variable}\n\n#include <stdint.h>\n\n\
         static const uint32_t {variable}[{}] = {{\n",
        words.len()
    );
    for line in words.chunks(ON_A_LINE) {
        let line: Vec<String> = line.iter().map(|word| format!("0x{word:08x}")).collect();
        let _ = writeln!(out, "    {},", line.join(", "));
    }
    out.push_str("};\n\n#endif\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_c() {
        let default = |input| variable_name(None, Path::new(input)).unwrap();
        assert_eq!(default("kernels/saxpy.cl"), "saxpy");
        assert_eq!(default("a-b c.2.cl"), "a_b_c_2");
        assert_eq!(default("3d.cl"), "_3d");
        assert_eq!(default("new.cl"), "new_");
        assert_eq!(default("größe.cl"), "gr__e");
        assert_eq!([default("-"), default("<stdin>")], ["spirv", "spirv"]);
        assert_eq!(variable_name(Some("x_1"), Path::new("-")).unwrap(), "x_1");
        for wrong in ["", "1x", "a-b", "int", "operator", "x;", "ß"] {
            let message = variable_name(Some(wrong), Path::new("-")).unwrap_err();
            assert!(message.contains("a name of C and C++"), "{message}");
        }
    }

    #[test]
    fn arrays_have_all_words() {
        let text = text(&[1, 2, 3, 4, 5, 6, 7, 8, 0x0723_0203], "k");
        assert!(text.contains("static const uint32_t k[9] = {\n    0x00000001, "), "{text}");
        assert!(text.contains("0x00000008,\n    0x07230203,\n};\n\n#endif\n"), "{text}");
    }
}
