//! Finding the drivers that the execution suite runs on.
//!
//! `cargo xtask test` installs them under `target/drivers`; `CLC_DRIVERS` names another folder of
//! the same shape: `icd/` (the loader's vendor files) and, where the system has no OpenCL loader,
//! `lib/libOpenCL.so.1`; `vulkan/` with `lavapipe.json`, `layers/` and `lib/`. `CLC_VULKAN=system`
//! takes the system's own Vulkan driver instead, a GPU's for one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;

#[derive(Clone, Debug)]
pub struct Driver {
    icd: PathBuf,
    loader: Option<PathBuf>,
}

fn folder() -> PathBuf {
    match std::env::var_os("CLC_DRIVERS") {
        Some(folder) => PathBuf::from(folder),
        None => target_folder().join("drivers"),
    }
}

/// The OpenCL driver, if one is installed.
pub fn find() -> Option<Driver> {
    let folder = folder();
    let icd = folder.join("icd");
    let loader = folder.join("lib/libOpenCL.so.1");
    icd.is_dir().then(|| Driver { icd, loader: loader.is_file().then_some(loader) })
}

/// Cargo's target folder, as the test programs see it.
pub fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"),
    }
}

impl Driver {
    /// Points `command` at the driver.
    pub fn configure(&self, command: &mut Command) {
        command.env("OCL_ICD_VENDORS", &self.icd).env("OPENCL_VENDOR_PATH", &self.icd);
        if let Some(loader) = &self.loader {
            command.env("OPENCL_DYLIB_PATH", loader);
        }
    }
}

/// A Vulkan driver.
#[derive(Clone, Debug)]
pub enum Vulkan {
    /// The system's.
    System,
    /// A folder with the driver, the validation layer and their libraries.
    Folder(PathBuf),
}

/// The Vulkan driver, if one is installed.
pub fn vulkan() -> Option<Vulkan> {
    if std::env::var_os("CLC_VULKAN").is_some_and(|which| which == "system") {
        return Some(Vulkan::System);
    }
    let folder = folder().join("vulkan");
    folder.join("lavapipe.json").is_file().then_some(Vulkan::Folder(folder))
}

/// Options for what the device at hand offers beyond what every one has; `CLC_VULKAN_OPTIONS` has
/// others. GPUs keep the numbers below the normal ones if they are asked to, which some cases look at.
pub fn vulkan_options() -> Vec<String> {
    let options = std::env::var("CLC_VULKAN_OPTIONS").ok();
    let options = options.unwrap_or_else(|| match vulkan() {
        Some(Vulkan::System) => "--spirv-ext=+SPV_KHR_float_controls".to_owned(),
        Some(Vulkan::Folder(_)) | None => String::new(),
    });
    options.split_whitespace().map(str::to_owned).collect()
}

/// The sub-groups of a Vulkan device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubGroups {
    /// Their work-items, where the host does not ask for another size.
    pub size: usize,
    /// Whether a host can ask for this size.
    pub can_be_required: bool,
}

impl SubGroups {
    /// What `clc-run-vulkan --sub-groups` says.
    pub fn parse(line: &str) -> Option<SubGroups> {
        let (size, can_be_required) = line.trim().split_once(' ')?;
        Some(SubGroups { size: size.parse().ok()?, can_be_required: can_be_required.parse().ok()? })
    }
}

impl Vulkan {
    /// The device's sub-groups, asked for by `clc-run-vulkan`.
    pub fn sub_groups(&self, runner: &Path) -> Result<SubGroups, String> {
        let mut command = Command::new(runner);
        command.arg("--sub-groups");
        self.configure(&mut command);
        let finished = process::run(&mut command, b"", Duration::from_secs(60))
            .map_err(|error| format!("{}: {error}", runner.display()))?;
        SubGroups::parse(&String::from_utf8_lossy(&finished.stdout))
            .ok_or_else(|| format!("{}: {}", finished.how(), finished.stderr))
    }

    /// The device's products of cooperative matrices, as `clc-run-vulkan --products` says.
    pub fn products(&self, runner: &Path) -> Result<Vec<String>, String> {
        let mut command = Command::new(runner);
        command.arg("--products");
        self.configure(&mut command);
        let finished = process::run(&mut command, b"", Duration::from_secs(60))
            .map_err(|error| format!("{}: {error}", runner.display()))?;
        if finished.code != Some(0) {
            return Err(format!("{}: {}", finished.how(), finished.stderr));
        }
        Ok(String::from_utf8_lossy(&finished.stdout).lines().map(str::to_owned).collect())
    }

    /// Points `command` at the driver and the validation layer.
    pub fn configure(&self, command: &mut Command) {
        match self {
            Vulkan::System => {}
            Vulkan::Folder(folder) => {
                let manifest = folder.join("lavapipe.json");
                command
                    .env("VK_DRIVER_FILES", &manifest)
                    // The name that loaders before 1.3.207 know.
                    .env("VK_ICD_FILENAMES", &manifest)
                    .env("VK_LAYER_PATH", folder.join("layers"))
                    .env("LD_LIBRARY_PATH", folder.join("lib"))
                    // Kernels of tests run for less time than lavapipe optimises them.
                    .env("GALLIVM_PERF", "nopt");
            }
        }
    }
}
