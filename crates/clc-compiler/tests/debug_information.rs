//! `-g`: what modules say of their source, read back word by word, and that it changes no code.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;

use clc::cli::Request;
use clc::{Artifact, DebugLevel, Emit, NoIncludes, OptLevel, TargetEnv};

/// Numbers of both instruction sets (section 4 of their specifications).
const COMPILATION_UNIT: u32 = 1;
const TYPE_BASIC: u32 = 2;
const TYPE_POINTER: u32 = 3;
const TYPE_QUALIFIER: u32 = 4;
const TYPE_ARRAY: u32 = 5;
const TYPE_VECTOR: u32 = 6;
const TYPE_ENUM: u32 = 9;
const TYPE_COMPOSITE: u32 = 10;
const TYPE_MEMBER: u32 = 11;
const GLOBAL_VARIABLE: u32 = 18;
const FUNCTION: u32 = 20;
const LEXICAL_BLOCK: u32 = 21;
const SCOPE: u32 = 23;
const INLINED_AT: u32 = 25;
const LOCAL_VARIABLE: u32 = 26;
const DECLARE: u32 = 28;
const VALUE: u32 = 29;
const SOURCE: u32 = 35;
const FUNCTION_DEFINITION: u32 = 101;

const OP_STRING: u32 = 7;
const OP_LINE: u32 = 8;
const OP_EXT_INST_IMPORT: u32 = 11;
const OP_EXT_INST: u32 = 12;
const OP_CONSTANT: u32 = 43;

const PROGRAM: &str = "\
struct Node { int value; float4 v; global struct Node *next; };
enum Color { RED, GREEN = 5 };
constant int table[4] = {1, 2, 3, 4};
int square(int n) {
    int result = n * n;
    return result;
}
kernel void work(global const int *in, global int *out, float scale) {
    int total = in[0];
    struct Node node = {1, (float4)(scale), 0};
    for (int i = 0; i < in[1]; i++) {
        int step = square(i) + table[i & 3];
        if (step > 3) {
            int extra = step / in[2];
            total += extra;
            out[1] = extra;
        }
    }
    enum Color color = in[3] > 0 ? GREEN : RED;
    out[0] = total + node.value + color;
}
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    OpenCl,
    Vulkan,
}

/// A module as debuggers read it.
struct Module {
    is_shader: bool,
    strings: HashMap<u32, String>,
    numbers: HashMap<u32, u32>,
    /// Instructions of the set: id, number and operands, in order.
    instructions: Vec<(u32, u32, Vec<u32>)>,
    has_lines: bool,
}

impl Module {
    fn read(words: &[u32], is_shader: bool) -> Module {
        let (mut strings, mut numbers) = (HashMap::new(), HashMap::new());
        let (mut set, mut has_lines) = (0, false);
        let mut instructions = Vec::new();
        let mut rest = &words[5..];
        while let Some(&first) = rest.first() {
            let (inst, next) = rest.split_at((first >> 16) as usize);
            rest = next;
            match first & 0xffff {
                OP_STRING => {
                    strings.insert(inst[1], text(&inst[2..]));
                }
                OP_LINE => has_lines = true,
                OP_EXT_INST_IMPORT if text(&inst[2..]).contains("DebugInfo") => set = inst[1],
                OP_CONSTANT if inst.len() == 4 => {
                    numbers.insert(inst[2], inst[3]);
                }
                OP_EXT_INST if inst[3] == set => {
                    instructions.push((inst[2], inst[4], inst[5..].to_vec()));
                }
                _ => {}
            }
        }
        Module { is_shader, strings, numbers, instructions, has_lines }
    }

    fn all(&self, number: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let found = self.instructions.iter().filter(move |(_, it, _)| *it == number);
        found.map(|(id, _, operands)| (*id, operands.as_slice()))
    }

    fn get(&self, id: u32) -> (u32, &[u32]) {
        let found = self.instructions.iter().find(|(it, _, _)| *it == id);
        let (_, number, operands) =
            found.unwrap_or_else(|| panic!("%{id} is no debug instruction"));
        (*number, operands)
    }

    fn text(&self, id: u32) -> &str {
        &self.strings[&id]
    }

    /// A number that one of the sets has as a word.
    fn number(&self, operand: u32) -> u32 {
        if self.is_shader { self.numbers[&operand] } else { operand }
    }

    fn named(&self, number: u32, name: &str) -> (u32, &[u32]) {
        let mut found = self.all(number).filter(|(_, operands)| self.text(operands[0]) == name);
        found.next().unwrap_or_else(|| panic!("no `{name}` of {number}"))
    }

