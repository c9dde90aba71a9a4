//! Bringing in what the tests need and the repository does not hold: an OpenCL driver that takes
//! SPIR-V, a Vulkan driver, and real kernels. Everything goes to the target folder; nothing is
//! installed on the system except, as root, a missing Debian package of Python's `venv`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, absolute, create_dir, is_root, run, succeeds, target};

/// The Intel CPU runtime: the one driver in Debian or on PyPI that takes SPIR-V on any machine.
/// Under Intel's licence for developer tools; used for tests, never shipped.
const RUNTIME: [&str; 2] = ["intel-opencl-rt==2026.2.0", "intel-cmplr-lib-rt==2026.2.0"];

const LOADER: &str = "libOpenCL.so.1";

/// What could not be brought in, with the reason.
pub struct Missing(pub Vec<String>);

/// The drivers, every corpus and every suite.
pub fn everything() -> Result<Missing> {
    let mut missing = Vec::new();
    if let Err(error) = driver() {
        missing.push(format!("the OpenCL driver: {error}"));
    }
    if let Err(error) = crate::vulkan::driver() {
        missing.push(format!("the Vulkan driver and its validation layer: {error}"));
    }
    if let Err(error) = build_tools() {
        missing.push(format!("CMake, Meson and Ninja: {error}"));
    }
    if let Err(error) = crate::python::environment() {
        missing.push(format!("Python packages: {error}"));
    }
    if let Err(error) = clang() {
        missing.push(format!("clang-22, which clc is compared with: {error}"));
    }
    for name in crate::corpus::NAMES {
        if let Err(error) = corpus(name) {
            missing.push(format!("the corpus {name}: {error}"));
        }
    }
    for name in crate::suites::NAMES {
        if let Err(error) = crate::suites::suite(name) {
            missing.push(format!("the suite {name}: {error}"));
        }
    }
    for line in &missing {
        eprintln!("setup: MISSING {line}");
    }
    Ok(Missing(missing))
}

/// A program of crates.io in `target/NAME`, compiled if it is not there in this version; without
/// optimization, for it runs for seconds.
pub fn program(name: &str, version: &str, arguments: &[&str]) -> Result<PathBuf> {
    let tools = absolute(&target().join(name))?;
    let program = tools.join("bin").join(name);
    let said = shell::output(Command::new(&program).arg("--version"));
    if said.is_ok_and(|said| said.trim().ends_with(version)) {
        return Ok(program);
    }
    println!("setup: {name} {version}, from crates.io to {}", tools.display());
    let mut install = shell::cargo();
    install.args(["install", name, "--version", version]).args(arguments);
    install.args(["--quiet", "--debug", "--locked", "--force", "--root"]).arg(&tools);
    install.arg("--target-dir").arg(tools.join("build"));
    run(&mut install)?;
    let _ = std::fs::remove_dir_all(tools.join("build"));
    Ok(program)
}

/// Where the driver is, installed if need be.
pub fn driver() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("CLC_DRIVERS") {
        return Ok(PathBuf::from(folder));
    }
    let folder = target().join("drivers");
    let library = folder.join("venv/lib/libintelocl.so");
    if !library.is_file() {
        println!("setup: the OpenCL CPU runtime, from PyPI to {} (0.9 GB)", folder.display());
        create_dir(&folder)?;
        let venv = folder.join("venv");
        make_venv(&venv)?;
        install(&venv, &RUNTIME)?;
        if !library.is_file() {
            return Err(format!("{} was not installed", library.display()));
        }
    }
    // The wheel's own vendor files hold a path of the machine it was built on.
    shell::write(&folder.join("icd/intel.icd"), &format!("{}\n", absolute(&library)?.display()))?;
    loader(&folder)?;
    Ok(folder)
}

/// Whether the drivers of OpenCL and of Vulkan are there, without bringing them in.
#[cfg(test)]
pub fn has_drivers() -> bool {
    let folder = std::env::var_os("CLC_DRIVERS");
    let folder = folder.map_or_else(|| target().join("drivers"), PathBuf::from);
    folder.join("icd/intel.icd").is_file() && folder.join("vulkan/lavapipe.json").is_file()
}

