//! Finding the OpenCL driver that the execution suite runs on.
//!
//! `cargo xtask test` installs the driver under `target/drivers`; `CLC_DRIVERS` names another
//! folder of the same shape: `icd/` (the loader's vendor files) and, where the system has no
//! OpenCL loader, `lib/libOpenCL.so.1`.

use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Debug)]
pub struct Driver {
    icd: PathBuf,
    loader: Option<PathBuf>,
}

/// The driver, if one is installed.
pub fn find() -> Option<Driver> {
    let folder = match std::env::var_os("CLC_DRIVERS") {
        Some(folder) => PathBuf::from(folder),
        None => target_folder().join("drivers"),
    };
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
