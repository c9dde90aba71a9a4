//! `cargo xtask test`: everything.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use crate::shell::{self, Result, cargo, root, target};
use crate::{
    architectures, book, clean_root, corpus, first_steps, fuzz, litmus, packages, python, setup,
    suites, tidy, vulkan, web,
};

/// Lines of the guide that steps run, whole or in part, and the names of the steps.
pub const LINES: &[(&str, &str)] = &[
    // With a compiler that is not optimized.
    ("cargo xtask web", "the guide's ways in, each in a clean root"),
    // The same, in the browser of that root, and without pictures.
    ("cargo xtask web --test", "the guide's ways in, each in a clean root"),
    // Debug builds, and on the driver for processors, which lacks the products: it has to say so.
    (
        "cargo run --release --manifest-path examples/matrix-product/Cargo.toml -- 8192",
        "an example with matrices",
    ),
    // Of hashcat every fifth unit.
    ("cargo xtask corpus", "the corpora"),
    // With what the tests have compiled, and by `dist` instead of cargo.
    ("cargo install --path crates/clc-lsp", "what is installed, with CMake and Meson"),
    ("cargo install --path crates/clc-doctor", "what is installed, with CMake and Meson"),
    // With stand-ins for the suite and clvk.
    ("cargo xtask cts --cts FOLDER", "tests of the chores"),
    ("cargo xtask cts --cts FOLDER --clvk FOLDER", "tests of the chores"),
    ("cargo xtask cts --cts FOLDER --clvk FOLDER --system --as NAME", "tests of the chores"),
    (
        "cargo xtask cts --cts target/khronos/OpenCL-CTS/build --clvk target/khronos/clvk/build",
        "tests of the chores",
    ),
    ("sh conformance/build-cts.sh target/khronos", "tests of the chores"),
];

fn step(name: &str, failures: &mut Vec<String>, work: impl FnOnce() -> Result) {
    println!("\n== {name}");
    let start = Instant::now();
    if let Err(error) = work() {
        eprintln!("xtask: {name}: {error}");
        failures.push(name.to_owned());
    }
    println!("== {name}: {} s", start.elapsed().as_secs());
}

/// Chores that run one after the other beside the steps, each in a process of its own whose output waits for the
/// step that shows it.
struct Beside(Receiver<Result<Ended>>);

struct Ended {
    said: String,
    succeeded: bool,
}

impl Beside {
    fn begin(program: std::io::Result<PathBuf>, chores: &'static [&'static str]) -> Beside {
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            for chore in chores {
                let _ = sender.send(match &program {
                    Ok(program) => output_of_chore(program, chore),
                    Err(error) => Err(error.to_string()),
                });
            }
        });
        Beside(ended)
    }

    /// Waits for the next one, and shows what it said.
    fn next(&mut self) -> Result {
        let ended = self.0.recv().map_err(|error| error.to_string())??;
        print!("{}", ended.said);
        if ended.succeeded { Ok(()) } else { Err("see above".to_owned()) }
    }
}

/// What a chore writes, both streams as they come, and how long it took.
fn output_of_chore(program: &Path, chore: &str) -> Result<Ended> {
    let start = Instant::now();
    let log = target().join("tests").join(chore);
    shell::write(&log, "")?;
    let file = || std::fs::OpenOptions::new().append(true).open(&log);
    let describe = |error: std::io::Error| format!("{}: {error}", log.display());
    let mut command = Command::new(program);
    command.arg(chore).stdin(Stdio::null());
    command.stdout(file().map_err(describe)?).stderr(file().map_err(describe)?);
    let status = command.status().map_err(describe)?;
    let said = String::from_utf8_lossy(&std::fs::read(&log).map_err(describe)?).into_owned();
    let took = start.elapsed().as_secs();
    let said = format!("{said}{chore}: {took} s, beside the steps above\n");
    Ok(Ended { said, succeeded: status.success() })
}

