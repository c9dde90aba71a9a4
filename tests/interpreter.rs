//! Runs `execution/*.cl` in the interpreter of the intermediate representation, at every stage of the compiler at
//! `-O0` and at `-O`, for OpenCL and for Vulkan: each has to give what the file expects.
//!
//! `interpreter.txt` and `interpreter_vulkan.txt` say how much of each file the interpreter can run, and why not
//! more. `BLESS=1` writes them, `CLC_ONLY=loops` runs only the files whose names have that in them.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;

use clc_interpreter::{Bytes, Launch, Stop};
use clc_ir::Module;
use clc_tests::case::{Case, CaseFile};
use clc_tests::stages::Stage;
use clc_tests::{job, sources, stages};

/// The most instructions of a launch.
const STEPS: u64 = 200_000_000;
/// Launches that take more instructions than that run at the last stages alone: one of all takes most of the time.
const COSTLY: u64 = 5_000_000;

/// What was run of a file, and why not the rest.
#[derive(Default, PartialEq, Eq, Debug)]
struct Ran {
    launches: usize,
    cases: usize,
    all: usize,
    reasons: BTreeMap<String, usize>,
}

/// What the files are compiled for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    OpenCl,
    Vulkan,
}

#[test]
fn every_stage_gives_what_is_expected() {
    every_file(Target::OpenCl, "interpreter.txt");
}

#[test]
fn every_stage_for_vulkan_gives_what_is_expected() {
    every_file(Target::Vulkan, "interpreter_vulkan.txt");
}

