//! Codes of the expressions family.

super::codes! {
    E0401 = error "undeclared-identifier" "\
A name is used that nothing in sight declares: neither the program nor the language. A function must
be declared before it is called (OpenCL C has no implicit declarations, C99 6.5.1).

Wrong: `int i = get_globl_id(0);`

Right: `int i = get_global_id(0);`
";
    E0402 = error "not-a-value" "\
The name of a type or of a function stands where a value is needed. OpenCL C has no pointers to
functions, so a function can only be called (OpenCL C 6.11).
";
    E0404 = error "statement-expression-outside-function" "\
A GNU statement expression, `({ … })`, contains statements and so can only stand in a function.
";
    E0410 = error "integer-constant" "\
An integer constant is too large for every integer type, or its digits or suffix are wrong
(C99 6.4.4.1). The suffixes are `u` and `l`, in either case and order.

Wrong: `08` (a constant that starts with 0 is octal), `1lul`

Right: `8`, `1ul`
";
    E0411 = error "floating-constant" "\
A floating constant is malformed, or has a type that is not available: the suffix `h` (type `half`)
needs the extension `cl_khr_fp16`. A hexadecimal constant needs an exponent (C99 6.4.4.2).

Wrong: `0x1.8`

Right: `0x1.8p0`
";
    E0412 = error "empty-character-constant" "\
A character constant holds at least one character (C99 6.4.4.4).

Wrong: `''`

Right: `' '`
";
    E0413 = error "escape-sequence" "\
An escape sequence in a character constant or string literal has a value that does not fit a
character, or no value at all (C99 6.4.4.4). Prefixes as in `L\"…\"` do not exist in OpenCL C.
";
    E0420 = error "not-a-scalar" "\
A condition is a scalar: a number or a pointer (C99 6.8.4.1). The selector of a `switch` is an
integer, and the condition of `?:` is not floating-point (OpenCL C 6.5.9). `any` and `all` turn a
vector of booleans into one.

Wrong: `if (v == w)` with vectors `v` and `w`

Right: `if (all(v == w))`
";
    E0421 = error "scalar-rank" "\
An operation on a vector and a scalar converts the scalar to the element type and then to a vector,
but only if the scalar's type has no greater rank than the element type (OpenCL C 6.4.4). This holds
for constants too: `1` is an `int`, `2.0` is a `double`.

Wrong: `uchar4 b = a + 1;`, `float4 y = x * 2.0;`

Right: `uchar4 b = a + (uchar)1;`, `float4 y = x * 2.0f;`
";
    E0422 = error "invalid-operands" "\
The operator does not exist for operands of these types (C99 6.5.5 to 6.5.14, OpenCL C 6.5):
remainder, shifts and bitwise operators take integers; arithmetic takes numbers and vectors of one
type; pointers only add integers, and subtract.

Wrong: `f % 2` with a `float`

Right: `fmod(f, 2.0f)`
";
    E0423 = error "conditional-types" "\
The operands of `?:` do not fit each other. With a scalar condition the two sides have a common type
(C99 6.5.15). With a vector condition, whose components are integers, both sides are vectors with as
many components of the same size, or scalars (OpenCL C 6.5.9).

Wrong: `(a > b) ? 1 : i4` with `double4` vectors `a` and `b`

Right: `(a > b) ? (long4)1 : l4`
";
    E0424 = error "no-address" "\
The address of something was taken that has none: of a value, of a vector's component, of an image
or a sampler (C99 6.5.3.2, OpenCL C 6.3.7, 6.11).

Wrong: `&v.x`

Right: `((float *)&v)` for the address of the first component of a `float4`
";
    E0425 = error "vector-component" "\
The name after the dot selects no components of the vector (OpenCL C 6.3.7). Components of vectors
up to four are `x`, `y`, `z`, `w`; those of all vectors `s0` to `sf`; the halves are `lo`, `hi`,
`even` and `odd`. One, two, three, four, eight or sixteen components can be selected.

Wrong: `v.xr`, `v.s4` for a `float4`

Right: `v.xw`, `v.s3`
";
    E0426 = error "no-such-member" "\
The operand of `.` has no member of this name, or no members at all. The left side of `.` is a struct,
a union or a vector; the left side of `->` is a pointer to one (C99 6.5.2.3).
";
    E0427 = error "invalid-index" "\
Indexing needs an array, a pointer or a vector, and an integer (C99 6.5.2.1). A constant index into
a vector must name one of its components.
";
    E0428 = error "invalid-dereference" "\
Only a pointer to an object type can be dereferenced (C99 6.5.3.2).

Wrong: `*p` with `global void *p`

Right: `*(global int *)p`
";
    E0430 = error "not-assignable" "\
The left side of an assignment is an object: a variable, an element, a member, what a pointer points
to (C99 6.5.16). Arrays, images and samplers cannot be assigned to.

Wrong: `a + b = c;`
";
    E0431 = error "duplicate-components" "\
The components on the left side of an assignment must all be different (OpenCL C 6.3.7).

Wrong: `v.xx = (float2)(1.0f, 2.0f);`

Right: `v.xy = (float2)(1.0f, 2.0f);`
";
    E0432 = error "read-only" "\
The object is `const`, has a `const` member, or lies in the `constant` address space: it cannot be
modified (C99 6.7.3, OpenCL C 6.7.3).
";
    E0434 = error "vector-literal" "\
The parts of a vector literal must add up to exactly the components of the vector. Each is a scalar,
which converts to the element type, or a vector of the element type (OpenCL C 6.3.6). A single scalar
fills every component.

Wrong: `(float4)(1.0f, 2.0f)`

Right: `(float4)(1.0f, 2.0f, 3.0f, 4.0f)`, `(float4)(f2, f2)`, `(float4)(1.0f)`
";
    E0440 = error "no-size" "\
The type has no known size here: `void`, a struct that is only declared, an array without length. It
cannot be measured, and a pointer to it cannot be stepped (C99 6.5.3.4, 6.5.6).
";
    E0441 = error "not-a-function" "\
Only functions can be called (C99 6.5.2.2).
";
    E0442 = error "argument-count" "\
A call has more or fewer arguments than the function has parameters (C99 6.5.2.2).
";
    E0443 = error "no-matching-overload" "\
A function is declared several times with `__attribute__((overloadable))`, and either none of the
declarations takes these arguments, or two take them equally well.
";
    W0410 = warning "integer-constant-unsigned" "\
A decimal constant without suffix is larger than the largest `long`, so it is taken as `ulong`.

Right: write the suffix: `ul`
";
    W0411 = warning "literal-range" "\
A floating constant is larger than the largest finite value of its type and becomes infinity.

Right: `INFINITY`
";
    W0412 = warning "multichar" "\
A character constant has more than one character; its value differs between compilers.
";
    W0420 = warning "division-by-zero" "\
An integer is divided by the constant zero. The result is undefined (C99 6.5.5).
";
    W0440 = extra "pointer-arith" "\
A pointer to `void` is stepped, or two are subtracted. C needs pointers to objects there (C99 6.5.6),
and `void` has no size; as in other compilers the steps are bytes.

Wrong: `global void *p; p += 16;`

Right: `p = (global char *)p + 16;`
";
    W0426 = warning "rgba-components" "\
The component names `r`, `g`, `b` and `a` came with OpenCL C 3.0; other compilers may not know them
in earlier versions.

Wrong: `v.rgba`

Right: `v.xyzw`
";
}