    /// A type in the words of C, with offsets and sizes in bytes of members.
    fn ty(&self, id: u32) -> String {
        let (number, operands) = self.get(id);
        match number {
            TYPE_BASIC => self.text(operands[0]).to_owned(),
            TYPE_POINTER => {
                let class = self.number(operands[1]);
                format!("{}({class})*", self.ty(operands[0]))
            }
            TYPE_QUALIFIER => {
                let words = ["const", "volatile", "restrict", "atomic"];
                let word = words[self.number(operands[1]) as usize];
                format!("{word} {}", self.ty(operands[0]))
            }
            TYPE_VECTOR => format!("{}x{}", self.ty(operands[0]), self.number(operands[1])),
            TYPE_ARRAY => format!("{}[{}]", self.ty(operands[0]), self.numbers[&operands[1]]),
            TYPE_ENUM => {
                let values = operands[8..].chunks(2);
                let values =
                    values.map(|it| format!("{}={}", self.text(it[1]), self.numbers[&it[0]]));
                let name = self.text(operands[0]);
                format!("enum {name} {{{}}}", values.collect::<Vec<_>>().join(","))
            }
            TYPE_COMPOSITE => {
                let members = operands[9..].iter().map(|&member| {
                    let (number, member) = self.get(member);
                    assert_eq!(number, TYPE_MEMBER);
                    let at = if self.is_shader { 5 } else { 6 };
                    let [offset, size] = [at, at + 1].map(|at| self.numbers[&member[at]] / 8);
                    format!("{} {} @{offset}+{size}", self.ty(member[1]), self.text(member[0]))
                });
                let members = members.collect::<Vec<_>>().join("; ");
                format!("struct {} {{{members}}}", self.text(operands[0]))
            }
            _ => panic!("%{id} is no type"),
        }
    }

    /// The names of the scopes around something, innermost first; blocks by their lines.
    fn scopes(&self, scope: u32) -> String {
        let (number, operands) = self.get(scope);
        match number {
            COMPILATION_UNIT => "unit".to_owned(),
            FUNCTION => format!("{} < {}", self.text(operands[0]), self.scopes(operands[5])),
            LEXICAL_BLOCK => {
                format!("{} < {}", self.number(operands[1]), self.scopes(operands[3]))
            }
            _ => panic!("%{scope} is no scope"),
        }
    }

    /// Type, line and scope of a local variable, and which argument it is.
    fn local(&self, name: &str) -> (String, u32, String, u32) {
        let (_, operands) = self.named(LOCAL_VARIABLE, name);
        let argument = operands.get(7).map_or(0, |&argument| self.number(argument));
        let line = self.number(operands[3]);
        (self.ty(operands[1]), line, self.scopes(operands[5]), argument)
    }

    /// How often a variable is said to be in memory, or to have a value.
    fn said(&self, number: u32, name: &str) -> usize {
        let is_it = |operands: &[u32]| self.text(self.get(operands[0]).1[0]) == name;
        self.all(number).filter(|(_, operands)| is_it(operands)).count()
    }
}

fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = bytes.iter().position(|&byte| byte == 0).unwrap();
    String::from_utf8(bytes[..end].to_vec()).unwrap()
}

fn module(target: Target, level: OptLevel, debug: DebugLevel) -> Module {
    let mut options = Request::of_options(&[] as &[&str]).unwrap().options;
    if target == Target::Vulkan {
        options.target = TargetEnv::from_name("vulkan1.3").unwrap().into();
    }
    options.target.debug = debug;
    options.opt_level = level;
    let compilation =
        clc::compile("dir/p.cl", PROGRAM.as_bytes(), Emit::Spirv, &options, &mut NoIncludes);
    assert!(compilation.internal_error.is_none(), "{:?}", compilation.internal_error);
    Module::read(compilation.words().unwrap(), target == Target::Vulkan)
}

fn check_tables(target: Target, level: OptLevel) {
    let module = module(target, level, DebugLevel::Full);
    let (_, source) = module.all(SOURCE).next().unwrap();
    assert_eq!((module.text(source[0]), module.text(source[1])), ("dir/p.cl", PROGRAM));
    assert_eq!(module.all(COMPILATION_UNIT).count(), 1);
    assert_eq!(module.has_lines, target == Target::OpenCl);

    // `global` and `constant` pointers of shaders are addresses in buffers.
    let global = if target == Target::Vulkan { 5349 } else { 5 };
    let node = format!(
        "struct Node {{int value @0+4; floatx4 v @16+16; struct Node {{}}({global})* next @32+8}}"
    );
    let local = |name| module.local(name);
    let kernel = "work < unit";
    let expected = [
        ("in", format!("const int({global})*"), 8, kernel.to_owned(), 1),
        ("out", format!("int({global})*"), 8, kernel.to_owned(), 2),
        ("total", "int".to_owned(), 9, kernel.to_owned(), 0),
        ("node", node, 10, kernel.to_owned(), 0),
        ("i", "int".to_owned(), 11, format!("11 < {kernel}"), 0),
        ("step", "int".to_owned(), 12, format!("11 < 11 < {kernel}"), 0),
        ("extra", "int".to_owned(), 14, format!("13 < 11 < 11 < {kernel}"), 0),
        ("color", "enum Color {RED=0,GREEN=5}".to_owned(), 19, kernel.to_owned(), 0),
        ("n", "int".to_owned(), 4, "square < unit".to_owned(), 1),
        ("result", "int".to_owned(), 5, "square < unit".to_owned(), 0),
    ];
    for (name, ty, line, scope, argument) in expected {
        assert_eq!(local(name), (ty, line, scope, argument), "{name}");
    }
    let (_, table) = module.named(GLOBAL_VARIABLE, "table");
    assert_eq!(module.number(table[3]), 3);
    assert!(module.ty(table[1]).ends_with("int[4]"), "{}", module.ty(table[1]));
    let (_, function) = module.named(FUNCTION, "work");
    assert_eq!((module.number(function[3]), module.number(function[4])), (8, 13));
    if target == Target::Vulkan {
        assert!(module.all(FUNCTION_DEFINITION).count() > 0);
    }
}

