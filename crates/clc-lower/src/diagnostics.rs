//! What the lowering cannot express yet.

#![allow(missing_docs, reason = "a code has its name and its explanation as data")]

use clc_base::{Code, Diagnostic, Span};
use clc_sema::hir;

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

pub static E0752: Code = Code::error(
    "E0752",
    "undefined-symbol",
    "What a program uses, it must define: an identifier with external linkage that is used has \
     exactly one definition in the entire program (C99 6.9p5). A module that is to be linked with \
     others is compiled with `-c`; then functions and `extern` variables that are only declared \
     are taken from the other modules by `clc link`.\n\n\
     Wrong:\n\n\
     ```c\n\
     int twice(int x);\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\
     ```\n\n\
     Right:\n\n\
     ```c\n\
     int twice(int x) { return 2 * x; }\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\
     ```\n\n\
     Or, with `twice` defined in `lib.cl`:\n\n\
     ```text\n\
     clc -c k.cl -o k.spv\n\
     clc -c lib.cl -o lib.spv\n\
     clc link k.spv lib.spv -o program.spv\n\
     ```\n",
);

/// The codes of this crate, in ascending order.
pub static CODES: &[&Code] = &[&E0750, &E0751, &E0752];

pub(crate) fn unsupported(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&E0750, span, format!("{what} cannot be translated yet"))
        .at("not supported by this version of the compiler")
}

/// `static`, or `inline` without `extern`: no other module can have the body.
pub(crate) fn undefined_internal_function(function: &hir::Function, name: &str) -> Diagnostic {
    if function.attributes.inline_hint {
        let message = format!("the `inline` function `{name}` is used but never defined");
        return Diagnostic::new(&E0751, function.span, message)
            .at("declared here, without a body")
            .note("an `inline` function is defined in each file that uses it (C99 6.7.4p6)")
            .help("define it in this file, or drop `inline` if another file defines it");
    }
    let message = format!("the `static` function `{name}` is used but never defined");
    Diagnostic::new(&E0751, function.span, message)
        .at("declared here, without a body")
        .help("define it in this program, or drop `static` if another program defines it")
}

pub(crate) fn undefined_function(used: Span, function: &hir::Function, name: &str) -> Diagnostic {
    let message = format!("`{name}` is called, but this program does not define it");
    let mut diagnostic = Diagnostic::new(&E0752, used, message)
        .at("called here")
        .label(function.span, "declared here, without a body");
    if clc_builtins::is_builtin(name) {
        diagnostic = diagnostic.note("it hides the built-in function of this name");
    }
    diagnostic.help("define it, or compile with `-c` and link the module that does (`clc link`)")
}

pub(crate) fn undefined_variable(used: Span, declaration: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is used, but this program does not define it");
    Diagnostic::new(&E0752, used, message)
        .at("used here")
        .label(declaration, "declared `extern` here")
        .help("define it, or compile with `-c` and link the module that does (`clc link`)")
}
