//! The text form: everything it can say is read back as it was written, and nonsense is refused
//! with the line it is in.

use clc_ir::TypeKind;

const EVERYTHING: &str = r#"module ptr32
struct0 "node" size 8 align 4 { i32 @0 "value", ptr(crossworkgroup, struct0) @4 "next" }
struct1 "packed \"one\"" size 5 align 1 packed { i8 @0 "", f32 @1 "x" }
g0 "table" uniformconstant [3]i16 align 2 const = c0
g1 "list" crossworkgroup struct0 align 4 export = c1
g2 "scratch" workgroup [4]f32x4 align 16
g3 "elsewhere" crossworkgroup i32 align 4 import
g4 "middle" crossworkgroup ptr(crossworkgroup, i32) align 4 = c2
g5 "code" crossworkgroup ptr(crossworkgroup, i8) align 4 = f1 as ptr(crossworkgroup, i8)
c0 = composite [3]i16 {i16 1, i16 -2, i16 3}
c1 = composite struct0 {i32 7, g1}
c2 = access ptr(crossworkgroup, i32) g1 step -1 [i32 0]
c3 = cast ptr(crossworkgroup, i8) c2

function f0 "declared"(ptr(function, i32) "p" no_write no_alias volatile by_value align 16, i8 sign_extend, i8 zero_extend) bool import no_inline const pure

function f1 "main"(ptr(crossworkgroup, i32) "out", image2d(read_only), sampler, f64) void export always_inline kernel "main" reqd 8 4 1 hint 16 1 1 vec_type 262149 sub_group 32 contraction_off arg "out" "int*" "restrict" none global arg "image" "image2d_t" "" read_only global {
b0(v0: ptr(crossworkgroup, i32), v1: image2d(read_only), v2: sampler, v3: f64):
  v4: ptr(function, i32x4) = variable i32x4 align 16
  v5: i32 = load v0 align 4 volatile nontemporal
  store v0, v5 align 1
  copy_memory v0, v0, i32 4 align 4 volatile
  v6: f32 = f_to_f v3 rtz sat
  v7: f32 = fadd v6, f32 0x7fc00000 nnan ninf nsz arcp fast contract
  v8: bool = flt v7, f32 0x0
  v9: i32 = select v8, v5, undef i32
  v10: ptr(crossworkgroup, i32) = ptr_add v0, v9
  v11: ptr(function, i32) = access v4 [i32 0]
  v12: i32x4 = load v4 align 16
  v13: i32 = extract v12 [3]
  v14: i32x4 = insert v12, v13 [0]
  v15: i32 = extract_dynamic v14, v13
  v16: i32x4 = insert_dynamic v14, v15, i32 2
  v17: i32x2 = shuffle v16, null i32x4 [7, undef]
  v18: i32x4 = construct {v17, v17}
  v19: bool = call f0(v11, i8 1, i8 -1)
  v20: f32x4 = intrinsic ReadImageSampled(Float)(v1, v2, v17)
  intrinsic VstoreHalf(Some(TowardZero))(v6, i32 0, null ptr(crossworkgroup, f16))
  v21: i32 = intrinsic WorkGroup(Reduce, SMax)(v5)
  v22: ptr(generic, i32) = to_generic v0
  v23: ptr(workgroup, i32) = generic_to v22 local
  v24: i32 = not v5
  store c3, i8 0 align 1
  v25: f32x4 = intrinsic ReadImageSampled(Float)(v1, sampler 18, v17)
  v28: i32 = iadd v24, spec i32 3 1
  v29: matrix(f16, 16, 8, a) = intrinsic Matrix(Load)(null ptr(crossworkgroup, f16), i32 0, i32 8)
  v30: matrix(f16, 8, 16, b) = intrinsic Matrix(Fill)(f16 0x3c00)
  v31: matrix(f32, 16, 16, accumulator) = intrinsic Matrix(MulAdd)(v29, v30, undef matrix(f32, 16, 16, accumulator))
  v32: matrix(i8, 4, 4, a, signed) = intrinsic Matrix(Fill)(i8 1)
  v33: matrix(i8, 4, 4, a) = intrinsic Matrix(Convert)(v32)
  v34: i32 = intrinsic Matrix(Length)(v33)
  branch v8, b2(v5, true), b1
b2(v26: i32, v27: bool) unroll_count 4 merge b1 continue b7:
  jump b7
b7:
  switch v26, b1 [1: b2(v26, v27), 4294967295: b2(i32 0, false)]
b1:
  return
b9:
  unreachable
}