#[test]
fn opencl_without_optimisation() {
    check_tables(Target::OpenCl, OptLevel::O0);
    let module = module(Target::OpenCl, OptLevel::O0, DebugLevel::Full);
    // Everything is in memory, each variable at one place.
    for name in ["in", "total", "node", "i", "step", "extra", "color", "n", "result"] {
        assert_eq!((module.said(DECLARE, name), module.said(VALUE, name)), (1, 0), "{name}");
    }
    assert_eq!(module.all(INLINED_AT).count(), 0);
}

#[test]
fn opencl_with_optimisation() {
    check_tables(Target::OpenCl, OptLevel::O);
    check_values(&module(Target::OpenCl, OptLevel::O, DebugLevel::Full));
}

#[test]
fn vulkan_without_optimisation() {
    check_tables(Target::Vulkan, OptLevel::O0);
}

#[test]
fn vulkan_with_optimisation() {
    check_tables(Target::Vulkan, OptLevel::O);
    check_values(&module(Target::Vulkan, OptLevel::O, DebugLevel::Full));
}

/// Variables have become values, and `square` is part of its caller.
fn check_values(module: &Module) {
    assert_eq!(module.all(DECLARE).count(), 0);
    for name in ["in", "total", "node", "i", "step", "extra", "color", "n", "result"] {
        assert!(module.said(VALUE, name) > 0, "{name}");
    }
    let (inlined, call) = module.all(INLINED_AT).next().unwrap();
    assert_eq!(module.number(call[0]), 12);
    assert_eq!(module.scopes(call[1]), "11 < 11 < work < unit");
    let mut scopes = module.all(SCOPE).filter(|(_, operands)| operands.get(1) == Some(&inlined));
    let (_, scope) = scopes.next().unwrap();
    assert_eq!(module.scopes(scope[0]), "square < unit");
}

/// What the source calls generic stays so where passes have found the address space of all there is.
#[test]
fn generic_pointers_are_said_where_none_is_left() {
    const SOURCE: &str = "void set(uchar *to, uchar x) { *to = x; }\n\
                          kernel void k(global uchar *p) { uchar x; set(&x, p[1]); p[0] = x; }\n";
    let mut options = Request::of_options(&["-cl-std=CL2.0"]).unwrap().options;
    for level in [OptLevel::O0, OptLevel::O] {
        for target in ["opencl2.0", "vulkan1.3"] {
            options.opt_level = level;
            options.target = TargetEnv::from_name(target).unwrap().into();
            options.target.debug = DebugLevel::Full;
            let compilation =
                clc::compile("p.cl", SOURCE.as_bytes(), Emit::Spirv, &options, &mut NoIncludes);
            assert!(compilation.internal_error.is_none(), "{:?}", compilation.internal_error);
            let module = Module::read(compilation.words().unwrap(), target == "vulkan1.3");
            const GENERIC: u32 = 8;
            let mut pointers = module.all(TYPE_POINTER);
            if target == "opencl2.0" {
                assert!(pointers.any(|(_, operands)| operands[1] == GENERIC));
            }
        }
    }
}

#[test]
fn lines_are_lines_and_nothing_is_nothing() {
    for target in [Target::OpenCl, Target::Vulkan] {
        let lines = module(target, OptLevel::O, DebugLevel::Lines);
        assert!(lines.has_lines && lines.instructions.is_empty());
        assert!(!lines.strings.values().any(|text| text == PROGRAM));
        let nothing = module(target, OptLevel::O, DebugLevel::None);
        assert!(!nothing.has_lines && nothing.strings.is_empty());
    }
}