/// The OpenCL loader: the system's, or Debian's unpacked beside the driver.
fn loader(folder: &Path) -> Result {
    let here = folder.join("lib").join(LOADER);
    let system = shell::output(Command::new("sh").args(["-c", "/sbin/ldconfig -p || ldconfig -p"]))
        .is_ok_and(|libraries| libraries.contains(LOADER));
    if system || here.exists() {
        return Ok(());
    }
    println!("setup: the OpenCL loader, from Debian to {}", here.display());
    let package = debian("ocl-icd-libopencl1", &folder.join("loader"))?;
    let found = find(&package, LOADER).ok_or("the package has no libOpenCL.so.1")?;
    create_dir(&folder.join("lib"))?;
    std::fs::copy(found, &here).map(drop).map_err(|error| format!("{}: {error}", here.display()))
}

/// What the tests of the packages for other languages run.
const BUILD_TOOLS: [&str; 4] =
    ["cmake==4.4.4", "meson==1.12.1", "ninja==1.13.2", "pkgconf==3.0.7.post0"];

/// The compiler that clc is compared with.
pub fn clang() -> Result<PathBuf> {
    llvm("clang-22", "clang-22")
}

/// A program of LLVM 22: the system's, or one of Debian's package in the target folder.
pub fn llvm(package: &str, name: &str) -> Result<PathBuf> {
    let runs = |program: &Path| succeeds(Command::new(program).arg("--version"));
    if runs(Path::new(name)) {
        return Ok(name.into());
    }
    let folder = absolute(&target().join(package))?;
    let program = folder.join("bin").join(name);
    if !runs(&program) {
        if !folder.join("usr/lib/llvm-22/bin").is_dir() {
            println!("setup: {package}, from Debian to {}", folder.display());
            debian_with_dependencies(&[package], &folder)?;
        }
        shell::write(&program, OF_LLVM)?;
        run(Command::new("chmod").arg("+x").arg(&program))?;
        if !runs(&program) {
            return Err(format!("{} does not run", program.display()));
        }
    }
    Ok(program)
}

