//! Batches of programs kept for devices of other machines: the modules, what the kernels are launched with, and what
//! they gave here.
//!
//! ```text
//! FOLDER/NUMBER/job        what clc-run-vulkan reads
//! FOLDER/NUMBER/I.spv      and I.json, the modules that it names
//! FOLDER/NUMBER/expected   the results of each kernel, as they are compared
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use clc_tests::driver::Vulkan;

use crate::check::Checker;

/// Between the results of two kernels.
const END: &str = "----\n";

/// A folder that batches go to.
pub struct Kept {
    folder: PathBuf,
    next: AtomicUsize,
}

impl Kept {
    /// The folder must not exist, so that it has no batch of another run.
    pub fn new(folder: &Path) -> Result<Kept, String> {
        std::fs::create_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Kept { folder: folder.to_owned(), next: AtomicUsize::new(0) })
    }

    /// Keeps a job whose modules are files, and its results.
    pub fn add(&self, job: &str, results: &[String]) -> Result<(), String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(number.to_string());
        let describe = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir(&folder).map_err(describe)?;
        let mut kept = String::with_capacity(job.len());
        let mut modules = 0;
        for line in job.lines() {
            let mut words = line.split(' ');
            if let (Some("module"), Some(module), Some(reflection), None) =
                (words.next(), words.next(), words.next(), words.next())
            {
                let names = [format!("{modules}.spv"), format!("{modules}.json")];
                for (from, name) in [module, reflection].iter().zip(&names) {
                    std::fs::copy(from, folder.join(name)).map_err(describe)?;
                }
                kept += &format!("module {} {}\n", names[0], names[1]);
                modules += 1;
            } else {
                kept += line;
                kept.push('\n');
            }
        }
        std::fs::write(folder.join("job"), kept).map_err(describe)?;
        let expected: String = results.iter().map(|result| format!("{result}{END}")).collect();
        std::fs::write(folder.join("expected"), expected).map_err(describe)
    }
}

/// Runs what was kept, and says what differs; whether nothing does.
pub fn run(kept: &Path, runner: &Path, vulkan: &Vulkan) -> Result<bool, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", kept.display());
    let runner = runner.canonicalize().map_err(|error| format!("{}: {error}", runner.display()))?;
    let [mut batches, mut kernels, mut differ, mut failed] = [0usize; 4];
    loop {
        let folder = kept.join(batches.to_string());
        if !folder.is_dir() {
            break;
        }
        batches += 1;
        let job = std::fs::read_to_string(folder.join("job")).map_err(describe)?;
        let expected = std::fs::read_to_string(folder.join("expected")).map_err(describe)?;
        let expected: Vec<&str> = expected.split_terminator(END).collect();
        let results = folder.canonicalize().map_err(describe)?.join("results");
        let mut command = Command::new(&runner);
        command.args(["-", "-"]).arg(&results).current_dir(&folder);
        vulkan.configure(&mut command);
        match Checker::results_of(command, &results, &job) {
            Ok(results) => {
                kernels += expected.len();
                let names: Vec<&str> =
                    job.lines().filter_map(|line| line.strip_prefix("kernel ")).collect();
                for (index, expected) in expected.iter().enumerate() {
                    let result = results.get(index).map(String::as_str);
                    if result != Some(expected) {
                        differ += 1;
                        let name = names.get(index).unwrap_or(&"?");
                        println!("{}: {name}: expected {expected}", folder.display());
                        println!("{}: {name}: was {}", folder.display(), result.unwrap_or(""));
                    }
                }
            }
            Err(text) => {
                failed += 1;
                println!("{}: {text}", folder.display());
            }
        }
    }
    if batches == 0 {
        return Err(format!("{}: no batch is kept there", kept.display()));
    }
    println!(
        "fuzz: {kernels} kernels of {batches} batches: {differ} differ; {failed} batches do not run"
    );
    Ok(differ == 0 && failed == 0)
}
