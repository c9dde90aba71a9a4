//! The drivers that are installed: the files by which the loaders of OpenCL and Vulkan know them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Api;

/// A driver, loaded by the loader in a child process that knows no other.
#[derive(Debug)]
pub struct Driver {
    /// Its vendor file or manifest; `None` stands for all that the loader finds, where it uses no files.
    pub file: Option<PathBuf>,
    /// The library that the file names.
    pub library: Option<String>,
    /// What is wrong with the file.
    pub problem: Option<String>,
    /// Why this process cannot load it, and is not meant to.
    pub not_for_us: Option<String>,
}

/// The drivers of an API, in the order of their files' names.
pub fn of(api: Api) -> Vec<Driver> {
    if cfg!(not(target_os = "linux")) {
        return vec![Driver { file: None, library: None, problem: None, not_for_us: None }];
    }
    let (places, extension) = match api {
        Api::OpenCl => (opencl_places(), "icd"),
        Api::Vulkan => (vulkan_places(), "json"),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for place in places {
        let mut here = files_of(&place, extension);
        here.sort();
        for file in here {
            // A folder can be named twice, and a file be a link to another.
            let is_same = |known: &PathBuf| {
                std::fs::canonicalize(known).ok() == std::fs::canonicalize(&file).ok()
            };
            if !files.iter().any(is_same) {
                files.push(file);
            }
        }
    }
    files.into_iter().map(|file| driver(api, file)).collect()
}

fn files_of(place: &Path, extension: &str) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

/// The paths in a variable of the environment, if it is set.
fn listed(variable: &str) -> Option<Vec<PathBuf>> {
    let value = env::var_os(variable).filter(|value| !value.is_empty())?;
    Some(env::split_paths(&value).collect())
}

fn opencl_places() -> Vec<PathBuf> {
    let named = listed("OCL_ICD_VENDORS").or_else(|| listed("OPENCL_VENDOR_PATH"));
    named.unwrap_or_else(|| vec![PathBuf::from("/etc/OpenCL/vendors")])
}

/// As the loader's documentation lists them (LoaderDriverInterface.md, "Driver Discovery on Linux").
fn vulkan_places() -> Vec<PathBuf> {
    if let Some(named) = listed("VK_DRIVER_FILES").or_else(|| listed("VK_ICD_FILENAMES")) {
        return named;
    }
    let home = |folder: &str| {
        env::var_os("HOME")
            .map(|home| Path::new(&home).join(folder))
            .into_iter()
            .collect::<Vec<_>>()
    };
    let usual = |text: &str| env::split_paths(text).collect::<Vec<PathBuf>>();
    let roots = [
        listed("XDG_CONFIG_HOME").unwrap_or_else(|| home(".config")),
        listed("XDG_CONFIG_DIRS").unwrap_or_else(|| usual("/etc/xdg")),
        usual("/usr/local/etc:/etc"),
        listed("XDG_DATA_HOME").unwrap_or_else(|| home(".local/share")),
        listed("XDG_DATA_DIRS").unwrap_or_else(|| usual("/usr/local/share:/usr/share")),
    ];
    let mut places = listed("VK_ADD_DRIVER_FILES").unwrap_or_default();
    places.extend(roots.concat().into_iter().map(|root| root.join("vulkan/icd.d")));
    places
}

fn driver(api: Api, file: PathBuf) -> Driver {
    let (text, unread) = match std::fs::read_to_string(&file) {
        Ok(text) => (text, None),
        Err(error) => (String::new(), Some(format!("cannot read it: {}", clc::fs::reason(&error)))),
    };
    let library = match api {
        Api::OpenCl => text.lines().next().map(|line| line.trim().to_owned()),
        Api::Vulkan => serde_json::from_str::<Value>(&text)
            .ok()
            .and_then(|manifest| manifest["ICD"]["library_path"].as_str().map(str::to_owned)),
    };
    let library = library.filter(|library| !library.is_empty());
    let names_none = library.is_none().then(|| "it names no library".to_owned());
    let problem = unread.or(names_none);
    let bits = library.as_deref().and_then(|library| bits_of(&file, library));
    let ours = usize::BITS;
    let not_for_us = bits
        .filter(|&bits| bits != ours)
        .map(|bits| format!("it is for programs of {bits} bits, and this one has {ours}"));
    Driver { file: Some(file), library, problem, not_for_us }
}

/// The width of the programs that a library is for, where it is an ELF file with a path.
fn bits_of(manifest: &Path, library: &str) -> Option<u32> {
    use std::io::Read as _;

    let library = match library.contains('/') {
        true => manifest.parent()?.join(library),
        false => return None,
    };
    let mut head = [0; 5];
    std::fs::File::open(library).ok()?.read_exact(&mut head).ok()?;
    match head {
        [0x7f, b'E', b'L', b'F', 1] => Some(32),
        [0x7f, b'E', b'L', b'F', 2] => Some(64),
        _ => None,
    }
}

impl Driver {
    /// Has a child process see this driver only. What is returned must live as long as the child.
    pub fn configure(
        &self,
        api: Api,
        command: &mut Command,
    ) -> Result<Option<tempfile::TempDir>, String> {
        let Some(file) = &self.file else { return Ok(None) };
        let file =
            std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?;
        match api {
            Api::Vulkan => {
                // The second is the name that loaders before 1.3.207 know.
                command.env("VK_DRIVER_FILES", &file).env("VK_ICD_FILENAMES", &file);
                command.env_remove("VK_ADD_DRIVER_FILES");
                Ok(None)
            }
            Api::OpenCl => {
                // Not every loader takes the name of a file; all take a folder.
                let failed = |error: std::io::Error| format!("{}: {error}", file.display());
                let folder = tempfile::tempdir().map_err(failed)?;
                std::fs::copy(&file, folder.path().join("driver.icd")).map_err(failed)?;
                let mut path = OsString::from(folder.path());
                path.push("/");
                command.env("OCL_ICD_VENDORS", &path).env("OPENCL_VENDOR_PATH", &path);
                if let Some(library) = &self.library {
                    command.env(LIBRARY, library);
                }
                Ok(Some(folder))
            }
        }
    }
}

/// Tells a child process which library the driver is in, to find out why it does not load.
const LIBRARY: &str = "CLC_DOCTOR_LIBRARY";

/// In a child process: why the library of the driver cannot be loaded, if it cannot.
pub fn why_not_loaded() -> Option<String> {
    let library = env::var_os(LIBRARY)?;
    #[cfg(unix)]
    {
        use std::ffi::{CStr, CString};

        let name = CString::new(library.as_encoded_bytes()).ok()?;
        // SAFETY: the loader was about to load the same library; the text of the error is copied before
        // the next call.
        unsafe {
            if libc::dlopen(name.as_ptr(), libc::RTLD_NOW).is_null() {
                let error = libc::dlerror();
                let text = match error.is_null() {
                    true => "unknown error".into(),
                    false => CStr::from_ptr(error).to_string_lossy(),
                };
                return Some(format!("its library does not load: {text}"));
            }
        }
    }
    let _ = library;
    None
}