/// The intermediate representation without what is said of the source.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_table = |prefix: &str| {
            let digits = word.strip_prefix(prefix);
            digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
        };
        let in_function = line.starts_with("  ");
        let is_debug = match in_function {
            true => ["debug", "memory", "holds"].contains(&word),
            false => word == "debug" || ["t", "s", "d", "p"].into_iter().any(is_table),
        };
        if is_debug {
            continue;
        }
        out.push_str(line.split_once(" @").filter(|_| in_function).map_or(line, |(it, _)| it));
        out.push('\n');
    }
    out
}

/// Files of `tests/execution` with their options; all of them where `CLC_DEBUG_INFO` is set.
fn kernels() -> Vec<(String, String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/execution");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
    files.sort();
    let step = if std::env::var_os("CLC_DEBUG_INFO").is_some() { 1 } else { 4 };
    let files = files.into_iter().step_by(step).filter_map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix("//@ options "));
        let options: Vec<String> =
            lines.flat_map(str::split_whitespace).map(str::to_owned).collect();
        let is_complete = !options.iter().any(|option| option.contains('{'));
        is_complete.then(|| (path.display().to_string(), text, options))
    });
    files.collect()
}

/// Also at the end of the last step, where nothing but words is left to make.
fn check_same_code(target: &str, level: &str) {
    let mut compared = 0;
    for (name, text, mut options) in kernels() {
        options.extend([format!("--target-env={target}"), level.to_owned()]);
        let ir = |debug: DebugLevel| {
            let mut options = Request::of_options(&options).unwrap().options;
            options.target.debug = debug;
            options.stop_after = Some("encoding".to_owned());
            let compilation =
                clc::compile(&name, text.as_bytes(), Emit::Ir, &options, &mut NoIncludes);
            assert!(
                compilation.internal_error.is_none(),
                "{name}: {:?}",
                compilation.internal_error
            );
            match compilation.artifact {
                Some(Artifact::Text(text)) => Some(text),
                _ => None,
            }
        };
        let (without, with) = (ir(DebugLevel::None), ir(DebugLevel::Full));
        assert_eq!(without.is_some(), with.is_some(), "{name}");
        if let (Some(without), Some(with)) = (without, with) {
            assert!(with.contains("\ndebug ptr64\n") && !without.contains("\ndebug"), "{name}");
            let (without, mut with) = (code(&without), code(&with));
            // Constants that only variables hold.
            let known: HashSet<&str> = without.lines().collect();
            let is_code = |line: &&str| line.starts_with(' ') || known.contains(line);
            with = with.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect();
            let differs = without.lines().zip(with.lines()).find(|(left, right)| left != right);
            assert_eq!(without.len(), with.len(), "{name}: {differs:?}");
            assert!(differs.is_none(), "{name}: {differs:?}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared} files");
}

#[test]
fn it_changes_no_code_for_opencl() {
    check_same_code("opencl3.0", "-O");
}

#[test]
fn it_changes_no_code_for_vulkan() {
    check_same_code("vulkan1.3", "-O");
}

#[test]
fn it_changes_no_code_without_optimisation() {
    check_same_code("vulkan1.3", "-O0");
}

#[test]
fn options_say_how_much() {
    let folder = tempfile::tempdir().unwrap();
    let (source, module) = (folder.path().join("p.cl"), folder.path().join("p.spv"));
    std::fs::write(&source, PROGRAM).unwrap();
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clc"));
        let output = command.args(options).arg(&source).arg("-o").arg(&module).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    };
    let sets = |options: &[&str]| {
        let (code, stderr) = run(options);
        assert_eq!(code, Some(0), "{stderr}");
        let bytes = std::fs::read(&module).unwrap();
        let words: Vec<u32> =
            bytes.chunks(4).map(|it| u32::from_le_bytes(it.try_into().unwrap())).collect();
        let module = Module::read(&words, options.contains(&"--target-env=vulkan1.3"));
        (module.has_lines, !module.instructions.is_empty())
    };
    let vulkan = "--target-env=vulkan1.3";
    assert_eq!(sets(&[]), (false, false));
    assert_eq!(sets(&["-g"]), (true, false));
    assert_eq!(sets(&["-g1"]), (true, false));
    assert_eq!(sets(&["-g3"]), (true, true));
    assert_eq!(sets(&["-g", "--debug-info=none"]), (false, false));
    assert_eq!(sets(&["-g", vulkan]), (false, true));
    assert_eq!(sets(&["-gline-tables-only", vulkan]), (true, false));
    assert_eq!(sets(&["-g0", vulkan]), (false, false));
    // Without the extension that makes instructions without meaning possible, lines are left.
    assert_eq!(
        sets(&["-g", "--target-env=vulkan1.1", "--spirv-ext=-SPV_KHR_non_semantic_info"]),
        (true, false)
    );
    let (code, stderr) = run(&["--debug-info=everything"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("the levels are none, lines and full"), "{stderr}");
}
