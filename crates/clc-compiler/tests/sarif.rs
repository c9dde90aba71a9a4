//! `--message-format=sarif`: what SARIF 2.1.0 (OASIS) requires, and that nothing is lost.

mod common;

use common::Folder;
use serde_json::Value;

/// What the standard says of the properties that are written: required ones, and types.
fn check(document: &Value) {
    assert_eq!(document["version"], "2.1.0");
    assert!(document["$schema"].as_str().unwrap().contains("sarif-2.1.0"));
    let runs = document["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "clc");
    assert!(driver["version"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        for key in ["id", "name"] {
            assert!(rule[key].is_string(), "{rule}");
        }
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[key]["text"].as_str().unwrap().is_empty(), "{rule}");
        }
        assert_level(&rule["defaultConfiguration"]["level"]);
    }
    let ids: std::collections::HashSet<_> = rules.iter().map(|rule| &rule["id"]).collect();
    assert_eq!(ids.len(), rules.len(), "a rule is listed twice");
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_level(&result["level"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        for location in result["locations"].as_array().into_iter().flatten() {
            check_location(location);
        }
        for location in result["relatedLocations"].as_array().into_iter().flatten() {
            assert!(location["id"].as_u64().is_some());
            check_location(location);
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            for change in fix["artifactChanges"].as_array().unwrap() {
                assert!(change["artifactLocation"]["uri"].is_string());
                for replacement in change["replacements"].as_array().unwrap() {
                    check_region(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string());
                }
            }
        }
    }
}

fn assert_level(level: &Value) {
    assert!(["none", "note", "warning", "error"].contains(&level.as_str().unwrap()), "{level}");
}

fn check_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.is_ascii() && !uri.contains(' '), "{uri}");
    check_region(&place["region"]);
}

fn check_region(region: &Value) {
    let number = |key: &str| region[key].as_u64().unwrap();
    assert!(number("startLine") >= 1 && number("startColumn") >= 1);
    assert!(number("endLine") >= number("startLine") && number("endColumn") >= 1);
    assert!(number("byteOffset") + number("byteLength") < 1 << 32);
}

fn document(folder: &Folder, line: &str) -> Value {
    let ran = folder.clc(&format!("{line} --message-format=sarif"));
    let document = serde_json::from_str(&ran.stderr).unwrap();
    check(&document);
    document
}

#[test]
fn a_result_has_its_place_its_reasons_and_its_rule() {
    let folder = Folder::new();
    folder.write(
        "inc/a b.h",
        "#define BAD(x) (x + missing)\nint f(local int *p) {\n  return BAD(1);\n}\n",
    );
    folder.write("k.cl", "/* é */ #include \"inc/a b.h\"\n#include \"inc/a b.h\"\nkernel void k(global int *p) { global int *q = 0; f(p); }\n");
    let document = document(&folder, "-fsyntax-only k.cl");
    let results = document["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 2, "{document:#}");
    let of = |text: &str| {
        results
            .iter()
            .find(|result| result["message"]["text"].as_str().unwrap().contains(text))
            .unwrap_or_else(|| panic!("{text}: {document:#}"))
    };
    let missing = of("`missing`");
    let place = &missing["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "inc/a%20b.h");
    assert_eq!(place["region"]["startLine"], 3);
    let related = missing["relatedLocations"].as_array().unwrap();
    let words: Vec<&str> =
        related.iter().filter_map(|related| related["message"]["text"].as_str()).collect();
    assert!(words.contains(&"in the macro `BAD`"), "{words:?}");
    assert!(words.contains(&"included from here"), "{words:?}");
    let included =
        related.iter().find(|related| related["message"]["text"] == "included from here");
    assert_eq!(included.unwrap()["physicalLocation"]["artifactLocation"]["uri"], "k.cl");
}

#[test]
fn a_fix_is_a_replacement() {
    let folder = Folder::new();
    folder.write("k.cl", "constant sampler_t s = 0;\nkernel void k(global int *p) { p[0] = 1 }\n");
    let document = document(&folder, "-fsyntax-only k.cl");
    let fixes = &document["runs"][0]["results"][0]["fixes"];
    let replacement = &fixes[0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], ";", "{document:#}");
    assert_eq!(replacement["deletedRegion"]["startLine"], 2);
    assert_eq!(replacement["deletedRegion"]["byteLength"], 0);
}

#[test]
fn nothing_to_say_is_a_document_too_and_several_sources_give_one() {
    let folder = Folder::new();
    folder.write("a.cl", common::GOOD);
    folder.write("b.cl", common::BAD);
    folder.write("c.cl", common::BAD);
    let empty = document(&folder, "-fsyntax-only a.cl");
    assert_eq!(empty["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    let several = document(&folder, "-fsyntax-only a.cl b.cl c.cl");
    let run = &several["runs"][0];
    assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "c.cl"
    );
    // The linker speaks it too; its errors have no place in a source.
    let linked = document(&folder, "link a.cl -o x.spv");
    assert_eq!(linked["runs"][0]["results"][0]["ruleId"], "E0720");
}
