//! The library, called with every kind of argument.

use crate::generate::Collector;

const VALUES: [&str; 20] = [
    "bool",
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "double",
    "int2",
    "uint3",
    "float2",
    "float4",
    "half4",
    "double2",
    "global int *",
    "S",
];
const SPACES: [&str; 6] = ["global", "local", "constant", "private", "generic", ""];

pub fn generate(out: &mut Collector) {
    unary(out);
    several(out);
    through_pointers(out);
    work_items(out);
    images(out);
    atomics(out);
}

fn unary(out: &mut Collector) {
    for name in [
        "sin",
        "sqrt",
        "fabs",
        "native_cos",
        "half_exp",
        "ilogb",
        "nan",
        "lgamma",
        "abs",
        "popcount",
        "clz",
        "ctz",
        "sign",
        "degrees",
        "length",
        "normalize",
        "fast_length",
        "any",
        "all",
        "isnan",
        "signbit",
        "bit_reverse",
        "round",
        "isfinite",
        "isnormal",
    ] {
        for ty in VALUES {
            out.body("builtin/one", &format!("{ty} a"), &format!("{name}(a);"));
        }
        for text in [
            "F(1);", "F(1.0f);", "F(1.0);", "F();", "F(1, 2);", "F;", "F(1u);", "F(true);",
            "F('a');",
        ] {
            out.body("builtin/one", "void", &text.replace('F', name));
        }
        out.add("builtin/one", &format!("int {name}(int x, S y);"));
    }
}

fn several(out: &mut Collector) {
    const TWO: [&str; 22] = [
        "pow", "fmin", "fmax", "max", "min", "hadd", "mul24", "mul_hi", "rotate", "dot", "cross",
        "distance", "step", "isequal", "isless", "add_sat", "atan2", "pown", "rootn", "ldexp",
        "upsample", "abs_diff",
    ];
    const SOME: [&str; 13] = [
        "char", "int", "uint", "long", "half", "float", "double", "int2", "uint2", "float2",
        "float4", "int4", "ushort",
    ];
    for name in TWO {
        for left in SOME {
            for right in SOME {
                out.body("builtin/two", &format!("{left} a, {right} b"), &format!("{name}(a, b);"));
            }
            out.body("builtin/two", &format!("{left} a"), &format!("{name}(a, 1);"));
            out.body("builtin/two", &format!("{left} a"), &format!("{name}(1.0f, a);"));
            out.body("builtin/two", &format!("{left} a"), &format!("{name}(a);"));
            out.body("builtin/two", &format!("{left} a"), &format!("{name}(a, a, a);"));
        }
    }
    const FEW: [&str; 8] = ["int", "uint", "float", "int2", "uint2", "float2", "long", "char2"];
    for name in [
        "clamp",
        "fma",
        "mad",
        "mix",
        "select",
        "smoothstep",
        "bitselect",
        "mad24",
        "mad_hi",
        "mad_sat",
        "shuffle2",
        "dot_acc_sat",
        "bitfield_insert",
    ] {
        for a in FEW {
            for b in FEW {
                for c in FEW {
                    out.body(
                        "builtin/three",
                        &format!("{a} a, {b} b, {c} c"),
                        &format!("{name}(a, b, c);"),
                    );
                }
            }
        }
    }
    for first in ["int2", "int4", "float4", "char8", "int3", "int"] {
        for mask in ["uint2", "uint4", "int4", "uchar8", "uint3", "uint", "ushort4"] {
            out.body("builtin/shuffle", &format!("{first} a, {mask} m"), "shuffle(a, m);");
            out.body("builtin/shuffle", &format!("{first} a, {mask} m"), "shuffle2(a, a, m);");
        }
    }
    for text in [
        "printf(\"a\");",
        "printf(\"%d\", 1);",
        "printf(\"%f\", 1.0f);",
        "printf(\"%v4f\", (float4)(1));",
        "printf(\"%v4hlf\", (float4)(1));",
        "printf(\"%s\", \"a\");",
        "printf(1);",
        "printf();",
        "printf(\"%n\", 1);",
        "printf(\"%d\");",
        "printf(\"%p\", p);",
        "printf(q);",
        "printf(r);",
        "int x = printf(\"a\");",
        "printf(\"%d\", s);",
        "vec_step(int4);",
        "vec_step();",
        "vec_step(1, 2);",
        "get_global_id(0) + 1;",
        "size_t x = get_global_id(0u);",
        "isequal(1.0f, 2);",
        "ldexp((float4)(1), 2);",
        "ldexp((float4)(1), (int4)(2));",
        "fmax((float4)(1), 2.0f);",
        "max((int4)(1), 2);",
        "min(1.0f, 2.0f);",
        "clamp((float4)(1), 0.0f, 1.0f);",
        "mix((float4)(1), (float4)(2), 0.5f);",
        "max(1, 2u);",
        "max(1, 2L);",
        "max(1, 2.0f);",
        "fmin(1, 2);",
        "sin((int2)(1));",
        "step(0.5f, (float2)(1));",
        "smoothstep(0.0f, 1.0f, (float2)(1));",
        "select(1, 2, 3);",
        "select(1.0f, 2.0f, 3);",
        "select((int2)(1), (int2)(2), 1);",
    ] {
        out.body("builtin/call", "global int *p, constant char *q, global char *r, S s", text);
    }
    // What a host program passes to a kernel is no format.
    for text in [
        "printf(q);",
        "printf(q, n);",
        "printf(q + n, 1);",
        "printf(&q[1], 1);",
        "printf(n ? q : q, 1);",
        "printf(n ? \"a\" : \"b\");",
        "printf(n ? q : \"a\");",
        "printf(\"%s\", q);",
        "printf(\"%d\", q[n]);",
        "constant char *f = q; printf(f);",
        "constant char *f = \"%d\"; printf(f, n);",
        "constant char *f = \"%d\"; f = q; printf(f, n);",
        "constant char f[] = \"%d\"; printf(f, n);",
        "constant char f[3] = { '%', 'd', 0 }; printf(f, n);",
        "printf((constant char *)q, 1);",
        "printf((constant char *)0);",
        "printf(r);",
        "printf(r + 1, n);",
        "printf(q[0]);",
        "char f[] = \"%d\"; printf(f, n);",
        "local char f[3]; printf(f, n);",
    ] {
        out.kernel("builtin/format", "constant char *q, global char *r, int n", text);
    }
}

