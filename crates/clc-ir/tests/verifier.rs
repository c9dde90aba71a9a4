//! For each invariant of the verifier, a module that breaks it and nothing else.

/// The number of the invariant, the body of a function with parameters `v0: i32`, `v1: bool`,
/// `v2: ptr(crossworkgroup, i32)`, and what the message must contain.
const BODIES: &[(u32, &str, &str)] = &[
    (1, "b0(v0: i32, v1: bool):\n return", "parameters of the entry"),
    (1, "b0(PARAMS):\n jump b1\nb1:\n jump b0(v0, v1, v2)", "goes to the entry"),
    (2, "b0(PARAMS):\n jump b5", "is removed"),
    (2, "b0(PARAMS):\n jump b1\nb1(v3: i32):\n return", "0 arguments for 1 parameters"),
    (2, "b0(PARAMS):\n jump b1(v1)\nb1(v3: i32):\n return", "a bool"),
    (2, "b0(PARAMS):\n missing", "no terminator"),
    (2, "b0(PARAMS):\n branch v0, b1, b1\nb1:\n return", "is not a bool"),
    (4, "b0(PARAMS):\n v3: i32 = not v4\n v4: i32 = not v0\n return", "does not dominate"),
    (
        4,
        "b0(PARAMS):\n branch v1, b1, b2\nb1:\n v3: i32 = not v0\n jump b2\nb2:\n v4: i32 = not v3\n return",
        "does not dominate",
    ),
    (4, "b0(PARAMS):\n v3: i32 = not v9\n return", "v9 does not exist"),
    (5, "b0(PARAMS):\n v3: i32 = iadd v0, v1\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i32 = fadd v0, v0\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i32 = xor v0, v0 nsw\n return", "`nsw` is said of"),
    (5, "b0(PARAMS):\n v3: i32 = eq v0, v0\n return", "wrong types"),
    (12, "b0(PARAMS):\n store v2, v0 align 4 unwritten\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i64 = trunc v0\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i32 = select v0, v0, v0\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i64 = bitcast v0\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: ptr(workgroup, i32) = bitcast v2\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: ptr(workgroup, i32) = ptr_add v2, v0\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i32x2 = construct {v0}\n return", "wrong types"),
    (5, "b0(PARAMS):\n v3: i32x2 = shuffle null i32x2, null i32x2 [0, 4]\n return", "wrong types"),
    (
        5,
        "b0(PARAMS):\n v3: matrix(i32, 4, 4, a) = intrinsic Matrix(Fill)(v1)\n return",
        "wrong types",
    ),
    (
        5,
        "b0(PARAMS):\n v3: matrix(i32, 4, 4, a) = intrinsic Matrix(Load)(v2, v0, v0)\n return",
        "wrong types",
    ),
    (
        5,
        "b0(PARAMS):\n v3: matrix(i32, 4, 4, a) = intrinsic Matrix(Fill)(v0)\n v4: matrix(i32, 4, 4, a) = intrinsic Matrix(MulAdd)(v3, v3, v3)\n return",
        "wrong types",
    ),
    (
        5,
        "b0(PARAMS):\n v3: matrix(i32, 4, 4, a) = intrinsic Matrix(Fill)(v0)\n v4: matrix(i32, 4, 4, b) = intrinsic Matrix(Convert)(v3)\n return",
        "wrong types",
    ),
    (
        6,
        "b0(PARAMS):\n v3: i32 = not v0\n v4: ptr(function, i32) = variable i32 align 4\n return",
        "a variable after other instructions",
    ),
    (
        6,
        "b0(PARAMS):\n jump b1\nb1:\n v4: ptr(function, i32) = variable i32 align 4\n return",
        "a variable after other instructions",
    ),
    (7, "b0(PARAMS):\n v3: i32 = extract null i32x2 [2]\n return", "wrong types"),
    (
        7,
        "b0(PARAMS):\n v3: ptr(function, struct0) = variable struct0 align 4\n v4: ptr(function, i32) = access v3 [v0]\n return",
        "wrong types",
    ),
    (
        7,
        "b0(PARAMS):\n v3: ptr(function, struct0) = variable struct0 align 4\n v4: ptr(function, i32) = access v3 [i32 2]\n return",
        "wrong types",
    ),
    (8, "b0(PARAMS):\n switch v1, b1 [1: b1]\nb1:\n return", "selector"),
    (8, "b0(PARAMS):\n switch v0, b1 [1: b1, 1: b1]\nb1:\n return", "case twice"),
    (8, "b0(PARAMS):\n switch v0, b1 [4294967296: b1]\nb1:\n return", "does not fit"),
    (9, "b0(PARAMS):\n return v0", "returns i32"),
    (10, "b0(PARAMS):\n call f0(v1)\n return", "wrong types"),
    (10, "b0(PARAMS):\n call f1(v0)\n return", "wrong types"),
    (10, "b0(PARAMS):\n call f9()\n return", "wrong types"),
    (12, "b0(PARAMS):\n store v2, v1 align 4\n return", "wrong types"),
    (12, "b0(PARAMS):\n v3: i64 = load v2 align 4\n return", "wrong types"),
    (12, "b0(PARAMS):\n v3: i32 = load v2 align 3\n return", "wrong types"),
    (12, "b0(PARAMS):\n v3: ptr(function, bool) = variable bool align 1\n return", "wrong types"),
    // The rules of structured control flow, one after the other.
    (
        14,
        "b0(PARAMS) selection b1:\n branch v1, b1, b2\nb2:\n branch v1, b3, b1\nb3:\n jump b1\nb1:\n return",
        "selects without a merge block",
    ),
    (14, "b0(PARAMS) selection b1:\n jump b1\nb1:\n return", "nothing to select"),
    (
        14,
        "b0(PARAMS):\n jump b1\nb1 loop b3 continue b2:\n branch v1, b2, b3\nb2:\n jump b1\nb3:\n return",
        "does not end in a jump",
    ),
    (
        14,
        "b0(PARAMS) selection b1:\n branch v1, b1, b2\nb2 selection b1:\n branch v1, b3, b1\nb3:\n jump b1\nb1:\n return",
        "a role for both",
    ),
    (
        14,
        "b0(PARAMS) selection b0:\n branch v1, b1, b2\nb1:\n return\nb2:\n return",
        "does not come before its merge block",
    ),
    (
        14,
        "b0(PARAMS):\n jump b1\nb1 loop b3 continue b2:\n jump b2\nb2:\n v3: i32 = not v0\n jump b1\nb3:\n return",
        "does more than to go back",
    ),
    (
        14,
        "b0(PARAMS) selection b3:\n branch v1, b1, b2\nb1 selection b4:\n branch v1, b4, b5\nb5:\n jump b3\nb4:\n jump b3\nb2:\n jump b3\nb3:\n return",
        "that it cannot leave from there",
    ),
    (
        14,
        "b0(PARAMS) selection b4:\n switch v0, b4 [0: b1, 1: b2]\nb1:\n jump b2\nb2:\n jump b4\nb4:\n return",
        "a case of",
    ),
];

