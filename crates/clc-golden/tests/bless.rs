//! A test that fails says what it expected and what it found; with `BLESS=1` it writes what it found, and then
//! passes. `BLESS` is a variable of the whole process, so the test that fails or is blessed runs in one of its own:
//! it is `of_a_folder`, which this program runs itself for.

use std::path::{Path, PathBuf};
use std::process::Command;

use clc_golden::{Comments, absent, after, beside, cases, in_order};

/// Names the folder of inputs to a process that runs `of_a_folder`.
const FOLDER: &str = "CLC_GOLDEN_FOLDER";

/// The stage that is tested: capital letters. It refuses digits.
fn upper(text: &str) -> Result<String, String> {
    match text.contains(|character: char| character.is_ascii_digit()) {
        true => Err("digits have no capitals".to_owned()),
        false => Ok(format!("{}\n", text.trim().to_uppercase())),
    }
}

#[test]
fn of_a_folder() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("cases") => cases(folder, 2, |case| upper(case.source)),
        Some("after") => after(folder, "in", upper),
        _ => beside(folder, "in", "out", |_, text| upper(text)),
    }
}

/// A folder of inputs.
struct Inputs {
    path: PathBuf,
    _all: tempfile::TempDir,
}

impl Inputs {
    fn new(form: &str, files: &[(&str, &str)]) -> Inputs {
        let all = tempfile::tempdir().unwrap();
        let path = all.path().join(form);
        std::fs::create_dir(&path).unwrap();
        for (name, text) in files {
            std::fs::write(path.join(name), text).unwrap();
        }
        Inputs { path, _all: all }
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap()
    }

    /// What the test says of the folder; empty if it passes.
    fn run(&self, blesses: bool) -> String {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "of_a_folder", "--nocapture"]).env(FOLDER, &self.path);
        match blesses {
            true => command.env("BLESS", "1"),
            false => command.env_remove("BLESS"),
        };
        let output = command.output().unwrap();
        match output.status.success() {
            true => String::new(),
            false => String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Blesses, and expects that all pass from then on.
    #[track_caller]
    fn bless(&self) {
        assert_eq!(self.run(true), "");
        assert_eq!(self.run(false), "");
    }
}

/// The words come in order in what was said.
#[track_caller]
fn says(said: &str, words: &[&str]) {
    assert_eq!(in_order(said, words.iter().copied()), Ok(()), "{said}");
}

#[test]
fn cases_are_compared_and_blessed() {
    let text = "=== one\na\n---\nA\n\n=== two\nb\n---\nX\n\n=== three\nc\n---\n";
    let inputs = Inputs::new("cases", &[("some.txt", text)]);
    let said = inputs.run(false);
    says(&said, &["some.txt: two\n--- expected\nX\n--- found\nB\n", "some.txt: three\n"]);
    assert_eq!(absent(&said, ["some.txt: one"]), Ok(()));
    assert_eq!(inputs.text("some.txt"), text);
    inputs.bless();
    let blessed = "=== one\na\n---\nA\n\n=== two\nb\n---\nB\n\n=== three\nc\n---\nC\n";
    assert_eq!(inputs.text("some.txt"), blessed);
}

#[test]
fn cases_that_are_refused_fail_and_keep_what_they_expect() {
    let text = "=== one\n1\n---\nkept\n\n=== two\nb\n---\nX\n";
    let inputs = Inputs::new("cases", &[("some.txt", text)]);
    for blesses in [false, true] {
        says(&inputs.run(blesses), &["some.txt: one\n", "digits have no capitals"]);
    }
    assert_eq!(inputs.text("some.txt"), text.replace('X', "B"));
}

#[test]
fn files_of_another_form_and_too_few_cases_are_failures() {
    let other = "no case\n";
    let case = "=== one\na\n---\nA\n";
    let inputs = Inputs::new("cases", &[("1.txt", other), ("2.txt", case)]);
    for blesses in [false, true] {
        says(&inputs.run(blesses), &["1.txt: \n", "the first line begins with `=== `"]);
    }
    assert_eq!(inputs.text("1.txt"), other);
    let inputs = Inputs::new("cases", &[("2.txt", case)]);
    says(&inputs.run(false), &["only 1 cases were found"]);
    says(&Inputs::new("cases", &[]).run(false), &["no `.txt` file in "]);
}

#[test]
fn outputs_behind_their_inputs_are_compared_and_blessed() {
    let files = [("a.in", "a\n\n;;; after\nX\n"), ("b.in", "b\n"), ("c.other", "c\n")];
    let inputs = Inputs::new("after", &files);
    let said = inputs.run(false);
    says(&said, &["a.in: \n--- expected\nX\n", "b.in: \nthere is no line `;;; after`; found\nB\n"]);
    inputs.bless();
    assert_eq!(inputs.text("a.in"), "a\n\n;;; after\nA\n");
    assert_eq!(inputs.text("b.in"), "b\n\n;;; after\nB\n");
    assert_eq!(inputs.text("c.other"), "c\n");

    let twice = "a\n;;; after\nA\n;;; after\nA\n";
    let inputs = Inputs::new("after", &[("a.in", twice), ("b.in", "1\n\n;;; after\nkept\n")]);
    for blesses in [false, true] {
        let said = inputs.run(blesses);
        says(&said, &["there are two lines `;;; after`", "digits have no capitals"]);
    }
    assert_eq!(inputs.text("a.in"), twice);
    assert_eq!(inputs.text("b.in"), "1\n\n;;; after\nkept\n");
}

#[test]
fn outputs_beside_their_inputs_are_compared_and_blessed() {
    let files = [("a.in", "a\n"), ("a.out", "X\n"), ("b.in", "b\n")];
    let inputs = Inputs::new("beside", &files);
    let said = inputs.run(false);
    says(&said, &["a.out (BLESS=1 rewrites it)\n--- expected\nX\n\n--- found\nA\n", "b.out: "]);
    inputs.bless();
    assert_eq!((inputs.text("a.out"), inputs.text("b.out")), ("A\n".to_owned(), "B\n".to_owned()));

    let files = [("a.in", "1\n"), ("a.out", "kept\n"), ("b.out", "B\n")];
    let inputs = Inputs::new("beside", &files);
    for blesses in [false, true] {
        let said = inputs.run(blesses);
        says(&said, &["digits have no capitals", "b.out: \nthere is no input for it"]);
    }
    assert_eq!(inputs.text("a.out"), "kept\n");
}

#[test]
fn comments_that_are_meant_for_a_reader_are_let_alone() {
    let source = "// What a test is not told of: nothing.\n// Not-a-keyword: x\n//ir: y\n// : z\n";
    let comments = Comments::parse(source, &["ir"]).unwrap();
    assert!(!comments.has("ir") && comments.all("ir").is_empty());
}
