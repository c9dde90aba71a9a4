// RUN[default]: -fsyntax-only
// RUN[wall]: -fsyntax-only -Wall
// RUN[extra]: -fsyntax-only -Wextra
// RUN[unused]: -fsyntax-only -Wunused
// RUN[name]: -fsyntax-only -Wunused-variable
// RUN[id]: -fsyntax-only -WW0801
// RUN[not]: -fsyntax-only -Wall -Wno-unused-variable -Wno-unused-parameter
// RUN[family]: -fsyntax-only -Wall -Wno-unused -Wno-unused-parameter
// RUN[none]: -fsyntax-only -Wall -w
// RUN[error]: -fsyntax-only -Wall -Werror=unused-variable
// RUN[errors]: -fsyntax-only -Wall -Werror -Wno-error=unused-parameter
// RUN[group]: -fsyntax-only -Wno-all -Wno-parentheses
// RUN[unknown]: -fsyntax-only -Wno-unused-varable -Wunusual
// warning[default]: W0820 25
// warning[wall]: W0820 25
// warning[extra]: W0820 25
// warning[unused]: W0820 25
// warning[name]: W0820 25
// warning[id]: W0820 25
// warning[not]: W0820 25
// warning[family]: W0820 25
// warning[error]: W0820 25
// error[errors]: W0820 25
// warning[unknown]: W0820 25
int f(int x, int y) { int z; uint u = x; if (x = 1) return u >= 0; return 2; }
// warning[wall]: W0801 25:27
// warning[wall]: W0803 25:18
// warning[extra]: W0801 25
// warning[extra]: W0803 25
// warning[extra]: W0836 25
// warning[unused]: W0801 25
// warning[name]: W0801 25
// warning[id]: W0801 25
// warning[error]: W0803 25
// error[error]: W0801 25
// error[errors]: W0801 25
// warning[errors]: W0803 25
// stderr[unknown]: `-Wno-unused-varable` names no warning; did you mean `-Wno-unused-variable`?
// stderr[unknown]: `-Wunusual` names no warning
// exit[error]: 1
// exit[errors]: 1
// exit[wall]: 0