function f2 "structured"(bool) void export {
b0(v0: bool) selection b2:
  branch v0, b1, b2
b1 loop b4 continue b3:
  jump b5
b5 selection b6:
  branch v0, b4, b6
b6:
  jump b3
b3:
  jump b1
b4:
  jump b2
b2:
  return
}
"#;

#[test]
fn everything_round_trips() {
    let module = clc_ir::parse::module(EVERYTHING).expect("the text is right");
    clc_ir::verify::module(&module).expect("the module is right");
    let mut text = String::new();
    clc_ir::print::module(&module, &mut text);
    assert_eq!(text, EVERYTHING);
}

const DEBUG: &str = r#"module ptr64
c0 = composite i32x2 {i32 1, i32 2}
debug ptr64
t0 basic "int" 4 signed
t1 qualified t0 const
t2 pointer t1 crossworkgroup
t3 vector t0 2
t4 array t3 10
t5 struct "Node" 16 @10 14 { "value" t0 0 4 @20 25, "next" t6 8 8 @30 34 }
t6 pointer t5 crossworkgroup
t7 enum "Color" t0 @40 45 { "RED" 0, "GREEN" -5 }
s0 scope @50 54 function "main" "main" void (t2, t7) @60 99 export
s1 scope @70 80 in s0
s2 scope @100 103 function "get" "get" t0 () @110 120
d0 variable "p" t2 @55 56 in s0 argument 1
d1 variable "pair" t3 @72 76 in s1
d2 variable "table" t4 @1 6 global "main.table"
p0 place s0
p1 place s1
p2 place s2 inlined @74 79 p1

function f0 "main"(ptr(crossworkgroup, i32) "p") void export {
  debug p0
  memory d1 p1 part 4 4 v1
b0(v0: ptr(crossworkgroup, i32)):
  v1: ptr(function, i32) = variable i32 align 4 @72 76 p1
  holds d0 p0 v0
  holds d1 p1 c0
  v2: i32 = load v0 align 4 @74 79 p2
  store v1, v2 align 4
  holds d0 p0 unknown
  return @90 96 p0
}
"#;

#[test]
fn debug_information_round_trips() {
    let module = clc_ir::parse::module(DEBUG).expect("the text is right");
    clc_ir::verify::module(&module).expect("the module is right");
    let mut text = String::new();
    clc_ir::print::module(&module, &mut text);
    assert_eq!(text, DEBUG);
}

