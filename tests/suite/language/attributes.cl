// Wrong uses of attributes (OpenCL C 6.10.2, 6.13.1).
// RUN: -cl-std=CL2.0 -fsyntax-only
#define A(x) __attribute__((x))
A(reqd_work_group_size(1, 1)) kernel void k1(void) {} //~ E0218 three parts
A(reqd_work_group_size(0, 1, 1)) kernel void k2(void) {} //~ E0218 positive
A(reqd_work_group_size(1, 1, x)) kernel void k3(void) {} //~ E0401
A(work_group_size_hint(1, 1, 1, 1)) kernel void k4(void) {} //~ E0218
A(vec_type_hint(struct S)) kernel void k5(void) {} //~ E0218
A(vec_type_hint(3)) kernel void k6(void) {} //~ E0218
A(intel_reqd_sub_group_size(0)) kernel void k7(void) {} //~ E0218
A(intel_reqd_sub_group_size) kernel void k8(void) {} //~ E0218
A(reqd_work_group_size(1, 1, 1)) void f1(void); //~ W0202 kernels only
A(vec_type_hint(int)) void f2(void); //~ W0202
A(intel_reqd_sub_group_size(8)) void f3(void); //~ W0202
A(frobnicate) void f4(void); //~ W0201 unknown attribute `frobnicate`
A(always_inlin) void f5(void); //~ W0201 unknown attribute `always_inlin`
A(always_inline) int variable; //~ W0202
A(overloadable) global int v2; //~ W0202
void f6(void)
{
    A(opencl_unroll_hint(0)) for (;;) break; //~ E0218
    A(opencl_unroll_hint(1, 2)) for (;;) break; //~ E0458
    A(opencl_unroll_hint(2)) f5(); //~ E0458 not a loop
    A(always_inline) int x; //~ W0202
}
A(always_inline(1)) void f7(void); //~ E0218
A(overloadable(1)) void f8(void); //~ E0218
A(nosvm) void f9(void); //~ W0202
kernel void k10(A(nosvm) global int *p) {}
A(reqd_work_group_size(2, 1, 1)) A(reqd_work_group_size(4, 1, 1)) kernel void k11(void) {} //~ E0218
