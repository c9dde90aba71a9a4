//! What can be wrong with characters, literals, macros and directives: E0001–E0099 and
//! W0001–W0099.

use clc_base::Code;

pub static INCLUDE_NOT_FOUND: Code = Code::fatal(
    "E0001",
    "include-not-found",
    r#"An `#include` names a file that is in none of the places searched: for `"name"` the folder of the
including file, then, as for `<name>`, the folders given with `-I` and `-isystem` (C99 6.10.2).

```c
#include "utlis.h"   // wrong: no such file
#include "utils.h"   // right
```
"#,
);

pub static INCLUDE_FAILED: Code = Code::fatal(
    "E0002",
    "include-failed",
    r"The file that an `#include` names exists but cannot be read: it is a folder, or reading is not
permitted, or it is larger than 4 GiB.
",
);

pub static INCLUDE_SYNTAX: Code = Code::error(
    "E0003",
    "include-syntax",
    r#"`#include` takes `"name"` or `<name>`, directly or after macro expansion (C99 6.10.2).

```c
#include utils.h     // wrong
#include "utils.h"   // right
```
"#,
);

pub static INCLUDE_DEPTH: Code = Code::fatal(
    "E0004",
    "include-depth",
    r"Files may include one another 200 levels deep, and a translation unit may include 100,000 files.
Beyond that a file most likely includes itself. Guard headers:

```c
#pragma once
```

or

```c
#ifndef UTILS_H
#define UTILS_H
// ...
#endif
```
",
);

pub static ERROR_DIRECTIVE: Code = Code::fatal(
    "E0005",
    "error-directive",
    r#"The program contains an `#error` directive that is not skipped (C99 6.10.5). Its text says what the
author of the program requires.

```c
#ifndef cl_khr_fp64
#error "this kernel needs double precision"
#endif
```
"#,
);

pub static UNKNOWN_DIRECTIVE: Code = Code::error(
    "E0006",
    "unknown-directive",
    r#"A line that begins with `#` is a directive (C99 6.10). The directives are `#define`, `#undef`,
`#include`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#elifdef`, `#elifndef`, `#else`, `#endif`,
`#line`, `#error`, `#warning` and `#pragma`.

```c
#inlcude "utils.h"   // wrong
#include "utils.h"   // right
```
"#,
);

pub static UNBALANCED_CONDITIONAL: Code = Code::error(
    "E0007",
    "unbalanced-conditional",
    r"`#elif`, `#else` and `#endif` belong to an `#if`, `#ifdef` or `#ifndef` of the same file, and
nothing but `#endif` may follow `#else` (C99 6.10.1).

```c
#else        // wrong: no #if before it
#endif
```
",
);

pub static UNTERMINATED_CONDITIONAL: Code = Code::error(
    "E0008",
    "unterminated-conditional",
    r"Every `#if`, `#ifdef` and `#ifndef` needs an `#endif` in the same file (C99 6.10.1).

Wrong:

```c
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
```

Right:

```c
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
```
",
);

pub static CONDITION_SYNTAX: Code = Code::error(
    "E0009",
    "condition-syntax",
    r"`#if` and `#elif` take an integer constant expression: integer and character constants, `defined`,
the operators of C except assignment, and nothing else. Identifiers that name no macro count as 0
(C99 6.10.1).

```c
#if WIDTH => 4   // wrong
#if WIDTH >= 4   // right
#endif
```
",
);

pub static CONDITION_DIVISION: Code = Code::error(
    "E0010",
    "condition-division-by-zero",
    r"The expression of an `#if` divides by zero. A name that is not a macro counts as 0.

```c
#if SIZE / COUNT > 4                    // wrong if COUNT is not defined
#if COUNT != 0 && SIZE / COUNT > 4      // right: the division is not evaluated
#endif
```
",
);

