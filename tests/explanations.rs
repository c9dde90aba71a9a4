//! The examples of `--explain`: each wrong one is diagnosed with exactly that code, each right one
//! compiles without it.
//!
//! An explanation has its examples in one of three forms:
//!
//! * a block of code whose lines end in `// wrong` or `// right`: the marked lines are tried one at
//!   a time, those without a mark are part of every example;
//! * a block of code after a paragraph `Wrong:` or `Right:`;
//! * code in backticks behind `Wrong:` or `Right:`: several with commas between them are as many
//!   examples, with `and` between them they are one.
//!
//! A line `// clc: OPTIONS` is the command line of its block. Blocks of `text` are command lines of
//! their own. A block that begins with `// NAME.cl` has several files, each headed by its name,
//! which are compiled with `-c` and linked. What else the examples need is in `explanations.txt`.
//!
//! An example is tried as a file, as the body of a kernel, as an expression, and as the head of a
//! statement; one of these has to do what the explanation says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clc::cli::Request;
use clc::{Emit, IncludeRequest, IncludeResolver, Included};
use clc_tests::process;
use libtest_mimic::{Arguments, Failed, Trial};

/// Explanations in words only. It can only become shorter: a code that has an example must leave.
const IN_WORDS: &[&str] = &[
    "E0002", "E0004", "E0005", "E0018", "E0019", "E0020", "E0021", "E0024", "E0028", "E0105",
    "E0109", "E0110", "E0111", "E0114", "E0204", "E0217", "E0219", "E0221", "E0224", "E0301",
    "E0306", "E0342", "E0347", "E0402", "E0404", "E0413", "E0426", "E0427", "E0432", "E0440",
    "E0441", "E0442", "E0443", "E0450", "E0451", "E0452", "E0454", "E0455", "E0457", "E0458",
    "E0502", "E0702", "E0707", "E0750", "E0901", "E0902", "W0001", "W0003", "W0004", "W0005",
    "W0009", "W0010", "W0011", "W0012", "W0013", "W0014", "W0015", "W0201", "W0202", "W0203",
    "W0204", "W0205", "W0206", "W0207", "W0208", "W0321", "W0322", "W0341", "W0342", "W0410",
    "W0411", "W0412", "W0420", "W0450", "W0451", "W0452", "W0453", "W0807", "W0810", "W0827",
    "W0832", "W0841", "W0842", "W0851", "W0854", "W0856", "W0857", "W0858", "W0872", "W0883",
];

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Wrong,
    Right,
}

struct Example {
    verdict: Verdict,
    text: String,
    options: Vec<String>,
    /// Command lines instead of a source.
    commands: bool,
}

