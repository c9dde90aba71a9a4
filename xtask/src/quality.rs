//! `docs/quality.md`: what was tried on the compiler, how often, and what failed, from the files in `conformance`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use crate::shell::{self, Result, read, root};
use crate::{corpus, coverage, suites};

/// What `cargo xtask fuzz` has tried.
fn runs_file() -> PathBuf {
    root().join("conformance/fuzz.txt")
}

/// A run of `cargo xtask fuzz`.
struct Run<'a> {
    date: &'a str,
    kind: &'a str,
    seed: &'a str,
    count: u64,
    failed: u64,
    became: &'a str,
}

/// The runs that a file lists, and the lines that are none.
fn runs<'a>(text: &'a str, problems: &mut Vec<String>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let run = match fields[..] {
            [date, kind, seed, count, failed, became] => count
                .parse()
                .ok()
                .zip(failed.parse().ok())
                .map(|(count, failed)| Run { date, kind, seed, count, failed, became }),
            _ => None,
        };
        match run {
            Some(run) => runs.push(run),
            None => problems.push(format!("conformance/fuzz.txt: `{line}` is no run")),
        }
    }
    runs
}

/// Adds a run that found nothing.
pub fn record(kind: &str, seed: &str, count: &str) -> Result {
    let date = shell::output(Command::new("date").arg("+%Y-%m-%d"))?;
    let path = runs_file();
    let line = format!("{} | {kind} | {seed} | {count} | 0 | nothing\n", date.trim());
    shell::write(&path, &(read(&path)? + &line))?;
    print!("conformance/fuzz.txt: {line}");
    Ok(())
}

/// The page.
pub fn page(problems: &mut Vec<String>) -> Result<String> {
    let mut page = String::from(
        "# What has been tried\n\n\
         Programs that others wrote, and programs, damages and options that chance made: how many, and what failed. \
         What is said of others' programs comes from files with which the next run compares itself, so that what passes \
         stays so; what chance made, and the lines that tests run, are written down by the runs. \
         `cargo xtask test` runs what fits into half an hour; the commands below run the whole. This page is written by \
         `cargo xtask tidy --write`.\n",
    );
    suites_of_others(&mut page)?;
    real_kernels(&mut page)?;
    page.push_str(
        "\n## Khronos' conformance suite\n\n\
         [Its results](conformance.md) on four drivers, by `cargo xtask cts`, with the reason for each subtest that does \
         not pass.\n",
    );
    legality(&mut page)?;
    chance(&mut page, problems)?;
    lines(&mut page)?;
    Ok(page)
}

fn suites_of_others(page: &mut String) -> Result {
    page.push_str(
        "\n## Programs with expected results: `cargo xtask suites`\n\n\
         Of Debian's packages, on Intel's OpenCL driver for processors and on lavapipe. From source it is the driver's own \
         compiler. Each program that does not pass is listed with the reason (`conformance/suites`).\n\n\
         | suite | programs | launches | from source | OpenCL `-O0` | OpenCL `-O` | Vulkan `-O0` | Vulkan `-O` | with a \
         reason |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for name in suites::NAMES {
        let file = format!("conformance/suites/{name}.txt");
        let text = read(&root().join(&file))?;
        let head = text.lines().next().unwrap_or_default();
        let numbers: Vec<&str> = head
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        let [programs, _, launches, source, opencl0, opencl, vulkan0, vulkan] = numbers[..] else {
            return Err(format!("{file}: `{head}` has no counts"));
        };
        let listed = text.lines().filter(|line| !line.starts_with('#')).count();
        let _ = writeln!(
            page,
            "| {name} | {programs} | {launches} | {source} | {opencl0} | {opencl} | {vulkan0} | {vulkan} | {listed} |"
        );
    }
    Ok(())
}

fn real_kernels(page: &mut String) -> Result {
    page.push_str(
        "\n## Real kernels: `cargo xtask corpus`\n\n\
         Sources of programs that people use, compiled and validated for OpenCL and for Vulkan. \
         [Which, and why some are refused](https://github.com/clc-project/clc/blob/main/conformance/README.md).\n\n\
         | corpus | units | compile |\n|---|---:|---:|\n",
    );
    let (mut all, mut compile) = (0, 0);
    for name in corpus::NAMES {
        let file = format!("conformance/corpus/{name}.txt");
        let text = read(&root().join(&file))?;
        let head = text.lines().next().unwrap_or_default();
        let numbers: Vec<u64> = head.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [ok, units] = numbers[..] else {
            return Err(format!("{file}: `{head}` has no counts"));
        };
        (all, compile) = (all + units, compile + ok);
        let _ = writeln!(page, "| {name} | {} | {} |", grouped(units), grouped(ok));
    }
    let _ = writeln!(page, "| all | {} | {} |", grouped(all), grouped(compile));
    Ok(())
}

