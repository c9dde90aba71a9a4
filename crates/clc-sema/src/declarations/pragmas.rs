//! Pragmas that mean something (OpenCL C 6.9, 6.12).

use clc_base::diagnostic::did_you_mean;
use clc_base::{Diagnostic, Span, Symbol, Version};
use clc_builtins::features;

use crate::context::Sema;
use crate::diagnostics::declarations as codes;
use crate::hir::{LoopHint, StmtKind};

/// Extensions that are known by name and need no support from the compiler.
const HARMLESS: &[&str] = &["cl_khr_byte_addressable_store", "cl_khr_select_fprounding_mode"];

impl Sema<'_> {
    /// Acts on a pragma. What it leaves in a block is returned.
    pub(crate) fn pragma(&mut self, text: Symbol, span: Span) -> Option<StmtKind> {
        let text = self.interner.resolve(text).to_owned();
        let mut tokens = text.split_whitespace();
        match tokens.next() {
            Some("OPENCL") => match tokens.next() {
                Some("EXTENSION") => {
                    let rest = text.trim_start().trim_start_matches("OPENCL").trim_start();
                    self.extension_pragma(rest.trim_start_matches("EXTENSION"), span);
                    None
                }
                Some("FP_CONTRACT") => self.fp_contract(tokens.next(), span),
                _ => self.unknown_pragma(&text, span),
            },
            Some("STDC") if tokens.next() == Some("FP_CONTRACT") => {
                self.fp_contract(tokens.next(), span)
            }
            Some("unroll") => {
                let rest = text.trim_start().trim_start_matches("unroll");
                let count = rest.trim_matches(|c: char| c.is_whitespace() || "()".contains(c));
                let hint = match count.parse::<u32>() {
                    Ok(0 | 1) => LoopHint::NoUnroll,
                    Ok(count) => LoopHint::UnrollCount(count),
                    Err(_) => LoopHint::Unroll,
                };
                self.declared.pending_hint = Some((hint, span));
                None
            }
            Some("nounroll") => {
                self.declared.pending_hint = Some((LoopHint::NoUnroll, span));
                None
            }
            _ => self.unknown_pragma(&text, span),
        }
    }

    fn unknown_pragma(&mut self, text: &str, span: Span) -> Option<StmtKind> {
        self.report(
            Diagnostic::new(&codes::W0207, span, format!("unknown pragma `{text}` is ignored"))
                .at("not a pragma of OpenCL C"),
        );
        None
    }

    fn fp_contract(&mut self, token: Option<&str>, span: Span) -> Option<StmtKind> {
        let on = match token {
            Some("ON") => true,
            Some("OFF") => false,
            Some("DEFAULT") => true,
            _ => {
                let label = match token {
                    Some(text) => format!("`{text}` is no setting of it"),
                    None => "nothing follows the name".to_owned(),
                };
                self.report(
                    Diagnostic::new(&codes::W0207, span, "`FP_CONTRACT` is ignored")
                        .at(label)
                        .help("write `ON`, `OFF` or `DEFAULT` after it"),
                );
                return None;
            }
        };
        if self.function.is_none() {
            self.declared.fp_contract = Some(on);
            return None;
        }
        Some(StmtKind::FpContract(on))
    }

    /// `#pragma OPENCL EXTENSION name : behaviour` (OpenCL C 6.9.1).
    fn extension_pragma(&mut self, rest: &str, span: Span) {
        let Some((name, behaviour)) = rest.split_once(':') else {
            self.report(
                Diagnostic::new(&codes::W0207, span, "this extension pragma is ignored")
                    .at("no `:` follows the name")
                    .help("its form is `#pragma OPENCL EXTENSION name : enable`"),
            );
            return;
        };
        let (name, behaviour) = (name.trim(), behaviour.trim());
        let enable = match behaviour {
            "enable" | "require" => true,
            "disable" | "begin" | "end" | "warn" => false,
            _ => {
                let label = match behaviour {
                    "" => "nothing follows the colon".to_owned(),
                    text => format!("`{text}` is no behaviour"),
                };
                self.report(
                    Diagnostic::new(&codes::W0207, span, "this extension pragma is ignored")
                        .at(label)
                        .help("write `enable` or `disable` after the colon"),
                );
                return;
            }
        };
        if name == "all" {
            if enable {
                self.report(
                    Diagnostic::new(&codes::W0207, span, "`all` can only be disabled")
                        .at("this would enable every extension")
                        .help("enable each extension by its name"),
                );
            }
            return;
        }
        if HARMLESS.contains(&name) {
            return;
        }
        match features::by_name(name) {
            Some(extension) if self.options.extensions.contains(extension) => {
                if enable {
                    self.extensions.insert(extension);
                } else if behaviour == "disable" {
                    self.extensions.remove(extension);
                }
            }
            Some(extension)
                if extension == features::FP64
                    && self.options.version >= Version::V1_2
                    && self.has_double() => {}
            Some(_) if enable => {
                let message = format!("the target does not have the extension `{name}`");
                let diagnostic = Diagnostic::new(&codes::W0206, span, message);
                self.report(diagnostic.at("not available on this target"));
            }
            None if enable => {
                let message = format!("the target does not have the extension `{name}`");
                let mut diagnostic = Diagnostic::new(&codes::W0206, span, message)
                    .at("no extension of this name is known");
                let known = features::Extension::all().map(features::Extension::name);
                if let Some(guess) = did_you_mean(name, known.chain(HARMLESS.iter().copied())) {
                    diagnostic = diagnostic.help(format!("did you mean `{guess}`?"));
                }
                self.report(diagnostic);
            }
            _ => {}
        }
    }
}
