//! `cargo xtask packages`: what `dist` installs, as projects use it, with the real tools.
//!
//! `examples/c-opencl` is built with CMake (by Ninja and by make) and with Meson, and run on the OpenCL
//! driver; when a header changes that a kernel includes, what is made of the kernel is made anew, and an
//! error in a kernel stops the build with the compiler's message. All of it happens in copies.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Result, create_dir, read, root, target, write};
use crate::{dist, setup, test};

pub fn run() -> Result {
    let prefix = dist::install_for_tests()?;
    let folder = target().join("packages");
    let _ = std::fs::remove_dir_all(&folder);
    create_dir(&folder)?;
    let absolute = |path: &Path| std::path::absolute(path).map_err(|error| error.to_string());
    let work = Work {
        tools: setup::build_tools()?,
        prefix: absolute(&prefix)?,
        folder: absolute(&folder)?,
    };
    work.example("ninja", Builder::CMake("Ninja"))?;
    work.example("make", Builder::CMake("Unix Makefiles"))?;
    work.example("meson", Builder::Meson)?;
    work.rest_of_cmake()?;
    work.page()?;
    work.pkg_config()
}

#[derive(Clone, Copy)]
enum Builder {
    CMake(&'static str),
    Meson,
}

struct Work {
    tools: PathBuf,
    prefix: PathBuf,
    folder: PathBuf,
}

impl Work {
    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.tools.join(name));
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{path}", self.tools.display()))
            .env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"))
            // Another clc of the user's is not what is tested.
            .env("CMAKE_PREFIX_PATH", &self.prefix);
        command
    }

    fn build(&self, builder: Builder, folder: &Path) -> Command {
        let mut command = self.tool(match builder {
            Builder::CMake(_) => "cmake",
            Builder::Meson => "meson",
        });
        match builder {
            Builder::CMake(_) => command.arg("--build"),
            Builder::Meson => command.args(["compile", "-C"]),
        };
        command.arg(folder);
        command
    }

    fn configure(&self, builder: Builder, source: &Path, build: &Path) -> Result {
        let mut command = match builder {
            Builder::CMake(generator) => {
                let mut command = self.tool("cmake");
                command.args(["-G", generator, "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"]);
                command.arg("-S").arg(source).arg("-B").arg(build);
                command
            }
            Builder::Meson => {
                let mut command = self.tool("meson");
                command.args(["setup", "-Dwerror=true"]).arg(build).arg(source);
                command
            }
        };
        shell::output(&mut command).map(drop)
    }

    /// Builds the example and runs it; changes a header of its kernel, and breaks the kernel.
    fn example(&self, name: &str, builder: Builder) -> Result {
        println!("examples/c-opencl with {name}");
        let source = self.folder.join(name).join("source");
        let build = self.folder.join(name).join("build");
        copy_folder(&root().join("examples/c-opencl"), &source)?;
        self.configure(builder, &source, &build)?;
        shell::output(&mut self.build(builder, &build))?;
        for program in ["saxpy", "runtime"] {
            self.on_driver(&build.join(program))?;
        }

        // The header is known by what the compiler wrote beside its output.
        let output = shell::output(&mut self.build(builder, &build))?;
        if output.contains("saxpy.cl") || output.contains("to SPIR-V") {
            return Err(format!(
                "{name}: the kernel is compiled again, and nothing changed\n{output}"
            ));
        }
        let header = source.join("kernels/index.h");
        let before = made_header(&build)?;
        newer(&header, &read(&header)?.replace("get_global_id(0)", "(get_global_id(0) ^ 1)"))?;
        shell::output(&mut self.build(builder, &build))?;
        if made_header(&build)? == before {
            return Err(format!("{name}: the kernel was not compiled after its header changed"));
        }
        self.on_driver(&build.join("saxpy"))?;

        newer(&header, "#define INDEX get_globl_id(0)\n")?;
        let said = shell::complaint(&mut self.build(builder, &build))?;
        match said.contains("did you mean `get_global_id`?") {
            true => Ok(()),
            false => Err(format!("{name}: the message of the compiler is missing\n{said}")),
        }
    }

    /// Runs a program where there is a driver.
    fn on_driver(&self, program: &Path) -> Result {
        let Ok(folder) = setup::driver() else {
            println!("no driver: {} is built, not run", program.display());
            return Ok(());
        };
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib"));
        test::on_driver(&mut command, &folder);
        shell::run(&mut command)
    }

    /// Modules, words in a target, C++ without C, and calls that are wrong.
    fn rest_of_cmake(&self) -> Result {
        println!("crates/clc-capi/tests/cmake");
        let builder = Builder::CMake("Ninja");
        let source = self.folder.join("cmake/source");
        let build = self.folder.join("cmake/build");
        copy_folder(&root().join("crates/clc-capi/tests/cmake"), &source)?;
        self.configure(builder, &source, &build)?;
        shell::output(&mut self.build(builder, &build))?;
        shell::run(&mut Command::new(build.join("embedded")))?;
        for module in ["one.spv", "two-words.spv"] {
            let path = build.join("modules_spirv").join(module);
            let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
            if !bytes.starts_with(&[3, 2, 0x23, 7]) {
                return Err(format!("{} is no module", path.display()));
            }
        }

        // Kernels alone need no other compiler.
        let kernels = self.folder.join("cmake-none");
        copy_folder(&source, &kernels)?;
        let text = "cmake_minimum_required(VERSION 3.20)\nproject(kernels NONE)\nfind_package(clc REQUIRED)\n\
                    clc_add_spirv(kernels SOURCES two-words.cl DEFINITIONS VALUE=1)\n";
        write(&kernels.join("CMakeLists.txt"), text)?;
        self.configure(builder, &kernels, &kernels.join("build"))?;
        shell::output(&mut self.build(builder, &kernels.join("build")))?;

        let project = read(&source.join("CMakeLists.txt"))?;
        for (call, part) in [
            ("clc_add_spirv(none)", "there are no SOURCES"),
            ("clc_add_spirv(none TURBO SOURCES one.cl)", "unknown arguments TURBO"),
            ("clc_add_spirv(none EMBED SOURCES one.cl)", "no such target to embed in"),
            ("clc_add_spirv(embedded HEADER EMBED SOURCES one.cl)", "not both"),
            ("clc_add_spirv(none SOURCES one.cl include/../one.cl)", "two sources would both make"),
        ] {
            let wrong = self.folder.join("cmake-wrong");
            let _ = std::fs::remove_dir_all(&wrong);
            copy_folder(&root().join("crates/clc-capi/tests/cmake"), &wrong)?;
            write(&wrong.join("CMakeLists.txt"), &format!("{project}\n{call}\n"))?;
            let Err(said) = self.configure(builder, &wrong, &wrong.join("build")) else {
                return Err(format!("`{call}` is taken"));
            };
            // CMake breaks lines.
            let words = said.split_whitespace().collect::<Vec<&str>>().join(" ");
            if !words.contains(part) {
                return Err(format!("`{call}`: {said}"));
            }
        }
        Ok(())
    }

    /// The project of docs/cmake.md, built both ways.
    fn page(&self) -> Result {
        println!("docs/cmake.md");
        let page = read(&root().join("docs/cmake.md"))?;
        let block = |language: &str| {
            let (_, rest) = page.split_once(&format!("```{language}\n"))?;
            rest.split_once("```").map(|(text, _)| text)
        };
        let source = self.folder.join("page/source");
        for (language, file) in [
            ("opencl", "kernels/fill.cl"),
            ("c", "main.c"),
            ("cmake", "CMakeLists.txt"),
            ("meson", "meson.build"),
        ] {
            let text = block(language).ok_or(format!("docs/cmake.md has no {file}"))?;
            write(&source.join(file), text)?;
        }
        write(&source.join("kernels/value.h"), "#define VALUE 7\n")?;
        copy_folder(&self.prefix.join("share/clc/meson"), &source.join("clc"))?;
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.prefix.join("bin").display());
        let command = block("sh").ok_or("docs/cmake.md has no command")?;
        shell::run(
            Command::new("sh").args(["-ec", command]).current_dir(&source).env("PATH", path),
        )?;
        for (name, builder) in [("cmake", Builder::CMake("Ninja")), ("meson", Builder::Meson)] {
            let build = self.folder.join("page").join(name);
            self.configure(builder, &source, &build)?;
            shell::output(&mut self.build(builder, &build))?;
            shell::run(&mut Command::new(build.join("fill")))?;
        }
        Ok(())
    }

    /// What pkg-config says suffices for a C compiler.
    fn pkg_config(&self) -> Result {
        println!("pkg-config");
        let mut query = self.tool("pkgconf");
        let words = shell::output(query.args(["--cflags", "--libs", "clc"]))?;
        let program = self.folder.join("by-pkg-config");
        let mut compile = Command::new("cc");
        compile
            .arg(root().join("crates/clc-capi/tests/programs/threads.c"))
            .args(words.split_whitespace())
            .arg("-o")
            .arg(&program);
        shell::run(&mut compile)?;
        let mut version = self.tool("pkgconf");
        let version = shell::output(version.args(["--modversion", "clc"]))?;
        if version.trim() != env!("CARGO_PKG_VERSION") {
            return Err(format!("pkg-config takes clc for version {version}"));
        }
        shell::run(Command::new(&program).env("LD_LIBRARY_PATH", self.prefix.join("lib")))
    }
}

/// What was made of the kernel of the example, wherever the builder puts it.
fn made_header(build: &Path) -> Result<String> {
    let path = setup::find(build, "saxpy.h").ok_or("no saxpy.h was made")?;
    read(&path)
}

/// Writes a file that is certainly newer than what was made of it: builders compare times.
fn newer(path: &Path, text: &str) -> Result {
    write(path, text)?;
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
    let file = std::fs::File::options().append(true).open(path);
    file.and_then(|file| file.set_modified(later))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Copies what is in a folder.
pub fn copy_folder(from: &Path, to: &Path) -> Result {
    create_dir(to)?;
    let entries =
        std::fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries.flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            std::fs::copy(&from, &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    Ok(())
}
