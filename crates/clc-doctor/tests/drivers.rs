//! `clc doctor`, with the drivers of the tests, with broken ones and with none.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A folder of a test's own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Where the drivers of the tests are, if they are installed.
fn drivers() -> Option<PathBuf> {
    let folder = match std::env::var_os("CLC_DRIVERS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/drivers"),
    };
    let there = folder.join("icd").is_dir() && folder.join("vulkan/lavapipe.json").is_file();
    match there {
        true => Some(std::fs::canonicalize(folder).unwrap()),
        false if std::env::var_os("CI").is_some() => panic!("no drivers in {}", folder.display()),
        false => None,
    }
}

/// `clc doctor` that finds nothing but what is named.
fn doctor(line: &str, icd: &Path, manifests: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-doctor"));
    command.args(line.split_whitespace());
    command.env("OCL_ICD_VENDORS", icd).env("VK_DRIVER_FILES", manifests);
    command.env_remove("VK_ICD_FILENAMES").env_remove("VK_ADD_DRIVER_FILES");
    if let Some(folder) = drivers() {
        command.env("LD_LIBRARY_PATH", folder.join("vulkan/lib"));
        let loader = folder.join("lib/libOpenCL.so.1");
        if loader.is_file() {
            command.env("OPENCL_DYLIB_PATH", loader);
        }
    }
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_driver_of_the_tests_adds_vectors() {
    let Some(folder) = drivers() else { return };
    let manifest = folder.join("vulkan/lavapipe.json");
    let (code, text) = doctor("--format=json", &folder.join("icd"), manifest.to_str().unwrap());
    assert_eq!(code, Some(0), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(all["drivers"].as_array().unwrap().len(), 2);
    let [opencl, vulkan] = [0, 1].map(|index| &all["drivers"][index]["devices"][0]);
    for device in [opencl, vulkan] {
        assert_eq!(device["vector_add"]["ok"], true, "{text}");
        assert_eq!(device["address_bits"], 64);
    }
    assert!(opencl["spirv_versions"].as_array().unwrap().iter().any(|v| v == "1.2"), "{text}");
    let target = opencl["options"][0].as_str().unwrap();
    assert!(target.starts_with("--target-env=opencl3."), "{target}");
    assert!(vulkan["features"].as_array().unwrap().iter().any(|f| f == "bufferDeviceAddress"));

    // The options are such that `clc` takes.
    for device in [opencl, vulkan] {
        let options = device["options"].as_array().unwrap();
        let options: Vec<&str> = options.iter().map(|option| option.as_str().unwrap()).collect();
        let taken = clc::cli::Request::of_options(&options);
        assert!(taken.is_ok(), "{options:?}: {:?}", taken.err());
    }

    let (code, table) = doctor("--api=vulkan", &folder.join("icd"), manifest.to_str().unwrap());
    assert_eq!(code, Some(0), "{table}");
    assert!(table.contains("vector add      right, "), "{table}");
    assert!(table.ends_with("1 of 1 device ran the vector add\n"), "{table}");
    assert!(!table.contains("OpenCL"), "{table}");
}

#[test]
fn without_drivers_it_says_how_to_get_one() {
    let folder = Folder::new();
    let (code, table) = doctor("", folder.root(), "/absent");
    assert_eq!(code, Some(1), "{table}");
    for words in ["ocl-icd-libopencl1", "mesa-vulkan-drivers", "no device was found"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let (code, text) = doctor("--format=json", folder.root(), "/absent");
    assert_eq!(code, Some(1));
    let all: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(all["drivers"].as_array().unwrap().len(), 0, "{text}");
    let wrong =
        Command::new(env!("CARGO_BIN_EXE_clc-doctor")).arg("--format=odd").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert!(said.contains("table, json"), "{said}");
}

/// A library that does `body` as soon as it is loaded.
fn library(folder: &Folder, name: &str, body: &str) -> PathBuf {
    let source = format!(
        "#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void start(void) {{ {body} }}\n"
    );
    folder.write("library.c", source);
    let file = folder.path(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&file).arg(folder.path("library.c"));
    assert!(compiler.status().unwrap().success());
    file
}

#[test]
fn broken_drivers_do_not_take_the_others_with_them() {
    let Some(drivers) = drivers() else { return };
    let folder = Folder::new();
    let crashes = library(&folder, "libcrash.so", "abort();");
    let hangs = library(&folder, "libhang.so", "sleep(1000);");
    let lines = |path: &Path| format!("{}\n", path.display());
    folder.write("icd/1-absent.icd", "/absent/libnone.so\n");
    folder.write("icd/2-crash.icd", lines(&crashes));
    folder.write("hangs/hang.icd", lines(&hangs));
    folder.write("icd/4-text.icd", "");
    std::fs::copy(drivers.join("icd/intel.icd"), folder.path("icd/5-good.icd")).unwrap();
    let manifest = |library: &Path| {
        let icd = serde_json::json!({ "library_path": library, "api_version": "1.3.0" });
        serde_json::json!({ "file_format_version": "1.0.0", "ICD": icd }).to_string()
    };
    folder.write("vk/1-absent.json", manifest(Path::new("/absent/libvulkan_none.so")));
    folder.write("vk/2-crash.json", manifest(&crashes));
    folder.write("vk/3-nonsense.json", "{");
    let mut narrow = std::fs::read(&crashes).unwrap();
    narrow[4] = 1;
    folder.write("libnarrow.so", narrow);
    folder.write("vk/4-narrow.json", manifest(&folder.path("libnarrow.so")));
    std::fs::copy(drivers.join("vulkan/lavapipe.json"), folder.path("vk/5-good.json")).unwrap();

    let (code, text) = doctor("--time-limit=1 --api=opencl", &folder.path("hangs"), "/absent");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("BROKEN          the driver was still busy after 1 s"), "{text}");
    assert!(text.ends_with("no device was found; 1 driver is broken\n"), "{text}");

    let (code, text) =
        doctor("--format=json", &folder.path("icd"), folder.path("vk").to_str().unwrap());
    assert_eq!(code, Some(1), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    let found: Vec<(&Value, &Value)> = all["drivers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|driver| (driver, &driver["devices"][0]["vector_add"]["ok"]))
        .collect();
    let problems = [
        "cannot open shared object file",
        "signal 6, abort",
        "it names no library",
        "",
        "cannot load its library",
        "signal 6, abort",
        "it names no library",
        "",
        "",
    ];
    assert_eq!(found.len(), problems.len(), "{text}");
    for (index, ((driver, ran), problem)) in found.into_iter().zip(problems).enumerate() {
        let said = driver["problem"].as_str().unwrap_or_default();
        assert!(said.contains(problem), "{index}: {driver:#}");
        assert_eq!(*ran == true, [3, 8].contains(&index), "{index}: {driver:#}");
        assert_eq!(driver["skipped"].is_string(), index == 7, "{index}: {driver:#}");
    }
}
