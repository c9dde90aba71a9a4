//! `cargo xtask fuzz`: random programs through clc and through a driver's own compiler; with
//! `--vulkan`, clc's side of it on a Vulkan driver; with `--bytes`, `--splice` and the like, damaged inputs
//! through clc alone; with `--guided`, inputs of libFuzzer.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Result, absolute, built, cargo, create_dir, output, root, run, target, write};
use crate::{quality, setup};

/// What is damaged, by option, as the list of runs calls it.
const DAMAGED: [(&str, &str); 5] = [
    ("--bytes", "damaged sources"),
    ("--splice", "spliced sources"),
    ("--modules", "modules"),
    ("--objects", "objects"),
    ("--commands", "command lines"),
];

/// What needs no driver, for it runs in the interpreter of the intermediate representation.
const INTERPRETED: [&str; 2] = ["--stages", "--bisect-pass"];

/// Notes a run that found nothing in the list of docs/quality.md.
const RECORD: &str = "--record";

pub fn fuzz(arguments: &[&str]) -> Result {
    if arguments.contains(&GUIDED) {
        return guided(arguments);
    }
    let is_damaged = DAMAGED.iter().any(|(option, _)| arguments.contains(option));
    let is_interpreted = INTERPRETED.iter().any(|option| arguments.contains(option));
    let driver = if is_damaged || is_interpreted { None } else { Some(setup::driver()?) };
    if arguments.contains(&"--vulkan") && !is_interpreted {
        crate::vulkan::driver()?;
    }
    let built = built()?;
    let mut command = Command::new(built.join("fuzz"));
    command.arg("--clc").arg(built.join("clc-under-test"));
    command.arg("--folder").arg(target().join("fuzz"));
    if let Some(driver) = driver {
        command.arg("--runner").arg(built.join("clc-run"));
        command.arg("--vulkan-runner").arg(built.join("clc-run-vulkan"));
        command.env("CLC_DRIVERS", driver);
    } else if is_damaged {
        command.args(sources());
        // Where there are some, and only for longer runs: what a seed gives depends on what is there.
        let corpora = target().join("corpora");
        if arguments.contains(&"--corpora") && corpora.is_dir() {
            command.arg("--sources").arg(corpora);
        }
    }
    command
        .args(arguments.iter().filter(|&&argument| argument != "--corpora" && argument != RECORD));
    run(&mut command).map_err(|_| "programs failed; see above".to_owned())?;
    if arguments.contains(&RECORD) { record(arguments) } else { Ok(()) }
}

/// The folders of the sources that inputs are made of, as options.
fn sources() -> Vec<String> {
    let folders = ["tests/suite", "tests/execution", "crates", "conformance/kernels"];
    let paths = folders.map(|folder| root().join(folder).display().to_string());
    paths.into_iter().flat_map(|path| ["--sources".to_owned(), path]).collect()
}

/// Inputs that libFuzzer makes.
const GUIDED: &str = "--guided";

/// What has the compiler count the branches that are taken, and keep what is compared, for libFuzzer.
const INSTRUMENTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Builds the program with libFuzzer in it.
fn instrumented() -> Result<PathBuf> {
    let says = output(Command::new("rustc").arg("-vV"))?;
    let host = says.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say its host")?;
    let folder = target().join("guided");
    // Machines without a C++ compiler have no such library. All else stays as it is: libFuzzer looks for the C library's
    // functions when it starts.
    let archive = output(Command::new("cc").arg("-print-file-name=libstdc++.a"))?;
    let libraries = absolute(&folder.join("libraries"))?;
    write(&libraries.join("libstdc++.so"), &format!("GROUP ( {} )\n", archive.trim()))?;
    let mut build = cargo();
    build.args(["rustc", "--quiet", "--package", "clc-conformance", "--bin", "fuzz"]);
    build.args(["--features", "libfuzzer", "--profile", "guided"]);
    // Named, so that the flags are not for what is run while it is built.
    build.args(["--target", host, "--target-dir"]).arg(&folder).env("RUSTFLAGS", INSTRUMENTED);
    build.arg("--").arg(format!("-Clink-arg=-L{}", libraries.display()));
    run(&mut build)?;
    Ok(folder.join(host).join("guided/fuzz"))
}

fn guided(arguments: &[&str]) -> Result {
    let program = instrumented()?;
    println!("{}", program.display());
    let mut command = Command::new(program);
    command.args(arguments.iter().filter(|&&argument| argument != RECORD));
    command.arg("--folder").arg(absolute(&target().join("fuzz"))?).args(sources());
    run(&mut command).map_err(|_| "inputs failed; see above".to_owned())?;
    if arguments.contains(&RECORD) { record(arguments) } else { Ok(()) }
}

fn record(arguments: &[&str]) -> Result {
    let value = |option: &str| {
        let place = arguments.iter().position(|&argument| argument == option)?;
        arguments.get(place + 1).copied()
    };
    let damaged = DAMAGED.iter().find_map(|(option, kind)| Some((*kind, value(option)?)));
    let seed = value("--seed").unwrap_or("1");
    if arguments.contains(&GUIDED) {
        let number = |option| value(option).and_then(|text| text.parse::<u64>().ok());
        let all = || std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
        let seconds = number("--seconds").unwrap_or(60) * number("--jobs").unwrap_or_else(all);
        return quality::record(
            "guided, minutes of a processor",
            seed,
            &(seconds / 60).to_string(),
        );
    }
    if let Some((kind, count)) = damaged {
        return quality::record(kind, seed, count);
    }
    let kind = if arguments.contains(&"--variants") { "variants" } else { "programs" };
    let target = if arguments.contains(&"--vulkan") { "Vulkan" } else { "OpenCL" };
    let count = value("--programs").unwrap_or("200");
    quality::record(&format!("{kind}, {target}"), seed, count)
}

/// What `cargo xtask test --guided` tries beside its steps, which have the processors too.
pub fn guided_briefly() -> Result {
    let corpus = target().join("tests/guided");
    // From the seeds, and not from what earlier runs have found.
    let _ = std::fs::remove_dir_all(&corpus);
    guided(&[GUIDED, "--seconds", "60", "--jobs", "1", "--corpus", &corpus.display().to_string()])
}

/// What every run of the tests tries; longer runs are in docs/quality.md.
pub fn test() -> Result {
    fuzz(&["--bytes", "700", "--seed", "1"])?;
    fuzz(&["--splice", "200", "--seed", "1"])?;
    fuzz(&["--modules", "50", "--seed", "1"])?;
    fuzz(&["--objects", "50", "--seed", "1"])?;
    fuzz(&["--commands", "50", "--seed", "1"])?;
    fuzz(&["--stages", "--first", "32", "--programs", "64", "--seed", "1"])?;
    fuzz(&["--stages", "--vulkan", "--first", "32", "--programs", "64", "--seed", "1"])?;
    if setup::driver().is_err() {
        println!("no driver: no random programs are run");
        return Ok(());
    }
    fuzz(&["--programs", "192", "--seed", "1"])?;
    if crate::vulkan::driver().is_err() {
        println!("no Vulkan driver: random programs run on OpenCL only");
        return Ok(());
    }
    // Half of them of each version of the language; what is kept for other devices gives the same here.
    let kept = target().join("tests/kept");
    let _ = std::fs::remove_dir_all(&kept);
    create_dir(&target().join("tests"))?;
    let kept = kept.display().to_string();
    fuzz(&["--vulkan", "--first", "48", "--programs", "32", "--seed", "1", "--keep", &kept])?;
    fuzz(&["--vulkan", "--replay", &kept])
}
