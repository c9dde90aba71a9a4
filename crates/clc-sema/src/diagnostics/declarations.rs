//! Codes of the declarations family.

super::codes! {
    E0201 = error "redefinition" "A name is declared twice in one scope with different meanings, or defined twice (C99 6.7, 6.9).\n\n```c\nint f(int x) { return x; }\nint f(int x) { return -x; } // wrong: f already has a body\n```\n\nRename one of them, or make one a declaration only.";
    E0202 = error "conflicting-types" "Two declarations of one function or variable disagree about its type (C99 6.2.7).\n\n```c\nfloat f(float x);\nfloat f(int x) { return x; } // wrong\n```\n\nFunctions may only share a name with different parameters if each is declared with `__attribute__((overloadable))`.";
    E0203 = error "invalid-specifiers" "The type specifiers do not combine to a type (C99 6.7.2).\n\n```c\nunsigned float x; // wrong\nunsigned int y;   // right\n```";
    E0204 = error "missing-type" "A declaration needs a type; there is no implicit `int` (C99 6.7.2). The grammar finds this first and reports E0107.";
    E0205 = error "storage-class" "A storage class is not allowed here (OpenCL C 6.8). `auto` and `register` do not exist in OpenCL C; `extern` and `static` need OpenCL C 1.2; one declaration has at most one storage class.\n\n```c\nregister int i; // wrong\nint i;          // right\n```";
    E0206 = error "incomplete-type" "An object, member or parameter needs a type whose size is known (C99 6.7).\n\n```c\nstruct node;\nstruct node n;  // wrong: node has no members yet\nstruct node *p; // right\n```";
    E0207 = error "array-length" "The length of an array is a positive integer constant expression; OpenCL C has no variable length arrays, no arrays of length zero and no flexible array members (OpenCL C 6.11).\n\nA variable there is E0601.\n\n```c\nint buffer[0];  // wrong\nint buffer[16]; // right\n```";
    E0208 = error "bit-field" "OpenCL C has no bit-fields (6.11).\n\n```c\nstruct s { uint low : 4; };  // wrong\nstruct s { uint bits; };     // right: mask and shift\n```";
    E0209 = error "duplicate-member" "Two members of a struct or union, or two parameters of a function, have the same name (C99 6.7.2.1).\n\n```c\nstruct s { int x; float x; }; // wrong\n```";
    E0210 = error "invalid-member" "A type cannot be that of a struct or union member: images, samplers, events, pipes and functions have no representation in memory (OpenCL C 6.11).\n\n```c\nstruct s { sampler_t smp; }; // wrong\n```\n\nPass them as kernel arguments instead.";
    E0211 = error "variadic-function" "Only `printf` takes a variable number of arguments (OpenCL C 6.11).\n\n```c\nint sum(int n, ...); // wrong\n```";
    E0212 = error "kernel-result" "A kernel returns `void` (OpenCL C 6.11).\n\n```c\nkernel int k(global int *p); // wrong\nkernel void k(global int *p, global int *result); // right\n```";
    E0213 = error "kernel-parameter" "The type of a kernel parameter has no fixed meaning on the host (OpenCL C 6.11): `bool`, `half` by value, `size_t`, `ptrdiff_t`, `intptr_t`, `uintptr_t`, events, structs that contain one of these or a pointer, and before OpenCL C 2.0 pointers to pointers.\n\n```c\nkernel void k(size_t n); // wrong\nkernel void k(ulong n);  // right\n```";
    E0214 = error "function-pointer" "OpenCL C has no pointers to functions (6.11).\n\n```c\nvoid apply(float (*f)(float)); // wrong\n```\n\nUse a `switch` over the functions, or a macro.";
    E0215 = error "recursion" "A function may not call itself, directly or through others: there is no call stack (OpenCL C 6.11).\n\n```c\nint fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } // wrong\n```\n\nWrite it as a loop.";
    E0216 = error "invalid-initializer" "An initializer does not fit what it initializes (C99 6.7.8): an array needs a list in braces, a designator needs an array or a member that exists.\n\n```c\nint a[2] = 1;     // wrong\nint b[2] = { 1 }; // right: { 1, 0 }\n```";
    E0217 = error "enumerator" "The value of an enumerator is an integer constant that fits its type (C99 6.7.2.2).";
    E0218 = error "invalid-attribute" "An attribute has the wrong arguments or stands on something it cannot apply to.\n\n```c\n__attribute__((aligned(3))) int x; // wrong: not a power of two\n```";
    E0219 = error "function-type" "A function cannot return an array, a function or a type that only exists as an argument; a definition needs a parameter list and names for its parameters (C99 6.7.5.3, 6.9.1).";
    E0221 = error "static-assertion" "The condition of `_Static_assert` is false.";
    E0222 = error "tag-mismatch" "A tag was declared as another kind of type (C99 6.7.2.3).\n\n```c\nstruct s { int x; };\nunion s v; // wrong\n```";
    E0223 = error "void-object" "There are no objects of type `void`.\n\n```c\nvoid x;  // wrong\nvoid *p; // right\n```";
    E0224 = error "reserved-function-name" "A function of an OpenCL program cannot be called `main` (OpenCL C 6.11).";
    W0201 = warning "unknown-attributes" "An attribute is not known and has no effect.";
    W0202 = warning "ignored-attributes" "An attribute is known but has no effect here.";
    W0203 = warning "duplicate-decl-specifier" "A qualifier or specifier is written twice; once is enough.";
    W0204 = warning "missing-declarations" "A declaration declares nothing and has no effect.";
    W0205 = warning "excess-initializers" "The list has more elements than the object; the rest is ignored.";
    W0206 = warning "unknown-extension" "`#pragma OPENCL EXTENSION` names an extension that the target does not have; the directive has no effect.";
    W0207 = warning "unknown-pragma" "A pragma is not known and has no effect.";
    W0209 = warning "missing-components" "A list in braces has fewer values than the vector has components. The others are zero here; most compilers refuse such a list.\n\n```c\nfloat4 v = { 1 };           // wrong: { 1, 0, 0, 0 }\nfloat4 w = { 1, 0, 0, 0 };  // right\n```";
    W0210 = warning "tentative-definition-array" "\
An array at program scope has neither length nor initializer, and no other declaration says how long
it is: it has one element (C99 6.9.2).

Wrong: `global int table[];`

Right: `global int table[16];`, or `extern global int table[];` for the array of another file
";
    W0211 = pedantic "gnu-empty-struct" "\
A struct or union has no members. The behaviour of such a program is undefined in C99 (6.7.2.1); GNU
compilers give the type the size 0, and so does this one.

Wrong: `struct nothing {};`

Right: `struct nothing { char unused; };`";
    W0208 = lint "long-long" "`long long` is reserved for 128-bit integers in OpenCL C (6.1.4); it is taken as `long`, 64 bits.";
}
