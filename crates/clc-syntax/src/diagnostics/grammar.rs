//! What can be wrong with the order of tokens: E01xx and W01xx.

use clc_base::{Code, Diagnostic, Span, Version};

use crate::token::{Keyword, Punctuator, Token, TokenKind};

/// Every code of the grammar.
pub static CODES: &[&Code] = &[
    &E0101, &E0102, &E0103, &E0104, &E0105, &E0106, &E0107, &E0108, &E0109, &E0110, &E0111, &E0112,
    &E0113, &E0114, &E0115, &E0116, &W0101,
];

pub static E0101: Code = Code::error(
    "E0101",
    "unexpected-token",
    r"The grammar of OpenCL C (C99 6.5 to 6.9 and OpenCL C 6) wants something else at this place. The
message says what.

```c
x = ;        // wrong: an expression is missing
x = 1;       // right
```
",
);

pub static E0102: Code = Code::error(
    "E0102",
    "unclosed-bracket",
    r"A `(`, `[` or `{` is not closed before something that cannot stand inside it. Both places are
shown: the opening bracket, and where the closing one is missed.

```c
y = f(a, b;    // wrong
y = f(a, b);   // right
```
",
);

pub static E0103: Code = Code::error(
    "E0103",
    "missing-semicolon",
    r"Declarations, expressions and jumps end in `;` (C99 6.7, 6.8). So does the definition of a struct,
union or enum.

```c
x = 1    // wrong
x = 1;   // right
```
",
);

pub static E0104: Code = Code::error(
    "E0104",
    "unmatched-bracket",
    r"A `)`, `]` or `}` closes nothing: there is one too many, or the opening one is missing.

```c
y = f(a));   // wrong
y = f(a);    // right
```
",
);

pub static E0105: Code = Code::fatal(
    "E0105",
    "nesting-too-deep",
    r"Brackets, blocks and statements may nest 1,000 levels deep, derived types (pointers to arrays
of …) likewise; chains that nest without brackets (`else if`, labels, prefix operators, casts,
`a = b = c`, `a ? b : c ? d : e`, `x.y.z`) may have 100,000 links. C99 5.2.4.1 asks for 63
parentheses and 127 blocks. Such code usually comes from a generator or a macro that runs away: use
arrays, loops or intermediate variables.
",
);

pub static E0106: Code = Code::error(
    "E0106",
    "unknown-type",
    r"Where a type must stand, there is a name that is none: it is neither declared with `typedef` (before
this place) nor predeclared (OpenCL C 6.3). Structs need their keyword: `struct s x;`.

```c
uint32_t n;   // wrong: OpenCL C has no <stdint.h>
uint n;       // right: uint always has 32 bits
```
",
);

pub static E0107: Code = Code::error(
    "E0107",
    "implicit-int",
    r"Every declaration names a type; C99 removed the implicit `int` of older C (C99 6.7.2), and OpenCL C
never had it. Kernels return `void` (OpenCL C 6.9).

```c
static n = 3;                // wrong
static constant int n = 3;   // right
```
",
);

pub static E0108: Code = Code::error(
    "E0108",
    "old-style-function",
    r"Parameters are declared between the parentheses. The style before C89, with names there and
declarations behind, is not supported.

```c
int add(a, b) int a; int b; { return a + b; }   // wrong
int add(int a, int b) { return a + b; }         // right
```
",
);

pub static E0109: Code = Code::error(
    "E0109",
    "inline-assembly",
    r"OpenCL C has no `asm`: a kernel does not know its processor. Programs that carry assembly for one
vendor usually keep it behind a macro that says which one.
",
);

pub static E0110: Code = Code::error(
    "E0110",
    "generic-before-2.0",
    r#"The `generic` address space is part of OpenCL C 2.0, and of 3.0 with the feature
`__opencl_c_generic_address_space`. In older versions the word is reserved (OpenCL C 6.1.9) and has
no meaning. Compile with `-cl-std=CL2.0` or later, or name the address space.
"#,
);

pub static E0111: Code = Code::error(
    "E0111",
    "nested-function",
    r"A function is defined inside another. C has no nested functions (C99 6.9); move it out. If that is
where it should be already, a `}` is missing before it.
",
);

pub static E0112: Code = Code::error(
    "E0112",
    "else-without-if",
    r"An `else` belongs to the `if` whose body it follows at once (C99 6.8.4.1). A `;` behind the body's
`}` ends that `if`.

```c
if (a) { x = 1; }; else { x = 2; }   // wrong
if (a) { x = 1; } else { x = 2; }    // right
```
",
);

pub static E0113: Code = Code::error(
    "E0113",
    "reserved-word",
    r"Reserved words (C99 6.4.1, OpenCL C 6.1.9) cannot name things: among them `kernel`, `global`,
`local`, `constant`, `private`, `generic`, `half`, `pipe`, `read_only`, `write_only`, `read_write`.

```c
int local = 3;     // wrong
int local_n = 3;   // right
```
",
);

