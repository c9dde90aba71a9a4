//! Conversions between types, and between pointers of different address spaces.

super::codes! {
    E0340 = error "address-space-mismatch" "\
A pointer into one address space was used where a pointer into another is needed.

`global`, `local`, `constant` and `private` are disjoint memories: a pointer into one never
becomes a pointer into another, not even by a cast (OpenCL C 6.7.9). From OpenCL C 2.0 on a pointer
declared without an address space is *generic*: it takes `global`, `local` and `private` pointers,
but not `constant` ones, and becomes a named one again only by an explicit cast.

Wrong:

```c
kernel void k(global int *out, local int *scratch) {
    out = scratch;
}
```

Right:

```c
kernel void k(global int *out, local int *scratch) {
    out[0] = scratch[0];
}
```
";
    E0341 = error "incompatible-types" "\
A value was used where a value of another type is needed, and the one does not convert to the other
implicitly (C99 6.5.16.1, OpenCL C 6.4.1).

Scalars convert to each other, and a scalar converts to a vector by filling every component.
Vectors of different types never convert implicitly; `convert_T` converts and `as_T` reinterprets.

Wrong: `float4 f = i4;`

Right: `float4 f = convert_float4(i4);`
";
    E0342 = error "void-value" "\
An expression of type `void`, such as a call of a function that returns nothing, has no value that
could be used (C99 6.3.2.2).
";
    E0343 = error "invalid-cast" "\
The two types of a cast do not convert into each other, even explicitly (C99 6.5.4, OpenCL C 6.4.2).

Scalars cast to scalars and to vectors (every component gets the value); vectors do not cast to other
vectors: `convert_T` converts their values and `as_T` keeps their bits. Pointers cast to pointers of
the same address space and to integers.

Wrong: `int4 i = (int4)f4;`

Right: `int4 i = convert_int4(f4);`
";
    E0344 = error "nested-address-space" "\
Two pointers to pointers differ in the address space of an inner pointer. Such pointers do not
convert implicitly, not even to generic ones (OpenCL C 6.7.9).

Wrong: `int *private *p = q;` where `q` is a `global int *private *`

Right: give both the same inner address space.
";
    E0345 = error "disjoint-pointers" "\
Two pointers into disjoint address spaces were compared, subtracted, or are the two sides of a
conditional expression. They have no common type (OpenCL C 6.7.9, clauses 6.5.8, 6.5.9, 6.5.15).

Wrong: `condition ? global_pointer : local_pointer`

Right: use the values they point to, or `if` and `else`.
";
    E0347 = error "sampler-not-constant" "\
A sampler in the program is initialized with an integer constant built of `CLK_*` values
(OpenCL C 6.15.15.1).

Right: `constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;`
";
    E0348 = error "half-load" "\
Without the extension `cl_khr_fp16`, `half` is only a storage format: a pointer to `half` may be
declared and passed on, but the value it points to is read with `vload_half` and written with
`vstore_half` (OpenCL C 6.3.1.1).

Wrong: `float f = p[i];`

Right: `float f = vload_half(i, p);`
";
    W0340 = warning "discarded-qualifiers" "\
A pointer became a pointer to a less qualified type, so that a `const` or `volatile` object could be
accessed as if it were not (C99 6.5.16.1).

Wrong: `global int *p = q;` where `q` is a `const global int *`

Right: `const global int *p = q;`
";
    W0341 = warning "pointer-sign" "\
A pointer became a pointer to the integer type of the other signedness, without a cast.

Right: cast, or declare both alike.
";
    W0343 = warning "constant-conversion" "\
A constant is implicitly converted to an integer type that cannot hold its value.

Wrong: `uchar c = 300;`, `int i = 2.5f;`

Right: use a wider type, or a cast that shows the intent: `(int)2.5f`
";
    W0342 = warning "pointer-compare" "\
A pointer was compared with a pointer to another type, or with an integer (C99 6.5.8, 6.5.9).

Right: cast one side to the type of the other.
";
}
