//! E07xx: what the target cannot express.

#![allow(missing_docs, reason = "a code has its name and its explanation as data")]

use clc_base::Code;

/// The codes of this crate and of the linker, in ascending order.
pub static CODES: &[&Code] = &[
    &E0700, &E0701, &E0702, &E0703, &E0704, &E0705, &E0706, &E0707, &E0708, &E0709, &E0720, &E0721,
    &E0722, &E0723, &E0724, &E0725, &E0726, &E0727,
];

pub static E0700: Code = Code::error(
    "E0700",
    "target-not-supported",
    "The chosen version of SPIR-V does not exist, or is too old for the target environment: \
     OpenCL takes 1.0 to 1.6, Vulkan 1.3 to 1.6.\n\n\
     Wrong:\n\n```text\nclc --target-env=vulkan1.3 --spirv-version=1.2 kernel.cl\n```\n\n\
     Right:\n\n```text\nclc --target-env=vulkan1.3 --spirv-version=1.3 kernel.cl\n```\n",
);

pub static E0701: Code = Code::error(
    "E0701",
    "recursion",
    "A kernel may not reach a function that calls itself, directly or through others \
     (OpenCL C 6.11, restrictions: recursion is not supported; SPIR-V 2.16.1: the call graph of \
     an entry point has no cycles). Within one file that is E0215; this code is for what linking \
     makes of several.\n\n\
     Wrong:\n\n```c\n// even.cl\nint odd(int n);\nint even(int n) { return n == 0 ? 1 : odd(n - 1); }\n\
     kernel void k(global int *p) { *p = even(*p); }\n\n// odd.cl\nint even(int n);\n\
     int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n```\n\n\
     Right:\n\n```c\nint even(int n) { return (n & 1) == 0; }\n```\n",
);

pub static E0702: Code = Code::error(
    "E0702",
    "function-address",
    "The address of a function is used as a value, which OpenCL C forbids (6.11, restrictions: \
     pointers to functions are not allowed) and SPIR-V for OpenCL cannot express. In OpenCL C \
     the declaration of such a pointer is reported first, as E0214.\n",
);

pub static E0703: Code = Code::error(
    "E0703",
    "builtin-not-supported",
    "A builtin function exists in the language but has no form in the chosen SPIR-V version or \
     environment, or only with constant arguments where it got others.\n\n\
     Wrong:\n\n```c\nx = sub_group_clustered_reduce_add(x, size); // size is a variable\n```\n\n\
     Right:\n\n```c\nx = sub_group_clustered_reduce_add(x, 4);\n```\n",
);

pub static E0704: Code = Code::error(
    "E0704",
    "universal-limit",
    "The program exceeds a limit of SPIR-V: an instruction has at most 65,535 words (2.3), so an \
     initialized array that other modules see, or a private one on Vulkan, has at most some 65,000 elements \
     in each dimension; a struct has at most 16,383 members and 255 levels, a function 255 parameters, a \
     module 65,535 variables (2.17, universal limits).\n\n\
     Wrong:\n\n```c\nglobal int table[100000] = {1, 2, /* … */}; // with `-c`\n```\n\n\
     Right:\n\n```c\nstatic global int table[100000] = {1, 2, /* … */};\n```\n",
);

pub static E0705: Code = Code::error(
    "E0705",
    "cyclic-initializer",
    "The initializers of program-scope variables take each other's addresses in a circle. In \
     SPIR-V a variable's initializer is declared before the variable, so no order fits.\n\n\
     Wrong:\n\n```c\nglobal void *self = &self;\n```\n\n\
     Right: store the address in a kernel that runs first.\n",
);

pub static E0706: Code = Code::error(
    "E0706",
    "invalid-sampler",
    "A sampler is built of one of `CLK_NORMALIZED_COORDS_*`, one of `CLK_ADDRESS_*` and one of \
     `CLK_FILTER_*` (OpenCL C 6.15.15.1).\n\n\
     Wrong:\n\n```c\nconst sampler_t s = 0xff;\n```\n\n\
     Right:\n\n```c\nconst sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | \
     CLK_FILTER_NEAREST;\n```\n",
);

pub static E0707: Code = Code::error(
    "E0707",
    "undefined-function",
    "A function is called that this file only declares, and declares in a way that no other \
     module can provide it (`static`). In OpenCL C that is reported first, as E0751.\n",
);

pub static E0708: Code = Code::error(
    "E0708",
    "feature-not-in-environment",
    "The program uses a feature that SPIR-V has no form for in the chosen target environment.\n\n\
     Wrong:\n\n```text\nclc -cl-std=CL2.0 --target-env opencl1.2 generic_pointers.cl\n```\n\n\
     Right:\n\n```text\nclc -cl-std=CL2.0 --target-env opencl2.0 generic_pointers.cl\n```\n",
);

pub static E0709: Code = Code::error(
    "E0709",
    "device-limit-exceeded",
    "The kernel needs more of something than the limit that was given for the device \
     (`--limit shared=BYTES`, Vulkan's `maxComputeSharedMemorySize`).\n\n\
     Wrong:\n\n```text\nclc --target-env=vulkan1.3 --limit shared=16384 tiles_of_32_kilobytes.cl\n```\n\n\
     Right:\n\n```text\nclc --target-env=vulkan1.3 --limit shared=49152 tiles_of_32_kilobytes.cl\n```\n",
);

