//! Programs in C and C++ that use the library as `include/clc.h` says, with what the sanitizers of the
//! C compiler see: what they pass, what comes back, and what is not freed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries that the static library needs, those of C++ for the validator, and nothing that takes long
/// to write.
const NEEDED: [&str; 5] =
    ["-Wl,--gc-sections,--strip-debug", "-lstdc++", "-lm", "-lpthread", "-ldl"];

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

#[derive(Clone, Copy)]
enum Linked {
    Statically,
    Dynamically,
}

/// Where cargo leaves the libraries that it builds for this test.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap();
    assert!(folder.join("libclc_compiler.a").is_file(), "no library in {}", folder.display());
    folder.to_owned()
}

/// Compiles a program of `tests/programs` and runs it.
fn check(program: &str, name: &str, flags: &[&str], linked: Linked) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    check_file(&programs.join(program), name, flags, linked);
}

fn check_file(program: &Path, name: &str, flags: &[&str], linked: Linked) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (compiler, variable, standard) =
        match program.extension().is_some_and(|extension| extension == "cpp") {
            true => ("c++", "CXX", "-std=c++17"),
            false => ("cc", "CC", "-std=c11"),
        };
    let compiler = std::env::var(variable).unwrap_or_else(|_| compiler.to_owned());
    let made = tempfile::tempdir().unwrap();
    let executable = made.path().join(name);
    let mut compile = Command::new(&compiler);
    compile
        .args([standard, "-g"])
        .args(WARNINGS)
        .args(flags)
        .arg("-I")
        .arg(folder.join("include"))
        .arg(program)
        .arg("-o")
        .arg(&executable);
    let libraries = libraries();
    match linked {
        Linked::Statically => compile.arg(libraries.join("libclc_compiler.a")).args(NEEDED),
        Linked::Dynamically => compile.arg("-L").arg(&libraries).arg("-lclc_compiler"),
    };
    let compiled = compile.output();
    let compiled = compiled.unwrap_or_else(|error| {
        panic!("{compiler}: {error}; the tests of the C library need a C and a C++ compiler")
    });
    assert!(
        compiled.status.success(),
        "{compile:?}\n{}",
        String::from_utf8_lossy(&compiled.stderr)
    );

    let kernels = made.path().join("kernels");
    std::fs::create_dir(&kernels).unwrap();
    std::fs::write(kernels.join("kernel.h"), "#define FROM_A_FOLDER 1.0f\n").unwrap();
    // Installed, it has a name with a number.
    for name in ["libclc_compiler.so", "libclc_compiler.so.0"] {
        let library = std::fs::canonicalize(libraries.join("libclc_compiler.so")).unwrap();
        std::os::unix::fs::symlink(library, made.path().join(name)).unwrap();
    }
    let mut run = Command::new(&executable);
    // Some versions of that sanitizer do not know all places where the system may put memory.
    if flags.contains(&RACES)
        && let Some(mut same_addresses) = without_random_addresses()
    {
        same_addresses.arg(&executable);
        run = same_addresses;
    }
    if program.ends_with("api.c") {
        run.arg(&kernels);
    }
    let ran = run.env("LD_LIBRARY_PATH", made.path()).output().unwrap();
    assert!(
        ran.status.success() && ran.stderr.is_empty(),
        "{name}: {}\n{}",
        ran.status,
        String::from_utf8_lossy(&ran.stderr)
    );
}

/// Runs a program so that each run has the same addresses, where the system lets that be asked for.
fn without_random_addresses() -> Option<Command> {
    let command = || {
        let mut command = Command::new("setarch");
        command.arg("--addr-no-randomize");
        command
    };
    let works = command().arg("true").status().is_ok_and(|status| status.success());
    works.then(command)
}

const RACES: &str = "-fsanitize=thread";

const ADDRESSES: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

#[test]
fn c_with_addresses_checked() {
    check("api.c", "api-c", &ADDRESSES, Linked::Statically);
}

#[test]
fn cpp_with_addresses_checked() {
    check("api.cpp", "api-cpp", &ADDRESSES, Linked::Statically);
}

#[test]
fn threads_with_addresses_checked() {
    check("threads.c", "threads", &ADDRESSES, Linked::Statically);
}

#[test]
fn threads_with_races_checked() {
    check("threads.c", "threads-tsan", &[RACES], Linked::Statically);
}

#[test]
fn c_with_the_shared_library() {
    check("api.c", "api-shared", &[], Linked::Dynamically);
}

#[test]
fn the_programs_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    // Every other part is between fences.
    for block in page.split("\n```").skip(1).step_by(2) {
        let (language, program) = block.split_once('\n').unwrap();
        let path = folder.path().join(format!("page-{count}.{language}"));
        std::fs::write(&path, format!("{program}\n")).unwrap();
        check_file(&path, &format!("page-{count}"), &[], Linked::Dynamically);
        count += 1;
    }
    assert_eq!(count, 3, "the page has three programs");
}
