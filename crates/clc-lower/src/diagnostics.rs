//! What the lowering cannot express yet.

use clc_base::{Code, Diagnostic, Span};

pub static E0750: Code = Code::error(
    "E0750",
    "unsupported-construct",
    "The program is legal OpenCL C, but this compiler cannot translate one of its constructs yet.\n\n\
     It is an error rather than wrong code. The message names the construct; rewriting it with \
     simpler means is the way out until it is supported.",
);

pub static E0751: Code = Code::error(
    "E0751",
    "undefined-function",
    "A `static` function that is used must be defined in the same program (C99 6.9p3): no other \
     program can bring its body.\n\n\
     Wrong:\n\n\
     ```c\n\
     static int twice(int x);\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\
     ```\n\n\
     Right:\n\n\
     ```c\n\
     static int twice(int x) { return 2 * x; }\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\
     ```\n",
);

pub static CODES: &[&Code] = &[&E0750, &E0751];

pub(crate) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&E0750, span, format!("{what} cannot be translated yet"))
        .at("not supported by this version of the compiler")
}

pub(crate) fn undefined_function(declaration: Span, name: &str) -> Diagnostic {
    let message = format!("the `static` function `{name}` is used but never defined");
    Diagnostic::new(&E0751, declaration, message)
        .at("declared here, without a body")
        .help("define it in this program, or drop `static` if another program defines it")
}
