//! Damaged sources through the whole compiler: each has to end in a module or in errors, never in a
//! panic, an invalid module, a crash or a hang.
//!
//! The inputs are the sources of the test suites (and whatever folder is named), mutated by bytes,
//! tokens and lines. Each few hundred run in a process of their own, which says what it is about to
//! try: what ends the process or stops it is known.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clc::{
    DebugLevel, Emit, NoIncludes, OptLevel, Options, TargetEnv, TargetOptions, Unit, Version,
};
use clc_tests::process;

use crate::random::Random;

/// Inputs that one process tries.
const PART: usize = 250;
/// What one input may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The largest piece of a file that is taken, so that much is tried.
const LARGEST: usize = 12 << 10;

/// Words that decide much.
const WORDS: [&str; 96] = [
    "kernel",
    "__kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "const",
    "volatile",
    "restrict",
    "static",
    "extern",
    "inline",
    "typedef",
    "struct",
    "union",
    "enum",
    "void",
    "bool",
    "char",
    "uchar",
    "short",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "double",
    "size_t",
    "float4",
    "int3",
    "uchar16",
    "double2",
    "half8",
    "image2d_t",
    "sampler_t",
    "event_t",
    "pipe",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "atomic_int",
    "read_only",
    "write_only",
    "read_write",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "sizeof",
    "vec_step",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__attribute__((overloadable))",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "&&",
    "?",
    ":",
    "=",
    "+=",
    "->",
    ".",
    ".xyzw",
    ".s0",
    ".lo",
    "++",
    "...",
    "#define",
    "#if",
    "#endif",
    "##",
    "^",
    "~",
    "convert_int4_sat",
    "as_float",
    "get_global_id(0)",
    "barrier(1)",
];

const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "-1",
    "2147483647",
    "4294967295u",
    "9223372036854775807",
    "0xFFFFFFFFFFFFFFFFul",
    "-2147483648",
    "1e400",
    "0x1p-1074",
    "1.0f",
    ".5h",
    "99999999999999999999999",
    "0b1",
    "08",
    "'\\377'",
    "1000000000",
    "65536",
];

struct Sources {
    /// Files first, then the examples of the explanations: these are short, and each breaks a rule.
    texts: Vec<Vec<u8>>,
    files: usize,
}

/// Sources to begin with, in an order that does not depend on the file system.
fn sources(folders: &[PathBuf]) -> Result<Sources, String> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(folder, &mut paths);
    }
    paths.sort();
    let mut out: Vec<Vec<u8>> = Vec::new();
    for path in paths {
        out.push(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let files = out.len();
    for code in clc::codes::all() {
        for example in code.explain.split("```").skip(1).step_by(2) {
            let (_, example) = example.split_once('\n').unwrap_or(("", example));
            out.push(example.as_bytes().to_vec());
        }
    }
    if files == 0 { Err("no sources".to_owned()) } else { Ok(Sources { texts: out, files }) }
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            collect(&entry.path(), out);
        }
    } else if path.extension().is_some_and(|extension| extension == "cl" || extension == "h") {
        out.push(path.to_owned());
    }
}

/// A piece of a file, from the beginning of a line to the end of one.
fn piece<'a>(random: &mut Random, source: &'a [u8]) -> &'a [u8] {
    if source.len() <= LARGEST {
        return source;
    }
    let from = random.below(source.len() - LARGEST);
    let line = |at: usize| {
        source[at..].iter().position(|&byte| byte == b'\n').map_or(at, |offset| at + offset + 1)
    };
    &source[line(from)..line(from + LARGEST)]
}

/// The beginnings of the tokens, roughly.
fn tokens(text: &[u8]) -> Vec<usize> {
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => 0,
        b' ' | b'\t' | b'\r' => 1,
        _ => 2,
    };
    let mut out = vec![0];
    for at in 1..text.len() {
        let (before, here) = (class(text[at - 1]), class(text[at]));
        if before != here || here == 2 {
            out.push(at);
        }
    }
    out.push(text.len());
    out
}

/// A token with what follows up to the next.
fn token(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
    let starts = tokens(text);
    if starts.len() < 2 {
        return 0..text.len();
    }
    let index = random.below(starts.len() - 1);
    starts[index]..starts[index + 1]
}

