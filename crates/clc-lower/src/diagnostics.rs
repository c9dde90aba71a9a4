//! What the lowering cannot express yet.

use clc_base::{Code, Diagnostic, Span};

pub static E0750: Code = Code::error(
    "E0750",
    "unsupported-construct",
    "The program is legal OpenCL C, but this compiler cannot translate one of its constructs yet.\n\n\
     It is an error rather than wrong code. The message names the construct; rewriting it with \
     simpler means is the way out until it is supported.",
);

pub static CODES: &[&Code] = &[&E0750];

pub(crate) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&E0750, span, format!("{what} cannot be translated yet"))
        .at("not supported by this version of the compiler")
}
