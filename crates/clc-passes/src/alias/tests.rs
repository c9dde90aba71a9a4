//! For each source of knowledge: accesses that it tells apart, and such that it must not.

use clc_ir::{InstKind, MemoryAccess, Value};

use super::addresses::{Access, Effective, classes_meet};
use super::{Aliases, Recent};
use Alias::{May, Must, No};

/// What two accesses have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alias {
    /// They have no byte in common.
    No,
    /// They may have bytes in common.
    May,
    /// They are to the same bytes.
    Must,
}

/// The answer for two accesses, by everything that is known.
fn compare(left: &Access, right: &Access) -> Alias {
    if left.is_beside(right) {
        return No;
    }
    if left.size == right.size && left.distance(right) == Some((0, true)) {
        return Must;
    }
    let types_meet = left.effective == right.effective
        || left.effective == Effective::Any
        || right.effective == Effective::Any;
    let may = left.base == right.base
        || (classes_meet(left.class, right.class)
            && left.object.may_be(right.object)
            && types_meet);
    if may { May } else { No }
}

/// What the last two accesses of a function have to do with each other, one way and the other.
fn alias(parameters: &str, body: &str) -> Alias {
    let text = format!(
        "module ptr64\n\
         struct0 \"pair\" size 8 align 4 {{ i32 @0 \"first\", f32 @4 \"second\" }}\n\
         g0 \"one\" workgroup [64]f32 align 4\n\
         g1 \"other\" workgroup [64]f32 align 4\n\
         function f0 \"callee\"(ptr(crossworkgroup, i32)) void import\n\
         function f1 \"f\"({signature}) void export {{\nb0({params}):\n{body}\n  return\n}}\n",
        signature = signature(parameters),
        params = params(parameters),
        body = body.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n"),
    );
    let module = clc_ir::parse::module(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    clc_ir::verify::module(&module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let function = module.functions.values().last().expect("the function");
    let aliases = Aliases::new(&module.types, &module.consts, function);
    let mut accesses: Vec<Access> = Vec::new();
    for &inst in &function.blocks[function.entry()].insts {
        let found: Option<(Value, MemoryAccess)> = match function.insts[inst].kind {
            InstKind::Load { pointer, access } => Some((pointer, access)),
            InstKind::Store { pointer, value: _, access } => Some((pointer, access)),
            _ => None,
        };
        if let Some((pointer, how)) = found {
            accesses.push(aliases.access(function, pointer, how));
        }
    }
    let &[.., left, right] = &accesses[..] else { panic!("two accesses:\n{text}") };
    let answer = compare(&left, &right);
    assert_eq!(answer, compare(&right, &left), "{text}");
    for (left, right) in [(left, right), (right, left)] {
        // Counting says the same.
        let mut recent = Recent::new(function);
        recent.note(left, ());
        assert!(recent.at(&left).is_some());
        recent.touch(&right);
        assert_eq!(recent.at(&left).is_some(), answer == No, "{text}");
    }
    answer
}

/// The types of parameters, and which are `restrict`: each is `class type` or `class type restrict` for
/// a pointer, or the type of something else.
fn parsed(parameters: &str) -> impl Iterator<Item = (String, bool)> + '_ {
    parameters.split(", ").map(|parameter| {
        let words: Vec<&str> = parameter.split(' ').collect();
        match words[..] {
            [class, ty] => (format!("ptr({class}, {ty})"), false),
            [class, ty, "restrict"] => (format!("ptr({class}, {ty})"), true),
            _ => (parameter.to_owned(), false),
        }
    })
}

fn signature(parameters: &str) -> String {
    let mut all = Vec::new();
    for (index, (ty, is_restrict)) in parsed(parameters).enumerate() {
        all.push(format!("{ty} \"p{index}\"{}", if is_restrict { " no_alias" } else { "" }));
    }
    all.join(", ")
}

fn params(parameters: &str) -> String {
    let all = parsed(parameters).enumerate().map(|(index, (ty, _))| format!("v{index}: {ty}"));
    all.collect::<Vec<_>>().join(", ")
}

#[test]
fn storage_classes() {
    let body = "v2: i32 = load v0 align 4\n store v1, v2 align 4";
    assert_eq!(alias("crossworkgroup i32, workgroup i32", body), No);
    assert_eq!(alias("crossworkgroup i32, crossworkgroup i32", body), May);
    assert_eq!(alias("generic i32, crossworkgroup i32", body), May);
    assert_eq!(alias("generic i32, workgroup i32", body), May);
    // OpenCL C 6.7.5: constant memory is not part of the generic address space.
    assert_eq!(
        alias(
            "uniformconstant i32, generic i32",
            "v2: i32 = load v0 align 4\n store v1, v2 align 4"
        ),
        No
    );
}

#[test]
fn variables() {
    let distinct = "v1: ptr(function, i32) = variable i32 align 4
        v2: ptr(function, i32) = variable i32 align 4
        store v1, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(alias("i32", distinct), No);
    let unknown = "v1: ptr(function, i32) = variable i32 align 4
        store v0, v1 align 8
        v2: ptr(function, i32) = load v0 align 8
        store v1, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(alias("crossworkgroup ptr(function,i32)", unknown), May);
    let own = "v1: ptr(function, i32) = variable i32 align 4
        v2: ptr(function, i32) = load v0 align 8
        store v1, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(alias("crossworkgroup ptr(function,i32)", own), No);
    let parameter = "v1: ptr(function, i32) = variable i32 align 4
        store v1, i32 1 align 4
        store v0, i32 1 align 4";
    assert_eq!(alias("function i32", parameter), No);
    // Through a generic pointer that is known to be of the variable.
    let generic = "v1: ptr(function, i32) = variable i32 align 4
        v2: ptr(generic, i32) = to_generic v1
        store v1, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(alias("i32", generic), Must);
}

#[test]
fn variables_of_the_module() {
    let body = |right: &str| {
        format!(
            "v1: ptr(workgroup, f32) = access g0 [v0]
             v2: ptr(workgroup, f32) = access {right} [v0]
             store v1, f32 0x0 align 4
             store v2, f32 0x0 align 4"
        )
    };
    assert_eq!(alias("i32", &body("g1")), No);
    assert_eq!(alias("i32", &body("g0")), Must);
    // A pointer to `local` memory may be to either.
    let argument = "v2: ptr(workgroup, f32) = access g0 [v0]
        store v1, f32 0x0 align 4
        store v2, f32 0x0 align 4";
    assert_eq!(alias("i32, workgroup f32", argument), May);
}

#[test]
fn restrict() {
    let body = "store v0, i32 1 align 4\n store v1, i32 1 align 4";
    assert_eq!(alias("crossworkgroup i32 restrict, crossworkgroup i32", body), No);
    assert_eq!(alias("crossworkgroup i32, crossworkgroup i32", body), May);
    // C99 6.7.3.1: expressions based on the pointer are to its object.
    let based = "v2: ptr(crossworkgroup, i32) = ptr_add v0, v1
        store v0, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(alias("crossworkgroup i32 restrict, i64", based), May);
    let chosen = "v3: ptr(crossworkgroup, i32) = select v2, v0, v1
        store v0, i32 1 align 4
        store v3, i32 1 align 4";
    assert_eq!(alias("crossworkgroup i32 restrict, crossworkgroup i32, bool", chosen), May);
    // What is based on it is not what another parameter was from the start.
    let beside = "v3: ptr(crossworkgroup, i32) = select v2, v0, v1
        store v0, i32 1 align 4
        store v1, i32 1 align 4";
    assert_eq!(alias("crossworkgroup i32 restrict, crossworkgroup i32, bool", beside), No);
    let given = "call f0(v0)
        v2: ptr(crossworkgroup, i32) = load v1 align 8
        store v0, i32 1 align 4
        store v2, i32 1 align 4";
    assert_eq!(
        alias("crossworkgroup i32 restrict, crossworkgroup ptr(crossworkgroup,i32)", given),
        May
    );
}

#[test]
fn distances() {
    let at = |left: &str, right: &str| {
        let body = format!(
            "v3: i32 = iadd v1, i32 1
             v4: i64 = sext v3
             v5: i64 = sext v1
             v6: i64 = zext v3
             v7: i64 = iadd v2, i64 1
             v8: ptr(crossworkgroup, i32) = ptr_add v0, {left}
             v9: ptr(crossworkgroup, i32) = ptr_add v0, {right}
             store v8, i32 1 align 4
             store v9, i32 1 align 4"
        );
        alias("crossworkgroup i32, i32, i64", &body)
    };
    assert_eq!(at("i64 0", "i32 1"), No);
    assert_eq!(at("i64 1", "i32 1"), Must);
    assert_eq!(at("v1", "v3"), No);
    assert_eq!(at("v1", "v4"), No);
    assert_eq!(at("v1", "v5"), Must);
    assert_eq!(at("v2", "v7"), No);
    assert_eq!(at("v1", "i32 0"), May);
    assert_eq!(at("v1", "v2"), May);
    // Extended with zeros it is another number where it is negative.
    assert_eq!(at("v1", "v6"), May);
    // Widths: the eight bytes at 0 reach the four at 4, not those at 8.
    let wide = |index: u32| {
        let body = format!(
            "v1: ptr(crossworkgroup, i64) = bitcast v0
             v2: ptr(crossworkgroup, i32) = ptr_add v0, i32 {index}
             store v1, i64 1 align 4
             store v2, i32 1 align 4"
        );
        alias("crossworkgroup i32", &body)
    };
    assert_eq!((wide(0), wide(1), wide(2)), (May, May, No));
    // Sums in 32 bits may wrap: 2^31 elements further on is perhaps as far back.
    let far = "v2: i32 = iadd v1, i32 -2147483648
        v3: i64 = sext v2
        v4: i64 = sext v1
        v5: ptr(crossworkgroup, i8) = ptr_add v0, v3
        v6: ptr(crossworkgroup, i8) = ptr_add v0, v4
        v7: ptr(crossworkgroup, i8) = ptr_add v6, i64 2147483648
        store v5, i8 1 align 1
        store v7, i8 1 align 1";
    assert_eq!(alias("crossworkgroup i8, i32", far), May);
}

#[test]
fn members() {
    let body = |left: u32, right: u32, right_base: &str| {
        let ty = |index: u32| if index == 0 { "i32" } else { "f32" };
        let value = |index: u32| if index == 0 { "i32 1" } else { "f32 0x0" };
        format!(
            "v3: ptr(crossworkgroup, struct0) = ptr_add v0, v1
             v4: ptr(crossworkgroup, struct0) = ptr_add v0, v2
             v5: ptr(crossworkgroup, {}) = access v3 [i32 {left}]
             v6: ptr(crossworkgroup, {}) = access {right_base} [i32 {right}]
             store v5, {} align 4
             store v6, {} align 4",
            ty(left),
            ty(right),
            value(left),
            value(right)
        )
    };
    let parameters = "crossworkgroup struct0, i64, i64";
    assert_eq!(alias(parameters, &body(0, 1, "v3")), No);
    assert_eq!(alias(parameters, &body(1, 1, "v3")), Must);
    assert_eq!(alias(parameters, &body(0, 1, "v4")), May);
}

#[test]
fn effective_types() {
    let stored =
        |left: &str, left_value: &str, right: &str, right_value: &str, words: (&str, &str)| {
            let body = format!(
                "store v0, {left_value} align 1{}\n store v1, {right_value} align 1{}",
                words.0, words.1
            );
            alias(&format!("crossworkgroup {left}, crossworkgroup {right}"), &body)
        };
    let typed = (" typed", " typed");
    assert_eq!(stored("i32", "i32 1", "f32", "f32 0x0", typed), No);
    assert_eq!(stored("i32", "i32 1", "i16", "i16 1", typed), No);
    assert_eq!(stored("i32", "i32 1", "i64", "i64 1", typed), No);
    // `int` and `unsigned int` are one here, as C99 has it.
    assert_eq!(stored("i32", "i32 1", "i32", "i32 1", typed), May);
    // Characters, and vectors.
    assert_eq!(stored("i32", "i32 1", "i8", "i8 1", typed), May);
    assert_eq!(stored("f32", "f32 0x0", "f32x4", "null f32x4", typed), May);
    // One side promises nothing: a member of a union.
    assert_eq!(stored("i32", "i32 1", "f32", "f32 0x0", (" typed", "")), May);
    assert_eq!(stored("i32", "i32 1", "f32", "f32 0x0", ("", " typed")), May);
    // The same address, or one computed from it, says more than types.
    let cast = |index: &str| {
        let body = format!(
            "v2: ptr(crossworkgroup, f32) = bitcast v0
             v3: ptr(crossworkgroup, f32) = ptr_add v2, {index}
             v4: ptr(crossworkgroup, i32) = ptr_add v0, v1
             store v3, f32 0x0 align 4 typed
             store v4, i32 1 align 4 typed"
        );
        alias("crossworkgroup i32, i64", &body)
    };
    assert_eq!(cast("v1"), Must);
    assert_eq!(cast("i64 3"), May);
}