fn mutate(random: &mut Random, text: &mut Vec<u8>, others: &[Vec<u8>]) {
    let at = token(random, text);
    match random.below(16) {
        0 => {
            text.drain(at);
        }
        1 => {
            let copy = text[at.clone()].to_vec();
            text.splice(at.start..at.start, copy);
        }
        2..=3 => {
            let word = random.pick(&WORDS).as_bytes().to_vec();
            text.splice(at, word);
        }
        4..=5 => {
            let word = format!(" {} ", random.pick(&WORDS));
            text.splice(at.start..at.start, word.into_bytes());
        }
        6 => {
            let number = random.pick(&NUMBERS).as_bytes().to_vec();
            text.splice(at, number);
        }
        7..=8 => {
            // The tokens that are there fit best.
            let from = token(random, text);
            let copy = text[from].to_vec();
            text.splice(at, copy);
        }
        9 => {
            let (a, b) = (token(random, text), at);
            let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
            if a.end <= b.start {
                let (first, second) = (text[a.clone()].to_vec(), text[b.clone()].to_vec());
                text.splice(b, first);
                text.splice(a, second);
            }
        }
        10 => {
            let other = random.pick(others).clone();
            let other = piece(random, &other);
            let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
            if !lines.is_empty() {
                let from = random.below(lines.len());
                let n = 1 + random.below(8);
                let some = lines[from..(from + n).min(lines.len())].concat();
                text.splice(at.start..at.start, some);
            }
        }
        11 => {
            let end = (at.start + random.below(200)).min(text.len());
            text.drain(at.start..end);
        }
        12 => {
            let end = (at.start + random.below(400)).min(text.len());
            let copy = text[at.start..end].to_vec();
            text.splice(at.start..at.start, copy);
        }
        13 if !text.is_empty() => {
            let index = random.below(text.len());
            text[index] = random.next() as u8;
        }
        14 if !text.is_empty() => {
            let index = random.below(text.len());
            text[index] ^= 1 << random.below(8);
        }
        15 if random.chance(30) => text.truncate(at.start),
        _ => {
            let from = token(random, text);
            let name = text[from].to_vec();
            // The same name everywhere.
            let old = text[at].to_vec();
            if old.len() > 1 && old[0].is_ascii_alphabetic() && name != old {
                let mut out = Vec::with_capacity(text.len());
                let starts = tokens(text);
                for pair in starts.windows(2) {
                    let word = &text[pair[0]..pair[1]];
                    out.extend_from_slice(if word == old { &name } else { word });
                }
                *text = out;
            }
        }
    }
}

/// The input of a number, and the options it is compiled with.
fn input(seed: u64, number: usize, sources: &Sources) -> (Vec<u8>, Options) {
    let mut random = Random::new(seed.wrapping_mul(0x1_0000_0003).wrapping_add(number as u64));
    let some =
        if random.chance(75) { 0..sources.files } else { sources.files..sources.texts.len() };
    let source = random.pick(&sources.texts[some]);
    let mut text = piece(&mut random, source).to_vec();
    let most = 1 << random.below(4);
    for _ in 0..1 + random.below(most) {
        mutate(&mut random, &mut text, &sources.texts);
        text.truncate(LARGEST * 4);
    }
    let options = Options {
        // Later versions have more.
        version: match random.below(10) {
            0..=2 => *random.pick(&Version::ALL),
            3..=4 => Version::V1_2,
            5..=6 => Version::V2_0,
            _ => Version::V3_0,
        },
        extensions: match random.below(3) {
            0..=1 => vec!["+all".to_owned()],
            _ => Vec::new(),
        },
        opt_level: if random.chance(70) { OptLevel::O } else { OptLevel::O0 },
        unit: if random.chance(15) { Unit::Part } else { Unit::Program },
        target: TargetOptions {
            debug: match random.below(20) {
                0 => DebugLevel::Lines,
                1..=2 => DebugLevel::Full,
                _ => DebugLevel::None,
            },
            kernel_arg_info: random.chance(15),
            ..if random.chance(80) {
                TargetEnv::OpenCl { major: 3, minor: 0 }.into()
            } else {
                TargetOptions::from(*random.pick(&TargetEnv::all().collect::<Vec<_>>()))
            }
        },
        verify_each: true,
        ..Options::default()
    };
    (text, options)
}

/// What became of an input: whether there is a module, or what is wrong.
fn try_one(text: &[u8], options: &Options) -> Result<bool, String> {
    let outcome = clc::guard::run(|| {
        let compilation = clc::compile("input.cl", text, Emit::Spirv, options, &mut NoIncludes);
        if compilation.internal_error.is_none() {
            // What is said about it has to be sayable.
            clc::render::render_all(
                &compilation.diagnostics,
                &compilation.sources,
                clc::render::Style::default(),
            );
        }
        let module = compilation.artifact.is_some();
        let silent = !module && !compilation.has_errors();
        (compilation.internal_error, silent, module)
    });
    let error = match outcome {
        Ok((Some(error), ..)) => error,
        Ok((None, true, _)) => return Err("neither a module nor an error".to_owned()),
        Ok((None, false, module)) => return Ok(module),
        Err(error) => error,
    };
    Err(format!("{} {}", error.location.unwrap_or_default(), error.message))
}

/// One input, as text.
pub fn show(seed: u64, number: usize, folders: &[PathBuf]) -> Result<(), String> {
    let (text, options) = input(seed, number, &sources(folders)?);
    println!("{options:?}\n----\n{}\n----", String::from_utf8_lossy(&text));
    println!("{:?}", try_one(&text, &options));
    Ok(())
}

