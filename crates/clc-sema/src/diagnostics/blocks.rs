//! Codes of the blocks family (OpenCL C 6.14).

super::codes! {
    E0470 = error "block-variable" "\
A variable that names a block is a constant: it is initialized where it is declared, with a literal or
another block of the same function or of program scope, and is never `extern` (OpenCL C 6.14.5). So it
is known at build time which block each call and each `enqueue_kernel` means.

Wrong: `int (^square)(int);`

Right: `int (^square)(int) = ^(int x) { return x * x; };`
";
    E0471 = error "block-operand" "\
Blocks are named by variables, called and enqueued. No operator takes one: not `?:`, `*`, `&` or
`sizeof`. There are no pointers to blocks, and no arrays, members, parameters or results that are
blocks (OpenCL C 6.14.5).

Wrong: `(n ? twice : square)(x)`

Right: `n ? twice(x) : square(x)`
";
    E0472 = error "block-capture" "\
A block sees the automatic variables around it as constant copies. It cannot copy another block
(OpenCL C 6.14.5, example 4).

Wrong: `void (^a)(void) = ^{ }; void (^b)(void) = ^{ a(); };` in a function

Right: declare `a` at program scope, or inside of `b`
";
    E0473 = error "block-results" "\
A block without a result type returns what its `return` statements say, and they all must say the same
type (OpenCL C 6.14.3).

Wrong: `^(int x) { if (x) return 1; return 2.0f; }`

Right: `^float(int x) { if (x) return 1; return 2.0f; }`
";
}
