//! Compiles OpenCL C kernels to SPIR-V in build scripts.
//!
//! ```no_run
//! // build.rs
//! clc_build::compile("kernels/saxpy.cl");
//! ```
//!
//! writes the module to `$OUT_DIR/saxpy.spv`, and what a host must know to launch its kernels to
//! `$OUT_DIR/saxpy.json`, for
//!
//! ```ignore
//! static SAXPY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/saxpy.spv"));
//! ```
//!
//! [`Builder::generate`] writes a Rust module besides, with the kernels' names, sizes and arguments, and
//! the structs of these.
//!
//! Cargo is told to come back when the kernel or anything it includes changes. Errors in the
//! kernel end the build and are shown with their place in the source. No C++ compiler is needed:
//! the validator that the `clc` command runs is left out.

#![warn(missing_docs)]

mod launch;
mod names;
mod rust;
mod structs;
mod vectors;

use std::path::{Path, PathBuf};

use clc::fs::FileResolver;
use clc::profile::DeviceProfile;
use clc::render::{MessageFormat, Style, render, render_all};
pub use clc::{AddressBits, OptLevel, Options, TargetEnv, Version};
use clc::{Compilation, Diagnostic, Emit};
pub use launch::Launch;

/// Compiles the kernel file `path`, relative to the package's folder, with default options. On
/// errors in the source, says them and ends the build script.
pub fn compile(path: impl AsRef<Path>) -> PathBuf {
    Builder::new().compile(path)
}

/// Options, then [`compile`](Builder::compile).
///
/// ```no_run
/// clc_build::Builder::new()
///     .version(clc_build::Version::V2_0)
///     .define("TILE=16")
///     .include_dir("kernels/include")
///     .compile("kernels/matmul.cl");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    /// Every option of the compiler, for what has no method here.
    pub options: Options,
    include_dirs: Vec<PathBuf>,
    device_profile: Option<PathBuf>,
    out_dir: Option<PathBuf>,
    launch: Option<Launch>,
}

impl Builder {
    /// A builder with the options of the command without arguments; outputs go to `OUT_DIR`.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The version of OpenCL C; 1.2 by default.
    pub fn version(mut self, version: Version) -> Self {
        self.options.version = version;
        self
    }

    /// The driver's API; OpenCL 3.0 by default.
    pub fn target(mut self, target: TargetEnv) -> Self {
        self.options.target = target.into();
        self
    }

