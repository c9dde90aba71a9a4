use super::*;

/// What becomes of a function, as text, which the verifier accepts.
fn after(body: &str) -> String {
    let text = format!("module ptr64\n\n{body}");
    let mut module = clc_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    run(&mut module);
    let mut out = String::new();
    clc_ir::print::module(&module, &mut out);
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{out}"));
    for function in module.functions.values() {
        assert!(!has_wide_values(&module.types, function), "{out}");
    }
    out
}

#[track_caller]
fn expect(body: &str, expected: &[&str]) {
    let found = after(body);
    for line in expected {
        assert!(found.contains(line), "no `{line}` in\n{found}");
    }
}

#[test]
fn operations_are_done_four_components_at_a_time() {
    expect(
        "function f0 \"f\"(i32x8, i32x8) i32x8 export {\n\
         b0(v0: i32x8, v1: i32x8):\n  v2: i32x8 = iadd v0, v1\n  v3: boolx8 = slt v2, v1\n  \
         v4: i32x8 = select v3, v0, v2\n  v5: i32x8 = intrinsic SMax(v4, v0)\n  return v5\n}\n",
        &[
            "function f0 \"f\"([2]i32x4, [2]i32x4) [2]i32x4 export {",
            "boolx4 = slt",
            "i32x4 = intrinsic SMax(",
        ],
    );
}

#[test]
fn parameters_of_blocks_and_calls_are_arrays() {
    expect(
        "function f0 \"f\"(f32x16, i32) f32x16 export {\n\
         b0(v0: f32x16, v1: i32):\n  v2: bool = eq v1, i32 0\n  branch v2, b1(v0), b2\n\
         b1(v3: f32x16):\n  return v3\n\
         b2:\n  v4: f32x16 = call f0(v0, i32 0)\n  jump b1(v4)\n}\n",
        &["b1(v3: [4]f32x4)", "v4: [4]f32x4 = call f0(v0, i32 0)"],
    );
}

#[test]
fn components_are_taken_from_where_they_are() {
    expect(
        "function f0 \"f\"(i16x16, i16) i16 export {\n\
         b0(v0: i16x16, v1: i16):\n  v2: i16x16 = insert v0, v1 [13]\n  v3: i16 = extract v2 [6]\n  \
         v4: i16x4 = shuffle v2, v2 [0, 4, 8, 12]\n  v5: i16 = extract v4 [3]\n  \
         v6: i16 = iadd v3, v5\n  return v6\n}\n",
        &["i16x4 = insert v", "[1]\n", "= construct {"],
    );
}

#[test]
fn an_index_that_is_computed_chooses_among_the_parts() {
    expect(
        "function f0 \"f\"(f32x8, i64, f32) f32 export {\n\
         b0(v0: f32x8, v1: i64, v2: f32):\n  v3: f32x8 = insert_dynamic v0, v2, v1\n  \
         v4: f32 = extract_dynamic v3, v1\n  return v4\n}\n",
        &["i32 = lshr v", "i32 = and v", "f32 = select v", "f32x4 = select v"],
    );
}

#[test]
fn bits_are_cut_and_joined() {
    // Eight bytes are no vector of a shader, so they go by way of two words.
    expect(
        "function f0 \"f\"(i64) i8x8 export {\nb0(v0: i64):\n  v1: i8x8 = bitcast v0\n  return v1\n}\n",
        &["i16x4 = bitcast v0", "i8x2 = bitcast v"],
    );
    expect(
        "function f0 \"f\"(i8x16) i32x4 export {\nb0(v0: i8x16):\n  v1: i32x4 = bitcast v0\n  \
         return v1\n}\n",
        &["i32 = bitcast v", "i32x4 = construct {"],
    );
}

#[test]
fn constants_and_structs_lose_their_large_vectors() {
    expect(
        "struct0 \"s\" size 64 align 32 { i32 @0 \"a\", [28]i8 @4 \"\", f32x8 @32 \"v\" }\n\
         c0 = composite f32x8 {f32 1, f32 2, f32 3, f32 4, f32 5, f32 6, f32 7, f32 8}\n\n\
         function f0 \"f\"(struct0) f32 export {\nb0(v0: struct0):\n  v1: f32 = extract v0 [2, 5]\n  \
         v2: struct0 = insert v0, c0 [2]\n  v3: f32x8 = extract v2 [2]\n  \
         v4: f32x8 = fadd v3, c0\n  v5: f32 = extract v4 [7]\n  v6: f32 = fadd v1, v5\n  \
         return v6\n}\n",
        &["[2]f32x4 @32", "extract v0 [2, 1, 1]", "c0 = composite f32x4 {", "fadd v8, c0"],
    );
}

#[test]
fn variables_without_uses_stay_as_they_are() {
    expect(
        "g0 \"old\" workgroup [24]i8x8 align 8\nc0 = access ptr(workgroup, i8x8) g0 step 0 [i32 1]\n\n\
         function f0 \"f\"(i8x8) i8x8 export {\nb0(v0: i8x8):\n  v1: i8x8 = iadd v0, v0\n  \
         return v1\n}\n",
        &["g0 \"old\" workgroup [24]i8x8 align 8"],
    );
}