pub static MACRO_SYNTAX: Code = Code::error(
    "E0011",
    "macro-syntax",
    r"`#define`, `#undef`, `#ifdef` and `#ifndef` need the name of a macro, which is an identifier other
than `defined`. The parameters of a macro are distinct identifiers between parentheses, separated
by commas; `...` may stand last (C99 6.10.3).

```c
#define 2PI 6.28f          // wrong
#define MAD(a, b a) a      // wrong
#define TWO_PI 6.28f       // right
#define MAD(a, b, c) ((a) * (b) + (c))
```
",
);

pub static STRINGIFY_OPERAND: Code = Code::error(
    "E0012",
    "stringify-operand",
    r"In the replacement list of a macro with parameters, `#` makes a string literal of an argument, so a
parameter must follow it (C99 6.10.3.2).

```c
#define NAME(x) # y   // wrong: y is no parameter
#define NAME(x) # x   // right
```
",
);

pub static PASTE_OPERAND: Code = Code::error(
    "E0013",
    "paste-operand",
    r"`##` joins the token before it with the token after it, so it can stand neither first nor last in a
replacement list (C99 6.10.3.3).

```c
#define JOIN(a, b) a ## b ##   // wrong
#define JOIN(a, b) a ## b      // right
```
",
);

pub static INVALID_PASTE: Code = Code::error(
    "E0014",
    "invalid-paste",
    r"What `##` joins must be the spelling of one token (C99 6.10.3.3).

```c
#define MEMBER(v, m) v ## . ## m
float x0 = MEMBER(f4, x);   // wrong: `f4.` is two tokens
float x0 = f4.x;            // right: nothing needs to be joined
```
",
);

pub static MACRO_ARGUMENTS: Code = Code::error(
    "E0015",
    "macro-arguments",
    r"A call of a macro must give as many arguments as the macro has parameters; a macro that ends in
`...` takes any number more. Commas inside parentheses do not separate arguments, commas inside
braces and brackets do (C99 6.10.3).

```c
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int x = MAX(1);       // wrong
int y = MAX(1, 2);    // right
```
",
);

pub static UNTERMINATED_CALL: Code = Code::error(
    "E0016",
    "unterminated-macro-call",
    r"The parenthesis that opens the arguments of a macro call is not closed before the file, the
directive or the argument it stands in ends (C99 6.10.3).

```c
int x = MAX(1, (2);    // wrong
int y = MAX(1, (2));   // right
```
",
);

pub static UNTERMINATED_LITERAL: Code = Code::error(
    "E0017",
    "unterminated-literal",
    r#"A string literal or character constant must end on the line it begins on (C99 6.4.4.4, 6.4.5).

```c
printf("hello);     // wrong
printf("hello");    // right
```
"#,
);

pub static UNTERMINATED_COMMENT: Code = Code::error(
    "E0018",
    "unterminated-comment",
    r"A comment that begins with `/*` ends with `*/`; comments do not nest (C99 6.4.9).
",
);

pub static STRAY_CHARACTER: Code = Code::error(
    "E0019",
    "stray-character",
    r"The text has characters that belong to no token of OpenCL C: control characters, `@`, `` ` ``, a
lone backslash, or characters beyond ASCII that are no letters. Text copied from web pages often
has no-break spaces or curly quotes.
",
);

pub static EXPANSION_LIMIT: Code = Code::fatal(
    "E0020",
    "expansion-limit",
    r"Replacing macros took more than 16 million tokens in all, or macro calls nest more than 2,000
levels deep in one another's arguments. A few short definitions can ask for any number of tokens:

```c
#define A0 x
#define A1 A0 A0
#define A2 A1 A1
// ... up to A40, which is 2^40 times x
```
",
);

pub static SOURCE_TOO_LARGE: Code = Code::fatal(
    "E0021",
    "source-too-large",
    r"All files of a translation unit together must be smaller than 4 GiB, each inclusion counted.
",
);

pub static LINE_SYNTAX: Code = Code::error(
    "E0022",
    "line-directive-syntax",
    r#"`#line` takes a line number from 1 to 2147483647 and optionally a file name as a string literal
(C99 6.10.4).

```c
#line "generated.cl"        // wrong
#line 12 "generated.cl"     // right
```
"#,
);