    /// `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: &str) -> Self {
        self.options.define(definition);
        self
    }

    /// Looks for include files in `folder`, relative to the package's folder.
    pub fn include_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(folder.into());
        self
    }

    /// For Vulkan: the file with what `clc-run-vulkan --measure-precision` found of the device, relative to the package's
    /// folder. Its instructions are used where they were measured to be precise enough.
    pub fn device_profile(mut self, file: impl Into<PathBuf>) -> Self {
        self.device_profile = Some(file.into());
        self
    }

    /// For Vulkan: the host may cut a launch into regions, dispatches with work-groups of one size each, so
    /// that its global size need not be a multiple of the work-group's. `dispatch` then takes one of
    /// `Global::regions` ([`Launch::Ash`]).
    pub fn work_group_regions(mut self) -> Self {
        self.options.target.work_group_regions = true;
        self
    }

    /// Where the module goes instead of `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// Has [`generate`](Builder::generate) write launches with this crate, which check the arguments of
    /// kernels when the host is compiled.
    pub fn launch(mut self, launch: Launch) -> Self {
        self.launch = Some(launch);
        self
    }

    /// Compiles `path` and gives the path of the module. On errors, says them and ends the build
    /// script with exit code 1.
    pub fn compile(&self, path: impl AsRef<Path>) -> PathBuf {
        match self.try_compile(path.as_ref()) {
            Ok(module) => module,
            Err(Failed) => std::process::exit(1),
        }
    }

    /// As [`compile`](Builder::compile), but comes back from errors after saying them.
    pub fn try_compile(&self, path: &Path) -> Result<PathBuf, Failed> {
        let out_dir = self.output_folder()?;
        self.compile_to(path, &out_dir).map(|(module, _)| module)
    }

    /// Compiles files and writes a Rust module for all of them, `kernels.rs`, whose path it gives. On
    /// errors, says them and ends the build script with exit code 1.
    ///
    /// ```ignore
    /// mod kernels {
    ///     include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
    /// }
    /// ```
    ///
    /// has a module for each file, named after it, with `WORDS` (the module, aligned), `BYTES`,
    /// `REFLECTION` (JSON), a module for each kernel and `types`. A kernel's module has `KERNEL`: its
    /// name, the sizes that it requires and its arguments; and in `argument` the types of values and of
    /// what is in buffers. `types` has the structs of these, with the layout that they have on the device,
    /// which assertions check on the host. What is made needs no crate.
    pub fn generate(&self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> PathBuf {
        match self.try_generate(paths) {
            Ok(module) => module,
            Err(Failed) => std::process::exit(1),
        }
    }

    /// As [`generate`](Builder::generate), but comes back after saying the errors of all files.
    pub fn try_generate(
        &self,
        paths: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<PathBuf, Failed> {
        let is_vulkan = matches!(self.options.target.environment, TargetEnv::Vulkan { .. });
        if let Some(Err(message)) = self.launch.map(|launch| launch.check(is_vulkan)) {
            return Err(fail(message));
        }
        let out_dir = self.output_folder()?;
        let mut files: Vec<rust::Compiled> = Vec::new();
        let mut outcome = Ok(());
        for path in paths {
            let path = path.as_ref();
            let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            if files.iter().any(|file| file.stem == stem) {
                return Err(fail(&format!("two kernel files are called `{stem}`")));
            }
            match self.compile_to(path, &out_dir) {
                Ok((_, compilation)) => files.push(rust::Compiled { stem, compilation }),
                Err(Failed) => outcome = Err(Failed),
            }
        }
        outcome?;
        let module = out_dir.join("kernels.rs");
        write(&module, rust::module(&files, self.launch).as_bytes())?;
        Ok(module)
    }

    fn output_folder(&self) -> Result<PathBuf, Failed> {
        self.out_dir
            .clone()
            .or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from))
            .ok_or_else(|| fail("OUT_DIR is not set: not in a build script?"))
    }

    /// Compiles a file and writes what comes out.
    fn compile_to(&self, path: &Path, out_dir: &Path) -> Result<(PathBuf, Compilation), Failed> {
        println!("cargo::rerun-if-changed={}", path.display());
        let bytes = clc::fs::read_input(path).map_err(|error| fail(&error))?;
        let name = path.to_string_lossy().into_owned();
        let mut resolver =
            FileResolver { include_dirs: self.include_dirs.clone(), system_dirs: Vec::new() };
        let mut options = Options { describe: true, ..self.options.clone() };
        if let Some(file) = &self.device_profile {
            options.target.profile = read_profile(file, options.target.environment)?;
        }
        let compiled =
            clc::guard::run(|| clc::compile(&name, &bytes, Emit::Spirv, &options, &mut resolver));
        let internal = |error: &clc::guard::InternalError| {
            let report = error.report(&name, "build script");
            eprint!("{report}");
            fail(report.lines().next().unwrap_or_default())
        };
        let compilation = compiled.map_err(|error| internal(&error))?;
        for dependency in &compilation.dependencies {
            println!("cargo::rerun-if-changed={dependency}");
        }
        say(&compilation);
        if let Some(error) = &compilation.internal_error {
            return Err(internal(error));
        }
        let Some(words) = compilation.words() else { return Err(Failed) };
        let mut file = path.file_stem().unwrap_or(path.as_os_str()).to_owned();
        file.push(".spv");
        let module = out_dir.join(file);
        if let Some(description) = &compilation.description {
            let environment = Some(options.target.environment);
            let reflection = compilation.reflection.as_ref();
            let text = clc::reflection::json(description, environment, reflection);
            write(&module.with_extension("json"), text.as_bytes())?;
            if self.launch == Some(Launch::Ash) {
                for (index, data) in reflection.iter().flat_map(|it| &it.program_data).enumerate() {
                    let number = format!("data{index}");
                    write(&module.with_extension(number), &data.contents)?;
                }
            }
        }
        write(&module, &clc::fs::module_bytes(words))?;
        Ok((module, compilation))
    }
}