fn module_with(body: &str) -> String {
    let body = body.replace("PARAMS", "v0: i32, v1: bool, v2: ptr(crossworkgroup, i32)");
    format!(
        "module ptr64\n\
         struct0 \"s\" size 8 align 4 {{ i32 @0 \"a\", i32 @4 \"b\" }}\n\
         function f0 \"callee\"(i32) void import\n\
         function f1 \"kernel\"() void kernel \"kernel\" {{\nb0:\n  return\n}}\n\
         function f2 \"f\"(i32, bool, ptr(crossworkgroup, i32)) void {{\n{body}\n}}\n"
    )
}

#[test]
fn each_broken_invariant_is_found() {
    for (number, body, expected) in BODIES {
        let text = module_with(body);
        let module = clc_ir::parse::module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        match clc_ir::verify::module(&module) {
            Ok(()) => panic!("invariant {number} is broken unnoticed in\n{text}"),
            Err(error) => {
                assert!(error.message.contains(expected), "invariant {number}: {error}\n{text}");
            }
        }
    }
}

#[test]
fn a_sound_body_is_accepted() {
    let text = module_with("b0(PARAMS):\n v3: i32 = not v0\n call f0(v3)\n return");
    let module = clc_ir::parse::module(&text).expect("the text is right");
    clc_ir::verify::module(&module).expect("nothing is broken");
}

#[test]
fn unreachable_code_need_not_be_dominated() {
    let text = module_with(
        "b0(PARAMS):\n return\nb1:\n v3: i32 = not v4\n jump b2\nb2:\n v4: i32 = not v0\n jump b1",
    );
    let module = clc_ir::parse::module(&text).expect("the text is right");
    clc_ir::verify::module(&module).expect("control does not get there");
}

#[test]
fn instructions_and_parameters_are_in_one_place() {
    let text = module_with("b0(PARAMS):\n v3: i32 = not v0\n return");
    let mut module = clc_ir::parse::module(&text).expect("the text is right");
    let function = module.functions.values_mut().last().expect("a function");
    let entry = function.entry();
    let inst = function.blocks[entry].insts[0];
    function.blocks[entry].insts.push(inst);
    let error = clc_ir::verify::module(&module).expect_err("invariant 3 is broken");
    assert!(error.message.contains("occurs twice"), "{error}");
}

#[test]
fn globals_and_constants_are_checked() {
    for (text, expected) in [
        ("g0 \"x\" crossworkgroup i32 align 4 = i64 1", "its initializer i64"),
        ("g0 \"x\" crossworkgroup i32 align 3", "alignment"),
        ("g0 \"x\" crossworkgroup i32 align 4 = null i32", "null of i32"),
        ("g0 \"x\" crossworkgroup [2]i32 align 4 = c0\nc0 = composite [2]i32 {i32 1}", "1 parts"),
        (
            "g0 \"x\" crossworkgroup [1]i32 align 4 = c0\nc0 = composite [1]i32 {i64 1}",
            "part 0 of [1]i32 is i64",
        ),
        ("g0 \"x\" crossworkgroup f16 align 4 = f16 0x10000", "f16 0x10000"),
    ] {
        let text = format!("module ptr64\n{text}\n");
        let module = clc_ir::parse::module(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let error = clc_ir::verify::module(&module).expect_err(&text);
        assert!(error.message.contains(expected), "{error}\n{text}");
    }
}