#[test]
fn debug_information_names_what_there_is() {
    for (right, wrong, message) in [
        ("t1 qualified t0", "t1 qualified t9", "names a type that it does not have"),
        ("s1 scope @70 80 in s0", "s1 scope @70 80 in s1", "names a scope around a scope"),
        ("s1 scope @70 80 in s0", "s1 scope @70 80", "names a scope of a function"),
        ("@72 76 in s1", "@72 76 in s7", "names a scope that it does not have"),
        ("p0 place s0", "p0 place s8", "names a scope that it does not have"),
        ("inlined @74 79 p1", "inlined @74 79 p2", "names a place that it does not have"),
        ("@74 79 p2\n", "@74 79 p5\n", "in a scope that is not there"),
        ("debug p0", "debug p6", "the function is in a scope that is not there"),
        ("holds d0 p0 v0", "holds d3 p0 v0", "d3 is not a variable of the source"),
        ("holds d0 p0 v0", "holds d0 p0 v2", "v2"),
        ("part 4 4 v1", "part 4 4 v0", "d1 is not in private memory"),
    ] {
        assert!(DEBUG.contains(right), "{right}");
        let text = DEBUG.replacen(right, wrong, 1);
        let module =
            clc_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}: {wrong}"));
        let error = clc_ir::verify::module(&module).expect_err(wrong);
        assert!(error.message.contains(message), "{wrong}: {error}");
    }
    for (right, wrong) in [
        ("t1 qualified", "t2 qualified"),
        ("  debug p0\n", ""),
        ("ptr64\nt0", "ptr16\nt0"),
        ("basic \"int\" 4 signed", "basic \"int\" 4 sealed"),
    ] {
        assert!(DEBUG.contains(right), "{right}");
        let text = DEBUG.replacen(right, wrong, 1);
        assert!(clc_ir::parse::module(&text).is_err(), "{wrong}");
    }
}

#[test]
fn any_cut_text_is_an_error_or_a_module() {
    for end in 0..EVERYTHING.len() {
        if EVERYTHING.is_char_boundary(end) {
            let _ = clc_ir::parse::module(&EVERYTHING[..end]);
        }
    }
}

/// A struct may be declared before those that its members have; its alignment follows from theirs.
#[test]
fn structs_come_in_any_order() {
    let text = "module ptr64\nstruct0 \"A\" size 16 align 8 { struct1 @0 \"b\", ptr(generic, struct0) @8 \"next\" }\n\
                struct1 \"B\" size 8 align 8 { [1]i64 @0 \"l\" }\n";
    let module = clc_ir::parse::module(text).unwrap();
    let types = &module.types;
    let mut structs = types.iter().filter(|(_, kind)| matches!(kind, TypeKind::Struct(_)));
    assert_eq!(types.natural_align(structs.next().unwrap().0), 8);
    let mut again = String::new();
    clc_ir::print::module(&module, &mut again);
    assert_eq!(again, text);
}

#[test]
fn errors_name_their_line() {
    for (text, line, message) in [
        ("", 0, "expected `module`"),
        ("module ptr16\n", 1, "expected `ptr32` or `ptr64`"),
        ("module ptr64\ng0 \"x\" global i32 align 4\n", 2, "`global` is not known here"),
        (
            "module ptr64\nfunction f0 \"f\"() void {\nb0:\n  v0: i32 = frob v1\n}\n",
            4,
            "`frob` is not an instruction",
        ),
        ("module ptr64\nfunction f1 \"f\"() void\n", 2, "functions are numbered"),
        ("module ptr64\ng0 \"x\" workgroup [0]i32 align 4\n", 2, "at least one element"),
        ("module ptr64\nfunction f0 \"f\"() void {\n  return\n}\n", 3, "outside of a block"),
        ("module ptr64\ng0 \"x\" workgroup struct0 align 4\n", 2, "`struct0` has no line"),
        (
            "module ptr64\nstruct0 \"s\" size 4 align 4 { struct1 @0 \"a\" }\n",
            3,
            "`struct1` has no line",
        ),
        (
            "module ptr64\nstruct0 \"s\" size 4 align 4 { [2]struct0 @0 \"a\" }\n",
            2,
            "`struct0` is a part of itself",
        ),
        ("module ptr64\nstruct4000000 \"s\" size 4 align 4 { }\n", 2, "number is too big"),
        ("module ptr64\nstruct0 \"s\" size 4 align 4 { }\nstruct0 \"s\"", 3, "expected `size`"),
        (
            "module ptr64\nstruct0 \"s\" size 0 align 1 { }\nstruct0 \"s\" size 0 align 1 { }\n",
            3,
            "`struct0` has two lines",
        ),
    ] {
        let error = clc_ir::parse::module(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(error.line.abs_diff(line) <= 1, "{text}: {error}");
    }
}
