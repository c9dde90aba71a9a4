//! `cargo xtask dist`: the command, and all that is installed beside it.
//!
//! ```text
//! bin/clc, clc-lsp, clc-doctor
//! include/clc.h
//! lib/libclc_compiler.a, libclc_compiler.so, libclc_compiler.so.0
//! lib/cmake/clc/             for find_package(clc)
//! lib/pkgconfig/clc.pc
//! share/clc/meson/           for subdir() of a Meson project
//! share/man/, share/bash-completion/, share/zsh/, share/fish/
//! ```
//!
//! `archives` makes of it what is given away.

mod archives;
mod reproducible;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, cargo, create_dir, read, root, run, target, write};
use crate::{editors, web};

/// The name that programs linked to the shared library ask for; its number grows when the library no
/// longer does what it did.
const SONAME: &str = "libclc_compiler.so.0";

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How it is compiled.
#[derive(Clone, Copy)]
enum Profile {
    Debug,
    Release,
    /// What is given away: in a folder of its own, for it is compiled so that no path of this machine is in it.
    Shipped,
}

impl Profile {
    /// Has cargo compile so.
    fn apply(self, command: &mut Command) -> Result {
        match self {
            Profile::Debug => {}
            Profile::Release => drop(command.arg("--release")),
            Profile::Shipped => {
                command.args(["--release", "--locked", "--target-dir"]).arg(shipped());
                command.envs(reproducible::environment(&root(), &archives::epoch())?);
            }
        }
        Ok(())
    }

    fn folder(self) -> PathBuf {
        match self {
            Profile::Debug => target().join("debug"),
            Profile::Release => target().join("release"),
            Profile::Shipped => shipped().join("release"),
        }
    }
}

fn shipped() -> PathBuf {
    target().join("shipped")
}

/// Builds the command and returns its path.
pub fn build() -> Result<PathBuf> {
    link(Profile::Release)?;
    let folder = target().join("dist");
    create_dir(&folder)?;
    let file = folder.join("clc");
    copy(&Profile::Release.folder().join("clc"), &file)?;
    Ok(file)
}

/// Compiles what is given away twice, in different places; the bytes are the same.
pub fn check_reproducible() -> Result {
    reproducible::check("release")
}

/// Lists what each crate would hold on crates.io.
pub fn list_crates() -> Result {
    archives::crates()
}

/// The files that are given away.
pub struct Made {
    pub archive: PathBuf,
    pub debian: Vec<PathBuf>,
}

/// Builds everything, and makes the archive, the Debian packages, the wheel, the playground, the extension of
/// VS Code and the list of crates in `target/dist`.
pub fn archives() -> Result {
    link(Profile::Shipped)?;
    let folder = archives::folder()?;
    let prefix = folder.join("installed");
    let _ = std::fs::remove_dir_all(&prefix);
    lay_out(&prefix, Profile::Shipped)?;
    let made = pack(&prefix, &folder, archives::Effort::Small)?;
    crate::python::wheel(&folder)?;
    let playground = archives::playground(&web::page()?, &folder, archives::Effort::Small)?;
    let extension = folder.join(editors::EXTENSION);
    copy(&editors::build()?, &extension)?;
    archives::crates()?;
    let bill = crate::supply::bill(&folder)?;
    for file in [&made.archive, &playground, &extension, &bill].into_iter().chain(&made.debian) {
        println!("{}", file.display());
    }
    Ok(())
}

/// The archive and the Debian packages of what [`install_for_tests`] has installed.
pub fn archives_for_tests() -> Result<Made> {
    let installed = target().join("installed");
    let prefix = match installed.join("bin/clc-doctor").is_file() {
        true => installed,
        false => install_for_tests()?,
    };
    let folder = target().join("dist-of-tests");
    let _ = std::fs::remove_dir_all(&folder);
    create_dir(&folder)?;
    pack(&prefix, &folder, archives::Effort::Quick)
}

/// The archive of a playground for tests, in `folder`.
pub fn playground_for_tests(folder: &Path) -> Result {
    archives::playground(&web::page_for_tests()?, folder, archives::Effort::Quick).map(drop)
}

/// The extension of VS Code, in `folder`.
pub fn extension_for_tests(folder: &Path) -> Result {
    copy(&editors::build()?, &folder.join(editors::EXTENSION))
}

fn pack(prefix: &Path, folder: &Path, effort: archives::Effort) -> Result<Made> {
    Ok(Made {
        archive: archives::archive(prefix, folder, effort)?,
        debian: archives::debian(prefix, folder, effort)?,
    })
}

/// Builds everything and installs it in `prefix`.
pub fn install(prefix: &Path) -> Result {
    link(Profile::Release)?;
    lay_out(prefix, Profile::Release)
}

/// The same of what the tests have compiled. Returns where.
pub fn install_for_tests() -> Result<PathBuf> {
    let prefix = target().join("installed");
    let _ = std::fs::remove_dir_all(&prefix);
    check()?;
    lay_out(&prefix, Profile::Debug)?;
    Ok(prefix)
}

