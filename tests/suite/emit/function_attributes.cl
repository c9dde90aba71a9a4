// RUN: -S -O0
// emits: LocalSize 8 4 2
// emits: LocalSizeHint 16 1 1
// emits: VecTypeHint 262149
// emits: SubgroupSize 16
// emits:  Inline %
// emits:  DontInline %
// emits:  Const %
// emits:  Pure %
__attribute__((always_inline)) int a(int x) { return x; }
__attribute__((noinline)) int b(int x) { return x; }
__attribute__((const)) int c(int x) { return x; }
__attribute__((pure)) int d(int x) { return x; }
__attribute__((overloadable)) int e(int x) { return x; }
__attribute__((overloadable)) int e(float x) { return 2; }
kernel __attribute__((reqd_work_group_size(8, 4, 2)))
    __attribute__((work_group_size_hint(16, 1, 1)))
    __attribute__((vec_type_hint(float4)))
    __attribute__((intel_reqd_sub_group_size(16)))
void k(global int *p)
{
    p[0] = a(1) + b(2) + c(3) + d(4) + e(5) + e(6.0f);
}