fn through_pointers(out: &mut Collector) {
    for space in SPACES {
        let float = format!(
            "{space} float *p, {space} int *i, {space} float4 *v, {space} half *h, {space} double *d, {space} const float *c, {space} void *o, {space} char *b"
        );
        for text in [
            "fract(1.0f, p);",
            "modf(1.0f, p);",
            "sincos(1.0f, p);",
            "frexp(1.0f, i);",
            "remquo(1.0f, 2.0f, i);",
            "lgamma_r(1.0f, i);",
            "fract((float4)(1), v);",
            "fract((float4)(1), p);",
            "fract(1.0, d);",
            "fract(1.0f, i);",
            "fract(1.0f, c);",
            "vload4(0, p);",
            "vload4(0, c);",
            "vload3(0, i);",
            "vstore4((float4)(1), 0, p);",
            "vstore4((int4)(1), 0, p);",
            "vstore2((float2)(1), 0, c);",
            "vload_half(0, h);",
            "vload_half4(0, h);",
            "vstore_half(1.0f, 0, h);",
            "vstore_half_rte(1.0f, 0, h);",
            "vstore_half4((float4)(1), 0, h);",
            "vloada_half4(0, h);",
            "vstorea_half4((float4)(1), 0, h);",
            "vstore_half(1.0, 0, h);",
            "vload4(0, v);",
            "vload4(0, o);",
            "vload5(0, p);",
            "vload4(p, 0);",
            "vload4(0, h);",
            "vload4(0, d);",
            "vload4(0, b);",
            "prefetch(p, 1);",
            "prefetch(c, 1);",
            "to_global(p);",
            "to_local(p);",
            "to_private(p);",
            "get_fence(p);",
            "global float *q = to_global(p);",
            "local float *q = to_global(p);",
            "global float *q = to_global(c);",
            "atomic_add(i, 1);",
            "atomic_add(p, 1.0f);",
            "atomic_xchg(p, 1.0f);",
            "atomic_xchg(i, 1);",
            "atomic_inc(i);",
            "atomic_cmpxchg(i, 1, 2);",
            "atom_add(i, 1);",
            "atom_inc(i);",
            "atomic_min(i, 1u);",
            "atomic_add(o, 1);",
            "atomic_dec(p);",
            "atomic_sub(i);",
            "atomic_or(c, 1);",
            "printf(b);",
            "wait_group_events(1, o);",
        ] {
            out.body("builtin/pointer", &float, text);
        }
        let long = format!("{space} long *l, {space} volatile ulong *u, {space} volatile int *i");
        for text in [
            "atom_add(l, 1L);",
            "atom_add(u, 1UL);",
            "atom_cmpxchg(u, 1, 2);",
            "atom_min(l, 1);",
            "atomic_add(l, 1);",
            "atomic_add(i, 1);",
            "atom_inc(u);",
        ] {
            out.body("builtin/pointer", &long, text);
        }
        for other in SPACES {
            let both = format!("{space} float *a, const {other} float *b, event_t e");
            for text in [
                "async_work_group_copy(a, b, 4, 0);",
                "async_work_group_copy(a, b, 4, e);",
                "async_work_group_strided_copy(a, b, 4, 2, e);",
                "event_t x = async_work_group_copy(a, b, 4, 0);",
            ] {
                out.body("builtin/async", &both, text);
            }
        }
        for text in ["wait_group_events(1, e);", "wait_group_events(1, &e);", "event_t x = *e;"] {
            out.body("builtin/async", &format!("{space} event_t *e"), text);
        }
    }
}