fn legality(page: &mut String) -> Result {
    let tests = read(&root().join("conformance/clang-tests/differences.md"))?;
    let oracle = read(&root().join("conformance/oracle/disagreements.md"))?;
    let (mut right, mut by) = (BTreeMap::<&str, usize>::new(), "");
    for line in tests.lines() {
        match line.strip_prefix("Right: ") {
            Some(who) => by = who,
            None if line.starts_with("- ") => *right.entry(by).or_default() += 1,
            None => {}
        }
    }
    let of = |who: &str| right.get(who).copied().unwrap_or_default();
    let kinds = oracle.lines().filter(|line| line.starts_with("## ")).count();
    let _ = write!(
        page,
        "\n## What is legal: `cargo xtask clang-tests`, `cargo xtask oracle`\n\n\
         The specification decides where clc and clang-22 differ. On clang's own tests they differ in {} lines: clc is right \
         in {}, clang in {}, both report one mistake on different lines in {}. On some 46,000 generated units they differ \
         in {kinds} ways, each with its paragraph.\n",
        right.values().sum::<usize>(),
        of("clc"),
        of("clang"),
        of("both"),
    );
    Ok(())
}

fn chance(page: &mut String, problems: &mut Vec<String>) -> Result {
    let text = read(&runs_file())?;
    let runs = runs(&text, problems);
    page.push_str(
        "\n## What chance made: `cargo xtask fuzz`\n\n\
         [Random programs and damaged inputs](fuzzing.md). A program fails where its results are not those of the driver's \
         own compiler to the bit, another input where clc does not end in errors or in a valid module.\n\n\
         | what | tried | failed | tried since then |\n|---|---:|---:|---:|\n",
    );
    let mut kinds: Vec<&str> = Vec::new();
    for run in &runs {
        if !kinds.contains(&run.kind) {
            kinds.push(run.kind);
        }
    }
    for kind in kinds {
        let of_kind = || runs.iter().filter(|run| run.kind == kind);
        let since = of_kind().rev().take_while(|run| run.failed == 0).map(|run| run.count);
        let _ = writeln!(
            page,
            "| {kind} | {} | {} | {} |",
            grouped(of_kind().map(|run| run.count).sum()),
            of_kind().map(|run| run.failed).sum::<u64>(),
            grouped(since.sum()),
        );
    }
    page.push_str("\n| date | what | seed | tried | failed | what became of it |\n|---|---|---|---:|---:|---|\n");
    for Run { date, kind, seed, count, failed, became } in &runs {
        let count = grouped(*count);
        let _ = writeln!(page, "| {date} | {kind} | {seed} | {count} | {failed} | {became} |");
    }
    Ok(())
}

fn lines(page: &mut String) -> Result {
    page.push_str(
        "\n## Lines that the tests run: `cargo xtask coverage`\n\n\
         Without those of the command's documentation and of the packages for other languages.\n\n\
         | crate | lines | run | |\n|---|---:|---:|---:|\n",
    );
    let text = read(&root().join(coverage::LISTED))?;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, all, run] = fields[..] else {
            return Err(format!("{}: `{line}` has no counts", coverage::LISTED));
        };
        let numbers = all.parse::<u64>().ok().zip(run.parse::<u64>().ok());
        let (all, run) = numbers.ok_or(format!("{}: `{line}`", coverage::LISTED))?;
        let share = 100.0 * run as f64 / all.max(1) as f64;
        let _ = writeln!(page, "| {name} | {} | {} | {share:.1} % |", grouped(all), grouped(run));
    }
    Ok(())
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn lines_that_are_no_runs_are_problems() {
        let mut problems = Vec::new();
        let text = "# head\n2026-11-21 | objects | 3 | 50 | 0 | nothing\n2026-11-21 | objects | 3 | many | 0 | x\n";
        let runs = runs(text, &mut problems);
        assert_eq!((runs.len(), problems.len()), (1, 1));
        assert_eq!((runs[0].kind, runs[0].count), ("objects", 50));
    }
}