pub static PRAGMA_PACK: Code = Code::error(
    "E0023",
    "pragma-pack",
    r#"`#pragma pack` limits the alignment of the members of structures. OpenCL C does not have it; it is
understood with the alignment 1, where it means the same as the attribute `packed` (OpenCL C
6.12.1) on every structure defined under it.

```c
#pragma pack(push, 4)       // wrong
#pragma pack(push, 1)       // right
struct S { char c; int i; };
#pragma pack(pop)
struct __attribute__((packed)) T { char c; int i; };   // right, and better
```
"#,
);

pub static NOT_UTF8_TEXT: Code = Code::fatal(
    "E0024",
    "not-utf8-text",
    r"Source files are UTF-8 (ASCII is UTF-8). This one begins with the mark of UTF-16 or UTF-32; save it
as UTF-8.
",
);

pub static VARIADIC_NAME: Code = Code::error(
    "E0025",
    "variadic-name",
    r"`__VA_ARGS__` and `__VA_OPT__` mean something only in the replacement list of a macro whose
parameters end in `...` (C99 6.10.3).

```c
#define LOG(fmt) printf(fmt, __VA_ARGS__)        // wrong
#define LOG(fmt, ...) printf(fmt, __VA_ARGS__)   // right
```
",
);

pub static QUERY_SYNTAX: Code = Code::error(
    "E0026",
    "query-syntax",
    r#"`__has_include`, `__has_builtin`, `__has_attribute`, `__has_extension` and `__has_feature` take one
operand in parentheses: a header name for `__has_include`, an identifier for the others.
`__has_include` can only be asked in `#if` and `#elif`.

```c
#if __has_include(utils.h)     // wrong
#if __has_include("utils.h")   // right
#endif
```
"#,
);

pub static PRAGMA_OPERATOR: Code = Code::error(
    "E0027",
    "pragma-operator",
    r#"`_Pragma` takes one string literal in parentheses; the string is carried out as if it stood after
`#pragma` (C99 6.10.9).

```c
_Pragma(unroll 4)     // wrong
_Pragma("unroll 4")   // right
```
"#,
);

pub static DIRECTIVE_IN_CALL: Code = Code::error(
    "E0028",
    "directive-in-macro-call",
    r"`#include` and `#line` cannot stand among the arguments of a macro call (C99 6.10.3).
",
);

pub static WARNING_DIRECTIVE: Code = Code::warning(
    "W0001",
    "#warnings",
    r"The program contains a `#warning` directive that is not skipped.
",
);

pub static MACRO_REDEFINED: Code = Code::warning(
    "W0002",
    "macro-redefined",
    r"A macro is defined a second time with another meaning. A second definition must be the same token
for token, or follow an `#undef` (C99 6.10.3).

```c
#define WIDTH 4
#define WIDTH 8     // wrong
#undef WIDTH
#define WIDTH 8     // right
```
",
);

pub static BUILTIN_MACRO_REDEFINED: Code = Code::warning(
    "W0003",
    "builtin-macro-redefined",
    r"The program defines or undefines a macro that the compiler defines, such as `__FILE__` or
`__OPENCL_C_VERSION__`. Those names are reserved (C99 6.10.8).
",
);

pub static PREDEFINED_CONSTANT_REDEFINED: Code = Code::lint(
    "W0004",
    "predefined-constant-redefined",
    r"The program defines a macro that OpenCL C predefines as a constant of its library, such as `M_PI`,
with another value. From there on the program's value holds.
",
);

pub static UNKNOWN_PRAGMA: Code = Code::lint(
    "W0005",
    "unknown-pragmas",
    r"A pragma that means nothing to this compiler is ignored (C99 6.10.6).
",
);

pub static IGNORED_PRAGMA: Code = Code::warning(
    "W0006",
    "ignored-pragmas",
    r"A pragma that this compiler knows is not in one of the forms it has, and is ignored.

```c
#pragma OPENCL EXTENSION cl_khr_fp64 enable     // wrong: the colon is missing
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#pragma unroll 4
```
",
);

