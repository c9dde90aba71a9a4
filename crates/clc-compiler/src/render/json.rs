//! One JSON object for a diagnostic, for tools.
//!
//! ```json
//! {"code":"E0312","name":"…","severity":"error","message":"…",
//!  "spans":[{"file":"a.cl","line":1,"column":5,"end_line":1,"end_column":6,
//!            "byte_start":4,"byte_end":5,"primary":true,"label":"…",
//!            "macros":[{"name":"M","file":"a.cl","line":3,"column":11}]}],
//!  "included_from":["b.cl:1:1"],"notes":[],"helps":[],
//!  "fix":{"message":"…","file":"a.cl","byte_start":4,"byte_end":4,"replacement":"…"},
//!  "short":"a.cl:1:5: error[E0312]: …"}
//! ```

use clc_base::{Diagnostic, Label, SourceMap, Span};
use serde_json::{Map, Value, json};

use super::{include_chain, macro_chain, place, severity_name, short};

/// Appends the object and a line end.
pub fn render(out: &mut String, diagnostic: &Diagnostic, map: &SourceMap) {
    let spans: Vec<Value> = std::iter::once((&diagnostic.primary, true))
        .chain(diagnostic.labels.iter().map(|label| (label, false)))
        .filter_map(|(label, primary)| label_object(label, primary, map))
        .collect();
    let mut line = String::new();
    short::render(&mut line, diagnostic, map);
    let mut object = json!({
        "code": diagnostic.code.id,
        "name": diagnostic.code.name,
        "severity": severity_name(diagnostic.severity),
        "message": diagnostic.message,
        "spans": spans,
        "included_from": include_chain(map, diagnostic.primary.span),
        "notes": diagnostic.notes,
        "helps": diagnostic.helps,
        "short": line.trim_end(),
    });
    if let Some(fix) = &diagnostic.fix
        && let Some(mut place) = place_object(fix.span, map)
    {
        place.insert("message".into(), json!(fix.message));
        place.insert("replacement".into(), json!(fix.replacement));
        object["fix"] = Value::Object(place);
    }
    out.push_str(&object.to_string());
    out.push('\n');
}

fn label_object(label: &Label, primary: bool, map: &SourceMap) -> Option<Value> {
    let mut object = place_object(label.span, map)?;
    object.insert("primary".into(), json!(primary));
    object.insert("label".into(), json!(label.message));
    let macros: Vec<Value> = macro_chain(map, label.span)
        .iter()
        .filter_map(|step| {
            let location = map.location(step.place.lo)?;
            Some(json!({
                "name": step.name,
                "file": map.file(location.file).name,
                "line": location.line,
                "column": location.column,
            }))
        })
        .collect();
    object.insert("macros".into(), Value::Array(macros));
    Some(Value::Object(object))
}

/// File, lines, columns and bytes of a span, walked out of macros; lines are those of the text.
pub(super) fn place_object(span: Span, map: &SourceMap) -> Option<Map<String, Value>> {
    let place = place(span, map)?;
    let object = json!({
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "byte_start": place.byte_start,
        "byte_end": place.byte_end,
    });
    match object {
        Value::Object(map) => Some(map),
        _ => None,
    }
}
