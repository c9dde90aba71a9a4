// RUN[default]: -fsyntax-only -Werror
// RUN[extra]: -fsyntax-only -Wall -Wextra
// RUN[pedantic]: -fsyntax-only -Wpedantic
// RUN[name]: -fsyntax-only -Wreturn-void-expression
// RUN[but]: -fsyntax-only -Wpedantic -Wno-gnu-empty-struct
// RUN[error]: -fsyntax-only -Werror=pedantic
struct nothing {};
void g(int x) { if (x) return; }
void f(int x) { return g(x); }
// warning[pedantic]: W0211 7:1
// warning[pedantic]: W0451 9:17
// warning[name]: W0451 9:17
// warning[but]: W0451 9:17
// exit[error]: 1
// error[error]: W0211 7:1
// error[error]: W0451 9:17