pub static EXTRA_TOKENS: Code = Code::warning(
    "W0008",
    "extra-tokens",
    r"Text behind the end of a directive is ignored. Make it a comment:

```c
#ifdef USE_IMAGES
#endif USE_IMAGES      // wrong
#endif // USE_IMAGES   // right
```
",
);

pub static UNDEFINED_IN_CONDITION: Code = Code::lint(
    "W0009",
    "undef",
    r"An `#if` uses an identifier that names no macro, and so counts as 0 (C99 6.10.1). It may be
misspelt.
",
);

pub static INVALID_UTF8: Code = Code::warning(
    "W0010",
    "invalid-utf8",
    r#"A string literal or character constant has bytes that are not UTF-8; each is replaced by U+FFFD.
Save the file as UTF-8 or write the bytes as escapes (`"\xe9"`).
"#,
);

pub static INVALID_UTF8_COMMENT: Code = Code::lint(
    "W0011",
    "invalid-utf8-comment",
    r"A comment has bytes that are not UTF-8. Save the file as UTF-8.
",
);

pub static BACKSLASH_NEWLINE_SPACE: Code = Code::warning(
    "W0012",
    "backslash-newline-escape",
    r"Blanks stand between a backslash and the end of its line. The lines are joined as if the blanks
were not there; strictly, only a backslash directly before the line end joins lines (C99 5.1.1.2).
",
);

pub static PRAGMA_ONCE_IN_MAIN: Code = Code::warning(
    "W0013",
    "pragma-once-outside-header",
    r"`#pragma once` in the main file does nothing, since nothing includes it.
",
);

pub static PRAGMA_MESSAGE: Code = Code::warning(
    "W0014",
    "#pragma-messages",
    r"The program asked with `#pragma message` to show a text.
",
);

pub static EXPANSION_TO_DEFINED: Code = Code::lint(
    "W0015",
    "expansion-to-defined",
    r"A macro used in `#if` expands to `defined`, which C99 6.10.1 leaves undefined; compilers agree to
evaluate it.
",
);

/// Every code of this family.
pub const CODES: &[&Code] = &[
    &INCLUDE_NOT_FOUND,
    &INCLUDE_FAILED,
    &INCLUDE_SYNTAX,
    &INCLUDE_DEPTH,
    &ERROR_DIRECTIVE,
    &UNKNOWN_DIRECTIVE,
    &UNBALANCED_CONDITIONAL,
    &UNTERMINATED_CONDITIONAL,
    &CONDITION_SYNTAX,
    &CONDITION_DIVISION,
    &MACRO_SYNTAX,
    &STRINGIFY_OPERAND,
    &PASTE_OPERAND,
    &INVALID_PASTE,
    &MACRO_ARGUMENTS,
    &UNTERMINATED_CALL,
    &UNTERMINATED_LITERAL,
    &UNTERMINATED_COMMENT,
    &STRAY_CHARACTER,
    &EXPANSION_LIMIT,
    &SOURCE_TOO_LARGE,
    &LINE_SYNTAX,
    &PRAGMA_PACK,
    &NOT_UTF8_TEXT,
    &VARIADIC_NAME,
    &QUERY_SYNTAX,
    &PRAGMA_OPERATOR,
    &DIRECTIVE_IN_CALL,
    &WARNING_DIRECTIVE,
    &MACRO_REDEFINED,
    &BUILTIN_MACRO_REDEFINED,
    &PREDEFINED_CONSTANT_REDEFINED,
    &UNKNOWN_PRAGMA,
    &IGNORED_PRAGMA,
    &EXTRA_TOKENS,
    &UNDEFINED_IN_CONDITION,
    &INVALID_UTF8,
    &INVALID_UTF8_COMMENT,
    &BACKSLASH_NEWLINE_SPACE,
    &PRAGMA_ONCE_IN_MAIN,
    &PRAGMA_MESSAGE,
    &EXPANSION_TO_DEFINED,
];
