//! For OpenCL by `clc`, by clang and by the driver itself, on the one driver.

use std::path::{Path, PathBuf};

use clc::{Options, Version};

use crate::opencl::{Built, Code, OpenCl};
use crate::suite::{Benchmark, Kernels, Size};
use crate::{compile, geometric_mean, median};

/// Times that each program is built.
const BUILDS: usize = 15;

struct Arguments {
    size: Size,
    rounds: usize,
    /// The best processor times instead of the median times of the device's clock: the machine is busy
    /// with something else.
    busy: bool,
    clang: Option<String>,
    /// Where modules are left.
    folder: PathBuf,
    /// Has more modules, of another compiler or of this one before a change: `NAME.spv`.
    also: Option<PathBuf>,
    kernels: Kernels,
}

fn arguments(words: &[String]) -> Result<Arguments, String> {
    let mut found = Arguments {
        size: Size::Processor,
        rounds: 31,
        busy: false,
        clang: None,
        folder: std::env::temp_dir().join("clc-bench"),
        also: None,
        kernels: Kernels::default(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut next = || words.next().cloned().ok_or_else(|| format!("{word} takes an argument"));
        match word.as_str() {
            "--busy" => found.busy = true,
            "--small" => found.size = Size::Small,
            "--clang" => found.clang = Some(next()?),
            "--folder" => found.folder = next()?.into(),
            "--also" => found.also = Some(next()?.into()),
            "--rounds" => {
                let number = next()?.parse().ok().filter(|&n| n > 0);
                found.rounds = number.ok_or("--rounds takes a number")?;
            }
            "--kernels" => found.kernels.folder = Some(next()?.into()),
            _ => found.kernels.names.push(word.clone()),
        }
    }
    Ok(found)
}

/// Where a program comes from.
struct Way {
    name: &'static str,
    /// Without one, the driver compiles the source.
    module: Option<Vec<u8>>,
}

impl Way {
    fn code(&self) -> Code<'_> {
        self.module.as_deref().map_or(Code::Source, Code::Module)
    }
}

/// Nanoseconds of each turn of a way.
struct Times {
    runs: Vec<f64>,
    builds: Vec<f64>,
}

/// Whether every result was right.
pub fn run(words: &[String]) -> Result<bool, String> {
    let arguments = arguments(words)?;
    let opencl = OpenCl::new()?;
    if !opencl.takes_modules() {
        return Err(format!("{} takes no SPIR-V", opencl.name()));
    }
    std::fs::create_dir_all(&arguments.folder)
        .map_err(|error| format!("{}: {error}", arguments.folder.display()))?;
    println!("{}, {} rounds\n", opencl.name(), arguments.rounds);
    let mut summary = Summary { busy: arguments.busy, ..Summary::default() };
    for name in arguments.kernels.chosen()? {
        let benchmark = arguments.kernels.benchmark(&name, arguments.size)?;
        match ways(&benchmark, &arguments).and_then(|ways| {
            let times = measure(&benchmark, &opencl, &ways, &arguments)?;
            Ok((ways, times))
        }) {
            Ok((ways, times)) => summary.add(&name, &ways, &times),
            Err(error) => {
                summary.has_failures = true;
                println!("{name}: FAILED: {}", error.replace('\n', " "));
            }
        }
    }
    summary.print();
    Ok(!summary.has_failures)
}

/// `clc`'s is the first.
fn ways(benchmark: &Benchmark, arguments: &Arguments) -> Result<Vec<Way>, String> {
    let compiled =
        compile::by_clc(benchmark, Options { version: Version::V1_2, ..Options::default() })?;
    let words = compiled.words().unwrap_or_default();
    let ours: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let path = arguments.folder.join(format!("{}.clc.spv", benchmark.name));
    std::fs::write(&path, &ours).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut ways = vec![Way { name: "clc", module: Some(ours) }];
    if let Some(clang) = &arguments.clang {
        let module = compile::by_clang(benchmark, clang, &arguments.folder)?;
        ways.push(Way { name: "clang", module: Some(module) });
    }
    ways.push(Way { name: "driver", module: None });
    if let Some(also) = &arguments.also {
        let module = module_of(also, &benchmark.name)?;
        ways.push(Way { name: "also", module: Some(module) });
    }
    Ok(ways)
}