pub static E0720: Code = Code::error(
    "E0720",
    "not-a-module",
    "`clc link` and `clc inspect` take SPIR-V modules. This file is none, or one that breaks the rules of \
     SPIR-V.\n\n\
     Wrong:\n\n```text\nclc link kernel.cl lib.cl -o program.spv\n```\n\n\
     Right:\n\n```text\nclc -c kernel.cl -o kernel.spv\nclc -c lib.cl -o lib.spv\n\
     clc link kernel.spv lib.spv -o program.spv\n```\n",
);

pub static E0721: Code = Code::error(
    "E0721",
    "unresolved-symbol",
    "A module uses a function or variable that none of the linked modules defines (C99 6.9p5: one \
     external definition somewhere in the entire program). What is `static`, or `inline` without \
     `extern`, other modules cannot see; overloaded functions are found by the types of their \
     parameters.\n\n\
     Wrong:\n\n```text\nclc link kernel.spv -o program.spv\n```\n\n\
     Right:\n\n```text\nclc link kernel.spv lib.spv -o program.spv\n```\n\n\
     `--create-library` leaves such names to a later link.\n",
);

pub static E0722: Code = Code::error(
    "E0722",
    "duplicate-symbol",
    "Two modules define one name, or have a kernel of one name (C99 6.9p5: exactly one external \
     definition).\n\n\
     Wrong, as from a header that both files include:\n\n\
     ```c\n// a.cl\nint twice(int x) { return 2 * x; }\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\n\
     // b.cl\nint twice(int x) { return 2 * x; }\n```\n\n\
     Right:\n\n```c\n// a.cl\nstatic inline int twice(int x) { return 2 * x; }\n\
     kernel void k(global int *p) { *p = twice(*p); }\n\n\
     // b.cl\nstatic inline int twice(int x) { return 2 * x; }\n```\n",
);

pub static E0723: Code = Code::error(
    "E0723",
    "mismatched-symbol",
    "A module declares a function or variable with another type than the module that defines it \
     (C99 6.2.7p2: all declarations of one object or function have compatible types).\n\n\
     Wrong:\n\n```c\n// kernel.cl\nint scale(global int *p, int by);\n\
     kernel void k(global int *p) { *p = scale(p, 1); }\n\n\
     // lib.cl\nint scale(global float *p, int by) { return p[by] > 0; }\n```\n\n\
     Right: one header with the declaration, included by both.\n",
);

pub static E0724: Code = Code::error(
    "E0724",
    "incompatible-modules",
    "Linked modules must agree in the width of pointers and in the memory model (SPIR-V 2.4: one \
     OpMemoryModel).\n\n\
     Wrong:\n\n```text\nclc -c -m32 a.cl -o a.spv\nclc -c b.cl -o b.spv\n\
     clc link a.spv b.spv -o program.spv\n```\n\n\
     Right:\n\n```text\nclc -c a.cl -o a.spv\nclc -c b.cl -o b.spv\n\
     clc link a.spv b.spv -o program.spv\n```\n",
);

pub static E0725: Code = Code::error(
    "E0725",
    "no-kernel",
    "None of the linked modules has a kernel, so the program would be empty. A library of \
     functions, for another link, is made with `--create-library`.\n\n\
     Wrong:\n\n```text\nclc link math.spv sort.spv -o lib.spv\n```\n\n\
     Right:\n\n```text\nclc link math.spv sort.spv --create-library -o lib.spv\n```\n",
);

pub static E0726: Code = Code::error(
    "E0726",
    "invalid-module",
    "`clc inspect --validate` found that a module breaks a rule of SPIR-V or of the API that it is for, in \
     the words of SPIRV-Tools' validator.\n\n\
     Wrong:\n\n```text\nclc kernel.cl -o kernel.spv\n\
     clc inspect --validate --target-env=vulkan1.3 kernel.spv\n```\n\n\
     Right:\n\n```text\nclc --target-env=vulkan1.3 kernel.cl -o kernel.spv\n\
     clc inspect --validate --target-env=vulkan1.3 kernel.spv\n```\n",
);

pub static E0727: Code = Code::error(
    "E0727",
    "reflection-of-another-module",
    "`clc inspect --reflection` was given a file that is no reflection, or that of another module: the two \
     name other kernels, or disagree about what hosts rely on (sizes of work-groups, descriptors, push \
     constants, specialization constants).\n\n\
     Wrong:\n\n```text\nclc --target-env=vulkan1.3 sort.cl --reflection sort.json -o sort.spv\n\
     clc --target-env=vulkan1.3 scan.cl -o scan.spv\n\
     clc inspect scan.spv --reflection sort.json\n```\n\n\
     Right:\n\n```text\nclc --target-env=vulkan1.3 scan.cl --reflection scan.json -o scan.spv\n\
     clc inspect scan.spv --reflection scan.json\n```\n",
);