pub static E0114: Code = Code::error(
    "E0114",
    "misplaced-specifier",
    r"Storage classes (`static`, `extern`, `typedef`, …) and function specifiers (`kernel`, `inline`)
belong to declarations. Struct members, parameters and type names have none (C99 6.7.1, 6.7.2.1,
6.7.6); only `register` may stand at a parameter.
",
);

pub static E0115: Code = Code::error(
    "E0115",
    "declaration-as-body",
    r"The body of `if`, `else`, `for`, `while`, `do` or `switch` is a statement, and a declaration is none
(C99 6.8). What it declares could never be used anyway; braces make a block of it.

```c
if (a) int x = f();       // wrong
if (a) { int x = f(); }   // right
```
",
);

pub static E0116: Code = Code::error(
    "E0116",
    "type-in-expression",
    r"A type stands where a value must. Vectors are written with the type in parentheses (OpenCL C 6.4.1);
values convert with a cast or `convert_T`.

```c
float4 v = float4(1, 2, 3, 4);     // wrong: this is C++ or GLSL
float4 v = (float4)(1, 2, 3, 4);   // right
```
",
);

pub static W0101: Code = Code::warning(
    "W0101",
    "label-without-statement",
    r"A label belongs to a statement (C99 6.8.1), and neither a declaration nor a closing brace is one.
C23 allows both; many OpenCL drivers do not. A `;` behind the colon is a statement.

```c
switch (x) { case 1: int k = 3; }    // wrong
switch (x) { case 1:; int k = 3; }   // right everywhere
```
",
);

pub(crate) fn expected(expected: &str, found: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&E0101, span, format!("expected {expected}, found {found}"))
        .at(format!("expected {expected}"))
}

pub(crate) fn misspelt_keyword(word: &str, guess: &str, span: Span) -> Diagnostic {
    Diagnostic::new(&E0101, span, format!("`{word}` is not a keyword here"))
        .at("what follows does not fit a name")
        .suggest(span, Some(guess))
}

pub(crate) fn unclosed(
    opener: Token,
    closer: &'static str,
    found: (&str, Span),
    behind: Span,
) -> Diagnostic {
    let bracket = match opener.kind {
        TokenKind::Punctuator(punctuator) => punctuator.as_str(),
        _ => "",
    };
    let (found, found_span) = found;
    let diagnostic = Diagnostic::new(
        &E0102,
        found_span,
        format!("expected `{closer}` to close this `{bracket}`, found {found}"),
    )
    .at(format!("expected `{closer}` before this"))
    .label(opener.span, format!("this `{bracket}` is not closed"));
    match closer {
        // Where a block was to end is more than can be guessed.
        "}" => diagnostic,
        _ => diagnostic.fix(behind, closer, format!("insert `{closer}`")),
    }
}

pub(crate) fn wrong_closer(
    opener: Token,
    closer: &'static str,
    found: Punctuator,
    span: Span,
) -> Diagnostic {
    let bracket = match opener.kind {
        TokenKind::Punctuator(punctuator) => punctuator.as_str(),
        _ => "",
    };
    let found = found.as_str();
    let message = format!("expected `{closer}` to close this `{bracket}`, found `{found}`");
    Diagnostic::new(&E0102, span, message)
        .at(format!("`{found}` does not close `{bracket}`"))
        .label(opener.span, format!("this `{bracket}` is not closed"))
        .fix(span, closer, format!("write `{closer}`"))
}

pub(crate) fn missing_semicolon(
    expected: &str,
    found: &str,
    found_span: Span,
    behind: Span,
) -> Diagnostic {
    Diagnostic::new(&E0103, behind, format!("expected {expected}, found {found}"))
        .at("`;` is missing here")
        .label(found_span, "before this")
        .fix(behind, ";", "insert `;`")
}

pub(crate) fn unmatched_closer(closer: Punctuator, span: Span) -> Diagnostic {
    let closer = closer.as_str();
    Diagnostic::new(&E0104, span, format!("this `{closer}` closes nothing"))
        .at("nothing is open here")
        .fix(span, "", format!("remove `{closer}`"))
}

pub(crate) fn nesting_too_deep(span: Span) -> Diagnostic {
    let limit = crate::parse::MAX_NESTING;
    Diagnostic::new(&E0105, span, format!("nested more than {limit} levels deep"))
        .at("one level too many")
        .help("use intermediate variables, arrays or functions")
}

pub(crate) fn chain_too_long(span: Span) -> Diagnostic {
    let limit = crate::parse::MAX_CHAIN;
    Diagnostic::new(&E0105, span, format!("a chain of more than {limit} operators or branches"))
        .at("one link too many")
        .help("use an array or a loop")
}

