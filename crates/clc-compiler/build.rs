//! Links the command as one static file where that takes no option of cargo's: a small kernel takes less time
//! than the system's loader takes for the C++ library and for the addresses in the command itself.
//!
//! rustc links the system's libraries as shared ones unless the whole build is told otherwise
//! (`target-feature=+crt-static`), which neither a package nor `cargo install` can do. So the linker is told
//! to link statically, and finds a script where it looks for each of these libraries, which names the archives
//! instead. Where the archives or this kind of linker are missing, the command is linked as any other is.
//!
//! In an optimised build the functions that small compilations call are linked side by side, as `order.txt` lists
//! them: the system maps a file in pieces, when something in a piece is first used, and these functions are a
//! quarter of the file.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// The function of the C library in whose place `main.rs` has another.
const STACK: &str = "pthread_getattr_np";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=order.txt");
    println!("cargo:rustc-check-cfg=cfg(clc_wraps_stack)");
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
    let mut arguments =
        vec!["-static".to_owned(), "-no-pie".to_owned(), format!("-L{}", folder.display())];
    let is_optimised = matches!(value("OPT_LEVEL").as_str(), "2" | "3" | "s" | "z");
    if let Some(script) = is_optimised.then(|| write_order(&folder)).flatten() {
        let order = format!("-Wl,-T,{}", script.display());
        // Not every linker knows scripts that add to its own.
        if links(&folder, arguments.iter().chain([&order])) {
            arguments.push(order);
        }
    }
    arguments.push(format!("-Wl,--wrap={STACK}"));
    println!("cargo:rustc-cfg=clc_wraps_stack");
    for argument in arguments {
        println!("cargo:rustc-link-arg-bin=clc={argument}");
    }
}

/// A script that puts the sections that `order.txt` lists before all other code. A line of the list is the name
/// of a section, `CRATE: NAME` or `ARCHIVE:MEMBER NAME`; names that no section has do nothing.
fn write_order(folder: &Path) -> Option<PathBuf> {
    let list = fs::read_to_string("order.txt").ok()?;
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let patterns: String = lines
        .map(|line| match line.split_once(' ') {
            Some((file, section)) => match file.strip_suffix(':') {
                // Files of rustc are called so, in libraries and behind optimisation at link time.
                Some(of) => format!("    *{of}.*-cgu.*({section})\n"),
                None => format!("    *{file}({section})\n"),
            },
            None => format!("    *({line})\n"),
        })
        .collect();
    let script = folder.join("order.ld");
    let text =
        format!("SECTIONS {{\n  .text.first : {{\n{patterns}  }}\n}} INSERT BEFORE .text;\n");
    fs::write(&script, text).ok()?;
    Some(script)
}

/// Whether rustc, as cargo calls it for this build, links a program with these arguments.
fn links<'a>(folder: &Path, arguments: impl Iterator<Item = &'a String>) -> bool {
    let Some(rustc) = env::var_os("RUSTC") else { return false };
    let mut command = Command::new(rustc);
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut argument = OsString::from("-Clinker=");
        argument.push(linker);
        command.arg(argument);
    }
    command.args(arguments.map(|argument| format!("-Clink-arg={argument}")));
    command.args(["--crate-name=trial", "--crate-type=bin", "-o"]).arg(folder.join("trial"));
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let written = child.stdin.take().map(|mut input| input.write_all(b"fn main() {}"));
    let status = child.wait();
    written.is_some_and(|written| written.is_ok()) && status.is_ok_and(|status| status.success())
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
