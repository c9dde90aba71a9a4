//! What the interpreter of the intermediate representation says of programs: the first pass that changes what a
//! launch gives. It needs no driver.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clc_tests::case::CaseFile;
use clc_tests::job::{self, Job};
use clc_tests::stages::{self, Change};

use crate::check::{self, Way};
use crate::generate::Program;
use crate::{reduce, variants};

/// Who looks, and where files go.
pub struct Stages<'a> {
    pub clc: &'a Path,
    pub folder: &'a Path,
    /// To one target.
    pub ways: [Way; 2],
}

impl Stages<'_> {
    /// The first change of a program on a way; `Err` if the interpreter cannot tell.
    pub fn first_change(
        &self,
        program: &Program,
        name: &str,
        way: Way,
    ) -> Result<Option<Change>, String> {
        let variant = way.is_variant.then(|| variants::variant(program));
        let program = variant.as_ref().unwrap_or(program);
        let path = self.folder.join(format!("{name}.cl"));
        std::fs::write(&path, check::source(&[program]))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut options = [way.level, program.version.option()].map(str::to_owned).to_vec();
        if way.is_vulkan {
            options.extend(check::vulkan_options(program.has_smaller_groups()));
        }
        let stages = stages::of(self.clc, &options, &path)?;
        let job = check::plain_job(&[program], way.is_variant);
        let job = job::parse(&job).next().ok_or("no job")??;
        let launch = stages::launch(&job)?;
        stages::first_change(&stages, &job.kernel, &launch)
    }

    /// Looks at programs by number; whether no pass changes what one gives.
    pub fn programs(
        &self,
        numbers: std::ops::Range<usize>,
        jobs: usize,
        program: &(dyn Fn(usize) -> Program + Sync),
        reductions: usize,
    ) -> bool {
        let start = Instant::now();
        let [next, looked, unknown, changed] = [numbers.start, 0, 0, 0].map(AtomicUsize::new);
        std::thread::scope(|scope| {
            for job in 0..jobs {
                let (numbers, next) = (&numbers, &next);
                let (looked, unknown, changed) = (&looked, &unknown, &changed);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= numbers.end {
                            return;
                        }
                        let whole = program(number);
                        let name = format!("stages{job}");
                        for way in self.ways {
                            match self.first_change(&whole, &name, way) {
                                Ok(None) => {
                                    looked.fetch_add(1, Ordering::Relaxed);
                                }
                                Ok(Some(change)) => {
                                    let before = changed.fetch_add(1, Ordering::Relaxed);
                                    println!("fuzz: program {number}: {}", text(way, &change));
                                    if before < reductions {
                                        self.reduce(&whole, &name, way, &change);
                                    }
                                }
                                // The generator's programs have no faults.
                                Err(reason) if reason.contains("at fault") => {
                                    changed.fetch_add(1, Ordering::Relaxed);
                                    println!("fuzz: program {number}, {way}: {reason}");
                                }
                                Err(reason) => {
                                    if unknown.fetch_add(1, Ordering::Relaxed) < reductions {
                                        println!("fuzz: program {number}, {way}: {reason}");
                                    }
                                }
                            }
                        }
                    }
                });
            }
        });
        let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        println!(
            "fuzz: {} programs in {:.0} s, at every stage of two levels: {} give the same at all of them, {} cannot \
             be told, {} change",
            numbers.len(),
            start.elapsed().as_secs_f64(),
            count(&looked),
            count(&unknown),
            count(&changed),
        );
        count(&changed) == 0
    }

    fn reduce(&self, whole: &Program, name: &str, way: Way, change: &Change) {
        let fails = |program: &Program| {
            let found = self.first_change(program, name, way);
            matches!(found, Ok(Some(other)) if other.pass == change.pass)
        };
        let small = reduce::reduce(whole, &fails);
        let source = check::source(&[&small]);
        let lines: Vec<&str> = source.lines().filter(|line| !line.trim().is_empty()).collect();
        println!("----\n{}\n----", lines.join("\n"));
        if let Ok(Some(change)) = self.first_change(&small, name, way) {
            println!("reduced: {}", text(way, &change));
        }
    }

    /// Names the passes that change the launches of a file, whose comments are those of `tests/execution`; whether
    /// there are none.
    pub fn file(&self, path: &Path) -> Result<bool, String> {
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = CaseFile::parse(&std::fs::read_to_string(path).map_err(error)?)?;
        if let Some(reason) = &file.not_vulkan
            && self.ways.iter().any(|way| way.is_vulkan)
        {
            return Err(format!("{}: not for Vulkan: {reason}", path.display()));
        }
        let mut same = true;
        for way in self.ways {
            let mut options = file.options.clone();
            options.push(way.level.to_owned());
            if way.is_vulkan {
                options.extend(check::vulkan_options(false));
                options.extend(file.vulkan_with.iter().cloned());
            }
            let stages = stages::of(self.clc, &options, path)?;
            for case in &file.cases {
                let job: Job = job::parse(&case.job()).next().ok_or("no job")??;
                let found = stages::launch(&job)
                    .and_then(|launch| stages::first_change(&stages, &job.kernel, &launch));
                let says = match found {
                    Ok(Some(change)) => {
                        same = false;
                        text(way, &change)
                    }
                    Ok(None) => format!("{way}: the same at all {} stages", stages.len()),
                    Err(reason) => format!("{way}: {reason}"),
                };
                println!("{} {}: {says}", case.kernel, case.label);
            }
        }
        Ok(same)
    }
}

/// What a change is, for people.
pub fn text(way: Way, change: &Change) -> String {
    let Change { pass, number, what } = change;
    format!("{way}: the first pass that changes the launch is `{pass}`, number {number}: {what}")
}

/// What `--stages` and `--bisect-pass` are to do.
#[derive(Default)]
pub struct Wanted {
    pub programs: bool,
    pub file: Option<PathBuf>,
}
