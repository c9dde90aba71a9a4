//! Bringing in Vulkan: lavapipe (Mesa's driver for processors), the loader and the validation layer,
//! unpacked from Debian's packages into `target/drivers/vulkan`.
//!
//! ```text
//! lib/               the loader and the libraries that the system lacks
//! lavapipe.json      what VK_DRIVER_FILES names
//! layers/            what VK_LAYER_PATH names
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup;
use crate::shell::{self, Result, create_dir, target};

const LOADER: &str = "libvulkan.so.1";
const MESA: &str = "mesa-vulkan-drivers";
const DRIVER: &str = "libvulkan_lvp.so";
const LAYER: &str = "libVkLayer_khronos_validation.so";

/// What a complete folder says of how it was made; another one is made anew.
const RECIPE: &str = "mesa from backports\n";

/// Rounds of asking what is missing; what a library needs shows when it is there.
const ROUNDS: usize = 8;

/// Where it all is, installed if need be.
pub fn driver() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("CLC_DRIVERS") {
        let folder = PathBuf::from(folder).join("vulkan");
        return match folder.is_dir() {
            true => Ok(folder),
            false => Err(format!("CLC_DRIVERS has no folder {}", folder.display())),
        };
    }
    let folder = target().join("drivers/vulkan");
    let done = folder.join(".complete");
    if std::fs::read_to_string(&done).ok().as_deref() != Some(RECIPE) {
        println!("setup: lavapipe and the validation layer, from Debian to {}", folder.display());
        let _ = std::fs::remove_dir_all(&folder);
        install(&folder)?;
        shell::write(&done, RECIPE)?;
    }
    manifests(&folder)?;
    Ok(folder)
}

fn install(folder: &Path) -> Result {
    let packages = folder.join("packages");
    let lib = folder.join("lib");
    create_dir(&lib)?;
    for (package, library) in [("libvulkan1", LOADER), ("vulkan-validationlayers", LAYER)] {
        setup::debian(package, &packages)?;
        take(&packages, library, &lib)?;
    }
    // Mesa 22.3, Debian 12's own, ends loops after 65,535 turns, takes every `int` for less than a
    // `long` constant, and needs minutes for large modules.
    if let Err(error) = setup::debian_backport(MESA, &packages) {
        println!("setup: {MESA} from the release itself: {error}");
        setup::debian(MESA, &packages)?;
    }
    take(&packages, DRIVER, &lib)?;
    for _ in 0..ROUNDS {
        let mut missing = Vec::new();
        for library in [LOADER, DRIVER, LAYER] {
            missing.extend(missing_libraries(&lib.join(library), &lib)?);
        }
        missing.sort();
        missing.dedup();
        if missing.is_empty() {
            let _ = std::fs::remove_dir_all(&packages);
            return Ok(());
        }
        for library in &missing {
            setup::debian(&package_of(library), &packages)?;
            take(&packages, library, &lib)?;
        }
    }
    Err("libraries are missing still".to_owned())
}

/// Copies a library out of unpacked packages.
fn take(packages: &Path, library: &str, lib: &Path) -> Result {
    let found =
        setup::find(packages, library).ok_or_else(|| format!("the packages have no {library}"))?;
    // Through the link that has the name of the library's interface.
    std::fs::copy(&found, lib.join(library))
        .map(drop)
        .map_err(|error| format!("{}: {error}", found.display()))
}

fn missing_libraries(library: &Path, lib: &Path) -> Result<Vec<String>> {
    let needs = shell::output(Command::new("ldd").arg(library).env("LD_LIBRARY_PATH", lib))?;
    Ok(needs
        .lines()
        .filter_map(|line| line.trim().strip_suffix(" => not found"))
        .map(str::to_owned)
        .collect())
}

/// The name of the package that has a library: Debian names it after the interface.
fn package_of(library: &str) -> String {
    let (name, version) = library.split_once(".so").unwrap_or((library, ""));
    let name = name.to_ascii_lowercase().replace('_', "-");
    let version = version.trim_start_matches('.');
    match name.as_str() {
        "libz" => "zlib1g".to_owned(),
        "libxml2" => name,
        "libicuuc" | "libicudata" | "libicui18n" => format!("libicu{version}"),
        // libLLVM-15.so.1, libLLVM.so.19.1
        "libllvm" => format!("libllvm{}", version.split('.').next().unwrap_or("")),
        _ if name.starts_with("libllvm-") => name.replace('-', ""),
        _ if name.ends_with(|last: char| last.is_ascii_digit()) => format!("{name}-{version}"),
        _ => format!("{name}{version}"),
    }
}

/// The files by which the loader finds the driver and the layer; those of the packages name places
/// in the system.
fn manifests(folder: &Path) -> Result {
    let lib = std::path::absolute(folder.join("lib"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let path = |library: &str| lib.join(library).display().to_string();
    shell::write(
        &folder.join("lavapipe.json"),
        &format!(
            "{{\n  \"file_format_version\": \"1.0.0\",\n  \"ICD\": {{\n    \"library_path\": \
             \"{}\",\n    \"api_version\": \"1.3.0\"\n  }}\n}}\n",
            path(DRIVER)
        ),
    )?;
    shell::write(
        &folder.join("layers/validation.json"),
        &format!(
            "{{\n  \"file_format_version\": \"1.2.0\",\n  \"layer\": {{\n    \"name\": \
             \"VK_LAYER_KHRONOS_validation\",\n    \"type\": \"GLOBAL\",\n    \"library_path\": \
             \"{}\",\n    \"api_version\": \"1.3.0\",\n    \"implementation_version\": \"1\",\n    \
             \"description\": \"Validation\"\n  }}\n}}\n",
            path(LAYER)
        ),
    )
}

/// Points `command` at the driver, with the validation layer for who asks for it.
pub fn configure(command: &mut Command, folder: &Path) {
    command
        .env("VK_DRIVER_FILES", folder.join("lavapipe.json"))
        .env("VK_ICD_FILENAMES", folder.join("lavapipe.json"))
        .env("VK_LAYER_PATH", folder.join("layers"))
        .env("LD_LIBRARY_PATH", folder.join("lib"));
}

#[cfg(test)]
mod tests {
    use super::package_of;

    #[test]
    fn packages_are_named_after_interfaces() {
        for (library, package) in [
            ("libxcb-dri3.so.0", "libxcb-dri3-0"),
            ("libxcb-randr.so.0", "libxcb-randr0"),
            ("libX11-xcb.so.1", "libx11-xcb1"),
            ("libdrm_amdgpu.so.1", "libdrm-amdgpu1"),
            ("libz.so.1", "zlib1g"),
            ("libz3.so.4", "libz3-4"),
            ("libLLVM-15.so.1", "libllvm15"),
            ("libLLVM.so.19.1", "libllvm19"),
            ("libicuuc.so.72", "libicu72"),
            ("libxml2.so.2", "libxml2"),
        ] {
            assert_eq!(package_of(library), package);
        }
    }
}
