//! `cargo xtask bench`: clc and clang-22 as whole processes, side by side.

use std::fmt::Write as _;
use std::ops::Add as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::shell::{self, Result, output, root, target, write};
use crate::stats::{median, show, time};
use crate::{corpus, dist, setup};

/// A source that is measured.
pub struct Subject {
    pub name: &'static str,
    pub source: PathBuf,
    pub options: Vec<String>,
    rounds: usize,
}

pub fn run() -> Result {
    let clc = dist::build()?;
    let work = target().join("bench");
    shell::create_dir(&work)?;
    let peer = setup::clang()?;
    let table = compare(&clc, Some(&peer), &work, subjects(&work)?)?;
    let page = format!(
        "# Benchmarks\n\n\
         Whole processes, from start to exit: `clc -O` (the file that `cargo build --release` makes) with \
         validation of the module, and \
         `{}` with `-O2`, which does not validate. Medians, taken turn by turn in one run on one \
         machine ({}); what counts is the ratio. `cargo xtask bench` measures and writes this \
         page.\n\n{table}\n\
         `cargo xtask bench growth` checks that ten times the input takes at most twelve times \
         as long.\n",
        version(&peer),
        machine()
    );
    let kept = std::fs::read_to_string(page_path()).unwrap_or_default();
    let sections = kept.find("\n## ").map_or("", |at| &kept[at..]);
    write(&page_path(), &format!("{page}{sections}").trim_end().to_owned().add("\n"))
}

/// What is small, once, by what the tests have compiled: it only shows that the comparison works.
pub fn run_small() -> Result {
    let clc = shell::built()?.join("clc");
    let work = target().join("bench");
    shell::create_dir(&work)?;
    let peer = setup::clang().inspect_err(|missing| println!("{missing}; goes on without it")).ok();
    let small = small_subjects(&work)?.map(|subject| Subject { rounds: 1, ..subject });
    compare(&clc, peer.as_deref(), &work, small).map(drop)
}

/// The rows of the page, which are printed as they come.
fn compare(
    clc: &Path,
    peer: Option<&Path>,
    work: &Path,
    subjects: impl IntoIterator<Item = Subject>,
) -> Result<String> {
    let mut table = String::from(
        "| source | clc -O, validated | clang-22 -O2 | ratio |\n|---|---:|---:|---:|\n",
    );
    for subject in subjects {
        let out = work.join("out.spv");
        let ours = || {
            let mut command = Command::new(clc);
            command.arg("-O").args(&subject.options).arg(&subject.source).arg("-o").arg(&out);
            command
        };
        let theirs = |peer: &Path| {
            let mut command = Command::new(peer);
            command
                .args(["--target=spirv64v1.4", "-cl-std=CL1.2", "-O2", "-w", "-c", "-x", "cl"])
                .args(&subject.options)
                .arg(&subject.source)
                .arg("-o")
                .arg(&out);
            command
        };
        // Turn by turn, so that a slow moment of the machine meets both.
        let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
        // Each writes a new file: to replace one whose bytes are still on their way to the disk
        // takes as long as the disk does, whoever compiles.
        let fresh = |mut command: Command| {
            let _ = std::fs::remove_file(&out);
            time(&mut command)
        };
        fresh(ours())?;
        for _ in 0..subject.rounds {
            our_times.push(fresh(ours())?);
            if let Some(peer) = peer {
                their_times.push(fresh(theirs(peer))?);
            }
        }
        let a = median(&mut our_times);
        if their_times.is_empty() {
            println!("{:<40}{:>12}", subject.name, show(a));
            continue;
        }
        let b = median(&mut their_times);
        let ratio = b.as_secs_f64() / a.as_secs_f64().max(1e-9);
        println!("{:<40}{:>12}{:>12}{ratio:>8.1}×", subject.name, show(a), show(b));
        let _ = writeln!(table, "| {} | {} | {} | {ratio:.1}× |", subject.name, show(a), show(b));
    }
    Ok(table)
}

