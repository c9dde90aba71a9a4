//! Whether a JSON value is what a schema says: the keywords that `docs/reflection.schema.json` has, and
//! none besides. A validator for all of JSON Schema would bring some fifty crates into the build of
//! the tests.

use serde_json::Value;

/// What is wrong with `value`, one complaint a line; empty if nothing is. Fields that the schema does not
/// list are complaints too, although readers pass them over: each field that is written has its type.
pub fn complaints(schema: &Value, value: &Value) -> String {
    let mut checker = Checker { root: schema, complaints: String::new() };
    checker.check(schema, value, "$");
    checker.complaints
}

struct Checker<'a> {
    root: &'a Value,
    complaints: String,
}

impl Checker<'_> {
    fn complain(&mut self, path: &str, text: &str) {
        self.complaints.push_str(&format!("{path}: {text}\n"));
    }

    fn check(&mut self, schema: &Value, value: &Value, path: &str) {
        let rules = schema.as_object().expect("a schema is an object");
        for (keyword, rule) in rules {
            match keyword.as_str() {
                "$schema" | "$id" | "title" | "$defs" => {}
                "$ref" => {
                    let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/"));
                    let root = self.root;
                    let target = &root["$defs"][name.expect("a definition of this schema")];
                    self.check(target, value, path);
                }
                "const" if value != rule => self.complain(path, "is another constant"),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    self.complain(path, &format!("{value} is none of {rule}"));
                }
                "const" | "enum" => {}
                "type" => {
                    let one = [rule.clone()];
                    let types = rule.as_array().map_or(&one[..], Vec::as_slice);
                    if !types.iter().any(|name| has_type(name.as_str().unwrap(), value)) {
                        self.complain(path, &format!("{value} is no {rule}"));
                    }
                }
                "minimum" if value.as_i64().is_some_and(|n| n < rule.as_i64().unwrap()) => {
                    self.complain(path, &format!("{value} is less than {rule}"));
                }
                "minItems" if length(value).is_some_and(|n| n < rule.as_u64().unwrap()) => {
                    self.complain(path, "is too short");
                }
                "maxItems" if length(value).is_some_and(|n| n > rule.as_u64().unwrap()) => {
                    self.complain(path, "is too long");
                }
                "minimum" | "minItems" | "maxItems" => {}
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{path}[{index}]"));
                    }
                }
                "required" if value.is_object() => {
                    for name in rule.as_array().unwrap() {
                        if value.get(name.as_str().unwrap()).is_none() {
                            self.complain(path, &format!("{name} is missing"));
                        }
                    }
                }
                "required" => {}
                "properties" => {
                    for (name, field) in value.as_object().into_iter().flatten() {
                        let path = format!("{path}.{name}");
                        match rule.get(name) {
                            Some(rule) => self.check(rule, field, &path),
                            None => self.complain(&path, "is not in the schema"),
                        }
                    }
                }
                other => panic!("the keyword `{other}` is not checked"),
            }
        }
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "null" => value.is_null(),
        other => panic!("the type `{other}` is not checked"),
    }
}
