//! Links the command as one static file where that takes no option of cargo's: a small kernel takes less time
//! than the system's loader takes for the C++ library and for the addresses in the command itself.
//!
//! rustc links the system's libraries as shared ones unless the whole build is told otherwise
//! (`target-feature=+crt-static`), which neither a package nor `cargo install` can do. So the linker is told
//! to link statically, and finds a script where it looks for each of these libraries, which names the archives
//! instead. Where the archives or this kind of linker are missing, the command is linked as any other is.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What rustc and the validator's C++ name as libraries, and the archives that take their place. Those of a C
/// library before 2.34 that are not listed as needed are part of libc.a in later ones.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("stdc++", &["libstdc++.a"]),
    ("gcc_s", &["libgcc_eh.a", "libgcc.a"]),
    ("m", &["libm.a"]),
    ("rt", &["librt.a"]),
    ("util", &["libutil.a"]),
    ("dl", &["libdl.a"]),
    ("pthread", &["libpthread.a"]),
    // They use each other.
    ("c", &["libc.a", "libgcc_eh.a", "libgcc.a"]),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let value = |name: &str| env::var(name).unwrap_or_default();
    let is_here = value("HOST") == value("TARGET")
        && value("CARGO_CFG_TARGET_OS") == "linux"
        && value("CARGO_CFG_TARGET_ENV") == "gnu"
        && !value("CARGO_CFG_TARGET_FEATURE").contains("crt-static");
    if env::var_os("CARGO_FEATURE_CLI").is_none() || !is_here {
        return;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("static");
    if write_scripts(&folder).is_none() {
        println!("cargo:warning=no static C and C++ libraries: `clc` is linked to the shared ones");
        return;
    }
    for argument in ["-static", "-no-pie"] {
        println!("cargo:rustc-link-arg-bin=clc={argument}");
    }
    println!("cargo:rustc-link-arg-bin=clc=-L{}", folder.display());
}

/// `None` if an archive is missing, or something cannot be written.
fn write_scripts(folder: &Path) -> Option<()> {
    fs::create_dir_all(folder).ok()?;
    for (library, archives) in LIBRARIES {
        let paths: Option<Vec<String>> = archives.iter().map(|name| archive(name)).collect();
        let script = format!("GROUP ( {} )\n", paths?.join(" "));
        fs::write(folder.join(format!("lib{library}.so")), script).ok()?;
    }
    Some(())
}

/// The path of an archive of the compiler that rustc links with.
fn archive(name: &str) -> Option<String> {
    let output = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    let path = path.trim();
    // What it does not find it repeats.
    (Path::new(path).is_absolute() && !path.contains(char::is_whitespace)).then(|| path.to_owned())
}
