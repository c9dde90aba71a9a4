//! Codes of the types family.

super::codes! {
    E0301 = error "unknown-type" "A name is used as a type and names none. Most of the time the grammar finds this first and reports E0106.";
    E0302 = error "unsupported-type" "A type needs a later version, an extension or a feature that the target does not have: `double` needs `cl_khr_fp64` or `__opencl_c_fp64`, objects of type `half` need `cl_khr_fp16` (OpenCL C 6.1).\n\n```c\nhalf h;         // wrong without cl_khr_fp16\nvoid load(global half *p); // right everywhere: vload_half reads it\n```";
    W0302 = warning "half-typedef" "A typedef names a vector of `half` where `cl_khr_fp16` is not enabled, although the target has it. Where the typedef itself is used is not looked at again (OpenCL C 6.1).\n\n```c\ntypedef half4 early; // wrong\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef half4 pixel; // right\n```";
    E0303 = error "restrict-non-pointer" "Only pointers can be `restrict` (C99 6.7.3).\n\n```c\nrestrict int x;  // wrong\nint *restrict p; // right\n```";
    E0304 = error "access-qualifier" "`read_only`, `write_only` and `read_write` qualify images and pipes only, once, and `read_write` images need OpenCL C 2.0 (OpenCL C 6.6).\n\n```c\nkernel void k(read_only float4 x);    // wrong\nkernel void k(read_only image2d_t i); // right\n```";
    E0305 = error "misplaced-type" "A type is not allowed for this kind of object (OpenCL C 6.11): images can only be function parameters, samplers parameters or variables at program or kernel scope, events only private variables and parameters; none of them can be in an array or behind a pointer.\n\n```c\nkernel void k(read_only image2d_t i) {\n  image2d_t j = i; // wrong\n}\n```";
    E0306 = error "array-of" "An array needs elements with a size: not functions, `void`, images, samplers or incomplete types.";
    E0319 = error "pipe-packet" "The packets of a pipe are scalars or vectors of numbers, or structs built of these: no pointers, images or other opaque types (OpenCL C 6.15.17).\n\n```c\nkernel void k(pipe image2d_t p); // wrong\nkernel void k(pipe int4 p);      // right\n```";
    E0307 = error "object-too-large" "An object is larger than any device has memory: 1 TiB, or 4 GiB with pointers of 32 bits.\n\n```c\nconstant int table[1L << 40] = {0}; // wrong\nconstant int table[1 << 10] = {0};  // right\n```";
}