/// Begins to compile the tests. What it would say of mistakes the step says that runs them.
fn begin_tests() -> Option<Child> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--no-fail-fast"]).args(shell::TESTED);
    environment(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()
}

/// With inputs of libFuzzer if `guided`: the program for these is a build of its own, for which a run on two processors
/// has no time.
pub fn run(guided: bool) -> Result {
    let ci = std::env::var_os("CI").is_some();
    let no_clean_root = clean_root::root::missing();
    // Downloads leave the processors idle, and the compiler for browsers is compiled for a clean root only.
    let for_browsers = match no_clean_root.is_none() && web::missing().is_none() {
        true => web::begin_page_for_tests().ok(),
        false => None,
    };
    let tests = begin_tests();
    let mut missing = setup::everything()?.0;
    for mut compiler in for_browsers.into_iter().chain(tests) {
        let _ = compiler.wait();
    }
    let mut failures = Vec::new();
    if ci && !missing.is_empty() {
        failures.push("setup".to_owned());
    }
    // Reported, and no failure: who is not root cannot change that.
    match &no_clean_root {
        Some(reason) => missing.push(format!("a clean root: {reason}")),
        None => missing.extend(first_steps::missing()),
    }

    step("tidy", &mut failures, || tidy::run(false));
    step("unit tests, suites and execution on the driver", &mut failures, || {
        let mut command = cargo();
        command.args(["test", "--no-fail-fast"]).args(shell::TESTED);
        environment(&mut command);
        shell::run(&mut command)
    });
    // Links what the roots install; what runs beside it would meet a command that is being replaced.
    step("what is installed, with CMake and Meson", &mut failures, packages::run);
    // They mostly wait: for packages, for disks, for one process. What they use nothing else here changes.
    let roots = no_clean_root
        .is_none()
        .then(|| Beside::begin(std::env::current_exe(), &["clean-root", "first-steps"]));
    let guided = guided.then(|| Beside::begin(std::env::current_exe(), &["guided"]));
    step("tests of the chores", &mut failures, || {
        shell::run(cargo().args(["test", "--quiet", "--package", "xtask"]))
    });
    step("the guide", &mut failures, || book::run(false));
    step("functions of floats for another processor", &mut failures, architectures::second);
    step("random programs and damaged sources", &mut failures, fuzz::test);
    step("litmus tests of the memory model", &mut failures, litmus::test);
    step("the corpora", &mut failures, corpora);
    step("suites of others on the drivers", &mut failures, suites::test);
    if let Some(mut roots) = roots {
        step("archive and Debian packages in a clean root", &mut failures, || roots.next());
        step("the guide's ways in, each in a clean root", &mut failures, || roots.next());
    }
    if let Some(mut guided) = guided {
        step("guided inputs", &mut failures, || guided.next());
    }
    step("the Python package", &mut failures, python::run);
    step("an example with images", &mut failures, image_example);
    step("an example with matrices", &mut failures, matrix_example);

    println!();
    for line in &missing {
        eprintln!("NOT TESTED for want of {line}");
    }
    if failures.is_empty() {
        println!("all tests passed");
        Ok(())
    } else {
        Err(format!("failed: {}", failures.join(", ")))
    }
}

/// All of them, but of hashcat's 1,193 units, most of which share most of their text, every fifth: of the
/// six kinds that take turns in their names, each has its share. `cargo xtask corpus` compiles them all.
fn corpora() -> Result {
    println!("of hashcat every fifth unit: `cargo xtask corpus` compiles all");
    corpus::check(&["hashcat", "--sample", "5"], false)?;
    let others: Vec<&str> = corpus::NAMES.into_iter().filter(|&name| name != "hashcat").collect();
    corpus::check(&others, false)
}

/// Where the tests find drivers and corpora.
pub fn environment(command: &mut Command) {
    if std::env::var_os("CLC_DRIVERS").is_none() {
        command.env("CLC_DRIVERS", target().join("drivers"));
    }
    command.env("CLC_CORPORA", setup::corpora());
}

