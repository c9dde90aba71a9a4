//! SARIF 2.1.0, which code hosts and editors read: one document with one run.
//!
//! The rules are the codes that occur; a result has its primary place as location, the explaining
//! places, macro expansions and includes as related locations, and the fix as one replacement.
//! Columns count Unicode code points.

use clc_base::{Code, Diagnostic, Severity, SourceMap, Span};
use serde_json::{Map, Value, json};

use super::{include_steps, json::place_object, macro_chain};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The document of one compilation.
pub fn render_all(diagnostics: &[Diagnostic], map: &SourceMap) -> String {
    let mut rules: Vec<&'static Code> = Vec::new();
    let mut results = Vec::new();
    for diagnostic in diagnostics {
        let known = rules.iter().position(|rule| rule.id == diagnostic.code.id);
        let index = known.unwrap_or_else(|| {
            rules.push(diagnostic.code);
            rules.len() - 1
        });
        results.push(result(diagnostic, index, map));
    }
    text(rules.iter().map(|code| rule(code)).collect(), results)
}

/// One document of several, for several sources. What is no document is left out.
pub fn merge(documents: &[String]) -> String {
    let mut rules: Vec<Value> = Vec::new();
    let mut results = Vec::new();
    for document in documents {
        let Ok(document) = serde_json::from_str::<Value>(document) else { continue };
        let run = &document["runs"][0];
        let own = run["tool"]["driver"]["rules"].as_array().cloned().unwrap_or_default();
        for mut result in run["results"].as_array().cloned().unwrap_or_default() {
            let id = result["ruleId"].clone();
            let index = rules.iter().position(|rule| rule["id"] == id).or_else(|| {
                rules.push(own.iter().find(|rule| rule["id"] == id)?.clone());
                Some(rules.len() - 1)
            });
            result["ruleIndex"] = json!(index);
            results.push(result);
        }
    }
    text(rules, results)
}

fn text(rules: Vec<Value>, results: Vec<Value>) -> String {
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "clc",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{document}\n")
}

fn rule(code: &Code) -> Value {
    let explanation = code.explain.trim();
    let first = explanation.split("\n\n").next().unwrap_or(explanation).replace('\n', " ");
    json!({
        "id": code.id,
        "name": code.name,
        "shortDescription": { "text": code.name.replace('-', " ") },
        "fullDescription": { "text": first },
        "help": { "text": explanation, "markdown": explanation },
        "defaultConfiguration": { "level": level(code.severity), "enabled": code.level == clc_base::diagnostic::Level::Default },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error | Severity::Fatal => "error",
    }
}

fn result(diagnostic: &Diagnostic, rule: usize, map: &SourceMap) -> Value {
    let mut message = diagnostic.message.clone();
    for (word, lines) in [("note", &diagnostic.notes), ("help", &diagnostic.helps)] {
        for line in lines {
            message.push_str(&format!("\n{word}: {line}"));
        }
    }
    let mut result = json!({
        "ruleId": diagnostic.code.id,
        "ruleIndex": rule,
        "level": level(diagnostic.severity),
        "message": { "text": message },
    });
    if let Some(primary) = location(diagnostic.primary.span, map, &diagnostic.primary.message) {
        result["locations"] = json!([primary]);
    }
    let mut related = Vec::new();
    let mut relate = |span: Span, words: &str| {
        if let Some(mut location) = location(span, map, words) {
            location.insert("id".into(), json!(related.len() + 1));
            related.push(Value::Object(location));
        }
    };
    for label in &diagnostic.labels {
        relate(label.span, &label.message);
    }
    for step in macro_chain(map, diagnostic.primary.span) {
        let name = step.name.map_or_else(String::new, |name| format!(" `{name}`"));
        relate(step.place, &format!("in the macro{name}"));
    }
    for include in include_steps(map, diagnostic.primary.span) {
        relate(include, "included from here");
    }
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    if let Some(fix) = &diagnostic.fix
        && let Some(place) = place_object(fix.span, map)
    {
        result["fixes"] = json!([{
            "description": { "text": fix.message },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(&place) },
                "replacements": [{
                    "deletedRegion": region(&place),
                    "insertedContent": { "text": fix.replacement },
                }],
            }],
        }]);
    }
    result
}

fn location(span: Span, map: &SourceMap, message: &str) -> Option<Map<String, Value>> {
    let place = place_object(span, map)?;
    let mut location = Map::new();
    location.insert(
        "physicalLocation".into(),
        json!({ "artifactLocation": { "uri": uri(&place) }, "region": region(&place) }),
    );
    if !message.is_empty() {
        location.insert("message".into(), json!({ "text": message }));
    }
    Some(location)
}

fn region(place: &Map<String, Value>) -> Value {
    let number = |key: &str| place.get(key).and_then(Value::as_u64).unwrap_or(0);
    json!({
        "startLine": number("line"),
        "startColumn": number("column"),
        "endLine": number("end_line"),
        "endColumn": number("end_column"),
        "byteOffset": number("byte_start"),
        "byteLength": number("byte_end").saturating_sub(number("byte_start")),
    })
}

/// A file's name as a URI reference (RFC 3986): relative names stay relative.
fn uri(place: &Map<String, Value>) -> String {
    let name = place.get("file").and_then(Value::as_str).unwrap_or("");
    let mut out = String::new();
    if name.starts_with('/') {
        out.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => out.push('/'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