/// Links it of what the tests have compiled, and has it say its version: the order of libraries, which
/// only a static link depends on, follows that of the dependencies.
pub fn check() -> Result {
    link(Profile::Debug)?;
    run(Command::new(Profile::Debug.folder().join("clc")).arg("--version"))
}

/// The command's build script has it linked statically.
fn link(profile: Profile) -> Result {
    let mut command = cargo();
    command.args(["build", "--quiet", "--package", "clc-compiler", "--bin", "clc"]);
    profile.apply(&mut command)?;
    run(&mut command)
}

/// Builds the programs beside `clc`. The tests have compiled theirs. The doctor loads drivers, which a static
/// program cannot.
fn companions(profile: Profile) -> Result {
    for (program, is_static) in [("clc-lsp", true), ("clc-doctor", false)] {
        if matches!(profile, Profile::Debug) && profile.folder().join(program).is_file() {
            continue;
        }
        let mut command = cargo();
        command.args(["rustc", "--quiet", "--package", program, "--bin", program]);
        profile.apply(&mut command)?;
        if is_static && cfg!(all(target_os = "linux", target_env = "gnu")) {
            command.args(["--", "-C", "target-feature=+crt-static"]);
            command.args(["-C", "relocation-model=static"]);
        }
        run(&mut command)?;
    }
    Ok(())
}

/// The manual, completions and texts.
fn documents(prefix: &Path) -> Result {
    let clc = prefix.join("bin/clc");
    let made = |arguments: &[&str]| shell::output(Command::new(&clc).args(arguments));
    let share = prefix.join("share");
    write(&share.join("man/man1/clc.1"), &made(&["man"])?)?;
    for (shell, path) in [
        ("bash", "bash-completion/completions/clc"),
        ("zsh", "zsh/site-functions/_clc"),
        ("fish", "fish/vendor_completions.d/clc.fish"),
    ] {
        write(&share.join(path), &made(&["completions", shell])?)?;
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(name), &prefix.join(name))?;
    }
    copy(&root().join("README.md"), &share.join("doc/clc/README.md"))
}

/// Without the tables of debuggers, which are most of what the tests have compiled, and of names that nothing is linked
/// by any more.
fn strip(file: &Path) -> Result {
    let is_archive = file.extension().is_some_and(|extension| extension == "a");
    let what = if is_archive { "--strip-debug" } else { "--strip-unneeded" };
    run(Command::new("strip").args([what, "--preserve-dates"]).arg(file))
}

/// Installs in `prefix` the command, which was linked, and what is made for C.
fn lay_out(prefix: &Path, profile: Profile) -> Result {
    companions(profile)?;
    let mut library = cargo();
    library.args(["rustc", "--quiet", "--package", "clc-capi", "--lib"]);
    profile.apply(&mut library)?;
    library
        .args(["--crate-type", "cdylib,staticlib", "--", "-C"])
        .arg(format!("link-arg=-Wl,-soname,{SONAME}"));
    run(&mut library)?;
    let built = profile.folder();
    let sources = root().join("crates/clc-capi");
    let packages = sources.join("packages");
    for program in ["clc", "clc-lsp", "clc-doctor"] {
        let installed = prefix.join("bin").join(program);
        copy(&built.join(program), &installed)?;
        strip(&installed)?;
    }
    documents(prefix)?;
    copy(&sources.join("include/clc.h"), &prefix.join("include/clc.h"))?;
    let lib = prefix.join("lib");
    copy(&built.join("libclc_compiler.a"), &lib.join("libclc_compiler.a"))?;
    copy(&built.join("libclc_compiler.so"), &lib.join(SONAME))?;
    strip(&lib.join("libclc_compiler.a"))?;
    strip(&lib.join(SONAME))?;
    let link = lib.join("libclc_compiler.so");
    let _ = std::fs::remove_file(&link);
    symlink(Path::new(SONAME), &link)?;
    let with_version = |name: &str| {
        read(&packages.join(name)).map(|template| template.replace("@VERSION@", VERSION))
    };
    let cmake = lib.join("cmake/clc");
    write(&cmake.join("clc-config.cmake"), &read(&packages.join("clc-config.cmake"))?)?;
    write(&cmake.join("clc-config-version.cmake"), &with_version("clc-config-version.cmake.in")?)?;
    write(&lib.join("pkgconfig/clc.pc"), &with_version("clc.pc.in")?)?;
    copy(
        &root().join("examples/c-opencl/clc/meson.build"),
        &prefix.join("share/clc/meson/meson.build"),
    )
}

fn copy(from: &Path, to: &Path) -> Result {
    if let Some(folder) = to.parent() {
        create_dir(folder)?;
    }
    std::fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

#[cfg(unix)]
fn symlink(to: &Path, link: &Path) -> Result {
    std::os::unix::fs::symlink(to, link).map_err(|error| format!("{}: {error}", link.display()))
}

#[cfg(not(unix))]
fn symlink(_: &Path, link: &Path) -> Result {
    Err(format!("{}: there are no links here", link.display()))
}
