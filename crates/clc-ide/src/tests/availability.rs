//! What completion leaves out, and hover and signatures explain, by version and target.

use clc_base::Version;
use clc_builtins::{ExtensionSet, features};

use super::analyse_as;

fn target(version: Version, changes: &[&str]) -> ExtensionSet {
    let mut set = features::default_set(version, features::Target::OpenCl);
    for change in changes {
        features::apply_option(&mut set, change, version).unwrap();
    }
    set
}

/// What is offered in a function behind some letters.
fn offered(prefix: &str, version: Version, changes: &[&str]) -> Vec<String> {
    let source = format!("void f(void) {{ {prefix}$0 }}");
    let (analysis, offset) = analyse_as(&source, version, target(version, changes));
    analysis.completions(offset).1.into_iter().map(|item| item.label).collect()
}

fn is_offered(word: &str, version: Version, changes: &[&str]) -> bool {
    offered(word, version, changes).iter().any(|label| label == word)
}

fn hover(word: &str, version: Version, changes: &[&str]) -> String {
    let source = format!("void f(void) {{ $0{word}; }}");
    let (analysis, offset) = analyse_as(&source, version, target(version, changes));
    analysis.hover(offset).map_or_else(String::new, |hover| hover.text)
}

use Version::{V1_1, V1_2, V2_0, V3_0, V3_1};

/// Words, where they exist and where not, and what hover says there.
const WORDS: &[(&str, (Version, &[&str]), (Version, &[&str]), &str)] = &[
    ("generic", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
    ("pipe", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
    ("pipe", (V3_0, &["+__opencl_c_pipes"]), (V3_0, &["-__opencl_c_pipes"]), "`__opencl_c_pipes`"),
    ("double", (V1_2, &[]), (V1_2, &["-cl_khr_fp64", "-__opencl_c_fp64"]), "cl_khr_fp64"),
    ("double4", (V1_2, &[]), (V1_2, &["-cl_khr_fp64", "-__opencl_c_fp64"]), "cl_khr_fp64"),
    ("half4", (V1_2, &["+cl_khr_fp16"]), (V1_2, &["-cl_khr_fp16"]), "cl_khr_fp16"),
    ("atomic_int", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
    ("queue_t", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
    ("image2d_t", (V1_1, &[]), (V3_0, &["-__opencl_c_images"]), "`__opencl_c_images`"),
    (
        "image2d_msaa_t",
        (V2_0, &["+cl_khr_gl_msaa_sharing"]),
        (V2_0, &["-cl_khr_gl_msaa_sharing"]),
        "cl_khr_gl_msaa_sharing",
    ),
];

#[test]
fn types_and_keywords_are_offered_where_they_exist() {
    for &(word, with, without, reason) in WORDS {
        assert!(is_offered(word, with.0, with.1), "{word} {with:?}");
        assert!(!is_offered(word, without.0, without.1), "{word} {without:?}");
        let text = hover(word, with.0, with.1);
        assert!(!text.contains("not available"), "{word} {with:?}: {text}");
        let text = hover(word, without.0, without.1);
        let is_explained = text.contains("not available here: ") && text.contains(reason);
        assert!(is_explained, "{word} {without:?}: {text}");
    }
    // Storage of `half` takes no extension.
    assert!(is_offered("half", V1_2, &["-cl_khr_fp16"]));
}

#[test]
fn with_everything_nothing_is_left_out() {
    let version = V3_1;
    let (analysis, _) = analyse_as("$0", version, target(version, &["+all"]));
    let keywords = clc_syntax::token::keywords().map(|(spelling, _)| spelling.to_owned());
    let names = clc_syntax::parse::predeclared::names().map(str::to_owned);
    let words: Vec<String> =
        keywords.chain(names).chain(clc_syntax::parse::predeclared::vectors()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for (word, lacking) in words.iter().zip(analysis.lacking_words(&words)) {
        // Names that are reserved, and stand for no type in any version.
        let lacking = lacking.filter(|reason| !reason.starts_with("there is no type"));
        assert_eq!(lacking, None, "{word}");
    }
}

#[test]
fn builtins_are_offered_where_they_exist() {
    let with: &[(&str, (Version, &[&str]), (Version, &[&str]), &str)] = &[
        ("atomic_load", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
        ("get_pipe_num_packets", (V2_0, &[]), (V1_2, &[]), "needs OpenCL C 2.0"),
        ("popcount", (V1_2, &[]), (V1_1, &[]), "needs OpenCL C 1.2"),
        (
            "get_sub_group_size",
            (V3_0, &["+cl_khr_subgroups"]),
            (V1_2, &["-cl_khr_subgroups", "-cl_intel_subgroups"]),
            "needs",
        ),
        (
            "convert_double4",
            (V1_2, &[]),
            (V1_2, &["-cl_khr_fp64", "-__opencl_c_fp64"]),
            "needs cl_khr_fp64",
        ),
        ("convert_half4", (V1_2, &["+cl_khr_fp16"]), (V1_2, &["-cl_khr_fp16"]), "cl_khr_fp16"),
    ];
    for &(name, with, without, reason) in with {
        assert!(is_offered(name, with.0, with.1), "{name} {with:?}");
        assert!(!is_offered(name, without.0, without.1), "{name} {without:?}");
        let there =
            analyse_as(&format!("void f(void) {{ {name}($0); }}"), with.0, target(with.0, with.1));
        let help = there.0.signature(there.1).unwrap();
        let told = |signature: &crate::Signature| signature.documentation.contains("not available");
        assert!(!help.signatures.iter().any(told), "{name}");
        let source = format!("void f(void) {{ {name}($0); }}");
        let (analysis, offset) = analyse_as(&source, without.0, target(without.0, without.1));
        let help = analysis.signature(offset).unwrap();
        assert!(help.signatures.iter().all(told), "{name}");
        assert!(help.signatures[0].documentation.contains(reason), "{name}: {help:?}");
    }
}

#[test]
fn hover_explains_a_builtin_that_does_not_exist() {
    let source = "void f(void) { $0popcount(1); }";
    let (analysis, offset) = analyse_as(source, V1_1, target(V1_1, &[]));
    let text = analysis.hover(offset).unwrap().text;
    assert!(text.contains("not available here: `popcount` needs OpenCL C 1.2"), "{text}");
    let (analysis, offset) = analyse_as(source, V1_2, target(V1_2, &[]));
    assert!(!analysis.hover(offset).unwrap().text.contains("not available"));
}

#[test]
fn signatures_are_those_that_exist() {
    let source = "void f(void) { read_imagef($0); }";
    let count = |version: Version, changes: &[&str]| {
        let (analysis, offset) = analyse_as(source, version, target(version, changes));
        analysis.signature(offset).unwrap().signatures.len()
    };
    let (early, late) = (count(V1_1, &[]), count(V3_1, &["+all"]));
    assert!(0 < early && early < late, "{early} and {late}");
}

#[test]
fn pragmas_name_the_extensions_of_the_target() {
    let extensions = |changes: &[&str]| -> Vec<String> {
        let source = "#pragma OPENCL EXTENSION cl_khr_fp$0";
        let (analysis, offset) = analyse_as(source, V1_2, target(V1_2, changes));
        analysis.completions(offset).1.into_iter().map(|item| item.label).collect()
    };
    assert_eq!(extensions(&["+cl_khr_fp16"]), ["cl_khr_fp16", "cl_khr_fp64"]);
    assert_eq!(extensions(&["-cl_khr_fp16", "-cl_khr_fp64"]), [""; 0]);
}
