//! `cargo xtask bench growth`: ten times the input takes at most twelve times as long.
//!
//! Each subject is generated with 400 and with 4,000 of one thing and compiled as a whole process, for
//! both targets and with validation.
//! The time of an empty source is taken off. Times are processor time: what is measured is the work,
//! not what else the machine does. One long run stands against ten short ones, their sum taken: the
//! machine's speed varies, and the least of many short times finds a quick moment that no long run has.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::bench::millis;
use crate::dist;
use crate::shell::{self, Result, target, write};
use crate::stats::cpu_time;

const LIMIT: f64 = 12.0;
const SMALL: usize = 400;
/// How many times as much of a thing the large source has, and how often the small one is compiled
/// for each time that the large one is.
const FACTOR: usize = 10;
/// The least of so many, of which each compiles everything.
const ROUNDS: usize = 7;

/// A name and the source with `n` of the thing.
type Subject = (&'static str, fn(usize) -> String);

/// The options that a list of subjects is compiled with.
const LINTS_ALONE: &[&str] = &["-fsyntax-only", "-Weverything", "--message-format=short"];

/// What the targets of [`SUBJECTS`] are called, and their options.
const TARGETS: &[(&str, &[&str])] = &[("OpenCL", &[]), ("Vulkan", &["--target-env=vulkan1.3"])];

/// What the lints look at, measured with all of them on; what follows has subjects of its own.
const LINTED: &[Subject] = &[
    ("lints: variables set in branches", unset_variables),
    ("lints: early returns", early_returns),
    ("lints: loops around barriers", barriers),
    ("lints: local arrays", local_arrays),
    ("lints: jumps", jumps),
];

const SUBJECTS: &[Subject] = &[
    ("functions", functions),
    ("kernels", kernels),
    ("statements in one function", statements),
    ("branches", branches),
    ("cases of one switch", cases),
    ("table entries (×4)", entries),
    ("macros", macros),
    ("local variables", locals),
    ("loops with a break", loops),
    ("nested calls of macros", macro_uses),
    ("structs", structs),
    ("else-ifs", else_ifs),
    ("else-ifs with memory", else_ifs_with_memory),
    ("ifs with memory", ifs_with_memory),
    ("ifs in a loop", ifs_in_a_loop),
];

pub fn run() -> Result {
    let clc = dist::build()?;
    let folder = target().join("bench/growth");
    shell::create_dir(&folder)?;
    let empty = folder.join("empty.cl");
    write(&empty, "kernel void k(global int *p) { p[0] = 1; }\n")?;
    println!("milliseconds of processor time, start-up taken off\n");
    println!("{:<42}{:>10}{:>10}{:>9}", "400 and 4,000 of", "small", "large", "ratio");
    let mut slow = Vec::new();
    let targets = TARGETS.iter().flat_map(|&(target, options)| {
        SUBJECTS.iter().map(move |&(name, of)| (format!("{target}: {name}"), of, options))
    });
    let lints = LINTED.iter().map(|&(name, of)| (name.to_owned(), of, LINTS_ALONE));
    for (name, generate, options) in targets.chain(lints) {
        let mut paths = [empty.clone(), PathBuf::new(), PathBuf::new()];
        for (path, count) in paths[1..].iter_mut().zip([SMALL, FACTOR * SMALL]) {
            let file = format!("{}-{count}.cl", name.replace([' ', '(', ')', ':'], "_"));
            *path = folder.join(file);
            write(path, &generate(count))?;
        }
        // In turns, so that a slow moment of the machine meets all three.
        let mut least = [Duration::MAX; 3];
        for _ in 0..ROUNDS {
            for ((path, least), times) in paths.iter().zip(&mut least).zip([FACTOR, FACTOR, 1]) {
                *least = (*least).min(mean(&clc, path, times, options)?);
            }
        }
        let [start_up, small, large] = least;
        let times = [small, large].map(|time| millis(time.saturating_sub(start_up)));
        // Less than this is noise of process start, not work.
        let ratio = times[1] / times[0].max(0.05);
        let verdict = if ratio > LIMIT { "  TOO SLOW" } else { "" };
        println!("{name:<42}{:>9.2} {:>9.2} {ratio:>8.1}×{verdict}", times[0], times[1]);
        if ratio > LIMIT {
            slow.push(name);
        }
    }
    if slow.is_empty() { Ok(()) } else { Err(format!("grows too fast: {}", slow.join(", "))) }
}

/// The processor time of one of so many compilations.
fn mean(clc: &Path, source: &Path, times: usize, options: &[&str]) -> Result<Duration> {
    let mut sum = Duration::ZERO;
    for _ in 0..times {
        let mut command = Command::new(clc);
        command
            .args(options)
            .arg("-O")
            .arg(source)
            .arg("-o")
            .arg(target().join("bench/growth/out.spv"));
        sum += cpu_time(&mut command)?;
    }
    Ok(sum / times as u32)
}

const HEAD: &str = "kernel void k(global int *p, int x) {\n    int y = p[get_global_id(0)];\n";
const TAIL: &str = "    p[get_global_id(0)] = y;\n}\n";

fn body(n: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::from(HEAD);
    for i in 0..n {
        text.push_str(&line(i));
        text.push('\n');
    }
    text.push_str(TAIL);
    text
}

fn functions(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(
            text,
            "int f{i}(int a, int b) {{ int c = a * {i} + b; if (c & 1) c ^= b; return c; }}"
        );
    }
    text + &body(n, |i| format!("    y = f{i}(y, x);"))
}