fn work_items(out: &mut Collector) {
    for text in [
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        "barrier(0);",
        "barrier();",
        "barrier(n);",
        "mem_fence(CLK_GLOBAL_MEM_FENCE);",
        "read_mem_fence(CLK_LOCAL_MEM_FENCE);",
        "write_mem_fence(1);",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE);",
        "work_group_barrier(CLK_IMAGE_MEM_FENCE, memory_scope_device);",
        "work_group_barrier(CLK_LOCAL_MEM_FENCE, 1);",
        "sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
        "get_work_dim();",
        "get_global_size(0);",
        "get_enqueued_local_size(0);",
        "get_global_linear_id();",
        "get_local_linear_id();",
        "get_global_offset(0);",
        "get_num_groups(n);",
        "get_group_id(1.0f);",
        "get_local_id();",
        "get_sub_group_size();",
        "get_max_sub_group_size();",
        "get_num_sub_groups();",
        "get_sub_group_id();",
        "get_sub_group_local_id();",
        "work_group_all(n);",
        "work_group_any(n);",
        "work_group_broadcast(n, 0);",
        "work_group_broadcast(n, 0, 0);",
        "work_group_broadcast(x, 0, 0, 0);",
        "work_group_reduce_add(n);",
        "work_group_reduce_add(x);",
        "work_group_reduce_mul(n);",
        "work_group_scan_exclusive_max(x);",
        "work_group_scan_inclusive_min(n);",
        "work_group_reduce_add(v);",
        "sub_group_all(n);",
        "sub_group_broadcast(n, 0);",
        "sub_group_reduce_add(x);",
        "sub_group_scan_inclusive_add(n);",
        "sub_group_shuffle(n, 0);",
        "sub_group_ballot(n);",
        "sub_group_elect();",
        "sub_group_rotate(n, 1);",
        "sub_group_clustered_reduce_add(n, 4);",
        "sub_group_shuffle_up(n, 1);",
        "sub_group_non_uniform_all(n);",
        "sub_group_broadcast(v, 0);",
        "sub_group_reduce_add(v);",
        "dot(n, n);",
        "dot_4x8packed_uu_uint(1u, 2u);",
        "dot((uchar4)(1), (uchar4)(2));",
        "dot((char4)(1), (uchar4)(2));",
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);",
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE);",
        "get_default_queue();",
        "ndrange_1D(1);",
        "clock_read_device();",
        "ndrange_t r = ndrange_2D((size_t[2]){ 1, 2 });",
        "create_user_event();",
        "is_valid_event(create_user_event());",
        "sub_group_non_uniform_reduce_add(x);",
        "sub_group_inverse_ballot((uint4)(1));",
        "sub_group_ballot_bit_count((uint4)(1));",
        "get_image_width(n);",
        "read_pipe(n, n);",
        "intel_sub_group_shuffle(n, 0);",
        "__builtin_popcount(n);",
        "memcpy(0, 0, 1);",
        "malloc(1);",
        "assert(n);",
        "abort();",
        "rand();",
        "isnanf(x);",
        "sinf(x);",
        "powf(x, x);",
        "abs(-1);",
    ] {
        out.body("builtin/work item", "int n, float x, float4 v", text);
    }
}