/// The scalars that vectors are made of.
const ELEMENTS: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

pub(crate) fn unknown_type(name: &str, guess: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(&E0106, span, format!("unknown type `{name}`"))
        .at("neither declared by a `typedef` nor known to OpenCL C");
    let element = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if element.len() < name.len() && ELEMENTS.contains(&element) {
        return diagnostic
            .note("vectors have 2, 3, 4, 8 or 16 components (OpenCL C 6.3.2)")
            .help("use an array of vectors, or of scalars");
    }
    diagnostic.suggest(span, guess)
}

pub(crate) fn implicit_int(name: Option<&str>, is_kernel: bool, span: Span) -> Diagnostic {
    let ty = if is_kernel { "void" } else { "int" };
    let what = match name {
        Some(name) => format!("the declaration of `{name}` names no type"),
        None => "this declaration names no type".to_owned(),
    };
    let diagnostic = Diagnostic::new(&E0107, span, what).at("a type is missing before this").fix(
        span.start(),
        format!("{ty} "),
        format!("insert `{ty}`"),
    );
    match is_kernel {
        true => diagnostic.help("kernels return `void`"),
        false => diagnostic.help("there is no implicit `int` in OpenCL C"),
    }
}

pub(crate) fn old_style_function(span: Span) -> Diagnostic {
    Diagnostic::new(&E0108, span, "parameters are declared in the style before C89")
        .at("these names have no types here")
        .help("write each parameter with its type between the parentheses: `f(int a, int b)`")
}

pub(crate) fn inline_assembly(span: Span) -> Diagnostic {
    Diagnostic::new(&E0109, span, "OpenCL C has no inline assembly").at("cannot be compiled")
}

pub(crate) fn generic_before_2_0(version: Version, span: Span) -> Diagnostic {
    Diagnostic::new(
        &E0110,
        span,
        format!("the `generic` address space needs OpenCL C 2.0, and this is OpenCL C {version}"),
    )
    .at("reserved before 2.0")
    .help("compile with `-cl-std=CL2.0` or later, or name an address space")
}

pub(crate) fn nested_function(span: Span, opener: Span) -> Diagnostic {
    Diagnostic::new(&E0111, span, "a function cannot be defined inside another")
        .at("defined here")
        .label(opener, "inside the function that begins here")
        .help("move it out of the function around it")
}

pub(crate) fn missing_brace_before_function(span: Span, opener: Span) -> Diagnostic {
    Diagnostic::new(&E0102, span, "expected `}` before this function")
        .at("a function cannot be defined inside another")
        .label(opener, "this `{` is not closed")
}

pub(crate) fn else_without_if(span: Span, semicolon: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&E0112, span, "`else` without `if`").at("no `if` ends right before this");
    match semicolon {
        Some(semicolon) => {
            diagnostic.label(semicolon, "this `;` ended the `if`").fix(semicolon, "", "remove `;`")
        }
        None => diagnostic,
    }
}

pub(crate) fn reserved_word(keyword: Keyword, span: Span, expected: &str) -> Diagnostic {
    let word = keyword.as_str();
    Diagnostic::new(&E0113, span, format!("expected {expected}, found the reserved word `{word}`"))
        .at("cannot be used as a name")
}

pub(crate) fn misplaced_specifier(
    keyword: Keyword,
    what: &str,
    place: &str,
    span: Span,
) -> Diagnostic {
    let word = keyword.as_str();
    Diagnostic::new(&E0114, span, format!("`{word}` cannot stand in {place}"))
        .at(format!("a {what} belongs to a declaration"))
}

pub(crate) fn declaration_as_body(span: Span) -> Diagnostic {
    Diagnostic::new(&E0115, span, "expected a statement, found a declaration")
        .at("a declaration cannot be the body of a statement")
        .help("put it in braces")
}

pub(crate) fn type_in_expression(found: &str, is_call: bool, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&E0116, span, format!("expected an expression, found the type {found}"));
    let name = found.trim_matches('`');
    match is_call {
        true => {
            let help = format!("put the type in parentheses: `({name})(…)`");
            diagnostic.at("types are not called").fix(span, format!("({name})"), help)
        }
        false => diagnostic.at("a value must stand here"),
    }
}

pub(crate) fn label_before_declaration(span: Span) -> Diagnostic {
    Diagnostic::new(&W0101, span, "a label before a declaration is C23; many drivers reject it")
        .at("not a statement")
        .fix(span.start(), "; ", "insert `;`")
}

pub(crate) fn label_without_statement(behind: Span) -> Diagnostic {
    Diagnostic::new(&W0101, behind, "a label at the end of a block is C23; many drivers reject it")
        .at("no statement follows")
        .fix(behind.end(), ";", "insert `;`")
}