/// How examples are compiled. Their kernels are small: compiling the compiler takes longer than running it.
/// And what build scripts use is compiled for one example as for another only if no example has it compiled
/// for a debugger, as what it uses itself.
pub const EXAMPLES: [(&str, &str); 2] =
    [("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];

/// Has a program find the OpenCL driver in `folder`.
pub fn on_driver(command: &mut Command, folder: &Path) {
    command.env("OCL_ICD_VENDORS", folder.join("icd"));
    let loader = folder.join("lib/libOpenCL.so.1");
    if loader.is_file() {
        command.env("OPENCL_DYLIB_PATH", loader);
    }
}

/// Where the device has no such matrices the example has to say so.
fn matrix_example() -> Result {
    let Some(said) = run_on_vulkan("matrix-product", &[Path::new("8192")])? else { return Ok(()) };
    let answers = ["sums as expected", "not run: no device has the products of matrices"];
    match answers.iter().any(|answer| said.contains(answer)) {
        true => Ok(()),
        false => Err("it says neither what a product is nor why there is none".to_owned()),
    }
}

/// Makes the pictures of `docs/vulkan.md` anew, with a kernel of a corpus, and compares them.
fn image_example() -> Result {
    let kernels = setup::corpora().join("darktable/usr/share/darktable/kernels");
    let pictures = target().join("pictures");
    shell::create_dir(&pictures)?;
    let [module, reflection] = ["extended.spv", "extended.json"].map(|name| pictures.join(name));
    // What `packages` has linked.
    let mut clc = Command::new(target().join("debug/clc"));
    clc.args(["--target-env=vulkan1.3", "-O", "-I"]).arg(&kernels);
    clc.arg(kernels.join("extended.cl"))
        .arg("-o")
        .arg(&module)
        .arg("--reflection")
        .arg(&reflection);
    shell::run(&mut clc)?;
    let images = root().join("docs/images");
    run_on_vulkan("vulkan-images", &[&pictures, &module, &reflection, &images]).map(drop)
}

/// Runs an example with the validation layer, whose complaints are failures: what it says, if there is a driver.
fn run_on_vulkan(name: &str, arguments: &[&Path]) -> Result<Option<String>> {
    let driver = vulkan::driver();
    let verb = if driver.is_ok() { "run" } else { "build" };
    let mut command = cargo();
    command
        .args([verb, "--quiet", "--manifest-path"])
        .arg(root().join("examples").join(name).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target().join("examples"));
    command.envs(EXAMPLES);
    if verb == "run" {
        command.arg("--").args(arguments);
    }
    let Ok(folder) = driver else {
        println!("no driver: the example is built, not run");
        return shell::run(&mut command).map(|()| None);
    };
    vulkan::configure(&mut command, &folder);
    command.env("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
    let said = shell::output(&mut command)?;
    print!("{said}");
    match said.contains("Validation") {
        false => Ok(Some(said)),
        true => Err("the validation layer complains".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_run_lines_are_there() {
        let known = include_str!("test.rs");
        for (line, step) in LINES {
            assert!(known.contains(&format!("step(\"{step}\",")), "{line}: {step}");
        }
    }

    #[test]
    fn chores_beside_the_steps_fail_them() {
        let mut good = Beside::begin(Ok("/bin/echo".into()), &["one", "two"]);
        assert_eq!((good.next(), good.next()), (Ok(()), Ok(())));
        assert!(good.next().is_err(), "there is no third one");
        assert_eq!(read_log("two"), "two\n");
        assert!(Beside::begin(Ok("/bin/false".into()), &["three"]).next().is_err());
        assert!(Beside::begin(Ok("/no/such".into()), &["four"]).next().is_err());
    }

    fn read_log(chore: &str) -> String {
        shell::read(&target().join("tests").join(chore)).unwrap()
    }
}