/// What the examples of a code need around them.
#[derive(Clone, Default)]
struct Context {
    /// Declarations at program scope.
    file: String,
    /// Parameters of the kernel.
    parameters: Option<String>,
    /// Declarations at the head of the kernel.
    body: String,
    /// Files that the examples include or compile.
    files: BTreeMap<String, String>,
    options: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let contexts = contexts(include_str!("explanations.txt"));
    let trials = clc::codes::all()
        .map(|code| {
            let context = contexts.get(code.id).cloned().unwrap_or_default();
            Trial::test(format!("{} {}", code.id, code.name), move || {
                check(code.id, code.name, code.explain, &context)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// `E0421 body float4 x;`: the code, the kind and the text.
fn contexts(text: &str) -> BTreeMap<String, Context> {
    let mut contexts: BTreeMap<String, Context> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let (Some(code), Some(kind), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            panic!("explanations.txt: `{line}`");
        };
        let context = contexts.entry(code.to_owned()).or_default();
        match kind {
            "file" => context.file.push_str(&format!("{rest}\n")),
            "parameters" => context.parameters = Some(rest.to_owned()),
            "body" => context.body.push_str(&format!("{rest}\n")),
            "options" => context.options.extend(rest.split_whitespace().map(str::to_owned)),
            _ => {
                let text = rest.replace("\\n", "\n");
                assert!(kind.contains('.'), "explanations.txt: `{kind}` is not known");
                context.files.insert(kind.to_owned(), text);
            }
        }
    }
    contexts
}

fn check(id: &str, name: &str, explanation: &str, context: &Context) -> Result<(), Failed> {
    let examples = examples(explanation);
    let wrong = examples.iter().filter(|example| example.verdict == Verdict::Wrong).count();
    match (wrong, IN_WORDS.contains(&id)) {
        (0, false) => return Err(format!("{id} has no wrong example").into()),
        (1.., true) => return Err(format!("{id} has an example; take it off the list").into()),
        _ => {}
    }
    let mut complaints = String::new();
    for example in &examples {
        let judged = match example.commands {
            true => run_commands(id, example, context),
            false if file_name(example.text.lines().next().unwrap_or("")).is_some() => {
                link_example(id, example, context)
            }
            false => compile_example(id, name, example, context),
        };
        if let Err(complaint) = judged {
            let kind = if example.verdict == Verdict::Wrong { "wrong" } else { "right" };
            complaints.push_str(&format!("{kind} example:\n{}\n{complaint}\n", example.text));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
}

fn examples(explanation: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut verdict = None;
    let mut lines = explanation.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            match verdict.take() {
                Some(verdict) => {
                    examples.push(example(verdict, &block.join("\n"), language == "text"))
                }
                None => examples.extend(marked(&block)),
            }
            continue;
        }
        verdict = match line.split([':', ',']).next() {
            Some("Wrong") => Some(Verdict::Wrong),
            Some("Right") => Some(Verdict::Right),
            // A blank line is between `Wrong:` and its block.
            _ if line.is_empty() => verdict,
            _ => None,
        };
        let Some(found) = verdict else { continue };
        let mut paragraph = line.split_once(": ").map_or("", |(_, rest)| rest).to_owned();
        while let Some(next) = lines.next_if(|line| !line.is_empty() && !paragraph.is_empty()) {
            paragraph.push('\n');
            paragraph.push_str(next);
        }
        if paragraph.starts_with('`') {
            examples.extend(inline(&paragraph).iter().map(|text| example(found, text, false)));
            verdict = None;
        }
    }
    examples
}

fn example(verdict: Verdict, text: &str, commands: bool) -> Example {
    let mut options = Vec::new();
    let mut rest = String::new();
    for line in text.lines() {
        match line.split_once("// clc: ") {
            Some((before, given)) if before.trim().is_empty() => {
                options.extend(given.split_whitespace().map(str::to_owned));
            }
            _ => rest.push_str(&format!("{line}\n")),
        }
    }
    Example { verdict, text: rest.replace('…', ""), options, commands }
}

/// The examples of a block with marked lines.
fn marked(block: &[&str]) -> Vec<Example> {
    let mark = |line: &str| {
        let (_, comment) = line.rsplit_once("// ")?;
        if comment.starts_with("wrong") {
            Some(Verdict::Wrong)
        } else if comment.starts_with("right") {
            Some(Verdict::Right)
        } else {
            None
        }
    };
    let mut examples = Vec::new();
    for (index, line) in block.iter().enumerate() {
        let Some(verdict) = mark(line) else { continue };
        let kept: Vec<&str> = block
            .iter()
            .enumerate()
            .filter(|&(other, line)| other == index || mark(line).is_none())
            .map(|(_, line)| *line)
            .collect();
        examples.push(example(verdict, &kept.join("\n"), false));
    }
    examples
}

/// The code in a paragraph: `` `a`, `b` `` are two examples, `` `a` and `b` `` one. Anything else
/// behind code ends the list.
fn inline(paragraph: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = paragraph;
    let mut joins = false;
    while let Some((code, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        match found.last_mut() {
            Some(last) if joins => last.push_str(&format!("\n{code}")),
            _ => found.push(code.to_owned()),
        }
        joins = after.starts_with(" and `");
        let separators = [" and ", ", or ", ", ", " or ", ",\n"];
        let Some(next) = separators.iter().find_map(|text| after.strip_prefix(text)) else {
            break;
        };
        rest = next;
    }
    found
}

/// The files of a context, for `#include`.
struct Files<'c>(&'c Context);

impl IncludeResolver for Files<'_> {
    fn resolve(&mut self, request: &IncludeRequest<'_>) -> Result<Option<Included>, String> {
        Ok(self.0.files.get(request.name).map(|text| Included {
            name: request.name.to_owned(),
            contents: text.clone().into_bytes(),
            system: false,
        }))
    }
}

/// What many examples take for granted.
const PARAMETERS: &str =
    "global int *p, global float *out, constant int *table, local int *scratch";
const BODY: &str = "int x = 1, y = 2, n = 3, i = 0, a = 0, b = 0, c = 1, d = 2; float4 v, w, f4; \
                    int4 i4; float2 f2; int flags = 3;";
const FILE: &str =
    "int f(int); int g(void);\nint f(int x) { return x; }\nint g(void) { return 1; }\n";

/// The example in every role that it may have.
fn sources(text: &str, context: &Context) -> Vec<String> {
    let file = &context.file;
    let parameters = context.parameters.as_deref().unwrap_or(PARAMETERS);
    let body = if context.body.is_empty() { BODY } else { &context.body };
    let functions = if file.is_empty() { FILE } else { file };
    let kernel = |body: &str, text: &str| {
        format!("{functions}kernel void example({parameters}) {{\n{body}\n{text}\n}}\n")
    };
    let text = text.trim_end();
    vec![
        format!("{text}\n"),
        format!("{file}{text}\n"),
        kernel(body, text),
        kernel(body, &format!("{{ {text} }}")),
        kernel(body, &format!("{text};")),
        kernel(body, &format!("(void)({text});")),
        kernel(body, &format!("x = ({text});")),
        kernel(body, &format!("{text} {{ x = 2; }}")),
        kernel(body, &format!("{{ {text} {{ x = 2; }} }}")),
        kernel(body, &format!("{{ {text}; x = y; }}")),
        format!("{functions}int example({parameters}) {{\n{body}\n{{ {text} }}\n}}\n"),
        kernel("", text),
    ]
}

fn compile_example(
    id: &str,
    name: &str,
    example: &Example,
    context: &Context,
) -> Result<(), String> {
    let mut words = vec!["-cl-std=CL3.0".to_owned()];
    words.extend(context.options.iter().cloned());
    words.extend(example.options.iter().cloned());
    if id.starts_with('W') {
        words.push(format!("-W{name}"));
    }
    let Request { options, .. } = Request::of_options(&words)?;
    let mut complaints: Vec<String> = Vec::new();
    for source in sources(&example.text, context) {
        let mut files = Files(context);
        let compilation =
            clc::compile("example.cl", source.as_bytes(), Emit::Spirv, &options, &mut files);
        if let Some(error) = &compilation.internal_error {
            return Err(format!("internal error: {}", error.message));
        }
        let found = &compilation.diagnostics;
        let errors = || found.iter().filter(|diagnostic| diagnostic.is_error());
        let has_code = found.iter().any(|diagnostic| diagnostic.code.id == id);
        let fits = match example.verdict {
            Verdict::Wrong => has_code && errors().next().is_none_or(|error| error.code.id == id),
            Verdict::Right => !has_code && errors().next().is_none(),
        };
        if fits {
            return Ok(());
        }
        let texts: Vec<String> =
            found.iter().map(|one| format!("{} {}", one.code.id, one.message)).collect();
        let complaint = if texts.is_empty() {
            "  compiles".to_owned()
        } else {
            format!("  {}", texts.join("; "))
        };
        if !complaints.contains(&complaint) {
            complaints.push(complaint);
        }
    }
    Err(complaints.join("\n"))
}

/// A folder that is removed again.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Command lines, one after the other: of a wrong example the last reports the code, of a right one
/// all succeed.
fn run_commands(id: &str, example: &Example, context: &Context) -> Result<(), String> {
    let kind = if example.verdict == Verdict::Wrong { "wrong" } else { "right" };
    let folder = Folder(
        std::env::temp_dir().join(format!("clc-explanations-{}-{id}-{kind}", std::process::id())),
    );
    std::fs::create_dir_all(&folder.0).map_err(|error| error.to_string())?;
    for (name, text) in &context.files {
        std::fs::write(folder.0.join(name), text).map_err(|error| error.to_string())?;
    }
    // Modules that an example only links are made of the sources of their names.
    for name in context.files.keys().filter_map(|name| name.strip_suffix(".cl")) {
        let module = format!("{name}.spv");
        if !example.text.contains(&format!("-o {module}")) && example.text.contains(&module) {
            command(&folder.0, &["-c", &format!("{name}.cl"), "-o", &module])?;
        }
    }
    let mut last = String::new();
    for line in example.text.lines() {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        last = match command(&folder.0, &words) {
            Ok(said) => said,
            Err(said) => match example.verdict {
                Verdict::Wrong => said,
                Verdict::Right => return Err(said),
            },
        };
    }
    match example.verdict {
        Verdict::Wrong if last.contains(id) => Ok(()),
        Verdict::Wrong => Err(format!("no {id}:\n{last}")),
        Verdict::Right => Ok(()),
    }
}

/// `a.cl` of the line `// a.cl`.
fn file_name(line: &str) -> Option<&str> {
    line.strip_prefix("// ").filter(|name| name.ends_with(".cl") && !name.contains(' '))
}

/// Compiles and links the files of an example.
fn link_example(id: &str, example: &Example, context: &Context) -> Result<(), String> {
    let mut context = context.clone();
    let mut name = "";
    for line in example.text.lines() {
        match file_name(line) {
            Some(next) => name = next,
            None => {
                context.files.entry(name.to_owned()).or_default().push_str(&format!("{line}\n"))
            }
        }
    }
    let modules: Vec<String> =
        context.files.keys().map(|name| name.replace(".cl", ".spv")).collect();
    let text = format!("clc link {} -o program", modules.join(" "));
    let commands = Example { verdict: example.verdict, text, options: Vec::new(), commands: true };
    run_commands(id, &commands, &context)
}

fn command(folder: &Path, words: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clc-under-test"));
    command.current_dir(folder).env("NO_COLOR", "1").args(words);
    let finished = process::run(&mut command, b"", Duration::from_secs(60))
        .map_err(|error| error.to_string())?;
    let said = format!("{words:?}: {}\n{}", finished.how(), finished.stderr);
    if finished.code == Some(0) { Ok(said) } else { Err(said) }
}
