//! `--explain CODE`

use clc_base::diagnostic::did_you_mean;

/// The explanation as text, or a message about an unknown code.
pub fn explain(text: &str) -> Result<String, String> {
    match crate::codes::find(text) {
        Some(code) => Ok(format!("{} ({})\n\n{}\n", code.id, code.name, code.explain.trim())),
        None => {
            let known = crate::codes::all().flat_map(|code| [code.id, code.name]);
            let guess = did_you_mean(text, known)
                .map(|guess| format!("; did you mean `{guess}`?"))
                .unwrap_or_default();
            Err(format!("no diagnostic is called `{text}`{guess}"))
        }
    }
}
