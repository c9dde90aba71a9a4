//! Functions move from one module to another with what they need, and with nothing else.

use clc_base::Span;
use clc_ir::{
    FuncId, InstKind, Linkage, MathFlags, Module, ValueList, import, parse, print, verify,
};

const LIBRARY: &str = r#"module ptr64
struct0 "node" size 16 align 8 { i64 @0 "value", ptr(uniformconstant, struct0) @8 "next" }
g0 "unused" uniformconstant i32 align 4 const export = i32 9
g1 "table" uniformconstant [2]f32 align 4 const export = c0
g2 "loop" uniformconstant struct0 align 8 const = c1
c0 = composite [2]f32 {f32 0x3f800000, f32 0x40000000}
c1 = composite struct0 {i64 5, g2}

function f0 "unused"(i32) i32 export {
b0(v0: i32):
  return v0
}

function f1 "helper"(f32x2) f32 export {
b0(v0: f32x2):
  v1: ptr(function, struct0) = variable struct0 align 8
  v2: ptr(uniformconstant, f32) = access g1 [i32 1]
  v3: f32 = load v2 align 4
  v4: f32 = extract v0 [1]
  v5: f32 = fadd v3, v4 contract
  v6: bool = ne g2, null ptr(uniformconstant, struct0)
  branch v6, b1(v5), b2
b1(v7: f32):
  return v7
b2:
  v8: f32 = call f3(v4)
  jump b1(v8)
}

function f2 "wanted"(f32) f32 export {
b0(v0: f32):
  v1: f32x2 = construct {v0, f32 0x40400000}
  v2: f32 = call f1(v1)
  return v2
}

function f3 "elsewhere"(f32) f32 import
"#;

const PROGRAM: &str = r#"module ptr64
struct0 "user" size 4 align 4 { i32 @0 "x" }
g0 "mine" workgroup struct0 align 4

function f0 "main"(f32) void export kernel "main" {
b0(v0: f32):
  return
}
"#;

fn read(text: &str) -> Module {
    let module = parse::module(text).unwrap();
    verify::module(&module).unwrap();
    module
}

#[test]
fn what_a_function_reaches_comes_along() {
    let library = read(LIBRARY);
    let mut program = read(PROGRAM);
    let roots = import(&mut program, &library, &[FuncId(2), FuncId(2)]);
    assert_eq!(roots, [FuncId(1), FuncId(1)]);
    verify::module(&program).unwrap();
    let names: Vec<&str> = program.functions.values().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "wanted", "helper", "elsewhere"]);
    let linkage: Vec<Linkage> = program.functions.values().map(|f| f.linkage).collect();
    assert_eq!(linkage, [Linkage::Export, Linkage::Internal, Linkage::Internal, Linkage::Import]);
    let globals: Vec<&str> = program.globals.values().map(|global| global.name.as_str()).collect();
    assert_eq!(globals, ["mine", "table", "loop"]);

    let mut text = String::new();
    print::module(&program, &mut text);
    for line in [
        r#"struct1 "node" size 16 align 8 { i64 @0 "value", ptr(uniformconstant, struct1) @8 "next" }"#,
        "v1: ptr(function, struct1) = variable struct1 align 8",
        "v2: ptr(uniformconstant, f32) = access g1 [i32 1]",
        "v6: bool = ne g2, null ptr(uniformconstant, struct1)",
        "v8: f32 = call f3(v4)",
        "v2: f32 = call f2(v1)",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // The text reads back, constants that contain their own global among it.
    let again = read(&text);
    let mut repeated = String::new();
    print::module(&again, &mut repeated);
    assert_eq!(text, repeated);
}

#[test]
fn what_was_dropped_stays_behind() {
    let mut library = read(LIBRARY);
    let function = &mut library.functions[FuncId(2)];
    let kind = InstKind::Call { callee: FuncId(99), arguments: ValueList::EMPTY };
    function.create_inst(kind, None, MathFlags::NONE, Span::NONE.into());
    let mut program = read(PROGRAM);
    import(&mut program, &library, &[FuncId(2)]);
    verify::module(&program).unwrap();
    assert_eq!(program.functions.len(), 4);
}

#[test]
fn several_imports_do_not_disturb_each_other() {
    let library = read(LIBRARY);
    let mut program = read(PROGRAM);
    import(&mut program, &library, &[FuncId(0)]);
    assert_eq!(program.functions.len(), 2);
    assert_eq!(program.globals.len(), 1);
    let roots = import(&mut program, &library, &[FuncId(1), FuncId(0)]);
    assert_eq!(roots, [FuncId(2), FuncId(3)]);
    verify::module(&program).unwrap();
}

/// What passes took out of a body may name functions that the module no longer has.
#[test]
fn what_was_taken_out_of_a_body_stays_behind() {
    let mut library = read(
        r#"module ptr64

function f0 "wanted"(f32) f32 export {
b0(v0: f32):
  v1: f32 = call f1(v0)
  return v0
}

function f1 "gone"(f32) f32 import
"#,
    );
    let mut wanted = library.functions.values().next().unwrap().clone();
    let block = *wanted.layout.first().unwrap();
    wanted.blocks[block].insts.clear();
    library.functions = Default::default();
    let root = library.functions.push(wanted);
    let mut program = read(PROGRAM);
    import(&mut program, &library, &[root]);
    verify::module(&program).unwrap();
    let mut text = String::new();
    print::module(&program, &mut text);
    assert!(text.contains("\"wanted\"") && !text.contains("call"), "{text}");
}
