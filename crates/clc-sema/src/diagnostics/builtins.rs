//! Codes of the builtins family.

super::codes! {
    E0501 = error "no-matching-builtin" "\
The function of the language exists, but no overload of it takes arguments of these types
(OpenCL C 6.15). Scalars convert to each other implicitly; vectors do not convert, and pointers keep
their address space.

Wrong: `dot(int4_value, float4_value)`

Right: `dot(convert_float4(int4_value), float4_value)`
";
    E0502 = error "unavailable-builtin" "\
The function exists, but only in a later version of OpenCL C, or with an extension or feature that is
not enabled, or that the target is not said to have.

Right: compile with `-cl-std=`, say that the device has it (`-cl-ext=+cl_khr_subgroups`), or enable the extension:
`#pragma OPENCL EXTENSION cl_khr_fp64 : enable`
";
    E0503 = error "ambiguous-builtin" "\
Several overloads of a function of the language take the arguments equally well. This happens when all
arguments are scalars of types that the function is not declared for.

Wrong: `sin(1)` where `sin(float)` and `sin(double)` fit alike

Right: `sin(1.0f)`
";
    E0504 = error "format-argument" "\
The format of `printf` must be resolvable at compile time (OpenCL C 6.15.14.2). What a host program
passes to a kernel is not.

Wrong: `kernel void k(constant char *format) { printf(format, 1); }`

Right: `kernel void k(int number) { printf(\"%d\\n\", number); }`
";
    E0505 = error "specialization-constant" "\
A specialization constant, `__spirv_SpecConstant(number, default)`, is a value of the module that the
host may change before the driver compiles it. Its number is a constant from 0 on, its default value a
constant; a number means one constant, with one type and one default value.

A scalar in `constant` memory with the attribute `spec_constant(number)` is a name for one, whose default value is
the initializer. It is a value and no object, so it has no address.

Wrong: `x = __spirv_SpecConstant(3, 1) + __spirv_SpecConstant(3, 2);`

Right: `x = __spirv_SpecConstant(3, 1) + __spirv_SpecConstant(4, 2);`";
    E0510 = error "packet-type" "\
`read_pipe` and `write_pipe` copy one packet: their pointer points to the packet type of the pipe
(OpenCL C 6.15.17.1).

Wrong: `float f; read_pipe(p, &f);` for `read_only pipe int p`

Right: `int i; read_pipe(p, &i);`
";
    E0511 = error "enqueued-block" "\
What `enqueue_kernel` takes is a block that returns nothing and whose parameters, if it has any, are
`local void *`; the size in bytes of each follows the block (OpenCL C 6.15.18.2).

Wrong: `enqueue_kernel(q, f, r, ^(local void *p) { … });`

Right: `enqueue_kernel(q, f, r, ^(local void *p) { … }, 64u);`
";
    W0502 = warning "gnu-builtin" "\
`__builtin_isnan` and functions like it belong to compilers of the GNU family and are not in OpenCL C. They are
taken as the functions of the language of the same name (OpenCL C 6.15.2, 6.15.6).

Wrong: `if (__builtin_isnan(x)) x = 0;`

Right: `if (isnan(x)) x = 0;`
";
    W0510 = warning "enqueued-memory" "\
An enqueued block runs when the kernel that enqueued it may have ended. The `local` and `private` memory
of that kernel is gone then, and using it is undefined (OpenCL C 6.15.18.1).

Wrong: `int a[4]; enqueue_kernel(q, f, r, ^{ use(a[0]); });`

Right: `int a0 = a[0]; enqueue_kernel(q, f, r, ^{ use(a0); });`
";
    W0501 = warning "format" "\
An argument of `printf` does not fit its conversion in the format, or their numbers differ
(OpenCL C 6.15.14). What is printed then is undefined. Vectors are printed with `v` and their length,
64-bit integers with `l`.

Wrong: `printf(\"%d\", 1.5f);`

Right: `printf(\"%f\", 1.5f);`, `printf(\"%v4hlf\", f4);`, `printf(\"%ld\", l);`
";
    E0512 = error "matrix-operands" "\
The matrices of `coop_mat_mulAdd(a, b, c)` have the uses that their places ask for, sizes M×K, K×N and
M×N, and elements that go together: those of `a` and `b` are one floating-point type or integers of one
size, those of `c` of the same kind and no smaller. Memory that a matrix is loaded from or stored to has
elements of its type, and its layout is one of two constants (cl_khr_cooperative_matrix).

Wrong: `a = coop_mat_load(floats, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);` where the elements of `a` are `half`

Right: `a = coop_mat_load(halves, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 16);`
";
    E0513 = error "matrix-result" "\
`coop_mat_load` and `coop_mat_init` make a matrix of the type of what it becomes: the variable that it is
assigned to or initializes, the parameter, the result of the function, or the type of a cast
(cl_khr_cooperative_matrix).

Wrong: `x + coop_mat_init(1.0f)`

Right: `x + (T)coop_mat_init(1.0f)`
";
}
