//! The parameters of a kernel as its source has them, for suites that leave to the driver to say what they are.

use clc_tests::data::Element;

/// The text of each parameter; `None` if no kernel of this name is written out, nor one that a macro names.
pub fn parameters(source: &str, kernel: &str) -> Option<Vec<String>> {
    let source = without_comments(source);
    written(&source, kernel).or_else(|| {
        // `simple_##TYPE(`
        let pasted = source.split_whitespace().filter(|word| word.contains("##"));
        let mut heads = pasted.filter_map(|word| Some(word.split_once('(')?.0));
        heads.find_map(|name| match kernel.starts_with(name.split_once("##")?.0) {
            true => written(&source, name),
            false => None,
        })
    })
}

fn written(source: &str, kernel: &str) -> Option<Vec<String>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    while let Some(at) = source[from..].find(kernel) {
        let (begin, end) = (from + at, from + at + kernel.len());
        from = end;
        let alone = !source[..begin].bytes().next_back().is_some_and(is_name)
            && !source[end..].bytes().next().is_some_and(is_name);
        let Some(list) = source[end..].trim_start().strip_prefix('(').filter(|_| alone) else {
            continue;
        };
        let list = list.split_once(')')?.0.trim();
        return Some(match list {
            "" | "void" => Vec::new(),
            _ => list.split(',').map(|parameter| parameter.trim().to_owned()).collect(),
        });
    }
    None
}

fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('/') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = if rest.starts_with("//") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if rest.starts_with("/*") {
            out.push(' ');
            rest.find("*/").map_or("", |end| &rest[end + 2..])
        } else {
            out.push('/');
            &rest[1..]
        };
    }
    out + rest
}

/// Whether a parameter points to local memory.
pub fn is_local(parameter: &str) -> bool {
    words(parameter).any(|word| word == "local" || word == "__local")
}

/// Whether a parameter is a pointer.
pub fn is_pointer(parameter: &str) -> bool {
    parameter.contains('*') || parameter.contains('[')
}

/// The elements of a parameter's type, or of what it points to.
pub fn element(parameter: &str) -> Option<Element> {
    words(parameter)
        .find_map(|word| Element::from_name(word.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// The name of a parameter.
pub fn name(parameter: &str) -> Option<&str> {
    words(parameter).last()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found() {
        let source = "// k(x)\nvoid k2(int a);\nkernel void k(global int4 *a /* b, c */, __local T *s, const uint n) {}\nkernel void none(void) {}";
        let found = parameters(source, "k").unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!((element(&found[0]), name(&found[0])), (Some(Element::Int), Some("a")));
        assert!(is_local(&found[1]) && is_pointer(&found[1]) && element(&found[1]).is_none());
        assert_eq!(element(&found[2]), Some(Element::UInt));
        assert!(!is_pointer(&found[2]));
        assert_eq!(parameters(source, "none"), Some(Vec::new()));
        assert_eq!(parameters(source, "absent"), None);
        let pasted = "#define M(T) \\\n kernel void simple_##T(global T *out, local T *m) { }";
        assert_eq!(parameters(pasted, "simple_int").unwrap()[1], "local T *m");
    }
}