/// Runs the program of its own name, with the libraries that came with it.
const OF_LLVM: &str = r#"#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
for folder in "$here"/usr/lib/*-linux-gnu "$here"/lib/*-linux-gnu; do
    LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/usr/lib/llvm-22/bin/$(basename "$0" -22)" "$@"
"#;

/// A folder of programs: CMake, Meson, Ninja and pkgconf, from PyPI.
pub fn build_tools() -> Result<PathBuf> {
    let venv = packages_of_python(&target().join("build-tools"), &BUILD_TOOLS)?;
    Ok(venv.join("bin"))
}

/// A Python environment with these packages from PyPI, made if need be; its absolute path.
pub fn packages_of_python(venv: &Path, packages: &[&str]) -> Result<PathBuf> {
    let installed = venv.join(".installed");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&installed).ok().as_deref() != Some(wanted.as_str()) {
        println!("setup: {}, from PyPI to {}", packages.join(", "), venv.display());
        make_venv(venv)?;
        install(venv, packages)?;
        shell::write(&installed, &wanted)?;
    }
    absolute(venv)
}

/// The folder of a corpus, downloaded if need be.
pub fn corpus(name: &str) -> Result<PathBuf> {
    let folder = corpora().join(name);
    let done = folder.join(".complete");
    if !done.is_file() {
        println!("setup: the corpus {name}, to {}", folder.display());
        create_dir(&folder)?;
        download(name, &folder)?;
        shell::write(&done, "")?;
    }
    make_units(name, &folder)?;
    Ok(folder)
}

fn download(name: &str, folder: &Path) -> Result {
    match name {
        "hashcat" => drop(debian("hashcat-data", folder)?),
        "darktable" => drop(debian("darktable", folder)?),
        "bullet" => drop(debian("libbullet-dev", folder)?),
        "pocl" => drop(debian("pocl-tests", folder)?),
        "mandelbulber" => drop(debian("mandelbulber2-data", folder)?),
        "silx" => unpack(folder, &["silx==3.1.3"])?,
        // Its kernels use some of silx.
        "pyfai" => unpack(folder, &["pyfai==2026.9.0", "silx==3.1.3"])?,
        // Its kernels use pyopencl's headers.
        "gputools" => unpack(folder, &["gputools==0.3.1", "pyopencl==2026.1.4"])?,
        "pyopencl" => unpack(folder, &["pyopencl==2026.1.4"])?,
        "bempp" => unpack(folder, &["bempp-cl==0.4.2"])?,
        "pyclesperanto" => unpack(folder, &["pyclesperanto-prototype==0.24.6"])?,
        "llama" => {
            // Only the source distribution has the kernels as text.
            let venv = tools_venv()?;
            let downloads = folder.join(".download");
            create_dir(&downloads)?;
            run(pip(&venv, "download")
                .args(["--no-deps", "--no-binary", "llama-cpp-python", "--dest"])
                .arg(&downloads)
                .arg("llama-cpp-python==0.3.36"))?;
            let archive = file_with_extension(&downloads, "gz")?;
            run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(folder).args([
                "--strip-components=5",
                "--wildcards",
                "*/ggml-opencl/*",
            ]))?;
            let _ = std::fs::remove_dir_all(&downloads);
        }
        "sasmodels" => {
            let venv = tools_venv()?;
            // Making the sources needs numpy and scipy; nothing else that the package asks for.
            install(&venv, &["--no-deps", "sasmodels==1.1.0", "numpy", "scipy"])?;
            run(Command::new(venv.join("bin/python"))
                .arg(shell::root().join("conformance/sasmodels_sources.py"))
                .arg(folder.join("sources")))?;
        }
        _ => return Err(format!("no corpus is called {name}")),
    }
    Ok(())
}

/// The packages from PyPI without what they depend on, in `folder`.
fn unpack(folder: &Path, packages: &[&str]) -> Result {
    run(pip(&tools_venv()?, "install").args(["--no-deps", "--target"]).arg(folder).args(packages))
}

/// Puts the units together of those corpora whose host programs do, again whenever the script that
/// does it has changed.
fn make_units(name: &str, folder: &Path) -> Result {
    if ["hashcat", "darktable", "sasmodels", "silx"].contains(&name) {
        return Ok(());
    }
    let script = shell::root().join("conformance/corpus_sources.py");
    let text = std::fs::read_to_string(&script)
        .map_err(|error| format!("{}: {error}", script.display()))?;
    let made_by = folder.join("units/.made-by");
    if std::fs::read_to_string(&made_by).is_ok_and(|made_by| made_by == text) {
        return Ok(());
    }
    let venv = tools_venv()?;
    if name == "gputools" {
        // Some of its kernels are templates.
        install(&venv, &["mako==1.3.10"])?;
    }
    let _ = std::fs::remove_dir_all(folder.join("units"));
    run(Command::new(venv.join("bin/python")).arg(&script).arg(name).arg(folder))?;
    shell::write(&made_by, &text)
}

/// Where corpora are.
pub fn corpora() -> PathBuf {
    match std::env::var_os("CLC_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => target().join("corpora"),
    }
}

/// Downloads a Debian package and unpacks it into `folder`; needs no rights.
pub fn debian(package: &str, folder: &Path) -> Result<PathBuf> {
    let download = |downloads: &Path| {
        let mut download = apt_get();
        download.arg("download").arg(package).current_dir(downloads);
        if run(&mut download).is_err() {
            println!("setup: apt knows no such package yet; asking for its lists");
            run(Command::new("apt-get").arg("update"))?;
            run(&mut download)?;
        }
        Ok(())
    };
    unpacked(folder, download)
}

/// Downloads Debian packages and what they depend on as far as this system lacks it, and unpacks all of them
/// into `folder`; needs no rights.
pub fn debian_with_dependencies(packages: &[&str], folder: &Path) -> Result {
    let downloads = std::path::absolute(folder.join(".download"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    create_dir(&downloads.join("partial"))?;
    let mut download = apt_get();
    download
        .args(["install", "--yes", "--quiet", "--download-only", "--no-install-recommends"])
        .args(["-o", "Debug::NoLocking=true", "-o"])
        .arg(format!("Dir::Cache::archives={}", downloads.display()))
        .args(packages);
    if run(&mut download).is_err() {
        println!("setup: apt knows no such packages yet; asking for its lists");
        run(Command::new("apt-get").arg("update"))?;
        run(&mut download)?;
    }
    let archives = std::fs::read_dir(&downloads).map_err(|error| error.to_string())?;
    for archive in archives.flatten().map(|entry| entry.path()) {
        if archive.extension().is_some_and(|extension| extension == "deb") {
            run(Command::new("dpkg").arg("-x").arg(&archive).arg(folder))?;
        }
    }
    let _ = std::fs::remove_dir_all(&downloads);
    Ok(())
}

/// One package from the backports of the Debian that this is: an error if it is none, or has no such
/// package there. Asks with lists of its own and changes nothing of the system's.
pub fn debian_backport(package: &str, folder: &Path) -> Result<PathBuf> {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let value = |key: &str| release.lines().find_map(|line| line.strip_prefix(key));
    let (Some("debian"), Some(name)) = (value("ID="), value("VERSION_CODENAME=")) else {
        return Err("this is no Debian with a name".to_owned());
    };
    let apt = std::path::absolute(target().join("apt-backports"))
        .map_err(|error| format!("{}: {error}", target().display()))?;
    let apt_get = apt_of(&apt, &format!("deb [signed-by={KEYS}] {MIRROR} {name}-backports main"))?;
    unpacked(folder, |downloads| run(apt_get().arg("download").arg(package).current_dir(downloads)))
}

/// Debian's key and mirror, for the line of a source.
pub const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
pub const MIRROR: &str = "http://deb.debian.org/debian";

/// `apt-get` with `line` as its only source, which was updated; `folder` has its lists.
pub fn apt_of(folder: &Path, line: &str) -> Result<impl Fn() -> Command + use<>> {
    for part in ["lists/partial", "cache/archives/partial"] {
        create_dir(&folder.join(part))?;
    }
    let sources = folder.join("sources.list");
    shell::write(&sources, &format!("{line}\n"))?;
    let settings = [
        ("Dir::Etc::sourcelist", sources),
        ("Dir::Etc::sourceparts", PathBuf::from("/dev/null")),
        ("Dir::State::lists", folder.join("lists")),
        ("Dir::Cache", folder.join("cache")),
    ];
    let apt_get = move || {
        let mut command = apt_get();
        for (setting, value) in &settings {
            command.arg("-o").arg(format!("{setting}={}", value.display()));
        }
        command
    };
    run(apt_get().arg("update"))?;
    Ok(apt_get)
}

/// `apt-get`, which downloads as the user that it runs as.
pub fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    // Root's apt fetches as another user, who may not write to the target folder.
    command.args(["-o", "APT::Sandbox::User=root"]);
    command
}

/// Unpacks what `download` leaves in the folder it is given.
fn unpacked(folder: &Path, download: impl FnOnce(&Path) -> Result) -> Result<PathBuf> {
    let downloads = folder.join(".download");
    create_dir(&downloads)?;
    download(&downloads)?;
    let archive = file_with_extension(&downloads, "deb")?;
    run(Command::new("dpkg").arg("-x").arg(&archive).arg(folder))?;
    let _ = std::fs::remove_dir_all(&downloads);
    Ok(folder.to_owned())
}

fn file_with_extension(folder: &Path, extension: &str) -> Result<PathBuf> {
    std::fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|found| found == extension))
        .ok_or_else(|| format!("no .{extension} file was downloaded to {}", folder.display()))
}

fn tools_venv() -> Result<PathBuf> {
    let venv = target().join("tools-venv");
    make_venv(&venv)?;
    Ok(venv)
}

fn make_venv(venv: &Path) -> Result {
    if succeeds(Command::new(venv.join("bin/python")).args(["-m", "pip", "--version"])) {
        return Ok(());
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(venv);
    if run(&mut make).is_ok() {
        return Ok(());
    }
    if !is_root() {
        return Err("python3 with venv is missing: apt-get install python3-venv".to_owned());
    }
    println!("setup: Python's venv, from Debian");
    let install = || {
        run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args([
            "install",
            "-y",
            "--no-install-recommends",
            "python3",
            "python3-venv",
        ]))
    };
    if install().is_err() {
        run(Command::new("apt-get").arg("update"))?;
        install()?;
    }
    run(&mut make)
}

fn install(venv: &Path, packages: &[&str]) -> Result {
    run(pip(venv, "install").args(packages))
}

fn pip(venv: &Path, verb: &str) -> Command {
    let mut pip = Command::new(venv.join("bin/python"));
    pip.args(["-m", "pip", verb, "--quiet", "--disable-pip-version-check"]);
    pip
}

/// A file of this name in the folder or in those inside.
pub fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = find(&path, name) {
                return Some(found);
            }
        } else if entry.file_name() == name {
            return Some(path);
        }
    }
    None
}
