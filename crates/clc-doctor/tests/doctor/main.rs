//! `clc doctor`, with the drivers of the tests, with broken ones and with none.
#![cfg(target_os = "linux")]

mod faults;

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

/// Runs the doctor with the loaders of the tests' drivers, in an environment that `configure` adds to: its exit code,
/// and what it says.
fn run(line: &str, configure: impl Fn(&mut Command)) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-doctor"));
    command.args(line.split_whitespace());
    for variable in [
        "OCL_ICD_VENDORS",
        "OPENCL_VENDOR_PATH",
        "VK_DRIVER_FILES",
        "VK_ICD_FILENAMES",
        "VK_ADD_DRIVER_FILES",
    ] {
        command.env_remove(variable);
    }
    if let Some(folder) = drivers() {
        let libraries = [folder.join("vulkan/lib"), folder.join("lib")];
        command.env("LD_LIBRARY_PATH", std::env::join_paths(libraries).unwrap());
    }
    configure(&mut command);
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// `clc doctor` that finds nothing but what is named.
fn doctor(line: &str, icd: &Path, manifests: &str) -> (Option<i32>, String) {
    run(line, |command| {
        command.env("OCL_ICD_VENDORS", icd).env("VK_DRIVER_FILES", manifests);
    })
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
    let (_, table) = doctor("", &folder.join("icd"), manifest.to_str().unwrap());
    assert!(table.ends_with("\n2 of 2 devices ran the vector add\n"), "{table}");
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

/// Compiles a library of C into a folder.
fn compile(folder: &Folder, name: &str, source: &str, options: &[&str]) -> PathBuf {
    folder.write("library.c", source);
    let file = folder.path(name);
    let mut compiler = Command::new("cc");
    // In later versions of C a function without parameters takes none.
    compiler.args(["-std=gnu11", "-w", "-shared", "-fPIC", "-o"]).arg(&file);
    compiler.arg(folder.path("library.c")).args(options);
    assert!(compiler.status().unwrap().success(), "{source}");
    file
}

/// A library that does `body` as soon as it is loaded.
fn library(folder: &Folder, name: &str, body: &str) -> PathBuf {
    let source = format!(
        "#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         __attribute__((constructor)) static void start(void) {{ {body} }}\n"
    );
    compile(folder, name, &source, &[])
}

/// The manifest of a driver of Vulkan in this library.
fn manifest(library: &Path) -> String {
    let icd = serde_json::json!({ "library_path": library, "api_version": "1.3.0" });
    serde_json::json!({ "file_format_version": "1.0.0", "ICD": icd }).to_string()
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

#[test]
fn how_a_driver_ended_its_process_is_said() {
    let Some(_) = drivers() else { return };
    let folder = Folder::new();
    // Rust's handler of the first two gives way to what the system does, and returns.
    let ends = [
        ("for (;;) raise(SIGSEGV);", "signal 11, segmentation fault"),
        ("for (;;) raise(SIGBUS);", "signal 7, bus error"),
        ("raise(SIGABRT);", "signal 6, abort"),
        ("raise(SIGILL);", "signal 4, illegal instruction"),
        ("raise(SIGFPE);", "signal 8, arithmetic error"),
        ("raise(SIGKILL);", "signal 9, killed"),
        ("raise(SIGTERM);", "signal 15"),
        ("_exit(3);", "exit status: 3"),
    ];
    for (index, (body, _)) in ends.iter().enumerate() {
        let library = library(&folder, &format!("lib{index}.so"), body);
        folder.write(&format!("icd/{index}.icd"), format!("{}\n", library.display()));
    }
    let (code, text) = doctor("--format=json --api=opencl", &folder.path("icd"), "/absent");
    assert_eq!(code, Some(1), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    for (index, (_, how)) in ends.iter().enumerate() {
        let said = format!("the driver ended the process ({how})");
        assert_eq!(all["drivers"][index]["problem"], said, "{text}");
    }
    let (_, table) = doctor("--api=opencl", &folder.path("icd"), "/absent");
    assert!(table.ends_with("\nno device was found; 8 drivers are broken\n"), "{table}");
}

#[test]
fn drivers_of_programs_of_another_width_are_no_fault() {
    let folder = Folder::new();
    let other = if usize::BITS == 64 { 1 } else { 2 };
    folder.write("libother.so", [0x7f, b'E', b'L', b'F', other]);
    folder.write("vk/other.json", manifest(&folder.path("libother.so")));
    let (code, table) =
        doctor("--api=vulkan", Path::new("/absent"), folder.path("vk").to_str().unwrap());
    // There is no device.
    assert_eq!(code, Some(1), "{table}");
    assert!(table.contains("    skipped         it is for programs of "), "{table}");
    assert!(table.ends_with("\nno device was found\n"), "{table}");
}

#[test]
fn a_library_that_is_none_is_called_so() {
    let Some(_) = drivers() else { return };
    let folder = Folder::new();
    folder.write("libtext.so", "a text");
    folder.write("icd/text.icd", folder.path("libtext.so").to_str().unwrap());
    let (code, table) = doctor("--api=opencl", &folder.path("icd"), "/absent");
    assert_eq!(code, Some(1), "{table}");
    assert!(table.contains("BROKEN          its library does not load: "), "{table}");
}

#[test]
fn a_library_that_is_no_driver_is_called_so() {
    let Some(_) = drivers() else { return };
    let folder = Folder::new();
    let library = library(&folder, "libplain.so", "");
    folder.write("icd/plain.icd", format!("{}\n", library.display()));
    let (code, table) = doctor("--api=opencl", &folder.path("icd"), "/absent");
    assert_eq!(code, Some(1), "{table}");
    assert!(
        table.contains("BROKEN          the loader takes it for no driver of OpenCL\n"),
        "{table}"
    );
}

#[test]
fn where_a_loader_is_missing_its_package_is_named() {
    let folder = Folder::new();
    folder.write("icd/one.icd", "libone.so\n");
    folder.write("one.json", manifest(Path::new("libone.so")));
    for name in ["libOpenCL.so.1", "libvulkan.so.1"] {
        folder.write(name, "no library");
    }
    let (code, text) = run("--format=json", |command| {
        command.env("OCL_ICD_VENDORS", folder.path("icd"));
        command.env("VK_DRIVER_FILES", folder.path("one.json"));
        command.env("LD_LIBRARY_PATH", folder.root()).env_remove("OPENCL_DYLIB_PATH");
    });
    assert_eq!(code, Some(1), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    for (index, package) in ["ocl-icd-libopencl1", "libvulkan1"].into_iter().enumerate() {
        let problem = all["drivers"][index]["problem"].as_str().unwrap();
        assert!(problem.starts_with("there is no loader of "), "{text}");
        assert!(problem.ends_with(&format!("Debian: apt-get install {package}")), "{text}");
    }
}

/// The files of drivers in a folder that the doctor lists.
fn listed(folder: &Folder, configure: impl Fn(&mut Command)) -> Vec<String> {
    let (_, text) = run("--format=json", configure);
    let all: Value = serde_json::from_str(&text).unwrap();
    let files = all["drivers"].as_array().unwrap().iter().filter_map(|driver| {
        let file = Path::new(driver["file"].as_str()?);
        Some(file.strip_prefix(folder.root()).ok()?.to_str()?.to_owned())
    });
    files.collect()
}

#[test]
fn drivers_are_looked_for_where_the_loaders_look() {
    let folder = Folder::new();
    // Of drivers that name no library nothing is loaded.
    let places = ["home/.config", "home/.local/share", "config", "configs/2", "data", "datas/1"];
    for place in places {
        folder.write(&format!("{place}/vulkan/icd.d/driver.json"), "{}");
        folder.write(&format!("{place}/vulkan/icd.d/driver.text"), "{}");
    }
    folder.write("added.json", "{}");
    folder.write("vendors/driver.icd", "");
    folder.write("vendors/driver.text", "");
    let file = |place: &str| format!("{place}/vulkan/icd.d/driver.json");
    let usual = |command: &mut Command| {
        command.env("HOME", folder.path("home")).env("OPENCL_VENDOR_PATH", folder.path("vendors"));
        for variable in ["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS"] {
            command.env_remove(variable);
        }
    };
    let found = listed(&folder, usual);
    assert_eq!(found, ["vendors/driver.icd".to_owned(), file(places[0]), file(places[1])]);

    let both =
        |one: &str, two: &str| std::env::join_paths([folder.path(one), folder.path(two)]).unwrap();
    let found = listed(&folder, |command| {
        usual(command);
        command.env("XDG_CONFIG_HOME", folder.path("config"));
        command.env("XDG_CONFIG_DIRS", both("configs/1", "configs/2"));
        command.env("XDG_DATA_HOME", folder.path("data"));
        // A folder that comes twice counts once.
        command.env("XDG_DATA_DIRS", both("datas/1", "datas/../datas/1"));
        command.env("VK_ADD_DRIVER_FILES", folder.path("added.json"));
    });
    let opencl = ["vendors/driver.icd", "added.json"].map(str::to_owned);
    assert_eq!(
        found,
        [&opencl[..], &places[2..].iter().map(|place| file(place)).collect::<Vec<_>>()].concat()
    );

    // The older name of the variable, and one that is set to nothing, which counts as none.
    let found = listed(&folder, |command| {
        usual(command);
        command.env("VK_DRIVER_FILES", "").env("VK_ICD_FILENAMES", folder.path("added.json"));
    });
    assert_eq!(found, ["vendors/driver.icd", "added.json"]);
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_reason() {
    let folder = Folder::new();
    folder.write("icd/bytes.icd", [0xff, 0xfe]);
    let (code, text) = doctor("--format=json", &folder.path("icd"), "/absent");
    assert_eq!(code, Some(1), "{text}");
    let all: Value = serde_json::from_str(&text).unwrap();
    let problem = all["drivers"][0]["problem"].as_str().unwrap();
    assert!(problem.starts_with("cannot read it: "), "{text}");
}