fn module_of(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = folder.join(format!("{name}.spv"));
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Takes turns, and checks every way's result.
fn measure(
    benchmark: &Benchmark,
    opencl: &OpenCl,
    ways: &[Way],
    arguments: &Arguments,
) -> Result<Vec<Times>, String> {
    let mut times: Vec<Times> =
        ways.iter().map(|_| Times { runs: Vec::new(), builds: Vec::new() }).collect();
    let mut built: Vec<Option<Built>> = ways.iter().map(|_| None).collect();
    for round in 0..=BUILDS {
        for way in in_turn(round, ways.len()) {
            let before = processor_time();
            let (program, time) = opencl
                .build(benchmark, ways[way].code())
                .map_err(|error| format!("{}: {error}", ways[way].name))?;
            let processor = processor_time() - before;
            built[way] = Some(program);
            // The first is for the driver to make ready.
            if round > 0 {
                times[way].builds.push(if arguments.busy { processor } else { time });
            }
        }
    }
    let mut memory = opencl.memory(benchmark)?;
    let mut outputs: Vec<Vec<u8>> = Vec::new();
    for (way, built) in ways.iter().zip(built.iter().flatten()) {
        opencl.fill(benchmark, &mut memory)?;
        opencl.launch(benchmark, built, &memory)?;
        let output = opencl.output(benchmark, &memory)?;
        (benchmark.check)(&benchmark.buffers, &output)
            .map_err(|error| format!("{}: {error}", way.name))?;
        if let Some(first) = outputs.first() {
            benchmark
                .compare(first, &output)
                .map_err(|error| format!("{} and {}: {error}", ways[0].name, way.name))?;
        }
        outputs.push(output);
    }
    for round in 0..arguments.rounds {
        for way in in_turn(round, ways.len()) {
            let Some(built) = &built[way] else { continue };
            opencl.fill(benchmark, &mut memory)?;
            let before = processor_time();
            let time = opencl.launch(benchmark, built, &memory)?;
            let processor = processor_time() - before;
            times[way].runs.push(if arguments.busy { processor } else { time });
        }
    }
    Ok(times)
}

/// Nanoseconds of all threads of this process.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a struct that lives as long as the call.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// All of `count`, each of them first in one of `count` rounds.
fn in_turn(round: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |i| (i + round) % count)
}

#[derive(Default)]
struct Summary {
    has_failures: bool,
    busy: bool,
    /// The names of the ways, in the order of the first benchmark.
    ways: Vec<&'static str>,
    /// Of each way but the first: what the first takes, in parts of it, by benchmark.
    runs: Vec<Vec<f64>>,
    builds: Vec<Vec<f64>>,
}

/// Of what the first way takes and what another one does, in the same turn.
fn ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    median(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect())
}

fn best(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

impl Summary {
    fn add(&mut self, name: &str, ways: &[Way], times: &[Times]) {
        if self.ways.is_empty() {
            self.ways = ways.iter().map(|way| way.name).collect();
            self.runs = vec![Vec::new(); ways.len()];
            self.builds = vec![Vec::new(); ways.len()];
            let names = self.ways.iter().map(|name| format!(" {name} |"));
            let ratios = self.ways[1..].iter().map(|name| format!(" / {name} |"));
            let builds = self.ways.iter().map(|name| format!(" build, {name} |"));
            let columns: Vec<String> = names.chain(ratios).chain(builds).collect();
            println!("| |{}\n|---|{}", columns.concat(), "---:|".repeat(columns.len()));
        }
        let mut row = format!("| {name} |");
        let millis = |times: &[f64]| {
            let time = if self.busy { best(times) } else { median(times.to_vec()) };
            format!(" {:.2} ms |", time / 1e6)
        };
        let ratio = |ours: &[f64], theirs: &[f64]| match self.busy {
            true => best(ours) / best(theirs),
            false => ratio(ours, theirs),
        };
        row.extend(times.iter().map(|times| millis(&times.runs)));
        for (way, other) in times.iter().enumerate().skip(1) {
            let run = ratio(&times[0].runs, &other.runs);
            let build = ratio(&times[0].builds, &other.builds);
            row.push_str(&format!(" {run:.2} |"));
            self.runs[way].push(run);
            self.builds[way].push(build);
        }
        row.extend(times.iter().map(|times| millis(&times.builds)));
        println!("{row}");
    }

    fn print(&self) {
        for (way, name) in self.ways.iter().enumerate().skip(1) {
            let (runs, builds) = (&self.runs[way], &self.builds[way]);
            let worst = runs.iter().copied().fold(0.0, f64::max);
            println!(
                "\nOf what {name} takes, geometric mean of {}: run time {:.3} (worst {worst:.2}), \
                 build time {:.3}.",
                runs.len(),
                geometric_mean(runs),
                geometric_mean(builds)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_first_in_turn() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| in_turn(round, 3).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }

    #[test]
    fn ratios_are_those_of_turns() {
        // The machine was slow in the second turn, for both.
        assert_eq!(ratio(&[1.0, 30.0, 1.5], &[2.0, 60.0, 3.0]), 0.5);
    }
}
