//! Codes of the lints: what is legal, and most likely not meant.
//!
//! W080x and W081x names, W082x syntax that reads differently from what it does, W083x and W084x
//! expressions, W085x conversions, W087x control flow, W088x what matters on a GPU.

super::codes! {
    W0801 = lint "unused-variable" "\
A variable of a function is never used. Its name in `sizeof` counts as a use, and so does `(void)x`;
`__attribute__((unused))` keeps the warning away.

Wrong: `int i; return 0;`
";
    W0802 = lint "unused-but-set-variable" "\
A variable gets values that nothing ever reads.

Wrong: `int sum = 0; sum += a[0]; return 0;`
";
    W0803 = lint "unused-parameter" "\
A parameter is never used in the body of its function. A parameter without a name is not expected to
be used; neither is one that a macro declares, nor one with `__attribute__((unused))`.

Wrong: `int f(int a, int b) { return a; }`

Right: `int f(int a) { return a; }`, or in a definition that must have two: `(void)b;`
";
    W0804 = extra "unused-but-set-parameter" "\
A parameter gets new values and is never read.

Wrong: `void f(int n) { n = 1; }`
";
    W0805 = lint "unused-function" "\
A `static` function is never called. In files that others include, where it may wait for its use, and
for `inline` functions there is no warning.

Wrong: `static int f(void) { return 1; }` and no `f()` anywhere
";
    W0806 = lint "unused-label" "\
No `goto` jumps to a label. It may be the remains of one, or a `case` without its keyword.

Wrong: `switch (x) { dflt: y = 1; }`

Right: `switch (x) { default: y = 1; }`
";
    W0807 = lint "unused-local-typedef" "\
A type is named in a function, and nothing is declared with the name.
";
    W0808 = warning "unused-value" "\
An expression is evaluated for its value alone, and nothing takes the value. Often a `=` has become
a `==`, or a vector literal lacks its type: `(1, 2, 3, 4)` is just `4`.

Wrong: `x == 1;`, `float4 v = (1.0f, 2.0f, 3.0f, 4.0f);`

Right: `x = 1;`, `float4 v = (float4)(1.0f, 2.0f, 3.0f, 4.0f);`
";
    W0809 = lint "dead-store" "\
A parameter that was passed by value gets a value that nothing reads afterwards. A parameter is a
private copy: the caller, or the host that set a kernel's argument, never sees the assignment.

Wrong: `kernel void k(global int *a, int count) { a[0] = count; count = 0; }`

Right: results go to memory: `kernel void k(global int *a, global int *count) { … *count = 0; }`
";
    W0810 = pedantic "unused-const-variable" "\
A `static constant` variable at program scope is never used.
";

    W0811 = pedantic "shadow" "\
A parameter or a variable of a function has the name of another one in sight: a parameter, a variable
of an outer block, or one at program scope. Inside, the name no longer means the outer one (C99 6.2.1).

Wrong: `int sum = 0; for (int i = 0; i < 4; i++) { int sum = a[i]; }`

Right: `int sum = 0; for (int i = 0; i < 4; i++) { sum += a[i]; }`, or another name for the inner one
";

    W0820 = warning "parentheses" "\
An assignment is used as a condition. A second pair of parentheses says that it is meant.

Wrong: `if (x = 1)`

Right: `if (x == 1)`, or `if ((x = f()))`
";
    W0821 = lint "logical-op-parentheses" "\
`&&` binds tighter than `||`; parentheses around the `&&` show that it is meant.

Wrong: `a || b && c`

Right: `a || (b && c)`
";
    W0822 = warning "shift-op-parentheses" "\
`+` and `-` bind tighter than `<<` and `>>`.

Wrong: `x << 8 + y` (which shifts by `8 + y`)

Right: `(x << 8) + y`, or `x << (8 + y)`
";
    W0823 = warning "bitwise-op-parentheses" "\
`&` binds tighter than `^`, and `^` tighter than `|`; comparisons bind tighter than all three.

Wrong: `flags & 1 == 0` (which is `flags & (1 == 0)`), `a & b | c`

Right: `(flags & 1) == 0`, `(a & b) | c`
";
    W0824 = warning "dangling-else" "\
An `else` belongs to the nearest `if`, whatever the indentation says. Braces make it clear.

Wrong: `if (a) if (b) f(); else g();`

Right: `if (a) { if (b) f(); else g(); }`
";
    W0825 = warning "empty-body" "\
The body of an `if`, a `for`, a `while` or a `switch` is a lone `;` on the same line. For a loop this
is only reported if a block follows that looks like its body. Write `;` on a line of its own, or `{}`,
where nothing is meant.

Wrong: `if (x);` and then `{ f(); }`
";
    W0826 = warning "logical-not-parentheses" "\
`!` binds tighter than comparisons and bitwise operators: `!a == b` compares `!a` with `b`.

Wrong: `!x == y`, `!flags & 1`

Right: `!(x == y)`, `!(flags & 1)`
";
    W0827 = pedantic "implicit-fallthrough" "\
Control runs from the statements of one `case` into the next. `__attribute__((fallthrough));` does not
exist in OpenCL C, so this warning is only for code that never does it.
";
    W0828 = lint "misleading-indentation" "\
A statement is indented as the one before it, which is the body of an `if`, an `else` or a loop
without braces. Only the first of the two belongs to it.

Wrong:

```c
if (x > limit)
    x = limit;
    clipped = 1;
```

Right: `if (x > limit) { x = limit; clipped = 1; }`, or the last line indented as the `if`
";

    W0830 = lint "sign-compare" "\
A signed and an unsigned integer are compared. The signed one is converted, so a negative number
becomes a very large one (C99 6.3.1.8). Work-item functions return `size_t`, which is unsigned. There is
no warning where the signed side can be seen not to be negative.

Wrong: `int n; if (get_global_id(0) < n - 1)` (true for every id if `n` is 0)

Right: `uint n; if (get_global_id(0) + 1 < n)`, or `if ((int)get_global_id(0) < n - 1)`
";
    W0831 = lint "shift-count-overflow" "\
A constant shift count is at least the width of the shifted type. OpenCL C takes the count modulo
the width (6.3, operator j), so `x << 32` is `x` for 32 bits, and not 0.

Wrong: `1 << 40`

Right: `1L << 40`
";
    W0832 = lint "shift-count-negative" "\
A constant shift count is negative. OpenCL C takes the count modulo the width (6.3, operator j), so
`x << -1` shifts by 31.
";
    W0833 = warning "array-bounds" "\
A constant index lies outside of its array (C99 6.5.6).

Wrong: `int a[4]; a[4] = 0;`

Right: `a[3] = 0;`
";
    W0834 = warning "tautological-compare" "\
Something is compared with itself; the result is always the same. For floats, `isnan` asks whether
`x != x`.

Wrong: `if (x == x)`
";
    W0835 = warning "tautological-constant-out-of-range-compare" "\
A comparison with a constant that the type of the other operand cannot hold has always the same
result.

Wrong: `uchar c; if (c < 256)`, `char c; if (c == 200)`
";
    W0836 = extra "tautological-unsigned-zero-compare" "\
An unsigned number is never less than zero.

Wrong: `for (uint i = n; i >= 0; i--)` (which never ends)

Right: `for (uint i = n + 1; i-- > 0;)`
";
    W0837 = warning "tautological-pointer-compare" "\
The address of a variable, or an array, is never null.

Wrong: `float a[4]; if (a != 0)`
";
    W0838 = warning "pointer-bool-conversion" "\
The address of a variable, or an array, is used as a condition: it is always true.

Wrong: `float a[4]; if (a)`

Right: `if (a[0])`
";
    W0839 = warning "constant-logical-operand" "\
`&&` or `||` has a number as its operand that is neither 0 nor 1; probably `&` or `|` was meant.

Wrong: `if (flags && 4)`

Right: `if (flags & 4)`
";
    W0840 = lint "self-assign" "\
A variable is assigned to itself.

Wrong: `x = x;`
";
    W0841 = pedantic "float-equal" "\
Two floating-point numbers are compared for equality, which rounding makes unreliable.
";
    W0842 = warning "switch" "\
A `switch` over an enumeration has no `default` and leaves enumerators out.
";
    W0843 = warning "pointer-to-int-cast" "\
A pointer is cast to an integer that cannot hold it.

Wrong: `(int)p` where pointers have 64 bits

Right: `(uintptr_t)p`
";
    W0844 = warning "return-stack-address" "\
A function returns the address of one of its variables, which no longer exists when it has returned.

Wrong: `private int *f(void) { int x; return &x; }`
";
    W0845 = lint "unsequenced" "\
An expression changes a variable and reads or changes it once more, and no rule says which of the two
comes first (C99 6.5 paragraph 2): the behaviour is undefined. `&&`, `||`, `?:`, the comma operator
and a call have an order; operands of other operators, arguments, and components of a vector literal
have none.

Wrong: `a[i] = i++;`, `x = x++ + 1;`, `f(n++, n)`, `(int2)(n++, n++)`

Right: `a[i] = i; i++;`, `x = x + 1;`
";

    W0850 = lint "double-literal" "\
A floating constant without the suffix `f` is a `double` (C99 6.4.4.2). Where it meets a `float`, the
`float` is converted and the operation is done in double precision, which GPUs do many times slower or
not at all; then the result becomes a `float` again.

There is no warning where the result is wanted as a `double`, nor with
`-cl-single-precision-constant`.

Wrong: `float y = x * 2.0;`

Right: `float y = x * 2.0f;`
";
    W0851 = extra "double-promotion" "\
A `float` is implicitly converted to `double`, and the operation done in double precision.

Right, if that is meant: `(double)x * d`
";
    W0852 = lint "implicit-float-conversion" "\
A `double` is implicitly converted to a floating-point type of less precision.

Wrong: `double d; float f = d;`

Right: `float f = (float)d;`
";
    W0853 = warning "implicit-const-int-float-conversion" "\
An integer constant is implicitly converted to a floating-point type that cannot hold it exactly.

Wrong: `float f = 16777217;`
";
    W0854 = pedantic "float-conversion" "\
A floating-point value is implicitly converted to an integer; the fraction is lost, and the result is
undefined if it does not fit.

Right, if that is meant: `(int)f`, or `convert_int_rte(f)`
";
    W0855 = pedantic "shorten-64-to-32" "\
A 64-bit integer is implicitly converted to 32 bits.

Wrong: `int i = get_global_id(0);` where the global size may exceed 2³¹

Right: `size_t i = get_global_id(0);`
";
    W0856 = pedantic "implicit-int-conversion" "\
An integer is implicitly converted to a smaller type.

Right, if that is meant: `(uchar)x`, or `convert_uchar_sat(x)`
";
    W0857 = pedantic "sign-conversion" "\
An integer is implicitly converted to one of other signedness.
";
    W0858 = pedantic "implicit-int-float-conversion" "\
An integer is implicitly converted to a floating-point type that cannot hold all its values.
";

    W0870 = lint "uninitialized" "\
A variable is read and has no value on any path that leads there. Its contents are undefined
(C99 6.7.8).

Wrong: `int x; return x;`
";
    W0871 = lint "sometimes-uninitialized" "\
A variable is read and has no value if control takes a certain path, and that path must lead to the
read.

Wrong: `int x; if (c) x = 1; return x;`

Right: `int x = 0; if (c) x = 1; return x;`
";
    W0872 = pedantic "conditional-uninitialized" "\
A variable is read and may have no value, as far as the compiler can see; conditions that belong
together are not understood.
";
    W0873 = extra "unreachable-code" "\
Nothing leads to a statement: it stands behind a `return`, a `break`, a `continue`, a `goto` or a loop
without end.

Wrong: `return x; x = 1;`
";

    W0880 = lint "divergent-barrier" "\
A barrier, or another function that a whole work-group must call together, stands where only some
work-items of the work-group may come: behind a condition that depends on the work-item, or in a loop
that runs differently often. The others never arrive, and the kernel hangs or computes nonsense
(OpenCL C 6.15.8).

Wrong:

```c
if (get_local_id(0) < 32) {
    tile[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
}
```

Right:

```c
if (get_local_id(0) < 32)
    tile[get_local_id(0)] = x;
barrier(CLK_LOCAL_MEM_FENCE);
```

A `return` before the barrier (`if (get_global_id(0) >= n) return;`) has the same effect: keep the
work-item, and only skip its work. That a work-group has one work-item along a dimension, so that ids
of that dimension do not differ, is said by `__attribute__((reqd_work_group_size(64, 1, 1)))`.
";
    W0881 = lint "uninitialized-local-memory" "\
A variable in `local` memory is read before anything has written to it. `local` memory is never
initialised (OpenCL C 6.7.1).

Wrong: `local int sum; atomic_add(&sum, x);` without `sum = 0` before

Right:

```c
local int sum;
if (get_local_id(0) == 0)
    sum = 0;
barrier(CLK_LOCAL_MEM_FENCE);
atomic_add(&sum, x);
```
";
    W0882 = lint "missing-barrier" "\
An element of a `local` array that other work-items write is read, and no barrier lies between their
writing and the reading: the value may not be there yet (OpenCL C 6.15.8).

Wrong: `tile[id] = x; y = tile[id + 1];`

Right: `tile[id] = x; barrier(CLK_LOCAL_MEM_FENCE); y = tile[id + 1];`
";
    W0883 = lint "non-uniform-work-group" "\
From OpenCL C 2.0 on, the last work-group of a dimension may be smaller than the others, and
`get_local_size` returns the size of the own one. So `get_group_id(0) * get_local_size(0)` is not where
the work-group begins, and `get_num_groups(0) * get_local_size(0)` is not the global size.

There is no warning with `-cl-uniform-work-group-size`, and none before OpenCL C 2.0, where all
work-groups have one size.

Right: `get_enqueued_local_size(0)`, `get_global_id(0)`, `get_global_size(0)`
";
}
