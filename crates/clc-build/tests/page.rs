//! Every snippet of `docs/rust.md` is part of something that the tests compile or run.

use std::path::Path;

/// The examples are built and run by `cargo xtask test`, the library's documentation by `cargo test`.
const SOURCES: [&str; 7] = [
    "examples/saxpy-opencl3/Cargo.toml",
    "examples/saxpy-opencl3/build.rs",
    "examples/saxpy-opencl3/kernels/saxpy.cl",
    "examples/saxpy-opencl3/src/main.rs",
    "examples/vulkan-ash/build.rs",
    "examples/vulkan-ash/src/main.rs",
    "crates/clc-compiler/src/lib.rs",
];

#[test]
fn the_snippets_are_those_of_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect(path);
    let sources = SOURCES.map(|path| read(path).replace("//! ", ""));
    let page = read("docs/rust.md");
    let snippets: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    assert_eq!(snippets.len(), 10, "the page has snippets");
    for snippet in snippets {
        let (_, text) = snippet.split_once('\n').expect("a language");
        let is_known = sources.iter().any(|source| source.contains(text));
        assert!(is_known, "no example has this:\n{text}");
    }
}
