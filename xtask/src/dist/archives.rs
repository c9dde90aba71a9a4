//! What is given away: an archive, Debian packages, the wheel of Python and crates.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{VERSION, copy};
use crate::shell::{self, Result, cargo, create_dir, read, root, run, target, write};

/// Whether to spend time on small files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Small,
    Quick,
}

/// What is installed in `prefix` as `folder/clc-VERSION-ARCH-linux.tar.gz`.
pub(super) fn archive(prefix: &Path, folder: &Path, effort: Effort) -> Result<PathBuf> {
    let name = format!("clc-{VERSION}-{}-linux", std::env::consts::ARCH);
    archive_of(prefix, &name, folder, effort)
}

/// The playground, which was built in `page`, as `folder/clc-VERSION-playground.tar.gz`.
pub(super) fn playground(page: &Path, folder: &Path, effort: Effort) -> Result<PathBuf> {
    archive_of(page, &format!("clc-{VERSION}-playground"), folder, effort)
}

/// What `contents` holds as `folder/NAME.tar.gz`, in which everything is in one folder of this name.
fn archive_of(contents: &Path, name: &str, folder: &Path, effort: Effort) -> Result<PathBuf> {
    let file = folder.join(format!("{name}.tar.gz"));
    let gzip = if effort == Effort::Small { "gzip -n -9" } else { "gzip -n -1" };
    let mut tar = Command::new("tar");
    tar.arg("--create")
        .arg("--file")
        .arg(&file)
        .arg(format!("--use-compress-program={gzip}"))
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        // The same files make the same archive.
        .arg(format!("--mtime=@{}", epoch()))
        .arg(format!("--transform=s,^[.],{name},"))
        .arg("--directory")
        .arg(contents)
        .arg(".");
    run(&mut tar)?;
    Ok(file)
}

/// The time that files in packages have.
pub(super) fn epoch() -> String {
    std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| {
        let mut log = Command::new("git");
        log.args(["log", "-1", "--format=%ct"]).current_dir(root());
        shell::output(&mut log).map_or_else(|_| "0".to_owned(), |time| time.trim().to_owned())
    })
}

/// A Debian package.
struct Package {
    name: &'static str,
    section: &'static str,
    depends: &'static str,
    description: &'static str,
    /// What it has of what is installed: paths begin with one of these.
    paths: &'static [&'static str],
    /// What the checker is not to say of it, and why.
    overrides: &'static [(&'static str, &'static str)],
}

const PACKAGES: [Package; 3] = [
    Package {
        name: "clc",
        section: "devel",
        depends: "libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 12)",
        description: "OpenCL C to SPIR-V compiler\n \
            Compiles OpenCL C 1.0 to 3.1 to validated SPIR-V, for OpenCL and Vulkan.\n \
            With the language server and the program that looks for drivers.",
        paths: &[
            "bin/",
            "share/man/",
            "share/bash-completion/",
            "share/zsh/",
            "share/fish/",
            "share/doc/clc/README.md",
        ],
        overrides: &[(
            "statically-linked-binary *",
            "It starts in half the time, and runs on every Linux of the architecture.",
        )],
    },
    Package {
        name: "libclc-compiler0",
        section: "libs",
        depends: "libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 12)",
        description: "OpenCL C to SPIR-V compiler, shared library\n \
            The compiler clc as a library for C and C++.",
        paths: &["lib/libclc_compiler.so.0"],
        overrides: &[],
    },
    Package {
        name: "libclc-compiler-dev",
        section: "libdevel",
        depends: "libclc-compiler0 (= @VERSION@)",
        description: "OpenCL C to SPIR-V compiler, files for development\n \
            Header, static library, and what CMake, Meson and pkg-config need.",
        paths: &[
            "include/",
            "lib/libclc_compiler.a",
            "lib/libclc_compiler.so",
            "lib/cmake/",
            "lib/pkgconfig/",
            "share/clc/",
        ],
        overrides: &[(
            "pkg-config-unavailable-for-cross-compilation *",
            "The library lies in lib, where its CMake package and its pkg-config file find it from any prefix.",
        )],
    },
];

/// The Debian packages of what is installed in `prefix`.
pub(super) fn debian(prefix: &Path, folder: &Path, effort: Effort) -> Result<Vec<PathBuf>> {
    let architecture = shell::output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let files = files(prefix)?;
    let mut packages = Vec::new();
    for package in &PACKAGES {
        let tree = folder.join("deb").join(package.name);
        let _ = std::fs::remove_dir_all(&tree);
        let usr = tree.join("usr");
        for file in &files {
            let exactly = |path: &str| !path.ends_with('/') && path == file;
            let inside = |path: &str| path.ends_with('/') && file.starts_with(path);
            if package.paths.iter().any(|path| exactly(path) || inside(path)) {
                place(&prefix.join(file), &usr.join(debian_path(file)))?;
            }
        }
        documents(package, &usr)?;
        compress_manual(&usr)?;
        overrides(package, &usr)?;
        let size = shell::output(Command::new("du").args(["-sk"]).arg(&usr))?;
        let size = size.split_whitespace().next().unwrap_or("0").to_owned();
        let depends = package.depends.replace("@VERSION@", VERSION);
        let control = format!(
            "Package: {}\nVersion: {VERSION}\nSection: {}\nPriority: optional\nArchitecture: {architecture}\n\
             Maintainer: The clc developers <clc@users.noreply.github.com>\nInstalled-Size: {size}\nDepends: {depends}\n\
             Homepage: https://github.com/clc-project/clc\nDescription: {}\n",
            package.name, package.section, package.description
        );
        write(&tree.join("DEBIAN/control"), &control)?;
        if package.section == "libs" {
            write(&tree.join("DEBIAN/shlibs"), "libclc_compiler 0 libclc-compiler0\n")?;
            write(&tree.join("DEBIAN/triggers"), "activate-noawait ldconfig\n")?;
        }
        let mut sums = Command::new("sh");
        sums.args(["-c", "find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums"]);
        run(sums.current_dir(&tree))?;
        run(Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(&tree))?;
        // Libraries are no programs (Debian Policy 8.1).
        let library = usr.join("lib").join(super::SONAME);
        if library.is_file() {
            run(Command::new("chmod").arg("0644").arg(library))?;
        }
        let file = folder.join(format!("{}_{VERSION}_{architecture}.deb", package.name));
        let compression: &[&str] =
            if effort == Effort::Small { &["-Zxz"] } else { &["-Zgzip", "-z1"] };
        run(Command::new("dpkg-deb")
            .env("SOURCE_DATE_EPOCH", epoch())
            .args(["--root-owner-group", "--build"])
            .args(compression)
            .arg(&tree)
            .arg(&file))?;
        packages.push(file);
    }
    // Not in tests: what there is to say depends on the checker's release.
    if effort == Effort::Small {
        lint(&packages)?;
    }
    Ok(packages)
}

