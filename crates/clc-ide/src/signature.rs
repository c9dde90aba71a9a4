//! The function that is being called, and which argument the cursor is in.

use clc_builtins::prose;
use clc_sema::index::Entity;

use crate::analysis::Analysis;
use crate::hover::signature_text;
use crate::scan::{self, LexemeKind};

/// How far back a call is looked for.
const MAX_LEXEMES: usize = 10_000;

/// What a call can look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// One for each overload.
    pub signatures: Vec<Signature>,
    /// The signature that the arguments fit best.
    pub active: usize,
    /// The argument that is being written, from 0.
    pub argument: usize,
}

/// One way to call a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The whole of it.
    pub label: String,
    /// The bytes of each parameter in the label.
    pub parameters: Vec<std::ops::Range<u32>>,
    /// What the function does, in Markdown; empty if that is not known.
    pub documentation: String,
}

impl Analysis {
    /// The call around an offset.
    pub fn signature(&self, offset: u32) -> Option<SignatureHelp> {
        let text = self.text();
        let lexemes = scan::scan(text);
        let before = &lexemes[..lexemes.partition_point(|lexeme| lexeme.start < offset)];
        let (mut depth, mut argument) = (0u32, 0);
        for (index, lexeme) in before.iter().enumerate().rev().take(MAX_LEXEMES) {
            match lexeme.kind {
                LexemeKind::Sign(b')' | b']') => depth += 1,
                LexemeKind::Sign(b'(' | b'[') if depth > 0 => depth -= 1,
                LexemeKind::Sign(b'(') => {
                    let name = index.checked_sub(1).map(|at| before[at])?;
                    if name.kind == LexemeKind::Word
                        && let Some(help) = self.calls(name.text(text), name.start, argument)
                    {
                        return Some(help);
                    }
                    // Parentheses around an expression: of the call around it, perhaps.
                    argument = 0;
                }
                LexemeKind::Sign(b',') if depth == 0 => argument += 1,
                LexemeKind::Sign(b'[') => argument = 0,
                LexemeKind::Sign(b';' | b'{' | b'}') => return None,
                LexemeKind::Comment if offset < lexeme.end => return None,
                _ => {}
            }
        }
        None
    }

    fn calls(&self, name: &str, at: u32, argument: usize) -> Option<SignatureHelp> {
        let mut signatures = self.macro_signatures(name);
        if let Some(Entity::Function(_)) = self.visible(at).get(name)
            && let Some(symbol) = self.interner.get(name)
        {
            for (id, function) in self.module.functions.iter() {
                if function.name == symbol && function.block.is_none() {
                    let head = self.function_text(id);
                    let start = head.find('(').unwrap_or(head.len());
                    signatures.push(labelled(&head[..start], &self.parameter_texts(id), ""));
                }
            }
        }
        if signatures.is_empty() {
            let known = prose::describe_in(name, &self.environment())?;
            let summary = known.summary.unwrap_or_default();
            let lacking = clc_builtins::lacking(name, &self.environment());
            for form in &known.forms {
                let whole = signature_text(name, form);
                let head = whole.find('(').map_or(whole.as_str(), |start| &whole[..start]);
                let types = match form.types.is_empty() {
                    true => String::new(),
                    false => format!("\n\nfor {}", form.types),
                };
                let lacking =
                    lacking.as_ref().map(|reason| format!("\n\nnot available here: {reason}"));
                let lacking = lacking.unwrap_or_default();
                let text = format!("{summary}{types}\n\n{}{lacking}", known.section);
                let mut parameters = form.parameters.clone();
                if form.variadic {
                    parameters.push("...".to_owned());
                }
                signatures.push(labelled(head, &parameters, &text));
            }
        }
        let fits = |signature: &Signature| argument < signature.parameters.len();
        let active = signatures.iter().position(fits).unwrap_or(0);
        (!signatures.is_empty()).then_some(SignatureHelp { signatures, active, argument })
    }

    fn macro_signatures(&self, name: &str) -> Vec<Signature> {
        let Some(symbol) = self.interner.get(name) else { return Vec::new() };
        let mut definitions = self.trace.definitions.iter().rev();
        let Some(definition) = definitions.find(|definition| definition.name == symbol) else {
            return Vec::new();
        };
        let Some(parameters) = &definition.parameters else { return Vec::new() };
        let names: Vec<String> =
            parameters.iter().map(|&parameter| self.name(parameter).to_owned()).collect();
        vec![labelled(name, &names, "a macro")]
    }
}

fn labelled(head: &str, parameters: &[String], documentation: &str) -> Signature {
    let mut label = format!("{head}(");
    let mut ranges = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let start = label.len() as u32;
        label.push_str(parameter);
        ranges.push(start..label.len() as u32);
    }
    label.push(')');
    Signature { label, parameters: ranges, documentation: documentation.to_owned() }
}
