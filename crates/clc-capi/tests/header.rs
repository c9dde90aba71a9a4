//! `include/clc.h` is what cbindgen makes of the crate; `BLESS=1` writes it anew.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let files = ["lib", "status", "options", "include", "diagnostic", "result", "compile"];
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = files
        .iter()
        .fold(builder, |builder, file| builder.with_src(folder.join(format!("src/{file}.rs"))));
    let bindings = builder.generate().unwrap();
    let mut fresh = Vec::new();
    bindings.write(&mut fresh);
    let fresh = without_safety(&String::from_utf8(fresh).unwrap());
    let path = folder.join("include/clc.h");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "{} is out of date: BLESS=1 cargo test -p clc-capi --test header",
        path.display()
    );
}

/// Rust's heading over what callers promise says nothing in C.
fn without_safety(header: &str) -> String {
    header.replace(" * # Safety\n *\n", "")
}
