//! Whole files: outline, colours, hints and folds.

use clc_base::AddressSpace;

use super::analyse;
use crate::{FoldKind, SymbolKind, TokenClass};

#[test]
fn the_outline_has_what_a_file_declares() {
    let source = "#define N 4\nstruct s { int a, b; };\ntypedef float4 vec;\nenum { A, B };\n\
                  constant int t[N] = { 0 };\nkernel void k(void) { int local_one; }\nint f(int x);\n";
    let (analysis, _) = analyse(source);
    let symbols = analysis.symbols();
    let shown: Vec<(&str, SymbolKind)> =
        symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.kind)).collect();
    assert_eq!(
        shown,
        [
            ("N", SymbolKind::Macro),
            ("s", SymbolKind::Record),
            ("vec", SymbolKind::Typedef),
            ("A", SymbolKind::Enumerator),
            ("B", SymbolKind::Enumerator),
            ("t", SymbolKind::Variable),
            ("k", SymbolKind::Kernel),
            ("f", SymbolKind::Function),
        ]
    );
    assert_eq!(symbols[1].children.len(), 2);
    for symbol in &symbols {
        assert!(symbol.range.start <= symbol.name_range.start);
        assert!(symbol.name_range.end <= symbol.range.end);
    }
}

#[test]
fn names_are_coloured_by_their_memory() {
    let source = "constant int c[2] = { 1, 2 };\nkernel void k(global int *g, local int *l, int n) {\n\
                  local int tile[4]; int i = n + c[0]; g[i] = l[i] + tile[i]; barrier(CLK_LOCAL_MEM_FENCE);\n}\n\
                  #if 0\nint skipped;\n#endif\n";
    let (analysis, _) = analyse(source);
    let tokens = analysis.tokens();
    let of = |name: &str| {
        let found = tokens
            .iter()
            .rfind(|token| &source[token.range.start as usize..token.range.end as usize] == name);
        found.map(|token| (token.class, token.modifiers)).unwrap()
    };
    assert_eq!(of("g").1.space, Some(AddressSpace::Global));
    assert_eq!(of("l").1.space, Some(AddressSpace::Local));
    assert_eq!(of("tile").1.space, Some(AddressSpace::Local));
    assert_eq!((of("c").1.space, of("c").1.readonly), (Some(AddressSpace::Constant), true));
    assert_eq!((of("i").0, of("i").1.space), (TokenClass::Variable, Some(AddressSpace::Private)));
    assert_eq!(of("n").0, TokenClass::Parameter);
    assert!(of("barrier").1.library);
    assert_eq!(of("kernel").0, TokenClass::Keyword);
    assert_eq!(of("CLK_LOCAL_MEM_FENCE").0, TokenClass::Macro);
    assert_eq!(of("int skipped;").0, TokenClass::Comment);
    // In order, and none over another.
    assert!(tokens.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
}

fn hints(source: &str) -> String {
    let (analysis, _) = analyse(source);
    let mut text = source.to_owned();
    for hint in analysis.hints(0, source.len() as u32).iter().rev() {
        text.insert_str(hint.offset as usize, &format!("<{}>", hint.label));
    }
    text
}

#[test]
fn deduced_address_spaces_are_shown() {
    // The target has generic pointers (OpenCL C 6.7.5).
    assert_eq!(hints("void f(int *p) {}"), "void f(int <generic >*p) {}");
    assert_eq!(
        hints("void f(global int *p) { int *global *q; }"),
        "void f(global int *p) { int <generic >*global *q; }"
    );
    assert_eq!(
        hints("typedef local int li; void f(li *p) {}"),
        "typedef local int li; void f(li *p) {}"
    );
    assert_eq!(hints("void f(void) { int x; int a[4]; }"), "void f(void) { int x; int a[4]; }");
    assert_eq!(hints("void f(int **p);"), "void f(int **p);");
}

#[test]
fn blocks_comments_and_conditions_fold() {
    let source = "// a\n// b\n// c\n#include \"x\"\n#include \"y\"\nvoid f(void) {\n  /* d\n  e */\n}\n\
                  #if 1\nint x;\n#else\nint y;\n#endif\n";
    let (analysis, _) = analyse(source);
    let folds: Vec<(u32, u32, FoldKind)> =
        analysis.folds().iter().map(|fold| (fold.first_line, fold.last_line, fold.kind)).collect();
    assert_eq!(
        folds,
        [
            (0, 2, FoldKind::Comment),
            (3, 4, FoldKind::Includes),
            (5, 7, FoldKind::Block),
            (6, 7, FoldKind::Comment),
            (9, 10, FoldKind::Condition),
            (11, 12, FoldKind::Condition),
        ]
    );
}