/// Writes the section of the page that begins with `heading`, a line; the others stay.
pub fn write_section(heading: &str, text: &str) -> Result {
    let page = std::fs::read_to_string(page_path()).unwrap_or_default();
    let section = format!("{heading}\n{}\n", text.trim_end());
    let page = match page.split_once(heading) {
        Some((before, rest)) => {
            let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
            format!("{before}{section}{after}")
        }
        None => format!("{}\n\n{section}", page.trim_end()),
    };
    write(&page_path(), &page)
}

fn page_path() -> PathBuf {
    root().join("docs/benchmarks.md")
}

pub fn subjects(work: &Path) -> Result<Vec<Subject>> {
    const LARGE: &str = "m16600_a0-optimized.cl";
    let mut units = corpus::units("hashcat")?.into_iter();
    let (source, options) = units
        .find(|(path, _)| path.ends_with(LARGE))
        .ok_or_else(|| format!("hashcat has no {LARGE}"))?;
    let large =
        Subject { name: "hashcat m16600_a0-optimized (1.6 MB)", source, options, rounds: 3 };
    Ok(small_subjects(work)?.into_iter().chain([large]).collect())
}

pub fn small_subjects(work: &Path) -> Result<[Subject; 2]> {
    let vector_add = work.join("vector_add.cl");
    write(
        &vector_add,
        "kernel void vector_add(global const float *a, global const float *b, global float *c)\n\
         {\n    size_t i = get_global_id(0);\n    c[i] = a[i] + b[i];\n}\n",
    )?;
    let medium = work.join("medium.cl");
    write(&medium, &medium_kernel())?;
    Ok([
        Subject { name: "vector add", source: vector_add, options: Vec::new(), rounds: 41 },
        Subject { name: "kernel of 300 lines", source: medium, options: Vec::new(), rounds: 21 },
    ])
}

/// A kernel of 300 lines: rounds of mixing, a table, a few helpers.
fn medium_kernel() -> String {
    let mut text = String::from("constant uint table[32] = {\n");
    for i in 0..32u32 {
        let _ = writeln!(text, "    0x{:08x}u,", i.wrapping_mul(0x9e37_79b9));
    }
    text.push_str("};\n\n");
    for f in 0..12 {
        let _ = write!(
            text,
            "uint mix{f}(uint a, uint b, uint c)\n{{\n    uint t = rotate(a, {}u) ^ (b & ~c);\n    \
             for (uint i = 0; i < {}u; ++i) {{\n        t += table[(t ^ i) & 31u];\n        \
             if (t & {}u)\n            t = t * 3u + b;\n        else\n            t ^= c >> {}u;\n    \
             }}\n    return t;\n}}\n\n",
            f + 3,
            f + 2,
            1 << f,
            f + 1
        );
    }
    text.push_str(
        "kernel void mixing(global const uint4 *in, global uint4 *out, local uint *scratch)\n{\n    \
         const size_t i = get_global_id(0), l = get_local_id(0);\n    uint4 v = in[i];\n",
    );
    for step in 0..40 {
        let f = step % 12;
        let (a, b, c) = (
            ["x", "y", "z", "w"][step % 4],
            ["y", "z", "w", "x"][step % 4],
            ["w", "x", "y", "z"][step % 4],
        );
        let _ = writeln!(text, "    v.{a} = mix{f}(v.{a}, v.{b}, v.{c});");
        if step % 10 == 9 {
            text.push_str(
                "    scratch[l] = v.x;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    \
                 v.y ^= scratch[get_local_size(0) - 1 - l];\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
            );
        }
    }
    text.push_str("    out[i] = v;\n}\n");
    text
}

fn version(peer: &Path) -> String {
    output(Command::new(peer).arg("--version"))
        .ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    format!("{model}, {cores} cores")
}

/// For [`crate::growth`].
pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
