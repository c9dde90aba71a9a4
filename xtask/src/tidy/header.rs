//! `clc.h` is what cbindgen makes of `crates/clc-capi`.

use crate::shell::{Result, read, root, write};

/// Compares the committed header with the crate, or writes it.
pub fn check(write_docs: bool, problems: &mut Vec<String>) -> Result {
    let folder = root().join("crates/clc-capi");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    // The modules of the crate are found from its root.
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let bindings = builder.generate().map_err(|error| error.to_string())?;
    let mut fresh = Vec::new();
    bindings.write(&mut fresh);
    let fresh = String::from_utf8(fresh).map_err(|error| error.to_string())?;
    // Rust's heading over what callers promise says nothing in C.
    let fresh = fresh.replace(" * # Safety\n *\n", "");
    let path = folder.join("include/clc.h");
    if write_docs {
        return write(&path, &fresh);
    }
    if read(&path)? != fresh {
        problems.push(format!("{} is out of date: `cargo xtask tidy --write`", path.display()));
    }
    Ok(())
}
