//! PoCL's kernels that a program of its tests runs by their name and whose output is in a file: what
//! `tests/kernel/kernel.c` and `tests/workgroup/run_kernel.c` do with what `CMakeLists.txt` gives to them.
//!
//! ```text
//! add_test_pocl(NAME "workgroup/conditional_barrier"
//!               EXPECTED_OUTPUT "cond_barriers_1_2_1_1.stdout"
//!               COMMAND "run_kernel" "conditional_barriers.cl" 1 2 1 1)
//! ```
//!
//! The other tests compute what they expect in their host programs.

use std::path::Path;

use clc_tests::case::{Argument, Case};
use clc_tests::data::{Data, Element};

use crate::number;
use crate::program::{Expected, Printed, Program, Test};
use crate::signature;

pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let mut out: Vec<Program> = Vec::new();
    for part in ["kernel", "workgroup"] {
        let folder = folder.join(part);
        for words in commands(&read(&folder.join("CMakeLists.txt"))?) {
            let command = Command::of(&words);
            let name = command.name.clone();
            if let Some(program) =
                command.program(&folder).map_err(|error| format!("{name}: {error}"))?
            {
                // The same launch again, with another setting of PoCL's own.
                if out.iter().all(|other| other.name != program.name) {
                    out.push(program);
                }
            }
        }
    }
    Ok(out)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The words of each `add_test_pocl(…)`.
fn commands(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or("")).collect();
    let text = lines.join("\n");
    let calls = text.split("add_test_pocl(").skip(1).filter_map(|rest| rest.split_once(')'));
    calls
        .map(|(words, _)| {
            words.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect()
        })
        .collect()
}

#[derive(Default)]
struct Command {
    name: String,
    output: Option<String>,
    sorted: bool,
    words: Vec<String>,
}

impl Command {
    fn of(words: &[String]) -> Command {
        let mut out = Command::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "NAME" => out.name = words.next().cloned().unwrap_or_default(),
                "EXPECTED_OUTPUT" => {
                    out.output = words.next().cloned().filter(|file| !file.is_empty())
                }
                "SORT_OUTPUT" => out.sorted = true,
                "COMMAND" => out.words = words.by_ref().cloned().collect(),
                _ => {}
            }
        }
        out
    }

    /// None if a host program of its own runs it.
    fn program(&self, folder: &Path) -> Result<Option<Program>, String> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let output = match &self.output {
            Some(file) => Some(read(&folder.join(file))?),
            None => None,
        };
        let options =
            vec!["-cl-std=CL1.2".to_owned(), "-I".to_owned(), folder.display().to_string()];
        let (file, kernel, mut case) = match words[..] {
            ["kernel", kernel] => (
                format!("{kernel}.cl"),
                kernel,
                Case { global: vec![1], local: vec![1], ..Case::default() },
            ),
            ["run_kernel", file, ref sizes @ ..] => {
                let sizes: Result<Vec<usize>, _> = sizes.iter().map(|size| size.parse()).collect();
                let Ok(&[groups, x, y, z]) = sizes.as_deref() else {
                    return Err("four sizes are wanted".to_owned());
                };
                let case = Case {
                    global: vec![groups * x, y, z],
                    local: vec![x, y, z],
                    ..Case::default()
                };
                (file.to_owned(), "test_kernel", case)
            }
            _ => return Ok(None),
        };
        let source = folder.join(file);
        case.kernel = kernel.to_owned();
        case.label = self.name.clone();
        let mut test = Test { name: self.name.clone(), ..Test::default() };
        let takes_buffer = signature::parameters(&read(&source)?, kernel)
            .is_some_and(|parameters| parameters.len() == 1);
        let mut printed: Vec<String> = Vec::new();
        let mut values = Vec::new();
        // What the host program says before and after; the file of one whose lines are sorted begins with it.
        let text = output.as_deref().unwrap_or_default().trim_end();
        let text = text.strip_suffix("OK").or(text.strip_prefix("OK")).unwrap_or(text);
        let text = text.trim_start_matches('\n');
        for line in text.lines().filter(|line| !line.starts_with("Running test ")) {
            match line.split_once(": ").filter(|(index, _)| index.parse::<usize>().is_ok()) {
                // It prints the buffer too.
                Some((_, value)) if takes_buffer => values.push(value.trim().to_owned()),
                _ => printed.push(line.to_owned()),
            }
        }
        if takes_buffer {
            let count: usize = case.global.iter().product();
            let blank = Data { element: Element::Int, bytes: vec![0; 4 * count] };
            case.arguments.push(Argument::Buffer(blank));
            let mut bytes = Vec::new();
            values.iter().try_for_each(|value| number::push(Element::Int, value, &mut bytes))?;
            test.expected.push(Expected::new(0, Data { element: Element::Int, bytes }));
        }
        // Work-items print in any order (OpenCL C 6.15.14).
        let sorted = self.sorted || case.global.iter().product::<usize>() > 1;
        test.printed = match output {
            Some(_) => Printed::Lines { lines: printed, sorted },
            None => Printed::Without("FAIL".to_owned()),
        };
        test.case = case;
        Ok(Some(Program {
            name: self.name.clone(),
            source,
            options,
            tests: vec![test],
            ..Program::default()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let text = "add_test_pocl(NAME \"a/b\" # c\n  SORT_OUTPUT\n  EXPECTED_OUTPUT \"x.txt\"\n  COMMAND \"run_kernel\" \"k.cl\" 1 2 1 1)\nadd_test_pocl(NAME \"c\" COMMAND \"own\")\n";
        let all = commands(text);
        let [first, second] = &all[..] else { panic!("{all:?}") };
        let first = Command::of(first);
        assert!(first.sorted && first.output.as_deref() == Some("x.txt"));
        assert_eq!(first.words, ["run_kernel", "k.cl", "1", "2", "1", "1"]);
        assert!(Command::of(second).program(Path::new("/nowhere")).unwrap().is_none());
        assert!(first.program(Path::new("/nowhere")).is_err());
    }
}
