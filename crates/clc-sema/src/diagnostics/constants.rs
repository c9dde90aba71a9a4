//! Codes of the constants family.

super::codes! {
    E0601 = error "not-constant" "\
A value must be known when the program is compiled, but the expression is not constant (C99 6.6).
Constant expressions are made of literals, enumeration constants, `sizeof`, operators, addresses of
objects at program scope, and the values of `constant` objects with constant initializers. Calls,
assignments and the values of variables are not constant.

Wrong: `int a[n];` with a variable `n`

Right: `#define N 16` and `int a[N];`
";
    E0602 = error "not-an-integer-constant" "\
The length of an array, the value of an enumerator, a `case` and the arguments of some attributes are
integer constant expressions (C99 6.6p6): other types do not serve.

Wrong: `int a[2.5];`
";
}