/// Runs all files, and compares how much of them runs with the table.
fn every_file(target: Target, expected: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("execution");
    let files = Mutex::new(sources(&folder));
    let table = Mutex::new(BTreeMap::new());
    let complaints = Mutex::new(String::new());
    let only = std::env::var("CLC_ONLY").ok();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(path) = files.lock().unwrap().pop() else { return };
                    let name = path.display().to_string();
                    if only.as_ref().is_some_and(|only| !name.contains(only)) {
                        continue;
                    }
                    let mut wrong = String::new();
                    let ran = file(&folder.join(&path), target, &mut wrong);
                    table.lock().unwrap().insert(name.clone(), ran);
                    if !wrong.is_empty() {
                        let _ = write!(complaints.lock().unwrap(), "{name}:\n{wrong}");
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{complaints}");
    if only.is_none() {
        let text = text(&table.into_inner().unwrap());
        clc_golden::expect_file(&folder.join("..").join(expected), &text).unwrap();
    }
}

fn text(table: &BTreeMap<String, Ran>) -> String {
    let sum = |of: fn(&Ran) -> usize| table.values().map(of).sum::<usize>();
    let mut out = format!(
        "{} of {} cases of {} files, in {} launches.\n\n",
        sum(|ran| ran.cases),
        sum(|ran| ran.all),
        table.len(),
        sum(|ran| ran.launches)
    );
    for (name, ran) in table {
        let _ = write!(out, "{name}: {} of {}", ran.cases, ran.all);
        for (reason, count) in &ran.reasons {
            let _ = write!(out, "; {count} {reason}");
        }
        out.push('\n');
    }
    out
}

fn file(path: &Path, target: Target, wrong: &mut String) -> Ran {
    let mut ran = Ran::default();
    let source = std::fs::read_to_string(path).unwrap();
    let file = CaseFile::parse(&source).unwrap();
    ran.all = file.cases.len();
    let other = match target {
        Target::OpenCl => file.not_opencl.then_some("of several files, or for Vulkan alone"),
        Target::Vulkan => file.not_vulkan.is_some().then_some("not for Vulkan"),
    };
    let of_several = !file.needs.is_empty() || !file.parts.is_empty();
    let of_several = of_several.then_some(match target {
        Target::OpenCl => "of several files, or for Vulkan alone",
        Target::Vulkan => "of several files",
    });
    if let Some(reason) = other.or(of_several) {
        ran.reasons.insert(reason.to_owned(), ran.all);
        return ran;
    }
    let mut good: Vec<bool> = vec![true; file.cases.len()];
    let mut is_costly: Vec<bool> = vec![false; file.cases.len()];
    // How far buffers may be moved: not where the program asks for more than hosts have to give.
    let mut moves: Vec<Vec<u64>> = vec![Vec::new(); file.cases.len()];
    let also = if target == Target::Vulkan { &file.vulkan_also[..] } else { &[] };
    let mut ways = vec!["-O0".to_owned(), "-O".to_owned()];
    ways.extend(also.iter().map(|option| format!("-O {option}")));
    for way in ways {
        let options = options(&file, target, &way);
        let stages =
            match stages::of(Path::new(env!("CARGO_BIN_EXE_clc-under-test")), &options, path) {
                Ok(stages) => stages,
                Err(error) => {
                    let _ = writeln!(wrong, "{error}");
                    return ran;
                }
            };
        let mut left = distinct(&stages).peekable();
        while let Some(stage) = left.next() {
            let module = match stage.module() {
                Ok(module) => module,
                Err(error) => {
                    let _ = writeln!(wrong, "{error}");
                    return ran;
                }
            };
            // Launches of a program share its variables.
            let mut variables = HashMap::new();
            for (index, case) in file.cases.iter().enumerate() {
                if !good[index] || is_costly[index] && left.peek().is_some() {
                    continue;
                }
                if target == Target::Vulkan && !stage.is_shader() && moves[index].is_empty() {
                    moves[index] = moves_of(case, stage, &module, &variables);
                }
                let is_last = left.peek().is_none();
                let moved = moves[index].iter().copied().filter(|&place| is_last && place > 0);
                let places = moved.chain([0]);
                let begin = variables.clone();
                let mut outcome = Ok((None, 0));
                for place in places {
                    variables.clone_from(&begin);
                    outcome = run(case, stage, &module, &mut variables, place);
                    if !matches!(outcome, Ok((None, _))) {
                        break;
                    }
                }
                let complaint = match outcome {
                    Ok((complaint, steps)) => {
                        is_costly[index] |= steps > COSTLY;
                        complaint
                    }
                    Err(reason) => {
                        good[index] = false;
                        *ran.reasons.entry(reason).or_default() += 1;
                        continue;
                    }
                };
                ran.launches += 1;
                if let Some(complaint) = complaint {
                    let Case { kernel, label, .. } = case;
                    let complaint = complaint.trim();
                    let name = &stage.name;
                    let _ = writeln!(wrong, "  {kernel} {label} {way}, behind {name}: {complaint}");
                    return ran;
                }
            }
        }
    }
    ran.cases = good.iter().filter(|&&good| good).count();
    ran
}

/// Those of a file, for a target, and some words besides.
fn options(file: &CaseFile, target: Target, more: &str) -> Vec<String> {
    let mut options = file.options.clone();
    if target == Target::Vulkan {
        options.push("--target-env=vulkan1.3".to_owned());
        options.extend(file.vulkan_with.iter().cloned());
    }
    options.extend(more.split(' ').map(str::to_owned));
    options
}

/// Those that are not as the one before.
fn distinct(stages: &[Stage]) -> impl Iterator<Item = &Stage> {
    let before = std::iter::once(None).chain(stages.iter().map(Some));
    let pairs = stages.iter().zip(before);
    pairs.filter(|(stage, before)| before.is_none_or(|it| it.text != stage.text)).map(|it| it.0)
}

/// Of [`stages::MOVED`], and not at all, what a case takes: where it gives what is expected before all passes.
fn moves_of(
    case: &Case,
    stage: &Stage,
    module: &Module,
    variables: &HashMap<String, Bytes>,
) -> Vec<u64> {
    let takes = |&place: &u64| {
        let outcome = run(case, stage, module, &mut variables.clone(), place);
        matches!(outcome, Ok((None, _)))
    };
    [0].into_iter().chain(stages::MOVED.into_iter().filter(takes)).collect()
}

/// Runs a case: what is wrong with what it gives and how many instructions it took, or why it is not run.
fn run(
    case: &Case,
    stage: &Stage,
    module: &Module,
    variables: &mut HashMap<String, Bytes>,
    buffer_place: u64,
) -> Result<(Option<String>, u64), String> {
    let job = job::parse(&case.job()).next().ok_or("no job")??;
    let mut launch = stages::launch(&job)?;
    launch.variables.clone_from(variables);
    (launch.races, launch.steps) = (true, STEPS);
    launch.buffer_place = buffer_place;
    match stage.run(module, &case.kernel, &launch) {
        // How much is lost of what does not fit is the host's to see, once there is a buffer.
        Ok(outcome) if case.printf_words.is_some() && !stage.is_shader() => {
            *variables = outcome.variables;
            Ok((None, STEPS - outcome.steps_left))
        }
        Ok(outcome) => {
            let complaint = case.judge(&stages::results(&outcome), &outcome.printed);
            *variables = outcome.variables;
            Ok((complaint, STEPS - outcome.steps_left))
        }
        Err(Stop::NotInterpreted(what)) => Err(what),
        Err(stop) => Ok((Some(stop.to_string()), STEPS)),
    }
}

/// A pass that computes differences for sums is named, and what is behind it is not.
#[test]
fn a_pass_that_changes_a_result_is_named() {
    names_the_first_change(Target::OpenCl, "simplify");
}

/// So is a step of the pipeline for Vulkan: before the one that gives entries their argument block, that one, and
/// those behind it, where pointers are numbers.
#[test]
fn a_step_for_vulkan_that_changes_a_result_is_named() {
    for step in ["operations", "shader-arguments", "memory", "structurize"] {
        names_the_first_change(Target::Vulkan, step);
    }
}

/// What would be the case if a pass or step computed differences for sums.
fn names_the_first_change(target: Target, pass: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("execution/reduce.cl");
    let file = CaseFile::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let options = options(&file, target, "-O");
    let clc = Path::new(env!("CARGO_BIN_EXE_clc-under-test"));
    let stages = stages::of(clc, &options, &path).unwrap();
    let job = job::parse(&file.cases[0].job()).next().unwrap().unwrap();
    let launch = stages::launch(&job).unwrap();
    assert_eq!(stages::first_change(&stages, &job.kernel, &launch), Ok(None));
    let number = stages.iter().position(|stage| stage.name == pass).unwrap();
    let mut broken = stages.clone();
    for stage in &mut broken[number..] {
        stage.text = stage.text.replace("fadd", "fsub").replace("iadd", "isub");
    }
    let change = stages::first_change(&broken, &job.kernel, &launch).unwrap().unwrap();
    assert_eq!((change.pass.as_str(), change.number), (pass, number));
    // A program that is wrong is not blamed on a pass.
    let far = Launch { global: vec![1 << 16], ..launch };
    let error = stages::first_change(&stages, &job.kernel, &far).unwrap_err();
    assert!(error.contains("the program is at fault"), "{error}");
}