fn images(out: &mut Collector) {
    const IMAGES: [&str; 12] = [
        "image1d_t",
        "image1d_buffer_t",
        "image1d_array_t",
        "image2d_t",
        "image2d_array_t",
        "image3d_t",
        "image2d_depth_t",
        "image2d_array_depth_t",
        "image2d_msaa_t",
        "image2d_array_msaa_t",
        "image2d_msaa_depth_t",
        "image2d_array_msaa_depth_t",
    ];
    for image in IMAGES {
        for access in ["", "read_only ", "write_only ", "read_write "] {
            let parameters = format!(
                "{access}{image} i, sampler_t s, int x, int2 c, int4 d, float f, float2 g, float4 h"
            );
            for text in [
                "read_imagef(i, s, f);",
                "read_imagef(i, s, c);",
                "read_imagef(i, s, g);",
                "read_imagef(i, s, h);",
                "read_imagef(i, s, d);",
                "read_imagei(i, s, x);",
                "read_imageui(i, c);",
                "read_imagei(i, x);",
                "read_imagef(i, d);",
                "read_imagef(i, c);",
                "read_imageh(i, s, g);",
                "read_imagef(i, c, 1);",
                "write_imagef(i, x, h);",
                "write_imagef(i, c, h);",
                "write_imagef(i, d, h);",
                "write_imagef(i, c, f);",
                "write_imagei(i, c, d);",
                "write_imageui(i, c, (uint4)(1));",
                "get_image_width(i);",
                "get_image_height(i);",
                "get_image_depth(i);",
                "get_image_dim(i);",
                "get_image_array_size(i);",
                "get_image_channel_order(i);",
                "get_image_channel_data_type(i);",
                "get_image_num_samples(i);",
                "get_image_num_mip_levels(i);",
                "i + 1;",
                "i == i;",
                "*i;",
                "i[0];",
                "&i;",
                "(int)i;",
                "sizeof(i);",
                "i ? 1 : 2;",
                "!i;",
            ] {
                out.kernel("builtin/image", &parameters, text);
            }
        }
    }
    for text in [
        "const sampler_t s = 0;",
        "const sampler_t s = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;",
        "sampler_t s = 0;",
        "sampler_t s;",
        "const sampler_t s = n;",
        "const sampler_t s = 1.0f;",
        "sampler_t s = 0; read_imagef(i, s, (int2)(1));",
        "constant sampler_t s = 0;",
        "read_imagef(i, 0, (int2)(1));",
        "read_imagef(i, CLK_FILTER_NEAREST, (int2)(1));",
        "read_imagef(n, t, (int2)(1));",
        "sampler_t *s;",
        "sampler_t s[2];",
        "t + 1;",
        "t == t;",
        "(int)t;",
        "(sampler_t)0;",
        "&t;",
        "sampler_t s = t;",
        "!t;",
    ] {
        out.kernel("builtin/sampler", "read_only image2d_t i, sampler_t t, int n", text);
        out.body("builtin/sampler", "read_only image2d_t i, sampler_t t, int n", text);
    }
}

fn atomics(out: &mut Collector) {
    for space in SPACES {
        for ty in [
            "atomic_int",
            "atomic_uint",
            "atomic_long",
            "atomic_float",
            "atomic_double",
            "atomic_flag",
            "atomic_size_t",
            "volatile atomic_int",
            "int",
        ] {
            for text in [
                "atomic_store(p, 1);",
                "atomic_load(p);",
                "atomic_exchange(p, 1);",
                "atomic_fetch_add(p, 1);",
                "atomic_fetch_max(p, 1);",
                "atomic_fetch_xor(p, 1);",
                "atomic_init(p, 1);",
                "atomic_flag_test_and_set(p);",
                "atomic_flag_clear(p);",
                "*p = 1;",
                "*p + 1;",
                "atomic_store_explicit(p, 1, memory_order_release);",
                "atomic_load_explicit(p, memory_order_acquire, memory_scope_device);",
                "atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_work_group);",
                "(*p)++;",
                "!*p;",
                "if (*p) { }",
                "atomic_fetch_add_explicit(p, 1);",
                "atomic_compare_exchange_strong(p, &e, 1);",
                "atomic_compare_exchange_weak(p, e, 1);",
                "atomic_fetch_add(p, 1.5f);",
                "*p += 1;",
            ] {
                out.body("builtin/atomic", &format!("{space} {ty} *p, int e"), text);
            }
        }
    }
    for text in [
        "atomic_int a;",
        "atomic_int a = 1;",
        "atomic_int a = ATOMIC_VAR_INIT(1);",
        "local atomic_int a;",
        "static global atomic_int a;",
        "atomic_flag a = ATOMIC_FLAG_INIT;",
        "atomic_int *p;",
        "sizeof(atomic_int);",
        "(atomic_int)1;",
        "atomic_int a[2];",
        "atomic_int a; a = a;",
        "atomic_int a; int b = a;",
        "memory_order m = memory_order_seq_cst;",
        "memory_scope m = memory_scope_work_item;",
        "struct { atomic_int a; } s;",
    ] {
        out.kernel("builtin/atomic", "void", text);
        out.body("builtin/atomic", "void", text);
    }
}
