//! What a page asks and what it is told.

use clc::cli::{self, Outcome, Request};
use clc::render::{MessageFormat, Style, render};
use clc::{Artifact, Compilation, NoIncludes};
use serde_json::{Map, Value, json};

/// The answer to a request.
pub struct Answer {
    /// An object in UTF-8; [`Answer::to`] says what is in it.
    pub json: Vec<u8>,
    /// The bytes of a module, if one was made.
    pub module: Vec<u8>,
}

impl Answer {
    /// Compiles what `request` says:
    ///
    /// ```json
    /// {"name": "kernel.cl", "source": "…", "options": "-O0 -DN=1", "passes": true}
    /// ```
    ///
    /// With `passes` the IR after each of them is in the answer:
    ///
    /// ```json
    /// {"status": 0, "log": "…", "warnings": ["…"], "text": "…", "isModule": true,
    ///  "reflection": {…}, "table": "…", "diagnostics": [{…}], "explanations": {"E0312": "…"},
    ///  "passes": [{"name": "mem2reg", "description": "…", "ir": "…"}]}
    /// ```
    ///
    /// `status` is the command's exit code and `text` what it would write, a module disassembled; `table` is the
    /// reflection for people. `ir` is null where a pass changed nothing.
    pub fn to(request: &[u8]) -> Answer {
        let request: Value = match serde_json::from_slice(request) {
            Ok(request) => request,
            Err(error) => return Answer::refused(&error.to_string()),
        };
        let text = |key: &str| request[key].as_str().unwrap_or_default();
        let options = cli::split_options(text("options"));
        let mut asked = match options.and_then(|options| Request::of_options(&options)) {
            Ok(asked) => asked,
            Err(reason) => return Answer::refused(&reason),
        };
        if request["passes"] == true {
            asked.options.print_after = vec!["all".to_owned()];
        }
        let outcome = asked.compile(text("name"), text("source").as_bytes(), &mut NoIncludes);
        Answer::new(outcome, text("name"), &asked)
    }

    /// The options are wrong.
    fn refused(reason: &str) -> Answer {
        Answer::from_json(&json!({ "status": cli::USAGE, "refusal": reason }), Vec::new())
    }

    fn from_json(object: &Value, module: Vec<u8>) -> Answer {
        Answer { json: object.to_string().into_bytes(), module }
    }

    fn new(outcome: Outcome, name: &str, request: &Request) -> Answer {
        let Outcome { status, compilation, mut log, internal_error } = outcome;
        if let Some(error) = internal_error {
            log.push_str(&error.report(name, "the playground"));
        }
        let mut object = json!({ "status": status, "log": log, "warnings": request.warnings });
        let Some(compilation) = compilation else {
            return Answer::from_json(&object, Vec::new());
        };
        let mut explanations = Map::new();
        let mut diagnostics = Vec::new();
        for diagnostic in &compilation.diagnostics {
            let mut line = String::new();
            let style = Style { format: MessageFormat::Json, color: false };
            render(&mut line, diagnostic, &compilation.sources, style);
            diagnostics.push(parsed(&line));
            explanations.insert(diagnostic.code.id.to_owned(), json!(diagnostic.code.explain));
        }
        object["diagnostics"] = Value::Array(diagnostics);
        object["explanations"] = Value::Object(explanations);
        object["passes"] = passes(&compilation);
        let reflection = request.reflection(&compilation);
        object["reflection"] = reflection.map_or(Value::Null, |text| parsed(&text));
        let host = compilation.reflection.as_ref();
        let table = |description| clc::reflection::table("kernel.spv", description, host, false);
        object["table"] = json!(compilation.description.as_ref().map(table));
        object["isModule"] = json!(compilation.words().is_some());
        let (text, module) = match compilation.artifact {
            None | Some(Artifact::Nothing) => (None, Vec::new()),
            Some(Artifact::Text(text)) => (Some(text), Vec::new()),
            Some(Artifact::Object(bytes)) => {
                (Some(String::from_utf8_lossy(&bytes).into_owned()), bytes)
            }
            Some(Artifact::Module(words)) => {
                (Some(clc_spirv::disassemble(&words)), clc::fs::module_bytes(&words))
            }
        };
        object["text"] = json!(text);
        Answer::from_json(&object, module)
    }
}

/// What is JSON already.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// The IR after each pass, each text once.
fn passes(compilation: &Compilation) -> Value {
    let mut before = "";
    let mut list = Vec::new();
    for (name, text) in &compilation.dumps {
        let changed = (text != before).then_some(text);
        list.push(json!({ "name": name, "description": description(name), "ir": changed }));
        before = text;
    }
    Value::Array(list)
}

/// What a pass or a step of the legalisation does.
fn description(name: &str) -> Option<&'static str> {
    let passes = clc_passes::PASSES.iter().map(|pass| (pass.name, pass.description));
    let steps = clc_legalise::STEPS.iter().map(|step| (step.name, step.description));
    passes.chain(steps).find(|(known, _)| *known == name).map(|(_, description)| description)
}