fn read_profile(file: &Path, target: TargetEnv) -> Result<DeviceProfile, Failed> {
    if !matches!(target, TargetEnv::Vulkan { .. }) {
        return Err(fail("a device profile is for Vulkan"));
    }
    println!("cargo::rerun-if-changed={}", file.display());
    let bytes = clc::fs::read_input(file).map_err(|error| fail(&error))?;
    clc::profile::from_json(&String::from_utf8_lossy(&bytes))
        .map_err(|error| fail(&format!("{}: {error}", file.display())))
}

fn fail(message: &str) -> Failed {
    println!("cargo::error={}", message.replace('\n', " "));
    Failed
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    std::fs::write(path, bytes)
        .map_err(|error| fail(&format!("cannot write {}: {error}", path.display())))
}

/// The kernel was not compiled; the reasons have been said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the kernel was not compiled")
    }
}

impl std::error::Error for Failed {}

/// One line for each diagnostic through cargo, which shows it as its own; then, on errors, the
/// full pictures on standard error, which cargo shows when a build script fails.
fn say(compilation: &Compilation) {
    let short = Style { format: MessageFormat::Short, color: false };
    for diagnostic in &compilation.diagnostics {
        let mut line = String::new();
        render(&mut line, diagnostic, &compilation.sources, short);
        let kind = if diagnostic.is_error() { "error" } else { "warning" };
        println!("cargo::{kind}={}", line.trim_end());
    }
    if compilation.diagnostics.iter().any(Diagnostic::is_error) {
        let color = std::env::var_os("CARGO_TERM_COLOR").is_some_and(|when| when == "always");
        let human = Style { format: MessageFormat::Human, color };
        eprint!("{}", render_all(&compilation.diagnostics, &compilation.sources, human));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_written_and_errors_are_not() {
        let folder = std::env::temp_dir().join(format!("clc-build-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let good = folder.join("good.cl");
        std::fs::write(&good, "#include \"scale.h\"\nkernel void k(global int *p) { *p = SCALE; }")
            .unwrap();
        std::fs::write(folder.join("scale.h"), "#define SCALE 3\n").unwrap();
        let bad = folder.join("bad.cl");
        std::fs::write(&bad, "kernel void k(global int *p) { *p = q; }").unwrap();
        let builder = Builder::new().out_dir(&folder);
        let module = builder.try_compile(&good).unwrap();
        let bytes = std::fs::read(&module).unwrap();
        assert_eq!(bytes[..4], 0x0723_0203u32.to_le_bytes());
        assert_eq!(builder.try_compile(&bad), Err(Failed));
        assert!(!folder.join("bad.spv").exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_device_profile_saves_bodies_on_its_device_and_is_refused_elsewhere() {
        let folder = std::env::temp_dir().join(format!("clc-build-profile-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let kernel = folder.join("root.cl");
        std::fs::write(&kernel, "kernel void k(global float *p) { *p = fma(p[0], p[1], p[2]); }")
            .unwrap();
        let profile = folder.join("device.json");
        let measured = include_str!("../../../conformance/device-profiles/nvidia-h100.json");
        std::fs::write(&profile, measured).unwrap();
        let vulkan =
            Builder::new().target(TargetEnv::Vulkan { major: 1, minor: 3 }).out_dir(&folder);
        let size = |builder: &Builder| {
            let module = builder.try_compile(&kernel)?;
            Ok::<_, Failed>(std::fs::metadata(module).unwrap().len())
        };
        let with_profile = vulkan.clone().device_profile(&profile);
        assert!(size(&with_profile).unwrap() < size(&vulkan).unwrap());
        assert_eq!(size(&Builder::new().out_dir(&folder).device_profile(&profile)), Err(Failed));
        std::fs::write(&profile, "{}").unwrap();
        assert_eq!(size(&with_profile), Err(Failed));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