/// The child: tries a range of inputs, and says so.
pub fn part(seed: u64, first: usize, count: usize, folders: &[PathBuf]) -> Result<(), String> {
    static BEGAN: AtomicU64 = AtomicU64::new(0);
    let start = Instant::now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let began = Duration::from_millis(BEGAN.load(Ordering::Relaxed));
            if start.elapsed().saturating_sub(began) > PATIENCE {
                std::process::exit(9);
            }
        }
    });
    let sources = sources(folders)?;
    for number in first..first + count {
        BEGAN.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
        println!("at {number}");
        let _ = std::io::stdout().flush();
        let (text, options) = input(seed, number, &sources);
        match try_one(&text, &options) {
            Ok(true) => println!("module"),
            Ok(false) => {}
            Err(why) => println!("failed {number} {}", why.replace('\n', " ")),
        }
    }
    println!("done");
    Ok(())
}

/// Whether nothing was found among so many inputs.
pub fn run(seed: u64, count: usize, folders: &[PathBuf]) -> Result<bool, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut modules = 0;
    let mut next = 0;
    while next < count {
        let some = PART.min(count - next);
        let mut command = Command::new(&own);
        command.args(["--bytes", &some.to_string(), "--seed", &seed.to_string()]);
        command.args(["--from", &next.to_string()]);
        for folder in folders {
            command.arg("--sources").arg(folder);
        }
        let finished = process::run(&mut command, b"", Duration::from_secs(3600))
            .map_err(|error| error.to_string())?;
        let stdout = String::from_utf8_lossy(&finished.stdout).into_owned();
        let mut last = next;
        for line in stdout.lines() {
            if let Some(number) = line.strip_prefix("at ") {
                last = number.parse().unwrap_or(last);
            } else if line == "module" {
                modules += 1;
            } else if let Some(rest) = line.strip_prefix("failed ") {
                found.push((last, rest.split_once(' ').map_or("", |(_, why)| why).to_owned()));
            }
        }
        if stdout.ends_with("done\n") {
            next += some;
            continue;
        }
        if !stdout.starts_with("at ") {
            return Err(format!("{}\n{}", finished.stderr, finished.how()));
        }
        found.push((last, format!("{} {}", finished.how(), finished.stderr.trim())));
        next = last + 1;
    }
    report(seed, &found, folders)?;
    println!(
        "fuzz: seed {seed}, {count} damaged sources in {:.0} s: {modules} compile, {} fail",
        start.elapsed().as_secs_f64(),
        found.len()
    );
    Ok(found.is_empty())
}

/// Prints each kind of failure once, its input reduced where the failure can be caught.
fn report(seed: u64, found: &[(usize, String)], folders: &[PathBuf]) -> Result<(), String> {
    let kind =
        |why: &str| -> String { why.chars().filter(|c| !c.is_ascii_digit()).take(60).collect() };
    let sources = sources(folders)?;
    let mut seen: Vec<String> = Vec::new();
    for (number, why) in found {
        println!("fuzz: bytes, seed {seed}, input {number}: {why}");
        let kind_of_this = kind(why);
        if seen.contains(&kind_of_this) {
            continue;
        }
        let (text, options) = input(seed, *number, &sources);
        let same =
            |text: &[u8]| try_one(text, &options).is_err_and(|why| kind(&why) == kind_of_this);
        let ended = why.starts_with("exit") || why.starts_with("ended") || why.starts_with("timed");
        let text = if ended { text } else { reduce(text, &same) };
        println!("{options:?}\n----\n{}\n----", String::from_utf8_lossy(&text));
        seen.push(kind_of_this);
    }
    Ok(())
}

/// Takes lines away, then tokens, many at once first.
fn reduce(mut text: Vec<u8>, same: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let start = Instant::now();
    let lines = |text: &[u8]| -> Vec<usize> {
        let mut out = vec![0];
        out.extend((0..text.len()).filter(|&at| text[at] == b'\n').map(|at| at + 1));
        out.push(text.len());
        out
    };
    for cut in [&lines as &dyn Fn(&[u8]) -> Vec<usize>, &tokens, &tokens] {
        let mut chunk = cut(&text).len().div_ceil(2).max(1);
        loop {
            let mut end = cut(&text).len() - 1;
            while end > 0 && start.elapsed() < Duration::from_secs(60) {
                let starts = cut(&text);
                end = end.min(starts.len() - 1);
                let from = end.saturating_sub(chunk);
                let mut smaller = text.clone();
                smaller.drain(starts[from]..starts[end]);
                if smaller.len() < text.len() && same(&smaller) {
                    text = smaller;
                }
                end = from;
            }
            if chunk == 1 {
                break;
            }
            chunk = chunk.div_ceil(2);
        }
    }
    text
}