/// What Debian's checker says of packages, where it is there.
fn lint(packages: &[PathBuf]) -> Result {
    let mut lintian = Command::new("lintian");
    if !shell::succeeds(lintian.arg("--version")) {
        println!("lintian is not there: the packages are not checked");
        return Ok(());
    }
    run(Command::new("lintian").args(["--allow-root", "--fail-on", "error,warning"]).args(packages))
}

/// Where packages differ from the policy on purpose.
fn overrides(package: &Package, usr: &Path) -> Result {
    let reasons: String = package
        .overrides
        .iter()
        .map(|(tag, reason)| format!("# {reason}\n{}: {tag}\n", package.name))
        .collect();
    if reasons.is_empty() {
        return Ok(());
    }
    write(&usr.join("share/lintian/overrides").join(package.name), &reasons)
}

/// Where Debian has what is installed under this path. Libraries stay in `lib`: what CMake and pkg-config read says
/// where they lie from there.
fn debian_path(path: &str) -> String {
    path.replace("share/zsh/site-functions/", "share/zsh/vendor-completions/")
}

/// A file, or a link as the link that it is.
fn place(from: &Path, to: &Path) -> Result {
    match std::fs::read_link(from) {
        Ok(link) => {
            to.parent().map_or(Ok(()), create_dir)?;
            super::symlink(&link, to)
        }
        Err(_) => copy(from, to),
    }
}

/// What Debian's policy asks of every package (12.5, 12.7).
fn documents(package: &Package, usr: &Path) -> Result {
    let folder = usr.join("share/doc").join(package.name);
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: clc\n\
         Source: https://github.com/clc-project/clc\n\nFiles: *\nCopyright: 2026 The clc developers\n\
         License: Expat or Apache-2.0\n\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n\n\
         License: Expat\n{}",
        read(&root().join("LICENSE-MIT"))?
            .lines()
            .map(|line| match line.trim() {
                "" => " .\n".to_owned(),
                line => format!(" {line}\n"),
            })
            .collect::<String>()
    );
    write(&folder.join("copyright"), &copyright)?;
    let date =
        shell::output(Command::new("date").args(["-R", "-u", "-d"]).arg(format!("@{}", epoch())))?;
    let changelog = format!(
        "{} ({VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n \
         -- The clc developers <clc@users.noreply.github.com>  {}\n",
        package.name,
        date.trim()
    );
    write(&folder.join("changelog"), &changelog)?;
    run(Command::new("gzip").args(["-n", "-9", "-f"]).arg(folder.join("changelog")))
}

fn compress_manual(usr: &Path) -> Result {
    let pages = usr.join("share/man/man1");
    if !pages.join("clc.1").is_file() {
        return Ok(());
    }
    run(Command::new("gzip").args(["-n", "-9", "-f"]).arg(pages.join("clc.1")))?;
    // Its page has what the others are asked by: `clc lsp` and `clc doctor` run them.
    for other in ["clc-lsp.1.gz", "clc-doctor.1.gz"] {
        super::symlink(Path::new("clc.1.gz"), &pages.join(other))?;
    }
    Ok(())
}

/// All files below a folder, as paths from there.
fn files(folder: &Path) -> Result<Vec<String>> {
    let mut find = Command::new("find");
    find.args([".", "(", "-type", "f", "-o", "-type", "l", ")", "-printf", "%P\n"]);
    let mut files: Vec<String> =
        shell::output(find.current_dir(folder))?.lines().map(str::to_owned).collect();
    files.sort();
    Ok(files)
}

/// Lists what each crate would hold on crates.io; fails where one cannot be packaged.
pub(super) fn crates() -> Result {
    let mut package = cargo();
    package.args(["package", "--workspace", "--no-verify", "--list", "--allow-dirty", "--quiet"]);
    // Not for crates.io: their manifests say so, and cargo would list them all the same.
    for name in ["clc-tests", "clc-conformance", "xtask", "clc-golden", "clc-interpreter"] {
        package.args(["--exclude", name]);
    }
    let list = shell::output(&mut package)?;
    println!("crates: {} files", list.lines().count());
    Ok(())
}

/// The folder that everything goes to.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = target().join("dist");
    create_dir(&folder)?;
    Ok(folder)
}