fn kernels(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(
            text,
            "kernel void k{i}(global int *p, int x) {{ p[get_global_id(0)] += x * {i}; }}"
        );
    }
    text
}

fn statements(n: usize) -> String {
    body(n, |i| format!("    y = y * {} + (x ^ {i});", 2 * i + 3))
}

fn branches(n: usize) -> String {
    body(n, |i| format!("    if (y > {i}) y -= x; else y += {};", i + 1))
}

fn else_ifs(n: usize) -> String {
    body(n, |i| {
        format!("    {}if (x == {i}) y += {};", if i > 0 { "else " } else { "" }, 3 * i + 1)
    })
}

fn else_ifs_with_memory(n: usize) -> String {
    body(n, |i| {
        format!("    {}if (x == {i}) p[{i}] += {};", if i > 0 { "else " } else { "" }, 3 * i + 1)
    })
}

fn ifs_with_memory(n: usize) -> String {
    body(n, |i| format!("    if (y > {i}) p[y + {i}] = p[x + {i}] + {i};"))
}

fn ifs_in_a_loop(n: usize) -> String {
    let all = body(n, |i| format!("    if (y > {i}) p[y + {i}] = p[x + {i}] + {i};"));
    all.replacen("0)];\n", "0)];\n    for (int j = 0; j < x; ++j) {\n", 1).replacen(
        TAIL,
        &format!("    }}\n{TAIL}"),
        1,
    )
}

fn cases(n: usize) -> String {
    let mut text = format!("{HEAD}    switch (x) {{\n");
    for i in 0..n {
        let _ = writeln!(text, "    case {}: y = y * {} + 1; break;", 3 * i, i + 2);
    }
    text + "    }\n" + TAIL
}

fn entries(n: usize) -> String {
    let mut text = String::from("constant int table[] = {\n");
    for i in 0..4 * n {
        let _ = writeln!(text, "    {},", i * 7 + 1);
    }
    text + "};\n" + HEAD + "    y += table[x];\n" + TAIL
}

fn macros(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "#define M{i}(a) ((a) * {} + {i})", i + 1);
    }
    text + &body(n, |i| format!("    y ^= M{i}(x);"))
}

fn macro_uses(n: usize) -> String {
    String::from("#define A(a) ((a) + 1)\n#define B(a) A(A(a))\n#define C(a) B(B(a))\n")
        + &body(n, |i| format!("    y ^= C({i});"))
}

fn locals(n: usize) -> String {
    let mut text = String::from(HEAD);
    for i in 0..n {
        let _ = writeln!(text, "    int v{i} = x * {} + y;", i + 1);
    }
    for i in 0..n {
        let _ = writeln!(text, "    y ^= v{i};");
    }
    text + TAIL
}

fn loops(n: usize) -> String {
    body(n, |i| {
        format!("    for (int i = 0; i < x; ++i) {{ if (y == {i}) break; y = y * 3 + i; }}")
    })
}

fn structs(n: usize) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "struct s{i} {{ int a; float b; int c[{}]; }};", i % 7 + 1);
    }
    text + &body(n, |i| {
        format!("    {{ struct s{i} s; s.a = x; s.c[0] = {i}; y ^= s.a + s.c[0]; }}")
    })
}

fn unset_variables(n: usize) -> String {
    let mut text = String::from(HEAD);
    for i in 0..n {
        let _ = writeln!(text, "    int v{i}; if (x > {i}) v{i} = p[{i}];");
    }
    for i in 0..n {
        let _ = writeln!(text, "    y ^= v{i};");
    }
    text + TAIL
}

fn early_returns(n: usize) -> String {
    body(n, |i| format!("    if (p[get_local_id(0) + {i}] == x) return;")) + "\n"
}

fn barriers(n: usize) -> String {
    body(n, |i| {
        format!(
            "    for (int i = y; i < x; i++) {{ if (p[i] > {i}) break; p[i] = y; }}\n    \
             barrier(CLK_LOCAL_MEM_FENCE);"
        )
    })
}

fn local_arrays(n: usize) -> String {
    body(n, |i| {
        format!(
            "    local int t{i}[64]; t{i}[get_local_id(0)] = y; barrier(CLK_LOCAL_MEM_FENCE); \
             y ^= t{i}[get_local_id(0) + 1];"
        )
    })
}

fn jumps(n: usize) -> String {
    body(n, |i| {
        format!("l{i}: if (p[{i}] > x) goto l{}; if (y < 3) y = p[{i}];", i * 7919 % n.max(1))
    })
}
