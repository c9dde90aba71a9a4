//! Compiles SPIRV-Tools' validator and assembler from the sources that the package spirv-tools-sys
//! brings. Its own build script compiles the optimiser too, which takes six times as long and is not
//! used here; so it is told to compile nothing (`use-installed-tools`).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The package with the sources, as folders of packages are called.
const PACKAGE: &str = "spirv-tools-sys-0.13.3";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SPIRV_TOOLS_SYS");
    let package = sources().unwrap_or_else(|| {
        panic!(
            "the sources of {PACKAGE} were not found beside this package, among those that cargo \
             downloads, nor by `cargo metadata`; the variable SPIRV_TOOLS_SYS can name their folder"
        )
    });

    let system = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => "SPIRV_WINDOWS",
        Ok("macos") => "SPIRV_MAC",
        Ok("ios") => "SPIRV_IOS",
        Ok("android") => "SPIRV_ANDROID",
        Ok("freebsd") => "SPIRV_FREEBSD",
        _ => "SPIRV_LINUX",
    };
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .debug(false)
        .define(system, None)
        .define("SPIRV_CHECK_CONTEXT", None)
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-fno-rtti");
    for folder in [
        "spirv-tools",
        "spirv-tools/include",
        "generated",
        "spirv-headers/include",
        "spirv-headers/include/spirv/unified1",
    ] {
        build.include(package.join(folder));
    }
    // The optimiser, the reducer and the linker are in folders of their own.
    let folders = ["spirv-tools/source", "spirv-tools/source/util", "spirv-tools/source/val"];
    let files = folders.into_iter().flat_map(|folder| cpp_files(&package.join(folder))).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for (index, files) in parts(files).into_iter().enumerate() {
        build.file(part(&out, index, &files));
    }
    // Nothing here is worth more than this, whatever the profile of the Rust code. What asserts itself does so in tests.
    if env::var("OPT_LEVEL").as_deref() == Ok("3") {
        build.opt_level(2).define("NDEBUG", None);
    }
    build.compile("clc-validator");
}

/// Parts that are compiled at a time: enough for many processors, few enough that headers are read rarely.
const PARTS: usize = 8;

/// Files that have a name of their own that another one has, too.
const ALONE: [&str; 3] =
    ["spirv_fuzzer_options.cpp", "spirv_reducer_options.cpp", "validate_ray_query.cpp"];

/// Most of the time of a C++ compiler is its reading of headers, so files are compiled some at a time. Parts
/// are about equally large, and the same on all machines.
fn parts(mut files: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    files.sort_by_key(|path| std::cmp::Reverse(size(path)));
    let mut parts: Vec<(u64, Vec<PathBuf>)> = vec![(0, Vec::new()); PARTS];
    for path in files {
        if ALONE.iter().any(|name| path.ends_with(name)) {
            parts.push((u64::MAX, vec![path]));
        } else if let Some(least) = parts.iter_mut().min_by_key(|part| part.0) {
            least.0 += size(&path);
            least.1.push(path);
        }
    }
    parts.into_iter().map(|part| part.1).collect()
}

/// Writes a file that includes those of a part.
fn part(out: &Path, index: usize, files: &[PathBuf]) -> PathBuf {
    let mut text = String::new();
    for path in files {
        let path = path.display().to_string().replace('\\', "/");
        text.push_str(&format!("#include \"{path}\"\n"));
    }
    let path = out.join(format!("part_{index}.cpp"));
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

/// The C++ files in a folder, in one order on all machines.
fn cpp_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .filter(|path| !path.ends_with("mimalloc.cpp") && !path.ends_with("pch_source.cpp"))
        .collect();
    files.sort();
    files
}

/// The folder of the package with the sources. Cargo has unpacked it, because this package depends on
/// it, but tells a build script only of packages that want to be found (`links` with metadata).
fn sources() -> Option<PathBuf> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let named = env::var_os("SPIRV_TOOLS_SYS").map(PathBuf::from);
    let beside = here.parent().map(|folder| folder.join(PACKAGE));
    let holds_sources = |folder: &PathBuf| folder.join("spirv-tools/source/val").is_dir();
    named
        .into_iter()
        .chain(beside)
        .chain(downloaded())
        .find(holds_sources)
        .or_else(|| by_metadata(&here).filter(holds_sources))
}

/// Where cargo unpacks what it downloads: a folder for each registry.
fn downloaded() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let Some(home) = home.or_else(|| Some(env::home_dir()?.join(".cargo"))) else {
        return Vec::new();
    };
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Vec::new() };
    registries.filter_map(|entry| Some(entry.ok()?.path().join(PACKAGE))).collect()
}

/// Asks cargo, which knows where other sources of packages (`cargo vendor`) have it.
fn by_metadata(here: &Path) -> Option<PathBuf> {
    let output = Command::new(env::var_os("CARGO")?)
        .args(["metadata", "--format-version=1", "--offline"])
        .current_dir(here)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let manifests = text.split("\"manifest_path\":\"").skip(1);
    manifests
        .filter_map(|rest| rest.split_once('"'))
        .map(|(path, _)| PathBuf::from(path.replace("\\\\", "\\")))
        .find(|path| {
            path.parent()
                .and_then(Path::file_name)
                .is_some_and(|name| name.to_string_lossy().starts_with("spirv-tools-sys"))
        })
        .and_then(|path| Some(path.parent()?.to_owned()))
}
